use macroquad::prelude::Rect;

use super::*;

const AREA: Rect = Rect::new(0.0, 46.0, 360.0, 400.0);
const RIGHT: &[KeyCode] = &[KeyCode::Right];
const SPACE: &[KeyCode] = &[KeyCode::Space];

/// Updates the view once with the given elapsed time.
fn update(view: &mut WalkView, input: &Input, seconds: f32) -> Drag {
    let mut camera = Camera::new(false);
    camera.area = AREA;
    view.update(&Stage { input, camera: &camera, seconds })
}

/// Updates the view for a number of frames without input.
fn wait(view: &mut WalkView, frames: usize) {
    for _ in 0..frames {
        update(view, &Input::default(), FRAME);
    }
}

/// Returns an input with fingers near the centres of some buttons.
fn fingers(buttons: &[usize]) -> Input {
    let circles = touch::circles(AREA);
    let mut input = Input::default();
    input.touches = buttons.iter().map(|index| circles[*index].0 + vec2(5.0, -5.0)).collect();
    input
}

#[test]
fn the_player_lands_walks_and_jumps() {
    let mut view = WalkView::default();
    wait(&mut view, 60);
    let start = view.position();
    assert!(view.player.on_floor && (start.y - 0.6).abs() < 0.02, "{start}");
    for _ in 0..60 {
        update(&mut view, &Input::with_keys(RIGHT, &[]), FRAME);
    }
    assert!(view.position().x > start.x + 3.0, "{}", view.position());
    let ground = view.position().y;
    update(&mut view, &Input::with_keys(&[], SPACE), FRAME);
    let mut highest = ground;
    for _ in 0..60 {
        wait(&mut view, 1);
        highest = highest.max(view.position().y);
    }
    assert!(highest > ground + 1.5 && view.player.on_floor && (view.position().y - ground).abs() < 0.02, "{highest}");
}

#[test]
fn the_motion_does_not_depend_on_the_frame_rate() {
    let trail = |frame_rate: u16| {
        let mut view = WalkView::default();
        for _ in 0..2 * frame_rate {
            update(&mut view, &Input::with_keys(RIGHT, &[]), 1.0 / f32::from(frame_rate));
        }
        (view.trail, view.time)
    };
    let expected = trail(60);
    assert_eq!(expected.0.len(), TRAIL_FRAMES);
    for frame_rate in [24, 30, 144] {
        assert_eq!(trail(frame_rate), expected, "{frame_rate} Hz");
    }
}

#[test]
fn nothing_moves_while_paused() {
    let mut view = WalkView::default();
    wait(&mut view, 30);
    let (place, time) = (view.position(), view.time);
    for _ in 0..30 {
        update(&mut view, &Input::with_keys(RIGHT, SPACE), 0.0);
    }
    assert_eq!((view.position(), view.time), (place, time));
}

#[test]
fn a_jump_pressed_up_to_a_tenth_of_a_second_before_landing_is_performed() {
    // The number of frames until the player lands.
    let mut view = WalkView::default();
    let landing = (0..100).take_while(|_| {
        wait(&mut view, 1);
        !view.player.on_floor
    });
    let landing = landing.count();
    assert!(landing > 10, "{landing}");
    for (early, jumps) in [(1, true), (4, true), (8, false)] {
        let mut view = WalkView::default();
        wait(&mut view, landing - early);
        update(&mut view, &Input::with_keys(&[], SPACE), FRAME);
        wait(&mut view, early + 2);
        assert_eq!(view.player.velocity.y > 1.0, jumps, "{early}");
    }
}

#[test]
fn a_fall_below_the_limit_and_the_key_r_restart_the_player() {
    let mut view = WalkView::default();
    let start = view.position();
    wait(&mut view, 30);
    view.scene[view.player.node].transform.position = vec2(-30.0, FALL_LIMIT);
    wait(&mut view, 1);
    assert_eq!((view.position(), view.trail.len(), view.last.is_none()), (start, 0, true));
    wait(&mut view, 60);
    assert!(view.player.on_floor);
    update(&mut view, &Input::with_keys(&[], &[KeyCode::R]), 0.0);
    assert_eq!((view.position(), view.player.on_floor), (start, false));
}

#[test]
fn the_player_stays_in_the_course_during_6000_frames_of_walking_and_jumping() {
    let mut view = WalkView::default();
    let mut restarts = 0;
    for frame in 0..6_000 {
        // Walks in both directions with a long period, and jumps often.
        let right = (frame / 97 + frame / 31) % 3 != 0;
        let jump = if frame % 23 == 0 { SPACE } else { &[] };
        update(&mut view, &Input::with_keys(&[if right { KeyCode::D } else { KeyCode::A }], jump), FRAME);
        restarts += usize::from(view.last.is_none());
        assert!(
            (-13.0..17.2).contains(&view.position().x) && view.position().y > -0.5,
            "frame {frame}: {}",
            view.position()
        );
    }
    assert_eq!(restarts, view.machines.crushed as usize, "only the crusher sends the player back");
}

#[test]
fn platforms_start_at_their_positions_for_time_zero() {
    let mut view = WalkView::default();
    let places = |view: &mut WalkView| -> Vec<Vec2> {
        let world = view.scene.world();
        view.platforms.iter().map(|platform| world.position(platform.node).unwrap()).collect()
    };
    let before = places(&mut view);
    wait(&mut view, 1);
    assert!(before.iter().zip(places(&mut view)).all(|(before, after)| before.distance(after) < 0.01), "{before:?}");
    wait(&mut view, 180);
    let after = places(&mut view);
    let moved = before.iter().zip(&after).filter(|(before, after)| before.distance(**after) > 1.0);
    assert_eq!(moved.count(), 3, "all but the rotating hub move: {after:?}");
}

