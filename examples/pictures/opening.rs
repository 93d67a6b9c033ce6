//! The first picture of the README: eight seconds of the playground's duel. It begins while the duel is held at a wrong
//! answer of the decomposing engine, so that a still picture shows it too.

use std::path::PathBuf;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{DebugPalette, Transform};
use svg::Document;
use svg::node::element::{Circle, Group, Path, Rectangle, Style, Text};

use crate::film::{Film, numbers_text};
use crate::mirror::decomposed::decomposed;
use crate::mirror::duel::{Duel, HOLD};
use crate::mirror::fighter::{Form, Role};
use crate::mirror::kind::Kind;
use crate::mirror::lie::{Lie, Verdict};
use crate::mirror::operand::{Operand, Pose};
use crate::mirror::referee::{DECOMPOSING, HITGRAPH};
use crate::support::palette::RED;
use crate::support::scheme::SCHEME;
use crate::support::{hex, pictures, short, write};

const SEED: u32 = 111;
const FILM: Film = Film { frames: 161, seconds: 8.0 };
/// The ticks of the duel in a frame of the film.
const TICKS_PER_FRAME: usize = 3;
/// Pixels per world unit, and the size of the picture in pixels.
const SCALE: f32 = 92.0;
const SIZE: Vec2 = vec2(1000.0, 640.0);
/// The place of the world's origin in the picture.
const ORIGIN: Vec2 = vec2(500.0, 560.0);
const ZOOM: f32 = 1.7;
/// The height of the words at the top.
const BAR_HEIGHT: f32 = 138.0;

/// One frame of the film.
struct Frame {
    operands: Vec<Operand>,
    /// The wrong answer that is shown.
    lie: Option<Lie>,
    counts: [u32; 2],
    /// 0 for the whole picture, 1 for the zoom on the wrong answer.
    zoom: f32,
    at: Vec2,
    /// The x coordinate of the middle of the fighters, smoothed.
    center: f32,
}

pub fn film() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let mut duel = Duel::new(SEED);
    let frames = shoot(&mut duel);
    let mut scene = Group::new();
    let mut split = Group::new()
        .set("fill", "none")
        .set("stroke", "currentColor")
        .set("stroke-width", 2.5)
        .set("stroke-opacity", 0.75)
        .set("stroke-dasharray", "9 7");
    let mut limb = 0;
    for fighter in &duel.fighters {
        let mut body = Group::new();
        for own in &fighter.limbs {
            let chain = |frame: &Frame| frame.operands[limb].chain;
            let shape = shape(own.form).set("fill", format!("#{:06x}", own.tint));
            let last = Group::new().set("transform", fixed(&frames[0].operands[limb].chain[2])).add(shape);
            let turns: Vec<Vec<f32>> = frames.iter().map(|frame| vec![-chain(frame)[1].turn]).collect();
            let mut turned = Group::new().set("transform", format!("rotate({})", numbers_text(&turns[0], 1))).add(last);
            if let Some(animate) = FILM.transform("rotate", &turns, 1.2) {
                turned = turned.add(animate);
            }
            let at = chain(&frames[0])[1].position;
            body = body.add(Group::new().set("transform", translate(vec2(at.x, -at.y) * SCALE)).add(turned));
            if own.role != Role::Paint {
                split = split.add(split_limb(&frames, limb));
            }
            limb += 1;
        }
        scene = scene.add(root(&frames, limb - 1, body));
    }
    let mut world = Group::new().add(ground()).add(scene.set("stroke", "#12171d").set("stroke-width", 2)).add(split);
    for (first, last, lie) in held(&frames) {
        world = world.add(stamp(&lie, first, last));
    }
    let document = Document::new().set("viewBox", format!("0 0 {} {}", SIZE.x, SIZE.y)).set("class", "scheme");
    let document = document.set("font-family", "system-ui,sans-serif").set("font-weight", 600);
    let document = document.add(Style::new(SCHEME)).add(paper(SIZE.y)).add(zoomed(&frames, world));
    Ok(write(&pictures("opening.svg"), &document.add(paper(BAR_HEIGHT)).add(titles(&frames)))?)
}

