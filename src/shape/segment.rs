use glam::{Affine2, Vec2};

use super::Circle;
use super::Contact;
use super::error::{ShapeError, attempt, finite_point, or_panic};
use super::meets::{Meets, contact_by_features, mirror};
use crate::geometry::sat::parallelograms::{self, Generators};
use crate::geometry::sat::rounding::{is_within, manhattan_length};
use crate::geometry::{Core, Hull, RoundedConvex, Rounding};
use crate::math::{Aabb, Transform};

/// A straight line between two points, without thickness. With equal ends it is a point.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/segment.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("line", "edge"))]
pub struct Segment {
    pub(super) center: Vec2,
    /// The ends relative to the centre. Stored instead of a half-axis so that segments that share an end keep sharing
    /// it exactly.
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
        let rotation = Transform::from_rotation(angle).to_affine().matrix2;
        Self { ends: self.ends.map(|end| rotation * end), ..self }
    }

    /// Returns the two ends, in the order in which they were given.
    #[must_use]
    pub fn ends(&self) -> [Vec2; 2] {
        self.ends.map(|end| self.center + end)
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

    /// Returns the image of the segment under an affine map.
    #[inline]
    pub(super) fn image(&self, by: &Affine2) -> Self {
        Self { center: by.transform_point2(self.center), ends: self.ends.map(|end| by.matrix2 * end) }
    }

    /// Returns the middle relative to another centre, the sum of the absolute values that it was computed from, and the
    /// half-axis.
    #[inline]
    pub(super) fn relative_to(&self, other: Vec2) -> (Vec2, f32, Vec2) {
        let [a, b] = self.ends;
        let offset = self.center - other;
        let terms = manhattan_length(offset) + manhattan_length(a) + manhattan_length(b);
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
        Hull { center: self.center, core: Core::segment(self.ends), rounding: Rounding::NONE }
    }
}

// The row of the pair table. Every contact is the default of `Meets`: by the closest features.
impl Meets<Circle> for Segment {
    #[inline]
    fn fast_overlap(&self, circle: &Circle) -> Option<bool> {
        self.is_near_point(circle.center, circle.radius)
    }

    fn contact(&self, circle: &Circle) -> Option<Contact> {
        contact_by_features(self, circle)
    }
}

impl Meets<Segment> for Segment {
    #[inline]
    fn fast_overlap(&self, other: &Segment) -> Option<bool> {
        self.is_near_segment(other, 0.0)
    }

    fn contact(&self, other: &Segment) -> Option<Contact> {
        contact_by_features(self, other)
    }
}

mirror!(Segment: Circle);
