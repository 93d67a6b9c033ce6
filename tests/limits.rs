//! Much of everything. What takes long is `#[ignore]`d and run by hand, in release:
//! `cargo test --release --test limits -- --ignored --test-threads 1`.
//!
//! A chain of 100,000 nodes is in `hierarchy.rs`; 10,000 colliders in one place, which leave each other alone, in
//! `events.rs`.

mod support;

use allocation_counter::measure;
use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, ColliderId, Node, NodeId, Polygon, QueryFilter, Rect, Scene, Shape, Transform,
};
use support::dice::Dice;
use support::oracle::{Swollen, gap};
use support::{BUILT_IN, Numbers};

/// A tree of so many nodes, each under one of those before it; every tenth has a collider.
fn grow(scene: &mut Scene, count: usize) -> Vec<NodeId> {
    let mut dice = Dice(1);
    let mut nodes = vec![scene.root()];
    for index in 0..count {
        let above = nodes[dice.below(nodes.len() as u64) as usize];
        let place = Transform {
            position: vec2(dice.within(-9.0..9.0), dice.within(-9.0..9.0)),
            rotation: dice.within(-3.0..3.0),
            ..Transform::IDENTITY
        };
        let node = scene.add_child(above, Node::new("n").with_transform(place)).unwrap();
        if index % 10 == 0 {
            scene.attach(node, Circle::new(0.05)).unwrap();
        }
        nodes.push(node);
    }
    nodes
}

fn a_tree_of(count: usize) {
    let mut scene = Scene::new();
    let nodes = grow(&mut scene, count);
    let tip = *nodes.last().unwrap();
    scene.update();
    let before = scene.world().position(tip).unwrap();
    // All that there is moves.
    let root = scene.root();
    scene[root].transform.position = vec2(100.0, -50.0);
    scene.update();
    let after = scene.world().position(tip).unwrap();
    assert!((after - before).abs_diff_eq(vec2(100.0, -50.0), 1e-3), "{before} to {after}");
    let exact = nodes.iter().rev().step_by(1 + count / 500);
    for node in exact {
        let above: Vec<NodeId> = std::iter::once(*node).chain(scene.ancestors(*node)).collect();
        let product = above.iter().rev().fold(Affine2::IDENTITY, |all, node| all * scene[*node].transform.to_affine());
        assert_eq!(scene.world().transform(*node), Some(product));
    }
    assert_eq!(scene.node_count(), count + 1);
    assert_eq!(scene.validate(), Ok(()));
    scene.clear();
    scene.update();
    assert_eq!((scene.node_count(), scene.collider_count(), scene.touching().len()), (1, 0, 0));
    assert_eq!(scene.world().in_aabb(Aabb::EVERYTHING, &QueryFilter::default()).len(), 0);
}

#[test]
fn a_tree_of_20_000_nodes_is_placed_and_cleared() {
    a_tree_of(20_000);
}

#[test]
#[ignore = "half a minute in debug; the same with fewer nodes always runs"]
fn a_tree_of_1_000_000_nodes_is_placed_and_cleared() {
    a_tree_of(1_000_000);
}

