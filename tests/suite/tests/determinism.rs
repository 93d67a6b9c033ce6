//! Determinism: the same calls give the same bits in every build, on every platform and with any number of threads. The
//! order of insertion changes only the ids.

use std::collections::BTreeSet;
use std::thread;

use glam::{Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, ColliderId, CollisionEvent, CollisionLayers, MoveOptions, Node, NodeId,
    QueryFilter, Rect, Scene, Tiles, Transform, World,
};
use support::dice::Dice;
use support::{KINDS, Kind, Numbers};

/// Returns all kinds of shapes except the user shape, whose cube root may differ by platform.
fn kinds() -> Vec<Kind> {
    KINDS.into_iter().filter(|(name, _)| *name != "own").collect()
}

/// A hash in the manner of FNV-1a (Fowler, Noll, Vo), over 64-bit values instead of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hash(u64);

impl Hash {
    const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, value: impl Into<u64>) {
        self.0 = (self.0 ^ value.into()).wrapping_mul(0x0100_0000_01b3);
    }

    fn add_vec(&mut self, value: Vec2) {
        value.to_array().into_iter().for_each(|coordinate| self.add(coordinate.to_bits()));
    }
}

fn numbers(dice: &mut Dice) -> Numbers {
    Numbers {
        sizes: [(); 2].map(|()| 0.25 + dice.unit() * 1.5),
        radius: 0.1 + dice.unit() * 0.5,
        points: [(); 5].map(|()| dice.quarters(4)),
    }
}

fn transform(dice: &mut Dice, reach: f32) -> Transform {
    Transform {
        position: dice.vector(-reach..reach),
        rotation: dice.within(-4.0..4.0),
        scale: vec2(dice.within(0.5..1.5), if dice.once_in(2) { -1.0 } else { dice.within(0.5..1.5) }),
        skew: if dice.once_in(4) { dice.within(-0.5..0.5) } else { 0.0 },
    }
}

fn attachment(dice: &mut Dice) -> Attachment {
    let (_, make) = dice.one_of(&kinds());
    let attachment = make(&numbers(dice));
    if dice.once_in(6) { attachment.sensor() } else { attachment }
}

/// Queries the colliders whose index is `part` modulo `parts` and returns a hash of the results.
fn hash_queries(world: World<'_>, ids: &[ColliderId], part: u64, parts: u64) -> Hash {
    let (mut hash, filter) = (Hash::EMPTY, QueryFilter::default());
    for (_, id) in ids.iter().enumerate().filter(|(index, _)| *index as u64 % parts == part) {
        let data = |found: hitgraph::NodeCollider| world.scene().attachment(found.collider).unwrap().user_data;
        let Some(bounds) = world.bounds(*id) else { continue };
        let center = bounds.center();
        world.overlaps(*id).for_each(|other| hash.add(data(other)));
        for hit in world.cast_ray_all(center + vec2(9.0, 1.0), vec2(-9.0, -1.0), 12.0, &filter) {
            hash.add(data(hit.side));
            hash.add(hit.distance.to_bits());
            hash.add_vec(hit.normal);
        }
        for near in world.nearest_n(center + vec2(3.0, -2.0), 3, 5.0, &filter) {
            hash.add(data(near.side));
            hash.add_vec(near.point);
        }
        let from = glam::Affine2::from_translation(center - vec2(4.0, 0.5));
        if let Some(hit) = world.cast_shape(&Circle::new(0.3), &from, vec2(8.0, 1.0), &filter) {
            hash.add(data(hit.side));
            hash.add_vec(hit.point);
        }
        world.in_aabb(Aabb::from_center(center, Vec2::ONE), &filter).for_each(|found| hash.add(data(found)));
    }
    hash
}

