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
    /// The peer's time over ours.
    pub ratio: f64,
}

/// A single figure without a peer, such as a number of bytes.
pub struct Figure {
    pub what: &'static str,
    pub value: f64,
    pub unit: &'static str,
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
    pub fn row(&mut self, work: impl Into<String>, race: &Race, ours: &'static str, peer: &'static str) {
        if let (Some(ours_seconds), Some(peer_seconds), Some(ratio)) =
            (race.seconds(ours), race.seconds(peer), race.ratio(peer, ours))
        {
            self.push(Row { work: work.into(), ours, ours_seconds, peer, peer_seconds, ratio });
        }
    }

    pub fn push(&mut self, row: Row) {
        println!("{row}");
        self.rows.push(row);
    }

    pub fn figure(&mut self, what: &'static str, value: f64, unit: &'static str) {
        let figure = Figure { what, value, unit };
        println!("{:<58} {}", figure.what, figure.amount());
        self.figures.push(figure);
    }
}

impl Figure {
    pub fn amount(&self) -> String {
        let value = if self.value.fract() == 0.0 { self.value.to_string() } else { digits(self.value) };
        format!("{value} {}", self.unit).trim_end().to_owned()
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { work, ours, peer, ratio, .. } = self;
        let (a, b) = (time(self.ours_seconds), time(self.peer_seconds));
        write!(f, "{work:<57} {ours:<22} {a:>10}   {peer:<28} {b:>10}   {:>8}x", digits(*ratio))
    }
}

/// Formats a number with three digits.
pub fn digits(value: f64) -> String {
    let before = (value.abs().log10().floor() as i32 + 1).clamp(-2, 3);
    format!("{value:.*}", (3 - before) as usize)
}

/// Formats a time with three digits and a unit.
pub fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", digits(value))
}
