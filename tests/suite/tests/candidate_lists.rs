//! Candidates that outlive an update: after any mix of motions and edits, the touching pairs are those of a test of
//! every pair, and the events are the differences.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, Collider, ColliderId, CollisionLayers, CollisionPair, Ellipse, Node, NodeId, Rect, Scene,
    Segment,
};
use support::dice::Dice;
use support::{BUILT_IN, Numbers};

type Keys = BTreeSet<[ColliderId; 2]>;

fn key(pair: &CollisionPair) -> [ColliderId; 2] {
    [pair.a.collider, pair.b.collider]
}

/// A scene of many movers with the pairs that touched at the last update.
struct Crowd {
    scene: Scene,
    dice: Dice,
    colliders: Vec<(NodeId, ColliderId)>,
    velocities: Vec<Vec2>,
    side: f32,
    touching: Keys,
    /// How many pairs started to touch.
    starts: usize,
}

impl Crowd {
    fn new(seed: u64, count: usize) -> Self {
        let side = (count as f32).sqrt() * 1.8;
        let (colliders, velocities) = (Vec::new(), Vec::new());
        let mut crowd = Self {
            scene: Scene::new(),
            dice: Dice(seed),
            colliders,
            velocities,
            side,
            touching: Keys::new(),
            starts: 0,
        };
        for _ in 0..count {
            let added = crowd.add();
            crowd.colliders.push(added);
            let velocity = vec2(crowd.dice.within(-0.1..0.1), crowd.dice.within(-0.1..0.1));
            crowd.velocities.push(velocity);
        }
        crowd
    }

    fn position(&mut self) -> Vec2 {
        vec2(self.dice.within(0.0..self.side), self.dice.within(0.0..self.side))
    }

    fn collider(&mut self) -> Attachment {
        let common: [Attachment; 4] =
            [Circle::new(0.7).into(), Rect::new(1.2, 0.9).into(), Rect::new(0.5, 2.0).into(), Circle::new(0.3).into()];
        if self.dice.once_in(3) {
            let (_, make) = BUILT_IN[self.dice.below(BUILT_IN.len() as u64) as usize];
            make(&Numbers::PLAIN)
        } else {
            self.dice.one_of(&common)
        }
    }

    fn add(&mut self) -> (NodeId, ColliderId) {
        let (position, collider) = (self.position(), self.collider());
        self.scene.add_with(Node::new("").with_position(position), collider)
    }

    fn random(&mut self) -> usize {
        self.dice.below(self.colliders.len() as u64) as usize
    }

    /// Moves every collider in a range by its velocity.
    fn step(&mut self, first: usize, count: usize, speed: f32) {
        for index in first..(first + count).min(self.colliders.len()) {
            let (node, _) = self.colliders[index];
            let transform = &mut self.scene[node].transform;
            transform.position += self.velocities[index] * speed;
            transform.rotation += 0.01 * speed;
            if transform.position.clamp(Vec2::ZERO, Vec2::splat(self.side)) != transform.position {
                self.velocities[index] = -self.velocities[index];
            }
        }
    }

    /// Updates the scene, and compares events and pairs with a test of every pair.
    fn check(&mut self, context: &str) {
        let events = self.scene.update();
        assert_eq!(self.scene.validate(), Ok(()), "{context}");
        let (mut stops, mut starts) = (Keys::new(), Keys::new());
        for event in &events {
            let set = if event.started() { &mut starts } else { &mut stops };
            assert!(set.insert(key(event.pair())), "{context}: two events {event:?}");
        }
        let world = self.scene.world();
        let mut expected = Keys::new();
        for (index, (node, first)) in self.colliders.iter().enumerate() {
            for (other_node, second) in &self.colliders[..index] {
                let layers =
                    [first, second].map(|id| world.attachment(*id).map_or(CollisionLayers::NONE, |it| it.layers));
                let enabled = [node, other_node].into_iter().all(|node| world.is_enabled(*node))
                    && [first, second].into_iter().all(|id| world.attachment(*id).is_some_and(|it| it.enabled));
                let owners = [node, other_node].map(|node| world.owner(*node));
                if enabled
                    && owners[0] != owners[1]
                    && layers[0].meets(layers[1])
                    && world.contact(*first, *second).is_some()
                {
                    expected.insert([*first.min(second), *first.max(second)]);
                }
            }
        }
        let found: Keys = self.scene.touching().iter().map(|pair| key(&pair)).collect();
        assert_eq!(found, expected, "{context}");
        assert!(self.scene.touching().iter().map(|pair| key(&pair)).is_sorted(), "{context}");
        assert_eq!(stops, self.touching.difference(&expected).copied().collect(), "{context}: stops");
        assert_eq!(starts, expected.difference(&self.touching).copied().collect(), "{context}: starts");
        self.starts += starts.len();
        self.touching = expected;
    }

