use alloc::vec::Vec;
use core::marker::PhantomData;

use slotmap::{Key, KeyData};

use super::slot_of;
use crate::math::clone_fields;

/// Values by id, as a slot map: an id is a slot and a version, and no two values ever get the same id.
///
/// Unlike [`slotmap::SlotMap`], its whole state can be read and restored: the versions of free slots, and the order in
/// which they are used again. Two equal maps therefore give equal ids to what is added next.
#[derive(Debug)]
pub(super) struct Slots<K, T> {
    /// The entry of slot 1 is the first. There is no slot 0.
    entries: Vec<Entry<T>>,
    /// The slots without a value. The last one is used first.
    free: Vec<u32>,
    id: PhantomData<K>,
}

#[derive(Debug)]
struct Entry<T> {
    /// The version in the last id of this slot; odd, as in all ids.
    version: u32,
    value: Option<T>,
}

impl<K: Key, T> Slots<K, T> {
    pub(super) const fn new() -> Self {
        Self { entries: Vec::new(), free: Vec::new(), id: PhantomData }
    }

    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Reserves memory for so many more values, and returns the number of slots after their addition, slot 0 included.
    pub(super) fn reserve(&mut self, count: usize) -> usize {
        let entries = self.entries.len().max(self.len() + count);
        self.entries.reserve(entries - self.entries.len());
        entries + 1
    }

    #[inline]
    pub(super) fn get(&self, id: K) -> Option<&T> {
        let entry = self.entries.get(index_of(id))?;
        if entry.version == version_of(id) { entry.value.as_ref() } else { None }
    }

    /// Returns the value in a slot, if there is one.
    #[inline]
    pub(super) fn at(&self, slot: u32) -> Option<&T> {
        self.entries.get((slot as usize).wrapping_sub(1))?.value.as_ref()
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: K) -> Option<&mut T> {
        let entry = self.entries.get_mut(index_of(id))?;
        if entry.version == version_of(id) { entry.value.as_mut() } else { None }
    }

    #[inline]
    pub(super) fn contains_key(&self, id: K) -> bool {
        self.get(id).is_some()
    }

    /// Adds a value in the slot that was freed last, or in a new one, and returns its id.
    pub(super) fn insert(&mut self, value: T) -> K {
        let Some(slot) = self.free.pop() else {
            self.entries.push(Entry { version: 1, value: Some(value) });
            return id(self.entries.len() as u32, 1);
        };
        let entry = &mut self.entries[slot as usize - 1];
        *entry = Entry { version: entry.version.wrapping_add(2), value: Some(value) };
        id(slot, entry.version)
    }

    /// Removes a value and returns it.
    pub(super) fn remove(&mut self, id: K) -> Option<T> {
        let entry = self.entries.get_mut(index_of(id)).filter(|entry| entry.version == version_of(id))?;
        let value = entry.value.take()?;
        self.free.push(slot_of(id));
        Some(value)
    }

    /// Iterates over the values, in the order of their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (K, &T)> {
        let entries = self.entries.iter().zip(1..);
        entries.filter_map(|(entry, slot)| entry.value.as_ref().map(|value| (id(slot, entry.version), value)))
    }

    /// Iterates over the ids of all values, in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = K> {
        self.iter().map(|(id, _)| id)
    }

    /// Returns `true` if the slot of an id exists, in use or free.
    #[cfg(feature = "serde")]
    pub(super) fn has_slot(&self, id: K) -> bool {
        index_of(id) < self.entries.len()
    }

    /// Returns the map with these values and free slots, the last ids of which are given; the last one is used first.
    /// Together they must be all slots from 1 on, each once.
    ///
    /// # Errors
    /// The first id of a slot that is too large or occurs twice.
    #[cfg(feature = "serde")]
    pub(super) fn restored(values: Vec<(K, T)>, free: &[K]) -> Result<Self, K> {
        let count = values.len() + free.len();
        let mut slots = Self::new();
        slots.entries.resize_with(count, || Entry { version: 0, value: None });
        let all = values.into_iter().map(|(id, value)| (id, Some(value)));
        for (id, value) in all.chain(free.iter().map(|id| (*id, None))) {
            // No id has the version 0.
            match slots.entries.get_mut(index_of(id)).filter(|entry| entry.version == 0) {
                Some(entry) => *entry = Entry { version: version_of(id), value },
                None => return Err(id),
            }
        }
        slots.free.extend(free.iter().map(|id| slot_of(*id)));
        Ok(slots)
    }

    /// Iterates over the last ids of the free slots. The last slot is used first.
    pub(super) fn free(&self) -> impl ExactSizeIterator<Item = K> {
        self.free.iter().map(|slot| id(*slot, self.entries[*slot as usize - 1].version))
    }
}

impl<K, T> Default for Slots<K, T>
where
    K: Key,
{
    fn default() -> Self {
        Self::new()
    }
}

clone_fields!(Slots<K, T> { entries, free, id });
clone_fields!(Entry<T> { version, value });

/// Returns the index of the entry of an id; for slot 0, an index that no entry has.
#[inline]
fn index_of(id: impl Key) -> usize {
    slot_of(id).wrapping_sub(1) as usize
}

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

    #[test]
    fn ids_and_values_are_those_of_a_slot_map_after_any_additions_and_removals() {
        let (mut slots, mut expected): (Slots<NodeId, u32>, _) = (Slots::new(), SlotMap::<NodeId, u32>::with_key());
        let (mut ids, mut random) = (Vec::new(), 7_u32);
        for step in 0..5_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
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
        let mut slots: Slots<NodeId, ()> = Slots::new();
        slots.insert(());
        slots.entries[0].version = u32::MAX;
        let last = id(1, u32::MAX);
        assert_eq!(slots.remove(last), Some(()));
        assert_eq!(slots.insert(()), id(1, 1));
        assert!(!slots.contains_key(last));
    }
}
