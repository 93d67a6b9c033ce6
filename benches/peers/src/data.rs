//! The seeded data for every system: forms, their poses in each frame, and the number of pairs that overlap.
//!
//! Systems disagree about touching (some exclude it, some allow a slop), so forms that are within a tolerance of
//! touching are nudged apart. All counts must then be equal; a difference is an error of one system.

use std::f32::consts::TAU;

use fastrand::Rng;
use glam::{Vec2, vec2};

use crate::reference::{Solid, candidates, separation};

/// A shape around the origin. Segments and capsules lie along the x axis.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Circle { radius: f32 },
    Rect { half: Vec2 },
    Segment { half: f32 },
    Capsule { half: f32, radius: f32 },
    Octagon { radius: f32 },
}

/// A pose in the world. Every system converts position and angle to its own representation.
#[derive(Debug, Clone, Copy)]
pub struct Pose {
    pub position: Vec2,
    pub angle: f32,
}

/// Moving forms.
pub struct Motion {
    pub forms: Vec<Form>,
    /// The poses of each frame.
    frames: Vec<Vec<Pose>>,
    /// The number of overlapping pairs in each frame, by the reference.
    expected: Vec<usize>,
}

/// The minimum distance from touching, for shapes of about one unit within a few hundred units of the origin.
pub const TOLERANCE: f32 = 1e-3;

impl Form {
    /// Returns the corners of the octagon.
    pub fn octagon(radius: f32) -> [Vec2; 8] {
        std::array::from_fn(|corner| Vec2::from_angle(TAU * corner as f32 / 8.0) * radius)
    }

    /// Returns a random form: 50% circles, 35% rectangles, otherwise capsules and segments.
    fn mixed(rng: &mut Rng, size: f32) -> Self {
        let mut about = |least: f32, most: f32| size * (least + (most - least) * rng.f32());
        let (a, b, c) = (about(0.5, 1.0), about(0.3, 1.0), about(0.2, 0.4));
        match rng.u32(0..200) {
            0..100 => Self::Circle { radius: a },
            100..170 => Self::Rect { half: vec2(a, b) },
            170..185 => Self::Capsule { half: a, radius: c },
            _ => Self::Segment { half: a },
        }
    }
}

impl Motion {
    /// The side of the square around each form of the sparse scene.
    pub const SPARSE: f32 = 10.0;

    /// Returns the poses of a step. Steps increase without end.
    pub fn at(&self, step: usize) -> &[Pose] {
        &self.frames[self.turn(step)]
    }

    /// Returns the number of pairs that overlap at a step.
    pub fn expected(&self, step: usize) -> usize {
        self.expected[self.turn(step)]
    }

    fn turn(&self, step: usize) -> usize {
        forth_and_back(step, self.frames.len())
    }

    /// Returns the data of W1: all forms move, and each overlaps about two others.
    pub fn crowd(count: usize, frames: usize) -> Self {
        let rng = &mut Rng::with_seed(1);
        let forms: Vec<_> = (0..count).map(|_| Form::mixed(rng, 1.0)).collect();
        let start = scattered(rng, count, crowded(count));
        let speed: Vec<_> = (0..count).map(|_| walk(rng)).collect();
        Self::play(forms, &start, &speed, frames, &vec![TOLERANCE; count], rng)
    }

    /// Returns a crowd as in W1 in which only the last form moves.
    pub fn one_awake(count: usize, frames: usize) -> Self {
        let rng = &mut Rng::with_seed(11);
        let forms: Vec<_> = (0..count).map(|_| Form::mixed(rng, 1.0)).collect();
        let side = crowded(count);
        let mut start = scattered(rng, count, side);
        start[count - 1].position = Vec2::splat(0.5 * side);
        let mut speed = vec![Vec2::ZERO; count];
        speed[count - 1] = vec2(0.1, 0.05);
        Self::play(forms, &start, &speed, frames, &vec![TOLERANCE; count], rng)
    }

