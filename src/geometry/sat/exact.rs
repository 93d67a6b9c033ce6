//! The separating axis test for polygons, in `f64`.
//!
//! The inputs are `f32`, so differences and products are exact; what remains is the rounding of a few sums and a root.

use glam::DVec2;

use crate::geometry::minkowski::Difference;
use crate::geometry::points::Outline;
use crate::geometry::separation::{Frame, Operand};
use crate::geometry::{Points, Separation, gjk};

/// Returns the separation of two polygons: by the best separating axis if they overlap, else by their closest points.
pub(crate) fn separation(a: &Outline, b: &Outline, frame: &Frame) -> Separation {
    let mut axes = (0..a.count() + b.count()).filter_map(|index| match index.checked_sub(a.count()) {
        None => Axis::new(a.edge(index), b, frame.offset, Operand::A),
        Some(index) => Axis::new(b.edge(index), a, -frame.offset, Operand::B),
    });
    let best = axes.clone().reduce(|best, axis| if axis.gap > best.gap { axis } else { best });
    if let Some(found) = &best {
        // Of several sides with this gap, as a polygon without area has, the one that is opposite to the nearest or
        // deepest point.
        let is_opposite = |axis: &Axis| axis.gap >= found.gap - frame.tolerance && (0.0..=1.0).contains(&axis.along);
        let opposite = if is_opposite(found) { None } else { axes.find(is_opposite) };
        match opposite {
            Some(axis) => return axis.separation(frame),
            None if found.gap < -frame.tolerance || is_opposite(found) => return found.separation(frame),
            None => {}
        }
    }
    let start = best.as_ref().map_or(frame.offset, Axis::outward);
    let (of_a, of_b) = (|u| a.furthest(u), |u| b.furthest(u));
    let nearest = gjk::distance(&Difference { a: &of_a, b: &of_b, frame }, start, f64::INFINITY);
    match (nearest, best) {
        // They touch to within rounding. The side's normal is the better one, but not the side's point. Rounded corners may
        // turn a short side of a long shape, and give it a gap that does not exist.
        (Some(nearest), Some(axis)) if nearest.gap.max(axis.gap) <= frame.tolerance => {
            Separation { on_a: nearest.on_a, on_b: nearest.on_b, ..axis.separation(frame) }
        }
        (Some(nearest), _) => nearest,
        (None, Some(axis)) => axis.separation(frame),
        // No side has a length: both polygons are points.
        (None, None) => frame.separation(0.0, DVec2::X, a.point(0), b.point(0)),
    }
}

/// A separating axis: a side of one polygon, and the other polygon's point that is nearest to it or deepest behind it.
struct Axis {
    /// The signed distance of the point from the side.
    gap: f64,
    /// The outward normal of the side.
    normal: DVec2,
    /// The side: its start, and the vector to its end.
    edge: (DVec2, DVec2),
    /// The polygon with the side.
    operand: Operand,
    /// The projection of the point on the side: 0 at the start, 1 at the end.
    along: f64,
}

impl Axis {
    /// Returns `None` for a side without length.
    fn new((start, edge): (DVec2, DVec2), other: &Outline, offset: DVec2, operand: Operand) -> Option<Self> {
        let length = edge.length();
        if length == 0.0 {
            return None;
        }
        let normal = -edge.perp() / length;
        // The points are subtracted first and the centres second, so that exchanging the shapes negates every number
        // exactly.
        let relative = |point: DVec2| (point - start) + offset;
        let deepest = other.furthest(-normal);
        let gap = relative(deepest).dot(normal);
        let along = relative(deepest).dot(edge) / (length * length);
        Some(Self { gap, normal, edge: (start, edge), operand, along })
    }

    /// Returns the normal, from the first polygon to the second.
    fn outward(&self) -> DVec2 {
        match self.operand {
            Operand::A => self.normal,
            Operand::B => -self.normal,
        }
    }

    fn separation(&self, frame: &Frame) -> Separation {
        // The point of the side opposite the deepest one. If the polygons have parallel sides, the deepest point is an
        // end of one, which may project beyond the other; then the end of the other is opposite to it.
        let on_side = self.edge.0 + self.edge.1 * self.along.clamp(0.0, 1.0);
        frame.separation_at(self.operand, on_side, self.normal, self.gap)
    }
}
