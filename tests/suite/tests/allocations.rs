//! After warm-up, updates, queries into buffers, moves and debug drawing allocate nothing.

use allocation_counter::measure;
use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, CollisionLayers, Compound, DebugOptions, Motion, MoveOptions,
    MoveResponse, Moved, Node, NodeId, Polygon, Polyline, Pushed, QueryFilter, Rect, Rounded, Scene, Shape, Tile,
    Tiles,
};
use support::{KINDS, Numbers, Squircle};

/// Returns a scene with every kind of shape, on a grid on which neighbours touch, and its nodes.
fn dense_scene() -> (Scene, Vec<NodeId>) {
    let mut scene = Scene::new();
    let mut nodes = Vec::new();
    for index in 0..160_u16 {
        let (row, column) = (index / 16, index % 16);
        let parent = scene.add(Node::new("row").with_position(vec2(0.0, f32::from(row) * 1.6)));
        let cell = Node::new("n").with_position(vec2(f32::from(column) * 1.6, 0.0));
        let node = scene.add_child(parent, cell).unwrap();
        let (_, make) = KINDS[usize::from(index) % KINDS.len()];
        scene.attach(node, make(&Numbers::PLAIN)).unwrap();
        nodes.extend([parent, node]);
    }
    (scene, nodes)
}

/// Moves, rotates and scales every node. The motion repeats after 16 frames.
fn step(scene: &mut Scene, nodes: &[NodeId], frame: u16) {
    let angle = f32::from(frame % 16) * std::f32::consts::TAU / 16.0;
    for (index, node) in nodes.iter().enumerate() {
        let turn = angle + index as f32;
        let transform = &mut scene[*node].transform;
        transform.position += Vec2::from_angle(turn) * 0.3;
        transform.rotation = turn;
        transform.scale = vec2(1.0 + 0.3 * turn.sin(), if index % 5 == 0 { -1.0 } else { 1.0 });
    }
}

/// Runs 64 frames as warm-up and 32 more, and returns the largest number of allocations in one of the latter.
fn allocations(mut frame: impl FnMut(u16)) -> u64 {
    (0..64).for_each(&mut frame);
    (64..96).map(|index| measure(|| frame(index)).count_total).max().unwrap()
}

/// Returns the number of allocations for adding nodes with a collider to a scene.
fn allocations_of_adding(scene: &mut Scene, count: usize) -> u64 {
    let attachments: Vec<Attachment> = (0..count).map(|_| Circle::new(1.0).into()).collect();
    let added = measure(|| {
        for attachment in attachments {
            scene.add_with(Node::new("n"), attachment);
        }
    });
    added.count_total
}

#[test]
fn adding_up_to_the_capacity_allocates_nothing() {
    let mut scene = Scene::with_capacity(1_000, 1_000);
    assert_eq!(allocations_of_adding(&mut scene, 1_000), 0);
    scene.update();
    assert!(allocations_of_adding(&mut scene, 1_000) > 0, "the counter must count allocations");
    scene.update();
    let first = scene.children(scene.root())[0];
    scene.remove(first);
    scene.reserve(700, 700);
    assert_eq!(allocations_of_adding(&mut scene, 700), 0);
    assert_eq!((scene.node_count(), scene.collider_count()), (2_700, 2_699));
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn update_into_allocates_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    let mut events = Vec::new();
    let mut event_count = 0;
    let most = allocations(|frame| {
        step(&mut scene, &nodes, frame);
        // Each node before a cell is its parent.
        scene[nodes[usize::from(frame % 8) * 2]].owns_subtree ^= true;
        scene.update_into(&mut events);
        event_count += events.len();
    });
    assert!(event_count > 1000, "only {event_count} events fired");
    assert_eq!(most, 0);
}

#[test]
fn removing_the_first_child_again_and_again_copies_no_list() {
    let mut scene = Scene::new();
    for _ in 0..1_000 {
        scene.add(Node::new("spark"));
    }
    let removals = measure(|| {
        while let Some(first) = scene.children(scene.root()).first().copied() {
            scene.remove(first);
        }
    });
    // Each time that half of the list is holes, these are closed, and the next one needs a new record.
    assert!((1..20).contains(&removals.count_total), "{} allocations", removals.count_total);
}

