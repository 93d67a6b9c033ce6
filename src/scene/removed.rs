//! Keeps what was removed from a scene, for hosts with tables of their own.

use alloc::vec::Vec;

use super::{ColliderId, Node, NodeId};
use crate::collider::Attachment;

/// A node or a collider that was removed; see [`Scene::drain_removed`](crate::Scene::drain_removed).
///
/// ```
/// use hitgraph::{Circle, Node, Removed, Scene};
///
/// let mut scene = Scene::new();
/// scene.keep_removed(true);
/// let (troll, body) = scene.add_with(Node::new("troll").with_user_data(7), Circle::new(1.0));
/// scene.remove(troll);
/// for removed in scene.drain_removed() {
///     match removed {
///         Removed::Node { id, node } => assert!(id == troll && node.user_data == 7),
///         Removed::Collider { id, node, .. } => assert!(id == body && node == troll),
///         _ => {}
///     }
/// }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Removed {
    /// A node, with its data.
    Node {
        /// The id that it had.
        id: NodeId,
        /// Its data at the time of its removal.
        node: Node,
    },
    /// A collider, with its settings.
    Collider {
        /// The id that it had.
        id: ColliderId,
        /// The node that carried it.
        node: NodeId,
        /// The collider and its settings at the time of its removal.
        attachment: Attachment,
    },
}

/// The list of what was removed, if the user wants to have it.
#[derive(Debug, Default)]
pub(super) struct Removals {
    is_kept: bool,
    pub(super) list: Vec<Removed>,
}

impl Removals {
    /// Switches the list on or off; switching it off drops its content.
    pub(super) fn keep(&mut self, keep: bool) {
        self.is_kept = keep;
        if !keep {
            self.list = Vec::new();
        }
    }

    /// Keeps what was removed, or drops it.
    pub(super) fn add(&mut self, removed: Removed) {
        if self.is_kept {
            self.list.push(removed);
        }
    }

    /// Takes over the setting of another scene, and empties the list: what was removed may be back.
    pub(super) fn restart_like(&mut self, other: &Self) {
        self.is_kept = other.is_kept;
        self.list.clear();
    }
}
