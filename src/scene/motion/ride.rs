use glam::{Affine2, DVec2};

use crate::math::inverse_of;
use crate::scene::NodeId;

/// The platform on which a mover stood at the end of its last move.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::scene) struct Ride {
    pub(super) platform: NodeId,
    /// The point on which the mover stood, in world space.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) point: DVec2,
}

/// The displacement by which a platform carries a mover.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carry {
    pub(super) platform: NodeId,
    /// The displacement of the platform at the mover, in world space.
    pub(super) displacement: DVec2,
}

impl Ride {
    /// Returns the displacement of the point with the platform, whose world transform was `old` and is `now`. A
    /// platform without an inverse then carries the mover, but does not turn it.
    pub(super) fn displacement(&self, old: &Affine2, now: &Affine2) -> DVec2 {
        if now == old {
            return DVec2::ZERO;
        }
        let shift = now.translation.as_dvec2() - old.translation.as_dvec2();
        let arm = self.point - old.translation.as_dvec2();
        let local = inverse_of(old.matrix2.as_dmat2()).map(|inverse| inverse * arm).filter(|local| local.is_finite());
        local.map_or(shift, |local| shift + now.matrix2.as_dmat2() * local - arm)
    }
}
