use glam::Vec2;

use super::moved::MoveHit;
use super::mover::Mover;
use crate::scene::{NodeId, QueryFilter, World};

impl World<'_> {
    /// Returns the first collider that would block a node on a displacement, by the rules of a
    /// [move](crate::Scene::move_and_collide): the node's solid colliders are cast as they are, and its owner, its
    /// riders, ignored pairs, sensors and one-way surfaces that would let it pass do not count. Nothing moves, so the parent
    /// needs no inverse.
    ///
    /// A hit has the fraction of the displacement at which the shapes themselves touch, because a cast keeps no skin. A
    /// node that touches or overlaps something hits it at fraction 0 if the displacement leads further in. Returns
    /// `None` if nothing blocks, if the displacement is zero or not finite, and for a node that is not in the scene, has
    /// no enabled solid collider or is not finite.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, QueryFilter, Rect, Scene};
    /// use glam::{Vec2, vec2};
    ///
    /// let mut scene = Scene::new();
    /// let wall = scene.add_with(Node::new("wall").with_position(vec2(2.0, 0.0)), Rect::new(1.0, 4.0)).0;
    /// let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.95, 0.0)), Circle::new(0.5));
    /// // He can jump off a wall if one is next to him.
    /// let world = scene.world();
    /// let next_to = |side: Vec2| world.cast_node(hero, side * 0.1, &QueryFilter::default());
    /// assert_eq!(next_to(Vec2::X).map(|hit| (hit.side.node, hit.normal)), Some((wall, -Vec2::X)));
    /// assert_eq!(next_to(-Vec2::X), None);
    /// ```
    #[doc(alias("test_move", "wall check", "probe"))]
    #[must_use]
    pub fn cast_node(self, node: NodeId, displacement: Vec2, filter: &QueryFilter) -> Option<MoveHit> {
        self.node(node)?;
        let touch = Mover::new(self, node, filter, 0.0).first_touch(displacement.as_dvec2(), 1.0, |_| true)?;
        Some(touch.hit(self, touch.fraction))
    }
}
