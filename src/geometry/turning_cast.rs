//! Turning casts: the fraction of a rigid motion at which a shape first touches another.
//!
//! A cast advances along separating axes. Each step takes an [axis](super::rotating_axis) that separates the two
//! shapes, fixed or turning with the first, whichever leads further, and ends where the gap along it has its first
//! root, or a little before. The distance that is left shrinks quadratically, for a grazing touch by a constant factor.
//!
//! Conservative [advancement](super::advancement) is another algorithm: its step is the distance divided by a bound of
//! the speed of approach. Without rotation that bound is the speed itself, and the step ends at the root. With rotation
//! it is the speed of the furthest point, so the steps towards a grazing touch would become ever smaller. A turning
//! cast also has to continue after a touch at which the shapes do not enter each other.
//!
//! Only the part of the motion is searched in which the disc that the shape sweeps about its pivot touches the other
//! shape.
//!
//! Source: E. Catto, *Continuous Collision* (GDC 2013). `b2TimeOfImpact` of Box2D finds the root along an axis between
//! two instants, by bisection and secants; the bound by sines needs no second instant. The non-linear shape cast of
//! parry has the same purpose.

use core::f64::consts::{PI, TAU};
use core::ops::Range;

use glam::{DVec2, Vec2};

use super::rotating_axis::{AxisKind, RotatingAxis};
use super::support::Support;
use super::turning_pair::{Pose, TurningPair};
use super::{CastTouch, Core, Disc, Hull, Meeting, ShapeCast, separation_after};
#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::tolerance::{INPUT_ROUNDING, MAX_TURNING_STEPS, MIN_EXIT, OPPOSITE_NORMALS_COS};
use crate::math::{Aabb, Each, Motion, RigidMotion, Rotation};

/// The largest rotation in one step, in radians. The tangents at both ends then meet near the shape.
const MAX_ROTATION: f64 = 1.0;

/// The number of times that a search goes back from an overlap to the touch.
const MAX_RETURNS: usize = 4;

/// The number of times that a step is computed again with closer tangents.
const MAX_REFINEMENTS: usize = 8;

/// A rigid motion along which a shape is cast against others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TurningCast {
    motion: RigidMotion,
    /// The cast of a motion without rotation.
    straight: Option<ShapeCast>,
}

impl TurningCast {
    /// Creates the cast of a shape. `origin` is the pivot of a motion without one. Returns `None` if nothing moves or a
    /// number is not finite.
    pub(crate) fn new(motion: &Motion, origin: DVec2) -> Option<Self> {
        let motion = motion.about(origin)?;
        let straight =
            if motion.rotation == 0.0 { Some(ShapeCast::new(DVec2::ZERO, motion.displacement)?) } else { None };
        Some(Self { motion, straight })
    }

    pub(crate) const fn motion(&self) -> &RigidMotion {
        &self.motion
    }

    /// Returns a direction along which the moving shape goes into the target at a touch: the displacement, or the
    /// normal if the moving shape turns.
    fn direction_at(&self, touch: &CastTouch) -> Vec2 {
        (if self.straight.is_some() { self.motion.displacement } else { -touch.normal }).as_vec2()
    }

    /// Returns the box around a box at the start of the cast that contains it in every orientation of the motion, before
    /// the displacement.
    pub(crate) fn turned_bounds(&self, bounds: Aabb) -> Aabb {
        if self.straight.is_some() {
            return bounds;
        }
        let [min, max] = [bounds.min, bounds.max].each(|corner| corner.as_dvec2() - self.motion.pivot);
        let reach = min.abs().max(max.abs()).length();
        // The chord of the arc of the furthest point.
        let angle = self.motion.rotation.abs().min(PI);
        let chord = 2.0 * reach * Rotation::new(angle * 0.5).sin;
        let (low, high) = ((min - chord).max(DVec2::splat(-reach)), (max + chord).min(DVec2::splat(reach)));
        let pivot = self.motion.pivot.as_vec2();
        Aabb::padded(pivot, low.as_vec2(), high.as_vec2())
    }

    /// Returns the first touch of `moving` and `target` up to the fraction `limit`.
    ///
    /// If the shapes touch at the start, the touch has fraction 0 if they approach; if they overlap, always. A shape
    /// that the moving shape slides along or grazes without entering it is not touched. Without rotation the answer is
    /// that of the [`ShapeCast`].
    ///
    /// `lets_through` decides whether the target lets things through in a direction. A moving shape that it lets
    /// through may turn back and touch the target again.
    pub(crate) fn first_touch(
        &self,
        moving: &Hull<'_>,
        target: &Hull<'_>,
        limit: f64,
        lets_through: &dyn Fn(Vec2) -> bool,
    ) -> Option<CastTouch> {
        let blocks = |touch: &CastTouch| !lets_through(self.direction_at(touch));
        match &self.straight {
            Some(cast) => cast.first_touch(moving, target, limit).filter(blocks),
            None => {
                let touch = TurningPair::new(self.motion, moving, target).first_touch(limit, &blocks);
                // A piece of a user's shape may overflow, and then has no normal.
                touch.filter(|touch| touch.normal.is_finite())
            }
        }
    }

