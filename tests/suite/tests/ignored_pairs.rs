//! Pairs of nodes that the user excludes from touching. The model test compares them with random programs.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, ColliderId, MoveOptions, Node, NodeId, QueryFilter, Rect, Scene, SceneError};

/// Returns a scene with a hero at the origin and a door at x = 3 of width 2, and their ids.
fn hero_and_door() -> (Scene, [NodeId; 2], [ColliderId; 2]) {
    let mut scene = Scene::new();
    let (hero, body) = scene.add_with(Node::new("hero"), Circle::new(0.5));
    let (door, panel) = scene.add_with(Node::new("door").with_position(vec2(3.0, 0.0)), Rect::new(2.0, 8.0));
    (scene, [hero, door], [body, panel])
}

#[test]
fn a_pair_stops_when_it_is_ignored_and_starts_when_it_no_longer_is() {
    let (mut scene, [hero, door], [body, panel]) = hero_and_door();
    scene[hero].transform.position.x = 2.0;
    assert!(scene.update().iter().all(|event| event.started()));
    scene.ignore_pair(door, hero).unwrap();
    let events = scene.update();
    assert!(events.len() == 1 && events[0].stopped_with(hero).is_some() && events[0].pair().owner_boundary);
    assert!(scene.touching().is_empty() && scene.update().is_empty());

    let world = scene.world();
    assert!(world.pairs().is_empty() && world.contacts().is_empty());
    assert_eq!((world.overlaps(body).len(), world.overlaps_node(door).len()), (0, 0));
    assert!(world.contact(body, panel).is_some(), "the contact of two given colliders");
    assert_eq!(world.at_point(vec2(2.0, 0.0), &QueryFilter::default()).len(), 2);

    assert!(scene.stop_ignoring_pair(hero, door));
    let events = scene.update();
    assert!(events.len() == 1 && events[0].started_with(door).is_some());
    assert!(!scene.stop_ignoring_pair(hero, door));
}

#[test]
fn a_pair_of_an_owner_covers_the_colliders_of_its_subtree() {
    let (mut scene, [hero, door], _) = hero_and_door();
    scene[hero].owns_subtree = true;
    let sword = Node::new("sword").with_position(vec2(2.0, 0.0));
    let (sword, _) = scene.add_child_with(hero, sword, Circle::new(0.5)).unwrap();
    assert_eq!(scene.update().len(), 1, "the sword touches the door");
    scene.ignore_pair(hero, door).unwrap();
    assert!(!scene.update()[0].started());
    // The sword is dropped: the hero's exception no longer covers it.
    scene.set_parent_in_place(sword, scene.root()).unwrap();
    assert!(scene.update()[0].started_with(sword).is_some());
    scene.ignore_pair(sword, door).unwrap();
    assert!(!scene.update()[0].started());
}

#[test]
fn a_new_owner_in_the_slot_of_an_old_one_does_not_inherit_its_pairs() {
    let (mut scene, [hero, door], _) = hero_and_door();
    scene[hero].owns_subtree = true;
    let sword = Node::new("sword").with_position(vec2(2.0, 0.0));
    let (sword, _) = scene.add_child_with(hero, sword, Circle::new(0.5)).unwrap();
    scene.ignore_pair(hero, door).unwrap();
    let others: Vec<NodeId> = (0..40_u8)
        .map(|x| Node::new("other").with_position(vec2(100.0 + 3.0 * f32::from(x), 0.0)))
        .map(|node| scene.add_with(node, Circle::new(0.5)).0)
        .collect();
    // While all move, updates search again only around colliders that leave their extended boxes.
    let walk = |scene: &mut Scene| {
        others.iter().chain([&sword, &door]).for_each(|node| scene[*node].transform.position.x += 0.01);
        scene.update()
    };
    for _ in 0..6 {
        assert_eq!(walk(&mut scene), []);
    }
    scene.set_parent(sword, scene.root()).unwrap();
    scene.remove(hero);
    let thief = scene.add(Node::new("thief").with_owns_subtree(true));
    scene.set_parent(sword, thief).unwrap();
    let events = walk(&mut scene);
    assert!(events.len() == 1 && events[0].started_with(thief).is_some(), "{events:?}");
}

