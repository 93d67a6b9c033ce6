//! Debug drawing of scenes and queries. The drawn outline is the shape that the queries test.

use std::collections::BTreeMap;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, ColliderId, CollisionLayers, Compound, DebugGeometry, DebugKind,
    DebugOptions, DebugPalette, DebugQuery, DebugState, Node, NodeCollider, Polygon, Polyline, QueryFilter, Rect,
    Scene, Tile, Tiles, Transform, World,
};
use proptest::prelude::*;
use support::{cases, test_collider};

/// The kind, colour, collider and lines of every drawn shape.
type Drawing = Vec<(DebugKind, [f32; 4], Option<ColliderId>, Vec<(Vec2, Vec2)>)>;

fn drawing(world: World<'_>, options: &DebugOptions) -> Drawing {
    let mut drawing = Vec::new();
    world.debug_draw(options, |shape| {
        let mut lines = Vec::new();
        shape.lines(|a, b| lines.push((a, b)));
        drawing.push((shape.kind, shape.color, shape.collider, lines));
    });
    drawing
}

/// Returns options that draw nothing.
fn all_off() -> DebugOptions {
    DebugOptions { shapes: false, ..DebugOptions::default() }
}

fn add_at(scene: &mut Scene, x: f32, attachment: impl Into<Attachment>) -> ColliderId {
    scene.add_with(Node::new("n").with_position(vec2(x, 0.0)), attachment).1
}

fn states(scene: &mut Scene) -> BTreeMap<ColliderId, DebugState> {
    let drawing = drawing(scene.world(), &DebugOptions::default());
    let state = |kind| if let DebugKind::Collider(state) = kind { state } else { panic!("not a collider: {kind:?}") };
    drawing.into_iter().map(|(kind, _, id, _)| (id.unwrap(), state(kind))).collect()
}

#[test]
fn rgba8_rounds_and_clamps_each_channel_to_a_byte() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("n"), Circle::new(1.0));
    let mut bytes_of = |color: [f32; 4]| {
        let mut bytes = None;
        scene.world().debug_draw(
            &DebugOptions { palette: DebugPalette::uniform(color), ..DebugOptions::default() },
            |shape| {
                bytes = Some(shape.rgba8());
            },
        );
        bytes.unwrap()
    };
    assert_eq!(bytes_of([0.0, 1.0, 0.5, 0.25]), [0, 255, 128, 64]);
    assert_eq!(bytes_of([-1.0, 7.0, f32::NAN, f32::INFINITY]), [0, 255, 0, 255]);
    for byte in 0..=255_u8 {
        assert_eq!(bytes_of([f32::from(byte) / 255.0; 4]), [byte; 4]);
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_line_ends_on_the_boundary_of_the_tested_shape(body in test_collider()) {
        body.in_scene(|scene, id| {
            let world = scene.world();
            let drawing = drawing(world, &DebugOptions::default());
            prop_assert_eq!(drawing.len(), 1);
            let (kind, _, collider, lines) = &drawing[0];
            prop_assert_eq!((*kind, *collider), (DebugKind::Collider(DebugState::Solid), Some(id)));
            prop_assert!(!lines.is_empty());
            // The lower bound covers shapes whose scale flattens them to a point at the origin.
            let rounding = body.size() * 1e-6 + body.transform.position.abs().max_element() * f32::EPSILON;
            let tolerance = rounding.max(1e-20);
            let center = lines.iter().map(|(a, _)| *a).sum::<Vec2>() / lines.len() as f32;
            for (a, b) in lines {
                for end in [*a, *b] {
                    let distance = world.project_point(id, end).unwrap().distance;
                    prop_assert!(distance <= tolerance, "{end} is outside by {distance}");
                    // A short step away from the centre leaves the shape.
                    let beyond = end + (end - center).normalize_or(Vec2::X) * (4.0 * tolerance);
                    let leaves = !world.project_point(id, beyond).unwrap().inside;
                    prop_assert!(leaves || is_near_boundary(world, id, end, 64.0 * tolerance), "{end} is inside");
                }
            }
            let last = lines.last().unwrap().1;
            prop_assert!(lines.len() == 1 || last == lines[0].0, "the outline must be closed");
            prop_assert!(lines.windows(2).all(|pair| pair[0].1 == pair[1].0), "the lines must be connected");
            Ok(())
        })?;
    }

    #[test]
    fn the_outline_reaches_every_side_of_the_bounding_box(body in test_collider()) {
        body.in_scene(|scene, id| {
            let world = scene.world();
            let bounds = world.bounds(id).unwrap();
            let drawing = drawing(world, &DebugOptions::default());
            let drawn = Aabb::from_points(drawing[0].3.iter().flat_map(|(a, b)| [*a, *b]));
            // The outline of a curved shape is a polygon inside the curve, off by a thousandth of its size at most.
            let slack = body.size() * 4e-3 + bounds.max.abs().max(bounds.min.abs()).max_element() * 1e-6;
            let is_same = drawn.min.abs_diff_eq(bounds.min, slack) && drawn.max.abs_diff_eq(bounds.max, slack);
            prop_assert!(is_same, "{drawn:?} and {bounds:?}");
            Ok(())
        })?;
    }
}