    /// Returns the middle of the stretch that the surfaces of the two shapes share at a touch, on the target.
    pub(crate) fn meeting_point(&self, moving: &Hull<'_>, target: &Hull<'_>, touch: &CastTouch) -> DVec2 {
        match &self.straight {
            Some(cast) => Meeting::new(moving, target, cast.at(touch.fraction), touch.normal).point,
            None => {
                let pair = TurningPair::new(self.motion, moving, target);
                let (middle, _) = pair.shared_stretch(&pair.at(touch.fraction), -touch.normal);
                target.center.as_dvec2() + middle
            }
        }
    }
}

/// The relation of two shapes at a fraction of the motion, as far as it decides the next step.
enum Relation {
    Apart,
    /// They touch, and slide along or leave each other.
    Touching,
    /// They touch and will overlap, because they approach each other at this speed.
    Entering {
        speed: f64,
    },
    /// They overlap by more than the depth that counts as touching.
    Overlapping,
}

impl TurningPair<'_> {
    /// Returns the first touch that blocks, up to the fraction `limit`.
    fn first_touch(&self, limit: f64, blocks: &dyn Fn(&CastTouch) -> bool) -> Option<CastTouch> {
        let [mut from, last] = self.interval(limit)?;
        let mut steps = 0..MAX_TURNING_STEPS;
        loop {
            let touch = self.touch_between([from, last], &mut steps)?;
            if blocks(&touch) {
                return Some(touch);
            }
            from = self.end_of_overlap([touch.fraction, last], &mut steps)?;
        }
    }

    /// Returns a fraction between two at which the shapes are apart; `None` if they overlap until the last one. A step
    /// of the length of the depth does not pass that fraction. Near it, steps are a small part of the size, so a shape
    /// that leaves the other by less than that and comes back counts as inside all the time.
    fn end_of_overlap(&self, [mut fraction, last]: [f64; 2], steps: &mut Range<usize>) -> Option<f64> {
        let speed = self.max_speed();
        let least = (self.moving.extent().min(self.target.extent()) * MIN_EXIT).max(self.depth);
        for _ in steps {
            let pose = self.at(fraction);
            if pose.apart.gap > pose.frame.tolerance {
                return Some(fraction);
            }
            fraction += least.max(-pose.apart.gap) / speed;
            if fraction > last {
                break;
            }
        }
        None
    }

    /// Returns the first touch between two fractions.
    fn touch_between(&self, [mut fraction, last]: [f64; 2], steps: &mut Range<usize>) -> Option<CastTouch> {
        let mut before = fraction;
        // The axis along which the last step led here: the shapes are not less than zero apart along it.
        let mut axis = None;
        let mut returns = 0;
        for _ in steps {
            let pose = self.at(fraction);
            let apart = &pose.apart;
            // An axis that led here is as good as any if the shapes touch, and does not suffer from a gap near zero.
            let is_exact = apart.gap.abs() <= pose.frame.tolerance;
            let normal = axis.filter(|_| is_exact).unwrap_or(apart.normal);
            let touch = |fraction: f64| (fraction <= last).then_some(CastTouch { fraction, normal: -normal });
            let level = match self.relation(&pose, normal) {
                // Shapes thinner than the step pass each other.
                Relation::Apart if axis.is_some_and(|axis| are_opposite(axis, apart.normal)) => {
                    return Some(self.touch_at(before));
                }
                Relation::Apart => 0.0,
                // They may overlap by the depth that still counts as touching.
                Relation::Touching => -self.depth - pose.frame.tolerance,
                Relation::Entering { speed } if !is_exact && fraction > before && returns < MAX_RETURNS => {
                    // Shapes that touched before have left each other and met again within the step.
                    (fraction, axis, returns) = (before.max(fraction + apart.gap / speed), None, returns + 1);
                    continue;
                }
                Relation::Entering { .. } | Relation::Overlapping => return touch(fraction),
            };
            // Only here, because a step beyond the last fraction may find a touch before it.
            if fraction > last {
                return None;
            }
            let (step, landed) = self.step(&pose, level);
            before = fraction;
            fraction += step;
            if fraction <= before {
                return touch(fraction);
            }
            axis = Some(landed);
        }
        (fraction <= last).then(|| self.touch_at(fraction))
    }

    /// Returns the relation of the shapes. `normal` is that of a touch, if they touch.
    fn relation(&self, pose: &Pose<'_>, normal: DVec2) -> Relation {
        if pose.apart.gap < -self.depth {
            return Relation::Overlapping;
        }
        if pose.apart.gap <= pose.frame.tolerance {
            let speed = self.approach(pose, normal);
            let enters = speed > self.max_speed() * INPUT_ROUNDING && self.enters(pose.fraction, normal, speed);
            return if enters { Relation::Entering { speed } } else { Relation::Touching };
        }
        Relation::Apart
    }

    /// Returns the touch at a fraction at which the shapes touch.
    fn touch_at(&self, fraction: f64) -> CastTouch {
        CastTouch { fraction, normal: -self.at(fraction).apart.normal }
    }

    /// Returns the fractions between which the disc that the moving shape sweeps about the pivot touches the target, up
    /// to a limit; `None` if it never does.
    fn interval(&self, limit: f64) -> Option<[f64; 2]> {
        let (displacement, rotation) = (self.motion.displacement, self.motion.rotation.abs());
        // A disc that only grazes the target counts as missing it. The moving shape, which is smaller, does not enter
        // it then.
        let radius = self.reach + (displacement.length() + self.reach) * INPUT_ROUNDING + self.depth;
        let disc = Hull { center: self.moving.center, core: Core::POINT, disc: Disc::Circle(radius) };
        let Some(there) = ShapeCast::new(self.arm, displacement) else {
            // In place, everything repeats after a full turn.
            let touches = separation_after(&disc, self.target, self.arm).touches();
            return touches.then_some([0.0, limit.min(TAU / rotation)]);
        };
        let first = there.first_touch(&disc, self.target, limit)?.fraction;
        if (limit - first) * rotation < PI {
            return Some([first, limit]);
        }
        let back = ShapeCast::new(self.arm + displacement * limit, -displacement * limit);
        let last = back.and_then(|back| back.first_touch(&disc, self.target, 1.0));
        Some([first, last.map_or(limit, |touch| limit * (1.0 - touch.fraction)).max(first)])
    }

    /// Returns `true` if the shapes, which approach each other along a normal, overlap soon. Corners have many normals,
    /// and may pass each other.
    fn enters(&self, fraction: f64, normal: DVec2, approach: f64) -> bool {
        if !self.is_round() || self.radii != [0.0; 2] {
            return true;
        }
        let Pose { frame, apart, .. } = self.at(fraction + 2.0 * self.depth / approach);
        apart.gap < -frame.tolerance || are_opposite(apart.normal, normal)
    }

    /// Returns a step along which the gap stays above a level, and the normal at its end along which it does.
    fn step(&self, pose: &Pose<'_>, level: f64) -> (f64, DVec2) {
        let normal = pose.apart.normal;
        let [fixed, turning] = [AxisKind::Fixed, AxisKind::Turning].each(|kind| self.step_along(pose, kind, level));
        if turning > fixed {
            (turning, Rotation::new(self.motion.rotation * turning).rotate(normal))
        } else {
            (fixed, normal)
        }
    }

    /// Returns a step along which the gap along one axis stays above a level.
    fn step_along(&self, pose: &Pose<'_>, kind: AxisKind, level: f64) -> f64 {
        let (normal, rotation) = (pose.apart.normal, self.motion.rotation);
        let displacement = [normal, normal.perp()].each(|axis| self.motion.displacement.dot(axis));
        let own = |direction: DVec2| (pose.moving.furthest(direction) - pose.arm).dot(direction);
        let from_pivot = pose.frame.offset - pose.arm;
        let other = |direction: DVec2| -(from_pivot + self.bare[1].furthest(-direction)).dot(direction);
        let gap = -own(normal) - other(normal) - self.radii[0] - self.radii[1];
        // Either the moving shape turns before a fixed axis, or the target before an axis that is fixed to the moving
        // shape.
        let height_along = |direction: DVec2| match kind {
            AxisKind::Fixed => own(direction),
            AxisKind::Turning => other(direction),
        };
        let height = height_along(normal);
        let time_within = |most: f64| {
            let turn = Rotation::new(rotation * most);
            // The turn of the axis, as seen from the shape whose height it is.
            let relative_turn = if kind == AxisKind::Turning { turn } else { turn.inverse() };
            let end = height_along(relative_turn.rotate(normal));
            let lateral = (height - end - height * turn.versine) / turn.sin;
            RotatingAxis { gap, height, lateral, rotation, displacement, kind }.time_above(level, most)
        };
        // The limit of the cast must not change the steps, or else a touch would depend on what was found before it.
        let most = if pose.fraction < 1.0 { 1.0 - pose.fraction } else { 1.0 };
        longest_time(time_within, most.min(MAX_ROTATION / rotation.abs()))
    }
}

/// Returns the longest of the times that `time_within` proves. Its argument is the time over which a shape turns between
/// two tangents, at most `most`.
///
/// Over a shorter one the tangents are closer to the shape, and the bound is better. The longest time that is proven is
/// between two that may differ by magnitudes, so the search takes their geometric mean.
fn longest_time(time_within: impl Fn(f64) -> f64, mut most: f64) -> f64 {
    let (mut longest, mut proven, mut unproven) = (0.0_f64, 0.0, most);
    for _ in 0..MAX_REFINEMENTS {
        let time = time_within(most);
        longest = longest.max(time);
        if time < most {
            unproven = most;
        } else {
            proven = most;
        }
        most = if proven > 0.0 { (proven * unproven).sqrt() } else { time * 2.0 };
        if !(most < unproven * 0.75 && most > proven) {
            break;
        }
    }
    longest
}

/// Returns `true` if two unit normals are opposite. Shapes that are apart along one and then along the other went
/// through each other.
fn are_opposite(a: DVec2, b: DVec2) -> bool {
    a.dot(b) < -OPPOSITE_NORMALS_COS
}
