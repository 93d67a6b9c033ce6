//! Moves with `move_and_slide`, `move_and_collide` and `depenetrate`: seams, slopes, steps, corners, one-way platforms,
//! moving platforms and pushing out.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_6, TAU};

use glam::{Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, ColliderId, CollisionLayers, Compound, Ellipse, MoveOptions,
    MoveResponse, Moved, Node, NodeId, Polygon, Polyline, QueryFilter, Rect, Rounded, Scene, SceneError, Segment,
    Shape, Tiles, Transform,
};
use support::dice::Dice;
use support::{Squircle, SupportOnly, at};

/// The default skin width plus a tenth of it for rounding.
const SKIN_REACH: f32 = 0.011;

fn options() -> MoveOptions {
    MoveOptions::default()
}

fn add_at(scene: &mut Scene, transform: Transform, collider: impl Into<Attachment>) -> NodeId {
    scene.add_with(Node::new("n").with_transform(transform), collider).0
}

fn slide(scene: &mut Scene, node: NodeId, x: f32, y: f32) -> Moved {
    scene.move_and_slide(node, vec2(x, y), &options()).unwrap()
}

fn position(scene: &Scene, node: NodeId) -> Vec2 {
    scene[node].transform.position
}

/// Returns the greatest contact depth of the node's colliders, or 0 if they overlap nothing.
fn depth(scene: &mut Scene, node: NodeId) -> f32 {
    let own: Vec<ColliderId> = scene.colliders(node).to_vec();
    let world = scene.world();
    let depths = own.iter().flat_map(|own| {
        world.overlaps(*own).filter_map(|other| world.contact(*own, other.collider)).map(|contact| contact.depth)
    });
    depths.fold(0.0, f32::max)
}

/// Returns the unit vector at an angle. Unlike `Vec2::from_angle`, it has the same bits on every platform.
fn unit_at(angle: f32) -> Vec2 {
    Transform::IDENTITY.with_rotation(angle).to_affine().matrix2.x_axis
}

fn hexagon(radius: f32) -> Polygon {
    let corners: Vec<Vec2> = (0..6_u8).map(|i| unit_at(f32::from(i) * TAU / 6.0 + FRAC_PI_2) * radius).collect();
    Polygon::convex(&corners).unwrap()
}

/// One mover of each shape. Each reaches 0.5 below its origin.
fn movers() -> [(&'static str, Attachment); 7] {
    [
        ("rect", Rect::new(0.8, 1.0).into()),
        ("capsule", Capsule::new(vec2(0.0, -0.2), vec2(0.0, 0.2), 0.3).into()),
        ("horizontal capsule", Capsule::new(vec2(-0.3, 0.0), vec2(0.3, 0.0), 0.5).into()),
        ("circle", Circle::new(0.5).into()),
        ("polygon", hexagon(0.5).into()),
        ("ellipse", Ellipse::new(0.8, 0.5).into()),
        ("user shape", Squircle(0.5).into()),
    ]
}

/// Functions that build a flat floor with its surface at y = 0 from about x = -20 to x = 60 out of many parts.
fn floors() -> [(&'static str, fn(&mut Scene)); 5] {
    [
        ("rects", |scene| {
            for i in -20..60_i8 {
                add_at(scene, at(f32::from(i), -0.5), Rect::new(1.0, 1.0));
            }
        }),
        ("rects of width 1/3", |scene| {
            for i in -60..180_i16 {
                add_at(scene, at(f32::from(i) / 3.0, -0.35), Rect::new(1.0 / 3.0, 0.7));
            }
        }),
        ("segments", |scene| {
            for i in -20..60_i8 {
                let (from, to) = (vec2(f32::from(i), 0.0), vec2(f32::from(i + 1), 0.0));
                add_at(scene, Transform::IDENTITY, Segment::new(from, to));
            }
        }),
        ("polyline", |scene| {
            let points: Vec<Vec2> = (-20..60_i8).map(|i| vec2(f32::from(i), 0.0)).collect();
            add_at(scene, Transform::IDENTITY, Polyline::new(&points).unwrap());
        }),
        ("tiles", |scene| {
            add_at(scene, at(-20.0, -1.0), Tiles::new(80, 1, vec2(1.0, 1.0), |_, _| true));
        }),
    ]
}

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
fn a_mover_that_presses_against_a_crate_meets_each_piece_once() {
    for angle in [0.0, 0.3, 1.0, -1.9] {
        for (name, mover) in movers() {
            for size in (60..100).map(|size: u8| f32::from(size) * 0.01) {
                let mut scene = Scene::new();
                let root = scene.root();
                scene[root].transform.rotation = angle;
                add_at(&mut scene, at(0.0, -0.5), Rect::new(100.0, 1.0));
                add_at(&mut scene, at(2.0, 0.5 * size), Rect::new(size, size));
                let node = add_at(&mut scene, at(0.0, 0.52), mover.clone());
                let axis = unit_at(angle);
                let options = MoveOptions { up: axis.perp(), ..options() };
                for frame in 0..30 {
                    let moved = scene.move_and_slide(node, axis / 12.0 - axis.perp() / 120.0, &options).unwrap();
                    let mut met: Vec<_> = moved.hits().iter().map(|hit| (hit.side.collider, hit.piece)).collect();
                    met.sort_unstable();
                    met.dedup();
                    assert_eq!(met.len(), moved.hits().len(), "{name} {angle} {size} {frame}: {moved:?}");
                }
            }
        }
    }
}

/// Checks that fractions agree to within a quarter of a skin width on a path of a few units.
fn assert_fractions(found: impl IntoIterator<Item = f32>, expected: &[f32]) {
    let found: Vec<f32> = found.into_iter().collect();
    let agree = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 5e-4);
    assert!(agree && found.len() == expected.len(), "{found:?}, not {expected:?}");
}

#[test]
fn each_hit_has_the_fraction_of_the_displacement_that_was_done_there() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(2.5, 0.0), Rect::new(1.0, 20.0));
    add_at(&mut scene, at(0.0, 3.5), Rect::new(20.0, 1.0));
    let coin = add_at(&mut scene, at(1.49, 2.2), Attachment::new(Circle::new(0.1)).sensor());
    let node = add_at(&mut scene, at(0.0, 0.0), Circle::new(0.5));
    let top_down = MoveOptions::top_down();
    let start = scene.clone();

    // Up to the right wall, along it past the coin, and up to the ceiling.
    let moved = scene.move_and_slide(node, vec2(4.0, 4.0), &top_down).unwrap();
    assert_fractions(moved.hits().iter().map(|hit| hit.fraction), &[1.49 / 4.0, 2.49 / 4.0]);
    assert_fractions(moved.passed().iter().map(|hit| hit.fraction), &[1.6 / 4.0]);

    let mut scene = start.clone();
    let mut asked = Vec::new();
    let moved = scene.move_and_slide_with(node, vec2(4.0, 4.0), &top_down, |_, hit| {
        asked.push(hit.fraction);
        MoveResponse::Block
    });
    moved.unwrap();
    assert_fractions(asked, &[1.49 / 4.0, 2.49 / 4.0]);

    let mut scene = start;
    scene.remove(coin);
    let moved = scene.move_and_collide(node, vec2(4.0, 4.0), &top_down).unwrap();
    assert_fractions(moved.hits().iter().map(|hit| hit.fraction), &[1.49 / 4.0]);
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
fn a_carried_mover_that_is_pushed_out_reports_both_parts_of_its_travel() {
    let mut scene = Scene::new();
    let lift = add_at(&mut scene, at(0.0, -0.5), Rect::new(8.0, 1.0));
    let block = add_at(&mut scene, at(3.0, 0.5), Rect::new(1.0, 1.0));
    let node = add_at(&mut scene, at(0.0, 0.51), Rect::new(1.0, 1.0));
    slide(&mut scene, node, 0.0, -0.1);
    // The lift carries it to the left, but not all the way out of the block.
    scene[lift].transform.position.x -= 0.25;
    scene[block].transform.position.x = 0.6;
    let moved = slide(&mut scene, node, 0.0, 0.0);
    assert!(moved.carried.abs_diff_eq(vec2(-0.25, 0.0), 1e-6), "{moved:?}");
    assert!(moved.pushed.abs_diff_eq(vec2(-0.16, 0.0), 1e-6), "{moved:?}");
    assert!(moved.travel.abs_diff_eq(vec2(-0.41, 0.0), 1e-6), "{moved:?}");
}

