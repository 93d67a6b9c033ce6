//! Updates of a scene, which return events, and the state as of the last update.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::placed::ColliderState;
use super::{ColliderId, CollisionEvent, NodeId, Scene, TouchingPairs, slot_of};
use crate::math::parallel::within_pool;
use crate::math::sort_by;

impl Scene {
    /// Returns the pairs that started or stopped touching since the last update. Queries need no update: they see every
    /// edit at once.
    ///
    /// All [stops](CollisionEvent::Stopped) come first, then all [starts](CollisionEvent::Started), each in the order
    /// of their pairs: by the smaller collider id, then by the other. An update compares the present with the last
    /// update: a pair that touched then and touches now fires no event, whatever happened in between. The events are
    /// values, so the loop over them may edit the scene.
    ///
    /// ```
    /// use hitgraph::{Circle, CollisionEvent, Node, Rect, Scene};
    ///
    /// let mut scene = Scene::new();
    /// scene.add_with(Node::new("switch"), Rect::new(1.0, 1.0));
    /// let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(0.5));
    /// assert!(matches!(scene.update()[..], [CollisionEvent::Started(pair)] if pair.involves(hero)));
    /// assert!(scene.update().is_empty(), "nothing has changed");
    ///
    /// // A crate takes the place of the hero.
    /// scene.remove(hero);
    /// let (weight, _) = scene.add_with(Node::new("crate"), Rect::new(1.0, 1.0));
    /// let [CollisionEvent::Stopped(left), CollisionEvent::Started(came)] = scene.update()[..] else { panic!() };
    /// assert!(left.involves(hero) && came.involves(weight));
    /// ```
    pub fn update(&mut self) -> Vec<CollisionEvent> {
        let mut events = Vec::new();
        self.update_into(&mut events);
        events
    }

    /// Does the same as [`update`](Self::update) into a buffer, which it clears first. It allocates nothing once the
    /// memory of the buffer and of the scene is large enough.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// # scene.add_with(Node::new("hero"), Circle::new(1.0));
    /// # scene.add_with(Node::new("troll"), Circle::new(1.0));
    /// let mut events = Vec::new();
    /// for _ in 0..2 {
    ///     scene.update_into(&mut events);
    /// }
    /// assert!(events.is_empty(), "the second update found nothing new");
    /// ```
    pub fn update_into(&mut self, events: &mut Vec<CollisionEvent>) {
        within_pool(self.changes.len(), || {
            self.refresh();
            self.forget_disabled();
            events.clear();
            self.list_quarantined();
            let Self { hierarchy, transforms, colliders, changes, touching, narrow_phase, .. } = self;
            let changed = &mut changes.since_update;
            if changed.placed.is_empty() {
                colliders.index.rest();
                return;
            }
            let differences = narrow_phase.update(colliders, transforms, changed, touching);
            touching.update(&differences, &changed.edited, colliders, hierarchy, events);
            self.scratch.owner_boundaries.mark(events, &differences, touching, hierarchy);
            changed.placed.clear();
            changed.edited.clear();
            if colliders.index.transfer_idle() {
                narrow_phase.drop_still(colliders);
            }
        });
    }

    /// Brings the list of quarantined nodes up to date.
    fn list_quarantined(&mut self) {
        let mut quarantined = core::mem::take(&mut self.quarantined);
        let added = &mut self.changes.since_update.quarantined;
        quarantined.extend(added.iter().map(|slot| self.hierarchy.id(slot)));
        added.clear();
        quarantined.retain(|node| self.is_quarantined(*node));
        sort_by(&mut quarantined, |a, b| a < b);
        quarantined.dedup();
        self.quarantined = quarantined;
    }

    /// Returns `true` if a node is the topmost one without a finite world transform, or carries a collider that overflows.
    fn is_quarantined(&self, node: NodeId) -> bool {
        let is_finite = |node: NodeId| self.transforms.status(slot_of(node)).is_finite();
        let overflows = |id: &ColliderId| self.colliders.record(slot_of(*id)).state == ColliderState::Quarantined;
        if !self.contains(node) {
            false
        } else if is_finite(node) {
            self.colliders(node).iter().any(overflows)
        } else {
            self.parent(node).is_none_or(is_finite)
        }
    }

