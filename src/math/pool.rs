//! Scratch memory that outlives one call, so that work in steady state allocates nothing.

#[cfg(feature = "std")]
use alloc::vec::Vec;
#[cfg(not(feature = "std"))]
use core::marker::PhantomData;
#[cfg(feature = "std")]
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A pool of scratch values. Each call of [`with`](Self::with) borrows one value, so nested and concurrent calls get
/// different ones, and values keep their capacity from call to call.
///
/// Contents never influence an answer. Without `std` there is no lock, and each call makes a new value.
#[derive(Default)]
pub(crate) struct Pool<T> {
    #[cfg(feature = "std")]
    idle: Mutex<Vec<T>>,
    #[cfg(not(feature = "std"))]
    idle: PhantomData<fn() -> T>,
}

impl<T: Default> Pool<T> {
    /// Runs `work` on an idle value, or on a new one if there is none. The lock is not held meanwhile.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        #[cfg(feature = "std")]
        let mut value = self.lock().pop().unwrap_or_default();
        #[cfg(not(feature = "std"))]
        let mut value = T::default();
        let result = work(&mut value);
        #[cfg(feature = "std")]
        self.lock().push(value);
        result
    }

    /// A panic cannot leave the list in a bad state, so a poisoned lock is used all the same.
    #[cfg(feature = "std")]
    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> core::fmt::Debug for Pool<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_keeps_its_capacity_until_the_next_call() {
        let pool = Pool::<Vec<u8>>::default();
        pool.with(|list| list.reserve(100));
        pool.with(|list| assert!(list.capacity() >= 100, "the same value is used again"));
    }

    #[test]
    fn a_nested_call_borrows_another_value() {
        let pool = Pool::<Vec<u8>>::default();
        pool.with(|outer| {
            outer.push(1);
            pool.with(|inner| assert!(inner.is_empty(), "the outer value is in use"));
        });
    }
}