/// Returns `true` if some point at `distance` from `point` is outside the collider.
fn is_near_boundary(world: World<'_>, id: ColliderId, point: Vec2, distance: f32) -> bool {
    (0..32_u8).any(|step| {
        let nearby = point + Vec2::from_angle(f32::from(step) * std::f32::consts::TAU / 32.0) * distance;
        !world.project_point(id, nearby).unwrap().inside
    })
}

#[test]
fn each_collider_is_drawn_with_its_state() {
    let mut scene = Scene::new();
    let solid = add_at(&mut scene, 0.0, Circle::new(1.0));
    let sensor = add_at(&mut scene, 10.0, Attachment::new(Circle::new(1.0)).sensor());
    let pair = [20.0, 21.0].map(|x| add_at(&mut scene, x, Circle::new(1.0)));
    let disabled = add_at(&mut scene, 30.0, Attachment::new(Circle::new(1.0)).with_enabled(false));
    let under_disabled_node = add_at(&mut scene, 40.0, Circle::new(1.0));
    let quarantined = add_at(&mut scene, 50.0, Circle::new(1.0));
    let node = scene.node_of(under_disabled_node).unwrap();
    scene[node].enabled = false;
    assert_eq!(states(&mut scene)[&pair[0]], DebugState::Solid, "the touching state must be that of the last update");
    scene.update();
    let node = scene.node_of(quarantined).unwrap();
    scene[node].transform.position.x = f32::NAN;
    let states = states(&mut scene);
    assert_eq!(states.len(), 7);
    let expected = [
        (solid, DebugState::Solid),
        (sensor, DebugState::Sensor),
        (pair[0], DebugState::Touching),
        (pair[1], DebugState::Touching),
        (disabled, DebugState::Disabled),
        (under_disabled_node, DebugState::Disabled),
        (quarantined, DebugState::Quarantined),
    ];
    for (id, state) in expected {
        assert_eq!(states[&id], state);
    }
}

#[test]
fn colliders_that_stopped_touching_are_drawn_as_solid() {
    let mut scene = Scene::new();
    let [a, b] = [0.0, 1.0].map(|x| add_at(&mut scene, x, Circle::new(1.0)));
    scene.update();
    assert_eq!(states(&mut scene)[&a], DebugState::Touching);
    let node = scene.node_of(b).unwrap();
    scene[node].transform.position.x = 9.0;
    scene.update();
    assert_eq!(states(&mut scene).into_values().collect::<Vec<_>>(), [DebugState::Solid; 2]);
}

#[test]
fn a_quarantined_collider_is_drawn_at_its_last_valid_transform() {
    let mut scene = Scene::new();
    let id = add_at(&mut scene, 50.0, Rect::new(2.0, 2.0));
    let before = drawing(scene.world(), &DebugOptions::default());
    let node = scene.node_of(id).unwrap();
    scene[node].transform.scale = Vec2::NAN;
    let after = drawing(scene.world(), &DebugOptions::default());
    assert_eq!(before[0].3, after[0].3);
    let never_valid = add_at(&mut scene, f32::NAN, Circle::new(1.0));
    assert!(drawing(scene.world(), &DebugOptions::default()).iter().all(|shape| shape.2 != Some(never_valid)));
}

#[test]
fn a_collider_whose_own_box_overflows_is_not_drawn() {
    let mut scene = Scene::new();
    let id = add_at(&mut scene, 50.0, Rect::new(2.0, 2.0));
    scene.update();
    let node = scene.node_of(id).unwrap();
    scene[node].transform.scale = Vec2::MAX;
    scene.update();
    assert_eq!(scene.quarantined(), [node]);
    assert!(drawing(scene.world(), &DebugOptions::default()).is_empty());
    scene[node].transform.scale = Vec2::ONE;
    assert_eq!(states(&mut scene)[&id], DebugState::Solid);
}

