use alloc::vec::Vec;

use slotmap::{Key, new_key_type};

new_key_type! {
    /// The id of a node.
    ///
    /// An id stays valid until its node is removed, and no other node ever gets the same id. It is valid in the scene
    /// that made it and in clones of that scene; the default id is valid in none. Ids are ordered, and their order
    /// depends only on the calls that made them.
    pub struct NodeId;
    /// The id of a collider.
    ///
    /// An id stays valid until its collider is detached or removed with its node, and no other collider ever gets the
    /// same id. Otherwise it is like a [`NodeId`].
    pub struct ColliderId;
}

/// Returns the slot of an id: its index into dense arrays.
///
/// Live ids have different slots, in the order of the ids. The slot of a removed node or collider is used again by a
/// later one, under a new id.
#[inline]
pub(super) fn slot_of(id: impl Key) -> u32 {
    id.data().as_ffi() as u32
}

/// Shortens an array by slot to so many slots, and frees the memory of the others.
pub(super) fn shrink<T>(by_slot: &mut Vec<T>, slots: usize) {
    by_slot.truncate(slots);
    by_slot.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use slotmap::SlotMap;

    use super::*;

    #[test]
    fn slots_stay_small_and_have_the_order_of_the_ids() {
        let mut ids: SlotMap<ColliderId, ()> = SlotMap::with_key();
        let mut live: Vec<ColliderId> = (0..100).map(|_| ids.insert(())).collect();
        for id in live.drain(30..60) {
            ids.remove(id);
        }
        live.extend((0..50).map(|_| ids.insert(())));
        live.sort_unstable();
        assert!(live.windows(2).all(|pair| slot_of(pair[0]) < slot_of(pair[1])));
        assert!(live.iter().all(|id| slot_of(*id) <= 120));
    }
}
