//! Floors: seams, slopes, ledges, stairs, and snapping down.

use std::f32::consts::{FRAC_PI_3, FRAC_PI_6, TAU};

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, Compound, Ellipse, MoveOptions, MoveResponse, Node, NodeId, Polygon, Polyline,
    QueryFilter, Rect, Rounded, Scene, Segment, Tiles, Transform,
};
use support::at;
use support::dice::Dice;
use support::moves::{
    SKIN_REACH, add_at, add_segments, depth, floors, hexagon, movers, options, position, slide, unit_at,
};

#[test]
fn floor_seams_never_slow_or_lift_any_mover_at_any_speed() {
    for (floor, build) in floors() {
        for (name, mover) in movers() {
            for (dx, fall) in
                [(0.013, 0.2), (0.13, 0.2), (0.13, 0.0), (0.25, 0.25), (1.7, 0.2), (9.5, 3.0), (-0.37, 0.01)]
            {
                let mut scene = Scene::new();
                build(&mut scene);
                let node = add_at(&mut scene, at(0.0, 0.5), mover.clone());
                let steps = (35.0 / f32::abs(dx)).min(120.0) as u32 / if dx < 0.0 { 3 } else { 1 };
                for step in 0..steps {
                    let before = position(&scene, node);
                    slide(&mut scene, node, dx, -fall);
                    let after = position(&scene, node);
                    let context = format!("{name} on {floor} by ({dx}, -{fall}), step {step}: {before} -> {after}");
                    assert!((after.x - before.x - dx).abs() < 1e-3, "{context}");
                    assert!((0.5 - 1e-4..0.5 + 2.0 * SKIN_REACH).contains(&after.y), "{context}");
                }
            }
        }
    }
}

#[test]
fn floor_seams_never_slow_or_lift_a_mover_under_a_rotated_root() {
    for angle in [0.3_f32, 1.0, 2.5, -1.9] {
        for (name, mover) in movers() {
            let mut scene = Scene::new();
            let root = scene.root();
            scene[root].transform = Transform { position: vec2(300.0, -200.0), rotation: angle, ..Transform::IDENTITY };
            floors()[0].1(&mut scene);
            let node = add_at(&mut scene, at(0.0, 0.52), mover.clone());
            let axis = Vec2::from_angle(angle);
            let options = MoveOptions { up: axis.perp(), ..options() };
            for step in 0..100 {
                let before = position(&scene, node);
                scene.move_and_slide(node, axis * 0.17 - axis.perp() * 0.3, &options).unwrap();
                let after = position(&scene, node);
                assert!((after.x - before.x - 0.17).abs() < 1e-3, "{name} {angle} {step}: {before} -> {after}");
                assert!((0.5 - 1e-3..0.5 + 2.0 * SKIN_REACH).contains(&after.y), "{name} {angle} {step}: {after}");
            }
        }
    }
}

#[test]
fn a_step_does_not_change_the_fraction_of_later_hits() {
    // The other movers slide over the ledge, which takes more of the displacement.
    for (name, mover) in movers().into_iter().take(4) {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -0.5), Rect::new(40.0, 1.0));
        add_at(&mut scene, at(4.0, 0.1), Rect::new(4.0, 0.2));
        add_at(&mut scene, at(6.0, 0.0), Rect::new(2.0, 20.0));
        let node = add_at(&mut scene, at(0.0, 0.51), mover);
        let options = MoveOptions { step_height: 0.3, ..options() };
        let moved = scene.move_and_slide(node, vec2(6.0, 0.0), &options).unwrap();
        let wall = moved.wall.unwrap();
        let expected = moved.travel.x / 6.0;
        assert!((wall.fraction - expected).abs() < 1e-3, "{name}: {} instead of {expected}", wall.fraction);
        assert!(moved.travel.y > 0.19, "{name} is on the step: {}", moved.travel);
    }
}

