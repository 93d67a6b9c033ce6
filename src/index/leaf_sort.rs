//! The order of the leaves of a tree. From the root down, a counting sort along the longer side of each node divides its
//! leaves among its children.
//!
//! The nodes of a level then lie side by side. Parts of a space-filling curve overlap more, because they do not end where
//! a quadrant ends, and searches visit a quarter more nodes.
//!
//! Sources: T. Lee and S. Lee, *OMT: overlap minimizing top-down bulk loading algorithm for R-tree* (2003);
//! S. Leutenegger, M. Lopez and J. Edgington, *STR: a simple and efficient algorithm for R-tree packing* (1997).

use alloc::vec::Vec;

use glam::Vec2;

use super::node8::{Node8, WIDTH, lanes};
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::{Aabb, CountingSort};

/// The number of values of one of the two digits of a coordinate.
const DIGITS: usize = 1 << u8::BITS;

/// An order of leaves, with the memory to compute it.
#[derive(Debug, Default)]
pub(super) struct LeafSort {
    leaves: Vec<Leaf>,
    sort: CountingSort<Leaf>,
    /// The lowest nodes of a tree, and their slots, in the old order.
    pub(super) nodes: Vec<Node8>,
    pub(super) slots: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Leaf {
    /// The centre's place in a grid of 65,536 by 65,536 cells over all centres.
    cell: [u16; 2],
    number: u32,
}

impl LeafSort {
    /// Sorts the leaves of `nodes` that are not empty.
    ///
    /// Leaves at one place keep their order. It depends on earlier sorts, but no answer depends on the order of leaves.
    pub(super) fn sort(&mut self) {
        let centers = center_bounds(&self.nodes);
        let scale = Vec2::splat(f32::from(u16::MAX)) / centers.size().max(Vec2::splat(f32::MIN_POSITIVE));
        self.leaves.clear();
        for (node, number) in self.nodes.iter().zip((0..).step_by(WIDTH)) {
            let cells = cells(node, centers.min, scale);
            let leaf = |lane| Leaf { cell: cells[lane], number: number + lane as u32 };
            self.leaves.extend(lanes(node.children()).map(leaf));
        }
        // How many leaves each child has, from the children of the root down to the lowest nodes.
        let mut count = WIDTH;
        while count * WIDTH < self.leaves.len() {
            count *= WIDTH;
        }
        while count >= WIDTH {
            let nodes = self.leaves.chunks_mut(count * WIDTH);
            nodes.for_each(|leaves| divide(leaves, count, &mut self.sort));
            count /= WIDTH;
        }
    }

    /// Returns the old numbers of the leaves in their new order.
    pub(super) fn leaves(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.leaves.iter().map(|leaf| leaf.number)
    }

    /// Reserves memory to sort this many leaves, so that a later sort of more leaves than this one allocates nothing.
    pub(super) fn reserve(&mut self, leaves: usize) {
        self.nodes.reserve(leaves.div_ceil(WIDTH));
        self.slots.reserve(leaves);
        self.leaves.clear();
        self.leaves.reserve(leaves);
        self.sort.reserve(leaves, DIGITS);
    }

    /// Empties the copies for the next sort.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.slots.clear();
    }
}

/// Sorts the leaves of a node so that its children, of `count` leaves each, lie side by side.
fn divide(leaves: &mut [Leaf], count: usize, sort: &mut CountingSort<Leaf>) {
    let (mut low, mut high) = ([u16::MAX; 2], [0; 2]);
    for Leaf { cell, .. } in &*leaves {
        for axis in 0..2 {
            (low[axis], high[axis]) = (low[axis].min(cell[axis]), high[axis].max(cell[axis]));
        }
    }
    let size = [high[0] - low[0], high[1] - low[1]];
    let longer = usize::from(size[1] > size[0]);
    sort_along(longer, leaves, low[longer], size[longer], sort);
    // The lowest nodes shall be about as wide as high. Nodes above them may be slabs, which saves a sort at each level.
    if count == WIDTH {
        let shorter = 1 - longer;
        let aspect = f32::from(size[longer].max(1)) / f32::from(size[shorter].max(1));
        let rows = ((leaves.len() as f32 / WIDTH as f32 / aspect).sqrt() + 0.5) as usize;
        if rows > 1 {
            let columns = leaves.chunks_mut(rows * WIDTH);
            columns.for_each(|column| sort_along(shorter, column, low[shorter], size[shorter], sort));
        }
    }
}

