//! Moving without passing through: seams, slopes, corners, one-way platforms, riding, being pushed out.

mod support;

use std::f32::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_6, TAU};

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, ColliderId, CollisionLayers, Ellipse, MoveOptions, Moved, Node, NodeId, Polygon,
    Polyline, QueryFilter, Rect, Scene, SceneError, Segment, Tiles, Transform,
};
use support::dice::Dice;
use support::{Squircle, at};

/// The default skin, and a little.
const NEAR: f32 = 0.011;

fn options() -> MoveOptions {
    MoveOptions::default()
}

fn put(scene: &mut Scene, transform: Transform, collider: impl Into<Attachment>) -> NodeId {
    scene.add_with(Node::new("n").with_transform(transform), collider).0
}

fn slide(scene: &mut Scene, node: NodeId, x: f32, y: f32) -> Moved {
    scene.move_and_slide(node, vec2(x, y), &options()).unwrap()
}

fn position(scene: &Scene, node: NodeId) -> Vec2 {
    scene[node].transform.position
}

/// The depth in what the node is deepest in.
fn depth(scene: &mut Scene, node: NodeId) -> f32 {
    let own: Vec<ColliderId> = scene.colliders(node).to_vec();
    let world = scene.world();
    let depths = own.iter().flat_map(|own| {
        world.overlaps(*own).filter_map(|side| world.contact(*own, side.collider)).map(|contact| contact.depth)
    });
    depths.fold(0.0, f32::max)
}

fn hexagon(radius: f32) -> Polygon {
    let corners: Vec<Vec2> =
        (0..6_u8).map(|i| Vec2::from_angle(f32::from(i) * TAU / 6.0 + FRAC_PI_2) * radius).collect();
    Polygon::convex(&corners).unwrap()
}

/// Every kind of mover, each reaching 0.5 down from its middle.
fn movers() -> [(&'static str, Attachment); 7] {
    [
        ("box", Rect::new(0.8, 1.0).into()),
        ("capsule", Capsule::new(vec2(0.0, -0.2), vec2(0.0, 0.2), 0.3).into()),
        ("lying capsule", Capsule::new(vec2(-0.3, 0.0), vec2(0.3, 0.0), 0.5).into()),
        ("circle", Circle::new(0.5).into()),
        ("polygon", hexagon(0.5).into()),
        ("ellipse", Ellipse::new(0.8, 0.5).into()),
        ("own", Squircle(0.5).into()),
    ]
}

/// Ways to build a level floor along y = 0 from -20 to 60 in single steps.
fn floors() -> [(&'static str, fn(&mut Scene)); 5] {
    [
        ("boxes", |scene| {
            for i in -20..60_i8 {
                put(scene, at(f32::from(i), -0.5), Rect::new(1.0, 1.0));
            }
        }),
        ("boxes of thirds", |scene| {
            for i in -60..180_i16 {
                put(scene, at(f32::from(i) / 3.0, -0.35), Rect::new(1.0 / 3.0, 0.7));
            }
        }),
        ("segments", |scene| {
            for i in -20..60_i8 {
                let (from, to) = (vec2(f32::from(i), 0.0), vec2(f32::from(i + 1), 0.0));
                put(scene, Transform::IDENTITY, Segment::new(from, to));
            }
        }),
        ("a line", |scene| {
            let points: Vec<Vec2> = (-20..60_i8).map(|i| vec2(f32::from(i), 0.0)).collect();
            put(scene, Transform::IDENTITY, Polyline::new(&points).unwrap());
        }),
        ("tiles", |scene| {
            put(scene, at(-20.0, -1.0), Tiles::new(80, 1, vec2(1.0, 1.0), |_, _| true));
        }),
    ]
}

#[test]
fn seams_in_a_floor_are_smooth_for_every_mover_at_every_speed() {
    for (floor, build) in floors() {
        for (name, mover) in movers() {
            for (speed, fall) in
                [(0.013, 0.2), (0.13, 0.2), (0.13, 0.0), (0.25, 0.25), (1.7, 0.2), (9.5, 3.0), (-0.37, 0.01)]
            {
                let mut scene = Scene::new();
                build(&mut scene);
                let node = put(&mut scene, at(0.0, 0.5), mover.clone());
                let steps = (35.0 / f32::abs(speed)).min(120.0) as u32 / if speed < 0.0 { 3 } else { 1 };
                for step in 0..steps {
                    let before = position(&scene, node);
                    slide(&mut scene, node, speed, -fall);
                    let after = position(&scene, node);
                    let what = format!("{name} on {floor} at {speed} {fall}, step {step}: {before} -> {after}");
                    assert!((after.x - before.x - speed).abs() < 1e-3, "{what}");
                    assert!((0.5 - 1e-4..0.5 + 2.0 * NEAR).contains(&after.y), "{what}");
                }
            }
        }
    }
}

#[test]
fn seams_are_smooth_under_a_turned_root() {
    for turn in [0.3_f32, 1.0, 2.5, -1.9] {
        for (name, mover) in movers() {
            let mut scene = Scene::new();
            let root = scene.root();
            scene[root].transform = Transform { position: vec2(300.0, -200.0), rotation: turn, ..Transform::IDENTITY };
            floors()[0].1(&mut scene);
            let node = put(&mut scene, at(0.0, 0.52), mover.clone());
            let axis = Vec2::from_angle(turn);
            let options = MoveOptions { up: axis.perp(), ..options() };
            for step in 0..100 {
                let before = position(&scene, node);
                scene.move_and_slide(node, axis * 0.17 - axis.perp() * 0.3, &options).unwrap();
                let after = position(&scene, node);
                assert!((after.x - before.x - 0.17).abs() < 1e-3, "{name} {turn} {step}: {before} -> {after}");
                assert!((0.5 - 1e-3..0.5 + 2.0 * NEAR).contains(&after.y), "{name} {turn} {step}: {after}");
            }
        }
    }
}

#[test]
fn seams_in_walls_and_ceilings_are_smooth() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        for i in -40..40_i8 {
            put(&mut scene, at(2.5, f32::from(i)), Rect::new(1.0, 1.0));
            put(&mut scene, at(f32::from(i) - 50.0, 3.5), Rect::new(1.0, 1.0));
        }
        let node = put(&mut scene, at(0.9, 20.3), mover.clone());
        for step in 0..100 {
            let before = position(&scene, node);
            let moved = slide(&mut scene, node, 0.2, -0.31);
            let after = position(&scene, node);
            assert!((after.y - before.y + 0.31).abs() < 1e-3, "{name} along the wall {step}: {before} -> {after}");
            assert!(step < 5 || moved.wall.is_some(), "{name} {step}");
            assert!(moved.floor.is_none());
        }
        scene[node].transform.position = vec2(-20.0, 2.3);
        for step in 0..80 {
            let before = position(&scene, node);
            let moved = slide(&mut scene, node, -0.31, 0.2);
            let after = position(&scene, node);
            assert!((after.x - before.x + 0.31).abs() < 1e-3, "{name} along the ceiling {step}: {before} -> {after}");
            assert!(step < 3 || moved.ceiling.is_some() && moved.wall.is_none());
        }
    }
}

