//! One adapter for each system.

pub mod brute;
pub mod hitgraph;
pub mod parry;
pub mod rapier;
