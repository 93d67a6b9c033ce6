//! The ground: the example's course, plus stairs, ledges, a rotating beam and lifts.

use std::f32::consts::TAU;

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, Compound, Node, NodeId, Rect, Scene, ShapeError, Tiles, Transform};

use super::course::Course;

/// A platform on a fixed path. It carries the player who stands on it.
#[derive(Debug, Clone, Copy)]
pub struct Platform {
    pub node: NodeId,
    path: Path,
}

#[derive(Debug, Clone, Copy)]
enum Path {
    /// Moves from one point to another and back, with this period.
    Between { from: Vec2, to: Vec2, seconds: f32 },
    /// Rotates with this period.
    Rotate { seconds: f32 },
}

impl Platform {
    /// Sets the platform's transform for a time in seconds.
    pub fn set_time(self, scene: &mut Scene, time: f32) {
        let Some(node) = scene.get_mut(self.node) else { return };
        match self.path {
            Path::Between { from, to, seconds } => {
                node.transform.position = from.lerp(to, 0.5 - 0.5 * (time / seconds * TAU).cos());
            }
            Path::Rotate { seconds } => node.transform.rotation = (time / seconds * TAU) % TAU,
        }
    }
}

/// Adds the ground to the scene and returns the platforms.
pub fn build(scene: &mut Scene) -> Result<Vec<Platform>, ShapeError> {
    let course = Course::build(scene)?;
    let mut fixed =
        |name: &'static str, at: Vec2, shape: Attachment| scene.add_with(Node::new(name).with_position(at), shape).0;
    // On the left: stairs and a tower of ledges.
    let stairs = |column: u32, row: u32| column + row < 9;
    fixed("stairs", vec2(-7.0, -0.25), Tiles::new(9, 9, vec2(0.5, 0.25), stairs).into());
    fixed("plateau", vec2(-10.0, 0.75), Rect::new(6.0, 2.5).into());
    fixed("left wall", vec2(-13.5, 3.5), Rect::new(1.0, 8.0).into());
    for (x, y) in [(-11.6, 3.6), (-9.2, 5.0), (-11.6, 6.4)] {
        fixed("ledge", vec2(x, y), Attachment::new(Rect::new(2.2, 0.16)).one_way(Vec2::Y));
    }
    fixed("boulder", vec2(0.2, -0.4), Circle::new(0.6).into());
    // On the right: a shaft with a lift behind the slope.
    let wall = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 8.0), vec2(-0.6, 8.0), vec2(-0.6, 7.4), vec2(0.0, 7.0)];
    fixed("right wall", vec2(17.2, -1.0), Compound::from_outline(&wall)?.into());
    fixed("shaft", vec2(16.85, -0.4), Rect::new(0.7, 1.2).into());

    // A rotating ellipse: a flattened circle below a rotating node.
    let hub = scene.add(Node::new("hub").with_position(vec2(-3.6, 4.6)));
    let beam = Node::new("beam").with_transform(Transform::IDENTITY.with_scale(vec2(1.0, 0.14)));
    scene.add_child_with(hub, beam, Circle::new(1.7)).expect("the hub was just added");

    let (ferry, _) = scene.add_with(Node::new("ferry"), Rect::new(1.6, 0.2));
    let (elevator, _) = scene.add_with(Node::new("elevator"), Rect::new(1.9, 0.2));
    let lift = scene[course.lift].transform.position;
    let between = |node, from, to, seconds| Platform { node, path: Path::Between { from, to, seconds } };
    let platforms = vec![
        between(course.lift, lift, lift + vec2(-3.6, 1.2), 8.0),
        between(ferry, vec2(-7.2, 3.4), vec2(-7.2, 5.8), 6.0),
        between(elevator, vec2(16.0, 0.3), vec2(16.0, 3.9), 7.0),
        Platform { node: hub, path: Path::Rotate { seconds: 14.0 } },
    ];
    platforms.iter().for_each(|platform| platform.set_time(scene, 0.0));
    Ok(platforms)
}
