//! The feature `parallel`: frames of W1 on two threads against one. It measures the elapsed time, because the time of
//! one thread does not count the others.

use std::cell::RefCell;
use std::time::Instant;

use rayon::ThreadPoolBuilder;

use crate::Options;
use crate::data::Motion;
use crate::race::{Race, Trial};
use crate::report::Report;
use crate::systems::hitgraph::Hitgraph;

const ONE: &str = "update_into, one thread";
const TWO: &str = "update_into, two threads";

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    for (count, frames, block) in [(10_000, 64, 8), (100_000, 32, 4)] {
        let motion = &Motion::crowd(count, frames);
        let trial = |name, threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
            let ours = RefCell::new(Hitgraph::new(&motion.forms, motion.at(0)));
            Trial::new(name, move |round| {
                let start = Instant::now();
                let ours = &mut *ours.borrow_mut();
                pool.install(|| {
                    for step in round * block..(round + 1) * block {
                        ours.place(0, motion.at(step));
                        ours.update();
                    }
                });
                start.elapsed().as_secs_f64() / block as f64
            })
        };
        let race = Race::trials(options.rounds(24), &mut [trial(TWO, 2), trial(ONE, 1)]);
        report.row(format!("W1 {}k parallel", count / 1000), &race, TWO, ONE);
    }
    Ok(())
}
