use super::*;
use crate::camera::Camera;

/// Updates the view for a number of ticks.
fn run(view: &mut MirrorView, input: &Input, ticks: u32) {
    let camera = Camera::new(false);
    for _ in 0..ticks {
        view.update(&Stage { input, camera: &camera, seconds: TICK });
    }
}

fn walking(keys: &[KeyCode]) -> Input {
    Input::with_keys(keys, &[])
}

#[test]
fn hitgraph_is_never_wrong_and_the_decomposing_engine_errs_in_both_ways() {
    for seed in 1..4 {
        let mut duel = Duel::new(seed);
        while !duel.is_over() {
            duel.step(None);
        }
        let [hitgraph, decomposing] = duel.referee.counts;
        assert_eq!(hitgraph, Count::default(), "seed {seed}");
        assert!(decomposing.phantom > 10 && decomposing.missed > 5, "seed {seed}: {decomposing:?}");
        assert!(duel.referee.tests > 30_000 && duel.hits.iter().all(|hits| *hits > 3));
    }
}

#[test]
fn a_wrong_answer_is_shown_within_two_seconds_without_input() {
    let mut view = MirrorView::default();
    run(&mut view, &Input::default(), 120);
    assert!(view.duel.tick < 120 && !view.duel.lies.is_empty());
}

#[test]
fn the_duel_is_held_for_0_4_seconds_at_a_wrong_answer() {
    let mut duel = Duel::new(1);
    while duel.lies.is_empty() {
        duel.step(None);
    }
    let (tick, place) = (duel.tick, duel.operands().to_vec());
    let held = (0..100).take_while(|_| {
        duel.step(None);
        duel.tick == tick && duel.operands() == place
    });
    assert_eq!(held.count(), 24);
}

#[test]
fn a_hold_shows_the_moment_of_the_wrong_answer() {
    let mut duel = Duel::new(FIRST_SEED);
    for _ in 0..2000 {
        duel.step(None);
        if let Some(lie) = duel.lies.last().filter(|_| duel.hold == HOLD) {
            assert_eq!(lie.limbs.map(|limb| duel.operands()[limb]), lie.operands, "tick {}", lie.tick);
        }
    }
    assert!(duel.lies.len() > 3);
}

#[test]
fn a_duel_depends_only_on_its_seed_and_inputs() {
    let mut view = MirrorView::default();
    run(&mut view, &walking(&[KeyCode::Left]), 200);
    run(&mut view, &walking(&[KeyCode::Up]), 300);
    assert_eq!(view.hand, Hand::Player);
    let link = link::write(view.duel.seed, &control::write(&view.inputs));
    let mut again = MirrorView::default();
    again.set_state(&link).unwrap();
    assert_eq!(again.hand, Hand::Link);
    // The first input takes over in its first frame.
    while again.duel.tick < view.duel.tick {
        run(&mut again, &Input::default(), 1);
    }
    assert_eq!(again.duel.operands(), view.duel.operands());
    assert_eq!(again.duel.lies, view.duel.lies);
}

#[test]
fn the_player_moves_the_knight_and_aims_the_sword() {
    let mut view = MirrorView::default();
    run(&mut view, &walking(&[KeyCode::Right]), 60);
    let right = view.duel.bodies[KNIGHT].x;
    assert!(right > 2.6, "{right}");
    run(&mut view, &walking(&[KeyCode::Up]), 90);
    assert!(view.duel.bodies[KNIGHT].motion().aim > 120.0);
    run(&mut view, &walking(&[KeyCode::Down]), 120);
    assert!(view.duel.bodies[KNIGHT].motion().aim < -30.0);
}

#[test]
fn a_finger_beyond_the_reach_makes_the_knight_walk_there() {
    let mut camera = Camera::new(false);
    let mut view = MirrorView::default();
    camera.place(Rect::new(0.0, 0.0, 400.0, 300.0), view.home());
    let at = camera.to_screen(vec2(-3.0, 2.1));
    let pointer = Pointer { position: at, down: true, pressed: true, touch: true, ..Pointer::default() };
    let before = view.duel.bodies[KNIGHT].x;
    let mut input = Input::default().with_pointer(pointer);
    // Longer than a hold.
    for _ in 0..70 {
        view.update(&Stage { input: &input, camera: &camera, seconds: TICK });
        input.pointer.pressed = false;
    }
    let knight = &view.duel.bodies[KNIGHT];
    assert!(view.hand == Hand::Player && knight.x < before - 0.5, "{before} {}", knight.x);
}

#[test]
fn an_invalid_link_gives_a_specific_error_and_changes_nothing() {
    let mut view = MirrorView::default();
    view.set_state("seed=5").unwrap();
    for (text, expected) in
        [("seed=x", "\"x\""), ("seed", "no value"), ("inputs=A", "inputs: \"A\""), ("at=3", "unknown name \"at\"")]
    {
        let error = view.set_state(text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
        assert_eq!(view.state(), "seed=5");
    }
}

#[test]
fn the_commands_of_the_card_request_the_pair_view_and_a_copy() {
    let mut view = MirrorView::default();
    view.send();
    assert!(view.take_request().is_none(), "there is no wrong answer yet");
    run(&mut view, &Input::default(), 120);
    view.send();
    assert!(matches!(view.take_request(), Some(Request::Share(link)) if link.starts_with("pair?")));
    view.copy_test();
    assert!(matches!(view.take_request(), Some(Request::Copy(lines)) if lines.contains("#[should_panic")));
}

#[test]
fn a_drawing_becomes_the_opponent() {
    let mut view = MirrorView::default();
    let drawing = r#"<svg xmlns="http://www.w3.org/2000/svg"><g id="hat"><circle r="3" transform="scale(2 1)"/></g>
        <rect id="leg" y="3" width="4" height="9"/></svg>"#;
    view.open("beast.svg", drawing.as_bytes()).unwrap();
    assert_eq!(view.duel.fighters[0].name, "beast.svg");
    assert_eq!(view.state(), format!("seed={FIRST_SEED}"));
    run(&mut view, &Input::default(), 900);
    assert!(view.duel.lies.iter().any(|lie| lie.names[0] == "hat" || lie.names[0] == "leg"));
    view.open("notes.svg", b"no drawing").unwrap_err();
    assert_eq!(view.duel.fighters[0].name, "beast.svg");
}
