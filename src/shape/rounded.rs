use glam::{Mat2, Vec2};

use super::error::{ShapeError, finite_matrix, or_panic, valid_size};
use super::meets::{Meets, mirror};
use super::{Capsule, Circle, Ellipse, Polygon, Rect, Segment};
use crate::geometry::{Core, Disc, Hull, RoundedConvex};
use crate::math::affine_disc::{disc_half_extents, uniform_scale};
use crate::math::{Aabb, Checksum, Transform, clone_fields};

/// All points within a radius of a convex polygon, or the affine image of such a shape: a box with round corners, a
/// stretched capsule.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/rounded.svg"))]
///
/// ```
/// use hitgraph::{Circle, Meets, Polygon, Rounded};
/// use glam::{Mat2, vec2};
///
/// let square = [vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0)];
/// let core = Polygon::convex(&square)?;
/// let stone = Rounded::new(core.clone(), 0.5).at(vec2(4.0, 0.0));
/// assert!(stone.overlaps(&Circle::point(vec2(5.5, 0.0))), "a side is half a unit further out");
/// assert!(!stone.overlaps(&Circle::point(vec2(5.45, 1.45))), "a corner is round");
/// assert!(stone.bounds().contains(vec2(5.5, 1.5)));
/// assert_eq!((stone.core().origin(), stone.matrix()), (vec2(4.0, 0.0), Mat2::IDENTITY * 0.5));
/// assert!(stone.rotated(0.8).overlaps(&Circle::point(vec2(5.8, 0.0))));
///
/// assert!(Rounded::try_new(core.clone(), -0.5).is_err());
/// // Corners that are wider than high.
/// let flat = Rounded::from_matrix(core.clone(), Mat2::from_diagonal(vec2(1.0, 0.1)));
/// assert!(flat.overlaps(&Circle::point(vec2(2.0, 0.0))) && !flat.overlaps(&Circle::point(vec2(0.0, 1.2))));
/// assert!(Rounded::try_from_matrix(core, Mat2::from_diagonal(vec2(f32::INFINITY, 1.0))).is_err());
/// # Ok::<(), hitgraph::ShapeError>(())
/// ```
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("round cuboid", "rounded polygon", "round shape"))]
pub struct Rounded {
    pub(super) core: Polygon,
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) matrix: Mat2,
}

clone_fields!(Rounded { core, matrix });

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
        Ok(Self { core, matrix: Mat2::from_diagonal(Vec2::splat(valid_size("radius", radius)?)) })
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
        Ok(Self { core, matrix: finite_matrix(matrix)? })
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
        let half = disc_half_extents(self.matrix);
        let core = Aabb::from_points(self.core.points.iter().copied());
        Aabb::padded(self.core.center, core.min - half, core.max + half)
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { core, matrix } = self;
        core.add_to(sum);
        sum.add_vec2(matrix.x_axis);
        sum.add_vec2(matrix.y_axis);
    }
}

impl RoundedConvex for Rounded {
    const IS_COMMON: bool = false;

    fn hull(&self) -> Hull<'_> {
        // After a rotation and a uniform scale the disc is still a circle to within rounding, and the closed forms
        // apply.
        let disc = match uniform_scale(self.matrix) {
            Some(radius) => Disc::Circle(f64::from(radius)),
            None => Disc::Ellipse(self.matrix.as_dmat2()),
        };
        Hull { center: self.core.center, core: Core::Polygon(&self.core.points), disc }
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
