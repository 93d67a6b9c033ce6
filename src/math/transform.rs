use core::f64::consts::{PI, TAU};

use glam::{Affine2, DVec2, Mat2, Vec2};

use super::angle::{Turn, angle_of};

/// Where a node is within its parent: position, rotation, scale and skew.
///
/// Applied to a point in the order scale, skew, rotation, position. With skew every affine map has such a form, so
/// [`from_affine`](Self::from_affine) loses nothing and reparenting in place is always possible. A node whose transform
/// is not finite is set [aside](crate::Scene::quarantined).
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/transform.svg"))]
///
/// ```
/// use hitgraph::Transform;
/// use glam::vec2;
///
/// let mirrored = Transform::from_position(vec2(10.0, 0.0)).with_scale(vec2(-1.0, 1.0));
/// assert_eq!(mirrored.to_affine().transform_point2(vec2(3.0, 5.0)), vec2(7.0, 5.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Offset from the parent's origin, in the parent's units.
    pub position: Vec2,
    /// Radians, counter-clockwise with y up (a host with y down sees clockwise).
    pub rotation: f32,
    /// Factor along each axis; negative mirrors, zero flattens to a line or a point.
    pub scale: Vec2,
    /// Radians by which the y axis leans further counter-clockwise than a right angle; 0 for no skew.
    #[doc(alias = "shear")]
    pub skew: f32,
}

impl Transform {
    /// No change at all.
    pub const IDENTITY: Self = Self { position: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE, skew: 0.0 };

    /// Only a position.
    #[must_use]
    pub const fn from_position(position: Vec2) -> Self {
        Self { position, ..Self::IDENTITY }
    }

    /// Only a rotation, in radians.
    #[must_use]
    pub const fn from_rotation(rotation: f32) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// Only a scale.
    #[must_use]
    pub const fn from_scale(scale: Vec2) -> Self {
        Self { scale, ..Self::IDENTITY }
    }

    /// The transform whose [`to_affine`](Self::to_affine) is `affine`, to within a few units in the last place: any
    /// matrix, singular ones too.
    ///
    /// A mirrored matrix comes back with a negative `scale.y`, as on Godot's `Node2D`.
    /// Non-finite elements give a transform that is not finite either.
    #[must_use]
    pub fn from_affine(affine: Affine2) -> Self {
        let x_axis = affine.matrix2.x_axis.as_dvec2();
        let y_axis = affine.matrix2.y_axis.as_dvec2();
        let mirror = if x_axis.perp_dot(y_axis) < 0.0 { -1.0 } else { 1.0 };
        let upright = y_axis * mirror;
        let rotation = angle_of(x_axis) as f32;
        // From the rotation as it was rounded, so that the y axis does not inherit that rounding.
        let lean = angle_of(DVec2::new(upright.y, -upright.x)) - f64::from(rotation);
        let skew = match lean {
            _ if upright == DVec2::ZERO => 0.0,
            lean if lean > PI => lean - TAU,
            lean if lean < -PI => lean + TAU,
            lean => lean,
        };
        let scale = DVec2::new(x_axis.length(), mirror * y_axis.length()).as_vec2();
        // Below an `f32`'s resolution of the rotation a skew is only noise.
        let skew = if skew.abs() < f64::from(f32::EPSILON) { 0.0 } else { skew as f32 };
        Self { position: affine.translation, rotation, scale, skew }
    }

    /// The matrix that takes a point of this frame to the parent's.
    #[must_use]
    #[inline]
    pub fn to_affine(self) -> Affine2 {
        self.to_affine_turned(Turn::new(self.rotation))
    }

    /// The same, given the turn by its rotation.
    #[inline]
    pub(crate) fn to_affine_turned(self, turn: Turn) -> Affine2 {
        let lean = if self.skew == 0.0 { turn } else { Turn::new(self.rotation + self.skew) };
        let (x_axis, y_axis) = (Vec2::new(turn.cos, turn.sin), Vec2::new(-lean.sin, lean.cos));
        Affine2 { matrix2: Mat2::from_cols(x_axis * self.scale.x, y_axis * self.scale.y), translation: self.position }
    }

    /// Whether all its numbers are: neither NaN nor infinite. A node with another one is set
    /// [aside](crate::Scene::quarantined).
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.position.is_finite() && self.rotation.is_finite() && self.scale.is_finite() && self.skew.is_finite()
    }

    /// The same with another position.
    #[must_use]
    pub const fn with_position(self, position: Vec2) -> Self {
        Self { position, ..self }
    }

    /// The same with another rotation, in radians.
    #[must_use]
    pub const fn with_rotation(self, rotation: f32) -> Self {
        Self { rotation, ..self }
    }

    /// The same with another scale.
    #[must_use]
    pub const fn with_scale(self, scale: Vec2) -> Self {
        Self { scale, ..self }
    }

    /// The same with another skew, in radians.
    #[must_use]
    pub const fn with_skew(self, skew: f32) -> Self {
        Self { skew, ..self }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}
