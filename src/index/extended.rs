//! An index whose boxes may be larger than those that were set, so that candidates outlive a frame.
//!
//! Source: L. Verlet, *Computer "experiments" on classical fluids* (1967), for the neighbour lists; Box2D's
//! `b2DynamicTree` for boxes that are extended along the motion.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use super::index::{Index, Tier};
use super::pair_join::PairJoin;
use crate::math::{Aabb, SlotSet, clone_fields, extend_to};

/// A box is extended by this multiple of its last motion, so that it stays inside for as many steps.
const STEPS_AHEAD: f32 = 10.0;

/// An extended box is at most this much larger on one side, as a multiple of the mean of width and height.
const MAX_EXTENSION: f32 = 1.0;

/// Every side is extended by this multiple of the width or height, for what trembles or turns. In a chart whose axes have
/// different units, a part of the mean would reach over many rows.
const MARGIN: f32 = 0.03;

/// A box that leaves its extended box after fewer steps does not pay for the candidates that this one added: it is not
/// extended once, after the next such failure twice, then four times, and so on.
const MIN_STEPS: u8 = 3;

/// A box that has stayed within its extended box for so many steps may be extended again although it has not left.
const STEPS_UNTIL_RENEWAL: u8 = 4;

/// Boxes are not extended again before they need it while no more than these are unlisted.
const MIN_UNLISTED: usize = 32;

/// Finding all candidates at once is cheaper than finding those of each unlisted slot if more than one in so many leaves is
/// unlisted.
pub(crate) const LEAVES_PER_SEARCH: usize = 4;

/// A box that did not change in this many updates (a power of two) is idle.
const UPDATES_UNTIL_IDLE: u8 = 8;

/// Idle boxes stay in the moving tier until it has this many more boxes than twice those that changed last, because
/// looking for them costs a pass over its leaves.
const MIN_IDLE: usize = 64;

/// The largest number of times that a box is not extended after a failure: the limit of an exponential backoff.
const MAX_BACKOFF: u8 = 64;

/// The boxes of an [`Index`], with larger boxes in the index around some of those that move.
///
/// Two boxes whose larger boxes overlap are candidates. They stay candidates until one of them is *unlisted*: it appeared,
/// left its larger box, is gone, or [`unlist`](Self::unlist) named it.
#[derive(Debug, Default)]
pub(crate) struct ExtendedIndex {
    index: Index,
    /// By slot; without meaning if the index has no box of the slot.
    boxes: Vec<ExtendedBox>,
    unlisted: SlotSet,
    /// The number of updates; it wraps around.
    updates: u8,
    /// The number of boxes that were set since the last update.
    changed: usize,
    extends: Extends,
    /// `true` if a box in the index may be larger than the one that was set, from the first move on. Without the flag,
    /// region queries of a scene that was only built (W3 of `benches/peers`) take a quarter more instructions.
    has_extended: bool,
}

clone_fields!(ExtendedIndex { index, boxes, unlisted, updates, changed, extends, has_extended });

/// The boxes that an [`ExtendedIndex`] extends when they are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Extends {
    /// None: few boxes move, so their candidates are not worth keeping.
    #[default]
    None,
    /// Boxes that leave their extended boxes.
    Leaving,
    /// These, and boxes that may leave theirs soon: all candidates are found again anyway.
    LeavingSoon,
}

#[derive(Debug, Clone, Copy)]
struct ExtendedBox {
    /// The box as it was set.
    bounds: Aabb,
    /// In the moving tier, a copy of the box in the index; otherwise empty. Without it, 100,000 moving colliders (W1 of
    /// `benches/peers`) read two cache lines each in the order of the leaves.
    extended: Aabb,
    /// The number of times the box was set since it was extended, up to the largest number. A box that is not extended has
    /// `MIN_STEPS`, which is neither a failure nor a success.
    steps: u8,
    /// The number of times that the box is not extended from now on.
    skips: u8,
    /// The number of times that the last failure left it unextended; 0 after a success.
    backoff: u8,
    /// The value of `ExtendedIndex::updates` when the box was set last. After 256 updates a box can look as if it had
    /// just moved; it is transferred at the next opportunity then.
    updated: u8,
}

impl ExtendedBox {
    const NEW: Self =
        Self { bounds: Aabb::EMPTY, extended: Aabb::EMPTY, steps: MIN_STEPS, skips: 0, backoff: 0, updated: 0 };

    /// Returns the box for the index if the box is set to `bounds`.
    fn extend(&mut self, bounds: Aabb) -> Aabb {
        if self.skips > 0 {
            self.skips -= 1;
            return bounds;
        }
        if self.steps < MIN_STEPS {
            self.backoff = (2 * self.backoff).clamp(1, MAX_BACKOFF);
            (self.skips, self.steps) = (self.backoff - 1, MIN_STEPS);
            return bounds;
        }
        if self.steps > MIN_STEPS {
            self.backoff = 0;
        }
        self.steps = 0;
        let (size, margin) = (bounds.size().element_sum() * 0.5, bounds.size() * MARGIN);
        let most = Vec2::splat(size * MAX_EXTENSION);
        let min = ((bounds.min - self.bounds.min) * STEPS_AHEAD).clamp(-most, Vec2::ZERO) - margin;
        let max = ((bounds.max - self.bounds.max) * STEPS_AHEAD).clamp(Vec2::ZERO, most) + margin;
        let extended = Aabb { min: bounds.min + min, max: bounds.max + max };
        if extended.is_finite() { extended } else { bounds }
    }
}

