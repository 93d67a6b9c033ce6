//! Saving and loading: of every shape, of plain data, of whole scenes in the middle of a game, and of damaged data.

use std::collections::BTreeMap;
use std::f32::consts::FRAC_PI_4;
use std::fmt::Debug;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Builtin, Capsule, Circle, Collider, ColliderId, CollisionEvent, CollisionLayers, CollisionPair,
    Compound, DebugOptions, Motion, MoveOptions, MoveResponse, Moved, Node, NodeCollider, NodeId, Polygon, Polyline,
    Pushed, QueryFilter, Rect, SavedScene, Scene, Segment, Shape, Tile, Tiles, Transform,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use support::dice::Dice;
use support::saved::{from_bytes, to_bytes};
use support::{KINDS, Numbers, Squircle};

/// A game that uses everything whose state a scene remembers: movers on platforms, pushes, events, quarantine, owners.
/// All its own state is here, so that it can continue with a loaded scene.
#[derive(Clone)]
struct Game {
    scene: Scene,
    dice: Dice,
    frame: u32,
    movers: Vec<NodeId>,
    lift: NodeId,
    tiles: ColliderId,
    nodes: Vec<NodeId>,
    /// `true` if the game looks at the world after each edit. That must change no answer.
    looks: bool,
}

/// All answers of a frame.
#[derive(Debug, PartialEq)]
struct Answers {
    moves: Vec<Moved>,
    pushed: Pushed,
    events: Vec<CollisionEvent>,
    touching: Vec<CollisionPair>,
    quarantined: Vec<NodeId>,
    found: Vec<NodeCollider>,
    positions: Vec<Option<[u32; 2]>>,
    checksum: u64,
}

impl Game {
    fn new(seed: u64) -> Self {
        let mut scene = Scene::new();
        let dice = Dice(seed);
        let map = Tiles::from_tiles(60, 4, Vec2::ONE, |column, row| match (column * 7 + row * 3) % 11 {
            _ if row == 0 => Tile::FULL,
            0 => Tile::slope(0.0, 1.0),
            1 => Tile::part(vec2(0.0, 0.8), Vec2::ONE).one_way(Vec2::Y),
            _ => Tile::EMPTY,
        });
        let (_, tiles) = scene.add_with(Node::new("map").with_position(vec2(-30.0, -6.0)), map.unwrap());
        for x in -20..20_i8 {
            let crate_ = Node::new("crate").with_position(vec2(f32::from(x) * 1.25, -1.5));
            scene.add_with(crate_, Rect::new(1.25, 0.5));
        }
        let (lift, _) = scene.add_with(Node::new("lift").with_position(vec2(0.0, 1.0)), Rect::new(4.0, 0.3));
        let movers = (0..8_u8).map(|index| {
            let at = vec2(f32::from(index) * 1.1 - 4.0, 2.0 + f32::from(index % 3));
            let shape: Attachment = match index % 4 {
                0 => Rect::new(0.8, 1.2).into(),
                1 => Capsule::new(vec2(0.0, -0.3), vec2(0.0, 0.3), 0.4).into(),
                2 => Circle::new(0.5).into(),
                _ => Squircle(0.5).into(),
            };
            scene.add_with(Node::new("mover").with_position(at), shape).0
        });
        let movers = movers.collect();
        let nodes = vec![scene.root()];
        Self { scene, dice, frame: 0, movers, lift, tiles, nodes, looks: false }
    }

    fn frame(&mut self) -> Answers {
        self.frame += 1;
        for _ in 0..3 {
            self.edit();
            if self.looks {
                let _ = self.scene.world();
            }
        }
        let mut moves = Vec::new();
        for (index, mover) in self.movers.iter().enumerate() {
            let options = MoveOptions { snap_to_floor: 0.2, step_height: 0.3, ..MoveOptions::default() };
            let side = if (self.frame / 64 + index as u32).is_multiple_of(2) { 0.1 } else { -0.1 };
            let moved = self.scene.move_and_slide(*mover, vec2(side, -0.2), &options);
            moves.extend(moved.ok());
        }
        let phase = self.frame % 160;
        let rise = if phase < 80 { 0.05 } else { -0.05 };
        let pushed = self.scene.push(self.lift, vec2(0.0, rise), &MoveOptions::default()).unwrap();
        let events = self.scene.update();
        let world = self.scene.world();
        let positions = self.nodes.iter().map(|node| world.position(*node).map(|at| at.to_array().map(f32::to_bits)));
        let (positions, found) = (
            positions.collect(),
            world.in_aabb(Aabb::new(vec2(-9.0, -9.0), vec2(9.0, 9.0)), &QueryFilter::default()).collect(),
        );
        Answers {
            moves,
            pushed,
            events,
            touching: self.scene.touching().iter().collect(),
            quarantined: self.scene.quarantined().to_vec(),
            found,
            positions,
            checksum: self.scene.checksum(),
        }
    }

