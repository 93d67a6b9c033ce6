use glam::DVec2;

use super::mover::{Mover, Touch};
use super::planes::Planes;
use super::slopes::{Slopes, Surface};
use crate::math::tolerance::SMALLEST_STEP;
use crate::scene::{MoveOptions, Moved, NodeCollider};

/// The largest number of surfaces along which one move slides.
const MAX_SURFACES: usize = 12;

/// A move in progress.
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

    /// Pushes the mover out of what it is inside of and restores its skin. Returns `false` if there is no way out.
    pub(super) fn begin(&mut self, displacement: DVec2) -> bool {
        // A short move may slide in any direction. Most long ones meet nothing, so they gather only along their path.
        let length = displacement.length();
        let margin = if length <= self.mover.size() { self.reach(length) } else { self.reach(0.0) };
        self.mover.gather(displacement, margin);
        if self.mover.is_clear() {
            return true;
        }
        self.moved.stuck = self.mover.push_out().is_none();
        if !self.moved.stuck {
            self.mover.restore_skin(displacement, &self.slopes);
        }
        !self.moved.stuck
    }

    /// Returns the largest distance to which a displacement of this length can lead, with steps and snapping.
    fn reach(&self, length: f64) -> f64 {
        length + f64::from(self.options.step_height.max(0.0) + self.options.snap_to_floor.max(0.0))
    }

    /// Moves and slides until the displacement is used up or surfaces leave nothing of it.
    pub(super) fn slide(&mut self, displacement: DVec2) {
        let rises = displacement.dot(self.slopes.up) > 0.0;
        let snaps = (self.options.snap_to_floor > 0.0 && !rises) && self.floor_within(2.0 * self.mover.skin).is_some();
        let mut rest = displacement;
        for _ in 0..MAX_SURFACES {
            if rest.length_squared() <= f64::MIN_POSITIVE {
                break;
            }
            let touch = self.mover.cast(rest);
            let part = self.mover.advance(rest, touch.as_ref());
            let Some(touch) = touch.filter(|_| part > 0.0) else { break };
            rest *= part;
            self.planes.retain_within(0.5 * self.mover.skin, self.mover.travel);
            rest = self.redirect(&touch, rest);
            if rest.length() > self.mover.size() {
                self.mover.gather(rest, self.reach(0.0));
            }
        }
        self.end(snaps, rises);
    }

    /// Moves up to the first collider that blocks.
    pub(super) fn collide(&mut self, displacement: DVec2) {
        let touch = self.mover.cast(displacement);
        let part = self.mover.advance(displacement, touch.as_ref());
        if let Some(touch) = touch.filter(|_| part > 0.0) {
            self.record(&touch);
        }
    }

    /// Returns what a surface leaves of a displacement.
    fn redirect(&mut self, touch: &Touch, rest: DVec2) -> DVec2 {
        let (normal, met) = (touch.normal, self.mover.travel);
        let surface = self.slopes.surface(normal);
        if surface == Surface::Wall
            && let Some(rest) = self.step_up(rest)
        {
            return rest;
        }
        self.record(touch);
        self.planes.push(normal, met);
        if let Some(upright) = self.slopes.upright(normal) {
            self.planes.push(upright, met);
        }
        if surface == Surface::Floor && self.options.stand_on_slopes {
            // The floor bears the part that leads down, and the rest follows the floor.
            let tangent = normal.perp();
            let level = if rest.dot(self.slopes.up) < 0.0 { self.slopes.horizontal(rest) } else { rest };
            return self.planes.clip(tangent * level.dot(tangent));
        }
        self.planes.clip(rest)
    }

    /// Adds a touch to the result.
    fn record(&mut self, touch: &Touch) {
        let hit = touch.hit(self.mover.solids.world);
        self.moved.hits.push(hit);
        let surface = self.slopes.surface(touch.normal);
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

    /// Returns the touch with the floor on which the mover would stand if it moved down by a distance.
    fn floor_within(&self, distance: f64) -> Option<Touch> {
        if self.slopes.up == DVec2::ZERO {
            return None;
        }
        let floor = |only: Option<NodeCollider>| {
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
        // Most often it is the floor that was met last.
        self.moved.floor.and_then(|last| floor(Some(last.side))).or_else(|| floor(None))
    }

    /// Finds the floor on which the mover stands at the end, and puts the mover down on a lower one if it `snaps`.
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
                self.moved.hits.push(touch.hit(self.mover.solids.world));
                floor = self.floor_within(near);
            }
        }
        self.moved.floor = floor.map(|touch| touch.hit(self.mover.solids.world));
    }

    /// Moves up a ledge, if one blocks the way: it must be no higher than a step, the mover near a floor, and there
    /// must be a floor with room for the mover on top. Returns the rest of the displacement then.
    fn step_up(&mut self, rest: DVec2) -> Option<DVec2> {
        let height = f64::from(self.options.step_height);
        let (up, skin) = (self.slopes.up, self.mover.skin);
        let level = self.slopes.horizontal(rest);
        let forward = level.try_normalize()?;
        let steps = height > 0.0 && rest.dot(up) <= 0.0;
        if !steps || self.floor_within(height + 2.0 * skin).is_none() {
            return None;
        }
        let start = self.mover.travel;
        let rise = self.rise_to_ledge(up * height, forward, level.length());
        self.mover.travel = start;
        let rise = rise?;
        let above = self.mover.cast(rise);
        if self.mover.advance(rise, above.as_ref()) > 0.0 {
            self.mover.travel = start;
            return None;
        }
        self.planes.clear();
        let blocked = self.mover.cast(level);
        let part = self.mover.advance(level, blocked.as_ref());
        Some(level * part)
    }

    /// Returns the displacement up to the height of the floor ahead, at most `most`; `None` if there is no floor.
    fn rise_to_ledge(&mut self, most: DVec2, forward: DVec2, distance: f64) -> Option<DVec2> {
        let above = self.mover.cast(most);
        let height = (1.0 - self.mover.advance(most, above.as_ref())) * most.length();
        // Far enough that a round mover comes down on top of the ledge and not on its edge.
        let ahead = forward * distance.max(self.mover.half_width(forward) + 2.0 * self.mover.skin);
        let blocked = self.mover.cast(ahead);
        self.mover.advance(ahead, blocked.as_ref());
        let down = self.slopes.up * -height;
        let touch = self.mover.cast(down).filter(|touch| self.slopes.surface(touch.normal) == Surface::Floor)?;
        let part = self.mover.advance(down, Some(&touch));
        (part * height > SMALLEST_STEP * most.length()).then(|| self.slopes.up * (part * height))
    }
}
