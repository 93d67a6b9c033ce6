use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

use glam::Affine2;
use slotmap::SecondaryMap;

use super::changes::Changes;
use super::motion::{Memory, Moved, PushScratch};
use super::placed::{Colliders, NarrowPhase, Touching};
use super::slot_set::SlotSet;
use super::tree::{Hierarchy, Transforms};
use super::{Node, NodeId, SceneError, slot_of};
use crate::math::Pool;

/// A tree of [`Node`]s that carry colliders.
///
/// An edit computes nothing; the next query or update processes all edits. [`update`](Self::update) returns the pairs
/// that started or stopped touching since the last update. [`world`](Self::world) returns a view for queries about the
/// present. A clone is a snapshot in which all ids stay valid, for rollback or for looking ahead.
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
    pub(super) hierarchy: Hierarchy,
    pub(super) transforms: Transforms,
    pub(super) colliders: Colliders,
    pub(super) changes: Changes,
    pub(super) touching: Touching,
    /// The quarantined nodes as of the last update.
    pub(super) quarantined: Vec<NodeId>,
    /// By mover: its state at the end of its last move.
    pub(super) movers: SecondaryMap<NodeId, Memory>,
    /// Scratch memory of moves.
    pub(super) spare_nearby: Vec<(NodeId, Affine2)>,
    /// Scratch memory of pushes.
    pub(super) spare_push: PushScratch,
    /// The result of the last move of a carrier, kept for its capacity.
    pub(super) spare_moved: Moved,
    pub(super) narrow_phase: NarrowPhase,
    /// Scratch memory of queries for pairs.
    pub(super) narrow_phases: Pool<NarrowPhase>,
    /// Scratch memory of debug drawing.
    pub(super) slot_sets: Pool<SlotSet>,
}

impl Scene {
    /// Returns a scene with only a root.
    #[must_use]
    pub fn new() -> Self {
        let mut scene = Self {
            hierarchy: Hierarchy::new(),
            transforms: Transforms::default(),
            colliders: Colliders::default(),
            changes: Changes::default(),
            touching: Touching::default(),
            quarantined: Vec::new(),
            movers: SecondaryMap::new(),
            spare_nearby: Vec::new(),
            spare_moved: Moved::default(),
            spare_push: PushScratch::default(),
            narrow_phase: NarrowPhase::default(),
            narrow_phases: Pool::new(),
            slot_sets: Pool::new(),
        };
        scene.changes.node(slot_of(scene.root()));
        scene
    }

    /// Returns the root, the ancestor of all nodes. It has a transform like any other node. It cannot be removed and
    /// cannot get a parent.
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.hierarchy.root()
    }

    /// Returns the node, or `None` if it is not in the scene.
    #[must_use]
    pub fn get(&self, node: NodeId) -> Option<&Node> {
        self.hierarchy.node(node)
    }

    /// Returns the node for writing, or `None` if it is not in the scene. The node and its subtree count as moved, even
    /// if nothing is written.
    #[must_use]
    pub fn get_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        let found = self.hierarchy.node_mut(node)?;
        self.changes.node(slot_of(node));
        Some(found)
    }

    /// Brings world transforms, world forms and the index up to date with all edits.
    pub(super) fn refresh(&mut self) {
        let Self { hierarchy, transforms, colliders, changes, .. } = self;
        let since_refresh = &mut changes.since_refresh;
        since_refresh.nodes.sort_with(|slots| hierarchy.sort_parents_first(slots));
        changes.since_update.edited |= transforms.refresh(hierarchy, &since_refresh.nodes, |collider, node, status| {
            colliders.node_moved(collider, node, status, &mut since_refresh.colliders);
        });
        colliders.refresh(transforms, &mut since_refresh.colliders, &since_refresh.shapes, &mut changes.since_update);
        since_refresh.clear();
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Index<NodeId> for Scene {
    type Output = Node;

    /// Returns the node.
    ///
    /// # Panics
    /// If the node is not in the scene; [`Scene::get`] returns `None` instead.
    fn index(&self, node: NodeId) -> &Node {
        self.get(node).unwrap_or_else(|| panic!("{}", SceneError::NodeNotFound(node)))
    }
}

impl IndexMut<NodeId> for Scene {
    /// Returns the node for writing. The node and its subtree count as moved.
    ///
    /// # Panics
    /// If the node is not in the scene; [`Scene::get_mut`] returns `None` instead.
    fn index_mut(&mut self, node: NodeId) -> &mut Node {
        self.get_mut(node).unwrap_or_else(|| panic!("{}", SceneError::NodeNotFound(node)))
    }
}