#[test]
fn a_slide_while_carried_takes_nothing_of_the_displacement() {
    let mut scene = Scene::new();
    let lift = add_at(&mut scene, at(0.0, -0.5), Rect::new(4.0, 1.0));
    add_at(&mut scene, at(1.5, 5.0), Rect::new(1.0, 20.0));
    add_at(&mut scene, at(-4.5, 5.0), Rect::new(1.0, 20.0));
    let node = add_at(&mut scene, at(0.0, 0.51), Rect::new(1.0, 1.0));
    slide(&mut scene, node, 0.0, -0.1);
    // The lift carries it up along the right wall, then it walks to the left wall.
    scene[lift].transform.position += vec2(2.0, 1.0);
    let moved = slide(&mut scene, node, -8.0, 0.0);
    assert!(moved.carried.abs_diff_eq(vec2(0.49, 1.0), 1e-4), "{moved:?}");
    assert_fractions(moved.hits().iter().map(|hit| hit.fraction), &[0.0, (4.0 - 0.01 - 0.5 + 0.49) / 8.0]);
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
fn a_top_down_mover_reports_every_surface_as_a_wall_and_slides_along_it() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    let node = add_at(&mut scene, at(0.0, 1.0), Circle::new(0.5));
    let options = MoveOptions::top_down();
    let moved = scene.move_and_slide(node, vec2(3.0, -2.0), &options).unwrap();
    assert!(moved.floor.is_none() && moved.ceiling.is_none());
    assert!(moved.wall.unwrap().normal.abs_diff_eq(Vec2::Y, 1e-6));
    assert!((moved.travel.x - 3.0).abs() < 1e-4);
}

#[test]
fn a_mover_stops_in_a_corner_and_moves_away_from_it_freely() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        for (x, y) in [(0.0, -3.0), (0.0, 3.0), (-3.0, 0.0), (3.0, 0.0)] {
            add_at(&mut scene, at(x, y), Rect::new(2.0 + f32::abs(y), 2.0 + f32::abs(x)));
        }
        let node = add_at(&mut scene, Transform::IDENTITY, mover.clone());
        let own = scene.colliders(node)[0];
        let reach = vec2(scene.world().bounds(own).unwrap().max.x, 0.5);
        for (x, y) in [(9.0, -7.0), (-9.0, -7.0), (-9.0, 9.0), (0.3, 9.0), (9.0, 0.0), (9.0, -9.0)] {
            let moved = slide(&mut scene, node, x, y);
            let end = position(&scene, node);
            let (dx, dy) = (2.0 - reach.x - end.x.abs(), 2.0 - reach.y - end.y.abs());
            assert!(x.abs() < 1.0 || (-1e-4..0.02).contains(&dx), "{name} {x} {y}: {end}");
            assert!(y == 0.0 || (-1e-4..0.02).contains(&dy), "{name} {x} {y}: {end}");
            assert!(depth(&mut scene, node) < 1e-4);
            assert!(moved.travel.abs_diff_eq(vec2(x, y) - moved.remainder, 0.02), "{name}: {moved:?}");
        }
    }
}

/// Adds one node with a segment per pair of points.
fn add_segments(scene: &mut Scene, lines: &[[Vec2; 2]]) -> Vec<NodeId> {
    lines.iter().map(|[a, b]| add_at(scene, Transform::IDENTITY, Segment::new(*a, *b))).collect()
}

#[test]
fn a_surface_the_mover_has_left_does_not_clip_its_later_slide() {
    // The mover slides up a steep slope, past its upper end, and then along a ceiling over it.
    for size in [1.0, 0.1] {
        let mut scene = Scene::new();
        let lines = [[vec2(1.0, 0.0), vec2(1.5, 2.0)], [vec2(0.0, 4.0), vec2(9.0, 3.6)]];
        let nodes = add_segments(&mut scene, &lines.map(|line| line.map(|end| end * size)));
        let node = add_at(&mut scene, at(-0.5 * size, 0.5 * size), Circle::new(0.5 * size));
        let options = MoveOptions { skin_width: 0.01 * size, ..MoveOptions::top_down() };
        let moved = scene.move_and_slide(node, vec2(16.0, 2.0) * size, &options).unwrap();
        assert_eq!(moved.hits().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), nodes);
        assert!(position(&scene, node).x > 4.0 * size, "{size}: {moved:?}");
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
fn a_mover_passes_a_gap_narrower_than_its_skin_allows() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(5.0, 1.504), Rect::new(4.0, 2.0));
    add_at(&mut scene, at(5.0, -1.504), Rect::new(4.0, 2.0));
    let node = add_at(&mut scene, at(5.0, 0.0), Rect::new(0.5, 1.0));
    for _ in 0..20 {
        slide(&mut scene, node, 0.2, 0.0);
        assert_eq!(depth(&mut scene, node), 0.0);
    }
    assert!((position(&scene, node).x - 9.0).abs() < 1e-3, "{}", position(&scene, node));
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
fn a_slow_mover_climbs_a_step() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
        add_at(&mut scene, at(13.0, -0.76), Rect::new(20.0, 2.0));
        let node = add_at(&mut scene, at(2.4, 0.52), mover);
        let options = MoveOptions { step_height: 0.3, ..options() };
        for _ in 0..150 {
            scene.move_and_slide(node, vec2(0.01, -0.01), &options).unwrap();
        }
        let end = position(&scene, node);
        assert!(end.x > 3.5 && (end.y - 0.74).abs() < 2.0 * SKIN_REACH, "{name}: {end}");
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
fn a_one_way_platform_works_under_any_rotation_scale_and_mirroring() {
    let transform = |rotation: f32, scale: Vec2| Transform { rotation, scale, ..Transform::IDENTITY };
    for (parent_transform, up) in [
        (transform(0.0, Vec2::ONE), Vec2::Y),
        (transform(0.7, vec2(2.0, 1.0)), Vec2::from_angle(0.7 + FRAC_PI_2)),
        (transform(-2.0, vec2(-1.0, 3.0)), Vec2::from_angle(FRAC_PI_2 - 2.0)),
        (transform(1.0, vec2(1.0, -1.0)), Vec2::from_angle(1.0 - FRAC_PI_2)),
        (Transform { skew: 0.5, ..Transform::IDENTITY }, Vec2::Y),
    ] {
        for (name, mover) in movers() {
            let mut scene = Scene::new();
            let parent = scene.add(Node::new("parent").with_transform(parent_transform));
            let platform = scene.add_child(parent, Node::new("platform")).unwrap();
            scene.attach(platform, Attachment::new(Rect::new(10.0, 0.1)).one_way(Vec2::Y)).unwrap();
            let node = add_at(&mut scene, Transform::from_position(-up * 3.0), mover.clone());
            let options = MoveOptions { up, ..options() };
            let mut move_by = |displacement: Vec2| scene.move_and_slide(node, displacement, &options).unwrap();
            for rise in 0..36 {
                let moved = move_by(up * 0.17);
                let passes = (moved.travel - up * 0.17).length() < 1e-4 && moved.hits().is_empty();
                assert!(passes, "{name} {up} {rise}: the platform blocks from below");
            }
            let mut height = 3.12;
            for _ in 0..30 {
                let moved = move_by(up * -0.17);
                height += moved.travel.dot(up);
            }
            assert!((0.2..1.1).contains(&height), "{name} {up}: rests at {height}");
            assert!(move_by(up * -0.17).floor.is_some(), "{name} {up}");
            // A mover that begins inside the platform falls through.
            drop(move_by(Vec2::ZERO));
            scene[node].transform.position -= up * height;
            let mut move_by = |displacement: Vec2| scene.move_and_slide(node, displacement, &options).unwrap();
            let fallen: f32 = (0..20).map(|_| move_by(up * -0.17).travel.dot(up)).sum();
            assert!((fallen + 3.4).abs() < 1e-3, "{name} {up}: {fallen}");
        }
    }
}

#[test]
fn a_mover_inside_a_one_way_collider_leaves_freely_and_then_lands_on_it() {
    let mut scene = Scene::new();
    add_at(&mut scene, Transform::IDENTITY, Attachment::new(Rect::new(10.0, 2.0)).one_way(Vec2::Y));
    let node = add_at(&mut scene, at(0.0, 0.0), Rect::new(1.0, 1.0));
    assert_eq!(scene.depenetrate(node, &QueryFilter::default()), Ok(Vec2::ZERO));
    for displacement in [vec2(0.5, 0.0), vec2(-0.5, 0.0), vec2(0.0, -0.5), vec2(0.0, 2.2)] {
        let travel = slide(&mut scene, node, displacement.x, displacement.y).travel;
        assert!(travel.abs_diff_eq(displacement, 1e-4), "{displacement}");
    }
    assert!(slide(&mut scene, node, 0.0, -3.0).floor.is_some());
}

#[test]
fn a_one_way_door_blocks_only_against_its_direction() {
    for (from, end) in [(-1.0, 1.0), (1.0, 0.36)] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, 0.0), Attachment::new(Rect::new(0.2, 4.0)).one_way(Vec2::X));
        let node = add_at(&mut scene, at(from, 0.0), Rect::new(0.5, 0.5));
        slide(&mut scene, node, -2.0 * from, 0.0);
        assert!((position(&scene, node).x - end).abs() < 1e-3, "{}", position(&scene, node));
    }
}

