use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use slotmap::{Key, KeyData};

use super::slot_of;
use crate::math::{clone_fields, push_to};

/// Values by id, as a slot map: an id is a slot and a version. After 2³¹ removals from a slot its versions start again;
/// before that, no two values get the same id.
///
/// Unlike [`slotmap::SlotMap`], its whole state can be read and restored: the versions of free slots, and the order in
/// which they are used again. Two equal maps therefore give equal ids to what is added next.
#[derive(Debug)]
pub(super) struct Slots<K, T> {
    /// By slot: the version in the id of its value, which is odd, or the next number after the last one if the slot is
    /// free. Slot 0 is never used.
    versions: Vec<u32>,
    /// By slot.
    values: Vec<Option<T>>,
    /// The slots without a value, but not slot 0. The last one is used first.
    free: Vec<u32>,
    id: PhantomData<K>,
}

impl<K: Key, T> Slots<K, T> {
    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.versions.len() - 1 - self.free.len()
    }

    /// Reserves memory for `count` more values, and returns the number of slots after their addition, slot 0 included.
    pub(super) fn reserve(&mut self, count: usize) -> usize {
        let slots = self.versions.len().max(self.len().saturating_add(count).saturating_add(1));
        self.versions.reserve(slots - self.versions.len());
        self.values.reserve(slots - self.values.len());
        slots
    }

    #[inline]
    pub(super) fn get(&self, id: K) -> Option<&T> {
        if self.contains_key(id) { self.at(slot_of(id)) } else { None }
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: K) -> Option<&mut T> {
        if self.contains_key(id) { self.values[slot_of(id) as usize].as_mut() } else { None }
    }

    #[inline]
    pub(super) fn contains_key(&self, id: K) -> bool {
        // No id has an even version.
        self.versions.get(slot_of(id) as usize) == Some(&version_of(id))
    }

    /// Returns the value in a slot, if there is one.
    #[inline]
    pub(super) fn at(&self, slot: u32) -> Option<&T> {
        self.values.get(slot as usize)?.as_ref()
    }

    /// Returns the id of the value in a slot; null if there is none.
    #[inline]
    pub(super) fn id_at(&self, slot: u32) -> K {
        match self.versions.get(slot as usize) {
            Some(version) if version % 2 == 1 => id(slot, *version),
            _ => K::null(),
        }
    }

    /// Adds a value in the slot that was freed last, or in a new one, and returns its id.
    pub(super) fn insert(&mut self, value: T) -> K {
        let Some(slot) = self.free.pop() else {
            push_to(&mut self.versions, 1);
            push_to(&mut self.values, Some(value));
            return id(self.versions.len() as u32 - 1, 1);
        };
        let version = &mut self.versions[slot as usize];
        *version |= 1;
        self.values[slot as usize] = Some(value);
        id(slot, *version)
    }

    /// Removes a value and returns it.
    pub(super) fn remove(&mut self, id: K) -> Option<T> {
        if !self.contains_key(id) {
            return None;
        }
        let slot = slot_of(id);
        self.versions[slot as usize] = version_of(id).wrapping_add(1);
        self.free.push(slot);
        self.values[slot as usize].take()
    }

    /// Iterates over the values, in the order of their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (K, &T)> {
        let values = self.versions.iter().zip(&self.values).zip(0..);
        values.filter_map(|((version, value), slot)| value.as_ref().map(|value| (id(slot, *version), value)))
    }

    /// Iterates over the ids of all values, in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = K> {
        self.iter().map(|(id, _)| id)
    }

    /// Returns `true` if the slot of an id exists, in use or free.
    #[cfg(feature = "serde")]
    pub(super) fn has_slot(&self, id: K) -> bool {
        (1..self.versions.len()).contains(&(slot_of(id) as usize))
    }

    /// Returns the map with these values and free slots, the last ids of which are given; the last one is used first.
    /// Together they must be all slots from 1 on, each once.
    ///
    /// # Errors
    /// The first id of a slot that is too large or occurs twice.
    #[cfg(feature = "serde")]
    pub(super) fn restored(values: Vec<(K, T)>, free: &[K]) -> Result<Self, K> {
        let count = 1 + values.len() + free.len();
        let mut slots = Self::default();
        slots.values.resize_with(count, || None);
        let mut versions = vec![None; count];
        versions[0] = Some(0);
        let used = values.into_iter().map(|(id, value)| (id, version_of(id), Some(value)));
        let free_slots = free.iter().map(|id| (*id, version_of(*id).wrapping_add(1), None));
        for (id, version, value) in used.chain(free_slots) {
            match versions.get_mut(slot_of(id) as usize) {
                Some(unknown @ None) => *unknown = Some(version),
                _ => return Err(id),
            }
            slots.values[slot_of(id) as usize] = value;
        }
        slots.versions = versions.into_iter().flatten().collect();
        slots.free.extend(free.iter().map(|id| slot_of(*id)));
        Ok(slots)
    }

    /// Iterates over the last ids of the free slots. The last slot is used first.
    pub(super) fn free(&self) -> impl ExactSizeIterator<Item = K> {
        self.free.iter().map(|slot| id(*slot, self.versions[*slot as usize].wrapping_sub(1)))
    }
}

impl<K: Key, T> Default for Slots<K, T> {
    fn default() -> Self {
        Self { versions: vec![0], values: vec![None], free: Vec::new(), id: PhantomData }
    }
}

clone_fields!(Slots<K, T> { versions, values, free, id });

#[inline]
fn version_of(id: impl Key) -> u32 {
    (id.data().as_ffi() >> 32) as u32
}

#[inline]
fn id<K: Key>(slot: u32, version: u32) -> K {
    K::from(KeyData::from_ffi((u64::from(version) << 32) | u64::from(slot)))
}

#[cfg(test)]
mod tests {
    use slotmap::SlotMap;

    use super::super::NodeId;
    use super::*;
    use crate::math::tests::random_numbers;

    #[test]
    fn ids_and_values_are_those_of_a_slot_map_after_any_additions_and_removals() {
        let (mut slots, mut expected): (Slots<NodeId, u32>, _) = (Slots::default(), SlotMap::<NodeId, u32>::with_key());
        let (mut ids, mut next) = (Vec::new(), random_numbers());
        for step in 0..5_000 {
            let random = next();
            let growing = step / 500 % 2 == 0;
            if random >> 30 < if growing { 3 } else { 1 } {
                let id = slots.insert(step);
                assert_eq!(id, expected.insert(step));
                ids.push(id);
            } else if let Some(id) = ids.get((random >> 8) as usize % (ids.len() + 1)).copied() {
                assert_eq!(slots.remove(id), expected.remove(id));
                assert_eq!(slots.get(id), None);
            }
        }
        assert!(slots.len() > 10 && slots.free().len() > 10);
        assert_eq!(slots.len(), expected.len());
        assert!(slots.iter().eq(&expected));
        assert!(ids.iter().all(|id| slots.get(*id) == expected.get(*id)));
        assert_eq!((slots.get(NodeId::null()), slots.get(id(0, 1))), (None, None));
    }

    #[test]
    fn the_version_of_a_slot_wraps_around() {
        let mut slots: Slots<NodeId, ()> = Slots::default();
        slots.insert(());
        slots.versions[1] = u32::MAX;
        let last = id(1, u32::MAX);
        assert_eq!(slots.remove(last), Some(()));
        assert_eq!(slots.insert(()), id(1, 1));
        assert!(!slots.contains_key(last));
    }
}
