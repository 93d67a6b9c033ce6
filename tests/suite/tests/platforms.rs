//! Platforms: one-way colliders, and movers that ride.

use std::f32::consts::FRAC_PI_2;

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Circle, Compound, MoveHit, MoveOptions, MoveResponse, Node, NodeId, Polyline, QueryFilter, Rect, Scene,
    Segment, Transform, World,
};
use support::at;
use support::dice::Dice;
use support::moves::{add_at, assert_fractions, depth, movers, options, position, slide};

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

/// Returns a scene with a cart, which has thin walls above the height of a crate on it, and the crate.
fn cart_with_walls(walls: [f32; 2]) -> (Scene, [NodeId; 2]) {
    let mut scene = Scene::new();
    let cart = add_at(&mut scene, at(0.0, 0.0), Rect::new(40.0, 1.0).at(vec2(0.0, -0.5)));
    for x in walls {
        scene.attach(cart, Segment::new(vec2(x, 1.2), vec2(x, 6.0))).unwrap();
    }
    let crate_ = add_at(&mut scene, at(0.0, 0.51), Rect::new(1.0, 1.0));
    slide(&mut scene, crate_, 0.0, -0.1);
    (scene, [cart, crate_])
}

#[test]
fn the_order_of_a_stack_on_a_cart_with_walls_does_not_matter() {
    for (gap, speed) in [(0.05, 0.3), (0.05, 0.5), (0.05, -0.7), (0.4, 1.0), (0.4, -3.0), (2.0, 9.0)] {
        for hero_first in [false, true] {
            let (mut scene, [cart, crate_]) = cart_with_walls([-0.2 - gap, 0.2 + gap]);
            let hero = add_at(&mut scene, at(0.0, 1.25), Rect::new(0.4, 0.4));
            for frame in 0..10 {
                if frame > 3 {
                    scene[cart].transform.position.x += speed;
                }
                for node in if hero_first { [hero, crate_] } else { [crate_, hero] } {
                    slide(&mut scene, node, 0.0, -0.1);
                }
            }
            let place = position(&scene, hero) - position(&scene, cart);
            assert!(place.abs_diff_eq(vec2(0.0, 1.22), 1e-3), "{gap}, {speed}, {hero_first}: {place}");
        }
    }
}

#[test]
fn the_walls_of_a_cart_stop_no_rider_of_another_part_of_the_cart() {
    let walls = [-1.0, 1.0].map(|x: f32| Attachment::new(Rect::new(0.1, 6.0).at(vec2(x, 3.0))));
    for (speed, has_crate) in [0.3, -1.2, 3.0, -9.0].into_iter().flat_map(|speed| [(speed, false), (speed, true)]) {
        for hero_first in [false, true] {
            let mut scene = Scene::new();
            let cart = scene.add(Node::new("cart"));
            let floor = scene.add_child(cart, Node::new("floor")).unwrap();
            scene.attach(floor, Rect::new(4.0, 0.4)).unwrap();
            for wall in &walls {
                scene.add_child_with(cart, Node::new("wall"), wall.clone()).unwrap();
            }
            let crate_ = scene.add_child(floor, Node::new("crate").with_position(vec2(0.0, 0.46))).unwrap();
            if has_crate {
                scene.attach(crate_, Rect::new(1.0, 0.5)).unwrap();
            }
            let hero = add_at(&mut scene, at(0.0, 1.3), Rect::new(0.6, 1.0));
            for frame in 0..10 {
                if frame > 3 {
                    scene[cart].transform.position.x += speed;
                }
                for node in if hero_first { [hero, crate_] } else { [crate_, hero] } {
                    slide(&mut scene, node, 0.0, -0.2);
                }
            }
            let place = position(&scene, hero).x - position(&scene, cart).x;
            assert!(place.abs() < 1e-3, "{speed}, {has_crate}, {hero_first}: {place}");
        }
    }
}

#[test]
fn a_crate_that_follows_its_platform_late_carries_no_rider_through_a_wall_of_that() {
    for hero_moves_again in [false, true] {
        let (mut scene, [cart, crate_]) = cart_with_walls([-2.0, -8.0]);
        let hero = add_at(&mut scene, at(0.0, 9.0), Rect::new(0.4, 0.4));
        // A wall passes below the hero.
        scene[cart].transform.position.x = 3.0;
        assert_eq!(slide(&mut scene, hero, 0.0, -9.0).floor.map(|hit| hit.side.node), Some(crate_));
        if hero_moves_again {
            slide(&mut scene, hero, 0.0, -0.1);
        }
        slide(&mut scene, crate_, 0.0, -0.1);
        slide(&mut scene, hero, 0.0, -0.1);
        assert!(position(&scene, crate_).x > 2.9 && position(&scene, hero).x < 0.81, "{}", position(&scene, hero));
        assert_eq!(depth(&mut scene, hero), 0.0);
    }
}

