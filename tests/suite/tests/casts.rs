//! Shape casts and nearest queries: cases with known results, and comparisons with one query per collider.

use std::f32::consts::{FRAC_PI_4, PI};

use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::{
    Capsule, Circle, Collider, ColliderId, CollisionLayers, Compound, Ellipse, Nearest, Node, NodeId, Polygon,
    Polyline, QueryFilter, Rect, Rounded, Scene, Segment, Shape, ShapeCastHit, Tiles, Transform, World,
};
use proptest::prelude::*;
use support::oracle::{OracleHull, least_gap, separation_along};
use support::{
    KINDS, Numbers, Pair, Squircle, SupportOnly, TestCollider, add, anything, at, cases, pair, point, test_collider,
    translation,
};

/// Casts `caster` against `target`, which is alone in a scene, at the origin.
fn cast(target: impl Collider, caster: &dyn Collider, from: Affine2, displacement: Vec2) -> Option<ShapeCastHit> {
    let mut scene = Scene::new();
    add(&mut scene, Transform::IDENTITY, target);
    scene.world().cast_shape(caster, &from, displacement, &anything())
}

#[test]
fn the_hit_point_of_two_parallel_faces_is_the_middle_of_their_shared_part() {
    let hit = cast(Rect::new(2.0, 2.0), &Rect::new(2.0, 4.0), translation(-10.0, 1.5), vec2(16.0, 0.0)).unwrap();
    assert_eq!((hit.fraction, hit.distance, hit.normal), (0.5, 8.0, -Vec2::X));
    assert_eq!(hit.point, vec2(-1.0, 0.25), "the middle of the shared part of the faces");
    assert_eq!(hit.piece, 0);
}

#[test]
fn a_circle_cast_against_a_corner_reports_the_corner_and_its_normal() {
    let hit = cast(Rect::new(2.0, 2.0), &Circle::new(1.0), translation(-5.0, 1.0 + 0.6), vec2(10.0, 0.0)).unwrap();
    assert!((hit.distance - (5.0 - 1.0 - 0.8)).abs() < 1e-6);
    assert!(hit.normal.abs_diff_eq(vec2(-0.8, 0.6), 1e-6) && hit.point.abs_diff_eq(vec2(-1.0, 1.0), 1e-6));
}

#[test]
fn a_fast_cast_never_passes_through_a_thin_shape() {
    let wall = Segment::new(vec2(0.0, -5.0), vec2(0.0, 5.0));
    let sheet = Rect::new(1e-9, 10.0);
    let casters: [&dyn Collider; 5] = [
        &Circle::new(0.1),
        &Circle::point(Vec2::ZERO),
        &Rect::new(0.1, 1e-9),
        &Segment::new(vec2(0.0, -0.5), vec2(0.0, 0.5)),
        &Squircle(0.1),
    ];
    for caster in casters {
        for dx in [1e3, 1e6, -1e6] {
            let from = translation(-0.5_f32.copysign(dx) * 1e3, 0.1);
            for hit in [cast(wall, caster, from, vec2(dx, 0.0)), cast(sheet, caster, from, vec2(dx, 0.0))] {
                let hit = hit.unwrap();
                assert!((hit.distance - 500.0).abs() < 0.2, "{caster:?} {dx}: {hit:?}");
                assert!(hit.normal.abs_diff_eq(vec2(-dx.signum(), 0.0), 1e-4));
            }
        }
    }
}

#[test]
fn a_cast_that_starts_touching_hits_only_if_it_approaches() {
    // RA-3
    let floor = Rect::new(10.0, 2.0);
    let casters: [(&dyn Collider, f32); 5] = [
        (&Rect::new(2.0, 2.0), 2.0),
        (&Circle::new(1.0), 2.0),
        (&Capsule::new(-Vec2::X, Vec2::X, 0.5), 1.5),
        (&Segment::new(-Vec2::X, Vec2::X), 1.0),
        (&Ellipse::new(2.0, 1.0), 2.0),
    ];
    for (caster, height) in casters {
        for lift in [0.0, 1e-7, -1e-7] {
            let from = translation(0.5, height + lift);
            for along in [vec2(3.0, 0.0), vec2(-3.0, 0.0), vec2(2.0, 1.0), vec2(0.0, 3.0)] {
                assert_eq!(cast(floor, caster, from, along), None, "{caster:?} {lift} {along}");
            }
            for into in [vec2(0.0, -1.0), vec2(3.0, -1.0)] {
                let hit = cast(floor, caster, from, into).unwrap();
                assert!(hit.fraction < 1e-6 && hit.normal.abs_diff_eq(Vec2::Y, 1e-3), "{caster:?} {lift} {hit:?}");
            }
        }
    }
}

