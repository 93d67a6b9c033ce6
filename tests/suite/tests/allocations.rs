//! After warm-up, updates, queries into buffers, moves and debug drawing allocate nothing.

use allocation_counter::measure;
use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, CollisionLayers, Compound, DebugOptions, MoveOptions, Node, NodeId,
    Polygon, Polyline, QueryFilter, Rect, Rounded, Scene, Shape, Tile, Tiles,
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

#[test]
fn update_into_allocates_nothing_after_warm_up() {
    let (mut scene, nodes) = dense_scene();
    let mut events = Vec::new();
    let mut event_count = 0;
    let most = allocations(|frame| {
        step(&mut scene, &nodes, frame);
        scene.update_into(&mut events);
        event_count += events.len();
    });
    assert!(event_count > 1000, "only {event_count} events fired");
    assert_eq!(most, 0);
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
fn the_allocation_counter_counts_one_allocation() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![1_u8]))).count_total, 1);
}
