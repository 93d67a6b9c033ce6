//! Shape casts: the fraction of a displacement at which a shape first touches another.
//!
//! A shape `A` that moves along a path touches `B` when the path enters the Minkowski difference `B - A`. If the discs
//! of the two shapes sum to an affine disc, the difference is again a polygon plus an affine disc, and the cast is a
//! ray against it: a closed form, however long the path is. Other pairs take conservative
//! [advancement](super::advancement).

use glam::{DMat2, DVec2};

use super::advancement::advance;
use super::cast_touch::Entry;
use super::difference_outline::difference_outline;
use super::difference_sides::{any_side, enter_side, has_area, rounding_of_height};
use super::parallelogram_cast::ParallelogramDifference;
use super::separation::{Frame, Separation};
use super::{
    CastTouch, Core, Disc, Hull, Points, Ray, separation_after, touching_depth, touching_depth_after_move, with_points,
};
use crate::math::tolerance::{GRAZING_SINE, INPUT_ROUNDING};

/// A displacement along which a shape is cast against others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShapeCast {
    /// The vector from the shape's own position to the start of the cast.
    pub(crate) start: DVec2,
    /// The displacement.
    pub(crate) displacement: DVec2,
    /// The length of the displacement.
    pub(crate) length: f64,
    /// The depth up to which two overlapping shapes count as touching.
    touching_depth: fn(&Hull<'_>, &Hull<'_>) -> f64,
}

impl ShapeCast {
    /// Returns `None` if the displacement is zero, or a vector is not finite.
    pub(crate) fn new(start: DVec2, displacement: DVec2) -> Option<Self> {
        let length = displacement.length();
        let is_valid = start.is_finite() && length.is_finite() && length > 0.0;
        is_valid.then_some(Self { start, displacement, length, touching_depth })
    }

    /// Returns the same cast for a shape whose position was rounded by its last move.
    pub(crate) fn after_move(self) -> Self {
        Self { touching_depth: touching_depth_after_move, ..self }
    }

    /// Returns the displacement at a fraction, from the shape's own position.
    pub(crate) fn at(&self, fraction: f64) -> DVec2 {
        self.start + self.displacement * fraction
    }

    /// Returns the first touch of `moving` and `target` up to the fraction `limit`.
    ///
    /// If the shapes touch at the start, the touch has fraction 0 if they approach; if they overlap, always. A shape
    /// that the moving shape slides along or grazes without entering it is not touched.
    pub(crate) fn first_touch(&self, moving: &Hull<'_>, target: &Hull<'_>, limit: f64) -> Option<CastTouch> {
        let touch = self.first_entry(moving, target, limit)?;
        if touch.fraction > 0.0 && -self.displacement.dot(touch.normal) < self.length * GRAZING_SINE {
            // A path that misses the target if it is a rounding further away does not enter it.
            let rounding = Frame::new(moving, target, self.start).tolerance;
            let beside = Self { start: self.start + touch.normal * (2.0 * rounding), ..*self };
            beside.first_entry(moving, target, f64::INFINITY)?;
        }
        Some(touch)
    }

    /// Returns the same touch, or one of a path that enters the target by rounding alone.
    fn first_entry(&self, moving: &Hull<'_>, target: &Hull<'_>, limit: f64) -> Option<CastTouch> {
        let origin = moving.center.as_dvec2() - target.center.as_dvec2() + self.start;
        let ray = Ray { origin, direction: self.displacement, length: limit };
        match moving.disc.plus(&target.disc) {
            Some(Disc::Circle(radius)) => self.enter(moving, target, &ray, radius),
            Some(Disc::Ellipse(matrix)) => self.enter_mapped(moving, target, &ray, matrix),
            _ => self.advance(moving, target, limit),
        }
    }

    /// Casts against the difference of two shapes whose discs are round.
    fn enter(&self, moving: &Hull<'_>, target: &Hull<'_>, ray: &Ray, radius: f64) -> Option<CastTouch> {
        // Most pairs are of two parallelograms, and only casts that start inside need more. Without this, a step on a
        // floor of boxes (W7 of `benches/peers`) takes a quarter more instructions.
        if let (Core::Parallelogram(a), Core::Parallelogram(b)) = (&moving.core, &target.core)
            && radius > 0.0
        {
            match ParallelogramDifference::new(a, b).enter(ray, radius) {
                Entry::Never => return None,
                Entry::At(touch) => return self.approaching(touch).filter(|touch| touch.fraction <= ray.length),
                Entry::Unclear => {}
            }
        }
        with_points!(&moving.core, a => with_points!(&target.core, b => {
            if radius == 0.0 && has_area(a, b, ray.origin) {
                return self.enter_polygon(a, b, ray, (self.touching_depth)(moving, target));
            }
            let touch = enter_difference(a, b, ray, radius)?;
            if touch.fraction == 0.0 { self.check_start(moving, target, ray.length) } else { self.approaching(touch) }
        }))
    }

