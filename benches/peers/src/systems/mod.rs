//! One adapter for each system.

pub mod bevy;
#[cfg(feature = "box2d")]
pub mod box2d;
pub mod brute;
pub mod hitgraph;
pub mod parry;
pub mod rapier;
pub mod sepax;
