//! Questions against asking every collider one by one.

mod support;

use std::collections::BTreeSet;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, ColliderId, CollisionLayers, Meets, Node, NodeId, Polygon,
    QueryFilter, RayHit, Rect, Scene, Segment, Shape, Side, Transform, World,
};
use proptest::prelude::*;
use support::{Body, Squircle, anything, body, cases, point};

/// How one collider of a random scene is attached.
#[derive(Debug, Clone)]
struct Entry {
    body: Body,
    /// Under which of the earlier ones, modulo their number; `None` under the root.
    above: Option<usize>,
    layers: CollisionLayers,
    sensor: bool,
    enabled: bool,
}

fn layers() -> impl Strategy<Value = CollisionLayers> {
    prop_oneof![3 => Just(CollisionLayers::ALL), 2 => (0..8_u32, 0..8_u32).prop_map(|(m, f)| CollisionLayers::new(m, f))]
}

fn entries(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Entry>> {
    let above = prop_oneof![3 => Just(None), 1 => any::<u8>().prop_map(|index| Some(usize::from(index)))];
    let entry = (body(), above, layers(), prop::bool::weighted(0.2), prop::bool::weighted(0.9)).prop_map(
        |(body, above, layers, sensor, enabled)| {
            let spread = body.transform.with_position(body.transform.position * 2.0);
            Entry { body: Body { transform: spread, ..body }, above, layers, sensor, enabled }
        },
    );
    prop::collection::vec(entry.boxed(), count)
}

struct Crowd {
    scene: Scene,
    nodes: Vec<NodeId>,
    ids: Vec<ColliderId>,
}

fn crowd(entries: &[Entry]) -> Crowd {
    let mut crowd = Crowd { scene: Scene::new(), nodes: Vec::new(), ids: Vec::new() };
    for entry in entries {
        let above = entry.above.filter(|_| !crowd.nodes.is_empty()).map(|index| crowd.nodes[index % crowd.nodes.len()]);
        let node = Node::new(entry.body.kind).with_transform(entry.body.transform);
        let node = crowd.scene.add_child(above.unwrap_or(crowd.scene.root()), node).unwrap();
        let attachment = entry.body.attachment.clone().with_layers(entry.layers).with_enabled(entry.enabled);
        let attachment = if entry.sensor { attachment.sensor() } else { attachment };
        crowd.nodes.push(node);
        crowd.ids.push(crowd.scene.attach(node, attachment).unwrap());
    }
    crowd
}

/// The filters that are tried, with what they mean.
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

/// Whether a collider takes part and a filter lets it pass, by the words of the documentation.
fn passes(world: World<'_>, id: ColliderId, filter: &QueryFilter) -> bool {
    let scene = world.scene();
    let (node, attachment) = (scene.node_of(id).unwrap(), scene.attachment(id).unwrap());
    let is_excluded = |excluded: &NodeId| *excluded == node || scene.descendants(*excluded).any(|below| below == node);
    attachment.enabled
        && world.is_enabled(node)
        && filter.layers.meets(attachment.layers)
        && (filter.sensors || !attachment.sensor)
        && !filter.excluded.iter().any(is_excluded)
}

/// Those for which a test holds, asked one by one.
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

fn ids_of(sides: impl IntoIterator<Item = Side>) -> Vec<ColliderId> {
    sides.into_iter().map(|side| side.collider).collect()
}

/// Whether a collider touches a shape in world space, by the double dispatch.
fn touches(world: World<'_>, id: ColliderId, probe: &dyn Collider, at: &Affine2) -> bool {
    let scene = world.scene();
    let own = world.transform(scene.node_of(id).unwrap()).unwrap();
    scene.attachment(id).unwrap().shape().collides(&own, probe, at)
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn points_regions_and_shapes_find_what_asking_each_finds(
        entries in entries(0..40), point in point(), corners in [point(), point()], brush in body()
    ) {
        let Crowd { mut scene, nodes, ids } = crowd(&entries);
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
            let sheet = Polygon::convex_hull(&corners).unwrap();
            let expected = brute(world, &ids, &filter, |id| touches(world, id, &sheet, &Affine2::IDENTITY));
            prop_assert_eq!(ids_of(world.in_aabb(region, &filter)), &expected[..]);
            world.in_aabb_into(region, &filter, &mut buffer);
            prop_assert_eq!(ids_of(buffer.iter().copied()), expected);

            let (shape, at) = (brush.attachment.shape(), brush.transform.to_affine());
            let expected = brute(world, &ids, &filter, |id| touches(world, id, shape, &at));
            prop_assert_eq!(ids_of(world.overlaps_shape(shape, &at, &filter)), &expected[..]);
            world.overlaps_shape_into(shape, &at, &filter, &mut buffer);
            prop_assert_eq!(ids_of(buffer.iter().copied()), expected);
        }
    }

    #[test]
    fn rays_find_what_asking_each_finds(
        entries in entries(0..40), origin in point(), target in point(), length in prop_oneof![0.0..30.0_f32, Just(f32::INFINITY)]
    ) {
        let Crowd { mut scene, nodes, ids } = crowd(&entries);
        let (origin, direction) = (origin * 4.0, target * 2.0 - origin * 4.0);
        let all: Vec<RayHit> = ids.iter().filter_map(|id| {
            // A scene with this collider alone: the index cannot hide anything.
            let world = scene.world();
            let only = |side: Side| side.collider == *id;
            let hits = world.only(&only).cast_ray_all(origin, direction, length, &anything());
            let alone = alone(world, *id);
            assert_eq!(hits.len(), usize::from(alone(origin, direction, length).is_some()));
            hits.first().map(|hit| RayHit { side: hit.side, ..alone(origin, direction, length).unwrap() })
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
    fn overlaps_and_pairs_find_what_asking_each_finds(entries in entries(0..30)) {
        let Crowd { mut scene, nodes, ids } = crowd(&entries);
        let world = scene.world();
        let mut expected_pairs = Vec::new();
        let mut buffer = Vec::new();
        for a in &ids {
            let layers = scene_layers(world, *a);
            let mut expected = brute(world, &ids, &anything(), |b| {
                let at = world.transform(world.scene().node_of(*a).unwrap()).unwrap();
                let shape = world.scene().attachment(*a).unwrap().shape();
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
    fn a_projection_is_the_nearest_point(body in body(), point in point()) {
        body.in_scene(|scene, id| {
            let world = scene.world();
            let found = world.project_point(id, point).unwrap();
            prop_assert_eq!(found.inside, world.at_point(point, &anything()).len() == 1);
            prop_assert_eq!(found.inside, found.distance == 0.0);
            if found.inside {
                prop_assert_eq!(found.point, point);
            } else {
                let size = body.size() + point.distance(body.transform.position);
                prop_assert!((found.point.distance(point) - found.distance).abs() <= 1e-6 * size);
                // What is left of the way must be more than a support function is exact to.
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

/// Casts at one collider in a scene of its own.
fn alone(world: World<'_>, id: ColliderId) -> impl Fn(Vec2, Vec2, f32) -> Option<RayHit> {
    let scene = world.scene();
    let node = scene.node_of(id).unwrap();
    let attachment = scene.attachment(id).unwrap().clone();
    let mut chain: Vec<Node> = scene.ancestors(node).map(|above| scene[above].clone()).collect();
    chain.insert(0, scene[node].clone());
    move |origin, direction, length| {
        let mut scene = Scene::new();
        let mut tip = scene.root();
        for link in chain.iter().rev().skip(1) {
            tip = scene.add_child(tip, link.clone()).unwrap();
        }
        scene.attach(tip, attachment.clone()).unwrap();
        scene.world().cast_ray(origin, direction, length, &QueryFilter::default())
    }
}

/// A scene of one unit square around the origin.
fn square() -> (Scene, ColliderId) {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("square"));
    let id = scene.attach(node, Rect::new(2.0, 2.0)).unwrap();
    (scene, id)
}

#[test]
fn a_question_that_is_not_a_number_finds_nothing() {
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
    assert!(world.cast_ray(Vec2::ZERO, Vec2::ZERO, 1.0, &anything()).is_none(), "no direction is no ray");
    assert_eq!(world.in_aabb(Aabb::EMPTY, &anything()).count(), 0);
    assert_eq!(world.in_aabb(Aabb { min: Vec2::ONE, max: -Vec2::ONE }, &anything()).count(), 0, "inside out");
}

#[test]
fn huge_questions_find_everything() {
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
    assert_eq!((hit.distance, hit.point), (2.0, -Vec2::X), "a hit at the very end is a hit");
}

#[test]
fn a_half_plane_finds_what_crosses_its_border() {
    let (mut scene, _) = square();
    let world = scene.world();
    let edge = |x: f32| Aabb::new(vec2(x, f32::NEG_INFINITY), Vec2::INFINITY);
    assert_eq!([-3.0, 0.0, 0.9, 1.1].map(|x| world.in_aabb(edge(x), &anything()).count()), [1, 1, 1, 0]);
}

#[test]
fn a_ray_through_the_end_of_a_segment_finds_it_in_any_direction() {
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
fn what_is_nearest_is_found_within_its_own_distance() {
    for (scale, k) in [1e-3, 1.0, 1e5].into_iter().flat_map(|scale| (0..300_i16).map(move |k| (scale, f32::from(k)))) {
        let place = Vec2::from_angle(k) * scale * (1.0 + k * 0.01);
        let mut scene = Scene::new();
        scene.add_with(Node::new("dot").with_position(place), Circle::new(0.0));
        let world = scene.world();
        let distance = world.nearest(Vec2::ZERO, f32::INFINITY, &anything()).unwrap().distance;
        assert!(world.nearest(Vec2::ZERO, distance, &anything()).is_some(), "{place}");
        assert!(world.nearest(Vec2::ZERO, distance * 0.999, &anything()).is_none(), "{place}");
    }
}

#[test]
fn a_region_is_closed_to_the_last_bit() {
    // In `f32` no centre and half size give these borders back.
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
fn a_region_finds_what_touches_it_by_its_rounding() {
    let region = Aabb::new(vec2(0.0, -1000.0), vec2(1.0, 0.0));
    let sheet = Polygon::convex(&[region.min, vec2(1.0, -1000.0), region.max, Vec2::ZERO]).unwrap();
    for (gap, is_near) in [(2e-4, true), (1e-3, false)] {
        let at = Affine2::from_translation(vec2(0.5, 0.001 + gap));
        let mut scene = Scene::new();
        let transform = Transform::from_position(at.translation);
        scene.add_with(Node::new("a shape of one's own").with_transform(transform), Squircle(0.001));
        assert_eq!(sheet.collides(&Affine2::IDENTITY, &Squircle(0.001), &at), is_near, "{gap}");
        assert_eq!(scene.world().in_aabb(region, &anything()).count(), usize::from(is_near), "{gap}");
    }
}

#[test]
fn a_ray_in_line_with_a_flat_rectangle_is_not_inside_it() {
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
fn a_ray_that_hits_the_end_of_a_line_has_a_normal_that_faces_away_from_it() {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("slope"));
    scene.attach(node, Segment::new(Vec2::ZERO, vec2(-3.0, 3.0))).unwrap();
    let world = scene.world();
    let cast = |origin: Vec2| world.cast_ray(origin, -origin, f32::INFINITY, &anything()).unwrap().normal;
    assert_eq!(cast(vec2(0.0, 5.0)), Vec2::ONE.normalize(), "down along its upper side");
    assert_eq!(cast(vec2(-5.0, 0.0)), -Vec2::ONE.normalize());
    assert_eq!(cast(vec2(5.0, -5.0)), vec2(1.0, -1.0).normalize(), "straight at its end");
}

#[test]
fn a_ray_from_the_border_hits_at_once_even_if_it_leaves() {
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

#[test]
fn a_ray_aimed_at_the_end_of_a_line_hits_it_however_far_that_is_from_its_node() {
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
fn a_ray_begins_inside_of_what_is_tiny_or_huge() {
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
fn a_region_finds_shapes_and_not_their_boxes() {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("ball"));
    scene.attach(node, Circle::new(1.0)).unwrap();
    let corner = |from: f32| Aabb::new(vec2(from, from), vec2(2.0, 2.0));
    assert_eq!(scene.world().in_aabb(corner(0.75), &anything()).count(), 0);
    assert_eq!(scene.world().in_aabb(corner(0.70), &anything()).count(), 1);
}

#[test]
fn an_empty_scene_answers_every_question() {
    let mut scene = Scene::new();
    let world = scene.world();
    assert_eq!(world.at_point(Vec2::ZERO, &anything()).count(), 0);
    assert_eq!(world.in_aabb(Aabb::EVERYTHING, &anything()).count(), 0);
    assert!(world.cast_ray(Vec2::ZERO, Vec2::X, f32::INFINITY, &anything()).is_none());
    assert!(world.pairs().is_empty() && world.contacts().is_empty());
}

#[test]
fn a_predicate_narrows_every_list() {
    let mut scene = Scene::new();
    let ids = [1.0, 2.0, 3.0].map(|radius| {
        let node = scene.add(Node::new("ring"));
        scene.attach(node, Circle::new(radius)).unwrap()
    });
    let world = scene.world();
    let not_first = |side: Side| side.collider != ids[0];
    let narrow = world.only(&not_first);
    assert_eq!(ids_of(narrow.at_point(Vec2::ZERO, &anything())), ids[1..]);
    assert_eq!(ids_of(narrow.in_aabb(Aabb::EVERYTHING, &anything())), ids[1..]);
    assert_eq!(ids_of(narrow.overlaps_shape(&Circle::new(1.0), &Affine2::IDENTITY, &anything())), ids[1..]);
    assert_eq!(ids_of(narrow.overlaps(ids[2])), [ids[1]]);
    assert_eq!(narrow.pairs().len(), 1);
    assert_eq!(narrow.contacts().len(), 1);
    assert_eq!(narrow.cast_ray_all(Vec2::ZERO, Vec2::X, 9.0, &anything()).len(), 2);
    let nothing = |_: Side| false;
    assert_eq!(narrow.only(&nothing).at_point(Vec2::ZERO, &anything()).count(), 0, "the last one counts");
    let told = [world, narrow].map(|world| format!("{world:?}"));
    assert!(told[0].starts_with("World { scene: Scene {") && told[0].ends_with("narrowed: false }"), "{}", told[0]);
    assert!(told[1].ends_with("narrowed: true }"), "{}", told[1]);
}

#[test]
fn disabled_colliders_have_a_place_but_are_not_found() {
    let mut scene = Scene::new();
    let near = scene.add(Node::new("near"));
    let ball = scene.attach(near, Circle::new(1.0)).unwrap();
    let off = scene.add(Node::new("off").with_position(vec2(0.5, 0.0)).with_enabled(false));
    let below = scene.add_child(off, Node::new("below")).unwrap();
    let hidden = scene.attach(below, Circle::new(1.0)).unwrap();
    let world = scene.world();
    assert!(!world.is_enabled(below));
    assert_eq!(ids_of(world.at_point(vec2(0.4, 0.0), &anything())), [ball]);
    assert!(world.overlaps(hidden).len() == 0 && world.overlaps(ball).len() == 0 && world.pairs().is_empty());
    assert!(world.contact(ball, hidden).is_some_and(|contact| contact.depth == 1.5));
    assert_eq!(world.distance(ball, hidden), Some(0.0));
    assert_eq!(world.shape(hidden), Some(&Shape::from(Circle::new(1.0).at(vec2(0.5, 0.0)))));
    assert!(world.bounds(hidden).is_some_and(|bounds| bounds.contains(vec2(1.5, 0.0))));
    assert!(world.project_point(hidden, vec2(3.5, 0.0)).is_some_and(|projection| projection.distance == 2.0));
}

#[test]
fn of_what_a_ray_hits_at_once_the_smallest_id_comes_first() {
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
fn shapes_of_ones_own_can_ask() {
    let (mut scene, id) = square();
    let brush = Squircle(1.0);
    let at = |x: f32| Affine2::from_translation(vec2(x, 0.0));
    assert_eq!(ids_of(scene.world().overlaps_shape(&brush, &at(1.9), &anything())), [id]);
    assert_eq!(scene.world().overlaps_shape(&brush, &at(2.1), &anything()).count(), 0);
}

#[test]
fn distances_are_those_of_the_bare_shapes() {
    let mut scene = Scene::new();
    let place = Transform::from_position(vec2(7.0, 1.0)).with_rotation(0.4);
    let [a, b] = [Transform::IDENTITY, place].map(|transform| scene.add(Node::new("n").with_transform(transform)));
    let a = scene.attach(a, Segment::new(vec2(0.0, -1.0), vec2(0.0, 4.0))).unwrap();
    let b = scene.attach(b, Attachment::new(Capsule::new(Vec2::ZERO, Vec2::X, 0.5))).unwrap();
    let world = scene.world();
    let [Shape::Segment(segment), Shape::Capsule(capsule)] = [a, b].map(|id| world.shape(id).unwrap().clone()) else {
        panic!("both keep their kinds");
    };
    assert_eq!(world.distance(a, b), Some(segment.distance(&capsule)));
    assert_eq!(world.distance(a, b), Some(6.5));
    assert_eq!(world.closest_points(a, b), Some([vec2(0.0, 1.0), vec2(6.5, 1.0)]));
    assert_eq!(world.closest_points(b, a), Some([vec2(6.5, 1.0), vec2(0.0, 1.0)]));
}
