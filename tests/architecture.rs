//! The house rules that no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up; a file may use its own floor and those named with it.
const FLOORS: [(&str, &[&str]); 5] = [
    ("math", &[]),
    ("index", &["math"]),
    ("shape", &["math", "index"]),
    ("collider", &["math", "index", "shape"]),
    ("scene", &["math", "index", "shape", "collider"]),
];

const MOST_LINES: usize = 400;

/// Every Rust file below `src`, as its path from there and its text.
fn sources() -> Vec<(PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut pending) = (Vec::new(), vec![src.clone()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push((path.strip_prefix(&src).unwrap().to_owned(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    assert!(files.len() > 30, "these are all the files");
    files
}

/// The code of a file: no comments, no blank lines, nothing of its tests, which stand last.
fn code(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]");
    let lines = lines.map(|line| line.split(" //").next().unwrap_or(line));
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect()
}

fn floor_of(path: &Path) -> Option<&'static str> {
    let folder = path.components().next()?.as_os_str();
    FLOORS.iter().map(|(name, _)| *name).find(|name| folder == *name)
}

/// The floors that a piece of code names after `crate::`, and what is named there besides floors.
fn named(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let inner = rest.strip_prefix('{').map_or(rest, |list| &list[..list.find("};").unwrap_or(list.len())]);
        // Of a list, the word that begins each entry; otherwise the word itself.
        let (mut depth, mut word, mut fresh) = (0, String::new(), true);
        for letter in inner.chars() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => fresh = true,
                letter if fresh && (letter.is_alphanumeric() || letter == '_') => word.push(letter),
                letter if letter.is_whitespace() => {}
                _ => fresh = false,
            }
            if !fresh || letter == ',' {
                names.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            if !fresh && !rest.starts_with('{') {
                break;
            }
        }
        names.extend((!word.is_empty()).then_some(word));
    }
    names
}

#[test]
fn imports_point_down() {
    let mut seen = 0;
    for (path, text) in sources() {
        let Some(own) = floor_of(&path) else {
            assert_eq!(path, Path::new("lib.rs"), "every file has its floor");
            continue;
        };
        let below = FLOORS.iter().find(|(name, _)| *name == own).unwrap().1;
        for name in named(&code(&text).join("\n")) {
            // A macro is exported under its floor's name too.
            seen += 1;
            assert!(name == own || below.contains(&&*name), "{} uses crate::{name}", path.display());
        }
        // `super::super` would be a way around the rule.
        let depth = path.components().count();
        let up = code(&text).iter().any(|line| line.contains(&"super::".repeat(depth)));
        assert!(!up || depth < 2, "{} reaches out of its floor", path.display());
    }
    assert!(seen > 30, "the imports were found");
}

#[test]
fn the_search_for_imports_finds_them() {
    assert_eq!(named("use crate::math::Aabb;"), ["math"]);
    assert_eq!(
        named("use crate::{math::{Aabb, tolerance}, shape::Circle};\nfn f(a: crate::scene::X) {}"),
        ["math", "shape", "scene"]
    );
    assert_eq!(code("use a; // crate::scene\n// crate::scene\n\n#[cfg(test)]\nuse crate::scene;"), ["use a;"]);
}

#[test]
fn floors_are_in_order() {
    for (index, (_, below)) in FLOORS.iter().enumerate() {
        let lower: Vec<&str> = FLOORS[..index].iter().map(|(name, _)| *name).collect();
        assert!(below.iter().all(|name| lower.contains(name)), "so there can be no circles");
    }
}

#[test]
fn no_file_is_longer_than_one_can_read() {
    for (path, text) in sources() {
        let lines = code(&text).len();
        assert!(lines <= MOST_LINES, "{} has {lines} lines of code", path.display());
    }
}

#[test]
fn nothing_is_unsafe_and_nothing_is_exported_by_a_star() {
    for (path, text) in sources() {
        for line in code(&text) {
            let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            assert!(!words.into_iter().any(|word| word == "unsafe"), "{}: {line}", path.display());
            let exported = line.starts_with("pub") && line.contains("use ");
            assert!(!(exported && line.contains('*')), "{}: {line}", path.display());
        }
    }
}

#[test]
fn the_library_depends_on_four_crates() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let names = section.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split([' ', '.']).next());
    let allowed = ["glam", "libm", "slotmap", "smallvec", "thiserror"];
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.contains(&"glam") && names.iter().all(|name| allowed.contains(name)), "{names:?}");
}
