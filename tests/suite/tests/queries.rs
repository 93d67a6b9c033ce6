//! Overlap queries, ray casts and nearest colliders, compared with brute force over all colliders and tested at the
//! limits of their arguments.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, ColliderId, CollisionLayers, Contact, Ellipse, Meets, Node,
    NodeCollider, NodeId, Polygon, Polyline, QueryFilter, RayHit, Rect, Rounded, Scene, Segment, Shape, Transform,
    World,
};
use proptest::prelude::*;
use support::{Squircle, TestCollider, anything, cases, point, test_collider};

/// How one collider of a random scene is attached.
#[derive(Debug, Clone)]
struct Entry {
    collider: TestCollider,
    /// The index of the parent among the earlier nodes, modulo their number; `None` for the root.
    parent: Option<usize>,
    layers: CollisionLayers,
    sensor: bool,
    enabled: bool,
}

fn layers() -> impl Strategy<Value = CollisionLayers> {
    let random = (0..8_u32, 0..8_u32).prop_map(|(memberships, filters)| CollisionLayers::new(memberships, filters));
    prop_oneof![3 => Just(CollisionLayers::ALL), 2 => random]
}

fn entries(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Entry>> {
    let parent = prop_oneof![3 => Just(None), 1 => any::<u8>().prop_map(|index| Some(usize::from(index)))];
    let entry = (test_collider(), parent, layers(), prop::bool::weighted(0.2), prop::bool::weighted(0.9)).prop_map(
        |(collider, parent, layers, sensor, enabled)| {
            let spread = collider.transform.with_position(collider.transform.position * 2.0);
            Entry { collider: TestCollider { transform: spread, ..collider }, parent, layers, sensor, enabled }
        },
    );
    prop::collection::vec(entry.boxed(), count)
}

struct RandomScene {
    scene: Scene,
    nodes: Vec<NodeId>,
    ids: Vec<ColliderId>,
}

fn random_scene(entries: &[Entry]) -> RandomScene {
    let mut random = RandomScene { scene: Scene::new(), nodes: Vec::new(), ids: Vec::new() };
    for entry in entries {
        let nodes = &random.nodes;
        let parent = entry.parent.filter(|_| !nodes.is_empty()).map(|index| nodes[index % nodes.len()]);
        let node = Node::new(entry.collider.kind).with_transform(entry.collider.transform);
        let node = random.scene.add_child(parent.unwrap_or(random.scene.root()), node).unwrap();
        let attachment = entry.collider.attachment.clone().with_layers(entry.layers).with_enabled(entry.enabled);
        let attachment = if entry.sensor { attachment.sensor() } else { attachment };
        random.nodes.push(node);
        random.ids.push(random.scene.attach(node, attachment).unwrap());
    }
    random
}

/// Returns the filters that the tests use.
fn filters(nodes: &[NodeId]) -> [QueryFilter; 4] {
    let excluded = nodes.first().copied().unwrap_or_default();
    let last = nodes.last().copied().unwrap_or_default();
    [
        anything(),
        anything().without_sensors(),
        anything().with_layers(CollisionLayers::new(1, 6)),
        anything().exclude_subtree(excluded).exclude_subtree(last),
    ]
}

/// Returns `true` if the collider is active and the filter admits it, by the definition in the documentation.
fn passes(world: World<'_>, id: ColliderId, filter: &QueryFilter) -> bool {
    let scene = world.scene();
    let (node, attachment) = (scene.node_of(id).unwrap(), scene.attachment(id).unwrap());
    let is_excluded =
        |excluded: &NodeId| *excluded == node || scene.descendants(*excluded).any(|descendant| descendant == node);
    attachment.enabled
        && world.is_enabled(node)
        && filter.layers.meets(attachment.layers)
        && (filter.sensors || !attachment.sensor)
        && !filter.excluded().iter().any(is_excluded)
}

/// Returns the ids that pass the filter and `test`, in ascending order.
fn brute(
    world: World<'_>,
    ids: &[ColliderId],
    filter: &QueryFilter,
    test: impl Fn(ColliderId) -> bool,
) -> Vec<ColliderId> {
    let found: BTreeSet<ColliderId> =
        ids.iter().copied().filter(|id| passes(world, *id, filter) && test(*id)).collect();
    found.into_iter().collect()
}

fn ids_of(sides: impl IntoIterator<Item = NodeCollider>) -> Vec<ColliderId> {
    sides.into_iter().map(|side| side.collider).collect()
}

/// Returns `true` if double dispatch finds that a collider touches `probe` at the transform `at`.
fn touches(world: World<'_>, id: ColliderId, probe: &dyn Collider, at: &Affine2) -> bool {
    let scene = world.scene();
    let own = world.transform(scene.node_of(id).unwrap()).unwrap();
    scene.attachment(id).unwrap().collider().collides(&own, probe, at)
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn point_region_and_shape_queries_match_brute_force(
        entries in entries(0..40), point in point(), corners in [point(), point()], shape in test_collider()
    ) {
        let RandomScene { mut scene, nodes, ids } = random_scene(&entries);
        let world = scene.world();
        let mut buffer = vec![];
        for filter in filters(&nodes) {
            let probe = Circle::point(point);
            let expected = brute(world, &ids, &filter, |id| touches(world, id, &probe, &Affine2::IDENTITY));
            prop_assert_eq!(ids_of(world.at_point(point, &filter)), &expected[..]);
            world.at_point_into(point, &filter, &mut buffer);
            prop_assert_eq!(ids_of(buffer.iter().copied()), expected);

            let region = Aabb::new(corners[0] * 2.0, corners[1] * 2.0);
            let corners = [region.min, vec2(region.min.x, region.max.y), region.max, vec2(region.max.x, region.min.y)];
            let region_polygon = Polygon::convex_hull(&corners).unwrap();
            let expected = brute(world, &ids, &filter, |id| touches(world, id, &region_polygon, &Affine2::IDENTITY));
            prop_assert_eq!(ids_of(world.in_aabb(region, &filter)), &expected[..]);
            world.in_aabb_into(region, &filter, &mut buffer);
            prop_assert_eq!(ids_of(buffer.iter().copied()), expected);

            let (shape, at) = (shape.attachment.collider(), shape.transform.to_affine());
            let expected = brute(world, &ids, &filter, |id| touches(world, id, shape, &at));
            prop_assert_eq!(ids_of(world.overlaps_shape(shape, &at, &filter)), &expected[..]);
            world.overlaps_shape_into(shape, &at, &filter, &mut buffer);
            prop_assert_eq!(ids_of(buffer.iter().copied()), expected);
        }
    }

    #[test]
    fn ray_casts_match_brute_force(
        entries in entries(0..40), origin in point(), target in point(),
        length in prop_oneof![0.0..30.0_f32, Just(f32::INFINITY)]
    ) {
        let RandomScene { mut scene, nodes, ids } = random_scene(&entries);
        let (origin, direction) = (origin * 4.0, target * 2.0 - origin * 4.0);
        let all: Vec<RayHit> = ids.iter().filter_map(|id| {
            // A scene with this collider alone gives the expected hit, independently of the index.
            let world = scene.world();
            let only = |side: NodeCollider| side.collider == *id;
            let hits = world.only(&only).cast_ray_all(origin, direction, length, &anything());
            let alone = alone(world, *id);
            assert_eq!(hits.len(), usize::from(alone(origin, direction, length).is_some()));
            hits.first().map(|hit| {
                let mut alone = alone(origin, direction, length).unwrap();
                alone.side = hit.side;
                alone
            })
        }).collect();
        let world = scene.world();
        for filter in filters(&nodes) {
            let mut expected: Vec<RayHit> =
                all.iter().copied().filter(|hit| passes(world, hit.side.collider, &filter)).collect();
            expected.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.side.collider.cmp(&b.side.collider)));
            let found = world.cast_ray_all(origin, direction, length, &filter);
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(world.cast_ray(origin, direction, length, &filter), expected.first().copied());
            let mut buffer = found.clone();
            world.cast_ray_all_into(origin, direction, length, &filter, &mut buffer);
            prop_assert_eq!(buffer, expected);
        }
    }

    #[test]
    fn overlaps_pairs_and_contacts_match_brute_force(entries in entries(0..30)) {
        let RandomScene { mut scene, nodes, ids } = random_scene(&entries);
        let world = scene.world();
        let mut expected_pairs = Vec::new();
        let mut buffer = Vec::new();
        for a in &ids {
            let layers = scene_layers(world, *a);
            let mut expected = brute(world, &ids, &anything(), |b| {
                let at = world.transform(world.scene().node_of(*a).unwrap()).unwrap();
                let shape = world.scene().attachment(*a).unwrap().collider();
                b != *a && layers.meets(scene_layers(world, b)) && touches(world, b, shape, &at)
                    && world.scene().node_of(*a) != world.scene().node_of(b)
            });
            if !passes(world, *a, &anything()) {
                expected.clear();
            }
            prop_assert_eq!(ids_of(world.overlaps(*a)), &expected[..]);
            world.overlaps_into(*a, &mut buffer);
            prop_assert_eq!(ids_of(buffer.iter().copied()), &expected[..]);
            let node = world.scene().node_of(*a).unwrap();
            prop_assert_eq!(ids_of(world.overlaps_node(node)), &expected[..]);
            world.overlaps_node_into(node, &mut buffer);
            prop_assert_eq!(ids_of(buffer.iter().copied()), &expected[..]);
            expected_pairs.extend(expected.into_iter().filter(|b| *a < *b).map(|b| (*a, b)));
        }
        expected_pairs.sort();
        let found: Vec<_> = world.pairs().iter().map(|pair| (pair.a.collider, pair.b.collider)).collect();
        prop_assert_eq!(&found, &expected_pairs);
        let contacts: Vec<_> = world.contacts().iter().map(|(pair, _)| (pair.a.collider, pair.b.collider)).collect();
        prop_assert_eq!(&contacts, &expected_pairs);
        for (pair, contact) in world.contacts() {
            prop_assert_eq!(world.contact(pair.a.collider, pair.b.collider), Some(contact));
            let back = world.contact(pair.b.collider, pair.a.collider).unwrap();
            prop_assert_eq!((back.normal, back.depth), (-contact.normal, contact.depth));
        }
        drop(nodes);
    }

    #[test]
    fn project_point_returns_the_nearest_point(collider in test_collider(), point in point()) {
        collider.in_scene(|scene, id| {
            let world = scene.world();
            let found = world.project_point(id, point).unwrap();
            prop_assert_eq!(found.inside, world.at_point(point, &anything()).len() == 1);
            prop_assert_eq!(found.inside, found.distance == 0.0);
            if found.inside {
                prop_assert_eq!(found.point, point);
            } else {
                let size = collider.size() + point.distance(collider.transform.position);
                prop_assert!((found.point.distance(point) - found.distance).abs() <= 1e-6 * size);
                // The remaining 1 % of the distance must exceed the accuracy of a support function.
                let closer = point.lerp(found.point, 0.99);
                prop_assert!(found.distance <= 1e-4 * size || !world.project_point(id, closer).unwrap().inside);
                prop_assert!(world.project_point(id, found.point).unwrap().distance <= 1e-6 * size);
            }
            Ok(())
        })?;
    }
}

