use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::pair_key::PairKey;
use super::touching::Differences;
use super::{Colliders, Touching};
use crate::collider::CollisionLayers;
use crate::index::{ExtendedIndex, Extends, LEAVES_PER_SEARCH, PairJoin};
use crate::math::SlotSet;
use crate::math::parallel::for_each_part;
use crate::scene::changes::SinceUpdate;
use crate::scene::tree::Transforms;
use crate::shape::{Kind, Shape};

/// One for each pair of rows, by the row of the first collider and then by that of the second, which is not higher.
#[derive(Debug)]
struct Buckets(Vec<Bucket>);

/// The number of rows.
const ROWS: usize = Kind::COUNT + 1;

/// Lists of candidates are kept if more than one in so many leaves of the moving tier changed.
const LEAVES_PER_CHANGE: usize = 8;

/// The narrow phase: it finds out which candidates of the index touch.
///
/// It puts candidates into one bucket for each pair of kinds, so that each bucket is one loop over one closed form.
/// Users' shapes go through the double dispatch. While many colliders move, the candidates stay in their buckets from
/// update to update, and only those of [unlisted](crate::index::ExtendedIndex) slots are found again.
#[derive(Debug, Default)]
pub(in crate::scene) struct NarrowPhase {
    buckets: Buckets,
    /// For an update in which few colliders changed: only their candidates, so that those of the others stay in `buckets`.
    buckets_of_changed: Buckets,
    /// `true` if the buckets hold every pair of candidates that may touch and of which neither is unlisted, but at least
    /// one is in the moving tier. It is `false` during an update, in which a user's shape may panic.
    is_kept: bool,
    /// The keys of the pairs that stopped touching since the last update; while candidates are found again, of all pairs
    /// that touched among them.
    stopped: Vec<PairKey>,
    /// The keys of the pairs that started touching.
    started: Vec<PairKey>,
    /// During a join: the slots in the moving tier that are on other layers than most, if most ignore each other.
    minority: Vec<u32>,
    join: PairJoin,
}

/// The candidates of one pair of kinds.
#[derive(Debug, Default)]
struct Bucket {
    /// The rows of the colliders.
    rows: [usize; 2],
    pairs: Vec<[u32; 2]>,
    /// By candidate: a copy of whether it touched at the last update; `false` if it has been found again since. If each
    /// candidate is looked up among the touching pairs instead, 10,000 moving colliders (W1 of `benches/peers`) update
    /// about a quarter slower.
    touching: Vec<bool>,
    /// By candidate: `true` if it touches now; without meaning after an update, which moves it to `touching`.
    overlapping: Vec<bool>,
}

/// The candidates that an update finds again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Those of the colliders that changed, because these are few. The lists of candidates stay as they are.
    Changed,
    /// Those of the unlisted slots. The other candidates stay in their lists.
    Unlisted,
    /// All.
    All,
}

/// A clone starts with empty memory, so that a snapshot of a scene copies none; `clone_from` keeps the memory it has. In
/// both cases the candidates are found again, because they are those of another scene.
impl Clone for NarrowPhase {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {
        self.is_kept = false;
    }
}

impl NarrowPhase {
    /// Returns the sorted keys of all pairs that touch.
    pub(in crate::scene) fn find_touching(&mut self, colliders: &Colliders, transforms: &Transforms) -> &[PairKey] {
        let Self { buckets, join, .. } = self;
        buckets.clear();
        colliders.index.extended().pairs(join, |pair| buckets.add(colliders, pair));
        self.test(colliders, transforms, |_| true);
        self.started.clear();
        self.buckets.in_use().for_each(|bucket| bucket.add_overlapping_to(&mut self.started));
        self.started.sort_unstable();
        &self.started
    }

