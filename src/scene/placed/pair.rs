use crate::scene::{ColliderId, NodeId};

/// A collider, with the node that carries it, its owner, and whether it is a sensor.
///
/// ```
/// use hitgraph::{Circle, Node, NodeCollider, Scene};
///
/// let mut scene = Scene::new();
/// let (knight, _) = scene.add_with(Node::new("knight").with_owns_subtree(true), Circle::new(0.5));
/// let (sword, blade) = scene.add_child_with(knight, Node::new("sword"), Circle::new(0.5))?;
/// let (_, troll) = scene.add_with(Node::new("troll"), Circle::new(1.0));
/// let touched: Vec<NodeCollider> = scene.world().overlaps(troll).collect();
/// assert!(touched.contains(&NodeCollider { node: sword, owner: knight, collider: blade, sensor: false }));
/// # Ok::<(), hitgraph::SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeCollider {
    /// The node that carries the collider.
    pub node: NodeId,
    /// The owner of the collider: the nearest node that [owns its subtree](crate::Node::owns_subtree), from `node` up
    /// to the root; if there is none, `node`.
    pub owner: NodeId,
    /// The collider.
    pub collider: ColliderId,
    /// `true` if the collider is a sensor. In an event that stops, as of the touch.
    pub sensor: bool,
}

impl NodeCollider {
    /// Returns `true` if a node carries or owns the collider.
    fn is_of(&self, node: NodeId) -> bool {
        self.node == node || self.owner == node
    }
}

/// Two colliders that touch.
///
/// ```
/// use hitgraph::{Attachment, Circle, CollisionPair, Node, Scene};
///
/// let mut scene = Scene::new();
/// let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(1.0));
/// let (coin, _) = scene.add_with(Node::new("coin"), Attachment::new(Circle::new(0.3)).sensor());
/// let pairs: Vec<CollisionPair> = scene.world().pairs();
/// assert!(pairs[0].involves(hero) && pairs[0].involves(coin));
/// let other = pairs[0].other(hero).unwrap();
/// assert!(other.node == coin && other.sensor);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CollisionPair {
    /// The collider with the smaller id.
    pub a: NodeCollider,
    /// The other collider.
    pub b: NodeCollider,
    /// `true` in an event if the two *owners* started or stopped touching with this pair. Owners with several colliders
    /// may touch in several pairs; the flag marks the first start and the last stop. A node owns its own colliders, and
    /// those of its children only if it [owns its subtree](crate::Node::owns_subtree): otherwise a player whose sword
    /// is a child may meet a coin twice. The flag is `false` outside events.
    pub owner_boundary: bool,
}

impl CollisionPair {
    /// Returns the pair of two colliders, of which `a` has the smaller id.
    #[inline]
    pub(super) fn new(a: NodeCollider, b: NodeCollider) -> Self {
        Self { a, b, owner_boundary: false }
    }

    /// Returns the collider of a node and the other one, in this order, or `None` if the node neither carries nor owns
    /// one of the two.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, Node, Rect, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (bat, body) = scene.add_with(Node::new("bat"), Circle::new(0.4));
    /// let sight = scene.attach(bat, Attachment::new(Circle::new(5.0)).sensor())?;
    /// let (knight, _) = scene.add_with(Node::new("knight").with_position(vec2(3.0, 0.0)), Rect::new(0.8, 1.8));
    ///
    /// for event in scene.update() {
    ///     let Some([own, other]) = event.pair().seen_from(bat) else { continue };
    ///     assert!(own.collider == sight && own.collider != body, "the bat sees the knight without touching her");
    ///     assert_eq!(other.node, knight);
    /// }
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn seen_from(&self, node: NodeId) -> Option<[NodeCollider; 2]> {
        match (self.a.is_of(node), self.b.is_of(node)) {
            (true, _) => Some([self.a, self.b]),
            (_, true) => Some([self.b, self.a]),
            _ => None,
        }
    }

    /// Returns the collider that touches one of a node, or `None` if the node neither carries nor owns one of the two.
    #[must_use]
    pub fn other(&self, node: NodeId) -> Option<NodeCollider> {
        self.seen_from(node).map(|[_, other]| other)
    }

    /// Returns `true` if a node carries or owns one of the two colliders.
    #[must_use]
    pub fn involves(&self, node: NodeId) -> bool {
        self.a.is_of(node) || self.b.is_of(node)
    }

    /// Returns the two owners, the smaller id first.
    pub(super) fn owners(&self) -> [NodeId; 2] {
        [self.a.owner.min(self.b.owner), self.a.owner.max(self.b.owner)]
    }
}
