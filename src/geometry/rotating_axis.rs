//! A lower bound of the gap of two shapes, one of which moves and turns, over a stretch of time.
//!
//! Two convex shapes are apart while their projections on some axis are. The projection of a turning shape on a fixed
//! axis is its support function along a direction that turns the other way. Between two directions, two tangents
//! enclose a shape, so its support function is at most that of the point where they meet: a sine. The gap along the
//! axis is therefore at least a sum of sines and a linear term, whose first root no touch precedes. If the same corner
//! of the shape is the furthest all along, that bound is the gap itself.
//!
//! Source: conservative advancement (B. Mirtich, 1996) bounds the speed of approach by a constant. This bound follows
//! the rotation instead, so that a grazing touch needs few steps too.

#[cfg(not(feature = "std"))]
use crate::math::Float;
use crate::math::Rotation;
use crate::math::tolerance::{MAX_ITERATIONS, MIN_ROOT_STEP};

/// The gap of two shapes along an axis as a function of the time since the axis was chosen: at least
/// `gap + height * (1 - cos(a)) + lateral * sin(a) - time * speed`, with `a = rotation * time`.
#[derive(Debug, Clone, Copy)]
pub(super) struct RotatingAxis {
    /// The gap at time 0.
    pub(super) gap: f64,
    /// The coordinate along the axis of the point that stands for the shape, relative to the pivot.
    pub(super) height: f64,
    /// The coordinate of that point across the axis.
    pub(super) lateral: f64,
    /// Radians per unit of time.
    pub(super) rotation: f64,
    /// The displacement per unit of time along the axis and across it.
    pub(super) displacement: [f64; 2],
    pub(super) kind: AxisKind,
}

/// The motion of an axis along which a gap is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AxisKind {
    Fixed,
    /// The axis turns with the moving shape.
    Turning,
}

impl RotatingAxis {
    /// Returns a time up to which the gap stays above a level, and at most `most`. Each step takes the largest
    /// acceleration for granted, so none passes the first root.
    pub(super) fn time_above(&self, level: f64, most: f64) -> f64 {
        let acceleration = self.max_acceleration(most);
        let mut time = 0.0;
        for _ in 0..MAX_ITERATIONS {
            let (gap, speed) = self.at(time);
            let left = gap - level;
            if left <= 0.0 {
                break;
            }
            let root = (speed * speed + 2.0 * acceleration * left).sqrt();
            let step = if speed > 0.0 { (speed + root) / acceleration } else { 2.0 * left / (root - speed) };
            time += step;
            if time >= most {
                return most;
            }
            if step <= time * MIN_ROOT_STEP {
                break;
            }
        }
        time
    }

    /// Returns the bound at a time, and its derivative.
    fn at(&self, time: f64) -> (f64, f64) {
        let (turn, [along, across]) = (Rotation::new(self.rotation * time), self.displacement);
        let (speed, acceleration) = if self.kind == AxisKind::Turning {
            let change = self.rotation * (across * turn.cos() - along * turn.sin);
            (along * turn.cos() + across * turn.sin, change)
        } else {
            (along, 0.0)
        };
        let gap = self.gap + self.height * turn.versine + self.lateral * turn.sin - time * speed;
        let growth = self.rotation * (self.height * turn.sin + self.lateral * turn.cos());
        (gap, growth - speed - time * acceleration)
    }

    /// Returns an upper bound of the second derivative up to a time.
    fn max_acceleration(&self, most: f64) -> f64 {
        let rotation = self.rotation.abs();
        let of_point = rotation * rotation * (self.height.abs() + self.lateral.abs());
        let [along, across] = self.displacement;
        let of_axis = (along.abs() + across.abs()) * rotation * (2.0 + rotation * most);
        of_point + if self.kind == AxisKind::Turning { of_axis } else { 0.0 }
    }
}
