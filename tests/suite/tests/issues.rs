//! Known bugs of other engines and libraries. Each test shows that this crate does not have one of them. Its comment
//! cites the id of the bug in the project's list.
//!
//! `hierarchy.rs` tests the bugs in trees, `events.rs` those in events, `casts.rs` those in casts, and `pairs.rs` those
//! in the table of shape pairs.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, ColliderId, Compound, Ellipse, Meets, MoveOptions, Node, NodeId, Polygon, Polyline,
    Rect, Scene, SceneError, Segment, Shape, Tiles, Transform,
};
use proptest::prelude::*;
use support::{KINDS, Numbers, anything, at, cases, numbers, polygon};

fn add_at(scene: &mut Scene, transform: Transform, attachment: impl Into<Attachment>) -> (NodeId, ColliderId) {
    scene.add_with(Node::new("n").with_transform(transform), attachment)
}

fn hits_point(scene: &mut Scene, x: f32, y: f32) -> bool {
    scene.world().at_point(vec2(x, y), &anything()).len() > 0
}

fn square() -> Rect {
    Rect::new(2.0, 2.0)
}

// Bugs of the C++ tutorial engine (JP).

#[test]
fn a_mirrored_child_keeps_its_side() {
    // JP-B7, JP-B8
    for (mirror, expected) in [(vec2(-1.0, 1.0), vec2(-10.0, 5.0)), (vec2(1.0, -1.0), vec2(10.0, -5.0))] {
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("parent").with_scale(mirror));
        let child = scene.add_child(parent, Node::new("child").with_position(vec2(10.0, 5.0))).unwrap();
        scene.attach(child, Circle::new(0.5)).unwrap();
        assert_eq!(scene.world().position(child), Some(expected));
        assert!(hits_point(&mut scene, expected.x, expected.y) && !hits_point(&mut scene, -10.0, -5.0));
    }
}

#[test]
fn shear_from_non_uniform_scale_reaches_a_grandchild() {
    // JP-B9
    let mut scene = Scene::new();
    let parent = scene.add(Node::new("parent").with_scale(vec2(2.0, 1.0)));
    let rotated = Node::new("child").with_position(vec2(1.0, 0.0)).with_rotation(FRAC_PI_4);
    let child = scene.add_child(parent, rotated).unwrap();
    let leaf = scene.add_child(child, Node::new("leaf").with_position(Vec2::ONE)).unwrap();
    assert!(scene.world().position(leaf).unwrap().abs_diff_eq(vec2(2.0, 2.0_f32.sqrt()), 1e-6));
}

#[test]
fn a_bar_rotated_by_90_degrees_is_hit_above_and_not_beside_its_centre() {
    // JP-B11
    let mut scene = Scene::new();
    add_at(&mut scene, Transform::from_rotation(FRAC_PI_2), Rect::new(100.0, 2.0));
    assert!(hits_point(&mut scene, 0.0, 30.0) && !hits_point(&mut scene, 30.0, 0.0));
}

#[test]
fn a_circle_under_non_uniform_scale_is_an_ellipse() {
    // JP-B12
    let mut scene = Scene::new();
    add_at(&mut scene, Transform::from_scale(vec2(1.0, 10.0)), Circle::new(1.0));
    assert!(!hits_point(&mut scene, 9.0, 0.0) && hits_point(&mut scene, 0.0, 9.0));
}

#[test]
fn a_node_at_nan_is_quarantined_and_its_collider_touches_nothing() {
    // JP-B13
    let mut scene = Scene::new();
    let (node, id) = add_at(&mut scene, at(f32::NAN, 0.0), square());
    add_at(&mut scene, at(0.0, 0.0), square());
    assert!(scene.update().is_empty());
    assert_eq!(scene.quarantined(), [node]);
    assert_eq!(scene.world().overlaps(id).len(), 0);
}

#[test]
fn constructors_reject_negative_sizes() {
    // JP-B14
    assert!(Circle::try_new(-1.0).is_err() && Rect::try_new(1.0, -1.0).is_err());
    assert!(Capsule::try_new(Vec2::ZERO, Vec2::X, -1.0).is_err() && Ellipse::try_new(-1.0, 1.0).is_err());
}

#[test]
fn a_mirrored_node_under_the_root_collides() {
    // JP-B15, FL-2
    for scale in [vec2(-1.0, 1.0), vec2(1.0, -1.0), vec2(-1.0, -1.0), vec2(-3.0, -3.0)] {
        let mut scene = Scene::new();
        let (_, a) = add_at(&mut scene, Transform::from_scale(scale), Circle::new(1.0));
        let (_, b) = add_at(&mut scene, at(1.5, 0.0), Circle::new(1.0));
        assert_eq!(scene.world().overlaps(a).map(|other| other.collider).collect::<Vec<_>>(), [b], "{scale}");
        assert_eq!(scene.update().len(), 1, "{scale}");
    }
}

#[test]
fn adding_and_removing_nodes_affects_the_next_query_anywhere_in_the_tree() {
    // JP-B16, JP-B17
    let mut scene = Scene::new();
    let nodes: Vec<NodeId> = (0..5_u8).map(|x| scene.add(Node::new("n").with_position(vec2(x.into(), 0.0)))).collect();
    for (index, node) in nodes.iter().enumerate() {
        let child = scene.add_child(*node, Node::new("child")).unwrap();
        scene.attach(child, Circle::new(0.25)).unwrap();
        assert!(hits_point(&mut scene, index as f32, 0.0));
    }
    for index in [4, 0, 2, 1, 3] {
        scene.remove(nodes[index]);
        assert!(!hits_point(&mut scene, index as f32, 0.0));
    }
}

