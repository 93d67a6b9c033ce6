//! Attacks on movers: random levels with moving, turning and squeezing parts, run for many frames with an oracle that
//! judges every move. `docs/testing.md` describes the variables that make the runs longer or repeat a single seed.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, MoveHit, MoveOptions, Moved, Polyline, Rect, Segment, Tile, Tiles, Transform};
use support::attacks::rest::{come_to_rest, move_back};
use support::attacks::{
    Course, GHOST, Input, Level, Motion, Part, Pusher, Scenery, attack, attack_levels, mover_shape, options, parent,
    skin_width,
};
use support::claim;
use support::dice::Dice;

/// Adds up to four free movers with random options that wander within a distance of the origin.
fn add_wanderers(level: &mut Level, within: f32) {
    for _ in 0..=level.dice.below(4) {
        let shape = mover_shape(&mut level.dice);
        if !level.add_free_mover(&shape, within) {
            continue;
        }
        let dice = &mut level.dice;
        let (options, is_bullet, hold) = (options(dice), dice.once_in(6), dice.one_of(&[20, 100, 400]));
        let input = if options.up == Vec2::ZERO || is_bullet {
            Input::Wander { speed: dice.within(0.01..0.5), hold }
        } else {
            Input::Walk { speed: dice.within(0.01..0.3), fall: dice.within(0.01..0.4), hold }
        };
        let mover = level.movers.last_mut().unwrap();
        (mover.options, mover.is_bullet, mover.input) = (options, is_bullet, input);
    }
}

/// Adds a part of any shape and any motion.
fn add_part(level: &mut Level, within: f32) {
    let node = level.add_shape(within, 3.0);
    let dice = &mut level.dice;
    let period = 20 + dice.below(300);
    let mut place = || Vec2::from_angle(dice.unit() * TAU) * dice.within(0.3..1.0) * within;
    let (by, to) = (place() * 0.5, vec![place(), place(), place()]);
    let motion = match dice.below(6) {
        0 => Motion::Shuttle { by, period },
        1 => Motion::Turn(dice.within(-0.3..0.3)),
        2 => Motion::Tilt { angle: dice.within(0.1..1.0), period },
        3 => Motion::Jump { to, every: 1 + period / 4 },
        4 => Motion::Grow { factor: dice.within(0.0..3.0), period },
        _ => Motion::Blink { period },
    };
    let part = Part::new(&level.scene, node, motion);
    level.parts.push(part);
}

/// Returns a closed room with still shapes, moving parts and movers.
fn busy_room(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    let (sides, radius) = (3 + level.dice.below(22), level.dice.within(4.0..9.0));
    level.add_room(sides, radius);
    let (shapes, parts) = (level.dice.below(8), level.dice.below(6));
    level.add_shapes(shapes, radius);
    for _ in 0..parts {
        add_part(&mut level, radius);
    }
    add_wanderers(&mut level, radius);
    level
}

/// Returns a busy room with sensors, ghosts and one-way colliders.
fn room_of_reports(dice: &mut Dice) -> Level {
    let mut level = busy_room(dice);
    for _ in 0..12 {
        let node = level.add_shape(8.0, 1.0);
        let id = level.scene.colliders(node)[0];
        let kind = level.dice.below(4);
        let attachment = level.scene.attachment_mut(id).unwrap();
        match kind {
            0 => attachment.user_data = GHOST,
            1 => attachment.one_way = Some(Vec2::Y),
            _ => attachment.sensor = true,
        }
    }
    for mover in &mut level.movers {
        mover.passes_ghosts = level.dice.once_in(2);
        mover.options.step_height = 0.0;
    }
    level
}

