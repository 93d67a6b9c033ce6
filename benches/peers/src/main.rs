//! hitgraph against its peers: the same work on the same data, in one program.
//!
//! `cargo run --release -- [--quick] [--only W3] [--build] [--write] [--check]`
//!
//! With `--features parallel` it measures that feature, and nothing else.
//!
//! `--quick` measures everything in a fraction of the time, less precisely. `--only` takes W1 to W11 or `upkeep`, and
//! may be repeated. `--build` adds the cold builds, which take minutes. `--write` writes `docs/benchmarks.md`. At the
//! end the program prints its table of floors. Unequal counts are an error; a missed floor is one only with `--check`.

mod cold_build;
mod data;
mod document;
mod floors;
mod memory;
mod plot;
mod race;
mod reference;
mod report;
#[path = "../../../examples/support/scheme.rs"]
mod scheme;
mod systems;
mod work;

use std::process::ExitCode;

use report::Report;

type Work = fn(&Options, &mut Report) -> Result<(), String>;

const WORK: &[(&str, Work)] = &[
    ("W1", work::w1::run),
    ("W2", work::w2::run),
    ("W3", work::w3::run),
    ("W4", work::w4::run),
    ("W5", work::w5::run),
    ("W6", work::w6::run),
    ("W7", work::w7::run),
    ("W8", work::w8::run),
    ("W9", work::w9::run),
    ("W10", work::w10::run),
    ("W11", work::w11::run),
    ("upkeep", work::upkeep::run),
    #[cfg(feature = "parallel")]
    (THREADS, work::threads::run),
];

/// The workload of the feature `parallel`. With the feature no other one runs: they measure the time of one thread.
const THREADS: &str = "threads";

/// The command line options.
pub struct Options {
    quick: bool,
    only: Vec<String>,
    build: bool,
    write: bool,
    check: bool,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let mut options = Self { quick: false, only: Vec::new(), build: false, write: false, check: false };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--build" => options.build = true,
                "--write" => options.write = true,
                "--check" => options.check = true,
                "--only" => options.only.push(args.next().ok_or("--only needs a workload")?),
                other => return Err(format!("unknown argument {other}")),
            }
        }
        if let Some(only) =
            options.only.iter().find(|only| !WORK.iter().any(|(name, _)| name.eq_ignore_ascii_case(only)))
        {
            return Err(format!("no workload {only}"));
        }
        if options.write && !options.only.is_empty() {
            return Err("--write requires all workloads".to_owned());
        }
        Ok(options)
    }

    /// Returns a number of rounds or frames, reduced in a quick run.
    pub fn rounds(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(4) } else { full }
    }

    fn wants(&self, work: &str) -> bool {
        if cfg!(feature = "parallel") {
            return work == THREADS;
        }
        self.only.is_empty() || self.only.iter().any(|only| only.eq_ignore_ascii_case(work))
    }
}

fn run() -> Result<(), String> {
    let options = Options::parse()?;
    let mut report = Report::default();
    for &(name, run) in WORK {
        if options.wants(name) {
            run(&options, &mut report)?;
        }
    }
    if options.build {
        cold_build::run(options.rounds(3), &mut report)?;
    }
    let [missed, unmeasured] = floors::print(&report);
    if options.write {
        document::write(&report)?;
    }
    // With `--only`, the other floors are not measured.
    if options.check && (missed > 0 || unmeasured > 0 && options.only.is_empty()) {
        return Err("the check of the floors fails".to_owned());
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
