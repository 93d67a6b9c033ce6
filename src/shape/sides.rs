//! The screen for polygons of any number of corners: the separating axis test, four edges at a time.

use glam::{Vec2, Vec4};

use super::features::{Missing, Side};
use super::zonotope::{magnitude, near};
use crate::math::tolerance::SCREEN;

/// Four edges of a polygon; where it has fewer, they go around once more.
struct Edges {
    start_x: Vec4,
    start_y: Vec4,
    edge_x: Vec4,
    edge_y: Vec4,
}

impl Edges {
    /// The edges from `first` on, of an outline relative to `origin`.
    #[inline]
    fn new(outline: &[Vec2], first: usize, origin: Vec2) -> Self {
        let [a, b, c, d, e] = match outline[first..] {
            [a, b, c, d, e, ..] => [a, b, c, d, e],
            [a, b, c, d] => [a, b, c, d, outline[0]],
            [a, b] if first == 0 => [a, b, a, b, a],
            _ => [0, 1, 2, 3, 4].map(|lane| outline[(first + lane) % outline.len()]),
        };
        let (start_x, start_y) = (Vec4::new(a.x, b.x, c.x, d.x), Vec4::new(a.y, b.y, c.y, d.y));
        let (end_x, end_y) = (Vec4::new(b.x, c.x, d.x, e.x), Vec4::new(b.y, c.y, d.y, e.y));
        Self {
            start_x: start_x - Vec4::splat(origin.x),
            start_y: start_y - Vec4::splat(origin.y),
            edge_x: end_x - start_x,
            edge_y: end_y - start_y,
        }
    }

    /// The least height of the points outside each edge, times its length.
    #[inline]
    fn heights(&self, points: &[Vec2]) -> Vec4 {
        let least = points.iter().fold(Vec4::INFINITY, |least, point| {
            least.min(self.edge_y * Vec4::splat(point.x) - self.edge_x * Vec4::splat(point.y))
        });
        least - (self.edge_y * self.start_x - self.edge_x * self.start_y)
    }

    fn length_squared(&self) -> Vec4 {
        self.edge_x * self.edge_x + self.edge_y * self.edge_y
    }

    /// The squared distance of the points to the nearest edge.
    fn nearest(&self, points: &[Vec2]) -> f32 {
        // An edge without length is its start, whatever it is divided by.
        let inverse = self.length_squared().max(Vec4::splat(f32::MIN_POSITIVE)).recip();
        let nearest = points.iter().fold(Vec4::INFINITY, |nearest, point| {
            let (x, y) = (Vec4::splat(point.x) - self.start_x, Vec4::splat(point.y) - self.start_y);
            let t = ((x * self.edge_x + y * self.edge_y) * inverse).max(Vec4::ZERO).min(Vec4::ONE);
            let (x, y) = (x - self.edge_x * t, y - self.edge_y * t);
            nearest.min(x * x + y * y)
        });
        nearest.min_element()
    }
}

/// Where each four edges of an outline begin: a point has none.
#[inline]
fn fours(outline: &[Vec2]) -> impl Iterator<Item = usize> {
    (0..outline.len()).step_by(4).filter(|_| outline.len() > 1)
}

/// The best separating axis of two such outlines, as `f32` sees it, if none parts them by more than `reach`.
pub(super) fn deepest(a: &[Vec2], b: &[Vec2], offset: Vec2, reach: f32) -> Result<Side, Missing> {
    let mut best = (f32::NEG_INFINITY, Side { of_a: true, index: 0 });
    for (outline, points, origin, of_a) in [(a, b, offset, true), (b, a, -offset, false)] {
        for first in fours(outline) {
            let edges = Edges::new(outline, first, origin);
            if let Some((gap_squared, lane)) = most(edges.heights(points), edges.edge_x, edges.edge_y, reach)?
                && gap_squared > best.0
            {
                best = (gap_squared, Side { of_a, index: (first + lane) % outline.len() });
            }
        }
    }
    if best.0.is_finite() { Ok(best.1) } else { Err(Missing::Unclear) }
}

