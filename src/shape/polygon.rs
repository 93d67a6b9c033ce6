use glam::{Affine2, Vec2};
use smallvec::SmallVec;

use super::convex_hull::{convex_hull, follows_outline, is_strictly_convex};
use super::error::{ShapeError, finite_points};
use super::meets::{Meets, mirror};
use super::{Capsule, Circle, Rect, Segment};
use crate::geometry::sat::{polygon_parallelogram, polygons};
use crate::geometry::{Core, Disc, Hull, RoundedConvex};
use crate::math::{Aabb, Checksum, Transform, clone_fields, mirrors};

/// A solid convex polygon with any number of corners; up to eight need no heap memory. Without area it is a segment or
/// a point.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/polygon.svg"))]
///
/// ```
/// use hitgraph::{Circle, Meets, Polygon, ShapeError};
/// use glam::vec2;
///
/// let roof = Polygon::convex(&[vec2(-2.0, 0.0), vec2(2.0, 0.0), vec2(0.0, 1.5)])?.at(vec2(10.0, 3.0));
/// assert!(roof.points().any(|corner| corner == vec2(10.0, 4.5)));
/// assert_eq!((roof.origin(), roof.offsets().len()), (vec2(10.0, 3.0), 3));
/// assert!(roof.overlaps(&Circle::point(vec2(10.0, 4.0))));
/// assert!(roof.clone().rotated(std::f32::consts::PI).bounds().contains(vec2(10.0, 1.5)));
///
/// // An arrow is concave. Its hull is a triangle.
/// let arrow = [vec2(0.0, 3.0), vec2(1.0, 1.0), vec2(3.0, 0.0), vec2(0.0, 0.0)];
/// assert_eq!(Polygon::convex(&arrow), Err(ShapeError::Concave { index: 1 }));
/// assert_eq!(Polygon::convex_hull(&arrow)?.points().len(), 3);
/// # Ok::<(), hitgraph::ShapeError>(())
/// ```
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("hull", "triangle"))]
pub struct Polygon {
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) center: Vec2,
    /// The corners relative to the centre, counter-clockwise.
    #[cfg_attr(feature = "serde", serde(serialize_with = "save_points", deserialize_with = "saved_points"))]
    pub(super) points: SmallVec<[Vec2; 8]>,
}

clone_fields!(Polygon { center, points });

impl Polygon {
    /// Returns the polygon with this outline, in either winding. Repeated points and points on a straight side are
    /// accepted and dropped, and so is a corner within half a millionth of the outline's size of a straight side.
    ///
    /// # Errors
    /// If there are no points, a coordinate is not finite, or the outline is concave or crosses itself.
    pub fn convex(outline: &[Vec2]) -> Result<Self, ShapeError> {
        finite_points("a point of the outline", outline)?;
        let hull = convex_hull(outline);
        if hull.is_empty() {
            return Err(ShapeError::Empty);
        }
        if hull.len() > 2 {
            follows_outline(outline, &hull)?;
        }
        Ok(Self::from_corners(points_at(outline, &hull)))
    }

    /// Returns the smallest convex polygon that contains all the points. A corner within half a millionth of its size of
    /// a straight side is dropped, so that a point may be outside by that much.
    ///
    /// # Errors
    /// If there are no points or a coordinate is not finite.
    pub fn convex_hull(points: &[Vec2]) -> Result<Self, ShapeError> {
        finite_points("a point", points)?;
        if points.is_empty() { Err(ShapeError::Empty) } else { Ok(Self::hull_of(Vec2::ZERO, points)) }
    }

    /// Returns the hull of one or more finite points, given relative to `center`.
    pub(super) fn hull_of(center: Vec2, points: &[Vec2]) -> Self {
        Self { center, points: points_at(points, &convex_hull(points)) }
    }

