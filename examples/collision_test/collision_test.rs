//! Reads an SVG drawing, prints which shapes touch, and writes a picture of them.
//!
//! ```text
//! cargo run --release --example collision_test                    # the included drawing
//! cargo run --release --example collision_test -- level.svg       # your drawing: writes level.collisions.svg
//! ```
//!
//! It prints one line per pair, `A touches B normal X Y depth D`, in document order; the normal points from A to B,
//! with y down as in SVG. Remarks on elements that it skipped and a summary follow.
//!
//! - Every group, nested `<svg>`, `<use>` and shape element becomes a node with its `transform`. Every `rect` (with round
//!   corners too), `circle`, `ellipse`, `line`, `polyline`, `polygon` (concave too) and `path` has a collider. The
//!   shapes of a group are separate nodes, so they touch each other. Shapes are solid, but a `polyline` is only a line.
//! - The curves of a path become lines that are at most about `--tolerance` away. Its closed parts are solid where its
//!   fill rule fills them, so a ring has a hole and a path may cross itself; its open parts are only lines.
//! - The name of a node is its label in Inkscape, Affinity or Illustrator, else its id, or else its element and place,
//!   as in `rect@12:5` (line and column). Below a `<use>` names begin with the name of the `<use>`, as in `stairs/step`.
//!   A second element with the same label has its id appended, and one with the same id its place.
//! - Numbers are in user units; the viewBox of the root does not scale them. An inch is 96 user units, percent refer to
//!   the viewBox (or else to the size of the root), and em to the font size.
//! - `style` attributes, `<style>` elements with classes, and CSS transforms are read. Elements that SVG does not draw
//!   have no collider: `display:none`, `visibility:hidden`, `opacity:0`, neither fill nor stroke, zero sizes, transforms
//!   without an inverse, `<defs>` and similar. Clips, masks and filters have no effect; a line lists them.
//! - A shape as large as the page is the background: it is mentioned, and its pairs are not reported.
//! - A polygon that crosses itself is refused with its name, and reading continues. Reading also continues after an
//!   invalid element, which is reported as an error on stderr and by the exit status.
//! - At most 10,000 pairs are printed and 2,000 drawn. A line states how many are left out.
//!
//! The exit status is 0 on success, 1 if the file or an element is invalid, and 2 if the command line is invalid.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hitgraph::World;
use lexopt::prelude::*;

use svg_drawing::document::{decode, parse};
use svg_drawing::drawing::Drawing;
use svg_drawing::options;
use svg_drawing::overlay;
use svg_drawing::remark::Verdict;
use svg_drawing::touching::{Touching, TouchingPair};

/// The maximum number of pairs that are printed.
const MOST_PAIRS: usize = 10_000;

const HELP: &str = "\
Prints which shapes of an SVG drawing touch and writes a picture of them.

Usage: collision_test [OPTIONS] [DRAWING.svg]

Without a drawing it reads an included one.

Options:
  -o, --output FILE   path of the picture [default: DRAWING.collisions.svg in the current folder]
      --layer NAME    test only this layer or group; may be repeated
      --ignore NAME   leave out the element with this label or id, and its content; may be repeated
      --skip-locked   leave out what is locked in Inkscape
      --between-layers
                      report only pairs of different layers
      --keep-background
                      also test shapes that are as large as the page
      --tolerance T   distance of a curve of a path from the lines that replace it, in user units
                      [default: a 10000th of the page]
  -h, --help          print this help

Colliders: rect, circle, ellipse, line, polyline, polygon, path, and <use> of them. Numbers are in user units.
Exit status: 0 on success, even if polygons that cross themselves were refused; 1 if the file or an element is invalid;
2 if the command line is invalid.
";

const SHIPPED: &str = include_str!("../drawings/collision_test.svg");

fn main() -> ExitCode {
    let options = match Options::from_args() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("error: {error}; see --help");
            return ExitCode::from(2);
        }
    };
    if options.help {
        return print(HELP, ExitCode::SUCCESS);
    }
    let report = run(&options).unwrap_or_else(|error| Report { lines: Vec::new(), errors: vec![error] });
    for error in &report.errors {
        eprintln!("error: {error}");
    }
    let text: String = report.lines.iter().flat_map(|line| [line, "\n"]).collect();
    print(&text, if report.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the text. A pipe that the reader has closed is not an error.
fn print(text: &str, code: ExitCode) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => code,
    }
}

#[derive(Default)]
struct Options {
    drawing: Option<PathBuf>,
    output: Option<PathBuf>,
    reading: options::Options,
    help: bool,
}

