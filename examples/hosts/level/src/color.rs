//! The colours of the game: red, green, blue and alpha.

pub const WALL: [u8; 4] = [205, 205, 205, 255];
pub const LEDGE: [u8; 4] = [170, 140, 105, 255];
pub const KNIGHT: [u8; 4] = [150, 205, 255, 255];
pub const SWORD: [u8; 4] = [215, 215, 225, 255];
pub const BAT: [u8; 4] = [190, 165, 235, 255];
pub const HURT: [u8; 4] = [255, 170, 170, 255];
pub const COIN: [u8; 4] = [255, 215, 80, 255];
