//! Contacts of two shapes: how deep they overlap, and the stretch that two flat sides share.

use glam::DVec2;

use super::closest_features::closest_features;
use super::points::between;
use super::sat::best_axis::NotFound;
use super::separation::Frame;
use super::{Hull, Manifold, Points, Rounding, Separation, exact_separation, with_points};
use crate::math::Each;
use crate::math::tolerance::PARALLEL_SIDES;

/// Returns the contact of two shapes whose discs are round, by the closest features of their cores. The outer `None`
/// means that the features do not decide; the inner one, that the shapes do not overlap.
#[inline(always)]
pub(crate) fn closest_feature_manifold(a: &Hull<'_>, b: &Hull<'_>) -> Option<Option<Manifold>> {
    let (Rounding::Circle(ra), Rounding::Circle(rb)) = (a.rounding, b.rounding) else { return None };
    let frame = Frame::new(a, b, DVec2::ZERO);
    match closest_features(&a.core, &b.core, &frame, ra + rb) {
        Err(NotFound::Beyond) => Some(None),
        Ok(features) => Some(Some(features.manifold(&frame, [ra, rb]))),
        Err(NotFound::Unclear) => None,
    }
}

/// Returns the contact of any two shapes, `None` if they do not overlap.
pub(crate) fn exact_manifold(a: &Hull<'_>, b: &Hull<'_>) -> Option<Manifold> {
    let found = exact_separation(a, b);
    if !found.touches() {
        return None;
    }
    let offset = b.center.as_dvec2() - a.center.as_dvec2();
    let points = shared_stretch(a, b, offset, &found).unwrap_or([(found.on_a + found.on_b) * 0.5; 2]);
    let points = points.each(|point| found.in_world(point));
    Some(Manifold { normal: found.normal.as_vec2().normalize(), depth: found.depth(), points })
}

/// Returns the ends of the stretch that two flat sides share, the deepest first.
fn shared_stretch(a: &Hull<'_>, b: &Hull<'_>, offset: DVec2, found: &Separation) -> Option<[DVec2; 2]> {
    let tangent = found.normal.perp();
    let side_of_a = facing_side(a, found.normal);
    let side_of_b = facing_side(b, -found.normal).each(|end| offset + end);
    let [a_low, a_high] = sorted(side_of_a, tangent);
    let [b_low, b_high] = sorted(side_of_b, tangent);
    // Along the tangent, from the later start to the earlier end.
    let from = a_low.dot(tangent).max(b_low.dot(tangent));
    let to = a_high.dot(tangent).min(b_high.dot(tangent));
    // No stretch is shared if they do not overlap, or if one has no side but a corner.
    if to <= from {
        return None;
    }
    let ends = [from, to].each(|along| {
        let (on_a, on_b) = (at(a_low, a_high, tangent, along), at(b_low, b_high, tangent, along));
        ((on_a - on_b).dot(found.normal), (on_a + on_b) * 0.5)
    });
    let [(first_depth, first), (second_depth, second)] = ends;
    Some(if second_depth > first_depth { [second, first] } else { [first, second] })
}

/// Returns the flat side of a shape that faces `direction`, relative to the shape's centre; one point twice if there is
/// none.
fn facing_side(shape: &Hull<'_>, direction: DVec2) -> [DVec2; 2] {
    let on_disc = shape.furthest_of_disc(direction);
    let side = with_points!(&shape.core, points => points.facing_side(direction, PARALLEL_SIDES));
    side.each(|end| end + on_disc)
}

fn sorted([a, b]: [DVec2; 2], along: DVec2) -> [DVec2; 2] {
    if a.dot(along) <= b.dot(along) { [a, b] } else { [b, a] }
}

/// Returns the point of a side with this coordinate along the tangent.
fn at(low: DVec2, high: DVec2, tangent: DVec2, along: f64) -> DVec2 {
    let (from, to) = (low.dot(tangent), high.dot(tangent));
    between(low, high, ((along - from) / (to - from)).clamp(0.0, 1.0))
}
