//! One of the two: a shape under a chain of three nodes.

use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::Transform;

use super::kind::Kind;

/// The nodes of a chain, from the outermost on.
pub const NODES: [&str; 3] = ["grandparent", "parent", "shape"];

/// A node's transform with angles in degrees, as they are read and written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    pub position: Vec2,
    pub turn: f32,
    pub scale: Vec2,
    pub skew: f32,
}

impl Pose {
    pub const IDENTITY: Self = Self { position: Vec2::ZERO, turn: 0.0, scale: Vec2::ONE, skew: 0.0 };

    pub fn at(x: f32, y: f32) -> Self {
        Self { position: vec2(x, y), ..Self::IDENTITY }
    }

    pub fn turned(turn: f32) -> Self {
        Self { turn, ..Self::IDENTITY }
    }

    pub fn scaled(x: f32, y: f32) -> Self {
        Self { scale: vec2(x, y), ..Self::IDENTITY }
    }

    pub fn transform(&self) -> Transform {
        let Self { position, turn, scale, skew } = *self;
        Transform { position, rotation: turn.to_radians(), scale, skew: skew.to_radians() }
    }

    /// To as many digits as one can see, so that an address stays short.
    pub fn tidied(&self) -> Self {
        let to = |value: f32, step: f32| (value / step).round() * step;
        let pair = |vector: Vec2| vec2(digits(vector.x), digits(vector.y));
        // Once around is none.
        let turn = to(self.turn, 0.1).rem_euclid(360.0);
        let turn = if turn > 180.0 { turn - 360.0 } else { turn };
        Self { position: pair(self.position), turn: digits(turn), scale: pair(self.scale), skew: digits(self.skew) }
    }
}

/// To three digits behind the point, or what is left of them in an `f32`.
fn digits(value: f32) -> f32 {
    let rounded = (f64::from(value) * 1000.0).round() / 1000.0;
    rounded as f32
}

/// What it is and how its nodes are placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    pub kind: Kind,
    pub chain: [Pose; 3],
}

impl Body {
    /// Where a node's parent is.
    pub fn parent_of(&self, node: usize) -> Affine2 {
        self.chain[..node].iter().fold(Affine2::IDENTITY, |above, pose| above * pose.transform().to_affine())
    }

    /// Where a node is.
    pub fn world(&self, node: usize) -> Affine2 {
        self.parent_of(node + 1)
    }

    /// The pair to begin with, already touching: a disc that a parent has squashed, and a bar that a parent has
    /// sheared.
    pub fn start() -> [Self; 2] {
        let disc = [Pose::at(-1.2, -0.15), Pose::scaled(1.5, 0.75), Pose::turned(30.0)];
        let bar = [Pose::at(1.3, 0.4), Pose::scaled(1.6, 0.7), Pose::turned(40.0)];
        [Self { kind: Kind::Circle, chain: disc }, Self { kind: Kind::Rect, chain: bar }]
    }
}

/// A vector of the world in a node's frame; none if the frame is flat.
pub fn into_frame(frame: Mat2, vector: Vec2) -> Option<Vec2> {
    Some(frame.inverse() * vector).filter(|inside| inside.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tidy_pose_is_the_same_to_the_eye() {
        let pose = Pose { position: vec2(1.23456, -9.8765e-5), turn: 719.99, scale: vec2(-0.33333, 0.0), skew: 12.0 };
        let tidy = Pose { position: vec2(1.235, 0.0), turn: 0.0, scale: vec2(-0.333, 0.0), skew: 12.0 };
        assert_eq!(pose.tidied(), tidy);
        assert_eq!(tidy.tidied(), tidy);
        assert_eq!(Pose::turned(-180.0).tidied().turn, 180.0);
    }

    #[test]
    fn a_chain_is_what_the_library_makes_of_it() {
        let body = Body::start()[1];
        let mut scene = hitgraph::Scene::new();
        let mut node = scene.root();
        for pose in body.chain {
            node = scene.add_child(node, hitgraph::Node::new("").with_transform(pose.transform())).unwrap();
        }
        let world = scene.world().transform(node).unwrap();
        assert!(world.abs_diff_eq(body.world(2), 1e-6));
    }
}
