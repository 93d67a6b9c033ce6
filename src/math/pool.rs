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
/// Contents never influence an answer, so a clone of a pool is empty. Without `std` there is no lock, and each call
/// makes a new value.
pub(crate) struct Pool<T> {
    #[cfg(feature = "std")]
    idle: Mutex<Vec<T>>,
    #[cfg(not(feature = "std"))]
    idle: PhantomData<fn() -> T>,
}

impl<T> Pool<T> {
    /// Runs `work` on an idle value, or on a new one if there is none. The lock is not held meanwhile.
    #[cfg(feature = "std")]
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R
    where
        T: Default,
    {
        let idle = self.lock().pop();
        let mut value = idle.unwrap_or_default();
        let result = work(&mut value);
        self.lock().push(value);
        result
    }

    /// Runs `work` on a new value.
    #[cfg(not(feature = "std"))]
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R
    where
        T: Default,
    {
        work(&mut T::default())
    }

    /// A panic cannot leave the list in a bad state, so a poisoned lock is used all the same.
    #[cfg(feature = "std")]
    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { idle: Default::default() }
    }
}

impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
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

    #[test]
    fn a_clone_is_empty() {
        let pool = Pool::<Vec<u8>>::default();
        pool.with(|list| list.push(1));
        pool.clone().with(|list| assert!(list.is_empty()));
    }
}
