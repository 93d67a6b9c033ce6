use glam::DVec2;

use super::touch::PieceId;
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

/// Returns the shortest displacement into all half-planes; `None` if there is none.
pub(super) fn shortest_into(half_planes: &[HalfPlane]) -> Option<DVec2> {
    let size = half_planes.iter().fold(0.0_f64, |most, other| most.max(other.distance.abs()));
    let is_inside = |point: &DVec2| {
        half_planes.iter().all(|other| point.dot(other.normal) >= other.distance - size * PLANE_ROUNDING)
    };
    // The nearest point of a convex region is the origin, the foot of an edge, or the crossing of two edges.
    let feet = half_planes.iter().map(|other| other.normal * other.distance);
    let crossings = half_planes.iter().enumerate().flat_map(|(index, a)| {
        half_planes[..index].iter().filter_map(move |b| {
            let area = a.normal.perp_dot(b.normal);
            (area.abs() > PLANE_ROUNDING).then(|| (a.normal.perp() * b.distance - b.normal.perp() * a.distance) / area)
        })
    });
    core::iter::once(DVec2::ZERO)
        .chain(feet)
        .chain(crossings)
        .filter(is_inside)
        .min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
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
