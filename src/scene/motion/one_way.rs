//! One-way pieces: which of them block a mover, and which let it through.

use glam::{DVec2, Vec2};

use super::mover::Mover;
use super::near_piece::NearPiece;
use super::touch::{PieceId, PiecePair};
use crate::geometry::{Hull, exact_separation};
use crate::math::Aabb;
use crate::math::tolerance::{INPUT_ROUNDING, ONE_WAY_COS};

impl Mover<'_> {
    /// Returns `true` if a piece near the mover blocks it. A one-way piece blocks a mover that is in front of it, or
    /// that is inside and was in front of it at the end of its last move.
    pub(super) fn is_blocked_by(&self, near: &NearPiece<'_>) -> bool {
        near.one_way.is_none_or(|up| self.is_blocked_on(self.side(near), &near.pair, up))
    }

    /// Returns `true` if a one-way piece with the direction `up` blocks a mover that is on a side of it.
    pub(super) fn is_blocked_on(&self, side: Option<DVec2>, pair: &PiecePair<'_>, up: DVec2) -> bool {
        self.is_front(side, pair, up) && !self.passes_next_to(pair, up)
    }

    /// Returns `true` if a side of a one-way piece is its front. At a sharp corner of two pieces, such as a peak of a
    /// one-sided line, so are all sides between their two directions.
    fn is_front(&self, side: Option<DVec2>, pair: &PiecePair<'_>, up: DVec2) -> bool {
        side.is_some_and(|normal| normal.dot(up) >= ONE_WAY_COS || self.is_at_peak(pair, up, normal))
    }

    /// Returns `true` if another piece of the collider, which is behind a one-way piece, touches its corner in the direction
    /// of a normal, and the normal is between the directions of the two.
    fn is_at_peak(&self, pair: &PiecePair<'_>, up: DVec2, normal: DVec2) -> bool {
        let (slot, piece) = (pair.id.slot, pair.other);
        let Some(target) = self.surroundings.world.collider_at(slot) else { return false };
        if target.is_one_piece() {
            return false;
        }
        let corner = piece.support_point(normal).as_vec2();
        let mut is_at_peak = false;
        target.each_hull(Aabb::padded(corner, Vec2::ZERO, Vec2::ZERO), &mut |number, other| {
            let Some(next) = self.surroundings.one_way(PieceId { slot, piece: number }) else { return };
            let turn = up.perp_dot(next);
            let is_between = up.perp_dot(normal) * turn > 0.0 && normal.perp_dot(next) * turn > 0.0;
            is_at_peak = is_at_peak || is_between && is_behind(other, piece, up);
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
                    && near.one_way.is_some_and(|next| {
                        next.dot(up) >= ONE_WAY_COS && !self.is_front(self.side(near), &near.pair, next)
                    })
                    && exact_separation(near.pair.other, pair.other).touches();
            });
        }
        passes
    }
}

/// Returns `true` if a piece touches another one and reaches no further in a direction.
fn is_behind(piece: &Hull<'_>, other: &Hull<'_>, direction: DVec2) -> bool {
    let [reach, own] = [other, piece].map(|hull| hull.support_point(direction));
    let tolerance = (piece.extent() + other.extent()) * INPUT_ROUNDING;
    (own - reach).dot(direction) <= tolerance && exact_separation(piece, other).touches()
}