impl ExtendedIndex {
    /// Adds or replaces the box of a slot. Queries see it after [`refresh`](Self::refresh). Returns `false` and changes
    /// nothing if the box is not finite.
    #[inline]
    pub(crate) fn set(&mut self, slot: u32, bounds: Aabb) -> bool {
        self.replace_within(slot, bounds) || self.replace(slot, bounds)
    }

    /// Replaces the box of a slot if it stays within its extended box, and returns `true` then.
    #[inline]
    fn replace_within(&mut self, slot: u32, bounds: Aabb) -> bool {
        if let Some(own) = self.boxes.get_mut(slot as usize)
            && own.extended.contains_box(bounds)
            && !(self.extends == Extends::LeavingSoon && own.steps >= STEPS_UNTIL_RENEWAL)
        {
            own.bounds = bounds;
            own.steps = own.steps.saturating_add(1);
            own.updated = self.updates;
            self.changed += 1;
            self.has_extended = true;
            return true;
        }
        false
    }

    /// Adds or replaces a box that leaves its extended box. Returns `false` if it is not finite.
    fn replace(&mut self, slot: u32, bounds: Aabb) -> bool {
        if !bounds.is_finite() {
            return false;
        }
        extend_to(&mut self.boxes, slot as usize + 1, ExtendedBox::NEW);
        let own = &mut self.boxes[slot as usize];
        let mut extended = bounds;
        if !self.index.contains(slot) {
            // Its motion is not known yet.
            *own = ExtendedBox::NEW;
        } else if self.extends != Extends::None {
            extended = own.extend(bounds);
            self.has_extended = true;
        }
        (own.bounds, own.extended, own.updated) = (bounds, extended, self.updates);
        self.changed += 1;
        self.index.set(slot, extended);
        self.unlisted.insert(slot);
        true
    }

    /// Removes the box of a slot, if there is one.
    pub(crate) fn remove(&mut self, slot: u32) {
        if self.index.remove(slot) {
            self.boxes[slot as usize].extended = Aabb::EMPTY;
            self.unlisted.insert(slot);
        }
    }

    /// Makes a slot unlisted, because its candidates may have changed for a reason that boxes do not show.
    pub(crate) fn unlist(&mut self, slot: u32) {
        self.unlisted.insert(slot);
    }

    /// Decides if boxes are extended again before they need it. If many boxes left theirs, all candidates are found again
    /// anyway, and the others must not cause the same in one of the next updates. Without this, 100,000 moving colliders
    /// (W1 of `benches/peers`) update about a fifth slower.
    #[inline]
    pub(crate) fn decide_renewal(&mut self) {
        let unlisted = self.unlisted.len();
        if self.extends != Extends::None {
            let are_many = unlisted > MIN_UNLISTED && unlisted * LEAVES_PER_SEARCH > self.changed;
            self.extends = if are_many { Extends::LeavingSoon } else { Extends::Leaving };
        }
    }

    /// Returns the unlisted slots.
    pub(crate) fn unlisted(&self) -> &SlotSet {
        &self.unlisted
    }

    /// Empties the list of unlisted slots, because all candidates are known. From now on, boxes are extended by `extends`.
    pub(crate) fn clear_unlisted(&mut self, extends: Extends) {
        self.unlisted.clear();
        self.extends = extends;
    }

    /// Updates the trees after changes. All queries need it.
    pub(crate) fn refresh(&mut self) {
        self.index.refresh();
    }

    /// Ends an update in which no box has changed.
    pub(crate) fn rest(&mut self) {
        self.index.rest();
    }

    /// Ends an update in which boxes have changed: transfers idle ones from the moving tier to the still tier, if there are
    /// enough to be worth it. Returns `true` if there were.
    pub(crate) fn transfer_idle(&mut self) -> bool {
        let Self { index, boxes, updates, .. } = self;
        *updates = updates.wrapping_add(1);
        let changed = core::mem::take(&mut self.changed);
        if !updates.is_multiple_of(UPDATES_UNTIL_IDLE) || index.moving_count() <= 2 * changed + MIN_IDLE {
            return false;
        }
        index.transfer_to_still(|slot| {
            let own = &mut boxes[slot as usize];
            let is_idle = updates.wrapping_sub(own.updated) >= UPDATES_UNTIL_IDLE;
            is_idle.then(|| {
                own.extended = Aabb::EMPTY;
                own.bounds
            })
        });
        true
    }

    /// Returns the index of the extended boxes. Its answers contain every slot whose own box matches, and others.
    pub(crate) fn extended(&self) -> &Index {
        &self.index
    }

