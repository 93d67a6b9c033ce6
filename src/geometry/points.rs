//! The corner points of a convex outline, in the representations that shapes have, and what is computed from them.

use glam::{DMat2, DVec2, Vec2, Vec4, Vec4Swizzles};
use smallvec::SmallVec;

use crate::math::Each;
use crate::math::tolerance::FAST_OVERLAP;

/// The corners of a convex outline, relative to a shape's centre, counter-clockwise if they enclose an area. One corner
/// is a point and two are a segment.
pub(crate) trait Points: Copy {
    /// Returns the number of corners, at least one.
    fn count(self) -> usize;

    /// Returns the corner with this index.
    fn point(self, index: usize) -> DVec2;

    /// Returns the side that starts at a corner: its start, and its vector to the next corner.
    #[inline]
    fn edge(self, index: usize) -> (DVec2, DVec2) {
        let start = self.point(index);
        (start, self.point(wrapped(index + 1, self.count())) - start)
    }

    /// Returns the index of the corner furthest along `direction`, the first one of equals.
    #[inline]
    fn furthest_index(self, direction: DVec2) -> usize {
        let mut best = 0;
        let mut reach = self.point(0).dot(direction);
        for index in 1..self.count() {
            let along = self.point(index).dot(direction);
            (best, reach) = if along > reach { (index, along) } else { (best, reach) };
        }
        best
    }

    /// Returns the corner furthest along `direction`, one of equals.
    #[inline]
    fn furthest(self, direction: DVec2) -> DVec2 {
        self.point(self.furthest_index(direction))
    }

    /// Returns the corner furthest along `direction`, then its predecessor and its successor, in either order.
    #[inline]
    fn furthest_with_neighbors(self, direction: DVec2) -> [DVec2; 3] {
        let (best, count) = (self.furthest_index(direction), self.count());
        [best, wrapped(best + count - 1, count), wrapped(best + 1, count)].each(|index| self.point(index))
    }

    /// Returns the least coordinate of a corner along `direction`, times the length of `direction`.
    #[inline]
    fn lowest(self, direction: DVec2) -> f64 {
        (1..self.count()).fold(self.point(0).dot(direction), |lowest, index| {
            let height = self.point(index).dot(direction);
            if height < lowest { height } else { lowest }
        })
    }

    /// Returns the largest Manhattan distance of a corner from the centre, or an upper bound that is at most twice as
    /// large.
    #[inline]
    fn extent(self) -> f64 {
        (0..self.count()).map(|index| self.point(index).abs().element_sum()).fold(0.0, f64::max)
    }

    /// Returns twice the enclosed area: next to nothing if the corners are collinear.
    fn twice_area(self) -> f64 {
        let first = self.point(0);
        (2..self.count()).map(|index| (self.point(index - 1) - first).perp_dot(self.point(index) - first)).sum()
    }

    /// Returns the vector from the first corner to the one furthest from it.
    fn spread(self) -> DVec2 {
        let vectors = (1..self.count()).map(|index| self.point(index) - self.point(0));
        let longer = |a: DVec2, b: DVec2| if b.length_squared() > a.length_squared() { b } else { a };
        vectors.fold(DVec2::ZERO, longer)
    }

    /// Returns the ends of the side that faces `direction`: the side whose own normal differs from it by an angle with
    /// at most this sine, or all such sides in a row, as an outline without area has. Without such a side, both ends
    /// are the furthest corner.
    fn facing_side(self, direction: DVec2, sine: f64) -> [DVec2; 2] {
        // Sides run counter-clockwise, so the outward normal is on their right.
        let facing = |index: usize| {
            let (start, edge) = self.edge(index);
            let along = edge.dot(direction);
            let faces = edge.perp_dot(direction) < 0.0 && along * along <= sine * sine * edge.length_squared();
            faces.then(|| [start, start + edge])
        };
        let Some((first, [mut from, mut to])) = (0..self.count()).find_map(|index| Some((index, facing(index)?)))
        else {
            return [self.furthest(direction); 2];
        };
        for [_, end] in (first + 1..self.count()).map_while(facing) {
            to = end;
        }
        if first == 0 {
            for [start, _] in (1..self.count()).rev().map_while(facing) {
                from = start;
            }
        }
        [from, to]
    }
}

/// Returns `index` modulo `count` without a division, for an index below twice the count: after the last corner the
/// first one follows again.
#[inline]
pub(super) fn wrapped(index: usize, count: usize) -> usize {
    if index < count { index } else { index - count }
}

impl Points for &[Vec2] {
    #[inline]
    fn count(self) -> usize {
        self.len()
    }

    #[inline]
    fn point(self, index: usize) -> DVec2 {
        self[index].as_dvec2()
    }

