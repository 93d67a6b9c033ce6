//! A platformer, played by a script: slopes, seams, steps, a one-way ledge and a lift, drawn as a strip of film.
//!
//! Each picture is the course at that moment, with the way of the player since the picture before.

mod support;

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Compound, DebugOptions, MoveOptions, Node, NodeId, Polyline, Rect, Scene, SceneError,
    ShapeError, Tiles,
};
use support::Picture;

const RED: [f32; 4] = [0.91, 0.12, 0.16, 1.0];
const FRAME: f32 = 1.0 / 60.0;

/// What is told for as long as it takes: which way to walk, whether to jump at the beginning, for how many frames, and
/// the title of the picture.
const SCRIPT: [(f32, bool, u32, &str); 7] = [
    (0.0, false, 30, "lands on a floor of boxes"),
    (1.0, false, 98, "over the seams, up a step and a hill"),
    (1.0, false, 45, "and down, without leaving the ground"),
    (1.0, false, 45, "stopped by a slope that is too steep"),
    (-1.0, true, 24, "jumps up through a ledge"),
    (0.0, false, 40, "which holds from above"),
    (0.0, false, 120, "a lift takes it along"),
];

struct Player {
    node: NodeId,
    velocity: Vec2,
    on_floor: bool,
}

impl Player {
    fn frame(&mut self, scene: &mut Scene, options: &MoveOptions, walk: f32) -> Result<(), SceneError> {
        self.velocity = vec2(walk * 5.0, self.velocity.y - 30.0 * FRAME);
        let moved = scene.move_and_slide(self.node, self.velocity * FRAME, options)?;
        self.on_floor = moved.floor.is_some();
        if self.on_floor || moved.ceiling.is_some() {
            self.velocity.y = 0.0;
        }
        Ok(())
    }
}

/// The course. The last node is the lift.
fn course(scene: &mut Scene) -> Result<NodeId, ShapeError> {
    for column in 0..5_u8 {
        scene.add_with(Node::new("box").with_position(vec2(f32::from(column) - 2.0, -0.5)), Rect::new(1.0, 1.0));
    }
    let map = Tiles::new(28, 1, vec2(0.5, 1.2), |_, _| true);
    scene.add_with(Node::new("map").with_position(vec2(2.5, -1.0)), map);
    let hill = [vec2(4.5, 0.2), vec2(6.0, 1.1), vec2(7.0, 1.1), vec2(8.5, 0.2)];
    scene.add_with(Node::new("hill"), Polyline::new(&hill)?);
    let steep = [vec2(12.5, 0.2), vec2(15.0, 0.2), vec2(15.0, 4.0), vec2(14.0, 4.0)];
    scene.add_with(Node::new("steep"), Compound::from_outline(&steep)?);
    let lift = Attachment::new(Rect::new(3.0, 0.2)).one_way(Vec2::Y);
    Ok(scene.add_with(Node::new("lift").with_position(vec2(10.9, 1.6)), lift).0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let lift = course(&mut scene)?;
    let body = Capsule::new(vec2(0.0, -0.3), vec2(0.0, 0.3), 0.3);
    let (node, _) = scene.add_with(Node::new("player").with_position(vec2(-1.5, 1.6)), body);
    let mut player = Player { node, velocity: Vec2::ZERO, on_floor: false };
    let options = MoveOptions { snap_to_floor: 0.2, step_height: 0.3, ..MoveOptions::default() };

    let mut picture = Picture::new(0.03);
    for (walk, jump, frames, title) in SCRIPT {
        let mut way = Vec::new();
        for frame in 0..frames {
            if jump && frame == 0 && player.on_floor {
                player.velocity.y = 11.5;
            }
            if title.contains("lift") {
                scene[lift].transform.position += vec2(-0.03, 0.01);
            }
            let before = scene[node].transform.position;
            player.frame(&mut scene, &options, walk)?;
            way.push((before, scene[node].transform.position));
        }
        println!("{title:<40} {:>6.2}", scene[node].transform.position);
        picture.text(vec2(6.0, 5.0), 0.5, title);
        picture.draw(scene.world(), &DebugOptions::default());
        picture.stroke(&way, RED, false);
        picture.origin.y -= 7.0;
    }

    let (place, platform) = (scene[node].transform.position, scene[lift].transform.position);
    assert!(player.on_floor && (place.y - platform.y - 0.7).abs() < 0.02, "it stands on the lift");
    let file = picture.save(support::pictures("07_move_and_slide.svg"))?;
    println!("\n{}", file.display());
    Ok(())
}