    /// Returns the box of a slot as it was set, if there is one.
    pub(crate) fn bounds(&self, slot: u32) -> Option<Aabb> {
        self.index.contains(slot).then(|| self.boxes[slot as usize].bounds)
    }

    /// Visits each of some slots with each of its candidates, in no particular order. Each slot is a candidate of itself; a
    /// slot without a box has none.
    pub(crate) fn candidates_of(
        &self,
        slots: impl Iterator<Item = u32>,
        join: &mut PairJoin,
        visit: impl FnMut([u32; 2]),
    ) {
        let list = slots.map(|slot| (slot, self.index.bounds(slot).unwrap_or(Aabb::EMPTY)));
        join.around(list, [&self.index.moving, &self.index.still], visit);
    }

    /// Visits all slots whose boxes overlap a region, as [`Index::any_in_region`] does, with these boxes.
    #[inline]
    pub(crate) fn each_in_region(&self, region: Aabb, mut visit: impl FnMut(u32, Aabb)) {
        let _ = self.in_region(region, |slot, bounds| {
            visit(slot, bounds);
            ControlFlow::Continue(())
        });
    }

    /// Does the same as [`each_in_region`](Self::each_in_region) until `visit` breaks.
    #[inline]
    pub(crate) fn in_region(
        &self,
        region: Aabb,
        mut visit: impl FnMut(u32, Aabb) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.index.in_region(region, |slot, extended, tier| {
            // Boxes in the still tier are as they were set, so no search reads them again.
            if !(self.has_extended && tier == Tier::Moving) {
                return visit(slot, extended);
            }
            let bounds = self.boxes[slot as usize].bounds;
            if bounds.overlaps(region) { visit(slot, bounds) } else { ControlFlow::Continue(()) }
        })
    }

    /// Checks all invariants and describes the first violation.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let outside = (0..self.boxes.len() as u32).find(|slot| {
            let ExtendedBox { bounds, extended, .. } = self.boxes[*slot as usize];
            let found = self.index.bounds(*slot);
            if self.index.is_moving(*slot) {
                found != Some(extended) || !extended.contains_box(bounds) || !(self.has_extended || bounds == extended)
            } else {
                extended != Aabb::EMPTY || found.is_some_and(|found| found != bounds)
            }
        });
        if let Some(slot) = outside {
            return Err(alloc::format!("the box of slot {slot} is not within its larger box, or this is another one"));
        }
        self.index.validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_become_still_after_the_same_number_of_updates_however_often_the_trees_are_refreshed() {
        for refreshes in 1..=9 {
            let unit = |slot: u8| Aabb { min: Vec2::splat(slot.into()), max: Vec2::splat(f32::from(slot) + 1.0) };
            let mut index = ExtendedIndex::default();
            assert!((0..200).all(|slot| index.set(slot.into(), unit(slot))));
            let movers = || (0..refreshes).chain(0..refreshes);
            for update in 0..3 * UPDATES_UNTIL_IDLE {
                for slot in movers() {
                    index.set(slot.into(), unit(slot + update));
                    index.refresh();
                }
                index.transfer_idle();
                let is_moving = |slot: u8| index.index.is_moving(slot.into());
                assert!(movers().all(is_moving), "a box that moves in each update is not idle");
            }
            assert_eq!(index.index.moving_count(), refreshes.into(), "{refreshes} refreshes");
            assert_eq!(index.validate(), Ok(()));
        }
    }

    #[test]
    fn the_candidates_of_many_slots_are_those_that_single_searches_find() {
        let bounds = |slot: u32| {
            let bits = slot.wrapping_mul(0x9e37_79b9);
            let at = Vec2::new((bits >> 26) as f32, (bits >> 10 & 63) as f32);
            Aabb { min: at, max: at + 3.0 }
        };
        for count in [0, 1, 9, 700] {
            let mut index = ExtendedIndex::default();
            assert!((0..count).all(|slot| index.set(slot, bounds(slot))));
            // All boxes but a few become still.
            for _ in 0..2 * UPDATES_UNTIL_IDLE {
                assert!((0..count.min(5)).all(|slot| index.set(slot, bounds(slot))));
                index.refresh();
                index.transfer_idle();
            }
            let mut join = PairJoin::default();
            for _ in 0..2 {
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                // The last slot has no box.
                index.candidates_of(0..=count, &mut join, |pair| found.push(pair));
                for slot in 0..count {
                    index.each_in_region(bounds(slot), |other, _| expected.push([slot, other]));
                }
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_long_box_that_moves_along_itself_is_hardly_extended_across() {
        let bar = |x: f32| Aabb::new(Vec2::new(x, 0.0), Vec2::new(x + 4000.0, 1.0));
        let mut boxed = ExtendedBox { bounds: bar(0.0), ..ExtendedBox::NEW };
        let extended = boxed.extend(bar(5.0));
        assert!(extended.min.y > -0.1 && extended.max.y < 1.1 && extended.max.x > 4050.0, "{extended:?}");
    }
}
