//! Quick benchmarks for daily work on the crate: every pair of shapes, a frame of a moving scene, rays and points, snapshots.
//!
//! Run `cargo bench`, or `cargo bench -- contact` for a part. All benchmarks take less than a minute. The comparison
//! with other libraries is in `benches/peers`.

use std::f32::consts::TAU;

use divan::{Bencher, black_box};
use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, Ellipse, Node, NodeId, Polygon, QueryFilter, Rect, Rounded, Scene, Segment, Shape,
};
use support::saved::{from_bytes, to_bytes};

fn main() {
    divan::main();
}

const KINDS: [&str; 7] = ["circle", "segment", "capsule", "rect", "octagon", "ellipse", "rounded"];

fn shape(kind: &str) -> Shape {
    let octagon: Vec<Vec2> = (0..8).map(|corner| Vec2::from_angle(corner as f32 * TAU / 8.0) * 0.75).collect();
    match kind {
        "circle" => Circle::new(0.75).into(),
        "segment" => Segment::new(vec2(-0.75, 0.0), vec2(0.75, 0.0)).into(),
        "capsule" => Capsule::new(vec2(-0.75, 0.0), vec2(0.75, 0.0), 0.3).into(),
        "rect" => Rect::new(1.5, 1.2).into(),
        "octagon" => Polygon::convex(&octagon).expect("an octagon is convex").into(),
        "ellipse" => Ellipse::new(0.9, 0.5).into(),
        "rounded" => Rounded::new(Polygon::convex(&octagon[..3]).expect("a triangle is convex"), 0.2).into(),
        other => unreachable!("{other}"),
    }
}

/// Returns every pair of kinds.
fn kinds() -> impl Iterator<Item = String> {
    let pairs = (0..KINDS.len()).flat_map(|a| (a..KINDS.len()).map(move |b| (KINDS[a], KINDS[b])));
    pairs.map(|(a, b)| format!("{a}-{b}"))
}

/// Returns a deterministic number between 0 and 1. Multiples of an irrational number fill the interval evenly.
fn spread(index: usize, of: f64) -> f32 {
    (index as f64 * of).fract() as f32
}

/// Returns pairs of two kinds with various rotations and distances. About half of them overlap.
fn pairs(kinds: &str) -> Vec<[Shape; 2]> {
    let (a, b) = kinds.split_once('-').expect("the name joins two kinds");
    let place = |index: usize, shape: &Shape, apart: f32| {
        let at = Vec2::from_angle(spread(index, 0.618_034) * TAU) * apart;
        shape.transformed(&Affine2::from_angle_translation(spread(index, 0.754_878) * TAU, at))
    };
    let (a, b) = (shape(a), shape(b));
    (0..512).map(|index| [place(3 * index, &a, 0.0), place(index, &b, spread(index, 0.569_84) * 2.4)]).collect()
}

/// Measures the time of one pair. A sample takes each pair once.
fn each_pair<R>(bencher: Bencher<'_, '_>, kinds: &str, test: impl Fn(&Shape, &Shape) -> R) {
    let pairs = pairs(kinds);
    let mut cycle = pairs.iter().cycle();
    bencher.bench_local(|| {
        let [a, b] = black_box(cycle.next().expect("a cycle never ends"));
        test(a, b)
    });
}

#[divan::bench(args = kinds(), sample_size = 512)]
fn overlap(bencher: Bencher<'_, '_>, kinds: &str) {
    each_pair(bencher, kinds, Shape::overlaps);
}

#[divan::bench(args = kinds(), sample_size = 512)]
fn contact(bencher: Bencher<'_, '_>, kinds: &str) {
    each_pair(bencher, kinds, Shape::contact);
}

/// Returns a scene of `count` nodes with one collider each, about dense enough for one touch per collider.
fn scene(count: usize) -> (Scene, Vec<NodeId>) {
    let mut scene = Scene::new();
    let side = (count as f32).sqrt() * 2.4;
    let nodes = (0..count).map(|index| {
        let at = vec2(spread(index, 0.754_878), spread(index, 0.569_84)) * side;
        let node = scene.add(Node::new("one").with_position(at));
        scene.attach(node, Attachment::from(shape(KINDS[index % 5]))).expect("the node was just added");
        node
    });
    let nodes = nodes.collect();
    scene.update();
    (scene, nodes)
}

/// Measures a frame in which every node moves slightly and rotates.
#[divan::bench(args = [1_000, 10_000])]
fn update(bencher: Bencher<'_, '_>, count: usize) {
    let (mut scene, nodes) = scene(count);
    let (mut events, mut frame) = (Vec::new(), 0);
    bencher.bench_local(|| {
        frame += 1;
        for (index, node) in nodes.iter().enumerate() {
            let transform = &mut scene[*node].transform;
            transform.position += Vec2::from_angle((index + frame) as f32 * 0.1) * 0.05;
            transform.rotation += 0.01;
        }
        scene.update_into(&mut events);
        events.len()
    });
}

#[divan::bench(sample_size = 256)]
fn cast_ray_in_10k(bencher: Bencher<'_, '_>) {
    let (mut scene, _) = scene(10_000);
    let (world, filter, mut round) = (scene.world(), QueryFilter::default(), 0);
    bencher.bench_local(|| {
        round += 1;
        let origin = vec2(spread(round, 0.754_878), spread(round, 0.569_84)) * 240.0;
        world.cast_ray(origin, Vec2::from_angle(round as f32), 50.0, &filter)
    });
}

#[divan::bench(sample_size = 256)]
fn at_point_in_10k(bencher: Bencher<'_, '_>) {
    let (mut scene, _) = scene(10_000);
    let (world, filter, mut found, mut round) = (scene.world(), QueryFilter::default(), Vec::new(), 0);
    bencher.bench_local(|| {
        round += 1;
        world.at_point_into(vec2(spread(round, 0.754_878), spread(round, 0.569_84)) * 240.0, &filter, &mut found);
        found.len()
    });
}

/// A snapshot of a scene, as rollback takes one in every frame.
#[divan::bench]
fn clone_10k(bencher: Bencher<'_, '_>) {
    let (scene, _) = scene(10_000);
    bencher.bench_local(|| scene.clone());
}

#[divan::bench]
fn clone_from_10k(bencher: Bencher<'_, '_>) {
    let (scene, _) = scene(10_000);
    let mut snapshot = scene.clone();
    bencher.bench_local(|| snapshot.clone_from(&scene));
}

#[divan::bench]
fn checksum_10k(bencher: Bencher<'_, '_>) {
    let (scene, _) = scene(10_000);
    bencher.bench_local(|| scene.checksum());
}

/// Saves a scene as bytes.
#[divan::bench]
fn save_10k(bencher: Bencher<'_, '_>) {
    let (scene, _) = scene(10_000);
    bencher.bench_local(|| to_bytes(&scene));
}

/// Loads a scene and updates it, which places every collider.
#[divan::bench]
fn load_and_update_10k(bencher: Bencher<'_, '_>) {
    let (scene, _) = scene(10_000);
    let bytes = to_bytes(&scene);
    bencher.bench_local(|| {
        let mut scene = from_bytes(&bytes).expect("the bytes are those of a scene");
        assert!(scene.update().is_empty(), "the same pairs touch");
        scene
    });
}
