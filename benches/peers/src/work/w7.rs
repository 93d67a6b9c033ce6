//! W7, moving without tunnelling: one mover among 10,000 still colliders.
//!
//! Both systems only stand and slide, without steps or snapping. hitgraph also writes the node's position and updates
//! the index each time; the peer's character is not in an index.

use std::f32::consts::TAU;

use fastrand::Rng;
use glam::{Vec2, vec2};
use hitgraph::{MoveOptions, NodeId};
use parry2d::shape::SharedShape;
use rapier2d::control::{CharacterLength, KinematicCharacterController};
use rapier2d::pipeline::QueryPipeline;

use super::agree;
use crate::Options;
use crate::data::{Form, Motion, Pose};
use crate::race::{Entrant, Race};
use crate::reference::{Nearby, Solid};
use crate::report::Report;
use crate::systems::hitgraph::{self as ours, Hitgraph};
use crate::systems::parry;
use crate::systems::rapier::Rapier;

const OURS: &str = "move_and_slide";
const RAPIER: &str = "rapier2d character";

const COUNT: usize = 10_000;

/// The number of frames before the measurement.
const FRAMES: usize = 32;

/// The number of moves in a step.
const BATCH: usize = 512;

const FORM: Form = Form::Capsule { half: 0.3, radius: 0.4 };

const SKIN: f32 = 0.01;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let race = scattered(options)?;
    report.row("W7 10k a move anywhere", &race, OURS, RAPIER);
    let race = walking(options)?;
    report.row("W7 10k a step on a floor of boxes", &race, OURS, RAPIER);
    Ok(())
}

/// The mover of the scene, which is a node.
struct Ours {
    world: Hitgraph,
    node: NodeId,
    options: MoveOptions,
}

impl Ours {
    fn new(forms: &[Form], poses: &[Pose]) -> Self {
        let mut world = Hitgraph::new(forms, poses);
        let node = world.scene.add(ours::node(still(Vec2::ZERO)));
        world.scene.attach(node, ours::attachment(FORM)).expect("the node was just added");
        // A few frames, after which the index has classified the still colliders.
        for frame in 0..FRAMES {
            world.scene[node].transform.position.x = frame as f32;
            world.update();
        }
        Self { world, node, options: MoveOptions { skin_width: SKIN, ..MoveOptions::default() } }
    }

    fn go(&mut self, motion: Vec2) -> bool {
        let moved = self.world.scene.move_and_slide(self.node, motion, &self.options);
        !moved.expect("the node exists").hits().is_empty()
    }
}

/// The mover of the peer, which is in no collider set.
struct Peer<'a> {
    queries: QueryPipeline<'a>,
    shape: SharedShape,
    control: KinematicCharacterController,
    place: Vec2,
}

impl<'a> Peer<'a> {
    fn new(queries: QueryPipeline<'a>) -> Self {
        let control = KinematicCharacterController {
            offset: CharacterLength::Absolute(SKIN),
            snap_to_ground: None,
            autostep: None,
            ..KinematicCharacterController::default()
        };
        Self { queries, shape: parry::shape(FORM), control, place: Vec2::ZERO }
    }

    fn go(&mut self, motion: Vec2) -> bool {
        let (at, mut hit) = (parry::place(still(self.place)), false);
        let by = parry::vector(motion);
        let moved = self.control.move_shape(1.0 / 60.0, &self.queries, &*self.shape, &at, by, |_| hit = true);
        self.place += vec2(moved.translation.x, moved.translation.y);
        hit
    }
}

