//! The convex fallback: separation by support functions alone. It serves squashed discs and users' shapes, and the
//! tests hold every closed form against it.
//!
//! Apart, the nearest points are found as by Gilbert, Johnson and Keerthi (*A fast procedure for computing the distance
//! between complex objects in three-dimensional space*, 1988), in the plane: the difference `K = A - B` is probed
//! towards the origin until its nearest edge is. Overlapping, the depth is found as by van den Bergen (*Proximity
//! queries and penetration depth computation on 3D game objects*, 2001): a polygon inside `K` grows where it is nearest
//! to the origin. Both end exactly for polygons. For smooth shapes both are polished by following the slope of the
//! depth: the first is then exact to rounding; the second gives a depth that always separates and is at most 0.2 %
//! longer than the shortest (in the worst case, concentric near-circles; usually exact to rounding too).

use glam::DVec2;
use smallvec::SmallVec;

use super::separation::{Frame, Separation};
use crate::math::tolerance::ROUNDS;

/// A shape's furthest point along a unit vector, relative to its centre.
pub(super) trait Support: Fn(DVec2) -> DVec2 {}

impl<F: Fn(DVec2) -> DVec2> Support for F {}

/// A point of the difference `A - B`, and the points that make it.
#[derive(Clone, Copy)]
struct Vertex {
    point: DVec2,
    on_a: DVec2,
    on_b: DVec2,
}

impl Vertex {
    /// The vertex furthest along `direction`.
    fn new(a: &impl Support, b: &impl Support, frame: &Frame, direction: DVec2) -> Self {
        let (on_a, on_b) = (a(direction), b(-direction));
        Self { point: (on_a - on_b) - frame.offset, on_a, on_b }
    }

    fn mix(self, other: Self, t: f64) -> Self {
        Self {
            point: between(self.point, other.point, t),
            on_a: between(self.on_a, other.on_a, t),
            on_b: between(self.on_b, other.on_b, t),
        }
    }
}

/// What lies between two points. (The `lerp` of one glam rounds otherwise than that of another.)
pub(super) fn between(from: DVec2, to: DVec2, t: f64) -> DVec2 {
    from + (to - from) * t
}

/// The point of an edge that is nearest to another point.
fn nearest_on(from: Vertex, to: Vertex, target: DVec2) -> Vertex {
    let edge = to.point - from.point;
    let length_squared = edge.length_squared();
    let along = (target - from.point).dot(edge);
    from.mix(to, if length_squared > 0.0 { (along / length_squared).clamp(0.0, 1.0) } else { 0.0 })
}

/// How the shapes lie to each other, from nothing but their support functions.
pub(super) fn separation(a: &impl Support, b: &impl Support, frame: &Frame) -> Separation {
    match nearest(a, b, frame, frame.offset) {
        Some(nearest) if nearest.gap > frame.tolerance => nearest,
        _ => penetration(a, b, frame),
    }
}

/// The distance and the nearest points, or `None` if the shapes overlap; a common point with a gap of 0 may be found
/// before that is known. `towards` is a guess of the normal.
pub(super) fn nearest(a: &impl Support, b: &impl Support, frame: &Frame, towards: DVec2) -> Option<Separation> {
    let vertex = |direction: DVec2| Vertex::new(a, b, frame, direction);
    let first = vertex(towards.try_normalize().unwrap_or(DVec2::X));
    // The nearest edge found so far; equal ends are a point.
    let mut edge = (first, first);
    let mut nearest = first;
    let mut is_exact = false;
    for _ in 0..ROUNDS {
        let distance = nearest.point.length();
        if distance <= frame.tolerance {
            is_exact = true;
            break;
        }
        let outward = -nearest.point / distance;
        let probe = vertex(outward);
        // What lies beyond the probe cannot be nearer than this.
        let bound = -probe.point.dot(outward);
        if distance - bound <= frame.tolerance * 0.25 {
            is_exact = true;
            break;
        }
        let candidates = [(edge.0, probe), (probe, edge.1)];
        if encloses_origin(edge.0.point, probe.point, edge.1.point) {
            return None;
        }
        let [left, right] = candidates.map(|(from, to)| nearest_on(from, to, DVec2::ZERO));
        let (closer, side) =
            if left.point.length_squared() <= right.point.length_squared() { (left, 0) } else { (right, 1) };
        if closer.point.length_squared() >= nearest.point.length_squared() {
            break;
        }
        (nearest, edge) = (closer, candidates[side]);
    }
    let gap = nearest.point.length();
    let normal = if gap > 0.0 { -nearest.point / gap } else { DVec2::X };
    if is_exact {
        return Some(frame.between(gap, normal, nearest.on_a, nearest.on_b));
    }
    // Between smooth sides the last steps are too small to count; the slope still leads on.
    let (depth, normal, at) = polish(&vertex, f64::INFINITY, normal, around(&vertex, normal));
    Some(frame.between(-depth, normal, at.on_a, at.on_b))
}

/// Whether the origin lies inside of a triangle of either winding, and not on its border.
fn encloses_origin(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let sides = [a.perp_dot(b), b.perp_dot(c), c.perp_dot(a)];
    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
}