#[test]
fn a_cast_that_starts_inside_hits_at_fraction_zero_in_any_direction() {
    for direction in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
        for caster in
            [&Rect::new(2.0, 2.0) as &dyn Collider, &Circle::new(1.0), &Squircle(1.0), &Ellipse::new(1.0, 2.0)]
        {
            let hit = cast(Rect::new(8.0, 8.0), caster, translation(0.0, 4.5), direction).unwrap();
            assert!(hit.fraction == 0.0 && hit.normal.abs_diff_eq(Vec2::Y, 1e-3), "{hit:?}");
        }
    }
}

#[test]
fn a_cast_that_starts_deeper_than_rounding_hits_even_if_it_leaves() {
    // The tolerance is four units in the last place of both sizes, wherever the shapes are.
    let cases = [
        (vec2(0.0, 0.0), Rect::new(6.0, 2.25), 6.125 * 4.0),
        (vec2(-64.0, 0.0), Rect::new(6.0, 2.0), 6.0 * 4.0),
        (vec2(4096.0, 8.0), Rect::new(2.0, 2.0), 4.0 * 4.0),
    ];
    for (base, target, units) in cases {
        let touching = base.x + (target.half_axes()[0].x + 1.0);
        let mut scene = Scene::new();
        add(&mut scene, Transform::from_position(base), target);
        let world = scene.world();
        let mut deeper = touching;
        for _ in 0..40 {
            deeper = deeper.next_down();
            let inside = f64::from(touching - deeper) / f64::from(f32::EPSILON) > units;
            for direction in [Vec2::X, Vec2::Y, vec2(1.0, -3.0)] {
                let hit = world.cast_shape(&Rect::new(2.0, 2.0), &translation(deeper, base.y), direction, &anything());
                assert_eq!(hit.map(|hit| hit.fraction), inside.then_some(0.0), "{base} {deeper} {direction}");
            }
        }
    }
}

#[test]
fn the_distance_from_the_origin_changes_no_cast() {
    // At all these places, multiples of a quarter are exact in `f32`.
    let places = [vec2(1e5, 0.0), vec2(-1e5, 1e6), vec2(1e6, -1e6)];
    let starts = [vec2(-4.0, 0.25), vec2(-1.25, 0.25), vec2(0.5, -1.25), vec2(1.75, 0.5)];
    let displacements = [vec2(8.0, 0.0), vec2(-0.25, 0.0), vec2(0.0, 4.0), vec2(-3.0, -2.5)];
    for ((kind, make), (other, make_other)) in
        KINDS.iter().flat_map(|kind| KINDS.iter().map(move |other| (kind, other)))
    {
        let caster = make(&Numbers::PLAIN);
        let scene_at = |place: Vec2| {
            let mut scene = Scene::new();
            scene.add_with(Node::new(*other).with_position(place), make_other(&Numbers::PLAIN));
            scene
        };
        let (mut near, mut far) = (scene_at(Vec2::ZERO), places.map(scene_at));
        for (start, displacement) in starts.iter().flat_map(|start| displacements.map(|way| (*start, way))) {
            let hit = |scene: &mut Scene, place: Vec2| {
                let at = Affine2::from_translation(place + start);
                let hit = scene.world().cast_shape(caster.collider(), &at, displacement, &anything());
                hit.map(|hit| (hit.fraction, hit.normal, hit.piece))
            };
            let expected = hit(&mut near, Vec2::ZERO);
            for (scene, place) in far.iter_mut().zip(places) {
                assert_eq!(hit(scene, place), expected, "{kind} from {start} to {other} by {displacement} at {place}");
            }
        }
    }
}

#[test]
fn a_cast_along_a_row_of_touching_rectangles_hits_no_seam() {
    let mut scene = Scene::new();
    for i in -5..20_i8 {
        add(&mut scene, at(f32::from(i), -0.5), Rect::new(1.0, 1.0));
    }
    let world = scene.world();
    assert_eq!(world.cast_shape(&Rect::new(0.75, 1.0), &translation(0.0, 0.5), vec2(12.0, 0.0), &anything()), None);
}

#[test]
fn a_cast_that_only_touches_in_passing_hits_nothing() {
    assert_eq!(cast(Rect::new(2.0, 2.0), &Rect::new(2.0, 2.0), translation(-9.0, 2.0), vec2(20.0, 0.0)), None);
    // Each reaches 1 up and down.
    let shapes: [Shape; 6] = [
        Circle::new(1.0).into(),
        Ellipse::new(2.0, 1.0).into(),
        Ellipse::new(0.25, 1.0).into(),
        Capsule::new(vec2(-2.0, -0.5), vec2(2.0, 0.5), 0.5).into(),
        Rounded::new(Polygon::convex(&[vec2(-0.5, -0.5), vec2(0.5, -0.5), vec2(0.0, 0.5)]).unwrap(), 0.5).into(),
        Polygon::convex(&[Vec2::X * 3.0, Vec2::Y, -Vec2::X * 2.0, -Vec2::Y]).unwrap().into(),
    ];
    for [target, caster] in shapes.iter().flat_map(|a| shapes.each_ref().map(|b| [a, b])) {
        let cast = |y: f32| cast(target.clone(), caster, translation(-9.0, y), vec2(20.0, 0.0));
        assert_eq!(cast(2.0), None, "{caster:?} past {target:?}");
        assert!(cast(1.999).is_some(), "{caster:?} to {target:?}");
    }
}

