//! Moves that repeat for many frames while the surroundings move: squeezes, corners, one-way surfaces.

use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, ColliderId, CollisionLayers, Ellipse, Motion, MoveOptions, MoveResponse, Node, NodeId,
    Polygon, Polyline, QueryFilter, Rect, Rounded, Scene, Segment, Tile, Tiles, Transform,
};
use support::dice::Dice;

fn at(x: f32, y: f32) -> Node {
    Node::new("").with_position(vec2(x, y))
}

#[test]
fn a_mover_freed_after_being_stuck_is_not_carried_through_a_plate() {
    let mut scene = Scene::new();
    let (lift, _) = scene.add_with(at(0.0, 0.0), Rect::new(8.0, 0.05));
    let (plate, _) = scene.add_with(at(0.0, 1.8), Rect::new(8.0, 0.05));
    let (hero, _) = scene.add_with(at(0.0, 0.54), Circle::new(0.5));
    let options = MoveOptions::default();
    scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap();
    for frame in 0..8 {
        scene[lift].transform.position.y += 0.28;
        scene[plate].transform.position.y -= 0.2;
        let moved = scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap();
        let [hero_y, plate_y] = [hero, plate].map(|node| scene[node].transform.position.y);
        assert!(moved.stuck || hero_y < plate_y, "frame {frame}: at {hero_y}, above the plate at {plate_y}: {moved:?}");
    }
}

#[test]
fn a_point_squeezed_between_a_tilted_plate_and_thin_ground_stays_above() {
    let mut scene = Scene::new();
    scene.add_with(at(0.0, 0.0), Segment::new(vec2(-20.0, 0.0), vec2(20.0, 0.0)));
    let (plate, _) = scene.add_with(at(0.0, 1.0).with_rotation(0.6), Rect::new(8.0, 0.05));
    let (hero, _) = scene.add_with(at(0.3, 0.2), Circle::point(Vec2::ZERO));
    let options = MoveOptions::default();
    for frame in 0..40 {
        scene[plate].transform.position.y -= 0.05;
        let moved = scene.move_and_slide(hero, vec2(-0.1, -0.1), &options).unwrap();
        let y = scene[hero].transform.position.y;
        assert!(y > -1e-5, "frame {frame}: {y} {moved:?}");
    }
}

#[test]
fn a_capsule_in_a_corner_between_two_slopes_comes_to_rest() {
    let mut scene = Scene::new();
    let corner = [
        vec2(0.61525697, -3.6222396),
        vec2(3.317165, -1.57974),
        vec2(3.6740932, -0.014144625),
        vec2(2.5036528, 2.6890302),
    ];
    scene.add_with(Node::new(""), Polyline::new(&corner).unwrap());
    let matrix = Mat2::from_cols(vec2(0.8383891, 0.05117265), vec2(-0.26467767, 0.6317457));
    let stretched = Transform::from_affine(Affine2::from_mat2_translation(matrix, Vec2::ZERO));
    let capsule = Capsule::new(vec2(-0.3939914, 0.044382326), vec2(0.34557256, -0.005961207), 0.19760257);
    let (hero, _) = scene.add_with(Node::new("").with_transform(stretched), capsule);
    let options = MoveOptions { skin_width: 0.041300993, ..MoveOptions::default() };
    let mut path = 0.0;
    for frame in 0..1000 {
        let before = scene[hero].transform.position;
        scene.move_and_slide(hero, vec2(0.05367002, -0.015295792), &options).unwrap();
        if frame >= 960 {
            path += before.distance(scene[hero].transform.position);
        }
    }
    assert!(path < 1e-3, "moves by {path} in the last 40 frames at {}", scene[hero].transform.position);
}

#[test]
fn a_ball_slides_along_a_wall_of_boxes_at_any_angle_without_a_push() {
    for (degrees, speed) in
        [0.5f32, 1.0, 2.0, 3.0, 5.0, 20.0].into_iter().flat_map(|degrees| [0.02, 0.1, 0.3].map(|by| (degrees, by)))
    {
        let mut scene = Scene::new();
        for index in 0..130 {
            scene.add_with(at(index as f32, -0.5), Rect::new(1.0, 1.0));
        }
        let (ball, _) = scene.add_with(at(0.3, 0.42), Circle::new(0.4));
        let displacement = Vec2::from_angle(-degrees.to_radians()) * speed;
        let (mut hits, mut others) = (0, 0);
        for frame in 0..400 {
            let moved = scene.move_and_slide(ball, displacement, &MoveOptions::top_down()).unwrap();
            assert_eq!(moved.pushed, Vec2::ZERO, "{degrees} degrees by {speed}, frame {frame}");
            hits += u32::from(moved.wall.is_some());
            others += u32::from(hits > 0 && moved.wall.is_none());
        }
        assert!(
            others <= 3 && hits > 200,
            "{degrees} degrees by {speed}: {hits} hits, then {others} moves without one"
        );
    }
}

/// Moves by the same displacement in each frame, and returns the last x.
fn walk(scene: &mut Scene, mover: NodeId, displacement: Vec2, options: &MoveOptions, frames: u32) -> f32 {
    for _ in 0..frames {
        scene.move_and_slide(mover, displacement, options).unwrap();
    }
    scene[mover].transform.position.x
}

#[test]
fn a_ball_goes_straight_through_what_is_barely_wider_than_itself() {
    let options = MoveOptions::top_down();
    let mut corridor = Scene::new();
    corridor.add_with(at(0.0, -1.5), Tiles::new(12, 3, Vec2::ONE, |x, y| x >= 3 && y != 1));
    let (ball, _) = corridor.add_with(at(1.0, 0.0), Circle::new(0.495));
    let x = walk(&mut corridor, ball, vec2(0.05, 0.0), &options, 100);
    assert!(x > 5.5, "it stands in the corridor at {x}");

    let mut posts = Scene::new();
    for y in [-1.007, 1.007] {
        posts.add_with(at(3.0, y), Circle::new(0.5));
    }
    let (ball, _) = posts.add_with(at(0.0, 0.0), Circle::new(0.5));
    let x = walk(&mut posts, ball, vec2(0.02, 0.0), &options, 300);
    assert!(x > 5.5, "it stands between the posts at {x}");
}

#[test]
fn a_slow_box_walks_off_a_ledge() {
    for (skin, step, fall, x) in
        [(0.01, 0.005, 0.005, -0.986), (0.03, 0.025, 0.0098, -0.993), (0.03, 0.015, 0.02, -1.0)]
    {
        let options = MoveOptions { skin_width: skin, ..MoveOptions::default() };
        let mut scene = Scene::new();
        scene.add_with(at(-5.0, -2.0), Rect::new(10.0, 4.0));
        let (hero, _) = scene.add_with(at(x, 0.5 + skin), Rect::new(0.8, 1.0));
        let mut velocity = Vec2::ZERO;
        for _ in 0..600 {
            velocity = vec2(step, velocity.y - fall);
            let moved = scene.move_and_slide(hero, velocity, &options).unwrap();
            velocity = moved.clip_velocity(velocity, &options);
        }
        let end = scene[hero].transform.position;
        assert!(end.y < -1.0, "skin {skin}: it hangs beside the ledge at {end}");
    }
}

