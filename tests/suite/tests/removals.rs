//! A scene keeps what was removed on request, until the host drains it.

use allocation_counter::measure;
use hitgraph::{Attachment, Circle, ColliderId, Node, NodeId, Removed, Scene};
use support::saved::{from_bytes, to_bytes};

/// Adds a node with a number and a collider with the same number, by default below the root, and returns both ids.
fn add(scene: &mut Scene, parent: impl Into<Option<NodeId>>, number: u64) -> (NodeId, ColliderId) {
    let attachment = Attachment::new(Circle::new(1.0)).with_user_data(number);
    let parent = parent.into().unwrap_or(scene.root());
    scene.add_child_with(parent, Node::new(format!("n{number}")).with_user_data(number), attachment).unwrap()
}

/// A removed thing in short: its id and its number, and for a collider its node.
#[derive(Debug, PartialEq)]
enum Gone {
    Node(NodeId, u64),
    Collider(ColliderId, NodeId, u64),
}

fn drained(scene: &mut Scene) -> Vec<Gone> {
    let short = |removed| match removed {
        Removed::Node { id, node } => Gone::Node(id, node.user_data),
        Removed::Collider { id, node, attachment } => Gone::Collider(id, node, attachment.user_data),
        other => panic!("{other:?}"),
    };
    scene.drain_removed().map(short).collect()
}

#[test]
fn nothing_is_kept_unless_requested() {
    let mut scene = Scene::new();
    let (node, _) = add(&mut scene, None, 1);
    scene.remove(node);
    assert_eq!(scene.drain_removed().len(), 0);
    scene.keep_removed(true);
    assert_eq!(scene.drain_removed().len(), 0, "earlier removals are lost");
    let (node, _) = add(&mut scene, None, 2);
    scene.remove(node);
    scene.keep_removed(false);
    scene.keep_removed(true);
    assert_eq!(scene.drain_removed().len(), 0, "switching it off drops what was kept");
}

