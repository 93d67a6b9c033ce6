use alloc::vec::Vec;

use glam::{Affine2, Mat2, Vec2};
use smallvec::SmallVec;

use super::any::{Local, Shape};
use super::capsule::Capsule;
use super::circle::{Circle, uniform_scale};
use super::ellipse::{Ellipse, reach};
use super::error::{ShapeError, or_panic, size};
use super::family::{Core, Disc, Family, Hull, flattened};
use super::meets::{Meets, mirror};
use super::polygon::Polygon;
use super::rect::Rect;
use super::segment::Segment;
use crate::math::Aabb;

/// Everything within a radius of a convex polygon, and every affine image of that: a box with round corners, a squashed
/// capsule.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/rounded.svg"))]
#[derive(Debug, Clone, PartialEq)]
#[doc(alias("round cuboid", "rounded polygon", "round shape"))]
pub struct Rounded {
    core: Polygon,
    matrix: Mat2,
}

impl Rounded {
    /// A polygon swollen by `radius` units.
    ///
    /// # Panics
    /// If the radius is negative or not finite; [`try_new`](Self::try_new) tells instead.
    #[must_use]
    #[track_caller]
    pub fn new(core: Polygon, radius: f32) -> Self {
        or_panic(Self::try_new(core, radius))
    }

    /// A polygon swollen by `radius` units.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub fn try_new(core: Polygon, radius: f32) -> Result<Self, ShapeError> {
        Ok(Self { core, matrix: Mat2::from_diagonal(Vec2::splat(size("radius", radius)?)) })
    }

    /// The same shape, moved.
    #[must_use]
    pub fn at(self, offset: Vec2) -> Self {
        Self { core: self.core.at(offset), ..self }
    }

    /// The polygon in the middle.
    #[must_use]
    pub const fn core(&self) -> &Polygon {
        &self.core
    }

    /// The matrix that takes the unit disc to what the core is swollen by.
    #[must_use]
    pub const fn matrix(&self) -> Mat2 {
        self.matrix
    }

    /// The smallest box around it, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let reach = reach(self.matrix);
        let core = Aabb::from_points(self.core.points.iter().copied());
        Aabb::padded(self.core.center, core.min - reach, core.max + reach)
    }

    /// What an affine map makes of it: the same kind of shape, or a polygon where its disc is flattened.
    #[must_use]
    pub fn transformed(&self, by: &Affine2) -> Shape {
        let mut core = self.core.clone();
        core.set_image(&self.core, by);
        Self::image(core.center, core.points, by.matrix2 * self.matrix)
    }

    /// A convex outline swollen by the image of the unit disc, as the simplest shape that it is.
    pub(super) fn image(center: Vec2, points: SmallVec<[Vec2; 8]>, matrix: Mat2) -> Shape {
        match flattened(matrix.as_dmat2()) {
            Some(half) => {
                let half = half.as_vec2();
                let spread: Vec<Vec2> = points.iter().flat_map(|point| [*point - half, *point + half]).collect();
                Polygon::hull(center, &spread).into()
            }
            None => Self { core: Polygon { center, points }, matrix }.into(),
        }
    }
}

impl Local for Rounded {
    fn place(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        match core_to_reuse(world, by.matrix2 * self.matrix) {
            Some(core) => core.set_image(&self.core, by),
            None => *world = self.transformed(by),
        }
        world.bounds()
    }
}

/// If `world` is rounded, and would still be with another disc, gives it that disc and its core for rewriting.
pub(super) fn core_to_reuse(world: &mut Shape, matrix: Mat2) -> Option<&mut Polygon> {
    match world {
        Shape::Rounded(world) if flattened(matrix.as_dmat2()).is_none() => {
            world.matrix = matrix;
            Some(&mut world.core)
        }
        _ => None,
    }
}

impl Family for Rounded {
    fn hull(&self) -> Hull<'_> {
        // Turned and evenly scaled it is still round, to the last bit or nearly: then the closed forms serve.
        let disc = match uniform_scale(self.matrix) {
            Some(radius) => Disc::Round(f64::from(radius)),
            None => Disc::Squashed(self.matrix.as_dmat2()),
        };
        Hull { center: self.core.center, core: Core::Many(&self.core.points), disc }
    }
}

impl Meets<Circle> for Rounded {}
impl Meets<Segment> for Rounded {}
impl Meets<Capsule> for Rounded {}
impl Meets<Rect> for Rounded {}
impl Meets<Polygon> for Rounded {}
impl Meets<Ellipse> for Rounded {}
impl Meets<Rounded> for Rounded {}

mirror!(Rounded: Circle, Segment, Capsule, Rect, Polygon, Ellipse);
