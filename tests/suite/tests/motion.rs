//! Moves with `move_and_slide`, `move_and_collide` and `depenetrate`: hits, corners, input at the edges, and random walks
//! through a closed course.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_6, TAU};

use glam::{Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, CollisionLayers, Compound, Ellipse, MoveHit, MoveOptions,
    MoveResponse, Moved, Node, NodeId, Polygon, Polyline, Pushed, QueryFilter, Rect, Scene, SceneError, Segment, Shape,
    Tiles, Transform, World,
};
use support::dice::Dice;
use support::moves::{
    SKIN_REACH, add_at, add_segments, assert_fractions, depth, hexagon, movers, options, position, slide, unit_at,
};
use support::{SupportOnly, at};

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
fn a_mover_on_a_floor_passes_below_what_leaves_more_than_a_skin_of_room() {
    let lamps: [Attachment; 3] = [
        Circle::new(0.3).at(vec2(0.0, 0.3)).into(),
        Circle::new(3.0).at(vec2(0.0, 3.0)).into(),
        Rect::new(0.6, 0.0).into(),
    ];
    for (name, mover) in movers() {
        for lamp in &lamps {
            for room in [0.0102, 0.013, 0.0199, 0.0205] {
                let mut scene = Scene::new();
                add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
                let node = add_at(&mut scene, at(-3.0, 0.51), mover.clone());
                let collider = scene.colliders(node)[0];
                let top = scene.world().bounds(collider).unwrap().max.y - 0.01;
                add_at(&mut scene, at(0.0, top + room), lamp.clone());
                for _ in 0..100 {
                    slide(&mut scene, node, 0.06, -0.1);
                    assert_eq!(depth(&mut scene, node), 0.0);
                }
                let end = position(&scene, node).x;
                assert!(end > 2.9, "{name}, {lamp:?}, {room}: {end}");
            }
        }
    }
}

