use alloc::boxed::Box;
#[cfg(feature = "std")]
use std::sync::OnceLock;

use slotmap::Key;
use smallvec::SmallVec;

use crate::math::clone_fields;
use crate::scene::NodeId;

/// The children of a node, in order.
///
/// Removing a child leaves a hole, unless it is the last one. The list closes its holes when they are more than half of
/// it. If there are holes between children, it gives out a copy without them, which it keeps: the only value of the
/// crate that a shared reference computes and keeps. Closing each such hole at once, as without `std`, where a shared
/// reference cannot do so, makes the removal of 50,000 of 100,000 children in random order 30 times slower.
#[derive(Debug, Default)]
pub(super) struct Children {
    /// Null in the holes.
    list: SmallVec<[NodeId; 4]>,
    /// `None` while there are no holes.
    holes: Option<Box<Holes>>,
}

clone_fields!(Children { list, holes });

#[derive(Debug, Clone, Default)]
struct Holes {
    count: usize,
    /// The number of holes before the first child. A loop that removes the first child again and again never scans them.
    front: usize,
    /// The list without its holes, from the first time that it is requested.
    #[cfg(feature = "std")]
    closed: OnceLock<alloc::vec::Vec<NodeId>>,
}

impl Holes {
    /// Drops the list without holes after a change.
    fn invalidate(&mut self) {
        #[cfg(feature = "std")]
        self.closed.take();
    }
}

impl Children {
    /// Adds a child after the others and returns its position.
    pub(super) fn push(&mut self, node: NodeId) -> u32 {
        self.list.push(node);
        if let Some(holes) = &mut self.holes {
            holes.invalidate();
        }
        self.list.len() as u32 - 1
    }

    /// Moves a child so that `index` others precede it, or all if there are fewer. Afterwards the positions are those
    /// of [`iter`](Self::iter).
    pub(super) fn reorder(&mut self, node: NodeId, index: usize) {
        self.list.retain(|other| !other.is_null() && *other != node);
        self.holes = None;
        self.list.insert(index.min(self.list.len()), node);
    }

    /// Removes the child at a position. Returns `true` if the other positions have become those of
    /// [`iter`](Self::iter); otherwise they stay.
    pub(super) fn remove(&mut self, position: u32) -> bool {
        if self.holes.is_none() && position as usize == self.list.len() - 1 {
            self.list.pop();
            return false;
        }
        self.list[position as usize] = NodeId::null();
        let holes = self.holes.get_or_insert_default();
        holes.count += 1;
        holes.invalidate();
        // Holes at the ends need no list to be closed.
        while self.list.last().is_some_and(NodeId::is_null) {
            self.list.pop();
            holes.count -= 1;
        }
        holes.front += self.list.iter().skip(holes.front).take_while(|node| node.is_null()).count();
        let closes = (cfg!(not(feature = "std")) && holes.count > holes.front) || holes.count * 2 > self.list.len();
        if closes {
            self.list.retain(|node| !node.is_null());
        }
        if closes || holes.count == 0 {
            self.holes = None;
        }
        closes
    }

    /// Returns the first child at a position or after it.
    pub(super) fn at_or_after(&self, position: u32) -> Option<NodeId> {
        self.list[self.front().max(position as usize)..].iter().copied().find(|node| !node.is_null())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Reserves memory for `count` more children.
    pub(super) fn reserve(&mut self, count: usize) {
        self.list.reserve(count);
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.holes = None;
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.list.shrink_to_fit();
    }

    #[inline]
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.list[self.front()..].iter().copied().filter(|node| !node.is_null())
    }

    pub(super) fn as_slice(&self) -> &[NodeId] {
        #[cfg(feature = "std")]
        if let Some(holes) = self.holes.as_ref().filter(|holes| holes.count > holes.front) {
            return holes.closed.get_or_init(|| self.iter().collect());
        }
        &self.list[self.front()..]
    }

    /// Returns the position of the first child.
    #[inline]
    fn front(&self) -> usize {
        self.holes.as_ref().map_or(0, |holes| holes.front)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use slotmap::SlotMap;

    use super::*;
    use crate::math::tests::random_numbers;

    #[test]
    fn children_have_the_order_of_a_plain_list_after_any_additions_moves_and_removals() {
        let mut ids: SlotMap<NodeId, u32> = SlotMap::with_key();
        let (mut children, mut plain) = (Children::default(), Vec::new());
        let mut next = random_numbers();
        for _ in 0..5_000 {
            let random = next();
            let (choice, index) = (random >> 29, random as usize % 40);
            let mut renumbered = false;
            if plain.len() < 40 && choice < 4 {
                let id = ids.insert(0);
                ids[id] = children.push(id);
                plain.push(id);
            } else if !plain.is_empty() && choice == 4 {
                let id = plain.remove(index % plain.len());
                plain.insert(index.min(plain.len()), id);
                children.reorder(id, index);
                renumbered = true;
            } else if !plain.is_empty() {
                let id = plain.remove(index % plain.len());
                renumbered = children.remove(ids[id]);
            }
            if renumbered {
                children.iter().zip(0..).for_each(|(id, position)| ids[id] = position);
            }
            assert_eq!(children.as_slice(), plain);
            assert!(children.list.len() <= 2 * plain.len() + 1, "at most half of the list is holes");
            let holes = children.list.len() - plain.len();
            assert_eq!(children.holes.as_ref().map_or(0, |holes| holes.count), holes, "the count of holes is right");
            assert_eq!(children.list.get(children.front()), plain.first(), "so is that of those in front");
        }
    }
}
