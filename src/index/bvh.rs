//! A bounding volume hierarchy of eight children per node.
//!
//! It is a packed R-tree: every eight leaves lie under one node, every eight of these nodes under the next. Children are
//! implicit (node `i` has `8i` to `8i + 7`), so there are no links and nothing to balance. A sort puts leaves that are
//! close to each other under the same nodes.
//!
//! Leaves that were pushed since the last sort are a tail behind the sorted ones. A long tail is sorted into a run of its
//! own. A run that is not much longer than all leaves behind it is sorted together with them, so that there are only
//! few runs, and each leaf takes part in a few sorts each time the number of leaves doubles.
//!
//! Sources: N. Roussopoulos and D. Leifker, *Direct spatial search on pictorial databases using packed R-trees* (1985);
//! for the runs, J. Bentley and J. Saxe, *Decomposable searching problems* (1980).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use super::leaf_sort::LeafSort;
use super::node8::{Node8, WIDTH, lane, set_lane};
use super::sort_policy::SortPolicy;
use crate::math::{Aabb, SlotSet, clone_fields, extend_to, push_to};

/// Replaces the slot of a cleared leaf.
const NO_SLOT: u32 = u32::MAX;

/// The tail is sorted when it has more leaves than these, because it slows down every search. The tree is sorted when
/// the cleared leaves exceed those in use by more than this.
const MAX_TAIL: usize = 64;

/// A run is sorted again together with all leaves behind it, unless it has at least this many times as many. A search
/// descends into every run, so it has the more to do the smaller this number is, and sorting the larger it is.
const MIN_RUN_RATIO: usize = 4;

/// No tree is higher, because there are no more slots than a tree of this height has leaves.
pub(super) const MAX_HEIGHT: usize = u32::BITS.div_ceil(WIDTH.ilog2()) as usize;

/// A tree over boxes. Each leaf holds the box of one slot.
///
/// A level is a row of nodes. Heights count from the leaves, which have height 0 and are the lanes of the nodes of
/// height 1.
#[derive(Debug, Default)]
pub(super) struct Bvh {
    /// The slot of each leaf; [`NO_SLOT`] for a cleared one.
    pub(super) slots: Vec<u32>,
    /// The last level is the root alone. There are none if there are no leaves.
    pub(super) levels: Levels,
    /// The first leaf of each sorted run, in order. A run ends where the next one begins, the last one at the tail.
    runs: Vec<u32>,
    /// The first leaf of the tail.
    tail: usize,
    /// The number of cleared leaves.
    cleared: usize,
    /// Nodes of the lowest level that changed since the last refit, each once.
    dirty: SlotSet,
    /// A buffer for `refit`.
    refitted: Vec<u32>,
    policy: SortPolicy,
}

clone_fields!(Bvh { slots, levels, runs, tail, cleared, dirty, policy; scratch: refitted });

/// Rows of nodes, the lowest level first. The rows above the highest level keep their capacity, also in a `clone_from`.
#[derive(Debug, Default)]
pub(super) struct Levels {
    rows: Vec<Vec<Node8>>,
    height: usize,
}

impl Levels {
    fn set_height(&mut self, height: usize) {
        extend_to(&mut self.rows, height, Vec::new());
        self.height = height;
    }
}

impl Clone for Levels {
    fn clone(&self) -> Self {
        Self { rows: self.to_vec(), height: self.height }
    }

    fn clone_from(&mut self, source: &Self) {
        self.set_height(source.height);
        self.clone_from_slice(source);
    }
}

impl Deref for Levels {
    type Target = [Vec<Node8>];

    #[inline]
    fn deref(&self) -> &[Vec<Node8>] {
        &self.rows[..self.height]
    }
}

impl DerefMut for Levels {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Vec<Node8>] {
        &mut self.rows[..self.height]
    }
}

/// The end of a refit on its way up from a dirty node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refit {
    /// The first node whose box is as before.
    WhileBoxesChange,
    /// The root, because nodes may be gone below the last node of each level.
    ToTheRoot,
}

impl Bvh {
    /// Appends a leaf and returns its number.
    pub(super) fn push(&mut self, slot: u32, bounds: Aabb) -> u32 {
        let leaf = self.slots.len();
        push_to(&mut self.slots, slot);
        if leaf.is_multiple_of(WIDTH) {
            self.add_missing_nodes();
        }
        self.set(leaf as u32, bounds);
        leaf as u32
    }