#[test]
fn each_option_draws_its_own_kind_in_its_own_palette_colour() {
    let mut scene = Scene::new();
    let a = add_at(&mut scene, 0.0, Rect::new(2.0, 2.0));
    let b = add_at(&mut scene, 1.5, Rect::new(2.0, 2.0));
    scene.update();
    let palette = numbered_palette();
    let all_off = DebugOptions { palette, ..all_off() };
    assert!(drawing(scene.world(), &all_off).is_empty());

    let shapes = drawing(scene.world(), &DebugOptions { shapes: true, ..all_off });
    let touching = DebugKind::Collider(DebugState::Touching);
    assert_eq!(
        shapes.iter().map(|shape| (shape.0, shape.2)).collect::<Vec<_>>(),
        [(touching, Some(a)), (touching, Some(b))]
    );
    assert!(shapes.iter().all(|shape| shape.1[0] == 2.0 && shape.3.len() == 4));

    let bounds = drawing(scene.world(), &DebugOptions { bounds: true, ..all_off });
    assert_eq!(bounds.len(), 2);
    for (kind, color, id, lines) in &bounds {
        assert_eq!((*kind, color[0]), (DebugKind::Bounds, 5.0));
        let corners = Aabb::from_points(lines.iter().map(|line| line.0));
        assert_eq!(Some(corners), scene.world().bounds(id.unwrap()));
    }

    let contacts = drawing(scene.world(), &DebugOptions { contacts: true, ..all_off });
    assert!(contacts.iter().all(|shape| (shape.0, shape.1[0], shape.2) == (DebugKind::Contact, 6.0, Some(a))));
    let contact = scene.world().contact(a, b).unwrap();
    let middles: Vec<Vec2> = contacts.iter().map(|shape| (shape.3[0].0 + shape.3[0].1) * 0.5).collect();
    assert!(middles.len() == 2 && middles.iter().zip(contact.points()).all(|(a, b)| a.abs_diff_eq(*b, 1e-6)));

    let normals = drawing(scene.world(), &DebugOptions { normals: true, ..all_off });
    assert_eq!(normals.len(), 2);
    for ((kind, color, _, lines), point) in normals.iter().zip(contact.points()) {
        assert_eq!((*kind, color[0]), (DebugKind::Normal, 7.0));
        assert_eq!(lines[0].0, *point);
        assert!((lines[0].1 - lines[0].0).abs_diff_eq(contact.normal * contact.depth, 1e-6));
    }

    let index = drawing(scene.world(), &DebugOptions { index: true, ..all_off });
    assert!(!index.is_empty());
    assert!(index.iter().all(|shape| (shape.0, shape.1[0], shape.2) == (DebugKind::Index, 8.0, None)));
}

#[test]
fn every_collider_is_inside_at_least_two_index_boxes() {
    let mut scene = Scene::new();
    let ids: Vec<ColliderId> = (0..200_u8).map(|i| add_at(&mut scene, f32::from(i) * 3.0, Circle::new(1.0))).collect();
    scene.update();
    let mut boxes = Vec::new();
    scene.world().debug_draw(&DebugOptions { index: true, ..all_off() }, |shape| {
        let DebugGeometry::Aabb(bounds) = shape.geometry else { panic!("{shape:?}") };
        boxes.push(bounds);
    });
    assert!(boxes.len() >= 25);
    let world = scene.world();
    for id in ids {
        let bounds = world.bounds(id).unwrap();
        let containing = boxes.iter().filter(|outer| outer.union(bounds) == **outer).count();
        assert!(containing >= 2, "the box of its index node and the root's box must contain it");
    }
    assert_eq!(world.in_aabb(Aabb::EVERYTHING, &QueryFilter::default()).len(), 200);
}

#[test]
fn layers_and_subtree_options_limit_the_drawn_colliders() {
    let mut scene = Scene::new();
    let arm = scene.add(Node::new("arm"));
    let hand = scene.add_child(arm, Node::new("hand")).unwrap();
    let on_arm = scene.attach(arm, Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::new(1, 1))).unwrap();
    let on_hand =
        scene.attach(hand, Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::new(2, 2))).unwrap();
    let other = add_at(&mut scene, 0.5, Circle::new(1.0));
    scene.update();
    let mut drawn = |options: DebugOptions| -> Vec<ColliderId> {
        let mut ids: Vec<ColliderId> = drawing(scene.world(), &options).iter().filter_map(|shape| shape.2).collect();
        ids.dedup();
        ids
    };
    assert_eq!(drawn(DebugOptions::default()), [on_arm, on_hand, other]);
    assert_eq!(drawn(DebugOptions { subtree: Some(arm), ..DebugOptions::default() }), [on_arm, on_hand]);
    assert_eq!(drawn(DebugOptions { subtree: Some(hand), ..DebugOptions::default() }), [on_hand]);
    let layers = CollisionLayers::new(u32::MAX, 1);
    assert_eq!(drawn(DebugOptions { layers, ..DebugOptions::default() }), [on_arm, other]);
    let contacts = DebugOptions { contacts: true, subtree: Some(hand), ..all_off() };
    assert_eq!(drawn(contacts), [on_hand], "a contact with a hidden collider must be drawn");
}

