use glam::{Mat2, Vec2};

use super::error::{ShapeError, attempt, finite_matrix, or_panic, valid_size};
use super::meets::{Meets, contact_of_hulls, mirror};
use super::{Capsule, Circle, Contact, Polygon, Rect, Segment};
use crate::geometry::{Core, Disc, Hull, RoundedConvex};
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::affine_disc::disc_half_extents;
use crate::math::tolerance::FAST_OVERLAP;
use crate::math::{Aabb, Checksum, Transform};

/// A solid ellipse with any orientation: the image of a circle under a non-uniform scale. With a radius of 0 it is a
/// segment.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/ellipse.svg"))]
///
/// ```
/// use hitgraph::{Circle, Ellipse, Meets};
/// use glam::{Mat2, vec2};
///
/// let pond = Ellipse::new(4.0, 2.0).at(vec2(1.0, 0.0));
/// assert_eq!((pond.center(), pond.matrix()), (vec2(1.0, 0.0), Mat2::from_diagonal(vec2(4.0, 2.0))));
/// assert!(pond.overlaps(&Circle::point(vec2(5.0, 0.0))) && !pond.overlaps(&Circle::point(vec2(1.0, 2.1))));
/// assert!(pond.rotated(std::f32::consts::FRAC_PI_2).bounds().contains(vec2(1.0, 3.9)));
/// assert!(Ellipse::try_new(1.0, -1.0).is_err());
/// assert!(Ellipse::try_from_matrix(Mat2::from_diagonal(vec2(f32::NAN, 1.0))).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("oval", "stretched circle"))]
pub struct Ellipse {
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) center: Vec2,
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    /// The columns of the matrix. As a `Mat2`, whose alignment is 16, they would make every [`Shape`](super::Shape) half as
    /// large again.
    pub(super) columns: [Vec2; 2],
}

impl Ellipse {
    /// Returns an ellipse around the origin with its radii along x and y in units.
    ///
    /// # Panics
    /// If a radius is negative or not finite; [`try_new`](Self::try_new) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn new(x_radius: f32, y_radius: f32) -> Self {
        or_panic(Self::try_new(x_radius, y_radius))
    }

    /// Returns an ellipse around the origin with its radii along x and y in units.
    ///
    /// # Errors
    /// If a radius is negative or not finite.
    pub const fn try_new(x_radius: f32, y_radius: f32) -> Result<Self, ShapeError> {
        let (x, y) = (attempt!(valid_size("x radius", x_radius)), attempt!(valid_size("y radius", y_radius)));
        Ok(Self { center: Vec2::ZERO, columns: [Vec2::new(x, 0.0), Vec2::new(0.0, y)] })
    }

    /// Returns the image of the unit disc under a matrix: all `matrix * v` with `v` no longer than 1.
    ///
    /// ```
    /// # use hitgraph::Ellipse;
    /// # use glam::vec2;
    /// let ellipse = Ellipse::new(4.0, 2.0).at(vec2(1.0, 2.0)).rotated(0.5);
    /// assert_eq!(Ellipse::from_matrix(ellipse.matrix()).at(ellipse.center()), ellipse);
    /// ```
    ///
    /// # Panics
    /// If an element is not finite; [`try_from_matrix`](Self::try_from_matrix) returns an error instead.
    #[must_use]
    #[track_caller]
    pub fn from_matrix(matrix: Mat2) -> Self {
        or_panic(Self::try_from_matrix(matrix))
    }

    /// Returns the image of the unit disc under a matrix.
    ///
    /// # Errors
    /// If an element is not finite.
    pub fn try_from_matrix(matrix: Mat2) -> Result<Self, ShapeError> {
        Ok(Self::of_matrix(Vec2::ZERO, finite_matrix(matrix)?))
    }

    /// Returns the ellipse with another centre.
    #[must_use]
    pub const fn at(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// Returns the ellipse rotated by an angle in radians, counter-clockwise with y up, about its centre.
    #[must_use]
    pub fn rotated(self, angle: f32) -> Self {
        Self::of_matrix(self.center, Transform::from_rotation(angle).to_affine().matrix2 * self.matrix())
    }

    /// Returns the centre.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.center
    }

    /// Returns the matrix that maps the unit disc to the ellipse. Its columns are conjugate radii: the ellipse is all
    /// `center + matrix * v` with `v` no longer than 1.
    #[must_use]
    pub const fn matrix(&self) -> Mat2 {
        let [x_axis, y_axis] = self.columns;
        Mat2::from_cols(x_axis, y_axis)
    }

    pub(super) fn of_matrix(center: Vec2, matrix: Mat2) -> Self {
        Self { center, columns: [matrix.x_axis, matrix.y_axis] }
    }

    /// Returns the smallest box around the ellipse, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let half = disc_half_extents(self.matrix());
        Aabb::padded(self.center, -half, half)
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { center, columns } = self;
        sum.add_vec2(*center);
        columns.iter().for_each(|column| sum.add_vec2(*column));
    }
}

impl RoundedConvex for Ellipse {
    const IS_COMMON: bool = false;

    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::POINT, disc: Disc::Ellipse(self.matrix().as_dmat2()) }
    }
}

impl Meets<Circle> for Ellipse {
    /// Compares the distance of the centres with upper and lower bounds of the ellipse's radius.
    fn fast_overlap(&self, circle: &Circle) -> Option<bool> {
        let squares = self.columns[0].length_squared() + self.columns[1].length_squared();
        let outer = squares.sqrt();
        let inner = self.matrix().determinant().abs() / outer;
        let (offset, radius) = ((circle.center - self.center).length(), circle.radius);
        // The squares of lengths below the root of the least normal number are denormal, and so too coarse.
        let doubt = (offset + outer + radius) * FAST_OVERLAP + f32::MIN_POSITIVE.sqrt();
        match offset {
            offset if offset > outer + radius + doubt => Some(false),
            offset if offset + doubt < inner + radius => Some(true),
            _ => None,
        }
    }

    fn contact(&self, circle: &Circle) -> Option<Contact> {
        // The fast test spares most pairs that do not touch the search for their distance.
        if self.fast_overlap(circle) == Some(false) { None } else { contact_of_hulls(&self.hull(), &circle.hull()) }
    }
}

// The other pairs have no closed form: overlap and contact are the defaults of `Meets`.
impl Meets<Segment> for Ellipse {}
impl Meets<Capsule> for Ellipse {}
impl Meets<Rect> for Ellipse {}
impl Meets<Polygon> for Ellipse {}
impl Meets<Ellipse> for Ellipse {}

mirror!(Ellipse: Circle, Segment, Capsule, Rect, Polygon);
