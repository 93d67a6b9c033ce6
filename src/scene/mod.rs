//! The scene: a tree of nodes, their colliders in the world, and everything that can be asked of them.
//!
//! [`Hierarchy`], [`Transforms`], [`Bodies`], [`Narrow`](narrow::Narrow) and [`Touches`] are organs that know no scene.
//! The other files are chapters: `impl Scene` for editing and updating, `impl World` for asking.

mod bodies;
mod cast;
mod debug;
mod debug_query;
mod edit;
mod error;
mod events;
mod filter;
mod hierarchy;
mod memory;
mod motion;
mod narrow;
mod nearest;
mod node;
mod query;
mod ray;
mod refresh;
mod siblings;
mod transforms;
mod world;

use alloc::vec::Vec;

use slotmap::{Key, SecondaryMap, new_key_type};

use bodies::Bodies;
use events::Touches;
use hierarchy::Hierarchy;
use motion::Ride;
use narrow::Scratch;
use transforms::Transforms;

pub use cast::ShapeCastHit;
pub use debug::{DebugGeometry, DebugKind, DebugOptions, DebugShape, DebugState};
pub use debug_query::DebugQuery;
pub use error::SceneError;
pub use events::{CollisionEvent, CollisionPair, Side};
pub use filter::QueryFilter;
pub use motion::{MoveHit, MoveOptions, Moved};
pub use nearest::Nearest;
pub use node::Node;
pub use query::PointProjection;
pub use ray::RayHit;
pub use world::World;

new_key_type! {
    /// Names a node for as long as it exists; an id is never used again for another. Ids are ordered, in an order that
    /// depends on nothing but the calls that made them. An id means something in the scene that made it and in clones
    /// of that, nowhere else; the default one is in no scene.
    pub struct NodeId;
    /// Names a collider for as long as it exists, as [`NodeId`] does a node.
    pub struct ColliderId;
}

/// The place of an id in dense arrays: small numbers, used again, and in the order of the ids.
#[inline]
fn slot_of(id: impl Key) -> u32 {
    id.data().as_ffi() as u32
}

/// A tree of [`Node`]s that carry colliders.
///
/// Change it freely; nothing is computed until someone asks. [`update`](Self::update) tells what began and ceased to
/// touch since the last one; [`world`](Self::world) answers questions about how things are now. A clone is a snapshot
/// in which all ids stay valid: for rollback, or for looking ahead.
///
/// ```
/// use hitgraph::{Circle, Node, Rect, Scene};
/// use glam::vec2;
///
/// let mut scene = Scene::new();
/// let knight = scene.add(Node::new("knight"));
/// let sword = Node::new("sword").with_position(vec2(1.0, 0.0));
/// let (_, blade) = scene.add_child_with(knight, sword, Rect::new(2.0, 0.2))?;
/// let (_, body) = scene.add_with(Node::new("troll").with_position(vec2(0.0, 2.5)), Circle::new(1.0));
/// assert!(scene.world().contact(blade, body).is_none());
///
/// scene[knight].transform.rotation = std::f32::consts::FRAC_PI_2;
/// assert!(scene.world().contact(blade, body).is_some());
/// # Ok::<(), hitgraph::SceneError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scene {
    hierarchy: Hierarchy,
    transforms: Transforms,
    bodies: Bodies,
    touches: Touches,
    quarantined: Vec<NodeId>,
    /// What movers stood on after their last moves.
    rides: SecondaryMap<NodeId, Ride>,
    /// Memory for a refresh and an update.
    touched_nodes: Vec<(u32, NodeId)>,
    scratch: Scratch,
    /// Whether a collider was removed since the last update.
    removed: bool,
    /// Whether a collider's settings or node may have changed since the last update.
    edited: bool,
}
