//! One closed form for points, segments and parallelograms, in any pair.
//!
//! All of them are symmetric about their centre: a sum of segments `±g`. The difference of two such shapes is again
//! one, a *zonotope* with the generators of both, and they come within `reach` of each other when the origin comes that
//! near to it. Circle against circle has no generators, capsule against rectangle has three, rectangle against
//! rectangle four.
//!
//! Source: the separating axis theorem for zonotopes; e.g. Guibas, Nguyen, Zhang, *Zonotopes as bounding volumes* (SODA
//! 2003).

use glam::Vec2;

use crate::math::tolerance::SCREEN;

/// The sum of the components' magnitudes.
#[inline]
pub(super) fn magnitude(v: Vec2) -> f32 {
    v.x.abs() + v.y.abs()
}

/// The error of a sum of terms of this magnitude.
#[inline]
pub(super) fn doubt(magnitude: f32) -> f32 {
    magnitude * SCREEN + f32::MIN_POSITIVE
}

/// Whether the origin is within `reach` of the zonotope around `center`, or `None` for a near tie.
///
/// `terms` is the magnitude of what `center` was added up from: it may be larger than the sum, and its
/// rounding is the error of the sum.
#[inline]
pub(super) fn within<const N: usize>(center: Vec2, terms: f32, generators: [Vec2; N], reach: f32) -> Option<bool> {
    let size = terms + generators.into_iter().map(magnitude).sum::<f32>() + reach;
    if N == 0 {
        return near(center.length_squared(), reach, size);
    }
    // Separating axes: across each generator, the height of the centre and how far the others reach.
    let mut heights = [0.0; N];
    let mut spreads = [0.0; N];
    for i in 0..N {
        heights[i] = generators[i].perp_dot(center);
        for j in i + 1..N {
            let area = generators[i].perp_dot(generators[j]).abs();
            spreads[i] += area;
            spreads[j] += area;
        }
    }
    let (mut inside, mut outside) = (N > 1, N < 2);
    for i in 0..N {
        let (above, doubt) = (heights[i].abs() - spreads[i], doubt(magnitude(generators[i]) * size));
        inside &= above < -doubt;
        outside |= above > doubt;
        let beyond = above - doubt;
        if beyond > 0.0 && beyond * beyond > reach * reach * generators[i].length_squared() * (1.0 + SCREEN) {
            return Some(false);
        }
    }
    if inside {
        return Some(true);
    }
    if reach == 0.0 {
        return None;
    }
    let mut nearest = f32::INFINITY;
    for (i, g) in generators.iter().enumerate() {
        // The edge along `g` on the origin's side. A generator that may be parallel lengthens it; the others carry it
        // towards the origin.
        let (mut edge, mut along) = (center, *g);
        for (_, other) in generators.iter().enumerate().filter(|(j, _)| *j != i) {
            let area = g.perp_dot(*other);
            if area.abs() <= SCREEN * magnitude(*g) * magnitude(*other) {
                along += *other * g.dot(*other).signum();
            } else {
                edge -= *other * (heights[i].signum() * area.signum());
            }
        }
        let length_squared = along.length_squared();
        let t = if length_squared > 0.0 { (edge.dot(along) / length_squared).clamp(-1.0, 1.0) } else { 0.0 };
        nearest = nearest.min((edge - along * t).length_squared());
    }
    // Distances are to the border: far from it and not certainly outside is no answer.
    near(nearest, reach, size).filter(|within| *within || outside)
}

/// Whether a point is near enough, by its squared distance, if that is certain, where coordinates are of this size.
///
/// With an error `e` of the coordinates, that of the square of a distance `d` is `2de + ee`. Up to twice the reach that
/// is below `4(reach + e)e`, and beyond it three quarters of the square are gap: enough once the gap is above `16ee`.
#[inline]
pub(super) fn near(distance_squared: f32, reach: f32, size: f32) -> Option<bool> {
    let gap = distance_squared - reach * reach;
    let error = size * SCREEN;
    let doubt = 4.0 * error * (reach + 4.0 * error) + f32::MIN_POSITIVE;
    (gap.abs() > doubt && gap.is_finite()).then_some(gap < 0.0)
}
