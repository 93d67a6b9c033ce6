//! The exact answer for any two shapes, in `f64`: their distance, or how deep they overlap.
//!
//! The result is the maximum of `-(h_A(u) + h_B(-u))` over all unit vectors `u`, with `h` the support function. It is
//! the distance if it is positive, else minus the penetration depth, and the maximising `u` is the normal.

use glam::DVec2;

use super::closest_features::closest_features;
use super::epa;
use super::minkowski::Difference;
use super::sat::best_side::NotFound;
use super::sat::exact;
use super::separation::Frame;
use super::{Disc, Hull, Separation};

/// Returns the separation of `a` and `b`.
pub(crate) fn exact_separation(a: &Hull<'_>, b: &Hull<'_>) -> Separation {
    separation_after(a, b, DVec2::ZERO)
}

/// Returns the separation of `a`, displaced by `displacement`, and `b`. Its points are relative to the displaced centre
/// of `a`, while its `origin` is the centre before. If a shape is not finite, it is [`Separation::NAN`].
pub(crate) fn separation_after(a: &Hull<'_>, b: &Hull<'_>, displacement: DVec2) -> Separation {
    let frame = Frame::new(a, b, displacement);
    if !are_finite(a, b, &frame) {
        return Separation::NAN;
    }
    let found = match (a.disc, b.disc) {
        (Disc::Circle(ra), Disc::Circle(rb)) => {
            let of_cores = match closest_features(&a.core, &b.core, &frame, f64::INFINITY) {
                Ok(features) => features.separation(&frame),
                Err(_) => exact::separation(&a.core.points(), &b.core.points(), &frame),
            };
            of_cores.rounded(ra, rb)
        }
        _ => epa::separation(&Difference { a, b, frame: &frame }),
    };
    // A user's support function may be finite in some directions only.
    if found.gap.is_finite() { found } else { Separation::NAN }
}

/// Returns `true` if `a` and `b` share a point.
pub(crate) fn exact_overlap(a: &Hull<'_>, b: &Hull<'_>) -> bool {
    let frame = Frame::new(a, b, DVec2::ZERO);
    let decided = match (a.disc, b.disc) {
        (Disc::Circle(ra), Disc::Circle(rb)) => match closest_features(&a.core, &b.core, &frame, ra + rb) {
            Ok(_) => Some(true),
            Err(NotFound::Beyond) => Some(false),
            Err(NotFound::Unclear) => None,
        },
        _ if are_finite(a, b, &frame) => epa::overlap(&Difference { a, b, frame: &frame }),
        _ => None,
    };
    decided.unwrap_or_else(|| exact_separation(a, b).touches())
}

fn are_finite(a: &Hull<'_>, b: &Hull<'_>, frame: &Frame) -> bool {
    frame.tolerance.is_finite() && a.core.is_finite() && b.core.is_finite()
}
