//! Pushes with `Scene::push`: lifts, crushers, flippers, rows of crates and stacks.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, CollisionLayers, Motion, MoveOptions, Node, NodeId, Polyline, QueryFilter, Rect,
    Scene, SceneError, Segment, Tiles, Transform,
};
use support::at;
use support::dice::Dice;
use support::moves::{depth, options, position};
use support::saved::to_bytes;

fn add(scene: &mut Scene, x: f32, y: f32, collider: impl Into<Attachment>) -> NodeId {
    scene.add_with(Node::new("n").with_transform(at(x, y)), collider).0
}

/// Adds a node and moves it once, which makes it a mover.
fn add_mover(scene: &mut Scene, x: f32, y: f32, collider: impl Into<Attachment>) -> NodeId {
    let node = add(scene, x, y, collider);
    scene.move_and_slide(node, Vec2::ZERO, &options()).unwrap();
    node
}

#[test]
fn a_push_moves_the_node_all_the_way_and_the_mover_by_what_it_needs() {
    for (thickness, distance) in [(1.0, 3.0), (0.01, 3.0), (0.01, 50.0), (0.0, 20.0)] {
        let mut scene = Scene::new();
        let plate = add(&mut scene, 0.0, 0.0, Rect::new(thickness, 2.0));
        let crate_ = add_mover(&mut scene, 2.0, 0.3, Rect::new(0.5, 0.5));
        let pushed = scene.push(plate, vec2(distance, 0.0), &options()).unwrap();
        assert_eq!(position(&scene, plate), vec2(distance, 0.0));
        let end = distance + thickness * 0.5 + 0.25;
        let miss = (position(&scene, crate_) - vec2(end, 0.3)).abs().max_element();
        assert!(miss < 0.03, "thickness {thickness}, distance {distance}: {pushed:?}");
        assert_eq!(depth(&mut scene, crate_), 0.0);
        let [only] = pushed.pushed() else { panic!("{pushed:?}") };
        assert_eq!(only.node, crate_);
        assert!(only.travel.abs_diff_eq(position(&scene, crate_) - vec2(2.0, 0.3), 1e-3), "{pushed:?}");
        assert!(pushed.squeezed().is_empty());
    }
}

#[test]
fn a_thin_wall_that_is_pushed_in_steps_much_longer_than_a_mover_does_not_pass_it() {
    for offset in 0..40_u8 {
        let mut scene = Scene::new();
        let wall = add(&mut scene, 0.0, 0.0, Segment::new(vec2(0.0, -300.0), vec2(0.0, 300.0)));
        let capsule = Capsule::new(vec2(-0.27797818, 0.0), vec2(0.27797818, 0.27797818), 0.083393455);
        let hero = add_mover(&mut scene, 41.6163 + f32::from(offset) * 0.001, 4.7378, capsule);
        let pushed = scene.push(wall, vec2(1869.9158, 0.0), &MoveOptions::top_down()).unwrap();
        assert!(position(&scene, hero).x > 1869.9158 || pushed.squeezed() == [hero], "{offset}: {pushed:?}");
    }
}

#[test]
fn a_crushed_mover_stays_and_is_reported_as_squeezed() {
    for thin in [false, true] {
        let mut scene = Scene::new();
        if thin {
            add(&mut scene, 0.0, 0.0, Segment::new(vec2(-9.0, 0.0), vec2(9.0, 0.0)));
        } else {
            add(&mut scene, 0.0, -1.0, Rect::new(20.0, 2.0));
        }
        let hero = add_mover(&mut scene, 0.0, 0.51, Circle::new(0.5));
        let crusher = add(&mut scene, 0.0, 3.0, Rect::new(6.0, 1.0));
        for frame in 0..30 {
            let pushed = scene.push(crusher, vec2(0.0, -0.1), &options()).unwrap();
            let hero_at = position(&scene, hero);
            assert!(hero_at.abs_diff_eq(vec2(0.0, 0.51), 0.011), "frame {frame}: {hero_at}");
            assert_eq!(!pushed.squeezed().is_empty(), position(&scene, crusher).y < 1.499, "frame {frame}");
        }
        assert!(scene.move_and_slide(hero, Vec2::ZERO, &options()).unwrap().stuck);
        scene.push(crusher, vec2(0.0, 3.0), &options()).unwrap();
        let moved = scene.move_and_slide(hero, vec2(0.1, 0.0), &options()).unwrap();
        assert!(!moved.stuck && (moved.travel.x - 0.1).abs() < 1e-3, "{moved:?}");
    }
}

#[test]
fn a_plate_that_closes_on_a_wall_leaves_a_point_in_front_of_the_wall() {
    let mut dice = Dice(3);
    for round in 0..6 {
        let along = Vec2::from_angle(dice.within(0.1..1.4));
        let mut scene = Scene::new();
        add(&mut scene, 0.0, 0.0, Segment::new(along * -9.0, along * 9.0));
        let plate = add(&mut scene, 0.0, 0.0, Rect::new(6.0, 0.2));
        let above = along * 5.0 + along.perp() * dice.within(1.5..2.0);
        scene[plate].transform = Transform::from_position(above).with_rotation(along.to_angle() + 0.2);
        let Vec2 { x, y } = along * 3.0 + along.perp() * 0.1;
        let point = add_mover(&mut scene, x, y, Circle::new(0.0));
        // The left half of the plate turns down, and the point slides to the right between it and the wall.
        let motion = Motion::new(along.perp() * -0.05).with_rotation(dice.within(0.05..0.2));
        for frame in 0..10 {
            scene.push(plate, motion, &options()).unwrap();
            let gap = along.perp_dot(position(&scene, point));
            assert!(gap > 0.0, "round {round}, frame {frame}: the point is at a distance of {gap} from the wall");
        }
    }
}

#[test]
fn a_row_of_crates_moves_together_until_a_wall_squeezes_it() {
    let mut scene = Scene::new();
    add(&mut scene, 12.0, 0.0, Rect::new(1.0, 8.0));
    let plough = add(&mut scene, -1.0, 0.0, Rect::new(1.0, 4.0));
    let crates: Vec<NodeId> =
        (0..5_u8).map(|i| add_mover(&mut scene, f32::from(i) * 1.02, 0.0, Rect::new(1.0, 1.0))).collect();
    let mut squeezed = 0;
    for frame in 0..92 {
        let pushed = scene.push(plough, vec2(0.09, 0.0), &options()).unwrap();
        squeezed += pushed.squeezed().len();
        for pair in crates.windows(2) {
            let gap = position(&scene, pair[1]).x - position(&scene, pair[0]).x;
            assert!(gap > 0.999, "frame {frame}: {gap}");
        }
        let [first, last] = [crates[0], crates[4]].map(|node| position(&scene, node).x);
        assert!(last < 11.001, "frame {frame}: the last crate is in the wall at {last}");
        if pushed.squeezed().is_empty() {
            assert!(first > position(&scene, plough).x + 0.999, "frame {frame}: the plough passes the first crate");
        }
    }
    assert!(squeezed > 0, "the wall stops the row");
}

