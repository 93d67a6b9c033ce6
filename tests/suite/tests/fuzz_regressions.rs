//! The fuzz targets of `fuzz/`, run on the inputs in `fuzz/regressions`, each of which once failed, and on random
//! bytes.

#[path = "../../../fuzz/src/lib.rs"]
#[allow(unused_imports, dead_code)]
mod targets;

use std::fs;
use std::path::Path;

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 5] = [
    ("pairs", targets::pairs),
    ("scene", targets::scene),
    ("outlines", targets::outlines),
    ("casts", targets::casts),
    ("loading", targets::loading),
];

#[test]
fn every_recorded_fuzz_input_passes_its_target() {
    let mut count = 0;
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions").join(name);
        let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            println!("{}", file.display());
            target(&fs::read(&file).unwrap());
            count += 1;
        }
    }
    assert!(count > 0, "no recorded input was found");
}

#[test]
fn random_bytes_pass_every_target() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for (name, target) in TARGETS {
        for round in 0..300 {
            let length = next() % 200;
            // Bytes below 100 decode to multiples of 0.25.
            let limit = if round % 2 == 0 { 256 } else { 100 };
            let data: Vec<u8> = (0..length).map(|_| (next() % limit) as u8).collect();
            println!("{name} {data:?}");
            target(&data);
        }
    }
}
