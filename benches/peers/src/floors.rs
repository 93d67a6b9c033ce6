//! The floors: what each measurement must reach at least, and why it does not. They serve the crate's own development;
//! `docs/benchmarks.md` does not show them.

use std::fmt;

use crate::report::{Report, Row, digits};

/// Counted in W1 10k.
const FRAME: &str = "of 820 instructions per collider, 250 compute transforms and keep boxes, 110 compute world forms, 75 find \
                     candidates, 175 test them, 170 report what changed and 20 sort it; the compiler's lines hide the rest; \
                     tried without gain: ids in the order of the leaves, reading world forms before the tests, joining all \
                     every few frames, tiles of buckets, longer or shorter extended boxes";

const WALK: &str = "the walk of the tree is 85 % of a query, and a quarter of it waits for the next node; runs measure the \
                    worst, the 4x4 box, at 1.38 to 1.77";

/// In the names of works and peers, `*` stands for any text.
#[rustfmt::skip]
const FLOORS: &[Floor] = &[
    ratio("W1 1k pairs", "parry2d Bvh", 3.0).because("runs measure 2.8 to 3.4: 2.8 to 3.1 on an Intel Xeon, where all frames of ours are slower against the peers"),
    ratio("W1 10k pairs", "parry2d Bvh", 4.0).because(FRAME),
    ratio("W1 100k pairs", "parry2d Bvh", 3.7).because("as W1 10k; runs measure 2.2 to 3.3; a frame waits for memory: a test of a candidate takes 10 ns in the cache and 20 to 30 here; ids in the order of the leaves would gain 14 %, if users added colliders in it"),
    ratio("W1 10k events", "rapier2d sensors, events", 8.0).because(FRAME),
    ratio("W1 10k contacts", "rapier2d solids", 10.0)
        .because("of 450 instructions per contact, 190 list the pair, copy its ids and select the kernel, and the kind of the next pair \
                  is unpredictable; tried without gain: blocks sorted by kind, a table of kernels, the stored sides of the pairs"),
    ratio("W1 * parallel", "update_into, one thread", 1.5)
        .because("world forms and tests are a third of a frame; the rest runs on one thread; transforms on two gained nothing"),
    ratio("W2 events", "rapier2d sensors, events", 12.0),
    ratio("W2 pairs", "parry2d Bvh", 3.8),
    ratio("W3 *", "parry2d Bvh", 1.7).because(WALK),
    ratio("W4 10k pairs", "parry2d Bvh", 3.5).because("runs measure 2.6, on an Intel Xeon, to 3.7"),
    ratio("W5 sum of 21 pairs, boolean", "*", 3.5),
    ratio("W5 sum of 21 pairs, contact", "*", 2.0),
    ratio("W5 * - *, boolean", "*", 1.0),
    ratio("W5 * - *, contact", "*", 1.0),
    ratio("W6 tree of 8, 100% moved", "bevy_transform*", 2.0).because("a node takes 210 instructions, the write included; packing world transforms gained 8 % in chains"),
    ratio("W6 tree of 8, 1% moved", "bevy_transform*", 11.0).because("runs measure 9.7 to 15.3"),
    ratio("W7 10k a move anywhere", "rapier2d character", 3.0).because("runs measure 2.0 to 3.0, and builds differ by a tenth; corrections of moves take 15 %"),
    ratio("W7 10k a step on a floor of boxes", "rapier2d character", 4.0)
        .because("runs measure 3.5 to 4.3; many small corrections of moves (hidden sides, one-way peaks, determinism) take 15 %"),
    ratio("W8 10k pairs", "parry2d Bvh", 1.5).because("runs measure 1.45, on an Intel Xeon, to 1.8"),
    ratio("W9 build 10k, cast one ray", "parry2d Bvh", 1.7).because("runs measure 1.6, on an Intel Xeon, to 2.2"),
    ratio("W10 bullets, pairs", "parry2d Bvh of targets", 1.8).because("transforms, world forms, boxes and their writes to the tree take three quarters of a frame"),
    ratio("W11 10k in flocks, pairs", "parry2d Bvh", 2.5).because("runs measure 2.1, on an Intel Xeon, to 2.9"),
    ratio("W11 one of 100k moves, pairs", "parry2d Bvh", 20.0),
    ratio("W11 1M still, a ray", "parry2d Bvh", 1.7),
    ratio("upkeep: remove 50k of 100k at random, a query after each", "parry2d Bvh", 1.0)
        .because("our removal frees a node with its links, a boxed collider and its place in all lists by slot; the query is a tenth of 700 ns, sorts of the tree a fifth, and the rest waits for memory"),
    ratio("cold release build", "parry2d", 2.0).because("a fifth of our work is glam, which compiles its types for all numbers"),
    at_most("W1 growth: time per collider at 100k over 1k", 1.5).because("at 1k everything is in the cache; runs measure 1.5 to 2.4"),
    at_most("memory of a node, ours", 200.0),
    at_most("memory of a collider, ours", 300.0),
];