    /// Returns clumps of a hundred forms. Those of a clump travel together, and each overlaps about two others.
    pub fn flocks(count: usize, frames: usize) -> Self {
        let rng = &mut Rng::with_seed(12);
        let flocks = scattered(rng, count / 100, 20.0 * crowded(count / 100));
        let heading: Vec<_> =
            flocks.iter().map(|_| Vec2::from_angle(rng.f32() * TAU) * (0.2 + 0.3 * rng.f32())).collect();
        let forms: Vec<_> = (0..count).map(|_| Form::mixed(rng, 1.0)).collect();
        let start: Vec<_> = (0..count)
            .map(|one| {
                let centre = flocks[one % flocks.len()].position;
                Pose { position: centre + gaussian(rng) * 5.3, angle: rng.f32() * TAU }
            })
            .collect();
        let speed: Vec<_> = (0..count).map(|one| heading[one % flocks.len()] + 0.3 * walk(rng)).collect();
        Self::play(forms, &start, &speed, frames, &vec![TOLERANCE; count], rng)
    }

    /// Returns the data of W4: sizes over three orders of magnitude, in clumps.
    pub fn nasty(count: usize, frames: usize) -> Self {
        let rng = &mut Rng::with_seed(4);
        let clumps: Vec<_> = scattered(rng, 24, 60_000.0);
        let spread: Vec<_> = (0..clumps.len()).map(|_| 250.0 + 1_200.0 * rng.f32()).collect();
        let sizes: Vec<_> = (0..count).map(|_| 1000.0_f32.powf(rng.f32()) * 0.5).collect();
        let forms: Vec<_> = sizes.iter().map(|size| Form::mixed(rng, *size)).collect();
        let start: Vec<_> = (0..count)
            .map(|_| {
                let clump = rng.usize(0..clumps.len());
                Pose { position: clumps[clump].position + gaussian(rng) * spread[clump], angle: rng.f32() * TAU }
            })
            .collect();
        let speed: Vec<_> =
            sizes.iter().map(|size| Vec2::from_angle(rng.f32() * TAU) * size * (0.02 + 0.08 * rng.f32())).collect();
        // So far from the origin, `f32` has about this resolution.
        let tolerances: Vec<_> = sizes.iter().map(|size| 0.05 + 1e-4 * size).collect();
        Self::play(forms, &start, &speed, frames, &tolerances, rng)
    }

    /// Returns the data of W2: `still` rectangles that do not touch each other, then `moving` forms among them.
    pub fn mostly_still(still: usize, moving: usize, frames: usize) -> Self {
        let rng = &mut Rng::with_seed(2);
        let columns = (still as f32).sqrt().ceil() as usize;
        let mut forms: Vec<_> =
            (0..still).map(|_| Form::Rect { half: vec2(0.5 + 0.3 * rng.f32(), 0.3 + 0.5 * rng.f32()) }).collect();
        let mut start: Vec<_> = (0..still)
            .map(|at| {
                let cell = vec2((at % columns) as f32, (at / columns) as f32);
                Pose { position: cell * 2.4, angle: rng.f32() * TAU }
            })
            .collect();
        let side = columns as f32 * 2.4;
        let mut speed = vec![Vec2::ZERO; still];
        for _ in 0..moving {
            forms.push(Form::mixed(rng, 1.0));
            start.push(Pose { position: vec2(rng.f32(), rng.f32()) * side, angle: rng.f32() * TAU });
            speed.push(walk(rng));
        }
        let tolerances = vec![TOLERANCE; forms.len()];
        Self::play(forms, &start, &speed, frames, &tolerances, rng)
    }

