//! The convex hull of points, and the test whether an outline is convex.

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::error::ShapeError;
use crate::geometry::lerp;
use crate::math::tolerance::{COLLINEAR, COORDINATE_ROUNDING};
use crate::math::{Aabb, Each, orient2d, sort_by};

/// Returns `true` if an outline turns counter-clockwise at every corner. The two ends of a segment must differ.
pub(super) fn is_strictly_convex(points: &[Vec2]) -> bool {
    let mut ends = match points {
        [] | [_] => return true,
        [a, b] => return a != b,
        [.., before, last] => (*before, *last),
    };
    points.iter().all(|point| {
        let is_left = orient2d(ends.0, ends.1, *point) > 0.0;
        ends = (ends.1, *point);
        is_left
    })
}

/// Returns the indices of the corners of the convex hull, counter-clockwise, without those on a straight side. If a point
/// is not finite, all stay, so that it is detected.
pub(super) fn convex_hull(points: &[Vec2]) -> SmallVec<[usize; 8]> {
    if points.iter().all(|point| point.is_finite()) {
        without_flat_corners(points, exact_hull(points))
    } else {
        (0..points.len()).collect()
    }
}

/// Returns the indices of all corners of the convex hull, counter-clockwise: Andrew's monotone chain.
///
/// Source: A. M. Andrew, *Another efficient algorithm for convex hulls in two dimensions* (1979).
fn exact_hull(points: &[Vec2]) -> SmallVec<[usize; 8]> {
    let mut order: SmallVec<[usize; 8]> = (0..points.len()).collect();
    sort_by(&mut order, |a, b| {
        let (p, q) = (points[*a], points[*b]);
        (p.x, p.y, *a) < (q.x, q.y, *b)
    });
    order.dedup_by(|a, b| points[*a] == points[*b]);
    if order.len() < 3 {
        return order;
    }
    let mut chain: SmallVec<[usize; 8]> = SmallVec::new();
    let turns_left = |from: &[usize], to: usize| {
        orient2d(points[from[from.len() - 2]], points[from[from.len() - 1]], points[to]) > 0.0
    };
    for pass in 0..2 {
        let base = chain.len();
        for index in order.iter().copied() {
            while chain.len() >= base + 2 && !turns_left(&chain[base..], index) {
                chain.pop();
            }
            chain.push(index);
        }
        chain.pop();
        if pass == 0 {
            order.reverse();
        }
    }
    chain
}

/// Removes the corners of a hull that are only the rounded middle of a straight side: each is near the side that
/// replaces it. The rest is strictly convex, like the hull.
fn without_flat_corners(points: &[Vec2], hull: SmallVec<[usize; 8]>) -> SmallVec<[usize; 8]> {
    if hull.len() < 3 {
        return hull;
    }
    let slack = COLLINEAR * size(points);
    let count = hull.len();
    let at = |place: usize| points[hull[place % count]].as_dvec2();
    // The corner that is furthest from another one is in the middle of no side.
    let furthest = (1..count).max_by(|a, b| at(*a).distance(at(0)).total_cmp(&at(*b).distance(at(0))));
    let first = furthest.unwrap_or_default();
    let mut start = first;
    let mut kept: SmallVec<[usize; 8]> = SmallVec::new();
    kept.push(first);
    for end in first + 1..=first + count {
        if (start + 1..end).any(|place| distance_to_side(at(place), at(start), at(end)) > slack) {
            start = end - 1;
            kept.push(start % count);
        }
    }
    sort_by(&mut kept, |a, b| a < b);
    kept.into_iter().map(|place| hull[place]).collect()
}

fn distance_to_side(point: DVec2, start: DVec2, end: DVec2) -> f64 {
    let side = end - start;
    let along = (point - start).dot(side) / side.length_squared().max(f64::MIN_POSITIVE);
    lerp(start, end, along.clamp(0.0, 1.0)).distance(point)
}

/// Checks that an outline winds once around its hull, in either direction, and never leaves it.
///
/// # Errors
/// If it crosses itself or is concave.
pub(super) fn follows_outline(outline: &[Vec2], hull: &[usize]) -> Result<(), ShapeError> {
    let sides = || hull.iter().copied().zip(hull[1..].iter().chain(&hull[..1]).copied());
    let ascents = sides().filter(|(from, to)| from < to).count();
    let descents = hull.len() - ascents;
    // The indices of a simple outline start over exactly once.
    let clockwise = ascents < descents;
    let ahead = |(from, to): (usize, usize)| if clockwise { (to, from) } else { (from, to) };
    let steps = |(from, to): (usize, usize)| (to + outline.len() - from) % outline.len();
    if ascents.min(descents) != 1 {
        // The side that leads back along the outline takes the most steps ahead.
        let index = sides().max_by_key(|side| steps(ahead(*side))).map_or(0, |(_, to)| to);
        return Err(ShapeError::Crossing { index });
    }
    let slack = 4.0 * COLLINEAR * size(outline) + f64::from(COORDINATE_ROUNDING * outline[0].abs().max_element());
    for (from, to) in sides().map(ahead) {
        for index in (1..steps((from, to))).map(|step| (from + step) % outline.len()) {
            let [a, b, point] = [from, to, index].each(|index| outline[index].as_dvec2());
            if distance_to_side(point, a, b) > slack {
                return Err(ShapeError::Concave { index });
            }
        }
    }
    Ok(())
}

/// Returns the larger side of the points' bounding box.
fn size(points: &[Vec2]) -> f64 {
    let Aabb { min, max } = Aabb::from_points(points.iter().copied());
    (max.as_dvec2() - min.as_dvec2()).max_element()
}
