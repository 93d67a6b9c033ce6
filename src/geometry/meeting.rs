//! Finds where two shapes that touch meet, and decides how deep an overlap still counts as touching.

use glam::DVec2;

use super::facing_side::FacingSide;
use super::{Disc, Hull, separation_after};
use crate::math::tolerance::INPUT_ROUNDING;

/// The stretch that the surfaces of two touching shapes share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    /// The middle of the stretch, on the target, in world space.
    pub(crate) point: DVec2,
    /// The length of the stretch; 0 unless two flat sides meet.
    pub(crate) width: f64,
    /// The lengths of the least displacements of the moving shape along `normal.perp()`, and against it, after which
    /// the sides that meet share nothing. Infinite for two corners, and for the round part of a moving shape, which
    /// rolls over the end of a side.
    pub(crate) exits: [f64; 2],
    /// `true` if a flat side of the moving shape meets a corner of the target, or a round part of it.
    pub(crate) is_at_corner: bool,
}

impl Meeting {
    /// Returns the stretch that `moving`, displaced by `displacement`, shares with `target`. `normal` is the unit
    /// normal out of the target.
    pub(crate) fn new(moving: &Hull<'_>, target: &Hull<'_>, displacement: DVec2, normal: DVec2) -> Self {
        if moving.disc.plus(&target.disc).is_none() {
            // The rounding of the normal moves the furthest point of a needle from one end to the other.
            let apart = separation_after(moving, target, displacement);
            return Self {
                point: moving.center.as_dvec2() + displacement + apart.on_b,
                width: 0.0,
                exits: [f64::INFINITY; 2],
                is_at_corner: false,
            };
        }
        let from_target = moving.center.as_dvec2() - target.center.as_dvec2() + displacement;
        let tangent = normal.perp();
        let of_target = FacingSide::new(target, normal, tangent, INPUT_ROUNDING);
        let of_moving = FacingSide::new(moving, -normal, tangent, INPUT_ROUNDING);
        let shift = from_target.dot(tangent);
        let (on_target, width) = of_target.middle_with(&of_moving, shift, normal);
        let rolls = of_moving.is_point() && (of_target.is_point() || !matches!(moving.disc, Disc::Circle(0.0)));
        let exits = if rolls { [f64::INFINITY; 2] } else { of_target.exits(&of_moving, shift) };
        let is_at_corner = of_target.is_point() && !of_moving.is_point();
        Self { point: target.center.as_dvec2() + on_target, width, exits, is_at_corner }
    }
}

/// Returns the depth up to which two overlapping shapes count as touching only: the rounding of the `f32` numbers that
/// they were made from. The shapes are where they are, so their positions do not matter.
pub(crate) fn touching_depth(a: &Hull<'_>, b: &Hull<'_>) -> f64 {
    (a.extent() + b.extent()) * INPUT_ROUNDING
}

/// Returns the same depth for a shape whose last move rounded its position to `f32`, which may have taken it into what it
/// stopped at.
pub(crate) fn touching_depth_after_move(moving: &Hull<'_>, target: &Hull<'_>) -> f64 {
    // A coordinate is off by half a unit in its last place, an eighth of this factor, and so is that of the parent.
    let position = f64::from(moving.center.abs().max_element()) * 0.25;
    touching_depth(moving, target) + position * INPUT_ROUNDING
}