/// Returns thin grounds, one above the other, and plates that fall on the movers between them.
fn crusher(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    level.add_ground(0.0, 200.0);
    for _ in 0..level.dice.below(4) {
        let dice = &mut level.dice;
        let (half_length, thickness) = (dice.within(1.0..6.0), dice.one_of(&[0.0, 0.05, 0.5, 3.0]));
        let tilt = dice.one_of(&[0.0, 0.1, -0.3, dice.clone().within(-0.8..0.8)]);
        let start = vec2(dice.within(-3.0..3.0), dice.within(4.0..7.0));
        let (to, period) = (vec2(dice.within(-1.0..1.0), dice.within(-1.0..2.0)), 40 + dice.below(300));
        let at = Transform::from_position(start).with_rotation(tilt);
        let node = level.add(at, Rect::new(2.0 * half_length, thickness));
        let part = Part::new(&level.scene, node, Motion::Shuttle { by: to - start * Vec2::Y, period });
        let is_thin = thickness < 0.3;
        level.parts.push(if is_thin { part.plate(half_length) } else { part });
    }
    for x in [-2.0_f32, 0.0, 2.0] {
        if level.dice.once_in(2) {
            let (shape, parent) = (mover_shape(&mut level.dice), parent(&mut level.dice));
            let (speed, skin_width) = (level.dice.within(0.0..0.2), skin_width(&mut level.dice));
            let mover = level.add_mover(parent, vec2(x, 1.2), shape);
            mover.options = MoveOptions { skin_width, ..MoveOptions::default() };
            mover.input = Input::Walk { speed, fall: 0.1, hold: 200 };
        }
    }
    level
}

/// Returns a lift with a stack of up to ten movers, perhaps below a ceiling.
fn stack_on_a_lift(dice: &mut Dice, has_ceiling: bool) -> Level {
    let mut level = Level::new(dice);
    let dice = &mut level.dice;
    let (half_length, count) = (dice.within(2.0..4.0), 1 + dice.below(10));
    let thickness = dice.one_of(&[0.0, 0.4, 2.0]);
    let speed = dice.within(0.005..0.16);
    let (rise, sway) = (dice.within(-6.0..6.0), dice.within(-1.0..1.0));
    let period = (2.0 * rise.abs().max(1.0) / speed) as u64 + 2;
    let options =
        MoveOptions { skin_width: skin_width(dice), snap_to_floor: dice.one_of(&[0.0, 0.2]), ..MoveOptions::default() };
    let (fall, below_ceiling) = (dice.within(0.01..0.3), dice.once_in(3));
    let lift =
        level.add(Transform::from_position(vec2(0.0, -0.5 * thickness)), Rect::new(2.0 * half_length, thickness));
    let part = Part::new(&level.scene, lift, Motion::Shuttle { by: vec2(sway, rise), period }).plate(half_length);
    level.parts.push(part);
    let mut top = 0.0;
    for _ in 0..count {
        let dice = &mut level.dice;
        let (width, height) = (dice.within(0.6..1.6), dice.within(0.3..1.0));
        let x = dice.within(-0.2..0.2);
        let mover = level.add_mover(Transform::IDENTITY, vec2(x, top + 0.5 * height + 0.11), Rect::new(width, height));
        mover.options = options.clone();
        mover.input = Input::Constant(vec2(0.0, -fall));
        top += height + 0.11;
    }
    if has_ceiling && below_ceiling {
        let height = top + 1.0 + level.dice.unit();
        level.add(Transform::from_position(vec2(0.0, height + 0.5)), Rect::new(20.0, 1.0));
    }
    level
}