/// Runs the duel and returns the frames of the film.
fn shoot(duel: &mut Duel) -> Vec<Frame> {
    // A clear error, at the start of its hold.
    let is_clear = |lie: &Lie| lie.verdict == Verdict::Phantom && lie.gap > 0.5;
    while !(duel.hold == HOLD && duel.lies.last().is_some_and(is_clear)) {
        duel.step(None);
    }
    let middle = |duel: &Duel| duel.bodies.iter().map(|body| body.x).sum::<f32>() * 0.5;
    let (mut zoom, mut center, mut frames) = (1.0_f32, middle(duel), Vec::new());
    while frames.len() < FILM.frames {
        let lie = duel.lies.last().cloned();
        let at = lie.as_ref().map_or(Vec2::ZERO, |lie| lie.at);
        let counts = [HITGRAPH, DECOMPOSING].map(|engine| duel.referee.counts[engine].total());
        let lie = lie.filter(|_| duel.hold > 0);
        frames.push(Frame { operands: duel.operands().to_vec(), lie, counts, zoom, at, center });
        for _ in 0..TICKS_PER_FRAME {
            duel.step(None);
            zoom += (if duel.hold > 0 { 1.0 } else { 0.0 } - zoom) * 0.22;
            center += (middle(duel) - center) * 0.06;
        }
    }
    frames
}

/// Returns the first frame, the frame after the last, and the wrong answer of each hold.
fn held(frames: &[Frame]) -> Vec<(usize, usize, Lie)> {
    let mut holds: Vec<(usize, usize, Lie)> = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let Some(lie) = &frame.lie else { continue };
        match holds.last_mut() {
            Some((_, end, last)) if *end == index && last.tick == lie.tick => *end = index + 1,
            _ => holds.push((index, index + 1, lie.clone())),
        }
    }
    holds
}

/// Wraps the limbs of a fighter in its animated root transform: position, shear, and stretch.
fn root(frames: &[Frame], limb: usize, body: Group) -> Group {
    let poses: Vec<Pose> = frames.iter().map(|frame| frame.operands[limb].chain[0]).collect();
    let place = |pose: &Pose| (vec2(pose.position.x, -pose.position.y) * SCALE).to_array().to_vec();
    // A skew of the y axis keeps its length, while that of SVG keeps the height.
    let scale = |pose: &Pose| vec![pose.scale.x, pose.scale.y * pose.skew.to_radians().cos()];
    let skews: Vec<Vec<f32>> = poses.iter().map(|pose| vec![pose.skew]).collect();
    let mut group = body;
    for (function, values, tolerance) in [
        ("scale", poses.iter().map(scale).collect::<Vec<_>>(), 0.008),
        ("skewX", skews, 0.6),
        ("translate", poses.iter().map(place).collect(), 1.5),
    ] {
        group = Group::new().set("transform", format!("{function}({})", numbers_text(&values[0], 3))).add(group);
        if let Some(animate) = FILM.transform(function, &values, tolerance) {
            group = group.add(animate);
        }
    }
    group
}

