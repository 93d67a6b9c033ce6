use alloc::vec::Vec;
use core::cell::Cell;

use glam::{Affine2, DVec2, Mat2, Vec2};
use smallvec::{SmallVec, smallvec};

use super::memory::MoverMemory;
use super::moved::MoveHit;
use super::near_piece::NearPiece;
use super::ride::Ride;
use super::surroundings::Surroundings;
use super::touch::{PieceId, PiecePair, Touch};
use crate::collider::{CollisionLayers, WorldCollider};
use crate::geometry::Hull;
use crate::math::Aabb;
use crate::math::tolerance::POSITION_ROUNDING;
use crate::scene::{NodeId, QueryFilter, World};

/// The distance within which a mover remembers solids, as a part of its size.
const MEMORY_REACH: f64 = 0.5;

/// The least such distance, as a multiple of the skin.
const MEMORY_SKINS: f64 = 32.0;

/// The distance within which a move looks for colliders beside its path, as a multiple of the skin: two for the floor
/// at its end, one for the margin of that cast, and one for rounding.
const NEAR_SKINS: f64 = 4.0;

/// The largest number of steps of an advance to a curved surface, and the distance at which it ends, as a part of the skin.
const CLOSE_STEPS: usize = 16;
pub(super) const CLOSE_ENOUGH: f64 = 0.01;

/// The colliders of a node during a move.
pub(super) struct Mover<'a> {
    pub(super) surroundings: Surroundings<'a>,
    pub(super) parts: SmallVec<[Part<'a>; 8]>,
    /// The box around all parts at the start.
    bounds: Aabb,
    /// The length of the diagonal of that box.
    pub(super) size: f64,
    /// The position of the node in the world at the start.
    pub(super) start: DVec2,
    /// The matrix of the node's world transform.
    pub(super) matrix: Mat2,
    /// The state at the end of the last move, if the node has not been teleported since.
    pub(super) memory: Option<&'a MoverMemory>,
    /// The displacement of all parts from the start.
    pub(super) travel: DVec2,
    /// The corners of the path so far. The first is the start.
    pub(super) trail: SmallVec<[Corner; 8]>,
    /// The [body](super::ride::Carry::body) that carried the mover to the second corner of the trail.
    pub(super) body: Option<NodeId>,
    /// The distance that the mover keeps from other colliders.
    pub(super) skin: f64,
    /// The rounding of its position. A mover without thickness that is closer to a line may be on either side of it.
    pub(super) position_rounding: f64,
    /// `true` if the mover may have passed a one-way collider. What a cast meets beyond its stop depends on the index, so the
    /// flag may only spare the look for what passed.
    pub(super) may_pass_one_way: Cell<bool>,
}

/// A corner of the path of a mover.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) travel: DVec2,
    /// The fraction of the mover's own displacement that is done there.
    pub(super) fraction: f64,
}

/// A solid collider of the mover.
pub(super) struct Part<'a> {
    pub(super) slot: u32,
    pub(super) collider: WorldCollider<'a>,
}

impl Part<'_> {
    /// Returns a piece of this collider, with its world form `own`, and the piece of another one. `pieces` are their
    /// numbers.
    pub(super) fn pair<'n>(
        &self,
        own: &'n Hull<'n>,
        slot: u32,
        [own_piece, piece]: [u32; 2],
        other: &'n Hull<'n>,
    ) -> PiecePair<'n> {
        PiecePair { id: PieceId { slot, piece }, own_id: PieceId { slot: self.slot, piece: own_piece }, own, other }
    }
}

