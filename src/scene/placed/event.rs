use super::{CollisionPair, NodeCollider};
use crate::scene::NodeId;

/// An event that an [update](crate::Scene::update) returns. Every start has exactly one stop, whatever ended the touch.
///
/// ```
/// use hitgraph::{Circle, CollisionEvent, Node, Scene};
///
/// let mut scene = Scene::new();
/// let (door, _) = scene.add_with(Node::new("door"), Circle::new(1.0));
/// let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(1.0));
/// let mut log = Vec::new();
/// for x in [0.0, 5.0] {
///     scene[hero].transform.position.x = x;
///     for event in scene.update() {
///         match event {
///             CollisionEvent::Started(pair) => log.push(("opens", pair.involves(door))),
///             CollisionEvent::Stopped(pair) => log.push(("closes", pair.involves(door))),
///         }
///     }
/// }
/// assert_eq!(log, [("opens", true), ("closes", true)]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(1.0));
    /// scene.add_with(Node::new("troll"), Circle::new(1.0));
    /// let meets_hero = scene.update().iter().filter(|event| event.pair().involves(hero)).count();
    /// assert_eq!(meets_hero, 1);
    /// ```
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

    /// Returns the collider that started touching one of a node, or `None` if the event is a stop or if the node
    /// neither carries nor owns one of the two. It returns the *other* side of the pair.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (player, _) = scene.add_with(Node::new("player"), Circle::new(1.0));
    /// let (coin, _) = scene.add_with(Node::new("coin"), Attachment::new(Circle::new(0.5)).sensor());
    /// for coin in scene.update().iter().filter_map(|event| event.started_with(player)) {
    ///     scene.remove(coin.node);
    /// }
    /// assert!(scene.get(coin).is_none());
    /// ```
    #[must_use]
    pub fn started_with(&self, node: NodeId) -> Option<NodeCollider> {
        if self.started() { self.pair().other(node) } else { None }
    }

    /// Returns the collider that stopped touching one of a node, or `None` if the event is a start or if the node
    /// neither carried nor owned one of the two. It returns the *other* side of the pair, whose ids may be stale.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(1.0));
    /// let (lake, _) = scene.add_with(Node::new("lake"), Circle::new(3.0));
    /// scene.update();
    /// scene[hero].transform.position.x = 9.0;
    /// let left = scene.update().iter().find_map(|event| event.stopped_with(hero)).map(|side| side.node);
    /// assert_eq!(left, Some(lake));
    /// ```
    #[must_use]
    pub fn stopped_with(&self, node: NodeId) -> Option<NodeCollider> {
        if self.started() { None } else { self.pair().other(node) }
    }

    pub(super) fn pair_mut(&mut self) -> &mut CollisionPair {
        let (Self::Started(pair) | Self::Stopped(pair)) = self;
        pair
    }
}
