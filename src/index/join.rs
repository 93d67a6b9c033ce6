//! All pairs of boxes that overlap: two trees are descended together, a whole level at a time.

use super::node::WIDTH;
use super::tree::Tree;

/// The memory of a join.
#[derive(Debug, Clone, Default)]
pub(crate) struct Join {
    pairs: List,
    next: List,
}

impl Join {
    /// Finds every overlapping pair of two boxes of one tree, each once.
    pub(super) fn within(&mut self, tree: &Tree) -> impl Iterator<Item = [u32; 2]> {
        self.descend(tree, tree, true);
        self.pairs.iter().map(|pair| pair.map(|leaf| tree.slot(leaf)))
    }

    /// Finds every overlapping pair of a box of one tree and a box of another.
    pub(super) fn between(&mut self, a: &Tree, b: &Tree) -> impl Iterator<Item = [u32; 2]> {
        self.descend(a, b, false);
        self.pairs.iter().map(|[first, second]| [a.slot(*first), b.slot(*second)])
    }

    /// Leaves the overlapping leaves in `pairs`. Heights count from the leaves, which are at 0.
    fn descend(&mut self, a: &Tree, b: &Tree, same: bool) {
        let (mut height_a, mut height_b) = (a.height(), b.height());
        let sparse = a.len() * 4 < b.len();
        self.pairs.clear();
        if height_a > 0 && height_b > 0 {
            self.pairs.push([0, 0]);
        }
        while height_a > 0 || height_b > 0 {
            // First from nodes of `a` to their children, then from nodes of `b`; the lower tree waits for the higher.
            // But a few boxes far apart have large nodes, so they go down alone first.
            let (down_a, down_b) = match sparse {
                true => (height_a > 0, height_a == 0),
                false => (height_a >= height_b, height_b >= height_a),
            };
            if down_a {
                self.next.clear();
                for &[first, second] in self.pairs.iter() {
                    let lanes = a.node(height_a, first).overlapping(b.box_at(height_b, second));
                    self.next.push_lanes(lanes, |lane| [first * WIDTH as u32 + lane, second]);
                }
                std::mem::swap(&mut self.pairs, &mut self.next);
                height_a -= 1;
            }
            if down_b {
                self.next.clear();
                for &[first, second] in self.pairs.iter() {
                    let mut lanes = b.node(height_b, second).overlapping(a.box_at(height_a, first));
                    if same && first / WIDTH as u32 == second {
                        // Each pair of siblings once; above the leaves, each node with itself too.
                        lanes &= u32::MAX << (first % WIDTH as u32 + u32::from(height_a == 0));
                    }
                    self.next.push_lanes(lanes, |lane| [first, second * WIDTH as u32 + lane]);
                }
                std::mem::swap(&mut self.pairs, &mut self.next);
                height_b -= 1;
            }
        }
    }
}

/// A list that is written without asking how much there is to write: most masks have two lanes or fewer, and a branch
/// that cannot be foreseen costs more than a write for nothing.
#[derive(Debug, Clone, Default)]
struct List {
    /// Valid up to `len`.
    items: Vec<[u32; 2]>,
    len: usize,
}

impl List {
    fn clear(&mut self) {
        self.len = 0;
    }

    fn iter(&self) -> impl Iterator<Item = &[u32; 2]> {
        self.items[..self.len].iter()
    }

    fn push(&mut self, pair: [u32; 2]) {
        self.push_lanes(1, |_| pair);
    }

    /// Adds `pair(lane)` for every lane set in a mask.
    #[inline]
    fn push_lanes(&mut self, mut mask: u32, pair: impl Fn(u32) -> [u32; 2]) {
        if self.items.len() < self.len + WIDTH {
            self.items.resize((self.len + WIDTH) * 2, [0; 2]);
        }
        let Some(window) = self.items[self.len..].first_chunk_mut::<WIDTH>() else { return };
        let count = usize::from(COUNT[mask as usize % COUNT.len()]);
        window[0] = pair(mask.trailing_zeros());
        mask &= mask.wrapping_sub(1);
        window[1] = pair(mask.trailing_zeros());
        for place in &mut window[2..count.clamp(2, WIDTH)] {
            mask &= mask - 1;
            *place = pair(mask.trailing_zeros());
        }
        self.len += count;
    }
}

/// How many bits are set in a byte. The instruction for it is not part of every x86-64.
const COUNT: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 1;
    while byte < counts.len() {
        counts[byte] = counts[byte / 2] + (byte % 2) as u8;
        byte += 1;
    }
    counts
};
