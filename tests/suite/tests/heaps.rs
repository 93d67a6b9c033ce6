//! Heaps: movers that lie on several others, and rows of movers side by side, on a platform that moves.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, MoveOptions, Node, NodeId, Rect, Scene};
use support::at;
use support::dice::Dice;
use support::moves::{SKIN_REACH, add_at, depth, options, position, slide};

/// How the caller moves a platform.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Drive {
    Write,
    Push,
}

const DRIVES: [Drive; 2] = [Drive::Write, Drive::Push];

/// Moves a platform, and checks that a push finds room for everything.
fn drive(scene: &mut Scene, platform: NodeId, displacement: Vec2, how: Drive) {
    match how {
        Drive::Write => scene[platform].transform.position += displacement,
        Drive::Push => assert_eq!(scene.push(platform, displacement, &options()).unwrap().squeezed(), []),
    }
}

/// Lets movers fall by one step, in turn.
fn fall(scene: &mut Scene, movers: &[NodeId]) {
    for node in movers {
        assert!(!slide(scene, *node, 0.0, -0.05).stuck);
    }
}

/// Adds movers at places, and lets them settle. The order of their ids and of their moves is that of the places.
fn settled(scene: &mut Scene, places: &[Vec2], collider: &Attachment) -> Vec<NodeId> {
    let movers: Vec<NodeId> =
        places.iter().map(|place| add_at(scene, at(place.x, place.y), collider.clone())).collect();
    for _ in 0..60 {
        fall(scene, &movers);
    }
    movers
}

/// Returns the greatest depth of any mover in anything.
fn greatest_depth(scene: &mut Scene, movers: &[NodeId]) -> f32 {
    movers.iter().map(|node| depth(scene, *node)).fold(0.0, f32::max)
}

/// Puts items into another order, one for each number.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut dice = Dice(seed);
    for end in (1..items.len()).rev() {
        items.swap(end, dice.below(end as u64 + 1) as usize);
    }
}

/// The places of a pyramid with a number of movers in the lowest row.
fn pyramid(rows: u8, spacing: Vec2) -> Vec<Vec2> {
    let row = |y: u8| {
        (0..rows - y).map(move |x| {
            spacing * vec2(f32::from(x) + f32::from(y) / 2.0 - f32::from(rows - 1) / 2.0, f32::from(y))
                + vec2(0.0, 0.71)
        })
    };
    (0..rows).flat_map(row).collect()
}

#[test]
fn a_heap_rides_a_lift_as_if_it_were_one_body() {
    let forms: [(&str, Attachment, Vec2); 3] = [
        ("boxes", Rect::new(1.0, 1.0).into(), vec2(1.02, 1.02)),
        ("circles", Circle::new(0.5).into(), vec2(1.02, 0.95)),
        ("wide boxes", Rect::new(1.3, 0.5).into(), vec2(1.38, 0.52)),
    ];
    let courses = [(0.05, 3), (0.02, 8), (-0.05, 4), (0.3, 3)];
    for ((name, collider, spacing), seed) in forms.iter().flat_map(|form| (0..8).map(move |seed| (form, seed))) {
        for ((speed, rows), how) in courses.into_iter().flat_map(|course| DRIVES.map(|how| (course, how))) {
            let mut scene = Scene::new();
            let lift = add_at(&mut scene, at(0.0, 0.0), Rect::new(12.0, 0.4));
            let mut places = pyramid(rows, *spacing);
            shuffle(&mut places, seed);
            let movers = settled(&mut scene, &places, collider);
            let start: Vec<Vec2> = movers.iter().map(|node| position(&scene, *node)).collect();
            for frame in 1..=60_u8 {
                drive(&mut scene, lift, vec2(0.0, speed), how);
                fall(&mut scene, &movers);
                let rise = position(&scene, lift);
                for (node, start) in movers.iter().zip(&start) {
                    let slip = position(&scene, *node) - *start - rise;
                    let case = format!("{name}, order {seed}, {rows} rows, {how:?} {speed}, frame {frame}");
                    assert!(slip.length() < 0.5 * SKIN_REACH, "{case}: {node:?} has slipped by {slip}");
                }
                assert!(greatest_depth(&mut scene, &movers) < 1e-4);
            }
        }
    }
}

