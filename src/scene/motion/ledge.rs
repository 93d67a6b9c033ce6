//! Ledges: how a mover finds them, and steps up.

use glam::DVec2;

use super::move_steps::Move;
use super::slopes::Surface;
use super::touch::{PieceId, Touch};
use crate::math::tolerance::{INPUT_ROUNDING, MIN_STEP_UP};

/// The largest number of pieces above a ledge, one lower than the other, below which a step up may lead. A door has one.
const MAX_LINTELS: usize = 4;

/// The least height of a ledge below a lintel, as a part of the skin. A mover touches no lower ledge, and a thin skin lacks
/// less.
const MIN_LEDGE: f64 = 0.5;

/// The part of its displacement, or of the way onto a ledge if that is shorter, that a mover must be able to advance at the
/// height of the ledge.
const MIN_ADVANCE: f64 = 0.5;

/// The floor on top of a ledge.
pub(super) struct Ledge {
    /// The height of the mover on it above the mover's present place.
    height: f64,
    pub(super) normal: DVec2,
}

impl Move<'_, '_, '_> {
    /// Moves up the ledge that `touch` hits and ahead by the horizontal part of `rest`. The ledge must be no higher
    /// than a step, with a floor and room for the mover on top, and the mover must be near a floor. The displacement
    /// `asked`, before anything clipped it, must lead ahead too: a mover that only falls would slide down a slope to a
    /// ledge, rise, and fall again. Returns the part of that displacement that is left; `None` if there is no such
    /// ledge.
    pub(super) fn step_up(&mut self, touch: &Touch, asked: DVec2, rest: DVec2) -> Option<f64> {
        let (height, skin) = (f64::from(self.options.step_height), self.mover.skin);
        let level = self.slopes.horizontal(rest);
        let forward = level.try_normalize().filter(|forward| self.may_step_up(touch, asked, *forward))?;
        self.blocking_floor_within(height + 2.0 * skin)?;
        let start = self.mover.travel;
        let onto = self.onto_ledge(forward);
        let longer = Some(level).filter(|level| level.length() > onto.length());
        // A long way ahead may lead past a narrow ledge, or down on the other side of a fence.
        let mut ways = longer.into_iter().chain([onto, 0.5 * onto]);
        let unused = ways.find_map(|ahead| self.step_onto_ledge(height, ahead, level))?;
        // One that stays a skin before the ledge would be in the air, fall, and step up again.
        let short = 2.0 * skin - level.length();
        if short > 0.0 && self.floor_at_end().is_none() {
            self.advance_onto_ledge(forward * short, start);
        }
        Some(unused)
    }

    /// Returns `true` if a mover whose displacement was `asked` may step up a ledge in a direction, which `touch` hits.
    fn may_step_up(&self, touch: &Touch, asked: DVec2, forward: DVec2) -> bool {
        let rounding = asked.length() * INPUT_ROUNDING;
        // In a rotated level, rounding adds a horizontal part to a displacement straight down, in any direction.
        let leads_ahead = self.slopes.horizontal(asked).dot(forward) > rounding;
        // A mover that falls along a steep slope and leads away from it has no ledge ahead.
        let is_ahead = touch.normal.dot(forward) < 0.0;
        let is_wall = self.slopes.surface(touch.normal) == Surface::Wall;
        // Not the rest: before a ledge at the top of a ramp, it follows the ramp upwards.
        self.options.step_height > 0.0 && is_wall && is_ahead && leads_ahead && !self.slopes.rises(asked)
    }

    /// Moves further onto a ledge, up which the mover has stepped from the travel `start`, if a floor is below it then.
    fn advance_onto_ledge(&mut self, displacement: DVec2, start: DVec2) {
        let (before, skin) = (self.mover.travel, self.mover.skin);
        let blocked = self.cast(displacement);
        self.mover.advance(displacement, blocked);
        // If its lowest point is further behind, it comes down a little on the ledge.
        let risen = (self.mover.travel - start).dot(self.slopes.up);
        if self.blocking_floor_within((risen - skin).max(2.0 * skin)).is_none() {
            self.mover.travel = before;
        }
    }

    /// Moves up to a ledge that is the displacement `ahead` away, and then by `level`, which must lead towards it. Returns
    /// the unused part of `level`; `None` if there is no such ledge.
    fn step_onto_ledge(&mut self, most: f64, ahead: DVec2, level: DVec2) -> Option<f64> {
        let start = self.mover.travel;
        let rise = self.slopes.up * self.find_ledge(most, ahead)?.height;
        let above = self.cast(rise);
        if self.mover.advance(rise, above) <= 0.0 {
            let blocked = self.cast(level);
            // A wall that leans back leaves room ahead further up, but what blocks far before the ledge is no part of it.
            let least = MIN_ADVANCE * ahead.dot(level).min(level.length_squared());
            if blocked.is_none_or(|touch| touch.stop(self.mover.skin) * level.length_squared() >= least) {
                self.mover.mark_corner(self.done);
                return Some(self.mover.advance(level, blocked));
            }
        }
        self.mover.travel = start;
        None
    }

    /// Returns the displacement in a direction after which a round mover comes down on top of a ledge that it touches, and
    /// not on its edge.
    pub(super) fn onto_ledge(&self, forward: DVec2) -> DVec2 {
        forward * (self.mover.half_width(forward) + 2.0 * self.mover.skin)
    }

    /// Searches up, ahead, and down for a floor that is higher by at most `most`, and by more than rounding; `None` if there
    /// is none.
    pub(super) fn find_ledge(&mut self, most: f64, ahead: DVec2) -> Option<Ledge> {
        let start = self.mover.travel;
        self.is_searching = true;
        let normal = self.move_to_ledge(most, ahead);
        self.is_searching = false;
        let height = (self.mover.travel - start).dot(self.slopes.up);
        self.mover.travel = start;
        normal.map(|normal| Ledge { height, normal })
    }

    /// Does the same, but leaves the mover where the search ends. Returns the normal.
    fn move_to_ledge(&mut self, most: f64, ahead: DVec2) -> Option<DVec2> {
        let start = self.mover.travel;
        let least = (MIN_STEP_UP * most).max(self.mover.position_rounding);
        let least_ledge = MIN_LEDGE * self.mover.skin;
        let up = self.slopes.up * most;
        let above = self.cast(up);
        let mut height = (1.0 - self.mover.advance(up, above)) * most;
        for _ in 0..=MAX_LINTELS {
            if height <= least {
                return None;
            }
            let blocked = self.cast(ahead);
            self.mover.advance(ahead, blocked);
            let floor = self.land(height - least);
            // Before a lintel, the mover may come down on the floor on which it stands. The thin skin is as wide again there.
            if let Some(floor) = floor.filter(|floor| blocked.is_none() || floor.left > least_ledge) {
                return Some(floor.normal);
            }
            let lintel = blocked?;
            let below = start + ahead * lintel.fraction + self.onto_ledge(ahead.normalize());
            height = self.height_below(lintel.id, below, height)?;
            self.mover.travel = start + self.slopes.up * height;
        }
        None
    }

    /// Returns the height, less than `height`, by which the mover may rise from a travel to be below a piece, as below the
    /// lintel of a door; `None` if it is not below the piece there.
    fn height_below(&mut self, lintel: PieceId, below: DVec2, height: f64) -> Option<f64> {
        let up = self.slopes.up * height;
        self.mover.travel = below;
        let touch = self.mover.first_touch(up, 1.0, |touch| touch.id == lintel)?;
        Some(touch.stop(self.mover.skin) * height)
    }
}