/// Runs [`hash_queries`] for eight parts on the given number of threads at once and returns the hashes in order.
fn hash_queries_on_threads(world: World<'_>, ids: &[ColliderId], threads: u64) -> Vec<Hash> {
    const PARTS: u64 = 8;
    let share = |thread: u64| {
        (thread..PARTS)
            .step_by(threads as usize)
            .map(|part| (part, hash_queries(world, ids, part, PARTS)))
            .collect::<Vec<_>>()
    };
    // One thread is this one: wasm has no other.
    let mut found = if threads == 1 {
        share(0)
    } else {
        thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
            handles.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        })
    };
    found.sort_by_key(|(part, _)| *part);
    found.into_iter().map(|(_, hash)| hash).collect()
}

fn hash_events(scene: &Scene, events: &[CollisionEvent], hash: &mut Hash) {
    for event in events {
        hash.add(u64::from(event.started()));
        let pair = event.pair();
        for side in [pair.a, pair.b] {
            hash.add(scene.attachment(side.collider).map_or(u64::MAX, |attachment| attachment.user_data));
            hash.add(scene.get(side.node).map_or(u64::MAX, |node| node.user_data));
        }
        hash.add(u64::from(pair.a.sensor || pair.b.sensor) * 2 + u64::from(pair.owner_boundary));
    }
}

/// Runs a scene with random edits, moves and queries. Returns the hashes of its events, of its transforms and moves,
/// and of its query results.
fn hash_run(steps: u32, threads: u64) -> [Hash; 3] {
    let mut dice = Dice(11);
    let mut scene = Scene::new();
    let [mut events, mut transforms, mut queries] = [Hash::EMPTY; 3];
    let (mut nodes, mut ids, mut number) = (vec![scene.root()], Vec::new(), 0);
    let ground = Attachment::new(Rect::new(60.0, 2.0)).with_layers(CollisionLayers::SCENERY);
    scene.add_with(Node::new("ground").with_position(vec2(0.0, -9.0)), ground);
    let movers: Vec<NodeId> = (0..3)
        .map(|index: u64| {
            let position = vec2(index as f32 * 5.0 - 5.0, 0.0);
            let node = Node::new("mover").with_position(position).with_user_data(1_000_000 + index);
            let shape: Attachment = match index {
                0 => Rect::new(0.8, 1.2).into(),
                1 => Capsule::new(vec2(0.0, -0.3), vec2(0.0, 0.3), 0.4).into(),
                _ => Circle::new(0.5).into(),
            };
            let (node, id) = scene.add_with(node, shape.with_user_data(1_000_000 + index));
            ids.push(id);
            node
        })
        .collect();
    let mut event_count = 0;
    for step in 0..steps {
        for _ in 0..4 {
            number += 1;
            let node = dice.one_of(&nodes);
            let other = dice.one_of(&nodes);
            let id = dice.one_of(&ids);
            match dice.below(16) {
                0..=4 if nodes.len() < 120 => {
                    let child = Node::new("n").with_transform(transform(&mut dice, 5.0)).with_user_data(number);
                    let parent = if dice.once_in(6) { other } else { nodes[0] };
                    let shape = attachment(&mut dice).with_user_data(number);
                    let (child, id) = scene.add_child_with(parent, child, shape).unwrap();
                    ids.push(id);
                    nodes.push(child);
                }
                5 => drop(scene.remove(node)),
                6 => drop(scene.set_parent(node, other)),
                7 => drop(scene.set_parent_in_place(node, other)),
                8 if !movers.iter().any(|mover| scene.node_of(id) == Some(*mover)) => drop(scene.detach(id)),
                9 => {
                    if let Some(node) = scene.get_mut(node).filter(|_| node != nodes[0]) {
                        node.enabled = !dice.once_in(4);
                    }
                }
                10 => {
                    let layers = CollisionLayers::new(1 + dice.below(3) as u32, 1 + dice.below(3) as u32);
                    if let Some(attachment) = scene.attachment_mut(id) {
                        attachment.layers = if dice.once_in(2) { CollisionLayers::ALL } else { layers };
                    }
                }
                _ => {
                    let moved_to = transform(&mut dice, 5.0);
                    if let Some(node) = scene.get_mut(node).filter(|_| node != nodes[0]) {
                        node.transform = moved_to;
                    }
                }
            }
            nodes.retain(|node| scene.contains(*node));
            ids.retain(|id| scene.attachment(*id).is_some());
        }
        for mover in &movers {
            let options =
                MoveOptions { snap_to_floor: if step % 2 == 0 { 0.2 } else { 0.0 }, ..MoveOptions::default() };
            let displacement = vec2(dice.within(-0.5..0.5), dice.within(-0.7..0.5));
            let moved = scene.move_and_slide(*mover, displacement, &options).unwrap();
            transforms.add_vec(moved.travel);
            transforms.add(moved.hits().len() as u64);
        }
        let fired = scene.update();
        hash_events(&scene, &fired, &mut events);
        event_count += fired.len();
        if step % 16 == 0 {
            let world = scene.world();
            for node in &nodes {
                let affine = world.transform(*node).unwrap();
                let columns = [affine.matrix2.x_axis, affine.matrix2.y_axis, affine.translation];
                columns.into_iter().for_each(|column| transforms.add_vec(column));
            }
            for (pair, contact) in world.contacts() {
                queries.add_vec(contact.normal);
                queries.add(contact.depth.to_bits());
                contact.points().iter().for_each(|point| queries.add_vec(*point));
                queries.add(u64::from(pair.a.sensor || pair.b.sensor));
            }
            hash_queries_on_threads(world, &ids, threads).into_iter().for_each(|hash| queries.add(hash.0));
        }
    }
    assert!(event_count > 5 * steps as usize, "{event_count} events are too few");
    [events, transforms, queries]
}

