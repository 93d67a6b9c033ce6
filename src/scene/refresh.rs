//! Bringing the world up to date, and telling what changed.

use alloc::string::String;
use alloc::vec::Vec;

use super::{CollisionEvent, CollisionPair, NodeId, Scene, World};

impl Scene {
    /// A view of the world as it is now, for asking. It takes in what moved, and borrows the scene mutably: while it
    /// lives nothing can move and no answer can be stale. It is `Copy`, to be handed on to all who ask, and any number
    /// of threads may share it.
    ///
    /// Costs what has moved since the last time, nothing if nothing has.
    pub fn world(&mut self) -> World<'_> {
        self.refresh();
        World::new(self)
    }

    /// What began and ceased to touch since the last update. Questions do not need it: they are always fresh.
    ///
    /// First come all [stops](CollisionEvent::Stopped), then all [starts](CollisionEvent::Started), each in the order
    /// of their pairs: by the smaller collider id, then by the other. Between two updates only the difference counts:
    /// what touched before and touches after tells nothing, whatever happened in between. The events are values, so the
    /// loop over them may change the scene.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, CollisionEvent, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (player, _) = scene.add_with(Node::new("player"), Circle::new(1.0));
    /// let (coin, _) = scene.add_with(Node::new("coin"), Attachment::new(Circle::new(0.5)).sensor());
    /// for event in scene.update() {
    ///     if let CollisionEvent::Started(pair) = event
    ///         && let Some(side) = pair.other(player)
    ///     {
    ///         scene.remove(side.node);
    ///     }
    /// }
    /// assert!(scene.get(coin).is_none());
    /// ```
    pub fn update(&mut self) -> Vec<CollisionEvent> {
        let mut events = Vec::new();
        self.update_into(&mut events);
        events
    }

    /// The same into a buffer, which is emptied first. Once its memory and the scene's have grown to what is needed,
    /// this allocates nothing.
    pub fn update_into(&mut self, events: &mut Vec<CollisionEvent>) {
        self.refresh();
        events.clear();
        self.quarantined.clear();
        self.quarantined.extend(self.transforms.set_aside().chain(self.bodies.overflowing()));
        self.quarantined.sort_unstable();
        self.quarantined.dedup();
        if self.bodies.stirred().is_empty() && !self.removed {
            return;
        }
        let Self { touches, bodies, hierarchy, scratch, .. } = self;
        let (narrow, found) = scratch.get_mut();
        narrow.stirred(bodies, found);
        let (removed, edited) = (self.removed, self.edited);
        touches.update(
            found,
            |slot| bodies.briefs[slot as usize].stirred,
            removed,
            |pair| [pair.a, pair.b].iter().any(|side| bodies.body(side.collider).is_none()),
            |slots| bodies.pair(slots),
            events,
        );
        if edited {
            touches.describe(|slots| bodies.pair(slots));
        }
        touches.mark_boundaries(removed || edited, |node| hierarchy.colliders(node), events);
        for event in events.iter() {
            let (pair, change) = match event {
                CollisionEvent::Started(pair) => (pair, 1),
                CollisionEvent::Stopped(pair) => (pair, -1),
            };
            for side in [pair.a, pair.b] {
                if let Some(body) = bodies.body_mut(side.collider) {
                    body.touching = body.touching.saturating_add_signed(change);
                }
            }
        }
        bodies.settle();
        (self.removed, self.edited) = (false, false);
    }

    /// The pairs that touched at the last update, in the order of their events. Ids may be stale if something was
    /// removed since.
    #[must_use]
    pub fn touching(&self) -> &[CollisionPair] {
        self.touches.pairs()
    }

    /// The nodes that were set aside as of the last update, in order of their ids: the topmost ones whose world
    /// transform is not finite, and those whose collider overflows where it is. They touch nothing and no question
    /// finds them, nor anything below them; they come back when their transform does.
    ///
    /// Why one is here: if its own transform [is not finite](crate::Transform::is_finite), by that; else its place or a
    /// collider has become too large for an `f32`, as scales multiplied on the way from the root.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(1.0));
    /// scene[ball].transform.position.x = 0.0 / 0.0;
    /// scene.update();
    /// for node in scene.quarantined() {
    ///     let Node { name, transform, .. } = &scene[*node];
    ///     let why = if transform.is_finite() { "overflows" } else { "has a transform that is no number" };
    ///     println!("{name} {why}: {transform:?}");
    /// }
    /// assert_eq!(scene.quarantined(), [ball]);
    /// ```
    #[must_use]
    pub fn quarantined(&self) -> &[NodeId] {
        &self.quarantined
    }

    /// Checks every invariant of the scene's inner structures; for tests.
    ///
    /// # Errors
    /// What is wrong.
    #[doc(hidden)]
    pub fn validate(&mut self) -> Result<(), String> {
        self.refresh();
        self.bodies.index.validate()
    }

    /// Places what has moved.
    pub(super) fn refresh(&mut self) {
        self.hierarchy.take_touched(&mut self.touched_nodes);
        let Self { hierarchy, transforms, bodies, .. } = self;
        transforms.refresh(hierarchy, &self.touched_nodes, |collider, node, standing| {
            bodies.follow(collider, node, standing);
        });
        self.hierarchy.settle(&self.touched_nodes);
        self.bodies.refresh(&self.transforms);
    }
}