    /// Moves all colliders by their velocities for some frames.
    fn walk(&mut self, frames: usize, context: &str) {
        for frame in 0..frames {
            self.step(0, self.colliders.len(), 1.0);
            self.check(&format!("{context}, frame {frame}"));
        }
    }
}

#[test]
fn colliders_that_walk_escape_and_return_touch_as_a_test_of_every_pair_says() {
    for seed in 0..4 {
        let mut crowd = Crowd::new(seed, 60);
        crowd.walk(30, "forwards");
        crowd.velocities.iter_mut().for_each(|velocity| *velocity = -*velocity);
        crowd.walk(30, "backwards");
        assert!(crowd.starts > 60, "{} pairs started", crowd.starts);
    }
}

#[test]
fn one_fast_mover_among_slow_ones_meets_all_that_it_passes() {
    let mut crowd = Crowd::new(7, 60);
    crowd.velocities[5] = vec2(4.0, 3.0);
    crowd.walk(60, "fast");
}

#[test]
fn teleports_of_everything_and_of_a_few_leave_no_pair_behind() {
    let mut crowd = Crowd::new(11, 50);
    for frame in 0..60 {
        // In turn all teleport, a few do, all walk, and all stand still.
        let count = [50, 3, 0, 0][frame / 5 % 4];
        for _ in 0..count {
            let (index, position) = (crowd.random(), crowd.position());
            let (node, _) = crowd.colliders[index];
            crowd.scene[node].transform.position = position;
        }
        if frame / 5 % 4 == 2 {
            crowd.step(0, 50, 1.0);
        }
        crowd.check(&format!("frame {frame}"));
    }
}

#[test]
fn few_movers_between_many_keep_the_pairs_of_the_rest() {
    let mut crowd = Crowd::new(13, 80);
    for frame in 0..120 {
        let count = [80, 2, 80, 1, 1, 1, 1, 1, 1, 1, 1, 9, 1, 80][frame % 14];
        crowd.step(frame % 40, count, 2.0);
        crowd.check(&format!("frame {frame}"));
    }
}

#[test]
fn colliders_in_one_place_touch_all_others_and_then_none() {
    let mut crowd = Crowd::new(17, 40);
    for frame in 0..12 {
        for index in 0..40_usize {
            let (node, _) = crowd.colliders[index];
            let apart = vec2(index as f32 * 10.0, 0.01 * frame as f32);
            crowd.scene[node].transform.position = if frame % 4 < 2 { vec2(0.01 * frame as f32, 0.0) } else { apart };
        }
        crowd.check(&format!("frame {frame}"));
    }
}

#[test]
fn churn_that_reuses_slots_at_the_same_place_stops_and_starts_each_pair() {
    let mut crowd = Crowd::new(19, 60);
    for frame in 0..40 {
        crowd.step(0, 60, 1.0);
        for _ in 0..6 {
            let index = crowd.random();
            let (node, _) = crowd.colliders[index];
            let at = crowd.scene[node].transform;
            assert!(crowd.scene.remove(node));
            let collider = crowd.collider();
            crowd.colliders[index] = crowd.scene.add_with(Node::new("").with_transform(at), collider);
        }
        crowd.check(&format!("frame {frame}"));
    }
}

