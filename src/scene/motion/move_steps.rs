use core::mem::take;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::moved::{MoveHit, MoveResponse, Moved};
use super::mover::Mover;
use super::mover_casts::GRAZING_COS;
use super::near_piece::NearPiece;
use super::options::MoveOptions;
use super::planes::Planes;
use super::ride::Carry;
use super::slopes::{Slopes, Surface};
use super::surroundings::Decision;
use super::touch::{PieceId, Touch};
use crate::math::sort_by;
use crate::math::tolerance::INPUT_ROUNDING;
use crate::scene::World;

/// The largest number of surfaces along which one move slides.
const MAX_SURFACES: usize = 12;

/// The hits with pieces near the mover, each with the piece and that of the mover.
type NearHits = SmallVec<[([PieceId; 2], MoveHit); 4]>;

/// The function that decides whether a hit blocks the mover.
pub(super) type Respond<'r> = dyn FnMut(World<'_>, &MoveHit) -> MoveResponse + 'r;

/// The course of a move after the mover was carried and pushed out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Course {
    /// The mover moves by a displacement and slides along what blocks it.
    Slide(Vec2),
    /// The mover moves by a displacement and stops at what blocks it.
    Collide(Vec2),
    /// The mover has no displacement of its own: a platform carries it.
    Follow,
}

impl Course {
    /// Returns the mover's own displacement; zero if it is not finite.
    pub(super) fn displacement(self) -> DVec2 {
        match self {
            Self::Slide(displacement) | Self::Collide(displacement) if displacement.is_finite() => {
                displacement.as_dvec2()
            }
            _ => DVec2::ZERO,
        }
    }
}

/// A displacement during a slide.
#[derive(Debug, Clone, Copy)]
struct Sliding {
    /// The displacement that the mover still wants.
    wanted: DVec2,
    /// The part of it that the surfaces met so far do not block.
    along: DVec2,
}

impl Sliding {
    /// A displacement that no surface has clipped.
    fn free(displacement: DVec2) -> Self {
        Self { wanted: displacement, along: displacement }
    }
}

/// A move in progress.
pub(super) struct Move<'m, 'a, 'r> {
    pub(super) mover: &'m mut Mover<'a>,
    pub(super) options: &'m MoveOptions,
    pub(super) slopes: Slopes,
    pub(super) planes: Planes,
    pub(super) respond: Option<&'m mut Respond<'r>>,
    /// `true` while the mover searches for a ledge. It may not move along the paths of such a search.
    pub(super) is_searching: bool,
    /// The part of the mover's own displacement that is done.
    pub(super) done: f64,
    pub(super) moved: &'m mut Moved,
}

impl<'m, 'a, 'r> Move<'m, 'a, 'r> {
    pub(super) fn new(
        mover: &'m mut Mover<'a>,
        options: &'m MoveOptions,
        respond: Option<&'m mut Respond<'r>>,
        moved: &'m mut Moved,
    ) -> Self {
        let (slopes, planes) = (Slopes::new(options), Planes::default());
        Self { mover, options, slopes, planes, respond, is_searching: false, done: 0.0, moved }
    }

    /// Moves the mover: first with its platform, then out of what it is inside of, and then by its own displacement. If
    /// there is no way out, the mover does not move at all.
    pub(super) fn run(&mut self, carry: Option<Carry>, course: Course) {
        let displacement = course.displacement();
        self.gather(carry.map_or(0.0, |carry| carry.displacement.length()), displacement);
        if course == Course::Follow {
            self.stay_inside();
        }
        if let Some(carry) = carry {
            self.carry(carry);
        }
        let stood = matches!(course, Course::Slide(_)) && self.may_snap(displacement) && self.stood();
        let own = if carry.is_none() && !stood && self.mover.is_in_the_open(displacement) {
            self.mover.advance(displacement, None);
            self.mark_done(1.0);
            displacement
        } else if self.push_out(displacement) || carry.is_some() && self.push_out_without_carry(displacement) {
            self.make_displacement(course, stood)
        } else {
            DVec2::ZERO
        };
        (self.moved.travel, self.moved.remainder) = (self.mover.travel.as_vec2(), (displacement - own).as_vec2());
    }

    /// Moves the mover by its own displacement. Returns the travel of that, without what restored the skin.
    fn make_displacement(&mut self, course: Course, stood: bool) -> DVec2 {
        let (start, pushed, displacement) = (self.mover.travel, self.moved.pushed, course.displacement());
        match course {
            Course::Slide(_) => self.slide(displacement, stood),
            Course::Collide(_) => self.collide(displacement),
            Course::Follow => {}
        }
        self.mover.travel - start - (self.moved.pushed - pushed).as_dvec2()
    }

