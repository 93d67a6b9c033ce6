use glam::{Affine2, DVec2, Vec2};

use super::tolerance::{BOUNDS, FLAT};

/// An axis-aligned box in world space, closed: its border belongs to it.
///
/// A box with a NaN corner, or one made [`EMPTY`](Self::EMPTY), overlaps and contains nothing.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/aabb.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias = "bounding box")]
pub struct Aabb {
    /// The corner with the smaller coordinates.
    pub min: Vec2,
    /// The corner with the larger coordinates.
    pub max: Vec2,
}

impl Aabb {
    /// The box that contains nothing; the neutral element of [`union`](Self::union).
    pub const EMPTY: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    /// The whole plane.
    pub const EVERYTHING: Self = Self { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY };

    /// The box between two opposite corners, given in any order. A NaN makes it a box that contains nothing.
    #[must_use]
    pub fn new(a: Vec2, b: Vec2) -> Self {
        // `min` and `max` would drop a NaN.
        if a.is_nan() || b.is_nan() {
            return Self { min: Vec2::NAN, max: Vec2::NAN };
        }
        Self { min: a.min(b), max: a.max(b) }
    }

    /// The box around `center` that reaches `half_extents` to each side.
    #[must_use]
    pub fn from_center(center: Vec2, half_extents: Vec2) -> Self {
        Self::new(center - half_extents, center + half_extents)
    }

    /// The smallest box that contains every given point; [`EMPTY`](Self::EMPTY) for none. A NaN makes it a box that
    /// contains nothing.
    #[must_use]
    pub fn from_points(points: impl IntoIterator<Item = Vec2>) -> Self {
        // `min` and `max` drop a NaN, so it is remembered beside.
        let (all, is_nan) = points.into_iter().fold((Self::EMPTY, false), |(all, is_nan), point| {
            (Self { min: all.min.min(point), max: all.max.max(point) }, is_nan | point.is_nan())
        });
        if is_nan { Self { min: Vec2::NAN, max: Vec2::NAN } } else { all }
    }

    /// The box around offsets from a centre, a few units in the last place larger than
    /// computed, so that a shape never sticks out of its bounds by rounding. The same on all sides, so that what counts
    /// as touching a long thin shape is never outside of its box.
    #[inline]
    pub(crate) fn padded(center: Vec2, min: Vec2, max: Vec2) -> Self {
        let slack = ((center.abs() + min.abs().max(max.abs())) * BOUNDS).element_sum();
        Self { min: center + min - slack, max: center + max + slack }
    }

    /// The middle; NaN for [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub fn center(self) -> Vec2 {
        self.min + (self.max - self.min) * 0.5
    }

    /// Width and height; negative for [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    /// Whether the point lies in the box or on its border.
    #[must_use]
    pub fn contains(self, point: Vec2) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// Whether the boxes share a point; touching counts.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }

    /// The smallest box that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box made larger by `margin` on every side (smaller, if negative).
    #[must_use]
    pub fn grown(self, margin: f32) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// The box around what an affine map makes of a finite box, padded by rounding: also by that of points in it that
    /// are mapped one by one.
    pub(crate) fn image(self, by: &Affine2) -> Self {
        let (x_axis, y_axis) = (by.matrix2.x_axis, by.matrix2.y_axis);
        let (half, center) = (self.max * 0.5 - self.min * 0.5, self.max * 0.5 + self.min * 0.5);
        let reach = x_axis.abs() * half.x + y_axis.abs() * half.y;
        let shift = x_axis.abs() * center.x.abs() + y_axis.abs() * center.y.abs();
        let slack = ((shift + reach + by.translation.abs()) * BOUNDS).element_sum();
        let center = by.transform_point2(center);
        Self { min: center - reach - slack, max: center + reach + slack }
    }

    /// A box around everything that an affine map takes into a finite box, rounding included; `None` if the map
    /// flattens the plane, so that there may be no such box.
    pub(crate) fn preimage(self, by: &Affine2) -> Option<Self> {
        let matrix = by.matrix2.as_dmat2();
        let squares = matrix.x_axis.length_squared() + matrix.y_axis.length_squared();
        if matrix.determinant().abs() <= FLAT * squares {
            return None;
        }
        let inverse = matrix.inverse();
        let map = |matrix: glam::DMat2, reach: DVec2| matrix.x_axis.abs() * reach.x + matrix.y_axis.abs() * reach.y;
        let [min, max, shift] = [self.min, self.max, by.translation].map(|corner| corner.as_dvec2());
        let center = inverse * ((min + max) * 0.5 - shift);
        let half = (max - min) * 0.5;
        // The points of a shape there are rounded when they are mapped.
        let furthest = center.abs() + map(inverse, half);
        let slack = (map(matrix, furthest) + shift.abs()) * f64::from(BOUNDS);
        let reach = map(inverse, half + slack.element_sum()) + furthest * f64::from(BOUNDS);
        let (min, max) = ((center - reach).as_vec2(), (center + reach).as_vec2());
        let most = Vec2::splat(f32::MAX);
        (!min.is_nan() && !max.is_nan()).then(|| Self { min: min.max(-most), max: max.min(most) })
    }

    /// How far two boxes are apart; 0 if they overlap. Not more than what anything in them is apart.
    pub(crate) fn gap(self, other: Self) -> f64 {
        let apart = |min: Vec2, max: Vec2| (min.as_dvec2() - max.as_dvec2()).max(DVec2::ZERO);
        (apart(self.min, other.max) + apart(other.min, self.max)).length()
    }

    /// What there is of it in finite numbers; `None` if it is empty or has a NaN.
    pub(crate) fn finite_part(self) -> Option<Self> {
        let most = Vec2::splat(f32::MAX);
        let has_points = self.min.cmple(self.max).all();
        has_points.then(|| Self { min: self.min.clamp(-most, most), max: self.max.clamp(-most, most) })
    }

    /// Whether every coordinate is a finite number.
    #[must_use]
    #[inline]
    pub fn is_finite(self) -> bool {
        // Zero times what is not finite is NaN, and so is the sum; no branch for each coordinate.
        self.min * 0.0 + self.max * 0.0 == Vec2::ZERO
    }
}
