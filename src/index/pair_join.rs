//! All pairs of overlapping boxes of two trees, or of a list and a tree.
//!
//! The join descends all trees at once, a whole level at a time.
//!
//! Source: T. Brinkhoff, H.-P. Kriegel and B. Seeger, *Efficient processing of spatial joins using R-trees* (1993), in
//! the breadth-first form of Y.-W. Huang, N. Jing and E. Rundensteiner, *Spatial joins using R-trees* (1997).

use alloc::vec::Vec;

use super::bvh::Bvh;
use super::node8::{WIDTH, lane};
use crate::math::{Aabb, extend_to};

/// The buffers of a join. An instance may be used again for any trees.
#[derive(Debug, Default)]
pub(crate) struct PairJoin {
    pairs: PairList,
    next: PairList,
}

impl PairJoin {
    /// Returns the slots of every overlapping pair of a box of `a` and a box of `b`; of one tree and itself, each pair of
    /// different boxes once.
    pub(super) fn join(&mut self, a: &Bvh, b: &Bvh) -> impl Iterator<Item = [u32; 2]> {
        let (is_same, mut height_a, mut height_b) = (core::ptr::eq(a, b), a.height(), b.height());
        let is_sparse = a.slots.len() * 4 < b.slots.len();
        let above_roots = [a.above_root(), b.above_root()];
        self.pairs.start((height_a > 0 && height_b > 0).then_some([0, 0]).into_iter());
        while self.pairs.len > 0 && height_b > 0 {
            // First `a` descends, then `b`; the lower tree waits until both have the same height. A few boxes far apart
            // have large nodes, so a sparse `a` descends to its leaves first. Otherwise 1,000 moving colliders among
            // 100,000 still ones (W2 of `benches/peers`) update with about a fifth more instructions. Either way `b` never
            // reaches its leaves before `a`.
            let (descends_a, descends_b) =
                if is_sparse { (height_a > 0, height_a == 0) } else { (height_a >= height_b, height_b >= height_a) };
            if descends_a {
                let (nodes, boxes) = (a.nodes(height_a), b.boxes(height_b, &above_roots[1]));
                self.descend_level(
                    |[first, second]| nodes[first as usize].overlapping(lane(boxes, second as usize)),
                    |[first, second], lane| [first * WIDTH as u32 + lane, second],
                );
                height_a -= 1;
            }
            if descends_b {
                let (nodes, boxes) = (b.nodes(height_b), a.boxes(height_a, &above_roots[0]));
                // Of one tree, each pair of siblings once; above the leaves, also each node paired with itself.
                let skips_itself = u32::from(height_a == 0);
                let once = |[first, second]: [u32; 2]| {
                    let is_parent = is_same & (first / WIDTH as u32 == second);
                    if is_parent { u32::MAX << (first % WIDTH as u32 + skips_itself) } else { u32::MAX }
                };
                self.descend_level(
                    |[first, second]| {
                        nodes[second as usize].overlapping(lane(boxes, first as usize)) & once([first, second])
                    },
                    |[first, second], lane| [first, second * WIDTH as u32 + lane],
                );
                height_b -= 1;
            }
        }
        let (a, b) = (a.slots.as_slice(), b.slots.as_slice());
        self.pairs.as_slice().iter().map(|[first, second]| [a[*first as usize], b[*second as usize]])
    }

    /// Returns every overlapping pair of a box of a list and a box of a tree, as the position in the list and the slot.
    ///
    /// It has almost no branches that depend on the boxes, so for a few hundred boxes it takes about a quarter of the
    /// time of as many searches.
    pub(super) fn around(&mut self, boxes: &[Aabb], bvh: &Bvh) -> impl Iterator<Item = [u32; 2]> {
        let count = if bvh.height() > 0 { boxes.len() as u32 } else { 0 };
        self.pairs.start((0..count).map(|position| [position, 0]));
        for height in (1..=bvh.height()).rev() {
            let nodes = bvh.nodes(height);
            self.descend_level(
                |[position, node]| nodes[node as usize].overlapping(boxes[position as usize]),
                |[position, node], lane| [position, node * WIDTH as u32 + lane],
            );
        }
        self.pairs.as_slice().iter().map(|[position, leaf]| [*position, bvh.slots[*leaf as usize]])
    }

    /// Replaces each pair by its children: `child(pair, lane)` for each lane of its `mask`.
    #[inline]
    fn descend_level(&mut self, mask: impl Fn([u32; 2]) -> u32, child: impl Fn([u32; 2], u32) -> [u32; 2]) {
        self.next.fill(self.pairs.as_slice(), mask, child);
        core::mem::swap(&mut self.pairs, &mut self.next);
    }
}

/// A list that is filled almost without branches: a mispredicted branch costs more than a few superfluous writes.
#[derive(Debug, Default)]
struct PairList {
    /// Valid up to `len`.
    items: Vec<[u32; 2]>,
    len: usize,
}

impl PairList {
    /// Replaces the content.
    fn start(&mut self, pairs: impl ExactSizeIterator<Item = [u32; 2]>) {
        self.len = pairs.len();
        extend_to(&mut self.items, self.len, [0; 2]);
        self.items.iter_mut().zip(pairs).for_each(|(item, pair)| *item = pair);
    }

    fn as_slice(&self) -> &[[u32; 2]] {
        &self.items[..self.len]
    }

    /// Replaces the content by `child(pair, lane)` for each pair of `from` and each lane of its `mask`.
    #[inline]
    fn fill(&mut self, from: &[[u32; 2]], mask: impl Fn([u32; 2]) -> u32, child: impl Fn([u32; 2], u32) -> [u32; 2]) {
        let mut len = 0;
        for pair in from {
            if self.items.len() < len + WIDTH {
                extend_to(&mut self.items, len + len / 8 + 2 * WIDTH, [0; 2]);
            }
            let Some(window) = self.items[len..].first_chunk_mut::<WIDTH>() else { break };
            let (lanes, count) = &LANES[mask(*pair) as usize % LANES.len()];
            let count = usize::from(*count);
            for (place, lane) in window[..COMMON_COUNT].iter_mut().zip(lanes) {
                *place = child(*pair, u32::from(*lane));
            }
            if count > COMMON_COUNT {
                for (place, lane) in window.iter_mut().zip(lanes).skip(COMMON_COUNT) {
                    *place = child(*pair, u32::from(*lane));
                }
            }
            len += count;
        }
        self.len = len;
    }
}

/// Few masks have more lanes than this, so the branch for them is predictable.
const COMMON_COUNT: usize = WIDTH / 2;

/// For each byte, the bits that are set, lowest first, and their number, which takes the baseline x86-64 many
/// instructions to count.
static LANES: [([u8; WIDTH], u8); 256] = {
    let mut table = [([0; WIDTH], 0); 256];
    let mut byte = 0;
    while byte < table.len() {
        let (lanes, count) = &mut table[byte];
        let mut lane = 0;
        while lane < WIDTH {
            if byte >> lane & 1 == 1 {
                lanes[*count as usize] = lane as u8;
                *count += 1;
            }
            lane += 1;
        }
        byte += 1;
    }
    table
};