fn scene_layers(world: World<'_>, id: ColliderId) -> CollisionLayers {
    world.scene().attachment(id).unwrap().layers
}

/// Returns a function that casts a ray in a scene with only this collider and its ancestors.
fn alone(world: World<'_>, id: ColliderId) -> impl Fn(Vec2, Vec2, f32) -> Option<RayHit> {
    let scene = world.scene();
    let node = scene.node_of(id).unwrap();
    let attachment = scene.attachment(id).unwrap().clone();
    let mut chain: Vec<Node> = scene.ancestors(node).map(|above| scene[above].clone()).collect();
    chain.insert(0, scene[node].clone());
    move |origin, direction, length| {
        let mut scene = Scene::new();
        let mut parent = scene.root();
        for link in chain.iter().rev().skip(1) {
            parent = scene.add_child(parent, link.clone()).unwrap();
        }
        scene.attach(parent, attachment.clone()).unwrap();
        scene.world().cast_ray(origin, direction, length, &QueryFilter::default())
    }
}

/// Returns a scene with one square of side 2 around the origin.
fn square() -> (Scene, ColliderId) {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("square"));
    let id = scene.attach(node, Rect::new(2.0, 2.0)).unwrap();
    (scene, id)
}

#[test]
fn queries_with_non_finite_arguments_find_nothing() {
    let (mut scene, id) = square();
    let world = scene.world();
    let ball = Circle::new(1.0);
    let nan = f32::NAN;
    for bad in [nan, f32::INFINITY, f32::NEG_INFINITY] {
        for point in [vec2(bad, 0.0), vec2(0.0, bad), Vec2::splat(bad)] {
            assert_eq!(world.at_point(point, &anything()).count(), 0, "{point}");
            assert!(world.cast_ray(point, Vec2::X, 1.0, &anything()).is_none(), "{point}");
            assert!(world.cast_ray(Vec2::ZERO, point, 1.0, &anything()).is_none(), "{point}");
            assert!(world.project_point(id, point).is_none(), "{point}");
            let at = Affine2::from_translation(point);
            assert_eq!(world.overlaps_shape(&ball, &at, &anything()).count(), 0, "{point}");
            assert_eq!(world.overlaps_shape(&Squircle(1.0), &at, &anything()).count(), 0, "{point}");
        }
    }
    for (min, max) in [(vec2(nan, -1.0), Vec2::ONE), (-Vec2::ONE, vec2(1.0, nan)), (Vec2::NAN, Vec2::NAN)] {
        assert_eq!(world.in_aabb(Aabb { min, max }, &anything()).count(), 0, "{min} {max}");
    }
    assert!(world.cast_ray(Vec2::ZERO, Vec2::X, nan, &anything()).is_none());
    assert!(world.cast_ray(Vec2::ZERO, Vec2::X, -1.0, &anything()).is_none());
    assert!(world.cast_ray(Vec2::ZERO, Vec2::ZERO, 1.0, &anything()).is_none(), "a ray without direction hits nothing");
    assert_eq!(world.in_aabb(Aabb::EMPTY, &anything()).count(), 0);
    assert_eq!(
        world.in_aabb(Aabb { min: Vec2::ONE, max: -Vec2::ONE }, &anything()).count(),
        0,
        "an inverted box is empty"
    );
}

