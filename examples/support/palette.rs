//! The colours of all pictures, next to those of `DebugPalette`. Each is visible on light and on dark paper.

#![allow(dead_code)]

/// Queries and paths.
pub const RED: [f32; 4] = [0.91, 0.12, 0.16, 1.0];
/// An earlier state.
pub const GREY: [f32; 4] = [0.55, 0.55, 0.55, 1.0];
/// Distances.
pub const PURPLE: [f32; 4] = [0.56, 0.36, 0.86, 1.0];
