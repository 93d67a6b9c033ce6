use glam::{Affine2, DVec2};

use crate::math::inverse_of;
use crate::math::tolerance::POSITION_ROUNDING;
use crate::scene::NodeId;

/// The platform on which a mover stood at the end of its last move.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::scene) struct Ride {
    pub(super) platform: NodeId,
    /// The point on which the mover stood, in world space.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) point: DVec2,
    /// The lowest node that moves both: an ancestor of the mover, and of the platform or of something on which it rides.
    pub(super) frame: NodeId,
    /// The world transform of the frame at the end of the mover's last move.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) frame_transform: Affine2,
    /// `None` for a mover that is not [wedged](super::wedge).
    pub(super) wedge: Option<Wedge>,
}

/// The reason why a wedged mover does not ride on its platform.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::scene) struct Wedge {
    /// The displacement of the platform that the mover had no room for.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) missed: DVec2,
    /// `true` if the last move of the mover was stuck.
    pub(super) is_stuck: bool,
}

/// The displacement by which a platform carries a mover.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carry {
    pub(super) platform: NodeId,
    /// The platform, or the highest ancestor of it that has made the same displacement.
    pub(super) body: NodeId,
    /// The displacement of the platform at the mover, in world space.
    pub(super) displacement: DVec2,
}

/// The carry that is due to a node which rides on a stack of movers.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingCarry {
    /// The carry with the longest displacement, of equal ones the lowest.
    pub(super) longest: Carry,
    /// The greatest length of the other displacements. They are what the movers in between have moved since, if only by
    /// rounding.
    pub(super) other_length: f64,
}

/// The move of one mover, among several that are displaced at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointMove {
    pub(super) node: NodeId,
    pub(super) displacement: DVec2,
    /// The mover's ride after that.
    pub(super) ride: Option<Ride>,
    /// The displacement by which its platform will carry it after that.
    pub(super) remaining_carry: DVec2,
}

/// A mover that moves together with others by a displacement of their platforms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Companion {
    /// The carry by the platform below the mover, directly or not, that has made the displacement.
    pub(super) carry: Carry,
    pub(super) joint_move: JointMove,
}

/// Returns `true` if a displacement of a point is equal to an expected one up to the rounding of that.
pub(super) fn agrees(point: DVec2, displacement: DVec2, expected: DVec2) -> bool {
    (displacement - expected).abs().max_element() <= rounding_of(point, expected)
}

/// Returns the rounding of a displacement of a point.
pub(super) fn rounding_of(point: DVec2, displacement: DVec2) -> f64 {
    (point.abs() + displacement.abs()).max_element() * POSITION_ROUNDING
}

/// Returns `true` if a displacement of a point is only its rounding.
pub(super) fn is_rounding(point: DVec2, displacement: DVec2) -> bool {
    displacement.abs().max_element() <= rounding_of(point, displacement)
}

/// Returns the displacement of a point with a node whose world transform was `old` and is `now`. A node without an
/// inverse then displaces the point, but does not turn it.
pub(super) fn displacement_with(point: DVec2, old: &Affine2, now: &Affine2) -> DVec2 {
    if now == old {
        return DVec2::ZERO;
    }
    let shift = now.translation.as_dvec2() - old.translation.as_dvec2();
    let arm = point - old.translation.as_dvec2();
    let local = inverse_of(old.matrix2.as_dmat2()).map(|inverse| inverse * arm).filter(|local| local.is_finite());
    local.map_or(shift, |local| shift + now.matrix2.as_dmat2() * local - arm)
}

/// Returns a world transform after a displacement.
pub(super) fn shifted(transform: &Affine2, displacement: DVec2) -> Affine2 {
    Affine2 { translation: (transform.translation.as_dvec2() + displacement).as_vec2(), ..*transform }
}
