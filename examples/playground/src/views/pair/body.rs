//! One of the two: a shape under a chain of three nodes.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{ColliderId, Node, NodeId, Scene, Transform};

use super::kind::Kind;

/// The nodes of a chain, from the outermost on.
pub const NODES: [&str; 3] = ["grandparent", "parent", "shape"];

/// What it is and how its nodes are placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    pub kind: Kind,
    pub chain: [Transform; 3],
}

impl Body {
    /// Where a node's parent is.
    pub fn parent_of(&self, node: usize) -> Affine2 {
        self.chain[..node].iter().fold(Affine2::IDENTITY, |above, transform| above * transform.to_affine())
    }

    /// Where a node is.
    pub fn world(&self, node: usize) -> Affine2 {
        self.parent_of(node + 1)
    }

    /// The pair to begin with: a disc that a parent has squashed, and a bar that a parent has sheared. They touch.
    pub fn start() -> [Self; 2] {
        let disc = [
            Transform::from_position(vec2(-1.25, -0.1)),
            Transform::IDENTITY.with_scale(vec2(1.6, 0.8)),
            Transform::IDENTITY.with_rotation(0.6),
        ];
        let bar = [
            Transform::from_position(vec2(1.2, 0.35)),
            Transform::IDENTITY.with_scale(vec2(1.5, 0.75)),
            Transform::IDENTITY.with_rotation(0.7),
        ];
        [Self { kind: Kind::Circle, chain: disc }, Self { kind: Kind::Rect, chain: bar }]
    }
}

/// A body in a scene.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    nodes: [NodeId; 3],
    pub collider: ColliderId,
}

impl Placed {
    pub fn new(scene: &mut Scene, body: &Body) -> Result<Self, String> {
        let mut nodes = [scene.root(); 3];
        let mut parent = scene.root();
        for (index, node) in nodes.iter_mut().enumerate() {
            let named = Node::new(NODES[index]).with_transform(body.chain[index]);
            *node = scene.add_child(parent, named).map_err(|error| error.to_string())?;
            parent = *node;
        }
        let attachment = body.kind.attachment().map_err(|error| error.to_string())?;
        let collider = scene.attach(parent, attachment).map_err(|error| error.to_string())?;
        Ok(Self { nodes, collider })
    }

    /// Puts the nodes where the body has them.
    pub fn follow(&self, scene: &mut Scene, body: &Body) {
        for (node, transform) in self.nodes.into_iter().zip(body.chain) {
            if let Some(node) = scene.get_mut(node).filter(|node| node.transform != transform) {
                node.transform = transform;
            }
        }
    }

    pub fn shape_node(&self) -> NodeId {
        self.nodes[2]
    }
}

/// A vector of the world in a parent's frame, as far as that frame has room for it.
pub fn into_frame(parent: &Affine2, vector: Vec2) -> Vec2 {
    let inverse = parent.matrix2.inverse();
    let inside = inverse * vector;
    if inside.is_finite() { inside } else { Vec2::ZERO }
}
