//! The course and its player.

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Compound, MoveOptions, Moved, Node, NodeId, Polyline, Rect, Scene, SceneError, ShapeError,
    Tiles,
};

/// The length of a frame in seconds.
pub const FRAME: f32 = 1.0 / 60.0;

/// A course: boxes in a row, a step, a hill, a slope that is too steep, and a lift.
#[derive(Debug, Clone, Copy)]
pub struct Course {
    pub lift: NodeId,
}

impl Course {
    pub fn build(scene: &mut Scene) -> Result<Self, ShapeError> {
        for column in 0..5_u8 {
            let tile = Node::new("box").with_position(vec2(f32::from(column) - 2.0, -0.5));
            scene.add_with(tile, Rect::new(1.0, 1.0));
        }
        let map = Node::new("map").with_position(vec2(2.5, -1.0));
        scene.add_with(map, Tiles::new(28, 1, vec2(0.5, 1.2), |_, _| true));
        let hill = [vec2(4.5, 0.2), vec2(6.0, 1.1), vec2(7.0, 1.1), vec2(8.5, 0.2)];
        scene.add_with(Node::new("hill"), Polyline::new(&hill)?);
        let steep = [vec2(12.5, 0.2), vec2(15.0, 0.2), vec2(15.0, 4.0), vec2(14.0, 4.0)];
        scene.add_with(Node::new("steep"), Compound::from_outline(&steep)?);
        let lift = Node::new("lift").with_position(vec2(10.9, 1.6));
        let (lift, _) = scene.add_with(lift, Attachment::new(Rect::new(3.0, 0.2)).one_way(Vec2::Y));
        Ok(Self { lift })
    }
}

/// A character that walks and jumps.
#[derive(Debug, Clone, Copy)]
pub struct Player {
    pub node: NodeId,
    pub velocity: Vec2,
    pub on_floor: bool,
    /// The horizontal velocity of the platform that the player left, until the player lands.
    pub drift: f32,
}

impl Player {
    pub fn new(scene: &mut Scene) -> Self {
        let node = Node::new("player").with_position(vec2(-1.5, 1.6));
        let (node, _) = scene.add_with(node, Capsule::new(vec2(0.0, -0.3), vec2(0.0, 0.3), 0.3));
        Self { node, velocity: Vec2::ZERO, on_floor: false, drift: 0.0 }
    }

    /// Returns the player's move options.
    pub fn options() -> MoveOptions {
        MoveOptions { snap_to_floor: 0.2, step_height: 0.3, ..MoveOptions::default() }
    }

    /// Starts a jump in the next frame if the player stands on a floor.
    pub fn jump(&mut self) {
        if self.on_floor {
            self.velocity.y = 11.5;
        }
    }

    /// Moves the player for one frame. `walk` is from -1 (left) to 1 (right).
    pub fn frame(&mut self, scene: &mut Scene, options: &MoveOptions, walk: f32) -> Result<Moved, SceneError> {
        self.velocity = vec2(walk * 5.0 + self.drift, self.velocity.y - 30.0 * FRAME);
        let moved = scene.move_and_slide(self.node, self.velocity * FRAME, options)?;
        let was_on_floor = std::mem::replace(&mut self.on_floor, moved.floor.is_some());
        self.velocity = moved.clip_velocity(self.velocity, options);
        if self.on_floor {
            self.drift = 0.0;
        } else if was_on_floor {
            // A jump from a platform keeps the platform's velocity.
            self.drift = moved.carried.x / FRAME;
            self.velocity.y += moved.carried.y / FRAME;
        }
        Ok(moved)
    }
}
