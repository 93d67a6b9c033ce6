//! Sweeping shapes and finding what is nearest: hand cases, and against asking every collider one by one.

mod support;

use std::f32::consts::{FRAC_PI_4, PI};

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Capsule, Circle, Collider, ColliderId, CollisionLayers, Compound, Ellipse, Nearest, Node, NodeId, Polygon,
    Polyline, QueryFilter, Rect, Scene, Segment, ShapeCastHit, Tiles, Transform, World,
};
use proptest::prelude::*;
use support::{Body, Pair, Squircle, anything, at, body, cases, pair, point};

fn put(scene: &mut Scene, transform: Transform, collider: impl Collider) -> ColliderId {
    scene.add_with(Node::new("n").with_transform(transform), collider).1
}

fn place(x: f32, y: f32) -> Affine2 {
    Affine2::from_translation(vec2(x, y))
}

/// One collider, one cast.
fn cast(target: impl Collider, brush: &dyn Collider, from: Affine2, motion: Vec2) -> Option<ShapeCastHit> {
    let mut scene = Scene::new();
    put(&mut scene, Transform::IDENTITY, target);
    scene.world().cast_shape(brush, &from, motion, &anything())
}

#[test]
fn a_box_meets_a_box_face_to_face() {
    let hit = cast(Rect::new(2.0, 2.0), &Rect::new(2.0, 4.0), place(-10.0, 1.5), vec2(16.0, 0.0)).unwrap();
    assert_eq!((hit.fraction, hit.distance, hit.normal), (0.5, 8.0, -Vec2::X));
    assert_eq!(hit.point, vec2(-1.0, 0.25), "the middle of what the faces share");
    assert_eq!(hit.piece, 0);
}

#[test]
fn a_circle_rolls_onto_a_corner() {
    let hit = cast(Rect::new(2.0, 2.0), &Circle::new(1.0), place(-5.0, 1.0 + 0.6), vec2(10.0, 0.0)).unwrap();
    assert!((hit.distance - (5.0 - 1.0 - 0.8)).abs() < 1e-6);
    assert!(hit.normal.abs_diff_eq(vec2(-0.8, 0.6), 1e-6) && hit.point.abs_diff_eq(vec2(-1.0, 1.0), 1e-6));
}

#[test]
fn thin_things_stop_fast_ones() {
    let wall = Segment::new(vec2(0.0, -5.0), vec2(0.0, 5.0));
    let sheet = Rect::new(1e-9, 10.0);
    let brushes: [&dyn Collider; 5] = [
        &Circle::new(0.1),
        &Circle::point(Vec2::ZERO),
        &Rect::new(0.1, 1e-9),
        &Segment::new(vec2(0.0, -0.5), vec2(0.0, 0.5)),
        &Squircle(0.1),
    ];
    for brush in brushes {
        for motion in [1e3, 1e6, -1e6] {
            let from = place(-0.5_f32.copysign(motion) * 1e3, 0.1);
            for hit in [cast(wall, brush, from, vec2(motion, 0.0)), cast(sheet, brush, from, vec2(motion, 0.0))] {
                let hit = hit.unwrap();
                assert!((hit.distance - 500.0).abs() < 0.2, "{brush:?} {motion}: {hit:?}");
                assert!(hit.normal.abs_diff_eq(vec2(-motion.signum(), 0.0), 1e-4));
            }
        }
    }
}

#[test]
// RA-3
fn what_begins_touching_is_hit_only_when_it_is_approached() {
    let floor = Rect::new(10.0, 2.0);
    let brushes: [(&dyn Collider, f32); 5] = [
        (&Rect::new(2.0, 2.0), 2.0),
        (&Circle::new(1.0), 2.0),
        (&Capsule::new(-Vec2::X, Vec2::X, 0.5), 1.5),
        (&Segment::new(-Vec2::X, Vec2::X), 1.0),
        (&Ellipse::new(2.0, 1.0), 2.0),
    ];
    for (brush, height) in brushes {
        for lift in [0.0, 1e-7, -1e-7] {
            let from = place(0.5, height + lift);
            for along in [vec2(3.0, 0.0), vec2(-3.0, 0.0), vec2(2.0, 1.0), vec2(0.0, 3.0)] {
                assert_eq!(cast(floor, brush, from, along), None, "{brush:?} {lift} {along}");
            }
            for into in [vec2(0.0, -1.0), vec2(3.0, -1.0)] {
                let hit = cast(floor, brush, from, into).unwrap();
                assert!(hit.fraction < 1e-6 && hit.normal.abs_diff_eq(Vec2::Y, 1e-3), "{brush:?} {lift} {hit:?}");
            }
        }
    }
}

