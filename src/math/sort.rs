use alloc::vec::Vec;

use super::growth::extend_to;

/// Sorts items in place by a strict order: `is_before` returns `true` if its first argument belongs before the second.
/// The order of items of which neither is before the other is unspecified, but the same each time.
///
/// It is a Shell sort, which is fast for the short lists that a query or a move returns. Each type sorted by the
/// standard library takes a tenth of a second longer to compile.
///
/// Source: D. Shell, *A high-speed sorting procedure* (1959), with the gaps of G. Gonnet and R. Baeza-Yates, *Handbook
/// of Algorithms and Data Structures* (1991).
pub(crate) fn sort_by<T>(items: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    let mut gap = items.len();
    while gap > 1 {
        gap = ((5 * gap - 1) / 11).max(1);
        for end in gap..items.len() {
            let mut at = end;
            while at >= gap && is_before(&items[at], &items[at - gap]) {
                items.swap(at - gap, at);
                at -= gap;
            }
        }
    }
}

/// Replaces the least item so far by another one with a smaller key. Of equals it keeps the first.
pub(crate) fn keep_least<T, K: PartialOrd>(least: &mut Option<T>, item: T, key: impl Fn(&T) -> K) {
    if least.as_ref().is_none_or(|least| key(&item) < key(least)) {
        *least = Some(item);
    }
}

/// A stable counting sort: it orders numbers of items by a small integer key of each without comparing them.
///
/// A sort of `n` items into `k` buckets takes time proportional to `n + k`. Sorts by several keys in turn, the least
/// significant key first, make a radix sort. The sorter keeps its memory for the next sort.
#[derive(Debug, Default)]
pub(crate) struct CountingSort {
    /// By bucket: the number of its items, later the position of its next item.
    positions: Vec<u32>,
    sorted: Vec<u32>,
}

impl CountingSort {
    /// Sorts items by a key and keeps the order of items with equal keys. Returns the number of items that have the most
    /// common key.
    ///
    /// # Panics
    /// If a key is not less than `buckets`.
    pub(crate) fn sort_by_key(&mut self, items: &mut [u32], buckets: usize, key: impl Fn(u32) -> usize) -> usize {
        self.positions.clear();
        self.positions.resize(buckets, 0);
        for item in items.iter() {
            self.positions[key(*item)] += 1;
        }
        let (mut start, mut most) = (0, 0);
        for position in &mut self.positions {
            let count = core::mem::replace(position, start);
            (start, most) = (start + count, most.max(count));
        }
        extend_to(&mut self.sorted, items.len(), 0);
        let sorted = &mut self.sorted[..items.len()];
        for item in items.iter() {
            let position = &mut self.positions[key(*item)];
            sorted[*position as usize] = *item;
            *position += 1;
        }
        items.copy_from_slice(sorted);
        most as usize
    }

    /// Sorts items by a key, one digit of eight bits after the other, and keeps the order of items with equal keys.
    pub(crate) fn sort_by_digits(&mut self, items: &mut [u32], key: impl Fn(u32) -> u32) {
        for shift in (0..u32::BITS).step_by(u8::BITS as usize) {
            self.sort_by_key(items, 1 << u8::BITS, |item| usize::from((key(item) >> shift) as u8));
        }
    }

    /// Reserves memory for sorts of this many items into this many buckets.
    pub(crate) fn reserve(&mut self, items: usize, buckets: usize) {
        self.sorted.reserve(items.saturating_sub(self.sorted.len()));
        self.positions.reserve(buckets.saturating_sub(self.positions.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::tests::random_numbers;

    #[test]
    fn sort_by_matches_the_sort_of_the_standard_library() {
        let mut next = random_numbers();
        for length in [0, 1, 2, 3, 4, 5, 11, 12, 100, 5_000] {
            let mut items: Vec<u32> = Vec::new();
            items.resize_with(length, || next() >> 22);
            let mut expected = items.clone();
            expected.sort_unstable_by(|a, b| b.cmp(a));
            sort_by(&mut items, |a, b| a > b);
            assert_eq!(items, expected, "{length} items");
        }
    }

    #[test]
    fn counting_sort_matches_the_stable_sort_of_the_standard_library() {
        let mut sorter = CountingSort::default();
        let mut next = random_numbers();
        for length in [0, 1, 2, 100, 7] {
            let mut items: Vec<u32> = (0..length).map(|position| (next() >> 28 << 28) | position).collect();
            let key = |item: u32| (item >> 28) as usize;
            let mut expected = items.clone();
            expected.sort_by_key(|item| key(*item));
            let most = sorter.sort_by_key(&mut items, 16, key);
            assert_eq!(items, expected, "{length} items");
            let count = |of: usize| items.iter().filter(|item| key(**item) == of).count();
            assert_eq!(most, (0..16).map(count).max().unwrap());
        }
    }
}
