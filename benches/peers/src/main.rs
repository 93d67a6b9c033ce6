//! hitgraph against its peers: the same work on the same data, in one program.
//!
//! `cargo run --release -- [--quick] [--only W3] [--build] [--write]`
//!
//! `--quick` measures everything in under a minute, less precisely. `--only` takes W1 to W7 or `upkeep`, and may be
//! repeated. `--build` adds the cold builds, which take minutes. `--write` writes `docs/benchmarks.md`. Unequal counts
//! are an error; a missed target is not.

mod cold_build;
mod data;
mod document;
mod memory;
mod plot;
mod race;
mod reference;
mod report;
mod systems;
mod work;

use std::process::ExitCode;

use report::Report;

type Work = fn(&Options, &mut Report) -> Result<(), String>;

const WORK: [(&str, Work); 8] = [
    ("W1", work::w1::run),
    ("W2", work::w2::run),
    ("W3", work::w3::run),
    ("W4", work::w4::run),
    ("W5", work::w5::run),
    ("W6", work::w6::run),
    ("W7", work::w7::run),
    ("upkeep", work::upkeep::run),
];

/// The command line options.
pub struct Options {
    quick: bool,
    only: Vec<String>,
    build: bool,
    write: bool,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let mut options = Self { quick: false, only: Vec::new(), build: false, write: false };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--build" => options.build = true,
                "--write" => options.write = true,
                "--only" => options.only.push(args.next().ok_or("--only needs a workload")?),
                other => return Err(format!("unknown argument {other}")),
            }
        }
        if let Some(only) =
            options.only.iter().find(|only| !WORK.iter().any(|(name, _)| name.eq_ignore_ascii_case(only)))
        {
            return Err(format!("no workload {only}"));
        }
        if options.write && (options.quick || !options.only.is_empty()) {
            return Err("--write requires a full run".to_owned());
        }
        Ok(options)
    }

    /// Returns a number of rounds or frames, reduced in a quick run.
    pub fn rounds(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(4) } else { full }
    }

    fn wants(&self, work: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only.eq_ignore_ascii_case(work))
    }
}

fn run() -> Result<(), String> {
    let options = Options::parse()?;
    let mut report = Report::default();
    for (name, run) in WORK {
        if options.wants(name) {
            run(&options, &mut report)?;
        }
    }
    if options.build {
        cold_build::run(options.rounds(3), &mut report)?;
    }
    let missed = document::misses(&report);
    if !missed.is_empty() {
        println!("\nmissed:\n  {}", missed.join("\n  "));
    }
    if options.write {
        document::write(&report)?;
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
