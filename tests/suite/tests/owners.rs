//! Owners: which colliders touch, which events fire, and what queries and moves find. `model.rs` tests owners under
//! random edits, with reparenting and switching.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Circle, ColliderId, CollisionEvent, CollisionLayers, MoveOptions, Node, NodeCollider, NodeId,
    QueryFilter, Rect, Scene,
};
use support::dice::Dice;

/// Adds a node with a circle of radius 1 under a parent or the root. It owns its subtree if `owns` is set.
fn add(scene: &mut Scene, parent: impl Into<Option<NodeId>>, x: f32, owns: bool) -> (NodeId, ColliderId) {
    let parent = parent.into().unwrap_or(scene.root());
    let node = Node::new("node").with_position(vec2(x, 0.0)).with_owns_subtree(owns);
    scene.add_child_with(parent, node, Circle::new(1.0)).unwrap()
}

/// Adds a knight who owns a sword at the same place, and a troll that touches both.
fn knight_and_troll(scene: &mut Scene) -> [(NodeId, ColliderId); 3] {
    let knight = add(scene, None, 0.0, true);
    let sword = add(scene, knight.0, 0.0, false);
    let troll = add(scene, None, 1.0, false);
    [knight, sword, troll]
}

/// Returns the numbers of starts and stops of an update.
fn update(scene: &mut Scene) -> (usize, usize) {
    let events = scene.update();
    assert_eq!(scene.validate(), Ok(()));
    let started = events.iter().filter(|event| event.started()).count();
    (started, events.len() - started)
}

fn ids(sides: impl Iterator<Item = NodeCollider>) -> Vec<ColliderId> {
    sides.map(|side| side.collider).collect()
}

fn all() -> QueryFilter {
    QueryFilter::default()
}

#[test]
fn colliders_of_one_owner_never_touch() {
    let mut scene = Scene::new();
    let [(knight, body), (sword, blade), (troll, hide)] = knight_and_troll(&mut scene);
    let shield = scene.add_child(sword, Node::new("shield")).unwrap();
    let boss = scene.attach(shield, Circle::new(1.0)).unwrap();
    assert_eq!(update(&mut scene), (3, 0), "the troll touches body, sword and shield, which do not touch each other");

    let world = scene.world();
    for (own, node) in [(body, knight), (blade, sword), (boss, shield)] {
        let side = NodeCollider { node: troll, owner: troll, collider: hide, sensor: false };
        assert_eq!(world.overlaps(own).collect::<Vec<_>>(), [side]);
        assert_eq!(world.overlaps_node(node).collect::<Vec<_>>(), [side]);
        assert!(
            world.overlaps(hide).any(|side| side == NodeCollider { node, owner: knight, collider: own, sensor: false })
        );
    }
    assert_eq!((world.pairs().len(), world.contacts().len()), (3, 3));
    assert!(world.pairs().iter().all(|pair| pair.involves(knight) && pair.other(knight).unwrap().owner == troll));
}

#[test]
fn a_node_owns_only_its_own_colliders_by_default() {
    let mut scene = Scene::new();
    let (parent, _) = add(&mut scene, None, 0.0, false);
    let (child, _) = add(&mut scene, parent, 0.0, false);
    assert!(!Node::default().owns_subtree);
    assert_eq!((scene.owner(parent), scene.owner(child)), (Some(parent), Some(child)));
    let events = scene.update();
    let pair = *events[0].pair();
    assert_eq!([pair.a.owner, pair.b.owner], [parent, child]);
    assert!(pair.owner_boundary);
}

