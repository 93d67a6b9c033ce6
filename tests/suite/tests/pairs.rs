//! Properties of the answers to every pair of shapes: symmetry, consistency, exactness on integers, and agreement of
//! the closed forms with the convex fallback.

use std::f32::consts::FRAC_PI_2;
use std::panic::catch_unwind;

use glam::{Affine2, DVec2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, Contact, Ellipse, Meets, Node, NodeCollider, Polygon, QueryFilter,
    Rect, Rounded, Scene, Segment, Shape, ShapeError, SupportShape, Transform,
};
use num_bigint::BigInt;
use proptest::prelude::*;
use support::exact::IntegerHull;
use support::oracle::{OracleHull, gap};
use support::{
    BUILT_IN, KINDS, Kind, Numbers, ShapeKind, Squircle, SupportOnly, TestCollider, built_in_pair, built_in_shapes,
    cases, pair, polygon, query, query_under, rotation, test_collider,
};

/// The error bound of an answer, relative to the scale. Support points in `f32` have this accuracy.
const SUPPORT: f32 = 1e-6;

fn close(a: f32, b: f32, tolerance: f32) -> bool {
    (a - b).abs() <= tolerance
}

#[test]
fn the_closest_points_of_a_segment_in_a_disc_are_on_the_segment() {
    let disc = Circle::new(2.0);
    for segment in [[vec2(-1.0, 0.5), vec2(1.0, 0.5)], [vec2(0.5, -1.0), vec2(0.5, 0.25)], [vec2(1.0, 0.0); 2]] {
        let segment = Segment::new(segment[0], segment[1]);
        for [on_segment, on_disc] in [segment.closest_points(&disc), disc.closest_points(&segment)] {
            assert_eq!(on_segment, on_disc);
            assert!(Circle::point(on_segment).distance(&segment) < 1e-6, "{on_segment} is not on {segment:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn swapping_two_shapes_keeps_overlap_distance_and_depth(pair in pair()) {
        let (ab, ba) = (query(&pair.a, &pair.b), query(&pair.b, &pair.a));
        prop_assert_eq!(ab.overlaps, ba.overlaps);
        prop_assert_eq!(ab.contact.is_some(), ba.contact.is_some());
        let tolerance = pair.scale() * SUPPORT;
        prop_assert!(close(ab.distance, ba.distance, tolerance), "{} and {}", ab.distance, ba.distance);
        if let (Some(ab), Some(ba)) = (ab.contact, ba.contact) {
            // The depth of curved shapes exceeds the exact depth by at most 0.2 %.
            prop_assert!(close(ab.depth, ba.depth, tolerance + 0.002 * ab.depth), "{ab:?} and {ba:?}");
        }
    }

    #[test]
    fn overlap_contact_and_zero_distance_agree(pair in pair()) {
        let answer = query(&pair.a, &pair.b);
        prop_assert_eq!(answer.overlaps, answer.contact.is_some());
        prop_assert_eq!(answer.overlaps, answer.distance == 0.0, "{:?}", answer);
        prop_assert!(answer.distance >= 0.0 && answer.distance.is_finite());
        prop_assert!(answer.closest.iter().all(|point| point.is_finite()));
    }

    #[test]
    fn a_contact_has_a_unit_normal_a_finite_depth_and_one_or_two_points(pair in pair()) {
        if let Some(contact) = query(&pair.a, &pair.b).contact {
            prop_assert!(close(contact.normal.length(), 1.0, 1e-6), "{contact:?}");
            prop_assert!(contact.depth >= 0.0 && contact.depth.is_finite());
            prop_assert!((1..=2).contains(&contact.points().len()));
            prop_assert!(contact.points().iter().all(|point| point.is_finite()));
        }
    }

    #[test]
    fn moving_the_second_shape_slightly_beyond_the_depth_separates_the_pair(pair in pair()) {
        if let Some(contact) = query(&pair.a, &pair.b).contact {
            let step = contact.depth * 1.001 + 2.0 * SUPPORT * pair.scale() + 4.0 * pair.position_rounding();
            let after = query(&pair.a, &pair.b.moved(contact.normal * step));
            prop_assert!(!after.overlaps, "{contact:?}, then {:?}", after.contact);
        }
    }

    #[test]
    fn contact_points_lie_within_half_the_depth_of_both_shapes(pair in pair()) {
        let (mut scene, _, ids) = support::scene_of_two(&pair.a, &pair.b, Transform::IDENTITY);
        let world = scene.world();
        if let Some(contact) = world.contact(ids[0], ids[1]) {
            for point in contact.points() {
                for id in ids {
                    let out = world.project_point(id, *point).unwrap().distance;
                    let bound = contact.depth * 0.51 + pair.scale() * 1e-4 + pair.position_rounding();
                    prop_assert!(out <= bound, "{point} of {contact:?} is {out} away");
                }
            }
        }
    }

    #[test]
    fn closest_points_lie_on_their_shapes_at_the_reported_distance(pair in pair()) {
        let (mut scene, _, ids) = support::scene_of_two(&pair.a, &pair.b, Transform::IDENTITY);
        let world = scene.world();
        let closest = world.closest_points(ids[0], ids[1]).unwrap();
        let distance = world.distance(ids[0], ids[1]).unwrap();
        let tolerance = pair.scale() * SUPPORT + 2.0 * pair.position_rounding();
        prop_assert!(close(closest[0].distance(closest[1]), distance, tolerance), "{closest:?}, {distance}");
        for (id, point) in ids.into_iter().zip(closest) {
            let out = world.project_point(id, point).unwrap().distance;
            prop_assert!(out <= tolerance, "{point} is {out} away");
        }
    }

    #[test]
    fn rotating_mirroring_and_moving_both_shapes_keeps_the_answer(
        pair in pair(), angle in rotation(), shift in support::point(), mirrored in any::<bool>()
    ) {
        let scale = vec2(1.0, if mirrored { -1.0 } else { 1.0 });
        let root_transform = Transform::from_rotation(angle).with_position(shift).with_scale(scale);
        let (before, after) = (query(&pair.a, &pair.b), query_under(&pair.a, &pair.b, root_transform));
        let tolerance = pair.scale() * 2e-6 + 4.0 * pair.position_rounding() + 4.0 * f32::EPSILON * shift.length();
        prop_assert!(close(before.distance, after.distance, tolerance), "{} and {}", before.distance, after.distance);
        let depth = |answer: &support::Answer| answer.contact.map_or(0.0, |contact| contact.depth);
        let (deep, deep_after) = (depth(&before), depth(&after));
        prop_assert!(close(deep, deep_after, tolerance + 0.002 * deep), "{deep} and {deep_after}");
        if before.distance.max(deep) > tolerance {
            prop_assert_eq!(before.overlaps, after.overlaps);
        }
    }

    #[test]
    fn closed_forms_match_the_support_function_fallback(pair in built_in_pair(), both in any::<bool>()) {
        let closed = query(&pair.a, &pair.b);
        let b = if both { pair.b.support_only() } else { pair.b.clone() };
        let fallback = query(&pair.a.support_only(), &b);
        // The centre of a circle away from its node's origin is rounded to f32 in world space.
        let tolerance = pair.scale() * SUPPORT + 2.0 * pair.position_rounding();
        let (distance, fallback_distance) = (closed.distance, fallback.distance);
        prop_assert!(close(distance, fallback_distance, tolerance), "{distance} and {fallback_distance}");
        let depth = |answer: &support::Answer| answer.contact.map_or(0.0, |contact| contact.depth);
        let (deep, deep_fallback) = (depth(&closed), depth(&fallback));
        prop_assert!(close(deep, deep_fallback, tolerance + 0.002 * deep), "{deep} and {deep_fallback}");
        if distance.max(deep) > tolerance {
            prop_assert_eq!(closed.overlaps, fallback.overlaps);
        }
    }

    #[test]
    fn bounds_enclose_the_shape_tightly(collider in test_collider()) {
        let at = collider.transform.to_affine();
        let bounds = collider.attachment.collider().bounds(&at);
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let shape = SupportShape::new(collider.attachment.collider(), &at);
        for step in 0..32 {
            let direction = Vec2::from_angle(step as f32 * std::f32::consts::TAU / 32.0);
            let local = collider.attachment.collider().support(direction).as_dvec2();
            let point = at.matrix2.as_dmat2() * local + at.translation.as_dvec2();
            (low, high) = (low.min(point), high.max(point));
        }
        let slack = f64::from(collider.size() * f32::EPSILON);
        prop_assert!(low.cmpge(bounds.min.as_dvec2() - slack).all(), "{low} is outside {bounds:?}");
        prop_assert!(high.cmple(bounds.max.as_dvec2() + slack).all(), "{high} is outside {bounds:?}");
        let exact = shape.bounds();
        let tolerance = collider.size() * 4e-6 + at.translation.abs().max_element() * 2e-6;
        prop_assert!((exact.size() - bounds.size()).abs().max_element() <= tolerance, "{bounds:?} or {exact:?}");
    }

    #[test]
    fn a_ray_hits_the_first_point_of_the_shape(
        collider in test_collider(), origin in support::point(), target in support::point(), reach in 1.0..40.0_f32
    ) {
        let direction = target - origin;
        prop_assume!(direction != Vec2::ZERO);
        let size = collider.size() + origin.distance(collider.transform.position) + reach;
        collider.in_scene(|scene, id| {
            let world = scene.world();
            let hit = world.cast_ray(origin, direction, reach, &QueryFilter::default());
            let along = |distance: f32| world.project_point(id, origin + direction.normalize() * distance).unwrap();
            let end = hit.map_or(reach, |hit| hit.distance);
            for step in 0..24 {
                let distance = end * step as f32 / 24.0;
                let before = along(distance);
                // Points before the hit are outside, except that a ray along a side may be inside by rounding.
                let inside = distance < end - 1e-3 * size && before.inside;
                let point = origin + direction.normalize() * distance;
                let deeper = inside && !is_near_outside(world, id, point, 2e-6 * size);
                prop_assert!(!deeper, "the ray is inside at {distance}, before its hit at {end}");
            }
            if let Some(hit) = hit {
                prop_assert!((0.0..=reach).contains(&hit.distance));
                let projection = along(hit.distance);
                prop_assert!(projection.distance <= 4e-6 * size, "{hit:?} projects to {projection:?}");
                prop_assert!(hit.point.distance(origin + direction.normalize() * hit.distance) <= 1e-6 * size);
                prop_assert!(close(hit.normal.length(), 1.0, 1e-6));
                prop_assert!(hit.normal.dot(direction) <= 1e-5 * direction.length());
                if hit.distance == 0.0 {
                    prop_assert!(world.at_point(origin, &QueryFilter::default()).len() == 1);
                }
            }
            Ok(())
        })?;
    }
}

/// Returns `true` if one of 16 points at distance `reach` around `point` is outside the collider.
fn is_near_outside(world: hitgraph::World<'_>, id: hitgraph::ColliderId, point: Vec2, reach: f32) -> bool {
    (0..16).any(|step| {
        let beside = point + Vec2::from_angle(step as f32 * std::f32::consts::TAU / 16.0) * reach;
        !world.project_point(id, beside).unwrap().inside
    })
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn near_ties_of_corners_match_the_oracle(
        angle in rotation(), rotated in any::<bool>(), sizes in [0.01..10.0_f32, 0.01..10.0_f32],
        off in [-4_i32..=4, -4_i32..=4], kinds in [any::<bool>(), any::<bool>()],
    ) {
        // The rectangles meet at a corner, so that on two axes the gap is a few ulps, of either sign.
        let [width, height] = sizes;
        let half = [vec2(width, 0.0), vec2(0.0, height)].map(|axis| Vec2::from_angle(angle).rotate(axis));
        let off = off.map(|ulps| ulps as f32 * f32::EPSILON);
        let corner = half[0] * (1.0 + off[0]) + half[1] * (1.0 + off[1]);
        let collider = |is_rect: bool, [w, h]: [f32; 2], rotation: f32, position: Vec2| {
            let rect = Rect::new(w, h);
            let attachment = if is_rect { rect.into() } else { polygon(&rect.corners()).into() };
            let transform = Transform::from_position(position).with_rotation(rotation);
            TestCollider { kind: "rect", attachment, transform }
        };
        let a = collider(kinds[0], sizes, angle, Vec2::ZERO);
        let b = if rotated {
            collider(kinds[1], [height, width], angle + FRAC_PI_2, corner)
        } else {
            collider(kinds[1], sizes, angle, corner)
        };
        let hull = |collider: &TestCollider| OracleHull::of(&collider.shape().unwrap(), collider.transform.position);
        let gap = gap(&hull(&a), &hull(&b));
        let (ab, ba) = (query(&a, &b), query(&b, &a));
        prop_assert_eq!(ab.overlaps, ba.overlaps);
        prop_assert_eq!(ab.overlaps, ab.contact.is_some());
        if let Some(expected) = gap.overlaps(0.0) {
            prop_assert_eq!(ab.overlaps, expected, "{:?}", gap);
        }
    }

    #[test]
    fn shapes_answer_the_same_with_and_without_a_scene(pair in built_in_pair()) {
        let answer = query(&pair.a, &pair.b);
        let [a, b] = [&pair.a, &pair.b].map(|collider| collider.shape().unwrap());
        prop_assert_eq!(a.overlaps(&b), answer.overlaps);
        prop_assert_eq!(a.contact(&b), answer.contact);
        prop_assert_eq!(a.distance(&b), answer.distance);
        prop_assert_eq!(a.closest_points(&b), answer.closest);
    }

    #[test]
    fn shapes_with_integer_coordinates_are_decided_exactly(
        a in lattice(), b in lattice(), power in -12..12_i32, far in any::<bool>()
    ) {
        // All these numbers are exact in `f32`, so the answer must be exact too.
        let unit = 2_f32.powi(power);
        let base = if far { vec2(4_000_000.0, -3_000_000.0) } else { Vec2::ZERO };
        let [first, second] = [&a, &b].map(|lattice| lattice.shape(unit, base));
        let expected = a.exact().touches(&b.exact());
        prop_assert_eq!(first.overlaps(&second), expected);
        prop_assert_eq!(first.contact(&second).is_some(), expected);
        prop_assert_eq!(first.distance(&second) == 0.0, expected);
    }
}

/// A polygon with integer coordinates, rounded by an integer radius, so that integers decide whether two of them touch.
#[derive(Debug, Clone)]
struct Lattice {
    kind: ShapeKind,
    center: [i32; 2],
    corners: Vec<[i32; 2]>,
    radius: i32,
}

/// Returns `true` if a [`Lattice`] can represent the shapes of a kind.
fn is_lattice_kind(kind: ShapeKind) -> bool {
    match kind {
        ShapeKind::Circle | ShapeKind::Point | ShapeKind::Segment | ShapeKind::Capsule => true,
        ShapeKind::Rect | ShapeKind::Polygon | ShapeKind::Rounded => true,
        ShapeKind::Ellipse | ShapeKind::User => false,
        ShapeKind::Polyline | ShapeKind::Compound | ShapeKind::Tiles => false,
    }
}

fn lattice() -> impl Strategy<Value = Lattice> {
    let kinds: Vec<ShapeKind> = ShapeKind::ALL.iter().copied().filter(|kind| is_lattice_kind(*kind)).collect();
    let point = || [-6..=6_i32, -6..=6_i32];
    (0..kinds.len(), point(), [point(), point(), point(), point()], 0..=3_i32, [0..=4_i32, 0..=4_i32]).prop_map(
        move |(kind, center, corners, radius, [w, h])| {
            let kind = kinds[kind];
            let (corners, radius) = match kind {
                ShapeKind::Circle => (vec![[0, 0]], radius),
                ShapeKind::Point => (vec![[0, 0]], 0),
                ShapeKind::Segment => (corners[..2].to_vec(), 0),
                ShapeKind::Capsule => (corners[..2].to_vec(), radius),
                ShapeKind::Rect => (vec![[-w, -h], [w, -h], [w, h], [-w, h]], 0),
                ShapeKind::Polygon => (corners.to_vec(), 0),
                _ => (corners.to_vec(), radius),
            };
            Lattice { kind, center, corners, radius }
        },
    )
}

impl Lattice {
    fn shape(&self, unit: f32, base: Vec2) -> Shape {
        let at = |[x, y]: [i32; 2]| vec2(x as f32, y as f32) * unit;
        let points: Vec<Vec2> = self.corners.iter().map(|corner| at(*corner)).collect();
        let (radius, center) = (self.radius as f32 * unit, at(self.center) + base * unit);
        match self.kind {
            ShapeKind::Circle | ShapeKind::Point => Circle::new(radius).at(center).into(),
            ShapeKind::Segment => Segment::new(points[0], points[1]).at(center).into(),
            ShapeKind::Capsule => Capsule::new(points[0], points[1], radius).at(center).into(),
            ShapeKind::Rect => Rect::new(points[2].x * 2.0, points[2].y * 2.0).at(center).into(),
            ShapeKind::Polygon => Polygon::convex_hull(&points).unwrap().at(center).into(),
            _ => Rounded::new(Polygon::convex_hull(&points).unwrap(), radius).at(center).into(),
        }
    }

    fn exact(&self) -> IntegerHull {
        let corner = |[x, y]: &[i32; 2]| [x + self.center[0], y + self.center[1]].map(BigInt::from);
        IntegerHull { corners: self.corners.iter().map(corner).collect(), radius: self.radius.into() }
    }
}

#[test]
fn every_pair_of_kinds_answers_overlap_and_distance() {
    // PA-2
    let numbers = Numbers::PLAIN;
    for (first, make_first) in KINDS {
        for (second, make_second) in KINDS {
            let collider = |kind, make: fn(&Numbers) -> Attachment, x| TestCollider {
                kind,
                attachment: make(&numbers),
                transform: Transform::from_position(vec2(x, 0.0)),
            };
            let together = query(&collider(first, make_first, 0.0), &collider(second, make_second, 0.0));
            // The point lies at (-1, 0), outside the circles of radius 0.5 and the tiles, which start at x = 0.
            let misses_point = |kind| ["circle", "own", "tiles"].contains(&kind);
            let apart = (first == "point" && misses_point(second)) || (second == "point" && misses_point(first));
            assert_eq!(together.overlaps, !apart, "{first} and {second}");
            let far = query(&collider(first, make_first, 0.0), &collider(second, make_second, 9.0));
            assert!(!far.overlaps && (4.0..=10.0).contains(&far.distance), "{first} and {second}: {far:?}");
        }
    }
    assert_eq!(BUILT_IN.len() + 4, KINDS.len());
}

/// Asserts that [`Meets`] gives the same answers for two concrete types, in either order, as for two [`Shape`]s.
fn assert_types_match_enum<A, B>(a: &A, b: &B)
where
    A: Meets<B> + Clone + Into<Shape> + std::fmt::Debug,
    B: Meets<A> + Clone + Into<Shape> + std::fmt::Debug,
{
    let [first, second]: [Shape; 2] = [a.clone().into(), b.clone().into()];
    assert_eq!([a.overlaps(b), b.overlaps(a)], [first.overlaps(&second); 2], "{a:?} and {b:?}");
    assert_eq!([a.distance(b), b.distance(a)], [first.distance(&second); 2], "{a:?} and {b:?}");
    let closest = first.closest_points(&second);
    let [on_b, on_a] = b.closest_points(a);
    assert_eq!([a.closest_points(b), [on_a, on_b]], [closest; 2], "{a:?} and {b:?}");
    let contact = first.contact(&second);
    assert_eq!([a.contact(b), b.contact(a).map(Contact::flipped)], [contact; 2], "{a:?} and {b:?}");
    for certain in [a.fast_overlap(b), b.fast_overlap(a)].into_iter().flatten() {
        assert_eq!(certain, first.overlaps(&second), "{a:?} and {b:?}");
    }
}

#[test]
fn meets_on_concrete_types_matches_the_shape_enum() {
    macro_rules! each_pair {
        ($(($variant:ident, $name:literal, $make:expr))*) => { each_pair!(@rows [$($make,)*] [$($make,)*]); };
        (@rows [$($first:expr,)*] $all:tt) => { $(each_pair!(@row $first, $all);)* };
        (@row $first:expr, [$($second:expr,)*]) => { $(each_pair!(@pair $first, $second);)* };
        (@pair $first:expr, $second:expr) => {
            // Apart, overlapping, and one inside the other.
            for offset in [vec2(3.0, 4.0), vec2(0.75, -1.25), vec2(0.1, 0.2)] {
                assert_types_match_enum(&$first(&NUMBERS), &$second(&NUMBERS).at(offset));
            }
        };
    }
    const NUMBERS: Numbers = Numbers {
        sizes: [2.0, 1.5],
        radius: 0.75,
        points: [vec2(-1.0, -1.0), vec2(1.5, -0.5), vec2(0.0, 1.0), vec2(-0.5, 0.5), vec2(0.5, 0.75)],
    };
    built_in_shapes!(each_pair);
}

#[test]
fn a_squashed_rounded_box_rests_on_its_flat_side_in_two_points() {
    let floor = Shape::from(Rect::new(10.0, 2.0));
    let corners = [vec2(-1.0, -0.5), vec2(1.0, -0.5), vec2(1.0, 0.5), vec2(-1.0, 0.5)];
    // The scale squashes the rounding disc to half its height.
    let squash = Affine2::from_scale_angle_translation(vec2(1.0, 0.5), 0.0, vec2(2.0, 1.25));
    let box_on_it = Rounded::new(polygon(&corners), 0.5).transformed(&squash);
    for contact in [floor.contact(&box_on_it).unwrap(), box_on_it.contact(&floor).unwrap().flipped()] {
        assert_eq!((contact.normal, contact.depth), (Vec2::Y, 0.25));
        let mut points = contact.points().to_vec();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        assert_eq!(points, [vec2(1.0, 0.875), vec2(3.0, 0.875)]);
    }
}

#[test]
fn a_point_inside_a_rectangle_gets_the_normal_of_the_nearest_side() {
    let wall = Rect::new(10.0, 2.0);
    let contact = wall.contact(&Circle::point(vec2(3.0, 0.75))).unwrap();
    assert_eq!((contact.normal, contact.depth), (Vec2::Y, 0.25));
}

#[test]
fn parallel_faces_touch_in_two_points() {
    let floor = Rect::new(10.0, 2.0);
    let crate_on_it = Rect::new(2.0, 2.0).at(vec2(1.0, 1.75));
    let contact = floor.contact(&crate_on_it).unwrap();
    assert_eq!((contact.normal, contact.depth), (Vec2::Y, 0.25));
    let mut points = contact.points().to_vec();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    assert_eq!(points, [vec2(0.0, 0.875), vec2(2.0, 0.875)]);
}

#[test]
fn the_normal_at_a_corner_points_to_the_centre_of_the_circle() {
    let contact = Rect::new(2.0, 2.0).contact(&Circle::new(5.0).at(vec2(4.0, 5.0))).unwrap();
    assert!(contact.normal.abs_diff_eq(vec2(0.6, 0.8), 1e-6) && contact.depth == 0.0, "{contact:?}");
}

#[test]
fn crossing_segments_overlap_with_positive_depth() {
    let [a, b] = [Segment::new(vec2(-1.0, -1.0), vec2(1.0, 1.0)), Segment::new(vec2(-1.0, 1.0), vec2(1.0, -1.0))];
    assert!(a.overlaps(&b));
    assert!(a.contact(&b).is_some_and(|contact| contact.depth > 0.0));
}

#[test]
fn ellipses_overlap_only_if_their_outlines_do() {
    let wide = Ellipse::new(3.0, 1.0);
    let tall = Ellipse::new(1.0, 3.0);
    assert!(wide.overlaps(&tall.at(vec2(4.0, 0.0))), "the tip touches the side");
    assert!(!wide.overlaps(&tall.at(vec2(4.000_01, 0.0))));
    assert!(!wide.overlaps(&tall.at(vec2(3.5, 3.0))), "only the bounding boxes overlap");
}

#[test]
fn an_ellipse_touches_its_tangents_exactly() {
    // (3, 4) lies on the circle of radius 5, so (3k, 4m) lies exactly on the ellipse of radii (5k, 5m).
    for (k, m) in [(1.0, 1.0), (1.0, 2.0), (8.0, 1.0), (1.0, 100.0), (1024.0, 1.0), (0.125, 3.0)] {
        let shape = Ellipse::new(5.0 * k, 5.0 * m);
        let squashed = Circle::new(5.0).transformed(&Affine2::from_scale(vec2(k, m)));
        for (x, y) in [(3.0, 4.0), (-3.0, 4.0), (4.0, -3.0), (-4.0, -3.0), (5.0, 0.0), (0.0, -5.0)] {
            let (touch, along) = (vec2(x * k, y * m), vec2(-y * k, x * m));
            let outward = vec2(x * m, y * k).normalize() * (m.min(k) * 1e-4 + touch.length() * 1e-6);
            let probes: [Shape; 5] = [
                Circle::point(touch).into(),
                Segment::new(touch - along, touch + along).into(),
                Segment::new(touch, touch + along * 7.0).into(),
                polygon(&[touch - along, touch + along, touch * 3.0]).into(),
                Rounded::new(polygon(&[touch, touch + along, touch * 2.0]), 0.0).into(),
            ];
            for probe in probes {
                assert!(Shape::from(shape).overlaps(&probe), "{shape:?} and {probe:?}");
                assert!(squashed.overlaps(&probe), "{squashed:?} and {probe:?}");
                assert!(probe.contact(&squashed).is_some_and(|contact| contact.depth <= 1e-5 * k.min(m)));
                let beyond = probe.transformed(&Affine2::from_translation(outward));
                assert!(
                    !squashed.overlaps(&beyond) && squashed.contact(&beyond).is_none(),
                    "{squashed:?} and {beyond:?}"
                );
            }
        }
    }
}

#[test]
fn an_ellipse_with_a_zero_radius_acts_as_a_segment() {
    let flat = Ellipse::new(2.0, 0.0);
    assert!(flat.overlaps(&Circle::point(vec2(2.0, 0.0))));
    assert!(!flat.overlaps(&Circle::point(vec2(2.001, 0.0))) && !flat.overlaps(&Circle::point(vec2(0.0, 0.001))));
    assert!(flat.overlaps(&Ellipse::new(0.0, 2.0).at(vec2(2.0, 2.0))), "the ends touch");
}

#[test]
fn overlap_does_not_depend_on_scale_from_1e_minus_9_to_1e9() {
    for power in -9..=9 {
        let unit = 10_f32.powi(power);
        let ball = Circle::new(unit);
        let wall = Rect::new(2.0 * unit, 2.0 * unit);
        let blob = SupportOnly(Ellipse::new(unit, 2.0 * unit).into());
        assert!(ball.overlaps(&wall.at(vec2(1.999 * unit, 0.0))), "1e{power}");
        assert!(!ball.overlaps(&wall.at(vec2(2.001 * unit, 0.0))), "1e{power}");
        let at = Affine2::from_translation(vec2(1.999 * unit, 0.0));
        assert!(SupportShape::new(&blob, &at).overlaps(&ball), "1e{power}");
        let at = Affine2::from_translation(vec2(2.001 * unit, 0.0));
        assert!(!SupportShape::new(&blob, &at).overlaps(&ball), "1e{power}");
    }
}

#[test]
fn contact_depth_scales_with_the_shapes() {
    let triangle = polygon(&[vec2(0.0, 0.0), vec2(3.0, 0.5), vec2(1.0, 2.0)]);
    let shapes = |at: Vec2| -> [Shape; 5] {
        [
            Circle::new(1.0).at(at).into(),
            Segment::new(vec2(-1.0, -0.5), vec2(1.0, 1.0)).at(at).into(),
            Capsule::new(vec2(-1.0, 0.5), vec2(1.0, 0.0), 0.5).at(at).into(),
            Rect::new(2.0, 3.0).rotated(0.3).at(at).into(),
            triangle.clone().at(at).into(),
        ]
    };
    // Side on side, a corner in a side, and corner to corner within the radii.
    for offset in [vec2(0.3, 0.2), vec2(1.2, 1.1), vec2(1.9, -0.4)] {
        for (a, b) in shapes(Vec2::ZERO).iter().flat_map(|a| shapes(offset).map(|b| (a.clone(), b))) {
            let expected = a.contact(&b);
            for power in (-18..=18).step_by(3) {
                let unit = 10_f32.powi(power);
                let [a, b] = [&a, &b].map(|shape| shape.transformed(&Affine2::from_scale(Vec2::splat(unit))));
                let contact = a.contact(&b);
                assert_eq!(contact.is_some(), expected.is_some(), "1e{power}: {a:?} and {b:?}");
                if let (Some(contact), Some(expected)) = (contact, expected) {
                    assert!(close(contact.depth, expected.depth * unit, 1e-5 * unit), "1e{power}: {a:?} and {b:?}");
                    assert!(contact.normal.abs_diff_eq(expected.normal, 1e-4), "1e{power}: {a:?} and {b:?}");
                }
            }
        }
    }
}

#[test]
fn a_shape_that_rests_on_a_side_of_any_thickness_touches_in_two_points() {
    let floor: [Shape; 4] = [
        Rect::new(6.0, 0.0).into(),
        Segment::new(vec2(-3.0, 0.0), vec2(3.0, 0.0)).into(),
        polygon(&[vec2(-3.0, 0.0), vec2(0.0, -2.0), vec2(3.0, 0.0)]).into(),
        Capsule::new(vec2(-3.0, -0.5), vec2(3.0, -0.5), 0.5).into(),
    ];
    let on_it: [Shape; 4] = [
        Rect::new(2.0, 2.0).at(vec2(2.5, 0.75)).into(),
        polygon(&[vec2(1.5, -0.25), vec2(3.5, -0.25), vec2(2.5, 2.0)]).into(),
        Capsule::new(vec2(1.5, 0.25), vec2(3.5, 0.25), 0.5).into(),
        Rounded::new(polygon(&[vec2(1.5, 0.25), vec2(3.5, 0.25), vec2(2.5, 2.0)]), 0.5).into(),
    ];
    for (below, above) in floor.iter().flat_map(|below| on_it.iter().map(move |above| (below, above))) {
        for contact in [below.contact(above).unwrap(), above.contact(below).unwrap().flipped()] {
            assert!(contact.normal.abs_diff_eq(Vec2::Y, 1e-6), "{below:?} and {above:?}: {contact:?}");
            assert!(close(contact.depth, 0.25, 1e-6), "{below:?} and {above:?}: {contact:?}");
            let mut along: Vec<f32> = contact.points().iter().map(|point| point.x).collect();
            along.sort_by(f32::total_cmp);
            assert!(along.len() == 2, "{below:?} and {above:?}: {contact:?}");
            assert!(close(along[0], 1.5, 1e-6) && close(along[1], 3.0, 1e-6), "{below:?} and {above:?}: {contact:?}");
        }
    }
}

#[test]
fn a_user_shape_touches_its_mirror_image() {
    let mut scene = Scene::new();
    for x in [-1.0, 1.0] {
        let node = scene.add(Node::new("own").with_position(vec2(x, 0.0)).with_scale(vec2(x, 1.0)));
        scene.attach(node, Squircle(1.0)).unwrap();
    }
    assert_eq!(scene.world().pairs().len(), 1);
}

/// Runs a closure that must panic, and returns the panic's message.
fn panic_message<T>(make: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(make).err().expect("the closure must panic");
    panic.downcast_ref::<String>().cloned().expect("the panic must have a message")
}

#[test]
fn new_panics_with_the_message_of_try_new() {
    let nan = f32::NAN;
    let inf = f32::INFINITY;
    let segment = || polygon(&[Vec2::ZERO, Vec2::X]);
    assert_eq!(panic_message(|| Circle::new(-1.0)), Circle::try_new(-1.0).unwrap_err().to_string());
    assert_eq!(panic_message(|| Circle::new(nan)), Circle::try_new(nan).unwrap_err().to_string());
    assert_eq!(panic_message(|| Rect::new(1.0, -2.0)), Rect::try_new(1.0, -2.0).unwrap_err().to_string());
    assert_eq!(panic_message(|| Rect::new(inf, 1.0)), Rect::try_new(inf, 1.0).unwrap_err().to_string());
    assert_eq!(panic_message(|| Ellipse::new(-0.5, 1.0)), Ellipse::try_new(-0.5, 1.0).unwrap_err().to_string());
    let end = vec2(0.0, inf);
    assert_eq!(panic_message(|| Segment::new(Vec2::X, end)), Segment::try_new(Vec2::X, end).unwrap_err().to_string());
    let capsule = |radius| Capsule::try_new(Vec2::X, Vec2::Y, radius);
    assert_eq!(panic_message(|| Capsule::new(Vec2::X, Vec2::Y, -3.0)), capsule(-3.0).unwrap_err().to_string());
    assert_eq!(
        panic_message(|| Rounded::new(segment(), -1.0)),
        Rounded::try_new(segment(), -1.0).unwrap_err().to_string()
    );
}

#[test]
fn shape_errors_name_the_invalid_argument() {
    let message = |error: ShapeError| error.to_string();
    let messages = [
        (message(Circle::try_new(-1.5).unwrap_err()), "radius must not be negative, but is -1.5"),
        (message(Circle::try_new(f32::INFINITY).unwrap_err()), "radius must be finite, but is inf"),
        (message(Rect::try_new(-2.0, 1.0).unwrap_err()), "width must not be negative, but is -2"),
        (message(Rect::try_new(1.0, f32::NAN).unwrap_err()), "height must be finite, but is NaN"),
        (message(Segment::try_new(vec2(0.0, f32::NAN), Vec2::X).unwrap_err()), "the start must be finite, but is NaN"),
        (message(Polygon::convex(&[]).unwrap_err()), "an outline needs at least one point"),
        (message(Polygon::convex_hull(&[]).unwrap_err()), "an outline needs at least one point"),
    ];
    for (message, expected) in messages {
        assert_eq!(message, expected);
    }
    let dart = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 4.0)];
    assert_eq!(Polygon::convex(&dart), Err(ShapeError::Concave { index: 2 }));
    assert_eq!(message(ShapeError::Concave { index: 2 }), "the outline is concave at point 2");
    let bow_tie = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 1.0)];
    let Err(ShapeError::Crossing { index }) = Polygon::convex(&bow_tie) else { panic!("a bow tie must be refused") };
    assert_eq!(message(ShapeError::Crossing { index }), format!("the outline crosses itself near point {index}"));
    let pentagram: Vec<Vec2> = (0..5).map(|i| Vec2::from_angle(i as f32 * 0.8 * std::f32::consts::PI)).collect();
    assert!(matches!(Polygon::convex(&pentagram), Err(ShapeError::Crossing { .. })), "a pentagram winds twice");
    assert!(Polygon::convex_hull(&[Vec2::NAN]).is_err());
}