#[test]
fn a_one_way_platform_holds_a_mover_that_has_no_room_for_its_skin() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(0.0, 1.5), Rect::new(10.0, 1.0));
    add_at(&mut scene, at(0.0, -0.5), Attachment::new(Rect::new(10.0, 1.0)).one_way(Vec2::Y));
    let node = add_at(&mut scene, at(0.0, 0.5), Rect::new(1.0, 1.0));
    slide(&mut scene, node, 0.0, -1.0);
    assert_eq!(position(&scene, node), vec2(0.0, 0.5));
}

#[test]
fn the_side_of_a_one_way_platform_does_not_stop_a_mover() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(0.0, 0.0), Attachment::new(Rect::new(4.0, 1.0)).one_way(Vec2::Y));
    let node = add_at(&mut scene, at(3.0, 0.3), Rect::new(0.5, 0.5));
    let moved = slide(&mut scene, node, -2.0, -0.2);
    assert!(moved.hits().is_empty() && moved.travel.abs_diff_eq(vec2(-2.0, -0.2), 1e-5), "{moved:?}");
}

#[test]
fn a_mover_regains_its_full_skin_above_a_one_way_platform() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(0.0, -0.5), Attachment::new(Rect::new(10.0, 1.0)).one_way(Vec2::Y));
    let node = add_at(&mut scene, at(0.0, 0.502), Rect::new(1.0, 1.0));
    slide(&mut scene, node, 0.0, 0.0);
    assert!((position(&scene, node).y - 0.51).abs() < 1e-4, "{}", position(&scene, node));
}

#[test]
fn a_mover_inside_a_corner_of_a_moved_platform_is_pushed_out_of_both_colliders() {
    let mut scene = Scene::new();
    let floor = [vec2(-5.0, -1.0), vec2(5.0, -1.0), vec2(5.0, 0.0), vec2(-5.0, 0.0)];
    let wall = [vec2(-6.0, -1.0), vec2(-5.0, -1.0), vec2(-5.0, 10.0), vec2(-6.0, 10.0)];
    let platform = add_at(&mut scene, at(0.0, 0.0), Polygon::convex(&floor).unwrap());
    scene.attach(platform, Polygon::convex(&wall).unwrap()).unwrap();
    let node = add_at(&mut scene, at(-4.4, 0.51), Rect::new(1.0, 1.0));
    let options = MoveOptions { ride_platforms: false, ..options() };
    scene.move_and_slide(node, vec2(-1.0, -1.0), &options).unwrap();
    scene[platform].transform.position = vec2(0.15, 0.1);
    let moved = scene.move_and_slide(node, Vec2::ZERO, &options).unwrap();
    assert!(!moved.stuck && position(&scene, node).abs_diff_eq(vec2(-4.34, 0.61), 2e-3), "{moved:?}");
    assert_eq!(moved.hits().iter().map(|hit| hit.began_inside).collect::<Vec<_>>(), [true, true]);
}

#[test]
fn a_platform_carries_a_mover_that_stands_on_it() {
    let mut scene = Scene::new();
    let platform = add_at(&mut scene, at(0.0, -0.5), Rect::new(10.0, 1.0));
    let wall = add_at(&mut scene, at(6.0, 3.0), Rect::new(1.0, 5.0));
    let node = add_at(&mut scene, at(1.0, 0.52), Rect::new(1.0, 1.0));
    let no_riding = MoveOptions { ride_platforms: false, ..options() };
    slide(&mut scene, node, 0.0, -0.1);
    let offset = position(&scene, node) - position(&scene, platform);
    for step in [vec2(0.3, 0.0), vec2(-0.4, 0.2), vec2(0.1, -0.7), vec2(0.0, 2.0), vec2(0.0, -2.0)] {
        scene[platform].transform.position += step;
        let moved = slide(&mut scene, node, 0.0, -0.05);
        assert!(moved.travel.abs_diff_eq(step, 2e-2), "{step}: {moved:?}");
        assert!((position(&scene, node) - position(&scene, platform)).abs_diff_eq(offset, 2e-2));
        assert_eq!(moved.floor.unwrap().side.node, platform);
    }
    // The platform does not carry the mover through a wall.
    scene[platform].transform.position.x += 9.0;
    let moved = slide(&mut scene, node, 0.0, 0.0);
    assert!(position(&scene, node).x < 5.0 && depth(&mut scene, node) == 0.0, "{moved:?}");
    assert!(scene.remove(wall));
    // With `ride_platforms` off, the platform does not carry the mover.
    scene[platform].transform.position = vec2(4.0, -0.5);
    scene[node].transform.position = vec2(4.0, 0.51);
    scene.move_and_slide(node, vec2(0.0, -0.1), &no_riding).unwrap();
    scene[platform].transform.position.x += 1.0;
    assert!(scene.move_and_slide(node, Vec2::ZERO, &no_riding).unwrap().travel.x == 0.0);
    // A rotating platform carries the mover along an arc.
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
    // A removed platform does not carry the mover.
    slide(&mut scene, node, 0.0, -0.1);
    assert!(scene.remove(platform));
    assert!(slide(&mut scene, node, 0.0, 0.0).travel == Vec2::ZERO);
}

#[test]
fn a_mover_that_begins_inside_a_solid_is_pushed_out_before_it_moves() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -5.0), Rect::new(100.0, 10.0));
        add_at(&mut scene, at(0.0, 3.0), Rect::new(100.0, 0.1));
        let node = add_at(&mut scene, at(0.0, 0.1), mover.clone());
        let moved = slide(&mut scene, node, 0.5, 0.0);
        let end = position(&scene, node);
        assert!((0.5 - 1e-4..0.5 + SKIN_REACH).contains(&end.y) && (end.x - 0.5).abs() < 1e-3, "{name}: {end}");
        assert!(moved.floor.is_some() && !moved.stuck);
        assert!(moved.remainder.length() < 1e-3, "{name}: {moved:?}");
    }
}

#[test]
fn the_deepest_collider_bounds_the_length_of_a_push_out() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(-0.09, 0.2), Rect::new(0.1, 0.1));
    add_at(&mut scene, at(0.0, 0.0), Rect::new(2.0, 2.0));
    let node = add_at(&mut scene, at(0.0, 0.2), Circle::new(0.05));
    let push = scene.depenetrate(node, &QueryFilter::default()).unwrap();
    assert!(push.abs_diff_eq(vec2(0.0, 0.85), 1e-3), "{push}");
}

#[test]
fn a_push_out_takes_another_edge_if_a_solid_blocks_the_nearest_one() {
    let mut scene = Scene::new();
    let corners = [Vec2::ZERO, vec2(4.0, 0.0), vec2(2.0, 2.0 * 3.0_f32.sqrt())];
    add_at(&mut scene, at(0.0, 0.0), Polygon::convex(&corners).unwrap());
    add_at(&mut scene, at(0.0, -5.85), Rect::new(100.0, 10.0));
    let node = add_at(&mut scene, at(2.1, 0.2), Circle::new(1.0));
    let push = scene.depenetrate(node, &QueryFilter::default()).unwrap();
    // The right edge of the triangle rises at 60 degrees.
    let normal = Vec2::from_angle(FRAC_PI_6);
    let depth = 1.0 + (vec2(4.0, 0.0) - vec2(2.1, 0.2)).dot(normal);
    assert!(push.abs_diff_eq(normal * depth, 1e-3), "{push}, expected {}", normal * depth);
}

#[test]
fn five_movers_at_about_one_place_separate() {
    for (name, mover) in movers() {
        let mut scene = Scene::new();
        let mut add = |number: u8| add_at(&mut scene, at(0.03 * f32::from(number), 0.02), mover.clone());
        let nodes = [0, 1, 2, 3, 4].map(&mut add);
        for _ in 0..2 {
            for node in nodes {
                slide(&mut scene, node, 0.0, 0.0);
            }
        }
        scene.update();
        assert!(scene.touching().is_empty(), "{name}: {} pairs", scene.touching().len());
    }
}

#[test]
fn a_mover_inside_many_solids_leaves_them_in_one_direction() {
    for (columns, rows) in [(3, 3), (12, 4)] {
        let mut scene = Scene::new();
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            add_at(&mut scene, at(column as f32, -0.5 - row as f32), Rect::new(1.0, 1.0));
        }
        let node = add_at(&mut scene, at(1.3, -1.2), Rect::new(2.5, 2.0));
        let push = scene.depenetrate(node, &QueryFilter::default()).unwrap();
        assert!(push.abs_diff_eq(vec2(0.0, 2.2), 1e-3), "{columns} by {rows}: {push}");
    }
}

