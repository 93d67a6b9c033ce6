//! Moves: displacements of nodes that pass through no collider.
//!
//! A move is a handful of shape casts. [`Mover`](mover::Mover) casts a node's colliders against the
//! [`Solids`](solids::Solids) around it, [`Slide`](slide::Slide) follows surfaces, and `push_out` leads out of
//! colliders in which a mover begins.
//!
//! The skin makes seams smooth: a mover keeps that distance from every collider that it meets, but a cast tests its own
//! shape, without the skin. So a box that slides over a row of others passes over their corners at the height of the
//! skin, and never meets their sides.

mod moved;
mod mover;
mod moves;
mod options;
mod planes;
mod push_out;
mod ride;
mod slide;
mod slopes;
mod solids;

pub use moved::{MoveHit, Moved};
pub use options::MoveOptions;
pub(super) use ride::Ride;
