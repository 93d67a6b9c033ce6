//! Companions: movers that their platforms carry along together, because each may be in the way of the others, as in a
//! heap of crates on a lift.

use alloc::vec::Vec;
use core::mem::take;

use glam::DVec2;

use super::call::Call;
use super::options::MoveOptions;
use super::ride::{Carry, Companion, JointMove, agrees};
use super::scratch::{CompanionScratch, Need};
use crate::math::tolerance::THIN_SKIN;
use crate::math::{SlotSet, sort_by};
use crate::scene::{NodeId, Scene, slot_of};

/// The largest difference of the displacements of companions that stand on a platform which turns, as a part of the skin.
const MAX_DIFFERENCE: f64 = 0.25;

impl Scene {
    /// Moves the companions of a node, which platforms will carry along with it by a displacement: all that it may meet if
    /// it then makes its own displacement, and all that have to move so that it and they can. The node itself does not move
    /// yet. In a push, only movers that may be pushed are companions. Those that have moved are already carried for the node.
    ///
    /// All keep their places relative to each other, so none blocks another. A companion that something else blocks, or that
    /// needs a blocked one to move first, follows its platform by a move of its own instead, unless it needs the node to
    /// move first: then it stays for now.
    pub(super) fn bring_companions(&mut self, call: &mut Call<'_>, displacement: DVec2) {
        let mut scratch = take(&mut self.scratch.motion.companions);
        self.list_companions(call, displacement, &mut scratch);
        let CompanionScratch { companions, needs, blocked, later, moves, .. } = &mut scratch;
        add_dependents(needs, blocked);
        let joint_moves = companions.iter().map(|companion| companion.joint_move);
        moves.clear();
        moves.extend(joint_moves.filter(|joint_move| !blocked.contains(slot_of(joint_move.node))));
        let next = moves.iter().position(|joint_move| joint_move.node == call.node).map(|index| moves.remove(index));
        let for_others = call.options.for_others();
        self.move_jointly(moves, next, &for_others);
        for JointMove { node, displacement, .. } in &*moves {
            (call.record)(self, *node, displacement.as_vec2(), &[]);
            call.already_carried.insert(slot_of(*node));
        }
        later.clear();
        later.insert(slot_of(call.node));
        add_dependents(needs, later);
        for Companion { joint_move: JointMove { node, .. }, .. } in &*companions {
            if blocked.contains(slot_of(*node)) && !later.contains(slot_of(*node)) {
                let already_carried = &mut SlotSet::default();
                self.follow_platform(&mut Call { already_carried, ..call.following(*node, &for_others) });
            }
        }
        self.scratch.motion.companions = scratch;
    }

    /// Lists a node and its companions, those in front first, and finds those without room. Lists nothing if there is no
    /// other mover near the node.
    fn list_companions(&self, call: &Call<'_>, displacement: DVec2, scratch: &mut CompanionScratch) {
        let CompanionScratch { near, companions, listed, needs, blocked, .. } = scratch;
        companions.clear();
        needs.clear();
        blocked.clear();
        listed.clear();
        self.list_near(call, displacement, near);
        if near.is_empty() {
            return;
        }
        let slack = MAX_DIFFERENCE * call.options.skin();
        let mut add = |companions: &mut Vec<Companion>, mover: NodeId| {
            let is_listed = listed.contains(slot_of(mover));
            if !is_listed
                && (mover == call.node || self.may_move_before(call, mover))
                && let Some(companion) = self.companion(mover, displacement, slack)
            {
                listed.insert(slot_of(mover));
                companions.push(companion);
                return true;
            }
            is_listed
        };
        if !add(companions, call.node) {
            return;
        }
        near.iter().for_each(|other| _ = add(companions, *other));
        let for_others = call.options.for_others();
        let mut index = 0;
        while let Some(companion) = companions.get(index).copied() {
            let mover = companion.joint_move.node;
            let options = if mover == call.node { call.options } else { &for_others };
            self.each_need(&companion, options, &mut |other| match other {
                Some(other) if add(companions, other) => needs.push(Need { of: slot_of(mover), other: slot_of(other) }),
                _ => blocked.insert(slot_of(mover)),
            });
            index += 1;
        }
        // The index finds them in any order.
        let order = |Companion { joint_move: JointMove { node, .. }, .. }: &Companion| {
            (-self.position_along(*node, displacement), *node)
        };
        sort_by(companions, |a, b| order(a) < order(b));
    }