/// Returns lifts that carry their riders through a closed room with still shapes, and into them.
fn lifts_in_a_room(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    level.add_room(8, 12.0);
    let shapes = level.dice.below(6);
    level.add_shapes(shapes, 9.0);
    for _ in 0..=level.dice.below(3) {
        let dice = &mut level.dice;
        let (half_length, thickness) = (dice.within(0.8..3.0), dice.one_of(&[0.0, 0.1, 0.6]));
        let at = vec2(dice.within(-5.0..5.0), dice.within(-6.0..3.0));
        let by = Vec2::from_angle(dice.unit() * TAU) * dice.within(0.5..8.0);
        let period = (2.0 * by.length() / dice.within(0.01..0.25)) as u64 + 2;
        let motion = match dice.below(3) {
            0 => Motion::Tilt { angle: dice.within(0.1..0.7), period: 60 + dice.below(200) },
            _ => Motion::Shuttle { by, period },
        };
        let lift = level.add(Transform::from_position(at), Rect::new(2.0 * half_length, thickness));
        let part = Part::new(&level.scene, lift, motion);
        level.parts.push(part);
        let (mut top, count) = (0.5 * thickness, level.dice.below(4));
        for _ in 0..count {
            let shape = mover_shape(&mut level.dice);
            let parent = parent(&mut level.dice);
            let x = level.dice.within(-0.5..0.5) * half_length;
            let mover = level.add_mover(parent, at, shape);
            mover.options = MoveOptions { snap_to_floor: 0.1, ..MoveOptions::default() };
            mover.input = Input::Walk { speed: 0.01, fall: 0.05, hold: 200 };
            let (node, collider) = (mover.node, mover.collider);
            let bounds = level.scene.world().bounds(collider).unwrap();
            level.put(node, at + vec2(x, top + 0.05) + at - vec2(bounds.center().x, bounds.min.y));
            top += 0.05 + bounds.size().y;
            if !level.is_free(node, 0.01) {
                level.remove_last_mover();
            }
        }
    }
    level
}

/// The number of frames in which a stack comes to rest on a still lift.
const SETTLE: u64 = 150;

/// Checks that every rider of a lift without a ceiling stays where it is on what carries it, but for a lag.
fn ride_together(level: &mut Level, frames: u64) -> Result<u64, String> {
    let nodes: Vec<_> = level.parts.iter().map(|part| part.node).chain(level.movers.iter().map(|m| m.node)).collect();
    let positions = |level: &mut Level| -> Vec<Vec2> {
        let world = level.scene.world();
        nodes.iter().map(|node| world.position(*node).unwrap()).collect()
    };
    let offsets = |positions: &[Vec2]| -> Vec<Vec2> { positions.windows(2).map(|pair| pair[1] - pair[0]).collect() };
    let parts = std::mem::take(&mut level.parts);
    for _ in 0..SETTLE {
        level.frame()?;
    }
    (level.parts, level.frame) = (parts, 0);
    let (mut before, settled, mut fastest) = (positions(level), offsets(&positions(level)), 0.0_f32);
    for frame in 0..frames {
        level.frame().map_err(|claim| format!("frame {frame}: {claim}"))?;
        let now = positions(level);
        fastest = now[0].distance(before[0]).max(fastest);
        for (index, (offset, settled)) in offsets(&now).into_iter().zip(&settled).enumerate() {
            // A rider that is moved before its carrier follows one frame later, and so do those on top of it.
            let slack = (index + 2) as f32 * fastest + 4.0 * level.movers[0].options.skin_width;
            let off = offset.distance(*settled);
            claim!(off < slack, "frame {frame}: rider {index} is {off} from its place: {offset}, not {settled}");
        }
        before = now;
    }
    Ok(frames)
}

/// Pushes a mover of any kind out of random shapes.
fn push_out(dice: &mut Dice) -> Result<u64, String> {
    let mut level = Level::new(dice);
    let shapes = 1 + level.dice.below(4);
    level.add_shapes(shapes, 0.6);
    let (shape, parent) = (mover_shape(&mut level.dice), parent(&mut level.dice));
    level.add_mover(parent, Vec2::ZERO, shape);
    level.depenetrate(0)?;
    // The level costs as much as some frames.
    Ok(10)
}