#[test]
fn queries_of_huge_extent_find_every_collider() {
    let (mut scene, _) = square();
    let world = scene.world();
    assert_eq!(world.in_aabb(Aabb::EVERYTHING, &anything()).count(), 1);
    assert_eq!(world.in_aabb(Aabb::new(Vec2::MIN, Vec2::MAX), &anything()).count(), 1);
    assert_eq!(world.overlaps_shape(&Circle::new(1e30), &Affine2::IDENTITY, &anything()).count(), 1);
    let hit = world.cast_ray(vec2(-1e9, 0.0), Vec2::X, f32::INFINITY, &anything()).unwrap();
    assert_eq!(hit.distance, 1e9);
    let hit = world.cast_ray(vec2(-3.0, 0.0), Vec2::X * 1e38, f32::INFINITY, &anything()).unwrap();
    assert_eq!((hit.distance, hit.normal), (2.0, -Vec2::X), "a direction need not be a unit vector");
    let hit = world.cast_ray(vec2(-3.0, 0.0), Vec2::X * 1e-38, 2.0, &anything()).unwrap();
    assert_eq!((hit.distance, hit.point), (2.0, -Vec2::X), "a ray includes its end");
}

#[test]
fn in_aabb_accepts_a_half_plane() {
    let (mut scene, _) = square();
    let world = scene.world();
    let edge = |x: f32| Aabb::new(vec2(x, f32::NEG_INFINITY), Vec2::INFINITY);
    assert_eq!([-3.0, 0.0, 0.9, 1.1].map(|x| world.in_aabb(edge(x), &anything()).count()), [1, 1, 1, 0]);
    // The box of a diagonal segment reaches into this corner, but the segment does not.
    let (node, _) = scene.add_with(Node::new("diagonal"), Segment::new(vec2(10.0, 10.0), vec2(20.0, 20.0)));
    let corner = Aabb::new(vec2(15.1, f32::NEG_INFINITY), vec2(f32::INFINITY, 14.9));
    assert_eq!(scene.world().in_aabb(corner, &QueryFilter::default().only_owner(node)).count(), 0);
}

