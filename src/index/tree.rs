use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;
use smallvec::SmallVec;

use super::hilbert::hilbert;
use super::node::{Node8, WIDTH, lanes};
use crate::math::Aabb;
use crate::math::tolerance::BOUNDS;

/// In place of the slot of a leaf that was cleared.
const NONE: u32 = u32::MAX;

/// When the boxes have grown to this multiple of what they were after the last sort, they are sorted again.
const GROWTH: f64 = 1.5;

/// But not before as many nodes were refitted as this part of the items, so that sorting costs little more than what
/// made it necessary.
const WORTH: usize = 32;

/// Items that may be added or removed out of order before the next sort: these, and a quarter of all.
const LOOSE: usize = 64;

/// The levels of the tree, the items' boxes first, a single node last.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// Leaf to slot.
    slots: Vec<u32>,
    levels: Vec<Vec<Node8>>,
    /// Memory of levels, for the next sort; the largest last.
    spare: Vec<Vec<Node8>>,
    /// The lowest level before the last sort.
    old: Vec<Node8>,
    /// Nodes of the lowest level that changed, each once.
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    /// Sum of the half perimeters of the lowest nodes, now and after the last sort. (Of a single node it is not kept.)
    spread: f64,
    sorted_spread: f64,
    /// Leaves pushed or cleared since the last sort.
    loose: usize,
    /// Nodes refitted since the last sort.
    refitted: usize,
    /// Place on the curve, slot and leaf before.
    order: Vec<(u32, u32, u32)>,
    next_dirty: Vec<u32>,
}

/// No tree is higher: there are no more slots than this has leaves.
const HIGHEST: usize = u32::BITS.div_ceil(WIDTH.ilog2()) as usize;

/// A node to be visited: its level and place.
type Pending<T> = SmallVec<[T; 96]>;

impl Tree {
    /// Adds a leaf behind the others.
    pub(super) fn push(&mut self, slot: u32, bounds: Aabb) -> u32 {
        let leaf = self.slots.len();
        self.slots.push(slot);
        self.grow();
        self.loose += 1;
        self.set(leaf as u32, bounds);
        leaf as u32
    }

    /// Adds the nodes that the last leaf needs.
    fn grow(&mut self) {
        let mut count = self.slots.len();
        let mut level = 0;
        loop {
            count = count.div_ceil(WIDTH);
            if level == self.levels.len() {
                // What was the root until now is the new one's first child.
                let mut root = Node8::EMPTY;
                if let Some(old) = self.levels.last().and_then(|top| top.first()) {
                    root.set_lane(0, old.bounds());
                }
                let mut nodes = self.spare.pop().unwrap_or_default();
                nodes.clear();
                nodes.push(root);
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

    pub(super) fn clear(&mut self, leaf: u32) {
        self.slots[leaf as usize] = NONE;
        self.loose += 1;
        self.set(leaf, Aabb::EMPTY);
    }

    #[inline]
    pub(super) fn set(&mut self, leaf: u32, bounds: Aabb) {
        let node = leaf as usize / WIDTH;
        self.levels[0][node].set_lane(leaf as usize % WIDTH, bounds);
        if !self.is_dirty[node] {
            self.is_dirty[node] = true;
            self.dirty.push(node as u32);
        }
    }

    /// Brings the upper levels up to date, or tells (`false`) that it is time to sort.
    pub(super) fn refit(&mut self) -> bool {
        if self.dirty.is_empty() {
            return true;
        }
        if self.loose > LOOSE + self.slots.len() / 4 {
            return false;
        }
        let mut dirty = core::mem::take(&mut self.dirty);
        let mut parents = core::mem::take(&mut self.next_dirty);
        self.refitted += dirty.len();
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
                    self.spread += half_perimeter(bounds) - half_perimeter(upper[parent].lane(node % WIDTH));
                }
                upper[parent].set_lane(node % WIDTH, bounds);
                if parents.last() != Some(&(parent as u32)) {
                    parents.push(parent as u32);
                }
            }
            core::mem::swap(&mut dirty, &mut parents);
        }
        dirty.clear();
        (self.dirty, self.next_dirty) = (dirty, parents);
        self.spread <= self.sorted_spread * GROWTH || self.refitted * WORTH < self.slots.len()
    }