/// Returns a closed room with thin plates that push and turn.
fn room_of_pushers(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    let sides = 3 + level.dice.below(10);
    level.add_room(sides, 9.0);
    let shapes = level.dice.below(4);
    level.add_shapes(shapes, 9.0);
    for _ in 0..=level.dice.below(3) {
        let dice = &mut level.dice;
        let (half_length, thickness) = (dice.within(0.5..3.0), dice.one_of(&[0.0, 0.05, 0.3]));
        let at = Vec2::from_angle(dice.unit() * TAU) * dice.within(0.0..5.0);
        let (turn, course) = (dice.unit() * TAU, Course::any(dice, half_length));
        let at = Transform::from_position(at).with_rotation(turn);
        let node = level.add(at, Rect::new(2.0 * half_length, thickness));
        let options = MoveOptions { skin_width: skin_width(&mut level.dice), ..MoveOptions::default() };
        level.pushers.push(Pusher { node, options, course, half_length });
    }
    add_wanderers(&mut level, 7.0);
    level
}

/// Returns a closed table with flippers of up to 16 radians and balls that fall on them, at 60 frames per second.
fn pinball(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    level.add_room(6, 6.0);
    for side in [-1.0_f32, 1.0] {
        let dice = &mut level.dice;
        let (half_length, thickness) = (dice.within(0.6..1.8), dice.one_of(&[0.02, 0.1, 0.3]));
        let rate = side * dice.within(2.0..16.0) / 60.0;
        let course = Course::Flip { rate, pivot: vec2(-half_length, 0.0), period: 2 * (1 + dice.below(6)) };
        let hinge = vec2(-side * dice.within(2.0..3.5), dice.within(-3.0..0.0));
        let turn = if side < 0.0 { PI } else { 0.0 } - side * dice.within(0.2..0.8);
        let at = Transform::from_position(hinge + Vec2::from_angle(turn) * half_length).with_rotation(turn);
        let node = level.add(at, Rect::new(2.0 * half_length, thickness));
        level.pushers.push(Pusher { node, options: MoveOptions::top_down(), course, half_length });
    }
    for _ in 0..4 {
        let radius = level.dice.within(0.1..0.5);
        let ball = if level.dice.once_in(3) { mover_shape(&mut level.dice) } else { Circle::new(radius).into() };
        if level.add_free_mover(&ball, 4.0) {
            let fall = level.dice.within(0.02..0.3);
            let mover = level.movers.last_mut().unwrap();
            mover.options = MoveOptions::top_down();
            mover.input = Input::Walk { speed: 0.1, fall, hold: 60 };
        }
    }
    level
}

/// Adds a mover of any kind with a constant displacement.
fn add_pusher(level: &mut Level, at: Vec2, displacement: Vec2, options: MoveOptions) {
    let (shape, parent) = (mover_shape(&mut level.dice), parent(&mut level.dice));
    let mover = level.add_mover(parent, at, shape);
    mover.options = options;
    mover.input = Input::Constant(displacement);
}

/// Returns a convex room with a mover that is pushed in one direction.
fn room(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    let (sides, radius) = (3 + level.dice.below(22), level.dice.within(3.0..9.0));
    level.add_room(sides, radius);
    let dice = &mut level.dice;
    let displacement = Vec2::from_angle(dice.unit() * TAU) * dice.within(0.03..0.3);
    let base = if dice.once_in(3) { MoveOptions::default() } else { MoveOptions::top_down() };
    let options = MoveOptions { skin_width: skin_width(dice), ..base };
    add_pusher(&mut level, Vec2::ZERO, displacement, options);
    level
}

