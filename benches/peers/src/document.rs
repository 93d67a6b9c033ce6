//! Writes `docs/benchmarks.md` and its plot: the text of `page.template`, with the measurements of this run.

use std::path::Path;
use std::process::Command;

use crate::plot;
use crate::report::{Report, Row, digits, time};

/// The frames that begin the page: a description, and the works of the rows to show.
const FRAMES: [(&str, &[&str]); 13] = [
    ("1,000 colliders, all moving (W1)", &["W1 1k pairs", "W1 1k events"]),
    ("10,000 colliders, all moving (W1)", &["W1 10k pairs", "W1 10k events"]),
    ("100,000 colliders, all moving (W1)", &["W1 100k pairs", "W1 100k events"]),
    ("10,000 with normal and depth of each pair (W1)", &["W1 10k contacts"]),
    ("1,000 moving among 100,000 still (W2)", &["W2 pairs", "W2 events"]),
    ("10,000 of all sizes, in clumps (W4)", &["W4 10k pairs", "W4 10k events"]),
    ("10,000 in flocks (W11)", &["W11 10k in flocks, pairs", "W11 10k in flocks, events"]),
    ("10,000, of which 5% are replaced (W8)", &["W8 10k pairs", "W8 10k events"]),
    ("50,000 bullets and 500 targets (W10)", &["W10 bullets, pairs", "W10 bullets, events"]),
    ("100,000 of which one moves (W11)", &["W11 one of 100k moves, pairs", "W11 one of 100k moves, events"]),
    ("100,000 of which none moves", &["upkeep: a frame of 100k still"]),
    ("build 10,000, cast one ray (W9)", &["W9 build 10k, cast one ray"]),
    ("a long ray among 100,000 (W3)", &["W3 100k long ray"]),
];

/// The columns of peers. The last one takes all other peers.
const PEERS: [&str; 4] = ["parry2d", "rapier2d", "Box2D", ""];

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns the version of a compiled peer.
pub fn version(of: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split_once(&format!("name = \"{of}\"\nversion = \""));
    entry.and_then(|(_, rest)| rest.split('"').next()).unwrap_or("unknown")
}

pub fn write(report: &Report) -> Result<(), String> {
    let docs = Path::new(ROOT).join("docs");
    let text = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(docs.join("images")).map_err(text)?;
    std::fs::write(docs.join("images/benchmarks.svg"), plot::svg(&report.marks)).map_err(text)?;
    std::fs::write(docs.join("benchmarks.md"), page(report)).map_err(text)
}

fn page(report: &Report) -> String {
    let parts = [
        ("{{frames}}", table("a frame", FRAMES.map(|(what, works)| (what, works.to_vec())), report)),
        ("{{slower}}", slower(&report.rows)),
        ("{{run}}", run()),
        ("{{rows}}", table("work", works(&report.rows).into_iter().map(|work| (work, vec![work])), report)),
        ("{{figures}}", figures(report)),
    ];
    parts
        .iter()
        .fold(include_str!("page.template").to_owned(), |page, (mark, text)| page.replace(mark, text.trim_end()))
}

/// Returns the conditions of this run.
fn run() -> String {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let peers = ["parry2d", "rapier2d", "sepax2d", "bevy_transform", "boxdd-sys"];
    let peers = peers.map(|peer| format!("{peer} {}", version(peer))).join(", ");
    let (machine, compiler, commit) = (machine(), output("rustc", &["-V"]), commit());
    format!(
        "The command `cargo run --release -- {arguments}` in `benches/peers`, a separate crate, measured this page in one\n\
         run: {machine}, {compiler}, at commit {commit}.\nPeers: {peers} (Box2D v3). Ours: hitgraph {}.",
        version("hitgraph")
    )
}

/// Returns all works in the order of their measurement.
fn works(rows: &[Row]) -> Vec<&str> {
    let mut works: Vec<&str> = Vec::new();
    for row in rows {
        if !works.contains(&&*row.work) {
            works.push(&row.work);
        }
    }
    works
}

/// Returns a table of works with one column for each peer.
fn table<'a>(head: &str, lines: impl IntoIterator<Item = (&'a str, Vec<&'a str>)>, report: &Report) -> String {
    let mut text =
        format!("| {head} | hitgraph | parry2d | rapier2d | Box2D | others |\n|---|---:|---:|---:|---:|---:|\n");
    for (what, works) in lines {
        let rows: Vec<_> = report.rows.iter().filter(|row| works.contains(&&*row.work)).collect();
        let Some(first) = rows.first() else { continue };
        let cells = PEERS.map(|peer| cell(&rows, peer));
        text += &format!("| {what} | {} | {} |\n", time(first.ours_seconds), cells.join(" | "));
    }
    text
}

/// Returns the measurements of a peer. Those after the first have the name of their variant.
fn cell(rows: &[&Row], peer: &str) -> String {
    let is_other = |row: &Row| !PEERS.iter().any(|peer| !peer.is_empty() && row.peer.starts_with(peer));
    let of_peer = rows.iter().filter(|row| if peer.is_empty() { is_other(row) } else { row.peer.starts_with(peer) });
    let cells = of_peer.enumerate().map(|(at, row)| {
        let text = format!("{} ({})", time(row.peer_seconds), digits(row.ratio));
        let text = if row.ratio < 1.0 { format!("**{text}**") } else { text };
        if at > 0 || peer.is_empty() { format!("{}: {text}", row.peer) } else { text }
    });
    cells.collect::<Vec<_>>().join("; ")
}

/// Returns a list of the rows in which the peer is faster, the largest difference first.
fn slower(rows: &[Row]) -> String {
    let mut slower: Vec<_> = rows.iter().filter(|row| row.ratio < 1.0).collect();
    if slower.is_empty() {
        return "It is the fastest in every measurement of this page.".to_owned();
    }
    slower.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let lines = slower.iter().map(|row| {
        let Row { work, peer, peer_seconds, ours_seconds, ratio, .. } = row;
        format!(
            "- {work}: {peer} takes {}, this crate {} ({})\n",
            time(*peer_seconds),
            time(*ours_seconds),
            digits(*ratio)
        )
    });
    lines.collect()
}

fn figures(report: &Report) -> String {
    let lines = report.figures.iter().map(|figure| format!("| {} | {} |\n", figure.what, figure.amount()));
    format!("| figure | |\n|---|---:|\n{}", lines.collect::<String>())
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model);
    format!("{model} ({cores} cores, {} {})", std::env::consts::OS, std::env::consts::ARCH)
}

fn commit() -> String {
    output("git", &["-C", ROOT, "rev-parse", "--short", "HEAD"])
}

fn output(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success());
    output.map_or("unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
