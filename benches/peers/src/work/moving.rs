//! The race of all systems on moving forms: W1 and W4.

use super::{agree, same_events};
use crate::data::Motion;
use crate::race::{Entrant, Race};
#[cfg(feature = "box2d")]
use crate::systems::box2d::Box2d;
use crate::systems::brute::Brute;
use crate::systems::hitgraph::Hitgraph;
use crate::systems::parry::Parry;
use crate::systems::rapier::Rapier;

pub const UPDATE: &str = "update_into";
pub const PAIRS: &str = "pairs_into";
pub const CONTACTS: &str = "update, contacts";
pub const PARRY: &str = "parry2d Bvh";
pub const PARRY_CONTACTS: &str = "parry2d Bvh, contacts";
pub const SENSORS: &str = "rapier2d sensors, events";
pub const SOLIDS: &str = "rapier2d solids";
pub const BOX2D: &str = "Box2D tree";
pub const BOX2D_CONTACTS: &str = "Box2D tree, manifolds";
pub const BRUTE: &str = "brute force";

/// Checks the counts over one block, then measures.
pub fn race(work: &str, motion: &Motion, block: usize, rounds: usize) -> Result<Race, String> {
    let (forms, start) = (&motion.forms, motion.at(0));
    let [mut update, mut pairs, mut contacts] = [(); 3].map(|()| Hitgraph::new(forms, start));
    let [mut parry, mut parry_contacts] = [(); 2].map(|()| Parry::new(forms, start));
    let [mut sensors, mut solids] = [true, false].map(|sensors| Rapier::new(forms, start, sensors));
    #[cfg(feature = "box2d")]
    let [mut tree, mut tree_contacts] = [(); 2].map(|()| Box2d::new(forms, start));

    for step in 0..block {
        let (work, poses) = (format!("{work}, step {step}"), motion.at(step));
        update.place(0, poses);
        pairs.place(0, poses);
        contacts.place(0, poses);
        parry.place(poses);
        parry_contacts.place(poses);
        sensors.place(0, poses);
        solids.place(0, poses);
        same_events(&work, update.update(), sensors.step())?;
        solids.step();
        #[cfg_attr(not(feature = "box2d"), expect(unused_mut))]
        let mut found = vec![
            (UPDATE, update.scene.touching().len()),
            (PAIRS, pairs.pairs()),
            (CONTACTS, contacts.contacts()),
            (PARRY, parry.pairs()),
            (PARRY_CONTACTS, parry_contacts.contacts()),
            (SENSORS, sensors.touching()),
            (SOLIDS, solids.in_contact()),
        ];
        #[cfg(feature = "box2d")]
        {
            tree.place(poses);
            tree_contacts.place(poses);
            found.extend([(BOX2D, tree.pairs()), (BOX2D_CONTACTS, tree_contacts.contacts())]);
        }
        agree(&work, motion.expected(step), &found)?;
    }
    println!("{work}: counts agree, {} pairs overlap", motion.expected(0));

    let mut entrants = vec![
        updates(&mut update, 0, motion),
        lists_pairs(&mut pairs, motion),
        Entrant::new(CONTACTS, |step| {
            contacts.place(0, motion.at(step));
            contacts.contacts() as u64
        }),
        Entrant::new(PARRY, |step| {
            parry.place(motion.at(step));
            parry.pairs() as u64
        }),
        Entrant::new(PARRY_CONTACTS, |step| {
            parry_contacts.place(motion.at(step));
            parry_contacts.contacts() as u64
        }),
        senses(&mut sensors, 0, motion),
        Entrant::new(SOLIDS, |step| {
            solids.place(0, motion.at(step));
            solids.step() as u64
        }),
    ];
    #[cfg(feature = "box2d")]
    entrants.extend([
        Entrant::new(BOX2D, |step| {
            tree.place(motion.at(step));
            tree.pairs() as u64
        }),
        Entrant::new(BOX2D_CONTACTS, |step| {
            tree_contacts.place(motion.at(step));
            tree_contacts.contacts() as u64
        }),
    ]);
    if motion.forms.len() <= 1_000 {
        let mut brute = Brute::new(forms);
        entrants.push(Entrant::new(BRUTE, move |step| brute.pairs(motion.at(step)) as u64));
    }
    Ok(Race::run(rounds, block, &mut entrants))
}

/// Returns the entrant that moves our colliders from `first` on and updates the scene.
pub fn updates<'a>(ours: &'a mut Hitgraph, first: usize, motion: &'a Motion) -> Entrant<'a> {
    Entrant::new(UPDATE, move |step| {
        ours.place(first, motion.at(step));
        ours.update() as u64
    })
}

/// Returns the entrant that moves all our colliders and lists their pairs.
pub fn lists_pairs<'a>(ours: &'a mut Hitgraph, motion: &'a Motion) -> Entrant<'a> {
    Entrant::new(PAIRS, move |step| {
        ours.place(0, motion.at(step));
        ours.pairs() as u64
    })
}

/// Returns the entrant that moves the sensors of rapier2d from `first` on and fires events.
pub fn senses<'a>(sensors: &'a mut Rapier, first: usize, motion: &'a Motion) -> Entrant<'a> {
    Entrant::new(SENSORS, move |step| {
        sensors.place(first, motion.at(step));
        sensors.step() as u64
    })
}

/// Returns the faster of the two public methods that list the pairs.
pub fn faster(race: &Race) -> &'static str {
    if race.seconds(UPDATE) < race.seconds(PAIRS) { UPDATE } else { PAIRS }
}