#[test]
fn the_nearest_node_that_owns_its_subtree_is_the_owner() {
    let mut scene = Scene::new();
    let (ship, _) = add(&mut scene, None, 0.0, true);
    let crew = scene.add_child(ship, Node::new("crew")).unwrap();
    let (pirate, _) = add(&mut scene, crew, 0.0, true);
    let (hook, _) = add(&mut scene, pirate, 0.0, false);
    let owners = [ship, crew, pirate, hook].map(|node| scene.owner(node).unwrap());
    assert_eq!(owners, [ship, ship, pirate, pirate]);
    let world = scene.world();
    assert_eq!(world.owner(hook), Some(pirate));
    assert_eq!(world.pairs().len(), 2, "the ship touches the pirate and his hook");
    scene.remove(hook);
    assert_eq!(scene.owner(hook), None, "a stale id has no owner");
}

#[test]
fn nothing_touches_under_a_root_that_owns_its_subtree() {
    let mut scene = Scene::new();
    knight_and_troll(&mut scene);
    let root = scene.root();
    scene[root].owns_subtree = true;
    // The knight still owns himself and his sword.
    assert_eq!(update(&mut scene), (2, 0));
    let knight = scene.children(root)[0];
    scene[knight].owns_subtree = false;
    assert_eq!(update(&mut scene), (0, 2));
}

#[test]
fn switching_ownership_stops_and_starts_touches_that_nothing_else_changes() {
    let mut scene = Scene::new();
    let [(knight, _), ..] = knight_and_troll(&mut scene);
    assert_eq!(update(&mut scene), (2, 0));
    for _ in 0..3 {
        scene[knight].owns_subtree = false;
        assert_eq!(scene.world().pairs().len(), 3, "queries see the change at once");
        assert_eq!(update(&mut scene), (1, 0));
        scene[knight].owns_subtree = true;
        assert_eq!(update(&mut scene), (0, 1));
        scene[knight].owns_subtree = false;
        scene[knight].owns_subtree = true;
        assert_eq!(update(&mut scene), (0, 0));
    }
}

#[test]
fn switching_an_inner_owner_regroups_what_is_below_it() {
    let mut scene = Scene::new();
    let (ship, _) = add(&mut scene, None, 0.0, true);
    let (pirate, _) = add(&mut scene, ship, 0.0, true);
    let (hook, _) = add(&mut scene, pirate, 0.0, false);
    assert_eq!(update(&mut scene), (2, 0));
    scene[pirate].owns_subtree = false;
    assert_eq!(update(&mut scene), (0, 2));
    scene[hook].owns_subtree = true;
    assert_eq!(update(&mut scene), (2, 0));
    scene[ship].owns_subtree = false;
    assert_eq!(update(&mut scene), (1, 0), "now the pirate touches the ship");
}

#[test]
fn reparenting_at_the_same_place_changes_the_owner() {
    let mut scene = Scene::new();
    let [(knight, body), (sword, blade), (troll, hide)] = knight_and_troll(&mut scene);
    let hand = scene.add(Node::new("hand").with_owns_subtree(true));
    update(&mut scene);
    scene.set_parent(sword, hand).unwrap();
    assert_eq!(update(&mut scene), (1, 0), "the sword touches the knight");
    assert_eq!(
        scene.touching().iter().next().unwrap().b,
        NodeCollider { node: sword, owner: hand, collider: blade, sensor: false }
    );
    scene.set_parent(hand, knight).unwrap();
    assert_eq!(update(&mut scene), (0, 0), "the hand still owns the sword");
    scene[hand].owns_subtree = false;
    assert_eq!(update(&mut scene), (0, 1));
    scene[troll].transform.position.x = 0.0;
    scene.set_parent(troll, hand).unwrap();
    assert_eq!(update(&mut scene), (0, 2), "the troll joins the knight");
    scene.set_parent_in_place(troll, scene.root()).unwrap();
    assert_eq!(update(&mut scene), (2, 0));
    assert_eq!(ids(scene.world().overlaps(hide)), [body, blade]);
}

