//! A wrong answer of an engine.

use std::fmt;

use glam::Vec2;

use super::operand::Operand;

/// The way in which an answer is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The engine reports a hit, but the outlines are apart.
    Phantom,
    /// The outlines overlap, but the engine reports no hit.
    Missed,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Phantom => "PHANTOM HIT",
            Self::Missed => "MISSED HIT",
        })
    }
}

/// The moment of a wrong answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Lie {
    pub verdict: Verdict,
    pub tick: u32,
    /// The indices of the limbs.
    pub limbs: [usize; 2],
    pub names: [String; 2],
    pub operands: [Operand; 2],
    /// The true gap between the outlines: their distance, or minus the depth of their overlap.
    pub gap: f64,
    pub at: Vec2,
}

impl Lie {
    /// Returns the names of both limbs.
    pub fn title(&self) -> String {
        self.names.join(" – ")
    }

    /// Returns a sentence with the true gap.
    pub fn sentence(&self) -> String {
        match self.verdict {
            Verdict::Phantom => format!("The outlines are {:.2} apart; the dashed shapes overlap.", self.gap),
            Verdict::Missed => format!("The outlines overlap by {:.2}; the dashed shapes are apart.", -self.gap),
        }
    }
}
