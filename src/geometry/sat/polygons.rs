//! The separating axis test for polygons with any number of corners, in `f32`, four sides at a time.

use glam::{Vec2, Vec4, Vec4Swizzles};

use super::best_side::{NotFound, ReferenceSide, squared_gaps};
use super::four_vectors::FourVectors;
use super::rounding::{is_within, squares_are_finite};
use crate::geometry::points::{half_extents, wrapped};
use crate::geometry::separation::Operand;
use crate::math::tolerance::FAST_OVERLAP;

/// Four consecutive sides of a polygon. After the last side the first one follows again.
pub(super) struct FourSides {
    pub(super) starts: FourVectors,
    pub(super) edges: FourVectors,
}

impl FourSides {
    /// Returns the sides from the corner `first` on, relative to `origin`.
    #[inline(always)]
    fn new(outline: &[Vec2], first: usize, origin: Vec2) -> Self {
        let [a, b, c, d, e] = match outline[first..] {
            [a, b, c, d, ref rest @ ..] => [a, b, c, d, *rest.first().unwrap_or(&outline[0])],
            [a, b] if first == 0 => [a, b, a, b, a],
            _ => [0, 1, 2, 3, 4].map(|lane| outline[wrapped(first + lane, outline.len())]),
        };
        let (starts, ends) = (FourVectors::new([a, b, c, d]), FourVectors::new([b, c, d, e]));
        Self { starts: starts - FourVectors::splat(origin), edges: ends - starts }
    }

    /// Returns the gaps along the sides' outward normals, times the sides' lengths: the least heights of the points.
    #[inline]
    fn gaps(&self, points: &[Vec2]) -> Vec4 {
        // The outward normal is on the right of a side.
        let height = |x: Vec4, y: Vec4| FourVectors { x, y }.perp_dot(self.edges);
        // One load and four shuffles per two points.
        let (pairs, last) = points.as_chunks();
        let lowest = pairs.iter().fold(Vec4::INFINITY, |lowest, [a, b]| {
            let both = Vec4::new(a.x, a.y, b.x, b.y);
            lowest.min(height(both.xxxx(), both.yyyy())).min(height(both.zzzz(), both.wwww()))
        });
        let last = last.iter().map(|point| height(Vec4::splat(point.x), Vec4::splat(point.y)));
        last.fold(lowest, Vec4::min) - height(self.starts.x, self.starts.y)
    }

    /// Returns the same for the origin only.
    #[inline]
    pub(super) fn gaps_of_origin(&self) -> Vec4 {
        self.edges.perp_dot(self.starts)
    }

    /// Returns the squared distances of the sides from the nearest of the points.
    #[inline(always)]
    fn distances_squared(&self, points: &[Vec2]) -> Vec4 {
        let Self { starts, edges } = *self;
        // A side without length is its start, whatever the numerator is divided by.
        let inverse = edges.normal_length_squared().recip();
        points.iter().fold(Vec4::INFINITY, |nearest, point| {
            let from_start = FourVectors::splat(*point) - starts;
            let t = (from_start.dot(edges) * inverse).max(Vec4::ZERO).min(Vec4::ONE);
            nearest.min((from_start - edges * t).length_squared())
        })
    }
}

/// Returns the sides of an outline relative to `origin`, four at a time.
#[inline(always)]
pub(super) fn four_sides(outline: &[Vec2], origin: Vec2) -> impl Iterator<Item = FourSides> {
    // A point has no sides.
    let end = if outline.len() > 1 { outline.len() } else { 0 };
    (0..end.div_ceil(4)).map(move |four| FourSides::new(outline, four * 4, origin))
}

/// The side with the largest gap so far in each lane.
struct BestSides {
    /// The gaps squared, with their signs kept.
    squared_gaps: Vec4,
    /// The indices of the sides.
    indices: Vec4,
}

impl BestSides {
    const NONE: Self = Self { squared_gaps: Vec4::NEG_INFINITY, indices: Vec4::ZERO };

