//! Convex geometry in world space. It names no shape: every shape is a [`Hull`], the Minkowski sum of a polygon and an
//! affine disc, or a support function.
//!
//! - Overlap is decided in `f32` by a separating axis test ([`sat`]) unless rounding could change the answer.
//! - Contacts and distances are measured in `f64` between the [`closest_features`] that `f32` chooses, if these prove
//!   to be the right ones.
//! - Near ties and everything else are decided by [`exact_separation`](mod@exact_separation) in `f64`: by the exact
//!   separating axis test, or by [`gjk`] and [`epa`] for ellipses and support functions.
//! - Rays ([`ray_cast`]) and moving shapes ([`shape_cast`], [`parallelogram_cast`]) have closed forms too, and fall back
//!   to [`advancement`].
//! - Shapes that move and turn ([`turning_cast`]) advance along separating axes ([`rotating_axis`]).

mod advancement;
mod cast_touch;
mod closest_features;
mod common_point;
mod contact;
mod contact_points;
mod difference_outline;
mod difference_sides;
mod epa;
mod exact_separation;
mod facing_side;
mod gjk;
mod hull;
mod meeting;
mod minkowski;
mod moving_box;
mod parallelogram_cast;
mod points;
mod ray_cast;
mod rotating_axis;
pub(crate) mod sat;
mod separation;
mod shape_cast;
mod support;
mod turning_cast;
mod turning_pair;

pub(crate) use cast_touch::CastTouch;
pub(crate) use common_point::common_point_separation;
pub use contact::Contact;
pub(crate) use contact_points::contact;
pub(crate) use exact_separation::{exact_overlap, exact_separation, separation_after};
pub(crate) use hull::{Core, Disc, with_points};
pub use hull::{Hull, RoundedConvex};
pub(crate) use meeting::{Meeting, touching_depth, touching_depth_after_move};
pub(crate) use moving_box::MovingBox;
pub(crate) use points::{Points, lerp};
pub(crate) use ray_cast::Ray;
pub(crate) use separation::{Measure, Separation};
pub(crate) use shape_cast::ShapeCast;
pub(crate) use support::Support;
pub(crate) use turning_cast::TurningCast;

#[cfg(test)]
mod tests;
