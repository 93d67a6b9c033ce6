//! Riders: movers that stand on a platform, which carries them along.

use alloc::vec::Vec;

use glam::{Affine2, DVec2};

use super::memory::MoverMemory;
use super::options::MoveOptions;
use super::ride::{Carry, PendingCarry, Ride, agrees, displacement_with, is_rounding};
use super::scratch::RiderScratch;
use crate::scene::{NodeId, Scene, World, slot_of};

/// The least number of descendants of which a look at each takes longer than one at each mover.
const MANY_DESCENDANTS: usize = 64;

impl Scene {
    /// Returns the ride of a mover on the platform that carries it, if one does.
    pub(super) fn ride_of(&self, mover: NodeId) -> Option<&Ride> {
        self.memory_of(mover)?.ride.as_ref().filter(|ride| !self.is_wedged(ride))
    }

    /// Returns the carry by the platforms below a node that have moved since they carried their riders; `None` if none has
    /// moved.
    pub(super) fn pending_carry(&self, node: NodeId) -> Option<PendingCarry> {
        let length = |carry: &Carry| carry.displacement.length_squared();
        let mut carries = self.rides_below(node).filter_map(|(rider, _)| self.carry_of(rider));
        let first = PendingCarry { longest: carries.next()?, other_length: 0.0 };
        Some(carries.fold(first, |PendingCarry { longest, other_length }, next| {
            let [longest, other] = if length(&next) >= length(&longest) { [next, longest] } else { [longest, next] };
            PendingCarry { longest, other_length: other.displacement.length().max(other_length) }
        }))
    }

    /// Returns the platform of a mover and its displacement since the mover's last move; `None` if there is none, because
    /// the mover stood on nothing, or the platform has not moved, is gone or can hold the mover no longer.
    pub(super) fn carry_of(&self, mover: NodeId) -> Option<Carry> {
        let (memory, world) = (self.memory_of(mover)?, World::new(self));
        let ride = self.ride_of(mover)?;
        let (old, now) = (memory.transform(ride.platform)?, world.transform(ride.platform)?);
        // Most movers stand on something that never moves.
        let rests = *old == now && self.frame_rests(ride);
        if rests || !self.may_hold(ride.platform, mover) || self.was_taken_away(mover, memory, ride)? {
            return None;
        }
        let displacement = self.displacement_between(ride, old, &now)?;
        if !displacement.is_finite() || displacement == DVec2::ZERO {
            return None;
        }
        let body = self.body_of(mover, memory, ride, displacement);
        Some(Carry { platform: ride.platform, body, displacement })
    }

    /// Does the same for a move, whose options decide whether the mover rides.
    pub(super) fn carry_with(&self, mover: NodeId, options: &MoveOptions) -> Option<Carry> {
        self.carry_of(mover).filter(|_| options.ride_platforms)
    }

    /// Returns `true` if what moves both a mover and its platform has not moved since the mover's last move.
    pub(super) fn frame_rests(&self, ride: &Ride) -> bool {
        World::new(self).transform(ride.frame) == Some(ride.frame_transform)
    }

    /// Returns the displacement, at a mover, of a node whose world transform was `old` at the end of the mover's last move
    /// and is `now`, without that of what has moved the mover too; `None` if that is gone.
    pub(super) fn displacement_between(&self, ride: &Ride, old: &Affine2, now: &Affine2) -> Option<DVec2> {
        let (displacement, together) = (displacement_with(ride.point, old, now), self.displacement_of_frame(ride)?);
        let rest = displacement - together;
        // If both have moved together only, their displacements differ by rounding.
        let is_same = together != DVec2::ZERO && agrees(ride.point, together, displacement);
        Some(if is_same { DVec2::ZERO } else { rest })
    }

