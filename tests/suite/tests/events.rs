//! Events of updates: starts, stops, node boundaries and quarantined nodes. `model.rs` tests events under random edits.

use std::collections::BTreeMap;
use std::f32::consts::FRAC_PI_2;
use std::ops::Bound;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, Collider, ColliderId, CollisionEvent, CollisionLayers, CollisionPair, Node,
    NodeId, Polygon, Polyline, QueryFilter, Rect, Rounded, Scene, Segment,
};
use support::dice::Dice;

fn keys(pairs: &[CollisionPair]) -> Vec<(ColliderId, ColliderId)> {
    pairs.iter().map(|pair| (pair.a.collider, pair.b.collider)).collect()
}

fn add_at(scene: &mut Scene, x: f32, attachment: impl Into<Attachment>) -> (NodeId, ColliderId) {
    scene.add_with(Node::new("n").with_position(vec2(x, 0.0)), attachment)
}

fn count(events: &[CollisionEvent]) -> (usize, usize) {
    let started = events.iter().filter(|event| matches!(event, CollisionEvent::Started(_))).count();
    (started, events.len() - started)
}

#[test]
fn two_overlapping_default_colliders_fire_a_start_event() {
    // RA-1
    let mut scene = Scene::new();
    add_at(&mut scene, 0.0, Circle::new(1.0));
    add_at(&mut scene, 1.0, Circle::new(1.0));
    assert_eq!(count(&scene.update()), (1, 0));
}

#[test]
fn every_start_has_exactly_one_stop() {
    // BX-2
    let edits: [fn(&mut Scene, NodeId, ColliderId); 9] = [
        |scene, node, _| {
            scene.remove(node);
        },
        |scene, _, id| {
            scene.detach(id);
        },
        |scene, node, _| scene[node].enabled = false,
        |scene, _, id| scene.attachment_mut(id).unwrap().enabled = false,
        |scene, _, id| scene.attachment_mut(id).unwrap().layers = CollisionLayers::NONE,
        |scene, _, id| scene.attachment_mut(id).unwrap().set_collider(Circle::point(vec2(50.0, 0.0))),
        |scene, node, _| scene[node].transform.rotation = f32::NAN,
        |scene, node, _| scene[node].transform.scale = Vec2::MAX,
        |scene, _, _| scene.clear(),
    ];
    for (index, edit) in edits.into_iter().enumerate() {
        let mut scene = Scene::new();
        let (node, id) = add_at(&mut scene, 1.0, Circle::new(1.0));
        add_at(&mut scene, 0.0, Circle::new(1.0));
        assert_eq!(count(&scene.update()), (1, 0));
        edit(&mut scene, node, id);
        assert_eq!(count(&scene.update()), (0, 1), "edit {index}");
        assert!(scene.update().is_empty() && scene.touching().is_empty(), "edit {index}");
    }
}

#[test]
fn a_touch_that_stops_and_starts_again_between_updates_fires_no_event() {
    let mut scene = Scene::new();
    let (node, id) = add_at(&mut scene, 1.0, Circle::new(1.0));
    add_at(&mut scene, 0.0, Circle::new(1.0));
    scene.update();
    scene[node].transform.position.x = 99.0;
    assert!(scene.world().pairs().is_empty());
    scene[node].transform.position.x = -1.0;
    scene[node].transform.scale.x = -1.0;
    scene.attachment_mut(id).unwrap().set_collider(Rect::new(3.0, 1.0));
    assert!(scene.update().is_empty());
    assert_eq!(scene.touching().len(), 1);
}

#[test]
fn owner_boundary_marks_the_first_start_and_the_last_stop_between_two_nodes() {
    let mut scene = Scene::new();
    let (player, _) = add_at(&mut scene, 0.0, Circle::new(1.0));
    scene.attach(player, Circle::new(2.0)).unwrap();
    let (item, _) = add_at(&mut scene, 9.0, Circle::new(0.5));
    let mut update_at = |x: f32| -> Vec<(bool, bool)> {
        scene[item].transform.position.x = x;
        let events = scene.update();
        events.iter().map(|e| (matches!(e, CollisionEvent::Started(_)), e.pair().owner_boundary)).collect()
    };
    assert_eq!(update_at(2.0), [(true, true)], "first the outer circle touches");
    assert_eq!(update_at(1.0), [(true, false)], "then the inner circle touches");
    assert_eq!(update_at(2.0), [(false, false)]);
    assert_eq!(update_at(9.0), [(false, true)]);
    assert_eq!(update_at(0.0), [(true, true), (true, false)], "only the first start is a boundary");
    assert_eq!(update_at(9.0), [(false, false), (false, true)], "only the last stop is a boundary");
}