#[test]
fn a_mover_without_a_path_out_is_stuck_and_does_not_move() {
    let mut scene = Scene::new();
    for x in [-1.4, 1.4] {
        add_at(&mut scene, at(x, 0.0), Rect::new(2.0, 50.0));
    }
    let node = add_at(&mut scene, at(0.0, 3.0), Rect::new(1.0, 1.0));
    assert_eq!(scene.depenetrate(node, &QueryFilter::default()), Err(SceneError::NoWayOut(node)));
    let moved = slide(&mut scene, node, 0.0, 5.0);
    assert!(moved.stuck && moved.travel == Vec2::ZERO && moved.remainder == vec2(0.0, 5.0));
    assert_eq!(position(&scene, node), vec2(0.0, 3.0));
    scene[node].transform.scale.x = 0.7;
    assert!((slide(&mut scene, node, 0.0, 5.0).travel.y - 5.0).abs() < 1e-3, "a narrower mover fits between the walls");
}

#[test]
fn a_push_out_ends_outside_every_solid() {
    let anything = QueryFilter::default();
    for (name, mover) in movers() {
        // The mover begins in an acute corner.
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, 0.0), Segment::new(Vec2::ZERO, vec2(4.0, 9.0)));
        add_at(&mut scene, at(0.0, 0.0), Segment::new(Vec2::ZERO, vec2(-4.0, 9.0)));
        let node = add_at(&mut scene, at(0.1, 1.2), mover.clone());
        scene.depenetrate(node, &anything).unwrap();
        assert!(depth(&mut scene, node) < 1e-4, "{name} in an acute corner");
        assert!(position(&scene, node).y > 0.5, "{name}: the push out leads below the corner");

        // The mover begins deep inside a row of rectangles.
        let mut scene = Scene::new();
        floors()[0].1(&mut scene);
        for x in [0.0_f32, 0.25, 0.5] {
            let node = add_at(&mut scene, at(x, 0.2), Attachment::new(hexagon(0.5)).with_layers(CollisionLayers::ALL));
            let push = scene.depenetrate(node, &anything).unwrap();
            assert!(push.abs_diff_eq(vec2(0.0, 0.3), 1e-4), "{name} {x}: {push} is not straight up");
            scene.remove(node);
        }
    }
    // Concentric circles have a path out as long as the sum of their radii.
    let mut scene = Scene::new();
    add_at(&mut scene, Transform::IDENTITY, Circle::new(2.0));
    let node = add_at(&mut scene, Transform::IDENTITY, Circle::new(1.0));
    let push = scene.depenetrate(node, &anything).unwrap();
    assert!((push.length() - 3.0).abs() < 1e-4);
    assert!(depth(&mut scene, node) < 1e-4);
    assert_eq!(scene.depenetrate(node, &anything), Ok(Vec2::ZERO), "a mover outside all solids is not pushed");
}

#[test]
fn a_push_out_never_passes_through_a_wall() {
    let mut scene = Scene::new();
    // A thin wall is behind the block. The shortest path out of the block ends beyond that wall.
    add_at(&mut scene, at(0.0, 0.0), Rect::new(1.0, 8.0));
    add_at(&mut scene, at(0.6, 0.0), Rect::new(0.02, 8.0));
    let node = add_at(&mut scene, at(0.05, 0.0), Circle::new(0.05));
    let push = scene.depenetrate(node, &QueryFilter::default()).unwrap();
    assert!(push.x < 0.0 || push.x < 0.55, "{push}");
    assert!(depth(&mut scene, node) < 1e-4);
}

#[test]
fn move_and_collide_stops_at_the_first_hit() {
    let mut scene = Scene::new();
    let floor = add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
    let node = add_at(&mut scene, at(0.0, 2.5), Circle::new(0.5));
    let moved = scene.move_and_collide(node, vec2(4.0, -4.0), &options()).unwrap();
    assert!(moved.travel.abs_diff_eq(vec2(2.0, -2.0), SKIN_REACH), "{moved:?}");
    assert!((moved.travel + moved.remainder).abs_diff_eq(vec2(4.0, -4.0), 1e-5));
    assert_eq!(moved.hits().len(), 1);
    let hit = moved.floor.unwrap();
    assert!(hit.side.node == floor && hit.normal == Vec2::Y && hit.point.abs_diff_eq(vec2(2.0, 0.0), 0.02));
    assert!(moved.wall.is_none() && moved.ceiling.is_none());
    let bounce = moved.remainder - 2.0 * moved.remainder.dot(hit.normal) * hit.normal;
    assert!(scene.move_and_collide(node, bounce, &options()).unwrap().hits().is_empty());
}

#[test]
fn a_move_that_ends_more_than_the_skin_before_a_wall_reports_no_hit() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(2.5, 0.0), Rect::new(1.0, 9.0));
    let node = add_at(&mut scene, at(0.0, 0.0), Rect::new(1.0, 1.0));
    for (x, hits) in [(1.475, 0), (1.495, 1)] {
        let methods: [fn(&mut Scene, NodeId, Vec2, &MoveOptions) -> Result<Moved, SceneError>; 2] =
            [Scene::move_and_slide, Scene::move_and_collide];
        for method in methods {
            scene[node].transform.position = Vec2::ZERO;
            let moved = method(&mut scene, node, vec2(x, 0.0), &options()).unwrap();
            assert_eq!((moved.hits().len(), moved.wall.is_some()), (hits, hits == 1), "{x}: {moved:?}");
        }
    }
}

#[test]
fn sensors_and_disabled_filtered_or_own_colliders_do_not_block_a_mover() {
    let mut scene = Scene::new();
    let node = add_at(
        &mut scene,
        Transform::IDENTITY,
        Attachment::new(Circle::new(0.5)).with_layers(CollisionLayers::new(1, 2)),
    );
    let sword = scene.add_child(node, Node::new("sword").with_position(vec2(2.0, 0.0))).unwrap();
    scene.attach(sword, Rect::new(1.0, 5.0)).unwrap();
    add_at(&mut scene, at(4.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).sensor());
    add_at(&mut scene, at(6.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).with_enabled(false));
    add_at(&mut scene, at(8.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).with_layers(CollisionLayers::new(4, 1)));
    let door =
        add_at(&mut scene, at(12.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).with_layers(CollisionLayers::new(2, 1)));
    add_at(&mut scene, at(16.0, 0.0), Attachment::new(Rect::new(1.0, 9.0)).with_layers(CollisionLayers::new(2, 1)));
    let moved = slide(&mut scene, node, 100.0, 0.0);
    assert_eq!(moved.wall.unwrap().side.node, door);
    let filter = QueryFilter::default().exclude_subtree(door);
    let moved = scene.move_and_slide(node, vec2(100.0, 0.0), &MoveOptions { filter, ..options() }).unwrap();
    assert!((position(&scene, node).x - 15.0).abs() < SKIN_REACH, "{moved:?}");
    let empty = scene.add(Node::new("no colliders"));
    assert_eq!(slide(&mut scene, empty, 50.0, 1.0).travel, vec2(50.0, 1.0));
    assert_eq!(position(&scene, empty), vec2(50.0, 1.0));
}

#[test]
fn each_collider_of_a_mover_stops_it() {
    let mut scene = Scene::new();
    add_at(&mut scene, at(10.0, 3.0), Rect::new(1.0, 1.0));
    add_at(&mut scene, at(0.0, -5.0), Rect::new(50.0, 1.0));
    let node = add_at(&mut scene, Transform::IDENTITY, Circle::new(0.5));
    scene.attach(node, Rect::new(1.0, 1.0).at(vec2(2.0, 3.0))).unwrap();
    scene.attach(node, Attachment::new(Rect::new(30.0, 30.0)).sensor()).unwrap();
    let moved = slide(&mut scene, node, 100.0, 0.0);
    assert!((position(&scene, node).x - 7.0).abs() < SKIN_REACH, "{moved:?}");
    slide(&mut scene, node, 0.0, -50.0);
    assert!((position(&scene, node).y + 4.0).abs() < SKIN_REACH);
}

#[test]
fn a_mover_far_from_the_origin_slides_through_a_slot_that_rounding_made_too_narrow() {
    for far in [1e3_f32, 1e5, 1e6] {
        for step in 0..8_i8 {
            let at = vec2(far, -far) + f32::from(step) * far * f32::EPSILON;
            let mut scene = Scene::new();
            // The walls would touch the mover, but their positions are rounded.
            for side in [-1.0, 1.0] {
                let position = at + vec2(0.0, side * (0.15 + 1.0));
                scene.add_with(Node::new("wall").with_position(position), Rect::new(40.0, 2.0));
            }
            let (mover, _) = scene.add_with(Node::new("mover").with_position(at), Rect::new(0.3, 0.3));
            for _ in 0..20 {
                let moved = scene.move_and_slide(mover, vec2(0.5, 0.0), &MoveOptions::top_down()).unwrap();
                assert!(!moved.stuck && (moved.travel.x - 0.5).abs() <= far * f32::EPSILON, "{far} {step}: {moved:?}");
            }
        }
    }
}