#[test]
fn a_region_limits_the_drawing_to_colliders_and_pieces_that_overlap_it() {
    let mut scene = Scene::new();
    let ids = [0.0, 1.5, 30.0, 31.5].map(|x| add_at(&mut scene, x, Circle::new(1.0)));
    let stairs = Tiles::new(200, 200, Vec2::ONE, |column, row| column == row);
    let (_, stairs) = scene.add_with(Node::new("stairs").with_position(vec2(0.0, 50.0)), stairs);
    scene.update();
    let all_on = DebugOptions { bounds: true, contacts: true, normals: true, index: true, ..DebugOptions::default() };
    let mut drawn_in = |region| {
        let drawing = drawing(scene.world(), &DebugOptions { region, ..all_on });
        let of = |id| drawing.iter().filter(|(_, _, collider, _)| *collider == Some(id)).count();
        (ids.map(of), of(stairs), drawing.iter().filter(|(kind, ..)| *kind == DebugKind::Index).count())
    };
    // A shape and a box each, and the points and the arrows of each contact, which count for the first of a pair.
    let (everything, pieces, boxes) = drawn_in(None);
    assert!(everything[0] > 2 && everything == [everything[0], 2, everything[0], 2] && pieces == 201 && boxes > 0);
    let (left, none, _) = drawn_in(Some(Aabb::new(vec2(-3.0, -3.0), vec2(9.0, 9.0))));
    assert_eq!((left, none), ([everything[0], 2, 0, 0], 0));
    let (_, near, _) = drawn_in(Some(Aabb::new(vec2(99.5, 149.5), vec2(102.5, 152.5))));
    assert!((5..20).contains(&near), "four steps and the box of all, not {near}");
    for empty in [Aabb::EMPTY, Aabb { min: Vec2::NAN, max: Vec2::ONE }] {
        assert_eq!(drawn_in(Some(empty)), ([0; 4], 0, 0));
    }
}

#[test]
fn options_and_world_predicates_hide_sensors_disabled_and_excluded_colliders() {
    let mut scene = Scene::new();
    let solid = add_at(&mut scene, 0.0, Circle::new(1.0));
    let sensor = add_at(&mut scene, 0.5, Attachment::new(Circle::new(9.0)).sensor());
    let disabled = add_at(&mut scene, 1.0, Attachment::new(Circle::new(1.0)).with_enabled(false));
    scene.update();
    let world = scene.world();
    let drawn = |world: World<'_>, options: DebugOptions| -> Vec<ColliderId> {
        drawing(world, &options).iter().filter_map(|shape| shape.2).collect()
    };
    assert_eq!(drawn(world, DebugOptions::default()), [solid, sensor, disabled]);
    assert_eq!(drawn(world, DebugOptions { sensors: false, ..DebugOptions::default() }), [solid, disabled]);
    assert_eq!(drawn(world, DebugOptions { disabled: false, ..DebugOptions::default() }), [solid, sensor]);
    let not_solid = |other: NodeCollider| other.collider != solid;
    assert_eq!(drawn(world.only(&not_solid), DebugOptions::default()), [sensor, disabled]);
    assert_eq!(drawn(world.only(&not_solid), DebugOptions { bounds: true, ..all_off() }), [sensor, disabled]);
    let contacts = DebugOptions { contacts: true, ..all_off() };
    let no_collider = |_: NodeCollider| false;
    assert!(!drawn(world.only(&not_solid), contacts).is_empty(), "a contact with a hidden collider must be drawn");
    assert!(drawn(world.only(&no_collider), contacts).is_empty());
}

#[test]
fn a_collider_of_size_zero_is_drawn_as_one_line_of_length_zero() {
    let mut scene = Scene::new();
    let (node, _) = scene.add_with(Node::new("n").with_position(vec2(3.0, 4.0)), Circle::new(0.0));
    for shape in [Attachment::new(Rect::new(0.0, 0.0)), Polygon::convex(&[Vec2::ZERO]).unwrap().into()] {
        scene.attach(node, shape).unwrap();
    }
    for (.., lines) in drawing(scene.world(), &DebugOptions::default()) {
        assert_eq!(lines, [(vec2(3.0, 4.0), vec2(3.0, 4.0))]);
    }
}

/// Returns a palette in which the red of each kind is its number: the states of colliders, then the other kinds.
fn numbered_palette() -> DebugPalette {
    let number = |number: u8| [f32::from(number), 0.0, 0.0, 1.0];
    let mut palette = DebugPalette::default();
    (palette.solid, palette.sensor, palette.touching) = (number(0), number(1), number(2));
    (palette.disabled, palette.quarantined, palette.bounds) = (number(3), number(4), number(5));
    (palette.contact, palette.normal, palette.index) = (number(6), number(7), number(8));
    palette.query = number(9);
    palette
}

/// Draws a query and returns the collider and the lines of each shape.
fn draw_query(query: DebugQuery<'_>) -> Vec<(Option<ColliderId>, Vec<(Vec2, Vec2)>)> {
    let palette = numbered_palette();
    let mut drawing = Vec::new();
    query.draw(&DebugOptions { palette, ..DebugOptions::default() }, |shape| {
        assert_eq!((shape.kind, shape.color[0]), (DebugKind::Query, 9.0));
        let mut lines = Vec::new();
        shape.lines(|a, b| lines.push((a, b)));
        drawing.push((shape.collider, lines));
    });
    drawing
}

