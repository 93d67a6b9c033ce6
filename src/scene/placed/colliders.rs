use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::moved_shapes::MovedShapes;
use super::{ColliderRecord, ColliderState, CollisionPair, IgnoredPairs, NodeCollider};
use crate::collider::{Attachment, CollisionLayers, WorldCollider};
use crate::index::ExtendedIndex;
use crate::math::{Aabb, SlotSet, clone_fields, extend_to, shrink_to};
#[cfg(feature = "serde")]
use crate::scene::LoadError;
use crate::scene::slots::Slots;
use crate::scene::tree::{Hierarchy, Transforms};
use crate::scene::{ColliderId, slot_of};
use crate::shape::{Kind, Shape};

/// The colliders of a scene, their world forms, and the index over them.
///
/// Dense arrays by slot hold what every frame reads; the map holds the rest.
#[derive(Debug, Default)]
pub(in crate::scene) struct Colliders {
    pub(in crate::scene) attachments: Slots<ColliderId, Attachment>,
    /// By slot: the slot of the node that carries the collider.
    pub(super) nodes: Vec<u32>,
    /// By slot.
    pub(in crate::scene) records: Vec<ColliderRecord>,
    /// By slot, and only up to the last collider that is not on all layers: a copy of the attachment's layers as of the
    /// last refresh. Without it, 100,000 moving colliders on different layers (otherwise as in W1 of `benches/peers`)
    /// update about a quarter slower.
    pub(super) layers: Vec<CollisionLayers>,
    /// By slot: a copy of the attachment's local shape, if it is a built-in one. With a virtual call of each box instead,
    /// 10,000 moving colliders (as in W1 of `benches/peers`) update with 7 % more instructions.
    pub(super) local_shapes: Vec<Option<Shape>>,
    /// By slot: the world form of a built-in shape.
    pub(super) world_forms: Vec<Shape>,
    pub(in crate::scene) index: ExtendedIndex,
    pub(in crate::scene) ignored_pairs: IgnoredPairs,
    pub(super) moved: MovedShapes,
}

clone_fields!(Colliders {
    attachments, nodes, records, layers, local_shapes, world_forms, index, ignored_pairs;
    scratch: moved
});

impl Colliders {
    #[inline]
    pub(in crate::scene) fn record(&self, slot: u32) -> &ColliderRecord {
        &self.records[slot as usize]
    }

    /// Returns the slot of the node that carries the collider in a slot.
    #[inline]
    pub(in crate::scene) fn node(&self, slot: u32) -> u32 {
        self.nodes[slot as usize]
    }

    /// Returns the record of a collider, or `None` if its id is stale.
    pub(in crate::scene) fn record_of(&self, id: ColliderId) -> Option<&ColliderRecord> {
        self.attachments.contains_key(id).then(|| self.record(slot_of(id)))
    }

    /// Returns the id of the collider in a slot; null if there is none.
    #[inline]
    pub(in crate::scene) fn id(&self, slot: u32) -> ColliderId {
        self.attachments.id_at(slot)
    }

    /// Returns the layers of the collider in a slot.
    #[inline]
    pub(in crate::scene) fn layers(&self, slot: u32) -> CollisionLayers {
        if self.record(slot).on_all_layers { CollisionLayers::ALL } else { self.layers[slot as usize] }
    }

    /// Returns `true` if owners, layers and ignored pairs all let the colliders in two slots touch.
    #[inline(always)]
    pub(in crate::scene) fn may_touch(&self, [a, b]: [u32; 2]) -> bool {
        let (first, second) = (self.record(a), self.record(b));
        (first.owner != second.owner)
            && ((first.on_all_layers & second.on_all_layers) || self.layers(a).meets(self.layers(b)))
            && !self.ignores_node(self.node_and_owner(a), b)
    }

    /// Returns `true` if the user lets the colliders of a node, which is listed with its owner, never touch the one in
    /// a slot.
    #[inline]
    pub(in crate::scene) fn ignores_node(&self, node_and_owner: [u32; 2], slot: u32) -> bool {
        !self.ignored_pairs.is_empty() && self.ignored_pairs.contains_any(node_and_owner, self.node_and_owner(slot))
    }