    /// Lists the movers that a node may meet if a platform displaces it and it then makes its own displacement; some of them
    /// several times.
    pub(super) fn list_near(&self, call: &Call<'_>, displacement: DVec2, near: &mut Vec<NodeId>) {
        near.clear();
        let reach = call.course.displacement().length() + displacement.length() + 2.0 * call.options.skin();
        let region = self.bounds_of([call.node]).grown(reach as f32);
        self.colliders.index.each_in_region(region, |slot, _| {
            let other = self.hierarchy.id(self.colliders.node(slot));
            if self.may_move_before(call, other) {
                near.push(other);
            }
        });
    }

    /// Returns `true` if a node is a mover that may move before the one of a call.
    fn may_move_before(&self, call: &Call<'_>, mover: NodeId) -> bool {
        self.movers.contains_key(mover)
            && !self.are_related(mover, call.node)
            && call.pusher.is_none_or(|pusher| self.may_push(pusher, mover, &call.options.filter))
    }

    /// Returns a mover as a companion; `None` if no platform below it will carry it by about this displacement, or if an
    /// ancestor moves it too. What stands on a platform may differ by `slack`.
    fn companion(&self, mover: NodeId, displacement: DVec2, slack: f64) -> Option<Companion> {
        let ride = self.ride_of(mover)?;
        if self.hierarchy.ancestors(mover).skip(1).any(|ancestor| self.movers.contains_key(ancestor)) {
            return None;
        }
        let is_along = |rider: NodeId, carry: &Carry| {
            let difference = (carry.displacement - displacement).length();
            agrees(ride.point, carry.displacement, displacement) || rider == mover && difference <= slack
        };
        let mut lowest = None;
        for (rider, below) in self.rides_below(mover) {
            if below.frame != ride.frame && !(self.frame_rests(below) && self.frame_rests(ride)) {
                return None;
            }
            lowest = self.carry_of(rider).filter(|carry| is_along(rider, carry)).map(|carry| (rider, carry)).or(lowest);
        }
        let (rider, carry) = lowest?;
        if rider != mover && !self.has_stood_on(mover, &carry) {
            return None;
        }
        let mut joint_move = self.joint_move(mover, carry.displacement);
        if rider == mover {
            joint_move.remaining_carry = DVec2::ZERO;
        }
        Some(Companion { carry, joint_move })
    }

    /// Visits what has to move so that a companion can: its own platform, unless that is the one that has moved, and the
    /// movers in its way; `None` for anything else in its way.
    fn each_need(&self, companion: &Companion, options: &MoveOptions, visit: &mut dyn FnMut(Option<NodeId>)) {
        let Companion { carry, joint_move: JointMove { node, displacement, ride, .. } } = *companion;
        // A mover takes its descendants along.
        let mover_of = |node| self.hierarchy.ancestors(node).find(|ancestor| self.movers.contains_key(*ancestor));
        if let Some(ride) = ride.filter(|ride| ride.platform != carry.platform) {
            visit(mover_of(ride.platform));
        }
        let mut mover = self.mover(node, options);
        mover.surroundings.carrying_body = Some(carry.body);
        mover.gather(displacement, 0.0);
        // A mover that something has moved into is pushed out by a move of its own, or is stuck. On no side of a piece, its
        // own filter or function has let it in.
        mover.each_inside(&mut |near| {
            if mover.side(near).is_some() {
                visit(None);
            }
        });
        mover.each_touch(displacement, f64::INFINITY, None, &mut |touch| {
            // It may end as close as a mover that keeps its place.
            if touch.stop(mover.skin * THIN_SKIN) < 1.0 {
                visit(mover_of(mover.surroundings.node_of(touch.id.slot)));
            }
            f64::INFINITY
        });
    }
}

/// Adds to a set all slots that need one of its slots, directly or through others.
fn add_dependents(needs: &[Need], slots: &mut SlotSet) {
    let mut known = 0;
    while slots.len() > known {
        known = slots.len();
        // The needs of a row follow each other, in one direction or the other.
        for need in needs.iter().chain(needs.iter().rev()) {
            if slots.contains(need.other) {
                slots.insert(need.of);
            }
        }
    }
}
