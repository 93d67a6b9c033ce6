//! The tree of nodes: links, edits, stale ids and world transforms.

use std::cell::RefCell;
use std::f32::consts::{FRAC_PI_4, TAU};
use std::panic::{self, AssertUnwindSafe};

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Circle, ColliderId, MoveOptions, Node, NodeId, QueryFilter, Rect, Scene, SceneError, Transform};
use proptest::prelude::*;
use support::cases;
use support::dice::Dice;

fn at(x: f32, y: f32) -> Node {
    Node::new("n").with_position(vec2(x, y))
}

fn position(scene: &mut Scene, node: NodeId) -> Vec2 {
    scene.world().position(node).unwrap()
}

/// Returns the tree root > a > (b > d, c), with a collider on d.
fn small_tree() -> (Scene, [NodeId; 4], ColliderId) {
    let mut scene = Scene::new();
    let a = scene.add(Node::new("a"));
    let b = scene.add_child(a, Node::new("b")).unwrap();
    let c = scene.add_child(a, Node::new("c")).unwrap();
    let d = scene.add_child(b, Node::new("d")).unwrap();
    let collider = scene.attach(d, Circle::new(1.0)).unwrap();
    (scene, [a, b, c, d], collider)
}

fn descendants_of(scene: &Scene, node: NodeId) -> Vec<NodeId> {
    scene.descendants(node).collect()
}

#[test]
fn children_ancestors_and_descendants_are_listed_in_tree_order() {
    let (mut scene, [a, b, c, d], collider) = small_tree();
    let root = scene.root();
    assert_eq!(descendants_of(&scene, root), [a, b, d, c], "parents come before children, siblings are in order");
    assert_eq!(descendants_of(&scene, d), []);
    assert_eq!(scene.ancestors(d).collect::<Vec<_>>(), [b, a, root]);
    assert_eq!(scene.ancestors(root).count(), 0);
    assert_eq!((scene.node_count(), scene.collider_count()), (5, 1));
    assert_eq!((scene.parent(root), scene.parent(a)), (None, Some(root)));
    assert_eq!((scene.colliders(d), scene.node_of(collider)), (&[collider][..], Some(d)));
    scene.set_parent(b, root).unwrap();
    assert_eq!((scene.children(root), scene.children(a)), (&[a, b][..], &[c][..]), "as its last child");
    scene.set_parent(a, root).unwrap();
    assert_eq!(scene.children(root), &[b, a], "under its own parent it becomes the last child");
}

#[test]
fn tree_order_is_the_order_of_descendants_and_sorts_removed_nodes_to_the_end() {
    let (mut scene, mut dice) = (Scene::new(), Dice(11));
    let mut nodes = vec![scene.root()];
    for _ in 0..60 {
        let parent = dice.one_of(&nodes);
        nodes.push(scene.add_child(parent, Node::new("n")).unwrap());
    }
    for _ in 0..200 {
        let [node, parent] = [(); 2].map(|()| dice.one_of(&nodes));
        // Some would make a cycle.
        _ = scene.set_parent(node, parent);
        _ = scene.move_child(node, dice.one_of(&[0, 1, 5]));
    }
    for step in 0..4 {
        let mut gone: Vec<_> = nodes.iter().copied().filter(|node| !scene.contains(*node)).collect();
        gone.sort_unstable();
        let expected = [vec![scene.root()], descendants_of(&scene, scene.root()), gone].concat();
        let mut sorted = nodes.clone();
        let world = scene.world();
        sorted.sort_by(|a, b| world.tree_order(*a, *b));
        assert_eq!(sorted, expected, "step {step}");
        scene.remove(nodes[1 + 7 * step]);
    }
}

#[test]
fn a_node_stays_where_it_is_if_its_axes_would_be_longer_than_the_largest_number_under_a_new_parent() {
    let mut scene = Scene::new();
    let small = scene.add(Node::new("small").with_scale(Vec2::splat(0.6)));
    let turned = Transform::from_rotation(FRAC_PI_4);
    // 2.5e38 / 0.6 is too long for an axis, but not for one of its coordinates.
    let huge = scene.add(Node::new("huge").with_transform(turned.with_scale(Vec2::splat(2.5e38))));
    assert_eq!(scene.set_parent_in_place(huge, small), Err(SceneError::NotFinite(huge)));
    assert_eq!(scene.parent(huge), Some(scene.root()));
    assert!(scene.update().is_empty() && scene.quarantined().is_empty());
}

