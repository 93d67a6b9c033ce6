//! W1, all moving: every node moves in every frame; the result is the full list of overlapping pairs, then the same
//! with contacts.

use super::moving::{
    BOX2D, BOX2D_CONTACTS, BRUTE, CONTACTS, PAIRS, PARRY, PARRY_CONTACTS, SENSORS, SOLIDS, UPDATE, faster, lists_pairs,
    race,
};
use crate::Options;
use crate::data::Motion;
use crate::race::{Entrant, Race};
use crate::report::{Mark, Report};
use crate::systems::brute::Brute;
use crate::systems::hitgraph::Hitgraph;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let mut per_collider = Vec::new();
    for (count, frames, block, rounds) in [
        (1_000, 64, 32, options.rounds(40)),
        (10_000, 64, 8, options.rounds(24)),
        (100_000, options.rounds(32), options.rounds(4).max(2), options.rounds(12)),
    ] {
        let work = |what: &str| format!("W1 {}k {what}", count / 1000);
        let race = race(&work("all moving"), &Motion::crowd(count, frames), block, rounds)?;
        report.row(work("events"), &race, UPDATE, SENSORS);
        report.row(work("contacts"), &race, CONTACTS, SOLIDS);
        report.row(work("contacts"), &race, CONTACTS, PARRY_CONTACTS);
        report.row(work("contacts"), &race, CONTACTS, BOX2D_CONTACTS);
        let pairs = faster(&race);
        report.row(work("pairs"), &race, pairs, PARRY);
        report.row(work("pairs"), &race, pairs, BOX2D);
        report.row(work("pairs"), &race, pairs, BRUTE);
        let systems =
            [("hitgraph", pairs), ("parry2d", PARRY), ("rapier2d", SENSORS), ("Box2D", BOX2D), ("brute force", BRUTE)];
        for (system, name) in systems {
            report.marks.extend(race.seconds(name).map(|seconds| Mark { system, count, seconds }));
        }
        if count == 10_000 {
            let race = against_brute(&Motion::crowd(count, 4));
            report.row(work("pairs"), &race, PAIRS, BRUTE);
            report.marks.extend(race.seconds(BRUTE).map(|seconds| Mark { system: BRUTE, count, seconds }));
        }
        per_collider.push(race.seconds(UPDATE).expect("it ran") / count as f64);
    }
    let growth = per_collider[2] / per_collider[0];
    report.figure("W1 growth: time per collider at 100k over 1k", growth, "");
    Ok(())
}

/// Measures brute force in a separate race of a few frames, because it is slow.
fn against_brute(motion: &Motion) -> Race {
    let (mut ours, mut brute) = (Hitgraph::new(&motion.forms, motion.at(0)), Brute::new(&motion.forms));
    let mut entrants =
        [lists_pairs(&mut ours, motion), Entrant::new(BRUTE, |step| brute.pairs(motion.at(step)) as u64)];
    Race::run(3, 2, &mut entrants)
}
