//! Numbers: transforms, boxes, and every tolerance of the crate. Imports nothing of ours.

mod aabb;
mod angle;
#[cfg(not(feature = "std"))]
mod float;
pub(crate) mod tolerance;
mod transform;
mod turn;

pub use aabb::Aabb;
pub(crate) use angle::Turn;
#[cfg(not(feature = "std"))]
pub(crate) use float::Float;
pub use transform::Transform;
pub(crate) use turn::turn;