/// Returns a valley of two slopes, or a wedge, in any direction, with a mover that is pushed into it.
fn valley(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    let dice = &mut level.dice;
    let (left, right) = (dice.within(0.05..1.5), dice.within(0.05..1.5));
    let is_top_down = dice.once_in(2);
    let turn = Vec2::from_angle(if is_top_down { dice.unit() * TAU } else { 0.0 });
    // No mover walks to an end within 1,000 frames.
    let outline = [vec2(-left.cos(), left.sin()) * 150.0, Vec2::ZERO, vec2(right.cos(), right.sin()) * 150.0];
    let displacement = turn.rotate(vec2(dice.within(-0.1..0.1), -dice.within(0.05..0.4)));
    let start = turn.rotate(vec2(right.cos() - left.cos(), right.sin() + left.sin()).normalize()) * 8.0;
    let base = if is_top_down { MoveOptions::top_down() } else { MoveOptions::default() };
    let options = MoveOptions {
        skin_width: skin_width(dice),
        snap_to_floor: dice.one_of(&[0.0, 0.2]),
        step_height: dice.one_of(&[0.0, 0.2]),
        stand_on_slopes: !dice.once_in(3),
        ..base
    };
    Scenery::any(dice).add(&mut level, &outline.map(|point| turn.rotate(point)), false);
    add_pusher(&mut level, start, displacement, options);
    level
}

/// Returns a closed room with still shapes of any kind and a mover that is pushed in one direction.
fn still_level(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    let (sides, shapes) = (3 + level.dice.below(10), 1 + level.dice.below(8));
    level.add_room(sides, 6.0);
    level.add_shapes(shapes, 6.0);
    let shape = mover_shape(&mut level.dice);
    if level.add_free_mover(&shape, 5.0) {
        let dice = &mut level.dice;
        let displacement = Vec2::from_angle(dice.unit() * TAU) * dice.within(0.05..0.3);
        let base = if dice.once_in(3) { MoveOptions::default() } else { MoveOptions::top_down() };
        let mover = level.movers.last_mut().unwrap();
        let (step_height, snap_to_floor) = (dice.one_of(&[0.0, 0.2, 0.4]), dice.one_of(&[0.0, 0.4]));
        mover.options = MoveOptions { skin_width: skin_width(dice), step_height, snap_to_floor, ..base };
        mover.input = Input::Constant(displacement);
    }
    level
}

/// Returns a lift with one rider that moves at a constant speed for more than 1,000 frames.
fn rider(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    let dice = &mut level.dice;
    let velocity = Vec2::from_angle(dice.unit() * TAU) * dice.within(0.001..0.05);
    let options = MoveOptions { skin_width: skin_width(dice), ..MoveOptions::default() };
    let fall = dice.within(0.01..0.3);
    let lift = level.add(Transform::from_position(vec2(0.0, -0.5)), Rect::new(6.0, 1.0));
    let part = Part::new(&level.scene, lift, Motion::Advance { by: velocity * 2_000.0, period: 2_000 });
    level.parts.push(part);
    add_pusher(&mut level, vec2(0.0, 0.9), vec2(0.0, -fall), options);
    level
}

/// Returns a slot as wide as the mover, or wider by less than two skins, with a mover that is pushed to its end.
fn slot(dice: &mut Dice) -> Level {
    let mut level = Level::new(dice);
    let dice = &mut level.dice;
    let (skin_width, width) = (skin_width(dice), dice.within(0.5..1.5));
    let room = dice.one_of(&[0.0, 0.5, 1.0, 2.0, 3.0]) * skin_width;
    let turn = Vec2::from_angle(dice.one_of(&[0.0, 0.3, dice.clone().unit() * TAU]));
    let displacement = turn.rotate(vec2(dice.within(0.03..0.3), dice.within(-0.2..0.2)));
    let half = 0.5 * (width + room) + if room == 0.0 { 1e-5 } else { 0.0 };
    let outline = [vec2(-9.0, -half), vec2(4.0, -half), vec2(4.0, half), vec2(-9.0, half)];
    let shape =
        if dice.once_in(2) { Attachment::new(Rect::new(width, width)) } else { Circle::new(0.5 * width).into() };
    Scenery::any(dice).add(&mut level, &outline.map(|point| turn.rotate(point)), false);
    let mover = level.add_mover(Transform::from_rotation(turn.to_angle()), Vec2::ZERO, shape);
    mover.options = MoveOptions { skin_width, ..MoveOptions::top_down() };
    mover.input = Input::Constant(displacement);
    level
}