#[test]
fn invalid_nodes_return_errors_and_non_finite_input_moves_nothing() {
    let mut scene = Scene::new();
    let flat = scene.add(Node::new("flat").with_scale(vec2(1.0, 0.0)));
    let child = scene.add_child(flat, Node::new("child")).unwrap();
    let non_finite = add_at(&mut scene, Transform { rotation: f32::NAN, ..Transform::IDENTITY }, Circle::new(1.0));
    let removed = scene.add(Node::new("removed"));
    scene.remove(removed);
    let filter = QueryFilter::default();
    for (node, error) in [
        (child, SceneError::NotInvertible(flat)),
        (non_finite, SceneError::NotInvertible(non_finite)),
        (removed, SceneError::NodeNotFound(removed)),
    ] {
        assert_eq!(scene.move_and_slide(node, Vec2::X, &options()), Err(error));
        assert_eq!(scene.move_and_collide(node, Vec2::X, &options()), Err(error));
        assert_eq!(scene.depenetrate(node, &filter), Err(error));
    }
    let circle = add_at(&mut scene, at(5.0, 5.0), Circle::new(1.0));
    for displacement in [Vec2::ZERO, Vec2::NAN, vec2(f32::INFINITY, 0.0)] {
        assert_eq!(slide(&mut scene, circle, displacement.x, displacement.y).travel, Vec2::ZERO);
    }
    assert_eq!(position(&scene, circle), vec2(5.0, 5.0));
    let non_finite = MoveOptions {
        up: Vec2::NAN,
        max_slope: f32::NAN,
        snap_to_floor: f32::NAN,
        step_height: f32::NAN,
        skin_width: f32::NAN,
        ..options()
    };
    assert!(
        scene.move_and_slide(circle, vec2(3.0, 0.0), &non_finite).unwrap().travel.abs_diff_eq(vec2(3.0, 0.0), 1e-4)
    );
}

#[test]
fn a_displacement_is_in_world_space_under_any_parent() {
    for transform in [
        Transform { position: vec2(3.0, -7.0), rotation: 0.8, scale: vec2(2.0, 0.5), skew: 0.4 },
        Transform { position: vec2(3.0, -7.0), rotation: -2.0, scale: vec2(-2.0, 3.0), skew: 0.0 },
        Transform { position: vec2(0.0, 0.0), rotation: 0.0, scale: vec2(100.0, 1e-3), skew: -1.0 },
    ] {
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("parent").with_transform(transform));
        let local = transform.to_affine().inverse();
        let start = vec2(0.0, 2.0);
        let mover =
            Node::new("mover").with_transform(Transform::from_affine(local * glam::Affine2::from_translation(start)));
        let node = scene.add_child(parent, mover).unwrap();
        scene.attach(node, Circle::new(0.5)).unwrap();
        add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
        let moved = slide(&mut scene, node, 4.0, -3.0);
        let world = scene.world().position(node).unwrap();
        assert!(world.abs_diff_eq(vec2(4.0, 0.5), 0.02), "{transform:?}: {world}");
        assert!((world - start).abs_diff_eq(moved.travel, 1e-3));
    }
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

/// Builds a closed course that contains every kind of shape, a one-way platform, a sensor, slopes and hills.
fn build_course(scene: &mut Scene) {
    let walls: [(f32, f32, f32, f32); 4] =
        [(0.0, -11.0, 44.0, 2.0), (0.0, 11.0, 44.0, 2.0), (-21.0, 0.0, 2.0, 24.0), (21.0, 0.0, 2.0, 24.0)];
    for (x, y, width, height) in walls {
        add_at(scene, at(x, y), Rect::new(width, height));
    }
    for i in 0..12_u8 {
        add_at(scene, at(-18.0 + f32::from(i), -9.5), Rect::new(1.0, 1.0));
    }
    add_at(scene, at(-3.0, -7.0).with_rotation(0.5), Rect::new(4.0, 0.2));
    add_at(scene, at(3.0, -7.0).with_rotation(-0.9), Rect::new(4.0, 0.2));
    add_at(scene, at(0.0, 0.0), Circle::new(1.5));
    add_at(scene, at(6.0, 2.0), Ellipse::new(2.0, 0.7));
    add_at(scene, at(-8.0, 3.0), Capsule::new(vec2(-1.0, -1.0), vec2(2.0, 1.0), 0.4));
    add_at(scene, at(-14.0, 0.0), hexagon(2.0));
    // A user shape without a cube root, which differs by platform.
    add_at(scene, at(12.0, -4.0), SupportOnly(Ellipse::new(1.5, 1.2).into()));
    add_at(scene, at(8.0, 7.0), Attachment::new(Rect::new(6.0, 0.2)).one_way(Vec2::Y));
    add_at(scene, at(-6.0, 7.0), Attachment::new(Rect::new(3.0, 3.0)).sensor());
    let hills: Vec<Vec2> =
        (0..30_u8).map(|i| vec2(5.0 + f32::from(i) * 0.5, -9.2 + 0.5 * unit_at(f32::from(i)).y)).collect();
    add_at(scene, Transform::IDENTITY, Polyline::new(&hills).unwrap());
    add_at(scene, at(14.0, 4.0), Tiles::new(5, 4, vec2(0.75, 0.75), |column, row| (column + row) % 3 != 0));
    add_at(scene, at(-15.0, 7.0).with_scale(vec2(1.0, -0.5)), Rect::new(3.0, 3.0));
}

/// Moves four movers at random through the course. No move may get stuck or travel too far. Every `check_every`
/// moves, the mover must be inside the course and outside all solids. Returns a hash of all travels and hit counts.
fn random_walk_hash(seed: u64, steps: u32, check_every: u32) -> u64 {
    let mut scene = Scene::new();
    build_course(&mut scene);
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
    let mut hit_counts = [0; 3];
    for step in 0..steps {
        let index = step as usize % 4;
        let node = movers[index];
        if random.unit() < 0.05 {
            let max_speed = if random.unit() < 0.1 { 30.0 } else { 0.6 };
            velocity[index] = unit_at(random.unit() * TAU) * random.unit() * max_speed;
        }
        let options = MoveOptions {
            snap_to_floor: if step % 3 == 0 { 0.2 } else { 0.0 },
            step_height: if step % 5 == 0 { 0.3 } else { 0.0 },
            stand_on_slopes: step % 7 < 4,
            ..options()
        };
        let displacement = velocity[index] - vec2(0.0, 0.05);
        let moved = scene.move_and_slide(node, displacement, &options).unwrap();
        assert!(!moved.stuck, "step {step}: {displacement} {:?}", scene.world().position(node));
        let longest = displacement.length() * 1.001 + 0.6;
        assert!(moved.travel.length() <= longest, "step {step}: {displacement} {moved:?}");
        for (count, hit) in hit_counts.iter_mut().zip([&moved.floor, &moved.wall, &moved.ceiling]) {
            *count += u32::from(hit.is_some());
        }
        for bits in [moved.travel.x.to_bits(), moved.travel.y.to_bits(), moved.hits().len() as u32] {
            hash = (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3);
        }
        if step % check_every == 0 {
            let depth = solid_depth(&mut scene, node);
            assert!(depth < 1e-4, "step {step}: depth {depth} after {displacement} {moved:?}");
            let end = scene.world().position(node).unwrap();
            assert!(end.x.abs() < 20.0 && end.y.abs() < 10.0, "step {step}: outside the course at {end}");
        }
    }
    assert!(hit_counts.into_iter().all(|count| count > steps / 50), "the movers hit too little: {hit_counts:?}");
    hash
}

/// Returns the greatest contact depth with colliders that are neither sensors nor one-way.
fn solid_depth(scene: &mut Scene, node: NodeId) -> f32 {
    let own = scene.colliders(node)[0];
    let world = scene.world();
    let solid = world.overlaps(own).filter(|other| {
        let attachment = world.scene().attachment(other.collider).unwrap();
        !attachment.sensor && attachment.one_way.is_none()
    });
    solid.filter_map(|other| world.contact(own, other.collider)).map(|contact| contact.depth).fold(0.0, f32::max)
}

#[test]
fn a_mover_that_passes_a_joint_reports_both_of_its_sides_even_if_it_leaves_one() {
    let mut scene = Scene::new();
    let sides = Polyline::new(&[vec2(-2.0, 0.0), Vec2::ZERO, vec2(1.0, 2.0)]).unwrap();
    let hook = add_at(&mut scene, Transform::IDENTITY, Attachment::new(sides).one_way(Vec2::Y));
    // The mover begins inside the steep side and above the level one.
    let mover = add_at(&mut scene, at(-0.2, 0.6), Circle::new(0.5));
    scene.move_and_slide(mover, Vec2::ZERO, &options()).unwrap();
    scene[hook].transform.position.y = 0.2;
    let moved = scene.move_and_slide(mover, vec2(-0.5, 0.3), &options()).unwrap();
    let mut inside: Vec<_> = moved.passed().iter().map(|hit| (hit.piece, hit.began_inside)).collect();
    inside.sort_unstable();
    assert_eq!(inside, [(0, true), (1, true)], "{moved:?}");
}