#[test]
fn events_and_walks_of_owners_with_twenty_parts_allocate_nothing_after_warm_up() {
    let mut scene = Scene::new();
    let [_, mover] = [0.0, 0.5].map(|y| {
        let owner = scene.add(Node::new("owner").with_position(vec2(0.0, y)).with_owns_subtree(true));
        for x in 0..20_u8 {
            let part = Node::new("part").with_position(vec2(f32::from(x), 0.0));
            scene.add_child_with(owner, part, Circle::new(0.4)).unwrap();
        }
        owner
    });
    let (mut events, mut marks) = (Vec::new(), 0);
    let found = allocations(|frame| {
        scene[mover].transform.position.x = f32::from(frame % 4) * 8.0;
        scene.update_into(&mut events);
        marks += events.iter().filter(|event| event.pair().owner_boundary).count();
        assert_eq!(scene.descendants(mover).count(), 20);
    });
    assert_eq!(found, 0);
    assert_eq!(marks, 48, "of four frames in a row, the owners part in one and meet again in the next");
}

#[test]
fn queries_into_buffers_allocate_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    let filter = QueryFilter::default().exclude_subtree(nodes[0]).with_layers(CollisionLayers::ALL);
    let shapes = (Rect::new(9.0, 9.0), Capsule::new(Vec2::ZERO, vec2(9.0, 9.0), 1.0), Squircle(5.0));
    let (mut sides, mut hits, mut pairs, mut contacts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let ids: Vec<_> = nodes.iter().flat_map(|node| scene.colliders(*node).to_vec()).collect();
    let mut found = 0;
    let most = allocations(|frame| {
        step(&mut scene, &nodes, frame);
        let world = scene.world();
        let at = Affine2::from_translation(vec2(3.0, f32::from(frame % 16)));
        world.at_point_into(at.translation, &filter, &mut sides);
        found += sides.len();
        world.in_aabb_into(Aabb::from_center(at.translation, Vec2::splat(6.0)), &filter, &mut sides);
        found += sides.len();
        world.overlaps_shape_into(&shapes.0, &at, &filter, &mut sides);
        found += sides.len();
        world.overlaps_shape_into(&shapes.1, &at, &filter, &mut sides);
        found += sides.len();
        world.overlaps_shape_into(&shapes.2, &at, &filter, &mut sides);
        found += sides.len();
        world.overlaps_into(ids[usize::from(frame % 16)], &mut sides);
        found += sides.len();
        world.cast_ray_all_into(Vec2::splat(-9.0), vec2(1.0, 0.9), f32::INFINITY, &filter, &mut hits);
        found += hits.len();
        found += usize::from(world.cast_ray(Vec2::splat(-9.0), Vec2::ONE, 99.0, &filter).is_some());
        world.pairs_into(&mut pairs);
        world.contacts_into(&mut contacts);
        assert_eq!(pairs.len(), contacts.len());
        found += pairs.len();
        for pair in ids.windows(2) {
            let apart = world.contact(pair[0], pair[1]).is_none() && world.distance(pair[0], pair[1]) > Some(0.0);
            found += usize::from(apart);
            found += usize::from(world.project_point(pair[0], Vec2::ZERO).is_some());
        }
    });
    assert!(found > 10_000, "the queries found only {found} results");
    assert_eq!(most, 0);
}

