use std::collections::BTreeSet;

use glam::Affine2;
use slotmap::SecondaryMap;

use super::hierarchy::{Entry, Hierarchy};
use super::{ColliderId, NodeId};

/// Where every node is in the world, as of the last refresh.
#[derive(Debug, Clone, Default)]
pub(super) struct Transforms {
    placements: SecondaryMap<NodeId, Placement>,
    /// The topmost nodes whose world transforms are not finite.
    set_aside: BTreeSet<NodeId>,
    pending: Vec<NodeId>,
}

/// What a node inherits and passes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement {
    /// The identity where it is not finite.
    pub(super) world: Affine2,
    pub(super) finite: bool,
    /// Whether it and all above it are enabled.
    pub(super) enabled: bool,
}

impl Transforms {
    pub(super) fn placement(&self, node: NodeId) -> Option<&Placement> {
        self.placements.get(node)
    }

    /// The topmost nodes whose world transforms are not finite, in order of their ids.
    pub(super) fn set_aside(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.set_aside.iter().copied()
    }

    pub(super) fn forget(&mut self, node: NodeId) {
        self.placements.remove(node);
        self.set_aside.remove(&node);
    }

    /// Brings the touched nodes and what hangs on them up to date. They are given with their depths, parents before
    /// children. `changed` is told every node whose placement is another now, with its colliders.
    pub(super) fn refresh(
        &mut self,
        hierarchy: &Hierarchy,
        touched: &[(u32, NodeId)],
        mut changed: impl FnMut(&[ColliderId], &Placement),
    ) {
        let mut pending = std::mem::take(&mut self.pending);
        for (_, node) in touched {
            pending.push(*node);
            while let Some(node) = pending.pop() {
                let Some(entry) = hierarchy.entry(node) else { continue };
                // What did not change does not change its children, and those that were touched come later.
                if let Some(placement) = self.place(node, entry) {
                    changed(&entry.colliders, &placement);
                    pending.extend(entry.children.iter().rev());
                }
            }
        }
        self.pending = pending;
    }

    /// Places one node under its parent; the placement if it is another now.
    #[inline]
    fn place(&mut self, node: NodeId, entry: &Entry) -> Option<Placement> {
        let above = entry.parent.and_then(|parent| self.placements.get(parent)).copied().unwrap_or(Placement::OUTSIDE);
        let world = above.world * entry.node.transform.to_affine();
        let finite = above.finite && world.is_finite();
        let placement = Placement {
            world: if finite { world } else { Affine2::IDENTITY },
            finite,
            enabled: above.enabled && entry.node.enabled,
        };
        if !finite && above.finite {
            self.set_aside.insert(node);
        } else if !self.set_aside.is_empty() {
            self.set_aside.remove(&node);
        }
        (self.placements.insert(node, placement) != Some(placement)).then_some(placement)
    }
}

impl Placement {
    /// What the root is in.
    const OUTSIDE: Self = Self { world: Affine2::IDENTITY, finite: true, enabled: true };
}
