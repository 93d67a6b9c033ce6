//! Calls: moves of nodes, before which others have to move with their own platforms.

use core::mem::take;

use glam::{DMat2, DVec2, Vec2};

use super::move_steps::{Course, Respond};
use super::moved::{MoveHit, Moved};
use super::options::MoveOptions;
use super::ride::{Carry, PendingCarry, agrees, is_rounding, rounding_of};
use crate::math::{SlotSet, sort_by};
use crate::scene::{NodeId, Scene, SceneError, slot_of};

/// A move of a node, before which others have to move with their own platforms.
pub(super) struct Call<'c> {
    pub(super) node: NodeId,
    pub(super) course: Course,
    pub(super) options: &'c MoveOptions,
    /// The function that decides what blocks the node. Without it, everything does.
    pub(super) respond: Option<&'c mut Respond<'c>>,
    /// The node that pushes, if the move is a part of a push. What moves with it anyway does not move before.
    pub(super) pusher: Option<NodeId>,
    /// The slots of the movers that platforms have carried before, along with the node: they do not block its own carry.
    pub(super) already_carried: &'c mut SlotSet,
    /// The function that records each of the others that could move, with its travel and what blocked it.
    pub(super) record: &'c mut dyn FnMut(&mut Scene, NodeId, Vec2, &[MoveHit]),
}

impl Call<'_> {
    /// Returns the part of this call that lets another mover follow its platform.
    pub(super) fn following<'p>(&'p mut self, mover: NodeId, options: &'p MoveOptions) -> Call<'p> {
        let Self { pusher, ref mut already_carried, ref mut record, .. } = *self;
        Call { node: mover, course: Course::Follow, options, respond: None, pusher, already_carried, record }
    }
}

impl Scene {
    /// Moves a node, after everything that has to move with its own platform before it. Its own platform carries it, or
    /// `carry` does instead. `inverse` is that of its parent.
    pub(super) fn move_after_others(
        &mut self,
        mut call: Call<'_>,
        inverse: DMat2,
        carry: Option<Carry>,
        moved: &mut Moved,
    ) -> Result<(), SceneError> {
        call.already_carried.clear();
        let own = self.bring_others(&mut call);
        self.move_alone(&mut call, inverse, carry.or(own), moved)
    }

    /// Moves everything that has to move with its own platform before a node: its companions together, and then what
    /// carries the node, the lowest first. So the order in which the caller moves the boxes of a stack or a heap does not
    /// matter. Returns what then carries the node itself.
    fn bring_others(&mut self, call: &mut Call<'_>) -> Option<Carry> {
        let Call { node, options, .. } = *call;
        let pending = self.pending_carry(node);
        if !self.is_late(node, pending) {
            self.bring_late_neighbors(call);
        }
        let PendingCarry { longest: carry, other_length } = pending?;
        let at = self.world_position(node).as_dvec2();
        // With more than one displacement, the node's carry is not that of its companions, and may lead into them.
        let share_displacement = other_length <= rounding_of(at, carry.displacement);
        if share_displacement && options.ride_platforms {
            self.bring_companions(call, carry.displacement);
        }
        self.bring_carriers(call, share_displacement);
        let own = self.carry_with(node, options)?;
        // The platform below the carriers moves the node too, so it does not block the carry either.
        let follows = agrees(at, own.displacement, carry.displacement)
            && call.already_carried.contains(slot_of(own.platform))
            && self.has_stood_on(node, &carry);
        Some(Carry { body: if follows { carry.body } else { own.body }, ..own })
    }

    /// Moves the movers that carry a node with their own platforms, the lowest first. Unless all are carried by one
    /// displacement (`share_displacement`), each brings its own companions.
    fn bring_carriers(&mut self, call: &mut Call<'_>, share_displacement: bool) {
        let Call { node, options, pusher, .. } = *call;
        let mut carriers = take(&mut self.scratch.motion.carriers);
        carriers.clear();
        for (carrier, _) in self.rides_below(node) {
            // The node and its ancestors move by themselves, and so does what moves with a pusher. In a cycle, each is listed
            // once.
            let moves_itself = self.hierarchy.is_within(node, carrier)
                || pusher.is_some_and(|pusher| self.are_related(carrier, pusher));
            if !moves_itself && !carriers.contains(&carrier) {
                carriers.push(carrier);
            }
        }
        let for_others = options.for_others();
        for carrier in carriers.iter().rev() {
            let mut call = call.following(*carrier, &for_others);
            if !share_displacement && let Some(carry) = self.carry_with(*carrier, &for_others) {
                self.bring_companions(&mut call, carry.displacement);
            }
            self.follow_platform(&mut call);
        }
        self.scratch.motion.carriers = carriers;
    }

    /// Moves the movers around a node whose platforms have moved but have not carried them yet, if an ancestor or an earlier
    /// call has brought the node along: they may have been too far away for that call, and in the way of this one.
    fn bring_late_neighbors(&mut self, call: &mut Call<'_>) {
        let Call { node, options, pusher, .. } = *call;
        let Some(memory) = self.memory_of(node) else { return };
        let at = self.world_position(node).as_dvec2();
        let with_ancestors = at - memory.at;
        let with_ancestors = if is_rounding(at, with_ancestors) { DVec2::ZERO } else { with_ancestors };
        let brought = memory.early.travel.as_dvec2() + with_ancestors;
        if brought == DVec2::ZERO || pusher.is_some() || !options.ride_platforms {
            return;
        }
        let mut late = take(&mut self.scratch.motion.late);
        self.list_near(call, brought, &mut late);
        // The index finds them in any order.
        sort_by(&mut late, |a, b| a < b);
        late.dedup();
        let options = options.for_others();
        for neighbor in late.iter().copied() {
            // Most have been carried already, and none blocks the one that carries it.
            let is_in_the_way = self.is_late(neighbor, self.pending_carry(neighbor)) && !self.rides_on(neighbor, node);
            if is_in_the_way && self.inverse_of_parent(neighbor).is_ok() {
                let mut own = call.following(neighbor, &options);
                self.bring_others(&mut own);
                self.follow_platform(&mut own);
                own.already_carried.clear();
            }
        }
        self.scratch.motion.late = late;
    }

    /// Moves the mover of a call with its platform, and records its travel. One that cannot move stays, and so do its riders.
    pub(super) fn follow_platform(&mut self, call: &mut Call<'_>) {
        let Some(carry) = self.carry_of(call.node) else { return };
        let Ok(inverse) = self.inverse_of_parent(call.node) else { return };
        let mut moved = take(&mut self.scratch.motion.moved_carrier);
        let result = self.move_alone(call, inverse, Some(carry), &mut moved);
        self.refresh();
        if result.is_ok() {
            (call.record)(self, call.node, moved.travel, moved.hits());
        }
        self.scratch.motion.moved_carrier = moved;
    }

    /// Returns `true` if the [pending carry](Self::pending_carry) of a node is more than rounding.
    fn is_late(&self, node: NodeId, pending: Option<PendingCarry>) -> bool {
        let at = || self.world_position(node).as_dvec2();
        pending.is_some_and(|pending| !is_rounding(at(), pending.longest.displacement))
    }
}
