use glam::{Affine2, Mat2, Vec2};

use super::any::{Local, Shape};
use super::ellipse::Ellipse;
use super::error::{ShapeError, or_panic, size};
use super::family::{Core, Disc, Family, Hull};
use super::meets::Meets;
use super::zonotope;
use crate::math::Aabb;
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::tolerance::UNIFORM;

/// A solid circle. With radius 0 it is a point: [`Circle::point`] makes one anywhere.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/circle.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("ball", "disc", "point"))]
pub struct Circle {
    pub(super) center: Vec2,
    pub(super) radius: f32,
}

impl Circle {
    /// A circle around the origin, by its radius in units; [`at`](Self::at) puts it elsewhere. For a radius of 0 there
    /// is [`point`](Self::point).
    ///
    /// # Panics
    /// If the radius is negative or not finite; [`try_new`](Self::try_new) tells instead.
    #[must_use]
    #[track_caller]
    pub fn new(radius: f32) -> Self {
        or_panic(Self::try_new(radius))
    }

    /// A circle around the origin, by its radius in units.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub fn try_new(radius: f32) -> Result<Self, ShapeError> {
        Ok(Self { center: Vec2::ZERO, radius: size("radius", radius)? })
    }

    /// A point: a circle of radius 0.
    #[must_use]
    pub const fn point(point: Vec2) -> Self {
        Self { center: point, radius: 0.0 }
    }

    /// The same circle around another centre.
    #[must_use]
    pub const fn at(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// The middle.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.center
    }

    /// The radius, in units; never negative.
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// The smallest box around it, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        Aabb::padded(self.center, Vec2::splat(-self.radius), Vec2::splat(self.radius))
    }

    /// What an affine map makes of it: a circle, or an ellipse where it is squashed.
    #[must_use]
    pub fn transformed(&self, by: &Affine2) -> Shape {
        let center = by.transform_point2(self.center);
        match uniform_scale(by.matrix2) {
            Some(scale) => Self { center, radius: self.radius * scale }.into(),
            None => Ellipse::image(center, by.matrix2 * self.radius),
        }
    }
}

/// The factor of a matrix that turns, mirrors and scales evenly; `None` where it squashes.
pub(super) fn uniform_scale(matrix: Mat2) -> Option<f32> {
    let (x, y) = (matrix.x_axis, matrix.y_axis);
    let (a, b) = (x.length_squared(), y.length_squared());
    let even = (a - b).abs() <= UNIFORM * a && x.dot(y).abs() <= UNIFORM * a;
    // Squares of tiny and huge scales leave the range of `f32`; the lengths do not.
    if even && a > f32::MIN_POSITIVE && a < f32::MAX {
        return Some(a.sqrt());
    }
    let (x, y) = (x.as_dvec2(), y.as_dvec2());
    let (a, b, tolerance) = (x.length_squared(), y.length_squared(), f64::from(UNIFORM));
    ((a - b).abs() <= tolerance * a && x.dot(y).abs() <= tolerance * a).then(|| a.sqrt() as f32)
}

impl Local for Circle {
    #[inline]
    fn place(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        let Some(scale) = uniform_scale(by.matrix2) else {
            *world = self.transformed(by);
            return world.bounds();
        };
        let image = Self { center: by.transform_point2(self.center), radius: self.radius * scale };
        *world = image.into();
        image.bounds()
    }
}

impl Family for Circle {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::POINT, disc: Disc::Round(f64::from(self.radius)) }
    }
}

impl Meets<Circle> for Circle {
    fn screen(&self, other: &Circle) -> Option<bool> {
        zonotope::near_point(other.center - self.center, self.radius + other.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_scale_is_even_at_any_size() {
        for unit in [1e-36, 1e-24, 1e-20, 1e-9, 1.0, 1e9, 1e18, 1e20, 1e36_f32] {
            for matrix in [Mat2::from_angle(0.7), Mat2::from_diagonal(Vec2::new(1.0, -1.0))] {
                let scale = uniform_scale(matrix * unit).unwrap();
                assert!((scale / unit - 1.0).abs() < 1e-6, "{scale} is not {unit}");
                assert_eq!(uniform_scale(matrix * Mat2::from_diagonal(Vec2::new(unit, unit * 1.001))), None, "{unit}");
            }
        }
        // Only one of the squares leaves the range.
        for uneven in [Vec2::new(1e20, 1.0), Vec2::new(1.0, 1e20), Vec2::new(1e-24, 1.0), Vec2::new(1.0, 1e-24)] {
            assert_eq!(uniform_scale(Mat2::from_diagonal(uneven)), None, "{uneven}");
        }
    }
}
