//! The scene: a tree of nodes, their colliders in the world, and all queries, moves and drawing.
//!
//! A [`Scene`] owns the [`tree`] and the [`placed`] colliders, which import nothing of what follows. [`World`] is the
//! view of a refreshed scene, and queries are its methods. [`motion`] moves nodes by means of the world, [`debug`]
//! draws it.
//!
//! `docs/architecture.md` follows an edit to its event and lists what may be stale.

mod changes;
mod checksum;
mod copy;
mod debug;
mod edit;
mod error;
mod ids;
mod ignore;
#[cfg(feature = "serde")]
mod load_error;
mod lookup;
mod motion;
mod placed;
mod removed;
mod reparent;
#[cfg(feature = "serde")]
mod saving;
#[allow(clippy::module_inception, reason = "the file is named after its type, as all others are")]
mod scene;
mod scratch;
mod slots;
mod tree;
mod update;
mod world;

pub use copy::CopiedIds;
pub use debug::{DebugGeometry, DebugKind, DebugOptions, DebugPalette, DebugQuery, DebugShape, DebugState};
pub use error::SceneError;
use ids::slot_of;
pub use ids::{ColliderId, NodeId};
#[cfg(feature = "serde")]
pub use load_error::LoadError;
pub use motion::{MoveHit, MoveOptions, MoveResponse, Moved, Pushed, PushedNode};
pub use placed::{CollisionEvent, CollisionPair, NodeCollider, TouchingPairs};
pub use removed::Removed;
#[cfg(feature = "serde")]
pub use saving::{NoUserShape, SaveError, SavedScene};
pub use scene::Scene;
pub use tree::Node;
pub use world::{Nearest, PieceEvent, PieceTracker, PointProjection, QueryFilter, RayHit, ShapeCastHit, World};
