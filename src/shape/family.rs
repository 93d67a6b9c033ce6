//! The one geometric idea: `W = conv(P) + M·D`, a convex polygon `P` of core points swollen by the affine image `M` of
//! the unit disc `D`.
//!
//! The family is closed under affine maps, so every world transform of a shape has an exact image in it.

use glam::{DMat2, DVec2, Vec2};
use smallvec::SmallVec;

#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::tolerance::{FLAT, SCREEN};

/// A convex shape in world space that is, or can pass for, a member of the family.
pub trait Family {
    /// The shape in the family's terms.
    #[doc(hidden)]
    fn hull(&self) -> Hull<'_>;
}

/// A member of the family. One type for all shapes, so that the authority is compiled once and not for every pair.
#[derive(Debug, Clone, Copy)]
pub struct Hull<'a> {
    /// The point that everything else is relative to. Two shapes' centres are subtracted first, so that being far from
    /// the origin costs nothing.
    pub(crate) center: Vec2,
    /// The core points.
    pub(crate) core: Core<'a>,
    /// What swells the core.
    pub(crate) disc: Disc<'a>,
}

/// What a core is swollen by.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Disc<'a> {
    /// A disc of this radius; 0 for none.
    Round(f64),
    /// The image of the unit disc under this matrix.
    Squashed(DMat2),
    /// Nobody knows: only the support function tells. Its points are exact to `f32` only.
    BlackBox(&'a dyn Support),
}

impl Disc<'_> {
    /// The disc that swells the sum of two shapes with these discs, if a map makes it round.
    pub(crate) fn and(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Round(a), Self::Round(b)) => Some(Self::Round(a + b)),
            (Self::Squashed(matrix), Self::Round(0.0)) | (Self::Round(0.0), Self::Squashed(matrix)) => {
                Some(Self::Squashed(*matrix))
            }
            (Self::Squashed(matrix), Self::Squashed(other)) if matrix == other => Some(Self::Squashed(*matrix * 2.0)),
            _ => None,
        }
    }
}

/// A shape that is known by its support function alone.
pub(crate) trait Support: core::fmt::Debug {
    /// The point furthest along a unit vector, relative to the centre.
    fn furthest(&self, direction: DVec2) -> DVec2;
}

impl Hull<'_> {
    /// The point of the shape furthest along `direction` (a unit vector), relative to the centre.
    pub(crate) fn furthest(&self, direction: DVec2) -> DVec2 {
        match self.disc {
            Disc::Round(radius) => self.core.furthest(direction) + direction * radius,
            Disc::Squashed(matrix) => {
                self.core.furthest(direction) + matrix * (matrix.transpose() * direction).normalize_or_zero()
            }
            Disc::BlackBox(shape) => shape.furthest(direction),
        }
    }

    /// How far the shape reaches from its centre, roughly: the scale that tolerances refer to.
    #[inline(always)]
    pub(crate) fn extent(&self) -> f64 {
        match self.disc {
            Disc::Round(radius) => self.core.extent() + radius,
            Disc::Squashed(matrix) => self.core.extent() + matrix.x_axis.length() + matrix.y_axis.length(),
            Disc::BlackBox(shape) => [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y]
                .into_iter()
                .map(|direction| shape.furthest(direction).abs().element_sum())
                .fold(0.0, f64::max),
        }
    }
}

/// The core points of a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Core<'a> {
    /// Up to four, exact where `f32` would not be.
    Few(Parallelogram),
    /// The corners of a polygon.
    Many(&'a [Vec2]),
}

/// A parallelogram, a segment or a point, relative to the shape's centre.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parallelogram {
    pub(super) middle: DVec2,
    /// From the middle to the middles of two neighbouring sides, counter-clockwise; zero where it is flat.
    pub(super) axes: [DVec2; 2],
    /// How many corners it has.
    pub(super) len: usize,
}

/// Evaluates `$body` with `$points` bound to the points of a core, as one of the slices that implement [`Points`].
macro_rules! with_points {
    ($core:expr, $points:ident => $body:expr) => {
        match $core {
            $crate::shape::family::Core::Few($points) => $body,
            $crate::shape::family::Core::Many($points) => {
                let $points: &[Vec2] = $points;
                $body
            }
        }
    };
}
pub(super) use with_points;

impl Core<'_> {
    /// A point at the centre.
    pub(crate) const POINT: Self = Self::Few(Parallelogram { middle: DVec2::ZERO, axes: [DVec2::ZERO; 2], len: 1 });

    /// The ends of a segment.
    #[inline]
    pub(crate) fn segment(ends: [Vec2; 2]) -> Self {
        let [a, b] = ends.map(|end| end.as_dvec2());
        Self::Few(Parallelogram { middle: (a + b) * 0.5, axes: [(a - b) * 0.5, DVec2::ZERO], len: 2 })
    }

    /// The corners of a parallelogram around the centre, by its half-axes.
    #[inline]
    pub(crate) fn parallelogram(half_axes: [Vec2; 2]) -> Self {
        let [x, y] = half_axes.map(|axis| axis.as_dvec2());
        let y = if x.perp_dot(y) < 0.0 { -y } else { y };
        Self::Few(Parallelogram { middle: DVec2::ZERO, axes: [x, y], len: 4 })
    }

    pub(crate) fn points(&self) -> SmallVec<[DVec2; 8]> {
        with_points!(self, points => (0..points.count()).map(|index| points.point(index)).collect())
    }

    pub(crate) fn furthest(&self, direction: DVec2) -> DVec2 {
        with_points!(self, points => points.furthest(direction))
    }

    #[inline]
    pub(crate) fn extent(&self) -> f64 {
        with_points!(self, points => points.extent())
    }
}

