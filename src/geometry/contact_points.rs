//! Contacts of two shapes: how deep they overlap, and the stretch that two flat sides share.

use glam::DVec2;

use super::closest_features::closest_features;
use super::facing_side::FacingSide;
use super::sat::best_side::NotFound;
use super::separation::Frame;
use super::{Contact, Disc, Hull, Separation, exact_separation};
use crate::math::Each;
use crate::math::tolerance::PARALLEL_SIDES;

/// Returns the contact of any two shapes, `None` if they do not overlap: by the closest features of their cores, or by
/// the exact separation if these do not decide or a disc is not round.
#[inline(always)]
pub(crate) fn contact(a: &Hull<'_>, b: &Hull<'_>) -> Option<Contact> {
    match closest_feature_contact(a, b) {
        Ok(contact) => Some(contact),
        Err(NotFound::Beyond) => None,
        Err(NotFound::Unclear) => {
            // References to the hulls would keep them in memory from the start: the contact of a circle and a polygon takes
            // half as long again then (W5 of `benches/peers`).
            let (a, b) = (*a, *b);
            exact_contact(&a, &b)
        }
    }
}

/// Returns the contact of two shapes whose discs are round, by the closest features of their cores.
///
/// # Errors
/// If the shapes do not overlap, or the features do not decide.
#[inline(always)]
pub(super) fn closest_feature_contact(a: &Hull<'_>, b: &Hull<'_>) -> Result<Contact, NotFound> {
    let (Disc::Circle(ra), Disc::Circle(rb)) = (a.disc, b.disc) else { return Err(NotFound::Unclear) };
    let frame = Frame::new(a, b, DVec2::ZERO);
    Ok(closest_features(&a.core, &b.core, &frame, ra + rb)?.contact(&frame, [ra, rb]))
}

/// Returns the contact of any two shapes, by their exact separation.
pub(super) fn exact_contact(a: &Hull<'_>, b: &Hull<'_>) -> Option<Contact> {
    let found = exact_separation(a, b);
    if !found.touches() {
        return None;
    }
    let offset = b.center.as_dvec2() - a.center.as_dvec2();
    let points = shared_stretch(a, b, offset, &found).unwrap_or([(found.on_a + found.on_b) * 0.5; 2]);
    let points = points.each(|point| found.in_world(point));
    Some(Contact::new(found.normal.as_vec2().normalize(), found.depth(), points))
}

/// Returns the ends of the stretch that two flat sides share, the deepest first.
fn shared_stretch(a: &Hull<'_>, b: &Hull<'_>, offset: DVec2, found: &Separation) -> Option<[DVec2; 2]> {
    let tangent = found.normal.perp();
    let side_of_a = FacingSide::new(a, found.normal, tangent, PARALLEL_SIDES);
    let side_of_b = FacingSide::new(b, -found.normal, tangent, PARALLEL_SIDES);
    let shift = offset.dot(tangent);
    let stretch = side_of_a.shared_with(&side_of_b, shift);
    // No stretch is shared if they do not overlap, or if one has no side but a corner.
    if stretch[1] <= stretch[0] {
        return None;
    }
    let [(first_depth, first), (second_depth, second)] = stretch.each(|along| {
        let (on_a, on_b) = (side_of_a.at(along), offset + side_of_b.at(along - shift));
        ((on_a - on_b).dot(found.normal), (on_a + on_b) * 0.5)
    });
    Some(if second_depth > first_depth { [second, first] } else { [first, second] })
}
