//! Sliding along what is in the way.

use glam::DVec2;

use super::moved::Moved;
use super::mover::{Mover, Touch};
use super::options::{MoveOptions, Slopes, Surface};
use super::planes::Planes;
use crate::scene::Side;

/// How many surfaces one move slides along.
const ROUNDS: usize = 12;

/// A move under way.
pub(super) struct Slide<'m, 'a> {
    pub(super) mover: &'m mut Mover<'a>,
    options: &'m MoveOptions,
    slopes: Slopes,
    planes: Planes,
    pub(super) moved: Moved,
}

impl<'m, 'a> Slide<'m, 'a> {
    pub(super) fn new(mover: &'m mut Mover<'a>, options: &'m MoveOptions) -> Self {
        let slopes = Slopes::new(options);
        Self { mover, options, slopes, planes: Planes::default(), moved: Moved::default() }
    }

    /// Out of what it is inside of, and off what it is too near to. `false` if there is no way out.
    pub(super) fn begin(&mut self, motion: DVec2) -> bool {
        // A short motion may slide anywhere; of a long one most lead through the open.
        let length = motion.length();
        let around = if length <= self.mover.size() { self.reach(length) } else { self.reach(0.0) };
        self.mover.gather(motion, around);
        if self.mover.is_clear() {
            return true;
        }
        self.moved.stuck = self.mover.push_out().is_none();
        if !self.moved.stuck {
            self.mover.keep_skin(motion, &self.slopes);
        }
        !self.moved.stuck
    }

    /// How far from where it is it may come with a motion that is left of this length.
    fn reach(&self, length: f64) -> f64 {
        length + f64::from(self.options.step_height.max(0.0) + self.options.snap_to_floor.max(0.0))
    }

    /// Moves until the motion is used up or nothing is left of it.
    pub(super) fn slide(&mut self, motion: DVec2) {
        let rises = motion.dot(self.slopes.up) > 0.0;
        let stood = (self.options.snap_to_floor > 0.0 && !rises) && self.floor_within(2.0 * self.mover.skin).is_some();
        let mut left = motion;
        for _ in 0..ROUNDS {
            if left.length_squared() <= f64::MIN_POSITIVE {
                break;
            }
            let touch = self.mover.cast(left);
            let part = self.mover.advance(left, touch.as_ref());
            let Some(touch) = touch.filter(|_| part > 0.0) else { break };
            left *= part;
            self.planes.leave(self.mover.moved, 0.5 * self.mover.skin);
            left = self.meet(&touch, left);
            if left.length() > self.mover.size() {
                self.mover.gather(left, self.reach(0.0));
            }
        }
        self.end(stood, rises);
    }

    /// Moves until the first thing in the way.
    pub(super) fn collide(&mut self, motion: DVec2) {
        let touch = self.mover.cast(motion);
        let part = self.mover.advance(motion, touch.as_ref());
        if let Some(touch) = touch.filter(|_| part > 0.0) {
            self.note(&touch);
        }
    }

    /// What is left of a motion after a surface was met.
    fn meet(&mut self, touch: &Touch, left: DVec2) -> DVec2 {
        let (normal, met) = (touch.normal, self.mover.moved);
        let surface = self.slopes.surface(normal);
        if surface == Surface::Wall
            && let Some(rest) = self.step_up(left)
        {
            return rest;
        }
        self.note(touch);
        self.planes.push(normal, met);
        if let Some(upright) = self.slopes.upright(normal) {
            self.planes.push(upright, met);
        }
        if surface == Surface::Floor && self.options.stand_on_slopes {
            // Gravity is borne by the floor, and what is left follows it.
            let tangent = normal.perp();
            let level = if left.dot(self.slopes.up) < 0.0 { self.slopes.horizontal(left) } else { left };
            return self.planes.clip(tangent * level.dot(tangent));
        }
        self.planes.clip(left)
    }

