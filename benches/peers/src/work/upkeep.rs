//! Further costs of a scene: still frames, adding, removing, and memory.

use cpu_time::ThreadTime;
use fastrand::Rng;
use hitgraph::{QueryFilter, Scene};

use crate::Options;
use crate::data::{Form, Motion, Pose};
use crate::memory::in_use;
use crate::race::{Entrant, Race, median};
use crate::report::{Report, Row};
use crate::systems::hitgraph::{Hitgraph, attachment, node};
use crate::systems::parry::Parry;
use crate::systems::rapier::Rapier;

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
    let mut entrants = [
        Entrant::new("update_into", |_| ours.update() as u64),
        Entrant::new("rapier2d sensors, events", |_| rapier.step() as u64),
    ];
    for entrant in &mut entrants {
        for step in 0..4 {
            entrant.step(step);
        }
    }
    let race = Race::run(options.rounds(40), 16, &mut entrants);
    report.row("upkeep: a frame of 100k still", &race, "update_into", "rapier2d sensors, events", None);
}

/// Measures adding and removing. A query after every change must find its effect.
fn grow_and_shrink(forms: &[Form], poses: &[Pose], options: &Options, report: &mut Report) -> Result<(), String> {
    let mut order: Vec<_> = (0..COUNT).collect();
    Rng::with_seed(7).shuffle(&mut order);
    let removed = &order[..COUNT / 2];
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..options.rounds(3) {
        let mut found = [0; 2];
        {
            let (mut scene, mut nodes, mut sides) = (Scene::new(), Vec::new(), Vec::new());
            let filter = QueryFilter::default();
            let start = ThreadTime::now();
            for (form, pose) in forms.iter().zip(poses) {
                let id = scene.add(node(*pose));
                scene.attach(id, attachment(*form)).expect("the node was just added");
                nodes.push(id);
                scene.world().at_point_into(pose.position, &filter, &mut sides);
                found[0] += sides.len();
            }
            times[0].push(start.elapsed().as_secs_f64());
            let start = ThreadTime::now();
            for one in removed {
                scene.remove(nodes[*one]);
                scene.world().at_point_into(poses[*one].position, &filter, &mut sides);
                found[0] += sides.len();
            }
            times[1].push(start.elapsed().as_secs_f64());
        }
        {
            let (mut parry, mut hits) = (Parry::new(&[], &[]), Vec::new());
            let start = ThreadTime::now();
            for (form, pose) in forms.iter().zip(poses) {
                parry.insert(*form, *pose);
                parry.point(pose.position, &mut hits);
                found[1] += hits.len();
            }
            times[2].push(start.elapsed().as_secs_f64());
            let start = ThreadTime::now();
            for one in removed {
                parry.remove(*one);
                parry.point(poses[*one].position, &mut hits);
                found[1] += hits.len();
            }
            times[3].push(start.elapsed().as_secs_f64());
        }
        if found[0] != found[1] {
            return Err(format!("upkeep: unequal counts: ours {}, parry2d {}", found[0], found[1]));
        }
    }
    let works = ["upkeep: add 100k, a query after each", "upkeep: remove 50k, a query after each"];
    for (at, work) in works.into_iter().enumerate() {
        let ratios = times[at].iter().zip(&times[at + 2]).map(|(ours, peer)| peer / ours).collect();
        report.push(Row {
            work: work.to_owned(),
            ours: "Scene",
            ours_seconds: median(times[at].clone()),
            peer: "parry2d Bvh",
            peer_seconds: median(times[at + 2].clone()),
            ratio: median(ratios),
            target: None,
        });
    }
    Ok(())
}

fn memory(forms: &[Form], poses: &[Pose], report: &mut Report) {
    let per = |before: usize| format!("{:.0} bytes", (in_use() - before) as f64 / COUNT as f64);

    let before = in_use();
    let mut scene = Scene::new();
    let nodes: Vec<_> = poses.iter().map(|pose| scene.add(node(*pose))).collect();
    let _ = scene.world();
    report.figure("memory of a node, ours", per(before + size_of_val(&nodes[..])), None);
    let before = in_use();
    for (node, form) in nodes.iter().zip(forms) {
        scene.attach(*node, attachment(*form)).expect("the node exists");
    }
    drop(scene.update());
    report.figure("memory of a collider, ours", per(before), None);

    let before = in_use();
    let mut rapier = Rapier::new(forms, poses, true);
    rapier.step();
    // The list of handles belongs to the host.
    let handles = COUNT * size_of::<rapier2d::geometry::ColliderHandle>();
    report.figure("memory of a collider without a body, rapier2d", per(before + handles), None);
    drop(rapier);
    let before = in_use();
    let bodies = Rapier::bodies(poses);
    report.figure("memory of a kinematic body, rapier2d", per(before), None);
    drop(bodies);
}