#[test]
fn the_debug_outline_is_the_tested_shape() {
    // JP-B18. `debug_draw.rs` checks all shapes and transforms.
    let mut scene = Scene::new();
    let transform = Transform::from_rotation(0.7).with_scale(vec2(3.0, 1.0));
    add_at(&mut scene, transform, square());
    let mut corners = Vec::new();
    scene.world().debug_draw(&hitgraph::DebugOptions::default(), |shape| shape.lines(|a, _| corners.push(a)));
    assert_eq!(corners.len(), 4);
    for corner in corners {
        let [inside, outside] = [0.999, 1.001].map(|factor| corner * factor);
        assert!(hits_point(&mut scene, inside.x, inside.y) && !hits_point(&mut scene, outside.x, outside.y));
    }
}

#[test]
fn overlaps_are_sorted_by_id_without_colliders_of_the_same_node_or_removed_ones() {
    // JP-P1
    let mut scene = Scene::new();
    let (node, id) = add_at(&mut scene, at(0.0, 0.0), Circle::new(1.0));
    scene.attach(node, Circle::new(1.0)).unwrap();
    let others: Vec<(NodeId, ColliderId)> =
        (0..20).map(|_| add_at(&mut scene, at(0.5, 0.0), Circle::new(1.0))).collect();
    scene.remove(others[7].0);
    let found: Vec<ColliderId> = scene.world().overlaps(id).map(|other| other.collider).collect();
    let mut expected: Vec<ColliderId> = others.iter().map(|(_, id)| *id).filter(|id| *id != others[7].1).collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_new_id_never_equals_a_removed_one() {
    // JP-S2
    let mut scene = Scene::new();
    let (old, old_id) = add_at(&mut scene, at(0.0, 0.0), Circle::new(1.0));
    scene.remove(old);
    for _ in 0..100 {
        let (new, new_id) = add_at(&mut scene, at(0.0, 0.0), Circle::new(1.0));
        assert!(new != old && new_id != old_id && scene.get(old).is_none() && scene.attachment(old_id).is_none());
        scene.remove(new);
    }
}

// Bugs of the other tutorials (000 to 004), and bugs of other engines that random data finds.

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn circles_overlap_exactly_if_their_distance_is_at_most_the_sum_of_their_radii(
        dx in -4_000_i32..4_000, dy in -4_000_i32..4_000, a in 0_i32..2_000, b in 0_i32..2_000
    ) {
        // 000-1
        let expected = dx * dx + dy * dy <= (a + b) * (a + b);
        let [first, second] = [a, b].map(|radius| Circle::new(radius as f32));
        prop_assert_eq!(first.overlaps(&second.at(vec2(dx as f32, dy as f32))), expected);
    }

    #[test]
    fn rotation_uses_only_the_sine_and_cosine_of_the_angle(angle in -PI..PI, half in 1..1000_u16) {
        // 000-2
        let half = f32::from(half);
        let (sin, cos) = f64::from(angle).sin_cos();
        let (sin, cos) = (sin as f32, cos as f32);
        let local = Rect::new(2.0 * half, 2.0 * half);
        let expected = local.rotated(angle).half_axes();
        prop_assert!(expected[0].abs_diff_eq(vec2(cos, sin) * half, half * f32::EPSILON));
        prop_assert!(expected[1].abs_diff_eq(vec2(-sin, cos) * half, half * f32::EPSILON));
        let rotated = local.transformed(&Transform::from_rotation(angle).to_affine());
        prop_assert!(matches!(rotated, Shape::Rect(rect) if rect.half_axes() == expected));
        // An equal rectangle next to it shares the midpoint of an edge, so the two touch.
        let neighbour = local.rotated(angle).at(expected[0] * 2.0);
        prop_assert!(local.rotated(angle).overlaps(&neighbour));
    }

    #[test]
    fn near_vertical_segments_overlap_as_integer_arithmetic_predicts(
        lean in -3_i32..=3, x in -8_i32..=8, low in -1000_i32..1000, height in 1_i32..1000, y in -1500_i32..1500,
        width in 0_i32..=8
    ) {
        // 002-2: a steep segment against a horizontal one, with integer coordinates.
        let steep = Segment::new(vec2(0.0, low as f32), vec2(lean as f32, (low + height) as f32));
        let horizontal = Segment::new(vec2(x as f32, y as f32), vec2((x + width) as f32, y as f32));
        // At height `y` the steep segment has `x = lean * (y - low) / height`.
        let (up, crossing) = (y - low, lean * (y - low));
        let expected = (0..=height).contains(&up) && (x * height..=(x + width) * height).contains(&crossing);
        prop_assert_eq!(steep.overlaps(&horizontal), expected);
        prop_assert_eq!(horizontal.overlaps(&steep), expected);
    }

    #[test]
    fn circles_under_the_same_non_uniform_scale_overlap_exactly_if_the_unscaled_ones_do(
        dx in -20.0..20.0_f32, dy in -5.0..5.0_f32
    ) {
        // GD-1: both have the scale (4, 1). Undoing it leaves two unit circles.
        let distance = vec2(dx / 4.0, dy).length();
        prop_assume!((distance - 2.0).abs() > 1e-5);
        let scale = Affine2::from_scale(vec2(4.0, 1.0));
        let ellipse = |center| Circle::new(1.0).transformed(&(Affine2::from_translation(center) * scale));
        prop_assert_eq!(ellipse(Vec2::ZERO).overlaps(&ellipse(vec2(dx, dy))), distance < 2.0);
    }

    #[test]
    fn a_sheared_rectangle_contains_exactly_the_points_inside_it_in_local_space(
        x in -4.0..4.0_f32, y in -2.0..2.0_f32, skew in -1.2..1.2_f32
    ) {
        // GD-2
        let to_world = Transform { skew, ..Transform::from_scale(vec2(2.0, 1.0)).with_rotation(0.5) }.to_affine();
        let extent = to_world.inverse().transform_point2(vec2(x, y)).abs().max_element();
        prop_assume!((extent - 1.0).abs() > 1e-5);
        let point = Shape::from(Circle::point(vec2(x, y)));
        prop_assert_eq!(square().transformed(&to_world).overlaps(&point), extent < 1.0);
    }

    #[test]
    fn moving_a_polygon_by_the_contact_depth_separates_it(a in numbers(), b in numbers(), angle in -PI..PI) {
        // PA-1
        let [a, b] = [a, b].map(|numbers| Polygon::convex_hull(&numbers.points).unwrap());
        let b = b.transformed(&Affine2::from_angle(angle));
        if let Some(contact) = Shape::from(a.clone()).contact(&b) {
            let step = contact.normal * (contact.depth * 1.000_01 + 1e-5);
            let moved = b.transformed(&Affine2::from_translation(step));
            prop_assert!(!Shape::from(a).overlaps(&moved), "{contact:?}");
        }
    }
}

