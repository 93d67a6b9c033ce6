//! Draws every picture of the README, the guide and rustdoc.
//!
//! ```text
//! cargo run --example pictures              # draws them in target/pictures and copies them to docs
//! cargo run --example pictures -- --check   # draws them and fails if one in docs differs by more than rounding
//! ```
//!
//! It runs the numbered examples, which draw their own pictures. It does not draw `docs/images/benchmarks.svg`, which
//! the benchmark writes, nor the screenshots (`*.png`).

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod compare;
mod composed;
mod figure;
mod film;
mod frames;
mod mirror;
mod motion;
mod opening;
mod rules;
mod shapes;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use figure::Drawn;

const EXAMPLES: [&str; 12] = [
    "01_hello",
    "02_scene_tree",
    "03_every_pair",
    "04_events",
    "05_queries",
    "06_your_own_shape",
    "07_move_and_slide",
    "08_tiled_map",
    "09_top_down",
    "10_tutorial_engine",
    "11_pushes",
    "12_rollback",
];

const FIGURES: [(&str, fn() -> Drawn); 27] = [
    ("aabb", answers::aabb),
    ("capsule", shapes::capsule),
    ("circle", shapes::circle),
    ("collider", shapes::support),
    ("compound", composed::compound),
    ("contact", answers::contact),
    ("debug_state", frames::debug_state),
    ("ellipse", shapes::ellipse),
    ("exact", frames::exact),
    ("layers", rules::layers),
    ("local_and_world", rules::local_and_world),
    ("move_options", motion::move_options),
    ("moved", motion::moved),
    ("one_way", motion::one_way),
    ("owners", rules::owners),
    ("point_projection", answers::point_projection),
    ("polygon", shapes::polygon),
    ("polyline", composed::polyline),
    ("ray_hit", answers::ray_hit),
    ("rect", shapes::rect),
    ("rounded", shapes::rounded),
    ("segment", shapes::segment),
    ("shape_cast_hit", answers::shape_cast_hit),
    ("skin", rules::skin),
    ("tile", composed::tile),
    ("tiles", composed::tiles),
    ("transform", frames::transform),
];

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let checks = match &arguments[..] {
        [] => false,
        [only] if only == "--check" => true,
        _ => {
            eprintln!("error: there is one option, --check");
            return ExitCode::from(2);
        }
    };
    match draw().and_then(|drawn| compare_all(&drawn, checks)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(differing) if checks => {
            eprintln!("{differing} pictures differ: compare them with target/pictures, then run this without --check");
            ExitCode::FAILURE
        }
        Ok(differing) => {
            println!("{differing} pictures changed");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Draws all pictures. Returns the path of each new picture and the path of its copy in docs.
fn draw() -> Result<Vec<(PathBuf, PathBuf)>, Box<dyn Error>> {
    std::env::set_current_dir(env!("CARGO_MANIFEST_DIR"))?;
    let mut drawn = vec![(opening::film()?, PathBuf::from("docs/images/opening.svg"))];
    for (name, figure) in FIGURES {
        drawn.push((figure()?.save(name)?, Path::new("docs/figures").join(name).with_extension("svg")));
    }
    for name in EXAMPLES {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(["run", "--quiet", "--example", name]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let output = cargo.output()?;
        if !output.status.success() {
            return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let file = format!("{name}.svg");
        drawn.push((support::pictures(&file), Path::new("docs/images").join(&file)));
    }
    Ok(drawn)
}

/// Prints the pictures that differ from those in docs and, unless it only checks, copies them to docs. Returns their
/// number.
fn compare_all(drawn: &[(PathBuf, PathBuf)], checks: bool) -> Result<usize, Box<dyn Error>> {
    let mut differing = 0;
    for (fresh, kept) in drawn {
        let text = fs::read_to_string(fresh)?;
        let difference = match fs::read_to_string(kept) {
            Ok(old) => compare::difference(&old, &text),
            Err(error) => Some(error.to_string()),
        };
        if let Some(difference) = difference {
            println!("{}: {difference}", kept.display());
            differing += 1;
            if !checks {
                fs::copy(fresh, kept)?;
            }
        }
    }
    Ok(differing)
}
