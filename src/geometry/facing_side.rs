use glam::DVec2;

use super::points::lerp;
use super::{Hull, Points, with_points};
use crate::math::Each;

/// The flat side of a shape that faces a direction, relative to the shape's centre; one point twice if there is none.
pub(super) struct FacingSide {
    /// In the order along the tangent.
    ends: [DVec2; 2],
    /// The coordinates of the ends along the tangent.
    span: [f64; 2],
}

impl FacingSide {
    /// Finds the side whose normal differs from `direction` by an angle with at most this sine. `tangent` is
    /// perpendicular to `direction`; both are unit vectors.
    pub(super) fn new(shape: &Hull<'_>, direction: DVec2, tangent: DVec2, sine: f64) -> Self {
        let on_disc = shape.furthest_of_disc(direction);
        let side = with_points!(&shape.core, points => points.facing_side(direction, sine));
        let [a, b] = side.each(|end| end + on_disc);
        let (along_a, along_b) = (a.dot(tangent), b.dot(tangent));
        if along_a <= along_b {
            Self { ends: [a, b], span: [along_a, along_b] }
        } else {
            Self { ends: [b, a], span: [along_b, along_a] }
        }
    }

    /// Returns the stretch that this side shares with one of another shape, whose centre is `shift` further along the
    /// tangent: from the later start to the earlier end, which is before the start if they share none.
    pub(super) fn shared_with(&self, other: &Self, shift: f64) -> [f64; 2] {
        [self.span[0].max(other.span[0] + shift), self.span[1].min(other.span[1] + shift)]
    }

    /// Returns the middle of the stretch, relative to this shape's centre, and its length. `normal` is the unit normal of
    /// this side.
    pub(super) fn middle_with(&self, other: &Self, shift: f64, normal: DVec2) -> (DVec2, f64) {
        let [from, to] = self.shared_with(other, shift);
        let height = self.ends[0].dot(normal).max(self.ends[1].dot(normal));
        // `clamp` would panic for a piece of a user's shape that is not finite.
        let along = ((from + to) * 0.5).max(self.span[0]).min(self.span[1]);
        (normal * height + normal.perp() * along, (to - from).max(0.0))
    }

    /// Returns the lengths of the least displacements of the other side along the tangent, and against it, after which the
    /// two share nothing.
    #[inline]
    pub(super) fn exits(&self, other: &Self, shift: f64) -> [f64; 2] {
        [self.span[1] - other.span[0] - shift, other.span[1] + shift - self.span[0]]
    }

    #[inline]
    pub(super) fn is_point(&self) -> bool {
        self.span[0] == self.span[1]
    }

    /// Returns the point of the side with this coordinate along the tangent.
    pub(super) fn at(&self, along: f64) -> DVec2 {
        let ([low, high], [from, to]) = (self.ends, self.span);
        lerp(low, high, ((along - from) / (to - from)).clamp(0.0, 1.0))
    }
}