#[test]
fn a_mover_passes_what_it_ignores() {
    for sensor in [false, true] {
        let (mut scene, [hero, door], [_, panel]) = hero_and_door();
        scene.attachment_mut(panel).unwrap().sensor = sensor;
        let mut other = scene.clone();
        let walk = |scene: &mut Scene| scene.move_and_slide(hero, vec2(9.0, 0.0), &MoveOptions::top_down()).unwrap();
        assert_eq!(walk(&mut scene).travel.x < 2.0, !sensor, "the door blocks unless it is a sensor");
        other.ignore_pair(hero, door).unwrap();
        let moved = walk(&mut other);
        assert_eq!(moved.travel, vec2(9.0, 0.0));
        assert!(moved.hits().is_empty() && moved.passed().is_empty());
        assert!(other.stop_ignoring_pair(door, hero));
        let back = other.move_and_slide(hero, vec2(-9.0, 0.0), &MoveOptions::top_down()).unwrap();
        assert_eq!(back.travel.x > -5.0, !sensor, "it blocks again from the other side");
    }
}

#[test]
fn a_push_passes_what_it_ignores() {
    let (mut scene, [hero, door], _) = hero_and_door();
    scene.move_and_slide(hero, Vec2::ZERO, &MoveOptions::top_down()).unwrap();
    let mut other = scene.clone();
    let pushed = scene.push(door, vec2(-4.0, 0.0), &MoveOptions::top_down()).unwrap();
    assert_eq!(pushed.pushed().len(), 1);
    other.ignore_pair(hero, door).unwrap();
    let pushed = other.push(door, vec2(-4.0, 0.0), &MoveOptions::top_down()).unwrap();
    assert!(pushed.pushed().is_empty() && pushed.squeezed().is_empty());
    assert_eq!(other[hero].transform.position, Vec2::ZERO);
}

#[test]
fn a_removal_forgets_the_pairs_of_the_whole_subtree() {
    let (mut scene, [hero, door], _) = hero_and_door();
    let hand = scene.add_child(hero, Node::new("hand")).unwrap();
    let root = scene.root();
    for pair in [[hand, door], [door, root], [root, hero]] {
        scene.ignore_pair(pair[0], pair[1]).unwrap();
    }
    assert_eq!(scene.ignored_pairs().collect::<Vec<_>>(), [[root, hero], [root, door], [door, hand]]);
    scene.remove(hero);
    assert_eq!(scene.ignored_pairs().collect::<Vec<_>>(), [[root, door]]);
    assert_eq!(scene.ignore_pair(hero, door), Err(SceneError::NodeNotFound(hero)));
    assert!(!scene.ignores_pair(hand, door));
    // A new node in the slot of a removed one is another node.
    let thief = Node::new("thief").with_position(vec2(3.0, 0.0));
    let (thief, _) = scene.add_with(thief, Attachment::new(Circle::new(1.0)));
    assert!(!scene.ignores_pair(thief, door) && scene.update().len() == 1);
    scene.clear();
    assert_eq!(scene.ignored_pairs().len(), 0);
}

#[test]
fn a_clone_has_the_pairs_of_its_original_and_its_own_from_then_on() {
    let (mut scene, [hero, door], _) = hero_and_door();
    scene.ignore_pair(hero, door).unwrap();
    let mut clone = scene.clone();
    assert!(scene.stop_ignoring_pair(hero, door));
    assert!(clone.ignores_pair(hero, door));
    for scene in [&mut scene, &mut clone] {
        scene[hero].transform.position.x = 3.0;
    }
    assert_eq!((scene.update().len(), clone.update().len()), (1, 0));
}