    /// Compares the sides of an outline, relative to `origin`, with these. Its first side has the index `first`.
    #[inline(always)]
    fn visit(
        &mut self,
        outline: &[Vec2],
        origin: Vec2,
        first: usize,
        gaps: impl Fn(&FourSides) -> Vec4,
        reach: f32,
    ) -> Result<(), NotFound> {
        let mut indices = Vec4::splat(first as u32 as f32) + Vec4::new(0.0, 1.0, 2.0, 3.0);
        for sides in four_sides(outline, origin) {
            let squared_gaps = squared_gaps(gaps(&sides), sides.edges, reach)?;
            let is_larger = squared_gaps.cmpgt(self.squared_gaps);
            self.squared_gaps = Vec4::select(is_larger, squared_gaps, self.squared_gaps);
            self.indices = Vec4::select(is_larger, indices, self.indices);
            indices += 4.0;
        }
        Ok(())
    }

    /// Returns the index of the side with the largest gap, the first of equals.
    #[inline(always)]
    fn index(&self) -> Result<usize, NotFound> {
        let most = self.squared_gaps.max_element();
        if !most.is_finite() {
            return Err(NotFound::Unclear);
        }
        let is_best = self.squared_gaps.cmpeq(Vec4::splat(most));
        let index = Vec4::select(is_best, self.indices, Vec4::INFINITY).min_element();
        // Larger integers are not exact in `f32`.
        if index < (1 << f32::MANTISSA_DIGITS) as f32 { Ok(index as u32 as usize) } else { Err(NotFound::Unclear) }
    }
}

/// Returns the side with the largest gap of two convex outlines, counter-clockwise and each relative to its own centre;
/// the first of equals.
///
/// # Errors
/// If the outlines are certainly further apart than `reach`, or no side has a usable length.
pub(crate) fn best_side(a: &[Vec2], b: &[Vec2], offset: Vec2, reach: f32) -> Result<ReferenceSide, NotFound> {
    // The last four sides of an outline may begin again with its first ones.
    let first_of_b = a.len().next_multiple_of(4);
    let mut best = BestSides::NONE;
    best.visit(a, offset, 0, |sides| sides.gaps(b), reach)?;
    best.visit(b, -offset, first_of_b, |sides| sides.gaps(a), reach)?;
    let index = best.index()?;
    Ok(match index.checked_sub(first_of_b) {
        None => ReferenceSide { operand: Operand::A, index: wrapped(index, a.len()) },
        Some(index) => ReferenceSide { operand: Operand::B, index: wrapped(index, b.len()) },
    })
}

/// Returns the side with the largest gap of a convex outline and a point. Inlined, since the contacts of circles and
/// polygons gain a third (W5 of `benches/peers`).
///
/// # Errors
/// If they are certainly further apart than `reach`, or no side has a usable length.
#[inline(always)]
pub(crate) fn best_side_towards(outline: &[Vec2], point: Vec2, reach: f32) -> Result<usize, NotFound> {
    let mut best = BestSides::NONE;
    best.visit(outline, point, 0, FourSides::gaps_of_origin, reach)?;
    Ok(wrapped(best.index()?, outline.len()))
}

/// Returns whether two convex outlines, counter-clockwise and each relative to its own centre, overlap; `None` for a
/// near tie. One or two corners are a point and a segment.
pub(crate) fn overlaps(a: &[Vec2], b: &[Vec2], offset: Vec2) -> Option<bool> {
    let size = offset.abs().element_sum() + half_extents(a).element_sum() + half_extents(b).element_sum();
    if !squares_are_finite(size) {
        return None;
    }
    let mut inside = a.len().max(b.len()) > 1;
    for (outline, points, origin) in [(a, b, offset), (b, a, -offset)] {
        for sides in four_sides(outline, origin) {
            let gaps = sides.gaps(points);
            let doubts = sides.edges.manhattan_length() * (size * FAST_OVERLAP) + f32::MIN_POSITIVE;
            if gaps.cmpgt(doubts).any() {
                return Some(false);
            }
            inside &= gaps.cmplt(-doubts).all();
        }
    }
    inside.then_some(true)
}