#[test]
fn a_ball_slides_over_a_seam_that_is_lower_than_its_skin() {
    let options = MoveOptions { skin_width: 0.03, ..MoveOptions::top_down() };
    let mut scene = Scene::new();
    scene.add_with(at(-5.0, -2.0), Rect::new(10.0, 4.0));
    scene.add_with(at(5.0, -1.982), Rect::new(10.0, 4.0));
    let (ball, _) = scene.add_with(at(-1.974, 1.0), Circle::new(0.5));
    scene.move_and_slide(ball, vec2(0.0, -1.0), &options).unwrap();
    let x = walk(&mut scene, ball, Vec2::from_angle(-40_f32.to_radians()) * 0.32, &options, 60);
    assert!(x > 5.0, "it stands at {x}");
}

#[test]
fn a_box_enters_a_hollow_funnel_with_a_room_of_four_skins() {
    let options = MoveOptions { skin_width: 0.05, ..MoveOptions::top_down() };
    for speed in [0.05, 0.1, 0.15, 0.213, 0.3] {
        let mut scene = Scene::new();
        for side in [-1.0_f32, 1.0] {
            let curve = (0..=20).map(|index| index as f32 / 20.0);
            let curve = curve.map(|part| vec2(1.0 + 3.0 * part, side * (0.68 + 1.85 * (1.0 - part).powf(1.5))));
            let line: Vec<Vec2> = curve.chain([vec2(20.0, side * 0.68)]).collect();
            scene.add_with(Node::new(""), Polyline::new(&line).unwrap());
        }
        let (hero, _) = scene.add_with(at(-0.5, -0.235), Rect::new(0.543, 0.962));
        let x = walk(&mut scene, hero, vec2(speed, -0.0035), &options, (12.0 / speed) as u32);
        assert!(x > 8.0, "by {speed}: it stands at {x}");
    }
}

#[test]
fn a_ball_that_bounces_flies_straight_through_a_corridor() {
    for step in 1..=40_u8 {
        let mut scene = Scene::new();
        scene.add_with(at(0.0, -1.5), Tiles::new(14, 3, Vec2::ONE, |x, y| x > 3 && y != 1));
        let (ball, _) = scene.add_with(at(3.9, 0.004), Circle::new(0.49));
        let displacement = vec2(0.01 * f32::from(step), 0.0);
        for _ in 0..(12.0 / displacement.x) as u32 {
            let moved = scene.move_and_collide(ball, displacement, &MoveOptions::top_down()).unwrap();
            assert!(moved.hits().is_empty(), "{displacement}: {moved:?}");
        }
    }
}

#[test]
fn a_mover_follows_a_fine_hollow_outline_without_bobbing() {
    let shapes: [Attachment; 2] = [Circle::new(0.3).into(), Capsule::new(vec2(0.0, -0.2), vec2(0.0, 0.2), 0.2).into()];
    for (shape, speed) in shapes.iter().flat_map(|shape| [0.02, 0.05, 0.11].map(|speed| (shape, speed))) {
        let mut scene = Scene::new();
        let outline: Vec<Vec2> =
            (0..120).map(|index| 0.1 * index as f32 - 6.0).map(|x| vec2(x, 0.03 * x * x)).collect();
        scene.add_with(Node::new(""), Polyline::new(&outline).unwrap());
        let (mover, _) = scene.add_with(at(0.0, 0.35), shape.clone());
        let (mut before, mut falls) = (0.0, 0);
        for _ in 0..(5.0 / speed) as u32 {
            let y = scene[mover].transform.position.y;
            scene.move_and_slide(mover, vec2(speed, -0.004), &MoveOptions::top_down()).unwrap();
            let rise = scene[mover].transform.position.y - y;
            falls += u32::from(rise < before - 5e-4);
            before = rise;
        }
        assert!(
            falls <= 1,
            "{shape:?} by {speed}: its rise fell {falls} times on an outline that only becomes steeper"
        );
    }
}

#[test]
fn a_small_mover_in_front_of_a_rising_one_way_platform_is_held() {
    for radius in [0.0, 0.02, 0.05] {
        let mut scene = Scene::new();
        let (lift, _) = scene.add_with(at(0.0, 0.0), Attachment::new(Rect::new(10.0, 0.5)).one_way(Vec2::Y));
        let (hero, _) = scene.add_with(at(0.0, 0.35 + radius), Circle::new(radius));
        scene.move_and_slide(hero, Vec2::ZERO, &MoveOptions::default()).unwrap();
        for frame in 0..10 {
            scene[lift].transform.position.y += 0.15;
            let moved = scene.move_and_slide(hero, vec2(0.0, 0.02), &MoveOptions::default()).unwrap();
            let gap = scene[hero].transform.position.y - scene[lift].transform.position.y - 0.25 - radius;
            assert!(gap > -1e-4, "radius {radius}, frame {frame}: {gap} {moved:?}");
        }
    }
}

#[test]
fn a_mover_from_behind_passes_the_joints_of_a_one_sided_line() {
    let mut scene = Scene::new();
    scene.add_with(at(0.0, 0.0), Polyline::new(&[vec2(-10.0, 0.0), Vec2::ZERO, vec2(10.0, 0.0)]).unwrap().one_sided());
    // Within the right piece, above its joint with the left one, which it does not touch yet.
    let (hero, _) = scene.add_with(at(0.15, 0.48), Circle::new(0.5));
    let displacements = [Vec2::ZERO, vec2(-0.02, -0.01), vec2(-0.1, -0.01), vec2(-0.1, -0.1), vec2(0.0, -3.0)];
    for (frame, displacement) in displacements.into_iter().enumerate() {
        let moved = scene.move_and_slide(hero, displacement, &MoveOptions::default()).unwrap();
        assert!(moved.hits().is_empty(), "frame {frame}: caught at {} {moved:?}", scene[hero].transform.position);
    }
}

#[test]
fn a_one_sided_peak_holds_what_falls_on_it_and_passes_what_rises_through_it() {
    let shapes: [(&str, Attachment); 4] = [
        ("rect", Rect::new(1.0, 1.0).into()),
        ("circle", Circle::new(0.5).into()),
        ("capsule", Capsule::new(vec2(-0.2, 0.0), vec2(0.2, 0.0), 0.3).into()),
        ("segment", Segment::new(vec2(-0.5, 0.0), vec2(0.5, 0.1)).into()),
    ];
    for half_width in [0.125, 0.5, 1.0, 2.0] {
        let peak = [vec2(-20.0, 0.0), vec2(-half_width, 0.0), vec2(0.0, 3.0), vec2(half_width, 0.0), vec2(20.0, 0.0)];
        for (x, (name, shape)) in
            [-0.75, -0.3, 0.0, 0.125, 0.4].into_iter().flat_map(|x| shapes.iter().map(move |s| (x, s)))
        {
            let mut scene = Scene::new();
            scene.add_with(Node::new("peak"), Polyline::new(&peak).unwrap().one_sided());
            let (hero, _) = scene.add_with(at(x, 5.0), shape.clone());
            for frame in 0..60 {
                let push = vec2(if frame < 30 { 0.0 } else { 0.1 }, -0.7);
                let moved = scene.move_and_slide(hero, push, &MoveOptions::default()).unwrap();
                let y = scene[hero].transform.position.y;
                assert!(y > 0.0 && moved.passed().is_empty(), "{name} at {x}, {half_width}, {frame}: {y} {moved:?}");
            }
            let (climber, _) = scene.add_with(at(x, -2.0), shape.clone());
            for frame in 0..60 {
                let moved = scene.move_and_slide(climber, vec2(0.0, 0.125), &MoveOptions::default()).unwrap();
                let blocked = moved.hits().iter().find(|hit| hit.side.node != hero);
                assert!(blocked.is_none(), "{name} at {x}, {half_width}, {frame}: {blocked:?}");
                scene.remove(hero);
            }
        }
    }
}