#[test]
fn queries_and_edits_of_composites_allocate_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    let ground = scene.add(Node::new("ground").with_position(vec2(-2.0, -2.0)));
    let zigzag: Vec<Vec2> = (0..60_u8).map(|i| vec2(f32::from(i) * 0.5, f32::from(i % 2))).collect();
    let star: Vec<Vec2> =
        (0..20_u8).map(|i| Vec2::from_angle(f32::from(i) * 0.314) * [9.0, 4.0][usize::from(i % 2)]).collect();
    let hexagon: Vec<Vec2> = (0..6_u8).map(|i| Vec2::from_angle(f32::from(i) * 1.047)).collect();
    let hexagon = Polygon::convex(&hexagon).unwrap();
    let mixed = [
        Circle::new(1.0).into(),
        hexagon.clone().into(),
        Rounded::new(hexagon, 0.5).into(),
        Shape::from(Rect::new(3.0, 1.0)),
    ];
    let tiles = scene.attach(ground, Tiles::new(40, 40, Vec2::ONE, |column, row| column % 3 == row % 3)).unwrap();
    for attachment in [
        Attachment::new(Polyline::new(&zigzag).unwrap()),
        Compound::from_outline(&star).unwrap().into(),
        Compound::new(mixed).unwrap().into(),
    ] {
        let node = scene.add_child(ground, Node::new("composite").with_rotation(0.4)).unwrap();
        scene.attach(node, attachment).unwrap();
    }
    let filter = QueryFilter::default();
    let (mut events, mut sides, mut hits, mut contacts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut found = 0;
    let most = allocations(|frame| {
        step(&mut scene, &nodes, frame);
        scene[ground].transform.rotation = f32::from(frame % 16) * 0.1;
        let map = scene.attachment_mut(tiles).and_then(|attachment| attachment.collider_mut::<Tiles>()).unwrap();
        map.set(u32::from(frame % 16), 3, if frame % 32 < 16 { Tile::FULL } else { Tile::EMPTY });
        scene.update_into(&mut events);
        let world = scene.world();
        let at = Affine2::from_translation(vec2(3.0, f32::from(frame % 16)));
        world.overlaps_shape_into(&Squircle(5.0), &at, &filter, &mut sides);
        world.overlaps_into(tiles, &mut sides);
        world.cast_ray_all_into(Vec2::splat(-9.0), vec2(1.0, 0.9), f32::INFINITY, &filter, &mut hits);
        world.contacts_into(&mut contacts);
        found += events.len() + sides.len() + hits.len() + contacts.len();
        for side in &sides {
            let apart = world.distance(tiles, side.collider);
            found += usize::from(apart.is_some())
                + usize::from(world.project_point(side.collider, at.translation).is_some());
        }
    });
    assert!(found > 10_000, "the queries found only {found} results");
    assert_eq!(most, 0);
}

#[test]
fn shape_casts_and_nearest_queries_allocate_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    let filter = QueryFilter::default().exclude_subtree(nodes[0]);
    let shapes = (Rect::new(1.0, 2.0), Capsule::new(Vec2::ZERO, vec2(1.0, 1.0), 0.5), Squircle(0.5));
    let (mut hits, mut near) = (Vec::new(), Vec::new());
    let mut found = 0;
    let most = allocations(|frame| {
        step(&mut scene, &nodes, frame);
        let world = scene.world();
        let at = Affine2::from_translation(vec2(-9.0, f32::from(frame % 16)));
        let shapes: [&dyn Collider; 3] = [&shapes.0, &shapes.1, &shapes.2];
        for shape in shapes {
            world.cast_shape_all_into(shape, &at, vec2(60.0, 9.0), &filter, &mut hits);
            found += hits.len() + usize::from(world.cast_shape(shape, &at, vec2(60.0, 9.0), &filter).is_some());
            let motion = Motion::new(vec2(60.0, 9.0)).with_rotation(3.0);
            world.cast_shape_all_into(shape, &at, motion, &filter, &mut hits);
            found += hits.len() + usize::from(world.cast_shape(shape, &at, motion, &filter).is_some());
        }
        world.nearest_n_into(at.translation, 9, f32::INFINITY, &filter, &mut near);
        found += near.len() + usize::from(world.nearest(at.translation, 99.0, &filter).is_some());
    });
    assert!(found > 1000, "the queries found only {found} results");
    assert_eq!(most, 0);
}

