//! Large scenes and large shapes. The slow tests are `#[ignore]`d; run them by hand in a release build:
//! `cargo test --release --test limits -- --ignored --test-threads 1`.
//!
//! `hierarchy.rs` tests a chain of 100,000 nodes, `events.rs` 10,000 coincident colliders that do not touch each other.

use allocation_counter::measure;
use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, ColliderId, Ellipse, Meets, Motion, MoveOptions, Node, NodeId,
    Polygon, QueryFilter, Rect, Scene, SceneError, Segment, Shape, ShapeError, Transform,
};
use support::dice::Dice;
use support::oracle::{OracleHull, gap};
use support::{BUILT_IN, Numbers, Squircle, anything};

/// Adds `count` nodes, each under a random earlier one. Every tenth has a collider. Returns all nodes, the root first.
fn add_random_tree(scene: &mut Scene, count: usize) -> Vec<NodeId> {
    let mut dice = Dice(1);
    let mut nodes = vec![scene.root()];
    for index in 0..count {
        let parent = nodes[dice.below(nodes.len() as u64) as usize];
        let transform =
            Transform { position: dice.vector(-9.0..9.0), rotation: dice.within(-3.0..3.0), ..Transform::IDENTITY };
        let node = scene.add_child(parent, Node::new("n").with_transform(transform)).unwrap();
        if index % 10 == 0 {
            scene.attach(node, Circle::new(0.05)).unwrap();
        }
        nodes.push(node);
    }
    nodes
}

fn check_tree(count: usize) {
    let mut scene = Scene::new();
    let nodes = add_random_tree(&mut scene, count);
    let tip = *nodes.last().unwrap();
    scene.update();
    let before = scene.world().position(tip).unwrap();
    // Moving the root moves every node.
    let root = scene.root();
    scene[root].transform.position = vec2(100.0, -50.0);
    scene.update();
    let after = scene.world().position(tip).unwrap();
    assert!((after - before).abs_diff_eq(vec2(100.0, -50.0), 1e-3), "{before} to {after}");
    let sample = nodes.iter().rev().step_by(1 + count / 500);
    for node in sample {
        let chain: Vec<NodeId> = std::iter::once(*node).chain(scene.ancestors(*node)).collect();
        let product =
            chain.iter().rev().fold(Affine2::IDENTITY, |product, node| product * scene[*node].transform.to_affine());
        assert_eq!(scene.world().transform(*node), Some(product));
    }
    assert_eq!(scene.node_count(), count + 1);
    assert_eq!(scene.validate(), Ok(()));
    scene.clear();
    scene.update();
    assert_eq!((scene.node_count(), scene.collider_count(), scene.touching().len()), (1, 0, 0));
    assert_eq!(scene.world().in_aabb(Aabb::EVERYTHING, &QueryFilter::default()).len(), 0);
}

#[test]
fn world_transforms_of_20_000_nodes_are_exact_products() {
    check_tree(20_000);
}

#[test]
#[ignore = "takes half a minute in debug; a smaller tree is always tested"]
fn world_transforms_of_1_000_000_nodes_are_exact_products() {
    check_tree(1_000_000);
}