#[test]
fn moving_a_collider_to_a_node_of_the_same_owner_ends_its_touch() {
    let mut scene = Scene::new();
    let [(_, body), (sword, blade), (troll, hide)] = knight_and_troll(&mut scene);
    update(&mut scene);
    scene.move_collider(hide, sword).unwrap();
    assert_eq!(update(&mut scene), (0, 2));
    scene.move_collider(blade, troll).unwrap();
    assert_eq!(update(&mut scene), (2, 0));
    assert_eq!(ids(scene.world().overlaps(blade)), [body, hide]);
}

#[test]
fn a_change_of_owner_reaches_a_chain_of_100_000_nodes() {
    let mut scene = Scene::new();
    let (top, _) = add(&mut scene, None, 0.0, false);
    let mut tip = top;
    for _ in 0..100_000 {
        tip = scene.add_child(tip, Node::default()).unwrap();
    }
    let (_, collider) = add(&mut scene, tip, 0.0, false);
    let (other, _) = add(&mut scene, None, 0.0, false);
    assert_eq!(scene.update().len(), 3);
    scene[top].owns_subtree = true;
    assert_eq!(scene.update().len(), 1);
    scene.set_parent(scene.children(top)[0], other).unwrap();
    assert_eq!(scene.update().len(), 1, "under another parent it touches the chain's old owner again");
    assert_eq!(scene.world().overlaps(collider).len(), 2);
}

#[test]
fn a_new_node_in_the_slot_of_the_old_owner_is_another_owner() {
    let mut scene = Scene::new();
    let old = scene.add(Node::new("old").with_owns_subtree(true));
    let (sword, _) = add(&mut scene, old, 0.0, false);
    add(&mut scene, None, 0.0, false);
    update(&mut scene);
    assert!(scene.touching().iter().all(|pair| pair.involves(old)));
    let aside = scene.add(Node::new("aside"));
    scene.set_parent(sword, aside).unwrap();
    scene.remove(old);
    let new = scene.add(Node::new("new").with_owns_subtree(true));
    scene.set_parent(sword, new).unwrap();
    assert_eq!(update(&mut scene), (0, 0));
    assert!(scene.touching().iter().all(|pair| pair.involves(new) && !pair.involves(old)));
    assert_eq!(scene.touching().len(), 1);
}

#[test]
fn ownership_that_changes_while_colliders_take_no_part_holds_when_they_return() {
    let leave: [fn(&mut Scene, NodeId); 2] =
        [|scene, node| scene[node].enabled = false, |scene, node| scene[node].transform.position.x = f32::NAN];
    let back: [fn(&mut Scene, NodeId); 2] =
        [|scene, node| scene[node].enabled = true, |scene, node| scene[node].transform.position.x = 0.0];
    for (leave, back) in leave.into_iter().zip(back) {
        let mut scene = Scene::new();
        let [(knight, _), (sword, _), _] = knight_and_troll(&mut scene);
        assert_eq!(update(&mut scene), (2, 0));
        leave(&mut scene, knight);
        assert_eq!(update(&mut scene), (0, 2));
        scene[knight].owns_subtree = false;
        assert_eq!(update(&mut scene), (0, 0));
        back(&mut scene, knight);
        assert_eq!(update(&mut scene), (3, 0));
        leave(&mut scene, sword);
        scene[knight].owns_subtree = true;
        assert_eq!(update(&mut scene), (0, 2));
        back(&mut scene, sword);
        assert_eq!(update(&mut scene), (1, 0));
    }
}

