//! The checks of a move. They use positions, world queries and geometry in `f64`, and share no code with the mover.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use hitgraph::{Attachment, ColliderId, Moved, NodeId};

use super::reports::{check_hits, check_reports};
use super::{GHOST, Level, LevelMover, Part, Verdict};
use crate::claim;

/// The depth up to which an overlap is a touch, in units: the rounding of positions a few dozen units from the origin.
pub const TOUCH: f32 = 1e-4;

/// The distance by which a mover may be off where it should be, for the same reason.
const ROUNDING: f32 = 1e-4;

/// The distance by which the middle of a mover without size may be beyond a line that it touches.
const EDGE: f32 = 1e-5;

/// The facts about a mover that its later moves depend on, as the oracle sees them.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// The node on which the mover stood at the end of its last move.
    pub floor: Option<NodeId>,
    /// The travels by which it was pushed since. After one, it may stand on anything.
    pub pushes: Vec<Vec2>,
    /// The position in the world at that time, or after the last push since.
    pub end: Option<Vec2>,
    /// The side of each plate on which the mover was when it was last clear of it, and its last place in the frame of
    /// the plate, by the index of the part.
    plates: BTreeMap<usize, (f32, Vec2)>,
    /// The state towards each one-way collider.
    one_ways: BTreeMap<ColliderId, OneWay>,
}

/// The largest displacement of a mover towards a one-way platform in one frame, and a little.
const FASTEST_PLATFORM: f32 = 0.4;

/// The side of a one-way collider on which a mover was when it was last clear of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OneWay {
    Front,
    Behind,
}

/// The state of a level before a move.
#[derive(Debug, Clone)]
pub struct Before {
    pub position: Vec2,
    local: Vec2,
    /// The plates that overlap the mover.
    plates: Vec<usize>,
    /// The one-way colliders that overlap the mover.
    one_ways: Vec<ColliderId>,
    /// Everything that overlaps the mover, with the depth.
    pub inside: Vec<(ColliderId, f32)>,
    middle: Vec2,
}

impl Before {
    /// Looks at a level before a move of one of its movers.
    pub fn new(level: &mut Level, index: usize) -> Self {
        let mover = level.movers[index].clone();
        let (parts, world) = (&level.parts, level.scene.world());
        let overlapped: Vec<_> = world.overlaps(mover.collider).collect();
        let is_overlapped = |part: &Part| overlapped.iter().any(|side| side.node == part.node);
        let plates = parts.iter().enumerate().filter(|(_, part)| part.plate.is_some() && is_overlapped(part));
        let one_ways = overlapped.iter().map(|side| side.collider).filter(|id| is_one_way(world.attachment(*id)));
        let depth = |id: ColliderId| world.contact(mover.collider, id).map_or(0.0, |contact| contact.depth);
        Self {
            inside: overlapped.iter().map(|side| (side.collider, depth(side.collider))).collect(),
            position: world.position(mover.node).unwrap(),
            local: world.node(mover.node).unwrap().transform.position,
            plates: plates.map(|(part, _)| part).collect(),
            one_ways: one_ways.collect(),
            middle: world.position(mover.node).unwrap() + mover.middle,
        }
    }
}

/// Returns `true` if a collider of the levels lets movers pass in one direction.
pub fn is_one_way(attachment: Option<&Attachment>) -> bool {
    attachment.is_some_and(|attachment| attachment.one_way.is_some() || attachment.collider().one_way_of(0).is_some())
}

/// Checks one move.
///
/// # Errors
/// If it violates a claim.
pub fn check_move(level: &mut Level, index: usize, before: &Before, displacement: Vec2, moved: &Moved) -> Verdict {
    check_travel(level, index, before, displacement, moved)?;
    check_depth(level, index, moved)?;
    check_walls(level, index)?;
    check_plates(level, index, before, moved)?;
    check_one_ways(level, index, before, moved)?;
    check_floor(level, index, moved)?;
    check_hits(level, index, moved)?;
    check_reports(level, index, before, displacement, moved)?;
    // A stuck mover rides on nothing.
    level.movers[index].memory.floor = moved.floor.filter(|_| !moved.stuck).map(|floor| floor.side.node);
    if !moved.stuck {
        level.movers[index].memory.pushes.clear();
    }
    if !moved.stuck || level.movers[index].memory.end.is_none() {
        level.movers[index].memory.end = level.scene.world().position(level.movers[index].node);
    }
    Ok(())
}

