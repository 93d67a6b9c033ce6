//! Outlines for drawing: exactly the points of the tested shape.

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::any::Shape;
use super::family::Family;

/// How far the outline of a smooth shape may cut its corners, as a part of the shape's size.
const FLATNESS: f64 = 1e-3;

/// Calls `line` for every side of the outline of a shape, in order around it.
pub(crate) fn outline(shape: &Shape, line: &mut dyn FnMut(Vec2, Vec2)) {
    match shape {
        Shape::Segment(segment) => {
            let [a, b] = segment.ends();
            line(a, b);
        }
        Shape::Rect(rect) => ring(rect.corners(), line),
        Shape::Polygon(polygon) => ring(polygon.points(), line),
        Shape::Circle(circle) => smooth(circle, line),
        Shape::Capsule(capsule) => smooth(capsule, line),
        Shape::Ellipse(ellipse) => smooth(ellipse, line),
        Shape::Rounded(rounded) => smooth(&**rounded, line),
    }
}

/// The outline of any convex shape by its support points, closer together where it is bent more.
pub(crate) fn smooth(shape: &impl Family, line: &mut dyn FnMut(Vec2, Vec2)) {
    let flat = shape.extent() * FLATNESS;
    let center = shape.center().as_dvec2();
    let mut pen = Pen::default();
    let mut pending: SmallVec<[(DVec2, DVec2, u32); 32]> = SmallVec::new();
    for quarter in [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y] {
        pending.push((quarter, quarter.perp(), 0));
        while let Some((from, to, depth)) = pending.pop() {
            let middle = (from + to).normalize();
            let [start, bend, end] = [from, middle, to].map(|direction| shape.furthest(direction));
            let bent = bend.distance(start.lerp(end, 0.5)) > flat && bend != start && bend != end;
            if depth < 2 || (bent && depth < 24) {
                pending.push((middle, to, depth + 1));
                pending.push((from, middle, depth + 1));
            } else {
                pen.visit((center + start).as_vec2(), line);
            }
        }
    }
    pen.close(line);
}

fn ring(points: impl IntoIterator<Item = Vec2>, line: &mut dyn FnMut(Vec2, Vec2)) {
    let mut pen = Pen::default();
    for point in points {
        pen.visit(point, line);
    }
    pen.close(line);
}

/// Draws a closed line through the points it visits.
#[derive(Default)]
struct Pen {
    first: Option<Vec2>,
    last: Option<Vec2>,
}

impl Pen {
    fn visit(&mut self, point: Vec2, line: &mut dyn FnMut(Vec2, Vec2)) {
        match self.last {
            Some(last) if last != point => line(last, point),
            _ => {}
        }
        self.first = self.first.or(Some(point));
        self.last = Some(point);
    }

    fn close(self, line: &mut dyn FnMut(Vec2, Vec2)) {
        if let (Some(first), Some(last)) = (self.first, self.last) {
            line(last, first);
        }
    }
}