#[test]
fn find_returns_the_node_of_each_path() {
    let (mut scene, [a, b, c, d], _) = small_tree();
    for node in [a, b, c, d] {
        let path = scene.path(node).unwrap();
        assert_eq!(scene.find(&path), Some(node), "{path}");
    }
    assert_eq!(scene.path(d).as_deref(), Some("a/b/d"));
    assert_eq!(scene.path(scene.root()).as_deref(), Some(""));
    assert_eq!(scene.find_under(a, "b/d"), Some(d));
    scene.add(Node::default());
    for missing in ["", "/", "a/", "/a", "b", "a/b/d/e", "A"] {
        assert_eq!(scene.find(missing), None, "{missing:?}");
    }
    scene.remove(d);
    assert_eq!((scene.path(d), scene.find("a/b/d"), scene.find_under(d, "x")), (None, None, None));
}

#[test]
fn find_continues_past_a_namesake_without_the_rest_of_the_path() {
    let mut scene = Scene::new();
    scene.add(Node::new("room"));
    let second = scene.add(Node::new("room"));
    let door = scene.add_child(second, Node::new("door")).unwrap();
    let third = scene.add(Node::new("room"));
    scene.add_child(third, Node::new("door")).unwrap();
    assert_eq!(scene.find("room/door"), Some(door));
    assert_eq!(scene.find("room"), Some(scene.children(scene.root())[0]), "the first namesake");
}

#[test]
fn every_failed_edit_names_the_id_and_changes_nothing() {
    let (mut scene, [a, b, c, d], collider) = small_tree();
    let root = scene.root();
    let removed = scene.add(Node::new("removed"));
    let removed_collider = scene.attach(removed, Circle::new(1.0)).unwrap();
    scene.remove(removed);
    let flat = scene.add(Node::new("flat").with_scale(vec2(1.0, 0.0)));
    let non_finite = scene.add(Node::new("non-finite").with_position(Vec2::NAN));
    let before: Vec<(NodeId, Option<NodeId>)> =
        descendants_of(&scene, root).iter().map(|id| (*id, scene.parent(*id))).collect();

    let cases: [(Result<(), SceneError>, SceneError, String); 11] = [
        (scene.add_child(removed, Node::new("x")).map(drop), SceneError::NodeNotFound(removed), format!("{removed:?}")),
        (
            scene.attach(removed, Rect::new(1.0, 1.0)).map(drop),
            SceneError::NodeNotFound(removed),
            format!("{removed:?}"),
        ),
        (scene.set_parent(removed, a), SceneError::NodeNotFound(removed), format!("{removed:?}")),
        (scene.set_parent(a, removed), SceneError::NodeNotFound(removed), format!("{removed:?}")),
        (scene.set_parent_in_place(a, removed), SceneError::NodeNotFound(removed), format!("{removed:?}")),
        (scene.move_collider(collider, removed), SceneError::NodeNotFound(removed), format!("{removed:?}")),
        (
            scene.move_collider(removed_collider, a),
            SceneError::ColliderNotFound(removed_collider),
            format!("{removed_collider:?}"),
        ),
        (scene.set_parent(a, d), SceneError::Cycle { node: a, parent: d }, format!("{a:?} cannot move under {d:?}")),
        (scene.set_parent_in_place(b, b), SceneError::Cycle { node: b, parent: b }, format!("{b:?}")),
        (scene.set_parent(root, a), SceneError::Root(root), format!("{root:?}")),
        (scene.set_parent_in_place(c, flat), SceneError::NotInvertible(flat), format!("{flat:?}")),
    ];
    for (result, expected, id) in cases {
        assert_eq!(result, Err(expected));
        assert!(expected.to_string().contains(&id), "{expected} does not name {id}");
    }
    assert_eq!(scene.set_parent_in_place(c, non_finite), Err(SceneError::NotInvertible(non_finite)));
    assert_eq!(scene.set_parent_in_place(non_finite, c), Err(SceneError::NotFinite(non_finite)));
    let after: Vec<(NodeId, Option<NodeId>)> =
        descendants_of(&scene, root).iter().map(|id| (*id, scene.parent(*id))).collect();
    assert_eq!(before, after);
    assert_eq!(scene.node_of(collider), Some(d));
    assert!(!scene.remove(root), "the root cannot be removed");
}

