//! The searches of a mover: what it touches first on a displacement, and what is near it.

use glam::DVec2;
use smallvec::SmallVec;

use super::mover::Mover;
use super::near_piece::NearPiece;
use super::surroundings::Wanted;
use super::swept_box::SweptBox;
use super::touch::{PiecePair, Touch};
use crate::collider::WorldCollider;
use crate::geometry::{CastTouch, MovingBox, ShapeCast, separation_after};
use crate::math::tolerance::INPUT_ROUNDING;
use crate::math::{Aabb, keep_least};

/// The cosine between a displacement and the normal of a touch below which the touch is grazing. A mover meets the plane
/// in the point of any other touch at most ten skins before the surface.
pub(super) const GRAZING_COS: f64 = 0.1;

impl<'a> Mover<'a> {
    /// Returns the distance of the two pieces of a touch after the travel, and the normal towards the mover. The touch is
    /// on the path `rest` or within a skin of it.
    pub(super) fn gap_to(&self, touch: &Touch, rest: DVec2) -> Option<(f64, DVec2)> {
        let margin = 2.0 * self.skin;
        // The box around a long path may contain thousands of other pieces. The one that is touched has the point.
        let region = Aabb::from_points([touch.point.as_vec2()]).grown(margin as f32);
        let target = self.surroundings.target(touch.id.slot)?;
        let mut found = None;
        self.each_piece(touch.id.slot, &target, region, rest.length() + margin, &mut |near| {
            if near.pair.pieces() == touch.pieces() {
                found = Some((near.gap, near.normal));
            }
        });
        found
    }

    /// Returns the touch that stops a displacement first, where the mover is a skin away from the collider; `None` if
    /// nothing blocks. Of touches at about the same fraction the widest one is returned, unless another surface hides it.
    pub(super) fn cast(&self, displacement: DVec2) -> Option<Touch> {
        let widest = self.widest_first_touch(displacement, 1.0, |_| true)?;
        if !widest.is_at_end(self.skin) {
            return Some(widest);
        }
        // The side of the next column of a slope is parallel to that of a box, so its touch is wider than that of the
        // corner with the slope, which the box meets first. A surface that hides the side stops the mover, which slides
        // along it. A side that is not hidden after all would push the mover back out of its skin, again and again, so the
        // mover stops before that skin. Pieces that the mover reaches later hide nothing, and it may be blocked at once.
        let hider = self.widest_first_touch(displacement, widest.fraction, |touch| touch.hides(&widest, self.skin));
        let stop = widest.stop(self.skin);
        Some(hider.map_or(widest, |hider| hider.stopping_at(stop, self.skin)))
    }

    /// Returns the first touch of a displacement, of those that count; of several at about the same fraction the widest.
    /// Looks only at pieces whose skin the mover's box reaches up to the fraction `reach`.
    fn widest_first_touch(&self, displacement: DVec2, reach: f64, counts: impl Fn(&Touch) -> bool) -> Option<Touch> {
        let length = displacement.length();
        // Touches within half a skin count as simultaneous.
        let window = 0.5 * self.skin / length;
        let mut touches: SmallVec<[Touch; 8]> = SmallVec::new();
        let mut earliest = f64::INFINITY;
        self.each_touch_of_reached(displacement, reach, f64::INFINITY, None, &mut |touch| {
            if !counts(&touch) {
                return earliest + window;
            }
            earliest = earliest.min(touch.fraction);
            // The list stays short, however many touches are simultaneous: one that is later than another and does not
            // come before it never decides.
            let replaces = |a: &Touch, b: &Touch| a.fraction <= b.fraction && a.order() < b.order();
            if !touches.iter().any(|other| replaces(other, &touch)) {
                touches.retain(|other| other.fraction <= earliest + window && !replaces(&touch, other));
                touches.push(touch);
            }
            earliest + window
        });
        let wider = |best: Touch, touch: Touch| if touch.order() < best.order() { touch } else { best };
        let widest = touches.iter().copied().reduce(wider)?;
        // The mover keeps its skin from the other colliders that it meets before. Otherwise its next move, or one of theirs,
        // would lead away. Pieces of one collider are one surface, on which a mover that avoided each would bob.
        let is_earlier = |touch: &&Touch| touch.fraction < widest.fraction && touch.id.slot != widest.id.slot;
        let earlier = touches.iter().filter(is_earlier);
        let least_stop = earlier.map(|touch| touch.stop(self.skin)).reduce(f64::min);
        Some(least_stop.map_or(widest, |stop| widest.stopping_at(stop, self.skin)))
    }