    /// Returns what has changed since the last update.
    pub(in crate::scene) fn update(
        &mut self,
        colliders: &mut Colliders,
        transforms: &Transforms,
        SinceUpdate { placed, edited, .. }: &SinceUpdate,
        touching: &Touching,
    ) -> Differences<'_> {
        let search = self.choose_search(colliders, placed.len());
        let was_kept = core::mem::take(&mut self.is_kept);
        self.stopped.clear();
        self.started.clear();
        let unlisted = colliders.index.unlisted();
        match search {
            Search::Changed => {
                core::mem::swap(&mut self.buckets, &mut self.buckets_of_changed);
                self.buckets.clear();
                self.find_candidates_of(placed, colliders, touching);
            }
            Search::Unlisted => {
                self.buckets.remove(|[a, b]| unlisted.contains(a) | unlisted.contains(b));
                self.find_candidates_of(unlisted, colliders, touching);
            }
            Search::All => self.find_all_candidates(colliders, touching),
        }
        let is_new = |slot| placed.contains(slot) || unlisted.contains(slot);
        self.test(colliders, transforms, |[a, b]| search == Search::All || is_new(a) || is_new(b));
        for bucket in self.buckets.in_use() {
            match search {
                Search::Changed | Search::All => bucket.add_overlapping_to(&mut self.started),
                Search::Unlisted => bucket.report(&mut self.stopped, &mut self.started),
            }
            core::mem::swap(&mut bucket.touching, &mut bucket.overlapping);
        }
        self.stopped.sort_unstable();
        self.started.sort_unstable();
        // A new collider counts as edited.
        let is_replaced = |slot| edited.contains(slot) && !touching.contains(colliders.id(slot));
        drop_unchanged(&mut self.stopped, &mut self.started, is_replaced);
        self.end_update(search, was_kept, placed, &mut colliders.index);
        Differences { stopped: &self.stopped, started: &self.started }
    }

    /// Ends an update: chooses the lists of candidates that are kept, and the slots that are unlisted from now on, because
    /// these lists lack their candidates.
    fn end_update(&mut self, search: Search, was_kept: bool, placed: &SlotSet, index: &mut ExtendedIndex) {
        if search != Search::Changed {
            self.is_kept = true;
            return index.clear_unlisted(Extends::Leaving);
        }
        core::mem::swap(&mut self.buckets, &mut self.buckets_of_changed);
        self.is_kept = was_kept;
        if was_kept {
            placed.iter().for_each(|slot| index.unlist(slot));
        } else {
            index.clear_unlisted(Extends::None);
        }
    }

    /// Chooses the cheapest search after `changed` colliders were placed.
    fn choose_search(&self, colliders: &Colliders, changed: usize) -> Search {
        let moving = colliders.index.extended().moving_count();
        if changed * LEAVES_PER_CHANGE <= moving {
            Search::Changed
        } else if self.is_kept && colliders.index.unlisted().len() * LEAVES_PER_SEARCH <= moving {
            Search::Unlisted
        } else {
            Search::All
        }
    }

    /// Adds the candidates of slots, each pair once, and adds the pairs in which these touched to `stopped`.
    fn find_candidates_of(&mut self, slots: &SlotSet, colliders: &Colliders, touching: &Touching) {
        let Self { buckets, join, stopped, .. } = self;
        slots.iter().for_each(|slot| touching.add_pairs_of(slot, |other| slots.contains(other), stopped));
        colliders.index.candidates_of(slots.iter(), join, |[slot, other]| {
            // A pair of two of these slots is left to the smaller one.
            if (slot < other) | !slots.contains(other) {
                buckets.add(colliders, [slot, other]);
            }
        });
    }

    /// Replaces all candidates, by a join of the trees, and adds the pairs in which they touched to `stopped`.
    fn find_all_candidates(&mut self, colliders: &Colliders, touching: &Touching) {
        let index = colliders.index.extended();
        self.buckets.clear();
        // A slot without a box is unlisted if it is in a pair.
        let is_found = |slot| index.is_moving(slot) || !index.contains(slot);
        let without_box = colliders.index.unlisted().iter().filter(|slot| !index.contains(*slot));
        without_box.for_each(|slot| touching.add_pairs_of(slot, is_found, &mut self.stopped));
        index.each_moving_slot(|slot| touching.add_pairs_of(slot, is_found, &mut self.stopped));
        let Self { buckets, minority, join, .. } = self;
        let mut add = |pair| buckets.add(colliders, pair);
        let Some(common) = list_minority(colliders, minority) else { return index.moving_pairs(join, add) };
        index.pairs_between_tiers(join, &mut add);
        let is_other = |slot| colliders.layers(slot) != common;
        colliders.index.candidates_of(minority.iter().copied(), join, |[slot, other]| {
            if index.is_moving(other) && (slot < other) | !is_other(other) {
                add([slot, other]);
            }
        });
    }

    /// Drops the candidates of which both are in the still tier, because they cannot change.
    pub(in crate::scene) fn drop_still(&mut self, colliders: &Colliders) {
        let is_moving = |slot| colliders.index.extended().is_moving(slot);
        self.buckets.remove(|[a, b]| !is_moving(a) & !is_moving(b));
    }

    /// Returns a message if the lists that are kept disagree with the pairs that touched at the last update.
    pub(in crate::scene) fn validate(&self, touching: &Touching, unlisted: &SlotSet) -> Result<(), String> {
        let buckets = self.buckets.0.iter().filter(|_| self.is_kept);
        let candidates = buckets.flat_map(|bucket| bucket.pairs.iter().zip(&bucket.touching));
        let mut candidates = candidates.filter(|(pair, _)| !pair.iter().any(|slot| unlisted.contains(*slot)));
        let touched = |[a, b]: [u32; 2]| touching.partners(a).any(|partner| partner == b);
        let found = candidates.find(|(pair, known)| touched(**pair) != **known);
        found.map_or(Ok(()), |(pair, known)| Err(format!("a candidate touched: {known}, but not the slots {pair:?}")))
    }

    /// Tests all candidates, of users' shapes only those that are `new`.
    fn test(&mut self, colliders: &Colliders, transforms: &Transforms, is_new: impl Fn([u32; 2]) -> bool) {
        for Bucket { rows, pairs, touching, overlapping } in self.buckets.in_use() {
            overlapping.clear();
            if let Some(test) = Shape::bucket_test(*rows) {
                overlapping.resize(pairs.len(), false);
                for_each_part(pairs, overlapping, &|pairs, answers| test(pairs, &colliders.world_forms, answers));
                continue;
            }
            overlapping.extend(pairs.iter().zip(&*touching).map(|(pair, touching)| {
                if !is_new(*pair) {
                    return *touching;
                }
                let [low, high] = PairKey::new(*pair).slots().map(|slot| colliders.in_world(transforms, slot));
                low.zip(high).is_some_and(|(low, high)| low.overlaps(&high))
            }));
        }
    }
}

