use glam::{Affine2, DVec2, Vec2};

use super::affine_disc;
use super::tolerance::BOUNDS_PADDING;

/// An axis-aligned bounding box. It is closed: its border belongs to it.
///
/// The boxes that a scene and its colliders take and return are in world space and world units.
///
/// A box is empty if it is [`EMPTY`](Self::EMPTY) or has a NaN coordinate. It contains no point, overlaps no bounded
/// box, and as a query region finds nothing. Infinite coordinates are allowed. Any other box whose `min` exceeds its
/// `max` is invalid and gives unspecified results; [`new`](Self::new) orders the corners.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/aabb.svg"))]
///
/// ```
/// use hitgraph::Aabb;
/// use glam::{Vec2, vec2};
///
/// // What a camera shows, with a margin for things that are about to enter.
/// let screen = Aabb::from_center(vec2(100.0, 50.0), vec2(16.0, 9.0));
/// let near = screen.grown(2.0);
/// assert_eq!((near.center(), near.size()), (vec2(100.0, 50.0), vec2(36.0, 22.0)));
/// assert!(near.contains(vec2(117.0, 50.0)) && !screen.contains(vec2(117.0, 50.0)));
///
/// // The corners may be given in any order.
/// let room = Aabb::new(vec2(90.0, 60.0), vec2(80.0, 40.0));
/// assert!(room.overlaps(screen) && room.is_finite());
/// assert_eq!(room.union(screen).min, vec2(80.0, 40.0));
/// assert_eq!(Aabb::from_points([Vec2::ZERO, vec2(2.0, 5.0), vec2(3.0, 1.0)]).max, vec2(3.0, 5.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "bounding box")]
pub struct Aabb {
    /// The corner with the smaller coordinates.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub min: Vec2,
    /// The corner with the larger coordinates.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub max: Vec2,
}

impl Aabb {
    /// The empty box that is the neutral element of [`union`](Self::union).
    pub const EMPTY: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    /// The whole plane.
    pub const EVERYTHING: Self = Self { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY };

    /// Creates the box between two opposite corners, in any order. A NaN coordinate gives an empty box.
    #[must_use]
    pub const fn new(a: Vec2, b: Vec2) -> Self {
        // Unlike `f32::min` and `max`, a comparison keeps a NaN.
        let [min_x, max_x] = if a.x < b.x { [a.x, b.x] } else { [b.x, a.x] };
        let [min_y, max_y] = if a.y < b.y { [a.y, b.y] } else { [b.y, a.y] };
        Self { min: Vec2::new(min_x, min_y), max: Vec2::new(max_x, max_y) }
    }

    /// Creates the box that extends from `center` by `half_extents` to both sides of each axis. The signs of
    /// `half_extents` do not matter. A NaN coordinate gives an empty box.
    #[must_use]
    pub const fn from_center(center: Vec2, half_extents: Vec2) -> Self {
        Self::new(
            Vec2::new(center.x - half_extents.x, center.y - half_extents.y),
            Vec2::new(center.x + half_extents.x, center.y + half_extents.y),
        )
    }

    /// Creates the smallest box that contains all points; [`EMPTY`](Self::EMPTY) if there are none. A NaN coordinate
    /// gives an empty box.
    #[must_use]
    pub fn from_points(points: impl IntoIterator<Item = Vec2>) -> Self {
        // `min` and `max` drop a NaN, so a flag keeps it.
        let (all, is_nan) = points.into_iter().fold((Self::EMPTY, false), |(all, is_nan), point| {
            (Self { min: all.min.min(point), max: all.max.max(point) }, is_nan | point.is_nan())
        });
        if is_nan { Self { min: Vec2::NAN, max: Vec2::NAN } } else { all }
    }

    /// Creates the box from `center + min` to `center + max`, padded by up to a millionth of its largest coordinate, so
    /// that rounding never leaves a point of the shape outside. All sides have the same padding: a point within the
    /// tolerance of a long thin shape is then inside its box, too.
    #[inline]
    pub(crate) fn padded(center: Vec2, min: Vec2, max: Vec2) -> Self {
        let slack = ((center.abs() + min.abs().max(max.abs())) * BOUNDS_PADDING).element_sum();
        Self { min: center + min - slack, max: center + max + slack }
    }

    /// Returns the centre. It is NaN for [`EMPTY`](Self::EMPTY), and not finite if the box is unbounded or its
    /// [`size`](Self::size) overflows.
    #[must_use]
    pub fn center(self) -> Vec2 {
        self.min + (self.max - self.min) * 0.5
    }

