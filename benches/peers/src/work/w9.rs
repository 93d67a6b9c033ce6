//! W9, cold start: build a scene of 10,000 colliders and cast one ray.

use super::agree;
use super::moving::PARRY;
use super::w3::{Kind, Query, batches};
use crate::Options;
use crate::data::{Form, Motion, Pose};
use crate::race::{Race, Trial, timed};
use crate::reference::{Nearby, Solid};
use crate::report::Report;
use crate::systems::hitgraph::Hitgraph;
use crate::systems::parry::Parry;
use crate::systems::rapier::Rapier;
use hitgraph::QueryFilter;

const OURS: &str = "Scene";
const RAPIER: &str = "rapier2d CollisionPipeline";

const COUNT: usize = 10_000;

/// The number of rays, one for each build.
const RAYS: usize = 64;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let motion = &Motion::sparse(COUNT);
    let (forms, poses) = (&motion.forms[..], motion.at(0));
    let side = (COUNT as f32).sqrt() * Motion::SPARSE;
    let solids: Vec<_> = forms.iter().zip(poses).map(|(form, pose)| Solid::new(*form, *pose)).collect();
    let (rays, _) = &batches(Kind::Ray(200.0), &Nearby::new(&solids), side, 1)[0];

    let nearby = Nearby::new(&solids);
    for ray in &rays[..4] {
        let expected = nearby.touching(&Solid::swept(ray.from, ray.from + ray.direction * ray.length, 0.0), 0.0);
        let distances = [ours(forms, poses, ray).1, parry(forms, poses, ray).1, rapier(forms, poses, ray).1];
        let hits = distances.map(|distance| usize::from(distance.is_some()));
        agree("W9", expected.unwrap_or(0).min(1), &[(OURS, hits[0]), (PARRY, hits[1]), (RAPIER, hits[2])])?;
        let [ours, parry, rapier] = distances.map(|distance| distance.unwrap_or(0.0));
        if [parry, rapier].iter().any(|other| (other - ours).abs() > 1e-2) {
            return Err(format!("W9: unequal distances: ours {ours}, parry2d {parry}, rapier2d {rapier}"));
        }
    }
    println!("W9: hits and distances agree");

    // The time to drop the built system is not measured.
    let ray = |round: usize| &rays[round % RAYS];
    let mut trials = [
        Trial::new(OURS, |round| timed(|| ours(forms, poses, ray(round))).1),
        Trial::new(PARRY, |round| timed(|| parry(forms, poses, ray(round))).1),
        Trial::new(RAPIER, |round| timed(|| rapier(forms, poses, ray(round))).1),
    ];
    let race = Race::trials(options.rounds(96), &mut trials);
    report.row("W9 build 10k, cast one ray", &race, OURS, PARRY);
    report.row("W9 build 10k, cast one ray", &race, OURS, RAPIER);
    Ok(())
}

fn ours(forms: &[Form], poses: &[Pose], ray: &Query) -> (Hitgraph, Option<f32>) {
    let mut built = Hitgraph::new(forms, poses);
    let hit = built.scene.world().cast_ray(ray.from, ray.direction, ray.length, &QueryFilter::default());
    let distance = hit.map(|hit| hit.distance);
    (built, distance)
}

fn parry(forms: &[Form], poses: &[Pose], ray: &Query) -> (Parry, Option<f32>) {
    let built = Parry::new(forms, poses);
    let distance = built.ray(ray.from, ray.direction, ray.length);
    (built, distance)
}

fn rapier(forms: &[Form], poses: &[Pose], ray: &Query) -> (Rapier, Option<f32>) {
    let mut built = Rapier::new(forms, poses, true);
    built.step();
    let distance = built.ray(ray.from, ray.direction, ray.length);
    (built, distance)
}