#[test]
fn movers_whose_skin_width_is_no_number_ride_together_too() {
    for skin_width in [0.01, 0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = MoveOptions { skin_width, ..MoveOptions::default() };
        let mut scene = Scene::new();
        let ferry = add_at(&mut scene, at(0.0, -0.5), Rect::new(10.0, 1.0));
        let crates = [0.0, 1.05].map(|x| add_at(&mut scene, at(x, 0.52), Rect::new(1.0, 1.0)));
        for node in crates {
            scene.move_and_slide(node, vec2(0.0, -0.1), &options).unwrap();
        }
        scene[ferry].transform.position.x += 0.5;
        let carried = crates.map(|node| scene.move_and_slide(node, Vec2::ZERO, &options).unwrap().carried);
        assert_eq!(carried, [vec2(0.5, 0.0); 2], "skin width {skin_width}");
    }
}

#[test]
fn a_tight_row_rides_a_ferry_in_any_order() {
    for (seed, how) in (0..4).flat_map(|seed| DRIVES.map(|how| (seed, how))) {
        for speed in [0.02, 0.1, -0.4] {
            let mut scene = Scene::new();
            let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(40.0, 0.4));
            let mut places: Vec<Vec2> = (0..12_u8).map(|x| vec2(1.011 * f32::from(x) - 6.0, 0.71)).collect();
            shuffle(&mut places, seed);
            let movers = settled(&mut scene, &places, &Rect::new(1.0, 1.0).into());
            let start: Vec<Vec2> = movers.iter().map(|node| position(&scene, *node)).collect();
            for _ in 0..100 {
                drive(&mut scene, ferry, vec2(speed, 0.0), how);
                fall(&mut scene, &movers);
            }
            let travel = position(&scene, ferry);
            for (node, start) in movers.iter().zip(&start) {
                let slip = position(&scene, *node) - *start - travel;
                assert!(slip.length() < SKIN_REACH, "order {seed}, {how:?} {speed}: {node:?} has slipped by {slip}");
            }
        }
    }
}

/// Drives a ferry for 20 frames, in each of which movers move in this order, and checks that none slips on it.
fn assert_ride(scene: &mut Scene, ferry: NodeId, movers: &[NodeId], order: &[usize], speed: f32, how: Drive) {
    let places = |scene: &mut Scene| -> Vec<Vec2> {
        let base = position(scene, ferry);
        movers.iter().map(|node| scene.world().position(*node).unwrap() - base).collect()
    };
    let start = places(scene);
    let in_order: Vec<NodeId> = order.iter().map(|index| movers[*index]).collect();
    for _ in 0..20 {
        drive(scene, ferry, vec2(speed, 0.0), how);
        fall(scene, &in_order);
    }
    for ((node, start), end) in movers.iter().zip(start).zip(places(scene)) {
        let slip = end - start;
        assert!(slip.length() < SKIN_REACH, "{order:?}, {how:?} {speed}: {node:?} has slipped by {slip}");
    }
}

#[test]
fn stacks_of_movers_with_different_parents_ride_a_ferry_in_any_order() {
    for (speed, how) in [0.05, -0.3, 0.4].into_iter().flat_map(|speed| DRIVES.map(|how| (speed, how))) {
        for order in [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let mut scene = Scene::new();
            let level = scene.add(Node::new("level"));
            let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(12.0, 0.4));
            let places = [(-0.51, 0.71), (0.51, 0.71), (-0.51, 1.72), (0.51, 1.72)].map(Vec2::from);
            let movers = settled(&mut scene, &places, &Rect::new(1.0, 1.0).into());
            for node in [ferry, movers[0], movers[1]] {
                scene.set_parent_in_place(node, level).unwrap();
            }
            fall(&mut scene, &movers);
            assert_ride(&mut scene, ferry, &movers, &order, speed, how);
        }
    }
}

