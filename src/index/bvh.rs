//! A bounding volume hierarchy of eight children per node.
//!
//! It is a packed Hilbert R-tree: the leaves lie in the order of a Hilbert curve, every eight neighbours under one
//! node, every eight of these nodes under the next. Children are implicit (node `i` has `8i` to `8i + 7`), so there are
//! no links and nothing to balance.
//!
//! Source: I. Kamel and C. Faloutsos, *On packing R-trees* (1993).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use glam::Vec2;

use super::hilbert::hilbert_code;
use super::node8::{Node8, WIDTH};
use crate::math::{Aabb, CountingSort};

/// Replaces the slot of a cleared leaf.
const NO_SLOT: u32 = u32::MAX;

/// The tree is sorted when the half perimeters of its lowest nodes exceed this multiple of their sum after the last
/// sort: larger boxes make every search slower.
const MAX_PERIMETER_GROWTH: f64 = 1.5;

/// The perimeters are ignored until one node has been refitted per this many leaves, so that sorting costs little more
/// than the refits that made it necessary.
const LEAVES_PER_REFITTED_NODE: usize = 32;

/// The tree is sorted when more leaves than these, and a quarter of all, were pushed or cleared since the last sort.
const UNSORTED_LEAVES: usize = 64;

/// No tree is higher, because there are no more slots than a tree of this height has leaves.
pub(super) const MAX_HEIGHT: usize = u32::BITS.div_ceil(WIDTH.ilog2()) as usize;

/// A tree over boxes. Each leaf holds the box of one slot.
///
/// A level is a row of nodes. Heights count from the leaves, which have height 0 and are the lanes of the nodes of
/// height 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Bvh {
    /// The slot of each leaf; a cleared leaf has a meaningless one.
    pub(super) slots: Vec<u32>,
    /// The rows of nodes, the lowest level first; the last one is the root alone.
    pub(super) levels: Vec<Vec<Node8>>,
    /// Buffers for the levels after the next sort, the largest last.
    spare_levels: Vec<Vec<Node8>>,
    /// The lowest level before the last sort.
    old_lowest: Vec<Node8>,
    /// Nodes of the lowest level that changed since the last refit, each once.
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    /// A buffer for `refit`.
    dirty_parents: Vec<u32>,
    /// The sum of the half perimeters of the lowest nodes. It is not kept up to date while there is only one.
    perimeters: f64,
    /// The same sum after the last sort.
    sorted_perimeters: f64,
    /// How many leaves were pushed or cleared since the last sort.
    unsorted_leaves: usize,
    /// How many nodes were refitted since the last sort.
    refitted_nodes: usize,
}

/// Buffers for sorting the leaves of a tree.
#[derive(Debug, Clone, Default)]
pub(super) struct LeafSort {
    leaves: Vec<SortedLeaf>,
    sort: CountingSort<SortedLeaf>,
}

#[derive(Debug, Clone, Copy)]
struct SortedLeaf {
    /// The Hilbert code of the centre of its box.
    code: u32,
    slot: u32,
    old_leaf: u32,
}

impl LeafSort {
    /// Sorts the leaves by code, and by slot where codes are equal: a radix sort, least significant digit first.
    fn sort(&mut self) {
        let Some(largest_slot) = self.leaves.iter().map(|leaf| leaf.slot).max() else { return };
        // More buckets take fewer passes, but cost more to clear.
        let digit_bits = self.leaves.len().ilog2().saturating_sub(2).clamp(4, 11) as usize;
        let shifts = |bits: u32| (0..bits).step_by(digit_bits);
        let digit = |key: u32, shift: u32| (key >> shift) as usize & ((1 << digit_bits) - 1);
        for shift in shifts(u32::BITS - largest_slot.leading_zeros()) {
            self.sort.sort_by_key(&mut self.leaves, 1 << digit_bits, |leaf| digit(leaf.slot, shift));
        }
        for shift in shifts(u32::BITS) {
            self.sort.sort_by_key(&mut self.leaves, 1 << digit_bits, |leaf| digit(leaf.code, shift));
        }
    }
}

impl Bvh {
    /// Appends a leaf and returns its number.
    pub(super) fn push(&mut self, slot: u32, bounds: Aabb) -> u32 {
        let leaf = self.slots.len();
        self.slots.push(slot);
        self.add_missing_nodes();
        self.unsorted_leaves += 1;
        self.set(leaf as u32, bounds);
        leaf as u32
    }