    /// A random edit.
    fn edit(&mut self) {
        let Self { scene, dice, nodes, .. } = self;
        let [node, other] = [(); 2].map(|()| dice.one_of(nodes));
        let at = Transform {
            position: vec2(dice.within(-9.0..9.0), dice.within(-6.0..6.0)),
            rotation: dice.within(-4.0..4.0),
            scale: vec2(dice.within(0.5..1.5), dice.within(-1.5..1.5)),
            skew: if dice.once_in(4) { 0.25 } else { 0.0 },
        };
        match dice.below(13) {
            0 | 1 if nodes.len() < 60 => {
                let (_, make) = dice.one_of(&KINDS);
                let attachment = make(&Numbers::PLAIN);
                let attachment = if dice.once_in(2) { attachment.sensor() } else { attachment };
                let parent = if dice.once_in(4) { other } else { scene.root() };
                nodes.push(scene.add_child_with(parent, Node::new("n").with_transform(at), attachment).unwrap().0);
            }
            2 if node != scene.root() => {
                scene.remove(node);
                nodes.retain(|node| scene.contains(*node));
            }
            3 => drop(scene.set_parent(node, other)),
            4 => drop(scene.set_parent_in_place(node, other)),
            5 if node != scene.root() => scene[node].transform.position.x = f32::NAN,
            6 if node != scene.root() => scene[node].owns_subtree ^= true,
            7 if node != scene.root() => scene[node].enabled ^= true,
            8 => {
                if let Some(attachment) = scene.colliders(node).first().copied().and_then(|id| scene.attachment_mut(id))
                {
                    attachment.layers = CollisionLayers::new(1 + (dice.below(3) as u32), u32::MAX);
                }
            }
            9 => {
                let (column, row) = (dice.below(60) as u32, dice.below(4) as u32);
                let tile = dice.one_of(&[Tile::EMPTY, Tile::FULL, Tile::slope(0.0, 0.5)]);
                let tiles = scene.attachment_mut(self.tiles).and_then(Attachment::collider_mut::<Tiles>);
                assert!(tiles.unwrap().set(column, row, tile));
            }
            10 if scene.ignores_pair(node, other) => assert!(scene.stop_ignoring_pair(node, other)),
            10 => scene.ignore_pair(node, other).unwrap(),
            _ if node != scene.root() => scene[node].transform = at,
            _ => {}
        }
    }
}

/// Saves a game after some frames, and compares the next frames of the loaded game with those of the game itself.
fn compare_runs(seed: u64, saved_at: u32, frames: u32) {
    let mut game = Game::new(seed);
    (0..saved_at).for_each(|_| drop(game.frame()));
    // Edits that no update has processed are saved too.
    game.edit();
    let bytes = to_bytes(&game.scene);
    let mut loaded = Game { scene: from_bytes(&bytes).unwrap(), looks: true, ..game.clone() };
    assert_eq!(loaded.scene.checksum(), game.scene.checksum());
    assert!(to_bytes(&loaded.scene) == bytes, "seed {seed}: a loaded scene is saved as the same bytes");
    for frame in 0..frames {
        let [found, expected] = [loaded.frame(), game.frame()];
        let run = format!("seed {seed}, saved after {saved_at} frames, frame {frame}");
        assert_eq!(found.events, expected.events, "{run}");
        // The rest is too long to print.
        assert!(found == expected, "{run}");
    }
    assert_eq!(loaded.scene.validate(), Ok(()));
}

#[test]
fn a_thousand_frames_after_loading_are_those_of_the_uninterrupted_run() {
    compare_runs(1, 200, 1_000);
}

/// `SAVING_SEEDS` sets the number of games.
#[test]
fn a_game_may_be_saved_after_any_frame() {
    let seeds = std::env::var("SAVING_SEEDS").map_or(4, |seeds| seeds.parse().unwrap());
    for seed in 2..2 + seeds {
        compare_runs(seed, seed as u32 * 7 % 100, 100);
    }
}

/// Plays 1,000 frames of a game. Returns a hash of every move, event and checksum.
fn play_on(mut game: Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    for _ in 0..1_000 {
        let Answers { moves, events, checksum, .. } = game.frame();
        format!("{moves:?} {events:?} {checksum}").hash(&mut hasher);
    }
    hasher.finish()
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "wasm has no processes")]
fn a_game_goes_on_with_the_same_bits_in_another_process() {
    const FOLDER: &str = "SAVING_FOLDER";
    let path = |folder: &str, name: &str| PathBuf::from(folder).join(name);
    if let Ok(folder) = std::env::var(FOLDER) {
        // This is the other process, started below.
        let scene = from_bytes(&fs::read(path(&folder, "scene")).unwrap()).unwrap();
        let game = fs::read(path(&folder, "game")).unwrap();
        let (seed, frame, movers, lift, tiles, nodes) = serde_json::from_slice(&game).unwrap();
        let game = Game { scene, dice: Dice(seed), frame, movers, lift, tiles, nodes, looks: false };
        return fs::write(path(&folder, "result"), play_on(game).to_string()).unwrap();
    }
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/saved_game");
    fs::create_dir_all(folder).unwrap();
    let mut game = Game::new(3);
    (0..200).for_each(|_| drop(game.frame()));
    let Game { scene, dice, frame, movers, lift, tiles, nodes, looks: _ } = &game;
    fs::write(path(folder, "scene"), to_bytes(scene)).unwrap();
    let rest = serde_json::to_vec(&(dice.0, frame, movers, lift, tiles, nodes)).unwrap();
    fs::write(path(folder, "game"), rest).unwrap();
    let other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_game_goes_on_with_the_same_bits_in_another_process"])
        .env(FOLDER, folder)
        .status();
    assert!(other.unwrap().success());
    assert_eq!(fs::read_to_string(path(folder, "result")).unwrap(), play_on(game).to_string());
}

