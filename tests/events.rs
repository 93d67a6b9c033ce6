//! What an update tells, against a model that works everything out anew.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::FRAC_PI_2;
use std::fmt;
use std::ops::Bound;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Circle, Collider, ColliderId, CollisionEvent, CollisionLayers, CollisionPair, Node, NodeId,
    QueryFilter, Rect, Scene, Transform,
};
use proptest::prelude::*;
use support::dice::Dice;
use support::{KINDS, Numbers, cases, numbers};

/// One change. Indices are taken modulo what there is, removed things included: stale ids are part of the game.
#[derive(Debug, Clone)]
enum Edit {
    Add { above: usize, transform: Transform },
    Remove(usize),
    Reparent { node: usize, above: usize, in_place: bool },
    Attach { node: usize, kind: usize, numbers: Numbers, sensor: bool },
    Detach(usize),
    MoveCollider { collider: usize, node: usize },
    Place { node: usize, transform: Transform },
    Mirror(usize),
    Flatten(usize),
    Poison { node: usize, with: f32 },
    Heal(usize),
    Overflow(usize),
    EnableNode { node: usize, on: bool },
    EnableCollider { collider: usize, on: bool },
    Sensor { collider: usize, on: bool },
    Layers { collider: usize, layers: CollisionLayers },
    Shape { collider: usize, kind: usize, numbers: Numbers },
    Clear,
    Ask,
    Update,
}

fn place() -> impl Strategy<Value = Transform> {
    let exact = [-6..=6_i8, -6..=6_i8].prop_map(|at| Transform::from_position(vec2(at[0].into(), at[1].into())));
    prop_oneof![2 => exact, 1 => support::transform()]
}

fn edit() -> BoxedStrategy<Edit> {
    let any_one = || 0..24_usize;
    let kind = || 0..KINDS.len();
    let layers =
        prop_oneof![Just(CollisionLayers::ALL), (0..4_u32, 0..4_u32).prop_map(|(m, f)| CollisionLayers::new(m, f))];
    let poison = prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY)];
    prop_oneof![
        6 => (any_one(), place()).prop_map(|(above, transform)| Edit::Add { above, transform }),
        2 => any_one().prop_map(Edit::Remove),
        3 => (any_one(), any_one(), any::<bool>()).prop_map(|(node, above, in_place)| Edit::Reparent { node, above, in_place }),
        9 => (any_one(), kind(), numbers(), prop::bool::weighted(0.2))
            .prop_map(|(node, kind, numbers, sensor)| Edit::Attach { node, kind, numbers, sensor }),
        1 => any_one().prop_map(Edit::Detach),
        2 => (any_one(), any_one()).prop_map(|(collider, node)| Edit::MoveCollider { collider, node }),
        5 => (any_one(), place()).prop_map(|(node, transform)| Edit::Place { node, transform }),
        1 => any_one().prop_map(Edit::Mirror),
        1 => any_one().prop_map(Edit::Flatten),
        2 => (any_one(), poison).prop_map(|(node, with)| Edit::Poison { node, with }),
        2 => any_one().prop_map(Edit::Heal),
        1 => any_one().prop_map(Edit::Overflow),
        2 => (any_one(), any::<bool>()).prop_map(|(node, on)| Edit::EnableNode { node, on }),
        2 => (any_one(), any::<bool>()).prop_map(|(collider, on)| Edit::EnableCollider { collider, on }),
        1 => (any_one(), any::<bool>()).prop_map(|(collider, on)| Edit::Sensor { collider, on }),
        2 => (any_one(), layers).prop_map(|(collider, layers)| Edit::Layers { collider, layers }),
        2 => (any_one(), kind(), numbers()).prop_map(|(collider, kind, numbers)| Edit::Shape { collider, kind, numbers }),
        1 => Just(Edit::Clear),
        2 => Just(Edit::Ask),
        9 => Just(Edit::Update),
    ]
    .boxed()
}

/// Everything that was ever made, whether it still is or not.
#[derive(Default)]
struct Made {
    nodes: Vec<NodeId>,
    colliders: Vec<ColliderId>,
}

