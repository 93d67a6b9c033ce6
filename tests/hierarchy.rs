//! The tree: its links, its edits, and where its nodes are.

mod support;

use std::f32::consts::{FRAC_PI_4, TAU};

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Circle, ColliderId, Node, NodeId, QueryFilter, Rect, Scene, SceneError, Transform};
use proptest::prelude::*;
use support::cases;

fn at(x: f32, y: f32) -> Node {
    Node::new("n").with_position(vec2(x, y))
}

fn position(scene: &mut Scene, node: NodeId) -> Vec2 {
    scene.world().position(node).unwrap()
}

/// root > a > (b > d, c), with a collider on d.
fn family() -> (Scene, [NodeId; 4], ColliderId) {
    let mut scene = Scene::new();
    let a = scene.add(Node::new("a"));
    let b = scene.add_child(a, Node::new("b")).unwrap();
    let c = scene.add_child(a, Node::new("c")).unwrap();
    let d = scene.add_child(b, Node::new("d")).unwrap();
    let collider = scene.attach(d, Circle::new(1.0)).unwrap();
    (scene, [a, b, c, d], collider)
}

fn below(scene: &Scene, node: NodeId) -> Vec<NodeId> {
    scene.descendants(node).collect()
}

#[test]
fn relatives_are_listed_in_order() {
    let (mut scene, [a, b, c, d], collider) = family();
    let root = scene.root();
    assert_eq!(below(&scene, root), [a, b, d, c], "each before its children, siblings in order");
    assert_eq!(below(&scene, d), []);
    assert_eq!(scene.ancestors(d).collect::<Vec<_>>(), [b, a, root]);
    assert_eq!(scene.ancestors(root).count(), 0);
    assert_eq!((scene.node_count(), scene.collider_count()), (5, 1));
    assert_eq!((scene.parent(root), scene.parent(a)), (None, Some(root)));
    assert_eq!((scene.colliders(d), scene.node_of(collider)), (&[collider][..], Some(d)));
    scene.set_parent(b, root).unwrap();
    assert_eq!((scene.children(root), scene.children(a)), (&[a, b][..], &[c][..]), "as its last child");
    scene.set_parent(a, root).unwrap();
    assert_eq!(scene.children(root), &[a, b], "under its own parent it stays where it is");
}

#[test]
fn paths_lead_back_to_their_nodes() {
    let (mut scene, [a, b, c, d], _) = family();
    for node in [a, b, c, d] {
        let path = scene.path(node).unwrap();
        assert_eq!(scene.find(&path), Some(node), "{path}");
    }
    assert_eq!(scene.path(d).as_deref(), Some("a/b/d"));
    assert_eq!(scene.path(scene.root()).as_deref(), Some(""));
    assert_eq!(scene.find_under(a, "b/d"), Some(d));
    for nowhere in ["", "/", "a/", "/a", "b", "a/b/d/e", "A"] {
        assert_eq!(scene.find(nowhere), None, "{nowhere:?}");
    }
    scene.remove(d);
    assert_eq!((scene.path(d), scene.find("a/b/d"), scene.find_under(d, "x")), (None, None, None));
}

#[test]
fn a_dead_end_does_not_hide_its_namesake() {
    let mut scene = Scene::new();
    scene.add(Node::new("room"));
    let second = scene.add(Node::new("room"));
    let door = scene.add_child(second, Node::new("door")).unwrap();
    let third = scene.add(Node::new("room"));
    scene.add_child(third, Node::new("door")).unwrap();
    assert_eq!(scene.find("room/door"), Some(door));
    assert_eq!(scene.find("room"), Some(scene.children(scene.root())[0]), "the first of one name");
}