    /// Sorts everything anew.
    pub(super) fn sort(&mut self) {
        let mut order = core::mem::take(&mut self.order);
        let centers = Aabb::from_points(self.leaves().map(|(leaf, _)| self.bounds(leaf).center()));
        let scale = Vec2::splat(f32::from(u16::MAX)) / centers.size().max(Vec2::splat(f32::MIN_POSITIVE));
        order.clear();
        order.extend(self.leaves().map(|(leaf, slot)| {
            // A cast from float to integer saturates, and takes NaN to 0.
            let cell = (self.bounds(leaf).center() - centers.min) * scale;
            (hilbert(cell.x as u16, cell.y as u16), slot, leaf)
        }));
        order.sort_unstable();
        self.slots.clear();
        self.slots.extend(order.iter().map(|(_, slot, _)| slot));
        if let Some(lowest) = self.levels.first_mut() {
            core::mem::swap(lowest, &mut self.old);
        }
        self.spare.extend(self.levels.drain(..).rev());
        self.grow();
        self.dirty.clear();
        self.is_dirty.fill(false);
        (self.loose, self.refitted) = (0, 0);
        for (leaf, (_, _, old_leaf)) in order.iter().enumerate() {
            self.levels[0][leaf / WIDTH].set_lane(leaf % WIDTH, lane(&self.old, *old_leaf));
        }
        self.order = order;
        for level in 1..self.levels.len() {
            let (lower, upper) = self.levels.split_at_mut(level);
            for (node, child) in lower[level - 1].iter().enumerate() {
                upper[0][node / WIDTH].set_lane(node % WIDTH, child.bounds());
            }
        }
        self.spread = self.levels[0].iter().map(|node| half_perimeter(node.bounds())).sum();
        self.sorted_spread = self.spread;
    }

    /// The box of a leaf.
    pub(super) fn bounds(&self, leaf: u32) -> Aabb {
        lane(&self.levels[0], leaf)
    }

    /// The live leaves with their slots.
    pub(super) fn leaves(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.slots.iter().enumerate().filter(|(_, slot)| **slot != NONE).map(|(leaf, slot)| (leaf as u32, *slot))
    }

    /// How many leaves there are, cleared ones included.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// How many levels there are.
    pub(super) fn height(&self) -> u32 {
        if self.slots.is_empty() { 0 } else { self.levels.len() as u32 }
    }

    /// A node of a height; those of height 1 hold the leaves.
    #[inline]
    pub(super) fn node(&self, height: u32, index: u32) -> &Node8 {
        &self.levels[height as usize - 1][index as usize]
    }

    /// All nodes of a height.
    pub(super) fn nodes(&self, height: u32) -> &[Node8] {
        &self.levels[height as usize - 1]
    }

    /// The boxes of the nodes of a height, or at height 0 of the leaves, eight in each; above the root there is `top`.
    pub(super) fn boxes_at<'a>(&'a self, height: u32, top: &'a Node8) -> &'a [Node8] {
        self.levels.get(height as usize).map_or(core::slice::from_ref(top), Vec::as_slice)
    }

    /// What would be above the root.
    pub(super) fn top(&self) -> Node8 {
        let mut top = Node8::EMPTY;
        if let Some(root) = self.levels.last().and_then(|top| top.first()) {
            top.set_lane(0, root.bounds());
        }
        top
    }

    /// Leaf to slot; nonsense where a leaf was cleared.
    pub(super) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Visits the slots whose boxes overlap a finite region.
    #[inline]
    pub(super) fn in_region<B>(&self, region: Aabb, visit: &mut impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let Some((top, root)) =
            self.levels.split_last().and_then(|(top, _)| Some((self.levels.len() - 1, top.first()?)))
        else {
            return ControlFlow::Continue(());
        };
        // On the way down, for each level the node and those of its lanes that are still to be visited.
        let mut path = [(0_u32, 0_u32); HIGHEST];
        path[top] = (0, root.overlapping(region));
        let mut level = top;
        loop {
            let (node, left) = &mut path[level];
            if *left == 0 {
                if level == top {
                    return ControlFlow::Continue(());
                }
                level += 1;
                continue;
            }
            let child = *node * WIDTH as u32 + left.trailing_zeros();
            *left &= *left - 1;
            if level == 0 {
                visit(self.slots[child as usize])?;
            } else {
                level -= 1;
                path[level] = (child, self.levels[level][child as usize].overlapping(region));
            }
        }
    }

