//! A naive model of the scene, which stores only its tree and recomputes every answer, and a function that runs a
//! program on a scene and on the model and compares them. This module uses no test framework: differences are returned
//! as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use glam::{Affine2, Vec2};
use hitgraph::{
    Aabb, Attachment, Circle, Collider, ColliderId, CollisionEvent, CollisionPair, CopiedIds, Motion, MoveOptions,
    Moved, Node, NodeCollider, NodeId, Polygon, Polyline, PushedNode, QueryFilter, Scene, SceneError, Transform,
};

use super::program::{Program, ShapeSpec, Step};
use super::saved::{from_bytes, to_bytes};

/// The result of a comparison; the error describes the difference.
pub type Check = Result<(), String>;

#[allow(clippy::needless_pass_by_value, reason = "the calls are easier to read without references")]
fn ensure_equal<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Check {
    if found == expected { Ok(()) } else { Err(format!("{what}:\n   found {found:?}\nexpected {expected:?}")) }
}

pub fn ensure(condition: bool, message: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { Err(message()) }
}

/// A touching pair: the nodes and owners of the colliders at that time, and which of them are sensors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    nodes: [NodeId; 2],
    owners: [NodeId; 2],
    sensors: [bool; 2],
}

pub type Touches = BTreeMap<(ColliderId, ColliderId), Touch>;

pub fn touch(pair: &CollisionPair) -> ((ColliderId, ColliderId), Touch) {
    let CollisionPair { a, b, .. } = *pair;
    (
        (a.collider, b.collider),
        Touch { nodes: [a.node, b.node], owners: [a.owner, b.owner], sensors: [a.sensor, b.sensor] },
    )
}

/// Returns the events that an update must report between two sets of touches: all stops, then all starts, in the order
/// of the pairs. The last element of each event is its `owner_boundary`.
fn expected_events(old: &Touches, new: &Touches) -> Vec<(bool, (ColliderId, ColliderId), Touch, bool)> {
    let unordered = |touch: &Touch| (touch.owners[0].min(touch.owners[1]), touch.owners[0].max(touch.owners[1]));
    let stopped: Vec<_> = old.iter().filter(|(key, _)| !new.contains_key(key)).collect();
    let started: Vec<_> = new.iter().filter(|(key, _)| !old.contains_key(key)).collect();
    // A pair that keeps touching counts for the current owners of its colliders.
    let remaining: BTreeSet<_> =
        new.iter().filter(|(key, _)| old.contains_key(key)).map(|(_, touch)| unordered(touch)).collect();
    let [from, to] =
        [&stopped, &started].map(|list| list.iter().map(|(_, touch)| unordered(touch)).collect::<Vec<_>>());
    let mut events = Vec::new();
    for (index, (key, touch)) in stopped.iter().enumerate() {
        let owners = from[index];
        let is_last = !from[index + 1..].contains(&owners) && !to.contains(&owners) && !remaining.contains(&owners);
        events.push((false, **key, **touch, is_last));
    }
    for (index, (key, touch)) in started.iter().enumerate() {
        let owners = to[index];
        let is_first = !to[..index].contains(&owners) && !from.contains(&owners) && !remaining.contains(&owners);
        events.push((true, **key, **touch, is_first));
    }
    events
}

#[derive(Debug, Clone)]
struct NaiveNode {
    parent: Option<NodeId>,
    node: Node,
    children: Vec<NodeId>,
    colliders: Vec<ColliderId>,
}

/// A scene that stores only its tree, and the touches of the last update.
#[derive(Debug, Clone)]
struct NaiveScene {
    root: NodeId,
    nodes: BTreeMap<NodeId, NaiveNode>,
    colliders: BTreeMap<ColliderId, (NodeId, Attachment)>,
    /// The pairs of nodes whose colliders never touch, the smaller id of each first.
    ignored: BTreeSet<[NodeId; 2]>,
    /// The touches as of the last update.
    touching: Touches,
    /// Pairs whose start has been reported and whose stop has not.
    unmatched_starts: BTreeSet<(ColliderId, ColliderId)>,
}

/// The world state of a node.
struct Placement {
    /// The world transform; `None` if the node is quarantined.
    at: Option<Affine2>,
    enabled: bool,
    /// The topmost ancestor-or-self whose world transform is not finite.
    bad: Option<NodeId>,
}

impl NaiveScene {
    fn new(root: NodeId) -> Self {
        let entry = NaiveNode { parent: None, node: Node::new("root"), children: vec![], colliders: vec![] };
        let (colliders, ignored, touching, unmatched_starts) = Default::default();
        Self { root, nodes: [(root, entry)].into(), colliders, ignored, touching, unmatched_starts }
    }

    fn check_exists(&self, node: NodeId) -> Result<(), SceneError> {
        if self.nodes.contains_key(&node) { Ok(()) } else { Err(SceneError::NodeNotFound(node)) }
    }

    /// Returns the node, its parent, and so on up to the root.
    fn ancestors_and_self(&self, node: NodeId) -> Vec<NodeId> {
        std::iter::successors(Some(node), |node| self.nodes.get(node)?.parent).collect()
    }

    /// Returns the nearest node that owns its subtree, from a node up to the root, or else the node.
    fn owner(&self, node: NodeId) -> NodeId {
        let owners = self.ancestors_and_self(node).into_iter().filter(|node| self.nodes[node].node.owns_subtree);
        owners.chain([node]).next().unwrap()
    }

    /// Returns `true` if a node or its owner and another node or its owner are an ignored pair.
    fn ignores(&self, node: NodeId, other: NodeId) -> bool {
        let pairs = [node, self.owner(node)].map(|a| [other, self.owner(other)].map(|b| [a.min(b), a.max(b)]));
        pairs.as_flattened().iter().any(|pair| self.ignored.contains(pair))
    }

    fn side(&self, collider: ColliderId) -> NodeCollider {
        let (node, attachment) = &self.colliders[&collider];
        NodeCollider { node: *node, owner: self.owner(*node), collider, sensor: attachment.sensor }
    }