#[test]
fn a_circle_of_radius_zero_inside_a_rectangle_overlaps_it() {
    // 001-1
    assert!(Circle::new(0.0).at(vec2(0.5, -0.5)).overlaps(&square()));
}

#[test]
fn touching_circles_rectangles_and_points_overlap() {
    // 001-2
    let (circle, point) = (Circle::new(1.0), |x| Circle::point(vec2(x, 0.0)));
    assert!(circle.overlaps(&circle.at(vec2(2.0, 0.0))));
    assert!(circle.overlaps(&square().at(vec2(2.0, 0.0))));
    assert!(square().overlaps(&square().at(vec2(2.0, 0.0))) && square().overlaps(&square().at(vec2(2.0, 2.0))));
    assert!(point(1.0).overlaps(&square()) && point(1.0).overlaps(&circle));
}

#[test]
fn a_rectangle_of_size_zero_is_a_point() {
    // 001-3
    let point = |x, y| Rect::new(0.0, 0.0).at(vec2(x, y));
    assert!(point(3.0, 3.0).overlaps(&point(3.0, 3.0)), "identical");
    assert!(point(0.5, 0.5).overlaps(&square()), "inside");
    assert!(point(1.0, 0.5).overlaps(&square()), "on the edge");
    assert!(!point(1.001, 0.5).overlaps(&square()));
}

#[test]
fn a_circle_and_its_tangent_overlap() {
    // 002-1
    let tangent = Segment::new(vec2(-3.0, 1.0), vec2(3.0, 1.0));
    assert!(Circle::new(1.0).overlaps(&tangent));
    assert!(!Circle::new(1.0).overlaps(&tangent.at(vec2(0.0, 1e-6))));
    // A slanted tangent from a 3-4-5 triangle, whose coordinates are exact.
    let slanted = Segment::new(vec2(3.0 - 4.0, 4.0 + 3.0), vec2(3.0 + 4.0, 4.0 - 3.0));
    assert!(Circle::new(5.0).overlaps(&slanted));
}

#[test]
fn a_segment_of_length_zero_is_a_point() {
    // 002-3
    let point = |x| Segment::new(vec2(x, 0.0), vec2(x, 0.0));
    assert!(point(1.0).overlaps(&Circle::new(1.0)) && !point(1.001).overlaps(&Circle::new(1.0)));
    assert!(point(1.0).overlaps(&point(1.0)) && !point(1.0).overlaps(&point(1.001)));
    assert!(point(1.0).overlaps(&Segment::new(vec2(0.0, 0.0), vec2(2.0, 0.0))));
}

#[test]
fn a_segment_inside_a_rotated_rectangle_overlaps_it() {
    // 004-1
    for step in 0..16_u8 {
        let rotated = Rect::new(4.0, 2.0).rotated(f32::from(step) * TAU / 16.0);
        assert!(rotated.overlaps(&Segment::new(vec2(-0.3, 0.1), vec2(0.4, -0.2))));
    }
}

#[test]
fn a_segment_overlaps_a_rectangle_or_segment_that_shares_a_point_with_it() {
    // 004-2
    let segment = |x1, y1, x2, y2| Segment::new(vec2(x1, y1), vec2(x2, y2));
    assert!(square().overlaps(&segment(-3.0, -3.0, 3.0, 3.0)), "through two opposite corners");
    assert!(square().overlaps(&segment(-5.0, 1.0, 5.0, 1.0)), "collinear with an edge and longer");
    let base = segment(0.0, 0.0, 4.0, 0.0);
    assert!(base.overlaps(&segment(2.0, 0.0, 2.0, 3.0)), "T-junction");
    assert!(base.overlaps(&segment(3.0, 0.0, 9.0, 0.0)), "collinear and partly shared");
    assert!(base.overlaps(&base), "identical");
    assert!(base.overlaps(&segment(1.0, 0.0, 1.0, 0.0)), "length zero");
    assert!(!base.overlaps(&segment(5.0, 0.0, 9.0, 0.0)), "collinear but separate");
}

// Bugs of other engines and libraries.