#[test]
fn a_flipper_loses_no_ball() {
    let mut dice = Dice(7);
    let mut swept = 0;
    for round in 0..60 {
        let mut scene = Scene::new();
        let flipper = scene.add(Node::new("flipper").with_rotation(-0.5));
        let bar = Node::new("bar").with_position(vec2(1.0, 0.0));
        let thickness = [0.2, 0.02, 0.0][round % 3];
        scene.add_child_with(flipper, bar, Rect::new(2.0, thickness)).unwrap();
        let radius = dice.within(0.05..0.3);
        let ball = add_mover(&mut scene, dice.within(0.4..1.6), dice.within(0.6..1.5), Circle::new(radius));
        let mut velocity = Vec2::ZERO;
        for frame in 0..240 {
            let step = 16.0 / 60.0;
            let swing = [step, step, step, 0.0, -step, -step, -step, 0.0, 0.0][frame % 9];
            let side = |scene: &Scene| {
                let local = Vec2::from_angle(-scene[flipper].transform.rotation).rotate(position(scene, ball));
                (0.0..2.0).contains(&local.x).then_some(local.y)
            };
            let before = side(&scene);
            let pushed = scene.push(flipper, Motion::default().with_rotation(swing), &options()).unwrap();
            assert!(pushed.squeezed().is_empty(), "round {round}, frame {frame}");
            swept += pushed.pushed().len();
            velocity += pushed.pushed().iter().map(|pushed| pushed.travel).sum::<Vec2>();
            velocity.y -= 0.01;
            velocity = velocity.clamp_length_max(0.4);
            let moved = scene.move_and_collide(ball, velocity, &options()).unwrap();
            if let Some(hit) = moved.hits().first() {
                velocity -= hit.normal * velocity.dot(hit.normal).min(0.0);
            }
            if let (Some(before), Some(after)) = (before, side(&scene)) {
                assert!(before * after >= 0.0, "round {round}, frame {frame}: from {before} to {after}");
            }
        }
    }
    assert!(swept > 100, "the flippers hit the balls: {swept}");
}

#[test]
fn a_push_carries_a_stack_of_ten_in_one_call() {
    let mut scene = Scene::new();
    let lift = add(&mut scene, 0.0, 0.0, Rect::new(6.0, 0.4));
    let stack: Vec<NodeId> =
        (0..10_u8).map(|i| add(&mut scene, 0.0, 0.71 + f32::from(i) * 1.01, Rect::new(1.0, 1.0))).collect();
    for _ in 0..3 {
        for node in &stack {
            scene.move_and_slide(*node, vec2(0.0, -0.05), &options()).unwrap();
        }
    }
    let heights: Vec<f32> = stack.iter().map(|node| position(&scene, *node).y).collect();
    for (displacement, frames) in [(vec2(0.0, 0.5), 20), (vec2(0.4, 0.0), 20), (vec2(-0.3, -0.4), 20)] {
        for _ in 0..frames {
            let pushed = scene.push(lift, displacement, &options()).unwrap();
            assert_eq!(pushed.pushed().len(), 10);
            let lift = position(&scene, lift);
            for (node, height) in stack.iter().zip(&heights) {
                let expected = vec2(lift.x, lift.y + height);
                assert!(position(&scene, *node).abs_diff_eq(expected, 2e-3), "{} {expected}", position(&scene, *node));
            }
        }
    }
}

#[test]
fn a_push_turns_a_node_about_the_pivot_under_any_parent() {
    let parents = [
        Transform::IDENTITY,
        Transform { position: vec2(3.0, 1.0), rotation: 0.7, scale: vec2(2.0, 2.0), ..Transform::IDENTITY },
        Transform { rotation: 0.7, scale: vec2(-2.0, 2.0), ..Transform::IDENTITY },
        Transform { rotation: 0.7, scale: vec2(3.0, 0.5), skew: 0.4, ..Transform::IDENTITY },
    ];
    for parent in parents {
        let mut scene = Scene::new();
        let above = scene.add(Node::new("parent").with_transform(parent));
        let start = Transform { position: vec2(1.0, 2.0), rotation: 0.2, scale: vec2(1.5, 0.5), ..Transform::IDENTITY };
        let (node, _) = scene.add_child_with(above, Node::new("n").with_transform(start), Rect::new(1.0, 1.0)).unwrap();
        let before = scene.world().transform(node).unwrap();
        let (turn, pivot, displacement) = (0.3, vec2(-1.0, 0.5), vec2(0.25, -2.0));
        scene.push(node, Motion::new(displacement).with_rotation(turn).with_pivot(pivot), &options()).unwrap();
        let about = Affine2::from_translation(pivot) * Affine2::from_angle(turn) * Affine2::from_translation(-pivot);
        let expected = Affine2::from_translation(displacement) * about * before;
        let after = scene.world().transform(node).unwrap();
        assert!(after.abs_diff_eq(expected, 1e-5), "{parent:?}: {after:?} {expected:?}");
    }
}

#[test]
fn a_push_moves_a_node_without_colliders() {
    let mut scene = Scene::new();
    let hinge = scene.add(Node::new("hinge").with_transform(at(0.0, 0.0)));
    let motion = Motion::new(vec2(1.0, 0.0)).with_rotation(0.5);
    scene.push(hinge, motion, &options()).unwrap();
    assert_eq!(scene[hinge].transform, Transform { rotation: 0.5, ..at(1.0, 0.0) });
}

/// Adds a plate, a mover close to it, and a node close to it that is no mover.
fn plate_and_mover() -> (Scene, NodeId, NodeId) {
    let mut scene = Scene::new();
    let plate = add(&mut scene, 0.0, 0.0, Rect::new(1.0, 9.0));
    let mover = add_mover(&mut scene, 1.2, 0.0, Circle::new(0.5));
    add(&mut scene, 1.2, 2.0, Circle::new(0.5));
    (scene, plate, mover)
}

#[test]
fn a_push_takes_along_movers_only() {
    let (mut scene, plate, mover) = plate_and_mover();
    let pushed = scene.push(plate, vec2(1.0, 0.0), &options()).unwrap();
    assert_eq!(pushed.pushed().iter().map(|pushed| pushed.node).collect::<Vec<_>>(), [mover]);
}

#[test]
fn the_filter_excludes_movers_from_a_push() {
    let (mut scene, plate, mover) = plate_and_mover();
    let filter = QueryFilter::default().exclude_subtree(mover);
    let pushed = scene.push(plate, vec2(1.0, 0.0), &MoveOptions { filter, ..options() }).unwrap();
    assert!(pushed.pushed().is_empty());
}

#[test]
fn a_push_ignores_movers_whose_layers_do_not_agree() {
    let (mut scene, plate, mover) = plate_and_mover();
    for (node, layer) in [(mover, 2), (plate, 1)] {
        let collider = scene.colliders(node)[0];
        scene.attachment_mut(collider).unwrap().layers = CollisionLayers::new(layer, layer);
    }
    assert!(scene.push(plate, vec2(1.0, 0.0), &options()).unwrap().pushed().is_empty());
}

#[test]
fn a_zero_or_non_finite_motion_moves_nothing() {
    let mut scene = Scene::new();
    let plate = add(&mut scene, 0.0, 0.0, Rect::new(1.0, 1.0));
    for motion in [
        Motion::default(),
        Motion::new(vec2(f32::NAN, 0.0)),
        Motion::default().with_rotation(f32::INFINITY),
        Motion::new(Vec2::X).with_pivot(Vec2::NAN),
    ] {
        scene.push(plate, motion, &options()).unwrap();
        assert_eq!(scene[plate].transform, at(0.0, 0.0), "{motion:?}");
    }
}

