//! Events: a player walks past coins, through a zone and up to a wall. The picture shows where
//! two nodes meet and part.
//!
//! The player has two colliders, so each meeting fires an event per collider; `owner_boundary` marks the first start
//! and the last stop between two owners. Here every node owns its own colliders. The player also walks through a ghost,
//! because their layers do not agree.

mod support;

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Capsule, Circle, CollisionEvent, CollisionLayers, DebugOptions, Node, NodeId, Rect, Scene};
use support::Picture;
use support::palette::RED;

const PLAYER: CollisionLayers = CollisionLayers::new(1 << 0, !(1 << 1));
const GHOST: CollisionLayers = CollisionLayers::new(1 << 1, 1 << 1);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let mut put = |name: &'static str, position: Vec2, shape: Attachment| {
        scene.add_with(Node::new(name).with_position(position), shape).0
    };
    let player = put("player", vec2(-3.0, 0.0), Attachment::new(Circle::new(0.5)).with_layers(PLAYER));
    for x in [-1.2, 0.9] {
        put("coin", vec2(x, 0.3), Attachment::new(Circle::new(0.2)).sensor());
    }
    put("ghost", vec2(2.3, 0.2), Attachment::new(Circle::new(0.6)).with_layers(GHOST));
    put("zone", vec2(4.4, 0.0), Attachment::new(Rect::new(1.6, 2.4)).sensor());
    put("wall", vec2(7.7, 0.0), Attachment::new(Rect::new(0.6, 2.4)).with_layers(CollisionLayers::SCENERY));
    let legs = Capsule::new(vec2(0.0, -0.3), vec2(0.0, -0.7), 0.3);
    scene.attach(player, Attachment::new(legs).with_layers(PLAYER))?;

    let mut picture = Picture::new(0.02);
    for child in scene.children(scene.root()).to_vec() {
        let at = scene[child].transform.position;
        picture.text(vec2(at.x, 2.1), 0.24, &scene[child].name);
    }
    picture.draw(scene.world(), &DebugOptions::default());
    let faint = DebugOptions {
        palette: hitgraph::DebugPalette::uniform([0.6, 0.6, 0.6, 0.4]),
        subtree: Some(player),
        ..DebugOptions::default()
    };
    let mut open: Vec<(NodeId, NodeId)> = Vec::new();
    let (mut coins, mut events, mut meetings) = (0, 0, Vec::new());
    for step in 0..=20 {
        scene[player].transform.position.x = -3.0 + 0.5 * step as f32;
        let x = scene[player].transform.position.x;
        picture.draw(scene.world(), &faint);
        for event in scene.update() {
            let pair = *event.pair();
            let other = pair.other(player).ok_or("only the player moves")?.node;
            // The node may be removed already: `get` returns `None`, an index would panic.
            let name = scene.get(other).map_or("(gone)", |node| &node.name).to_owned();
            let (word, row): (_, f32) = match event {
                CollisionEvent::Started(_) => ("starts", -1.3),
                CollisionEvent::Stopped(_) => ("stops", 1.4),
            };
            events += 1;
            if !pair.owner_boundary {
                continue;
            }
            meetings.push(format!("{name} {word}"));
            picture.stroke(&[(vec2(x, 0.0), vec2(x, row))], RED, false);
            picture.text(vec2(x, row + 0.2 * row.signum() - 0.08), 0.24, &format!("{name} {word}"));
            match event {
                CollisionEvent::Started(_) => open.push((player, other)),
                CollisionEvent::Stopped(_) => open.retain(|pair| *pair != (player, other)),
            }
            if name == "coin" {
                // Removed once, although both colliders may touch it. The next update reports its stop.
                coins += 1;
                scene.remove(other);
            }
        }
    }
    assert_eq!((coins, open.len()), (2, 1), "both coins, and the player still touches the wall");
    support::report(
        &[
            format!("{events} events fired, {} of them the first start or the last stop of two owners", meetings.len()),
            format!("in order: {}", meetings.join(", ")),
            format!("the player took {coins} coins, passed the ghost without an event, and still touches the wall"),
        ],
        picture,
        "04_events.svg",
    )?;
    Ok(())
}
