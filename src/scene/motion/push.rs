//! Pushes: displacements of nodes that take along what is in their way.
//!
//! A push is a series of steps, shorter than the narrowest mover in the way. After each step, the movers inside the
//! node are pushed out on the side on which they were before, and its riders are carried: each by a move of its own
//! without a displacement. The memory of sides makes this safe; a mover without memory gets one before the first step.

use alloc::vec::Vec;

use glam::{Affine2, DMat2, DVec2, Vec2};

use super::memory::Memory;
use super::moved::Moved;
use super::mover::Mover;
use super::options::MoveOptions;
use super::push_scratch::PushScratch;
use super::pushed::Pushed;
use super::ride::Carry;
use super::slide::Course;
use crate::math::tolerance::{PATH_END, UNIFORM_SCALE};
use crate::math::{Aabb, Motion, RigidMap, Transform, sort_by};
use crate::scene::{NodeId, Scene, SceneError, World, slot_of};

/// The longest step, as a part of the width of the narrowest mover in the way.
const STEP: f64 = 0.25;

/// The largest number of steps of one push.
const MAX_STEPS: f64 = 1024.0;

/// The largest ratio of length to width of a mover that shortens the steps. A mover counts as no thinner than this, so
/// that needles and points do not make a push slow.
const MOST_SLENDER: f64 = 16.0;

impl Scene {
    /// Moves a node with its whole subtree in the world, and turns it too, all the way: nothing blocks it. It pushes
    /// the movers in its way and carries those that stand on it, as lifts, crushers, doors and flippers do.
    ///
    /// A mover is a node that a `move_*` method has ever moved, and that is neither a descendant nor an ancestor of the
    /// node. It is pushed if its colliders could touch those of the node, and the [filter](MoveOptions::filter) of the
    /// options accepts one of them. The other options apply to each mover as in
    /// [`move_and_slide`](Self::move_and_slide). A pushed mover pushes the movers in its own way. A mover without room
    /// stays where it is, and [`Pushed::squeezed`] reports it; its next move finds it stuck unless there is room then.
    /// No mover ends on the far side of the node, however thin and fast the node is.
    ///
    /// If the node is a mover itself, its next move has no memory of sides, as after writing its position.
    ///
    /// All other nodes stay where they are, so the node may end inside them. The displacement and the pivot are in
    /// world space, whatever the parent of the node. The cost grows with the number of movers in the scene, and with
    /// the length of the motion divided by the width of the narrowest mover in the way.
    ///
    /// ```
    /// use hitgraph::{Circle, Motion, MoveOptions, Node, Rect, Scene};
    /// use glam::{Vec2, vec2};
    ///
    /// let mut scene = Scene::new();
    /// let (lift, _) = scene.add_with(Node::new("lift"), Rect::new(4.0, 0.4));
    /// let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 0.8)), Circle::new(0.5));
    /// let options = MoveOptions::default();
    /// scene.move_and_slide(hero, vec2(0.0, -0.2), &options)?;
    ///
    /// let pushed = scene.push(lift, vec2(0.0, 2.0), &options)?;
    /// assert_eq!(pushed.pushed()[0].node, hero);
    /// assert!((scene[hero].transform.position.y - 2.7).abs() < 0.02);
    ///
    /// // A flipper turns about its hinge.
    /// let swing = Motion::default().with_rotation(0.25).with_pivot(vec2(-2.0, 2.0));
    /// assert!(scene.push(lift, swing, &options)?.squeezed().is_empty());
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// A motion with a number that is not finite, and one without displacement and rotation, moves nothing.
    ///
    /// Source: M. Thorson, *Celeste and `TowerFall` Physics* (2018), for solids that push and carry actors.
    ///
    /// # Errors
    /// Those of [`move_and_slide`](Self::move_and_slide). Nothing changes then.
    #[doc(alias("kinematic", "crusher", "flipper", "elevator", "moving platform"))]
    pub fn push(
        &mut self,
        node: NodeId,
        motion: impl Into<Motion>,
        options: &MoveOptions,
    ) -> Result<Pushed, SceneError> {
        let mut pushed = Pushed::default();
        self.push_into(node, motion, options, &mut pushed)?;
        Ok(pushed)
    }