#[test]
fn each_node_comes_with_its_data_before_its_colliders_and_these_before_its_children() {
    let mut scene = Scene::new();
    scene.keep_removed(true);
    let (top, body) = add(&mut scene, None, 1);
    let second = scene.attach(top, Attachment::new(Circle::new(2.0)).with_user_data(10)).unwrap();
    let (first_child, a) = add(&mut scene, top, 2);
    let (last_child, b) = add(&mut scene, top, 3);
    let (grandchild, c) = add(&mut scene, first_child, 4);
    assert!(scene.remove(top));
    let expected = [
        Gone::Node(top, 1),
        Gone::Collider(body, top, 1),
        Gone::Collider(second, top, 10),
        Gone::Node(last_child, 3),
        Gone::Collider(b, last_child, 3),
        Gone::Node(first_child, 2),
        Gone::Collider(a, first_child, 2),
        Gone::Node(grandchild, 4),
        Gone::Collider(c, grandchild, 4),
    ];
    assert_eq!(drained(&mut scene), expected);
    assert_eq!(drained(&mut scene), [], "a second call finds nothing");
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn removals_add_up_in_their_order_until_they_are_drained() {
    let mut scene = Scene::new();
    scene.keep_removed(true);
    let (outer, outer_collider) = add(&mut scene, None, 1);
    let (inner, inner_collider) = add(&mut scene, outer, 2);
    assert!(scene.remove(inner));
    // An update in between changes nothing.
    scene.update();
    assert!(scene.remove(outer));
    let expected = [
        Gone::Node(inner, 2),
        Gone::Collider(inner_collider, inner, 2),
        Gone::Node(outer, 1),
        Gone::Collider(outer_collider, outer, 1),
    ];
    assert_eq!(drained(&mut scene), expected);
}

#[test]
fn refused_removals_and_detached_colliders_are_not_in_the_list() {
    let mut scene = Scene::new();
    scene.keep_removed(true);
    let (node, collider) = add(&mut scene, None, 1);
    assert!(!scene.remove(scene.root()));
    assert!(scene.detach(collider).is_some(), "it is returned instead");
    assert_eq!(drained(&mut scene), []);
    assert!(scene.remove(node));
    assert!(!scene.remove(node));
    assert_eq!(drained(&mut scene), [Gone::Node(node, 1)]);
}

#[test]
fn clear_lists_every_node_once_and_the_colliders_of_the_root_last_in_reverse() {
    let mut scene = Scene::new();
    scene.keep_removed(true);
    let root = scene.root();
    let [ground, sky] =
        [7, 8].map(|data| scene.attach(root, Attachment::new(Circle::new(9.0)).with_user_data(data)).unwrap());
    let (low, low_collider) = add(&mut scene, root, 1);
    let (high, high_collider) = add(&mut scene, root, 2);
    // A node with a smaller id than its parent is removed with that.
    scene.set_parent(low, high).unwrap();
    let (child, child_collider) = add(&mut scene, low, 3);
    scene.clear();
    let expected = [
        Gone::Node(child, 3),
        Gone::Collider(child_collider, child, 3),
        Gone::Node(high, 2),
        Gone::Collider(high_collider, high, 2),
        Gone::Node(low, 1),
        Gone::Collider(low_collider, low, 1),
        Gone::Collider(sky, root, 8),
        Gone::Collider(ground, root, 7),
    ];
    assert_eq!(drained(&mut scene), expected);
    assert_eq!((scene.node_count(), scene.collider_count()), (1, 0));
}

#[test]
fn a_scene_that_keeps_what_is_removed_stays_equal_to_one_that_does_not() {
    let mut scenes = [true, false].map(|keep| {
        let mut scene = Scene::new();
        scene.keep_removed(keep);
        scene
    });
    for scene in &mut scenes {
        let tops: Vec<NodeId> = (0..6).map(|number| add(scene, None, number).0).collect();
        for top in &tops {
            add(scene, *top, 9);
        }
        scene.update();
        scene.remove(tops[1]);
        scene.remove(tops[4]);
        add(scene, tops[0], 11);
    }
    let [keeps, drops] = &mut scenes;
    assert_eq!(keeps.checksum(), drops.checksum());
    assert_eq!(to_bytes(keeps), to_bytes(drops));
    assert_eq!(keeps.update(), drops.update());
    let mut loaded = from_bytes(&to_bytes(keeps)).unwrap();
    assert_eq!(loaded.checksum(), keeps.checksum());
    loaded.clear();
    assert_eq!(loaded.drain_removed().len(), 0, "a loaded scene keeps nothing");
    assert_eq!(drained(keeps).len(), 8);
}

#[test]
fn a_clone_has_the_setting_but_not_the_list() {
    let mut scene = Scene::new();
    scene.keep_removed(true);
    let (node, _) = add(&mut scene, None, 1);
    let snapshot = scene.clone();
    scene.remove(node);

    let mut clone = scene.clone();
    assert_eq!(clone.drain_removed().len(), 0);
    let (other, _) = add(&mut clone, None, 2);
    clone.remove(other);
    assert_eq!(clone.drain_removed().len(), 2);

    // The node is back, so it is not reported as removed.
    scene.clone_from(&snapshot);
    assert!(scene.contains(node));
    assert_eq!(scene.drain_removed().len(), 0);
    scene.remove(node);
    assert_eq!(scene.drain_removed().len(), 2);

    scene.remove(node);
    scene.clone_from(&Scene::new());
    let (node, _) = add(&mut scene, None, 3);
    scene.remove(node);
    assert_eq!(scene.drain_removed().len(), 0, "the source keeps nothing");
}

#[test]
fn a_graft_of_what_was_removed_restores_it_elsewhere() {
    let (mut level, mut trash) = (Scene::new(), Scene::new());
    level.keep_removed(true);
    let (top, _) = add(&mut level, None, 1);
    add(&mut level, top, 2);
    let spare = trash.graft(&level, top, trash.root()).unwrap().root();
    level.remove(top);
    assert_eq!(level.drain_removed().len(), 4);
    level.graft(&trash, spare, level.root()).unwrap();
    assert_eq!((level.node_count(), level.drain_removed().len()), (3, 0));
}

#[test]
fn keeping_what_is_removed_allocates_nothing_more_once_the_list_is_long_enough() {
    let allocations = |keep| {
        let (mut scene, mut kept) = (Scene::new(), Vec::new());
        scene.keep_removed(keep);
        let mut frame = || {
            let nodes: Vec<NodeId> = (0..20).map(|number| add(&mut scene, None, number).0).collect();
            let removal = measure(|| {
                for node in &nodes {
                    scene.remove(*node);
                }
                kept.clear();
                kept.extend(scene.drain_removed());
            });
            scene.update();
            removal.count_total
        };
        [frame(), frame(), frame()]
    };
    let (kept, dropped) = (allocations(true), allocations(false));
    assert!(kept[0] > dropped[0], "the counter must count allocations");
    assert_eq!(kept[2], dropped[2]);
}
