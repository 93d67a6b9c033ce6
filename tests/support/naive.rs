//! A scene that knows nothing but its tree and works everything out anew, and a run of a program on both. Knows no test
//! framework: what does not agree is told as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use glam::{Affine2, Vec2};
use hitgraph::{
    Aabb, Attachment, Circle, Collider, ColliderId, CollisionEvent, CollisionPair, MoveOptions, Moved, Node, NodeId,
    Polygon, Polyline, QueryFilter, Scene, SceneError, Side, Transform,
};

use super::program::{Form, Program, Step};

/// `Err` says what does not agree.
pub type Check = Result<(), String>;

#[allow(clippy::needless_pass_by_value, reason = "questions are easier to read this way")]
fn same<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Check {
    if found == expected { Ok(()) } else { Err(format!("{what}:\n   found {found:?}\nexpected {expected:?}")) }
}

fn holds(holds: bool, what: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(what()) }
}

/// A touch: the nodes of the colliders at that time, and whether a sensor is among them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    nodes: [NodeId; 2],
    sensor: bool,
}

pub type Touches = BTreeMap<(ColliderId, ColliderId), Touch>;

pub fn touch(pair: &CollisionPair) -> ((ColliderId, ColliderId), Touch) {
    ((pair.a.collider, pair.b.collider), Touch { nodes: [pair.a.node, pair.b.node], sensor: pair.sensor })
}

