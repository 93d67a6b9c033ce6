//! The scene: a tree of nodes, their colliders in the world, and all queries, moves and drawing.
//!
//! A [`Scene`] owns the [`tree`] and the [`placed`] colliders, which import nothing of what follows. [`World`] is the
//! view of a refreshed scene, and queries are its methods. [`motion`] moves nodes by means of the world, [`debug`] draws
//! it. [`Changes`](changes::Changes) records what an edit changed until a refresh and an update have processed it.

mod changes;
mod debug;
mod edit;
mod error;
mod ids;
mod motion;
mod placed;
mod ride;
#[allow(clippy::module_inception, reason = "the file is named after its type, as all others are")]
mod scene;
mod slot_set;
mod tree;
mod update;
mod world;

pub use debug::{DebugGeometry, DebugKind, DebugOptions, DebugPalette, DebugQuery, DebugShape, DebugState};
pub use error::SceneError;
use ids::slot_of;
pub use ids::{ColliderId, NodeId};
pub use motion::{MoveHit, MoveOptions, Moved};
pub use placed::{CollisionEvent, CollisionPair, NodeCollider};
pub use scene::Scene;
pub use tree::Node;
pub use world::{Nearest, PointProjection, QueryFilter, RayHit, ShapeCastHit, World};