#[test]
fn a_corner_that_passes_exactly_over_a_peak_hits_nothing() {
    let diamond = Polygon::convex(&[Vec2::X * 3.0, Vec2::Y * 5.0, -Vec2::X * 2.0, -Vec2::Y]).unwrap();
    for (left, right, rise) in (1..9_i8).flat_map(|x| (1..9_i8).flat_map(move |y| (-1..2_i8).map(move |z| (x, y, z)))) {
        let corners = [vec2(-f32::from(left), -3.0), vec2(f32::from(right), -3.0), Vec2::ZERO];
        let peak = Polygon::convex(&corners).unwrap();
        let displacement = vec2(13.0, f32::from(rise));
        for (caster, tip) in [(&diamond as &dyn Collider, -Vec2::Y), (&Circle::point(Vec2::ZERO), Vec2::ZERO)] {
            let cast = |lift: f32| {
                let from = vec2(0.0, lift) - tip - displacement;
                cast(peak.clone(), caster, Affine2::from_translation(from), displacement * 3.0)
            };
            assert_eq!(cast(0.0), None, "{caster:?} {peak:?} {displacement}");
            assert!(cast(-0.01).is_some(), "{caster:?} {peak:?} {displacement}");
        }
    }
}

#[test]
fn a_rectangle_of_height_zero_that_touches_in_passing_hits_nothing() {
    let slope = Segment::new(Vec2::ZERO, vec2(3.0, 4.0));
    for caster in [&Rect::new(2.0, 0.0) as &dyn Collider, &Segment::new(-Vec2::X, Vec2::X)] {
        assert_eq!(cast(slope, caster, translation(-9.0, 0.0), vec2(20.0, 0.0)), None, "touches in passing");
        assert!(cast(slope, caster, translation(-9.0, 0.25), vec2(20.0, 0.0)).is_some());
    }
}

#[test]
fn a_cast_of_a_long_thin_rectangle_stops_at_a_rounded_polygon() {
    let core = Polygon::convex(&[vec2(-1.0, -0.5), vec2(1.0, -0.25), vec2(0.5, 1.0)]).unwrap();
    let round = Rounded::new(core.clone(), 0.5);
    let elliptic = Rounded::from_matrix(core, Mat2::from_diagonal(vec2(1.0, 0.5)));
    for angle in [0.0, PI, -PI] {
        // The corners at one of its ends are equal in `f64`, but not the directions of its sides.
        let needle = Rect::new(1e-6, 1e5).rotated(angle);
        for (target, reach) in [(&round, 1.5), (&elliptic, 2.0)] {
            let hit = cast(target.clone(), &needle, translation(10.0, 0.0), vec2(-20.0, 0.0)).unwrap();
            assert!((hit.fraction - (10.0 - reach) / 20.0).abs() < 1e-3, "{angle}: {hit:?}");
            for displacement in [vec2(0.0, 20.0), vec2(0.0, -20.0)] {
                let hit = cast(target.clone(), &needle, translation(0.0, 0.0), displacement).unwrap();
                assert_eq!(hit.fraction, 0.0, "{angle}: it starts inside");
            }
        }
    }
}

#[test]
fn a_point_cast_that_hits_the_end_of_a_segment_reports_the_segments_normal() {
    let end = vec2(-5.0, 3.0);
    let slopes = (1..24_u8).flat_map(|x| (1..24_u8).map(move |y| vec2(x.into(), y.into())));
    for (slope, size) in slopes.flat_map(|slope| [1024.0, 1.0, 1.0 / 1_048_576.0].map(|size| (slope, size))) {
        // The segment is nearly perpendicular to the displacement, and the point comes to the end along its near side.
        let (displacement, along) = (slope * size, vec2(slope.y + 1.0, -slope.x));
        let (line, from) = (Segment::new(end, end - along), Affine2::from_translation(end - displacement * 3.0));
        let hit = cast(line, &Circle::point(Vec2::ZERO), from, displacement * 9.0).unwrap();
        assert!((hit.fraction - 1.0 / 3.0).abs() < 1e-7, "{hit:?} {line:?} {displacement}");
        assert!(hit.normal.dot(along.normalize()).abs() < 1e-6, "{hit:?} {line:?} {displacement}");
    }
}

