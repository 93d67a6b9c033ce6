//! The measured rows and figures.

use std::fmt;

use crate::race::Race;

/// One line of the table: ours against one peer.
pub struct Row {
    pub work: String,
    pub ours: &'static str,
    pub ours_seconds: f64,
    pub peer: &'static str,
    pub peer_seconds: f64,
    pub ratio: f64,
    /// The target ratio; `None` if there is no target.
    pub target: Option<f64>,
}

/// A single figure without a peer.
pub struct Figure {
    pub what: String,
    pub value: String,
    /// The verdict, if the figure has a target.
    pub verdict: Option<Verdict>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    Reached,
    /// The shortfall as a fraction of the target.
    Missed(f64),
}

/// A time of one system at one size, for the plot.
pub struct Mark {
    pub system: &'static str,
    pub count: usize,
    pub seconds: f64,
}

#[derive(Default)]
pub struct Report {
    pub rows: Vec<Row>,
    pub figures: Vec<Figure>,
    pub marks: Vec<Mark>,
}

impl Report {
    /// Adds and prints a row, unless one of the two systems did not run.
    pub fn row(
        &mut self,
        work: impl Into<String>,
        race: &Race,
        ours: &'static str,
        peer: &'static str,
        target: Option<f64>,
    ) {
        if let (Some(ours_seconds), Some(peer_seconds), Some(ratio)) =
            (race.seconds(ours), race.seconds(peer), race.ratio(peer, ours))
        {
            self.push(Row { work: work.into(), ours, ours_seconds, peer, peer_seconds, ratio, target });
        }
    }

    pub fn push(&mut self, row: Row) {
        println!("{row}");
        self.rows.push(row);
    }

    pub fn figure(&mut self, what: impl Into<String>, value: impl Into<String>, verdict: Option<Verdict>) {
        let figure = Figure { what: what.into(), value: value.into(), verdict };
        println!("{figure}");
        self.figures.push(figure);
    }
}

impl Row {
    pub fn verdict(&self) -> Option<Verdict> {
        self.target.map(|target| Verdict::at_least(self.ratio, target))
    }
}

impl Verdict {
    pub fn at_least(value: f64, target: f64) -> Self {
        if value >= target { Self::Reached } else { Self::Missed(1.0 - value / target) }
    }

    pub fn below(value: f64, target: f64) -> Self {
        if value < target { Self::Reached } else { Self::Missed(value / target - 1.0) }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached => write!(f, "reached"),
            Self::Missed(by) => write!(f, "MISSED by {:.0}%", by * 100.0),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { work, ours, peer, ratio, .. } = self;
        let (a, b) = (time(self.ours_seconds), time(self.peer_seconds));
        write!(f, "{work:<40} {ours:<22} {a:>10}   {peer:<28} {b:>10}   {ratio:>8.2}x")?;
        if let (Some(target), Some(verdict)) = (self.target, self.verdict()) {
            write!(f, "   target {target}: {verdict}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<58} {}", self.what, self.value)?;
        self.verdict.map_or(Ok(()), |verdict| write!(f, "   {verdict}"))
    }
}

/// Formats a time with three digits and a unit.
pub fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}