/// Sorts leaves by one coordinate of their cells, which is at least `low` and at most `low + size`.
fn sort_along(axis: usize, leaves: &mut [Leaf], low: u16, size: u16, sort: &mut CountingSort<Leaf>) {
    let offset = |leaf: &Leaf| leaf.cell[axis] - low;
    let buckets = if leaves.len() < DIGITS { DIGITS / 4 } else { DIGITS };
    let scale = ((buckets as u32) << u16::BITS) / (u32::from(size) + 1);
    let most = sort.sort_by_key(leaves, buckets, |leaf| ((u32::from(offset(leaf)) * scale) >> u16::BITS) as usize);
    // A few leaves far from the others leave most in one bucket.
    if most * 2 > leaves.len() && usize::from(size) >= DIGITS {
        sort.sort_by_key(leaves, DIGITS, |leaf| usize::from(offset(leaf)) % DIGITS);
        sort.sort_by_key(leaves, DIGITS, |leaf| usize::from(offset(leaf)) / DIGITS);
    }
}

/// Returns the bounds of the centres of all boxes.
fn center_bounds(nodes: &[Node8]) -> Aabb {
    nodes.iter().fold(Aabb::EMPTY, |all, node| all.union(node.center_bounds()))
}

/// Returns the cell of the centre of each lane.
#[inline]
fn cells(node: &Node8, origin: Vec2, scale: Vec2) -> [[u16; 2]; WIDTH] {
    let [x, y] = node.centers();
    core::array::from_fn(|lane| {
        // A cast from float to integer saturates, and maps NaN to 0.
        let cell = (Vec2::new(x[lane], y[lane]) - origin) * scale;
        [cell.x as u16, cell.y as u16]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `count` points that look random, on a grid of 256 by 256 places.
    fn scattered(count: usize) -> Vec<Vec2> {
        let scrambled = (0..count as u32).map(|leaf| leaf.wrapping_mul(0x9e37_79b9));
        scrambled.map(|bits| Vec2::new((bits >> 24) as f32, (bits >> 8 & 255) as f32)).collect()
    }

    /// Returns the numbers of the points in the order of the sort.
    fn sorted(points: &[Vec2]) -> Vec<usize> {
        let mut nodes = alloc::vec![Node8::EMPTY; points.len().div_ceil(WIDTH)];
        for (leaf, point) in points.iter().enumerate() {
            nodes[leaf / WIDTH].set_lane(leaf % WIDTH, Aabb { min: *point - 0.5, max: *point + 0.5 });
        }
        let mut leaf_sort = LeafSort { nodes, ..LeafSort::default() };
        leaf_sort.sort();
        leaf_sort.leaves().map(|leaf| leaf as usize).collect()
    }

    /// Returns the boxes around every `count` points in the order of the sort.
    fn tiles(points: &[Vec2], count: usize) -> Vec<Aabb> {
        let tile = |part: &[usize]| {
            part.iter().fold(Aabb::EMPTY, |all, leaf| all.union(Aabb { min: points[*leaf], max: points[*leaf] }))
        };
        sorted(points).chunks(count).map(tile).collect()
    }

    #[test]
    fn every_leaf_is_sorted_once() {
        for count in [0, 1, 2, 7, 8, 9, 15, 64, 65, 511, 513, 1_000, 10_000] {
            let mut leaves = sorted(&scattered(count));
            leaves.sort_unstable();
            assert!(leaves.into_iter().eq(0..count), "{count} leaves");
        }
    }

    #[test]
    fn leaves_at_one_place_keep_their_order() {
        assert!(sorted(&[Vec2::ONE; 700]).into_iter().eq(0..700));
    }

    #[test]
    fn nodes_of_one_level_lie_side_by_side() {
        // As many places as leaves of a full tree.
        let points: Vec<Vec2> = (0..4_096_u16).map(|at| Vec2::new(f32::from(at % 64), f32::from(at / 64))).collect();
        for count in [64, 512] {
            let tiles = tiles(&points, count);
            for (number, tile) in tiles.iter().enumerate() {
                assert!(tiles[..number].iter().all(|other| !other.overlaps(*tile)), "tile {number} of {count} leaves");
            }
        }
    }

    #[test]
    fn the_lowest_nodes_are_about_as_wide_as_high() {
        for count in [64, 500, 512, 4_096, 10_000, 32_768] {
            let square = 256.0 / (count as f32 / WIDTH as f32).sqrt();
            let tiles = tiles(&scattered(count), WIDTH);
            let mean = tiles.iter().map(|tile| tile.size().element_sum()).sum::<f32>() / tiles.len() as f32;
            assert!(mean < 2.0 * square, "{count} leaves: {mean} instead of two times {square}");
        }
    }

    #[test]
    fn leaves_far_away_do_not_disturb_the_order_of_the_others() {
        let near = scattered(3_000);
        let far = [1e4, -3e4].map(|distance| Vec2::new(distance, 2.0 * distance));
        let sum = |points: &[Vec2]| -> f32 {
            let perimeters = tiles(points, WIDTH).into_iter().map(|tile| tile.size().element_sum());
            perimeters.filter(|perimeter| *perimeter < 1e3).sum()
        };
        let (alone, together) = (sum(&near), sum(&[&near[..], &far].concat()));
        assert!(together < 1.5 * alone, "{together} instead of {alone}");
    }
}
