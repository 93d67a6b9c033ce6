//! Random levels that attack the movers, and an oracle that judges every move.
//!
//! A [`Level`] contains movers and moving parts. Its movers repeat one displacement for many frames before they change
//! it, because a mover that oscillates or creeps shows this only under repetition. [`attack`] runs levels from a range
//! of seeds, and [`oracle`] checks each move by world queries and by geometry of its own, in `f64`.

mod level;
pub mod oracle;
mod parts;
mod pushes;
mod reports;
pub mod rest;
mod scenery;

use std::env;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub use level::{Input, Level, LevelMover};
pub use parts::{Motion, Part};
pub use pushes::{Course, Pusher};
pub use scenery::{Scenery, mover_shape, numbers, options, parent, skin_width};

use crate::dice::Dice;

/// The number of frames of each attack, unless the environment sets another.
const FRAMES: u64 = 1_000;

/// The number of failures after which an attack ends.
const MAX_FAILURES: usize = 8;

/// The variable that sets the number of frames of each attack.
const FRAMES_VARIABLE: &str = "HITGRAPH_ATTACK_FRAMES";

/// The variable that sets the only seed of each attack.
const SEED_VARIABLE: &str = "HITGRAPH_ATTACK_SEED";

/// The variable that sets the first seed of each attack.
const FIRST_SEED_VARIABLE: &str = "HITGRAPH_ATTACK_FIRST_SEED";

/// The variable that makes levels print themselves and every move, for a single seed.
const SHOW_VARIABLE: &str = "HITGRAPH_ATTACK_SHOW";

/// The user data of colliders that some movers pass.
pub const GHOST: u64 = 1;

/// The result of a check: the violated claim, with the numbers that show it.
pub type Verdict = Result<(), String>;

/// Returns an error with a formatted message if a claim does not hold.
#[macro_export]
macro_rules! claim {
    ($holds:expr, $($message:tt)+) => {
        // A comparison with NaN does not hold.
        let holds: bool = $holds;
        if !holds {
            return Err(format!($($message)+));
        }
    };
}

fn number_from(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} must be a number, not {text:?}")))
}

/// Returns `true` if levels print themselves and every move.
fn shows() -> bool {
    env::var_os(SHOW_VARIABLE).is_some()
}

/// Returns the generator of a seed. Neighbouring seeds give unrelated numbers.
fn dice(seed: u64) -> Dice {
    let mixed = (seed ^ (seed >> 30)).wrapping_add(1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    Dice((mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb))
}

/// Calls `run` with one seed after the other until it has run the number of frames that the environment asks for, at
/// least once. `run` returns the number of frames, or the violated claim.
///
/// # Panics
/// If a run fails. The message contains the seeds and the command that repeats each.
pub fn attack(test: &str, mut run: impl FnMut(&mut Dice) -> Result<u64, String>) {
    let only = number_from(SEED_VARIABLE);
    let first = only.or_else(|| number_from(FIRST_SEED_VARIABLE)).unwrap_or(0);
    let budget = number_from(FRAMES_VARIABLE).unwrap_or(FRAMES);
    let (mut frames, mut failures) = (0, Vec::new());
    for seed in first.. {
        let result = catch_unwind(AssertUnwindSafe(|| run(&mut dice(seed)))).unwrap_or_else(|panic| {
            eprintln!("The run of seed {seed} panicked.");
            resume_unwind(panic)
        });
        match result {
            Ok(count) => frames += count.max(1),
            Err(claim) => {
                // A failed run counts too, or a broken mover would run forever.
                frames += 100;
                failures.push(format!("seed {seed}: {claim}\n  {}", rerun(test, seed)));
            }
        }
        if frames >= budget || failures.len() >= MAX_FAILURES || only.is_some() {
            break;
        }
    }
    assert!(failures.is_empty(), "{} runs failed within {frames} frames:\n{}", failures.len(), failures.join("\n"));
}

fn rerun(test: &str, seed: impl Display) -> String {
    format!("{SEED_VARIABLE}={seed} cargo test --release --test motion_attacks {test}")
}

/// Runs random levels for some frames each, with the checks of [`Level::frame`].
pub fn attack_levels(test: &str, frames: u64, mut build: impl FnMut(&mut Dice) -> Level) {
    attack(test, |dice| {
        let mut level = build(dice);
        for frame in 0..frames {
            level.frame().map_err(|claim| format!("frame {frame}: {claim}"))?;
        }
        Ok(frames)
    });
}