#[test]
fn a_crate_that_follows_its_platform_in_the_same_frame_carries_no_rider_into_a_wall_of_that() {
    let (mut scene, [cart, crate_]) = cart_with_walls([0.2, 9.0]);
    let hero = add_at(&mut scene, at(0.03, 1.6), Rect::new(0.4, 0.4));
    slide(&mut scene, hero, 0.0, -0.1);
    scene[cart].transform.position.x += 0.05;
    let landed = slide(&mut scene, hero, 0.06, -1.0);
    assert!(landed.floor.is_some_and(|hit| hit.side.node == crate_) && landed.wall.is_some(), "{landed:?}");
    slide(&mut scene, crate_, 0.0, -0.1);
    assert_eq!(depth(&mut scene, hero), 0.0);
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
fn a_one_way_ledge_whose_width_is_scaled_to_zero_lets_jumps_through_and_holds_landings() {
    for (x, rotation) in [1.0, 1e-30, -1e-30, 0.0, -0.0].into_iter().flat_map(|x| [(x, 0.0), (x, 0.3)]) {
        let mut scene = Scene::new();
        let ledge = Node::new("ledge").with_scale(vec2(x, 1.0)).with_rotation(rotation);
        scene.add_with(ledge, Attachment::new(Rect::new(4.0, 0.5)).one_way(Vec2::Y));
        let (ball, _) = scene.add_with(Node::new("ball").with_position(vec2(0.0, -2.0)), Circle::new(0.3));
        let jump = scene.move_and_collide(ball, vec2(0.0, 4.0), &MoveOptions::default()).unwrap();
        assert!(jump.hits().is_empty(), "scale {x}: {:?}", jump.hits());
        let landing = scene.move_and_collide(ball, vec2(0.0, -4.0), &MoveOptions::default()).unwrap();
        assert_eq!(landing.hits().len(), 1, "scale {x}");
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
fn a_mover_passes_the_same_one_way_ledge_and_coin_however_it_rises() {
    let down = vec2(0.0, -0.05);
    let names = ["moves itself", "a lift carries it", "its rider is moved first"];
    let passed = names.map(|name| {
        let mut scene = Scene::new();
        let lift = add_at(&mut scene, Transform::IDENTITY, Rect::new(4.0, 0.4));
        let [low, top] = [0.71, 1.72].map(|y| add_at(&mut scene, at(0.0, y), Rect::new(1.0, 1.0)));
        // The mover begins inside the first ledge.
        for y in [0.9, 2.6] {
            add_at(&mut scene, at(0.9, y), Attachment::new(Rect::new(1.0, 0.2)).one_way(Vec2::Y));
        }
        add_at(&mut scene, at(-0.3, 2.6), Attachment::new(Circle::new(0.1)).sensor());
        for mover in [low, top] {
            slide(&mut scene, mover, down.x, down.y);
        }
        let moved = if name == "moves itself" {
            scene.remove(top);
            slide(&mut scene, low, 0.0, 4.0)
        } else {
            scene[lift].transform.position.y += 4.0;
            if name == "its rider is moved first" {
                slide(&mut scene, top, down.x, down.y);
            }
            slide(&mut scene, low, down.x, down.y)
        };
        assert!((moved.travel + moved.carried).y > 3.9, "{name}: {moved:?}");
        let mut passed: Vec<_> = moved.passed().iter().map(|hit| hit.side.node).collect();
        passed.sort_unstable();
        passed
    });
    assert_eq!(passed[0].len(), 3);
    for (name, passed_so) in names.iter().zip(&passed) {
        assert_eq!(passed_so, &passed[0], "{name}");
    }
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
fn a_rider_does_not_pass_what_moves_with_its_platform() {
    // The sensors of a lift are below the hero, around him, at his side and above him; so is a plate that he may pass.
    let plate = Attachment::new(Rect::new(4.0, 0.2).at(vec2(0.0, 2.0))).one_way(Vec2::Y);
    let sensors = [vec2(0.0, -0.2), vec2(0.0, 0.5), vec2(1.5, 0.5), vec2(0.0, 3.0)];
    for (pushes, x, rise) in [(false, 0.0, 3.0), (false, 2.0, -3.0), (true, 0.0, 3.0), (true, -2.0, -3.0)] {
        let mut scene = Scene::new();
        let (lift, _) = scene.add_with(Node::new("lift"), Rect::new(4.0, 0.4));
        let [below, around, beside, above] =
            sensors.map(|place| scene.attach(lift, Attachment::new(Circle::new(0.2).at(place)).sensor()).unwrap());
        scene.attach(lift, plate.clone()).unwrap();
        let gate = add_at(&mut scene, at(x, 0.71 + 0.5 * rise), Attachment::new(Circle::new(0.1)).sensor());
        let gate = scene.colliders(gate)[0];
        let hero = add_at(&mut scene, at(0.0, 0.75), Circle::new(0.5));
        let passed = |scene: &mut Scene, x: f32| -> Vec<_> {
            let moved = slide(scene, hero, x, -0.1);
            moved.passed().iter().map(|hit| (hit.side.collider, hit.began_inside)).collect()
        };
        assert_eq!(passed(&mut scene, 0.0), [(around, true)]);
        if pushes {
            scene.push(lift, vec2(x, rise), &options()).unwrap();
        } else {
            scene[lift].transform.position += vec2(x, rise);
        }
        let found = passed(&mut scene, 0.0);
        assert_eq!(found.iter().filter(|(_, began_inside)| *began_inside).collect::<Vec<_>>(), [&(around, true)]);
        assert!(found.iter().all(|(id, _)| [around, gate].contains(id)), "{pushes}, {rise}: {found:?}");
        assert!(x != 0.0 || found.contains(&(gate, false)), "{pushes}, {rise}: {found:?}");
        // He passes what he walks into on the lift.
        scene[lift].transform.position.y += rise;
        assert_eq!(passed(&mut scene, 1.5), [(around, true), (beside, false)], "not {below:?} or {above:?}");
    }
}

#[test]
fn a_rider_passes_the_coins_of_the_floor_on_which_its_lift_sets_it_down() {
    // The coin is a child of the level, whose own collider is the floor, or of the ship in which the lift moves.
    let mut scene = Scene::new();
    let level = add_at(&mut scene, at(0.0, 0.0), Rect::new(20.0, 1.0));
    let coin = Attachment::new(Circle::new(0.1)).sensor();
    let (coin, _) = scene.add_child_with(level, Node::new("coin").with_position(vec2(0.0, 3.5)), coin).unwrap();
    let lift = add_at(&mut scene, at(-0.3, 4.0), Rect::new(0.4, 0.4));
    let hero = add_at(&mut scene, at(0.0, 4.75), Rect::new(0.8, 1.0));
    assert_eq!(slide(&mut scene, hero, 0.0, -0.1).floor.unwrap().side.node, lift);
    scene.push(lift, vec2(0.0, -2.7), &options()).unwrap();
    scene.push(lift, vec2(0.0, -1.5), &options()).unwrap();
    let moved = slide(&mut scene, hero, 0.0, 0.0);
    assert_eq!(moved.floor.unwrap().side.node, level);
    assert_eq!(moved.passed().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [coin]);

    let mut scene = Scene::new();
    let ship = scene.add(Node::new("ship"));
    let coin = Attachment::new(Circle::new(0.1)).sensor();
    let (coin, _) = scene.add_child_with(ship, Node::new("coin").with_position(vec2(0.0, 2.5)), coin).unwrap();
    let (lift, _) = scene.add_child_with(ship, Node::new("lift"), Rect::new(4.0, 0.4)).unwrap();
    let hero = add_at(&mut scene, at(0.0, 0.75), Rect::new(0.8, 1.0));
    slide(&mut scene, hero, 0.0, -0.1);
    scene.push(lift, vec2(0.0, 4.0), &options()).unwrap();
    scene[ship].transform.position.x += 0.2;
    let moved = slide(&mut scene, hero, 0.0, -0.1);
    assert_eq!(moved.passed().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [coin]);
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

/// Returns how far a rider falls behind a lift that moves by 0.5 after `reparent` has given the two other parents. The
/// rider is a child of the ship if it is `aboard`; then the ship moves.
fn slip(aboard: bool, reparent: fn(&mut Scene, [NodeId; 3])) -> f32 {
    let mut scene = Scene::new();
    let ship = scene.add(Node::new("ship").with_position(vec2(1.0, 2.0)));
    let lift = add_at(&mut scene, at(0.0, 0.0), Rect::new(6.0, 0.4));
    let hero = add_at(&mut scene, at(0.0, 0.71), Circle::new(0.5));
    if aboard {
        scene.set_parent_in_place(hero, ship).unwrap();
    }
    scene.push(lift, vec2(0.01, 0.0), &options()).unwrap();
    slide(&mut scene, hero, 0.0, -0.05);
    reparent(&mut scene, [lift, hero, ship]);
    scene[if aboard { ship } else { lift }].transform.position.x += 0.5;
    slide(&mut scene, hero, 0.0, -0.05);
    let world = scene.world();
    world.position(hero).unwrap().x - world.position(lift).unwrap().x
}

#[test]
fn a_rider_is_carried_once_after_it_or_its_platform_gets_another_parent_in_place() {
    let platform_comes_aboard = slip(true, |scene, [lift, _, ship]| scene.set_parent_in_place(lift, ship).unwrap());
    let both_come_aboard = slip(false, |scene, [lift, hero, ship]| {
        scene.set_parent_in_place(lift, ship).unwrap();
        scene.set_parent_in_place(hero, ship).unwrap();
    });
    let child_leaves = slip(false, |scene, [lift, hero, _]| {
        scene.set_parent_in_place(hero, lift).unwrap();
        slide(scene, hero, 0.0, -0.05);
        scene.set_parent_in_place(hero, scene.root()).unwrap();
    });
    for slip in [platform_comes_aboard, both_come_aboard, child_leaves] {
        assert!((slip + 0.01).abs() < 1e-4, "{platform_comes_aboard} {both_come_aboard} {child_leaves}");
    }
}

#[test]
fn a_platform_carries_a_mover_after_a_move_and_collide_only_if_that_has_hit_it() {
    for (fall, expected) in [(0.1, [1.0, 1.0, 1.0]), (0.0, [1.0, 0.0, 0.0])] {
        let mut scene = Scene::new();
        let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(20.0, 1.0));
        let node = add_at(&mut scene, at(0.0, 1.01), Rect::new(1.0, 1.0));
        slide(&mut scene, node, 0.0, -0.1);
        let carried = expected.map(|_| {
            scene[ferry].transform.position.x += 1.0;
            let moved = scene.move_and_collide(node, vec2(0.0, -fall), &options()).unwrap();
            assert_eq!(moved.floor.is_some(), fall > 0.0, "{moved:?}");
            moved.carried.x
        });
        assert!(carried.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{fall}: {carried:?}");
    }
}

#[test]
fn a_rider_that_boards_its_platform_after_that_has_moved_is_carried() {
    let mut scene = Scene::new();
    let ship = add_at(&mut scene, at(0.0, 0.0), Rect::new(20.0, 1.0));
    let hero = add_at(&mut scene, at(0.0, 1.05), Rect::new(1.0, 1.0));
    slide(&mut scene, hero, 0.0, -0.1);
    for _ in 0..3 {
        scene[ship].transform.position.x += 1.0;
        scene.set_parent_in_place(hero, ship).unwrap();
        // A motion of both counts for neither.
        scene[ship].transform.position.x += 0.5;
        let moved = slide(&mut scene, hero, 0.0, -0.1);
        assert!((moved.carried - Vec2::X).length() < 1e-4, "{}", moved.carried);
        scene.set_parent_in_place(hero, scene.root()).unwrap();
        assert!(slide(&mut scene, hero, 0.0, -0.1).carried.length() < 1e-4);
    }
}

#[test]
fn a_rider_that_leaves_a_platform_that_has_turned_it_is_not_carried_again() {
    for angle in [0.1, -0.3] {
        let mut scene = Scene::new();
        let ship = add_at(&mut scene, at(0.0, 0.0), Rect::new(20.0, 1.0));
        let hero = add_at(&mut scene, at(3.0, 1.05), Rect::new(1.0, 1.0));
        scene.set_parent_in_place(hero, ship).unwrap();
        slide(&mut scene, hero, 0.0, -0.1);
        scene[ship].transform.rotation += angle;
        scene.set_parent_in_place(hero, scene.root()).unwrap();
        let moved = slide(&mut scene, hero, 0.0, 0.0);
        assert!(moved.carried.length() < 1e-4, "{}", moved.carried);
    }
}

#[test]
fn a_sailor_on_a_crate_that_rides_on_his_ship_is_not_carried_twice() {
    let mut scene = Scene::new();
    let ship = add_at(&mut scene, at(0.0, 0.0), Rect::new(10.0, 1.0));
    let crate_ = add_at(&mut scene, at(0.0, 1.02), Rect::new(2.0, 1.0));
    let sailor = Node::new("sailor").with_position(vec2(0.0, 2.05));
    let (sailor, _) = scene.add_child_with(ship, sailor, Rect::new(0.5, 1.0)).unwrap();
    for frame in 0..100 {
        scene[ship].transform.position.x += if frame < 2 { 0.0 } else { 0.05 };
        let order = if frame % 2 == 0 { [crate_, sailor] } else { [sailor, crate_] };
        for mover in order {
            slide(&mut scene, mover, 0.0, -0.05);
        }
    }
    let [ship, crate_, sailor] = [ship, crate_, sailor].map(|node| scene.world().position(node).unwrap().x);
    assert!((crate_ - ship).abs() < 0.01 && (sailor - crate_).abs() < 0.01, "{ship} {crate_} {sailor}");
}

#[test]
fn a_stack_whose_platform_is_removed_falls() {
    let mut scene = Scene::new();
    let lift = add_at(&mut scene, at(0.0, 0.0), Rect::new(6.0, 0.4));
    let crate_ = add_at(&mut scene, at(0.0, 0.71), Rect::new(1.0, 1.0));
    let hero = add_at(&mut scene, at(0.0, 1.72), Rect::new(1.0, 1.0));
    for node in [crate_, hero, crate_, hero] {
        slide(&mut scene, node, 0.0, -0.05);
    }
    scene.remove(lift);
    assert!(slide(&mut scene, hero, 0.0, -0.05).floor.is_some(), "the crate is still there");
    for node in [crate_, hero] {
        assert!((slide(&mut scene, node, 0.0, -0.05).travel - vec2(0.0, -0.05)).length() < 1e-6);
    }
}

#[test]
fn a_row_on_a_ferry_that_is_pushed_below_a_wall_keeps_its_place_until_the_wall() {
    for (distance, reversed) in [(1.02, false), (1.02, true), (1.3, false), (1.3, true)] {
        let mut scene = Scene::new();
        let ferry = add_at(&mut scene, at(0.0, 0.0), Rect::new(60.0, 0.4));
        add_at(&mut scene, at(20.0, 5.3), Rect::new(1.0, 10.0));
        let mut crates: Vec<NodeId> =
            (0..10_u8).map(|i| add_at(&mut scene, at(distance * f32::from(i), 0.71), Rect::new(1.0, 1.0))).collect();
        if reversed {
            crates.reverse();
        }
        for frame in 0..100 {
            let pushed = scene.push(ferry, vec2(0.4, 0.0), &options()).unwrap();
            assert_eq!(pushed.squeezed(), []);
            for node in &crates {
                slide(&mut scene, *node, 0.0, -0.1);
                assert!(depth(&mut scene, *node) < 1e-4, "{distance} {reversed} frame {frame}");
            }
            let slip = position(&scene, crates[0]).x - position(&scene, crates[9]).x;
            let is_before_wall = frame < 15;
            assert!(
                !is_before_wall || (slip.abs() - 9.0 * distance).abs() < 1e-3,
                "{distance} {reversed} {frame}: {slip}"
            );
        }
        let [first, last] = [crates[0], crates[9]].map(|node| position(&scene, node).x);
        assert!((first - last).abs() < 9.2, "they are at the wall, without gaps: {first} {last}");
    }
}

#[test]
fn a_rider_without_room_reports_what_its_function_has_let_through() {
    for rise in [0.0, 0.5, 0.8] {
        let mut scene = Scene::new();
        let lift = add_at(&mut scene, at(0.0, 0.0), Rect::new(4.0, 0.4));
        let rider = add_at(&mut scene, at(0.0, 0.71), Rect::new(1.0, 1.0));
        slide(&mut scene, rider, 0.0, -0.05);
        let ghost = add_at(&mut scene, at(0.4, 1.0), Rect::new(0.2, 0.2));
        add_at(&mut scene, at(0.0, 1.7), Rect::new(6.0, 0.2));
        scene[lift].transform.position.y += rise;
        let mut asked = 0;
        let respond = |_: World<'_>, hit: &MoveHit| {
            let is_ghost = hit.side.node == ghost;
            asked += usize::from(is_ghost);
            if is_ghost { MoveResponse::Pass } else { MoveResponse::Block }
        };
        let moved = scene.move_and_slide_with(rider, Vec2::ZERO, &options(), respond).unwrap();
        let passed = moved.passed().iter().filter(|hit| hit.side.node == ghost).count();
        assert_eq!((asked, passed), (1, 1), "rise {rise}: {moved:?}");
    }
}

/// Returns a scene with a wall beside a crate, which stands on a ferry and carries a sailor, and the four nodes.
fn ferry_beside_a_wall() -> (Scene, [NodeId; 4]) {
    let mut scene = Scene::new();
    let ferry = add_at(&mut scene, at(0.0, -0.5), Rect::new(8.0, 1.0));
    let wall = add_at(&mut scene, at(1.5, 0.5), Rect::new(1.0, 1.0));
    let crate_ = add_at(&mut scene, at(0.0, 0.51), Rect::new(1.0, 1.0));
    let sailor = add_at(&mut scene, at(0.0, 1.52), Rect::new(1.0, 1.0));
    slide(&mut scene, crate_, 0.0, -0.1);
    slide(&mut scene, sailor, 0.0, -0.1);
    (scene, [ferry, wall, crate_, sailor])
}

#[test]
fn the_next_move_of_a_rider_reports_what_blocked_it_while_an_earlier_call_or_a_push_carried_it() {
    let carry: [fn(&mut Scene, [NodeId; 4]); 2] = [
        |scene, [ferry, _, _, sailor]| {
            scene[ferry].transform.position.x += 1.0;
            slide(scene, sailor, 0.0, 0.0);
        },
        |scene, [ferry, ..]| drop(scene.push(ferry, vec2(1.0, 0.0), &options()).unwrap()),
    ];
    for (case, carry) in carry.into_iter().enumerate() {
        let (mut scene, nodes @ [_, wall, crate_, _]) = ferry_beside_a_wall();
        carry(&mut scene, nodes);
        // A copy and a saved scene remember it too.
        let saved = serde_json::to_string(&scene).unwrap();
        let mut loaded: Scene = serde_json::from_str(&saved).unwrap();
        let mut copy = scene.clone();
        assert_eq!([scene.checksum(); 2], [loaded.checksum(), copy.checksum()], "{case}");
        let moved = slide(&mut scene, crate_, 0.0, 0.0);
        assert!(moved.carried.abs_diff_eq(vec2(0.49, 0.0), 1e-4), "{case}: {moved:?}");
        assert_eq!(moved.hits().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [wall], "{case}: {moved:?}");
        assert_eq!(moved.wall, Some(moved.hits()[0]), "{case}: {moved:?}");
        assert!(moved.hits()[0].normal == Vec2::NEG_X && moved.hits()[0].fraction == 0.0, "{case}: {moved:?}");
        assert_eq!(slide(&mut loaded, crate_, 0.0, 0.0), moved, "{case}");
        assert_eq!(slide(&mut copy, crate_, 0.0, 0.0), moved, "{case}");
        // It is reported once.
        assert_eq!(slide(&mut scene, crate_, 0.0, 0.0).hits(), [], "{case}");
    }
}

#[test]
fn a_rider_reports_a_ceiling_against_which_a_push_of_its_platform_carried_it() {
    let mut scene = Scene::new();
    let ferry = add_at(&mut scene, at(0.0, -0.5), Rect::new(8.0, 1.0));
    // It slopes down to the right, in front of the upper right corner of the crate.
    let roof = add_at(&mut scene, at(1.0, 1.01), Segment::new(vec2(-3.2, 2.0), vec2(0.8, -0.5)));
    let crate_ = add_at(&mut scene, at(0.0, 0.51), Rect::new(1.0, 1.0));
    slide(&mut scene, crate_, 0.0, -0.1);
    scene.push(ferry, vec2(1.0, 0.0), &options()).unwrap();
    let moved = slide(&mut scene, crate_, 0.0, 0.0);
    let ceiling = moved.ceiling.unwrap();
    assert_eq!((ceiling.side.node, moved.wall), (roof, None), "{moved:?}");
    assert_eq!(moved.hits()[0], ceiling, "{moved:?}");
}

#[test]
fn the_wall_of_a_rider_is_the_first_one_against_which_its_platform_carried_it() {
    let (mut scene, [ferry, wall, crate_, _]) = ferry_beside_a_wall();
    let other = add_at(&mut scene, at(-4.0, 0.6), Rect::new(1.0, 1.0));
    for x in [1.0, -6.0] {
        scene.push(ferry, vec2(x, 0.0), &options()).unwrap();
    }
    let moved = slide(&mut scene, crate_, 0.0, 0.0);
    assert_eq!(moved.hits().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [wall, other], "{moved:?}");
    assert_eq!(moved.wall, Some(moved.hits()[0]), "{moved:?}");
}

#[test]
fn what_blocked_a_rider_early_is_forgotten_with_its_place_and_with_the_collider_that_blocked_it() {
    let changes: [fn(&mut Scene, [NodeId; 4]); 3] = [
        |scene, [_, wall, ..]| assert!(scene.remove(wall)),
        |scene, [_, _, crate_, _]| scene[crate_].transform.position.x = -2.0,
        |scene, [_, _, crate_, _]| {
            scene[crate_].transform.position.x = -2.0;
            // It is carried before its own move.
            scene.push(crate_, vec2(0.0, 0.5), &options()).unwrap();
        },
    ];
    for (case, change) in changes.into_iter().enumerate() {
        let (mut scene, nodes @ [ferry, _, crate_, sailor]) = ferry_beside_a_wall();
        scene[ferry].transform.position.x += 1.0;
        slide(&mut scene, sailor, 0.0, 0.0);
        change(&mut scene, nodes);
        assert_eq!(slide(&mut scene, crate_, 0.0, 0.0).hits(), [], "{case}");
    }
}

#[test]
fn a_rider_that_never_moves_itself_remembers_each_collider_that_blocked_it_once() {
    let (mut scene, [ferry, wall, crate_, sailor]) = ferry_beside_a_wall();
    for _ in 0..100 {
        scene[ferry].transform.position.x += 0.1;
        slide(&mut scene, sailor, 0.0, 0.0);
    }
    let moved = slide(&mut scene, crate_, 0.0, 0.0);
    assert_eq!(moved.hits().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [wall], "{moved:?}");
}

#[test]
fn a_sailor_who_sleeps_on_a_ship_and_leaves_it_is_not_carried_by_the_voyage_again() {
    let (mut scene, options, fall) = (Scene::new(), MoveOptions::default(), vec2(0.0, -0.1));
    let (ship, _) = scene.add_with(Node::new("ship"), Rect::new(6.0, 1.0));
    let (sailor, _) = scene.add_with(Node::new("sailor").with_position(vec2(0.0, 1.01)), Rect::new(0.5, 1.0));
    scene.move_and_slide(sailor, fall, &options).unwrap();
    scene.set_parent_in_place(sailor, ship).unwrap();
    scene[ship].transform.position.x += 10.0;
    scene.set_parent_in_place(sailor, scene.root()).unwrap();
    let moved = scene.move_and_slide(sailor, fall, &options).unwrap();
    assert_eq!((scene[sailor].transform.position.x, moved.carried), (10.0, Vec2::ZERO));
    // A later voyage counts.
    scene[ship].transform.position.x += 1.0;
    scene.set_parent_in_place(sailor, ship).unwrap();
    let moved = scene.move_and_slide(sailor, fall, &options).unwrap();
    assert_eq!((scene.world().position(sailor).unwrap().x, moved.carried), (11.0, Vec2::X));
}

#[test]
fn a_rider_keeps_his_place_whatever_gets_another_parent_while_he_rides() {
    type Drive = fn(&mut Scene, NodeId, Vec2);
    let drives: [Drive; 3] = [
        |scene, node, by| scene[node].transform.position += by,
        |scene, node, by| _ = scene.push(node, by, &MoveOptions::default()).unwrap(),
        |scene, node, by| _ = scene.move_and_slide(node, by, &MoveOptions::top_down()).unwrap(),
    ];
    let mut dice = Dice(5);
    for round in 0..3_000 {
        let (mut scene, options) = (Scene::new(), MoveOptions::default());
        let ship = scene.add(Node::new("ship"));
        let car = scene.add_child(ship, Node::new("car")).unwrap();
        let (deck, _) = scene.add_child_with(car, Node::new("deck"), Rect::new(8.0, 1.0)).unwrap();
        let crew = scene.add(Node::new("crew"));
        let rider = Node::new("rider").with_position(vec2(0.0, 1.01));
        let (rider, _) = scene.add_child_with(crew, rider, Rect::new(0.5, 1.0)).unwrap();
        scene.move_and_slide(rider, vec2(0.0, -0.1), &options).unwrap();
        let drive = |scene: &mut Scene, node: NodeId, by: f32| {
            // A parent of the rider alone would take him along the deck.
            if scene.is_descendant(deck, node) || !scene.is_descendant(rider, node) {
                drives[round % 3](scene, node, vec2(by, 0.0));
            }
        };
        let mut steps = Vec::new();
        for _ in 0..2 + dice.below(6) {
            let step = dice.below(10);
            steps.push(step);
            let root = scene.root();
            match step {
                0 => _ = scene.move_and_slide(rider, vec2(0.0, -0.1), &options).unwrap(),
                1 | 2 => drive(&mut scene, ship, 0.125),
                3 => drive(&mut scene, car, 0.25),
                4 => scene.set_parent_in_place(rider, crew).unwrap(),
                5 => scene.set_parent_in_place(rider, car).unwrap(),
                6 => scene.set_parent_in_place(crew, ship).unwrap(),
                7 => scene.set_parent_in_place(crew, root).unwrap(),
                8 => scene.set_parent_in_place(car, root).unwrap(),
                _ => scene.set_parent_in_place(car, ship).unwrap(),
            }
        }
        scene.move_and_slide(rider, vec2(0.0, -0.1), &options).unwrap();
        let world = scene.world();
        let slip = world.position(rider).unwrap().x - world.position(car).unwrap().x;
        assert!(slip.abs() < 1e-3, "round {round}, {steps:?}: {slip}");
    }
}

/// Lets movers fall in order.
fn fall(scene: &mut Scene, movers: &[NodeId]) {
    for mover in movers {
        slide(scene, *mover, 0.0, -0.1);
    }
}

#[test]
fn a_rider_of_a_crate_keeps_his_place_whatever_of_the_stack_gets_another_parent() {
    const STEPS: u64 = 9;
    for code in 0..8 * STEPS.pow(3) {
        let mut scene = Scene::new();
        let (root, ship) = (scene.root(), scene.add(Node::new("ship")));
        let parent_of = |is_in_ship: bool| if is_in_ship { ship } else { root };
        // The cart, the crate on it and the hero on that. Each is a child of the ship or of the root.
        let mut is_in_ship = [0, 1, 2].map(|bit| code >> bit & 1 == 1);
        let widths = [30.0, 20.0, 0.5];
        let nodes = [0, 1, 2].map(|index| {
            let node = Node::new("").with_position(vec2(0.0, index as f32 * 1.02));
            scene.add_child_with(parent_of(is_in_ship[index]), node, Rect::new(widths[index], 1.0)).unwrap().0
        });
        fall(&mut scene, &nodes[1..]);
        fall(&mut scene, &nodes[1..]);
        let (mut expected, mut is_clear) = ([0.0; 3], true);
        let steps = [1, STEPS, STEPS.pow(2)].map(|place| code / 8 / place % STEPS);
        for step in steps {
            match step {
                0 => {
                    scene[ship].transform.position.x += 1.0;
                    let moves = [is_in_ship[0], is_in_ship[0] || is_in_ship[1], is_in_ship.contains(&true)];
                    // A ship that moves a rider without its platform takes it along the platform.
                    is_clear &= moves[0] == moves[1] && moves[1] == moves[2];
                    (0..3).for_each(|index| expected[index] += f32::from(moves[index]));
                }
                1 => {
                    scene[nodes[0]].transform.position.x += 1.0;
                    expected = expected.map(|x| x + 1.0);
                }
                2 => fall(&mut scene, &nodes[1..]),
                _ => {
                    let (index, enters) = ((step - 3) as usize / 2, step % 2 == 0);
                    scene.set_parent_in_place(nodes[index], parent_of(enters)).unwrap();
                    is_in_ship[index] = enters;
                }
            }
        }
        fall(&mut scene, &nodes[1..]);
        let found = nodes.map(|node| scene.world().position(node).unwrap().x);
        let agrees = (0..3).all(|index| (found[index] - expected[index]).abs() < 1e-3);
        assert!(agrees || !is_clear, "start {}, {steps:?}: {found:?} instead of {expected:?}", code % 8);
    }
}

#[test]
fn another_parent_keeps_a_carry_while_the_platform_is_disabled_or_not_finite() {
    for (reparents, disables) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut scene = Scene::new();
        let ship = scene.add(Node::new("ship"));
        let (deck, _) = scene.add_child_with(ship, Node::new("deck"), Rect::new(8.0, 1.0)).unwrap();
        let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 1.02)), Rect::new(0.5, 1.0));
        fall(&mut scene, &[hero, hero]);
        scene[ship].transform.position.x += 1.0;
        scene[deck].enabled = !disables;
        scene.update();
        if reparents {
            scene.set_parent_in_place(hero, ship).unwrap();
        }
        scene[deck].enabled = true;
        fall(&mut scene, &[hero]);
        assert_eq!(scene.world().position(hero).unwrap().x, 1.0, "{reparents} {disables}");
    }
    for x in [0.0, f32::NAN] {
        let mut scene = Scene::new();
        let ship = scene.add(Node::new("ship"));
        let crew = scene.add_child(ship, Node::new("crew")).unwrap();
        scene.add_child_with(ship, Node::new("deck"), Rect::new(8.0, 1.0)).unwrap();
        let hero = Node::new("hero").with_position(vec2(0.0, 1.02));
        let (hero, _) = scene.add_child_with(crew, hero, Rect::new(0.5, 1.0)).unwrap();
        fall(&mut scene, &[hero, hero]);
        scene[ship].transform.position.x = x;
        scene.update();
        scene.set_parent(crew, scene.root()).unwrap();
        scene[ship].transform.position.x = 0.0;
        scene.update();
        scene[ship].transform.position.x = 1.0;
        fall(&mut scene, &[hero]);
        assert_eq!(scene.world().position(hero).unwrap().x, 1.0, "{x}");
    }
}

