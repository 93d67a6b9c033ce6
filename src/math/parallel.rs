//! Work that the feature `parallel` divides among threads. Without it, the same calls run one after another.
//!
//! Each part writes to memory of its own and no part reads what another one writes, so the results are the same bits.

/// The least number of items that are worth a thread of their own, if an item takes a few nanoseconds. Debug builds
/// divide smaller lists, so that tests need no large scenes. Without threads it is more than any list has.
pub(crate) const MIN_PART: usize = match (cfg!(feature = "parallel"), cfg!(debug_assertions)) {
    (false, _) => isize::MAX as usize,
    (true, true) => 128,
    (true, false) => 2048,
};

/// Runs a function that divides its work, on a thread of rayon's pool if there are many items: a caller outside of the
/// pool would wait about 20 µs at each [`join`].
#[inline]
pub(crate) fn within_pool(items: usize, work: impl FnOnce() + Send) {
    #[cfg(feature = "parallel")]
    if items / 2 >= MIN_PART && rayon::current_thread_index().is_none() {
        return rayon::scope(|_| work());
    }
    let _ = items;
    work();
}

/// Runs two functions, on two threads if one is idle.
#[inline]
pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    #[cfg(feature = "parallel")]
    rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    {
        a();
        b();
    }
}

/// Calls `work` with parts of a list and their places in a list of results, on several threads if the list is long.
pub(crate) fn for_each_part<T: Sync, R: Send>(items: &[T], results: &mut [R], work: &(impl Fn(&[T], &mut [R]) + Sync)) {
    let middle = items.len() / 2;
    if middle < MIN_PART {
        return work(items, results);
    }
    let ((low, high), (low_results, high_results)) = (items.split_at(middle), results.split_at_mut(middle));
    join(|| for_each_part(low, low_results, work), || for_each_part(high, high_results, work));
}