#[test]
fn wall_and_ceiling_seams_never_slow_a_mover() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        for i in -40..40_i8 {
            add_at(&mut scene, at(2.5, f32::from(i)), Rect::new(1.0, 1.0));
            add_at(&mut scene, at(f32::from(i) - 50.0, 3.5), Rect::new(1.0, 1.0));
        }
        let node = add_at(&mut scene, at(0.9, 20.3), mover.clone());
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
fn a_mover_walks_up_and_down_joined_slopes() {
    // Hills of up to 40 degrees, as separate segments and as one polyline.
    let points: Vec<Vec2> = (0..80_u8).map(|i| vec2(f32::from(i), 0.8 * (f32::from(i) * 0.9).sin())).collect();
    for separate in [true, false] {
        for (name, mover) in movers().into_iter().take(5) {
            let mut scene = Scene::new();
            if separate {
                for pair in points.windows(2) {
                    add_at(&mut scene, Transform::IDENTITY, Segment::new(pair[0], pair[1]));
                }
            } else {
                add_at(&mut scene, Transform::IDENTITY, Polyline::new(&points).unwrap());
            }
            let node = add_at(&mut scene, at(2.0, 3.0), mover.clone());
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
fn a_steep_slope_never_lifts_a_mover() {
    for angle in [50.0_f32, 60.0, 75.0, 89.0] {
        for (name, mover) in movers() {
            let mut scene = Scene::new();
            add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
            let slope = Vec2::from_angle(angle.to_radians()) * 20.0;
            add_at(&mut scene, at(3.0, 0.0), Segment::new(Vec2::ZERO, slope));
            let node = add_at(&mut scene, at(0.0, 0.51), mover.clone());
            for displacement in [vec2(0.1, -0.05), vec2(0.1, 0.0), vec2(0.004, 0.0), vec2(2.0, -0.001)] {
                for _ in 0..150 {
                    let before = position(&scene, node).y;
                    let moved = scene.move_and_slide(node, displacement, &options()).unwrap();
                    let after = position(&scene, node).y;
                    assert!(after <= before.max(0.51) + 1e-3, "{name} {angle} {displacement}: {before} -> {after}");
                    assert!(moved.floor.is_some(), "{name} {angle} {displacement}");
                }
            }
        }
    }
}

#[test]
fn a_mover_slides_down_a_steep_slope_and_rests_on_a_gentle_one() {
    for (angle, is_gentle) in [(FRAC_PI_6, true), (FRAC_PI_3, false)] {
        for stand_on_slopes in [true, false] {
            let mut scene = Scene::new();
            let along = Vec2::from_angle(angle);
            add_at(&mut scene, Transform::IDENTITY, Segment::new(-along * 20.0, along * 20.0));
            let node = add_at(&mut scene, at(0.0, 1.5), Circle::new(0.5));
            let options = MoveOptions { stand_on_slopes, ..options() };
            (0..20).for_each(|_| drop(scene.move_and_slide(node, vec2(0.0, -0.2), &options)));
            let before = position(&scene, node);
            (0..20).for_each(|_| drop(scene.move_and_slide(node, vec2(0.0, -0.2), &options)));
            let travel = position(&scene, node) - before;
            if is_gentle && stand_on_slopes {
                assert!(travel.length() < 1e-4, "{angle} {travel}");
            } else {
                assert!((travel.normalize() + along).length() < 1e-2, "{angle}: {travel} is not downhill");
                assert!((travel.length() - 4.0 * angle.sin()).abs() < 0.1, "{angle} {travel}");
            }
        }
    }
}

#[test]
fn a_surface_hit_below_a_step_does_not_clip_the_slide_above_it() {
    // The mover slides along a falling ceiling, climbs a step, and slides up a gentle slope.
    let mut scene = Scene::new();
    let lines = [
        [vec2(0.0, 1.5), vec2(1.5, 1.05)],
        [vec2(-1.0, 0.2), vec2(2.5, 0.2)],
        [vec2(2.5, 0.2), vec2(2.5, 0.5)],
        [vec2(2.5, 0.5), vec2(4.0, 0.5)],
        [vec2(4.0, 0.5), vec2(9.0, 1.4)],
    ];
    let nodes = add_segments(&mut scene, &lines);
    let node = add_at(&mut scene, at(0.0, 1.0), Rect::new(0.4, 0.4));
    let options = MoveOptions { step_height: 0.3, ..options() };
    let moved = scene.move_and_slide(node, vec2(6.0, 0.0), &options).unwrap();
    assert_eq!(moved.hits().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [nodes[0], nodes[4]]);
    assert!(position(&scene, node).x > 5.0 && moved.floor.unwrap().side.node == nodes[4], "{moved:?}");
}

#[test]
fn a_mover_climbs_a_step_up_to_step_height_and_a_higher_one_blocks_it() {
    for (name, mover) in movers() {
        for (height, climbable) in [(0.1, true), (0.24, true), (0.4, false)] {
            let mut scene = Scene::new();
            add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
            add_at(&mut scene, at(13.0, height - 1.0), Rect::new(20.0, 2.0));
            let node = add_at(&mut scene, at(1.0, 0.52), mover.clone());
            let options = MoveOptions { step_height: 0.3, ..options() };
            for _ in 0..60 {
                scene.move_and_slide(node, vec2(0.1, -0.1), &options).unwrap();
                assert!(depth(&mut scene, node) < 1e-4, "{name} {height}");
            }
            let end = position(&scene, node);
            let has_vertical_side = ["rect", "capsule"].contains(&name);
            if climbable {
                assert!(end.x > 6.5 && (end.y - 0.5 - height).abs() < 2.0 * SKIN_REACH, "{name} {height}: {end}");
            } else if has_vertical_side {
                assert!(end.x < 3.0 && end.y < 0.55, "{name} {height}: {end}");
            }
            // With the default options, the rectangle climbs no step.
            scene[node].transform.position = vec2(1.0, 0.52);
            (0..60).for_each(|_| drop(slide(&mut scene, node, 0.1, -0.1)));
            assert!(name != "rect" || position(&scene, node).x < 3.0, "{name} {height}");
        }
    }
}

#[test]
fn the_pieces_of_a_ledge_and_their_order_do_not_decide_whether_a_mover_steps_up() {
    for (name, mover) in movers() {
        for (height, speed) in [0.2, 0.29, 0.35, 0.4, 0.43, 0.6]
            .into_iter()
            .flat_map(|height| [(height, 0.03), (height, 0.3), (height, 1.5)])
        {
            let line = |corners: &[Vec2]| -> Attachment { Polyline::new(corners).unwrap().into() };
            let corners = [vec2(-9.0, 0.0), Vec2::ZERO, vec2(0.0, 0.5 * height), vec2(0.0, height), vec2(9.0, height)];
            let mut reversed = corners;
            reversed.reverse();
            let blocks = [(-4.5, -0.5), (4.5, height - 0.5)].map(|(x, y)| Rect::new(9.0, 1.0).at(vec2(x, y)));
            let blocks = Compound::new(blocks).unwrap().into();
            let grounds =
                [line(&corners), line(&reversed), line(&[corners[0], corners[1], corners[3], corners[4]]), blocks];
            let ends = grounds.map(|ground| {
                let mut scene = Scene::new();
                add_at(&mut scene, Transform::IDENTITY, ground);
                let node = add_at(&mut scene, at(-1.0, 0.51), mover.clone());
                let options = MoveOptions { step_height: 0.3, snap_to_floor: 0.3, ..options() };
                for _ in 0..(3.0 / speed) as u32 {
                    scene.move_and_slide(node, vec2(speed, -0.01), &options).unwrap();
                }
                position(&scene, node)
            });
            let is_same = ends.iter().all(|end| end.distance(ends[0]) < 0.02);
            assert!(is_same, "{name} before a ledge of {height} by {speed}: {ends:?}");
        }
    }
}

#[test]
fn a_circle_rolls_over_a_ledge_higher_than_a_step_by_a_part_of_its_radius_at_any_speed() {
    let options = MoveOptions { step_height: 0.2, snap_to_floor: 0.2, ..options() };
    let rolls_over = 0.5 * (1.0 - options.max_slope.cos());
    for speed in [0.02, 0.05, 0.1, 0.2, 0.4, 0.6] {
        for (height, climbs) in [(0.2 + rolls_over - 0.01, true), (0.2 + rolls_over + 0.02, false)] {
            let mut scene = Scene::new();
            add_at(&mut scene, at(0.0, -1.0), Rect::new(40.0, 2.0));
            add_at(&mut scene, at(5.0, 0.5 * height), Rect::new(8.0, height));
            let node = add_at(&mut scene, at(-1.0, 0.51), Circle::new(0.5));
            for _ in 0..(4.0 / speed) as u32 {
                scene.move_and_slide(node, vec2(speed, -0.008), &options).unwrap();
            }
            let end = position(&scene, node);
            assert_eq!(end.x > 1.5, climbs, "a ledge of {height} by {speed}: {end}");
        }
    }
}

#[test]
fn a_ledge_lower_than_a_millionth_of_the_step_height_is_no_step() {
    for (step_height, climbs) in [(1e5, true), (1e6, false), (f32::MAX, false)] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
        add_at(&mut scene, at(5.0, 0.0), Rect::new(4.0, 0.4));
        let node = add_at(&mut scene, at(0.0, 0.51), Rect::new(1.0, 1.0));
        let options = MoveOptions { step_height, ..options() };
        let moved = scene.move_and_slide(node, vec2(5.0, -0.1), &options).unwrap();
        assert_eq!(moved.travel.y > 0.19, climbs, "{step_height}: {moved:?}");
    }
}

#[test]
fn a_mover_climbs_a_step_at_the_top_of_a_ramp_however_fast_it_falls() {
    let options = MoveOptions { step_height: 0.5, snap_to_floor: 0.5, ..options() };
    let ground = [vec2(-3.0, 0.0), Vec2::ZERO, vec2(1.0, 0.8), vec2(1.0, 0.85), vec2(9.0, 0.85)];
    for (name, mover) in movers() {
        for (walk, fall) in [(0.1, 0.01), (0.1, 0.05), (0.1, 0.1), (0.1, 0.3), (0.01, 0.008), (0.3, 0.08)] {
            let mut scene = Scene::new();
            scene.add_with(Node::new("ground"), Polyline::new(&ground).unwrap());
            let node = add_at(&mut scene, at(-1.0, 0.52), mover.clone());
            for _ in 0..(5.0 / walk) as u32 {
                scene.move_and_slide(node, vec2(walk, -fall), &options).unwrap();
            }
            let end = position(&scene, node);
            assert!(end.x > 2.0, "{name} by ({walk}, -{fall}) ends at {end}");
        }
    }
}

#[test]
fn a_mover_steps_over_a_ledge_narrower_than_itself() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    add_at(&mut scene, at(5.15, 0.1), Rect::new(0.3, 0.2));
    let node = add_at(&mut scene, at(3.0, 0.52), Rect::new(1.0, 1.0));
    let options = MoveOptions { step_height: 0.3, ..options() };
    let mut highest = 0.0_f32;
    for _ in 0..60 {
        scene.move_and_slide(node, vec2(0.1, -0.1), &options).unwrap();
        highest = highest.max(position(&scene, node).y);
    }
    assert!((0.7..0.7 + 2.0 * SKIN_REACH).contains(&highest) && position(&scene, node).x > 6.0, "{highest}");
}

#[test]
fn a_slow_mover_climbs_a_step_with_and_without_snapping() {
    for (name, mover) in movers() {
        for speed in [0.01, 0.02, 0.05] {
            for (fall, snap_to_floor) in [(0.01, 0.0), (0.05, 0.0), (0.2, 0.0), (0.01, 0.3), (0.2, 0.3)] {
                let mut scene = Scene::new();
                add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
                add_at(&mut scene, at(13.0, -0.76), Rect::new(20.0, 2.0));
                let node = add_at(&mut scene, at(2.3, 0.52), mover.clone());
                let options = MoveOptions { step_height: 0.3, snap_to_floor, ..options() };
                for _ in 0..(1.7 / speed) as usize {
                    scene.move_and_slide(node, vec2(speed, -fall), &options).unwrap();
                }
                let end = position(&scene, node);
                let case = format!("{name}, {speed}, {fall}, {snap_to_floor}: {end}");
                assert!(end.x > 3.5 && (end.y - 0.74).abs() < 2.0 * SKIN_REACH, "{case}");
            }
        }
    }
}

#[test]
fn a_box_that_steps_up_stands_on_the_step_at_once() {
    for speed in [0.001, 0.01, 0.019, 0.05] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
        add_at(&mut scene, at(13.0, -0.76), Rect::new(20.0, 2.0));
        let node = add_at(&mut scene, at(2.45, 0.51), Rect::new(1.0, 1.0));
        let options = MoveOptions { step_height: 0.3, ..options() };
        for frame in 0..100 {
            let moved = scene.move_and_slide(node, vec2(speed, -0.05), &options).unwrap();
            assert!(moved.floor.is_some() && moved.travel.y > -1e-4, "{speed}, {frame}: {moved:?}");
        }
        assert!(position(&scene, node).y > 0.74, "{speed}");
    }
}

