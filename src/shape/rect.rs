use glam::{Affine2, Vec2};

use super::error::{ShapeError, attempt, finite_point, or_panic, size};
use super::meets::{Meets, contact_by_features, mirror};
use super::{Capsule, Circle, Contact, Segment};
use crate::geometry::sat::parallelograms::{self, Generators};
use crate::geometry::sat::rounding::{is_within, manhattan_length};
use crate::geometry::{Core, Hull, RoundedConvex, Rounding, is_sliver};
use crate::math::tolerance::FAST_OVERLAP;
use crate::math::{Aabb, Transform};

/// A solid rectangle, stored as a centre and two half-axes, so that its affine image has the same form. A sheared
/// rectangle is a parallelogram; one with a size of 0 is a segment or a point.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/rect.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("box", "cuboid", "AABB", "OBB", "parallelogram"))]
pub struct Rect {
    pub(super) center: Vec2,
    pub(super) half_axes: [Vec2; 2],
}

impl Rect {
    /// Returns an upright rectangle around the origin with its full width and height in units.
    ///
    /// # Panics
    /// If a size is negative or not finite; [`try_new`](Self::try_new) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn new(width: f32, height: f32) -> Self {
        or_panic(Self::try_new(width, height))
    }

    /// Returns an upright rectangle around the origin with its full width and height in units.
    ///
    /// # Errors
    /// If a size is negative or not finite.
    pub const fn try_new(width: f32, height: f32) -> Result<Self, ShapeError> {
        let (width, height) = (attempt!(size("width", width)), attempt!(size("height", height)));
        Ok(Self { center: Vec2::ZERO, half_axes: [Vec2::new(width * 0.5, 0.0), Vec2::new(0.0, height * 0.5)] })
    }

    /// Returns the upright rectangle between two opposite corners, in any order.
    ///
    /// ```
    /// # use hitgraph::Rect;
    /// # use glam::vec2;
    /// let rect = Rect::from_corners(vec2(3.0, 1.0), vec2(1.0, 5.0));
    /// assert_eq!((rect.center(), rect.half_axes()), (vec2(2.0, 3.0), [vec2(1.0, 0.0), vec2(0.0, 2.0)]));
    /// ```
    ///
    /// # Panics
    /// If a coordinate is not finite; [`try_from_corners`](Self::try_from_corners) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn from_corners(a: Vec2, b: Vec2) -> Self {
        or_panic(Self::try_from_corners(a, b))
    }

    /// Returns the upright rectangle between two opposite corners, in any order.
    ///
    /// # Errors
    /// If a coordinate is not finite.
    pub fn try_from_corners(a: Vec2, b: Vec2) -> Result<Self, ShapeError> {
        let (a, b) = (finite_point("the first corner", a)?, finite_point("the second corner", b)?);
        // Halved first: the sum and the difference of huge coordinates would overflow.
        let half = (b * 0.5 - a * 0.5).abs();
        Ok(Self { center: a * 0.5 + b * 0.5, half_axes: [Vec2::new(half.x, 0.0), Vec2::new(0.0, half.y)] })
    }

    /// Returns the rectangle or parallelogram around the origin with these half-axes: the vectors from its centre to
    /// the middles of two neighbouring sides.
    ///
    /// ```
    /// # use hitgraph::Rect;
    /// # use glam::vec2;
    /// let rect = Rect::new(4.0, 2.0).at(vec2(1.0, 2.0)).rotated(0.5);
    /// assert_eq!(Rect::from_axes(rect.half_axes()).at(rect.center()), rect);
    /// ```
    ///
    /// # Panics
    /// If a coordinate is not finite; [`try_from_axes`](Self::try_from_axes) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn from_axes(half_axes: [Vec2; 2]) -> Self {
        or_panic(Self::try_from_axes(half_axes))
    }

    /// Returns the rectangle or parallelogram around the origin with these half-axes.
    ///
    /// # Errors
    /// If a coordinate is not finite.
    pub const fn try_from_axes([x, y]: [Vec2; 2]) -> Result<Self, ShapeError> {
        let x = attempt!(finite_point("the first half-axis", x));
        let y = attempt!(finite_point("the second half-axis", y));
        Ok(Self { center: Vec2::ZERO, half_axes: [x, y] })
    }

    /// Returns the rectangle with another centre.
    #[must_use]
    pub const fn at(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// Returns the rectangle rotated by an angle in radians, counter-clockwise with y up, about its centre.
    #[must_use]
    pub fn rotated(self, angle: f32) -> Self {
        let rotation = Transform::from_rotation(angle).to_affine().matrix2;
        Self { half_axes: self.half_axes.map(|axis| rotation * axis), ..self }
    }

    /// Returns the centre.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.center
    }

    /// Returns the vectors from the centre to the middles of two neighbouring sides.
    #[must_use]
    pub const fn half_axes(&self) -> [Vec2; 2] {
        self.half_axes
    }

    /// Returns the four corners in order, counter-clockwise unless the rectangle is mirrored.
    #[must_use]
    pub fn corners(&self) -> [Vec2; 4] {
        let [x, y] = self.half_axes;
        [x + y, y - x, -x - y, x - y].map(|corner| self.center + corner)
    }

    /// Returns the corners relative to the centre, counter-clockwise; `None` for a [sliver](is_sliver).
    pub(super) fn outline(&self) -> Option<[Vec2; 4]> {
        let [x, y] = self.half_axes;
        let y = if x.perp_dot(y) < 0.0 { -y } else { y };
        (!is_sliver([x, y])).then(|| [x + y, y - x, -x - y, x - y])
    }

    /// Returns the smallest box around the rectangle, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let reach = self.half_axes[0].abs() + self.half_axes[1].abs();
        Aabb::padded(self.center, -reach, reach)
    }

    /// Returns the image of the rectangle under an affine map.
    #[inline]
    pub(super) fn image(&self, by: &Affine2) -> Self {
        Self { center: by.transform_point2(self.center), half_axes: self.half_axes.map(|axis| by.matrix2 * axis) }
    }

    /// Returns whether a segment is within `reach`, `None` for a near tie.
    #[inline]
    fn is_near_segment(&self, segment: &Segment, reach: f32) -> Option<bool> {
        let (middle, terms, half) = segment.relative_to(self.center);
        let [x, y] = self.half_axes;
        parallelograms::overlaps(middle, terms, Generators::new([x, y, half]), reach)
    }
}