#[test]
fn what_begins_inside_is_hit_at_once_whatever_the_direction() {
    for direction in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
        for brush in [&Rect::new(2.0, 2.0) as &dyn Collider, &Circle::new(1.0), &Squircle(1.0), &Ellipse::new(1.0, 2.0)]
        {
            let hit = cast(Rect::new(8.0, 8.0), brush, place(0.0, 4.5), direction).unwrap();
            assert!(hit.fraction == 0.0 && hit.normal.abs_diff_eq(Vec2::Y, 1e-3), "{hit:?}");
        }
    }
}

#[test]
fn what_is_deeper_inside_than_by_rounding_is_hit_even_if_it_leaves() {
    // Four units of both sizes and of an eighth of both places.
    let cases = [
        (vec2(0.0, 0.0), Rect::new(6.0, 2.25), (6.125 + 4.0 / 8.0) * 4.0),
        (vec2(-64.0, 0.0), Rect::new(6.0, 2.0), (6.0 + 124.0 / 8.0) * 4.0),
        (vec2(4096.0, 8.0), Rect::new(2.0, 2.0), (4.0 + 8194.0 / 8.0) * 4.0),
    ];
    for (base, target, units) in cases {
        let touching = base.x + (target.half_axes()[0].x + 1.0);
        let mut scene = Scene::new();
        put(&mut scene, Transform::from_position(base), target);
        let world = scene.world();
        let mut deeper = touching;
        for _ in 0..40 {
            deeper = deeper.next_down();
            let inside = f64::from(touching - deeper) / f64::from(f32::EPSILON) > units;
            for way in [Vec2::X, Vec2::Y, vec2(1.0, -3.0)] {
                let hit = world.cast_shape(&Rect::new(2.0, 2.0), &place(deeper, base.y), way, &anything());
                assert_eq!(hit.map(|hit| hit.fraction), inside.then_some(0.0), "{base} {deeper} {way}");
            }
        }
    }
}

#[test]
fn sliding_over_the_seams_of_boxes_in_touch_hits_nothing() {
    let mut scene = Scene::new();
    for i in -5..20_i8 {
        put(&mut scene, at(f32::from(i), -0.5), Rect::new(1.0, 1.0));
    }
    let world = scene.world();
    assert_eq!(world.cast_shape(&Rect::new(0.75, 1.0), &place(0.0, 0.5), vec2(12.0, 0.0), &anything()), None);
}

#[test]
fn brushing_against_something_in_passing_is_no_hit() {
    assert_eq!(cast(Rect::new(2.0, 2.0), &Rect::new(2.0, 2.0), place(-9.0, 2.0), vec2(20.0, 0.0)), None);
    assert_eq!(cast(Circle::new(1.0), &Circle::new(1.0), place(-9.0, 2.0), vec2(20.0, 0.0)), None);
    assert!(cast(Circle::new(1.0), &Circle::new(1.0), place(-9.0, 1.999), vec2(20.0, 0.0)).is_some());
}

