//! Pushes: displacements of nodes that take along what is in their way.
//!
//! A push is a series of steps, shorter than the narrowest mover in the way. After each step, the movers inside the
//! node are pushed out on the side on which they were before, and its riders are carried: each by a move of its own
//! without a displacement. The memory of sides makes this safe; a mover without memory gets one before the first step.

use core::f64::consts::FRAC_PI_4;
use core::mem::take;

use glam::{Affine2, DVec2, Vec2};

use super::call::Call;
use super::move_steps::Course;
use super::moved::MoveHit;
use super::options::MoveOptions;
use super::push_out::MIN_SKIN;
use super::push_path::PushPath;
use super::pushed::{Pushed, PushedNode};
use super::ride::Carry;
use super::scratch::PushScratch;
use super::touch::Touch;
use crate::math::tolerance::PATH_END;
use crate::math::{Aabb, Motion, sort_by};
use crate::scene::{ColliderId, NodeId, QueryFilter, Scene, SceneError, World, slot_of};

/// The longest step, as a part of the width of the narrowest mover in the way.
const STEP_PER_WIDTH: f64 = 0.25;

/// The largest number of steps of one push.
const MAX_STEPS: f64 = 1024.0;

/// The largest rotation of a push, in radians, that carries riders to its end even if the options of the push do not see
/// their floor.
const MAX_CARRIED_ROTATION: f64 = FRAC_PI_4;

/// The largest ratio of length to width of a mover that shortens the steps. A mover counts as no thinner than this, so
/// that needles do not make a push slow. Tiny movers do.
const MAX_SLENDERNESS: f64 = 16.0;

impl Scene {
    /// Moves a node with its whole subtree in the world, and turns it too, all the way: nothing blocks it. It pushes
    /// the movers in its way and carries those that stand on it, as lifts, crushers, doors and flippers do.
    ///
    /// A mover is a node for which [`move_and_slide`](Self::move_and_slide),
    /// [`move_and_collide`](Self::move_and_collide) or a variant of them has been called. It is pushed if it is neither
    /// a descendant nor an ancestor of the node, its solid colliders could touch solid ones of the node, and the
    /// [filter](MoveOptions::filter) of the options accepts one of its colliders. A one-way collider of the node pushes
    /// only what is in front of it. The other options apply to each mover, riders too, as in
    /// [`move_and_slide`](Self::move_and_slide). With another `up`, `max_slope` or `skin_width` than in the moves of a
    /// rider, a node that turns by more than an eighth of a turn can lose it. A pushed mover pushes the movers in its own
    /// way; what stands on that one follows with its own next move. A mover without room stays where it is, so that a thin
    /// node may pass it, and [`Pushed::squeezed`] reports it; its next move finds it stuck unless there is room then. No
    /// other mover that has an area ends on the far side of the node, however thin and fast the node is.
    ///
    /// If the node is a mover itself, its next move has no memory of sides, as after writing its position.
    ///
    /// A push reports no sensors on the paths of the movers. The next [`update`](Scene::update) fires the events of those
    /// that they touch at the end, and the next move of a rider reports those that it [passed](crate::Moved::passed).
    ///
    /// All other nodes stay where they are, so the node may end inside them. The displacement and the pivot are in
    /// world space, whatever the parent of the node. The cost grows with the number of movers in its way and of its
    /// riders, and with the number of steps: four times the length of the motion divided by the width of the narrowest mover in the way.
    /// In a dense crowd it also grows with up to the square of the number of movers that block each other. If the ratio
    /// of length to width exceeds 256, the steps become longer. Then the push may displace a mover by up to a step
    /// further than needed, or squeeze one that shorter steps would have displaced.
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
    /// Those of [`push`](Self::push). The result is empty then.
    pub fn push_into(
        &mut self,
        node: NodeId,
        motion: impl Into<Motion>,
        options: &MoveOptions,
        pushed: &mut Pushed,
    ) -> Result<(), SceneError> {
        pushed.clear();
        let inverse = self.begin_move(node)?;
        let origin = self.world_position(node).as_dvec2();
        let Some(motion) = motion.into().about(origin).filter(|motion| !motion.is_zero()) else { return Ok(()) };
        let world = World::new(self);
        let parent = world.parent(node).and_then(|parent| world.transform(parent)).unwrap_or_default().matrix2;
        let path = PushPath { motion, origin, old: self[node].transform, parent, inverse };
        let bounds = self.bounds_of(self.hierarchy.subtree(node));
        let length = motion.longest_path(bounds);
        if !path.is_finite(length) {
            return Err(SceneError::NotFinite(node));
        }
        let mut scratch = take(&mut self.scratch.motion.push);
        scratch.starts.clear();
        scratch.movers.clear();
        scratch.listed.clear();
        let tips = motion.rotation.abs() > MAX_CARRIED_ROTATION;
        let mut push = Push { scene: self, node, options, tips, pushed, considered: 0, scratch };
        push.list_movers(node, motion.displacement, Some(bounds.grown(length as f32)));
        push.run(&path, length);
        push.report_travels();
        self.scratch.motion.push = push.scratch;
        Ok(())
    }