#[test]
fn no_ball_leaves_a_one_sided_ring_of_spikes() {
    let mut dice = Dice(11);
    for round in 0..40 {
        let spikes = 3 + dice.below(12) as u16;
        let point = |index: u16| {
            let radius = if index.is_multiple_of(2) { dice.within(2.0..3.5) } else { 6.0 };
            radius * Vec2::from_angle(std::f32::consts::PI * f32::from(index) / f32::from(spikes))
        };
        // Counter-clockwise, the inside is the front.
        let ring = Polyline::closed(&(0..2 * spikes).map(point).collect::<Vec<_>>()).unwrap().one_sided();
        let mut scene = Scene::new();
        scene.add_with(Node::new("ring"), ring);
        let ball: Attachment = if round % 2 == 0 { Circle::new(0.4).into() } else { Rect::new(0.7, 0.5).into() };
        let (ball, _) = scene.add_with(at(0.0, 0.0), ball);
        for frame in 0..300 {
            let displacement = dice.vector(-3.0..3.0);
            let moved = scene.move_and_slide(ball, displacement, &MoveOptions::top_down()).unwrap();
            let left = moved.passed().first();
            assert!(left.is_none(), "round {round}, frame {frame}: {} {left:?}", scene[ball].transform.position);
        }
    }
}

#[test]
fn a_mover_that_passes_a_one_sided_line_back_and_forth_at_a_joint_is_not_caught() {
    let mut scene = Scene::new();
    let line = Polyline::new(&[vec2(-9.0, 0.0), Vec2::ZERO, vec2(9.0, 0.0)]).unwrap().one_sided();
    let (lift, _) = scene.add_with(at(0.0, 0.0), line);
    let (hero, _) = scene.add_with(at(0.05, 0.0), Segment::new(vec2(-0.4, -0.1), vec2(0.4, 0.1)));
    for (frame, x) in [0.0, 0.1, 0.0, 0.1].into_iter().enumerate() {
        scene[lift].transform.position.x = x;
        let moved = scene.move_and_slide(hero, Vec2::ZERO, &MoveOptions::default()).unwrap();
        assert!(moved.hits().is_empty(), "frame {frame}: {moved:?}");
    }
}

#[test]
fn a_one_way_collider_that_a_mover_began_inside_lets_it_through_and_is_reported() {
    for (x, y) in [(0.0, 0.0), (0.0, 0.6), (0.0, -0.6), (0.6, 0.0)] {
        let mut scene = Scene::new();
        scene.add_with(at(0.0, 0.0), Attachment::new(Rect::new(1.0, 1.0)).one_way(Vec2::Y));
        let (hero, _) = scene.add_with(at(x, y), Circle::new(0.3));
        for displacement in [vec2(0.02, 0.02), vec2(0.02, -0.02)] {
            let moved = scene.move_and_slide(hero, displacement, &MoveOptions::default()).unwrap();
            assert!(moved.travel.abs_diff_eq(displacement, 1e-4), "{x} {y} {displacement}: passes, {moved:?}");
            assert_eq!(moved.passed().len(), 1, "{x} {y} {displacement}: {moved:?}");
        }
    }
}

#[test]
fn a_one_way_line_that_a_mover_passes_is_reported() {
    let points = [vec2(-9.0, 0.0), vec2(-1.0, 0.0), vec2(9.0, 0.0)];
    let lines: [Attachment; 3] = [
        Attachment::new(Rect::new(18.0, 0.0)).one_way(Vec2::Y),
        Polyline::new(&points).unwrap().one_sided().into(),
        Attachment::new(Polyline::new(&points).unwrap()).one_way(Vec2::Y),
    ];
    for (index, line) in lines.into_iter().enumerate() {
        for (gap, rise) in [(0.001, 0.13), (0.05, 0.13), (0.001, 3.0), (0.4, 3.0)] {
            let mut scene = Scene::new();
            scene.add_with(at(0.0, 0.0), line.clone());
            let (hero, _) = scene.add_with(at(0.0, -0.3 - gap), Rect::new(0.8, 0.6));
            scene.move_and_slide(hero, Vec2::ZERO, &MoveOptions::default()).unwrap();
            let moved = scene.move_and_slide(hero, vec2(0.0, rise), &MoveOptions::default()).unwrap();
            assert!(!moved.passed().is_empty(), "line {index}, gap {gap}, rise {rise}: {moved:?}");
        }
    }
}

#[test]
fn a_stack_keeps_its_order_when_the_order_of_moves_changes() {
    let mut scene = Scene::new();
    let (lift, _) = scene.add_with(at(0.0, -0.5), Rect::new(8.0, 1.0));
    let stack: Vec<_> =
        (0..6).map(|i| scene.add_with(at(0.0, 0.16 + 0.31 * i as f32), Rect::new(1.0, 0.3)).0).collect();
    let options = MoveOptions::default();
    for _ in 0..20 {
        for node in &stack {
            scene.move_and_slide(*node, vec2(0.0, -0.05), &options).unwrap();
        }
    }
    for frame in 0..160 {
        if frame < 140 {
            scene[lift].transform.position.y += 0.15;
        }
        // The top one first, and every fourth time another order.
        let order = if frame % 4 == 3 { [0, 1, 2, 3, 5, 4] } else { [5, 4, 3, 2, 1, 0] };
        for index in order {
            scene.move_and_slide(stack[index], vec2(0.0, -0.05), &options).unwrap();
        }
    }
    let heights: Vec<f32> = stack.iter().map(|node| scene[*node].transform.position.y).collect();
    let lift = scene[lift].transform.position.y;
    for (index, height) in heights.iter().enumerate() {
        assert!((height - lift - 0.66 - 0.31 * index as f32).abs() < 0.02, "{lift} {heights:?}");
    }
}

#[test]
fn the_cost_of_a_crushed_stack_does_not_double_with_each_box() {
    let mut scene = Scene::new();
    let (lift, _) = scene.add_with(at(0.0, -0.5), Rect::new(8.0, 1.0));
    scene.add_with(at(0.0, 17.5), Rect::new(8.0, 10.0));
    let stack: Vec<_> =
        (0..40).map(|i| scene.add_with(at(0.0, 0.16 + 0.31 * i as f32), Rect::new(1.0, 0.3)).0).collect();
    let options = MoveOptions::default();
    for node in &stack {
        scene.move_and_slide(*node, vec2(0.0, -0.05), &options).unwrap();
    }
    let mut stuck = 0;
    for _ in 0..40 {
        scene[lift].transform.position.y += 0.3;
        // The top one brings all others. Each stuck one tries again.
        for node in stack.iter().rev() {
            stuck += u32::from(scene.move_and_slide(*node, vec2(0.0, -0.05), &options).unwrap().stuck);
        }
    }
    assert!(stuck > 500, "the ceiling crushes most of the stack: {stuck}");
}