#[test]
fn a_point_cast_whose_path_ends_at_the_end_of_a_segment_reports_that_end() {
    // In `f64`, rounding puts the side of the segment beyond the end of the path.
    let [far, end] = [vec2(0.11980993, 0.5172619), vec2(-0.7214953, -3.114951)];
    let line = Segment::new(far, end).at(vec2(-397.7053, -858.0855));
    let offset = vec2(-0.9410863, -1.9556473);
    let from = translation(-398.083, -857.4097);
    let hit = cast(line, &Segment::new(offset, offset), from, vec2(0.5973071, -1.8350848)).unwrap();
    assert_eq!(hit.fraction, 1.0);
    assert!(hit.point.abs_diff_eq(line.ends()[1], 1e-3), "{hit:?}");
    assert!(hit.normal.dot((far - end).normalize()).abs() < 1e-6, "{hit:?}");
}

#[test]
fn casts_and_rays_to_the_tip_of_a_needle_report_how_they_enter_it() {
    for (width, turn) in [1e-3, 1e-5, 1e-6, 1e-7_f32].iter().flat_map(|width| (0..40_u8).map(move |turn| (width, turn)))
    {
        let needle = Ellipse::new(1.0, *width).rotated(f32::from(turn) * 0.37);
        let mut scene = Scene::new();
        add(&mut scene, Transform::IDENTITY, needle);
        let target = OracleHull::of(&needle.into(), Vec2::ZERO);
        for step in 0..20_u8 {
            let from = Vec2::from_angle(f32::from(step) * 0.314) * 3.0;
            let path = needle.matrix().x_axis - from;
            let check = |mover: &OracleHull, fraction: f32, displacement: Vec2, normal: Vec2| {
                let case = format!("{needle:?} {from} {displacement}: {fraction} {normal}");
                assert!(normal.dot(displacement) <= 1e-6, "the normal faces the caster: {case}");
                let mover = mover.moved(displacement.as_dvec2() * f64::from(fraction));
                let gap = separation_along(&target, &mover, normal.as_dvec2());
                assert!(gap > -1e-5, "the normal separates the two: {case}, {gap}");
            };
            if let Some(hit) = scene.world().cast_ray(from, path, f32::INFINITY, &anything()) {
                check(&OracleHull::point(from), hit.distance, path.normalize(), hit.normal);
            }
            let blade = Segment::new(Vec2::ZERO, vec2(0.7, 0.4));
            let mover = OracleHull::of(&blade.at(from).into(), from);
            match scene.world().cast_shape(&blade, &Affine2::from_translation(from), path * 2.0, &anything()) {
                Some(hit) => check(&mover, hit.fraction, path * 2.0, hit.normal),
                None => {
                    let (_, gap) = least_gap(&mover, &target, path.as_dvec2() * 2.0);
                    assert!(gap > -1e-5, "{needle:?} {from} {path}: it enters by {gap}");
                }
            }
        }
    }
}

#[test]
fn a_zero_or_non_finite_cast_hits_nothing() {
    let target = Rect::new(2.0, 2.0);
    for displacement in [Vec2::ZERO, Vec2::NAN, vec2(f32::INFINITY, 0.0)] {
        assert_eq!(cast(target, &Circle::new(1.0), Affine2::IDENTITY, displacement), None);
    }
    assert_eq!(cast(target, &Circle::new(1.0), Affine2::NAN, Vec2::X), None);
}

#[test]
fn a_cast_far_from_the_origin_is_exact() {
    let base = vec2(-4_194_304.0, 2_097_152.0);
    let mut scene = Scene::new();
    add(&mut scene, Transform::from_position(base), Rect::new(2.0, 2.0).rotated(FRAC_PI_4));
    let from = Affine2::from_translation(base - vec2(16.0, 0.0));
    let hit = scene.world().cast_shape(&Circle::new(1.0), &from, vec2(32.0, 0.0), &anything()).unwrap();
    assert!((hit.distance - (15.0 - 2.0_f32.sqrt())).abs() < 1e-5, "{hit:?}");
}

#[test]
fn a_ray_from_far_away_enters_a_user_shape_where_a_near_one_does() {
    let mut scene = Scene::new();
    add(&mut scene, Transform::IDENTITY, SupportOnly(Circle::new(1.0).into()));
    for height in [0.0, 0.5, 0.9, 0.999, 0.999_999_f32] {
        let mut hit = |from: f32| scene.world().cast_ray(vec2(-from, height), Vec2::X, 1e9, &anything()).unwrap();
        let near = hit(2.0);
        for far in [hit(1e3), hit(1e5)] {
            assert!(near.normal.distance(far.normal) < 1e-3, "{height}: {near:?} {far:?}");
        }
    }
}

#[test]
fn filters_and_predicates_apply_to_casts_and_nearest_queries() {
    let mut scene = Scene::new();
    let ids: Vec<_> = (1..4_u8).map(|i| add(&mut scene, at(f32::from(i) * 10.0, 0.0), Circle::new(1.0))).collect();
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
    let not_last = |other: hitgraph::NodeCollider| other.collider != ids[2];
    assert_eq!(first(world.only(&not_last), &filter), None);
}

