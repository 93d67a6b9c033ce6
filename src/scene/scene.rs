use alloc::vec::Vec;
use core::fmt;
use core::ops::{Index, IndexMut};

use slotmap::SecondaryMap;

use super::changes::Changes;
use super::motion::{MoverMemory, RiderLists};
use super::placed::{Colliders, NarrowPhase, Touching};
use super::removed::Removals;
use super::scratch::Scratch;
use super::tree::{Hierarchy, Transforms};
use super::{Node, NodeId, SceneError, slot_of};
use crate::math::parallel::{MIN_PART, within_pool};

/// The number of nodes whose world transforms are computed before their colliders get world forms, so that the former
/// are still in the cache. Threads need longer lists.
const NODES_PLACED_TOGETHER: usize = if cfg!(feature = "parallel") { 16 * MIN_PART } else { 512 };

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
pub struct Scene {
    pub(super) hierarchy: Hierarchy,
    pub(super) transforms: Transforms,
    pub(super) colliders: Colliders,
    pub(super) changes: Changes,
    pub(super) touching: Touching,
    /// The quarantined nodes as of the last update.
    pub(super) quarantined: Vec<NodeId>,
    pub(super) removals: Removals,
    /// By mover: its state at the end of its last move.
    pub(super) movers: SecondaryMap<NodeId, MoverMemory>,
    pub(super) rider_lists: RiderLists,
    pub(super) narrow_phase: NarrowPhase,
    pub(super) scratch: Scratch,
}

/// A summary: the numbers of nodes and colliders.
impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, colliders) = (self.node_count(), self.collider_count());
        f.debug_struct("Scene").field("nodes", &nodes).field("colliders", &colliders).finish_non_exhaustive()
    }
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
            removals: Removals::default(),
            movers: SecondaryMap::new(),
            rider_lists: RiderLists::default(),
            narrow_phase: NarrowPhase::default(),
            scratch: Scratch::default(),
        };
        scene.changes.node_changed(slot_of(scene.root()));
        scene
    }

    /// Returns a scene with only a root, and with the memory to add these numbers of nodes and colliders.
    ///
    /// A scene grows by itself, so this is never necessary. It saves the time to copy the growing lists when a level is
    /// loaded, and memory, because a list that grows reserves up to twice what it needs, or if it is long, an eighth more.
    /// See [`reserve`](Self::reserve) for what is reserved.
    ///
    /// # Panics
    /// As [`reserve`](Self::reserve).
    ///
    /// ```
    /// use hitgraph::{Node, Rect, Scene};
    ///
    /// let mut scene = Scene::with_capacity(1_000, 1_000);
    /// for _ in 0..1_000 {
    ///     scene.add_with(Node::new("brick"), Rect::new(1.0, 0.5));
    /// }
    /// assert_eq!(scene.node_count(), 1_001, "the bricks, and the root");
    /// ```
    #[must_use]
    pub fn with_capacity(nodes: usize, colliders: usize) -> Self {
        let mut scene = Self::new();
        scene.reserve(nodes, colliders);
        scene
    }

    /// Reserves memory for these numbers of further nodes and colliders, so that adding them allocates nothing in the
    /// scene. The box in which an [`Attachment`](crate::Attachment) holds its collider is still allocated, and so are
    /// the list of children of a node other than the root and the list of colliders of a node with several. The next
    /// query or update allocates what it computes.
    ///
    /// [`shrink_to_fit`](Self::shrink_to_fit) frees what is not used.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let wave = 500;
    /// scene.reserve(wave, wave);
    /// for _ in 0..wave {
    ///     scene.add_with(Node::new("enemy"), Circle::new(0.4));
    /// }
    /// assert_eq!(scene.collider_count(), wave);
    /// ```
    ///
    /// # Panics
    /// If the memory would exceed `isize::MAX` bytes.
    pub fn reserve(&mut self, nodes: usize, colliders: usize) {
        let node_slots = self.hierarchy.reserve(nodes);
        let collider_slots = self.colliders.reserve(colliders);
        self.changes.reserve(node_slots, collider_slots);
    }

    /// Returns the root, the ancestor of all nodes. It has a transform like any other node. It cannot be removed and
    /// cannot get a parent.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # use glam::vec2;
    /// let mut scene = Scene::new();
    /// let tree = scene.add(Node::new("tree").with_position(vec2(3.0, 0.0)));
    /// // A transform of the root moves the whole world.
    /// let root = scene.root();
    /// scene[root].transform.position.x = 100.0;
    /// assert_eq!(scene.world().position(tree), Some(vec2(103.0, 0.0)));
    /// ```
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.hierarchy.root()
    }

    /// Returns the node, or `None` if it is not in the scene.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let coin = scene.add(Node::new("coin"));
    /// assert_eq!(scene.get(coin).map(|node| &*node.name), Some("coin"));
    /// scene.remove(coin);
    /// assert!(scene.get(coin).is_none());
    /// ```
    #[must_use]
    pub fn get(&self, node: NodeId) -> Option<&Node> {
        self.hierarchy.node(node)
    }

    /// Returns the node for writing, or `None` if it is not in the scene. The node counts as edited, even if nothing is
    /// written; the next refresh compares it.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let coin = scene.add(Node::new("coin"));
    /// // In a loop over events, the coin may be gone.
    /// if let Some(node) = scene.get_mut(coin) {
    ///     node.enabled = false;
    /// }
    /// ```
    #[must_use]
    pub fn get_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        let found = self.hierarchy.node_mut(node)?;
        self.changes.node_changed(slot_of(node));
        Some(found)
    }

    /// Processes all edits: computes the world transforms, the world forms and the index of everything that changed.
    ///
    /// [`world`](Self::world), [`update`](Self::update) and the moves call it themselves. A host that shares the scene
    /// calls it at the end of its step, so that [`try_world`](Self::try_world) then works behind `&Scene`. It fires no
    /// event, and the next `update` returns the same events with and without it. The cost depends on what has changed
    /// since the last call; it is nothing if nothing has.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, QueryFilter, Scene};
    /// use glam::Vec2;
    ///
    /// let mut scene = Scene::new();
    /// scene.add_with(Node::new("coin"), Circle::new(1.0));
    /// assert!(scene.try_world().is_none(), "the coin has no place yet");
    /// scene.refresh();
    /// let shared: &Scene = &scene;
    /// let world = shared.try_world().expect("nothing has changed since the refresh");
    /// assert_eq!(world.at_point(Vec2::ZERO, &QueryFilter::default()).len(), 1);
    /// ```
    pub fn refresh(&mut self) {
        within_pool(self.changes.since_refresh.nodes.len(), || self.refresh_now());
    }

    fn refresh_now(&mut self) {
        let Self { hierarchy, transforms, colliders, changes, scratch, .. } = self;
        let Changes { since_refresh, since_update } = changes;
        if since_refresh.is_empty() {
            return;
        }
        since_refresh.nodes.list_sorted(&mut scratch.changed_nodes);
        hierarchy.refresh_depths();
        hierarchy.sort_parents_first(&mut scratch.changed_nodes);
        for slots in scratch.changed_nodes.chunks(NODES_PLACED_TOGETHER) {
            transforms.refresh(hierarchy, &since_refresh.nodes, slots, since_update, |slot, change, at| {
                colliders.node_changed(slot, change, at, &mut since_refresh.colliders)
            });
            colliders.place_moved(&mut since_refresh.colliders, since_update);
        }
        colliders.refresh(transforms, &since_refresh.colliders, &since_refresh.edited, since_update);
        since_refresh.clear();
    }
}