/// Returns the shape that the decomposing engine tests instead of a limb.
fn split_limb(frames: &[Frame], limb: usize) -> Box<dyn svg::Node> {
    let placed: Vec<Affine2> =
        frames.iter().map(|frame| decomposed(&frame.operands[limb]).map_or(Affine2::IDENTITY, |(_, at)| at)).collect();
    let operand = |frame: usize| &frames[frame].operands[limb];
    let larger = |frame: usize| Transform::from_affine(operand(frame).world(2)).scale.abs().max_element();
    if operand(0).kind == Kind::Circle {
        let mut circle = Circle::new();
        let numbers = |frame: usize| {
            let at = on_paper(placed[frame].translation);
            [at.x, at.y, larger(frame) * SCALE]
        };
        for (index, attribute) in ["cx", "cy", "r"].into_iter().enumerate() {
            let values: Vec<Vec<f32>> = (0..frames.len()).map(|frame| vec![numbers(frame)[index]]).collect();
            circle = circle.set(attribute, numbers_text(&values[0], 0));
            if let Some(animate) = FILM.numbers(attribute, &values, 2.0, |numbers| numbers_text(numbers, 0)) {
                circle = circle.add(animate);
            }
        }
        return Box::new(circle);
    }
    let values: Vec<Vec<f32>> = (0..frames.len())
        .map(|frame| {
            let corners = corners(operand(frame).kind, Transform::from_affine(operand(frame).world(2)).scale);
            corners.into_iter().flat_map(|at| on_paper(placed[frame].transform_point2(at)).to_array()).collect()
        })
        .collect();
    let path = Path::new().set("d", outline(&values[0]));
    match FILM.numbers("d", &values, 2.0, outline) {
        Some(animate) => Box::new(path.add(animate)),
        None => Box::new(path),
    }
}

/// Returns the corners of a shape of the decomposing engine; those of a capsule's bounding hexagon.
fn corners(kind: Kind, scale: Vec2) -> Vec<Vec2> {
    match kind {
        Kind::Hull(hull) => hull.points().to_vec(),
        Kind::Capsule => {
            let radius = Kind::CAPSULE_RADIUS * scale.abs().max_element();
            let half = Kind::CAPSULE_HALF * scale.x;
            let ends = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)];
            ends.map(|(x, y)| vec2(x * (half + radius * 0.6), y * radius)).to_vec()
        }
        _ => [(1.0, 0.6), (-1.0, 0.6), (-1.0, -0.6), (1.0, -0.6)].map(Vec2::from).to_vec(),
    }
}

fn outline(numbers: &[f32]) -> String {
    format!("M{}z", numbers_text(numbers, 0))
}

/// Returns a limb in its own frame, in pixels, y down.
fn shape(form: Form) -> Path {
    let at = |x: f32, y: f32| format!("{} {}", short(f64::from(x * SCALE), 1), short(f64::from(-y * SCALE), 1));
    let data = match form {
        Form::Circle => {
            format!("M{}A{r} {r} 0 1 0 {}A{r} {r} 0 1 0 {}z", at(1.0, 0.0), at(-1.0, 0.0), at(1.0, 0.0), r = SCALE)
        }
        Form::Rect => format!("M{} {} {} {}z", at(1.0, 0.6), at(-1.0, 0.6), at(-1.0, -0.6), at(1.0, -0.6)),
        Form::Capsule => {
            let (half, radius) = (Kind::CAPSULE_HALF, Kind::CAPSULE_RADIUS);
            let r = radius * SCALE;
            format!(
                "M{}A{r} {r} 0 0 0 {}L{}A{r} {r} 0 0 0 {}z",
                at(half, -radius),
                at(half, radius),
                at(-half, radius),
                at(-half, -radius)
            )
        }
        Form::Hull(hull) => {
            let points: Vec<String> = hull.points().iter().map(|point| at(point.x, point.y)).collect();
            format!("M{}z", points.join(" "))
        }
    };
    Path::new().set("d", data).set("vector-effect", "non-scaling-stroke")
}

/// Returns the transform of a pose that is not animated. Poses of limbs have no skew.
fn fixed(pose: &Pose) -> String {
    let Pose { position, turn, scale, .. } = pose;
    let place = translate(vec2(position.x, -position.y) * SCALE);
    format!("{place}rotate({}) scale({})", short(f64::from(-turn), 1), numbers_text(&scale.to_array(), 3))
}

fn translate(by: Vec2) -> String {
    format!("translate({})", numbers_text(&by.to_array(), 1))
}

/// Returns the place of a world point relative to the origin, in pixels.
fn on_paper(at: Vec2) -> Vec2 {
    vec2(at.x, -at.y) * SCALE
}