#[test]
fn a_small_mover_steps_onto_a_narrow_post() {
    // The post is wider than the mover.
    let mut scene = Scene::new();
    add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    add_at(&mut scene, at(1.15, 0.1), Rect::new(0.3, 0.2));
    let node = add_at(&mut scene, at(0.8, 0.11), Rect::new(0.2, 0.2));
    let options = MoveOptions { step_height: 0.3, ..options() };
    for _ in 0..30 {
        scene.move_and_slide(node, vec2(0.01, -0.01), &options).unwrap();
    }
    let end = position(&scene, node);
    assert!(end.x > 1.0 && (end.y - 0.3).abs() < 2.0 * SKIN_REACH, "{end}");
}

#[test]
fn a_mover_climbs_a_step_barely_higher_than_its_skin() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    add_at(&mut scene, at(13.0, -0.988), Rect::new(20.0, 2.0));
    let node = add_at(&mut scene, at(2.0, 0.51), Rect::new(1.0, 1.0));
    let options = MoveOptions { step_height: 0.015, ..options() };
    for _ in 0..20 {
        scene.move_and_slide(node, vec2(0.1, -0.1), &options).unwrap();
    }
    let end = position(&scene, node);
    assert!(end.x > 3.5 && (end.y - 0.522).abs() < 0.002, "{end}");
}

#[test]
fn of_two_floors_hit_at_the_same_fraction_the_smaller_id_is_reported() {
    for reenabled in [0, 1] {
        let mut scene = Scene::new();
        let floors =
            [-1.0, 1.0].map(|x| scene.add_with(Node::new("n").with_transform(at(x, -0.5)), Rect::new(2.0, 1.0)));
        let node = add_at(&mut scene, at(0.0, 1.0), Rect::new(1.0, 1.0));
        scene.update();
        // A collider that is enabled again comes after the others in the index.
        let collider = floors[reenabled].1;
        scene.attachment_mut(collider).unwrap().enabled = false;
        scene.update();
        scene.attachment_mut(collider).unwrap().enabled = true;
        let moved = slide(&mut scene, node, 0.0, -1.0);
        assert_eq!(moved.hits().iter().map(|hit| hit.side.collider).collect::<Vec<_>>(), [floors[0].1]);
        assert_eq!(moved.floor.unwrap().side.collider, floors[0].1);
    }
}

#[test]
fn snap_to_floor_keeps_a_walking_mover_grounded_but_not_a_jumping_one() {
    let mut scene = Scene::new();
    let slope = [vec2(-50.0, 0.0), Vec2::ZERO, vec2(50.0, -30.0)];
    add_at(&mut scene, Transform::IDENTITY, Polyline::new(&slope).unwrap());
    let node = add_at(&mut scene, at(-1.0, 0.51), Circle::new(0.5));
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
    assert!(moved.floor.is_none(), "a mover in the air does not snap to the floor");
}

#[test]
fn a_floor_holds_a_mover_far_from_the_origin() {
    for base in [vec2(1e4, -3e4), vec2(-1e6, 1e6)] {
        let mut scene = Scene::new();
        for i in -3..8_i8 {
            add_at(&mut scene, Transform::from_position(base + vec2(f32::from(i), -0.5)), Rect::new(1.0, 1.0));
        }
        let node = add_at(&mut scene, Transform::from_position(base + vec2(0.0, 1.0)), Rect::new(0.5, 1.0));
        for _ in 0..10 {
            slide(&mut scene, node, 0.5, -1.0);
            let offset = position(&scene, node) - base;
            assert!((0.3..2.1).contains(&offset.y), "{base}: {offset}");
        }
        assert!((position(&scene, node).x - base.x - 5.0).abs() < 0.2);
    }
}

#[test]
fn a_mover_advances_downhill_by_its_whole_displacement_however_hard_it_presses_on_the_floor() {
    for (degrees, snap_to_floor) in [10.0_f32, 30.0, 44.0].into_iter().flat_map(|slope| [(slope, 0.0), (slope, 0.3)]) {
        let fall = degrees.to_radians().tan();
        let mut scene = Scene::new();
        let slope = Polyline::new(&[vec2(-50.0, 50.0 * fall), vec2(50.0, -50.0 * fall)]).unwrap();
        scene.add_with(Node::new("slope"), slope);
        let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 1.0)), Circle::new(0.5));
        let options = MoveOptions { snap_to_floor, ..MoveOptions::default() };
        scene.move_and_slide(hero, vec2(0.0, -2.0), &options).unwrap();
        for down in [1.01 * fall, 2.0 * fall, 5.0] {
            for _ in 0..20 {
                let moved = scene.move_and_slide(hero, vec2(0.04, -0.04 * down), &options).unwrap();
                assert!((moved.travel.x - 0.04).abs() < 1e-4, "{degrees} degrees, {down} down: {:?}", moved.travel);
                assert!(moved.floor.is_some());
            }
        }
    }
}

#[test]
fn a_mover_that_only_falls_rests_at_the_foot_of_a_slope_before_a_ledge() {
    // In a rotated level, rounding adds a horizontal part to the fall.
    for (turn, (name, mover)) in [0.0, 0.5, 2.0].into_iter().flat_map(|turn| movers().map(|mover| (turn, mover))) {
        for fall in [0.008, 0.02, 0.05, 0.1] {
            let mut scene = Scene::new();
            let (root, up) = (scene.root(), Vec2::from_angle(turn).rotate(Vec2::Y));
            scene[root].transform.rotation = turn;
            let along = Vec2::from_angle(-10.0_f32.to_radians());
            add_at(&mut scene, Transform::IDENTITY, Segment::new(along * -10.0, along * 10.0));
            let foot = along * 5.0;
            add_at(&mut scene, at(foot.x + 2.0, foot.y), Rect::new(4.0, 0.4));
            let node = add_at(&mut scene, at(foot.x - 1.0, foot.y + 1.1), mover.clone());
            let options = MoveOptions { up, step_height: 0.5, stand_on_slopes: false, ..options() };
            let mut heights = [0.0; 1_000];
            for height in &mut heights {
                scene.move_and_slide(node, up * -fall, &options).unwrap();
                *height = position(&scene, node).y;
            }
            let rise: f32 = heights.windows(2).map(|pair| (pair[1] - pair[0]).max(0.0)).sum();
            assert!(rise < SKIN_REACH, "{name}: it falls by {fall} in each frame, and rises by {rise} in total");
        }
    }
}

