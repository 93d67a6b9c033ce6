use alloc::vec::Vec;

use super::list_pool::{ListNumber, ListPool};
use crate::scene::ColliderId;

/// The colliders of a node in the order in which they were added, in 8 bytes. Most nodes have one or none.
#[derive(Debug, Clone, Copy)]
pub(super) enum ColliderList {
    One(ColliderId),
    /// A list in the pool: none, or at least two unless some were removed.
    Pooled(ListNumber),
}

/// The lists of nodes with several colliders.
pub(super) type ColliderLists = ListPool<Vec<ColliderId>>;

impl ColliderList {
    pub(super) const EMPTY: Self = Self::Pooled(ListNumber::EMPTY);

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        matches!(self, Self::Pooled(ListNumber::EMPTY))
    }

    #[inline]
    pub(super) fn as_slice<'a>(&'a self, lists: &'a ColliderLists) -> &'a [ColliderId] {
        match self {
            Self::One(collider) => core::slice::from_ref(collider),
            Self::Pooled(number) => lists.list(*number),
        }
    }

    /// Adds a collider after the others.
    pub(super) fn push(&mut self, collider: ColliderId, lists: &mut ColliderLists) {
        match self {
            Self::Pooled(ListNumber::EMPTY) => *self = Self::One(collider),
            Self::One(first) => {
                let mut number = ListNumber::EMPTY;
                lists.own(&mut number).extend([*first, collider]);
                *self = Self::Pooled(number);
            }
            Self::Pooled(number) => lists.own(number).push(collider),
        }
    }

    /// Removes a collider, if it is in the list.
    pub(super) fn remove(&mut self, collider: ColliderId, lists: &mut ColliderLists) {
        match self {
            Self::One(only) if *only == collider => *self = Self::EMPTY,
            Self::One(_) | Self::Pooled(ListNumber::EMPTY) => {}
            Self::Pooled(number) => {
                let list = lists.own(number);
                if let Some(place) = list.iter().rposition(|other| *other == collider) {
                    list.remove(place);
                }
                if list.is_empty() {
                    lists.release(number, Vec::clear);
                }
            }
        }
    }

    /// Removes all colliders.
    pub(super) fn clear(&mut self, lists: &mut ColliderLists) {
        if let Self::Pooled(number) = self {
            lists.release(number, Vec::clear);
        }
        *self = Self::EMPTY;
    }

    /// Returns `true` if the list is in the pool.
    pub(super) fn is_pooled(self) -> bool {
        matches!(self, Self::Pooled(number) if number != ListNumber::EMPTY)
    }
}

#[cfg(test)]
mod tests {
    use slotmap::SlotMap;

    use super::*;
    use crate::math::tests::random_numbers;

    #[test]
    fn a_list_has_the_order_of_a_plain_one_and_takes_eight_bytes() {
        assert_eq!(size_of::<ColliderList>(), 8);
        let mut ids: SlotMap<ColliderId, ()> = SlotMap::with_key();
        let (mut pool, mut next) = (ColliderLists::default(), random_numbers());
        let (mut lists, mut plain) = ([ColliderList::EMPTY; 3], [const { Vec::<ColliderId>::new() }; 3]);
        for _ in 0..2_000 {
            let random = next();
            let (choice, place) = (random >> 28, (random >> 8) as usize);
            let (list, plain) = (&mut lists[place % 3], &mut plain[place % 3]);
            match choice {
                0 => {
                    list.clear(&mut pool);
                    plain.clear();
                }
                1..8 if plain.len() < 5 => {
                    let id = ids.insert(());
                    list.push(id, &mut pool);
                    plain.push(id);
                }
                _ => {
                    let id = plain.get(place / 3 % 5).copied().unwrap_or_default();
                    list.remove(id, &mut pool);
                    plain.retain(|other| *other != id);
                }
            }
            assert_eq!(list.as_slice(&pool), plain);
            assert_eq!(pool.owned(), lists.iter().filter(|list| list.is_pooled()).count());
        }
    }
}
