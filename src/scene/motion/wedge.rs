//! Wedged riders: movers that were stuck because the mover on which they stand has moved into them.
//!
//! A platform passes through its riders, since they follow. One without room, as below a ceiling, would let its platform in
//! and push it out again in every other move. So it does not ride, and blocks its platform, until this presses against it
//! no longer or there is room.

use smallvec::{SmallVec, smallvec};

use super::moved::MoveHit;
use super::mover::Mover;
use super::options::MoveOptions;
use super::ride::{Carry, Ride, Wedge, is_rounding};
use super::touch::Touch;
use crate::scene::{NodeId, Scene, slot_of};

impl Scene {
    /// Ends the ride of a mover that is stuck, or wedges it if a platform that is a mover has just carried it. Otherwise,
    /// every later move in a heap of stuck movers would try to carry all of them first.
    pub(super) fn end_ride(&mut self, node: NodeId, carry: Option<Carry>) {
        let missed = carry.filter(|carry| self.movers.contains_key(carry.platform)).map(|carry| carry.displacement);
        if let Some(memory) = self.movers.get_mut(node) {
            memory.ride = memory.ride.and_then(|ride| {
                let missed = missed.or(ride.wedge.map(|wedge| wedge.missed))?;
                Some(Ride { wedge: Some(Wedge { missed, is_stuck: true }), ..ride })
            });
        }
    }

    /// Lets the wedged riders of a mover ride again against which it has not pressed in its move. The ride of a stuck one
    /// ends instead.
    pub(super) fn release_riders(&mut self, node: NodeId, hits: &[MoveHit]) {
        let Self { hierarchy, movers, rider_lists, .. } = self;
        for rider in rider_lists.riders(slot_of(node)).map(|slot| hierarchy.id(slot)) {
            if let Some(memory) = movers.get_mut(rider)
                && let Some(ride @ Ride { wedge: Some(wedge), .. }) = memory.ride
                && !hits.iter().any(|hit| hit.side.node == rider)
            {
                memory.ride = Some(Ride { wedge: None, ..ride }).filter(|_| !wedge.is_stuck);
            }
        }
    }

    /// Returns `true` if a ride is that of a wedged mover. One that is not stuck rides if anything but the platform's own
    /// move has moved that.
    pub(super) fn is_wedged(&self, ride: &Ride) -> bool {
        let has_moved_itself = || {
            let at = self.world_position(ride.platform).as_dvec2();
            self.memory_of(ride.platform).is_some_and(|memory| is_rounding(at, at - memory.at))
        };
        ride.wedge.is_some_and(|wedge| wedge.is_stuck || has_moved_itself())
    }

    /// Returns the wedge of a mover after its travel: it lasts as long as the mover or what stands on it has no room for the
    /// displacement that it missed. `platform` is its present one.
    pub(super) fn lasting_wedge(&self, mover: &Mover<'_>, platform: NodeId, options: &MoveOptions) -> Option<Wedge> {
        let ride = mover.memory?.ride.as_ref()?;
        // Most riders are not wedged.
        let Wedge { missed, .. } = ride.wedge?;
        if ride.platform != platform || !self.is_wedged(ride) {
            return None;
        }
        let stack = self.stack_on(mover.surroundings.node);
        let is_free = |member: &Mover<'_>| {
            let is_on = |slot, node: &NodeId| member.surroundings.is_on(slot, *node);
            let blocks = |touch: &Touch| !stack.iter().chain([&platform]).any(|node| is_on(touch.id.slot, node));
            let path = missed + missed.normalize_or_zero() * (2.0 * member.skin);
            member.first_touch(path, 1.0, blocks).is_none()
        };
        let options = options.for_others();
        let has_room = is_free(mover) && stack[1..].iter().all(|member| is_free(&self.mover(*member, &options)));
        (!has_room).then_some(Wedge { missed, is_stuck: false })
    }

    /// Returns a mover and everything that stands on it, wedged or not.
    fn stack_on(&self, mover: NodeId) -> SmallVec<[NodeId; 8]> {
        let mut stack = smallvec![mover];
        let mut index = 0;
        while let Some(platform) = stack.get(index).copied() {
            index += 1;
            for rider in self.rider_lists.riders(slot_of(platform)).map(|slot| self.hierarchy.id(slot)) {
                let rides = self.memory_of(rider).is_some_and(|memory| memory.ride.is_some());
                if rides && !stack.contains(&rider) {
                    stack.push(rider);
                }
            }
        }
        stack
    }
}