#[test]
fn what_passes_over_a_peak_from_corner_to_corner_only_brushes_it() {
    let diamond = Polygon::convex(&[Vec2::X * 3.0, Vec2::Y * 5.0, -Vec2::X * 2.0, -Vec2::Y]).unwrap();
    for (left, right, rise) in (1..9_i8).flat_map(|x| (1..9_i8).flat_map(move |y| (-1..2_i8).map(move |z| (x, y, z)))) {
        let peak = [vec2(-f32::from(left), -3.0), vec2(f32::from(right), -3.0), Vec2::ZERO];
        let peak = Polygon::convex(&peak).unwrap();
        let motion = vec2(13.0, f32::from(rise));
        for (brush, tip) in [(&diamond as &dyn Collider, -Vec2::Y), (&Circle::point(Vec2::ZERO), Vec2::ZERO)] {
            let cast = |lift: f32| {
                let from = vec2(0.0, lift) - tip - motion;
                cast(peak.clone(), brush, Affine2::from_translation(from), motion * 3.0)
            };
            assert_eq!(cast(0.0), None, "{brush:?} {peak:?} {motion}");
            assert!(cast(-0.01).is_some(), "{brush:?} {peak:?} {motion}");
        }
    }
}

#[test]
fn a_flat_rectangle_brushes_as_a_line_does() {
    let slope = Segment::new(Vec2::ZERO, vec2(3.0, 4.0));
    for brush in [&Rect::new(2.0, 0.0) as &dyn Collider, &Segment::new(-Vec2::X, Vec2::X)] {
        assert_eq!(cast(slope, brush, place(-9.0, 0.0), vec2(20.0, 0.0)), None, "past its end");
        assert!(cast(slope, brush, place(-9.0, 0.25), vec2(20.0, 0.0)).is_some());
    }
}

#[test]
fn a_point_that_comes_over_a_line_to_its_end_has_the_lines_normal() {
    let end = vec2(-5.0, 3.0);
    let slopes = (1..24_u8).flat_map(|x| (1..24_u8).map(move |y| vec2(x.into(), y.into())));
    for (slope, size) in slopes.flat_map(|slope| [1024.0, 1.0, 1.0 / 1_048_576.0].map(|size| (slope, size))) {
        // The line leads up to its end, a little less than across the motion.
        let (motion, along) = (slope * size, vec2(slope.y + 1.0, -slope.x));
        let (line, from) = (Segment::new(end, end - along), Affine2::from_translation(end - motion * 3.0));
        let hit = cast(line, &Circle::point(Vec2::ZERO), from, motion * 9.0).unwrap();
        assert!((hit.fraction - 1.0 / 3.0).abs() < 1e-7, "{hit:?} {line:?} {motion}");
        assert!(hit.normal.dot(along.normalize()).abs() < 1e-6, "{hit:?} {line:?} {motion}");
    }
}

#[test]
fn no_motion_and_no_number_hit_nothing() {
    let target = Rect::new(2.0, 2.0);
    for motion in [Vec2::ZERO, Vec2::NAN, vec2(f32::INFINITY, 0.0)] {
        assert_eq!(cast(target, &Circle::new(1.0), Affine2::IDENTITY, motion), None);
    }
    assert_eq!(cast(target, &Circle::new(1.0), Affine2::NAN, Vec2::X), None);
}

#[test]
fn far_from_the_origin_is_as_exact() {
    let base = vec2(-4_194_304.0, 2_097_152.0);
    let mut scene = Scene::new();
    put(&mut scene, Transform::from_position(base), Rect::new(2.0, 2.0).rotated(FRAC_PI_4));
    let from = Affine2::from_translation(base - vec2(16.0, 0.0));
    let hit = scene.world().cast_shape(&Circle::new(1.0), &from, vec2(32.0, 0.0), &anything()).unwrap();
    assert!((hit.distance - (15.0 - 2.0_f32.sqrt())).abs() < 1e-5, "{hit:?}");
}

#[test]
fn a_filter_and_a_predicate_narrow_casts_and_nearest() {
    let mut scene = Scene::new();
    let ids: Vec<_> = (1..4_u8).map(|i| put(&mut scene, at(f32::from(i) * 10.0, 0.0), Circle::new(1.0))).collect();
    scene.attachment_mut(ids[0]).unwrap().sensor = true;
    scene.attachment_mut(ids[1]).unwrap().layers = CollisionLayers::new(2, 2);
    let filter = anything().without_sensors().with_layers(CollisionLayers::new(1, 1));
    let world = scene.world();
    let first = |world: World<'_>, filter: &QueryFilter| {
        let hit = world.cast_shape(&Circle::new(1.0), &Affine2::IDENTITY, vec2(100.0, 0.0), filter);
        let near = world.nearest(Vec2::ZERO, f32::INFINITY, filter);
        assert_eq!(hit.map(|hit| hit.side), near.map(|near| near.side));
        hit.map(|hit| hit.side.collider)
    };
    assert_eq!(first(world, &anything()), Some(ids[0]));
    assert_eq!(first(world, &filter), Some(ids[2]));
    let not_last = |side: hitgraph::Side| side.collider != ids[2];
    assert_eq!(first(world.only(&not_last), &filter), None);
}

