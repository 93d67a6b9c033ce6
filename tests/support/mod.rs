//! Shapes, places and pairs for all tests, from one list. Near ties are made on purpose.

// Every test program uses only a part.
#![allow(dead_code)]

use std::f32::consts::{FRAC_PI_2, PI};
use std::fmt;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, Collider, ColliderId, Compound, Contact, Ellipse, Node, NodeId, Polygon, Polyline,
    QueryFilter, Rect, Rounded, Scene, Segment, Shape, Tiles, Transform,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub mod dice;
pub mod exact;
pub mod naive;
pub mod oracle;
pub mod program;

pub use program::Squircle;

/// The same cases in every run, unless `PROPTEST_RNG_SEED` asks for others.
pub fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let rng_seed = match default.rng_seed {
        RngSeed::Random => RngSeed::Fixed(7),
        given @ RngSeed::Fixed(_) => given,
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..default }
}

/// A built-in shape in disguise: only its support function is known, so it meets everything through the convex
/// fallback.
#[derive(Debug, Clone)]
pub struct Disguised(pub Shape);

impl Collider for Disguised {
    fn support(&self, direction: Vec2) -> Vec2 {
        self.0.support(direction)
    }
}

pub fn anything() -> QueryFilter {
    QueryFilter::default()
}

pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_position(vec2(x, y))
}

/// What shapes are made from.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    pub sizes: [f32; 2],
    pub radius: f32,
    pub points: [Vec2; 5],
}

impl Numbers {
    /// For shapes about two units wide.
    pub const PLAIN: Self = Self {
        sizes: [2.0, 1.0],
        radius: 0.5,
        points: [vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.5, 1.0), vec2(-0.5, 1.0), vec2(0.0, -0.5)],
    };
}

fn hull(points: &[Vec2]) -> Polygon {
    Polygon::convex_hull(points).unwrap()
}

pub type Kind = (&'static str, fn(&Numbers) -> Attachment);

/// Every kind of shape there is: the built-in ones of one piece, the user's own, and those of many pieces with a single
/// one, which must answer as that does. All pair tests run over this list.
pub const KINDS: [Kind; 12] = [
    ("circle", |n| Circle::new(n.radius).into()),
    ("point", |n| Circle::point(n.points[0]).into()),
    ("segment", |n| Segment::new(n.points[0], n.points[1]).into()),
    ("capsule", |n| Capsule::new(n.points[0], n.points[1], n.radius).into()),
    ("rect", |n| Rect::new(n.sizes[0], n.sizes[1]).into()),
    ("polygon", |n| hull(&n.points).into()),
    ("ellipse", |n| Ellipse::new(n.sizes[0], n.sizes[1]).into()),
    ("rounded", |n| Rounded::new(hull(&n.points[..4]), n.radius).into()),
    ("own", |n| Squircle(n.radius).into()),
    ("polyline", |n| Polyline::new(&n.points[..2]).unwrap().into()),
    ("compound", |n| Compound::new([Capsule::new(n.points[0], n.points[1], n.radius)]).unwrap().into()),
    ("tiles", |n| Tiles::new(3, 2, Vec2::from(n.sizes) * 0.5, |_, _| true).into()),
];

/// The part of the list that [`Shape`] holds.
pub const BUILT_IN: &[Kind] = KINDS.split_at(8).0;

/// Quarters meet exactly; 0 is a degenerate size; the rest gives thin shapes, up to 1 : 1000.
// Boxed, because the trees of nested choices would not fit on a test's stack.
fn length() -> BoxedStrategy<f32> {
    prop_oneof![
        4 => (1..=16_u8).prop_map(|quarters| f32::from(quarters) * 0.25),
        1 => Just(0.0),
        2 => (-1.5..1.5_f32).prop_map(|power| 10_f32.powf(power)),
    ]
    .boxed()
}

fn coordinate() -> BoxedStrategy<f32> {
    prop_oneof![3 => (-16..=16_i8).prop_map(|quarters| f32::from(quarters) * 0.25), 1 => -5.0..5.0_f32].boxed()
}

pub fn point() -> impl Strategy<Value = Vec2> {
    (coordinate(), coordinate()).prop_map(Vec2::from)
}

pub fn numbers() -> BoxedStrategy<Numbers> {
    let points = prop_oneof![5 => [point(), point(), point(), point(), point()], 1 => point().prop_map(|p| [p; 5])];
    ([length(), length()], length(), points)
        .prop_map(|(sizes, radius, points)| Numbers { sizes, radius, points })
        .boxed()
}

pub fn rotation() -> BoxedStrategy<f32> {
    prop_oneof![
        3 => Just(0.0),
        1 => (1..=3_u8).prop_map(|quarters| f32::from(quarters) * FRAC_PI_2),
        3 => -PI..PI,
    ]
    .boxed()
}

fn factor() -> BoxedStrategy<f32> {
    prop_oneof![
        6 => Just(1.0_f32),
        2 => Just(-1.0),
        2 => Just(2.0),
        1 => Just(0.0),
        2 => (-1.5..1.5_f32).prop_map(|power| 10_f32.powf(power)),
        1 => -2.0..2.0_f32,
    ]
    .boxed()
}

/// Turned, mirrored, stretched, flattened, skewed.
pub fn transform() -> impl Strategy<Value = Transform> {
    let even = factor().prop_map(Vec2::splat);
    let scale = prop_oneof![2 => even, 3 => (factor(), factor()).prop_map(Vec2::from)];
    let skew = prop_oneof![4 => Just(0.0_f32), 1 => -1.2..1.2_f32];
    (point(), rotation(), scale, skew).prop_map(|(position, rotation, scale, skew)| Transform {
        position,
        rotation,
        scale,
        skew,
    })
}

/// A collider under a node of its own.
#[derive(Clone)]
pub struct Body {
    pub kind: &'static str,
    pub attachment: Attachment,
    pub transform: Transform,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // On one line, however deep: failures are read by people.
        write!(f, "{} {:?} at {:?}", self.kind, self.attachment.shape(), self.transform)
    }
}

