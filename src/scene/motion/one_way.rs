//! One-way pieces: which of them block a mover, and which let it through.

use glam::{DVec2, Vec2};

use super::mover::Mover;
use super::near::Near;
use super::touch::{PieceId, PiecePair};
use crate::geometry::{Hull, Support, exact_separation};
use crate::math::Aabb;
use crate::math::tolerance::{INPUT_ROUNDING, ONE_WAY_COS};

impl Mover<'_> {
    /// Returns `true` if a piece near the mover blocks it. A one-way piece blocks a mover that is in front of it, or
    /// that is inside and was in front of it at the end of its last move.
    pub(super) fn is_blocked_by(&self, near: &Near<'_>) -> bool {
        near.one_way.is_none_or(|up| self.is_in_front(near, up) && !self.passes_next_to(&near.pair, up))
    }

    /// Returns `true` if a one-way piece blocks a mover that touches it from outside. `up` is the direction of the piece, and
    /// `normal` that of the touch.
    pub(super) fn is_blocked_at(&self, pair: &PiecePair<'_>, up: DVec2, normal: DVec2) -> bool {
        self.is_front(pair, up, normal) && !self.passes_next_to(pair, up)
    }

    /// Returns `true` if the mover is on the side of a piece to which the direction `up` leads. Of a mover inside the
    /// piece, the side at the end of its last move counts.
    fn is_in_front(&self, near: &Near<'_>, up: DVec2) -> bool {
        let side = if near.is_inside() { self.side(near) } else { Some(near.normal) };
        side.is_some_and(|normal| self.is_front(&near.pair, up, normal))
    }

    /// Returns `true` if a normal of a one-way piece leads to its front. At a sharp corner of two pieces, such as a peak of
    /// a one-sided line, so do all normals between their two directions.
    fn is_front(&self, pair: &PiecePair<'_>, up: DVec2, normal: DVec2) -> bool {
        normal.dot(up) >= ONE_WAY_COS || self.is_at_peak(pair, up, normal)
    }

    /// Returns `true` if another piece of the collider, which is behind a one-way piece, touches its corner in the direction
    /// of a normal, and the normal is between the directions of the two.
    fn is_at_peak(&self, pair: &PiecePair<'_>, up: DVec2, normal: DVec2) -> bool {
        let (slot, piece) = (pair.id.slot, pair.other);
        let Some(target) = self.surroundings.world.collider_at(slot) else { return false };
        if target.is_one_piece() {
            return false;
        }
        let corner = (piece.center.as_dvec2() + piece.furthest(normal)).as_vec2();
        let mut is_at_peak = false;
        target.each_piece(Aabb::padded(corner, Vec2::ZERO, Vec2::ZERO), &mut |number, other| {
            let Some(next) = self.surroundings.one_way(&target, PieceId { slot, piece: number }) else { return };
            let turn = up.perp_dot(next);
            let is_between = up.perp_dot(normal) * turn > 0.0 && normal.perp_dot(next) * turn > 0.0;
            is_at_peak = is_at_peak || is_between && other.with_hull(|other| is_behind(other, piece, up));
        });
        is_at_peak
    }

    /// Returns `true` if another piece of the mover is passing this piece, or if the mover is passing another piece of
    /// the same collider that touches this one and has about the same direction. Then the two are one surface, and their
    /// joint does not block.
    fn passes_next_to(&self, pair: &PiecePair<'_>, up: DVec2) -> bool {
        let slot = pair.id.slot;
        let mut passes = false;
        let is_one_piece = self.parts.len() == 1 && self.parts[0].collider.is_one_piece();
        if self.surroundings.world.collider_at(slot).is_some_and(|collider| !is_one_piece || !collider.is_one_piece()) {
            self.each_near(0.0, &mut |near| {
                passes |= near.pair.id.slot == slot
                    && near.is_inside()
                    && near.one_way.is_some_and(|next| next.dot(up) >= ONE_WAY_COS && !self.is_in_front(near, next))
                    && exact_separation(near.pair.other, pair.other).touches();
            });
        }
        passes
    }
}

/// Returns `true` if a piece touches another one and reaches no further in a direction.
fn is_behind(piece: &Hull<'_>, other: &Hull<'_>, direction: DVec2) -> bool {
    let [reach, own] = [other, piece].map(|hull| hull.center.as_dvec2() + hull.furthest(direction));
    let tolerance = (piece.extent() + other.extent()) * INPUT_ROUNDING;
    (own - reach).dot(direction) <= tolerance && exact_separation(piece, other).touches()
}
