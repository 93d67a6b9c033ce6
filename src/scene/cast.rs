//! Asking what a moving shape touches.

use alloc::vec::Vec;

use glam::{Affine2, DVec2, Vec2};

use super::{QueryFilter, Side, World};
use crate::collider::{Collider, Placed, Sealed};
use crate::shape::{Shape, Sweep, SweepTouch, family::Hull};

/// Where a moving shape touches a collider.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/shape_cast_hit.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("time of impact", "TOI"))]
pub struct ShapeCastHit {
    /// What is touched.
    pub side: Side,
    /// The part of the motion until then, from 0 to 1.
    pub fraction: f32,
    /// How far the shape has moved by then, in world units.
    pub distance: f32,
    /// Where they touch, in world space, on the surface of what is touched: the middle, if a face meets a face. Of what
    /// overlaps from the beginning, the point that is deepest in the shape.
    pub point: Vec2,
    /// Unit vector in world space, out of what is touched, facing the shape. Of what overlaps from the beginning, the
    /// shortest way out.
    pub normal: Vec2,
    /// Which piece of a collider of many; 0 for all others.
    pub piece: u32,
}

impl World<'_> {
    /// The first collider that a shape touches when it is moved from `at` by `motion`, the one with the smallest id if
    /// several are touched at once. `at` is the shape's world transform, turned, stretched or mirrored as you like; it
    /// keeps its turn on the way. However fast it moves, it passes through nothing.
    ///
    /// What it touches at the beginning it hits at fraction 0 if it approaches, and not at all if it slides along or
    /// leaves. What it overlaps deeper than by rounding, it hits at 0 whatever the direction. What it only brushes
    /// against on the way, without going into it, is not hit. A motion of zero or one that is not finite hits nothing.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, QueryFilter, Rect, Scene};
    /// use glam::{Affine2, vec2};
    ///
    /// let mut scene = Scene::new();
    /// let wall = scene.add(Node::new("wall").with_position(vec2(10.0, 0.0)));
    /// scene.attach(wall, Rect::new(2.0, 8.0)).unwrap();
    /// let (ball, at) = (Circle::new(1.0), Affine2::IDENTITY);
    /// let hit = scene.world().cast_shape(&ball, &at, vec2(16.0, 0.0), &QueryFilter::default()).unwrap();
    /// assert_eq!((hit.side.node, hit.fraction, hit.point), (wall, 0.5, vec2(9.0, 0.0)));
    /// ```
    #[must_use]
    #[doc(alias("sweep", "shape cast", "time of impact", "TOI", "circle cast", "box cast"))]
    pub fn cast_shape(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        motion: Vec2,
        filter: &QueryFilter,
    ) -> Option<ShapeCastHit> {
        let mut first: Option<ShapeCastHit> = None;
        self.each_cast_hit(shape, at, motion, filter, |hit| {
            if first.is_none_or(|first| hit.order(&first).is_lt()) {
                first = Some(hit);
            }
            // What is hit at the same time may have a smaller id.
            first.map_or(1.0, |first| first.fraction.next_up())
        });
        first
    }

    /// Every collider that a shape touches when it is moved from `at` by `motion`, as if the others were not there: by
    /// fraction, and by id where that is equal. For the rest as [`cast_shape`](Self::cast_shape).
    #[must_use]
    pub fn cast_shape_all(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        motion: Vec2,
        filter: &QueryFilter,
    ) -> Vec<ShapeCastHit> {
        let mut hits = Vec::new();
        self.cast_shape_all_into(shape, at, motion, filter, &mut hits);
        hits
    }

    /// The same into a buffer, which is emptied first. A polygon, or a shape that becomes a rounded one under `at`, is
    /// copied to the heap for it.
    pub fn cast_shape_all_into(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        motion: Vec2,
        filter: &QueryFilter,
        hits: &mut Vec<ShapeCastHit>,
    ) {
        hits.clear();
        self.each_cast_hit(shape, at, motion, filter, |hit| {
            hits.push(hit);
            1.0
        });
        hits.sort_unstable_by(ShapeCastHit::order);
    }

    /// Visits hits, one for each collider, about in their order, no further than `visit` returned last.
    fn each_cast_hit(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        motion: Vec2,
        filter: &QueryFilter,
        mut visit: impl FnMut(ShapeCastHit) -> f32,
    ) {
        let flat = shape.flat(Sealed).map(|local| local.transformed(at));
        let bounds = flat.as_ref().map_or_else(|| shape.bounds(at), Shape::bounds);
        let Some(sweep) = Sweep::new(DVec2::ZERO, motion.as_dvec2()).filter(|_| bounds.is_finite()) else { return };
        let mover = Placed { collider: shape, at, shape: flat.as_ref() };
        self.scene.bodies.index.along(bounds, motion, 1.0, |slot, limit| {
            let what = self.scene.bodies.slot(slot);
            if !self.accepts(what, filter) {
                return limit;
            }
            let Some(target) = self.scene.bodies.placed_at(slot) else { return limit };
            let mut first: Option<ShapeCastHit> = None;
            let (ray, reach) = sweep.of_box(bounds, f64::from(limit));
            mover.along(&target, &ray, reach, &mut |own, piece, other, limit| {
                if let Some(touch) = sweep.touch(own, other, limit)
                    && first.is_none_or(|first| (touch.fraction as f32, piece) < (first.fraction, first.piece))
                {
                    first = Some(ShapeCastHit::new(what.side(), piece, &sweep, [own, other], &touch));
                }
                first.map_or(limit, |first| limit.min(f64::from(first.fraction.next_up())))
            });
            first.map_or(limit, &mut visit)
        });
    }
}

impl ShapeCastHit {
    fn new(side: Side, piece: u32, sweep: &Sweep, [own, other]: [&Hull<'_>; 2], touch: &SweepTouch) -> Self {
        Self {
            side,
            fraction: touch.fraction as f32,
            distance: (touch.fraction * sweep.length) as f32,
            point: sweep.meeting(own, other, touch).point.as_vec2(),
            normal: touch.normal.as_vec2(),
            piece,
        }
    }

    fn order(&self, other: &Self) -> core::cmp::Ordering {
        self.fraction.total_cmp(&other.fraction).then(self.side.collider.cmp(&other.side.collider))
    }
}
