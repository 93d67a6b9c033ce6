use glam::{Affine2, DMat2, DVec2, Mat2};

use crate::math::affine_disc::uniform_scale;
use crate::math::{RigidMotion, Transform, mirrors};

/// The path of a pushed node: its local transforms during a rigid motion in the world.
pub(super) struct PushPath {
    pub(super) motion: RigidMotion,
    /// The position of the node in the world before the motion.
    pub(super) origin: DVec2,
    /// The local transform before the motion.
    pub(super) old: Transform,
    /// The matrix of the parent's world transform, and its inverse.
    pub(super) parent: Mat2,
    pub(super) inverse: DMat2,
}

impl PushPath {
    /// Returns `true` if no position on a path of this length overflows, in the world or in the frame of the parent.
    pub(super) fn is_finite(&self, length: f64) -> bool {
        let local_length = (self.inverse.x_axis.abs() + self.inverse.y_axis.abs()).max_element() * length;
        let reaches = [(self.origin, length), (self.old.position.as_dvec2(), local_length)];
        reaches.iter().all(|(from, length)| ((from.abs().max_element() + length) as f32).is_finite())
    }

    /// Returns the local transform at a fraction of the motion.
    pub(super) fn transform_at(&self, fraction: f64) -> Transform {
        let (map, angle) = (self.motion.at(fraction), self.motion.rotation * fraction);
        let shift = self.inverse * map.displacement_of(self.origin - self.motion.pivot);
        let position = (self.old.position.as_dvec2() + shift).as_vec2();
        if angle == 0.0 {
            return Transform { position, ..self.old };
        }
        if uniform_scale(self.parent).is_some() {
            // A rotation commutes with a uniform scale, so the local angle stays exact however often the node turns.
            let angle = if mirrors(self.parent) { -angle } else { angle };
            return Transform { position, rotation: (f64::from(self.old.rotation) + angle) as f32, ..self.old };
        }
        let turn = DMat2::from_cols(map.turn.rotate(DVec2::X), map.turn.rotate(DVec2::Y));
        let local = self.inverse * turn * self.parent.as_dmat2() * self.old.to_affine().matrix2.as_dmat2();
        Transform::from_affine_like(Affine2 { matrix2: local.as_mat2(), translation: position }, &self.old)
    }

    /// Returns the function from a point that moves with the node to its displacement between two fractions of the
    /// motion. The point is given by its position at the first one.
    pub(super) fn displacement_between(&self, from: f64, to: f64) -> impl Fn(DVec2) -> DVec2 + use<> {
        let ([before, after], pivot) = ([from, to].map(|fraction| self.motion.at(fraction)), self.motion.pivot);
        move |at| {
            let start = before.preimage(at - pivot);
            after.displacement_of(start) - before.displacement_of(start)
        }
    }
}
