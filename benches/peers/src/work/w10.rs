//! W10, bullets: 50,000 tiny fast circles that ignore each other, and 500 targets, which also ignore each other.

use hitgraph::CollisionLayers;
use rapier2d::prelude::{Group, InteractionGroups, InteractionTestMode};

use super::moving::{PAIRS, SENSORS, UPDATE, faster, lists_pairs, senses, updates};
use super::{agree, same_events};
use crate::Options;
use crate::data::Motion;
use crate::race::{Entrant, Race};
use crate::report::Report;
use crate::systems::hitgraph::Hitgraph;
use crate::systems::parry::ParryTargets;
use crate::systems::rapier::Rapier;

const TARGETS: usize = 500;
const BULLETS: usize = 50_000;

/// The number of steps in a block.
const BLOCK: usize = 4;

const PARRY: &str = "parry2d Bvh of targets";

/// The layer that a collider is on, and the one that it meets.
fn layers(one: usize) -> [u32; 2] {
    if one < TARGETS { [1, 2] } else { [2, 1] }
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let motion = &Motion::bullets(TARGETS, BULLETS, 64);
    let (forms, start) = (&motion.forms, motion.at(0));
    let [mut update, mut pairs] = [(); 2].map(|()| {
        Hitgraph::on_layers(forms, start, |one| {
            let [on, meets] = layers(one);
            CollisionLayers::new(on, meets)
        })
    });
    let mut parry = ParryTargets::new(forms, start, TARGETS);
    let mut sensors = Rapier::in_groups(forms, start, |one| {
        let [on, meets] = layers(one).map(Group::from_bits_truncate);
        InteractionGroups::new(on, meets, InteractionTestMode::And)
    });

    for step in 0..BLOCK {
        let (work, poses) = (format!("W10, step {step}"), motion.at(step));
        update.place(0, poses);
        pairs.place(0, poses);
        sensors.place(0, poses);
        same_events(&work, update.update(), sensors.step())?;
        let found = [
            (UPDATE, update.scene.touching().len()),
            (PAIRS, pairs.pairs()),
            (PARRY, parry.pairs(poses)),
            (SENSORS, sensors.touching()),
        ];
        agree(&work, motion.expected(step), &found)?;
    }
    println!("W10: counts agree, {} pairs overlap", motion.expected(0));

    let mut entrants = [
        updates(&mut update, 0, motion),
        lists_pairs(&mut pairs, motion),
        Entrant::new(PARRY, |step| parry.pairs(motion.at(step)) as u64),
        senses(&mut sensors, 0, motion),
    ];
    let race = Race::run(options.rounds(12), BLOCK, &mut entrants);
    report.row("W10 bullets, pairs", &race, faster(&race), PARRY);
    report.row("W10 bullets, events", &race, UPDATE, SENSORS);
    Ok(())
}
