//! Queries for the colliders that touch another collider, a point, a region or a shape, and for all pairs that touch.
//!
//! Of each query, a method `each_..` visits what it finds, in any order and perhaps more than once. The public methods
//! sort this, into a list of their own or into a buffer.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::{Affine2, Vec2};
use smallvec::SmallVec;

use crate::collider::{Collider, WorldCollider};
use crate::math::{Aabb, sort_by};
use crate::scene::{ColliderId, CollisionPair, NodeCollider, NodeId, QueryFilter, Scene, World, slot_of};
use crate::shape::{Circle, Contact, Polygon};

impl<'a> World<'a> {
    /// Returns the colliders that a collider touches now, by the same rule as events. A disabled collider touches
    /// nothing.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (_, sword) = scene.add_with(Node::new("sword"), Circle::new(1.0));
    /// let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    /// let hit: Vec<_> = scene.world().overlaps(sword).map(|side| side.node).collect();
    /// assert_eq!(hit, [troll]);
    /// ```
    pub fn overlaps(self, collider: ColliderId) -> impl ExactSizeIterator<Item = NodeCollider> + use<> {
        collected(|found| self.each_overlap(collider, found))
    }

    /// Does the same as [`overlaps`](Self::overlaps) into a buffer, which it clears first.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// let (_, sword) = scene.add_with(Node::new("sword"), Circle::new(1.0));
    /// scene.add_with(Node::new("troll"), Circle::new(1.0));
    /// let mut found = Vec::new();
    /// scene.world().overlaps_into(sword, &mut found);
    /// assert_eq!(found.len(), 1);
    /// ```
    pub fn overlaps_into(self, collider: ColliderId, found: &mut Vec<NodeCollider>) {
        fill(found, |found| self.each_overlap(collider, found));
    }

    /// Returns the colliders that touch a collider of a node, each once. Children count as other nodes, but colliders
    /// of one [owner](crate::Node::owns_subtree) never touch.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let (snake, _) = scene.add_with(Node::new("snake"), Circle::new(1.0));
    /// scene.attach(snake, Circle::new(1.0).at(vec2(1.5, 0.0)))?;
    /// scene.add_with(Node::new("apple").with_position(vec2(0.8, 0.0)), Circle::new(0.2));
    /// assert_eq!(scene.world().overlaps_node(snake).len(), 1, "both colliders touch the apple");
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub fn overlaps_node(self, node: NodeId) -> impl ExactSizeIterator<Item = NodeCollider> + use<> {
        collected(|found| self.each_overlap_of_node(node, found))
    }

    /// Does the same as [`overlaps_node`](Self::overlaps_node) into a buffer, which it clears first.
    pub fn overlaps_node_into(self, node: NodeId, found: &mut Vec<NodeCollider>) {
        fill(found, |found| self.each_overlap_of_node(node, found));
    }

    /// Returns the colliders that contain a point.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, QueryFilter, Scene};
    /// use glam::Vec2;
    ///
    /// let mut scene = Scene::new();
    /// scene.add_with(Node::new("coin"), Circle::new(1.0));
    /// // The answer does not borrow the scene, so the loop may edit it.
    /// for side in scene.world().at_point(Vec2::ZERO, &QueryFilter::default()) {
    ///     scene.remove(side.node);
    /// }
    /// assert_eq!(scene.collider_count(), 0);
    /// ```
    #[doc(alias("overlap point"))]
    pub fn at_point(self, point: Vec2, filter: &QueryFilter) -> impl ExactSizeIterator<Item = NodeCollider> + use<> {
        collected(|found| self.each_at_point(point, filter, found))
    }

    /// Does the same as [`at_point`](Self::at_point) into a buffer, which it clears first.
    pub fn at_point_into(self, point: Vec2, filter: &QueryFilter, found: &mut Vec<NodeCollider>) {
        fill(found, |found| self.each_at_point(point, filter, found));
    }