    /// Returns the [body](Carry::body) of the platform of a mover, which has made a displacement.
    pub(super) fn body_of(&self, mover: NodeId, memory: &MoverMemory, ride: &Ride, displacement: DVec2) -> NodeId {
        let moves_along = |ancestor: &NodeId| {
            let Some((old, now)) = memory.transform(*ancestor).zip(World::new(self).transform(*ancestor)) else {
                return false;
            };
            // The displacement rounds by the place of the ancestor, too.
            let size = ride.point.abs() + now.translation.as_dvec2().abs();
            // Most ancestors never move.
            *old != now
                && self.displacement_between(ride, old, &now).is_some_and(|other| agrees(size, other, displacement))
        };
        self.ancestors_beside(mover, ride.platform).take_while(moves_along).last().unwrap_or(ride.platform)
    }

    /// Iterates over the ancestors of a platform that are no ancestors of its rider, the lowest first.
    pub(super) fn ancestors_beside(&self, rider: NodeId, platform: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let ancestors = self.hierarchy.ancestors(platform).skip(1);
        ancestors.take_while(move |ancestor| !self.hierarchy.is_within(rider, *ancestor))
    }

    /// Returns `true` if a mover has stood above a platform since before this made its displacement: otherwise it has
    /// boarded something on the platform since, and the displacement leads it along the platform.
    pub(super) fn has_stood_on(&self, mover: NodeId, carry: &Carry) -> bool {
        let displacement = || {
            let memory = self.memory_of(mover)?;
            let ride = self.ride_of(mover)?;
            // A platform below that is not in the memory had not moved yet.
            let Some(old) = memory.transform(carry.platform) else { return Some(carry.displacement) };
            let now = World::new(self).transform(carry.platform)?;
            self.displacement_between(ride, old, &now)
        };
        let at = self.world_position(mover).as_dvec2();
        displacement().is_some_and(|displacement| agrees(at, displacement, carry.displacement))
    }

    /// Returns `true` if its ancestors have taken a mover further than half of its size from the place where it stood, as a
    /// drone takes a crate that it has picked up.
    fn was_taken_away(&self, mover: NodeId, memory: &MoverMemory, ride: &Ride) -> Option<bool> {
        let frame = World::new(self).transform(ride.frame)?;
        let stood = memory.at + displacement_with(memory.at, &ride.frame_transform, &frame);
        let away = self.world_position(mover).as_dvec2() - stood;
        let half_size = || self.bounds_of([mover]).size().as_dvec2().length() * 0.5;
        Some(!is_rounding(stood, away) && away.length() > half_size())
    }

    /// Returns `true` if a solid collider of a platform may touch one of a mover.
    fn may_hold(&self, platform: NodeId, mover: NodeId) -> bool {
        self.solids(mover).any(|own| self.solids(platform).any(|other| self.colliders.may_touch([own, other])))
    }