/// The travel is the change of position, it is zero for a stuck mover, and its parts make sense.
fn check_travel(level: &mut Level, index: usize, before: &Before, displacement: Vec2, moved: &Moved) -> Verdict {
    let node = level.movers[index].node;
    let local = level.scene[node].transform.position;
    let now = level.scene.world().position(node).unwrap();
    claim!(now.is_finite() && moved.travel.is_finite() && moved.remainder.is_finite(), "a result is not finite");
    // A rider that moved first has taken the mover along.
    let early = level.movers[index].memory.end.map_or(Vec2::ZERO, |end| before.position - end);
    // Of the pushes since, those count in which the mover rode on what pushed it.
    let pushes = level.movers[index].memory.pushes.iter();
    let sums =
        pushes.fold(vec![Vec2::ZERO, early], |sums, push| sums.iter().flat_map(|sum| [*sum, *sum + *push]).collect());
    let error_with = |early: Vec2| (now - before.position + early - moved.travel).length();
    let error = sums.into_iter().map(error_with).fold(f32::INFINITY, f32::min);
    claim!(error < ROUNDING, "travel is off by {error}: the mover is at {now}");
    if moved.stuck {
        claim!(!level.is_still, "a mover is stuck although nothing else moves");
        claim!(moved.travel == Vec2::ZERO && local == before.local, "a stuck mover moves to {now}");
        claim!(moved.remainder == displacement, "a stuck mover has used up a part of its displacement");
    }
    let parts = moved.carried + moved.pushed + displacement - moved.remainder;
    claim!(moved.stuck || (moved.travel - parts).length() < ROUNDING, "the parts of the travel add up to {parts}");
    // Slopes and steps lengthen a path.
    let (own, is_top_down) = (displacement - moved.remainder, level.movers[index].options.up == Vec2::ZERO);
    claim!(!is_top_down || own.length() < displacement.length() + ROUNDING, "it moves by {own}, which is too long");
    Ok(())
}

/// A mover that is not stuck ends inside nothing except those that ride on it.
fn check_depth(level: &mut Level, index: usize, moved: &Moved) -> Verdict {
    if moved.stuck {
        return Ok(());
    }
    let (own, carrier) = (level.movers[index].collider, level.movers[index].node);
    let others: Vec<_> = level.scene.world().overlaps(own).collect();
    for other in others {
        let attachment = level.scene.attachment(other.collider);
        let is_ghost = |user_data: u64| level.movers[index].passes_ghosts && user_data == GHOST;
        let passes = |attachment: &Attachment| attachment.sensor || is_ghost(attachment.user_data);
        let is_solid = !attachment.is_none_or(passes) && !is_one_way(attachment);
        if is_solid && !rides_on(level, other.node, carrier) {
            let depth = level.scene.world().contact(own, other.collider).map_or(0.0, |contact| contact.depth);
            let shape = level.scene.attachment(other.collider).map(Attachment::collider);
            claim!(depth < TOUCH, "the mover ends {depth} inside {:?}, {shape:?}", other.node);
        }
    }
    Ok(())
}

/// Returns `true` if a node stood on a carrier after its last move, or on something that did.
pub fn rides_on(level: &Level, node: NodeId, carrier: NodeId) -> bool {
    let memory = |node: NodeId| level.movers.iter().find(|mover| mover.node == node).map(|mover| &mover.memory);
    let floor_of = |node: NodeId| memory(node)?.floor;
    let mut below = std::iter::successors(Some(node), |floor| floor_of(*floor)).take(100);
    below.any(|other| {
        (other != node && other == carrier) || memory(other).is_some_and(|memory| !memory.pushes.is_empty())
    })
}

/// No mover leaves its room or crosses a fence.
///
/// # Errors
/// If the mover does.
pub fn check_walls(level: &mut Level, index: usize) -> Verdict {
    let mover = &level.movers[index];
    let (node, middle) = (mover.node, mover.middle);
    let now = (level.scene.world().position(node).unwrap() + middle).as_dvec2();
    let edges = level.room.iter().zip(level.room.iter().cycle().skip(1));
    let beyond = edges.map(|(from, to)| (now - *from).perp_dot(*to - *from) / from.distance(*to)).fold(0.0, f64::max);
    claim!(beyond < f64::from(EDGE), "the mover leaves the room: its middle is at {now}");
    for [from, to] in &level.fences {
        let along = *to - *from;
        let part = along.dot(now - *from) / along.length_squared();
        // A mover starts on the left of every fence. Beyond the ends there is no ground.
        let height = along.perp_dot(now - *from) / along.length();
        claim!(
            height > -f64::from(EDGE) || !(0.01..0.99).contains(&part),
            "the mover crosses the fence from {from} to {to}: its middle is at {now}"
        );
    }
    Ok(())
}