    /// Returns the data of W10: `targets` that walk, then `bullets` that fly and only overlap targets.
    pub fn bullets(targets: usize, bullets: usize, frames: usize) -> Self {
        let rng = &mut Rng::with_seed(10);
        let mut forms: Vec<_> = (0..targets).map(|_| Form::mixed(rng, 1.0)).collect();
        let mut speed: Vec<_> = (0..targets).map(|_| walk(rng)).collect();
        for _ in 0..bullets {
            forms.push(Form::Circle { radius: 0.05 + 0.1 * rng.f32() });
            speed.push(Vec2::from_angle(rng.f32() * TAU) * (1.0 + 2.0 * rng.f32()));
        }
        let start = scattered(rng, forms.len(), 300.0);
        let tolerances = vec![TOLERANCE; forms.len()];
        Self::play_with(forms, &start, &speed, frames, &tolerances, |a, b| (a < targets) != (b < targets), rng)
    }

    /// Returns the data of W3: a sparse scene of still forms.
    pub fn sparse(count: usize) -> Self {
        let rng = &mut Rng::with_seed(3);
        let side = (count as f32).sqrt() * Self::SPARSE;
        let forms = (0..count).map(|_| Form::mixed(rng, 1.0)).collect();
        let start = scattered(rng, count, side);
        Self::play(forms, &start, &vec![Vec2::ZERO; count], 1, &vec![TOLERANCE; count], rng)
    }

    /// Plays forms of which any two may overlap.
    fn play(
        forms: Vec<Form>,
        start: &[Pose],
        speed: &[Vec2],
        frames: usize,
        tolerances: &[f32],
        rng: &mut Rng,
    ) -> Self {
        Self::play_with(forms, start, speed, frames, tolerances, |_, _| true, rng)
    }

    /// Plays forms of which only those that meet are tested.
    fn play_with(
        forms: Vec<Form>,
        start: &[Pose],
        speed: &[Vec2],
        frames: usize,
        tolerances: &[f32],
        meets: impl Fn(usize, usize) -> bool,
        rng: &mut Rng,
    ) -> Self {
        let turns: Vec<_> =
            speed.iter().map(|v| if *v == Vec2::ZERO { 0.0 } else { 0.1 * (rng.f32() - 0.5) }).collect();
        let mut motion = Self { forms, frames: Vec::new(), expected: Vec::new() };
        for frame in 0..frames {
            let time = frame as f32;
            let mut poses: Vec<_> = (start.iter().zip(speed).zip(&turns))
                .map(|((pose, speed), turn)| Pose {
                    position: pose.position + speed * time,
                    angle: pose.angle + turn * time,
                })
                .collect();
            // Still forms must not move, so only movers are nudged, except in the first frame.
            let frozen = |one: usize| frame > 0 && speed[one] == Vec2::ZERO;
            if frame > 0 {
                for (one, pose) in poses.iter_mut().enumerate().filter(|(one, _)| frozen(*one)) {
                    *pose = motion.frames[0][one];
                }
            }
            let count = part(&motion.forms, &mut poses, tolerances, frozen, &meets, rng);
            motion.frames.push(poses);
            motion.expected.push(count);
        }
        motion
    }
}

/// The data of W8: a crowd as in W1 in which some forms are replaced by others in each frame.
pub struct Churn {
    frames: Vec<Crowd>,
}

/// A frame of W8.
#[derive(Clone)]
pub struct Crowd {
    pub forms: Vec<Form>,
    pub poses: Vec<Pose>,
    /// The number of overlapping pairs, by the reference.
    pub expected: usize,
    /// The forms that differ from those of the frame before, by index.
    replaced: Vec<usize>,
}

impl Churn {
    /// Replaces `each` of `count` forms per frame.
    pub fn new(count: usize, each: usize, frames: usize) -> Self {
        let rng = &mut Rng::with_seed(8);
        let side = crowded(count);
        let mut now = Crowd {
            forms: (0..count).map(|_| Form::mixed(rng, 1.0)).collect(),
            poses: scattered(rng, count, side),
            expected: 0,
            replaced: Vec::new(),
        };
        let mut speed: Vec<_> = (0..count).map(|_| walk(rng)).collect();
        let mut churn = Self { frames: Vec::new() };
        for frame in 0..frames {
            if frame > 0 {
                for (pose, speed) in now.poses.iter_mut().zip(&speed) {
                    pose.position += *speed;
                    pose.angle += 0.3 * speed.x;
                }
                now.replaced = rng.choose_multiple(0..count, each);
                for one in &now.replaced {
                    now.forms[*one] = Form::mixed(rng, 1.0);
                    now.poses[*one] = Pose { position: vec2(rng.f32(), rng.f32()) * side, angle: rng.f32() * TAU };
                    speed[*one] = walk(rng);
                }
            }
            now.expected = part(&now.forms, &mut now.poses, &vec![TOLERANCE; count], |_| false, |_, _| true, rng);
            churn.frames.push(now.clone());
        }
        churn
    }

