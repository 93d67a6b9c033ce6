//! Shapes of many pieces. Each has an index over its pieces, and computes the world form of a piece when a query comes
//! near it.

mod compound;
mod crossings;
mod decomposition;
mod piece_forms;
mod pieces;
mod polyline;
mod tile;
mod tile_map;
mod tiles;

pub use compound::Compound;
pub(crate) use piece_forms::PieceForms;
pub(crate) use pieces::{Composite, furthest, image_bounds};
pub use polyline::Polyline;
pub use tile::Tile;
pub use tiles::Tiles;
