//! What fuzzing has found, and bytes without a plan. The targets are those of `fuzz/`.

#[path = "../fuzz/src/lib.rs"]
#[allow(unused_imports, dead_code)]
mod targets;

use std::fs;
use std::path::Path;

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 4] =
    [("pairs", targets::pairs), ("scene", targets::scene), ("outlines", targets::outlines), ("casts", targets::casts)];

#[test]
fn what_was_found_once_stays_mended() {
    let mut count = 0;
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions").join(name);
        let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            println!("{}", file.display());
            target(&fs::read(&file).unwrap());
            count += 1;
        }
    }
    assert!(count > 0, "there are some");
}

#[test]
fn bytes_without_a_plan_do_no_harm() {
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
            // Small bytes make plainer numbers.
            let most = if round % 2 == 0 { 256 } else { 100 };
            let data: Vec<u8> = (0..length).map(|_| (next() % most) as u8).collect();
            println!("{name} {data:?}");
            target(&data);
        }
    }
}
