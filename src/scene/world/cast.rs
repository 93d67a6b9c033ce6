//! Queries for what a shape hits that moves, and possibly turns.

use alloc::vec::Vec;

use glam::{Affine2, Vec2};

use crate::collider::{Collider, WorldCollider};
use crate::geometry::{MovingBox, TurningCast};
use crate::math::{Aabb, Motion, RigidMotion, keep_least, sort_by};
use crate::scene::{ColliderId, NodeCollider, QueryFilter, World};

/// A hit of a shape cast.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/shape_cast_hit.svg"))]
///
/// ```
/// use hitgraph::{Circle, Node, QueryFilter, Rect, Scene, ShapeCastHit};
/// use glam::{Affine2, vec2};
///
/// let mut scene = Scene::new();
/// let (wall, _) = scene.add_with(Node::new("wall").with_position(vec2(6.0, 0.0)), Rect::new(2.0, 8.0));
/// let (ball, at, all) = (Circle::new(1.0), Affine2::IDENTITY, QueryFilter::default());
/// let hit: ShapeCastHit = scene.world().cast_shape(&ball, &at, vec2(8.0, 0.0), &all).unwrap();
/// assert_eq!((hit.side.node, hit.fraction, hit.distance), (wall, 0.5, 4.0));
/// assert_eq!((hit.point, hit.normal), (vec2(5.0, 0.0), vec2(-1.0, 0.0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias("time of impact", "TOI"))]
pub struct ShapeCastHit {
    /// The collider that is hit.
    pub side: NodeCollider,
    /// The part of the motion up to the hit, from 0 to 1.
    pub fraction: f32,
    /// The length of the displacement up to the hit, in world units. A rotation adds nothing to it.
    pub distance: f32,
    /// The point of the hit, in world space, on the surface of the collider: the middle if two faces meet. If the two
    /// overlap at the start, it is the collider's point furthest along the normal.
    pub point: Vec2,
    /// A unit vector in world space: the outward normal of the collider, facing the shape. If the two overlap at the
    /// start, it is the direction of the shortest way out.
    pub normal: Vec2,
    /// The number of the collider's piece that is hit; 0 for a shape of one piece.
    pub piece: u32,
}

impl World<'_> {
    /// Returns the first hit of a shape that moves from `at`. Of several hits at one fraction it returns that of the
    /// smallest collider id. `at` is the shape's world transform and may be any affine map. `motion` is a displacement,
    /// or a [`Motion`] that also turns the shape; without a pivot, about the shape's origin, which is `at.translation`.
    /// A shape with an area passes through nothing, however far it moves and turns. A point, and a segment that moves
    /// along its own length, pass exactly between two pieces or colliders: they graze both.
    ///
    /// A collider that the shape touches at the start is hit at fraction 0 if a touching part of the shape approaches
    /// it, and not if the shape slides along it or leaves it. One that the shape overlaps by more than rounding is hit
    /// at fraction 0 for any motion. One that the shape only grazes on the way is not hit. A motion that is zero or not
    /// finite hits nothing.
    ///
    /// ```
    /// use hitgraph::{Circle, Motion, Node, QueryFilter, Rect, Scene};
    /// use glam::{Affine2, vec2};
    ///
    /// let mut scene = Scene::new();
    /// let (wall, _) = scene.add_with(Node::new("wall").with_position(vec2(10.0, 0.0)), Rect::new(2.0, 8.0));
    /// let (pinball, _) = scene.add_with(Node::new("pinball").with_position(vec2(2.0, 1.0)), Circle::new(0.5));
    ///
    /// let (ball, at, all) = (Circle::new(1.0), Affine2::from_translation(vec2(0.0, -2.0)), QueryFilter::default());
    /// let hit = scene.world().cast_shape(&ball, &at, vec2(16.0, 0.0), &all).unwrap();
    /// assert_eq!((hit.side.node, hit.fraction, hit.point), (wall, 0.5, vec2(9.0, -2.0)));
    ///
    /// // The arm of a flipper, 3 units long, turns up about its hinge at the origin.
    /// let (arm, at) = (Rect::new(3.0, 0.2), Affine2::from_translation(vec2(1.5, 0.0)));
    /// let flip = Motion::default().with_rotation(1.0).with_pivot(vec2(0.0, 0.0));
    /// let hit = scene.world().cast_shape(&arm, &at, flip, &all).unwrap();
    /// // The top of the arm, 0.1 above its middle, is then 0.5 from the middle of the pinball.
    /// let angle = 1.0_f32.atan2(2.0) - (0.6 / 5.0_f32.sqrt()).asin();
    /// assert!(hit.side.node == pinball && (hit.fraction - angle).abs() < 1e-6);
    /// ```
    ///
    /// # Shapes that turn
    /// A one-sided [`Polyline`](crate::Polyline) stops a shape that touches it from its front. It also stops a shape
    /// that has passed it from behind by more than a thousandth of the shape's size and turns back.
    ///
    /// No step of the search passes a touch, however fast the shape turns. The search follows a motion of many turns
    /// turn by turn, in at most 1024 steps for each pair of pieces. A shape that turns past a collider dozens of times
    /// may count as hitting it where the steps end, because the rest might contain a touch.
    ///
    /// Source: E. Catto, *Continuous Collision* (GDC 2013), with steps that follow the rotation along separating axes.
    #[must_use]
    #[doc(alias("sweep", "shape cast", "circle cast", "box cast", "rotating cast", "time of impact", "TOI"))]
    pub fn cast_shape(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        motion: impl Into<Motion>,
        filter: &QueryFilter,
    ) -> Option<ShapeCastHit> {
        let mut first: Option<ShapeCastHit> = None;
        self.each_cast_hit(shape, at, motion.into(), filter, &mut |hit| {
            keep_least(&mut first, hit, ShapeCastHit::rank);
            // A later visit may find a smaller id at the same fraction.
            first.map_or(1.0, |first| first.fraction.next_up().min(1.0))
        });
        first
    }

    /// Returns the hit of each collider, as if the others did not exist, by fraction and then by collider id. Otherwise
    /// it is like [`cast_shape`](Self::cast_shape).
    ///
    /// ```
    /// # use hitgraph::{Circle, Motion, Node, QueryFilter, Rect, Scene};
    /// # use glam::{Affine2, Vec2, vec2};
    /// # let mut scene = Scene::new();
    /// for at in [vec2(0.0, 2.0), vec2(-2.0, 0.0), vec2(0.0, -2.0)] {
    ///     scene.add_with(Node::new("orc").with_position(at), Circle::new(0.3));
    /// }
    /// // A sword swings by half a turn about the hand at the origin.
    /// let sword = Rect::new(2.0, 0.2).at(vec2(1.5, 0.0));
    /// let swing = Motion::default().with_rotation(std::f32::consts::PI).with_pivot(Vec2::ZERO);
    /// let hits = scene.world().cast_shape_all(&sword, &Affine2::IDENTITY, swing, &QueryFilter::default());
    /// assert_eq!(hits.len(), 2);
    /// ```
    #[must_use]
    pub fn cast_shape_all(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        motion: impl Into<Motion>,
        filter: &QueryFilter,
    ) -> Vec<ShapeCastHit> {
        let mut hits = Vec::new();
        self.cast_shape_all_into(shape, at, motion, filter, &mut hits);
        hits
    }

    /// Does the same as [`cast_shape_all`](Self::cast_shape_all) into a buffer, which it clears first.
    pub fn cast_shape_all_into(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        motion: impl Into<Motion>,
        filter: &QueryFilter,
        hits: &mut Vec<ShapeCastHit>,
    ) {
        hits.clear();
        self.each_cast_hit(shape, at, motion.into(), filter, &mut |hit| {
            hits.push(hit);
            1.0
        });
        sort_by(hits, |a, b| a.rank() < b.rank());
    }

    /// Visits the first hit of each collider in approximate order, up to the fraction that `visit` last returned.
    fn each_cast_hit(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        motion: Motion,
        filter: &QueryFilter,
        visit: &mut dyn FnMut(ShapeCastHit) -> f32,
    ) {
        WorldCollider::with(shape, at, |shape| {
            let Some(cast) = TurningCast::new(&motion, at.translation.as_dvec2()) else { return };
            let Some(bounds) = Some(shape.bounds()).filter(|bounds| bounds.is_finite()) else { return };
            let moving = MovingShape { shape, cast: &cast, bounds: cast.turned_bounds(bounds) };
            let target_at = self.targets(filter);
            self.scene.colliders.index.extended().cast_aabb(moving.bounds, motion.displacement, 1.0, |slot, limit| {
                let Some(target) = target_at(slot) else { return limit };
                let hit = moving.first_hit(&target, limit, || self.node_collider(slot));
                hit.map_or(limit, &mut *visit)
            });
        });
    }
}

