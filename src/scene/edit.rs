//! Edits of a scene: nodes, their relations, and their colliders.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use glam::{Affine2, Vec2};

use super::placed::NarrowPhase;
use super::removed::Removed;
use super::scratch::Scratch;
use super::{ColliderId, Node, NodeId, Scene, SceneError, slot_of};
use crate::collider::Attachment;
use crate::math::{Transform, inverse_of, sort_by};

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

    /// Adds a node as the last child of the root.
    pub fn add(&mut self, node: Node) -> NodeId {
        match self.add_child(self.root(), node) {
            Ok(id) => id,
            Err(_) => unreachable!("the root is always in the scene"),
        }
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
        let id = self.hierarchy.insert(parent, node)?;
        self.changes.node_changed(slot_of(id));
        Ok(id)
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
        let Self { hierarchy, transforms, colliders, changes, movers, removals, .. } = self;
        hierarchy.remove(node, |id, node, ids| {
            transforms.remove(slot_of(id));
            movers.remove(id);
            colliders.ignored_pairs.remove_node(slot_of(id));
            removals.add(Removed::Node { id, node });
            for &collider in ids {
                if let Some((_, attachment)) = colliders.remove(collider) {
                    removals.add(Removed::Collider { id: collider, node: id, attachment });
                }
                changes.collider_gone(slot_of(collider));
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
    /// precede its children, of which the last one comes first. [`clear`](Self::clear) removes the node with the
    /// largest id first, and the colliders of the root last, in reverse order. [`detach`](Self::detach) returns its
    /// collider itself, so the list does not contain it.
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
        self.removals.drain()
    }

    /// Removes every node but the root, and every collider. The next [`update`](Self::update) returns a stop for each
    /// pair that touched. The scene keeps its memory for what is added next; [`shrink_to_fit`](Self::shrink_to_fit)
    /// frees it.
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
        // a new scene, and so it does for colliders, if each was added after those of the nodes before its own.
        let mut nodes: Vec<NodeId> = self.descendants(self.root()).collect();
        sort_by(&mut nodes, |a, b| a < b);
        // Every pair has a node other than the root.
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
        self.removals.shrink_to_fit();
        self.movers = self.movers.drain().collect();
        self.narrow_phase = NarrowPhase::default();
        self.scratch = Scratch::default();
    }

    /// Makes a node the last child of another, also if it is a child of that node already. The node keeps its local
    /// transform, so its world transform may change.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let hand = scene.add(Node::new("hand").with_position(vec2(2.0, 1.0)));
    /// let torch = scene.add(Node::new("torch").with_position(vec2(0.0, 0.5)));
    /// // The torch appears in the hand, at its local position.
    /// scene.set_parent(torch, hand)?;
    /// assert_eq!(scene.world().position(torch), Some(vec2(2.0, 1.5)));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if one of the two is not in the scene, [`SceneError::Root`] if the node is the
    /// root, [`SceneError::Cycle`] if the new parent is the node itself or one of its descendants. Nothing changes
    /// then.
    #[doc(alias("reparent", "attach to"))]
    pub fn set_parent(&mut self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.hierarchy.check_move(node, parent)?;
        self.forget_if_teleported(node, parent);
        self.reparent(node, parent);
        Ok(())
    }

    fn reparent(&mut self, node: NodeId, parent: NodeId) {
        self.hierarchy.set_parent(node, parent);
        self.transforms.forget_plain(slot_of(node));
        self.changes.node_changed(slot_of(node));
    }

    /// Makes a node the last child of another and keeps its world transform: computes the local transform that gives
    /// the same world transform up to the `f32` rounding of the local one, which a distant or strongly skewed parent
    /// enlarges. The signs of the node's scale stay, unless a part of it is 0, or the new parent is mirrored and the old
    /// one is not, or the other way round; then only `scale.y` may be negative.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let ship = scene.add(Node::new("ship").with_position(vec2(10.0, 0.0)));
    /// let pirate = scene.add(Node::new("pirate").with_position(vec2(12.0, 1.0)));
    /// // The pirate comes aboard, where he stands, and sails with the ship.
    /// scene.set_parent_in_place(pirate, ship)?;
    /// assert_eq!(scene[pirate].transform.position, vec2(2.0, 1.0));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`set_parent`](Self::set_parent), and [`SceneError::NotInvertible`] if the new parent's world transform
    /// has no inverse, that of either node is not finite, or the local transform overflows. Nothing changes then.
    pub fn set_parent_in_place(&mut self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.hierarchy.check_move(node, parent)?;
        self.refresh();
        let local = self.local_transform(node, Some(parent), self.transforms.world(slot_of(node)))?;
        let is_remembered = self.memory_of(node).is_some();
        self.reparent(node, parent);
        self[node].transform = local;
        if let Some(memory) = self.movers.get_mut(node).filter(|_| is_remembered) {
            memory.stays_at(local.position);
        }
        Ok(())
    }

    /// Puts a node at a position in world space: writes its local position. Like every written position it teleports,
    /// and only [moves](Self::move_and_slide) collide.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let ship = Node::new("ship").with_position(vec2(5.0, 2.0)).with_scale(vec2(-1.0, 2.0));
    /// let ship = scene.add(ship);
    /// let lamp = scene.add_child(ship, Node::new("lamp"))?;
    /// scene.set_world_position(lamp, vec2(7.0, 4.0))?;
    /// assert_eq!(scene[lamp].transform.position, vec2(-2.0, 1.0));
    /// assert_eq!(scene.world().position(lamp), Some(vec2(7.0, 4.0)));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the node is not in the scene, and [`SceneError::NotInvertible`] if the position
    /// is not finite, the world transform of the node's parent has no inverse or is not finite, or the inverse overflows.
    /// Nothing changes then.
    #[doc(alias("global position", "teleport"))]
    pub fn set_world_position(&mut self, node: NodeId, position: Vec2) -> Result<(), SceneError> {
        let local = self.transform_below_parent(node, Affine2::from_translation(position))?;
        self[node].transform.position = local.position;
        Ok(())
    }

    /// Gives a node a world transform: writes the local transform that gives it up to the `f32` rounding of the local one,
    /// with skew where it needs one. A distant or strongly skewed parent enlarges this rounding. Scale keeps its signs as
    /// in [`set_parent_in_place`](Self::set_parent_in_place).
    ///
    /// ```
    /// # use hitgraph::{Node, Scene, Transform};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let puppet = scene.add(Node::new("puppet").with_rotation(1.0).with_scale(vec2(1.0, 2.0)));
    /// let hand = scene.add_child(puppet, Node::new("hand"))?;
    /// // The handle of an editor turns in the world, whatever is above the hand.
    /// let handle = Transform::from_position(vec2(3.0, 1.0)).with_rotation(0.5);
    /// scene.set_world_transform(hand, handle)?;
    /// assert!(scene.world().transform(hand).unwrap().abs_diff_eq(handle.into(), 1e-6));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`set_world_position`](Self::set_world_position). Nothing changes then.
    #[doc(alias("global transform"))]
    pub fn set_world_transform(&mut self, node: NodeId, transform: impl Into<Affine2>) -> Result<(), SceneError> {
        let local = self.transform_below_parent(node, transform.into())?;
        self[node].transform = local;
        Ok(())
    }

    /// Refreshes the scene, and returns the local transform that gives a node a world transform.
    fn transform_below_parent(&mut self, node: NodeId, world: Affine2) -> Result<Transform, SceneError> {
        self.hierarchy.require(node)?;
        self.refresh();
        self.local_transform(node, self.parent(node), Some(world).filter(Affine2::is_finite))
    }

    /// Returns the local transform that gives a node a world transform below a parent, as of the last refresh. The root
    /// is below nothing.
    fn local_transform(
        &self,
        node: NodeId,
        parent: Option<NodeId>,
        world: Option<Affine2>,
    ) -> Result<Transform, SceneError> {
        let at = |node: NodeId| self.transforms.world(slot_of(node)).ok_or(SceneError::NotInvertible(node));
        let above = parent.map_or(Ok(Affine2::IDENTITY), at)?;
        let world = world.ok_or(SceneError::NotInvertible(node))?;
        let local = relative_to(above, world).map(|local| Transform::from_affine_like(local, &self[node].transform));
        local.filter(|local| local.is_finite()).ok_or(SceneError::NotInvertible(parent.unwrap_or(node)))
    }

    /// Moves a node to a position among its siblings: `index` of them precede it afterwards, or all of them if there
    /// are fewer. The order of siblings decides the order of [`children`](Self::children),
    /// [`descendants`](Self::descendants) and [`find`](Self::find), and which collider
    /// [`World::pick`](crate::World::pick) finds topmost: it is the order in which to draw. Copies get their ids in it, and
    /// no other query depends on it. It costs as much as there are siblings.
    ///
    /// ```
    /// use hitgraph::{Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let [a, b, c] = ["a", "b", "c"].map(|name| scene.add(Node::new(name)));
    /// scene.move_child(c, 0)?;
    /// assert_eq!(scene.children(scene.root()), [c, a, b]);
    /// scene.move_child(a, usize::MAX)?;
    /// assert_eq!(scene.children(scene.root()), [c, b, a]);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the node is not in the scene, [`SceneError::Root`] if it is the root.
    #[doc(alias("set sibling index", "reorder"))]
    pub fn move_child(&mut self, node: NodeId, index: usize) -> Result<(), SceneError> {
        self.hierarchy.move_child(node, index)
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

    /// Returns the owner of the colliders on a node: the nearest node that
    /// [owns its subtree](Node::owns_subtree), from the node itself up to the root, or else the node itself. Returns
    /// `None` for a node that is not in the scene.
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
    fn insert_collider(&mut self, node: NodeId, attachment: Attachment) -> ColliderId {
        let id = self.colliders.insert(slot_of(node), attachment);
        self.hierarchy.attach(node, id);
        self.changes.collider_appeared(slot_of(id));
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
        self.changes.collider_gone(slot_of(collider));
        Some(attachment)
    }

    /// Moves a collider to another node, or to the end of the list of its own. It keeps its id, and a touch that continues
    /// fires no event. It costs as much as [`detach`](Self::detach).
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
        self.changes.collider_changed_node(slot_of(collider));
        Ok(())
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

/// Returns the matrix that gives `world` below `above`, computed in `f64`; `None` if `above` has no inverse.
fn relative_to(above: Affine2, world: Affine2) -> Option<Affine2> {
    let inverse = inverse_of(above.matrix2.as_dmat2())?;
    let offset = world.translation.as_dvec2() - above.translation.as_dvec2();
    let matrix2 = (inverse * world.matrix2.as_dmat2()).as_mat2();
    Some(Affine2 { matrix2, translation: (inverse * offset).as_vec2() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_child_puts_a_node_before_the_siblings_from_its_index_on() {
        let mut scene = Scene::new();
        let root = scene.root();
        let [a, gone, b, c] = ["a", "gone", "b", "c"].map(|name| scene.add(Node::new(name)));
        // Leaves a hole in the list of children.
        scene.remove(gone);
        for (node, index, expected) in [
            (c, 0, [c, a, b]),
            (c, 0, [c, a, b]),
            (c, 1, [a, c, b]),
            (a, 1, [c, a, b]),
            (c, 2, [a, b, c]),
            (a, 3, [b, c, a]),
            (b, usize::MAX, [c, a, b]),
        ] {
            scene.move_child(node, index).unwrap();
            assert_eq!(scene.children(root), expected);
            assert_eq!(scene.descendants(root).collect::<Vec<_>>(), expected);
            assert_eq!(scene.validate(), Ok(()));
        }
        scene.set_parent(c, a).unwrap();
        assert_eq!((scene.children(root), scene.children(a)), (&[a, b][..], &[c][..]), "positions are up to date");
        assert_eq!(scene.move_child(root, 0), Err(SceneError::Root(root)));
        assert_eq!(scene.move_child(gone, 0), Err(SceneError::NodeNotFound(gone)));
    }

    #[test]
    fn set_parent_makes_a_child_of_the_same_parent_the_last_one() {
        let mut scene = Scene::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| scene.add(Node::new(name)));
        scene.set_parent(a, scene.root()).unwrap();
        assert_eq!(scene.children(scene.root()), [b, c, a]);
        scene.set_parent_in_place(c, scene.root()).unwrap();
        assert_eq!(scene.children(scene.root()), [b, a, c]);
        assert_eq!(scene.validate(), Ok(()));
    }
}