#[test]
fn a_push_of_a_stale_node_is_an_error() {
    let mut scene = Scene::new();
    let plate = add(&mut scene, 0.0, 0.0, Rect::new(1.0, 1.0));
    scene.remove(plate);
    assert_eq!(scene.push(plate, Vec2::X, &options()), Err(SceneError::NodeNotFound(plate)));
}

#[test]
fn a_disabled_rider_does_not_change_the_push_of_another_one() {
    let push = |has_disabled_rider: bool| {
        let mut scene = Scene::new();
        let lift = add(&mut scene, 0.0, 0.0, Rect::new(8.0, 0.4));
        let hero = add_mover(&mut scene, 0.0, 0.71, Circle::new(0.5));
        if has_disabled_rider {
            let rider = add_mover(&mut scene, 2.0, 0.71, Circle::new(0.5));
            scene[rider].enabled = false;
        }
        scene.push(lift, vec2(0.3, 2.0), &options()).unwrap();
        position(&scene, hero)
    };
    // A push of more steps rounds in another way.
    assert_eq!(push(true), push(false));
}

#[test]
fn a_mirrored_flipper_keeps_the_signs_of_its_scale_below_a_stretched_parent() {
    let mut scene = Scene::new();
    let table = scene.add(Node::new("table").with_scale(vec2(2.0, 1.0)));
    let flipper = Node::new("flipper").with_scale(vec2(-1.0, 1.0));
    let (flipper, _) = scene.add_child_with(table, flipper, Rect::new(2.0, 0.2).at(vec2(1.0, 0.0))).unwrap();
    scene.push(flipper, Motion::default().with_rotation(0.1), &options()).unwrap();
    let Transform { rotation, scale, .. } = scene[flipper].transform;
    assert!(scale.x < 0.0 && scale.y > 0.0 && rotation.abs() < 0.3, "{scale} {rotation}");
}

#[test]
fn a_push_in_a_level_that_has_moved_since_the_last_move_leaves_a_mover_on_its_side() {
    for step in [vec2(0.5, 0.0), vec2(-4.0, 3.0)] {
        let mut scene = Scene::new();
        let level = scene.add(Node::new("level"));
        let (plate, _) = scene.add_child_with(level, Node::new("plate"), Rect::new(0.1, 4.0)).unwrap();
        let ball = Node::new("ball").with_position(vec2(2.0, 0.0));
        let (ball, _) = scene.add_child_with(level, ball, Circle::new(0.5)).unwrap();
        scene.move_and_slide(ball, Vec2::ZERO, &options()).unwrap();
        scene[level].transform.position = step;
        for _ in 0..40 {
            scene.push(plate, vec2(0.2, 0.0), &options()).unwrap();
            scene[level].transform.position += step;
        }
        let apart = scene[ball].transform.position.x - scene[plate].transform.position.x;
        assert!((0.55..0.6).contains(&apart), "the ball is {apart} in front of the plate");
    }
}

#[test]
fn a_push_does_not_displace_an_ancestor_of_its_node() {
    let mut scene = Scene::new();
    let wagon = add_mover(&mut scene, 4.0, 0.0, Rect::new(1.0, 6.0));
    let ram = Node::new("ram").with_position(vec2(-4.0, 0.0));
    let (ram, _) = scene.add_child_with(wagon, ram, Rect::new(1.0, 6.0)).unwrap();
    let hero = add_mover(&mut scene, 1.5, 0.0, Circle::new(0.5));
    // The hero has no room between the ram and the wagon, which carries the ram.
    let pushed = scene.push(ram, vec2(2.75, 0.0), &options()).unwrap();
    assert_eq!(pushed.squeezed(), [hero]);
    assert_eq!(position(&scene, wagon), vec2(4.0, 0.0));
    assert_eq!(scene.world().position(ram), Some(vec2(2.75, 0.0)));
}

#[test]
fn a_push_reports_the_carriers_of_what_it_pushes_with_their_whole_travel() {
    let mut scene = Scene::new();
    let raft = add(&mut scene, 0.0, 0.0, Rect::new(6.0, 1.0));
    let crate_ = add_mover(&mut scene, 0.0, 1.1, Rect::new(1.0, 1.0));
    let hero = add_mover(&mut scene, 0.0, 2.0, Circle::new(0.3));
    let ram = add(&mut scene, -3.0, 1.9, Rect::new(0.4, 0.2));
    for mover in [crate_, hero] {
        assert!(scene.move_and_slide(mover, vec2(0.0, -0.2), &options()).unwrap().floor.is_some());
    }
    scene[raft].transform.position.x = 0.25;
    let starts = [crate_, hero].map(|node| position(&scene, node));
    // Before the ram pushes the hero, the crate on which the hero stands follows the raft.
    let pushed = scene.push(ram, vec2(2.75, 0.0), &options()).unwrap();
    for (node, start) in [crate_, hero].into_iter().zip(starts) {
        let travel = pushed.pushed().iter().find(|pushed| pushed.node == node).map(|pushed| pushed.travel);
        let expected = position(&scene, node) - start;
        assert!(expected.x > 0.2, "{expected}");
        assert!(travel.is_some_and(|travel| travel.distance(expected) < 1e-6), "{travel:?} instead of {expected}");
    }
    // Its own next move does not report that again.
    let moved = scene.move_and_slide(crate_, Vec2::ZERO, &options()).unwrap();
    assert_eq!([moved.carried, moved.travel], [Vec2::ZERO; 2]);
}

#[test]
fn a_push_in_a_level_that_has_turned_since_the_last_move_leaves_a_mover_on_its_side() {
    for turn in [0.2, 0.8, -1.6, 3.1] {
        let mut scene = Scene::new();
        let level = scene.add(Node::new("level"));
        let line = Segment::new(vec2(0.0, 9.0), vec2(0.0, -9.0));
        let plate = Node::new("plate").with_position(vec2(-9.0, 0.0));
        let (plate, _) = scene.add_child_with(level, plate, line).unwrap();
        let plank = Node::new("plank").with_position(vec2(2.0, 0.0));
        let (plank, _) = scene.add_child_with(level, plank, Rect::new(0.4, 2.0).at(vec2(0.3, 0.1))).unwrap();
        scene.move_and_slide(plank, Vec2::ZERO, &options()).unwrap();
        // The plank was not near the plate in its last move.
        scene[plate].transform.position.x = 2.05;
        for _ in 0..40 {
            scene[level].transform.rotation += turn;
            let push = scene.world().transform(level).unwrap().transform_vector2(vec2(0.2, 0.0));
            scene.push(plate, push, &MoveOptions::top_down()).unwrap();
        }
        let apart = scene[plank].transform.position.x - scene[plate].transform.position.x;
        assert!((-0.1..0.0).contains(&apart), "{turn}: the plank is {apart} in front of the plate");
    }
}

