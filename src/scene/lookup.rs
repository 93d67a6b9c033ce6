//! Lookups of nodes, their relations, and their colliders.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{ColliderId, NodeId, Scene, slot_of};
use crate::collider::Attachment;

impl Scene {
    /// Returns the number of nodes, the root included.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// let mut scene = Scene::new();
    /// scene.add(Node::new("door"));
    /// assert_eq!(scene.node_count(), 2, "the door and the root");
    /// ```
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.hierarchy.nodes().len()
    }

    /// Returns the number of colliders, disabled ones included.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// let mut scene = Scene::new();
    /// let (bell, _) = scene.add_with(Node::new("bell"), Circle::new(1.0));
    /// scene[bell].enabled = false;
    /// assert_eq!(scene.collider_count(), 1);
    /// ```
    #[must_use]
    pub fn collider_count(&self) -> usize {
        self.colliders.attachments.len()
    }

    /// Returns `true` if the node is in the scene.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let coin = scene.add(Node::new("coin"));
    /// assert!(scene.contains(coin));
    /// scene.remove(coin);
    /// assert!(!scene.contains(coin));
    /// ```
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.hierarchy.contains(node)
    }

    /// Returns the parent of a node, or `None` for the root and for a node that is not in the scene.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight"));
    /// assert_eq!(scene.parent(knight), Some(scene.root()));
    /// assert_eq!(scene.parent(scene.root()), None);
    /// ```
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.hierarchy.parent(node)
    }

    /// Returns the children of a node, in order; none for a node that is not in the scene. New children come last, and
    /// [`move_child`](Self::move_child) changes the order. The first call after a child between others was removed or
    /// went to another parent costs as much as there are children.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let hand = scene.add(Node::new("hand"));
    /// let thumb = scene.add_child(hand, Node::new("thumb"))?;
    /// let finger = scene.add_child(hand, Node::new("finger"))?;
    /// assert_eq!(scene.children(hand), [thumb, finger]);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        self.hierarchy.children(node)
    }

    /// Iterates over the ancestors of a node, from its parent to the root; none for a node that is not in the scene.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight"));
    /// let arm = scene.add_child(knight, Node::new("arm"))?;
    /// let sword = scene.add_child(arm, Node::new("sword"))?;
    /// assert_eq!(scene.ancestors(sword).collect::<Vec<_>>(), [arm, knight, scene.root()]);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.hierarchy.ancestors(node).skip(1)
    }

    /// Returns `true` if a node is a child of another, or a child of its child, and so on. A node is no descendant of
    /// itself, and a node that is not in the scene is no descendant at all.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight"));
    /// let sword = scene.add_child(knight, Node::new("sword"))?;
    /// assert!(scene.is_descendant(sword, knight) && scene.is_descendant(sword, scene.root()));
    /// assert!(!scene.is_descendant(knight, sword) && !scene.is_descendant(knight, knight));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn is_descendant(&self, node: NodeId, above: NodeId) -> bool {
        node != above && self.hierarchy.is_within(node, above)
    }

    /// Returns the owner of the colliders on a node: the nearest node that [owns its
    /// subtree](crate::Node::owns_subtree), from the node itself up to the root, or else the node itself. Returns `None`
    /// for a node that is not in the scene.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight"));
    /// let sword = scene.add_child(knight, Node::new("sword"))?;
    /// assert_eq!(scene.owner(sword), Some(sword));
    /// scene[knight].owns_subtree = true;
    /// assert_eq!(scene.owner(sword), Some(knight));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn owner(&self, node: NodeId) -> Option<NodeId> {
        self.hierarchy.owner(node)
    }

    /// Iterates over all descendants of a node, without the node itself, each before its own children, siblings in
    /// order; none for a node that is not in the scene.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let ship = scene.add(Node::new("ship"));
    /// let mast = scene.add_child(ship, Node::new("mast"))?;
    /// scene.add_child(mast, Node::new("sail"))?;
    /// scene.add_child(ship, Node::new("anchor"))?;
    /// let names: Vec<&str> = scene.descendants(ship).map(|node| &*scene[node].name).collect();
    /// assert_eq!(names, ["mast", "sail", "anchor"]);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub fn descendants(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.hierarchy.subtree(node).skip(1)
    }

    /// Returns the node at a path of names from the root, as in `"knight/arm"`, or `None` if there is none or the path
    /// is empty. If several nodes match, it returns the first in the order of [`descendants`](Self::descendants). A
    /// name that contains a slash never matches.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight"));
    /// let sword = scene.add_child(knight, Node::new("sword"))?;
    /// assert_eq!(scene.find("knight/sword"), Some(sword));
    /// assert_eq!(scene.find("sword"), None, "it is no child of the root");
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn find(&self, path: &str) -> Option<NodeId> {
        self.find_under(self.root(), path)
    }

    /// Does the same as [`find`](Self::find) from another node, whose own name is not part of the path.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let knights = ["red", "blue"].map(|name| scene.add(Node::new(name)));
    /// for knight in knights {
    ///     scene.add_child(knight, Node::new("sword"))?;
    /// }
    /// let blue_sword = scene.find_under(knights[1], "sword");
    /// assert_eq!(blue_sword, scene.find("blue/sword"));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn find_under(&self, node: NodeId, path: &str) -> Option<NodeId> {
        if path.is_empty() {
            return None;
        }
        let names: Vec<&str> = path.split('/').collect();
        // Depth first over nodes and numbers of matched names, so that a dead end does not hide a sibling of the same
        // name.
        let mut pending = vec![(node, 0)];
        while let Some((node, matched)) = pending.pop() {
            let Some(name) = names.get(matched) else { return Some(node) };
            let named = self.children(node).iter().rev().filter(|child| self[**child].name == *name);
            pending.extend(named.map(|child| (*child, matched + 1)));
        }
        None
    }

    /// Returns the path for which [`find`](Self::find) looks: the names from below the root to the node, joined by
    /// slashes. It is empty for the root and for an unnamed child of it, and `None` for a node that is not in the scene.
    /// `find` returns another node if that is the first with this path, and none if the path is empty or a name contains
    /// a slash.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight"));
    /// let sword = scene.add_child(knight, Node::new("sword"))?;
    /// assert_eq!(scene.path(sword).as_deref(), Some("knight/sword"));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn path(&self, node: NodeId) -> Option<String> {
        let mut names: Vec<&str> = self.hierarchy.ancestors(node).map(|node| self[node].name.as_ref()).collect();
        names.pop()?;
        names.reverse();
        Some(names.join("/"))
    }

    /// Returns the collider with its settings, or `None` if it is not in the scene.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (_, coin) = scene.add_with(Node::new("coin"), Attachment::new(Circle::new(0.3)).sensor());
    /// assert!(scene.attachment(coin).is_some_and(|attachment| attachment.sensor));
    /// ```
    #[must_use]
    pub fn attachment(&self, collider: ColliderId) -> Option<&Attachment> {
        self.colliders.attachments.get(collider)
    }

    /// Iterates over the colliders of a node with their settings, in the order in which they were added.
    pub(super) fn attachments(&self, node: NodeId) -> impl Iterator<Item = (ColliderId, &Attachment)> {
        self.colliders(node).iter().filter_map(|id| Some((*id, self.attachment(*id)?)))
    }

    /// Returns the colliders of a node, in the order in which they were added; none for a node that is not in the
    /// scene.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Rect, Scene};
    /// # let mut scene = Scene::new();
    /// let (knight, head) = scene.add_with(Node::new("knight"), Circle::new(0.3));
    /// let body = scene.attach(knight, Rect::new(0.8, 1.2))?;
    /// assert_eq!(scene.colliders(knight), [head, body]);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn colliders(&self, node: NodeId) -> &[ColliderId] {
        self.hierarchy.colliders(node)
    }

    /// Returns the node that carries a collider, or `None` if the collider is not in the scene.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (knight, head) = scene.add_with(Node::new("knight"), Circle::new(0.3));
    /// assert_eq!(scene.node_of(head), Some(knight));
    /// scene.detach(head);
    /// assert_eq!(scene.node_of(head), None);
    /// ```
    #[must_use]
    pub fn node_of(&self, collider: ColliderId) -> Option<NodeId> {
        self.attachment(collider)?;
        Some(self.hierarchy.id(self.colliders.node(slot_of(collider))))
    }
}
