use crate::scene::{ColliderId, NodeId};

/// A collider and the node that carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeCollider {
    /// The node.
    pub node: NodeId,
    /// The collider on it.
    pub collider: ColliderId,
}

/// Two colliders that touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CollisionPair {
    /// The collider with the smaller id.
    pub a: NodeCollider,
    /// The other collider.
    pub b: NodeCollider,
    /// `true` if at least one of the two is a sensor.
    pub sensor: bool,
    /// `true` in an event if the two *nodes* started or stopped touching with this pair. Nodes with several colliders
    /// may touch in several pairs; the flag marks the first start and the last stop. A child is a node of its own: a
    /// player whose sword is a child may meet a coin twice. The flag is `false` outside events.
    pub node_boundary: bool,
}

impl CollisionPair {
    /// Returns the collider of `node` and the other one, in this order, or `None` if neither is on `node`.
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
        match (self.a.node == node, self.b.node == node) {
            (true, _) => Some([self.a, self.b]),
            (_, true) => Some([self.b, self.a]),
            _ => None,
        }
    }

    /// Returns the collider that touches one on `node`, or `None` if neither is on `node`.
    #[must_use]
    pub fn other(&self, node: NodeId) -> Option<NodeCollider> {
        self.seen_from(node).map(|[_, other]| other)
    }

    /// Returns `true` if one of the two colliders is on `node`.
    #[must_use]
    pub fn involves(&self, node: NodeId) -> bool {
        self.a.node == node || self.b.node == node
    }

    /// Returns the two nodes, the smaller id first.
    pub(super) fn nodes(&self) -> [NodeId; 2] {
        [self.a.node.min(self.b.node), self.a.node.max(self.b.node)]
    }
}

/// Returns two slots as one number, the smaller slot in the upper half. The order of these keys is the order of pairs.
#[inline]
pub(in crate::scene) fn key_of([a, b]: [u32; 2]) -> u64 {
    (u64::from(a.min(b)) << 32) | u64::from(a.max(b))
}

/// Returns the slots of a key, the smaller one first.
#[inline]
pub(in crate::scene) fn slots_of(key: u64) -> [u32; 2] {
    [(key >> 32) as u32, key as u32]
}