/// Moves one circle over a grid of `side * side` touching rectangles and checks its events, overlaps and ray hits.
fn check_still_grid(side: u16) {
    let mut scene = Scene::new();
    let count = usize::from(side) * usize::from(side);
    for row in 0..side {
        for column in 0..side {
            let position = vec2(f32::from(column), f32::from(row));
            scene.add_with(Node::new("n").with_position(position), Rect::new(1.0, 1.0));
        }
    }
    let (mover, id) = scene.add_with(Node::new("mover").with_position(vec2(-5.0, -5.0)), Circle::new(0.25));
    // Each rectangle touches its neighbours in its row, in its column and at its corners.
    let (rows, gaps) = (usize::from(side), usize::from(side) - 1);
    let still_pairs = 2 * rows * gaps + 2 * gaps * gaps;
    assert_eq!(scene.update().len(), still_pairs);
    assert_eq!(scene.collider_count(), count + 1);
    for step in 0..10_u16 {
        let x = f32::from(side / 2 + step) + 0.125;
        scene[mover].transform.position = vec2(x, 7.0);
        let events = scene.update();
        assert!(events.iter().all(|event| event.pair().involves(mover)) && !events.is_empty(), "{events:?}");
        assert_eq!(scene.touching().len(), still_pairs + 1);
        assert_eq!(scene.world().overlaps(id).len(), 1);
        let hit = scene.world().cast_ray(vec2(x, -9.0), Vec2::Y, 99.0, &QueryFilter::default()).unwrap();
        assert_eq!(hit.distance, 8.5);
    }
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn a_mover_among_10_000_still_colliders_fires_only_its_own_events() {
    check_still_grid(100);
}

#[test]
#[ignore = "takes half a minute in debug; a smaller grid is always tested"]
fn a_mover_among_1_000_000_still_colliders_fires_only_its_own_events() {
    check_still_grid(1_000);
}

/// Adds `count` coincident circles, moves one away, clears the scene, and counts the events and touching pairs.
fn check_coincident(count: usize) {
    let mut scene = Scene::new();
    let node = || Node::new("n").with_position(vec2(3.0, 4.0));
    let nodes: Vec<NodeId> = (0..count).map(|_| scene.add_with(node(), Circle::new(1.0)).0).collect();
    let pairs = count * (count - 1) / 2;
    assert_eq!(scene.update().len(), pairs);
    assert!(scene.update().is_empty());
    scene[nodes[count / 2]].transform.position.x = 50.0;
    assert_eq!(scene.update().len(), count - 1);
    assert_eq!(scene.touching().len(), pairs - (count - 1));
    scene.clear();
    assert_eq!(scene.update().len(), pairs - (count - 1));
}

#[test]
fn all_pairs_of_500_coincident_colliders_touch() {
    check_coincident(500);
}

#[test]
#[ignore = "fifty million pairs take gigabytes; fewer colliders are always tested"]
fn all_pairs_of_10_000_coincident_colliders_touch() {
    check_coincident(10_000);
}

/// Returns a convex polygon with 1000 corners on a circle. A rational parametrisation replaces the sine, which differs
/// by platform.
fn thousand_gon(radius: f32) -> Polygon {
    let corner = |index: i32| {
        // Each half circle has 500 corners.
        let (half, t) = (index / 500, f64::from(index % 500 - 250) / 250.0);
        let [x, y] = [2.0 * t / (1.0 + t * t), (1.0 - t * t) / (1.0 + t * t)];
        vec2(-x as f32, y as f32) * radius * if half == 0 { 1.0 } else { -1.0 }
    };
    let outline: Vec<Vec2> = (0..1_000).map(corner).collect();
    Polygon::convex(&outline).unwrap()
}

#[test]
fn pairs_with_a_polygon_of_1000_corners_match_the_oracle() {
    let round = thousand_gon(10.0);
    assert_eq!(round.points().len(), 1_000);
    let mut dice = Dice(8);
    for case in 0..200 {
        let numbers = Numbers {
            sizes: [dice.within(0.1..20.0), dice.within(0.1..20.0)],
            radius: dice.within(0.1..12.0),
            points: [(); 5].map(|()| dice.vector(-9.0..9.0)),
        };
        let (kind, make) = BUILT_IN[case % BUILT_IN.len()];
        let scale = Affine2::from_scale(vec2(dice.within(0.1..2.0), dice.within(-2.0..2.0)));
        let offset = dice.vector(-16.0..16.0);
        let other = if case % 4 == 0 { Attachment::from(thousand_gon(dice.within(0.5..9.0))) } else { make(&numbers) };
        let mut scene = Scene::new();
        let node = Node::new(kind).with_transform(Transform::from_affine(scale).with_position(offset));
        let ids = [scene.add_with(node, other).1, scene.add_with(Node::new("round"), round.clone()).1];
        let world = scene.world();
        let shape = |id: ColliderId| -> Shape { world.shape(id).unwrap().clone() };
        let gap = gap(&OracleHull::of(&shape(ids[0]), offset), &OracleHull::of(&shape(ids[1]), Vec2::ZERO));
        let touching = world.overlaps(ids[0]).len() == 1;
        assert_eq!(gap.overlaps(gap.unit()).unwrap_or(touching), touching, "{kind}: {gap:?}");
        let measured =
            world.contact(ids[0], ids[1]).map_or(world.distance(ids[0], ids[1]).unwrap(), |found| -found.depth);
        let slack = 16.0 * gap.unit() + 0.01 * f64::from(measured.abs());
        assert!((gap.least - slack..=gap.most + slack).contains(&f64::from(measured)), "{kind}: {measured}, {gap:?}");
    }
}

#[test]
fn a_slot_can_be_reused_100_000_times() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("other"), Circle::new(1.0));
    let (first, first_id) = add_circle(&mut scene);
    let mut last = (first, first_id);
    for round in 0..100_000 {
        if round % 1_000 == 0 {
            assert_eq!(
                scene.update().len(),
                if round == 0 { 1 } else { 2 },
                "the old pair stops and the new one starts"
            );
        }
        assert!(scene.remove(last.0) && !scene.remove(last.0));
        let next = add_circle(&mut scene);
        assert!(next.0 != last.0 && next.1 != last.1 && next.0 != first && next.1 != first_id);
        assert!(scene.get(last.0).is_none() && scene.attachment(first_id).is_none());
        last = next;
    }
    assert_eq!((scene.node_count(), scene.collider_count()), (3, 2));
    assert_eq!(scene.validate(), Ok(()));
}