    /// Adds the nodes that the last leaves need.
    fn add_missing_nodes(&mut self) {
        let mut count = self.slots.len();
        for level in 0.. {
            count = count.div_ceil(WIDTH);
            if level == self.levels.len() {
                // The old root becomes the first child of the new one.
                let above = self.above_root();
                self.levels.set_height(level + 1);
                self.levels[level].clear();
                self.levels[level].push(above);
            }
            extend_to(&mut self.levels[level], count, Node8::EMPTY);
            if count <= 1 {
                break;
            }
        }
    }

    /// Empties a leaf. It stays until the next sort.
    pub(super) fn clear(&mut self, leaf: u32) {
        self.slots[leaf as usize] = NO_SLOT;
        self.cleared += 1;
        self.set(leaf, Aabb::EMPTY);
    }

    /// Replaces the box of a leaf.
    #[inline]
    pub(super) fn set(&mut self, leaf: u32, bounds: Aabb) {
        set_lane(&mut self.levels[0], leaf as usize, bounds);
        self.dirty.insert(leaf / WIDTH as u32);
    }

    /// Updates the upper levels. Returns the first leaf of those that must be sorted, if there are any; the tree may
    /// then be out of date. A tree in which nothing has changed may be worth a sort too, because of the searches since the
    /// last one.
    #[must_use]
    pub(super) fn refit(&mut self) -> Option<u32> {
        self.policy.count_refit();
        self.unsorted().or_else(|| {
            let count = self.dirty.len();
            self.refit_dirty(Refit::WhileBoxesChange);
            self.policy.count_nodes(count, &self.levels);
            self.policy.has_grown(self.slots.len()).then_some(0)
        })
    }

    /// Returns `true` if a leaf has changed since the last refit.
    pub(super) fn has_changed(&self) -> bool {
        !self.dirty.is_empty()
    }

    /// Returns the first leaf of those that must be sorted because of their number, if there are any.
    fn unsorted(&self) -> Option<u32> {
        let count = self.slots.len();
        let has_slow_runs = self.runs.len() > 1 && self.policy.has_slow_runs(count);
        if has_slow_runs || self.cleared > MAX_TAIL + self.len() {
            return Some(0);
        }
        if count - self.tail <= MAX_TAIL {
            return None;
        }
        let mut first = self.tail;
        for run in self.runs.iter().rev().map(|run| *run as usize) {
            if first - run >= MIN_RUN_RATIO * (count - first) {
                break;
            }
            first = run;
        }
        // From the start of a node, so that each node holds leaves of one run.
        Some((first / WIDTH * WIDTH) as u32)
    }

    /// Updates the boxes above the dirty nodes, each up to the given end.
    fn refit_dirty(&mut self, refit: Refit) {
        let Self { levels, refitted: nodes, .. } = self;
        self.dirty.list_sorted(nodes);
        self.dirty.clear();
        for level in 1..levels.len() {
            let (lower, upper) = levels.split_at_mut(level);
            let (lower, upper) = (&lower[level - 1], &mut upper[0]);
            let mut last_parent = u32::MAX;
            // Replaces the nodes by their parents, each once.
            nodes.retain_mut(|number| {
                let node = *number as usize;
                let (parent, lane) = (node / WIDTH, node % WIDTH);
                let (old, bounds) = (upper[parent].lane(lane), lower[node].bounds());
                if old == bounds && refit == Refit::WhileBoxesChange {
                    return false;
                }
                if level == 1 {
                    self.policy.record(node, bounds);
                }
                upper[parent].set_lane(lane, bounds);
                *number = parent as u32;
                core::mem::replace(&mut last_parent, *number) != *number
            });
        }
    }