#[test]
fn a_ray_through_the_end_of_a_segment_hits_it_in_any_direction() {
    for (x, y) in (1..20_i16).flat_map(|x| (1..20_i16).map(move |y| (f32::from(x), f32::from(y)))) {
        let mut scene = Scene::new();
        for k in 1..20_i16 {
            let end = vec2(x, y) * f32::from(k);
            scene.add_with(Node::new("upright"), Segment::new(end, end + Vec2::Y));
            scene.add_with(Node::new("level"), Segment::new(end, end + Vec2::X));
        }
        let hits = scene.world().cast_ray_all(Vec2::ZERO, vec2(x, y), f32::INFINITY, &anything());
        assert_eq!(hits.len(), 38, "{x} {y}");
    }
}

#[test]
fn nearest_n_returns_the_first_ones_of_all_by_distance_and_id() {
    let mut scene = Scene::new();
    for index in 0..60_u16 {
        let place = vec2(f32::from(index * 7 % 5), 0.0);
        scene.add_with(Node::new("n").with_position(place), Circle::new(0.25));
    }
    let (world, filter) = (scene.world(), QueryFilter::default());
    let all = world.nearest_n(Vec2::ZERO, usize::MAX, 3.0, &filter);
    assert_eq!(all.len(), 48);
    assert!(all.is_sorted_by(|a, b| (a.distance, a.side.collider) < (b.distance, b.side.collider)));
    for count in 0..60 {
        assert_eq!(world.nearest_n(Vec2::ZERO, count, 3.0, &filter), all[..count.min(48)]);
    }
}

