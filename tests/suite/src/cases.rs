//! Generated cases by number and seed. The environment sets how many there are, which seed they have, and how many
//! failures are shown.

use std::env;
use std::fmt::Debug;

use crate::dice::Dice;

/// Returns the number in an environment variable, or the default.
pub fn setting(name: &str, default: u64) -> u64 {
    env::var(name)
        .map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} must be a whole number, not {value}")))
}

/// Checks `percent` of all cases, of which there are `default` unless the environment sets another number. Panics with
/// the first few failures.
pub fn check_cases<T: Debug>(
    default: u64,
    percent: u64,
    case: impl Fn(&mut Dice) -> T,
    check: impl Fn(&T) -> Result<(), String>,
) {
    let (cases, seed) = (setting("EXACT_CASES", default) * percent / 100, setting("EXACT_SEED", 1));
    let mut failures = Vec::new();
    for number in 0..cases {
        let case = case(&mut Dice((seed << 40 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        if let Err(why) = check(&case) {
            failures.push(format!("case {number} of seed {seed}: {why}\n  {case:?}"));
        }
    }
    let count = failures.len();
    failures.truncate(setting("EXACT_SHOW", 4) as usize);
    assert!(failures.is_empty(), "{count} of {cases} cases fail:\n{}", failures.join("\n"));
}
