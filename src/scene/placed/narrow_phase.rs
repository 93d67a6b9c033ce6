use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::pair::key_of;
use super::{Colliders, slots_of};
use crate::index::PairJoin;
use crate::math::CountingSort;
use crate::scene::slot_set::SlotSet;
use crate::scene::tree::Transforms;
use crate::shape::{Kind, Shape};

/// By the rows of the first and of the second collider: pairs of slots.
type Buckets = [[Vec<[u32; 2]>; Kind::COUNT + 1]; Kind::COUNT + 1];

/// The narrow phase: it finds out which candidates of the index touch.
///
/// It puts candidates into one bucket for each pair of kinds, so that each bucket is one loop over one closed form.
/// Users' shapes go through the double dispatch. All fields are scratch memory.
#[derive(Debug, Default)]
pub(in crate::scene) struct NarrowPhase {
    buckets: Buckets,
    hits: Vec<[u32; 2]>,
    keys: Vec<u64>,
    join: PairJoin,
    sorter: CountingSort<u64>,
}

/// A clone starts with empty memory, so that a snapshot of a scene copies none.
impl Clone for NarrowPhase {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl NarrowPhase {
    /// Returns the sorted [keys](key_of) of all pairs that touch, or only of those with a collider in `changed`.
    pub(in crate::scene) fn find(
        &mut self,
        colliders: &Colliders,
        transforms: &Transforms,
        changed: Option<&SlotSet>,
    ) -> &[u64] {
        let Self { buckets, hits, keys, join, sorter } = self;
        buckets.iter_mut().flatten().for_each(Vec::clear);
        let index = &colliders.index;
        match changed {
            None => index.pairs(join, |pair| add(buckets, colliders, pair)),
            Some(changed) if changed.slots().len() * 8 > index.moving_count() => {
                index.moving_pairs(join, |[a, b]| {
                    if changed.contains(a) | changed.contains(b) {
                        add(buckets, colliders, [a, b]);
                    }
                });
            }
            // If few colliders changed, a search around each is cheaper than a join of all that move.
            Some(changed) => {
                for &slot in changed.slots() {
                    let Some(bounds) = index.bounds(slot) else { continue };
                    let _ = index.in_region(bounds, |other| {
                        // If both changed, the smaller slot finds the pair.
                        if other != slot && ((slot < other) | !changed.contains(other)) {
                            add(buckets, colliders, [slot, other]);
                        }
                        ControlFlow::<()>::Continue(())
                    });
                }
            }
        }
        hits.clear();
        let [rows @ .., users] = buckets;
        for (row, first) in rows.iter().zip(Kind::ALL) {
            for (bucket, second) in row.iter().zip(Kind::ALL).filter(|(bucket, _)| !bucket.is_empty()) {
                Shape::test_bucket([first, second], bucket, &colliders.world_forms, hits);
            }
        }
        for &pair in users.iter().flatten() {
            let [low, high] = slots_of(key_of(pair)).map(|slot| colliders.in_world(transforms, slot));
            if let (Some(a), Some(b)) = (low, high)
                && a.overlaps(&b)
            {
                hits.push(pair);
            }
        }
        keys.clear();
        keys.extend(hits.iter().map(|pair| key_of(*pair)));
        let slots = colliders.slots();
        if keys.len() * 8 < slots {
            keys.sort_unstable();
        } else {
            // A radix sort: by the larger slot, then by the smaller one.
            sorter.sort_by_key(keys, slots, |key| *key as u32 as usize);
            sorter.sort_by_key(keys, slots, |key| (*key >> 32) as usize);
        }
        keys
    }
}

/// Puts a candidate into its bucket, if it may touch.
#[inline(always)]
fn add(buckets: &mut Buckets, colliders: &Colliders, pair: [u32; 2]) {
    if !colliders.may_touch(pair[0], pair[1]) {
        return;
    }
    // The pair table lists each pair of kinds once, the higher row first. Within a kind the smaller slot comes first,
    // so that the answer does not depend on the order of the candidates.
    let [a, b] = pair.map(|slot| (u64::from(colliders.record(slot).row) << 32) | u64::from(!slot));
    let (first, second) = (a.max(b), a.min(b));
    buckets[(first >> 32) as usize][(second >> 32) as usize].push([!first as u32, !second as u32]);
}