/// What an update has to tell between two sets of touches: all stops, then all starts, in the order of the pairs, with
/// the first or last touch between two nodes marked.
fn expected_events(old: &Touches, new: &Touches) -> Vec<(bool, (ColliderId, ColliderId), Touch, bool)> {
    let unordered = |touch: &Touch| (touch.nodes[0].min(touch.nodes[1]), touch.nodes[0].max(touch.nodes[1]));
    let stopped: Vec<_> = old.iter().filter(|(key, _)| !new.contains_key(key)).collect();
    let started: Vec<_> = new.iter().filter(|(key, _)| !old.contains_key(key)).collect();
    // A pair that goes on counts for the nodes that its colliders are on now.
    let goes_on: BTreeSet<_> =
        new.iter().filter(|(key, _)| old.contains_key(key)).map(|(_, touch)| unordered(touch)).collect();
    let [from, to] =
        [&stopped, &started].map(|list| list.iter().map(|(_, touch)| unordered(touch)).collect::<Vec<_>>());
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

#[derive(Debug, Clone)]
struct Branch {
    parent: Option<NodeId>,
    node: Node,
    children: Vec<NodeId>,
    colliders: Vec<ColliderId>,
}

/// The scene by its tree alone.
#[derive(Debug, Clone)]
struct Naive {
    root: NodeId,
    branches: BTreeMap<NodeId, Branch>,
    carried: BTreeMap<ColliderId, (NodeId, Attachment)>,
    /// As of the last update.
    touching: Touches,
    /// Starts that have had no stop.
    open: BTreeSet<(ColliderId, ColliderId)>,
}

/// Where a node is.
struct Place {
    /// `None` if it is set aside.
    at: Option<Affine2>,
    enabled: bool,
    /// The topmost node whose world transform is not finite.
    bad: Option<NodeId>,
}

impl Naive {
    fn new(root: NodeId) -> Self {
        let branch = Branch { parent: None, node: Node::new("root"), children: vec![], colliders: vec![] };
        let (carried, touching, open) = Default::default();
        Self { root, branches: [(root, branch)].into(), carried, touching, open }
    }

    fn known(&self, node: NodeId) -> Result<(), SceneError> {
        if self.branches.contains_key(&node) { Ok(()) } else { Err(SceneError::NodeNotFound(node)) }
    }

    /// The node and all above it.
    fn chain(&self, node: NodeId) -> Vec<NodeId> {
        std::iter::successors(Some(node), |node| self.branches.get(node)?.parent).collect()
    }

    fn place(&self, node: NodeId) -> Place {
        let mut place = Place { at: Some(Affine2::IDENTITY), enabled: true, bad: None };
        let mut at = Affine2::IDENTITY;
        for link in self.chain(node).into_iter().rev() {
            let node = &self.branches[&link].node;
            at *= node.transform.to_affine();
            place.enabled &= node.enabled;
            place.bad = place.bad.or_else(|| (!at.is_finite()).then_some(link));
        }
        place.at = place.bad.is_none().then_some(at);
        place
    }

    /// What takes part: id, node, place.
    fn active(&self) -> Vec<(ColliderId, NodeId, Affine2)> {
        let active = self.carried.iter().filter_map(|(id, (node, attachment))| {
            let place = self.place(*node);
            let at = place.at.filter(|at| attachment.shape().bounds(at).is_finite())?;
            (place.enabled && attachment.enabled).then_some((*id, *node, at))
        });
        active.collect()
    }

    fn attachment(&self, collider: ColliderId) -> &Attachment {
        &self.carried[&collider].1
    }

    fn touches(&self) -> Touches {
        let active = self.active();
        let mut touches = Touches::new();
        for (index, (a, node_a, at_a)) in active.iter().enumerate() {
            for (b, node_b, at_b) in &active[index + 1..] {
                let [one, two] = [a, b].map(|id| self.attachment(*id));
                let may = node_a != node_b && one.layers.meets(two.layers);
                if may && one.shape().collides(at_a, two.shape(), at_b) {
                    let touch = Touch { nodes: [*node_a, *node_b], sensor: one.sensor || two.sensor };
                    touches.insert((*a, *b), touch);
                }
            }
        }
        touches
    }

    fn quarantined(&self) -> Vec<NodeId> {
        let bad = self.branches.keys().filter_map(|node| self.place(*node).bad);
        let overflows = |(node, attachment): &(NodeId, Attachment)| {
            let at = self.place(*node).at?;
            (!attachment.shape().bounds(&at).is_finite()).then_some(*node)
        };
        let all: BTreeSet<NodeId> = bad.chain(self.carried.values().filter_map(overflows)).collect();
        all.into_iter().collect()
    }

    fn check_move(&self, node: NodeId, above: NodeId) -> Result<(), SceneError> {
        self.known(node)?;
        self.known(above)?;
        if node == self.root {
            return Err(SceneError::Root(node));
        }
        let cycle = Err(SceneError::Cycle { node, parent: above });
        if self.chain(above).contains(&node) { cycle } else { Ok(()) }
    }

    fn hang(&mut self, node: NodeId, above: NodeId) {
        let old = self.branches[&node].parent.unwrap();
        if old != above {
            self.branches.get_mut(&old).unwrap().children.retain(|child| *child != node);
            self.branches.get_mut(&above).unwrap().children.push(node);
            self.branches.get_mut(&node).unwrap().parent = Some(above);
        }
    }

    fn remove(&mut self, node: NodeId) -> bool {
        let Some(above) = self.branches.get(&node).and_then(|branch| branch.parent) else { return false };
        self.branches.get_mut(&above).unwrap().children.retain(|child| *child != node);
        let mut pending = vec![node];
        while let Some(branch) = pending.pop().and_then(|node| self.branches.remove(&node)) {
            pending.extend(branch.children);
            branch.colliders.iter().for_each(|id| drop(self.carried.remove(id)));
        }
        true
    }

    /// Why nothing that is on a node can be brought to a place in the world, if so.
    fn check_reach(&self, node: NodeId) -> Result<(), SceneError> {
        self.known(node)?;
        self.place(node).at.ok_or(SceneError::NotInvertible(node))?;
        let Some(parent) = self.branches[&node].parent else { return Ok(()) };
        let above = self.place(parent).at.unwrap().matrix2.as_dmat2();
        let inverse = above.inverse();
        let fits = above.determinant() != 0.0 && inverse.is_finite();
        if fits { Ok(()) } else { Err(SceneError::NotInvertible(parent)) }
    }

    /// Each node before its children.
    fn descendants(&self, node: NodeId) -> Vec<NodeId> {
        let (mut found, mut pending) = (Vec::new(), vec![node]);
        while let Some(node) = pending.pop() {
            found.push(node);
            pending.extend(self.branches[&node].children.iter().rev());
        }
        found.split_off(1)
    }

    /// A scene with this collider alone, so that no index can hide anything.
    fn alone(&self, collider: ColliderId) -> Scene {
        let (mut scene, (node, attachment)) = (Scene::new(), &self.carried[&collider]);
        let mut tip = scene.root();
        for (index, link) in self.chain(*node).iter().rev().enumerate() {
            let node = self.branches[link].node.clone();
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

/// Equal, bit by bit.
fn same_node(a: &Node, b: &Node) -> bool {
    let bits = |t: &Transform| [t.position.x, t.position.y, t.rotation, t.scale.x, t.scale.y, t.skew].map(f32::to_bits);
    bits(&a.transform) == bits(&b.transform) && (&a.name, a.enabled, a.user_data) == (&b.name, b.enabled, b.user_data)
}

/// A program that runs, on a scene and on the naive one.
pub struct Run {
    scene: Scene,
    naive: Naive,
    saved: (Scene, Naive),
    nodes: Vec<NodeId>,
    colliders: Vec<ColliderId>,
}

impl Run {
    fn new() -> Self {
        let scene = Scene::new();
        let naive = Naive::new(scene.root());
        let nodes = vec![scene.root()];
        Self { saved: (scene.clone(), naive.clone()), scene, naive, nodes, colliders: vec![ColliderId::default()] }
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
        let expected = self.naive.branches.get_mut(&id).map(|branch| edit(&mut branch.node)).is_some();
        same("get_mut finds", found, expected)
    }

    fn edit_collider(&mut self, number: usize, edit: impl Fn(&mut Attachment)) -> Check {
        let id = self.collider(number);
        let found = self.scene.attachment_mut(id).map(&edit).is_some();
        let expected = self.naive.carried.get_mut(&id).map(|(_, attachment)| edit(attachment)).is_some();
        same("attachment_mut finds", found, expected)
    }

    /// Applies a step to both and compares what they answer to it.
    fn apply(&mut self, step: &Step) -> Check {
        match *step {
            Step::Add { above, transform } => {
                let above = self.node(above);
                let node = Node::new(format!("n{}", self.nodes.len())).with_transform(transform);
                let added = self.scene.add_child(above, node.clone());
                same("add_child", added.map(drop), self.naive.known(above))?;
                if let Ok(id) = added {
                    holds(!self.naive.branches.contains_key(&id), || format!("{id:?} is in use"))?;
                    let branch = Branch { parent: Some(above), node, children: vec![], colliders: vec![] };
                    self.naive.branches.insert(id, branch);
                    self.naive.branches.get_mut(&above).unwrap().children.push(id);
                }
                self.nodes.push(added.unwrap_or_default());
                Ok(())
            }
            Step::Remove(node) => {
                let node = self.node(node);
                same("remove", self.scene.remove(node), self.naive.remove(node))
            }
            Step::SetParent { node, above } => {
                let (node, above) = (self.node(node), self.node(above));
                let expected = self.naive.check_move(node, above);
                if expected.is_ok() {
                    self.naive.hang(node, above);
                }
                same("set_parent", self.scene.set_parent(node, above), expected)
            }
            Step::SetParentInPlace { node, above } => self.set_parent_in_place(node, above),
            Step::Attach { node, form, sensor } => {
                let (node, attachment) = (self.node(node), form.attachment());
                let attachment = if sensor { attachment.sensor() } else { attachment };
                let attached = self.scene.attach(node, attachment.clone());
                same("attach", attached.map(drop), self.naive.known(node))?;
                if let Ok(id) = attached {
                    let old = self.naive.carried.insert(id, (node, attachment));
                    holds(old.is_none(), || format!("{id:?} is in use"))?;
                    self.naive.branches.get_mut(&node).unwrap().colliders.push(id);
                }
                self.colliders.push(attached.unwrap_or_default());
                Ok(())
            }
            Step::Detach(collider) => {
                let id = self.collider(collider);
                let expected = self.naive.carried.remove(&id);
                if let Some((node, _)) = &expected {
                    self.naive.branches.get_mut(node).unwrap().colliders.retain(|other| *other != id);
                }
                let layers = |attachment: Attachment| (attachment.layers, attachment.sensor);
                let expected = expected.map(|(_, attachment)| layers(attachment));
                same("detach", self.scene.detach(id).map(layers), expected)
            }
            Step::MoveCollider { collider, node } => {
                let (id, node) = (self.collider(collider), self.node(node));
                let expected = match self.naive.carried.get(&id) {
                    None => Err(SceneError::ColliderNotFound(id)),
                    Some(_) => self.naive.known(node),
                };
                if expected.is_ok() {
                    let old = std::mem::replace(&mut self.naive.carried.get_mut(&id).unwrap().0, node);
                    self.naive.branches.get_mut(&old).unwrap().colliders.retain(|other| *other != id);
                    self.naive.branches.get_mut(&node).unwrap().colliders.push(id);
                }
                same("move_collider", self.scene.move_collider(id, node), expected)
            }
            Step::Place { node, transform } => self.edit_node(node, |node| node.transform = transform),
            Step::Mirror(node) => self.edit_node(node, |node| node.transform.scale.x *= -1.0),
            Step::Scale { node, by } => self.edit_node(node, |node| node.transform.scale = by),
            Step::PutX { node, x } => self.edit_node(node, |node| node.transform.position.x = x),
            Step::EnableNode { node, on } => self.edit_node(node, |node| node.enabled = on),
            Step::EnableCollider { collider, on } => self.edit_collider(collider, |it| it.enabled = on),
            Step::Sensor { collider, on } => self.edit_collider(collider, |it| it.sensor = on),
            Step::OneWay { collider, up } => self.edit_collider(collider, |it| it.one_way = up),
            Step::Layers { collider, layers } => self.edit_collider(collider, |it| it.layers = layers),
            Step::Shape { collider, form } => {
                // Both get the same shape: a clone shares it.
                self.edit_collider(collider, |it| {
                    let old = std::mem::replace(it, form.attachment());
                    (it.layers, it.enabled, it.sensor) = (old.layers, old.enabled, old.sensor);
                    it.one_way = old.one_way;
                })
            }
            Step::Clear => {
                for child in self.naive.branches[&self.naive.root].children.clone() {
                    self.naive.remove(child);
                }
                self.naive.branches.get_mut(&self.naive.root).unwrap().colliders.clear();
                self.naive.carried.clear();
                self.scene.clear();
                Ok(())
            }
            Step::Save => {
                self.saved = (self.scene.clone(), self.naive.clone());
                Ok(())
            }
            Step::Restore => {
                (self.scene, self.naive) = self.saved.clone();
                Ok(())
            }
            Step::Update => self.update(),
            Step::Ask { from, to, brush } => self.ask(from, to, &brush),
            Step::Slide { node, motion } => {
                self.go(node, motion, |scene, node, options| scene.move_and_slide(node, motion, options))
            }
            Step::Collide { node, motion } => {
                self.go(node, motion, |scene, node, options| scene.move_and_collide(node, motion, options))
            }
            Step::PushOut(node) => self.push_out(node),
        }
    }

    fn set_parent_in_place(&mut self, node: usize, above: usize) -> Check {
        let (node, above) = (self.node(node), self.node(above));
        let mut expected = self.naive.check_move(node, above);
        let before = expected.ok().and_then(|()| self.naive.place(node).at);
        if expected.is_ok() {
            let parent = self.naive.place(above).at;
            expected = match (parent, before) {
                (None, _) => Err(SceneError::NotInvertible(above)),
                (_, None) => Err(SceneError::NotInvertible(node)),
                (Some(parent), _) if parent.matrix2.as_dmat2().determinant() == 0.0 => {
                    Err(SceneError::NotInvertible(above))
                }
                _ => Ok(()),
            };
        }
        let found = self.scene.set_parent_in_place(node, above);
        // Where the local form overflows, the naive scene does not know it before.
        if expected.is_ok() && found == Err(SceneError::NotInvertible(above)) {
            expected = found;
        }
        same("set_parent_in_place", found, expected)?;
        if let (Ok(()), Some(before)) = (found, before) {
            self.naive.hang(node, above);
            let parent = self.naive.place(above).at.unwrap().matrix2.as_dmat2();
            let local = self.scene[node].transform;
            self.naive.branches.get_mut(&node).unwrap().node.transform = local;
            let (size, flat) = (parent.x_axis.length() + parent.y_axis.length(), parent.determinant().abs());
            let tolerance = size * size / flat * 16.0 * f64::from(f32::EPSILON);
            if let Some(after) = self.naive.place(node).at.filter(|_| tolerance < 0.1) {
                let longest = before.matrix2.x_axis.length() + before.matrix2.y_axis.length();
                let near = after.matrix2.abs_diff_eq(before.matrix2, tolerance as f32 * longest);
                let reach = before.translation.length() + self.naive.place(above).at.unwrap().translation.length();
                let stays = after.translation.abs_diff_eq(before.translation, tolerance as f32 * reach);
                holds(near && stays, || format!("set_parent_in_place moved {before} to {after}"))?;
            }
        }
        Ok(())
    }

    fn update(&mut self) -> Check {
        let touches = self.naive.touches();
        let expected = expected_events(&self.naive.touching, &touches);
        let events = self.scene.update();
        let told = events.iter().map(|event| {
            let (key, touch) = touch(event.pair());
            (matches!(event, CollisionEvent::Started(_)), key, touch, event.pair().node_boundary)
        });
        let told: Vec<_> = told.collect();
        for (is_start, key, ..) in &told {
            let fits = if *is_start { self.naive.open.insert(*key) } else { self.naive.open.remove(key) };
            holds(fits, || format!("{key:?} begins or ends twice"))?;
        }
        same("update", told, expected)?;
        same("quarantined", self.scene.quarantined().to_vec(), self.naive.quarantined())?;
        holds(self.scene.touching().iter().all(|pair| !pair.node_boundary), || "a boundary outside events".into())?;
        same("a second update", self.scene.update(), vec![])?;
        self.naive.touching = touches;
        Ok(())
    }

    /// All questions, against asking every collider alone.
    fn ask(&mut self, from: Vec2, to: Vec2, brush: &Form) -> Check {
        let Self { scene, naive, .. } = self;
        let (world, active) = (scene.world(), naive.active());
        let excluded = self.nodes[self.nodes.len() / 2];
        let filters = [QueryFilter::default(), QueryFilter::default().without_sensors().exclude_subtree(excluded)];
        let brush = brush.attachment();
        let (shape, at, way) = (brush.shape(), Affine2::from_translation(from), to - from);
        let region = Aabb::new(from, to);
        let corners =
            [region.min, Vec2::new(region.min.x, region.max.y), region.max, Vec2::new(region.max.x, region.min.y)];
        // Infinite regions have tests of their own, and of a thread the hull is only a line.
        let (short, long) = (region.size().min_element(), region.size().max_element());
        let sheet = Polygon::convex_hull(&corners).ok().filter(|_| short == 0.0 || short * 1e4 >= long);
        for (index, filter) in filters.iter().enumerate() {
            let asked: Vec<_> = active
                .iter()
                .filter(|(id, node, _)| {
                    let outside = index == 0 || !naive.chain(*node).contains(&excluded);
                    outside
                        && (filter.sensors || !naive.attachment(*id).sensor)
                        && filter.layers.meets(naive.attachment(*id).layers)
                })
                .collect();
            let touching = |probe: &dyn Collider, probe_at: &Affine2| -> Vec<Side> {
                let fits = probe.bounds(probe_at).is_finite();
                let touched = asked
                    .iter()
                    .filter(|(id, _, at)| fits && probe.collides(probe_at, naive.attachment(*id).shape(), at));
                touched.map(|(id, node, _)| Side { node: *node, collider: *id }).collect()
            };
            let point = Circle::point(from);
            same("at_point", world.at_point(from, filter).collect(), touching(&point, &Affine2::IDENTITY))?;
            if let Some(sheet) = &sheet {
                same("in_aabb", world.in_aabb(region, filter).collect(), touching(sheet, &Affine2::IDENTITY))?;
            }
            same("overlaps_shape", world.overlaps_shape(shape, &at, filter).collect(), touching(shape, &at))?;

            let (mut rays, mut casts, mut near) = (Vec::new(), Vec::new(), Vec::new());
            for (id, node, _) in &asked {
                let mut alone = naive.alone(*id);
                let (world, all) = (alone.world(), QueryFilter { layers: filter.layers, ..QueryFilter::default() });
                let side = Side { node: *node, collider: *id };
                let ray = world.cast_ray(from, way, 50.0, &all);
                rays.extend(ray.map(|hit| hitgraph::RayHit { side, ..hit }));
                let cast = world.cast_shape(shape, &at, way, &all);
                casts.extend(cast.map(|hit| hitgraph::ShapeCastHit { side, ..hit }));
                let nearest = world.nearest(from, 20.0, &all);
                near.extend(nearest.map(|near| hitgraph::Nearest { side, ..near }));
            }
            rays.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.side.collider.cmp(&b.side.collider)));
            casts.sort_by(|a, b| a.fraction.total_cmp(&b.fraction).then(a.side.collider.cmp(&b.side.collider)));
            near.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.side.collider.cmp(&b.side.collider)));
            same("cast_ray", world.cast_ray(from, way, 50.0, filter), rays.first().copied())?;
            same("cast_ray_all", world.cast_ray_all(from, way, 50.0, filter), rays)?;
            same("cast_shape", world.cast_shape(shape, &at, way, filter), casts.first().copied())?;
            same("cast_shape_all", world.cast_shape_all(shape, &at, way, filter), casts)?;
            same("nearest", world.nearest(from, 20.0, filter), near.first().copied())?;
            near.truncate(4);
            same("nearest_n", world.nearest_n(from, 4, 20.0, filter), near)?;
        }
        let touches = naive.touches();
        for (id, ..) in &active {
            let others = touches.iter().filter_map(|((a, b), touch)| match (a == id, b == id) {
                (true, _) => Some(Side { node: touch.nodes[1], collider: *b }),
                (_, true) => Some(Side { node: touch.nodes[0], collider: *a }),
                _ => None,
            });
            let mut others: Vec<Side> = others.collect();
            others.sort_by_key(|side| side.collider);
            same("overlaps", world.overlaps(*id).collect(), others)?;
        }
        let contacts = world.contacts();
        let expected: Vec<_> = touches.keys().copied().collect();
        same("contacts", contacts.iter().map(|(pair, _)| touch(pair).0).collect(), expected)?;
        for (pair, contact) in contacts {
            same("contact", world.contact(pair.a.collider, pair.b.collider), Some(contact))?;
            let fits = contact.depth >= 0.0 && (contact.normal.length() - 1.0).abs() < 1e-5;
            holds(fits, || format!("{contact:?} of {pair:?}"))?;
        }
        Ok(())
    }

    /// What the node is inside of, by the deepest contact of what stands in its way.
    fn deepest(&mut self, node: NodeId) -> f32 {
        let Self { scene, naive, .. } = self;
        let (world, active) = (scene.world(), naive.active());
        let solid = |id: ColliderId| !naive.attachment(id).sensor;
        let below = |other: NodeId| naive.chain(other).contains(&node);
        let mut deepest = 0.0_f32;
        for (own, ..) in active.iter().filter(|(id, at, _)| *at == node && solid(*id)) {
            for (other, ..) in active.iter().filter(|(id, at, _)| !below(*at) && solid(*id)) {
                let [one, two] = [own, other].map(|id| naive.attachment(*id));
                let sided = two.one_way.is_some() || two.shape_as().is_some_and(Polyline::is_one_sided);
                if one.layers.meets(two.layers) && !sided {
                    deepest = deepest.max(world.contact(*own, *other).map_or(0.0, |contact| contact.depth));
                }
            }
        }
        deepest
    }

    /// How exact a position is that is reached from below a parent, by what the node carries.
    fn slack(&self, node: NodeId) -> f32 {
        let naive = &self.naive;
        let reach = |(id, _, at): &(ColliderId, NodeId, Affine2)| {
            let bounds = naive.attachment(*id).shape().bounds(at);
            (bounds.min.abs().max(bounds.max.abs())).max_element()
        };
        let largest = naive.active().iter().map(reach).fold(0.0, f32::max);
        let far = |node: NodeId| naive.place(node).at.map_or(0.0, |at| at.translation.abs().max_element());
        let (condition, far) = naive.branches[&node].parent.map_or((1.0, far(node)), |parent| {
            let matrix = naive.place(parent).at.map_or(glam::DMat2::IDENTITY, |at| at.matrix2.as_dmat2());
            let size = matrix.x_axis.length() + matrix.y_axis.length();
            ((size * size / matrix.determinant().abs()) as f32, far(node).max(far(parent)))
        });
        let largest = largest.max(far).max(1.0);
        1e-3 * largest + 1e-6 * condition * largest
    }

    fn go(
        &mut self,
        node: usize,
        motion: Vec2,
        go: impl FnOnce(&mut Scene, NodeId, &MoveOptions) -> Result<Moved, SceneError>,
    ) -> Check {
        let node = self.node(node);
        let found = go(&mut self.scene, node, &MoveOptions::default());
        let expected = self.naive.check_reach(node);
        same("a move", found.as_ref().map(drop).map_err(|error| *error), expected)?;
        let Ok(moved) = found else { return Ok(()) };
        let finite = moved.travel.is_finite() && moved.remainder.is_finite();
        holds(finite, || format!("{moved:?} after {motion}"))?;
        for hit in &moved.hits {
            let known = self.naive.carried.get(&hit.side.collider).map(|(node, it)| (*node, it.sensor));
            same("what is hit", known, Some((hit.side.node, false)))?;
            let below = self.naive.chain(hit.side.node).contains(&node);
            holds(!below, || format!("{hit:?} is the mover's own"))?;
        }
        self.arrive(node, moved.travel, moved.stuck)
    }

    fn push_out(&mut self, node: usize) -> Check {
        let node = self.node(node);
        let expected = self.naive.check_reach(node);
        match self.scene.depenetrate(node, &QueryFilter::default()) {
            Err(SceneError::NoWayOut(stuck)) => {
                same("depenetrate", expected, Ok(()))?;
                same("who is stuck", stuck, node)?;
                holds(self.deepest(node) > 0.0, || "stuck in nothing".into())
            }
            found => {
                same("depenetrate", found.map(drop), expected)?;
                found.map_or(Ok(()), |way| self.arrive(node, way, false))
            }
        }
    }

    /// Takes over where a move led, which must be what it says, and out of everything.
    fn arrive(&mut self, node: NodeId, travel: Vec2, stuck: bool) -> Check {
        let before = self.naive.place(node).at.unwrap().translation;
        let position = self.scene[node].transform.position;
        let old = std::mem::replace(&mut self.naive.branches.get_mut(&node).unwrap().node.transform.position, position);
        let slack = self.slack(node);
        if stuck {
            // It may have been carried.
            return Ok(());
        }
        if let Some(after) = self.naive.place(node).at.filter(|_| slack < 0.5) {
            let off = (after.translation - before - travel).length();
            holds(off <= slack, || format!("{before} and {travel} make {}", after.translation))?;
            let deep = self.deepest(node);
            holds(deep <= slack, || format!("{deep} deep after a move from {old} to {position}"))?;
        }
        Ok(())
    }

    /// Compares everything that needs no question.
    fn compare(&mut self) -> Check {
        let Self { scene, naive, .. } = self;
        same("node_count", scene.node_count(), naive.branches.len())?;
        same("collider_count", scene.collider_count(), naive.carried.len())?;
        same("descendants", scene.descendants(naive.root).collect(), naive.descendants(naive.root))?;
        for id in &self.nodes {
            let branch = naive.branches.get(id);
            same("contains", scene.contains(*id), branch.is_some())?;
            same("parent", scene.parent(*id), branch.and_then(|branch| branch.parent))?;
            same("children", scene.children(*id), branch.map_or(&[], |branch| &branch.children))?;
            same("colliders", scene.colliders(*id), branch.map_or(&[], |branch| &branch.colliders))?;
            let above = branch.map_or(vec![], |_| naive.chain(*id).split_off(1));
            same("ancestors", scene.ancestors(*id).collect(), above)?;
            let is_same = scene.get(*id).zip(branch).is_none_or(|(own, branch)| same_node(own, &branch.node));
            holds(is_same, || format!("{:?} instead of {branch:?}", scene.get(*id)))?;
        }
        for id in &self.colliders {
            same("node_of", scene.node_of(*id), naive.carried.get(id).map(|(node, _)| *node))?;
        }
        scene.validate()?;
        let world = scene.world();
        for id in self.nodes.iter().filter(|id| naive.branches.contains_key(id)) {
            let place = naive.place(*id);
            same("transform", world.transform(*id), place.at)?;
            same("is_enabled", world.is_enabled(*id), place.enabled)?;
        }
        let pairs: Vec<_> = world.pairs().iter().map(touch).collect();
        same("pairs", pairs, naive.touches().into_iter().collect())?;
        let touching: Vec<_> = scene.touching().iter().map(|pair| touch(pair).0).collect();
        same("touching", touching, naive.touching.keys().copied().collect())
    }
}

/// Runs a program on a scene and on the naive one, and at its end clears everything: whatever has begun must end.
pub fn run(program: &Program) -> Check {
    let mut run = Run::new();
    let end = [Step::Update, Step::Clear, Step::Update];
    for (number, step) in program.0.iter().chain(&end).enumerate() {
        let told = |error: String| format!("at step {number}, {step:?}: {error}");
        run.apply(step).map_err(told)?;
        run.compare().map_err(told)?;
    }
    holds(run.naive.open.is_empty(), || format!("{:?} never end", run.naive.open))
}
