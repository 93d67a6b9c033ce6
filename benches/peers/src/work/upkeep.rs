//! Further costs of a scene: still frames, adding, removing, and memory.

use fastrand::Rng;
use hitgraph::{QueryFilter, Scene};

use super::agree;
use super::moving::{PARRY, SENSORS, UPDATE};
use crate::Options;
use crate::data::{Form, Motion, Pose};
use crate::memory::in_use;
use crate::race::{Entrant, Race, Trial, timed};
use crate::report::Report;
use crate::systems::hitgraph::{Hitgraph, attachment, node};
use crate::systems::parry::Parry;
use crate::systems::rapier::Rapier;

const OURS: &str = "Scene";

const COUNT: usize = 100_000;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let motion = Motion::sparse(COUNT);
    let (forms, poses) = (&motion.forms[..], motion.at(0));
    still(forms, poses, options, report);
    grow_and_shrink(forms, poses, options, report)?;
    memory(forms, poses, report);
    Ok(())
}

fn still(forms: &[Form], poses: &[Pose], options: &Options, report: &mut Report) {
    let (mut ours, mut rapier) = (Hitgraph::new(forms, poses), Rapier::new(forms, poses, true));
    let mut entrants =
        [Entrant::new(UPDATE, |_| ours.update() as u64), Entrant::new(SENSORS, |_| rapier.step() as u64)];
    for entrant in &mut entrants {
        for step in 0..4 {
            entrant.step(step);
        }
    }
    let race = Race::run(options.rounds(40), 16, &mut entrants);
    report.row("upkeep: a frame of 100k still", &race, UPDATE, SENSORS);
}

/// Measures adding and removing. A query after every change must find its effect.
fn grow_and_shrink(forms: &[Form], poses: &[Pose], options: &Options, report: &mut Report) -> Result<(), String> {
    let mut order: Vec<_> = (0..COUNT).collect();
    Rng::with_seed(7).shuffle(&mut order);
    let removed = &order[..COUNT / 2];
    let ((mut ours, found), (mut parry, peer_found)) = (grow_ours(forms, poses), grow_parry(forms, poses));
    let found = [
        (OURS, found + shrink_ours(&mut ours, removed, poses)),
        (PARRY, peer_found + shrink_parry(&mut parry, removed, poses)),
    ];
    agree("upkeep", found[0].1, &found)?;
    println!("upkeep: counts agree, {} hits", found[0].1);

    let mut growing = [
        Trial::new(OURS, |_| timed(|| grow_ours(forms, poses)).1),
        Trial::new(PARRY, |_| timed(|| grow_parry(forms, poses)).1),
    ];
    let race = Race::trials(options.rounds(4), &mut growing);
    report.row("upkeep: add 100k, a query after each", &race, OURS, PARRY);
    let mut shrinking = [
        Trial::new(OURS, |_| {
            let (mut grown, _) = grow_ours(forms, poses);
            timed(|| shrink_ours(&mut grown, removed, poses)).1
        }),
        Trial::new(PARRY, |_| {
            let (mut grown, _) = grow_parry(forms, poses);
            timed(|| shrink_parry(&mut grown, removed, poses)).1
        }),
    ];
    let race = Race::trials(options.rounds(8), &mut shrinking);
    report.row("upkeep: remove 50k of 100k at random, a query after each", &race, OURS, PARRY);
    Ok(())
}

fn grow_ours(forms: &[Form], poses: &[Pose]) -> (Hitgraph, usize) {
    let (mut grown, mut sides, mut found) = (Hitgraph::new(&[], &[]), Vec::new(), 0);
    for (form, pose) in forms.iter().zip(poses) {
        grown.insert(*form, *pose);
        grown.scene.world().at_point_into(pose.position, &QueryFilter::default(), &mut sides);
        found += sides.len();
    }
    (grown, found)
}

fn shrink_ours(grown: &mut Hitgraph, removed: &[usize], poses: &[Pose]) -> usize {
    let (mut sides, mut found) = (Vec::new(), 0);
    for one in removed {
        grown.scene.remove(grown.nodes[*one]);
        grown.scene.world().at_point_into(poses[*one].position, &QueryFilter::default(), &mut sides);
        found += sides.len();
    }
    found
}

fn grow_parry(forms: &[Form], poses: &[Pose]) -> (Parry, usize) {
    let (mut grown, mut hits, mut found) = (Parry::new(&[], &[]), Vec::new(), 0);
    for (form, pose) in forms.iter().zip(poses) {
        grown.insert(*form, *pose);
        grown.point(pose.position, &mut hits);
        found += hits.len();
    }
    (grown, found)
}

fn shrink_parry(grown: &mut Parry, removed: &[usize], poses: &[Pose]) -> usize {
    let (mut hits, mut found) = (Vec::new(), 0);
    for one in removed {
        grown.remove(*one);
        grown.point(poses[*one].position, &mut hits);
        found += hits.len();
    }
    found
}

fn memory(forms: &[Form], poses: &[Pose], report: &mut Report) {
    let per = |before: usize| (in_use() - before) as f64 / COUNT as f64;

    let before = in_use();
    let mut scene = Scene::new();
    let nodes: Vec<_> = poses.iter().map(|pose| scene.add(node(*pose))).collect();
    let _ = scene.world();
    report.figure("memory of a node, ours", per(before + size_of_val(&nodes[..])), "bytes");
    let before = in_use();
    for (node, form) in nodes.iter().zip(forms) {
        scene.attach(*node, attachment(*form)).expect("the node exists");
    }
    drop(scene.update());
    report.figure("memory of a collider, ours", per(before), "bytes");

    let before = in_use();
    let mut rapier = Rapier::new(forms, poses, true);
    rapier.step();
    // The list of handles belongs to the host.
    let handles = COUNT * size_of::<rapier2d::geometry::ColliderHandle>();
    report.figure("memory of a collider without a body, rapier2d", per(before + handles), "bytes");
    drop(rapier);
    let before = in_use();
    let bodies = Rapier::bodies(poses);
    report.figure("memory of a kinematic body, rapier2d", per(before), "bytes");
    drop(bodies);
}
