//! Edits of a scene: nodes and colliders come and go.

use alloc::vec::Vec;

use super::placed::NarrowPhase;
use super::removed::Removed;
use super::scratch::Scratch;
use super::{ColliderId, Node, NodeId, Scene, SceneError, slot_of};
use crate::collider::Attachment;

impl Scene {
    /// Adds a node as the last child of the root.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.insert_node(self.root(), node)
    }

    /// Adds a node as the last child of another.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight").with_position(vec2(4.0, 0.0)));
    /// let sword = scene.add_child(knight, Node::new("sword").with_position(vec2(1.0, 0.0)))?;
    /// assert_eq!(scene.world().position(sword), Some(vec2(5.0, 0.0)));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the parent is not in the scene.
    pub fn add_child(&mut self, parent: NodeId, node: Node) -> Result<NodeId, SceneError> {
        self.hierarchy.require(parent)?;
        Ok(self.insert_node(parent, node))
    }

    /// Adds a node as the last child of another, which is in the scene.
    pub(super) fn insert_node(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = self.hierarchy.insert(parent, node);
        self.changes.node_changed(slot_of(id));
        id
    }

    /// Adds a node with a collider as the last child of the root, and returns both ids. [`attach`](Self::attach) adds
    /// more colliders.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, Node, Rect, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (player, body) = scene.add_with(Node::new("player"), Rect::new(1.0, 2.0));
    /// let (_, sword) = scene.add_child_with(player, Node::new("sword"), Attachment::new(Circle::new(0.3)).sensor())?;
    /// assert_eq!(scene.node_of(body), Some(player));
    /// # let _ = sword;
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[doc(alias("spawn", "insert"))]
    pub fn add_with(&mut self, node: Node, collider: impl Into<Attachment>) -> (NodeId, ColliderId) {
        let node = self.add(node);
        (node, self.insert_collider(node, collider.into()))
    }

    /// Adds a node with a collider as the last child of another, and returns both ids.
    ///
    /// ```
    /// # use hitgraph::{Node, Rect, Scene};
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight"));
    /// let (sword, blade) = scene.add_child_with(knight, Node::new("sword"), Rect::new(1.5, 0.1))?;
    /// assert_eq!((scene.parent(sword), scene.node_of(blade)), (Some(knight), Some(sword)));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the parent is not in the scene. Nothing is added then.
    pub fn add_child_with(
        &mut self,
        parent: NodeId,
        node: Node,
        collider: impl Into<Attachment>,
    ) -> Result<(NodeId, ColliderId), SceneError> {
        let node = self.add_child(parent, node)?;
        Ok((node, self.insert_collider(node, collider.into())))
    }

    /// Removes a node with its whole subtree and all colliders on these nodes. The next [`update`](Self::update)
    /// returns a stop for each pair that they were in. Returns `false` and changes nothing for the root and for a node
    /// that is not in the scene. [`drain_removed`](Self::drain_removed) returns what was removed, if you ask for it.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    /// let (_, club) = scene.add_child_with(troll, Node::new("club"), Circle::new(0.5))?;
    /// assert!(scene.remove(troll));
    /// assert!(scene.attachment(club).is_none(), "the club is gone with the troll");
    /// assert!(!scene.remove(troll), "it was removed already");
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub fn remove(&mut self, node: NodeId) -> bool {
        let Self { hierarchy, transforms, colliders, changes, movers, rider_lists, removals, .. } = self;
        hierarchy.remove(node, |id, node, ids| {
            transforms.remove(slot_of(id));
            movers.remove(id);
            rider_lists.remove(slot_of(id));
            colliders.ignored_pairs.remove_node(slot_of(id));
            removals.add(Removed::Node { id, node });
            for &collider in ids {
                if let Some((_, attachment)) = colliders.remove(collider) {
                    removals.add(Removed::Collider { id: collider, node: id, attachment });
                }
                changes.collider_edited(slot_of(collider));
            }
        })
    }

    /// Sets whether the scene keeps what is removed until [`drain_removed`](Self::drain_removed) returns it. By default
    /// it keeps nothing, and a removal drops all data at once. Switching it off drops what is kept.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// let mut scene = Scene::new();
    /// scene.keep_removed(true);
    /// let spark = scene.add(Node::new("spark"));
    /// scene.remove(spark);
    /// scene.keep_removed(false);
    /// assert_eq!(scene.drain_removed().len(), 0);
    /// ```
    #[doc(alias("despawn hook", "on remove"))]
    pub fn keep_removed(&mut self, keep: bool) {
        self.removals.keep(keep);
    }

    /// Returns all nodes and colliders that [`remove`](Self::remove) and [`clear`](Self::clear) took away since the
    /// last call, if [`keep_removed`](Self::keep_removed) is on. Hosts with tables of sprites, sounds or scripts by id
    /// clean them with it, wherever in the game the removal was.
    ///
    /// The list is in the order of the removals. Within a removed subtree, each node precedes its colliders, and these
    /// precede its children, of which the last one comes first. [`clear`](Self::clear) removes again and again the node
    /// with the largest remaining id, with its subtree, and the colliders of the root last, in reverse order.
    /// [`detach`](Self::detach) returns its collider itself, so the list does not contain it.
    ///
    /// The list grows until it is drained, so drain it once per step. It is not part of snapshots, saved scenes and
    /// checksums: [`clone_from`](Clone::clone_from) empties it and takes over the setting, and a loaded scene keeps
    /// nothing.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use hitgraph::{Circle, Node, NodeId, Removed, Scene};
    ///
    /// let mut scene = Scene::new();
    /// scene.keep_removed(true);
    /// let mut sprites: BTreeMap<NodeId, &str> = BTreeMap::new();
    /// let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    /// let club = scene.add_child(troll, Node::new("club"))?;
    /// sprites.extend([(troll, "troll.png"), (club, "club.png")]);
    ///
    /// scene.remove(troll);
    /// for removed in scene.drain_removed() {
    ///     match removed {
    ///         Removed::Node { id, node } => println!("{} takes {:?} with it", node.name, sprites.remove(&id)),
    ///         Removed::Collider { attachment, .. } => println!("{:?} is gone", attachment.collider()),
    ///         _ => {}
    ///     }
    /// }
    /// assert!(sprites.is_empty());
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// The iterator borrows the scene. For a loop that edits it, move the list into a buffer of your own:
    ///
    /// ```
    /// # use hitgraph::{Node, Removed, Scene};
    /// # let mut scene = Scene::new();
    /// # scene.keep_removed(true);
    /// # let crate_ = scene.add(Node::new("crate"));
    /// # scene.remove(crate_);
    /// let mut buffer = Vec::new();
    /// buffer.extend(scene.drain_removed());
    /// for removed in buffer.drain(..) {
    ///     if let Removed::Node { node, .. } = removed {
    ///         scene.add(Node::new("debris").with_transform(node.transform));
    ///     }
    /// }
    /// assert_eq!(scene.node_count(), 2);
    /// ```
    #[doc(alias("despawned", "take removed"))]
    pub fn drain_removed(&mut self) -> impl ExactSizeIterator<Item = Removed> + '_ {
        self.removals.list.drain(..)
    }

    /// Removes every node but the root, and every collider. The next [`update`](Self::update) returns a stop for each
    /// pair that touched. The root keeps its data, and the scene keeps its memory for what is added next;
    /// [`shrink_to_fit`](Self::shrink_to_fit) frees the memory.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// for _ in 0..2 {
    ///     scene.add_with(Node::new("crate"), Circle::new(1.0));
    /// }
    /// scene.update();
    /// scene.clear();
    /// assert_eq!((scene.node_count(), scene.update().len()), (1, 1), "the root, and the stop of the two crates");
    /// ```
    pub fn clear(&mut self) {
        // Later additions get the slots that were freed last first. Freeing nodes in reverse order gives them the slots of
        // a new scene, except for nodes that were added before their parents and among the colliders of one node.
        let nodes: Vec<NodeId> = self.hierarchy.nodes().keys().collect();
        // At once, because each removal of a node in a pair looks at all pairs. Every pair has a node other than the root.
        self.colliders.ignored_pairs.clear();
        for node in nodes.into_iter().rev() {
            self.remove(node);
        }
        let root = self.root();
        for id in self.colliders(root).to_vec().into_iter().rev() {
            if let Some(attachment) = self.detach(id) {
                self.removals.add(Removed::Collider { id, node: root, attachment });
            }
        }
    }

    /// Frees memory that is not in use, as after a level that was larger than the next. Nothing else changes. It costs
    /// about as much as to place every collider, and the next calls allocate again.
    ///
    /// The next updates take longer, until they have found all candidates and all still colliders again.
    ///
    /// To free the most, call [`clear`](Self::clear), then [`update`](Self::update), which returns the last stops, then
    /// this. What remains distinguishes old ids from new ones: less than 200 bytes for each node and each collider of
    /// the largest number that the scene ever had. If that is too much, replace the scene by `Scene::new()`, in which
    /// old ids are not stale but meaningless.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// for _ in 0..100 {
    ///     scene.add_with(Node::new("spark"), Circle::new(0.1));
    /// }
    /// scene.update();
    /// scene.clear();
    /// scene.update();
    /// scene.shrink_to_fit();
    /// ```
    #[doc(alias("free memory", "trim"))]
    pub fn shrink_to_fit(&mut self) {
        // After a refresh, no list contains a slot that is freed here.
        self.refresh();
        let slots = self.hierarchy.shrink_to_fit();
        self.transforms.shrink_to_fit(slots);
        self.colliders.shrink_to_fit(&self.changes.since_update.placed);
        self.touching.shrink_to_fit();
        self.quarantined.shrink_to_fit();
        self.removals.list.shrink_to_fit();
        self.movers = self.movers.drain().collect();
        self.rider_lists.shrink_to_fit(slots);
        self.narrow_phase = NarrowPhase::default();
        self.scratch = Scratch::default();
    }

    /// Adds a collider to a node. A node may carry any number of colliders, which never touch each other.
    /// [`add_with`](Self::add_with) adds a node together with its first collider.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (bat, body) = scene.add_with(Node::new("bat"), Circle::new(0.4));
    /// let sight = scene.attach(bat, Attachment::new(Circle::new(5.0)).sensor())?;
    /// assert_eq!(scene.colliders(bat), [body, sight]);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the node is not in the scene.
    pub fn attach(&mut self, node: NodeId, collider: impl Into<Attachment>) -> Result<ColliderId, SceneError> {
        self.hierarchy.require(node)?;
        Ok(self.insert_collider(node, collider.into()))
    }

    /// Adds a collider to a node that is in the scene.
    pub(super) fn insert_collider(&mut self, node: NodeId, attachment: Attachment) -> ColliderId {
        let id = self.colliders.insert(slot_of(node), attachment);
        self.hierarchy.attach(node, id);
        self.changes.collider_edited(slot_of(id));
        id
    }

    /// Removes a collider from its node and returns it, or `None` if it is not in the scene. The next
    /// [`update`](Self::update) returns a stop for each pair that it was in. It costs as much as the node has colliders
    /// that were added later.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (_, shield) = scene.add_with(Node::new("knight"), Circle::new(1.0));
    /// let hook = scene.add(Node::new("hook"));
    /// // The shield, with its settings, goes from the knight to the hook.
    /// if let Some(attachment) = scene.detach(shield) {
    ///     scene.attach(hook, attachment)?;
    /// }
    /// assert_eq!(scene.colliders(hook).len(), 1);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub fn detach(&mut self, collider: ColliderId) -> Option<Attachment> {
        let (node, attachment) = self.colliders.remove(collider)?;
        self.hierarchy.detach(self.hierarchy.id(node), collider);
        self.transforms.forget_plain(node);
        self.changes.collider_edited(slot_of(collider));
        Some(attachment)
    }

    /// Moves a collider to another node, or to the end of the list of its own. It keeps its id, and a touch that
    /// continues fires no event. Movers nearby have no side of it until their next [move](Self::move_and_slide),
    /// because they remember sides by node. It costs as much as [`detach`](Self::detach).
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (_, shield) = scene.add_with(Node::new("knight"), Circle::new(1.0));
    /// let hook = scene.add(Node::new("hook"));
    /// scene.move_collider(shield, hook)?;
    /// assert_eq!(scene.node_of(shield), Some(hook));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::ColliderNotFound`] or [`SceneError::NodeNotFound`] if one of the two is not in the scene.
    pub fn move_collider(&mut self, collider: ColliderId, node: NodeId) -> Result<(), SceneError> {
        if !self.colliders.attachments.contains_key(collider) {
            return Err(SceneError::ColliderNotFound(collider));
        }
        self.hierarchy.require(node)?;
        let old = self.colliders.set_node(collider, slot_of(node));
        self.hierarchy.detach(self.hierarchy.id(old), collider);
        self.transforms.forget_plain(old);
        self.hierarchy.attach(node, collider);
        self.changes.collider_edited(slot_of(collider));
        Ok(())
    }

    /// Returns the collider with its settings for writing, or `None` if it is not in the scene. It counts as edited,
    /// even if nothing is written.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle, CollisionLayers, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let ghost = Attachment::new(Circle::new(0.5)).with_layers(CollisionLayers::NONE);
    /// let (_, body) = scene.add_with(Node::new("ghost"), ghost);
    /// scene.add_with(Node::new("hunter"), Circle::new(0.5));
    /// assert_eq!(scene.update().len(), 0);
    /// // The ghost meets everything from now on.
    /// if let Some(attachment) = scene.attachment_mut(body) {
    ///     attachment.layers = CollisionLayers::ALL;
    /// }
    /// assert_eq!(scene.update().len(), 1, "the hunter touches it");
    /// ```
    #[must_use]
    pub fn attachment_mut(&mut self, collider: ColliderId) -> Option<&mut Attachment> {
        let attachment = self.colliders.attachments.get_mut(collider)?;
        self.changes.collider_edited(slot_of(collider));
        Some(attachment)
    }
}