#[test]
fn a_child_of_a_ship_and_a_rider_beside_it_keep_their_places_in_any_order() {
    for (step, child_first) in [(0.1, true), (0.1, false), (-0.1, true), (-0.1, false)] {
        let mut scene = Scene::new();
        let ship = scene.add(Node::new("ship"));
        scene.add_child_with(ship, Node::new("deck").with_transform(at(0.0, -0.5)), Rect::new(20.0, 1.0)).unwrap();
        scene.add_child_with(ship, Node::new("mast").with_transform(at(-0.72, 1.0)), Rect::new(0.4, 2.0)).unwrap();
        let child = Node::new("child").with_transform(at(0.0, 0.52));
        let (child, _) = scene.add_child_with(ship, child, Rect::new(1.0, 1.0)).unwrap();
        let rider = add_at(&mut scene, at(1.02, 0.52), Rect::new(1.0, 1.0));
        let mut order = [child, rider];
        if !child_first {
            order.reverse();
        }
        for frame in 0..60 {
            for node in order {
                let moved = slide(&mut scene, node, 0.0, -0.01);
                assert!(moved.floor.is_some() && !moved.stuck, "frame {frame}: {moved:?}");
            }
            scene[ship].transform.position.x += step;
        }
        order.iter().for_each(|node| _ = slide(&mut scene, *node, 0.0, -0.01));
        // The position of a child is local.
        let places = [position(&scene, child).x, position(&scene, rider).x - position(&scene, ship).x];
        assert!(places[0].abs() < 0.02 && (places[1] - 1.02).abs() < 0.02, "{places:?}");
    }
}