#[test]
fn a_box_that_is_a_child_of_the_ferry_moves_with_its_stack_in_any_order() {
    for (speed, how) in [0.05, -0.3, 0.4].into_iter().flat_map(|speed| DRIVES.map(|how| (speed, how))) {
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]] {
            let mut scene = Scene::new();
            let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(12.0, 0.4));
            let places = [(-0.51, 0.71), (0.51, 0.71), (-0.51, 1.72)].map(Vec2::from);
            let movers = settled(&mut scene, &places, &Rect::new(1.0, 1.0).into());
            scene.set_parent_in_place(movers[2], ferry).unwrap();
            fall(&mut scene, &movers);
            assert_ride(&mut scene, ferry, &movers, &order, speed, how);
        }
    }
}

#[test]
fn a_walker_on_a_ferry_does_not_push_the_crates_around_it() {
    let walks = [0.05, -0.05, 0.2];
    for (speed, walk) in [0.1, -0.3, 0.02].into_iter().flat_map(|speed| walks.map(|walk| (speed, walk))) {
        for (walks_first, how) in [true, false].into_iter().flat_map(|first| DRIVES.map(|how| (first, how))) {
            let mut scene = Scene::new();
            let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(40.0, 0.4));
            let places: Vec<Vec2> = [-4.0, -3.0, 3.0, 4.0].map(|x: f32| vec2(1.02 * x, 0.71)).to_vec();
            let crates = settled(&mut scene, &places, &Rect::new(1.0, 1.0).into());
            let hero = add_at(&mut scene, at(0.0, 0.71), Rect::new(0.6, 1.0));
            slide(&mut scene, hero, 0.0, -0.05);
            let start: Vec<Vec2> = crates.iter().map(|node| position(&scene, *node)).collect();
            for _ in 0..120 {
                drive(&mut scene, ferry, vec2(speed, 0.0), how);
                if walks_first {
                    slide(&mut scene, hero, walk, -0.05);
                }
                fall(&mut scene, &crates);
                if !walks_first {
                    slide(&mut scene, hero, walk, -0.05);
                }
            }
            let case = format!("speed {speed}, walk {walk}, {how:?}, walks first: {walks_first}");
            let travel = position(&scene, ferry);
            for (node, start) in crates.iter().zip(&start) {
                let slip = position(&scene, *node) - *start - travel;
                assert!(slip.length() < SKIN_REACH, "{case}: a crate has slipped by {slip}");
            }
            let offset = position(&scene, hero).x - travel.x;
            let limit = 3.0 * 1.02 - 0.5 - 0.3 - 0.01;
            assert!((offset - limit * walk.signum()).abs() < SKIN_REACH, "{case}: the hero is at {offset}");
        }
    }
}

#[test]
fn a_row_that_a_ferry_presses_against_a_wall_ends_there_side_by_side() {
    for (seed, how) in (0..4).flat_map(|seed| DRIVES.map(|how| (seed, how))) {
        for speed in [0.02, 0.1, 0.4] {
            let mut scene = Scene::new();
            let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(60.0, 0.4));
            add_at(&mut scene, at(16.0, 5.3), Rect::new(1.0, 10.0));
            let mut places: Vec<Vec2> = (0..10_u8).map(|x| vec2(1.3 * f32::from(x), 0.71)).collect();
            shuffle(&mut places, seed);
            let movers = settled(&mut scene, &places, &Rect::new(1.0, 1.0).into());
            for frame in 0..(12.0 / speed) as u32 {
                drive(&mut scene, ferry, vec2(speed, 0.0), how);
                fall(&mut scene, &movers);
                let depth = greatest_depth(&mut scene, &movers);
                assert!(depth < 1e-4, "order {seed}, {how:?} {speed}, frame {frame}: {depth}");
            }
            let mut ends: Vec<f32> = movers.iter().map(|node| position(&scene, *node).x).collect();
            ends.sort_by(f32::total_cmp);
            assert!(ends.windows(2).all(|pair| pair[1] - pair[0] < 1.0 + 2.0 * SKIN_REACH), "{ends:?}");
        }
    }
}

