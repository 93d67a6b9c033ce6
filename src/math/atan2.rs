//! The angle of a vector by arithmetic alone, so that it has the same bits on every platform.

use core::f64::consts::{FRAC_PI_2, PI};

#[cfg(not(feature = "std"))]
use super::float::Float;

/// Returns the angle of the vector `(x, y)` in radians, from -π to π; 0 for the zero vector, NaN if a coordinate is NaN
/// or both are infinite.
///
/// Two half-angle formulas reduce the tangent of at most an eighth of a turn. There the Taylor series is exact to
/// 1e-12.
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    let (is_behind, sign) = (x < 0.0, y);
    let (x, y) = (x.abs(), y.abs());
    if x == 0.0 && y == 0.0 {
        return 0.0;
    }
    let steep = y > x;
    let halved = |tangent: f64| tangent / (1.0 + (1.0 + tangent * tangent).sqrt());
    let t = halved(halved(if steep { x / y } else { y / x }));
    let terms = [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0];
    let angle = 4.0 * t * terms.iter().fold(0.0, |series, term| 1.0 / term - t * t * series);
    let angle = if steep { FRAC_PI_2 - angle } else { angle };
    let angle = if is_behind { PI - angle } else { angle };
    angle.copysign(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atan2_matches_f64_to_1e_11_at_every_angle_and_length() {
        for step in -3_000..3_000 {
            let exact = f64::from(step) * 0.001_047;
            let (sin, cos) = exact.sin_cos();
            for length in [1e-30, 0.3, 7e20] {
                let found = atan2(sin * length, cos * length);
                assert!((found - exact).abs() < 1e-11, "{exact}: {found}");
            }
        }
    }

    #[test]
    fn axes_give_exact_quarter_turns_zero_gives_zero_and_nan_gives_nan() {
        for ([x, y], quarters) in [([1.0, 0.0], 0.0), ([0.0, 1.0], 1.0), ([-1.0, 0.0], 2.0), ([0.0, -1.0], -1.0)] {
            assert_eq!(atan2(y, x), quarters * FRAC_PI_2);
        }
        assert!((atan2(1.0, 1.0) - FRAC_PI_2 * 0.5).abs() < 1e-12);
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert!(atan2(1.0, f64::NAN).is_nan() && atan2(f64::NAN, 1.0).is_nan());
    }
}
