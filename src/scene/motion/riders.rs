//! Riders: movers that stand on a platform, which carries them along.

use alloc::vec::Vec;
use core::mem::take;

use glam::{Affine2, DVec2, Vec2};

use super::memory::Memory;
use super::move_steps::{Course, Respond};
use super::moved::{MoveHit, Moved};
use super::options::MoveOptions;
use super::ride::{Carry, Ride, displacement_with, rounding_of};
use crate::math::{SlotSet, sort_by};
use crate::scene::{NodeId, Scene, SceneError, World, slot_of};

/// A move of a node, before which others have to move with their own platforms.
pub(super) struct Call<'c> {
    pub(super) node: NodeId,
    pub(super) course: Course,
    pub(super) options: &'c MoveOptions,
    /// The node that pushes, if the move is a part of a push. What moves with it anyway does not move before.
    pub(super) pusher: Option<NodeId>,
    /// The function that records each of the others that could move, with its travel and what blocked it.
    pub(super) record: &'c mut dyn FnMut(&mut Scene, NodeId, Vec2, &[MoveHit]),
}

impl Call<'_> {
    /// Returns the part of this call that lets another mover follow its platform.
    pub(super) fn following<'p>(&'p mut self, mover: NodeId, options: &'p MoveOptions) -> Call<'p> {
        Call { node: mover, course: Course::Follow, options, pusher: self.pusher, record: self.record }
    }
}

impl Scene {
    /// Moves a node, after everything that has to move with its own platform before it. Its own platform carries it, or
    /// `carry` does instead.
    pub(super) fn move_after_others(
        &mut self,
        mut call: Call<'_>,
        carry: Option<Carry<'_>>,
        respond: Option<&mut Respond<'_>>,
        moved: &mut Moved,
    ) -> Result<(), SceneError> {
        // If the node cannot move, nothing else must move either.
        let inverse = self.inverse_of_parent(call.node)?;
        let mut beside = take(&mut self.scratch.beside);
        beside.clear();
        let own = self.bring_others(&mut call, &mut beside);
        let carry = carry.or(own).map(|carry| Carry { beside: Some(&beside), ..carry });
        let result = self.move_alone(&call, inverse, carry, respond, moved);
        self.scratch.beside = beside;
        result
    }

