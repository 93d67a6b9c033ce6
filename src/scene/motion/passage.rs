//! The report of the colliders that a mover passes: sensors and one-way colliders.

use core::mem::replace;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::moved::{MoveHit, Moved};
use super::mover::{Corner, Mover};
use super::near_piece::NearPiece;
use super::surroundings::{Decision, Wanted};
use super::touch::{PieceId, Touch};
use crate::geometry::ShapeCast;
use crate::math::sort_by;
use crate::scene::NodeId;

/// The largest number of pieces that the mover began inside of and that are not tested again along its path. A mover in the
/// range of many towers is inside of all their sensors.
const MAX_INSIDE: usize = 64;

/// Pieces that the mover began inside of, in order.
type InsidePieces = SmallVec<[PieceId; MAX_INSIDE]>;

impl Mover<'_> {
    /// Adds the sensors and the one-way colliders along the trail to the result, each piece at its first touch; before
    /// that, those on the straight path of what the mover has travelled early, unless it is stuck and may do so again.
    pub(super) fn report_passed(&mut self, moved: &mut Moved) {
        let early = self.memory.filter(|_| !moved.stuck).map_or(DVec2::ZERO, |memory| memory.early.travel.as_dvec2());
        if early != DVec2::ZERO {
            // The search of this move may not have met what is on that path.
            self.may_pass_one_way.set(true);
        }
        let passed = &mut moved.passed;
        // The function may have let the mover through what is behind the surface that stopped it.
        let done = self.trail.last().map_or(0.0, |corner| corner.fraction) as f32;
        passed.retain(|hit| hit.fraction <= done);
        if self.surroundings.sensors_near.get() || self.passable() == Wanted::Both {
            self.each_passable(early, &mut |hit| passed.push(hit));
        }
        let piece = |hit: &MoveHit| (hit.side.collider, hit.piece);
        // Several pieces of the mover may meet a piece at once. Hits that agree in all of this are the same bits, so the
        // result does not depend on the order of the index.
        let bits = |vector: Vec2| vector.to_array().map(f32::to_bits);
        let order = |hit: &MoveHit| {
            let MoveHit { own, point, normal, fraction, depth, began_inside, .. } = *hit;
            (piece(hit), fraction, !began_inside, own, -depth, bits(point), bits(normal))
        };
        sort_by(passed, |a, b| order(a) < order(b));
        passed.dedup_by_key(|hit| piece(hit));
        sort_by(passed, |a, b| (a.fraction, piece(a)) < (b.fraction, piece(b)));
    }

    /// Returns the colliders among which are all that let the mover pass.
    fn passable(&self) -> Wanted {
        let has_passed = |(_, decision): &(_, Decision)| *decision == Decision::PassesInSearch;
        let are_solid = self.may_pass_one_way.get() || self.surroundings.decisions.iter().any(has_passed);
        if are_solid { Wanted::Both } else { Wanted::Sensors }
    }

    /// Visits the hits with the sensors and the one-way colliders along an early travel, which led to the start, and the
    /// trail.
    fn each_passable(&mut self, early: DVec2, visit: &mut dyn FnMut(MoveHit)) {
        let mut from = Corner { travel: -early, fraction: 0.0 };
        let mut inside = InsidePieces::new();
        // A mover passes nothing that moves with its platform while that carries it, but may be inside of it afterwards.
        // Its platform may have been another one on the way of the early travel.
        let early_body = self.memory.filter(|_| early != DVec2::ZERO).and_then(|memory| memory.early.platform);
        let bodies = [early_body, self.body];
        self.surroundings.carrying_body = if early == DVec2::ZERO { self.body } else { early_body };
        // At the end, a collider that let the mover pass at the start may be behind it.
        self.each_passable_inside(from.travel, None, &mut inside, visit);
        for index in 0..self.trail.len() {
            let to = self.trail[index];
            if let Some(cast) = ShapeCast::new(from.travel, to.travel - from.travel).map(ShapeCast::after_move) {
                self.each_passed(&cast, &inside, &mut |touch| {
                    let fraction = from.fraction + (to.fraction - from.fraction) * touch.fraction;
                    visit(touch.hit(self.surroundings.world, fraction));
                });
            }
            self.surroundings.carrying_body = bodies.get(index + 1).copied().flatten();
            if let Some(body) = bodies.get(index).copied().flatten() {
                self.each_passable_inside(to.travel, Some(body), &mut inside, visit);
            }
            from = to;
        }
    }

    /// Visits the hit with each piece of a sensor or one-way collider that the mover is inside of after a travel, and adds
    /// the piece to those `inside`. With a `body`, visits only what moves with it.
    fn each_passable_inside(
        &mut self,
        travel: DVec2,
        body: Option<NodeId>,
        inside: &mut InsidePieces,
        visit: &mut dyn FnMut(MoveHit),
    ) {
        let end = replace(&mut self.travel, travel);
        let region = self.present_bounds(0.0);
        self.surroundings.in_region(region, self.passable(), &mut |slot, target| {
            if body.is_some_and(|body| !self.surroundings.moves_with(slot, body)) {
                return;
            }
            self.each_piece(slot, target, region, 0.0, &mut |near| {
                if near.is_inside() && (self.surroundings.is_sensor(slot) || !self.is_blocked_by(near)) {
                    let piece = near.pair.id;
                    if inside.len() < MAX_INSIDE && inside.last() != Some(&piece) {
                        inside.push(piece);
                    }
                    visit(near.hit(self.surroundings.world, near.normal));
                }
            });
        });
        sort_by(inside, |a, b| a < b);
        self.travel = end;
    }

    /// Visits the first touch of a straight part of the trail with each sensor and one-way collider, and with each piece
    /// that the function let through when a search met it. The pieces `inside`, in order, have their first hits already.
    fn each_passed(&self, cast: &ShapeCast, inside: &[PieceId], visit: &mut dyn FnMut(Touch)) {
        self.each_pair_along(cast, 0.0, 1.0, self.passable(), None, &mut |pair| {
            if inside.binary_search(&pair.id).is_ok() {
                return 1.0;
            }
            let slot = pair.id.slot;
            let one_way = self.surroundings.one_way(pair.id);
            let always = self.surroundings.is_sensor(slot)
                || self.surroundings.decision(pair.id) == Some(Decision::PassesInSearch);
            // A piece that the mover begins inside and that blocks it carries it or pushes it out.
            let blocks = || self.is_blocked_by(&NearPiece::new(*pair, one_way, cast.start));
            if (always || one_way.is_some())
                && let Some(found) = cast.first_touch(pair.own, pair.other, 1.0)
                && (always || found.fraction > 0.0 || !blocks())
            {
                visit(Touch::new(pair, found, cast.at(found.fraction), cast.displacement));
            }
            1.0
        });
    }
}
