//! W6, transforms: 100,000 nodes without colliders, wide, branching by 8, and in chains of 1,000; all moved and 1%
//! moved.
//!
//! A moved node gets another position and keeps its rotation. bevy_transform supports only three dimensions.

use fastrand::Rng;
use glam::{Vec2, vec2};
use hitgraph::{NodeId, Scene};

use crate::Options;
use crate::data::Pose;
use crate::race::{Entrant, Race};
use crate::report::Report;
use crate::systems::bevy::Bevy;
use crate::systems::hitgraph::node;

const NODES: usize = 100_000;
/// The number of sets of moved nodes, which alternate.
const SETS: usize = 8;

const OURS: &str = "Scene";
const TRACKING: &str = "bevy_transform";
const PLAIN: &str = "bevy_transform, untracked";

/// The parent of a node by index. It has a smaller index.
type Parent = fn(usize) -> Option<usize>;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let shapes: [(&str, Parent); 3] = [
        ("wide", |node| (node > 0).then_some(0)),
        ("tree of 8", |node| (node > 0).then(|| (node - 1) / 8)),
        ("chains of 1,000", |node| (node % 1000 > 0).then(|| node - 1)),
    ];
    for (shape, parent) in shapes {
        let parents: Vec<_> = (0..NODES).map(parent).collect();
        for (share, moved) in [("100%", NODES), ("1%", NODES / 100)] {
            let work = format!("W6 {shape}, {share} moved");
            let race = race(&work, &parents, moved, options)?;
            // The faster of its two settings.
            let peer = if race.seconds(TRACKING) < race.seconds(PLAIN) { TRACKING } else { PLAIN };
            report.row(&work, &race, OURS, peer);
        }
    }
    Ok(())
}

fn race(work: &str, parents: &[Option<usize>], moved: usize, options: &Options) -> Result<Race, String> {
    let rng = &mut Rng::with_seed(6);
    let mut place = || vec2(rng.f32(), rng.f32()) * 2.0 - 1.0;
    let poses: Vec<_> = (0..NODES).map(|_| Pose { position: place(), angle: 0.3 * place().x }).collect();
    let offsets: Vec<_> = (0..SETS).map(|_| 0.1 * place()).collect();
    let sets: Vec<Vec<usize>> = (0..SETS)
        .map(|_| {
            if moved == NODES {
                return (0..NODES).collect();
            }
            let mut set: Vec<_> = (0..NODES).collect();
            rng.shuffle(&mut set);
            set.truncate(moved);
            // As a host iterates over its own objects.
            set.sort_unstable();
            set
        })
        .collect();

    let mut scene = Scene::new();
    let mut nodes: Vec<NodeId> = Vec::new();
    for (parent, pose) in parents.iter().zip(&poses) {
        let parent = parent.map_or(scene.root(), |parent| nodes[parent]);
        nodes.push(scene.add_child(parent, node(*pose)).expect("the parent exists"));
    }
    let mut ours = |step: usize| {
        for one in &sets[step % SETS] {
            scene[nodes[*one]].transform.position = poses[*one].position + offsets[step % SETS];
        }
        scene.world().node(nodes[0]).map_or(0, |node| node.user_data)
    };
    let [mut tracking, mut plain] = [true, false].map(|tracking| Bevy::new(parents, &poses, tracking));
    let play = |bevy: &mut Bevy, step: usize| {
        bevy.place(&sets[step % SETS], |one| poses[one].position + offsets[step % SETS]);
        bevy.propagate();
        0
    };

    for step in 0..2 * SETS {
        ours(step);
        play(&mut tracking, step);
        play(&mut plain, step);
    }
    {
        let mut entrants = [
            Entrant::new(OURS, &mut ours),
            Entrant::new(TRACKING, |step| play(&mut tracking, step)),
            Entrant::new(PLAIN, |step| play(&mut plain, step)),
        ];
        let block = if moved == NODES { 2 } else { 8 };
        let race = Race::run(options.rounds(32), block, &mut entrants);
        drop(entrants);
        let world = scene.world();
        for (one, node) in nodes.iter().enumerate() {
            let at = world.position(*node).unwrap_or(Vec2::NAN);
            for other in [tracking.position(one), plain.position(one)] {
                if at.distance(other).is_nan() || at.distance(other) > 1e-3 * (1.0 + at.length()) {
                    return Err(format!("{work}: node {one} is at {at} in ours, at {other} in bevy_transform"));
                }
            }
        }
        Ok(race)
    }
}
