//! The refresh of world transforms, statuses and owners. It gets the nodes that may have changed, parents before their
//! children. It places each of them, then the nodes below it that are not in the list themselves, unless nothing about
//! it has changed. Most nodes that move have a single collider and no children. These are *plain*, and take a shorter
//! way through the same computation.

use alloc::vec::Vec;

use glam::{Affine2, Vec2};
use slotmap::Key;

use super::hierarchy::Links;
use super::placement::{Placement, Plain};
use super::{Hierarchy, Node, NodeStatus};
use crate::math::{SinCos, SlotSet, extend_to};
use crate::scene::changes::SinceUpdate;
use crate::scene::{NodeId, slot_of};
use crate::shape::Kind;

/// The change of a node, as far as it matters to a collider on it.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) enum NodeChange {
    /// A plain node has moved, and nothing else has changed. The shape of its only collider is of this kind.
    MovedPlain(Kind),
    /// An active node has moved, or was not active before. The owner is the old one.
    Moved,
    /// The node is not active, or its colliders have another owner.
    Other,
}

/// Stands for the slot of a root that is not at rest.
pub(super) const NOT_AT_REST: u32 = u32::MAX;

/// A refresh and the arrays of the [`Transforms`](super::Transforms) that it writes. Without this struct, whose references
/// the compiler keeps in registers, W1 of `benches/peers` executes 20 more instructions for each node.
pub(super) struct RefreshPass<'a, M> {
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) changed: &'a SlotSet,
    pub(super) placements: &'a mut [Placement],
    pub(super) owners: &'a mut Vec<NodeId>,
    /// The nodes that are still to place below a changed one.
    pub(super) pending: &'a mut Vec<u32>,
    pub(super) since_update: &'a mut SinceUpdate,
    /// The function to call for every collider on a node that has changed.
    pub(super) moved: M,
    /// The slot of the root if its world transform is the identity. World transforms of the children of such a root are
    /// their own transforms. Without this, 10,000 moving colliders (as in W1) update with 2 % more instructions.
    pub(super) root_at_rest: u32,
}