    /// Moves everything that has to move with its own platform before a node: its companions together, and then what
    /// carries the node, the lowest first. So the order in which the caller moves the boxes of a stack or a heap does not
    /// matter. Returns what then carries the node itself. Adds the companions that will not block this to `beside`.
    fn bring_others(&mut self, call: &mut Call<'_>, beside: &mut SlotSet) -> Option<Carry<'static>> {
        let Call { node, options, pusher, .. } = *call;
        let pending = self.pending_carry(node);
        if !self.is_late(node, pending) {
            self.bring_late_neighbors(call, beside);
        }
        let (carry, others) = pending?;
        // With more than one displacement, the node's carry is not that of its companions, and may lead into them.
        let rounding = rounding_of(self.world_position(node).as_dvec2(), carry.displacement);
        if options.ride_platforms && others <= rounding {
            self.bring_companions(call, carry.displacement, beside);
        }
        let mut carriers = take(&mut self.scratch.carriers);
        self.list_carriers(node, &mut carriers);
        let for_others = options.for_others();
        for carrier in carriers.iter().rev() {
            if pusher.is_none_or(|pusher| !self.are_related(*carrier, pusher)) {
                let mut call = call.following(*carrier, &for_others);
                // A carrier may have another displacement than the node.
                if options.ride_platforms
                    && others > rounding
                    && let Some(carry) = self.carry_of(*carrier)
                {
                    self.bring_companions(&mut call, carry.displacement, beside);
                }
                self.follow_platform(&mut call, Some(beside));
            }
        }
        self.scratch.carriers = carriers;
        let own = self.carry_with(node, options)?;
        // The platform below the carriers moves the node too, so it does not block the carry either.
        let agrees = carry.agrees_with(own.displacement, rounding);
        let follows = agrees && beside.contains(slot_of(own.platform)) && self.has_stood_on(node, &carry);
        Some(Carry { body: if follows { carry.body } else { own.body }, ..own })
    }

    /// Moves the movers around a node whose platforms have moved but have not carried them yet, if an earlier call has
    /// brought the node along: they may have been too far away for that call, and in the way of this one.
    fn bring_late_neighbors(&mut self, call: &mut Call<'_>, beside: &mut SlotSet) {
        let Call { node, options, pusher, .. } = *call;
        let early = self.memory_of(node).map_or(Vec2::ZERO, |memory| memory.early.travel);
        if early == Vec2::ZERO || pusher.is_some() || !options.ride_platforms {
            return;
        }
        let mut late = take(&mut self.scratch.late);
        self.list_near(call, early.as_dvec2(), &mut late);
        // The index finds them in any order.
        sort_by(&mut late, |a, b| a < b);
        late.dedup();
        let options = options.for_others();
        for neighbor in late.iter().copied() {
            // Most have been carried already, and none blocks the one that carries it.
            let is_in_the_way = self.is_late(neighbor, self.pending_carry(neighbor)) && !self.rides_on(neighbor, node);
            if is_in_the_way && self.inverse_of_parent(neighbor).is_ok() {
                let mut own = call.following(neighbor, &options);
                self.bring_others(&mut own, beside);
                self.follow_platform(&mut own, Some(beside));
                beside.clear();
            }
        }
        self.scratch.late = late;
    }

    /// Moves the mover of a call with its platform, and records its travel. One that cannot move stays, and so do its riders.
    /// The movers `beside` it do not block it.
    pub(super) fn follow_platform(&mut self, call: &mut Call<'_>, beside: Option<&SlotSet>) {
        let Some(carry) = self.carry_of(call.node) else { return };
        let Ok(inverse) = self.inverse_of_parent(call.node) else { return };
        let mut moved = take(&mut self.scratch.moved_carrier);
        let result = self.move_alone(call, inverse, Some(Carry { beside, ..carry }), None, &mut moved);
        self.refresh();
        if result.is_ok() {
            (call.record)(self, call.node, moved.travel, moved.hits());
        }
        self.scratch.moved_carrier = moved;
    }

    /// Lists the movers that carry a node: the one on which it rides, then the one on which that rides, and so on.
    fn list_carriers(&self, node: NodeId, carriers: &mut Vec<NodeId>) {
        carriers.clear();
        for (rider, _) in self.rides_below(node) {
            // The node and its ancestors move by themselves. In a cycle, each is listed once.
            if !self.hierarchy.is_within(node, rider) && !carriers.contains(&rider) {
                carriers.push(rider);
            }
        }
    }

    /// Returns `true` if the [pending carry](Self::pending_carry) of a node is more than rounding.
    fn is_late(&self, node: NodeId, pending: Option<(Carry<'_>, f64)>) -> bool {
        pending.is_some_and(|(Carry { displacement, .. }, _)| {
            displacement.abs().max_element() > rounding_of(self.world_position(node).as_dvec2(), displacement)
        })
    }

    /// Returns the longest displacement of a platform below a node that has moved since it carried its rider, of equal ones
    /// the lowest, and the greatest length of the others; `None` if none has moved. The others are what the movers in
    /// between have moved since, if only by rounding.
    fn pending_carry(&self, node: NodeId) -> Option<(Carry<'static>, f64)> {
        let carries = self.rides_below(node).filter_map(|(rider, _)| self.carry_of(rider).map(|carry| (carry, 0.0)));
        let length = |carry: &Carry<'_>| carry.displacement.length_squared();
        carries.reduce(|(a, others), (b, _)| {
            let [longest, other] = if length(&b) >= length(&a) { [b, a] } else { [a, b] };
            (longest, other.displacement.length().max(others))
        })
    }

    /// Returns the platform of a mover and its displacement since the mover's last move; `None` if there is none, because
    /// the mover stood on nothing, or the platform has not moved, is gone or can hold the mover no longer.
    pub(super) fn carry_of(&self, mover: NodeId) -> Option<Carry<'static>> {
        let (memory, world) = (self.memory_of(mover)?, World::new(self));
        let ride = memory.ride?;
        let (old, now) = (memory.transform(ride.platform)?, world.transform(ride.platform)?);
        // Most movers stand on something that never moves.
        let rests = *old == now && self.frame_rests(&ride);
        if rests || !self.may_hold(ride.platform, mover) {
            return None;
        }
        let displacement = self.displacement_between(&ride, old, &now)?;
        let moves = displacement.is_finite() && displacement != DVec2::ZERO;
        moves.then(|| self.carry_by(mover, memory, &ride, displacement))
    }

    /// Does the same for a move, whose options decide whether the mover rides.
    pub(super) fn carry_with(&self, mover: NodeId, options: &MoveOptions) -> Option<Carry<'static>> {
        self.carry_of(mover).filter(|_| options.ride_platforms)
    }

