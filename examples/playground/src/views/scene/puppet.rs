//! A puppet: a tree of limbs. The left limbs equal the right ones below a mirrored node.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Capsule, Circle, Node, NodeId, Polygon, Rect, Scene, Transform};

use super::group::{Group, LayerSwitches};

/// The swing of a limb: a sine of its rotation.
#[derive(Debug, Clone, Copy)]
struct Swing {
    node: NodeId,
    /// The mean rotation and the amplitude, in radians.
    mean: f32,
    amplitude: f32,
    /// The phase, as a fraction of a step.
    phase: f32,
}

/// The nodes of the puppet that are animated.
#[derive(Debug)]
pub struct Puppet {
    pub root: NodeId,
    torso: NodeId,
    /// The right upper arm, whose rotation can be set to NaN.
    pub arm: NodeId,
    swings: Vec<Swing>,
}

/// Adds limbs to a scene and records their swings.
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
        // Cannot fail: the node was just added.
        let _ = self.scene.attach(node, attachment.with_layers(LayerSwitches::default().layers(group)));
    }

    fn swing(&mut self, node: NodeId, mean: f32, amplitude: f32, phase: f32) {
        self.swings.push(Swing { node, mean, amplitude, phase });
    }
}

fn at(x: f32, y: f32) -> Transform {
    Transform::from_position(vec2(x, y))
}

/// Returns a capsule from the joint along x.
fn bone(length: f32, radius: f32) -> Capsule {
    Capsule::new(Vec2::ZERO, vec2(length, 0.0), radius)
}

impl Puppet {
    /// Adds a puppet to the scene.
    pub fn new(scene: &mut Scene, position: Vec2) -> Self {
        let root = scene.add(Node::new("puppet").with_position(position));
        let mut build = Builder { scene, swings: Vec::new() };
        let trunk = Capsule::new(vec2(0.0, -0.35), vec2(0.0, 0.45), 0.4);
        let torso = build.limb(root, "torso", at(0.0, 0.9), trunk);
        let head = build.limb(torso, "head", at(0.0, 1.25), Circle::new(0.38));
        build.swing(head, 0.0, 0.15, 0.25);
        // A skewed hat.
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
            // Non-uniform scale: longer and thinner, so its ends are elliptical.
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

    /// Sets the rotations of the limbs for a time in steps.
    pub fn pose(&self, scene: &mut Scene, time: f32) {
        let wave = |phase: f32| ((time + phase) * std::f32::consts::TAU).sin();
        for swing in &self.swings {
            if let Some(node) = scene.get_mut(swing.node) {
                node.transform.rotation = swing.mean + swing.amplitude * wave(swing.phase);
            }
        }
        // The torso breathes: it widens as it becomes lower.
        if let Some(torso) = scene.get_mut(self.torso) {
            torso.transform.scale = vec2(1.0, 1.0) + vec2(0.05, -0.05) * wave(0.1);
        }
    }
}