    /// Bounds the distance by the corner of the box around all corners, which is quicker and at most twice as large.
    #[inline]
    fn extent(self) -> f64 {
        half_extents(self).as_dvec2().element_sum()
    }
}

/// Returns half the size of the smallest box around the centre that contains all points.
#[inline]
pub(crate) fn half_extents(points: &[Vec2]) -> Vec2 {
    let (pairs, last) = points.as_chunks();
    let most = pairs.iter().fold(Vec4::ZERO, |most, [a, b]| most.max(Vec4::new(a.x, a.y, b.x, b.y).abs()));
    last.iter().fold(most.xy().max(most.zw()), |most, point| most.max(point.abs()))
}

/// A parallelogram, a segment or a point, relative to a shape's centre.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parallelogram {
    pub(super) middle: DVec2,
    /// The vectors from the middle to the middles of two neighbouring sides, counter-clockwise; zero for what a segment
    /// or a point lacks.
    pub(super) axes: [DVec2; 2],
    /// The number of corners: 1, 2 or 4.
    pub(super) len: usize,
}

impl Parallelogram {
    /// Returns the corners in `f32`, the first `len` of which are valid; `None` for a [sliver](is_sliver).
    #[inline]
    pub(super) fn outline(&self) -> Option<[Vec2; 4]> {
        let (middle, [x, y]) = (self.middle.as_vec2(), self.axes.each(|axis| axis.as_vec2()));
        let sliver = self.len == 4 && is_sliver([x, y]);
        (!sliver).then(|| [middle + x + y, middle - x + y, middle - x - y, middle + x - y])
    }

    /// Returns the half-axes with their signs chosen so that both point along `direction`.
    #[inline]
    fn along(&self, direction: DVec2) -> [DVec2; 2] {
        self.axes.each(|axis| if axis.dot(direction) < 0.0 { -axis } else { axis })
    }

    /// Returns half the width and height of a rectangle whose sides are parallel to the coordinate axes; `None` for
    /// other shapes.
    #[inline]
    pub(super) fn upright_half(&self) -> Option<DVec2> {
        let [x, y] = self.axes;
        (self.len == 4 && x.y == 0.0 && y.x == 0.0).then(|| DVec2::new(x.x, y.y).abs())
    }
}

/// Returns `true` if a parallelogram, given by its half-axes, is so flat that rounding its corners may turn a short
/// side until it no longer bounds the whole.
#[inline]
fn is_sliver([x, y]: [Vec2; 2]) -> bool {
    x.perp_dot(y).abs() <= FAST_OVERLAP * x.length_squared().max(y.length_squared())
}

impl Points for &Parallelogram {
    #[inline]
    fn count(self) -> usize {
        self.len
    }

    #[inline]
    fn point(self, index: usize) -> DVec2 {
        let [x, y] = self.axes;
        let x = if index == 0 || index == 3 { x } else { -x };
        self.middle + x + if index < 2 { y } else { -y }
    }

    #[inline]
    fn edge(self, index: usize) -> (DVec2, DVec2) {
        // The two sides of a segment are the first and the third of a parallelogram.
        let index = if self.len == 2 { index * 2 } else { index };
        let [x, y] = self.axes;
        let (x, y) = if index % 2 == 0 { (x, y) } else { (y, -x) };
        let (x, y) = if index < 2 { (x, y) } else { (-x, -y) };
        (self.middle + x + y, x * -2.0)
    }

    /// Takes the middle if it is the only corner: casts of circles, which are most, need no more.
    #[inline]
    fn lowest(self, direction: DVec2) -> f64 {
        if self.len == 1 { self.middle.dot(direction) } else { self.furthest(-direction).dot(direction) }
    }

    #[inline]
    fn furthest(self, direction: DVec2) -> DVec2 {
        let [x, y] = self.along(direction);
        self.middle + x + y
    }

    /// Takes each axis along the direction or, if its side faces it, both ways.
    #[inline]
    fn facing_side(self, direction: DVec2, sine: f64) -> [DVec2; 2] {
        let mut ends = [self.middle; 2];
        for axis in self.axes {
            let (along, up) = (axis.perp_dot(direction), axis.dot(direction));
            let [from, to] = if up * up <= sine * sine * axis.length_squared() {
                // Sides run counter-clockwise, so the outward normal is on their right.
                if along < 0.0 { [-axis, axis] } else { [axis, -axis] }
            } else if up < 0.0 {
                [-axis; 2]
            } else {
                [axis; 2]
            };
            ends = [ends[0] + from, ends[1] + to];
        }
        ends
    }

    #[inline]
    fn furthest_with_neighbors(self, direction: DVec2) -> [DVec2; 3] {
        let [x, y] = self.along(direction);
        [self.middle + x + y, self.middle - x + y, self.middle + x - y]
    }