#[test]
fn moves_allocate_nothing_after_warm_up() {
    let (mut scene, _) = dense_scene();
    let mover = scene.add(Node::new("mover"));
    scene.attach(mover, Capsule::new(Vec2::ZERO, Vec2::Y, 0.4)).unwrap();
    let options = MoveOptions { snap_to_floor: 0.2, step_height: 0.3, ..MoveOptions::default() };
    let mut hits = 0;
    let most = allocations(|frame| {
        let angle = f32::from(frame % 16) * std::f32::consts::TAU / 16.0;
        scene[mover].transform.position = vec2(-3.0, 4.0 + angle);
        for _ in 0..4 {
            hits += scene.move_and_slide(mover, vec2(1.4, angle.sin()), &options).unwrap().hits().len();
            hits += scene.move_and_collide(mover, vec2(0.1, -1.0), &options).unwrap().hits().len();
        }
        scene[mover].transform.position = vec2(3.0, angle);
        hits += usize::from(scene.depenetrate(mover, &options.filter).is_ok());
    });
    assert!(hits > 100, "the moves hit only {hits} colliders");
    assert_eq!(most, 0);
}

#[test]
fn moves_into_a_result_allocate_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    // Every second row has sensors, and every fourth is one-way.
    for (index, node) in nodes.iter().enumerate().filter(|(index, _)| index % 4 == 1) {
        let id = scene.colliders(*node)[0];
        let attachment = scene.attachment_mut(id).unwrap();
        (attachment.sensor, attachment.one_way) = (index % 8 == 1, (index % 8 == 5).then_some(Vec2::Y));
    }
    for x in 0..30_u8 {
        let coin = Node::new("coin").with_position(vec2(f32::from(x) * 0.3 - 3.0, 5.0));
        scene.add_with(coin, Attachment::new(Circle::new(0.1)).sensor());
    }
    let (mover, _) = scene.add_with(Node::new("mover"), Capsule::new(Vec2::ZERO, Vec2::Y, 0.4));
    for height in 0..7_u8 {
        scene.attach(mover, Circle::new(0.3).at(vec2(0.0, 0.1 * f32::from(height)))).unwrap();
    }
    let filter = QueryFilter::default().exclude_subtree(nodes[0]);
    let options = MoveOptions { snap_to_floor: 0.2, step_height: 0.3, filter, ..MoveOptions::default() };
    let (mut hits, mut passed, mut moved) = (0, 0, Moved::default());
    let most = allocations(|frame| {
        let angle = f32::from(frame % 16) * std::f32::consts::TAU / 16.0;
        scene[mover].transform.position = vec2(-3.0, 4.0 + angle);
        for step in 0..8 {
            let displacement = vec2(5.0, angle.sin());
            if step % 2 == 0 {
                scene.move_and_slide_into(mover, displacement, &options, &mut moved).unwrap();
            } else {
                scene.move_and_collide_into(mover, displacement, &options, &mut moved).unwrap();
            }
            (hits, passed) = (hits + moved.hits().len(), passed + moved.passed().len());
        }
    });
    assert!(hits > 500 && passed > 1000, "the moves hit {hits} colliders and passed {passed}");
    assert_eq!(most, 0);
}

/// Returns a polygon and a rounded polygon, the world forms of which need heap memory.
fn heap_shapes() -> [Shape; 2] {
    let turn = std::f32::consts::TAU / 12.0;
    let corners: Vec<Vec2> = (0..12_u8).map(|corner| Vec2::from_angle(f32::from(corner) * turn)).collect();
    let polygon = Polygon::convex(&corners).unwrap();
    [polygon.clone().into(), Rounded::new(polygon, 0.5).into()]
}