#[test]
fn a_ray_pointing_away_hits_nothing() {
    // EX-1
    for (kind, make) in KINDS {
        let numbers =
            Numbers { sizes: [1.0, 2.0], radius: 1.0, points: [Vec2::ZERO, Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] };
        let mut scene = Scene::new();
        add_at(&mut scene, at(0.0, 0.0), make(&numbers));
        for angle in [0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0] {
            let origin = Vec2::from_angle(angle) * 5.0;
            assert!(scene.world().cast_ray(origin, origin, f32::INFINITY, &anything()).is_none(), "{kind}");
        }
    }
}

#[test]
fn a_point_query_uses_the_parents_transform() {
    // EX-2
    let mut scene = Scene::new();
    let parent = scene.add(Node::new("parent").with_position(vec2(100.0, 0.0)));
    let child = scene.add_child(parent, Node::new("child").with_position(vec2(5.0, 0.0))).unwrap();
    scene.attach(child, Circle::new(1.0)).unwrap();
    assert!(hits_point(&mut scene, 105.5, 0.0) && !hits_point(&mut scene, 5.5, 0.0));
}

#[test]
fn updates_do_not_change_a_mirrored_polygon() {
    // EX-3
    let mut scene = Scene::new();
    let triangle = polygon(&[vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 1.0)]);
    let (node, id) = add_at(&mut scene, Transform::from_scale(vec2(-1.0, 1.0)), triangle);
    let first = scene.world().shape(id).unwrap().clone();
    for _ in 0..5 {
        scene[node].name = "edited, so the world form is computed again".into();
        scene.update();
        assert_eq!(scene.world().shape(id), Some(&first));
        assert!(hits_point(&mut scene, -1.5, 0.5) && !hits_point(&mut scene, 1.5, 0.5));
    }
}

#[test]
fn rays_from_negative_coordinates_and_from_far_away_hit() {
    // EX-4
    let mut scene = Scene::new();
    let (node, _) = add_at(&mut scene, at(-500.0, -500.0), Circle::new(1.0));
    for origin in [vec2(-900.0, -500.0), vec2(-500.0, -1e6), vec2(1e6, -500.0), vec2(-510.0, -500.0)] {
        let direction = vec2(-500.0, -500.0) - origin;
        let hit = scene.world().cast_ray(origin, direction, f32::INFINITY, &anything()).unwrap();
        assert!(hit.side.node == node && (hit.distance - (direction.length() - 1.0)).abs() <= hit.distance * 1e-6);
    }
}

#[test]
fn a_diamond_contains_its_centre_and_a_rectangle_its_corners() {
    // EX-5
    let diamond = polygon(&[vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)]);
    assert!(diamond.overlaps(&Circle::point(Vec2::ZERO)));
    for corner in square().corners() {
        assert!(square().overlaps(&Circle::point(corner)));
        assert!(polygon(&square().corners()).overlaps(&Circle::point(corner)));
    }
}

#[test]
fn concentric_circles_have_a_unit_normal_and_fire_an_event() {
    // EX-6
    let mut scene = Scene::new();
    let (_, a) = add_at(&mut scene, at(3.0, 4.0), Circle::new(1.0));
    let (_, b) = add_at(&mut scene, at(3.0, 4.0), Circle::new(2.0));
    assert_eq!(scene.update().len(), 1);
    let contact = scene.world().contact(a, b).unwrap();
    assert!(contact.normal.is_normalized() && contact.depth == 3.0);
}

#[test]
fn contact_points_of_circles_are_correct_in_every_quadrant() {
    // FL-1
    for (x, y) in [(3.0, 4.0), (-3.0, 4.0), (3.0, -4.0), (-3.0, -4.0), (5.0, 0.0), (0.0, -5.0)] {
        let contact = Circle::new(3.0).contact(&Circle::new(3.0).at(vec2(x, y))).unwrap();
        assert!(contact.points()[0].abs_diff_eq(vec2(x, y) * 0.5, 1e-6), "{contact:?}");
        assert!(contact.normal.abs_diff_eq(vec2(x, y) / 5.0, 1e-6) && (contact.depth - 1.0).abs() < 1e-6);
    }
}

#[test]
fn separating_from_two_rectangles_that_share_a_seam_moves_once() {
    // DC-1
    let floor = [Rect::new(10.0, 2.0).at(vec2(-5.0, 0.0)), Rect::new(10.0, 2.0).at(vec2(5.0, 0.0))];
    let mut mover = Rect::new(2.0, 2.0).at(vec2(0.0, 1.5));
    for rect in floor.iter().cycle().take(4) {
        if let Some(contact) = rect.contact(&mover) {
            assert_eq!(contact.normal, Vec2::Y);
            mover = mover.at(mover.center() + contact.normal * contact.depth);
        }
    }
    assert_eq!(mover.center(), vec2(0.0, 2.0));
}

#[test]
fn the_depth_of_identical_hexagons_is_their_width() {
    // PA-1
    let hexagon: Vec<Vec2> = (0..6_u8).map(|i| Vec2::from_angle(f32::from(i) * TAU / 6.0)).collect();
    let contact = polygon(&hexagon).contact(&polygon(&hexagon)).unwrap();
    assert!((contact.depth - 3.0_f32.sqrt()).abs() < 1e-6, "{contact:?}");
}