#[test]
fn a_refused_call_lets_no_disabled_mover_forget_its_platform() {
    for refused in 0..4 {
        let mut scene = Scene::new();
        let lift = add_at(&mut scene, at(0.0, -0.5), Rect::new(8.0, 1.0));
        let hero = add_at(&mut scene, at(0.0, 0.6), Circle::new(0.5));
        let lost = add_at(&mut scene, at(f32::NAN, 0.0), Circle::new(0.5));
        slide(&mut scene, hero, 0.0, -0.2);
        scene[hero].enabled = false;
        let before = scene.checksum();
        let is_refused = match refused {
            0 => scene.move_and_slide(lost, Vec2::X, &options()).is_err(),
            1 => scene.move_and_collide(lost, Vec2::X, &options()).is_err(),
            2 => scene.push(lost, Vec2::X, &options()).is_err(),
            _ => scene.depenetrate(lost, &QueryFilter::default()).is_err(),
        };
        assert!(is_refused && scene.checksum() == before, "{refused}");
        scene[hero].enabled = true;
        scene[lift].transform.position.x = 1.0;
        assert_eq!(slide(&mut scene, hero, 0.0, -0.2).carried.x, 1.0, "{refused}");
    }
}

/// A hero on the ground with an enemy on his head, below a ceiling that leaves the enemy a gap of 0.18.
fn hero_below_an_enemy() -> (Scene, NodeId, NodeId) {
    let mut scene = Scene::new();
    for y in [-1.0, 3.0] {
        add_at(&mut scene, at(0.0, y), Rect::new(40.0, 2.0));
    }
    let hero = add_at(&mut scene, at(0.0, 0.51), Rect::new(0.8, 1.0));
    let enemy = add_at(&mut scene, at(0.0, 1.42), Rect::new(0.8, 0.8));
    for mover in [hero, enemy] {
        slide(&mut scene, mover, 0.0, -0.1);
    }
    (scene, hero, enemy)
}

