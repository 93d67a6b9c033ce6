//! A scene that is shared: `refresh` processes edits, and `try_world` reads the scene behind `&`.

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Circle, ColliderId, Motion, MoveOptions, Node, NodeId, QueryFilter, Rect, Scene, SceneError,
};

/// Returns a scene with a ball that touches a wall, and their ids.
fn ball_and_wall() -> (Scene, [NodeId; 2], [ColliderId; 2]) {
    let mut scene = Scene::new();
    let (ball, circle) = scene.add_with(Node::new("ball").with_position(vec2(0.4, 0.0)), Circle::new(1.0));
    let (wall, rect) = scene.add_with(Node::new("wall").with_position(vec2(2.0, 0.0)), Rect::new(2.0, 8.0));
    (scene, [ball, wall], [circle, rect])
}

type Edit = fn(&mut Scene, [NodeId; 2], [ColliderId; 2]);

/// Every kind of edit that can change an answer.
const EDITS: [(&str, Edit); 15] = [
    ("add", |scene, _, _| {
        let _ = scene.add(Node::new("coin"));
    }),
    ("attach", |scene, [ball, _], _| {
        let _ = scene.attach(ball, Circle::new(0.1));
    }),
    ("a borrow of a node", |scene, [ball, _], _| {
        let _ = scene.get_mut(ball);
    }),
    ("a position", |scene, [ball, _], _| scene[ball].transform.position.x = -9.0),
    ("disable", |scene, [ball, _], _| scene[ball].enabled = false),
    ("owner", |scene, _, _| {
        let root = scene.root();
        scene[root].owns_subtree = true;
    }),
    ("a borrow of a collider", |scene, _, [circle, _]| {
        let _ = scene.attachment_mut(circle);
    }),
    ("set_parent", |scene, [ball, wall], _| scene.set_parent(ball, wall).unwrap()),
    ("set_parent_in_place", |scene, [ball, wall], _| scene.set_parent_in_place(ball, wall).unwrap()),
    ("move_collider", |scene, [_, wall], [circle, _]| scene.move_collider(circle, wall).unwrap()),
    ("detach", |scene, _, [circle, _]| {
        let _ = scene.detach(circle);
    }),
    ("remove", |scene, [ball, _], _| {
        let _ = scene.remove(ball);
    }),
    ("clear", |scene, _, _| scene.clear()),
    ("depenetrate", |scene, [ball, _], _| {
        let _ = scene.depenetrate(ball, &QueryFilter::default());
    }),
    ("move_and_slide", |scene, [ball, _], _| {
        let _ = scene.move_and_slide(ball, vec2(-3.0, 0.0), &MoveOptions::default());
    }),
];

#[test]
fn every_edit_makes_try_world_return_none_until_a_refresh() {
    for (name, edit) in EDITS {
        let (mut scene, nodes, colliders) = ball_and_wall();
        assert!(scene.try_world().is_none(), "a new scene");
        scene.refresh();
        assert!(scene.try_world().is_some(), "before {name}");
        edit(&mut scene, nodes, colliders);
        assert!(scene.try_world().is_none(), "after {name}");
        let mut other = scene.clone();
        scene.refresh();
        let shared = scene.try_world().unwrap_or_else(|| panic!("after {name} and a refresh"));
        let world = other.world();
        assert_eq!(shared.pairs(), world.pairs(), "{name}");
        assert_eq!(shared.transform(nodes[0]), world.transform(nodes[0]), "{name}");
    }
}

#[test]
fn after_a_push_try_world_sees_what_it_moved() {
    let (mut scene, [ball, wall], _) = ball_and_wall();
    scene.push(ball, Motion::from(vec2(-1.0, 0.0)), &MoveOptions::default()).unwrap();
    assert!(scene.try_world().is_none_or(|world| world.position(ball) == Some(vec2(-0.6, 0.0))));
    scene[wall].enabled = false;
    assert!(scene.try_world().is_none());
}

#[test]
fn a_refresh_loses_no_event() {
    for (name, edit) in EDITS {
        let (mut refreshed, nodes, colliders) = ball_and_wall();
        let mut plain = refreshed.clone();
        for scene in [&mut refreshed, &mut plain] {
            assert_eq!(scene.update().len(), 1);
            edit(scene, nodes, colliders);
        }
        refreshed.refresh();
        refreshed.refresh();
        assert_eq!(refreshed.update(), plain.update(), "{name}");
    }
}

#[test]
fn reading_an_update_and_an_edit_that_fails_keep_the_world() {
    let (mut scene, [ball, wall], [circle, _]) = ball_and_wall();
    scene.update();
    assert!(scene.try_world().is_some(), "an update refreshes");
    assert_eq!(scene.world().at_point(Vec2::ZERO, &QueryFilter::default()).len(), 1);
    let _ = (scene.get(ball), scene.attachment(circle), scene.touching().len());
    let root = scene.root();
    assert_eq!(scene.set_parent(root, wall), Err(SceneError::Root(root)));
    assert!(!scene.remove(root));
    assert!(scene.attachment_mut(ColliderId::default()).is_none());
    assert_eq!(scene.attach(NodeId::default(), Attachment::new(Circle::new(1.0))).ok(), None);
    assert!(scene.try_world().is_some());
}
