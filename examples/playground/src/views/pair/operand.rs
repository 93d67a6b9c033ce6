//! An operand of the pair: a shape below a chain of three nodes.

use glam::{Affine2, Mat2, Vec2, vec2};
use hitgraph::Transform;

use super::kind::Kind;

/// The names of a chain's nodes, outermost first.
pub const NODES: [&str; 3] = ["grandparent", "parent", "shape"];

/// A node's transform with angles in degrees, as in the panel and in links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    pub position: Vec2,
    /// The rotation in degrees.
    pub turn: f32,
    pub scale: Vec2,
    /// The skew in degrees.
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

    /// Returns the transform, with angles in radians.
    pub fn transform(&self) -> Transform {
        let Self { position, turn, scale, skew } = *self;
        Transform { position, rotation: turn.to_radians(), scale, skew: skew.to_radians() }
    }

    /// Returns the pose rounded to visible digits, so that links are short. The rotation is within ±180 degrees.
    pub fn rounded(&self) -> Self {
        let to = |value: f32, step: f32| (value / step).round() * step;
        let pair = |vector: Vec2| vec2(thousandths(vector.x), thousandths(vector.y));
        let turn = to(self.turn, 0.1).rem_euclid(360.0);
        let turn = if turn > 180.0 { turn - 360.0 } else { turn };
        Self {
            position: pair(self.position),
            turn: thousandths(turn),
            scale: pair(self.scale),
            skew: thousandths(self.skew),
        }
    }
}

/// Rounds to three decimals.
fn thousandths(value: f32) -> f32 {
    let rounded = (f64::from(value) * 1000.0).round() / 1000.0;
    rounded as f32
}

/// A shape with the poses of its three nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operand {
    pub kind: Kind,
    pub chain: [Pose; 3],
}

impl Operand {
    /// Returns the world transform of a node's parent.
    pub fn parent_of(&self, node: usize) -> Affine2 {
        self.chain[..node].iter().fold(Affine2::IDENTITY, |parent, pose| parent * pose.transform().to_affine())
    }

    /// Returns the world transform of a node.
    pub fn world(&self, node: usize) -> Affine2 {
        self.parent_of(node + 1)
    }

    /// Returns the initial operands, which touch: a circle flattened by its parent and a rectangle sheared by its
    /// parent.
    pub fn start() -> [Self; 2] {
        let circle = [Pose::at(-1.2, -0.15), Pose::scaled(1.5, 0.75), Pose::turned(30.0)];
        let rect = [Pose::at(1.3, 0.4), Pose::scaled(1.6, 0.7), Pose::turned(40.0)];
        [Self { kind: Kind::Circle, chain: circle }, Self { kind: Kind::Rect, chain: rect }]
    }
}

/// Maps a world vector into a node's frame. Returns `None` if the frame is singular.
pub fn into_frame(frame: Mat2, vector: Vec2) -> Option<Vec2> {
    Some(frame.inverse() * vector).filter(|local| local.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_three_decimals_and_is_idempotent() {
        let pose = Pose { position: vec2(1.23456, -9.8765e-5), turn: 719.99, scale: vec2(-0.33333, 0.0), skew: 12.0 };
        let rounded = Pose { position: vec2(1.235, 0.0), turn: 0.0, scale: vec2(-0.333, 0.0), skew: 12.0 };
        assert_eq!(pose.rounded(), rounded);
        assert_eq!(rounded.rounded(), rounded);
        assert_eq!(Pose::turned(-180.0).rounded().turn, 180.0);
    }

    #[test]
    fn a_chain_has_the_same_world_transform_in_a_scene() {
        let operand = Operand::start()[1];
        let mut scene = hitgraph::Scene::new();
        let mut node = scene.root();
        for pose in operand.chain {
            node = scene.add_child(node, hitgraph::Node::new("").with_transform(pose.transform())).unwrap();
        }
        let world = scene.world().transform(node).unwrap();
        assert!(world.abs_diff_eq(operand.world(2), 1e-6));
    }
}
