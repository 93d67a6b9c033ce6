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
//! - Every `<g>`, `<use>` and shape element becomes a node with its `transform`. Every `rect` (with round corners too),
//!   `circle`, `ellipse`, `line`, `polyline` and `polygon` (concave too) has a collider, and so does the path that
//!   older versions of Inkscape write for a whole ellipse. The shapes of a group are separate nodes, so they touch each
//!   other. Shapes are solid, but a `polyline` is only a line; fill, stroke width, opacity and clips are ignored.
//! - The name of a node is its id, or else its element and place, as in `rect@12:5` (line and column). Below a `<use>`
//!   names begin with the name of the `<use>`, as in `stairs/step`. A second element with the same id has its place
//!   appended.
//! - Numbers are in user units; the viewBox does not scale them. An inch is 96 user units, percent refer to the viewBox
//!   (or else to the size of the root), and em to the font size.
//! - Elements that SVG does not draw have no collider: `display:none`, `visibility:hidden`, zero sizes, transforms
//!   without an inverse, `<defs>` and similar. `style` attributes are read, `<style>` elements are not.
//! - A polygon that crosses itself is refused with its id, and reading continues. Reading also continues after an
//!   invalid element, which is reported as an error on stderr and by the exit status.
//!
//! The exit status is 0 on success, 1 if the file or an element is invalid, and 2 if the command line is invalid.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hitgraph::{CollisionPair, Contact, NodeCollider, World};
use lexopt::prelude::*;

use svg_drawing::document::{decode, parse};
use svg_drawing::drawing::Drawing;
use svg_drawing::overlay;
use svg_drawing::remark::Verdict;

const HELP: &str = "\
Prints which shapes of an SVG drawing touch and writes a picture of them.

Usage: collision_test [OPTIONS] [DRAWING.svg]

Without a drawing it reads an included one.

Options:
  -o, --output FILE   path of the picture [default: DRAWING.collisions.svg in the current folder]
  -h, --help          print this help

Colliders: rect, circle, ellipse, line, polyline, polygon, and <use> of them. Numbers are in user units.
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
    let mut drawing = Drawing::read(&document).map_err(|fault| format!("{name}, {fault}"))?;

    let (wrong, others): (Vec<_>, Vec<_>) = drawing.remarks.iter().partition(|remark| remark.verdict == Verdict::Wrong);
    let mut errors: Vec<String> = wrong.iter().map(|remark| format!("{name}, {remark}")).collect();
    let mut lines = pairs(drawing.scene.world());
    let touching = lines.len();
    lines.extend(others.iter().map(ToString::to_string));
    lines.push(summary(&drawing, touching));

    let output = options.output();
    match overlay::save(document.root_element(), &mut drawing, &output) {
        Ok(()) => lines.push(format!("wrote {}", output.display())),
        Err(error) => errors.push(format!("{} cannot be written: {error}", output.display())),
    }
    Ok(Report { lines, errors })
}

/// Returns one line per pair. Colliders are attached in document order, so the pairs are in document order too.
fn pairs(world: World<'_>) -> Vec<String> {
    let name = |side: NodeCollider| &world.scene()[side.node].name;
    // Adding 0 turns -0 into 0.
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
