//! A scene with two colliders, and the library's results for them.

use glam::{Affine2, Vec2};
use hitgraph::{Aabb, Attachment, ColliderId, Contact, DebugOptions, DebugShape, Node, NodeId, Scene, Transform};

use super::kind::Kind;
use super::operand::Operand;

/// A scene with both operands.
pub struct PairScene {
    scene: Scene,
    chains: [[NodeId; 3]; 2],
    colliders: [ColliderId; 2],
    kinds: [Option<Kind>; 2],
}

/// The results of [`PairScene::query`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairResults {
    pub contact: Option<Contact>,
    /// `None` if a node is quarantined because its world transform is not finite or overflows.
    pub distance: Option<f32>,
    pub closest: Option<[Vec2; 2]>,
    pub bounds: [Option<Aabb>; 2],
    /// A point of each shape near the centre of its bounds.
    pub grab_points: [Option<Vec2>; 2],
}

impl PairResults {
    /// Returns `true` if the shapes touch.
    pub fn touching(&self) -> bool {
        self.contact.is_some()
    }
}

impl PairScene {
    /// Creates a scene with two chains of nodes and no shapes.
    pub fn new() -> Self {
        let mut scene = Scene::new();
        let mut chain = || {
            let mut parent = scene.root();
            [(); 3].map(|()| {
                parent = scene.add_child(parent, Node::new("node")).unwrap_or(parent);
                parent
            })
        };
        let chains = [chain(), chain()];
        Self { scene, chains, colliders: [ColliderId::default(); 2], kinds: [None; 2] }
    }

    /// Sets the shapes and the transforms of both operands.
    pub fn set_operands(&mut self, operands: &[Operand; 2]) {
        for (index, operand) in operands.iter().enumerate() {
            if self.kinds[index] != Some(operand.kind)
                && let Ok(attachment) = operand.kind.attachment()
            {
                self.attach(index, attachment);
                self.kinds[index] = Some(operand.kind);
            }
            self.set_transforms(index, operand.chain.map(|pose| pose.transform()));
        }
    }

    /// Sets two arbitrary shapes with their world transforms.
    pub fn set_shapes(&mut self, shapes: [(Attachment, Affine2); 2]) {
        for (index, (attachment, at)) in shapes.into_iter().enumerate() {
            self.attach(index, attachment);
            self.set_transforms(index, [Transform::from_affine(at), Transform::IDENTITY, Transform::IDENTITY]);
        }
    }

    fn attach(&mut self, index: usize, attachment: Attachment) {
        self.scene.detach(self.colliders[index]);
        if let Ok(collider) = self.scene.attach(self.chains[index][2], attachment) {
            self.colliders[index] = collider;
        }
    }

    fn set_transforms(&mut self, index: usize, chain: [Transform; 3]) {
        for (node, transform) in self.chains[index].into_iter().zip(chain) {
            if self.scene.get(node).is_some_and(|node| node.transform != transform) {
                self.scene[node].transform = transform;
            }
        }
    }

    /// Runs all queries for the pair.
    pub fn query(&mut self) -> PairResults {
        let [a, b] = self.colliders;
        let world = self.scene.world();
        let grab_point = |id| Some(world.project_point(id, world.bounds(id)?.center())?.point);
        PairResults {
            contact: world.contact(a, b),
            distance: world.distance(a, b),
            closest: world.closest_points(a, b),
            bounds: [world.bounds(a), world.bounds(b)],
            grab_points: [grab_point(a), grab_point(b)],
        }
    }

    /// Returns the index of the operand at a point, or else of the nearest within `radius`. If both contain the point,
    /// returns the second, which is drawn on top.
    pub fn pick(&mut self, at: Vec2, radius: f32) -> Option<usize> {
        let near = self.scene.world().nearest_n(at, 2, radius, &hitgraph::QueryFilter::default());
        let found = near.iter().rev().find(|near| near.distance == 0.0).or(near.first())?;
        self.colliders.iter().position(|collider| *collider == found.side.collider)
    }

    /// Calls `draw` with each tested shape and the index of its operand.
    pub fn draw(&mut self, mut draw: impl FnMut(usize, &DebugShape<'_>)) {
        let first = self.colliders[0];
        self.scene.world().debug_draw(&DebugOptions::default(), |shape| {
            draw(usize::from(shape.collider != Some(first)), &shape);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::pair::operand::Pose;

    #[test]
    fn every_pair_of_kinds_has_consistent_distances_and_closest_points() {
        let mut pair_scene = PairScene::new();
        for a in Kind::ALL {
            for b in Kind::ALL {
                let fixed = [Pose::IDENTITY; 3];
                let separate = [Pose::at(5.0, 0.0), Pose::IDENTITY, Pose::turned(30.0)];
                pair_scene.set_operands(&[Operand { kind: a, chain: fixed }, Operand { kind: b, chain: separate }]);
                let apart = pair_scene.query();
                assert!(!apart.touching() && apart.distance > Some(0.0), "{a:?} and {b:?} are separate");
                let [on_a, on_b] = apart.closest.unwrap();
                assert!((on_a.distance(on_b) - apart.distance.unwrap()).abs() < 1e-4);

                // Moving one closest point onto the other makes the shapes touch.
                let across = on_a - on_b;
                let beside = [Pose::at(5.0 + across.x, across.y), Pose::IDENTITY, Pose::turned(30.0)];
                pair_scene.set_operands(&[Operand { kind: a, chain: fixed }, Operand { kind: b, chain: beside }]);
                assert!(pair_scene.query().distance < Some(1e-4), "{a:?} and {b:?} touch");
            }
        }
    }

    #[test]
    fn the_initial_operands_touch() {
        let mut pair_scene = PairScene::new();
        pair_scene.set_operands(&Operand::start());
        assert!(pair_scene.query().contact.is_some_and(|contact| contact.depth > 0.05));
        assert_eq!(pair_scene.pick(Vec2::new(-1.2, -0.15), 0.0), Some(0));
        assert_eq!(pair_scene.pick(Vec2::new(1.3, 0.4), 0.0), Some(1));
        assert_eq!(pair_scene.pick(Vec2::new(0.0, 9.0), 1.0), None);
    }

    #[test]
    fn an_operand_whose_transform_overflows_is_quarantined() {
        let mut pair_scene = PairScene::new();
        let mut operands = Operand::start();
        operands[0].chain[0].scale = Vec2::splat(3e38);
        pair_scene.set_operands(&operands);
        let results = pair_scene.query();
        assert!(results.distance.is_none() && results.contact.is_none() && results.bounds[0].is_none());
        pair_scene.set_operands(&Operand::start());
        assert!(pair_scene.query().touching());
    }
}