#[test]
fn slopes_that_join_are_walked_up_and_down() {
    // Hills of up to 40 degrees, as separate segments and as one line.
    let points: Vec<Vec2> = (0..80_u8).map(|i| vec2(f32::from(i), 0.8 * (f32::from(i) * 0.9).sin())).collect();
    for separate in [true, false] {
        for (name, mover) in movers().into_iter().take(5) {
            let mut scene = Scene::new();
            if separate {
                for pair in points.windows(2) {
                    put(&mut scene, Transform::IDENTITY, Segment::new(pair[0], pair[1]));
                }
            } else {
                put(&mut scene, Transform::IDENTITY, Polyline::new(&points).unwrap());
            }
            let node = put(&mut scene, at(2.0, 3.0), mover.clone());
            slide(&mut scene, node, 0.0, -3.0);
            let options = MoveOptions { snap_to_floor: 0.3, ..options() };
            let start = position(&scene, node).x;
            for step in 0..400 {
                let before = position(&scene, node);
                let moved = scene.move_and_slide(node, vec2(0.15, -0.1), &options).unwrap();
                let after = position(&scene, node);
                assert!(after.x > before.x + 0.07, "{name} {separate} {step}: {before} -> {after}");
                assert!(moved.floor.is_some(), "{name} {separate} {step} at {after}");
                assert_eq!(moved.wall, None, "{name} {separate} {step}");
            }
            assert!(position(&scene, node).x > start + 45.0, "{name}: {}", position(&scene, node));
        }
    }
}

#[test]
fn steep_slopes_never_lift() {
    for angle in [50.0_f32, 60.0, 75.0, 89.0] {
        for (name, mover) in movers() {
            let mut scene = Scene::new();
            put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
            let slope = Vec2::from_angle(angle.to_radians()) * 20.0;
            put(&mut scene, at(3.0, 0.0), Segment::new(Vec2::ZERO, slope));
            let node = put(&mut scene, at(0.0, 0.51), mover.clone());
            for motion in [vec2(0.1, -0.05), vec2(0.1, 0.0), vec2(0.004, 0.0), vec2(2.0, -0.001)] {
                for _ in 0..150 {
                    let before = position(&scene, node).y;
                    let moved = scene.move_and_slide(node, motion, &options()).unwrap();
                    let after = position(&scene, node).y;
                    assert!(after <= before.max(0.51) + 1e-3, "{name} {angle} {motion}: {before} -> {after}");
                    assert!(moved.floor.is_some(), "{name} {angle} {motion}");
                }
            }
        }
    }
}

#[test]
fn a_mover_slides_down_a_steep_slope_and_stands_on_a_gentle_one() {
    for (angle, stands) in [(FRAC_PI_6, true), (FRAC_PI_3, false)] {
        for stand_on_slopes in [true, false] {
            let mut scene = Scene::new();
            let along = Vec2::from_angle(angle);
            put(&mut scene, Transform::IDENTITY, Segment::new(-along * 20.0, along * 20.0));
            let node = put(&mut scene, at(0.0, 1.5), Circle::new(0.5));
            let options = MoveOptions { stand_on_slopes, ..options() };
            (0..20).for_each(|_| drop(scene.move_and_slide(node, vec2(0.0, -0.2), &options)));
            let before = position(&scene, node);
            (0..20).for_each(|_| drop(scene.move_and_slide(node, vec2(0.0, -0.2), &options)));
            let gone = position(&scene, node) - before;
            if stands && stand_on_slopes {
                assert!(gone.length() < 1e-4, "{angle} {gone}");
            } else {
                assert!((gone.normalize() + along).length() < 1e-2, "{angle}: downhill, {gone}");
                assert!((gone.length() - 4.0 * angle.sin()).abs() < 0.1, "{angle} {gone}");
            }
        }
    }
}

#[test]
fn without_up_everything_is_a_wall_and_slides_both_ways() {
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    let node = put(&mut scene, at(0.0, 1.0), Circle::new(0.5));
    let options = MoveOptions::top_down();
    let moved = scene.move_and_slide(node, vec2(3.0, -2.0), &options).unwrap();
    assert!(moved.floor.is_none() && moved.ceiling.is_none());
    assert!(moved.wall.unwrap().normal.abs_diff_eq(Vec2::Y, 1e-6));
    assert!((moved.travel.x - 3.0).abs() < 1e-4);
}

#[test]
fn corners_stop_and_let_go() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        for (x, y) in [(0.0, -3.0), (0.0, 3.0), (-3.0, 0.0), (3.0, 0.0)] {
            put(&mut scene, at(x, y), Rect::new(2.0 + f32::abs(y), 2.0 + f32::abs(x)));
        }
        let node = put(&mut scene, Transform::IDENTITY, mover.clone());
        let own = scene.colliders(node)[0];
        let reach = vec2(scene.world().bounds(own).unwrap().max.x, 0.5);
        for (x, y) in [(9.0, -7.0), (-9.0, -7.0), (-9.0, 9.0), (0.3, 9.0), (9.0, 0.0), (9.0, -9.0)] {
            let moved = slide(&mut scene, node, x, y);
            let place = position(&scene, node);
            let (dx, dy) = (2.0 - reach.x - place.x.abs(), 2.0 - reach.y - place.y.abs());
            assert!(x.abs() < 1.0 || (-1e-4..0.02).contains(&dx), "{name} {x} {y}: {place}");
            assert!(y == 0.0 || (-1e-4..0.02).contains(&dy), "{name} {x} {y}: {place}");
            assert!(depth(&mut scene, node) < 1e-4);
            assert!(moved.travel.abs_diff_eq(vec2(x, y) - moved.remainder, 0.02), "{name}: {moved:?}");
        }
    }
}

/// Surfaces between points, each a collider of its own.
fn surfaces(scene: &mut Scene, lines: &[[Vec2; 2]]) -> Vec<NodeId> {
    lines.iter().map(|[a, b]| put(scene, Transform::IDENTITY, Segment::new(*a, *b))).collect()
}