    /// Returns the topmost collider that contains a point: that of the node which comes last in the order of
    /// [`descendants`](Self::descendants) of the root, and of several on this node the one added last. A host that
    /// draws nodes in this order draws it over all others. Disabled colliders are skipped, and a line contains only its
    /// own points: [`nearest`](Self::nearest) finds one within a few pixels.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, QueryFilter, Rect, Scene};
    /// use glam::Vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (window, _) = scene.add_with(Node::new("window"), Rect::new(8.0, 6.0));
    /// let (button, _) = scene.add_child_with(window, Node::new("button"), Rect::new(2.0, 1.0))?;
    /// let (icon, _) = scene.add_with(Node::new("icon"), Circle::new(1.0));
    ///
    /// let pick = |scene: &mut Scene| scene.world().pick(Vec2::ZERO, &QueryFilter::default()).map(|side| side.node);
    /// assert_eq!(pick(&mut scene), Some(icon));
    /// scene.move_child(window, usize::MAX)?;
    /// assert_eq!(pick(&mut scene), Some(button));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    #[doc(alias("picking", "mouse", "hit test", "topmost"))]
    pub fn pick(self, point: Vec2, filter: &QueryFilter) -> Option<NodeCollider> {
        let hierarchy = &self.scene.hierarchy;
        // The colliders that contain the point on the topmost node so far.
        let mut top: SmallVec<[NodeCollider; 8]> = SmallVec::new();
        self.each_at_point(point, filter, &mut |side| {
            let order = top.first().map_or(Ordering::Greater, |top| hierarchy.tree_order(side.node, top.node));
            if order.is_gt() {
                top.clear();
            }
            if order.is_ge() {
                top.push(side);
            }
        });
        if top.len() < 2 {
            return top.pop();
        }
        sort(&mut top);
        let place = |id: &ColliderId| top.binary_search_by_key(id, |side| side.collider).ok();
        hierarchy.colliders(top[0].node).iter().rev().find_map(place).map(|place| top[place])
    }

    /// Returns the colliders that touch a region. It tests their shapes, not their boxes. The region may be infinite;
    /// an empty one and one with a NaN touch nothing.
    ///
    /// ```
    /// # use hitgraph::{Aabb, Circle, Node, QueryFilter, Scene};
    /// # use glam::{Vec2, vec2};
    /// # let mut scene = Scene::new();
    /// for x in [0.0, 5.0, 50.0] {
    ///     scene.add_with(Node::new("tree").with_position(vec2(x, 0.0)), Circle::new(1.0));
    /// }
    /// // What the camera sees, or what a rubber band selects.
    /// let screen = Aabb::from_center(Vec2::ZERO, vec2(16.0, 9.0));
    /// assert_eq!(scene.world().in_aabb(screen, &QueryFilter::default()).len(), 2);
    /// ```
    #[doc(alias("region query", "range query"))]
    pub fn in_aabb(self, region: Aabb, filter: &QueryFilter) -> impl ExactSizeIterator<Item = NodeCollider> + use<> {
        collected(|found| self.each_in_aabb(region, filter, found))
    }

    /// Does the same as [`in_aabb`](Self::in_aabb) into a buffer, which it clears first.
    pub fn in_aabb_into(self, region: Aabb, filter: &QueryFilter, found: &mut Vec<NodeCollider>) {
        fill(found, |found| self.each_in_aabb(region, filter, found));
    }

    /// Returns the colliders that touch a shape which is not in the scene. `at` is the shape's world transform, and the
    /// filter has its layers. Nothing touches it if `at` is not finite or the shape's bounds overflow.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, QueryFilter, Scene};
    /// # use glam::{Affine2, vec2};
    /// # let mut scene = Scene::new();
    /// let (orc, _) = scene.add_with(Node::new("orc").with_position(vec2(3.0, 0.0)), Circle::new(0.5));
    /// // An explosion hits everything within four units.
    /// let at = Affine2::from_translation(vec2(1.0, 0.0));
    /// for side in scene.world().overlaps_shape(&Circle::new(4.0), &at, &QueryFilter::default()) {
    ///     scene.remove(side.node);
    /// }
    /// assert!(!scene.contains(orc));
    /// ```
    #[doc(alias("shape query", "overlap circle", "overlap box"))]
    pub fn overlaps_shape(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        filter: &QueryFilter,
    ) -> impl ExactSizeIterator<Item = NodeCollider> + use<> {
        collected(|found| self.each_overlap_of_shape(shape, at, filter, found))
    }

