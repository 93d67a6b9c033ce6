//! The exact answer for any two shapes, in `f64`: their distance, or how deep they overlap.
//!
//! The result is the maximum of `-(h_A(u) + h_B(-u))` over all unit vectors `u`, with `h` the support function. It is
//! the distance if it is positive, else minus the penetration depth, and the maximising `u` is the normal.

use glam::{DMat2, DVec2, Vec2};

use super::affine_disc::inverse;
use super::closest_features::closest_features;
use super::epa;
use super::points::mapped;
use super::sat::best_axis::NotFound;
use super::sat::exact;
use super::separation::Frame;
use super::{Hull, Points, Rounding, Separation};
use crate::math::tolerance::{INVERSE_MAP, TOUCHING};

/// Returns the separation of `a` and `b`.
pub(crate) fn exact_separation(a: &Hull<'_>, b: &Hull<'_>) -> Separation {
    separation_after(a, b, DVec2::ZERO)
}

/// Returns the separation of `a`, displaced by `displacement`, and `b`. Its points are relative to the displaced centre
/// of `a`, while its `origin` is the centre before. If a shape is not finite, it is [`Separation::NAN`].
pub(crate) fn separation_after(a: &Hull<'_>, b: &Hull<'_>, displacement: DVec2) -> Separation {
    let frame = Frame::new(a, b, displacement);
    if !(frame.tolerance.is_finite() && a.core.is_finite() && b.core.is_finite()) {
        return Separation::NAN;
    }
    let found = match (a.rounding, b.rounding) {
        (Rounding::Circle(ra), Rounding::Circle(rb)) => {
            let of_cores = match closest_features(&a.core, &b.core, &frame, f64::INFINITY) {
                Ok(features) => features.separation(&frame),
                Err(_) => exact::separation(&a.core.points(), &b.core.points(), &frame),
            };
            of_cores.rounded(ra, rb)
        }
        _ => epa::separation(a, b, &frame),
    };
    // A user's support function may be finite in some directions only.
    if found.gap.is_finite() { found } else { Separation::NAN }
}

/// Returns `true` if `a` and `b` share a point.
pub(crate) fn exact_overlap(a: &Hull<'_>, b: &Hull<'_>) -> bool {
    let decided = match a.rounding.plus(&b.rounding) {
        Some(Rounding::Circle(reach)) => {
            match closest_features(&a.core, &b.core, &Frame::new(a, b, DVec2::ZERO), reach) {
                Ok(_) => Some(true),
                Err(NotFound::Beyond) => Some(false),
                Err(NotFound::Unclear) => None,
            }
        }
        Some(Rounding::Ellipse(matrix)) => overlap_of_images(a, b, matrix),
        _ => None,
    };
    decided.unwrap_or_else(|| exact_separation(a, b).touches())
}

/// Returns whether two shapes overlap, if their discs sum to the image of the unit disc under `matrix`; `None` for a
/// near tie and for a degenerate image.
///
/// Affine maps preserve overlap. The map that makes the sum the unit disc leaves two polygons and a distance to compare
/// with 1. It magnifies rounding.
fn overlap_of_images(a: &Hull<'_>, b: &Hull<'_>, matrix: DMat2) -> Option<bool> {
    let map = inverse(matrix)?;
    let offset = b.center.as_dvec2() - a.center.as_dvec2();
    let (core_a, core_b) = (mapped(&a.core.points(), DVec2::ZERO, map), mapped(&b.core.points(), offset, map));
    let scale = core_a.extent() + core_b.extent() + 1.0;
    let frame = Frame { offset: DVec2::ZERO, origin: Vec2::ZERO, tolerance: scale * TOUCHING };
    let beyond = exact::separation(&core_a, &core_b, &frame).gap - 1.0;
    (beyond.abs() > scale * INVERSE_MAP).then_some(beyond < 0.0)
}
