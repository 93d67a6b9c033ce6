use glam::{Vec2, Vec4};

use super::error::{ShapeError, attempt, or_panic, valid_size};
use super::meets::{FourOverlaps, Meets};
use crate::geometry::sat::four::are_within;
use crate::geometry::sat::four_vectors::FourVectors;
use crate::geometry::sat::rounding::is_within;
use crate::geometry::{Core, Disc, Hull, RoundedConvex};
use crate::math::{Aabb, Checksum, Each};

/// A solid circle. With radius 0 it is a point: see [`Circle::point`].
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/circle.svg"))]
///
/// ```
/// use hitgraph::{Circle, Meets};
/// use glam::vec2;
///
/// let ball = Circle::new(0.5).at(vec2(3.0, 1.0));
/// assert_eq!((ball.center(), ball.radius()), (vec2(3.0, 1.0), 0.5));
/// assert_eq!(ball.rotated(1.0), ball);
/// assert!(ball.bounds().contains(vec2(3.5, 1.0)));
/// assert!(ball.overlaps(&Circle::point(vec2(3.0, 1.5))), "a point on the border touches");
/// assert!(Circle::try_new(-1.0).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("ball", "disc", "point"))]
pub struct Circle {
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) center: Vec2,
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::math::saved::serialize"))]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::error::saved_radius"))]
    pub(super) radius: f32,
}

impl Circle {
    /// Returns a circle around the origin with a radius in units. [`at`](Self::at) sets its centre.
    ///
    /// # Panics
    /// If the radius is negative or not finite; [`try_new`](Self::try_new) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn new(radius: f32) -> Self {
        or_panic(Self::try_new(radius))
    }

    /// Returns a circle around the origin with a radius in units.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub const fn try_new(radius: f32) -> Result<Self, ShapeError> {
        Ok(Self { center: Vec2::ZERO, radius: attempt!(valid_size("radius", radius)) })
    }

    /// Returns a point: a circle with radius 0.
    #[must_use]
    pub const fn point(point: Vec2) -> Self {
        Self { center: point, radius: 0.0 }
    }

    /// Returns the circle with another centre.
    #[must_use]
    pub const fn at(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// Returns the circle rotated about its centre, which changes nothing. Every shape has this method.
    #[must_use]
    pub const fn rotated(self, _angle: f32) -> Self {
        self
    }

    /// Returns the centre.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.center
    }

    /// Returns the radius, in units; never negative.
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns the smallest box around the circle, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        Aabb::padded(self.center, Vec2::splat(-self.radius), Vec2::splat(self.radius))
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { center, radius } = self;
        sum.add_vec2(*center);
        sum.add_f32(*radius);
    }
}

impl RoundedConvex for Circle {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::POINT, disc: Disc::Circle(f64::from(self.radius)) }
    }
}

/// Four circles, one per lane.
pub(super) struct FourCircles {
    pub(super) center: FourVectors,
    pub(super) radius: Vec4,
}

impl FourCircles {
    #[inline(always)]
    pub(super) fn new(circles: [&Circle; 4]) -> Self {
        let radius = Vec4::from_array(circles.each(|circle| circle.radius));
        Self { center: FourVectors::new(circles.each(|circle| circle.center)), radius }
    }
}

// The row of the pair table. Every contact is the default of `Meets`: by the closest features.
impl Meets<Circle> for Circle {
    #[inline]
    fn fast_overlap(&self, other: &Circle) -> Option<bool> {
        let (offset, reach) = (other.center - self.center, self.radius + other.radius);
        is_within(offset.length_squared(), reach, offset.abs().element_sum() + reach)
    }

    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Circle>> = Some(|circles, others| {
        let (a, b) = (FourCircles::new(circles), FourCircles::new(others));
        let (offset, reach) = (b.center - a.center, a.radius + b.radius);
        are_within(offset.length_squared(), reach, offset.manhattan_length() + reach)
    });
}
