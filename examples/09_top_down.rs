//! A top-down game: a player pushes crates, crates push each other, walls stop them all, and four crates are too heavy.
//!
//! `move_and_slide` moves one node and reports what stood in its way. The function `walk` pushes crates, which is a
//! rule of this game, not of the library. `move_and_collide_with` moves a shot, which passes through friends.
//! `depenetrate` pushes out a node that was placed inside another one.

mod support;

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, CollisionLayers, DebugOptions, MoveOptions, MoveResponse, Node, NodeId};
use hitgraph::{QueryFilter, Rect, Scene, SceneError};
use support::Picture;
use support::palette::RED;

/// The maximum number of crates in a row that the player can push.
const STRENGTH: u32 = 3;

/// Moves a node and pushes the crates in its way by the remainder of the displacement. Returns the travel.
fn walk(scene: &mut Scene, node: NodeId, displacement: Vec2, strength: u32) -> Result<Vec2, SceneError> {
    let options = MoveOptions::top_down();
    let (mut way, mut rest) = (Vec2::ZERO, displacement);
    // A few iterations, because the mover may push several crates side by side.
    for _ in 0..4 {
        let moved = scene.move_and_slide(node, rest, &options)?;
        (way, rest) = (way + moved.travel, moved.remainder);
        let Some(hit) = moved.hits().iter().find(|hit| scene[hit.side.node].name == "crate") else { break };
        let push = hit.normal * hit.normal.dot(rest).min(0.0);
        // The crate has made room as far as it travelled.
        if strength == 0 || walk(scene, hit.side.node, push, strength - 1)?.length() <= 0.01 * push.length() {
            break;
        }
    }
    Ok(way)
}

/// Fires a shot that passes through friends. Returns the start and the end of its path and the node that it hits.
fn shoot(scene: &mut Scene, shooter: NodeId, displacement: Vec2) -> Result<(Vec2, Vec2, Option<NodeId>), SceneError> {
    let from = scene[shooter].transform.position;
    let (shot, _) = scene.add_with(Node::new("shot").with_position(from), Circle::new(0.1));
    let filter = QueryFilter::default().exclude_subtree(shooter);
    let options = MoveOptions { filter, ..MoveOptions::top_down() };
    let moved = scene.move_and_collide_with(shot, displacement, &options, |world, hit| {
        let is_friend = world.node(hit.side.node).is_some_and(|node| node.name == "friend");
        if is_friend { MoveResponse::Pass } else { MoveResponse::Block }
    })?;
    scene.remove(shot);
    Ok((from, from + moved.travel, moved.hits().last().map(|hit| hit.side.node)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    for (at, size) in [(vec2(0.0, 4.0), vec2(13.0, 1.0)), (vec2(6.0, 0.0), vec2(1.0, 7.0))] {
        for at in [at, -at] {
            let wall = Attachment::new(Rect::new(size.x, size.y)).with_layers(CollisionLayers::SCENERY);
            scene.add_with(Node::new("wall").with_position(at), wall);
        }
    }
    let (player, _) = scene.add_with(Node::new("player").with_position(vec2(-5.0, 1.5)), Circle::new(0.4));
    scene.add_with(Node::new("friend").with_position(vec2(-2.9, -0.1)), Circle::new(0.4));
    let upper = [vec2(-3.0, 1.7), vec2(-1.5, 1.5), vec2(0.5, 1.6)];
    let lower = [-0.5, 0.51, 1.52, 2.53].map(|x| vec2(x, -2.0));
    let put = |scene: &mut Scene, at| scene.add_with(Node::new("crate").with_position(at), Rect::new(1.0, 1.0)).0;
    let crates: Vec<NodeId> = upper.into_iter().chain(lower).map(|at| put(&mut scene, at)).collect();

    // A film strip: the player and its path are red.
    let mut picture = Picture::new(0.06);
    let in_red = DebugOptions {
        palette: hitgraph::DebugPalette::uniform(RED),
        subtree: Some(player),
        ..DebugOptions::default()
    };
    let (from, to, hit) = shoot(&mut scene, player, vec2(10.0, -8.0))?;
    assert_eq!(hit, Some(crates[3]), "behind the friend");
    picture.stroke(&[(from, to)], RED, false);
    picture.mark(to, RED);
    let mut scenes = |scene: &mut Scene, title: &str, script: &[(Vec2, u32)]| -> Result<Vec<Vec2>, SceneError> {
        picture.text(vec2(0.0, 4.8), 0.85, title);
        for direction in script.iter().flat_map(|(direction, steps)| (0..*steps).map(|_| *direction)) {
            let from = scene[player].transform.position;
            walk(scene, player, direction * 0.1, STRENGTH)?;
            picture.stroke(&[(from, scene[player].transform.position)], RED, false);
        }
        picture.draw(scene.world(), &DebugOptions::default());
        picture.draw(scene.world(), &in_red);
        let last = picture.origin;
        picture.origin = if last.x < 28.0 { last + vec2(14.0, 0.0) } else { vec2(0.0, -11.0) };
        assert!(scene.world().contacts().iter().all(|(_, contact)| contact.depth < 1e-3), "no two colliders overlap");
        Ok(crates.iter().map(|node| scene[*node].transform.position).collect())
    };
    let [left, right, down, up] = [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y];

    scenes(&mut scene, "a shot passes a friend", &[])?;
    let near = |a: Vec2, b: Vec2| a.distance(b) < 0.05;
    let now = scenes(&mut scene, "a crate pushes a crate", &[(right, 60)])?;
    assert!(near(now[1], now[0] + vec2(1.0, -0.2)) && near(now[2], now[1] + vec2(1.0, 0.1)), "{now:?}");

    let now = scenes(&mut scene, "the wall stops all", &[(right, 60)])?;
    assert!(near(now[2], vec2(5.0, 1.6)) && near(now[0], vec2(3.0, 1.7)), "{now:?}");

    let now = scenes(&mut scene, "two at once", &[(left, 10), (down, 15), (right, 24), (up, 18)])?;
    assert!(now[0].y > 2.0 && now[1].y > 2.0 && now[2].y == 1.6, "{now:?}");

    let before = now;
    let now = scenes(&mut scene, "four are too heavy", &[(down, 10), (left, 55), (down, 28), (right, 60)])?;
    assert!(before.iter().zip(&now).all(|(before, now)| near(*before, *now)), "{now:?}");

    // A crate dropped on two others is pushed out until it touches them.
    let dropped = put(&mut scene, vec2(1.0, -1.6));
    let push = scene.depenetrate(dropped, &QueryFilter::default())?;
    assert!(near(push, vec2(0.0, 0.6)), "{push}");
    scenes(&mut scene, "dropped, and pushed out", &[])?;
    support::report(
        &[
            "the shot passes a friend and hits a crate behind it".to_owned(),
            format!("the player pushes {STRENGTH} crates in a row, and four are too heavy"),
            format!("a dropped crate is pushed out by {push:.2}"),
        ],
        picture,
        "09_top_down.svg",
    )?;
    Ok(())
}