#[test]
fn what_the_mover_has_left_does_not_hold_it_back_from_going_back() {
    // Down a slope too steep to stand on, up a gentle one, and back along an overhang; as large and as small.
    for size in [1.0, 0.1] {
        let overhang = vec2(-0.17, 0.98);
        let mut scene = Scene::new();
        let lines = [
            [vec2(-2.0, 3.464), Vec2::ZERO],
            [Vec2::ZERO, vec2(4.0, 2.309)],
            [vec2(4.0, 0.0) - overhang, vec2(4.0, 0.0) + 6.0 * overhang],
        ];
        let nodes = surfaces(&mut scene, &lines.map(|line| line.map(|end| end * size)));
        let node = put(&mut scene, at(-0.5 * size, 2.2 * size), Circle::new(0.5 * size));
        let options = MoveOptions { skin_width: 0.01 * size, ..options() };
        let moved = scene.move_and_slide(node, vec2(4.0, -12.0) * size, &options).unwrap();
        assert_eq!(moved.hits.iter().map(|hit| hit.side.node).collect::<Vec<_>>(), nodes);
        let met = moved.hits[2].point;
        let end = position(&scene, node) - vec2(0.5, 0.0) * size;
        assert!(end.y > met.y + 0.3 * size, "{size}: {met} {end} {moved:?}");
    }
}

#[test]
fn what_was_met_below_a_step_does_not_hold_the_mover_back_above() {
    // Under a slanting ceiling, up a step, and up a gentle slope.
    let mut scene = Scene::new();
    let lines = [
        [vec2(0.0, 1.5), vec2(1.5, 1.05)],
        [vec2(-1.0, 0.2), vec2(2.5, 0.2)],
        [vec2(2.5, 0.2), vec2(2.5, 0.5)],
        [vec2(2.5, 0.5), vec2(4.0, 0.5)],
        [vec2(4.0, 0.5), vec2(9.0, 1.4)],
    ];
    let nodes = surfaces(&mut scene, &lines);
    let node = put(&mut scene, at(0.0, 1.0), Rect::new(0.4, 0.4));
    let options = MoveOptions { step_height: 0.3, ..options() };
    let moved = scene.move_and_slide(node, vec2(6.0, 0.0), &options).unwrap();
    assert_eq!(moved.hits.iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [nodes[0], nodes[4]]);
    assert!(position(&scene, node).x > 5.0 && moved.floor.unwrap().side.node == nodes[4], "{moved:?}");
}

#[test]
fn a_narrow_gap_is_passed_in_its_middle() {
    let mut scene = Scene::new();
    put(&mut scene, at(5.0, 1.504), Rect::new(4.0, 2.0));
    put(&mut scene, at(5.0, -1.504), Rect::new(4.0, 2.0));
    let node = put(&mut scene, at(5.0, 0.0), Rect::new(0.5, 1.0));
    for _ in 0..20 {
        slide(&mut scene, node, 0.2, 0.0);
        assert_eq!(depth(&mut scene, node), 0.0);
    }
    assert!((position(&scene, node).x - 9.0).abs() < 1e-3, "{}", position(&scene, node));
}

#[test]
fn a_step_is_walked_up_and_a_higher_one_is_a_wall() {
    for (name, mover) in movers() {
        for (height, climbs) in [(0.1, true), (0.24, true), (0.4, false)] {
            let mut scene = Scene::new();
            put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
            put(&mut scene, at(13.0, height - 1.0), Rect::new(20.0, 2.0));
            let node = put(&mut scene, at(1.0, 0.52), mover.clone());
            let options = MoveOptions { step_height: 0.3, ..options() };
            for _ in 0..60 {
                scene.move_and_slide(node, vec2(0.1, -0.1), &options).unwrap();
                assert!(depth(&mut scene, node) < 1e-4, "{name} {height}");
            }
            let place = position(&scene, node);
            let sharp = ["box", "capsule"].contains(&name);
            if climbs {
                assert!(place.x > 6.5 && (place.y - 0.5 - height).abs() < 2.0 * NEAR, "{name} {height}: {place}");
            } else if sharp {
                assert!(place.x < 3.0 && place.y < 0.55, "{name} {height}: {place}");
            }
            // Without being asked nobody climbs what is upright to him.
            scene[node].transform.position = vec2(1.0, 0.52);
            (0..60).for_each(|_| drop(slide(&mut scene, node, 0.1, -0.1)));
            assert!(name != "box" || position(&scene, node).x < 3.0, "{name} {height}");
        }
    }
}

#[test]
fn a_ledge_that_is_narrower_than_the_mover_is_a_step_too() {
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    put(&mut scene, at(5.15, 0.1), Rect::new(0.3, 0.2));
    let node = put(&mut scene, at(3.0, 0.52), Rect::new(1.0, 1.0));
    let options = MoveOptions { step_height: 0.3, ..options() };
    let mut highest = 0.0_f32;
    for _ in 0..60 {
        scene.move_and_slide(node, vec2(0.1, -0.1), &options).unwrap();
        highest = highest.max(position(&scene, node).y);
    }
    assert!((0.7..0.7 + 2.0 * NEAR).contains(&highest) && position(&scene, node).x > 6.0, "{highest}");
}

#[test]
fn a_step_is_walked_up_however_slow_the_mover() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
        put(&mut scene, at(13.0, -0.76), Rect::new(20.0, 2.0));
        let node = put(&mut scene, at(2.4, 0.52), mover);
        let options = MoveOptions { step_height: 0.3, ..options() };
        for _ in 0..150 {
            scene.move_and_slide(node, vec2(0.01, -0.01), &options).unwrap();
        }
        let place = position(&scene, node);
        assert!(place.x > 3.5 && (place.y - 0.74).abs() < 2.0 * NEAR, "{name}: {place}");
    }
}

#[test]
fn a_mover_steps_onto_what_is_right_before_it_and_not_onto_what_is_behind_that() {
    // A post, which a small mover stands on whole, and a step too high for it further on.
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    put(&mut scene, at(1.15, 0.1), Rect::new(0.3, 0.2));
    let node = put(&mut scene, at(0.8, 0.11), Rect::new(0.2, 0.2));
    let options = MoveOptions { step_height: 0.3, ..options() };
    for _ in 0..30 {
        scene.move_and_slide(node, vec2(0.01, -0.01), &options).unwrap();
    }
    let place = position(&scene, node);
    assert!(place.x > 1.0 && (place.y - 0.3).abs() < 2.0 * NEAR, "{place}");
}

#[test]
fn a_step_hardly_higher_than_the_skin_is_walked_up() {
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    put(&mut scene, at(13.0, -0.988), Rect::new(20.0, 2.0));
    let node = put(&mut scene, at(2.0, 0.51), Rect::new(1.0, 1.0));
    let options = MoveOptions { step_height: 0.015, ..options() };
    for _ in 0..20 {
        scene.move_and_slide(node, vec2(0.1, -0.1), &options).unwrap();
    }
    let place = position(&scene, node);
    assert!(place.x > 3.5 && (place.y - 0.522).abs() < 0.002, "{place}");
}