    /// Gathers the colliders around a displacement, before which a platform carries the mover by the length `carry`,
    /// unless everything near the mover is gathered already.
    pub(super) fn gather(&mut self, carry: f64, displacement: DVec2) {
        // Everything is gathered that the mover would remember if it ended here.
        if self.mover.surroundings.has_gathered(self.mover.present_bounds(self.mover.memory_reach())) {
            return;
        }
        // A short move may slide in any direction. Most long ones meet nothing, so they gather only along their path.
        let length = displacement.length();
        let reach = length + f64::from(self.options.step_height.max(0.0) + self.options.snap_to_floor.max(0.0));
        let margin = if length <= self.mover.size { reach } else { 0.0 };
        self.mover.gather(displacement, margin.max(self.mover.memory_reach()) + carry);
    }

    /// Lets the mover through what it was inside of at the end of its last move, as its own filter or function did.
    fn stay_inside(&mut self) {
        let mut inside = SmallVec::new();
        self.mover.each_inside(&mut |near| {
            if self.mover.side(near).is_none() {
                inside.push((near.pair.id, Decision::Passes));
            }
        });
        // Several pieces of the mover may be inside one piece.
        sort_by(&mut inside, |(a, _), (b, _)| a < b);
        self.mover.surroundings.decisions = inside;
    }

    /// Moves the mover along with the platform on which it stands, as far as there is room, and then slides it along
    /// what blocks it. The platform blocks the slide only, because it makes way for the mover.
    fn carry(&mut self, carry: Carry) {
        let displacement = carry.displacement;
        self.mover.surroundings.carrying_body = Some(carry.body);
        let touch = self.cast(displacement);
        self.mover.surroundings.carrying_body = None;
        let unused = self.mover.advance(displacement, touch);
        self.mover.mark_corner(self.done);
        self.mover.body = (self.mover.trail.len() > 1).then_some(carry.body);
        if let Some(touch) = touch {
            let sliding = self.redirect(&touch, displacement);
            self.slide_along(sliding, unused, 0.0);
            self.planes.clear();
        }
        self.moved.carried = self.mover.travel.as_vec2();
    }

    /// Pushes the mover out of what it is inside of and restores its skin. Returns `false` if there is no way out.
    fn push_out(&mut self, displacement: DVec2) -> bool {
        if self.mover.is_clear() {
            return true;
        }
        let start = self.mover.travel;
        self.near_hits(|near| near.is_inside()).into_iter().for_each(|(_, hit)| self.record(hit));
        self.moved.stuck = self.mover.push_out().is_none();
        if self.moved.stuck {
            return false;
        }
        if self.respond.is_some() {
            // The function decides first, because a piece that it lets through must not push the mover.
            self.near_hits(|near| !near.is_inside());
        }
        self.moved.pushed = (self.mover.travel - start).as_vec2();
        self.restore_skin(displacement);
        true
    }

    /// Restores the skin of the mover, which counts as pushed.
    fn restore_skin(&mut self, displacement: DVec2) {
        let start = self.mover.travel;
        self.mover.restore_skin(displacement, &self.slopes);
        self.mover.mark_corner(self.done);
        self.moved.pushed += (self.mover.travel - start).as_vec2();
    }

    /// Does the same as [`push_out`](Self::push_out) after undoing the carry, which may have led the mover into a tight
    /// place.
    fn push_out_without_carry(&mut self, displacement: DVec2) -> bool {
        self.mover.travel = DVec2::ZERO;
        self.mover.trail.truncate(1);
        self.mover.body = None;
        // The function is not called again for what it has let through.
        let passed = take(&mut self.moved.passed);
        self.moved.clear();
        self.moved.passed = passed;
        self.push_out(displacement)
    }