/// Adds a one-way platform of any kind, wide enough that no mover gets beyond its ends, with any motion of up to ten
/// units per second.
fn add_one_way_platform(level: &mut Level) {
    let dice = &mut level.dice;
    let (half, thickness) = (30.0, dice.one_of(&[0.0, 0.1, 0.5]));
    let kind = dice.below(4);
    let shape: Attachment = match kind {
        0 => Attachment::new(Rect::new(2.0 * half, thickness)).one_way(Vec2::Y),
        1 => Attachment::new(Segment::new(vec2(-half, 0.0), vec2(half, 0.0))).one_way(Vec2::Y),
        2 => Polyline::new(&[vec2(-half, 0.0), vec2(-1.0, 0.0), vec2(0.5, 0.0), vec2(half, 0.0)])
            .unwrap()
            .one_sided()
            .into(),
        // The row of a map with a solid tile at its far end.
        _ => Tiles::from_tiles(60, 2, vec2(1.0, 0.2), |column, row| match (column, row) {
            (_, 0) => Tile::FULL.one_way(Vec2::Y),
            (59, _) => Tile::FULL,
            _ => Tile::EMPTY,
        })
        .unwrap()
        .into(),
    };
    let speed = dice.within(0.001..0.16);
    let by = Vec2::from_angle(dice.unit() * TAU) * dice.within(0.5..6.0);
    let period = (2.0 * by.length() / speed) as u64 + 2;
    let motion = match dice.below(4) {
        0 => Motion::Turn(0.0),
        // The movers are less than 10 units from the middle.
        1 if kind != 3 => Motion::Tilt { angle: dice.within(0.0..0.5), period: 200 },
        2 => Motion::Shuttle { by: vec2(0.0, by.length()), period },
        _ => Motion::Shuttle { by, period },
    };
    let mirror = if dice.once_in(4) { vec2(-1.0, 1.0) } else { Vec2::ONE };
    let x = if kind == 3 { -half * mirror.x } else { 0.0 };
    let node = level.add(Transform { position: vec2(x, 0.0), scale: mirror, ..Transform::IDENTITY }, shape);
    let part = Part::new(&level.scene, node, motion);
    level.parts.push(part);
}

/// Moves a mover with gravity for some frames. It starts above or below a one-way platform, and jumps now and then.
fn jump_around(dice: &mut Dice, frames: u64, starts_above: bool) -> Result<u64, String> {
    let mut level = Level::new(dice);
    add_one_way_platform(&mut level);
    let (shape, parent) = (mover_shape(&mut level.dice), parent(&mut level.dice));
    let dice = &mut level.dice;
    let start = vec2(dice.within(-3.0..3.0), dice.within(1.5..6.0) * if starts_above { 1.0 } else { -1.0 });
    let mut velocity = vec2(dice.within(-3.0..3.0), if starts_above { -dice.within(0.0..10.0) } else { 10.0 });
    let options =
        MoveOptions { skin_width: skin_width(dice), snap_to_floor: dice.one_of(&[0.0, 0.2]), ..MoveOptions::default() };
    level.add_mover(parent, start, shape).options = options;
    level.show();
    for frame in 0..frames {
        level.parts[0].advance(&mut level.scene, frame);
        level.frame = frame;
        let node = level.movers[0].node;
        let x = level.scene.world().position(node).unwrap().x;
        velocity.x = if x.abs() > 6.0 { -x.signum() * velocity.x.abs() } else { velocity.x };
        velocity.y = (velocity.y - 9.8 / 60.0).max(-10.0);
        let moved = level.move_one(0, velocity / 60.0).map_err(|claim| format!("frame {frame}: {claim}"))?;
        if moved.floor.is_some() {
            velocity.y = if level.dice.once_in(20) { level.dice.within(1.0..10.0) } else { 0.0 };
        }
    }
    Ok(frames)
}