#[test]
fn the_first_start_and_the_last_stop_between_two_owners_are_marked() {
    let mut scene = Scene::new();
    let [(knight, _), (sword, _), (troll, _)] = knight_and_troll(&mut scene);
    let (club, _) = add(&mut scene, troll, 0.0, false);
    scene[troll].owns_subtree = true;
    scene[troll].transform.position.x = 9.0;
    scene[sword].transform.position.x = 2.0;
    scene[club].transform.position.x = -2.0;
    update(&mut scene);
    let mut marks = |x: f32| -> Vec<(bool, bool)> {
        scene[troll].transform.position.x = x;
        scene.update().iter().map(|event| (event.started(), event.pair().owner_boundary)).collect()
    };
    assert_eq!(marks(5.5), [(true, true)], "sword and club");
    assert_eq!(marks(4.0), [(true, false), (true, false)], "knight and club, sword and troll");
    assert_eq!(marks(5.5), [(false, false), (false, false)]);
    assert_eq!(marks(9.0), [(false, true)]);
    assert_eq!(marks(4.0), [(true, true), (true, false), (true, false)], "one of several starts is the first");
    assert_eq!(marks(9.0), [(false, false), (false, false), (false, true)], "one of several stops is the last");
    assert_eq!(scene.owner(club), Some(troll));
    assert_eq!(scene.owner(sword), Some(knight));
}

#[test]
fn marks_use_the_current_owners_and_a_stop_the_last_known_ones() {
    let mut scene = Scene::new();
    let [(knight, _), (sword, _), (troll, _)] = knight_and_troll(&mut scene);
    update(&mut scene);
    // The sword still touches the troll, but no longer for the knight. Its next stop is the last of its own.
    scene.set_parent(sword, scene.root()).unwrap();
    scene[knight].transform.position.x = -9.0;
    let events = scene.update();
    let stop = events.iter().find(|event| !event.started()).unwrap();
    assert!(stop.pair().involves(knight) && stop.pair().owner_boundary, "the knight has left the troll");
    scene[sword].transform.position.x = -9.0;
    let events = scene.update();
    let stop = *events.iter().find(|event| !event.started()).unwrap();
    assert_eq!(stop.stopped_with(troll).map(|side| side.owner), Some(sword));
    assert!(stop.pair().owner_boundary);

    // The sword returns to the knight in the update in which it leaves the troll: the stop has the owner of the touch.
    scene[sword].transform.position.x = 1.0;
    update(&mut scene);
    scene.set_parent(sword, knight).unwrap();
    scene[sword].transform.position.x = 0.0;
    let stop = scene.update()[0];
    assert_eq!(stop.stopped_with(troll).map(|side| side.owner), Some(sword));

    // The owner is gone: the stop has its stale id.
    scene[knight].transform.position.x = 1.0;
    update(&mut scene);
    scene.remove(knight);
    let events = scene.update();
    assert!(events.iter().all(|event| event.stopped_with(knight).is_some_and(|side| side.node == troll)));
    let marks: Vec<bool> = events.iter().map(|event| event.pair().owner_boundary).collect();
    assert_eq!(marks, [false, true]);
}

#[test]
fn pairs_of_other_owners_do_not_change_a_mark() {
    // Between the troll and one knight a pair keeps touching, between the troll and the other one none.
    let mut scene = Scene::new();
    let [(_, _), (sword, _), (troll, _)] = knight_and_troll(&mut scene);
    let (squire, _) = add(&mut scene, None, 0.0, true);
    add(&mut scene, squire, 20.0, false);
    update(&mut scene);
    scene[sword].transform.position.x = 50.0;
    scene[squire].transform.position.x = -50.0;
    let events = scene.update();
    let marks: BTreeMap<NodeId, bool> = events
        .iter()
        .filter_map(|event| Some((event.stopped_with(troll)?.node, event.pair().owner_boundary)))
        .collect();
    assert_eq!(marks, BTreeMap::from([(sword, false), (squire, true)]));
}

