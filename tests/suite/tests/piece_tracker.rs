//! A tracker reports which pieces of a collider start and stop touching, as often as they do.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use allocation_counter::measure;
use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Circle, ColliderId, CollisionEvent, CollisionLayers, Compound, Node, NodeCollider, NodeId, PieceEvent,
    PieceTracker, Polyline, Rect, Scene, Tile, Tiles,
};
use support::dice::Dice;

/// Returns a scene with a floor of joined tiles, a ball above its first tile, and their ids.
fn floor() -> (Scene, NodeId, ColliderId, ColliderId) {
    let mut scene = Scene::new();
    let (_, floor) = scene.add_with(Node::new("floor"), Tiles::new(9, 1, Vec2::ONE, |_, _| true));
    let (ball, body) = scene.add_with(Node::new("ball").with_position(vec2(0.5, 3.0)), Circle::new(0.2));
    (scene, ball, body, floor)
}

/// Updates the scene and the tracker, and returns whether each event is a start, and the piece.
fn step(scene: &mut Scene, tracker: &mut PieceTracker) -> Vec<(bool, u32)> {
    scene.update();
    tracker.update(scene.world()).iter().map(|event| (event.started, event.piece)).collect()
}

#[test]
fn a_walk_over_joined_tiles_starts_and_stops_each_tile_in_order() {
    let (mut scene, ball, _, floor) = floor();
    let mut tracker = PieceTracker::new(floor);
    assert_eq!(tracker.collider(), floor);
    assert_eq!(step(&mut scene, &mut tracker), []);
    let mut at = |x: f32, y: f32| {
        scene[ball].transform.position = vec2(x, y);
        step(&mut scene, &mut tracker)
    };
    assert_eq!(at(1.5, 1.1), [(true, 1)]);
    assert_eq!(at(1.6, 1.1), [], "a touch that goes on fires nothing");
    assert_eq!(at(2.0, 1.1), [(true, 2)], "on the border it touches both");
    assert_eq!(at(2.5, 1.1), [(false, 1)]);
    assert_eq!(at(5.0, 1.1), [(false, 2), (true, 4), (true, 5)], "stops come first");
    assert_eq!(at(5.0, 9.0), [(false, 4), (false, 5)]);
}

#[test]
fn the_pieces_of_a_started_event_are_those_that_began_to_touch() {
    let line = Polyline::new(&[vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(4.0, 2.0)]).unwrap();
    let rings = Compound::new([Circle::new(1.0), Circle::new(1.0).at(vec2(1.0, 0.0))]).unwrap();
    let boxes = Tiles::new(2, 2, Vec2::ONE, |_, _| true);
    let cases: [(Attachment, Vec2, &[u32]); 3] = [
        (line.into(), vec2(2.0, 0.0), &[0, 1]),
        (rings.into(), vec2(0.5, 0.0), &[0, 1]),
        (boxes.into(), vec2(1.0, 0.5), &[0, 1]),
    ];
    for (shape, place, pieces) in cases {
        let mut scene = Scene::new();
        let (_, shape) = scene.add_with(Node::new("shape"), shape);
        let (probe, _) = scene.add_with(Node::new("probe").with_position(place), Circle::new(0.25));
        let mut tracker = PieceTracker::new(shape);
        let started = scene.update();
        assert!(matches!(started[..], [CollisionEvent::Started(_)]));
        let found = tracker.update(scene.world());
        assert!(found.iter().all(|event| event.started && event.other.node == probe && event.other_piece == 0));
        assert_eq!(found.iter().map(|event| event.piece).collect::<Vec<_>>(), pieces);
    }
}

#[test]
fn a_tracked_ball_reports_the_tiles_as_the_other_pieces() {
    let (mut scene, ball, body, floor) = floor();
    scene[ball].transform.position = vec2(3.0, 1.1);
    let mut tracker = PieceTracker::new(body);
    let found = tracker.update(scene.world());
    let tiles: Vec<_> = found.iter().map(|event| (event.piece, event.other.collider, event.other_piece)).collect();
    assert_eq!(tiles, [(0, floor, 2), (0, floor, 3)]);
}