    /// Returns `true` unless a mover is related to a node that is pushed, is disabled or quarantined, or the filter of the
    /// push excludes it.
    pub(super) fn may_push(&self, node: NodeId, mover: NodeId, filter: &QueryFilter) -> bool {
        let world = World::new(self);
        let is_admitted = |id: &ColliderId| world.accepts(slot_of(*id), filter);
        let is_placed = world.transform(mover).is_some() && self.transforms.status(slot_of(mover)).is_enabled();
        is_placed && !self.are_related(mover, node) && self.colliders(mover).iter().any(is_admitted)
    }

    /// Returns the box around the solid colliders of some nodes.
    pub(super) fn bounds_of(&self, nodes: impl IntoIterator<Item = NodeId>) -> Aabb {
        let solids = nodes.into_iter().flat_map(|node| self.solids(node));
        solids.filter_map(|slot| self.colliders.index.bounds(slot)).fold(Aabb::EMPTY, Aabb::union)
    }
}

/// The way on which a mover makes way for the node after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Way {
    /// A slide without a displacement, for a mover that rides on the node or is inside it: its platform carries it, or it is
    /// pushed out.
    Slide,
    /// The displacement by which a mover that the node has passed follows it.
    Follow(DVec2),
}

/// The decision about transforms that a memory contains already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OldTransforms {
    Keep,
    Replace,
}

/// A push in progress.
pub(super) struct Push<'p> {
    pub(super) scene: &'p mut Scene,
    /// The node that is pushed.
    pub(super) node: NodeId,
    pub(super) options: &'p MoveOptions,
    /// `true` if the motion has so large a rotation that it throws its riders off.
    tips: bool,
    pushed: &'p mut Pushed,
    /// The number of movers that have moved and are in the list of movers, or that the node may not push.
    considered: usize,
    pub(super) scratch: PushScratch,
}

