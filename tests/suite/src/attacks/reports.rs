//! The checks of the reports of a move: everything that the mover touches is in the result.

use glam::{Affine2, Vec2};
use hitgraph::{ColliderId, MoveHit, Moved, NodeCollider, NodeId, QueryFilter};

use super::oracle::{Before, TOUCH, is_one_way, rides_on};
use super::{GHOST, Level, LevelMover, Verdict};
use crate::claim;

/// The depth from which an overlap must be reported. A path may be off by rounding.
const CLEAR_DEPTH: f32 = 1e-3;

/// The number of places along a straight path at which the oracle looks for overlaps.
const PLACES: u32 = 24;

/// The fractions are in order and in range, and every hit is one of this mover.
///
/// # Errors
/// If the result violates a claim.
pub fn check_hits(level: &Level, index: usize, moved: &Moved) -> Verdict {
    let is_sorted = |hits: &[MoveHit]| hits.is_sorted_by(|a, b| a.fraction <= b.fraction);
    claim!(is_sorted(moved.hits()), "the hits are not in order");
    claim!(is_sorted(moved.passed()), "what the mover passed is not in order");
    for hit in moved.hits().iter().chain(moved.passed()) {
        claim!((0.0..=1.0).contains(&hit.fraction), "a fraction is out of range: {hit:?}");
        claim!(hit.depth >= 0.0 && (hit.depth > 0.0) == hit.began_inside, "a depth makes no sense: {hit:?}");
        claim!(hit.point.is_finite() && (hit.normal.length() - 1.0).abs() < 1e-4, "a hit is not finite: {hit:?}");
        claim!(hit.own == level.movers[index].collider, "a hit has another mover's collider: {hit:?}");
        let node = level.scene.node_of(hit.side.collider);
        claim!(node == Some(hit.side.node), "a hit has the wrong node: {hit:?}");
    }
    for blocked in moved.hits() {
        let attachment = level.scene.attachment(blocked.side.collider).unwrap();
        claim!(!attachment.sensor, "a sensor blocks: {blocked:?}");
    }
    Ok(())
}

/// The result contains everything that the mover began inside, and everything on a straight part of its path.
///
/// # Errors
/// If the result violates a claim.
pub fn check_reports(level: &mut Level, index: usize, before: &Before, displacement: Vec2, moved: &Moved) -> Verdict {
    // A carry changes the colliders that a mover is inside of, even if it is undone in the end.
    let is_carried = moved.carried != Vec2::ZERO || moved.stuck;
    claim!(!moved.stuck || moved.hits().iter().any(|hit| hit.began_inside), "nothing makes the mover stuck");
    if is_carried {
        return Ok(());
    }
    let reports = |id: ColliderId| moved.hits().iter().chain(moved.passed()).filter(move |hit| hit.side.collider == id);
    for (id, depth) in before.inside.iter().copied().filter(|(_, depth)| *depth > CLEAR_DEPTH) {
        let node = level.scene.node_of(id).unwrap();
        // The platform of the mover is carried first, so the mover may be outside it then.
        let own = level.movers[index].node;
        if rides_on(level, node, own) || rides_on(level, own, node) {
            continue;
        }
        let attachment = level.scene.attachment(id).unwrap();
        let is_passable = attachment.sensor || attachment.user_data == GHOST || is_one_way(Some(attachment));
        let deepest = reports(id).filter(|hit| hit.began_inside).map(|hit| hit.depth).fold(0.0, f32::max);
        claim!(deepest > 0.0, "the mover began {depth} inside {node:?}, which is not reported: {attachment:?}");
        // The reported depth is that along the reported normal, so it is at least the shortest way out.
        claim!(deepest > 0.99 * depth - CLEAR_DEPTH, "{node:?} is {depth} deep, not {deepest}");
        let blocks = moved.hits().iter().any(|hit| hit.side.collider == id);
        claim!(blocks || is_passable, "the mover began inside {node:?}, which did not block it");
    }
    if moved.pushed != Vec2::ZERO {
        return Ok(());
    }
    let LevelMover { node, collider, is_bullet, ref options, .. } = level.movers[index];
    let first = moved.hits().iter().map(|hit| hit.fraction).fold(1.0, f32::min);
    let steps = options.step_height > 0.0 && options.up != Vec2::ZERO;
    if steps && !is_bullet && moved.remainder != Vec2::ZERO {
        return Ok(());
    }
    let is_deflected = moved.hits().is_empty() && moved.remainder.length() > CLEAR_DEPTH;
    claim!(!is_deflected, "the mover loses a part of its displacement to nothing");
    let path = if is_bullet || moved.hits().is_empty() { moved.travel } else { displacement * first };
    let filter = options.filter.clone().exclude_subtree(node);
    let passengers: Vec<_> =
        level.movers.iter().map(|mover| mover.node).filter(|other| rides_on(level, *other, node)).collect();
    let is_expected = |side: NodeCollider| reports(side.collider).next().is_some() || passengers.contains(&side.node);
    for (side, depth, at) in overlaps_along(level, node, collider, before.position, path, &filter) {
        let is_clear = depth < CLEAR_DEPTH || is_expected(side);
        claim!(is_clear, "the path leads {depth} deep through {side:?} at {at}, which is not reported");
    }
    Ok(())
}

