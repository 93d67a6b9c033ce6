//! A counting allocator that measures the bytes in use. It costs two additions per allocation, equally for every
//! system; the timed code rarely allocates.
#![expect(unsafe_code, reason = "`GlobalAlloc` is unsafe to implement; this one forwards every call")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[global_allocator]
static COUNTING: Counting = Counting(AtomicUsize::new(0));

struct Counting(AtomicUsize);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.0.fetch_add(size, Relaxed);
        self.0.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        self.0.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

/// Returns the bytes in use.
pub fn in_use() -> usize {
    COUNTING.0.load(Relaxed)
}
