//! Shapes of many pieces. Each has an index over its pieces, and computes the world form of a piece when a query comes
//! near it.

mod compound;
mod crossings;
mod decomposition;
mod pieces;
mod polyline;
mod tile;
mod tile_map;
mod tiles;
mod world_forms;

pub use compound::Compound;
pub(crate) use pieces::{Composite, furthest, image_bounds};
pub use polyline::Polyline;
pub use tile::Tile;
pub use tiles::Tiles;
pub(crate) use world_forms::WorldForms;