/// Every kind of shape, plain, placed, rotated, large, tiny and not finite.
fn shapes() -> Vec<Shape> {
    let numbers = [
        Numbers::PLAIN,
        Numbers { sizes: [0.0; 2], radius: 0.0, points: [Vec2::ZERO; 5] },
        Numbers { sizes: [1e30, 1e-40], radius: 1e-40, points: Numbers::PLAIN.points.map(|point| point * 1e20) },
    ];
    let plain = numbers.iter().flat_map(|numbers| {
        support::BUILT_IN.iter().map(|(_, make)| make(numbers)).map(|attachment| {
            let mut shape = None;
            match attachment.builtin().unwrap() {
                Builtin::Circle(it) => shape = Some(Shape::from(*it)),
                Builtin::Segment(it) => shape = Some((*it).into()),
                Builtin::Capsule(it) => shape = Some((*it).into()),
                Builtin::Rect(it) => shape = Some((*it).into()),
                Builtin::Polygon(it) => shape = Some(it.clone().into()),
                Builtin::Ellipse(it) => shape = Some((*it).into()),
                Builtin::Rounded(it) => shape = Some(it.clone().into()),
                _ => {}
            }
            shape.unwrap()
        })
    });
    let plain: Vec<Shape> = plain.collect();
    let edits: [fn(Shape) -> Shape; 5] = [
        |shape| shape,
        |shape| shape.at(vec2(0.1, -0.0)).rotated(0.3),
        |shape| shape.rotated(2.0).rotated(-1.0),
        |shape| shape.at(vec2(f32::NAN, f32::INFINITY)),
        |shape| shape.rotated(f32::NAN),
    ];
    plain.iter().flat_map(|shape| edits.map(|edit| edit(shape.clone()))).collect()
}

/// Returns a value after it was written and read as JSON and as postcard.
fn round_trips<T: Serialize + DeserializeOwned>(value: &T) -> [T; 2] {
    let text = serde_json::to_string(value).unwrap();
    let bytes = postcard::to_allocvec(value).unwrap();
    [
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}")),
        postcard::from_bytes(&bytes).unwrap(),
    ]
}

#[test]
fn every_shape_survives_a_round_trip_bit_for_bit() {
    let shapes = shapes();
    assert!(shapes.len() > 100);
    for shape in &shapes {
        for loaded in round_trips(shape) {
            assert_eq!(loaded.checksum(), shape.checksum(), "{loaded:?} was {shape:?}");
        }
    }
}

#[test]
fn every_composite_survives_a_round_trip_bit_for_bit() {
    let outline = [vec2(0.0, 0.0), vec2(3.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 3.0)];
    let compound = Compound::from_outline(&outline).unwrap();
    let lines = [
        Polyline::new(&outline).unwrap(),
        Polyline::closed(&outline).unwrap().one_sided(),
        Polyline::new(&outline[..1]).unwrap(),
    ];
    let mut maps = [
        Tiles::new(0, 9, Vec2::ONE, |_, _| true),
        Tiles::new(5, 4, vec2(16.0, 0.0), |column, row| (column + row) % 3 > 0),
        Tiles::from_tiles(3, 1, Vec2::ONE, |column, _| {
            [Tile::slope(0.2, 0.7).flipped(), Tile::FULL.one_way(Vec2::Y), Tile::EMPTY.one_way(Vec2::X)]
                [column as usize]
        })
        .unwrap(),
    ];
    maps[1].set(2, 2, Tile::slope(0.0, 0.5));
    maps[1].set(2, 2, Tile::FULL);
    for loaded in round_trips(&compound) {
        assert_eq!(loaded, compound);
    }
    for line in lines {
        for loaded in round_trips(&line) {
            assert_eq!(loaded, line);
        }
    }
    for map in maps {
        for loaded in round_trips(&map) {
            assert_eq!((loaded.checksum(), loaded.piece_count()), (map.checksum(), map.piece_count()));
        }
    }
}

#[test]
fn plain_data_survives_a_round_trip() {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        round_trips(value).iter().for_each(|loaded| assert_eq!(loaded, value));
    }
    let mut scene = Scene::new();
    let (node, collider) = scene.add_with(Node::new("a \"name\"").with_user_data(u64::MAX), Circle::new(1.0));
    let (other, _) = scene.add_with(Node::new("b").with_position(vec2(0.5, 0.25)), Rect::new(1.0, 9.0));
    let options = MoveOptions {
        snap_to_floor: f32::INFINITY,
        filter: QueryFilter::default().exclude_subtree(node).exclude_owner(other).only_owner(other).only_sensors(),
        ..MoveOptions::top_down()
    };
    check(&options);
    check(&scene.move_and_slide(node, vec2(0.3, 0.1), &MoveOptions::default()).unwrap());
    check(&scene.push(other, vec2(0.5, 0.0), &MoveOptions::default()).unwrap());
    scene[node].transform.position = Vec2::ZERO;
    check(&scene.update());
    check(&scene.touching().iter().collect::<Vec<_>>());
    check(&scene[node]);
    check(&[node.to_bits(), collider.to_bits()]);
    check(&(node, collider));
    let (world, all) = (scene.world(), QueryFilter::default());
    check(&world.contacts());
    check(&world.cast_ray_all(vec2(-9.0, 0.0), Vec2::X, 99.0, &all));
    check(&world.nearest_n(Vec2::ONE, 2, 99.0, &all));
    check(&world.project_point(collider, vec2(4.0, 4.0)));
    check(&world.cast_shape(&Circle::new(1.0), &Affine2::IDENTITY, vec2(9.0, 0.0), &all));
    check(&[Aabb::EMPTY, Aabb::EVERYTHING, Aabb::new(Vec2::ZERO, Vec2::ONE)]);
    check(&Transform {
        position: vec2(f32::INFINITY, f32::MIN_POSITIVE),
        rotation: 0.1,
        scale: -Vec2::ONE,
        skew: 1e-45,
    });
    check(&Motion::new(vec2(0.1, 0.2)).with_rotation(f32::NEG_INFINITY).with_pivot(Vec2::ONE));
    check(&DebugOptions { subtree: Some(node), index: true, ..DebugOptions::default() });
    check(&[CollisionLayers::SCENERY, CollisionLayers::NONE]);
    check(&[MoveResponse::Block, MoveResponse::Pass]);
}

