//! The penetration depth of two convex shapes by their support functions: the expanding polytope algorithm.
//!
//! Source: G. van den Bergen, *Proximity queries and penetration depth computation on 3D game objects* (2001), in the
//! plane: a polygon inside the [difference](super::minkowski) of the shapes grows where it is nearest to the origin.
//! The depth is exact for polygons of a few dozen corners. For others and for smooth shapes it always separates and is at
//! most 0.2 % longer than the shortest (in the worst case, concentric near-circles; usually it is exact to rounding).

use glam::DVec2;
use smallvec::SmallVec;

use super::gjk;
use super::minkowski::{Difference, Probe, Vertex, bracket_a_minimum, nearer, nearest_on_edge};
use super::separation::{Frame, Separation};
use crate::math::tolerance::{COARSE_DEPTH, MAX_ITERATIONS};
use crate::math::{Each, keep_least};

/// The capacity of the polygon: its four first vertices and one per iteration.
const MAX_VERTICES: usize = MAX_ITERATIONS + 4;

/// Returns the separation of the two shapes of a difference, by [`gjk`] if they are apart and by expanding a polytope if
/// they overlap.
pub(super) fn separation(difference: &Difference<'_>) -> Separation {
    let frame = difference.frame;
    match gjk::distance(difference, frame.offset, f64::INFINITY) {
        Some(apart) if apart.gap > frame.tolerance || apart.gap.is_nan() => apart,
        _ => penetration(difference),
    }
}

/// Returns whether the two shapes share a point, or `None` for a near tie, which [`separation`] decides.
pub(super) fn overlap(difference: &Difference<'_>) -> Option<bool> {
    let Frame { offset, tolerance, .. } = *difference.frame;
    // `separation` compares with the tolerance itself, but its gap may differ from this one by a part of it. Below half the
    // tolerance and above twice the tolerance, both give the same answer.
    let (common_point, apart) = (0.5 * tolerance, 2.0 * tolerance);
    match gjk::distance(difference, offset, apart).map(|found| found.gap) {
        None => Some(true),
        Some(gap) if (0.0..=common_point).contains(&gap) => Some(true),
        Some(gap) => (gap > apart).then_some(false),
    }
}

/// A vertex of the growing polygon, and the edge from it to the next vertex.
#[derive(Clone, Copy)]
struct Edge {
    from: Probe,
    /// The outward unit normal, and the distance of the edge from the origin along it; `None` for an edge without
    /// length.
    outward: Option<(DVec2, f64)>,
}

impl Edge {
    fn new(from: Probe, to: &Vertex) -> Self {
        let start = from.vertex.point;
        let normal = (-(to.point - start).perp()).try_normalize();
        Self { from, outward: normal.map(|outward| (outward, start.dot(outward))) }
    }
}

/// Returns the separation of the two shapes, which overlap.
fn penetration(difference: &Difference<'_>) -> Separation {
    let frame = difference.frame;
    // Counter-clockwise, each vertex with the direction that found it.
    let first = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].each(|direction| difference.probe(direction));
    let mut polygon: SmallVec<[Edge; MAX_VERTICES]> =
        (0..first.len()).map(|index| Edge::new(first[index], &first[(index + 1) % first.len()].vertex)).collect();
    // The probe with the least depth so far, and the ends of the edge that it was found from.
    let mut best: Option<(Probe, [Probe; 2])> = None;
    while polygon.len() < MAX_VERTICES {
        // The distance of the nearest edge is a lower bound of the depth.
        let edges = polygon.iter().enumerate();
        let distances = edges.filter_map(|(index, edge)| Some((edge.outward?, index)));
        let nearest = distances.reduce(|least, edge| if edge.0.1 < least.0.1 { edge } else { least });
        let Some(((outward, distance), index)) = nearest else { break };
        let probe = difference.probe(outward);
        let depth = probe.depth();
        let ends = [polygon[index].from, polygon[(index + 1) % polygon.len()].from];
        keep_least(&mut best, (probe, ends), |(probe, _)| probe.depth());
        if depth - distance <= frame.tolerance.max(depth * COARSE_DEPTH)
            || best.is_some_and(|(least, _)| least.depth() <= distance)
        {
            break;
        }
        polygon[index] = Edge::new(ends[0], &probe.vertex);
        polygon.insert(index + 1, Edge::new(probe, &ends[1].vertex));
    }
    let Some((best, ends)) = best else {
        // The difference is a single point: both shapes are points, at the same place.
        let only = polygon[0].from.vertex;
        return frame.separation(0.0, DVec2::X, only.on_a, only.on_b);
    };
    let ends = if bracket_a_minimum(&ends) { ends } else { difference.bracket_minimum(best) };
    let (best, at) = difference.refine_minimum(best, ends);
    // A flat side may have vertices between its ends, and the deepest point may lie between any two of them.
    let deepest = best.direction * best.depth();
    let corners = || polygon.iter().map(|edge| edge.from.vertex);
    let edges = corners().zip(corners().cycle().skip(1));
    let at = edges.fold(at, |at, (from, to)| nearer(deepest, at, nearest_on_edge([from, to], deepest)));
    frame.separation(-best.depth(), best.direction, at.on_a, at.on_b)
}
