//! All pairs of boxes that overlap, found node by node rather than box by box.

use smallvec::SmallVec;

use super::node::{Node8, lanes};
use super::tree::Tree;

/// Visits every overlapping pair of two boxes of one tree.
#[inline]
pub(super) fn within(tree: &Tree, visit: &mut impl FnMut(u32, u32)) {
    for (index, node) in tree.lowest().iter().enumerate() {
        let slots = tree.slots_of(index);
        // Each box against those behind it in its own node, then the node against those behind it.
        for lane in 0..slots.len() {
            let behind = node.overlapping(node.lane(lane)) & !((2 << lane) - 1);
            for other in lanes(behind) {
                visit(slots[lane], slots[other]);
            }
        }
        each_near(tree, node, index as u32 + 1, |other| between_nodes(node, slots, tree, other, visit));
    }
}

/// Visits every overlapping pair of a box of one tree and a box of another.
#[inline]
pub(super) fn between(tree: &Tree, others: &Tree, visit: &mut impl FnMut(u32, u32)) {
    for (index, node) in tree.lowest().iter().enumerate() {
        let slots = tree.slots_of(index);
        each_near(others, node, 0, |other| between_nodes(node, slots, others, other, visit));
    }
}

#[inline]
fn between_nodes(node: &Node8, slots: &[u32], tree: &Tree, other: u32, visit: &mut impl FnMut(u32, u32)) {
    let (other, other_slots) = (&tree.lowest()[other as usize], tree.slots_of(other as usize));
    for lane in lanes(node.overlapping(other.bounds())) {
        for hit in lanes(other.overlapping(node.lane(lane))) {
            visit(slots[lane], other_slots[hit]);
        }
    }
}

/// Visits the lowest nodes of a tree that overlap a node's box, from the `first` on.
#[inline]
fn each_near(tree: &Tree, node: &Node8, first: u32, mut visit: impl FnMut(u32)) {
    let region = node.bounds();
    let top = tree.height();
    if top == 0 {
        return;
    }
    if top == 1 {
        if first == 0 {
            visit(0);
        }
        return;
    }
    let mut pending: SmallVec<[(u32, u32); 96]> = SmallVec::new();
    pending.push((top - 1, 0));
    while let Some((level, index)) = pending.pop() {
        let mut mask = tree.node(level, index).overlapping(region);
        // What ends before the first is not visited: at this level, the children up to here.
        let skipped = (first >> (3 * (level - 1))).saturating_sub(index * 8);
        mask &= u32::MAX.checked_shl(skipped).unwrap_or(0);
        for lane in lanes(mask) {
            let child = index * 8 + lane as u32;
            if level == 1 {
                visit(child);
            } else {
                pending.push((level - 1, child));
            }
        }
    }
}