/// The shape of a query with its motion.
struct MovingShape<'a> {
    shape: &'a WorldCollider<'a>,
    cast: &'a TurningCast,
    /// The box around the shape at the start, however it turns.
    bounds: Aabb,
}

impl MovingShape<'_> {
    /// Returns the first hit of a collider up to the fraction `limit`: of several pieces hit at once, that with the
    /// smallest number. `side` returns the ids of the collider.
    fn first_hit(
        &self,
        target: &WorldCollider<'_>,
        limit: f32,
        side: impl Fn() -> NodeCollider,
    ) -> Option<ShapeCastHit> {
        let displacement = self.cast.motion().displacement;
        let moving = || MovingBox::new(self.bounds, displacement, f64::from(limit));
        let (mut first, mut end): (Option<ShapeCastHit>, _) = (None, limit);
        let start_of = |bounds, limit| self.start_of(bounds, limit);
        self.shape.along(target, moving, &start_of, &mut |own, [_, piece], other, lets_through| {
            if let Some(touch) = self.cast.first_touch(own, other, f64::from(end), lets_through)
                && first.is_none_or(|first| (touch.fraction as f32, piece) < (first.fraction, first.piece))
            {
                first = Some(ShapeCastHit {
                    side: side(),
                    fraction: touch.fraction as f32,
                    distance: (touch.fraction * displacement.length()) as f32,
                    point: self.cast.meeting_point(own, other, &touch).as_vec2(),
                    normal: touch.normal.as_vec2(),
                    piece,
                });
                end = end.min((touch.fraction as f32).next_up());
            }
            f64::from(end)
        });
        first
    }

    /// Returns the region where the shape's box may begin if it touches this box later, up to the fraction `limit`.
    fn start_of(&self, bounds: Aabb, limit: f64) -> Aabb {
        match self.cast.motion() {
            RigidMotion { displacement, rotation: 0.0, .. } => bounds.swept_back((*displacement * limit).as_vec2()),
            _ => Aabb::EVERYTHING,
        }
    }
}

impl ShapeCastHit {
    /// Returns the key by which results are ordered.
    fn rank(&self) -> (f32, ColliderId) {
        (self.fraction, self.side.collider)
    }
}