#[test]
fn of_two_floors_that_are_met_alike_the_one_with_the_smaller_id_is_told() {
    for first in [0, 1] {
        let mut scene = Scene::new();
        let floors =
            [-1.0, 1.0].map(|x| scene.add_with(Node::new("n").with_transform(at(x, -0.5)), Rect::new(2.0, 1.0)));
        let node = put(&mut scene, at(0.0, 1.0), Rect::new(1.0, 1.0));
        scene.update();
        // What comes back is behind the others in the index.
        let collider = floors[first].1;
        scene.attachment_mut(collider).unwrap().enabled = false;
        scene.update();
        scene.attachment_mut(collider).unwrap().enabled = true;
        let moved = slide(&mut scene, node, 0.0, -1.0);
        assert_eq!(moved.hits.iter().map(|hit| hit.side.collider).collect::<Vec<_>>(), [floors[0].1]);
        assert_eq!(moved.floor.unwrap().side.collider, floors[0].1);
    }
}

#[test]
fn a_mover_is_put_down_when_the_floor_falls_away_but_not_when_it_jumps() {
    let mut scene = Scene::new();
    let slope = [vec2(-50.0, 0.0), Vec2::ZERO, vec2(50.0, -30.0)];
    put(&mut scene, Transform::IDENTITY, Polyline::new(&slope).unwrap());
    let node = put(&mut scene, at(-1.0, 0.51), Circle::new(0.5));
    let options = MoveOptions { snap_to_floor: 0.5, ..options() };
    for _ in 0..50 {
        let moved = scene.move_and_slide(node, vec2(0.2, -0.01), &options).unwrap();
        assert!(moved.floor.is_some());
    }
    let before = position(&scene, node);
    assert!(before.y < -2.0);
    let moved = scene.move_and_slide(node, vec2(0.2, 0.3), &options).unwrap();
    assert!(moved.floor.is_none() && moved.travel.abs_diff_eq(vec2(0.2, 0.3), 1e-4));
    let moved = scene.move_and_slide(node, vec2(0.2, -0.01), &options).unwrap();
    assert!(moved.floor.is_none(), "in the air it is not pulled down");
}

#[test]
fn a_one_way_platform_works_however_it_is_turned_and_mirrored() {
    let turned = |rotation: f32, scale: Vec2| Transform { rotation, scale, ..Transform::IDENTITY };
    for (above, up) in [
        (turned(0.0, Vec2::ONE), Vec2::Y),
        (turned(0.7, vec2(2.0, 1.0)), Vec2::from_angle(0.7 + FRAC_PI_2)),
        (turned(-2.0, vec2(-1.0, 3.0)), Vec2::from_angle(FRAC_PI_2 - 2.0)),
        (turned(1.0, vec2(1.0, -1.0)), Vec2::from_angle(1.0 - FRAC_PI_2)),
        (Transform { skew: 0.5, ..Transform::IDENTITY }, Vec2::Y),
    ] {
        for (name, mover) in movers() {
            let mut scene = Scene::new();
            let parent = scene.add(Node::new("parent").with_transform(above));
            let platform = scene.add_child(parent, Node::new("platform")).unwrap();
            scene.attach(platform, Attachment::new(Rect::new(10.0, 0.1)).one_way(Vec2::Y)).unwrap();
            let node = put(&mut scene, Transform::from_position(-up * 3.0), mover.clone());
            let options = MoveOptions { up, ..options() };
            let mut go = |motion: Vec2| scene.move_and_slide(node, motion, &options).unwrap();
            for step in 0..36 {
                let moved = go(up * 0.17);
                assert!((moved.travel - up * 0.17).length() < 1e-4 && moved.hits.is_empty(), "{name} {up} {step}: up");
            }
            let mut height = 3.12;
            for _ in 0..30 {
                let moved = go(up * -0.17);
                height += moved.travel.dot(up);
            }
            assert!((0.2..1.1).contains(&height), "{name} {up}: held at {height}");
            assert!(go(up * -0.17).floor.is_some(), "{name} {up}");
            // Begun inside, it falls through.
            let inside = -up * height;
            drop(go(Vec2::ZERO));
            scene[node].transform.position += inside;
            let mut go = |motion: Vec2| scene.move_and_slide(node, motion, &options).unwrap();
            let fallen: f32 = (0..20).map(|_| go(up * -0.17).travel.dot(up)).sum();
            assert!((fallen + 3.4).abs() < 1e-3, "{name} {up}: {fallen}");
        }
    }
}

#[test]
fn a_mover_inside_a_one_way_collider_is_let_out_and_then_held() {
    let mut scene = Scene::new();
    put(&mut scene, Transform::IDENTITY, Attachment::new(Rect::new(10.0, 2.0)).one_way(Vec2::Y));
    let node = put(&mut scene, at(0.0, 0.0), Rect::new(1.0, 1.0));
    assert_eq!(scene.depenetrate(node, &QueryFilter::default()), Ok(Vec2::ZERO));
    for motion in [vec2(0.5, 0.0), vec2(-0.5, 0.0), vec2(0.0, -0.5), vec2(0.0, 2.2)] {
        assert!(slide(&mut scene, node, motion.x, motion.y).travel.abs_diff_eq(motion, 1e-4), "{motion}");
    }
    assert!(slide(&mut scene, node, 0.0, -3.0).floor.is_some());
}

#[test]
fn a_one_way_door_lets_through_one_way() {
    for (from, ends) in [(-1.0, 1.0), (1.0, 0.36)] {
        let mut scene = Scene::new();
        put(&mut scene, at(0.0, 0.0), Attachment::new(Rect::new(0.2, 4.0)).one_way(Vec2::X));
        let node = put(&mut scene, at(from, 0.0), Rect::new(0.5, 0.5));
        slide(&mut scene, node, -2.0 * from, 0.0);
        assert!((position(&scene, node).x - ends).abs() < 1e-3, "{}", position(&scene, node));
    }
}

#[test]
fn a_one_way_platform_holds_what_has_no_room_for_its_skin() {
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, 1.5), Rect::new(10.0, 1.0));
    put(&mut scene, at(0.0, -0.5), Attachment::new(Rect::new(10.0, 1.0)).one_way(Vec2::Y));
    let node = put(&mut scene, at(0.0, 0.5), Rect::new(1.0, 1.0));
    slide(&mut scene, node, 0.0, -1.0);
    assert_eq!(position(&scene, node), vec2(0.0, 0.5));
}

#[test]
fn what_falls_past_the_side_of_a_one_way_platform_is_not_stopped_there() {
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, 0.0), Attachment::new(Rect::new(4.0, 1.0)).one_way(Vec2::Y));
    let node = put(&mut scene, at(3.0, 0.3), Rect::new(0.5, 0.5));
    let moved = slide(&mut scene, node, -2.0, -0.2);
    assert!(moved.hits.is_empty() && moved.travel.abs_diff_eq(vec2(-2.0, -0.2), 1e-5), "{moved:?}");
}

