//! A platformer, played by a script: slopes, seams, steps, a one-way ledge and a lift, drawn as a film strip.
//!
//! Each picture shows the course at one moment and the path of the player since the previous picture. The player takes
//! every coin on the path, and a jump from the lift keeps the velocity of the lift.

#[path = "07_move_and_slide/course.rs"]
mod course;
mod support;

use course::{Course, Player};
use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, DebugOptions, DebugPalette, Node, Scene};
use support::Picture;
use support::palette::RED;

/// The displacement of the lift in each of the last frames.
const RISE: Vec2 = vec2(-0.03, 0.01);

/// The walking direction, whether the player jumps in the first frame, the displacement of the lift per frame, the number
/// of frames, and the title of the picture.
const SCRIPT: [(f32, bool, Vec2, u32, &str); 8] = [
    (0.0, false, Vec2::ZERO, 30, "lands on a floor of boxes"),
    (1.0, false, Vec2::ZERO, 98, "over the seams, up a step and a hill"),
    (1.0, false, Vec2::ZERO, 45, "and down, along three coins"),
    (1.0, false, Vec2::ZERO, 45, "stopped by a slope that is too steep"),
    (-1.0, true, Vec2::ZERO, 24, "jumps up through a ledge"),
    (0.0, false, Vec2::ZERO, 40, "which holds from above"),
    (0.0, false, RISE, 60, "a lift takes it along"),
    (0.0, true, RISE, 52, "a jump keeps the velocity of the lift"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let Course { lift } = Course::build(&mut scene)?;
    let mut player = Player::new(&mut scene);
    let (node, options) = (player.node, Player::options());
    for place in [vec2(6.7, 1.9), vec2(7.8, 1.4), vec2(8.9, 0.9)] {
        let coin = Node::new("coin").with_position(place);
        scene.add_with(coin, Attachment::new(Circle::new(0.2)).sensor());
    }
    let (mut coins, mut length) = (0, 0.0);

    let in_red = DebugOptions { palette: DebugPalette::uniform(RED), subtree: Some(node), ..DebugOptions::default() };
    let mut picture = Picture::new(0.06);
    for (walk, jump, rise, frames, title) in SCRIPT {
        let mut way = Vec::new();
        for frame in 0..frames {
            if jump && frame == 0 {
                player.jump();
            }
            scene[lift].transform.position += rise;
            let before = scene[node].transform.position;
            let moved = player.frame(&mut scene, &options, walk)?;
            for hit in moved.passed() {
                // The ledge that the player jumps through is passed, too.
                if scene.get(hit.side.node).is_some_and(|node| node.name == "coin") {
                    scene.remove(hit.side.node);
                    coins += 1;
                }
            }
            way.push((before, scene[node].transform.position));
        }
        length += way.iter().map(|(from, to)| from.distance(*to)).sum::<f32>();
        picture.text(vec2(7.0, 5.5), 0.85, title);
        picture.draw(scene.world(), &DebugOptions::default());
        picture.draw(scene.world(), &in_red);
        picture.stroke(&way, RED, false);
        // Two columns.
        let last = picture.origin;
        picture.origin = if last.x == 0.0 { last + vec2(20.0, 0.0) } else { vec2(0.0, last.y - 8.4) };
    }

    let (place, platform) = (scene[node].transform.position, scene[lift].transform.position);
    assert_eq!(coins, 3);
    assert!(player.on_floor && (place.y - platform.y - 0.7).abs() < 0.02, "it stands on the lift");
    support::report(
        &[
            format!("the player takes {coins} coins on a path of {length:.1} units"),
            "a slope that is too steep stops it, and a ledge lets it through from below".to_owned(),
            format!("it ends on the lift at {place:.2}, as fast as the lift"),
        ],
        picture,
        "07_move_and_slide.svg",
    )?;
    Ok(())
}
