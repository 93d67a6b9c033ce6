//! Work that the feature `parallel` divides among threads. Without it, the same calls run one after another.
//!
//! Each part writes to memory of its own and no part reads what another one writes, so the results are the same bits.

/// The least number of items that are worth a thread of their own, if an item takes a few nanoseconds.
/// Without threads it is more than any list has.
pub(crate) const MIN_PART: usize = if cfg!(feature = "parallel") { 1024 } else { isize::MAX as usize };

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
