//! W2, mostly still: 100,000 still rectangles that touch nothing, and 1,000 movers among them.

use super::moving::{PARRY, SENSORS, UPDATE, senses, updates};
use super::{agree, same_events};
use crate::Options;
use crate::data::Motion;
use crate::race::{Entrant, Race};
use crate::report::Report;
use crate::systems::hitgraph::Hitgraph;
use crate::systems::parry::ParryTiers;
use crate::systems::rapier::Rapier;

const STILL: usize = 100_000;
const MOVING: usize = 1_000;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let motion = &Motion::mostly_still(STILL, MOVING, 32);
    let (forms, start) = (&motion.forms, motion.at(0));
    let mut update = Hitgraph::new(forms, start);
    let mut sensors = Rapier::new(forms, start, true);
    let mut parry = ParryTiers::new(forms, start, STILL);

    let block = 16;
    for step in 0..block {
        let (work, poses) = (format!("W2, step {step}"), motion.at(step));
        update.place(STILL, poses);
        sensors.place(STILL, poses);
        same_events(&work, update.update(), sensors.step())?;
        let found =
            [(UPDATE, update.scene.touching().len()), (SENSORS, sensors.touching()), (PARRY, parry.pairs(poses))];
        agree(&work, motion.expected(step), &found)?;
    }
    println!("W2: counts agree, {} pairs overlap", motion.expected(0));

    let mut entrants = [
        updates(&mut update, STILL, motion),
        senses(&mut sensors, STILL, motion),
        Entrant::new(PARRY, |step| parry.pairs(motion.at(step)) as u64),
    ];
    let race = Race::run(options.rounds(40), block, &mut entrants);
    report.row("W2 events", &race, UPDATE, SENSORS);
    report.row("W2 pairs", &race, UPDATE, PARRY);
    Ok(())
}
