//! Outlines for drawing: every drawn point is on the border of the tested shape, up to its rounding to `f32`.

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::any::Shape;
use crate::geometry::{Hull, Support, lerp};
use crate::math::tolerance::OUTLINE_FLATNESS;

/// An outline is divided no more often. No convex shape needs a tenth of that; a user's shape whose support point jumps with
/// every bit of the direction would be divided millions of times.
const MAX_DIVISIONS: usize = 4096;

/// A part of an outline is divided no more often. Its direction then turns by less than the rounding of a point.
const MAX_DEPTH: u32 = 24;

/// Calls `line` with the ends of every side of a shape's outline, in order around it.
pub(crate) fn outline(shape: &Shape, line: &mut dyn FnMut(Vec2, Vec2)) {
    match shape {
        Shape::Segment(segment) => {
            let [a, b] = segment.ends();
            line(a, b);
        }
        Shape::Rect(rect) => ring(rect.corners(), line),
        Shape::Polygon(polygon) => ring(polygon.points(), line),
        smooth_shape => support_outline(&smooth_shape.hull(), line),
    }
}

/// Calls `line` with the ends of every side of the outline of any convex shape. The corners are support points, closer
/// together where the curvature is larger.
pub(crate) fn support_outline(shape: &Hull<'_>, line: &mut dyn FnMut(Vec2, Vec2)) {
    let flat = shape.extent() * OUTLINE_FLATNESS;
    let center = shape.center.as_dvec2();
    // A direction and the support point along it.
    let corner = |direction: DVec2| (direction, shape.furthest(direction));
    // The parts of the outline that are not drawn yet, the first one last.
    let mut pending: SmallVec<[(_, _, u32); 32]> = SmallVec::new();
    for quarter in [DVec2::NEG_Y, DVec2::NEG_X, DVec2::Y, DVec2::X] {
        pending.push((corner(quarter), corner(quarter.perp()), 0));
    }
    let mut divisions = 0;
    let points = core::iter::from_fn(|| {
        loop {
            let (from, to, depth) = pending.pop()?;
            let middle = corner((from.0 + to.0).normalize());
            let [start, bend, end] = [from.1, middle.1, to.1];
            let bent = bend.distance_squared(lerp(start, end, 0.5)) > flat * flat && bend != start && bend != end;
            // A part may bend although its middle is at an end or on the chord.
            if depth >= 2 && !(bent && depth < MAX_DEPTH && divisions < MAX_DIVISIONS) {
                return Some((center + start).as_vec2());
            }
            divisions += 1;
            pending.push((middle, to, depth + 1));
            pending.push((from, middle, depth + 1));
        }
    });
    ring(points, line);
}

/// Draws a closed line through a sequence of points.
fn ring(points: impl IntoIterator<Item = Vec2>, line: &mut dyn FnMut(Vec2, Vec2)) {
    let mut points = points.into_iter();
    let Some(first) = points.next() else { return };
    let (mut last, mut is_point) = (first, true);
    for point in points.chain([first]) {
        if point != last {
            line(last, point);
            is_point = false;
        }
        last = point;
    }
    if is_point {
        line(first, first);
    }
}