#[test]
fn shapes_of_zero_size_touch_at_depth_zero() {
    let zero = Numbers { sizes: [0.0; 2], radius: 0.0, points: [Vec2::ZERO; 5] };
    let at_one = Transform::from_position(Vec2::ONE);
    let shape =
        |(kind, make): &Kind| TestCollider { kind, attachment: make(&zero), transform: at_one }.shape().unwrap();
    let shapes: Vec<Shape> = BUILT_IN.iter().map(shape).collect();
    for a in &shapes {
        for b in &shapes {
            assert!(a.overlaps(b), "{a:?} {b:?}");
            let contact = a.contact(b).unwrap();
            assert!(contact.normal.is_normalized() && contact.depth == 0.0, "{a:?} {b:?}: {contact:?}");
        }
    }
}

#[test]
fn a_shape_scaled_to_a_line_has_the_contacts_and_casts_of_a_segment() {
    let other_sizes = Numbers { sizes: [0.02, 0.01], radius: 0.01, points: Numbers::PLAIN.points.map(|p| p * 0.01) };
    let turns = [0.0_f32, 0.2, 0.5, 1.1, 2.7];
    let mut compared = 0;
    for (((kind, make), turn), width) in BUILT_IN
        .iter()
        .flat_map(|kind| turns.map(|turn| (kind, turn)))
        .flat_map(|flat| [0.0, 1e-9, -1e-7].map(|width| (flat, width)))
    {
        // A quarter of a turn makes the line horizontal.
        for lie in [0.0, FRAC_PI_2, 0.3] {
            let mut scene = Scene::new();
            let parent = scene.add(Node::new("flat").with_scale(vec2(width, 1.0)).with_rotation(lie));
            let node = scene.add_child(parent, Node::new("turned").with_rotation(turn)).unwrap();
            let flat = scene.attach(node, make(&Numbers::PLAIN)).unwrap();
            let flat = scene.world().shape(flat).unwrap().clone();
            if matches!(flat, Shape::Ellipse(_) | Shape::Rounded(_)) {
                // It is thin but still round.
                continue;
            }
            let along = Vec2::from_angle(lie + FRAC_PI_2);
            let line = Shape::from(Segment::new(flat.support(-along), flat.support(along)));
            let mut line_scene = Scene::new();
            line_scene.add_with(Node::new("line"), Segment::new(flat.support(-along), flat.support(along)));
            let others = BUILT_IN.iter().flat_map(|other| [(other, other_sizes), (other, Numbers::PLAIN)]);
            for ((other_kind, other), numbers) in others {
                for height in [-0.6, -0.2, 0.3, 0.6] {
                    let place = along * height + along.perp() * (numbers.sizes[1] * 0.3);
                    let transform = Transform::from_position(place).with_rotation(0.3 * height.signum());
                    let other = TestCollider { kind: other_kind, attachment: other(&numbers), transform };
                    let other = other.shape().unwrap();
                    let case = || format!("{kind} {flat:?} and {other:?}, which is {other_kind}");
                    assert_eq!(flat.overlaps(&other), line.overlaps(&other), "{}", case());
                    let hits = [&mut scene, &mut line_scene].map(|scene| {
                        let (at, displacement) = (Affine2::from_translation(along.perp() * 3.0), along.perp() * -6.0);
                        scene.world().cast_shape(&other, &at, displacement, &QueryFilter::default())
                    });
                    assert_eq!(hits[0].is_some(), hits[1].is_some(), "{}", case());
                    if let [Some(hit), Some(expected)] = hits {
                        assert!(close(hit.fraction, expected.fraction, 2e-6), "{}", case());
                        // Rounding may turn a short side at the end of a flat polygon.
                        assert!(hit.point.abs_diff_eq(expected.point, 5e-3), "{}: {hit:?}, not {expected:?}", case());
                    }
                    let (Some(found), Some(expected)) = (flat.contact(&other), line.contact(&other)) else { continue };
                    assert!(close(found.depth, expected.depth, 2e-6), "{}: {found:?}, not {expected:?}", case());
                    if !found.normal.abs_diff_eq(expected.normal, 1e-5) {
                        continue;
                    }
                    compared += 1;
                    let ends = [found, expected].map(|contact| {
                        let points = contact.points().iter().map(|point| point.dot(contact.normal.perp()));
                        points.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)])
                    });
                    let [a, b] = ends.map(Vec2::from);
                    assert!(a.abs_diff_eq(b, 1e-4), "{}: {found:?}, not {expected:?}", case());
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared} contacts have the same normal");
}

