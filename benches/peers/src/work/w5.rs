//! W5, pairs of shapes in world space without a scene: 512 distinct pairs in random order for each pair of kinds, half
//! of them overlapping.
//!
//! hitgraph and sepax2d use static types, parry2d its free functions on shapes and poses, and Box2D its C functions.

use std::f32::consts::TAU;
use std::hint::black_box;

use fastrand::Rng;
use glam::{Affine2, Vec2, vec2};
use hitgraph::{Capsule, Circle, Meets, Polygon, Rect, Segment, Shape};
use parry2d::math::Pose as Place;
use parry2d::query;

use super::agree;
use crate::Options;
use crate::data::{Form, Pose, TOLERANCE};
use crate::race::{Entrant, Race};
use crate::reference::{Solid, separation};
use crate::report::{Report, Row};
#[cfg(feature = "box2d")]
use crate::systems::box2d::Placed;
use crate::systems::{parry, sepax};

const PAIRS: usize = 512;
/// The number of passes in a step, which takes at least about 20 µs.
const PASSES: usize = 16;

const OURS: &str = "Meets";
const PARRY: &str = "parry2d";
const SEPAX: &str = "sepax2d";
const BOX2D: &str = "Box2D";

const KINDS: [&str; 6] = ["circle", "box", "rotated box", "segment", "capsule", "octagon"];

/// A placed form.
type At = (Form, Pose);

/// The operation on a pair of shapes; one column of the report.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operation {
    Overlap,
    Contact,
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    for (operation, column) in [(Operation::Overlap, "boolean"), (Operation::Contact, "contact")] {
        let mut sums = [OURS, PARRY, SEPAX, BOX2D].map(|name| (name, 0.0));
        let mut complete = [true; 4];
        for (a, kind) in KINDS.into_iter().enumerate() {
            for (b, other) in KINDS.into_iter().enumerate().skip(a) {
                let race = race(a, b, operation, options)?;
                for ((name, sum), complete) in sums.iter_mut().zip(&mut complete) {
                    match race.seconds(name) {
                        Some(seconds) => *sum += seconds,
                        None => *complete = false,
                    }
                }
                let peers = [PARRY, SEPAX, BOX2D].into_iter().filter(|peer| race.seconds(peer).is_some());
                let best = peers.min_by(|x, y| race.seconds(x).partial_cmp(&race.seconds(y)).expect("no NaN"));
                let best = best.expect("parry2d always runs");
                report.row(format!("W5 {kind} - {other}, {column}"), &race, OURS, best);
            }
        }
        for ((peer, seconds), _) in sums.iter().zip(complete).skip(1).filter(|(_, complete)| *complete) {
            report.push(Row {
                work: format!("W5 sum of 21 pairs, {column}"),
                ours: OURS,
                ours_seconds: sums[0].1,
                peer,
                peer_seconds: *seconds,
                ratio: seconds / sums[0].1,
            });
        }
    }
    Ok(())
}

fn form(kind: usize, rng: &mut Rng) -> At {
    let (size, other) = (0.5 + 0.5 * rng.f32(), 0.5 + 0.5 * rng.f32());
    let form = match kind {
        0 => Form::Circle { radius: size },
        1 | 2 => Form::Rect { half: vec2(size, other) },
        3 => Form::Segment { half: size },
        4 => Form::Capsule { half: size, radius: 0.4 * other },
        _ => Form::Octagon { radius: size },
    };
    let angle = if kind == 1 { 0.0 } else { rng.f32() * TAU };
    (form, Pose { position: vec2(rng.f32(), rng.f32()) * 100.0, angle })
}

/// Returns pairs of two kinds without near ties, and the number of overlapping pairs, which is half.
fn pairs(a: usize, b: usize) -> (Vec<At>, Vec<At>, usize) {
    let rng = &mut Rng::with_seed((10 * a + b) as u64);
    let (mut first, mut second, mut wanted) = (Vec::new(), Vec::new(), [PAIRS / 2; 2]);
    while wanted != [0, 0] {
        let ((form, at), (other, mut there)) = (form(a, rng), form(b, rng));
        there.position = at.position + Vec2::from_angle(rng.f32() * TAU) * 2.4 * rng.f32();
        let apart = separation(&Solid::new(form, at), &Solid::new(other, there));
        let wanted = &mut wanted[usize::from(apart.overlaps())];
        // sepax2d tests too few axes for two capsules; pairs that it gets wrong are excluded.
        let is_misjudged = a == 4 && b == 4 && sepax_capsules(form, at, other, there) != apart.overlaps();
        if *wanted > 0 && !is_misjudged && !apart.is_near_tie(f64::from(TOLERANCE)) {
            *wanted -= 1;
            first.push((form, at));
            second.push((other, there));
        }
    }
    // Without shuffling, the last pairs would all be of the rarer outcome.
    let mut order: Vec<_> = (0..PAIRS).collect();
    rng.shuffle(&mut order);
    let shuffled = |from: &[At]| order.iter().map(|one| from[*one]).collect();
    (shuffled(&first), shuffled(&second), PAIRS / 2)
}