#[test]
fn a_mover_whose_passenger_has_no_room_above_comes_to_rest() {
    for rise in [0.3, 0.1, 0.02, 0.008] {
        let (mut scene, hero, enemy) = hero_below_an_enemy();
        for frame in 0..200 {
            let rises = slide(&mut scene, hero, 0.0, rise);
            let falls = slide(&mut scene, enemy, 0.0, -0.1);
            let rests = rises.travel.length() < 1e-6 && falls.travel.length() < 1e-6 && !falls.stuck;
            assert!(frame < 100 || rests, "rise {rise}, frame {frame}: {rises:?} {falls:?}");
        }
        let world = scene.world();
        assert_eq!(world.contact(world.colliders(hero)[0], world.colliders(enemy)[0]), None);
    }
}

#[test]
fn a_mover_that_carries_a_passenger_up_a_ramp_stops_where_the_ceiling_stops_the_passenger() {
    let mut scene = Scene::new();
    let ramp = [vec2(-40.0, 0.0), vec2(0.0, 0.0), vec2(20.0, 4.0), vec2(20.0, -5.0), vec2(-40.0, -5.0)];
    add_at(&mut scene, at(0.0, 0.0), Compound::from_outline(&ramp).unwrap());
    add_at(&mut scene, at(0.0, 3.6), Rect::new(80.0, 2.0));
    let hero = add_at(&mut scene, at(-1.0, 0.52), Rect::new(0.8, 1.0));
    let enemy = add_at(&mut scene, at(-1.0, 1.45), Rect::new(0.8, 0.8));
    let options = MoveOptions { snap_to_floor: 0.2, ..MoveOptions::default() };
    for frame in 0..400 {
        let walks = scene.move_and_slide(hero, vec2(0.05, -0.1), &options).unwrap();
        let falls = scene.move_and_slide(enemy, vec2(0.0, -0.1), &options).unwrap();
        let rests = walks.travel.length() < 1e-6 && falls.travel.length() < 1e-6;
        assert!(frame < 300 || rests, "frame {frame}: {walks:?} {falls:?}");
    }
    assert!(scene[hero].transform.position.x > 3.0, "he has walked up the ramp");
}

