//! Remarks and errors on the elements of a drawing.

use std::fmt;

use hitgraph::ShapeError;
use thiserror::Error;

/// The reason why an element has no collider.
#[derive(Debug, Error)]
pub enum Reason {
    /// SVG does not draw the element.
    #[error("{0}")]
    Nothing(&'static str),
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Valid SVG that would take too long.
    #[error("{0}")]
    TooLarge(String),
    /// An attribute is invalid.
    #[error("{0}")]
    Value(String),
    /// The kind of element is not supported. The summary counts these by kind.
    #[error("{0} is not supported yet")]
    Unsupported(&'static str),
}

impl Reason {
    /// Returns the reason for an invalid attribute.
    pub fn value(attribute: &str, value: &str, reason: impl fmt::Display) -> Self {
        let short: String = value.chars().take(40).collect();
        let more = if short.len() < value.len() { "..." } else { "" };
        Self::Value(format!("{attribute}=\"{short}{more}\": {reason}"))
    }
}

/// The kind of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As large as the page, so it is not tested.
    Background,
    /// Valid SVG, but not a valid collider.
    Refused,
    NotDrawn,
    Renamed,
    /// Invalid SVG.
    Wrong,
}

/// A remark on an element.
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
            Reason::TooLarge(_) | Reason::Shape(ShapeError::CrossesItself { .. } | ShapeError::Crossing { .. }) => {
                Verdict::Refused
            }
            _ => Verdict::Wrong,
        };
        Self { verdict, name, line, reason: reason.to_string() }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verdict, name, line, reason } = self;
        match verdict {
            Verdict::Background => write!(f, "background {name}, line {line}: {reason}"),
            Verdict::Refused => write!(f, "refused {name}, line {line}: {reason}"),
            Verdict::NotDrawn => write!(f, "not drawn {name}, line {line}: {reason}"),
            Verdict::Renamed => write!(f, "renamed {name}, line {line}: {reason}"),
            Verdict::Wrong => write!(f, "line {line}: {name}: {reason}"),
        }
    }
}

/// The reason why a whole file cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {reason}")]
pub struct Fault {
    pub line: usize,
    pub reason: String,
}
