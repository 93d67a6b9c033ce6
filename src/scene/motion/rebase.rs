//! Rides across a change of the tree.

use core::mem::take;

use super::memory::MoverMemory;
use super::ride::{Ride, displacement_with, shifted};
use crate::scene::{NodeId, Scene, slot_of};

impl Scene {
    /// Brings the memories of movers to the present before a node gets another parent that parts them from their platforms
    /// or joins them with these: what both have moved together is done, and what the platform has moved without the mover is
    /// still to come.
    pub(in crate::scene) fn rebase_rides(&mut self, node: NodeId, parent: NodeId) {
        let mut scratch = take(&mut self.scratch.motion.riders);
        self.list_riders(node, &mut scratch);
        let riders = &mut scratch.riders;
        let gets_parent = |other| self.hierarchy.is_within(other, node);
        let is_parted = |mover| {
            let moves = gets_parent(mover);
            self.rides_below(mover).any(|(_, ride)| gets_parent(ride.platform) != moves)
        };
        let rides = |mover: &NodeId| self.movers.get(*mover).is_some_and(|memory| memory.ride.is_some());
        riders.retain(|mover| rides(mover) && is_parted(*mover));
        if !riders.is_empty() {
            self.refresh();
        }
        riders.iter().for_each(|mover| _ = self.rebase_ride(*mover, node, parent));
        self.scratch.motion.riders = scratch;
    }

    /// Does the same for one mover. Returns `None` if nothing changes for it. A mover or a platform whose place is not finite
    /// is where it was at the end of the mover's last move: what was in between is not saved.
    fn rebase_ride(&mut self, mover: NodeId, node: NodeId, parent: NodeId) -> Option<()> {
        let memory = self.memory_of(mover)?;
        let ride = memory.ride?;
        let frame = self.frame_after(mover, ride.platform, node, parent).filter(|frame| *frame != ride.frame)?;
        let place_of = |node| self.transforms.world(slot_of(node));
        let (place, frame_transform) = (place_of(mover).unwrap_or_else(|| memory.place()), place_of(frame)?);
        let old = memory.transform(ride.platform);
        let left = old.and_then(|old| self.displacement_between(&ride, old, &place_of(ride.platform)?));
        let left = left.filter(|left| left.is_finite()).unwrap_or_default();
        let body = self.body_of(mover, memory, &ride, left);
        let (at, matrix) = (place.translation.as_dvec2(), place.matrix2);
        let Self { hierarchy, transforms, movers, .. } = self;
        let memory = movers.get_mut(mover)?;
        let mut nearby = take(&mut memory.nearby);
        for (other, transform) in &mut nearby {
            let moves_platform = hierarchy.is_within(ride.platform, *other) && hierarchy.is_within(*other, body);
            *transform = match transforms.world(slot_of(*other)).filter(|_| moves_platform) {
                Some(now) => shifted(&now, -left),
                None => memory.to_present(transform, at, matrix),
            };
        }
        let point = ride.point + displacement_with(ride.point, &memory.place(), &place);
        let ride = Some(Ride { point, frame, frame_transform, ..ride });
        *memory = MoverMemory { at, matrix, ride, nearby, early: take(&mut memory.early), ..*memory };
        Some(())
    }

    /// Returns the [frame](Self::frame) of a mover with a platform as it will be when a node has got another parent.
    fn frame_after(&self, mover: NodeId, platform: NodeId, node: NodeId, parent: NodeId) -> Option<NodeId> {
        let gets_parent = |other| self.hierarchy.is_within(other, node);
        let moves = gets_parent(mover);
        self.frame(platform, |platform| match [moves, gets_parent(platform)] {
            [false, true] => self.hierarchy.common_ancestor(mover, parent),
            [true, false] => self.hierarchy.common_ancestor(parent, platform),
            _ => self.hierarchy.common_ancestor(mover, platform),
        })
    }
}
