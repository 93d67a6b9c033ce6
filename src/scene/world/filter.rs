use smallvec::SmallVec;

use crate::collider::CollisionLayers;
use crate::scene::NodeId;

/// The set of colliders that a query may find. The default is all of them.
///
/// [`World::only`](crate::World::only) narrows a query by any other property of a collider. A clone allocates nothing
/// for up to two excluded nodes and two excluded owners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryFilter {
    /// The layers of the query. A query finds a collider if a collider with these layers could touch it: both must
    /// agree.
    pub layers: CollisionLayers,
    /// `true` if the query finds sensors, which is the default.
    pub sensors: bool,
    /// `true` if the query finds colliders that are not sensors, which is the default.
    pub solids: bool,
    excluded: SmallVec<[NodeId; 2]>,
    owner: Option<NodeId>,
    excluded_owners: SmallVec<[NodeId; 2]>,
}

impl QueryFilter {
    /// Returns the filter with other layers. The memberships are the layers that the query counts as being on, the
    /// filters those that it looks for.
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
    /// let only_walls = QueryFilter::default().with_layers(CollisionLayers::new(u32::MAX, WALLS));
    /// assert_eq!(scene.world().at_point(Vec2::ZERO, &only_walls).count(), 1);
    /// ```
    #[must_use]
    pub fn with_layers(self, layers: CollisionLayers) -> Self {
        Self { layers, ..self }
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
    /// exclude several. For the owner of a given node, see [`Scene::owner`](crate::Scene::owner).
    #[must_use]
    pub fn exclude_owner(mut self, owner: NodeId) -> Self {
        self.excluded_owners.push(owner);
        self
    }

    /// Returns the filter that also excludes the colliders of a node and of all its descendants, such as those of the
    /// node that makes the query. A filter may exclude several nodes.
    #[must_use]
    pub fn exclude_subtree(mut self, node: NodeId) -> Self {
        self.excluded.push(node);
        self
    }

    /// Returns the nodes that the filter excludes with their descendants.
    #[must_use]
    pub fn excluded(&self) -> &[NodeId] {
        &self.excluded
    }

    /// Returns the owner whose colliders alone the filter admits, if there is one.
    #[must_use]
    pub fn owner(&self) -> Option<NodeId> {
        self.owner
    }

    /// Returns the owners whose colliders the filter excludes.
    #[must_use]
    pub fn excluded_owners(&self) -> &[NodeId] {
        &self.excluded_owners
    }

    /// Returns `true` if the filter admits a collider with this sensor flag.
    #[inline]
    pub(super) fn admits_kind(&self, sensor: bool) -> bool {
        if sensor { self.sensors } else { self.solids }
    }

    /// Returns `true` if the filter admits the colliders of every owner.
    #[inline]
    pub(super) fn admits_every_owner(&self) -> bool {
        self.owner.is_none() && self.excluded_owners.is_empty()
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
