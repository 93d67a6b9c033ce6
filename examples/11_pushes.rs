//! Solids that push: a lift with a stack of boxes, a crusher and a flipper, drawn as a film strip.
//!
//! `Scene::push` moves a node all the way, carries what stands on it and pushes what is in its way. It reports what it
//! moved and what has no room. The game decides what follows: a squeezed crate breaks, and a ball keeps the velocity of
//! the push. Each picture shows the paths since the previous one.

mod support;

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, DebugOptions, Motion, MoveOptions, Node, NodeId, Pushed, Rect, Scene, SceneError};
use support::Picture;
use support::palette::RED;

/// The length of a frame in seconds.
const FRAME: f32 = 1.0 / 60.0;

/// A node that falls.
struct Body {
    node: NodeId,
    velocity: Vec2,
}

impl Body {
    fn fall(&mut self, scene: &mut Scene, options: &MoveOptions) -> Result<(), SceneError> {
        self.velocity.y -= 30.0 * FRAME;
        let moved = scene.move_and_slide(self.node, self.velocity * FRAME, options)?;
        if moved.floor.is_some() {
            self.velocity = Vec2::ZERO;
        }
        Ok(())
    }
}

struct Game {
    scene: Scene,
    bodies: Vec<Body>,
    picture: Picture,
}

impl Game {
    fn add_body(&mut self, x: f32, y: f32, shape: impl Into<Attachment>) -> NodeId {
        let (node, _) = self.scene.add_with(Node::new("body").with_position(vec2(x, y)), shape);
        self.bodies.push(Body { node, velocity: Vec2::ZERO });
        node
    }

    /// Pushes a node by a motion in each frame while all bodies fall, and draws the result. Returns the report of each
    /// push.
    fn run(&mut self, title: &str, node: NodeId, motion: Motion, frames: u32) -> Result<Vec<Pushed>, SceneError> {
        let Self { scene, bodies, picture } = self;
        let options = MoveOptions::default();
        let (mut reports, mut paths) = (Vec::new(), Vec::new());
        for _ in 0..frames {
            let before: Vec<_> = bodies.iter().map(|body| (body.node, scene[body.node].transform.position)).collect();
            for body in &mut *bodies {
                body.fall(scene, &options)?;
            }
            let pushed = scene.push(node, motion, &options)?;
            for squeezed in pushed.squeezed() {
                scene.remove(*squeezed);
            }
            bodies.retain(|body| scene.contains(body.node));
            reports.push(pushed);
            let path = |(node, from): (NodeId, Vec2)| Some((node, from, scene.get(node)?.transform.position));
            paths.extend(before.into_iter().filter_map(path).filter(|(_, from, to)| from.distance(*to) > 1e-3));
        }
        paths.sort_by_key(|(node, ..)| *node);
        let paths: Vec<(Vec2, Vec2)> = paths.into_iter().map(|(_, from, to)| (from, to)).collect();
        picture.text(vec2(0.0, 5.4), 0.75, title);
        picture.draw(scene.world(), &DebugOptions::default());
        picture.stroke(&paths, RED, false);
        let last = picture.origin;
        picture.origin = if last.x == 0.0 { last + vec2(18.0, 0.0) } else { vec2(0.0, last.y - 7.6) };
        Ok(reports)
    }
}

/// Returns the travel of a node in all pushes of a list.
fn travel(reports: &[Pushed], node: NodeId) -> Vec2 {
    let all = reports.iter().flat_map(|report| report.pushed());
    all.filter(|pushed| pushed.node == node).map(|pushed| pushed.travel).sum()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    scene.add_with(Node::new("ground").with_position(vec2(0.0, -0.5)), Rect::new(17.0, 1.0));
    scene.add_with(Node::new("wall").with_position(vec2(1.4, 0.7)), Rect::new(0.6, 1.4));
    let (lift, _) = scene.add_with(Node::new("lift").with_position(vec2(-7.0, 0.15)), Rect::new(2.4, 0.3));
    let (crusher, _) = scene.add_with(Node::new("crusher").with_position(vec2(-4.4, 0.8)), Rect::new(0.8, 1.5));
    // The flipper's hinge is its origin.
    let flipper = Node::new("flipper").with_position(vec2(5.0, 1.0)).with_rotation(-0.4);
    let (flipper, _) = scene.add_with(flipper, Rect::new(2.0, 0.25).at(vec2(1.0, 0.0)));

    let mut game = Game { scene, bodies: Vec::new(), picture: Picture::new(0.05) };
    let stack = [(1.2, 0.92), (1.0, 2.03), (0.8, 2.94), (0.6, 3.65)]
        .map(|(size, y)| game.add_body(-7.0, y, Rect::new(size, size)));
    let crates = [-3.0, -1.6].map(|x| game.add_body(x, 0.52, Rect::new(1.0, 1.0)));
    let ball = game.add_body(5.7, 1.5, Circle::new(0.3));

    game.run("start", lift, Motion::default(), 30)?;
    let rise = vec2(0.01, 0.02);
    let reports = game.run("a lift carries a stack of boxes", lift, rise.into(), 60)?;
    for node in stack {
        assert!(travel(&reports, node).distance(rise * 60.0) < 0.01, "every box travels with the lift");
    }
    let carried = format!("the lift carries {} boxes by {:.2}", stack.len(), travel(&reports, stack[3]));

    let step = vec2(0.05, 0.0);
    let reports = game.run("a crusher pushes two crates", crusher, step.into(), 48)?;
    assert!(crates.iter().all(|node| travel(&reports, *node).x > 1.0 && game.scene.contains(*node)));
    let reports = game.run("one has no room and breaks", crusher, step.into(), 24)?;
    let squeezed: Vec<NodeId> = reports.iter().flat_map(|report| report.squeezed()).copied().collect();
    assert_eq!(squeezed, crates[..1], "the second one fits beside the wall");
    let pushed = format!("the crusher pushes {} crates and squeezes {}", crates.len(), squeezed.len());

    let swing = Motion::default().with_rotation(16.0 * FRAME);
    let reports = game.run("a flipper swings", flipper, swing, 3)?;
    let velocity = travel(&reports[2..], ball) / FRAME;
    if let Some(body) = game.bodies.iter_mut().find(|body| body.node == ball) {
        body.velocity = velocity;
    }
    game.run("and throws the ball", flipper, Motion::default().with_rotation(-0.02), 40)?;
    assert!(game.scene[ball].transform.position.x < 3.0, "it flies to the left");
    let thrown = format!("the flipper throws the ball at {:.1} units per second", velocity.length());

    support::report(&[carried, pushed, thrown], game.picture, "11_pushes.svg")?;
    Ok(())
}