#[test]
fn the_smallest_id_wins_a_tie() {
    let mut scene = Scene::new();
    let ids: Vec<_> = (0..20).map(|_| put(&mut scene, at(5.0, 0.0), Rect::new(2.0, 2.0))).collect();
    let world = scene.world();
    let hits = world.cast_shape_all(&Circle::new(1.0), &Affine2::IDENTITY, vec2(9.0, 0.0), &anything());
    assert_eq!(hits.iter().map(|hit| hit.side.collider).collect::<Vec<_>>(), ids);
    let first = world.cast_shape(&Circle::new(1.0), &Affine2::IDENTITY, vec2(9.0, 0.0), &anything());
    assert_eq!(first, hits.first().copied());
    assert_eq!(world.nearest(Vec2::ZERO, 9.0, &anything()).map(|near| near.side.collider), Some(ids[0]));
    let three = world.nearest_n(Vec2::ZERO, 3, 9.0, &anything());
    assert_eq!(three.iter().map(|near| near.side.collider).collect::<Vec<_>>(), ids[..3]);
}

#[test]
fn what_is_no_place_and_no_radius_has_nothing_near() {
    let mut scene = Scene::new();
    put(&mut scene, Transform::IDENTITY, Circle::new(1.0));
    let world = scene.world();
    assert_eq!(world.nearest(Vec2::NAN, 1.0, &anything()), None);
    for point in [vec2(f32::INFINITY, 0.0), vec2(f32::INFINITY, f32::NEG_INFINITY)] {
        assert_eq!(world.nearest(point, f32::INFINITY, &anything()), None);
    }
    assert_eq!(world.nearest(Vec2::ZERO, f32::NAN, &anything()), None);
    assert_eq!(world.nearest(Vec2::ZERO, -1.0, &anything()), None);
    assert_eq!(world.nearest_n(Vec2::ZERO, 0, 1.0, &anything()), []);
    let touching = world.nearest(vec2(2.0, 0.0), 1.0, &anything()).unwrap();
    assert_eq!((touching.distance, touching.point), (1.0, Vec2::X));
    let inside = world.nearest(vec2(0.25, 0.5), 0.0, &anything()).unwrap();
    assert_eq!((inside.distance, inside.point), (0.0, vec2(0.25, 0.5)));
}

/// The gap of two bodies after the first has moved; 0 where they overlap.
fn gap_after(pair: &Pair, by: Vec2) -> f32 {
    support::ask(&pair.a.moved(by), &pair.b).distance
}

fn depth_after(pair: &Pair, by: Vec2) -> f32 {
    support::ask(&pair.a.moved(by), &pair.b).contact.map_or(0.0, |contact| contact.depth)
}

/// Casts the first of a pair at the second, with another transform above both.
fn cast_pair(pair: &Pair, motion: Vec2, above: &Affine2) -> Option<ShapeCastHit> {
    let mut scene = Scene::new();
    let root = scene.root();
    scene[root].transform = Transform::from_affine(*above);
    let node = scene.add(Node::new("b").with_transform(pair.b.transform));
    scene.attach(node, pair.b.attachment.clone()).unwrap();
    let from = *above * pair.a.transform.to_affine();
    scene.world().cast_shape(pair.a.attachment.shape(), &from, above.transform_vector2(motion), &anything())
}