fn race(a: usize, b: usize, operation: Operation, options: &Options) -> Result<Race, String> {
    let (first, second, expected) = pairs(a, b);
    let mut entrants = vec![
        Entrant::new(OURS, ours(a, b, operation, &first, &second)),
        Entrant::new(PARRY, against_parry(operation, &first, &second)),
        Entrant::new(SEPAX, against_sepax(a, b, operation, &first, &second)),
    ];
    #[cfg(feature = "box2d")]
    entrants.push(Entrant::new(BOX2D, against_box2d(operation, &first, &second)));
    let found: Vec<_> = entrants.iter_mut().map(|entrant| (entrant.name, entrant.step(0) as usize / PASSES)).collect();
    agree(&format!("W5 {} - {}, {operation:?}", KINDS[a], KINDS[b]), expected, &found)?;
    Ok(Race::run(options.rounds(40), 1, &mut entrants).per(PAIRS * PASSES))
}

/// Counts the hits over all pairs in several passes.
fn counted<A: 'static, B: 'static>(
    first: Vec<A>,
    second: Vec<B>,
    hit: impl Fn(&A, &B) -> bool + 'static,
) -> Box<dyn FnMut(usize) -> u64> {
    Box::new(move |_| {
        let pass = |_| black_box(&first).iter().zip(black_box(&second)).filter(|(a, b)| hit(a, b)).count() as u64;
        (0..PASSES).map(pass).sum()
    })
}

/// Expands `$then!(first, second)` with the correctly typed vectors of two kinds. The first kind is not after the
/// second.
macro_rules! for_kinds {
    ($a:expr, $b:expr, $first:expr, $second:expr, $then:ident: $circle:path, $aligned:path, $turned:path, $segment:path, $capsule:path, $octagon:path) => {
        match ($a, $b) {
            (0, 0) => $then!($circle, $circle),
            (0, 1) => $then!($circle, $aligned),
            (0, 2) => $then!($circle, $turned),
            (0, 3) => $then!($circle, $segment),
            (0, 4) => $then!($circle, $capsule),
            (0, _) => $then!($circle, $octagon),
            (1, 1) => $then!($aligned, $aligned),
            (1, 2) => $then!($aligned, $turned),
            (1, 3) => $then!($aligned, $segment),
            (1, 4) => $then!($aligned, $capsule),
            (1, _) => $then!($aligned, $octagon),
            (2, 2) => $then!($turned, $turned),
            (2, 3) => $then!($turned, $segment),
            (2, 4) => $then!($turned, $capsule),
            (2, _) => $then!($turned, $octagon),
            (3, 3) => $then!($segment, $segment),
            (3, 4) => $then!($segment, $capsule),
            (3, _) => $then!($segment, $octagon),
            (4, 4) => $then!($capsule, $capsule),
            (4, _) => $then!($capsule, $octagon),
            _ => $then!($octagon, $octagon),
        }
    };
}

/// The shapes of hitgraph in world space.
mod world {
    use super::*;

    fn image(shape: impl Into<Shape>, at: Pose) -> Shape {
        shape.into().transformed(&Affine2::from_angle_translation(at.angle, at.position))
    }

    pub fn circle((form, at): At) -> Circle {
        let Form::Circle { radius } = form else { unreachable!("{form:?}") };
        Circle::new(radius).at(at.position)
    }

    pub fn rect((form, at): At) -> Rect {
        let Form::Rect { half } = form else { unreachable!("{form:?}") };
        let Shape::Rect(rect) = image(Rect::new(2.0 * half.x, 2.0 * half.y), at) else { unreachable!() };
        rect
    }

    pub fn segment((form, at): At) -> Segment {
        let Form::Segment { half } = form else { unreachable!("{form:?}") };
        let Shape::Segment(segment) = image(Segment::new(vec2(-half, 0.0), vec2(half, 0.0)), at) else {
            unreachable!()
        };
        segment
    }

    pub fn capsule((form, at): At) -> Capsule {
        let Form::Capsule { half, radius } = form else { unreachable!("{form:?}") };
        let capsule = Capsule::new(vec2(-half, 0.0), vec2(half, 0.0), radius);
        let Shape::Capsule(capsule) = image(capsule, at) else { unreachable!() };
        capsule
    }