    #[inline]
    fn node_and_owner(&self, slot: u32) -> [u32; 2] {
        [self.node(slot), self.record(slot).owner]
    }

    /// Returns the kind of the local shape in a slot, if its collider is active and has a built-in shape.
    pub(in crate::scene) fn active_kind(&self, slot: u32) -> Option<Kind> {
        let is_active = self.record(slot).state == ColliderState::Active;
        if is_active { self.local_shapes[slot as usize].as_ref().map(Shape::kind) } else { None }
    }

    /// Returns the number of slots.
    pub(super) fn slots(&self) -> usize {
        self.records.len()
    }

    /// Returns the world form of a built-in shape.
    #[inline]
    pub(in crate::scene) fn world_form(&self, slot: u32) -> Option<&Shape> {
        self.record(slot).kind.map(|_| &self.world_forms[slot as usize])
    }

    /// Returns the collider in a slot with its world transform: a built-in shape as its world form, a user's shape as
    /// it is.
    #[inline(always)]
    pub(in crate::scene) fn in_world<'a>(&'a self, transforms: &'a Transforms, slot: u32) -> Option<WorldCollider<'a>> {
        if let Some(shape) = self.world_form(slot) {
            return Some(WorldCollider::of_shape(shape));
        }
        let (collider, at) = (self.attachments.at(slot)?.collider(), transforms.last_world(self.node(slot)));
        Some(WorldCollider { collider, at, world_form: None })
    }

    /// Returns the box around the collider in a slot, as of the last refresh that placed it. It need not be finite.
    pub(in crate::scene) fn bounds(&self, transforms: &Transforms, slot: u32) -> Option<Aabb> {
        self.index.bounds(slot).or_else(|| Some(self.in_world(transforms, slot)?.bounds()))
    }

    /// Reserves memory for `count` more colliders, and returns the number of slots after their addition.
    pub(in crate::scene) fn reserve(&mut self, count: usize) -> usize {
        let slots = self.attachments.reserve(count);
        let more = slots - self.slots();
        self.nodes.reserve(more);
        self.records.reserve(more);
        self.local_shapes.reserve(more);
        self.world_forms.reserve(more);
        slots
    }

    /// Adds a collider. The next refresh places it.
    pub(in crate::scene) fn insert(&mut self, node: u32, attachment: Attachment) -> ColliderId {
        let id = self.attachments.insert(attachment);
        self.register(id, node);
        id
    }

    /// Prepares the slot of a new collider.
    fn register(&mut self, id: ColliderId, node: u32) {
        let slot = slot_of(id) as usize;
        extend_to(&mut self.nodes, slot + 1, 0);
        extend_to(&mut self.records, slot + 1, ColliderRecord::new(0));
        extend_to(&mut self.local_shapes, slot + 1, None);
        extend_to(&mut self.world_forms, slot + 1, Shape::NOWHERE);
        self.nodes[slot] = node;
        self.records[slot] = ColliderRecord::new(node);
    }

    /// Returns the given colliders, which the nodes of the tree list. `free` are the last ids of the free slots. The next
    /// refresh places them.
    #[cfg(feature = "serde")]
    pub(in crate::scene) fn restored(
        attachments: Vec<(ColliderId, Attachment)>,
        free: &[ColliderId],
        hierarchy: &Hierarchy,
    ) -> Result<Self, LoadError> {
        let attachments = Slots::restored(attachments, free).map_err(LoadError::Collider)?;
        let mut colliders = Self { attachments, ..Self::default() };
        for node in hierarchy.subtree(hierarchy.root()) {
            hierarchy.colliders(node).iter().for_each(|id| colliders.register(*id, slot_of(node)));
        }
        Ok(colliders)
    }

    /// Removes a collider and returns it with the slot of its node.
    pub(in crate::scene) fn remove(&mut self, id: ColliderId) -> Option<(u32, Attachment)> {
        let attachment = self.attachments.remove(id)?;
        self.index.remove(slot_of(id));
        Some((self.node(slot_of(id)), attachment))
    }

    /// Puts a collider that is in the scene on another node, and returns the slot of the old one.
    pub(in crate::scene) fn set_node(&mut self, id: ColliderId, node: u32) -> u32 {
        core::mem::replace(&mut self.nodes[slot_of(id) as usize], node)
    }

