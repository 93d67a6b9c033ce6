use glam::{Affine2, Vec2, Vec4};

use super::Circle;
use super::circle::FourCircles;
use super::error::{ShapeError, attempt, finite_point, or_panic};
use super::meets::{FourOverlaps, Meets, mirror};
use crate::geometry::sat::four::{FourAnswers, are_within, zonotopes_overlap};
use crate::geometry::sat::four_vectors::FourVectors;
use crate::geometry::sat::parallelograms::{self, Generators};
use crate::geometry::sat::rounding::is_within;
use crate::geometry::{Core, Disc, Hull, RoundedConvex};
use crate::math::{Aabb, Checksum, Each, Transform};

/// A straight line between two points, without thickness. With equal ends it is a point.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/segment.svg"))]
///
/// ```
/// use hitgraph::{Circle, Meets, Segment};
/// use glam::vec2;
///
/// let wire = Segment::new(vec2(-1.0, 0.0), vec2(1.0, 0.0)).at(vec2(5.0, 2.0));
/// assert_eq!(wire.ends(), [vec2(4.0, 2.0), vec2(6.0, 2.0)]);
/// assert_eq!((wire.origin(), wire.offsets()[1]), (vec2(5.0, 2.0), vec2(1.0, 0.0)));
/// assert!(wire.bounds().contains(vec2(6.0, 2.0)));
/// let upright = wire.rotated(std::f32::consts::FRAC_PI_2);
/// assert!(upright.distance(&Circle::point(vec2(5.0, 3.0))) < 1e-6);
/// assert!(Segment::try_new(vec2(f32::NAN, 0.0), vec2(1.0, 0.0)).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("line", "edge"))]
pub struct Segment {
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) center: Vec2,
    /// The ends relative to the centre. Stored instead of a half-axis so that segments that share an end keep sharing
    /// it exactly.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) ends: [Vec2; 2],
}

impl Segment {
    /// Returns the segment between two points.
    ///
    /// # Panics
    /// If a coordinate is not finite; [`try_new`](Self::try_new) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn new(a: Vec2, b: Vec2) -> Self {
        or_panic(Self::try_new(a, b))
    }

    /// Returns the segment between two points.
    ///
    /// # Errors
    /// If a coordinate is not finite.
    pub const fn try_new(a: Vec2, b: Vec2) -> Result<Self, ShapeError> {
        Ok(Self::unchecked([attempt!(finite_point("the start", a)), attempt!(finite_point("the end", b))]))
    }

    /// Returns the segment between two finite points.
    pub(crate) const fn unchecked(ends: [Vec2; 2]) -> Self {
        Self { center: Vec2::ZERO, ends }
    }

    /// Returns the segment with its [origin](Self::origin) at another position. A new segment has its origin at zero,
    /// so this moves it by `position`.
    #[must_use]
    pub const fn at(self, position: Vec2) -> Self {
        Self { center: position, ..self }
    }

    /// Returns the segment rotated by an angle in radians, counter-clockwise with y up, about its
    /// [origin](Self::origin).
    #[must_use]
    pub fn rotated(self, angle: f32) -> Self {
        Self { center: self.center, ..self.image(&Transform::from_rotation(angle).to_affine()) }
    }

    /// Returns the two ends, in the order in which they were given.
    #[must_use]
    pub fn ends(&self) -> [Vec2; 2] {
        self.ends.each(|end| self.center + end)
    }

    /// Returns the point that [`at`](Self::at) sets and [`rotated`](Self::rotated) rotates about.
    ///
    /// `Segment::new(a, b).at(segment.origin())` with `[a, b] = segment.offsets()` is the same segment to the bit.
    #[must_use]
    pub const fn origin(&self) -> Vec2 {
        self.center
    }

    /// Returns the two ends relative to the [origin](Self::origin).
    #[must_use]
    pub const fn offsets(&self) -> [Vec2; 2] {
        self.ends
    }

    /// Returns the smallest box around the segment, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let [a, b] = self.ends;
        let Aabb { min, max } = Aabb::new(a, b);
        Aabb::padded(self.center, min, max)
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { center, ends } = self;
        sum.add_vec2(*center);
        ends.iter().for_each(|end| sum.add_vec2(*end));
    }

    /// Returns the image of the segment under an affine map.
    #[inline]
    pub(super) fn image(&self, by: &Affine2) -> Self {
        Self { center: by.transform_point2(self.center), ends: self.ends.each(|end| by.matrix2 * end) }
    }

    /// Returns the middle relative to another centre, the sum of the absolute values that it was computed from, and the
    /// half-axis.
    #[inline]
    pub(super) fn relative_to(&self, other: Vec2) -> (Vec2, f32, Vec2) {
        let [a, b] = self.ends;
        let offset = self.center - other;
        let terms = offset.abs().element_sum() + a.abs().element_sum() + b.abs().element_sum();
        (offset + (a + b) * 0.5, terms, (b - a) * 0.5)
    }

    /// Returns whether a point is within `reach`, `None` for a near tie.
    #[inline]
    pub(super) fn is_near_point(&self, point: Vec2, reach: f32) -> Option<bool> {
        let (middle, terms, half) = self.relative_to(point);
        let length_squared = half.length_squared().max(f32::MIN_POSITIVE);
        let t = (middle.dot(half) / length_squared).clamp(-1.0, 1.0);
        is_within((middle - half * t).length_squared(), reach, terms + reach)
    }

    /// Returns whether another segment is within `reach`, `None` for a near tie.
    #[inline]
    pub(super) fn is_near_segment(&self, other: &Segment, reach: f32) -> Option<bool> {
        let (middle, terms, half) = self.relative_to(other.center);
        let (other_middle, other_terms, other_half) = other.relative_to(other.center);
        let generators = Generators::new([half, other_half]);
        parallelograms::overlaps(middle - other_middle, terms + other_terms, generators, reach)
    }
}

