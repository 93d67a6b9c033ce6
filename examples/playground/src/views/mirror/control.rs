//! The inputs of the player, sampled at 20 Hz, and their text in a link.

/// The ticks of the duel for which an input applies.
pub const TICKS_PER_INPUT: u32 = 3;

/// The directions of the sword, evenly spaced.
const AIMS: u8 = 64;
const LOWEST_AIM: f32 = -40.0;
const HIGHEST_AIM: f32 = 130.0;
/// The largest number of equal inputs in one pair of letters.
const LONGEST_RUN: usize = 21;
/// The letters of the numbers 0 to 63; none is special in an address.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// An input of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Control {
    /// -1 walks to the left, 1 to the right.
    pub walk: i8,
    /// The direction of the sword, from 0 to 63.
    aim: u8,
}

impl Control {
    /// Creates an input. `aim` is in degrees above the horizontal and is clamped to the range of the arm.
    pub fn new(walk: i8, aim: f32) -> Self {
        let part = (aim - LOWEST_AIM) / (HIGHEST_AIM - LOWEST_AIM);
        let steps = f32::from(AIMS - 1);
        // A cast of NaN gives 0.
        Self { walk: walk.clamp(-1, 1), aim: (part.clamp(0.0, 1.0) * steps).round() as u8 }
    }

    /// Returns the direction of the sword in degrees above the horizontal.
    pub fn aim(self) -> f32 {
        LOWEST_AIM + f32::from(self.aim) / f32::from(AIMS - 1) * (HIGHEST_AIM - LOWEST_AIM)
    }
}

/// Writes inputs as text: two letters for up to 21 equal ones, the first for the aim, the second for walk and count.
pub fn write(controls: &[Control]) -> String {
    let mut text = String::new();
    for equal in controls.chunk_by(|a, b| a == b) {
        for run in equal.chunks(LONGEST_RUN) {
            let second = (run[0].walk + 1) as usize * LONGEST_RUN + run.len() - 1;
            text.extend([run[0].aim as usize, second].map(|number| char::from(LETTERS[number])));
        }
    }
    text
}

/// Reads inputs, at most `limit`.
pub fn read(text: &str, limit: usize) -> Result<Vec<Control>, String> {
    let mut controls = Vec::new();
    for pair in text.as_bytes().chunks(2) {
        let number = |letter: &u8| LETTERS.iter().position(|known| known == letter);
        let numbers = match pair {
            [first, second] => number(first).zip(number(second)).filter(|(_, second)| *second < 3 * LONGEST_RUN),
            _ => None,
        };
        let Some((aim, second)) = numbers else {
            return Err(format!("{:?} is not an input", String::from_utf8_lossy(pair)));
        };
        let control = Control { walk: (second / LONGEST_RUN) as i8 - 1, aim: aim as u8 };
        controls.extend(std::iter::repeat_n(control, second % LONGEST_RUN + 1));
        if controls.len() > limit {
            return Err(format!("there are more than {limit} inputs"));
        }
    }
    Ok(controls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_written_inputs_returns_the_same_inputs() {
        let controls: Vec<Control> =
            (0..500_i16).map(|step| Control::new((step / 60 % 3) as i8 - 1, f32::from(step / 7 * 9 % 200))).collect();
        let text = write(&controls);
        assert_eq!(read(&text, 500), Ok(controls));
        assert!(text.len() < 400 && text.bytes().all(|letter| LETTERS.contains(&letter)), "{text}");
        assert_eq!(read("", 0), Ok(Vec::new()));
    }

    #[test]
    fn an_invalid_text_gives_a_specific_error() {
        for (text, expected) in [("A", "\"A\""), ("A?", "\"A?\""), ("A_", "\"A_\""), ("AUAU", "more than 30")] {
            let error = read(text, 30).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn the_aim_is_within_two_degrees_and_clamped() {
        for aim in [-40.0, 0.0, 33.3, 130.0] {
            assert!((Control::new(0, aim).aim() - aim).abs() < 2.0);
        }
        assert_eq!([Control::new(0, -90.0).aim(), Control::new(0, 900.0).aim()], [-40.0, 130.0]);
        assert_eq!(Control::new(9, f32::NAN), Control { walk: 1, aim: 0 });
    }
}
