//! Being carried by what one stands on.

use glam::{Affine2, DMat2, DVec2};

use crate::scene::NodeId;

/// What a mover stood on after its last move.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct Ride {
    pub(super) platform: NodeId,
    /// The platform's world transform then.
    was: Affine2,
    /// Where the mover stood, in the world.
    at: DVec2,
}

impl Ride {
    pub(super) fn new(platform: NodeId, was: Affine2, at: DVec2) -> Self {
        Self { platform, was, at }
    }

    /// How far the place where the mover stood has moved with the platform. A platform that was flat carries along, but
    /// does not turn.
    pub(super) fn carry(&self, now: &Affine2) -> DVec2 {
        let matrix =
            |affine: &Affine2| DMat2::from_cols(affine.matrix2.x_axis.as_dvec2(), affine.matrix2.y_axis.as_dvec2());
        if *now == self.was {
            return DVec2::ZERO;
        }
        let (was, now_matrix) = (matrix(&self.was), matrix(now));
        let moved = now.translation.as_dvec2() - self.was.translation.as_dvec2();
        let arm = self.at - self.was.translation.as_dvec2();
        let turned = was.inverse() * arm;
        if turned.is_finite() { moved + now_matrix * turned - arm } else { moved }
    }
}