    fn placement(&self, node: NodeId) -> Placement {
        let mut placement = Placement { at: Some(Affine2::IDENTITY), enabled: true, bad: None };
        let mut at = Affine2::IDENTITY;
        for link in self.ancestors_and_self(node).into_iter().rev() {
            let node = &self.nodes[&link].node;
            at *= node.transform.to_affine();
            placement.enabled &= node.enabled;
            placement.bad = placement.bad.or_else(|| (!at.is_finite()).then_some(link));
        }
        placement.at = placement.bad.is_none().then_some(at);
        placement
    }

    /// Returns the id, node and world transform of each active collider.
    fn active(&self) -> Vec<(ColliderId, NodeId, Affine2)> {
        let active = self.colliders.iter().filter_map(|(id, (node, attachment))| {
            let placement = self.placement(*node);
            let at = placement.at.filter(|at| attachment.collider().bounds(at).is_finite())?;
            (placement.enabled && attachment.enabled).then_some((*id, *node, at))
        });
        active.collect()
    }

    fn attachment(&self, collider: ColliderId) -> &Attachment {
        &self.colliders[&collider].1
    }

    fn touches(&self) -> Touches {
        let active = self.active();
        let mut touches = Touches::new();
        for (index, (a, node_a, at_a)) in active.iter().enumerate() {
            for (b, node_b, at_b) in &active[index + 1..] {
                let [one, two] = [a, b].map(|id| self.attachment(*id));
                let owners = [node_a, node_b].map(|node| self.owner(*node));
                let may_collide =
                    owners[0] != owners[1] && one.layers.meets(two.layers) && !self.ignores(*node_a, *node_b);
                if may_collide && one.collider().collides(at_a, two.collider(), at_b) {
                    let touch = Touch { nodes: [*node_a, *node_b], owners, sensors: [one.sensor, two.sensor] };
                    touches.insert((*a, *b), touch);
                }
            }
        }
        touches
    }

    fn quarantined(&self) -> Vec<NodeId> {
        let bad = self.nodes.keys().filter_map(|node| self.placement(*node).bad);
        let overflows = |(node, attachment): &(NodeId, Attachment)| {
            let at = self.placement(*node).at?;
            (!attachment.collider().bounds(&at).is_finite()).then_some(*node)
        };
        let all: BTreeSet<NodeId> = bad.chain(self.colliders.values().filter_map(overflows)).collect();
        all.into_iter().collect()
    }

    fn check_reparent(&self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.check_exists(node)?;
        self.check_exists(parent)?;
        if node == self.root {
            return Err(SceneError::Root(node));
        }
        let cycle = Err(SceneError::Cycle { node, parent });
        if self.ancestors_and_self(parent).contains(&node) { cycle } else { Ok(()) }
    }

    fn reparent(&mut self, node: NodeId, parent: NodeId) {
        let old = self.nodes[&node].parent.unwrap();
        self.nodes.get_mut(&old).unwrap().children.retain(|child| *child != node);
        self.nodes.get_mut(&parent).unwrap().children.push(node);
        self.nodes.get_mut(&node).unwrap().parent = Some(parent);
    }

    fn remove(&mut self, node: NodeId) -> bool {
        let Some(parent) = self.nodes.get(&node).and_then(|entry| entry.parent) else { return false };
        self.nodes.get_mut(&parent).unwrap().children.retain(|child| *child != node);
        let mut pending = vec![node];
        while let Some(entry) = pending.pop().and_then(|node| self.nodes.remove(&node)) {
            pending.extend(entry.children);
            entry.colliders.iter().for_each(|id| drop(self.colliders.remove(id)));
        }
        self.ignored.retain(|pair| pair.iter().all(|node| self.nodes.contains_key(node)));
        true
    }

    /// Returns the error of a move if the node cannot be moved to a position in world space.
    fn check_movable(&self, node: NodeId) -> Result<(), SceneError> {
        self.check_exists(node)?;
        self.placement(node).at.ok_or(SceneError::NotInvertible(node))?;
        let Some(parent) = self.nodes[&node].parent else { return Ok(()) };
        if self.has_inverse(parent) { Ok(()) } else { Err(SceneError::NotInvertible(parent)) }
    }

    /// Returns `true` if the finite world transform of a node has an inverse: no scale up to the root is 0, and the
    /// determinant is more than rounding.
    fn has_inverse(&self, node: NodeId) -> bool {
        let matrix = self.placement(node).at.unwrap().matrix2.as_dmat2();
        let size = (matrix.x_axis.x * matrix.y_axis.y).abs() + (matrix.x_axis.y * matrix.y_axis.x).abs();
        let mut up = std::iter::successors(Some(node), |node| self.nodes[node].parent);
        let is_flat = up.any(|node| self.nodes[&node].node.transform.scale.cmpeq(Vec2::ZERO).any());
        let is_rounding = matrix.determinant().abs() <= 4.0 * f64::from(f32::EPSILON) * size;
        !is_flat && !is_rounding && matrix.inverse().is_finite()
    }

    /// Returns the descendants of a node, each before its children.
    fn descendants(&self, node: NodeId) -> Vec<NodeId> {
        let (mut found, mut pending) = (Vec::new(), vec![node]);
        while let Some(node) = pending.pop() {
            found.push(node);
            pending.extend(self.nodes[&node].children.iter().rev());
        }
        found.split_off(1)
    }

    /// Returns a scene with this collider alone, whose answers do not depend on the index.
    fn isolated(&self, collider: ColliderId) -> Scene {
        let (mut scene, (node, attachment)) = (Scene::new(), &self.colliders[&collider]);
        let mut tip = scene.root();
        for (index, link) in self.ancestors_and_self(*node).iter().rev().enumerate() {
            let node = self.nodes[link].node.clone();
            if index == 0 {
                scene[tip] = node;
            } else {
                tip = scene.add_child(tip, node).unwrap();
            }
        }
        scene.attach(tip, attachment.clone()).unwrap();
        scene
    }
}