#[test]
fn a_mover_that_leaves_a_steep_slope_behind_it_does_not_step_up() {
    for (slope, floor, walk) in
        [(50.0_f32, 30.0_f32, 0.08), (55.0, 30.0, 0.0001), (55.0, 10.0, 0.005), (65.0, 30.0, 0.02)]
    {
        let [slope, floor] = [slope, -floor].map(|angle| unit_at(angle.to_radians()) * 10.0);
        for (name, mover) in movers() {
            let mut scene = Scene::new();
            scene.add_with(Node::new("valley"), Polyline::new(&[-floor, Vec2::ZERO, slope]).unwrap());
            let node = add_at(&mut scene, at(slope.x * 0.25, slope.y * 0.25 + 1.5), mover);
            let options = MoveOptions { step_height: 0.3, ..options() };
            let mut is_on_floor = false;
            for _ in 0..60 {
                let moved = scene.move_and_slide(node, vec2(-walk, -0.2), &options).unwrap();
                let rise = if is_on_floor { 0.0 } else { moved.travel.y };
                assert!(rise < walk + SKIN_REACH, "{name}: above a slope to {slope} it rises by {rise}");
                is_on_floor = moved.floor.is_some();
            }
            assert!(is_on_floor, "{name}: it stays in the air at {}", position(&scene, node));
        }
    }
}

#[test]
fn a_mover_does_not_climb_a_cliff_of_several_steep_slopes() {
    // The floor at the foot of a steep slope is no ledge, and neither is a corner between two steep slopes.
    let slopes = [(0.0935, 0.78), (0.0935, 0.86), (0.407, 1.76), (1.24, 2.69), (9.0, 2.69)].map(|(x, y)| vec2(x, y));
    let cliff: Vec<Vec2> = [vec2(-9.0, 0.0), Vec2::ZERO].into_iter().chain(slopes).collect();
    let tall = ("tall capsule", Capsule::new(vec2(0.0, -0.2), vec2(0.0, 0.4), 0.3).into());
    for (walk, step_height) in [(0.02, 0.3), (0.02, 0.6), (0.08, 0.3), (0.08, 0.6)] {
        for (name, mover) in movers().into_iter().chain([tall.clone()]) {
            let mut scene = Scene::new();
            scene.add_with(Node::new("cliff"), Polyline::new(&cliff).unwrap());
            let node = add_at(&mut scene, at(-1.0, 2.0), mover);
            let options = MoveOptions { step_height, snap_to_floor: step_height, ..options() };
            for frame in 0..100 {
                let moved = scene.move_and_slide(node, vec2(walk, -0.1), &options).unwrap();
                let place = position(&scene, node);
                assert!(moved.travel.y < SKIN_REACH, "{name}, {walk}, {step_height}: it rises to {place}");
                assert!(moved.floor.is_some() || frame < 60, "{name}, {walk}, {step_height}: {place}");
            }
        }
    }
}

#[test]
fn a_mover_that_falls_past_a_step_does_not_step_up_however_the_level_is_turned() {
    for case in 0..1_000_u16 {
        let mut scene = Scene::new();
        let root = scene.root();
        scene[root].transform.rotation = 0.003 * f32::from(case);
        add_at(&mut scene, at(0.0, -1.0), Rect::new(20.0, 2.0));
        add_at(&mut scene, at(3.0, 0.1), Rect::new(4.0, 0.2));
        let height = 0.6 + 0.0005 * f32::from(case);
        let node = add_at(&mut scene, at(0.7236, height), Capsule::new(vec2(0.0, -0.3), vec2(0.0, 0.3), 0.3));
        let up = scene.world().transform(root).unwrap().transform_vector2(Vec2::Y);
        let options = MoveOptions { up, step_height: 0.25, ..options() };
        let moved = scene.move_and_slide(node, up * -0.05, &options).unwrap();
        assert!(moved.travel.dot(up) < SKIN_REACH, "case {case}: it rises by {}", moved.travel.dot(up));
    }
}

#[test]
fn a_mover_that_could_step_up_rests_between_a_sloping_floor_and_a_wall_that_leans_back() {
    for (name, mover) in movers() {
        for (floor, wall) in [(44.0_f32, 86.0_f32), (30.0, 88.0), (10.0, 89.0)] {
            let [floor, wall] = [floor, wall].map(|angle| Vec2::from_angle(angle.to_radians()) * 9.0);
            let mut scene = Scene::new();
            scene.add_with(Node::new("corner"), Polyline::new(&[-floor, Vec2::ZERO, wall]).unwrap());
            let node = add_at(&mut scene, at(-3.0, 1.0), mover.clone());
            let options = MoveOptions { step_height: 0.1, ..options() };
            let mut positions = [Vec2::ZERO; 200];
            for place in &mut positions {
                scene.move_and_slide(node, vec2(0.3, -0.1), &options).unwrap();
                *place = position(&scene, node);
            }
            let rest = positions[199];
            let way = positions[100..].iter().map(|place| place.distance(rest)).fold(0.0, f32::max);
            assert!(way < 1e-5, "{name}, {floor}, {wall}: it moves by {way}");
        }
    }
}

/// Adds ten stairs to the right, whose first riser is at x = 0 and whose last tread is long: separate blocks, a line, or
/// a map of tiles.
fn add_stairs(scene: &mut Scene, kind: &str, tread: f32, rise: f32) {
    let [left, right] = [-10.0, 20.0 * tread];
    let step = |number: u8| vec2(f32::from(number) * tread, f32::from(number) * rise);
    match kind {
        "blocks" => {
            add_at(scene, at(left, -0.5), Rect::new(20.0, 1.0));
            for number in 0..10 {
                let corner = step(number) + vec2(0.0, rise);
                let width = if number == 9 { right } else { tread };
                add_at(scene, at(corner.x + 0.5 * width, 0.5 * corner.y), Rect::new(width, corner.y));
            }
        }
        "line" => {
            let corners = (0..10).flat_map(|number| [step(number), step(number) + vec2(0.0, rise)]);
            let line: Vec<Vec2> =
                [vec2(left, 0.0)].into_iter().chain(corners).chain([vec2(right, 10.0 * rise)]).collect();
            add_at(scene, Transform::IDENTITY, Polyline::new(&line).unwrap());
        }
        _ => {
            let map = Tiles::new(40, 11, vec2(tread, rise), |column, row| row <= column.saturating_sub(19).min(10));
            add_at(scene, at(-20.0 * tread, -rise), map);
        }
    }
}

/// Walks to a point in the level `name` that is rotated by `turn`, and checks that the mover stands on a floor in every
/// frame. It passes each move to `check`, with its travel in the level and a description.
fn walk(
    name: &str,
    scene: &mut Scene,
    mover: &Attachment,
    [from, to]: [Vec2; 2],
    (step, speed, turn): (f32, f32, f32),
    check: impl Fn(Vec2, &str),
) {
    let root = scene.root();
    scene[root].transform.rotation = turn;
    let axis = unit_at(turn);
    let options = MoveOptions { up: axis.perp(), snap_to_floor: step, step_height: step, ..options() };
    let hero = add_at(scene, Transform::from_position(from), mover.clone());
    scene.move_and_slide(hero, axis.rotate(vec2(0.0, -0.2)), &options).unwrap();
    for frame in 0.. {
        let before = position(scene, hero);
        let moved = scene.move_and_slide(hero, axis.rotate(vec2(speed, -0.01)), &options).unwrap();
        let case = format!("{name}, {mover:?}, speed {speed}, turn {turn}, frame {frame} from {before}: {moved:?}");
        let floor = moved.floor.unwrap_or_else(|| panic!("no floor: {case}"));
        assert!(floor.normal.dot(options.up) > 0.7, "{case}");
        let [travel, pushed] = [moved.travel, moved.pushed].map(|world| vec2(axis.x, -axis.y).rotate(world));
        // It goes at least two skins onto a ledge.
        let asked = speed.abs() + 2.0 * options.skin_width;
        assert!((travel - pushed).x.abs() < asked + 1e-4, "moved further than asked: {case}");
        assert!(depth(scene, hero) < 1e-5 && frame < 2_000, "{case}");
        check(travel, &case);
        if (to - position(scene, hero)).x * speed <= 0.0 {
            break;
        }
    }
}