#[test]
fn fields_that_a_text_omits_have_their_defaults() {
    assert_eq!(serde_json::from_str::<Transform>("{}").unwrap(), Transform::IDENTITY);
    let options: MoveOptions = serde_json::from_str(r#"{"step_height": 8, "up": [0, -1]}"#).unwrap();
    assert_eq!(options, MoveOptions { step_height: 8.0, up: -Vec2::Y, ..MoveOptions::default() });
    let node: Node = serde_json::from_str(r#"{"name": "door", "transform": {"position": [1, "NaN"]}}"#).unwrap();
    assert!(node.name == "door" && node.enabled && node.transform.position.y.is_nan());
    let layers: CollisionLayers = serde_json::from_str(r#"{"memberships": 4}"#).unwrap();
    assert_eq!(layers, CollisionLayers { memberships: 4, ..CollisionLayers::ALL });
}

/// A scene that remembers something of everything, without user shapes.
fn scene_to_damage() -> Scene {
    let mut scene = Scene::new();
    let (floor, _) = scene.add_with(Node::new("floor"), Rect::new(9.0, 1.0));
    let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 1.2)), Circle::new(0.5));
    scene.add_child_with(hero, Node::new("sword"), Rect::new(2.0, 0.25)).unwrap();
    scene.move_and_slide(hero, vec2(0.25, -1.0), &MoveOptions::default()).unwrap();
    scene.attach(floor, Tiles::new(2, 1, Vec2::ONE, |_, _| true)).unwrap();
    scene.attach(floor, Polygon::convex(&[Vec2::ZERO, Vec2::X, Vec2::ONE]).unwrap()).unwrap();
    let gone = scene.add(Node::new("gone"));
    scene.add(Node::new("lost").with_position(vec2(f32::NAN, 0.0)));
    scene.remove(gone);
    scene.ignore_pair(floor, scene.root()).unwrap();
    scene.update();
    scene
}

/// Sets a value of a JSON document by its path.
fn set(document: &mut Value, path: &str, value: Value) {
    *document.pointer_mut(path).unwrap_or_else(|| panic!("the document has no {path}")) = value;
}

#[test]
fn damaged_data_is_an_error_that_says_what_is_wrong() {
    let scene = scene_to_damage();
    let document = serde_json::to_value(&scene).unwrap();
    let loaded: Scene = serde_json::from_value(document.clone()).unwrap();
    assert_eq!(loaded.checksum(), scene.checksum());
    assert!(loaded.ignored_pairs().eq(scene.ignored_pairs()) && loaded.ignored_pairs().len() == 1);
    let id = |slot: u32| json!({"idx": slot, "version": 1});
    let circle = "/nodes/2/colliders/0/shape/Convex/Circle";
    let polygon = "/nodes/1/colliders/2/shape/Convex/Polygon/points";
    let tiles = "/nodes/1/colliders/1/shape/Tiles";
    let cases: Vec<(String, Value, &str)> = vec![
        ("/format".into(), json!(2), "the scene was saved in format 2, and this version of hitgraph reads format 1"),
        ("/nodes".into(), json!([]), "the saved scene has no root"),
        // Two parents: the node is in the list twice.
        ("/nodes/2".into(), document["nodes"][1].clone(), "NodeId(2v1) occurs twice"),
        ("/nodes/3/id".into(), id(4_000_000_000), "occurs twice, or its slot is larger"),
        ("/nodes/3/id".into(), id(0), "NodeId(0v1) occurs twice, or its slot is larger"),
        // A cycle of two.
        ("/nodes/2/parent".into(), document["nodes"][3]["id"].clone(), "does not precede it"),
        ("/nodes/2/parent".into(), document["nodes"][2]["id"].clone(), "does not precede it"),
        ("/nodes/2/parent".into(), json!(null), "has no parent, but is not the first node"),
        ("/nodes/0/parent".into(), id(1), "does not precede it"),
        ("/nodes/2/colliders/0/id".into(), id(1), "ColliderId(1v1) occurs twice"),
        ("/free_nodes".into(), json!([]), "larger than the number of slots"),
        ("/free_nodes".into(), json!([id(5), id(5)]), "NodeId(5v1) occurs twice"),
        ("/free_colliders".into(), json!([id(77)]), "ColliderId(77v1)"),
        (format!("{circle}/radius"), json!(-1.0), "radius must not be negative"),
        (format!("{circle}/radius"), json!("-inf"), "radius must not be negative"),
        (format!("{circle}/radius"), json!("x"), "a number, or a text such as"),
        (polygon.into(), json!([]), "an outline needs at least one point"),
        (polygon.into(), json!([[0, 3], [1, 1], [3, 0], [0, 0]]), "the outline is concave at point 1"),
        (
            polygon.into(),
            json!([[0.0, 1.0], [-0.6, -0.8], [0.95, 0.3], [-0.95, 0.3], [0.6, -0.8]]),
            "the outline crosses itself",
        ),
        (format!("{tiles}/columns"), json!(3), "a map of 3 by 1 tiles cannot have 2 cells"),
        (format!("{tiles}/cells/1"), json!(1), "a map of 1 distinct tiles has no tile 1"),
        (format!("{tiles}/size"), json!([-1, 1]), "the width of a tile must not be negative"),
        ("/ignored_pairs/0".into(), json!([id(1), id(1)]), "are no pair of nodes in the scene, or occur twice"),
        ("/ignored_pairs/0".into(), json!([id(1), id(99)]), "NodeId(99v1) are no pair of nodes"),
        (
            "/ignored_pairs".into(),
            json!([document["ignored_pairs"][0], document["ignored_pairs"][0]]),
            "are no pair of nodes in the scene, or occur twice",
        ),
        ("/pairs/0".into(), json!([1, 0]), "the pairs that touched are not valid"),
        ("/pairs/0".into(), json!([0, 99]), "the pairs that touched are not valid"),
        ("/touching/0/owner".into(), id(99), "the pairs that touched are not valid"),
        ("/touching/0/collider".into(), id(99), "the pairs that touched are not valid"),
        ("/touching/1".into(), document["touching"][0].clone(), "the pairs that touched are not valid"),
        ("/quarantined".into(), json!([id(2), id(1)]), "the quarantined nodes are not valid"),
        ("/quarantined".into(), json!([id(99)]), "the quarantined nodes are not valid"),
        ("/movers/0/0".into(), id(99), "the mover NodeId(99v1) is not in the scene"),
        ("/movers".into(), json!([document["movers"][0], document["movers"][0]]), "the mover NodeId(3v1)"),
        (
            "/movers/0/1/nearby".into(),
            json!([document["movers"][0][1]["nearby"][0], document["movers"][0][1]["nearby"][0]]),
            "or the nodes near it are not in order",
        ),
        ("/movers/0/1/at".into(), json!(["a", 0]), "a number, or a text such as"),
    ];
    for (path, value, expected) in cases {
        let mut damaged = document.clone();
        set(&mut damaged, &path, value.clone());
        let error = serde_json::from_value::<Scene>(damaged).map(|_| ()).expect_err(&format!("{path} = {value}"));
        assert!(error.to_string().contains(expected), "{path} = {value}: {error}");
    }
}