/// Returns `true` if two nodes are equal, their transforms bit by bit.
fn nodes_equal(a: &Node, b: &Node) -> bool {
    let bits = |t: &Transform| [t.position.x, t.position.y, t.rotation, t.scale.x, t.scale.y, t.skew].map(f32::to_bits);
    let data = |node: &Node| (node.name.clone(), node.enabled, node.owns_subtree, node.user_data);
    bits(&a.transform) == bits(&b.transform) && data(a) == data(b)
}

/// A running program: the scene, its naive model, and the ids of everything created.
pub struct Run {
    scene: Scene,
    naive: NaiveScene,
    saved: (Scene, NaiveScene),
    nodes: Vec<NodeId>,
    colliders: Vec<ColliderId>,
    movers: BTreeSet<NodeId>,
    /// The movers that have stood on a floor, or may have in a push. They may ride on another mover, which they do not
    /// block.
    riders: BTreeSet<NodeId>,
    /// Those of them that have followed their platform since their last move, whose travel contains that.
    early: BTreeSet<NodeId>,
}

impl Run {
    fn new() -> Self {
        let scene = Scene::new();
        let naive = NaiveScene::new(scene.root());
        let (nodes, colliders) = (vec![scene.root()], vec![ColliderId::default()]);
        let (movers, riders, early) = Default::default();
        Self { saved: (scene.clone(), naive.clone()), scene, naive, nodes, colliders, movers, riders, early }
    }

    fn node(&self, number: usize) -> NodeId {
        self.nodes[number % self.nodes.len()]
    }

    fn collider(&self, number: usize) -> ColliderId {
        self.colliders[number % self.colliders.len()]
    }

    fn edit_node(&mut self, number: usize, edit: impl Fn(&mut Node)) -> Check {
        let id = self.node(number);
        let found = self.scene.get_mut(id).map(&edit).is_some();
        let expected = self.naive.nodes.get_mut(&id).map(|entry| edit(&mut entry.node)).is_some();
        ensure_equal("get_mut finds", found, expected)
    }

    fn edit_collider(&mut self, number: usize, edit: impl Fn(&mut Attachment)) -> Check {
        let id = self.collider(number);
        let found = self.scene.attachment_mut(id).map(&edit).is_some();
        let expected = self.naive.colliders.get_mut(&id).map(|(_, attachment)| edit(attachment)).is_some();
        ensure_equal("attachment_mut finds", found, expected)
    }