#[test]
fn a_one_way_platform_holds_every_landing() {
    attack("a_one_way_platform_holds_every_landing", |dice| jump_around(dice, 120, true));
}

#[test]
fn a_one_way_platform_catches_no_jump_from_below() {
    attack("a_one_way_platform_catches_no_jump_from_below", |dice| jump_around(dice, 120, false));
}

#[test]
fn a_mover_comes_to_rest_in_any_room_and_moves_back_freely() {
    attack("a_mover_comes_to_rest_in_any_room_and_moves_back_freely", |dice| {
        let mut level = room(dice);
        let frames = come_to_rest(&mut level, false)?;
        move_back(&mut level).map(|()| frames)
    });
}

#[test]
fn a_mover_comes_to_rest_among_still_shapes() {
    attack("a_mover_comes_to_rest_among_still_shapes", |dice| come_to_rest(&mut still_level(dice), true));
}

#[test]
fn a_rider_comes_to_rest_on_a_moving_lift() {
    attack("a_rider_comes_to_rest_on_a_moving_lift", |dice| come_to_rest(&mut rider(dice), false));
}

#[test]
fn a_stack_comes_to_rest_on_still_ground() {
    attack("a_stack_comes_to_rest_on_still_ground", |dice| {
        let mut level = stack_on_a_lift(dice, false);
        level.parts.clear();
        come_to_rest(&mut level, false)
    });
}

#[test]
fn a_mover_comes_to_rest_in_any_wedge_and_moves_back_freely() {
    attack("a_mover_comes_to_rest_in_any_wedge_and_moves_back_freely", |dice| {
        let mut level = valley(dice);
        let frames = come_to_rest(&mut level, false)?;
        move_back(&mut level).map(|()| frames)
    });
}

#[test]
fn a_mover_comes_to_rest_in_a_slot_as_wide_as_itself() {
    attack("a_mover_comes_to_rest_in_a_slot_as_wide_as_itself", |dice| come_to_rest(&mut slot(dice), false));
}

#[test]
fn a_mover_ends_outside_everything_and_never_leaves_a_closed_room() {
    attack_levels("a_mover_ends_outside_everything_and_never_leaves_a_closed_room", 600, busy_room);
}

#[test]
fn a_crushed_mover_never_passes_through_a_thin_ground_or_plate() {
    attack_levels("a_crushed_mover_never_passes_through_a_thin_ground_or_plate", 600, crusher);
}

#[test]
fn a_stack_rides_a_lift_in_any_order_of_moves() {
    attack_levels("a_stack_rides_a_lift_in_any_order_of_moves", 400, |dice| stack_on_a_lift(dice, true));
}

#[test]
fn a_rider_keeps_its_place_on_what_carries_it() {
    attack("a_rider_keeps_its_place_on_what_carries_it", |dice| ride_together(&mut stack_on_a_lift(dice, false), 400));
}

#[test]
fn a_rider_is_never_carried_into_anything() {
    attack_levels("a_rider_is_never_carried_into_anything", 400, lifts_in_a_room);
}

#[test]
fn a_push_never_leaves_a_mover_on_the_far_side() {
    attack_levels("a_push_never_leaves_a_mover_on_the_far_side", 300, room_of_pushers);
}

#[test]
fn a_flipper_loses_no_ball() {
    attack_levels("a_flipper_loses_no_ball", 300, pinball);
}

#[test]
fn a_push_out_ends_outside_and_leads_through_nothing_else() {
    attack("a_push_out_ends_outside_and_leads_through_nothing_else", push_out);
}

#[test]
fn a_mover_reports_everything_that_it_touches() {
    attack_levels("a_mover_reports_everything_that_it_touches", 300, room_of_reports);
}

#[test]
fn a_seed_gives_the_same_bits_twice() {
    attack("a_seed_gives_the_same_bits_twice", |dice| {
        let run = |mut level: Level| {
            (0..100).for_each(|_| drop(level.frame()));
            level.hash
        };
        let level = busy_room(dice);
        let [first, second] = [run(level.clone()), run(level)];
        claim!(first == second, "the hashes {first} and {second} differ");
        Ok(200)
    });
}