/// The greatest of four heights over edges, each divided by its edge's length and squared (with the sign kept), and
/// whose it is: nobody's if all are points. The heights come times their lengths.
#[inline]
pub(super) fn most(heights: Vec4, edge_x: Vec4, edge_y: Vec4, reach: f32) -> Result<Option<(f32, usize)>, Missing> {
    let squares = edge_x * edge_x + edge_y * edge_y;
    // Before the division, since most of what is apart ends here. Denormal numbers would be too rough.
    let limits = (squares * (reach * reach)).max(Vec4::splat(f32::MIN_POSITIVE));
    if (heights * heights.abs()).cmpgt(limits).any() {
        return Err(Missing::Beyond);
    }
    let is_point = edge_x.cmpeq(Vec4::ZERO) & edge_y.cmpeq(Vec4::ZERO);
    if !(is_point | (squares.cmpge(Vec4::splat(f32::MIN_POSITIVE)) & squares.cmplt(Vec4::INFINITY))).all() {
        return Err(Missing::Unclear);
    }
    // Without length there is no axis; zero over zero would hide its neighbours' heights.
    let squares = Vec4::select(is_point, Vec4::NEG_INFINITY, heights / squares * heights.abs());
    let most = squares.max_element();
    let lane = squares.cmpeq(Vec4::splat(most)).bitmask().trailing_zeros() as usize;
    Ok((most > f32::NEG_INFINITY).then_some((most, lane)))
}

