use glam::Vec2;

use super::Contact;
use super::error::{ShapeError, attempt, or_panic, size};
use super::meets::{Meets, contact_by_features};
use crate::geometry::sat::rounding::{is_within, manhattan_length};
use crate::geometry::{Core, Hull, RoundedConvex, Rounding};
use crate::math::Aabb;

/// A solid circle. With radius 0 it is a point: see [`Circle::point`].
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/circle.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("ball", "disc", "point"))]
pub struct Circle {
    pub(super) center: Vec2,
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
        Ok(Self { center: Vec2::ZERO, radius: attempt!(size("radius", radius)) })
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
}

impl RoundedConvex for Circle {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::POINT, rounding: Rounding::Circle(f64::from(self.radius)) }
    }
}

// The row of the pair table. Every contact is the default of `Meets`: by the closest features.
impl Meets<Circle> for Circle {
    #[inline]
    fn fast_overlap(&self, other: &Circle) -> Option<bool> {
        let (offset, reach) = (other.center - self.center, self.radius + other.radius);
        is_within(offset.length_squared(), reach, manhattan_length(offset) + reach)
    }

    fn contact(&self, other: &Circle) -> Option<Contact> {
        contact_by_features(self, other)
    }
}