#[test]
fn a_thin_plate_pushes_a_point() {
    for turns in [false, true] {
        let mut scene = Scene::new();
        let (plate, _) = scene.add_with(at(0.0, 0.0), Segment::new(vec2(0.0, -2.0), vec2(0.0, 2.0)));
        let (hero, _) = scene.add_with(at(0.5, 1.0), Circle::point(Vec2::ZERO));
        scene.move_and_slide(hero, Vec2::ZERO, &MoveOptions::default()).unwrap();
        let motion = if turns { Motion::default().with_rotation(-1.0) } else { Motion::new(vec2(0.77, 0.0)) };
        scene.push(plate, motion, &MoveOptions::default()).unwrap();
        let place = scene[hero].transform.position;
        let local = scene.world().to_local(plate, place).unwrap();
        assert!(local.x > 0.0, "turns {turns}: on the far side at {local}");
    }
}

#[test]
fn a_carried_mover_reports_that_it_began_inside_what_it_passes() {
    for (step, sensor) in [(0.0, false), (0.1, false), (0.0, true), (0.1, true)] {
        for push in [0.0, 0.1] {
            let mut scene = Scene::new();
            let (lift, _) = scene.add_with(at(0.0, -0.5), Rect::new(8.0, 1.0));
            let ghost = Attachment::new(Rect::new(3.0, 3.0));
            let (ghost, _) = scene.add_with(at(0.0, 1.7), if sensor { ghost.sensor() } else { ghost });
            let (hero, _) = scene.add_with(at(0.0, 0.52), Circle::new(0.5));
            let mut moved = Default::default();
            for _ in 0..3 {
                scene[lift].transform.position.x += push;
                scene[lift].transform.position.y += step;
                moved = scene
                    .move_and_slide_with(hero, vec2(0.0, -0.1), &MoveOptions::default(), |_, hit| {
                        if hit.side.node == ghost { MoveResponse::Pass } else { MoveResponse::Block }
                    })
                    .unwrap();
            }
            let hit = moved.passed()[0];
            assert_eq!(hit.side.node, ghost, "lift by {step}, sensor {sensor}: {moved:?}");
            assert!(hit.began_inside && hit.depth > 0.5, "lift by {step}, sensor {sensor}: {moved:?}");
        }
    }
}

/// The number of landings on one-way surfaces, and of jumps through them.
const TRIES: usize = 2_000;

/// The frames per second.
const RATE: f32 = 60.0;

/// A wide one-way surface, which stays, moves, tilts, or is a piece of a tile map that moves.
struct OneWaySurface {
    node: NodeId,
    collider: ColliderId,
    /// The height of its upper side in its own frame.
    top: f32,
    velocity: Vec2,
    /// In radians per frame.
    spin: f32,
}

impl OneWaySurface {
    fn random(scene: &mut Scene, dice: &mut Dice) -> Self {
        let kind = dice.below(4);
        let velocity = vec2(dice.within(-2.0..2.0), dice.within(-3.0..3.0)) / RATE;
        let spin = dice.within(0.002..0.01) * dice.one_of(&[-1.0, 1.0]);
        let thickness = dice.one_of(&[0.0, 0.1, 0.5]);
        let (node, collider) = if kind == 3 {
            let map = Tiles::from_tiles(40, 1, Vec2::ONE, |_, _| Tile::FULL.one_way(Vec2::Y)).unwrap();
            scene.add_with(at(0.0, 0.0), map)
        } else {
            scene.add_with(at(0.0, 0.0), Attachment::new(Rect::new(40.0, thickness)).one_way(Vec2::Y))
        };
        if kind == 3 {
            scene[node].transform.position = vec2(-20.0, -1.0);
        }
        Self {
            node,
            collider,
            top: if kind == 3 { 1.0 } else { 0.5 * thickness },
            velocity: if kind == 0 || kind == 2 { Vec2::ZERO } else { velocity },
            spin: if kind == 2 { spin } else { 0.0 },
        }
    }

    /// Moves and turns the surface by one frame.
    fn advance(&self, scene: &mut Scene, frame: u16) {
        let transform = &mut scene[self.node].transform;
        transform.position += self.velocity;
        // It tilts to one side for 40 frames, then to the other.
        transform.rotation += if (frame + 20) % 80 < 40 { self.spin } else { -self.spin };
    }

    /// Returns the height of the middle of a collider above the upper side.
    fn height_of(&self, scene: &mut Scene, collider: ColliderId) -> f32 {
        let world = scene.world();
        let middle = world.bounds(collider).unwrap().center();
        world.to_local(self.node, middle).unwrap().y - self.top
    }
}

/// Returns a mover of any convex kind, of the usual size, on a node that may be rotated.
fn any_mover(scene: &mut Scene, dice: &mut Dice) -> (NodeId, ColliderId) {
    let size = dice.within(0.3..1.5);
    let slim = size * dice.within(0.3..1.0);
    let points: Vec<Vec2> = (0..5).map(|i| Vec2::from_angle(1.2566 * i as f32) * 0.5 * slim).collect();
    let shape: Attachment = match dice.below(7) {
        0 => Circle::new(0.5 * size).into(),
        1 => Capsule::new(vec2(0.0, -0.3 * size), vec2(0.0, 0.3 * size), 0.3 * slim).into(),
        2 => Rect::new(slim, size).into(),
        3 => Segment::new(vec2(-0.5 * size, 0.0), vec2(0.5 * size, 0.2 * slim)).into(),
        4 => Ellipse::new(0.5 * size, 0.5 * slim).into(),
        5 => Polygon::convex(&points).unwrap().into(),
        _ => Rounded::new(Polygon::convex(&points).unwrap(), 0.2 * slim).into(),
    };
    let rotation = dice.one_of(&[0.0, 0.0, 0.4, 2.0]);
    scene.add_with(Node::new("").with_rotation(rotation), shape)
}

#[test]
fn no_mover_falls_through_a_one_way_surface_in_2000_landings() {
    let mut dice = Dice(1);
    for index in 0..TRIES {
        let mut scene = Scene::new();
        let surface = OneWaySurface::random(&mut scene, &mut dice);
        let (hero, own) = any_mover(&mut scene, &mut dice);
        let half = 0.5 * scene.world().bounds(own).unwrap().size().length();
        scene[hero].transform.position = vec2(dice.within(-3.0..3.0), half + surface.top + dice.within(0.3..0.8));
        let displacement = vec2(dice.within(-2.0..2.0), -dice.within(4.0..10.0)) / RATE;
        scene.move_and_slide(hero, Vec2::ZERO, &MoveOptions::default()).unwrap();
        let mut landed = None;
        for frame in 0..120 {
            surface.advance(&mut scene, frame);
            let moved = scene.move_and_slide(hero, displacement, &MoveOptions::default()).unwrap();
            let depth = scene.world().contact(own, surface.collider).map_or(0.0, |contact| contact.depth);
            let height = surface.height_of(&mut scene, own);
            assert!(depth < 1e-3 && height > -1e-3, "try {index}, frame {frame}: at {height}, {depth} deep, {moved:?}");
            landed = landed.or(moved.floor.map(|_| frame));
            if landed.is_some_and(|landed| frame >= landed + 20) {
                break;
            }
        }
        assert!(landed.is_some(), "try {index}: the mover does not land");
    }
}