impl Made {
    fn apply(&mut self, scene: &mut Scene, edit: &Edit) {
        let root = scene.root();
        let node = |index: &usize| self.nodes.get(index % self.nodes.len().max(1)).copied().unwrap_or(root);
        let collider =
            |index: &usize| self.colliders.get(index % self.colliders.len().max(1)).copied().unwrap_or_default();
        let shape = |kind: &usize, numbers: &Numbers| KINDS[*kind].1(numbers);
        match edit {
            Edit::Add { above, transform } => {
                let above = if above % 3 == 0 { node(above) } else { scene.root() };
                self.nodes.extend(scene.add_child(above, Node::new("n").with_transform(*transform)));
            }
            Edit::Remove(index) => {
                scene.remove(node(index));
            }
            Edit::Reparent { node: index, above, in_place } => {
                let (node, above) = (node(index), if above % 3 == 0 { scene.root() } else { node(above) });
                // Refused or not, the model reads the tree that comes of it.
                let _ = if *in_place { scene.set_parent_in_place(node, above) } else { scene.set_parent(node, above) };
            }
            Edit::Attach { node: index, kind, numbers, sensor } => {
                let attachment = shape(kind, numbers);
                let attachment = if *sensor { attachment.sensor() } else { attachment };
                self.colliders.extend(scene.attach(node(index), attachment));
            }
            Edit::Detach(index) => {
                scene.detach(collider(index));
            }
            Edit::MoveCollider { collider: index, node: to } => {
                let _ = scene.move_collider(collider(index), node(to));
            }
            Edit::Place { node: index, transform } => set(scene, node(index), |node| node.transform = *transform),
            Edit::Mirror(index) => set(scene, node(index), |node| node.transform.scale.x *= -1.0),
            Edit::Flatten(index) => set(scene, node(index), |node| node.transform.scale.y = 0.0),
            Edit::Poison { node: index, with } => {
                set(scene, node(index), |node| node.transform.position.x = *with);
            }
            Edit::Heal(index) => set(scene, node(index), |node| node.transform = Transform::IDENTITY),
            Edit::Overflow(index) => set(scene, node(index), |node| node.transform.scale = Vec2::splat(3e38)),
            Edit::EnableNode { node: index, on } => set(scene, node(index), |node| node.enabled = *on),
            Edit::EnableCollider { collider: index, on } => with(scene, collider(index), |it| it.enabled = *on),
            Edit::Sensor { collider: index, on } => with(scene, collider(index), |it| it.sensor = *on),
            Edit::Layers { collider: index, layers } => with(scene, collider(index), |it| it.layers = *layers),
            Edit::Shape { collider: index, kind, numbers } => {
                let made = shape(kind, numbers);
                with(scene, collider(index), |it| {
                    let sensor = it.sensor;
                    *it = made.with_layers(it.layers).with_enabled(it.enabled);
                    it.sensor = sensor;
                });
            }
            Edit::Clear => scene.clear(),
            Edit::Ask => {
                let _ = scene.world().at_point(Vec2::ZERO, &QueryFilter::default());
            }
            Edit::Update => {}
        }
    }
}

fn set(scene: &mut Scene, node: NodeId, change: impl FnOnce(&mut Node)) {
    if let Some(node) = scene.get_mut(node) {
        change(node);
    }
}

fn with(scene: &mut Scene, collider: ColliderId, change: impl FnOnce(&mut Attachment)) {
    if let Some(attachment) = scene.attachment_mut(collider) {
        change(attachment);
    }
}

/// A touch: the colliders with their nodes at that time, and whether a sensor is among them.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Touch {
    nodes: [NodeId; 2],
    sensor: bool,
}

type Touches = BTreeMap<(ColliderId, ColliderId), Touch>;

/// The scene, worked out from its tree, its nodes and its attachments alone.
#[derive(Debug, Default)]
struct Model {
    touches: Touches,
    quarantined: BTreeSet<NodeId>,
}