#[test]
fn nearest_includes_a_collider_at_exactly_the_maximum_distance() {
    for (scale, k) in [1e-3, 1.0, 1e5].into_iter().flat_map(|scale| (0..300_i16).map(move |k| (scale, f32::from(k)))) {
        let position = Vec2::from_angle(k) * scale * (1.0 + k * 0.01);
        let mut scene = Scene::new();
        scene.add_with(Node::new("dot").with_position(position), Circle::new(0.0));
        let world = scene.world();
        let distance = world.nearest(Vec2::ZERO, f32::INFINITY, &anything()).unwrap().distance;
        assert!(world.nearest(Vec2::ZERO, distance, &anything()).is_some(), "{position}");
        assert!(world.nearest(Vec2::ZERO, distance * 0.999, &anything()).is_none(), "{position}");
    }
}

#[test]
fn nearest_includes_a_flat_piece_at_exactly_the_maximum_distance() {
    for step in 1..300_u16 {
        let mut scene = Scene::new();
        let node = Node::new("line").with_position(vec2(f32::from(step) * -0.012_303_889, 0.0)).with_scale(Vec2::ZERO);
        let line = Polyline::new(&[vec2(1.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 3.0)]).unwrap();
        let [(_, first), _] = [(); 2].map(|()| scene.add_with(node.clone(), line.clone()));
        let (world, from) = (scene.world(), vec2(-9.75, 0.0));
        let nearest = world.nearest(from, f32::INFINITY, &anything()).unwrap();
        assert_eq!(nearest.side.collider, first, "{step}");
        assert_eq!(world.nearest(from, nearest.distance, &anything()), Some(nearest), "{step}");
    }
}

#[test]
fn in_aabb_includes_points_exactly_on_its_border() {
    // In `f32`, no centre and half size reproduce these borders exactly.
    for x in [0.1_f32, 0.3, 0.7, 1.1, 5.3, 1e-3, 123.456] {
        for y in [0.6_f32, 9.7, 1234.5] {
            let mut scene = Scene::new();
            let node = scene.add(Node::new("dot").with_position(vec2(x + y, x)));
            scene.attach(node, Circle::new(0.0)).unwrap();
            let world = scene.world();
            let corner = vec2(x + y, x);
            for other in [vec2(-0.1, -7.3), vec2(y, -0.2), vec2(1e4, 0.01), vec2(corner.x, 77.7), corner] {
                let region = Aabb::new(corner, other);
                assert!(region.contains(corner));
                assert_eq!(world.in_aabb(region, &anything()).count(), 1, "{corner} {other}");
            }
            let beyond = Aabb::new(vec2(corner.x.next_up(), -9.0), vec2(1e4, 1e4));
            assert_eq!(world.in_aabb(beyond, &anything()).count(), 0, "{corner}");
        }
    }
}

#[test]
fn in_aabb_finds_a_user_shape_within_rounding_as_collides_does() {
    let region = Aabb::new(vec2(0.0, -1.0), vec2(1.0, 0.0));
    let region_polygon = Polygon::convex(&[region.min, vec2(1.0, -1.0), region.max, Vec2::ZERO]).unwrap();
    for (gap, is_near) in [(6e-5, true), (1e-3, false)] {
        let at = Affine2::from_translation(vec2(0.5, 500.0 + gap));
        let mut scene = Scene::new();
        let transform = Transform::from_position(at.translation);
        scene.add_with(Node::new("user shape").with_transform(transform), Squircle(500.0));
        assert_eq!(
            (&region_polygon as &dyn Collider).collides(&Affine2::IDENTITY, &Squircle(500.0), &at),
            is_near,
            "{gap}"
        );
        assert_eq!(scene.world().in_aabb(region, &anything()).count(), usize::from(is_near), "{gap}");
    }
}

#[test]
fn in_aabb_is_as_exact_for_a_user_shape_far_from_the_origin() {
    for base in [Vec2::ZERO, vec2(1e6, -3e5), vec2(-4e6, 2e3)] {
        let mut scene = Scene::new();
        scene.add_with(Node::new("user shape").with_position(base), Squircle(1.0));
        for (left, count) in [(1.0, 1), (1.25, 0)] {
            let region = Aabb::new(base + vec2(left, -0.5), base + vec2(2.0, 0.5));
            assert_eq!(scene.world().in_aabb(region, &anything()).count(), count, "{base} {left}");
        }
    }
}