/// A square of still boxes in touch, one of them on the move.
fn still_colliders(side: u16) {
    let mut scene = Scene::new();
    let count = usize::from(side) * usize::from(side);
    for row in 0..side {
        for column in 0..side {
            let place = vec2(f32::from(column), f32::from(row));
            scene.add_with(Node::new("n").with_position(place), Rect::new(1.0, 1.0));
        }
    }
    let (mover, id) = scene.add_with(Node::new("mover").with_position(vec2(-5.0, -5.0)), Circle::new(0.25));
    // Each touches the one beside it, the one above it, and two at its corners.
    let (rows, lanes) = (usize::from(side), usize::from(side) - 1);
    let still = 2 * rows * lanes + 2 * lanes * lanes;
    assert_eq!(scene.update().len(), still);
    assert_eq!(scene.collider_count(), count + 1);
    for step in 0..10_u16 {
        let place = f32::from(side / 2 + step) + 0.125;
        scene[mover].transform.position = vec2(place, 7.0);
        let told = scene.update();
        assert!(told.iter().all(|event| event.pair().involves(mover)) && !told.is_empty(), "{told:?}");
        assert_eq!(scene.touching().len(), still + 1);
        assert_eq!(scene.world().overlaps(id).len(), 1);
        let hit = scene.world().cast_ray(vec2(place, -9.0), Vec2::Y, 99.0, &QueryFilter::default()).unwrap();
        assert_eq!(hit.distance, 8.5);
    }
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn still_colliders_by_the_ten_thousand_are_found_and_left_alone() {
    still_colliders(100);
}

#[test]
#[ignore = "half a minute in debug; the same with fewer colliders always runs"]
fn still_colliders_by_the_million_are_found_and_left_alone() {
    still_colliders(1_000);
}

/// So many in one place, where every one meets every other.
fn coincident(count: usize) {
    let mut scene = Scene::new();
    let place = || Node::new("n").with_position(vec2(3.0, 4.0));
    let nodes: Vec<NodeId> = (0..count).map(|_| scene.add_with(place(), Circle::new(1.0)).0).collect();
    let pairs = count * (count - 1) / 2;
    assert_eq!(scene.update().len(), pairs);
    assert!(scene.update().is_empty());
    scene[nodes[count / 2]].transform.position.x = 50.0;
    assert_eq!(scene.update().len(), count - 1);
    assert_eq!(scene.touching().len(), pairs - (count - 1));
    scene.clear();
    assert_eq!(scene.update().len(), pairs - (count - 1));
}

#[test]
fn five_hundred_coincident_colliders_meet_each_other() {
    coincident(500);
}

#[test]
#[ignore = "fifty million pairs take some gigabytes; the same with fewer colliders always runs"]
fn ten_thousand_coincident_colliders_meet_each_other() {
    coincident(10_000);
}

/// A regular polygon with a thousand corners, but for rounding, without asking for a sine.
fn thousand_gon(radius: f32) -> Polygon {
    let corner = |index: i32| {
        // Half a turn for each sign of the second coordinate.
        let (half, t) = (index / 500, f64::from(index % 500 - 250) / 250.0);
        let [x, y] = [2.0 * t / (1.0 + t * t), (1.0 - t * t) / (1.0 + t * t)];
        vec2(-x as f32, y as f32) * radius * if half == 0 { 1.0 } else { -1.0 }
    };
    let outline: Vec<Vec2> = (0..1_000).map(corner).collect();
    Polygon::convex(&outline).unwrap()
}

#[test]
fn polygons_of_a_thousand_corners_meet_everything_as_they_should() {
    let round = thousand_gon(10.0);
    assert_eq!(round.points().len(), 1_000);
    let mut dice = Dice(8);
    for case in 0..200 {
        let numbers = Numbers {
            sizes: [dice.within(0.1..20.0), dice.within(0.1..20.0)],
            radius: dice.within(0.1..12.0),
            points: [(); 5].map(|()| vec2(dice.within(-9.0..9.0), dice.within(-9.0..9.0))),
        };
        let (kind, make) = BUILT_IN[case % BUILT_IN.len()];
        let stretch = Affine2::from_scale(vec2(dice.within(0.1..2.0), dice.within(-2.0..2.0)));
        let away = vec2(dice.within(-16.0..16.0), dice.within(-16.0..16.0));
        let other = if case % 4 == 0 { Attachment::from(thousand_gon(dice.within(0.5..9.0))) } else { make(&numbers) };
        let mut scene = Scene::new();
        let node = Node::new(kind).with_transform(Transform::from_affine(stretch).with_position(away));
        let ids = [scene.add_with(node, other).1, scene.add_with(Node::new("round"), round.clone()).1];
        let world = scene.world();
        let shape = |id: ColliderId| -> Shape { world.shape(id).unwrap().clone() };
        let gap = gap(&Swollen::of(&shape(ids[0]), away), &Swollen::of(&shape(ids[1]), Vec2::ZERO));
        let touching = world.overlaps(ids[0]).len() == 1;
        assert_eq!(gap.overlaps(gap.unit()).unwrap_or(touching), touching, "{kind}: {gap:?}");
        let measured =
            world.contact(ids[0], ids[1]).map_or(world.distance(ids[0], ids[1]).unwrap(), |found| -found.depth);
        let slack = 16.0 * gap.unit() + 0.01 * f64::from(measured.abs());
        assert!((gap.least - slack..=gap.most + slack).contains(&f64::from(measured)), "{kind}: {measured}, {gap:?}");
    }
}

#[test]
fn a_slot_can_be_used_a_hundred_thousand_times() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("other"), Circle::new(1.0));
    let (first, first_id) = put(&mut scene);
    let mut last = (first, first_id);
    for round in 0..100_000 {
        if round % 1_000 == 0 {
            assert_eq!(scene.update().len(), if round == 0 { 1 } else { 2 }, "one stops and one starts");
        }
        assert!(scene.remove(last.0) && !scene.remove(last.0));
        let next = put(&mut scene);
        assert!(next.0 != last.0 && next.1 != last.1 && next.0 != first && next.1 != first_id);
        assert!(scene.get(last.0).is_none() && scene.attachment(first_id).is_none());
        last = next;
    }
    assert_eq!((scene.node_count(), scene.collider_count()), (3, 2));
    assert_eq!(scene.validate(), Ok(()));
}

