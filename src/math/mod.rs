//! Transforms, boxes, affine discs, angles, sorting, sets of slots, scratch memory, checksums, and every tolerance.

mod aabb;
pub(crate) mod affine_disc;
mod atan2;
mod checksum;
mod clone_fields;
mod each;
#[cfg(not(feature = "std"))]
mod float;
mod growth;
mod motion;
mod orientation;
pub(crate) mod parallel;
mod pool;
#[cfg(feature = "serde")]
pub(crate) mod saved;
mod sin_cos;
mod slot_set;
mod sort;
pub(crate) mod tolerance;
mod transform;

pub use aabb::Aabb;
pub(crate) use checksum::Checksum;
pub(crate) use clone_fields::clone_fields;
pub(crate) use each::Each;
#[cfg(not(feature = "std"))]
pub(crate) use float::Float;
pub(crate) use growth::{extend_to, push_to, shrink_to};
pub use motion::Motion;
pub(crate) use motion::{RigidMotion, Rotation};
pub(crate) use orientation::orient2d;
pub(crate) use pool::Pool;
pub(crate) use sin_cos::SinCos;
pub(crate) use slot_set::{SlotSet, bits_of};
pub(crate) use sort::{CountingSort, keep_least, sort_by};
pub use transform::Transform;
pub(crate) use transform::{inverse_of, map_normal, mirrors};

#[cfg(test)]
pub(crate) mod tests;
