//! Sine, cosine and the angle of a vector by arithmetic alone: the same bits on every platform, which a system's own do
//! not promise, and quick enough for every node that moves.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI, TAU};

use glam::DVec2;

#[cfg(not(feature = "std"))]
use super::float::Float;

/// Added to a number below 2⁵¹ this leaves no bits for a fraction, which rounds it; its own last bits are zero.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// Beyond this many radians whole turns are taken away first. An `f32` is then coarser than a tenth of a radian.
const LARGE: f64 = 1e6;

/// An angle with its sine and its cosine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) angle: f32,
    pub(crate) sin: f32,
    pub(crate) cos: f32,
}

impl Turn {
    pub(crate) const NONE: Self = Self { angle: 0.0, sin: 0.0, cos: 1.0 };

    #[inline]
    pub(crate) fn new(angle: f32) -> Self {
        let (sin, cos) = sin_cos(angle);
        Self { angle, sin, cos }
    }
}

/// The sine and the cosine of an angle in radians, rounded from `f64`. NaN where it is not finite.
///
/// The rest within an eighth turn of the nearest quarter goes into the Taylor series, which there are exact to 2e-9.
#[inline]
fn sin_cos(angle: f32) -> (f32, f32) {
    let mut angle = f64::from(angle);
    if angle.abs() > LARGE {
        angle %= TAU;
    }
    let rounded = angle * FRAC_2_PI + ROUNDER;
    let quarters = rounded.to_bits() as u32;
    let x = angle - (rounded - ROUNDER) * FRAC_PI_2;
    let xx = x * x;
    let sin = x * (1.0 - xx * (1.0 / 6.0 - xx * (1.0 / 120.0 - xx * (1.0 / 5_040.0 - xx * (1.0 / 362_880.0)))));
    let cos =
        1.0 - xx * (0.5 - xx * (1.0 / 24.0 - xx * (1.0 / 720.0 - xx * (1.0 / 40_320.0 - xx * (1.0 / 3_628_800.0)))));
    // Odd quarters exchange the two, the second half of the turn negates the sine, the middle half the cosine.
    let (sin, cos) = ((sin as f32).to_bits(), (cos as f32).to_bits());
    let swapped = (sin ^ cos) & 0_u32.wrapping_sub(quarters & 1);
    let (sin, cos) = (sin ^ swapped, cos ^ swapped);
    (f32::from_bits(sin ^ (quarters >> 1) << 31), f32::from_bits(cos ^ (quarters >> 1 ^ quarters) << 31))
}

/// The angle of a vector in radians, from -π to π; 0 for the zero vector, NaN where a coordinate is NaN or both are
/// infinite.
///
/// The tangent of an eighth turn or less is halved in angle twice, by a root each; the rest goes into the Taylor
/// series, which there is exact to 1e-12.
pub(super) fn angle_of(vector: DVec2) -> f64 {
    let DVec2 { x, y } = vector.abs();
    if x == 0.0 && y == 0.0 {
        return 0.0;
    }
    let steep = y > x;
    let halved = |tangent: f64| tangent / (1.0 + (1.0 + tangent * tangent).sqrt());
    let t = halved(halved(if steep { x / y } else { y / x }));
    let terms = [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0];
    let angle = 4.0 * t * terms.iter().fold(0.0, |series, term| 1.0 / term - t * t * series);
    let angle = if steep { FRAC_PI_2 - angle } else { angle };
    let angle = if vector.x < 0.0 { PI - angle } else { angle };
    angle.copysign(vector.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_are_those_of_f64_but_for_the_last_rounding() {
        let turns = (-4_000..4_000).map(|k| k as f32 * 0.003_7);
        let quarters = (-2_000..2_000).flat_map(|k: i32| {
            let exact = (f64::from(k) * FRAC_PI_2) as f32;
            [exact, exact.next_up(), exact.next_down()]
        });
        for angle in turns.chain(quarters).chain([1e5, 123_456.7, -999_999.0]) {
            let (sin, cos) = sin_cos(angle);
            let (exact_sin, exact_cos) = f64::from(angle).sin_cos();
            for (found, exact) in [(sin, exact_sin), (cos, exact_cos)] {
                // What is left of a large angle is exact to its rounding only.
                let slack = f64::from(angle.abs()) * 3e-16 + 2e-9 * exact.abs();
                let rounding = 0.5 * f64::from(f32::EPSILON) * exact.abs();
                assert!((f64::from(found) - exact).abs() <= rounding + slack, "{angle}: {found} {exact}");
            }
        }
    }

    #[test]
    fn whole_quarters_and_odd_angles_have_their_answers() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(-0.0).0.is_sign_negative());
        for angle in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let (sin, cos) = sin_cos(angle);
            assert!(sin.is_nan() && cos.is_nan());
        }
        for angle in [1e7, 3e20, f32::MAX] {
            let (sin, cos) = sin_cos(angle);
            assert!((sin * sin + cos * cos - 1.0).abs() < 1e-6, "{angle}");
        }
    }

    #[test]
    fn the_angle_of_a_vector_is_that_of_f64() {
        for step in -3_000..3_000 {
            let exact = f64::from(step) * 0.001_047;
            let (sin, cos) = exact.sin_cos();
            for length in [1e-30, 0.3, 7e20] {
                let found = angle_of(DVec2::new(cos, sin) * length);
                assert!((found - exact).abs() < 1e-11, "{exact}: {found}");
            }
        }
    }

    #[test]
    fn axes_have_whole_quarters_as_angles() {
        for (vector, quarters) in [(DVec2::X, 0.0), (DVec2::Y, 1.0), (DVec2::NEG_X, 2.0), (DVec2::NEG_Y, -1.0)] {
            assert_eq!(angle_of(vector), quarters * FRAC_PI_2);
        }
        assert!((angle_of(DVec2::ONE) - FRAC_PI_2 * 0.5).abs() < 1e-12);
        assert_eq!(angle_of(DVec2::ZERO), 0.0);
        assert!(angle_of(DVec2::new(f64::NAN, 1.0)).is_nan() && angle_of(DVec2::new(1.0, f64::NAN)).is_nan());
    }
}
