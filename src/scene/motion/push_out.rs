//! The way of a mover out of the colliders that it is inside of.

use glam::DVec2;
use smallvec::SmallVec;

use super::mover::{Mover, Near};
use super::planes::beyond;
use super::slopes::{Slopes, Surface};
use crate::geometry::{Hull, ShapeCast};
use crate::math::tolerance::{PATH_END, SAME_DIRECTION_COS, THIN_SKIN};

/// The largest number of steps of a path out. A corner needs one step for each wall.
const MAX_STEPS: usize = 16;

/// The largest number of steps that restore the skin. Where there is no room, the skin stays thinner.
const MAX_SKIN_STEPS: usize = 4;

type Vectors = SmallVec<[DVec2; 16]>;

impl Mover<'_> {
    /// Returns `true` if the mover is inside nothing and keeps its skin.
    pub(super) fn is_clear(&self) -> bool {
        let mut clear = true;
        self.each_near(self.skin * THIN_SKIN, &mut |_| clear = false);
        clear
    }

    /// Moves out of all colliders that the mover is inside of, along the shortest path that is found. A path leaves the
    /// deepest collider again and again, or leads straight along the normal of an edge of one. It is no longer than
    /// twice the depth plus the mover's size, and leads only through colliders that the mover is inside of. Returns the
    /// path, or `None` if there is none.
    pub(super) fn push_out(&mut self) -> Option<DVec2> {
        let Some((depth, _)) = self.deepest() else { return Some(DVec2::ZERO) };
        let start = self.travel;
        let longest = 2.0 * depth + self.size();
        let straight: Vectors = self
            .directions_out()
            .into_iter()
            .filter_map(|direction| self.straight_out(start, direction, longest))
            .collect();
        let best = self
            .stepwise_out(start)
            .into_iter()
            .chain(straight)
            .filter(|path| path.length() <= longest && self.is_open(start, *path))
            .reduce(|best, path| if path.length_squared() < best.length_squared() { path } else { best });
        self.travel = start + best.unwrap_or_default();
        best
    }

    /// Returns the largest depth inside a piece, and the normal there; `None` if the mover is inside nothing.
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

    /// Returns a path that leaves the deepest piece, then the deepest one there, and so on, without going back into
    /// those before.
    fn stepwise_out(&mut self, start: DVec2) -> Option<DVec2> {
        let mut planes: SmallVec<[(DVec2, f64); MAX_STEPS]> = SmallVec::new();
        let mut path = Some(DVec2::ZERO);
        for _ in 0..MAX_STEPS {
            self.travel = start + path?;
            let Some((depth, normal)) = self.deepest() else { break };
            planes.push((normal, (self.travel - start).dot(normal) + depth));
            path = beyond(&planes);
        }
        let out = self.deepest().is_none();
        self.travel = start;
        path.filter(|_| out)
    }

    /// Returns the normals of the edges of all pieces that the mover is inside of, and of the shortest ways out.
    fn directions_out(&self) -> Vectors {
        let mut directions = Vectors::new();
        self.each_inside(&mut |near| {
            let corners = near.other.core.points();
            let edges = (0..corners.len()).map(|index| corners[(index + 1) % corners.len()] - corners[index]);
            let normals = edges.filter_map(|edge| (-edge.perp()).try_normalize());
            for direction in core::iter::once(near.normal).chain(normals) {
                if directions.iter().all(|other| other.dot(direction) < 1.0 - SAME_DIRECTION_COS) {
                    directions.push(direction);
                }
            }
        });
        directions
    }

    /// Returns the path along a direction to where the mover is inside nothing; `None` if it is longer than `longest`.
    fn straight_out(&mut self, start: DVec2, direction: DVec2, longest: f64) -> Option<DVec2> {
        let mut length = 0.0;
        let mut out = false;
        for _ in 0..MAX_STEPS {
            self.travel = start + direction * length;
            let mut further: Option<f64> = None;
            self.each_inside(&mut |near| {
                let least = distance_to_leave(near.own, near.other, self.travel, direction);
                further = Some(further.map_or(least, |further| further.max(least)));
            });
            out = further.is_none();
            match further {
                Some(further) if further > 0.0 && length + further <= longest => length += further,
                _ => break,
            }
        }
        self.travel = start;
        out.then(|| direction * length)
    }

    /// Returns `true` if a path leads only through colliders that the mover is inside of at the start.
    fn is_open(&mut self, start: DVec2, path: DVec2) -> bool {
        self.travel = start;
        let mut open = true;
        // A collider that the mover is inside of is touched at fraction 0.
        self.each_touch(path, 1.0, None, &mut |touch| {
            open &= touch.fraction == 0.0 || touch.fraction >= 1.0 - PATH_END;
            1.0
        });
        open
    }

    /// Restores the skin where it is thin, as far as there is room: straight up from a floor and horizontally from a
    /// steep slope, so that no mover creeps. One-way colliders that the displacement may pass do not count.
    pub(super) fn restore_skin(&mut self, displacement: DVec2, slopes: &Slopes) {
        for _ in 0..MAX_SKIN_STEPS {
            let mut nearest: Option<(f64, DVec2)> = None;
            self.each_near(self.skin * THIN_SKIN, &mut |near| {
                let passes = near.one_way.is_some_and(|up| displacement.dot(up) > 0.0 || !near.blocks_one_way(up));
                if !passes && nearest.is_none_or(|(gap, _)| near.gap < gap) {
                    nearest = Some((near.gap, near.normal));
                }
            });
            let Some((gap, normal)) = nearest else { break };
            let direction = match slopes.surface(normal) {
                Surface::Floor => slopes.up,
                _ => slopes.upright(normal).unwrap_or(normal),
            };
            let push = direction * ((self.skin - gap) / direction.dot(normal));
            // Between two colliders without room for both skins, each gets half.
            let room = self.cast(push * 2.0).map_or(1.0, |touch| touch.fraction.min(1.0));
            if room <= 0.0 {
                break;
            }
            self.travel += push * room;
        }
    }
}

/// Returns the distance that a hull moves in a direction until it has left another.
fn distance_to_leave(own: &Hull<'_>, other: &Hull<'_>, travel: DVec2, direction: DVec2) -> f64 {
    let apart = (own.center.as_dvec2() + travel - other.center.as_dvec2()).length();
    let far = 2.0 * (apart + own.extent() + other.extent());
    // A cast back from far away touches where the hull has just left.
    let back = ShapeCast::new(travel + direction * far, -direction * far);
    back.and_then(|cast| cast.first_touch(own, other, 1.0)).map_or(0.0, |touch| far * (1.0 - touch.fraction))
}
