//! Rides of movers that get another place in the tree, or whose platforms do.

use core::mem::take;

use glam::DVec2;

use super::memory::Memory;
use super::ride::{Ride, displacement_with};
use crate::scene::{NodeId, Scene, World, slot_of};

impl Scene {
    /// Prepares for another parent of a node. What moves a mover together with its platform may be another node afterwards.
    /// The memory of such a mover becomes one of now: what both have moved together is done, and what the platform has moved
    /// without the mover is still to come.
    pub(in crate::scene) fn settle_rides(&mut self, node: NodeId, parent: NodeId) {
        let mut riders = take(&mut self.scratch.late);
        riders.clear();
        let rides = self.movers.iter().filter_map(|(mover, memory)| Some((mover, memory.ride?.platform)));
        let gets_parent = |other| self.hierarchy.is_within(other, node);
        let leaves = rides.filter(|(mover, platform)| gets_parent(*mover) != gets_parent(*platform));
        riders.extend(leaves.map(|(mover, _)| mover));
        if !riders.is_empty() {
            self.refresh();
        }
        riders.iter().for_each(|mover| _ = self.settle_ride(*mover, node, parent));
        self.scratch.late = riders;
    }

    /// Does the same for one mover, if anything changes for it.
    fn settle_ride(&mut self, mover: NodeId, node: NodeId, parent: NodeId) -> Option<()> {
        let ride = self.memory_of(mover)?.ride?;
        let moves_mover = self.hierarchy.is_within(mover, node);
        let [lower, platform] = if moves_mover { [parent, ride.platform] } else { [mover, parent] };
        let frame = self.common_frame(lower, platform).filter(|frame| *frame != ride.frame)?;
        let world = World::new(self);
        let (place, frame_transform) = (world.transform(mover)?, world.transform(frame)?);
        let (body, left) = match self.carry_of(mover) {
            Some(carry) => (carry.body, carry.displacement),
            None => (ride.platform, DVec2::ZERO),
        };
        let Self { hierarchy, transforms, movers, .. } = self;
        let memory = movers.get_mut(mover)?;
        let mut nearby = take(&mut memory.nearby);
        for (other, transform) in &mut nearby {
            let is_body = hierarchy.is_within(ride.platform, *other) && hierarchy.is_within(*other, body);
            *transform = match transforms.world(slot_of(*other)).filter(|_| is_body) {
                Some(mut now) => {
                    now.translation = (now.translation.as_dvec2() - left).as_vec2();
                    now
                }
                None => memory.to_present(transform, place.translation.as_dvec2(), place.matrix2),
            };
        }
        let point = ride.point + displacement_with(ride.point, &memory.place(), &place);
        let ride = Some(Ride { point, frame, frame_transform, ..ride });
        let (at, matrix) = (place.translation.as_dvec2(), place.matrix2);
        *memory = Memory { at, matrix, ride, nearby, early: take(&mut memory.early), ..*memory };
        Some(())
    }
}