#[test]
fn overlap_and_distance_of_tiny_shapes_are_exact() {
    // PA-3
    let size = 4.5e-4;
    let hexagon: Vec<Vec2> = (0..6_u8).map(|i| Vec2::from_angle(f32::from(i) * TAU / 6.0) * size).collect();
    let shapes: [Shape; 5] = [
        Circle::new(size).into(),
        Rect::new(2.0 * size, 2.0 * size).into(),
        Capsule::new(vec2(0.0, -size), vec2(0.0, size), size).into(),
        polygon(&hexagon).into(),
        Ellipse::new(size, 0.5 * size).into(),
    ];
    for a in &shapes {
        for b in &shapes {
            let moved = |factor: f32| b.transformed(&Affine2::from_translation(vec2(factor * size, 0.0)));
            assert!(
                !a.overlaps(&moved(2.39)) && !a.overlaps(&moved(2.001)) && a.overlaps(&moved(1.999)),
                "{a:?} {b:?}"
            );
            assert!((a.distance(&moved(2.39)) - 0.39 * size).abs() < 1e-5 * size, "{a:?} {b:?}");
        }
    }
}

#[test]
fn repeated_points_and_clockwise_order_do_not_change_a_polygons_contact() {
    // PA-4
    let corners = square().corners();
    let mut repeated: Vec<Vec2> = corners.iter().flat_map(|corner| [*corner; 3]).collect();
    repeated.push(corners[0]);
    let reversed: Vec<Vec2> = corners.iter().rev().copied().collect();
    let other = square().at(vec2(0.5, 1.75));
    let expected = polygon(&corners).contact(&other).unwrap();
    assert_eq!(expected.points().len(), 2);
    for outline in [repeated, reversed] {
        let contact = polygon(&outline).contact(&other).unwrap();
        assert_eq!((contact.normal, contact.depth), (expected.normal, expected.depth));
        assert_eq!(contact.points().len(), 2);
    }
}

#[test]
fn a_query_uses_the_current_transforms() {
    // RA-2
    let mut scene = Scene::new();
    let (node, _) = add_at(&mut scene, at(0.0, 0.0), Circle::new(1.0));
    assert!(hits_point(&mut scene, 0.0, 0.0), "before any update");
    scene[node].transform.position.x = 50.0;
    assert!(hits_point(&mut scene, 50.0, 0.0) && !hits_point(&mut scene, 0.0, 0.0));
}

#[test]
fn a_rotated_child_of_a_non_uniformly_scaled_node_is_placed_correctly() {
    // AV-1
    let mut scene = Scene::new();
    let scaled = scene.add(Node::new("scaled").with_scale(vec2(0.5, 1.0)));
    let rotated = scene.add_child(scaled, Node::new("rotated").with_rotation(FRAC_PI_2)).unwrap();
    scene.attach(rotated, Circle::new(0.1).at(Vec2::X)).unwrap();
    assert!(hits_point(&mut scene, 0.0, 1.0) && !hits_point(&mut scene, 0.5, 0.0));
}

#[test]
fn a_node_cannot_be_its_own_parent() {
    // BE-1
    let mut scene = Scene::new();
    let node = scene.add(Node::new("n"));
    let cycle = Err(SceneError::Cycle { node, parent: node });
    assert_eq!((scene.set_parent(node, node), scene.set_parent_in_place(node, node)), (cycle, cycle));
    assert_eq!(scene.world().position(node), Some(Vec2::ZERO));
}

// The same bugs, tested with casts, moves and composites.