/// Wraps the world in the animated zoom.
fn zoomed(frames: &[Frame], world: Group) -> Group {
    let middle = SIZE * vec2(0.5, 0.6);
    let scale = |frame: &Frame| 1.0 + (ZOOM - 1.0) * frame.zoom;
    let shift = |frame: &Frame| {
        let target = on_paper(frame.at) * scale(frame);
        let whole = ORIGIN - vec2(frame.center * SCALE, 0.0);
        whole.lerp(middle - target, frame.zoom).to_array().to_vec()
    };
    let scales: Vec<Vec<f32>> = frames.iter().map(|frame| vec![scale(frame)]).collect();
    let shifts: Vec<Vec<f32>> = frames.iter().map(shift).collect();
    let mut group = world;
    for (function, values, tolerance) in [("scale", scales, 0.01), ("translate", shifts, 3.0)] {
        group = Group::new().set("transform", format!("{function}({})", numbers_text(&values[0], 3))).add(group);
        if let Some(animate) = FILM.transform(function, &values, tolerance) {
            group = group.add(animate);
        }
    }
    group
}

/// Returns the stamp of a wrong answer, visible in some frames.
fn stamp(lie: &Lie, first: usize, last: usize) -> Group {
    let phantom = lie.verdict == Verdict::Phantom;
    let at = on_paper(lie.at);
    let ring = Circle::new().set("r", 13).set("fill", "none").set("stroke", hex(RED)).set("stroke-width", 4);
    let plate = Rectangle::new().set("x", -140).set("y", -114).set("width", 280).set("height", 52).set("rx", 4);
    let plate = plate.set("fill", if phantom { "#ff7373" } else { "#f2d45c" });
    let words = Text::new(lie.verdict.to_string()).set("y", -77).set("text-anchor", "middle").set("font-size", 31);
    let label = Group::new().set("transform", "rotate(-8)").add(plate).add(words.set("fill", "#12171d"));
    let seen: Vec<&str> =
        (0..FILM.frames).map(|frame| if (first..last).contains(&frame) { "visible" } else { "hidden" }).collect();
    let group = Group::new().set("transform", translate(at)).set("visibility", seen[0]).add(ring).add(label);
    match FILM.steps("visibility", &seen) {
        Some(animate) => group.add(animate),
        None => group,
    }
}

/// Returns the words at the top: the claim, the legend and both counters.
fn titles(frames: &[Frame]) -> Group {
    let text = |words: &str, x: f32, y: f32, size: u32| Text::new(words).set("x", x).set("y", y).set("font-size", size);
    let legend = "filled: tested by hitgraph; dashed: by an engine that decomposes transforms";
    let mut group = Group::new()
        .set("fill", "currentColor")
        .add(text("What you see is what collides.", 28.0, 50.0, 34))
        .add(text(legend, 28.0, 82.0, 21))
        .add(text("wrong hits of hitgraph", 66.0, 122.0, 24))
        .add(text("wrong hits of the dashed engine", 480.0, 122.0, 24));
    for (engine, x, color) in [(HITGRAPH, 28.0, DebugPalette::default().sensor), (DECOMPOSING, 440.0, RED)] {
        let mut counts: Vec<u32> = frames.iter().map(|frame| frame.counts[engine]).collect();
        counts.dedup();
        for count in counts {
            let seen: Vec<&str> =
                frames.iter().map(|frame| if frame.counts[engine] == count { "visible" } else { "hidden" }).collect();
            let number = text(&count.to_string(), x, 125.0, 40).set("fill", hex(color)).set("visibility", seen[0]);
            group = group.add(match FILM.steps("visibility", &seen) {
                Some(animate) => number.add(animate),
                None => number,
            });
        }
    }
    group
}

fn paper(height: f32) -> Rectangle {
    Rectangle::new().set("class", "paper").set("width", SIZE.x).set("height", height).set("rx", 16)
}

fn ground() -> Path {
    Path::new().set("d", "M-2000 0H2000").set("stroke", "currentColor").set("stroke-width", 3)
}
