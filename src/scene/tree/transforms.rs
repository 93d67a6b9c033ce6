use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use glam::Affine2;

use super::placement::{Placement, Plain};
use super::refresh_pass::{NOT_AT_REST, NodeChange, RefreshPass};
use super::{Hierarchy, NodeStatus};
use crate::math::{SlotSet, clone_fields, extend_to, shrink_to};
use crate::scene::changes::SinceUpdate;
use crate::scene::{NodeId, slot_of};
use crate::shape::Kind;

/// The facts that nodes inherit from their ancestors, as of the last refresh: world transform, status and owner.
#[derive(Debug, Default)]
pub(in crate::scene) struct Transforms {
    /// By slot.
    placements: Vec<Placement>,
    /// By slot: the owner of the node's colliders. Without meaning unless the status is owned; otherwise it is the node
    /// itself. A scene without owners therefore needs no memory here.
    owners: Vec<NodeId>,
    pending: Vec<u32>,
}

clone_fields!(Transforms { placements, owners; scratch: pending });

impl Transforms {
    /// Returns the world transform of the node in a slot as it was when it was last finite.
    #[inline]
    pub(in crate::scene) fn last_world(&self, slot: u32) -> Affine2 {
        self.placements[slot as usize].world()
    }

    /// Returns the world transform of the node in a slot, if it is finite.
    pub(in crate::scene) fn world(&self, slot: u32) -> Option<Affine2> {
        self.status(slot).is_finite().then(|| self.last_world(slot))
    }

    #[inline]
    pub(in crate::scene) fn status(&self, slot: u32) -> NodeStatus {
        self.placements[slot as usize].status
    }

    /// Returns the slot of the owner of the colliders on the node in a slot.
    #[inline]
    pub(in crate::scene) fn owner(&self, slot: u32) -> u32 {
        if self.status(slot).is_owned() { slot_of(self.owners[slot as usize]) } else { slot }
    }

    /// Frees the memory of the slots from a number on.
    pub(in crate::scene) fn shrink_to_fit(&mut self, slots: usize) {
        shrink_to(&mut self.placements, slots);
        shrink_to(&mut self.owners, slots);
        self.pending = Vec::new();
    }

    /// Clears the slot of a removed node.
    pub(in crate::scene) fn remove(&mut self, slot: u32) {
        if let Some(placement) = self.placements.get_mut(slot as usize) {
            *placement = Placement::NOWHERE;
        }
    }

    /// Makes the next refresh look at the links and the colliders of a node again, because they have changed.
    pub(in crate::scene) fn forget_plain(&mut self, slot: u32) {
        if let Some(placement) = self.placements.get_mut(slot as usize) {
            placement.plain = Plain::No;
        }
    }

    /// Computes the world transforms, statuses and owners of the changed nodes in `slots` and of their subtrees. Parents
    /// come before their children in this list. Calls `moved` for every collider on a node of which one of these has
    /// changed, with its slot, the change and the world transform. It returns the kind of the shape of an active collider.
    pub(in crate::scene) fn refresh(
        &mut self,
        hierarchy: &Hierarchy,
        changed: &SlotSet,
        slots: &[u32],
        since_update: &mut SinceUpdate,
        moved: impl FnMut(u32, NodeChange, &Affine2) -> Option<Kind>,
    ) {
        extend_to(&mut self.placements, hierarchy.slots(), Placement::NOWHERE);
        let Self { placements, owners, pending } = self;
        let root_at_rest = NOT_AT_REST;
        let mut pass =
            RefreshPass { hierarchy, changed, placements, owners, pending, since_update, moved, root_at_rest };
        pass.run(slots);
    }

    /// Returns a message if a node that counts as plain is not. No node may wait for a refresh. `kind` returns the kind of
    /// the local shape of an active collider.
    pub(in crate::scene) fn validate(
        &self,
        hierarchy: &Hierarchy,
        kind: impl Fn(u32) -> Option<Kind>,
    ) -> Result<(), String> {
        for (slot, placement) in (0..).zip(&self.placements) {
            let node = hierarchy.id(slot);
            let has_collider = match (placement.plain, hierarchy.colliders(node)) {
                (Plain::No, _) => continue,
                (Plain::WithoutCollider, colliders) => colliders.is_empty(),
                (Plain::WithCollider(own), [only]) => {
                    slot_of(*only) == placement.collider && kind(placement.collider) == Some(own)
                }
                (Plain::WithCollider(_), _) => false,
            };
            let is_plain = hierarchy.parent(node).map(slot_of) == Some(placement.parent)
                && hierarchy.children(node).is_empty()
                && placement.status == NodeStatus::ACTIVE;
            if !(is_plain && has_collider) {
                return Err(format!("{node:?} is not plain"));
            }
        }
        Ok(())
    }
}
