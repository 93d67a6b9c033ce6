//! Timing: the CPU time of one thread, with all systems interleaved in blocks on the same data.

use cpu_time::ThreadTime;

/// A system that runs a workload.
pub struct Entrant<'a> {
    pub name: &'static str,
    /// Runs one step. Returns the number of results if that costs nothing.
    step: Box<dyn FnMut(usize) -> u64 + 'a>,
}

/// A system that measures its own steps, because a step also prepares something that must not be measured.
pub struct Trial<'a> {
    name: &'static str,
    /// Runs one step. Returns the measured seconds.
    run: Box<dyn FnMut(usize) -> f64 + 'a>,
}

/// The measured times: seconds per step for each round of each entrant.
pub struct Race {
    names: Vec<&'static str>,
    seconds: Vec<Vec<f64>>,
}

impl<'a> Entrant<'a> {
    pub fn new(name: &'static str, step: impl FnMut(usize) -> u64 + 'a) -> Self {
        Self { name, step: Box::new(step) }
    }

    /// Runs one step. Returns the number of results.
    pub fn step(&mut self, step: usize) -> u64 {
        (self.step)(step)
    }
}

impl<'a> Trial<'a> {
    pub fn new(name: &'static str, run: impl FnMut(usize) -> f64 + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// Runs a step. Returns its result and the CPU seconds of this thread.
pub fn timed<T>(step: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let result = std::hint::black_box(step());
    (result, start.elapsed().as_secs_f64())
}

impl Race {
    /// Runs all entrants. In each round every entrant runs the same `block` of steps.
    pub fn run(rounds: usize, block: usize, entrants: &mut [Entrant<'_>]) -> Self {
        let trials = entrants.iter_mut().map(|entrant| {
            Trial::new(entrant.name, move |round| {
                let steps = round * block..(round + 1) * block;
                let run = || {
                    for step in steps {
                        std::hint::black_box(entrant.step(step));
                    }
                };
                timed(run).1 / block as f64
            })
        });
        Self::trials(rounds, &mut trials.collect::<Vec<_>>())
    }

    /// Runs all trials once in each round; every second round has the reverse order. The first round is not counted.
    pub fn trials(rounds: usize, trials: &mut [Trial<'_>]) -> Self {
        let mut race =
            Self { names: trials.iter().map(|trial| trial.name).collect(), seconds: vec![Vec::new(); trials.len()] };
        let mut order: Vec<_> = (0..trials.len()).collect();
        for round in 0..=rounds {
            for at in &order {
                let took = (trials[*at].run)(round);
                if round > 0 {
                    race.seconds[*at].push(took);
                }
            }
            order.reverse();
        }
        race
    }

    /// Divides all times by the number of operations in a step.
    pub fn per(mut self, things: usize) -> Self {
        self.seconds.iter_mut().flatten().for_each(|seconds| *seconds /= things as f64);
        self
    }

    fn times(&self, name: &str) -> Option<&[f64]> {
        self.names.iter().position(|known| *known == name).map(|at| &self.seconds[at][..])
    }

    /// Returns the median time of a step.
    pub fn seconds(&self, name: &str) -> Option<f64> {
        self.times(name).map(|times| median(times.to_vec()))
    }

    /// Returns the median over all rounds of the time of `peer` divided by that of `ours`.
    pub fn ratio(&self, peer: &str, ours: &str) -> Option<f64> {
        Some(median(self.times(peer)?.iter().zip(self.times(ours)?).map(|(peer, ours)| peer / ours).collect()))
    }
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}
