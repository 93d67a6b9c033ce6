//! Out of what a mover is inside of.

use glam::DVec2;
use smallvec::SmallVec;

use super::mover::{Mover, Near};
use super::options::{Slopes, Surface};
use super::planes::beyond;
use crate::shape::{Sweep, family::Hull};

/// How often a way out is looked at again. Corners need one round for each wall.
const ROUNDS: usize = 16;

/// Rounds for keeping the skin: it may be thinner where there is no room.
const SKIN_ROUNDS: usize = 4;

/// A skin that is no thinner than this part of it is left as it is.
const THIN: f64 = 0.9;

impl Mover<'_> {
    /// Whether it is inside of nothing and keeps its skin.
    pub(super) fn is_clear(&self) -> bool {
        let mut clear = true;
        self.each_near(self.skin * THIN, &mut |_| clear = false);
        clear
    }

    /// Moves out of everything it is inside of, the shortest way that is found: either by leaving the deepest again and
    /// again, or straight along the normal of one of their sides. Never further than twice the depth and its own size,
    /// and never through what it was not inside of. The way it went, or `None` if there is no such way.
    pub(super) fn push_out(&mut self) -> Option<DVec2> {
        let Some((deepest, _)) = self.deepest() else { return Some(DVec2::ZERO) };
        let start = self.moved;
        let most = 2.0 * deepest + self.size();
        let ways = self.sides().into_iter().filter_map(|side| self.straight_out(start, side, most));
        let ways: SmallVec<[DVec2; 8]> = ways.collect();
        let best = self
            .step_by_step_out(start)
            .into_iter()
            .chain(ways)
            .filter(|way| way.length() <= most && self.is_open(start, *way))
            .reduce(|best, way| if way.length_squared() < best.length_squared() { way } else { best });
        self.moved = start + best.unwrap_or_default();
        best
    }

    /// The depth in what it is deepest in, and the normal there; `None` if it is inside of nothing.
    fn deepest(&self) -> Option<(f64, DVec2)> {
        let mut deepest: Option<(f64, DVec2)> = None;
        self.each_inside(&mut |near| {
            if deepest.is_none_or(|(depth, _)| -near.gap > depth) {
                deepest = Some((-near.gap, near.normal));
            }
        });
        deepest
    }

    fn each_inside(&self, visit: &mut dyn FnMut(&Near<'_>)) {
        self.each_near(0.0, &mut |near| {
            if near.gap < -near.graze && near.one_way.is_none() {
                visit(near);
            }
        });
    }

    /// Leaves the deepest, then what is deepest there, and so on, without going back into those before.
    fn step_by_step_out(&mut self, start: DVec2) -> Option<DVec2> {
        let mut planes: SmallVec<[(DVec2, f64); ROUNDS]> = SmallVec::new();
        let mut way = Some(DVec2::ZERO);
        for _ in 0..ROUNDS {
            self.moved = start + way?;
            let Some((depth, normal)) = self.deepest() else { break };
            planes.push((normal, (self.moved - start).dot(normal) + depth));
            way = beyond(&planes);
        }
        let out = self.deepest().is_none();
        self.moved = start;
        way.filter(|_| out)
    }

    /// The directions out of what it is inside of.
    fn sides(&self) -> SmallVec<[DVec2; 16]> {
        let mut sides: SmallVec<[DVec2; 16]> = SmallVec::new();
        self.each_inside(&mut |near| {
            let corners = near.other.core.points();
            let edges = (0..corners.len()).map(|index| corners[(index + 1) % corners.len()] - corners[index]);
            let normals = edges.filter_map(|edge| (-edge.perp()).try_normalize());
            for side in core::iter::once(near.normal).chain(normals) {
                if sides.iter().all(|other| other.dot(side) < 1.0 - 1e-9) {
                    sides.push(side);
                }
            }
        });
        sides
    }

    /// How far along a direction it is inside of nothing any more.
    fn straight_out(&mut self, start: DVec2, direction: DVec2, most: f64) -> Option<DVec2> {
        let mut way = 0.0;
        let mut out = false;
        for _ in 0..ROUNDS {
            self.moved = start + direction * way;
            let mut further: Option<f64> = None;
            self.each_inside(&mut |near| {
                let least = leaving(near.own, near.other, self.moved, direction);
                further = Some(further.map_or(least, |further| further.max(least)));
            });
            out = further.is_none();
            match further {
                Some(further) if further > 0.0 && way + further <= most => way += further,
                _ => break,
            }
        }
        self.moved = start;
        out.then(|| direction * way)
    }

    /// Whether a way leads through nothing but what the mover is inside of anyway.
    fn is_open(&mut self, start: DVec2, way: DVec2) -> bool {
        self.moved = start;
        let mut open = true;
        // What it begins in is touched at once.
        self.each_touch(way, 1.0, None, &mut |touch| {
            open &= touch.fraction == 0.0 || touch.fraction >= 1.0 - 1e-6;
            1.0
        });
        open
    }

    /// Restores the skin towards what is nearer, as far as there is room. Off a floor straight up and off a steep
    /// slope level, so that nothing creeps. What may be passed in the direction of the motion is left alone.
    pub(super) fn keep_skin(&mut self, motion: DVec2, slopes: &Slopes) {
        for _ in 0..SKIN_ROUNDS {
            let mut nearest: Option<(f64, DVec2)> = None;
            self.each_near(self.skin * THIN, &mut |near| {
                let passes = near.one_way.is_some_and(|up| motion.dot(up) > 0.0 || !near.holds(up));
                if !passes && nearest.is_none_or(|(gap, _)| near.gap < gap) {
                    nearest = Some((near.gap, near.normal));
                }
            });
            let Some((gap, normal)) = nearest else { break };
            let off = match slopes.surface(normal) {
                Surface::Floor => slopes.up,
                _ => slopes.upright(normal).unwrap_or(normal),
            };
            let push = off * ((self.skin - gap) / off.dot(normal));
            // Where there is no room for both skins, half of it for each.
            let room = self.cast(push * 2.0).map_or(1.0, |touch| touch.fraction.min(1.0));
            if room <= 0.0 {
                break;
            }
            self.moved += push * room;
        }
    }
}

/// How far a shape goes until it has left another, in a direction.
fn leaving(own: &Hull<'_>, other: &Hull<'_>, moved: DVec2, direction: DVec2) -> f64 {
    let apart = (own.center.as_dvec2() + moved - other.center.as_dvec2()).length();
    let far = 2.0 * (apart + own.extent() + other.extent());
    // Where it leaves is where it would come in from the other end.
    let back = Sweep::new(moved + direction * far, -direction * far);
    back.and_then(|sweep| sweep.touch(own, other, 1.0)).map_or(0.0, |touch| far * (1.0 - touch.fraction))
}