    /// Returns the collider in a slot with its node and its owner.
    #[inline]
    pub(in crate::scene) fn node_collider(&self, hierarchy: &Hierarchy, slot: u32) -> NodeCollider {
        let ColliderRecord { owner, sensor, .. } = *self.record(slot);
        let (node, owner) = (hierarchy.id(self.node(slot)), hierarchy.id(owner));
        NodeCollider { node, owner, collider: self.id(slot), sensor }
    }

    /// Returns the pair of two slots.
    #[inline]
    pub(in crate::scene) fn pair(&self, hierarchy: &Hierarchy, [a, b]: [u32; 2]) -> CollisionPair {
        CollisionPair::new(self.node_collider(hierarchy, a), self.node_collider(hierarchy, b))
    }

    /// Frees memory that is not in use. No collider may wait for a refresh.
    pub(in crate::scene) fn shrink_to_fit(&mut self, changed: &SlotSet) {
        let live = self.attachments.keys().map(slot_of);
        let slots = live.chain(changed.iter()).map(|slot| slot as usize + 1).max().unwrap_or(0);
        shrink_to(&mut self.nodes, slots);
        shrink_to(&mut self.records, slots);
        shrink_to(&mut self.layers, slots);
        shrink_to(&mut self.local_shapes, slots);
        shrink_to(&mut self.world_forms, slots);
        self.ignored_pairs.shrink_to_fit();
        let old = core::mem::take(&mut self.index);
        for slot in 0..slots as u32 {
            if let Some(bounds) = old.bounds(slot) {
                self.index.set(slot, bounds);
            }
        }
        // A stop is found through an unlisted slot, whose collider may be gone.
        old.unlisted().iter().for_each(|slot| self.index.unlist(slot));
        self.index.refresh();
        self.moved = MovedShapes::default();
    }

    /// Returns a message if records, attachments, nodes and index disagree. No collider may wait for a refresh.
    pub(in crate::scene) fn validate(&self, hierarchy: &Hierarchy) -> Result<(), String> {
        self.index.validate()?;
        self.ignored_pairs.validate(hierarchy)?;
        let mut active = 0;
        for (id, attachment) in self.attachments.iter() {
            let slot = slot_of(id);
            let record = self.record(slot);
            let node = hierarchy.id(self.node(slot));
            let is_active = record.state == ColliderState::Active;
            let listed = hierarchy.colliders(node).iter().filter(|other| **other == id).count();
            let local = &self.local_shapes[slot as usize];
            let kind = local.as_ref().map(|_| self.world_forms[slot as usize].kind());
            let checks = [
                (listed == 1, "is not listed once by its node"),
                (hierarchy.owner(node) == Some(hierarchy.id(record.owner)), "has another owner in its record"),
                (record.on_all_layers == (attachment.layers == CollisionLayers::ALL), "has other layers in its record"),
                (
                    (self.layers(slot), record.sensor) == (attachment.layers, attachment.sensor),
                    "has other settings in its record",
                ),
                // As text, because a shape with a NaN does not equal itself.
                (
                    format!("{local:?}") == format!("{:?}", attachment.collider().local_shape()),
                    "has another local shape",
                ),
                (record.kind == kind || record.state == ColliderState::Quarantined, "has another kind in its record"),
                (is_active == self.index.bounds(slot).is_some(), "is either active or in the index, but not both"),
            ];
            if let Some((_, message)) = checks.iter().find(|(holds, _)| !holds) {
                return Err(format!("{id:?} {message}"));
            }
            active += usize::from(is_active);
        }
        let listed: usize = hierarchy.subtree(hierarchy.root()).map(|node| hierarchy.colliders(node).len()).sum();
        if listed != self.attachments.len() {
            return Err(format!("{} colliders, but the nodes list {listed}", self.attachments.len()));
        }
        let indexed = (0..self.slots() as u32).filter(|slot| self.index.bounds(*slot).is_some()).count();
        if indexed == active { Ok(()) } else { Err(format!("{active} are active, but {indexed} in the index")) }
    }
}
