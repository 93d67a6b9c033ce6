//! Sine and cosine by arithmetic alone. The functions of an operating system differ in the last bit from platform to
//! platform; these return the same bits everywhere.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2, TAU};

/// Adding this number to a number below 2⁵¹ rounds that to an integer: the sum has no bits left for a fraction. The
/// sum's last bits are then the integer's, because the last bits of this number are zero.
const ROUND_TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// The largest angle, in radians, that is reduced to a quarter turn in one step. Larger ones, of which neighbouring
/// `f32`s are over 0.06 rad apart, first lose their whole turns by the slower remainder.
const MAX_ONE_STEP_REDUCTION: f64 = 1e6;

/// An angle with its sine and its cosine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SinCos {
    /// Radians.
    pub(crate) angle: f32,
    pub(crate) sin: f32,
    pub(crate) cos: f32,
}

impl SinCos {
    /// The angle 0.
    pub(crate) const ZERO: Self = Self { angle: 0.0, sin: 0.0, cos: 1.0 };

    /// Computes the sine and the cosine of an angle in radians; both are NaN if the angle is not finite.
    #[inline]
    pub(crate) fn new(angle: f32) -> Self {
        let (sin, cos) = sin_cos(f64::from(angle));
        Self { angle, sin, cos }
    }
}

/// Returns the sine and the cosine of an angle in radians, rounded from `f64`; NaN if the angle is not finite.
///
/// Subtracting the nearest multiple of a quarter turn leaves at most an eighth of a turn. There the Taylor series is
/// exact to 2e-9.
#[inline]
pub(super) fn sin_cos(mut angle: f64) -> (f32, f32) {
    if angle.abs() > MAX_ONE_STEP_REDUCTION {
        angle %= TAU;
    }
    let rounded = angle * FRAC_2_PI + ROUND_TO_INTEGER;
    let quarters = rounded.to_bits() as u32;
    let x = angle - (rounded - ROUND_TO_INTEGER) * FRAC_PI_2;
    let xx = x * x;
    let sin = x * (1.0 - xx * (1.0 / 6.0 - xx * (1.0 / 120.0 - xx * (1.0 / 5_040.0 - xx * (1.0 / 362_880.0)))));
    let cos =
        1.0 - xx * (0.5 - xx * (1.0 / 24.0 - xx * (1.0 / 720.0 - xx * (1.0 / 40_320.0 - xx * (1.0 / 3_628_800.0)))));
    // Odd quarter turns exchange the two. The second half of a turn negates the sine, the middle half the cosine.
    let (sin, cos) = ((sin as f32).to_bits(), (cos as f32).to_bits());
    let swapped = (sin ^ cos) & 0_u32.wrapping_sub(quarters & 1);
    let (sin, cos) = (sin ^ swapped, cos ^ swapped);
    (f32::from_bits(sin ^ (quarters >> 1) << 31), f32::from_bits(cos ^ (quarters >> 1 ^ quarters) << 31))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_match_f64_to_half_an_ulp_plus_2e_9() {
        let turns = (-4_000..4_000).map(|k| k as f32 * 0.003_7);
        let quarters = (-2_000..2_000).flat_map(|k: i32| {
            let exact = (f64::from(k) * FRAC_PI_2) as f32;
            [exact, exact.next_up(), exact.next_down()]
        });
        for angle in turns.chain(quarters).chain([1e5, 123_456.7, -999_999.0]) {
            let (sin, cos) = sin_cos(f64::from(angle));
            let (exact_sin, exact_cos) = f64::from(angle).sin_cos();
            for (found, exact) in [(sin, exact_sin), (cos, exact_cos)] {
                // Reducing a large angle is exact to its rounding only.
                let slack = f64::from(angle.abs()) * 3e-16 + 2e-9 * exact.abs();
                let rounding = 0.5 * f64::from(f32::EPSILON) * exact.abs();
                assert!((f64::from(found) - exact).abs() <= rounding + slack, "{angle}: {found} {exact}");
            }
        }
    }

    #[test]
    fn zero_huge_and_non_finite_angles_give_exact_unit_and_nan_results() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(-0.0).0.is_sign_negative());
        for angle in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let (sin, cos) = sin_cos(angle);
            assert!(sin.is_nan() && cos.is_nan());
        }
        for angle in [1e7, 3e20, f64::from(f32::MAX)] {
            let (sin, cos) = sin_cos(angle);
            assert!((sin * sin + cos * cos - 1.0).abs() < 1e-6, "{angle}");
        }
    }
}
