use smallvec::SmallVec;

use super::{NodeId, Side};
use crate::collider::CollisionLayers;

/// Which colliders a question is about. The default is all of them.
///
/// For anything that depends on the collider itself, narrow the world: [`World::only`](crate::World::only).
///
/// To make one from another, clone it: that allocates nothing for up to two excluded nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryFilter {
    /// Layers of the asker; as between two colliders, both sides must agree.
    pub layers: CollisionLayers,
    /// Whether sensors are found. They are unless this is turned off.
    pub sensors: bool,
    /// Nodes that are left out with everything below them.
    pub excluded: SmallVec<[NodeId; 2]>,
}

impl QueryFilter {
    /// The same, asking as if the asker were a collider with these layers: what it would touch is found.
    ///
    /// ```
    /// use hitgraph::{CollisionLayers, QueryFilter};
    ///
    /// const WALLS: u32 = 1 << 3;
    /// let only_walls = QueryFilter::default().with_layers(CollisionLayers::new(u32::MAX, WALLS));
    /// assert!(only_walls.sensors);
    /// ```
    #[must_use]
    pub fn with_layers(self, layers: CollisionLayers) -> Self {
        Self { layers, ..self }
    }

    /// The same without sensors.
    #[must_use]
    pub fn without_sensors(self) -> Self {
        Self { sensors: false, ..self }
    }

    /// The same without this node and everything below it: the asker itself, as a rule. May be called for several.
    #[must_use]
    pub fn exclude_subtree(mut self, node: NodeId) -> Self {
        self.excluded.push(node);
        self
    }
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self { layers: CollisionLayers::ALL, sensors: true, excluded: SmallVec::new() }
    }
}

/// A predicate of [`World::only`](crate::World::only).
pub(super) type Predicate<'a> = &'a (dyn Fn(Side) -> bool + Sync);
