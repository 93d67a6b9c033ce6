//! Timing: the CPU time of one thread, with all systems interleaved in blocks on the same data.

use cpu_time::ThreadTime;

/// A system that runs a workload.
pub struct Entrant<'a> {
    pub name: &'static str,
    /// Runs one step. Returns the number of results if that costs nothing.
    step: Box<dyn FnMut(usize) -> u64 + 'a>,
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

impl Race {
    /// Runs all entrants. In each round every entrant runs the same `block` of steps; every second round has the
    /// reverse order. The first round is not counted.
    pub fn run(rounds: usize, block: usize, entrants: &mut [Entrant<'_>]) -> Self {
        let mut race = Self {
            names: entrants.iter().map(|entrant| entrant.name).collect(),
            seconds: vec![Vec::new(); entrants.len()],
        };
        let mut order: Vec<_> = (0..entrants.len()).collect();
        for round in 0..=rounds {
            for at in &order {
                let start = ThreadTime::now();
                for step in round * block..(round + 1) * block {
                    std::hint::black_box(entrants[*at].step(step));
                }
                let took = start.elapsed().as_secs_f64() / block as f64;
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