#[test]
fn a_polygon_written_by_hand_may_have_any_outline_that_convex_accepts() {
    let read = |points: Value| serde_json::from_value::<Polygon>(json!({"center": [2, 3], "points": points})).unwrap();
    let triangle = [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(0.0, 3.0)];
    let expected = Polygon::convex(&triangle).unwrap().at(vec2(2.0, 3.0));
    // Clockwise, as a counter-clockwise outline with y down; and with a repeated point and one on a straight side.
    assert_eq!(read(json!([[0, 0], [0, 3], [4, 0]])), expected);
    assert_eq!(read(json!([[0, 0], [0, 0], [2, 0], [4, 0], [0, 3]])), expected);
    assert_eq!(read(json!([[1, 1], [1, 1]])), Polygon::convex(&[Vec2::ONE]).unwrap().at(vec2(2.0, 3.0)));
    // Corners stay in their order.
    assert_eq!(read(json!([[4, 0], [0, 3], [0, 0]])).offsets(), [triangle[1], triangle[2], triangle[0]]);
    assert_eq!(read(json!([[1, 0], [0, 0]])).offsets(), [Vec2::X, Vec2::ZERO]);
}

#[test]
fn a_mover_with_any_numbers_in_its_saved_memory_moves_on() {
    let mut scene = Scene::new();
    let (floor, _) = scene.add_with(Node::new("floor"), Rect::new(9.0, 1.0));
    let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 1.2)), Circle::new(0.5));
    scene.move_and_slide(hero, vec2(0.25, -1.0), &MoveOptions::default()).unwrap();
    // The floor rises into the hero, who finds the way out from the memory.
    scene[floor].transform.position.y = 0.5;
    let document = serde_json::to_value(&scene).unwrap();
    let mut paths = Vec::new();
    list_numbers(&document["movers"][0][1], "/movers/0/1".into(), &mut paths);
    assert!(paths.iter().any(|path| path.contains("nearby")) && paths.iter().any(|path| path.contains("ride/point")));
    for path in &paths {
        for value in [json!("inf"), json!("-inf"), json!("NaN"), json!(3e38), json!(-3e38), json!(0)] {
            let mut damaged = document.clone();
            set(&mut damaged, path, value.clone());
            let Ok(mut loaded) = serde_json::from_value::<Scene>(damaged) else { continue };
            let mut pushing = loaded.clone();
            loaded.move_and_slide(hero, vec2(0.1, -0.1), &MoveOptions::default()).unwrap();
            pushing.push(floor, vec2(0.0, 0.25), &MoveOptions::default()).unwrap();
            let positions = [&loaded, &pushing].map(|scene| scene[hero].transform.position);
            assert!(positions.iter().all(|position| position.is_finite()), "{path} = {value}: {positions:?}");
        }
    }
}

/// Lists the paths of all numbers in a part of a document, whose own path is given.
fn list_numbers(part: &Value, path: String, paths: &mut Vec<String>) {
    match part {
        Value::Array(values) => {
            (0..).zip(values).for_each(|(index, value)| list_numbers(value, format!("{path}/{index}"), paths));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| list_numbers(value, format!("{path}/{name}"), paths));
        }
        // An `f64` is a text.
        Value::Number(_) | Value::String(_) => paths.push(path),
        _ => {}
    }
}

#[test]
fn a_format_of_the_future_is_recognised_in_binary_data_too() {
    let mut bytes = to_bytes(&scene_to_damage());
    bytes[0] += 1;
    let saved: SavedScene = serde_json::from_value(serde_json::to_value(scene_to_damage()).unwrap()).unwrap();
    assert!(from_bytes(&bytes).is_err() && Scene::load(saved).is_ok());
}

/// A user shape.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Own {
    Dot,
    Bar(f32),
}

impl Collider for Own {
    fn support(&self, direction: Vec2) -> Vec2 {
        if let Self::Bar(half) = self { vec2(half * direction.x.signum(), 0.0) } else { Vec2::ZERO }
    }
}