    /// Casts against the difference of two polygons, which has an area. The path is inside it from the fraction at
    /// which it is behind all sides until it leaves the first of them. A path along a side or through a corner is never
    /// inside.
    ///
    /// Source: M. Cyrus, J. Beck, *Generalized two- and three-dimensional clipping* (1978).
    fn enter_polygon(&self, a: impl Points, b: impl Points, ray: &Ray, touching_depth: f64) -> Option<CastTouch> {
        let mut entry = CastTouch { fraction: f64::NEG_INFINITY, normal: DVec2::ZERO };
        let mut exit = f64::INFINITY;
        let (mut shallowest, mut shallowest_normal) = (f64::NEG_INFINITY, DVec2::ZERO);
        // A segment that moves along itself only slides along what it touches at the start. It must not slip between two
        // targets that share a corner.
        let moves_along_itself = || {
            let (_, edge) = a.edge(0);
            a.count() == 2 && edge.perp_dot(ray.direction).abs() <= edge.length() * self.length * INPUT_ROUNDING
        };
        let mut slides = false;
        let passes_by = any_side(a, b, ray.origin, |outward, height| {
            let length = outward.length();
            let (height, approach) = (height / length, -ray.direction.dot(outward) / length);
            if height > -touching_depth && approach <= self.length * INPUT_ROUNDING {
                if height >= 0.0 || !moves_along_itself() {
                    return true;
                }
                slides = true;
            }
            if height > shallowest {
                (shallowest, shallowest_normal) = (height, outward / length);
            }
            let fraction = height / approach;
            if approach < 0.0 {
                exit = exit.min(fraction);
            } else if approach > 0.0 && fraction > entry.fraction {
                entry = CastTouch { fraction, normal: outward / length };
            }
            false
        });
        let starts_inside = entry.fraction <= 0.0;
        if passes_by || slides && starts_inside {
            return None;
        }
        if starts_inside {
            return Some(CastTouch { fraction: 0.0, normal: shallowest_normal });
        }
        let is_inside = (exit - entry.fraction) * self.length > rounding_of_height(a, b, ray.origin);
        (is_inside && entry.fraction <= ray.length).then_some(entry)
    }

    /// Casts against the difference of two shapes whose discs sum to an ellipse.
    fn enter_mapped(&self, moving: &Hull<'_>, target: &Hull<'_>, ray: &Ray, matrix: DMat2) -> Option<CastTouch> {
        let outline = with_points!(&moving.core, a => with_points!(&target.core, b => difference_outline(a, b)));
        match ray.enter_mapped(&outline, matrix) {
            Entry::Never => None,
            Entry::At(touch) if touch.fraction == 0.0 => self.check_start(moving, target, ray.length),
            Entry::At(touch) => self.approaching(touch),
            Entry::Unclear => self.advance(moving, target, ray.length),
        }
    }

    /// Casts against a shape by the support functions alone.
    fn advance(&self, moving: &Hull<'_>, target: &Hull<'_>, limit: f64) -> Option<CastTouch> {
        let Frame { offset, tolerance, .. } = Frame::new(moving, target, self.start);
        let slowest = self.length * INPUT_ROUNDING;
        let touch = advance([moving, target], offset, self.displacement, tolerance, slowest, limit)?;
        if touch.fraction == 0.0 {
            return self.touch_at_start(moving, target, &separation_after(moving, target, self.start));
        }
        Some(touch)
    }

    /// Casts shapes that a closed form counts as touching at the start, after a check that they do: beyond the tip of a
    /// sliver they may be apart.
    fn check_start(&self, moving: &Hull<'_>, target: &Hull<'_>, limit: f64) -> Option<CastTouch> {
        let apart = separation_after(moving, target, self.start);
        if apart.touches() { self.touch_at_start(moving, target, &apart) } else { self.advance(moving, target, limit) }
    }

    /// Returns the touch of shapes that touch or overlap at the start.
    fn touch_at_start(&self, moving: &Hull<'_>, target: &Hull<'_>, apart: &Separation) -> Option<CastTouch> {
        let touch = CastTouch { fraction: 0.0, normal: -apart.normal };
        if apart.gap < -(self.touching_depth)(moving, target) { Some(touch) } else { self.approaching(touch) }
    }

    /// Returns a touch unless the displacement leads away from the target or along it.
    fn approaching(&self, touch: CastTouch) -> Option<CastTouch> {
        (-self.displacement.dot(touch.normal) > self.length * INPUT_ROUNDING).then_some(touch)
    }
}

/// Returns the touch at which a ray enters the difference `b - a`, enlarged by a disc.
fn enter_difference(a: impl Points, b: impl Points, ray: &Ray, radius: f64) -> Option<CastTouch> {
    let entry = if radius > 0.0 { enter_side(a, b, ray, radius) } else { Entry::Unclear };
    match entry {
        Entry::Never => None,
        Entry::At(touch) => (touch.fraction <= ray.length).then_some(touch),
        // Nothing has to be built for a point.
        Entry::Unclear if a.count() == 1 => Ray { origin: ray.origin + a.point(0), ..*ray }.enter_rounded(b, radius),
        Entry::Unclear => ray.enter_rounded(&difference_outline(a, b), radius),
    }
}
