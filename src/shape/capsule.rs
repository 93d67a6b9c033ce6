use glam::{Vec2, Vec4};

use super::circle::FourCircles;
use super::error::{ShapeError, attempt, or_panic, valid_size};
use super::meets::{FourOverlaps, Meets, mirror};
use super::segment::FourSegments;
use super::{Circle, Segment};
use crate::geometry::{Core, Disc, Hull, RoundedConvex};
use crate::math::{Aabb, Checksum, Each};

/// All points within a radius of a segment. With equal ends it is a circle, with radius 0 a segment.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/capsule.svg"))]
///
/// ```
/// use hitgraph::{Capsule, Circle, Meets, Segment};
/// use glam::vec2;
///
/// // A character 1.8 units high, with its feet at the origin.
/// let hero = Capsule::new(vec2(0.0, 0.4), vec2(0.0, 1.4), 0.4).at(vec2(2.0, 0.0));
/// assert_eq!((hero.axis().ends()[1], hero.radius()), (vec2(2.0, 1.4), 0.4));
/// assert!(hero.overlaps(&Circle::point(vec2(2.0, 1.8))));
/// assert!(hero.bounds().contains(vec2(2.4, 1.0)));
/// // It turns about its feet.
/// assert!(hero.rotated(-1.0).axis().ends()[1].x > 3.0);
///
/// let axis = Segment::new(vec2(-1.0, 0.0), vec2(1.0, 0.0));
/// assert_eq!(Capsule::from_axis(axis, 0.5), Capsule::new(vec2(-1.0, 0.0), vec2(1.0, 0.0), 0.5));
/// assert!(Capsule::try_from_axis(axis, -0.5).is_err());
/// assert!(Capsule::try_new(vec2(-1.0, 0.0), vec2(1.0, 0.0), f32::NAN).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("stadium", "pill", "sphere-swept line"))]
pub struct Capsule {
    pub(super) axis: Segment,
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::math::saved::serialize"))]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::error::saved_radius"))]
    pub(super) radius: f32,
}

impl Capsule {
    /// Returns the capsule around the segment from `a` to `b`.
    ///
    /// # Panics
    /// If a coordinate is not finite, or the radius is negative or not finite; [`try_new`](Self::try_new) returns an
    /// error instead.
    #[must_use]
    #[track_caller]
    pub fn new(a: Vec2, b: Vec2, radius: f32) -> Self {
        or_panic(Self::try_new(a, b, radius))
    }

    /// Returns the capsule around the segment from `a` to `b`.
    ///
    /// # Errors
    /// If a coordinate is not finite, or the radius is negative or not finite.
    pub const fn try_new(a: Vec2, b: Vec2, radius: f32) -> Result<Self, ShapeError> {
        Self::try_from_axis(attempt!(Segment::try_new(a, b)), radius)
    }

    /// Returns the capsule around a segment.
    ///
    /// # Panics
    /// If the radius is negative or not finite; [`try_from_axis`](Self::try_from_axis) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn from_axis(axis: Segment, radius: f32) -> Self {
        or_panic(Self::try_from_axis(axis, radius))
    }

    /// Returns the capsule around a segment.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub const fn try_from_axis(axis: Segment, radius: f32) -> Result<Self, ShapeError> {
        Ok(Self { axis, radius: attempt!(valid_size("radius", radius)) })
    }

    /// Returns the capsule with the [origin](Segment::origin) of its axis at another position. A new capsule has its
    /// origin at zero, so this moves it by `position`.
    #[must_use]
    pub const fn at(self, position: Vec2) -> Self {
        Self { axis: self.axis.at(position), ..self }
    }

    /// Returns the capsule rotated by an angle in radians, counter-clockwise with y up, about the
    /// [origin](Segment::origin) of its axis.
    #[must_use]
    pub fn rotated(self, angle: f32) -> Self {
        Self { axis: self.axis.rotated(angle), ..self }
    }

    /// Returns the segment in the middle.
    #[must_use]
    pub const fn axis(&self) -> Segment {
        self.axis
    }

    /// Returns the radius, in units; never negative.
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns the smallest box around the capsule, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let [a, b] = self.axis.ends;
        let Aabb { min, max } = Aabb::new(a, b);
        Aabb::padded(self.axis.center, min - self.radius, max + self.radius)
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { axis, radius } = self;
        axis.add_to(sum);
        sum.add_f32(*radius);
    }
}

impl From<Segment> for Capsule {
    fn from(axis: Segment) -> Self {
        Self { axis, radius: 0.0 }
    }
}

impl RoundedConvex for Capsule {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull {
            center: self.axis.center,
            core: Core::segment(self.axis.ends),
            disc: Disc::Circle(f64::from(self.radius)),
        }
    }
}

impl FourSegments {
    #[inline(always)]
    pub(super) fn of_capsules(capsules: [&Capsule; 4]) -> Self {
        let mut segments = Self::new(capsules.each(|capsule| &capsule.axis));
        segments.radius = Vec4::from_array(capsules.each(|capsule| capsule.radius));
        segments
    }
}

// The row of the pair table. Every contact is the default of `Meets`: by the closest features.
impl Meets<Circle> for Capsule {
    #[inline]
    fn fast_overlap(&self, circle: &Circle) -> Option<bool> {
        self.axis.is_near_point(circle.center, self.radius + circle.radius)
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Circle>> =
        Some(|capsules, circles| FourSegments::of_capsules(capsules).overlap_circles(&FourCircles::new(circles)));
}

impl Meets<Segment> for Capsule {
    #[inline]
    fn fast_overlap(&self, segment: &Segment) -> Option<bool> {
        self.axis.is_near_segment(segment, self.radius)
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Segment>> =
        Some(|capsules, segments| FourSegments::of_capsules(capsules).overlap_segments(&FourSegments::new(segments)));
}

impl Meets<Capsule> for Capsule {
    #[inline]
    fn fast_overlap(&self, other: &Capsule) -> Option<bool> {
        self.axis.is_near_segment(&other.axis, self.radius + other.radius)
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Capsule>> = Some(|capsules, others| {
        FourSegments::of_capsules(capsules).overlap_segments(&FourSegments::of_capsules(others))
    });
}

mirror!(Capsule: Circle, Segment);
