//! Pushing out: the ways of a mover out of what it is inside of, and the sides on which it stays.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_6};
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, Collider, CollisionLayers, Compound, MoveOptions, Node, Polygon, Polyline, QueryFilter,
    Rect, Scene, SceneError, Segment, Shape, Transform,
};
use support::at;
use support::moves::{SKIN_REACH, add_at, depth, floors, hexagon, movers, options, position, slide};

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
fn a_floor_off_which_a_wall_pushes_a_mover_is_neither_reported_nor_a_platform() {
    for wall in [None, Some(at(-1.2, 0.0))] {
        let mut scene = Scene::new();
        let floor = add_at(&mut scene, at(0.0, -0.5), Rect::new(1.0, 1.0));
        wall.map(|at| add_at(&mut scene, at, Rect::new(4.0, 8.0)));
        let node = add_at(&mut scene, at(0.3, 0.4), Circle::new(0.5));
        let moved = scene.move_and_collide(node, Vec2::ZERO, &options()).unwrap();
        assert!(moved.hits().iter().any(|hit| hit.side.node == floor), "{moved:?}");
        assert_eq!(moved.floor.is_some(), wall.is_none(), "{moved:?}");
        scene[floor].transform.position.y -= 0.3;
        let carried = scene.move_and_collide(node, Vec2::ZERO, &options()).unwrap().carried.y;
        assert!((carried - if wall.is_none() { -0.3 } else { 0.0 }).abs() < 1e-6, "{carried}");
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

/// A user shape with a unit square at every second pair of integers from 0 to 400, as on a chessboard, which counts the
/// pieces that it visits.
#[derive(Debug)]
struct Rubble(AtomicU32);

impl Collider for &'static Rubble {
    fn support(&self, direction: Vec2) -> Vec2 {
        200.0 + direction.signum() * 200.5
    }

    fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        let (low, high) =
            ((region.min - 0.5).ceil().max(Vec2::ZERO), (region.max + 0.5).floor().min(Vec2::splat(400.0)));
        for (x, y) in (low.x as u16..=high.x as u16).flat_map(|x| (low.y as u16..=high.y as u16).map(move |y| (x, y))) {
            if (x + y) % 2 == 0 {
                self.0.fetch_add(1, Ordering::Relaxed);
                visit(
                    u32::from(x) * 401 + u32::from(y),
                    &Rect::new(1.0, 1.0).at(vec2(f32::from(x), f32::from(y))).into(),
                );
            }
        }
        true
    }
}

impl Rubble {
    /// Returns how many pieces were visited since the last call.
    fn visited(&self) -> u32 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// It used to visit all pieces to find the sides of each: a move that remembers sides took 140 times as long as one that
/// does not.
#[test]
fn the_memory_of_a_mover_in_rubble_visits_few_pieces_for_each_one_that_it_is_inside_of() {
    static RUBBLE: Rubble = Rubble(AtomicU32::new(0));
    let mut scene = Scene::new();
    scene.add_with(Node::new("rubble"), &RUBBLE);
    let (boss, _) = scene.add_with(Node::new("boss").with_position(vec2(20.0, 20.0)), Circle::new(8.0));
    let mut visited_by_move = || {
        RUBBLE.visited();
        assert!(scene.move_and_slide(boss, vec2(0.1, 0.0), &MoveOptions::top_down()).unwrap().stuck);
        RUBBLE.visited()
    };
    let without_memory = visited_by_move();
    for _ in 0..3 {
        let visited = visited_by_move();
        assert!(visited < 20 * without_memory, "{visited}, but {without_memory} without memory");
    }
}

/// It used to visit all pieces in the box around the displacement, to measure the gap to the one that was hit.
#[test]
fn a_blocked_move_visits_no_more_pieces_if_its_displacement_is_longer() {
    static RUBBLE: Rubble = Rubble(AtomicU32::new(0));
    let mut scene = Scene::new();
    scene.add_with(Node::new("rubble"), &RUBBLE);
    let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(0.1));
    let mut visited_by_move = |length: f32| {
        scene[ball].transform.position = vec2(-1.0, 4.01);
        RUBBLE.visited();
        let moved = scene.move_and_collide(ball, vec2(0.8, 0.6) * length, &MoveOptions::top_down()).unwrap();
        assert!(moved.hits().len() == 1 && moved.travel.length() < 0.8, "{moved:?}");
        RUBBLE.visited()
    };
    let (short, long) = (visited_by_move(1.0), visited_by_move(400.0));
    assert!(long < 20 * short, "{long}, but {short} for a displacement of 1");
}

/// A piece that had been away from the mover by more than the reach of the memory had no sides, unlike a collider of one
/// piece, so that the mover ended on its far side.
#[test]
fn a_piece_that_comes_from_afar_keeps_the_mover_on_its_side() {
    for x in (14..30).map(|tenths| tenths as f32 * 0.1) {
        let mut scene = Scene::new();
        let square = Rect::new(0.5, 0.5);
        let pieces = Compound::new([square, square.at(vec2(9.0, 9.0))]).unwrap();
        let solid = Node::new("solid").with_position(vec2(x, 0.0)).with_rotation(0.785);
        let (solid, _) = scene.add_with(solid, pieces);
        // It is near the ball, so that the ball remembers the node.
        scene.attach(solid, Circle::new(0.01).at(vec2(0.35 - x, x - 0.35) * 0.7)).unwrap();
        let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(0.3));
        scene.move_and_slide(ball, Vec2::ZERO, &MoveOptions::top_down()).unwrap();
        scene[solid].transform.position.x = -0.05;
        let pushed = scene.move_and_slide(ball, Vec2::ZERO, &MoveOptions::top_down()).unwrap().pushed;
        assert!(pushed.x < -0.7 && pushed.y.abs() < 0.01, "{x}: {pushed}");
    }
}

#[test]
fn a_mover_at_rest_gives_way_to_a_wall_in_its_skin_but_not_to_another_mover() {
    for (is_mover, way) in [(false, 0.008), (true, 0.0)] {
        let mut scene = Scene::new();
        let [node, other] = [0.0, 3.0].map(|x| add_at(&mut scene, at(x, 0.0), Circle::new(0.5)));
        slide(&mut scene, node, 0.0, 0.0);
        if is_mover {
            slide(&mut scene, other, 0.0, 0.0);
        }
        // Its own move would end no closer than a skin.
        scene[other].transform.position.x = 1.002;
        let moved = slide(&mut scene, node, 0.0, 0.0);
        assert!(moved.travel.abs_diff_eq(vec2(-way, 0.0), 1e-5), "{is_mover}: {moved:?}");
    }
}

#[test]
fn a_mover_too_wide_for_the_gap_between_two_solids_leaves_one_of_them_by_its_second_shortest_way() {
    for mirror in [1.0, -1.0] {
        let mut scene = Scene::new();
        // The shortest ways out of the two lead to each other, and out of the wall there is no other.
        add_at(&mut scene, at(1.3 * mirror, 0.0), Rect::new(2.0, 20.0));
        add_at(&mut scene, at(-2.4 * mirror, -0.9), Rect::new(4.0, 2.0));
        let node = add_at(&mut scene, at(0.0, 0.0), Rect::new(1.0, 1.0));
        let push = scene.depenetrate(node, &QueryFilter::default()).unwrap();
        assert!(push.abs_diff_eq(vec2(-0.2 * mirror, 0.6), 1e-5), "{push}");
    }
}
