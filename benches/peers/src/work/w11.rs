//! W11, three scenes: flocks; 100,000 still colliders and one mover that touch each other; 1,000,000 still colliders
//! and rays.

use super::moving::{BOX2D, PARRY, SENSORS, UPDATE, faster, race, senses, updates};
use super::{agree, same_events, w3};
use crate::Options;
use crate::data::Motion;
use crate::race::{Entrant, Race};
use crate::report::Report;
use crate::systems::hitgraph::Hitgraph;
use crate::systems::parry::ParryMover;
use crate::systems::rapier::Rapier;

const PARRY_LEAF: &str = "parry2d Bvh, one leaf";

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let flocks = race("W11 flocks", &Motion::flocks(10_000, 64), 8, options.rounds(24))?;
    report.row("W11 10k in flocks, pairs", &flocks, faster(&flocks), PARRY);
    report.row("W11 10k in flocks, pairs", &flocks, faster(&flocks), BOX2D);
    report.row("W11 10k in flocks, events", &flocks, UPDATE, SENSORS);
    one_awake(options, report)?;
    w3::measure("W11 1M still, a ray", &Motion::sparse(1_000_000), w3::Kind::Ray(100.0), options, report)
}

/// Measures a frame of a crowd in which one collider moves, or is replaced by another one.
fn one_awake(options: &Options, report: &mut Report) -> Result<(), String> {
    const COUNT: usize = 100_000;
    const MOVER: usize = COUNT - 1;
    const BLOCK: usize = 16;
    let motion = &Motion::one_awake(COUNT, BLOCK);
    let (forms, start) = (&motion.forms, motion.at(0));
    let mut update = Hitgraph::new(forms, start);
    let [mut parry, mut parry_leaf] = [(); 2].map(|()| ParryMover::new(forms, start, MOVER));
    let mut sensors = Rapier::new(forms, start, true);
    for step in 0..BLOCK {
        let (work, poses) = (format!("W11 one of 100k moves, step {step}"), motion.at(step));
        update.place(MOVER, poses);
        sensors.place(MOVER, poses);
        same_events(&work, update.update(), sensors.step())?;
        let found = [
            (UPDATE, update.scene.touching().len()),
            (PARRY, parry.pairs(poses[MOVER])),
            (PARRY_LEAF, parry_leaf.pairs_by_leaf(poses[MOVER])),
            (SENSORS, sensors.touching()),
        ];
        agree(&work, motion.expected(step), &found)?;
    }
    println!("W11 one of 100k moves: counts agree, {} pairs overlap", motion.expected(0));

    let mut entrants = [
        updates(&mut update, MOVER, motion),
        Entrant::new(PARRY, |step| parry.pairs(motion.at(step)[MOVER]) as u64),
        Entrant::new(PARRY_LEAF, |step| parry_leaf.pairs_by_leaf(motion.at(step)[MOVER]) as u64),
        senses(&mut sensors, MOVER, motion),
    ];
    let race = Race::run(options.rounds(40), BLOCK, &mut entrants);
    drop(entrants);
    report.row("W11 one of 100k moves, pairs", &race, UPDATE, PARRY);
    report.row("W11 one of 100k moves, pairs", &race, UPDATE, PARRY_LEAF);
    report.row("W11 one of 100k moves, events", &race, UPDATE, SENSORS);

    let pose = |step| motion.at(step)[MOVER];
    let mut entrants = [
        Entrant::new(UPDATE, |step| {
            update.replace(MOVER, forms[MOVER], pose(step));
            update.update() as u64
        }),
        Entrant::new(SENSORS, |step| {
            sensors.replace(MOVER, forms[MOVER], pose(step));
            sensors.step() as u64
        }),
    ];
    for step in 0..BLOCK {
        let [events, peer_events] = entrants.each_mut().map(|entrant| entrant.step(step) as usize);
        same_events(&format!("W11 one of 100k is replaced, step {step}"), events, peer_events)?;
    }
    let race = Race::run(options.rounds(40), BLOCK, &mut entrants);
    report.row("W11 one of 100k is replaced, events", &race, UPDATE, SENSORS);
    Ok(())
}