#[test]
fn hits_at_the_same_distance_are_sorted_by_id() {
    let mut scene = Scene::new();
    let ids: Vec<_> = (0..20).map(|_| add(&mut scene, at(5.0, 0.0), Rect::new(2.0, 2.0))).collect();
    let world = scene.world();
    let hits = world.cast_shape_all(&Circle::new(1.0), &Affine2::IDENTITY, vec2(9.0, 0.0), &anything());
    assert_eq!(hits.iter().map(|hit| hit.side.collider).collect::<Vec<_>>(), ids);
    let first = world.cast_shape(&Circle::new(1.0), &Affine2::IDENTITY, vec2(9.0, 0.0), &anything());
    assert_eq!(first, hits.first().copied());
    assert_eq!(world.nearest(Vec2::ZERO, 9.0, &anything()).map(|near| near.side.collider), Some(ids[0]));
    let nearest_three = world.nearest_n(Vec2::ZERO, 3, 9.0, &anything());
    assert_eq!(nearest_three.iter().map(|near| near.side.collider).collect::<Vec<_>>(), ids[..3]);
}

#[test]
fn nearest_returns_nothing_for_a_non_finite_point_or_an_invalid_radius() {
    let mut scene = Scene::new();
    add(&mut scene, Transform::IDENTITY, Circle::new(1.0));
    let world = scene.world();
    assert_eq!(world.nearest(Vec2::NAN, 1.0, &anything()), None);
    for point in [vec2(f32::INFINITY, 0.0), vec2(f32::INFINITY, f32::NEG_INFINITY)] {
        assert_eq!(world.nearest(point, f32::INFINITY, &anything()), None);
    }
    assert_eq!(world.nearest(Vec2::ZERO, f32::NAN, &anything()), None);
    assert_eq!(world.nearest(Vec2::ZERO, -1.0, &anything()), None);
    assert_eq!(world.nearest_n(Vec2::ZERO, 0, 1.0, &anything()), []);
    let on_radius = world.nearest(vec2(2.0, 0.0), 1.0, &anything()).unwrap();
    assert_eq!((on_radius.distance, on_radius.point), (1.0, Vec2::X));
    let inside = world.nearest(vec2(0.25, 0.5), 0.0, &anything()).unwrap();
    assert_eq!((inside.distance, inside.point), (0.0, vec2(0.25, 0.5)));
}

/// Returns the distance of the pair after its first shape has moved, and 0 if they overlap.
fn gap_after(pair: &Pair, displacement: Vec2) -> f32 {
    support::query(&pair.a.moved(displacement), &pair.b).distance
}

/// Returns the contact depth of the pair after its first shape has moved, and 0 if they do not overlap.
fn depth_after(pair: &Pair, displacement: Vec2) -> f32 {
    support::query(&pair.a.moved(displacement), &pair.b).contact.map_or(0.0, |contact| contact.depth)
}

/// Casts the first shape of the pair against the second, with both under the transform `above`.
fn cast_pair(pair: &Pair, displacement: Vec2, above: &Affine2) -> Option<ShapeCastHit> {
    let mut scene = Scene::new();
    let root = scene.root();
    scene[root].transform = Transform::from_affine(*above);
    let node = scene.add(Node::new("b").with_transform(pair.b.transform));
    scene.attach(node, pair.b.attachment.clone()).unwrap();
    let from = *above * pair.a.transform.to_affine();
    scene.world().cast_shape(pair.a.attachment.collider(), &from, above.transform_vector2(displacement), &anything())
}

