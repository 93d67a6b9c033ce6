//! Writes `docs/benchmarks.md` and its plot: nothing but what this run measured.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::plot;
use crate::report::{Report, Row, Verdict, time};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The version of a peer that was compiled in.
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
    let mut page = String::from(HEAD);
    let peers = ["parry2d", "rapier2d", "sepax2d", "bevy_transform", "boxdd-sys"];
    let peers: Vec<_> = peers.iter().map(|peer| format!("{peer} {}", version(peer))).collect();
    let _ = writeln!(page, "\nMeasured on {}, {}, at commit {}.", machine(), output("rustc", &["-V"]), commit());
    let _ = writeln!(page, "Peers: {} (Box2D v3). Ours: hitgraph {}.\n", peers.join(", "), version("hitgraph"));
    let _ = writeln!(page, "![A frame of W1 against the number of colliders](images/benchmarks.svg)\n");

    let _ = writeln!(page, "## What has to be reached\n\nRatios are the peer's time over ours.\n");
    table(&mut page, report.rows.iter().filter(|row| row.target.is_some()), true);
    let judged: Vec<_> = report.figures.iter().filter(|figure| figure.verdict.is_some()).collect();
    for figure in &judged {
        let _ = writeln!(page, "\n{}: {}: {}.", figure.what, figure.value, figure.verdict.unwrap_or(Verdict::Reached));
    }

    let _ = writeln!(page, "\n## What is missed\n");
    let missed = misses(report);
    if missed.is_empty() {
        let _ = writeln!(page, "Nothing.");
    }
    for miss in missed {
        let _ = writeln!(page, "- {miss}");
    }

    page.push_str(TRIED);

    let _ = writeln!(page, "\n## Everything else that was measured\n");
    table(&mut page, report.rows.iter().filter(|row| row.target.is_none()), false);
    let _ = writeln!(page, "\n| figure | |\n|---|---:|");
    for figure in report.figures.iter().filter(|figure| figure.verdict.is_none()) {
        let _ = writeln!(page, "| {} | {} |", figure.what, figure.value);
    }
    page
}

/// The rows and figures that do not reach their target.
pub fn misses(report: &Report) -> Vec<String> {
    let rows = report.rows.iter().filter_map(|row| match row.verdict()? {
        Verdict::Missed(by) => Some(format!(
            "{} against {}: {:.2} of {}, {:.0}% short",
            row.work,
            row.peer,
            row.ratio,
            row.target.unwrap_or_default(),
            by * 100.0
        )),
        Verdict::Reached => None,
    });
    let figures = report.figures.iter().filter_map(|figure| match figure.verdict? {
        Verdict::Missed(by) => Some(format!("{}: {}, {:.0}% over", figure.what, figure.value, by * 100.0)),
        Verdict::Reached => None,
    });
    rows.chain(figures).collect()
}