impl Buckets {
    /// Returns the buckets with candidates. A visit of the empty ones too would cost an update of one moving collider
    /// (W11 of `benches/peers`) four fifths more instructions.
    fn in_use(&mut self) -> impl Iterator<Item = &mut Bucket> {
        self.0.iter_mut().filter(|bucket| !bucket.pairs.is_empty())
    }

    fn clear(&mut self) {
        for bucket in self.in_use() {
            bucket.pairs.clear();
            bucket.touching.clear();
        }
    }

    /// Removes the candidates for which `is_removed` returns `true`.
    fn remove(&mut self, is_removed: impl Fn([u32; 2]) -> bool) {
        self.in_use().for_each(|bucket| bucket.remove(&is_removed));
    }

    /// Puts a candidate into its bucket, if it may touch.
    #[inline(always)]
    fn add(&mut self, colliders: &Colliders, pair: [u32; 2]) {
        if !colliders.may_touch(pair) {
            return;
        }
        // The pair table lists each pair of kinds once, the higher row first. Within a kind the smaller slot comes
        // first, so that the answer does not depend on the order of the candidates.
        let [a, b] = pair.map(|slot| ((row_of(colliders.record(slot).kind) as u64) << 32) | u64::from(!slot));
        let (first, second) = (a.max(b), a.min(b));
        let [row, other_row] = [first, second].map(|key| (key >> 32) as usize);
        let bucket = &mut self.0[first_of_row(row) + other_row];
        bucket.pairs.push([!first as u32, !second as u32]);
        bucket.touching.push(false);
    }
}

