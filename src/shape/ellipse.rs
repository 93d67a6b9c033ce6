use glam::{Affine2, Mat2, Vec2};

use super::any::{Local, Shape};
use super::capsule::Capsule;
use super::circle::{Circle, uniform_scale};
use super::contact::Contact;
use super::error::{ShapeError, or_panic, size};
use super::family::{Core, Disc, Family, Hull, flattened};
use super::manifold;
use super::meets::{Meets, mirror};
use super::polygon::Polygon;
use super::rect::Rect;
use super::segment::Segment;
use crate::math::Aabb;
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::tolerance::SCREEN;

/// A solid ellipse, turned any way: what a squashed circle becomes. With a radius of 0 it is a segment.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/ellipse.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("oval", "stretched circle"))]
pub struct Ellipse {
    pub(super) center: Vec2,
    pub(super) matrix: Mat2,
}

impl Ellipse {
    /// An ellipse around the origin, by its radii along x and y in units.
    ///
    /// # Panics
    /// If a radius is negative or not finite; [`try_new`](Self::try_new) tells instead.
    #[must_use]
    #[track_caller]
    pub fn new(x_radius: f32, y_radius: f32) -> Self {
        or_panic(Self::try_new(x_radius, y_radius))
    }

    /// An ellipse around the origin, by its radii along x and y in units.
    ///
    /// # Errors
    /// If a radius is negative or not finite.
    pub fn try_new(x_radius: f32, y_radius: f32) -> Result<Self, ShapeError> {
        let radii = Vec2::new(size("x radius", x_radius)?, size("y radius", y_radius)?);
        Ok(Self { center: Vec2::ZERO, matrix: Mat2::from_diagonal(radii) })
    }

    /// The same ellipse around another centre.
    #[must_use]
    pub const fn at(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// The middle.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.center
    }

    /// The matrix that takes the unit disc to it. Its columns are conjugate radii: the ellipse is all
    /// `center + matrix * v` with `v` no longer than 1.
    #[must_use]
    pub const fn matrix(&self) -> Mat2 {
        self.matrix
    }

    /// The smallest box around it, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let reach = reach(self.matrix);
        Aabb::padded(self.center, -reach, reach)
    }

    /// What an affine map makes of it: an ellipse, a circle where it becomes one, or a segment where it is flattened.
    #[must_use]
    pub fn transformed(&self, by: &Affine2) -> Shape {
        Self::image(by.transform_point2(self.center), by.matrix2 * self.matrix)
    }

    /// The image of the unit disc, as the simplest shape that it is.
    pub(super) fn image(center: Vec2, matrix: Mat2) -> Shape {
        if let Some(radius) = uniform_scale(matrix) {
            return Circle { center, radius }.into();
        }
        match flattened(matrix.as_dmat2()) {
            Some(half) => Segment { center, ends: [-half.as_vec2(), half.as_vec2()] }.into(),
            None => Self { center, matrix }.into(),
        }
    }

    /// Whether a circle is certainly near enough to touch, or too far, by the longest and shortest radius.
    fn near_circle(&self, center: Vec2, radius: f32) -> Option<bool> {
        let squares = self.matrix.x_axis.length_squared() + self.matrix.y_axis.length_squared();
        let outer = squares.sqrt();
        let inner = self.matrix.determinant().abs() / outer;
        let offset = (center - self.center).length();
        // Lengths are roots, which below that of the least normal number are rough.
        let doubt = (offset + outer + radius) * SCREEN + f32::MIN_POSITIVE.sqrt();
        match offset {
            offset if offset > outer + radius + doubt => Some(false),
            offset if offset + doubt < inner + radius => Some(true),
            _ => None,
        }
    }
}

/// How far the image of the unit disc reaches along x and y.
pub(super) fn reach(matrix: Mat2) -> Vec2 {
    Vec2::new(matrix.row(0).length(), matrix.row(1).length())
}

impl Local for Ellipse {}

impl Family for Ellipse {
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::POINT, disc: Disc::Squashed(self.matrix.as_dmat2()) }
    }
}

impl Meets<Circle> for Ellipse {
    fn screen(&self, circle: &Circle) -> Option<bool> {
        self.near_circle(circle.center, circle.radius)
    }

    fn contact(&self, circle: &Circle) -> Option<Contact> {
        if self.screen(circle) == Some(false) { None } else { manifold::contact(&self.hull(), &circle.hull()) }
    }
}

impl Meets<Segment> for Ellipse {}
impl Meets<Capsule> for Ellipse {}
impl Meets<Rect> for Ellipse {}
impl Meets<Polygon> for Ellipse {}
impl Meets<Ellipse> for Ellipse {}

mirror!(Ellipse: Circle, Segment, Capsule, Rect, Polygon);
