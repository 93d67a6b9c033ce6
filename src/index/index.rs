use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use super::bvh::Bvh;
use super::leaf_sort::LeafSort;
use super::node8::{Node8, WIDTH};
use super::pair_join::PairJoin;
use super::search::LeafOrder;
use crate::math::tolerance::BOUNDS_PADDING;
use crate::math::{Aabb, clone_fields, extend_to};

/// A pass over all slots is cheaper than one over the leaves of the moving tier if more than one in so many slots has
/// such a leaf. Without such passes, 20,000 shots and 200 targets (otherwise as in W10 of `benches/peers`) update with
/// 18 % more cache misses.
const SLOTS_PER_LEAF: usize = 4;

/// A set of boxes, each with a slot: a number that the caller chooses, best without large gaps.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// By slot.
    locations: Vec<Location>,
    pub(super) moving: Bvh,
    pub(super) still: Bvh,
    leaf_sort: LeafSort,
}

clone_fields!(Index { locations, moving, still; scratch: leaf_sort });

/// The tier and the leaf of a slot, in 4 bytes: twice the number of the leaf, and one more in the still tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Location(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tier {
    Moving,
    Still,
}

impl Location {
    /// The location of a slot without a box.
    const ABSENT: Self = Self(u32::MAX);

    #[inline]
    fn new(tier: Tier, leaf: u32) -> Self {
        Self(2 * leaf + tier as u32)
    }

    /// Returns the tier and the leaf, or `None` if the slot has no box.
    #[inline]
    fn get(self) -> Option<(Tier, u32)> {
        let tier = if self.0.is_multiple_of(2) { Tier::Moving } else { Tier::Still };
        (self != Self::ABSENT).then_some((tier, self.0 / 2))
    }
}

impl Index {
    /// Adds or replaces the box of a slot. It must be finite. Queries see it after [`refresh`](Self::refresh).
    #[inline]
    pub(crate) fn set(&mut self, slot: u32, bounds: Aabb) {
        match self.location(slot) {
            Some((Tier::Moving, leaf)) => self.moving.set(leaf, bounds),
            _ => self.add_to_moving_tier(slot, bounds),
        }
    }