/// Returns an open polyline, a compound and tiles in the form of an L. The inner, concave corner is at the origin, and
/// for the tiles at (1, 1).
fn corners() -> [(&'static str, Attachment); 3] {
    let (floor, wall) = (Rect::new(4.0, 1.0).at(vec2(1.0, -0.5)), Rect::new(1.0, 4.0).at(vec2(-0.5, 1.0)));
    [
        ("polyline", Polyline::new(&[vec2(3.0, 0.0), vec2(0.0, 0.0), vec2(0.0, 3.0)]).unwrap().into()),
        ("compound", Compound::new([Shape::from(floor), wall.into()]).unwrap().into()),
        ("tiles", Tiles::new(4, 4, Vec2::ONE, |column, row| column == 0 || row == 0).into()),
    ]
}

/// Adds one of [`corners`] such that `transform` maps the origin to its concave corner.
fn add_corner(scene: &mut Scene, (kind, attachment): (&str, Attachment), transform: Transform) -> ColliderId {
    let node = scene.add(Node::new("corner").with_transform(transform));
    let offset = if kind == "tiles" { vec2(-1.0, -1.0) } else { Vec2::ZERO };
    scene.add_child_with(node, Node::new("shifted").with_position(offset), attachment).unwrap().1
}

#[test]
fn a_mirrored_composite_keeps_its_side() {
    // JP-B7, FL-2, EX-3
    for corner in corners() {
        let mut scene = Scene::new();
        add_corner(&mut scene, corner.clone(), Transform::from_scale(vec2(-1.0, 1.0)));
        for _ in 0..3 {
            assert!(hits_point(&mut scene, -2.0, 0.0) && hits_point(&mut scene, 0.0, 2.0), "{}", corner.0);
            assert!(!hits_point(&mut scene, 2.0, 0.0) && !hits_point(&mut scene, -2.0, 2.0), "{}", corner.0);
            let root = scene.root();
            scene[root].name = "edited, so every world form is computed again".into();
            scene.update();
        }
    }
}

#[test]
fn a_rotated_and_scaled_composite_is_placed_correctly() {
    // JP-B9, JP-B11, AV-1, GD-2
    for corner in corners() {
        let mut scene = Scene::new();
        let scaled = scene.add(Node::new("scaled").with_scale(vec2(3.0, 1.0)));
        let id = add_corner(&mut scene, corner.clone(), Transform::from_rotation(FRAC_PI_4));
        let node = scene.node_of(id).unwrap();
        let rotated = scene.parent(node).unwrap();
        scene.set_parent(rotated, scaled).unwrap();
        // The arms point up and to the left and right; the scale triples their x.
        let arm = vec2(3.0, 1.0) * 2.0_f32.sqrt();
        let mut touches_arm_end = |x| scene.world().nearest(vec2(x, arm.y), 1e-5, &anything()).is_some();
        assert!(touches_arm_end(arm.x) && touches_arm_end(-arm.x), "{}", corner.0);
        assert!(!hits_point(&mut scene, arm.y, arm.y) && !hits_point(&mut scene, 0.0, 1.0), "{}", corner.0);
    }
}

#[test]
fn the_hollow_of_a_concave_composite_is_empty() {
    // GD-1, PA-3: separate shapes do not overlap, at any size.
    for size in [4.5e-4, 1.0, 3e4] {
        for corner in corners() {
            let mut scene = Scene::new();
            add_corner(&mut scene, corner.clone(), Transform::from_scale(Vec2::splat(size)));
            let (node, id) = add_at(&mut scene, at(1.001 * size, 1.001 * size), Circle::new(size));
            assert_eq!(scene.world().overlaps(id).len(), 0, "{} of {size}", corner.0);
            scene[node].transform.position = Vec2::splat(0.999 * size);
            assert_eq!(scene.world().overlaps(id).len(), 1, "{} of {size}", corner.0);
        }
    }
}

#[test]
fn rays_from_negative_coordinates_hit_a_composite_and_rays_pointing_away_do_not() {
    // EX-1, EX-4
    for corner in corners() {
        let mut scene = Scene::new();
        add_corner(&mut scene, corner.clone(), at(-500.0, -500.0));
        for origin in [vec2(-498.0, -1e5), vec2(-9e4, -498.0), vec2(-498.0, 7e3), vec2(-498.0, -490.0)] {
            let towards = vec2(-498.0, -498.0) - origin;
            let direction = if towards.x == 0.0 { vec2(0.0, towards.y) } else { vec2(towards.x, 0.0) };
            let mut cast_ray = |direction| scene.world().cast_ray(origin, direction, f32::INFINITY, &anything());
            let hit = cast_ray(direction).unwrap();
            assert!(hit.normal.dot(direction) < 0.0, "{} from {origin}", corner.0);
            assert_eq!(cast_ray(-direction), None, "{} from {origin}", corner.0);
        }
    }
}

#[test]
fn every_query_supports_every_pair_of_shapes() {
    // PA-2
    let numbers = Numbers::PLAIN;
    for (first, make_first) in KINDS {
        for (second, make_second) in KINDS {
            let mut scene = Scene::new();
            let (_, a) = add_at(&mut scene, at(0.0, 0.0), make_first(&numbers));
            let (mover, b) = add_at(&mut scene, at(-0.4, 9.0), make_second(&numbers));
            let (caster, from) = (make_second(&numbers), Affine2::from_translation(vec2(-0.4, 9.0)));
            let world = scene.world();
            let distance = world.distance(a, b).unwrap();
            assert!(distance > 5.0 && world.contact(a, b).is_none(), "{first}, {second}");
            let [on_a, on_b] = world.closest_points(a, b).unwrap();
            assert!((on_a.distance(on_b) - distance).abs() < 1e-5, "{first}, {second}");
            let others = anything().exclude_subtree(mover);
            let hit = world.cast_shape(caster.collider(), &from, (on_a - on_b) * 2.0, &others);
            let hit = hit.unwrap_or_else(|| panic!("casting {second} misses {first}"));
            assert!((hit.distance - distance).abs() < 1e-4, "{first}, {second}: {hit:?}, {distance}");
            let moved = scene.move_and_collide(mover, (on_a - on_b) * 2.0, &MoveOptions::default()).unwrap();
            assert!((moved.travel.length() - distance).abs() < 0.02, "{first}, {second}: {moved:?}, {distance}");
            let gap = scene.world().distance(a, b).unwrap();
            assert!((0.0..0.02).contains(&gap), "{first}, {second}: {gap}");
        }
    }
}

#[test]
fn separating_from_a_seam_of_any_composite_moves_once() {
    // DC-1
    let boxes = [Rect::new(10.0, 2.0).at(vec2(-5.0, 0.0)), Rect::new(10.0, 2.0).at(vec2(5.0, 0.0))];
    let floors: [Attachment; 3] = [
        Compound::new(boxes).unwrap().into(),
        Polyline::new(&[vec2(10.0, 1.0), vec2(0.0, 1.0), vec2(-10.0, 1.0)]).unwrap().into(),
        Tiles::new(20, 2, Vec2::ONE, |_, _| true).into(),
    ];
    for (index, floor) in floors.into_iter().enumerate() {
        let mut scene = Scene::new();
        add_at(&mut scene, if index == 2 { at(-10.0, -1.0) } else { at(0.0, 0.0) }, floor);
        let (mover, _) = add_at(&mut scene, at(0.0, 1.75), Rect::new(2.0, 2.0));
        let pushed = scene.depenetrate(mover, &anything()).unwrap();
        assert!(pushed.x.abs() < 1e-4 && (0.25..0.27).contains(&pushed.y), "{pushed}");
        let position = scene.world().position(mover).unwrap();
        assert!((2.0..2.02).contains(&position.y), "{position}");
    }
}

#[test]
fn a_mover_that_touches_a_wall_moves_along_it_freely() {
    // RA-3
    let walls: [Attachment; 4] = [
        Rect::new(2.0, 40.0).into(),
        Polyline::new(&[vec2(1.0, -20.0), vec2(1.0, 0.0), vec2(1.0, 20.0)]).unwrap().into(),
        Compound::new([Rect::new(2.0, 20.0).at(vec2(0.0, -10.0)), Rect::new(2.0, 20.0).at(vec2(0.0, 10.0))])
            .unwrap()
            .into(),
        Tiles::new(2, 40, Vec2::ONE, |_, _| true).into(),
    ];
    for (index, wall) in walls.into_iter().enumerate() {
        let mut scene = Scene::new();
        add_at(&mut scene, if index == 3 { at(-1.0, -20.0) } else { at(0.0, 0.0) }, wall);
        let (mover, _) = add_at(&mut scene, at(2.0, -8.0), Circle::new(1.0));
        let filter = anything().exclude_subtree(mover);
        let from = Affine2::from_translation(vec2(2.0, -8.0));
        let cast = scene.world().cast_shape(&Circle::new(1.0), &from, vec2(0.0, 16.0), &filter);
        assert_eq!(cast, None, "wall {index}");
        let moved = scene.move_and_slide(mover, vec2(0.0, 16.0), &MoveOptions::default()).unwrap();
        assert!((moved.travel.y - 16.0).abs() < 1e-3 && moved.travel.x.abs() < 0.02, "wall {index}: {moved:?}");
        let into = scene.move_and_slide(mover, vec2(-3.0, -5.0), &MoveOptions::default()).unwrap();
        assert!((into.travel.y + 5.0).abs() < 1e-3 && into.travel.x.abs() < 0.02, "wall {index}: {into:?}");
    }
}

#[test]
fn a_move_uses_the_current_transforms() {
    // RA-2
    let mut scene = Scene::new();
    let (wall, _) = add_at(&mut scene, at(5.0, 0.0), square());
    let (mover, _) = add_at(&mut scene, at(0.0, 0.0), Circle::new(1.0));
    let travel = |scene: &mut Scene| {
        scene[mover].transform.position = Vec2::ZERO;
        scene.move_and_collide(mover, vec2(20.0, 0.0), &MoveOptions::default()).unwrap().travel.x
    };
    assert!((travel(&mut scene) - 3.0).abs() < 0.02, "before any update");
    scene[wall].transform.position.x = 9.0;
    assert!((travel(&mut scene) - 7.0).abs() < 0.02);
    scene.remove(wall);
    assert_eq!(travel(&mut scene), 20.0);
}

#[test]
fn a_wall_stops_a_scaled_mover_at_its_scaled_outline() {
    // JP-B12, JP-B15: the two radii of an ellipse differ, and a negative scale gives no negative radius.
    for (scale, reach) in [(vec2(1.0, 3.0), 1.0), (vec2(3.0, 1.0), 3.0), (vec2(-1.0, -3.0), 1.0)] {
        let mut scene = Scene::new();
        add_at(&mut scene, at(9.0, 0.0), square());
        let (mover, _) = add_at(&mut scene, Transform::from_scale(scale), Circle::new(1.0));
        let moved = scene.move_and_slide(mover, vec2(20.0, 0.0), &MoveOptions::default()).unwrap();
        assert!((moved.travel.x - (8.0 - reach)).abs() < 0.02, "{scale}: {moved:?}");
    }
}

/// Moves a mover by one displacement for some frames and returns its positions.
fn positions(scene: &mut Scene, mover: NodeId, displacement: Vec2, options: &MoveOptions, frames: usize) -> Vec<Vec2> {
    let mut step = || {
        scene.move_and_slide(mover, displacement, options).unwrap();
        scene.world().position(mover).unwrap()
    };
    (0..frames).map(|_| step()).collect()
}

#[test]
fn a_mover_pushed_into_a_corner_comes_to_rest() {
    // GM-1
    for (first, second) in [(0.0_f32, 90.0_f32), (0.0, 60.0), (0.0, 30.0), (-20.0, 90.0), (-40.0, 60.0), (-15.0, 15.0)]
    {
        for (up, speed) in [(Vec2::Y, 0.3), (Vec2::ZERO, 0.3), (Vec2::Y, 0.05), (Vec2::ZERO, 0.05)] {
            for lean in [-0.2_f32, 0.0, 0.1] {
                let mut scene = Scene::new();
                // A surface to the left and one to the right, each at an angle to the horizontal.
                let (left, right) = (-Vec2::from_angle(first.to_radians()), Vec2::from_angle(second.to_radians()));
                let corner = [left * 40.0, Vec2::ZERO, right * 40.0];
                add_at(&mut scene, at(0.0, 0.0), Polyline::new(&corner).unwrap());
                let start = (left + right + Vec2::Y * 0.1).normalize() * 2.0;
                let (mover, _) = add_at(&mut scene, Transform::from_position(start), Circle::new(0.5));
                let options = MoveOptions { up, stand_on_slopes: false, ..MoveOptions::default() };
                let displacement = Vec2::from_angle(lean).rotate(-start.normalize()) * speed;
                let path = positions(&mut scene, mover, displacement, &options, 600);
                let case = format!("{first} and {second} degrees, up {up}, moved by {displacement}");
                assert!(path[599].length() < 1.2, "{case}: not in the corner but at {}", path[599]);
                let shaken: f32 = path[400..].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
                assert!(shaken < 1e-4, "{case}: still moves by {shaken}");
            }
        }
    }
}

#[test]
fn a_mover_passes_a_corner_that_it_only_grazes() {
    // GM-2
    let skin = MoveOptions::default().skin_width;
    for (shape, reach) in
        [(Attachment::new(Circle::new(0.5)), [0.5; 2]), (Rect::new(1.0, 1.0).into(), [0.5, 0.5_f32.sqrt()])]
    {
        for (direction, reach) in [(Vec2::X, reach[0]), (vec2(1.0, -1.0).normalize(), reach[1])] {
            for gap in [0.0, 0.25, 1.0, 2.0] {
                for speed in [0.03_f32, 0.2, 7.0] {
                    let mut scene = Scene::new();
                    // The corner of the square is at the origin.
                    add_at(&mut scene, at(-1.0, -1.0), square());
                    let start = direction.perp() * (reach + gap * skin) - direction * 3.0;
                    let (mover, _) = add_at(&mut scene, Transform::from_position(start), shape.clone());
                    let frames = (7.0 / speed).ceil();
                    let options = MoveOptions { up: Vec2::ZERO, ..MoveOptions::default() };
                    let path = positions(&mut scene, mover, direction * speed, &options, frames as usize);
                    let end = path[path.len() - 1] - start;
                    let case = format!("{shape:?} along {direction} by {speed}, {gap} skins away: {end}");
                    assert!((end.dot(direction) - frames * speed).abs() < 2.0 * skin, "{case}: slower");
                    assert!((-1e-4..skin + 1e-4).contains(&end.dot(direction.perp())), "{case}: aside");
                }
            }
        }
    }
}

#[test]
fn a_mover_keeps_its_skin_when_it_is_moved_into_the_ground() {
    // RM-1
    for skin_width in [0.001, 0.01, 0.1] {
        for displacement in
            [vec2(0.0, -0.5), vec2(0.0, -0.002), vec2(0.05, -3.0), vec2(-0.05, -0.05), vec2(0.05, -1e-4)]
        {
            let mut scene = Scene::new();
            let (_, ground) = add_at(&mut scene, at(0.0, -1.0), Rect::new(200.0, 2.0));
            let (mover, own) = add_at(&mut scene, at(0.0, 0.5 + 1.5 * skin_width), Rect::new(1.0, 1.0));
            let options = MoveOptions { skin_width, ..MoveOptions::default() };
            for frame in 0..200 {
                scene.move_and_slide(mover, displacement, &options).unwrap();
                let gap = scene.world().distance(own, ground).unwrap();
                assert!((0.85..1.55).contains(&(gap / skin_width)), "{skin_width} {displacement}, {frame}: {gap}");
            }
        }
    }
}

#[test]
fn a_mover_slides_by_the_same_distance_in_every_frame() {
    // RM-2
    for (slope, up) in [(0.0_f32, Vec2::Y), (0.3, Vec2::Y), (-0.3, Vec2::Y), (0.7, Vec2::ZERO), (-1.2, Vec2::ZERO)] {
        for speed in [0.004_f32, 0.05, 0.4] {
            let mut scene = Scene::new();
            let along = Vec2::from_angle(slope);
            // Many segments in a row.
            let points: Vec<Vec2> = (-20..300_i16).map(|i| along * f32::from(i) * 0.37).collect();
            add_at(&mut scene, at(0.0, 0.0), Polyline::new(&points).unwrap());
            let (mover, _) = add_at(&mut scene, Transform::from_position(along.perp() * 0.52), Circle::new(0.5));
            let options = MoveOptions { up, ..MoveOptions::default() };
            let displacement = (along - along.perp()).normalize() * speed;
            let path = positions(&mut scene, mover, displacement, &options, 220);
            let steps: Vec<f32> = path[20..].windows(2).map(|pair| pair[0].distance(pair[1])).collect();
            let (least, most) =
                steps.iter().fold((f32::MAX, 0.0_f32), |(least, most), s| (least.min(*s), most.max(*s)));
            assert!(
                least > 0.3 * speed && most - least < 1e-4,
                "slope {slope}, up {up}, speed {speed}: {least} to {most}"
            );
        }
    }
}

#[test]
fn every_row_of_the_list_has_a_test() {
    let rows = "JP-B1 JP-B2 JP-B3 JP-B4 JP-B5 JP-B6 JP-B7 JP-B8 JP-B9 JP-B10 JP-B11 JP-B12 JP-B13 JP-B14 JP-B15 \
        JP-B16 JP-B17 JP-B18 JP-P1 JP-S2 JP-ok 000-1 000-2 001-1 001-2 001-3 002-1 002-2 002-3 004-1 004-2 \
        EX-1 EX-2 EX-3 EX-4 EX-5 EX-6 FL-1 FL-2 GD-1 GD-2 DC-1 PA-1 PA-2 PA-3 PA-4 RA-1 RA-2 RA-3 AV-1 BX-1 \
        BX-2 BE-1 QT-1 GM-1 GM-2 RM-1 RM-2 GO-1";
    let sources = ["issues.rs", "hierarchy.rs", "events.rs", "casts.rs", "pairs.rs"].map(|file| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
        std::fs::read_to_string(path).unwrap()
    });
    let comments =
        sources.iter().flat_map(|source| source.lines()).map(str::trim).filter(|line| line.starts_with("// "));
    let named: Vec<&str> = comments.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '-'))).collect();
    let missing: Vec<&str> = rows.split_whitespace().filter(|row| !named.contains(row)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
