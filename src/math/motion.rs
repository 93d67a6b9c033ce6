use glam::{DVec2, Vec2};

use super::aabb::Aabb;
use super::sin_cos::sin_versine;

/// A rigid motion: a displacement and a rotation about a pivot, both at constant speed.
///
/// At the fraction `t` of the motion, from 0 to 1, every point is rotated by `t * rotation` about the pivot and then
/// displaced by `t * displacement`. The pivot is therefore displaced too, and a point apart from it moves along an arc.
/// A motion without rotation is a plain displacement: `displacement.into()`.
///
/// If a number of a motion is not finite, a cast along it finds nothing, and a [push](crate::Scene::push) by it moves
/// nothing.
///
/// ```
/// use hitgraph::{Circle, Motion, Node, QueryFilter, Rect, Scene};
/// use glam::{Affine2, vec2};
///
/// let mut scene = Scene::new();
/// let ball = scene.add(Node::new("ball").with_position(vec2(0.0, 4.0)));
/// scene.attach(ball, Circle::new(1.0)).unwrap();
///
/// // A door of length 4 turns about its hinge at the origin by a half turn, and hits the ball after about a third.
/// let (door, at) = (Rect::new(4.0, 0.5), Affine2::from_translation(vec2(2.0, 0.0)));
/// let opening = Motion::default().with_rotation(std::f32::consts::PI).with_pivot(vec2(0.0, 0.0));
/// let hit = scene.world().cast_shape(&door, &at, opening, &QueryFilter::default()).unwrap();
/// assert!(hit.side.node == ball && (0.3..0.45).contains(&hit.fraction));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Motion {
    /// The displacement of the pivot, in world space and world units. Default: zero.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub displacement: Vec2,
    /// The rotation, in radians, counter-clockwise with y up. It may exceed a full turn. Default: 0.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub rotation: f32,
    /// The point in world space, before the displacement, about which everything rotates. A finite one has no effect
    /// without a rotation. The default is `None`: the origin of the shape or the node that moves.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub pivot: Option<Vec2>,
}

impl Motion {
    /// Creates a motion without rotation, from a displacement in world space.
    #[must_use]
    pub const fn new(displacement: Vec2) -> Self {
        Self { displacement, rotation: 0.0, pivot: None }
    }

    /// Returns the motion with another rotation, in radians, counter-clockwise with y up.
    #[must_use]
    pub const fn with_rotation(self, rotation: f32) -> Self {
        Self { rotation, ..self }
    }

    /// Returns the motion with a pivot in world space.
    #[must_use]
    pub const fn with_pivot(self, pivot: Vec2) -> Self {
        Self { pivot: Some(pivot), ..self }
    }

    /// Returns the motion in `f64`, given the origin of the thing that moves; `None` if a number is not finite.
    pub(crate) fn about(&self, origin: DVec2) -> Option<RigidMotion> {
        let pivot = self.pivot.map_or(origin, |pivot| pivot.as_dvec2());
        let is_finite = self.displacement.is_finite() && self.rotation.is_finite() && pivot.is_finite();
        let (displacement, rotation) = (self.displacement.as_dvec2(), f64::from(self.rotation));
        is_finite.then_some(RigidMotion { displacement, rotation, pivot })
    }
}

impl From<Vec2> for Motion {
    /// Returns the motion by a displacement in world space, without rotation.
    fn from(displacement: Vec2) -> Self {
        Self::new(displacement)
    }
}

/// A [`Motion`] in `f64` about a known pivot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RigidMotion {
    pub(crate) displacement: DVec2,
    /// Radians.
    pub(crate) rotation: f64,
    /// The pivot before the motion, in world space.
    pub(crate) pivot: DVec2,
}

impl RigidMotion {
    /// Returns `true` if the motion neither displaces nor rotates.
    pub(crate) fn is_zero(&self) -> bool {
        self.displacement == DVec2::ZERO && self.rotation == 0.0
    }

    /// Returns an upper bound of the length of the path of every point in a box, and of the pivot.
    pub(crate) fn longest_path(&self, bounds: Aabb) -> f64 {
        let corners = [bounds.min, bounds.max, bounds.min.with_x(bounds.max.x), bounds.min.with_y(bounds.max.y)];
        let arms = corners.into_iter().filter(|_| bounds != Aabb::EMPTY).map(|corner| corner.as_dvec2() - self.pivot);
        self.displacement.length() + self.rotation.abs() * arms.map(DVec2::length).fold(0.0, f64::max)
    }

