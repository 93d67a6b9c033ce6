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

    /// Computes the same for several angles, all of which are [small](Self::is_small). Without branches, so that the
    /// compiler computes two at once. One angle at a time, frames of 2,000 turning colliders take 2 % more instructions.
    #[inline(always)]
    pub(crate) fn batch(angles: [f32; Self::BATCH]) -> [Self; Self::BATCH] {
        core::array::from_fn(|lane| {
            let (sin, cos) = small_sin_cos(f64::from(angles[lane]));
            Self { angle: angles[lane], sin, cos }
        })
    }

    /// Returns `true` if an angle is reduced in one step; `false` for NaN.
    #[inline]
    pub(crate) fn is_small(angle: f32) -> bool {
        f64::from(angle).abs() <= MAX_ONE_STEP_REDUCTION
    }

    pub(crate) const BATCH: usize = 8;
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
    small_sin_cos(angle)
}

/// Does the same for an angle that is reduced in one step.
#[inline(always)]
fn small_sin_cos(angle: f64) -> (f32, f32) {
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

/// The leading bits of a quarter turn: times an integer below 2²⁰ it is exact.
const QUARTER_HIGH: f64 = 1.570_796_326_734_125_6;

/// The rest of a quarter turn, about 6e-11.
const QUARTER_LOW: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);

/// Returns the sine of an angle in radians, and 1 minus its cosine (the versine), in `f64`; NaN if the angle is not
/// finite. Both are computed from half the angle, so that a small versine is as exact as a small sine.
pub(crate) fn sin_versine(angle: f64) -> (f64, f64) {
    let mut half = angle * 0.5;
    if half.abs() > MAX_ONE_STEP_REDUCTION {
        half %= TAU;
    }
    let rounded = half * FRAC_2_PI + ROUND_TO_INTEGER;
    let (quarters, count) = (rounded.to_bits() as u32, rounded - ROUND_TO_INTEGER);
    let x = (half - count * QUARTER_HIGH) - count * QUARTER_LOW;
    // The Taylor series, from the last term: each is the previous one times `-xx` over two consecutive integers.
    let xx = x * x;
    let series = |first: u32| {
        let orders = (0..8_u32).rev().map(|term| f64::from((2 * term + first) * (2 * term + first + 1)));
        orders.fold(1.0, |sum, divisor| 1.0 - sum * (xx * divisor.recip()))
    };
    let (sin, cos) = (x * series(2), series(1));
    let (sin, cos) = if quarters & 1 == 0 { (sin, cos) } else { (cos, -sin) };
    // The signs of both cancel in the products.
    (2.0 * sin * cos, 2.0 * sin * sin)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn sine_and_versine_match_f64_at_all_magnitudes() {
        let angles = (-60_000..60_000).map(|k| f64::from(k) * 0.001_7);
        let small = (1..300).map(|k| 2.0_f64.powi(-k));
        for angle in angles.chain(small).chain([1e6, 12_345.678_9, -99_999.9]) {
            let (sin, versine) = sin_versine(angle);
            let half = (angle * 0.5).sin();
            let (exact_sin, exact_versine) = (angle.sin(), 2.0 * half * half);
            // Reducing a large angle is exact to its rounding only.
            let slack = 4.0 * f64::EPSILON * (1.0 + angle.abs());
            assert!((sin - exact_sin).abs() <= slack * exact_sin.abs().max(angle.abs().min(1.0)), "{angle}: {sin}");
            assert!(
                (versine - exact_versine).abs() <= slack * 2.0 * exact_versine.max(half.abs()),
                "{angle}: {versine}"
            );
        }
        assert_eq!(sin_versine(0.0), (0.0, 0.0));
        for angle in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(sin_versine(angle).0.is_nan() && sin_versine(angle).1.is_nan());
        }
        let (sin, versine) = sin_versine(f64::from(f32::MAX));
        assert!((sin * sin + (1.0 - versine) * (1.0 - versine) - 1.0).abs() < 1e-14);
    }

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
    fn a_batch_has_the_bits_of_single_angles() {
        let angles = (-9_000..9_000).map(|k| k as f32 * 0.001_3).chain([0.0, -0.0, 1e6, -1e6, 1e5, 0.1, -1e-30]);
        let angles: Vec<f32> = angles.chain([f32::MIN_POSITIVE]).collect();
        for angles in angles.chunks_exact(SinCos::BATCH) {
            let bits = |SinCos { angle, sin, cos }: SinCos| [angle, sin, cos].map(f32::to_bits);
            let batch = SinCos::batch(angles.try_into().unwrap());
            assert!(batch.into_iter().map(bits).eq(angles.iter().map(|angle| bits(SinCos::new(*angle)))), "{angles:?}");
            assert!(angles.iter().all(|angle| SinCos::is_small(*angle)));
        }
        assert!(![1e7, f32::MIN, f32::NAN, f32::INFINITY].into_iter().any(SinCos::is_small));
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
