use alloc::vec::Vec;

use glam::{Affine2, Vec2};
use slotmap::Key;

use super::{Hierarchy, Node, NodeStatus};
use crate::math::{SinCos, SlotSet, clone_fields};
use crate::scene::{NodeId, shrink, slot_of};

/// Of so many changed nodes, sines and cosines are computed before the world transforms.
const TURNED_TOGETHER: usize = 64;

/// The facts that nodes inherit from their ancestors, as of the last refresh: world transform, status and owner.
#[derive(Debug, Default)]
pub(in crate::scene) struct Transforms {
    /// By slot: the world transform when it was last finite; NaN if it never was. Without meaning unless the status is
    /// placed.
    worlds: Vec<Affine2>,
    /// By slot: sine and cosine of the rotation, because most nodes move without turning.
    rotations: Vec<SinCos>,
    /// By slot.
    statuses: Vec<NodeStatus>,
    /// By slot: the owner of the node's colliders. Without meaning unless the status is owned; otherwise it is the node
    /// itself. A scene without owners therefore needs no memory here.
    owners: Vec<NodeId>,
    /// Every node that is quarantined below a finite parent, and maybe others.
    suspects: SlotSet,
    pending: Vec<u32>,
}

clone_fields!(Transforms { worlds, rotations, statuses, owners, suspects; scratch: pending });

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
        let slots = hierarchy.slots();
        self.reserve(slots);
        let Self { worlds, rotations, statuses, owners, suspects, pending } = self;
        // Of equal length, so that one check of a slot does for all of them.
        let (worlds, rotations, statuses) = (&mut worlds[..slots], &mut rotations[..slots], &mut statuses[..slots]);
        let mut places = Places { worlds, rotations, statuses, owners, suspects };
        let root = slot_of(hierarchy.root());
        let mut root_at_rest = places.root_at_rest(root);
        let mut any_new_owner = false;
        for slots in changed.slots().chunks(TURNED_TOGETHER) {
            // Other nodes that this reaches have not turned: every node that may be edited or has appeared is among them.
            places.turn(hierarchy, slots);
            for slot in slots {
                let mut next = Some(*slot);
                while let Some(slot) = next {
                    if let Some(node) = hierarchy.node_at(slot)
                        && let Some((status, has_new_owner)) = places.place(hierarchy, slot, node, root_at_rest)
                    {
                        any_new_owner |= has_new_owner;
                        for collider in hierarchy.colliders_at(slot) {
                            moved(slot_of(*collider), [slot, places.owner(slot, status)], status);
                        }
                        if hierarchy.has_children(slot) {
                            // Changed children have their own turn later.
                            pending
                                .extend(hierarchy.child_slots_reversed(slot).filter(|child| !changed.contains(*child)));
                            if slot == root {
                                root_at_rest = places.root_at_rest(root);
                            }
                        }
                    }
                    next = pending.pop();
                }
            }
        }
        any_new_owner
    }

    /// Makes room for so many slots.
    fn reserve(&mut self, slots: usize) {
        if self.statuses.len() < slots {
            self.worlds.resize(slots, Affine2::NAN);
            self.rotations.resize(slots, SinCos::ZERO);
            self.statuses.resize(slots, NodeStatus::default());
        }
    }
}

/// The same arrays during a refresh.
struct Places<'a> {
    worlds: &'a mut [Affine2],
    rotations: &'a mut [SinCos],
    statuses: &'a mut [NodeStatus],
    owners: &'a mut Vec<NodeId>,
    suspects: &'a mut SlotSet,
}

