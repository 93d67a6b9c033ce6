//! Bugs that other engines have or had; each test is one that must not happen here. A comment names the row of the list
//! that it is of.
//!
//! Those about the tree itself are in `hierarchy.rs`, those about events in `events.rs`, that about a whole table of
//! pairs in `pairs.rs`.

mod support;

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, ColliderId, Compound, Ellipse, Meets, MoveOptions, Node, NodeId, Polygon, Polyline,
    Rect, Scene, SceneError, Segment, Shape, Tiles, Transform,
};
use proptest::prelude::*;
use support::{KINDS, Numbers, anything, at, cases, numbers};

fn put(scene: &mut Scene, transform: Transform, attachment: impl Into<Attachment>) -> (NodeId, ColliderId) {
    scene.add_with(Node::new("n").with_transform(transform), attachment)
}

fn hits_point(scene: &mut Scene, x: f32, y: f32) -> bool {
    scene.world().at_point(vec2(x, y), &anything()).len() > 0
}

fn polygon(points: &[Vec2]) -> Polygon {
    Polygon::convex(points).unwrap()
}

fn unit() -> Rect {
    Rect::new(2.0, 2.0)
}

// The C++ tutorial engine.

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
fn shear_reaches_the_grandchildren() {
    // JP-B9
    let mut scene = Scene::new();
    let parent = scene.add(Node::new("parent").with_scale(vec2(2.0, 1.0)));
    let turned = Node::new("child").with_position(vec2(1.0, 0.0)).with_rotation(FRAC_PI_4);
    let child = scene.add_child(parent, turned).unwrap();
    let leaf = scene.add_child(child, Node::new("leaf").with_position(Vec2::ONE)).unwrap();
    assert!(scene.world().position(leaf).unwrap().abs_diff_eq(vec2(2.0, 2.0_f32.sqrt()), 1e-6));
}

#[test]
fn a_turned_bar_hits_above_and_not_beside() {
    // JP-B11
    let mut scene = Scene::new();
    put(&mut scene, Transform::from_rotation(FRAC_PI_2), Rect::new(100.0, 2.0));
    assert!(hits_point(&mut scene, 0.0, 30.0) && !hits_point(&mut scene, 30.0, 0.0));
}

#[test]
fn a_stretched_circle_is_an_ellipse() {
    // JP-B12
    let mut scene = Scene::new();
    put(&mut scene, Transform::from_scale(vec2(1.0, 10.0)), Circle::new(1.0));
    assert!(!hits_point(&mut scene, 9.0, 0.0) && hits_point(&mut scene, 0.0, 9.0));
}

#[test]
fn a_rectangle_that_is_not_a_number_touches_nothing_and_is_told() {
    // JP-B13
    let mut scene = Scene::new();
    let (node, id) = put(&mut scene, at(f32::NAN, 0.0), unit());
    put(&mut scene, at(0.0, 0.0), unit());
    assert!(scene.update().is_empty());
    assert_eq!(scene.quarantined(), [node]);
    assert_eq!(scene.world().overlaps(id).len(), 0);
}

#[test]
fn negative_sizes_are_refused() {
    // JP-B14
    assert!(Circle::try_new(-1.0).is_err() && Rect::try_new(1.0, -1.0).is_err());
    assert!(Capsule::try_new(Vec2::ZERO, Vec2::X, -1.0).is_err() && Ellipse::try_new(-1.0, 1.0).is_err());
}

#[test]
fn a_mirrored_root_node_collides() {
    // JP-B15, FL-2
    for scale in [vec2(-1.0, 1.0), vec2(1.0, -1.0), vec2(-1.0, -1.0), vec2(-3.0, -3.0)] {
        let mut scene = Scene::new();
        let (_, a) = put(&mut scene, Transform::from_scale(scale), Circle::new(1.0));
        let (_, b) = put(&mut scene, at(1.5, 0.0), Circle::new(1.0));
        assert_eq!(scene.world().overlaps(a).map(|side| side.collider).collect::<Vec<_>>(), [b], "{scale}");
        assert_eq!(scene.update().len(), 1, "{scale}");
    }
}

