//! The choice of the side with the largest gap, four sides at a time.

use glam::Vec4;

use super::four_vectors::FourVectors;

/// A side of one of two outlines.
#[derive(Clone, Copy)]
pub(crate) struct OwnedSide {
    /// `true` for a side of the first outline.
    pub(crate) of_a: bool,
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

/// Returns the largest of four gaps, squared with its sign kept, and its lane; `None` if no lane has an edge with a
/// length. The gaps are times the lengths of their edges.
///
/// # Errors
/// If a gap is larger than `reach`, or if the square of an edge overflows or is denormal.
#[inline]
pub(super) fn best_axis(gaps: Vec4, edges: FourVectors, reach: f32) -> Result<Option<(f32, usize)>, NotFound> {
    let squares = edges.length_squared();
    // Before the division, since this ends the search for most shapes that are apart. Denormal numbers are too coarse.
    let limits = (squares * (reach * reach)).max(Vec4::splat(f32::MIN_POSITIVE));
    if (gaps * gaps.abs()).cmpgt(limits).any() {
        return Err(NotFound::Beyond);
    }
    let is_point = edges.x.cmpeq(Vec4::ZERO) & edges.y.cmpeq(Vec4::ZERO);
    if !(is_point | (squares.cmpge(Vec4::splat(f32::MIN_POSITIVE)) & squares.cmplt(Vec4::INFINITY))).all() {
        return Err(NotFound::Unclear);
    }
    // An edge without length has no axis. Its quotient, zero by zero, would hide the gaps of the other lanes.
    let squared_gaps = Vec4::select(is_point, Vec4::NEG_INFINITY, gaps / squares * gaps.abs());
    let best = squared_gaps.max_element();
    let lane = squared_gaps.cmpeq(Vec4::splat(best)).bitmask().trailing_zeros() as usize;
    Ok((best > f32::NEG_INFINITY).then_some((best, lane)))
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    #[test]
    fn edges_without_length_have_no_best_axis() {
        assert!(matches!(best_axis(Vec4::ZERO, FourVectors::splat(Vec2::ZERO), 1.0), Ok(None)));
    }
}
