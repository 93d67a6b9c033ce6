//! The closed forms for four pairs at a time, one pair per lane.
//!
//! They are those of a single pair, without the steps that few pairs need: these pairs stay undecided.

use glam::Vec4;

use super::four_vectors::FourVectors;
use crate::math::tolerance::FAST_OVERLAP;

/// The answers about four pairs, one bit each, that of the first pair lowest.
#[derive(Debug, Clone, Copy)]
pub struct FourAnswers {
    /// The pairs that overlap, of those that are decided.
    overlapping: u32,
    /// The pairs of which rounding could not change the answer.
    decided: u32,
}

impl FourAnswers {
    pub(crate) const UNDECIDED: Self = Self { overlapping: 0, decided: 0 };

    /// Returns answers of which only those of `decided` pairs count.
    #[inline(always)]
    pub(crate) fn new(overlapping: u32, decided: u32) -> Self {
        Self { overlapping: overlapping & decided, decided }
    }

    /// Returns the same answers, but `true` for the pairs in `overlapping`, and none for pairs that are not in `valid`.
    #[inline(always)]
    pub(crate) fn or_overlapping(self, overlapping: u32, valid: u32) -> Self {
        Self::new(self.overlapping | overlapping, (self.decided | overlapping) & valid)
    }

    /// Returns `true` for each pair that is decided and overlaps.
    #[inline(always)]
    pub(crate) fn overlapping(self) -> [bool; 4] {
        // Moves the lowest four bits into a byte each.
        (self.overlapping.wrapping_mul(0x0020_4081) & 0x0101_0101).to_le_bytes().map(|byte| byte != 0)
    }

    /// Returns whether a pair overlaps; `None` if it is not decided.
    #[must_use]
    pub fn answer(self, pair: usize) -> Option<bool> {
        (self.decided >> pair & 1 != 0).then_some(self.overlapping >> pair & 1 != 0)
    }
}

/// Returns the mask of the lanes whose [squares are finite](super::rounding::squares_are_finite).
#[inline(always)]
fn squares_are_finite(size: Vec4) -> u32 {
    (size * size * 8.0).cmplt(Vec4::INFINITY).bitmask()
}

/// Decides four distances as [`is_within`](super::rounding::is_within) does.
#[inline(always)]
pub(crate) fn are_within(distance_squared: Vec4, reach: Vec4, size: Vec4) -> FourAnswers {
    let gap = distance_squared - reach * reach;
    let error = size * FAST_OVERLAP;
    let doubt = error * 4.0 * (reach + error * 4.0) + f32::MIN_POSITIVE;
    FourAnswers::new(gap.cmplt(Vec4::ZERO).bitmask(), gap.abs().cmpgt(doubt).bitmask() & squares_are_finite(size))
}

/// Decides four pairs by the separating axes of their zonotopes, as the first half of
/// [`overlaps`](super::parallelograms::overlaps) does.
#[inline(always)]
pub(crate) fn zonotopes_overlap<const N: usize>(
    center: FourVectors,
    terms: Vec4,
    generators: [FourVectors; N],
    reach: Vec4,
) -> FourAnswers {
    let mut size = terms + reach;
    let (mut magnitudes, mut gaps) = ([Vec4::ZERO; N], [Vec4::ZERO; N]);
    for lane in 0..N {
        magnitudes[lane] = generators[lane].manhattan_length();
        gaps[lane] += generators[lane].perp_dot(center).abs();
        size += magnitudes[lane];
        for other in lane + 1..N {
            let area = generators[lane].perp_dot(generators[other]).abs();
            gaps[lane] -= area;
            gaps[other] -= area;
        }
    }
    let (mut apart, mut inside) = (0, u32::MAX);
    for lane in 0..N {
        let doubt = magnitudes[lane] * (size * FAST_OVERLAP) + f32::MIN_POSITIVE;
        let beyond = (gaps[lane] - doubt).max(Vec4::ZERO);
        apart |= (beyond * beyond).cmpgt(generators[lane].squared_reach(reach)).bitmask();
        inside &= gaps[lane].cmplt(-doubt).bitmask();
    }
    FourAnswers::new(inside, (apart | inside) & squares_are_finite(size))
}
