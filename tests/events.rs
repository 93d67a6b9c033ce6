//! What an update tells. Random edits are in `model.rs`.

mod support;

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

fn put(scene: &mut Scene, x: f32, attachment: impl Into<Attachment>) -> (NodeId, ColliderId) {
    scene.add_with(Node::new("n").with_position(vec2(x, 0.0)), attachment)
}

fn count(events: &[CollisionEvent]) -> (usize, usize) {
    let started = events.iter().filter(|event| matches!(event, CollisionEvent::Started(_))).count();
    (started, events.len() - started)
}

#[test]
fn two_default_colliders_tell_of_each_other() {
    // RA-1
    let mut scene = Scene::new();
    put(&mut scene, 0.0, Circle::new(1.0));
    put(&mut scene, 1.0, Circle::new(1.0));
    assert_eq!(count(&scene.update()), (1, 0));
}

#[test]
fn a_touch_ends_once_whatever_ends_it() {
    // BX-2
    let ends: [fn(&mut Scene, NodeId, ColliderId); 9] = [
        |scene, node, _| {
            scene.remove(node);
        },
        |scene, _, id| {
            scene.detach(id);
        },
        |scene, node, _| scene[node].enabled = false,
        |scene, _, id| scene.attachment_mut(id).unwrap().enabled = false,
        |scene, _, id| scene.attachment_mut(id).unwrap().layers = CollisionLayers::NONE,
        |scene, _, id| scene.attachment_mut(id).unwrap().set_shape(Circle::point(vec2(50.0, 0.0))),
        |scene, node, _| scene[node].transform.rotation = f32::NAN,
        |scene, node, _| scene[node].transform.scale = Vec2::MAX,
        |scene, _, _| scene.clear(),
    ];
    for (index, end) in ends.into_iter().enumerate() {
        let mut scene = Scene::new();
        let (node, id) = put(&mut scene, 1.0, Circle::new(1.0));
        put(&mut scene, 0.0, Circle::new(1.0));
        assert_eq!(count(&scene.update()), (1, 0));
        end(&mut scene, node, id);
        assert_eq!(count(&scene.update()), (0, 1), "end {index}");
        assert!(scene.update().is_empty() && scene.touching().is_empty(), "end {index}");
    }
}

#[test]
fn what_ends_and_begins_again_between_two_updates_tells_nothing() {
    let mut scene = Scene::new();
    let (node, id) = put(&mut scene, 1.0, Circle::new(1.0));
    put(&mut scene, 0.0, Circle::new(1.0));
    scene.update();
    scene[node].transform.position.x = 99.0;
    assert!(scene.world().pairs().is_empty());
    scene[node].transform.position.x = -1.0;
    scene[node].transform.scale.x = -1.0;
    scene.attachment_mut(id).unwrap().set_shape(Rect::new(3.0, 1.0));
    assert!(scene.update().is_empty());
    assert_eq!(scene.touching().len(), 1);
}

#[test]
fn the_node_boundary_is_the_first_and_the_last_touch_of_two_nodes() {
    let mut scene = Scene::new();
    let (player, _) = put(&mut scene, 0.0, Circle::new(1.0));
    scene.attach(player, Circle::new(2.0)).unwrap();
    let (item, _) = put(&mut scene, 9.0, Circle::new(0.5));
    let mut step = |x: f32| -> Vec<(bool, bool)> {
        scene[item].transform.position.x = x;
        let events = scene.update();
        events.iter().map(|e| (matches!(e, CollisionEvent::Started(_)), e.pair().node_boundary)).collect()
    };
    assert_eq!(step(2.0), [(true, true)], "the outer ring first");
    assert_eq!(step(1.0), [(true, false)], "then the inner one");
    assert_eq!(step(2.0), [(false, false)]);
    assert_eq!(step(9.0), [(false, true)]);
    assert_eq!(step(0.0), [(true, true), (true, false)], "both at once are one beginning");
    assert_eq!(step(9.0), [(false, false), (false, true)], "and one end");
}

#[test]
fn a_moved_collider_goes_on_touching() {
    let mut scene = Scene::new();
    let (hand, sword) = put(&mut scene, 0.0, Circle::new(1.0));
    let (other_hand, _) = put(&mut scene, 0.5, Circle::point(vec2(0.0, 90.0)));
    let (troll, troll_body) = put(&mut scene, 1.0, Circle::new(1.0));
    assert_eq!(scene.update().len(), 1);
    scene.move_collider(sword, other_hand).unwrap();
    assert!(scene.update().is_empty());
    assert!(scene.touching()[0].involves(other_hand) && !scene.touching()[0].involves(hand));
    scene.move_collider(sword, troll).unwrap();
    assert_eq!(count(&scene.update()), (0, 1), "colliders of one node leave each other alone");
    scene.move_collider(troll_body, hand).unwrap();
    assert_eq!(count(&scene.update()), (1, 0));
}