#[test]
fn settings_shapes_parents_and_scales_may_change_while_candidates_are_kept() {
    for seed in 0..6 {
        let mut crowd = Crowd::new(100 + seed, 60);
        let groups = [false, true].map(|owns| crowd.scene.add(Node::new("group").with_owns_subtree(owns)));
        for frame in 0..80 {
            let speed = if frame % 16 < 12 { 1.0 } else { 0.0 };
            crowd.step(0, 60, speed);
            for _ in 0..4 {
                let index = crowd.random();
                let (node, collider) = crowd.colliders[index];
                let edit = crowd.dice.below(11);
                let scale =
                    crowd.dice.one_of(&[Vec2::ONE, Vec2::ZERO, vec2(0.0, 1.0), vec2(-1.0, 1.0), vec2(2.0, 0.5)]);
                let new_shape = crowd.collider();
                let group = crowd.dice.one_of(&[groups[0], groups[1], crowd.scene.root()]);
                let bits = 1 << crowd.dice.below(3);
                let scene = &mut crowd.scene;
                match edit {
                    0 => scene[node].transform.scale = scale,
                    1 => scene[node].enabled ^= true,
                    2 => scene.attachment_mut(collider).unwrap().enabled ^= true,
                    3 => scene.attachment_mut(collider).unwrap().layers = CollisionLayers::new(bits, bits | 1),
                    4 => *scene.attachment_mut(collider).unwrap() = new_shape,
                    5 => scene.set_parent(node, group).unwrap(),
                    6 => scene[node].transform.position.x = f32::NAN,
                    7 => scene[node].transform.position = Vec2::splat(3.0),
                    8 => scene[node].transform.scale = Vec2::splat(1e30),
                    9 => scene.attachment_mut(collider).unwrap().set_collider(Ellipse::new(0.9, 0.3)),
                    _ => scene.attachment_mut(collider).unwrap().set_collider(Segment::new(-Vec2::X, Vec2::X)),
                }
                // Quarantined colliders return soon.
                let index = crowd.random();
                let (returning, _) = crowd.colliders[index];
                let transform = &mut crowd.scene[returning].transform;
                if !transform.is_finite() || transform.scale.x > 1e3 {
                    (transform.position, transform.scale) = (Vec2::splat(4.0), Vec2::ONE);
                }
            }
            crowd.check(&format!("seed {seed}, frame {frame}"));
        }
        assert!(crowd.starts > 500, "{} pairs started", crowd.starts);
    }
}

#[test]
fn shots_that_ignore_each_other_meet_targets_that_move_and_targets_at_rest() {
    let mut crowd = Crowd::new(37, 150);
    let (shots, targets) = (CollisionLayers::new(1, 2), CollisionLayers::new(2, 3));
    for (index, (_, collider)) in crowd.colliders.iter().enumerate() {
        crowd.scene.attachment_mut(*collider).unwrap().layers = if index < 110 { shots } else { targets };
    }
    for index in 0..110 {
        crowd.velocities[index] *= 20.0;
    }
    for frame in 0..60 {
        // First all targets move, then few, then none.
        crowd.step(0, [150, 130, 110][frame / 20], 1.0);
        crowd.check(&format!("frame {frame}"));
    }
    assert!(crowd.starts > 500, "{} pairs started", crowd.starts);
}

#[test]
fn a_few_movers_among_many_still_colliders_keep_the_pairs_of_the_rest() {
    let mut crowd = Crowd::new(31, 220);
    crowd.walk(2, "all walk");
    for frame in 0..60 {
        let first = [0, 0, 0, 100][frame / 15];
        crowd.step(first, 4, if frame % 9 == 8 { 20.0 } else { 1.0 });
        if frame % 20 == 19 {
            let (node, _) = crowd.colliders[first + 1];
            assert!(crowd.scene.remove(node));
            crowd.colliders[first + 1] = crowd.add();
        }
        crowd.check(&format!("frame {frame}"));
    }
}

#[test]
fn movers_that_come_to_rest_and_wake_up_keep_their_pairs() {
    let mut crowd = Crowd::new(23, 120);
    crowd.walk(6, "all walk");
    for frame in 0..40 {
        crowd.step(0, 30, 1.0);
        crowd.check(&format!("30 of 120 walk, frame {frame}"));
    }
    crowd.walk(20, "all walk again");
}

