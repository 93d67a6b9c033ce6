//! The view of a refreshed scene, and the queries on it.
//!
//! A new query is a method of [`World`] in a file here: it takes slots from the scene's index, filters them, tests the
//! colliders in world space, and returns each as a [`NodeCollider`](crate::NodeCollider).

mod cast;
mod distance;
mod filter;
mod nearest;
mod overlap;
mod piece_tracker;
mod pieces;
mod ray;
mod view;

pub use cast::ShapeCastHit;
pub use distance::PointProjection;
pub use filter::QueryFilter;
pub use nearest::Nearest;
pub use piece_tracker::{PieceEvent, PieceTracker};
pub use ray::RayHit;
pub use view::World;