#[test]
fn a_mover_that_other_movers_push_into_the_way_of_the_node_is_pushed_too() {
    let mut scene = Scene::new();
    let [a, b, c, plate] = [vec2(-3.5, 3.0), vec2(1.0, 0.0), vec2(0.0, 4.0), Vec2::ZERO]
        .map(|at| scene.add(Node::new("n").with_position(at)));
    let rod = scene.add_child(b, Node::new("rod").with_position(vec2(3.875, 3.75))).unwrap();
    scene.attach(rod, Segment::new(vec2(-4.375, 0.0), vec2(0.0, 1.25))).unwrap();
    scene.attach(a, Segment::new(vec2(4.0, -3.5), vec2(-2.75, 0.0))).unwrap();
    scene.attach(plate, Rect::new(0.0, 2.75)).unwrap();
    scene.attach(a, Tiles::new(3, 3, vec2(3.0, 0.75), |column, row| 36_753 >> (row * 3 + column) & 1 == 1)).unwrap();
    scene.attach(b, Circle::point(vec2(2.5, 0.75))).unwrap();
    scene.attach(c, Rect::new(2.8, 0.25)).unwrap();
    // Without it, `a` would find a way out of the others.
    add(&mut scene, -8.2, 3.0, Segment::new(vec2(0.0, 20.0), vec2(0.0, -20.0)));
    scene.move_and_slide(b, vec2(-3.5, 3.0), &options()).unwrap();
    scene.push(rod, vec2(2.5, -1.25), &options()).unwrap();
    scene.move_and_slide(a, Vec2::ZERO, &options()).unwrap();
    scene.push(scene.root(), Motion::default().with_rotation(-1.1), &options()).unwrap();
    scene.move_and_slide(c, vec2(0.75, 0.0), &options()).unwrap();
    // The plate pushes `a`, which pushes `c` to where the plate arrives later.
    let pushed = scene.push(plate, vec2(1.75, 1.25), &options()).unwrap();
    assert!(pushed.pushed().iter().any(|pushed| pushed.node == c), "{pushed:?}");
    let [own, other] = [c, plate].map(|node| scene.colliders(node)[0]);
    assert!(scene.world().contact(own, other).is_none() || pushed.squeezed().contains(&c), "{pushed:?}");
}

#[test]
fn a_push_beyond_the_range_of_numbers_is_an_error_and_moves_nothing() {
    let mut scene = Scene::new();
    let (wall, _) = scene.add_with(Node::new("").with_position(vec2(3e38, 0.0)), Rect::new(1.0, 1.0));
    let result = scene.push(wall, vec2(3e38, 0.0), &MoveOptions::default());
    assert_eq!(result.unwrap_err(), SceneError::NotFinite(wall));
    assert_eq!((scene[wall].transform.position, scene.quarantined().len()), (vec2(3e38, 0.0), 0));
    assert!(scene.push(wall, vec2(-1e37, 0.0), &MoveOptions::default()).is_ok());
    assert!((scene[wall].transform.position.x - 2.9e38).abs() < 1e33);
}

#[test]
fn a_thin_press_passes_a_mover_without_room_and_reports_it() {
    let (mut scene, options) = (Scene::new(), MoveOptions::top_down());
    let press = add(&mut scene, -1.0, 0.0, Rect::new(0.02, 6.0));
    add(&mut scene, 3.0, 0.0, Rect::new(4.0, 6.0));
    for y in [-1.0, 1.0] {
        add(&mut scene, 0.0, y, Rect::new(9.0, 0.9));
    }
    let hero = add_mover(&mut scene, 0.0, 0.0, Circle::new(0.5));
    let pushed = scene.push(press, vec2(4.0, 0.0), &options).unwrap();
    assert_eq!(pushed.squeezed(), [hero]);
    assert!((pushed.travel_of(hero).x - 0.48).abs() < 0.01 && position(&scene, hero).x < 0.5, "it stays at the wall");
    assert!(!scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap().stuck, "the press is past it");
}

#[test]
fn a_push_that_overflows_below_a_small_parent_is_an_error() {
    for rotation in [0.0, std::f32::consts::FRAC_PI_4, 2.0] {
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("").with_rotation(rotation).with_scale(Vec2::splat(1e-20)));
        let wall = scene.add_child(parent, Node::new("")).unwrap();
        let result = scene.push(wall, vec2(2e19, 0.0), &MoveOptions::default());
        assert_eq!(result.unwrap_err(), SceneError::NotFinite(wall), "{rotation}");
        assert!(scene.push(wall, vec2(1e17, 0.0), &MoveOptions::default()).is_ok(), "{rotation}");
    }
}

#[test]
fn a_flipper_throws_the_same_movers_equally_far_anywhere() {
    let throw = |hinge: Vec2| {
        let mut scene = Scene::new();
        let flipper = add(&mut scene, hinge.x, hinge.y, Segment::new(Vec2::ZERO, vec2(4.0, 0.0)));
        let ways = [vec2(1.0, 0.25), vec2(2.0, 0.5), vec2(3.5, 0.125), vec2(3.0, 2.0), vec2(2.5, -0.5)];
        let movers = ways.map(|way| add_mover(&mut scene, hinge.x + way.x, hinge.y + way.y, Circle::new(0.0625)));
        let swing = Motion::default().with_rotation(1.25).with_pivot(hinge);
        let pushed = scene.push(flipper, swing, &MoveOptions::top_down()).unwrap();
        (movers.map(|mover| position(&scene, mover) - hinge), pushed.pushed().len())
    };
    let (expected, count) = throw(Vec2::ZERO);
    assert_eq!(count, 4, "all but the one below");
    for hinge in [vec2(64.0, -32.0), vec2(-8.0, 128.0)] {
        let (found, pushed) = throw(hinge);
        assert_eq!(pushed, count);
        assert!(found.iter().zip(expected).all(|(a, b)| a.distance(b) < 1e-3), "{hinge}: {found:?}, not {expected:?}");
    }
}

#[test]
fn the_next_move_of_a_rider_reports_how_far_pushes_have_carried_it() {
    let mut scene = Scene::new();
    let lift = add(&mut scene, 0.0, -0.5, Rect::new(6.0, 1.0));
    let hero = add_mover(&mut scene, 0.0, 0.51, Rect::new(1.0, 1.0));
    let crate_on_hero = add_mover(&mut scene, 0.0, 1.52, Rect::new(1.0, 1.0));
    let beside = add_mover(&mut scene, 3.6, -0.5, Rect::new(1.0, 1.0));
    for step in [vec2(0.5, 0.2), vec2(0.3, -0.1)] {
        scene.push(lift, step, &options()).unwrap();
    }
    for rider in [crate_on_hero, hero] {
        let moved = scene.move_and_slide(rider, vec2(0.1, -0.01), &options()).unwrap();
        assert!((moved.carried - vec2(0.8, 0.1)).length() < 1e-4, "{moved:?}");
        assert!((moved.travel - vec2(0.9, 0.1)).length() < 0.02, "{moved:?}");
        let moved = scene.move_and_slide(rider, vec2(0.1, -0.01), &options()).unwrap();
        assert_eq!(moved.carried, Vec2::ZERO, "each push is reported once");
    }
    let moved = scene.move_and_slide(beside, Vec2::ZERO, &options()).unwrap();
    assert_eq!(moved.carried, Vec2::ZERO, "a mover that was pushed aside did not ride");
    // A rider that was put elsewhere has not been carried.
    scene.push(lift, vec2(0.5, 0.0), &options()).unwrap();
    scene[hero].transform.position.x -= 0.1;
    assert_eq!(scene.move_and_slide(hero, Vec2::ZERO, &options()).unwrap().carried, Vec2::ZERO);
}

#[test]
fn a_mover_beside_the_end_of_a_turning_bar_is_not_squeezed() {
    let mut scene = Scene::new();
    let bar = add(&mut scene, 0.0, 0.0, Rect::new(4.0, 0.4));
    let ball = add_mover(&mut scene, 2.49, 0.34, Circle::new(0.5));
    let pushed = scene.push(bar, Motion::new(vec2(0.05, 0.0)).with_rotation(0.2), &options()).unwrap();
    assert_eq!(pushed.squeezed(), []);
    assert!(depth(&mut scene, ball) == 0.0 && pushed.travel_of(ball).length() < 0.2, "{pushed:?}");
}

