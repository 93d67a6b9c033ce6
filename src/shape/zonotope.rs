//! One closed form for points, segments and parallelograms, in any pair.
//!
//! All of them are symmetric about their centre: a sum of segments `±g`. The difference of two such shapes is again
//! one, a *zonotope* with the generators of both, and they come within `reach` of each other when the origin comes that
//! near to it. Circle against circle has no generators, capsule against rectangle has three, rectangle against
//! rectangle four.
//!
//! Source: the separating axis theorem for zonotopes; e.g. Guibas, Nguyen, Zhang, *Zonotopes as bounding volumes* (SODA
//! 2003).

use glam::{DVec2, Vec2, Vec4, Vec4Swizzles};

use super::family::Parallelogram;
use super::features::{Missing, Side};
use super::sides::most;
use crate::math::tolerance::SCREEN;

/// The sum of the components' magnitudes.
#[inline]
pub(super) fn magnitude(v: Vec2) -> f32 {
    v.x.abs() + v.y.abs()
}

/// Two to four generators, each in a lane of its own, so that hardly anything has to be decided before the answer is
/// known. The lanes left over are zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Generators<const N: usize> {
    x: Vec4,
    y: Vec4,
}

impl Generators<2> {
    #[inline]
    pub(super) fn new(a: Vec2, b: Vec2) -> Self {
        Self { x: Vec4::new(a.x, b.x, 0.0, 0.0), y: Vec4::new(a.y, b.y, 0.0, 0.0) }
    }
}

impl Generators<3> {
    #[inline]
    pub(super) fn new(a: Vec2, b: Vec2, c: Vec2) -> Self {
        Self { x: Vec4::new(a.x, b.x, c.x, 0.0), y: Vec4::new(a.y, b.y, c.y, 0.0) }
    }
}

