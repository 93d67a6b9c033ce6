//! All pairs of overlapping boxes of one or two trees, or of a list and a tree.
//!
//! The join descends all trees at once, a whole level at a time.
//!
//! Source: T. Brinkhoff, H.-P. Kriegel and B. Seeger, *Efficient processing of spatial joins using R-trees* (1993), in
//! the breadth-first form of Y.-W. Huang, N. Jing and E. Rundensteiner, *Spatial joins using R-trees* (1997).

use alloc::vec::Vec;

use super::bvh::Bvh;
use super::node8::{Node8, WIDTH, lane};
use crate::math::{Aabb, extend_to};

/// The buffers of joins. An instance may be used again for any trees.
#[derive(Debug, Default)]
pub(crate) struct PairJoin {
    pairs: PairList,
    /// The boxes of a list, each with its slot.
    boxes: Vec<(u32, Aabb)>,
}

impl PairJoin {
    /// Visits the slots of every overlapping pair of different boxes of a tree, each pair once.
    pub(super) fn within(&mut self, bvh: &Bvh, visit: impl FnMut([u32; 2])) {
        let above_root = bvh.above_root();
        self.pairs.start(u32::from(bvh.height() > 0));
        for height in (1..=bvh.height()).rev() {
            let nodes = bvh.nodes(height);
            self.pairs.descend_first(nodes, bvh.boxes(height, &above_root));
            // Each pair of siblings once; above the leaves, also each node paired with itself.
            let skips_itself = u32::from(height == 1);
            self.pairs.descend_second(|[first, second]| {
                let is_parent = first / WIDTH as u32 == second;
                let once = if is_parent { u32::MAX << (first % WIDTH as u32 + skips_itself) } else { u32::MAX };
                nodes[second as usize].overlapping(lane(nodes, first as usize)) & once
            });
        }
        self.pairs.iter().map(|pair| pair.map(|leaf| bvh.slots[leaf as usize])).for_each(visit);
    }

    /// Visits the slots of every overlapping pair of a box of `a` and a box of `b`.
    pub(super) fn between(&mut self, a: &Bvh, b: &Bvh, visit: impl FnMut([u32; 2])) {
        let (mut height_a, mut height_b) = (a.height(), b.height());
        let is_sparse = a.slots.len() * 4 < b.slots.len();
        let above_roots = [a.above_root(), b.above_root()];
        self.pairs.start(u32::from(height_a > 0 && height_b > 0));
        while self.pairs.len > 0 && height_b > 0 {
            // First `a` descends, then `b`; the lower tree waits until both have the same height. A few boxes far apart
            // have large nodes, so a sparse `a` descends to its leaves first. Otherwise 1,000 moving colliders among
            // 100,000 still ones (W2 of `benches/peers`) update with about a fifth more instructions. Either way `b` never
            // reaches its leaves before `a`.
            let (descends_a, descends_b) =
                if is_sparse { (height_a > 0, height_a == 0) } else { (height_a >= height_b, height_b >= height_a) };
            if descends_a {
                self.pairs.descend_first(a.nodes(height_a), b.boxes(height_b, &above_roots[1]));
                height_a -= 1;
            }
            if descends_b {
                let (nodes, boxes) = (b.nodes(height_b), a.boxes(height_a, &above_roots[0]));
                self.pairs
                    .descend_second(|[first, second]| nodes[second as usize].overlapping(lane(boxes, first as usize)));
                height_b -= 1;
            }
        }
        self.pairs.iter().map(|[first, second]| [a.slots[first as usize], b.slots[second as usize]]).for_each(visit);
    }

    /// Visits the slots of every overlapping pair of a box of a list and a box of one of the trees.
    ///
    /// It has almost no branches that depend on the boxes, so for a few hundred boxes it takes about a quarter of the
    /// time of as many searches.
    pub(super) fn around(
        &mut self,
        list: impl Iterator<Item = (u32, Aabb)>,
        trees: [&Bvh; 2],
        mut visit: impl FnMut([u32; 2]),
    ) {
        let Self { pairs, boxes } = self;
        boxes.clear();
        boxes.extend(list);
        for bvh in trees {
            pairs.start(if bvh.height() > 0 { boxes.len() as u32 } else { 0 });
            for height in (1..=bvh.height()).rev() {
                let nodes = bvh.nodes(height);
                pairs.descend_second(|[place, node]| nodes[node as usize].overlapping(boxes[place as usize].1));
            }
            pairs.iter().for_each(|[place, leaf]| visit([boxes[place as usize].0, bvh.slots[leaf as usize]]));
        }
    }
}

/// A list of pairs of nodes. It is filled almost without branches: a mispredicted branch costs more than a few
/// superfluous writes.
#[derive(Debug, Default)]
struct PairList {
    /// Valid up to `len`.
    items: Vec<[u32; 2]>,
    len: usize,
    /// The memory for the next content.
    next: Vec<[u32; 2]>,
}

impl PairList {
    /// Replaces the content by the pairs of the numbers below `count` with a root, which has the number 0.
    fn start(&mut self, count: u32) {
        self.len = count as usize;
        extend_to(&mut self.items, self.len, [0; 2]);
        self.items.iter_mut().zip(0..count).for_each(|(item, first)| *item = [first, 0]);
    }

    fn iter(&self) -> impl Iterator<Item = [u32; 2]> {
        self.items[..self.len].iter().copied()
    }

    /// Replaces the first node of each pair, one of `nodes`, by its children that overlap the second one, whose box is
    /// one of `boxes`.
    #[inline]
    fn descend_first(&mut self, nodes: &[Node8], boxes: &[Node8]) {
        self.descend(
            |[first, second]| nodes[first as usize].overlapping(lane(boxes, second as usize)),
            |[first, second], lane| [first * WIDTH as u32 + lane, second],
        );
    }

    /// Replaces the second node of each pair by its children in the lanes of its `mask`.
    #[inline]
    fn descend_second(&mut self, mask: impl Fn([u32; 2]) -> u32) {
        self.descend(mask, |[first, second], lane| [first, second * WIDTH as u32 + lane]);
    }

    /// Replaces each pair by its children: `child(pair, lane)` for each lane of its `mask`.
    #[inline]
    fn descend(&mut self, mask: impl Fn([u32; 2]) -> u32, child: impl Fn([u32; 2], u32) -> [u32; 2]) {
        let Self { items, next, .. } = self;
        let mut len = 0;
        for pair in &items[..self.len] {
            if next.len() < len + WIDTH {
                extend_to(next, len + len / 8 + 2 * WIDTH, [0; 2]);
            }
            let Some(window) = next[len..].first_chunk_mut::<WIDTH>() else { break };
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
        core::mem::swap(items, next);
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
