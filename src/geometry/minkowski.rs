//! The Minkowski difference `A - B` of two convex shapes, sampled by their support functions.
//!
//! The shapes overlap if the difference contains the origin, and their distance is that of the origin from it.

use glam::DVec2;

use super::points::lerp;
use super::separation::Frame;
use super::support::Support;
use crate::math::tolerance::{MAX_ITERATIONS, SLOPE_ROUNDING};

/// The difference of two shapes.
pub(super) struct Difference<'a> {
    pub(super) a: &'a dyn Support,
    pub(super) b: &'a dyn Support,
    pub(super) frame: &'a Frame,
}

/// A point of the difference `A - B`, and the two points that it is the difference of.
#[derive(Clone, Copy)]
pub(super) struct Vertex {
    pub(super) point: DVec2,
    pub(super) on_a: DVec2,
    pub(super) on_b: DVec2,
}

/// A direction and the vertex furthest along it.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    pub(super) direction: DVec2,
    pub(super) vertex: Vertex,
}

impl Vertex {
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
pub(super) fn nearest_on_edge([from, to]: [Vertex; 2], target: DVec2) -> Vertex {
    let edge = to.point - from.point;
    let length_squared = edge.length_squared();
    let along = (target - from.point).dot(edge);
    from.lerp(to, if length_squared > 0.0 { (along / length_squared).clamp(0.0, 1.0) } else { 0.0 })
}

impl Probe {
    /// Returns the penetration depth along the direction.
    pub(super) fn depth(&self) -> f64 {
        self.vertex.point.dot(self.direction)
    }

    /// Returns the derivative of the penetration depth with respect to the angle of the direction: the tangential part
    /// of the vertex.
    fn slope(&self) -> f64 {
        self.vertex.point.dot(self.direction.perp())
    }
}

/// Returns `true` if there is a local minimum of the depth between two directions.
pub(super) fn bracket_a_minimum(ends: &[Probe; 2]) -> bool {
    ends[0].slope() < 0.0 && ends[1].slope() > 0.0
}

impl Difference<'_> {
    /// Returns the vertex furthest along `direction`.
    pub(super) fn vertex(&self, direction: DVec2) -> Vertex {
        let (on_a, on_b) = (self.a.furthest(direction), self.b.furthest(-direction));
        Vertex { point: (on_a - on_b) - self.frame.offset, on_a, on_b }
    }

    /// Returns the vertex furthest along `direction`, with this direction.
    pub(super) fn probe(&self, direction: DVec2) -> Probe {
        Probe { direction, vertex: self.vertex(direction) }
    }

    /// Returns two probes, a quarter turn apart, between which the local minimum of the depth next to one of them is.
    pub(super) fn bracket_minimum(&self, from: Probe) -> [Probe; 2] {
        let across = from.direction.perp();
        if from.slope() < 0.0 { [from, self.probe(across)] } else { [self.probe(-across), from] }
    }

    /// Minimises the depth between two directions by the sign of its slope, starting at one between them. Returns the
    /// probe of the least depth, and the deepest point, which may be between two vertices.
    ///
    /// Every other step is the root of the line through the two slopes, which finds the minimum of a smooth shape fast.
    /// The steps between are normal to the line through the two vertices, which finds a flat side and moves the other
    /// end.
    ///
    /// Source: regula falsi; e.g. Press et al., *Numerical Recipes* (2007), section 9.2.
    pub(super) fn refine_minimum(&self, start: Probe, [mut low, mut high]: [Probe; 2]) -> (Probe, Vertex) {
        let (mut best, mut probe) = (start, start);
        let mut weights = [-low.slope(), high.slope()];
        let rounding = self.frame.tolerance * SLOPE_ROUNDING;
        for step in 0..MAX_ITERATIONS {
            if probe.depth() < best.depth() {
                best = probe;
            }
            let slope = probe.slope();
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
                0 => low.direction * weights[1] + high.direction * weights[0],
                _ => -(high.vertex.point - low.vertex.point).perp(),
            };
            let is_between =
                |next: &DVec2| low.direction.perp_dot(*next) >= 0.0 && next.perp_dot(high.direction) >= 0.0;
            let bisector = || (low.direction + high.direction).try_normalize();
            match next.try_normalize().filter(is_between).or_else(bisector) {
                Some(next) if next != low.direction && next != high.direction => probe = self.probe(next),
                _ => break,
            }
        }
        // The vertices of a flat side are its ends; the deepest point lies between them.
        let deepest = best.direction * best.depth();
        (best, nearer(deepest, best.vertex, nearest_on_edge([low.vertex, high.vertex], deepest)))
    }
}

/// Returns the one of two vertices that is nearer to a point, the first of equals.
pub(super) fn nearer(point: DVec2, first: Vertex, second: Vertex) -> Vertex {
    let distance_squared = |vertex: &Vertex| vertex.point.distance_squared(point);
    if distance_squared(&second) < distance_squared(&first) { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_of_an_edge_without_length_is_its_start() {
        let vertex = |point: DVec2| Vertex { point, on_a: point * 2.0, on_b: point };
        let end = vertex(DVec2::new(3.0, -1.0));
        assert_eq!(nearest_on_edge([end; 2], DVec2::ONE).on_a, end.on_a);
        assert_eq!(nearest_on_edge([end, vertex(DVec2::new(3.0, 3.0))], DVec2::ONE).on_a, DVec2::new(6.0, 2.0));
    }
}
