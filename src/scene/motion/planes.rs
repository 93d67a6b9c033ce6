use glam::DVec2;
use smallvec::SmallVec;

/// Surfaces that a motion must not lead into: in two dimensions a cone of motions that are left.
#[derive(Debug, Default)]
pub(super) struct Planes(SmallVec<[Plane; 8]>);

#[derive(Debug, Clone, Copy)]
struct Plane {
    normal: DVec2,
    /// Where the mover was when it met it.
    met: DVec2,
}

/// Rounding of a motion along a plane, as a part of its length.
const ALONG: f64 = 1e-9;

impl Planes {
    /// Adds one that was met where the mover is now.
    pub(super) fn push(&mut self, normal: DVec2, met: DVec2) {
        self.0.push(Plane { normal, met });
    }

    /// Forgets those from which the mover has moved away by more than a distance.
    pub(super) fn leave(&mut self, moved: DVec2, distance: f64) {
        self.0.retain(|plane| (moved - plane.met).dot(plane.normal) <= distance);
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// What is left of a motion: the nearest to it that leads into none.
    pub(super) fn clip(&self, motion: DVec2) -> DVec2 {
        let along = self.0.iter().map(|plane| motion - plane.normal * motion.dot(plane.normal));
        let slack = motion.length() * ALONG;
        let leads_into_none = |way: &DVec2| self.0.iter().all(|plane| way.dot(plane.normal) >= -slack);
        core::iter::once(motion)
            .chain(along)
            .filter(leads_into_none)
            .reduce(|best, way| if way.distance_squared(motion) < best.distance_squared(motion) { way } else { best })
            .unwrap_or(DVec2::ZERO)
    }
}

/// The shortest way to the far side of several planes, each given by its normal and how far along that it is; `None` if
/// there is no such place.
pub(super) fn beyond(planes: &[(DVec2, f64)]) -> Option<DVec2> {
    let size = planes.iter().fold(0.0_f64, |most, (_, height)| most.max(height.abs()));
    let is_beyond = |place: &DVec2| planes.iter().all(|(normal, height)| place.dot(*normal) >= height - size * ALONG);
    // It lies where it begins, straight beyond one of them, or where two cross.
    let straight = planes.iter().map(|(normal, height)| *normal * *height);
    let crossings = planes.iter().enumerate().flat_map(|(index, (m, p))| {
        planes[..index].iter().filter_map(move |(n, q)| {
            let area = m.perp_dot(*n);
            (area.abs() > ALONG).then(|| (m.perp() * *q - n.perp() * *p) / area)
        })
    });
    core::iter::once(DVec2::ZERO)
        .chain(straight)
        .chain(crossings)
        .filter(is_beyond)
        .reduce(|best, place| if place.length_squared() < best.length_squared() { place } else { best })
}

#[cfg(test)]
mod tests {
    use glam::dvec2;

    use super::*;

    #[test]
    fn of_the_ways_that_lead_into_no_plane_the_nearest_to_the_motion_is_left() {
        // Out of a wedge of a floor and a slanting ceiling, along the floor: the ceiling is a longer way round.
        let (floor, ceiling) = (DVec2::Y, dvec2(0.6, -0.8));
        for normals in [[floor, ceiling], [ceiling, floor]] {
            let mut planes = Planes::default();
            normals.into_iter().for_each(|normal| planes.push(normal, DVec2::ZERO));
            assert_eq!(planes.clip(dvec2(1.0, -0.125)), DVec2::X);
        }
    }

    #[test]
    fn beyond_several_planes_lies_the_nearest_place_that_is() {
        let (floor, slope) = (DVec2::Y, dvec2(0.6, 0.8));
        let cases = [
            // Straight beyond one is beyond the other as well.
            ([(floor, 1.0), (slope, 0.5)], DVec2::Y),
            ([(floor, 0.25), (slope, 1.0)], slope),
            // Only where they cross.
            ([(floor, 1.0), (slope, 1.1)], dvec2(0.5, 1.0)),
            ([(floor, -1.0), (slope, -1.0)], DVec2::ZERO),
        ];
        for (mut planes, nearest) in cases {
            for _ in 0..2 {
                let found = beyond(&planes).unwrap();
                assert!(found.distance(nearest) < 1e-12, "{planes:?}: {found}");
                planes.reverse();
            }
        }
        assert_eq!(beyond(&[(DVec2::Y, 1.0), (DVec2::NEG_Y, 0.0)]), None);
    }
}