#[test]
fn moving_a_touching_collider_to_another_node_fires_no_event() {
    let mut scene = Scene::new();
    let (hand, sword) = add_at(&mut scene, 0.0, Circle::new(1.0));
    let (other_hand, _) = add_at(&mut scene, 0.5, Circle::point(vec2(0.0, 90.0)));
    let (troll, troll_collider) = add_at(&mut scene, 1.0, Circle::new(1.0));
    assert_eq!(scene.update().len(), 1);
    scene.move_collider(sword, other_hand).unwrap();
    assert!(scene.update().is_empty());
    assert!(scene.touching().iter().all(|pair| pair.involves(other_hand) && !pair.involves(hand)));
    scene.move_collider(sword, troll).unwrap();
    assert_eq!(count(&scene.update()), (0, 1), "colliders of the same node do not touch");
    scene.move_collider(troll_collider, hand).unwrap();
    assert_eq!(count(&scene.update()), (1, 0));
}

#[test]
fn a_nan_transform_quarantines_the_whole_subtree_until_it_is_valid_again() {
    let mut scene = Scene::new();
    let arm = scene.add(Node::new("arm"));
    let hand = scene.add_child(arm, Node::new("hand").with_position(vec2(5.0, 0.0))).unwrap();
    scene.attach(hand, Circle::new(1.0)).unwrap();
    add_at(&mut scene, 5.5, Circle::new(1.0));
    scene.update();
    scene[arm].transform.position.y = f32::NAN;
    scene[hand].transform.position.y = f32::INFINITY;
    assert_eq!(count(&scene.update()), (0, 1));
    assert_eq!(scene.quarantined(), [arm], "only the topmost node is reported");
    assert!(scene.world().position(hand).is_none());
    scene[arm].transform.position.y = 0.0;
    assert!(scene.update().is_empty());
    assert_eq!(scene.quarantined(), [hand], "now the child is the topmost");
    scene[hand].transform.position.y = 0.0;
    assert_eq!(count(&scene.update()), (1, 0));
    assert!(scene.quarantined().is_empty());
}

#[test]
fn an_overflowing_shape_reports_its_node_and_quarantines_no_other_collider() {
    let mut scene = Scene::new();
    let (big, _) = add_at(&mut scene, 0.0, Circle::new(1e20));
    scene.attach(big, Circle::new(1e-20)).unwrap();
    let child = scene.add_child(big, Node::new("child").with_scale(Vec2::splat(1e-10))).unwrap();
    scene.attach(child, Circle::new(1.0)).unwrap();
    scene[big].transform.scale = Vec2::splat(1e20);
    scene.update();
    assert_eq!(scene.quarantined(), [big]);
    assert_eq!(
        scene.world().at_point(Vec2::ZERO, &QueryFilter::default()).map(|other| other.node).collect::<Vec<_>>(),
        [big, child]
    );
    scene[big].transform.scale = Vec2::ONE;
    scene.update();
    assert!(scene.quarantined().is_empty());
}

#[test]
fn ten_thousand_coincident_colliders_are_all_reported() {
    // QT-1. All are scenery, which does not touch scenery, because otherwise there would be fifty million pairs.
    let mut scene = Scene::new();
    let mut nodes = Vec::new();
    for _ in 0..10_000 {
        nodes.push(add_at(&mut scene, 0.0, Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::SCENERY)).0);
    }
    let (visitor, id) = add_at(&mut scene, 0.5, Circle::new(1.0));
    assert_eq!(scene.world().overlaps(id).count(), 10_000);
    assert_eq!(scene.world().at_point(Vec2::ZERO, &QueryFilter::default()).count(), 10_001);
    assert_eq!(scene.world().cast_ray_all(vec2(-9.0, 0.0), Vec2::X, 99.0, &QueryFilter::default()).len(), 10_001);
    assert_eq!(scene.validate(), Ok(()));
    scene[visitor].transform.position.x = 50.0;
    assert_eq!(scene.world().overlaps(id).count(), 0);
    for node in nodes.into_iter().rev() {
        scene.remove(node);
    }
    assert_eq!(scene.validate(), Ok(()));
    assert_eq!(scene.world().in_aabb(Aabb::EVERYTHING, &QueryFilter::default()).count(), 1);
}

#[test]
fn no_pair_of_1500_stacked_rectangles_and_20_circles_is_dropped() {
    // BX-1
    let mut scene = Scene::new();
    for _ in 0..1_500 {
        add_at(&mut scene, 0.0, Attachment::new(Rect::new(1.0, 1.0)).with_layers(CollisionLayers::SCENERY));
    }
    for radius in 1..=20_u8 {
        add_at(
            &mut scene,
            0.0,
            Attachment::new(Circle::new(radius.into())).with_layers(CollisionLayers::new(1, 1 << 31)),
        );
    }
    assert_eq!(scene.update().len(), 1_500 * 20);
    assert_eq!(scene.world().pairs().len(), 1_500 * 20);
}