/// Returns a strategy for displacements of very different lengths.
fn displacement_strategy() -> impl Strategy<Value = Vec2> {
    prop_oneof![2 => point(), 2 => point().prop_map(|p| p * 4.0), 1 => point().prop_map(|p| p * 100.0)]
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn the_shapes_touch_at_the_hit_and_never_overlap_before_it(
        pair in pair(), displacement in displacement_strategy()
    ) {
        let slack = pair.scale() * 4e-6 + 4.0 * pair.position_rounding() + displacement.length() * 1e-6;
        if gap_after(&pair, Vec2::ZERO) <= slack || displacement == Vec2::ZERO {
            return Ok(());
        }
        match cast_pair(&pair, displacement, &Affine2::IDENTITY) {
            Some(hit) => {
                let touch = displacement * hit.fraction;
                prop_assert!(depth_after(&pair, touch) <= slack, "the shapes overlap at the hit: {hit:?}");
                prop_assert!(gap_after(&pair, touch) <= slack, "the shapes are separate at the hit: {hit:?}");
                for step in 0..20_u8 {
                    let part = f32::from(step) / 20.0;
                    prop_assert!(depth_after(&pair, touch * part) <= slack, "overlap at {part} of the hit: {hit:?}");
                }
                prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5);
                prop_assert!(hit.normal.dot(displacement) < 0.0, "the normal must face the caster");
                prop_assert!((hit.distance - touch.length()).abs() <= slack);
                let mut scene = Scene::new();
                let node = scene.add(Node::new("b").with_transform(pair.b.transform));
                let other = scene.attach(node, pair.b.attachment.clone()).unwrap();
                let probe = scene.add(Node::new("p"));
                let probe = scene.attach(probe, Circle::point(hit.point)).unwrap();
                let distance = scene.world().distance(other, probe).unwrap();
                prop_assert!(distance <= slack, "the hit point must be on the other shape");
            }
            None => for step in 0..=40_u8 {
                let part = f32::from(step) / 40.0;
                // A touch in passing need not be a hit.
                prop_assert!(depth_after(&pair, displacement * part) <= slack, "no hit, but an overlap at {part}");
            }
        }
    }

    #[test]
    fn a_cast_in_a_rotated_or_mirrored_scene_hits_at_the_same_distance(
        pair in pair(), displacement in displacement_strategy(), angle in -PI..PI, mirrored in any::<bool>()
    ) {
        let scale = pair.scale();
        let slack = scale * 1e-5 + 8.0 * pair.position_rounding() + displacement.length() * 1e-5;
        if gap_after(&pair, Vec2::ZERO) <= slack {
            return Ok(());
        }
        let mirror = vec2(if mirrored { -1.0 } else { 1.0 }, 1.0);
        let above = Affine2::from_scale_angle_translation(mirror, angle, vec2(3.0, -2.0));
        let plain = cast_pair(&pair, displacement, &Affine2::IDENTITY);
        let transformed = cast_pair(&pair, displacement, &above);
        if let Some(hit) = plain {
            // Only a clear hit is comparable. The error of a glancing hit is the square root of the rounding error, and
            // rounding may turn a near miss into a hit.
            let beyond = displacement * hit.fraction + displacement.normalize() * slack * 20.0;
            let head_on = hit.normal.dot(displacement) < -0.1 * displacement.length();
            let clear = head_on && depth_after(&pair, beyond) > slack;
            if !clear || beyond.length() > displacement.length() {
                return Ok(());
            }
            let other = transformed.expect("the transformed cast must hit too");
            prop_assert!((hit.distance - other.distance).abs() <= 10.0 * slack, "{hit:?} {other:?}");
        } else if let Some(hit) = transformed {
            let beyond = displacement * hit.fraction + displacement.normalize() * slack * 20.0;
            let glancing = hit.normal.dot(above.transform_vector2(displacement)) > -0.1 * displacement.length();
            let unclear = beyond.length() > displacement.length() || depth_after(&pair, beyond) <= slack;
            prop_assert!(glancing || unclear, "{hit:?}");
        }
    }
}

