use glam::{DMat2, DVec2};

use super::epa;
use super::hull::{Disc, Hull};
use super::points::mapped;
use super::sat::exact;
use super::separation::{Frame, Separation};
use super::support::Support;
use crate::math::Rotation;

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
            return epa::separation(self, other, frame);
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