#[test]
fn a_passenger_that_was_stuck_rides_again_once_its_carrier_presses_against_it_no_longer() {
    let (mut scene, hero, enemy) = hero_below_an_enemy();
    let mut step = |x, y| [slide(&mut scene, hero, x, y), slide(&mut scene, enemy, 0.0, -0.1)];
    for _ in 0..3 {
        let [_, falls] = step(0.0, 0.3);
        assert!(falls.stuck, "the hero rises into it");
        let [rises, falls] = step(0.1, 0.3);
        assert!(rises.ceiling.is_some_and(|hit| hit.side.node == enemy) && !falls.stuck, "{rises:?} {falls:?}");
        assert_eq!((falls.carried, falls.floor.unwrap().side.node), (Vec2::ZERO, hero));
        for _ in 0..5 {
            let [_, falls] = step(-0.02, -0.1);
            assert!((falls.carried.x + 0.02).abs() < 1e-6, "{falls:?}");
        }
    }
}

#[test]
fn a_lift_rises_with_a_passenger_on_which_something_has_landed() {
    let mut scene = Scene::new();
    let mut add = |y, width, height| add_at(&mut scene, at(0.0, y), Rect::new(width, height));
    let [lift, rider, jumper] = [add(0.0, 8.0, 0.4), add(0.71, 1.0, 1.0), add(1.9, 1.0, 1.0)];
    let (mut fall, mut is_stuck) = (0.0, false);
    for _ in 0..200 {
        slide(&mut scene, lift, 0.0, 0.05);
        is_stuck |= slide(&mut scene, rider, 0.0, -0.01).stuck;
        fall -= 0.01;
        if slide(&mut scene, jumper, 0.0, fall).floor.is_some() {
            fall = 0.0;
        }
    }
    assert!(is_stuck, "the jumper lands on the rider while the lift rises");
    assert!(position(&scene, lift).y > 9.5, "{}", position(&scene, lift));
}

