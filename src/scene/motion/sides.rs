//! The sides of a piece on which a mover was at the end of its last move.

use glam::{Affine2, DMat2, DVec2};
use smallvec::SmallVec;

use super::mover::{Mover, Part};
use super::near_piece::NearPiece;
use super::touch::PieceId;
use crate::collider::{Collider, WorldCollider};
use crate::geometry::exact_separation;
use crate::math::{Aabb, inverse_of, map_normal};
use crate::scene::NodeCollider;

/// The least cosine of the angle by which a piece and the mover may have turned against each other if the mover counts
/// as being on the same sides as before. Turned further, it has other sides there.
const MIN_TURN_COS: f64 = 0.5;

/// The normals of a piece towards the sides on which a mover was.
pub(super) type Sides = SmallVec<[DVec2; 8]>;

/// The place of a collider and of the mover at the end of the mover's last move.
struct LastPlace<'p, 'a> {
    /// The collider of the mover.
    part: &'p Part<'a>,
    /// The other collider, and its world transform then.
    collider: &'a dyn Collider,
    at: Affine2,
    /// The travel that leads from the start of this move back to the mover's place then.
    travel: DVec2,
    /// The region around the mover then in which pieces were remembered.
    region: Aabb,
    /// The box in which the piece was, perhaps outside of the region; the region if the box is unknown.
    piece_region: Aabb,
    /// The map by which the other collider has turned since; `None` if its scale was zero.
    turn: Option<DMat2>,
}

impl LastPlace<'_, '_> {
    /// Returns a normal of then, turned with the collider since.
    fn turned(&self, normal: DVec2) -> DVec2 {
        self.turn.and_then(|turn| map_normal(turn, normal)).unwrap_or(normal)
    }
}

impl<'a> Mover<'a> {
    /// Returns the normal of a piece towards the side on which the mover is. Inside, the side at the end of its last move
    /// counts: the first of its [`sides`](Self::sides).
    pub(super) fn side(&self, near: &NearPiece<'_>) -> Option<DVec2> {
        if near.is_inside() { self.sides(near, &mut core::iter::empty()).first().copied() } else { Some(near.normal) }
    }

    /// Returns the normals of a piece towards the sides on which the mover was at the end of its last move, turned with
    /// the piece since; none if the mover was inside it, or the memory does not contain it. The mover itself may have
    /// turned since: relative to its present form, the piece was turned the same way then.
    ///
    /// Beside a corner the mover was on several sides. The first is that of the shortest way out, if the mover was on
    /// this side. Then comes the one of which it was furthest away, and then those of the given directions.
    pub(super) fn sides(&self, near: &NearPiece<'_>, directions: &mut dyn Iterator<Item = DVec2>) -> Sides {
        let mut sides = Sides::new();
        let Some(last) = self.last_place(near) else { return sides };
        WorldCollider::with(last.collider, &last.at, |target| {
            // A loaded memory may contain any numbers.
            if !(last.travel.is_finite() && target.bounds().is_finite()) {
                return;
            }
            last.part.collider.against(target, last.piece_region, &|_| Aabb::EVERYTHING, &mut |own, pieces, other| {
                if pieces == [near.pair.own_id.piece, near.pair.id.piece] && sides.is_empty() {
                    let then = NearPiece::new(
                        last.part.pair(own, near.pair.id.slot, pieces, other),
                        near.one_way,
                        last.travel,
                    );
                    sides = self.sides_then(near, &then, &last, target, directions);
                }
            });
        });
        sides
    }

    /// Returns where the collider of a piece near the mover, and the mover, were at the end of the mover's last move;
    /// `None` if the memory does not contain the collider.
    fn last_place(&self, near: &NearPiece<'_>) -> Option<LastPlace<'_, 'a>> {
        let (memory, world) = (self.memory?, self.surroundings.world);
        let NodeCollider { node, collider, .. } = world.node_collider(near.pair.id.slot);
        let (at, now) = (memory.turned(memory.transform(node)?, self.matrix), world.transform(node)?);
        let travel = memory.at - self.start;
        let region = self.bounds_after(travel, 2.0 * self.memory_reach());
        // A mover may be inside hundreds of pieces of a map. To visit them all for each of them would take seconds.
        let present = near.pair.other.bounds();
        let bounds_then = if at == now { Some(present) } else { present.preimage(&now).map(|local| local.image(&at)) };
        Some(LastPlace {
            part: self.parts.iter().find(|part| part.slot == near.pair.own_id.slot)?,
            collider: world.attachment(collider)?.collider(),
            at,
            travel,
            region,
            piece_region: bounds_then.unwrap_or(region),
            turn: inverse_of(at.matrix2.as_dmat2()).map(|inverse| now.matrix2.as_dmat2() * inverse),
        })
    }

    /// Returns the [`sides`](Self::sides) of a piece, given the same pair of pieces `then`.
    fn sides_then(
        &self,
        near: &NearPiece<'_>,
        then: &NearPiece<'_>,
        last: &LastPlace<'_, '_>,
        target: &WorldCollider<'_>,
        directions: &mut dyn Iterator<Item = DVec2>,
    ) -> Sides {
        let mut sides = Sides::new();
        let Some(furthest) = self.side_of_surface(then, last, target) else { return sides };
        // One normal decides whether a one-way piece blocks, and the pieces of one surface hide each other's sides.
        let has_one_side = near.one_way.is_some() || !target.is_one_piece();
        let was_there = |direction: &DVec2| {
            !has_one_side && direction.dot(last.turned(*direction)) >= MIN_TURN_COS && then.separates(*direction)
        };
        sides.extend(Some(near.normal).filter(was_there));
        sides.push(last.turned(furthest));
        sides.extend(directions.filter(was_there));
        sides
    }

    /// Returns the normal of a piece towards the mover then; `None` if the mover was inside it. Pieces of one collider
    /// that touch are one surface: at their joint, the normal of the nearest piece counts if it separates the mover from
    /// both, and a mover inside a one-way neighbour is on no side.
    fn side_of_surface(
        &self,
        then: &NearPiece<'_>,
        last: &LastPlace<'_, '_>,
        target: &WorldCollider<'_>,
    ) -> Option<DVec2> {
        if then.is_inside() {
            return None;
        }
        let PieceId { slot, piece } = then.pair.id;
        let (mut nearest, mut side) = ((then.gap, piece), Some(then.normal));
        if target.is_one_piece() {
            return side;
        }
        last.part.collider.against(
            target,
            last.region.intersection(then.pair.other.bounds()),
            &|_| Aabb::EVERYTHING,
            &mut |own, [own_piece, piece], other| {
                if own_piece != then.pair.own_id.piece || !exact_separation(then.pair.other, other).touches() {
                    return;
                }
                let pair = last.part.pair(own, slot, [own_piece, piece], other);
                let one_way = then.one_way.and_then(|_| self.surroundings.one_way(pair.id));
                let beside = NearPiece::new(pair, one_way, last.travel);
                let is_inside = beside.is_inside();
                let counts = || if is_inside { one_way.is_some() } else { then.separates(beside.normal) };
                if (beside.gap, piece) < nearest && counts() {
                    (nearest, side) = ((beside.gap, piece), (!is_inside).then_some(beside.normal));
                }
            },
        );
        side
    }
}
