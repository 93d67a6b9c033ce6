use alloc::vec::Vec;

use glam::{Affine2, Vec2};

use super::{Hierarchy, Node, NodeStatus};
use crate::math::SinCos;

use crate::scene::slot_set::SlotSet;
use crate::scene::{NodeId, shrink, slot_of};

/// The world transforms of all nodes as of the last refresh.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct Transforms {
    /// By slot: the world transform when it was last finite; NaN if it never was.
    worlds: Vec<Affine2>,
    /// By slot: sine and cosine of the rotation, because most nodes move without turning.
    rotations: Vec<SinCos>,
    /// By slot.
    statuses: Vec<NodeStatus>,
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

    /// Computes the world transforms of the changed nodes and of their subtrees. Parents come before their children
    /// among the changed nodes. Calls `moved` with the slots of every collider on a node whose transform or status has
    /// changed, and of the node.
    pub(in crate::scene) fn refresh(
        &mut self,
        hierarchy: &Hierarchy,
        changed: &SlotSet,
        mut moved: impl FnMut(u32, u32, NodeStatus),
    ) {
        self.worlds.resize(hierarchy.slots(), Affine2::NAN);
        self.rotations.resize(hierarchy.slots(), SinCos::ZERO);
        self.statuses.resize(hierarchy.slots(), NodeStatus::default());
        let mut pending = core::mem::take(&mut self.pending);
        for slot in changed.slots() {
            let mut next = Some(hierarchy.id(*slot));
            while let Some(id) = next {
                let slot = slot_of(id);
                if let Some(node) = hierarchy.node(id)
                    && let Some(status) = self.place(slot, hierarchy.parent_slot(slot), node)
                {
                    let links = hierarchy.links_at(slot);
                    links.colliders.iter().for_each(|collider| moved(slot_of(*collider), slot, status));
                    // Changed children have their own turn later.
                    let children = links.children.iter().rev();
                    pending.extend(children.filter(|child| !changed.contains(slot_of(*child))));
                }
                next = pending.pop();
            }
        }
        self.pending = pending;
    }

    /// Computes the world transform and the status of one node. Returns the status if one of the two has changed.
    #[inline]
    fn place(&mut self, slot: u32, parent: u32, node: &Node) -> Option<NodeStatus> {
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
        let status = above.inherited(node.enabled, is_finite(&world));
        let (old_world, old_status) = (&mut self.worlds[slot as usize], &mut self.statuses[slot as usize]);
        if !status.is_finite() {
            world = *old_world;
            self.suspects.insert(slot);
        }
        if differ(old_world, &world) | (*old_status != status) {
            (old_world.matrix2, old_world.translation, *old_status) = (world.matrix2, world.translation, status);
            return Some(status);
        }
        None
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
