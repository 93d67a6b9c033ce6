use thiserror::Error;

use super::{ColliderId, NodeId};

/// The reason why an edit or a move was refused. The scene is then unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The node is not in the scene, or no longer.
    #[error("{0:?} is not in the scene")]
    NodeNotFound(NodeId),
    /// The collider is not in the scene, or no longer: it was detached, or removed with its node.
    #[error("{0:?} is not in the scene")]
    ColliderNotFound(ColliderId),
    /// A node cannot become the child of itself or of a descendant.
    #[error("{node:?} cannot move under {parent:?}, which is the node itself or one of its descendants")]
    Cycle {
        /// The node to move.
        node: NodeId,
        /// The requested parent.
        parent: NodeId,
    },
    /// The root has no parent and no siblings, and cannot get any.
    #[error("the root {0:?} cannot have a parent or siblings")]
    Root(NodeId),
    /// The world transform of the node has no inverse or is not finite, so no local transform below it gives the
    /// required world transform.
    #[error("the world transform of {0:?} has no inverse, so no transform below it gives the required place")]
    NotInvertible(NodeId),
    /// The node is inside another collider, and there is no short way out.
    #[error("{0:?} is inside a collider, and no short way leads out of it")]
    NoWayOut(NodeId),
}
