//! Moves: displacements of nodes that pass through no collider, and pushes, which take along what is in their way.
//!
//! A move is a handful of shape casts. [`Mover`](mover::Mover) holds the colliders of a node and its travel in `f64`.
//! [`Surroundings`](surroundings::Surroundings) holds the colliders around it, and [`Move`](move_steps::Move) runs it:
//!
//! 1. **Carry.** If the [platform](ride::Ride) under the mover has moved or turned, the mover is cast along with it. What
//!    has to move before that with its own platform does: the [companions](ride::Companion), which keep their
//!    places relative to each other, together (`companions`), and then what is below the mover, the lowest first
//!    (`call`). So the order in which the caller moves a stack or a heap does not matter. A mover is never blocked by its
//!    own riders.
//! 2. **Push out.** A mover that is inside something then takes the shortest path out that `push_out` finds, and `skin`
//!    restores its skin. If there is no path, it is stuck: it stays where it was before the carry.
//! 3. **Slide.** The mover is cast along its displacement. Each surface met adds a plane, and the displacement is
//!    clipped against all [`Planes`](planes::Planes) met, so the mover comes to rest where they leave nothing. Steps
//!    (`ledge`) and snapping (`floor`) are casts up, ahead and down. [`Slopes`](slopes::Slopes) sorts surfaces into
//!    floors, walls and ceilings.
//! 4. **Report.** [`Moved`] holds what blocked the mover. `passage` adds what it passed along its trail: sensors and
//!    one-way colliders.
//! 5. **Remember.** [`MoverMemory`] stores where the mover is, its platform, and the transforms of the nodes near it.
//!    If a node gets another parent, `rebase` brings the memories up to date that this concerns.
//!
//! **Sides.** The shortest path out of a thin plate may lead to its far side. From the transforms in its memory, a
//! mover computes on which side of a piece it was, and leaves on that side; a one-way piece blocks if that side is its
//! front (`one_way`). Pieces of one collider that touch are one surface: at their joint, the side of the nearest one
//! counts. The memory of a node whose position the caller has written is void.
//!
//! **Pushes.** `push` moves a node in steps shorter than the narrowest mover in its way. After each step it moves the
//! movers inside the node out, carries the riders, and moves movers that are in the way of those first. It tries again with
//! those without room, as long as others make room.
//!
//! **The skin** makes seams smooth: a mover keeps that distance from every collider that it meets, but casts its own
//! shape, without the skin. A box that slides over a row of others passes their corners at the height of the skin, and
//! never meets their sides. The columns of a slope have hidden sides too, and the cast of a box meets the next one just
//! after the slope before it, in a wider touch. A mover that stops a skin before the slope and slides along it passes
//! that side, so the slope [hides](touch::Touch::hides) it from the cast. Only a short slide along a surface and a snap
//! also end before the skin of what they would pass: otherwise the restored skin would lead back.

mod call;
mod companions;
mod early_move;
mod floor;
mod half_plane;
mod ledge;
mod memory;
mod move_alone;
mod move_jointly;
mod move_steps;
mod moved;
mod mover;
mod mover_casts;
mod moves;
mod near_piece;
mod node_cast;
mod one_way;
mod options;
mod passage;
mod planes;
mod push;
mod push_chain;
mod push_out;
mod push_path;
mod pushed;
mod rebase;
mod ride;
mod rider_lists;
mod riders;
mod scratch;
mod sides;
mod skin;
mod slopes;
mod surroundings;
mod swept_box;
mod touch;
mod wedge;

pub(super) use memory::MoverMemory;
pub use moved::{MoveHit, MoveResponse, Moved};
pub use options::MoveOptions;
pub use pushed::{Pushed, PushedNode};
pub(super) use rider_lists::RiderLists;
pub(super) use scratch::MotionScratch;
