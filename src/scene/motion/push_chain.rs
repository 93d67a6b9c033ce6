//! Room in a push: the chains of movers that stand in the way of a mover which makes way.

use alloc::vec::Vec;
use core::mem::take;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::mover::Mover;
use super::push::{Push, Way};
use super::push_out::MIN_SKIN;
use super::scratch::{Chain, ChainStep};
use super::surroundings::Wanted;
use super::touch::Touch;
use crate::math::sort_by;
use crate::scene::{NodeId, slot_of};

/// The largest number of parts of a path along which a mover makes room for another one.
const MAX_SLIDES: usize = 2;

/// The room of a mover on a path.
struct Room {
    /// The fraction of the path for which there is room.
    fraction: f64,
    /// The normal of what ends the room, unless that is another mover.
    blocked_by: Option<DVec2>,
}

/// A path on which a mover needs room.
#[derive(Clone, Copy)]
struct NeededPath {
    displacement: DVec2,
    /// `true` if the node carries the mover along it. The other riders of the node make it anyway.
    is_ride: bool,
    /// The fraction of it up to which movers are in the way: 1, or infinity for those in whose skin it ends, too.
    limit: f64,
}

impl NeededPath {
    fn new(displacement: DVec2) -> Self {
        Self { displacement, is_ride: false, limit: 1.0 }
    }
}

