//! Who might touch whom: the broad phase. Knows boxes and the slots they belong to, no shapes and no scene.
//!
//! Two flat trees, one for what moved lately and one for what did not: nobody has to declare which is which. In each
//! the boxes lie in the order of a space-filling curve, every eight neighbours under one [`Node8`](node::Node8), every
//! eight of those under another. Children are implicit (node `i` has `8i` to `8i + 7`), so there is nothing to link or
//! balance. What moves is refitted in place; what is added goes to the end; and when the boxes have grown too much over
//! those of the last sort, or too many are out of order, everything is sorted anew. There is no cell size and there are
//! no world bounds to choose.

mod hilbert;
mod join;
mod node;
mod search;
mod tree;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use crate::math::Aabb;
use crate::math::tolerance::BOUNDS;
pub(crate) use join::Join;
use tree::Tree;

/// Refreshes with motion (a power of two) after which a box that did not take part in it counts as still.
const PATIENCE: u32 = 8;

/// Boxes by slot: small numbers that the caller hands out, best without large gaps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    items: Vec<Item>,
    moving: Tree,
    still: Tree,
    /// Counts the refreshes with motion.
    tick: u32,
    moved: usize,
    /// How many moved in the last one.
    last_moved: usize,
}

#[derive(Debug, Clone, Copy)]
struct Item {
    leaf: u32,
    tier: Tier,
    /// The tick of the last motion.
    moved: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tier {
    Absent,
    Moving,
    Still,
}

impl Item {
    const ABSENT: Self = Self { leaf: 0, tier: Tier::Absent, moved: 0 };
}

impl Index {
    /// Adds or moves a box. It must be finite.
    #[inline]
    pub(crate) fn set(&mut self, slot: u32, bounds: Aabb) {
        self.moved += 1;
        match self.items.get_mut(slot as usize) {
            Some(item) if item.tier == Tier::Moving => {
                item.moved = self.tick;
                self.moving.set(item.leaf, bounds);
            }
            _ => self.begin_to_move(slot, bounds),
        }
    }

    #[cold]
    fn begin_to_move(&mut self, slot: u32, bounds: Aabb) {
        if self.items.len() <= slot as usize {
            self.items.resize(slot as usize + 1, Item::ABSENT);
        }
        let item = &mut self.items[slot as usize];
        if item.tier == Tier::Still {
            self.still.clear(item.leaf);
        }
        *item = Item { leaf: self.moving.push(slot, bounds), tier: Tier::Moving, moved: self.tick };
    }

    /// Takes a box out, if it is there.
    pub(crate) fn remove(&mut self, slot: u32) {
        let Some(item) = self.items.get_mut(slot as usize) else { return };
        match item.tier {
            Tier::Absent => return,
            Tier::Moving => self.moving.clear(item.leaf),
            Tier::Still => self.still.clear(item.leaf),
        }
        *item = Item::ABSENT;
    }

    /// Takes in all changes since the last time. Must be called before asking.
    pub(crate) fn refresh(&mut self) {
        if self.moved > 0 {
            self.tick += 1;
            self.last_moved = self.moved;
            self.moved = 0;
        }
        self.refit();
    }

    fn refit(&mut self) {
        for tree in [&mut self.moving, &mut self.still] {
            if !tree.refit() {
                tree.sort();
                for (leaf, slot) in tree.leaves() {
                    self.items[slot as usize].leaf = leaf;
                }
            }
        }
    }

    /// Takes what has not moved for a while over to the still, if it is worth it.
    pub(crate) fn settle(&mut self) {
        if self.tick & (PATIENCE - 1) != 0 || self.moving.len() <= 2 * self.last_moved + 64 {
            return;
        }
        for (slot, item) in self.items.iter_mut().enumerate() {
            if item.tier == Tier::Moving && self.tick - item.moved >= PATIENCE {
                let bounds = self.moving.bounds(item.leaf);
                self.moving.clear(item.leaf);
                item.leaf = self.still.push(slot as u32, bounds);
                item.tier = Tier::Still;
            }
        }
        self.refit();
    }

    /// How many boxes count as moving.
    pub(crate) fn moving(&self) -> usize {
        self.moving.len()
    }

    /// The box of a slot, if it is there.
    pub(crate) fn bounds(&self, slot: u32) -> Option<Aabb> {
        let item = self.items.get(slot as usize)?;
        match item.tier {
            Tier::Absent => None,
            Tier::Moving => Some(self.moving.bounds(item.leaf)),
            Tier::Still => Some(self.still.bounds(item.leaf)),
        }
    }

