use core::error::Error;
use core::fmt;

use super::{ColliderId, NodeId};

/// The reason why an edit or a move was refused. The scene is then unchanged, but for what
/// [moves](crate::Scene::move_and_slide) state.
///
/// ```
/// use hitgraph::{Node, Scene, SceneError};
///
/// let mut scene = Scene::new();
/// let knight = scene.add(Node::new("knight"));
/// let sword = scene.add_child(knight, Node::new("sword"))?;
/// assert_eq!(scene.set_parent(knight, sword), Err(SceneError::Cycle { node: knight, parent: sword }));
/// assert_eq!(scene.parent(knight), Some(scene.root()), "nothing has changed");
///
/// scene.remove(knight);
/// assert_eq!(scene.add_child(knight, Node::new("shield")), Err(SceneError::NodeNotFound(knight)));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// The node is not in the scene, or no longer.
    NodeNotFound(NodeId),
    /// The collider is not in the scene, or no longer: it was detached, or removed with its node.
    ColliderNotFound(ColliderId),
    /// A node cannot become the child of itself or of a descendant.
    Cycle {
        /// The node to move.
        node: NodeId,
        /// The requested parent.
        parent: NodeId,
    },
    /// The root has no parent and no siblings, and cannot get any.
    Root(NodeId),
    /// The world transform of the node has no inverse or is not finite, so what is below it has no local transform for a
    /// place in the world.
    NotInvertible(NodeId),
    /// The place that the node would get is not finite: an argument is not, or the place or its local form overflows.
    NotFinite(NodeId),
    /// The node is inside another collider, and there is no short way out.
    NoWayOut(NodeId),
}

impl Error for SceneError {}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NodeNotFound(node) => write!(f, "{node:?} is not in the scene"),
            Self::ColliderNotFound(collider) => write!(f, "{collider:?} is not in the scene"),
            Self::Cycle { node, parent } => {
                write!(f, "{node:?} cannot move under {parent:?}, which is the node itself or one of its descendants")
            }
            Self::Root(root) => write!(f, "the root {root:?} cannot have a parent or siblings"),
            Self::NotInvertible(node) => write!(
                f,
                "the world transform of {node:?} has no inverse or is not finite, so the required place has no local form"
            ),
            Self::NotFinite(node) => {
                write!(f, "the required place of {node:?} is not finite, or overflows as a local transform")
            }
            Self::NoWayOut(node) => write!(f, "{node:?} is inside a collider, and no short way leads out of it"),
        }
    }
}