#[test]
fn what_is_added_or_removed_is_so_at_once_wherever_it_is_in_the_tree() {
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
fn the_debug_outline_is_the_shape_that_is_tested() {
    // JP-B18; for all shapes and transforms in `debug_draw.rs`
    let mut scene = Scene::new();
    let turned = Transform::from_rotation(0.7).with_scale(vec2(3.0, 1.0));
    put(&mut scene, turned, unit());
    let mut corners = Vec::new();
    scene.world().debug_draw(&hitgraph::DebugOptions::default(), |shape| shape.lines(|a, _| corners.push(a)));
    assert_eq!(corners.len(), 4);
    for corner in corners {
        let [inside, outside] = [0.999, 1.001].map(|factor| corner * factor);
        assert!(hits_point(&mut scene, inside.x, inside.y) && !hits_point(&mut scene, outside.x, outside.y));
    }
}

#[test]
fn answers_are_sorted_and_hold_neither_siblings_on_the_node_nor_the_dead() {
    // JP-P1
    let mut scene = Scene::new();
    let (node, id) = put(&mut scene, at(0.0, 0.0), Circle::new(1.0));
    scene.attach(node, Circle::new(1.0)).unwrap();
    let others: Vec<(NodeId, ColliderId)> = (0..20).map(|_| put(&mut scene, at(0.5, 0.0), Circle::new(1.0))).collect();
    scene.remove(others[7].0);
    let found: Vec<ColliderId> = scene.world().overlaps(id).map(|side| side.collider).collect();
    let mut expected: Vec<ColliderId> = others.iter().map(|(_, id)| *id).filter(|id| *id != others[7].1).collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn an_id_is_never_used_again() {
    // JP-S2
    let mut scene = Scene::new();
    let (old, old_id) = put(&mut scene, at(0.0, 0.0), Circle::new(1.0));
    scene.remove(old);
    for _ in 0..100 {
        let (new, new_id) = put(&mut scene, at(0.0, 0.0), Circle::new(1.0));
        assert!(new != old && new_id != old_id && scene.get(old).is_none() && scene.attachment(old_id).is_none());
        scene.remove(new);
    }
}

// The other seeds.

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn circles_touch_by_their_distance_alone(
        dx in -4_000_i32..4_000, dy in -4_000_i32..4_000, a in 0_i32..2_000, b in 0_i32..2_000
    ) {
        // 000-1
        let expected = dx * dx + dy * dy <= (a + b) * (a + b);
        let [first, second] = [a, b].map(|radius| Circle::new(radius as f32));
        prop_assert_eq!(first.overlaps(&second.at(vec2(dx as f32, dy as f32))), expected);
    }

    #[test]
    fn turning_is_by_cosine_and_sine_alone(angle in -PI..PI, half in 1..1000_u16) {
        // 000-2
        let half = f32::from(half);
        let (sin, cos) = f64::from(angle).sin_cos();
        let (sin, cos) = (sin as f32, cos as f32);
        let local = Rect::new(2.0 * half, 2.0 * half);
        let expected = local.rotated(angle).half_axes();
        prop_assert!(expected[0].abs_diff_eq(vec2(cos, sin) * half, half * f32::EPSILON));
        prop_assert!(expected[1].abs_diff_eq(vec2(-sin, cos) * half, half * f32::EPSILON));
        let turned = local.transformed(&Transform::from_rotation(angle).to_affine());
        prop_assert!(matches!(turned, Shape::Rect(rect) if rect.half_axes() == expected));
        // Its neighbour on the other side of the middle of a side touches it.
        let neighbour = local.rotated(angle).at(expected[0] * 2.0);
        prop_assert!(local.rotated(angle).overlaps(&neighbour));
    }

    #[test]
    fn nearly_upright_segments_are_decided_like_all_others(
        lean in -3_i32..=3, x in -8_i32..=8, low in -1000_i32..1000, length in 1_i32..1000, y in -1500_i32..1500, reach in 0_i32..=8
    ) {
        // 002-2: a steep segment against a level one, in whole numbers.
        let steep = Segment::new(vec2(0.0, low as f32), vec2(lean as f32, (low + length) as f32));
        let level = Segment::new(vec2(x as f32, y as f32), vec2((x + reach) as f32, y as f32));
        // At this height the steep one is at `lean * (y - low) / length`.
        let (up, crossing) = (y - low, lean * (y - low));
        let expected = (0..=length).contains(&up) && (x * length..=(x + reach) * length).contains(&crossing);
        prop_assert_eq!(steep.overlaps(&level), expected);
        prop_assert_eq!(level.overlaps(&steep), expected);
    }

    #[test]
    fn stretched_circles_that_are_apart_are_apart(dx in -20.0..20.0_f32, dy in -5.0..5.0_f32) {
        // GD-1: both under the scale (4, 1), so this is a matter of two unit circles.
        let apart = vec2(dx / 4.0, dy).length();
        prop_assume!((apart - 2.0).abs() > 1e-5);
        let ellipse = |center| Circle::new(1.0).transformed(&(Affine2::from_translation(center) * Affine2::from_scale(vec2(4.0, 1.0))));
        prop_assert_eq!(ellipse(Vec2::ZERO).overlaps(&ellipse(vec2(dx, dy))), apart < 2.0);
    }

    #[test]
    fn a_sheared_rectangle_holds_the_points_of_its_own_frame(x in -4.0..4.0_f32, y in -2.0..2.0_f32, skew in -1.2..1.2_f32) {
        // GD-2
        let to_world = Transform { skew, ..Transform::from_scale(vec2(2.0, 1.0)).with_rotation(0.5) }.to_affine();
        let local = to_world.inverse().transform_point2(vec2(x, y)).abs().max_element();
        prop_assume!((local - 1.0).abs() > 1e-5);
        let point = Shape::from(Circle::point(vec2(x, y)));
        prop_assert_eq!(unit().transformed(&to_world).overlaps(&point), local < 1.0);
    }

    #[test]
    fn pushing_a_polygon_out_leaves_none_overlapping(a in numbers(), b in numbers(), turn in -PI..PI) {
        // PA-1
        let [a, b] = [a, b].map(|numbers| Polygon::convex_hull(&numbers.points).unwrap());
        let b = b.transformed(&Affine2::from_angle(turn));
        if let Some(contact) = Shape::from(a.clone()).contact(&b) {
            let step = contact.normal * (contact.depth * 1.000_01 + 1e-5);
            let pushed = b.transformed(&Affine2::from_translation(step));
            prop_assert!(!Shape::from(a).overlaps(&pushed), "{contact:?}");
        }
    }
}

#[test]
fn a_circle_without_radius_overlaps_the_rectangle_around_it() {
    // 001-1
    assert!(Circle::new(0.0).at(vec2(0.5, -0.5)).overlaps(&unit()));
}

#[test]
fn touching_counts_for_all_the_pairs_of_the_overlap_tester() {
    // 001-2
    let (ball, point) = (Circle::new(1.0), |x| Circle::point(vec2(x, 0.0)));
    assert!(ball.overlaps(&ball.at(vec2(2.0, 0.0))));
    assert!(ball.overlaps(&unit().at(vec2(2.0, 0.0))));
    assert!(unit().overlaps(&unit().at(vec2(2.0, 0.0))) && unit().overlaps(&unit().at(vec2(2.0, 2.0))));
    assert!(point(1.0).overlaps(&unit()) && point(1.0).overlaps(&ball));
}

#[test]
fn a_rectangle_without_size_is_a_point() {
    // 001-3
    let dot = |x, y| Rect::new(0.0, 0.0).at(vec2(x, y));
    assert!(dot(3.0, 3.0).overlaps(&dot(3.0, 3.0)), "identical");
    assert!(dot(0.5, 0.5).overlaps(&unit()), "inside");
    assert!(dot(1.0, 0.5).overlaps(&unit()), "on the edge");
    assert!(!dot(1.001, 0.5).overlaps(&unit()));
}

#[test]
fn a_tangent_touches_its_circle() {
    // 002-1
    let tangent = Segment::new(vec2(-3.0, 1.0), vec2(3.0, 1.0));
    assert!(Circle::new(1.0).overlaps(&tangent));
    assert!(!Circle::new(1.0).overlaps(&tangent.at(vec2(0.0, 1e-6))));
    // 3-4-5: a tangent at a slant.
    let slanted = Segment::new(vec2(3.0 - 4.0, 4.0 + 3.0), vec2(3.0 + 4.0, 4.0 - 3.0));
    assert!(Circle::new(5.0).overlaps(&slanted));
}

#[test]
fn a_segment_without_length_is_a_point() {
    // 002-3
    let dot = |x| Segment::new(vec2(x, 0.0), vec2(x, 0.0));
    assert!(dot(1.0).overlaps(&Circle::new(1.0)) && !dot(1.001).overlaps(&Circle::new(1.0)));
    assert!(dot(1.0).overlaps(&dot(1.0)) && !dot(1.0).overlaps(&dot(1.001)));
    assert!(dot(1.0).overlaps(&Segment::new(vec2(0.0, 0.0), vec2(2.0, 0.0))));
}

#[test]
fn a_segment_inside_a_turned_rectangle_overlaps() {
    // 004-1
    for step in 0..16_u8 {
        let box_ = Rect::new(4.0, 2.0).rotated(f32::from(step) * TAU / 16.0);
        assert!(box_.overlaps(&Segment::new(vec2(-0.3, 0.1), vec2(0.4, -0.2))));
    }
}

#[test]
fn segments_that_share_anything_with_a_rectangle_or_each_other_overlap() {
    // 004-2
    let segment = |x1, y1, x2, y2| Segment::new(vec2(x1, y1), vec2(x2, y2));
    assert!(unit().overlaps(&segment(-3.0, -3.0, 3.0, 3.0)), "through two opposite corners");
    assert!(unit().overlaps(&segment(-5.0, 1.0, 5.0, 1.0)), "in line with an edge and longer");
    let base = segment(0.0, 0.0, 4.0, 0.0);
    assert!(base.overlaps(&segment(2.0, 0.0, 2.0, 3.0)), "a T");
    assert!(base.overlaps(&segment(3.0, 0.0, 9.0, 0.0)), "in line, in part");
    assert!(base.overlaps(&base), "identical");
    assert!(base.overlaps(&segment(1.0, 0.0, 1.0, 0.0)), "without length");
    assert!(!base.overlaps(&segment(5.0, 0.0, 9.0, 0.0)), "in line, but apart");
}

// Rivals.

#[test]
fn a_ray_pointing_away_hits_nothing() {
    // EX-1
    for (kind, make) in KINDS {
        let numbers =
            Numbers { sizes: [1.0, 2.0], radius: 1.0, points: [Vec2::ZERO, Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] };
        let mut scene = Scene::new();
        put(&mut scene, at(0.0, 0.0), make(&numbers));
        for angle in [0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0] {
            let origin = Vec2::from_angle(angle) * 5.0;
            assert!(scene.world().cast_ray(origin, origin, f32::INFINITY, &anything()).is_none(), "{kind}");
        }
    }
}

#[test]
fn a_point_test_follows_the_tree() {
    // EX-2
    let mut scene = Scene::new();
    let parent = scene.add(Node::new("parent").with_position(vec2(100.0, 0.0)));
    let child = scene.add_child(parent, Node::new("child").with_position(vec2(5.0, 0.0))).unwrap();
    scene.attach(child, Circle::new(1.0)).unwrap();
    assert!(hits_point(&mut scene, 105.5, 0.0) && !hits_point(&mut scene, 5.5, 0.0));
}

#[test]
fn a_mirrored_polygon_stays_as_it_is_from_update_to_update() {
    // EX-3
    let mut scene = Scene::new();
    let triangle = polygon(&[vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 1.0)]);
    let (node, id) = put(&mut scene, Transform::from_scale(vec2(-1.0, 1.0)), triangle);
    let first = scene.world().shape(id).unwrap().clone();
    for _ in 0..5 {
        scene[node].name = "touched, so it is placed anew".into();
        scene.update();
        assert_eq!(scene.world().shape(id), Some(&first));
        assert!(hits_point(&mut scene, -1.5, 0.5) && !hits_point(&mut scene, 1.5, 0.5));
    }
}

