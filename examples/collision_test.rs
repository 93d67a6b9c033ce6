//! Reads an SVG drawing, prints what touches what, and writes a picture of it.
//!
//! ```text
//! cargo run --release --example collision_test                    # the drawing that comes with it
//! cargo run --release --example collision_test -- level.svg       # yours: writes level.collisions.svg
//! ```
//!
//! A line a pair, `A touches B normal X Y depth D`, in document order; the normal points from A to B, with y down as in
//! SVG. Then what became of elements that could not be read, and a summary.
//!
//! - Every `<g>`, `<use>` and shape element is a node with its `transform`. Every `rect` (round corners too), `circle`,
//!   `ellipse`, `line`, `polyline` and `polygon` (concave too) carries a collider, and so does the path that older
//!   Inkscapes write for a whole ellipse. The shapes of a group are nodes of their own, so they touch each other like
//!   any others. Shapes are solid outlines, but a `polyline` is only its line: fill, stroke width, opacity and clips do
//!   not matter.
//! - A node is called by its id; without one by element and place, as `rect@12:5` (line and column). Below a `<use>`
//!   the names begin with its own, `stairs/step`. When an id is there twice, the second goes by its place too.
//! - Numbers are in the user units of the document: its viewBox scales nothing. Of other units, an inch is 96 user
//!   units, percent are of the viewBox (else of the root's size), em of the font size.
//! - What SVG does not draw cannot be hit: `display:none`, `visibility:hidden`, sizes of zero, transforms without an
//!   inverse, `<defs>` and the like. Rules in a `<style>` element are not read, `style` attributes are.
//! - Polygons that cross themselves are refused with their ids and the rest goes on. So it does after an element that
//!   is wrong, but that is told as an error on stderr and by the exit status.
//!
//! The exit status is 0 if all was well, 1 if the file or an element of it is wrong, 2 if the command line is.

#[path = "collision_test/document.rs"]
mod document;
#[path = "collision_test/drawing.rs"]
mod drawing;
#[path = "collision_test/overlay.rs"]
mod overlay;
#[path = "collision_test/remark.rs"]
mod remark;
#[path = "collision_test/shape.rs"]
mod shape;
mod support;
#[path = "collision_test/units.rs"]
mod units;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hitgraph::{CollisionPair, Contact, Side, World};
use lexopt::prelude::*;

use document::{decode, parse};
use drawing::Drawing;
use remark::Verdict;

const HELP: &str = "\
Prints what touches what in an SVG drawing and writes a picture of it.

Usage: collision_test [OPTIONS] [DRAWING.svg]

Without a drawing it takes the one that it comes with.

Options:
  -o, --output FILE   where the picture goes [default: DRAWING.collisions.svg in the current folder]
  -h, --help          print this

Colliders: rect, circle, ellipse, line, polyline, polygon, and <use> of them. Numbers are in user units.
Exit status: 0 if all was well, also if polygons were refused for crossing themselves; 1 if the file or an element of it
is wrong; 2 if the command line is.
";

const SHIPPED: &str = include_str!("drawings/collision_test.svg");

fn main() -> ExitCode {
    let options = match Options::from_args() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("error: {error}; --help tells more");
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

/// Prints all at once; a reader that has seen enough may go.
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
                Value(path) if options.drawing.is_none() => options.drawing = Some(path.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }

    /// How messages call the drawing.
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

struct Report {
    lines: Vec<String>,
    errors: Vec<String>,
}

/// Reads, tests and draws.
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
    let mut drawing = Drawing::read(&document).map_err(|fault| format!("{name}, {fault}"))?;

    let (wrong, told): (Vec<_>, Vec<_>) = drawing.remarks.iter().partition(|remark| remark.verdict == Verdict::Wrong);
    let mut errors: Vec<String> = wrong.iter().map(|remark| format!("{name}, {remark}")).collect();
    let mut lines = pairs(drawing.scene.world());
    let touching = lines.len();
    lines.extend(told.iter().map(ToString::to_string));
    lines.push(summary(&drawing, touching));

    let output = options.output();
    match overlay::save(document.root_element(), &mut drawing, &output) {
        Ok(()) => lines.push(format!("wrote {}", output.display())),
        Err(error) => errors.push(format!("{} cannot be written: {error}", output.display())),
    }
    Ok(Report { lines, errors })
}

/// A line a pair. Colliders were attached in document order, and so come the pairs.
fn pairs(world: World<'_>) -> Vec<String> {
    let name = |side: Side| &world.scene()[side.node].name;
    // Adding 0 makes -0 a 0.
    let number = |value: f32| format!("{:.4}", (value * 1e4).round() / 1e4 + 0.0);
    let line = |(pair, contact): (CollisionPair, Contact)| {
        let [x, y, depth] = [contact.normal.x, contact.normal.y, contact.depth].map(number);
        format!("{} touches {} normal {x} {y} depth {depth}", name(pair.a), name(pair.b))
    };
    world.contacts().into_iter().map(line).collect()
}

fn summary(drawing: &Drawing, pairs: usize) -> String {
    let Drawing { scene, remarks, hidden, unsupported, .. } = drawing;
    let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut summary = format!(
        "{} with {}, {} touching",
        plural(scene.node_count() - 1, "node"),
        plural(scene.collider_count(), "collider"),
        plural(pairs, "pair")
    );
    let count = |verdict| remarks.iter().filter(|remark| remark.verdict == verdict).count();
    let left_out = [
        ("refused", count(Verdict::Refused)),
        ("wrong", count(Verdict::Wrong)),
        ("not drawn", count(Verdict::NotDrawn)),
        ("hidden", *hidden),
    ];
    for (what, count) in left_out.into_iter().filter(|(_, count)| *count > 0) {
        summary += &format!(", {count} {what}");
    }
    if !unsupported.is_empty() {
        let kinds: Vec<String> = unsupported.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        summary += &format!("\nnot supported yet: {}", kinds.join(", "));
    }
    summary
}