#[test]
fn a_ray_is_drawn_up_to_its_hit_with_the_hit_normal() {
    let mut scene = Scene::new();
    let target = add_at(&mut scene, 10.0, Rect::new(2.0, 2.0));
    let (origin, direction, all) = (vec2(0.0, 0.5), vec2(3.0, 0.0), QueryFilter::default());
    let mut ray = |direction: Vec2, max_distance: f32| {
        let hit = scene.world().cast_ray(origin, direction, max_distance, &all);
        draw_query(DebugQuery::Ray { origin, direction, max_distance, hit })
    };
    let [path, cross, normal] = &ray(direction, 20.0)[..] else { panic!("not three shapes") };
    assert_eq!((path.0, path.1[0]), (None, (origin, vec2(9.0, 0.5))));
    assert_eq!((cross.0, normal.0), (Some(target), Some(target)));
    assert_eq!(normal.1[0].0, vec2(9.0, 0.5));
    assert!(normal.1[0].1.x < 9.0 && normal.1[0].1.y == 0.5, "the normal must face the origin of the ray");
    assert_eq!(ray(direction, 5.0)[0].1[0].1, vec2(5.0, 0.5), "a ray that misses is drawn up to its maximal distance");
    assert_eq!(ray(direction, f32::INFINITY)[0].1[0].1, vec2(9.0, 0.5));
    assert_eq!(
        ray(-direction, f32::INFINITY)[0].1[0].1,
        vec2(-3.0, 0.5),
        "an infinite ray that misses has the length of its direction"
    );
    assert!(ray(Vec2::NAN, 5.0).is_empty() && ray(direction, f32::NAN).len() == 1);
}

#[test]
fn a_ray_is_drawn_however_short_or_long_its_direction_is() {
    let origin = Vec2::ZERO;
    for length in [1e-30, 1e30] {
        let drawing =
            draw_query(DebugQuery::Ray { origin, direction: vec2(length, 0.0), max_distance: 5.0, hit: None });
        assert_eq!(drawing[0].1, [(origin, vec2(5.0, 0.0))]);
        let drawing = draw_query(DebugQuery::Ray {
            origin,
            direction: vec2(length, 0.0),
            max_distance: f32::INFINITY,
            hit: None,
        });
        assert_eq!(drawing[0].1, [(origin, vec2(length, 0.0))]);
    }
}

/// Asserts that the lines equal the expected ones up to rounding.
fn assert_lines(lines: &[(Vec2, Vec2)], expected: &[[f32; 4]]) {
    let ends: Vec<[f32; 4]> = lines.iter().map(|(a, b)| [a.x, a.y, b.x, b.y]).collect();
    let close = |(a, b): (&[f32; 4], &[f32; 4])| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(ends.len() == expected.len() && ends.iter().zip(expected).all(close), "{ends:?}, expected {expected:?}");
}

#[test]
fn crosses_and_arrows_scale_with_the_drawn_query() {
    let mut scene = Scene::new();
    add_at(&mut scene, 10.0, Rect::new(2.0, 2.0));
    let mut ray = |x: f32, max_distance: f32| {
        let (origin, direction) = (vec2(x, 0.5), Vec2::X);
        let hit = scene.world().cast_ray(origin, direction, max_distance, &QueryFilter::default());
        draw_query(DebugQuery::Ray { origin, direction, max_distance, hit })
    };
    // The normal's length is a fifth of the ray's. The cross reaches 0.15 of that to each side, the arrow head 0.25.
    let hit = ray(-1.0, 20.0);
    assert_lines(&hit[1].1, &[[8.7, 0.2, 9.3, 0.8], [8.7, 0.8, 9.3, 0.2]]);
    assert_lines(&hit[2].1, &[[9.0, 0.5, 7.0, 0.5], [7.0, 0.5, 7.5, 0.75], [7.0, 0.5, 7.5, 0.25]]);
    // A huge and a tiny query have finite marks.
    for scale in [1e-30, 1e30] {
        let mut scene = Scene::new();
        add_at(&mut scene, 5.0 * scale, Circle::new(scale));
        let hit = scene.world().cast_ray(Vec2::ZERO, Vec2::X, 20.0 * scale, &QueryFilter::default());
        let ray =
            draw_query(DebugQuery::Ray { origin: Vec2::ZERO, direction: Vec2::X, max_distance: 20.0 * scale, hit });
        let (low, high) = ray[1].1[0];
        assert!(low.is_finite() && high.is_finite() && low != high, "from {low} to {high}");
    }
    // A ray that starts inside has length zero, so the length of its direction determines the size.
    for max_distance in [20.0, f32::MAX] {
        let inside = ray(10.0, max_distance);
        assert_lines(&inside[1].1, &[[9.97, 0.47, 10.03, 0.53], [9.97, 0.53, 10.03, 0.47]]);
    }

    let region = draw_query(DebugQuery::Region(Aabb::new(vec2(-1.0, -2.0), vec2(3.0, 4.0))));
    let outline = [[-1.0, -2.0, 3.0, -2.0], [3.0, -2.0, 3.0, 4.0], [3.0, 4.0, -1.0, 4.0], [-1.0, 4.0, -1.0, -2.0]];
    assert_lines(&region[0].1, &outline);
}

