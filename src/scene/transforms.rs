use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use glam::{Affine2, Vec2};

use super::hierarchy::{Carried, Hierarchy, Tie};
use super::memory::shrink;
use super::{Node, NodeId, slot_of};
use crate::math::Turn;

/// Where every node is in the world, as of the last refresh.
#[derive(Debug, Clone, Default)]
pub(super) struct Transforms {
    /// By slot. The identity where it would not be finite.
    worlds: Vec<Affine2>,
    /// By slot: of the rotation, so that what is only shifted need not be turned again.
    turns: Vec<Turn>,
    /// By slot.
    standings: Vec<Standing>,
    /// The topmost nodes whose world transforms are not finite.
    set_aside: BTreeSet<NodeId>,
    pending: Vec<NodeId>,
}

/// What a node inherits and passes on besides its world transform: a byte, 0 before it was ever placed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Standing(u8);

impl Standing {
    /// Its world transform and all above are finite.
    const FINITE: u8 = 1;
    /// It and all above it are enabled.
    const ENABLED: u8 = 2;
    const PLACED: u8 = 4;
    /// What the root is in.
    const OUTSIDE: Self = Self(Self::FINITE | Self::ENABLED | Self::PLACED);

    pub(super) fn is_finite(self) -> bool {
        self.0 & Self::FINITE != 0
    }

    pub(super) fn is_enabled(self) -> bool {
        self.0 & Self::ENABLED != 0
    }

    /// Whether what the node carries takes part.
    #[inline]
    pub(super) fn takes_part(self) -> bool {
        self == Self::OUTSIDE
    }

    /// The same, keeping a flag only if `holds`.
    #[inline]
    fn only_if(self, flag: u8, holds: bool) -> Self {
        Self(self.0 & (!flag | (u8::from(holds) * flag)))
    }
}

impl Transforms {
    /// The world transforms of all nodes, by slot.
    pub(super) fn worlds(&self) -> &[Affine2] {
        &self.worlds
    }

    /// The world transform of a node that there is, if it is finite.
    pub(super) fn world(&self, node: NodeId) -> Option<Affine2> {
        self.standing(node).is_finite().then(|| self.worlds[slot_of(node) as usize])
    }

    /// How a node stands that there is.
    #[inline]
    pub(super) fn standing(&self, node: NodeId) -> Standing {
        self.standings[slot_of(node) as usize]
    }

    /// The topmost nodes whose world transforms are not finite, in order of their ids.
    pub(super) fn set_aside(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.set_aside.iter().copied()
    }

    /// Gives back memory beyond that of so many slots.
    pub(super) fn shrink_to_fit(&mut self, slots: usize) {
        shrink(&mut self.worlds, slots);
        shrink(&mut self.turns, slots);
        shrink(&mut self.standings, slots);
        self.pending = Vec::new();
    }

    pub(super) fn forget(&mut self, node: NodeId) {
        if let Some(standing) = self.standings.get_mut(slot_of(node) as usize) {
            *standing = Standing::default();
        }
        self.set_aside.remove(&node);
    }

    /// Brings the touched nodes and what hangs on them up to date. They are given with their depths, parents before
    /// children. `changed` is told the slots of every collider on a node that stands elsewhere or otherwise now, and of
    /// the node.
    pub(super) fn refresh(
        &mut self,
        hierarchy: &Hierarchy,
        touched: &[(u32, NodeId)],
        mut changed: impl FnMut(u32, u32, Standing),
    ) {
        self.worlds.resize(hierarchy.slots(), Affine2::IDENTITY);
        self.turns.resize(hierarchy.slots(), Turn::NONE);
        self.standings.resize(hierarchy.slots(), Standing::default());
        let mut pending = core::mem::take(&mut self.pending);
        for (_, node) in touched {
            let mut next = Some(*node);
            while let Some(id) = next {
                if let Some((node, tie)) = hierarchy.entry(id)
                    && let Some(standing) = self.place(id, node, tie)
                {
                    match tie.carried {
                        Carried::Nothing => {}
                        Carried::One(collider) => changed(collider, slot_of(id), standing),
                        Carried::Several => {
                            let colliders = hierarchy.colliders(id).iter();
                            colliders.for_each(|collider| changed(slot_of(*collider), slot_of(id), standing));
                        }
                    }
                    // What did not change does not change its children, and those that were touched come later anyway.
                    if tie.branches {
                        let children = hierarchy.children_reversed(id);
                        pending.extend(children.filter(|child| !hierarchy.is_touched(*child)));
                    }
                }
                next = pending.pop();
            }
        }
        self.pending = pending;
    }

    /// Places one node under its parent; how it stands, if anything is new.
    #[inline]
    fn place(&mut self, id: NodeId, node: &Node, tie: &Tie) -> Option<Standing> {
        let slot = slot_of(id) as usize;
        let turn = &mut self.turns[slot];
        if turn.angle != node.transform.rotation {
            *turn = Turn::new(node.transform.rotation);
        }
        let mut world = node.transform.to_affine_turned(*turn);
        let mut above = Standing::OUTSIDE;
        if tie.parent != slot_of(id) {
            above = self.standings[tie.parent as usize];
            world = self.worlds[tie.parent as usize] * world;
        }
        let standing = above.only_if(Standing::ENABLED, node.enabled).only_if(Standing::FINITE, is_finite(&world));
        if !standing.is_finite() || !self.set_aside.is_empty() {
            world = self.sort_out(id, world, standing, above);
        }
        let (old_world, old_standing) = (&mut self.worlds[slot], &mut self.standings[slot]);
        if differ(old_world, &world) | (*old_standing != standing) {
            (old_world.matrix2, old_world.translation, *old_standing) = (world.matrix2, world.translation, standing);
            return Some(standing);
        }
        None
    }

    /// Takes in whether a node is the topmost that is not finite; what is to stand for its world transform.
    #[cold]
    fn sort_out(&mut self, id: NodeId, world: Affine2, standing: Standing, above: Standing) -> Affine2 {
        if standing.is_finite() == above.is_finite() {
            self.set_aside.remove(&id);
        } else {
            self.set_aside.insert(id);
        }
        if standing.is_finite() { world } else { Affine2::IDENTITY }
    }
}

/// Whether two finite maps are not the same, without a branch for each component.
#[inline]
fn differ(a: &Affine2, b: &Affine2) -> bool {
    a.to_cols_array().into_iter().zip(b.to_cols_array()).fold(false, |differ, (a, b)| differ | (a != b))
}

/// The same as the method of that name, without a branch either.
#[inline]
fn is_finite(affine: &Affine2) -> bool {
    // Zero times what is not finite is NaN, and so is the sum.
    affine.matrix2 * Vec2::ZERO + affine.translation * 0.0 == Vec2::ZERO
}