    /// Does the same as [`push`](Self::push) into a result, which it clears first. It allocates nothing once the memory
    /// of the result and of the scene is large enough.
    ///
    /// # Errors
    /// Those of [`push`](Self::push). The result does not change then.
    pub fn push_into(
        &mut self,
        node: NodeId,
        motion: impl Into<Motion>,
        options: &MoveOptions,
        pushed: &mut Pushed,
    ) -> Result<(), SceneError> {
        let inverse = self.inverse_of_parent(node)?;
        pushed.clear();
        let world = World::new(self);
        let origin = world.position(node).ok_or(SceneError::NotInvertible(node))?.as_dvec2();
        let Some(motion) = motion.into().about(origin).filter(|motion| !motion.is_zero()) else { return Ok(()) };
        let parent = world.parent(node).and_then(|parent| world.transform(parent)).unwrap_or(Affine2::IDENTITY);
        let old = self[node].transform;
        let bounds = self.bounds_of(self.hierarchy.subtree(node));
        let length = motion.longest_path(bounds);
        let mut scratch = core::mem::take(&mut self.spare_push);
        let width = self.find_movers(node, bounds.grown(length as f32), options, &mut scratch.movers);
        let steps = (length / (STEP * width)).min(MAX_STEPS - 1.0) as u32 + 1;
        let mut before = motion.at(0.0);
        for step in 1..=steps {
            let fraction = f64::from(step) / f64::from(steps);
            let map = motion.at(fraction);
            let shift = inverse * map.displacement_of(origin - motion.pivot);
            self[node].transform = placed(&old, &parent, &map, shift, motion.rotation * fraction);
            self.refresh();
            for index in 0..scratch.movers.len() {
                let mover = scratch.movers[index];
                let at = World::new(self).position(mover).unwrap_or_default().as_dvec2();
                let start = before.preimage(at - motion.pivot);
                let displacement = map.displacement_of(start) - before.displacement_of(start);
                self.make_way(Carry { platform: node, displacement }, mover, options, &mut scratch, pushed);
            }
            before = map;
        }
        pushed.measure(|node| World::new(self).position(node));
        self.spare_push = scratch;
        Ok(())
    }

    /// Lists the movers that a node may push within a region, and those that ride on it, each rider after what it rides
    /// on. Adds the node to the memory of each. Returns the width of the narrowest; infinity if there is none.
    fn find_movers(&mut self, node: NodeId, region: Aabb, options: &MoveOptions, movers: &mut Vec<NodeId>) -> f64 {
        movers.clear();
        let mut width = f64::INFINITY;
        for mover in self.movers.keys() {
            let apart = !self.hierarchy.is_within(mover, node) && !self.hierarchy.is_within(node, mover);
            if !apart || !self.contains(mover) || !self.admits(mover, options) {
                continue;
            }
            let bounds = self.bounds_of(core::iter::once(mover));
            if bounds.overlaps(region) || self.rides_on(mover, node) {
                let size = bounds.size().as_dvec2();
                width = width.min(size.min_element().max(size.max_element() / MOST_SLENDER));
                movers.push(mover);
            }
        }
        let depth = |mover: &NodeId| self.ride_depth(*mover, node).unwrap_or(usize::MAX);
        sort_by(movers, |a, b| (depth(a), a) < (depth(b), b));
        for mover in &*movers {
            self.see_solids(*mover, node, false);
        }
        width.max(f64::MIN_POSITIVE)
    }

