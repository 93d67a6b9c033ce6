//! Threads: concurrent queries of one world, and scenes that run on other threads.

use std::thread;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, ColliderId, CollisionPair, Contact, Nearest, Node, NodeCollider, Polyline, QueryFilter,
    RayHit, Rect, Scene, ShapeCastHit, Tile, Tiles, World,
};
use support::dice::Dice;
use support::{KINDS, Numbers, Squircle};

const THREADS: usize = 6;
const ROUNDS: usize = 2;

/// Returns a scene with every kind of shape, in chains of nodes, and with two large composites.
fn random_scene(dice: &mut Dice) -> Scene {
    let mut scene = Scene::new();
    let mut parent = scene.root();
    for index in 0..160_u8 {
        let numbers = Numbers {
            sizes: [dice.unit() * 3.0, dice.unit() * 3.0],
            radius: dice.unit(),
            points: [0; 5].map(|_| dice.vector(-1.5..1.5)),
        };
        let node = Node::new("n")
            .with_user_data(index.into())
            .with_position(dice.vector(-20.0..20.0))
            .with_rotation(dice.unit() * 6.0)
            .with_scale(vec2(0.5 + dice.unit(), 1.5 - 2.5 * dice.unit()));
        let node = scene.add_child(if index % 4 == 0 { scene.root() } else { parent }, node).unwrap();
        parent = if index % 3 == 0 { node } else { scene.root() };
        scene.attach(node, KINDS[usize::from(index) % KINDS.len()].1(&numbers)).unwrap();
    }
    let hills: Vec<Vec2> = (0..200).map(|x| vec2(x as f32 * 0.5 - 50.0, dice.unit() * 4.0 - 20.0)).collect();
    let ground = scene.add(Node::new("ground"));
    scene.attach(ground, Polyline::new(&hills).unwrap()).unwrap();
    let map: Vec<bool> = (0..900).map(|_| dice.unit() < 0.4).collect();
    let tile = |column: u32, row: u32| if map[(row * 30 + column) as usize] { Tile::FULL } else { Tile::EMPTY };
    let level = scene.add(Node::new("level").with_position(vec2(-15.0, 5.0)).with_rotation(0.2));
    scene.attach(level, Tiles::from_tiles(30, 30, Vec2::ONE, tile).unwrap()).unwrap();
    scene
}

/// The answers to one round of queries.
#[derive(Debug, PartialEq)]
struct Answers {
    pairs: Vec<CollisionPair>,
    contacts: Vec<(CollisionPair, Contact)>,
    sides: Vec<Vec<NodeCollider>>,
    rays: Vec<Vec<RayHit>>,
    casts: Vec<Vec<ShapeCastHit>>,
    near: Vec<Vec<Nearest>>,
    distances: Vec<Option<f32>>,
}

fn query(world: World<'_>, ids: &[ColliderId], seed: u64) -> Answers {
    let all = QueryFilter::default();
    let solid = QueryFilter::default().without_sensors();
    let mut dice = Dice(seed);
    let mut answers = Answers {
        pairs: world.pairs(),
        contacts: world.contacts(),
        sides: Vec::new(),
        rays: Vec::new(),
        casts: Vec::new(),
        near: Vec::new(),
        distances: Vec::new(),
    };
    let shapes: [Attachment; 3] = [Circle::new(0.7).into(), Rect::new(2.0, 0.3).into(), Squircle(0.9).into()];
    for (index, id) in ids.iter().enumerate() {
        let (point, direction) = (dice.vector(-40.0..40.0), dice.vector(-60.0..60.0));
        let (shape, at) = (shapes[index % 3].collider(), Affine2::from_translation(point));
        answers.sides.push(world.overlaps(*id).collect());
        answers.sides.push(world.at_point(point, &all).collect());
        answers.sides.push(world.in_aabb(Aabb::new(point, point + direction * 0.1), &solid).collect());
        answers.sides.push(world.overlaps_shape(shape, &at, &all).collect());
        answers.rays.push(world.cast_ray_all(point, direction, 80.0, &all));
        answers.rays.push(world.cast_ray(point, direction, 80.0, &all).into_iter().collect());
        answers.casts.push(world.cast_shape_all(shape, &at, direction, &all));
        answers.casts.push(world.cast_shape(shape, &at, direction, &all).into_iter().collect());
        answers.near.push(world.nearest_n(point, 5, f32::INFINITY, &all));
        answers.distances.push(world.distance(*id, ids[(index * 7) % ids.len()]));
    }
    answers
}

#[test]
fn concurrent_queries_match_queries_of_one_thread() {
    let mut scene = random_scene(&mut Dice(5));
    let mut ids: Vec<ColliderId> = Vec::new();
    for node in scene.descendants(scene.root()) {
        ids.extend_from_slice(scene.colliders(node));
    }
    let world = scene.world();
    let seeds = |thread: usize| (0..ROUNDS).map(move |round| (thread * 3 + round) as u64 % 3);
    let expected: Vec<Answers> = (0..3).map(|seed| query(world, &ids, seed)).collect();
    let hits = expected[0].casts.iter().flatten().count();
    assert!(expected[0].pairs.len() > 50 && hits > 300, "too few pairs or hits: {} {hits}", expected[0].pairs.len());
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (ids, expected) = (&ids, &expected);
            scope.spawn(move || {
                for seed in seeds(thread) {
                    assert!(query(world, ids, seed) == expected[seed as usize], "thread {thread}, round {seed}");
                }
            });
        }
    });
}

#[test]
fn narrowing_a_world_on_one_thread_does_not_affect_other_threads() {
    let mut scene = random_scene(&mut Dice(6));
    let world = scene.world();
    let all = world.pairs();
    thread::scope(|scope| {
        for thread in 0..THREADS as u64 {
            let all = &all;
            scope.spawn(move || {
                for _ in 0..10 {
                    let some =
                        |side: NodeCollider| world.node(side.node).is_some_and(|node| node.user_data % 2 == thread % 2);
                    let holds = |pair: &&CollisionPair| some(pair.a) && some(pair.b);
                    let expected: Vec<CollisionPair> = all.iter().filter(holds).copied().collect();
                    assert!(world.only(&some).pairs() == expected);
                    assert!(world.pairs() == *all);
                }
            });
        }
    });
}

#[test]
fn a_scene_reports_the_same_events_on_another_thread() {
    let mut scene = random_scene(&mut Dice(7));
    let expected = scene.clone().update();
    assert!(!expected.is_empty());
    let found = thread::spawn(move || scene.update()).join().unwrap();
    assert_eq!(found, expected);
}

#[test]
fn scenes_updated_in_parallel_report_the_same_events_as_in_sequence() {
    // Buffers for pieces belong to a thread, buffers for pairs to a scene.
    let run = |seed: u64| {
        let mut scene = random_scene(&mut Dice(seed));
        let mut events = scene.update();
        for node in scene.children(scene.root()).to_vec() {
            scene[node].transform.position *= 0.8;
        }
        events.extend(scene.update());
        events
    };
    let expected: Vec<_> = (0..4).map(run).collect();
    thread::scope(|scope| {
        for seed in (0..4).chain(0..4) {
            let (run, expected) = (&run, &expected[seed as usize]);
            scope.spawn(move || assert!(run(seed) == *expected, "scene {seed}"));
        }
    });
}