#[test]
fn a_shape_cast_is_drawn_with_its_start_end_displacement_and_hit() {
    let mut scene = Scene::new();
    let wall = add_at(&mut scene, 10.0, Rect::new(2.0, 20.0));
    let (shape, displacement) = (Rect::new(2.0, 2.0), vec2(16.0, 8.0));
    let hit = scene.world().cast_shape(&shape, &Affine2::IDENTITY, displacement, &QueryFilter::default());
    let drawn = draw_query(DebugQuery::ShapeCast { shape: &shape, at: Affine2::IDENTITY, displacement, hit });
    let center = |lines: &[(Vec2, Vec2)]| Aabb::from_points(lines.iter().map(|line| line.0)).center();
    let [start, end, path, cross, normal] = &drawn[..] else { panic!("{drawn:?}") };
    assert_eq!((center(&start.1), center(&end.1)), (Vec2::ZERO, vec2(8.0, 4.0)));
    assert_eq!(path.1[0], (Vec2::ZERO, vec2(8.0, 4.0)));
    let (from, to) = normal.1[0];
    assert_eq!((cross.0, normal.0, from), (Some(wall), Some(wall), vec2(9.0, 4.0)));
    assert!(to.abs_diff_eq(vec2(8.0, 4.0), 1e-5), "the normal must be half as long as the shape is wide");
    let missed = draw_query(DebugQuery::ShapeCast { shape: &shape, at: Affine2::IDENTITY, displacement, hit: None });
    assert_eq!((missed.len(), center(&missed[1].1)), (3, displacement));
}

#[test]
fn shape_region_and_nearest_queries_draw_their_inputs_and_results() {
    let mut scene = Scene::new();
    let target = add_at(&mut scene, 4.0, Circle::new(1.0));
    let polyline = Polyline::new(&[Vec2::ZERO, vec2(1.0, 0.0), vec2(1.0, 1.0)]).unwrap();
    let drawn = draw_query(DebugQuery::Shape { shape: &polyline, at: Affine2::from_translation(vec2(5.0, 0.0)) });
    assert_eq!(drawn.iter().map(|piece| piece.1[0].0).collect::<Vec<_>>(), [vec2(5.0, 0.0), vec2(6.0, 0.0)]);
    assert!(draw_query(DebugQuery::Shape { shape: &polyline, at: Affine2::from_translation(Vec2::NAN) }).is_empty());

    let region = Aabb::new(vec2(-1.0, -2.0), vec2(3.0, 4.0));
    let drawn = draw_query(DebugQuery::Region(region));
    assert_eq!(Aabb::from_points(drawn[0].1.iter().map(|line| line.0)), region);
    assert!(draw_query(DebugQuery::Region(Aabb::EVERYTHING)).is_empty());

    let found = scene.world().nearest(Vec2::ZERO, 9.0, &QueryFilter::default());
    let drawn = draw_query(DebugQuery::Nearest { point: Vec2::ZERO, near: found });
    assert_eq!((drawn[0].0, drawn[0].1[0]), (Some(target), (Vec2::ZERO, vec2(3.0, 0.0))));
    assert!(draw_query(DebugQuery::Nearest { point: Vec2::ZERO, near: None }).is_empty());
}

#[test]
fn a_contact_that_ended_after_the_last_update_is_not_drawn() {
    let mut scene = Scene::new();
    let a = add_at(&mut scene, 0.0, Circle::new(1.0));
    add_at(&mut scene, 1.0, Circle::new(1.0));
    let contacts = DebugOptions { contacts: true, ..all_off() };
    assert!(drawing(scene.world(), &contacts).is_empty(), "contacts exist only after an update");
    scene.update();
    assert_eq!(drawing(scene.world(), &contacts).len(), 1);
    let node = scene.node_of(a).unwrap();
    scene[node].transform.position.x = -9.0;
    assert!(drawing(scene.world(), &contacts).is_empty());
    scene.remove(node);
    assert!(drawing(scene.world(), &contacts).is_empty());
}