/// Walks over stairs, in a level that is rotated by `turn`.
fn walk_over_stairs(mover: &Attachment, kind: &str, [tread, rise]: [f32; 2], speed: f32, turn: f32) {
    let mut scene = Scene::new();
    add_stairs(&mut scene, kind, tread, rise);
    let [low, high] = [vec2(-1.0, 0.4), vec2(9.0 * tread + 1.0, 10.0 * rise + 0.4)];
    let way = if speed > 0.0 { [low, high] } else { [high, low] };
    let name = format!("{kind} of {tread} x {rise}");
    walk(&name, &mut scene, mover, way, (0.3, speed, turn), |travel, case| {
        assert!(travel.y * speed > -1e-3, "fell back: {case}");
    });
}

#[test]
fn a_round_mover_with_snapping_stands_on_a_floor_in_every_frame_on_stairs() {
    let movers: [Attachment; 4] = [
        Circle::new(0.35).into(),
        Capsule::new(vec2(0.0, 0.0), vec2(0.0, 0.8), 0.35).into(),
        Rounded::new(hexagon(0.2), 0.15).into(),
        Polygon::convex(&[vec2(0.0, -0.35), vec2(0.3, 0.1), vec2(-0.3, 0.1)]).unwrap().into(),
    ];
    for mover in &movers {
        for kind in ["blocks", "line", "tiles"] {
            for size in [[1.0, 0.25], [0.5, 0.25], [0.4, 0.2], [1.0, 0.09]] {
                for speed in [0.1, 0.02, -0.1, -0.02] {
                    walk_over_stairs(mover, kind, size, speed, 0.0);
                    walk_over_stairs(mover, kind, size, speed, 2.1);
                }
            }
        }
    }
    let mut dice = Dice(5);
    for _ in 0..100 {
        let radius = dice.within(0.22..0.5);
        let mover: Attachment = match dice.below(3) {
            0 => Circle::new(radius).into(),
            1 => Capsule::new(vec2(0.0, 0.0), vec2(0.0, 0.8), radius).into(),
            _ => Ellipse::new(radius, dice.within(0.22..0.6)).into(),
        };
        let (kind, speed) = (dice.one_of(&["blocks", "line", "tiles"]), dice.one_of(&[0.1, 0.05, -0.1, -0.05]));
        let size = [dice.within(0.3..1.2), dice.within(0.03..0.28)];
        walk_over_stairs(&mover, kind, size, speed, dice.within(-3.0..3.0));
    }
}

#[test]
fn a_round_mover_climbs_a_step_at_any_speed() {
    let movers: [Attachment; 2] = [Circle::new(0.4).into(), Capsule::new(vec2(0.0, 0.0), vec2(0.0, 0.8), 0.4).into()];
    let options = MoveOptions { snap_to_floor: 0.35, step_height: 0.35, ..options() };
    for (mover, height) in movers.iter().flat_map(|mover| [0.2, 0.3, 0.34].map(|height| (mover, height))) {
        for speed in [0.08, 0.02, 0.01, 0.007, 0.005, 0.003, 0.001] {
            let mut scene = Scene::new();
            let line = [vec2(5.0, 0.0), vec2(0.0, 0.0), vec2(0.0, height), vec2(-9.0, height)];
            add_at(&mut scene, Transform::IDENTITY, Polyline::new(&line).unwrap());
            let hero = add_at(&mut scene, at(0.45, 0.41), mover.clone());
            for frame in 0..(1.5 / speed) as u32 {
                let before = position(&scene, hero);
                let moved = scene.move_and_slide(hero, vec2(-speed, -0.01), &options).unwrap();
                assert!(moved.floor.is_some(), "{mover:?}, {height}, {speed}, {frame} from {before}: {moved:?}");
            }
            assert!(position(&scene, hero).x < -0.5, "{mover:?}, {height}, {speed}: {}", position(&scene, hero));
        }
    }
}

#[test]
fn a_mover_with_snapping_stands_on_a_floor_in_every_frame_over_a_fence_or_a_stone() {
    let movers: [Attachment; 5] = [
        Circle::new(0.4).into(),
        Capsule::new(vec2(0.0, 0.0), vec2(0.0, 0.8), 0.4).into(),
        Ellipse::new(0.4, 0.5).into(),
        Rounded::new(hexagon(0.2), 0.2).into(),
        Rect::new(0.8, 0.8).into(),
    ];
    for height in [0.05, 0.2, 0.3] {
        let (top, foot) = (vec2(0.0, height), vec2(0.2 * height, 0.0));
        let obstacles: [Attachment; 6] = [
            Segment::new(-top, top).into(),
            Polyline::new(&[-foot, top, foot]).unwrap().into(),
            Polygon::convex(&[-foot, foot, top]).unwrap().into(),
            Circle::new(0.5 * height).at(0.5 * top).into(),
            Circle::new(0.5).at(top - vec2(0.0, 0.5)).into(),
            Capsule::new(vec2(-0.3, 0.0), vec2(0.3, 0.0), height).into(),
        ];
        for (mover, obstacle) in movers.iter().flat_map(|mover| obstacles.iter().map(move |other| (mover, other))) {
            for (speed, turn) in [(0.02_f32, 0.0), (0.05, 2.1), (0.15, 0.0), (-0.05, 0.0), (-0.1, 2.1)] {
                let mut scene = Scene::new();
                add_at(&mut scene, Transform::IDENTITY, Segment::new(vec2(-9.0, 0.0), vec2(9.0, 0.0)));
                add_at(&mut scene, Transform::IDENTITY, obstacle.clone());
                let way = [-1.5, 1.5].map(|x| vec2(x * speed.signum(), 0.6));
                let name = format!("{obstacle:?}");
                walk(&name, &mut scene, mover, way, (0.35, speed, turn), |travel, case| {
                    assert!(travel.y.abs() <= height + 0.01, "higher than the obstacle: {case}");
                });
            }
        }
    }
}

#[test]
fn a_steep_slope_of_several_pieces_is_no_floor_at_its_foot() {
    let options = MoveOptions { snap_to_floor: 0.35, step_height: 0.35, ..options() };
    // The pieces are steeper and steeper, or less and less steep; the last one is a dome.
    let slopes: [Attachment; 3] = [
        Polyline::new(&[vec2(0.0, 0.0), vec2(0.1, 0.15), vec2(0.15, 0.3), vec2(0.3, 3.0)]).unwrap().into(),
        Polyline::new(&[vec2(0.0, 0.0), vec2(0.03, 0.15), vec2(0.1, 0.3), vec2(2.0, 3.0)]).unwrap().into(),
        Circle::new(5.0).at(vec2(4.8, 0.0)).into(),
    ];
    for (slope, mover) in slopes
        .iter()
        .flat_map(|slope| [Circle::new(0.4).into(), Rect::new(0.8, 0.8).into()].map(|mover: Attachment| (slope, mover)))
    {
        let mut scene = Scene::new();
        add_at(&mut scene, Transform::IDENTITY, Segment::new(vec2(-9.0, 0.0), vec2(9.0, 0.0)));
        add_at(&mut scene, Transform::IDENTITY, slope.clone());
        let hero = add_at(&mut scene, at(-1.0, 0.7), mover.clone());
        for _ in 0..100 {
            let moved = scene.move_and_slide(hero, vec2(0.05, 0.0), &options).unwrap();
            assert_eq!(moved.floor, None, "{mover:?} beside {slope:?} at {}", position(&scene, hero));
        }
    }
}

