use core::f64::consts::{PI, TAU};

use glam::{Affine2, DMat2, DVec2, Mat2, Vec2};

use super::atan2::atan2;
use super::checksum::Checksum;
use super::sin_cos::{SinCos, sin_cos};
use super::tolerance::{SINGULAR, SKEW_ROUNDING};

/// The pose of a node within its parent: position, rotation, scale and skew.
///
/// A point is scaled first, then skewed, rotated and translated. Thanks to the skew, every affine map has this form, so
/// [`from_affine`](Self::from_affine) loses nothing and reparenting in place works under every invertible parent. A
/// node with a non-finite transform is [quarantined](crate::Scene::quarantined).
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/transform.svg"))]
///
/// ```
/// use hitgraph::Transform;
/// use glam::{Affine2, vec2};
///
/// let mirrored = Transform::from_position(vec2(10.0, 0.0)).with_scale(vec2(-1.0, 1.0));
/// assert_eq!(mirrored.to_affine().transform_point2(vec2(3.0, 5.0)), vec2(7.0, 5.0));
///
/// assert_eq!(Transform::from(vec2(10.0, 0.0)), Transform::from_position(vec2(10.0, 0.0)));
/// assert_eq!(Affine2::from(mirrored), mirrored.to_affine());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Transform {
    /// The offset from the parent's origin, in the parent's units.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub position: Vec2,
    /// Radians, counter-clockwise with y up (clockwise on a screen with y down).
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub rotation: f32,
    /// The factor along each local axis. A negative factor mirrors, zero flattens to a line or a point.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub scale: Vec2,
    /// The angle from the x axis to the y axis less a right angle, in radians; 0 for no skew.
    #[doc(alias = "shear")]
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub skew: f32,
}

impl Transform {
    /// The transform that maps every point to itself.
    pub const IDENTITY: Self = Self { position: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE, skew: 0.0 };

    /// Creates a translation, in the parent's units.
    #[must_use]
    pub const fn from_position(position: Vec2) -> Self {
        Self { position, ..Self::IDENTITY }
    }

    /// Creates a rotation, in radians.
    ///
    /// ```
    /// # use hitgraph::Transform;
    /// # use glam::vec2;
    /// let pose = Transform::from_rotation(0.5).with_position(vec2(1.0, 2.0)).with_skew(0.1);
    /// assert_eq!(pose.with_rotation(0.0).skew, 0.1);
    /// ```
    #[must_use]
    pub const fn from_rotation(rotation: f32) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// Creates a scale, one factor per axis.
    ///
    /// ```
    /// # use hitgraph::Transform;
    /// # use glam::{Vec2, vec2};
    /// let mirrored = Transform::from_scale(vec2(-1.0, 1.0));
    /// assert_eq!(mirrored.to_affine().transform_point2(Vec2::X), -Vec2::X);
    /// ```
    #[must_use]
    pub const fn from_scale(scale: Vec2) -> Self {
        Self { scale, ..Self::IDENTITY }
    }

    /// Creates the transform whose [`to_affine`](Self::to_affine) is `affine`. Each axis is exact to a few units in the
    /// last place of its length, for singular matrices too.
    ///
    /// A mirrored matrix gives a negative `scale.y`, as in Godot's `Node2D`. A non-finite element, or an axis longer
    /// than `f32::MAX`, gives a non-finite transform.
    ///
    /// ```
    /// # use hitgraph::Transform;
    /// # use glam::{Affine2, vec2};
    /// let parent = Affine2::from_scale(vec2(3.0, 1.0));
    /// let sheared = parent * Affine2::from_angle(0.5);
    /// let transform = Transform::from_affine(sheared);
    /// assert!(transform.skew != 0.0 && transform.is_finite());
    /// assert!(transform.to_affine().abs_diff_eq(sheared, 1e-6));
    /// ```
    #[must_use]
    pub fn from_affine(affine: Affine2) -> Self {
        let x_axis = affine.matrix2.x_axis.as_dvec2();
        let y_axis = affine.matrix2.y_axis.as_dvec2();
        let mirror = if x_axis.perp_dot(y_axis) < 0.0 { -1.0 } else { 1.0 };
        let upright = y_axis * mirror;
        let rotation = atan2(x_axis.y, x_axis.x) as f32;
        // The difference to the rounded rotation compensates for its rounding error, so the y axis is free of it.
        let skew = atan2(-upright.x, upright.y) - f64::from(rotation);
        let skew = match skew {
            _ if upright == DVec2::ZERO => 0.0,
            skew if skew > PI => skew - TAU,
            skew if skew < -PI => skew + TAU,
            skew => skew,
        };
        let scale = DVec2::new(x_axis.length(), mirror * y_axis.length()).as_vec2();
        let skew = if skew.abs() < SKEW_ROUNDING { 0.0 } else { skew as f32 };
        Self { position: affine.translation, rotation, scale, skew }
    }

    /// Creates the transform of a matrix, with the signs of the scale of `old` if both are mirrored or neither is. A host
    /// that mirrors a node by the sign of its `scale.x` then finds that sign again.
    pub(crate) fn from_affine_like(affine: Affine2, old: &Self) -> Self {
        let new = Self::from_affine(affine);
        if old.scale.x < 0.0 && (old.scale.y > 0.0) == (new.scale.y < 0.0) {
            // A negative scale of both axes is half a turn.
            let turned = Self::from_affine(Affine2 { matrix2: -affine.matrix2, ..affine });
            return Self { scale: -turned.scale, ..turned };
        }
        new
    }

