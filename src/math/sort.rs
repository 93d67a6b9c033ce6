use alloc::vec::Vec;

/// A stable counting sort: it orders items by a small integer key without comparing them.
///
/// A sort of `n` items into `k` buckets takes time proportional to `n + k`. Sorts by several keys in turn, the least
/// significant key first, make a radix sort. The sorter keeps its memory for the next sort.
#[derive(Debug, Clone)]
pub(crate) struct CountingSort<T> {
    /// By bucket: the number of its items, later the position of its next item.
    positions: Vec<u32>,
    sorted: Vec<T>,
}

impl<T> Default for CountingSort<T> {
    fn default() -> Self {
        Self { positions: Vec::new(), sorted: Vec::new() }
    }
}

impl<T: Copy> CountingSort<T> {
    /// Sorts items by a key and keeps the order of items with equal keys.
    ///
    /// # Panics
    /// If a key is not less than `buckets`, or if there are more than `u32::MAX` items.
    pub(crate) fn sort_by_key(&mut self, items: &mut Vec<T>, buckets: usize, key: impl Fn(&T) -> usize) {
        let Some(&first) = items.first() else { return };
        assert!(u32::try_from(items.len()).is_ok(), "more items than a counting sort takes");
        self.positions.clear();
        self.positions.resize(buckets, 0);
        for item in items.iter() {
            self.positions[key(item)] += 1;
        }
        let mut start = 0;
        for position in &mut self.positions {
            start += core::mem::replace(position, start);
        }
        self.sorted.resize(items.len(), first);
        for item in items.iter() {
            let position = &mut self.positions[key(item)];
            self.sorted[*position as usize] = *item;
            *position += 1;
        }
        core::mem::swap(items, &mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_sort_matches_the_stable_sort_of_the_standard_library() {
        let mut sorter = CountingSort::default();
        let mut random = 1_u32;
        for length in [0, 1, 2, 100, 7] {
            let mut items: Vec<(usize, usize)> = (0..length)
                .map(|position| {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ((random >> 28) as usize, position)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            sorter.sort_by_key(&mut items, 16, |(key, _)| *key);
            assert_eq!(items, expected, "{length} items");
        }
    }
}