/// Measures single moves from random positions in random directions, of about one to ten times the mover's size.
fn scattered(options: &Options) -> Result<Race, String> {
    let motion = Motion::sparse(COUNT);
    let (forms, poses) = (&motion.forms, motion.at(0));
    let side = (COUNT as f32).sqrt() * Motion::SPARSE;
    let solids: Vec<_> = forms.iter().zip(poses).map(|(form, pose)| Solid::new(*form, *pose)).collect();
    let nearby = Nearby::new(&solids);
    let rng = &mut Rng::with_seed(77);
    let mut next = || loop {
        let (from, by) =
            (vec2(rng.f32(), rng.f32()) * side, Vec2::from_angle(rng.f32() * TAU) * (1.0 + 9.0 * rng.f32()));
        // The swept region is a box with round ends. Colliders near its border, or near the start, are near ties.
        let around = |reach: f32| nearby.touching(&Solid::swept(from, from + by, reach), 1e-3);
        let free = nearby.touching(&Solid::swept(from, from, 0.8), 1e-3) == Some(0);
        match (around(0.75), around(0.35)) {
            (Some(0), _) if free => return (from, by, 0),
            (_, Some(hits)) if free && hits > 0 => return (from, by, 1),
            _ => {}
        }
    };
    let rounds = options.rounds(24);
    let batches: Vec<Vec<_>> = (0..=rounds).map(|_| (0..BATCH).map(|_| next()).collect()).collect();

    let mut ours = Ours::new(forms, poses);
    let mut rapier = Rapier::new(forms, poses, false);
    rapier.step();
    let mut peer = Peer::new(rapier.queries());
    let mut move_ours = |batch: &[(Vec2, Vec2, usize)]| -> usize {
        let moves = batch.iter().filter(|(from, by, _)| {
            ours.world.scene[ours.node].transform.position = *from;
            ours.go(*by)
        });
        moves.count()
    };
    let mut move_peer = |batch: &[(Vec2, Vec2, usize)]| -> usize {
        let moves = batch.iter().filter(|(from, by, _)| {
            peer.place = *from;
            peer.go(*by)
        });
        moves.count()
    };
    for batch in &batches {
        let expected = batch.iter().map(|(.., hits)| hits).sum();
        agree("W7 anywhere", expected, &[(OURS, move_ours(batch)), (RAPIER, move_peer(batch))])?;
    }
    let mut entrants = [
        Entrant::new(OURS, |step| move_ours(&batches[step]) as u64),
        Entrant::new(RAPIER, |step| move_peer(&batches[step]) as u64),
    ];
    Ok(Race::run(rounds, 1, &mut entrants).per(BATCH))
}

/// Measures a mover that walks on a long floor of boxes under constant gravity.
fn walking(options: &Options) -> Result<Race, String> {
    let forms = vec![Form::Rect { half: vec2(0.5, 0.5) }; COUNT];
    let poses: Vec<_> = (0..COUNT).map(|at| still(vec2(at as f32, -0.5))).collect();
    let step = vec2(0.05, -0.1);
    let mut ours = Ours::new(&forms, &poses);
    let mut rapier = Rapier::new(&forms, &poses, false);
    rapier.step();
    let mut peer = Peer::new(rapier.queries());
    let start = vec2(5.0, 0.45);
    let mut walk_ours = |steps: usize| {
        ours.world.scene[ours.node].transform.position = start;
        (0..steps).for_each(|_| assert!(ours.go(step), "there is a floor"));
        ours.world.scene[ours.node].transform.position
    };
    let mut walk_peer = |steps: usize| {
        peer.place = start;
        (0..steps).for_each(|_| assert!(peer.go(step), "there is a floor"));
        peer.place
    };
    // hitgraph reaches the exact end. The peer may catch on a seam now and then.
    let (end, [here, there]) = (start.x + step.x * BATCH as f32, [walk_ours(BATCH), walk_peer(BATCH)]);
    if (here.x - end).abs() > 1e-2 || !(0.8 * end..end + 0.1).contains(&there.x) {
        return Err(format!("W7: one walks to {here}, the other to {there}, instead of {end}"));
    }
    println!("W7: ours walks to {:.2}, the peer to {:.2}, of {end:.2}", here.x, there.x);

    let mut entrants = [
        Entrant::new(OURS, |_| walk_ours(BATCH).x.to_bits().into()),
        Entrant::new(RAPIER, |_| walk_peer(BATCH).x.to_bits().into()),
    ];
    Ok(Race::run(options.rounds(24), 1, &mut entrants).per(BATCH))
}

fn still(position: Vec2) -> Pose {
    Pose { position, angle: 0.0 }
}
