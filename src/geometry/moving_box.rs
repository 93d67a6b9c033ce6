use glam::{DVec2, Vec2};

use super::Ray;
use crate::math::tolerance::TOUCHING;
use crate::math::{Aabb, Each};

/// A box whose middle moves along a ray. A ray is the path of a box without size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovingBox {
    pub(crate) path: Ray,
    /// Half the size of the box.
    pub(crate) half: Vec2,
}

impl MovingBox {
    /// Returns a box, rounded up, that moves along a displacement up to the fraction `limit`.
    pub(crate) fn new(bounds: Aabb, displacement: DVec2, limit: f64) -> Self {
        let (origin, half) = bounds.middle_and_half();
        let half = half.as_vec2();
        let path = Ray { origin, direction: displacement, length: limit };
        Self { path, half: Vec2::new(half.x.next_up(), half.y.next_up()) }
    }

    /// Returns the box at a fraction of the path's direction, padded for rounding.
    pub(crate) fn at(&self, fraction: f64) -> Aabb {
        Aabb::padded(self.path.at(fraction).as_vec2(), -self.half, self.half)
    }

    /// Returns the fractions of the path's direction at which the box enters and leaves another box, clipped to the path;
    /// `None` if it misses.
    pub(crate) fn stretch_in(&self, bounds: Aabb) -> Option<[f64; 2]> {
        let (low, high) = (bounds.min - self.half, bounds.max + self.half);
        let (mut enters, mut leaves) = (0.0_f64, self.path.length);
        for axis in 0..2 {
            let (min, max) = (f64::from(low[axis]), f64::from(high[axis]));
            let (origin, direction) = (self.path.origin[axis], self.path.direction[axis]);
            if direction == 0.0 {
                if !(min..=max).contains(&origin) {
                    return None;
                }
                continue;
            }
            let [a, b] = [min, max].each(|side| (side - origin) / direction);
            (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
        }
        // Rounding may exchange the ends of the stretch of a path through a corner.
        (enters - leaves <= enters.abs() * TOUCHING).then_some([enters, leaves.max(enters)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stretch_in_a_box_reaches_from_entry_to_exit() {
        let bounds = Aabb::new(Vec2::new(2.0, -1.0), Vec2::new(6.0, 3.0));
        let along = |path: Ray| MovingBox { path, half: Vec2::ZERO };
        let stretch = |origin: [f64; 2], direction: [f64; 2], length: f64| {
            along(Ray { origin: origin.into(), direction: direction.into(), length }).stretch_in(bounds)
        };
        assert_eq!(stretch([0.0, 0.5], [2.0, 0.0], 9.0), Some([1.0, 3.0]));
        assert_eq!(stretch([0.0, 0.5], [2.0, 0.0], 2.0), Some([1.0, 2.0]), "it ends inside");
        assert_eq!(stretch([0.0, 0.5], [2.0, 0.0], 0.5), None, "it ends before");
        assert_eq!(stretch([3.0, 0.5], [2.0, 0.0], 9.0), Some([0.0, 1.5]), "it begins inside");
        assert_eq!(stretch([7.0, 0.5], [2.0, 0.0], 9.0), None, "it begins behind");
        assert_eq!(stretch([0.0, 3.0], [2.0, 0.0], 9.0), Some([1.0, 3.0]), "along a border");
        assert_eq!(stretch([0.0, 3.5], [2.0, 0.0], 9.0), None, "beside");
        assert_eq!(stretch([1.0, -3.0], [2.0, 4.0], 9.0), Some([0.5, 1.5]), "upwards");
        assert_eq!(stretch([0.0, 1.25], [1.0, 1.0], 9.0), None, "past a corner");
        for part in 1..40 {
            let way = DVec2::new(0.1, 0.3) * f64::from(part);
            let ray = Ray { origin: DVec2::new(2.0, 3.0) - way, direction: DVec2::new(0.1, 0.3), length: 99.0 };
            assert!(along(ray).stretch_in(bounds).is_some(), "through a corner, but for the rounding: {ray:?}");
        }
    }
}
