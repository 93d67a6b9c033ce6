//! The Minkowski difference `A - B` of two convex shapes, sampled by their support functions.
//!
//! The shapes overlap if the difference contains the origin, and their distance is that of the origin from it.

use glam::DVec2;

use super::points::lerp;
use super::separation::Frame;
use super::support::Support;
use crate::math::tolerance::{MAX_ITERATIONS, SLOPE_ROUNDING};

/// A point of the difference `A - B`, and the two points that it is the difference of.
#[derive(Clone, Copy)]
pub(super) struct Vertex {
    pub(super) point: DVec2,
    pub(super) on_a: DVec2,
    pub(super) on_b: DVec2,
}

impl Vertex {
    /// Returns the vertex furthest along `direction`.
    pub(super) fn new(a: &dyn Support, b: &dyn Support, frame: &Frame, direction: DVec2) -> Self {
        let (on_a, on_b) = (a.furthest(direction), b.furthest(-direction));
        Self { point: (on_a - on_b) - frame.offset, on_a, on_b }
    }

    /// Returns the vertex between two others at the fraction `t`.
    pub(super) fn lerp(self, other: Self, t: f64) -> Self {
        Self {
            point: lerp(self.point, other.point, t),
            on_a: lerp(self.on_a, other.on_a, t),
            on_b: lerp(self.on_b, other.on_b, t),
        }
    }
}

/// Returns the point of an edge that is nearest to `target`.
pub(super) fn nearest_on_edge(from: Vertex, to: Vertex, target: DVec2) -> Vertex {
    let edge = to.point - from.point;
    let length_squared = edge.length_squared();
    let along = (target - from.point).dot(edge);
    from.lerp(to, if length_squared > 0.0 { (along / length_squared).clamp(0.0, 1.0) } else { 0.0 })
}

/// A direction and the vertex furthest along it.
pub(super) type Probe = (DVec2, Vertex);

/// Returns the derivative of the penetration depth with respect to the angle of its direction: the tangential part of
/// the vertex.
fn slope((direction, vertex): &Probe) -> f64 {
    vertex.point.dot(direction.perp())
}

/// Returns `true` if there is a local minimum of the depth between two directions.
pub(super) fn enclose(ends: &[Probe; 2]) -> bool {
    slope(&ends[0]) < 0.0 && slope(&ends[1]) > 0.0
}

/// Returns two directions, a quarter turn apart, that enclose the local minimum of the depth next to `normal`.
pub(super) fn enclose_minimum(vertex: &dyn Fn(DVec2) -> Vertex, normal: DVec2) -> [Probe; 2] {
    let probe = |direction: DVec2| (direction, vertex(direction));
    let from = probe(normal);
    if slope(&from) < 0.0 { [from, probe(normal.perp())] } else { [probe(-normal.perp()), from] }
}

/// Minimises the depth between two directions by the sign of its [`slope`], starting at `normal`. Returns the depth, its
/// direction and its vertex.
///
/// Every other step is the root of the line through the two slopes, which finds the minimum of a smooth shape fast. The
/// steps between are normal to the line through the two vertices, which finds a flat side and moves the other end.
pub(super) fn polish(
    vertex: &dyn Fn(DVec2) -> Vertex,
    frame: &Frame,
    depth: f64,
    normal: DVec2,
    [mut low, mut high]: [Probe; 2],
) -> (f64, DVec2, Vertex) {
    let mut best = (depth, normal, vertex(normal));
    let mut weights = [-slope(&low), slope(&high)];
    let (mut middle, rounding) = (normal, frame.tolerance * SLOPE_ROUNDING);
    for step in 0..MAX_ITERATIONS {
        let probe = (middle, vertex(middle));
        let depth = probe.1.point.dot(middle);
        if depth < best.0 {
            best = (depth, middle, probe.1);
        }
        let slope = slope(&probe);
        if slope < -rounding {
            low = probe;
            weights[0] = -slope;
        } else if slope > rounding {
            high = probe;
            weights[1] = slope;
        } else {
            break;
        }
        let next = match step % 2 {
            0 => low.0 * weights[1] + high.0 * weights[0],
            _ => -(high.1.point - low.1.point).perp(),
        };
        let is_between = |next: &DVec2| low.0.perp_dot(*next) >= 0.0 && next.perp_dot(high.0) >= 0.0;
        match next.try_normalize().filter(is_between).or_else(|| (low.0 + high.0).try_normalize()) {
            Some(next) if next != low.0 && next != high.0 => middle = next,
            _ => break,
        }
    }
    // The vertices of a flat side are its ends; the deepest point lies between them.
    let (depth, normal, at) = best;
    let between = nearest_on_edge(low.1, high.1, normal * depth);
    let distance_squared = |vertex: Vertex| vertex.point.distance_squared(normal * depth);
    (depth, normal, if distance_squared(between) < distance_squared(at) { between } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_of_an_edge_without_length_is_its_start() {
        let vertex = |point: DVec2| Vertex { point, on_a: point * 2.0, on_b: point };
        let end = vertex(DVec2::new(3.0, -1.0));
        assert_eq!(nearest_on_edge(end, end, DVec2::ONE).on_a, end.on_a);
        assert_eq!(nearest_on_edge(end, vertex(DVec2::new(3.0, 3.0)), DVec2::ONE).on_a, DVec2::new(6.0, 2.0));
    }
}
