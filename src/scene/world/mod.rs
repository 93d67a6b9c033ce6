//! The view of a refreshed scene, and the queries on it.

mod cast;
mod distance;
mod filter;
mod nearest;
mod overlap;
mod ray;
mod view;

pub use cast::ShapeCastHit;
pub use distance::PointProjection;
pub use filter::QueryFilter;
pub use nearest::Nearest;
pub use ray::RayHit;
pub use view::World;
