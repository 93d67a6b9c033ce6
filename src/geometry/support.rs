use core::fmt;

use glam::{DVec2, Vec2};

use crate::math::Aabb;

/// A convex shape given by its support function.
pub(crate) trait Support {
    /// Returns the point of the shape furthest along a unit vector, relative to the shape's centre.
    fn furthest(&self, direction: DVec2) -> DVec2;

    /// Returns the smallest box around the shape with a given centre, padded for rounding.
    fn bounds_around(&self, center: Vec2) -> Aabb {
        let reach = |direction: DVec2| self.furthest(direction).dot(direction) as f32;
        let max = Vec2::new(reach(DVec2::X), reach(DVec2::Y));
        let min = -Vec2::new(reach(DVec2::NEG_X), reach(DVec2::NEG_Y));
        Aabb::padded(center, min, max)
    }
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