#[test]
fn whatever_ends_a_touch_stops_its_pieces_once() {
    type End = fn(&mut Scene, NodeId, ColliderId, ColliderId);
    let ends: [(&str, End); 9] = [
        ("removal of the other", |scene, ball, _, _| assert!(scene.remove(ball))),
        ("removal of the tracked one", |scene, _, _, floor| drop(scene.detach(floor))),
        ("disabling", |scene, ball, _, _| scene[ball].enabled = false),
        ("a transform that is not finite", |scene, ball, _, _| scene[ball].transform.position.x = f32::NAN),
        ("layers", |scene, _, body, _| {
            scene.attachment_mut(body).unwrap().layers = CollisionLayers::new(0, 0);
        }),
        ("an ignored pair", |scene, ball, _, floor| scene.ignore_pair(ball, scene.node_of(floor).unwrap()).unwrap()),
        ("an owner", |scene, ball, _, floor| {
            let floor = scene.node_of(floor).unwrap();
            scene[floor].owns_subtree = true;
            scene.set_parent(ball, floor).unwrap();
        }),
        ("an edit of the tile", |scene, _, _, floor| {
            let tiles = scene.attachment_mut(floor).and_then(|attachment| attachment.collider_mut::<Tiles>());
            assert!(tiles.unwrap().set(3, 0, Tile::EMPTY));
        }),
        ("clear", |scene, _, _, _| scene.clear()),
    ];
    for (name, end) in ends {
        let (mut scene, ball, body, floor) = floor();
        let mut tracker = PieceTracker::new(floor);
        scene[ball].transform.position = vec2(3.5, 1.1);
        assert_eq!(step(&mut scene, &mut tracker), [(true, 3)], "{name}");
        end(&mut scene, ball, body, floor);
        assert_eq!(step(&mut scene, &mut tracker), [(false, 3)], "{name}");
        assert_eq!(step(&mut scene, &mut tracker), [], "{name}");
    }
}

#[test]
fn a_narrowed_world_limits_the_reported_colliders() {
    let (mut scene, ball, _, floor) = floor();
    scene[ball].transform.position = vec2(3.5, 1.1);
    let (other, _) = scene.add_with(Node::new("other").with_position(vec2(6.5, 1.1)), Circle::new(0.2));
    let mut tracker = PieceTracker::new(floor);
    let is_other = |side: NodeCollider| side.node == other;
    let found = tracker.update(scene.world().only(&is_other));
    assert_eq!(found.iter().map(|event| (event.other.node, event.piece)).collect::<Vec<_>>(), [(other, 6)]);
}

#[test]
fn a_panic_during_an_update_leaves_the_pieces_of_the_last_update() {
    let (mut scene, ball, _, floor) = floor();
    let mut tracker = PieceTracker::new(floor);
    scene[ball].transform.position = vec2(3.5, 1.1);
    assert_eq!(step(&mut scene, &mut tracker), [(true, 3)]);
    let panics = |_: NodeCollider| -> bool { panic!("as a predicate or a user's shape may") };
    assert!(catch_unwind(AssertUnwindSafe(|| tracker.update(scene.world().only(&panics)))).is_err());
    scene[ball].transform.position.y = 9.0;
    assert_eq!(step(&mut scene, &mut tracker), [(false, 3)], "the start still has its stop");
}

/// Returns a scene with a map, hills, a compound, convex shapes and a second map, and the first three colliders.
fn crowd(dice: &mut Dice) -> (Scene, Vec<NodeId>, Vec<ColliderId>) {
    let mut scene = Scene::new();
    let tile = |column: u32, row: u32| match (column + row * 3) % 7 {
        0 => Tile::EMPTY,
        1 => Tile::slope(0.0, 1.0),
        _ => Tile::FULL,
    };
    let map = || Tiles::from_tiles(6, 4, Vec2::ONE, tile).unwrap();
    let hills: Vec<Vec2> = (0..9_u8).map(|x| vec2(f32::from(x), f32::from(x % 3))).collect();
    let rings = (0..5_u8).map(|x| Circle::new(0.7).at(vec2(f32::from(x), 0.0)));
    let tracked: [Attachment; 3] =
        [map().into(), Polyline::new(&hills).unwrap().into(), Compound::new(rings).unwrap().into()];
    let tracked = tracked.map(|shape| scene.add_with(Node::new("tracked"), shape));
    let mut nodes: Vec<NodeId> = tracked.iter().map(|(node, _)| *node).collect();
    for index in 0..8 {
        let shape: Attachment = if index % 2 == 0 { Circle::new(0.6).into() } else { Rect::new(1.0, 0.6).into() };
        nodes.push(scene.add_with(Node::new("n"), shape).0);
    }
    nodes.push(scene.add_with(Node::new("map"), map()).0);
    for node in &nodes {
        scene[*node].transform.position = dice.vector(-5.0..5.0);
    }
    (scene, nodes, tracked.map(|(_, collider)| collider).to_vec())
}