#[test]
fn the_closest_points_of_a_flat_shape_in_another_shape_are_in_both() {
    // Their flat images have corners between their ends.
    let shapes = [
        Rect::from_axes([vec2(1.0, 4.0), vec2(-1.0, 4.0)]).into(),
        Shape::from(polygon(&[vec2(0.0, -8.0), vec2(2.0, 1.0), vec2(0.0, 8.0), vec2(-2.0, 3.0)])),
    ];
    let mut overlaps = 0;
    let scales = [1.0, -1.0].map(|height| Affine2::from_scale(vec2(0.0, height)));
    for flat in shapes.iter().flat_map(|shape| scales.map(|scale| shape.transformed(&scale))) {
        for (x, y) in (-12..=12_i8).flat_map(|x| (-24..=24_i8).map(move |y| (f32::from(x) * 0.5, f32::from(y) * 0.5))) {
            let other = Shape::from(Rect::from_axes([vec2(0.0, 3.0), vec2(-6.0, 4.0)]).at(vec2(x, y)));
            if !flat.overlaps(&other) {
                continue;
            }
            overlaps += 1;
            for point in [flat.closest_points(&other), other.closest_points(&flat)].as_flattened() {
                let point = Shape::from(Circle::point(*point));
                let distances = [&flat, &other].map(|shape| shape.distance(&point));
                assert!(distances[0].max(distances[1]) < 1e-5, "{flat:?} {other:?}: {point:?} {distances:?}");
            }
        }
    }
    assert!(overlaps > 1000, "{overlaps} overlap");
}

