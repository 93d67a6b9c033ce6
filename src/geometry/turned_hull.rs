use glam::{DMat2, DVec2};

use super::epa;
use super::hull::{Hull, Rounding};
use super::points::MappedPoints;
use super::sat::exact;
use super::separation::{Frame, Separation};
use super::support::Support;
use super::with_points;
use crate::math::Turn;

/// A hull without a circle, rotated about its centre.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnedHull<'a> {
    pub(super) hull: Hull<'a>,
    pub(super) turn: Turn,
}

impl TurnedHull<'_> {
    /// Returns the separation of this hull and another one without a circle.
    pub(super) fn separation(&self, other: &Hull<'_>, frame: &Frame) -> Separation {
        let (Rounding::Circle(_), Rounding::Circle(_)) = (self.hull.rounding, other.rounding) else {
            return epa::separation(self, other, frame);
        };
        let (cos, sin) = (self.turn.cos(), self.turn.sin);
        let matrix = DMat2::from_cols(DVec2::new(cos, sin), DVec2::new(-sin, cos));
        // The identity is exact, and saves compiling another pair of types.
        let map = |of_other: bool| if of_other { DMat2::IDENTITY } else { matrix };
        with_points!(&self.hull.core, a => with_points!(&other.core, b => {
            let (a, b) = (MappedPoints::new(a, DVec2::ZERO, map(false)), MappedPoints::new(b, DVec2::ZERO, map(true)));
            exact::separation(a, b, frame)
        }))
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