impl Push<'_> {
    /// Moves the node along a path of a length, in steps, and everything else out of its way after each step.
    fn run(&mut self, path: &PushPath, length: f64) {
        let steps = (length / (STEP_PER_WIDTH * self.least_width())).min(MAX_STEPS - 1.0) as u32 + 1;
        for step in 0..steps {
            let [from, to] = [step, step + 1].map(|step| f64::from(step) / f64::from(steps));
            self.scene[self.node].transform = path.transform_at(to);
            self.scene.refresh();
            self.make_way_after_step(path.displacement_between(from, to));
        }
    }

    /// Lists the movers that ride on a platform and those in a region, in the order of riders on the platform for a
    /// displacement, except for those that are listed already or that the node may not push.
    fn list_movers(&mut self, platform: NodeId, displacement: DVec2, region: Option<Aabb>) {
        let mut order = take(&mut self.scratch.order);
        order.clear();
        let (scene, node, listed) = (&*self.scene, self.node, &self.scratch.listed);
        let mut add = |mover: NodeId| {
            if scene.may_push(node, mover, &self.options.filter) {
                order.push(scene.ride_order(mover, platform, displacement));
            }
        };
        if let Some(region) = region {
            scene.colliders.index.each_in_region(region, |slot, _| {
                let mover = scene.hierarchy.id(scene.colliders.node(slot));
                if !scene.colliders.record(slot).sensor && scene.movers.contains_key(mover) {
                    add(mover);
                }
            });
        }
        scene.list_riders(platform, &mut self.scratch.riders);
        let others = self.scratch.riders.riders.iter().filter(|mover| !listed.contains(slot_of(**mover)));
        others.filter(|mover| scene.rides_on(**mover, platform)).for_each(|mover| add(*mover));
        sort_by(&mut order, |a, b| a < b);
        order.iter().for_each(|(_, _, mover)| self.add_mover(*mover));
        self.scratch.order = order;
    }

    /// Adds a mover to the list, unless it is listed, and the node to its memory.
    fn add_mover(&mut self, mover: NodeId) {
        if !self.scratch.listed.contains(slot_of(mover)) {
            // The node may have gone around a mover that has not moved for a while. Only one inside it needs its old side.
            let is_apart = self.way_of(mover, DVec2::ZERO).is_none();
            self.remember_solids(mover, if is_apart { OldTransforms::Replace } else { OldTransforms::Keep });
            self.scratch.listed.insert(slot_of(mover));
            self.scratch.movers.push(mover);
        }
    }

    /// Returns the width of the narrowest mover for the length of the steps; infinity if none has a solid collider.
    fn least_width(&self) -> f64 {
        let bounds = self.scratch.movers.iter().map(|mover| self.scene.bounds_of([*mover]));
        let sizes = bounds.filter(|bounds| *bounds != Aabb::EMPTY).map(|bounds| bounds.size().as_dvec2());
        let widths = sizes.map(|size| size.min_element().max(size.max_element() / MAX_SLENDERNESS));
        widths.fold(f64::INFINITY, f64::min).max(f64::MIN_POSITIVE)
    }

    /// Pushes every mover out of the way of the node after a step, which displaces a point of the world by
    /// `displacement`.
    fn make_way_after_step(&mut self, displacement: impl Fn(DVec2) -> DVec2) {
        let (mut index, count) = (0, self.scratch.movers.len());
        let mut staying = take(&mut self.scratch.staying);
        let mut made_way = true;
        while take(&mut made_way) {
            // The others may have made room since.
            staying.retain_mut(|(mover, displacement)| {
                let left = self.make_way(*mover, *displacement);
                made_way |= left.is_none();
                *displacement = left.unwrap_or_default();
                left.is_some()
            });
            self.list_moved();
            while let Some(mover) = self.scratch.movers.get(index).copied() {
                // A new one was elsewhere before the step, and another mover has put it here.
                let at = self.scene.world_position(mover).as_dvec2();
                let displacement = if index < count { displacement(at) } else { DVec2::ZERO };
                let left = self.make_way(mover, displacement);
                made_way |= left.is_none();
                staying.extend(left.map(|left| (mover, left)));
                index += 1;
                self.list_moved();
            }
        }
        staying.drain(..).for_each(|(mover, _)| self.pushed.add_squeezed(mover));
        self.scratch.staying = staying;
    }

    /// Reports how far each mover has moved, and adds the travel of each rider of the node to its memory, because its next
    /// move reports how far it was carried.
    fn report_travels(&mut self) {
        for &(mover, start) in &self.scratch.starts.movers {
            let travel = World::new(self.scene).position(mover).map_or(Vec2::ZERO, |end| end - start);
            self.pushed.pushed.push(PushedNode { node: mover, travel });
            if self.scene.rides_on(mover, self.node) {
                self.scene.add_early_move(mover, travel, &[]);
            }
        }
    }

    /// Lists the movers that have begun to move since, because they may be in the way now, and their riders, which may ride on
    /// the node now.
    fn list_moved(&mut self) {
        while let Some((mover, _)) = self.scratch.starts.movers.get(self.considered).copied() {
            self.considered += 1;
            if self.scene.may_push(self.node, mover, &self.options.filter) {
                self.add_mover(mover);
            }
            self.list_movers(mover, DVec2::ZERO, None);
        }
    }

    /// Pushes a mover out of the way of the node after a step, or carries it along. `step` is the displacement of the node
    /// at the mover. Returns what is left of it if the mover has no room.
    fn make_way(&mut self, mover: NodeId, step: DVec2) -> Option<DVec2> {
        let Some(way) = self.way_of(mover, step) else {
            self.remember_solids(mover, OldTransforms::Replace);
            return None;
        };
        // A rider brings its companions along. Only if it is stuck are others in its way.
        if self.scene.rides_on(mover, self.node) {
            let left = self.move_away(mover, way, step)?;
            let has_room = self.make_room(mover, way);
            return if has_room { self.move_away(mover, way, left) } else { Some(left) };
        }
        // A mover that is pushed would find a longer way around the others.
        self.make_room(mover, way);
        let left = self.move_away(mover, way, step)?;
        if way == Way::Slide || way == Way::Follow(step) {
            return Some(left);
        }
        self.make_room_for_rest(mover, left);
        self.move_away(mover, Way::Follow(left), left)
    }

    /// Moves a mover on its way after a step of the node, and records its travel. Returns what is left of the step at the
    /// mover if the mover has no room or the node still passes it.
    fn move_away(&mut self, mover: NodeId, way: Way, step: DVec2) -> Option<DVec2> {
        let (start, local_start) = (self.scene.world_position(mover), self.scene[mover].transform.position);
        let is_stuck = self.take_along(mover, way);
        // After a long step, the node may be too far away for the memory of a move.
        self.remember_solids(mover, OldTransforms::Keep);
        // A small travel may round to none in the world.
        if self.scene[mover].transform.position != local_start {
            self.scratch.starts.add(mover, start);
        }
        let left = step - (self.scene.world_position(mover) - start).as_dvec2();
        // A collider that stops a mover that follows the node may let the node pass the mover.
        let follows = |way| matches!(way, Way::Follow(_));
        let is_passed = follows(way) && self.way_of(mover, left).is_some_and(follows);
        (is_stuck || is_passed).then_some(left)
    }

    /// Moves a mover without a displacement of its own, after everything that has to move before it: carries it, along with
    /// the node if it follows that, and pushes it out. Returns `true` if it is stuck.
    pub(super) fn take_along(&mut self, mover: NodeId, way: Way) -> bool {
        let Self { scene, node, options, tips, scratch, .. } = self;
        let PushScratch { starts, already_carried, moved, .. } = scratch;
        let record = &mut |scene: &mut Scene, mover, travel, _: &[MoveHit]| {
            if travel != Vec2::ZERO {
                starts.add(mover, scene.world_position(mover) - travel);
            }
        };
        let (course, with_node) = match way {
            Way::Slide => (Course::Slide(Vec2::ZERO), None),
            Way::Follow(displacement) => (Course::Follow, Some(Carry { platform: *node, body: *node, displacement })),
        };
        let call = Call { node: mover, course, options, respond: None, pusher: Some(*node), already_carried, record };
        let ride = scene.ride_of(mover).filter(|_| options.ride_platforms && !*tips).copied();
        let inverse = scene.inverse_of_parent(mover);
        let result = inverse.and_then(|inverse| scene.move_after_others(call, inverse, with_node, moved));
        let is_stuck = result.is_err() || moved.stuck;
        // With the `up` of these options, the platform of the mover may be no floor.
        if let Some(ride) = ride.filter(|_| !is_stuck && moved.hits().is_empty() && moved.floor.is_none()) {
            let ride = scene.ride_after(mover, &ride, moved.travel.as_dvec2());
            scene.rider_lists.set_platform(slot_of(mover), ride.map(|ride| slot_of(ride.platform)));
            if let Some(memory) = scene.movers.get_mut(mover) {
                memory.ride = ride;
            }
        }
        if !is_stuck && scene.rides_on(mover, *node) {
            scene.add_early_move(mover, Vec2::ZERO, moved.hits());
        }
        scene.refresh();
        is_stuck
    }

    /// Returns the way on which a mover makes way after a step of the node, which is `step` at the mover; `None` if the node
    /// is not in its way. A mover that the node has passed follows it only as far as it has to, to where it would have slid
    /// along the node: a corner that grazes a mover would graze one that follows for the whole step again in the next step,
    /// since a rotation looks the same from the node at any time.
    fn way_of(&self, mover: NodeId, step: DVec2) -> Option<Way> {
        if self.scene.rides_on(mover, self.node) {
            return Some(Way::Slide);
        }
        let mut mover = self.scene.mover(mover, self.options);
        mover.surroundings.pusher = Some(self.node);
        mover.gather(step, 0.0);
        let mut inside = false;
        mover.each_inside(&mut |near| inside |= mover.surroundings.is_on(near.pair.id.slot, self.node));
        if inside {
            return Some(Way::Slide);
        }
        // Two shapes without thickness may pass each other, and no step ends inside. Relative to the node, the mover
        // has moved back by the step, so a cast along the step finds that.
        mover.travel = step;
        let is_pushing = |touch: &Touch| mover.surroundings.is_on(touch.id.slot, self.node);
        let touch = mover.first_touch(-step, 1.0 - PATH_END, is_pushing)?;
        let needed = (1.0 - touch.fraction) * touch.approach + MIN_SKIN * mover.skin;
        Some(Way::Follow(if needed < step.length() { touch.normal * needed } else { step }))
    }

    /// Adds the nodes of the pushed subtree to the memory of a mover, with their world transforms. `old` decides about those
    /// that the memory contains already.
    fn remember_solids(&mut self, mover: NodeId, old: OldTransforms) {
        let Some(Affine2 { matrix2: matrix, translation: at }) = World::new(self.scene).transform(mover) else {
            return;
        };
        let position = self.scene[mover].transform.position;
        let Scene { hierarchy, transforms, movers, .. } = &mut *self.scene;
        let Some(memory) = movers.get_mut(mover) else { return };
        if !memory.is_at(position) {
            memory.clear();
            (memory.position, memory.at, memory.matrix) = (position, at.as_dvec2(), matrix);
        }
        // A mover may rest for ever beside nodes that come and go.
        memory.nearby.retain(|(node, _)| hierarchy.contains(*node));
        for solid in hierarchy.subtree(self.node).filter(|solid| !hierarchy.colliders(*solid).is_empty()) {
            let Some(transform) = transforms.world(slot_of(solid)) else { continue };
            let transform = memory.to_past(&transform, at.as_dvec2(), matrix);
            match memory.search(solid) {
                Ok(place) if old == OldTransforms::Replace => memory.nearby[place].1 = transform,
                Ok(_) => {}
                Err(place) => memory.nearby.insert(place, (solid, transform)),
            }
        }
    }
}
