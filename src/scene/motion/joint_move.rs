use glam::DVec2;

use super::ride::{Carry, Ride};
use crate::scene::NodeId;

/// The move of one mover, among several that are displaced at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointMove {
    pub(super) node: NodeId,
    pub(super) displacement: DVec2,
    /// The mover's ride after that.
    pub(super) ride: Option<Ride>,
    /// The displacement by which its platform will carry it after that.
    pub(super) remaining_carry: DVec2,
}

/// A mover that moves together with others by a displacement of their platforms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Companion {
    /// The carry by the platform below the mover, directly or not, that has made the displacement.
    pub(super) carry: Carry,
    pub(super) joint_move: JointMove,
}