    pub fn octagon((form, at): At) -> Polygon {
        let Form::Octagon { radius } = form else { unreachable!("{form:?}") };
        let octagon = Polygon::convex(&Form::octagon(radius)).expect("an octagon is convex");
        let Shape::Polygon(octagon) = image(octagon, at) else { unreachable!() };
        *octagon
    }
}

fn ours(a: usize, b: usize, operation: Operation, first: &[At], second: &[At]) -> Box<dyn FnMut(usize) -> u64> {
    macro_rules! meet {
        ($a:path, $b:path) => {{
            let first: Vec<_> = first.iter().map(|at| $a(*at)).collect();
            let second: Vec<_> = second.iter().map(|at| $b(*at)).collect();
            match operation {
                Operation::Overlap => counted(first, second, |a, b| a.overlaps(b)),
                Operation::Contact => counted(first, second, |a, b| black_box(a.contact(b)).is_some()),
            }
        }};
    }
    for_kinds!(a, b, first, second, meet: world::circle, world::rect, world::rect, world::segment, world::capsule, world::octagon)
}

/// The shapes of sepax2d in world space.
mod apart {
    use super::*;
    use sepax2d::prelude as of;

    pub fn circle((form, at): At) -> of::Circle {
        let Form::Circle { radius } = form else { unreachable!("{form:?}") };
        sepax::circle(radius, at)
    }

    pub fn aligned((form, at): At) -> of::AABB {
        let Form::Rect { half } = form else { unreachable!("{form:?}") };
        sepax::aligned(half, at)
    }

    pub fn turned((form, at): At) -> of::Parallelogram {
        let Form::Rect { half } = form else { unreachable!("{form:?}") };
        sepax::turned(half, at)
    }

    pub fn segment((form, at): At) -> of::Polygon {
        let Form::Segment { half } = form else { unreachable!("{form:?}") };
        sepax::segment(half, at)
    }

    pub fn capsule((form, at): At) -> of::Capsule {
        let Form::Capsule { half, radius } = form else { unreachable!("{form:?}") };
        sepax::capsule(half, radius, at)
    }

    pub fn octagon((form, at): At) -> of::Polygon {
        let Form::Octagon { radius } = form else { unreachable!("{form:?}") };
        sepax::octagon(radius, at)
    }
}

fn sepax_capsules(form: Form, at: Pose, other: Form, there: Pose) -> bool {
    sepax2d::sat_overlap(&apart::capsule((form, at)), &apart::capsule((other, there)))
}

fn against_sepax(
    a: usize,
    b: usize,
    operation: Operation,
    first: &[At],
    second: &[At],
) -> Box<dyn FnMut(usize) -> u64> {
    macro_rules! meet {
        ($a:path, $b:path) => {{
            let first: Vec<_> = first.iter().map(|at| $a(*at)).collect();
            let second: Vec<_> = second.iter().map(|at| $b(*at)).collect();
            match operation {
                Operation::Overlap => counted(first, second, |a, b| sepax2d::sat_overlap(a, b)),
                Operation::Contact => counted(first, second, |a, b| {
                    // The vector is meaningless without an overlap, so test that first.
                    sepax2d::sat_overlap(a, b) && black_box(sepax2d::sat_collision(a, b)) != (0.0, 0.0)
                }),
            }
        }};
    }
    for_kinds!(a, b, first, second, meet: apart::circle, apart::aligned, apart::turned, apart::segment, apart::capsule, apart::octagon)
}

fn against_parry(operation: Operation, first: &[At], second: &[At]) -> Box<dyn FnMut(usize) -> u64> {
    type Placed = (parry2d::shape::SharedShape, Place);
    let placed =
        |all: &[At]| -> Vec<Placed> { all.iter().map(|(form, at)| (parry::shape(*form), parry::place(*at))).collect() };
    let (first, second) = (placed(first), placed(second));
    match operation {
        Operation::Overlap => counted(first, second, |(a, at), (b, there)| {
            query::intersection_test(at, &**a, there, &**b).expect("a supported pair").intersecting
        }),
        Operation::Contact => counted(first, second, |(a, at), (b, there)| {
            black_box(query::contact(at, &**a, there, &**b, 0.0)).expect("a supported pair").is_some()
        }),
    }
}

#[cfg(feature = "box2d")]
fn against_box2d(operation: Operation, first: &[At], second: &[At]) -> Box<dyn FnMut(usize) -> u64> {
    let placed = |all: &[At]| -> Vec<_> { all.iter().map(|(form, at)| Placed::new(*form, *at)).collect() };
    let (first, second) = (placed(first), placed(second));
    match operation {
        Operation::Overlap => counted(first, second, Placed::overlaps),
        Operation::Contact => counted(first, second, |a, b| black_box(a.contact(b)).is_some()),
    }
}
