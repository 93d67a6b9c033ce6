//! Reads an SVG drawing into a scene and draws its collisions over it.

// The modules of an example, not a published API.
#![allow(missing_docs)]

pub mod overlay;
mod reader;
#[path = "../support/mod.rs"]
mod support;

pub use reader::{document, drawing, kinds, options, remark, touching, units};