impl RoundedConvex for Rect {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::parallelogram(self.half_axes), rounding: Rounding::NONE }
    }
}

// The row of the pair table. Every contact is the default of `Meets`: by the closest features.
impl Meets<Circle> for Rect {
    /// Clamps the circle's centre to the rectangle, in multiples of the half-axes. If these are not perpendicular, the
    /// separating axis test decides.
    #[inline]
    fn fast_overlap(&self, circle: &Circle) -> Option<bool> {
        let (center, [a, b], reach) = (circle.center - self.center, self.half_axes, circle.radius);
        let size = manhattan_length(center) + manhattan_length(a) + manhattan_length(b) + reach;
        let squares = Vec2::new(a.length_squared(), b.length_squared());
        let perpendicular = a.dot(b).abs() <= 0.5 * FAST_OVERLAP * manhattan_length(a) * manhattan_length(b);
        if !(perpendicular & (squares.min_element() > f32::MIN_POSITIVE) & (squares.max_element() < f32::MAX)) {
            return parallelograms::overlaps(center, manhattan_length(center), Generators::new([a, b]), reach);
        }
        let coordinates = (Vec2::new(center.dot(a), center.dot(b)) / squares).abs();
        let error = size * FAST_OVERLAP;
        let inside = (Vec2::ONE - coordinates).max(Vec2::ZERO);
        let depth_squared = (inside * inside * squares).min_element();
        let beyond = (coordinates - Vec2::ONE).max(Vec2::ZERO);
        let distance_squared = (beyond * beyond).dot(squares);
        if depth_squared > error * error { Some(true) } else { is_within(distance_squared, reach, size) }
    }

    fn contact(&self, circle: &Circle) -> Option<Contact> {
        contact_by_features(self, circle)
    }
}

impl Meets<Segment> for Rect {
    #[inline]
    fn fast_overlap(&self, segment: &Segment) -> Option<bool> {
        self.is_near_segment(segment, 0.0)
    }

    fn contact(&self, segment: &Segment) -> Option<Contact> {
        contact_by_features(self, segment)
    }
}

impl Meets<Capsule> for Rect {
    #[inline]
    fn fast_overlap(&self, capsule: &Capsule) -> Option<bool> {
        self.is_near_segment(&capsule.axis, capsule.radius)
    }

    fn contact(&self, capsule: &Capsule) -> Option<Contact> {
        contact_by_features(self, capsule)
    }
}

impl Meets<Rect> for Rect {
    #[inline]
    fn fast_overlap(&self, other: &Rect) -> Option<bool> {
        let ([a, b], [c, d]) = (self.half_axes, other.half_axes);
        let offset = other.center - self.center;
        parallelograms::overlaps(offset, manhattan_length(offset), Generators::new([a, b, c, d]), 0.0)
    }

    fn contact(&self, other: &Rect) -> Option<Contact> {
        contact_by_features(self, other)
    }
}

mirror!(Rect: Circle, Segment, Capsule);

#[cfg(test)]
mod tests {
    use core::f32::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn a_rectangle_rotates_counter_clockwise_about_its_centre() {
        let rotated = Rect::new(4.0, 2.0).at(Vec2::ONE).rotated(FRAC_PI_2);
        let expected = [Vec2::new(0.0, 3.0), Vec2::new(0.0, -1.0), Vec2::new(2.0, -1.0), Vec2::new(2.0, 3.0)];
        for (corner, expected) in rotated.corners().into_iter().zip(expected) {
            assert!(corner.abs_diff_eq(expected, 1e-6), "{corner}, not {expected}");
        }
    }

    #[test]
    fn corners_of_any_order_and_size_make_a_finite_rectangle() {
        let expected = Rect::new(2.0, 4.0).at(Vec2::new(2.0, 3.0));
        for [x, y] in [[1.0, 1.0], [1.0, 5.0], [3.0, 1.0], [3.0, 5.0]] {
            assert_eq!(Rect::from_corners(Vec2::new(x, y), Vec2::new(4.0 - x, 6.0 - y)), expected);
        }
        let huge = Rect::from_corners(Vec2::splat(-f32::MAX), Vec2::splat(f32::MAX));
        assert_eq!((huge.center(), huge.half_axes()[0].x), (Vec2::ZERO, f32::MAX));
        assert!(Rect::try_from_corners(Vec2::NAN, Vec2::ONE).is_err());
    }
}
