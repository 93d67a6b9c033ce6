//! Searches of one tree: all boxes in a region, and best first by a score.

use core::ops::ControlFlow;

use super::bvh::{Bvh, MAX_HEIGHT};
use super::node8::{Node8, WIDTH, lanes};
use crate::math::Aabb;

/// A node with the scores of its lanes, and the mask of those that wait to be visited.
#[derive(Clone, Copy)]
struct Open<S> {
    node: u32,
    mask: u32,
    scores: [S; WIDTH],
}

/// The order in which a search visits the leaves of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LeafOrder {
    BestFirst,
    /// The order in which they are stored. It makes casts up to 5 % faster (W3 of `benches/peers`).
    Any,
}

impl Bvh {
    /// Visits the slots whose boxes overlap a finite region, with their boxes, in no particular order.
    #[inline]
    pub(super) fn in_region(
        &self,
        region: Aabb,
        visit: &mut impl FnMut(u32, Aabb) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let levels = &*self.levels;
        let Some((top, below)) = levels.split_last() else { return ControlFlow::Continue(()) };
        let (mut level, mut node, mut mask) = (below.len() as u32, 0, top[0].overlapping(region));
        // The nodes on the way down that have more lanes to visit: level, node and mask. At most one of each level. With
        // an entry for every level, as in `best_first`, the colliders at a point take 5 % more instructions.
        let (mut waiting, mut count) = ([(0_u32, 0_u32, 0_u32); MAX_HEIGHT], 0);
        loop {
            if level == 0 {
                for lane in lanes(mask) {
                    visit(self.slots[node as usize * WIDTH + lane], levels[0][node as usize].lane(lane))?;
                }
                mask = 0;
            }
            if mask == 0 {
                if count == 0 {
                    return ControlFlow::Continue(());
                }
                count -= 1;
                (level, node, mask) = waiting[count];
            }
            let child = node * WIDTH as u32 + mask.trailing_zeros();
            mask &= mask - 1;
            if mask != 0 {
                waiting[count] = (level, node, mask);
                count += 1;
            }
            level -= 1;
            (node, mask) = (child, levels[level as usize][child as usize].overlapping(region));
        }
    }

    /// Visits slots, the best scores about first, up to the limit that `visit` returned last. Returns the last limit.
    ///
    /// `score` takes a node and the limit. It returns the score of each lane, which must be a lower bound of the scores
    /// of everything inside that lane, and the mask of the lanes whose scores are within the limit.
    ///
    /// The search is depth first, with the children of each node in the order of their scores; the slots of different
    /// nodes are therefore only roughly in order.
    // Inlined into each query, so that the operands of `score` stay in registers: without it rays take 10 % longer (W3
    // of `benches/peers`).
    #[inline(always)]
    pub(super) fn best_first<S: Copy + PartialOrd>(
        &self,
        leaf_order: LeafOrder,
        mut limit: S,
        score: &impl Fn(&Node8, S) -> ([S; WIDTH], u32),
        visit: &mut impl FnMut(u32, S) -> S,
    ) -> S {
        let Some(top) = self.levels.len().checked_sub(1) else { return limit };
        // For each level on the way down, the node and its lanes that are still to be visited.
        let mut path = [Open { node: 0, mask: 0, scores: [limit; WIDTH] }; MAX_HEIGHT];
        let (scores, mask) = score(&self.levels[top][0], limit);
        path[top] = Open { node: 0, mask, scores };
        let mut level = top;
        loop {
            let Open { node, mask, scores } = &mut path[level];
            if *mask == 0 {
                if level == top {
                    return limit;
                }
                level += 1;
                continue;
            }
            let is_sorted = leaf_order == LeafOrder::BestFirst || level > 0;
            let lane = if is_sorted { best_lane(scores, *mask) } else { mask.trailing_zeros() as usize };
            *mask &= !(1 << lane);
            if scores[lane] > limit {
                continue;
            }
            let child = *node as usize * WIDTH + lane;
            if level == 0 {
                limit = visit(self.slots[child], limit);
            } else {
                level -= 1;
                let (scores, mask) = score(&self.levels[level][child], limit);
                path[level] = Open { node: child as u32, mask, scores };
            }
        }
    }
}

/// Returns the lane with the smallest score among those of a mask that is not empty.
#[inline]
fn best_lane<S: Copy + PartialOrd>(scores: &[S; WIDTH], mask: u32) -> usize {
    let first = mask.trailing_zeros() as usize;
    lanes(mask).fold(first, |best, lane| if scores[lane] <= scores[best] { lane } else { best })
}