#[test]
fn a_push_moves_nothing_behind_a_fence() {
    let mut scene = Scene::new();
    add(&mut scene, 0.0, 0.0, Segment::new(vec2(0.0, -9.0), vec2(0.0, 9.0)));
    let tank = add(&mut scene, -2.23, 0.0, Rect::new(2.0, 2.0));
    let [first, second, behind] = [-0.92, -0.31, 0.31].map(|x| add_mover(&mut scene, x, 0.0, Circle::new(0.3)));
    let pushed = scene.push(tank, vec2(0.1, 0.0), &MoveOptions::top_down()).unwrap();
    assert_eq!((pushed.squeezed(), pushed.travel_of(behind)), (&[first][..], Vec2::ZERO));
    assert!(pushed.travel_of(second).x < 0.01, "{pushed:?}");
}

#[test]
fn a_push_moves_nothing_behind_a_wall() {
    let mut scene = Scene::new();
    add(&mut scene, 3.25, 0.0, Rect::new(0.5, 20.0));
    let tank = add(&mut scene, -1.0, 0.0, Rect::new(2.0, 2.0));
    let [.., behind] = [0.5, 1.3, 3.85].map(|x| add_mover(&mut scene, x, 0.0, Circle::new(0.3)));
    // The front of the tank never reaches the wall.
    for frame in 0..37 {
        let pushed = scene.push(tank, vec2(0.08, 0.0), &MoveOptions::top_down()).unwrap();
        assert_eq!(pushed.travel_of(behind), Vec2::ZERO, "frame {frame}: {}", position(&scene, tank));
    }
}

#[test]
fn a_push_past_a_corner_displaces_a_round_mover_no_further_than_necessary() {
    let mut scene = Scene::new();
    add(&mut scene, 0.0, -0.5, Rect::new(60.0, 1.0));
    // The corner of the crusher is almost above the middle of the mover, which leaves it sideways.
    let crusher = add(&mut scene, 1.01, 3.0, Rect::new(2.0, 2.0));
    let body = Capsule::new(vec2(0.0, 0.4), vec2(0.0, 1.4), 0.4);
    let hero = add_mover(&mut scene, 0.0, 0.02, body);
    for _ in 0..40 {
        let pushed = scene.push(crusher, vec2(0.0, -0.05), &options()).unwrap();
        assert_eq!(pushed.squeezed(), []);
        assert!(pushed.travel_of(hero).length() < 0.2, "{pushed:?}");
        assert!(depth(&mut scene, hero) < 1e-4);
    }
    assert!((-0.43..-0.38).contains(&position(&scene, hero).x), "{}", position(&scene, hero));
}

#[test]
fn a_row_of_movers_in_the_open_has_room_whatever_the_length_of_the_pushes() {
    let forms: [(Attachment, f32); 2] = [(Circle::new(0.4).into(), 0.83), (Rect::new(0.8, 0.6).into(), 0.815)];
    for ((collider, spacing), count) in forms.iter().flat_map(|form| (1..6_u8).map(move |count| (form, count))) {
        for step in [0.003, 0.01, 0.013, 0.05, 0.4] {
            let mut scene = Scene::new();
            let wall = add(&mut scene, -0.5, 0.0, Rect::new(1.0, 9.0));
            let row: Vec<NodeId> = (0..count)
                .map(|i| add_mover(&mut scene, 0.42 + spacing * f32::from(i), 0.0, collider.clone()))
                .collect();
            for frame in 0..300 {
                let case = format!("{count} movers, steps of {step}, frame {frame}");
                let pushed = scene.push(wall, vec2(step, 0.0), &options()).unwrap();
                assert_eq!(pushed.squeezed(), [], "{case}");
                for mover in &row {
                    let moved = scene.move_and_slide(*mover, Vec2::ZERO, &MoveOptions::top_down()).unwrap();
                    assert!(!moved.stuck, "{case}");
                }
            }
            assert!(position(&scene, row[0]).x > position(&scene, wall).x + 0.9, "the wall pushes the row");
        }
    }
}

#[test]
fn a_flipper_finds_room_for_each_ball_of_a_cluster() {
    let (options, mut dice) = (MoveOptions::top_down(), Dice(11));
    for (count, round) in (2..8).flat_map(|count| (0..200).map(move |round| (count, round))) {
        let mut scene = Scene::new();
        let flipper = add(&mut scene, 0.0, 0.0, Capsule::new(Vec2::ZERO, vec2(2.0, 0.0), 0.1));
        let mut balls: Vec<NodeId> = Vec::new();
        while balls.len() < count {
            let place = vec2(dice.within(0.0..1.6), dice.within(0.32..1.5));
            if balls.iter().all(|ball| position(&scene, *ball).distance(place) > 0.42) {
                let ball = add(&mut scene, place.x, place.y, Circle::new(0.2));
                scene.move_and_slide(ball, Vec2::ZERO, &options).unwrap();
                balls.push(ball);
            }
        }
        let swing = Motion::default().with_rotation(dice.within(1.0..2.0));
        let pushed = scene.push(flipper, swing, &options).unwrap();
        assert_eq!(pushed.squeezed(), [], "{count} balls, round {round}");
        let world = scene.world();
        for ball in balls {
            let local = world.to_local(flipper, world.position(ball).unwrap()).unwrap();
            assert!(local.y > 0.0 || local.length() > 2.0, "{count} balls, round {round}: {local} is behind");
        }
    }
}

#[test]
fn a_mover_that_was_teleported_is_pushed_along_without_memory() {
    let mut scene = Scene::new();
    let lift = add(&mut scene, 0.0, 0.0, Rect::new(4.0, 0.4));
    let wall = add(&mut scene, 1.5, 0.71, Rect::new(1.0, 1.0));
    let [below, above] = [0.71, 1.72].map(|y| add(&mut scene, 0.0, y, Rect::new(1.0, 1.0)));
    for mover in [below, above] {
        scene.move_and_slide(mover, vec2(0.0, -0.05), &options()).unwrap();
    }
    // The lower one travels early, with the upper one.
    scene[lift].transform.position.y += 1.0;
    scene.move_and_slide(above, Vec2::ZERO, &options()).unwrap();
    // It is put 0.1 deep into the top of the wall, beside which it was.
    scene[below].transform.position = vec2(50.0, 0.9);
    scene[wall].transform.position = vec2(50.3, 0.0);
    add_mover(&mut scene, 48.98, 0.95, Rect::new(1.0, 0.8));
    let press = add(&mut scene, 47.0, 0.95, Rect::new(1.0, 0.8));
    scene.push(press, vec2(1.2, 0.0), &options()).unwrap();
    let before = position(&scene, below);
    let moved = scene.move_and_slide(below, Vec2::ZERO, &options()).unwrap();
    assert!((moved.travel - (position(&scene, below) - before)).length() < 1e-4, "{moved:?}");
    assert!(moved.travel.x.abs() < 0.02 && moved.travel.y > 0.05, "the shortest way out is up: {moved:?}");
}

