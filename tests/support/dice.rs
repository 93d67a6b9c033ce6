//! Numbers in no order, the same in every run and on every platform: nothing but whole arithmetic makes them.

use std::ops::Range;

/// A seeded generator.
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    /// A whole number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        (self.roll() >> 33) % limit
    }

    /// A whole number from `-half` to `half`.
    pub fn around(&mut self, half: u64) -> i32 {
        self.below(2 * half + 1) as i32 - half as i32
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f32 {
        (self.roll() >> 40) as f32 / 16_777_216.0
    }

    /// Somewhere in a range.
    pub fn within(&mut self, range: Range<f32>) -> f32 {
        range.start + (range.end - range.start) * self.unit()
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of some things.
    pub fn one_of<T: Clone>(&mut self, things: &[T]) -> T {
        things[self.below(things.len() as u64) as usize].clone()
    }
}
