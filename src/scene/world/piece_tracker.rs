//! Events for the pieces of one collider: which tile began to touch what.

use alloc::vec::Vec;

use crate::math::clone_fields;
use crate::scene::{ColliderId, NodeCollider, World};

/// A pair of pieces that started or stopped touching; see [`PieceTracker`].
///
/// ```
/// use hitgraph::{Circle, Node, PieceEvent, PieceTracker, Scene, Tiles};
/// use glam::{Vec2, vec2};
///
/// let mut scene = Scene::new();
/// let (_, floor) = scene.add_with(Node::new("floor"), Tiles::new(9, 4, Vec2::ONE, |_, _| true));
/// scene.add_with(Node::new("ball").with_position(vec2(3.5, 3.5)), Circle::new(0.2));
/// let mut tracker = PieceTracker::new(floor);
/// let events: Vec<PieceEvent> = tracker.update(scene.world());
/// // The number of a tile counts row by row.
/// let places: Vec<_> = events.iter().map(|event| (event.started, event.piece % 9, event.piece / 9)).collect();
/// assert_eq!(places, [(true, 3, 3)]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PieceEvent {
    /// `true` if the two pieces started touching, `false` if they stopped.
    pub started: bool,
    /// The number of the piece of the tracked collider: for [`Tiles`](crate::Tiles), of the
    /// [tile](crate::Tiles::number_of).
    pub piece: u32,
    /// The other collider. In a stop its ids may be stale.
    pub other: NodeCollider,
    /// The number of the piece of the other collider; 0 for a shape of one piece.
    pub other_piece: u32,
}

impl PieceEvent {
    fn key(&self) -> (ColliderId, u32, u32) {
        (self.other.collider, self.piece, self.other_piece)
    }
}

/// Events for the pieces of one collider, such as the tiles of a map.
///
/// [Events](crate::CollisionEvent) name colliders, and a tile map is one collider: a hero who walks from one of its
/// tiles to the next fires none. For a map of traps, keep a tracker beside the scene, and update it once per step,
/// after [`Scene::update`](crate::Scene::update). Only tracked colliders pay for it: an update costs as much as
/// [`World::overlaps`] and [`World::touching_pieces`] for each collider that is found. After warm-up
/// [`update_into`](Self::update_into) allocates nothing.
///
/// Every start has exactly one stop, whatever ended the touch. The collider touches what [`World::overlaps`] returns, so
/// layers, owners and ignored pairs count, and so does [`World::only`], for a tracker that reports heroes alone.
///
/// A tracker is plain data of yours: clone it with the scene for a snapshot. After a scene was loaded, make a new one,
/// update it before anything moves, and ignore these events.
///
/// ```
/// use hitgraph::{Circle, Node, PieceTracker, Scene, Tiles};
/// use glam::{Vec2, vec2};
///
/// // Tiles side by side are one piece for all other queries, but not here.
/// let spikes = Tiles::new(3, 1, Vec2::ONE, |_, _| true);
/// let mut scene = Scene::new();
/// let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(-1.0, 0.5)), Circle::new(0.2));
/// let (_, spikes) = scene.add_with(Node::new("spikes"), spikes);
///
/// let mut tracker = PieceTracker::new(spikes);
/// let mut sprung = Vec::new();
/// for x in [0.5, 0.6, 1.5, 2.5] {
///     scene[hero].transform.position.x = x;
///     scene.update();
///     for event in tracker.update(scene.world()) {
///         if event.started && event.other.node == hero {
///             sprung.push(event.piece);
///         }
///     }
/// }
/// assert_eq!(sprung, [0, 1, 2]);
/// ```
#[derive(Debug)]
#[doc(alias("tile event", "piece event", "contact listener"))]
pub struct PieceTracker {
    collider: ColliderId,
    /// The pairs of pieces that touched at the last update, as their starts, in order.
    touching: Vec<PieceEvent>,
    /// Scratch memory.
    now: Vec<PieceEvent>,
    others: Vec<NodeCollider>,
    pieces: Vec<[u32; 2]>,
}

impl PieceTracker {
    /// Returns a tracker for a collider, as if it touched nothing before.
    #[must_use]
    pub fn new(collider: ColliderId) -> Self {
        Self { collider, touching: Vec::new(), now: Vec::new(), others: Vec::new(), pieces: Vec::new() }
    }

    /// Returns the tracked collider.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, PieceTracker, Scene};
    /// # let mut scene = Scene::new();
    /// let (_, map) = scene.add_with(Node::new("map"), Circle::new(1.0));
    /// let mut trackers = vec![PieceTracker::new(map)];
    /// scene.detach(map);
    /// // After the events of its last update, a tracker of a collider that is gone has no use.
    /// trackers.retain(|tracker| scene.attachment(tracker.collider()).is_some());
    /// assert!(trackers.is_empty());
    /// ```
    #[must_use]
    pub fn collider(&self) -> ColliderId {
        self.collider
    }

    /// Returns the pairs of pieces that started or stopped touching since the last update of this tracker: first all
    /// stops, then all starts, each ordered by the id of the other collider, then by the pieces.
    ///
    /// If the tracked collider is gone or disabled, everything stops.
    #[must_use]
    pub fn update(&mut self, world: World<'_>) -> Vec<PieceEvent> {
        let mut events = Vec::new();
        self.update_into(world, &mut events);
        events
    }

    /// Does the same as [`update`](Self::update) into a buffer, which it clears first.
    pub fn update_into(&mut self, world: World<'_>, events: &mut Vec<PieceEvent>) {
        let Self { collider, touching, now, others, pieces } = self;
        now.clear();
        world.overlaps_into(*collider, others);
        for &other in &*others {
            world.touching_pieces_into(*collider, other.collider, pieces);
            let start = |&[piece, other_piece]: &[u32; 2]| PieceEvent { started: true, piece, other, other_piece };
            now.extend(pieces.iter().map(start));
        }
        let is_in =
            |list: &[PieceEvent], event: &PieceEvent| list.binary_search_by_key(&event.key(), PieceEvent::key).is_ok();
        events.clear();
        let stops = touching.iter().filter(|event| !is_in(now, event));
        events.extend(stops.map(|event| PieceEvent { started: false, ..*event }));
        events.extend(now.iter().filter(|event| !is_in(touching, event)));
        // Last, so that a panic of a user's shape or predicate loses no stop.
        core::mem::swap(touching, now);
    }
}

clone_fields!(PieceTracker { collider, touching; scratch: now, others, pieces });