    /// Returns the touch with the plane before the nearest piece at the end of a path, if the path leads towards that piece
    /// and the skin is thin there. A piece that is lower than a mover which does not descend is passed above. `counts` takes
    /// a piece and the cosine between the way back and its normal.
    pub(super) fn skin_touch_after(
        &mut self,
        path: DVec2,
        up: DVec2,
        counts: impl Fn(&NearPiece<'_>, f64) -> bool,
    ) -> Option<Touch> {
        let (length, rises) = (path.length(), path.dot(up) >= -path.length() * INPUT_ROUNDING);
        let start = self.travel;
        self.travel += path;
        let mut nearest: Option<(f64, Touch)> = None;
        self.each_with_thin_skin(&mut |near| {
            let approach = -path.dot(near.normal);
            let is_below = || rises && up != DVec2::ZERO && near.gap_along(up) >= 0.0;
            if counts(near, approach / length) && !is_below() && self.is_blocked_by(near) {
                let touch = near.touch(path, 1.0 + near.gap / approach, near.normal);
                keep_least(&mut nearest, (near.gap, touch), |(gap, touch)| (*gap, touch.tie()));
            }
        });
        self.travel = start;
        nearest.map(|(_, touch)| touch)
    }

    /// Returns `true` if the rest of a path may follow the surface of a touch from there: nothing blocks it, and it does not
    /// end in the skin of a surface on the other side.
    pub(super) fn may_follow(&mut self, touch: &Touch, path: DVec2) -> bool {
        let start = self.travel;
        let rest = path * self.advance(path, Some(*touch));
        let along = rest - touch.normal * rest.dot(touch.normal);
        let mut is_free = self.cast(along).is_none();
        self.travel += along;
        self.each_with_thin_skin(&mut |near| is_free &= near.normal.dot(touch.normal) >= 0.0);
        self.travel = start;
        is_free
    }

    /// Visits the first touch of a displacement with each blocking piece, as if the others did not exist, up to the
    /// fraction `limit`, and then up to the limit that `visit` last returned. A touch beyond the end of the
    /// displacement counts if the mover comes within its skin of the piece: a shallow approach reaches the skin long
    /// before it touches the shape. With `only`, the collider in no other slot is visited.
    pub(super) fn each_touch(
        &self,
        displacement: DVec2,
        limit: f64,
        only: Option<u32>,
        visit: &mut dyn FnMut(Touch) -> f64,
    ) {
        // The boxes contain the skin, so none beyond the end of the displacement matters.
        self.each_touch_of_reached(displacement, 1.0, limit, only, visit);
    }

    /// Does the same for pieces whose skin the mover's box reaches up to the fraction `reach`.
    fn each_touch_of_reached(
        &self,
        displacement: DVec2,
        reach: f64,
        mut limit: f64,
        only: Option<u32>,
        visit: &mut dyn FnMut(Touch) -> f64,
    ) {
        let Some(cast) = ShapeCast::new(self.travel, displacement).map(ShapeCast::after_move) else { return };
        let reach = reach.min(1.0);
        // A cast counts a touch that is beyond its end by rounding, so the end does not follow the limit.
        let end = limit;
        self.each_pair_along(&cast, self.skin, limit.min(reach), Wanted::Blocking, only, &mut |pair| {
            if let Some(touch) = self.blocking_touch(&cast, [limit, end], *pair) {
                limit = visit(Touch::new(pair, touch, cast.at(touch.fraction), displacement));
            }
            limit.min(reach)
        });
    }

    /// Returns the first touch of a path up to the fraction `limit`, of those that count; of several at once that with the
    /// smallest pieces.
    pub(super) fn first_touch(&self, path: DVec2, limit: f64, counts: impl Fn(&Touch) -> bool) -> Option<Touch> {
        let mut first: Option<Touch> = None;
        self.each_touch(path, limit, None, &mut |touch| {
            if counts(&touch) {
                keep_least(&mut first, touch, Touch::tie);
            }
            first.map_or(limit, |first| first.fraction)
        });
        first
    }

    /// Visits the pairs of pieces whose boxes, with a margin, touch on a cast, in approximate order, up to the fraction
    /// `limit`, and then up to the limit that `visit` last returned. With `only`, the collider in no other slot is visited.
    pub(super) fn each_pair_along(
        &self,
        cast: &ShapeCast,
        margin: f64,
        mut limit: f64,
        wanted: Wanted,
        only: Option<u32>,
        visit: &mut dyn FnMut(&PiecePair<'_>) -> f64,
    ) {
        let ShapeCast { start, displacement, .. } = *cast;
        let swept = SweptBox::new(self.bounds_after(start, 0.0), margin, displacement);
        let first = limit;
        // A mover of many pieces would otherwise visit all of them for each piece that its box begins in.
        let start_of = |bounds: Aabb, limit: f64| {
            region_before(start, bounds.swept_back((displacement * limit).as_vec2()), margin)
        };
        let mut meet = |slot: u32, target: &WorldCollider<'a>| {
            for part in self.parts_for(slot) {
                let moving = move || MovingBox::new(swept.from, displacement, limit);
                part.collider.along(target, moving, &start_of, &mut |own, pieces, other, _| {
                    limit = visit(&part.pair(own, slot, pieces, other));
                    limit
                });
            }
            limit
        };
        match only {
            Some(slot) => _ = self.surroundings.target(slot).map(|target| meet(slot, &target)),
            None => self.surroundings.along(&swept, first, wanted, &mut meet),
        }
    }

    /// Returns the touch of a cast with a piece up to the fraction `limit`, which is at most `end`; `None` if there is none
    /// or the mover may pass.
    fn blocking_touch(&self, cast: &ShapeCast, [limit, end]: [f64; 2], pair: PiecePair<'_>) -> Option<CastTouch> {
        if self.surroundings.lets_through(pair.id) {
            return None;
        }
        let mut touch = cast.first_touch(pair.own, pair.other, end).filter(|touch| touch.fraction <= limit)?;
        let one_way = self.surroundings.one_way(pair.id);
        if one_way.is_some() {
            self.may_pass_one_way.set(true);
        }
        let mut side = Some(touch.normal);
        if touch.fraction == 0.0 {
            let near = NearPiece::new(pair, one_way, cast.start);
            side = self.side(&near);
            // The shortest way out of a thin piece may lead to its other side, so the remembered side decides.
            touch.normal = side.filter(|_| near.is_inside()).unwrap_or(touch.normal);
        }
        let approach = -cast.displacement.dot(touch.normal);
        // A mover inside the piece may leave it, and a slide along the piece is free.
        let leaves = approach <= cast.length * INPUT_ROUNDING;
        let is_beyond_end = touch.fraction > 1.0;
        let ends_before_skin = is_beyond_end && touch.fraction - self.skin / approach >= 1.0;
        if leaves || ends_before_skin {
            return None;
        }
        // The plane in the point of a grazing touch is within a skin of the mover long before a curved surface is.
        let is_grazing = approach < cast.length * GRAZING_COS;
        if is_beyond_end && is_grazing && separation_after(pair.own, pair.other, cast.at(1.0)).gap > self.skin {
            return None;
        }
        let passes = |up: DVec2| cast.displacement.dot(up) >= 0.0 || !self.is_blocked_on(side, &pair, up);
        if one_way.is_some_and(passes) { None } else { Some(touch) }
    }

    /// Visits every piece of a blocking collider that is nearer than a distance; with 0, those that overlap the mover.
    /// One-way pieces are visited whether they block or not.
    pub(super) fn each_near(&self, distance: f64, visit: &mut dyn FnMut(&NearPiece<'_>)) {
        let region = self.present_bounds(distance);
        self.surroundings.in_region(region, Wanted::Blocking, &mut |slot, target| {
            self.each_piece(slot, target, region, distance, &mut |near| {
                if near.gap < distance && !self.surroundings.lets_through(near.pair.id) {
                    visit(near);
                }
            });
        });
    }

    /// Visits the pairs of a piece of a collider, which has a point in a region, and a piece of the mover that are nearer
    /// than a distance, and possibly others.
    pub(super) fn each_piece(
        &self,
        slot: u32,
        target: &WorldCollider<'_>,
        region: Aabb,
        distance: f64,
        visit: &mut dyn FnMut(&NearPiece<'_>),
    ) {
        let own_region = |bounds: Aabb| region_before(self.travel, bounds, distance);
        for part in self.parts_for(slot) {
            part.collider.against(target, region, &own_region, &mut |own, pieces, other| {
                let pair = part.pair(own, slot, pieces, other);
                visit(&NearPiece::new(pair, self.surroundings.one_way(pair.id), self.travel));
            });
        }
    }
}

/// Returns the region in which a piece of the mover begins that is within a margin of a box after a travel.
fn region_before(travel: DVec2, Aabb { min, max }: Aabb, margin: f64) -> Aabb {
    Aabb::padded(-travel.as_vec2(), min, max).grown(margin as f32)
}