#[test]
fn rays_hit_from_negative_places_and_from_far_outside() {
    // EX-4
    let mut scene = Scene::new();
    let (node, _) = put(&mut scene, at(-500.0, -500.0), Circle::new(1.0));
    for origin in [vec2(-900.0, -500.0), vec2(-500.0, -1e6), vec2(1e6, -500.0), vec2(-510.0, -500.0)] {
        let direction = vec2(-500.0, -500.0) - origin;
        let hit = scene.world().cast_ray(origin, direction, f32::INFINITY, &anything()).unwrap();
        assert!(hit.side.node == node && (hit.distance - (direction.length() - 1.0)).abs() <= hit.distance * 1e-6);
    }
}

#[test]
fn a_diamond_contains_its_centre_and_a_box_its_corners() {
    // EX-5
    let diamond = polygon(&[vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)]);
    assert!(diamond.overlaps(&Circle::point(Vec2::ZERO)));
    for corner in unit().corners() {
        assert!(unit().overlaps(&Circle::point(corner)));
        assert!(polygon(&unit().corners()).overlaps(&Circle::point(corner)));
    }
}

#[test]
fn concentric_circles_have_a_normal_and_an_event() {
    // EX-6
    let mut scene = Scene::new();
    let (_, a) = put(&mut scene, at(3.0, 4.0), Circle::new(1.0));
    let (_, b) = put(&mut scene, at(3.0, 4.0), Circle::new(2.0));
    assert_eq!(scene.update().len(), 1);
    let contact = scene.world().contact(a, b).unwrap();
    assert!(contact.normal.is_normalized() && contact.depth == 3.0);
}

