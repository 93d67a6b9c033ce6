//! The distance of two convex shapes by their support functions.
//!
//! Source: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, *A fast procedure for computing the distance between complex
//! objects in three-dimensional space* (1988), in the plane: the [difference](super::minkowski) of the shapes is probed
//! towards the origin until its nearest edge is found. The result is exact for polygons. For smooth shapes the last
//! steps follow the slope of the distance, which makes it exact to rounding.

use glam::DVec2;

use super::minkowski::{Vertex, enclose_minimum, nearest_on_edge, polish};
use super::separation::{Frame, Separation};
use super::support::Support;
use crate::math::Each;
use crate::math::tolerance::MAX_ITERATIONS;

/// Returns the distance and the closest points of two shapes, or `None` if they overlap. The search may also end at a
/// common point of overlapping shapes and return a gap of 0. If a support function is not finite, it returns
/// [`Separation::NAN`]. It starts with the direction `towards` as a guess of the normal.
pub(super) fn distance(a: &dyn Support, b: &dyn Support, frame: &Frame, towards: DVec2) -> Option<Separation> {
    distance_up_to(f64::INFINITY, a, b, frame, towards)
}

/// Does the same as [`distance`], but stops when the distance is certainly larger than `enough`. The result may then be
/// any larger distance.
pub(super) fn distance_up_to(
    enough: f64,
    a: &dyn Support,
    b: &dyn Support,
    frame: &Frame,
    towards: DVec2,
) -> Option<Separation> {
    let vertex = |direction: DVec2| Vertex::new(a, b, frame, direction);
    let first = vertex(towards.try_normalize().unwrap_or(DVec2::X));
    // The nearest edge found so far; a point has equal ends.
    let mut edge = (first, first);
    let mut nearest = first;
    let mut is_exact = false;
    for _ in 0..MAX_ITERATIONS {
        let distance = nearest.point.length();
        if distance <= frame.tolerance {
            is_exact = true;
            break;
        }
        let outward = -nearest.point / distance;
        let probe = vertex(outward);
        // No point of the difference is nearer than the line through the probe.
        let bound = -probe.point.dot(outward);
        if distance - bound <= frame.tolerance * 0.25 || bound > enough {
            is_exact = true;
            break;
        }
        let candidates = [(edge.0, probe), (probe, edge.1)];
        if encloses_origin(edge.0.point, probe.point, edge.1.point) {
            return None;
        }
        let [left, right] = candidates.each(|(from, to)| nearest_on_edge(from, to, DVec2::ZERO));
        let (closer, index) =
            if left.point.length_squared() <= right.point.length_squared() { (left, 0) } else { (right, 1) };
        if closer.point.length_squared() >= nearest.point.length_squared() {
            break;
        }
        (nearest, edge) = (closer, candidates[index]);
    }
    let gap = nearest.point.length();
    if !gap.is_finite() {
        return Some(Separation::NAN);
    }
    let normal = if gap > 0.0 { -nearest.point / gap } else { DVec2::X };
    if is_exact {
        return Some(frame.separation(gap, normal, nearest.on_a, nearest.on_b));
    }
    // Between smooth sides the last steps are lost in rounding, but the slope still has a sign.
    let (depth, normal, at) = polish(&vertex, frame, f64::INFINITY, normal, enclose_minimum(&vertex, normal));
    Some(frame.separation(-depth, normal, at.on_a, at.on_b))
}

/// Returns `true` if the origin is inside a triangle of either winding, and not on its border.
fn encloses_origin(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let sides = [a.perp_dot(b), b.perp_dot(c), c.perp_dot(a)];
    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
}