    /// Returns the map from the positions before the motion to those at a fraction of it.
    pub(crate) fn at(&self, fraction: f64) -> RigidMap {
        RigidMap { turn: Rotation::new(self.rotation * fraction), displacement: self.displacement * fraction }
    }
}

/// A rotation about a pivot and a displacement of the pivot: where a rigid motion has led to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RigidMap {
    pub(crate) turn: Rotation,
    displacement: DVec2,
}

impl RigidMap {
    /// Returns the point that the map moves to a given one. Both are relative to the pivot before the motion.
    pub(crate) fn preimage(&self, from_pivot: DVec2) -> DVec2 {
        self.turn.inverse().rotate(from_pivot - self.displacement)
    }

    /// Returns the displacement of a point, given by its position relative to the pivot before the motion.
    pub(crate) fn displacement_of(&self, from_pivot: DVec2) -> DVec2 {
        self.displacement + self.turn.change_of(from_pivot)
    }
}

/// A rotation about the origin. It keeps the versine, 1 minus the cosine, because a small angle has a cosine that
/// rounds to 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rotation {
    pub(crate) sin: f64,
    pub(crate) versine: f64,
}

impl Rotation {
    /// Creates the rotation by an angle in radians.
    pub(crate) fn new(angle: f64) -> Self {
        let (sin, versine) = sin_versine(angle);
        Self { sin, versine }
    }

    pub(crate) fn cos(&self) -> f64 {
        1.0 - self.versine
    }

    /// Returns the rotation by the opposite angle.
    pub(crate) fn inverse(self) -> Self {
        Self { sin: -self.sin, ..self }
    }

    /// Returns the difference of a rotated vector and the vector.
    pub(crate) fn change_of(&self, vector: DVec2) -> DVec2 {
        vector.perp() * self.sin - vector * self.versine
    }

    /// Returns the rotated vector.
    pub(crate) fn rotate(&self, vector: DVec2) -> DVec2 {
        vector + self.change_of(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rigid_map_rotates_about_the_pivot_and_displaces() {
        let motion = Motion::new(Vec2::new(4.0, 0.0)).with_rotation(core::f32::consts::PI).with_pivot(Vec2::X);
        let map = motion.about(DVec2::ZERO).unwrap().at(0.5);
        let point = DVec2::new(3.0, 0.0) - DVec2::X;
        assert!(map.displacement_of(point).abs_diff_eq(DVec2::new(0.0, 2.0), 1e-6));
        assert_eq!(map.displacement_of(DVec2::ZERO), DVec2::new(2.0, 0.0), "the pivot is displaced only");
    }

    #[test]
    fn the_pivot_defaults_to_the_origin_of_the_thing_that_moves() {
        let motion = Motion::default().with_rotation(1.0);
        assert_eq!(motion.about(DVec2::new(3.0, 4.0)).unwrap().pivot, DVec2::new(3.0, 4.0));
        assert_eq!(motion.with_pivot(Vec2::Y).about(DVec2::X).unwrap().pivot, DVec2::Y);
    }

    #[test]
    fn a_small_rotation_keeps_its_second_order() {
        let change = Rotation::new(1e-9).change_of(DVec2::new(1e9, 0.0));
        assert!((change - DVec2::new(-0.5e-9, 1.0)).abs().cmple(DVec2::new(1e-24, 1e-15)).all(), "{change:?}");
    }

    #[test]
    fn a_motion_that_is_not_finite_is_none() {
        let finite = Motion::new(Vec2::X).with_rotation(1.0).with_pivot(Vec2::Y);
        assert!(finite.about(DVec2::ZERO).is_some());
        for bad in [f32::NAN, f32::INFINITY] {
            assert!(Motion { displacement: Vec2::new(bad, 0.0), ..finite }.about(DVec2::ZERO).is_none());
            assert!(finite.with_rotation(bad).about(DVec2::ZERO).is_none());
            assert!(finite.with_pivot(Vec2::new(0.0, bad)).about(DVec2::ZERO).is_none());
        }
    }
}