#[test]
fn the_skin_above_a_one_way_platform_is_restored() {
    let mut scene = Scene::new();
    put(&mut scene, at(0.0, -0.5), Attachment::new(Rect::new(10.0, 1.0)).one_way(Vec2::Y));
    let node = put(&mut scene, at(0.0, 0.502), Rect::new(1.0, 1.0));
    slide(&mut scene, node, 0.0, 0.0);
    assert!((position(&scene, node).y - 0.51).abs() < 1e-4, "{}", position(&scene, node));
}

#[test]
fn who_was_carried_into_a_corner_of_the_platform_is_led_out_of_both_sides() {
    let mut scene = Scene::new();
    let floor = [vec2(-5.0, -1.0), vec2(5.0, -1.0), vec2(5.0, 0.0), vec2(-5.0, 0.0)];
    let wall = [vec2(-6.0, -1.0), vec2(-5.0, -1.0), vec2(-5.0, 10.0), vec2(-6.0, 10.0)];
    let platform = put(&mut scene, at(0.0, 0.0), Polygon::convex(&floor).unwrap());
    scene.attach(platform, Polygon::convex(&wall).unwrap()).unwrap();
    let node = put(&mut scene, at(0.0, 0.51), Rect::new(1.0, 1.0));
    assert!(slide(&mut scene, node, 0.0, -0.1).floor.is_some());
    scene[platform].transform.position.x = 3.0;
    // On the platform this is 0.15 in the wall and 0.1 in the floor.
    scene[node].transform.position = vec2(-4.65, 0.4);
    let moved = slide(&mut scene, node, 0.0, 0.0);
    assert!(!moved.stuck && position(&scene, node).abs_diff_eq(vec2(-1.49, 0.51), 2e-3), "{moved:?}");
}

#[test]
fn a_platform_carries_whoever_stands_on_it() {
    let mut scene = Scene::new();
    let platform = put(&mut scene, at(0.0, -0.5), Rect::new(10.0, 1.0));
    let wall = put(&mut scene, at(6.0, 3.0), Rect::new(1.0, 5.0));
    let node = put(&mut scene, at(1.0, 0.52), Rect::new(1.0, 1.0));
    let walks = MoveOptions { ride_platforms: false, ..options() };
    slide(&mut scene, node, 0.0, -0.1);
    let offset = position(&scene, node) - position(&scene, platform);
    for step in [vec2(0.3, 0.0), vec2(-0.4, 0.2), vec2(0.1, -0.7), vec2(0.0, 2.0), vec2(0.0, -2.0)] {
        scene[platform].transform.position += step;
        let moved = slide(&mut scene, node, 0.0, -0.05);
        assert!(moved.travel.abs_diff_eq(step, 2e-2), "{step}: {moved:?}");
        assert!((position(&scene, node) - position(&scene, platform)).abs_diff_eq(offset, 2e-2));
        assert_eq!(moved.floor.unwrap().side.node, platform);
    }
    // Never through a wall.
    scene[platform].transform.position.x += 9.0;
    let moved = slide(&mut scene, node, 0.0, 0.0);
    assert!(position(&scene, node).x < 5.0 && depth(&mut scene, node) == 0.0, "{moved:?}");
    assert!(scene.remove(wall));
    // Not when it is not asked for.
    scene[platform].transform.position = vec2(4.0, -0.5);
    scene[node].transform.position = vec2(4.0, 0.51);
    scene.move_and_slide(node, vec2(0.0, -0.1), &walks).unwrap();
    scene[platform].transform.position.x += 1.0;
    assert!(scene.move_and_slide(node, Vec2::ZERO, &walks).unwrap().travel.x == 0.0);
    // Turning, it carries along the circle.
    slide(&mut scene, node, 0.0, -0.1);
    scene[platform].transform.position = vec2(5.0, -0.5);
    let before = slide(&mut scene, node, 0.0, 0.0);
    assert!(before.floor.is_some());
    let arm = position(&scene, node) - vec2(0.0, 0.51) - position(&scene, platform);
    scene[platform].transform.rotation = 0.2;
    let moved = slide(&mut scene, node, 0.0, 0.0);
    let expected = Vec2::from_angle(0.2).rotate(arm) - arm;
    assert!(moved.travel.abs_diff_eq(expected, 0.1), "{} {expected}", moved.travel);
    assert!(depth(&mut scene, node) == 0.0);
    // Removed, it carries nobody.
    slide(&mut scene, node, 0.0, -0.1);
    assert!(scene.remove(platform));
    assert!(slide(&mut scene, node, 0.0, 0.0).travel == Vec2::ZERO);
}

#[test]
fn a_mover_that_begins_inside_is_pushed_out_first() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        put(&mut scene, at(0.0, -5.0), Rect::new(100.0, 10.0));
        put(&mut scene, at(0.0, 3.0), Rect::new(100.0, 0.1));
        let node = put(&mut scene, at(0.0, 0.1), mover.clone());
        let moved = slide(&mut scene, node, 0.5, 0.0);
        let place = position(&scene, node);
        assert!((0.5 - 1e-4..0.5 + NEAR).contains(&place.y) && (place.x - 0.5).abs() < 1e-3, "{name}: {place}");
        assert!(moved.floor.is_some() && !moved.stuck);
        assert!(moved.remainder.length() < 1e-3, "{name}: {moved:?}");
    }
}

#[test]
fn how_far_a_push_may_lead_goes_by_what_the_mover_is_deepest_in() {
    let mut scene = Scene::new();
    put(&mut scene, at(-0.09, 0.2), Rect::new(0.1, 0.1));
    put(&mut scene, at(0.0, 0.0), Rect::new(2.0, 2.0));
    let node = put(&mut scene, at(0.0, 0.2), Circle::new(0.05));
    let way = scene.depenetrate(node, &QueryFilter::default()).unwrap();
    assert!(way.abs_diff_eq(vec2(0.0, 0.85), 1e-3), "{way}");
}

#[test]
fn where_the_nearest_side_is_shut_a_push_leads_out_over_another() {
    let mut scene = Scene::new();
    let corners = [Vec2::ZERO, vec2(4.0, 0.0), vec2(2.0, 2.0 * 3.0_f32.sqrt())];
    put(&mut scene, at(0.0, 0.0), Polygon::convex(&corners).unwrap());
    put(&mut scene, at(0.0, -5.85), Rect::new(100.0, 10.0));
    let node = put(&mut scene, at(2.1, 0.2), Circle::new(1.0));
    let way = scene.depenetrate(node, &QueryFilter::default()).unwrap();
    // The right side is 60 degrees steep.
    let normal = Vec2::from_angle(FRAC_PI_6);
    let depth = 1.0 + (vec2(4.0, 0.0) - vec2(2.1, 0.2)).dot(normal);
    assert!(way.abs_diff_eq(normal * depth, 1e-3), "{way} instead of {}", normal * depth);
}

