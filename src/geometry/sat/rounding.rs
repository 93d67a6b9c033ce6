//! The rounding of the `f32` tests: a test abstains where rounding could have changed its answer.

use crate::math::tolerance::FAST_OVERLAP;

/// Returns `true` if products of two coordinates of this size, and sums of a few of them, are finite.
#[inline]
pub(super) fn squares_are_finite(size: f32) -> bool {
    (8.0 * size * size).is_finite()
}

/// Returns whether a distance, given by its square, is less than `reach`; `None` for a near tie. `size` is the size of
/// the coordinates that the distance was computed from.
///
/// With an error `e` of the coordinates, that of the square of a distance `d` is `2de + ee`. Up to twice the reach that
/// is below `4(reach + e)e`. Beyond twice the reach, three quarters of the square are gap, which is enough once the gap
/// is above `16ee`. If [squares overflow](squares_are_finite), the test abstains.
#[inline]
pub(crate) fn is_within(distance_squared: f32, reach: f32, size: f32) -> Option<bool> {
    let gap = distance_squared - reach * reach;
    let error = size * FAST_OVERLAP;
    let doubt = 4.0 * error * (reach + 4.0 * error) + f32::MIN_POSITIVE;
    (gap.abs() > doubt && squares_are_finite(size)).then_some(gap < 0.0)
}