/// A user shape with finite bounds, whose one piece may be anywhere.
#[derive(Debug, Clone)]
struct Unbounded(Shape);

impl Collider for Unbounded {
    fn support(&self, direction: Vec2) -> Vec2 {
        direction.signum()
    }

    fn pieces(&self, _region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        visit(0, &self.0);
        true
    }
}

/// A user shape with finite bounds, all of whose other support points are not finite.
#[derive(Debug, Clone)]
struct Boundless;

impl Collider for Boundless {
    fn support(&self, direction: Vec2) -> Vec2 {
        if direction.x * direction.y == 0.0 { direction } else { Vec2::NAN }
    }
}

#[test]
fn the_distance_to_a_non_finite_shape_is_nan_and_nothing_else_finds_it() {
    let shapes = |position: Vec2| {
        let shapes = BUILT_IN.iter().map(move |(kind, make)| {
            let transform = Transform::from_position(vec2(0.25, 0.0));
            TestCollider { kind, attachment: make(&Numbers::PLAIN), transform }.shape().unwrap().at(position)
        });
        shapes.collect::<Vec<_>>()
    };
    let positions = [Vec2::NAN, vec2(f32::NAN, 0.0), vec2(0.0, f32::INFINITY), Vec2::NEG_INFINITY];
    let mut bad: Vec<Shape> = positions.into_iter().flat_map(shapes).collect();
    for map in [vec2(f32::NAN, 1.0), vec2(1.0, f32::INFINITY), Vec2::splat(f32::MAX)].map(Affine2::from_scale) {
        // Twice, so that finite numbers overflow. Points and circles at the origin have nothing that does.
        let images = shapes(Vec2::ZERO).into_iter().map(|shape| shape.transformed(&map).transformed(&map));
        bad.extend(images.filter(|shape| !shape.bounds().size().is_finite() && !matches!(shape, Shape::Ellipse(_))));
    }
    for (a, b) in bad.iter().flat_map(|a| shapes(Vec2::ZERO).into_iter().map(move |b| (a, b))) {
        assert!(a.distance(&b).is_nan() && b.distance(a).is_nan(), "{a:?} {b:?} {}", a.distance(&b));
        let points = [a.closest_points(&b), b.closest_points(a)];
        assert!(points.iter().flatten().all(|point| point.is_nan()), "{a:?} {b:?} {points:?}");
        assert!(!a.overlaps(&b) && !b.overlaps(a), "{a:?} {b:?}");
        assert!(a.contact(&b).is_none() && b.contact(a).is_none(), "{a:?} {b:?}");
    }

    let mut users: Vec<Attachment> = bad.into_iter().map(|piece| Unbounded(piece).into()).collect();
    users.push(Boundless.into());
    for (user, (kind, make)) in users.iter().flat_map(|user| KINDS.iter().map(move |kind| (user, kind))) {
        let mut scene = Scene::new();
        let (_, a) = scene.add_with(Node::new("user"), user.clone());
        let (_, b) = scene.add_with(Node::new(*kind).with_rotation(0.1), make(&Numbers::PLAIN));
        assert!(scene.update().is_empty(), "{user:?} {kind}");
        let (world, all) = (scene.world(), QueryFilter::default());
        for (a, b) in [(a, b), (b, a)] {
            assert!(world.distance(a, b).unwrap().is_nan(), "{user:?} {kind} {:?}", world.distance(a, b));
            assert!(world.closest_points(a, b).unwrap().iter().all(|point| point.is_nan()), "{user:?} {kind}");
            assert!(world.contact(a, b).is_none(), "{user:?} {kind}");
        }
        let projection = world.project_point(a, Vec2::ZERO).unwrap();
        assert!(projection.distance.is_nan() && projection.point.is_nan() && !projection.inside, "{user:?}");
        let only = |side: NodeCollider| side.collider == a;
        let world = world.only(&only);
        let (mover, at) = (make(&Numbers::PLAIN), Affine2::from_translation(vec2(-5.0, 0.1)));
        assert!(world.cast_shape(mover.collider(), &at, vec2(9.0, 0.2), &all).is_none(), "{user:?} {kind}");
        assert!(world.cast_ray(vec2(-5.0, 0.1), vec2(9.0, 0.2), 20.0, &all).is_none(), "{user:?}");
        assert!(world.nearest(vec2(0.1, 0.2), f32::INFINITY, &all).is_none(), "{user:?}");
        assert_eq!(world.at_point(vec2(0.1, 0.2), &all).count(), 0, "{user:?}");
    }
}

