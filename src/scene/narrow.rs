use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::bodies::{Bodies, Brief};
use super::memory::Memory;
use crate::index::Join;
use crate::shape::{Kind, Shape};

/// The narrow phase: which candidates of the index really touch.
///
/// Candidates are put into one bucket for each pair of kinds, so that each bucket is one loop over one closed form.
/// What is a user's goes through the double dispatch.
#[derive(Debug, Clone, Default)]
pub(super) struct Narrow {
    /// By the row of the first, then of the second: their kinds, or the last one for users' shapes.
    buckets: [[Vec<[u32; 2]>; Kind::COUNT + 1]; Kind::COUNT + 1],
    hits: Vec<[u32; 2]>,
    join: Join,
    order: Order,
}

/// A pair of slots as one number, in the order of the pairs: the smaller slot first.
#[inline]
pub(super) fn key([a, b]: [u32; 2]) -> u64 {
    (u64::from(a.min(b)) << 32) | u64::from(a.max(b))
}

/// The slots of a key.
#[inline]
pub(super) fn slots(key: u64) -> [u32; 2] {
    [(key >> 32) as u32, key as u32]
}

/// The memory of a search for pairs, and what it found.
pub(super) type Scratch = Memory<(Narrow, Vec<u64>)>;

impl Narrow {
    /// Fills `found` with the keys of all pairs that touch, in order.
    pub(super) fn all(&mut self, bodies: &Bodies, found: &mut Vec<u64>) {
        self.begin();
        let mut join = core::mem::take(&mut self.join);
        bodies.index.pairs(&mut join, |pair| self.offer(bodies, pair, |_, _| true));
        self.join = join;
        self.test(bodies, found);
    }

    /// Fills `found` with the keys of all pairs that touch and of which at least one side was stirred, in order.
    pub(super) fn stirred(&mut self, bodies: &Bodies, found: &mut Vec<u64>) {
        self.begin();
        if bodies.stirred().len() * 8 > bodies.index.moving() {
            let mut join = core::mem::take(&mut self.join);
            bodies.index.moving_pairs(&mut join, |pair| self.offer(bodies, pair, |a, b| a.stirred | b.stirred));
            self.join = join;
        } else {
            for &slot in bodies.stirred() {
                let Some(bounds) = bodies.index.bounds(slot) else { continue };
                let _ = bodies.index.in_region(bounds, |other| {
                    // Of two that were both stirred, the smaller finds the larger.
                    if other != slot {
                        self.offer(bodies, [slot, other], |_, b| (slot < other) | !b.stirred);
                    }
                    ControlFlow::<()>::Continue(())
                });
            }
        }
        self.test(bodies, found);
    }

    fn begin(&mut self) {
        self.buckets.iter_mut().flatten().for_each(Vec::clear);
    }

    /// Puts a pair into its bucket, if it `counts` and may touch.
    #[inline(always)]
    fn offer(&mut self, bodies: &Bodies, pair: [u32; 2], counts: impl Fn(&Brief, &Brief) -> bool) {
        let [a, b] = pair.map(|slot| &bodies.briefs[slot as usize]);
        if !counts(a, b) {
            return;
        }
        if !(a.meets_all & b.meets_all & (a.node != b.node)) && !bodies.slot(pair[0]).may_touch(bodies.slot(pair[1])) {
            return;
        }
        // As their pair is written in the table, and within a kind the smaller id first: asked in any way, the same
        // answer.
        let rank = |brief: &Brief, slot: u32| (u64::from(brief.row) << 32) | u64::from(!slot);
        let (a, b) = (rank(a, pair[0]), rank(b, pair[1]));
        let (first, second) = (a.max(b), a.min(b));
        self.buckets[(first >> 32) as usize][(second >> 32) as usize].push([!first as u32, !second as u32]);
    }

    /// Fills `found` with the keys of the candidates that touch, in order.
    fn test(&mut self, bodies: &Bodies, found: &mut Vec<u64>) {
        self.hits.clear();
        let [rows @ .., users] = &self.buckets;
        for (row, first) in rows.iter().zip(Kind::ALL) {
            for (bucket, second) in row.iter().zip(Kind::ALL).filter(|(bucket, _)| !bucket.is_empty()) {
                Shape::sweep([first, second], bucket, &bodies.shapes, &mut self.hits);
            }
        }
        for &pair in users.iter().flatten() {
            let [low, high] = slots(key(pair)).map(|slot| bodies.placed(bodies.slot(slot).owner));
            if let (Some(a), Some(b)) = (low, high)
                && a.overlaps(&b)
            {
                self.hits.push(pair);
            }
        }
        found.clear();
        found.extend(self.hits.iter().map(|pair| key(*pair)));
        self.order.sort(found, bodies.briefs.len());
    }
}

/// The memory of a sort of keys.
#[derive(Debug, Clone, Default)]
struct Order {
    /// By slot, where its keys go.
    places: Vec<u32>,
    sorted: Vec<u64>,
}

impl Order {
    /// Sorts keys of slots below a limit: where there are many, by the larger slot and then by the smaller one, which
    /// takes no comparison.
    fn sort(&mut self, keys: &mut Vec<u64>, slots: usize) {
        if keys.len() * 8 < slots {
            keys.sort_unstable();
        } else {
            self.sort_by(keys, slots, |key| key as u32);
            self.sort_by(keys, slots, |key| (key >> 32) as u32);
        }
    }

    /// A counting sort, which keeps the order of equals.
    fn sort_by(&mut self, keys: &mut Vec<u64>, slots: usize, slot: impl Fn(u64) -> u32) {
        self.places.clear();
        self.places.resize(slots, 0);
        for key in keys.iter() {
            self.places[slot(*key) as usize] += 1;
        }
        let mut start = 0;
        for place in &mut self.places {
            start += core::mem::replace(place, start);
        }
        self.sorted.resize(keys.len(), 0);
        for key in keys.iter() {
            let place = &mut self.places[slot(*key) as usize];
            self.sorted[*place as usize] = *key;
            *place += 1;
        }
        core::mem::swap(keys, &mut self.sorted);
    }
}