/// The shortest way out of an overlap.
fn penetration(a: &impl Support, b: &impl Support, frame: &Frame) -> Separation {
    let vertex = |direction: DVec2| Vertex::new(a, b, frame, direction);
    // A polygon inside the difference, counter-clockwise, each vertex with the direction that found it.
    let first = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(|direction| (direction, vertex(direction)));
    let mut ring: SmallVec<[Probe; RING]> = first.into_iter().collect();
    // The direction with the least way out so far, and its neighbours on the ring.
    let mut best: Option<(f64, DVec2, [Probe; 2])> = None;
    while ring.len() < RING {
        // The edge nearest to the origin: no way out is shorter than to it.
        let mut edge: Option<(f64, usize, DVec2)> = None;
        for index in 0..ring.len() {
            let (from, to) = (ring[index].1.point, ring[(index + 1) % ring.len()].1.point);
            let Some(outward) = (-(to - from).perp()).try_normalize() else { continue };
            let distance = from.dot(outward);
            if edge.is_none_or(|(least, ..)| distance < least) {
                edge = Some((distance, index, outward));
            }
        }
        let Some((distance, index, outward)) = edge else { break };
        let probe = vertex(outward);
        let depth = probe.point.dot(outward);
        let neighbours = [ring[index], ring[(index + 1) % ring.len()]];
        if best.is_none_or(|(least, ..)| depth < least) {
            best = Some((depth, outward, neighbours));
        }
        if depth - distance <= frame.tolerance || best.is_some_and(|(least, ..)| least <= distance) {
            break;
        }
        ring.insert(index + 1, (outward, probe));
    }
    let Some((depth, normal, neighbours)) = best else {
        // The difference is a single point: two points, one on the other.
        let (_, only) = ring[0];
        return frame.between(0.0, DVec2::X, only.on_a, only.on_b);
    };
    let (depth, normal, at) = polish(&vertex, depth, normal, neighbours);
    // A flat side may have more vertices than its ends, and what is deepest may lie between any two of them.
    let deepest = normal * depth;
    let edges = (0..ring.len()).map(|index| (ring[index].1, ring[(index + 1) % ring.len()].1));
    let at = edges.map(|(from, to)| nearest_on(from, to, deepest)).fold(at, |best, vertex| {
        let off = |vertex: Vertex| vertex.point.distance_squared(deepest);
        if off(vertex) < off(best) { vertex } else { best }
    });
    frame.between(-depth, normal, at.on_a, at.on_b)
}

/// How many vertices a ring may have: those that it begins with and one of each round.
const RING: usize = ROUNDS + 4;

/// A direction and the vertex furthest along it.
type Probe = (DVec2, Vertex);

/// How fast the depth grows as its direction turns counter-clockwise: the tangential part of the vertex.
fn slope((direction, vertex): &Probe) -> f64 {
    vertex.point.dot(direction.perp())
}

/// Two directions with the valley of the depth between them: one beside its bottom, and a quarter turn down from there.
fn around(vertex: &impl Fn(DVec2) -> Vertex, normal: DVec2) -> [Probe; 2] {
    let probe = |direction: DVec2| (direction, vertex(direction));
    let from = probe(normal);
    if slope(&from) < 0.0 { [from, probe(normal.perp())] } else { [probe(-normal.perp()), from] }
}

/// Follows the slope of the depth to the bottom of its valley, between two directions.
fn polish(
    vertex: &impl Fn(DVec2) -> Vertex,
    depth: f64,
    normal: DVec2,
    [mut low, mut high]: [Probe; 2],
) -> (f64, DVec2, Vertex) {
    let mut best = (depth, normal, vertex(normal));
    let mut middle = normal;
    for _ in 0..ROUNDS {
        let probe = (middle, vertex(middle));
        let depth = probe.1.point.dot(middle);
        if depth < best.0 {
            best = (depth, middle, probe.1);
        }
        let slope = slope(&probe);
        if slope < 0.0 {
            low = probe;
        } else if slope > 0.0 {
            high = probe;
        } else {
            break;
        }
        match (low.0 + high.0).try_normalize() {
            Some(next) if next != low.0 && next != high.0 => middle = next,
            _ => break,
        }
    }
    // Where a flat side is deepest, its vertices are its ends, and what is deepest lies between them.
    let (depth, normal, at) = best;
    let between = nearest_on(low.1, high.1, normal * depth);
    let off = |vertex: Vertex| vertex.point.distance_squared(normal * depth);
    (depth, normal, if off(between) < off(at) { between } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_of_an_edge_without_length_is_that_point() {
        let vertex = |point: DVec2| Vertex { point, on_a: point * 2.0, on_b: point };
        let end = vertex(DVec2::new(3.0, -1.0));
        assert_eq!(nearest_on(end, end, DVec2::ONE).on_a, end.on_a);
        assert_eq!(nearest_on(end, vertex(DVec2::new(3.0, 3.0)), DVec2::ONE).on_a, DVec2::new(6.0, 2.0));
    }
}