impl Push<'_> {
    /// Moves the movers that are in the way of another one, which is about to make way. Returns `false` if none moves.
    pub(super) fn make_room(&mut self, mover: NodeId, way: Way) -> bool {
        let path = match way {
            Way::Slide => self.path_without_movers(mover),
            Way::Follow(displacement) => Some(NeededPath::new(displacement)),
        };
        path.is_some_and(|path| self.move_chain(mover, path))
    }

    /// Does the same for one that could not follow the node far enough. Movers that have made way by just as much may stop it
    /// by their skins.
    pub(super) fn make_room_for_rest(&mut self, mover: NodeId, displacement: DVec2) {
        self.move_chain(mover, NeededPath { limit: f64::INFINITY, ..NeededPath::new(displacement) });
    }

    /// Moves the movers that block a mover on a path, and those that block these, by this path as far as each has room, and
    /// along what blocks them. Returns `false` if none moves.
    fn move_chain(&mut self, mover: NodeId, needed: NeededPath) -> bool {
        let NeededPath { displacement: path, is_ride, .. } = needed;
        let (mut chain, mut has_moved) = (take(&mut self.scratch.chain), false);
        self.list_chain(mover, &needed, &mut chain);
        for next in &chain.movers {
            let start = self.scene.world_position(*next);
            // Its platform would carry it afterwards, from another place on it.
            self.carry_along(*next);
            has_moved |= self.add_if_moved(*next, start);
        }
        for next in &chain.movers {
            if is_ride && self.scene.rides_on(*next, self.node) {
                continue;
            }
            let start = self.scene.world_position(*next);
            // Its platform may be in the chain.
            self.carry_along(*next);
            let mut rest = path - (self.scene.world_position(*next) - start).as_dvec2();
            if rest.dot(path) <= 0.0 {
                rest = DVec2::ZERO;
            }
            for _ in 0..MAX_SLIDES {
                let Room { fraction, blocked_by } = self.room(*next, rest);
                let joint_move = self.scene.joint_move(*next, rest * fraction);
                self.scene.move_jointly(&mut SmallVec::from([joint_move]), None, self.options);
                let Some(tangent) = blocked_by.map(DVec2::perp) else { break };
                rest = tangent * ((1.0 - fraction) * rest.dot(tangent));
            }
            has_moved |= self.add_if_moved(*next, start);
        }
        self.scratch.chain = chain;
        has_moved
    }

    /// Carries a mover along with its own platform, if that has moved.
    fn carry_along(&mut self, mover: NodeId) {
        if self.scene.carry_with(mover, self.options).is_some() {
            self.take_along(mover, Way::Slide);
        }
    }

    /// Records a mover that is no longer at `start`. Returns `true` if it is not.
    fn add_if_moved(&mut self, mover: NodeId, start: Vec2) -> bool {
        let has_moved = self.scene.world_position(mover) != start;
        if has_moved {
            self.scratch.starts.add(mover, start);
        }
        has_moved
    }

    /// Returns the room of a mover on a path: up to other movers, which may move on later, and up to a skin before everything
    /// else.
    fn room(&self, mover: NodeId, path: DVec2) -> Room {
        let mut mover = self.scene.mover(mover, self.options);
        mover.gather(path, 0.0);
        let is_mover = |touch: &Touch| mover.surroundings.is_mover(touch.id.slot);
        let room = mover.first_touch(path, 1.0, is_mover).map_or(1.0, |touch| touch.fraction);
        mover.surroundings.pusher = Some(self.node);
        let touch = mover.cast(path * room);
        let unused = mover.advance_exactly(path * room, touch);
        Room { fraction: room * (1.0 - unused), blocked_by: touch.filter(|_| unused > 0.0).map(|touch| touch.normal) }
    }

    /// Lists the movers that block a mover on a path, those that block these, and so on, each before those that it blocks.
    fn list_chain(&self, mover: NodeId, path: &NeededPath, Chain { movers, open, reached }: &mut Chain) {
        movers.clear();
        reached.clear();
        open.push(ChainStep::Reach(mover));
        while let Some(step) = open.pop() {
            match step {
                ChainStep::List(next) => movers.push(next),
                ChainStep::Reach(next) if reached.contains(slot_of(next)) => {}
                ChainStep::Reach(next) => {
                    reached.insert(slot_of(next));
                    open.push(ChainStep::List(next));
                    self.reach_movers_on_path(next, path, open);
                }
            }
        }
        // The mover itself moves afterwards.
        movers.pop();
    }

    /// Adds steps to reach the movers that block another one on a path, and along what blocks it.
    fn reach_movers_on_path(&self, mover: NodeId, path: &NeededPath, open: &mut Vec<ChainStep>) {
        let (scene, end) = (&*self.scene, open.len());
        let (mut mover, mut rest) = (scene.mover(mover, self.options), path.displacement);
        for _ in 0..MAX_SLIDES {
            mover.gather(rest, 0.0);
            mover.surroundings.pusher = Some(self.node);
            let touch = mover.cast(rest);
            mover.surroundings.pusher = None;
            // Movers behind a wall are not in the way.
            let limit = touch.map_or(path.limit, |touch| touch.fraction.min(path.limit));
            mover.each_touch(rest, limit, None, &mut |touch| {
                let hit = mover.surroundings.node_of(touch.id.slot);
                if scene.movers.contains_key(hit) && !scene.are_related(hit, self.node) {
                    open.push(ChainStep::Reach(hit));
                }
                limit
            });
            let unused = mover.advance(rest, touch);
            let Some(touch) = touch else { break };
            let tangent = touch.normal.perp();
            rest = tangent * (unused * rest.dot(tangent));
        }
        // The index finds movers in any order.
        sort_by(&mut open[end..], |a, b| a < b);
    }

    /// Returns the path of a mover out of the node as if there were no other movers, and on by a part of its skin: the ride,
    /// if that carries a rider out. It is `None` if there is none, the mover is not inside, or no other mover is near.
    fn path_without_movers(&self, mover: NodeId) -> Option<NeededPath> {
        let rides = self.scene.rides_on(mover, self.node);
        let carry = self.scene.carry_with(mover, self.options);
        let mut mover = self.scene.mover(mover, self.options);
        let Mover { surroundings, size, .. } = &mover;
        let mut has_others = false;
        surroundings.in_region(mover.present_bounds(*size), Wanted::Blocking, &mut |slot, _| {
            has_others |= surroundings.is_mover(slot) && !surroundings.is_on(slot, self.node);
        });
        if !has_others {
            return None;
        }
        mover.surroundings.pusher = Some(self.node);
        if let Some(carry) = carry {
            // Its own platform carries it first, and so it does with the others.
            mover.surroundings.carrying_body = Some(carry.body);
            let touch = mover.cast(carry.displacement);
            mover.advance(carry.displacement, touch);
            mover.surroundings.carrying_body = None;
        }
        let ride = mover.travel;
        mover.gather(DVec2::ZERO, mover.size);
        let path = mover.push_out()?;
        if let Some(direction) = path.try_normalize() {
            return Some(NeededPath::new(path + direction * (MIN_SKIN * mover.skin)));
        }
        (rides && ride != DVec2::ZERO).then_some(NeededPath { is_ride: true, ..NeededPath::new(ride) })
    }
}