#[test]
fn a_lift_that_has_pressed_its_passenger_against_a_ceiling_carries_it_down_in_any_way() {
    for how in ["move", "push", "write", "parent"] {
        let mut scene = Scene::new();
        let shaft = scene.add(Node::new("shaft"));
        let lift = Node::new("lift").with_position(vec2(0.0, 0.0));
        let lift = scene.add_child_with(shaft, lift, Rect::new(4.0, 0.4)).unwrap().0;
        add_at(&mut scene, at(0.0, 3.0), Rect::new(10.0, 1.0));
        let hero = add_at(&mut scene, at(0.0, 0.71), Rect::new(1.0, 1.0));
        for _ in 0..60 {
            slide(&mut scene, lift, 0.0, 0.05);
            slide(&mut scene, hero, 0.0, -0.1);
        }
        for frame in 0..30 {
            let down = vec2(0.05, -0.02);
            match how {
                "move" => _ = slide(&mut scene, lift, down.x, down.y),
                "push" => _ = scene.push(lift, down, &options()).unwrap(),
                "write" => scene[lift].transform.position += down,
                _ => scene[shaft].transform.position += down,
            }
            let carried = slide(&mut scene, hero, 0.0, -0.1).carried;
            assert!(carried.abs_diff_eq(down, 1e-5), "{how}, frame {frame}: {carried}");
        }
    }
}