#[test]
fn a_user_shape_scaled_to_a_line_touches_on_that_line() {
    let mut scene = Scene::new();
    let flat = scene.add(Node::new("flat").with_scale(vec2(0.0, 1.0)));
    let flat = scene.attach(flat, Squircle(1.5)).unwrap();
    let end = scene.add(Node::new("end").with_position(vec2(0.0, -0.25)));
    let end = scene.attach(end, Segment::new(Vec2::ZERO, vec2(2.0, 0.25))).unwrap();
    assert_eq!(scene.world().closest_points(flat, end), Some([vec2(0.0, -0.25); 2]));
    let contact = scene.world().contact(flat, end).unwrap();
    assert_eq!(contact.points(), [vec2(0.0, -0.25)]);
}

#[test]
fn a_nearly_flat_rectangle_overlaps_a_polygon_across_it() {
    // The corners' rounding rotates the short sides by more than the angle between short and long sides.
    let flatten = Affine2::from_cols(vec2(1.947_855_8, 1.252_967_7), vec2(-3.443_947_6e-5, -2.213_3e-5), Vec2::ZERO);
    let sliver = Rect::new(2.0, 2.0).transformed(&flatten);
    let outline = [
        vec2(-1.902_987, 0.083_465_7),
        vec2(-1.764_789_6, -0.406_531_18),
        vec2(0.003_935_337, -0.265_680_76),
        vec2(3.509_345, 0.221_249_36),
        vec2(2.708_936_2, 0.846_119),
    ];
    let shape = Shape::from(polygon(&outline).at(vec2(0.820_556_64, -0.779_541)));
    assert!(sliver.overlaps(&shape) && shape.overlaps(&sliver));
    let contact = sliver.contact(&shape).unwrap();
    assert!((1.7e-4..1.72e-4).contains(&contact.depth), "{contact:?}");
}

