//! W3, queries on a sparse scene of still colliders.

use std::f32::consts::TAU;

use fastrand::Rng;
use glam::{Vec2, vec2};
use hitgraph::{Aabb, QueryFilter};
use parry2d::query::Ray;
use parry2d::shape::SharedShape;

use super::agree;
use crate::Options;
use crate::data::{Form, Motion, Pose, TOLERANCE};
use crate::race::{Entrant, Race};
use crate::reference::{Nearby, Solid};
use crate::report::Report;
#[cfg(feature = "box2d")]
use crate::systems::box2d::{Box2d, Placed};
use crate::systems::hitgraph::Hitgraph;
use crate::systems::parry::{self, Parry};
use crate::systems::rapier::Rapier;

const OURS: &str = "World";
const PARRY: &str = "parry2d Bvh";
const RAPIER: &str = "rapier2d QueryPipeline";
const BOX2D: &str = "Box2D tree";

/// The number of queries in a step.
const BATCH: usize = 2048;

/// Half the width of the region queries. Below it, the radius of the swept circle.
const HALF: f32 = 2.0;
#[cfg(feature = "cast_shape")]
const RADIUS: f32 = 0.5;

#[derive(Debug, Clone, Copy)]
pub struct Query {
    pub from: Vec2,
    pub direction: Vec2,
    pub length: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Ray(f32),
    Point,
    Region,
    #[cfg(feature = "cast_shape")]
    ShapeCast(f32),
}

/// The number of hits and the sum of their distances.
type Answer = (usize, f64);

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    for count in [10_000, 100_000] {
        let motion = Motion::sparse(count);
        for (what, kind) in [
            ("short ray", Kind::Ray(10.0)),
            ("long ray", Kind::Ray(200.0)),
            ("point", Kind::Point),
            ("4x4 box", Kind::Region),
            #[cfg(feature = "cast_shape")]
            ("swept circle", Kind::ShapeCast(20.0)),
        ] {
            let work = format!("W3 {}k {what}", count / 1000);
            measure(&work, &motion, kind, options, report)?;
        }
    }
    Ok(())
}

/// Measures one kind of query on a scene of still colliders.
pub fn measure(work: &str, motion: &Motion, kind: Kind, options: &Options, report: &mut Report) -> Result<(), String> {
    let race = race(work, motion, kind, options)?;
    for peer in [PARRY, RAPIER, BOX2D] {
        report.row(work, &race, OURS, peer);
    }
    Ok(())
}

