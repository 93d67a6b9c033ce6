//! The closest points of two shapes, which are one common point if the shapes overlap.

use glam::DVec2;

use super::minkowski::Difference;
use super::separation::{Frame, Separation};
use super::{Hull, exact_separation};
use crate::math::Each;
use crate::math::tolerance::MAX_ITERATIONS;

/// Returns the separation of two shapes, with a common point of both in place of their deepest points if they overlap.
pub(crate) fn common_point_separation(a: &Hull<'_>, b: &Hull<'_>) -> Separation {
    // The search rounds differently when the shapes are exchanged, so the shapes decide, and not the order of the call.
    let place = |shape: &Hull<'_>| [f64::from(shape.center.x), f64::from(shape.center.y), shape.extent()];
    if place(b) < place(a) {
        return common_point_separation(b, a).flipped();
    }
    let found = exact_separation(a, b);
    if found.gap < -found.tolerance {
        let point = common_point(a, b, &found);
        Separation { on_a: point, on_b: point, ..found }
    } else {
        found
    }
}

/// Returns a common point of two overlapping shapes, relative to the first centre.
///
/// The chord of their [difference](super::minkowski) from the deepest point through the origin ends at a point between
/// two vertices. The origin divides the chord, and the same division of the points of `a` at its ends is a point of `a`
/// and of `b`: both are convex, and there the difference is zero.
fn common_point(a: &Hull<'_>, b: &Hull<'_>, found: &Separation) -> DVec2 {
    let frame = Frame::new(a, b, DVec2::ZERO);
    let difference = Difference { a, b, frame: &frame };
    let deepest = found.on_a - found.on_b;
    let Some(forward) = deepest.try_normalize() else { return found.on_a };
    let across = forward.perp();
    // The two vertices between which the chord ends, one on each side of it.
    let (mut left, mut right) = (difference.vertex(across), difference.vertex(-across));
    for _ in 0..MAX_ITERATIONS {
        let Some(outward) = (left.point - right.point).perp().try_normalize() else { break };
        let probe = difference.vertex(outward);
        if (probe.point - left.point).dot(outward) <= frame.tolerance {
            break;
        }
        *(if probe.point.dot(across) > 0.0 { &mut left } else { &mut right }) = probe;
    }
    let [beyond, before] = [left, right].each(|vertex| vertex.point.dot(across).abs());
    let end = if beyond + before > 0.0 { left.lerp(right, beyond / (beyond + before)) } else { left };
    let (depth, height) = (deepest.length(), (-end.point.dot(forward)).max(0.0));
    end.on_a + (found.on_a - end.on_a) * (height / (height + depth))
}
