//! What is drawn is what is tested.

mod support;

use std::collections::BTreeMap;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, ColliderId, CollisionLayers, DebugGeometry, DebugKind, DebugOptions, DebugQuery,
    DebugState, Node, Polygon, Polyline, QueryFilter, Rect, Scene, Side, World,
};
use proptest::prelude::*;
use support::{body, cases};

/// Everything that is drawn: kind, colour, collider, lines.
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

fn nothing() -> DebugOptions {
    DebugOptions { shapes: false, ..DebugOptions::default() }
}

fn put(scene: &mut Scene, x: f32, attachment: impl Into<Attachment>) -> ColliderId {
    scene.add_with(Node::new("n").with_position(vec2(x, 0.0)), attachment).1
}

fn states(scene: &mut Scene) -> BTreeMap<ColliderId, DebugState> {
    let drawing = drawing(scene.world(), &DebugOptions::default());
    let state = |kind| if let DebugKind::Collider(state) = kind { state } else { panic!("only colliders") };
    drawing.into_iter().map(|(kind, _, id, _)| (id.unwrap(), state(kind))).collect()
}

#[test]
fn colours_come_in_bytes_too() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("n"), Circle::new(1.0));
    let mut bytes_of = |color: [f32; 4]| {
        let mut bytes = None;
        scene.world().debug_draw(&DebugOptions { palette: [color; 10], ..DebugOptions::default() }, |shape| {
            bytes = Some(shape.rgba8());
        });
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
    fn every_line_end_lies_on_the_border_of_the_tested_shape(body in body()) {
        body.in_scene(|scene, id| {
            let world = scene.world();
            let drawing = drawing(world, &DebugOptions::default());
            prop_assert_eq!(drawing.len(), 1);
            let (kind, _, collider, lines) = &drawing[0];
            prop_assert_eq!((*kind, *collider), (DebugKind::Collider(DebugState::Solid), Some(id)));
            prop_assert!(!lines.is_empty());
            // Of a shape flattened to a point at the origin nothing else is left.
            let rounding = body.size() * 1e-6 + body.transform.position.abs().max_element() * f32::EPSILON;
            let tolerance = rounding.max(1e-20);
            let center = lines.iter().map(|(a, _)| *a).sum::<Vec2>() / lines.len() as f32;
            let mut around = Vec2::ZERO;
            for (a, b) in lines {
                for end in [*a, *b] {
                    let out = world.project_point(id, end).unwrap().distance;
                    prop_assert!(out <= tolerance, "{end} is {out} outside");
                    // A step away from the middle leaves the shape.
                    let beyond = end + (end - center).normalize_or(Vec2::X) * (4.0 * tolerance);
                    let is_border = !world.project_point(id, beyond).unwrap().inside || grazes(world, id, end, 64.0 * tolerance);
                    prop_assert!(is_border, "{end} is inside");
                }
                around += *b - *a;
            }
            let last = lines.last().unwrap().1;
            prop_assert!(lines.len() == 1 || last == lines[0].0, "the outline is closed");
            prop_assert!(lines.windows(2).all(|pair| pair[0].1 == pair[1].0), "and in one stroke");
            Ok(())
        })?;
    }

    #[test]
    fn the_outline_reaches_as_far_as_the_box(body in body()) {
        body.in_scene(|scene, id| {
            let world = scene.world();
            let bounds = world.bounds(id).unwrap();
            let drawing = drawing(world, &DebugOptions::default());
            let drawn = Aabb::from_points(drawing[0].3.iter().flat_map(|(a, b)| [*a, *b]));
            // A smooth shape's outline cuts its corners by a thousandth at most.
            let slack = body.size() * 4e-3 + bounds.max.abs().max(bounds.min.abs()).max_element() * 1e-6;
            prop_assert!(drawn.min.abs_diff_eq(bounds.min, slack) && drawn.max.abs_diff_eq(bounds.max, slack), "{drawn:?} in {bounds:?}");
            Ok(())
        })?;
    }
}

/// Whether some point this near is outside.
fn grazes(world: World<'_>, id: ColliderId, point: Vec2, reach: f32) -> bool {
    (0..32_u8).any(|step| {
        let beside = point + Vec2::from_angle(f32::from(step) * std::f32::consts::TAU / 32.0) * reach;
        !world.project_point(id, beside).unwrap().inside
    })
}