#[test]
fn a_mover_that_grazes_a_round_ceiling_walks_until_one_step_leads_to_it() {
    let step = 0.06;
    for spare in [0.009, 0.0095, 0.0099, 0.009_99] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, -1.0), Rect::new(100.0, 2.0));
        let lamp = add_at(&mut scene, at(0.0, 1.0 + spare), Circle::new(3.0).at(vec2(0.0, 3.0)));
        let node = add_at(&mut scene, at(-3.0, 0.51), Rect::new(0.6, 1.0));
        let mut was_hit = false;
        for _ in 0..100 {
            let moved = slide(&mut scene, node, step, 0.0);
            let is_hit = moved.hits().iter().any(|hit| hit.side.node == lamp);
            assert!(is_hit || (moved.travel.x - step).abs() < 1e-5, "{spare}: {moved:?}");
            was_hit |= is_hit;
            assert_eq!(depth(&mut scene, node), 0.0);
        }
        // The corner is a skin away from the circle here, and the shapes touch at most 0.3 units later.
        let height: f32 = 3.0 + spare - 0.01;
        let nearest = -0.3 - (3.01_f32.powi(2) - height.powi(2)).sqrt();
        let end = position(&scene, node).x;
        assert!(was_hit && end > nearest - step - 1e-3, "{spare}: {end} instead of {nearest}");
    }
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
fn move_and_collide_stops_a_skin_away_from_what_it_grazes() {
    for offset in [1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 1.0] {
        let pieces: [(Attachment, Attachment); 3] = [
            (Circle::new(0.5).into(), Circle::new(0.5).into()),
            (Ellipse::new(0.9, 0.5).into(), Circle::new(0.5).into()),
            (Rect::new(1.0, 1.0).into(), Ellipse::new(0.7, 0.5).into()),
        ];
        for (own, other) in pieces {
            let mut scene = Scene::new();
            let (node, own) = scene.add_with(Node::new("node"), own);
            let (_, other) = scene.add_with(Node::new("other").with_position(vec2(5.0, 1.0 - offset)), other);
            let moved = scene.move_and_collide(node, vec2(10.0, 0.0), &options()).unwrap();
            assert!(moved.hits().len() == 1 && moved.travel.x < 5.0, "{offset}: {moved:?}");
            let distance = scene.world().distance(own, other).unwrap();
            assert!((0.0099..0.0102).contains(&distance), "{offset}: it stops {distance} away");
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
fn only_the_solid_colliders_of_a_mover_pass_a_sensor() {
    for (is_sensor, passed) in [(false, 1), (true, 0)] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(3.0, 0.0), Attachment::new(Circle::new(0.3)).sensor());
        let mover = Attachment::new(Circle::new(0.5));
        let node = add_at(&mut scene, at(0.0, 0.0), if is_sensor { mover.sensor() } else { mover });
        let moved = scene.move_and_slide(node, vec2(9.0, 0.0), &options()).unwrap();
        assert_eq!((moved.passed().len(), moved.travel.x), (passed, 9.0));
    }
}

#[test]
fn a_clipped_velocity_leads_into_no_floor_ceiling_or_wall_that_the_move_met() {
    let wedge = [vec2(-2.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 8.0)];
    let cases: [(&str, Attachment, Vec2, Vec2, Vec2); 7] = [
        ("floor", Rect::new(9.0, 1.0).at(vec2(0.0, -1.05)).into(), vec2(3.0, -9.0), vec2(3.0, 0.0), Vec2::Y),
        ("ceiling", Rect::new(9.0, 1.0).at(vec2(0.0, 1.05)).into(), vec2(3.0, 9.0), vec2(3.0, 0.0), Vec2::Y),
        ("wall", Rect::new(1.0, 9.0).at(vec2(1.05, 0.0)).into(), vec2(9.0, -3.0), vec2(0.0, -3.0), Vec2::Y),
        // It is 63 degrees steep, so it counts as an upright wall.
        (
            "steep slope",
            Polygon::convex(&wedge).unwrap().at(vec2(1.615, -2.0)).into(),
            vec2(4.0, -1.0),
            vec2(0.0, -1.0),
            Vec2::Y,
        ),
        ("nothing", Rect::new(1.0, 1.0).at(vec2(40.0, 0.0)).into(), vec2(4.0, -1.0), vec2(4.0, -1.0), Vec2::Y),
        ("floor, y down", Rect::new(9.0, 1.0).at(vec2(0.0, 1.05)).into(), vec2(3.0, 9.0), vec2(3.0, 0.0), -Vec2::Y),
        (
            "wall from above",
            Rect::new(9.0, 1.0).at(vec2(0.0, -1.05)).into(),
            vec2(3.0, -9.0),
            vec2(3.0, 0.0),
            Vec2::ZERO,
        ),
    ];
    for (name, solid, velocity, expected, up) in cases {
        for turn in [0.0, 0.7, 2.0] {
            let mut scene = Scene::new();
            scene.add_with(Node::new("solid").with_rotation(turn), solid.clone());
            let (node, _) = scene.add_with(Node::new("mover"), Circle::new(0.5));
            let turned = |vector: Vec2| unit_at(turn).rotate(vector);
            let options = MoveOptions { up: turned(up), ..options() };
            let moved = scene.move_and_slide(node, turned(velocity) / 60.0, &options).unwrap();
            let clipped = moved.clip_velocity(turned(velocity), &options);
            assert!(clipped.abs_diff_eq(turned(expected), 1e-5), "{name} turned by {turn}: {clipped}, {moved:?}");
            assert!(turn != 0.0 || name == "steep slope" || clipped == expected, "{name}: {clipped}");
        }
    }
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
fn random_movers_never_end_inside_a_solid_and_never_leave_a_closed_course() {
    let (seeds, steps) = if cfg!(debug_assertions) { (1, 20_000) } else { (4, 100_000) };
    for seed in 0..seeds {
        random_walk_hash(seed, steps, 1);
    }
}

#[test]
fn a_long_random_walk_matches_its_golden_hash() {
    assert_eq!(random_walk_hash(9, 8_000, 64), 18_234_701_395_894_539_005, "golden hash");
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
        let mut place = || dice.vector(-0.6..0.6);
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

#[test]
fn a_stale_node_is_blocked_by_nothing() {
    let mut scene = Scene::new();
    let empty = scene.clone();
    let hero = add_at(&mut scene, at(0.0, 0.0), Circle::new(1.0));
    scene.clone_from(&empty);
    assert_eq!(scene.world().cast_node(hero, Vec2::X, &QueryFilter::default()), None);
}

#[test]
fn the_order_in_which_colliders_were_added_decides_no_tie_between_their_surfaces() {
    let diamond = Polygon::convex(&[vec2(-0.25, 0.0), vec2(0.0, -0.25), vec2(0.25, 0.0), vec2(0.0, 0.25)]).unwrap();
    let run = |reversed: bool| {
        let mut scene = Scene::new();
        let block = Attachment::new(Rect::new(1.0, 1.0));
        let lid = Attachment::new(Segment::new(vec2(-0.5, 0.5), vec2(0.5, 0.5)));
        for solid in if reversed { [lid, block] } else { [block, lid] } {
            add_at(&mut scene, at(2.0, 1.0), solid);
        }
        // The corner of the mover meets that of the block and the end of the lid at once.
        let node = add_at(&mut scene, at(0.75, 1.5), diamond.clone());
        scene.move_and_slide(node, vec2(0.75, 0.0), &MoveOptions::top_down()).unwrap();
        position(&scene, node)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn a_mover_keeps_its_skin_from_a_narrow_surface_that_it_meets_just_before_a_wide_one() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("ball").with_position(vec2(0.0, -0.5)), Circle::new(0.5));
    scene.add_with(Node::new("crate").with_position(vec2(1.01, -0.503)), Rect::new(1.0, 1.0));
    let (slime, _) = scene.add_with(Node::new("slime").with_position(vec2(0.2, 0.41)), Rect::new(0.8, 0.8));
    for _ in 0..3 {
        scene.move_and_slide(slime, vec2(0.0, -0.02), &MoveOptions::top_down()).unwrap();
        let gap = scene[slime].transform.position.y - 0.4;
        assert!((gap - 0.01).abs() < 1e-5, "{gap}");
    }
}

#[test]
fn a_box_enters_every_corridor_that_it_comes_straight_towards_and_fits() {
    for (size, speed) in
        [0.98, 0.995, 0.999, 1.0].into_iter().flat_map(|size| [0.013, 0.05, 0.083].map(|by| (size, by)))
    {
        for case in 0..90 {
            let (phase, offset) = (case / 9, case % 9 - 4);
            let mut scene = Scene::new();
            for y in [-1.0, 1.0] {
                scene.add_with(Node::new("wall").with_position(vec2(3.0, y)), Rect::new(2.0, 1.0));
            }
            let start = vec2(0.01 * speed * phase as f32, 0.1 * (1.0 - size) * offset as f32);
            let (mover, _) = scene.add_with(Node::new("mover").with_position(start), Rect::new(size, size));
            for _ in 0..(6.0 / speed) as u32 {
                scene.move_and_slide(mover, vec2(speed, 0.0), &MoveOptions::top_down()).unwrap();
            }
            let end = scene[mover].transform.position;
            assert!(end.x > 4.0, "a box of {size} from {start} by {speed} ends at {end}");
        }
    }
}

#[test]
fn a_move_or_push_that_fails_empties_its_result() {
    let mut scene = Scene::new();
    let (wall, _) = scene.add_with(Node::new("wall").with_position(vec2(2.0, 0.0)), Rect::new(1.0, 4.0));
    let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(0.5));
    let (options, mut moved, mut pushed) = (MoveOptions::top_down(), Moved::default(), Pushed::default());
    for is_gone in [true, false] {
        scene.move_and_slide_into(ball, vec2(9.0, 0.0), &options, &mut moved).unwrap();
        scene.push_into(wall, vec2(-1.0, 0.0), &options, &mut pushed).unwrap();
        assert_eq!((moved.hits().len(), pushed.pushed().len()), (1, 1), "gone: {is_gone}");
        let node = scene.add(Node::new("far").with_position(vec2(f32::MAX, 0.0)));
        if is_gone {
            scene.remove(node);
        }
        assert!(scene.move_and_slide_into(node, vec2(f32::MAX, 0.0), &options, &mut moved).is_err());
        assert!(scene.push_into(node, vec2(f32::MAX, 0.0), &options, &mut pushed).is_err());
        assert_eq!(moved, Moved::default(), "gone: {is_gone}");
        assert!(pushed.pushed().is_empty() && pushed.squeezed().is_empty(), "gone: {is_gone}");
        scene[ball].transform.position = Vec2::ZERO;
        scene[wall].transform.position = vec2(2.0, 0.0);
    }
}

#[test]
fn a_mover_passes_nothing_beyond_the_hit_that_stops_it() {
    let mut scene = Scene::new();
    let place = |x, y| Node::new("").with_position(vec2(x, y));
    scene.add_with(place(0.0, -1.0), Rect::new(40.0, 2.0));
    let (friend, _) = scene.add_with(place(3.0, 1.2), Rect::new(0.2, 2.0));
    for (distance, passes) in [(4.0, false), (1.0, true)] {
        let (ball, _) = scene.add_with(place(2.4 - distance, 0.52), Circle::new(0.5));
        // It meets the floor at a grazing angle.
        let path = vec2(4.0, -0.03);
        let respond = |_: World<'_>, hit: &MoveHit| {
            if hit.side.node == friend { MoveResponse::Pass } else { MoveResponse::Block }
        };
        let moved = scene.move_and_collide_with(ball, path, &MoveOptions::top_down(), respond).unwrap();
        let passed: Vec<NodeId> = moved.passed().iter().map(|hit| hit.side.node).collect();
        assert_eq!(passed, if passes { vec![friend] } else { vec![] }, "from {distance}: {moved:?}");
        scene.remove(ball);
    }
}