/// Points of a core, relative to the shape's centre, in the order of a convex outline (counter-clockwise where there is
/// an area).
pub(crate) trait Points {
    /// How many; at least one.
    fn count(&self) -> usize;
    /// The `index`-th.
    fn point(&self, index: usize) -> DVec2;

    /// The edge that starts at the `index`-th point: start and direction.
    #[inline]
    fn edge(&self, index: usize) -> (DVec2, DVec2) {
        let next = if index + 1 == self.count() { 0 } else { index + 1 };
        let start = self.point(index);
        (start, self.point(next) - start)
    }

    /// The point furthest along `direction`.
    #[inline]
    fn furthest(&self, direction: DVec2) -> DVec2 {
        let mut best = self.point(0);
        let mut reach = best.dot(direction);
        for index in 1..self.count() {
            let point = self.point(index);
            let along = point.dot(direction);
            if along > reach {
                (best, reach) = (point, along);
            }
        }
        best
    }

    /// The point furthest along `direction`, the one before it and the one after it.
    #[inline]
    fn corner(&self, direction: DVec2) -> [DVec2; 3] {
        let mut best = 0;
        let mut reach = self.point(0).dot(direction);
        for index in 1..self.count() {
            let along = self.point(index).dot(direction);
            (best, reach) = if along > reach { (index, along) } else { (best, reach) };
        }
        let before = if best == 0 { self.count() - 1 } else { best - 1 };
        let after = if best + 1 == self.count() { 0 } else { best + 1 };
        [best, before, after].map(|index| self.point(index))
    }

    /// The largest distance of a point from the centre, measured along the axes and summed.
    #[inline]
    fn extent(&self) -> f64 {
        (0..self.count()).map(|index| self.point(index).abs().element_sum()).fold(0.0, f64::max)
    }
}

impl Parallelogram {
    /// The corners, rounded; those that it has come first. `None` for a [sliver](is_sliver).
    #[inline]
    pub(super) fn outline(&self) -> Option<[Vec2; 4]> {
        let (middle, [x, y]) = (self.middle.as_vec2(), self.axes.map(|axis| axis.as_vec2()));
        let sliver = self.len == 4 && is_sliver([x, y]);
        (!sliver).then(|| [middle + x + y, middle - x + y, middle - x - y, middle + x - y])
    }

    /// The half-axes, each turned so that it points along `direction`.
    #[inline]
    fn along(&self, direction: DVec2) -> [DVec2; 2] {
        self.axes.map(|axis| if axis.dot(direction) < 0.0 { -axis } else { axis })
    }
}

/// Whether a parallelogram, by its half-axes, is so flat that the rounding of its corners may turn a short side until
/// the whole does not lie behind it any more.
#[inline]
pub(super) fn is_sliver([x, y]: [Vec2; 2]) -> bool {
    x.perp_dot(y).abs() <= SCREEN * x.length_squared().max(y.length_squared())
}

impl Points for Parallelogram {
    #[inline]
    fn count(&self) -> usize {
        self.len
    }

    #[inline]
    fn point(&self, index: usize) -> DVec2 {
        let [x, y] = self.axes;
        let x = if index == 0 || index == 3 { x } else { -x };
        self.middle + x + if index < 2 { y } else { -y }
    }

    #[inline]
    fn edge(&self, index: usize) -> (DVec2, DVec2) {
        // Of a flat one, the sides that are left are the first and the third.
        let index = if self.len == 2 { index * 2 } else { index };
        let [x, y] = self.axes;
        let (x, y) = if index % 2 == 0 { (x, y) } else { (y, -x) };
        let (x, y) = if index < 2 { (x, y) } else { (-x, -y) };
        (self.middle + x + y, x * -2.0)
    }

    #[inline]
    fn furthest(&self, direction: DVec2) -> DVec2 {
        let [x, y] = self.along(direction);
        self.middle + x + y
    }

    #[inline]
    fn corner(&self, direction: DVec2) -> [DVec2; 3] {
        let [x, y] = self.along(direction);
        [self.middle + x + y, self.middle - x + y, self.middle + x - y]
    }

    #[inline]
    fn extent(&self) -> f64 {
        (self.middle.abs() + self.axes[0].abs() + self.axes[1].abs()).element_sum()
    }
}

impl Points for [DVec2] {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn point(&self, index: usize) -> DVec2 {
        self[index]
    }
}

impl Points for [Vec2] {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn point(&self, index: usize) -> DVec2 {
        self[index].as_dvec2()
    }

