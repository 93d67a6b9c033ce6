//! Numbers: transforms, boxes, and every tolerance of the crate. Imports nothing of the crate.

mod aabb;
mod atan2;
#[cfg(not(feature = "std"))]
mod float;
mod motion;
mod orientation;
mod pool;
mod sin_cos;
mod sort;
pub(crate) mod tolerance;
mod transform;

pub use aabb::Aabb;
#[cfg(not(feature = "std"))]
pub(crate) use float::Float;
pub use motion::Motion;
pub(crate) use motion::{RigidMap, RigidMotion, Turn};
pub(crate) use orientation::orient2d;
pub(crate) use pool::Pool;
pub(crate) use sin_cos::SinCos;
pub(crate) use sort::CountingSort;
pub use transform::Transform;