    fn note(&mut self, touch: &Touch) {
        let hit = touch.hit();
        self.moved.hits.push(hit);
        let first = match self.slopes.surface(touch.normal) {
            Surface::Floor => &mut self.moved.floor,
            Surface::Wall => &mut self.moved.wall,
            Surface::Ceiling => &mut self.moved.ceiling,
        };
        // A floor is what the mover stands on in the end.
        if first.is_none() || self.slopes.surface(touch.normal) == Surface::Floor {
            *first = Some(hit);
        }
    }

    /// What the mover would stand on if it went down by a distance.
    fn floor_within(&self, distance: f64) -> Option<Touch> {
        if self.slopes.up == DVec2::ZERO {
            return None;
        }
        let floor = |only: Option<Side>| {
            let mut floor: Option<Touch> = None;
            self.mover.each_touch(self.slopes.up * -distance, 1.0, only, &mut |touch| {
                let is_better = floor.is_none_or(|floor| touch.comes_before(&floor));
                if is_better && self.slopes.surface(touch.normal) == Surface::Floor {
                    floor = Some(touch);
                }
                1.0
            });
            floor
        };
        // Most often it is the one that was met last.
        self.moved.floor.and_then(|last| floor(Some(last.side))).or_else(|| floor(None))
    }

    /// Finds out what the mover stands on, and puts it down on a floor that fell away.
    fn end(&mut self, snaps: bool, rises: bool) {
        if rises && self.moved.floor.is_none() {
            return;
        }
        let near = 2.0 * self.mover.skin;
        let mut floor = self.floor_within(near);
        if snaps && floor.is_none() {
            let down = self.slopes.up * -f64::from(self.options.snap_to_floor);
            let touch = self.mover.cast(down).filter(|touch| self.slopes.surface(touch.normal) == Surface::Floor);
            if let Some(touch) = touch {
                self.mover.advance(down, Some(&touch));
                self.moved.hits.push(touch.hit());
                floor = self.floor_within(near);
            }
        }
        self.moved.floor = floor.map(|touch| touch.hit());
    }

    /// Up a ledge, if what blocks the way is one: it must be no higher than a step, the mover near a floor, and what is
    /// up there a floor on which it finds room. What is left of the motion then.
    fn step_up(&mut self, left: DVec2) -> Option<DVec2> {
        let height = f64::from(self.options.step_height);
        let (up, skin) = (self.slopes.up, self.mover.skin);
        let level = self.slopes.horizontal(left);
        let forward = level.try_normalize()?;
        let steps = height > 0.0 && left.dot(up) <= 0.0;
        if !steps || self.floor_within(height + 2.0 * skin).is_none() {
            return None;
        }
        let start = self.mover.moved;
        let ledge = self.ledge(up * height, forward, level.length());
        self.mover.moved = start;
        let rise = ledge?;
        // Up there, then on as far as the motion leads.
        let risen = self.mover.cast(rise);
        if self.mover.advance(rise, risen.as_ref()) > 0.0 {
            self.mover.moved = start;
            return None;
        }
        self.planes.clear();
        let blocked = self.mover.cast(level);
        let part = self.mover.advance(level, blocked.as_ref());
        Some(level * part)
    }

    /// How far up the floor is that lies ahead, at most `most`, if there is one.
    fn ledge(&mut self, most: DVec2, forward: DVec2, distance: f64) -> Option<DVec2> {
        let above = self.mover.cast(most);
        let height = (1.0 - self.mover.advance(most, above.as_ref())) * most.length();
        // Far enough that round movers come down on the ledge and not on its edge.
        let ahead = forward * distance.max(self.mover.half_width(forward) + 2.0 * self.mover.skin);
        let blocked = self.mover.cast(ahead);
        self.mover.advance(ahead, blocked.as_ref());
        let down = self.slopes.up * -height;
        let touch = self.mover.cast(down).filter(|touch| self.slopes.surface(touch.normal) == Surface::Floor)?;
        let part = self.mover.advance(down, Some(&touch));
        (part * height > 1e-6 * most.length()).then(|| self.slopes.up * (part * height))
    }
}
