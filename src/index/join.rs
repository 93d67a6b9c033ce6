//! All pairs of boxes that overlap: two trees are descended together, a whole level at a time.

use alloc::vec::Vec;

use super::node::WIDTH;
use super::tree::{Tree, lane};

/// The memory of a join.
#[derive(Debug, Clone, Default)]
pub(crate) struct Join {
    pairs: List,
    next: List,
}

impl Join {
    /// Finds every overlapping pair of two boxes of one tree, each once.
    pub(super) fn within(&mut self, tree: &Tree) -> impl Iterator<Item = [u32; 2]> {
        self.between_slots(tree, tree, true)
    }

    /// Finds every overlapping pair of a box of one tree and a box of another.
    pub(super) fn between(&mut self, a: &Tree, b: &Tree) -> impl Iterator<Item = [u32; 2]> {
        self.between_slots(a, b, false)
    }

    fn between_slots(&mut self, a: &Tree, b: &Tree, same: bool) -> impl Iterator<Item = [u32; 2]> {
        self.descend(a, b, same);
        let (a, b) = (a.slots(), b.slots());
        self.pairs.as_slice().iter().map(|[first, second]| [a[*first as usize], b[*second as usize]])
    }

    /// Leaves the overlapping leaves in `pairs`. Heights count from the leaves, which are at 0.
    fn descend(&mut self, a: &Tree, b: &Tree, same: bool) {
        let (mut height_a, mut height_b) = (a.height(), b.height());
        let sparse = a.len() * 4 < b.len();
        let tops = [a.top(), b.top()];
        self.pairs.len = 0;
        if height_a > 0 && height_b > 0 {
            self.pairs.start([0, 0]);
        }
        while self.pairs.len > 0 && height_b > 0 {
            // First from nodes of `a` to their children, then from nodes of `b`; the lower tree waits for the higher.
            // But a few boxes far apart have large nodes, so they go down alone first. Either way `b` is not at its
            // leaves before `a` is.
            let (down_a, down_b) = match sparse {
                true => (height_a > 0, height_a == 0),
                false => (height_a >= height_b, height_b >= height_a),
            };
            if down_a {
                let (nodes, boxes) = (a.nodes(height_a), b.boxes_at(height_b, &tops[1]));
                self.next.fill(
                    self.pairs.as_slice(),
                    |[first, second]| nodes[first as usize].overlapping(lane(boxes, second)),
                    |[first, second], lane| [first * WIDTH as u32 + lane, second],
                );
                core::mem::swap(&mut self.pairs, &mut self.next);
                height_a -= 1;
            }
            if down_b {
                let (nodes, boxes) = (b.nodes(height_b), a.boxes_at(height_a, &tops[0]));
                let lanes = |[first, second]: [u32; 2]| nodes[second as usize].overlapping(lane(boxes, first));
                let pair = |[first, second]: [u32; 2], lane| [first, second * WIDTH as u32 + lane];
                if same {
                    // Each pair of siblings once; above the leaves, each node with itself too.
                    let itself = u32::from(height_a == 0);
                    let once = |[first, second]: [u32; 2]| {
                        let later = u32::MAX << (first % WIDTH as u32 + itself);
                        lanes([first, second]) & if first / WIDTH as u32 == second { later } else { u32::MAX }
                    };
                    self.next.fill(self.pairs.as_slice(), once, pair);
                } else {
                    self.next.fill(self.pairs.as_slice(), lanes, pair);
                }
                core::mem::swap(&mut self.pairs, &mut self.next);
                height_b -= 1;
            }
        }
    }
}

/// A list that is written without asking how much there is to write: a branch that cannot be foreseen costs more than
/// writes for nothing.
#[derive(Debug, Clone, Default)]
struct List {
    /// Valid up to `len`.
    items: Vec<[u32; 2]>,
    len: usize,
}

impl List {
    /// Holds one pair.
    fn start(&mut self, pair: [u32; 2]) {
        self.items.resize(self.items.len().max(1), pair);
        self.items[0] = pair;
        self.len = 1;
    }

    fn as_slice(&self) -> &[[u32; 2]] {
        &self.items[..self.len]
    }

    /// Holds, of each pair in turn, one for every lane set in its mask.
    #[inline]
    fn fill(&mut self, from: &[[u32; 2]], lanes: impl Fn([u32; 2]) -> u32, made: impl Fn([u32; 2], u32) -> [u32; 2]) {
        let mut len = 0;
        for pair in from {
            if self.items.len() < len + WIDTH {
                self.items.resize((len + WIDTH) * 2, [0; 2]);
            }
            let Some(window) = self.items[len..].first_chunk_mut::<WIDTH>() else { break };
            let mask = lanes(*pair) as usize % LANES.len();
            let (lanes, count) = (&LANES[mask], usize::from(COUNT[mask]));
            for (place, lane) in window[..MOST].iter_mut().zip(lanes) {
                *place = made(*pair, u32::from(*lane));
            }
            if count > MOST {
                for (place, lane) in window.iter_mut().zip(lanes).skip(MOST) {
                    *place = made(*pair, u32::from(*lane));
                }
            }
            len += count;
        }
        self.len = len;
    }
}

/// Hardly a mask has more lanes than this.
const MOST: usize = WIDTH / 2;

/// Which bits are set in a byte, lowest first.
static LANES: [[u8; WIDTH]; 256] = {
    let mut lanes = [[0; WIDTH]; 256];
    let mut byte = 0;
    while byte < lanes.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < WIDTH {
            if byte >> lane & 1 == 1 {
                lanes[byte][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        byte += 1;
    }
    lanes
};

/// How many bits are set in a byte. The instruction for it is not part of every x86-64.
static COUNT: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 1;
    while byte < counts.len() {
        counts[byte] = counts[byte / 2] + (byte % 2) as u8;
        byte += 1;
    }
    counts
};