    /// Sorts the leaves from `first` on, drops the cleared ones among them, and updates all nodes. `first` is a multiple
    /// of the width. No run begins in the same node behind it.
    pub(super) fn sort(&mut self, first: u32, sorter: &mut LeafSort) {
        let first = first as usize;
        let first_node = first / WIDTH;
        self.policy.forget(first_node);
        let in_use = self.len();
        // Until the next sort, about this many leaves are in use, cleared or in the tail.
        let leaves = 2 * in_use + 3 * MAX_TAIL;
        self.dirty.reserve(leaves / WIDTH);
        self.refitted.reserve((leaves / WIDTH).saturating_sub(self.refitted.len()));
        // So that a later sort of more leaves than this one allocates nothing.
        sorter.reserve(in_use + 3 * MAX_TAIL);
        let sorted = sorter.sort(&mut self.levels[0][first_node..], &mut self.slots[first..]);
        self.cleared -= self.slots.len() - first - sorted;
        self.slots.truncate(first + sorted);
        self.cut(first_node);
        if self.runs.len() == 1 {
            self.policy.forget_refits();
        }
        self.runs.truncate(self.runs.partition_point(|run| (*run as usize) < first));
        self.runs.push(first as u32);
        self.tail = self.slots.len();
        self.refit_dirty(Refit::ToTheRoot);
        self.policy.start(first_node..self.tail / WIDTH, &self.levels);
    }

    /// Gives all levels the length that the leaves need, and marks the lowest nodes from one on as dirty, and the last
    /// node in any case.
    fn cut(&mut self, first_node: usize) {
        let mut count = self.slots.len().div_ceil(WIDTH);
        self.levels[0].truncate(count);
        self.dirty.retain(|node| (node as usize) < first_node);
        (first_node.min(count.saturating_sub(1))..count).for_each(|node| self.dirty.insert(node as u32));
        for upper in &mut self.levels[1..] {
            let needed = count.div_ceil(WIDTH);
            upper.truncate(needed);
            for gone in count..needed * WIDTH {
                set_lane(upper, gone, Aabb::EMPTY);
            }
            count = needed;
        }
        self.levels.height = self.levels.iter().take_while(|nodes| nodes.len() > 1).count() + usize::from(count > 0);
    }

