use super::CollisionPair;

/// An event that an [update](crate::Scene::update) returns. Every start has exactly one stop, whatever ended the touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("trigger enter", "trigger exit", "begin contact", "end contact"))]
pub enum CollisionEvent {
    /// Two colliders touch that did not touch at the last update. Both are in the scene when the update returns. A loop
    /// that removes nodes must look nodes up with [`Scene::get`](crate::Scene::get).
    Started(CollisionPair),
    /// Two colliders touched at the last update, and now they do not, or one is gone. Ids in the pair may be stale:
    /// look nodes up with [`Scene::get`](crate::Scene::get), not by index.
    Stopped(CollisionPair),
}

impl CollisionEvent {
    /// Returns the pair that started or stopped touching.
    #[must_use]
    pub fn pair(&self) -> &CollisionPair {
        let (Self::Started(pair) | Self::Stopped(pair)) = self;
        pair
    }

    /// Returns `true` if the pair started touching and `false` if it stopped. The result can switch a state on and off:
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (bat, _) = scene.add_with(Node::new("bat"), Circle::new(1.0));
    /// let (_, sword) = scene.add_with(Node::new("sword"), Circle::new(1.0));
    /// let mut hurt = Vec::new();
    /// for _ in 0..2 {
    ///     for event in scene.update() {
    ///         if event.pair().involves(bat) {
    ///             hurt.push(event.started());
    ///         }
    ///     }
    ///     scene.detach(sword);
    /// }
    /// assert_eq!(hurt, [true, false]);
    /// ```
    #[must_use]
    pub fn started(&self) -> bool {
        matches!(self, Self::Started(_))
    }

    pub(super) fn pair_mut(&mut self) -> &mut CollisionPair {
        let (Self::Started(pair) | Self::Stopped(pair)) = self;
        pair
    }
}