impl Default for Buckets {
    fn default() -> Self {
        let rows = (0..ROWS).flat_map(|row| (0..=row).map(move |other_row| [row, other_row]));
        Self(rows.map(|rows| Bucket { rows, ..Bucket::default() }).collect())
    }
}

/// Returns the row of the pair table. That of users' shapes and composites is after those of all built-in kinds.
#[inline(always)]
fn row_of(kind: Option<Kind>) -> usize {
    kind.map_or(Kind::COUNT, |kind| kind as usize)
}

/// Returns the index of the first bucket of a row: each row before has one bucket more than the row before that.
fn first_of_row(row: usize) -> usize {
    row * (row + 1) / 2
}

impl Bucket {
    /// Removes the candidates for which `is_removed` returns `true`.
    fn remove(&mut self, is_removed: impl Fn([u32; 2]) -> bool) {
        let Self { pairs, touching, .. } = self;
        let mut kept = 0;
        // Written without a branch, which would be mispredicted.
        for index in 0..pairs.len() {
            let pair = pairs[index];
            (pairs[kept], touching[kept]) = (pair, touching[index]);
            kept += usize::from(!is_removed(pair));
        }
        pairs.truncate(kept);
        touching.truncate(kept);
    }

    /// Adds the pairs that overlap to a list.
    fn add_overlapping_to(&self, keys: &mut Vec<PairKey>) {
        let mut count = keys.len();
        keys.resize(count + self.pairs.len(), PairKey::default());
        for (pair, overlapping) in self.pairs.iter().zip(&self.overlapping) {
            // Written without a branch, which would be mispredicted.
            keys[count] = PairKey::new(*pair);
            count += usize::from(*overlapping);
        }
        keys.truncate(count);
    }

    /// Adds the pairs that overlap now or touched before, but not both, to `started` or to `stopped`.
    fn report(&self, stopped: &mut Vec<PairKey>, started: &mut Vec<PairKey>) {
        for ((pair, touching), overlapping) in self.pairs.iter().zip(&self.touching).zip(&self.overlapping) {
            if touching != overlapping {
                let keys = if *overlapping { &mut *started } else { &mut *stopped };
                keys.push(PairKey::new(*pair));
            }
        }
    }
}

/// Returns the layers of most colliders in the moving tier if these ignore each other, as shots do. Then `minority` holds
/// the slots of those on other layers, and a search around these is all that the moving tier needs. Without it, 20,000
/// shots and 200 targets (otherwise as in W10 of `benches/peers`) update with 27 % more instructions.
///
/// Source of the vote: R. Boyer and J. Moore, *MJRTY: a fast majority vote algorithm* (1991).
fn list_minority(colliders: &Colliders, minority: &mut Vec<u32>) -> Option<CollisionLayers> {
    let index = colliders.index.extended();
    let (mut common, mut votes) = (CollisionLayers::ALL, 0_usize);
    index.each_moving_slot(|slot| {
        let layers = colliders.layers(slot);
        if votes == 0 {
            common = layers;
        }
        votes = if layers == common { votes + 1 } else { votes - 1 };
    });
    if common.meets(common) {
        return None;
    }
    minority.clear();
    index.each_moving_slot(|slot| minority.extend((colliders.layers(slot) != common).then_some(slot)));
    (minority.len() * LEAVES_PER_SEARCH <= index.moving_count()).then_some(common)
}

/// Removes the keys that are in both of two sorted lists, except those with a slot in which another collider has replaced
/// the one that touched.
fn drop_unchanged(stopped: &mut Vec<PairKey>, started: &mut Vec<PairKey>, is_replaced: impl Fn(u32) -> bool) {
    let (mut now, mut kept, mut kept_now) = (0, 0, 0);
    for before in 0..stopped.len() {
        let key = stopped[before];
        while let Some(other) = started.get(now).copied().filter(|other| *other < key) {
            started[kept_now] = other;
            (now, kept_now) = (now + 1, kept_now + 1);
        }
        let is_unchanged = started.get(now) == Some(&key) && !key.slots().into_iter().any(&is_replaced);
        now += usize::from(is_unchanged);
        stopped[kept] = key;
        kept += usize::from(!is_unchanged);
    }
    stopped.truncate(kept);
    started.drain(kept_now..now);
}