    /// Applies a step to the scene and to the model, and compares the results.
    fn apply(&mut self, step: &Step) -> Check {
        match *step {
            Step::Add { parent, transform } => {
                let parent = self.node(parent);
                let node = Node::new(format!("n{}", self.nodes.len())).with_transform(transform);
                let added = self.scene.add_child(parent, node.clone());
                ensure_equal("add_child", added.map(drop), self.naive.check_exists(parent))?;
                if let Ok(id) = added {
                    ensure(!self.naive.nodes.contains_key(&id), || format!("{id:?} is in use"))?;
                    let entry = NaiveNode { parent: Some(parent), node, children: vec![], colliders: vec![] };
                    self.naive.nodes.insert(id, entry);
                    self.naive.nodes.get_mut(&parent).unwrap().children.push(id);
                }
                self.nodes.push(added.unwrap_or_default());
                Ok(())
            }
            Step::Remove(node) => {
                let node = self.node(node);
                ensure_equal("remove", self.scene.remove(node), self.naive.remove(node))
            }
            Step::SetParent { node, parent } => {
                let (node, parent) = (self.node(node), self.node(parent));
                let expected = self.naive.check_reparent(node, parent);
                if expected.is_ok() {
                    self.naive.reparent(node, parent);
                }
                ensure_equal("set_parent", self.scene.set_parent(node, parent), expected)
            }
            Step::SetParentInPlace { node, parent } => self.set_parent_in_place(node, parent),
            Step::MoveChild { node, index } => {
                let node = self.node(node);
                let expected = self.naive.check_exists(node).and_then(|()| match self.naive.nodes[&node].parent {
                    Some(parent) => Ok(parent),
                    None => Err(SceneError::Root(node)),
                });
                if let Ok(parent) = expected {
                    let children = &mut self.naive.nodes.get_mut(&parent).unwrap().children;
                    children.retain(|child| *child != node);
                    children.insert(index.min(children.len()), node);
                }
                ensure_equal("move_child", self.scene.move_child(node, index), expected.map(drop))
            }
            Step::CopySubtree { node, parent } => {
                let (node, parent) = (self.node(node), self.node(parent));
                let copied = self.scene.copy_subtree(node, parent);
                let source = self.naive.clone();
                self.check_copy(&source, node, parent, copied)
            }
            Step::Graft { node, parent } => {
                let (node, parent) = (self.node(node), self.node(parent));
                let copied = self.scene.graft(&self.saved.0, node, parent);
                let source = self.saved.1.clone();
                self.check_copy(&source, node, parent, copied)
            }
            Step::Attach { node, spec, sensor } => {
                let (node, attachment) = (self.node(node), spec.attachment());
                let attachment = if sensor { attachment.sensor() } else { attachment };
                let attached = self.scene.attach(node, attachment.clone());
                ensure_equal("attach", attached.map(drop), self.naive.check_exists(node))?;
                if let Ok(id) = attached {
                    let old = self.naive.colliders.insert(id, (node, attachment));
                    ensure(old.is_none(), || format!("{id:?} is in use"))?;
                    self.naive.nodes.get_mut(&node).unwrap().colliders.push(id);
                }
                self.colliders.push(attached.unwrap_or_default());
                Ok(())
            }
            Step::Detach(collider) => {
                let id = self.collider(collider);
                let expected = self.naive.colliders.remove(&id);
                if let Some((node, _)) = &expected {
                    self.naive.nodes.get_mut(node).unwrap().colliders.retain(|other| *other != id);
                }
                let layers = |attachment: Attachment| (attachment.layers, attachment.sensor);
                let expected = expected.map(|(_, attachment)| layers(attachment));
                ensure_equal("detach", self.scene.detach(id).map(layers), expected)
            }
            Step::MoveCollider { collider, node } => {
                let (id, node) = (self.collider(collider), self.node(node));
                let expected = match self.naive.colliders.get(&id) {
                    None => Err(SceneError::ColliderNotFound(id)),
                    Some(_) => self.naive.check_exists(node),
                };
                if expected.is_ok() {
                    let old = std::mem::replace(&mut self.naive.colliders.get_mut(&id).unwrap().0, node);
                    self.naive.nodes.get_mut(&old).unwrap().colliders.retain(|other| *other != id);
                    self.naive.nodes.get_mut(&node).unwrap().colliders.push(id);
                }
                ensure_equal("move_collider", self.scene.move_collider(id, node), expected)
            }
            Step::SetTransform { node, transform } => self.edit_node(node, |node| node.transform = transform),
            Step::Mirror(node) => self.edit_node(node, |node| node.transform.scale.x *= -1.0),
            Step::SetScale { node, by } => self.edit_node(node, |node| node.transform.scale = by),
            Step::SetX { node, x } => self.edit_node(node, |node| node.transform.position.x = x),
            Step::SetNodeEnabled { node, on } => self.edit_node(node, |node| node.enabled = on),
            Step::SetOwnsSubtree { node, on } => self.edit_node(node, |node| node.owns_subtree = on),
            Step::IgnorePair(pair) => {
                let [a, b] = pair.map(|node| self.node(node));
                let expected = self.naive.check_exists(a).and_then(|()| self.naive.check_exists(b));
                if expected.is_ok() && a != b {
                    self.naive.ignored.insert([a.min(b), a.max(b)]);
                }
                ensure_equal("ignore_pair", self.scene.ignore_pair(a, b), expected)
            }
            Step::StopIgnoringPair(pair) => {
                let [a, b] = pair.map(|node| self.node(node));
                let expected = self.naive.ignored.remove(&[a.min(b), a.max(b)]);
                ensure_equal("ignores_pair", self.scene.ignores_pair(b, a), expected)?;
                ensure_equal("stop_ignoring_pair", self.scene.stop_ignoring_pair(a, b), expected)
            }
            Step::SetColliderEnabled { collider, on } => self.edit_collider(collider, |it| it.enabled = on),
            Step::SetSensor { collider, on } => self.edit_collider(collider, |it| it.sensor = on),
            Step::SetOneWay { collider, up } => self.edit_collider(collider, |it| it.one_way = up),
            Step::SetLayers { collider, layers } => self.edit_collider(collider, |it| it.layers = layers),
            Step::SetCollider { collider, spec } => {
                // The scene and the model each get a new collider with the old settings.
                self.edit_collider(collider, |it| {
                    let old = std::mem::replace(it, spec.attachment());
                    (it.layers, it.enabled, it.sensor) = (old.layers, old.enabled, old.sensor);
                    it.one_way = old.one_way;
                })
            }
            Step::Clear => {
                for child in self.naive.nodes[&self.naive.root].children.clone() {
                    self.naive.remove(child);
                }
                self.naive.nodes.get_mut(&self.naive.root).unwrap().colliders.clear();
                self.naive.colliders.clear();
                self.scene.clear();
                Ok(())
            }
            Step::Save => {
                self.saved = (self.scene.clone(), self.naive.clone());
                Ok(())
            }
            Step::Restore => {
                // The clone and the loaded scene must be equal; the program continues with the latter.
                self.naive = self.saved.1.clone();
                self.scene.clone_from(&self.saved.0);
                let loaded = from_bytes(&to_bytes(&self.scene))?;
                ensure_equal("the checksum of a loaded scene", loaded.checksum(), self.scene.checksum())?;
                ensure_equal("the checksum of a clone", self.scene.checksum(), self.saved.0.checksum())?;
                self.scene = loaded;
                Ok(())
            }
            Step::ShrinkToFit => {
                self.scene.shrink_to_fit();
                Ok(())
            }
            Step::Update => self.update(),
            Step::Query { from, to, probe } => self.compare_queries(from, to, &probe),
            Step::MoveAndSlide { node, displacement } => self.check_move(node, displacement, |scene, node, options| {
                scene.move_and_slide(node, displacement, options)
            }),
            Step::MoveAndCollide { node, displacement } => {
                self.check_move(node, displacement, |scene, node, options| {
                    scene.move_and_collide(node, displacement, options)
                })
            }
            Step::Push { node, displacement, rotation } => {
                self.check_push(node, &Motion::new(displacement).with_rotation(rotation))
            }
            Step::Depenetrate(node) => self.check_depenetrate(node),
        }
    }

    /// Adds the copy of a subtree of a model to the model of the scene.
    fn check_copy(
        &mut self,
        source: &NaiveScene,
        node: NodeId,
        parent: NodeId,
        copied: Result<CopiedIds, SceneError>,
    ) -> Check {
        let expected = source.check_exists(node).and_then(|()| self.naive.check_exists(parent));
        ensure_equal("result of a copy", copied.as_ref().map(drop).map_err(|error| *error), expected)?;
        self.nodes.push(copied.as_ref().map_or(NodeId::default(), CopiedIds::root));
        let Ok(copied) = copied else { return Ok(()) };
        let mut olds = vec![node];
        olds.extend(source.descendants(node));
        for old in &olds {
            let entry = &source.nodes[old];
            let new = copied.node(*old).ok_or_else(|| format!("{old:?} was not copied"))?;
            let above = if *old == node { parent } else { copied.node(entry.parent.unwrap()).unwrap() };
            let entry =
                NaiveNode { parent: Some(above), node: entry.node.clone(), children: vec![], colliders: vec![] };
            let used = self.naive.nodes.insert(new, entry);
            ensure(used.is_none(), || format!("{new:?} is in use"))?;
            self.naive.nodes.get_mut(&above).unwrap().children.push(new);
            for id in &source.nodes[old].colliders {
                let copy = copied.collider(*id).ok_or_else(|| format!("{id:?} was not copied"))?;
                let used = self.naive.colliders.insert(copy, (new, source.colliders[id].1.clone()));
                ensure(used.is_none(), || format!("{copy:?} is in use"))?;
                self.naive.nodes.get_mut(&new).unwrap().colliders.push(copy);
            }
        }
        for pair in &source.ignored {
            if let [Some(a), Some(b)] = pair.map(|old| copied.node(old)) {
                self.naive.ignored.insert([a.min(b), a.max(b)]);
            }
        }
        ensure_equal("the number of copied nodes", copied.nodes().len(), olds.len())
    }

