use glam::Vec2;

use super::move_steps::Course;
use super::moved::MoveHit;
use super::options::MoveOptions;
use crate::scene::{NodeId, Scene};

/// A move of a node, before which others have to move with their own platforms.
pub(super) struct Call<'c> {
    pub(super) node: NodeId,
    pub(super) course: Course,
    pub(super) options: &'c MoveOptions,
    /// The node that pushes, if the move is a part of a push. What moves with it anyway does not move before.
    pub(super) pusher: Option<NodeId>,
    /// The function that records each of the others that could move, with its travel and what blocked it.
    pub(super) record: &'c mut dyn FnMut(&mut Scene, NodeId, Vec2, &[MoveHit]),
}

impl Call<'_> {
    /// Returns the part of this call that lets another mover follow its platform.
    pub(super) fn following<'p>(&'p mut self, mover: NodeId, options: &'p MoveOptions) -> Call<'p> {
        Call { node: mover, course: Course::Follow, options, pusher: self.pusher, record: self.record }
    }
}