/// Builds a scene with one collider per node. Every fourth node is a child of an earlier one.
fn scene_with(bodies: &[TestCollider]) -> (Scene, Vec<NodeId>, Vec<ColliderId>) {
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

/// Returns a copy of the scene in which all colliders but one are disabled.
fn with_only(scene: &Scene, ids: &[ColliderId], id: ColliderId) -> Scene {
    let mut scene = scene.clone();
    for other in ids.iter().filter(|other| **other != id) {
        scene.attachment_mut(*other).unwrap().enabled = false;
    }
    scene
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn cast_shape_all_matches_one_cast_per_collider(
        bodies in prop::collection::vec(test_collider().boxed(), 1..24),
        caster in test_collider(),
        displacement in displacement_strategy(),
    ) {
        let (mut scene, nodes, ids) = scene_with(&bodies);
        let filter = anything().exclude_subtree(nodes[0]);
        let (shape, from) = (caster.attachment.collider(), caster.transform.to_affine());
        let mut expected = Vec::new();
        for id in &ids {
            expected.extend(with_only(&scene, &ids, *id).world().cast_shape(shape, &from, displacement, &filter));
        }
        expected.sort_by(|a, b| {
            a.fraction.total_cmp(&b.fraction).then(a.side.collider.cmp(&b.side.collider))
        });
        let world = scene.world();
        prop_assert_eq!(world.cast_shape_all(shape, &from, displacement, &filter), expected.clone());
        prop_assert_eq!(world.cast_shape(shape, &from, displacement, &filter), expected.first().copied());
        prop_assert!(expected.iter().all(|hit| hit.side.node != nodes[0]));
    }

    #[test]
    fn nearest_n_matches_one_projection_per_collider(
        bodies in prop::collection::vec(test_collider().boxed(), 1..40),
        from in point(),
        radius in prop_oneof![Just(f32::INFINITY), 0.0..20.0_f32],
        count in 1..10_usize,
    ) {
        let (mut scene, _, ids) = scene_with(&bodies);
        let world = scene.world();
        let parts = |near: Nearest| (near.side, near.distance, near.point, near.piece);
        let mut expected: Vec<_> = ids
            .iter()
            .filter_map(|id| {
                let near = world.project_point(*id, from)?;
                let node = world.node_of(*id)?;
                let side = hitgraph::NodeCollider { node, owner: node, collider: *id, sensor: false };
                Some((side, near.distance, near.point, 0))
            })
            .filter(|near| near.1 <= radius)
            .collect();
        expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.collider.cmp(&b.0.collider)));
        prop_assert_eq!(world.nearest(from, radius, &anything()).map(parts), expected.first().copied());
        expected.truncate(count);
        let found: Vec<_> = world.nearest_n(from, count, radius, &anything()).into_iter().map(parts).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn casts_and_nearest_against_tiles_match_separate_rectangles_and_report_one_hit() {
    let solid = |column: u32, row: u32| (column + row).is_multiple_of(2);
    let (mut tiles, mut rects) = (Scene::new(), Scene::new());
    let map = add(&mut tiles, at(-10.0, -10.0), Tiles::new(20, 20, vec2(1.0, 1.0), solid));
    for (column, row) in (0..400_u16).map(|i| (i % 20, i / 20)).filter(|(c, r)| solid((*c).into(), (*r).into())) {
        add(&mut rects, at(f32::from(column) - 9.5, f32::from(row) - 9.5), Rect::new(1.0, 1.0));
    }
    for i in 0..360_u16 {
        let from =
            Affine2::from_translation(Vec2::from_angle(f32::from(i)) * 16.0 + vec2(0.013, 0.007) * f32::from(i % 7));
        let displacement = -from.translation * 1.5 + vec2(0.0, 5.0);
        for caster in [&Circle::new(0.3) as &dyn Collider, &Rect::new(0.5, 0.7), &Squircle(0.4)] {
            let one = tiles.world().cast_shape(caster, &from, displacement, &anything()).unwrap();
            let many = rects.world().cast_shape(caster, &from, displacement, &anything()).unwrap();
            assert!((one.distance - many.distance).abs() < 1e-4, "{caster:?} {i}: {one:?} {many:?}");
            assert_eq!(one.side.collider, map);
            assert_eq!(tiles.world().cast_shape_all(caster, &from, displacement, &anything()), [one]);
        }
        let [one, many] =
            [&mut tiles, &mut rects].map(|s| s.world().nearest(from.translation, 99.0, &anything()).unwrap());
        assert!((one.distance - many.distance).abs() < 1e-5 && one.side.collider == map);
        assert!(
            one.point.abs_diff_eq(many.point, 1e-4)
                || (from.translation.distance(many.point) - one.distance).abs() < 1e-4
        );
    }
}

#[test]
fn a_concave_caster_hits_with_the_piece_that_touches_first() {
    let hook = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 3.0), vec2(3.0, 3.0), vec2(3.0, 1.0), vec2(0.0, 1.0)];
    let hook = Compound::from_outline(&hook).unwrap();
    let hit = cast(Circle::new(0.5), &hook, translation(-10.0, -2.0), vec2(20.0, 0.0)).unwrap();
    assert!((hit.distance - 5.5).abs() < 1e-5 && hit.normal == -Vec2::X, "the tip of the hook hits first: {hit:?}");
    let hit = cast(Circle::new(0.5), &hook, translation(-10.0, -0.5), vec2(20.0, 0.0)).unwrap();
    assert!((hit.distance - 5.5).abs() < 1e-5, "{hit:?}");
    assert_eq!(cast(Circle::new(0.5), &hook, translation(-1.0, -2.0), vec2(0.5, 0.0)), None, "inside the notch");
}

#[test]
fn a_cast_that_starts_overlapping_by_rounding_hits_at_any_length() {
    // The segment is so long that its rounding error exceeds the size of the circle.
    let line = Segment::new(vec2(2.0, 5.25), vec2(-1.5e16, 0.0));
    let mut hits = 0;
    for step in 0..64_u8 {
        let from = Transform::from_position(vec2(17.5, -20.25)).with_rotation(f32::from(step) * 0.1).to_affine();
        for direction in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
            let fraction =
                |length: f32| cast(Circle::new(24.0), &line, from, direction * length).map(|hit| hit.fraction);
            let fractions = [1.0, 1e-6, 1e-12, 1e-30].map(fraction);
            if fractions[0] == Some(0.0) {
                assert_eq!(fractions, [Some(0.0); 4], "{step} {direction}");
                hits += 1;
            }
        }
    }
    assert!(hits > 20, "{hits}");
}

#[test]
fn a_one_sided_polyline_is_hit_only_from_its_front() {
    let polyline = || Polyline::new(&[vec2(-5.0, 0.0), vec2(5.0, 0.0)]).unwrap().one_sided();
    assert!(cast(polyline(), &Circle::new(0.5), translation(0.0, 3.0), vec2(0.0, -9.0)).is_some());
    assert_eq!(cast(polyline(), &Circle::new(0.5), translation(0.0, -3.0), vec2(0.0, 9.0)), None);
}

