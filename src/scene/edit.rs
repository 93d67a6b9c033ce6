//! Editing: nodes, their places in the tree, and their colliders.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

use glam::Affine2;
use slotmap::SecondaryMap;

use super::bodies::Bodies;
use super::events::Touches;
use super::hierarchy::Hierarchy;
use super::narrow::Scratch;
use super::transforms::Transforms;
use super::{ColliderId, Node, NodeId, Scene, SceneError};
use crate::collider::Attachment;
use crate::math::Transform;

impl Scene {
    /// A scene with nothing but a root.
    #[must_use]
    pub fn new() -> Self {
        Self {
            hierarchy: Hierarchy::new(),
            transforms: Transforms::default(),
            bodies: Bodies::default(),
            touches: Touches::default(),
            quarantined: Vec::new(),
            rides: SecondaryMap::new(),
            touched_nodes: Vec::new(),
            scratch: Scratch::default(),
            removed: false,
            edited: false,
        }
    }

    /// The node that everything is under. It has a transform like any other, but cannot be removed or moved under
    /// another.
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.hierarchy.root()
    }

    /// How many nodes there are, the root included.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.hierarchy.len()
    }

    /// How many colliders there are, disabled ones included.
    #[must_use]
    pub fn collider_count(&self) -> usize {
        self.bodies.len()
    }

    /// Adds a node under the root, as its last child.
    pub fn add(&mut self, node: Node) -> NodeId {
        match self.add_child(self.root(), node) {
            Ok(id) => id,
            Err(_) => unreachable!("the root is always there"),
        }
    }

    /// Adds a node under another, as its last child.
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the parent is not in the scene.
    pub fn add_child(&mut self, parent: NodeId, node: Node) -> Result<NodeId, SceneError> {
        self.hierarchy.insert(parent, node)
    }

    /// Adds a node with a collider on it under the root, as its last child. It has both ids, and cannot fail; for more
    /// colliders, [`attach`](Self::attach) them.
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
        (node, self.join(node, collider.into()))
    }

    /// Adds a node with a collider on it under another, as its last child.
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the parent is not in the scene. Nothing has been added then.
    pub fn add_child_with(
        &mut self,
        parent: NodeId,
        node: Node,
        collider: impl Into<Attachment>,
    ) -> Result<(NodeId, ColliderId), SceneError> {
        let node = self.add_child(parent, node)?;
        Ok((node, self.join(node, collider.into())))
    }

    /// Removes a node with its whole subtree and all colliders there, at once. What they touched is told as stopped by
    /// the next [`update`](Self::update). `false`, and nothing happens, for the root and for a node that is not in the
    /// scene.
    pub fn remove(&mut self, node: NodeId) -> bool {
        self.hierarchy.remove(node, |node, colliders| {
            self.transforms.forget(node);
            for collider in colliders {
                self.removed |= self.bodies.remove(*collider).is_some();
            }
        })
    }

    /// Removes every node but the root, and every collider. What touched is told as stopped by the next
    /// [`update`](Self::update). The memory is kept, to be filled again; [`shrink_to_fit`](Self::shrink_to_fit) gives
    /// it back.
    pub fn clear(&mut self) {
        // The last first: then what comes next has slots in the order in which it comes, as in a new scene.
        let mut nodes: Vec<NodeId> = self.descendants(self.root()).collect();
        nodes.sort_unstable();
        for node in nodes.into_iter().rev() {
            self.remove(node);
        }
        for collider in self.colliders(self.root()).to_vec() {
            self.detach(collider);
        }
    }

    /// Gives back the memory that is kept for use and not in use now, as after a level that was larger than the next.
    /// Nothing else changes. It costs about what placing everything anew does, and what is done next allocates again.
    ///
    /// To give back the most: [`clear`](Self::clear), [`update`](Self::update), which tells the last stops, and then
    /// this. What stays tells old ids from new ones: less than 200 bytes for each node and each collider of the most
    /// that there were at a time. Put `Scene::new()` in the scene's place if that is too much; it knows no old ids.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// for _ in 0..1_000 {
    ///     scene.add_with(Node::new("spark"), Circle::new(0.1));
    /// }
    /// scene.update();
    /// scene.clear();
    /// scene.update();
    /// scene.shrink_to_fit();
    /// ```
    #[doc(alias("free memory", "trim"))]
    pub fn shrink_to_fit(&mut self) {
        // Nothing waits to be placed after this, so no list names a slot that is given back.
        self.refresh();
        let slots = self.hierarchy.shrink_to_fit();
        self.transforms.shrink_to_fit(slots);
        self.bodies.shrink_to_fit();
        self.touches.shrink_to_fit();
        self.quarantined.shrink_to_fit();
        self.rides = self.rides.drain().filter(|(node, _)| self.hierarchy.contains(*node)).collect();
        self.touched_nodes = Vec::new();
        self.scratch = Scratch::default();
    }

    /// Moves a node under another, as its last child. Its local transform stays, so it may jump in the world.
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if one of them is not in the scene, [`SceneError::Root`] if the node is the root,
    /// [`SceneError::Cycle`] if the new parent is the node itself or below it. Nothing has changed then.
    #[doc(alias("reparent", "attach to"))]
    pub fn set_parent(&mut self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.hierarchy.set_parent(node, parent)
    }

    /// Moves a node under another, as its last child, where it stays in place: its local transform becomes the one
    /// that leaves its world transform as it was, to within a few units in the last place.
    ///
    /// # Errors
    /// As [`set_parent`](Self::set_parent), and [`SceneError::NotInvertible`] if the new parent flattens everything or
    /// either of the two is set aside. Nothing has changed then.
    pub fn set_parent_in_place(&mut self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.hierarchy.check_move(node, parent)?;
        self.refresh();
        let [world, above] =
            [node, parent].map(|node| self.transforms.world(node).ok_or(SceneError::NotInvertible(node)));
        let local = relative_to(above?, world?).ok_or(SceneError::NotInvertible(parent))?;
        self.hierarchy.set_parent(node, parent)?;
        self[node].transform = Transform::from_affine(local);
        Ok(())
    }

    /// The node, or `None` if it is not in the scene.
    #[must_use]
    pub fn get(&self, node: NodeId) -> Option<&Node> {
        self.hierarchy.node(node)
    }

    /// The node for changing, or `None` if it is not in the scene. It counts as moved, with its subtree, whether it is
    /// changed or not.
    #[must_use]
    pub fn get_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        self.hierarchy.node_mut(node)
    }

    /// Whether the node is in the scene.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.get(node).is_some()
    }

    /// The node above; `None` for the root and for a node that is not in the scene.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.hierarchy.parent(node)
    }

    /// The nodes right below, in the order in which they came; none for a node that is not in the scene.
    #[must_use]
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        self.hierarchy.children(node)
    }

    /// The nodes above, nearest first, up to the root; none for a node that is not in the scene.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.hierarchy.ancestors(node).skip(1)
    }

    /// Whether a node is somewhere below another. No node is below itself, nor is one that is not in the scene.
    #[must_use]
    pub fn is_descendant(&self, node: NodeId, above: NodeId) -> bool {
        node != above && self.hierarchy.is_within(node, above)
    }

    /// All nodes below, each before its own children, siblings in order; none for a node that is not in the scene.
    pub fn descendants(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.hierarchy.subtree(node).skip(1)
    }

    /// The node at a path of names from the root, as in `"knight/arm"`; among siblings of one name the first that leads
    /// on. `None` if there is none, and for an empty path. A name that contains a slash cannot be found this way.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<NodeId> {
        self.find_under(self.root(), path)
    }

    /// The same from another node, whose own name is not part of the path.
    #[must_use]
    pub fn find_under(&self, node: NodeId, path: &str) -> Option<NodeId> {
        let names: Vec<&str> = path.split('/').collect();
        // Depth first over (node, names matched), so that a dead end does not hide a namesake.
        let mut pending = vec![(node, 0)];
        while let Some((node, matched)) = pending.pop() {
            let Some(name) = names.get(matched) else { return Some(node) };
            let named = self.children(node).iter().rev().filter(|child| self[**child].name == *name);
            pending.extend(named.map(|child| (*child, matched + 1)));
        }
        None
    }

    /// The path that [`find`](Self::find) takes: the names from below the root to the node, joined by slashes. Empty
    /// for the root, `None` for a node that is not in the scene.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Option<String> {
        let mut names: Vec<&str> = self.hierarchy.ancestors(node).map(|node| self[node].name.as_ref()).collect();
        names.pop()?;
        names.reverse();
        Some(names.join("/"))
    }

    /// Puts a collider on a node. A node may carry any number; they never touch each other. For a new node with its
    /// first collider there is [`add_with`](Self::add_with).
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the node is not in the scene.
    pub fn attach(&mut self, node: NodeId, collider: impl Into<Attachment>) -> Result<ColliderId, SceneError> {
        if !self.contains(node) {
            return Err(SceneError::NodeNotFound(node));
        }
        Ok(self.join(node, collider.into()))
    }

    /// Puts a collider on a node that is in the scene.
    fn join(&mut self, node: NodeId, attachment: Attachment) -> ColliderId {
        let id = self.bodies.insert(node, attachment);
        self.hierarchy.attach(node, id);
        id
    }

    /// Takes a collider off its node and returns it; `None` if it is not in the scene. What it touched is told as
    /// stopped by the next [`update`](Self::update).
    pub fn detach(&mut self, collider: ColliderId) -> Option<Attachment> {
        let body = self.bodies.remove(collider)?;
        self.removed = true;
        self.hierarchy.detach(body.node, collider);
        Some(body.attachment)
    }

    /// Moves a collider to another node. It stays the same collider: a touch that goes on tells nothing.
    ///
    /// # Errors
    /// [`SceneError::ColliderNotFound`] or [`SceneError::NodeNotFound`] if one of them is not in the scene.
    pub fn move_collider(&mut self, collider: ColliderId, node: NodeId) -> Result<(), SceneError> {
        let body = self.bodies.body_mut(collider).ok_or(SceneError::ColliderNotFound(collider))?;
        if !self.hierarchy.contains(node) {
            return Err(SceneError::NodeNotFound(node));
        }
        let old = core::mem::replace(&mut body.node, node);
        self.hierarchy.detach(old, collider);
        self.hierarchy.attach(node, collider);
        self.bodies.touch(collider);
        self.edited = true;
        Ok(())
    }

    /// The collider with its settings, or `None` if it is not in the scene.
    #[must_use]
    pub fn attachment(&self, collider: ColliderId) -> Option<&Attachment> {
        self.bodies.body(collider).map(|body| &body.attachment)
    }

    /// The collider with its settings for changing, or `None` if it is not in the scene. It counts as changed, whether
    /// it is or not.
    #[must_use]
    pub fn attachment_mut(&mut self, collider: ColliderId) -> Option<&mut Attachment> {
        self.edited = true;
        self.bodies.attachment_mut(collider)
    }

    /// The colliders of a node, in the order in which they came; none for a node that is not in the scene.
    #[must_use]
    pub fn colliders(&self, node: NodeId) -> &[ColliderId] {
        self.hierarchy.colliders(node)
    }

    /// The node that carries a collider; `None` if that is not in the scene.
    #[must_use]
    pub fn node_of(&self, collider: ColliderId) -> Option<NodeId> {
        self.bodies.body(collider).map(|body| body.node)
    }
}