#[test]
fn pairs_of_still_colliders_that_wake_up_or_disappear_stop_once_while_others_walk() {
    for seed in 0..4 {
        let mut crowd = Crowd::new(300 + seed, 200);
        crowd.walk(2, "all walk");
        for frame in 0..100 {
            crowd.step(0, 80, 1.0);
            // The colliders from 80 on are still. In the first frames, they get into the still tier.
            for _ in 0..if frame < 20 { 0 } else { 3 } {
                let index = 80 + crowd.dice.below(120) as usize;
                let (node, collider) = crowd.colliders[index];
                let at = crowd.position();
                match crowd.dice.below(5) {
                    0 => crowd.step(index, 5, 1.0),
                    1 => crowd.scene[node].transform.position = at,
                    2 => crowd.scene[node].enabled ^= true,
                    3 => crowd.scene.attachment_mut(collider).unwrap().enabled ^= true,
                    _ => {
                        let transform = crowd.scene[node].transform;
                        assert!(crowd.scene.remove(node));
                        let collider = crowd.collider();
                        crowd.colliders[index] =
                            crowd.scene.add_with(Node::new("").with_transform(transform), collider);
                    }
                }
            }
            crowd.check(&format!("seed {seed}, frame {frame}"));
        }
    }
}

#[test]
fn updates_of_a_few_movers_between_updates_of_all_keep_the_pairs_of_the_rest() {
    for seed in 0..4 {
        let mut crowd = Crowd::new(500 + seed, 150);
        for frame in 0..60 {
            // In some frames, a part of the crowd rests until it gets into the still tier.
            let walkers = if frame % 30 < 12 { 150 } else { 60 };
            crowd.step(0, walkers, 1.0);
            crowd.check(&format!("seed {seed}, all, frame {frame}"));
            for _ in 0..crowd.dice.below(4) {
                let index = crowd.random();
                crowd.step(index, 3, 4.0);
                if crowd.dice.once_in(3) {
                    let (node, _) = crowd.colliders[index];
                    assert!(crowd.scene.remove(node));
                    crowd.colliders[index] = crowd.add();
                }
                crowd.check(&format!("seed {seed}, a few, frame {frame}"));
            }
        }
        assert!(crowd.starts > 300, "{} pairs started", crowd.starts);
    }
}

thread_local! {
    static PANICS: Cell<bool> = const { Cell::new(false) };
}

#[derive(Debug, Clone)]
struct Fragile;

impl Collider for Fragile {
    fn support(&self, direction: Vec2) -> Vec2 {
        assert!(!PANICS.get(), "a fault of the user");
        direction.normalize_or_zero()
    }

    fn bounds(&self, at: &Affine2) -> Aabb {
        Aabb::from_center(at.translation, Vec2::ONE)
    }
}

#[test]
fn a_panic_of_a_users_shape_during_an_update_leaves_the_pairs_of_the_last_update() {
    // With many others, an update searches around the movers alone.
    for (movers, others) in [(3, 0), (1, 0), (3, 100), (1, 100)] {
        let mut scene = Scene::new();
        let nodes = [Attachment::new(Fragile), Attachment::new(Fragile), Attachment::new(Circle::new(1.0))]
            .map(|collider| scene.add_with(Node::new(""), collider).0);
        for _ in 0..others {
            let at = vec2(100.0, scene.node_count() as f32 * 5.0);
            scene.add_with(Node::new("").with_position(at), Circle::new(1.0));
        }
        for _ in 0..4 {
            nodes.iter().for_each(|node| scene[*node].transform.position.x += 0.1);
            scene.update();
        }
        assert_eq!(scene.touching().len(), 3);
        // Far enough to leave every extended box.
        nodes[..movers].iter().for_each(|node| scene[*node].transform.position.y += 0.5);
        nodes[..movers]
            .iter()
            .for_each(|node| scene[*node].transform.position.x += if movers == 3 { -50.0 } else { 0.5 });
        PANICS.set(true);
        assert!(catch_unwind(AssertUnwindSafe(|| scene.update())).is_err());
        PANICS.set(false);
        assert_eq!(scene.update(), [], "{movers} movers, {others} others: the same three still touch");
        assert_eq!((scene.touching().len(), scene.validate()), (3, Ok(())));
        scene[nodes[0]].transform.position.x += 500.0;
        assert_eq!(scene.update().len(), 2, "{movers} movers, {others} others: one has left");
        assert_eq!((scene.touching().len(), scene.validate()), (1, Ok(())));
    }
}