#[test]
fn a_stuck_passenger_misses_what_its_cart_does_meanwhile() {
    let mut scene = Scene::new();
    let mut add = |x, y, width, height| add_at(&mut scene, at(x, y), Rect::new(width, height));
    add(0.0, -1.0, 200.0, 2.0);
    let [cart, enemy] = [add(0.0, 0.51, 60.0, 1.0), add(0.0, 1.52, 1.0, 1.0)];
    let doors = [add(-5.0, 2.05, 1.0, 2.0), add(5.0, 2.05, 1.0, 2.0)];
    for mover in [cart, enemy] {
        slide(&mut scene, mover, 0.0, -0.1);
    }
    // They shut on the enemy.
    for (door, x) in doors.into_iter().zip([-0.9, 0.9]) {
        scene[door].transform.position.x = x;
    }
    for frame in 0..60 {
        if frame == 50 {
            doors.into_iter().for_each(|door| scene[door].transform.position.y = 9.0);
        }
        slide(&mut scene, cart, 0.2, -0.1);
        let moved = slide(&mut scene, enemy, 0.0, -0.1);
        assert_eq!(moved.stuck, frame < 50, "frame {frame}");
        let expected = if frame > 50 { vec2(0.2, 0.0) } else { Vec2::ZERO };
        assert!(moved.carried.abs_diff_eq(expected, 1e-5), "frame {frame}: {}", moved.carried);
    }
}

#[test]
fn a_mover_that_was_picked_up_from_its_platform_rides_on_it_no_longer() {
    let mut scene = Scene::new();
    let lift = add_at(&mut scene, at(0.0, -0.5), Rect::new(4.0, 1.0));
    let crate_ = add_at(&mut scene, at(0.0, 0.52), Rect::new(1.0, 1.0));
    let drone = scene.add(Node::new("drone").with_position(vec2(0.0, 2.0)));
    slide(&mut scene, crate_, 0.0, -0.1);
    scene.set_parent_in_place(crate_, drone).unwrap();
    for _ in 0..100 {
        scene[drone].transform.position += vec2(0.2, 0.1);
        scene[lift].transform.position.y += 0.06;
    }
    let root = scene.root();
    scene.set_parent_in_place(crate_, root).unwrap();
    let moved = slide(&mut scene, crate_, 0.0, -0.01);
    assert_eq!((moved.carried, moved.travel), (Vec2::ZERO, vec2(0.0, -0.01)));
}

#[test]
fn riders_beside_a_wall_stay_there_on_a_deck_that_turns_a_little() {
    for (turn, reverse, walk) in [
        (1e-5, false, 0.0),
        (1e-5, true, 0.02),
        (5e-4, false, 0.0),
        (5e-4, false, 0.02),
        (5e-4, true, 0.02),
        (3e-3, false, 0.02),
        (3e-3, true, 0.0),
        (3e-3, true, 0.02),
    ] {
        let mut scene = Scene::new();
        let boat = scene.add(Node::new("boat"));
        scene.add_child_with(boat, Node::new("deck").with_position(vec2(0.0, -0.5)), Rect::new(20.0, 1.0)).unwrap();
        scene.add_child_with(boat, Node::new("cabin").with_position(vec2(-5.5, 1.0)), Rect::new(1.0, 2.0)).unwrap();
        let mut men = [-4.69, -4.08].map(|x| add_at(&mut scene, at(x, 0.51), Circle::new(0.3).at(vec2(0.0, -0.2))));
        if reverse {
            men.reverse();
        }
        for man in men {
            slide(&mut scene, man, 0.0, -0.1);
        }
        for frame in 0..600 {
            let transform = &mut scene[boat].transform;
            transform.position.x += 0.028;
            transform.rotation += turn * (frame as f32 * 0.02).cos();
            for man in men {
                let moved = slide(&mut scene, man, -walk, -0.004);
                assert!(!moved.stuck, "turn {turn}, reverse {reverse}, walk {walk}, frame {frame}: {moved:?}");
            }
        }
    }
}