#[test]
fn where_there_is_no_way_out_nothing_moves() {
    let mut scene = Scene::new();
    for x in [-1.4, 1.4] {
        put(&mut scene, at(x, 0.0), Rect::new(2.0, 50.0));
    }
    let node = put(&mut scene, at(0.0, 3.0), Rect::new(1.0, 1.0));
    assert_eq!(scene.depenetrate(node, &QueryFilter::default()), Err(SceneError::NoWayOut(node)));
    let moved = slide(&mut scene, node, 0.0, 5.0);
    assert!(moved.stuck && moved.travel == Vec2::ZERO && moved.remainder == vec2(0.0, 5.0));
    assert_eq!(position(&scene, node), vec2(0.0, 3.0));
    scene[node].transform.scale.x = 0.7;
    assert!((slide(&mut scene, node, 0.0, 5.0).travel.y - 5.0).abs() < 1e-3, "thinner it fits");
}

#[test]
fn being_pushed_out_ends_outside_of_everything() {
    let anything = QueryFilter::default();
    for (name, mover) in movers() {
        // In an acute corner.
        let mut scene = Scene::new();
        put(&mut scene, at(0.0, 0.0), Segment::new(Vec2::ZERO, vec2(4.0, 9.0)));
        put(&mut scene, at(0.0, 0.0), Segment::new(Vec2::ZERO, vec2(-4.0, 9.0)));
        let node = put(&mut scene, at(0.1, 1.2), mover.clone());
        scene.depenetrate(node, &anything).unwrap();
        assert!(depth(&mut scene, node) < 1e-4, "{name} in an acute corner");
        assert!(position(&scene, node).y > 0.5, "{name}: to the inside");

        // Deep in a row of boxes.
        let mut scene = Scene::new();
        floors()[0].1(&mut scene);
        for x in [0.0_f32, 0.25, 0.5] {
            let node = put(&mut scene, at(x, 0.2), Attachment::new(hexagon(0.5)).with_layers(CollisionLayers::ALL));
            let push = scene.depenetrate(node, &anything).unwrap();
            assert!(push.abs_diff_eq(vec2(0.0, 0.3), 1e-4), "{name} {x}: straight up, but {push}");
            scene.remove(node);
        }
    }
    // At the very middle there is some way out.
    let mut scene = Scene::new();
    put(&mut scene, Transform::IDENTITY, Circle::new(2.0));
    let node = put(&mut scene, Transform::IDENTITY, Circle::new(1.0));
    let push = scene.depenetrate(node, &anything).unwrap();
    assert!((push.length() - 3.0).abs() < 1e-4);
    assert!(depth(&mut scene, node) < 1e-4);
    assert_eq!(scene.depenetrate(node, &anything), Ok(Vec2::ZERO), "outside there is nothing to do");
}

#[test]
fn a_push_does_not_lead_through_a_wall() {
    let mut scene = Scene::new();
    // Behind the block there is a thin wall; the short way out of the block would end beyond it.
    put(&mut scene, at(0.0, 0.0), Rect::new(1.0, 8.0));
    put(&mut scene, at(0.6, 0.0), Rect::new(0.02, 8.0));
    let node = put(&mut scene, at(0.05, 0.0), Circle::new(0.05));
    let push = scene.depenetrate(node, &QueryFilter::default()).unwrap();
    assert!(push.x < 0.0 || push.x < 0.55, "{push}");
    assert!(depth(&mut scene, node) < 1e-4);
}

#[test]
fn move_and_collide_stops_at_the_first_thing() {
    let mut scene = Scene::new();
    let floor = put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    let node = put(&mut scene, at(0.0, 2.5), Circle::new(0.5));
    let moved = scene.move_and_collide(node, vec2(4.0, -4.0), &options()).unwrap();
    assert!(moved.travel.abs_diff_eq(vec2(2.0, -2.0), NEAR), "{moved:?}");
    assert!((moved.travel + moved.remainder).abs_diff_eq(vec2(4.0, -4.0), 1e-5));
    assert_eq!(moved.hits.len(), 1);
    let hit = moved.floor.unwrap();
    assert!(hit.side.node == floor && hit.normal == Vec2::Y && hit.point.abs_diff_eq(vec2(2.0, 0.0), 0.02));
    assert!(moved.wall.is_none() && moved.ceiling.is_none());
    let bounce = moved.remainder - 2.0 * moved.remainder.dot(hit.normal) * hit.normal;
    assert!(scene.move_and_collide(node, bounce, &options()).unwrap().hits.is_empty());
}

#[test]
fn a_motion_that_ends_a_skin_short_of_what_is_ahead_meets_nothing() {
    let mut scene = Scene::new();
    put(&mut scene, at(2.5, 0.0), Rect::new(1.0, 9.0));
    let node = put(&mut scene, at(0.0, 0.0), Rect::new(1.0, 1.0));
    for (x, hits) in [(1.475, 0), (1.495, 1)] {
        let places: [fn(&mut Scene, NodeId, Vec2, &MoveOptions) -> Result<Moved, SceneError>; 2] =
            [Scene::move_and_slide, Scene::move_and_collide];
        for go in places {
            scene[node].transform.position = Vec2::ZERO;
            let moved = go(&mut scene, node, vec2(x, 0.0), &options()).unwrap();
            assert_eq!((moved.hits.len(), moved.wall.is_some()), (hits, hits == 1), "{x}: {moved:?}");
        }
    }
}

#[test]
fn what_does_not_stand_in_the_way_is_passed() {
    let mut scene = Scene::new();
    let node =
        put(&mut scene, Transform::IDENTITY, Attachment::new(Circle::new(0.5)).with_layers(CollisionLayers::new(1, 2)));
    let below = scene.add_child(node, Node::new("sword").with_position(vec2(2.0, 0.0))).unwrap();
    scene.attach(below, Rect::new(1.0, 5.0)).unwrap();
    put(&mut scene, at(4.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).sensor());
    put(&mut scene, at(6.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).with_enabled(false));
    put(&mut scene, at(8.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).with_layers(CollisionLayers::new(4, 1)));
    let door =
        put(&mut scene, at(12.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).with_layers(CollisionLayers::new(2, 1)));
    put(&mut scene, at(16.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).with_layers(CollisionLayers::new(2, 1)));
    let moved = slide(&mut scene, node, 100.0, 0.0);
    assert_eq!(moved.wall.unwrap().side.node, door);
    let filter = QueryFilter::default().exclude_subtree(door);
    let moved = scene.move_and_slide(node, vec2(100.0, 0.0), &MoveOptions { filter, ..options() }).unwrap();
    assert!((position(&scene, node).x - 15.0).abs() < NEAR, "{moved:?}");
    let ghost = scene.add(Node::new("no colliders"));
    assert_eq!(slide(&mut scene, ghost, 50.0, 1.0).travel, vec2(50.0, 1.0));
    assert_eq!(position(&scene, ghost), vec2(50.0, 1.0));
}