#[test]
fn pairs_and_queries_match_brute_force_while_parts_of_a_crowd_move() {
    // GO-1: coordinates and radii are integers, so the test computes exactly which circles touch.
    let mut dice = Dice(1);
    for (count, half_extent, movers) in [(300, 60, 300), (400, 400, 40), (500, 30_000, 10), (90, 15, 1)] {
        let mut scene = Scene::new();
        let mut circles: BTreeMap<ColliderId, (NodeId, [i32; 2], i32)> = BTreeMap::new();
        for step in 0..40 {
            while circles.len() < count {
                let (center, radius) = ([dice.around(half_extent), dice.around(half_extent)], dice.below(4) as i32);
                let node = scene.add(Node::new("n").with_position(Vec2::from(center.map(|c| c as f32))));
                circles.insert(scene.attach(node, Circle::new(radius as f32)).unwrap(), (node, center, radius));
            }
            let ids: Vec<ColliderId> = circles.keys().copied().collect();
            for _ in 0..movers {
                let (node, center, _) = circles.get_mut(&ids[dice.below(ids.len() as u64) as usize]).unwrap();
                let reach = if dice.below(20) == 0 { half_extent } else { 3 };
                *center = center.map(|c| c + dice.around(reach));
                scene[*node].transform.position = Vec2::from(center.map(|c| c as f32));
            }
            for _ in 0..dice.below(if step % 10 == 9 { count as u64 / 2 } else { 4 }) {
                if let Some((node, ..)) = circles.remove(&ids[dice.below(ids.len() as u64) as usize]) {
                    scene.remove(node);
                }
            }
            let mut expected = Vec::new();
            for (a, (_, at, radius)) in &circles {
                for (b, (_, other, other_radius)) in circles.range((Bound::Excluded(a), Bound::Unbounded)) {
                    let [dx, dy] = [at[0] - other[0], at[1] - other[1]].map(i64::from);
                    if dx * dx + dy * dy <= i64::from(radius + other_radius).pow(2) {
                        expected.push((*a, *b));
                    }
                }
            }
            if step % 3 == 0 {
                assert_eq!(keys(&scene.world().pairs()), expected, "step {step} of {count}");
            }
            if step % 4 != 1 {
                scene.update();
                assert_eq!(keys(&scene.touching().iter().collect::<Vec<_>>()), expected, "step {step} of {count}");
                assert_eq!(keys(&scene.world().pairs()), expected, "step {step} of {count}");
            }
            assert_eq!(scene.validate(), Ok(()));
            let region =
                Aabb::new(Vec2::splat(dice.around(half_extent) as f32), Vec2::splat(dice.around(half_extent) as f32));
            let found: Vec<ColliderId> =
                scene.world().in_aabb(region, &QueryFilter::default()).map(|other| other.collider).collect();
            let inside = |(_, (_, at, radius)): &(&ColliderId, &(NodeId, [i32; 2], i32))| {
                let at = Vec2::from(at.map(|c| c as f32));
                at.distance_squared(at.clamp(region.min, region.max)) <= (radius * radius) as f32
            };
            let expected: Vec<ColliderId> = circles.iter().filter(inside).map(|(id, _)| *id).collect();
            assert_eq!(found, expected, "step {step} of {count}");
            let origin = vec2(-2.0 * half_extent as f32, dice.around(half_extent) as f32);
            let hits = scene.world().cast_ray_all(origin, Vec2::X, f32::INFINITY, &QueryFilter::default());
            let mut hits: Vec<ColliderId> = hits.iter().map(|hit| hit.side.collider).collect();
            hits.sort();
            let is_on_ray = |(_, (_, at, radius)): &(&ColliderId, &(NodeId, [i32; 2], i32))| {
                (at[1] - origin.y as i32).abs() <= *radius && (at[0] + radius) as f32 >= origin.x
            };
            let expected: Vec<ColliderId> = circles.iter().filter(is_on_ray).map(|(id, _)| *id).collect();
            assert_eq!(hits, expected, "step {step} of {count}");
        }
    }
}

