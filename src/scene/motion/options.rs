use core::cell::OnceCell;
use core::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::{DVec2, Vec2};

use crate::math::Turn;
use crate::scene::QueryFilter;

/// How a node moves; see [`Scene::move_and_slide`](crate::Scene::move_and_slide). Lengths are in world units.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/move_options.svg"))]
///
/// The defaults suit a platformer with y up. In a host with y down give [`up`](Self::up) as `-Vec2::Y`. For a game seen
/// from above there is [`top_down`](Self::top_down). Say what differs, and leave the rest:
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
pub struct MoveOptions {
    /// Against gravity, in world space; need not be a unit vector. Zero, or what is not finite: there is no up, so
    /// every surface is a wall.
    pub up: Vec2,
    /// The steepest floor, as its angle to the horizontal in radians; the same for ceilings. What is steeper is a wall:
    /// it never lifts the mover. From 0 to just below a right angle; what is beyond counts as that, and NaN as 0. 45
    /// degrees unless set.
    pub max_slope: f32,
    /// How far below the floor may fall away for a mover that stood on it to be put down again, so that it does not
    /// fly off downhill. 0, unless set: it never is. A motion upwards leaves the floor.
    #[doc(alias = "floor snap")]
    pub snap_to_floor: f32,
    /// What height a mover walks up when a wall is no higher. 0, unless set: none.
    #[doc(alias("autostep", "stairs"))]
    pub step_height: f32,
    /// The distance that is kept from everything. It is what makes seams between colliders smooth, so it should be
    /// larger than their steps; a negative one, one that is not finite, or one below the rounding of the position, is
    /// as small as that. 0.01 unless set.
    #[doc(alias("margin", "offset", "contact offset"))]
    pub skin_width: f32,
    /// Whether gravity leaves a mover where it is on a sloping floor: there only the horizontal part of a motion
    /// counts. On unless set.
    #[doc(alias = "stop on slope")]
    pub stand_on_slopes: bool,
    /// Whether a mover that stands on a node is carried along when that has moved since. On unless set.
    #[doc(alias("moving platform", "elevator"))]
    pub ride_platforms: bool,
    /// What stands in the way. Sensors never do, whatever it says, nor does what is below the mover; and the layers of
    /// the mover's own colliders count too.
    pub filter: QueryFilter,
}

impl MoveOptions {
    /// For games seen from above: the defaults without an [`up`](Self::up), so every surface is a wall.
    #[must_use]
    pub fn top_down() -> Self {
        Self { up: Vec2::ZERO, ..Self::default() }
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

/// The steepest that a floor can be, in radians: from any floor straight up leads off it.
const STEEPEST: f32 = FRAC_PI_2 - 1e-3;

/// What a surface is to a mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surface {
    Floor,
    Wall,
    Ceiling,
}

/// The directions of some options, ready to be asked.
#[derive(Debug, Clone)]
pub(super) struct Slopes {
    /// A unit vector, or zero.
    pub(super) up: DVec2,
    steepest: f32,
    /// The cosine of that, once it was asked for: most moves meet nothing.
    least: OnceCell<f64>,
}

impl Slopes {
    pub(super) fn new(options: &MoveOptions) -> Self {
        let up = Some(options.up.as_dvec2()).filter(|up| up.is_finite()).map_or(DVec2::ZERO, DVec2::normalize_or_zero);
        let steepest = if options.max_slope.is_nan() { 0.0 } else { options.max_slope.clamp(0.0, STEEPEST) };
        Self { up, steepest, least: OnceCell::new() }
    }

    /// How far up the normal of a floor points at least.
    fn least(&self) -> f64 {
        // The slope of 45 degrees is one of 45 degrees, whatever rounding says.
        *self.least.get_or_init(|| f64::from(Turn::new(self.steepest).cos) - 1e-6)
    }

    /// What a surface is, by its normal.
    pub(super) fn surface(&self, normal: DVec2) -> Surface {
        match normal.dot(self.up) {
            _ if self.up == DVec2::ZERO => Surface::Wall,
            rise if rise >= self.least() => Surface::Floor,
            rise if -rise >= self.least() => Surface::Ceiling,
            _ => Surface::Wall,
        }
    }

    /// The normal of the upright wall that a surface too steep for a floor stands for; `None` for other surfaces.
    pub(super) fn upright(&self, normal: DVec2) -> Option<DVec2> {
        let rise = normal.dot(self.up);
        let steep = rise > 0.0 && self.surface(normal) == Surface::Wall;
        steep.then(|| (normal - self.up * rise).normalize_or_zero()).filter(|upright| *upright != DVec2::ZERO)
    }

    /// Without what leads up or down.
    pub(super) fn horizontal(&self, motion: DVec2) -> DVec2 {
        motion - self.up * motion.dot(self.up)
    }
}