impl<M: FnMut(u32, NodeChange, &Affine2) -> Option<Kind>> RefreshPass<'_, M> {
    /// Places the changed nodes in `slots` and the nodes below them. Parents come before their children in this list.
    pub(super) fn run(&mut self, slots: &[u32]) {
        self.look_at_root();
        // Other nodes that this reaches have not turned: every node that may be edited or has appeared is among them.
        self.refresh_rotations(slots);
        slots.iter().for_each(|slot| self.place_subtree(*slot));
    }

    /// Finds out if the root is at rest.
    fn look_at_root(&mut self) {
        let root = slot_of(self.hierarchy.root());
        let root_placement = &self.placements[root as usize];
        let is_at_rest = root_placement.status.is_finite() && root_placement.world() == Affine2::IDENTITY;
        self.root_at_rest = if is_at_rest { root } else { NOT_AT_REST };
    }

    /// Brings the sines and cosines of nodes up to date, several at once. One by one, 10,000 turning colliders (as in W1)
    /// update with 2 % more instructions.
    fn refresh_rotations(&mut self, slots: &[u32]) {
        let (mut turned, mut angles, mut count) = ([0; SinCos::BATCH], [0.0; SinCos::BATCH], 0);
        for &slot in slots {
            let Some(node) = self.hierarchy.node_at(slot) else { continue };
            let angle = node.transform.rotation;
            // Bits, because the cache must not depend on the history: the sines of 0 and -0 differ.
            if self.placements[slot as usize].rotation.angle.to_bits() == angle.to_bits() {
                continue;
            }
            if !SinCos::is_small(angle) {
                self.placements[slot as usize].rotation = SinCos::new(angle);
                continue;
            }
            (turned[count], angles[count]) = (slot, angle);
            count += 1;
            if count == SinCos::BATCH {
                for (slot, rotation) in turned.into_iter().zip(SinCos::batch(angles)) {
                    self.placements[slot as usize].rotation = rotation;
                }
                count = 0;
            }
        }
        for (slot, angle) in turned.into_iter().zip(angles).take(count) {
            self.placements[slot as usize].rotation = SinCos::new(angle);
        }
    }

    /// Places a changed node and the unchanged nodes below it.
    #[inline]
    fn place_subtree(&mut self, top: u32) {
        let mut next = Some(top);
        while let Some(slot) = next {
            if !self.place_plain(slot) {
                self.place_any(slot);
                if slot == slot_of(self.hierarchy.root()) {
                    self.look_at_root();
                }
            }
            next = self.pending.pop();
        }
    }

    /// Does the same as [`place_any`](Self::place_any) for a node that is still plain. Returns `false` for other
    /// nodes.
    #[inline(always)]
    fn place_plain(&mut self, slot: u32) -> bool {
        let Placement { plain, parent, collider, rotation, .. } = self.placements[slot as usize];
        if plain == Plain::No {
            return false;
        }
        let Some(node) = self.hierarchy.node_at(slot) else { return false };
        let above = &self.placements[parent as usize];
        let mut world = node.transform.to_affine_with(rotation);
        if parent != self.root_at_rest {
            world = above.world() * world;
        }
        if (above.status != NodeStatus::ACTIVE) | !node.enabled | node.owns_subtree | !is_finite(&world) {
            return false;
        }
        let placement = &mut self.placements[slot as usize];
        if placement.set_world(&world)
            && let Plain::WithCollider(kind) = plain
        {
            (self.moved)(collider, NodeChange::MovedPlain(kind), &world);
        }
        true
    }

    /// Places the node in a slot and reports its colliders, and adds its unchanged children to `pending`, if the node has
    /// changed.
    #[inline(always)]
    fn place_any(&mut self, slot: u32) {
        let hierarchy = self.hierarchy;
        let links = hierarchy.links_at(slot);
        let change = hierarchy.node_at(slot).and_then(|node| self.place(slot, links.parent, node));
        let Some(change) = change else { return };
        // A node with children is not plain.
        if links.has_colliders() || !links.has_children() {
            self.report(slot, links, change);
        }
        if links.has_children() {
            // Changed children have their own turn later.
            let children = hierarchy.children_of(slot).iter().rev().map(slot_of);
            self.pending.extend(children.filter(|child| !self.changed.contains(*child)));
        }
    }

    /// Computes the world transform, the status and the owner of one node. Returns `None` if none of them has changed.
    #[inline(always)]
    fn place(&mut self, slot: u32, parent: u32, node: &Node) -> Option<NodeChange> {
        let mut above = NodeStatus::ACTIVE;
        let mut world = node.transform.to_affine_with(self.placements[slot as usize].rotation);
        if parent != slot {
            let parent_placement = &mut self.placements[parent as usize];
            above = parent_placement.status;
            // It had no children before, if it is plain.
            parent_placement.plain = Plain::No;
            if parent != self.root_at_rest {
                world = parent_placement.world() * world;
            }
        }
        let status = above.inherited_by(node, is_finite(&world));
        let old = self.placements[slot as usize].status;
        let has_new_owner = (status.is_owned() | old.is_owned())
            && self.set_owner(self.hierarchy.id(slot), parent, status.is_owned() && !node.owns_subtree);
        let placement = &mut self.placements[slot as usize];
        if !status.is_finite() {
            world = placement.world();
            self.since_update.quarantined.insert(slot);
        }
        let has_changed = placement.set_world(&world) | (old != status) | has_new_owner;
        placement.status = status;
        self.since_update.disabled |= old.is_enabled() & !status.is_enabled();
        let has_only_moved = status.is_active() && !has_new_owner;
        has_changed.then_some(if has_only_moved { NodeChange::Moved } else { NodeChange::Other })
    }

    /// Calls `moved` for the colliders of a node that has been placed, and finds out if the node is plain.
    #[inline]
    fn report(&mut self, slot: u32, links: &Links, change: NodeChange) {
        let colliders = self.hierarchy.colliders_of(links);
        let placement = &mut self.placements[slot as usize];
        let (world, status) = (placement.world(), placement.status);
        let mut plain = if colliders.is_empty() { Plain::WithoutCollider } else { Plain::No };
        for collider in colliders {
            placement.collider = slot_of(*collider);
            let kind = (self.moved)(placement.collider, change, &world).filter(|_| colliders.len() == 1);
            plain = kind.map_or(Plain::No, Plain::WithCollider);
        }
        let may_be_plain = status == NodeStatus::ACTIVE && links.parent != slot && !links.has_children();
        (placement.plain, placement.parent) = (if may_be_plain { plain } else { Plain::No }, links.parent);
    }

    /// Sets the owner of a node: that of its parent, or the node itself. If it had another one, returns `true` and records
    /// its colliders.
    fn set_owner(&mut self, id: NodeId, parent: u32, inherits: bool) -> bool {
        let slot = slot_of(id);
        extend_to(self.owners, self.placements.len(), NodeId::null());
        let owner = if inherits { self.owners[parent as usize] } else { id };
        // The id decides: another node may have got the slot of the old owner.
        let old = core::mem::replace(&mut self.owners[slot as usize], owner);
        let has_new_owner = owner != if self.placements[slot as usize].status.is_owned() { old } else { id };
        if has_new_owner {
            let colliders = self.hierarchy.colliders(id).iter();
            colliders.for_each(|collider| self.since_update.edited.insert(slot_of(*collider)));
        }
        has_new_owner
    }
}

/// Does the same as [`Affine2::is_finite`] without a branch for each component.
#[inline]
fn is_finite(affine: &Affine2) -> bool {
    // Zero times an infinity or a NaN is NaN, and so is the sum.
    (affine.matrix2 * Vec2::ZERO + affine.translation * 0.0).element_sum() == 0.0
}