    /// Pushes a mover out of the way of a node after a step, or carries it along. `carry` is the step at the mover.
    fn make_way(
        &mut self,
        carry: Carry,
        mover: NodeId,
        options: &MoveOptions,
        scratch: &mut PushScratch,
        pushed: &mut Pushed,
    ) {
        let node = carry.platform;
        let course = match self.encounter(mover, &carry, options) {
            Encounter::Apart => return self.see_solids(mover, node, true),
            Encounter::Rides | Encounter::Inside => Course::Slide,
            Encounter::Passed => Course::Follow(carry),
        };
        let start = World::new(self).position(mover).unwrap_or_default();
        let mut stays = self.is_stuck_after(mover, options, &mut scratch.moved, course);
        if stays && self.move_chain(node, mover, options, scratch, pushed) {
            stays = self.is_stuck_after(mover, options, &mut scratch.moved, course);
        }
        self.refresh();
        let end = World::new(self).position(mover).unwrap_or_default();
        if end != start {
            pushed.add(mover, start);
        }
        // A collider that stops a mover that follows the node may let the node pass the mover.
        let left = Carry { displacement: carry.displacement - (end - start).as_dvec2(), ..carry };
        if stays || matches!(self.encounter(mover, &left, options), Encounter::Passed) {
            pushed.add_squeezed(mover);
        }
    }

    /// Moves a mover without a displacement of its own: carries it and pushes it out. Returns `true` if it is stuck.
    fn is_stuck_after(&mut self, mover: NodeId, options: &MoveOptions, moved: &mut Moved, course: Course) -> bool {
        self.move_by(mover, Vec2::ZERO, options, None, moved, course).is_err() || moved.stuck
    }

    /// Moves the movers that block a mover on its path out of a node, and those that block these, the last found first.
    /// Returns `false` if there is none.
    fn move_chain(
        &mut self,
        node: NodeId,
        mover: NodeId,
        options: &MoveOptions,
        scratch: &mut PushScratch,
        pushed: &mut Pushed,
    ) -> bool {
        let PushScratch { chain, moved, .. } = scratch;
        let Some(path) = self.path_without_movers(mover, node, options) else { return false };
        chain.clear();
        chain.push(mover);
        let mut index = 0;
        while let Some(next) = chain.get(index) {
            let mut cast = self.mover(*next, options);
            cast.gather(path, 0.0);
            cast.each_touch(path, 1.0, None, &mut |touch| {
                let hit = cast.solids.node_of(touch.id.slot);
                if self.movers.contains_key(hit) && !self.hierarchy.is_within(hit, node) && !chain.contains(&hit) {
                    scratch.found.push(hit);
                }
                1.0
            });
            // The index finds movers in any order.
            sort_by(&mut scratch.found, |a, b| a < b);
            scratch.found.dedup();
            chain.append(&mut scratch.found);
            index += 1;
        }
        for next in chain[1..].iter().rev() {
            let start = World::new(self).position(*next).unwrap_or_default();
            let is_moved = self.move_by(*next, path.as_vec2(), options, None, moved, Course::Collide).is_ok();
            if is_moved && moved.travel != Vec2::ZERO {
                pushed.add(*next, start);
            }
        }
        chain.len() > 1
    }

    /// Returns the path of a mover out of a node as if there were no other movers; `None` if there is none or the mover
    /// is not inside.
    fn path_without_movers(&self, mover: NodeId, node: NodeId, options: &MoveOptions) -> Option<DVec2> {
        let mut mover = self.mover(mover, options);
        mover.solids.pusher = Some(node);
        mover.gather(DVec2::ZERO, mover.size());
        mover.push_out().filter(|path| *path != DVec2::ZERO)
    }

    /// Returns the relation of a mover to the platform of `carry` after a step of a push.
    fn encounter(&self, id: NodeId, carry: &Carry, options: &MoveOptions) -> Encounter {
        let Carry { platform: node, displacement } = *carry;
        if self.rides_on(id, node) {
            return Encounter::Rides;
        }
        let mut mover = self.mover(id, options);
        mover.solids.pusher = Some(node);
        mover.gather(displacement, 0.0);
        let mut inside = false;
        mover.each_inside(&mut |near| {
            inside |= mover.solids.is_on(near.pair.id.slot, node);
        });
        if inside {
            return Encounter::Inside;
        }
        // Two shapes without thickness may pass each other, and no step ends inside. Relative to the node, the mover
        // has moved back by the step, so a cast along the step finds that.
        let mut passed = false;
        mover.travel = displacement;
        mover.each_touch(-displacement, 1.0 - PATH_END, None, &mut |touch| {
            passed |= mover.solids.is_on(touch.id.slot, node);
            1.0 - PATH_END
        });
        if passed { Encounter::Passed } else { Encounter::Apart }
    }

