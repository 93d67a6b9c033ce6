//! Pseudo-random numbers from a linear congruential generator, the same in every run and on every platform.

use std::ops::Range;

use glam::{Vec2, vec2};

/// A seeded generator.
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    /// Returns the seed of another generator.
    pub fn seed(&mut self) -> u64 {
        self.roll()
    }

    /// Returns an integer in `0..limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        (self.roll() >> 33) % limit
    }

    /// Returns an integer in `-half..=half`.
    pub fn around(&mut self, half: u64) -> i32 {
        self.below(2 * half + 1) as i32 - half as i32
    }

    /// Returns a number in `0.0..1.0`.
    pub fn unit(&mut self) -> f32 {
        (self.roll() >> 40) as f32 / 16_777_216.0
    }

    /// Returns a number in a range.
    pub fn within(&mut self, range: Range<f32>) -> f32 {
        range.start + (range.end - range.start) * self.unit()
    }

    /// Returns a vector with both coordinates in a range.
    pub fn vector(&mut self, range: Range<f32>) -> Vec2 {
        vec2(self.within(range.clone()), self.within(range))
    }

    /// Returns a vector with coordinates of up to `half` quarters in either direction.
    pub fn quarters(&mut self, half: u64) -> Vec2 {
        vec2(self.around(half) as f32, self.around(half) as f32) * 0.25
    }

    /// Returns `true` with probability `1 / count`.
    pub fn once_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// Returns a clone of one of the items.
    pub fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize].clone()
    }
}