/// Motions towards the other, past it, and anywhere.
fn motion() -> impl Strategy<Value = Vec2> {
    prop_oneof![2 => point(), 2 => point().prop_map(|p| p * 4.0), 1 => point().prop_map(|p| p * 100.0)]
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn before_the_hit_nothing_overlaps_and_after_it_something_does(pair in pair(), by in motion()) {
        let slack = pair.scale() * 4e-6 + 4.0 * pair.grain() + by.length() * 1e-6;
        if gap_after(&pair, Vec2::ZERO) <= slack || by == Vec2::ZERO {
            return Ok(());
        }
        match cast_pair(&pair, by, &Affine2::IDENTITY) {
            Some(hit) => {
                let touch = by * hit.fraction;
                prop_assert!(depth_after(&pair, touch) <= slack, "too deep at the hit: {hit:?}");
                prop_assert!(gap_after(&pair, touch) <= slack, "apart at the hit: {hit:?}");
                for step in 0..20_u8 {
                    let part = f32::from(step) / 20.0;
                    prop_assert!(depth_after(&pair, touch * part) <= slack, "an earlier touch at {part}: {hit:?}");
                }
                prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5);
                prop_assert!(hit.normal.dot(by) < 0.0, "it faces the mover");
                prop_assert!((hit.distance - touch.length()).abs() <= slack);
                let off = Circle::point(hit.point);
                let mut scene = Scene::new();
                let node = scene.add(Node::new("b").with_transform(pair.b.transform));
                let other = scene.attach(node, pair.b.attachment.clone()).unwrap();
                let probe = scene.add(Node::new("p"));
                let probe = scene.attach(probe, off).unwrap();
                prop_assert!(scene.world().distance(other, probe).unwrap() <= slack, "the point is on what is hit");
            }
            None => for step in 0..=40_u8 {
                let part = f32::from(step) / 40.0;
                // What is brushed against may be no hit.
                prop_assert!(depth_after(&pair, by * part) <= slack, "overlaps at {part}, but no hit");
            }
        }
    }

    #[test]
    fn a_cast_turns_with_everything_else(pair in pair(), by in motion(), angle in -PI..PI, mirrored in any::<bool>()) {
        let scale = pair.scale();
        let slack = scale * 1e-5 + 8.0 * pair.grain() + by.length() * 1e-5;
        if gap_after(&pair, Vec2::ZERO) <= slack {
            return Ok(());
        }
        let mirror = vec2(if mirrored { -1.0 } else { 1.0 }, 1.0);
        let above = Affine2::from_scale_angle_translation(mirror, angle, vec2(3.0, -2.0));
        let (plain, turned) = (cast_pair(&pair, by, &Affine2::IDENTITY), cast_pair(&pair, by, &above));
        if let Some(hit) = plain {
            // A glancing hit is off by the root of the rounding, and a near miss may be one.
            let on = by * hit.fraction + by.normalize() * slack * 20.0;
            let clear = hit.normal.dot(by) < -0.1 * by.length() && depth_after(&pair, on) > slack;
            if !clear || on.length() > by.length() {
                return Ok(());
            }
            let other = turned.expect("the same cast, turned");
            prop_assert!((hit.distance - other.distance).abs() <= 10.0 * slack, "{hit:?} {other:?}");
        } else if let Some(hit) = turned {
            let on = by * hit.fraction + by.normalize() * slack * 20.0;
            let glancing = hit.normal.dot(above.transform_vector2(by)) > -0.1 * by.length();
            prop_assert!(glancing || on.length() > by.length() || depth_after(&pair, on) <= slack, "{hit:?}");
        }
    }
}

/// Some bodies in a scene, some on others.
fn scene_of(bodies: &[Body]) -> (Scene, Vec<NodeId>, Vec<ColliderId>) {
    let mut scene = Scene::new();
    let mut nodes: Vec<NodeId> = Vec::new();
    let mut ids = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        let spread = body.transform.with_position(body.transform.position * 3.0);
        let node = Node::new(body.kind).with_transform(spread);
        let parent = if index % 4 == 3 { nodes[index / 2] } else { scene.root() };
        nodes.push(scene.add_child(parent, node).unwrap());
        ids.push(scene.attach(nodes[index], body.attachment.clone()).unwrap());
    }
    (scene, nodes, ids)
}

