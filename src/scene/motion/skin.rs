//! The skin of a mover: where it is thin, and how it is restored.

use glam::DVec2;

use super::mover::Mover;
use super::near_piece::NearPiece;
use super::slopes::{Slopes, Surface};
use super::touch::PieceId;
use crate::math::keep_least;
use crate::math::tolerance::THIN_SKIN;

/// The largest number of steps that restore the skin. Where there is no room, the skin stays thinner.
const MAX_SKIN_STEPS: usize = 4;

/// The least cosine of the angle to a normal at which a direction restores the skin. Along a direction closer to the
/// surface, a little skin takes a long way.
const MIN_LEAVING_COS: f64 = 0.25;

/// A piece to which the skin is thin.
#[derive(Clone, Copy)]
struct ThinSkin {
    pieces: [PieceId; 2],
    gap: f64,
    normal: DVec2,
    /// The gap along the up direction; negative unless the whole mover is higher than the piece.
    above: f64,
}

impl Mover<'_> {
    /// Returns `true` if the mover is inside nothing and keeps its skin.
    pub(super) fn is_clear(&self) -> bool {
        let mut clear = true;
        self.each_with_thin_skin(&mut |near| {
            clear = false;
            if near.one_way.is_some() {
                self.may_pass_one_way.set(true);
            }
        });
        clear
    }

    /// Visits every piece that is so near that the skin between it and the mover is thin.
    pub(super) fn each_with_thin_skin(&self, visit: &mut dyn FnMut(&NearPiece<'_>)) {
        self.each_near(self.skin * THIN_SKIN, visit);
    }

    /// Restores the skin where it is thin, as far as there is room: straight up from a floor and horizontally from a
    /// steep slope, so that no mover creeps, unless that leads far along the surface. One-way colliders that the
    /// displacement may pass do not count. Neither do pieces ahead that it leads past, since the way back from the corner
    /// of a gap may lead where the mover no longer fits, nor other movers for one that rests, since they have come
    /// closer by themselves, and it would give way again and again.
    ///
    /// Among several colliders without room for their skins, a mover would be pushed to and fro in every frame. So it
    /// moves only if this widens the least gap by at least half of what makes a skin thin, or if there is almost none.
    pub(super) fn restore_skin(&mut self, displacement: DVec2, slopes: &Slopes) {
        let rests = displacement == DVec2::ZERO && self.travel == DVec2::ZERO;
        let thinnest_skin = |mover: &Self| mover.thinnest_skin(displacement, slopes.up, rests);
        let (start, mut thinnest) = (self.travel, thinnest_skin(self));
        let Some(ThinSkin { gap: before, .. }) = thinnest else { return };
        for _ in 0..MAX_SKIN_STEPS {
            if !thinnest.is_some_and(|thin| self.widen_skin(&thin, slopes)) {
                break;
            }
            thinnest = thinnest_skin(self);
        }
        let least_gain = 0.5 * (1.0 - THIN_SKIN) * self.skin;
        let gains = |after| after > before && (before < least_gain || after - before >= least_gain);
        if thinnest.is_some_and(|thin| !gains(thin.gap)) {
            self.travel = start;
        }
    }

    /// Returns the piece to which the skin is thinnest; `None` if it is thin nowhere. Other movers do not count if the mover
    /// `rests`.
    fn thinnest_skin(&self, displacement: DVec2, up: DVec2, rests: bool) -> Option<ThinSkin> {
        let mut thinnest: Option<ThinSkin> = None;
        self.each_with_thin_skin(&mut |near| {
            let passes = near.one_way.is_some_and(|up| displacement.dot(up) > 0.0) || near.is_passed_by(displacement);
            let stays = rests && self.surroundings.is_mover(near.pair.id.slot);
            if !(passes || stays) && self.is_blocked_by(near) {
                let NearPiece { gap, normal, ref pair, .. } = *near;
                let found = ThinSkin { pieces: pair.pieces(), gap, normal, above: near.gap_along(up) };
                keep_least(&mut thinnest, found, |thin| (thin.gap, thin.normal.to_array(), thin.pieces));
            }
        });
        thinnest
    }

    /// Moves away from a piece. Returns `false` if there is no room.
    fn widen_skin(&mut self, &ThinSkin { gap, normal, above, .. }: &ThinSkin, slopes: &Slopes) -> bool {
        let upright = slopes.upright(normal);
        // The mover passes above a piece that is lower than it, so no side of that piece pushes it back.
        let push = if upright.is_some() && above >= 0.0 {
            slopes.up * ((self.skin - gap) / slopes.up.dot(normal)).min(self.skin - above)
        } else {
            let direction = if slopes.surface(normal) == Surface::Floor { Some(slopes.up) } else { upright };
            let direction = direction.filter(|direction| direction.dot(normal) >= MIN_LEAVING_COS).unwrap_or(normal);
            direction * ((self.skin - gap) / direction.dot(normal))
        };
        // Between two colliders without room for both skins, each gets half.
        let room = self.first_touch(push * 2.0, 1.0, |_| true).map_or(1.0, |touch| touch.fraction);
        self.travel += push * room;
        room > 0.0
    }
}