#[test]
fn random_movers_never_end_inside_a_solid_and_never_leave_a_closed_course() {
    let (seeds, steps) = if cfg!(debug_assertions) { (1, 20_000) } else { (4, 100_000) };
    for seed in 0..seeds {
        random_walk_hash(seed, steps, 1);
    }
}

#[test]
fn a_long_random_walk_matches_its_golden_hash() {
    assert_eq!(random_walk_hash(9, 8_000, 64), 11_676_848_637_855_599_089, "golden hash");
}

#[test]
fn a_surface_at_skin_distance_fires_no_event_and_one_touched_after_a_push_out_does() {
    let mut scene = Scene::new();
    let (floor, _) = scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.0)), Rect::new(20.0, 2.0));
    let (node, collider) = scene.add_with(Node::new("n").with_position(vec2(0.0, 1.0)), Circle::new(0.5));
    let moved = scene.move_and_slide(node, vec2(1.0, -2.0), &options()).unwrap();
    assert_eq!(moved.hits()[0].side.node, floor);
    assert!(scene.update().is_empty() && scene.world().contacts().is_empty());

    scene[node].transform.position.y = 0.25;
    scene.depenetrate(node, &QueryFilter::default()).unwrap();
    assert_eq!(scene.update().len(), 1);
    assert!(scene.world().overlaps(collider).len() == 1 && scene.world().contacts()[0].1.depth < 1e-6);
}

#[test]
fn out_of_range_options_keep_every_move_finite() {
    let nan = f32::NAN;
    let slopes = [21.75, FRAC_PI_2, -1.0, nan, f32::INFINITY];
    let skins = [0.01, -1.0, nan, f32::INFINITY, 5.0, 3e38, f32::MAX];
    for (max_slope, skin_width) in slopes.into_iter().flat_map(|slope| skins.map(|skin| (slope, skin))) {
        for distance in [nan, f32::INFINITY, -1.0, 2.0] {
            let mut scene = Scene::new();
            add_at(&mut scene, at(2.0, 0.0), Rect::new(1.0, 8.0));
            add_at(&mut scene, at(0.0, 3.0), Rect::new(8.0, 1.0));
            let node = add_at(&mut scene, at(0.0, 0.0), Circle::new(1.4));
            let distances = MoveOptions { snap_to_floor: distance, step_height: distance, ..options() };
            let options = MoveOptions { max_slope, skin_width, ..distances };
            let moved = scene.move_and_slide(node, vec2(3.0, 2.0), &options).unwrap();
            let end = position(&scene, node);
            assert!(moved.travel.is_finite() && end.is_finite() && moved.remainder.is_finite(), "{options:?}");
            // A huge skin moves the mover as far as there is room.
            assert!(depth(&mut scene, node) < 1e-4, "{options:?}: {end}");
            assert!(end.length() < 10.0 || skin_width > 1e30, "{options:?}: {end}");
        }
    }
}

#[test]
fn a_hit_inside_a_thin_collider_has_the_normal_of_the_side_where_the_mover_was() {
    let mut scene = Scene::new();
    let floor = add_at(&mut scene, at(0.0, 0.0), Rect::new(4.0, 0.05));
    let node = add_at(&mut scene, at(0.0, 0.54), Circle::new(0.5));
    let options = MoveOptions { ride_platforms: false, ..options() };
    scene.move_and_slide(node, vec2(0.0, -0.1), &options).unwrap();
    scene[floor].transform.position.y += 0.6;
    let moved = scene.move_and_slide(node, vec2(0.0, -0.1), &options).unwrap();
    let hit = moved.hits()[0];
    assert!(hit.began_inside && hit.normal.abs_diff_eq(Vec2::Y, 1e-4) && (hit.depth - 0.59).abs() < 2e-3, "{hit:?}");
    assert!(moved.ceiling.is_none() && moved.floor.is_some(), "{moved:?}");
}

/// A user shape of several pieces, which are visited in the given order.
#[derive(Debug, Clone)]
struct Pieces(Vec<(u32, Shape)>);

impl Collider for Pieces {
    fn support(&self, direction: Vec2) -> Vec2 {
        let points = self.0.iter().map(|(_, shape)| shape.support(direction));
        points.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction))).unwrap()
    }

    fn pieces(&self, _region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        self.0.iter().for_each(|(number, shape)| visit(*number, shape));
        true
    }
}

#[test]
fn no_move_depends_on_the_order_in_which_a_user_shape_visits_its_pieces() {
    let mut dice = Dice(4);
    for _ in 0..500 {
        let mut place = || vec2(dice.within(-0.6..0.6), dice.within(-0.6..0.6));
        let mut pieces: Vec<(u32, Shape)> = vec![
            (0, Capsule::new(place(), place(), 0.2).into()),
            (1, Rect::new(0.3, 0.9).at(place()).into()),
            (2, Segment::new(place(), place()).into()),
        ];
        let solids = [place() * 2.0, place() * 2.0];
        let angles = [dice.within(0.0..TAU), dice.within(0.0..TAU)];
        let [first, second] = [(), ()].map(|()| {
            let mut scene = Scene::new();
            for (at, angle) in solids.into_iter().zip(angles) {
                add_at(
                    &mut scene,
                    Transform { position: at, rotation: angle, ..Transform::IDENTITY },
                    Rect::new(1.2, 0.4),
                );
            }
            let mover = add_at(&mut scene, Transform::IDENTITY, Pieces(pieces.clone()));
            pieces.reverse();
            slide(&mut scene, mover, 0.1, -0.2)
        });
        assert_eq!(first, second);
    }
}

#[test]
fn each_piece_of_a_mover_has_its_own_side_of_a_solid_even_if_two_have_one_centre() {
    // The solid begins in the upper right corner of a plus: above the horizontal bar, to the right of the other one.
    let bars = [Shape::from(Rect::new(4.0, 1.0)), Rect::new(1.0, 4.0).into()];
    for pieces in [bars.clone(), [bars[1].clone(), bars[0].clone()]] {
        for toward in [-Vec2::X, -Vec2::Y] {
            let mut scene = Scene::new();
            let plus = add_at(&mut scene, Transform::IDENTITY, Compound::new(pieces.clone()).unwrap());
            let solid = add_at(&mut scene, Transform::from_position(vec2(2.6, 2.6)), Rect::new(4.0, 4.0));
            slide(&mut scene, plus, 0.0, 0.0);
            scene[solid].transform.position += toward * 0.3;
            let travel = slide(&mut scene, plus, 0.0, 0.0).travel;
            assert!(travel.distance(toward * 0.2) < 0.02, "{toward}: {travel}");
        }
    }
}

#[test]
fn a_position_that_differs_by_rounding_keeps_the_ride_and_a_written_one_does_not() {
    for (nudge, carried) in [(0.0, 0.3), (1e-7, 0.3), (-1e-7, 0.3), (1e-3, 0.0)] {
        let mut scene = Scene::new();
        let lift = add_at(&mut scene, at(0.0, 0.0), Rect::new(4.0, 0.4));
        let node = add_at(&mut scene, at(0.9, 0.71), Rect::new(1.0, 1.0));
        slide(&mut scene, node, 0.0, -0.1);
        scene[node].transform.position.x += nudge;
        scene[lift].transform.position.x += 0.3;
        let moved = slide(&mut scene, node, 0.0, -0.1);
        assert!((moved.carried.x - carried).abs() < 1e-4, "{nudge}: {moved:?}");
    }
}