    #[inline]
    fn extent(&self) -> f64 {
        self.iter().fold(Vec2::ZERO, |most, point| most.max(point.abs())).as_dvec2().element_sum()
    }
}

/// Points under an affine map, still counter-clockwise.
pub(super) struct Mapped<'a, P: ?Sized> {
    points: &'a P,
    offset: DVec2,
    matrix: DMat2,
    mirrors: bool,
}

impl<'a, P: Points + ?Sized> Mapped<'a, P> {
    /// The points, moved by `offset` first, under `matrix`.
    pub(super) fn new(points: &'a P, offset: DVec2, matrix: DMat2) -> Self {
        Self { points, offset, matrix, mirrors: matrix.determinant() < 0.0 }
    }
}

impl<P: Points + ?Sized> Points for Mapped<'_, P> {
    fn count(&self) -> usize {
        self.points.count()
    }

    fn point(&self, index: usize) -> DVec2 {
        let index = if self.mirrors { self.count() - 1 - index } else { index };
        self.matrix * (self.points.point(index) + self.offset)
    }
}

/// The inverse of a disc's matrix, unless it is [flat](flattened).
pub(crate) fn inverse(matrix: DMat2) -> Option<DMat2> {
    flattened(matrix).is_none().then(|| matrix.inverse())
}

/// The half-axis of the segment that the image of the unit disc has become, if its other axis is too short to tell.
pub(crate) fn flattened(matrix: DMat2) -> Option<DVec2> {
    let DMat2 { x_axis: x, y_axis: y } = matrix;
    // The squares of the two half-axes have this sum, and the determinant is their product.
    let squares = x.length_squared() + y.length_squared();
    if x.perp_dot(y).abs() > FLAT * squares {
        return None;
    }
    let longer = if x.length_squared() >= y.length_squared() { x } else { y };
    Some(longer.normalize_or_zero() * squares.sqrt())
}

#[cfg(test)]
mod tests {
    use glam::dvec2;

    use super::*;

    fn few(core: Core<'static>) -> Parallelogram {
        let Core::Few(few) = core else { unreachable!("a segment and a parallelogram have few points") };
        few
    }

    #[test]
    fn a_corner_comes_with_its_two_neighbours() {
        let shape = few(Core::parallelogram([Vec2::new(2.0, 0.5), Vec2::new(0.25, 1.0)]));
        for step in 0..64 {
            let direction = DVec2::from_angle(f64::from(step));
            let [corner, one, other] = shape.corner(direction);
            let index = (0..4).find(|index| shape.point(*index) == corner).unwrap();
            let neighbours = [shape.point((index + 3) % 4), shape.point((index + 1) % 4)];
            assert!([[one, other], [other, one]].contains(&neighbours), "{one} and {other}, not {neighbours:?}");
            assert!((0..4).all(|index| shape.point(index).dot(direction) <= corner.dot(direction)), "{direction}");
            assert_eq!(shape.furthest(direction), corner);
        }
    }

    #[test]
    fn an_outline_is_the_corners_in_order_unless_it_is_a_sliver() {
        let square = few(Core::parallelogram([Vec2::X, Vec2::Y]));
        assert_eq!(
            square.outline().unwrap().map(|corner| corner.as_dvec2())[..],
            [0, 1, 2, 3].map(|i| square.point(i))
        );
        let line = few(Core::segment([Vec2::X, Vec2::new(3.0, 4.0)]));
        assert_eq!(line.outline().unwrap()[..2], [Vec2::X, Vec2::new(3.0, 4.0)]);
        assert!(few(Core::parallelogram([Vec2::X, Vec2::Y * 1e-7])).outline().is_none());
    }

    #[test]
    fn a_sliver_is_thinner_than_a_screen_can_tell_at_any_size() {
        for unit in [1e-9, 1.0, 1e9] {
            let (length, width) = (Vec2::new(3.0, 4.0) * unit, Vec2::new(-4.0, 3.0) * unit);
            for axes in [|x, y| [x, y], |x, y| [y, x]] {
                assert!(is_sliver(axes(length, width * (0.9 * SCREEN))), "{unit}");
                assert!(!is_sliver(axes(length, width * (1.1 * SCREEN))), "{unit}");
            }
        }
    }

    #[test]
    fn a_disc_is_flat_when_its_image_is_thinner_than_told_at_any_size() {
        for unit in [1e-9, 1.0, 1e9] {
            let (long, short) = (dvec2(3.0, 4.0) * unit, dvec2(-4.0, 3.0) * unit);
            // Both columns lean on the long axis: together they reach further than each.
            let image =
                |part: f64| DMat2::from_cols(long * 0.6 + short * (part * 0.8), long * 0.8 - short * (part * 0.6));
            let half = flattened(image(0.9 * FLAT)).unwrap();
            assert!(half.distance(long) < 1e-7 * unit, "{half}");
            assert!(inverse(image(0.9 * FLAT)).is_none());
            assert!(flattened(image(1.1 * FLAT)).is_none(), "{unit}");
            let there_and_back = inverse(image(0.5)).unwrap() * image(0.5);
            assert!(there_and_back.abs_diff_eq(DMat2::IDENTITY, 1e-12), "{there_and_back}");
        }
    }
}