    fn set_parent_in_place(&mut self, node: usize, parent: usize) -> Check {
        let (node, parent) = (self.node(node), self.node(parent));
        let mut expected = self.naive.check_reparent(node, parent);
        let before = expected.ok().and_then(|()| self.naive.placement(node).at);
        if expected.is_ok() && self.naive.nodes[&node].parent == Some(parent) {
            let local = self.scene[node].transform;
            ensure_equal("set_parent_in_place", self.scene.set_parent_in_place(node, parent), Ok(()))?;
            self.naive.reparent(node, parent);
            // As text, because a NaN does not equal itself.
            return ensure_equal("the transform", format!("{:?}", self.scene[node].transform), format!("{local:?}"));
        }
        if expected.is_ok() {
            let parent_at = self.naive.placement(parent).at;
            expected = match (parent_at, before) {
                (None, _) => Err(SceneError::NotInvertible(parent)),
                _ if !self.naive.has_inverse(parent) => Err(SceneError::NotInvertible(parent)),
                (_, None) => Err(SceneError::NotFinite(node)),
                _ => Ok(()),
            };
        }
        let found = self.scene.set_parent_in_place(node, parent);
        // The model does not predict an overflow of the local transform.
        if expected.is_ok() && found == Err(SceneError::NotFinite(node)) {
            expected = found;
        }
        ensure_equal("set_parent_in_place", found, expected)?;
        if let (Ok(()), Some(before)) = (found, before) {
            self.naive.reparent(node, parent);
            let parent_at = self.naive.placement(parent).at.unwrap();
            let matrix = parent_at.matrix2.as_dmat2();
            let local = self.scene[node].transform;
            self.naive.nodes.get_mut(&node).unwrap().node.transform = local;
            let size = matrix.x_axis.length() + matrix.y_axis.length();
            let tolerance = size * size / matrix.determinant().abs() * 16.0 * f64::from(f32::EPSILON);
            if let Some(after) = self.naive.placement(node).at.filter(|_| tolerance < 0.1) {
                let longest = before.matrix2.x_axis.length() + before.matrix2.y_axis.length();
                let near = after.matrix2.abs_diff_eq(before.matrix2, tolerance as f32 * longest);
                let reach = before.translation.length() + parent_at.translation.length();
                let stays = after.translation.abs_diff_eq(before.translation, tolerance as f32 * reach);
                ensure(near && stays, || format!("set_parent_in_place moved {before} to {after}"))?;
            }
        }
        Ok(())
    }

    fn update(&mut self) -> Check {
        let touches = self.naive.touches();
        let expected = expected_events(&self.naive.touching, &touches);
        let events = self.scene.update();
        let reported = events.iter().map(|event| {
            let (key, touch) = touch(event.pair());
            (matches!(event, CollisionEvent::Started(_)), key, touch, event.pair().owner_boundary)
        });
        let reported: Vec<_> = reported.collect();
        for (is_start, key, ..) in &reported {
            let starts = &mut self.naive.unmatched_starts;
            let alternates = if *is_start { starts.insert(*key) } else { starts.remove(key) };
            ensure(alternates, || format!("{key:?} starts or stops twice"))?;
        }
        ensure_equal("update", reported, expected)?;
        ensure_equal("quarantined", self.scene.quarantined().to_vec(), self.naive.quarantined())?;
        ensure(self.scene.touching().iter().all(|pair| !pair.owner_boundary), || {
            "touching() returns a pair with owner_boundary".into()
        })?;
        ensure_equal("a second update", self.scene.update(), vec![])?;
        self.naive.touching = touches;
        Ok(())
    }