#[test]
fn no_mover_is_caught_by_a_one_way_surface_in_2000_jumps_from_below() {
    let mut dice = Dice(2);
    for index in 0..TRIES {
        let mut scene = Scene::new();
        let surface = OneWaySurface::random(&mut scene, &mut dice);
        let (hero, own) = any_mover(&mut scene, &mut dice);
        let half = 0.5 * scene.world().bounds(own).unwrap().size().length();
        let below = surface.top - 1.0 - half - dice.within(0.3..0.8);
        scene[hero].transform.position = vec2(dice.within(-3.0..3.0), below);
        let displacement = vec2(dice.within(-2.0..2.0), dice.within(5.0..10.0)) / RATE;
        scene.move_and_slide(hero, Vec2::ZERO, &MoveOptions::default()).unwrap();
        let (mut passes, mut is_in_front) = (false, false);
        for frame in 0..200 {
            surface.advance(&mut scene, frame);
            let moved = scene.move_and_slide(hero, displacement, &MoveOptions::default()).unwrap();
            // Once the mover is in front, the surface may rise into its feet and push it.
            let is_caught = !moved.hits().is_empty() && !is_in_front || moved.remainder.length() > 1e-4;
            assert!(!is_caught, "try {index}, frame {frame}: the mover is caught: {moved:?}");
            passes |= !moved.passed().is_empty();
            is_in_front = passes && scene.world().contact(own, surface.collider).is_none();
            if surface.height_of(&mut scene, own) > half {
                break;
            }
        }
        assert!(passes && surface.height_of(&mut scene, own) > half, "try {index}: the mover does not pass");
    }
}

#[test]
fn a_carrier_is_carried_through_what_its_own_filter_excludes() {
    let mut scene = Scene::new();
    let (lift, _) = scene.add_with(at(0.0, -0.5), Rect::new(8.0, 1.0));
    let (ghost, _) = scene.add_with(at(0.0, 1.0), Rect::new(9.0, 9.0));
    let [low, top] = [0.31, 0.92].map(|y| scene.add_with(at(0.0, y), Rect::new(1.0, 0.6)).0);
    let filter = QueryFilter::default().exclude_subtree(ghost);
    let options = MoveOptions { filter, ..MoveOptions::default() };
    for frame in 0..20 {
        scene[lift].transform.position.y += 0.05;
        // The upper one first: its move carries the lower one.
        for node in [top, low] {
            scene.move_and_slide(node, vec2(0.0, -0.05), &options).unwrap();
        }
        let offset = scene[low].transform.position - scene[lift].transform.position;
        assert!(offset.distance(vec2(0.0, 0.81)) < 0.1, "frame {frame}: the lower box is at {offset} of the lift");
    }
}

/// Returns a scene with a platform and a rider that stands on it, under two parents of one node.
fn rider_and_platform_in_one_frame() -> (Scene, [NodeId; 5]) {
    let mut scene = Scene::new();
    let frame = scene.add(at(0.5, 0.25));
    let level = scene.add_child(frame, at(0.0, 0.0)).unwrap();
    let actors = scene.add_child(frame, at(0.0, 0.0)).unwrap();
    let (platform, _) = scene.add_child_with(level, at(0.0, 0.0), Rect::new(8.0, 1.0)).unwrap();
    let (rider, _) = scene.add_child_with(actors, at(2.0, 1.1), Rect::new(1.0, 1.0)).unwrap();
    scene.move_and_slide(rider, vec2(0.0, -0.3), &MoveOptions::default()).unwrap();
    (scene, [frame, level, actors, platform, rider])
}

#[test]
fn a_frame_that_moves_a_platform_and_its_rider_moves_the_rider_once() {
    let (mut scene, [frame, level, _, platform, rider]) = rider_and_platform_in_one_frame();
    let place = scene[rider].transform.position;
    for step in 1..200_u16 {
        let angle = f32::from(step) * 0.02;
        scene[frame].transform =
            Transform::from_position(vec2(angle, 3.0 * angle.sin())).with_rotation(0.2 * angle.sin());
        let moved = scene.move_and_slide(rider, Vec2::ZERO, &MoveOptions::default()).unwrap();
        assert_eq!((moved.carried, moved.floor.map(|floor| floor.side.node)), (Vec2::ZERO, Some(platform)), "{step}");
        assert!((scene[rider].transform.position - place).length() < 1e-5, "{step}");
    }
    // The platform's own motion within the frame carries the rider.
    scene[frame].transform = Transform::from_position(vec2(40.0, 0.0));
    scene[level].transform.position.x += 1.0;
    let moved = scene.move_and_slide(rider, Vec2::ZERO, &MoveOptions::default()).unwrap();
    assert!((moved.carried - vec2(1.0, 0.0)).length() < 1e-4, "{}", moved.carried);
    // A rider that has left the frame does not move with it, but with its platform.
    let other = scene.add(at(40.0, 0.0));
    scene.set_parent(rider, other).unwrap();
    scene[frame].transform.position.x += 1.0;
    let moved = scene.move_and_slide(rider, Vec2::ZERO, &MoveOptions::default()).unwrap();
    assert!((moved.carried - vec2(1.0, 0.0)).length() < 1e-4, "{}", moved.carried);
}

#[test]
fn a_stack_in_a_moving_frame_keeps_its_place_in_any_order_of_moves() {
    let (mut scene, [frame, level, actors, _, lowest]) = rider_and_platform_in_one_frame();
    let options = MoveOptions::default();
    let mut stack = vec![lowest];
    for height in 1..4_u8 {
        let place = at(2.0, 1.1 + 1.05 * f32::from(height));
        let (crate_, _) = scene.add_child_with(actors, place, Rect::new(1.0, 1.0)).unwrap();
        scene.move_and_slide(crate_, vec2(0.0, -0.3), &options).unwrap();
        stack.push(crate_);
    }
    let places: Vec<Vec2> = stack.iter().map(|node| scene[*node].transform.position).collect();
    for step in 1..=100_u16 {
        scene[frame].transform.position += vec2(0.3, 0.1);
        scene[level].transform.position.x += 0.05;
        if step % 2 == 0 {
            stack.iter().for_each(|node| drop(scene.move_and_slide(*node, vec2(0.0, -0.02), &options).unwrap()));
        } else {
            stack.iter().rev().for_each(|node| drop(scene.move_and_slide(*node, vec2(0.0, -0.02), &options).unwrap()));
        }
        for (node, place) in stack.iter().zip(&places) {
            let shift = scene[*node].transform.position - *place - vec2(0.05 * f32::from(step), 0.0);
            assert!(shift.length() < 1e-3, "step {step}: {node:?} is off by {shift}");
        }
    }
}

#[test]
fn a_platform_that_can_hold_its_rider_no_longer_does_not_carry_it() {
    type Edit = fn(&mut Scene, NodeId, NodeId);
    let edits: [(&str, Edit); 8] = [
        ("a disabled node", |scene, platform, _| scene[platform].enabled = false),
        ("a disabled collider", |scene, platform, _| collider_of(scene, platform).enabled = false),
        ("a sensor", |scene, platform, _| collider_of(scene, platform).sensor = true),
        ("other layers", |scene, platform, _| collider_of(scene, platform).layers = CollisionLayers::NONE),
        ("other layers of the rider", |scene, _, rider| collider_of(scene, rider).layers = CollisionLayers::NONE),
        ("an ignored pair", |scene, platform, rider| assert!(scene.ignore_pair(platform, rider).is_ok())),
        ("no collider", |scene, platform, _| assert!(scene.detach(scene.colliders(platform)[0]).is_some())),
        ("no node", |scene, platform, _| assert!(scene.remove(platform))),
    ];
    for (name, edit) in edits {
        let mut scene = Scene::new();
        let (platform, _) = scene.add_with(at(0.0, 0.0), Rect::new(8.0, 1.0));
        let (rider, _) = scene.add_with(at(2.0, 1.1), Rect::new(1.0, 1.0));
        scene.move_and_slide(rider, vec2(0.0, -0.3), &MoveOptions::default()).unwrap();
        let place = scene[rider].transform.position;
        edit(&mut scene, platform, rider);
        // A pool puts unused platforms far away.
        if let Some(platform) = scene.get_mut(platform) {
            platform.transform.position = vec2(100.0, 50.0);
        }
        let moved = scene.move_and_slide(rider, Vec2::ZERO, &MoveOptions::default()).unwrap();
        assert_eq!((moved.travel, scene[rider].transform.position), (Vec2::ZERO, place), "{name}");
    }
}

