use glam::DVec2;

use super::touch::{PieceId, Tie};
use crate::math::tolerance::PLANE_ROUNDING;

/// The half-plane in which a path out of a piece must end.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfPlane {
    /// The piece that the path leads out of, and the piece of the mover.
    pub(super) pieces: [PieceId; 2],
    /// The unit vector into the half-plane, across its edge.
    pub(super) normal: DVec2,
    /// The distance of the edge along the normal.
    pub(super) distance: f64,
}

impl HalfPlane {
    /// Returns a key that is least for the half-plane whose edge is furthest away.
    pub(super) fn tie(&self) -> Tie {
        (-self.distance, self.normal.to_array(), self.pieces)
    }
}

/// Returns the shortest displacement into all half-planes; `None` if there is none.
///
/// Source: R. Seidel, *Small-dimensional linear programming and convex hulls made easy* (1991), without the random order.
pub(super) fn shortest_into(half_planes: &[HalfPlane]) -> Option<DVec2> {
    let size = half_planes.iter().fold(0.0_f64, |most, other| most.max(other.distance.abs()));
    let rounding = size * PLANE_ROUNDING;
    let mut shortest = DVec2::ZERO;
    for (index, half_plane) in half_planes.iter().enumerate() {
        // If the shortest so far is outside of another half-plane, the next one is on the edge of that.
        if shortest.dot(half_plane.normal) < half_plane.distance - rounding {
            shortest = shortest_onto(half_plane, &half_planes[..index], rounding)?;
        }
    }
    Some(shortest)
}

/// Returns the shortest displacement onto the edge of a half-plane and into the others.
fn shortest_onto(edge: &HalfPlane, others: &[HalfPlane], rounding: f64) -> Option<DVec2> {
    let (foot, tangent) = (edge.normal * edge.distance, edge.normal.perp());
    // The part of the edge in the other half-planes, as coordinates along the tangent.
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for other in others {
        let (slope, missing) = (tangent.dot(other.normal), other.distance - foot.dot(other.normal));
        if slope > PLANE_ROUNDING {
            low = low.max(missing / slope);
        } else if slope < -PLANE_ROUNDING {
            high = high.min(missing / slope);
        } else if missing > rounding {
            return None;
        }
    }
    (low <= high + rounding).then(|| foot + tangent * low.max(0.0).min(high))
}

#[cfg(test)]
mod tests {
    use glam::dvec2;

    use super::*;

    #[test]
    fn the_shortest_displacement_into_several_half_planes_is_found() {
        let (floor, slope) = (DVec2::Y, dvec2(0.6, 0.8));
        let cases = [
            // The foot of one edge is in the other half-plane as well.
            ([(floor, 1.0), (slope, 0.5)], DVec2::Y),
            ([(floor, 0.25), (slope, 1.0)], slope),
            // Only the crossing is in both.
            ([(floor, 1.0), (slope, 1.1)], dvec2(0.5, 1.0)),
            ([(floor, -1.0), (slope, -1.0)], DVec2::ZERO),
        ];
        let pieces = [PieceId { slot: 0, piece: 0 }; 2];
        let half_plane = |(normal, distance)| HalfPlane { pieces, normal, distance };
        for (half_planes, nearest) in cases {
            let mut half_planes = half_planes.map(half_plane);
            for _ in 0..2 {
                let found = shortest_into(&half_planes).unwrap();
                assert!(found.distance(nearest) < 1e-12, "{half_planes:?}: {found}");
                half_planes.reverse();
            }
        }
        assert_eq!(shortest_into(&[(DVec2::Y, 1.0), (DVec2::NEG_Y, 0.0)].map(half_plane)), None);
    }
}