    /// Returns width and height; negative infinity for [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    /// Returns `true` if the point is in the box or on its border; `false` if a coordinate is NaN.
    #[must_use]
    pub fn contains(self, point: Vec2) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// Returns `true` if the boxes share a point; touching counts. Returns `false` if a coordinate is NaN.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }

    /// Returns `true` if every point of another box is in this one.
    #[inline]
    pub(crate) fn contains_box(self, other: Self) -> bool {
        (self.min.x <= other.min.x)
            & (self.min.y <= other.min.y)
            & (self.max.x >= other.max.x)
            & (self.max.y >= other.max.y)
    }

    /// Returns the smallest box that contains both. A NaN coordinate of either box leaves the result unspecified.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the box of the points in both; without a point if there are none.
    pub(crate) fn intersection(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Returns the box extended by `margin` on every side. A negative margin shrinks the box; one below minus half its
    /// width or height makes it invalid. A NaN margin gives an empty box.
    #[must_use]
    pub fn grown(self, margin: f32) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// Returns the smallest box around this box and its image under a displacement.
    pub(crate) fn swept(self, displacement: Vec2) -> Self {
        self.union(Self { min: self.min + displacement, max: self.max + displacement })
    }

    /// Returns a box that contains everything that a displacement may lead into this box.
    pub(crate) fn swept_back(self, displacement: Vec2) -> Self {
        let Self { min, max } = self.swept(-displacement);
        Self::padded(Vec2::ZERO, min, max)
    }

    /// Returns the middle of the box and half of its size, in `f64`.
    pub(crate) fn middle_and_half(self) -> (DVec2, DVec2) {
        let (min, max) = (self.min.as_dvec2(), self.max.as_dvec2());
        ((min + max) * 0.5, (max - min) * 0.5)
    }

    /// Returns the bounds of the image of a finite box under an affine map. The padding covers the rounding of this
    /// function and of points in the box that are mapped one by one.
    pub(crate) fn image(self, by: &Affine2) -> Self {
        let (x_axis, y_axis) = (by.matrix2.x_axis, by.matrix2.y_axis);
        let (half, center) = (self.max * 0.5 - self.min * 0.5, self.max * 0.5 + self.min * 0.5);
        let reach = x_axis.abs() * half.x + y_axis.abs() * half.y;
        let shift = x_axis.abs() * center.x.abs() + y_axis.abs() * center.y.abs();
        let slack = ((shift + reach + by.translation.abs()) * BOUNDS_PADDING).element_sum();
        let center = by.transform_point2(center);
        Self { min: center - reach - slack, max: center + reach + slack }
    }

    /// Returns bounds of the preimage of a finite box under an affine map, rounding included; `None` if the map is
    /// (almost) singular, because the preimage may then be unbounded.
    pub(crate) fn preimage(self, by: &Affine2) -> Option<Self> {
        let matrix = by.matrix2.as_dmat2();
        let inverse = affine_disc::inverse(matrix)?;
        let map = |matrix: glam::DMat2, reach: DVec2| matrix.x_axis.abs() * reach.x + matrix.y_axis.abs() * reach.y;
        let ((middle, half), shift) = (self.middle_and_half(), by.translation.as_dvec2());
        let center = inverse * (middle - shift);
        // Mapping a point of the preimage rounds it, so the box is padded by the rounding error of the furthest point.
        let furthest = center.abs() + map(inverse, half);
        let slack = (map(matrix, furthest) + shift.abs()) * f64::from(BOUNDS_PADDING);
        let reach = map(inverse, half + slack.element_sum()) + furthest * f64::from(BOUNDS_PADDING);
        Self { min: (center - reach).as_vec2(), max: (center + reach).as_vec2() }.finite_part()
    }

    /// Returns the distance between two boxes; 0 if they overlap. It is a lower bound of the distance between their
    /// contents.
    pub(crate) fn gap(self, other: Self) -> f64 {
        let apart = |min: Vec2, max: Vec2| (min.as_dvec2() - max.as_dvec2()).max(DVec2::ZERO);
        (apart(self.min, other.max) + apart(other.min, self.max)).length()
    }

    /// Returns the box clamped to finite coordinates; `None` if it is empty or invalid.
    pub(crate) fn finite_part(self) -> Option<Self> {
        let most = Vec2::splat(f32::MAX);
        let has_points = self.min.cmple(self.max).all();
        has_points.then(|| Self { min: self.min.clamp(-most, most), max: self.max.clamp(-most, most) })
    }

    /// Returns `true` if no coordinate is NaN or infinite.
    #[must_use]
    #[inline]
    pub fn is_finite(self) -> bool {
        // Zero times a non-finite number is NaN. Unlike four comparisons, the sum needs no branches.
        self.min * 0.0 + self.max * 0.0 == Vec2::ZERO
    }
}