#[test]
fn contact_points_of_circles_are_right_in_every_quadrant() {
    // FL-1
    for (x, y) in [(3.0, 4.0), (-3.0, 4.0), (3.0, -4.0), (-3.0, -4.0), (5.0, 0.0), (0.0, -5.0)] {
        let contact = Circle::new(3.0).contact(&Circle::new(3.0).at(vec2(x, y))).unwrap();
        assert!(contact.points()[0].abs_diff_eq(vec2(x, y) * 0.5, 1e-6), "{contact:?}");
        assert!(contact.normal.abs_diff_eq(vec2(x, y) / 5.0, 1e-6) && (contact.depth - 1.0).abs() < 1e-6);
    }
}

#[test]
fn a_seam_between_two_boxes_pushes_once() {
    // DC-1
    let floor = [Rect::new(10.0, 2.0).at(vec2(-5.0, 0.0)), Rect::new(10.0, 2.0).at(vec2(5.0, 0.0))];
    let mut mover = Rect::new(2.0, 2.0).at(vec2(0.0, 1.5));
    for part in floor.iter().cycle().take(4) {
        if let Some(contact) = part.contact(&mover) {
            assert_eq!(contact.normal, Vec2::Y);
            mover = mover.at(mover.center() + contact.normal * contact.depth);
        }
    }
    assert_eq!(mover.center(), vec2(0.0, 2.0));
}

