//! The part of a refresh that places colliders.

use glam::Affine2;

use super::moved_shapes::PlacedShape;
use super::{ColliderState, Colliders};
use crate::collider::CollisionLayers;
use crate::math::{SlotSet, extend_to};
use crate::scene::changes::SinceUpdate;
use crate::scene::tree::{NodeChange, Transforms};
use crate::shape::{Kind, WorldForm};

/// The number of boxes after which the index decides again if it extends boxes that do not need it. If it decides once
/// per batch, 10,000 moving colliders (as in W1 of `benches/peers`) update with 2 % more instructions.
const RENEWED_TOGETHER: usize = 64;

impl Colliders {
    /// Takes a collider whose node has changed: into the batch of its kind, which is returned, if nothing but its place can
    /// change, or else into `unbatched`.
    #[inline(always)]
    pub(in crate::scene) fn node_changed(
        &mut self,
        slot: u32,
        change: NodeChange,
        world: &Affine2,
        unbatched: &mut SlotSet,
    ) -> Option<Kind> {
        let kind = match change {
            NodeChange::MovedPlain(kind) => Some(kind),
            NodeChange::Moved => self.active_kind(slot),
            NodeChange::Other => None,
        };
        match kind {
            Some(kind) => self.moved.push(kind, slot, *world),
            None => unbatched.insert(slot),
        }
        kind
    }

    /// Computes the world forms of the colliders in the batches, and sets their boxes in the index. Those whose boxes
    /// overflow go into `unbatched`.
    pub(in crate::scene) fn place_moved(&mut self, unbatched: &mut SlotSet, since_update: &mut SinceUpdate) {
        let Self { moved, local_shapes, world_forms, records, index, .. } = self;
        for batch in moved.write_world_forms(local_shapes, world_forms).chunks(RENEWED_TOGETHER) {
            index.decide_renewal();
            for &PlacedShape { slot, kind, bounds } in batch {
                let stored = &mut records[slot as usize].kind;
                if *stored != Some(kind) {
                    *stored = Some(kind);
                    index.unlist(slot);
                }
                since_update.placed.insert(slot);
                if !index.set(slot, bounds) {
                    unbatched.insert(slot);
                }
            }
        }
    }

    /// Places the colliders that a batch cannot place, and brings the index up to date. Those that are `edited` may have
    /// other shapes.
    pub(in crate::scene) fn refresh(
        &mut self,
        transforms: &mut Transforms,
        unbatched: &SlotSet,
        edited: &SlotSet,
        since_update: &mut SinceUpdate,
    ) {
        for slot in unbatched.iter() {
            self.index.unlist(slot);
            since_update.placed.insert(slot);
            self.place(slot, edited.contains(slot), transforms, since_update);
        }
        self.index.refresh();
    }

    /// Places one collider, unless it is gone: copies its settings and its owner, and its local shape if it was edited,
    /// then computes its world form and its box.
    fn place(&mut self, slot: u32, is_edited: bool, transforms: &mut Transforms, since_update: &mut SinceUpdate) {
        let Some(attachment) = self.attachments.at(slot) else { return };
        let (node, record) = (self.nodes[slot as usize], &mut self.records[slot as usize]);
        transforms.forget_plain(node);
        (record.owner, record.sensor) = (transforms.owner(node), attachment.sensor);
        record.on_all_layers = attachment.layers == CollisionLayers::ALL;
        if !record.on_all_layers {
            extend_to(&mut self.layers, slot as usize + 1, CollisionLayers::ALL);
            self.layers[slot as usize] = attachment.layers;
        }
        let local_shape = &mut self.local_shapes[slot as usize];
        if is_edited {
            *local_shape = attachment.collider().local_shape();
            since_update.edited.insert(slot);
        }
        record.state = ColliderState::Quarantined;
        let bounds = transforms.world(node).map(|at| {
            let world_form = &mut self.world_forms[slot as usize];
            let bounds = local_shape.as_ref().map(|local| local.write_world_form(&at, world_form));
            record.kind = bounds.map(|_| world_form.kind());
            bounds.unwrap_or_else(|| attachment.collider().bounds(&at))
        });
        match bounds {
            // The box of a user's shape may also be empty or inverted.
            Some(bounds) if bounds.finite_part() != Some(bounds) => since_update.quarantined.insert(node),
            Some(bounds) if transforms.status(node).is_enabled() && attachment.enabled => {
                record.state = ColliderState::Active;
                self.index.set(slot, bounds);
            }
            Some(_) => record.state = ColliderState::Disabled,
            None => {}
        }
        if record.state != ColliderState::Active {
            self.index.remove(slot);
        }
    }
}
