//! Two colliders in a scene, and all that the library says about them.

use glam::{Affine2, Vec2};
use hitgraph::{Aabb, Attachment, ColliderId, Contact, DebugOptions, DebugShape, Node, NodeId, Scene, Transform};

use super::body::Body;
use super::kind::Kind;

/// The scene with both of them.
pub struct Meeting {
    scene: Scene,
    chains: [[NodeId; 3]; 2],
    colliders: [ColliderId; 2],
    kinds: [Option<Kind>; 2],
}

/// What the library says, as of the last [`Meeting::ask`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    pub contact: Option<Contact>,
    /// `None` if one of them is set aside, because its transform has become more than numbers can hold.
    pub distance: Option<f32>,
    pub closest: Option<[Vec2; 2]>,
    pub bounds: [Option<Aabb>; 2],
    /// A point of each, near its middle.
    pub grasps: [Option<Vec2>; 2],
}

impl Answers {
    pub fn touching(&self) -> bool {
        self.contact.is_some()
    }
}

impl Meeting {
    /// An empty scene but for the nodes; shapes come with the first bodies.
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

    /// Puts the bodies in their places.
    pub fn place(&mut self, bodies: &[Body; 2]) {
        for (index, body) in bodies.iter().enumerate() {
            if self.kinds[index] != Some(body.kind)
                && let Ok(attachment) = body.kind.attachment()
            {
                self.attach(index, attachment);
                self.kinds[index] = Some(body.kind);
            }
            self.follow(index, body.chain.map(|pose| pose.transform()));
        }
    }

    /// Puts any two shapes at any two places.
    pub fn place_each(&mut self, sides: [(Attachment, Affine2); 2]) {
        for (index, (attachment, at)) in sides.into_iter().enumerate() {
            self.attach(index, attachment);
            self.follow(index, [Transform::from_affine(at), Transform::IDENTITY, Transform::IDENTITY]);
        }
    }

    fn attach(&mut self, index: usize, attachment: Attachment) {
        self.scene.detach(self.colliders[index]);
        if let Ok(collider) = self.scene.attach(self.chains[index][2], attachment) {
            self.colliders[index] = collider;
        }
    }

    fn follow(&mut self, index: usize, chain: [Transform; 3]) {
        for (node, transform) in self.chains[index].into_iter().zip(chain) {
            if self.scene.get(node).is_some_and(|node| node.transform != transform) {
                self.scene[node].transform = transform;
            }
        }
    }

    /// Asks everything about the two.
    pub fn ask(&mut self) -> Answers {
        let [a, b] = self.colliders;
        let world = self.scene.world();
        let grasp = |id| Some(world.project_point(id, world.bounds(id)?.center())?.point);
        Answers {
            contact: world.contact(a, b),
            distance: world.distance(a, b),
            closest: world.closest_points(a, b),
            bounds: [world.bounds(a), world.bounds(b)],
            grasps: [grasp(a), grasp(b)],
        }
    }

    /// Which of the two is at a point, or nearest to it within a radius. Of both the second: it is drawn above.
    pub fn pick(&mut self, at: Vec2, radius: f32) -> Option<usize> {
        let near = self.scene.world().nearest_n(at, 2, radius, &hitgraph::QueryFilter::default());
        let found = near.iter().rev().find(|near| near.distance == 0.0).or(near.first())?;
        self.colliders.iter().position(|collider| *collider == found.side.collider)
    }

    /// Hands out the outlines, exactly as they are tested, with the number of the body that each is of.
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
    use crate::views::pair::body::Pose;

    #[test]
    fn every_kind_meets_every_other() {
        let mut meeting = Meeting::new();
        for a in Kind::ALL {
            for b in Kind::ALL {
                let still = [Pose::IDENTITY; 3];
                let away = [Pose::at(5.0, 0.0), Pose::IDENTITY, Pose::turned(30.0)];
                meeting.place(&[Body { kind: a, chain: still }, Body { kind: b, chain: away }]);
                let apart = meeting.ask();
                assert!(!apart.touching() && apart.distance > Some(0.0), "{a:?} and {b:?} are apart");
                let [on_a, on_b] = apart.closest.unwrap();
                assert!((on_a.distance(on_b) - apart.distance.unwrap()).abs() < 1e-4);

                // Point on point they touch.
                let across = on_a - on_b;
                let beside = [Pose::at(5.0 + across.x, across.y), Pose::IDENTITY, Pose::turned(30.0)];
                meeting.place(&[Body { kind: a, chain: still }, Body { kind: b, chain: beside }]);
                assert!(meeting.ask().distance < Some(1e-4), "{a:?} and {b:?} meet");
            }
        }
    }

    #[test]
    fn the_first_pair_touches() {
        let mut meeting = Meeting::new();
        meeting.place(&Body::start());
        assert!(meeting.ask().contact.is_some_and(|contact| contact.depth > 0.05));
        assert_eq!(meeting.pick(Vec2::new(-1.2, -0.15), 0.0), Some(0));
        assert_eq!(meeting.pick(Vec2::new(1.3, 0.4), 0.0), Some(1));
        assert_eq!(meeting.pick(Vec2::new(0.0, 9.0), 1.0), None);
    }

    #[test]
    fn a_body_too_large_for_numbers_is_set_aside() {
        let mut meeting = Meeting::new();
        let mut bodies = Body::start();
        bodies[0].chain[0].scale = Vec2::splat(3e38);
        meeting.place(&bodies);
        let answers = meeting.ask();
        assert!(answers.distance.is_none() && answers.contact.is_none() && answers.bounds[0].is_none());
        meeting.place(&Body::start());
        assert!(meeting.ask().touching());
    }
}
