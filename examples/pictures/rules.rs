//! Figures on the rules of the scene: layers, owners, frames and the skin.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, CollisionLayers, DebugOptions, DebugPalette, MoveOptions, Node, NodeId, Polygon};
use hitgraph::{Rect, Scene};

use crate::figure::{Drawn, Figure, GREY, RED};

const PANEL: Vec2 = vec2(4.4, 2.6);

/// A collider touches another only if each accepts a layer of the other.
pub fn layers() -> Drawn {
    const PLAYER: u32 = 1;
    const GHOST: u32 = 2;
    let mut figure = Figure::new();
    for (caption, ghost) in [
        ("both accept: they touch", CollisionLayers::new(GHOST, PLAYER)),
        ("only one accepts: no touch", CollisionLayers::new(GHOST, GHOST)),
    ] {
        figure.panel(PANEL, caption);
        let mut scene = Scene::new();
        let player = CollisionLayers::new(PLAYER, PLAYER | GHOST);
        for (x, layers) in [(-0.45, player), (0.45, ghost)] {
            let shape = Attachment::new(Circle::new(0.7)).with_layers(layers);
            scene.add_with(Node::new("ball").with_position(vec2(x, 0.1)), shape);
        }
        scene.update();
        figure.world(scene.world());
        // An arrow leads from a collider to one that it accepts.
        for (from, to, y) in [(-0.45, 0.45, 0.95), (0.45, -0.45, 1.15)] {
            if from < to || ghost.filters & PLAYER != 0 {
                figure.picture.arrow(vec2(from, y), vec2(to, y), GREY);
            }
        }
    }
    Ok(figure)
}

/// The same sword without and with an owner.
pub fn owners() -> Drawn {
    let mut figure = Figure::new();
    for (caption, owns) in [("the sword touches the knight too", false), ("owns_subtree: only the troll", true)] {
        figure.panel(PANEL, caption);
        let mut scene = Scene::new();
        let knight = Node::new("knight").with_position(vec2(-1.0, 0.0)).with_owns_subtree(owns);
        let (knight, _) = scene.add_with(knight, Rect::new(0.8, 1.8));
        let sword = Node::new("sword").with_position(vec2(0.2, 0.3)).with_rotation(-0.2);
        scene.add_child_with(knight, sword, Rect::new(1.6, 0.2).at(vec2(0.8, 0.0)))?;
        scene.add_with(Node::new("troll").with_position(vec2(1.2, 0.0)).with_scale(vec2(0.7, 1.1)), Circle::new(0.9));
        scene.update();
        figure.world(scene.world());
    }
    Ok(figure)
}

/// A node in its parent's frame, and where the parent's transform puts both.
pub fn local_and_world() -> Drawn {
    let mut figure = Figure::new();
    let arm = || Node::new("arm").with_position(vec2(-0.4, -0.5)).with_rotation(0.5).with_scale(vec2(1.4, 1.0));
    for (caption, parent) in [("the child's local frame", Node::new("parent")), ("its world frame", arm())] {
        figure.panel(PANEL, caption);
        let mut scene = Scene::new();
        let (parent, _) = scene.add_with(parent, Rect::new(1.0, 0.5));
        let flag = Polygon::convex(&[vec2(0.0, 0.0), vec2(0.8, 0.0), vec2(0.0, 0.5)])?;
        let child = Node::new("child").with_position(vec2(0.5, 0.25)).with_rotation(0.3);
        let (child, _) = scene.add_child_with(parent, child, flag)?;
        let only = |node: NodeId, color| DebugOptions {
            subtree: Some(node),
            palette: DebugPalette::uniform(color),
            ..DebugOptions::default()
        };
        let world = scene.world();
        figure.picture.draw(world, &only(parent, GREY));
        figure.picture.draw(world, &DebugOptions { subtree: Some(child), ..DebugOptions::default() });
        for node in [parent, child] {
            let frame = world.transform(node).ok_or("the node exists")?;
            figure.axes(&frame);
        }
        let origin = world.position(child).ok_or("the child exists")?;
        figure.picture.mark(origin, RED);
    }
    Ok(figure)
}

/// The distance that a mover keeps, much larger than usual.
pub fn skin() -> Drawn {
    let mut figure = Figure::new();
    for (caption, displacement) in
        [("a move ends a skin away", vec2(0.0, -2.0)), ("and slides at this distance", vec2(1.6, -2.0))]
    {
        figure.panel(PANEL, caption);
        let mut scene = Scene::new();
        scene.add_with(Node::new("ground").with_position(vec2(0.0, -1.1)), Rect::new(4.0, 0.4));
        let (ball, _) = scene.add_with(Node::new("ball").with_position(vec2(-0.8, 0.6)), Circle::new(0.45));
        let options = MoveOptions { skin_width: 0.25, ..MoveOptions::top_down() };
        figure.before(scene.world(), ball);
        let from = scene[ball].transform.position;
        scene.move_and_slide(ball, displacement, &options)?;
        let to = scene[ball].transform.position;
        figure.world(scene.world());
        let corner = vec2(from.x, to.y);
        figure.picture.stroke(&[(from, corner), (corner, to)], RED, false);
        // The skin.
        figure.guide(&[(vec2(-2.0, -0.65), vec2(2.0, -0.65))]);
    }
    Ok(figure)
}