#[test]
fn identical_polygons_have_a_depth() {
    // PA-1
    let hexagon: Vec<Vec2> = (0..6_u8).map(|i| Vec2::from_angle(f32::from(i) * TAU / 6.0)).collect();
    let contact = polygon(&hexagon).contact(&polygon(&hexagon)).unwrap();
    assert!((contact.depth - 3.0_f32.sqrt()).abs() < 1e-6, "{contact:?}");
}

#[test]
fn tiny_shapes_are_as_exact_as_large_ones() {
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
            let moved = |by: f32| b.transformed(&Affine2::from_translation(vec2(by * size, 0.0)));
            assert!(
                !a.overlaps(&moved(2.39)) && !a.overlaps(&moved(2.001)) && a.overlaps(&moved(1.999)),
                "{a:?} {b:?}"
            );
            assert!((a.distance(&moved(2.39)) - 0.39 * size).abs() < 1e-5 * size, "{a:?} {b:?}");
        }
    }
}

#[test]
fn polygons_may_repeat_points_and_go_either_way_round() {
    // PA-4
    let corners = unit().corners();
    let mut repeated: Vec<Vec2> = corners.iter().flat_map(|corner| [*corner; 3]).collect();
    repeated.push(corners[0]);
    let reversed: Vec<Vec2> = corners.iter().rev().copied().collect();
    let other = unit().at(vec2(0.5, 1.75));
    let expected = polygon(&corners).contact(&other).unwrap();
    assert_eq!(expected.points().len(), 2);
    for outline in [repeated, reversed] {
        let contact = polygon(&outline).contact(&other).unwrap();
        assert_eq!((contact.normal, contact.depth), (expected.normal, expected.depth));
        assert_eq!(contact.points().len(), 2);
    }
}

