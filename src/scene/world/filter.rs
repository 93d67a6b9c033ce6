use smallvec::SmallVec;

use crate::collider::CollisionLayers;
use crate::scene::NodeId;

/// The set of colliders that a query may find. The default is all whose layers have at least one membership and one
/// filter.
///
/// [`World::only`](crate::World::only) narrows a query by any other property of a collider. A clone allocates nothing
/// for up to four excluded nodes and four excluded owners.
///
/// ```
/// use hitgraph::{Attachment, Circle, CollisionLayers, Node, QueryFilter, Scene};
/// use glam::Vec2;
///
/// const FOE: u32 = 1 << 1;
/// let mut scene = Scene::new();
/// let (hero, _) = scene.add_with(Node::new("hero").with_owns_subtree(true), Circle::new(1.0));
/// let foe = Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::new(FOE, FOE));
/// let (foe, _) = scene.add_with(Node::new("foe"), foe);
/// let (zone, _) = scene.add_with(Node::new("zone"), Attachment::new(Circle::new(9.0)).sensor());
///
/// let mut found = |filter: QueryFilter| -> Vec<_> {
///     scene.world().at_point(Vec2::ZERO, &filter).map(|side| side.node).collect()
/// };
/// let all = QueryFilter::default();
/// assert_eq!(found(all.clone()), [hero, foe, zone]);
/// assert_eq!(found(all.clone().without_sensors().exclude_subtree(hero)), [foe]);
/// assert_eq!(found(all.clone().only_sensors()), [zone]);
/// assert_eq!(found(all.clone().exclude_owner(hero)), [foe, zone]);
/// assert_eq!(found(all.clone().only_owner(hero)), [hero]);
/// let friend = CollisionLayers::new(!FOE, u32::MAX);
/// assert_eq!(found(all.with_layers(friend)), [hero, zone], "the foe accepts only foes");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct QueryFilter {
    /// The layers of the query. A query finds a collider if a collider with these layers could touch it: both must
    /// agree.
    pub layers: CollisionLayers,
    /// `true` if the query finds sensors, which is the default.
    pub sensors: bool,
    /// `true` if the query finds colliders that are not sensors, which is the default.
    pub solids: bool,
    excluded: SmallVec<[NodeId; 4]>,
    owner: Option<NodeId>,
    excluded_owners: SmallVec<[NodeId; 4]>,
}

impl QueryFilter {
    /// Returns the filter with other layers. The memberships are the layers that the query counts as being on, the
    /// filters those that it looks for.
    ///
    /// Both sides must agree, as in a collision. [`only_layers`](Self::only_layers) asks for the layers of the collider
    /// alone.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle, CollisionLayers, Node, QueryFilter, Scene};
    /// # use glam::Vec2;
    /// const SHOTS: u32 = 1 << 2;
    /// const GHOSTS: u32 = 1 << 3;
    /// let mut scene = Scene::new();
    /// let ghost = CollisionLayers::new(GHOSTS, !SHOTS);
    /// scene.add_with(Node::new("ghost"), Attachment::new(Circle::new(1.0)).with_layers(ghost));
    /// // A query as a shot does not find the ghost, whatever it looks for.
    /// let shot = QueryFilter::default().with_layers(CollisionLayers::new(SHOTS, u32::MAX));
    /// assert_eq!(scene.world().at_point(Vec2::ZERO, &shot).count(), 0);
    /// ```
    #[must_use]
    pub fn with_layers(self, layers: CollisionLayers) -> Self {
        Self { layers, ..self }
    }

    /// Returns the filter that admits only colliders on one of these layers, whatever they meet, as long as they meet
    /// anything. It replaces the layers of the filter. A collider whose layers were never set is on all layers.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, CollisionLayers, Node, QueryFilter, Scene};
    /// use glam::Vec2;
    ///
    /// const WALLS: u32 = 1 << 3;
    /// const COINS: u32 = 1 << 4;
    /// let mut scene = Scene::new();
    /// for layer in [WALLS, COINS] {
    ///     let layers = CollisionLayers::new(layer, u32::MAX);
    ///     scene.add_with(Node::new("disc"), Attachment::new(Circle::new(1.0)).with_layers(layers));
    /// }
    /// assert_eq!(scene.world().at_point(Vec2::ZERO, &QueryFilter::default().only_layers(WALLS)).count(), 1);
    /// ```
    #[must_use]
    pub fn only_layers(self, layers: u32) -> Self {
        self.with_layers(CollisionLayers::new(u32::MAX, layers))
    }

