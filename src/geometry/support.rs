use core::fmt;

use glam::DVec2;

/// A convex shape given by its support function.
pub(crate) trait Support {
    /// Returns the point of the shape furthest along a unit vector, relative to the shape's centre.
    fn furthest(&self, direction: DVec2) -> DVec2;
}

impl<F: Fn(DVec2) -> DVec2> Support for F {
    fn furthest(&self, direction: DVec2) -> DVec2 {
        self(direction)
    }
}

impl fmt::Debug for dyn Support + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a support function")
    }
}