/// Returns everything that a mover overlaps at some places along a straight path, with the depth and the place.
fn overlaps_along(
    level: &mut Level,
    node: NodeId,
    collider: ColliderId,
    from: Vec2,
    path: Vec2,
    filter: &QueryFilter,
) -> Vec<(NodeCollider, f32, Vec2)> {
    let world = level.scene.world();
    let (end, own) = (world.transform(node).unwrap(), world.attachment(collider).unwrap());
    let mut found = Vec::new();
    for place in 1..PLACES {
        let at = Affine2 { translation: from + path * (place as f32 / PLACES as f32), ..end };
        for side in world.overlaps_shape(own.collider(), &at, filter) {
            let (other, other_at) = (world.attachment(side.collider).unwrap(), world.transform(side.node).unwrap());
            let contact = own.collider().contact_with(&at, other.collider(), &other_at);
            found.push((side, contact.map_or(0.0, |contact| contact.depth), at.translation));
        }
    }
    found
}

/// A push-out ends outside everything, is not too long, and leads only through what the mover is inside of.
///
/// # Errors
/// If the travel violates a claim. `None` means that there was no way out.
pub fn check_push_out(level: &mut Level, index: usize, before: &Before, travel: Option<Vec2>) -> Verdict {
    let LevelMover { node, collider, ref options, .. } = level.movers[index];
    let filter = options.filter.clone().exclude_subtree(node);
    let now = Before::new(level, index);
    let Some(travel) = travel else {
        claim!(now.position == before.position, "a mover without a way out moves to {}", now.position);
        return Ok(());
    };
    let deepest = |inside: &[(ColliderId, f32)]| inside.iter().map(|(_, depth)| *depth).fold(0.0, f32::max);
    let (depth, rest) = (deepest(&before.inside), deepest(&now.inside));
    claim!((now.position - before.position - travel).length() < TOUCH, "the mover is at {}", now.position);
    claim!(rest < TOUCH, "the mover is still {rest} deep");
    let size = level.scene.world().bounds(collider).unwrap().size().length();
    claim!(travel.length() <= 2.0 * depth + size + TOUCH, "the way is too long for a depth of {depth}");
    claim!(depth > 0.0 || travel == Vec2::ZERO, "a mover outside everything is pushed");
    for (side, depth, at) in overlaps_along(level, node, collider, before.position, travel, &filter) {
        let was_inside = before.inside.iter().any(|(id, depth)| *id == side.collider && *depth > 0.0);
        claim!(was_inside || depth < CLEAR_DEPTH, "the way leads {depth} deep through {side:?} at {at}");
    }
    Ok(())
}