/// Walls to the left of a mover, thin and long.
fn thin_walls() -> [(&'static str, Attachment); 3] {
    let line = [vec2(0.0, 30.0), vec2(0.0, -30.0)];
    [
        ("segment", Segment::new(line[0], line[1]).into()),
        ("one-sided polyline", Polyline::new(&line).unwrap().one_sided().into()),
        ("one-way plate", Attachment::from(Rect::new(0.01, 60.0)).one_way(Vec2::X)),
    ]
}

/// Movers that reach 0.5 to the left and further in other directions.
fn long_movers() -> [Attachment; 3] {
    let hook = [vec2(-0.5, -0.6), vec2(0.7, -0.6), vec2(0.7, -0.4), vec2(-0.3, -0.4), vec2(-0.3, 1.0), vec2(-0.5, 1.0)];
    [
        Rect::new(1.0, 1.4).into(),
        Circle::new(0.7).at(vec2(0.2, -0.5)).into(),
        Compound::from_outline(&hook).unwrap().into(),
    ]
}

#[test]
fn a_mover_below_a_parent_that_turns_or_stretches_stays_on_its_side_of_a_thin_wall() {
    for (wall_name, wall) in thin_walls() {
        for (index, mover) in long_movers().into_iter().enumerate() {
            for turn in [10.0, 45.0, 90.0, -90.0, 135.0, 180.0_f32] {
                for (scale, stretch) in
                    [(Vec2::ONE, Vec2::ONE), (vec2(1.0, -0.6), vec2(0.9, 1.2)), (vec2(2.0, 2.0), vec2(-1.0, 1.0))]
                {
                    let mut scene = Scene::new();
                    let ship = scene.add(Node::new("ship").with_position(vec2(7.0, 1.0)).with_scale(scale));
                    let wall = scene.add_child_with(ship, Node::new("wall"), wall.clone()).unwrap().0;
                    let node = Node::new("mover").with_position(vec2(0.55, 0.0));
                    let (node, _) = scene.add_child_with(ship, node, mover.clone()).unwrap();
                    let options = MoveOptions { skin_width: 0.005, ..MoveOptions::top_down() };
                    scene.move_and_slide(node, Vec2::ZERO, &options).unwrap();
                    for frame in 0..4_u8 {
                        scene[ship].transform.rotation += turn.to_radians();
                        scene[ship].transform.scale *= stretch;
                        scene[ship].transform.position += vec2(3.0, -1.0);
                        scene[wall].transform.position.x += 0.2;
                        scene.move_and_slide(node, Vec2::ZERO, &options).unwrap();
                        let apart = scene[node].transform.position.x - scene[wall].transform.position.x - 0.5;
                        let case = format!("mover {index}, {wall_name}, {turn} degrees, {scale}, frame {frame}");
                        assert!((0.0..0.06).contains(&apart), "{case}: {apart} in front of the wall");
                    }
                }
            }
        }
    }
}

#[test]
fn a_mover_that_turns_between_blocks_leaves_them_along_its_present_sides() {
    let block = |x: f32, y: f32, angle: f32| {
        let place = Transform { rotation: angle, ..Transform::from_position(vec2(x, y)) };
        (place, Rect::new(0.8, 0.8))
    };
    let three = [block(0.343, -0.978, 1.438), block(1.552, -0.892, 1.303), block(-0.484, 1.060, 0.593)];
    // The sides of these two contradict each other, but the mover was beside their corners too.
    let two = [block(0.976, -1.186, 0.959), block(-0.176, 0.957, 1.5)];
    for (blocks, turn, most) in [(&three[..], -0.0423, 0.05), (&two[..], -0.146, 0.2)] {
        let mut scene = Scene::new();
        for (place, rect) in blocks {
            add_at(&mut scene, *place, *rect);
        }
        let car = add_at(&mut scene, Transform::IDENTITY, Rect::new(2.0, 1.0));
        let options = MoveOptions::top_down();
        assert!(!scene.move_and_slide(car, Vec2::ZERO, &options).unwrap().stuck);
        scene[car].transform.rotation = turn;
        let moved = scene.move_and_slide(car, Vec2::ZERO, &options).unwrap();
        assert!(!moved.stuck && moved.pushed.length() < most, "{moved:?}");
        assert_eq!(scene.world().overlaps_node(car).len(), 0, "{moved:?}");
    }
}

#[test]
fn a_mover_that_turns_or_grows_into_a_thin_wall_is_pushed_back_to_its_side() {
    for (wall_name, wall) in thin_walls() {
        for (what, edit) in [
            ("turns", Transform::default().with_rotation(FRAC_PI_2)),
            ("turns back", Transform::default().with_rotation(-FRAC_PI_2)),
            ("grows", Transform::default().with_scale(vec2(6.0, 1.0))),
        ] {
            let mut scene = Scene::new();
            add_at(&mut scene, Transform::IDENTITY, wall.clone());
            let node = add_at(&mut scene, at(0.4, 0.0), Rect::new(0.5, 3.0).at(vec2(-0.1, 0.0)));
            let options = MoveOptions::top_down();
            scene.move_and_slide(node, Vec2::ZERO, &options).unwrap();
            let position = scene[node].transform.position;
            scene[node].transform = edit.with_position(position);
            let moved = scene.move_and_slide(node, Vec2::ZERO, &options).unwrap();
            assert!(moved.pushed.x > 1.0 && moved.hits()[0].normal.x > 0.99, "{wall_name}, {what}: {moved:?}");
        }
    }
}

#[test]
fn a_mover_whose_ancestor_moves_its_platform_too_is_not_carried_twice() {
    let options = MoveOptions::default();
    let fall = vec2(0.0, -0.1);
    for turn in [0.0, 0.002] {
        // A deck and a pirate below a ship, the pirate in a cabin or not.
        for in_cabin in [false, true] {
            let mut scene = Scene::new();
            let ship = scene.add(Node::new("ship"));
            let (deck, _) = scene.add_child_with(ship, Node::new("deck"), Rect::new(8.0, 0.4)).unwrap();
            let cabin = if in_cabin { scene.add_child(ship, Node::new("cabin")).unwrap() } else { ship };
            let pirate = Node::new("pirate").with_position(vec2(1.0, 1.0));
            let (pirate, _) = scene.add_child_with(cabin, pirate, Circle::new(0.5)).unwrap();
            for _ in 0..5 {
                scene.move_and_slide(pirate, fall, &options).unwrap();
            }
            for _ in 0..60 {
                scene[ship].transform.position += vec2(0.3, 0.1);
                scene[ship].transform.rotation += turn;
                scene[deck].transform.position.x += 0.01;
                let moved = scene.move_and_slide(pirate, fall, &options).unwrap();
                assert!(moved.floor.is_some() && (moved.carried.length() - 0.01).abs() < 1e-3, "{}", moved.carried);
            }
            let place = scene[pirate].transform.position;
            assert!((place.x - 1.6).abs() < 0.05, "{place} after 60 steps of {turn}");
        }
    }

    // A hero and his floor below a root that moves, and a hero who becomes a child of his lift.
    for is_child in [false, true] {
        let mut scene = Scene::new();
        let (lift, _) = scene.add_with(Node::new("lift"), Rect::new(8.0, 0.4));
        let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(1.0, 1.0)), Circle::new(0.5));
        for _ in 0..5 {
            scene.move_and_slide(hero, fall, &options).unwrap();
        }
        let carrier = if is_child { lift } else { scene.root() };
        scene.set_parent(hero, carrier).unwrap();
        scene[carrier].transform.position += vec2(5.0, 1.0);
        let moved = scene.move_and_slide(hero, fall, &options).unwrap();
        assert!(moved.floor.is_some() && moved.carried.length() < 1e-5, "{}", moved.carried);
        assert!((scene[hero].transform.position.x - 1.0).abs() < 1e-5);
    }
}