/// Returns the first collider of a node, to be edited.
fn collider_of(scene: &mut Scene, node: NodeId) -> &mut Attachment {
    scene.attachment_mut(scene.colliders(node)[0]).unwrap()
}

#[test]
fn the_function_of_a_move_is_called_once_for_a_piece_that_several_pieces_of_the_mover_are_inside_of() {
    let mut scene = Scene::new();
    let (wall, _) = scene.add_with(at(0.0, 0.0), Rect::new(4.0, 4.0));
    let (mover, _) = scene.add_with(at(0.0, 1.8), Tiles::new(3, 1, Vec2::ONE, |column, _| column != 1));
    scene.attach(mover, Circle::new(0.5)).unwrap();
    for answers in [[MoveResponse::Pass, MoveResponse::Block], [MoveResponse::Block, MoveResponse::Pass]] {
        scene[mover].transform.position = vec2(-1.5, 1.8);
        let mut calls = 0;
        let moved = scene.move_and_slide_with(mover, vec2(0.5, 0.0), &MoveOptions::default(), |_, hit| {
            assert_eq!(hit.side.node, wall);
            calls += 1;
            answers[(calls - 1).min(1)]
        });
        let moved = moved.unwrap();
        let passes = answers[0] == MoveResponse::Pass;
        assert_eq!((calls, moved.passed().len()), (1, usize::from(passes)), "{moved:?}");
        assert_eq!((moved.hits().is_empty(), moved.pushed == Vec2::ZERO), (passes, passes), "{moved:?}");
    }
}

#[test]
fn a_move_without_a_displacement_reports_the_sensors_around_it_in_any_crowd() {
    // Of `others`, some block the mover and some do not meet it.
    for (others, layers) in [(0, 1), (10, 1), (400, 1), (400, 2)] {
        let mut scene = Scene::new();
        for index in 0..others {
            let at = vec2(if index % 2 == 0 { 1.8 } else { -1.8 }, 0.001 * index as f32);
            let attachment = Attachment::new(Circle::new(0.5)).with_layers(CollisionLayers::new(layers, layers));
            scene.add_with(Node::new("other").with_position(at), attachment);
        }
        let attachment = Attachment::new(Circle::new(0.5)).with_layers(CollisionLayers::new(1, 1));
        let (mover, _) = scene.add_with(Node::new("mover"), attachment);
        let (sensor, _) = scene.add_with(Node::new("sensor"), Attachment::new(Circle::new(0.1)).sensor());
        let options = MoveOptions { skin_width: 0.5, ..MoveOptions::top_down() };
        for _ in 0..2 {
            let moved = scene.move_and_slide(mover, Vec2::ZERO, &options).unwrap();
            let passed: Vec<_> = moved.passed().iter().map(|hit| hit.side.node).collect();
            assert_eq!(passed, [sensor], "{others} others on the layers {layers}");
        }
    }
}

#[test]
fn a_block_does_not_carry_a_mover_that_was_stuck_inside_it_in_its_first_move() {
    let mut scene = Scene::new();
    let (block, _) = scene.add_with(at(0.0, 0.0), Rect::new(20.0, 1.9));
    for y in [-3.0, 3.0] {
        scene.add_with(at(0.0, y), Rect::new(200.0, 4.0));
    }
    let (mover, _) = scene.add_with(at(0.0, 0.2), Circle::new(0.5));
    let options = MoveOptions::default();
    assert!(scene.move_and_slide(mover, Vec2::ZERO, &options).unwrap().stuck);
    // The block leaves the mover behind, which is then in the open.
    scene[block].transform.position.x += 30.0;
    let moved = scene.move_and_slide(mover, vec2(1.0, 0.0), &options).unwrap();
    assert!(!moved.stuck && moved.travel == vec2(1.0, 0.0), "{moved:?}");
}

#[test]
fn a_lift_does_not_carry_a_mover_that_was_stuck_when_its_rider_moved() {
    let mut scene = Scene::new();
    let (lift, _) = scene.add_with(at(0.0, 0.0), Rect::new(4.0, 1.0));
    let (cart, _) = scene.add_with(at(0.0, 1.02), Rect::new(3.0, 1.0));
    let (box_on_cart, _) = scene.add_with(at(-1.0, 1.8), Rect::new(0.5, 0.5));
    scene.add_with(at(1.5, 2.0), Rect::new(2.0, 0.2));
    let options = MoveOptions::default();
    for node in [cart, box_on_cart] {
        assert!(scene.move_and_slide(node, vec2(0.0, -0.1), &options).unwrap().floor.is_some());
    }
    scene[lift].transform.position.y += 1.0;
    scene.move_and_slide(box_on_cart, Vec2::ZERO, &options).unwrap();
    // The lift leaves the cart behind, which is then in the open.
    scene[lift].transform.position += vec2(30.0, -1.0);
    let moved = scene.move_and_slide(cart, vec2(-1.0, 0.0), &options).unwrap();
    assert!(!moved.stuck && moved.travel == vec2(-1.0, 0.0), "{moved:?}");
}

#[test]
fn a_mover_that_leaves_the_floor_on_which_a_lift_put_it_reports_no_floor() {
    let mut scene = Scene::new();
    let (lift, _) = scene.add_with(at(0.0, 0.0), Rect::new(4.0, 0.4));
    let (ledge, _) = scene.add_with(at(3.0, -0.5), Rect::new(2.0, 0.4));
    let (ball, _) = scene.add_with(at(1.8, 0.8), Circle::new(0.5));
    let options = MoveOptions::default();
    scene.move_and_slide(ball, vec2(0.0, -0.2), &options).unwrap();
    scene[lift].transform.position.y -= 2.0;
    let moved = scene.move_and_collide(ball, vec2(0.0, 5.0), &options).unwrap();
    assert!(moved.hits().iter().any(|hit| hit.side.node == ledge) && moved.travel.y > 4.0, "{moved:?}");
    assert_eq!(moved.floor, None);
}

#[test]
fn another_parent_that_moves_the_mover_is_a_teleport() {
    let options = MoveOptions::default();
    let mut scene = Scene::new();
    let (lift, _) = scene.add_with(Node::new("lift"), Rect::new(4.0, 1.0));
    let (hero, _) = scene.add_with(at(0.0, 1.05), Rect::new(1.0, 1.0));
    let far = scene.add(at(1000.0, 500.0));
    scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap();
    scene.set_parent(hero, far).unwrap();
    scene[lift].transform.position.x += 1.0;
    assert!(scene.push(lift, vec2(3.0, 0.0), &options).unwrap().pushed().is_empty());
    assert_eq!(scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap().carried, Vec2::ZERO);
}