    /// Returns the frame of a step.
    pub fn at(&self, step: usize) -> &Crowd {
        &self.frames[forth_and_back(step, self.frames.len())]
    }

    /// Returns the forms that a step replaces, by index. The first step replaces nothing.
    pub fn replaced(&self, step: usize) -> &[usize] {
        let Some(before) = step.checked_sub(1) else { return &[] };
        let frames = [before, step].map(|step| forth_and_back(step, self.frames.len()));
        &self.frames[frames[0].max(frames[1])].replaced
    }
}

/// Returns the frame of a step. Frames are played forwards, then backwards, so that nothing jumps.
fn forth_and_back(step: usize, frames: usize) -> usize {
    let last = frames - 1;
    let step = step % (2 * last).max(1);
    if step <= last { step } else { 2 * last - step }
}

/// Returns the side of a square in which each of `count` forms overlaps about two others.
fn crowded(count: usize) -> f32 {
    (count as f32).sqrt() * 1.88
}

/// Returns the displacement of a slow form per frame.
fn walk(rng: &mut Rng) -> Vec2 {
    Vec2::from_angle(rng.f32() * TAU) * (0.02 + 0.08 * rng.f32())
}

/// Nudges forms until no two that meet are within a tolerance of touching. Returns the number of overlapping pairs.
fn part(
    forms: &[Form],
    poses: &mut [Pose],
    tolerances: &[f32],
    frozen: impl Fn(usize) -> bool,
    meets: impl Fn(usize, usize) -> bool,
    rng: &mut Rng,
) -> usize {
    const NUDGE: f32 = 40.0;
    let solids =
        |poses: &[Pose]| -> Vec<_> { forms.iter().zip(poses).map(|(form, pose)| Solid::new(*form, *pose)).collect() };
    let mut placed = solids(poses);
    let pads: Vec<_> = tolerances.iter().map(|tolerance| f64::from(tolerance * NUDGE * 4.0)).collect();
    let mut pairs = candidates(&placed, &pads);
    pairs.retain(|[a, b]| meets(*a, *b));
    let origin: Vec<_> = poses.iter().map(|pose| pose.position).collect();
    loop {
        let (mut overlapping, mut near) = (0, Vec::new());
        for [a, b] in &pairs {
            let apart = separation(&placed[*a], &placed[*b]);
            overlapping += usize::from(apart.overlaps());
            if apart.is_near_tie(f64::from(tolerances[*a].max(tolerances[*b]))) {
                near.push(if frozen(*b) { *a } else { *b });
            }
        }
        if near.is_empty() {
            return overlapping;
        }
        for one in near {
            poses[one].position = origin[one] + Vec2::from_angle(rng.f32() * TAU) * tolerances[one] * NUDGE * rng.f32();
            placed[one] = Solid::new(forms[one], poses[one]);
        }
    }
}

fn scattered(rng: &mut Rng, count: usize, side: f32) -> Vec<Pose> {
    (0..count).map(|_| Pose { position: vec2(rng.f32(), rng.f32()) * side, angle: rng.f32() * TAU }).collect()
}

fn gaussian(rng: &mut Rng) -> Vec2 {
    let radius = (-2.0 * (1.0 - rng.f32()).ln()).sqrt();
    Vec2::from_angle(rng.f32() * TAU) * radius
}