#[test]
fn a_contact_of_a_pair_that_may_no_longer_touch_is_not_drawn() {
    let changes: [(&str, fn(&mut Scene, [ColliderId; 2])); 4] = [
        ("disabled", |scene, [a, _]| {
            let node = scene.node_of(a).unwrap();
            scene[node].enabled = false;
        }),
        ("other layers", |scene, [a, _]| scene.attachment_mut(a).unwrap().layers = CollisionLayers::NONE),
        ("ignored", |scene, pair| {
            let [a, b] = pair.map(|id| scene.node_of(id).unwrap());
            scene.ignore_pair(a, b).unwrap();
        }),
        ("one owner", |scene, [a, b]| {
            let [a, b] = [a, b].map(|id| scene.node_of(id).unwrap());
            scene[a].owns_subtree = true;
            scene.set_parent_in_place(b, a).unwrap();
        }),
    ];
    for (name, change) in changes {
        let mut scene = Scene::new();
        let pair = [0.0, 1.0].map(|x| add_at(&mut scene, x, Circle::new(1.0)));
        scene.update();
        change(&mut scene, pair);
        assert_eq!(scene.world().contacts(), [], "{name}");
        let drawn = drawing(scene.world(), &DebugOptions { contacts: true, ..all_off() });
        assert!(drawn.is_empty(), "{name}: {drawn:?}");
    }
}

#[test]
fn by_default_a_collider_that_may_touch_nothing_is_drawn() {
    let mut scene = Scene::new();
    add_at(&mut scene, 0.0, Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::NONE));
    assert_eq!(drawing(scene.world(), &DebugOptions::default()).len(), 1);
    let layers = CollisionLayers::new(1, 1);
    assert!(drawing(scene.world(), &DebugOptions { layers, ..DebugOptions::default() }).is_empty());
}

/// Returns the lines of a collider under a transform, without or with seams.
fn lines_of(attachment: impl Into<Attachment>, transform: Transform, seams: bool) -> Vec<[Vec2; 2]> {
    let mut scene = Scene::new();
    let node = scene.add(Node::new("shape").with_transform(transform));
    scene.attach(node, attachment).unwrap();
    let mut lines = Vec::new();
    let options = DebugOptions { seams, ..DebugOptions::default() };
    scene.world().debug_draw(&options, |shape| shape.lines(|a, b| lines.push([a, b])));
    lines
}

fn total_length(lines: &[[Vec2; 2]]) -> f32 {
    lines.iter().map(|[a, b]| a.distance(*b)).sum()
}

#[test]
fn the_lines_of_a_compound_without_seams_are_its_outline_in_every_frame() {
    let star = (0..10).map(|corner| Vec2::from_angle(0.628_318_5 * corner as f32) * [3.0, 1.2][corner % 2]);
    let star: Vec<Vec2> = star.collect();
    let outline = Compound::from_outline(&star).unwrap();
    assert!(outline.pieces().len() > 1);
    for transform in [
        Transform::default(),
        Transform::default().with_position(vec2(900.0, -70.0)).with_rotation(0.7),
        Transform::default().with_scale(vec2(-2.0, 0.5)).with_skew(0.4),
    ] {
        let image = star.iter().map(|point| transform.to_affine().transform_point2(*point));
        let image: Vec<Vec2> = image.collect();
        let sides = (0..10).map(|side| [image[side], image[(side + 1) % 10]]);
        let perimeter = total_length(&sides.collect::<Vec<_>>());
        let border = total_length(&lines_of(outline.clone(), transform, false));
        assert!((border - perimeter).abs() < 1e-3 * perimeter, "{transform:?}: {border} instead of {perimeter}");
        assert!(total_length(&lines_of(outline.clone(), transform, true)) > 1.1 * perimeter);
    }
}

#[test]
fn thin_pieces_leave_no_seams() {
    // The region below a wave, whose pieces are thin triangles with a common corner.
    let wave = (0..=60).map(|step| 0.1 * step as f32).map(|x| vec2(x, 0.4 * (2.0 * x).sin()));
    let outline: Vec<Vec2> = wave.chain([vec2(6.0, -3.0), vec2(0.0, -3.0)]).collect();
    let sides = (0..outline.len()).map(|side| [outline[side], outline[(side + 1) % outline.len()]]);
    let perimeter = total_length(&sides.collect::<Vec<_>>());
    let lines = lines_of(Compound::from_outline(&outline).unwrap(), Transform::default(), false);
    assert!((total_length(&lines) - perimeter).abs() < 1e-3 * perimeter, "{}", total_length(&lines));
}

#[test]
fn no_line_without_seams_is_inside_another_piece() {
    let [low, high] = [Vec2::ZERO, vec2(1.5, 0.3)];
    let balls = Compound::new([Circle::new(1.0).at(low), Circle::new(1.0).at(high)]).unwrap();
    let lines = lines_of(balls, Transform::default(), false);
    assert!(lines.len() > 20);
    for [a, b] in &lines {
        let middle = a.midpoint(*b);
        assert!(low.distance(middle) > 0.99 && high.distance(middle) > 0.99, "{middle} is inside");
    }
    // Two arcs, each of the circle without the part inside the other circle.
    let covered = 2.0 * (low.distance(high) / 2.0).acos();
    let expected = 2.0 * (std::f32::consts::TAU - covered);
    assert!((total_length(&lines) - expected).abs() < 0.01 * expected, "{}", total_length(&lines));
}

