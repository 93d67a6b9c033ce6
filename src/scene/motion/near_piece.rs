use glam::DVec2;

use super::moved::MoveHit;
use super::touch::{PiecePair, Touch};
use crate::geometry::{CastTouch, Support, separation_after, touching_depth_after_move};
use crate::math::tolerance::SAME_DIRECTION_COS;
use crate::scene::World;

/// A piece of a collider near a piece of the mover, after a travel of the mover.
pub(super) struct NearPiece<'n> {
    pub(super) pair: PiecePair<'n>,
    /// The distance of the two pieces; negative inside.
    pub(super) gap: f64,
    /// The normal of the collider, facing the mover.
    pub(super) normal: DVec2,
    /// The depth up to which an overlap counts as touching.
    touching_depth: f64,
    /// The direction in which a mover may pass the piece, as a unit vector; `None` if it blocks in all directions.
    pub(super) one_way: Option<DVec2>,
    /// The travel of the mover.
    travel: DVec2,
}

impl<'n> NearPiece<'n> {
    /// Measures a pair of pieces after a travel of the mover.
    pub(super) fn new(pair: PiecePair<'n>, one_way: Option<DVec2>, travel: DVec2) -> Self {
        let found = separation_after(pair.own, pair.other, travel);
        let touching_depth = touching_depth_after_move(pair.own, pair.other);
        Self { pair, gap: found.gap, normal: -found.normal, touching_depth, one_way, travel }
    }

    /// Returns `true` if the two overlap by more than rounding.
    pub(super) fn is_inside(&self) -> bool {
        self.gap < -self.touching_depth
    }

    /// Returns the distance of the two along a unit vector out of the collider; negative inside.
    pub(super) fn gap_along(&self, direction: DVec2) -> f64 {
        let PiecePair { own, other, .. } = self.pair;
        let offset = own.center.as_dvec2() + self.travel - other.center.as_dvec2();
        (offset + own.furthest(-direction) - other.furthest(direction)).dot(direction)
    }

    /// Returns `true` if the two do not overlap along a unit vector out of the collider.
    pub(super) fn separates(&self, direction: DVec2) -> bool {
        self.gap_along(direction) >= -self.touching_depth
    }

    /// Returns `true` if a displacement leads past the piece, and the whole mover is before the piece.
    pub(super) fn is_passed_by(&self, displacement: DVec2) -> bool {
        let Some(forward) = displacement.try_normalize() else { return false };
        let side = forward.perp();
        self.separates(-forward) && (self.separates(side) || self.separates(-side))
    }

    /// Returns `true` if the point of the piece that is nearest to the mover is on an edge, not at a corner.
    pub(super) fn is_beside_edge(&self) -> bool {
        self.edge_normals().any(|normal| is_same_direction(normal, self.normal))
    }

    /// Returns the normals of the edges of the piece.
    pub(super) fn edge_normals(&self) -> impl Iterator<Item = DVec2> + use<> {
        let corners = self.pair.other.core.points();
        let edges = (0..corners.len()).map(move |index| corners[(index + 1) % corners.len()] - corners[index]);
        edges.filter_map(|edge| (-edge.perp()).try_normalize())
    }

    /// Returns the hit of a mover that is near or inside the piece, with a normal along which it leaves.
    pub(super) fn hit(&self, world: World<'_>, normal: DVec2) -> MoveHit {
        let depth = (-self.gap_along(normal)).max(0.0) as f32;
        MoveHit { depth, began_inside: self.is_inside(), ..self.touch(DVec2::ZERO, 0.0, normal).hit(world, 0.0) }
    }

    /// Returns a touch with the piece in this place, at a fraction of a path.
    pub(super) fn touch(&self, path: DVec2, fraction: f64, normal: DVec2) -> Touch {
        Touch::new(&self.pair, CastTouch { fraction, normal }, self.travel, path)
    }
}

/// Returns `true` if two directions out of a collider count as one.
pub(super) fn is_same_direction(a: DVec2, b: DVec2) -> bool {
    a.dot(b) >= SAME_DIRECTION_COS
}
