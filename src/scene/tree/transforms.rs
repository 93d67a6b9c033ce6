use alloc::vec::Vec;

use glam::{Affine2, Vec2};
use slotmap::Key;

use super::{Hierarchy, Node, NodeStatus};
use crate::math::SinCos;

use crate::scene::slot_set::SlotSet;
use crate::scene::{NodeId, shrink, slot_of};

/// The facts that nodes inherit from their ancestors, as of the last refresh: world transform, status and owner.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct Transforms {
    /// By slot: the world transform when it was last finite; NaN if it never was.
    worlds: Vec<Affine2>,
    /// By slot: sine and cosine of the rotation, because most nodes move without turning.
    rotations: Vec<SinCos>,
    /// By slot.
    statuses: Vec<NodeStatus>,
    /// By slot: the owner of the node's colliders. Without meaning unless the status is owned; otherwise it is the node
    /// itself. A refresh of nodes without owners therefore reads nothing here.
    owners: Vec<NodeId>,
    /// Every node that is quarantined below a finite parent, and maybe others.
    suspects: SlotSet,
    pending: Vec<NodeId>,
}

impl Transforms {
    /// Returns the world transforms by slot, each as it was when it was last finite.
    pub(in crate::scene) fn worlds(&self) -> &[Affine2] {
        &self.worlds
    }

    /// Returns the world transform of the node in a slot, if it is finite.
    pub(in crate::scene) fn world(&self, slot: u32) -> Option<Affine2> {
        self.status(slot).is_finite().then(|| self.worlds[slot as usize])
    }

    #[inline]
    pub(in crate::scene) fn status(&self, slot: u32) -> NodeStatus {
        self.statuses[slot as usize]
    }

    /// Returns the slot of the owner of the colliders on the node in a slot.
    #[inline]
    pub(in crate::scene) fn owner(&self, slot: u32) -> u32 {
        if self.status(slot).is_owned() { slot_of(self.owners[slot as usize]) } else { slot }
    }

    /// Iterates over the quarantined nodes whose parents are not quarantined.
    pub(in crate::scene) fn quarantined(&mut self, hierarchy: &Hierarchy) -> impl Iterator<Item = NodeId> {
        let Self { suspects, statuses, .. } = self;
        suspects.retain(|slot| {
            let above = hierarchy.parent_slot(slot);
            statuses[slot as usize].is_quarantined() && (above == slot || statuses[above as usize].is_finite())
        });
        suspects.slots().iter().map(|slot| hierarchy.id(*slot))
    }

    /// Frees memory beyond that of so many slots.
    pub(in crate::scene) fn shrink_to_fit(&mut self, slots: usize) {
        shrink(&mut self.worlds, slots);
        shrink(&mut self.rotations, slots);
        shrink(&mut self.statuses, slots);
        shrink(&mut self.owners, slots);
        let statuses = &self.statuses;
        self.suspects.retain(|slot| statuses.get(slot as usize).is_some_and(|status| status.is_quarantined()));
        self.suspects.shrink_to_fit();
        self.pending = Vec::new();
    }

    /// Clears the slot of a removed node.
    pub(in crate::scene) fn remove(&mut self, slot: u32) {
        if let Some(status) = self.statuses.get_mut(slot as usize) {
            *status = NodeStatus::default();
            self.worlds[slot as usize] = Affine2::NAN;
        }
    }

    /// Computes the world transforms, statuses and owners of the changed nodes and of their subtrees. Parents come
    /// before their children among the changed nodes. Calls `moved` with the slots of every collider on a node of which
    /// one of these has changed, of the node and of its owner. Returns `true` if the owner of a placed node has
    /// changed.
    pub(in crate::scene) fn refresh(
        &mut self,
        hierarchy: &Hierarchy,
        changed: &SlotSet,
        mut moved: impl FnMut(u32, [u32; 2], NodeStatus),
    ) -> bool {
        self.worlds.resize(hierarchy.slots(), Affine2::NAN);
        self.rotations.resize(hierarchy.slots(), SinCos::ZERO);
        self.statuses.resize(hierarchy.slots(), NodeStatus::default());
        self.owners.resize(hierarchy.slots(), NodeId::null());
        let mut any_new_owner = false;
        let mut pending = core::mem::take(&mut self.pending);
        for slot in changed.slots() {
            let mut next = Some(hierarchy.id(*slot));
            while let Some(id) = next {
                let slot = slot_of(id);
                if let Some(node) = hierarchy.node(id)
                    && let Some((status, has_new_owner)) = self.place(id, hierarchy.parent_slot(slot), node)
                {
                    any_new_owner |= has_new_owner;
                    let (links, owner) = (hierarchy.links_at(slot), self.owner(slot));
                    links.colliders.iter().for_each(|collider| moved(slot_of(*collider), [slot, owner], status));
                    // Changed children have their own turn later.
                    let children = links.children.iter().rev();
                    pending.extend(children.filter(|child| !changed.contains(slot_of(*child))));
                }
                next = pending.pop();
            }
        }
        self.pending = pending;
        any_new_owner
    }

    /// Computes the world transform, the status and the owner of one node. If one of them has changed, returns the
    /// status, and `true` if the node had another owner.
    #[inline]
    fn place(&mut self, id: NodeId, parent: u32, node: &Node) -> Option<(NodeStatus, bool)> {
        let slot = slot_of(id);
        let rotation = &mut self.rotations[slot as usize];
        if rotation.angle != node.transform.rotation {
            *rotation = SinCos::new(node.transform.rotation);
        }
        let mut world = node.transform.to_affine_with(*rotation);
        let mut above = NodeStatus::ACTIVE;
        if parent != slot {
            above = self.statuses[parent as usize];
            world = self.worlds[parent as usize] * world;
        }
        let status = above.inherited(node.enabled, is_finite(&world), node.owns_subtree);
        let is_or_was_owned = status.is_owned() | self.status(slot).is_owned();
        let has_new_owner = is_or_was_owned && self.set_owner(id, parent, status.is_owned() && !node.owns_subtree);
        let (old_world, old_status) = (&mut self.worlds[slot as usize], &mut self.statuses[slot as usize]);
        if !status.is_finite() {
            world = *old_world;
            self.suspects.insert(slot);
        }
        if differ(old_world, &world) | (*old_status != status) | has_new_owner {
            (old_world.matrix2, old_world.translation, *old_status) = (world.matrix2, world.translation, status);
            return Some((status, has_new_owner));
        }
        None
    }

    /// Sets the owner of a node: that of its parent, or the node itself. Returns `true` if the node was placed and had
    /// another owner.
    fn set_owner(&mut self, id: NodeId, parent: u32, inherits: bool) -> bool {
        let (slot, owner) = (slot_of(id), if inherits { self.owners[parent as usize] } else { id });
        // The id decides: another node may have got the slot of the old owner.
        let old = core::mem::replace(&mut self.owners[slot as usize], owner);
        let status = self.status(slot);
        status.is_placed() && owner != if status.is_owned() { old } else { id }
    }
}

/// Returns `true` if two maps differ in any component or one has a NaN, without a branch for each component.
#[inline]
fn differ(a: &Affine2, b: &Affine2) -> bool {
    a.to_cols_array().into_iter().zip(b.to_cols_array()).fold(false, |differ, (a, b)| differ | (a != b))
}

/// Does the same as [`Affine2::is_finite`] without a branch for each component.
#[inline]
fn is_finite(affine: &Affine2) -> bool {
    // Zero times an infinity or a NaN is NaN, and so is the sum.
    affine.matrix2 * Vec2::ZERO + affine.translation * 0.0 == Vec2::ZERO
}
