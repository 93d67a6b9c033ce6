//! Solids that push: a crusher, and a lift with a stack of boxes.

use glam::{Vec2, vec2};
use hitgraph::{MoveOptions, Node, NodeId, Rect, Scene, SceneError};

use super::course::FRAME;

const CRUSHER: Vec2 = vec2(1.2, 4.2);
/// The way of the crusher downwards. It leaves less room than the player needs.
const DROP: f32 = 3.0;
const LIFT: Vec2 = vec2(3.6, 2.2);
const RISE: f32 = 1.6;

/// The crusher, the lift and the boxes on it.
#[derive(Debug)]
pub struct Machines {
    pub crusher: NodeId,
    pub lift: NodeId,
    boxes: Vec<(NodeId, f32)>,
    /// The number of times that the player was crushed.
    pub crushed: u32,
}

impl Machines {
    pub fn new(scene: &mut Scene) -> Self {
        let mut add = |name: &'static str, at: Vec2, width: f32, height: f32| {
            scene.add_with(Node::new(name).with_position(at), Rect::new(width, height)).0
        };
        let crusher = add("crusher", CRUSHER, 1.2, 1.0);
        let lift = add("stack lift", LIFT, 1.6, 0.2);
        let boxes = [(0.7, 0.5), (0.55, 1.15), (0.4, 1.65)]
            .map(|(size, y)| (add("crate", LIFT + vec2(0.0, y), size, size), 0.0))
            .to_vec();
        Self { crusher, lift, boxes, crushed: 0 }
    }

    /// Advances to a time in seconds. Returns `true` if the player was squeezed.
    pub fn step(&mut self, scene: &mut Scene, time: f32, player: NodeId) -> Result<bool, SceneError> {
        let options = MoveOptions::default();
        for (node, speed) in &mut self.boxes {
            *speed -= 30.0 * FRAME;
            if scene.move_and_slide(*node, vec2(0.0, *speed * FRAME), &options)?.floor.is_some() {
                *speed = 0.0;
            }
        }
        let mut is_squeezed = false;
        for (node, at) in [
            (self.lift, LIFT + vec2(0.0, RISE * (0.5 - 0.5 * (time * 0.9).cos()))),
            (self.crusher, CRUSHER - vec2(0.0, DROP * dropped(time))),
        ] {
            let by = at - scene[node].transform.position;
            is_squeezed |= scene.push(node, by, &options)?.squeezed().contains(&player);
        }
        self.crushed += u32::from(is_squeezed);
        Ok(is_squeezed)
    }

    /// Returns `true` if a node is one of the machines or boxes.
    pub fn has(&self, node: NodeId) -> bool {
        node == self.crusher || node == self.lift || self.boxes.iter().any(|(own, _)| *own == node)
    }
}

/// Returns the part of the crusher's way at a time: it waits, drops quickly and rises slowly.
fn dropped(time: f32) -> f32 {
    match time % 6.0 {
        time if time < 3.6 => 0.0,
        time if time < 3.9 => ((time - 3.6) / 0.3).powi(2),
        time if time < 4.5 => 1.0,
        time => (6.0 - time) / 1.5,
    }
}
