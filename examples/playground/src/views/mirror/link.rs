//! The text of a duel in a link: `seed=7&inputs=...`.

use super::control::{self, Control, TICKS_PER_INPUT};
use super::duel::TICKS;

/// The number of inputs of a whole duel.
pub const MOST_INPUTS: usize = (TICKS / TICKS_PER_INPUT) as usize;

pub fn write(seed: u32, inputs: &str) -> String {
    if inputs.is_empty() { format!("seed={seed}") } else { format!("seed={seed}&inputs={inputs}") }
}

/// Reads the seed and the inputs. Both may be missing.
pub fn read(text: &str) -> Result<(Option<u32>, Vec<Control>), String> {
    let (mut seed, mut inputs) = (None, Vec::new());
    for part in text.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("{part:?} has no value"))?;
        match name {
            "seed" => {
                let number =
                    value.parse().map_err(|_| format!("the seed {value:?} is not a whole number below 2^32"))?;
                seed = Some(number);
            }
            "inputs" => inputs = control::read(value, MOST_INPUTS).map_err(|error| format!("inputs: {error}"))?,
            _ => return Err(format!("unknown name {name:?}; the names are seed and inputs")),
        }
    }
    Ok((seed, inputs))
}
