//! Writes `docs/benchmarks.md` and its plot from the measurements of this run.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::plot;
use crate::report::{Report, Row, Verdict, time};

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
    let mut page = String::from(HEAD);
    let peers = ["parry2d", "rapier2d", "sepax2d", "bevy_transform", "boxdd-sys"];
    let peers: Vec<_> = peers.iter().map(|peer| format!("{peer} {}", version(peer))).collect();
    let _ = writeln!(page, "\nMeasured on {}, {}, at commit {}.", machine(), output("rustc", &["-V"]), commit());
    let _ = writeln!(page, "Peers: {} (Box2D v3). Ours: hitgraph {}.\n", peers.join(", "), version("hitgraph"));
    let _ = writeln!(page, "![A frame of W1 against the number of colliders](images/benchmarks.svg)\n");

    let _ = writeln!(page, "## Targets\n\nRatios are the peer's time over ours.\n");
    table(&mut page, report.rows.iter().filter(|row| row.target.is_some()), true);
    let judged: Vec<_> = report.figures.iter().filter(|figure| figure.verdict.is_some()).collect();
    for figure in &judged {
        let _ = writeln!(page, "\n{}: {}: {}.", figure.what, figure.value, figure.verdict.unwrap_or(Verdict::Reached));
    }

    let _ = writeln!(page, "\n## Missed targets\n");
    let missed = misses(report);
    if missed.is_empty() {
        let _ = writeln!(page, "Nothing.");
    }
    for miss in missed {
        let _ = writeln!(page, "- {miss}");
    }

    page.push_str(TRIED);

    let _ = writeln!(page, "\n## Other measurements\n");
    table(&mut page, report.rows.iter().filter(|row| row.target.is_none()), false);
    let _ = writeln!(page, "\n| figure | |\n|---|---:|");
    for figure in report.figures.iter().filter(|figure| figure.verdict.is_none()) {
        let _ = writeln!(page, "| {} | {} |", figure.what, figure.value);
    }
    page
}

/// Returns the rows and figures that miss their target.
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

All numbers on this page come from one run of `cargo run --release -- --build --write` in `benches/peers`, which is a
separate crate. There, `--quick` measures everything in under a minute and writes nothing, and `--only W3` measures one
workload.

## Method

One program measures all systems in one thread, with `lto = \"fat\"`, one codegen unit and no `target-cpu`. Every system
gets the same seeded data (positions and angles) and converts it to its own representation. The systems alternate in
blocks of frames, in alternating order. The measured quantity is the CPU time of the thread. Times are medians. A ratio
is the median of the ratios of the rounds; for the sums of W5 it is the ratio of the sums of medians.

Before measuring, the number of pairs or hits of every system must equal that of an independent reference in `f64`, and
both systems must fire the same number of events. Systems disagree about touching, so shapes within a tolerance of
touching are nudged apart. So are shapes whose centre or spine lies on the border of another shape, where rapier2d may
find no contact.

| workload | content |
|---|---|
| W1 | all colliders move, each overlaps about two others |
| W2 | 100,000 still rectangles, 1,000 movers |
| W3 | queries on a sparse scene |
| W4 | sizes over three orders of magnitude, in clumps, all moving |
| W5 | a pair of shapes without a scene |
| W6 | 100,000 nodes without colliders; some get another position, then all world transforms are computed |
| W7 | one mover among 10,000 colliders |
| cold build | CPU seconds of `cargo build --release` of an empty library that depends on the measured one, with cargo's own profile |

## Systems

- **Ours** uses only the public API: `Scene::update_into`, `World::pairs_into`, `World::contacts_into`, queries,
  `Meets`. Each collider has its own node. A frame includes setting the transforms. \"Pairs\" is the faster of the first
  two methods.
- **parry2d**: a `Bvh` over `SharedShape`s. Each frame updates every leaf in place, calls `refit` and
  `optimize_incremental`, and joins the tree with itself. Rebuilding it each frame is slower; optimising every fifth
  frame makes little difference. Still shapes have a tree that is built once, binned, which is faster here than PLOC; W2
  has a second tree for its movers.
- **rapier2d**: `CollisionPipeline` on colliders without bodies: sensors with events, or solids with manifolds;
  prediction distance 0.
- **Box2D**: `b2DynamicTree` with fat boxes, enlarged and partly rebuilt each frame, with `b2ShapeDistance` or the
  `b2Collide` functions. It calls the C functions, not the checking wrapper.
- **sepax2d**: static types, as ours. It misjudges some pairs of capsules, which are excluded from the data.
- **bevy_transform**: its three systems in a single-threaded schedule, with or without its tracking of still trees,
  whichever is faster. It is three-dimensional.
- **brute force**: every pair, as in the engines of tutorials. It supports circles and boxes only, so its capsules and
  segments are boxes.

## The run
";

/// Notes on the missed rows: the only part of the page that this run does not measure.
const TRIED: &str = "
## Experiments

- **W1 and W4** are bound by instructions, not by memory, up to 10,000 colliders: about 1,330 for each collider and
  frame, four per cycle. World transforms and world forms take 380 of them, the self-join of the index 330, the pair
  tests 290, sorting candidates by kind 90, sorting pairs 60, and events 50. Avoiding stalls helped more than fewer
  instructions: every structure that was written in parts and read as a whole cost a dozen cycles. Also helpful: one
  bucket for each pair of kinds with a branchless loop, SIMD lanes for the axes of a pair, two counting sorts instead of
  one comparison sort, and skipping runs of unchanged pairs at once. No gain: sorting the index earlier (at 1.1 or 1.25
  times its extent instead of 1.5), or world transforms and world forms in one pass. Not tried: candidate lists that
  persist across frames.
- **W1 growth** is cache misses: at 100,000 colliders a frame touches 25 MB, and leaves of the index are written in the
  order of ids. Halving the bytes read of a node, a collider and an index item saved a third of the frame of 100,000.
- **W3 points and boxes** visit about nine nodes each. Storing the path instead of a stack saved a third. A descent that
  writes its stack without branches halves the mispredictions and takes as long.
- **W6, all moved**: caching sine and cosine while the rotation stays equal saved 45%. The rest is reading 72 bytes of a
  node, writing 45 bytes for its world transform, and checking whether it has changed.
- **W7, anywhere**: a mover that meets nothing costs an index query (a fifth of the time), its world transform and world
  form (a fifth), and the shape casts against nearby colliders (a third). Helpful: rejecting colliders beside the whole
  path before testing any edge, storing the path in the index instead of a stack, and not visiting ancestors for a mover
  without children.
- **Cold build**: our own crate takes about 15 of the CPU seconds, a third of it for composite shapes, casts and moves;
  the dependencies alone take three quarters of what the target leaves. Not tried: fewer sorted types, fewer copies of
  closures.
";