impl Body {
    /// What it is in the world, if it is a built-in shape.
    pub fn shape(&self) -> Option<Shape> {
        self.in_scene(|scene, id| scene.world().shape(id).cloned())
    }

    pub fn disguised(&self) -> Self {
        let shape = self.local().expect("only built-in shapes can be disguised");
        Self { attachment: Disguised(shape).into(), ..self.clone() }
    }

    /// The built-in shape before the transform.
    fn local(&self) -> Option<Shape> {
        Self { transform: Transform::IDENTITY, ..self.clone() }.shape()
    }

    pub fn in_scene<T>(&self, ask: impl FnOnce(&mut Scene, ColliderId) -> T) -> T {
        let mut scene = Scene::new();
        let node = scene.add(Node::new(self.kind).with_transform(self.transform));
        let id = scene.attach(node, self.attachment.clone()).unwrap();
        ask(&mut scene, id)
    }

    /// How far it reaches, its distance from its node's origin included: what tolerances refer to.
    pub fn size(&self) -> f32 {
        let matrix = Affine2 { translation: Vec2::ZERO, ..self.transform.to_affine() };
        let bounds = self.attachment.shape().bounds(&matrix);
        bounds.min.abs().max(bounds.max.abs()).element_sum()
    }

    pub fn moved(&self, by: Vec2) -> Self {
        Self { transform: self.transform.with_position(self.transform.position + by), ..self.clone() }
    }
}

pub fn body_of(kinds: &'static [Kind]) -> BoxedStrategy<Body> {
    let body = (0..kinds.len(), numbers(), transform()).prop_map(|(kind, numbers, transform)| {
        let (kind, make) = kinds[kind];
        Body { kind, attachment: make(&numbers), transform }
    });
    body.boxed()
}

pub fn body() -> impl Strategy<Value = Body> {
    body_of(&KINDS)
}

