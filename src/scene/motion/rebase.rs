//! Rides across a change of the tree.

use core::mem::take;

use super::memory::Memory;
use super::ride::{Ride, displacement_with, shifted};
use crate::scene::{NodeId, Scene, slot_of};

impl Scene {
    /// Brings the memories of movers to the present before a node gets another parent that parts them from their platforms
    /// or joins them with these: what both have moved together is done, and what the platform has moved without the mover is
    /// still to come.
    pub(in crate::scene) fn rebase_rides(&mut self, node: NodeId, parent: NodeId) {
        let Self { hierarchy, movers, .. } = self;
        // A leaf without colliders neither rides nor carries.
        if hierarchy.children(node).is_empty() && hierarchy.colliders(node).is_empty() && !movers.contains_key(node) {
            return;
        }
        let mut riders = take(&mut self.scratch.riders);
        riders.clear();
        let gets_parent = |other| self.hierarchy.is_within(other, node);
        let is_parted = |mover| {
            let moves = gets_parent(mover);
            self.rides_below(mover).any(|(_, ride)| gets_parent(ride.platform) != moves)
        };
        let all = self.movers.iter().filter(|(_, memory)| memory.ride.is_some()).map(|(mover, _)| mover);
        riders.extend(all.filter(|mover| is_parted(*mover)));
        if !riders.is_empty() {
            self.refresh();
        }
        riders.iter().for_each(|mover| _ = self.rebase_ride(*mover, node, parent));
        self.scratch.riders = riders;
    }

    /// Does the same for one mover. Returns `None` if nothing changes for it. Nodes that are not finite are where they were
    /// last.
    fn rebase_ride(&mut self, mover: NodeId, node: NodeId, parent: NodeId) -> Option<()> {
        let memory = self.memory_of(mover)?;
        let ride = memory.ride?;
        let frame = self.frame_after(mover, ride.platform, node, parent).filter(|frame| *frame != ride.frame)?;
        let place_of = |node| self.transforms.last_world(slot_of(node));
        let (place, frame_transform) = (place_of(mover), place_of(frame));
        let old = memory.transform(ride.platform);
        let left = old.and_then(|old| self.displacement_between(&ride, old, &place_of(ride.platform)));
        let left = left.filter(|left| left.is_finite()).unwrap_or_default();
        let body = self.carry_by(mover, memory, &ride, left).body;
        let (at, matrix) = (place.translation.as_dvec2(), place.matrix2);
        let Self { hierarchy, transforms, movers, .. } = self;
        let memory = movers.get_mut(mover)?;
        let mut nearby = take(&mut memory.nearby);
        for (other, transform) in &mut nearby {
            let moves_platform = hierarchy.is_within(ride.platform, *other) && hierarchy.is_within(*other, body);
            *transform = if moves_platform {
                shifted(&transforms.last_world(slot_of(*other)), -left)
            } else {
                memory.to_present(transform, at, matrix)
            };
        }
        let point = ride.point + displacement_with(ride.point, &memory.place(), &place);
        let ride = Some(Ride { point, frame, frame_transform, ..ride });
        *memory = Memory { at, matrix, ride, nearby, early: take(&mut memory.early), ..*memory };
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