#[test]
fn a_ray_along_a_flat_rectangle_hits_its_end() {
    for (size, reach) in [(vec2(0.0, 2.0), 1.0), (vec2(0.0, 0.0), 0.0)] {
        let mut scene = Scene::new();
        let node = scene.add(Node::new("flat"));
        scene.attach(node, Rect::new(size.x, size.y)).unwrap();
        let world = scene.world();
        let hit = world.cast_ray(vec2(0.0, 9.0), -Vec2::Y, 100.0, &anything()).unwrap();
        assert_eq!((hit.distance, hit.normal), (9.0 - reach, Vec2::Y));
        assert!(world.cast_ray(vec2(0.0, 9.0), Vec2::Y, 100.0, &anything()).is_none());
        assert!(world.cast_ray(vec2(9.0, 9.0), Vec2::Y, 100.0, &anything()).is_none());
    }
}

#[test]
fn the_normal_at_the_end_of_a_segment_faces_the_ray() {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("slope"));
    scene.attach(node, Segment::new(Vec2::ZERO, vec2(-3.0, 3.0))).unwrap();
    let world = scene.world();
    let cast = |origin: Vec2| world.cast_ray(origin, -origin, f32::INFINITY, &anything()).unwrap().normal;
    assert_eq!(cast(vec2(0.0, 5.0)), Vec2::ONE.normalize(), "from above");
    assert_eq!(cast(vec2(-5.0, 0.0)), -Vec2::ONE.normalize());
    assert_eq!(cast(vec2(5.0, -5.0)), vec2(1.0, -1.0).normalize(), "along the segment");
}

#[test]
fn a_ray_that_starts_on_the_border_hits_at_distance_zero() {
    let mut scene = Scene::new();
    for shape in [Attachment::new(Circle::new(5.0)), Capsule::new(Vec2::ZERO, -Vec2::X, 5.0).into()] {
        let node = scene.add(Node::new("ball"));
        scene.attach(node, shape).unwrap();
    }
    let world = scene.world();
    for from in [vec2(3.0, 4.0), vec2(3.0, -4.0), vec2(5.0, 0.0)] {
        for away in [from, from + from.perp(), from - from.perp() * 0.125] {
            let hits = world.cast_ray_all(from, away, 9.0, &anything());
            assert_eq!(hits.iter().map(|hit| hit.distance).collect::<Vec<_>>(), [0.0; 2], "{from} {away}");
        }
    }
}

/// The legs and the hypotenuse of right triangles, so that lengths along them are exact.
const RIGHT_TRIANGLES: [[f32; 3]; 6] = [
    [3.0, 4.0, 5.0],
    [4.0, -3.0, 5.0],
    [-5.0, 12.0, 13.0],
    [8.0, 15.0, 17.0],
    [7.0, -24.0, 25.0],
    [-20.0, -21.0, 29.0],
];

#[test]
fn a_ray_that_ends_exactly_on_a_border_hits_it() {
    for [x, y, radius] in RIGHT_TRIANGLES {
        // The origin is on the border of every target.
        let middle = vec2(x, y);
        let polygon = |points: &[Vec2]| Polygon::convex(points).unwrap();
        let mut scene = Scene::new();
        for target in [
            Attachment::new(Circle::new(radius).at(middle)),
            Capsule::new(middle, middle * 3.0, radius).into(),
            Rounded::new(polygon(&[middle, middle * 2.0, middle * 3.0 + middle.perp()]), radius).into(),
            Ellipse::new(radius, radius * 2.0).at(vec2(radius, 0.0)).into(),
            Segment::new(Vec2::ZERO, middle).into(),
            polygon(&[Vec2::ZERO, middle, middle + middle.perp()]).into(),
            Polyline::new(&[middle, Vec2::ZERO, middle.perp()]).unwrap().into(),
        ] {
            scene.add_with(Node::new("target"), target);
        }
        for [x, y, length] in RIGHT_TRIANGLES {
            for factor in [0.125, 1.0, 3.0, 300.0] {
                let (from, length) = (vec2(x, y) * factor, length * factor);
                let hits = scene.world().cast_ray_all(from, -from, length, &anything());
                assert_eq!(hits.len(), 7, "from {from} to a border point in direction {middle}: {hits:?}");
            }
        }
    }
}

