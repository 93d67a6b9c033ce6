use glam::{Affine2, Vec2, Vec4};

use super::circle::FourCircles;
use super::error::{ShapeError, attempt, finite_point, or_panic, valid_size};
use super::meets::{FourOverlaps, Meets, mirror};
use super::segment::FourSegments;
use super::{Capsule, Circle, Segment};
use crate::geometry::sat::four::{FourAnswers, are_within, zonotopes_overlap};
use crate::geometry::sat::four_vectors::FourVectors;
use crate::geometry::sat::parallelograms::{self, Generators};
use crate::geometry::{Core, Disc, Hull, RoundedConvex};
use crate::math::tolerance::FAST_OVERLAP;
use crate::math::{Aabb, Checksum, Each, Transform};

/// A solid rectangle, stored as a centre and two half-axes, so that its affine image has the same form. A sheared
/// rectangle is a parallelogram; one with a size of 0 is a segment or a point.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/rect.svg"))]
///
/// ```
/// use hitgraph::{Circle, Meets, Rect};
/// use glam::vec2;
///
/// let door = Rect::new(1.0, 2.0).at(vec2(4.0, 1.0));
/// assert_eq!((door.center(), door.half_axes()), (vec2(4.0, 1.0), [vec2(0.5, 0.0), vec2(0.0, 1.0)]));
/// assert!(door.corners().contains(&vec2(4.5, 2.0)));
/// assert!(door.bounds().contains(vec2(3.5, 0.0)));
/// // An open door: it turns about its centre.
/// let open = door.rotated(std::f32::consts::FRAC_PI_2);
/// assert!(open.overlaps(&Circle::point(vec2(4.9, 1.0))) && !open.overlaps(&Circle::point(vec2(4.0, 2.0))));
///
/// assert!(Rect::try_new(1.0, -2.0).is_err());
/// assert_eq!(Rect::try_from_corners(vec2(3.5, 0.0), vec2(4.5, 2.0)), Ok(door));
/// assert_eq!(Rect::try_from_axes(door.half_axes()).map(|rect| rect.at(vec2(4.0, 1.0))), Ok(door));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("box", "cuboid", "AABB", "OBB", "parallelogram"))]
pub struct Rect {
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) center: Vec2,
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
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
        let (width, height) = (attempt!(valid_size("width", width)), attempt!(valid_size("height", height)));
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
        Self { center: self.center, ..self.image(&Transform::from_rotation(angle).to_affine()) }
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
        [x + y, y - x, -x - y, x - y].each(|corner| self.center + corner)
    }

    /// Returns the smallest box around the rectangle, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let reach = self.half_axes[0].abs() + self.half_axes[1].abs();
        Aabb::padded(self.center, -reach, reach)
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { center, half_axes } = self;
        sum.add_vec2(*center);
        half_axes.iter().for_each(|axis| sum.add_vec2(*axis));
    }

    /// Returns the image of the rectangle under an affine map.
    #[inline]
    pub(super) fn image(&self, by: &Affine2) -> Self {
        Self { center: by.transform_point2(self.center), half_axes: self.half_axes.each(|axis| by.matrix2 * axis) }
    }
}

impl RoundedConvex for Rect {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::parallelogram(self.half_axes), disc: Disc::NONE }
    }
}

/// Four rectangles, one per lane.
struct FourRects {
    center: FourVectors,
    half_axes: [FourVectors; 2],
}

impl FourRects {
    #[inline(always)]
    fn new(rects: [&Rect; 4]) -> Self {
        let half_axes = [0, 1].each(|axis| FourVectors::new(rects.each(|rect| rect.half_axes[axis])));
        Self { center: FourVectors::new(rects.each(|rect| rect.center)), half_axes }
    }

