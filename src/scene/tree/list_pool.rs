use alloc::vec;
use alloc::vec::Vec;

use crate::math::{clone_fields, sort_by};

/// Lists with numbers. An owner stores the four bytes of a number instead of a list that is empty in most owners.
///
/// A list that is taken back is handed out again with its capacity.
#[derive(Debug)]
pub(super) struct ListPool<L> {
    /// The first one is the empty list of all owners without one of their own.
    lists: Vec<L>,
    free: Vec<u32>,
}

clone_fields!(ListPool<L> { lists, free });

/// The number of a list in a pool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ListNumber(u32);

impl ListNumber {
    /// The number of the list that is always empty.
    pub(super) const EMPTY: Self = Self(0);
}

impl<L: Default> Default for ListPool<L> {
    fn default() -> Self {
        Self { lists: vec![L::default()], free: Vec::new() }
    }
}

impl<L: Default> ListPool<L> {
    /// Returns a list.
    #[inline]
    pub(super) fn list(&self, number: ListNumber) -> &L {
        &self.lists[number.0 as usize]
    }

    /// Returns a list for writing. An owner of [`ListNumber::EMPTY`] gets a list of its own.
    pub(super) fn own(&mut self, number: &mut ListNumber) -> &mut L {
        if *number == ListNumber::EMPTY {
            let new = self.lists.len() as u32;
            *number = ListNumber(self.free.pop().unwrap_or(new));
            if number.0 == new {
                self.lists.push(L::default());
            }
        }
        &mut self.lists[number.0 as usize]
    }

    /// Takes back the list of an owner, if it has one of its own, after `clear` has emptied it.
    pub(super) fn release(&mut self, number: &mut ListNumber, clear: impl FnOnce(&mut L)) {
        if *number != ListNumber::EMPTY {
            clear(self.own(number));
            self.free.push(core::mem::take(number).0);
        }
    }

    /// Returns the number of lists that have an owner.
    pub(super) fn owned(&self) -> usize {
        self.lists.len() - 1 - self.free.len()
    }

    /// Frees memory that is not in use. `shrink` does so for one list.
    pub(super) fn shrink_to_fit(&mut self, shrink: impl FnMut(&mut L)) {
        sort_by(&mut self.free, |a, b| a < b);
        while self.free.last().is_some_and(|last| *last as usize + 1 == self.lists.len()) {
            self.free.pop();
            self.lists.pop();
        }
        self.lists.iter_mut().for_each(shrink);
        self.lists.shrink_to_fit();
        self.free.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_released_list_is_handed_out_again_with_its_capacity() {
        let mut pool = ListPool::<Vec<u8>>::default();
        let (mut first, mut second, mut third) = <(ListNumber, ListNumber, ListNumber)>::default();
        pool.own(&mut first).reserve(100);
        pool.own(&mut second).push(2);
        assert_eq!(pool.owned(), 2);
        pool.release(&mut first, Vec::clear);
        assert_eq!((first, pool.owned()), (ListNumber::EMPTY, 1));
        assert!(pool.own(&mut third).capacity() >= 100, "the list is the one that was released");
        assert_eq!((pool.list(second).as_slice(), pool.list(first).as_slice()), (&[2][..], &[][..]));
        assert_eq!(pool.owned(), 2);
        pool.release(&mut second, Vec::clear);
        pool.shrink_to_fit(Vec::shrink_to_fit);
        assert_eq!((pool.lists.len(), pool.owned()), (2, 1), "the list in use stays, and the empty one");
    }
}