#[test]
fn queries_with_shapes_on_the_heap_allocate_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    let [polygon, rounded] = heap_shapes();
    let probes = [polygon, rounded, Capsule::new(Vec2::ZERO, vec2(1.0, 1.0), 0.5).into()];
    let (filter, mut sides, mut hits, mut found) = (QueryFilter::default(), Vec::new(), Vec::new(), 0);
    let most = allocations(|frame| {
        step(&mut scene, &nodes, frame);
        let world = scene.world();
        // A capsule under a non-uniform scale is rounded.
        let scale = vec2(1.0, if frame % 2 == 0 { 1.0 } else { 2.0 });
        let at = Affine2::from_scale_angle_translation(scale, 0.3, vec2(3.0, f32::from(frame % 16)));
        for probe in &probes {
            world.overlaps_shape_into(probe, &at, &filter, &mut sides);
            found += sides.len();
            world.cast_shape_all_into(probe, &at, vec2(20.0, 9.0), &filter, &mut hits);
            found += hits.len();
            let motion = Motion::new(vec2(20.0, 9.0)).with_rotation(1.0);
            world.cast_shape_all_into(probe, &at, motion, &filter, &mut hits);
            let probe: &dyn Collider = probe;
            found += hits.len() + usize::from(probe.collides(&at, &probes[0], &at));
            found += usize::from(probe.contact_with(&at, &probes[1], &at).is_some());
        }
    });
    assert!(found > 1000, "the queries found only {found} results");
    assert_eq!(most, 0);
}

#[test]
fn moves_next_to_turning_shapes_on_the_heap_allocate_nothing_after_warm_up() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.0)), Rect::new(40.0, 2.0));
    let walls = heap_shapes().map(|shape| scene.add_with(Node::new("wall"), shape).0);
    let (mover, _) = scene.add_with(Node::new("mover"), Capsule::new(vec2(0.0, 0.5), vec2(0.0, 1.5), 0.5));
    let (options, mut moved, mut pushed) = (MoveOptions::default(), Moved::default(), Pushed::default());
    let mut inside = 0;
    let most = allocations(|frame| {
        scene[mover].transform.position = vec2(0.0, 0.1);
        for (wall, side) in walls.into_iter().zip([-1.0, 1.0]) {
            scene[wall].transform.position = vec2(side * 2.5, 1.0);
        }
        scene.move_and_slide_into(mover, vec2(0.1, -0.05), &options, &mut moved).unwrap();
        for (wall, side) in walls.into_iter().zip([-1.0, 1.0]) {
            scene[wall].transform.rotation += 0.1;
            scene[wall].transform.position.x = side * 1.3;
            scene.move_and_slide_into(mover, vec2(0.1 * side, -0.05), &options, &mut moved).unwrap();
            inside += moved.hits().iter().filter(|hit| hit.began_inside).count();
            let there = Motion::new(vec2(side * -0.2, 0.0)).with_rotation(0.1);
            scene.push_into(wall, there, &options, &mut pushed).unwrap();
        }
        scene[walls[usize::from(frame % 2)]].transform.rotation -= 0.3;
    });
    assert!(inside > 90, "the walls came into the mover only {inside} times");
    assert_eq!(most, 0);
}

#[test]
fn a_mover_on_many_boxes_at_once_allocates_nothing_after_warm_up() {
    let mut scene = Scene::new();
    for x in 0..30_u8 {
        scene.add_with(Node::new("box").with_position(vec2(f32::from(x) - 14.5, -0.5)), Rect::new(1.0, 1.0));
    }
    let (mover, _) = scene.add_with(Node::new("mover").with_position(vec2(0.0, 0.6)), Rect::new(25.0, 1.0));
    let (options, mut moved, mut floors) = (MoveOptions::default(), Moved::default(), 0);
    let most = allocations(|frame| {
        let x = if frame % 2 == 0 { 0.3 } else { -0.3 };
        scene.move_and_slide_into(mover, vec2(x, -0.2), &options, &mut moved).unwrap();
        floors += usize::from(moved.floor.is_some());
    });
    assert_eq!((floors, most), (96, 0));
}