#[test]
fn started_with_and_stopped_with_return_the_other_side_for_a_node_and_for_its_owner() {
    let mut scene = Scene::new();
    let [(knight, _), (sword, blade), (troll, hide)] = knight_and_troll(&mut scene);
    let started = scene.update();
    let other = NodeCollider { node: troll, owner: troll, collider: hide, sensor: false };
    let of_sword: Vec<_> = started.iter().filter_map(|event| event.started_with(sword)).collect();
    assert_eq!(of_sword, [other]);
    assert_eq!(started.iter().filter_map(|event| event.started_with(knight)).count(), 2);
    assert!(started.iter().all(|event| event.stopped_with(knight).is_none()));
    assert!(started.iter().all(|event| event.started_with(scene.root()).is_none()));
    let [own, _] = started.iter().find_map(|event| event.pair().seen_from(sword)).unwrap();
    assert_eq!(own, NodeCollider { node: sword, owner: knight, collider: blade, sensor: false });

    scene.detach(blade);
    let stopped = scene.update();
    assert_eq!(stopped[0].stopped_with(sword), Some(other));
    assert_eq!(stopped[0].stopped_with(troll).map(|side| side.collider), Some(blade));
    assert_eq!(stopped[0].started_with(sword), None);
}

#[test]
fn contact_and_distance_ignore_owners() {
    let mut scene = Scene::new();
    let [(_, body), (_, blade), _] = knight_and_troll(&mut scene);
    let world = scene.world();
    assert!(world.contact(body, blade).is_some());
    assert_eq!(world.distance(body, blade), Some(0.0));
    assert!(world.closest_points(body, blade).is_some());
}

#[test]
fn layers_still_exclude_colliders_of_different_owners() {
    let mut scene = Scene::new();
    let [_, (_, blade), _] = knight_and_troll(&mut scene);
    scene.attachment_mut(blade).unwrap().layers = CollisionLayers::new(0, u32::MAX);
    assert_eq!(update(&mut scene), (1, 0));
}

#[test]
fn filters_select_and_exclude_owners() {
    let mut scene = Scene::new();
    let [(knight, body), (sword, blade), (troll, hide)] = knight_and_troll(&mut scene);
    let sight = scene.attach(troll, Attachment::new(Circle::new(9.0)).sensor()).unwrap();
    let world = scene.world();
    let find = |filter: QueryFilter| ids(world.at_point(vec2(0.5, 0.0), &filter));
    assert_eq!(find(all()), [body, blade, hide, sight]);
    assert_eq!(find(all().only_owner(knight)), [body, blade]);
    assert_eq!(find(all().only_owner(sword)), [], "the knight owns the sword");
    assert_eq!(find(all().only_owner(knight).only_owner(troll)), [hide, sight], "the last one counts");
    assert_eq!(find(all().exclude_owner(knight)), [hide, sight]);
    assert_eq!(find(all().exclude_owner(sword)), [body, blade, hide, sight]);
    assert_eq!(find(all().exclude_owner(knight).exclude_owner(troll)), []);
    assert_eq!(find(all().only_owner(knight).exclude_subtree(sword)), [body]);
    assert_eq!(find(all().only_sensors()), [sight]);
    assert_eq!(find(all().without_sensors()), [body, blade, hide]);
    assert_eq!(find(all().only_sensors().without_sensors()), []);
    assert_eq!(find(all().without_sensors().only_sensors()), [sight]);
    let ray = world.cast_ray(vec2(-9.0, 0.0), Vec2::X, 20.0, &all().exclude_owner(knight).without_sensors());
    assert_eq!(ray.map(|hit| hit.side.collider), Some(hide));
    let filter = all().only_owner(knight).exclude_owner(troll);
    assert_eq!((filter.owner(), filter.excluded_owners()), (Some(knight), &[troll][..]));
    scene.remove(troll);
    assert_eq!(ids(scene.world().at_point(Vec2::ZERO, &all().only_owner(troll))), [], "a stale owner admits nothing");
}