#[test]
fn a_heap_below_a_ceiling_stays_below_it() {
    for (seed, how) in (0..8).flat_map(|seed| DRIVES.map(|how| (seed, how))) {
        let mut scene = Scene::new();
        let lift = add_at(&mut scene, at(0.0, 0.0), Rect::new(12.0, 0.4));
        let ceiling = add_at(&mut scene, at(0.0, 6.0), Rect::new(20.0, 1.0));
        let mut places = pyramid(3, vec2(1.02, 1.02));
        shuffle(&mut places, seed);
        let movers = settled(&mut scene, &places, &Rect::new(1.0, 1.0).into());
        let top = movers.iter().map(|node| position(&scene, *node).y).fold(0.0, f32::max);
        let room = 5.5 - (top + 0.5);
        for _ in 0..((room - 0.02) / 0.05) as u32 {
            drive(&mut scene, lift, vec2(0.0, 0.05), how);
            fall(&mut scene, &movers);
            assert!(greatest_depth(&mut scene, &movers) < 1e-4);
        }
        assert!(scene.remove(ceiling));
        // Without the ceiling the heap rides on.
        for _ in 0..20 {
            drive(&mut scene, lift, vec2(0.0, 0.05), how);
            fall(&mut scene, &movers);
            assert!(greatest_depth(&mut scene, &movers) < 1e-4);
        }
    }
}

#[test]
fn each_rider_reports_the_sensors_that_its_platform_carries_it_past() {
    for first in [0, 1] {
        for how in DRIVES {
            let mut scene = Scene::new();
            let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(60.0, 0.4));
            let movers = settled(&mut scene, &[vec2(0.0, 0.71), vec2(1.02, 0.71)], &Rect::new(1.0, 1.0).into());
            let coin = add_at(&mut scene, at(4.0, 0.71), Attachment::new(Rect::new(0.1, 0.1)).sensor());
            drive(&mut scene, ferry, vec2(8.0, 0.0), how);
            for index in [first, 1 - first] {
                let moved = slide(&mut scene, movers[index], 0.0, -0.05);
                let coins = moved.passed().iter().filter(|hit| hit.side.node == coin).count();
                assert_eq!(coins, 1, "first {first}, {how:?}, mover {index}: {:?}", moved.passed());
                let again = slide(&mut scene, movers[index], 0.0, -0.05);
                assert!(again.passed().is_empty(), "{:?}", again.passed());
            }
        }
    }
}

#[test]
fn a_heap_on_a_mover_that_has_walked_on_a_lift_is_not_carried_through_a_plate() {
    for post_moves in [false, true] {
        let mut scene = Scene::new();
        let lift = add_at(&mut scene, at(1.5, 0.0), Rect::new(8.0, 0.4));
        let walker = add_at(&mut scene, at(0.0, 0.71), Rect::new(1.0, 1.0));
        let board = add_at(&mut scene, at(0.0, 1.38), Rect::new(4.0, 0.3));
        let post = add_at(&mut scene, at(-7.0, 0.7), Rect::new(1.0, 2.2));
        // It lies on the post and hangs over one end of the board.
        let plate = add_at(&mut scene, at(-4.1, 1.87), Rect::new(6.8, 0.1));
        for node in [walker, board, plate] {
            slide(&mut scene, node, 0.0, -0.06);
        }
        slide(&mut scene, walker, 3.0, 0.0);
        if post_moves {
            scene[post].transform.position.x += 3.0;
        }
        scene[lift].transform.position.y += 1.0;
        slide(&mut scene, board, 0.0, 0.0);
        let [board, plate] = [board, plate].map(|node| position(&scene, node));
        assert!(board.x - 2.0 > plate.x + 3.4 || board.y < plate.y, "{board} is above {plate}");
    }
}

#[test]
fn a_stack_of_walkers_on_a_lift_is_carried_once_in_each_frame() {
    for step in [vec2(0.13, 0.1), vec2(0.05, 0.06), vec2(-0.1, -0.07)] {
        let mut scene = Scene::new();
        let lift = add_at(&mut scene, at(0.0, 0.0), Rect::new(16.0, 0.3));
        let sizes = [(0.0, 0.7, 1.0, 1.0), (-0.3, 1.6, 1.0, 0.7), (-0.4, 2.6, 0.5, 1.2)];
        let stack = sizes.map(|(x, y, width, height)| add_at(&mut scene, at(x, y), Rect::new(width, height)));
        for _ in 0..60 {
            fall(&mut scene, &stack);
        }
        // In frame 130 the topmost walks off the one below it.
        for frame in 0..125 {
            scene[lift].transform.position += step;
            for (node, walk) in stack.into_iter().zip([0.02, 0.0, -0.005]) {
                let moved = slide(&mut scene, node, walk, -0.05);
                let case = format!("{step}, frame {frame}, {node:?}: {moved:?}");
                assert!(!moved.stuck && (moved.carried.y - step.y).abs() < 0.05, "{case}");
            }
        }
    }
}

