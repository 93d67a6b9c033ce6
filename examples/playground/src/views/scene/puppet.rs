//! A puppet: a tree of limbs, those on its left the same as those on its right under a mirrored node.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Capsule, Circle, Node, NodeId, Polygon, Rect, Scene, Transform};

use super::group::{Group, Wanted};

/// A limb that swings.
#[derive(Debug, Clone, Copy)]
struct Swing {
    node: NodeId,
    middle: f32,
    width: f32,
    /// Where in the step it is, as a part of it.
    phase: f32,
}

#[derive(Debug)]
pub struct Puppet {
    pub root: NodeId,
    torso: NodeId,
    /// The upper arm on its right, to be spoilt.
    pub arm: NodeId,
    swings: Vec<Swing>,
}

/// Adds limbs, one below the other.
struct Builder<'a> {
    scene: &'a mut Scene,
    swings: Vec<Swing>,
}

impl Builder<'_> {
    fn add(&mut self, parent: NodeId, name: &'static str, transform: Transform) -> NodeId {
        self.scene.add_child(parent, Node::new(name).with_transform(transform)).unwrap_or(parent)
    }

    fn limb(
        &mut self,
        parent: NodeId,
        name: &'static str,
        transform: Transform,
        shape: impl Into<Attachment>,
    ) -> NodeId {
        let node = self.add(parent, name, transform);
        self.attach(node, shape, Group::Puppet);
        node
    }

    fn attach(&mut self, node: NodeId, shape: impl Into<Attachment>, group: Group) {
        let attachment: Attachment = shape.into();
        // The node has just been added.
        let _ = self.scene.attach(node, attachment.with_layers(Wanted::default().layers(group)));
    }

    fn swing(&mut self, node: NodeId, middle: f32, width: f32, phase: f32) {
        self.swings.push(Swing { node, middle, width, phase });
    }
}

fn at(x: f32, y: f32) -> Transform {
    Transform::from_position(vec2(x, y))
}

/// From the joint along x.
fn bone(length: f32, radius: f32) -> Capsule {
    Capsule::new(Vec2::ZERO, vec2(length, 0.0), radius)
}

impl Puppet {
    pub fn new(scene: &mut Scene, position: Vec2) -> Self {
        let root = scene.add(Node::new("puppet").with_position(position));
        let mut build = Builder { scene, swings: Vec::new() };
        let trunk = Capsule::new(vec2(0.0, -0.35), vec2(0.0, 0.45), 0.4);
        let torso = build.limb(root, "torso", at(0.0, 0.9), trunk);
        let head = build.limb(torso, "head", at(0.0, 1.25), Circle::new(0.38));
        build.swing(head, 0.0, 0.15, 0.25);
        // A hat that leans: nothing but skew.
        let cone = [vec2(-0.42, 0.0), vec2(0.42, 0.0), vec2(0.0, 0.75)];
        if let Ok(cone) = Polygon::convex(&cone) {
            build.limb(head, "hat", at(0.0, 0.28).with_skew(0.35), cone);
        }
        let mut arms = [root; 2];
        for (index, mirror) in [1.0, -1.0].into_iter().enumerate() {
            let side = ["right side", "left side"][index];
            let half = index as f32 * 0.5;
            let shoulders = build.add(torso, side, at(0.0, 0.4).with_scale(vec2(mirror, 1.0)));
            let arm = build.limb(shoulders, "arm", at(0.42, 0.0), bone(0.7, 0.15));
            build.swing(arm, -0.6, 0.5, half);
            arms[index] = arm;
            // Longer and thinner, so that its round end is not.
            let forearm = build.limb(arm, "forearm", at(0.78, 0.0).with_scale(vec2(1.25, 0.8)), bone(0.5, 0.15));
            build.swing(forearm, 0.7, 0.45, half + 0.1);
            let hand = build.limb(forearm, "hand", at(0.66, 0.0), Circle::new(0.18));
            if index == 0 {
                let sword = build.add(hand, "sword", at(0.1, 0.0).with_rotation(0.7));
                build.attach(sword, Rect::new(1.5, 0.14).at(vec2(0.75, 0.0)), Group::Sword);
            } else {
                build.limb(hand, "shield", at(0.25, 0.0).with_scale(vec2(0.35, 1.1)), Circle::new(0.6));
            }
            let hips = build.add(root, side, at(0.0, 0.2).with_scale(vec2(mirror, 1.0)));
            let thigh = build.limb(hips, "thigh", at(0.22, 0.0), bone(0.75, 0.19));
            build.swing(thigh, -1.45, 0.35, half + 0.5);
            let shin = build.limb(thigh, "shin", at(0.8, 0.0), bone(0.75, 0.15));
            build.swing(shin, -0.2, 0.3, half + 0.7);
            build.limb(shin, "foot", at(0.85, 0.12).with_rotation(1.5), Rect::new(0.6, 0.22));
        }
        Self { root, torso, arm: arms[0], swings: build.swings }
    }

    /// Swings the limbs; `time` is in steps.
    pub fn pose(&self, scene: &mut Scene, time: f32) {
        let wave = |phase: f32| ((time + phase) * std::f32::consts::TAU).sin();
        for swing in &self.swings {
            if let Some(node) = scene.get_mut(swing.node) {
                node.transform.rotation = swing.middle + swing.width * wave(swing.phase);
            }
        }
        // It breathes: wider when it is lower.
        if let Some(torso) = scene.get_mut(self.torso) {
            torso.transform.scale = vec2(1.0, 1.0) + vec2(0.05, -0.05) * wave(0.1);
        }
    }
}
