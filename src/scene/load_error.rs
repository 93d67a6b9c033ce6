use alloc::string::String;
use core::error::Error;
use core::fmt;

use super::{ColliderId, NodeId};

/// The reason why a saved scene cannot be loaded: its data was damaged or made by hand.
///
/// ```
/// use hitgraph::{LoadError, SavedScene, Scene};
///
/// let mut document = serde_json::to_value(Scene::new().save()?)?;
/// document["nodes"] = serde_json::json!([]);
/// let saved: SavedScene = serde_json::from_value(document)?;
/// assert_eq!(Scene::load(saved).map(|_| ()), Err(LoadError::NoRoot));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no node.
    NoRoot,
    /// A node, or the last id of a free slot, has an id that another one has too, or a slot that is too large: the slots
    /// of all nodes and the free slots are not 1, 2, 3, and so on, each once.
    Node(NodeId),
    /// The same for a collider.
    Collider(ColliderId),
    /// The parent of a node does not precede it: it is missing, or parents form a cycle, or there is a second root.
    Parent {
        /// The node.
        node: NodeId,
        /// Its parent; the default id if it has none, although it is not the root.
        parent: NodeId,
    },
    /// The function given to [`Scene::load_with`](crate::Scene::load_with) made no collider of a user shape, or there was
    /// no such function.
    UserShape {
        /// The path of the node, as in [`Scene::find`](crate::Scene::find).
        path: String,
        /// The collider.
        collider: ColliderId,
    },
    /// An ignored pair is not one of two nodes in the scene, or occurs twice.
    IgnoredPair([NodeId; 2]),
    /// The pairs that touched are not in order, or contain an id that no collider or node can ever have had.
    Touching,
    /// The quarantined nodes are not in order, or contain an id that no node can ever have had.
    Quarantined,
    /// A mover is not in the scene or occurs twice, or the nodes near it are not in order.
    Mover(NodeId),
}

impl Error for LoadError {}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slot = "occurs twice, or its slot is larger than the number of slots";
        match self {
            Self::NoRoot => f.write_str("the saved scene has no root"),
            Self::Node(node) => write!(f, "{node:?} {slot}"),
            Self::Collider(collider) => write!(f, "{collider:?} {slot}"),
            Self::Parent { node, parent } if *parent == NodeId::default() => {
                write!(f, "{node:?} has no parent, but is not the first node, which is the root")
            }
            Self::Parent { node, parent } => write!(
                f,
                "the parent {parent:?} of {node:?} does not precede it, so it is missing or the parents form a cycle"
            ),
            Self::UserShape { path, collider } => {
                let required = "the function of `Scene::load_with` must return its collider";
                write!(f, "{collider:?} of the node \"{path}\" has a user shape: {required}")
            }
            Self::IgnoredPair([a, b]) => write!(f, "{a:?} and {b:?} are no pair of nodes in the scene, or occur twice"),
            Self::Touching => f.write_str("the pairs that touched are not valid"),
            Self::Quarantined => f.write_str("the quarantined nodes are not valid"),
            Self::Mover(node) => write!(
                f,
                "the mover {node:?} is not in the scene or occurs twice, or the nodes near it are not in order"
            ),
        }
    }
}
