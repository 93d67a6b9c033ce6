//! The convex hull of points, and the test whether an outline is convex.

use glam::Vec2;
use smallvec::SmallVec;

use super::error::ShapeError;
use crate::geometry::between;
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

/// Returns the indices of the corners of the convex hull, counter-clockwise, without those on a straight side: Andrew's
/// monotone chain.
///
/// Source: A. M. Andrew, *Another efficient algorithm for convex hulls in two dimensions* (1979).
pub(super) fn convex_hull(points: &[Vec2]) -> SmallVec<[usize; 8]> {
    let at = |index: usize| points[index].as_dvec2();
    let mut order: SmallVec<[usize; 8]> = (0..points.len()).collect();
    sort_by(&mut order, |a, b| {
        let (p, q) = (points[*a], points[*b]);
        (p.x, p.y, *a) < (q.x, q.y, *b)
    });
    order.dedup_by(|a, b| points[*a] == points[*b]);
    if order.len() < 3 {
        return order;
    }
    let slack = COLLINEAR * size(points);
    let mut chain: SmallVec<[usize; 8]> = SmallVec::new();
    let turns_left = |from: &[usize], to: usize| {
        let (a, b) = (at(from[from.len() - 2]), at(from[from.len() - 1]));
        let (side, chord) = (b - a, at(to) - a);
        let turn = side.perp_dot(chord);
        // At an almost upright end of the hull, a corner on the line of the chord may be far beyond the chord.
        let beyond = match side.dot(chord) {
            along if along < 0.0 => side.length(),
            along if along > chord.length_squared() => (side - chord).length(),
            _ => 0.0,
        };
        turn > slack * chord.length() || (turn > 0.0 && beyond > slack)
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

/// Checks that an outline winds once around its hull, in either direction, and never leaves it.
///
/// # Errors
/// If it crosses itself or is concave.
pub(super) fn follows_outline(outline: &[Vec2], hull: &[usize]) -> Result<(), ShapeError> {
    let sides = || hull.iter().copied().zip(hull[1..].iter().chain(&hull[..1]).copied());
    let ascents = sides().filter(|(from, to)| from < to).count();
    let descents = hull.len() - ascents;
    // The indices of a simple outline start over exactly once.
    let clockwise = ascents == 1;
    if !clockwise && descents != 1 {
        let against = |(from, to): &(usize, usize)| (from < to) == (ascents < descents);
        let index = sides().filter(against).nth(1).map_or(0, |(_, to)| to);
        return Err(ShapeError::Crossing { index });
    }
    let slack = 4.0 * COLLINEAR * size(outline) + f64::from(COORDINATE_ROUNDING * outline[0].abs().max_element());
    for (from, to) in sides() {
        let (from, to) = if clockwise { (to, from) } else { (from, to) };
        let steps = (to + outline.len() - from) % outline.len();
        for index in (1..steps).map(|step| (from + step) % outline.len()) {
            let [a, b, point] = [from, to, index].each(|index| outline[index].as_dvec2());
            let t = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            if between(a, b, t).distance(point) > slack {
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