#[test]
fn two_equal_ellipses_touch_at_the_ends_of_their_half_axes() {
    let ellipse = Ellipse::new(2.0, 1.0);
    for (axis, reach) in [(Vec2::X, 2.0), (Vec2::Y, 1.0)] {
        let hit = cast(ellipse, &ellipse, Affine2::from_translation(axis * -10.0), axis * 20.0).unwrap();
        assert!((hit.distance - (10.0 - 2.0 * reach)).abs() < 1e-5 && hit.normal.abs_diff_eq(-axis, 1e-6), "{hit:?}");
        assert!(hit.point.abs_diff_eq(-axis * reach, 1e-5), "{hit:?}");
        for (factor, touches) in [(1.99, true), (2.01, false)] {
            let there = Affine2::from_translation(axis * reach * factor);
            assert_eq!(
                (&ellipse as &dyn Collider).collides(&Affine2::IDENTITY, &ellipse, &there),
                touches,
                "{axis} {factor}"
            );
        }
    }
}

#[test]
fn a_caster_with_forty_corners_hits_at_the_exact_distance() {
    let corners: Vec<Vec2> = (0..40_u8).map(|i| Vec2::from_angle(f32::from(i) * PI / 20.0)).collect();
    let wheel = Polygon::convex(&corners).unwrap();
    let hit = cast(wheel.clone(), &wheel, translation(-10.0, 0.0), vec2(20.0, 0.0)).unwrap();
    assert!((hit.distance - 8.0).abs() < 1e-5 && hit.normal.x < -0.99, "{hit:?}");
}

#[test]
fn a_cast_that_ends_exactly_touching_hits_at_its_end() {
    for [x, y, radius] in [[3.0, 4.0, 5.0], [-5.0, 12.0, 13.0], [8.0, 15.0, 17.0], [7.0, -24.0, 25.0_f32]] {
        let middle = vec2(x, y);
        // Both touch the origin, the second one from the opposite side.
        let shapes = |middle: Vec2| -> [Shape; 4] {
            let polygon = Polygon::convex(&[Vec2::ZERO, middle + middle.perp(), middle - middle.perp()]);
            [
                Circle::new(radius).at(middle).into(),
                Capsule::new(middle, middle * 3.0, radius).into(),
                Rect::from_axes([middle, middle.perp()]).at(middle).into(),
                polygon.unwrap().into(),
            ]
        };
        for [target, caster] in shapes(middle).iter().flat_map(|a| shapes(-middle).map(|b| [a.clone(), b])) {
            for displacement in [middle, vec2(x, 0.0), vec2(12.0, 5.0) * x.signum(), vec2(-4.0, 3.0) * y.signum()] {
                // A corner that moves more obliquely grazes the other.
                if displacement.normalize().dot(middle) > 0.75 * radius {
                    let from = Affine2::from_translation(-displacement);
                    let built_in = cast(target.clone(), &caster, from, displacement);
                    let user = cast(SupportOnly(target.clone()), &caster, from, displacement);
                    for hit in [built_in, user] {
                        let hits = hit.is_some_and(|hit| hit.fraction > 0.9999);
                        assert!(hits, "{caster:?} by {displacement} to {target:?}: {hit:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_cast_hits_nothing_right_beyond_a_hit_at_its_end() {
    let mut scene = Scene::new();
    // The smaller id is beyond the end by less than the rounding of the fraction.
    scene.add_with(Node::new("beyond"), Segment::new(vec2(3e-8, -10.0), vec2(3e-8, 30.0)));
    let (_, at_end) = scene.add_with(Node::new("at the end"), Segment::new(vec2(0.0, -1.0), vec2(0.0, 1.0)));
    for _ in 0..20 {
        scene.add_with(Node::new("far"), Circle::new(0.1).at(vec2(5.0, 3.0)));
    }
    let (point, start) = (Circle::point(Vec2::ZERO), Affine2::from_translation(vec2(-1.0, 0.0)));
    let hit = scene.world().cast_shape(&point, &start, Vec2::X, &QueryFilter::default()).unwrap();
    assert_eq!((hit.side.collider, hit.fraction), (at_end, 1.0));
}

#[test]
fn a_segment_that_moves_along_itself_does_not_slip_through_a_joint() {
    let mut scene = Scene::new();
    let wall = [vec2(-2.338_954_4, -8.128_667), vec2(0.120_991_506, -8.457_618), vec2(1.794_389_8, -8.265_96)];
    scene.add_with(Node::new("wall"), Polyline::new(&wall).unwrap());
    let segment = Segment::new(vec2(-0.17609, -0.05878), vec2(0.20892, 0.19194));
    let [tip, end] = segment.ends();
    let displacement = (tip - end) * 0.2;
    for number in -1000..1000 {
        // The tip meets the joint half-way.
        let beside = vec2(0.0, 1e-7) * number as f32;
        let at = Affine2::from_translation(wall[1] - tip - 0.5 * displacement + beside);
        let hit = scene.world().cast_shape(&segment, &at, displacement, &QueryFilter::default());
        assert!(hit.is_some_and(|hit| (hit.fraction - 0.5).abs() < 0.01), "{number}: {hit:?}");
    }
}