#[test]
fn a_nearly_flat_polygon_stays_convex() {
    // The result is thinner than the rounding of its corners, which changes their order.
    let thin = polygon(&[
        vec2(-2.0, 0.000_186_092_99),
        vec2(2.0, -0.000_558_279),
        vec2(3.0, 0.001_395_697_5),
        vec2(3.0, 0.001_488_743_9),
    ]);
    let wide = polygon(&[
        vec2(-3.25, 0.026_008_185),
        vec2(2.25, -0.130_040_93),
        vec2(3.5, 0.065_020_464),
        vec2(1.5, 0.195_061_39),
        vec2(-1.75, 0.195_061_39),
    ]);
    let rotated = Transform::from_rotation(-2.0).with_scale(vec2(1.253_565_9, 0.552_004_8)).to_affine();
    let parent = Transform::from_rotation(2.0).with_scale(vec2(1.217_292_4, 0.013_891_689)).to_affine();
    let child =
        Transform { skew: -0.998_586_9, ..Transform::from_scale(vec2(-59.166_016, 1.0)).with_rotation(-3.590_536) };
    let (thin, wide) = (thin.transformed(&(parent * child.to_affine())), wide.transformed(&rotated));
    assert!(thin.overlaps(&wide) && wide.overlaps(&thin));
    assert!((3.07..3.09).contains(&thin.contact(&wide).unwrap().depth));
}