fn put(scene: &mut Scene) -> (NodeId, ColliderId) {
    scene.add_with(Node::new("n").with_position(vec2(0.5, 0.0)), Circle::new(1.0))
}

/// Fills a scene and lets it tell.
fn fill(scene: &mut Scene, count: usize) {
    grow(scene, count);
    scene.update();
    let _ = scene.world().pairs();
}

fn clear(scene: &mut Scene) {
    scene.clear();
    scene.update();
}

#[test]
fn what_a_cleared_scene_keeps_it_uses_again() {
    let whole = measure(|| {
        let mut scene = Scene::new();
        for _ in 0..2 {
            fill(&mut scene, 5_000);
            clear(&mut scene);
        }
        let again = measure(|| {
            for _ in 0..10 {
                fill(&mut scene, 5_000);
                clear(&mut scene);
            }
        });
        assert_eq!(again.bytes_current, 0);
    });
    assert_eq!(whole.bytes_current, 0, "nothing outlives the scene");
    assert!(whole.bytes_max > 500_000, "the counter counts: {}", whole.bytes_max);
}

#[test]
fn memory_returns_after_clearing() {
    // 22,000 nodes and colliders.
    let mut scene = Scene::new();
    let mut keep = ColliderId::default();
    let held = measure(|| {
        fill(&mut scene, 20_000);
        clear(&mut scene);
        scene.shrink_to_fit();
        keep = put(&mut scene).1;
    });
    assert!(held.bytes_max > 8_000_000, "{held:?}");
    assert!(held.bytes_current < 200 * 22_000, "{held:?}");
    // Once more there is nothing to add to it, and no old id means anything.
    let again = measure(|| {
        fill(&mut scene, 20_000);
        assert!(scene.attachment(keep).is_some());
        clear(&mut scene);
        assert!(scene.attachment(keep).is_none());
        scene.shrink_to_fit();
    });
    assert!(again.bytes_current <= 0, "{again:?}");
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn giving_back_memory_changes_nothing_else() {
    let mut scene = Scene::new();
    let mut nodes = grow(&mut scene, 2_000);
    // So dense that many touch.
    let root = scene.root();
    scene[root].transform = Transform::from_scale(Vec2::splat(0.05));
    for id in nodes.iter().flat_map(|node| scene.colliders(*node).to_vec()).collect::<Vec<_>>() {
        *scene.attachment_mut(id).unwrap() = Circle::new(9.0).into();
    }
    let mut other = scene.clone();
    for round in 0..12 {
        // Some move, some go and some come: in between, before it was told.
        for node in nodes.iter().skip(round).step_by(7) {
            scene[*node].transform.position.x += 0.25;
            other[*node].transform.position.x += 0.25;
        }
        let gone = nodes.swap_remove(nodes.len() - 1 - 31 * round);
        assert_eq!(scene.remove(gone), other.remove(gone));
        if round % 3 == 0 {
            assert_eq!(put(&mut scene), put(&mut other));
        }
        scene.shrink_to_fit();
        assert_eq!(scene.world().pairs(), other.world().pairs());
        scene.shrink_to_fit();
        assert_eq!(scene.validate(), Ok(()));
        assert_eq!(scene.update(), other.update());
        assert_eq!(scene.touching(), other.touching());
        nodes.retain(|node| scene.contains(*node));
    }
    assert!(!scene.touching().is_empty());
}