impl<'a> Mover<'a> {
    /// Returns the solid, enabled colliders of a node as a mover. Without any, nothing blocks it.
    pub(super) fn new(world: World<'a>, node: NodeId, filter: &'a QueryFilter, skin: f64) -> Self {
        let colliders = &world.scene.colliders;
        let (mut bounds, mut layers) = (Aabb::EMPTY, CollisionLayers::NONE);
        let mut parts = SmallVec::new();
        for slot in world.scene.solids(node) {
            if let (Some(own), Some(collider)) = (colliders.index.bounds(slot), world.collider_at(slot)) {
                (bounds, layers) = (bounds.union(own), layers.union(colliders.layers(slot)));
                parts.push(Part { slot, collider });
            }
        }
        let position_rounding = position_rounding(world, node, bounds);
        let Affine2 { matrix2: matrix, translation } = world.transform(node).unwrap_or_default();
        Self {
            size: if parts.is_empty() { 0.0 } else { bounds.size().as_dvec2().length() },
            parts,
            bounds,
            start: translation.as_dvec2(),
            matrix,
            memory: world.scene.memory_of(node),
            travel: DVec2::ZERO,
            trail: smallvec![Corner { travel: DVec2::ZERO, fraction: 0.0 }],
            body: None,
            skin: skin.max(position_rounding),
            position_rounding,
            may_pass_one_way: Cell::new(false),
            surroundings: Surroundings::new(world, node, filter, layers),
        }
    }

    /// Gathers the colliders around a displacement, with a margin to all sides.
    pub(super) fn gather(&mut self, displacement: DVec2, margin: f64) {
        self.surroundings.gather(self.present_bounds(margin + 2.0 * self.skin).swept(displacement.as_vec2()));
    }

    /// Returns `true` if a displacement needs no cast: everything is gathered that it would look at, and nothing of that
    /// is near its path.
    pub(super) fn is_in_the_open(&self, displacement: DVec2) -> bool {
        self.surroundings.has_gathered_none(self.present_bounds(self.skin * NEAR_SKINS), displacement)
    }

    /// Returns the memory of the mover after the travel, for the local position that is yet to be written. `nearby` is a
    /// list whose capacity it uses.
    pub(super) fn remember(&self, ride: Option<Ride>, mut nearby: Vec<(NodeId, Affine2)>) -> MoverMemory {
        nearby.clear();
        if let Some(Ride { platform, .. }) = ride {
            let world = self.surroundings.world;
            // An ancestor of the platform carries its other descendants along.
            let ancestors = world.scene.ancestors_beside(self.surroundings.node, platform);
            // A platform further below will move the mover too, but not by its displacement so far.
            let below = world.scene.rides_below(platform).filter(|(rider, Ride { platform, .. })| {
                let old = world.scene.memory_of(*rider).and_then(|memory| memory.transform(*platform));
                old.copied() != world.transform(*platform)
            });
            let platforms = ancestors.chain(below.map(|(_, ride)| ride.platform));
            nearby.extend(platforms.filter_map(|node| Some((node, world.transform(node)?))));
        }
        self.surroundings.remember(self.present_bounds(self.memory_reach()), &mut nearby);
        MoverMemory { at: self.position(), matrix: self.matrix, ride, nearby, ..MoverMemory::default() }
    }

    /// Returns the distance within which the mover remembers solids after a move. A solid that moves by less than that
    /// before the next move is remembered if it reaches the mover.
    pub(super) fn memory_reach(&self) -> f64 {
        (self.size * MEMORY_REACH).max(self.skin * MEMORY_SKINS)
    }

    /// Returns the position of the node in the world after the travel.
    pub(super) fn position(&self) -> DVec2 {
        self.start + self.travel
    }

    /// Returns the vector from the point on which the mover stood at the end of its last move to the middle of the mover;
    /// `None` if it stood on nothing, or that no longer blocks it.
    pub(super) fn above_floor(&self) -> Option<DVec2> {
        let (world, memory) = (self.surroundings.world, self.memory?);
        let Ride { platform, point, .. } = memory.ride?;
        let blocks = world.scene.solids(platform).any(|slot| self.surroundings.is_relevant(slot));
        blocks.then(|| self.bounds.center().as_dvec2() - self.start + memory.at - point)
    }

    /// Returns half of the width of the mover along a unit vector.
    pub(super) fn half_width(&self, axis: DVec2) -> f64 {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for part in &self.parts {
            part.collider.each_hull(self.bounds, &mut |_, hull| {
                let end = |side: DVec2| hull.support_point(side).dot(axis);
                (low, high) = (low.min(end(-axis)), high.max(end(axis)));
            });
        }
        (high - low) * 0.5
    }