#[test]
fn user_shapes_are_saved_by_the_functions_of_the_caller() {
    let mut scene = Scene::new();
    let shelf = scene.add(Node::new("shelf"));
    let (book, _) = scene.add_child_with(shelf, Node::new("book"), Own::Dot).unwrap();
    let bar = scene.attach(book, Own::Bar(2.0)).unwrap();
    let error = "ColliderId(1v1) of the node \"shelf/book\" has a user shape: \
                 the function of `Scene::save_with` must return its data";
    assert_eq!(scene.save().unwrap_err().to_string(), error);
    assert_eq!(serde_json::to_string(&scene).unwrap_err().to_string(), error);
    assert_eq!(scene.save_with(|_| None::<Own>).unwrap_err().to_string(), error);

    let saved: SavedScene<Own> = scene.save_with(|attachment| attachment.collider_as().cloned()).unwrap();
    let text = serde_json::to_string(&saved).unwrap();
    let error = "ColliderId(1v1) of the node \"shelf/book\" has a user shape: \
                 the function of `Scene::load_with` must return its collider";
    assert_eq!(serde_json::from_str::<Scene>(&text).unwrap_err().to_string(), error);
    let only_bars = |own: Own| if let Own::Dot = own { None } else { Some(Box::new(own) as Box<dyn Collider>) };
    assert_eq!(Scene::load_with(saved.clone(), only_bars).unwrap_err().to_string(), error);
    // A format that does not describe itself cannot skip an unknown shape.
    let bytes = postcard::to_allocvec(&saved).unwrap();
    assert!(postcard::from_bytes::<Scene>(&bytes).is_err());

    for saved in round_trips(&saved) {
        let loaded = Scene::load_with(saved, |own| Some(Box::new(own))).unwrap();
        assert_eq!(loaded.checksum(), scene.checksum());
        assert!(matches!(loaded.attachment(bar).unwrap().collider_as(), Some(Own::Bar(2.0))));
    }
}

#[test]
fn the_type_of_a_collider_survives() {
    let mut scene = Scene::new();
    let (_, plain) = scene.add_with(Node::new("plain"), Circle::new(1.0));
    let (_, wrapped) = scene.add_with(Node::new("wrapped"), Shape::from(Circle::new(1.0)));
    for loaded in round_trips(&scene) {
        assert!(loaded.attachment(plain).unwrap().collider_as::<Circle>().is_some());
        assert!(loaded.attachment(wrapped).unwrap().collider_as::<Shape>().is_some());
    }
}

#[test]
fn a_loaded_scene_repeats_no_event_and_a_map_by_id_stays_valid() {
    #[derive(Serialize, Deserialize)]
    struct Save {
        scene: Scene,
        health: Vec<(NodeId, u32)>,
    }
    let mut scene = Scene::new();
    let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    scene.add_with(Node::new("bat"), Circle::new(1.0));
    assert_eq!(scene.update().len(), 1);
    for mut save in round_trips(&Save { scene, health: vec![(troll, 7)] }) {
        assert_eq!(save.scene.update(), []);
        let health: BTreeMap<NodeId, u32> = save.health.into_iter().collect();
        assert_eq!((health[&troll], &*save.scene[troll].name), (7, "troll"));
        save.scene.remove(troll);
        assert_eq!(save.scene.update().len(), 1, "the pair stops");
    }
}

#[test]
fn ties_do_not_depend_on_the_history_of_the_index() {
    let mut scene = Scene::new();
    let block = |x: f32| Node::new("block").with_position(vec2(x, 0.0));
    let square = Polygon::convex(&[-Vec2::ONE, vec2(1.0, -1.0), Vec2::ONE, vec2(-1.0, 1.0)]).unwrap();
    scene.add_with(block(-1.5), square.clone());
    // Its corners have another order, so the ways up and down, which are equally long, have too.
    let (second, _) = scene.add_with(block(1.5).with_scale(-Vec2::ONE), square);
    for index in 0..200_u8 {
        scene.add_with(Node::new("far").with_position(vec2(f32::from(index) * 3.0, 50.0)), Circle::new(1.0));
    }
    let (ball, _) = scene.add_with(Node::new("ball"), Circle::new(1.0));
    // The first block comes into the tier of still colliders. The second one stays in that of moving ones, which is
    // visited first; in the loaded scene both are in one tier.
    for frame in 0..32_u8 {
        scene[second].transform.position.y = f32::from(frame % 2);
        scene.update();
    }
    scene[second].transform.position.y = 0.0;
    let mut loaded = from_bytes(&to_bytes(&scene)).unwrap();
    let [found, expected] = [&mut loaded, &mut scene]
        .map(|scene| scene.move_and_slide(ball, Vec2::ZERO, &MoveOptions::top_down()).unwrap());
    assert!(expected.pushed.length() > 1.0, "{expected:?}");
    assert_eq!(found, expected);
}