#[test]
fn a_collider_is_drawn_in_the_state_it_is_in() {
    let mut scene = Scene::new();
    let solid = put(&mut scene, 0.0, Circle::new(1.0));
    let sensor = put(&mut scene, 10.0, Attachment::new(Circle::new(1.0)).sensor());
    let pair = [20.0, 21.0].map(|x| put(&mut scene, x, Circle::new(1.0)));
    let off = put(&mut scene, 30.0, Attachment::new(Circle::new(1.0)).with_enabled(false));
    let off_node = put(&mut scene, 40.0, Circle::new(1.0));
    let bad = put(&mut scene, 50.0, Circle::new(1.0));
    let node = scene.node_of(off_node).unwrap();
    scene[node].enabled = false;
    assert_eq!(states(&mut scene)[&pair[0]], DebugState::Solid, "touching is as of the last update");
    scene.update();
    let node = scene.node_of(bad).unwrap();
    scene[node].transform.position.x = f32::NAN;
    let states = states(&mut scene);
    assert_eq!(states.len(), 7);
    let expected = [
        (solid, DebugState::Solid),
        (sensor, DebugState::Sensor),
        (pair[0], DebugState::Touching),
        (pair[1], DebugState::Touching),
        (off, DebugState::Disabled),
        (off_node, DebugState::Disabled),
        (bad, DebugState::SetAside),
    ];
    for (id, state) in expected {
        assert_eq!(states[&id], state);
    }
}

#[test]
fn what_ceased_to_touch_is_drawn_as_what_never_did() {
    let mut scene = Scene::new();
    let [a, b] = [0.0, 1.0].map(|x| put(&mut scene, x, Circle::new(1.0)));
    scene.update();
    assert_eq!(states(&mut scene)[&a], DebugState::Touching);
    let node = scene.node_of(b).unwrap();
    scene[node].transform.position.x = 9.0;
    scene.update();
    assert_eq!(states(&mut scene).into_values().collect::<Vec<_>>(), [DebugState::Solid; 2]);
}

#[test]
fn what_is_set_aside_is_drawn_where_it_was_last() {
    let mut scene = Scene::new();
    let id = put(&mut scene, 50.0, Rect::new(2.0, 2.0));
    let before = drawing(scene.world(), &DebugOptions::default());
    let node = scene.node_of(id).unwrap();
    scene[node].transform.scale = Vec2::NAN;
    let after = drawing(scene.world(), &DebugOptions::default());
    assert_eq!(before[0].3, after[0].3);
    let never = put(&mut scene, f32::NAN, Circle::new(1.0));
    assert!(drawing(scene.world(), &DebugOptions::default()).iter().all(|shape| shape.2 != Some(never)));
}

#[test]
fn every_option_adds_its_own_kind_in_its_own_colour() {
    let mut scene = Scene::new();
    let a = put(&mut scene, 0.0, Rect::new(2.0, 2.0));
    let b = put(&mut scene, 1.5, Rect::new(2.0, 2.0));
    scene.update();
    let palette = std::array::from_fn(|index| [index as f32, 0.0, 0.0, 1.0]);
    let nothing = DebugOptions { palette, ..nothing() };
    assert!(drawing(scene.world(), &nothing).is_empty());

    let shapes = drawing(scene.world(), &DebugOptions { shapes: true, ..nothing });
    let touching = DebugKind::Collider(DebugState::Touching);
    assert_eq!(
        shapes.iter().map(|shape| (shape.0, shape.2)).collect::<Vec<_>>(),
        [(touching, Some(a)), (touching, Some(b))]
    );
    assert!(shapes.iter().all(|shape| shape.1[0] == 2.0 && shape.3.len() == 4));

    let bounds = drawing(scene.world(), &DebugOptions { bounds: true, ..nothing });
    assert_eq!(bounds.len(), 2);
    for (kind, color, id, lines) in &bounds {
        assert_eq!((*kind, color[0]), (DebugKind::Bounds, 5.0));
        let corners = Aabb::from_points(lines.iter().map(|line| line.0));
        assert_eq!(Some(corners), scene.world().bounds(id.unwrap()));
    }

    let contacts = drawing(scene.world(), &DebugOptions { contacts: true, ..nothing });
    assert!(contacts.iter().all(|shape| (shape.0, shape.1[0], shape.2) == (DebugKind::Contact, 6.0, Some(a))));
    let contact = scene.world().contact(a, b).unwrap();
    let middles: Vec<Vec2> = contacts.iter().map(|shape| (shape.3[0].0 + shape.3[0].1) * 0.5).collect();
    assert!(middles.len() == 2 && middles.iter().zip(contact.points()).all(|(a, b)| a.abs_diff_eq(*b, 1e-6)));

    let normals = drawing(scene.world(), &DebugOptions { normals: true, ..nothing });
    assert_eq!(normals.len(), 2);
    for ((kind, color, _, lines), point) in normals.iter().zip(contact.points()) {
        assert_eq!((*kind, color[0]), (DebugKind::Normal, 7.0));
        assert_eq!(lines[0].0, *point);
        assert!((lines[0].1 - lines[0].0).abs_diff_eq(contact.normal * contact.depth, 1e-6));
    }

    let index = drawing(scene.world(), &DebugOptions { index: true, ..nothing });
    assert!(!index.is_empty());
    assert!(index.iter().all(|shape| (shape.0, shape.1[0], shape.2) == (DebugKind::Index, 8.0, None)));
}