    /// Returns `true` if a slot has a box.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.location(slot).is_some()
    }

    /// Visits the slots that have a box in the moving tier, in no particular order.
    pub(crate) fn each_moving_slot(&self, mut visit: impl FnMut(u32)) {
        // In the order of the slots, the caller reads its arrays by slot in their order.
        if self.moving_count() * SLOTS_PER_LEAF > self.locations.len() {
            (0..self.locations.len() as u32).filter(|slot| self.is_moving(*slot)).for_each(visit);
        } else {
            self.moving.leaves_from(0).for_each(|(_, slot)| visit(slot));
        }
    }

    /// Returns `true` if a slot has a box in the moving tier.
    pub(crate) fn is_moving(&self, slot: u32) -> bool {
        matches!(self.location(slot), Some((Tier::Moving, _)))
    }

    /// Returns the tier and the leaf of a slot, if it has a box.
    #[inline]
    fn location(&self, slot: u32) -> Option<(Tier, u32)> {
        self.locations.get(slot as usize)?.get()
    }

    #[cold]
    fn add_to_moving_tier(&mut self, slot: u32, bounds: Aabb) {
        self.remove(slot);
        extend_to(&mut self.locations, slot as usize + 1, Location::ABSENT);
        let leaf = self.moving.push(slot, bounds);
        self.locations[slot as usize] = Location::new(Tier::Moving, leaf);
    }

    /// Removes the box of a slot. Returns `false` if there is none.
    pub(crate) fn remove(&mut self, slot: u32) -> bool {
        match self.location(slot) {
            None => return false,
            Some((Tier::Moving, leaf)) => self.moving.clear(leaf),
            Some((Tier::Still, leaf)) => self.still.clear(leaf),
        }
        self.locations[slot as usize] = Location::ABSENT;
        true
    }

    /// Updates the trees after changes. All queries need it.
    pub(crate) fn refresh(&mut self) {
        self.refit(Bvh::has_changed);
    }

    /// Counts an update in which no box changes: searches after it may be worth a sort.
    pub(super) fn rest(&mut self) {
        self.refit(|_| true);
    }

    /// Refits the trees that are `due`, and sorts what that requires.
    fn refit(&mut self, is_due: impl Fn(&Bvh) -> bool) {
        for (tier, bvh) in [(Tier::Moving, &mut self.moving), (Tier::Still, &mut self.still)] {
            if is_due(bvh)
                && let Some(first) = bvh.refit()
            {
                bvh.sort(first, &mut self.leaf_sort);
                for (leaf, slot) in bvh.leaves_from(first) {
                    self.locations[slot as usize] = Location::new(tier, leaf);
                }
            }
        }
    }

    /// Transfers the boxes of slots from the moving tier to the still tier. There they are what `still_box` returns; it
    /// returns `None` for a slot that stays.
    pub(super) fn transfer_to_still(&mut self, mut still_box: impl FnMut(u32) -> Option<Aabb>) {
        for leaf in 0..self.moving.slots.len() as u32 {
            let slot = self.moving.slots[leaf as usize];
            // The slot of a cleared leaf has no location.
            let Some(location) = self.locations.get_mut(slot as usize) else { continue };
            if let Some(bounds) = still_box(slot) {
                self.moving.clear(leaf);
                *location = Location::new(Tier::Still, self.still.push(slot, bounds));
            }
        }
        self.refresh();
    }

    /// Returns the number of boxes.
    pub(crate) fn len(&self) -> usize {
        self.moving.len() + self.still.len()
    }

    /// Returns the number of leaves in the moving tier.
    pub(crate) fn moving_count(&self) -> usize {
        self.moving.slots.len()
    }

    /// Returns the box of a slot, if there is one.
    pub(crate) fn bounds(&self, slot: u32) -> Option<Aabb> {
        Some(match self.location(slot)? {
            (Tier::Moving, leaf) => self.moving.bounds(leaf),
            (Tier::Still, leaf) => self.still.bounds(leaf),
        })
    }

    /// Returns the union of all boxes; empty if there are none.
    pub(crate) fn total_bounds(&self) -> Aabb {
        self.moving.total_bounds().union(self.still.total_bounds())
    }

    /// Visits every pair of overlapping boxes of which at least one is in the moving tier, each pair once, in no
    /// particular order.
    pub(crate) fn moving_pairs(&self, join: &mut PairJoin, mut visit: impl FnMut([u32; 2])) {
        join.within(&self.moving, &mut visit);
        self.pairs_between_tiers(join, visit);
    }

    /// Visits every pair of overlapping boxes of different tiers, each pair once, in no particular order.
    pub(crate) fn pairs_between_tiers(&self, join: &mut PairJoin, visit: impl FnMut([u32; 2])) {
        join.between(&self.moving, &self.still, visit);
    }

    /// Visits every pair of overlapping boxes, each pair once, in no particular order.
    pub(crate) fn pairs(&self, join: &mut PairJoin, mut visit: impl FnMut([u32; 2])) {
        self.moving_pairs(join, &mut visit);
        join.within(&self.still, visit);
    }

    /// Tests the slots whose boxes overlap a region, in no particular order, until one passes. Returns `true` if one did.
    /// An empty region overlaps nothing; an infinite one is clamped.
    pub(crate) fn any_in_region(&self, region: Aabb, test: &mut dyn FnMut(u32) -> bool) -> bool {
        let visit = |slot, _, _| if test(slot) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        self.in_region(region, visit).is_break()
    }

    /// Does the same as [`any_in_region`](Self::any_in_region) for searches that must be fast: it is compiled for each of
    /// them. It gives each slot with its box and its tier.
    #[inline]
    pub(super) fn in_region(
        &self,
        region: Aabb,
        mut visit: impl FnMut(u32, Aabb, Tier) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // An infinite region would overlap empty lanes.
        let finite = if region.is_finite() { Some(region) } else { region.finite_part() };
        let Some(region) = finite else { return ControlFlow::Continue(()) };
        self.moving.in_region(region, &mut |slot, bounds| visit(slot, bounds, Tier::Moving))?;
        self.still.in_region(region, &mut |slot, bounds| visit(slot, bounds, Tier::Still))
    }

    /// Visits the slots whose boxes a moving box touches, in each tier roughly in the order of the hits, up to the
    /// limit that `visit` returned last. `limit` is a multiple of `direction`. A ray is the cast of a point.
    pub(crate) fn cast_aabb(&self, from: Aabb, direction: Vec2, limit: f32, visit: impl FnMut(u32, f32) -> f32) {
        let inverse = direction.recip();
        // The reciprocal of a denormal number overflows. The box is swept along that axis instead.
        let overflows = inverse.abs().cmpeq(Vec2::INFINITY) & direction.cmpne(Vec2::ZERO);
        let from = from.swept(Vec2::select(overflows, direction * limit, Vec2::ZERO));
        self.search(LeafOrder::Any, limit, |node, limit| node.times_of_impact(from, inverse, limit), visit);
    }

    /// Visits the slots whose boxes are within a distance of a point, in each tier roughly the nearest first, up to the
    /// limit that `visit` returned last. By [`best_first`](Self::best_first), `nearest_n` takes 15 % more instructions.
    pub(crate) fn nearest(&self, point: Vec2, limit: f32, mut visit: impl FnMut(u32) -> f32) {
        // The squares are padded for rounding. One that overflows is no limit.
        let squared = |limit: f32| limit * limit * (1.0 + BOUNDS_PADDING) + f32::MIN_POSITIVE;
        let score = |node: &Node8, limit| node.squared_distances(point, limit);
        self.search(LeafOrder::BestFirst, squared(limit), score, |slot, _| squared(visit(slot)));
    }

    /// Visits slots, in each tier roughly the best score first, up to the limit that `visit` returned last.
    ///
    /// `score` returns a lower bound of the scores of everything inside a box, or infinity to exclude it.
    pub(crate) fn best_first(&self, limit: f64, score: impl Fn(Aabb) -> f64, visit: impl FnMut(u32, f64) -> f64) {
        self.search(LeafOrder::BestFirst, limit, |node, limit| node.scores(limit, &score), visit);
    }

    /// Searches the moving tier, then the still tier, as [`Bvh::best_first`] does.
    #[inline(always)]
    fn search<S: Copy + PartialOrd>(
        &self,
        leaf_order: LeafOrder,
        mut limit: S,
        score: impl Fn(&Node8, S) -> ([S; WIDTH], u32),
        mut visit: impl FnMut(u32, S) -> S,
    ) {
        for bvh in [&self.moving, &self.still] {
            limit = bvh.best_first(leaf_order, limit, &score, &mut visit);
        }
    }

    /// Visits the box of every node, for debug drawing.
    pub(crate) fn node_bounds(&self, mut visit: impl FnMut(Aabb)) {
        self.moving.node_bounds(&mut visit);
        self.still.node_bounds(&mut visit);
    }

    /// Checks all invariants and describes the first violation.
    pub(crate) fn validate(&self) -> Result<(), String> {
        for (tier, bvh) in [(Tier::Moving, &self.moving), (Tier::Still, &self.still)] {
            let tiers = self.locations.iter().filter_map(|location| Some(location.get()?.0));
            let [slots, leaves] = [tiers.filter(|of| *of == tier).count(), bvh.leaves_from(0).count()];
            if slots != leaves {
                return Err(format!("{slots} slots are {tier:?}, but {leaves} leaves"));
            }
            for (leaf, slot) in bvh.leaves_from(0) {
                if self.locations[slot as usize] != Location::new(tier, leaf) {
                    return Err(format!("leaf {leaf} of {tier:?} and slot {slot} do not agree"));
                }
            }
            bvh.validate()?;
        }
        Ok(())
    }
}

