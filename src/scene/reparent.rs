//! Edits of the place of a node: its parent, its world transform, and its position among its siblings.

use glam::{Affine2, DMat2, Vec2};

use super::{NodeId, Scene, SceneError, World, slot_of};
use crate::math::Transform;

impl Scene {
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

    /// Prepares for another parent of a node, with the same local transform: a mover that this moves forgets its sides and
    /// its platform.
    fn forget_if_teleported(&mut self, node: NodeId, parent: NodeId) {
        if !self.movers.contains_key(node) {
            return;
        }
        let world = self.world();
        let old = world.parent(node).and_then(|parent| world.transform(parent));
        if old != world.transform(parent)
            && let Some(memory) = self.movers.get_mut(node)
        {
            memory.forget_place();
        }
    }

    fn reparent(&mut self, node: NodeId, parent: NodeId) {
        if self.parent(node) != Some(parent) {
            self.rebase_rides(node, parent);
        }
        self.hierarchy.set_parent(node, parent);
        self.transforms.forget_plain(slot_of(node));
        self.changes.node_changed(slot_of(node));
    }

    /// Makes a node the last child of another and keeps its world transform: computes the local transform that gives
    /// the same world transform up to the `f32` rounding of the local one, which a distant or strongly skewed parent
    /// enlarges. The signs of the node's scale stay, unless its skew is beyond a right angle, or the new parent is mirrored
    /// and the old one is not, or the other way round; then only `scale.y` may be negative. A part of the scale that is 0,
    /// as in an animation that flips a card, stays 0; rotation and skew are those of the node at another scale. A child of
    /// that parent keeps its local transform.
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
    /// If the new parent [owns its subtree](crate::Node::owns_subtree), the colliders of the node get its owner and no
    /// longer touch it: this pirate falls through a deck of the ship unless he has `owns_subtree` too.
    ///
    /// # Errors
    /// Those of [`set_parent`](Self::set_parent); for a parent that the node does not have yet,
    /// [`SceneError::NotInvertible`] if the parent's world transform has no inverse or is not finite, and
    /// [`SceneError::NotFinite`] if that of the node is not finite or the local transform overflows. Nothing changes then.
    pub fn set_parent_in_place(&mut self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.hierarchy.check_move(node, parent)?;
        self.refresh();
        let local = self.transform_in_place(node, parent)?;
        let is_remembered = self.memory_of(node).is_some();
        self.reparent(node, parent);
        self[node].transform = local;
        if let Some(memory) = self.movers.get_mut(node).filter(|_| is_remembered) {
            // It is at the same place in the world.
            memory.position = local.position;
        }
        Ok(())
    }

    /// Returns the local transform with which a node keeps its world transform below a parent, as of the last refresh.
    fn transform_in_place(&self, node: NodeId, parent: NodeId) -> Result<Transform, SceneError> {
        let old = self[node].transform;
        if self.parent(node) == Some(parent) {
            return Ok(old);
        }
        let world_of = |node| self.transforms.world(slot_of(node)).unwrap_or(Affine2::NAN);
        let flat = old.scale.cmpeq(Vec2::ZERO);
        if !flat.any() {
            return self.local_transform(node, Some(parent), world_of(node), &old);
        }
        // The world transform has lost the direction of an axis of length 0.
        let full = Transform { scale: Vec2::select(flat, Vec2::ONE, old.scale), ..old };
        let above = self.parent(node).map_or(Affine2::IDENTITY, world_of);
        let local = self.local_transform(node, Some(parent), above * full.to_affine(), &full)?;
        Ok(Transform { scale: Vec2::select(flat, Vec2::ZERO, local.scale), ..local })
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
    /// [`SceneError::NodeNotFound`] if the node is not in the scene, [`SceneError::NotInvertible`] if the world transform of
    /// the node's parent has no inverse or is not finite, or the inverse overflows, and [`SceneError::NotFinite`] if the
    /// position is not finite or the local one overflows. Nothing changes then.
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
        self.local_transform(node, self.parent(node), world, &self[node].transform)
    }

    /// Returns the local transform that gives a node a world transform below a parent, as of the last refresh, with the signs
    /// of the scale of `old`. The root is below nothing.
    fn local_transform(
        &self,
        node: NodeId,
        parent: Option<NodeId>,
        world: Affine2,
        old: &Transform,
    ) -> Result<Transform, SceneError> {
        let view = World::new(self);
        let frame = |parent| view.position(parent).zip(view.inverse(parent)).ok_or(SceneError::NotInvertible(parent));
        let (origin, inverse) = parent.map_or(Ok((Vec2::ZERO, DMat2::IDENTITY)), frame)?;
        // Computed in `f64`.
        let matrix2 = (inverse * world.matrix2.as_dmat2()).as_mat2();
        let translation = (inverse * (world.translation.as_dvec2() - origin.as_dvec2())).as_vec2();
        let local = Transform::from_affine_like(Affine2 { matrix2, translation }, old);
        Some(local).filter(|local| local.is_finite()).ok_or(SceneError::NotFinite(node))
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
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::Node;
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
