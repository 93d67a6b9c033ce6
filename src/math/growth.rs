use alloc::vec::Vec;

/// A list that is longer than this grows by an eighth of its length, a shorter one by all of it.
///
/// All lists by slot grow together, so doubling them would leave a scene with up to twice the memory that it needs. Long
/// lists lie in pages of their own, which most allocators move without a copy.
const LONG: usize = 16_384;

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

#[inline]
fn reserve_for<T>(list: &mut Vec<T>, length: usize) {
    if length > list.capacity() && length > LONG {
        list.reserve_exact(length + length / 8 - list.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_has_at_most_an_eighth_more_memory_than_items_and_grows_rarely() {
        let (mut list, mut extended, mut growths) = (Vec::new(), Vec::new(), 0);
        for length in 1..=20 * LONG {
            let old = list.capacity();
            push_to(&mut list, 7_u8);
            extend_to(&mut extended, length, 7_u8);
            growths += usize::from(list.capacity() > old);
            assert_eq!(list.capacity(), extended.capacity());
            assert!(length <= LONG || list.capacity() <= length + length / 8, "{length}");
        }
        assert_eq!(list, extended);
        assert!(growths < 50, "{growths}");
    }
}
