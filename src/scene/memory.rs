use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::sync::{Mutex, PoisonError};

/// Memory of some work, kept for the next time. A thread that finds it in use makes its own, and so does whoever has no
/// more than `&` where there is no `std`. A clone has its own.
#[derive(Debug, Default)]
pub(super) struct Memory<T>(#[cfg(feature = "std")] Mutex<T>, #[cfg(not(feature = "std"))] T);

#[cfg(feature = "std")]
impl<T: Default> Memory<T> {
    pub(super) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        match self.0.try_lock() {
            Ok(mut own) => work(&mut own),
            Err(_) => work(&mut T::default()),
        }
    }
}

#[cfg(not(feature = "std"))]
impl<T: Default> Memory<T> {
    pub(super) fn get_mut(&mut self) -> &mut T {
        &mut self.0
    }

    pub(super) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut T::default())
    }
}

impl<T: Default> Clone for Memory<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Leaves a list no more than so many places, and no memory for others.
pub(super) fn shrink<T>(list: &mut Vec<T>, places: usize) {
    list.truncate(places);
    list.shrink_to_fit();
}
