use std::fmt;

use hitgraph::ShapeError;
use thiserror::Error;

/// Why an element carries no collider.
#[derive(Debug, Error)]
pub enum Reason {
    /// SVG draws nothing, so there is nothing to hit.
    #[error("{0}")]
    Nothing(&'static str),
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// What it says makes no sense.
    #[error("{0}")]
    Value(String),
    /// It is told how many of this kind there are.
    #[error("{0} is not supported yet")]
    Unsupported(&'static str),
}

impl Reason {
    /// An attribute that does not say what it should.
    pub fn value(attribute: &str, value: &str, reason: impl fmt::Display) -> Self {
        let short: String = value.chars().take(40).collect();
        let more = if short.len() < value.len() { "..." } else { "" };
        Self::Value(format!("{attribute}=\"{short}{more}\": {reason}"))
    }
}

/// What became of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Good SVG, but not a shape that can collide.
    Refused,
    NotDrawn,
    Renamed,
    /// The drawing itself is wrong here.
    Wrong,
}

/// Something to tell about an element.
#[derive(Debug)]
pub struct Remark {
    pub verdict: Verdict,
    pub name: String,
    pub line: usize,
    pub reason: String,
}

impl Remark {
    pub fn new(name: String, line: usize, reason: &Reason) -> Self {
        let verdict = match reason {
            Reason::Nothing(_) => Verdict::NotDrawn,
            Reason::Shape(ShapeError::CrossesItself { .. } | ShapeError::Crossing { .. }) => Verdict::Refused,
            _ => Verdict::Wrong,
        };
        Self { verdict, name, line, reason: reason.to_string() }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verdict, name, line, reason } = self;
        match verdict {
            Verdict::Refused => write!(f, "refused {name}, line {line}: {reason}"),
            Verdict::NotDrawn => write!(f, "not drawn {name}, line {line}: {reason}"),
            Verdict::Renamed => write!(f, "renamed {name}, line {line}: {reason}"),
            Verdict::Wrong => write!(f, "line {line}: {name}: {reason}"),
        }
    }
}

/// Why a whole file cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {reason}")]
pub struct Fault {
    pub line: usize,
    pub reason: String,
}
