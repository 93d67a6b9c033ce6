//! Kinds of elements and properties that are not read, with their lines.

use std::collections::BTreeMap;
use std::fmt;

/// The number of line numbers that are listed for each kind.
const MAX_LISTED: usize = 8;

/// The lines of the elements of each kind.
#[derive(Debug, Default)]
pub struct Kinds(BTreeMap<String, Vec<usize>>);

impl Kinds {
    pub fn add(&mut self, kind: &str, line: usize) {
        self.0.entry(kind.to_owned()).or_default().push(line);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// For example `2 image (lines 9, 12), 1 text (line 3)`.
impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (kind, lines)) in self.0.iter().enumerate() {
            let mut distinct = lines.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let listed: Vec<String> = distinct.iter().take(MAX_LISTED).map(usize::to_string).collect();
            let noun = if distinct.len() == 1 { "line" } else { "lines" };
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{} {kind} ({noun} {}", lines.len(), listed.join(", "))?;
            match distinct.len().checked_sub(MAX_LISTED) {
                Some(more) if more > 0 => write!(f, " and {more} more)")?,
                _ => write!(f, ")")?,
            }
        }
        Ok(())
    }
}