#[test]
fn flush_borders_and_single_pieces_keep_all_their_lines() {
    // Their lower sides are on one line and overlap by 1.
    let boxes = [Rect::new(4.0, 2.0).at(vec2(0.0, 1.0)), Rect::new(4.0, 3.0).at(vec2(3.0, 1.5))];
    let lines = lines_of(Compound::new(boxes).unwrap(), Transform::default(), false);
    let lowest: Vec<_> = lines.iter().filter(|[a, b]| a.y == 0.0 && b.y == 0.0).copied().collect();
    assert_eq!(total_length(&lowest), 8.0);
    assert!((total_length(&lines) - 21.0).abs() < 1e-3, "{lines:?}");
    let apart = Compound::new([Rect::new(1.0, 1.0), Rect::new(1.0, 1.0).at(vec2(3.0, 0.0))]).unwrap();
    let all = lines_of(apart.clone(), Transform::default(), true);
    assert_eq!(lines_of(apart, Transform::default(), false), all);
    let tiles = Tiles::new(3, 2, Vec2::ONE, |column, row| column != 1 || row == 0);
    let border = total_length(&lines_of(tiles, Transform::default(), false));
    assert!((border - 12.0).abs() < 1e-3, "{border}");
}

#[test]
fn seams_are_found_at_any_scale_and_far_from_the_origin() {
    let corner = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 4.0), vec2(0.0, 4.0)];
    let corner = Compound::from_outline(&corner).unwrap();
    for exponent in (-35..=37).step_by(4) {
        let scale = 10_f32.powi(exponent);
        let lines = lines_of(corner.clone(), Transform::default().with_scale(Vec2::splat(scale)), false);
        let length: f64 = lines.iter().map(|[a, b]| a.as_dvec2().distance(b.as_dvec2())).sum();
        assert!((length / f64::from(scale) - 16.0).abs() < 1e-3, "{length} at a scale of {scale}");
    }
    let far = Transform::default().with_position(vec2(1e6, 0.0));
    let apart = Tiles::new(3, 1, Vec2::ONE, |column, _| column != 1);
    assert_eq!(total_length(&lines_of(apart, far, false)), 8.0);
    let slope = |column| if column == 0 { Tile::FULL } else { Tile::slope(1.0, 0.0) };
    let beside = Tiles::from_tiles(2, 1, Vec2::ONE, |column, _| slope(column)).unwrap();
    let border = total_length(&lines_of(beside, far, false));
    assert!((border - 4.0 - 2_f32.sqrt()).abs() < 0.1, "{border}");
}

/// No convex shape: its support point jumps with every bit of the direction.
#[derive(Debug, Clone)]
struct Noise;

impl Collider for Noise {
    fn support(&self, direction: Vec2) -> Vec2 {
        let bits = direction.x.to_bits().wrapping_mul(0x9e37_79b9) ^ direction.y.to_bits().wrapping_mul(0x85eb_ca6b);
        Vec2::from_angle(bits as f32 * 1e-6)
    }
}

#[test]
fn a_support_that_jumps_with_the_direction_draws_a_limited_number_of_lines() {
    let lines = lines_of(Noise, Transform::IDENTITY, true);
    assert!((16..10_000).contains(&lines.len()), "{}", lines.len());
}

#[derive(Debug, Clone)]
struct Diamond;

impl Collider for Diamond {
    fn support(&self, direction: Vec2) -> Vec2 {
        if direction.x.abs() > direction.y.abs() {
            vec2(direction.x.signum(), 0.0)
        } else {
            vec2(0.0, direction.y.signum())
        }
    }
}

#[test]
fn only_a_shape_without_size_has_a_line_of_length_zero() {
    let flat = Transform::IDENTITY.with_scale(vec2(1.0, 0.0));
    let shapes: [(Attachment, Transform, usize); 5] = [
        (Diamond.into(), Transform::IDENTITY, 4),
        (Rect::new(2.0, 0.0).into(), Transform::IDENTITY, 2),
        (Rect::new(2.0, 1.0).into(), flat, 2),
        (Capsule::new(-Vec2::X, Vec2::X, 0.0).into(), Transform::IDENTITY, 2),
        (Circle::new(1.0).into(), flat, 2),
    ];
    for (shape, transform, count) in shapes {
        let lines = lines_of(shape.clone(), transform, true);
        assert!((1..=count).contains(&lines.len()) && lines.iter().all(|[a, b]| a != b), "{shape:?}: {lines:?}");
    }
}