#[test]
fn moving_platforms_carry_the_player_only_with_ride_platforms() {
    // The player's centre above a platform's: half of each height plus the skin.
    let height = 0.1 + 0.6 + 0.02;
    for (name, sideways) in [("lift", true), ("ferry", false), ("elevator", false)] {
        for ride_platforms in [true, false] {
            let mut view = WalkView::default();
            view.options.ride_platforms = ride_platforms;
            let node = view.scene.find(name).unwrap();
            let start = view.scene.world().position(node).unwrap();
            view.scene[view.player.node].transform.position = start + vec2(0.0, height);
            wait(&mut view, 120);
            let end = view.scene.world().position(node).unwrap();
            assert!(start.distance(end) > 1.0);
            let offset = view.position() - end;
            // Any rising floor lifts the player. Only a platform that moves sideways can leave the player behind.
            let carried = view.player.on_floor && offset.x.abs() < 0.02;
            assert_eq!(carried, ride_platforms || !sideways, "{name}: {offset}");
        }
    }
}

#[test]
fn the_touch_buttons_walk_while_held_and_jump_once_per_touch() {
    let mut buttons = Buttons::default();
    for (at, walk, jump) in [
        (&[][..], 0.0, false),
        (&[0][..], -1.0, false),
        (&[0, 1][..], 0.0, false),
        (&[1, 2][..], 1.0, true),
        (&[1, 2][..], 1.0, false),
        (&[1][..], 1.0, false),
        (&[2][..], 0.0, true),
    ] {
        assert_eq!(buttons.update(AREA, &fingers(at)), Controls { walk, jump, restart: false }, "{at:?}");
        assert_eq!(buttons.drag() == Drag::Item, !at.is_empty(), "{at:?}");
    }
    let mut beside = Input::default();
    beside.touches.push(vec2(180.0, 100.0));
    assert_eq!((buttons.update(AREA, &beside), buttons.drag()), (Controls::default(), Drag::None));
}

#[test]
fn keys_and_fingers_together_are_not_faster_than_one_of_them() {
    let mut view = WalkView::default();
    wait(&mut view, 60);
    let place = view.position().x;
    let mut keys = Input::with_keys(RIGHT, &[]);
    keys.touches = fingers(&[1]).touches;
    update(&mut view, &keys, FRAME);
    assert!((view.player.velocity.x - 5.0).abs() < 1e-6 && view.position().x - place < 5.1 * FRAME);
}

#[test]
fn colours_distinguish_the_player_fixed_moving_and_one_way_colliders() {
    let view = WalkView::default();
    let stroke = |path: &str| {
        let stroke = view.stroke(view.scene.find(path).unwrap());
        (stroke.color, stroke.dashed)
    };
    assert_eq!(stroke("player"), (theme::FIRST, false));
    assert_eq!(stroke("hill"), (theme::MUTED, false));
    assert_eq!(stroke("ledge"), (theme::GHOST, true));
    assert_eq!(stroke("lift"), (theme::SECOND, true));
    assert_eq!(stroke("ferry"), (theme::SECOND, false));
    assert_eq!(stroke("hub/beam"), (theme::SECOND, false));
}

#[test]
fn the_crusher_squeezes_a_player_who_waits_below_it() {
    let mut view = WalkView::default();
    view.scene[view.player.node].transform.position = vec2(1.2, 0.62);
    wait(&mut view, 200);
    assert_eq!((view.machines.crushed, view.last.is_none()), (0, false), "it waits for 3.6 seconds");
    wait(&mut view, 40);
    assert_eq!(view.machines.crushed, 1);
    assert!(view.position().x < 0.0, "the player starts again");
}

#[test]
fn the_lift_carries_its_stack_of_crates() {
    let mut view = WalkView::default();
    wait(&mut view, 60);
    let crates: Vec<NodeId> = view
        .scene
        .children(view.scene.root())
        .iter()
        .copied()
        .filter(|node| view.scene[*node].name == "crate")
        .collect();
    let heights = |view: &WalkView| -> Vec<f32> {
        let lift = view.scene[view.machines.lift].transform.position.y;
        crates.iter().map(|node| view.scene[*node].transform.position.y - lift).collect()
    };
    let (before, low) = (heights(&view), view.scene[view.machines.lift].transform.position.y);
    wait(&mut view, 120);
    assert!(view.scene[view.machines.lift].transform.position.y > low + 0.8);
    let after = heights(&view);
    assert!(before.len() == 3 && before.iter().zip(&after).all(|(a, b)| (a - b).abs() < 0.05), "{before:?} {after:?}");
}

#[test]
fn all_coins_and_then_the_flag_end_the_course() {
    let mut view = WalkView::default();
    let visit = |view: &mut WalkView, name: &str| {
        while let Some(node) = view.scene.find(name) {
            let at = view.scene[node].transform.position;
            view.scene[view.player.node].transform.position = at;
            wait(view, 1);
            if name == "flag" {
                break;
            }
        }
    };
    visit(&mut view, "flag");
    assert!(view.goal.text().starts_with("0 of 9"), "{}", view.goal.text());
    visit(&mut view, "coin");
    assert_eq!(view.goal.coins, 9);
    visit(&mut view, "flag");
    assert!(view.goal.text().starts_with("Done in"), "{}", view.goal.text());
    update(&mut view, &Input::with_keys(&[], &[KeyCode::R]), 0.0);
    assert_eq!(view.goal.coins, 0);
    assert!(view.scene.find("coin").is_some());
}
