//! hitgraph against its peers: the same work on the same data, in one program.
//!
//! `cargo run --release -- [--quick] [--only W3] [--write]`

mod data;
mod memory;
mod race;
mod reference;
mod report;
mod systems;
mod work;

use std::process::ExitCode;

use report::Report;

type Work = fn(&Options, &mut Report) -> Result<(), String>;

const WORK: [(&str, Work); 7] = [
    ("W1", work::w1::run),
    ("W2", work::w2::run),
    ("W3", work::w3::run),
    ("W4", work::w4::run),
    ("W5", work::w5::run),
    ("W6", work::w6::run),
    ("upkeep", work::upkeep::run),
];

/// What was asked for.
pub struct Options {
    quick: bool,
    only: Option<String>,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let mut options = Self { quick: false, only: None };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--only" => options.only = Some(args.next().ok_or("--only needs a workload")?),
                other => return Err(format!("unknown argument {other}")),
            }
        }
        Ok(options)
    }

    /// A number of rounds or frames, fewer in a quick run.
    pub fn rounds(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(4) } else { full }
    }

    fn wants(&self, work: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only.eq_ignore_ascii_case(work))
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