    #[inline]
    fn extent(self) -> f64 {
        (self.middle.abs() + self.axes[0].abs() + self.axes[1].abs()).element_sum()
    }
}

/// The corners of an outline, computed.
pub(crate) type Outline = SmallVec<[DVec2; 32]>;

impl Points for &Outline {
    #[inline]
    fn count(self) -> usize {
        self.len()
    }

    #[inline]
    fn point(self, index: usize) -> DVec2 {
        self[index]
    }
}

/// Returns the image of an outline under a matrix, counter-clockwise even if the matrix mirrors.
pub(super) fn mapped(outline: &[DVec2], matrix: DMat2) -> Outline {
    let mut image: Outline = outline.iter().map(|point| matrix * *point).collect();
    if matrix.determinant() < 0.0 {
        image.reverse();
    }
    image
}

/// Returns the point between two others at the fraction `t`. (The rounding of `lerp` differs between versions of glam.)
pub(crate) fn lerp(from: DVec2, to: DVec2, t: f64) -> DVec2 {
    from + (to - from) * t
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hull::Core;

    fn parallelogram(core: Core<'static>) -> Parallelogram {
        let Core::Parallelogram(shape) = core else { unreachable!("segments and rectangles are parallelograms") };
        shape
    }

    #[test]
    fn the_furthest_corner_comes_with_its_two_neighbors() {
        let shape = parallelogram(Core::parallelogram([Vec2::new(2.0, 0.5), Vec2::new(0.25, 1.0)]));
        for step in 0..64 {
            let direction = DVec2::from_angle(f64::from(step));
            let [corner, one, other] = shape.furthest_with_neighbors(direction);
            let index = (0..4).find(|index| shape.point(*index) == corner).unwrap();
            let neighbors = [shape.point((index + 3) % 4), shape.point((index + 1) % 4)];
            assert!([[one, other], [other, one]].contains(&neighbors), "{one} and {other}, not {neighbors:?}");
            assert!((0..4).all(|index| shape.point(index).dot(direction) <= corner.dot(direction)), "{direction}");
            assert_eq!(shape.furthest(direction), corner);
        }
    }

    #[test]
    fn the_side_of_a_parallelogram_that_faces_a_direction_is_that_of_its_corners() {
        let shapes = [
            Core::POINT,
            Core::segment([Vec2::X, Vec2::new(3.0, 4.0)]),
            Core::parallelogram([Vec2::X * 2.0, Vec2::Y]),
            Core::parallelogram([Vec2::new(2.0, 0.5), Vec2::new(0.25, 1.0)]),
            Core::parallelogram([Vec2::new(2.0, 0.5), Vec2::ZERO]),
        ]
        .map(parallelogram);
        for shape in shapes {
            let corners: alloc::vec::Vec<_> = (0..shape.count()).map(|index| shape.point(index).as_vec2()).collect();
            let normals = shape.axes.into_iter().flat_map(|axis| [axis.perp(), -axis.perp()]);
            let turned = (0..64).map(|step| DVec2::from_angle(f64::from(step)));
            for direction in normals.filter_map(DVec2::try_normalize).chain(turned) {
                let found = shape.facing_side(direction, 1e-6);
                assert_eq!(found, (&corners[..]).facing_side(direction, 1e-6), "{shape:?} {direction}");
            }
        }
    }

    #[test]
    fn the_f32_outline_has_the_corners_in_order_and_is_none_for_a_sliver() {
        let square = parallelogram(Core::parallelogram([Vec2::X, Vec2::Y]));
        assert_eq!(
            square.outline().unwrap().map(|corner| corner.as_dvec2())[..],
            [0, 1, 2, 3].map(|i| square.point(i))
        );
        let line = parallelogram(Core::segment([Vec2::X, Vec2::new(3.0, 4.0)]));
        assert_eq!(line.outline().unwrap()[..2], [Vec2::X, Vec2::new(3.0, 4.0)]);
        assert!(parallelogram(Core::parallelogram([Vec2::X, Vec2::Y * 1e-7])).outline().is_none());
    }

    #[test]
    fn a_sliver_is_flatter_than_the_f32_tolerance_at_any_size() {
        for unit in [1e-9, 1.0, 1e9] {
            let (length, width) = (Vec2::new(3.0, 4.0) * unit, Vec2::new(-4.0, 3.0) * unit);
            for axes in [|x, y| [x, y], |x, y| [y, x]] {
                assert!(is_sliver(axes(length, width * (0.9 * FAST_OVERLAP))), "{unit}");
                assert!(!is_sliver(axes(length, width * (1.1 * FAST_OVERLAP))), "{unit}");
            }
        }
    }
}
