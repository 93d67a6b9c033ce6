//! The support library of the tests: generators of shapes, transforms and pairs over one list of shapes, with near ties
//! on purpose; a naive model of the scene; and an oracle for the gap of two shapes.

// Only the tests use this library, so not every item needs a doc comment.
#![allow(missing_docs)]

use std::f32::consts::{FRAC_PI_2, PI};
use std::fmt;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Attachment, Collider, ColliderId, Contact, Node, NodeId, Polygon, QueryFilter, Scene, Shape, Transform,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub mod attacks;
pub mod cases;
pub mod composites;
pub mod dice;
pub mod exact;
mod kinds;
pub mod moves;
pub mod naive;
pub mod oracle;
pub mod program;
pub mod saved;
pub mod source_files;

pub use kinds::{BUILT_IN, KINDS, Kind, Numbers, ShapeKind, hull};
pub use program::Squircle;

/// Returns a configuration with `cases` cases and a fixed seed, which `PROPTEST_RNG_SEED` overrides.
pub fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let rng_seed = match default.rng_seed {
        RngSeed::Random => RngSeed::Fixed(7),
        given @ RngSeed::Fixed(_) => given,
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..default }
}

/// A user shape with the support function of a built-in shape, so that every pair with it takes the convex fallback.
#[derive(Debug, Clone)]
pub struct SupportOnly(pub Shape);

impl Collider for SupportOnly {
    fn support(&self, direction: Vec2) -> Vec2 {
        self.0.support(direction)
    }
}

/// Returns the default filter, which excludes nothing.
pub fn anything() -> QueryFilter {
    QueryFilter::default()
}

/// Returns the translation by `(x, y)`.
pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_position(vec2(x, y))
}

/// Returns the translation by `(x, y)`, as an affine map.
pub fn translation(x: f32, y: f32) -> Affine2 {
    Affine2::from_translation(vec2(x, y))
}

/// Returns a convex polygon.
pub fn polygon(points: &[Vec2]) -> Polygon {
    Polygon::convex(points).unwrap()
}

/// Adds a node with a collider.
pub fn add(scene: &mut Scene, transform: Transform, collider: impl Into<Attachment>) -> ColliderId {
    scene.add_with(Node::new("n").with_transform(transform), collider).1
}

/// Generates lengths: multiples of 0.25, which meet exactly; 0, a degenerate size; and powers for thin shapes, up to
/// 1 : 1000.
// Boxed, because unboxed strategies of this depth overflow the stack of a test.
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

/// Generates transforms that translate, rotate, mirror, scale, flatten and skew.
pub fn transform() -> impl Strategy<Value = Transform> {
    let uniform = factor().prop_map(Vec2::splat);
    let scale = prop_oneof![2 => uniform, 3 => (factor(), factor()).prop_map(Vec2::from)];
    let skew = prop_oneof![4 => Just(0.0_f32), 1 => -1.2..1.2_f32];
    (point(), rotation(), scale, skew).prop_map(|(position, rotation, scale, skew)| Transform {
        position,
        rotation,
        scale,
        skew,
    })
}

/// A collider, its kind, and the transform of its node.
#[derive(Clone)]
pub struct TestCollider {
    pub kind: &'static str,
    pub attachment: Attachment,
    pub transform: Transform,
}

impl fmt::Debug for TestCollider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The form without line breaks keeps failures short.
        write!(f, "{} {:?} at {:?}", self.kind, self.attachment.collider(), self.transform)
    }
}

impl TestCollider {
    /// Returns the world form, or `None` for composites and user shapes.
    pub fn shape(&self) -> Option<Shape> {
        self.in_scene(|scene, id| scene.world().shape(id).cloned())
    }

    /// Returns this collider with its built-in shape replaced by a [`SupportOnly`].
    pub fn support_only(&self) -> Self {
        let shape = self.local().expect("the collider must be a built-in shape");
        Self { attachment: SupportOnly(shape).into(), ..self.clone() }
    }

    /// Returns the local shape, or `None` for composites and user shapes.
    fn local(&self) -> Option<Shape> {
        Self { transform: Transform::IDENTITY, ..self.clone() }.shape()
    }

    /// Calls `query` with a scene that contains this collider alone.
    pub fn in_scene<T>(&self, query: impl FnOnce(&mut Scene, ColliderId) -> T) -> T {
        let mut scene = Scene::new();
        let node = scene.add(Node::new(self.kind).with_transform(self.transform));
        let id = scene.attach(node, self.attachment.clone()).unwrap();
        query(&mut scene, id)
    }

    /// Returns the size that tolerances refer to: the largest distance of the shape from its node's origin, as the sum
    /// of both coordinates.
    pub fn size(&self) -> f32 {
        let matrix = Affine2 { translation: Vec2::ZERO, ..self.transform.to_affine() };
        let bounds = self.attachment.collider().bounds(&matrix);
        bounds.min.abs().max(bounds.max.abs()).element_sum()
    }