#[test]
fn every_lookup_with_a_stale_id_returns_nothing() {
    let (mut scene, [a, ..], collider) = small_tree();
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

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

#[test]
fn indexing_with_a_stale_id_panics_at_the_callers_line_with_a_clear_message() {
    let (mut scene, [a, ..], _) = small_tree();
    scene.remove(a);
    let earlier = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        PANIC.set(panic.to_string());
        earlier(panic);
    }));
    let uses: [(u32, fn(&mut Scene, NodeId)); 2] =
        [(line!(), |scene, id| assert!(scene[id].enabled)), (line!(), |scene, id| scene[id].enabled = false)];
    for (line, use_id) in uses {
        assert!(panic::catch_unwind(AssertUnwindSafe(|| use_id(&mut scene, a))).is_err());
        let message = PANIC.take();
        let parts = [format!("{}:{line}:", file!()), format!("{a:?} is not in the scene")];
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

#[test]
fn clear_removes_all_nodes_but_the_root_and_all_colliders() {
    let (mut scene, [a, ..], collider) = small_tree();
    let on_root = scene.attach(scene.root(), Circle::new(1.0)).unwrap();
    assert_eq!(scene.update().len(), 1);
    scene.clear();
    assert_eq!((scene.node_count(), scene.collider_count()), (1, 0));
    assert!(!scene.contains(a) && scene.attachment(collider).is_none() && scene.attachment(on_root).is_none());
    assert_eq!(scene.update().len(), 1, "the pair that was touching must stop");
}

#[test]
fn a_collider_moved_to_another_node_uses_its_transform() {
    let (mut scene, [_, _, c, d], collider) = small_tree();
    scene[c].transform.position.x = 50.0;
    scene.move_collider(collider, c).unwrap();
    assert_eq!((scene.colliders(d), scene.colliders(c), scene.node_of(collider)), (&[][..], &[collider][..], Some(c)));
    let found = scene.world().at_point(vec2(50.5, 0.0), &QueryFilter::default()).next().unwrap();
    assert_eq!((found.node, found.collider), (c, collider));
    scene.move_collider(collider, c).unwrap();
    assert_eq!(scene.colliders(c), &[collider], "moving a collider to its own node changes nothing");
}

#[test]
fn edits_of_a_cloned_scene_do_not_change_the_original() {
    let (mut scene, [a, .., d], collider) = small_tree();
    let mut copy = scene.clone();
    copy[a].transform.position.x = 10.0;
    copy.attachment_mut(collider).unwrap().collider_mut::<Circle>().unwrap().clone_from(&Circle::new(3.0));
    assert_eq!((position(&mut scene, d), position(&mut copy, d)), (Vec2::ZERO, vec2(10.0, 0.0)));
    assert_eq!(scene.attachment(collider).unwrap().collider_as::<Circle>().unwrap().radius(), 1.0);
    assert_eq!(copy.attachment(collider).unwrap().collider_as::<Circle>().unwrap().radius(), 3.0);
    assert!(copy.attachment(collider).unwrap().collider_as::<Rect>().is_none());
    copy.remove(a);
    assert!(scene.contains(a));
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_transform_survives_conversion_to_an_affine_matrix_and_back(transform in support::transform()) {
        let affine = transform.to_affine();
        let back = Transform::from_affine(affine).to_affine();
        let size = affine.matrix2.x_axis.length() + affine.matrix2.y_axis.length();
        prop_assert!(back.matrix2.abs_diff_eq(affine.matrix2, size * 4.0 * f32::EPSILON), "{affine} changed to {back}");
        prop_assert_eq!(back.translation, affine.translation);
    }

    #[test]
    fn reparenting_in_place_keeps_the_world_transform(
        node in support::transform(), new_parent in support::transform()
    ) {
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("parent").with_transform(new_parent));
        let child = scene.add(Node::new("child").with_transform(node));
        let before = scene.world().transform(child).unwrap();
        let matrix = scene.world().transform(parent).unwrap().matrix2.as_dmat2();
        match scene.set_parent_in_place(child, parent) {
            Ok(()) => {
                let after = scene.world().transform(child).unwrap();
                // The parent's condition number magnifies the rounding error of the new local transform.
                let (size, area) = (matrix.x_axis.length() + matrix.y_axis.length(), matrix.determinant().abs());
                let condition = (size * size / area) as f32;
                let tolerance = condition * 4.0 * f32::EPSILON;
                let longest = before.matrix2.x_axis.length() + before.matrix2.y_axis.length();
                prop_assert!(after.matrix2.abs_diff_eq(before.matrix2, tolerance * longest), "{before}, then {after}");
                let reach = before.translation.length() + new_parent.position.length();
                let is_kept = after.translation.abs_diff_eq(before.translation, tolerance * reach);
                prop_assert!(is_kept, "{before}, then {after}");
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

// World transforms are full affine matrices.

#[test]
fn moving_a_parent_moves_a_child_whose_position_was_read_before() {
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
        let remaining: Vec<NodeId> = nodes.into_iter().filter(|node| *node != nodes[index]).collect();
        assert_eq!(scene.children(scene.root()), remaining);
    }
}

#[test]
fn a_node_removed_in_the_frame_of_its_creation_does_not_exist() {
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
fn removing_several_siblings_removes_exactly_those() {
    // JP-B5
    let mut scene = Scene::new();
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|_| scene.add(at(0.0, 0.0)));
    for node in [b, d, c] {
        assert!(scene.remove(node));
    }
    assert_eq!(scene.children(scene.root()), &[a, e]);
}

#[test]
fn non_uniform_scale_does_not_change_the_rotation() {
    // JP-B6
    let mut scene = Scene::new();
    let node = scene.add(Node::new("n").with_rotation(FRAC_PI_4).with_scale(vec2(2.0, 1.0)));
    let world = scene.world();
    assert!((world.rotation(node).unwrap() - FRAC_PI_4).abs() < 1e-6);
    assert!(world.scale(node).unwrap().abs_diff_eq(vec2(2.0, 1.0), 1e-6) && world.skew(node).unwrap().abs() < 1e-6);
}

#[test]
fn a_skewed_node_keeps_its_shape_however_far_it_has_turned() {
    let mut scene = Scene::new();
    for rotation in [0.0, 3.0, -30.0, 1e3, -3e4, 1e6, 1e9, f32::MAX] {
        for skew in [1e-3, 0.3, -0.7, 1.5] {
            let node = Node::new("n").with_rotation(rotation).with_skew(skew).with_scale(vec2(1.5, -0.5));
            let node = scene.add(node);
            let world = scene.world();
            assert!((world.skew(node).unwrap() - skew).abs() < 4.0 * f32::EPSILON, "{rotation} {skew}");
            assert!(world.scale(node).unwrap().abs_diff_eq(vec2(1.5, -0.5), 4.0 * f32::EPSILON));
        }
    }
    let most = Transform { rotation: f32::MAX, skew: f32::MAX, ..Transform::IDENTITY };
    assert!(most.is_finite() && most.to_affine().is_finite());
}

#[test]
fn to_local_inverts_to_world() {
    let mut scene = Scene::new();
    let knight = scene.add(Node::new("knight").with_position(vec2(1e6, -3.0)).with_scale(vec2(-2.0, 0.5)));
    let arm = Node::new("arm").with_position(vec2(1.0, 2.0)).with_rotation(0.7).with_skew(0.4);
    let arm = scene.add_child(knight, arm).unwrap();
    assert_eq!(scene.world().to_world(knight, vec2(0.5, 4.0)), Some(vec2(1e6 - 1.0, -1.0)));
    assert_eq!(scene.world().to_local(knight, vec2(1e6 - 1.0, -1.0)), Some(vec2(0.5, 4.0)));

    scene[knight].transform.position = vec2(5.0, -3.0);
    let world = scene.world();
    let point = world.to_world(arm, vec2(3.0, -1.0)).unwrap();
    assert!(world.to_local(arm, point).unwrap().abs_diff_eq(vec2(3.0, -1.0), 1e-5));
    assert_eq!(world.to_world(arm, Vec2::ZERO), world.position(arm));
    for non_finite in [Vec2::NAN, Vec2::INFINITY] {
        assert!(world.to_world(arm, non_finite).is_none() && world.to_local(arm, non_finite).is_none());
    }

    scene[knight].transform.scale.x = 0.0;
    let world = scene.world();
    assert_eq!(world.to_world(arm, Vec2::ONE).map(|point| point.x), Some(5.0), "a scale of zero is valid");
    assert!(world.to_local(arm, Vec2::ZERO).is_none() && world.to_local(knight, vec2(5.0, -3.0)).is_none());
    scene[knight].transform.position.x = f32::NAN;
    assert!(scene.world().to_local(arm, Vec2::ZERO).is_none() && scene.world().to_world(arm, Vec2::ZERO).is_none());
}

#[test]
fn a_transform_through_200_levels_is_exact_to_three_decimals() {
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
    assert!(scene.world().is_enabled(tip), "the tip is no longer a descendant of the disabled node");
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
fn a_chain_of_100_000_nodes_can_be_built_from_either_end() {
    const LENGTH: usize = 100_000;
    let mut scene = Scene::new();
    let nodes: Vec<NodeId> = (0..LENGTH).map(|_| scene.add(at(1.0, 0.0))).collect();
    for from_the_leaf in [true, false] {
        for index in 0..LENGTH - 1 {
            let index = if from_the_leaf { index } else { LENGTH - 2 - index };
            scene.set_parent(nodes[index], nodes[index + 1]).unwrap();
        }
        assert_eq!(position(&mut scene, nodes[0]), vec2(LENGTH as f32, 0.0));
        assert_eq!(scene.validate(), Ok(()));
        nodes.iter().for_each(|node| scene.set_parent(*node, scene.root()).unwrap());
        assert_eq!(position(&mut scene, nodes[0]), vec2(1.0, 0.0));
        assert_eq!(scene.validate(), Ok(()));
    }
}

#[test]
fn nodes_that_get_other_parents_several_times_before_a_refresh_have_the_right_depths() {
    let mut scene = Scene::new();
    let nodes: Vec<NodeId> = (0..40).map(|_| scene.add(at(1.0, 0.0))).collect();
    let mut dice = Dice(7);
    for round in 0..200 {
        for _ in 0..dice.below(6) {
            let [node, parent] = [0; 2].map(|_| nodes[dice.below(40) as usize]);
            // Cycles are refused.
            _ = scene.set_parent(node, if dice.below(8) == 0 { scene.root() } else { parent });
        }
        assert_eq!(scene.validate(), Ok(()), "round {round}");
        for node in &nodes {
            let depth = scene.ancestors(*node).count();
            assert_eq!(position(&mut scene, *node), vec2(depth as f32, 0.0));
        }
    }
}

#[test]
fn a_world_transform_is_the_product_of_all_ancestor_transforms() {
    let mut scene = Scene::new();
    let links = [
        Transform::from_scale(vec2(-2.0, 0.5)).with_rotation(0.3),
        Transform::from_position(vec2(3.0, 4.0)).with_skew(0.5),
        Transform::from_rotation(-1.0).with_scale(vec2(0.0, 3.0)),
    ];
    let (mut parent, mut expected) = (scene.root(), Affine2::IDENTITY);
    for link in links {
        parent = scene.add_child(parent, Node::new("link").with_transform(link)).unwrap();
        expected *= link.to_affine();
    }
    assert_eq!(scene.world().transform(parent), Some(expected));
}

#[test]
fn is_descendant_holds_at_any_depth_and_never_for_the_node_itself() {
    let mut scene = Scene::new();
    let player = scene.add(Node::new("player"));
    let arm = scene.add_child(player, Node::new("arm")).unwrap();
    let sword = scene.add_child(arm, Node::new("sword")).unwrap();
    let coin = scene.add(Node::new("coin"));
    assert!(scene.is_descendant(sword, player) && scene.is_descendant(sword, scene.root()));
    assert!(!scene.is_descendant(player, sword) && !scene.is_descendant(player, player));
    assert!(!scene.is_descendant(coin, player));
    scene.remove(arm);
    assert!(!scene.is_descendant(sword, player), "a stale node is no descendant");
}

#[test]
fn a_world_offers_the_same_tree_lookups_as_the_scene() {
    let mut scene = Scene::new();
    let (knight, torso) = scene.add_with(Node::new("knight"), Circle::new(1.0));
    let (sword, blade) = scene.add_child_with(knight, Node::new("sword"), Circle::new(0.2)).unwrap();
    let hilt = scene.attach(sword, Circle::new(0.1)).unwrap();
    assert!(scene.add_child_with(NodeId::default(), Node::new("x"), Circle::new(1.0)).is_err());
    assert_eq!((scene.node_count(), scene.collider_count()), (3, 3), "a failed call adds nothing");

    let world = scene.world();
    assert_eq!(world.descendants(world.root()).collect::<Vec<_>>(), [knight, sword]);
    assert_eq!((world.children(knight), world.parent(sword)), (&[sword][..], Some(knight)));
    assert_eq!((world.colliders(sword), world.node_of(torso)), (&[blade, hilt][..], Some(knight)));
    assert_eq!(world.path(sword).as_deref(), Some("knight/sword"));
    assert!(world.attachment(hilt).is_some_and(|attachment| !attachment.sensor));

    let stale = NodeId::default();
    assert!(world.descendants(stale).next().is_none() && world.children(stale).is_empty());
    assert!(world.colliders(stale).is_empty() && world.path(stale).is_none() && world.parent(stale).is_none());
}

#[test]
fn is_finite_checks_every_field_of_a_transform() {
    assert!(Transform::IDENTITY.is_finite());
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(!Transform::from_position(vec2(0.0, value)).is_finite());
        assert!(!Transform::from_rotation(value).is_finite());
        assert!(!Transform::from_scale(vec2(value, 1.0)).is_finite());
        assert!(!Transform::IDENTITY.with_skew(value).is_finite());
    }
}

#[test]
fn a_flat_node_that_is_reparented_in_place_keeps_its_rotation() {
    for scale in [vec2(0.0, 1.0), vec2(-2.0, 0.0), Vec2::ZERO] {
        let mut scene = Scene::new();
        let group = scene.add(Node::new("group").with_position(vec2(3.0, 1.0)).with_rotation(0.25));
        let card = scene.add(Node::new("card").with_rotation(0.75).with_scale(scale));
        scene.set_parent_in_place(card, group).unwrap();
        let local = scene[card].transform;
        assert!((local.rotation - 0.5).abs() < 1e-6 && local.skew == 0.0, "{local:?}");
        assert!(local.scale.abs_diff_eq(scale, 1e-6), "{local:?}");
        assert!(scene.world().position(card).unwrap().length() < 1e-6);
    }
}

#[test]
fn a_node_that_gets_its_own_parent_in_place_keeps_its_transform() {
    let mut scene = Scene::new();
    let wheel = scene.add(Node::new("wheel").with_rotation(7.0));
    scene.set_parent_in_place(wheel, scene.root()).unwrap();
    assert_eq!(scene[wheel].transform.rotation, 7.0);
}

#[test]
fn a_mirrored_node_that_is_reparented_in_place_keeps_the_signs_of_its_scale() {
    let mut scene = Scene::new();
    let ship = scene.add(at(5.0, 2.0).with_rotation(0.5).with_scale(vec2(2.0, 2.0)));
    let stretched = scene.add(at(1.0, 0.0).with_rotation(0.5).with_scale(vec2(2.0, 0.5)));
    for signs in [vec2(-1.0, 1.0), vec2(1.0, -1.0), vec2(-1.0, -1.0), vec2(1.0, 1.0)] {
        let knight = scene.add(at(4.0, 1.0).with_rotation(0.25).with_scale(signs));
        for parent in [ship, scene.root(), stretched, ship, scene.root()] {
            let before = scene.world().transform(knight).unwrap();
            scene.set_parent_in_place(knight, parent).unwrap();
            assert_eq!(scene[knight].transform.scale.signum(), signs);
            assert!(scene.world().transform(knight).unwrap().abs_diff_eq(before, 1e-5));
        }
        let Transform { rotation, scale, skew, .. } = scene[knight].transform;
        assert!((rotation - 0.25).abs() < 1e-5 && scale.abs_diff_eq(signs, 1e-5) && skew.abs() < 1e-5);
    }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn setting_a_world_transform_gives_what_reparenting_in_place_keeps(
        node in support::transform(), parent in support::transform()
    ) {
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("parent").with_transform(parent));
        let [set, moved] = [parent, scene.root()].map(|above| scene.add_child(above, Node::new("child")).unwrap());
        scene[moved].transform = node;
        // The signs of the scale are those of the old transform.
        scene[set].transform = node;
        let world = scene.world().transform(moved).unwrap();
        let results = [scene.set_world_transform(set, world), scene.set_parent_in_place(moved, parent)];
        prop_assert_eq!(results[0], results[1]);
        // Only the move knows the direction of an axis of length 0.
        let flat = node.scale.cmpeq(Vec2::ZERO);
        let [found, kept] = [set, moved].map(|child| scene[child].transform);
        let is_same = if flat.any() {
            found.position == kept.position && Vec2::select(flat, kept.scale, Vec2::ZERO) == Vec2::ZERO
        } else {
            found == kept
        };
        prop_assert!(results[0].is_err() || is_same, "{found:?} {kept:?}");
        let before = scene[set].transform;
        let result = scene.set_world_position(set, vec2(3.0, -7.0));
        prop_assert!(matches!(result, Ok(()) | Err(SceneError::NotInvertible(_) | SceneError::NotFinite(_))), "{result:?}");
        let after = scene[set].transform;
        prop_assert_eq!(Transform { position: before.position, ..after }, before, "only the position changes");
    }
}

#[test]
fn world_transforms_that_cannot_be_set_are_refused_and_change_nothing() {
    let mut scene = Scene::new();
    let flat = scene.add(Node::new("flat").with_scale(vec2(0.0, 1.0)));
    let child = scene.add_child(flat, at(1.0, 2.0)).unwrap();
    let free = scene.add(at(3.0, 4.0));
    let gone = scene.add(at(0.0, 0.0));
    scene.remove(gone);
    for (node, position, expected) in [
        (child, vec2(1.0, 1.0), SceneError::NotInvertible(flat)),
        (free, vec2(f32::NAN, 1.0), SceneError::NotFinite(free)),
        (free, vec2(1.0, f32::INFINITY), SceneError::NotFinite(free)),
        (gone, Vec2::ZERO, SceneError::NodeNotFound(gone)),
    ] {
        assert_eq!(scene.set_world_position(node, position), Err(expected));
        assert_eq!(scene.set_world_transform(node, Affine2::from_translation(position)), Err(expected));
    }
    assert_eq!([child, free].map(|node| scene[node].transform.position), [vec2(1.0, 2.0), vec2(3.0, 4.0)]);
    // The transform of the root moves everything.
    let root = scene.root();
    scene.set_world_position(root, vec2(10.0, 0.0)).unwrap();
    assert_eq!(scene.world().position(free), Some(vec2(13.0, 4.0)));
    scene.set_world_position(free, vec2(1.0, 1.0)).unwrap();
    assert_eq!(scene.world().position(free), Some(vec2(1.0, 1.0)));
}

#[test]
fn a_scale_of_zero_has_no_inverse_below_any_number_of_rotations() {
    for case in 0..2_000_u16 {
        let mut scene = Scene::new();
        let scale = if case % 2 == 0 { vec2(1.0, 0.0) } else { vec2(0.0, 3.0) };
        let flat = Node::new("flat").with_scale(scale).with_rotation(f32::from(case) * 0.37);
        let mut parent = scene.add(flat);
        for depth in 0..case % 6 {
            let turned = Node::new("turned").with_rotation(f32::from(case) * 0.11 + f32::from(depth));
            parent = scene.add_child(parent, turned.with_scale(vec2(0.5, 1.5))).unwrap();
        }
        let refused = Err(SceneError::NotInvertible(parent));
        let free = scene.add(at(3.0, 4.0));
        let (below, _) = scene.add_child_with(parent, at(1.0, 2.0), Circle::new(0.5)).unwrap();
        let before = scene.checksum();
        assert_eq!(scene.set_parent_in_place(free, parent), refused);
        assert_eq!(scene.set_world_position(below, vec2(3.0, 4.0)), refused);
        assert_eq!(scene.move_and_slide(below, Vec2::X, &MoveOptions::default()).map(drop), refused);
        assert_eq!(scene.world().to_local(parent, Vec2::ONE), None);
        assert_eq!(scene.checksum(), before);
    }
}

#[test]
fn a_very_small_scale_has_an_inverse_below_a_rotation() {
    let mut scene = Scene::new();
    let thin = scene.add(Node::new("thin").with_scale(vec2(1.0, 1e-20)));
    let turned = scene.add_child(thin, Node::new("turned").with_rotation(0.5)).unwrap();
    let free = scene.add(at(3.0, 0.0));
    scene.set_parent_in_place(free, turned).unwrap();
    assert!(position(&mut scene, free).distance(vec2(3.0, 0.0)) < 1e-6);
}
