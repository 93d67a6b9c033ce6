use glam::Vec2;
use smallvec::SmallVec;

use crate::scene::NodeId;

/// The result of a [push](crate::Scene::push): what it took along, and what had no room.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pushed {
    pushed: SmallVec<[PushedNode; 4]>,
    squeezed: SmallVec<[NodeId; 2]>,
}

/// A mover that a push took along.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PushedNode {
    /// The mover.
    pub node: NodeId,
    /// The change of the mover's position during the push, in world space.
    pub travel: Vec2,
}

impl Pushed {
    /// Returns the movers that were pushed or carried, in the order in which they began to move, each once.
    #[must_use]
    pub fn pushed(&self) -> &[PushedNode] {
        &self.pushed
    }

    /// Returns the movers that had no room at some time during the push, each once. Such a mover is inside what pushed
    /// it, unless it found a way out later in the same push.
    #[must_use]
    #[doc(alias("crushed", "squished"))]
    pub fn squeezed(&self) -> &[NodeId] {
        &self.squeezed
    }

    /// Removes the result of an earlier push and keeps the capacity.
    pub(super) fn clear(&mut self) {
        self.pushed.clear();
        self.squeezed.clear();
    }

    /// Adds a mover that has moved from a position in world space. [`measure`](Self::measure) replaces the position.
    pub(super) fn add(&mut self, node: NodeId, start: Vec2) {
        if self.pushed.iter().all(|pushed| pushed.node != node) {
            self.pushed.push(PushedNode { node, travel: start });
        }
    }

    /// Replaces the start of each mover by its travel, given the position of each at the end.
    pub(super) fn measure(&mut self, position: impl Fn(NodeId) -> Option<Vec2>) {
        for PushedNode { node, travel } in &mut self.pushed {
            *travel = position(*node).map_or(Vec2::ZERO, |end| end - *travel);
        }
    }

    /// Adds a mover without room.
    pub(super) fn add_squeezed(&mut self, node: NodeId) {
        if !self.squeezed.contains(&node) {
            self.squeezed.push(node);
        }
    }
}
