use glam::Affine2;

use super::NodeStatus;
use crate::math::SinCos;
use crate::shape::Kind;

/// The facts about one node that a refresh reads and writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    /// The columns of the world transform when it was last finite; NaN if it never was. An `Affine2` would take eight
    /// bytes more, and this record 16.
    world: [f32; 6],
    /// Sine and cosine of the node's own rotation, because most nodes move without turning.
    pub(super) rotation: SinCos,
    pub(super) status: NodeStatus,
    pub(super) plain: Plain,
    /// Of a plain node: the slot of the parent, which is another node.
    pub(super) parent: u32,
    /// Of a plain node: the slot of the collider, if it has one.
    pub(super) collider: u32,
}

/// A *plain node* is an active node without children and without an owner above it, which has at most one collider, of
/// a built-in shape. Moving such a node moves only its collider.
///
/// This is a copy of facts from the links, the status and the record of the collider. Without it, 10,000 moving
/// colliders (W1 of `benches/peers`) take two fifths longer to refresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// The node is not plain, or may not be.
    No,
    WithoutCollider,
    /// With the kind of its shape.
    WithCollider(Kind),
}

impl Placement {
    pub(super) const NOWHERE: Self = Self {
        world: [f32::NAN; 6],
        rotation: SinCos::ZERO,
        status: NodeStatus::UNPLACED,
        plain: Plain::No,
        parent: 0,
        collider: 0,
    };

    #[inline]
    pub(super) fn world(&self) -> Affine2 {
        Affine2::from_cols_array(&self.world)
    }

    /// Sets the world transform. Returns `false` if it had the same bits.
    #[inline]
    pub(super) fn set_world(&mut self, world: &Affine2) -> bool {
        let differs = differ(&self.world(), world);
        if differs {
            self.world = world.to_cols_array();
        }
        differs
    }
}

/// Returns `true` if two maps have different bits, without a branch for each component.
#[inline]
fn differ(a: &Affine2, b: &Affine2) -> bool {
    let components = a.to_cols_array().into_iter().zip(b.to_cols_array());
    components.fold(0, |differ, (a, b)| differ | (a.to_bits() ^ b.to_bits())) != 0
}
