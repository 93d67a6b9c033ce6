//! Copies: of scenes, of subtrees within a scene, and from one scene to another; and the checksum, which compares them.

use std::collections::BTreeSet;

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Circle, Collider, CollisionLayers, Compound, MoveOptions, Node, NodeId, Polyline, QueryFilter, Rect,
    Scene, SceneError, Shape, Tile, Tiles, Transform,
};
use support::dice::Dice;
use support::{KINDS, Numbers, SupportOnly};

/// Returns a scene with a tree of every kind of shape below one node, and that node.
fn forest(name: &'static str) -> (Scene, NodeId) {
    let mut scene = Scene::new();
    let mut dice = Dice(5);
    let top = scene.add(Node::new(name).with_rotation(0.5));
    let mut nodes = vec![top];
    for index in 0..60 {
        let parent = dice.one_of(&nodes);
        let at = Transform {
            position: dice.vector(-4.0..4.0),
            rotation: dice.within(-3.0..3.0),
            scale: vec2(dice.within(0.5..1.5), dice.within(-1.5..1.5)),
            skew: 0.25,
        };
        let node = Node::new(format!("node {index}")).with_transform(at).with_user_data(index);
        let node = scene.add_child(parent, node).unwrap();
        let (_, make) = KINDS[index as usize % KINDS.len()];
        scene.attach(node, make(&Numbers::PLAIN).with_user_data(index)).unwrap();
        nodes.push(node);
    }
    (scene, top)
}

/// The paths of a subtree in order, below its top.
fn names(scene: &Scene, top: NodeId) -> Vec<String> {
    scene.descendants(top).map(|node| scene[node].name.to_string()).collect()
}

/// The pairs that touch in a scene, by the numbers of the colliders, the smaller one first.
fn pairs(scene: &mut Scene) -> BTreeSet<[u64; 2]> {
    let world = scene.world();
    let number = |side: hitgraph::NodeCollider| world.attachment(side.collider).unwrap().user_data;
    let numbers = |a: u64, b: u64| [a.min(b), a.max(b)];
    world.pairs().iter().map(|pair| numbers(number(pair.a), number(pair.b))).collect()
}

#[test]
fn a_graft_answers_as_its_source_and_reports_every_id() {
    let (mut source, top) = forest("forest");
    let mut scene = Scene::new();
    // The ids of the two scenes differ.
    for _ in 0..7 {
        scene.add(Node::new("other"));
    }
    let copied = scene.graft(&source, top, scene.root()).unwrap();
    assert_eq!(scene.validate(), Ok(()));
    assert_eq!(names(&scene, copied.root()), names(&source, top));
    assert_eq!(pairs(&mut scene), pairs(&mut source));
    assert_eq!(copied.node(top), Some(copied.root()));
    assert_eq!((copied.nodes().len(), copied.colliders().len()), (61, 60));
    assert!(copied.nodes().is_sorted() && copied.colliders().is_sorted());
    for (old, new) in copied.nodes() {
        assert_eq!(source[*old], scene[*new]);
        assert_eq!(copied.node(*old), Some(*new));
        let colliders: Vec<_> = source.colliders(*old).iter().map(|id| copied.collider(*id).unwrap()).collect();
        assert_eq!(scene.colliders(*new), colliders);
    }
    for (old, new) in copied.colliders() {
        let [old, new] = [source.attachment(*old), scene.attachment(*new)].map(Option::unwrap);
        assert_eq!((old.collider().checksum(), old.user_data), (new.collider().checksum(), new.user_data));
    }
    assert_eq!((copied.node(source.root()), copied.collider(Default::default())), (None, None));
}

#[test]
fn a_copy_below_the_original_does_not_contain_itself() {
    let (mut scene, top) = forest("forest");
    let (before, last) = (names(&scene, top), scene.descendants(top).last().unwrap());
    let copied = scene.copy_subtree(top, last).unwrap();
    assert_eq!(names(&scene, copied.root()), before);
    assert_eq!((scene.node_count(), scene.collider_count()), (2 + 60 + 61, 120));
    assert_eq!(scene.parent(copied.root()), Some(last));
    // The copy of a root is an ordinary node.
    let copied = scene.copy_subtree(scene.root(), scene.root()).unwrap();
    assert_eq!(scene.parent(copied.root()), Some(scene.root()));
    assert_eq!(scene.validate(), Ok(()));
}

#[test]
fn an_ignored_pair_of_two_copied_nodes_is_copied_and_others_are_not() {
    let mut scene = Scene::new();
    let (knight, _) = scene.add_with(Node::new("knight"), Circle::new(1.0));
    let (sword, _) = scene.add_child_with(knight, Node::new("sword"), Circle::new(1.0)).unwrap();
    let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    scene.ignore_pair(sword, knight).unwrap();
    scene.ignore_pair(sword, troll).unwrap();
    let copied = scene.copy_subtree(knight, scene.root()).unwrap();
    let [new_knight, new_sword] = [knight, sword].map(|node| copied.node(node).unwrap());
    assert!(scene.ignores_pair(new_knight, new_sword) && !scene.ignores_pair(new_sword, troll));
    assert_eq!(scene.ignored_pairs().len(), 3);
}

