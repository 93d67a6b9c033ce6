//! Reads an SVG drawing into a scene and draws its collisions over it.

// The modules of an example, not a published API.
#![allow(missing_docs)]

pub mod document;
pub mod drawing;
pub mod overlay;
pub mod remark;
pub mod shape;
#[path = "../support/mod.rs"]
mod support;
pub mod units;