#[test]
fn a_move_with_a_function_and_few_hits_allocates_nothing_after_warm_up() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.0)), Rect::new(40.0, 2.0));
    scene.add_with(Node::new("wall").with_position(vec2(9.0, 3.0)), Rect::new(1.0, 8.0));
    let (door, _) = scene.add_with(Node::new("door").with_position(vec2(4.0, 1.0)), Rect::new(0.2, 2.0));
    let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(0.5));
    let options = MoveOptions::default();
    let (mut hits, mut passed) = (0, 0);
    let most = allocations(|frame| {
        scene[hero].transform.position = vec2(f32::from(frame % 4), 0.6);
        for slides in [true, false, true, false] {
            let respond = |_: hitgraph::World<'_>, hit: &hitgraph::MoveHit| match hit.side.node == door {
                true => MoveResponse::Pass,
                false => MoveResponse::Block,
            };
            let displacement = vec2(5.0, -0.2);
            let moved = match slides {
                true => scene.move_and_slide_with(hero, displacement, &options, respond).unwrap(),
                false => scene.move_and_collide_with(hero, displacement, &options, respond).unwrap(),
            };
            (hits, passed) = (hits + moved.hits().len(), passed + moved.passed().len());
        }
    });
    assert!(hits > 300 && passed > 90, "the moves hit {hits} colliders and passed {passed}");
    assert_eq!(most, 0);
}

#[test]
fn riders_in_stacks_allocate_nothing_after_warm_up() {
    let mut scene = Scene::new();
    let (lift, _) = scene.add_with(Node::new("lift").with_position(vec2(0.0, -0.5)), Rect::new(12.0, 1.0));
    let (ghost, _) = scene.add_with(Node::new("ghost").with_position(vec2(0.0, 2.5)), Rect::new(12.0, 1.0));
    scene.add_with(Node::new("zone").with_position(vec2(0.0, 1.0)), Attachment::new(Rect::new(12.0, 9.0)).sensor());
    let stack: Vec<_> = (0..9_u8)
        .map(|index| {
            let (column, row) = (f32::from(index / 3), f32::from(index % 3));
            let at = vec2(column * 3.0 - 3.0, 0.32 + 0.61 * row);
            scene.add_with(Node::new("box").with_position(at), Rect::new(1.0, 0.6)).0
        })
        .collect();
    let options = MoveOptions { filter: QueryFilter::default().exclude_subtree(ghost), ..MoveOptions::default() };
    let (mut carried, mut moved) = (0, Moved::default());
    let most = allocations(|frame| {
        let angle = f32::from(frame % 16) * std::f32::consts::TAU / 16.0;
        scene[lift].transform.position += Vec2::from_angle(angle) * 0.03;
        // The top ones move first in every second frame.
        for index in 0..stack.len() {
            let index = if frame % 2 == 0 { index } else { stack.len() - 1 - index };
            scene.move_and_slide_into(stack[index], vec2(0.0, -0.05), &options, &mut moved).unwrap();
            carried += usize::from(moved.carried != Vec2::ZERO && !moved.passed().is_empty());
        }
    });
    assert!(carried > 600, "the lift carried a box only {carried} times");
    assert_eq!(most, 0);
}

#[test]
fn pushes_into_a_result_allocate_nothing_after_warm_up() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("ground").with_position(vec2(0.0, -1.0)), Rect::new(40.0, 2.0));
    scene.add_with(Node::new("wall").with_position(vec2(8.0, 2.0)), Rect::new(1.0, 4.0));
    let (plate, _) = scene.add_with(Node::new("plate"), Rect::new(2.0, 1.0));
    let riders = [0, 1].map(|_| scene.add_with(Node::new("rider"), Rect::new(0.8, 0.4)).0);
    let crates = [0, 1, 2].map(|_| scene.add_with(Node::new("crate"), Rect::new(0.9, 0.9)).0);
    let options = MoveOptions::default();
    let (mut moved, mut result) = (Moved::default(), Pushed::default());
    let (mut pushed, mut squeezed) = (0, 0);
    let most = allocations(|_| {
        scene[plate].transform = vec2(0.0, 0.6).into();
        for (index, node) in riders.iter().chain(&crates).enumerate() {
            let at = [vec2(0.0, 1.35), vec2(0.0, 1.8), vec2(2.0, 0.5), vec2(3.0, 0.5), vec2(4.5, 0.5)][index];
            scene[*node].transform.position = at;
            scene.move_and_slide_into(*node, vec2(0.0, -0.1), &options, &mut moved).unwrap();
        }
        for _ in 0..8 {
            scene.push_into(plate, vec2(0.7, 0.0), &options, &mut result).unwrap();
            (pushed, squeezed) = (pushed + result.pushed().len(), squeezed + result.squeezed().len());
        }
        scene.push_into(plate, Motion::default().with_rotation(0.2), &options, &mut result).unwrap();
        pushed += result.pushed().len();
    });
    assert!(pushed > 1000 && squeezed > 90, "{pushed} movers were pushed and {squeezed} squeezed");
    assert_eq!(most, 0);
}