    /// Visits the slots whose boxes a moving box touches, no further than `visit` returned last; the last limit.
    #[inline]
    pub(super) fn along(
        &self,
        from: Aabb,
        direction: Vec2,
        mut limit: f32,
        visit: &mut impl FnMut(u32, f32) -> f32,
    ) -> f32 {
        let inverse = direction.recip();
        let mut pending: Pending<(f32, u32, u32)> = SmallVec::new();
        pending.extend(self.root().map(|(height, index)| (0.0, height, index)));
        while let Some((entry, height, index)) = pending.pop() {
            if entry > limit {
                continue;
            }
            let (entries, mask) = self.node(height, index).entered(from, inverse, limit, BOUNDS);
            if height == 1 {
                for lane in lanes(mask) {
                    if entries[lane] <= limit {
                        limit = visit(self.slots[index as usize * WIDTH + lane], limit);
                    }
                }
            } else {
                descend(&mut pending, entries, mask, height, index);
            }
        }
        limit
    }

    /// Visits the slots whose boxes are within a squared distance of a point, no further than `visit` returned last;
    /// the last limit.
    #[inline]
    pub(super) fn nearest(&self, point: Vec2, mut limit: f32, visit: &mut impl FnMut(u32, f32) -> f32) -> f32 {
        let mut pending: Pending<(f32, u32, u32)> = SmallVec::new();
        pending.extend(self.root().map(|(height, index)| (0.0, height, index)));
        while let Some((distance, height, index)) = pending.pop() {
            if distance > limit {
                continue;
            }
            let (distances, mask) = self.node(height, index).near(point, limit);
            if height > 1 {
                descend(&mut pending, distances, mask, height, index);
                continue;
            }
            // Here too the nearest comes first: it is the one most likely to make the others superfluous.
            let mut left = mask;
            while left != 0 {
                let lane = lanes(left).fold(left.trailing_zeros() as usize, |best, lane| {
                    if distances[lane] < distances[best] { lane } else { best }
                });
                left &= !(1 << lane);
                if distances[lane] > limit {
                    break;
                }
                limit = visit(self.slots[index as usize * WIDTH + lane], limit);
            }
        }
        limit
    }

    /// The height and the index of the root.
    fn root(&self) -> Option<(u32, u32)> {
        (self.height() > 0).then(|| (self.height(), 0))
    }

    pub(super) fn boxes(&self, visit: &mut impl FnMut(Aabb, usize)) {
        for (height, level) in self.levels.iter().enumerate() {
            for bounds in level.iter().map(Node8::bounds).filter(|bounds| bounds.is_finite()) {
                visit(bounds, height);
            }
        }
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        let mut count = self.slots.len();
        for (level, nodes) in self.levels.iter().enumerate() {
            for lane in 0..nodes.len() * WIDTH {
                let expected = match (level, self.slots.get(lane)) {
                    (0, Some(&slot)) if slot != NONE => self.bounds(lane as u32),
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

/// One of the boxes in a row of nodes.
#[inline]
pub(super) fn lane(nodes: &[Node8], index: u32) -> Aabb {
    nodes[index as usize / WIDTH].lane(index as usize % WIDTH)
}

/// Puts the children of a node on the stack. The nearest is visited first, so it goes there last: each sinks below
/// those that are nearer.
#[inline]
fn descend(pending: &mut Pending<(f32, u32, u32)>, distances: [f32; WIDTH], mask: u32, height: u32, index: u32) {
    let bottom = pending.len();
    for lane in lanes(mask) {
        let mut place = pending.len();
        pending.push((distances[lane], height - 1, index * WIDTH as u32 + lane as u32));
        while place > bottom && pending[place - 1].0 < pending[place].0 {
            pending.swap(place - 1, place);
            place -= 1;
        }
    }
}

fn half_perimeter(bounds: Aabb) -> f64 {
    if bounds.is_finite() { (bounds.max.as_dvec2() - bounds.min.as_dvec2()).element_sum() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_does_not_agree_is_told() {
        let mut tree = Tree::default();
        for slot in 0..20_u8 {
            let at = Vec2::splat(slot.into());
            tree.push(slot.into(), Aabb { min: at, max: at });
        }
        tree.refit();
        assert_eq!(tree.validate(), Ok(()));
        let cases: [(&str, fn(&mut Tree)); 4] = [
            ("level 1, lane 2", |tree| tree.levels[1][0].set_lane(2, Aabb::EMPTY)),
            ("level 0, lane 21", |tree| tree.levels[0][2].set_lane(5, Aabb::EVERYTHING)),
            ("level 0 has 4 nodes instead of 3", |tree| tree.levels[0].push(Node8::EMPTY)),
            ("there is no root", |tree| drop(tree.levels.pop())),
        ];
        for (told, damage) in cases {
            let mut damaged = tree.clone();
            damage(&mut damaged);
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(told), "{found} instead of {told}");
        }
    }
}