    /// Adds the nodes that the last leaf needs.
    fn add_missing_nodes(&mut self) {
        let mut count = self.slots.len();
        let mut level = 0;
        loop {
            count = count.div_ceil(WIDTH);
            if level == self.levels.len() {
                // The old root becomes the first child of the new one.
                let mut nodes = self.spare_levels.pop().unwrap_or_default();
                nodes.clear();
                nodes.push(self.above_root());
                self.levels.push(nodes);
            }
            self.levels[level].resize(count, Node8::EMPTY);
            level += 1;
            if count <= 1 {
                break;
            }
        }
        self.is_dirty.resize(self.levels[0].len(), false);
    }

    /// Empties a leaf. It stays until the next sort.
    pub(super) fn clear(&mut self, leaf: u32) {
        self.slots[leaf as usize] = NO_SLOT;
        self.unsorted_leaves += 1;
        self.set(leaf, Aabb::EMPTY);
    }

    /// Replaces the box of a leaf.
    #[inline]
    pub(super) fn set(&mut self, leaf: u32, bounds: Aabb) {
        let node = leaf as usize / WIDTH;
        self.levels[0][node].set_lane(leaf as usize % WIDTH, bounds);
        if !self.is_dirty[node] {
            self.is_dirty[node] = true;
            self.dirty.push(node as u32);
        }
    }

    /// Updates the upper levels. Returns `false` if the tree must be sorted; it may then be out of date.
    #[must_use]
    pub(super) fn refit(&mut self) -> bool {
        if self.dirty.is_empty() {
            return true;
        }
        if self.unsorted_leaves > UNSORTED_LEAVES + self.slots.len() / 4 {
            return false;
        }
        let mut dirty = core::mem::take(&mut self.dirty);
        let mut parents = core::mem::take(&mut self.dirty_parents);
        self.refitted_nodes += dirty.len();
        dirty.sort_unstable();
        for node in &dirty {
            self.is_dirty[*node as usize] = false;
        }
        for level in 0..self.levels.len() {
            parents.clear();
            for node in dirty.iter().map(|node| *node as usize) {
                let bounds = self.levels[level][node].bounds();
                let Some(upper) = self.levels.get_mut(level + 1) else { continue };
                let parent = node / WIDTH;
                if level == 0 {
                    self.perimeters += half_perimeter(bounds) - half_perimeter(upper[parent].lane(node % WIDTH));
                }
                upper[parent].set_lane(node % WIDTH, bounds);
                if parents.last() != Some(&(parent as u32)) {
                    parents.push(parent as u32);
                }
            }
            core::mem::swap(&mut dirty, &mut parents);
        }
        dirty.clear();
        (self.dirty, self.dirty_parents) = (dirty, parents);
        self.perimeters <= self.sorted_perimeters * MAX_PERIMETER_GROWTH
            || self.refitted_nodes * LEAVES_PER_REFITTED_NODE < self.slots.len()
    }

    /// Sorts the leaves along the curve, drops the cleared ones and rebuilds all nodes.
    pub(super) fn sort(&mut self, buffers: &mut LeafSort) {
        let centers = Aabb::from_points(self.leaves().map(|(leaf, _)| self.bounds(leaf).center()));
        let scale = Vec2::splat(f32::from(u16::MAX)) / centers.size().max(Vec2::splat(f32::MIN_POSITIVE));
        buffers.leaves.clear();
        buffers.leaves.extend(self.leaves().map(|(old_leaf, slot)| {
            // A cast from float to integer saturates, and maps NaN to 0.
            let cell = (self.bounds(old_leaf).center() - centers.min) * scale;
            SortedLeaf { code: hilbert_code(cell.x as u16, cell.y as u16), slot, old_leaf }
        }));
        buffers.sort();
        self.slots.clear();
        self.slots.extend(buffers.leaves.iter().map(|leaf| leaf.slot));
        if let Some(lowest) = self.levels.first_mut() {
            core::mem::swap(lowest, &mut self.old_lowest);
        }
        self.spare_levels.extend(self.levels.drain(..).rev());
        self.add_missing_nodes();
        self.dirty.clear();
        self.is_dirty.fill(false);
        (self.unsorted_leaves, self.refitted_nodes) = (0, 0);
        for (leaf, SortedLeaf { old_leaf, .. }) in buffers.leaves.iter().enumerate() {
            self.levels[0][leaf / WIDTH].set_lane(leaf % WIDTH, lane(&self.old_lowest, *old_leaf));
        }
        for level in 1..self.levels.len() {
            let (lower, upper) = self.levels.split_at_mut(level);
            for (node, child) in lower[level - 1].iter().enumerate() {
                upper[0][node / WIDTH].set_lane(node % WIDTH, child.bounds());
            }
        }
        self.perimeters = self.levels[0].iter().map(|node| half_perimeter(node.bounds())).sum();
        self.sorted_perimeters = self.perimeters;
    }