/// The same scene with one collider alone.
fn alone(scene: &Scene, ids: &[ColliderId], id: ColliderId) -> Scene {
    let mut scene = scene.clone();
    for other in ids.iter().filter(|other| **other != id) {
        scene.attachment_mut(*other).unwrap().enabled = false;
    }
    scene
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn all_hits_are_those_of_each_alone(
        bodies in prop::collection::vec(body().boxed(), 1..24),
        brush in body(),
        by in motion(),
    ) {
        let (mut scene, nodes, ids) = scene_of(&bodies);
        let filter = anything().exclude_subtree(nodes[0]);
        let (shape, from) = (brush.attachment.shape(), brush.transform.to_affine());
        let mut expected = Vec::new();
        for id in &ids {
            expected.extend(alone(&scene, &ids, *id).world().cast_shape(shape, &from, by, &filter));
        }
        expected.sort_by(|a, b| {
            a.fraction.total_cmp(&b.fraction).then(a.side.collider.cmp(&b.side.collider))
        });
        let world = scene.world();
        prop_assert_eq!(world.cast_shape_all(shape, &from, by, &filter), expected.clone());
        prop_assert_eq!(world.cast_shape(shape, &from, by, &filter), expected.first().copied());
        prop_assert!(expected.iter().all(|hit| hit.side.node != nodes[0]));
    }

    #[test]
    fn the_nearest_are_those_of_asking_each(
        bodies in prop::collection::vec(body().boxed(), 1..40),
        from in point(),
        radius in prop_oneof![Just(f32::INFINITY), 0.0..20.0_f32],
        count in 1..10_usize,
    ) {
        let (mut scene, _, ids) = scene_of(&bodies);
        let world = scene.world();
        let mut expected: Vec<Nearest> = ids
            .iter()
            .filter_map(|id| {
                let near = world.project_point(*id, from)?;
                let side = hitgraph::Side { node: world.scene().node_of(*id)?, collider: *id };
                Some(Nearest { side, distance: near.distance, point: near.point, piece: 0 })
            })
            .filter(|near| near.distance <= radius)
            .collect();
        expected.sort_by(|a, b| {
            a.distance.total_cmp(&b.distance).then(a.side.collider.cmp(&b.side.collider))
        });
        prop_assert_eq!(world.nearest(from, radius, &anything()), expected.first().copied());
        expected.truncate(count);
        prop_assert_eq!(world.nearest_n(from, count, radius, &anything()), expected);
    }
}

#[test]
fn a_collider_of_many_pieces_is_swept_and_found_as_one() {
    let solid = |column: u32, row: u32| (column + row).is_multiple_of(2);
    let (mut tiles, mut boxes) = (Scene::new(), Scene::new());
    let map = put(&mut tiles, at(-10.0, -10.0), Tiles::new(20, 20, vec2(1.0, 1.0), solid));
    for (column, row) in (0..400_u16).map(|i| (i % 20, i / 20)).filter(|(c, r)| solid((*c).into(), (*r).into())) {
        put(&mut boxes, at(f32::from(column) - 9.5, f32::from(row) - 9.5), Rect::new(1.0, 1.0));
    }
    for i in 0..360_u16 {
        let from =
            Affine2::from_translation(Vec2::from_angle(f32::from(i)) * 16.0 + vec2(0.013, 0.007) * f32::from(i % 7));
        let motion = -from.translation * 1.5 + vec2(0.0, 5.0);
        for brush in [&Circle::new(0.3) as &dyn Collider, &Rect::new(0.5, 0.7), &Squircle(0.4)] {
            let one = tiles.world().cast_shape(brush, &from, motion, &anything()).unwrap();
            let many = boxes.world().cast_shape(brush, &from, motion, &anything()).unwrap();
            assert!((one.distance - many.distance).abs() < 1e-4, "{brush:?} {i}: {one:?} {many:?}");
            assert_eq!(one.side.collider, map);
            assert_eq!(tiles.world().cast_shape_all(brush, &from, motion, &anything()), [one]);
        }
        let [one, many] =
            [&mut tiles, &mut boxes].map(|s| s.world().nearest(from.translation, 99.0, &anything()).unwrap());
        assert!((one.distance - many.distance).abs() < 1e-5 && one.side.collider == map);
        assert!(
            one.point.abs_diff_eq(many.point, 1e-4)
                || (from.translation.distance(many.point) - one.distance).abs() < 1e-4
        );
    }
}