fn add_circle(scene: &mut Scene) -> (NodeId, ColliderId) {
    scene.add_with(Node::new("n").with_position(vec2(0.5, 0.0)), Circle::new(1.0))
}

/// Adds a random tree and refreshes everything that depends on it.
fn build(scene: &mut Scene, count: usize) {
    add_random_tree(scene, count);
    scene.update();
    let _ = scene.world().pairs();
}

fn clear(scene: &mut Scene) {
    scene.clear();
    scene.update();
}

#[test]
fn a_cleared_scene_reuses_its_memory() {
    let total = measure(|| {
        let mut scene = Scene::new();
        for _ in 0..2 {
            build(&mut scene, 5_000);
            clear(&mut scene);
        }
        let again = measure(|| {
            for _ in 0..10 {
                build(&mut scene, 5_000);
                clear(&mut scene);
            }
        });
        assert_eq!(again.bytes_current, 0);
    });
    assert_eq!(total.bytes_current, 0, "dropping the scene frees all its memory");
    assert!(total.bytes_max > 500_000, "the counter must count allocations: {}", total.bytes_max);
}

#[test]
fn shrink_to_fit_after_clear_returns_the_memory() {
    // The tree has 22,000 nodes and colliders in all.
    let mut scene = Scene::new();
    let mut kept = ColliderId::default();
    let held = measure(|| {
        build(&mut scene, 20_000);
        clear(&mut scene);
        scene.shrink_to_fit();
        kept = add_circle(&mut scene).1;
    });
    assert!(held.bytes_max > 5_000_000, "{held:?}");
    assert!(held.bytes_current < 200 * 22_000, "{held:?}");
    // A second round needs no more memory, and no id of the first round is valid after it.
    let again = measure(|| {
        build(&mut scene, 20_000);
        assert!(scene.attachment(kept).is_some());
        clear(&mut scene);
        assert!(scene.attachment(kept).is_none());
        scene.shrink_to_fit();
    });
    assert!(again.bytes_current <= 0, "{again:?}");
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn outlines_of_nearly_the_largest_size_keep_their_corners_or_are_refused() {
    let most = 3e38;
    let square = [vec2(-most, -most), vec2(most, -most), vec2(most, most), vec2(-most, most)];
    assert_eq!(Polygon::convex(&square).unwrap().offsets().len(), 4);
    assert_eq!(Polygon::convex_hull(&square).unwrap().offsets().len(), 4);
    let concave = [vec2(-most, 0.0), vec2(0.0, 1e38), vec2(most, 0.0), vec2(0.0, most)];
    assert_eq!(Polygon::convex(&concave), Err(ShapeError::Concave { index: 1 }));
}

#[test]
fn pairs_that_end_before_shrink_to_fit_still_report_their_stops() {
    let endings: [fn(&mut Scene, NodeId); 3] = [
        |scene, node| {
            scene.remove(node);
        },
        |scene, node| scene[node].enabled = false,
        |scene, node| scene[node].transform.position.x = f32::NAN,
    ];
    for end in endings {
        let mut scene = Scene::new();
        let nodes: Vec<NodeId> = (0..6).map(|_| add_circle(&mut scene).0).collect();
        nodes.iter().enumerate().for_each(|(index, node)| scene[*node].transform.position.x = (index / 2 * 10) as f32);
        assert_eq!(scene.update().len(), 3);
        nodes.iter().for_each(|node| end(&mut scene, *node));
        scene.shrink_to_fit();
        add_circle(&mut scene);
        let stops = scene.update();
        assert!(stops.len() == 3 && stops.iter().all(|event| !event.started()), "{stops:?}");
        assert!(scene.touching().is_empty() && scene.world().contacts().is_empty());
        assert_eq!(scene.validate(), Ok(()));
    }
}

#[test]
fn a_shape_whose_support_points_the_wrong_way_is_quarantined_and_disturbs_no_other() {
    #[derive(Debug, Clone)]
    struct Inverted;

    impl Collider for Inverted {
        fn support(&self, direction: Vec2) -> Vec2 {
            -direction
        }
    }

    let mut scene = Scene::new();
    let (_, circle) = add_circle(&mut scene);
    let inverted: Vec<NodeId> = (0..200).map(|_| scene.add_with(Node::new("inverted"), Inverted).0).collect();
    for step in 0..20 {
        inverted.iter().skip(step).for_each(|node| scene[*node].transform.position.x += 0.5);
        assert!(scene.update().is_empty());
        assert_eq!(scene.quarantined(), inverted);
        assert_eq!(scene.validate(), Ok(()));
    }
    let found: Vec<_> = scene.world().at_point(Vec2::ZERO, &QueryFilter::default()).collect();
    assert!(found.len() == 1 && found[0].collider == circle);
}

#[test]
fn shrink_to_fit_does_not_change_any_result() {
    let mut scene = Scene::new();
    let mut nodes = add_random_tree(&mut scene, 2_000);
    // The small scale of the root makes many colliders touch.
    let root = scene.root();
    scene[root].transform = Transform::from_scale(Vec2::splat(0.05));
    for id in nodes.iter().flat_map(|node| scene.colliders(*node).to_vec()).collect::<Vec<_>>() {
        *scene.attachment_mut(id).unwrap() = Circle::new(9.0).into();
    }
    let mut other = scene.clone();
    for round in 0..12 {
        // Edit both scenes alike between updates: move, remove and add nodes.
        for node in nodes.iter().skip(round).step_by(7) {
            scene[*node].transform.position.x += 0.25;
            other[*node].transform.position.x += 0.25;
        }
        let removed = nodes.swap_remove(nodes.len() - 1 - 31 * round);
        assert_eq!(scene.remove(removed), other.remove(removed));
        if round % 3 == 0 {
            assert_eq!(add_circle(&mut scene), add_circle(&mut other));
        }
        scene.shrink_to_fit();
        assert_eq!(scene.world().pairs(), other.world().pairs());
        scene.shrink_to_fit();
        assert_eq!(scene.validate(), Ok(()));
        assert_eq!(scene.update(), other.update());
        assert!(scene.touching().iter().eq(other.touching().iter()));
        nodes.retain(|node| scene.contains(*node));
    }
    assert!(!scene.touching().is_empty());
}

#[test]
fn a_mover_whose_only_way_out_leads_beyond_the_range_of_f32_is_stuck() {
    let mut scene = Scene::new();
    // The two circles coincide. Even a diagonal out of both is longer than the largest number in each coordinate.
    let [mover, _] = [(); 2].map(|()| scene.add_with(Node::new("planet"), Circle::new(3e38)).0);
    let moved = scene.move_and_slide(mover, Vec2::ZERO, &MoveOptions::default()).unwrap();
    assert!(moved.stuck && moved.travel == Vec2::ZERO, "{moved:?}");
    assert_eq!(scene[mover].transform.position, Vec2::ZERO);
    assert_eq!(scene.update().len(), 1, "both are still in the scene");
}

#[test]
fn a_region_without_limits_contains_every_finite_collider() {
    let mut scene = Scene::new();
    for x in [0.0, 1e20, -9e37, 1e38, 3.3e38] {
        scene.add_with(Node::new("ball").with_position(vec2(x, 0.0)), Circle::new(1e30));
    }
    scene.add_with(Node::new("wall").with_position(vec2(1e38, 0.0)), Rect::new(1e37, 1e30));
    let found = |scene: &mut Scene, min: f32, max: f32| {
        let region = Aabb::new(vec2(min, f32::NEG_INFINITY), vec2(max, f32::INFINITY));
        scene.world().in_aabb(region, &anything()).count()
    };
    assert_eq!(scene.world().in_aabb(Aabb::EVERYTHING, &anything()).count(), 6);
    assert_eq!(found(&mut scene, 1.02e38, f32::INFINITY), 2, "the furthest ball, and the wall across the border");
    assert_eq!(found(&mut scene, f32::NEG_INFINITY, 0.98e38), 4, "three balls, and the wall across the border");
    assert_eq!(found(&mut scene, 0.97e38, 1.03e38), 2);
}

#[test]
fn stretched_circles_of_any_size_meet() {
    for unit in [1e-30, 1e-22, 1.0, 1e20, 1e30] {
        let mut scene = Scene::new();
        let stretched = |x: f32| Node::new("egg").with_position(vec2(x, 0.0) * unit).with_scale(vec2(2.0, 1.0) * unit);
        scene.add_with(stretched(0.0), Circle::new(1.0));
        scene.add_with(stretched(3.9), Circle::new(1.0));
        assert_eq!(scene.update().len(), 1, "{unit}");
        assert!(scene.quarantined().is_empty(), "{unit}");
    }
}

#[test]
fn a_move_beyond_the_range_of_numbers_is_an_error_and_changes_nothing() {
    let mut scene = Scene::new();
    let (far, _) = scene.add_with(Node::new("far").with_position(vec2(3e38, 1e38)), Circle::new(1.0));
    let tiny = scene.add(Node::new("tiny").with_scale(Vec2::splat(1e-30)));
    let (child, _) = scene.add_child_with(tiny, Node::new("child"), Circle::new(1.0)).unwrap();
    let huge = scene.add(Node::new("huge").with_scale(Vec2::splat(1e30)).with_position(vec2(3e38, 0.0)));
    let (inner, _) = scene.add_child_with(huge, Node::new("inner"), Circle::new(1.0)).unwrap();
    for (node, displacement) in [(far, 3e38), (child, 1e10), (inner, 3e38)] {
        let old = scene[node].transform;
        let options = MoveOptions::default();
        for moved in [
            scene.move_and_slide(node, vec2(displacement, 0.0), &options),
            scene.move_and_collide(node, vec2(displacement, 0.0), &options),
        ] {
            assert_eq!(moved, Err(SceneError::NotFinite(node)));
        }
        assert_eq!(scene[node].transform, old);
    }
    scene.update();
    assert!(scene.quarantined().is_empty());
}

#[test]
fn no_small_number_is_the_id_of_anything() {
    let mut scene = Scene::new();
    let ids: Vec<(NodeId, ColliderId)> = (0..3).map(|_| scene.add_with(Node::new("n"), Circle::new(1.0))).collect();
    for bits in (0..9).chain([u64::from(u32::MAX), 2 << 32, (2 << 32) + 1]) {
        assert_eq!((NodeId::from_bits(bits), ColliderId::from_bits(bits)), Default::default(), "{bits}");
    }
    for (node, collider) in ids {
        assert_eq!((NodeId::from_bits(node.to_bits()), ColliderId::from_bits(collider.to_bits())), (node, collider));
    }
}

#[test]
fn a_move_of_an_id_that_was_never_issued_allocates_nothing() {
    let mut scene = Scene::new();
    let options = MoveOptions::default();
    for x in [0.0, 9.0] {
        let (node, _) = scene.add_with(Node::new("n").with_position(vec2(x, 0.0)), Circle::new(1.0));
        scene.move_and_slide(node, Vec2::X, &options).unwrap();
    }
    let never = NodeId::from_bits((1 << 32) | 0xffff_fff0);
    let allocated = measure(|| {
        assert_eq!(scene.move_and_slide(never, Vec2::X, &options), Err(SceneError::NodeNotFound(never)));
        assert_eq!(scene.move_and_collide(never, Vec2::X, &options), Err(SceneError::NodeNotFound(never)));
    });
    assert_eq!(allocated.bytes_max, 0);
}

#[test]
fn a_region_without_limits_finds_nothing_beyond_its_border_however_large_the_scene_is() {
    let mut scene = Scene::new();
    let far = [-1e20, -1e12].map(|x| scene.add_with(Node::new("far").with_position(vec2(x, 0.0)), Circle::new(0.0)).1);
    let on_border = scene.add_with(Node::new("on").with_position(vec2(5.0, 0.0)), Circle::new(0.0)).1;
    for x in [5.001, 40.0, 1e4] {
        scene.add_with(Node::new("beyond").with_position(vec2(x, 0.0)), Circle::new(0.0));
        scene.add_with(Node::new("beyond").with_position(vec2(x + 3.0, 0.0)), Squircle(1.0));
    }
    for [min, max] in [[f32::NEG_INFINITY, f32::INFINITY], [f32::MIN, f32::MAX]] {
        let half_plane = Aabb { min: Vec2::splat(min), max: vec2(5.0, max) };
        let found: Vec<ColliderId> = scene.world().in_aabb(half_plane, &anything()).map(|side| side.collider).collect();
        assert_eq!(found, [far[0], far[1], on_border]);
    }
}

#[test]
fn a_point_beside_a_sheared_rectangle_is_apart_from_it_at_any_size() {
    for unit in [1e-18, 1.0, 1e18, 1e19, 1.2e19, 2e19, 1e30] {
        let rect = Rect::from_axes([vec2(-0.95, 0.89) * unit, vec2(-1.1, 1.03) * unit]);
        let point = Circle::point(vec2(0.3, 0.3) * unit);
        let mut scene = Scene::new();
        scene.add_with(Node::new("rect"), rect);
        scene.add_with(Node::new("point"), point);
        assert!(rect.distance(&point) > 0.4 * unit && !rect.overlaps(&point), "{unit}");
        assert!(scene.update().is_empty(), "{unit}");
    }
}

#[test]
fn a_tiny_shape_deep_inside_a_large_one_touches_it() {
    let corners = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 1.0)];
    for size in [1e-3, 1e-12, 1e-19, 1e-22, 1e-23, 1e-30, 1e-40, 0.0_f32] {
        let sparks: [Shape; 4] = [
            Rect::new(size, size).into(),
            Rect::new(size, 0.5 * size).rotated(1.0).into(),
            Segment::new(vec2(0.0, -size), vec2(size, size)).into(),
            Polygon::convex(&corners.map(|corner| corner * size)).unwrap().into(),
        ];
        let fields: [Shape; 5] = [
            Circle::new(100.0).into(),
            Capsule::new(vec2(-1.0, 0.0), vec2(1.0, 1.0), 100.0).into(),
            Rect::new(200.0, 200.0).rotated(0.5).into(),
            Ellipse::new(120.0, 100.0).into(),
            Circle::new(1e20).into(),
        ];
        for (spark, field) in sparks.iter().flat_map(|spark| fields.iter().map(move |field| (spark, field))) {
            let mut scene = Scene::new();
            scene.add_with(Node::new("field"), field.clone());
            scene.add_with(Node::new("spark").with_position(vec2(30.0, 40.0)), spark.clone());
            assert_eq!(scene.update().len(), 1, "{spark:?} in {field:?}");
            assert_eq!(scene.world().contacts().len(), 1, "{spark:?} in {field:?}");
        }
    }
}