#[test]
fn a_stale_id_copies_nothing() {
    let (mut scene, top) = forest("forest");
    let stale = scene.add(Node::new("stale"));
    scene.remove(stale);
    let before = scene.checksum();
    assert_eq!(scene.copy_subtree(stale, top), Err(SceneError::NodeNotFound(stale)));
    assert_eq!(scene.copy_subtree(top, stale), Err(SceneError::NodeNotFound(stale)));
    assert_eq!(scene.graft(&Scene::new(), top, stale), Err(SceneError::NodeNotFound(top)));
    assert_eq!(scene.checksum(), before);
}

#[test]
fn a_chain_of_100_000_nodes_is_copied() {
    let mut scene = Scene::new();
    let top = scene.add(Node::new("n"));
    let mut last = top;
    for _ in 1..100_000 {
        last = scene.add_child(last, Node::new("n")).unwrap();
    }
    let copied = scene.copy_subtree(top, scene.root()).unwrap();
    assert_eq!(scene.ancestors(copied.node(last).unwrap()).count(), 100_000);
}

#[test]
fn a_copied_mover_starts_without_memory_and_its_colliders_start_to_touch() {
    let mut scene = Scene::new();
    scene.add_with(Node::new("floor"), Rect::new(20.0, 1.0));
    let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 0.9)), Circle::new(0.5));
    scene.move_and_slide(hero, vec2(0.0, -1.0), &MoveOptions::default()).unwrap();
    scene.update();
    let copied = scene.copy_subtree(hero, scene.root()).unwrap();
    let events = scene.update();
    assert_eq!(events.len(), 1, "the copy touches the original: {events:?}");
    assert!(events[0].started() && events[0].pair().involves(copied.root()));
}

#[test]
fn clone_from_makes_any_scene_equal_to_its_source() {
    let (mut source, top) = forest("forest");
    source.update();
    let mut targets = [Scene::new(), source.clone(), forest("another").0];
    let floor = targets[2].add(Node::new("floor"));
    targets[2].move_and_slide(floor, Vec2::X, &MoveOptions::default()).unwrap();
    targets[2].remove(floor);
    let (mover, _) = source.add_with(Node::new("mover").with_position(vec2(40.0, 0.0)), Circle::new(1.0));
    source.move_and_slide(mover, Vec2::X, &MoveOptions::default()).unwrap();
    source.remove(source.children(top)[0]);
    for target in &mut targets {
        target.clone_from(&source);
        assert_eq!(target.validate(), Ok(()));
        assert_eq!(target.checksum(), source.checksum());
        let mut expected = source.clone();
        assert_eq!(target.update(), expected.update());
        assert_eq!(target.add(Node::new("next")), expected.add(Node::new("next")));
        assert_eq!(target.checksum(), expected.checksum());
    }
}

/// An edit of a scene with a node and its collider.
type Edit = fn(&mut Scene, NodeId);

#[test]
fn a_checksum_covers_everything_that_can_influence_an_answer() {
    let edits: [(&str, Edit); 25] = [
        ("name", |scene, node| scene[node].name = "b".into()),
        ("position", |scene, node| scene[node].transform.position.y = -0.0),
        ("rotation", |scene, node| scene[node].transform.rotation = f32::MIN_POSITIVE),
        ("scale", |scene, node| scene[node].transform.scale.x = 1.0 + f32::EPSILON),
        ("skew", |scene, node| scene[node].transform.skew = 1.0),
        ("enabled", |scene, node| scene[node].enabled = false),
        ("owner", |scene, node| scene[node].owns_subtree = true),
        ("user data", |scene, node| scene[node].user_data = 1 << 63),
        ("a new node", |scene, _| {
            scene.add(Node::new("c"));
        }),
        ("a used id", |scene, _| {
            let id = scene.add(Node::new("c"));
            scene.remove(id);
        }),
        ("the order of free ids", |scene, _| {
            let [a, b] = [(); 2].map(|()| scene.add(Node::new("c")));
            scene.remove(b);
            scene.remove(a);
        }),
        ("the other order of free ids", |scene, _| {
            let [a, b] = [(); 2].map(|()| scene.add(Node::new("c")));
            scene.remove(a);
            scene.remove(b);
        }),
        ("parent", |scene, node| scene.set_parent(node, scene.children(scene.root())[1]).unwrap()),
        ("order", |scene, node| scene.move_child(node, 1).unwrap()),
        ("layers", |scene, node| attachment(scene, node).layers = CollisionLayers::SCENERY),
        ("sensor", |scene, node| attachment(scene, node).sensor = true),
        ("one way", |scene, node| attachment(scene, node).one_way = Some(Vec2::ZERO)),
        ("collider enabled", |scene, node| attachment(scene, node).enabled = false),
        ("collider user data", |scene, node| attachment(scene, node).user_data = 1),
        ("shape", |scene, node| attachment(scene, node).set_collider(Circle::new(1.0).at(vec2(0.0, -0.0)))),
        ("a collider", |scene, node| {
            scene.attach(node, Circle::new(1.0)).unwrap();
        }),
        ("a used collider id", |scene, node| {
            let id = scene.attach(node, Circle::new(1.0)).unwrap();
            scene.detach(id);
        }),
        ("an ignored pair", |scene, node| scene.ignore_pair(node, scene.root()).unwrap()),
        ("the pairs of the last update", |scene, _| drop(scene.update())),
        ("the memory of a mover", |scene, node| {
            scene.move_and_slide(node, Vec2::ZERO, &MoveOptions::default()).unwrap();
        }),
    ];
    let mut scene = Scene::new();
    let (node, _) = scene.add_with(Node::new("a"), Circle::new(1.0));
    scene.add_with(Node::new("b"), Circle::new(1.0));
    let mut sums = BTreeSet::from([scene.checksum()]);
    for (what, edit) in edits {
        let mut edited = scene.clone();
        assert_eq!(edited.checksum(), scene.checksum());
        edit(&mut edited, node);
        assert!(sums.insert(edited.checksum()), "{what}");
    }
}

