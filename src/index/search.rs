//! Searches of one tree: all boxes in a region, and best first by a score.

use core::ops::ControlFlow;

use smallvec::SmallVec;

use super::bvh::{Bvh, MAX_HEIGHT};
use super::node8::{Node8, WIDTH, lanes};
use crate::math::Aabb;

/// Score, height and number of each node that waits to be visited. It never spills to the heap: each height leaves at
/// most seven siblings waiting.
type Pending<S> = SmallVec<[(S, u32, u32); WIDTH * MAX_HEIGHT]>;

impl Bvh {
    /// Visits the slots whose boxes overlap a finite region, in no particular order.
    #[inline]
    pub(super) fn in_region<B>(&self, region: Aabb, visit: &mut impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let levels = self.levels.as_slice();
        let Some((top, root)) = levels.split_last().and_then(|(top, _)| Some((levels.len() - 1, top.first()?))) else {
            return ControlFlow::Continue(());
        };
        // On the way down, for each level the node and the mask of its lanes that are still to be visited.
        let mut path = [(0_u32, 0_u32); MAX_HEIGHT];
        path[top] = (0, root.overlapping(region));
        let mut level = top;
        loop {
            let (node, left) = &mut path[level];
            if *left == 0 {
                if level == top {
                    return ControlFlow::Continue(());
                }
                level += 1;
                continue;
            }
            let child = *node * WIDTH as u32 + left.trailing_zeros();
            *left &= *left - 1;
            if level == 0 {
                visit(self.slots[child as usize])?;
            } else {
                level -= 1;
                path[level] = (child, levels[level][child as usize].overlapping(region));
            }
        }
    }

    /// Visits slots, the best scores about first, up to the limit that `visit` returned last. Returns the last limit.
    ///
    /// With `SORT_LEAVES`, the leaves of a node are visited in the order of their scores, otherwise in any order. It is
    /// off for casts, which it makes up to 5 % slower (W3 of `benches/peers`).
    ///
    /// `score` takes a node and the limit. It returns the score of each lane, which must be a lower bound of the scores
    /// of everything inside that lane, and the mask of the lanes whose scores are within the limit.
    ///
    /// The search is depth first, with the children of each node in the order of their scores; the slots of different
    /// nodes are therefore only roughly in order.
    // Inlined into each query, so that the operands of `score` stay in registers: without it rays take 10 % longer (W3
    // of `benches/peers`).
    #[inline(always)]
    pub(super) fn best_first<S: Copy + PartialOrd, const SORT_LEAVES: bool>(
        &self,
        mut limit: S,
        score: &impl Fn(&Node8, S) -> ([S; WIDTH], u32),
        visit: &mut impl FnMut(u32, S) -> S,
    ) -> S {
        let mut pending: Pending<S> = SmallVec::new();
        if self.height() > 0 {
            pending.push((limit, self.height(), 0));
        }
        while let Some((own, height, node)) = pending.pop() {
            if own > limit {
                continue;
            }
            let (scores, mut mask) = score(&self.nodes(height)[node as usize], limit);
            if height > 1 {
                push_children(&mut pending, scores, mask, height, node);
                continue;
            }
            while mask != 0 {
                let lane = if SORT_LEAVES { best_lane(&scores, mask) } else { mask.trailing_zeros() as usize };
                mask &= !(1 << lane);
                if scores[lane] > limit {
                    continue;
                }
                limit = visit(self.slots[node as usize * WIDTH + lane], limit);
            }
        }
        limit
    }
}

/// Returns the lane with the smallest score among those of a mask that is not empty.
#[inline]
fn best_lane<S: Copy + PartialOrd>(scores: &[S; WIDTH], mask: u32) -> usize {
    let first = mask.trailing_zeros() as usize;
    lanes(mask).fold(first, |best, lane| if scores[lane] <= scores[best] { lane } else { best })
}

/// Pushes the children of a node, sorted by insertion: the best is pushed last, because the last is visited first.
#[inline]
fn push_children<S: Copy + PartialOrd>(
    pending: &mut Pending<S>,
    scores: [S; WIDTH],
    mask: u32,
    height: u32,
    node: u32,
) {
    let bottom = pending.len();
    for lane in lanes(mask) {
        let mut place = pending.len();
        pending.push((scores[lane], height - 1, node * WIDTH as u32 + lane as u32));
        while place > bottom && pending[place - 1].0 < pending[place].0 {
            pending.swap(place - 1, place);
            place -= 1;
        }
    }
}
