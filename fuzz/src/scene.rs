use glam::Vec2;
use hitgraph::{CollisionLayers, Transform};

use super::bits::Bits;
use super::naive::run;
use super::program::{Form, Program, Step};

/// The most steps of a program here.
const MOST: usize = 48;

/// Any program, on a scene and on the naive one.
pub fn scene(data: &[u8]) {
    let mut bits = Bits(data);
    let mut steps = Vec::new();
    while !bits.is_empty() && steps.len() < MOST {
        steps.push(step(&mut bits));
    }
    let program = Program(steps);
    if let Err(error) = run(&program) {
        panic!("{error}\n\n{program}");
    }
}

fn step(bits: &mut Bits<'_>) -> Step {
    match bits.byte() % 32 {
        0..5 => Step::Add { above: bits.index() / 16, transform: transform(bits) },
        5..10 => Step::Attach { node: bits.index(), form: form(bits), sensor: bits.byte() % 8 == 7 },
        10 => Step::Remove(bits.index()),
        11 => Step::SetParent { node: bits.index(), above: bits.index() },
        12 => Step::SetParentInPlace { node: bits.index(), above: bits.index() },
        13 => Step::Detach(bits.index()),
        14 => Step::MoveCollider { collider: bits.index(), node: bits.index() },
        15 => Step::Place { node: bits.index(), transform: transform(bits) },
        16 => Step::Mirror(bits.index()),
        17 => Step::Scale { node: bits.index(), by: bits.point().to_array().map(wild).into() },
        18 => Step::PutX { node: bits.index(), x: wild(bits.number()) },
        19 => Step::EnableNode { node: bits.index(), on: bits.flag() },
        20 => Step::EnableCollider { collider: bits.index(), on: bits.flag() },
        21 => Step::Sensor { collider: bits.index(), on: bits.flag() },
        22 => Step::OneWay { collider: bits.index(), up: bits.flag().then(|| bits.point()) },
        23 => {
            let (memberships, filters) = (bits.byte().into(), bits.byte().into());
            Step::Layers { collider: bits.index(), layers: CollisionLayers::new(memberships, filters) }
        }
        24 => Step::Shape { collider: bits.index(), form: form(bits) },
        25 => [Step::Clear, Step::Save, Step::Restore][bits.index() % 3],
        26 | 27 => Step::Update,
        28 => Step::Ask { from: tame_point(bits), to: tame_point(bits), brush: form(bits) },
        29 => Step::Slide { node: bits.index(), motion: tame_point(bits) },
        30 => Step::Collide { node: bits.index(), motion: tame_point(bits) },
        _ => Step::PushOut(bits.index()),
    }
}

/// Within the range in which the naive scene can tell what is exact: beyond, tolerances are larger than other shapes.
fn tame(number: f32) -> f32 {
    if (1e-4..1e4).contains(&number.abs()) { number } else { 0.0 }
}

fn tame_point(bits: &mut Bits<'_>) -> Vec2 {
    bits.point().to_array().map(tame).into()
}

/// Tame, or so large that it overflows somewhere, or not finite.
fn wild(number: f32) -> f32 {
    if number.abs() < 1e30 { tame(number) } else { number }
}

fn transform(bits: &mut Bits<'_>) -> Transform {
    let Transform { position, rotation, scale, skew } = bits.transform();
    let [position, scale] = [position, scale].map(|point| point.to_array().map(wild).into());
    Transform { position, rotation: wild(rotation), scale, skew: wild(skew) }
}

fn form(bits: &mut Bits<'_>) -> Form {
    let kind = bits.byte() % 12;
    let mut size = || tame(bits.number()).abs();
    let (radius, sizes) = (size(), [size(), size()]);
    let mut point = || tame_point(bits);
    let [a, b, c, d, e]: [Vec2; 5] = if [1, 2, 3, 5, 7, 9].contains(&kind) {
        [point(), point(), point(), point(), point()]
    } else {
        [Vec2::ZERO; 5]
    };
    match kind {
        0 => Form::Circle(radius),
        1 => Form::Point(a),
        2 => Form::Segment([a, b]),
        3 => Form::Capsule([a, b], radius),
        4 => Form::Rect(sizes),
        5 => Form::Polygon([a, b, c, d, e]),
        6 => Form::Ellipse(sizes),
        7 => Form::Rounded([a, b, c, d], radius),
        8 => Form::Own(radius),
        9 => Form::Line([a, b, c, d, e], bits.flag()),
        10 => Form::Union(radius, sizes),
        _ => Form::Tiles(u16::from(bits.byte()), sizes),
    }
}