#[test]
fn index_boxes_hold_all_that_takes_part() {
    let mut scene = Scene::new();
    let ids: Vec<ColliderId> = (0..200_u8).map(|i| put(&mut scene, f32::from(i) * 3.0, Circle::new(1.0))).collect();
    scene.update();
    let mut boxes = Vec::new();
    scene.world().debug_draw(&DebugOptions { index: true, ..nothing() }, |shape| {
        let DebugGeometry::Aabb(bounds) = shape.geometry else { panic!("{shape:?}") };
        boxes.push(bounds);
    });
    assert!(boxes.len() >= 25);
    let world = scene.world();
    for id in ids {
        let bounds = world.bounds(id).unwrap();
        let holders = boxes.iter().filter(|all| all.union(bounds) == **all).count();
        assert!(holders >= 2, "a box of its level, and the root's");
    }
    assert_eq!(world.in_aabb(Aabb::EVERYTHING, &QueryFilter::default()).len(), 200);
}

#[test]
fn layers_and_subtrees_narrow_the_drawing() {
    let mut scene = Scene::new();
    let arm = scene.add(Node::new("arm"));
    let hand = scene.add_child(arm, Node::new("hand")).unwrap();
    let on_arm = scene.attach(arm, Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::new(1, 1))).unwrap();
    let on_hand =
        scene.attach(hand, Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::new(2, 2))).unwrap();
    let other = put(&mut scene, 0.5, Circle::new(1.0));
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
    let contacts = DebugOptions { contacts: true, subtree: Some(hand), ..nothing() };
    assert_eq!(drawn(contacts), [on_hand], "the contact of what is drawn with what is not");
}

#[test]
fn sensors_disabled_colliders_and_what_a_world_leaves_out_are_not_drawn() {
    let mut scene = Scene::new();
    let solid = put(&mut scene, 0.0, Circle::new(1.0));
    let sensor = put(&mut scene, 0.5, Attachment::new(Circle::new(9.0)).sensor());
    let off = put(&mut scene, 1.0, Attachment::new(Circle::new(1.0)).with_enabled(false));
    scene.update();
    let world = scene.world();
    let drawn = |world: World<'_>, options: DebugOptions| -> Vec<ColliderId> {
        drawing(world, &options).iter().filter_map(|shape| shape.2).collect()
    };
    assert_eq!(drawn(world, DebugOptions::default()), [solid, sensor, off]);
    assert_eq!(drawn(world, DebugOptions { sensors: false, ..DebugOptions::default() }), [solid, off]);
    assert_eq!(drawn(world, DebugOptions { disabled: false, ..DebugOptions::default() }), [solid, sensor]);
    let only = |side: Side| side.collider != solid;
    assert_eq!(drawn(world.only(&only), DebugOptions::default()), [sensor, off]);
    assert_eq!(drawn(world.only(&only), DebugOptions { bounds: true, ..nothing() }), [sensor, off]);
    let contacts = DebugOptions { contacts: true, ..nothing() };
    let nobody = |_: Side| false;
    assert!(!drawn(world.only(&only), contacts).is_empty(), "the contact of what is drawn with what is not");
    assert!(drawn(world.only(&nobody), contacts).is_empty());
}

