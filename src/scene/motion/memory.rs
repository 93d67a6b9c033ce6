use alloc::vec::Vec;

use glam::{Affine2, DVec2, Vec2};

use super::ride::Ride;
use crate::math::tolerance::POSITION_ROUNDING;
use crate::scene::NodeId;

/// The state of a mover at the end of its last move. The next move computes from it on which side of a solid the mover
/// was, even if the solid or the mover's parent has moved since.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct Memory {
    /// The local position that the move wrote. If the node has another one, the caller has written it since.
    pub(super) position: Vec2,
    /// The position in the world that the move led to.
    pub(super) at: DVec2,
    pub(super) ride: Option<Ride>,
    /// The travel with its platform since then: a rider of this mover moved first, and brought the mover along.
    pub(super) early: Vec2,
    /// The nodes whose blocking colliders were near, with their world transforms then.
    pub(super) nearby: Vec<(NodeId, Affine2)>,
}

impl Memory {
    /// Returns `true` if a local position is the one that the move wrote. One that differs by rounding is the same: the
    /// caller may have computed it from the travel.
    pub(super) fn is_at(&self, position: Vec2) -> bool {
        let rounding = position.abs().max_element() * POSITION_ROUNDING as f32;
        (position - self.position).abs().max_element() <= rounding
    }

    /// Returns the world transform of a node at the end of the mover's last move, if it was near.
    pub(super) fn transform(&self, node: NodeId) -> Option<&Affine2> {
        self.nearby.iter().find(|(other, _)| *other == node).map(|(_, transform)| transform)
    }
}
