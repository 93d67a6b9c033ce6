use alloc::vec::Vec;

/// A list that has more items or more bytes than these grows by an eighth of its length, a shorter one by all of it.
///
/// All lists by slot grow together, so doubling them would leave a scene with up to twice the memory that it needs. Long
/// lists lie in pages of their own, which most allocators move without a copy. Building 10,000 colliders (W9 of
/// `benches/peers`) takes 5 % longer if lists of 256 KiB count as long.
const LONG: usize = 16_384;
const LONG_IN_BYTES: usize = 1 << 20;

/// Appends copies of an item to a list until it has some length.
#[inline]
pub(crate) fn extend_to<T: Clone>(list: &mut Vec<T>, length: usize, item: T) {
    if list.len() < length {
        reserve_for(list, length);
        list.resize(length, item);
    }
}

/// Appends an item to a list.
#[inline]
pub(crate) fn push_to<T>(list: &mut Vec<T>, item: T) {
    reserve_for(list, list.len() + 1);
    list.push(item);
}

/// Shortens a list to some length, and frees the rest of its memory.
pub(crate) fn shrink_to<T>(list: &mut Vec<T>, length: usize) {
    list.truncate(length);
    list.shrink_to_fit();
}

#[inline]
fn reserve_for<T>(list: &mut Vec<T>, length: usize) {
    if length > list.capacity() && is_long::<T>(length) {
        list.reserve_exact(length + length / 8 - list.len());
    }
}

fn is_long<T>(length: usize) -> bool {
    length > LONG || length * size_of::<T>() > LONG_IN_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_has_at_most_an_eighth_more_memory_than_items_and_grows_rarely() {
        check([7_u8; 1], 20 * LONG);
        check([7_u8; 128], 2 * LONG);
    }

    fn check<T: Copy + PartialEq>(item: T, longest: usize) {
        let (mut list, mut extended, mut growths) = (Vec::new(), Vec::new(), 0);
        for length in 1..=longest {
            let old = list.capacity();
            push_to(&mut list, item);
            extend_to(&mut extended, length, item);
            growths += usize::from(list.capacity() > old);
            assert_eq!(list.capacity(), extended.capacity());
            assert!(!is_long::<T>(length) || list.capacity() <= length + length / 8, "{length}");
        }
        assert!(list == extended);
        assert!(growths < 50, "{growths}");
    }
}