    /// Returns the hits with those pieces nearer than the skin that block the mover and count, except for the ones that the
    /// function lets through: it decides about hits in the order of their pieces.
    fn near_hits(&mut self, counts: impl Fn(&NearPiece<'_>) -> bool) -> NearHits {
        let mut hits = NearHits::new();
        self.mover.each_with_thin_skin(&mut |near| {
            if counts(near) && self.mover.is_blocked_by(near) {
                hits.push((near.pair.pieces(), self.mover.hit(near)));
            }
        });
        sort_by(&mut hits, |(a, _), (b, _)| a < b);
        hits.retain(|([id, _], hit)| self.blocks(*id, hit));
        hits
    }

    /// Moves and slides until the displacement is used up or surfaces leave nothing of it.
    fn slide(&mut self, displacement: DVec2, stood: bool) {
        let snaps = self.may_snap(displacement) && (stood || self.stands());
        let was_thin = self.slide_along(Sliding::free(displacement), 1.0, 1.0);
        self.done = 1.0;
        if was_thin {
            // Otherwise the next move would do it, and throw the mover back.
            self.restore_skin(displacement);
        }
        // One that rises stands only on what it has met.
        if self.moved.floor.is_some() || !self.slopes.rises(displacement) {
            self.find_floor(snaps);
        }
    }

    /// Returns `true` if a mover that stands on a floor is put down on a lower one after a slide.
    fn may_snap(&self, displacement: DVec2) -> bool {
        self.options.snap_to_floor > 0.0 && !self.slopes.rises(displacement)
    }

    /// Moves by the fraction `left` of the unblocked part of a displacement, and slides where that is blocked. Each surface
    /// clips the wanted displacement against all surfaces met, and never the remainder of a remainder, so the mover rests
    /// where they together leave nothing. `weight` is 1 for the mover's own displacement and 0 for that of its
    /// platform.
    ///
    /// Returns `true` if the mover met a surface from within its skin: an earlier touch decides how far it moves, so a
    /// mover that falls along a wall comes down on the floor in the skin of the wall.
    fn slide_along(&mut self, mut sliding: Sliding, mut left: f64, weight: f64) -> bool {
        let asked = sliding.wanted;
        let (mut was_thin, mut keeps_skin) = (false, false);
        for _ in 0..MAX_SURFACES {
            let rest = sliding.along * left;
            // Rounding leaves a part of a displacement straight into a surface. It would meet that surface again.
            if sliding.along.length() <= asked.length() * INPUT_ROUNDING || rest.length_squared() <= f64::MIN_POSITIVE {
                break;
            }
            let mut touch = self.cast_part(rest, left * weight);
            // A longer slide leads further than the restored skin.
            if touch.is_none() && !self.planes.is_empty() && rest.length() <= 2.0 * self.mover.skin {
                touch = self.blocking_skin_touch_after(rest);
            }
            // Once is enough, and more might use up the slide in a corner.
            if touch.is_none() && !keeps_skin {
                touch = self.side_after(rest);
                keeps_skin = touch.is_some();
            }
            let unused = self.mover.advance(rest, touch);
            self.mark_done(left * (1.0 - unused) * weight);
            left *= unused;
            let Some(touch) = touch else { break };
            was_thin |= touch.is_in_thin_skin(self.mover.skin);
            self.planes.forget_left(self.mover);
            sliding = match self.step_up(&touch, asked, sliding.along * left) {
                Some(unused) => {
                    self.mark_done(left * (1.0 - unused) * weight);
                    left *= unused;
                    Sliding::free(self.slopes.horizontal(sliding.along))
                }
                None => self.redirect(&touch, sliding.wanted),
            };
            self.gather(0.0, sliding.along * left);
        }
        was_thin
    }

    /// Counts a part of the mover's own displacement as done, and adds the place of the mover to its trail.
    fn mark_done(&mut self, part: f64) {
        self.done += part;
        self.mover.mark_corner(self.done);
    }

    /// Returns the touch with a piece that a path passes without touching it, if the skin is thin at the end of the path. The
    /// next move would restore the skin, and lead back.
    pub(super) fn blocking_skin_touch_after(&mut self, path: DVec2) -> Option<Touch> {
        let touch = self.mover.skin_touch_after(path, self.slopes.up, |_, cos| cos > GRAZING_COS)?;
        self.blocks(touch.id, &self.hit(&touch)).then_some(touch)
    }

    /// Returns the touch with the side of a piece that a path leads towards at any angle, if the skin is thin at the end of
    /// the path, and if the mover may slide along that side: it is a part of the surface along which the mover slides
    /// already, or the first. A round mover that slides along a row of boxes meets the next one only then.
    fn side_after(&mut self, path: DVec2) -> Option<Touch> {
        let planes = &self.planes;
        let touch = self.mover.skin_touch_after(path, self.slopes.up, |near, cos| {
            let is_ahead = cos > INPUT_ROUNDING && !near.is_inside() && !near.is_passed_by(path);
            is_ahead && planes.lead_along(near.normal) && near.is_beside_edge()
        })?;
        (self.mover.may_follow(&touch, path) && self.blocks(touch.id, &self.hit(&touch))).then_some(touch)
    }

    /// Adds the surface of a touch, and returns the wanted displacement as it slides on along all surfaces met.
    fn redirect(&mut self, touch: &Touch, wanted: DVec2) -> Sliding {
        let (normal, met) = (touch.normal, self.mover.travel);
        self.record(self.hit(touch));
        self.planes.push(normal, touch, met);
        if let Some(upright) = self.slopes.upright(normal) {
            self.planes.push(upright, touch, met);
        }
        if self.slopes.surface(normal) == Surface::Floor && self.options.stand_on_slopes {
            // The floor bears the part that leads down, and the rest follows the floor.
            let tangent = normal.perp();
            let rise = wanted.dot(self.slopes.up);
            let level = if rise < 0.0 { self.slopes.horizontal(wanted) } else { wanted };
            // Downhill the mover advances as far as in the air, so that it does not matter whether it touches the floor.
            let falls_away = !self.slopes.rises(wanted) && level.dot(normal) > 0.0;
            let length = if falls_away { level.length_squared() / level.dot(tangent) } else { level.dot(tangent) };
            let along = tangent * length;
            // If another surface clips the path along the floor, that surface must not lift the mover.
            let is_free = self.planes.admits(along, along.length());
            return Sliding { wanted: level, along: if is_free { along } else { self.planes.clip(level) } };
        }
        Sliding { wanted, along: self.planes.clip(wanted) }
    }

    /// Moves up to the first collider that blocks, unless the mover began inside one.
    fn collide(&mut self, displacement: DVec2) {
        if self.moved.hits.iter().any(|hit| hit.began_inside) {
            self.leave_floor();
            return;
        }
        let touch = self.cast_part(displacement, 1.0);
        let unused = self.mover.advance_exactly(displacement, touch);
        self.mark_done(1.0 - unused);
        if self.done > 0.0 {
            // It has left the floor on which its platform put it down.
            self.moved.floor = None;
        }
        if let Some(touch) = touch.filter(|_| unused > 0.0) {
            self.record(self.hit(&touch));
        }
    }

    /// Returns the first touch of a displacement that blocks the mover, after the function has decided. The displacement is
    /// no part of the mover's own one.
    pub(super) fn cast(&mut self, displacement: DVec2) -> Option<Touch> {
        self.cast_part(displacement, 0.0)
    }

    /// Does the same for a displacement that is this part of the mover's own one; 0 if it is none.
    fn cast_part(&mut self, displacement: DVec2, part: f64) -> Option<Touch> {
        loop {
            let touch = self.mover.cast(displacement)?;
            if self.respond.is_none() {
                return Some(touch);
            }
            let stop = touch.stop(self.mover.skin).clamp(0.0, 1.0);
            let world = self.mover.surroundings.world;
            let mut hit = touch.hit(world, self.done + part * stop);
            self.mover.each_inside(&mut |near| {
                if near.pair.id == touch.id {
                    hit = self.mover.hit(near);
                }
            });
            if self.blocks(touch.id, &hit) {
                return Some(touch);
            }
        }
    }

    /// Returns `true` unless the function lets the mover through a piece. It is called once for each piece.
    pub(super) fn blocks(&mut self, id: PieceId, hit: &MoveHit) -> bool {
        let Some(respond) = &mut self.respond else { return true };
        let surroundings = &mut self.mover.surroundings;
        // Another piece of the mover may have met it before.
        if let Some(decision) = surroundings.decision(id) {
            return decision == Decision::Blocks;
        }
        let decision = match respond(surroundings.world, hit) {
            MoveResponse::Block => Decision::Blocks,
            MoveResponse::Pass if self.is_searching => Decision::PassesInSearch,
            MoveResponse::Pass => Decision::Passes,
        };
        surroundings.decide(id, decision);
        if decision == Decision::Passes {
            self.moved.passed.push(*hit);
        }
        decision == Decision::Blocks
    }

    /// Returns the hit with what the mover touches at this stage of its displacement.
    pub(super) fn hit(&self, touch: &Touch) -> MoveHit {
        touch.hit(self.mover.surroundings.world, self.done)
    }

    /// Adds a hit to the list, and to the floor, the wall or the ceiling.
    fn record(&mut self, hit: MoveHit) {
        self.moved.hits.push(hit);
        let surface = self.slopes.surface(hit.normal.as_dvec2());
        let first = match surface {
            Surface::Floor => &mut self.moved.floor,
            Surface::Wall => &mut self.moved.wall,
            Surface::Ceiling => &mut self.moved.ceiling,
        };
        // Of several floors the last one counts, on which the mover stands in the end.
        if first.is_none() || surface == Surface::Floor {
            *first = Some(hit);
        }
    }
}