    /// Returns the mover of a node for casts and paths.
    fn mover<'a>(&'a self, mover: NodeId, options: &'a MoveOptions) -> Mover<'a> {
        Mover::new(World::new(self), mover, &options.filter, options.skin_width, self.memory_of(mover))
    }

    /// Adds the nodes of a subtree to the memory of a mover, with their world transforms. With `again`, it replaces the
    /// transforms that the memory contains already.
    fn see_solids(&mut self, mover: NodeId, node: NodeId, again: bool) {
        let Some(at) = World::new(self).position(mover) else { return };
        let position = self[mover].transform.position;
        let Self { hierarchy, transforms, movers, .. } = self;
        let Some(memory) = movers.get_mut(mover) else { return };
        if !memory.is_at(position) {
            memory.nearby.clear();
            let nearby = core::mem::take(&mut memory.nearby);
            *memory = Memory { position, at: at.as_dvec2(), nearby, ..Memory::default() };
        }
        for solid in hierarchy.subtree(node).filter(|solid| !hierarchy.colliders(*solid).is_empty()) {
            let Some(transform) = transforms.world(slot_of(solid)) else { continue };
            match memory.nearby.binary_search_by_key(&solid, |(other, _)| *other) {
                Ok(place) if again => memory.nearby[place].1 = transform,
                Ok(_) => {}
                Err(place) => memory.nearby.insert(place, (solid, transform)),
            }
        }
    }

    /// Returns `true` if the filter of the options accepts a collider of a mover.
    fn admits(&self, mover: NodeId, options: &MoveOptions) -> bool {
        self.colliders(mover).iter().any(|id| World::new(self).accepts(slot_of(*id), &options.filter))
    }

    /// Returns the box around the solid colliders of some nodes.
    fn bounds_of(&self, nodes: impl Iterator<Item = NodeId>) -> Aabb {
        let solids = nodes.flat_map(|node| self.colliders(node)).map(|id| slot_of(*id));
        let solids = solids.filter(|slot| !self.colliders.record(*slot).sensor);
        solids.filter_map(|slot| self.colliders.index.bounds(slot)).fold(Aabb::EMPTY, Aabb::union)
    }
}

/// Returns a local transform after a rigid motion in the world below a parent: displaced by `shift` in the frame of the
/// parent, and rotated by `angle` in the world.
fn placed(old: &Transform, parent: &Affine2, map: &RigidMap, shift: DVec2, angle: f64) -> Transform {
    let position = (old.position.as_dvec2() + shift).as_vec2();
    let matrix = parent.matrix2;
    if angle == 0.0 {
        return Transform { position, ..*old };
    }
    let [x, y] = [matrix.x_axis, matrix.y_axis].map(|axis| axis.length());
    let skew = matrix.x_axis.dot(matrix.y_axis).abs();
    if (x - y).abs() <= UNIFORM_SCALE * x && skew <= UNIFORM_SCALE * x * y {
        // A rotation commutes with a uniform scale, so the local angle stays exact however often the node turns.
        let angle = if matrix.determinant() < 0.0 { -angle } else { angle };
        return Transform { position, rotation: (f64::from(old.rotation) + angle) as f32, ..*old };
    }
    let parent = matrix.as_dmat2();
    let turn = DMat2::from_cols(map.turn.rotate(DVec2::X), map.turn.rotate(DVec2::Y));
    let local = parent.inverse() * turn * parent * old.to_affine().matrix2.as_dmat2();
    Transform::from_affine(Affine2 { matrix2: local.as_mat2(), translation: position })
}

/// The relation of a mover to a node after a step of a push.
enum Encounter {
    /// The mover is outside the node.
    Apart,
    /// The mover stands on the node, or on a rider of the node.
    Rides,
    /// The mover is inside the node.
    Inside,
    /// The node has moved through the mover.
    Passed,
}