#[test]
fn a_concave_brush_hits_with_the_piece_that_is_first() {
    let hook = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 3.0), vec2(3.0, 3.0), vec2(3.0, 1.0), vec2(0.0, 1.0)];
    let hook = Compound::from_outline(&hook).unwrap();
    let hit = cast(Circle::new(0.5), &hook, place(-10.0, -2.0), vec2(20.0, 0.0)).unwrap();
    assert!((hit.distance - 5.5).abs() < 1e-5 && hit.normal == -Vec2::X, "the tip comes first: {hit:?}");
    let hit = cast(Circle::new(0.5), &hook, place(-10.0, -0.5), vec2(20.0, 0.0)).unwrap();
    assert!((hit.distance - 5.5).abs() < 1e-5, "{hit:?}");
    assert_eq!(cast(Circle::new(0.5), &hook, place(-1.0, -2.0), vec2(0.5, 0.0)), None, "in the notch");
}

#[test]
fn what_is_touched_by_rounding_at_the_beginning_is_hit_however_short_the_way() {
    // Of so long a line the rounding is larger than the ball.
    let line = Segment::new(vec2(2.0, 5.25), vec2(-1.5e16, 0.0));
    let mut hits = 0;
    for turn in 0..64_u8 {
        let from = Transform::from_position(vec2(17.5, -20.25)).with_rotation(f32::from(turn) * 0.1).to_affine();
        for way in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
            let is_hit = |length: f32| cast(Circle::new(24.0), &line, from, way * length).map(|hit| hit.fraction);
            let all = [1.0, 1e-6, 1e-12, 1e-30].map(is_hit);
            if all[0] == Some(0.0) {
                assert_eq!(all, [Some(0.0); 4], "{turn} {way}");
                hits += 1;
            }
        }
    }
    assert!(hits > 20, "{hits}");
}

#[test]
fn a_one_sided_line_is_hit_from_its_front() {
    let line = || Polyline::new(&[vec2(-5.0, 0.0), vec2(5.0, 0.0)]).unwrap().one_sided();
    assert!(cast(line(), &Circle::new(0.5), place(0.0, 3.0), vec2(0.0, -9.0)).is_some());
    assert_eq!(cast(line(), &Circle::new(0.5), place(0.0, -3.0), vec2(0.0, 9.0)), None);
}

#[test]
fn two_discs_squashed_alike_meet_where_both_end() {
    let ellipse = Ellipse::new(2.0, 1.0);
    for (way, reach) in [(Vec2::X, 2.0), (Vec2::Y, 1.0)] {
        let hit = cast(ellipse, &ellipse, Affine2::from_translation(way * -10.0), way * 20.0).unwrap();
        assert!((hit.distance - (10.0 - 2.0 * reach)).abs() < 1e-5 && hit.normal.abs_diff_eq(-way, 1e-6), "{hit:?}");
        assert!(hit.point.abs_diff_eq(-way * reach, 1e-5), "{hit:?}");
        for (part, touches) in [(1.99, true), (2.01, false)] {
            let there = Affine2::from_translation(way * reach * part);
            assert_eq!(ellipse.collides(&Affine2::IDENTITY, &ellipse, &there), touches, "{way} {part}");
        }
    }
}

#[test]
fn a_polygon_brush_and_many_corners_fit() {
    let circle_like: Vec<Vec2> = (0..40_u8).map(|i| Vec2::from_angle(f32::from(i) * PI / 20.0)).collect();
    let wheel = Polygon::convex(&circle_like).unwrap();
    let hit = cast(wheel.clone(), &wheel, place(-10.0, 0.0), vec2(20.0, 0.0)).unwrap();
    assert!((hit.distance - 8.0).abs() < 1e-5 && hit.normal.x < -0.99, "{hit:?}");
}
