//! The floor under a mover: landing, snapping down, and standing on stairs.

use glam::DVec2;
use smallvec::SmallVec;

use super::move_steps::Move;
use super::moved::MoveHit;
use super::mover::CLOSE_ENOUGH;
use super::slopes::Surface;
use super::touch::{PieceId, Touch};
use crate::math::{keep_least, sort_by};
use crate::scene::slot_of;

/// The largest number of surfaces that a mover touches as it comes down on a ledge: corners of the next ones, and a floor.
const MAX_CORNERS: usize = 4;

/// The least cosine of the angle between the up direction and the normal of a surface on which a mover stands, or the
/// direction from the point on which it stood to its middle.
const MIN_RISE_COS: f64 = 0.1;

/// A floor on which a mover comes down.
pub(super) struct Landing {
    /// The part of the height that the mover has not descended.
    pub(super) left: f64,
    pub(super) normal: DVec2,
}

impl Move<'_, '_, '_> {
    /// Moves down by less than a height, until the mover comes down on a floor; `None` if it does not.
    pub(super) fn land(&mut self, height: f64) -> Option<Landing> {
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
    pub(super) fn floor_at_end(&mut self) -> Option<Touch> {
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
    pub(super) fn blocking_floor_within(&mut self, distance: f64) -> Option<Touch> {
        loop {
            let touch = self.floor_within(distance)?;
            if self.blocks(touch.id, &self.hit(&touch)) {
                return Some(touch);
            }
        }
    }
}
