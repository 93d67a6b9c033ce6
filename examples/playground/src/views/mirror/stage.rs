//! A scene with the limbs of both fighters, and the pairs of limbs that touch in it.

use std::collections::BTreeSet;

use hitgraph::{ColliderId, CollisionLayers, DebugOptions, DebugShape, Node, NodeId, Scene, Transform};

use super::decomposed::decomposed;
use super::fighter::Limb;
use super::operand::Operand;

/// A scene with one collider per limb.
pub struct Stage {
    scene: Scene,
    entries: Vec<Entry>,
}

struct Entry {
    chain: [NodeId; 3],
    collider: ColliderId,
    layers: CollisionLayers,
}

impl Stage {
    /// Creates the scene for limbs of the fighters 0 and 1.
    pub fn new<'a>(limbs: impl Iterator<Item = (usize, &'a Limb)>) -> Self {
        let mut scene = Scene::new();
        let mut entries = Vec::new();
        for (number, (side, limb)) in limbs.enumerate() {
            let mut parent = scene.root();
            let chain = [(); 3].map(|()| {
                let node = Node::new(limb.name.clone()).with_user_data(number as u64);
                parent = scene.add_child(parent, node).unwrap_or(parent);
                parent
            });
            let layers = layers(side, limb);
            let shape = limb.form.kind().attachment().map(|shape| shape.with_layers(layers));
            // A drawing's limb without area has no collider.
            let collider = shape.ok().and_then(|shape| scene.attach(parent, shape).ok()).unwrap_or_default();
            entries.push(Entry { chain, collider, layers });
        }
        Self { scene, entries }
    }

    /// Poses the limbs by their full transforms.
    pub fn pose(&mut self, limbs: &[Operand]) {
        for (entry, limb) in self.entries.iter().zip(limbs) {
            for (node, pose) in entry.chain.into_iter().zip(limb.chain) {
                self.scene[node].transform = pose.transform();
            }
        }
    }

    /// Poses the limbs as an engine that decomposes transforms does.
    pub fn pose_decomposed(&mut self, limbs: &[Operand]) {
        for (entry, limb) in self.entries.iter().zip(limbs) {
            let (Ok((shape, at)), Some(attachment)) = (decomposed(limb), self.scene.attachment_mut(entry.collider))
            else {
                continue;
            };
            *attachment = shape.with_layers(entry.layers);
            self.scene[entry.chain[2]].transform = Transform::from_affine(at);
        }
    }

    /// Updates the scene and returns the touching pairs as indices of limbs, the smaller first.
    pub fn touching(&mut self) -> BTreeSet<[usize; 2]> {
        let _ = self.scene.update();
        let number = |node: NodeId| self.scene.get(node).map_or(0, |node| node.user_data as usize);
        let pairs = self.scene.touching().iter().map(|pair| [number(pair.a.node), number(pair.b.node)]);
        pairs.map(|[a, b]| [a.min(b), a.max(b)]).collect()
    }

    /// Calls `draw` with each shape and the index of its limb.
    pub fn draw(&mut self, mut draw: impl FnMut(usize, &DebugShape<'_>)) {
        let world = self.scene.world();
        world.debug_draw(&DebugOptions::default(), |shape| {
            let node = shape.collider.and_then(|id| world.node_of(id)).and_then(|id| world.node(id));
            if let Some(node) = node {
                draw(node.user_data as usize, &shape);
            }
        });
    }
}

/// Returns the layers with which only a weapon and a body of the other side can touch.
fn layers(side: usize, limb: &Limb) -> CollisionLayers {
    let bit = |side: usize, is: bool, kind: u32| if is { 1 << (2 * side as u32 + kind) } else { 0 };
    // Paint is on a layer that nothing accepts, and accepts a layer on which nothing is.
    const PAINT: CollisionLayers = CollisionLayers::new(1 << 4, 1 << 5);
    let (hits, is_hit, other) = (limb.role.hits(), limb.role.is_hit(), 1 - side);
    if !hits && !is_hit {
        return PAINT;
    }
    CollisionLayers::new(bit(side, hits, 0) | bit(side, is_hit, 1), bit(other, hits, 1) | bit(other, is_hit, 0))
}