#[test]
fn a_platform_that_becomes_a_descendant_of_its_rider_carries_the_rider_no_more() {
    let options = MoveOptions::default();
    let mut scene = Scene::new();
    let (platform, _) = scene.add_with(Node::new("platform"), Rect::new(8.0, 0.4));
    let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(1.0, 0.8)), Circle::new(0.5));
    assert!(scene.move_and_slide(hero, vec2(0.0, -0.2), &options).unwrap().floor.is_some());
    // The hero lifts what he stands on.
    scene.set_parent_in_place(platform, hero).unwrap();
    let place = scene[hero].transform.position;
    for _ in 0..3 {
        scene.move_and_slide(platform, vec2(0.0, 0.5), &options).unwrap();
        assert_eq!(scene[hero].transform.position, place);
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
fn restoring_the_skin_never_moves_a_mover_further_than_a_few_skins() {
    // A surface that is barely too steep for a floor, and one that is barely gentle enough.
    for (slope, max_slope) in [(0.2_f32, 0.0), (1.0, 0.0), (88.0, 89.0_f32), (89.5, 89.9)] {
        let options = MoveOptions { max_slope: max_slope.to_radians(), ..options() };
        let mut scene = Scene::new();
        let (sin, cos) = slope.to_radians().sin_cos();
        let normal = vec2(-sin, cos);
        let surface = at(0.0, 0.0).with_rotation(slope.to_radians());
        let surface = add_at(&mut scene, surface, Rect::new(100.0, 1.0));
        let ball = add_at(&mut scene, Transform::from_position(normal * 1.011), Circle::new(0.5));
        scene.move_and_slide(ball, normal * -0.1, &options).unwrap();
        scene[surface].transform.position = normal * 0.005;
        let moved = scene.move_and_slide(ball, Vec2::ZERO, &options).unwrap();
        assert!(moved.pushed != Vec2::ZERO && moved.pushed.length() < 0.04, "{slope}: {moved:?}");
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

#[test]
fn restoring_the_skin_leads_a_mover_into_nothing_else() {
    let mut scene = Scene::new();
    // The box is nearer to the peg than to the right wall, along whose flat side it would touch.
    add_at(&mut scene, at(-1.02, 0.0), Rect::new(1.0, 4.0));
    add_at(&mut scene, at(1.055, 0.0), Rect::new(1.0, 4.0));
    add_at(&mut scene, at(0.71, 0.0), Circle::new(0.2));
    let node = add_at(&mut scene, at(0.0, 0.0), Rect::new(1.0, 1.0));
    let options = MoveOptions { skin_width: 0.1, ..MoveOptions::top_down() };
    for _ in 0..3 {
        scene.move_and_slide(node, Vec2::ZERO, &options).unwrap();
        assert_eq!(depth(&mut scene, node), 0.0, "at {}", position(&scene, node));
    }
}

#[test]
fn a_mover_of_two_colliders_passes_a_one_way_platform_until_both_have_left_it() {
    let mut scene = Scene::new();
    let plank = Attachment::new(Rect::new(4.0, 0.25)).one_way(Vec2::Y);
    add_at(&mut scene, Transform::IDENTITY, plank);
    // The body is inside the plank, and the head above it.
    let node = add_at(&mut scene, at(0.0, 0.0), Rect::new(0.5, 1.0));
    scene.attach(node, Circle::new(0.2).at(vec2(0.0, 0.8))).unwrap();
    for _ in 0..40 {
        scene.move_and_slide(node, vec2(0.0, -0.05), &options()).unwrap();
    }
    let y = position(&scene, node).y;
    assert!(y < -1.9, "the plank holds the head at {y}");
}

#[test]
fn what_a_function_lets_through_is_passed_in_the_order_of_the_fractions() {
    let mut scene = Scene::new();
    // The mover meets the ball first, but the wide wall decides between two touches within half a skin.
    let ball = add_at(&mut scene, Transform::from_position(vec2(2.0, 0.0)), Circle::new(0.5));
    let wall = add_at(&mut scene, Transform::from_position(vec2(2.003, 0.0)), Rect::new(1.0, 4.0));
    let mover = add_at(&mut scene, Transform::IDENTITY, Rect::new(1.0, 1.0));
    let moved =
        scene.move_and_slide_with(mover, vec2(4.0, 0.0), &MoveOptions::top_down(), |_, _| MoveResponse::Pass).unwrap();
    let passed: Vec<NodeId> = moved.passed().iter().map(|hit| hit.side.node).collect();
    assert_eq!(passed, [ball, wall], "{moved:?}");
}

#[test]
fn a_wall_stops_every_piece_of_a_mover_that_has_slid_far() {
    let balls = [-2.0_f32, 0.0, 2.0].map(|x| Shape::from(Circle::new(0.5).at(vec2(x, 0.0))));
    for (rotation, bottom, leading) in [(0.0, 0.5, 2.5), (FRAC_PI_6, 0.5 + 2.0 * 0.5, 2.0 * 0.75_f32.sqrt() + 0.5)] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -0.5), Rect::new(100.0, 1.0));
        add_at(&mut scene, at(20.5, 0.0), Rect::new(1.0, 40.0));
        let start = Transform::from_position(vec2(0.0, bottom + 4.0)).with_rotation(rotation);
        let mover = add_at(&mut scene, start, Compound::new(balls.clone().to_vec()).unwrap());
        let moved = slide(&mut scene, mover, 40.0, -10.0);
        assert!(moved.wall.is_some(), "turned by {rotation}: {moved:?}");
        let at = position(&scene, mover);
        let expected = vec2(20.0 - leading, bottom);
        assert!(at.distance(expected) < 2.0 * SKIN_REACH, "turned by {rotation}, at {at} instead of {expected}");
        assert_eq!(depth(&mut scene, mover), 0.0);
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

/// Walks over stairs, in a level that is rotated by `turn`, and checks that the mover stands on a floor in every frame.
fn walk_over_stairs(mover: &Attachment, kind: &str, [tread, rise]: [f32; 2], speed: f32, turn: f32) {
    let mut scene = Scene::new();
    add_stairs(&mut scene, kind, tread, rise);
    let root = scene.root();
    scene[root].transform.rotation = turn;
    let axis = unit_at(turn);
    let options = MoveOptions { up: axis.perp(), snap_to_floor: 0.3, step_height: 0.3, ..options() };
    let (start, far) = match speed > 0.0 {
        true => (vec2(-1.0, 0.4), 9.0 * tread + 1.0),
        false => (vec2(9.0 * tread + 1.0, 10.0 * rise + 0.4), -1.0),
    };
    let mover = add_at(&mut scene, Transform::from_position(start), mover.clone());
    scene.move_and_slide(mover, axis.rotate(vec2(0.0, -0.2)), &options).unwrap();
    for frame in 0.. {
        let before = position(&scene, mover);
        let moved = scene.move_and_slide(mover, axis.rotate(vec2(speed, -0.01)), &options).unwrap();
        let case =
            format!("{kind}, {tread} x {rise}, speed {speed}, turn {turn}, frame {frame} from {before}: {moved:?}");
        let floor = moved.floor.unwrap_or_else(|| panic!("no floor: {case}"));
        assert!(floor.normal.dot(options.up) > 0.7, "{case}");
        let [travel, pushed] = [moved.travel, moved.pushed].map(|world| vec2(axis.x, -axis.y).rotate(world));
        assert!((travel - pushed).x.abs() < speed.abs() + 1e-4, "moved further than asked: {case}");
        assert!(travel.y * speed > -1e-3, "fell back: {case}");
        assert!(depth(&mut scene, mover) < 1e-5 && frame < 2_000, "{case}");
        if (far - position(&scene, mover).x) * speed <= 0.0 {
            break;
        }
    }
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
fn a_one_way_lift_that_rises_turned_into_its_rider_is_not_reported_as_passed() {
    let mut scene = Scene::new();
    let lift = Attachment::new(Rect::new(4.0, 0.2)).one_way(Vec2::Y);
    let lift = add_at(&mut scene, Transform::IDENTITY, lift);
    let hero = add_at(&mut scene, at(0.5, 0.7), Rect::new(1.0, 1.0));
    slide(&mut scene, hero, 0.0, -0.3);
    scene[lift].transform.rotation += 0.04;
    scene[lift].transform.position.y += 0.1;
    let moved = slide(&mut scene, hero, 0.0, -0.01);
    assert_eq!((moved.floor.unwrap().side.node, moved.passed()), (lift, &[][..]), "{moved:?}");
}

#[test]
fn a_crate_that_does_not_move_itself_rides_in_every_frame_in_which_its_rider_moves() {
    let mut scene = Scene::new();
    // The ship turns and carries the lift, the crate and the hero. The lift also moves relative to the ship.
    let ship = scene.add(Node::new("ship"));
    let mut add = |y: f32, height: f32| {
        let node = Node::new("box").with_position(vec2(0.0, y));
        scene.add_child_with(ship, node, Rect::new(4.0, height)).unwrap().0
    };
    let [lift, crate_, hero] = [add(-0.5, 1.0), add(0.51, 1.0), add(1.53, 1.0)];
    for node in [crate_, hero] {
        slide(&mut scene, node, 0.0, -0.05);
    }
    for frame in 1..40_u8 {
        scene[lift].transform.position += vec2(0.05, 0.02);
        scene[ship].transform.position.x -= 0.3;
        scene[ship].transform.rotation += 0.01;
        let moved = slide(&mut scene, hero, 0.0, 0.0);
        assert!(moved.carried.length() > 0.03, "frame {frame}: {moved:?}");
        let offsets = [crate_, hero].map(|node| scene[node].transform.position - scene[lift].transform.position);
        for (offset, height) in offsets.into_iter().zip([1.01, 2.02]) {
            assert!(offset.distance(vec2(0.0, height)) < 0.03, "frame {frame}: {offsets:?}");
        }
    }
}

#[test]
fn a_path_out_leads_up_to_a_wall_beside_it_and_along_it() {
    let (normal, radius, depth) = (vec2(0.6, 0.8), 0.5_f32, 0.4_f32);
    for gap in [0.05_f32, 0.2, 0.23] {
        let mut scene = Scene::new();
        let slope = Transform::from_position(normal * -50.0).with_rotation(-0.6_f32.asin());
        add_at(&mut scene, slope, Rect::new(100.0, 100.0));
        let start = normal * (radius - depth);
        let ball = add_at(&mut scene, Transform::from_position(start), Circle::new(radius));
        add_at(&mut scene, at(start.x + radius + gap + 0.5, 0.0), Rect::new(1.0, 40.0));
        let travel = scene.depenetrate(ball, &QueryFilter::default()).unwrap();
        // The shortest way alone would lead into the wall by 0.24 minus the gap.
        let expected = vec2(gap, (depth - normal.x * gap) / normal.y);
        assert!(travel.distance(expected) < 1e-4, "{gap}: {travel} instead of {expected}");
    }
}