impl Options {
    fn from_args() -> Result<Self, lexopt::Error> {
        let mut options = Self::default();
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Short('h') | Long("help") => options.help = true,
                Short('o') | Long("output") => options.output = Some(parser.value()?.into()),
                Long("layer") => options.reading.layers.push(parser.value()?.string()?),
                Long("ignore") => options.reading.ignored.push(parser.value()?.string()?),
                Long("skip-locked") => options.reading.skip_locked = true,
                Long("between-layers") => options.reading.between_layers = true,
                Long("keep-background") => options.reading.keep_background = true,
                Long("tolerance") => options.reading.tolerance = Some(parser.value()?.parse_with(tolerance)?),
                Value(path) if options.drawing.is_none() => options.drawing = Some(path.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }

    /// Returns the name of the drawing in messages.
    fn name(&self) -> String {
        self.drawing.as_ref().map_or_else(|| "collision_test.svg".to_owned(), |path| path.display().to_string())
    }

    fn output(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| {
            let stem = self.drawing.as_deref().and_then(Path::file_stem).unwrap_or("collision_test".as_ref());
            let mut name = stem.to_owned();
            name.push(".collisions.svg");
            name.into()
        })
    }
}

fn tolerance(text: &str) -> Result<f64, &'static str> {
    let tolerance = text.parse().ok().filter(|tolerance: &f64| tolerance.is_finite() && *tolerance > 0.0);
    tolerance.ok_or("the tolerance must be a positive number")
}

struct Report {
    lines: Vec<String>,
    errors: Vec<String>,
}

/// Reads and tests the drawing, and writes the picture.
fn run(options: &Options) -> Result<Report, String> {
    let name = options.name();
    let text = match &options.drawing {
        None => SHIPPED.to_owned(),
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
            decode(bytes).map_err(|fault| format!("{name}, {fault}"))?
        }
    };
    let document = parse(&text).map_err(|fault| format!("{name}, {fault}"))?;
    let mut drawing = Drawing::read_with(&document, &options.reading).map_err(|fault| format!("{name}, {fault}"))?;

    let (wrong, others): (Vec<_>, Vec<_>) = drawing.remarks.iter().partition(|remark| remark.verdict == Verdict::Wrong);
    let mut errors: Vec<String> = wrong.iter().map(|remark| format!("{name}, {remark}")).collect();
    errors.extend(drawing.unknown_names.iter().map(|unknown| format!("{name} has no element named {unknown}")));
    let touching = Touching::find(drawing.scene.world(), MOST_PAIRS);
    let mut lines = pairs(drawing.scene.world(), &touching);
    lines.extend(others.iter().map(ToString::to_string));
    lines.push(summary(&drawing, &touching));

    let output = options.output();
    match overlay::save(document.root_element(), &mut drawing, &touching, &output) {
        Ok(()) => lines.push(format!("wrote {}", output.display())),
        Err(error) => errors.push(format!("{} cannot be written: {error}", output.display())),
    }
    Ok(Report { lines, errors })
}

/// Returns one line per pair that is listed, and one that states how many are not.
fn pairs(world: World<'_>, touching: &Touching) -> Vec<String> {
    // Adding 0 turns -0 into 0.
    let number = |value: f32| format!("{:.4}", (value * 1e4).round() / 1e4 + 0.0);
    let line = |TouchingPair { nodes, contact }: &TouchingPair| {
        let [a, b] = nodes.map(|node| &world.scene()[node].name);
        let [x, y, depth] = [contact.normal.x, contact.normal.y, contact.depth].map(number);
        format!("{a} touches {b} normal {x} {y} depth {depth}")
    };
    let left_out = touching.left_out().map(|pairs| format!("not listed: {pairs}"));
    touching.listed.iter().map(line).chain(left_out).collect()
}

fn summary(drawing: &Drawing, touching: &Touching) -> String {
    let Drawing { scene, remarks, hidden, left_out, unsupported, ignored, .. } = drawing;
    let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut summary = format!(
        "{} with {}, {}{} touching",
        plural(scene.node_count() - 1, "node"),
        plural(scene.collider_count(), "collider"),
        if touching.counted_all { "" } else { "at least " },
        plural(touching.count, "pair")
    );
    let count = |verdict| remarks.iter().filter(|remark| remark.verdict == verdict).count();
    let counts = [
        ("refused", count(Verdict::Refused)),
        ("wrong", count(Verdict::Wrong)),
        ("not drawn", count(Verdict::NotDrawn)),
        ("hidden", *hidden),
        ("left out", *left_out),
    ];
    for (what, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        summary += &format!(", {count} {what}");
    }
    for (what, kinds) in [("not supported yet", unsupported), ("without effect", ignored)] {
        if !kinds.is_empty() {
            summary += &format!("\n{what}: {kinds}");
        }
    }
    summary
}
