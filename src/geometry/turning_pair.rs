//! Two shapes, of which the first moves and turns: their separation, and how fast they approach each other.

use glam::{DMat2, DVec2, Vec2};

use super::facing_side::FacingSide;
use super::minkowski::Difference;
use super::points::mapped;
use super::sat::exact;
use super::separation::Frame;
use super::support::Support;
use super::{Disc, Hull, Points, Separation, epa, touching_depth, with_points};
use crate::math::tolerance::{INPUT_ROUNDING, TOUCHING};
use crate::math::{Each, RigidMotion, Rotation};

/// Two shapes, of which the first moves and turns.
pub(super) struct TurningPair<'a> {
    pub(super) moving: &'a Hull<'a>,
    pub(super) target: &'a Hull<'a>,
    /// The two shapes without their circles, and the radii of these.
    pub(super) bare: [Hull<'a>; 2],
    pub(super) radii: [f64; 2],
    pub(super) motion: RigidMotion,
    /// The vector from the moving shape's centre to the pivot, at the start.
    pub(super) arm: DVec2,
    /// An upper bound of the distance of the moving shape's points from the pivot.
    pub(super) reach: f64,
    /// The sum of both extents.
    extent: f64,
    /// The rounding of the points of users' shapes.
    support_error: f64,
    /// The depth up to which an overlap counts as touching.
    pub(super) depth: f64,
}

/// The two shapes at a fraction of the motion.
pub(super) struct Pose<'a> {
    pub(super) fraction: f64,
    pub(super) moving: TurnedHull<'a>,
    /// The vector from the moving shape's centre to the pivot.
    pub(super) arm: DVec2,
    /// The relative position, with the moving shape first.
    pub(super) frame: Frame,
    /// The separation of the two, with their circles.
    pub(super) apart: Separation,
}

impl<'a> TurningPair<'a> {
    pub(super) fn new(motion: RigidMotion, moving: &'a Hull<'a>, target: &'a Hull<'a>) -> Self {
        let [(own, own_radius), (other, radius)] = [moving, target].each(without_circle);
        let (arm, extents) = (motion.pivot - moving.center.as_dvec2(), [moving.extent(), target.extent()]);
        Self {
            moving,
            target,
            bare: [own, other],
            radii: [own_radius, radius],
            motion,
            arm,
            reach: reach_from(moving, arm),
            extent: extents[0] + extents[1],
            support_error: moving.support_error(extents[0]) + target.support_error(extents[1]),
            depth: touching_depth(moving, target),
        }
    }

    /// Returns both shapes at a fraction of the motion.
    pub(super) fn at(&self, fraction: f64) -> Pose<'a> {
        let map = self.motion.at(fraction);
        let centers = self.target.center.as_dvec2() - self.moving.center.as_dvec2();
        let offset = centers - map.displacement_of(-self.arm);
        let path = self.motion.displacement.length() + self.arm.length();
        let size = offset.abs().element_sum() + self.extent;
        let tolerance = (size + path) * TOUCHING + self.support_error;
        let frame = Frame { offset, origin: Vec2::ZERO, tolerance };
        let moving = TurnedHull { hull: self.bare[0], turn: map.turn };
        let apart = moving.separation(&self.bare[1], &frame).rounded(self.radii[0], self.radii[1]);
        Pose { fraction, moving, arm: map.turn.rotate(self.arm), frame, apart }
    }

    /// Returns `true` if both shapes are sums of a polygon and a circle.
    pub(super) fn is_round(&self) -> bool {
        self.bare.iter().all(|hull| matches!(hull.disc, Disc::Circle(_)))
    }

    /// Returns the stretch that the two surfaces share along a normal, from the moving shape to the target: its middle,
    /// relative to the target's centre, and its length.
    pub(super) fn shared_stretch(&self, pose: &Pose<'_>, normal: DVec2) -> (DVec2, f64) {
        if !self.is_round() {
            // The rounding of the normal moves the furthest point of a needle from one end to the other.
            return (pose.apart.on_b - pose.frame.offset, 0.0);
        }
        let tangent = -normal.perp();
        let near = FacingSide::new(self.target, -normal, tangent, INPUT_ROUNDING);
        let [normal_before, tangent_before] = [normal, tangent].each(|direction| pose.moving.before(direction));
        let far = FacingSide::new(self.moving, normal_before, tangent_before, INPUT_ROUNDING);
        near.middle_with(&far, -pose.frame.offset.dot(tangent), -normal)
    }

    /// Returns the speed at which the shapes approach each other where they touch.
    pub(super) fn approach(&self, pose: &Pose<'_>, normal: DVec2) -> f64 {
        let (middle, width) = self.shared_stretch(pose, normal);
        let from_pivot = middle + pose.frame.offset - pose.arm;
        let speed_at = |point: DVec2| (self.motion.displacement + point.perp() * self.motion.rotation).dot(normal);
        let half = normal.perp() * (width * 0.5);
        speed_at(from_pivot - half).max(speed_at(from_pivot + half))
    }

    /// Returns an upper bound of the speed of the moving shape's points.
    pub(super) fn max_speed(&self) -> f64 {
        self.motion.displacement.length() + self.motion.rotation.abs() * self.reach
    }
}

/// A hull without a circle, rotated about its centre.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnedHull<'a> {
    pub(super) hull: Hull<'a>,
    pub(super) turn: Rotation,
}

impl TurnedHull<'_> {
    /// Returns the separation of this hull and another one without a circle.
    pub(super) fn separation(&self, other: &Hull<'_>, frame: &Frame) -> Separation {
        let (Disc::Circle(_), Disc::Circle(_)) = (self.hull.disc, other.disc) else {
            return epa::separation(&Difference { a: self, b: other, frame });
        };
        let (cos, sin) = (self.turn.cos(), self.turn.sin);
        let matrix = DMat2::from_cols(DVec2::new(cos, sin), DVec2::new(-sin, cos));
        exact::separation(&mapped(&self.hull.core.points(), matrix), &other.core.points(), frame)
    }

    /// Returns a direction in the frame of the hull before its rotation.
    pub(super) fn before(&self, direction: DVec2) -> DVec2 {
        self.turn.inverse().rotate(direction)
    }
}

impl Support for TurnedHull<'_> {
    fn furthest(&self, direction: DVec2) -> DVec2 {
        self.turn.rotate(self.hull.furthest(self.before(direction)))
    }
}

/// Returns a hull without its circle, and the radius of that.
fn without_circle<'a>(hull: &'a Hull<'a>) -> (Hull<'a>, f64) {
    match hull.disc {
        Disc::Circle(radius) => (Hull { disc: Disc::NONE, ..*hull }, radius),
        _ => (*hull, 0.0),
    }
}

/// Returns an upper bound of the distance of a hull's points from another point, relative to the hull's centre.
fn reach_from(hull: &Hull<'_>, from: DVec2) -> f64 {
    let of_core = with_points!(&hull.core, points => {
        (0..points.count()).map(|index| (points.point(index) - from).length()).fold(0.0, f64::max)
    });
    let of_disc = match hull.disc {
        Disc::Circle(radius) => radius,
        Disc::Ellipse(matrix) => DVec2::new(matrix.x_axis.length(), matrix.y_axis.length()).length(),
        Disc::Support(shape) => {
            let reach = |axis: DVec2| [axis, -axis].each(|along| shape.furthest(along).dot(along).abs());
            let [x, y] = [DVec2::X, DVec2::Y].each(|axis| reach(axis).into_iter().fold(0.0, f64::max));
            DVec2::new(x, y).length()
        }
    };
    of_core + of_disc
}
