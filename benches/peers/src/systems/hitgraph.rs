//! hitgraph through its public API: a scene with one node and one collider for each form.

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, CollisionEvent, CollisionLayers, CollisionPair, Contact, Node, NodeId, Polygon, Rect,
    Scene, Segment,
};

use crate::data::{Form, Pose};

pub struct Hitgraph {
    pub scene: Scene,
    pub nodes: Vec<NodeId>,
    events: Vec<CollisionEvent>,
    pairs: Vec<CollisionPair>,
    contacts: Vec<(CollisionPair, Contact)>,
}

pub fn attachment(form: Form) -> Attachment {
    match form {
        Form::Circle { radius } => Circle::new(radius).into(),
        Form::Rect { half } => Rect::new(2.0 * half.x, 2.0 * half.y).into(),
        Form::Segment { half } => Segment::new(vec2(-half, 0.0), vec2(half, 0.0)).into(),
        Form::Capsule { half, radius } => Capsule::new(vec2(-half, 0.0), vec2(half, 0.0), radius).into(),
        Form::Octagon { radius } => octagon(radius, Vec2::ZERO).into(),
    }
}

pub fn octagon(radius: f32, at: Vec2) -> Polygon {
    Polygon::convex(&Form::octagon(radius)).expect("an octagon is convex").at(at)
}

pub fn node(pose: Pose) -> Node {
    Node::new("").with_position(pose.position).with_rotation(pose.angle)
}

impl Hitgraph {
    pub fn new(forms: &[Form], poses: &[Pose]) -> Self {
        Self::on_layers(forms, poses, |_| CollisionLayers::ALL)
    }

    /// Creates a scene whose colliders are on the layers of their index.
    pub fn on_layers(forms: &[Form], poses: &[Pose], layers: impl Fn(usize) -> CollisionLayers) -> Self {
        let mut scene = Scene::new();
        let nodes = forms
            .iter()
            .zip(poses)
            .enumerate()
            .map(|(one, (form, pose))| scene.add_with(node(*pose), attachment(*form).with_layers(layers(one))).0);
        let nodes = nodes.collect();
        Self { scene, nodes, events: Vec::new(), pairs: Vec::new(), contacts: Vec::new() }
    }

    pub fn insert(&mut self, form: Form, pose: Pose) {
        self.nodes.push(self.scene.add_with(node(pose), attachment(form)).0);
    }

    /// Replaces a node by a new one.
    pub fn replace(&mut self, one: usize, form: Form, pose: Pose) {
        self.scene.remove(self.nodes[one]);
        (self.nodes[one], _) = self.scene.add_with(node(pose), attachment(form));
    }

    /// Moves the nodes from `first` on.
    pub fn place(&mut self, first: usize, poses: &[Pose]) {
        for (node, pose) in self.nodes[first..].iter().zip(&poses[first..]) {
            let transform = &mut self.scene[*node].transform;
            transform.position = pose.position;
            transform.rotation = pose.angle;
        }
    }

    /// Updates the scene. Returns the number of events.
    pub fn update(&mut self) -> usize {
        self.scene.update_into(&mut self.events);
        self.events.len()
    }

    pub fn pairs(&mut self) -> usize {
        self.scene.world().pairs_into(&mut self.pairs);
        self.pairs.len()
    }

    /// Updates the scene, which lists its pairs, and computes their contacts.
    pub fn contacts(&mut self) -> usize {
        self.update();
        self.scene.world().contacts_into(&mut self.contacts);
        self.contacts.len()
    }
}