    /// Tests perpendicular rectangles against circles; others stay undecided. Clamps the centre of the circle to the
    /// rectangle, in multiples of the half-axes.
    #[inline(always)]
    fn overlap_circles(&self, circles: &FourCircles) -> FourAnswers {
        let (center, [a, b], reach) = (circles.center - self.center, self.half_axes, circles.radius);
        let (length_a, length_b) = (a.manhattan_length(), b.manhattan_length());
        let size = center.manhattan_length() + length_a + length_b + reach;
        let squares = [a.length_squared(), b.length_squared()];
        // In this order, the product of two large lengths does not overflow.
        let perpendicular = a.dot(b).abs().cmple(length_a * (0.5 * FAST_OVERLAP) * length_b).bitmask();
        let regular = perpendicular
            & squares[0].min(squares[1]).cmpgt(Vec4::splat(f32::MIN_POSITIVE)).bitmask()
            & squares[0].max(squares[1]).cmplt(Vec4::splat(f32::MAX)).bitmask();
        let coordinates = [(center.dot(a) / squares[0]).abs(), (center.dot(b) / squares[1]).abs()];
        let error = size * FAST_OVERLAP;
        let inside = coordinates.map(|along| (Vec4::ONE - along).max(Vec4::ZERO));
        let depth_squared = (inside[0] * inside[0] * squares[0]).min(inside[1] * inside[1] * squares[1]);
        let deep = depth_squared.cmpgt(error * error).bitmask();
        let beyond = coordinates.map(|along| (along - Vec4::ONE).max(Vec4::ZERO));
        // In this order, no product overflows unless the distance does.
        let distance_squared = beyond[0] * squares[0] * beyond[0] + beyond[1] * squares[1] * beyond[1];
        are_within(distance_squared, reach, size).or_overlapping(deep, regular)
    }

    /// Tests the rectangles against segments with their radii.
    #[inline(always)]
    fn overlap_segments(&self, segments: &FourSegments) -> FourAnswers {
        let (offset, [a, b]) = (segments.center - self.center, self.half_axes);
        let terms = offset.manhattan_length() + segments.terms;
        zonotopes_overlap(offset + segments.middle, terms, [a, b, segments.half], segments.radius)
    }
}

// The row of the pair table. Every contact is the default of `Meets`: by the closest features.
impl Meets<Circle> for Rect {
    /// Decides a pair like four pairs, or if the half-axes are not perpendicular, by the separating axis test.
    #[inline]
    fn fast_overlap(&self, circle: &Circle) -> Option<bool> {
        let one = FourRects::new([self; 4]).overlap_circles(&FourCircles::new([circle; 4])).answer(0);
        one.or_else(|| {
            let center = circle.center - self.center;
            parallelograms::overlaps(center, center.abs().element_sum(), Generators::new(self.half_axes), circle.radius)
        })
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Circle>> =
        Some(|rects, circles| FourRects::new(rects).overlap_circles(&FourCircles::new(circles)));
}

impl Meets<Segment> for Rect {
    #[inline]
    fn fast_overlap(&self, segment: &Segment) -> Option<bool> {
        self.fast_overlap(&Capsule::from(*segment))
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Segment>> =
        Some(|rects, segments| FourRects::new(rects).overlap_segments(&FourSegments::new(segments)));
}

impl Meets<Capsule> for Rect {
    #[inline]
    fn fast_overlap(&self, capsule: &Capsule) -> Option<bool> {
        let (middle, terms, half) = capsule.axis.relative_to(self.center);
        let [x, y] = self.half_axes;
        parallelograms::overlaps(middle, terms, Generators::new([x, y, half]), capsule.radius)
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Capsule>> =
        Some(|rects, capsules| FourRects::new(rects).overlap_segments(&FourSegments::of_capsules(capsules)));
}

impl Meets<Rect> for Rect {
    #[inline]
    fn fast_overlap(&self, other: &Rect) -> Option<bool> {
        let ([a, b], [c, d]) = (self.half_axes, other.half_axes);
        let offset = other.center - self.center;
        parallelograms::overlaps(offset, offset.abs().element_sum(), Generators::new([a, b, c, d]), 0.0)
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Rect>> = Some(|rects, others| {
        let (FourRects { center, half_axes: [a, b] }, other) = (FourRects::new(rects), FourRects::new(others));
        let (offset, [c, d]) = (other.center - center, other.half_axes);
        zonotopes_overlap(offset, offset.manhattan_length(), [a, b, c, d], Vec4::ZERO)
    });
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
    fn upright_boxes_that_touch_along_a_side_have_a_contact_of_two_points() {
        let (left, right) = (Rect::new(2.0, 2.0), Rect::new(2.0, 4.0).at(Vec2::new(2.0, 1.5)));
        let contact = left.contact(&right).unwrap();
        assert_eq!((contact.normal, contact.depth), (Vec2::X, 0.0));
        assert_eq!(contact.points(), [Vec2::new(1.0, -0.5), Vec2::new(1.0, 1.0)]);
        assert!(left.contact(&right.at(Vec2::new(2.0_f32.next_up(), 1.5))).is_none());
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
