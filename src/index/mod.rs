//! Who might touch whom: the broad phase. Knows boxes and keys, no shapes and no scene.
//!
//! A flat tree: the items lie in the order of a space-filling curve, every eight neighbours under one [`Node8`], every eight of those
//! under another. Children are implicit (node `i` has `8i` to `8i + 7`), so there is nothing to link or balance. What moves is
//! refitted in place; what is added goes to the end; and when the boxes have grown too much over the ones of the last sort, or too many items are out of
//! order, everything is sorted anew. There is no cell size and there are no world bounds to choose.

mod hilbert;
mod node;
mod tree;

use std::ops::ControlFlow;

use glam::Vec2;

use crate::math::Aabb;
use tree::Tree;

/// A place in an [`Index`], valid until it is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle(u32);

/// Boxes by key.
#[derive(Debug, Clone)]
pub(crate) struct Index<K> {
    items: Vec<Item<K>>,
    free: Vec<u32>,
    tree: Tree,
}

#[derive(Debug, Clone)]
struct Item<K> {
    key: K,
    bounds: Aabb,
    /// The leaf in the tree; meaningless while the item is free.
    leaf: u32,
    live: bool,
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self { items: Vec::new(), free: Vec::new(), tree: Tree::default() }
    }
}

impl<K: Copy> Index<K> {
    /// Adds a box. It must be finite.
    pub(crate) fn insert(&mut self, key: K, bounds: Aabb) -> Handle {
        let slot = self.free.pop().unwrap_or(self.items.len() as u32);
        let item = Item { key, bounds, leaf: self.tree.push(slot, bounds), live: true };
        match self.items.get_mut(slot as usize) {
            Some(place) => *place = item,
            None => self.items.push(item),
        }
        Handle(slot)
    }

    /// Takes a box out.
    pub(crate) fn remove(&mut self, handle: Handle) {
        let item = &mut self.items[handle.0 as usize];
        item.live = false;
        self.tree.clear(item.leaf);
        self.free.push(handle.0);
    }

    /// Moves a box. It must be finite.
    pub(crate) fn set(&mut self, handle: Handle, bounds: Aabb) {
        let item = &mut self.items[handle.0 as usize];
        item.bounds = bounds;
        self.tree.set(item.leaf, bounds);
    }

    /// Takes in all changes since the last time. Must be called before asking.
    pub(crate) fn refresh(&mut self) {
        if self.tree.refit() {
            return;
        }
        let live = self.items.iter().zip(0..).filter(|(item, _)| item.live).map(|(_, slot)| slot);
        self.tree.rebuild(live, |slot| self.items[slot as usize].bounds);
        for (leaf, slot) in self.tree.leaves() {
            self.items[slot as usize].leaf = leaf;
        }
    }

    /// Visits every key whose box overlaps `region`, in no particular order.
    pub(crate) fn in_region<B>(&self, region: Aabb, mut visit: impl FnMut(K) -> ControlFlow<B>) -> ControlFlow<B> {
        self.tree.in_region(region, |slot| visit(self.items[slot as usize].key))
    }

    /// Visits the keys whose boxes a ray passes, about in the order in which it does, no further than the limit that `visit` returned last.
    /// Distances are multiples of `direction`.
    pub(crate) fn along_ray(&self, origin: Vec2, direction: Vec2, limit: f32, mut visit: impl FnMut(K, f32) -> f32) {
        self.tree.along_ray(origin, direction, limit, |slot, limit| visit(self.items[slot as usize].key, limit));
    }

    /// Visits every box of the tree above its items, with its height: 0 for those that hold items.
    pub(crate) fn boxes(&self, visit: impl FnMut(Aabb, usize)) {
        self.tree.boxes(visit);
    }

    /// Checks every invariant; what is wrong, if anything.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let live = self.items.iter().filter(|item| item.live).count();
        if self.tree.leaves().count() != live {
            return Err(format!("{live} items, but {} leaves", self.tree.leaves().count()));
        }
        for (leaf, slot) in self.tree.leaves() {
            let item = &self.items[slot as usize];
            if !item.live || item.leaf != leaf {
                return Err(format!("leaf {leaf} and item {slot} do not agree"));
            }
        }
        self.tree.validate(|slot| self.items[slot as usize].bounds)
    }
}