/// Returns whether the borders of two outlines are within `reach` of each other; `None` for a near tie.
pub(super) fn are_borders_within(a: &[Vec2], b: &[Vec2], offset: Vec2, reach: f32, size: f32) -> Option<bool> {
    let mut nearest = Vec4::INFINITY;
    for (outline, points, origin) in [(a, b, offset), (b, a, -offset)] {
        for sides in four_sides(outline, origin) {
            nearest = nearest.min(sides.distances_squared(points));
        }
    }
    is_within(nearest.min_element(), reach, size)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use core::f32::consts::TAU;

    use glam::{DVec2, vec2};

    use super::*;
    use crate::geometry::hull::Core;
    use crate::geometry::points::Points;
    use crate::geometry::sat::parallelograms;

    /// Returns an outline with this number of corners on an ellipse.
    fn outline(corners: usize, turn: f32) -> Vec<Vec2> {
        let angle = |corner| corner as f32 / corners as f32 * TAU + turn;
        (0..corners).map(|corner| Vec2::from_angle(angle(corner)) * vec2(1.5, 1.0)).collect()
    }

    /// Returns the gap of `b` along each side of `a` that has a length.
    fn gaps(a: impl Points, b: impl Points, offset: DVec2) -> Vec<(usize, f64)> {
        let sides = (0..a.count()).map(|index| (index, a.edge(index)));
        let across = |(start, edge): (DVec2, DVec2)| {
            let heights = (0..b.count()).map(|index| (b.point(index) + offset - start).dot(-edge.perp().normalize()));
            heights.fold(f64::INFINITY, f64::min)
        };
        sides.filter(|(_, (_, edge))| *edge != DVec2::ZERO).map(|(index, side)| (index, across(side))).collect()
    }

    /// Compares `best_side` with all gaps at several offsets and within several reaches.
    fn each_answer(a: impl Points, b: impl Points, best_side: impl Fn(Vec2, f32) -> Result<ReferenceSide, NotFound>) {
        for (step, reach) in (0..200).flat_map(|step| [0.0, 0.75, f32::INFINITY].map(|reach| (step, reach))) {
            let offset = Vec2::from_angle(step as f32) * (step as f32 * 0.025);
            let gaps = [gaps(a, b, offset.as_dvec2()), gaps(b, a, -offset.as_dvec2())];
            let most = gaps.iter().flatten().map(|(_, gap)| *gap).fold(f64::NEG_INFINITY, f64::max);
            match best_side(offset, reach) {
                Ok(ReferenceSide { operand, index }) => {
                    let found = gaps[operand as usize].iter().find(|(side, _)| *side == index).unwrap().1;
                    assert!(found > most - 1e-5 && most < f64::from(reach) + 1e-5, "{found} of {most} at {offset}");
                }
                Err(NotFound::Beyond) => assert!(most > f64::from(reach) - 1e-5, "{most} at {offset} is not beyond"),
                Err(NotFound::Unclear) => assert_eq!(most, f64::NEG_INFINITY, "{offset}"),
            }
        }
    }

    #[test]
    fn the_best_side_of_two_polygons_has_the_largest_gap() {
        for (count_a, count_b) in (1..10).flat_map(|a| (1..10).map(move |b| (a, b))) {
            let (a, b) = (outline(count_a, 0.3), outline(count_b, 2.0));
            each_answer(&a[..], &b[..], |offset, reach| best_side(&a, &b, offset, reach));
        }
    }

    #[test]
    fn the_best_side_of_two_parallelograms_has_the_largest_gap() {
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
            let (Core::Parallelogram(a), Core::Parallelogram(b)) = (a, b) else {
                unreachable!("all of them are parallelograms")
            };
            each_answer(a, b, |offset, reach| parallelograms::best_side(a, b, offset.as_dvec2(), reach));
        }
    }

    #[test]
    fn sides_whose_squares_overflow_have_no_best_side() {
        for unit in [1e-21, 1e20] {
            let triangle = outline(3, 0.3).iter().map(|point| *point * unit).collect::<Vec<_>>();
            assert!(matches!(best_side(&triangle, &triangle, Vec2::ZERO, 0.0), Err(NotFound::Unclear)), "{unit}");
        }
    }
}
