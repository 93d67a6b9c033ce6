use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::bodies::{Bodies, Slot};
use crate::index::Join;
use crate::shape::{Kind, Shape};

/// The narrow phase: which candidates of the index really touch.
///
/// Candidates are put into one bucket for each pair of kinds, so that each bucket is one loop over one closed form.
/// What is a user's goes through the double dispatch.
#[derive(Debug, Clone, Default)]
pub(super) struct Narrow {
    /// By the kind of the first, then of the second; the last one is for users' shapes.
    buckets: Vec<Vec<[u32; 2]>>,
    join: Join,
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

/// The memory of a search for pairs, kept for the next one. A thread that finds it in use makes its own.
#[derive(Debug, Default)]
pub(super) struct Scratch(Mutex<(Narrow, Vec<u64>)>);

impl Scratch {
    pub(super) fn get_mut(&mut self) -> &mut (Narrow, Vec<u64>) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn with<R>(&self, work: impl FnOnce(&mut (Narrow, Vec<u64>)) -> R) -> R {
        match self.0.try_lock() {
            Ok(mut own) => work(&mut own),
            Err(_) => work(&mut Default::default()),
        }
    }
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Narrow {
    /// Fills `found` with the keys of all pairs that touch.
    pub(super) fn all(&mut self, bodies: &Bodies, found: &mut Vec<u64>) {
        self.begin();
        let mut join = std::mem::take(&mut self.join);
        bodies.index.pairs(&mut join, |pair| self.offer(&bodies.slots, pair));
        self.join = join;
        self.test(bodies, found);
    }

    /// Fills `found` with the keys of all pairs that touch and of which at least one side was stirred.
    pub(super) fn stirred(&mut self, bodies: &Bodies, found: &mut Vec<u64>) {
        self.begin();
        let stirred = |slot: u32| bodies.slot(slot).stirred;
        if bodies.stirred().len() * 8 > bodies.index.moving() {
            let mut join = std::mem::take(&mut self.join);
            bodies.index.moving_pairs(&mut join, |pair| {
                if pair.into_iter().any(stirred) {
                    self.offer(&bodies.slots, pair);
                }
            });
            self.join = join;
        } else {
            for &slot in bodies.stirred() {
                let Some(bounds) = bodies.index.bounds(slot) else { continue };
                let _ = bodies.index.in_region(bounds, |other| {
                    // Of two that were both stirred, the smaller finds the larger.
                    if other != slot && (slot < other || !stirred(other)) {
                        self.offer(&bodies.slots, [slot, other]);
                    }
                    ControlFlow::<()>::Continue(())
                });
            }
        }
        self.test(bodies, found);
    }

    fn begin(&mut self) {
        self.buckets.resize_with(Kind::ALL.len() * Kind::ALL.len() + 1, Vec::new);
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    #[inline]
    fn offer(&mut self, slots: &[Slot], pair: [u32; 2]) {
        let [a, b] = pair.map(|slot| &slots[slot as usize]);
        if !a.may_touch(b) {
            return;
        }
        let (Some(first), Some(second)) = (a.kind, b.kind) else {
            self.buckets[Kind::ALL.len() * Kind::ALL.len()].push(pair);
            return;
        };
        // As their pair is written in the table, and within a kind the smaller id first: asked in any way, the same
        // answer.
        let turn = first < second || (first == second && pair[0] > pair[1]);
        let pair = if turn { [pair[1], pair[0]] } else { pair };
        let (row, column) = (first.max(second), first.min(second));
        self.buckets[row as usize * Kind::ALL.len() + column as usize].push(pair);
    }

    fn test(&self, bodies: &Bodies, found: &mut Vec<u64>) {
        found.clear();
        let Some((users, buckets)) = self.buckets.split_last() else { return };
        for (row, first) in buckets.chunks(Kind::ALL.len()).zip(Kind::ALL) {
            for (bucket, second) in row.iter().zip(Kind::ALL).filter(|(bucket, _)| !bucket.is_empty()) {
                Shape::sweep([*first, *second], bucket, &bodies.shapes, |pair| found.push(key(pair)));
            }
        }
        for &pair in users {
            let [low, high] = slots(key(pair)).map(|slot| bodies.placed(bodies.slot(slot).owner));
            if let (Some(a), Some(b)) = (low, high)
                && a.overlaps(&b)
            {
                found.push(key(pair));
            }
        }
    }
}