/// The hashes of events, transforms and queries in debug and release builds on every platform. A change of the geometry
/// that changes the last bit of a contact or distance may renew the second and third hash, but not the first. A change of
/// moves renews all three, because the run moves nodes; then compare the first hash of the same run without moves.
const GOLDEN: [Hash; 3] =
    [Hash(15_535_697_712_959_554_557), Hash(8_855_057_682_661_629_467), Hash(5_678_061_325_416_770_955)];

#[test]
fn a_long_mixed_run_matches_its_golden_hashes() {
    assert_eq!(hash_run(1_500, 1), GOLDEN);
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "wasm has no threads")]
fn eight_threads_get_the_same_query_results_as_one() {
    assert_eq!(hash_run(400, 8), hash_run(400, 1));
}

/// The hash of the events and of the world bounds of a scene so large that the feature `parallel` divides its frames.
const LARGE_GOLDEN: Hash = Hash(1_816_077_608_515_459_020);

#[test]
fn large_frames_match_their_golden_hash_with_and_without_threads() {
    let mut dice = Dice(29);
    let mut scene = Scene::new();
    let mut walkers = Vec::new();
    for number in 0..6_000_u32 {
        let transform = transform(&mut dice, 60.0);
        let node = Node::new("").with_transform(transform).with_user_data(u64::from(number));
        // Half are rectangles, so that one bucket has thousands of candidates.
        let collider = if number % 2 == 0 { Rect::new(1.4, 0.8).into() } else { attachment(&mut dice) };
        let collider = collider.with_user_data(u64::from(number));
        walkers.push((scene.add_with(node, collider), dice.quarters(2)));
    }
    let mut hash = Hash::EMPTY;
    for _ in 0..12 {
        for ((node, _), step) in &walkers {
            scene[*node].transform.position += *step * 0.2;
        }
        let events = scene.update();
        hash_events(&scene, &events, &mut hash);
    }
    assert!(scene.touching().len() > 3_000, "{} pairs touch", scene.touching().len());
    let world = scene.world();
    for ((_, collider), _) in &walkers {
        let Aabb { min, max } = world.bounds(*collider).unwrap();
        hash.add_vec(min);
        hash.add_vec(max);
    }
    assert_eq!(hash, LARGE_GOLDEN);
}

/// Events, touching pairs, distances and ray hits of a scene, in which user data replaces ids.
#[derive(Debug, PartialEq)]
struct CrowdResults {
    events: Vec<BTreeSet<(bool, u64, u64)>>,
    touching: BTreeSet<(u64, u64)>,
    distances: Vec<u32>,
    rays: Vec<Vec<(u32, u64)>>,
}

