use glam::DVec2;
use smallvec::SmallVec;

use super::mover::Mover;
use super::touch::{PieceId, Touch};
use crate::math::tolerance::PLANE_ROUNDING;

/// The least cosine of the angle between two pieces of one surface, along which a mover slides.
const ONE_SURFACE_COS: f64 = 0.9;

/// The surfaces that a displacement must not lead into. They leave a cone of displacements.
#[derive(Debug, Default)]
pub(super) struct Planes(SmallVec<[Plane; 8]>);

#[derive(Debug, Clone, Copy)]
struct Plane {
    /// The piece whose surface it is.
    id: PieceId,
    /// The normal of that surface. That of the plane differs for a slope that counts as an upright wall.
    surface: DVec2,
    normal: DVec2,
    /// The travel of the mover when it met the plane.
    met: DVec2,
}

impl Planes {
    /// Adds a plane with a normal for the surface that the mover touched after some travel.
    pub(super) fn push(&mut self, normal: DVec2, touch: &Touch, met: DVec2) {
        self.0.push(Plane { id: touch.id, surface: touch.normal, normal, met });
    }

    /// Removes the planes that the mover has left: it has moved away from them by more than half a skin, or past the
    /// ends of their pieces.
    pub(super) fn forget_left(&mut self, mover: &Mover<'_>) {
        self.0.retain(|plane| (mover.travel - plane.met).dot(plane.surface) <= 0.5 * mover.skin);
        if self.0.is_empty() {
            return;
        }
        let mut near: SmallVec<[PieceId; 8]> = SmallVec::new();
        mover.each_near(2.0 * mover.skin, &mut |piece| {
            if self.0.iter().any(|plane| plane.id == piece.pair.id) {
                near.push(piece.pair.id);
            }
        });
        self.0.retain(|plane| near.contains(&plane.id));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if a surface with this normal continues one of the planes, or if there are none: a mover slides along
    /// it then.
    pub(super) fn lead_along(&self, normal: DVec2) -> bool {
        self.0.is_empty() || self.0.iter().any(|plane| plane.surface.dot(normal) >= ONE_SURFACE_COS)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns `true` if a part of a displacement with this length leads into no plane.
    pub(super) fn admits(&self, part: DVec2, length: f64) -> bool {
        self.0.iter().all(|plane| part.dot(plane.normal) >= -length * PLANE_ROUNDING)
    }

    /// Returns the displacement that leads into no plane and is nearest to a given one.
    pub(super) fn clip(&self, displacement: DVec2) -> DVec2 {
        let length = displacement.length();
        let along = self.0.iter().map(|plane| displacement - plane.normal * displacement.dot(plane.normal));
        core::iter::once(displacement)
            .chain(along)
            .filter(|clipped| self.admits(*clipped, length))
            .min_by(|a, b| a.distance_squared(displacement).total_cmp(&b.distance_squared(displacement)))
            .unwrap_or(DVec2::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use glam::dvec2;

    use super::*;

    #[test]
    fn clipping_gives_the_nearest_displacement_that_leads_into_no_plane() {
        // Out of a wedge between a floor and a slanting ceiling, the nearest is along the floor.
        let (floor, ceiling) = (DVec2::Y, dvec2(0.6, -0.8));
        for normals in [[floor, ceiling], [ceiling, floor]] {
            let mut planes = Planes::default();
            let id = PieceId { slot: 0, piece: 0 };
            planes.0.extend(normals.map(|normal| Plane { id, surface: normal, normal, met: DVec2::ZERO }));
            assert_eq!(planes.clip(dvec2(1.0, -0.125)), DVec2::X);
        }
    }
}