#[test]
fn a_mover_that_walks_down_into_the_foot_of_a_steep_slope_stands_on_a_floor_in_every_frame() {
    let movers: [Attachment; 3] = [
        Circle::new(0.5).into(),
        Capsule::new(vec2(0.0, -0.1), vec2(0.0, 0.5), 0.4).into(),
        Rect::new(0.8, 1.0).into(),
    ];
    let options = MoveOptions { snap_to_floor: 0.3, ..options() };
    let slopes = [10.0_f32, 20.0, 30.0, 40.0].into_iter().flat_map(|down| [50.0_f32, 65.0, 80.0].map(|up| (down, up)));
    for (mover, (down, up)) in movers.iter().flat_map(|mover| slopes.clone().map(move |slopes| (mover, slopes))) {
        for speed in [0.03, 0.07, 0.12, 0.2, 0.3] {
            let mut scene = Scene::new();
            let valley = [unit_at(-down.to_radians()) * -5.0, Vec2::ZERO, unit_at(up.to_radians()) * 3.0];
            add_at(&mut scene, Transform::IDENTITY, Polyline::new(&valley).unwrap());
            let hero = add_at(&mut scene, Transform::from_position(0.6 * valley[0] + Vec2::Y), mover.clone());
            scene.move_and_slide(hero, vec2(0.0, -2.0), &options).unwrap();
            for frame in 0..150 {
                let moved = scene.move_and_slide(hero, vec2(speed, -0.001), &options).unwrap();
                let case = format!("{mover:?}, {down} down, {up} up, speed {speed}, frame {frame}: {moved:?}");
                assert!(moved.floor.is_some(), "no floor: {case}");
                assert!(frame < 148 || moved.travel.length() < 1e-6, "does not rest: {case}");
            }
        }
    }
}

#[test]
fn a_mover_advances_fully_and_stands_on_a_floor_in_every_frame_however_the_level_is_turned() {
    for degrees in 0..360 {
        let right = unit_at((degrees as f32).to_radians());
        let up = right.perp();
        let mut scene = Scene::new();
        let root = scene.root();
        scene[root].transform.rotation = right.to_angle();
        // A flat top with a ramp on either side.
        let hill = [vec2(-9.0, -3.0), vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(9.0, -3.0)];
        add_at(&mut scene, Transform::IDENTITY, Polyline::new(&hill).unwrap());
        let options = MoveOptions { up, snap_to_floor: 0.3, ..options() };
        for walk in [0.05, -0.05] {
            let hero = add_at(&mut scene, at(0.0, 0.51), Circle::new(0.5));
            scene.move_and_slide(hero, up * -0.01, &options).unwrap();
            for frame in 0..60 {
                let moved = scene.move_and_slide(hero, right * walk, &options).unwrap();
                let case = format!("{degrees} degrees, walk {walk}, frame {frame}: {moved:?}");
                assert!(moved.floor.is_some(), "{case}");
                let advance = (moved.travel - moved.pushed).dot(right);
                assert!((advance - walk).abs() < 1e-3, "{case}");
            }
            scene.remove(hero);
        }
    }
}

#[test]
fn a_mover_with_snapping_keeps_its_skin_and_its_speed_on_a_slope_that_falls_away() {
    let options = MoveOptions { snap_to_floor: 0.2, ..options() };
    for degrees in [2.0_f32, 5.0, 10.0, 20.0, 30.0, 40.0] {
        for fall in [0.0, 0.002, 0.0083, 0.05] {
            let mut scene = Scene::new();
            let down = unit_at(-degrees.to_radians());
            add_segments(&mut scene, &[[down * 30.0, down * -30.0]]);
            let hero = add_at(&mut scene, at(0.0, 0.45), Circle::new(0.3));
            scene.move_and_slide(hero, vec2(0.0, -0.5), &options).unwrap();
            for frame in 0..100 {
                let moved = scene.move_and_slide(hero, vec2(0.1 * down.x, -fall), &options).unwrap();
                let gap = down.perp().dot(position(&scene, hero)) - 0.3;
                let case = format!("{degrees} degrees, fall {fall}, frame {frame}, gap {gap}: {moved:?}");
                assert!((gap - options.skin_width).abs() < 2e-4, "{case}");
                assert!((moved.travel.length() - 0.1).abs() < 2e-4, "{case}");
            }
        }
    }
}

#[test]
fn a_steep_slope_is_no_floor_over_however_long_a_distance_a_mover_snaps() {
    for snap in [0.3, 1e3, 1e9, 1e15, 1e20, 1e30, f32::MAX] {
        let options = MoveOptions { snap_to_floor: snap, ..options() };
        for mover in [Attachment::from(Circle::new(0.4)), Rect::new(0.8, 0.8).into()] {
            let mut scene = Scene::new();
            add_at(&mut scene, Transform::IDENTITY, Segment::new(vec2(-9.0, 0.0), vec2(9.0, 0.0)));
            add_at(&mut scene, Transform::IDENTITY, Segment::new(vec2(0.0, -1.0), vec2(2.0, 4.0)));
            let hero = add_at(&mut scene, at(0.3, 3.0), mover.clone());
            for frame in 0..20 {
                let moved = scene.move_and_slide(hero, vec2(0.02, -0.1), &options).unwrap();
                assert_eq!(moved.floor, None, "{mover:?}, snap {snap}, frame {frame}");
            }
        }
    }
}

#[test]
fn a_mover_that_stood_on_a_floor_snaps_to_it_when_the_floor_or_the_mover_shrinks() {
    let options = MoveOptions { snap_to_floor: 0.3, ..options() };
    let mut scene = Scene::new();
    let (_, plate) = scene.add_with(Node::new("plate"), Rect::new(4.0, 0.4));
    let hero = add_at(&mut scene, at(0.0, 0.72), Circle::new(0.5));
    assert!(scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap().floor.is_some());
    scene.attachment_mut(plate).unwrap().set_collider(Rect::new(4.0, 0.2));
    let moved = scene.move_and_slide(hero, vec2(0.0, -0.008), &options).unwrap();
    assert!(moved.floor.is_some() && (moved.travel.y + 0.1).abs() < 1e-3, "{moved:?}");
    for frame in 0..100_u8 {
        scene[hero].transform.scale = Vec2::splat(1.0 + 0.1 * unit_at(f32::from(frame) * 0.2).x);
        let moved = scene.move_and_slide(hero, vec2(0.01, -0.008), &options).unwrap();
        assert!(moved.floor.is_some(), "frame {frame}: {moved:?}");
    }
    // A jump, and the end of the floor, are no reason to snap.
    assert_eq!(scene.move_and_slide(hero, vec2(0.0, 0.1), &options).unwrap().floor, None);
    let moved = scene.move_and_slide(hero, vec2(0.0, -0.008), &options).unwrap();
    assert!(moved.floor.is_none() && moved.travel.y > -0.01, "{moved:?}");
}

#[test]
fn a_box_that_turns_on_a_slope_snaps_to_it() {
    let options = MoveOptions { snap_to_floor: 0.3, ..options() };
    for slope in [-0.7_f32, -0.37, -0.2, 0.0, 0.3, 0.6] {
        let axis = unit_at(slope);
        let plate = Rect::new(40.0, 2.0).at(vec2(0.0, -1.0));
        let grounds: [Attachment; 2] = [plate.into(), Segment::new(vec2(-20.0, 0.0), vec2(20.0, 0.0)).into()];
        for ground in grounds {
            for turn in (-20..=20_i8).map(|part| 0.01 * f32::from(part)) {
                for walk in [0.0, 0.08, -0.08] {
                    let mut scene = Scene::new();
                    add_at(&mut scene, Transform::IDENTITY.with_rotation(slope), ground.clone());
                    let start = at(0.0, 0.0).with_rotation(slope + turn);
                    let node = add_at(&mut scene, start, Rect::new(1.6, 0.7));
                    scene[node].transform.position = axis.perp() * 0.8;
                    for _ in 0..10 {
                        scene.move_and_slide(node, vec2(0.0, -0.1), &options).unwrap();
                    }
                    scene[node].transform.rotation = slope;
                    let moved = scene.move_and_slide(node, vec2(walk, -0.008), &options).unwrap();
                    assert!(moved.floor.is_some(), "slope {slope}, turn {turn}, walk {walk}: {moved:?}");
                }
            }
        }
    }
}

