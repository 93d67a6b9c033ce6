//! W1, all moving: every frame every node moves; the answer is the full list of overlapping pairs, then the same with contacts.

use crate::Options;
use crate::data::Motion;
use crate::race::{Entrant, Race};
use crate::report::{Mark, Report, Verdict};
use crate::systems::brute::Brute;
use crate::systems::hitgraph::Hitgraph;
use crate::systems::parry::Parry;
use crate::systems::rapier::Rapier;
use crate::work::{agree, same_events};

const UPDATE: &str = "update_into";
const PAIRS: &str = "pairs_into";
const CONTACTS: &str = "contacts";
const PARRY: &str = "parry2d Bvh";
const PARRY_CONTACTS: &str = "parry2d Bvh, contacts";
const SENSORS: &str = "rapier2d sensors, events";
const SOLIDS: &str = "rapier2d solids";
const BRUTE: &str = "brute force";

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let mut per_collider = Vec::new();
    for (count, frames, block, rounds, target) in [
        (1_000, 64, 32, options.rounds(40), None),
        (10_000, 64, 8, options.rounds(24), Some(4.0)),
        (100_000, options.rounds(32), 4, options.rounds(12), Some(4.5)),
    ] {
        let race = at(count, frames, block, rounds)?;
        let size = if count < 1_000_000 { format!("{}k", count / 1000) } else { count.to_string() };
        let work = |what: &str| format!("W1 {size} {what}");
        let is_judged = count == 10_000;
        report.row(work("events"), &race, UPDATE, SENSORS, is_judged.then_some(8.0));
        report.row(work("contacts"), &race, CONTACTS, SOLIDS, is_judged.then_some(12.0));
        report.row(work("contacts"), &race, CONTACTS, PARRY_CONTACTS, None);
        let faster = if race.seconds(UPDATE) < race.seconds(PAIRS) { UPDATE } else { PAIRS };
        report.row(work("pairs"), &race, faster, PARRY, target);
        report.row(work("pairs"), &race, faster, BRUTE, None);
        for (system, name) in [("hitgraph", faster), ("parry2d", PARRY), ("rapier2d", SENSORS), ("brute force", BRUTE)] {
            if let Some(seconds) = race.seconds(name) {
                report.marks.push(Mark { system, count, seconds });
            }
        }
        per_collider.push(race.seconds(UPDATE).expect("it ran") / count as f64);
    }
    let growth = per_collider[2] / per_collider[0];
    let value = format!("{growth:.2} (target below 1.8)");
    report.figure("W1 growth: a collider's time at 100k over 1k, update_into", value, Some(Verdict::below(growth, 1.8)));
    Ok(())
}

fn at(count: usize, frames: usize, block: usize, rounds: usize) -> Result<Race, String> {
    let motion = Motion::crowd(count, frames);
    let (forms, start) = (&motion.forms, motion.at(0));
    let [mut update, mut pairs, mut contacts] = [(); 3].map(|()| Hitgraph::new(forms, start));
    let [mut parry, mut parry_contacts] = [(); 2].map(|()| Parry::new(forms, start));
    let [mut sensors, mut solids] = [true, false].map(|sensors| Rapier::new(forms, start, sensors));

    for step in 0..block {
        let (poses, expected) = (motion.at(step), motion.expected(step));
        update.place(0, poses);
        pairs.place(0, poses);
        contacts.place(0, poses);
        parry.place(poses);
        parry_contacts.place(poses);
        sensors.place(0, poses);
        solids.place(0, poses);
        same_events(&format!("W1 {count}, step {step}"), update.update(), sensors.step())?;
        solids.step();
        agree(
            &format!("W1 {count}, step {step}"),
            expected,
            &[
                (UPDATE, update.scene.touching().len()),
                (PAIRS, pairs.pairs()),
                (CONTACTS, contacts.contacts()),
                (PARRY, parry.pairs()),
                (PARRY_CONTACTS, parry_contacts.contacts()),
                (SENSORS, sensors.touching()),
                (SOLIDS, solids.in_contact()),
            ],
        )?;
    }
    println!("W1 {count}: {} pairs overlap", motion.expected(0));

    let motion = &motion;
    let mut entrants = vec![
        Entrant::new(UPDATE, move |step| {
            update.place(0, motion.at(step));
            update.update() as u64
        }),
        Entrant::new(PAIRS, move |step| {
            pairs.place(0, motion.at(step));
            pairs.pairs() as u64
        }),
        Entrant::new(CONTACTS, move |step| {
            contacts.place(0, motion.at(step));
            contacts.contacts() as u64
        }),
        Entrant::new(PARRY, move |step| {
            parry.place(motion.at(step));
            parry.pairs() as u64
        }),
        Entrant::new(PARRY_CONTACTS, move |step| {
            parry_contacts.place(motion.at(step));
            parry_contacts.contacts() as u64
        }),
        Entrant::new(SENSORS, move |step| {
            sensors.place(0, motion.at(step));
            sensors.step() as u64
        }),
        Entrant::new(SOLIDS, move |step| {
            solids.place(0, motion.at(step));
            solids.step() as u64
        }),
    ];
    if count <= 1_000 {
        let mut brute = Brute::new(forms);
        entrants.push(Entrant::new(BRUTE, move |step| brute.pairs(motion.at(step)) as u64));
    }
    Ok(Race::run(rounds, block, &mut entrants))
}