#[test]
fn a_hull_keeps_the_ends_of_an_almost_upright_side() {
    let right = 1.0_f32.next_up();
    let outline = [vec2(0.0, 0.0), vec2(1.0, -1.0), vec2(right, 0.0), vec2(right, 1.0), vec2(1.0, 2.0), vec2(0.0, 2.0)];
    for turn in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] {
        let outline = outline.map(|corner| corner.rotate(turn));
        let hull = Polygon::convex_hull(&outline).unwrap();
        assert!(outline.iter().all(|corner| hull.distance(&Circle::point(*corner)) < 1e-6), "{hull:?}");
        assert_eq!(Polygon::convex(&outline).map(|polygon| polygon.bounds()), Ok(hull.bounds()));
    }
}

#[test]
fn a_hull_drops_the_rounded_points_of_straight_sides() {
    for step in 0..500_u16 {
        let place = Transform::from_position(vec2(2.0, 0.5)).with_rotation(f32::from(step) * 0.01).to_affine();
        let corners = [[-3.0, -1.0], [3.0, -1.0], [3.0, 1.0], [-3.0, 1.0_f32]].map(Vec2::from);
        let outline: Vec<Vec2> = (0..4)
            .flat_map(|side| (0..5_u8).map(move |part| (side, f32::from(part) / 5.0)))
            .map(|(side, part)| place.transform_point2(corners[side].lerp(corners[(side + 1) % 4], part)))
            .collect();
        for polygon in [Polygon::convex(&outline), Polygon::convex_hull(&outline)] {
            assert_eq!(polygon.unwrap().offsets().len(), 4, "{step}");
        }
    }
}