    /// Returns the box of a leaf.
    pub(super) fn bounds(&self, leaf: u32) -> Aabb {
        lane(&self.levels[0], leaf)
    }

    /// Returns the union of all boxes; empty if there are none.
    pub(super) fn total_bounds(&self) -> Aabb {
        self.levels.last().and_then(|top| top.first()).map_or(Aabb::EMPTY, Node8::bounds)
    }

    /// Returns every leaf in use with its slot.
    pub(super) fn leaves(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.slots.iter().enumerate().filter(|(_, slot)| **slot != NO_SLOT).map(|(leaf, slot)| (leaf as u32, *slot))
    }

    /// Returns the number of levels; 0 if there are no leaves.
    pub(super) fn height(&self) -> u32 {
        if self.slots.is_empty() { 0 } else { self.levels.len() as u32 }
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
                let found = nodes[lane / WIDTH].lane(lane % WIDTH);
                if found != expected {
                    return Err(format!("level {level}, lane {lane}: {found:?} instead of {expected:?}"));
                }
            }
            count = count.div_ceil(WIDTH);
            if nodes.len() != count {
                return Err(format!("level {level} has {} nodes instead of {count}", nodes.len()));
            }
        }
        if self.levels.last().is_some_and(|top| top.len() > 1) { Err("there is no root".into()) } else { Ok(()) }
    }
}

/// Returns one lane of a row of nodes.
#[inline]
pub(super) fn lane(nodes: &[Node8], index: u32) -> Aabb {
    nodes[index as usize / WIDTH].lane(index as usize % WIDTH)
}

fn half_perimeter(bounds: Aabb) -> f64 {
    if bounds.is_finite() { (bounds.max.as_dvec2() - bounds.min.as_dvec2()).element_sum() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validate_reports_every_kind_of_damage() {
        let mut bvh = Bvh::default();
        for slot in 0..20_u8 {
            let at = Vec2::splat(slot.into());
            bvh.push(slot.into(), Aabb { min: at, max: at });
        }
        bvh.sort(&mut LeafSort::default());
        assert_eq!(bvh.validate(), Ok(()));
        let cases: [(&str, fn(&mut Bvh)); 4] = [
            ("level 1, lane 2", |bvh| bvh.levels[1][0].set_lane(2, Aabb::EMPTY)),
            ("level 0, lane 21", |bvh| bvh.levels[0][2].set_lane(5, Aabb::EVERYTHING)),
            ("level 0 has 4 nodes instead of 3", |bvh| bvh.levels[0].push(Node8::EMPTY)),
            ("there is no root", |bvh| drop(bvh.levels.pop())),
        ];
        for (expected, damage) in cases {
            let mut damaged = bvh.clone();
            damage(&mut damaged);
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(expected), "{found} instead of {expected}");
        }
    }

    #[test]
    fn leaves_sort_by_code_and_then_by_slot() {
        for count in [1, 2, 15, 1_000, 10_000_u32] {
            let mut leaf_sort = LeafSort::default();
            let scrambled = (0..count).map(|old_leaf| (old_leaf, old_leaf.wrapping_mul(0x9e37_79b9)));
            leaf_sort.leaves.extend(scrambled.map(|(old_leaf, code)| SortedLeaf {
                code: code & 0xf000_00ff,
                slot: count - old_leaf,
                old_leaf,
            }));
            let mut expected: Vec<_> = leaf_sort.leaves.iter().map(|leaf| (leaf.code, leaf.slot)).collect();
            expected.sort_unstable();
            leaf_sort.sort();
            let found: Vec<_> = leaf_sort.leaves.iter().map(|leaf| (leaf.code, leaf.slot)).collect();
            assert_eq!(found, expected);
        }
    }
}
