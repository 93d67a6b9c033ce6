use crate::shape::Kind;

/// The facts about a collider that are read of every candidate, in 8 bytes. With 24 bytes, together with the id and the
/// layers, all pairs of 100,000 moving colliders (as in W1 of `benches/peers`) take about a quarter longer.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct ColliderRecord {
    /// A copy of the slot of the collider's owner, as of the last refresh. If each candidate looks its owners up by
    /// node instead, 10,000 moving colliders (as in W1) update about 2 % slower.
    pub(in crate::scene) owner: u32,
    /// The kind of the world form; `None` for a shape without one.
    pub(in crate::scene) kind: Option<Kind>,
    /// `true` if the layers are [`CollisionLayers::ALL`](crate::CollisionLayers::ALL). It spares most candidates an
    /// access to the layers: 100,000 moving colliders (as in W1) update about 4 % faster.
    pub(in crate::scene) on_all_layers: bool,
    /// A copy of the attachment's flag as of the last refresh, for the reason of the layers' copy.
    pub(in crate::scene) sensor: bool,
    pub(in crate::scene) state: ColliderState,
}

/// The reason why a collider takes part in events, queries and moves, or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scene) enum ColliderState {
    Active,
    /// The collider itself, its node or an ancestor is disabled.
    Disabled,
    /// The collider has no finite place: its node is quarantined, its own size overflows, or no refresh has placed it.
    Quarantined,
}

impl ColliderRecord {
    /// Returns `true` if the collider blocks movers.
    pub(in crate::scene) fn is_solid(&self) -> bool {
        self.state == ColliderState::Active && !self.sensor
    }

    /// Returns the record of a collider that no refresh has placed.
    pub(super) fn new(owner: u32) -> Self {
        let state = ColliderState::Quarantined;
        Self { owner, kind: None, on_all_layers: true, sensor: false, state }
    }
}
