use glam::{DVec2, Vec2};

use super::cast_touch::CastTouch;
use super::gjk;
use super::minkowski::Difference;
use super::separation::Frame;
use super::support::Support;
use crate::math::tolerance::MAX_ITERATIONS;

/// Moves `a` along `displacement` until it touches `b`: conservative advancement. Each step is the distance of the
/// shapes divided by the speed of approach along their normal, so no step passes the first touch. A shape that also
/// turns has no such constant speed: see [`turning_cast`](super::turning_cast).
///
/// `offset` is the vector from the centre of `a` to that of `b`, and shapes whose gap is at most `tolerance` touch.
/// Returns the touch; its fraction and its normal are zero if the shapes touch at the start. Returns `None` if the
/// fraction exceeds `limit`, or the speed of approach falls to `slowest` or below: then the shapes do not touch or only
/// brush against each other. A shape that is not finite is not touched.
///
/// Source: B. Mirtich, *Impulse-based dynamic simulation of rigid body systems* (1996).
pub(super) fn advance(
    [a, b]: [&dyn Support; 2],
    offset: DVec2,
    displacement: DVec2,
    tolerance: f64,
    slowest: f64,
    limit: f64,
) -> Option<CastTouch> {
    let mut touch = CastTouch { fraction: 0.0, normal: DVec2::ZERO };
    for _ in 0..MAX_ITERATIONS {
        let frame = Frame { offset: offset - displacement * touch.fraction, origin: Vec2::ZERO, tolerance };
        let apart = gjk::distance(&Difference { a, b, frame: &frame }, frame.offset, f64::INFINITY);
        let Some(apart) = apart.filter(|apart| apart.gap > tolerance || apart.gap.is_nan()) else { break };
        let approach = displacement.dot(apart.normal);
        touch.fraction += apart.gap / approach;
        touch.normal = -apart.normal;
        let approaches = approach > slowest;
        // Shapes that touch at the end of their path touch, whatever the rounding of the step.
        let misses_end = (touch.fraction - limit) * approach > tolerance;
        if !approaches || misses_end {
            return None;
        }
        touch.fraction = touch.fraction.min(limit);
    }
    Some(touch)
}