#[test]
fn questions_are_about_now() {
    // RA-2
    let mut scene = Scene::new();
    let (node, _) = put(&mut scene, at(0.0, 0.0), Circle::new(1.0));
    assert!(hits_point(&mut scene, 0.0, 0.0), "before any update");
    scene[node].transform.position.x = 50.0;
    assert!(hits_point(&mut scene, 50.0, 0.0) && !hits_point(&mut scene, 0.0, 0.0));
}

#[test]
fn a_collider_under_a_turned_child_of_a_squeezed_root_is_where_it_belongs() {
    // AV-1
    let mut scene = Scene::new();
    let squeezed = scene.add(Node::new("squeezed").with_scale(vec2(0.5, 1.0)));
    let turned = scene.add_child(squeezed, Node::new("turned").with_rotation(FRAC_PI_2)).unwrap();
    scene.attach(turned, Circle::new(0.1).at(Vec2::X)).unwrap();
    assert!(hits_point(&mut scene, 0.0, 1.0) && !hits_point(&mut scene, 0.5, 0.0));
}

#[test]
fn a_node_cannot_be_its_own_parent() {
    // BE-1
    let mut scene = Scene::new();
    let node = scene.add(Node::new("n"));
    let refused = Err(SceneError::Cycle { node, parent: node });
    assert_eq!((scene.set_parent(node, node), scene.set_parent_in_place(node, node)), (refused, refused));
    assert_eq!(scene.world().position(node), Some(Vec2::ZERO));
}

// The same for casts, motion and shapes of many pieces.