    /// Returns this collider, translated.
    pub fn moved(&self, by: Vec2) -> Self {
        Self { transform: self.transform.with_position(self.transform.position + by), ..self.clone() }
    }
}

/// Generates colliders of some kinds.
pub fn test_collider_of(kinds: &'static [Kind]) -> BoxedStrategy<TestCollider> {
    let collider = (0..kinds.len(), numbers(), transform()).prop_map(|(kind, numbers, transform)| {
        let (kind, make) = kinds[kind];
        TestCollider { kind, attachment: make(&numbers), transform }
    });
    collider.boxed()
}

/// Generates colliders of all kinds.
pub fn test_collider() -> impl Strategy<Value = TestCollider> {
    test_collider_of(&KINDS)
}

/// The answers of a scene to all queries about two colliders.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub overlaps: bool,
    pub contact: Option<Contact>,
    pub distance: f32,
    pub closest: [Vec2; 2],
}

/// Returns a scene with two colliders under a root with the transform `above`.
pub fn scene_of_two(a: &TestCollider, b: &TestCollider, above: Transform) -> (Scene, [NodeId; 2], [ColliderId; 2]) {
    let mut scene = Scene::new();
    let root = scene.root();
    scene[root].transform = above;
    let nodes = [a, b].map(|collider| scene.add(Node::new(collider.kind).with_transform(collider.transform)));
    let attach = |(node, collider): (NodeId, &TestCollider)| scene.attach(node, collider.attachment.clone()).unwrap();
    let ids = [(nodes[0], a), (nodes[1], b)].map(attach);
    (scene, nodes, ids)
}

/// Returns the answers for two colliders under a root with the transform `above`.
pub fn query_under(a: &TestCollider, b: &TestCollider, above: Transform) -> Answer {
    let (mut scene, _, [a, b]) = scene_of_two(a, b, above);
    let world = scene.world();
    Answer {
        overlaps: world.overlaps(a).len() == 1,
        contact: world.contact(a, b),
        distance: world.distance(a, b).unwrap(),
        closest: world.closest_points(a, b).unwrap(),
    }
}

/// Returns the answers for two colliders.
pub fn query(a: &TestCollider, b: &TestCollider) -> Answer {
    query_under(a, b, Transform::IDENTITY)
}

/// Two colliders, often nearly or exactly touching.
#[derive(Debug, Clone)]
pub struct Pair {
    pub a: TestCollider,
    pub b: TestCollider,
}

impl Pair {
    /// Returns the scale that relative tolerances refer to: both sizes and the distance of the nodes.
    pub fn scale(&self) -> f32 {
        let offset = self.b.transform.position - self.a.transform.position;
        offset.abs().element_sum() + self.a.size() + self.b.size()
    }

    /// Returns the rounding error of the positions of the two nodes.
    pub fn position_rounding(&self) -> f32 {
        let reach = |collider: &TestCollider| collider.transform.position.abs().max_element();
        f32::EPSILON * reach(&self.a).max(reach(&self.b))
    }
}

/// The placement of the second collider relative to the first.
#[derive(Debug, Clone, Copy)]
enum Arrangement {
    /// As generated.
    Random,
    /// At the same position.
    Concentric,
    /// The same shape at the same position.
    Coincident,
    /// Moved until the two touch, and then apart by this multiple of their size.
    NearTouching(f32),
}

fn arrangement() -> impl Strategy<Value = Arrangement> {
    let offset = (-6.0..-3.0_f32).prop_map(|power| 10_f32.powf(power));
    prop_oneof![
        4 => Just(Arrangement::Random),
        1 => Just(Arrangement::Concentric),
        1 => Just(Arrangement::Coincident),
        2 => Just(Arrangement::NearTouching(0.0)),
        2 => offset.clone().prop_map(Arrangement::NearTouching),
        2 => offset.prop_map(|part| Arrangement::NearTouching(-part)),
    ]
}

/// Generates pairs of some kinds, some of them far from the origin.
pub fn pair_of(kinds: &'static [Kind]) -> impl Strategy<Value = Pair> {
    let base = prop_oneof![4 => Just(Vec2::ZERO), 1 => Just(vec2(1e4, -3e4)), 1 => Just(vec2(-1e6, 2e6))];
    (test_collider_of(kinds), test_collider_of(kinds), arrangement(), base).prop_map(|(a, b, arrangement, base)| {
        let b = match arrangement {
            Arrangement::Random => b,
            Arrangement::Concentric => TestCollider { transform: b.transform.with_position(a.transform.position), ..b },
            Arrangement::Coincident => a.clone(),
            Arrangement::NearTouching(part) => {
                let answer = query(&a, &b);
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

/// Generates pairs of all kinds.
pub fn pair() -> impl Strategy<Value = Pair> {
    pair_of(&KINDS)
}

/// Generates pairs of built-in convex shapes.
pub fn built_in_pair() -> impl Strategy<Value = Pair> {
    pair_of(BUILT_IN)
}
