//! Riders: movers that stand on a platform, which carries them along.

use alloc::vec::Vec;
use core::mem::take;

use glam::{Affine2, DVec2, Vec2};

use super::moved::MoveHit;
use super::options::MoveOptions;
use super::ride::{Carry, Ride};
use super::slide::Course;
use crate::math::SlotSet;
use crate::scene::{NodeId, QueryFilter, Scene, SceneError, World, slot_of};

impl Scene {
    /// Calls `follow` for everything that carries a node, the lowest first, which then moves with its own platform. So
    /// the order in which the caller moves the boxes of a stack does not matter.
    pub(super) fn bring_carriers(
        &mut self,
        node: NodeId,
        mut follow: impl FnMut(&mut Self, NodeId),
    ) -> Result<(), SceneError> {
        self.hierarchy.require(node)?;
        let (mut carriers, mut listed) = (take(&mut self.scratch.carriers), take(&mut self.scratch.listed_carriers));
        self.list_carriers(node, &mut carriers, &mut listed);
        // If the node cannot move, its carriers must not move either.
        let result = if carriers.is_empty() { Ok(()) } else { self.inverse_of_parent(node).map(drop) };
        if result.is_ok() {
            carriers.iter().rev().for_each(|carrier| follow(self, *carrier));
        }
        (self.scratch.carriers, self.scratch.listed_carriers) = (carriers, listed);
        result
    }

    /// Moves a mover with its platform, and returns its travel; `None` if it stays. One that cannot move stays, and so do
    /// its riders. The filter of its own moves is not stored, so it is blocked by everything that its layers meet.
    pub(super) fn follow_platform(&mut self, carrier: NodeId, options: &MoveOptions) -> Option<Vec2> {
        let carry = self.carry_of(carrier).filter(|carry| carry.displacement != DVec2::ZERO)?;
        let options = MoveOptions { filter: QueryFilter::default(), ..*options };
        let mut moved = take(&mut self.scratch.moved_carrier);
        let result = self.move_alone(carrier, Course::Follow(carry), &options, None, &mut moved);
        let travel = moved.travel;
        self.scratch.moved_carrier = moved;
        self.refresh();
        result.ok().map(|()| travel).filter(|travel| *travel != Vec2::ZERO)
    }

    /// Lists the movers that carry a node: the one on which it rides, then the one on which that rides, and so on.
    fn list_carriers(&self, node: NodeId, carriers: &mut Vec<NodeId>, listed: &mut SlotSet) {
        carriers.clear();
        if self.movers.len() < 2 {
            return;
        }
        listed.clear();
        listed.insert(slot_of(node));
        for (carrier, _) in self.rides_below(node).skip(1) {
            // A change of the tree can make a cycle.
            if listed.contains(slot_of(carrier)) {
                break;
            }
            listed.insert(slot_of(carrier));
            carriers.push(carrier);
        }
    }

    /// Returns the platform of a mover and its displacement since the mover's last move; `None` if the mover stood on
    /// nothing, or the platform is gone or can hold the mover no longer.
    pub(super) fn carry_of(&self, mover: NodeId) -> Option<Carry> {
        let memory = self.memory_of(mover)?;
        let ride = memory.ride.filter(|ride| self.may_hold(ride.platform, mover))?;
        let now = World::new(self).transform(ride.platform)?;
        let displacement = ride.displacement(memory.transform(ride.platform)?, &now, &self.frame_of(mover, &ride)?);
        displacement.is_finite().then_some(Carry { platform: ride.platform, displacement })
    }

    /// Returns `true` if a solid collider of a platform may touch one of a mover, and neither of them moves with the
    /// other anyway.
    fn may_hold(&self, platform: NodeId, mover: NodeId) -> bool {
        let colliders = &self.colliders;
        let slots = |node| self.colliders(node).iter().map(|id| slot_of(*id));
        let solids = |node| slots(node).filter(|slot| colliders.record(*slot).is_solid());
        let may_touch = |own, other| colliders.may_touch(own, other) && !colliders.ignores([own, other]);
        !self.are_related(mover, platform)
            && solids(mover).any(|own| solids(platform).any(|other| may_touch(own, other)))
    }

    /// Returns `true` if one of two nodes is the other or a descendant of it.
    pub(super) fn are_related(&self, a: NodeId, b: NodeId) -> bool {
        self.hierarchy.is_within(a, b) || self.hierarchy.is_within(b, a)
    }

