//! The measure of a mover at rest.

use glam::{DVec2, Vec2};

use super::{Input, Level, Verdict};
use crate::claim;

/// The number of frames of a window in which the shaking of a mover is measured.
const WINDOW: usize = 40;

/// The number of frames of a window in which a mover may change its velocity: it passes corners.
const CORNERS: usize = 8;

/// The shaking of a mover that should be at rest or slide along straight walls. All values are zero for such a path.
#[derive(Debug, Clone, Copy)]
pub struct Shaking {
    /// Half of the changes of the travel from frame to frame, without the few largest. It is not zero on a curve.
    pub changes: f64,
    /// The distance by which the mover goes back on its path.
    pub reversals: f64,
    /// The path minus the net displacement; 0 for a mover that is on its way.
    pub detours: f64,
}

impl Shaking {
    /// Measures positions of consecutive frames. A mover is on its way if it gets further than `way`.
    pub fn of(positions: &[DVec2], way: f64) -> Self {
        let travels: Vec<DVec2> = positions.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut changes: Vec<f64> = travels.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        changes.sort_by(f64::total_cmp);
        let back = |pair: &[DVec2]| -pair[0].dot(pair[1]) / pair[0].length().max(pair[1].length());
        let net = positions[0].distance(positions[positions.len() - 1]);
        let path: f64 = travels.iter().map(|travel| travel.length()).sum();
        Self {
            changes: 0.5 * changes[..changes.len() - CORNERS].iter().sum::<f64>(),
            reversals: travels.windows(2).map(back).filter(|back| *back > 0.0).sum(),
            detours: if net < way { path - net } else { 0.0 },
        }
    }

    fn worst(self, has_curves: bool) -> f64 {
        let changes = if has_curves { 0.0 } else { self.changes };
        changes.max(self.reversals).max(self.detours)
    }
}

/// Moves all movers of a level by their constant inputs. After 500 frames they shake by no more than half a skin, and
/// after 1,000 frames by no more than rounding. Positions are relative to the first part, if there is one. Where there
/// are curves, a mover may follow one slowly.
///
/// # Errors
/// If a mover still shakes then, or if a move violates another claim.
pub fn come_to_rest(level: &mut Level, has_curves: bool) -> Result<u64, String> {
    level.is_still = level.parts.is_empty();
    let mut positions: Vec<Vec<DVec2>> = vec![Vec::new(); level.movers.len()];
    for frame in 1..=1_000 {
        level.frame().map_err(|claim| format!("frame {}: {claim}", frame - 1))?;
        let world = level.scene.world();
        let base = level.parts.first().map_or(Vec2::ZERO, |part| world.position(part.node).unwrap());
        for (mover, positions) in level.movers.iter().zip(&mut positions) {
            positions.push(world.position(mover.node).unwrap().as_dvec2() - base.as_dvec2());
        }
        if frame != 500 && frame != 1_000 {
            continue;
        }
        for (index, (mover, positions)) in level.movers.iter().zip(&positions).enumerate() {
            let window = &positions[positions.len() - WINDOW..];
            let Input::Constant(input) = mover.input else { continue };
            let shaking = Shaking::of(window, 0.1 * f64::from(input.length()));
            let size = window[0].abs().max_element().max(4.0) + f64::from(base.abs().max_element());
            let rounding = 8.0 * f64::from(f32::EPSILON) * size * WINDOW as f64;
            let half_skin = 0.5 * f64::from(mover.options.skin_width);
            let most = if frame == 500 { half_skin.max(rounding) } else { rounding };
            claim!(
                shaking.worst(has_curves) <= most,
                "mover {index} at {}, moved by {} with {:?}, still shakes by more than {most} after {frame} frames: \
                 {shaking:?}",
                world.position(mover.node).unwrap(),
                input,
                mover.options
            );
        }
    }
    Ok(1_000)
}

/// Moves the only mover of a still level back from where it has come to rest: neither its skin nor a wall holds it.
///
/// # Errors
/// If it does not move back freely.
pub fn move_back(level: &mut Level) -> Verdict {
    let Input::Constant(input) = level.movers[0].input else { return Ok(()) };
    let moved = level.move_one(0, -input)?;
    let up = level.movers[0].options.up;
    // Between two steep slopes, the other one blocks the level part like an upright wall.
    let wanted = if moved.wall.is_some() && up != Vec2::ZERO { up * -input.dot(up) } else { -input };
    let part = moved.travel.dot(wanted) / wanted.length_squared();
    claim!(part > 0.5 && !moved.stuck, "the mover moves back by {part} of its displacement only: {moved:?}");
    Ok(())
}