    /// Returns the pairs that touched at the last update, in the order of their events, with their nodes and owners as
    /// of then. Their ids may be stale if something was removed since.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(1.0));
    /// let (poison, _) = scene.add_with(Node::new("poison"), Circle::new(1.0));
    /// let mut health = 10;
    /// for _ in 0..3 {
    ///     scene.update();
    ///     // The poison hurts in every step, not only in the first.
    ///     let hurts = scene.touching().iter().any(|pair| pair.involves(hero) && pair.involves(poison));
    ///     health -= i32::from(hurts);
    /// }
    /// assert_eq!(health, 7);
    /// ```
    #[must_use]
    pub fn touching(&self) -> TouchingPairs<'_> {
        self.touching.pairs()
    }

    /// Returns the nodes that were quarantined at the last update, in the order of their ids.
    ///
    /// Of the nodes whose world transform is not finite, these are the topmost. All colliders below them touch nothing,
    /// and no query finds them. A node with a collider whose bounds are not finite is listed too, but only this
    /// collider is quarantined. Both return when the numbers are valid again. Disabled nodes and colliders are listed
    /// too.
    ///
    /// If [`Transform::is_finite`](crate::Transform::is_finite) is `false` for the node's own transform, that is the
    /// reason. Otherwise scales multiplied from the root to the node, and its place or the size of a collider is too
    /// large for an `f32`.
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
    ///     let reason = if transform.is_finite() { "overflows" } else { "has a transform that is not finite" };
    ///     println!("{name} {reason}: {transform:?}");
    /// }
    /// assert_eq!(scene.quarantined(), [ball]);
    /// ```
    #[must_use]
    pub fn quarantined(&self) -> &[NodeId] {
        &self.quarantined
    }

    /// Checks every invariant of the scene's internal structures, for tests.
    ///
    /// # Errors
    /// A description of the first invariant that does not hold.
    #[doc(hidden)]
    pub fn validate(&mut self) -> Result<(), String> {
        self.refresh();
        self.hierarchy.validate()?;
        self.colliders.validate(&self.hierarchy)?;
        self.transforms.validate(&self.hierarchy, |collider| self.colliders.active_kind(collider))?;
        let gone = self.movers.keys().find(|node| !self.contains(*node));
        gone.map_or(Ok(()), |node| Err(format!("{node:?} is a mover, but no node")))?;
        let unlisted = self.unlisted_rider();
        unlisted.map_or(Ok(()), |node| Err(format!("{node:?} is in no list of its platform")))?;
        self.touching.validate()?;
        self.narrow_phase.validate(&self.touching, self.colliders.index.unlisted())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Node;
    use super::super::motion::MoverMemory;
    use super::*;
    use crate::collider::{Attachment, CollisionLayers};
    use crate::shape::Circle;

    #[test]
    fn validation_finds_every_fact_that_disagrees() {
        type Damage = fn(&mut Scene, ColliderId, NodeId);
        let cases: [(&str, Damage); 15] = [
            ("is not plain", |scene, _, node| {
                scene.hierarchy.insert(node, Node::default());
            }),
            ("is not listed once by its node", |scene, id, node| scene.hierarchy.detach(node, id)),
            ("is not listed once by its node", |scene, id, node| scene.hierarchy.attach(node, id)),
            ("is not listed once by its node", |scene, id, _| {
                let _ = scene.colliders.set_node(id, 0);
            }),
            ("has another owner in its record", |scene, id, _| scene.colliders.records[slot_of(id) as usize].owner = 0),
            ("but the nodes list 2", |scene, id, _| drop(scene.colliders.remove(id))),
            ("has other settings in its record", |scene, id, _| {
                scene.colliders.attachments.get_mut(id).unwrap().sensor = true;
            }),
            ("has other settings in its record", |scene, id, _| {
                scene.colliders.attachments.get_mut(id).unwrap().layers.filters = 1;
            }),
            ("has other layers in its record", |scene, id, _| {
                scene.colliders.records[slot_of(id) as usize].on_all_layers = true;
            }),
            ("but not both", |scene, id, _| scene.colliders.index.remove(slot_of(id))),
            ("are active, but", |scene, id, _| {
                let bounds = scene.colliders.bounds(&scene.transforms, slot_of(id)).unwrap();
                scene.colliders.index.set(0, bounds);
            }),
            ("has another local shape", |scene, id, _| {
                scene.colliders.attachments.get_mut(id).unwrap().set_collider(Circle::new(2.0));
            }),
            ("a candidate touched: true", |scene, _, _| drop(core::mem::take(&mut scene.touching))),
            ("is a mover, but no node", |scene, _, _| {
                drop(scene.movers.insert(NodeId::from_bits(1 << 32 | 9), MoverMemory::default()));
            }),
            ("has another kind in its record", |scene, id, _| {
                scene.colliders.records[slot_of(id) as usize].kind = None;
            }),
        ];
        let mut scene = Scene::new();
        let layers = CollisionLayers::new(1, u32::MAX);
        let (node, id) = scene.add_with(Node::new("a"), Attachment::new(Circle::new(1.0)).with_layers(layers));
        scene.add_with(Node::new("b"), Circle::new(1.0));
        scene.update();
        scene[node].transform.position.x = 0.5;
        assert_eq!(scene.validate(), Ok(()));
        for (expected, damage) in cases {
            let mut damaged = scene.clone();
            // It makes the lists of candidates, which a clone does not have.
            damaged.update();
            damage(&mut damaged, id, node);
            let found = damaged.validate().expect_err(expected);
            assert!(found.contains(expected), "{found} instead of {expected}");
        }
    }
}
