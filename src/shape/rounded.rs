use glam::{Mat2, Vec2};

use super::error::{ShapeError, finite_matrix, or_panic, size};
use super::meets::{Meets, mirror};
use super::{Capsule, Circle, Ellipse, Polygon, Rect, Segment};
use crate::geometry::{Core, Hull, RoundedConvex, Rounding, reach, uniform_scale};
use crate::math::{Aabb, Transform};

/// All points within a radius of a convex polygon, or the affine image of such a shape: a box with round corners, a
/// stretched capsule.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/rounded.svg"))]
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("round cuboid", "rounded polygon", "round shape"))]
pub struct Rounded {
    pub(super) core: Polygon,
    pub(super) matrix: Mat2,
}

impl Rounded {
    /// Returns all points within `radius` units of a polygon.
    ///
    /// # Panics
    /// If the radius is negative or not finite; [`try_new`](Self::try_new) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn new(core: Polygon, radius: f32) -> Self {
        or_panic(Self::try_new(core, radius))
    }

    /// Returns all points within `radius` units of a polygon.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub fn try_new(core: Polygon, radius: f32) -> Result<Self, ShapeError> {
        Ok(Self { core, matrix: Mat2::from_diagonal(Vec2::splat(size("radius", radius)?)) })
    }

    /// Returns the Minkowski sum of a polygon and the image of the unit disc under a matrix.
    ///
    /// # Panics
    /// If an element is not finite; [`try_from_matrix`](Self::try_from_matrix) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn from_matrix(core: Polygon, matrix: Mat2) -> Self {
        or_panic(Self::try_from_matrix(core, matrix))
    }

    /// Returns the Minkowski sum of a polygon and the image of the unit disc under a matrix.
    ///
    /// # Errors
    /// If an element is not finite.
    pub fn try_from_matrix(core: Polygon, matrix: Mat2) -> Result<Self, ShapeError> {
        Ok(Self { core, matrix: finite_matrix("an element of the matrix", matrix)? })
    }

    /// Returns the shape with the [origin](Polygon::origin) of its core at another position. A new polygon has its
    /// origin at zero, so this moves the shape by `position`.
    #[must_use]
    pub fn at(self, position: Vec2) -> Self {
        Self { core: self.core.at(position), ..self }
    }

    /// Returns the shape rotated by an angle in radians, counter-clockwise with y up, about the
    /// [origin](Polygon::origin) of its core.
    #[must_use]
    pub fn rotated(self, angle: f32) -> Self {
        let rotation = Transform::from_rotation(angle).to_affine().matrix2;
        Self { core: self.core.rotated(angle), matrix: rotation * self.matrix }
    }

    /// Returns the polygon in the middle.
    #[must_use]
    pub const fn core(&self) -> &Polygon {
        &self.core
    }

    /// Returns the matrix that maps the unit disc to the disc that is added to the core.
    #[must_use]
    pub const fn matrix(&self) -> Mat2 {
        self.matrix
    }

    /// Returns the smallest box around the shape, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let reach = reach(self.matrix);
        let core = Aabb::from_points(self.core.points.iter().copied());
        Aabb::padded(self.core.center, core.min - reach, core.max + reach)
    }
}

impl RoundedConvex for Rounded {
    fn hull(&self) -> Hull<'_> {
        // After a rotation and a uniform scale the disc is still a circle to within rounding, and the closed forms
        // apply.
        let rounding = match uniform_scale(self.matrix) {
            Some(radius) => Rounding::Circle(f64::from(radius)),
            None => Rounding::Ellipse(self.matrix.as_dmat2()),
        };
        Hull { center: self.core.center, core: Core::Polygon(&self.core.points), rounding }
    }
}

// No pair has a closed form: overlap and contact are the defaults of `Meets`.
impl Meets<Circle> for Rounded {}
impl Meets<Segment> for Rounded {}
impl Meets<Capsule> for Rounded {}
impl Meets<Rect> for Rounded {}
impl Meets<Polygon> for Rounded {}
impl Meets<Ellipse> for Rounded {}
impl Meets<Rounded> for Rounded {}

mirror!(Rounded: Circle, Segment, Capsule, Rect, Polygon, Ellipse);
