use core::f32::consts::FRAC_PI_4;

use glam::Vec2;

use crate::scene::QueryFilter;

/// The options of a move; see [`Scene::move_and_slide`](crate::Scene::move_and_slide). Lengths are in world units.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/move_options.svg"))]
///
/// The defaults are those of a platformer with y up and a level floor. On slopes and stairs, also set
/// [`snap_to_floor`](Self::snap_to_floor) and [`step_height`](Self::step_height), to about a fifth of the mover's height.
/// A host with y down sets [`up`](Self::up) to `-Vec2::Y`. A top-down game starts from [`top_down`](Self::top_down). Set
/// only the fields that differ:
///
/// ```
/// use hitgraph::MoveOptions;
/// use glam::Vec2;
///
/// let y_down = MoveOptions { up: -Vec2::Y, snap_to_floor: 4.0, step_height: 8.0, ..MoveOptions::default() };
/// let from_above = MoveOptions { skin_width: 0.5, ..MoveOptions::top_down() };
/// assert_eq!((y_down.skin_width, from_above.up), (0.01, Vec2::ZERO));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct MoveOptions {
    /// The direction opposite to gravity, in world space; it need not be a unit vector. If it is zero or not finite,
    /// every surface is a wall.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub up: Vec2,
    /// The angle of the steepest floor to the horizontal, in radians; it also applies to ceilings. A steeper surface is
    /// a wall: it never lifts the mover. Values are clamped to the range from 0 to just below a right angle, and NaN
    /// counts as 0. The default is 45 degrees.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub max_slope: f32,
    /// The distance over which a mover that stood on a floor is put down on a lower one. So it does not fly off
    /// downhill. With [`ride_platforms`](Self::ride_platforms), it also stays on a floor that shrank or turned since
    /// the last move, or when it did so itself. A displacement upwards does not snap. At a surface too steep for a
    /// floor, it slides down to a floor at the foot. On such a surface, as on the corner of a stair or a bevel, it
    /// also stands if a floor is at most this far below and a ledge at most this far above. Default 0: snapping is off,
    /// as it is for a negative, NaN or infinite value.
    #[doc(alias = "floor snap")]
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub snap_to_floor: f32,
    /// The height of the highest ledge that a mover steps up, if its displacement leads towards the ledge. It counts
    /// from the mover, which is a skin above its floor. A circle of radius r also rolls over the edge of a ledge that is
    /// higher by up to r (1 - cos [`max_slope`](Self::max_slope)), which is 0.3 r by default. A mover that then stands
    /// on the ledge goes at least two skins onto it, even if its displacement is shorter. A ledge lower than a
    /// millionth of this height is no step, so a huge value switches stepping off too. Default 0: stepping is off, as
    /// it is for a negative, NaN or infinite value.
    #[doc(alias("autostep", "stairs"))]
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub step_height: f32,
    /// The distance that the mover keeps from colliders. It makes seams between colliders smooth, so it should be
    /// larger than the differences in height at these seams. A value that is negative, not finite, or below the
    /// rounding of the mover's position counts as that rounding. The default is 0.01.
    ///
    #[cfg_attr(doc, doc = include_str!("../../../docs/figures/skin.svg"))]
    #[doc(alias("margin", "offset", "contact offset"))]
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub skin_width: f32,
    /// `true` if gravity does not move a mover down a sloping floor: on a floor, only the horizontal part of a
    /// displacement counts. The default is `true`.
    #[doc(alias = "stop on slope")]
    pub stand_on_slopes: bool,
    /// `true` if a node on which the mover stands carries it along; [`Moved::carried`](crate::Moved::carried) reports
    /// it. The default is `true`.
    #[doc(alias("moving platform", "elevator"))]
    pub ride_platforms: bool,
    /// The colliders that the mover meets: those that block it, and those that it passes and reports. Whatever the
    /// filter, sensors and descendants of the mover never block, and the layers of the mover's own colliders must agree
    /// as well.
    pub filter: QueryFilter,
}

impl MoveOptions {
    /// Returns the defaults with a zero [`up`](Self::up), so that every surface is a wall, as top-down games need.
    #[must_use]
    pub fn top_down() -> Self {
        Self { up: Vec2::ZERO, ..Self::default() }
    }

    /// Returns the skin width. One that is negative or not finite counts as 0.
    pub(super) fn skin(&self) -> f64 {
        if self.skin_width.is_finite() { f64::from(self.skin_width.max(0.0)) } else { 0.0 }
    }

    /// Returns the options for other movers that a move takes along. The filter of their own moves is not stored, so they
    /// are blocked by everything that their layers meet.
    pub(super) fn for_others(&self) -> Self {
        Self { filter: QueryFilter::default(), ..*self }
    }
}

impl Default for MoveOptions {
    fn default() -> Self {
        Self {
            up: Vec2::Y,
            max_slope: FRAC_PI_4,
            snap_to_floor: 0.0,
            step_height: 0.0,
            skin_width: 0.01,
            stand_on_slopes: true,
            ride_platforms: true,
            filter: QueryFilter::default(),
        }
    }
}