#[test]
fn every_refusal_names_the_id_and_changes_nothing() {
    let (mut scene, [a, b, c, d], collider) = family();
    let root = scene.root();
    let gone = scene.add(Node::new("gone"));
    let gone_collider = scene.attach(gone, Circle::new(1.0)).unwrap();
    scene.remove(gone);
    let flat = scene.add(Node::new("flat").with_scale(vec2(1.0, 0.0)));
    let lost = scene.add(Node::new("lost").with_position(Vec2::NAN));
    let before: Vec<(NodeId, Option<NodeId>)> = below(&scene, root).iter().map(|id| (*id, scene.parent(*id))).collect();

    let cases: [(Result<(), SceneError>, SceneError, String); 11] = [
        (scene.add_child(gone, Node::new("x")).map(drop), SceneError::NodeNotFound(gone), format!("{gone:?}")),
        (scene.attach(gone, Rect::new(1.0, 1.0)).map(drop), SceneError::NodeNotFound(gone), format!("{gone:?}")),
        (scene.set_parent(gone, a), SceneError::NodeNotFound(gone), format!("{gone:?}")),
        (scene.set_parent(a, gone), SceneError::NodeNotFound(gone), format!("{gone:?}")),
        (scene.set_parent_in_place(a, gone), SceneError::NodeNotFound(gone), format!("{gone:?}")),
        (scene.move_collider(collider, gone), SceneError::NodeNotFound(gone), format!("{gone:?}")),
        (
            scene.move_collider(gone_collider, a),
            SceneError::ColliderNotFound(gone_collider),
            format!("{gone_collider:?}"),
        ),
        (scene.set_parent(a, d), SceneError::Cycle { node: a, parent: d }, format!("{a:?} cannot move under {d:?}")),
        (scene.set_parent_in_place(b, b), SceneError::Cycle { node: b, parent: b }, format!("{b:?}")),
        (scene.set_parent(root, a), SceneError::Root(root), format!("{root:?}")),
        (scene.set_parent_in_place(c, flat), SceneError::NotInvertible(flat), format!("{flat:?}")),
    ];
    for (result, expected, named) in cases {
        assert_eq!(result, Err(expected));
        assert!(expected.to_string().contains(&named), "{expected} does not name {named}");
    }
    assert_eq!(scene.set_parent_in_place(c, lost), Err(SceneError::NotInvertible(lost)));
    assert_eq!(scene.set_parent_in_place(lost, c), Err(SceneError::NotInvertible(lost)));
    let after: Vec<(NodeId, Option<NodeId>)> = below(&scene, root).iter().map(|id| (*id, scene.parent(*id))).collect();
    assert_eq!(before, after);
    assert_eq!(scene.node_of(collider), Some(d));
    assert!(!scene.remove(root), "the root stays");
}

#[test]
fn a_stale_id_answers_nothing() {
    let (mut scene, [a, ..], collider) = family();
    scene.remove(a);
    assert!(!scene.contains(a) && scene.get(a).is_none() && scene.get_mut(a).is_none());
    assert!(scene.parent(a).is_none() && scene.children(a).is_empty() && scene.colliders(a).is_empty());
    assert!(scene.ancestors(a).next().is_none() && scene.descendants(a).next().is_none());
    assert!(scene.attachment(collider).is_none() && scene.attachment_mut(collider).is_none());
    assert!(scene.detach(collider).is_none() && scene.node_of(collider).is_none());
    let world = scene.world();
    assert!(world.transform(a).is_none() && world.position(a).is_none() && !world.is_enabled(a));
    assert!(world.rotation(a).is_none() && world.scale(a).is_none() && world.skew(a).is_none());
    assert!(world.to_world(a, Vec2::ZERO).is_none() && world.to_local(a, Vec2::ZERO).is_none());
    assert!(world.shape(collider).is_none() && world.bounds(collider).is_none());
    assert!(world.contact(collider, collider).is_none() && world.distance(collider, collider).is_none());
    assert!(world.project_point(collider, Vec2::ZERO).is_none() && world.overlaps(collider).next().is_none());
    assert_eq!(world.overlaps_node(a).count(), 0);
}

#[test]
#[should_panic(expected = "is not in the scene")]
fn indexing_with_a_stale_id_panics_and_says_so() {
    let (mut scene, [a, ..], _) = family();
    scene.remove(a);
    scene[a].enabled = false;
}

#[test]
fn clearing_leaves_only_the_root() {
    let (mut scene, [a, ..], collider) = family();
    let on_root = scene.attach(scene.root(), Circle::new(1.0)).unwrap();
    assert_eq!(scene.update().len(), 1);
    scene.clear();
    assert_eq!((scene.node_count(), scene.collider_count()), (1, 0));
    assert!(!scene.contains(a) && scene.attachment(collider).is_none() && scene.attachment(on_root).is_none());
    assert_eq!(scene.update().len(), 1, "the touch that was has stopped");
}

#[test]
fn a_collider_that_moves_follows_its_new_node() {
    let (mut scene, [_, _, c, d], collider) = family();
    scene[c].transform.position.x = 50.0;
    scene.move_collider(collider, c).unwrap();
    assert_eq!((scene.colliders(d), scene.colliders(c), scene.node_of(collider)), (&[][..], &[collider][..], Some(c)));
    let found = scene.world().at_point(vec2(50.5, 0.0), &QueryFilter::default()).next().unwrap();
    assert_eq!((found.node, found.collider), (c, collider));
    scene.move_collider(collider, c).unwrap();
    assert_eq!(scene.colliders(c), &[collider], "moving it to where it is changes nothing");
}