#[test]
fn debug_drawing_allocates_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    let options = DebugOptions { bounds: true, contacts: true, normals: true, index: true, ..DebugOptions::default() };
    let mut events = Vec::new();
    let (mut lines, mut length) = (0, 0.0);
    let most = allocations(|frame| {
        step(&mut scene, &nodes, frame);
        scene.update_into(&mut events);
        scene.world().debug_draw(&options, |shape| {
            shape.lines(|a, b| {
                lines += 1;
                length += a.distance(b);
            });
        });
    });
    assert!(lines > 10_000 && length > 0.0);
    assert_eq!(most, 0);
}

#[test]
fn clone_from_allocates_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    let polygon: Vec<Vec2> = (0..20_u8).map(|corner| Vec2::from_angle(f32::from(corner) * 0.3)).collect();
    scene.add_with(Node::new("floor").with_position(vec2(0.0, -50.0)), Rect::new(100.0, 1.0));
    let mover = Node::new("a name on the heap".to_owned()).with_position(vec2(0.0, -48.0));
    let (mover, _) = scene.add_with(mover, Polygon::convex_hull(&polygon).unwrap());
    let (mut snapshot, mut events, mut moved) = (scene.clone(), Vec::new(), Moved::default());
    let most = allocations(|frame| {
        step(&mut scene, &nodes, frame);
        scene.move_and_slide_into(mover, vec2(0.1, -1.0), &MoveOptions::default(), &mut moved).unwrap();
        scene.update_into(&mut events);
        snapshot.clone_from(&scene);
        if frame % 4 == 3 {
            scene.clone_from(&snapshot);
        }
    });
    assert_eq!(most, 0);
}

#[test]
fn clone_from_allocates_nothing_while_colliders_are_switched_on_and_off() {
    let mut scene = Scene::new();
    let mut add = |x: u8| scene.add_with(Node::new("n").with_position(vec2(x.into(), 0.0)), Circle::new(0.6)).1;
    let colliders: Vec<_> = (0..70).map(&mut add).collect();
    let (mut snapshots, mut events) = (vec![scene.clone(); 9], Vec::new());
    let mut step = |frame: usize| {
        // In a third of the frames few boxes are in the index, and its tree is lower.
        let are_few = (frame / 7).is_multiple_of(3);
        for (index, collider) in colliders.iter().enumerate() {
            let is_needed = !are_few || index < 5 || index % 3 == frame % 3;
            scene.attachment_mut(*collider).unwrap().enabled = is_needed;
        }
        scene.update_into(&mut events);
        snapshots[frame % 9].clone_from(&scene);
    };
    // A snapshot has memory for the largest index that it has met so far.
    (0..1_000).for_each(&mut step);
    assert_eq!(measure(|| (1_000..1_200).for_each(&mut step)).count_total, 0);
}

#[test]
fn the_allocation_counter_counts_one_allocation() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![1_u8]))).count_total, 1);
}

#[test]
fn overlaps_node_needs_no_heap_for_eight_results_however_often_it_finds_them() {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("body"));
    for _ in 0..4 {
        scene.attach(node, Circle::new(1.0)).unwrap();
    }
    for _ in 0..8 {
        scene.add_with(Node::new("coin"), Circle::new(0.5));
    }
    let world = scene.world();
    assert_eq!(world.overlaps_node(node).len(), 8);
    assert_eq!(measure(|| drop(world.overlaps_node(node))).count_total, 0);
}
