//! Bringing the world up to date, and telling what changed.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{ColliderId, CollisionEvent, CollisionPair, NodeId, Scene, World};

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
        self.hierarchy.validate()?;
        self.bodies.validate()?;
        self.touches.validate()?;
        let mut carried: Vec<(ColliderId, NodeId)> = Vec::new();
        for node in self.hierarchy.subtree(self.root()) {
            carried.extend(self.hierarchy.colliders(node).iter().map(|id| (*id, node)));
        }
        carried.sort_unstable();
        if !carried.iter().copied().eq(self.bodies.iter().map(|(id, body)| (id, body.node))) {
            return Err(format!("{carried:?} are on nodes, which is not what the colliders say"));
        }
        let mut touching: BTreeMap<ColliderId, u32> = BTreeMap::new();
        for side in self.touches.pairs().iter().flat_map(|pair| [pair.a, pair.b]) {
            *touching.entry(side.collider).or_default() += 1;
        }
        for (id, body) in self.bodies.iter() {
            let count = touching.get(&id).copied().unwrap_or(0);
            if body.touching != count {
                return Err(format!("{id:?} is said to touch {}, but is in {count} pairs", body.touching));
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::super::events::Touches;
    use super::super::{Node, slot_of};
    use super::*;
    use crate::shape::Circle;

    #[test]
    fn organs_that_do_not_agree_are_told() {
        type Damage = fn(&mut Scene, ColliderId, NodeId);
        let cases: [(&str, Damage); 10] = [
            ("which is not what the colliders say", |scene, id, node| scene.hierarchy.detach(node, id)),
            ("which is not what the colliders say", |scene, id, _| drop(scene.bodies.remove(id))),
            ("which is not what the colliders say", |scene, id, node| {
                scene.hierarchy.detach(node, id);
                scene.hierarchy.attach(scene.root(), id);
            }),
            ("is placed with another node", |scene, id, _| {
                let root = scene.root();
                scene.bodies.body_mut(id).unwrap().node = root;
            }),
            ("is placed with another node", |scene, id, _| scene.bodies.briefs[slot_of(id) as usize].node = 0),
            ("has other settings in its slot", |scene, id, _| {
                scene.bodies.body_mut(id).unwrap().attachment.sensor = true;
            }),
            ("has other layers in its brief", |scene, id, _| {
                scene.bodies.briefs[slot_of(id) as usize].meets_all = false;
            }),
            ("but not both", |scene, id, _| scene.bodies.index.remove(slot_of(id))),
            ("are active, but", |scene, id, _| {
                let bounds = scene.bodies.bounds(id).unwrap();
                scene.bodies.index.set(0, bounds);
            }),
            ("is said to touch 1, but is in 0 pairs", |scene, _, _| scene.touches = Touches::default()),
        ];
        let mut scene = Scene::new();
        let (node, id) = scene.add_with(Node::new("a"), Circle::new(1.0));
        scene.add_with(Node::new("b"), Circle::new(1.0));
        scene.update();
        assert_eq!(scene.validate(), Ok(()));
        for (told, damage) in cases {
            let mut damaged = scene.clone();
            damage(&mut damaged, id, node);
            let found = damaged.validate().expect_err(told);
            assert!(found.contains(told), "{found} instead of {told}");
        }
    }
}
