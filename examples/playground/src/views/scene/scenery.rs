//! The scenery: walls and pick-ups around the puppet.

use glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, Node, NodeId, Polygon, Polyline, Rect, Scene, ShapeError, Tile, Tiles, Transform};

use super::group::{Group, LayerSwitches};

/// A rotating wheel of gems.
#[derive(Debug, Clone, Copy)]
pub struct Wheel(NodeId);

impl Wheel {
    /// Sets the rotation for a time in seconds.
    pub fn set_time(self, scene: &mut Scene, time: f32) {
        if let Some(node) = scene.get_mut(self.0) {
            node.transform.rotation = time;
        }
    }
}

/// Adds the scenery and returns the wheel.
pub fn build(scene: &mut Scene) -> Result<Wheel, ShapeError> {
    let ground = [vec2(-9.0, -2.2), vec2(-4.0, -2.4), vec2(-1.5, -2.15), vec2(2.5, -2.3), vec2(9.0, -2.1)];
    wall(scene, "ground", Transform::IDENTITY, Polyline::new(&ground)?);
    wall(scene, "beam", Transform::from_position(vec2(3.3, 2.4)).with_rotation(0.35), Rect::new(3.2, 0.4));
    // A circle with non-uniform scale: an ellipse.
    let squashed = Transform::from_position(vec2(-4.4, -1.7)).with_scale(vec2(1.5, 0.7)).with_rotation(0.1);
    wall(scene, "boulder", squashed, Circle::new(0.9));
    let steps = Tiles::from_tiles(4, 3, vec2(0.7, 0.5), |column, row| match (column, row) {
        (_, 0) => Tile::FULL,
        (1, 1) => Tile::slope(0.0, 1.0),
        (2.., 1) | (3, 2) => Tile::FULL,
        _ => Tile::EMPTY,
    })?;
    wall(scene, "stairs", Transform::from_position(vec2(3.6, -2.2)), steps);
    wall(scene, "pillar", Transform::from_position(vec2(-3.2, 2.6)).with_rotation(0.2), Rect::new(0.5, 2.0));

    for (index, name) in ["coin 1", "coin 2", "coin 3", "coin 4", "coin 5", "coin 6"].into_iter().enumerate() {
        // On an arc within reach of both hands.
        let angle = -0.25 + 0.73 * index as f32;
        let position = vec2(0.0, 0.3) + Vec2::from_angle(angle) * vec2(2.2, 2.35);
        let coin = Node::new(name).with_position(position);
        scene.add_with(coin, pick_up(Circle::new(0.22)));
    }
    let wheel = scene.add(Node::new("wheel").with_position(vec2(-5.2, 1.2)).with_scale(vec2(1.3, 0.8)));
    let gem = Polygon::convex(&[vec2(0.25, 0.0), vec2(0.0, 0.35), vec2(-0.25, 0.0), vec2(0.0, -0.35)])?;
    for (index, name) in ["gem 1", "gem 2", "gem 3", "gem 4", "gem 5"].into_iter().enumerate() {
        let around = Vec2::from_angle(1.2566 * index as f32);
        let node = Node::new(name).with_position(around * 1.3).with_rotation(1.2566 * index as f32);
        // Cannot fail: the wheel was just added.
        let _ = scene.add_child_with(wheel, node, pick_up(gem.clone()));
    }
    Ok(Wheel(wheel))
}

fn wall(scene: &mut Scene, name: &'static str, transform: Transform, shape: impl Into<Attachment>) {
    let attachment: Attachment = shape.into();
    let layers = LayerSwitches::default().layers(Group::Wall);
    scene.add_with(Node::new(name).with_transform(transform), attachment.with_layers(layers));
}

fn pick_up(shape: impl Into<Attachment>) -> Attachment {
    let attachment: Attachment = shape.into();
    attachment.sensor().with_layers(LayerSwitches::default().layers(Group::PickUp))
}
