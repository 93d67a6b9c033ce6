//! Decides when a tree is sorted again because its boxes have moved. A sort takes time once; nodes that have grown take
//! time in every search.
//!
//! The nodes of the lowest level show how good a sort still is. Two measures of them are compared with those just after
//! the sort: the mean factor by which they have grown, and the odds of their share in their parents, which also rise if all
//! boxes gather in a small part of the world and mix there.

use alloc::vec::Vec;
use core::ops::Range;

use super::node8::{Node8, WIDTH, lane};
use crate::math::{Aabb, clone_fields};

/// The tree is sorted when its lowest nodes have grown by this factor on average: larger boxes make every search slower.
///
/// Each node is compared with itself. The sum of all perimeters would be that of the node of one leaf far away, which
/// hides how all others grow.
const MAX_MEAN_GROWTH: f64 = 1.5;

/// No node counts as if it had grown by more than this factor. About every search has then to look into it.
const MAX_NODE_GROWTH: f32 = 64.0;

/// The largest number of parents among which a change of the shares of the lowest nodes is measured.
const ODDS_SAMPLE: usize = 64;

/// A tree of several runs is sorted as a whole when it has been refitted once per this many leaves since the last time. A
/// search after each refit has then lost about as much time to the runs as the sort takes.
const LEAVES_PER_REFIT: usize = 8;

/// Measures how much slower the searches of a tree have become since it was sorted.
#[derive(Debug, Default)]
pub(super) struct SortPolicy {
    /// The growth of the lowest nodes, without those of the tail; empty if there is only one node.
    growths: Vec<Growth>,
    /// The sum of the factors by which they have grown.
    total_growth: f64,
    /// The number of nodes that were refitted since the whole tree was sorted.
    refitted_nodes: usize,
    /// The number of refits since then, or since there are several runs.
    refits: usize,
    /// The [odds](Self::odds) when the whole tree was sorted.
    sorted_odds: f64,
    /// The factor by which the odds have grown, when they were measured last.
    odds_growth: f64,
    /// The number of refitted nodes at which they are measured next.
    next_odds: usize,
}

clone_fields!(SortPolicy { growths, total_growth, refitted_nodes, refits, sorted_odds, odds_growth, next_odds });

impl SortPolicy {
    /// Counts a refit of the tree.
    pub(super) fn count_refit(&mut self) {
        self.refits = self.refits.saturating_add(1);
    }

    /// Counts nodes of the lowest level whose parents were refitted. `levels` are the rows of nodes, the lowest first.
    pub(super) fn count_nodes(&mut self, count: usize, levels: &[Vec<Node8>]) {
        self.refitted_nodes = self.refitted_nodes.saturating_add(count);
        if self.refitted_nodes >= self.next_odds {
            self.next_odds = self.refitted_nodes.saturating_add(self.growths.len());
            self.odds_growth = self.odds(levels) / self.sorted_odds;
        }
    }

    /// Records the new box of a node of the lowest level.
    pub(super) fn record(&mut self, node: usize, bounds: Aabb) {
        if let Some(growth) = self.growths.get_mut(node) {
            self.total_growth += growth.measure(bounds);
        }
    }

    /// Returns `true` if several runs of together this many leaves have slowed down searches for as long as a sort takes.
    pub(super) fn has_slow_runs(&self, leaves: usize) -> bool {
        self.refits.saturating_mul(LEAVES_PER_REFIT) > leaves
    }

    /// Returns `true` if the lowest nodes have grown so much that a sort of the tree, which has this many leaves, costs less
    /// than the searches that it spares.
    ///
    /// A search enters as many more nodes as their areas have grown. A tree of boxes that all fly apart would be sorted
    /// in every other frame if growth alone decided. So each node, which has eight leaves, is refitted four times before
    /// if it has become twice as wide, and once if it has become four times as wide. If few nodes are refitted at a time,
    /// the searches in between cost more than the refits.
    pub(super) fn has_grown(&self, leaves: usize) -> bool {
        let mean = (self.total_growth / self.growths.len() as f64).max(self.odds_growth);
        let searches = 0.5 * self.refitted_nodes as f64 + self.refits.saturating_mul(LEAVES_PER_REFIT) as f64;
        mean > MAX_MEAN_GROWTH && searches * mean * mean >= leaves as f64
    }

    /// Forgets the growth of the lowest nodes from one on, because they are sorted.
    pub(super) fn forget(&mut self, first: usize) {
        self.growths.truncate(first);
        // The sum of the other factors, without the rounding of the differences.
        self.total_growth = self.growths.iter().map(|growth| f64::from(growth.factor)).sum();
    }

    /// Forgets the refits, because there was only one run until now.
    pub(super) fn forget_refits(&mut self) {
        self.refits = 0;
    }

    /// Measures the growth of these nodes of the lowest level from now on. If they are all nodes, everything is measured
    /// from now on.
    pub(super) fn start(&mut self, nodes: Range<usize>, levels: &[Vec<Node8>]) {
        let is_whole = nodes.start == 0;
        if let Some(upper) = levels.get(1) {
            for node in nodes {
                let bounds = lane(upper, node);
                let mut growth = Growth { per_unit: 1.0 / half_perimeter(bounds).max(f32::MIN_POSITIVE), factor: 0.0 };
                self.total_growth += growth.measure(bounds);
                self.growths.push(growth);
            }
        }
        if is_whole {
            (self.refitted_nodes, self.refits) = (0, 0);
            (self.sorted_odds, self.odds_growth, self.next_odds) = (self.odds(levels), 0.0, self.growths.len());
        }
    }

    /// Returns the odds of the mean share of the lowest nodes, except those of the tail, in their parents: of the quotient
    /// of their half perimeters. If nodes and parents grow by the same length, these odds grow by the same factor as the
    /// nodes, whatever the scale of the tree.
    fn odds(&self, levels: &[Vec<Node8>]) -> f64 {
        let Some(upper) = levels.get(1) else { return 0.0 };
        let (mut sum, mut count) = (0.0, 0);
        for index in (0..upper.len()).step_by(upper.len() / ODDS_SAMPLE + 1) {
            let per_unit = 1.0 / half_perimeter(upper[index].bounds()).max(f32::MIN_POSITIVE);
            for node in (index * WIDTH..(index + 1) * WIDTH).take_while(|node| *node < self.growths.len()) {
                sum += f64::from(half_perimeter(lane(upper, node)) * per_unit);
                count += 1;
            }
        }
        let share = sum / f64::from(count);
        share / (1.0 - share)
    }
}

/// The growth of a node since its last sort.
#[derive(Debug, Clone, Copy)]
struct Growth {
    /// The reciprocal of its half perimeter then.
    per_unit: f32,
    /// The factor by which it has grown.
    factor: f32,
}

impl Growth {
    /// Sets the factor to that of the present bounds, and returns the difference.
    fn measure(&mut self, bounds: Aabb) -> f64 {
        let factor = (half_perimeter(bounds) * self.per_unit).clamp(0.0, MAX_NODE_GROWTH);
        f64::from(factor) - f64::from(core::mem::replace(&mut self.factor, factor))
    }
}

fn half_perimeter(bounds: Aabb) -> f32 {
    // A product with infinity could be NaN.
    bounds.size().element_sum().min(f32::MAX)
}