impl Model {
    fn of(scene: &Scene) -> Self {
        let mut model = Self::default();
        let mut active: Vec<(ColliderId, NodeId, Affine2)> = Vec::new();
        let all = std::iter::once(scene.root()).chain(scene.descendants(scene.root()));
        for node in all {
            let mut chain: Vec<NodeId> = scene.ancestors(node).collect();
            chain.insert(0, node);
            let (mut at, mut enabled, mut bad) = (Affine2::IDENTITY, true, None);
            for id in chain.iter().rev() {
                at *= scene[*id].transform.to_affine();
                enabled &= scene[*id].enabled;
                bad = bad.or_else(|| (!at.is_finite()).then_some(*id));
            }
            if bad.is_some() {
                model.quarantined.extend(bad);
                continue;
            }
            for id in scene.colliders(node) {
                let attachment = scene.attachment(*id).unwrap();
                if !attachment.shape().bounds(&at).is_finite() {
                    model.quarantined.insert(node);
                } else if enabled && attachment.enabled {
                    active.push((*id, node, at));
                }
            }
        }
        active.sort_by_key(|(id, ..)| *id);
        for (index, (a, node_a, at_a)) in active.iter().enumerate() {
            for (b, node_b, at_b) in &active[index + 1..] {
                let [one, two] = [a, b].map(|id| scene.attachment(*id).unwrap());
                let may = node_a != node_b && one.layers.meets(two.layers);
                if may && one.shape().collides(at_a, two.shape(), at_b) {
                    let touch = Touch { nodes: [*node_a, *node_b], sensor: one.sensor || two.sensor };
                    model.touches.insert((*a, *b), touch);
                }
            }
        }
        model
    }
}

fn unordered([a, b]: [NodeId; 2]) -> [NodeId; 2] {
    [a.min(b), a.max(b)]
}

fn touch(pair: &CollisionPair) -> ((ColliderId, ColliderId), Touch) {
    ((pair.a.collider, pair.b.collider), Touch { nodes: [pair.a.node, pair.b.node], sensor: pair.sensor })
}

/// What an update has to tell between two models: all stops, then all starts, in the order of the pairs, with the first or last
/// touch between two nodes marked.
fn expected_events(old: &Touches, new: &Touches) -> Vec<(bool, (ColliderId, ColliderId), Touch, bool)> {
    let stopped: Vec<_> = old.iter().filter(|(key, _)| !new.contains_key(key)).collect();
    let started: Vec<_> = new.iter().filter(|(key, _)| !old.contains_key(key)).collect();
    // A pair that goes on counts for the nodes that its colliders are on now.
    let goes_on: BTreeSet<_> =
        new.iter().filter(|(key, _)| old.contains_key(key)).map(|(_, touch)| unordered(touch.nodes)).collect();
    let nodes = |list: &[(&(ColliderId, ColliderId), &Touch)]| -> Vec<[NodeId; 2]> {
        list.iter().map(|(_, touch)| unordered(touch.nodes)).collect()
    };
    let (from, to) = (nodes(&stopped), nodes(&started));
    let mut events = Vec::new();
    for (index, (key, touch)) in stopped.iter().enumerate() {
        let nodes = from[index];
        let is_last = !from[index + 1..].contains(&nodes) && !to.contains(&nodes) && !goes_on.contains(&nodes);
        events.push((false, **key, **touch, is_last));
    }
    for (index, (key, touch)) in started.iter().enumerate() {
        let nodes = to[index];
        let is_first = !to[..index].contains(&nodes) && !from.contains(&nodes) && !goes_on.contains(&nodes);
        events.push((true, **key, **touch, is_first));
    }
    events
}

/// Edits, one on a line when they are shown.
#[derive(Clone)]
struct Edits(Vec<Edit>);

impl fmt::Debug for Edits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|edit| write!(f, "\n    {edit:?}"))
    }
}