#[test]
fn a_clone_of_a_scene_goes_its_own_way() {
    let (mut scene, [a, .., d], collider) = family();
    let mut copy = scene.clone();
    copy[a].transform.position.x = 10.0;
    copy.attachment_mut(collider).unwrap().shape_mut::<Circle>().unwrap().clone_from(&Circle::new(3.0));
    assert_eq!((position(&mut scene, d), position(&mut copy, d)), (Vec2::ZERO, vec2(10.0, 0.0)));
    assert_eq!(scene.attachment(collider).unwrap().shape_as::<Circle>().unwrap().radius(), 1.0);
    assert_eq!(copy.attachment(collider).unwrap().shape_as::<Circle>().unwrap().radius(), 3.0);
    assert!(copy.attachment(collider).unwrap().shape_as::<Rect>().is_none());
    copy.remove(a);
    assert!(scene.contains(a));
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_transform_comes_back_from_its_matrix(transform in support::transform()) {
        let affine = transform.to_affine();
        let back = Transform::from_affine(affine).to_affine();
        let size = affine.matrix2.x_axis.length() + affine.matrix2.y_axis.length();
        prop_assert!(back.matrix2.abs_diff_eq(affine.matrix2, size * 4.0 * f32::EPSILON), "{affine} became {back}");
        prop_assert_eq!(back.translation, affine.translation);
    }

    #[test]
    fn reparenting_in_place_keeps_the_world_transform(node in support::transform(), above in support::transform()) {
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("parent").with_transform(above));
        let child = scene.add(Node::new("child").with_transform(node));
        let before = scene.world().transform(child).unwrap();
        let matrix = scene.world().transform(parent).unwrap().matrix2.as_dmat2();
        match scene.set_parent_in_place(child, parent) {
            Ok(()) => {
                let after = scene.world().transform(child).unwrap();
                // Rounding of the local form is magnified by the parent as much as the inverse was.
                let (size, flat) = (matrix.x_axis.length() + matrix.y_axis.length(), matrix.determinant().abs());
                let condition = (size * size / flat) as f32;
                let tolerance = condition * 4.0 * f32::EPSILON;
                let longest = before.matrix2.x_axis.length() + before.matrix2.y_axis.length();
                prop_assert!(after.matrix2.abs_diff_eq(before.matrix2, tolerance * longest), "{before}, then {after}");
                let reach = before.translation.length() + above.position.length();
                prop_assert!(after.translation.abs_diff_eq(before.translation, tolerance * reach), "{before}, then {after}");
                prop_assert_eq!(scene.parent(child), Some(parent));
            }
            Err(error) => {
                prop_assert_eq!(error, SceneError::NotInvertible(parent));
                prop_assert_eq!(matrix.determinant(), 0.0);
                prop_assert_eq!(scene.parent(child), Some(scene.root()));
                prop_assert_eq!(scene.world().transform(child), Some(before));
            }
        }
    }
}

// A world transform is a whole matrix.

#[test]
fn moving_the_parent_moves_a_child_that_was_read_before() {
    // JP-B1
    let mut scene = Scene::new();
    let parent = scene.add(at(0.0, 0.0));
    let child = scene.add_child(parent, at(0.0, 0.0)).unwrap();
    assert_eq!(position(&mut scene, child), Vec2::ZERO);
    scene[parent].transform.position.x = 100.0;
    assert_eq!(position(&mut scene, child), vec2(100.0, 0.0));
}

#[test]
fn a_second_removal_of_a_middle_or_last_child_is_a_no_op() {
    // JP-B2, JP-B3
    for index in 0..3 {
        let mut scene = Scene::new();
        let nodes = [0.0, 1.0, 2.0].map(|x| scene.add(at(x, 0.0)));
        assert!(scene.remove(nodes[index]) && !scene.remove(nodes[index]));
        assert_eq!(scene.node_count(), 3);
        scene.update();
        assert!(!scene.remove(nodes[index]));
        let left: Vec<NodeId> = nodes.into_iter().filter(|node| *node != nodes[index]).collect();
        assert_eq!(scene.children(scene.root()), left);
    }
}

