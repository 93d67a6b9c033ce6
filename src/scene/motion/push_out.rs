//! The path of a mover out of the colliders that it is inside of.

use core::f64::consts::FRAC_1_SQRT_2;

use glam::DVec2;
use smallvec::SmallVec;

use super::half_plane::{HalfPlane, shortest_into};
use super::mover::Mover;
use super::near_piece::{NearPiece, is_same_direction};
use super::touch::{PieceId, Touch};
use crate::math::tolerance::PATH_END;
use crate::math::{keep_least, sort_by};

/// The largest number of steps of a path out. A corner needs one step for each wall.
const MAX_STEPS: usize = 16;

/// The largest number of pieces whose own directions out are tried. Those of more pieces hardly ever agree.
const MAX_PIECES: usize = 8;

/// Half a right angle, as a rotation.
const DIAGONAL: DVec2 = DVec2::splat(FRAC_1_SQRT_2);

/// The part of its skin that a mover keeps from what blocks a path out. A mover that touched would be on no side.
pub(super) const MIN_SKIN: f64 = 0.25;

/// The half-planes in which a path must end, or the ways out from which it takes one.
type HalfPlanes = SmallVec<[HalfPlane; MAX_STEPS]>;

/// The pieces that the mover is inside of at the start of a path out, and the half-planes in which the path must end.
#[derive(Default)]
struct Inside {
    /// In order.
    pieces: SmallVec<[PieceId; 8]>,
    /// For the pieces whose side is remembered, and for an exit that is tried: the mover must end on that side.
    sides: HalfPlanes,
    /// For these pieces, if there are not too many: other sides on which the mover was.
    other_sides: HalfPlanes,
    /// For the other pieces, if there are not too many: the mover must leave along one of these normals.
    exits: HalfPlanes,
    /// The shortest way out of the deepest of the other pieces.
    deepest: Option<HalfPlane>,
    /// The length of the longest path.
    longest: f64,
}

impl Inside {
    fn contains(&self, piece: PieceId) -> bool {
        self.pieces.binary_search(&piece).is_ok()
    }

    /// Returns the side of a piece on which the mover must end, if it is known.
    fn side(&self, near: &NearPiece<'_>) -> Option<DVec2> {
        let pieces = near.pair.pieces();
        self.sides.iter().find(|side| side.pieces == pieces).map(|side| side.normal)
    }
}

