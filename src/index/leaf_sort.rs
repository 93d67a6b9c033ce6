use alloc::vec::Vec;

use glam::Vec2;

use super::hilbert::hilbert_code;
use super::node8::{Node8, WIDTH, lanes};
use crate::math::{Aabb, CountingSort};

/// The order of leaves along a Hilbert curve, with the memory to compute it.
#[derive(Debug, Default)]
pub(super) struct LeafSort {
    /// The code of each leaf's centre, above the number of the leaf.
    leaves: Vec<u64>,
    sort: CountingSort<u64>,
    /// The lowest nodes of a tree, and their slots, in the old order.
    pub(super) nodes: Vec<Node8>,
    pub(super) slots: Vec<u32>,
}

impl LeafSort {
    /// Sorts the leaves of `nodes` that are not empty, from the leaf `first` on, by the positions of their centres along
    /// the curve.
    ///
    /// Leaves at one position keep their order. It depends on earlier sorts, but no answer depends on the order of
    /// leaves.
    pub(super) fn sort(&mut self, first: usize) {
        let centers = center_bounds(&self.nodes);
        let scale = Vec2::splat(f32::from(u16::MAX)) / centers.size().max(Vec2::splat(f32::MIN_POSITIVE));
        self.leaves.clear();
        for (node, number) in self.nodes.iter().zip((0..).step_by(WIDTH)) {
            let codes = codes(node, centers.min, scale);
            let own = lanes(node.children()).map(|lane| u64::from(codes[lane]) << u32::BITS | (number + lane as u64));
            self.leaves.extend(own.filter(|leaf| *leaf as u32 >= first as u32));
        }
        self.sort.sort_by_upper_half(&mut self.leaves);
    }

    /// Returns the old numbers of the leaves in their new order.
    pub(super) fn leaves(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.leaves.iter().map(|leaf| *leaf as u32)
    }

    /// Reserves memory to sort this many leaves, so that a later sort of more leaves than this one allocates nothing.
    pub(super) fn reserve(&mut self, leaves: usize) {
        self.nodes.reserve(leaves.div_ceil(WIDTH));
        self.slots.reserve(leaves);
        self.leaves.clear();
        self.leaves.reserve(leaves);
        self.sort.reserve(leaves);
    }

    /// Empties the copies for the next sort.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.slots.clear();
    }
}

/// Returns the bounds of the centres of all boxes.
fn center_bounds(nodes: &[Node8]) -> Aabb {
    nodes.iter().fold(Aabb::EMPTY, |all, node| all.union(node.center_bounds()))
}

/// Returns for each lane the position of its centre along the curve. Without branches, so that the compiler can compute
/// several lanes at once.
#[inline]
fn codes(node: &Node8, origin: Vec2, scale: Vec2) -> [u32; WIDTH] {
    let [x, y] = node.centers();
    let mut codes = [0; WIDTH];
    for (lane, code) in codes.iter_mut().enumerate() {
        // A cast from float to integer saturates, and maps NaN to 0.
        let cell = (Vec2::new(x[lane], y[lane]) - origin) * scale;
        *code = hilbert_code(cell.x as u16, cell.y as u16);
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns nodes with a box of some size at each point.
    fn nodes(points: &[Vec2]) -> Vec<Node8> {
        let mut nodes = alloc::vec![Node8::EMPTY; points.len().div_ceil(WIDTH)];
        for (leaf, point) in points.iter().enumerate() {
            nodes[leaf / WIDTH].set_lane(leaf % WIDTH, Aabb { min: *point - 0.5, max: *point + 0.5 });
        }
        nodes
    }

    #[test]
    fn leaves_sort_by_code_and_keep_their_order_where_codes_are_equal() {
        for count in [1, 2, 15, 1_000, 10_000_usize] {
            let scrambled = (0..count as u32).map(|leaf| leaf.wrapping_mul(0x9e37_79b9));
            let points: Vec<Vec2> =
                scrambled.map(|bits| Vec2::new((bits >> 24) as f32, (bits >> 8 & 31) as f32)).collect();
            let (nodes, first) = (nodes(&points), count / 3);
            let centers = center_bounds(&nodes);
            let scale = Vec2::splat(65_535.0) / centers.size().max(Vec2::splat(f32::MIN_POSITIVE));
            let code = |leaf: &usize| codes(&nodes[leaf / WIDTH], centers.min, scale)[leaf % WIDTH];
            let mut expected: Vec<usize> = (first..count).collect();
            expected.sort_by_cached_key(code);
            let mut leaf_sort = LeafSort { nodes, ..LeafSort::default() };
            leaf_sort.sort(first);
            assert!(leaf_sort.leaves().map(|leaf| leaf as usize).eq(expected));
        }
    }

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_space() {
        let points: Vec<Vec2> = (0..4_096_u16).map(|at| Vec2::new(f32::from(at % 64), f32::from(at / 64))).collect();
        let mut leaf_sort = LeafSort { nodes: nodes(&points), ..LeafSort::default() };
        leaf_sort.sort(0);
        let order: Vec<Vec2> = leaf_sort.leaves().map(|leaf| points[leaf as usize]).collect();
        let far = order.windows(2).filter(|pair| pair[0].distance(pair[1]) > 1.0).count();
        assert!(far < 64, "{far} of {} steps are longer than one cell", order.len());
    }
}