fn attachment(scene: &mut Scene, node: NodeId) -> &mut Attachment {
    let collider = scene.colliders(node)[0];
    scene.attachment_mut(collider).unwrap()
}

#[test]
fn a_query_changes_no_checksum() {
    let (mut scene, _) = forest("forest");
    let before = scene.checksum();
    let _ = scene.world().cast_ray(Vec2::ZERO, Vec2::X, 9.0, &QueryFilter::default());
    assert_eq!(scene.checksum(), before);
}

#[test]
fn checksums_of_shapes_differ_if_and_only_if_the_shapes_do() {
    let circle = Shape::from(Circle::new(1.0));
    let line = [Vec2::ZERO, Vec2::X, vec2(2.0, 1.0)];
    let tiles =
        |tile: Tile| Tiles::from_tiles(2, 1, Vec2::ONE, |column, _| [Tile::FULL, tile][column as usize]).unwrap();
    let shapes: Vec<Attachment> = vec![
        Circle::new(1.0).into(),
        SupportOnly(circle.clone()).into(),
        SupportOnly(Circle::new(1.5).into()).into(),
        Compound::new([circle.clone()]).unwrap().into(),
        Compound::new([circle.clone(), circle]).unwrap().into(),
        Rect::new(2.0, 2.0).into(),
        Rect::from_axes([Vec2::X, -Vec2::Y]).into(),
        Polyline::new(&line).unwrap().into(),
        Polyline::closed(&line).unwrap().into(),
        Polyline::new(&line).unwrap().one_sided().into(),
        tiles(Tile::FULL).into(),
        tiles(Tile::EMPTY).into(),
        tiles(Tile::FULL.one_way(Vec2::Y)).into(),
    ];
    let sums: BTreeSet<u64> = shapes.iter().map(|shape| shape.collider().checksum()).collect();
    assert_eq!(sums.len(), shapes.len());
    for shape in &shapes {
        assert_eq!(shape.clone().collider().checksum(), shape.collider().checksum());
    }
    // A history of edits leaves no trace.
    let mut edited = tiles(Tile::slope(0.0, 1.0));
    edited.set(1, 0, Tile::FULL.one_way(vec2(-0.0, 1.0)));
    assert_eq!(edited.checksum(), tiles(Tile::FULL.one_way(Vec2::Y)).checksum());
}

/// The checksum on every platform, in debug and release.
const GOLDEN: u64 = 9_008_033_709_614_333_549;

#[test]
fn the_checksum_of_a_scene_is_the_same_on_every_platform() {
    let mut scene = Scene::new();
    let mut dice = Dice(3);
    // The cube root of the user shape may differ by platform.
    for (index, (_, make)) in KINDS.into_iter().filter(|(name, _)| *name != "own").enumerate() {
        let node = Node::new(format!("node {index}")).with_position(vec2(dice.within(-3.0..3.0), 0.5));
        scene.add_with(node, make(&Numbers::PLAIN));
    }
    let (mover, _) = scene.add_with(Node::new("mover").with_position(vec2(0.0, 9.0)), Circle::new(0.5));
    scene.update();
    scene.move_and_slide(mover, vec2(0.3, -20.0), &MoveOptions::default()).unwrap();
    assert_eq!(scene.checksum(), GOLDEN);
}