#[test]
fn a_scene_with_a_shape_that_shrinks_to_nothing_fires_no_stop() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("field"), Circle::new(100.0));
    let (spark, _) = scene.add_with(Node::new("spark").with_position(vec2(30.0, 0.0)), Rect::new(1.0, 1.0));
    assert_eq!(scene.update().len(), 1);
    for scale in [1e-10, 1e-23, 0.0] {
        scene[spark].transform.scale = Vec2::splat(scale);
        assert_eq!(scene.update(), [], "scale {scale}");
    }
}

#[test]
fn a_point_beside_a_line_of_two_corners_is_apart_from_it_at_any_size() {
    for exponent in -80..60 {
        let unit = 2.0_f32.powi(exponent);
        let line = Polygon::convex(&[Vec2::splat(-unit), Vec2::splat(unit)]).unwrap();
        let beside = Circle::point(vec2(0.0, 2e-5 * unit));
        assert!(!line.overlaps(&beside) && line.contact(&beside).is_none(), "2^{exponent}");
    }
}

#[test]
fn the_longest_path_out_grows_with_the_size_of_the_level() {
    for unit in [1e-25, 1e-23, 1e-18, 1.0, 1e18, 1e20_f32] {
        for (gap, height, has_way) in [(0.5, 2.0, true), (0.5, 20.0, false)] {
            let mut scene = Scene::new();
            let ceiling = Node::new("ceiling").with_position(vec2(0.0, gap + 0.5 * height) * unit);
            scene.add_with(ceiling, Rect::new(if has_way { 2.0 } else { 200.0 } * unit, height * unit));
            let floor = Node::new("floor").with_position(vec2(0.0, -2.25) * unit);
            scene.add_with(floor, Rect::new(200.0 * unit, 2.0 * unit));
            let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.1, 0.0) * unit), Circle::new(unit));
            let found = scene.depenetrate(hero, &QueryFilter::default());
            assert_eq!(found.is_ok(), has_way, "{unit:e}: {found:?}");
        }
    }
}