#[test]
fn another_parent_in_place_keeps_the_sides_of_a_mover() {
    let options = MoveOptions::top_down();
    for scale in [vec2(1.0, 1.0), vec2(-2.0, 2.0)] {
        let mut scene = Scene::new();
        let room = scene.add(at(5.0, 0.0).with_rotation(0.5).with_scale(scale));
        let (plate, _) = scene.add_with(at(-0.6, 0.0), Rect::new(0.05, 4.0));
        let (hero, _) = scene.add_with(Node::new("hero"), Rect::new(1.0, 1.0));
        scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap();
        scene.set_parent_in_place(hero, room).unwrap();
        // The plate came from the left.
        scene[plate].transform.position.x = 0.1;
        scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap();
        let x = scene.world().position(hero).unwrap().x;
        assert!((x - 0.625).abs() < 0.02, "{x}");
    }
}

#[test]
fn a_mover_that_boards_the_group_of_its_platform_is_carried_once() {
    let options = MoveOptions::default();
    let mut scene = Scene::new();
    let group = scene.add(at(5.0, 0.0));
    let (lift, _) = scene.add_child_with(group, at(-5.0, 0.0), Rect::new(4.0, 1.0)).unwrap();
    let (hero, _) = scene.add_with(at(0.0, 1.05), Rect::new(1.0, 1.0));
    scene.move_and_slide(hero, vec2(0.0, -0.1), &options).unwrap();
    let x = |scene: &mut Scene| scene.world().position(hero).unwrap().x;
    let step = |scene: &mut Scene, expected: f32, what: &str| {
        let moved = scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap();
        assert_eq!(moved.floor.map(|floor| floor.side.node), Some(lift), "{what}");
        assert!((x(scene) - expected).abs() < 1e-5, "{what}: {} instead of {expected}", x(scene));
    };
    scene.set_parent_in_place(hero, group).unwrap();
    scene[lift].transform.position.x += 1.0;
    step(&mut scene, 1.0, "the lift carries the mover");
    scene[group].transform.position.x += 1.0;
    step(&mut scene, 2.0, "the group moves both");
    let root = scene.root();
    scene.set_parent_in_place(hero, root).unwrap();
    scene[group].transform.position.x += 1.0;
    step(&mut scene, 3.0, "the mover has left the group");
    // The group had moved both before the mover came back.
    scene.set_parent_in_place(hero, group).unwrap();
    step(&mut scene, 3.0, "nothing moves");
    scene[group].transform.position.x += 1.0;
    scene.set_parent_in_place(hero, root).unwrap();
    step(&mut scene, 4.0, "the group has moved both before");
}

#[test]
fn a_jump_under_a_round_rock_is_no_longer_than_its_displacement() {
    let mut dice = Dice(5);
    for _ in 0..2_000 {
        let mut scene = Scene::new();
        scene.add_with(at(0.0, -1.0), Rect::new(40.0, 2.0));
        scene.add_with(at(dice.within(-0.5..0.5), 2.28), Circle::new(1.25));
        let (hero, _) = scene.add_with(at(0.1, 0.51), Circle::new(0.5));
        let displacement = vec2(dice.within(-3.0..3.0), dice.within(0.0..4.0));
        let moved = scene.move_and_slide(hero, displacement, &MoveOptions::default()).unwrap();
        assert!(moved.travel.length() < displacement.length() + 0.05, "{displacement}: {moved:?}");
    }
}

#[test]
fn a_mover_without_room_for_its_skin_between_three_colliders_rests() {
    for displacement in [Vec2::ZERO, vec2(0.25, -0.75), vec2(0.0, -0.01)] {
        let mut scene = Scene::new();
        scene.add_with(at(0.0, -0.5), Rect::new(4.0, 1.0));
        scene.add_with(at(0.5, 1.5), Rect::new(1.0, 3.0));
        scene.add_with(at(-0.719, 0.719), Rect::new(0.562, 0.562));
        let (hero, _) = scene.add_with(at(-0.255, 0.255), Circle::new(0.25));
        for frame in 0..200 {
            let moved = scene.move_and_slide(hero, displacement, &MoveOptions::default()).unwrap();
            assert!(frame < 100 || moved.travel == Vec2::ZERO, "{displacement} in frame {frame}: {moved:?}");
        }
    }
}

#[test]
fn a_segment_between_a_wall_and_the_skin_of_a_round_shape_that_it_would_pass_rests() {
    let mut scene = Scene::new();
    scene.add_with(Node::new(""), Segment::new(vec2(-4.673113, -3.763245), vec2(-2.1210718, -5.61258)));
    let corners = [
        vec2(-0.33617294, 0.1493532),
        vec2(0.5331719, -0.09684022),
        vec2(0.35328728, 0.5116611),
        vec2(-0.18993384, 0.26270458),
    ];
    let stone = Rounded::new(Polygon::convex(&corners).unwrap(), 0.21027833);
    let matrix = Mat2::from_cols(vec2(0.55865633, 0.6603664), vec2(-0.6603664, 0.55865633));
    let turned = Transform::from_affine(Affine2::from_mat2_translation(matrix, vec2(-2.7145438, -3.4379148)));
    scene.add_with(Node::new("").with_transform(turned), stone);
    let matrix = Mat2::from_cols(vec2(1.0632664, 1.051347), vec2(-1.051347, 1.0632664));
    let turned = Transform::from_affine(Affine2::from_mat2_translation(matrix, vec2(-3.2, -3.8)));
    let line = Segment::new(vec2(-0.41156694, -0.054163728), vec2(0.17456898, -0.1651731));
    let (hero, _) = scene.add_with(Node::new("").with_transform(turned), line);
    let options = MoveOptions { skin_width: 0.1, ..MoveOptions::top_down() };
    for frame in 0..200 {
        let moved = scene.move_and_slide(hero, vec2(-0.1626126, -0.18525942), &options).unwrap();
        assert!(frame < 100 || moved.travel == Vec2::ZERO, "frame {frame}: {moved:?}");
    }
}

#[test]
fn a_mover_whose_stored_position_is_large_ends_inside_nothing() {
    for far in [1e4, 1e5, 1e6_f32] {
        let mut scene = Scene::new();
        let level = scene.add(at(-far, 0.0));
        scene.add_with(at(5.0, 0.0), Rect::new(1.0, 9.0));
        let (hero, body) = scene.add_child_with(level, at(far, 0.0), Circle::new(0.5)).unwrap();
        for frame in 0..200 {
            scene.move_and_slide(hero, vec2(0.07, 0.013), &MoveOptions::top_down()).unwrap();
            assert_eq!(scene.world().overlaps(body).len(), 0, "at {far} in frame {frame}");
        }
    }
}

#[test]
fn a_push_out_of_two_blocks_is_the_same_in_any_order() {
    let mut dice = Dice(3);
    for _ in 0..3_000 {
        let blocks = [(); 2].map(|()| {
            let mut pick = |low: i32, high: i32| (low + dice.below((high - low) as u64) as i32) as f32 * 0.02;
            ([pick(-75, 75), pick(-75, 75)], [pick(10, 100), pick(10, 100)])
        });
        let push = |order: [usize; 2]| {
            let mut scene = Scene::new();
            for ([x, y], [width, height]) in order.map(|index| blocks[index]) {
                scene.add_with(at(x, y), Rect::new(width, height));
            }
            let (hero, _) = scene.add_with(at(0.0, 0.0), Circle::new(0.5));
            scene.depenetrate(hero, &QueryFilter::default()).ok().map(Vec2::length)
        };
        let [first, second] = [push([0, 1]), push([1, 0])];
        let agree = match (first, second) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-3,
            (a, b) => a == b,
        };
        assert!(agree, "{blocks:?}: {first:?} and {second:?}");
    }
}