#[test]
fn a_look_at_the_world_before_the_first_update_does_not_change_the_moves_after_it() {
    let options = MoveOptions::top_down();
    let run = |looks: bool| {
        let mut scene = Scene::new();
        let (wall, _) = scene.add_with(Node::new("wall"), Rect::new(2.0, 2.0));
        let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(2.6, 0.0)), Circle::new(0.5));
        scene.move_and_slide(hero, vec2(0.0, 0.001), &options).unwrap();
        scene[wall].transform.scale = Vec2::splat(2.0);
        if looks {
            let _ = scene.world();
        }
        scene[wall].transform.scale = Vec2::ONE;
        scene.move_and_slide(hero, vec2(0.0, 0.001), &options).unwrap();
        scene[wall].transform.position.x = 3.0;
        scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap();
        (scene.checksum(), scene[hero].transform.position)
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_mover_does_not_remember_colliders_that_its_layers_never_meet() {
    let (mut scene, shots) = (Scene::new(), CollisionLayers::new(1, 2));
    let muzzle = |scene: &mut Scene, layers| {
        scene.add_with(Node::new("shot"), Attachment::new(Circle::new(0.1)).with_layers(layers)).0
    };
    let bullets: Vec<NodeId> = (0..50).map(|_| muzzle(&mut scene, shots)).collect();
    let move_and_save = |scene: &mut Scene| {
        let moved = scene.move_and_collide(bullets[7], vec2(0.01, 0.0), &MoveOptions::top_down()).unwrap();
        (moved.hits().len(), serde_json::to_string(&scene.save().unwrap()).unwrap().contains(r#""nearby":[]"#))
    };
    assert_eq!(move_and_save(&mut scene), (0, true));
    muzzle(&mut scene, CollisionLayers::new(2, 1));
    assert_eq!(move_and_save(&mut scene), (1, false), "the target is remembered");
}

#[test]
fn shapes_that_a_scale_makes_points_can_be_loaded() {
    let stretched = Transform::from_scale(vec2(2.0, 1.0)).to_affine();
    let flat = Transform::from_scale(Vec2::ZERO).to_affine();
    let mut scene = Scene::new();
    scene.add_with(Node::new("capsule"), Capsule::new(Vec2::ONE, Vec2::ONE, 1.0).transformed(&stretched));
    scene.add_with(Node::new("segment"), Polygon::convex(&[Vec2::ZERO, Vec2::X]).unwrap().transformed(&flat));
    scene.update();
    let text = serde_json::to_string(&scene.save().unwrap()).unwrap();
    let mut loaded = Scene::load(serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!((loaded.checksum(), loaded.update()), (scene.checksum(), Vec::new()));
}

#[test]
fn shapes_whose_image_has_overflowed_can_be_loaded_and_are_quarantined() {
    let line = Polygon::convex(&[vec2(3e38, 3e38), vec2(3.2e38, 3.2e38)]).unwrap();
    let large = Affine2::from_scale(Vec2::splat(1e38));
    let axis = Segment::new(Vec2::ZERO, Vec2::X);
    let shapes = [
        Circle::new(9.0).transformed(&large),
        Circle::new(0.0).transformed(&Affine2::from_scale(Vec2::INFINITY)),
        Capsule::from_axis(axis, 9.0).transformed(&large),
        line.rotated(FRAC_PI_4).transformed(&Affine2::from_scale(Vec2::splat(2.0))),
    ];
    for shape in shapes {
        let mut scene = Scene::new();
        let (node, _) = scene.add_with(Node::new("large"), shape);
        scene.update();
        assert_eq!(scene.quarantined(), [node]);
        for mut loaded in round_trips(&scene) {
            assert_eq!((loaded.checksum(), loaded.update()), (scene.checksum(), Vec::new()));
            assert_eq!(loaded.quarantined(), [node]);
        }
    }
}

#[test]
fn numbers_that_json_would_round_twice_keep_their_bits() {
    let numbers = [0x15ae_43fd, 0x15ae_43fe, 0x15ae_43fc, 0x3dcc_cccd, 0x0000_0001].map(f32::from_bits);
    for number in numbers.into_iter().flat_map(|number| [number, -number]) {
        let mut scene = Scene::new();
        let node = scene.add(Node::new("").with_position(vec2(number, 1.0)));
        let text = serde_json::to_string(&scene.save().unwrap()).unwrap();
        let loaded = Scene::load(serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(loaded[node].transform.position.x.to_bits(), number.to_bits(), "{number:e}");
        let [circle, _] = round_trips(&Circle::new(number.abs()));
        let [capsule, _] = round_trips(&Capsule::new(Vec2::ZERO, Vec2::X, number.abs()));
        assert_eq!([circle.radius(), capsule.radius()].map(f32::to_bits), [number.abs().to_bits(); 2]);
    }
}

/// Removes all members that are null, as formats without null do.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

#[test]
fn formats_that_leave_out_none_can_be_loaded() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.0)), Rect::new(9.0, 1.0));
    for ((_, make), x) in KINDS.iter().zip(0_u8..) {
        let node = scene.add(Node::new("").with_position(vec2(f32::from(x), 3.0)));
        let attachment = make(&Numbers::PLAIN);
        if attachment.builtin().is_some() {
            scene.attach(node, attachment).unwrap();
        }
    }
    let (rider, _) = scene.add_with(Node::new("rider"), Circle::new(0.4));
    scene.move_and_slide(rider, vec2(0.0, -1.0), &MoveOptions::default()).unwrap();
    scene.update();
    let saved = without_nulls(serde_json::to_value(scene.save().unwrap()).unwrap());
    let loaded = Scene::load(serde_json::from_value(saved).unwrap()).unwrap();
    assert_eq!(loaded.checksum(), scene.checksum());
}

#[test]
fn a_move_among_many_colliders_does_not_depend_on_how_they_moved_before() {
    let mut scene = Scene::new();
    let hero = scene.add_with(Node::new("hero"), Circle::new(0.5)).0;
    // More than a move gathers.
    for i in 0..40 {
        let at = vec2(-1.2, -1.0 + 0.05 * i as f32);
        scene.add_with(Node::new("pebble").with_position(at), Circle::new(0.01));
    }
    // Its box in the index reaches further than the cart, in the direction in which the cart has moved.
    let cart = scene.add_with(Node::new("cart"), Rect::new(0.4, 0.4)).0;
    for i in 0..12 {
        scene[cart].transform.position = vec2(0.9 + 0.05 * (11 - i) as f32, 0.6984);
        scene.update();
    }
    let mut loaded: Scene = from_bytes(&to_bytes(&scene)).unwrap();
    let options = MoveOptions { skin_width: 0.05, ..MoveOptions::top_down() };
    let [here, there] = [&mut scene, &mut loaded].map(|scene| scene.move_and_slide(hero, vec2(0.1, 0.0), &options));
    assert_eq!(here, there);
    assert_eq!(here.unwrap().travel, vec2(0.1, 0.0), "the cart is out of reach");
}

