use thiserror::Error;

use super::{ColliderId, NodeId};

/// Why an edit was refused. Nothing has changed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The node is not in the scene, or not any more.
    #[error("{0:?} is not in the scene")]
    NodeNotFound(NodeId),
    /// The collider is not in the scene, or not any more: detached, or removed with its node.
    #[error("{0:?} is not in the scene")]
    ColliderNotFound(ColliderId),
    /// A node cannot become its own descendant.
    #[error("{node:?} cannot move under {parent:?}, which is itself or one of its descendants")]
    Cycle {
        /// The node that was to move.
        node: NodeId,
        /// Where to.
        parent: NodeId,
    },
    /// The root has no parent and cannot get one.
    #[error("the root {0:?} cannot move under another node")]
    Root(NodeId),
    /// A world transform cannot be kept under a parent that flattens everything to a line or a point, or that is not
    /// finite.
    #[error("the world transform of {0:?} has no inverse, so nothing can keep its place under it")]
    NotInvertible(NodeId),
    /// A node that is inside of something cannot be pushed out of it.
    #[error("{0:?} is inside of something, and no short way leads out of it")]
    NoWayOut(NodeId),
}
