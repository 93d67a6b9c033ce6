//! Pairs of nodes whose colliders never touch, as the user decides.

use super::{NodeId, Scene, SceneError, slot_of};

impl Scene {
    /// Lets the colliders of two nodes never touch: none that one of the two carries or
    /// [owns](crate::Node::owns_subtree) touches one that the other carries or owns. They fire no events, no query
    /// lists them as a pair, and neither blocks the other's moves. A pair that touches now stops with the next update.
    ///
    /// Use it for exceptions between two given nodes, such as a grenade and the hand that throws it. For whole groups,
    /// use [layers](crate::CollisionLayers); for the parts of one thing, use owners. The order of the two nodes does
    /// not matter. The pair is forgotten when one of the two is removed. A node does not touch itself, so a pair of a
    /// node with itself changes nothing.
    ///
    /// [`World::contact`](crate::World::contact), `distance` and `closest_points` compare the two given shapes and
    /// ignore it, as they ignore layers. Queries with a [`QueryFilter`](crate::QueryFilter) belong to no node, so they
    /// ignore it too.
    ///
    /// A scene without such pairs pays nothing. With `n` of them, each new candidate of an update, each overlap that a
    /// query finds and each collider near a move costs up to four binary searches in `n` numbers. To add or to remove a
    /// pair shifts up to `n` numbers in memory, and to remove a node that is in a pair takes a pass over all of them.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (hand, _) = scene.add_with(Node::new("hand"), Circle::new(1.0));
    /// let (grenade, _) = scene.add_with(Node::new("grenade"), Circle::new(0.2));
    /// scene.ignore_pair(hand, grenade)?;
    /// assert!(scene.update().is_empty());
    ///
    /// // Two seconds later it is a danger to everybody.
    /// scene.stop_ignoring_pair(hand, grenade);
    /// assert!(scene.update().iter().any(|event| event.started_with(hand).is_some()));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if one of the two is not in the scene. Nothing changes then.
    #[doc(alias("collision exception", "ignore collision", "event filter"))]
    pub fn ignore_pair(&mut self, a: NodeId, b: NodeId) -> Result<(), SceneError> {
        self.hierarchy.require(a)?;
        self.hierarchy.require(b)?;
        if a != b && self.colliders.ignored_pairs.insert([a, b].map(slot_of)) {
            self.record_changed_partners(a);
        }
        Ok(())
    }

    /// Ends the effect of [`ignore_pair`](Self::ignore_pair). If the two touch, the next update returns a start.
    /// Returns `false` and changes nothing if the two nodes are no such pair.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let [hand, grenade] = ["hand", "grenade"].map(|name| scene.add(Node::new(name)));
    /// scene.ignore_pair(hand, grenade)?;
    /// assert!(scene.stop_ignoring_pair(grenade, hand), "in either order");
    /// assert!(!scene.stop_ignoring_pair(grenade, hand));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub fn stop_ignoring_pair(&mut self, a: NodeId, b: NodeId) -> bool {
        let exist = self.contains(a) && self.contains(b);
        let was_ignored = exist && self.colliders.ignored_pairs.remove([a, b].map(slot_of));
        if was_ignored {
            self.record_changed_partners(a);
        }
        was_ignored
    }

    /// Returns `true` if [`ignore_pair`](Self::ignore_pair) was called with these two nodes, in either order, and is
    /// still in effect.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let [hand, grenade] = ["hand", "grenade"].map(|name| scene.add(Node::new(name)));
    /// scene.ignore_pair(hand, grenade)?;
    /// assert!(scene.ignores_pair(grenade, hand));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn ignores_pair(&self, a: NodeId, b: NodeId) -> bool {
        self.contains(a) && self.contains(b) && self.colliders.ignored_pairs.contains([a, b].map(slot_of))
    }

    /// Iterates over the pairs of [`ignore_pair`](Self::ignore_pair) in the order of their ids, the smaller id of each
    /// pair first.
    ///
    /// ```
    /// use hitgraph::{Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let [hand, grenade] = ["hand", "grenade"].map(|name| scene.add(Node::new(name)));
    /// scene.ignore_pair(grenade, hand)?;
    /// assert!(scene.ignores_pair(hand, grenade));
    /// assert_eq!(scene.ignored_pairs().collect::<Vec<_>>(), [[hand, grenade]]);
    ///
    /// scene.remove(grenade);
    /// assert_eq!(scene.ignored_pairs().len(), 0);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub fn ignored_pairs(&self) -> impl ExactSizeIterator<Item = [NodeId; 2]> + '_ {
        self.colliders.ignored_pairs.iter(&self.hierarchy)
    }

    /// Records that the colliders of a node may touch others than before.
    fn record_changed_partners(&mut self, node: NodeId) {
        let Self { hierarchy, changes, .. } = self;
        for node in hierarchy.owned(node) {
            hierarchy.colliders(node).iter().for_each(|id| changes.collider_edited(slot_of(*id)));
        }
    }
}