proptest! {
    #![proptest_config(cases(220))]

    #[test]
    fn whatever_is_edited_the_scene_is_what_the_model_says(edits in prop::collection::vec(edit(), 1..90).prop_map(Edits)) {
        let mut scene = Scene::new();
        let mut made = Made::default();
        let mut old = Touches::new();
        let mut open: BTreeSet<(ColliderId, ColliderId)> = BTreeSet::new();
        for edit in edits.0.iter().chain([&Edit::Update, &Edit::Clear, &Edit::Update]) {
            made.apply(&mut scene, edit);
            let model = Model::of(&scene);
            let pairs: Touches = scene.world().pairs().iter().map(touch).collect();
            prop_assert_eq!(&pairs, &model.touches, "after {:?}", edit);
            prop_assert_eq!(scene.validate(), Ok(()));
            if !matches!(edit, Edit::Update) {
                prop_assert!(scene.touching().iter().map(|pair| touch(pair).0).eq(old.keys().copied()), "only an update changes it");
                continue;
            }
            let events = scene.update();
            let told: Vec<_> = events.iter().map(|event| {
                let (key, touch) = touch(event.pair());
                (matches!(event, CollisionEvent::Started(_)), key, touch, event.pair().node_boundary)
            }).collect();
            prop_assert_eq!(told, expected_events(&old, &model.touches));
            for event in &events {
                let (key, _) = touch(event.pair());
                let fits = match event {
                    CollisionEvent::Started(_) => open.insert(key),
                    CollisionEvent::Stopped(_) => open.remove(&key),
                };
                prop_assert!(fits, "{event:?} comes twice");
            }
            let touching: Touches = scene.touching().iter().map(touch).collect();
            prop_assert!(scene.touching().iter().all(|pair| !pair.node_boundary));
            prop_assert_eq!(&touching, &model.touches);
            prop_assert!(scene.touching().iter().map(|pair| touch(pair).0).eq(touching.keys().copied()), "in order");
            prop_assert_eq!(scene.quarantined(), model.quarantined.iter().copied().collect::<Vec<_>>());
            prop_assert!(scene.update().is_empty(), "nothing new, nothing told");
            old = model.touches;
        }
        prop_assert!(open.is_empty(), "every start has its stop");
    }
}

fn put(scene: &mut Scene, x: f32, attachment: impl Into<Attachment>) -> (NodeId, ColliderId) {
    scene.add_with(Node::new("n").with_position(vec2(x, 0.0)), attachment)
}

fn count(events: &[CollisionEvent]) -> (usize, usize) {
    let started = events.iter().filter(|event| matches!(event, CollisionEvent::Started(_))).count();
    (started, events.len() - started)
}

#[test]
fn two_default_colliders_tell_of_each_other() {
    // RA-1
    let mut scene = Scene::new();
    put(&mut scene, 0.0, Circle::new(1.0));
    put(&mut scene, 1.0, Circle::new(1.0));
    assert_eq!(count(&scene.update()), (1, 0));
}

#[test]
fn a_touch_ends_once_whatever_ends_it() {
    // BX-2
    let ends: [fn(&mut Scene, NodeId, ColliderId); 9] = [
        |scene, node, _| {
            scene.remove(node);
        },
        |scene, _, id| {
            scene.detach(id);
        },
        |scene, node, _| scene[node].enabled = false,
        |scene, _, id| scene.attachment_mut(id).unwrap().enabled = false,
        |scene, _, id| scene.attachment_mut(id).unwrap().layers = CollisionLayers::NONE,
        |scene, _, id| scene.attachment_mut(id).unwrap().set_shape(Circle::point(vec2(50.0, 0.0))),
        |scene, node, _| scene[node].transform.rotation = f32::NAN,
        |scene, node, _| scene[node].transform.scale = Vec2::MAX,
        |scene, _, _| scene.clear(),
    ];
    for (index, end) in ends.into_iter().enumerate() {
        let mut scene = Scene::new();
        let (node, id) = put(&mut scene, 1.0, Circle::new(1.0));
        put(&mut scene, 0.0, Circle::new(1.0));
        assert_eq!(count(&scene.update()), (1, 0));
        end(&mut scene, node, id);
        assert_eq!(count(&scene.update()), (0, 1), "end {index}");
        assert!(scene.update().is_empty() && scene.touching().is_empty(), "end {index}");
    }
}

#[test]
fn what_ends_and_begins_again_between_two_updates_tells_nothing() {
    let mut scene = Scene::new();
    let (node, id) = put(&mut scene, 1.0, Circle::new(1.0));
    put(&mut scene, 0.0, Circle::new(1.0));
    scene.update();
    scene[node].transform.position.x = 99.0;
    assert!(scene.world().pairs().is_empty());
    scene[node].transform.position.x = -1.0;
    scene[node].transform.scale.x = -1.0;
    scene.attachment_mut(id).unwrap().set_shape(Rect::new(3.0, 1.0));
    assert!(scene.update().is_empty());
    assert_eq!(scene.touching().len(), 1);
}