impl Generators<4> {
    #[inline]
    pub(super) fn new(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> Self {
        Self { x: Vec4::new(a.x, b.x, c.x, d.x), y: Vec4::new(a.y, b.y, c.y, d.y) }
    }
}

/// Whether the origin is within `reach` of the zonotope around `center`, or `None` for a near tie.
///
/// `terms` is the magnitude of what `center` was added up from: it may be larger than the sum, and its
/// rounding is the error of the sum.
#[inline]
pub(super) fn within<const N: usize>(
    center: Vec2,
    terms: f32,
    Generators { x, y }: Generators<N>,
    reach: f32,
) -> Option<bool> {
    let magnitudes = x.abs() + y.abs();
    let size = terms + magnitudes.element_sum() + reach;
    // Separating axes: across each generator, the height of the centre and how far the others reach.
    let heights = x * center.y - y * center.x;
    let (xs, ys) = (splats::<N>(x), splats::<N>(y));
    let areas: [Vec4; N] = core::array::from_fn(|i| x * ys[i] - y * xs[i]);
    let above = areas.iter().fold(heights.abs(), |above, area| above - area.abs());
    let doubts = magnitudes * (size * SCREEN) + f32::MIN_POSITIVE;
    let beyond = (above - doubts).max(Vec4::ZERO);
    let limit = (x * x + y * y) * (reach * reach);
    let all = (1 << N) - 1;
    let (apart, inside) = ((beyond * beyond).cmpgt(limit).any(), above.cmplt(-doubts).bitmask() & all == all);
    let clear = apart | inside;
    if clear | (reach == 0.0) {
        return clear.then_some(inside);
    }
    // The edge along each generator on the origin's side. A generator that may be parallel lengthens it, as it does
    // itself; the others carry it towards the origin.
    let (mut edge_x, mut edge_y) = (Vec4::splat(center.x), Vec4::splat(center.y));
    let (mut along_x, mut along_y) = (Vec4::ZERO, Vec4::ZERO);
    let (magnitude, side) = (splats::<N>(magnitudes * SCREEN), Vec4::ONE.copysign(heights));
    for i in 0..N {
        let parallel = areas[i].abs().cmple(magnitudes * magnitude[i]);
        let along = Vec4::select(parallel, Vec4::ONE.copysign(x * xs[i] + y * ys[i]), Vec4::ZERO);
        let carry = Vec4::select(parallel, Vec4::ZERO, side.copysign(side * areas[i]));
        (along_x, along_y) = (along_x + along * xs[i], along_y + along * ys[i]);
        (edge_x, edge_y) = (edge_x - carry * xs[i], edge_y - carry * ys[i]);
    }
    let length_squared = (along_x * along_x + along_y * along_y).max(Vec4::splat(f32::MIN_POSITIVE));
    let t = ((edge_x * along_x + edge_y * along_y) / length_squared).max(Vec4::NEG_ONE).min(Vec4::ONE);
    let (x, y) = (edge_x - along_x * t, edge_y - along_y * t);
    // Distances are to the border: far from it and not certainly outside is no answer. (What has no generator passes
    // for a chord, which is no nearer than the border.)
    let outside = above.cmpgt(doubts).any();
    near((x * x + y * y).min_element(), reach, size).filter(|within| *within || outside)
}

/// Each of the first lanes in all lanes.
#[inline]
fn splats<const N: usize>(lanes: Vec4) -> [Vec4; N] {
    let all = [lanes.xxxx(), lanes.yyyy(), lanes.zzzz(), lanes.wwww()];
    core::array::from_fn(|i| all[i])
}

/// The same for a single generator, of what `center` was added up from: whether the origin is within `reach` of the
/// segment `center ± generator`.
#[inline]
pub(super) fn near_segment(center: Vec2, terms: f32, generator: Vec2, reach: f32) -> Option<bool> {
    let length_squared = generator.length_squared().max(f32::MIN_POSITIVE);
    let t = (center.dot(generator) / length_squared).clamp(-1.0, 1.0);
    near((center - generator * t).length_squared(), reach, terms + reach)
}

/// The same for no generator at all: whether the origin is within `reach` of a point.
#[inline]
pub(super) fn near_point(center: Vec2, reach: f32) -> Option<bool> {
    near(center.length_squared(), reach, magnitude(center) + reach)
}

/// The same for a rectangle by its half-axes, if they stand upright on each other as far as `f32` tells.
#[inline]
pub(super) fn near_rect(center: Vec2, [a, b]: [Vec2; 2], reach: f32) -> Option<bool> {
    let size = magnitude(center) + magnitude(a) + magnitude(b) + reach;
    let squares = Vec2::new(a.length_squared(), b.length_squared());
    let upright = a.dot(b).abs() <= 0.5 * SCREEN * magnitude(a) * magnitude(b);
    if !(upright & (squares.min_element() > f32::MIN_POSITIVE) & (squares.max_element() < f32::MAX)) {
        return within(center, magnitude(center), Generators::<2>::new(a, b), reach);
    }
    // In multiples of the half-axes, and how far that is beyond them.
    let place = (Vec2::new(center.dot(a), center.dot(b)) / squares).abs();
    let error = size * SCREEN;
    let within = (Vec2::ONE - place).max(Vec2::ZERO);
    let depth = (within * within * squares).min_element();
    let beyond = (place - Vec2::ONE).max(Vec2::ZERO);
    let distance_squared = (beyond * beyond).dot(squares);
    if depth > error * error { Some(true) } else { near(distance_squared, reach, size) }
}

/// The best separating axis of two parallelograms, flat or not, as `f32` sees it, if none parts them by more than
/// `reach`.
#[inline]
pub(super) fn deepest(a: &Parallelogram, b: &Parallelogram, offset: DVec2, reach: f32) -> Result<Side, Missing> {
    let center = ((b.middle - a.middle) + offset).as_vec2();
    let sides = [-a.axes[0], -a.axes[1], -b.axes[0], -b.axes[1]].map(|axis| axis.as_vec2());
    let [x, y] = [sides.map(|side| side.x), sides.map(|side| side.y)].map(Vec4::from_array);
    let heights = y * center.x - x * center.y;
    let areas = |other_x: Vec4, other_y: Vec4| (x * other_y - y * other_x).abs();
    let spreads = areas(x.yzwx(), y.yzwx()) + areas(x.zwxy(), y.zwxy()) + areas(x.wxyz(), y.wxyz());
    let Some((_, lane)) = most(heights.abs() - spreads, x, y, reach)? else { return Err(Missing::Unclear) };
    let (of_a, len) = if lane < 2 { (true, a.len) } else { (false, b.len) };
    // Of two opposite sides, the one that faces the other shape.
    let is_behind = (heights.cmplt(Vec4::ZERO).bitmask() >> lane) & 1 == 1;
    Ok(Side { of_a, index: (lane & 1) + if of_a == is_behind { len / 2 } else { 0 } })
}

/// Whether a point is near enough, by its squared distance, if that is certain, where coordinates are of this size.
///
/// With an error `e` of the coordinates, that of the square of a distance `d` is `2de + ee`. Up to twice the reach that
/// is below `4(reach + e)e`, and beyond it three quarters of the square are gap: enough once the gap is above `16ee`.
///
/// Where the square of a side may have overflowed on the way, nothing is certain.
#[inline]
pub(super) fn near(distance_squared: f32, reach: f32, size: f32) -> Option<bool> {
    let gap = distance_squared - reach * reach;
    let error = size * SCREEN;
    let doubt = 4.0 * error * (reach + 4.0 * error) + f32::MIN_POSITIVE;
    (gap.abs() > doubt && (8.0 * size * size).is_finite()).then_some(gap < 0.0)
}