#[test]
fn a_node_removed_in_the_frame_of_its_creation_is_gone() {
    // JP-B4
    let mut scene = Scene::new();
    scene.update();
    let node = scene.add(at(0.0, 0.0));
    scene.attach(node, Circle::new(1.0)).unwrap();
    assert!(scene.remove(node));
    scene.update();
    assert_eq!((scene.node_count(), scene.collider_count()), (1, 0));
    assert_eq!(scene.world().at_point(Vec2::ZERO, &QueryFilter::default()).count(), 0);
}

#[test]
fn removing_several_siblings_removes_just_those() {
    // JP-B5
    let mut scene = Scene::new();
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|_| scene.add(at(0.0, 0.0)));
    for doomed in [b, d, c] {
        assert!(scene.remove(doomed));
    }
    assert_eq!(scene.children(scene.root()), &[a, e]);
}

#[test]
fn uneven_scale_leaves_the_rotation_as_it_is() {
    // JP-B6
    let mut scene = Scene::new();
    let node = scene.add(Node::new("n").with_rotation(FRAC_PI_4).with_scale(vec2(2.0, 1.0)));
    let world = scene.world();
    assert!((world.rotation(node).unwrap() - FRAC_PI_4).abs() < 1e-6);
    assert!(world.scale(node).unwrap().abs_diff_eq(vec2(2.0, 1.0), 1e-6) && world.skew(node).unwrap().abs() < 1e-6);
}

#[test]
fn points_go_to_the_world_and_back() {
    let mut scene = Scene::new();
    let knight = scene.add(Node::new("knight").with_position(vec2(1e6, -3.0)).with_scale(vec2(-2.0, 0.5)));
    let arm = Node::new("arm").with_position(vec2(1.0, 2.0)).with_rotation(0.7).with_skew(0.4);
    let arm = scene.add_child(knight, arm).unwrap();
    assert_eq!(scene.world().to_world(knight, vec2(0.5, 4.0)), Some(vec2(1e6 - 1.0, -1.0)));
    assert_eq!(scene.world().to_local(knight, vec2(1e6 - 1.0, -1.0)), Some(vec2(0.5, 4.0)));

    scene[knight].transform.position = vec2(5.0, -3.0);
    let world = scene.world();
    let place = world.to_world(arm, vec2(3.0, -1.0)).unwrap();
    assert!(world.to_local(arm, place).unwrap().abs_diff_eq(vec2(3.0, -1.0), 1e-5));
    assert_eq!(world.to_world(arm, Vec2::ZERO), world.position(arm));
    for nowhere in [Vec2::NAN, Vec2::INFINITY] {
        assert!(world.to_world(arm, nowhere).is_none() && world.to_local(arm, nowhere).is_none());
    }

    scene[knight].transform.scale.x = 0.0;
    let world = scene.world();
    assert_eq!(world.to_world(arm, Vec2::ONE).map(|place| place.x), Some(5.0), "flat, but somewhere");
    assert!(world.to_local(arm, Vec2::ZERO).is_none() && world.to_local(knight, vec2(5.0, -3.0)).is_none());
    scene[knight].transform.position.x = f32::NAN;
    assert!(scene.world().to_local(arm, Vec2::ZERO).is_none() && scene.world().to_world(arm, Vec2::ZERO).is_none());
}

#[test]
fn two_hundred_levels_stay_exact_to_three_decimals() {
    // JP-ok
    let mut scene = Scene::new();
    let step = TAU / 200.0;
    let mut tip = scene.root();
    for level in 0..200 {
        let scale = if level % 2 == 0 { 1.25 } else { 0.8 };
        let node = Node::new("link").with_rotation(step).with_scale(Vec2::splat(scale));
        tip = scene.add_child(tip, node).unwrap();
    }
    let found = scene.world().transform(tip).unwrap();
    assert!(found.transform_point2(vec2(10.0, 5.0)).abs_diff_eq(vec2(10.0, 5.0), 1e-3), "{found}");
}