#[test]
fn a_rider_that_is_pushed_along_still_follows_a_lift_that_is_far_below() {
    for pushes in [false, true] {
        let mut scene = Scene::new();
        let lift = add(&mut scene, 0.0, 0.0, Rect::new(40.0, 0.4));
        let rider = add(&mut scene, 0.0, 0.71, Rect::new(1.0, 1.0));
        scene.move_and_slide(rider, vec2(0.0, -0.05), &options()).unwrap();
        add_mover(&mut scene, -1.02, 0.9, Rect::new(1.0, 1.0));
        let press = add(&mut scene, -3.0, 0.9, Rect::new(1.0, 1.0));
        scene[lift].transform.position.y -= 5.0;
        if pushes {
            let pushed = scene.push(press, vec2(1.2, 0.0), &options()).unwrap();
            assert!(pushed.travel_of(rider).x > 0.1);
        }
        scene.move_and_slide(rider, Vec2::ZERO, &options()).unwrap();
        assert!((position(&scene, rider).y + 4.29).abs() < 0.02, "{pushes}: {}", position(&scene, rider));
    }
}

#[test]
fn a_push_carries_riders_of_every_gravity_all_the_way() {
    for displacement in [vec2(0.1, 0.0), vec2(1.0, 0.0), vec2(-4.0, 0.0), vec2(-2.0, 3.0)] {
        for riders in [1, 2] {
            let mut scene = Scene::new();
            let (lift, _) = scene.add_with(Node::new("lift"), Rect::new(6.0, 0.4));
            let hanging = MoveOptions { up: -Vec2::Y, ..options() };
            let movers: Vec<_> = (0..riders)
                .map(|row: u8| {
                    let node = Node::new("hanging").with_position(vec2(0.0, -0.71 - 1.01 * f32::from(row)));
                    let (mover, _) = scene.add_with(node, Rect::new(1.0, 1.0));
                    scene.move_and_slide(mover, vec2(0.0, 0.05), &hanging).unwrap();
                    mover
                })
                .collect();
            let pushed = scene.push(lift, displacement, &options()).unwrap();
            for mover in movers {
                let (travel, case) = (pushed.travel_of(mover), format!("{displacement}, {riders} riders"));
                assert!(travel.abs_diff_eq(displacement, 1e-3), "{case}: {travel}");
                let moved = scene.move_and_slide(mover, vec2(0.0, 0.05), &hanging).unwrap();
                assert!(moved.carried.abs_diff_eq(displacement, 1e-3), "{case}: {moved:?}");
            }
        }
    }
}

#[test]
fn a_push_that_turns_a_planet_carries_riders_of_every_gravity_all_the_way() {
    for (x, rotation) in [(0.09, -0.015), (0.0, 0.2), (1.0, -0.4)] {
        let travel = |up: Vec2| {
            let mut scene = Scene::new();
            let (planet, _) = scene.add_with(Node::new("planet"), Circle::new(2.0));
            let capsule = Capsule::new(vec2(0.0, -0.2), vec2(0.0, 0.2), 0.25);
            let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 2.5)), capsule);
            scene.move_and_slide(hero, vec2(0.0, -0.1), &options()).unwrap();
            let motion = Motion::new(vec2(x, 0.0)).with_rotation(rotation);
            scene.push(planet, motion, &MoveOptions { up, ..options() }).unwrap().travel_of(hero)
        };
        for up in [Vec2::ZERO, -Vec2::Y] {
            assert!(travel(up).abs_diff_eq(travel(Vec2::Y), 0.01), "{x}, {rotation}, {up}: {}", travel(up));
        }
    }
}

#[test]
fn a_push_does_not_report_a_rider_without_a_finite_place() {
    for is_parent in [false, true] {
        let mut scene = Scene::new();
        let lift = add(&mut scene, 0.0, 0.0, Rect::new(4.0, 0.4));
        let level = scene.add(Node::new("level"));
        let hero =
            scene.add_child_with(level, Node::new("hero").with_transform(at(0.0, 0.8)), Circle::new(0.5)).unwrap().0;
        assert!(scene.move_and_slide(hero, vec2(0.0, -0.2), &options()).unwrap().floor.is_some());
        let old = scene[hero].transform;
        scene[if is_parent { level } else { hero }].transform.position.x = f32::NAN;
        let pushed = scene.push(lift, vec2(0.0, 1.0), &options()).unwrap();
        assert!(pushed.pushed().is_empty() && pushed.squeezed().is_empty(), "{pushed:?}");
        assert_eq!(scene[hero].transform.position.y, old.position.y);
    }
}

#[test]
fn a_leaning_door_pushes_a_row_of_movers_no_further_than_it_moves() {
    let mut dice = Dice(3);
    for round in 0..400 {
        let is_on_ground = round % 2 == 0;
        let options = if is_on_ground { options() } else { MoveOptions::top_down() };
        let fall = if is_on_ground { vec2(0.0, -0.05) } else { Vec2::ZERO };
        let mut scene = Scene::new();
        if is_on_ground {
            add(&mut scene, -50.0, -1.0, Rect::new(140.0, 2.0));
        }
        let (mut row, mut left) = (Vec::new(), 0.0);
        for _ in 0..2 + dice.below(3) {
            let (radius, half_height) = (dice.within(0.2..0.6), dice.within(0.25..0.8));
            let (mover, height): (Attachment, f32) = match dice.below(3) {
                0 => (Rect::new(2.0 * radius, 2.0 * half_height).into(), half_height),
                1 => (Circle::new(radius).into(), radius),
                _ => (Capsule::new(vec2(0.0, -0.3), vec2(0.0, 0.3), radius).into(), radius + 0.3),
            };
            let mover = add(&mut scene, left - radius, height + 0.01, mover);
            scene.move_and_slide(mover, fall, &options).unwrap();
            row.push(mover);
            left -= 2.0 * radius + 0.02;
        }
        let door = add(&mut scene, 0.6, 2.3, Rect::new(0.3, 4.5));
        scene[door].transform.rotation = dice.within(-0.1..0.1);
        for frame in 0..25 {
            let pushed = scene.push(door, vec2(-0.1, 0.0), &options).unwrap();
            assert_eq!(pushed.squeezed(), [], "round {round}, frame {frame}");
            for mover in row.iter().rev() {
                let travel = pushed.travel_of(*mover).length();
                assert!(travel < 0.15, "round {round}, frame {frame}: {travel}");
                scene.move_and_slide(*mover, fall, &options).unwrap();
            }
        }
    }
}

#[test]
fn a_row_of_crates_is_pushed_up_a_ramp() {
    let (mut scene, options) = (Scene::new(), options());
    let ground = [vec2(9.0, 0.0), vec2(-1.5, 0.0), vec2(-9.5, 3.0), vec2(-20.0, 3.0)];
    add(&mut scene, 0.0, 0.0, Polyline::new(&ground).unwrap());
    let row = [-1.0, -0.1, 0.8].map(|x| add_mover(&mut scene, x, 0.41, Circle::new(0.4)));
    let wall = add(&mut scene, 1.5, 2.5, Rect::new(0.3, 5.0));
    for frame in 0..100 {
        let pushed = scene.push(wall, vec2(-0.05, 0.0), &options).unwrap();
        assert_eq!(pushed.squeezed(), [], "frame {frame}");
        for mover in row {
            scene.move_and_slide(mover, vec2(0.0, -0.02), &options).unwrap();
        }
    }
    assert!(position(&scene, row[0]).y > 1.5, "{}", position(&scene, row[0]));
}