#[test]
fn a_collider_without_size_is_one_line_of_no_length() {
    let mut scene = Scene::new();
    let (node, _) = scene.add_with(Node::new("n").with_position(vec2(3.0, 4.0)), Circle::new(0.0));
    for shape in [Attachment::new(Rect::new(0.0, 0.0)), Polygon::convex(&[Vec2::ZERO]).unwrap().into()] {
        scene.attach(node, shape).unwrap();
    }
    for (.., lines) in drawing(scene.world(), &DebugOptions::default()) {
        assert_eq!(lines, [(vec2(3.0, 4.0), vec2(3.0, 4.0))]);
    }
}

/// What a question is drawn as: whose, and the lines.
fn question(query: DebugQuery<'_>) -> Vec<(Option<ColliderId>, Vec<(Vec2, Vec2)>)> {
    let palette = std::array::from_fn(|index| [index as f32, 0.0, 0.0, 1.0]);
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
fn a_ray_is_drawn_as_far_as_it_came_with_the_normal_of_what_it_hit() {
    let mut scene = Scene::new();
    let troll = put(&mut scene, 10.0, Rect::new(2.0, 2.0));
    let (origin, direction, all) = (vec2(0.0, 0.5), vec2(3.0, 0.0), QueryFilter::default());
    let mut ray = |direction: Vec2, max_distance: f32| {
        let hit = scene.world().cast_ray(origin, direction, max_distance, &all);
        question(DebugQuery::Ray { origin, direction, max_distance, hit })
    };
    let [way, mark, normal] = &ray(direction, 20.0)[..] else { panic!("a way and an answer") };
    assert_eq!((way.0, way.1[0]), (None, (origin, vec2(9.0, 0.5))));
    assert_eq!((mark.0, normal.0), (Some(troll), Some(troll)));
    assert_eq!(normal.1[0].0, vec2(9.0, 0.5));
    assert!(normal.1[0].1.x < 9.0 && normal.1[0].1.y == 0.5, "facing the asker");
    assert_eq!(ray(direction, 5.0)[0].1[0].1, vec2(5.0, 0.5), "hits nothing: as far as it was to go");
    assert_eq!(ray(direction, f32::INFINITY)[0].1[0].1, vec2(9.0, 0.5));
    assert_eq!(ray(-direction, f32::INFINITY)[0].1[0].1, vec2(-3.0, 0.5), "as long as its direction");
    assert!(ray(Vec2::NAN, 5.0).is_empty() && ray(direction, f32::NAN).len() == 1);
}

/// Whether lines are those, but for rounding.
fn assert_lines(lines: &[(Vec2, Vec2)], expected: &[[f32; 4]]) {
    let ends: Vec<[f32; 4]> = lines.iter().map(|(a, b)| [a.x, a.y, b.x, b.y]).collect();
    let close = |(a, b): (&[f32; 4], &[f32; 4])| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(ends.len() == expected.len() && ends.iter().zip(expected).all(close), "{ends:?} instead of {expected:?}");
}

#[test]
fn marks_arrows_and_boxes_are_lines_in_proportion() {
    let mut scene = Scene::new();
    put(&mut scene, 10.0, Rect::new(2.0, 2.0));
    let mut ray = |x: f32, max_distance: f32| {
        let (origin, direction) = (vec2(x, 0.5), Vec2::X);
        let hit = scene.world().cast_ray(origin, direction, max_distance, &QueryFilter::default());
        question(DebugQuery::Ray { origin, direction, max_distance, hit })
    };
    // The normal is a fifth of the way long, the mark 0.15 of that to each side, the head a quarter.
    let hit = ray(-1.0, 20.0);
    assert_lines(&hit[1].1, &[[8.7, 0.2, 9.3, 0.8], [8.7, 0.8, 9.3, 0.2]]);
    assert_lines(&hit[2].1, &[[9.0, 0.5, 7.0, 0.5], [7.0, 0.5, 7.5, 0.75], [7.0, 0.5, 7.5, 0.25]]);
    // From inside it came no way, so it counts how far it was to go.
    let inside = ray(10.0, 20.0);
    assert_lines(&inside[1].1, &[[9.4, -0.1, 10.6, 1.1], [9.4, 1.1, 10.6, -0.1]]);

    let region = question(DebugQuery::Region(Aabb::new(vec2(-1.0, -2.0), vec2(3.0, 4.0))));
    let around = [[-1.0, -2.0, 3.0, -2.0], [3.0, -2.0, 3.0, 4.0], [3.0, 4.0, -1.0, 4.0], [-1.0, 4.0, -1.0, -2.0]];
    assert_lines(&region[0].1, &around);
}

#[test]
fn a_cast_shape_is_drawn_where_it_starts_and_where_it_stops() {
    let mut scene = Scene::new();
    let wall = put(&mut scene, 10.0, Rect::new(2.0, 20.0));
    let (shape, motion) = (Rect::new(2.0, 2.0), vec2(16.0, 8.0));
    let hit = scene.world().cast_shape(&shape, &Affine2::IDENTITY, motion, &QueryFilter::default());
    let drawn = question(DebugQuery::ShapeCast { shape: &shape, at: Affine2::IDENTITY, motion, hit });
    let middle = |lines: &[(Vec2, Vec2)]| Aabb::from_points(lines.iter().map(|line| line.0)).center();
    let [start, stop, way, mark, normal] = &drawn[..] else { panic!("{drawn:?}") };
    assert_eq!((middle(&start.1), middle(&stop.1)), (Vec2::ZERO, vec2(8.0, 4.0)));
    assert_eq!(way.1[0], (Vec2::ZERO, vec2(8.0, 4.0)));
    let (from, to) = normal.1[0];
    assert_eq!((mark.0, normal.0, from), (Some(wall), Some(wall), vec2(9.0, 4.0)));
    assert!(to.abs_diff_eq(vec2(8.0, 4.0), 1e-5), "half as long as the shape is wide");
    let missed = question(DebugQuery::ShapeCast { shape: &shape, at: Affine2::IDENTITY, motion, hit: None });
    assert_eq!((missed.len(), middle(&missed[1].1)), (3, motion));
}

#[test]
fn shapes_regions_and_what_is_nearest_are_drawn_as_they_were_asked() {
    let mut scene = Scene::new();
    let near = put(&mut scene, 4.0, Circle::new(1.0));
    let line = Polyline::new(&[Vec2::ZERO, vec2(1.0, 0.0), vec2(1.0, 1.0)]).unwrap();
    let drawn = question(DebugQuery::Shape { shape: &line, at: Affine2::from_translation(vec2(5.0, 0.0)) });
    assert_eq!(drawn.iter().map(|piece| piece.1[0].0).collect::<Vec<_>>(), [vec2(5.0, 0.0), vec2(6.0, 0.0)]);
    assert!(question(DebugQuery::Shape { shape: &line, at: Affine2::from_translation(Vec2::NAN) }).is_empty());

    let region = Aabb::new(vec2(-1.0, -2.0), vec2(3.0, 4.0));
    let drawn = question(DebugQuery::Region(region));
    assert_eq!(Aabb::from_points(drawn[0].1.iter().map(|line| line.0)), region);
    assert!(question(DebugQuery::Region(Aabb::EVERYTHING)).is_empty());

    let found = scene.world().nearest(Vec2::ZERO, 9.0, &QueryFilter::default());
    let drawn = question(DebugQuery::Nearest { point: Vec2::ZERO, near: found });
    assert_eq!((drawn[0].0, drawn[0].1[0]), (Some(near), (Vec2::ZERO, vec2(3.0, 0.0))));
    assert!(question(DebugQuery::Nearest { point: Vec2::ZERO, near: None }).is_empty());
}

#[test]
fn a_contact_that_ended_since_the_update_is_not_drawn() {
    let mut scene = Scene::new();
    let a = put(&mut scene, 0.0, Circle::new(1.0));
    put(&mut scene, 1.0, Circle::new(1.0));
    let contacts = DebugOptions { contacts: true, ..nothing() };
    assert!(drawing(scene.world(), &contacts).is_empty(), "no update, no contact");
    scene.update();
    assert_eq!(drawing(scene.world(), &contacts).len(), 1);
    let node = scene.node_of(a).unwrap();
    scene[node].transform.position.x = -9.0;
    assert!(drawing(scene.world(), &contacts).is_empty());
    scene.remove(node);
    assert!(drawing(scene.world(), &contacts).is_empty());
}