#[test]
fn a_chain_of_100_000_nodes_can_be_edited_cloned_and_dropped() {
    // JP-B10
    const LENGTH: usize = 100_000;
    let mut scene = Scene::new();
    let mut chain = vec![scene.root()];
    for _ in 0..LENGTH {
        chain.push(scene.add_child(chain[chain.len() - 1], at(1.0, 0.0)).unwrap());
    }
    let (first, middle, tip) = (chain[1], chain[LENGTH / 2], chain[LENGTH]);
    let collider = scene.attach(tip, Circle::new(1.0)).unwrap();
    scene.update();
    assert_eq!(position(&mut scene, tip), vec2(LENGTH as f32, 0.0));
    assert_eq!(scene.descendants(first).count(), LENGTH - 1);
    assert_eq!(scene.ancestors(tip).count(), LENGTH);
    let path = scene.path(tip).unwrap();
    assert_eq!(scene.find(&path), Some(tip));

    assert_eq!(scene.set_parent(first, tip), Err(SceneError::Cycle { node: first, parent: tip }));
    scene[first].transform.position.y = 7.0;
    assert_eq!(position(&mut scene, tip), vec2(LENGTH as f32, 7.0));
    scene.set_parent_in_place(middle, scene.root()).unwrap();
    assert_eq!(position(&mut scene, tip), vec2(LENGTH as f32, 7.0));
    scene[first].enabled = false;
    assert!(scene.world().is_enabled(tip), "it hangs on another branch now");
    scene[middle].enabled = false;
    assert!(!scene.world().is_enabled(tip));
    scene.set_parent(middle, chain[LENGTH / 2 - 1]).unwrap();

    let mut copy = scene.clone();
    assert!(copy.remove(first));
    assert_eq!((copy.node_count(), copy.collider_count()), (1, 0));
    assert_eq!(scene.node_of(collider), Some(tip));
    copy.update();
    drop(scene);
}

#[test]
fn a_world_transform_is_the_product_of_all_above() {
    let mut scene = Scene::new();
    let links = [
        Transform::from_scale(vec2(-2.0, 0.5)).with_rotation(0.3),
        Transform::from_position(vec2(3.0, 4.0)).with_skew(0.5),
        Transform::from_rotation(-1.0).with_scale(vec2(0.0, 3.0)),
    ];
    let (mut above, mut expected) = (scene.root(), Affine2::IDENTITY);
    for link in links {
        above = scene.add_child(above, Node::new("link").with_transform(link)).unwrap();
        expected *= link.to_affine();
    }
    assert_eq!(scene.world().transform(above), Some(expected));
}

#[test]
fn a_descendant_is_below_at_any_depth_and_never_itself() {
    let mut scene = Scene::new();
    let player = scene.add(Node::new("player"));
    let arm = scene.add_child(player, Node::new("arm")).unwrap();
    let sword = scene.add_child(arm, Node::new("sword")).unwrap();
    let coin = scene.add(Node::new("coin"));
    assert!(scene.is_descendant(sword, player) && scene.is_descendant(sword, scene.root()));
    assert!(!scene.is_descendant(player, sword) && !scene.is_descendant(player, player));
    assert!(!scene.is_descendant(coin, player));
    scene.remove(arm);
    assert!(!scene.is_descendant(sword, player), "a stale node is below nothing");
}

#[test]
fn a_world_walks_the_tree_as_the_scene_does() {
    let mut scene = Scene::new();
    let (knight, body) = scene.add_with(Node::new("knight"), Circle::new(1.0));
    let (sword, blade) = scene.add_child_with(knight, Node::new("sword"), Circle::new(0.2)).unwrap();
    let hilt = scene.attach(sword, Circle::new(0.1)).unwrap();
    assert!(scene.add_child_with(NodeId::default(), Node::new("x"), Circle::new(1.0)).is_err());
    assert_eq!((scene.node_count(), scene.collider_count()), (3, 3), "and nothing was added");

    let world = scene.world();
    assert_eq!(world.descendants(world.root()).collect::<Vec<_>>(), [knight, sword]);
    assert_eq!((world.children(knight), world.parent(sword)), (&[sword][..], Some(knight)));
    assert_eq!((world.colliders(sword), world.node_of(body)), (&[blade, hilt][..], Some(knight)));
    assert_eq!(world.path(sword).as_deref(), Some("knight/sword"));
    assert!(world.attachment(hilt).is_some_and(|attachment| !attachment.sensor));

    let stale = NodeId::default();
    assert!(world.descendants(stale).next().is_none() && world.children(stale).is_empty());
    assert!(world.colliders(stale).is_empty() && world.path(stale).is_none() && world.parent(stale).is_none());
}

#[test]
fn a_transform_is_finite_if_all_its_numbers_are() {
    assert!(Transform::IDENTITY.is_finite());
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    for bad in bad {
        assert!(!Transform::from_position(vec2(0.0, bad)).is_finite());
        assert!(!Transform::from_rotation(bad).is_finite());
        assert!(!Transform::from_scale(vec2(bad, 1.0)).is_finite());
        assert!(!Transform::IDENTITY.with_skew(bad).is_finite());
    }
}
