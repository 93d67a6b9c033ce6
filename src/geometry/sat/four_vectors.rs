use core::ops::{Add, Mul, Sub};

use glam::{Vec2, Vec4};

/// The least square of a length with which the squares of gaps are compared. Its product with the square of a radius of at
/// least a millionth is a normal number. A denormal one takes more time than the rest of a test.
pub(super) const MIN_SQUARE: f32 = f32::MIN_POSITIVE * (1_u64 << 40) as f32;

/// Four vectors, one per lane: those of four pairs, or four sides of one shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FourVectors {
    pub(super) x: Vec4,
    pub(super) y: Vec4,
}

impl FourVectors {
    #[inline(always)]
    pub(crate) fn new([a, b, c, d]: [Vec2; 4]) -> Self {
        Self { x: Vec4::new(a.x, b.x, c.x, d.x), y: Vec4::new(a.y, b.y, c.y, d.y) }
    }

    /// Returns the same vector in all lanes.
    #[inline(always)]
    pub(super) fn splat(vector: Vec2) -> Self {
        Self { x: Vec4::splat(vector.x), y: Vec4::splat(vector.y) }
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y
    }

    #[inline(always)]
    pub(crate) fn perp_dot(self, other: Self) -> Vec4 {
        self.x * other.y - self.y * other.x
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> Vec4 {
        self.dot(self)
    }

    /// Returns the squared lengths, or the smallest normal number where they are smaller: a denormal number has lost digits,
    /// or all of them.
    #[inline(always)]
    pub(crate) fn normal_length_squared(self) -> Vec4 {
        self.length_squared().max(Vec4::splat(f32::MIN_POSITIVE))
    }

    /// Returns the squares of the lengths, or [`MIN_SQUARE`] where they are smaller, as for a segment, times the square of
    /// a distance. A gap times one of the lengths whose square is larger is certainly larger than the distance.
    #[inline(always)]
    pub(crate) fn squared_reach(self, distance: Vec4) -> Vec4 {
        self.length_squared().max(Vec4::splat(MIN_SQUARE)) * (distance * distance)
    }

    #[inline(always)]
    pub(crate) fn manhattan_length(self) -> Vec4 {
        self.x.abs() + self.y.abs()
    }
}

impl Add for FourVectors {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for FourVectors {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<Vec4> for FourVectors {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: Vec4) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_squared_reach_of_a_vector_without_length_is_a_normal_number() {
        for distance in [1e-6, 1e-3, 0.4, 1.0, 1e6] {
            let reach = FourVectors::splat(Vec2::ZERO).squared_reach(Vec4::splat(distance));
            assert!(reach.to_array().iter().all(|reach| reach.is_normal()), "{distance}: {reach}");
        }
    }
}
