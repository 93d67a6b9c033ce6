//! The recipe of `docs/adding_a_shape.md`, followed step by step on a copy of the crate, so that it cannot go stale.
//!
//! A code block of the recipe begins with a comment that names a file: `// new: PATH` appends the block to that file,
//! `// PATH, after: LINE` inserts it behind the one line of the file that contains LINE.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A code block of the recipe.
struct Step {
    file: String,
    /// The text of the line that the block follows; `None` for a new file.
    anchor: Option<String>,
    code: String,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn steps(recipe: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for block in recipe.split("\n```rust,ignore\n").skip(1) {
        let block = block.split("\n```").next().unwrap();
        let (head, code) = block.split_once('\n').unwrap();
        let head = head.strip_prefix("// ").unwrap_or_else(|| panic!("a block that names no file: {head}"));
        let (file, anchor) = match (head.strip_prefix("new: "), head.split_once(", after: ")) {
            (Some(file), _) => (file, None),
            (None, Some((file, anchor))) => (file, Some(anchor.to_owned())),
            (None, None) => panic!("a block that names no place: {head}"),
        };
        steps.push(Step { file: file.to_owned(), anchor, code: format!("{code}\n") });
    }
    steps
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

/// A copy of the library alone, without its tests and what only they need.
fn copy_of_the_library(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    for path in ["src", "docs", "README.md", "Cargo.lock"] {
        fs::create_dir_all(&folder).unwrap();
        copy(&root().join(path), &folder.join(path));
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let kept = ["package", "workspace.package", "workspace.dependencies", "features", "dependencies"];
    let sections = manifest.split("\n[").filter(|section| {
        let name = section.trim_start_matches('[').split(']').next().unwrap();
        kept.contains(&name)
    });
    let sections: Vec<String> = sections.map(|section| format!("[{}", section.trim_start_matches('['))).collect();
    fs::write(folder.join("Cargo.toml"), format!("{}\n\n[workspace]\n", sections.join("\n"))).unwrap();
    folder
}

fn apply(folder: &Path, steps: &[Step]) {
    for Step { file, anchor, code } in steps {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let old = fs::read_to_string(&path).unwrap_or_default();
        let new = match anchor {
            None => old + code,
            Some(anchor) => {
                let found: Vec<usize> = old.match_indices(anchor.as_str()).map(|(at, _)| at).collect();
                assert_eq!(found.len(), 1, "{file} has one line with `{anchor}`");
                let end = found[0] + old[found[0]..].find('\n').unwrap() + 1;
                format!("{}{code}{}", &old[..end], &old[end..])
            }
        };
        fs::write(path, new).unwrap();
    }
}

/// Runs cargo in a copy. All copies share a target folder, so that the dependencies are built once.
fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("target");
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap()
}

fn recipe() -> Vec<Step> {
    let steps = steps(&fs::read_to_string(root().join("docs/adding_a_shape.md")).unwrap());
    assert!(steps.len() > 4, "found only {} steps", steps.len());
    steps
}

#[test]
fn the_recipe_adds_a_shape_that_meets_every_other() {
    let folder = copy_of_the_library("with_a_triangle");
    apply(&folder, &recipe());
    let run = cargo(&folder, &["test", "--features", "serde", "--test", "triangle"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn a_forgotten_pair_is_a_compile_error_that_names_it() {
    let folder = copy_of_the_library("with_a_missing_pair");
    let mut steps = recipe();
    let pair = "impl Meets<Ellipse> for Triangle {}\n";
    let forgotten = steps.iter_mut().find(|step| step.code.contains(pair)).expect("the recipe has this pair");
    forgotten.code = forgotten.code.replace(pair, "");
    apply(&folder, &steps);
    let run = cargo(&folder, &["check", "--lib"]);
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(!run.status.success() && message.contains("Triangle: Meets<Ellipse>"), "{message}");
}

#[test]
fn a_new_shape_costs_one_file_and_at_most_ten_lines_elsewhere() {
    let steps = recipe();
    let elsewhere = steps.iter().filter(|step| step.anchor.is_some());
    let lines: usize = elsewhere.map(|step| step.code.lines().count()).sum();
    assert!(lines <= 10, "{lines} lines");
}