/// Builds the index of boxes in the order of their slots, and refreshes it.
impl FromIterator<Aabb> for Index {
    fn from_iter<I: IntoIterator<Item = Aabb>>(boxes: I) -> Self {
        let mut index = Self::default();
        for (slot, bounds) in boxes.into_iter().enumerate() {
            index.set(slot as u32, bounds);
        }
        index.refresh();
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validate_reports_slots_that_disagree_with_their_leaves() {
        let mut index = Index::default();
        for slot in 0..3_u8 {
            let at = Vec2::splat(slot.into());
            index.set(slot.into(), Aabb { min: at, max: at });
        }
        index.refresh();
        assert_eq!(index.validate(), Ok(()));
        let cases: [(&str, fn(&mut Index)); 4] = [
            ("2 slots are Moving, but 3 leaves", |index| index.locations[0] = Location::ABSENT),
            ("leaf 1 of Moving and slot 1 do not agree", |index| index.locations[1] = Location::new(Tier::Moving, 2)),
            ("1 slots are Still, but 0 leaves", |index| {
                index.locations.push(Location::new(Tier::Still, 0));
            }),
            ("level 0, lane 5", |index| index.moving.set(5, Aabb::EVERYTHING)),
        ];
        for (expected, damage) in cases {
            let mut damaged = index.clone();
            damage(&mut damaged);
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(expected), "{found} instead of {expected}");
        }
    }
}