#[test]
fn a_ray_at_the_end_of_a_segment_hits_it_at_any_distance_from_its_node() {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("line"));
    for step in 1..400_u16 {
        let end = vec2(1000.0 / f32::from(step), f32::from(step).sqrt());
        let line = scene.attach(node, Segment::new(end, end + end.perp() * 0.3)).unwrap();
        assert!(scene.world().cast_ray(Vec2::ZERO, end, f32::INFINITY, &anything()).is_some(), "{end}");
        scene.detach(line).unwrap();
    }
}

#[test]
fn a_ray_that_starts_inside_a_polygon_of_any_size_hits_at_distance_zero() {
    for size in [1e-15, 1e-9, 1.0, 1e9, 1e15] {
        let outline = [vec2(-2.0, -1.0), vec2(3.0, -1.0), vec2(1.0, 4.0)].map(|corner| corner * size);
        let mut scene = Scene::new();
        let node = scene.add(Node::new("triangle"));
        scene.attach(node, Polygon::convex(&outline).unwrap()).unwrap();
        let world = scene.world();
        let cast = |x: f32| world.cast_ray(vec2(x, 0.5) * size, Vec2::X, f32::INFINITY, &anything());
        assert_eq!(cast(0.5).map(|hit| hit.distance), Some(0.0), "{size}");
        assert!(cast(3.5).is_none() && cast(-9.0).is_some_and(|hit| hit.distance > size), "{size}");
    }
}

#[test]
fn in_aabb_tests_shapes_not_their_bounds() {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("ball"));
    scene.attach(node, Circle::new(1.0)).unwrap();
    let corner = |from: f32| Aabb::new(vec2(from, from), vec2(2.0, 2.0));
    assert_eq!(scene.world().in_aabb(corner(0.75), &anything()).count(), 0);
    assert_eq!(scene.world().in_aabb(corner(0.70), &anything()).count(), 1);
}

#[test]
fn queries_of_an_empty_scene_find_nothing() {
    let mut scene = Scene::new();
    let world = scene.world();
    assert_eq!(world.at_point(Vec2::ZERO, &anything()).count(), 0);
    assert_eq!(world.in_aabb(Aabb::EVERYTHING, &anything()).count(), 0);
    assert!(world.cast_ray(Vec2::ZERO, Vec2::X, f32::INFINITY, &anything()).is_none());
    assert!(world.pairs().is_empty() && world.contacts().is_empty());
}

#[test]
fn only_narrows_every_query() {
    let mut scene = Scene::new();
    let ids = [1.0, 2.0, 3.0].map(|radius| {
        let node = scene.add(Node::new("ring"));
        scene.attach(node, Circle::new(radius)).unwrap()
    });
    let world = scene.world();
    let not_first = |side: NodeCollider| side.collider != ids[0];
    let narrow = world.only(&not_first);
    assert_eq!(ids_of(narrow.at_point(Vec2::ZERO, &anything())), ids[1..]);
    assert_eq!(ids_of(narrow.in_aabb(Aabb::EVERYTHING, &anything())), ids[1..]);
    assert_eq!(ids_of(narrow.overlaps_shape(&Circle::new(1.0), &Affine2::IDENTITY, &anything())), ids[1..]);
    assert_eq!(ids_of(narrow.overlaps(ids[2])), [ids[1]]);
    assert_eq!(narrow.pairs().len(), 1);
    assert_eq!(narrow.contacts().len(), 1);
    assert_eq!(narrow.cast_ray_all(Vec2::ZERO, Vec2::X, 9.0, &anything()).len(), 2);
    let nothing = |_: NodeCollider| false;
    assert_eq!(
        narrow.only(&nothing).at_point(Vec2::ZERO, &anything()).count(),
        0,
        "the last predicate replaces the others"
    );
    let shown = [world, narrow].map(|world| format!("{world:?}"));
    assert!(shown[0].starts_with("World { scene: Scene {") && shown[0].ends_with("narrowed: false }"), "{}", shown[0]);
    assert!(shown[1].ends_with("narrowed: true }"), "{}", shown[1]);
}