    /// Returns the box around all parts after the travel, with a margin.
    pub(super) fn present_bounds(&self, margin: f64) -> Aabb {
        self.bounds_after(self.travel, margin)
    }

    /// Returns the box around all parts after a travel, with a margin.
    pub(super) fn bounds_after(&self, travel: DVec2, margin: f64) -> Aabb {
        let (travel, margin) = (travel.as_vec2(), margin as f32);
        Aabb { min: self.bounds.min + travel - margin, max: self.bounds.max + travel + margin }
    }

    /// Iterates over the parts whose layers agree with those of another collider.
    pub(super) fn parts_for(&self, slot: u32) -> impl Iterator<Item = &Part<'a>> {
        let colliders = &self.surroundings.world.scene.colliders;
        self.parts.iter().filter(move |part| colliders.layers(part.slot).meets(colliders.layers(slot)))
    }

    /// Adds the present travel to the trail, with the fraction of the mover's own displacement that is done.
    pub(super) fn mark_corner(&mut self, fraction: f64) {
        if self.trail.last().is_none_or(|last| last.travel != self.travel) {
            self.trail.push(Corner { travel: self.travel, fraction });
        }
    }

    /// Moves along a displacement, up to a skin before the collider that is touched. Returns the unused part of the
    /// displacement.
    pub(super) fn advance(&mut self, displacement: DVec2, touch: Option<Touch>) -> f64 {
        let done = touch.map_or(1.0, |touch| touch.stop(self.skin).clamp(0.0, 1.0));
        self.travel += displacement * done;
        1.0 - done
    }

    /// Moves along a displacement up to a skin before the piece that is touched, although its surface may curve away from
    /// the plane in the point of the touch, before which [`advance`](Self::advance) stops. Returns the unused part.
    ///
    /// The gap is a convex function of the displacement, so its tangent leads to a place before the end, and Newton's
    /// method approaches the end from there.
    pub(super) fn advance_exactly(&mut self, displacement: DVec2, touch: Option<Touch>) -> f64 {
        let unused = self.advance(displacement, touch);
        let Some(touch) = touch.filter(|_| unused > 0.0) else { return unused };
        let (start, rest) = (self.travel, displacement * unused);
        let length = rest.length();
        let mut done = 0.0;
        for _ in 0..CLOSE_STEPS {
            let Some((gap, normal)) = self.gap_to(&touch, rest) else { break };
            let (free, approach) = (gap - self.skin, -rest.dot(normal) / length);
            if free <= self.skin * CLOSE_ENOUGH {
                break;
            }
            done = if approach > 0.0 { (done + free / approach).min(length) } else { length };
            self.travel = start + rest * (done / length);
        }
        unused * (1.0 - done / length)
    }

    /// Returns the hit with a piece near the mover. If the mover is inside, its normal leads to the side on which the mover
    /// was at the end of its last move; without memory, along the shortest way out.
    pub(super) fn hit(&self, near: &NearPiece<'_>) -> MoveHit {
        near.hit(self.surroundings.world, self.side(near).unwrap_or(near.normal))
    }
}

/// Returns the rounding of the position of a mover with these bounds in the world and in the frame of its parent, in which
/// a move writes it.
fn position_rounding(world: World<'_>, node: NodeId, bounds: Aabb) -> f64 {
    let reach = if bounds == Aabb::EMPTY { Vec2::ZERO } else { bounds.min.abs().max(bounds.max.abs()) };
    let above = world.parent(node).and_then(|parent| world.transform(parent)).unwrap_or_default();
    let local = world.node(node).map_or(Vec2::ZERO, |node| node.transform.position);
    let stored = above.matrix2.x_axis.abs() * local.x.abs() + above.matrix2.y_axis.abs() * local.y.abs();
    f64::from(reach.max(stored).max(above.translation.abs()).max_element()) * POSITION_ROUNDING
}