#[test]
fn a_mover_of_several_colliders_is_stopped_by_each() {
    let mut scene = Scene::new();
    put(&mut scene, at(10.0, 3.0), Rect::new(1.0, 1.0));
    put(&mut scene, at(0.0, -5.0), Rect::new(50.0, 1.0));
    let node = put(&mut scene, Transform::IDENTITY, Circle::new(0.5));
    scene.attach(node, Rect::new(1.0, 1.0).at(vec2(2.0, 3.0))).unwrap();
    scene.attach(node, Attachment::new(Rect::new(30.0, 30.0)).sensor()).unwrap();
    let moved = slide(&mut scene, node, 100.0, 0.0);
    assert!((position(&scene, node).x - 7.0).abs() < NEAR, "{moved:?}");
    slide(&mut scene, node, 0.0, -50.0);
    assert!((position(&scene, node).y + 4.0).abs() < NEAR);
}

#[test]
fn bad_input_is_told_or_does_nothing() {
    let mut scene = Scene::new();
    let flat = scene.add(Node::new("flat").with_scale(vec2(1.0, 0.0)));
    let under = scene.add_child(flat, Node::new("under")).unwrap();
    let lost = put(&mut scene, Transform { rotation: f32::NAN, ..Transform::IDENTITY }, Circle::new(1.0));
    let gone = scene.add(Node::new("gone"));
    scene.remove(gone);
    let filter = QueryFilter::default();
    for (node, error) in [
        (under, SceneError::NotInvertible(flat)),
        (lost, SceneError::NotInvertible(lost)),
        (gone, SceneError::NodeNotFound(gone)),
    ] {
        assert_eq!(scene.move_and_slide(node, Vec2::X, &options()), Err(error));
        assert_eq!(scene.move_and_collide(node, Vec2::X, &options()), Err(error));
        assert_eq!(scene.depenetrate(node, &filter), Err(error));
    }
    let ball = put(&mut scene, at(5.0, 5.0), Circle::new(1.0));
    for motion in [Vec2::ZERO, Vec2::NAN, vec2(f32::INFINITY, 0.0)] {
        assert_eq!(slide(&mut scene, ball, motion.x, motion.y).travel, Vec2::ZERO);
    }
    assert_eq!(position(&scene, ball), vec2(5.0, 5.0));
    let odd = MoveOptions {
        up: Vec2::NAN,
        max_slope: f32::NAN,
        snap_to_floor: f32::NAN,
        step_height: f32::NAN,
        skin_width: f32::NAN,
        ..options()
    };
    assert!(scene.move_and_slide(ball, vec2(3.0, 0.0), &odd).unwrap().travel.abs_diff_eq(vec2(3.0, 0.0), 1e-4));
}

#[test]
fn moving_is_in_world_space_under_any_parent() {
    for above in [
        Transform { position: vec2(3.0, -7.0), rotation: 0.8, scale: vec2(2.0, 0.5), skew: 0.4 },
        Transform { position: vec2(3.0, -7.0), rotation: -2.0, scale: vec2(-2.0, 3.0), skew: 0.0 },
        Transform { position: vec2(0.0, 0.0), rotation: 0.0, scale: vec2(100.0, 1e-3), skew: -1.0 },
    ] {
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("parent").with_transform(above));
        let local = above.to_affine().inverse();
        let start = vec2(0.0, 2.0);
        let place =
            Node::new("mover").with_transform(Transform::from_affine(local * glam::Affine2::from_translation(start)));
        let node = scene.add_child(parent, place).unwrap();
        scene.attach(node, Circle::new(0.5)).unwrap();
        put(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
        let moved = slide(&mut scene, node, 4.0, -3.0);
        let world = scene.world().position(node).unwrap();
        assert!(world.abs_diff_eq(vec2(4.0, 0.5), 0.02), "{above:?}: {world}");
        assert!((world - start).abs_diff_eq(moved.travel, 1e-3));
    }
}

#[test]
fn far_from_the_origin_a_floor_holds() {
    for base in [vec2(1e4, -3e4), vec2(-1e6, 1e6)] {
        let mut scene = Scene::new();
        for i in -3..8_i8 {
            put(&mut scene, Transform::from_position(base + vec2(f32::from(i), -0.5)), Rect::new(1.0, 1.0));
        }
        let node = put(&mut scene, Transform::from_position(base + vec2(0.0, 1.0)), Rect::new(0.5, 1.0));
        for _ in 0..10 {
            slide(&mut scene, node, 0.5, -1.0);
            let place = position(&scene, node) - base;
            assert!((0.3..2.1).contains(&place.y), "{base}: {place}");
        }
        assert!((position(&scene, node).x - base.x - 5.0).abs() < 0.2);
    }
}

/// A course with some of everything, closed all around, under whatever is above.
fn course(scene: &mut Scene) {
    let walls: [(f32, f32, f32, f32); 4] =
        [(0.0, -11.0, 44.0, 2.0), (0.0, 11.0, 44.0, 2.0), (-21.0, 0.0, 2.0, 24.0), (21.0, 0.0, 2.0, 24.0)];
    for (x, y, width, height) in walls {
        put(scene, at(x, y), Rect::new(width, height));
    }
    for i in 0..12_u8 {
        put(scene, at(-18.0 + f32::from(i), -9.5), Rect::new(1.0, 1.0));
    }
    put(scene, at(-3.0, -7.0).with_rotation(0.5), Rect::new(4.0, 0.2));
    put(scene, at(3.0, -7.0).with_rotation(-0.9), Rect::new(4.0, 0.2));
    put(scene, at(0.0, 0.0), Circle::new(1.5));
    put(scene, at(6.0, 2.0), Ellipse::new(2.0, 0.7));
    put(scene, at(-8.0, 3.0), Capsule::new(vec2(-1.0, -1.0), vec2(2.0, 1.0), 0.4));
    put(scene, at(-14.0, 0.0), hexagon(2.0));
    put(scene, at(12.0, -4.0), Squircle(1.5));
    put(scene, at(8.0, 7.0), Attachment::new(Rect::new(6.0, 0.2)).one_way(Vec2::Y));
    put(scene, at(-6.0, 7.0), Attachment::new(Rect::new(3.0, 3.0)).sensor());
    let hills: Vec<Vec2> =
        (0..30_u8).map(|i| vec2(5.0 + f32::from(i) * 0.5, -9.2 + 0.5 * f32::from(i).sin())).collect();
    put(scene, Transform::IDENTITY, Polyline::new(&hills).unwrap());
    put(scene, at(14.0, 4.0), Tiles::new(5, 4, vec2(0.75, 0.75), |column, row| (column + row) % 3 != 0));
    put(scene, at(-15.0, 7.0).with_scale(vec2(1.0, -0.5)), Rect::new(3.0, 3.0));
}