    /// Iterates over the slots of the solid colliders of a node.
    pub(super) fn solids(&self, node: NodeId) -> impl Iterator<Item = u32> + '_ {
        let slots = self.colliders(node).iter().map(|id| slot_of(*id));
        slots.filter(|slot| self.colliders.record(*slot).is_solid())
    }

    /// Returns `true` if one of two nodes is the other or a descendant of it.
    pub(super) fn are_related(&self, a: NodeId, b: NodeId) -> bool {
        self.hierarchy.is_within(a, b) || self.hierarchy.is_within(b, a)
    }

    /// Returns the ride of a node after a travel with its platform.
    pub(super) fn ride_after(&self, node: NodeId, ride: &Ride, travel: DVec2) -> Option<Ride> {
        let together = self.displacement_of_frame(ride)?;
        self.ride_at(node, ride.platform, ride.point + together + travel)
    }

    /// Returns the ride of a node on a platform that carries it at a point of the world; `None` if the platform is gone.
    pub(super) fn ride_at(&self, node: NodeId, platform: NodeId, point: DVec2) -> Option<Ride> {
        let frame = self.frame(platform, |platform| self.hierarchy.common_ancestor(node, platform))?;
        let frame_transform = World::new(self).transform(frame)?;
        Some(Ride { platform, point, frame, frame_transform, wedge: None })
    }

    /// Returns the [frame](Ride::frame) of a mover, given its lowest common ancestor with its platform, and with everything
    /// on which that rides; `None` if the platform is gone.
    pub(super) fn frame(&self, platform: NodeId, ancestor_with: impl Fn(NodeId) -> NodeId) -> Option<NodeId> {
        let below = self.rides_below(platform).map(|(_, ride)| ride.platform);
        let platforms = core::iter::once(platform).chain(below).filter(|platform| self.hierarchy.contains(*platform));
        platforms.map(ancestor_with).reduce(|a, b| if self.hierarchy.is_within(b, a) { b } else { a })
    }

    /// Returns the displacement that a mover and its platform have made together since the mover's last move.
    fn displacement_of_frame(&self, ride: &Ride) -> Option<DVec2> {
        let now = World::new(self).transform(ride.frame)?;
        Some(displacement_with(ride.point, &ride.frame_transform, &now))
    }

    /// Iterates over the movers that stand on a platform, each with that.
    fn rides(&self) -> impl Iterator<Item = [NodeId; 2]> + '_ {
        let rides = self.movers.iter().filter_map(|(rider, memory)| Some([rider, memory.ride?.platform]));
        rides.filter(|[_, platform]| self.contains(*platform))
    }

    /// Lists the riders of all platforms, after a load.
    #[cfg(feature = "serde")]
    pub(in crate::scene) fn list_all_riders(&mut self) {
        let mut lists = core::mem::take(&mut self.rider_lists);
        self.rides().for_each(|[rider, platform]| lists.set_platform(slot_of(rider), Some(slot_of(platform))));
        self.rider_lists = lists;
    }

    /// Returns a rider that is not listed, for tests.
    pub(in crate::scene) fn unlisted_rider(&self) -> Option<NodeId> {
        let is_listed = |[rider, platform]: [u32; 2]| self.rider_lists.riders(platform).any(|other| other == rider);
        self.rides().find(|ride| !is_listed(ride.map(slot_of))).map(|[rider, _]| rider)
    }

    /// Returns `false` if no mover stands on a node or on a descendant of it, and there are not many descendants.
    /// Inlined, it makes the constructor of a mover copy its lists, which takes 2 % of a step.
    #[inline(never)]
    pub(super) fn may_carry(&self, node: NodeId) -> bool {
        let mut subtree = self.hierarchy.subtree(node);
        let carries = |node| self.rider_lists.riders(slot_of(node)).next().is_some();
        subtree.by_ref().take(self.most_descendants()).any(carries) || subtree.next().is_some()
    }

    /// Lists all movers that ride on a node or are in its subtree, and maybe others, each once.
    pub(super) fn list_riders(&self, platform: NodeId, RiderScratch { riders, listed }: &mut RiderScratch) {
        riders.clear();
        listed.clear();
        let mut add = |slot: u32, riders: &mut Vec<NodeId>| {
            if !listed.contains(slot) {
                listed.insert(slot);
                riders.push(self.hierarchy.id(slot));
            }
        };
        let (mut carrier, mut count) = (platform, 0);
        loop {
            let mut subtree = self.hierarchy.subtree(carrier);
            for node in subtree.by_ref().take(self.most_descendants()).map(slot_of) {
                // A mover on a descendant of a rider rides along, and so does a descendant.
                if self.movers.contains_key(self.hierarchy.id(node)) {
                    add(node, riders);
                }
                self.rider_lists.riders(node).for_each(|rider| add(rider, riders));
            }
            if subtree.next().is_some() {
                riders.clear();
                riders.extend(self.movers.keys());
                return;
            }
            let Some(rider) = riders.get(count) else { return };
            (carrier, count) = (*rider, count + 1);
        }
    }

    /// Returns the number of descendants above which a look at each takes longer than one at each mover.
    fn most_descendants(&self) -> usize {
        self.movers.len().max(MANY_DESCENDANTS)
    }

    /// Returns `true` if a node stands on a carrier or on one of its descendants, or on a node that does, and so on.
    pub(super) fn rides_on(&self, node: NodeId, carrier: NodeId) -> bool {
        self.ride_depth(node, carrier).is_some()
    }

    /// Returns a key that sorts the movers that a platform displaces: each after what it rides on, among equals the one in
    /// front first, because it makes way for those behind it, and movers that do not ride on the platform last.
    pub(super) fn ride_order(&self, mover: NodeId, platform: NodeId, displacement: DVec2) -> (usize, f64, NodeId) {
        let depth = self.ride_depth(mover, platform).unwrap_or(usize::MAX);
        (depth, -self.position_along(mover, displacement), mover)
    }

    /// Returns the coordinate of a mover in the world along a direction.
    pub(super) fn position_along(&self, mover: NodeId, direction: DVec2) -> f64 {
        self.world_position(mover).as_dvec2().dot(direction)
    }

    /// Returns 0 for a node that stands on a carrier or on one of its descendants, 1 for a node that stands on such a
    /// node, and so on; `None` for a node that does not ride on the carrier.
    pub(super) fn ride_depth(&self, node: NodeId, carrier: NodeId) -> Option<usize> {
        self.rides_below(node).position(|(_, ride)| self.hierarchy.is_within(ride.platform, carrier))
    }

    /// Iterates over the rides on which a node stands: its own or that of its nearest ancestor that rides, then that of
    /// the platform, and so on, each with its rider. A change of the tree can make a cycle; then some occur again.
    pub(super) fn rides_below(&self, node: NodeId) -> impl Iterator<Item = (NodeId, &Ride)> {
        let mut top = node;
        let rides = core::iter::from_fn(move || {
            let rider_of = |node| self.ride_of(node).map(|ride| (node, ride));
            let (rider, ride) = self.hierarchy.ancestors(top).find_map(rider_of)?;
            top = ride.platform;
            Some((rider, ride))
        });
        rides.take(self.movers.len())
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, vec2};

    use super::*;
    use crate::scene::Node;
    use crate::shape::Rect;

    #[test]
    fn a_node_that_nothing_rides_on_any_longer_has_no_riders() {
        let mut scene = Scene::new();
        let mut add = |position| scene.add_with(Node::new("").with_position(position), Rect::new(1.0, 1.0)).0;
        let [lift, crate_, hero] = [0.0, 1.0, 2.0].map(|y| add(vec2(0.0, 1.1 * y)));
        let pocket = scene.add_child(crate_, Node::new("pocket")).unwrap();
        let options = MoveOptions::default();
        for mover in [crate_, hero] {
            scene.move_and_slide(mover, vec2(0.0, -0.5), &options).unwrap();
        }
        let mut scratch = RiderScratch::default();
        let mut riders = |scene: &Scene, platform| {
            scene.list_riders(platform, &mut scratch);
            scratch.riders.clone()
        };
        assert_eq!([lift, crate_, hero, pocket].map(|node| riders(&scene, node).len()), [2, 2, 1, 0]);
        scene.move_and_slide(hero, vec2(5.0, 0.0), &options).unwrap();
        assert_eq!(riders(&scene, lift), [crate_]);
        assert!(!scene.may_carry(crate_));
        scene.remove(lift);
        let door = scene.add(Node::new("door"));
        assert_eq!(slot_of(door), slot_of(lift), "the door gets the slot of the lift");
        assert!(!scene.may_carry(door) && riders(&scene, door).is_empty());
        scene.move_and_slide(crate_, Vec2::ZERO, &options).unwrap();
        assert_eq!(scene.validate(), Ok(()));
    }
}