#[test]
fn a_crossing_is_reported_near_the_points_that_are_in_the_wrong_order() {
    let mut outline: Vec<Vec2> = (0..12_u8).map(|i| Vec2::from_angle(f32::from(i) * 0.5)).collect();
    outline.swap(7, 8);
    for is_clockwise in [false, true] {
        let Err(ShapeError::Crossing { index }) = Polygon::convex(&outline) else { panic!("{is_clockwise}") };
        let index = if is_clockwise { 11 - index } else { index };
        assert!((6..=9).contains(&index), "{index}, clockwise: {is_clockwise}");
        outline.reverse();
    }
}

#[test]
fn a_triangle_as_flat_as_rounding_is_a_segment() {
    for turn in [Vec2::X, Vec2::Y, vec2(0.6, 0.8)] {
        let corners = |height: f32| [vec2(0.0, 0.0), vec2(3.0, 0.0), vec2(1.0, height)].map(|at| at.rotate(turn));
        assert_eq!(Polygon::convex(&corners(1e-7)).unwrap().offsets().len(), 2);
        assert_eq!(Polygon::convex(&corners(1e-5)).unwrap().offsets().len(), 3);
    }
}

#[test]
fn a_polygon_keeps_the_form_of_an_outline_with_many_points() {
    let unit = |index: u32, count: u32| {
        let angle = f64::from(index) * std::f64::consts::TAU / f64::from(count);
        vec2(angle.cos() as f32, angle.sin() as f32)
    };
    let circle: Vec<Vec2> = (0..100_000).map(|index| unit(index, 100_000)).collect();
    let rounded_box = (0..512).map(|index| {
        let corner = [vec2(1e4, 1e4), vec2(-1e4, 1e4), vec2(-1e4, -1e4), vec2(1e4, -1e4)][index as usize / 128];
        corner + unit(index, 512)
    });
    for (size, outline) in [(2.0, circle), (2e4, rounded_box.collect())] {
        let polygon = Polygon::convex(&outline).unwrap();
        let furthest = outline.iter().map(|point| polygon.distance(&Circle::point(*point))).fold(0.0, f32::max);
        assert!(furthest < 1e-6 * size, "{furthest} for a size of {size}");
    }
}

#[test]
fn a_polygon_near_f32_max_does_not_touch_the_origin() {
    let far = Polygon::convex_hull(&[vec2(3e38, -1.6e38)]).unwrap();
    let point = Circle::point(Vec2::ZERO);
    assert!(!far.overlaps(&point) && !point.overlaps(&far));
    assert_eq!((far.contact(&point), point.contact(&far)), (None, None));
    assert!(far.distance(&point) > 3.3e38);
}

#[test]
fn points_touch_a_segment_whose_squared_length_overflows_f32() {
    // Division by an infinite squared length would project every point to the middle of the segment.
    let line = Segment::new(vec2(0.0, -3e20), vec2(0.0, 3e20));
    for height in [-1e19, -1e18, 0.0, 1e17, 1e18, 1e19] {
        let point = Circle::point(vec2(0.0, height));
        assert!(point.overlaps(&line) && line.overlaps(&point), "{height}");
        assert_eq!(point.distance(&line), 0.0, "{height}");
    }
}

#[test]
fn a_circle_overlaps_a_tiny_rectangle_that_it_contains() {
    for (size, radius, distance) in [(1e-10, 3e9, 2e9), (1e-6, 3e14, 2e14), (1e-18, 1e3, 900.0)] {
        let (rect, circle) = (Rect::new(size, 1.0), Circle::new(radius).at(vec2(distance, 0.0)));
        assert!(rect.overlaps(&circle) && circle.overlaps(&rect), "{rect:?} {circle:?}");
        let mut scene = Scene::new();
        for _ in 0..5 {
            scene.add_with(Node::new(""), rect);
        }
        scene.add_with(Node::new(""), circle);
        // The rectangles overlap each other too.
        assert_eq!(scene.update().len(), 15);
    }
}

#[test]
fn closest_points_of_shapes_do_not_depend_on_their_order_or_on_the_type_of_the_call() {
    let at = vec2(200.0, -50.0);
    let capsule = Capsule::new(vec2(0.0, 0.5), vec2(0.0, -0.5), 0.0).at(at);
    let rect = Rect::new(0.5, 0.5).at(at);
    let [on_capsule, on_rect] = capsule.closest_points(&rect);
    let (first, second) = (Shape::from(capsule), Shape::from(rect));
    assert_eq!(first.closest_points(&second), [on_capsule, on_rect]);
    assert_eq!(second.closest_points(&first), [on_rect, on_capsule]);
}

#[test]
fn the_signs_of_zeros_do_not_turn_the_normal_of_concentric_rectangles() {
    let [plus, minus] = [0.0, -0.0].map(|x| Rect::new(1.0, 2.0).at(vec2(x, x)));
    let normals = [plus.contact(&minus), minus.contact(&plus)].map(|contact| contact.unwrap().normal);
    assert_eq!(normals[0], normals[1]);
}

#[test]
fn a_users_shape_touches_a_large_shape_within_the_rounding_of_its_own_size_only() {
    for width in [2.0, 2e3, 2e4] {
        let floor: Attachment = Rect::new(width, 1.0).into();
        let mut scene = Scene::new();
        let (_, floor) = scene.add_with(Node::new("floor"), floor);
        let (node, body) = scene.add_with(Node::new("body"), Squircle(0.5));
        for (gap, touches) in [(0.002, false), (1e-4, false), (-1e-5, true)] {
            scene[node].transform.position.y = 1.0 + gap;
            let world = scene.world();
            assert_eq!(world.contact(body, floor).is_some(), touches, "{width} {gap}");
            assert_eq!(world.overlaps(body).count(), usize::from(touches), "{width} {gap}");
        }
    }
}
