//! The screen for polygons of any number of corners: the separating axis test, four edges at a time.

use glam::{Vec2, Vec4};

use super::features::{Missing, Side};
use super::zonotope::{doubt, magnitude, near};
use crate::math::tolerance::SCREEN;

/// Four edges of a polygon; where it has fewer, they go around once more.
struct Edges {
    start_x: Vec4,
    start_y: Vec4,
    edge_x: Vec4,
    edge_y: Vec4,
}

impl Edges {
    /// The edges from `first` on, of an outline relative to `origin`.
    #[inline]
    fn new(outline: &[Vec2], first: usize, origin: Vec2) -> Self {
        let [a, b, c, d, e] = match outline[first..] {
            [a, b, c, d, e, ..] => [a, b, c, d, e],
            [a, b, c, d] => [a, b, c, d, outline[0]],
            [a, b] if first == 0 => [a, b, a, b, a],
            _ => [0, 1, 2, 3, 4].map(|lane| outline[(first + lane) % outline.len()]),
        };
        let (start_x, start_y) = (Vec4::new(a.x, b.x, c.x, d.x), Vec4::new(a.y, b.y, c.y, d.y));
        let (end_x, end_y) = (Vec4::new(b.x, c.x, d.x, e.x), Vec4::new(b.y, c.y, d.y, e.y));
        Self {
            start_x: start_x - Vec4::splat(origin.x),
            start_y: start_y - Vec4::splat(origin.y),
            edge_x: end_x - start_x,
            edge_y: end_y - start_y,
        }
    }

    /// The least height of the points outside each edge, times its length.
    #[inline]
    fn heights(&self, points: &[Vec2]) -> Vec4 {
        let least = points.iter().fold(Vec4::INFINITY, |least, point| {
            least.min(self.edge_y * Vec4::splat(point.x) - self.edge_x * Vec4::splat(point.y))
        });
        least - (self.edge_y * self.start_x - self.edge_x * self.start_y)
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

/// The best separating axis of two such outlines, as `f32` sees it, if none parts them by more than `reach`.
pub(super) fn deepest(a: &[Vec2], b: &[Vec2], offset: Vec2, reach: f32) -> Result<Side, Missing> {
    let mut best = (f32::NEG_INFINITY, Side { of_a: true, index: 0 });
    for (outline, points, origin, of_a) in [(a, b, offset, true), (b, a, -offset, false)] {
        for first in (0..outline.len()).step_by(4).filter(|_| outline.len() > 1) {
            let edges = Edges::new(outline, first, origin);
            if let Some((gap_squared, lane)) = most(edges.heights(points), edges.edge_x, edges.edge_y, reach)?
                && gap_squared > best.0
            {
                best = (gap_squared, Side { of_a, index: (first + lane) % outline.len() });
            }
        }
    }
    if best.0.is_finite() { Ok(best.1) } else { Err(Missing::Unclear) }
}

/// The greatest of four heights over edges, each divided by its edge's length and squared (with the sign kept), and
/// whose it is: nobody's if all are points. The heights come times their lengths.
#[inline]
pub(super) fn most(heights: Vec4, edge_x: Vec4, edge_y: Vec4, reach: f32) -> Result<Option<(f32, usize)>, Missing> {
    let squares = edge_x * edge_x + edge_y * edge_y;
    // Before the division, since most of what is apart ends here. Denormal numbers would be too rough.
    let limits = (squares * (reach * reach)).max(Vec4::splat(f32::MIN_POSITIVE));
    if (heights * heights.abs()).cmpgt(limits).any() {
        return Err(Missing::Beyond);
    }
    let is_point = edge_x.cmpeq(Vec4::ZERO) & edge_y.cmpeq(Vec4::ZERO);
    if !(is_point | (squares.cmpge(Vec4::splat(f32::MIN_POSITIVE)) & squares.cmplt(Vec4::INFINITY))).all() {
        return Err(Missing::Unclear);
    }
    // Without length there is no axis; zero over zero would hide its neighbours' heights.
    let squares = Vec4::select(is_point, Vec4::NEG_INFINITY, heights / squares * heights.abs());
    let most = squares.max_element();
    let lane = squares.cmpeq(Vec4::splat(most)).bitmask().trailing_zeros() as usize;
    Ok((most > f32::NEG_INFINITY).then_some((most, lane)))
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
        for first in (0..outline.len()).step_by(4).filter(|_| outline.len() > 1) {
            nearest = nearest.min(Edges::new(outline, first, origin).nearest(points));
        }
    }
    near(nearest, reach, size).filter(|within| *within || outside)
}