struct Floor {
    /// The work of the rows, or the name of the figure.
    what: &'static str,
    bound: Bound,
    /// The reason for which the floor is missed.
    reason: Option<&'static str>,
}

enum Bound {
    /// The smallest allowed ratio against a peer.
    Ratio { peer: &'static str, least: f64 },
    /// The largest allowed figure.
    AtMost(f64),
}

const fn ratio(what: &'static str, peer: &'static str, least: f64) -> Floor {
    Floor { what, bound: Bound::Ratio { peer, least }, reason: None }
}

const fn at_most(what: &'static str, most: f64) -> Floor {
    Floor { what, bound: Bound::AtMost(most), reason: None }
}

impl Floor {
    const fn because(self, reason: &'static str) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// Compares the floor with the worst of its measurements; `None` if there is none.
    fn judge(&self, report: &Report) -> Option<Judgement> {
        match self.bound {
            Bound::Ratio { peer, least } => {
                let rows = report.rows.iter().filter(|row| matches(self.what, &row.work) && matches(peer, row.peer));
                let worst = rows.min_by(|a, b| a.ratio.total_cmp(&b.ratio))?;
                let Row { work, peer, ratio, .. } = worst;
                let what = format!("{work} against {peer}");
                Some(Judgement { what, now: *ratio, bound: least, shortfall: 1.0 - ratio / least, reason: self.reason })
            }
            Bound::AtMost(most) => {
                let figure = report.figures.iter().find(|figure| figure.what == self.what)?;
                let shortfall = figure.value / most - 1.0;
                let what = figure.what.to_owned();
                Some(Judgement { what, now: figure.value, bound: most, shortfall, reason: self.reason })
            }
        }
    }
}

/// The worst measurement of a floor.
struct Judgement {
    what: String,
    now: f64,
    bound: f64,
    /// The distance to the floor as a fraction of it; negative if the floor is reached.
    shortfall: f64,
    reason: Option<&'static str>,
}

impl Judgement {
    fn is_missed(&self) -> bool {
        self.shortfall > 0.0
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<76} {:>8} {:>8}", self.what, digits(self.now), self.bound)?;
        match (self.is_missed(), self.reason) {
            (true, reason) => {
                let reason = reason.unwrap_or("no reason is given");
                write!(f, "   missed by {:.1}%: {reason}", self.shortfall * 100.0)
            }
            (false, Some(_)) => write!(f, "   reached; its reason can go"),
            (false, None) => Ok(()),
        }
    }
}

/// Prints the table of floors. Returns the number of floors that are missed, and of those that were not measured.
pub fn print(report: &Report) -> [usize; 2] {
    println!("\n{:<76} {:>8} {:>8}", "worst measurement of each floor", "now", "floor");
    let mut counts = [0; 2];
    for floor in FLOORS {
        if let Some(judgement) = floor.judge(report) {
            println!("{judgement}");
            counts[0] += usize::from(judgement.is_missed());
        } else {
            counts[1] += 1;
        }
    }
    let [missed, unmeasured] = counts;
    println!("{missed} of {} floors are missed, {unmeasured} were not measured", FLOORS.len());
    counts
}

fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    text.char_indices().any(|(at, _)| matches(rest, &text[at..])) || matches(rest, "")
}
