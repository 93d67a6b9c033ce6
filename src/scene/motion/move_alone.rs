//! The move of one node, before which everything that has to move before it has moved.

use alloc::vec::Vec;
use core::mem::{replace, take};

use glam::{Affine2, DMat2, DVec2, Vec2};

use super::call::Call;
use super::memory::MoverMemory;
use super::move_steps::{Course, Move};
use super::moved::Moved;
use super::mover::Mover;
use super::options::MoveOptions;
use super::ride::{Carry, Ride};
use crate::scene::{NodeId, Scene, SceneError, World, slot_of};

impl Scene {
    /// Moves a node, which is carried first, and stores its memory. What is below it has moved already. `inverse` is that of
    /// its parent.
    pub(super) fn move_alone(
        &mut self,
        call: &mut Call<'_>,
        inverse: DMat2,
        carry: Option<Carry>,
        moved: &mut Moved,
    ) -> Result<(), SceneError> {
        let Call { node, course, pusher, .. } = *call;
        let mut nearby = take(&mut self.scratch.motion.nearby);
        if let Some((travel, memory)) = self.find_move(call, carry, &mut nearby, moved) {
            self.shift(node, inverse, travel).inspect_err(|_| moved.clear())?;
            self.store_memory(node, memory);
        } else {
            self.scratch.motion.nearby = nearby;
            if pusher.is_none() {
                self.end_ride(node, carry);
            }
        }
        if pusher.is_none() && course != Course::Follow {
            self.release_riders(node, moved.hits());
        }
        Ok(())
    }

    /// Returns the travel of the mover of a call and its memory afterwards; `None` if it is stuck, and keeps the memory that
    /// it has, because it is where it was and so on the same sides. `nearby` is a list whose capacity the memory uses.
    ///
    /// The mover goes out of scope here. If it were dropped before the scene changes, in the same function, it would be
    /// copied first, which takes 2 % of a step.
    #[inline]
    fn find_move(
        &self,
        call: &mut Call<'_>,
        carry: Option<Carry>,
        nearby: &mut Vec<(NodeId, Affine2)>,
        moved: &mut Moved,
    ) -> Option<(DVec2, MoverMemory)> {
        let Call { node, course, options, .. } = *call;
        moved.clear();
        let mut mover = self.mover(node, options);
        mover.surroundings.already_carried = Some(&*call.already_carried);
        Move::new(&mut mover, options, call.respond.as_deref_mut(), moved).run(carry, course);
        mover.report_passed(moved);
        if moved.stuck && mover.memory.is_some() {
            return None;
        }
        let travel = mover.travel;
        let mut ride = match course {
            Course::Follow => self.ride_of(node).and_then(|ride| self.ride_after(node, ride, travel)),
            // A stuck mover does not ride on the collider that it is inside of.
            _ if moved.stuck || !options.ride_platforms => None,
            // The floor is no rider of the node, since riders do not block it.
            _ => moved.floor.and_then(|floor| self.ride_at(node, floor.side.node, floor.point.as_dvec2())),
        };
        if let Some(Ride { platform, wedge, .. }) = &mut ride {
            *wedge = self.lasting_wedge(&mover, *platform, options);
        }
        Some((travel, mover.remember(ride, take(nearby))))
    }

    /// Prepares for a move of a node, unless it cannot move. Returns the [inverse of its parent](Self::inverse_of_parent).
    pub(super) fn begin_move(&mut self, node: NodeId) -> Result<DMat2, SceneError> {
        self.hierarchy.require(node)?;
        let inverse = self.inverse_of_parent(node)?;
        self.forget_disabled();
        Ok(inverse)
    }

    /// Lets movers forget that are disabled as of the last refresh, so that nothing that moves meanwhile carries or pushes
    /// them afterwards. Only updates and moves call it: a query must not decide what a later move remembers.
    pub(in crate::scene) fn forget_disabled(&mut self) {
        if take(&mut self.changes.since_update.disabled) {
            let Self { movers, transforms, .. } = self;
            let disabled = movers.iter_mut().filter(|(node, _)| !transforms.status(slot_of(*node)).is_enabled());
            disabled.for_each(|(_, memory)| memory.forget_place());
        }
    }