#[test]
fn the_node_boundary_is_the_first_and_the_last_touch_of_two_nodes() {
    let mut scene = Scene::new();
    let (player, _) = put(&mut scene, 0.0, Circle::new(1.0));
    scene.attach(player, Circle::new(2.0)).unwrap();
    let (item, _) = put(&mut scene, 9.0, Circle::new(0.5));
    let mut step = |x: f32| -> Vec<(bool, bool)> {
        scene[item].transform.position.x = x;
        let events = scene.update();
        events.iter().map(|e| (matches!(e, CollisionEvent::Started(_)), e.pair().node_boundary)).collect()
    };
    assert_eq!(step(2.0), [(true, true)], "the outer ring first");
    assert_eq!(step(1.0), [(true, false)], "then the inner one");
    assert_eq!(step(2.0), [(false, false)]);
    assert_eq!(step(9.0), [(false, true)]);
    assert_eq!(step(0.0), [(true, true), (true, false)], "both at once are one beginning");
    assert_eq!(step(9.0), [(false, false), (false, true)], "and one end");
}

#[test]
fn a_moved_collider_goes_on_touching() {
    let mut scene = Scene::new();
    let (hand, sword) = put(&mut scene, 0.0, Circle::new(1.0));
    let (other_hand, _) = put(&mut scene, 0.5, Circle::point(vec2(0.0, 90.0)));
    let (troll, troll_body) = put(&mut scene, 1.0, Circle::new(1.0));
    assert_eq!(scene.update().len(), 1);
    scene.move_collider(sword, other_hand).unwrap();
    assert!(scene.update().is_empty());
    assert!(scene.touching()[0].involves(other_hand) && !scene.touching()[0].involves(hand));
    scene.move_collider(sword, troll).unwrap();
    assert_eq!(count(&scene.update()), (0, 1), "colliders of one node leave each other alone");
    scene.move_collider(troll_body, hand).unwrap();
    assert_eq!(count(&scene.update()), (1, 0));
}

#[test]
fn a_parent_that_is_not_a_number_takes_its_subtree_along_and_back() {
    let mut scene = Scene::new();
    let arm = scene.add(Node::new("arm"));
    let hand = scene.add_child(arm, Node::new("hand").with_position(vec2(5.0, 0.0))).unwrap();
    scene.attach(hand, Circle::new(1.0)).unwrap();
    put(&mut scene, 5.5, Circle::new(1.0));
    scene.update();
    scene[arm].transform.position.y = f32::NAN;
    scene[hand].transform.position.y = f32::INFINITY;
    assert_eq!(count(&scene.update()), (0, 1));
    assert_eq!(scene.quarantined(), [arm], "the topmost one is told");
    assert!(scene.world().position(hand).is_none());
    scene[arm].transform.position.y = 0.0;
    assert!(scene.update().is_empty());
    assert_eq!(scene.quarantined(), [hand], "now it is the topmost");
    scene[hand].transform.position.y = 0.0;
    assert_eq!(count(&scene.update()), (1, 0));
    assert!(scene.quarantined().is_empty());
}

#[test]
fn a_shape_that_overflows_sets_its_node_aside_and_no_other() {
    let mut scene = Scene::new();
    let (big, _) = put(&mut scene, 0.0, Circle::new(1e20));
    let child = scene.add_child(big, Node::new("child").with_scale(Vec2::splat(1e-10))).unwrap();
    scene.attach(child, Circle::new(1.0)).unwrap();
    scene[big].transform.scale = Vec2::splat(1e20);
    scene.update();
    assert_eq!(scene.quarantined(), [big]);
    assert_eq!(
        scene.world().at_point(Vec2::ZERO, &QueryFilter::default()).map(|side| side.node).collect::<Vec<_>>(),
        [child]
    );
    scene[big].transform.scale = Vec2::ONE;
    scene.update();
    assert!(scene.quarantined().is_empty());
}

