//! The image of the unit disc under a matrix: a disc, an ellipse or a segment.

use glam::{DMat2, DVec2, Mat2, Vec2};

use super::Each;
#[cfg(not(feature = "std"))]
use super::float::Float;
use super::tolerance::{DEGENERATE_ELLIPSE, UNIFORM_SCALE};

/// Returns the factor of a matrix that rotates, mirrors and scales uniformly; `None` if its scale is not uniform.
pub(crate) fn uniform_scale(matrix: Mat2) -> Option<f32> {
    let (x, y) = (matrix.x_axis, matrix.y_axis);
    let (a, b) = (x.length_squared(), y.length_squared());
    let uniform = (a - b).abs() <= UNIFORM_SCALE * a && x.dot(y).abs() <= UNIFORM_SCALE * a;
    // Squares of tiny and huge scales leave the range of `f32`; the lengths do not.
    if uniform && a > f32::MIN_POSITIVE && a < f32::MAX {
        return Some(a.sqrt());
    }
    let (x, y) = (x.as_dvec2(), y.as_dvec2());
    let (a, b, tolerance) = (x.length_squared(), y.length_squared(), f64::from(UNIFORM_SCALE));
    ((a - b).abs() <= tolerance * a && x.dot(y).abs() <= tolerance * a).then(|| a.sqrt() as f32)
}

/// Returns half the size of the smallest box around the image of the unit disc.
pub(crate) fn disc_half_extents(matrix: Mat2) -> Vec2 {
    [0, 1].each(|axis| length(matrix.row(axis))).into()
}

/// Returns the length of a vector, also if its square leaves the range of `f32`.
fn length(vector: Vec2) -> f32 {
    let square = vector.length_squared();
    if square > f32::MIN_POSITIVE && square < f32::MAX { square.sqrt() } else { vector.as_dvec2().length() as f32 }
}

/// Returns the inverse of a matrix, or `None` if the image of the unit disc is [degenerate](degenerate_half_axis).
pub(crate) fn inverse(matrix: DMat2) -> Option<DMat2> {
    degenerate_half_axis(matrix).is_none().then(|| matrix.inverse())
}

/// Returns the half-axis of the segment that the image of the unit disc degenerates to, or `None` if its minor axis is
/// long enough to matter.
pub(crate) fn degenerate_half_axis(matrix: DMat2) -> Option<DVec2> {
    let DMat2 { x_axis: x, y_axis: y } = matrix;
    // The squares of the two half-axes have this sum, and the determinant is their product.
    let squares = x.length_squared() + y.length_squared();
    if x.perp_dot(y).abs() > DEGENERATE_ELLIPSE * squares {
        return None;
    }
    let longer = if x.length_squared() >= y.length_squared() { x } else { y };
    Some(longer.normalize_or_zero() * squares.sqrt())
}

#[cfg(test)]
mod tests {
    use glam::dvec2;

    use super::*;

    #[test]
    fn a_uniform_scale_is_recognised_at_any_size() {
        for unit in [1e-36, 1e-24, 1e-20, 1e-9, 1.0, 1e9, 1e18, 1e20, 1e36_f32] {
            for matrix in [Mat2::from_angle(0.7), Mat2::from_diagonal(Vec2::new(1.0, -1.0))] {
                let scale = uniform_scale(matrix * unit).unwrap();
                assert!((scale / unit - 1.0).abs() < 1e-6, "{scale} is not {unit}");
                assert_eq!(uniform_scale(matrix * Mat2::from_diagonal(Vec2::new(unit, unit * 1.001))), None, "{unit}");
            }
        }
        // Only one of the squares leaves the range.
        for scale in [Vec2::new(1e20, 1.0), Vec2::new(1.0, 1e20), Vec2::new(1e-24, 1.0), Vec2::new(1.0, 1e-24)] {
            assert_eq!(uniform_scale(Mat2::from_diagonal(scale)), None, "{scale}");
        }
    }

    #[test]
    fn the_box_around_a_disc_has_its_size_at_any_unit() {
        for unit in [1e-36, 1e-30, 1e-24, 1e-20, 1.0, 1e18, 1e20, 1e30, 1e37_f32] {
            let half = disc_half_extents(Mat2::from_cols(Vec2::new(3.0, 0.0), Vec2::new(4.0, 2.0)) * unit) / unit;
            assert!(half.abs_diff_eq(Vec2::new(5.0, 2.0), 1e-6), "{half} times {unit}");
        }
        assert_eq!(disc_half_extents(Mat2::ZERO), Vec2::ZERO);
    }

    #[test]
    fn a_disc_degenerates_below_the_tolerance_at_any_size() {
        for unit in [1e-9, 1.0, 1e9] {
            let (long, short) = (dvec2(3.0, 4.0) * unit, dvec2(-4.0, 3.0) * unit);
            // Both columns lean on the long axis: together they reach further than each.
            let image =
                |part: f64| DMat2::from_cols(long * 0.6 + short * (part * 0.8), long * 0.8 - short * (part * 0.6));
            let half = degenerate_half_axis(image(0.9 * DEGENERATE_ELLIPSE)).unwrap();
            assert!(half.distance(long) < 1e-7 * unit, "{half}");
            assert!(inverse(image(0.9 * DEGENERATE_ELLIPSE)).is_none());
            assert!(degenerate_half_axis(image(1.1 * DEGENERATE_ELLIPSE)).is_none(), "{unit}");
            let there_and_back = inverse(image(0.5)).unwrap() * image(0.5);
            assert!(there_and_back.abs_diff_eq(DMat2::IDENTITY, 1e-12), "{there_and_back}");
        }
    }
}
