//! The source files of the library, for the tests that read them.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the source files.
pub fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src")
}

/// Returns the paths of all source files, in no particular order.
pub fn source_files() -> Vec<PathBuf> {
    let (mut files, mut pending) = (Vec::new(), vec![source_folder()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}