#[test]
fn ten_thousand_colliders_in_one_place_are_fine() {
    // QT-1. They are scenery, which does not meet scenery: fifty million pairs are another matter.
    let mut scene = Scene::new();
    let mut nodes = Vec::new();
    for _ in 0..10_000 {
        nodes.push(put(&mut scene, 0.0, Attachment::new(Circle::new(1.0)).with_layers(CollisionLayers::SCENERY)).0);
    }
    let (visitor, id) = put(&mut scene, 0.5, Circle::new(1.0));
    assert_eq!(scene.world().overlaps(id).count(), 10_000);
    assert_eq!(scene.world().at_point(Vec2::ZERO, &QueryFilter::default()).count(), 10_001);
    assert_eq!(scene.world().cast_ray_all(vec2(-9.0, 0.0), Vec2::X, 99.0, &QueryFilter::default()).len(), 10_001);
    assert_eq!(scene.validate(), Ok(()));
    scene[visitor].transform.position.x = 50.0;
    assert_eq!(scene.world().overlaps(id).count(), 0);
    for node in nodes.into_iter().rev() {
        scene.remove(node);
    }
    assert_eq!(scene.validate(), Ok(()));
    assert_eq!(scene.world().in_aabb(Aabb::EVERYTHING, &QueryFilter::default()).count(), 1);
}

#[test]
fn nothing_is_dropped_however_many_are_stacked() {
    // BX-1
    let mut scene = Scene::new();
    for _ in 0..1_500 {
        put(&mut scene, 0.0, Attachment::new(Rect::new(1.0, 1.0)).with_layers(CollisionLayers::SCENERY));
    }
    for radius in 1..=20_u8 {
        put(&mut scene, 0.0, Attachment::new(Circle::new(radius.into())).with_layers(CollisionLayers::new(1, 1 << 31)));
    }
    assert_eq!(scene.update().len(), 1_500 * 20);
    assert_eq!(scene.world().pairs().len(), 1_500 * 20);
}

#[test]
fn a_crowd_that_moves_in_parts_is_as_if_every_pair_were_tested() {
    // GO-1: whole coordinates and radii, so that this needs nothing of the crate to tell what touches.
    let mut dice = Dice(1);
    for (count, spread, movers) in [(300, 60, 300), (400, 400, 40), (500, 30_000, 10), (90, 15, 1)] {
        let mut scene = Scene::new();
        let mut circles: BTreeMap<ColliderId, (NodeId, [i32; 2], i32)> = BTreeMap::new();
        for step in 0..40 {
            while circles.len() < count {
                let (center, radius) = ([dice.around(spread), dice.around(spread)], dice.below(4) as i32);
                let node = scene.add(Node::new("n").with_position(Vec2::from(center.map(|c| c as f32))));
                circles.insert(scene.attach(node, Circle::new(radius as f32)).unwrap(), (node, center, radius));
            }
            let ids: Vec<ColliderId> = circles.keys().copied().collect();
            for _ in 0..movers {
                let (node, center, _) = circles.get_mut(&ids[dice.below(ids.len() as u64) as usize]).unwrap();
                let reach = if dice.below(20) == 0 { spread } else { 3 };
                *center = center.map(|c| c + dice.around(reach));
                scene[*node].transform.position = Vec2::from(center.map(|c| c as f32));
            }
            for _ in 0..dice.below(if step % 10 == 9 { count as u64 / 2 } else { 4 }) {
                if let Some((node, ..)) = circles.remove(&ids[dice.below(ids.len() as u64) as usize]) {
                    scene.remove(node);
                }
            }
            let mut expected = Vec::new();
            for (a, (_, at, radius)) in &circles {
                for (b, (_, other, other_radius)) in circles.range((Bound::Excluded(a), Bound::Unbounded)) {
                    let [dx, dy] = [at[0] - other[0], at[1] - other[1]].map(i64::from);
                    if dx * dx + dy * dy <= i64::from(radius + other_radius).pow(2) {
                        expected.push((*a, *b));
                    }
                }
            }
            let keys = |pairs: &[CollisionPair]| pairs.iter().map(|pair| touch(pair).0).collect::<Vec<_>>();
            if step % 3 == 0 {
                assert_eq!(keys(&scene.world().pairs()), expected, "step {step} of {count}");
            }
            if step % 4 != 1 {
                scene.update();
                assert_eq!(keys(scene.touching()), expected, "step {step} of {count}");
            }
            assert_eq!(scene.validate(), Ok(()));
            let region = Aabb::new(Vec2::splat(dice.around(spread) as f32), Vec2::splat(dice.around(spread) as f32));
            let found: Vec<ColliderId> =
                scene.world().in_aabb(region, &QueryFilter::default()).map(|side| side.collider).collect();
            let inside = |(_, (_, at, radius)): &(&ColliderId, &(NodeId, [i32; 2], i32))| {
                let at = Vec2::from(at.map(|c| c as f32));
                at.distance_squared(at.clamp(region.min, region.max)) <= (radius * radius) as f32
            };
            let expected: Vec<ColliderId> = circles.iter().filter(inside).map(|(id, _)| *id).collect();
            assert_eq!(found, expected, "step {step} of {count}");
            let origin = vec2(-2.0 * spread as f32, dice.around(spread) as f32);
            let hits = scene.world().cast_ray_all(origin, Vec2::X, f32::INFINITY, &QueryFilter::default());
            let mut hits: Vec<ColliderId> = hits.iter().map(|hit| hit.side.collider).collect();
            hits.sort();
            let in_line = |(_, (_, at, radius)): &(&ColliderId, &(NodeId, [i32; 2], i32))| {
                (at[1] - origin.y as i32).abs() <= *radius && (at[0] + radius) as f32 >= origin.x
            };
            let expected: Vec<ColliderId> = circles.iter().filter(in_line).map(|(id, _)| *id).collect();
            assert_eq!(hits, expected, "step {step} of {count}");
        }
    }
}

