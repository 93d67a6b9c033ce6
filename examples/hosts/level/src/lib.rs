//! The level and the player's controls, which all hosts share.

pub mod color;
mod player;

use hitgraph::CollisionLayers;
use hitgraph::glam::{Vec2, vec2};
use std::f32::consts::TAU;

pub use player::Player;

/// The size of the window and of the level, in pixels.
pub const SIZE: [u32; 2] = [640, 384];

/// The side length of a map cell, in pixels.
pub const CELL: f32 = 64.0;

/// The map: `#` is a wall, `o` a coin. y is down, so the first row is at the top, at `y = 0`.
const ROWS: [&str; 6] = ["##########", "#        #", "#        #", "#      o #", "#  o o   #", "##########"];

// Memberships and filters: the body collides with the level, the sword touches the bat.
pub const BODY: CollisionLayers = CollisionLayers::new(1, 2);
pub const LEVEL: CollisionLayers = CollisionLayers::new(2, 1);
pub const SWORD: CollisionLayers = CollisionLayers::new(4, 8);
pub const BAT: CollisionLayers = CollisionLayers::new(8, 4);

/// The outline of a knight that faces right.
pub const KNIGHT: [Vec2; 5] =
    [vec2(-16.0, -36.0), vec2(8.0, -36.0), vec2(18.0, -12.0), vec2(14.0, 36.0), vec2(-16.0, 36.0)];
/// The outline of the sword, from the grip along x.
pub const BLADE: [Vec2; 4] = [vec2(8.0, -7.0), vec2(56.0, -7.0), vec2(56.0, 7.0), vec2(8.0, 7.0)];

/// Returns `true` if the cell is a wall.
#[must_use]
pub fn is_wall(column: u32, row: u32) -> bool {
    ROWS.get(row as usize).is_some_and(|row| row.as_bytes().get(column as usize) == Some(&b'#'))
}

/// Returns the top left corners of the cells with this mark.
pub fn cells(mark: char) -> impl Iterator<Item = Vec2> {
    let row = move |(y, row): (usize, &'static str)| row.match_indices(mark).map(move |(x, _)| [x, y]);
    ROWS.into_iter().enumerate().flat_map(row).map(|[x, y]| vec2(x as f32, y as f32) * CELL)
}

/// Returns the outline of a rectangle around the origin.
#[must_use]
pub fn block(width: f32, height: f32) -> Vec<Vec2> {
    [vec2(-0.5, -0.5), vec2(0.5, -0.5), vec2(0.5, 0.5), vec2(-0.5, 0.5)].map(|at| at * vec2(width, height)).to_vec()
}

/// Returns the outline of a disc around the origin.
#[must_use]
pub fn disc(radius: f32) -> Vec<Vec2> {
    (0..32).map(|corner| Vec2::from_angle(TAU / 32.0 * corner as f32) * radius).collect()
}