    /// Does the same as [`overlaps_shape`](Self::overlaps_shape) into a buffer, which it clears first.
    pub fn overlaps_shape_into(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        filter: &QueryFilter,
        found: &mut Vec<NodeCollider>,
    ) {
        fill(found, |found| self.each_overlap_of_shape(shape, at, filter, found));
    }

    /// Returns every pair that touches now, in the order of the events: by the smaller collider id, then by the other.
    /// After an [update](crate::Scene::update) that no edit followed, it reads the pairs of the update; otherwise it
    /// finds all of them.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # let mut scene = Scene::new();
    /// for name in ["one", "two", "three"] {
    ///     scene.add_with(Node::new(name), Circle::new(1.0));
    /// }
    /// let world = scene.world();
    /// let name = |node| world.node(node).map_or("", |node| &*node.name);
    /// let pairs: Vec<_> = world.pairs().iter().map(|pair| (name(pair.a.node), name(pair.b.node))).collect();
    /// assert_eq!(pairs, [("one", "two"), ("one", "three"), ("two", "three")]);
    /// ```
    #[must_use]
    pub fn pairs(self) -> Vec<CollisionPair> {
        let mut pairs = Vec::new();
        self.pairs_into(&mut pairs);
        pairs
    }

    /// Does the same as [`pairs`](Self::pairs) into a buffer, which it clears first.
    pub fn pairs_into(self, pairs: &mut Vec<CollisionPair>) {
        pairs.clear();
        self.each_pair(|_, pair| pairs.push(*pair));
    }

    /// Returns every pair that touches now with its contact, in the order of the events. The normal points from `a` to
    /// `b`. Like [`pairs`](Self::pairs), it is fastest after an update that no edit followed.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let (left, _) = scene.add_with(Node::new("left"), Circle::new(1.0));
    /// let (right, _) = scene.add_with(Node::new("right").with_position(vec2(1.5, 0.0)), Circle::new(1.0));
    /// // Each of two things in each other's way gives way by half.
    /// for (pair, contact) in scene.world().contacts() {
    ///     let half = contact.normal * contact.depth * 0.5;
    ///     scene[pair.a.node].transform.position -= half;
    ///     scene[pair.b.node].transform.position += half;
    /// }
    /// let gap = scene[right].transform.position - scene[left].transform.position;
    /// assert_eq!(gap, vec2(2.0, 0.0));
    /// ```
    #[must_use]
    pub fn contacts(self) -> Vec<(CollisionPair, Contact)> {
        let mut contacts = Vec::new();
        self.contacts_into(&mut contacts);
        contacts
    }

    /// Does the same as [`contacts`](Self::contacts) into a buffer, which it clears first.
    pub fn contacts_into(self, contacts: &mut Vec<(CollisionPair, Contact)>) {
        contacts.clear();
        self.each_pair(|slots, pair| {
            let [a, b] = slots.map(|slot| self.collider_at(slot));
            let contact = a.zip(b).and_then(|(a, b)| a.contact(&b));
            contacts.extend(contact.map(|contact| (*pair, contact)));
        });
    }

    fn each_pair(self, mut visit: impl FnMut([u32; 2], &CollisionPair)) {
        let mut visit = |slots, pair: &CollisionPair| {
            if self.only.is_none_or(|only| only(pair.a) && only(pair.b)) {
                visit(slots, pair);
            }
        };
        let Scene { hierarchy, transforms, colliders, scratch, touching, changes, .. } = self.scene;
        // Since an update that nothing followed, the same pairs touch.
        if changes.since_update.placed.is_empty() {
            return touching.slots_of_pairs().for_each(|slots| visit(slots, &touching.pair(slots)));
        }
        scratch.narrow_phases.with(|narrow_phase| {
            for slots in narrow_phase.find_touching(colliders, transforms).iter().map(|key| key.slots()) {
                visit(slots, &colliders.pair(hierarchy, slots));
            }
        });
    }

