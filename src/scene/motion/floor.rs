//! The floor under a mover: steps up, snapping down, and standing on stairs.

use glam::DVec2;
use smallvec::SmallVec;

use super::move_steps::Move;
use super::moved::MoveHit;
use super::mover::CLOSE_ENOUGH;
use super::slopes::Surface;
use super::touch::{PieceId, Touch};
use crate::math::tolerance::{INPUT_ROUNDING, MIN_STEP_UP};
use crate::math::{keep_least, sort_by};
use crate::scene::slot_of;

/// The largest number of pieces above a ledge, one lower than the other, below which a step up may lead. A door has one.
const MAX_LINTELS: usize = 4;

/// The largest number of surfaces that a mover touches as it comes down on a ledge: corners of the next ones, and a floor.
const MAX_CORNERS: usize = 4;

/// The least height of a ledge below a lintel, as a part of the skin. A mover touches no lower ledge, and a thin skin lacks
/// less.
const MIN_LEDGE: f64 = 0.5;

/// The part of its displacement, or of the way onto a ledge if that is shorter, that a mover must be able to advance at the
/// height of the ledge.
const MIN_ADVANCE: f64 = 0.5;

/// The least cosine of the angle between the up direction and the normal of a surface on which a mover stands, or the
/// direction from the point on which it stood to its middle.
const MIN_RISE_COS: f64 = 0.1;

/// The floor on top of a ledge.
struct Ledge {
    /// The height of the mover on it above the mover's present place.
    height: f64,
    normal: DVec2,
}

/// A floor on which a mover comes down.
struct Landing {
    /// The part of the height that the mover has not descended.
    left: f64,
    normal: DVec2,
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
        self.planes.clear();
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
    fn onto_ledge(&self, forward: DVec2) -> DVec2 {
        forward * (self.mover.half_width(forward) + 2.0 * self.mover.skin)
    }

