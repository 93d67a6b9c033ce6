//! Figures of moves; `move_and_slide` computes each path.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Capsule, Circle, MoveOptions, Node, NodeId, Polyline, Rect, Scene, SceneError};

use crate::figure::{Drawn, Figure, GREY, RED};

const PANEL: Vec2 = vec2(5.4, 2.8);

/// The result of one call.
pub fn moved() -> Drawn {
    let mut figure = Figure::new();
    figure.panel(vec2(7.6, 3.2), "scene.move_and_slide(ball, displacement, &options)");
    let mut scene = Scene::new();
    scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.3)), Rect::new(7.2, 0.4));
    scene.add_with(Node::new("wall").with_position(vec2(2.8, 0.1)), Rect::new(0.6, 2.4));
    let (ball, _) = scene.add_with(Node::new("ball").with_position(vec2(-2.6, 0.5)), Circle::new(0.4));
    let coin = Attachment::new(Circle::new(0.15)).sensor();
    scene.add_with(Node::new("coin").with_position(vec2(-0.6, 0.1)), coin);
    let (from, displacement) = (vec2(-2.6, 0.5), vec2(7.0, -2.2));
    figure.before(scene.world(), ball);
    let moved = scene.move_and_slide(ball, displacement, &MoveOptions::default())?;
    let to = from + moved.travel;
    figure.world(scene.world());
    figure.guide(&[(from, from + displacement)]);
    figure.picture.arrow(from, to, RED);
    for hit in moved.passed() {
        figure.picture.mark(hit.point, RED);
        figure.words(hit.point + vec2(0.1, 0.4), "passed()");
    }
    for hit in moved.hits() {
        figure.picture.mark(hit.point, RED);
        figure.picture.arrow(hit.point, hit.point + hit.normal * 0.5, RED);
    }
    figure.words(vec2(2.05, -0.15), "hits()");
    figure.words(from.midpoint(to) + vec2(0.9, 0.05), "travel");
    figure.words(from + displacement * 0.35 - vec2(0.4, 0.4), "displacement");
    Ok(figure)
}

/// Moves a node to the right for a number of frames while it falls. Returns the path of its position.
fn walk(scene: &mut Scene, node: NodeId, options: &MoveOptions, frames: u32) -> Result<Vec<(Vec2, Vec2)>, SceneError> {
    let (mut way, mut fall) = (Vec::new(), 0.0);
    for _ in 0..frames {
        let from = scene[node].transform.position;
        fall -= 0.004;
        let moved = scene.move_and_slide(node, vec2(0.06, fall), options)?;
        if moved.floor.is_some() {
            fall = 0.0;
        }
        way.push((from, scene[node].transform.position));
    }
    Ok(way)
}

fn walker(scene: &mut Scene, position: Vec2) -> NodeId {
    let shape = Capsule::new(vec2(0.0, -0.2), vec2(0.0, 0.2), 0.2);
    scene.add_with(Node::new("walker").with_position(position), shape).0
}

/// The same walk with an option and, in grey, without it.
pub fn move_options() -> Drawn {
    let plain = MoveOptions::default();
    let stairs = [(-2.6, -0.9), (-0.8, -0.9), (-0.8, -0.65), (0.2, -0.65), (0.2, -0.4), (2.6, -0.4)].map(Vec2::from);
    let slopes = [(-2.6, -1.0), (-1.4, -1.0), (0.4, -0.2), (1.2, -0.2), (2.2, 1.2)].map(Vec2::from);
    let downhill = [(-2.6, 0.2), (-1.6, 0.2), (0.6, -1.3), (2.6, -1.3)].map(Vec2::from);
    let mut figure = Figure::new();
    for (caption, ground, options) in [
        ("step_height: 0.3", &stairs[..], MoveOptions { step_height: 0.3, ..plain.clone() }),
        ("max_slope: 45 degrees", &slopes[..], plain.clone()),
        ("snap_to_floor: 0.2", &downhill[..], MoveOptions { snap_to_floor: 0.2, ..plain.clone() }),
    ] {
        figure.panel(PANEL, caption);
        for (options, is_set) in [(&plain, false), (&options, true)] {
            let mut scene = Scene::new();
            scene.add_with(Node::new("ground"), Polyline::new(ground)?);
            let node = walker(&mut scene, ground[0] + vec2(0.3, 0.41));
            let way = walk(&mut scene, node, options, 70)?;
            if is_set {
                figure.world(scene.world());
            } else {
                figure.before(scene.world(), node);
            }
            figure.picture.stroke(&way, if is_set { RED } else { GREY }, false);
        }
    }
    Ok(figure)
}

/// A ledge that a mover passes from below, and a rotated one, whose up direction rotates with it.
pub fn one_way() -> Drawn {
    let mut figure = Figure::new();
    for (caption, turn) in [("one_way(Vec2::Y)", 0.0), ("it turns with its node", 0.4)] {
        figure.panel(PANEL, caption);
        let mut scene = Scene::new();
        let ledge = Attachment::new(Rect::new(2.6, 0.2)).one_way(Vec2::Y);
        scene.add_with(Node::new("ledge").with_rotation(turn), ledge);
        let node = walker(&mut scene, vec2(-0.6, -1.0));
        figure.before(scene.world(), node);
        let (mut way, mut speed, mut last) = (Vec::new(), 0.112, scene[node].transform.position);
        for _ in 0..80 {
            scene.move_and_slide(node, vec2(0.008, speed), &MoveOptions::default())?;
            let place = scene[node].transform.position;
            speed = if place == last { 0.0 } else { speed - 0.003 };
            way.push((last, place));
            last = place;
        }
        figure.picture.stroke(&way, RED, false);
        figure.world(scene.world());
    }
    Ok(figure)
}
