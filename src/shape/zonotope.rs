//! One closed form for points, segments and parallelograms, in any pair.
//!
//! All of them are symmetric about their centre: a sum of segments `±g`. The difference of two such shapes is again one, a *zonotope*
//! with the generators of both, and they come within `reach` of each other when the origin comes that near to it. Circle against circle has no generators,
//! capsule against rectangle has three, rectangle against rectangle four.
//!
//! Source: the separating axis theorem for zonotopes; e.g. Guibas, Nguyen, Zhang, *Zonotopes as bounding volumes* (SODA 2003).

use glam::Vec2;

use crate::math::tolerance::SCREEN;

/// The sum of the components' magnitudes.
#[inline]
pub(super) fn magnitude(v: Vec2) -> f32 {
    v.x.abs() + v.y.abs()
}

/// Whether a value that is the sum of terms of this magnitude is certainly negative (`Some(true)`), certainly
/// positive (`Some(false)`), or too close to zero for `f32`. Overflow and underflow count as too close.
#[inline]
pub(super) fn negative(value: f32, magnitude: f32) -> Option<bool> {
    let doubt = magnitude * SCREEN + f32::MIN_POSITIVE;
    if value > doubt {
        Some(false)
    } else if value < -doubt {
        Some(true)
    } else {
        None
    }
}

/// Whether the origin is within `reach` of the zonotope around `center`, or `None` for a near tie.
///
/// `terms` is the magnitude of what `center` was added up from: it may be larger than the sum, and its
/// rounding is the error of the sum.
#[inline]
pub(super) fn within<const N: usize>(center: Vec2, terms: f32, generators: [Vec2; N], reach: f32) -> Option<bool> {
    let size = terms + generators.into_iter().map(magnitude).sum::<f32>() + reach;
    let mut nearest = f32::INFINITY;
    let (mut inside, mut outside) = (N > 1, N < 2);
    for (i, g) in generators.iter().enumerate() {
        // Twice the signed area with `g`: heights above the line along `g`, times its length.
        let height = g.perp_dot(center);
        let length = magnitude(*g);
        let (mut spread, mut edge, mut along) = (0.0, center, *g);
        let side = height.signum();
        for (_, other) in generators.iter().enumerate().filter(|(j, _)| *j != i) {
            let rise = g.perp_dot(*other);
            spread += rise.abs();
            // A generator that may be parallel lengthens this edge; the others carry it towards the origin.
            if rise.abs() <= SCREEN * length * magnitude(*other) {
                along += *other * g.dot(*other).signum();
            } else {
                edge -= *other * (side * rise.signum());
            }
        }
        match negative(height.abs() - spread, length * size) {
            Some(true) => {}
            Some(false) if reach == 0.0 => return Some(false),
            decided => {
                inside = false;
                outside |= decided == Some(false);
            }
        }
        if reach > 0.0 {
            let length_squared = along.length_squared();
            let t = if length_squared > 0.0 { (edge.dot(along) / length_squared).clamp(-1.0, 1.0) } else { 0.0 };
            nearest = nearest.min((edge - along * t).length_squared());
        }
    }
    if inside {
        return Some(true);
    }
    if N == 0 {
        nearest = center.length_squared();
    } else if reach == 0.0 {
        return None;
    }
    // The error of a distance is that of the coordinates, so that of its square is this.
    let distance = nearest.sqrt();
    // Distances are to the border: far from it and not certainly outside is no answer.
    negative(nearest - reach * reach, (distance + reach) * size).filter(|within| *within || outside)
}
