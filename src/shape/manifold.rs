//! From a separation to a contact: where faces meet, the two ends of what they share.

use glam::{DVec2, Vec2};

use super::contact::Contact;
use super::family::{Core, Disc, Family};
use super::separation::{Separation, separation};
use crate::math::tolerance::FACE;

pub(super) fn contact<A: Family, B: Family>(a: &A, b: &B) -> Option<Contact> {
    let found = separation(a, b);
    found.touches().then(|| with_points(a, b, &found))
}

fn with_points(a: &impl Family, b: &impl Family, found: &Separation) -> Contact {
    let offset = b.center().as_dvec2() - a.center().as_dvec2();
    let points = faces(a, b, offset, found).unwrap_or([(found.on_a + found.on_b) * 0.5; 2]);
    let [first, second] = points.map(|point| found.in_world(point));
    let points: &[Vec2] = if first == second { &[first] } else { &[first, second] };
    Contact::new(found.normal.as_vec2().normalize(), found.depth(), points)
}

/// The stretch that two flat sides share, deepest end first.
fn faces(a: &impl Family, b: &impl Family, offset: DVec2, found: &Separation) -> Option<[DVec2; 2]> {
    if a.core().len() < 2 || b.core().len() < 2 {
        return None;
    }
    let tangent = found.normal.perp();
    let face_of_a = face(a, found.normal)?;
    let face_of_b = face(b, -found.normal)?.map(|end| offset + end);
    // Along the tangent, from where both have begun to where one ends.
    let [a_low, a_high] = sorted(face_of_a, tangent);
    let [b_low, b_high] = sorted(face_of_b, tangent);
    let from = a_low.dot(tangent).max(b_low.dot(tangent));
    let to = a_high.dot(tangent).min(b_high.dot(tangent));
    if to <= from {
        return None;
    }
    let ends = [from, to].map(|along| {
        let (on_a, on_b) = (at(a_low, a_high, tangent, along), at(b_low, b_high, tangent, along));
        ((on_a - on_b).dot(found.normal), (on_a + on_b) * 0.5)
    });
    let [(near, first), (far, second)] = ends;
    Some(if far > near { [second, first] } else { [first, second] })
}

/// The flat side of a shape that faces `direction`, relative to its centre.
fn face(shape: &impl Family, direction: DVec2) -> Option<[DVec2; 2]> {
    let core = shape.core();
    let swell = match shape.disc() {
        Disc::BlackBox => return None,
        Disc::Round(radius) => direction * radius,
        Disc::Squashed(_) => shape.furthest(direction) - core.furthest(direction),
    };
    for index in 0..core.len() {
        let (start, edge) = core.edge(index);
        // Outward edges run counter-clockwise, so the outward normal is on their right.
        let along = edge.dot(direction);
        if edge.perp_dot(direction) < 0.0 && along * along <= FACE * FACE * edge.length_squared() {
            return Some([start + swell, start + edge + swell]);
        }
    }
    None
}

fn sorted([a, b]: [DVec2; 2], along: DVec2) -> [DVec2; 2] {
    if a.dot(along) <= b.dot(along) { [a, b] } else { [b, a] }
}

/// The point of an edge with the given coordinate along the tangent.
fn at(low: DVec2, high: DVec2, tangent: DVec2, along: f64) -> DVec2 {
    let (from, to) = (low.dot(tangent), high.dot(tangent));
    low.lerp(high, ((along - from) / (to - from)).clamp(0.0, 1.0))
}