#[test]
fn disabled_colliders_are_not_found_but_keep_shape_and_distance() {
    let mut scene = Scene::new();
    let near = scene.add(Node::new("near"));
    let ball = scene.attach(near, Circle::new(1.0)).unwrap();
    let off = scene.add(Node::new("off").with_position(vec2(0.5, 0.0)).with_enabled(false));
    let child = scene.add_child(off, Node::new("child")).unwrap();
    let hidden = scene.attach(child, Circle::new(1.0)).unwrap();
    let world = scene.world();
    assert!(!world.is_enabled(child));
    assert_eq!(ids_of(world.at_point(vec2(0.4, 0.0), &anything())), [ball]);
    assert!(world.overlaps(hidden).len() == 0 && world.overlaps(ball).len() == 0 && world.pairs().is_empty());
    assert!(world.contact(ball, hidden).is_some_and(|contact| contact.depth == 1.5));
    assert_eq!(world.distance(ball, hidden), Some(0.0));
    assert_eq!(world.shape(hidden), Some(&Shape::from(Circle::new(1.0).at(vec2(0.5, 0.0)))));
    assert!(world.bounds(hidden).is_some_and(|bounds| bounds.contains(vec2(1.5, 0.0))));
    assert!(world.project_point(hidden, vec2(3.5, 0.0)).is_some_and(|projection| projection.distance == 2.0));
}

#[test]
fn ray_hits_at_the_same_distance_come_in_order_of_ids() {
    let mut scene = Scene::new();
    let mut ids: Vec<ColliderId> = Vec::new();
    for _ in 0..20 {
        let node = scene.add(Node::new("twin").with_position(vec2(3.0, 0.0)));
        ids.push(scene.attach(node, Circle::new(1.0)).unwrap());
    }
    ids.sort();
    let world = scene.world();
    let hits = world.cast_ray_all(Vec2::ZERO, Vec2::X, 9.0, &anything());
    assert_eq!(hits.iter().map(|hit| hit.side.collider).collect::<Vec<_>>(), ids);
    assert_eq!(world.cast_ray(Vec2::ZERO, Vec2::X, 9.0, &anything()).unwrap().side.collider, ids[0]);
}

#[test]
fn overlaps_shape_accepts_a_user_shape() {
    let (mut scene, id) = square();
    let shape = Squircle(1.0);
    let at = |x: f32| Affine2::from_translation(vec2(x, 0.0));
    assert_eq!(ids_of(scene.world().overlaps_shape(&shape, &at(1.9), &anything())), [id]);
    assert_eq!(scene.world().overlaps_shape(&shape, &at(2.1), &anything()).count(), 0);
}

#[test]
fn world_distance_equals_the_distance_of_the_world_shapes() {
    let mut scene = Scene::new();
    let transform_b = Transform::from_position(vec2(7.0, 1.0)).with_rotation(0.4);
    let [a, b] =
        [Transform::IDENTITY, transform_b].map(|transform| scene.add(Node::new("n").with_transform(transform)));
    let a = scene.attach(a, Segment::new(vec2(0.0, -1.0), vec2(0.0, 4.0))).unwrap();
    let b = scene.attach(b, Attachment::new(Capsule::new(Vec2::ZERO, Vec2::X, 0.5))).unwrap();
    let world = scene.world();
    let [Shape::Segment(segment), Shape::Capsule(capsule)] = [a, b].map(|id| world.shape(id).unwrap().clone()) else {
        panic!("a rotation keeps the kinds of the shapes");
    };
    assert_eq!(world.distance(a, b), Some(segment.distance(&capsule)));
    assert_eq!(world.distance(a, b), Some(6.5));
    assert_eq!(world.closest_points(a, b), Some([vec2(0.0, 1.0), vec2(6.5, 1.0)]));
    assert_eq!(world.closest_points(b, a), Some([vec2(6.5, 1.0), vec2(0.0, 1.0)]));
}

/// A user shape that counts the tests of its overlap.
#[derive(Debug, Clone)]
struct Counting(Arc<AtomicU32>);

impl Collider for Counting {
    fn support(&self, direction: Vec2) -> Vec2 {
        direction
    }

    fn contact_with_circle(&self, _: &Affine2, _: &Circle) -> Option<Contact> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }
}

#[test]
fn a_predicate_rejects_colliders_before_their_shapes_are_tested() {
    let mut scene = Scene::new();
    let (node, circle) = scene.add_with(Node::new("circle"), Circle::new(1.0));
    let tests = Arc::new(AtomicU32::new(0));
    scene.add_with(Node::new("counting"), Counting(tests.clone()));
    let (nobody, all) = (|_: NodeCollider| false, anything());
    let world = scene.world().only(&nobody);
    let found = [
        world.overlaps(circle).len(),
        world.overlaps_node(node).len(),
        world.at_point(Vec2::ZERO, &all).len(),
        world.overlaps_shape(&Circle::new(1.0), &Affine2::IDENTITY, &all).len(),
    ];
    assert_eq!((found, tests.load(Ordering::Relaxed)), ([0; 4], 0));
    assert_eq!((scene.world().overlaps(circle).len(), tests.load(Ordering::Relaxed)), (0, 1));
}