    /// Returns `true` if what moves both a mover and its platform has not moved since the mover's last move.
    pub(super) fn frame_rests(&self, ride: &Ride) -> bool {
        World::new(self).transform(ride.frame) == Some(ride.frame_transform)
    }

    /// Returns the displacement, at a mover, of a node whose world transform was `old` at the end of the mover's last move
    /// and is `now`, without that of what has moved the mover too; `None` if that is gone.
    pub(super) fn displacement_between(&self, ride: &Ride, old: &Affine2, now: &Affine2) -> Option<DVec2> {
        let (displacement, together) = (displacement_with(ride.point, old, now), self.displacement_of_frame(ride)?);
        let rest = displacement - together;
        // If both have moved together only, their displacements differ by rounding.
        let is_rounding = together != DVec2::ZERO && rest.abs().max_element() <= rounding_of(ride.point, displacement);
        Some(if is_rounding { DVec2::ZERO } else { rest })
    }

    /// Returns the carry of a mover whose platform has made a displacement, with the body of the platform.
    pub(super) fn carry_by(&self, mover: NodeId, memory: &Memory, ride: &Ride, displacement: DVec2) -> Carry<'static> {
        let carry = Carry::new(ride.platform, displacement);
        let rounding = rounding_of(ride.point, displacement);
        let agrees = |ancestor: &NodeId| {
            let ends = memory.transform(*ancestor).zip(World::new(self).transform(*ancestor));
            // Most ancestors never move.
            ends.filter(|(old, now)| *old != now)
                .and_then(|(old, now)| self.displacement_between(ride, old, &now))
                .is_some_and(|displacement| carry.agrees_with(displacement, rounding))
        };
        let ancestors = self.ancestors_beside(mover, ride.platform).take_while(agrees);
        Carry { body: ancestors.last().unwrap_or(ride.platform), ..carry }
    }

    /// Iterates over the ancestors of a platform that are no ancestors of its rider, the lowest first.
    pub(super) fn ancestors_beside(&self, rider: NodeId, platform: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let ancestors = self.hierarchy.ancestors(platform).skip(1);
        ancestors.take_while(move |ancestor| !self.hierarchy.is_within(rider, *ancestor))
    }

    /// Returns `true` if a mover has stood above a platform since before this made its displacement: otherwise it has
    /// boarded something on the platform since, and the displacement leads it along the platform.
    pub(super) fn has_stood_on(&self, mover: NodeId, carry: &Carry<'_>) -> bool {
        let displacement = || {
            let memory = self.memory_of(mover)?;
            let ride = memory.ride?;
            // A platform below that is not in the memory had not moved yet.
            let Some(old) = memory.transform(carry.platform) else { return Some(carry.displacement) };
            let now = World::new(self).transform(carry.platform)?;
            self.displacement_between(&ride, old, &now)
        };
        let rounding = rounding_of(self.world_position(mover).as_dvec2(), carry.displacement);
        displacement().is_some_and(|displacement| carry.agrees_with(displacement, rounding))
    }

    /// Returns `true` if a solid collider of a platform may touch one of a mover.
    fn may_hold(&self, platform: NodeId, mover: NodeId) -> bool {
        let colliders = &self.colliders;
        let slots = |node| self.colliders(node).iter().map(|id| slot_of(*id));
        let solids = |node| slots(node).filter(|slot| colliders.record(*slot).is_solid());
        solids(mover).any(|own| solids(platform).any(|other| colliders.may_touch_unignored([own, other])))
    }

    /// Returns `true` if one of two nodes is the other or a descendant of it.
    pub(super) fn are_related(&self, a: NodeId, b: NodeId) -> bool {
        self.hierarchy.is_within(a, b) || self.hierarchy.is_within(b, a)
    }

    /// Returns the ride of a node on a floor; `None` if a rider of the node is that floor.
    pub(super) fn ride_on(&self, node: NodeId, floor: &MoveHit) -> Option<Ride> {
        let platform = floor.side.node;
        if self.rides_on(platform, node) { None } else { self.ride_at(node, platform, floor.point.as_dvec2()) }
    }

    /// Returns the ride of a node after a travel with its platform.
    pub(super) fn ride_after(&self, node: NodeId, ride: &Ride, travel: DVec2) -> Option<Ride> {
        let together = self.displacement_of_frame(ride)?;
        self.ride_at(node, ride.platform, ride.point + together + travel)
    }

    /// Returns the ride of a node on a platform that carries it at a point of the world; `None` if the platform is gone.
    fn ride_at(&self, node: NodeId, platform: NodeId, point: DVec2) -> Option<Ride> {
        let frame = self.frame(platform, |platform| self.hierarchy.common_ancestor(node, platform))?;
        let frame_transform = World::new(self).transform(frame)?;
        Some(Ride { platform, point, frame, frame_transform })
    }

    /// Returns the [frame](Ride::frame) of a mover, given its lowest common ancestor with its platform, and with everything
    /// on which that rides; `None` if the platform is gone.
    pub(super) fn frame(&self, platform: NodeId, ancestor_with: impl Fn(NodeId) -> NodeId) -> Option<NodeId> {
        let below = self.rides_below(platform).map(|(_, ride)| ride.platform);
        let platforms = core::iter::once(platform).chain(below).filter(|platform| self.hierarchy.contains(*platform));
        platforms.map(ancestor_with).reduce(|a, b| if self.hierarchy.is_within(b, a) { b } else { a })
    }

    /// Returns the displacement that a mover and its platform have made together since the mover's last move.
    fn displacement_of_frame(&self, ride: &Ride) -> Option<DVec2> {
        let now = World::new(self).transform(ride.frame)?;
        Some(displacement_with(ride.point, &ride.frame_transform, &now))
    }

    /// Returns `true` if a node stands on a carrier or on one of its descendants, or on a node that does, and so on.
    pub(super) fn rides_on(&self, node: NodeId, carrier: NodeId) -> bool {
        self.ride_depth(node, carrier).is_some()
    }

    /// Returns a key that sorts the movers that a platform displaces: each after what it rides on, among equals the one in
    /// front first, because it makes way for those behind it, and movers that do not ride on the platform last.
    pub(super) fn ride_order(&self, mover: NodeId, platform: NodeId, displacement: DVec2) -> (usize, f64, NodeId) {
        let depth = self.ride_depth(mover, platform).unwrap_or(usize::MAX);
        (depth, -self.position_along(mover, displacement), mover)
    }

    /// Returns the coordinate of a mover in the world along a direction.
    pub(super) fn position_along(&self, mover: NodeId, direction: DVec2) -> f64 {
        self.world_position(mover).as_dvec2().dot(direction)
    }

    /// Returns 0 for a node that stands on a carrier or on one of its descendants, 1 for a node that stands on such a
    /// node, and so on; `None` for a node that does not ride on the carrier.
    pub(super) fn ride_depth(&self, node: NodeId, carrier: NodeId) -> Option<usize> {
        self.rides_below(node).position(|(_, ride)| self.hierarchy.is_within(ride.platform, carrier))
    }

    /// Iterates over the rides on which a node stands: its own or that of its nearest ancestor that rides, then that of
    /// the platform, and so on, each with its rider. A change of the tree can make a cycle; then some occur again.
    pub(super) fn rides_below(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Ride)> + '_ {
        let mut top = node;
        let rides = core::iter::from_fn(move || {
            let rider_of = |node| self.memory_of(node)?.ride.map(|ride| (node, ride));
            let (rider, ride) = self.hierarchy.ancestors(top).find_map(rider_of)?;
            top = ride.platform;
            Some((rider, ride))
        });
        rides.take(self.movers.len())
    }
}