impl Mover<'_> {
    /// Visits every piece that blocks the mover and that the mover is inside of.
    pub(super) fn each_inside(&self, visit: &mut dyn FnMut(&NearPiece<'_>)) {
        self.each_near(0.0, &mut |near| {
            if near.is_inside() && self.is_blocked_by(near) {
                visit(near);
            }
        });
    }

    /// Moves out of all colliders that the mover is inside of, along the shortest path that is found, and returns the
    /// path; `None` if there is none.
    ///
    /// A path leaves each piece on a side on which the mover was at the end of its last move. Without such a memory it
    /// leaves along the shortest way out of the piece, or along the normal of one of its edges. If these ways
    /// contradict each other, as in a heap of movers at one place, it leaves all pieces in one direction. It is no longer
    /// than twice the depth plus the mover's size, and leads only through pieces that the mover is inside of.
    pub(super) fn push_out(&mut self) -> Option<DVec2> {
        let mut inside = self.inside();
        if inside.pieces.is_empty() {
            return Some(DVec2::ZERO);
        }
        let mut best = None;
        self.try_path(&inside, None, &mut best);
        self.try_exits(&mut inside, &mut best);
        if best.is_none() {
            self.try_other_sides(&mut inside, &mut best);
        }
        if best.is_none() {
            self.try_one_direction(&inside, &mut best);
        }
        let path = self.shortened(best?, &inside);
        self.travel += path;
        Some(path)
    }

    /// Tries the paths that leave one of the pieces whose sides are not remembered along each of its normals.
    fn try_exits(&mut self, inside: &mut Inside, best: &mut Option<DVec2>) {
        for index in 0..inside.exits.len() {
            inside.sides.push(inside.exits[index]);
            self.try_path(inside, None, best);
            inside.sides.pop();
        }
    }

    /// Tries the paths that leave one of the pieces on another side on which the mover was.
    fn try_other_sides(&mut self, inside: &mut Inside, best: &mut Option<DVec2>) {
        for other in core::mem::take(&mut inside.other_sides) {
            let place = inside.sides.partition_point(|side| side.pieces < other.pieces);
            let first = core::mem::replace(&mut inside.sides[place], other);
            self.try_path(inside, None, best);
            inside.sides[place] = first;
        }
    }

    /// Tries the paths that leave all pieces whose sides are not remembered in one direction.
    fn try_one_direction(&mut self, inside: &Inside, best: &mut Option<DVec2>) {
        let (exits, Some(HalfPlane { normal, .. })) = (&inside.exits, inside.deepest) else { return };
        let around = core::iter::successors(Some(normal), |direction| Some(direction.rotate(DIAGONAL))).take(8);
        for (index, exit) in exits.iter().enumerate() {
            if !exits[..index].iter().any(|earlier| is_same_direction(earlier.normal, exit.normal)) {
                self.try_path(inside, Some(exit.normal), best);
            }
        }
        around.for_each(|direction| self.try_path(inside, Some(direction), best));
    }

    /// Replaces the best path so far by a shorter one, if there is one. It leaves the pieces whose sides are not remembered
    /// in one direction, or each along the shortest way out of it.
    fn try_path(&mut self, inside: &Inside, direction: Option<DVec2>, best: &mut Option<DVec2>) {
        let start = self.travel;
        let path = self.path_out(inside, direction, best.map_or(inside.longest, DVec2::length));
        self.travel = start;
        // A path beyond the range of `f32` leads nowhere.
        let is_finite = |path: &DVec2| path.as_vec2().is_finite() && (self.position() + *path).as_vec2().is_finite();
        let is_shorter = |path: &DVec2| best.is_none_or(|best| path.length_squared() < best.length_squared());
        *best = path.filter(is_finite).filter(is_shorter).or(*best);
    }

    /// Lists the pieces that the mover is inside of, and the directions along which it may leave them.
    fn inside(&self) -> Inside {
        let mut inside = Inside { longest: self.size, ..Inside::default() };
        self.each_inside(&mut |near| {
            inside.pieces.push(near.pair.id);
            if let [side, others @ ..] = self.sides(near, &mut near.edge_normals()).as_slice() {
                let side = self.half_plane(near, *side);
                inside.longest = inside.longest.max(self.size + 2.0 * side.distance);
                insert(&mut inside.sides, side);
                others.iter().for_each(|side| insert(&mut inside.other_sides, self.half_plane(near, *side)));
                return;
            }
            inside.longest = inside.longest.max(self.size - 2.0 * near.gap);
            keep_least(&mut inside.deepest, self.half_plane(near, near.normal), HalfPlane::tie);
            for normal in core::iter::once(near.normal).chain(near.edge_normals()) {
                let exit = self.half_plane(near, normal);
                let is_same =
                    |other: &HalfPlane| other.pieces == exit.pieces && is_same_direction(other.normal, normal);
                if !inside.exits.iter().any(is_same) {
                    insert(&mut inside.exits, exit);
                }
            }
        });
        sort_by(&mut inside.pieces, |a, b| a < b);
        if inside.pieces.len() > MAX_PIECES {
            (inside.exits, inside.other_sides) = (HalfPlanes::new(), HalfPlanes::new());
        }
        inside
    }

    /// Returns the shortest path to all sides that leads out. What blocks the path, and what the mover is inside of at
    /// its end, adds another half-plane, until the path is free; `None` if it becomes longer than `longest`. Leaves the mover
    /// where it was tried last.
    fn path_out(&mut self, inside: &Inside, direction: Option<DVec2>, longest: f64) -> Option<DVec2> {
        let start = self.travel;
        let mut half_planes = inside.sides.clone();
        for _ in 0..MAX_STEPS {
            let path = shortest_into(&half_planes).filter(|path| path.length() <= longest)?;
            self.travel = start;
            let touch = self.first_on_path(path, inside);
            // The path ends in all half-planes, so the mover may be out before the touch.
            let part = touch.map_or(path, |touch| path * touch.stop(self.skin * MIN_SKIN).max(0.0));
            self.travel = start + part;
            let Some(deepest) = self.deepest(inside, direction) else { return Some(part) };
            half_planes.push(match touch {
                Some(touch) => {
                    // The path may approach the piece up to a part of the skin, and lead no further.
                    let gap = touch.approach * touch.fraction;
                    let distance = gap.min(self.skin * MIN_SKIN).max(self.least_gap(&touch)) - gap;
                    HalfPlane { pieces: touch.pieces(), normal: touch.normal, distance }
                }
                None => HalfPlane { distance: path.dot(deepest.normal) + deepest.distance, ..deepest },
            });
        }
        None
    }

    /// Returns the first part of a path that leads out of all pieces. The path ends in all half-planes, which is further
    /// than necessary past a corner or a curve.
    fn shortened(&mut self, path: DVec2, inside: &Inside) -> DVec2 {
        let start = self.travel;
        self.travel = start + path;
        let touch = self.first_touch(-path, 1.0, |touch| inside.contains(touch.id));
        let part = path * (1.0 - touch.map_or(0.0, |touch| touch.fraction));
        self.travel = start + part;
        let is_out = self.deepest(inside, None).is_none();
        self.travel = start;
        if is_out { part } else { path }
    }

    /// Returns the least gap between a piece and the end of a path. If the mover has no thickness, rounding could put it
    /// on the far side from a smaller gap.
    fn least_gap(&self, touch: &Touch) -> f64 {
        (self.position_rounding - touch.thickness).max(0.0)
    }

    /// Returns the first touch of a path, or with what it ends too close to, except with the pieces that the mover began
    /// inside.
    fn first_on_path(&self, path: DVec2, inside: &Inside) -> Option<Touch> {
        self.first_touch(path, f64::INFINITY, |touch| {
            touch.stop(self.least_gap(touch)) < 1.0 - PATH_END && !inside.contains(touch.id)
        })
    }

    /// Returns the half-plane beyond the piece that the mover is deepest inside of; `None` if it is inside
    /// nothing.
    fn deepest(&self, inside: &Inside, direction: Option<DVec2>) -> Option<HalfPlane> {
        let mut deepest: Option<HalfPlane> = None;
        self.each_inside(&mut |near| {
            let began_inside = inside.contains(near.pair.id);
            let side = if began_inside { inside.side(near).or(direction) } else { self.side(near) };
            let way = self.half_plane(near, side.unwrap_or(near.normal));
            keep_least(&mut deepest, way, HalfPlane::tie);
        });
        deepest
    }

    /// Returns the half-plane beyond a piece in the direction of a unit normal.
    fn half_plane(&self, near: &NearPiece<'_>, normal: DVec2) -> HalfPlane {
        HalfPlane { pieces: near.pair.pieces(), normal, distance: -near.gap_along(normal) }
    }
}

/// Adds a half-plane in the order of the pieces, which are visited in any order, and after those of the same pieces.
fn insert(half_planes: &mut HalfPlanes, added: HalfPlane) {
    half_planes.insert(half_planes.partition_point(|other| other.pieces <= added.pieces), added);
}