#[test]
fn a_mover_that_stood_does_not_snap_when_gravity_is_reversed_or_the_floor_lets_it_through() {
    let options = MoveOptions { snap_to_floor: 0.3, ..options() };
    for [x, y] in [[0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]] {
        let mut scene = Scene::new();
        for [x, y, width, height] in
            [[0.0, -1.0, 9.0, 1.0], [0.0, 1.0, 9.0, 1.0], [1.1, 0.0, 1.0, 1.0], [-1.1, 0.0, 1.0, 1.0]]
        {
            add_at(&mut scene, at(x, y), Rect::new(width, height));
        }
        let hero = add_at(&mut scene, at(0.0, -0.09), Circle::new(0.4));
        assert!(scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap().floor.is_some());
        let up = vec2(x, y);
        let moved = scene.move_and_slide(hero, -0.005 * up, &MoveOptions { up, ..options.clone() }).unwrap();
        assert!(moved.travel.length() < 0.006, "{up}: {moved:?}");
    }
    let mut scene = Scene::new();
    let ledge = add_at(&mut scene, at(0.0, 0.0), Attachment::new(Rect::new(4.0, 0.1)).one_way(Vec2::Y));
    add_at(&mut scene, at(0.0, -0.2), Rect::new(4.0, 0.1));
    let hero = add_at(&mut scene, at(0.0, 0.5), Circle::new(0.4));
    assert!(scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap().floor.is_some());
    let through = MoveOptions { filter: QueryFilter::default().exclude_subtree(ledge), ..options };
    let moved = scene.move_and_slide(hero, vec2(0.0, -0.03), &through).unwrap();
    assert!(moved.floor.is_none() && (moved.travel.y + 0.03).abs() < 1e-5, "{moved:?}");
}

#[test]
fn a_box_stands_in_every_frame_on_its_way_around_a_polygon() {
    let corners: Vec<Vec2> = (0..24_u8).map(|i| unit_at(f32::from(i) * TAU / 24.0) * 20.0).collect();
    let mut scene = Scene::new();
    add_at(&mut scene, Transform::IDENTITY, Polygon::convex(&corners).unwrap());
    let hero = add_at(&mut scene, at(0.0, 20.0), Rect::new(0.8, 1.6).at(vec2(0.0, 0.8)));
    assert!(slide(&mut scene, hero, 0.0, -0.5).floor.is_some());
    for frame in 0..1_400 {
        let up = position(&scene, hero).normalize();
        scene[hero].transform.rotation = (-up.x).atan2(up.y);
        let options = MoveOptions { up, snap_to_floor: 0.3, ..options() };
        let moved = scene.move_and_slide(hero, -0.1 * up.perp() - 0.008 * up, &options).unwrap();
        assert!(moved.floor.is_some(), "frame {frame}: {moved:?}");
    }
}

/// Builds a room, a corridor whose floor is a step up, and a lintel above the step, turned about the origin. The room's
/// floor is at y = 0, and the corridor begins at x = 4.
fn add_low_door(scene: &mut Scene, kind: &str, [sill, opening]: [f32; 2], turn: f32) {
    let level = scene.add(Node::new("level").with_rotation(turn));
    let [room, corridor, lintel] = [(0.0, -0.5), (8.0, sill - 0.5), (8.0, sill + opening + 0.5)].map(Vec2::from);
    match kind {
        "rects" => {
            for at in [room, corridor, lintel] {
                scene.add_child_with(level, Node::new("block").with_position(at), Rect::new(8.0, 1.0)).unwrap();
            }
        }
        "one collider" => {
            let blocks = [room, corridor, lintel].map(|at| Rect::new(8.0, 1.0).at(at));
            scene.attach(level, Compound::new(blocks).unwrap()).unwrap();
        }
        // Two bars, one in front of the other, hang above the sill.
        _ => {
            for (x, top) in [(4.3, 0.0), (4.9, 0.02)] {
                let bar = Rect::new(0.1, 1.0).at(vec2(x, sill + opening + 0.5 - top));
                scene.attach(level, bar).unwrap();
            }
            scene.attach(level, Rect::new(8.0, 1.0).at(room)).unwrap();
            scene.attach(level, Rect::new(8.0, 1.0).at(corridor)).unwrap();
        }
    }
}

#[test]
fn a_mover_steps_up_through_a_door_barely_higher_than_itself() {
    let options = MoveOptions { step_height: 0.3, snap_to_floor: 0.3, ..options() };
    for (name, mover) in movers() {
        for (kind, turn) in [("rects", 0.0), ("one collider", 0.6), ("bars", 0.0), ("rects", 2.5)] {
            for (sill, speed) in [(0.1, 0.08), (0.25, 0.02), (0.05, 3.0)] {
                // Every mover is 1 high. The bars are 0.02 lower at one place.
                let walk = |opening: f32| {
                    let mut scene = Scene::new();
                    add_low_door(&mut scene, kind, [sill, opening], turn);
                    let axis = unit_at(turn);
                    let node = add_at(&mut scene, at(0.0, 0.0).with_rotation(turn), mover.clone());
                    scene[node].transform.position = axis.perp() * 0.52;
                    for _ in 0..(9.0 / speed) as u32 {
                        let options = MoveOptions { up: axis.perp(), ..options.clone() };
                        scene.move_and_slide(node, axis * speed - axis.perp() * 0.05, &options).unwrap();
                    }
                    position(&scene, node).dot(axis)
                };
                let context = format!("{name} {kind} {turn} {sill} {speed}");
                let (through, stopped) = (walk(1.07), walk(0.97));
                assert!(through > 7.0, "{context}: it stops at {through}");
                assert!(stopped < 5.0, "{context}: it goes through an opening lower than itself to {stopped}");
            }
        }
    }
}

#[test]
fn a_mover_steps_up_below_a_door_frame_with_any_step_height_and_from_any_start() {
    let movers: [(Attachment, f32); 3] = [
        (Capsule::new(vec2(0.0, -0.3), vec2(0.0, 0.3), 0.3).into(), 1.2),
        (Rect::new(0.6, 0.9).into(), 0.9),
        (Circle::new(0.45).into(), 0.9),
    ];
    for (mover, height) in &movers {
        for (step_height, start) in [0.15, 0.3, 0.6].into_iter().flat_map(|step| (0..50_u8).map(move |i| (step, i))) {
            let mut scene = Scene::new();
            add_low_door(&mut scene, "rects", [0.1, height + 0.1], 0.0);
            let x = 2.5 - 0.002 * f32::from(start);
            let node = add_at(&mut scene, at(x, 0.5 * height + 0.01), mover.clone());
            let options = MoveOptions { step_height, snap_to_floor: 0.3, ..options() };
            for _ in 0..50 {
                scene.move_and_slide(node, vec2(0.1, -0.008), &options).unwrap();
            }
            let end = position(&scene, node).x;
            assert!(end > 5.0, "{mover:?} from {x} with {step_height} ends at {end}");
        }
    }
}

#[test]
fn the_floor_of_a_round_mover_that_snaps_beside_a_ledge_is_within_two_skins() {
    for beside in [0.4, 0.49, 0.499, 0.4999, 0.499_99] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(-5.0, -0.5), Rect::new(10.0, 1.0));
        add_at(&mut scene, at(5.0, -1.0), Rect::new(10.0, 1.0));
        let node = add_at(&mut scene, at(0.3, 0.45), Circle::new(0.5));
        let options = MoveOptions { snap_to_floor: 0.45, step_height: 0.3, ..options() };
        scene.move_and_slide(node, vec2(0.0, -0.1), &options).unwrap();
        let start = position(&scene, node).x;
        let moved = scene.move_and_slide(node, vec2(beside - start, -0.001), &options).unwrap();
        let own = scene.colliders(node)[0];
        let gap = moved.floor.and_then(|floor| scene.world().distance(own, floor.side.collider));
        assert!(gap.is_some_and(|gap| gap <= 2.0 * options.skin_width + 1e-5), "{beside}: {gap:?}, {moved:?}");
    }
}