/// A clone is a snapshot in which all ids stay valid. After a return to it, new nodes and colliders get the ids of
/// those that were added after it, so your own data by id must return too. `clone_from` replaces a scene by a snapshot
/// in the memory that the scene has; it allocates nothing if that is enough. The boxes of colliders are used again too, if
/// the scene has as many of the same types.
impl Clone for Scene {
    fn clone(&self) -> Self {
        let mut clone = Self::new();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        let Self {
            hierarchy,
            transforms,
            colliders,
            changes,
            touching,
            quarantined,
            removals,
            movers,
            rider_lists,
            narrow_phase,
            scratch: _,
        } = source;
        self.hierarchy.clone_from(hierarchy);
        self.transforms.clone_from(transforms);
        self.colliders.clone_from(colliders);
        self.changes.clone_from(changes);
        self.touching.clone_from(touching);
        self.quarantined.clone_from(quarantined);
        self.removals.restart_like(removals);
        self.narrow_phase.clone_from(narrow_phase);
        self.rider_lists.clone_from(rider_lists);
        self.movers.retain(|node, _| movers.contains_key(node));
        for (node, memory) in movers {
            match self.movers.get_mut(node) {
                Some(own) => own.clone_from(memory),
                None => drop(self.movers.insert(node, memory.clone())),
            }
        }
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
    #[track_caller]
    fn index(&self, node: NodeId) -> &Node {
        let Some(found) = self.get(node) else { panic!("{}", SceneError::NodeNotFound(node)) };
        found
    }
}

impl IndexMut<NodeId> for Scene {
    /// Returns the node for writing. It counts as edited, as after [`Scene::get_mut`].
    ///
    /// # Panics
    /// If the node is not in the scene; [`Scene::get_mut`] returns `None` instead.
    #[track_caller]
    fn index_mut(&mut self, node: NodeId) -> &mut Node {
        let Some(found) = self.get_mut(node) else { panic!("{}", SceneError::NodeNotFound(node)) };
        found
    }
}
