//! Bringing the world up to date, and telling what changed.

use std::ops::ControlFlow;

use super::{CollisionEvent, CollisionPair, NodeId, Scene, World};

impl Scene {
    /// A view of the world as it is now, for asking. It borrows the scene, so while it lives nothing can move and no answer can be
    /// stale. It is `Copy`, and any number of threads may share it.
    ///
    /// Costs what has moved since the last time, nothing if nothing has.
    pub fn world(&mut self) -> World<'_> {
        self.refresh();
        World::new(self)
    }

    /// What began and ceased to touch since the last update. Questions do not need it: they are always fresh.
    ///
    /// First come all [stops](CollisionEvent::Stopped), then all [starts](CollisionEvent::Started), each in the order of their pairs:
    /// by the smaller collider id, then by the other. Between two updates only the difference counts: what touched before and touches
    /// after tells nothing, whatever happened in between. The events are values, so the loop over them may change the scene.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, CollisionEvent, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let player = scene.add(Node::new("player"));
    /// let coin = scene.add(Node::new("coin"));
    /// scene.attach(player, Circle::new(1.0))?;
    /// scene.attach(coin, Attachment::new(Circle::new(0.5)).sensor())?;
    /// for event in scene.update() {
    ///     if let CollisionEvent::Started(pair) = event
    ///         && let Some(side) = pair.other(player)
    ///     {
    ///         scene.remove(side.node);
    ///     }
    /// }
    /// assert!(scene.get(coin).is_none());
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub fn update(&mut self) -> Vec<CollisionEvent> {
        let mut events = Vec::new();
        self.update_into(&mut events);
        events
    }

    /// The same into a buffer, which is emptied first. Once its memory and the scene's have grown to what is needed, this
    /// allocates nothing.
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
        self.find_pairs();
        let Self { touches, bodies, hierarchy, found, .. } = self;
        touches.update(found, |collider| bodies.body(collider).is_none_or(|body| body.stirred));
        touches.mark_boundaries(|node| hierarchy.colliders(node));
        events.extend(touches.stopped().iter().copied().map(CollisionEvent::Stopped));
        events.extend(touches.started().iter().copied().map(CollisionEvent::Started));
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
        self.removed = false;
    }

    /// The pairs that touched at the last update, in the order of their events. Ids may be stale if something was removed since.
    #[must_use]
    pub fn touching(&self) -> &[CollisionPair] {
        self.touches.pairs()
    }

    /// The nodes that were set aside as of the last update, in order of their ids: the topmost ones whose world transform is not finite, and those
    /// whose collider overflows where it is. They touch nothing and no question finds them, nor anything below them; they come back when their
    /// transform does.
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
        self.changed_nodes.clear();
        self.transforms.refresh(&self.hierarchy, &self.touched_nodes, &mut self.changed_nodes);
        for node in &self.changed_nodes {
            for collider in self.hierarchy.colliders(*node) {
                self.bodies.touch(*collider);
            }
        }
        self.bodies.refresh(&self.transforms);
    }

    /// Finds the pairs of which at least one side was stirred.
    fn find_pairs(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let bodies = &self.bodies;
        for id in bodies.stirred() {
            let Some(body) = bodies.body(*id).filter(|body| body.is_active()) else { continue };
            let _ = bodies.index.in_region(body.bounds, |other_id| {
                if let Some(other) = bodies.body(other_id)
                    && other_id != *id
                    // Of two that were both stirred, the smaller finds the larger.
                    && (!other.stirred || *id < other_id)
                    && let Some(pair) = bodies.pair(*id, other_id)
                {
                    found.push(pair);
                }
                ControlFlow::<()>::Continue(())
            });
        }
        self.found = found;
    }
}