    /// Returns the matrix that maps local points to the parent's space.
    #[must_use]
    #[inline]
    pub fn to_affine(self) -> Affine2 {
        self.to_affine_with(SinCos::new(self.rotation))
    }

    /// Returns the same matrix, given the sine and cosine of the rotation.
    #[inline]
    pub(crate) fn to_affine_with(self, rotation: SinCos) -> Affine2 {
        let (sin, cos) = match self.skew {
            0.0 => (rotation.sin, rotation.cos),
            // Whole turns and the rounding of `f32` would absorb the skew of a node that has turned for a long time.
            skew => sin_cos(f64::from(self.rotation) % TAU + f64::from(skew)),
        };
        let (x_axis, y_axis) = (Vec2::new(rotation.cos, rotation.sin), Vec2::new(-sin, cos));
        Affine2 { matrix2: Mat2::from_cols(x_axis * self.scale.x, y_axis * self.scale.y), translation: self.position }
    }

    pub(crate) fn add_to(self, sum: &mut Checksum) {
        let Self { position, rotation, scale, skew } = self;
        sum.add_vec2(position);
        sum.add_f32(rotation);
        sum.add_vec2(scale);
        sum.add_f32(skew);
    }

    /// Returns `true` if no field is NaN or infinite. A node with a non-finite transform is
    /// [quarantined](crate::Scene::quarantined).
    ///
    /// ```
    /// # use hitgraph::Transform;
    /// # use glam::vec2;
    /// assert!(!Transform::from_position(vec2(0.0, f32::NAN)).is_finite());
    /// ```
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.position.is_finite() && self.rotation.is_finite() && self.scale.is_finite() && self.skew.is_finite()
    }

    /// Returns a copy with another position, in the parent's units.
    ///
    /// ```
    /// # use hitgraph::Transform;
    /// # use glam::vec2;
    /// let stretched = Transform::from_scale(vec2(2.0, 1.0));
    /// assert_eq!(stretched.with_position(vec2(5.0, 0.0)).scale, vec2(2.0, 1.0));
    /// ```
    #[must_use]
    pub const fn with_position(self, position: Vec2) -> Self {
        Self { position, ..self }
    }

    /// Returns a copy with another rotation, in radians.
    ///
    /// ```
    /// # use hitgraph::Transform;
    /// # use glam::vec2;
    /// let sign = Transform::from_position(vec2(5.0, 0.0));
    /// assert_eq!(sign.with_rotation(0.3).position, vec2(5.0, 0.0));
    /// ```
    #[must_use]
    pub const fn with_rotation(self, rotation: f32) -> Self {
        Self { rotation, ..self }
    }

    /// Returns a copy with another scale, one factor per axis.
    #[must_use]
    pub const fn with_scale(self, scale: Vec2) -> Self {
        Self { scale, ..self }
    }

    /// Returns a copy with another skew, in radians.
    ///
    /// ```
    /// # use hitgraph::Transform;
    /// # use glam::vec2;
    /// // An italic letter: its top leans to the right.
    /// let italic = Transform::IDENTITY.with_skew(-0.3);
    /// assert!(italic.to_affine().transform_point2(vec2(0.0, 1.0)).x > 0.2);
    /// ```
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

/// A translation: the same as [`Transform::from_position`].
impl From<Vec2> for Transform {
    fn from(position: Vec2) -> Self {
        Self::from_position(position)
    }
}

/// The same as [`Transform::from_affine`].
impl From<Affine2> for Transform {
    fn from(affine: Affine2) -> Self {
        Self::from_affine(affine)
    }
}

/// The same as [`Transform::to_affine`].
impl From<Transform> for Affine2 {
    fn from(transform: Transform) -> Self {
        transform.to_affine()
    }
}

/// Returns the inverse of a matrix of `f32` numbers; `None` if its determinant is only rounding, or the inverse is not
/// finite.
pub(crate) fn inverse_of(matrix: DMat2) -> Option<DMat2> {
    let [first, second] = [matrix.x_axis.x * matrix.y_axis.y, matrix.x_axis.y * matrix.y_axis.x];
    let is_regular = (first - second).abs() > SINGULAR * (first.abs() + second.abs());
    is_regular.then(|| matrix.inverse()).filter(DMat2::is_finite)
}

/// Maps a normal with its surface by a matrix; `None` if the image has no direction.
pub(crate) fn map_normal(matrix: DMat2, normal: DVec2) -> Option<DVec2> {
    // The inverse transpose maps normals. The cofactors are the same but for a factor.
    let mapped = matrix.x_axis.perp() * normal.y - matrix.y_axis.perp() * normal.x;
    let mapped = if matrix.determinant() < 0.0 { -mapped } else { mapped };
    // If a scale of 0 flattens the surface along itself, this is the limit for ever smaller scales.
    mapped.try_normalize().or_else(|| (matrix * normal).try_normalize())
}

/// Returns `true` if a matrix exchanges clockwise and counter-clockwise. Its determinant may be beyond the range of `f32`.
pub(crate) fn mirrors(matrix: Mat2) -> bool {
    matrix.as_dmat2().determinant() < 0.0
}
