//! Runs the program `collision_test` on drawings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The path of the example, which this builds with the profile of the tests: `cargo test --test` does not build it.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--example", "collision_test", "--target-dir"]).arg(profile.parent().unwrap());
    if profile.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    profile.join("examples/collision_test").with_extension(std::env::consts::EXE_EXTENSION)
});

/// Creates an empty folder for one test.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collision_test").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(&*PROGRAM).args(arguments).current_dir(folder).output().unwrap()
}

pub struct Report {
    pub lines: Vec<String>,
    pub errors: Vec<String>,
    pub code: i32,
    pub picture: String,
}

pub const ROOT: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink""#;

/// Runs the program on a drawing with this content, which begins in line 2 of the file.
pub fn drawing(test: &str, content: &str) -> Report {
    file(test, format!("{ROOT} viewBox=\"0 0 200 100\">\n{content}\n</svg>").as_bytes())
}

pub fn file(test: &str, bytes: &[u8]) -> Report {
    file_with(test, bytes, &[])
}

/// Runs the program with these options on a file with this content.
pub fn file_with(test: &str, bytes: &[u8], options: &[&str]) -> Report {
    let folder = folder(test);
    fs::write(folder.join("level.svg"), bytes).unwrap();
    let output = run(&folder, &[&["level.svg"], options].concat());
    let lines = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect();
    Report {
        lines: lines(output.stdout),
        errors: lines(output.stderr),
        code: output.status.code().unwrap(),
        picture: fs::read_to_string(folder.join("level.collisions.svg")).unwrap_or_default(),
    }
}

impl Report {
    pub fn pairs(&self) -> Vec<&str> {
        self.lines.iter().filter(|line| line.contains(" touches ")).map(String::as_str).collect()
    }
}