#[test]
fn colliders_of_one_owner_never_block_each_others_moves() {
    let mut scene = Scene::new();
    let knight = scene.add(Node::new("knight").with_owns_subtree(true));
    let (sword, _) =
        scene.add_child_with(knight, Node::new("sword").with_position(vec2(-3.0, 0.0)), Rect::new(0.5, 0.5)).unwrap();
    let (shield, _) = scene.add_child_with(knight, Node::new("shield"), Rect::new(0.2, 4.0)).unwrap();
    scene.add_with(Node::new("wall").with_position(vec2(5.0, 0.0)), Rect::new(1.0, 4.0));
    let options = MoveOptions::default();
    let moved = scene.move_and_collide(sword, vec2(20.0, 0.0), &options).unwrap();
    assert!((moved.travel.x - 7.25).abs() < 0.05, "the sword passes the shield and meets the wall: {moved:?}");
    assert_eq!(moved.hits().len(), 1);
    assert_eq!(moved.hits()[0].side.owner, moved.hits()[0].side.node);

    scene[sword].transform.position.x = 0.0;
    assert_eq!(scene.depenetrate(sword, &all()), Ok(Vec2::ZERO), "the sword is inside nothing that blocks it");
    scene[knight].owns_subtree = false;
    assert_ne!(scene.depenetrate(sword, &all()), Ok(Vec2::ZERO));
    assert_eq!(scene.owner(shield), Some(shield));
}

#[test]
fn a_clone_keeps_the_owners_of_its_moment() {
    let mut scene = Scene::new();
    let [(knight, _), ..] = knight_and_troll(&mut scene);
    update(&mut scene);
    let mut snapshot = scene.clone();
    scene[knight].owns_subtree = false;
    assert_eq!(update(&mut scene), (1, 0));
    assert_eq!(update(&mut snapshot), (0, 0));
    scene.clear();
    assert_eq!(update(&mut scene), (0, 3));
    scene.shrink_to_fit();
    knight_and_troll(&mut scene);
    assert_eq!(update(&mut scene), (2, 0));
}

#[test]
fn pick_returns_the_last_match_in_tree_order() {
    let mut scene = Scene::new();
    let (back, back_id) = add(&mut scene, None, 0.0, false);
    let (front, front_id) = add(&mut scene, None, 0.0, false);
    // A collider that is older than its siblings, on a node deep below the first one.
    let deep = (0..5).fold(back, |above, _| scene.add_child(above, Node::default()).unwrap());
    let deep_id = scene.attach(deep, Circle::new(1.0)).unwrap();
    let pick =
        |scene: &mut Scene, filter: &QueryFilter| scene.world().pick(Vec2::ZERO, filter).map(|side| side.collider);
    assert_eq!(pick(&mut scene, &all()), Some(front_id), "a later sibling is above a whole subtree");
    assert_eq!(pick(&mut scene, &all().exclude_subtree(front)), Some(deep_id), "a child is above its parent");
    assert_eq!(pick(&mut scene, &all().only_owner(back)), Some(back_id));
    scene.move_child(front, 0).unwrap();
    assert_eq!(pick(&mut scene, &all()), Some(deep_id));
    let second = scene.attach(deep, Circle::new(1.0)).unwrap();
    assert_eq!(pick(&mut scene, &all()), Some(second), "a later collider of the same node is above the others");
    scene.move_collider(deep_id, front).unwrap();
    scene.move_collider(deep_id, deep).unwrap();
    assert_eq!(pick(&mut scene, &all()), Some(deep_id));
    scene[deep].enabled = false;
    assert_eq!(pick(&mut scene, &all()), Some(back_id));
    let many: Vec<ColliderId> = (0..20).map(|_| scene.attach(back, Circle::new(1.0)).unwrap()).collect();
    assert_eq!(pick(&mut scene, &all()), Some(many[19]));
    scene.move_collider(many[3], front).unwrap();
    scene.move_collider(many[3], back).unwrap();
    assert_eq!(pick(&mut scene, &all()), Some(many[3]), "it was added last");
    let only = |side: NodeCollider| side.node == front;
    assert_eq!(scene.world().only(&only).pick(Vec2::ZERO, &all()).map(|side| side.collider), Some(front_id));
    assert_eq!(scene.world().pick(vec2(9.0, 9.0), &all()), None);
    assert_eq!(scene.world().pick(Vec2::NAN, &all()), None);
}

