//! The movement of a fighter: it hops, leans into its run, and squashes and stretches like a spring. It uses only exact
//! operations of f32, so that a seed and inputs give the same duel on every machine.

use glam::{Vec2, vec2};

use super::fighter::Motion;

/// The length of a tick in seconds.
pub const TICK: f32 = 1.0 / 60.0;

const SPEED: f32 = 3.4;
const GRAVITY: f32 = 26.0;
const HOP: f32 = 3.6;
/// The stiffness and the damping of the stretch.
const STIFFNESS: f32 = 150.0;
const DAMPING: f32 = 7.0;
const MAX_STRETCH: f32 = 0.42;
/// The shear in degrees per unit of speed.
const LEAN: f32 = 7.0;
/// The largest rotation of the weapon in a tick, in degrees.
const MAX_TURN: f32 = 9.0;

/// The intended movement of a fighter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intent {
    /// From -1, to the left, to 1.
    pub walk: f32,
    /// The direction of the weapon in degrees.
    pub aim: f32,
}

#[derive(Debug, Clone)]
pub struct Body {
    pub x: f32,
    pub facing: f32,
    velocity: f32,
    height: f32,
    rise: f32,
    stretch: f32,
    stretching: f32,
    shear: f32,
    aim: f32,
    stride: f32,
    nod: f32,
}

impl Body {
    pub fn new(x: f32, facing: f32) -> Self {
        Self {
            x,
            facing,
            velocity: 0.0,
            height: 0.0,
            rise: 0.0,
            stretch: 0.0,
            stretching: 0.0,
            shear: 0.0,
            aim: 70.0,
            stride: 0.0,
            nod: 0.0,
        }
    }

    /// Advances by one tick.
    pub fn step(&mut self, intent: Intent) {
        self.velocity += (intent.walk * SPEED - self.velocity) * 0.14;
        self.x += self.velocity * TICK;
        let walks = intent.walk != 0.0;
        if self.height == 0.0 && walks {
            self.rise = HOP;
            self.stretching += 2.6;
        }
        self.rise -= GRAVITY * TICK;
        self.height += self.rise * TICK;
        if self.height <= 0.0 {
            if self.height - self.rise * TICK > 0.0 {
                // It lands.
                self.stretching += self.rise * 1.1;
            }
            (self.height, self.rise) = (0.0, 0.0);
        }
        self.stretching -= (STIFFNESS * self.stretch + DAMPING * self.stretching) * TICK;
        self.stretch = (self.stretch + self.stretching * TICK).clamp(-MAX_STRETCH, MAX_STRETCH);
        self.shear += (-self.velocity * LEAN - self.shear) * 0.12;
        self.aim += (intent.aim - self.aim).clamp(-MAX_TURN, MAX_TURN);
        let stride = if walks { self.rise * 12.0 * intent.walk.signum() * self.facing } else { 0.0 };
        self.stride += (stride.clamp(-38.0, 38.0) - self.stride) * 0.3;
        self.nod += (-self.stretching * 2.5 - self.nod) * 0.2;
    }

    /// Reacts to a hit: flies back, is flattened and shears.
    pub fn hit(&mut self) {
        self.velocity = -self.facing * 7.0;
        self.stretching = -4.6;
        self.shear += self.facing * 14.0;
        (self.height, self.rise) = (0.01, 2.6);
    }

    /// Stretches before a blow.
    pub fn wind_up(&mut self) {
        self.stretching += 3.6;
    }

    /// Flattens with a blow.
    pub fn slam(&mut self) {
        self.stretching -= 4.2;
        self.velocity += self.facing * 4.0;
    }

    pub fn motion(&self) -> Motion {
        Motion {
            position: vec2(self.x, self.height),
            facing: self.facing,
            stretch: self.stretch,
            shear: self.shear.clamp(-30.0, 30.0),
            aim: self.aim,
            stride: self.stride,
            nod: self.nod.clamp(-25.0, 25.0),
        }
    }

    /// Returns the centre of the body, for the camera.
    pub fn center(&self) -> Vec2 {
        vec2(self.x, self.height + 1.7)
    }
}
