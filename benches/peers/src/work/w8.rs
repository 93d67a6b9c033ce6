//! W8, churn: a crowd of 10,000 as in W1 in which 5% of the nodes are replaced by new ones in each frame.

use super::moving::{PAIRS, PARRY, SENSORS, UPDATE, faster};
use super::{agree, same_events};
use crate::Options;
use crate::data::{Churn, Form, Pose};
use crate::race::{Entrant, Race};
use crate::report::Report;
use crate::systems::hitgraph::Hitgraph;
use crate::systems::parry::Parry;
use crate::systems::rapier::Rapier;

const COUNT: usize = 10_000;

/// The number of nodes that each frame replaces.
const REPLACED: usize = COUNT / 20;

/// The number of steps in a block.
const BLOCK: usize = 8;

struct Systems {
    update: Hitgraph,
    pairs: Hitgraph,
    parry: Parry,
    sensors: Rapier,
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let churn = &Churn::new(COUNT, REPLACED, 64);
    let mut systems = Systems::new(churn);
    for step in 0..BLOCK {
        let [events, pairs, parry, sensors] = systems.entrants(churn).map(|mut entrant| entrant.step(step) as usize);
        let work = format!("W8, step {step}");
        same_events(&work, events, sensors)?;
        let (touching, intersecting) = (systems.update.scene.touching().len(), systems.sensors.touching());
        let found = [(UPDATE, touching), (PAIRS, pairs), (PARRY, parry), (SENSORS, intersecting)];
        agree(&work, churn.at(step).expected, &found)?;
    }
    println!("W8: counts agree, {} pairs overlap", churn.at(0).expected);

    // The race starts again from the first frame, with new systems.
    let race = Race::run(options.rounds(24), BLOCK, &mut Systems::new(churn).entrants(churn));
    report.row("W8 10k pairs", &race, faster(&race), PARRY);
    report.row("W8 10k events", &race, UPDATE, SENSORS);
    Ok(())
}

impl Systems {
    fn new(churn: &Churn) -> Self {
        let (forms, poses) = (&churn.at(0).forms, &churn.at(0).poses);
        let [update, pairs] = [(); 2].map(|()| Hitgraph::new(forms, poses));
        Self { update, pairs, parry: Parry::new(forms, poses), sensors: Rapier::new(forms, poses, true) }
    }

    fn entrants<'a>(&'a mut self, churn: &'a Churn) -> [Entrant<'a>; 4] {
        let Self { update, pairs, parry, sensors } = self;
        [
            Entrant::new(UPDATE, |step| {
                replace(churn, step, |one, form, pose| update.replace(one, form, pose));
                update.place(0, &churn.at(step).poses);
                update.update() as u64
            }),
            Entrant::new(PAIRS, |step| {
                replace(churn, step, |one, form, pose| pairs.replace(one, form, pose));
                pairs.place(0, &churn.at(step).poses);
                pairs.pairs() as u64
            }),
            Entrant::new(PARRY, |step| {
                replace(churn, step, |one, form, pose| parry.replace(one, form, pose));
                parry.place(&churn.at(step).poses);
                parry.pairs() as u64
            }),
            Entrant::new(SENSORS, |step| {
                replace(churn, step, |one, form, pose| sensors.replace(one, form, pose));
                sensors.place(0, &churn.at(step).poses);
                sensors.step() as u64
            }),
        ]
    }
}

fn replace(churn: &Churn, step: usize, mut by: impl FnMut(usize, Form, Pose)) {
    let crowd = churn.at(step);
    for one in churn.replaced(step) {
        by(*one, crowd.forms[*one], crowd.poses[*one]);
    }
}