#[test]
fn a_push_turns_a_node_below_a_stretched_parent_of_any_size() {
    for unit in [1e-24, 1e-10, 1.0, 1e19_f32] {
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("parent").with_scale(vec2(unit, 2.0 * unit)));
        let node = scene.add_child(parent, Node::new("node")).unwrap();
        let matrix = |scene: &mut Scene| scene.world().transform(node).unwrap().matrix2 * (1.0 / unit);
        let before = matrix(&mut scene);
        scene.push(node, Motion::default().with_rotation(0.7), &MoveOptions::top_down()).unwrap();
        let after = matrix(&mut scene);
        assert!(after.abs_diff_eq(Mat2::from_angle(0.7) * before, 1e-5), "{unit:e}: {after}");
    }
}

#[test]
fn a_very_flat_parallelogram_touches_a_disc_over_its_middle() {
    let rect = Rect::from_axes([vec2(2.490_503_8e16, -2.662_300_4e17), vec2(338.513_64, -3_618.645_5)]);
    let disc = Circle::new(1e12).at(vec2(-34.794_926, 0.0));
    assert!(rect.overlaps(&disc));
    assert_eq!(rect.distance(&disc), 0.0);
}

#[test]
fn a_cast_hits_a_wall_of_any_thinness() {
    let (from, displacement) = (vec2(-72.028_42, 110.835_335), vec2(108.043_18, -166.254_01));
    let shapes: [Shape; 3] =
        [Circle::new(0.0).into(), Rect::new(0.0, 0.0).into(), Segment::new(Vec2::ZERO, Vec2::ZERO).into()];
    for thinness in (0..960_i16).map(|step| 2.0_f32.powf(-f32::from(step) / 20.0)) {
        let mut scene = Scene::new();
        let wall = Rect::from_axes([vec2(-21.610_601, -59.664_87), vec2(0.288_337_47, -0.624_300_3) * thinness]);
        scene.add_with(Node::new("wall").with_position(vec2(-0.583_601_24, -0.707_156_96)), wall);
        for shape in &shapes {
            let at = Affine2::from_translation(from);
            let hit = scene.world().cast_shape(shape, &at, displacement, &QueryFilter::default());
            assert!(hit.is_some(), "{shape:?}, {thinness:e}");
        }
    }
}

#[test]
fn a_ray_and_a_cast_with_a_denormal_direction_hit() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("target").with_position(vec2(0.0, 1e-2)), Circle::new(1e-3));
    let filter = QueryFilter::default();
    assert!(scene.world().cast_ray(vec2(-1e38, 0.0), vec2(1e38, 1e-2), f32::INFINITY, &filter).is_some());
    for size in [1e-30, 1e-37, 2e-39, 1e-40, 1e-42_f32] {
        let mut scene = Scene::new();
        scene.add_with(Node::new("target").with_position(vec2(2.0 * size, 0.0)), Rect::new(size, size));
        let caster = Rect::new(size, size);
        let hit = scene.world().cast_shape(&caster, &Affine2::IDENTITY, vec2(3.0 * size, 0.0), &filter);
        assert!(hit.is_some(), "{size:e}");
    }
}
