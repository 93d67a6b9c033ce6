//! The goal of the course: all coins, then the flag.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, Moved, Node, NodeId, Rect, Scene};

use super::course::FRAME;

const COINS: [Vec2; 9] = [
    vec2(0.2, 1.4),
    vec2(3.3, 0.9),
    vec2(6.5, 1.9),
    vec2(9.2, 3.9),
    vec2(16.0, 4.9),
    vec2(-5.2, 2.4),
    vec2(-9.2, 5.7),
    vec2(-11.6, 4.3),
    vec2(-3.6, 6.6),
];
const FLAG: Vec2 = vec2(-11.6, 7.2);

/// The coins that are left, and the time.
#[derive(Debug)]
pub struct Goal {
    left: Vec<NodeId>,
    flag: NodeId,
    /// The number of coins taken.
    pub coins: usize,
    frames: u32,
    is_reached: bool,
}

impl Goal {
    /// Adds the coins and the flag to the scene, as sensors.
    pub fn new(scene: &mut Scene) -> Self {
        let coin = |at: &Vec2| {
            let shape = Attachment::new(Circle::new(0.22)).sensor();
            scene.add_with(Node::new("coin").with_position(*at), shape).0
        };
        let left = COINS.iter().map(coin).collect();
        let flag = Attachment::new(Rect::new(0.5, 1.0)).sensor();
        let (flag, _) = scene.add_with(Node::new("flag").with_position(FLAG), flag);
        Self { left, flag, coins: 0, frames: 0, is_reached: false }
    }

    /// Takes what the player passed in a frame.
    pub fn take(&mut self, scene: &mut Scene, moved: &Moved) {
        if self.is_reached {
            return;
        }
        self.frames += 1;
        for hit in moved.passed() {
            if let Some(index) = self.left.iter().position(|coin| *coin == hit.side.node) {
                scene.remove(self.left.swap_remove(index));
                self.coins += 1;
            }
            self.is_reached |= hit.side.node == self.flag && self.left.is_empty();
        }
    }

    /// Puts all coins back.
    pub fn restart(&mut self, scene: &mut Scene) {
        for node in self.left.drain(..).chain([self.flag]) {
            scene.remove(node);
        }
        *self = Self::new(scene);
    }

    /// Returns the progress in words.
    pub fn text(&self) -> String {
        let (total, seconds) = (COINS.len(), self.frames as f32 * FRAME);
        match (self.is_reached, self.left.is_empty()) {
            (true, _) => format!("Done in {seconds:.1} seconds! R starts again."),
            (false, true) => format!("All coins! Now reach the flag: {seconds:.0} s"),
            (false, false) => format!("{} of {total} coins, then the flag: {seconds:.0} s", self.coins),
        }
    }

    /// Returns `true` if a node is a coin or the flag.
    pub fn has(&self, node: NodeId) -> bool {
        node == self.flag || self.left.contains(&node)
    }
}