    fn each_overlap(self, collider: ColliderId, found: &mut dyn FnMut(NodeCollider)) {
        let colliders = &self.scene.colliders;
        let slot = slot_of(collider);
        let Some(bounds) = colliders.record_of(collider).and_then(|_| colliders.index.bounds(slot)) else { return };
        colliders.index.each_in_region(bounds, |other, _| {
            // The smaller slot comes first, as in the events.
            let slots = [slot.min(other), slot.max(other)];
            if colliders.may_touch(slots)
                && self.matches(other)
                && let (Some(a), Some(b)) = (self.collider_at(slots[0]), self.collider_at(slots[1]))
                && a.overlaps(&b)
            {
                found(self.node_collider(other));
            }
        });
    }

    fn each_overlap_of_node(self, node: NodeId, found: &mut dyn FnMut(NodeCollider)) {
        for collider in self.scene.colliders(node) {
            self.each_overlap(*collider, found);
        }
    }

    fn each_at_point(self, point: Vec2, filter: &QueryFilter, found: &mut dyn FnMut(NodeCollider)) {
        let point = Circle::point(point);
        self.each_where(point.bounds(), filter, found, |target, _| match target.world_form {
            Some(shape) => shape.overlaps_one(&point),
            None => target.collider.collides_with_circle(&target.at, &point),
        });
    }

    fn each_in_aabb(self, region: Aabb, filter: &QueryFilter, found: &mut dyn FnMut(NodeCollider)) {
        let Some(region) = region.finite_part() else { return };
        // Padded like the bounds of all shapes, because a user's shape may touch within its rounding.
        let bounds = Aabb::padded(Vec2::ZERO, region.min, region.max).finite_part().unwrap_or(region);
        self.each_where(bounds, filter, found, |target, own| {
            // A collider whose box is in the region needs no test, unless it may have no pieces.
            if region.contains_box(own) && target.is_one_piece() {
                return true;
            }
            // Tolerances are relative to the larger shape, so only the part of the region around the collider is tested.
            let near = own.grown(own.size().max_element());
            let part = region.intersection(near);
            if !part.min.cmple(part.max).all() {
                return false;
            }
            let part = Polygon::upright(part);
            match target.world_form {
                Some(shape) => shape.overlaps_one(&part),
                None => target.collider.collides_with_polygon(&target.at, &part),
            }
        });
    }

    fn each_overlap_of_shape(
        self,
        collider: &dyn Collider,
        at: &Affine2,
        filter: &QueryFilter,
        found: &mut dyn FnMut(NodeCollider),
    ) {
        WorldCollider::with(collider, at, |probe| {
            self.each_where(probe.bounds(), filter, found, |target, _| probe.overlaps(target));
        });
    }

    /// Visits the colliders whose boxes overlap finite bounds and that pass the filter and a test, which gets the collider
    /// and its box.
    #[inline]
    fn each_where(
        self,
        bounds: Aabb,
        filter: &QueryFilter,
        found: &mut dyn FnMut(NodeCollider),
        touches: impl Fn(&WorldCollider<'_>, Aabb) -> bool,
    ) {
        if !bounds.is_finite() {
            return;
        }
        let target_at = self.targets(filter);
        self.scene.colliders.index.each_in_region(bounds, |slot, own| {
            if target_at(slot).is_some_and(|target| touches(&target, own)) {
                found(self.node_collider(slot));
            }
        });
    }
}

/// Returns what `each` finds, each collider once, in the order of the ids.
fn collected(each: impl FnOnce(&mut dyn FnMut(NodeCollider))) -> smallvec::IntoIter<[NodeCollider; 8]> {
    let mut found = SmallVec::<[NodeCollider; 8]>::new();
    each(&mut |side| {
        // Several colliders of a node may touch the same one, which needs no second place without heap.
        if found.spilled() || !found.contains(&side) {
            found.push(side);
        }
    });
    sort(&mut found);
    found.dedup();
    found.into_iter()
}

/// Does the same into a buffer, which it clears first.
fn fill(found: &mut Vec<NodeCollider>, each: impl FnOnce(&mut dyn FnMut(NodeCollider))) {
    found.clear();
    each(&mut |side| found.push(side));
    sort(found);
    found.dedup();
}

fn sort(found: &mut [NodeCollider]) {
    sort_by(found, |a, b| a.collider < b.collider);
}