/// Returns `true` if a point is within a closed outline.
pub fn is_within(outline: &[DVec2], point: DVec2) -> bool {
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = edges.filter(|(a, b)| {
        let straddles = (a.y > point.y) != (b.y > point.y);
        straddles && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    });
    crossed.count() % 2 == 1
}

/// A mover that overlaps a thin plate goes back to the side from which the plate came.
fn check_plates(level: &mut Level, index: usize, before: &Before, moved: &Moved) -> Verdict {
    let LevelMover { collider: own, node, middle, half_size, .. } = level.movers[index];
    for part in 0..level.parts.len() {
        let Part { node: plate, plate: Some(half_length), .. } = level.parts[part] else { continue };
        let world = level.scene.world();
        let at = world.position(node).unwrap() + middle;
        let local = world.to_local(plate, at).unwrap();
        let other = world.colliders(plate)[0];
        let gap = world.distance(own, other).unwrap();
        let memory = &mut level.movers[index].memory.plates;
        let remembered = memory.get(&part).copied();
        // A plate may pass a small mover between two frames.
        let start = world.to_local(plate, before.position + middle).unwrap();
        let was_near = |place: Vec2| before.plates.contains(&part) && place.distance(start) < half_size;
        let remembered = remembered.filter(|(_, place)| was_near(*place) || !before.plates.contains(&part));
        if let (false, Some((side, _))) = (moved.stuck, remembered.filter(|(_, place)| was_near(*place))) {
            claim!(
                local.y * side > -EDGE || local.x.abs() > half_length,
                "{plate:?}, a plate at {:?}, lets the mover through: its middle is at {local} before it",
                level.scene[plate].transform
            );
        }
        // Beside the ends of the plate, the mover is on neither side. A plate may pass a stuck mover.
        let side = if gap > 0.0 { (!moved.stuck).then(|| local.y.signum()) } else { remembered.map(|(side, _)| side) };
        match side.filter(|_| local.x.abs() <= half_length) {
            Some(side) => drop(memory.insert(part, (side, local))),
            None => drop(memory.remove(&part)),
        }
    }
    Ok(())
}

/// A one-way collider, a wide platform in the levels, blocks a mover that was last clear in front of it, and no other.
fn check_one_ways(level: &mut Level, index: usize, before: &Before, moved: &Moved) -> Verdict {
    let (own, node, middle) = (level.movers[index].collider, level.movers[index].node, level.movers[index].middle);
    // A mover does not remember a platform that comes from beyond its reach in one frame.
    let size = level.scene.world().bounds(own).unwrap().size().length();
    if (0.5 * size).max(32.0 * level.movers[index].options.skin_width) < FASTEST_PLATFORM {
        return Ok(());
    }
    let platforms: Vec<ColliderId> = level
        .parts
        .iter()
        .map(|part| level.scene.colliders(part.node)[0])
        .filter(|id| is_one_way(level.scene.attachment(*id)))
        .collect();
    for platform in platforms {
        let world = level.scene.world();
        let carrier = world.node_of(platform).unwrap();
        let local = world.to_local(carrier, world.position(node).unwrap() + middle).unwrap();
        let depth = world.contact(own, platform).map_or(0.0, |contact| contact.depth);
        let start = world.to_local(carrier, before.middle).unwrap();
        // A platform may pass a small mover between two frames, or leave it.
        let was_inside = before.one_ways.contains(&platform);
        let memory = &mut level.movers[index].memory.one_ways;
        match memory.get(&platform) {
            Some(OneWay::Front) if !moved.stuck && (was_inside || start.y > 0.0) => {
                let holds = local.y > 0.0 && depth < TOUCH;
                claim!(holds, "a one-way platform lets the mover through: {depth} deep, at {local}");
            }
            Some(OneWay::Behind) if was_inside || start.y < 0.0 => {
                let blocks = moved.hits().iter().any(|hit| hit.side.collider == platform);
                claim!(!blocks, "a one-way platform catches a mover from behind, at {local}");
            }
            _ => {}
        }
        if depth == 0.0 {
            memory.insert(platform, if local.y > 0.0 { OneWay::Front } else { OneWay::Behind });
        }
    }
    Ok(())
}

/// The floor is within two skins.
fn check_floor(level: &mut Level, index: usize, moved: &Moved) -> Verdict {
    let Some(floor) = moved.floor.filter(|_| !moved.stuck && !level.movers[index].is_bullet) else { return Ok(()) };
    let (own, skin) = (level.movers[index].collider, level.movers[index].options.skin_width);
    let gap = level.scene.world().distance(own, floor.side.collider);
    claim!(gap.is_some_and(|gap| gap <= 2.0 * skin + ROUNDING), "the floor is {gap:?} away");
    Ok(())
}
