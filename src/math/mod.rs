//! Numbers: transforms, boxes, and every tolerance of the crate. Imports nothing of ours.

mod aabb;
mod angle;
pub(crate) mod tolerance;
mod transform;
mod turn;

pub use aabb::Aabb;
pub(crate) use angle::Turn;
pub use transform::Transform;
pub(crate) use turn::turn;