#[test]
fn a_node_that_was_pushed_around_a_resting_mover_pushes_it_from_its_new_side() {
    for (x, height) in [(-0.85, 1.0), (-0.75, 1.0), (-0.75, 3.0)] {
        let (mut scene, options) = (Scene::new(), MoveOptions::top_down());
        let crate_node = add_mover(&mut scene, 0.0, 0.0, Circle::new(0.5));
        let bar = add(&mut scene, x, 0.0, Rect::new(0.4, height));
        scene.move_and_slide(crate_node, Vec2::ZERO, &options).unwrap();
        for (way, times) in [((0.0, 0.1), 30), ((0.1, 0.0), 20), ((0.0, -0.1), 30), ((-0.1, 0.0), 6)] {
            for _ in 0..times {
                scene.push(bar, Vec2::from(way), &options).unwrap();
            }
        }
        let [crate_x, bar_x] = [crate_node, bar].map(|node| position(&scene, node).x);
        assert!(crate_x <= 0.0 && bar_x - crate_x > 0.7, "{x}, {height}: {crate_x} beside {bar_x}");
    }
}

#[test]
fn the_memory_of_a_resting_mover_forgets_removed_nodes() {
    let (mut scene, options) = (Scene::new(), MoveOptions::top_down());
    add_mover(&mut scene, 0.0, 0.0, Rect::new(1.0, 1.0));
    let mut sizes = [0, 0];
    for size in &mut sizes {
        for _ in 0..100 {
            // Its box meets that of the mover, and its shape does not.
            let arrow = Node::new("arrow").with_position(vec2(1.0, 1.0)).with_rotation(2.356);
            let (arrow, _) = scene.add_with(arrow, Rect::new(2.0, 0.1));
            assert_eq!(scene.push(arrow, vec2(0.01, -0.01), &options).unwrap().pushed(), []);
            scene.remove(arrow);
        }
        *size = to_bytes(&scene).len();
    }
    assert_eq!(sizes[0], sizes[1]);
}

#[test]
fn a_push_of_a_chain_of_movers_does_not_depend_on_where_their_level_was_at_their_last_moves() {
    let travels = |level: Transform| {
        let (mut scene, options) = (Scene::new(), MoveOptions::top_down());
        let plate = add(&mut scene, 0.0, 0.0, Rect::new(8.0, 0.02));
        scene[plate].transform.rotation = 0.3;
        let boxes = [vec2(0.0, 0.676), vec2(1.001, 0.986)].map(|at| add(&mut scene, at.x, at.y, Rect::new(1.0, 1.0)));
        for node in boxes {
            scene.move_and_slide(node, Vec2::ZERO, &options).unwrap();
        }
        let root = scene.root();
        scene[root].transform = level;
        let way = level.to_affine().transform_vector2(vec2(0.1, 0.5));
        let pushed = scene.push(plate, Motion::new(way).with_rotation(-0.05), &options).unwrap();
        assert_eq!(pushed.squeezed(), []);
        let back = level.to_affine().inverse();
        boxes.map(|node| back.transform_vector2(pushed.travel_of(node)))
    };
    let still = travels(Transform::IDENTITY);
    for level in
        [at(8.0, 0.0), at(0.0, -16.0), Transform::IDENTITY.with_rotation(1.5), at(3.0, 2.0).with_rotation(-2.0)]
    {
        let moved = travels(level);
        let is_same = still.iter().zip(&moved).all(|(a, b)| a.distance(*b) < 0.02);
        assert!(is_same, "{moved:?}, not {still:?}, after {level:?}");
    }
}

#[test]
fn a_rider_that_another_mover_pushes_first_rides_its_lift_that_has_moved() {
    let ways: [&dyn Fn(&mut Scene, NodeId, Vec2); 2] =
        [&|scene, lift, by| scene[lift].transform.position += by, &|scene, lift, by| {
            _ = scene.move_and_slide(lift, by, &MoveOptions::top_down()).unwrap();
        }];
    for (way, one_way) in ways.into_iter().flat_map(|way| [(way, true), (way, false)]) {
        for (by, sinks, is_stack) in [0.05, 0.2, 0.5].into_iter().flat_map(|by| {
            [-0.02, 0.0, 0.02, -0.2, 0.2].into_iter().flat_map(move |sinks| [(by, sinks, true), (by, sinks, false)])
        }) {
            let (mut scene, options) = (Scene::new(), MoveOptions::default());
            let mut plank = Attachment::new(Rect::new(9.0, 0.2).at(vec2(0.0, -0.1)));
            if one_way {
                plank = plank.one_way(Vec2::Y);
            }
            let (lift, _) = scene.add_with(Node::new("lift"), plank);
            let mut add = |y: f32| scene.add_with(Node::new("").with_position(vec2(0.0, y)), Rect::new(1.0, 1.0)).0;
            let [hero, between, press] = [add(0.52), add(1.53), add(2.54)];
            scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap();
            scene.move_and_slide(between, vec2(0.0, if is_stack { -0.1 } else { 0.0 }), &options).unwrap();
            way(&mut scene, lift, vec2(0.0, sinks));
            let pushed = scene.push(press, vec2(0.0, -by), &options).unwrap();
            let moved = scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap();
            let [hero_y, lift_y] = [hero, lift].map(|node| scene[node].transform.position.y);
            let gap = hero_y - lift_y - 0.5;
            let has_no_room = pushed.squeezed().contains(&hero) || moved.stuck;
            assert!(
                (gap > -1e-4 && gap < 0.021) || has_no_room,
                "{by} {sinks} {is_stack} {one_way}: {gap} {pushed:?} {moved:?}"
            );
        }
    }
}

#[test]
fn a_rider_that_is_pushed_aside_rides_its_lift_that_has_moved_once() {
    for is_in_front in [false, true] {
        let mut scene = Scene::new();
        let lift = add(&mut scene, 0.0, 0.0, Rect::new(9.0, 1.0));
        let hero = add_mover(&mut scene, 0.0, 1.02, Rect::new(1.0, 1.0));
        let crate_between = is_in_front.then(|| add_mover(&mut scene, -1.05, 1.02, Rect::new(1.0, 1.0)));
        for mover in crate_between.into_iter().chain([hero]) {
            scene.move_and_slide(mover, vec2(0.0, -0.1), &options()).unwrap();
        }
        let block = add(&mut scene, if is_in_front { -2.1 } else { -1.05 }, 1.6, Rect::new(1.0, 1.0));
        scene[lift].transform.position += vec2(0.125, 0.25);
        let before = scene[hero].transform.position;
        let pushed = scene.push(block, vec2(0.5, 0.0), &options()).unwrap();
        let travel = scene[hero].transform.position - before;
        assert_eq!(pushed.travel_of(hero), travel);
        assert!(travel.x > 0.3 && (travel.y - 0.25).abs() < 1e-4, "{is_in_front}: {travel}");
        let moved = scene.move_and_slide(hero, Vec2::ZERO, &options()).unwrap();
        assert!(moved.carried == Vec2::ZERO && moved.travel.length() < 1e-4, "{is_in_front}: {moved:?}");
    }
}

