//! One closed form for points, segments and parallelograms in any pair, in `f32`.
//!
//! Each of them is point-symmetric: a sum of segments `±g`. The Minkowski difference of two such shapes is again one, a
//! *zonotope* with the generators `g` of both, and the shapes are within `reach` of each other if the origin is within
//! `reach` of it. The difference of a capsule and a rectangle has three generators, that of two rectangles four.
//!
//! Source: the separating axis theorem for zonotopes; e.g. L. J. Guibas, A. Nguyen, L. Zhang, *Zonotopes as bounding
//! volumes* (SODA 2003).

use glam::{DVec2, Vec2, Vec4, Vec4Swizzles};

use super::best_side::{NotFound, ReferenceSide, squared_gaps};
use super::four_vectors::FourVectors;
use super::rounding::{is_within, squares_are_finite};
use crate::geometry::points::Parallelogram;
use crate::geometry::separation::Operand;
use crate::math::Each;
use crate::math::tolerance::FAST_OVERLAP;

/// The `N` generators of a zonotope, two to four, one per lane, so that the tests are free of branches. Unused lanes
/// are zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Generators<const N: usize>(FourVectors);

/// The gaps along the axes across the generators, times the generators' lengths.
struct Gaps {
    /// The coordinates of the zonotope's centre along the axes.
    heights: Vec4,
    /// The signed distances of the origin from the faces; negative inside.
    gaps: Vec4,
}

impl<const N: usize> Generators<N> {
    #[inline(always)]
    pub(crate) fn new(generators: [Vec2; N]) -> Self {
        Self(FourVectors::new([0, 1, 2, 3].each(|lane| if lane < N { generators[lane] } else { Vec2::ZERO })))
    }

    /// Returns the generators rotated among the used lanes: `N - 1` rotations bring every other generator into each
    /// lane.
    #[inline(always)]
    fn rotated(&self, rotation: usize) -> FourVectors {
        let Self(FourVectors { x, y }) = self;
        let (x, y) = match (N, rotation) {
            (2, _) => (x.yxwz(), y.yxwz()),
            (3, 1) => (x.yzxw(), y.yzxw()),
            (3, _) => (x.zxyw(), y.zxyw()),
            (_, 1) => (x.yzwx(), y.yzwx()),
            (_, 2) => (x.zwxy(), y.zwxy()),
            _ => (x.wxyz(), y.wxyz()),
        };
        FourVectors { x, y }
    }

    /// Returns the separating axis test of the zonotope around `center` against the origin.
    #[inline(always)]
    fn gaps(&self, center: Vec2) -> Gaps {
        let heights = self.0.perp_dot(FourVectors::splat(center));
        let reach = (1..N).fold(Vec4::ZERO, |reach, rotation| reach + self.0.perp_dot(self.rotated(rotation)).abs());
        Gaps { heights, gaps: heights.abs() - reach }
    }
}

/// Returns whether the origin is within `reach` of the zonotope around `center`; `None` for a near tie.
///
/// `terms` is the sum of the absolute values that `center` was computed from: it bounds the rounding of `center`.
#[inline]
pub(crate) fn overlaps<const N: usize>(
    center: Vec2,
    terms: f32,
    generators: Generators<N>,
    reach: f32,
) -> Option<bool> {
    let axes = generators.0;
    let magnitudes = axes.manhattan_length();
    let size = terms + magnitudes.element_sum() + reach;
    if !squares_are_finite(size) {
        return None;
    }
    let Gaps { heights, gaps } = generators.gaps(center);
    let doubts = magnitudes * (size * FAST_OVERLAP) + f32::MIN_POSITIVE;
    let beyond = (gaps - doubts).max(Vec4::ZERO);
    let limit = axes.squared_reach(Vec4::splat(reach));
    let all = (1 << N) - 1;
    let (apart, inside) = ((beyond * beyond).cmpgt(limit).any(), gaps.cmplt(-doubts).bitmask() & all == all);
    let clear = apart | inside;
    if clear | (reach == 0.0) {
        return clear.then_some(inside);
    }
    // The side of the zonotope along each generator that faces the origin. Generators that may be parallel lengthen
    // it, as the generator itself does; the others carry it towards the origin.
    let (mut side, mut along) = (FourVectors::splat(center), axes);
    let facing = Vec4::ONE.copysign(heights);
    for rotation in 1..N {
        let other = generators.rotated(rotation);
        let area = axes.perp_dot(other);
        let is_parallel = area.abs().cmple(magnitudes * (other.manhattan_length() * FAST_OVERLAP));
        along = along + other * Vec4::select(is_parallel, Vec4::ONE.copysign(axes.dot(other)), Vec4::ZERO);
        side = side - other * Vec4::select(is_parallel, Vec4::ZERO, facing.copysign(facing * area));
    }
    let length_squared = along.normal_length_squared();
    let t = (side.dot(along) / length_squared).max(Vec4::NEG_ONE).min(Vec4::ONE);
    let distance_squared = (side - along * t).length_squared();
    // This is the distance from the border, so "far" is an answer only if the origin is certainly outside. (A lane
    // without a generator yields a chord, which is no nearer than the border.)
    let outside = gaps.cmpgt(doubts).any();
    is_within(distance_squared.min_element(), reach, size).filter(|within| *within || outside)
}

/// Returns the side with the largest gap of two parallelograms, segments or points.
///
/// # Errors
/// If they are certainly further apart than `reach`, or no side has a usable length.
// Inlined before the compiler forms vectors: a load of a coordinate of each of the two axes would wait for two stores,
// a fifth of a contact (W5 of `benches/peers`).
#[inline(always)]
pub(crate) fn best_side(
    a: &Parallelogram,
    b: &Parallelogram,
    offset: DVec2,
    reach: f32,
) -> Result<ReferenceSide, NotFound> {
    let center = ((b.middle - a.middle) + offset).as_vec2();
    let generators = Generators::new([a.axes[0], a.axes[1], b.axes[0], b.axes[1]].each(|axis| axis.as_vec2()));
    let Gaps { heights, gaps } = generators.gaps(center);
    let squared_gaps = squared_gaps(gaps, generators.0, reach)?;
    let most = squared_gaps.max_element();
    if most.is_nan() || most == f32::NEG_INFINITY {
        return Err(NotFound::Unclear);
    }
    let lane = squared_gaps.cmpeq(Vec4::splat(most)).bitmask().trailing_zeros() as usize;
    let (operand, len) = if lane < 2 { (Operand::A, a.len) } else { (Operand::B, b.len) };
    // Of two opposite sides, the one that faces the other shape.
    let is_behind = (heights.cmplt(Vec4::ZERO).bitmask() >> lane) & 1 == 1;
    Ok(ReferenceSide { operand, index: (lane & 1) + if (operand == Operand::A) == is_behind { len / 2 } else { 0 } })
}
