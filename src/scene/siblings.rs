use alloc::boxed::Box;
#[cfg(feature = "std")]
use std::sync::OnceLock;

use slotmap::Key;
use smallvec::SmallVec;

use super::NodeId;

/// The children of a node, in order.
///
/// Removing one from the middle leaves a hole, so that removing many costs no more than adding them did; the list
/// closes up when half of it is holes. Without `std` it closes up at once: there nothing can be kept for who asks from
/// behind `&`.
#[derive(Debug, Clone, Default)]
pub(super) struct Siblings {
    list: SmallVec<[NodeId; 4]>,
    /// Absent while there are none.
    holes: Option<Box<Holes>>,
}

#[derive(Debug, Clone, Default)]
struct Holes {
    count: usize,
    /// The list without holes, once somebody asked for it.
    #[cfg(feature = "std")]
    closed: OnceLock<alloc::vec::Vec<NodeId>>,
}

impl Holes {
    /// Takes in that the list has changed.
    fn forget(&mut self) {
        #[cfg(feature = "std")]
        self.closed.take();
    }
}

impl Siblings {
    /// Adds one behind the others; its place.
    pub(super) fn push(&mut self, node: NodeId) -> u32 {
        self.list.push(node);
        if let Some(holes) = &mut self.holes {
            holes.forget();
        }
        self.list.len() as u32 - 1
    }

    /// Removes the one at a place. Whether the others have other places now, in the order of [`iter`](Self::iter).
    pub(super) fn remove(&mut self, place: u32) -> bool {
        self.list[place as usize] = NodeId::null();
        let holes = self.holes.get_or_insert_default();
        holes.count += 1;
        holes.forget();
        // What comes last goes without a trace.
        while self.list.last().is_some_and(NodeId::is_null) {
            self.list.pop();
            holes.count -= 1;
        }
        let closes = cfg!(not(feature = "std")) || holes.count * 2 > self.list.len();
        if closes {
            self.list.retain(|node| !node.is_null());
        }
        if closes || holes.count == 0 {
            self.holes = None;
        }
        closes
    }

    /// The one at a place.
    pub(super) fn at(&self, place: u32) -> Option<NodeId> {
        self.list.get(place as usize).copied()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.list.shrink_to_fit();
    }

    #[inline]
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.list.iter().copied().filter(|node| !node.is_null())
    }

    pub(super) fn as_slice(&self) -> &[NodeId] {
        #[cfg(feature = "std")]
        if let Some(holes) = &self.holes {
            return holes.closed.get_or_init(|| self.iter().collect());
        }
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use slotmap::SlotMap;

    use super::*;

    #[test]
    fn the_order_is_that_of_a_plain_list_whatever_is_added_and_removed() {
        let mut ids: SlotMap<NodeId, u32> = SlotMap::with_key();
        let (mut siblings, mut plain) = (Siblings::default(), Vec::new());
        let mut random = 7_u32;
        for _ in 0..5_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if plain.len() < 40 && random >> 31 == 0 {
                let id = ids.insert(0);
                ids[id] = siblings.push(id);
                plain.push(id);
            } else if !plain.is_empty() {
                let id = plain.remove(random as usize % plain.len());
                if siblings.remove(ids[id]) {
                    siblings.iter().zip(0..).for_each(|(id, place)| ids[id] = place);
                }
            }
            assert_eq!(siblings.as_slice(), plain);
            assert!(siblings.list.len() <= 2 * plain.len() + 1, "holes are closed");
            let holes = siblings.list.len() - plain.len();
            assert_eq!(siblings.holes.as_ref().map_or(0, |holes| holes.count), holes, "and not before they are half");
        }
    }
}