#[test]
fn world_ancestors_are_those_of_the_scene() {
    let mut scene = Scene::new();
    let [(knight, _), (sword, _), _] = knight_and_troll(&mut scene);
    let root = scene.root();
    let world = scene.world();
    assert_eq!(world.ancestors(sword).collect::<Vec<_>>(), [knight, root]);
    assert_eq!(world.ancestors(root).count(), 0);
    assert_eq!(world.ancestors(NodeId::default()).count(), 0);
}

/// Random owners with several colliders that move, appear and disappear. `regroup` also changes owners.
fn check_balance(seed: u64, regroup: bool) {
    let mut dice = Dice(seed);
    let mut scene = Scene::new();
    let root = scene.root();
    let mut nodes = vec![root];
    let (mut open, mut meetings) = (BTreeSet::new(), BTreeSet::new());
    for frame in 0..120 {
        for _ in 0..6 {
            let node = dice.one_of(&nodes);
            let place = dice.vector(-4.0..4.0);
            match dice.below(if regroup { 9 } else { 6 }) {
                0 | 1 if nodes.len() < 40 => {
                    let parent = if dice.once_in(2) { root } else { node };
                    let child = Node::new("n").with_position(place).with_owns_subtree(dice.once_in(3));
                    let added = scene.add_child_with(parent, child, Circle::new(dice.within(0.1..1.0)));
                    nodes.extend(added.map(|(node, _)| node));
                }
                2 if dice.once_in(4) && scene.remove(node) => nodes.retain(|node| scene.contains(*node)),
                3 => scene[node].enabled = !dice.once_in(4) || node == root,
                6 => scene[node].owns_subtree ^= true,
                7 => {
                    let _ = scene.set_parent(node, dice.one_of(&nodes));
                }
                8 => {
                    let collider = scene.colliders(node).first().copied().unwrap_or_default();
                    let _ = scene.move_collider(collider, dice.one_of(&nodes));
                }
                _ if node != root => scene[node].transform.position = place,
                _ => {}
            }
        }
        let context = format!("seed {seed}, frame {frame}");
        for event in scene.update() {
            let pair = *event.pair();
            let started = matches!(event, CollisionEvent::Started(_));
            let toggle = |set: &mut BTreeSet<_>, key| if started { set.insert(key) } else { set.remove(&key) };
            assert!(toggle(&mut open, [pair.a.collider, pair.b.collider].map(|id| format!("{id:?}"))), "{context}");
            let owners = [pair.a.owner.min(pair.b.owner), pair.a.owner.max(pair.b.owner)];
            assert!(owners[0] != owners[1], "{context}: two colliders of one owner touch");
            if !regroup && pair.owner_boundary {
                assert!(toggle(&mut meetings, owners.map(|id| format!("{id:?}"))), "{context}: a mark repeats");
            }
        }
        let touching: BTreeSet<_> = scene
            .touching()
            .iter()
            .map(|pair| [pair.a.owner.min(pair.b.owner), pair.a.owner.max(pair.b.owner)])
            .collect();
        let touching: BTreeSet<_> = touching.into_iter().map(|owners| owners.map(|id| format!("{id:?}"))).collect();
        assert!(regroup || touching == meetings, "{context}: the marks differ from the owners that touch");
        assert_eq!(open.len(), scene.touching().len(), "{context}");
        assert_eq!(scene.validate(), Ok(()), "{context}");
    }
    scene.clear();
    let stops = scene.update().len();
    assert_eq!(stops, open.len(), "seed {seed}: a start has no stop");
}

#[test]
fn starts_and_stops_balance_under_random_regrouping() {
    (0..30).for_each(|seed| check_balance(seed, true));
}

#[test]
fn marks_of_two_owners_alternate_while_no_collider_changes_its_owner() {
    (0..30).for_each(|seed| check_balance(seed, false));
}
