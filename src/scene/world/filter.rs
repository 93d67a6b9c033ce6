use smallvec::SmallVec;

use crate::collider::CollisionLayers;
use crate::scene::NodeId;

/// The set of colliders that a query may find. The default is all of them.
///
/// [`World::only`](crate::World::only) narrows a query by any other property of a collider. A clone allocates nothing
/// for up to two excluded nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryFilter {
    /// The layers of the query. A query finds a collider if a collider with these layers could touch it: both must
    /// agree.
    pub layers: CollisionLayers,
    /// `true` if the query finds sensors, which is the default.
    pub sensors: bool,
    excluded: SmallVec<[NodeId; 2]>,
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
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self { layers: CollisionLayers::ALL, sensors: true, excluded: SmallVec::new() }
    }
}