/// Moves everybody through the course; a hash of all that happened.
fn wander(seed: u64, steps: u32, check_every: u32) -> u64 {
    let mut scene = Scene::new();
    course(&mut scene);
    let parents = [
        Transform::IDENTITY,
        Transform { rotation: 0.7, position: vec2(3.0, -2.0), ..Transform::IDENTITY },
        Transform { scale: vec2(-1.0, 1.0), rotation: 2.0, ..Transform::IDENTITY },
        Transform { scale: vec2(2.0, 0.5), rotation: -1.0, skew: 0.6, ..Transform::IDENTITY },
    ];
    let starts = [vec2(-17.0, -6.0), vec2(-2.0, 6.0), vec2(8.0, -6.0), vec2(18.0, 8.0)];
    let shapes: [Attachment; 4] = [
        Rect::new(0.8, 1.0).into(),
        Capsule::new(vec2(0.0, -0.2), vec2(0.0, 0.2), 0.3).into(),
        Circle::new(0.5).into(),
        hexagon(0.5).into(),
    ];
    let ghosts = CollisionLayers::new(1, !1);
    let movers: Vec<NodeId> = (0..4)
        .map(|index| {
            let parent = scene.add(Node::new("parent").with_transform(parents[index]));
            let local = parents[index].to_affine().inverse() * glam::Affine2::from_translation(starts[index]);
            let node =
                scene.add_child(parent, Node::new("mover").with_transform(Transform::from_affine(local))).unwrap();
            scene.attach(node, shapes[index].clone().with_layers(ghosts)).unwrap();
            node
        })
        .collect();
    let mut random = Dice(seed);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut velocity = [Vec2::ZERO; 4];
    let mut met = [0; 3];
    for step in 0..steps {
        let which = step as usize % 4;
        let node = movers[which];
        if random.unit() < 0.05 {
            let fast = if random.unit() < 0.1 { 30.0 } else { 0.6 };
            velocity[which] = Vec2::from_angle(random.unit() * TAU) * random.unit() * fast;
        }
        let options = MoveOptions {
            snap_to_floor: if step % 3 == 0 { 0.2 } else { 0.0 },
            step_height: if step % 5 == 0 { 0.3 } else { 0.0 },
            stand_on_slopes: step % 7 < 4,
            ..options()
        };
        let motion = velocity[which] - vec2(0.0, 0.05);
        let moved = scene.move_and_slide(node, motion, &options).unwrap();
        assert!(!moved.stuck, "step {step}: {motion} {:?}", scene.world().position(node));
        assert!(moved.travel.length() <= motion.length() * 1.001 + 0.6, "step {step}: {motion} {moved:?}");
        for (met, hit) in met.iter_mut().zip([&moved.floor, &moved.wall, &moved.ceiling]) {
            *met += u32::from(hit.is_some());
        }
        let place = moved.travel;
        for bits in [place.x.to_bits(), place.y.to_bits(), moved.hits.len() as u32] {
            hash = (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3);
        }
        if step % check_every == 0 {
            let deep = solid_depth(&mut scene, node);
            assert!(deep < 1e-4, "step {step}: {deep} deep after {motion} {moved:?}");
            let place = scene.world().position(node).unwrap();
            assert!(place.x.abs() < 20.0 && place.y.abs() < 10.0, "step {step}: out at {place}");
        }
    }
    assert!(met.into_iter().all(|met| met > steps / 50), "there was something in the way: {met:?}");
    hash
}

/// The depth in what is no sensor and holds on all sides.
fn solid_depth(scene: &mut Scene, node: NodeId) -> f32 {
    let own = scene.colliders(node)[0];
    let world = scene.world();
    let solid = world.overlaps(own).filter(|side| {
        let attachment = world.scene().attachment(side.collider).unwrap();
        !attachment.sensor && attachment.one_way.is_none()
    });
    solid.filter_map(|side| world.contact(own, side.collider)).map(|contact| contact.depth).fold(0.0, f32::max)
}

#[test]
fn wanderers_never_end_inside_and_never_leave() {
    let (seeds, steps) = if cfg!(debug_assertions) { (1, 20_000) } else { (4, 100_000) };
    for seed in 0..seeds {
        wander(seed, steps, 1);
    }
}

#[test]
fn the_same_moves_give_the_same_bits_in_every_build() {
    assert_eq!(wander(9, 8_000, 64), 5_436_759_877_119_268_623, "the golden hash");
}

#[test]
fn what_a_mover_leans_on_tells_no_event_and_what_it_was_pushed_out_of_does() {
    let mut scene = Scene::new();
    let (floor, _) = scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.0)), Rect::new(20.0, 2.0));
    let (node, body) = scene.add_with(Node::new("n").with_position(vec2(0.0, 1.0)), Circle::new(0.5));
    let moved = scene.move_and_slide(node, vec2(1.0, -2.0), &options()).unwrap();
    assert_eq!(moved.hits[0].side.node, floor);
    assert!(scene.update().is_empty() && scene.world().contacts().is_empty());

    scene[node].transform.position.y = 0.25;
    scene.depenetrate(node, &QueryFilter::default()).unwrap();
    assert_eq!(scene.update().len(), 1);
    assert!(scene.world().overlaps(body).len() == 1 && scene.world().contacts()[0].1.depth < 1e-6);
}

#[test]
fn options_beyond_their_range_keep_moves_finite() {
    let nan = f32::NAN;
    let slopes = [21.75, FRAC_PI_2, -1.0, nan, f32::INFINITY];
    let skins = [0.01, -1.0, nan, f32::INFINITY, 5.0, 3e38, f32::MAX];
    for (max_slope, skin_width) in slopes.into_iter().flat_map(|slope| skins.map(|skin| (slope, skin))) {
        for distance in [nan, f32::INFINITY, -1.0, 2.0] {
            let mut scene = Scene::new();
            put(&mut scene, at(2.0, 0.0), Rect::new(1.0, 8.0));
            put(&mut scene, at(0.0, 3.0), Rect::new(8.0, 1.0));
            let node = put(&mut scene, at(0.0, 0.0), Circle::new(1.4));
            let distances = MoveOptions { snap_to_floor: distance, step_height: distance, ..options() };
            let options = MoveOptions { max_slope, skin_width, ..distances };
            let moved = scene.move_and_slide(node, vec2(3.0, 2.0), &options).unwrap();
            let place = position(&scene, node);
            assert!(moved.travel.is_finite() && place.is_finite() && moved.remainder.is_finite(), "{options:?}");
            // A skin beyond all bounds is kept as far as there is room, and that may be far.
            assert!(depth(&mut scene, node) < 1e-4, "{options:?}: {place}");
            assert!(place.length() < 10.0 || skin_width > 1e30, "{options:?}: {place}");
        }
    }
}
