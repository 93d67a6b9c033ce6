//! The patterns of the textures: the brightness at a place in the node's frame, from 0, which is transparent, to 1.

use level::{CELL, is_wall};
use macroquad::prelude::{Vec2, vec2};

pub fn bricks(at: Vec2) -> f32 {
    let [column, row] = (at / CELL).floor().to_array();
    let course = (at.y / 16.0).floor();
    let joint = at.y % 16.0 < 2.0 || (at.x + course % 2.0 * 16.0) % 32.0 < 2.0;
    match (is_wall(column as u32, row as u32), joint) {
        (false, _) => 0.0,
        (true, joint) => light(joint, 0.75),
    }
}

pub fn planks(at: Vec2) -> f32 {
    light((at.x + 80.0) % 40.0 < 2.0, 0.6)
}

/// Armour with a visor on the side that she faces.
pub fn armour(at: Vec2) -> f32 {
    if at.x > 0.0 && (-28.0..-20.0).contains(&at.y) { 0.2 } else { light(at.y > 6.0 && at.y < 12.0, 0.7) }
}

/// A blade with a dark grip.
pub fn steel(at: Vec2) -> f32 {
    light(at.x < 18.0, 0.4)
}

/// Two eyes.
pub fn face(at: Vec2) -> f32 {
    light((vec2(at.x.abs(), at.y) - vec2(9.0, -4.0)).length() < 5.0, 0.2)
}

pub fn coin(at: Vec2) -> f32 {
    light(at.abs().max_element() < 5.0, 0.8)
}

fn light(is_dark: bool, dark: f32) -> f32 {
    if is_dark { dark } else { 1.0 }
}