#[test]
fn a_rider_walks_from_crate_to_crate_on_a_moving_platform_in_any_order_of_moves() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for step in [vec2(0.0, -0.1), vec2(0.0, 0.1), vec2(0.1, 0.0), vec2(-0.1, 0.0), vec2(0.1, 0.05)] {
            let mut scene = Scene::new();
            let lift = add_at(&mut scene, at(0.0, 0.0), Rect::new(6.0, 0.3));
            let sizes = [(-0.5, 0.57, 0.8, 0.8), (0.5, 0.57, 0.8, 0.8), (-0.5, 1.5, 0.6, 1.0)];
            let riders = sizes.map(|(x, y, width, height)| add_at(&mut scene, at(x, y), Rect::new(width, height)));
            fall(&mut scene, &riders);
            for frame in 1..=20_u8 {
                scene[lift].transform.position += step;
                for rider in order {
                    let walk = if rider == 2 { 0.05 } else { 0.0 };
                    slide(&mut scene, riders[rider], walk, -0.05);
                }
                let place = |node| position(&scene, node) - position(&scene, lift);
                let [left, right, hero] = riders.map(place);
                let walked = hero.x + 0.5 - 0.05 * f32::from(frame);
                let slip = (left.x + 0.5).abs().max((right.x - 0.5).abs()).max(walked.abs());
                let case = format!("{order:?}, {step}, frame {frame}: crates {left} {right}, hero {hero}");
                assert!(slip < SKIN_REACH && (hero.y - 1.47).abs() < 0.05, "{case}");
            }
        }
    }
}

#[test]
fn a_heap_with_gaps_keeps_its_places_on_a_platform_however_its_order_of_moves_changes() {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let mut scene = Scene::new();
        let platform = add_at(&mut scene, at(0.0, 0.0), Rect::new(6.0, 0.4));
        let rows = 2 + dice.below(2) as u8;
        let mut heap = settled(&mut scene, &pyramid(rows, vec2(1.1, 1.02)), &Rect::new(1.0, 1.0).into());
        let place = |scene: &Scene, node| position(scene, node) - position(scene, platform);
        let places: Vec<_> = heap.iter().map(|node| (*node, place(&scene, *node))).collect();
        for frame in 0..100 {
            let step = dice.within(-0.15..0.15);
            scene[platform].transform.position += if seed % 2 == 0 { vec2(step, 0.0) } else { vec2(0.0, step) };
            shuffle(&mut heap, dice.seed());
            fall(&mut scene, &heap);
            for (node, old) in &places {
                let slip = place(&scene, *node).distance(*old);
                assert!(slip < SKIN_REACH, "seed {seed}, frame {frame}: {node:?} slips by {slip}");
            }
        }
    }
}

#[test]
fn a_rider_whose_move_is_an_error_brings_no_neighbor_along() {
    let mut scene = Scene::new();
    let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(6.0, 0.3));
    let pole = scene.add(Node::new("pole").with_position(vec2(0.0, 1.0)));
    let crates = [-0.5, 0.5].map(|x| add_at(&mut scene, at(x, 0.57), Rect::new(0.8, 0.8)));
    let hero = add_at(&mut scene, at(-0.4, 1.4), Rect::new(0.2, 0.8));
    scene.set_parent_in_place(hero, pole).unwrap();
    fall(&mut scene, &[crates[0], crates[1], hero]);
    scene[ferry].transform.position.x += 0.1;
    slide(&mut scene, crates[0], 0.0, -0.05);
    assert!((scene.world().position(hero).unwrap().x + 0.3).abs() < 1e-4, "the crate has brought him");
    scene[pole].transform.scale = Vec2::ZERO;
    let before = scene.checksum();
    assert!(scene.move_and_slide(hero, vec2(0.5, 0.0), &options()).is_err());
    assert_eq!((scene.checksum(), position(&scene, crates[1]).x), (before, 0.5));
}
