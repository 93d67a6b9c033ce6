//! Many threads that ask one world at the same time.

mod support;

use std::thread;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, ColliderId, CollisionPair, Contact, Nearest, Node, Polyline, QueryFilter, RayHit, Rect,
    Scene, ShapeCastHit, Side, Tile, Tiles, World,
};
use support::{KINDS, Numbers, Squircle};

const THREADS: usize = 6;
const ROUNDS: usize = 2;

/// Numbers in no order, the same in every run.
struct Dice(u32);

impl Dice {
    /// From 0 to 1.
    fn part(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    fn point(&mut self, half: f32) -> Vec2 {
        vec2(self.part() - 0.5, self.part() - 0.5) * 2.0 * half
    }
}

/// Every kind of shape, alone and in trees, and shapes of many pieces.
fn crowd(dice: &mut Dice) -> Scene {
    let mut scene = Scene::new();
    let mut above = scene.root();
    for index in 0..160_u8 {
        let numbers = Numbers {
            sizes: [dice.part() * 3.0, dice.part() * 3.0],
            radius: dice.part(),
            points: [0; 5].map(|_| dice.point(1.5)),
        };
        let node = Node::new("n")
            .with_user_data(index.into())
            .with_position(dice.point(20.0))
            .with_rotation(dice.part() * 6.0)
            .with_scale(vec2(0.5 + dice.part(), 1.5 - 2.5 * dice.part()));
        let node = scene.add_child(if index % 4 == 0 { scene.root() } else { above }, node).unwrap();
        above = if index % 3 == 0 { node } else { scene.root() };
        scene.attach(node, KINDS[usize::from(index) % KINDS.len()].1(&numbers)).unwrap();
    }
    let hills: Vec<Vec2> = (0..200).map(|x| vec2(x as f32 * 0.5 - 50.0, dice.part() * 4.0 - 20.0)).collect();
    let ground = scene.add(Node::new("ground"));
    scene.attach(ground, Polyline::new(&hills).unwrap()).unwrap();
    let map: Vec<bool> = (0..900).map(|_| dice.part() < 0.4).collect();
    let tile = |column: u32, row: u32| if map[(row * 30 + column) as usize] { Tile::FULL } else { Tile::EMPTY };
    let level = scene.add(Node::new("level").with_position(vec2(-15.0, 5.0)).with_rotation(0.2));
    scene.attach(level, Tiles::from_tiles(30, 30, Vec2::ONE, tile).unwrap()).unwrap();
    scene
}

/// What one round of questions is answered.
#[derive(Debug, PartialEq)]
struct Answers {
    pairs: Vec<CollisionPair>,
    contacts: Vec<(CollisionPair, Contact)>,
    sides: Vec<Vec<Side>>,
    rays: Vec<Vec<RayHit>>,
    casts: Vec<Vec<ShapeCastHit>>,
    near: Vec<Vec<Nearest>>,
    distances: Vec<Option<f32>>,
}

fn ask(world: World<'_>, ids: &[ColliderId], seed: u32) -> Answers {
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
    let brushes: [Attachment; 3] = [Circle::new(0.7).into(), Rect::new(2.0, 0.3).into(), Squircle(0.9).into()];
    for (index, id) in ids.iter().enumerate() {
        let (point, way) = (dice.point(40.0), dice.point(60.0));
        let (brush, at) = (brushes[index % 3].shape(), Affine2::from_translation(point));
        answers.sides.push(world.overlaps(*id).collect());
        answers.sides.push(world.at_point(point, &all).collect());
        answers.sides.push(world.in_aabb(Aabb::new(point, point + way * 0.1), &solid).collect());
        answers.sides.push(world.overlaps_shape(brush, &at, &all).collect());
        answers.rays.push(world.cast_ray_all(point, way, 80.0, &all));
        answers.rays.push(world.cast_ray(point, way, 80.0, &all).into_iter().collect());
        answers.casts.push(world.cast_shape_all(brush, &at, way, &all));
        answers.casts.push(world.cast_shape(brush, &at, way, &all).into_iter().collect());
        answers.near.push(world.nearest_n(point, 5, f32::INFINITY, &all));
        answers.distances.push(world.distance(*id, ids[(index * 7) % ids.len()]));
    }
    answers
}

#[test]
fn many_threads_are_answered_what_one_is() {
    let mut scene = crowd(&mut Dice(5));
    let mut ids: Vec<ColliderId> = Vec::new();
    for node in scene.descendants(scene.root()) {
        ids.extend_from_slice(scene.colliders(node));
    }
    let world = scene.world();
    let seeds = |thread: usize| (0..ROUNDS).map(move |round| (thread * 3 + round) as u32 % 3);
    let expected: Vec<Answers> = (0..3).map(|seed| ask(world, &ids, seed)).collect();
    let hits = expected[0].casts.iter().flatten().count();
    assert!(expected[0].pairs.len() > 50 && hits > 300, "a load: {} {hits}", expected[0].pairs.len());
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (ids, expected) = (&ids, &expected);
            scope.spawn(move || {
                for seed in seeds(thread) {
                    assert!(ask(world, ids, seed) == expected[seed as usize], "thread {thread}, questions {seed}");
                }
            });
        }
    });
}

#[test]
fn threads_that_narrow_the_world_do_not_narrow_it_for_others() {
    let mut scene = crowd(&mut Dice(6));
    let world = scene.world();
    let all = world.pairs();
    thread::scope(|scope| {
        for thread in 0..THREADS as u64 {
            let all = &all;
            scope.spawn(move || {
                for _ in 0..10 {
                    let some = |side: Side| world.node(side.node).is_some_and(|node| node.user_data % 2 == thread % 2);
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
fn a_scene_moves_between_threads() {
    let mut scene = crowd(&mut Dice(7));
    let here = scene.clone().update();
    assert!(!here.is_empty());
    let there = thread::spawn(move || scene.update()).join().unwrap();
    assert_eq!(there, here);
}

#[test]
fn scenes_of_their_own_do_not_disturb_each_other() {
    // Memory for pieces is a thread's own, memory for pairs a scene's.
    let run = |seed: u32| {
        let mut scene = crowd(&mut Dice(seed));
        let mut told = scene.update();
        for node in scene.children(scene.root()).to_vec() {
            scene[node].transform.position *= 0.8;
        }
        told.extend(scene.update());
        told
    };
    let expected: Vec<_> = (0..4).map(run).collect();
    thread::scope(|scope| {
        for seed in (0..4).chain(0..4) {
            let (run, expected) = (&run, &expected[seed as usize]);
            scope.spawn(move || assert!(run(seed) == *expected, "scene {seed}"));
        }
    });
}