    /// Searches up, ahead, and down for a floor that is higher by at most `most`, and by more than rounding; `None` if there
    /// is none.
    fn find_ledge(&mut self, most: f64, ahead: DVec2) -> Option<Ledge> {
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
            if let Some(Landing { normal, .. }) = floor.filter(|floor| blocked.is_none() || floor.left > least_ledge) {
                return Some(normal);
            }
            let lintel = blocked?;
            let below = start + ahead * lintel.fraction + self.onto_ledge(ahead.normalize());
            height = self.height_below(lintel.id, below, height)?;
            self.mover.travel = start + self.slopes.up * height;
        }
        None
    }

    /// Moves down by less than a height, until the mover comes down on a floor; `None` if it does not.
    fn land(&mut self, height: f64) -> Option<Landing> {
        let up = self.slopes.up;
        let mut down = up * -height;
        let start = self.mover.travel;
        // On narrow stairs, the mover may touch the corner of the next one just before the floor, and slides off it. A steep
        // slope leads to the floor at its foot.
        for _ in 0..MAX_CORNERS {
            let touch = self.cast(down)?;
            self.mover.advance(down, Some(touch));
            if !self.is_searching {
                self.mover.mark_corner(self.done);
            }
            let left = height + (self.mover.travel - start).dot(up);
            let Some(across) = self.slopes.upright(touch.normal) else {
                let normal = touch.normal;
                return (self.slopes.surface(normal) == Surface::Floor).then_some(Landing { left, normal });
            };
            let [rise, lean] = [up, across].map(|axis| touch.normal.dot(axis));
            down = across * (left * rise / lean) - up * left;
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

    /// Returns `true` if the mover stood on a floor at the end of its last move, which still blocks it and is below it. The
    /// floor, the mover or the up direction may have changed since.
    pub(super) fn stood(&self) -> bool {
        let Some(above) = self.mover.above_floor() else { return false };
        let is_above = |normal: DVec2| above.dot(normal) > above.length() * MIN_RISE_COS;
        // The middle of a wide box that turns on a slope may be lower than the corner on which it stood.
        let floor = || self.floor_within(f64::from(self.options.snap_to_floor));
        is_above(self.slopes.up) || floor().is_some_and(|floor| is_above(floor.normal))
    }

    /// Returns `true` if the mover stands on a floor or on stairs.
    pub(super) fn stands(&mut self) -> bool {
        self.floor_within(2.0 * self.mover.skin).is_some() || self.hit_on_stairs().is_some()
    }

    /// Finds the floor on which the mover stands at the end, and puts the mover down on a lower one if it `snaps`.
    pub(super) fn find_floor(&mut self, snaps: bool) {
        self.gather(0.0, DVec2::ZERO);
        let floor = self.floor_at_end();
        let hit = floor.map(|floor| self.hit(&floor));
        // Otherwise, a mover would float from one skin to two in some frames on a gentle slope, and then come down. The
        // touch is at the end of a displacement of two skins.
        let floats = floor.is_none_or(|floor| floor.stop(self.mover.skin) > CLOSE_ENOUGH);
        self.moved.floor = if snaps && floats { self.snap().or(hit) } else { hit };
    }

    /// Forgets the floor that the mover was inside of if another collider has pushed the mover off it.
    pub(super) fn leave_floor(&mut self) {
        let Some(floor) = self.moved.floor else { return };
        let below = self.floor_within(2.0 * self.mover.skin);
        if below.is_none_or(|touch| touch.id.slot != slot_of(floor.side.collider)) {
            self.moved.floor = None;
        }
    }

    /// Returns the touch with the floor on which the mover stands.
    fn floor_at_end(&mut self) -> Option<Touch> {
        self.blocking_floor_within(2.0 * self.mover.skin)
    }

    /// Puts the mover down on a floor or on stairs. Returns the hit with it; `None` if there is none.
    fn snap(&mut self) -> Option<MoveHit> {
        let distance = f64::from(self.options.snap_to_floor);
        let down = self.slopes.up * -distance;
        let touch = self.cast(down)?;
        let (start, corners) = (self.mover.travel, self.mover.trail.len());
        self.mover.advance_exactly(down, Some(touch));
        // A round mover beside a ledge comes down on its corner before the floor.
        let path = self.mover.travel - start;
        self.mover.travel = start;
        let corner = self.blocking_skin_touch_after(path);
        self.mover.advance_exactly(path, corner);
        let touch = corner.unwrap_or(touch);
        let floor = self.floor_at_end().map(|floor| self.hit(&floor)).or_else(|| self.hit_on_stairs()).or_else(|| {
            self.mover.travel = start;
            // Otherwise it would hang at a steep slope, just above the floor at its foot.
            self.land(distance)?;
            self.floor_at_end().map(|floor| self.hit(&floor))
        });
        if floor.is_none() {
            self.mover.travel = start;
            self.mover.trail.truncate(corners);
            return None;
        }
        self.mover.mark_corner(self.done);
        self.moved.hits.push(self.hit(&touch));
        floor
    }

    /// Returns the hit with a surface on which the mover stands as on stairs. The surface may be too steep for a floor if a
    /// floor is below, within the distance to which the mover snaps, and a ledge above, within the same distance. The
    /// normal is that of the ledge then.
    fn hit_on_stairs(&mut self) -> Option<MoveHit> {
        let snap = f64::from(self.options.snap_to_floor);
        let mut below: SmallVec<[(f64, [PieceId; 2], MoveHit); 4]> = SmallVec::new();
        self.mover.each_near(2.0 * self.mover.skin, &mut |near| {
            if near.normal.dot(self.slopes.up) >= MIN_RISE_COS && self.mover.is_blocked_by(near) {
                below.push((near.gap, near.pair.pieces(), near.hit(self.mover.surroundings.world, near.normal)));
            }
        });
        sort_by(&mut below, |(a, a_pieces, _), (b, b_pieces, _)| (a, a_pieces) < (b, b_pieces));
        below.into_iter().find_map(|(_, [id, _], hit)| {
            let mut normal = hit.normal;
            // The corner of a floor suffices, although the mover would fall beside it.
            if let Some(across) = self.slopes.upright(normal.as_dvec2()) {
                self.blocking_floor_within(snap)?;
                normal = self.find_ledge(snap, self.onto_ledge(-across))?.normal.as_vec2();
            }
            self.blocks(id, &hit).then_some(MoveHit { normal, fraction: 1.0, ..hit })
        })
    }

    /// Returns the touch with the floor that a displacement downwards by a distance meets, whatever else blocks it.
    fn floor_within(&self, distance: f64) -> Option<Touch> {
        let floor = |only: Option<u32>| {
            let mut floor: Option<Touch> = None;
            self.mover.each_touch(self.slopes.up * -distance, 1.0, only, &mut |touch| {
                // A mover that falls past the end of a one-way piece is inside of that for a while.
                let is_passed = touch.fraction == 0.0 && self.mover.surroundings.one_way(touch.id).is_some();
                if !is_passed && self.slopes.surface(touch.normal) == Surface::Floor {
                    keep_least(&mut floor, touch, Touch::order);
                }
                1.0
            });
            floor
        };
        // Most often it is the floor that was met last. If all are cast against, moves on a floor of many boxes execute 4 %
        // more instructions.
        self.moved.floor.and_then(|last| floor(Some(slot_of(last.side.collider)))).or_else(|| floor(None))
    }

    /// Returns the touch with the floor within a distance, after the function has decided.
    fn blocking_floor_within(&mut self, distance: f64) -> Option<Touch> {
        loop {
            let touch = self.floor_within(distance)?;
            if self.blocks(touch.id, &self.hit(&touch)) {
                return Some(touch);
            }
        }
    }
}
