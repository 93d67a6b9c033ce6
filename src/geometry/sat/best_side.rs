//! The choice of the side with the largest gap, four sides at a time.

use glam::Vec4;

use super::four_vectors::{FourVectors, MIN_SQUARE};
use crate::geometry::separation::Operand;

/// A side of one of two outlines.
#[derive(Clone, Copy)]
pub(crate) struct ReferenceSide {
    /// The outline with the side.
    pub(crate) operand: Operand,
    /// The index of the side's start.
    pub(crate) index: usize,
}

/// The reason why an `f32` test found no side or feature.
pub(crate) enum NotFound {
    /// The outlines are further apart than the reach of the search.
    Beyond,
    /// A near tie, or no side has a length.
    Unclear,
}

/// Returns four gaps, squared with their signs kept, from the gaps times the lengths of their edges; negative infinity
/// for an edge without length.
///
/// # Errors
/// If a gap is larger than `reach`, or if the square of an edge overflows or is so small that the square of a gap may be
/// denormal.
#[inline(always)]
pub(super) fn squared_gaps(gaps: Vec4, edges: FourVectors, reach: f32) -> Result<Vec4, NotFound> {
    let squares = edges.length_squared();
    // Before the division, since this ends the search for most shapes that are apart. Denormal numbers are too coarse.
    let limits = edges.squared_reach(Vec4::splat(reach)).max(Vec4::splat(f32::MIN_POSITIVE));
    if (gaps * gaps.abs()).cmpgt(limits).any() {
        return Err(NotFound::Beyond);
    }
    let squared_gaps = gaps / squares * gaps.abs();
    // Then the square of a gap above the rounding of the outline, a millionth of its size, is a normal number.
    let is_regular = squares.cmpge(Vec4::splat(MIN_SQUARE)) & squares.cmplt(Vec4::INFINITY);
    if is_regular.all() {
        return Ok(squared_gaps);
    }
    // An edge without length has no axis. Its quotient, zero by zero, would hide the gaps of the other lanes.
    let is_point = edges.x.cmpeq(Vec4::ZERO) & edges.y.cmpeq(Vec4::ZERO);
    if (is_point | is_regular).all() {
        Ok(Vec4::select(is_point, Vec4::NEG_INFINITY, squared_gaps))
    } else {
        Err(NotFound::Unclear)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    #[test]
    fn edges_without_length_have_no_best_side() {
        assert_eq!(squared_gaps(Vec4::ZERO, FourVectors::splat(Vec2::ZERO), 1.0).ok(), Some(Vec4::NEG_INFINITY));
    }
}