fn table<'a>(page: &mut String, rows: impl Iterator<Item = &'a Row>, judged: bool) {
    let (head, rule) = if judged { (" target | |", "---:|---|") } else { ("", "") };
    let _ = writeln!(page, "| work | ours | | peer | | ratio |{head}\n|---|---|---:|---|---:|---:|{rule}");
    for row in rows {
        let Row { work, ours, ours_seconds, peer, peer_seconds, ratio, target } = row;
        let (a, b) = (time(*ours_seconds), time(*peer_seconds));
        let _ = write!(page, "| {work} | {ours} | {a} | {peer} | {b} | {ratio:.2} |");
        if let (Some(target), Some(verdict)) = (target, row.verdict()) {
            let _ = write!(page, " {target} | {verdict} |");
        }
        let _ = writeln!(page);
    }
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

const HEAD: &str = "\
# Benchmarks

Every number here is from one run of `cargo run --release -- --build --write` in `benches/peers`, a crate of its own. There `--quick` measures
everything in under a minute and writes nothing, `--only W3` measures one workload.

## How it is measured

One program, one thread, `lto = \"fat\"`, one codegen unit, no `target-cpu`. Every system gets the same seeded data: positions and
angles, of which it makes what its interface asks for. All take turns, a block of frames each, in alternating order; what counts
is the CPU time of the thread. Times are medians; a ratio is the median of the ratios of the rounds (for the sums of W5, the ratio
of the sums of medians).

Before anything is timed the number of pairs or hits must be that of an independent reference in `f64`, for every system, and
both must have told as many events. Peers disagree about touching, so what is within a tolerance of touching is nudged away first,
and so is a centre or a spine on another shape's border, where rapier2d may find no contact.

W1: all moving, each overlapping about two others. W2: 100,000 still rectangles, 1,000 movers. W3: questions on a sparse scene. W4:
sizes over three orders of magnitude, in clumps, all moving. W5: a pair of shapes without a scene. W6: 100,000 nodes without
colliders, of which some get another position, then all world transforms. W7: one mover among 10,000 colliders. Cold build: the CPU seconds of `cargo build --release` of
an empty library that depends on the one that is measured, with cargo's own profile.

## How the systems are set up

- **Ours** is asked through the public interface alone: `Scene::update_into`, `World::pairs_into`, `World::contacts_into`, questions,
  `Meets`. One node for each collider. Setting the transforms is part of the frame. \"Pairs\" is the faster of the first two.
- **parry2d**: a `Bvh` over `SharedShape`s; each frame every leaf is updated in place, then `refit` and `optimize_incremental`, then
  the tree is joined with itself. To rebuild it each frame is slower; to optimise every fifth frame makes hardly a difference. What
  keeps still has a tree that is built once, binned, which here is faster than PLOC; W2 has a second tree for its movers.
- **rapier2d**: `CollisionPipeline` over colliders without bodies; sensors with events on, or solids (manifolds); prediction 0.
- **Box2D**: `b2DynamicTree` with fat boxes, enlarged and partly rebuilt each frame, and `b2ShapeDistance` or the `b2Collide`
  functions; the C functions themselves, not the checking wrapper.
- **sepax2d**: static types, as ours. It misjudges some pairs of capsules; those are left out of the data.
- **bevy_transform**: its three systems in a single-threaded schedule, with or without its tracking of still trees, whichever is
  faster. It is three-dimensional.
- **brute force**: every pair, as the engines of tutorials do; circles and boxes only, so its capsules and segments are boxes.

## The run
";

/// What is known about the rows that are missed: the only part of the page that was not measured in the same run.
const TRIED: &str = "
## What was tried

- **W1 and W4** are bound by instructions, not by memory, up to 10,000 colliders: about 1,330 for each collider and frame, four a
  cycle. World transforms and world forms take 380 of them, the join of the index with itself 330, the pair tests 290, sorting
  candidates by kind 90, sorting pairs 60, events 50. What helped most was not fewer instructions but no waiting: every structure that
  was written in parts and read as a whole cost a dozen cycles. Then: one list for each pair of kinds and a loop without branches over
  each, lanes for the axes of a pair, two counting sorts instead of one by comparison, runs of pairs that go on skipped at once. Without
  gain: sorting the index earlier (at 1.1 or 1.25 times its extent instead of 1.5), world transforms and world forms in one pass.
  Not tried: lists of candidates that outlive a frame.
- **W1 growth** is cache misses: at 100,000 colliders what a frame touches is 25 MB, and leaves of the index are written in the order
  of ids. Halving what is read of a node, a collider and an item of the index took a third off the frame of 100,000.
- **W3 points and boxes** visit about nine nodes each. To keep the way down in place of a stack took a third off; a descent that writes its stack without branches halves the mispredictions and
  takes as long.
- **W6, all moved**: sine and cosine are kept while the rotation is, which took 45% off. What is left is reading 72 bytes of a node
  and writing 45 for its world transform, and the check whether it has changed at all.
- **W7, anywhere**: a mover that meets nothing costs a question to the index (a fifth of the time), world transform and
  world form of where it was put (a fifth), and the sweep against what is near (a third). What helped: what lies beside the
  whole way is told before any side is tested, the index keeps the way down in place of a stack, no ancestors are
  climbed for a mover without children.
- **Cold build**: our own crate takes about 15 of the CPU seconds, a third of it since shapes of many pieces, casts and motion
  came; the dependencies alone take three quarters of what the target leaves. Not tried: fewer sorted types, fewer copies of closures.
";