fn race(work: &str, motion: &Motion, kind: Kind, options: &Options) -> Result<Race, String> {
    let (forms, poses) = (&motion.forms, motion.at(0));
    let side = (motion.forms.len() as f32).sqrt() * Motion::SPARSE;
    let solids: Vec<_> = forms.iter().zip(poses).map(|(form, pose)| Solid::new(*form, *pose)).collect();
    // One more batch than rounds, so that every timed batch is new.
    let rounds = options.rounds(24);
    let batches = batches(kind, &Nearby::new(&solids), side, rounds + 1);

    let mut ours = Hitgraph::new(forms, poses);
    ours.update();
    let world = ours.scene.world();
    let parry = Parry::new(forms, poses);
    let mut rapier = Rapier::new(forms, poses, true);
    rapier.step();
    let pipeline = rapier.queries();
    #[cfg(feature = "box2d")]
    let tree = Box2d::new(forms, poses);

    let filter = QueryFilter::default();
    let (mut sides, mut found) = (Vec::new(), Vec::new());
    let mut query_ours = |queries: &[Query]| -> Answer {
        each(queries, |q| match kind {
            Kind::Ray(_) => hit(world.cast_ray(q.from, q.direction, q.length, &filter).map(|hit| hit.distance)),
            Kind::Point => {
                world.at_point_into(q.from, &filter, &mut sides);
                (sides.len(), 0.0)
            }
            Kind::Region => {
                world.in_aabb_into(Aabb::from_center(q.from, Vec2::splat(HALF)), &filter, &mut sides);
                (sides.len(), 0.0)
            }
            #[cfg(feature = "cast_shape")]
            Kind::ShapeCast(_) => {
                let (circle, at) = (hitgraph::Circle::new(RADIUS), glam::Affine2::from_translation(q.from));
                hit(world.cast_shape(&circle, &at, q.direction * q.length, &filter).map(|hit| hit.distance))
            }
        })
    };
    let region = SharedShape::cuboid(HALF, HALF);
    let mut query_parry = |queries: &[Query]| -> Answer {
        each(queries, |q| match kind {
            Kind::Ray(_) => hit(parry.ray(q.from, q.direction, q.length)),
            Kind::Point => {
                parry.point(q.from, &mut found);
                (found.len(), 0.0)
            }
            Kind::Region => {
                parry.region(&region, &parry::place(still(q.from)), &mut found);
                (found.len(), 0.0)
            }
            #[cfg(feature = "cast_shape")]
            Kind::ShapeCast(_) => hit(parry.sweep(RADIUS, q.from, q.direction, q.length)),
        })
    };
    let mut handles = Vec::new();
    let mut query_rapier = |queries: &[Query]| -> Answer {
        each(queries, |q| match kind {
            Kind::Ray(_) => {
                let ray = Ray::new(parry::vector(q.from), parry::vector(q.direction));
                hit(pipeline.cast_ray(&ray, q.length, true).map(|(_, distance)| distance))
            }
            Kind::Point => {
                handles.clear();
                handles.extend(pipeline.intersect_point(parry::vector(q.from)).map(|(handle, _)| handle));
                (handles.len(), 0.0)
            }
            Kind::Region => {
                handles.clear();
                let touching = pipeline.intersect_shape(parry::place(still(q.from)), &*region);
                handles.extend(touching.map(|(handle, _)| handle));
                (handles.len(), 0.0)
            }
            #[cfg(feature = "cast_shape")]
            Kind::ShapeCast(_) => {
                let options = parry2d::query::ShapeCastOptions::with_max_time_of_impact(q.length);
                let (at, ball) = (parry::place(still(q.from)), parry2d::shape::Ball::new(RADIUS));
                let first = pipeline.cast_shape(&at, parry::vector(q.direction), &ball, options);
                hit(first.map(|(_, hit)| hit.time_of_impact))
            }
        })
    };
    #[cfg(feature = "box2d")]
    let mut found = Vec::new();
    #[cfg(feature = "box2d")]
    let mut query_box2d = |queries: &[Query]| -> Option<Answer> {
        let answer = each(queries, |q| match kind {
            Kind::Ray(_) => hit(tree.ray(q.from, q.direction, q.length)),
            Kind::Point => {
                tree.point(q.from, &mut found);
                (found.len(), 0.0)
            }
            Kind::Region => {
                tree.region(&Placed::new(Form::Rect { half: Vec2::splat(HALF) }, still(q.from)), &mut found);
                (found.len(), 0.0)
            }
            #[cfg(feature = "cast_shape")]
            Kind::ShapeCast(_) => (0, 0.0),
        });
        matches!(kind, Kind::Ray(_) | Kind::Point | Kind::Region).then_some(answer)
    };

    for (queries, expected) in &batches {
        #[cfg_attr(not(feature = "box2d"), expect(unused_mut, clippy::useless_vec))]
        let mut answers =
            vec![(OURS, query_ours(queries)), (PARRY, query_parry(queries)), (RAPIER, query_rapier(queries))];
        #[cfg(feature = "box2d")]
        answers.extend(query_box2d(queries).map(|answer| (BOX2D, answer)));
        let counts: Vec<_> = answers.iter().map(|(name, (count, _))| (*name, *count)).collect();
        agree(work, *expected, &counts)?;
        let sum = answers[0].1.1;
        if let Some((name, (_, other))) =
            answers.iter().find(|(_, (_, other))| (other - sum).abs() > 1e-3 * (1.0 + sum))
        {
            return Err(format!("{work}: unequal sums of distances: ours {sum}, {name} {other}"));
        }
    }

    let mut entrants = vec![
        Entrant::new(OURS, |step| query_ours(&batches[step].0).0 as u64),
        Entrant::new(PARRY, |step| query_parry(&batches[step].0).0 as u64),
        Entrant::new(RAPIER, |step| query_rapier(&batches[step].0).0 as u64),
    ];
    #[cfg(feature = "box2d")]
    if query_box2d(&[]).is_some() {
        entrants.push(Entrant::new(BOX2D, |step| query_box2d(&batches[step].0).map_or(0, |answer| answer.0) as u64));
    }
    Ok(Race::run(rounds, 1, &mut entrants).per(BATCH))
}

/// Returns batches of queries without near ties, each with the expected number of hits.
pub fn batches(kind: Kind, nearby: &Nearby<'_>, side: f32, count: usize) -> Vec<(Vec<Query>, usize)> {
    let rng = &mut Rng::with_seed(33);
    // `f32` has about this resolution at such coordinates, and so have the systems.
    let tolerance = f64::from(TOLERANCE + 2e-6 * side);
    let mut next = || loop {
        let from = vec2(rng.f32(), rng.f32()) * side;
        let (direction, length) = (Vec2::from_angle(rng.f32() * TAU), kind.length());
        let swept = match kind {
            Kind::Region => Solid::new(Form::Rect { half: Vec2::splat(HALF) }, still(from)),
            Kind::Ray(_) | Kind::Point => Solid::swept(from, from + direction * length, 0.0),
            #[cfg(feature = "cast_shape")]
            Kind::ShapeCast(_) => Solid::swept(from, from + direction * length, RADIUS),
        };
        if let Some(touching) = nearby.touching(&swept, tolerance) {
            let is_first_only = !matches!(kind, Kind::Point | Kind::Region);
            let hits = if is_first_only { touching.min(1) } else { touching };
            return (Query { from, direction, length }, hits);
        }
    };
    let mut batch = || {
        let (queries, hits): (Vec<_>, Vec<_>) = (0..BATCH).map(|_| next()).unzip();
        (queries, hits.into_iter().sum())
    };
    (0..count).map(|_| batch()).collect()
}

fn each(queries: &[Query], mut run: impl FnMut(&Query) -> Answer) -> Answer {
    queries.iter().fold((0, 0.0), |(hits, sum), query| {
        let (more, distance) = run(query);
        (hits + more, sum + distance)
    })
}

fn hit(distance: Option<f32>) -> Answer {
    distance.map_or((0, 0.0), |distance| (1, distance.into()))
}

fn still(position: Vec2) -> Pose {
    Pose { position, angle: 0.0 }
}

impl Kind {
    fn length(self) -> f32 {
        match self {
            Self::Ray(length) => length,
            #[cfg(feature = "cast_shape")]
            Self::ShapeCast(length) => length,
            Self::Point | Self::Region => 0.0,
        }
    }
}
