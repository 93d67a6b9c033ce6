//! The screen for polygons of any number of corners: the separating axis test, four edges at a time.

use glam::{Vec2, Vec4};

use super::zonotope::{doubt, magnitude, near};
use crate::math::tolerance::SCREEN;

/// Four edges of a polygon; where it has fewer, the last one is repeated.
struct Edges {
    start_x: Vec4,
    start_y: Vec4,
    edge_x: Vec4,
    edge_y: Vec4,
}

impl Edges {
    /// The edges from `first` on, of an outline relative to `origin`.
    fn new(outline: &[Vec2], first: usize, origin: Vec2) -> Self {
        let last = outline.len() - 1;
        let lanes = [0, 1, 2, 3].map(|lane: usize| {
            let from = (first + lane).min(last);
            let to = if from == last { 0 } else { from + 1 };
            (outline[from] - origin, outline[to] - outline[from])
        });
        Self {
            start_x: Vec4::from_array(lanes.map(|(start, _)| start.x)),
            start_y: Vec4::from_array(lanes.map(|(start, _)| start.y)),
            edge_x: Vec4::from_array(lanes.map(|(_, edge)| edge.x)),
            edge_y: Vec4::from_array(lanes.map(|(_, edge)| edge.y)),
        }
    }

    /// The least height of the points outside each edge, times its length.
    fn heights(&self, points: &[Vec2]) -> Vec4 {
        points.iter().fold(Vec4::INFINITY, |least, point| {
            let (x, y) = (Vec4::splat(point.x) - self.start_x, Vec4::splat(point.y) - self.start_y);
            least.min(self.edge_y * x - self.edge_x * y)
        })
    }

    fn length_squared(&self) -> Vec4 {
        self.edge_x * self.edge_x + self.edge_y * self.edge_y
    }

    /// The squared distance of the points to the nearest edge.
    fn nearest(&self, points: &[Vec2]) -> f32 {
        // An edge without length is its start, whatever it is divided by.
        let inverse = self.length_squared().max(Vec4::splat(f32::MIN_POSITIVE)).recip();
        let nearest = points.iter().fold(Vec4::INFINITY, |nearest, point| {
            let (x, y) = (Vec4::splat(point.x) - self.start_x, Vec4::splat(point.y) - self.start_y);
            let t = ((x * self.edge_x + y * self.edge_y) * inverse).max(Vec4::ZERO).min(Vec4::ONE);
            let (x, y) = (x - self.edge_x * t, y - self.edge_y * t);
            nearest.min(x * x + y * y)
        });
        nearest.min_element()
    }
}

/// The best separating axis of two such outlines: whether it is an edge of the first, and the index of the edge's
/// start. Exact to `f32`; `None` where there are no edges or the sizes leave the range in which their squares are.
pub(super) fn deepest(a: &[Vec2], b: &[Vec2], offset: Vec2) -> Option<(bool, usize)> {
    let mut best = (f32::NEG_INFINITY, None);
    for (outline, points, origin, of_first) in [(a, b, offset, true), (b, a, -offset, false)] {
        for first in (0..outline.len()).step_by(4).filter(|_| outline.len() > 1) {
            let edges = Edges::new(outline, first, origin);
            let squares = edges.length_squared();
            let heights = edges.heights(points);
            let is_point = edges.edge_x.cmpeq(Vec4::ZERO) & edges.edge_y.cmpeq(Vec4::ZERO);
            if !(is_point | (squares.cmpge(Vec4::splat(f32::MIN_POSITIVE)) & heights.abs().cmplt(Vec4::INFINITY))).all()
            {
                return None;
            }
            // Without length there is no axis: zero over zero would hide its neighbours' heights.
            let lengths = Vec4::from_array(squares.to_array().map(f32::sqrt));
            let gaps = Vec4::select(is_point, Vec4::NEG_INFINITY, heights / lengths);
            let most = gaps.max_element();
            if most > best.0 {
                let lane = gaps.cmpeq(Vec4::splat(most)).bitmask().trailing_zeros() as usize;
                best = (most, Some((of_first, (first + lane).min(outline.len() - 1))));
            }
        }
    }
    best.1.filter(|_| best.0.is_finite())
}

/// Whether two convex outlines, counter-clockwise and each relative to its own centre, come within `reach` of each
/// other, or `None` for a near tie. One or two points are a point and a segment.
pub(super) fn within(a: &[Vec2], b: &[Vec2], offset: Vec2, reach: f32) -> Option<bool> {
    let extent = |points: &[Vec2]| points.iter().fold(Vec2::ZERO, |most, point| most.max(point.abs())).element_sum();
    let size = magnitude(offset) + extent(a) + extent(b) + reach;
    let (mut inside, mut outside) = (a.len().max(b.len()) > 2, false);
    for (outline, points, origin) in [(a, b, offset), (b, a, -offset)] {
        for first in (0..outline.len()).step_by(4).filter(|_| outline.len() > 1) {
            let edges = Edges::new(outline, first, origin);
            let heights = edges.heights(points);
            let doubt = (edges.edge_x.abs() + edges.edge_y.abs()) * (size * SCREEN) + Vec4::splat(doubt(0.0));
            inside &= heights.cmplt(-doubt).all();
            let beyond = (heights - doubt).max(Vec4::ZERO);
            let limit = edges.length_squared() * (reach * reach * (1.0 + SCREEN));
            if (beyond * beyond).cmpgt(limit).any() {
                return Some(false);
            }
            outside |= heights.cmpgt(doubt).any();
        }
    }
    if inside {
        return Some(true);
    }
    if reach == 0.0 {
        return None;
    }
    let mut nearest = f32::INFINITY;
    for (outline, points, origin) in [(a, b, offset), (b, a, -offset)] {
        for first in (0..outline.len()).step_by(4) {
            nearest = nearest.min(Edges::new(outline, first, origin).nearest(points));
        }
    }
    near(nearest, reach, size).filter(|within| *within || outside)
}