/// Whether two convex outlines, counter-clockwise and each relative to its own centre, come within `reach` of each
/// other, or `None` for a near tie. One or two points are a point and a segment.
pub(super) fn within(a: &[Vec2], b: &[Vec2], offset: Vec2, reach: f32) -> Option<bool> {
    let extent = |points: &[Vec2]| points.iter().fold(Vec2::ZERO, |most, point| most.max(point.abs())).element_sum();
    let size = magnitude(offset) + extent(a) + extent(b) + reach;
    let (mut inside, mut outside) = (a.len().max(b.len()) > 1, false);
    for (outline, points, origin) in [(a, b, offset), (b, a, -offset)] {
        for first in fours(outline) {
            let edges = Edges::new(outline, first, origin);
            let heights = edges.heights(points);
            let doubt = (edges.edge_x.abs() + edges.edge_y.abs()) * (size * SCREEN) + f32::MIN_POSITIVE;
            inside &= heights.cmplt(-doubt).all();
            let beyond = (heights - doubt).max(Vec4::ZERO);
            let limit = edges.length_squared() * (reach * reach);
            if (beyond * beyond).cmpgt(limit).any() {
                return Some(false);
            }
            outside |= heights.cmpgt(doubt).any();
        }
    }
    if inside {
        return Some(true);
    }
    if reach == 0.0 {
        return None;
    }
    let mut nearest = f32::INFINITY;
    for (outline, points, origin) in [(a, b, offset), (b, a, -offset)] {
        for first in fours(outline) {
            nearest = nearest.min(Edges::new(outline, first, origin).nearest(points));
        }
    }
    near(nearest, reach, size).filter(|within| *within || outside)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use core::f32::consts::TAU;

    use glam::{DVec2, vec2};

    use super::*;
    use crate::shape::family::{Core, Points};
    use crate::shape::zonotope;

    /// An outline with so many corners on an ellipse.
    fn outline(corners: usize, turn: f32) -> Vec<Vec2> {
        let angle = |corner| corner as f32 / corners as f32 * TAU + turn;
        (0..corners).map(|corner| Vec2::from_angle(angle(corner)) * vec2(1.5, 1.0)).collect()
    }

    /// How far `b` is beyond each side of `a` that has a length.
    fn gaps<A: Points + ?Sized, B: Points + ?Sized>(a: &A, b: &B, offset: DVec2) -> Vec<(usize, f64)> {
        let sides = (0..a.count()).map(|index| (index, a.edge(index)));
        let across = |(start, edge): (DVec2, DVec2)| {
            let heights = (0..b.count()).map(|index| (b.point(index) + offset - start).dot(-edge.perp().normalize()));
            heights.fold(f64::INFINITY, f64::min)
        };
        sides.filter(|(_, (_, edge))| *edge != DVec2::ZERO).map(|(index, side)| (index, across(side))).collect()
    }

    /// Asks for the best side at several offsets and within several reaches.
    fn each_answer<A: Points + ?Sized, B: Points + ?Sized>(
        a: &A,
        b: &B,
        deepest: impl Fn(Vec2, f32) -> Result<Side, Missing>,
    ) {
        for (step, reach) in (0..200).flat_map(|step| [0.0, 0.75, f32::INFINITY].map(|reach| (step, reach))) {
            let offset = Vec2::from_angle(step as f32) * (step as f32 * 0.025);
            let gaps = [gaps(a, b, offset.as_dvec2()), gaps(b, a, -offset.as_dvec2())];
            let most = gaps.iter().flatten().map(|(_, gap)| *gap).fold(f64::NEG_INFINITY, f64::max);
            match deepest(offset, reach) {
                Ok(Side { of_a, index }) => {
                    let told = gaps[usize::from(!of_a)].iter().find(|(side, _)| *side == index).unwrap().1;
                    assert!(told > most - 1e-5 && most < f64::from(reach) + 1e-5, "{told} of {most} at {offset}");
                }
                Err(Missing::Beyond) => assert!(most > f64::from(reach) - 1e-5, "{most} at {offset} is not beyond"),
                Err(Missing::Unclear) => assert_eq!(most, f64::NEG_INFINITY, "{offset}"),
            }
        }
    }

    #[test]
    fn the_best_side_is_the_one_that_the_other_outline_is_furthest_beyond() {
        for (count_a, count_b) in (1..10).flat_map(|a| (1..10).map(move |b| (a, b))) {
            let (a, b) = (outline(count_a, 0.3), outline(count_b, 2.0));
            each_answer(&a[..], &b[..], |offset, reach| deepest(&a, &b, offset, reach));
        }
    }

    #[test]
    fn the_best_side_of_parallelograms_is_found_as_well() {
        let [x, y] = [vec2(1.5, 0.5), vec2(-0.25, 1.0)];
        let cores = [
            Core::POINT,
            Core::segment([vec2(1.0, -0.5), vec2(-0.5, 2.0)]),
            Core::segment([x, x]),
            Core::parallelogram([x, y]),
            Core::parallelogram([y, x]),
            Core::parallelogram([x, Vec2::ZERO]),
            Core::parallelogram([Vec2::ZERO, y]),
        ];
        for (a, b) in cores.iter().flat_map(|a| cores.iter().map(move |b| (a, b))) {
            let (Core::Few(a), Core::Few(b)) = (a, b) else { unreachable!("none of them has many points") };
            each_answer(a, b, |offset, reach| zonotope::deepest(a, b, offset.as_dvec2(), reach));
        }
    }

    #[test]
    fn sides_whose_squares_leave_the_range_tell_nothing() {
        for unit in [1e-21, 1e20] {
            let triangle = outline(3, 0.3).iter().map(|point| *point * unit).collect::<Vec<_>>();
            assert!(matches!(deepest(&triangle, &triangle, Vec2::ZERO, 0.0), Err(Missing::Unclear)), "{unit}");
        }
    }

    #[test]
    fn where_nothing_has_a_length_nothing_is_the_most() {
        assert!(matches!(most(Vec4::ZERO, Vec4::ZERO, Vec4::ZERO, 1.0), Ok(None)));
    }
}
