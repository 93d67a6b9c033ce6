//! The decisions of the opponent, and of the knight in a duel without a player.

use super::body::{Body, Intent};

/// A small generator of random numbers. Source: G. Marsaglia, *Xorshift RNGs* (2003).
#[derive(Debug, Clone)]
pub struct Random(u32);

impl Random {
    pub fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9) | 1)
    }

    /// Returns a number from `low` to `high`.
    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        low + (high - low) * (self.0 >> 8) as f32 / (1 << 24) as f32
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Guard,
    Raise,
    Slam,
}

/// A fighter that approaches, strikes and withdraws at random times.
#[derive(Debug, Clone)]
pub struct Brain {
    random: Random,
    phase: Phase,
    /// The ticks until the next phase.
    left: u32,
    /// The distance to the other fighter that it prefers.
    distance: f32,
    guard: f32,
    strike: f32,
    patience: [f32; 2],
}

impl Brain {
    pub fn troll(seed: u32) -> Self {
        Self::new(seed, [70.0, 150.0])
    }

    /// The knight strikes more often.
    pub fn knight(seed: u32) -> Self {
        Self::new(seed ^ 0x5bd1_e995, [35.0, 80.0])
    }

    fn new(seed: u32, patience: [f32; 2]) -> Self {
        let random = Random::new(seed);
        Self { random, phase: Phase::Guard, left: 40, distance: 4.4, guard: 75.0, strike: 5.0, patience }
    }

    /// Decides for one tick.
    pub fn decide(&mut self, own: &mut Body, other: &Body) -> Intent {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            let random = &mut self.random;
            (self.phase, self.left) = match self.phase {
                Phase::Guard => {
                    own.wind_up();
                    self.distance = random.within(3.2, 4.3);
                    (Phase::Raise, 22)
                }
                Phase::Raise => {
                    own.slam();
                    self.strike = random.within(-12.0, 40.0);
                    (Phase::Slam, random.within(16.0, 34.0) as u32)
                }
                Phase::Slam => {
                    self.distance = random.within(3.9, 5.4);
                    self.guard = random.within(45.0, 95.0);
                    (Phase::Guard, random.within(self.patience[0], self.patience[1]) as u32)
                }
            };
        }
        let aim = match self.phase {
            Phase::Guard => self.guard,
            Phase::Raise => 125.0,
            Phase::Slam => self.strike,
        };
        // Positive if the other is too far away.
        let gap = (other.x - own.x) * own.facing - self.distance;
        let walk = if gap.abs() < 0.3 || self.phase == Phase::Raise { 0.0 } else { gap.signum() * own.facing };
        Intent { walk, aim }
    }
}
