//! From a separation to a contact: where faces meet, the two ends of what they share.

use glam::{DVec2, Vec2};

use super::contact::Contact;
use super::convex::between;
use super::family::{Disc, Hull, Points, with_points};
use super::features::{Missing, closest};
use super::separation::{Frame, Separation, separation};
use crate::math::tolerance::FACE;

/// How two shapes overlap, if the closest features of their cores tell.
#[inline(always)]
pub(super) fn clear(a: &Hull<'_>, b: &Hull<'_>) -> Option<Option<Contact>> {
    let (Disc::Round(ra), Disc::Round(rb)) = (a.disc, b.disc) else { return None };
    let frame = Frame::new(a, b, DVec2::ZERO);
    match closest(&a.core, &b.core, &frame, ra + rb) {
        Err(Missing::Beyond) => Some(None),
        Ok(features) => Some(Some(features.contact(&frame, [ra, rb]))),
        Err(Missing::Unclear) => None,
    }
}

/// How two shapes overlap.
pub(super) fn contact(a: &Hull<'_>, b: &Hull<'_>) -> Option<Contact> {
    let found = separation(a, b);
    found.touches().then(|| with_points(a, b, &found))
}

fn with_points(a: &Hull<'_>, b: &Hull<'_>, found: &Separation) -> Contact {
    let offset = b.center.as_dvec2() - a.center.as_dvec2();
    let points = faces(a, b, offset, found).unwrap_or([(found.on_a + found.on_b) * 0.5; 2]);
    Contact::new(found.normal.as_vec2().normalize(), found.depth(), points.map(|point| found.in_world(point)))
}

/// The stretch that two flat sides share, deepest end first.
fn faces(a: &Hull<'_>, b: &Hull<'_>, offset: DVec2, found: &Separation) -> Option<[DVec2; 2]> {
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
fn face(shape: &Hull<'_>, direction: DVec2) -> Option<[DVec2; 2]> {
    let swell = match shape.disc {
        Disc::BlackBox(_) => return None,
        Disc::Round(radius) => direction * radius,
        Disc::Squashed(_) => shape.furthest(direction) - shape.core.furthest(direction),
    };
    with_points!(&shape.core, points => {
        // Outward edges run counter-clockwise, so the outward normal is on their right.
        let faces = |(_, edge): &(DVec2, DVec2)| {
            let along = edge.dot(direction);
            edge.perp_dot(direction) < 0.0 && along * along <= FACE * FACE * edge.length_squared()
        };
        let (start, edge) = (0..points.count()).map(|index| points.edge(index)).find(faces)?;
        Some([start + swell, start + edge + swell])
    })
}

fn sorted([a, b]: [DVec2; 2], along: DVec2) -> [DVec2; 2] {
    if a.dot(along) <= b.dot(along) { [a, b] } else { [b, a] }
}

/// The point of an edge with the given coordinate along the tangent.
fn at(low: DVec2, high: DVec2, tangent: DVec2, along: f64) -> DVec2 {
    let (from, to) = (low.dot(tangent), high.dot(tangent));
    between(low, high, ((along - from) / (to - from)).clamp(0.0, 1.0))
}
