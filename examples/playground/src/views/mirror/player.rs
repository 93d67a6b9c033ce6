//! The player's control of the knight, by keys, mouse or finger.

use glam::Vec2;
use macroquad::prelude::KeyCode;

use super::body::Body;
use super::control::Control;
use crate::camera::Camera;
use crate::input::Input;

/// The rotation of the sword by keys in degrees per second.
const TURN_SPEED: f32 = 220.0;
/// The knight walks towards a finger that is further away than this, in world units.
const REACH: f32 = 2.9;
/// The height of the knight's shoulder.
const SHOULDER: f32 = 2.1;

/// The direction of the sword, kept between frames.
#[derive(Debug, Clone, Copy)]
pub struct Player {
    aim: f32,
    pointer: Vec2,
}

impl Default for Player {
    fn default() -> Self {
        Self { aim: 40.0, pointer: Vec2::ZERO }
    }
}

impl Player {
    /// Reads the input of a frame. Returns the control, and `true` if the player has pressed a key or the pointer.
    pub fn read(&mut self, input: &Input, camera: &Camera, knight: &Body, seconds: f32) -> (Control, bool) {
        let axis = |more: [KeyCode; 2], less: [KeyCode; 2]| {
            let held = |keys: [KeyCode; 2]| keys.iter().any(|key| input.held(*key));
            i8::from(held(more)) - i8::from(held(less))
        };
        let mut walk = axis([KeyCode::Right, KeyCode::D], [KeyCode::Left, KeyCode::A]);
        let turn = axis([KeyCode::Up, KeyCode::W], [KeyCode::Down, KeyCode::S]);
        self.aim = (self.aim + f32::from(turn) * TURN_SPEED * seconds).clamp(-40.0, 130.0);

        let pointer = input.pointer;
        let is_over = camera.area.contains(pointer.position);
        let points = pointer.down || (!pointer.touch && pointer.position != self.pointer);
        if is_over && points {
            let offset = camera.to_world(pointer.position) - Vec2::new(knight.x, SHOULDER);
            // The knight looks along the facing.
            let forward = Vec2::new(offset.x * knight.facing, offset.y);
            if forward.length_squared() > 0.04 {
                self.aim = aim(forward);
            }
            if pointer.down && walk == 0 {
                let far = forward.x > REACH;
                let behind = forward.x < 0.0;
                let direction = f32::from(far) - f32::from(behind);
                walk = (direction * knight.facing) as i8;
            }
        }
        self.pointer = pointer.position;
        (Control::new(walk, self.aim), walk != 0 || turn != 0 || (is_over && pointer.pressed))
    }
}

/// Returns the angle of a direction in degrees, at most as far as the arm turns.
fn aim(forward: Vec2) -> f32 {
    let angle = forward.y.atan2(forward.x).to_degrees();
    // Below and behind the knight, the nearer end of the range.
    if angle < -90.0 { 130.0 } else { angle.clamp(-40.0, 130.0) }
}