impl Places<'_> {
    /// Returns the slot of the root if its world transform is the identity, and a slot without a node otherwise. World
    /// transforms of the children of such a root are their own transforms, which saves a product.
    fn root_at_rest(&self, root: u32) -> u32 {
        let is_at_rest = self.statuses[root as usize].is_finite() && self.worlds[root as usize] == Affine2::IDENTITY;
        if is_at_rest { root } else { u32::MAX }
    }

    /// Brings the sines and cosines of nodes up to date.
    fn turn(&mut self, hierarchy: &Hierarchy, slots: &[u32]) {
        let (mut turned, mut angles, mut count) = ([0; SinCos::BATCH], [0.0; SinCos::BATCH], 0);
        for &slot in slots {
            let Some(node) = hierarchy.node_at(slot) else { continue };
            let angle = node.transform.rotation;
            // Bits, because the cache must not depend on the history: the sines of 0 and -0 differ.
            if self.rotations[slot as usize].angle.to_bits() == angle.to_bits() {
                continue;
            }
            if !SinCos::is_small(angle) {
                self.rotations[slot as usize] = SinCos::new(angle);
                continue;
            }
            (turned[count], angles[count]) = (slot, angle);
            count += 1;
            if count == SinCos::BATCH {
                for (slot, rotation) in turned.into_iter().zip(SinCos::batch(angles)) {
                    self.rotations[slot as usize] = rotation;
                }
                count = 0;
            }
        }
        for (slot, angle) in turned.into_iter().zip(angles).take(count) {
            self.rotations[slot as usize] = SinCos::new(angle);
        }
    }

    /// Computes the world transform, the status and the owner of one node. If one of them has changed, returns the
    /// status, and `true` if the node had another owner.
    #[inline(always)]
    fn place(
        &mut self,
        hierarchy: &Hierarchy,
        slot: u32,
        node: &Node,
        root_at_rest: u32,
    ) -> Option<(NodeStatus, bool)> {
        let parent = hierarchy.parent_slot(slot);
        let mut world = node.transform.to_affine_with(self.rotations[slot as usize]);
        let mut above = NodeStatus::ACTIVE;
        if parent != slot {
            above = self.statuses[parent as usize];
            if parent != root_at_rest {
                world = self.worlds[parent as usize] * world;
            }
        }
        let old_status = self.statuses[slot as usize];
        let status = above.inherited(node.enabled, is_finite(&world), node.owns_subtree);
        let has_new_owner = (status.is_owned() | old_status.is_owned())
            && self.set_owner(hierarchy.id(slot), parent, status.is_owned() && !node.owns_subtree);
        if !status.is_finite() {
            world = if old_status.is_placed() { self.worlds[slot as usize] } else { Affine2::NAN };
            self.suspects.insert(slot);
        }
        let old_world = &mut self.worlds[slot as usize];
        if differ(old_world, &world) | (old_status != status) | has_new_owner {
            (old_world.matrix2, old_world.translation) = (world.matrix2, world.translation);
            self.statuses[slot as usize] = status;
            return Some((status, has_new_owner));
        }
        None
    }

    /// Returns the slot of the owner of the colliders on the node in a slot, given its status.
    #[inline]
    fn owner(&self, slot: u32, status: NodeStatus) -> u32 {
        if status.is_owned() { slot_of(self.owners[slot as usize]) } else { slot }
    }

    /// Sets the owner of a node: that of its parent, or the node itself. Returns `true` if the node was placed and had
    /// another owner.
    fn set_owner(&mut self, id: NodeId, parent: u32, inherits: bool) -> bool {
        let slot = slot_of(id);
        self.owners.resize(self.statuses.len(), NodeId::null());
        let owner = if inherits { self.owners[parent as usize] } else { id };
        // The id decides: another node may have got the slot of the old owner.
        let old = core::mem::replace(&mut self.owners[slot as usize], owner);
        let status = self.statuses[slot as usize];
        status.is_placed() && owner != if status.is_owned() { old } else { id }
    }
}

/// Returns `true` if two maps have different bits, without a branch for each component.
#[inline]
fn differ(a: &Affine2, b: &Affine2) -> bool {
    let components = a.to_cols_array().into_iter().zip(b.to_cols_array());
    components.fold(0, |differ, (a, b)| differ | (a.to_bits() ^ b.to_bits())) != 0
}

/// Does the same as [`Affine2::is_finite`] without a branch for each component.
#[inline]
fn is_finite(affine: &Affine2) -> bool {
    // Zero times an infinity or a NaN is NaN, and so is the sum.
    (affine.matrix2 * Vec2::ZERO + affine.translation * 0.0).element_sum() == 0.0
}