/// What a scene says about two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub overlaps: bool,
    pub contact: Option<Contact>,
    pub distance: f32,
    pub closest: [Vec2; 2],
}

pub fn two(a: &Body, b: &Body, above: Transform) -> (Scene, [NodeId; 2], [ColliderId; 2]) {
    let mut scene = Scene::new();
    let root = scene.root();
    scene[root].transform = above;
    let nodes = [a, b].map(|body| scene.add(Node::new(body.kind).with_transform(body.transform)));
    let ids = [(nodes[0], a), (nodes[1], b)].map(|(node, body)| scene.attach(node, body.attachment.clone()).unwrap());
    (scene, nodes, ids)
}

pub fn ask_under(a: &Body, b: &Body, above: Transform) -> Answer {
    let (mut scene, _, [a, b]) = two(a, b, above);
    let world = scene.world();
    Answer {
        overlaps: world.overlaps(a).len() == 1,
        contact: world.contact(a, b),
        distance: world.distance(a, b).unwrap(),
        closest: world.closest_points(a, b).unwrap(),
    }
}

pub fn ask(a: &Body, b: &Body) -> Answer {
    ask_under(a, b, Transform::IDENTITY)
}

/// Two bodies, often nearly or exactly touching.
#[derive(Debug, Clone)]
pub struct Pair {
    pub a: Body,
    pub b: Body,
}

impl Pair {
    /// What relative tolerances refer to: both sizes and the distance of the nodes.
    pub fn scale(&self) -> f32 {
        let offset = self.b.transform.position - self.a.transform.position;
        offset.abs().element_sum() + self.a.size() + self.b.size()
    }

    /// The rounding of a position here.
    pub fn grain(&self) -> f32 {
        let reach = |body: &Body| body.transform.position.abs().max_element();
        f32::EPSILON * reach(&self.a).max(reach(&self.b))
    }
}

/// How the second body lies to the first.
#[derive(Debug, Clone, Copy)]
enum Meeting {
    AsIs,
    /// At the same place.
    Concentric,
    /// The same shape at the same place.
    Coincident,
    /// Brought to touching, and then apart by this part of the size.
    Nearly(f32),
}

fn meeting() -> impl Strategy<Value = Meeting> {
    let tie = (-6.0..-3.0_f32).prop_map(|power| 10_f32.powf(power));
    prop_oneof![
        4 => Just(Meeting::AsIs),
        1 => Just(Meeting::Concentric),
        1 => Just(Meeting::Coincident),
        2 => Just(Meeting::Nearly(0.0)),
        2 => tie.clone().prop_map(Meeting::Nearly),
        2 => tie.prop_map(|part| Meeting::Nearly(-part)),
    ]
}

/// Pairs over the list, some of them far from the origin.
pub fn pair_of(kinds: &'static [Kind]) -> impl Strategy<Value = Pair> {
    let base = prop_oneof![4 => Just(Vec2::ZERO), 1 => Just(vec2(1e4, -3e4)), 1 => Just(vec2(-1e6, 2e6))];
    (body_of(kinds), body_of(kinds), meeting(), base).prop_map(|(a, b, meeting, base)| {
        let b = match meeting {
            Meeting::AsIs => b,
            Meeting::Concentric => Body { transform: b.transform.with_position(a.transform.position), ..b },
            Meeting::Coincident => a.clone(),
            Meeting::Nearly(part) => {
                let answer = ask(&a, &b);
                let apart = part * (a.size() + b.size());
                b.moved(match answer.contact {
                    Some(contact) => contact.normal * (contact.depth + apart),
                    None => {
                        let [on_a, on_b] = answer.closest;
                        (on_b - on_a).normalize_or_zero() * (apart - answer.distance)
                    }
                })
            }
        };
        Pair { a: a.moved(base), b: b.moved(base) }
    })
}

pub fn pair() -> impl Strategy<Value = Pair> {
    pair_of(&KINDS)
}

pub fn built_in_pair() -> impl Strategy<Value = Pair> {
    pair_of(BUILT_IN)
}
