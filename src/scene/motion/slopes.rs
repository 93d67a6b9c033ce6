use glam::DVec2;

use super::MoveOptions;
use crate::math::SinCos;
use crate::math::tolerance::{INPUT_ROUNDING, SLOPE_COS_ROUNDING, STEEPEST_FLOOR};

/// The role of a surface for a mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surface {
    Floor,
    Wall,
    Ceiling,
}

/// The classification of surfaces by some options.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slopes {
    /// A unit vector, or zero.
    pub(super) up: DVec2,
    /// The least cosine of the angle between a floor's normal and the up direction.
    least_rise: f64,
}

impl Slopes {
    /// Reads the up direction and the slope of some options. An up direction that is not finite counts as zero.
    #[inline]
    pub(super) fn new(options: &MoveOptions) -> Self {
        let up = options.up.as_dvec2().normalize_or_zero();
        let steepest = if options.max_slope.is_nan() { 0.0 } else { options.max_slope.clamp(0.0, STEEPEST_FLOOR) };
        Self { up, least_rise: f64::from(SinCos::new(steepest).cos) - SLOPE_COS_ROUNDING }
    }

    /// Returns the role of a surface with this normal.
    pub(super) fn surface(&self, normal: DVec2) -> Surface {
        match normal.dot(self.up) {
            rise if rise >= self.least_rise => Surface::Floor,
            rise if -rise >= self.least_rise => Surface::Ceiling,
            _ => Surface::Wall,
        }
    }

    /// Returns the normal of the upright wall that stands for a slope too steep for a floor; `None` for any other
    /// surface.
    pub(super) fn upright(&self, normal: DVec2) -> Option<DVec2> {
        let rise = normal.dot(self.up);
        let steep = rise > 0.0 && self.surface(normal) == Surface::Wall;
        steep.then_some(normal - self.up * rise)?.try_normalize()
    }

    /// Returns `true` if a displacement leads up by more than rounding, which an up direction off the axes brings along.
    pub(super) fn rises(&self, displacement: DVec2) -> bool {
        displacement.dot(self.up) > displacement.length() * INPUT_ROUNDING
    }

    /// Returns the part of a displacement that leads neither up nor down.
    pub(super) fn horizontal(&self, displacement: DVec2) -> DVec2 {
        displacement - self.up * displacement.dot(self.up)
    }
}