/// Adds colliders in the given order, moves them at random for twelve updates, and queries the result. The transform of
/// a collider depends only on its number in `order`.
fn crowd_results(order: &[u64]) -> CrowdResults {
    let mut scene = Scene::new();
    let mut added: Vec<(u64, NodeId, ColliderId)> = Vec::new();
    for name in order {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(name + 1));
        let node = Node::new("n").with_transform(transform(&mut dice, 9.0));
        let (node, id) = scene.add_with(node, attachment(&mut dice).with_user_data(*name));
        added.push((*name, node, id));
    }
    added.sort();
    let data = |scene: &Scene, id: ColliderId| scene.attachment(id).unwrap().user_data;
    let names = |scene: &Scene, a: ColliderId, b: ColliderId| {
        let (a, b) = (data(scene, a), data(scene, b));
        (a.min(b), a.max(b))
    };
    let mut events = Vec::new();
    let mut dice = Dice(5);
    for _ in 0..12 {
        let fired = scene.update();
        let named = |event: &CollisionEvent| {
            let (a, b) = names(&scene, event.pair().a.collider, event.pair().b.collider);
            (event.started(), a, b)
        };
        events.push(fired.iter().map(named).collect());
        for (_, node, _) in &added {
            if dice.once_in(2) {
                scene[*node].transform = transform(&mut dice, 9.0);
            }
        }
    }
    scene.update();
    let touching = scene.touching().iter().map(|pair| names(&scene, pair.a.collider, pair.b.collider)).collect();
    let world = scene.world();
    let pairs = added.windows(2).map(|pair| world.distance(pair[0].2, pair[1].2).unwrap().to_bits());
    let rays = (0..20_u8).map(|row| {
        let origin = vec2(-20.0, f32::from(row) - 10.0);
        let hits = world.cast_ray_all(origin, vec2(5.0, 0.25), 60.0, &QueryFilter::default());
        let mut hits: Vec<_> =
            hits.iter().map(|hit| (hit.distance.to_bits(), data(world.scene(), hit.side.collider))).collect();
        hits.sort_unstable();
        hits
    });
    CrowdResults { events, touching, distances: pairs.collect(), rays: rays.collect() }
}

#[test]
fn the_order_of_insertion_changes_only_the_ids() {
    let mut order: Vec<u64> = (0..150).collect();
    let expected = crowd_results(&order);
    assert!(expected.events.iter().map(BTreeSet::len).sum::<usize>() > 500 && expected.touching.len() > 50);
    order.reverse();
    assert_eq!(crowd_results(&order), expected);
    let mut dice = Dice(3);
    for last in (1..order.len()).rev() {
        order.swap(last, dice.below(last as u64 + 1) as usize);
    }
    assert_eq!(crowd_results(&order), expected);
}

#[test]
fn what_a_mover_of_several_pieces_passes_does_not_depend_on_earlier_edits() {
    let mut scene = Scene::new();
    let (mover, _) = scene.add_with(Node::new("mover"), Tiles::new(3, 1, Vec2::ONE, |column, _| column != 1));
    let sensors = [0.0, 0.1].map(|y| {
        let sensor = Attachment::new(Circle::new(3.0)).sensor();
        scene.add_with(Node::new("sensor").with_position(vec2(0.0, y)), sensor).0
    });
    let mut edited = scene.clone();
    // The sensors return to the index in the reverse order.
    for enabled in [false, true] {
        for sensor in sensors.into_iter().rev() {
            edited[sensor].enabled = enabled;
            edited.refresh();
        }
    }
    assert_eq!(edited.checksum(), scene.checksum());
    let [expected, moved] =
        [scene, edited].map(|mut scene| scene.move_and_slide(mover, vec2(0.5, 0.0), &MoveOptions::default()).unwrap());
    assert_eq!(expected.passed().len(), sensors.len());
    assert_eq!(moved, expected);
}
