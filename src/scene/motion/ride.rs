use glam::{Affine2, DVec2};

use crate::scene::NodeId;

/// The platform on which a mover stood after its last move.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct Ride {
    pub(super) platform: NodeId,
    /// The platform's world transform at that time.
    old: Affine2,
    /// The point on which the mover stood, in world space.
    point: DVec2,
}

impl Ride {
    pub(super) fn new(platform: NodeId, old: Affine2, point: DVec2) -> Self {
        Self { platform, old, point }
    }

    /// Returns the displacement of the point with the platform, whose world transform is `now`. A platform without an
    /// inverse then carries the mover, but does not turn it.
    pub(super) fn displacement(&self, now: &Affine2) -> DVec2 {
        if *now == self.old {
            return DVec2::ZERO;
        }
        let shift = now.translation.as_dvec2() - self.old.translation.as_dvec2();
        let arm = self.point - self.old.translation.as_dvec2();
        let local = self.old.matrix2.as_dmat2().inverse() * arm;
        if local.is_finite() { shift + now.matrix2.as_dmat2() * local - arm } else { shift }
    }
}
