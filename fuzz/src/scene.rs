use glam::Vec2;
use hitgraph::{CollisionLayers, Transform};
use support::naive::run;
use support::program::{Program, ShapeSpec, Step};
use support::{Numbers, ShapeKind};

use super::bits::Bits;

/// The largest number of steps in a program.
const MAX_STEPS: usize = 48;

/// Runs any program on a scene and on its naive model, which must agree.
pub fn scene(data: &[u8]) {
    let mut bits = Bits(data);
    let mut steps = Vec::new();
    while !bits.is_empty() && steps.len() < MAX_STEPS {
        steps.push(step(&mut bits));
    }
    let program = Program(steps);
    if let Err(error) = run(&program) {
        panic!("{error}\n\n{program}");
    }
}

fn step(bits: &mut Bits<'_>) -> Step {
    let byte = bits.byte();
    match byte % 32 {
        0..5 => Step::Add { parent: bits.index() / 16, transform: transform(bits) },
        5..10 => Step::Attach { node: bits.index(), spec: spec(bits), sensor: bits.byte() % 8 == 7 },
        10 => Step::Remove(bits.index()),
        11 if byte >= 192 => Step::MoveChild { node: bits.index(), index: bits.index() % 4 },
        11 => Step::SetParent { node: bits.index(), parent: bits.index() },
        12 if byte >= 224 => Step::CopySubtree { node: bits.index(), parent: bits.index() },
        12 if byte >= 192 => Step::Graft { node: bits.index(), parent: bits.index() },
        12 => Step::SetParentInPlace { node: bits.index(), parent: bits.index() },
        13 => Step::Detach(bits.index()),
        14 => Step::MoveCollider { collider: bits.index(), node: bits.index() },
        15 => Step::SetTransform { node: bits.index(), transform: transform(bits) },
        16 => Step::Mirror(bits.index()),
        17 => Step::SetScale { node: bits.index(), by: bits.point().to_array().map(moderate_or_extreme).into() },
        18 => Step::SetX { node: bits.index(), x: moderate_or_extreme(bits.number()) },
        19 if byte >= 128 => Step::SetOwnsSubtree { node: bits.index(), on: bits.flag() },
        19 => Step::SetNodeEnabled { node: bits.index(), on: bits.flag() },
        20 => Step::SetColliderEnabled { collider: bits.index(), on: bits.flag() },
        21 => Step::SetSensor { collider: bits.index(), on: bits.flag() },
        22 => Step::SetOneWay { collider: bits.index(), up: bits.flag().then(|| bits.point()) },
        23 => {
            let (memberships, filters) = (bits.byte().into(), bits.byte().into());
            Step::SetLayers { collider: bits.index(), layers: CollisionLayers::new(memberships, filters) }
        }
        24 => Step::SetCollider { collider: bits.index(), spec: spec(bits) },
        25 if byte >= 192 => Step::ShrinkToFit,
        25 => [Step::Clear, Step::Save, Step::Restore][bits.index() % 3],
        26 | 27 => Step::Update,
        28 => Step::Query { from: moderate_point(bits), to: moderate_point(bits), probe: spec(bits) },
        29 => Step::MoveAndSlide { node: bits.index(), displacement: moderate_point(bits) },
        30 => Step::MoveAndCollide { node: bits.index(), displacement: moderate_point(bits) },
        _ if byte >= 128 => {
            let rotation = moderate(bits.number());
            Step::Push { node: bits.index(), displacement: moderate_point(bits), rotation }
        }
        _ => Step::Depenetrate(bits.index()),
    }
}

/// Replaces numbers outside 1e-4..1e4 by zero. With larger ones, the tolerances of the model exceed the sizes of
/// shapes.
fn moderate(number: f32) -> f32 {
    if (1e-4..1e4).contains(&number.abs()) { number } else { 0.0 }
}

fn moderate_point(bits: &mut Bits<'_>) -> Vec2 {
    bits.point().to_array().map(moderate).into()
}

/// Replaces moderate numbers as [`moderate`] does. Keeps numbers that overflow or are not finite.
fn moderate_or_extreme(number: f32) -> f32 {
    if number.abs() < 1e30 { moderate(number) } else { number }
}

fn transform(bits: &mut Bits<'_>) -> Transform {
    let Transform { position, rotation, scale, skew } = bits.transform();
    let [position, scale] = [position, scale].map(|point| point.to_array().map(moderate_or_extreme).into());
    Transform { position, rotation: moderate_or_extreme(rotation), scale, skew: moderate_or_extreme(skew) }
}

fn spec(bits: &mut Bits<'_>) -> ShapeSpec {
    use ShapeKind::*;
    let kind = bits.kind();
    let mut size = || moderate(bits.number()).abs();
    let (radius, sizes) = (size(), [size(), size()]);
    let mut point = || moderate_point(bits);
    let points = match kind {
        Point | Segment | Capsule | Polygon | Rounded | Polyline => [point(), point(), point(), point(), point()],
        Circle | Rect | Ellipse | User | Compound | Tiles => [Vec2::ZERO; 5],
    };
    let extra = match kind {
        Polyline | Tiles => bits.byte(),
        Circle | Point | Segment | Capsule | Rect | Polygon | Ellipse | Rounded | User | Compound => 0,
    };
    ShapeSpec::new(kind, &Numbers { sizes, radius, points }, extra.into())
}
