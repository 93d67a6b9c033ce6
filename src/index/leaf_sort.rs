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

use super::node8::{Node8, WIDTH, lane, lanes, set_lane};
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::{Aabb, CountingSort};

/// The number of buckets of a counting sort of many leaves, and that of a few: clearing 256 buckets for each few leaves
/// takes 2 % more instructions while 10,000 colliders are added.
const BUCKETS: usize = 256;
const FEW_BUCKETS: usize = 64;

/// Sorts leaves, and has the memory for it.
#[derive(Debug, Default)]
pub(super) struct LeafSort {
    /// The numbers of the leaves in the old order, in the new order.
    leaves: Vec<u32>,
    division: Division,
}

impl LeafSort {
    /// Sorts leaves: the lanes of `nodes`, and the slot of each. Empty lanes come last. Returns the number of the others.
    ///
    /// Leaves at one place keep their order. It depends on earlier sorts, but no answer depends on the order of leaves.
    pub(super) fn sort(&mut self, nodes: &mut [Node8], slots: &mut [u32]) -> usize {
        let Self { leaves, division } = self;
        division.centers.clear();
        for node in 0..nodes.len() {
            for child in lanes(nodes[node].children()) {
                let (leaf, at) = (division.centers.len(), node * WIDTH + child);
                let bounds = lane(nodes, at);
                if leaf < at {
                    set_lane(nodes, leaf, bounds);
                    slots[leaf] = slots[at];
                }
                division.centers.push(bounds.center());
            }
        }
        let in_use = division.centers.len();
        (in_use..slots.len()).for_each(|gone| set_lane(nodes, gone, Aabb::EMPTY));
        leaves.clear();
        leaves.extend(0..in_use as u32);
        // The number of leaves of each child, from the children of the root down to the lowest nodes.
        let mut count = WIDTH;
        while count * WIDTH < in_use {
            count *= WIDTH;
        }
        while count >= WIDTH {
            leaves.chunks_mut(count * WIDTH).for_each(|leaves| division.divide(leaves, count));
            count /= WIDTH;
        }
        self.rearrange(nodes, slots);
        in_use
    }

    /// Puts boxes and slots into the new order, by exchanging those of two places for each leaf.
    fn rearrange(&mut self, nodes: &mut [Node8], slots: &mut [u32]) {
        for at in 0..self.leaves.len() {
            let mut from = self.leaves[at] as usize;
            // An earlier exchange may have moved the leaf. There are no more exchanges than leaves, so all of them together
            // are followed in as many steps.
            while from < at {
                from = self.leaves[from] as usize;
            }
            self.leaves[at] = from as u32;
            let (here, there) = (lane(nodes, at), lane(nodes, from));
            set_lane(nodes, at, there);
            set_lane(nodes, from, here);
            slots.swap(at, from);
        }
    }

    /// Reserves memory to sort this many leaves.
    pub(super) fn reserve(&mut self, leaves: usize) {
        self.leaves.clear();
        self.leaves.reserve_exact(leaves);
        self.division.centers.clear();
        self.division.centers.reserve_exact(leaves);
        self.division.sort.reserve(leaves, BUCKETS);
    }
}

/// Divides the leaves of nodes among their children.
#[derive(Debug, Default)]
struct Division {
    /// By leaf, in the old order: the centre of the box.
    centers: Vec<Vec2>,
    sort: CountingSort,
}

impl Division {
    /// Sorts the leaves of a node so that its children, of `count` leaves each, lie side by side.
    fn divide(&mut self, leaves: &mut [u32], count: usize) {
        let centers = leaves.iter().map(|leaf| self.centers[*leaf as usize]);
        let add = |all: Aabb, center: Vec2| Aabb { min: center.min(all.min), max: center.max(all.max) };
        let bounds = centers.fold(Aabb::EMPTY, add);
        let size = bounds.size();
        let longer = usize::from(size[1] > size[0]);
        self.sort_along(longer, leaves, count, bounds);
        // The lowest nodes shall be about as wide as high. Nodes above them may be slabs, which saves a sort at each level.
        if count == WIDTH {
            let shorter = 1 - longer;
            let aspect = size[longer] / size[shorter];
            // A cast from float to integer saturates, and maps NaN to 0.
            let rows = ((leaves.len() as f32 / WIDTH as f32 / aspect).sqrt() + 0.5) as usize;
            if rows > 1 {
                let columns = leaves.chunks_mut(rows * WIDTH);
                columns.for_each(|column| self.sort_along(shorter, column, count, bounds));
            }
        }
    }

    /// Sorts leaves by one coordinate of their centres, so that they can be divided into parts of `count` leaves. No
    /// centre is outside `bounds`.
    fn sort_along(&mut self, axis: usize, leaves: &mut [u32], count: usize, bounds: Aabb) {
        let (low, size) = (bounds.min[axis], bounds.size()[axis]);
        if size <= 0.0 {
            return;
        }
        let buckets = if leaves.len() < BUCKETS { FEW_BUCKETS } else { BUCKETS };
        let scale = buckets as f32 / size;
        let coordinate = |leaf: u32| self.centers[leaf as usize][axis];
        let bucket = |leaf| (((coordinate(leaf) - low) * scale) as usize).min(buckets - 1);
        let most = self.sort.sort_by_key(leaves, buckets, bucket);
        // A few leaves far from the others can leave all others in one bucket.
        if most > (count / 2).max(WIDTH) {
            self.sort.sort_by_digits(leaves, |leaf| rank(coordinate(leaf)));
        }
    }
}

/// Returns an integer for a number. The integers have the same order as the numbers.
fn rank(number: f32) -> u32 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 31 }
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
            set_lane(&mut nodes, leaf, Aabb { min: *point - 0.5, max: *point + 0.5 });
        }
        let mut slots: Vec<u32> = (0..points.len() as u32).collect();
        assert_eq!(LeafSort::default().sort(&mut nodes, &mut slots), points.len());
        slots.into_iter().map(|slot| slot as usize).collect()
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
        let far = [1e4, -3e4, 1e8, -1e30].map(|distance| Vec2::new(distance, 2.0 * distance));
        let sum = |points: &[Vec2]| -> f32 {
            let perimeters = tiles(points, WIDTH).into_iter().map(|tile| tile.size().element_sum());
            perimeters.filter(|perimeter| *perimeter < 1e3).sum()
        };
        let (alone, together) = (sum(&near), sum(&[&near[..], &far].concat()));
        assert!(together < 1.5 * alone, "{together} instead of {alone}");
    }
}