    /// Visits every pair of boxes that overlap and of which at least one counts as moving. Each pair once, in no
    /// particular order.
    pub(crate) fn moving_pairs(&self, join: &mut Join, mut visit: impl FnMut([u32; 2])) {
        join.within(&self.moving).for_each(&mut visit);
        join.between(&self.moving, &self.still).for_each(visit);
    }

    /// Visits every pair of boxes that overlap, each once, in no particular order.
    pub(crate) fn pairs(&self, join: &mut Join, mut visit: impl FnMut([u32; 2])) {
        self.moving_pairs(join, &mut visit);
        join.within(&self.still).for_each(visit);
    }

    /// Visits every slot whose box overlaps a region, in no particular order; none if that is empty
    /// or has a NaN.
    #[inline]
    pub(crate) fn in_region<B>(&self, region: Aabb, mut visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        // An infinite region would overlap lanes that are empty.
        let finite = if region.is_finite() { Some(region) } else { region.finite_part() };
        let Some(region) = finite else { return ControlFlow::Continue(()) };
        self.moving.in_region(region, &mut visit)?;
        self.still.in_region(region, &mut visit)
    }

    /// Visits the slots whose boxes a ray passes, in each tree about in the order in which it does, no further than the
    /// limit that `visit` returned last. Distances are multiples of `direction`.
    pub(crate) fn along_ray(&self, origin: Vec2, direction: Vec2, limit: f32, visit: impl FnMut(u32, f32) -> f32) {
        self.along(Aabb { min: origin, max: origin }, direction, limit, visit);
    }

    /// The same for a box that moves along a ray: what it touches on its way.
    pub(crate) fn along(&self, from: Aabb, direction: Vec2, limit: f32, mut visit: impl FnMut(u32, f32) -> f32) {
        let limit = self.moving.along(from, direction, limit, &mut visit);
        self.still.along(from, direction, limit, &mut visit);
    }

    /// Visits the slots whose boxes are within a distance of a point, in each tree the nearest about first, no further
    /// than the limit that `visit` returned last.
    pub(crate) fn nearest(&self, point: Vec2, limit: f32, mut visit: impl FnMut(u32) -> f32) {
        // A little more, for the rounding of the squares. One that overflows is no limit.
        let squared = |limit: f32| limit * limit * (1.0 + BOUNDS) + f32::MIN_POSITIVE;
        let mut visit = |slot: u32, _| squared(visit(slot));
        let limit = self.moving.nearest(point, squared(limit), &mut visit);
        self.still.nearest(point, limit, &mut visit);
    }

    /// Visits every box of the trees above the items, with its height: 0 for those that hold items.
    pub(crate) fn boxes(&self, mut visit: impl FnMut(Aabb, usize)) {
        self.moving.boxes(&mut visit);
        self.still.boxes(&mut visit);
    }

    /// Checks every invariant; what is wrong, if anything.
    pub(crate) fn validate(&self) -> Result<(), String> {
        for (tier, tree) in [(Tier::Moving, &self.moving), (Tier::Still, &self.still)] {
            let items = self.items.iter().filter(|item| item.tier == tier).count();
            if tree.leaves().count() != items {
                return Err(format!("{items} items are {tier:?}, but {} leaves", tree.leaves().count()));
            }
            for (leaf, slot) in tree.leaves() {
                let item = &self.items[slot as usize];
                if item.tier != tier || item.leaf != leaf {
                    return Err(format!("leaf {leaf} of {tier:?} and item {slot} do not agree"));
                }
            }
            tree.validate()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_that_do_not_agree_with_their_leaves_are_told() {
        let mut index = Index::default();
        for slot in 0..3_u8 {
            let at = Vec2::splat(slot.into());
            index.set(slot.into(), Aabb { min: at, max: at });
        }
        index.refresh();
        assert_eq!(index.validate(), Ok(()));
        let cases: [(&str, fn(&mut Index)); 4] = [
            ("2 items are Moving, but 3 leaves", |index| index.items[0] = Item::ABSENT),
            ("leaf 1 of Moving and item 1 do not agree", |index| index.items[1].leaf = 2),
            ("1 items are Still, but 0 leaves", |index| index.items.push(Item { tier: Tier::Still, ..Item::ABSENT })),
            ("level 0, lane 5", |index| index.moving.set(5, Aabb::EVERYTHING)),
        ];
        for (told, damage) in cases {
            let mut damaged = index.clone();
            damage(&mut damaged);
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(told), "{found} instead of {told}");
        }
    }
}