#[test]
fn what_a_function_lets_through_does_not_push_the_mover_off_its_skin() {
    let mut scene = Scene::new();
    let (door, _) = scene.add_with(at(1.0, 0.0), Rect::new(1.0, 4.0));
    let (ghost, _) = scene.add_with(at(-0.001, 0.0), Circle::new(0.5));
    let options = MoveOptions::top_down();
    let moved = scene.move_and_slide_with(ghost, vec2(0.0, 0.3), &options, |_, _| MoveResponse::Pass).unwrap();
    assert_eq!((moved.travel, moved.pushed), (vec2(0.0, 0.3), Vec2::ZERO));
    assert_eq!(moved.passed().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [door]);
}

#[test]
fn a_query_does_not_decide_whether_a_disabled_mover_forgets() {
    let run = |queries: bool| {
        let mut scene = Scene::new();
        let lift = scene.add_with(Node::new("lift").with_position(vec2(0.0, -0.5)), Rect::new(4.0, 1.0)).0;
        let hero = scene.add_with(Node::new("hero").with_position(vec2(0.0, 0.6)), Circle::new(0.5)).0;
        scene.move_and_slide(hero, vec2(0.0, -1.0), &MoveOptions::default()).unwrap();
        scene[hero].enabled = false;
        if queries {
            assert!(scene.world().contacts().is_empty());
        }
        scene[hero].enabled = true;
        scene[lift].transform.position.x = 1.0;
        let checksum = scene.checksum();
        (checksum, scene.move_and_slide(hero, vec2(0.0, -0.1), &MoveOptions::default()).unwrap().travel)
    };
    assert_eq!(run(false), run(true));
    assert_eq!(run(true).1.x, 1.0, "no update and no other move has seen the hero disabled");
}

#[test]
fn a_disabled_mover_without_colliders_forgets_too() {
    let mut scene = Scene::new();
    let (hero, body) = scene.add_with(Node::new("hero"), Circle::new(0.5));
    scene.move_and_slide(hero, Vec2::X, &MoveOptions::default()).unwrap();
    scene[hero].enabled = false;
    scene.attachment_mut(body).unwrap().user_data = 1;
    scene.detach(body);
    let mut loaded = Scene::load(scene.save().unwrap()).unwrap();
    assert_eq!(scene.checksum(), loaded.checksum());
    let before = scene.checksum();
    assert_eq!(scene.update(), loaded.update());
    assert_eq!(scene.checksum(), loaded.checksum());
    assert_ne!(scene.checksum(), before, "the update lets it forget");
}

#[test]
fn a_mover_that_was_disabled_remembers_neither_its_platform_nor_its_sides() {
    let options = MoveOptions::default();
    for disables_parent in [false, true] {
        let mut scene = Scene::new();
        let lift = scene.add_with(Node::new("lift").with_position(vec2(0.0, -0.5)), Rect::new(4.0, 1.0)).0;
        let wall = scene.add_with(Node::new("wall").with_position(vec2(1.2, 0.7)), Rect::new(0.1, 1.0)).0;
        let crew = scene.add(Node::new("crew"));
        let (hero, _) =
            scene.add_child_with(crew, Node::new("hero").with_position(vec2(0.5, 0.7)), Circle::new(0.5)).unwrap();
        scene.move_and_slide(hero, vec2(0.0, -0.3), &options).unwrap();
        let disabled = if disables_parent { crew } else { hero };
        scene[disabled].enabled = false;
        scene.update();
        scene[lift].transform.position.x += 1.0;
        scene[wall].transform.position.x = 0.2;
        scene.update();
        scene[disabled].enabled = true;
        let moved = scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap();
        assert_eq!(moved.carried, Vec2::ZERO, "the lift has moved without the hero");
        assert!(moved.pushed.x > 0.0, "the shortest way out is to the right: {moved:?}");
        // From now on it remembers again.
        scene[lift].transform.position.x += 0.1;
        let moved = scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap();
        assert!((moved.carried.x - 0.1).abs() < 1e-4, "{moved:?}");
    }
}

#[test]
fn a_one_sided_valley_is_passed_beside_its_free_ends_whatever_the_width_of_the_mover() {
    for (radius, height) in [(0.4, 10.5), (1.3, 10.5), (1.3, 10.0), (1.3, 9.0), (0.9, 10.0)] {
        let mut scene = Scene::new();
        let valley = [vec2(0.0, 10.0), vec2(1.0, 0.0), vec2(2.0, height)];
        scene.add_with(Node::new("valley"), Polyline::new(&valley).unwrap().one_sided());
        let (ball, _) = scene.add_with(at(0.0, 13.0), Circle::new(radius));
        for _ in 0..30 {
            scene.move_and_slide(ball, vec2(0.0, -0.2), &MoveOptions::top_down()).unwrap();
        }
        let y = scene[ball].transform.position.y;
        assert!(y < 8.0, "{radius} {height}: {y}");
    }
}

#[test]
fn a_one_way_floor_holds_a_mover_that_walks_through_a_one_way_door_on_it() {
    for (door, step) in [Vec2::X, -Vec2::X]
        .into_iter()
        .flat_map(|door| [vec2(0.1, -0.05), vec2(0.5, -0.1), vec2(0.02, -0.02)].map(|step| (door, step)))
    {
        let map = Tiles::from_tiles(9, 2, Vec2::ONE, |column, row| match (column, row) {
            (_, 0) => Tile::FULL.one_way(Vec2::Y),
            (4, 1) => Tile::FULL.one_way(door),
            _ => Tile::EMPTY,
        });
        let mut scene = Scene::new();
        scene.add_with(at(0.0, -1.0), map.unwrap());
        let start = if door.x > 0.0 { 2.0 } else { 7.0 };
        let (hero, _) = scene.add_with(at(start, 0.5), Rect::new(0.8, 0.9));
        let step = vec2(step.x * door.x, step.y);
        for frame in 0..(5.0 / step.x.abs()) as u32 {
            scene.move_and_slide(hero, step, &MoveOptions::default()).unwrap();
            let at = scene[hero].transform.position;
            assert!(at.y > 0.4, "{door} {step}, frame {frame}: {at}");
        }
    }
}

#[test]
fn a_mover_that_rests_gives_way_to_no_other_mover_that_comes_close() {
    let options = MoveOptions::top_down();
    let mut scene = Scene::new();
    // Two boxes chase a ball, and another ball slides to and fro around it.
    let (ball, _) = scene.add_with(at(0.0, 0.0), Circle::new(0.4));
    let starts = [(vec2(1.3207821, 1.4486884), 0.6540382), (vec2(0.3701353, 1.8544297), 0.8273371)];
    let boxes = starts.map(|(start, size)| scene.add_with(at(start.x, start.y), Rect::new(size, size)).0);
    let (hero, _) = scene.add_with(at(-2.0, -0.5), Circle::new(0.5));
    for frame in 0..1800 {
        scene.move_and_slide(ball, Vec2::ZERO, &options).unwrap();
        for node in boxes {
            let step = (-scene[node].transform.position).normalize_or_zero() * 0.05;
            scene.move_and_slide(node, step, &options).unwrap();
        }
        let walk = if frame % 300 < 150 { 0.023 } else { -0.023 };
        scene.move_and_slide(hero, vec2(walk, 0.002), &options).unwrap();
        assert_eq!(scene[ball].transform.position, Vec2::ZERO, "frame {frame}");
    }
}
