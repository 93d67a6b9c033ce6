//! Joint moves: displacements of several movers at once, which are known to have room.

use core::mem::take;

use glam::DVec2;
use smallvec::SmallVec;

use super::options::MoveOptions;
use super::ride::{JointMove, shifted};
use crate::scene::{NodeId, Scene, World};

impl Scene {
    /// Returns the joint move of a mover by a displacement that its platform has not made: it will carry the mover as far
    /// as before.
    pub(super) fn joint_move(&self, node: NodeId, displacement: DVec2) -> JointMove {
        let ride = self.ride_of(node).and_then(|ride| self.ride_after(node, ride, displacement));
        let remaining_carry = self.carry_of(node).map_or(DVec2::ZERO, |carry| carry.displacement);
        JointMove { node, displacement, ride, remaining_carry }
    }

    /// Moves movers together. Nothing stops them, and none changes its place relative to another one of them. The one
    /// that moves `next` counts as there. Removes those that cannot move from the list.
    pub(super) fn move_jointly(
        &mut self,
        moves: &mut SmallVec<[JointMove; 1]>,
        next: Option<JointMove>,
        options: &MoveOptions,
    ) {
        moves.retain(|&mut JointMove { node, displacement, .. }| {
            let inverse = self.inverse_of_parent(node);
            inverse.and_then(|inverse| self.shift(node, inverse, displacement)).is_ok()
        });
        self.refresh();
        moves.iter().for_each(|joint_move| self.remember_joint_move(joint_move, next, options));
    }

    /// Stores the memory of one of the movers when all are at their new places.
    fn remember_joint_move(&mut self, joint_move: &JointMove, next: Option<JointMove>, options: &MoveOptions) {
        let JointMove { node, displacement, ride, remaining_carry } = *joint_move;
        let platform = ride.map(|ride| ride.platform);
        let nearby = take(&mut self.scratch.motion.nearby);
        let mover = self.mover(node, options);
        let mut memory = mover.remember(ride, nearby);
        // Its next move leads out of what it is inside of, and has to know on which side it was. What is left of the carry
        // of its platform says that of the platform.
        let (old, start) = (self.movers.get(node), mover.start - displacement);
        mover.each_inside(&mut |near| {
            let inside = mover.surroundings.node_of(near.pair.id.slot);
            if let (Some(old), Ok(place)) = (old.filter(|_| platform != Some(inside)), memory.search(inside))
                && let Some(before) = old.transform(inside)
            {
                memory.nearby[place].1 = old.to_present(before, start, mover.matrix);
            }
        });
        drop(mover);
        // The next move carries it along with its platform, however far away that is by now.
        if let Some(platform) = platform.filter(|_| remaining_carry != DVec2::ZERO) {
            memory.add_nearby(platform, World::new(self).transform(platform));
        }
        for (other, place) in &mut memory.nearby {
            if let Some(next) = next
                && self.hierarchy.is_within(*other, next.node)
            {
                *place = shifted(place, next.displacement);
            }
            if platform == Some(*other) {
                *place = shifted(place, -remaining_carry);
            }
        }
        self.store_memory(node, memory);
    }
}