    /// Returns the filter with [`sensors`](Self::sensors) set to `false`.
    #[must_use]
    pub fn without_sensors(self) -> Self {
        Self { sensors: false, ..self }
    }

    /// Returns the filter with [`solids`](Self::solids) set to `false` and [`sensors`](Self::sensors) to `true`: the
    /// query finds sensors only, such as the zones that contain a point.
    #[must_use]
    pub fn only_sensors(self) -> Self {
        Self { sensors: true, solids: false, ..self }
    }

    /// Returns the filter that admits only the colliders of one [owner](crate::Node::owns_subtree), which replaces an
    /// earlier one. A node that owns nothing, or is not in the scene, admits no collider.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, QueryFilter, Rect, Scene};
    /// use glam::Vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (knight, _) = scene.add_with(Node::new("knight").with_owns_subtree(true), Circle::new(0.5));
    /// scene.add_child_with(knight, Node::new("sword"), Rect::new(2.0, 0.1))?;
    /// let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    ///
    /// let world = scene.world();
    /// assert_eq!(world.at_point(Vec2::ZERO, &QueryFilter::default().only_owner(knight)).count(), 2);
    /// let others = QueryFilter::default().exclude_owner(knight);
    /// assert!(world.at_point(Vec2::ZERO, &others).all(|side| side.owner == troll));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn only_owner(self, owner: NodeId) -> Self {
        Self { owner: Some(owner), ..self }
    }

    /// Returns the filter that also excludes the colliders of an [owner](crate::Node::owns_subtree). A filter may
    /// exclude several. A stale id excludes nothing, and neither does a node that owns nothing, such as the sword of a knight
    /// who owns his subtree: pass [`Scene::owner`](crate::Scene::owner) of the sword.
    #[must_use]
    pub fn exclude_owner(mut self, owner: NodeId) -> Self {
        self.excluded_owners.push(owner);
        self
    }

    /// Returns the filter that also excludes the colliders of a node and of all its descendants, such as those of the
    /// node that makes the query. A filter may exclude several nodes. A stale id excludes nothing. A query then also takes
    /// time for the depth of each collider's node that it finds.
    #[must_use]
    pub fn exclude_subtree(mut self, node: NodeId) -> Self {
        self.excluded.push(node);
        self
    }

    /// Returns the nodes that the filter excludes with their descendants.
    ///
    /// ```
    /// # use hitgraph::{NodeId, QueryFilter};
    /// let filter = QueryFilter::default().exclude_subtree(NodeId::default());
    /// assert_eq!(filter.excluded(), [NodeId::default()]);
    /// ```
    #[must_use]
    pub fn excluded(&self) -> &[NodeId] {
        &self.excluded
    }

    /// Returns the owner whose colliders alone the filter admits, if there is one.
    ///
    /// ```
    /// # use hitgraph::{NodeId, QueryFilter};
    /// assert_eq!(QueryFilter::default().owner(), None);
    /// assert!(QueryFilter::default().only_owner(NodeId::default()).owner().is_some());
    /// ```
    #[must_use]
    pub fn owner(&self) -> Option<NodeId> {
        self.owner
    }

    /// Returns the owners whose colliders the filter excludes.
    ///
    /// ```
    /// # use hitgraph::{NodeId, QueryFilter};
    /// let filter = QueryFilter::default().exclude_owner(NodeId::default());
    /// assert_eq!(filter.excluded_owners(), [NodeId::default()]);
    /// ```
    #[must_use]
    pub fn excluded_owners(&self) -> &[NodeId] {
        &self.excluded_owners
    }

    /// Returns `true` if the filter admits every collider on all layers.
    pub(in crate::scene) fn admits_all(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if the filter admits the colliders of an owner.
    pub(super) fn admits_owner(&self, owner: NodeId) -> bool {
        self.owner.is_none_or(|only| only == owner) && !self.excluded_owners.contains(&owner)
    }
}

impl Default for QueryFilter {
    fn default() -> Self {
        let (excluded, excluded_owners) = (SmallVec::new(), SmallVec::new());
        Self { layers: CollisionLayers::ALL, sensors: true, solids: true, excluded, owner: None, excluded_owners }
    }
}