    /// Compares all queries with brute force over every collider, alone in a scene.
    fn compare_queries(&mut self, from: Vec2, to: Vec2, probe: &ShapeSpec) -> Check {
        let Self { scene, naive, .. } = self;
        let (world, active) = (scene.world(), naive.active());
        let excluded = self.nodes[self.nodes.len() / 2];
        // Any id filters by owner: a live one with colliders, one without, or a stale one.
        let all = QueryFilter::default;
        let filters = [
            all(),
            all().without_sensors().exclude_subtree(excluded),
            all().only_sensors().exclude_owner(excluded),
            all().only_owner(excluded),
        ];
        let attachment = probe.attachment();
        let (shape, at, displacement) = (attachment.collider(), Affine2::from_translation(from), to - from);
        let region = Aabb::new(from, to);
        let corners =
            [region.min, Vec2::new(region.min.x, region.max.y), region.max, Vec2::new(region.max.x, region.min.y)];
        // Infinite regions have their own tests, and the convex hull of a very thin region is only a segment.
        let (short, long) = (region.size().min_element(), region.size().max_element());
        let region_polygon = Polygon::convex_hull(&corners).ok().filter(|_| short == 0.0 || short * 1e4 >= long);
        for (index, filter) in filters.iter().enumerate() {
            let admitted: Vec<_> = active
                .iter()
                .filter(|(id, node, _)| {
                    let (sensor, owner) = (naive.attachment(*id).sensor, naive.owner(*node));
                    let admitted = match index {
                        0 => true,
                        1 => !sensor && !naive.ancestors_and_self(*node).contains(&excluded),
                        2 => sensor && owner != excluded,
                        _ => owner == excluded,
                    };
                    admitted && filter.layers.meets(naive.attachment(*id).layers)
                })
                .collect();
            let touching = |probe: &dyn Collider, probe_at: &Affine2| -> Vec<NodeCollider> {
                let fits = probe.bounds(probe_at).is_finite();
                let touched = admitted
                    .iter()
                    .filter(|(id, _, at)| fits && probe.collides(probe_at, naive.attachment(*id).collider(), at));
                touched.map(|(id, ..)| naive.side(*id)).collect()
            };
            let point = Circle::point(from);
            let at_point = touching(&point, &Affine2::IDENTITY);
            let place = |side: &NodeCollider| {
                let order = naive.descendants(naive.root).into_iter().position(|node| node == side.node);
                (order, naive.nodes[&side.node].colliders.iter().position(|id| *id == side.collider))
            };
            let topmost = at_point.iter().copied().max_by_key(place);
            ensure_equal("pick", world.pick(from, filter), topmost)?;
            ensure_equal("at_point", world.at_point(from, filter).collect(), at_point)?;
            if let Some(region_polygon) = &region_polygon {
                ensure_equal(
                    "in_aabb",
                    world.in_aabb(region, filter).collect(),
                    touching(region_polygon, &Affine2::IDENTITY),
                )?;
            }
            ensure_equal("overlaps_shape", world.overlaps_shape(shape, &at, filter).collect(), touching(shape, &at))?;

            let (mut rays, mut casts, mut near) = (Vec::new(), Vec::new(), Vec::new());
            for (id, ..) in &admitted {
                let mut isolated = naive.isolated(*id);
                let (world, all) = (isolated.world(), QueryFilter::default().with_layers(filter.layers));
                let side = naive.side(*id);
                let ray = world.cast_ray(from, displacement, 50.0, &all);
                rays.extend(ray.map(|mut hit| {
                    hit.side = side;
                    hit
                }));
                let cast = world.cast_shape(shape, &at, displacement, &all);
                casts.extend(cast.map(|mut hit| {
                    hit.side = side;
                    hit
                }));
                let nearest = world.nearest(from, 20.0, &all);
                near.extend(nearest.map(|mut near| {
                    near.side = side;
                    near
                }));
            }
            rays.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.side.collider.cmp(&b.side.collider)));
            casts.sort_by(|a, b| a.fraction.total_cmp(&b.fraction).then(a.side.collider.cmp(&b.side.collider)));
            near.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.side.collider.cmp(&b.side.collider)));
            ensure_equal("cast_ray", world.cast_ray(from, displacement, 50.0, filter), rays.first().copied())?;
            ensure_equal("cast_ray_all", world.cast_ray_all(from, displacement, 50.0, filter), rays)?;
            ensure_equal("cast_shape", world.cast_shape(shape, &at, displacement, filter), casts.first().copied())?;
            ensure_equal("cast_shape_all", world.cast_shape_all(shape, &at, displacement, filter), casts)?;
            ensure_equal("nearest", world.nearest(from, 20.0, filter), near.first().copied())?;
            near.truncate(4);
            ensure_equal("nearest_n", world.nearest_n(from, 4, 20.0, filter), near)?;
        }
        let touches = naive.touches();
        for (id, ..) in &active {
            let others = touches.keys().filter_map(|(a, b)| match (a == id, b == id) {
                (true, _) => Some(naive.side(*b)),
                (_, true) => Some(naive.side(*a)),
                _ => None,
            });
            let mut others: Vec<NodeCollider> = others.collect();
            others.sort_by_key(|side| side.collider);
            ensure_equal("overlaps", world.overlaps(*id).collect(), others)?;
        }
        for node in naive.nodes.keys() {
            let is_on = |id: &ColliderId| naive.colliders[id].0 == *node;
            let others = touches.keys().flat_map(|(a, b)| [(a, b), (b, a)]).filter(|(own, _)| is_on(own));
            let others: BTreeSet<ColliderId> = others.map(|(_, other)| *other).collect();
            let others: Vec<NodeCollider> = others.into_iter().map(|id| naive.side(id)).collect();
            ensure_equal("overlaps_node", world.overlaps_node(*node).collect(), others)?;
        }
        let contacts = world.contacts();
        let expected: Vec<_> = touches.keys().copied().collect();
        ensure_equal("contacts", contacts.iter().map(|(pair, _)| touch(pair).0).collect(), expected)?;
        for (pair, contact) in contacts {
            ensure_equal("contact", world.contact(pair.a.collider, pair.b.collider), Some(contact))?;
            let fits = contact.depth >= 0.0 && (contact.normal.length() - 1.0).abs() < 1e-5;
            ensure(fits, || format!("{contact:?} of {pair:?}"))?;
        }
        Ok(())
    }

    /// Returns the nodes that are certain not to ride on another one.
    fn all_but_riders(&self) -> BTreeSet<NodeId> {
        let rides = |node: NodeId| self.naive.ancestors_and_self(node).iter().any(|above| self.riders.contains(above));
        self.naive.nodes.keys().copied().filter(|node| !rides(*node)).collect()
    }

    /// Returns the depth of the deepest contact of the node with colliders of certain nodes that block its moves.
    fn deepest_contact(&mut self, node: NodeId, others: &BTreeSet<NodeId>) -> f32 {
        let Self { scene, naive, .. } = self;
        let (world, active) = (scene.world(), naive.active());
        let solid = |id: ColliderId| !naive.attachment(id).sensor;
        let is_below =
            |other: NodeId| naive.ancestors_and_self(other).contains(&node) || naive.owner(other) == naive.owner(node);
        let may_block = |other: NodeId| others.contains(&other) && !is_below(other) && !naive.ignores(node, other);
        let mut deepest = 0.0_f32;
        for (own, ..) in active.iter().filter(|(id, at, _)| *at == node && solid(*id)) {
            for (other, ..) in active.iter().filter(|(id, at, _)| may_block(*at) && solid(*id)) {
                let [one, two] = [own, other].map(|id| naive.attachment(*id));
                let is_one_way = two.one_way.is_some() || two.collider_as().is_some_and(Polyline::is_one_sided);
                if one.layers.meets(two.layers) && !is_one_way {
                    deepest = deepest.max(world.contact(*own, *other).map_or(0.0, |contact| contact.depth));
                }
            }
        }
        deepest
    }

    /// Returns the error bound of the position after a move, which depends on the parent's transform and the colliders.
    fn tolerance(&self, node: NodeId) -> f32 {
        let naive = &self.naive;
        let reach = |(id, _, at): &(ColliderId, NodeId, Affine2)| {
            let bounds = naive.attachment(*id).collider().bounds(at);
            (bounds.min.abs().max(bounds.max.abs())).max_element()
        };
        let largest = naive.active().iter().map(reach).fold(0.0, f32::max);
        let far = |node: NodeId| naive.placement(node).at.map_or(0.0, |at| at.translation.abs().max_element());
        let (condition, far) = naive.nodes[&node].parent.map_or((1.0, far(node)), |parent| {
            let matrix = naive.placement(parent).at.map_or(glam::DMat2::IDENTITY, |at| at.matrix2.as_dmat2());
            let size = matrix.x_axis.length() + matrix.y_axis.length();
            ((size * size / matrix.determinant().abs()) as f32, far(node).max(far(parent)))
        });
        let largest = largest.max(far).max(1.0);
        1e-3 * largest + 1e-6 * condition * largest
    }

    /// Returns the expected result of a move or a push, given the one that was found: the model does not predict an overflow
    /// of its path.
    fn expected_move(&self, node: NodeId, found: Result<(), SceneError>) -> Result<(), SceneError> {
        let expected = self.naive.check_movable(node);
        let overflows = expected.is_ok() && found == Err(SceneError::NotFinite(node)) && self.tolerance(node) > 1e30;
        if overflows { found } else { expected }
    }

    fn check_move(
        &mut self,
        node: usize,
        displacement: Vec2,
        call: impl FnOnce(&mut Scene, NodeId, &MoveOptions) -> Result<Moved, SceneError>,
    ) -> Check {
        let node = self.node(node);
        let found = call(&mut self.scene, node, &MoveOptions::default());
        let result = found.as_ref().map(drop).map_err(|error| *error);
        ensure_equal("result of a move", result, self.expected_move(node, result))?;
        let Ok(moved) = found else { return Ok(()) };
        self.follow_riders(node);
        self.movers.insert(node);
        if moved.floor.is_some() {
            self.riders.insert(node);
        }
        let finite = moved.travel.is_finite() && moved.remainder.is_finite();
        ensure(finite, || format!("{moved:?} after {displacement}"))?;
        for hit in moved.hits() {
            let known = self.naive.colliders.get(&hit.side.collider).map(|(node, it)| (*node, it.sensor));
            ensure_equal("node and sensor flag of a hit", known, Some((hit.side.node, false)))?;
            let (own, other) = (self.naive.owner(node), self.naive.owner(hit.side.node));
            ensure_equal("owner of a hit", hit.side.owner, other)?;
            let is_own = own == other || self.naive.ancestors_and_self(hit.side.node).contains(&node);
            ensure(!is_own, || format!("{hit:?} is the mover's own collider"))?;
            ensure(!self.naive.ignores(node, hit.side.node), || format!("{hit:?} is of an ignored pair"))?;
        }
        self.check_arrival(node, moved.travel, moved.stuck)
    }

    /// Copies the positions of riders into the model, because what carries a node follows its own platform before the
    /// node moves.
    fn follow_riders(&mut self, mover: NodeId) {
        for rider in self.riders.iter().filter(|rider| **rider != mover) {
            if let (Some(node), Some(entry)) = (self.scene.get(*rider), self.naive.nodes.get_mut(rider)) {
                let position = std::mem::replace(&mut entry.node.transform.position, node.transform.position);
                if position != node.transform.position {
                    self.early.insert(*rider);
                }
            }
        }
    }

    fn check_depenetrate(&mut self, node: usize) -> Check {
        let node = self.node(node);
        match self.scene.depenetrate(node, &QueryFilter::default()) {
            Err(SceneError::NoWayOut(stuck)) => {
                ensure_equal("depenetrate", self.naive.check_movable(node), Ok(()))?;
                ensure_equal("the stuck node", stuck, node)?;
                let touches = self.scene.world().overlaps_node(node).next().is_some();
                ensure(touches, || "the mover is stuck without a touch".into())
            }
            found => {
                let result = found.map(drop);
                ensure_equal("depenetrate", result, self.expected_move(node, result))?;
                let was_early = self.early.contains(&node);
                found.map_or(Ok(()), |travel| self.check_arrival(node, travel, false))?;
                // The next move still reports it.
                self.early.extend(was_early.then_some(node));
                Ok(())
            }
        }
    }

    /// Copies the places after a push into the model, and checks them.
    fn check_push(&mut self, node: usize, motion: &Motion) -> Check {
        let node = self.node(node);
        let found = self.scene.push(node, *motion, &MoveOptions::default());
        let result = found.as_ref().map(drop).map_err(|error| *error);
        ensure_equal("result of a push", result, self.expected_move(node, result))?;
        let Ok(pushed) = found else { return Ok(()) };
        let starts: Vec<Vec2> =
            pushed.pushed().iter().map(|pushed| self.naive.placement(pushed.node).at.unwrap().translation).collect();
        self.follow_riders(node);
        self.riders.extend(&self.movers);
        let Some(before) = self.naive.placement(node).at.map(|at| at.translation) else { return Ok(()) };
        self.naive.nodes.get_mut(&node).unwrap().node.transform = self.scene[node].transform;
        for PushedNode { node: other, .. } in pushed.pushed() {
            let [below, above] =
                [(*other, node), (node, *other)].map(|(low, high)| self.naive.ancestors_and_self(low).contains(&high));
            ensure(!below && !above, || format!("{other:?} is pushed by its relative"))?;
            let position = self.scene[*other].transform.position;
            self.naive.nodes.get_mut(other).unwrap().node.transform.position = position;
            // The next move of a rider reports this travel.
            self.early.insert(*other);
        }
        let tolerance = self.tolerance(node);
        let Some(after) = self.naive.placement(node).at.filter(|_| tolerance < 0.5) else { return Ok(()) };
        let off = (after.translation - before - motion.displacement).length();
        ensure(off <= tolerance, || format!("{before} plus {motion:?} is not {}", after.translation))?;
        let mut pushing = self.all_but_riders();
        pushing.retain(|pushing| self.naive.ancestors_and_self(*pushing).contains(&node));
        let is_pushed = |other: NodeId| pushed.pushed().iter().any(|pushed| pushed.node == other);
        for (PushedNode { node: other, travel, .. }, start) in pushed.pushed().iter().zip(starts) {
            let tolerance = self.tolerance(*other);
            let rides_along = self.naive.ancestors_and_self(*other).iter().skip(1).any(|above| is_pushed(*above));
            let Some(end) = self.naive.placement(*other).at.filter(|_| tolerance < 0.5 && !rides_along) else {
                continue;
            };
            let off = (end.translation - start - *travel).length();
            ensure(off <= tolerance, || format!("{start} plus {travel} is not {}", end.translation))?;
            if !pushed.squeezed().contains(other) {
                let deep = self.deepest_contact(*other, &pushing);
                ensure(deep <= tolerance, || format!("{other:?} is {deep} deep inside what pushed it"))?;
            }
        }
        Ok(())
    }

    /// Copies the position after a move into the model. Checks that the travel is correct and that the mover ends
    /// outside everything that blocks it.
    fn check_arrival(&mut self, node: NodeId, travel: Vec2, stuck: bool) -> Check {
        let before = self.naive.placement(node).at.unwrap().translation;
        let position = self.scene[node].transform.position;
        let old = std::mem::replace(&mut self.naive.nodes.get_mut(&node).unwrap().node.transform.position, position);
        let tolerance = self.tolerance(node);
        if stuck {
            // A stuck mover may have been carried, so its travel is not checked.
            return Ok(());
        }
        if let Some(after) = self.naive.placement(node).at.filter(|_| tolerance < 0.5) {
            let off = (after.translation - before - travel).length();
            let is_early = self.early.remove(&node);
            ensure(is_early || off <= tolerance, || format!("{before} plus {travel} is not {}", after.translation))?;
            let deep = self.deepest_contact(node, &self.all_but_riders());
            ensure(deep <= tolerance, || format!("the depth is {deep} after a move from {old} to {position}"))?;
        }
        Ok(())
    }

    /// Compares the trees, the world states, the pairs and the touching pairs.
    fn compare(&mut self) -> Check {
        let Self { scene, naive, .. } = self;
        ensure_equal("node_count", scene.node_count(), naive.nodes.len())?;
        ensure_equal("collider_count", scene.collider_count(), naive.colliders.len())?;
        ensure_equal("descendants", scene.descendants(naive.root).collect(), naive.descendants(naive.root))?;
        // A program has no names for the nodes below a copy.
        for id in self.nodes.iter().chain(naive.nodes.keys()) {
            let entry = naive.nodes.get(id);
            ensure_equal("contains", scene.contains(*id), entry.is_some())?;
            ensure_equal("parent", scene.parent(*id), entry.and_then(|entry| entry.parent))?;
            ensure_equal("children", scene.children(*id), entry.map_or(&[], |entry| &entry.children))?;
            ensure_equal("colliders", scene.colliders(*id), entry.map_or(&[], |entry| &entry.colliders))?;
            let ancestors = entry.map_or(vec![], |_| naive.ancestors_and_self(*id).split_off(1));
            ensure_equal("ancestors", scene.ancestors(*id).collect(), ancestors)?;
            ensure_equal("owner", scene.owner(*id), entry.map(|_| naive.owner(*id)))?;
            let is_same = scene.get(*id).zip(entry).is_none_or(|(own, entry)| nodes_equal(own, &entry.node));
            ensure(is_same, || format!("found {:?}, expected {entry:?}", scene.get(*id)))?;
        }
        let ignored: Vec<_> = naive.ignored.iter().copied().collect();
        ensure_equal("ignored_pairs", scene.ignored_pairs().collect(), ignored)?;
        for id in self.colliders.iter().chain(naive.colliders.keys()) {
            ensure_equal("node_of", scene.node_of(*id), naive.colliders.get(id).map(|(node, _)| *node))?;
        }
        scene.validate()?;
        ensure(scene.try_world().is_some(), || "an edit waits after a refresh".into())?;
        let world = scene.world();
        for id in naive.nodes.keys() {
            let placement = naive.placement(*id);
            ensure_equal("transform", world.transform(*id), placement.at)?;
            ensure_equal("is_enabled", world.is_enabled(*id), placement.enabled)?;
        }
        let pairs: Vec<_> = world.pairs().iter().map(touch).collect();
        ensure_equal("pairs", pairs, naive.touches().into_iter().collect())?;
        let touching: Touches = scene.touching().iter().map(|pair| touch(&pair)).collect();
        ensure_equal("touching", &touching, &naive.touching)
    }
}

/// Runs a program on a scene and on its naive model and compares them after each step. At the end, clears the scene;
/// every start must then have had its stop.
pub fn run(program: &Program) -> Check {
    let mut run = Run::new();
    let end = [Step::Update, Step::Clear, Step::Update];
    for (number, step) in program.0.iter().chain(&end).enumerate() {
        let at_step = |error: String| format!("at step {number}, {step:?}: {error}");
        run.apply(step).map_err(at_step)?;
        run.compare().map_err(at_step)?;
    }
    ensure(run.naive.unmatched_starts.is_empty(), || format!("{:?} never stop", run.naive.unmatched_starts))
}
