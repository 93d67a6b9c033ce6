//! The distance of two convex shapes by their support functions.
//!
//! Source: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, *A fast procedure for computing the distance between complex
//! objects in three-dimensional space* (1988), in the plane: the [difference](super::minkowski) of the shapes is probed
//! towards the origin until its nearest edge is found. The result is exact for polygons. For smooth shapes the last
//! steps follow the slope of the distance, which makes it exact to rounding.

use glam::DVec2;

use super::minkowski::{Difference, Vertex, nearest_on_edge};
use super::separation::Separation;
use crate::math::Each;
use crate::math::tolerance::MAX_ITERATIONS;

/// Returns the distance and the closest points of the two shapes of a difference, or `None` if they overlap. The search
/// may also end at a common point of overlapping shapes and return a gap of 0. If a support function is not finite, it
/// returns [`Separation::NAN`]. It starts with the direction `towards` as a guess of the normal, and stops when the
/// distance is certainly larger than `enough`; the result may then be any larger distance.
pub(super) fn distance(difference: &Difference<'_>, towards: DVec2, enough: f64) -> Option<Separation> {
    let frame = difference.frame;
    let (nearest, is_exact) = nearest_to_origin(difference, towards, enough)?;
    let gap = nearest.point.length();
    if !gap.is_finite() {
        return Some(Separation::NAN);
    }
    let normal = if gap > 0.0 { -nearest.point / gap } else { DVec2::X };
    if is_exact {
        return Some(frame.separation(gap, normal, nearest.on_a, nearest.on_b));
    }
    // Between smooth sides the last steps are lost in rounding, but the slope still has a sign.
    let start = difference.probe(normal);
    let (best, at) = difference.refine_minimum(start, difference.bracket_minimum(start));
    Some(frame.separation(-best.depth(), best.direction, at.on_a, at.on_b))
}

/// Returns the point of the difference that is nearest to the origin, or any one further away than `enough`, and `true`
/// if a bound proves it; `None` if the origin is inside.
fn nearest_to_origin(difference: &Difference<'_>, towards: DVec2, enough: f64) -> Option<(Vertex, bool)> {
    let tolerance = difference.frame.tolerance;
    let first = difference.vertex(towards.try_normalize().unwrap_or(DVec2::X));
    // The nearest edge found so far; a point has equal ends.
    let mut edge = [first; 2];
    let mut nearest = first;
    for _ in 0..MAX_ITERATIONS {
        let distance = nearest.point.length();
        if distance <= tolerance {
            return Some((nearest, true));
        }
        let outward = -nearest.point / distance;
        let probe = difference.vertex(outward);
        // No point of the difference is nearer than the line through the probe. A gap that is too large by a quarter of
        // the tolerance leaves the rest of it to rounding, so that shapes that touch still do.
        let bound = -probe.point.dot(outward);
        if distance - bound <= tolerance * 0.25 || bound > enough {
            return Some((nearest, true));
        }
        let [from, to] = edge;
        if encloses_origin(from.point, probe.point, to.point) {
            return None;
        }
        let [left, right] = [[from, probe], [probe, to]].each(|edge| (nearest_on_edge(edge, DVec2::ZERO), edge));
        let (closer, half) = if left.0.point.length_squared() <= right.0.point.length_squared() { left } else { right };
        if closer.point.length_squared() >= nearest.point.length_squared() {
            break;
        }
        (nearest, edge) = (closer, half);
    }
    Some((nearest, false))
}

/// Returns `true` if the origin is inside a triangle of either winding, and not on its border.
fn encloses_origin(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let sides = [a.perp_dot(b), b.perp_dot(c), c.perp_dot(a)];
    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
}