/// Multiplies all lengths of a result by a factor.
fn scaled(moved: &Moved, factor: f32) -> ([Vec2; 4], bool, [Option<MoveHit>; 3], Vec<MoveHit>) {
    let hit = |hit: &MoveHit| {
        let mut hit = *hit;
        (hit.point, hit.depth) = (hit.point * factor, hit.depth * factor);
        hit
    };
    let Moved { travel, remainder, carried, pushed, floor, wall, ceiling, stuck, .. } = moved;
    let lengths = [travel, remainder, carried, pushed].map(|length| *length * factor);
    let hits = [floor, wall, ceiling].map(|found| found.as_ref().map(hit));
    (lengths, *stuck, hits, moved.hits().iter().map(hit).collect())
}

#[test]
fn a_level_that_is_a_power_of_two_larger_gives_the_same_moves_of_that_size() {
    attack("a_level_that_is_a_power_of_two_larger_gives_the_same_moves_of_that_size", |dice| {
        let mut level = if dice.once_in(2) { busy_room(dice) } else { lifts_in_a_room(dice) };
        let mut larger = level.clone();
        let factor = dice.one_of(&[1.0 / 256.0, 0.25, 2.0, 1024.0]);
        larger.scale_by(factor);
        for frame in 0..150 {
            level.advance_parts();
            larger.advance_parts();
            for (index, displacement) in level.choose_moves() {
                let moved = level.move_unchecked(index, displacement)?;
                let expected = scaled(&moved, factor);
                let found = scaled(&larger.move_unchecked(index, displacement * factor)?, 1.0);
                claim!(found == expected, "frame {frame}, mover {index}, {factor}:\n{found:?}\n{expected:?}");
            }
            level.frame += 1;
            larger.frame += 1;
        }
        // Without the checks, ten frames cost about as much as one with them.
        Ok(30)
    });
}

#[test]
fn a_cast_of_a_node_hits_what_stops_its_move() {
    attack("a_cast_of_a_node_hits_what_stops_its_move", |dice| {
        let mut level = busy_room(dice);
        // A move brings the movers that carry it first, and a cast does not.
        level.movers.truncate(1);
        let (mut hits, options) = (0, MoveOptions { skin_width: 0.0, ride_platforms: false, ..MoveOptions::default() });
        for frame in 0..60 {
            level.advance_parts();
            for (index, displacement) in level.choose_moves() {
                let node = level.movers[index].node;
                let displacement = displacement * dice.one_of(&[1.0, 10.0]);
                let before = level.scene.checksum();
                let found = level.scene.world().cast_node(node, displacement, &options.filter);
                claim!(level.scene.checksum() == before, "a cast changes the scene");
                let mut copy = level.scene.clone();
                let moved = copy.move_and_collide(node, displacement, &options).map_err(|error| error.to_string())?;
                let moved_at_once = moved.pushed == Vec2::ZERO && moved.carried == Vec2::ZERO && !moved.stuck;
                if moved_at_once {
                    let fraction = |hit: Option<&MoveHit>| hit.map_or(1.0, |hit| hit.fraction);
                    let way = displacement * (fraction(found.as_ref()) - fraction(moved.hits().last()));
                    // A move stops a rounding error before a surface, which is far on a path beside the surface.
                    let gap = moved.hits().last().map_or(f32::INFINITY, |hit| way.dot(hit.normal).abs());
                    claim!(way.length() < 1e-3 || gap < 2e-5, "frame {frame}, mover {index}: {found:?}, but {moved:?}");
                    hits += u64::from(found.is_some());
                }
                level.move_unchecked(index, displacement)?;
            }
            level.frame += 1;
        }
        Ok(10 + hits / 10)
    });
}