#[test]
fn a_million_units_in_one_step_keep_all_pairs() {
    // GO-1
    let mut scene = Scene::new();
    let crowd = scene.add(Node::new("crowd"));
    for x in 0..100_u8 {
        let node = scene.add_child(crowd, Node::new("n").with_position(vec2(x.into(), 0.0))).unwrap();
        scene.attach(node, Circle::new(0.5)).unwrap();
    }
    assert_eq!(scene.update().len(), 99);
    let far = scene.add(Node::new("far").with_position(vec2(1e6, -1e6)));
    scene.set_parent(crowd, far).unwrap();
    assert!(scene.update().is_empty(), "all moved together");
    scene[crowd].transform.rotation = FRAC_PI_2;
    scene[crowd].enabled = false;
    assert_eq!(count(&scene.update()), (0, 99));
    scene[crowd].enabled = true;
    scene[crowd].transform.rotation = 0.0;
    assert_eq!(count(&scene.update()), (99, 0));
}

#[test]
fn a_user_shape_without_numbers_meets_nothing() {
    #[derive(Debug)]
    struct Broken;
    impl Collider for Broken {
        fn support(&self, _: Vec2) -> Vec2 {
            Vec2::NAN
        }
    }
    let mut scene = Scene::new();
    let (broken, _) = put(&mut scene, 0.0, Broken);
    put(&mut scene, 0.0, Circle::new(1.0));
    assert!(scene.update().is_empty());
    assert_eq!(scene.quarantined(), [broken]);
    assert_eq!(scene.world().overlaps_shape(&Broken, &Affine2::IDENTITY, &QueryFilter::default()).count(), 0);
}

#[test]
fn the_same_calls_give_the_same_events() {
    let run = || {
        let mut scene = Scene::new();
        let mut told = Vec::new();
        let nodes: Vec<NodeId> = (0..60_u8).map(|i| put(&mut scene, f32::from(i) * 0.7, Circle::new(0.5)).0).collect();
        for step in 0..40_u8 {
            for (index, node) in nodes.iter().enumerate() {
                let angle = f32::from(step) * 0.3 + index as f32;
                scene[*node].transform.position += Vec2::from_angle(angle) * 0.9;
            }
            told.extend(scene.update());
        }
        told
    };
    let told = run();
    assert!(told.len() > 100);
    assert_eq!(told, run());
}

#[test]
fn a_pair_is_seen_from_either_of_its_nodes() {
    let mut scene = Scene::new();
    let [(a, on_a), (b, on_b)] = [0.0, 1.0].map(|x| put(&mut scene, x, Circle::new(1.0)));
    let (far, _) = put(&mut scene, 50.0, Circle::new(1.0));
    let pair = *scene.update()[0].pair();
    let seen = |node| pair.seen_from(node).map(|sides| sides.map(|side| (side.node, side.collider)));
    assert_eq!((seen(a), seen(b)), (Some([(a, on_a), (b, on_b)]), Some([(b, on_b), (a, on_a)])));
    assert_eq!((seen(far), pair.other(far)), (None, None));
    assert_eq!((pair.other(a), pair.other(b)), (Some(pair.b), Some(pair.a)));
}
