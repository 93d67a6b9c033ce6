//! The separating axis test for polygons with any number of corners, in `f32`, four sides at a time.

use core::ops::ControlFlow;

use glam::{Vec2, Vec4};

use super::best_axis::{NotFound, OwnedSide, best_axis};
use super::four_vectors::FourVectors;
use super::rounding::{is_within, manhattan_length, squares_are_finite};
use crate::math::tolerance::FAST_OVERLAP;

/// Four consecutive sides of a polygon. After the last side the first one follows again.
struct FourSides {
    starts: FourVectors,
    edges: FourVectors,
}

impl FourSides {
    /// Returns the sides from the corner `first` on, relative to `origin`.
    #[inline]
    fn new(outline: &[Vec2], first: usize, origin: Vec2) -> Self {
        let [a, b, c, d, e] = match outline[first..] {
            [a, b, c, d, e, ..] => [a, b, c, d, e],
            [a, b, c, d] => [a, b, c, d, outline[0]],
            [a, b] if first == 0 => [a, b, a, b, a],
            _ => [0, 1, 2, 3, 4].map(|lane| outline[(first + lane) % outline.len()]),
        };
        let (starts, ends) = (FourVectors::new([a, b, c, d]), FourVectors::new([b, c, d, e]));
        Self { starts: starts - FourVectors::splat(origin), edges: ends - starts }
    }

    /// Returns the gaps along the sides' outward normals, times the sides' lengths: the least heights of the points.
    #[inline]
    fn gaps(&self, points: &[Vec2]) -> Vec4 {
        // The outward normal is on the right of a side.
        let height = |point: FourVectors| point.perp_dot(self.edges);
        let heights = points.iter().map(|point| height(FourVectors::splat(*point)));
        heights.fold(Vec4::INFINITY, Vec4::min) - height(self.starts)
    }

    /// Returns the squared distance of the nearest point from the nearest side.
    fn distance_squared(&self, points: &[Vec2]) -> f32 {
        let Self { starts, edges } = *self;
        // A side without length is its start, whatever the numerator is divided by.
        let inverse = edges.length_squared().max(Vec4::splat(f32::MIN_POSITIVE)).recip();
        let nearest = points.iter().fold(Vec4::INFINITY, |nearest, point| {
            let from_start = FourVectors::splat(*point) - starts;
            let t = (from_start.dot(edges) * inverse).max(Vec4::ZERO).min(Vec4::ONE);
            nearest.min((from_start - edges * t).length_squared())
        });
        nearest.min_element()
    }
}

/// Calls `visit` with all sides of `a` and then of `b`, four at a time, and with the other polygon's corners. `b` is
/// `offset` from `a`. The last two arguments of `visit` are whether the sides are those of `a`, and the first index.
#[inline(always)]
fn each_four_sides<B>(
    a: &[Vec2],
    b: &[Vec2],
    offset: Vec2,
    mut visit: impl FnMut(&FourSides, &[Vec2], bool, usize) -> ControlFlow<B>,
) -> Option<B> {
    for (outline, points, origin, of_a) in [(a, b, offset, true), (b, a, -offset, false)] {
        // A point has no sides.
        let starts = (0..outline.len()).step_by(4).filter(|_| outline.len() > 1);
        for first in starts {
            if let ControlFlow::Break(value) = visit(&FourSides::new(outline, first, origin), points, of_a, first) {
                return Some(value);
            }
        }
    }
    None
}

/// Returns `index` modulo `count` without a division, for an index below twice the count: after the last corner the
/// first one follows again.
#[inline]
pub(in crate::geometry) fn wrapped(index: usize, count: usize) -> usize {
    if index < count { index } else { index - count }
}

/// Returns the side with the largest gap of two convex outlines, counter-clockwise and each relative to its own centre.
///
/// # Errors
/// If the outlines are certainly further apart than `reach`, or no side has a usable length.
pub(crate) fn best_side(a: &[Vec2], b: &[Vec2], offset: Vec2, reach: f32) -> Result<OwnedSide, NotFound> {
    let mut best = (f32::NEG_INFINITY, OwnedSide { of_a: true, index: 0 });
    let error = each_four_sides(a, b, offset, |sides, points, of_a, first| {
        match best_axis(sides.gaps(points), sides.edges, reach) {
            Ok(Some((gap_squared, lane))) if gap_squared > best.0 => {
                let len = if of_a { a.len() } else { b.len() };
                best = (gap_squared, OwnedSide { of_a, index: wrapped(first + lane, len) });
                ControlFlow::Continue(())
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    });
    match error {
        Some(error) => Err(error),
        None if best.0.is_finite() => Ok(best.1),
        None => Err(NotFound::Unclear),
    }
}

/// Returns whether two convex outlines, counter-clockwise and each relative to its own centre, are within `reach` of
/// each other; `None` for a near tie. One or two corners are a point and a segment.
pub(crate) fn overlaps(a: &[Vec2], b: &[Vec2], offset: Vec2, reach: f32) -> Option<bool> {
    let extent = |points: &[Vec2]| points.iter().fold(Vec2::ZERO, |most, point| most.max(point.abs())).element_sum();
    let size = manhattan_length(offset) + extent(a) + extent(b) + reach;
    if !squares_are_finite(size) {
        return None;
    }
    let (mut inside, mut outside) = (a.len().max(b.len()) > 1, false);
    let apart = each_four_sides(a, b, offset, |sides, points, _, _| {
        let gaps = sides.gaps(points);
        let doubt = sides.edges.manhattan_length() * (size * FAST_OVERLAP) + f32::MIN_POSITIVE;
        inside &= gaps.cmplt(-doubt).all();
        let beyond = (gaps - doubt).max(Vec4::ZERO);
        let limit = sides.edges.length_squared() * (reach * reach);
        if (beyond * beyond).cmpgt(limit).any() {
            return ControlFlow::Break(());
        }
        outside |= gaps.cmpgt(doubt).any();
        ControlFlow::Continue(())
    });
    if apart.is_some() || inside {
        return Some(apart.is_none());
    }
    if reach == 0.0 {
        return None;
    }
    let mut nearest = f32::INFINITY;
    each_four_sides(a, b, offset, |sides, points, _, _| {
        nearest = nearest.min(sides.distance_squared(points));
        ControlFlow::<()>::Continue(())
    });
    // The distance is that of the borders, so "far" is an answer only if a gap is certain.
    is_within(nearest, reach, size).filter(|within| *within || outside)
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
    fn each_answer(a: impl Points, b: impl Points, best_side: impl Fn(Vec2, f32) -> Result<OwnedSide, NotFound>) {
        for (step, reach) in (0..200).flat_map(|step| [0.0, 0.75, f32::INFINITY].map(|reach| (step, reach))) {
            let offset = Vec2::from_angle(step as f32) * (step as f32 * 0.025);
            let gaps = [gaps(a, b, offset.as_dvec2()), gaps(b, a, -offset.as_dvec2())];
            let most = gaps.iter().flatten().map(|(_, gap)| *gap).fold(f64::NEG_INFINITY, f64::max);
            match best_side(offset, reach) {
                Ok(OwnedSide { of_a, index }) => {
                    let found = gaps[usize::from(!of_a)].iter().find(|(side, _)| *side == index).unwrap().1;
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
