use macroquad::prelude::Rect;

use super::*;

const AREA: Rect = Rect::new(0.0, 46.0, 360.0, 400.0);
const RIGHT: &[KeyCode] = &[KeyCode::Right];
const SPACE: &[KeyCode] = &[KeyCode::Space];

/// Lets so many seconds pass at once.
fn pass(view: &mut WalkView, input: &Input, seconds: f32) -> Hold {
    let mut camera = Camera::new(false);
    camera.area = AREA;
    view.update(&Stage { input, camera: &camera, seconds })
}

/// Lets so many frames pass without anyone doing anything.
fn wait(view: &mut WalkView, frames: usize) {
    for _ in 0..frames {
        pass(view, &Input::default(), FRAME);
    }
}

/// Fingers on some of the buttons, not quite in the middle.
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
    let start = view.place();
    assert!(view.player.on_floor && (start.y - 0.6).abs() < 0.02, "{start}");
    for _ in 0..60 {
        pass(&mut view, &Input::of_keys(RIGHT, &[]), FRAME);
    }
    assert!(view.place().x > start.x + 3.0, "{}", view.place());
    let ground = view.place().y;
    pass(&mut view, &Input::of_keys(&[], SPACE), FRAME);
    let mut highest = ground;
    for _ in 0..60 {
        wait(&mut view, 1);
        highest = highest.max(view.place().y);
    }
    assert!(highest > ground + 1.5 && view.player.on_floor && (view.place().y - ground).abs() < 0.02, "{highest}");
}

#[test]
fn the_way_does_not_depend_on_how_often_the_screen_is_drawn() {
    let way = |screens: u16| {
        let mut view = WalkView::default();
        for _ in 0..2 * screens {
            pass(&mut view, &Input::of_keys(RIGHT, &[]), 1.0 / f32::from(screens));
        }
        (view.trail, view.time)
    };
    let expected = way(60);
    assert_eq!(expected.0.len(), TRAIL);
    for screens in [24, 30, 144] {
        assert_eq!(way(screens), expected, "{screens}");
    }
}

#[test]
fn nothing_moves_while_it_is_paused() {
    let mut view = WalkView::default();
    wait(&mut view, 30);
    let (place, time) = (view.place(), view.time);
    for _ in 0..30 {
        pass(&mut view, &Input::of_keys(RIGHT, SPACE), 0.0);
    }
    assert_eq!((view.place(), view.time), (place, time));
}

#[test]
fn a_jump_that_is_asked_for_a_little_too_early_is_remembered() {
    // How many frames it takes to land.
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
        pass(&mut view, &Input::of_keys(&[], SPACE), FRAME);
        wait(&mut view, early + 2);
        assert_eq!(view.player.velocity.y > 1.0, jumps, "{early}");
    }
}

#[test]
fn whoever_falls_out_of_the_world_begins_again() {
    let mut view = WalkView::default();
    let start = view.place();
    wait(&mut view, 30);
    view.scene[view.player.node].transform.position = vec2(-30.0, ABYSS);
    wait(&mut view, 1);
    assert_eq!((view.place(), view.trail.len(), view.last.is_none()), (start, 0, true));
    wait(&mut view, 60);
    assert!(view.player.on_floor);
    pass(&mut view, &Input::of_keys(&[], &[KeyCode::R]), 0.0);
    assert_eq!((view.place(), view.player.on_floor), (start, false));
}

#[test]
fn whatever_is_done_the_player_stays_in_the_course() {
    let mut view = WalkView::default();
    let mut restarts = 0;
    for frame in 0..6_000 {
        // There and back in ways that do not repeat soon, with many jumps.
        let right = (frame / 97 + frame / 31) % 3 != 0;
        let jump = if frame % 23 == 0 { SPACE } else { &[] };
        pass(&mut view, &Input::of_keys(&[if right { KeyCode::D } else { KeyCode::A }], jump), FRAME);
        restarts += usize::from(view.last.is_none());
        assert!((-13.0..17.2).contains(&view.place().x) && view.place().y > -0.5, "frame {frame}: {}", view.place());
    }
    assert_eq!(restarts, 0);
}

#[test]
fn platforms_begin_where_they_go_on() {
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
    let gone = before.iter().zip(&after).filter(|(before, after)| before.distance(**after) > 1.0);
    assert_eq!(gone.count(), 3, "all but the hub, which turns: {after:?}");
}

#[test]
fn platforms_carry_whoever_rides_them() {
    // On top of them: half a platform, half the player and the skin.
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
            let offset = view.place() - end;
            // Lifted it is by any floor; only what moves sideways can leave one behind.
            let carried = view.player.on_floor && offset.x.abs() < 0.02;
            assert_eq!(carried, ride_platforms || !sideways, "{name}: {offset}");
        }
    }
}

#[test]
fn fingers_walk_and_jump_once() {
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
        assert_eq!(buttons.update(AREA, &fingers(at)), Wish { walk, jump, restart: false }, "{at:?}");
        assert_eq!(buttons.hold() == Hold::Something, !at.is_empty(), "{at:?}");
    }
    let mut beside = Input::default();
    beside.touches.push(vec2(180.0, 100.0));
    assert_eq!((buttons.update(AREA, &beside), buttons.hold()), (Wish::default(), Hold::Nothing));
}

#[test]
fn keys_and_fingers_are_no_faster_together() {
    let mut view = WalkView::default();
    wait(&mut view, 60);
    let place = view.place().x;
    let mut keys = Input::of_keys(RIGHT, &[]);
    keys.touches = fingers(&[1]).touches;
    pass(&mut view, &keys, FRAME);
    assert!((view.player.velocity.x - 5.0).abs() < 1e-6 && view.place().x - place < 5.1 * FRAME);
}

#[test]
fn colours_tell_what_a_thing_is_for_the_player() {
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