#[test]
fn a_parent_that_is_not_a_number_takes_its_subtree_along_and_back() {
    let mut scene = Scene::new();
    let arm = scene.add(Node::new("arm"));
    let hand = scene.add_child(arm, Node::new("hand").with_position(vec2(5.0, 0.0))).unwrap();
    scene.attach(hand, Circle::new(1.0)).unwrap();
    put(&mut scene, 5.5, Circle::new(1.0));
    scene.update();
    scene[arm].transform.position.y = f32::NAN;
    scene[hand].transform.position.y = f32::INFINITY;
    assert_eq!(count(&scene.update()), (0, 1));
    assert_eq!(scene.quarantined(), [arm], "the topmost one is told");
    assert!(scene.world().position(hand).is_none());
    scene[arm].transform.position.y = 0.0;
    assert!(scene.update().is_empty());
    assert_eq!(scene.quarantined(), [hand], "now it is the topmost");
    scene[hand].transform.position.y = 0.0;
    assert_eq!(count(&scene.update()), (1, 0));
    assert!(scene.quarantined().is_empty());
}

#[test]
fn a_shape_that_overflows_sets_its_node_aside_and_no_other() {
    let mut scene = Scene::new();
    let (big, _) = put(&mut scene, 0.0, Circle::new(1e20));
    let child = scene.add_child(big, Node::new("child").with_scale(Vec2::splat(1e-10))).unwrap();
    scene.attach(child, Circle::new(1.0)).unwrap();
    scene[big].transform.scale = Vec2::splat(1e20);
    scene.update();
    assert_eq!(scene.quarantined(), [big]);
    assert_eq!(
        scene.world().at_point(Vec2::ZERO, &QueryFilter::default()).map(|side| side.node).collect::<Vec<_>>(),
        [child]
    );
    scene[big].transform.scale = Vec2::ONE;
    scene.update();
    assert!(scene.quarantined().is_empty());
}

#[test]
fn ten_thousand_colliders_in_one_place_are_fine() {
    // QT-1. They are scenery, which does not meet scenery: fifty million pairs are another matter.
    let mut scene = Scene::new();
    let mut nodes = Vec::new();
    for _ in 0..10_000 {
        nodes.push(put(&mut scene, 0.0, Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::SCENERY)).0);
    }
    let (visitor, id) = put(&mut scene, 0.5, Circle::new(1.0));
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
fn nothing_is_dropped_however_many_are_stacked() {
    // BX-1
    let mut scene = Scene::new();
    for _ in 0..1_500 {
        put(&mut scene, 0.0, Attachment::new(Rect::new(1.0, 1.0)).with_layers(CollisionLayers::SCENERY));
    }
    for radius in 1..=20_u8 {
        put(&mut scene, 0.0, Attachment::new(Circle::new(radius.into())).with_layers(CollisionLayers::new(1, 1 << 31)));
    }
    assert_eq!(scene.update().len(), 1_500 * 20);
    assert_eq!(scene.world().pairs().len(), 1_500 * 20);
}

#[test]
fn a_crowd_that_moves_in_parts_is_as_if_every_pair_were_tested() {
    // GO-1: whole coordinates and radii, so that this needs nothing of the crate to tell what touches.
    let mut dice = Dice(1);
    for (count, spread, movers) in [(300, 60, 300), (400, 400, 40), (500, 30_000, 10), (90, 15, 1)] {
        let mut scene = Scene::new();
        let mut circles: BTreeMap<ColliderId, (NodeId, [i32; 2], i32)> = BTreeMap::new();
        for step in 0..40 {
            while circles.len() < count {
                let (center, radius) = ([dice.around(spread), dice.around(spread)], dice.below(4) as i32);
                let node = scene.add(Node::new("n").with_position(Vec2::from(center.map(|c| c as f32))));
                circles.insert(scene.attach(node, Circle::new(radius as f32)).unwrap(), (node, center, radius));
            }
            let ids: Vec<ColliderId> = circles.keys().copied().collect();
            for _ in 0..movers {
                let (node, center, _) = circles.get_mut(&ids[dice.below(ids.len() as u64) as usize]).unwrap();
                let reach = if dice.below(20) == 0 { spread } else { 3 };
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
                assert_eq!(keys(scene.touching()), expected, "step {step} of {count}");
            }
            assert_eq!(scene.validate(), Ok(()));
            let region = Aabb::new(Vec2::splat(dice.around(spread) as f32), Vec2::splat(dice.around(spread) as f32));
            let found: Vec<ColliderId> =
                scene.world().in_aabb(region, &QueryFilter::default()).map(|side| side.collider).collect();
            let inside = |(_, (_, at, radius)): &(&ColliderId, &(NodeId, [i32; 2], i32))| {
                let at = Vec2::from(at.map(|c| c as f32));
                at.distance_squared(at.clamp(region.min, region.max)) <= (radius * radius) as f32
            };
            let expected: Vec<ColliderId> = circles.iter().filter(inside).map(|(id, _)| *id).collect();
            assert_eq!(found, expected, "step {step} of {count}");
            let origin = vec2(-2.0 * spread as f32, dice.around(spread) as f32);
            let hits = scene.world().cast_ray_all(origin, Vec2::X, f32::INFINITY, &QueryFilter::default());
            let mut hits: Vec<ColliderId> = hits.iter().map(|hit| hit.side.collider).collect();
            hits.sort();
            let in_line = |(_, (_, at, radius)): &(&ColliderId, &(NodeId, [i32; 2], i32))| {
                (at[1] - origin.y as i32).abs() <= *radius && (at[0] + radius) as f32 >= origin.x
            };
            let expected: Vec<ColliderId> = circles.iter().filter(in_line).map(|(id, _)| *id).collect();
            assert_eq!(hits, expected, "step {step} of {count}");
        }
    }
}