    /// Stores the memory of a mover at its present position, with the early move of its old memory. The capacity of that is
    /// used again.
    pub(super) fn store_memory(&mut self, node: NodeId, mut memory: MoverMemory) {
        memory.position = self[node].transform.position;
        if !self.transforms.status(slot_of(node)).is_enabled() {
            memory.forget_place();
        }
        self.rider_lists.set_platform(slot_of(node), memory.ride.map(|ride| slot_of(ride.platform)));
        if let Some(old) = self.movers.get_mut(node) {
            memory.early = take(&mut old.early);
            self.scratch.motion.nearby = replace(old, memory).nearby;
        } else {
            self.movers.insert(node, memory);
        }
    }

    /// Returns the colliders of a node as a mover with these options.
    pub(super) fn mover<'a>(&'a self, node: NodeId, options: &'a MoveOptions) -> Mover<'a> {
        Mover::new(World::new(self), node, &options.filter, options.skin())
    }

    /// Returns the state of a mover at the end of its last move, unless its position has been written since.
    pub(in crate::scene) fn memory_of(&self, node: NodeId) -> Option<&MoverMemory> {
        // Most nodes are no movers.
        let memory = self.movers.get(node)?;
        memory.is_at(self.get(node)?.transform.position).then_some(memory)
    }

    /// Returns the position of a node in the world; zero if it has none.
    pub(super) fn world_position(&self, node: NodeId) -> Vec2 {
        World::new(self).position(node).unwrap_or_default()
    }

    /// Refreshes the scene and returns the map from displacements in the world to displacements in the frame of the
    /// node's parent.
    pub(super) fn inverse_of_parent(&mut self, node: NodeId) -> Result<DMat2, SceneError> {
        let world = self.world();
        world.transform(node).ok_or(SceneError::NotInvertible(node))?;
        let Some(parent) = world.parent(node) else { return Ok(DMat2::IDENTITY) };
        world.inverse(parent).ok_or(SceneError::NotInvertible(parent))
    }

    /// Moves a node by a displacement in the world, given the [inverse of its parent](Self::inverse_of_parent). If its
    /// position in the world or its local one overflows, nothing changes. Otherwise a memory that is void loses its contents.
    pub(super) fn shift(&mut self, node: NodeId, inverse: DMat2, displacement: DVec2) -> Result<(), SceneError> {
        let local = inverse * displacement;
        let position = (self[node].transform.position.as_dvec2() + local).as_vec2();
        let at = (self.world_position(node).as_dvec2() + displacement).as_vec2();
        if !(position.is_finite() && at.is_finite()) {
            return Err(SceneError::NotFinite(node));
        }
        let is_void = self.memory_of(node).is_none();
        if let Some(memory) = self.movers.get_mut(node).filter(|_| is_void) {
            memory.clear();
        }
        if local != DVec2::ZERO {
            self[node].transform.position = position;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;
    use crate::shape::Circle;

    #[test]
    fn a_write_to_a_disabled_node_makes_no_move_look_at_all_movers() {
        let mut scene = Scene::new();
        let (arm, _) = scene.add_with(Node::new("arm"), Circle::new(1.0));
        let hand = scene.add_child(arm, Node::new("hand")).unwrap();
        let mut is_disabled_by = |edit: &dyn Fn(&mut Scene)| {
            edit(&mut scene);
            scene.refresh();
            take(&mut scene.changes.since_update.disabled)
        };
        assert!(!is_disabled_by(&|scene| scene[hand].transform.rotation = 1.0));
        assert!(is_disabled_by(&|scene| scene[arm].enabled = false));
        assert!(!is_disabled_by(&|scene| scene[arm].transform.rotation = 1.0));
        assert!(!is_disabled_by(&|scene| scene[hand].enabled = false));
        assert!(!is_disabled_by(&|scene| scene[arm].enabled = true));
        assert!(is_disabled_by(&|scene| scene[arm].enabled = false));
    }
}