#[test]
fn a_mover_is_pushed_back_if_its_lift_would_carry_it_through_the_pusher() {
    for by in [0.0, 1.0, 2.0, 4.0] {
        let mut scene = Scene::new();
        let lift = add(&mut scene, 0.0, -0.5, Rect::new(60.0, 1.0));
        let [hero, behind] = [0.0, -1.05].map(|x| add_mover(&mut scene, x, 0.52, Rect::new(1.0, 1.0)));
        for mover in [hero, behind, hero, behind] {
            scene.move_and_slide(mover, vec2(0.0, -0.1), &options()).unwrap();
        }
        let pusher = add(&mut scene, 1.1, 0.8, Rect::new(1.0, 1.0));
        scene[lift].transform.position.x += by;
        let pushed = scene.push(pusher, vec2(-0.5, 0.0), &options()).unwrap();
        let x = scene[behind].transform.position.x;
        assert!(pushed.squeezed().is_empty() && x > -1.6, "{by}: {x} {pushed:?}");
    }
}

#[test]
fn a_falling_stack_that_a_press_pushes_down_is_free_afterwards() {
    let mut scene = Scene::new();
    let press = add(&mut scene, 0.0, 0.0, Rect::new(1.8, 0.06));
    let stack = [(-2.0, 0.5, 0.88), (-3.0, 0.5, 0.88), (-4.0, 0.7, 0.5)];
    let movers = stack.map(|(y, width, height)| add_mover(&mut scene, 0.0, y, Rect::new(width, height)));
    for mover in movers {
        scene.move_and_slide(mover, vec2(0.0, -0.3), &options()).unwrap();
    }
    assert!(scene.push(press, vec2(0.0, -3.0), &options()).unwrap().squeezed().is_empty());
    for frame in 0..3 {
        for mover in movers {
            let moved = scene.move_and_slide(mover, Vec2::ZERO, &options()).unwrap();
            assert!(!moved.stuck, "frame {frame}: {moved:?}");
        }
    }
}

#[test]
fn a_press_that_reaches_a_stack_lifts_all_of_it_or_reports_what_has_no_room() {
    for (ceiling, boxes, by) in [(9.0, 2, 0.3), (9.0, 3, 1.0), (3.1, 2, 0.3), (3.1, 2, 0.2), (4.2, 3, 0.6)] {
        let mut scene = Scene::new();
        add(&mut scene, 0.0, ceiling, Rect::new(9.0, 1.0));
        let press = add(&mut scene, 0.0, 0.0, Rect::new(0.8, 0.8));
        let stack: Vec<NodeId> = (0..boxes)
            .map(|index| add_mover(&mut scene, 0.0, 1.0 + 1.02 * index as f32, Rect::new(1.0, 1.0)))
            .collect();
        for mover in &stack[1..] {
            scene.move_and_slide(*mover, vec2(0.0, -0.05), &options()).unwrap();
        }
        let pushed = scene.push(press, vec2(0.0, by), &options()).unwrap();
        for pair in stack.windows(2) {
            let gap = scene[pair[1]].transform.position.y - scene[pair[0]].transform.position.y - 1.0;
            let has_room = !pair.iter().any(|mover| pushed.squeezed().contains(mover));
            assert!(gap > -1e-4 || !has_room, "{ceiling} {boxes} {by}: {gap} {pushed:?}");
        }
        for mover in &stack {
            let moved = scene.move_and_slide(*mover, Vec2::ZERO, &options()).unwrap();
            assert!(!moved.stuck || !pushed.squeezed().is_empty(), "{ceiling} {boxes} {by}: {moved:?}");
        }
    }
}

#[test]
fn a_corner_that_grazes_a_mover_does_not_drag_it_along() {
    let options = MoveOptions::top_down();
    for parts in [1, 2, 3, 6] {
        let mut scene = Scene::new();
        let bar = Node::new("bar").with_position(vec2(-0.8650031, -2.1160982)).with_rotation(-1.9427464);
        let (bar, _) = scene.add_with(bar, Rect::new(8.0, 0.3));
        let start = vec2(-2.7817717, -5.8442545);
        let ball = add(&mut scene, start.x, start.y, Circle::new(0.3));
        scene.move_and_slide(ball, Vec2::ZERO, &options).unwrap();
        let (turn, shift, pivot) = (-0.19345039, vec2(-0.14293379, 0.27671927), vec2(1.5324426, -0.69397616));
        for part in 0..parts {
            let n = parts as f32;
            let motion = Motion::new(shift / n).with_rotation(turn / n).with_pivot(pivot + shift * (part as f32 / n));
            assert!(scene.push(bar, motion, &options).unwrap().squeezed().is_empty());
        }
        let travel = position(&scene, ball).distance(start);
        assert!(travel < 0.1, "the end of the bar overlaps the ball by 0.03 on its way: {parts} {travel}");
    }
}

#[test]
fn riders_of_a_rising_lift_push_those_that_hang_above_them() {
    for riders in [1, 2, 3] {
        for above in [1, 2] {
            let mut scene = Scene::new();
            let lift = add(&mut scene, 0.0, 0.0, Rect::new(4.0, 0.4));
            let mut y = 0.66;
            let movers: Vec<_> = (0..riders + above)
                .map(|index| {
                    y += if index < riders { 0.0 } else { 0.02 };
                    let mover = add(&mut scene, 0.0, y, Rect::new(0.9, 0.9));
                    let fall = if index < riders { -0.02 } else { 0.0 };
                    let moved = scene.move_and_slide(mover, vec2(0.0, fall), &options()).unwrap();
                    assert_eq!(moved.floor.is_some(), index < riders);
                    y += 0.91;
                    mover
                })
                .collect();
            for frame in 1..=20_u8 {
                let pushed = scene.push(lift, vec2(0.0, 0.05), &options()).unwrap();
                assert!(pushed.squeezed().is_empty(), "{riders} riders, {above} above, frame {frame}: {pushed:?}");
                for (index, mover) in movers.iter().enumerate() {
                    let place = position(&scene, *mover);
                    let least = 0.65 + 0.9 * index as f32 + 0.05 * f32::from(frame);
                    assert!(place.x == 0.0 && place.y > least, "{riders} riders, {above} above, {index}: {place}");
                    assert!(place.y < least + 0.2, "{riders} riders, {above} above, {index}: {place}");
                }
            }
        }
    }
}

/// The first mover comes into the skin of the second one, which has made way by what the first one needs. A chain had only
/// the movers on the path itself, so the second one stayed, and stopped the first one a little before it had made way.
#[test]
fn a_mover_that_a_tip_grazes_finds_room_beside_another_one() {
    let options = MoveOptions::top_down();
    let mut scene = Scene::new();
    let [from, to] = [vec2(0.86617833, -3.1085687), vec2(-0.86617833, 3.1085687)];
    let hub = vec2(0.19439834, -1.7815675);
    let (bar, _) = scene.add_with(Node::new("bar").with_position(hub), Segment::new(from, to));
    let boxes = [vec2(2.482809, -3.9526796), vec2(1.3358026, -4.1237187)];
    let boxes = boxes.map(|at| add(&mut scene, at.x, at.y, Rect::new(0.6, 0.6)));
    for mover in boxes {
        scene.move_and_slide(mover, Vec2::ZERO, &options).unwrap();
    }
    let (turn, shift, pivot) = (0.65999144, vec2(0.013436317, 1.6375089), vec2(-0.33678442, -1.7097894));
    for part in 0..20 {
        let motion =
            Motion::new(shift / 20.0).with_rotation(turn / 20.0).with_pivot(pivot + shift * (part as f32 / 20.0));
        let pushed = scene.push(bar, motion, &options).unwrap();
        assert!(pushed.squeezed().is_empty(), "both are in the open: {part}");
    }
}