    /// Returns an upright rectangle. Its corners are exact, while the centre and half-axes of a [`Rect`] would round
    /// them.
    pub(crate) fn upright(Aabb { min, max }: Aabb) -> Self {
        // Far from the origin, the corners are relative to the low one, which is exact there: the rounding of a test
        // grows with the size of the offsets.
        let is_far = (max - min).cmple(min.abs().min(max.abs()));
        let center = Vec2::select(is_far, min, Vec2::ZERO);
        let (low, high) = (min - center, max - center);
        Self { center, points: SmallVec::from_slice(&[low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)]) }
    }

    /// Returns the polygon with these corners, which must be convex and counter-clockwise.
    pub(crate) fn from_corners(points: SmallVec<[Vec2; 8]>) -> Self {
        Self { center: Vec2::ZERO, points }
    }

    /// Returns the polygon with its [origin](Self::origin) at another position. A new polygon has its origin at zero,
    /// so this moves it by `position`.
    #[must_use]
    pub fn at(self, position: Vec2) -> Self {
        Self { center: position, ..self }
    }

    /// Returns the polygon rotated by an angle in radians, counter-clockwise with y up, about its
    /// [origin](Self::origin).
    #[must_use]
    pub fn rotated(self, angle: f32) -> Self {
        Self { center: self.center, ..self.image(&Transform::from_rotation(angle).to_affine()) }
    }

    /// Iterates over the corners, counter-clockwise.
    ///
    /// ```
    /// # use hitgraph::Polygon;
    /// # use glam::vec2;
    /// let triangle = Polygon::convex(&[vec2(0.0, 0.0), vec2(3.0, 0.0), vec2(0.0, 4.0)])?;
    /// let sides = triangle.points().zip(triangle.points().cycle().skip(1));
    /// assert_eq!(sides.map(|(from, to)| from.distance(to)).sum::<f32>(), 12.0);
    /// # Ok::<(), hitgraph::ShapeError>(())
    /// ```
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec2> + DoubleEndedIterator + Clone + '_ {
        self.points.iter().map(|point| self.center + *point)
    }

    /// Returns the point that [`at`](Self::at) sets and [`rotated`](Self::rotated) rotates about.
    #[must_use]
    pub const fn origin(&self) -> Vec2 {
        self.center
    }

    /// Returns the corners relative to the [origin](Self::origin), counter-clockwise: `Polygon::convex(offsets)` at the
    /// same origin is the same polygon to within rounding. Its list of corners may start at another one, and omit some
    /// on an almost straight side.
    #[must_use]
    pub fn offsets(&self) -> &[Vec2] {
        &self.points
    }

    /// Returns the smallest box around the polygon, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let Aabb { min, max } = Aabb::from_points(self.points.iter().copied());
        Aabb::padded(self.center, min, max)
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { center, points } = self;
        sum.add_vec2(*center);
        sum.add(points.len() as u64);
        points.iter().for_each(|point| sum.add_vec2(*point));
    }

    pub(super) fn image(&self, by: &Affine2) -> Self {
        let mut image = self.clone();
        image.set_image(self, by);
        image
    }

    /// Becomes the image of `local` under an affine map, in its own memory.
    pub(crate) fn set_image(&mut self, local: &Self, by: &Affine2) {
        self.center = by.transform_point2(local.center);
        self.points.clear();
        self.points.extend(local.points.iter().map(|point| by.matrix2 * *point));
        if mirrors(by.matrix2) {
            self.points.reverse();
        }
        // Some corners of an almost flat image may be lost in rounding.
        if !is_strictly_convex(&self.points) {
            self.points = points_at(&self.points, &convex_hull(&self.points));
        }
    }
}

fn points_at(points: &[Vec2], indices: &[usize]) -> SmallVec<[Vec2; 8]> {
    indices.iter().map(|index| points[*index]).collect()
}

/// Writes the corners of a polygon.
#[cfg(feature = "serde")]
fn save_points<S: serde::Serializer>(points: &SmallVec<[Vec2; 8]>, serializer: S) -> Result<S::Ok, S::Error> {
    crate::math::saved::serialize(&points.to_vec(), serializer)
}

/// Reads the corners of a polygon. Those that have been saved stay as they are; [`Polygon::convex`] could start with
/// another one. Others, as in files written by hand, are the outline for it.
///
/// # Errors
/// As of [`Polygon::convex`], except that the points need not be finite.
#[cfg(feature = "serde")]
fn saved_points<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<SmallVec<[Vec2; 8]>, D::Error> {
    let points: alloc::vec::Vec<Vec2> = crate::math::saved::deserialize(deserializer)?;
    let winds_once = || points.len() < 3 || follows_outline(&points, &convex_hull(&points)).is_ok();
    let are_corners = !points.is_empty() && is_strictly_convex(&points) && winds_once();
    if are_corners || points.iter().any(|point| !point.is_finite()) {
        Ok(points.into())
    } else {
        Polygon::convex(&points).map(|polygon| polygon.points).map_err(serde::de::Error::custom)
    }
}

impl RoundedConvex for Polygon {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::Polygon(&self.points), disc: Disc::NONE }
    }
}

// The row of the pair table. Every contact is the default of `Meets`: by the closest features.
impl Meets<Circle> for Polygon {
    fn fast_overlap(&self, circle: &Circle) -> Option<bool> {
        let offset = circle.center - self.center;
        polygon_parallelogram::overlaps(&self.points, offset, offset.abs().element_sum(), [], circle.radius)
    }
}

impl Meets<Segment> for Polygon {
    fn fast_overlap(&self, segment: &Segment) -> Option<bool> {
        self.fast_overlap(&Capsule::from(*segment))
    }
}

impl Meets<Capsule> for Polygon {
    #[inline]
    fn fast_overlap(&self, capsule: &Capsule) -> Option<bool> {
        let (middle, terms, half) = capsule.axis.relative_to(self.center);
        polygon_parallelogram::overlaps(&self.points, middle, terms, [half], capsule.radius)
    }
}

impl Meets<Rect> for Polygon {
    fn fast_overlap(&self, rect: &Rect) -> Option<bool> {
        let offset = rect.center - self.center;
        polygon_parallelogram::overlaps(&self.points, offset, offset.abs().element_sum(), rect.half_axes, 0.0)
    }
}

impl Meets<Polygon> for Polygon {
    fn fast_overlap(&self, other: &Polygon) -> Option<bool> {
        polygons::overlaps(&self.points, &other.points, other.center - self.center)
    }
}

mirror!(Polygon: Circle, Segment, Capsule, Rect);