impl RoundedConvex for Segment {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::segment(self.ends), disc: Disc::NONE }
    }
}

/// Four segments, or the axes of four capsules, one per lane.
pub(super) struct FourSegments {
    pub(super) center: FourVectors,
    /// The middle relative to the centre.
    pub(super) middle: FourVectors,
    pub(super) half: FourVectors,
    /// The sum of the absolute values that the middle was computed from.
    pub(super) terms: Vec4,
    pub(super) radius: Vec4,
}

impl FourSegments {
    #[inline(always)]
    pub(super) fn new(segments: [&Segment; 4]) -> Self {
        let [first, second] = [0, 1].each(|end| FourVectors::new(segments.each(|segment| segment.ends[end])));
        let half = Vec4::splat(0.5);
        Self {
            center: FourVectors::new(segments.each(|segment| segment.center)),
            middle: (first + second) * half,
            half: (second - first) * half,
            terms: first.manhattan_length() + second.manhattan_length(),
            radius: Vec4::ZERO,
        }
    }

    /// Tests the segments with their radii against circles.
    #[inline(always)]
    pub(super) fn overlap_circles(&self, circles: &FourCircles) -> FourAnswers {
        let (offset, reach) = (self.center - circles.center, self.radius + circles.radius);
        let middle = offset + self.middle;
        let t = (middle.dot(self.half) / self.half.normal_length_squared()).max(Vec4::NEG_ONE).min(Vec4::ONE);
        let distance_squared = (middle - self.half * t).length_squared();
        are_within(distance_squared, reach, offset.manhattan_length() + self.terms + reach)
    }

    /// Tests the segments with their radii against each other.
    #[inline(always)]
    pub(super) fn overlap_segments(&self, others: &Self) -> FourAnswers {
        let offset = self.center - others.center;
        let terms = offset.manhattan_length() + self.terms + others.terms;
        let middle = offset + self.middle - others.middle;
        zonotopes_overlap(middle, terms, [self.half, others.half], self.radius + others.radius)
    }
}

// The row of the pair table. Every contact is the default of `Meets`: by the closest features.
impl Meets<Circle> for Segment {
    #[inline]
    fn fast_overlap(&self, circle: &Circle) -> Option<bool> {
        self.is_near_point(circle.center, circle.radius)
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Circle>> =
        Some(|segments, circles| FourSegments::new(segments).overlap_circles(&FourCircles::new(circles)));
}

impl Meets<Segment> for Segment {
    #[inline]
    fn fast_overlap(&self, other: &Segment) -> Option<bool> {
        self.is_near_segment(other, 0.0)
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Segment>> =
        Some(|segments, others| FourSegments::new(segments).overlap_segments(&FourSegments::new(others)));
}

mirror!(Segment: Circle);