#[test]
fn a_million_units_in_one_step_keep_all_pairs() {
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
    assert!(scene.update().is_empty(), "all moved together");
    scene[crowd].transform.rotation = FRAC_PI_2;
    scene[crowd].enabled = false;
    assert_eq!(count(&scene.update()), (0, 99));
    scene[crowd].enabled = true;
    scene[crowd].transform.rotation = 0.0;
    assert_eq!(count(&scene.update()), (99, 0));
}

#[test]
fn a_user_shape_without_numbers_meets_nothing() {
    #[derive(Debug)]
    struct Broken;
    impl Collider for Broken {
        fn support(&self, _: Vec2) -> Vec2 {
            Vec2::NAN
        }
    }
    let mut scene = Scene::new();
    let (broken, _) = put(&mut scene, 0.0, Broken);
    put(&mut scene, 0.0, Circle::new(1.0));
    assert!(scene.update().is_empty());
    assert_eq!(scene.quarantined(), [broken]);
    assert_eq!(scene.world().overlaps_shape(&Broken, &Affine2::IDENTITY, &QueryFilter::default()).count(), 0);
}

#[test]
fn the_same_calls_give_the_same_events() {
    let run = || {
        let mut scene = Scene::new();
        let mut told = Vec::new();
        let nodes: Vec<NodeId> = (0..60_u8).map(|i| put(&mut scene, f32::from(i) * 0.7, Circle::new(0.5)).0).collect();
        for step in 0..40_u8 {
            for (index, node) in nodes.iter().enumerate() {
                let angle = f32::from(step) * 0.3 + index as f32;
                scene[*node].transform.position += Vec2::from_angle(angle) * 0.9;
            }
            told.extend(scene.update());
        }
        told
    };
    let told = run();
    assert!(told.len() > 100);
    assert_eq!(told, run());
}

#[test]
fn a_pair_is_seen_from_either_of_its_nodes() {
    let mut scene = Scene::new();
    let [(a, on_a), (b, on_b)] = [0.0, 1.0].map(|x| put(&mut scene, x, Circle::new(1.0)));
    let (far, _) = put(&mut scene, 50.0, Circle::new(1.0));
    let pair = *scene.update()[0].pair();
    let seen = |node| pair.seen_from(node).map(|sides| sides.map(|side| (side.node, side.collider)));
    assert_eq!((seen(a), seen(b)), (Some([(a, on_a), (b, on_b)]), Some([(b, on_b), (a, on_a)])));
    assert_eq!((seen(far), pair.other(far)), (None, None));
    assert_eq!((pair.other(a), pair.other(b)), (Some(pair.b), Some(pair.a)));
}

#[test]
fn a_corner_that_is_no_number_sets_its_node_aside() {
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
            // Of the far corner infinity less infinity is left, in both coordinates.
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
fn an_event_says_whether_it_started_and_the_world_knows_the_nodes() {
    let mut scene = Scene::new();
    let [a, b] = ["a", "b"].map(|name| scene.add_with(Node::new(name), Circle::new(1.0)).0);
    let began = scene.update();
    assert_eq!(scene.world().node(began[0].pair().a.node).map(|node| node.name.as_ref()), Some("a"));
    assert!(scene.remove(b));
    let ended = scene.update();
    assert_eq!([&began, &ended].map(|events| (events.len(), events[0].started())), [(1, true), (1, false)]);
    let world = scene.world();
    assert!(world.node(b).is_none() && world.node(a).is_some());
}