/// `world` as seen from under `above`, computed in `f64`. `None` if `above` has no inverse or the result overflows.
fn relative_to(above: Affine2, world: Affine2) -> Option<Affine2> {
    let matrix = above.matrix2.as_dmat2();
    let inverse = matrix.inverse();
    let matrix2 = inverse * world.matrix2.as_dmat2();
    let offset = world.translation.as_dvec2() - above.translation.as_dvec2();
    let local = Affine2 {
        matrix2: glam::Mat2::from_cols(matrix2.x_axis.as_vec2(), matrix2.y_axis.as_vec2()),
        translation: (inverse * offset).as_vec2(),
    };
    (matrix.determinant() != 0.0 && local.is_finite()).then_some(local)
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Index<NodeId> for Scene {
    type Output = Node;

    /// # Panics
    /// If the node is not in the scene; [`Scene::get`] tells instead.
    fn index(&self, node: NodeId) -> &Node {
        self.get(node).unwrap_or_else(|| panic!("{}", SceneError::NodeNotFound(node)))
    }
}

impl IndexMut<NodeId> for Scene {
    /// The node for changing; it counts as moved, with its subtree.
    ///
    /// # Panics
    /// If the node is not in the scene; [`Scene::get_mut`] tells instead.
    fn index_mut(&mut self, node: NodeId) -> &mut Node {
        self.get_mut(node).unwrap_or_else(|| panic!("{}", SceneError::NodeNotFound(node)))
    }
}