    /// Returns the ride of a node on a floor; `None` if an ancestor or a rider of the node is that floor.
    pub(super) fn ride_on(&self, node: NodeId, floor: &MoveHit) -> Option<Ride> {
        let platform = floor.side.node;
        let apart = !self.hierarchy.is_within(node, platform) && !self.rides_on(platform, node);
        if apart { self.ride_at(node, platform, floor.point.as_dvec2()) } else { None }
    }

    /// Returns the ride of a node after a travel with its platform.
    pub(super) fn ride_after(&self, node: NodeId, ride: &Ride, travel: DVec2) -> Option<Ride> {
        let frame = self.frame_of(node, ride)?;
        self.ride_at(node, ride.platform, ride.point + ride.displacement_with_frame(&frame) + travel)
    }

    /// Returns the ride of a node on a platform that carries it at a point of the world; `None` if the platform is gone.
    fn ride_at(&self, node: NodeId, platform: NodeId, point: DVec2) -> Option<Ride> {
        self.hierarchy.require(platform).ok()?;
        let frame = self.hierarchy.common_ancestor(node, platform);
        let frame_transform = World::new(self).transform(frame)?;
        Some(Ride { platform, point, frame, frame_transform })
    }

    /// Prepares for another parent of a node, with the same local transform: a mover that this moves forgets its sides and
    /// its platform.
    pub(in crate::scene) fn forget_if_teleported(&mut self, node: NodeId, parent: NodeId) {
        if !self.movers.contains_key(node) {
            return;
        }
        let world = self.world();
        let old = world.parent(node).and_then(|parent| world.transform(parent));
        if old != world.transform(parent)
            && let Some(memory) = self.movers.get_mut(node)
        {
            memory.forget_place();
        }
    }

    /// Adapts the memory of a mover to another parent and another local position, with the same place in the world. The
    /// mover keeps its platform if neither the platform nor their common frame has moved since its last move.
    pub(in crate::scene) fn remember_in_place(&mut self, node: NodeId) {
        self.refresh();
        let world = World::new(self);
        let (Some(memory), Some(position)) = (self.movers.get(node), self.get(node).map(|it| it.transform.position))
        else {
            return;
        };
        let rests = |ride: &Ride| {
            world.transform(ride.platform).as_ref() == memory.transform(ride.platform)
                && world.transform(ride.frame) == Some(ride.frame_transform)
        };
        let ride = memory.ride.filter(rests).and_then(|ride| self.ride_at(node, ride.platform, ride.point));
        if let Some(memory) = self.movers.get_mut(node) {
            (memory.position, memory.ride) = (position, ride);
        }
    }

    /// Returns the world transform of the frame of a ride.
    fn frame_of(&self, mover: NodeId, ride: &Ride) -> Option<Affine2> {
        // If one of the two has left the frame since, it does not move both.
        let moves_both = [mover, ride.platform].iter().all(|node| self.hierarchy.is_within(*node, ride.frame));
        if moves_both { World::new(self).transform(ride.frame) } else { Some(ride.frame_transform) }
    }

    /// Returns `true` if a node stands on a carrier or on one of its descendants, or on a node that does, and so on.
    pub(super) fn rides_on(&self, node: NodeId, carrier: NodeId) -> bool {
        self.ride_depth(node, carrier).is_some()
    }

    /// Returns 0 for a node that stands on a carrier or on one of its descendants, 1 for a node that stands on such a
    /// node, and so on; `None` for a node that does not ride on the carrier.
    pub(super) fn ride_depth(&self, node: NodeId, carrier: NodeId) -> Option<usize> {
        // A change of the tree can make a cycle.
        let mut rides = self.rides_below(node).take(self.movers.len());
        rides.position(|(_, ride)| self.hierarchy.is_within(ride.platform, carrier))
    }

    /// Iterates over the rides on which a node stands: its own or that of its nearest ancestor that rides, then that of
    /// the platform, and so on, each with its rider. In a cycle it does not end.
    fn rides_below(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Ride)> + '_ {
        let mut top = node;
        core::iter::from_fn(move || {
            let rider_of = |node| self.memory_of(node)?.ride.map(|ride| (node, ride));
            let (rider, ride) = self.hierarchy.ancestors(top).find_map(rider_of)?;
            top = ride.platform;
            Some((rider, ride))
        })
    }
}
