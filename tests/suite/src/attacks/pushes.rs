//! Parts of a level that push movers out of their way, and the checks of a push.

use std::f32::consts::TAU;

use glam::{Affine2, Vec2};
use hitgraph::{Motion, MoveOptions, NodeId, Pushed};

use super::oracle::{TOUCH, check_walls, is_one_way};
use super::{Level, Verdict, shows};
use crate::claim;
use crate::dice::Dice;

/// The part of a plate, from its middle, in front of which a mover is on one of its two sides.
const SPAN: f32 = 0.8;

/// A node that pushes, in every frame.
#[derive(Debug, Clone)]
pub struct Pusher {
    pub node: NodeId,
    pub options: MoveOptions,
    pub course: Course,
    /// The half length of a thin plate along its local x axis.
    pub half_length: f32,
}

/// The motion of a pusher, as a function of the frame.
#[derive(Debug, Clone, Copy)]
pub enum Course {
    /// Forward by `step` in each frame of half a period, and back during the other half.
    Shuttle { step: Vec2, period: u64 },
    /// A turn by `rate` radians in each frame of half a period about a point of the node, and back.
    Flip { rate: f32, pivot: Vec2, period: u64 },
    /// A turn in each frame about the origin, with a drift that reverses after half a period.
    Spin { rate: f32, step: Vec2, period: u64 },
}

impl Course {
    /// Returns a random course for a plate with a half length.
    pub fn any(dice: &mut Dice, half_length: f32) -> Self {
        let period = 2 * (2 + dice.below(60));
        let step = Vec2::from_angle(dice.unit() * TAU) * dice.within(0.0..0.5);
        match dice.below(4) {
            0 => Self::Shuttle { step, period },
            // One in a few is fast.
            1 => Self::Shuttle { step: step * 10.0, period: 2 * (1 + dice.below(2)) },
            2 => {
                let pivot = Vec2::new(dice.one_of(&[-1.0, -0.5, 0.0, 1.0]) * half_length, 0.0);
                Self::Flip { rate: dice.within(-0.27..0.27), pivot, period: 2 * (1 + dice.below(8)) }
            }
            _ => Self::Spin { rate: dice.within(-0.5..0.5), step: step * 0.3, period },
        }
    }

    fn motion(self, frame: u64, at: Affine2) -> Motion {
        let sign = |period: u64| if frame % period < period / 2 { 1.0 } else { -1.0 };
        match self {
            Self::Shuttle { step, period } => Motion::new(step * sign(period)),
            Self::Flip { rate, pivot, period } => {
                Motion::default().with_rotation(rate * sign(period)).with_pivot(at.transform_point2(pivot))
            }
            Self::Spin { rate, step, period } => Motion::new(step * sign(period)).with_rotation(rate),
        }
    }
}

/// Returns the map of a whole motion of something at a place.
fn rigid(motion: Motion, at: Affine2) -> Affine2 {
    let pivot = motion.pivot.unwrap_or(at.translation);
    Affine2::from_translation(pivot + motion.displacement)
        * Affine2::from_angle(motion.rotation)
        * Affine2::from_translation(-pivot)
}

/// The place of a mover before a push.
struct Place {
    at: Vec2,
    /// The place in the frame of the pusher, if the mover is outside it and in front of one of its faces.
    local: Option<Vec2>,
}

impl Level {
    /// Lets all pushers push.
    ///
    /// # Errors
    /// If a push violates a claim.
    pub fn push_all(&mut self) -> Verdict {
        for index in 0..self.pushers.len() {
            self.push(index)?;
        }
        Ok(())
    }

    fn push(&mut self, index: usize) -> Verdict {
        let Pusher { node, course, half_length, options } = self.pushers[index].clone();
        let before = self.places(node, half_length);
        let at = self.scene.world().transform(node).unwrap();
        let motion = course.motion(self.frame, at);
        let pushed = self.scene.push(node, motion, &options).map_err(|error| format!("pusher {index}: {error}"))?;
        if shows() {
            eprintln!("frame {}: pusher {index} at {at:?} by {motion:?}: {pushed:?}", self.frame);
        }
        let expected = rigid(motion, at) * at;
        let arrived = self.scene.world().transform(node).unwrap();
        claim!(expected.abs_diff_eq(arrived, TOUCH), "pusher {index} is at {arrived:?}, not at {expected:?}");
        self.check_push(node, &before, half_length, &pushed)
            .map_err(|claim| format!("pusher {index}, {node:?}, from {at:?} by {motion:?}: {claim}\n  {pushed:?}"))
    }

    /// Returns the places of all movers in the frame of a plate.
    fn places(&mut self, pusher: NodeId, half_length: f32) -> Vec<Place> {
        let world = self.scene.world();
        let plate = world.colliders(pusher)[0];
        let place = |mover: &super::LevelMover| {
            let at = world.position(mover.node).unwrap();
            let local = world.to_local(pusher, at + mover.middle).unwrap();
            let is_in_front = local.x.abs() < SPAN * half_length && world.contact(mover.collider, plate).is_none();
            Place { at, local: is_in_front.then_some(local) }
        };
        self.movers.iter().map(place).collect()
    }

    /// A push leaves every mover that it does not squeeze outside it, on the same side, and reports its travel.
    fn check_push(&mut self, pusher: NodeId, before: &[Place], half_length: f32, pushed: &Pushed) -> Verdict {
        let after = self.places(pusher, half_length);
        let plate = self.scene.colliders(pusher)[0];
        for (index, (before, after)) in before.iter().zip(&after).enumerate() {
            let (node, collider) = (self.movers[index].node, self.movers[index].collider);
            for bits in [after.at.x.to_bits(), after.at.y.to_bits()] {
                self.hash = (self.hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3);
            }
            let travel =
                pushed.pushed().iter().find(|other| other.node == node).map_or(Vec2::ZERO, |other| other.travel);
            let error = after.at.distance(before.at + travel);
            claim!(error < TOUCH, "mover {index} is at {}, off by {error} from {} + {travel}", after.at, before.at);
            if travel != Vec2::ZERO {
                let memory = &mut self.movers[index].memory;
                memory.pushes.push(travel);
                // The carry by an earlier call still counts.
                memory.end = Some(memory.end.map_or(after.at, |end| end + travel));
            }
            check_walls(self, index).map_err(|claim| format!("mover {index}: {claim}"))?;
            if pushed.squeezed().contains(&node) {
                continue;
            }
            // A point that a plate without thickness has swept is on either side, within the rounding of its position.
            let has_size = self.scene.world().bounds(collider).unwrap().size().min_element() > TOUCH;
            if let (true, Some(from), Some(to)) = (has_size, before.local, after.local) {
                claim!(from.y * to.y > 0.0, "mover {index} ends on the far side: {from} before, {to} after");
            }
            let world = self.scene.world();
            let depth = world.contact(collider, plate).map_or(0.0, |contact| contact.depth);
            let is_solid = !is_one_way(world.attachment(plate));
            claim!(!is_solid || depth < TOUCH, "mover {index} ends {depth} inside the pusher, but is not squeezed");
        }
        Ok(())
    }
}