/// A step, an L and a map that all fill the corner below and to the left of the origin.
fn corners() -> [(&'static str, Attachment); 3] {
    let (floor, wall) = (Rect::new(4.0, 1.0).at(vec2(1.0, -0.5)), Rect::new(1.0, 4.0).at(vec2(-0.5, 1.0)));
    [
        ("polyline", Polyline::new(&[vec2(3.0, 0.0), vec2(0.0, 0.0), vec2(0.0, 3.0)]).unwrap().into()),
        ("compound", Compound::new([Shape::from(floor), wall.into()]).unwrap().into()),
        ("tiles", Tiles::new(4, 4, Vec2::ONE, |column, row| column == 0 || row == 0).into()),
    ]
}

/// Puts one of them so that its inner corner is in a place.
fn put_corner(scene: &mut Scene, (kind, attachment): (&str, Attachment), place: Transform) -> ColliderId {
    let node = scene.add(Node::new("corner").with_transform(place));
    let inner = if kind == "tiles" { vec2(-1.0, -1.0) } else { Vec2::ZERO };
    scene.add_child_with(node, Node::new("shifted").with_position(inner), attachment).unwrap().1
}

#[test]
fn a_mirrored_shape_of_pieces_keeps_its_side() {
    // JP-B7, FL-2, EX-3
    for corner in corners() {
        let mut scene = Scene::new();
        put_corner(&mut scene, corner.clone(), Transform::from_scale(vec2(-1.0, 1.0)));
        for _ in 0..3 {
            assert!(hits_point(&mut scene, -2.0, 0.0) && hits_point(&mut scene, 0.0, 2.0), "{}", corner.0);
            assert!(!hits_point(&mut scene, 2.0, 0.0) && !hits_point(&mut scene, -2.0, 2.0), "{}", corner.0);
            let root = scene.root();
            scene[root].name = "touched, so all is placed anew".into();
            scene.update();
        }
    }
}

#[test]
fn a_turned_and_stretched_shape_of_pieces_is_where_it_is_seen() {
    // JP-B9, JP-B11, AV-1, GD-2
    for corner in corners() {
        let mut scene = Scene::new();
        let above = scene.add(Node::new("stretched").with_scale(vec2(3.0, 1.0)));
        let id = put_corner(&mut scene, corner.clone(), Transform::from_rotation(FRAC_PI_4));
        let node = scene.node_of(id).unwrap();
        let placed = scene.parent(node).unwrap();
        scene.set_parent(placed, above).unwrap();
        // The arms point up to both sides, and the upper right one is stretched to the right.
        let arm = vec2(3.0, 1.0) * 2.0_f32.sqrt();
        let mut is_at = |x| scene.world().nearest(vec2(x, arm.y), 1e-5, &anything()).is_some();
        assert!(is_at(arm.x) && is_at(-arm.x), "{}", corner.0);
        assert!(!hits_point(&mut scene, arm.y, arm.y) && !hits_point(&mut scene, 0.0, 1.0), "{}", corner.0);
    }
}

#[test]
fn a_hollow_shape_of_pieces_is_not_its_hull() {
    // GD-1, PA-3: what is apart is apart, at any size
    for size in [4.5e-4, 1.0, 3e4] {
        for corner in corners() {
            let mut scene = Scene::new();
            put_corner(&mut scene, corner.clone(), Transform::from_scale(Vec2::splat(size)));
            let ball = Circle::new(size);
            let (node, id) = put(&mut scene, at(1.001 * size, 1.001 * size), ball);
            assert_eq!(scene.world().overlaps(id).len(), 0, "{} of {size}", corner.0);
            scene[node].transform.position = Vec2::splat(0.999 * size);
            assert_eq!(scene.world().overlaps(id).len(), 1, "{} of {size}", corner.0);
        }
    }
}

#[test]
fn rays_hit_shapes_of_pieces_from_negative_places_and_none_that_point_away() {
    // EX-1, EX-4
    for corner in corners() {
        let mut scene = Scene::new();
        put_corner(&mut scene, corner.clone(), at(-500.0, -500.0));
        for origin in [vec2(-498.0, -1e5), vec2(-9e4, -498.0), vec2(-498.0, 7e3), vec2(-498.0, -490.0)] {
            let towards = vec2(-498.0, -498.0) - origin;
            let direction = if towards.x == 0.0 { vec2(0.0, towards.y) } else { vec2(towards.x, 0.0) };
            let mut cast = |direction| scene.world().cast_ray(origin, direction, f32::INFINITY, &anything());
            let hit = cast(direction).unwrap();
            assert!(hit.normal.dot(direction) < 0.0, "{} from {origin}", corner.0);
            assert_eq!(cast(-direction), None, "{} from {origin}", corner.0);
        }
    }
}

#[test]
fn every_question_knows_every_pair() {
    // PA-2
    let numbers = Numbers::PLAIN;
    for (first, make_first) in KINDS {
        for (second, make_second) in KINDS {
            let mut scene = Scene::new();
            let (_, a) = put(&mut scene, at(0.0, 0.0), make_first(&numbers));
            let (mover, b) = put(&mut scene, at(-0.4, 9.0), make_second(&numbers));
            let (brush, from) = (make_second(&numbers), Affine2::from_translation(vec2(-0.4, 9.0)));
            let world = scene.world();
            let apart = world.distance(a, b).unwrap();
            assert!(apart > 5.0 && world.contact(a, b).is_none(), "{first}, {second}");
            let [on_a, on_b] = world.closest_points(a, b).unwrap();
            assert!((on_a.distance(on_b) - apart).abs() < 1e-5, "{first}, {second}");
            let others = anything().exclude_subtree(mover);
            let hit = world.cast_shape(brush.shape(), &from, (on_a - on_b) * 2.0, &others);
            let hit = hit.unwrap_or_else(|| panic!("{second} is cast past {first}"));
            assert!((hit.distance - apart).abs() < 1e-4, "{first}, {second}: {hit:?}, {apart}");
            let moved = scene.move_and_collide(mover, (on_a - on_b) * 2.0, &MoveOptions::default()).unwrap();
            assert!((moved.travel.length() - apart).abs() < 0.02, "{first}, {second}: {moved:?}, {apart}");
            let left = scene.world().distance(a, b).unwrap();
            assert!((0.0..0.02).contains(&left), "{first}, {second}: {left}");
        }
    }
}

#[test]
fn a_seam_pushes_a_mover_once_whatever_it_is_made_of() {
    // DC-1
    let boxes = [Rect::new(10.0, 2.0).at(vec2(-5.0, 0.0)), Rect::new(10.0, 2.0).at(vec2(5.0, 0.0))];
    let floors: [Attachment; 3] = [
        Compound::new(boxes).unwrap().into(),
        Polyline::new(&[vec2(10.0, 1.0), vec2(0.0, 1.0), vec2(-10.0, 1.0)]).unwrap().into(),
        Tiles::new(20, 2, Vec2::ONE, |_, _| true).into(),
    ];
    for (index, floor) in floors.into_iter().enumerate() {
        let mut scene = Scene::new();
        put(&mut scene, if index == 2 { at(-10.0, -1.0) } else { at(0.0, 0.0) }, floor);
        let (mover, _) = put(&mut scene, at(0.0, 1.75), Rect::new(2.0, 2.0));
        let pushed = scene.depenetrate(mover, &anything()).unwrap();
        assert!(pushed.x.abs() < 1e-4 && (0.25..0.27).contains(&pushed.y), "{pushed}");
        let place = scene.world().position(mover).unwrap();
        assert!((2.0..2.02).contains(&place.y), "{place}");
    }
}

#[test]
fn what_stands_at_a_wall_moves_along_it_freely() {
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
        put(&mut scene, if index == 3 { at(-1.0, -20.0) } else { at(0.0, 0.0) }, wall);
        let (mover, _) = put(&mut scene, at(2.0, -8.0), Circle::new(1.0));
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
fn moves_and_casts_know_where_everything_is_now() {
    // RA-2
    let mut scene = Scene::new();
    let (wall, _) = put(&mut scene, at(5.0, 0.0), unit());
    let (mover, _) = put(&mut scene, at(0.0, 0.0), Circle::new(1.0));
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
fn a_scaled_mover_is_stopped_as_it_is_seen() {
    // JP-B12, JP-B15: one radius is not the other, and a negative one is none
    for (scale, reach) in [(vec2(1.0, 3.0), 1.0), (vec2(3.0, 1.0), 3.0), (vec2(-1.0, -3.0), 1.0)] {
        let mut scene = Scene::new();
        put(&mut scene, at(9.0, 0.0), unit());
        let (mover, _) = put(&mut scene, Transform::from_scale(scale), Circle::new(1.0));
        let moved = scene.move_and_slide(mover, vec2(20.0, 0.0), &MoveOptions::default()).unwrap();
        assert!((moved.travel.x - (8.0 - reach)).abs() < 0.02, "{scale}: {moved:?}");
    }
}

#[test]
fn every_row_of_the_list_has_a_test() {
    let rows = "JP-B1 JP-B2 JP-B3 JP-B4 JP-B5 JP-B6 JP-B7 JP-B8 JP-B9 JP-B10 JP-B11 JP-B12 JP-B13 JP-B14 JP-B15 JP-B16 \
        JP-B17 JP-B18 JP-P1 JP-S2 JP-ok 000-1 000-2 001-1 001-2 001-3 002-1 002-2 002-3 004-1 004-2 EX-1 EX-2 EX-3 EX-4 \
        EX-5 EX-6 FL-1 FL-2 GD-1 GD-2 DC-1 PA-1 PA-2 PA-3 PA-4 RA-1 RA-2 RA-3 AV-1 BX-1 BX-2 BE-1 QT-1 GO-1";
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