    /// Returns the number of leaves in use.
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.cleared
    }

    /// Returns the box of a leaf.
    pub(super) fn bounds(&self, leaf: u32) -> Aabb {
        lane(&self.levels[0], leaf as usize)
    }

    /// Returns the union of all boxes; empty if there are none.
    pub(super) fn total_bounds(&self) -> Aabb {
        self.levels.last().and_then(|top| top.first()).map_or(Aabb::EMPTY, Node8::bounds)
    }

    /// Returns every leaf in use from one on, with its slot.
    pub(super) fn leaves_from(&self, first: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let slots = self.slots[first as usize..].iter().copied();
        (first..).zip(slots).filter(|(_, slot)| *slot != NO_SLOT)
    }

    /// Returns the number of levels; 0 if there are no leaves.
    pub(super) fn height(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Returns all nodes of a height of at least 1.
    #[inline]
    pub(super) fn nodes(&self, height: u32) -> &[Node8] {
        &self.levels[height as usize - 1]
    }

    /// Returns the boxes of all nodes of a height (of the leaves, for height 0), eight in each `Node8`. Those of the
    /// root are `above_root`.
    pub(super) fn boxes<'a>(&'a self, height: u32, above_root: &'a Node8) -> &'a [Node8] {
        self.levels.get(height as usize).map_or(core::slice::from_ref(above_root), Vec::as_slice)
    }

    /// Returns a node whose only child is the root.
    pub(super) fn above_root(&self) -> Node8 {
        let mut above = Node8::EMPTY;
        above.set_lane(0, self.total_bounds());
        above
    }

    /// Visits the box of every node.
    pub(super) fn node_bounds(&self, visit: &mut impl FnMut(Aabb)) {
        self.levels.iter().flatten().map(Node8::bounds).filter(|bounds| bounds.is_finite()).for_each(visit);
    }

    /// Checks all invariants and describes the first violation.
    pub(super) fn validate(&self) -> Result<(), String> {
        let mut count = self.slots.len();
        for (level, nodes) in self.levels.iter().enumerate() {
            for lane in 0..nodes.len() * WIDTH {
                let expected = match (level, self.slots.get(lane)) {
                    (0, Some(&slot)) if slot != NO_SLOT => self.bounds(lane as u32),
                    (0, _) => Aabb::EMPTY,
                    (_, _) => self.levels[level - 1].get(lane).map_or(Aabb::EMPTY, Node8::bounds),
                };
                let found = self::lane(nodes, lane);
                if found != expected {
                    return Err(format!("level {level}, lane {lane}: {found:?} instead of {expected:?}"));
                }
            }
            count = count.div_ceil(WIDTH);
            if nodes.len() != count {
                return Err(format!("level {level} has {} nodes instead of {count}", nodes.len()));
            }
        }
        let cleared = self.slots.len() - self.leaves_from(0).count();
        if cleared != self.cleared {
            return Err(format!("{cleared} leaves are cleared, not {}", self.cleared));
        }
        if !self.runs.is_sorted() || self.runs.last().is_some_and(|run| *run as usize > self.tail) {
            return Err(format!("the runs {:?} and the tail at {} are not in order", self.runs, self.tail));
        }
        if self.levels.last().is_some_and(|top| top.len() > 1) { Err("there is no root".into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::math::tests::random_numbers;

    #[test]
    fn validate_reports_every_kind_of_damage() {
        let mut bvh = Bvh::default();
        for slot in 0..20_u8 {
            let at = Vec2::splat(slot.into());
            bvh.push(slot.into(), Aabb { min: at, max: at });
        }
        bvh.sort(0, &mut LeafSort::default());
        assert_eq!(bvh.validate(), Ok(()));
        let cases: [(&str, fn(&mut Bvh)); 6] = [
            ("level 1, lane 2", |bvh| bvh.levels[1][0].set_lane(2, Aabb::EMPTY)),
            ("level 0, lane 21", |bvh| bvh.levels[0][2].set_lane(5, Aabb::EVERYTHING)),
            ("level 0 has 4 nodes instead of 3", |bvh| bvh.levels[0].push(Node8::EMPTY)),
            ("there is no root", |bvh| bvh.levels.height -= 1),
            ("0 leaves are cleared, not 1", |bvh| bvh.cleared += 1),
            ("are not in order", |bvh| bvh.runs.push(21)),
        ];
        for (expected, damage) in cases {
            let mut damaged = bvh.clone();
            damage(&mut damaged);
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(expected), "{found} instead of {expected}");
        }
    }

    /// Returns the box of a slot in some layout.
    fn bounds_of(slot: u32, layout: u32) -> Aabb {
        let mixed = (slot + layout * 7_919).wrapping_mul(0x9e37_79b9);
        let bits = (mixed ^ (mixed >> 15)).wrapping_mul(0x85eb_ca6b);
        let at = Vec2::new((bits >> 20) as f32, (bits >> 4 & 0xfff) as f32);
        Aabb { min: at, max: at + 1.0 + (bits & 7) as f32 }
    }

    #[test]
    fn boxes_that_mix_are_sorted_at_once_whether_or_not_others_are_far_away() {
        for far in [0, 1, 100] {
            let (mut bvh, mut sorter) = (Bvh::default(), LeafSort::default());
            for slot in 0..2_000 {
                bvh.push(slot, bounds_of(slot, 0));
            }
            for slot in 0..far {
                let at = Vec2::new(0.0, -1e7 * (slot + 1) as f32);
                bvh.push(2_000 + slot, Aabb { min: at, max: at + 1.0 });
            }
            let first = bvh.refit().expect("the tail is long");
            bvh.sort(first, &mut sorter);
            let leaves: Vec<_> = bvh.leaves_from(0).filter(|(_, slot)| *slot < 2_000).collect();
            leaves.iter().for_each(|(leaf, slot)| bvh.set(*leaf, bounds_of(*slot, 1)));
            assert_eq!(bvh.refit(), Some(0), "{far} boxes are far away");
        }
    }

    #[test]
    fn boxes_that_gather_in_a_small_part_of_the_world_and_mix_are_sorted_at_once() {
        let (mut bvh, mut sorter) = (Bvh::default(), LeafSort::default());
        let far = |bounds: Aabb| Aabb { min: bounds.min * 1e4, max: bounds.min * 1e4 + 1.0 };
        for slot in 0..2_000 {
            bvh.push(slot, far(bounds_of(slot, 0)));
        }
        let first = bvh.refit().expect("the tail is long");
        bvh.sort(first, &mut sorter);
        for layout in 1..3 {
            let leaves: Vec<_> = bvh.leaves_from(0).collect();
            leaves.iter().for_each(|(leaf, slot)| bvh.set(*leaf, bounds_of(*slot, layout)));
            assert_eq!(bvh.refit(), Some(0), "layout {layout}");
            bvh.sort(0, &mut sorter);
            // Sorted boxes may shrink together without a sort.
            let bounds: Vec<_> = bvh.leaves_from(0).map(|(leaf, _)| (leaf, bvh.bounds(leaf))).collect();
            for (leaf, Aabb { min, max }) in bounds {
                bvh.set(leaf, Aabb { min: min * 1e-3, max: max * 1e-3 });
            }
            assert_eq!(bvh.refit(), None, "layout {layout}");
        }
    }

    #[test]
    fn a_tree_at_rest_is_sorted_after_a_while_if_that_makes_searches_faster() {
        let (mut bvh, mut sorter) = (Bvh::default(), LeafSort::default());
        for (from, to) in [(0, 1_000), (1_000, 1_100)] {
            for slot in from..to {
                bvh.push(slot, bounds_of(slot, 0));
            }
            let first = bvh.refit().expect("the tail is long");
            bvh.sort(first, &mut sorter);
        }
        let rest = |bvh: &mut Bvh, updates: u32| (0..updates).map(|_| bvh.refit()).find(Option::is_some).flatten();
        assert_eq!(bvh.runs, [0, 1_000]);
        assert_eq!(rest(&mut bvh, 1_000), Some(0), "there are two runs");
        bvh.sort(0, &mut sorter);
        let leaves: Vec<_> = bvh.leaves_from(0).take(50).collect();
        leaves.iter().for_each(|(leaf, slot)| bvh.set(*leaf, bounds_of(*slot, 1)));
        assert_eq!(bvh.refit(), None, "few nodes have grown");
        assert_eq!(rest(&mut bvh, 1_000), Some(0), "some nodes have grown");
        bvh.sort(0, &mut sorter);
        assert_eq!(rest(&mut bvh, 10_000), None, "it is sorted");
    }

    #[test]
    fn any_pushes_clears_and_moves_leave_a_valid_tree_with_few_runs() {
        let (mut bvh, mut sorter, mut next) = (Bvh::default(), LeafSort::default(), random_numbers());
        // By slot: its leaf and the layout of its box.
        let mut items: Vec<Option<(u32, u32)>> = Vec::new();
        for round in 0..400_u32 {
            let growing = round / 50 % 2 == 0;
            for _ in 0..round % 90 {
                let random = next();
                let slot = (random >> 8) as usize % items.len().max(1);
                match (random >> 28, items.get_mut(slot)) {
                    (0..4, Some(Some((leaf, layout)))) => {
                        *layout = round;
                        bvh.set(*leaf, bounds_of(slot as u32, round));
                    }
                    (4..10, Some(item)) if !growing => {
                        if let Some((leaf, _)) = item.take() {
                            bvh.clear(leaf);
                        }
                    }
                    _ => {
                        let slot = items.len() as u32;
                        items.push(Some((bvh.push(slot, bounds_of(slot, round)), round)));
                    }
                }
            }
            if let Some(first) = bvh.refit() {
                bvh.sort(first, &mut sorter);
                for (leaf, slot) in bvh.leaves_from(first) {
                    items[slot as usize].as_mut().unwrap().0 = leaf;
                }
            }
            assert_eq!(bvh.validate(), Ok(()));
            let live = items.iter().enumerate().filter_map(|(slot, item)| item.map(|item| (slot as u32, item)));
            for (slot, (leaf, layout)) in live.clone() {
                assert_eq!((bvh.slots[leaf as usize], bvh.bounds(leaf)), (slot, bounds_of(slot, layout)));
            }
            assert_eq!(bvh.leaves_from(0).count(), live.count());
            assert!(bvh.slots.len() - bvh.tail <= MAX_TAIL && bvh.runs.len() <= 8, "{:?}", bvh.runs);
        }
        // Down to nothing, and up again.
        for (leaf, _) in bvh.leaves_from(0).collect::<Vec<_>>() {
            bvh.clear(leaf);
        }
        let first = bvh.refit().expect("all leaves are cleared");
        bvh.sort(first, &mut sorter);
        assert_eq!((bvh.validate(), bvh.height(), bvh.slots.len()), (Ok(()), 0, 0));
        for slot in 0..100 {
            bvh.push(slot, bounds_of(slot, 0));
        }
        let first = bvh.refit().expect("the tail is long");
        bvh.sort(first, &mut sorter);
        assert_eq!((bvh.validate(), bvh.leaves_from(0).count()), (Ok(()), 100));
    }
}