#[test]
fn events_balance_and_agree_with_touching_pieces_in_every_step() {
    let mut dice = Dice(3);
    let (mut scene, mut nodes, colliders) = crowd(&mut dice);
    let mut trackers: Vec<PieceTracker> = colliders.iter().copied().map(PieceTracker::new).collect();
    let mut touching: Vec<BTreeSet<(ColliderId, u32, u32)>> = vec![BTreeSet::new(); 3];
    let mut counts = BTreeMap::new();
    for frame in 0..400 {
        for _ in 0..3 {
            let node = dice.one_of(&nodes);
            if scene.contains(node) {
                scene[node].transform.position += dice.vector(-1.0..1.0);
                scene[node].transform.rotation += dice.within(-0.5..0.5);
                scene[node].enabled = dice.within(0.0..1.0) < 0.9;
            }
        }
        if frame % 40 == 39 {
            let last = nodes.pop().unwrap();
            scene.remove(last);
        }
        let pairs = scene.update();
        for (tracker, touching) in trackers.iter_mut().zip(&mut touching) {
            let before = touching.clone();
            let events = tracker.update(scene.world());
            assert!(events.is_sorted_by_key(|event| (event.started, event.other.collider, event.piece)));
            for event in events {
                let PieceEvent { started, piece, other, other_piece, .. } = event;
                let key = (other.collider, piece, other_piece);
                assert!(if started { touching.insert(key) } else { touching.remove(&key) }, "{event:?}");
                *counts.entry(started).or_insert(0) += 1;
            }
            let world = scene.world();
            let expected = world.overlaps(tracker.collider()).flat_map(|side| {
                let pieces = world.touching_pieces(tracker.collider(), side.collider);
                pieces.into_iter().map(move |[own, other]| (side.collider, own, other))
            });
            assert!(touching.iter().copied().eq(expected), "frame {frame}");
            // A started pair begins with a piece, and a stopped one ends with its last.
            for event in &pairs {
                let sides = [event.pair().a.collider, event.pair().b.collider];
                let [own, other] = if sides[0] == tracker.collider() { sides } else { [sides[1], sides[0]] };
                if own == tracker.collider() {
                    let is_in = |pieces: &BTreeSet<_>| pieces.iter().any(|(collider, _, _)| *collider == other);
                    assert_eq!([is_in(&before), is_in(touching)], [!event.started(), event.started()], "frame {frame}");
                }
            }
        }
    }
    assert!(counts[&true] > 500, "the program must touch many pieces: {counts:?}");
    scene.clear();
    scene.update();
    for (mut tracker, touching) in trackers.into_iter().zip(touching) {
        assert_eq!(tracker.update(scene.world()).len(), touching.len(), "clear stops everything");
        *counts.get_mut(&false).unwrap() += touching.len();
    }
    assert_eq!(counts[&true], counts[&false]);
}

#[test]
fn a_cloned_tracker_repeats_the_events_of_a_restored_snapshot() {
    let (mut scene, ball, _, floor) = floor();
    scene[ball].transform.position = vec2(2.0, 1.1);
    let mut tracker = PieceTracker::new(floor);
    step(&mut scene, &mut tracker);
    let snapshot = (scene.clone(), tracker.clone());
    let run = |scene: &mut Scene, tracker: &mut PieceTracker| {
        scene[ball].transform.position.x = 2.5;
        step(scene, tracker)
    };
    let first = run(&mut scene, &mut tracker);
    scene.clone_from(&snapshot.0);
    tracker.clone_from(&snapshot.1);
    assert_eq!(run(&mut scene, &mut tracker), first);
    assert_eq!(first, [(false, 1)]);
}

#[test]
fn a_tracker_allocates_nothing_after_warm_up() {
    let mut dice = Dice(8);
    let (mut scene, nodes, colliders) = crowd(&mut dice);
    let mut trackers: Vec<PieceTracker> = colliders.into_iter().map(PieceTracker::new).collect();
    let mut events = Vec::with_capacity(1_000);
    let mut frame = |index: u8| {
        for (number, node) in nodes.iter().enumerate() {
            scene[*node].transform.position = Vec2::from_angle(f32::from(index % 8) + number as f32) * 2.0;
        }
        scene.update();
        let world = scene.world();
        let mut found = 0;
        let measured = measure(|| {
            for tracker in &mut trackers {
                tracker.update_into(world, &mut events);
                found += events.len();
            }
        });
        (measured.count_total, found)
    };
    let (first, _) = frame(0);
    assert!(first > 0, "the counter must count allocations");
    for index in 1..64 {
        frame(index);
    }
    let last: Vec<(u64, usize)> = (64..72).map(frame).collect();
    assert!(last.iter().all(|(count, found)| *count == 0 && *found > 0), "{last:?}");
}