#[test]
fn what_a_carried_mover_passes_does_not_depend_on_the_history_of_the_index() {
    let mut scene = Scene::new();
    let mut add =
        |x: f32, y: f32, attachment: Attachment| scene.add_with(Node::new("").with_position(vec2(x, y)), attachment).0;
    let roof = Polyline::new(&[vec2(-3.0, -1.0), vec2(-3.0, 4.0), vec2(3.0, 4.0)]).unwrap();
    let cave = add(-60.0, 0.0, roof.into());
    // The roof stops the mover below the map, which a cast may meet before or after the roof.
    let tile = |_, row| if row == 7 { Tile::FULL.one_way(Vec2::Y) } else { Tile::EMPTY };
    add(-4.0, -2.0, Tiles::from_tiles(8, 8, Vec2::ONE, tile).unwrap().into());
    let lift = add(0.0, 0.0, Rect::new(1.0, 0.4).into());
    let hero = add(0.0, 0.71, Rect::new(1.0, 1.0).into());
    let ledge = add(0.9, 0.9, Attachment::new(Rect::new(1.0, 0.2)).one_way(Vec2::Y));
    for i in 0..100 {
        let tree = (6.0 + (i % 5) as f32) * Vec2::from_angle(i as f32 * 2.4);
        add(tree.x, tree.y, Circle::new(0.3).into());
    }
    let options = MoveOptions::default();
    scene.move_and_slide(hero, vec2(0.0, -0.05), &options).unwrap();
    scene.update();
    scene[cave].transform.position = Vec2::ZERO;
    scene.update();
    let mut loaded: Scene = from_bytes(&to_bytes(&scene)).unwrap();
    let [here, there] = [&mut scene, &mut loaded].map(|scene| {
        scene[lift].transform.position.y += 6.0;
        scene.move_and_slide(hero, Vec2::ZERO, &options).unwrap()
    });
    assert_eq!(here, there);
    assert_eq!(here.passed().iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [ledge]);
}

#[test]
fn what_a_push_meets_first_does_not_depend_on_the_history_of_the_scene() {
    let push = |toggles: bool| {
        let mut scene: Scene = serde_json::from_str(include_str!("golden/one_way_map.json")).unwrap();
        scene.refresh();
        let node = NodeId::from_bits(1 << 32 | 6);
        for enabled in [false, true] {
            if toggles {
                scene[node].enabled = enabled;
                scene.refresh();
            }
        }
        let map = scene.find("map").unwrap();
        let before = scene.checksum();
        let motion = Motion::new(vec2(0.05, 0.1)).with_rotation(0.05);
        let pushed = scene.push(map, motion, &MoveOptions::default()).unwrap();
        (before, pushed, scene.checksum())
    };
    assert_eq!(push(false), push(true));
}

#[test]
fn where_a_quarantined_node_was_before_changes_no_later_answer() {
    let run = |looks: bool, loads: bool| {
        let mut scene = Scene::new();
        let ship = scene.add(Node::new("ship"));
        let (weight, _) = scene.add_child_with(ship, Node::new("crate"), Rect::new(8.0, 1.0)).unwrap();
        let hero = Node::new("hero").with_position(vec2(0.0, 1.1));
        let (hero, _) = scene.add_child_with(ship, hero, Circle::new(0.5)).unwrap();
        let options = MoveOptions::default();
        scene.move_and_slide(hero, vec2(0.0, -0.2), &options).unwrap();
        scene[ship].transform.position.x = 1.0;
        if looks {
            scene.refresh();
        }
        scene[ship].transform.position.x = f32::NAN;
        scene.update();
        if loads {
            scene = from_bytes(&to_bytes(&scene)).unwrap();
        }
        scene.set_parent(weight, scene.root()).unwrap();
        scene[ship].transform.position.x = 1.0;
        let moved = scene.move_and_slide(hero, vec2(0.0, -0.2), &options).unwrap();
        (scene.checksum(), moved)
    };
    for (looks, loads) in [(true, false), (false, true), (true, true)] {
        assert_eq!(run(looks, loads), run(false, false), "{looks} {loads}");
    }
}

#[test]
fn a_push_gives_a_disabled_mover_no_memory() {
    let run = |loads: bool| {
        let mut scene = Scene::new();
        let (lift, plate) = scene.add_with(Node::new("lift"), Rect::new(8.0, 1.0));
        let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 1.1)), Circle::new(0.5));
        let pet = Node::new("pet").with_position(vec2(0.0, -4.0));
        let (pet, _) = scene.add_child_with(hero, pet, Circle::new(0.3)).unwrap();
        let options = MoveOptions::default();
        scene.move_and_slide(hero, vec2(0.0, -0.2), &options).unwrap();
        scene.move_and_slide(pet, Vec2::ZERO, &options).unwrap();
        scene[pet].enabled = false;
        scene.update();
        scene.detach(plate);
        scene.push(lift, Motion::new(vec2(0.05, 0.1)).with_rotation(0.05), &options).unwrap();
        if loads {
            scene = from_bytes(&to_bytes(&scene)).unwrap();
        }
        scene.update();
        scene.checksum()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_mover_that_was_pushed_out_while_disabled_has_the_same_checksum_after_loading() {
    let mut scene = Scene::new();
    let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(3.0, 0.0)), Circle::new(0.5));
    scene.move_and_slide(hero, vec2(0.1, 0.0), &MoveOptions::default()).unwrap();
    scene[hero].enabled = false;
    scene.update();
    scene.depenetrate(hero, &QueryFilter::default()).unwrap();
    let mut loaded: Scene = serde_json::from_str(&serde_json::to_string(&scene).unwrap()).unwrap();
    for frame in 0..3 {
        assert_eq!(loaded.checksum(), scene.checksum(), "frame {frame}");
        scene.update();
        loaded.update();
    }
}