#[test]
fn a_mover_walks_over_a_fence_or_a_block_lower_than_a_step_at_any_speed() {
    let movers: [(Attachment, &[f32]); 4] = [
        (Circle::new(0.4).into(), &[0.1, 0.2, 0.28]),
        (Capsule::new(vec2(0.0, 0.0), vec2(0.0, 0.8), 0.4).into(), &[0.1, 0.2, 0.28]),
        (Ellipse::new(0.3, 0.4).into(), &[0.1, 0.2]),
        (Rect::new(0.8, 0.8).into(), &[0.1, 0.2, 0.28]),
    ];
    let options = MoveOptions { snap_to_floor: 0.35, step_height: 0.3, ..options() };
    for (mover, heights) in &movers {
        for (height, speed) in heights.iter().flat_map(|height| [0.02, 0.05, 0.1, 0.2].map(|speed| (*height, speed))) {
            let fence = Segment::new(Vec2::ZERO, vec2(0.0, height)).into();
            for (obstacle, start) in [(fence, -1.5), (Attachment::new(Rect::new(0.1, 2.0 * height)), -1.35)] {
                let mut scene = Scene::new();
                add_at(&mut scene, Transform::IDENTITY, Segment::new(vec2(-9.0, 0.0), vec2(9.0, 0.0)));
                add_at(&mut scene, Transform::IDENTITY, obstacle.clone());
                let hero = add_at(&mut scene, at(start, 0.45), mover.clone());
                for _ in 0..(4.5 / speed) as u32 {
                    scene.move_and_slide(hero, vec2(speed, -0.008), &options).unwrap();
                }
                let position = position(&scene, hero);
                assert!(position.x > 1.0, "{mover:?} before {obstacle:?} at {position}, speed {speed}");
            }
        }
    }
}

#[test]
fn a_slow_hexagon_climbs_a_step_that_meets_its_upright_side() {
    let options = MoveOptions { snap_to_floor: 0.35, step_height: 0.3, ..options() };
    let mut scene = Scene::new();
    let line = [vec2(-5.0, 0.0), Vec2::ZERO, vec2(0.0, 0.28), vec2(5.0, 0.28)];
    add_at(&mut scene, Transform::IDENTITY, Polyline::new(&line).unwrap());
    let hero = add_at(&mut scene, at(-0.7, 0.45), hexagon(0.4));
    for _ in 0..200 {
        scene.move_and_slide(hero, vec2(0.008, -0.008), &options).unwrap();
    }
    assert!(position(&scene, hero).x > 0.5, "{}", position(&scene, hero));
}

#[test]
fn a_one_way_platform_past_whose_end_a_mover_falls_is_no_floor() {
    let mut scene = Scene::new();
    add_at(&mut scene, Transform::IDENTITY, Attachment::new(Rect::new(2.0, 0.2)).one_way(Vec2::Y));
    let hero = add_at(&mut scene, at(1.29, 0.7), Circle::new(0.4));
    for frame in 0..20 {
        let moved = slide(&mut scene, hero, 0.0, -0.1);
        assert!(moved.floor.is_none() && moved.travel.y < -0.099, "frame {frame}: {moved:?}");
    }
}

#[test]
fn a_search_for_a_ledge_reports_only_what_the_mover_then_passes() {
    let options = MoveOptions { snap_to_floor: 0.35, step_height: 0.3, ..options() };
    for (start, displacement, passed) in [(-0.32, vec2(0.0, -0.01), 0), (-0.42, vec2(0.5, -0.01), 1)] {
        let mut scene = Scene::new();
        add_at(&mut scene, Transform::IDENTITY, Segment::new(vec2(-9.0, 0.0), vec2(9.0, 0.0)));
        add_at(&mut scene, Transform::IDENTITY, Segment::new(Vec2::ZERO, vec2(0.0, 0.2)));
        let beyond = add_at(&mut scene, at(0.4, 0.5), Rect::new(0.1, 0.5));
        let above = add_at(&mut scene, at(start, 1.15), Rect::new(0.2, 0.1));
        let hero = add_at(&mut scene, at(start, 0.5), Circle::new(0.4));
        let mut slide = |displacement| {
            let moved = scene.move_and_slide_with(hero, displacement, &options, |_, hit| {
                if [beyond, above].contains(&hit.side.node) { MoveResponse::Pass } else { MoveResponse::Block }
            });
            moved.unwrap()
        };
        for frame in 0..10 {
            assert_eq!(slide(vec2(0.0, -0.02)).passed(), [], "frame {frame}");
        }
        let moved = slide(displacement);
        let nodes: Vec<NodeId> = moved.passed().iter().map(|hit| hit.side.node).collect();
        assert_eq!(nodes, [beyond][..passed], "{moved:?}");
    }
}

#[test]
fn a_mover_whose_floor_is_disabled_or_not_finite_does_not_snap_to_a_lower_one() {
    let changes: [fn(&mut Scene, NodeId); 3] = [
        |scene, plank| scene.attachment_mut(scene.colliders(plank)[0]).unwrap().enabled = false,
        |scene, plank| scene[plank].enabled = false,
        |scene, plank| scene[plank].transform.scale.x = f32::NAN,
    ];
    for change in changes {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -1.2), Rect::new(20.0, 2.0));
        let plank = add_at(&mut scene, at(0.0, -0.05), Rect::new(4.0, 0.1));
        let hero = add_at(&mut scene, at(0.0, 0.52), Circle::new(0.5));
        let options = MoveOptions { snap_to_floor: 0.3, ..options() };
        scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap();
        change(&mut scene, plank);
        scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap();
        assert!((position(&scene, hero).y - 0.51).abs() < 1e-3);
    }
}

#[test]
fn a_mover_that_lands_while_it_leans_on_a_wall_keeps_its_skin_to_the_wall() {
    for (name, mover) in movers() {
        for (phase, lean) in (0..40_u8).flat_map(|phase| [0.02, 0.1, 0.3].map(|lean| (phase, lean))) {
            let mut scene = Scene::new();
            add_at(&mut scene, at(0.0, -0.5), Rect::new(40.0, 1.0));
            let (_, wall) = scene.add_with(Node::new("wall").with_position(vec2(2.0, 5.0)), Rect::new(2.0, 20.0));
            let node = add_at(&mut scene, at(0.3, 2.0 + 0.01 * f32::from(phase)), mover.clone());
            let own = scene.colliders(node)[0];
            let mut landed = None;
            for frame in 0..30 {
                let moved = slide(&mut scene, node, lean, -0.15);
                let gap = scene.world().distance(own, wall).unwrap();
                if moved.floor.is_some() && moved.wall.is_some() {
                    let x = position(&scene, node).x;
                    let context = format!("{name} {phase} {lean}, frame {frame}: {gap}");
                    assert!(gap > 0.0099 && (x - *landed.get_or_insert(x)).abs() < 1e-5, "{context}");
                }
            }
            assert!(landed.is_some());
        }
    }
}

#[test]
fn a_mover_further_above_the_floor_than_a_step_does_not_step_up() {
    for (height, steps_up) in [(0.05, true), (3.0, false)] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -0.5), Rect::new(20.0, 1.0));
        let ledge = add_at(&mut scene, at(3.0, height), Rect::new(4.0, 0.4));
        let node = add_at(&mut scene, at(0.0, height + 0.51), Rect::new(1.0, 1.0));
        let options = MoveOptions { step_height: 0.4, ..options() };
        let moved = scene.move_and_slide(node, vec2(1.5, 0.0), &options).unwrap();
        let expected = if steps_up { vec2(1.5, 0.2) } else { vec2(0.49, 0.0) };
        assert!(moved.travel.abs_diff_eq(expected, 0.02), "{height}: {moved:?}");
        assert_eq!(moved.wall.map(|hit| hit.side.node), Some(ledge).filter(|_| !steps_up), "{height}: {moved:?}");
    }
}