#[test]
fn moving_a_subtree_by_a_million_units_keeps_its_pairs() {
    // GO-1
    let mut scene = Scene::new();
    let crowd = scene.add(Node::new("crowd"));
    for x in 0..100_u8 {
        let node = scene.add_child(crowd, Node::new("n").with_position(vec2(x.into(), 0.0))).unwrap();
        scene.attach(node, Circle::new(0.5)).unwrap();
    }
    assert_eq!(scene.update().len(), 99);
    let far = scene.add(Node::new("far").with_position(vec2(1e6, -1e6)));
    scene.set_parent(crowd, far).unwrap();
    assert!(scene.update().is_empty(), "the subtree moved as a whole");
    scene[crowd].transform.rotation = FRAC_PI_2;
    scene[crowd].enabled = false;
    assert_eq!(count(&scene.update()), (0, 99));
    scene[crowd].enabled = true;
    scene[crowd].transform.rotation = 0.0;
    assert_eq!(count(&scene.update()), (99, 0));
}

#[test]
fn a_user_shape_with_nan_support_touches_nothing_and_is_quarantined() {
    #[derive(Debug, Clone)]
    struct Broken;
    impl Collider for Broken {
        fn support(&self, _: Vec2) -> Vec2 {
            Vec2::NAN
        }
    }
    let mut scene = Scene::new();
    let (broken, _) = add_at(&mut scene, 0.0, Broken);
    add_at(&mut scene, 0.0, Circle::new(1.0));
    assert!(scene.update().is_empty());
    assert_eq!(scene.quarantined(), [broken]);
    assert_eq!(scene.world().overlaps_shape(&Broken, &Affine2::IDENTITY, &QueryFilter::default()).count(), 0);
}

#[test]
fn the_same_calls_fire_the_same_events() {
    let run = || {
        let mut scene = Scene::new();
        let mut events = Vec::new();
        let nodes: Vec<NodeId> =
            (0..60_u8).map(|i| add_at(&mut scene, f32::from(i) * 0.7, Circle::new(0.5)).0).collect();
        for step in 0..40_u8 {
            for (index, node) in nodes.iter().enumerate() {
                let angle = f32::from(step) * 0.3 + index as f32;
                scene[*node].transform.position += Vec2::from_angle(angle) * 0.9;
            }
            events.extend(scene.update());
        }
        events
    };
    let events = run();
    assert!(events.len() > 100);
    assert_eq!(events, run());
}

#[test]
fn seen_from_orders_a_pair_by_the_given_node() {
    let mut scene = Scene::new();
    let [(a, on_a), (b, on_b)] = [0.0, 1.0].map(|x| add_at(&mut scene, x, Circle::new(1.0)));
    let (far, _) = add_at(&mut scene, 50.0, Circle::new(1.0));
    let pair = *scene.update()[0].pair();
    let seen = |node| pair.seen_from(node).map(|pair| pair.map(|part| (part.node, part.collider)));
    assert_eq!((seen(a), seen(b)), (Some([(a, on_a), (b, on_b)]), Some([(b, on_b), (a, on_a)])));
    assert_eq!((seen(far), pair.other(far)), (None, None));
    assert_eq!((pair.other(a), pair.other(b)), (Some(pair.b), Some(pair.a)));
}

#[test]
fn a_corner_that_overflows_to_nan_quarantines_its_node() {
    let (far, near) = (Vec2::splat(-1e34), vec2(1.0, 0.0));
    let corners = [far, Vec2::ZERO, near];
    let polygon = Polygon::convex_hull(&corners).unwrap();
    let shapes: [Attachment; 5] = [
        Segment::new(far, near).into(),
        Capsule::new(near, far, 0.0).into(),
        Rounded::new(polygon.clone(), 0.0).into(),
        polygon.into(),
        Polyline::new(&corners).unwrap().into(),
    ];
    for shape in shapes {
        for scale in [Vec2::splat(1e34), vec2(1e34, -1e34), Vec2::splat(-1e34)] {
            let mut scene = Scene::new();
            // Both world coordinates of the far corner are infinity minus infinity, which is NaN.
            let node = Node::new("n").with_rotation(0.5).with_skew(2.0).with_scale(scale);
            let node = scene.add(node);
            let id = scene.attach(node, shape.clone()).unwrap();
            scene.update();
            assert_eq!(scene.quarantined(), [node], "{shape:?}");
            assert_eq!(scene.world().project_point(id, Vec2::ZERO), None, "{shape:?}");
        }
    }
}

#[test]
fn events_report_whether_they_started_and_their_nodes_are_found_in_the_world() {
    let mut scene = Scene::new();
    let [a, b] = ["a", "b"].map(|name| scene.add_with(Node::new(name), Circle::new(1.0)).0);
    let started = scene.update();
    assert_eq!(scene.world().node(started[0].pair().a.node).map(|node| node.name.as_ref()), Some("a"));
    assert!(scene.remove(b));
    let stopped = scene.update();
    assert_eq!([&started, &stopped].map(|events| (events.len(), events[0].started())), [(1, true), (1, false)]);
    let world = scene.world();
    assert!(world.node(b).is_none() && world.node(a).is_some());
}
