//! The search for what is best by any measure: the nearest, the first on a ray, the furthest along a direction.

use smallvec::SmallVec;

use super::node::WIDTH;
use super::tree::Tree;
use super::{Aabb, Index};

impl Index {
    /// Visits slots about in the order of their scores, no further than the limit that `visit` returned last; the last
    /// limit. `score` tells for a box what nothing inside it is below; infinity for what is of no interest.
    pub(crate) fn best_first(
        &self,
        limit: f64,
        score: impl Fn(Aabb) -> f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        let limit = self.moving.best_first(limit, &score, &mut visit);
        self.still.best_first(limit, &score, &mut visit)
    }

    /// The box around all boxes; empty if there are none.
    pub(crate) fn extent(&self) -> Aabb {
        let whole = |tree: &Tree| if tree.height() > 0 { tree.node(tree.height(), 0).bounds() } else { Aabb::EMPTY };
        whole(&self.moving).union(whole(&self.still))
    }
}

impl Tree {
    fn best_first(&self, mut limit: f64, score: &impl Fn(Aabb) -> f64, visit: &mut impl FnMut(u32, f64) -> f64) -> f64 {
        let mut pending: SmallVec<[(f64, u32, u32); 64]> = SmallVec::new();
        if self.height() > 0 {
            pending.push((f64::NEG_INFINITY, self.height(), 0));
        }
        while let Some((own, height, index)) = pending.pop() {
            if own > limit {
                continue;
            }
            if height == 0 {
                limit = visit(self.slots()[index as usize], limit);
                continue;
            }
            // The best is visited first, so it goes on the stack last: each sinks below those that are better.
            let (node, bottom) = (self.node(height, index), pending.len());
            for lane in 0..WIDTH {
                let bounds = node.lane(lane);
                let own = if bounds.min.x <= bounds.max.x { score(bounds) } else { f64::INFINITY };
                if own < f64::INFINITY && own <= limit {
                    let mut place = pending.len();
                    pending.push((own, height - 1, index * WIDTH as u32 + lane as u32));
                    while place > bottom && pending[place - 1].0 < own {
                        pending.swap(place - 1, place);
                        place -= 1;
                    }
                }
            }
        }
        limit
    }
}
