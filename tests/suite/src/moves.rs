//! Movers, floors, and what the tests of moves measure.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, ColliderId, Ellipse, MoveOptions, Moved, Node, NodeId, Polygon, Polyline, Rect, Scene,
    Segment, Tiles, Transform,
};

use crate::{Squircle, at};

/// The default skin width plus a tenth of it for rounding.
pub const SKIN_REACH: f32 = 0.011;

pub fn options() -> MoveOptions {
    MoveOptions::default()
}

pub fn add_at(scene: &mut Scene, transform: Transform, collider: impl Into<Attachment>) -> NodeId {
    scene.add_with(Node::new("n").with_transform(transform), collider).0
}

pub fn slide(scene: &mut Scene, node: NodeId, x: f32, y: f32) -> Moved {
    scene.move_and_slide(node, vec2(x, y), &options()).unwrap()
}

pub fn position(scene: &Scene, node: NodeId) -> Vec2 {
    scene[node].transform.position
}

/// Returns the greatest contact depth of the node's colliders, or 0 if they overlap nothing.
pub fn depth(scene: &mut Scene, node: NodeId) -> f32 {
    let own: Vec<ColliderId> = scene.colliders(node).to_vec();
    let world = scene.world();
    let depths = own.iter().flat_map(|own| {
        world.overlaps(*own).filter_map(|other| world.contact(*own, other.collider)).map(|contact| contact.depth)
    });
    depths.fold(0.0, f32::max)
}

/// Returns the unit vector at an angle. Unlike `Vec2::from_angle`, it has the same bits on every platform.
pub fn unit_at(angle: f32) -> Vec2 {
    Transform::IDENTITY.with_rotation(angle).to_affine().matrix2.x_axis
}

pub fn hexagon(radius: f32) -> Polygon {
    let corners: Vec<Vec2> = (0..6_u8).map(|i| unit_at(f32::from(i) * TAU / 6.0 + FRAC_PI_2) * radius).collect();
    Polygon::convex(&corners).unwrap()
}

/// One mover of each shape. Each reaches 0.5 below its origin.
pub fn movers() -> [(&'static str, Attachment); 7] {
    [
        ("rect", Rect::new(0.8, 1.0).into()),
        ("capsule", Capsule::new(vec2(0.0, -0.2), vec2(0.0, 0.2), 0.3).into()),
        ("horizontal capsule", Capsule::new(vec2(-0.3, 0.0), vec2(0.3, 0.0), 0.5).into()),
        ("circle", Circle::new(0.5).into()),
        ("polygon", hexagon(0.5).into()),
        ("ellipse", Ellipse::new(0.8, 0.5).into()),
        ("user shape", Squircle(0.5).into()),
    ]
}

/// Functions that build a flat floor with its surface at y = 0 from about x = -20 to x = 60 out of many parts.
pub fn floors() -> [(&'static str, fn(&mut Scene)); 5] {
    [
        ("rects", |scene| {
            for i in -20..60_i8 {
                add_at(scene, at(f32::from(i), -0.5), Rect::new(1.0, 1.0));
            }
        }),
        ("rects of width 1/3", |scene| {
            for i in -60..180_i16 {
                add_at(scene, at(f32::from(i) / 3.0, -0.35), Rect::new(1.0 / 3.0, 0.7));
            }
        }),
        ("segments", |scene| {
            for i in -20..60_i8 {
                let (from, to) = (vec2(f32::from(i), 0.0), vec2(f32::from(i + 1), 0.0));
                add_at(scene, Transform::IDENTITY, Segment::new(from, to));
            }
        }),
        ("polyline", |scene| {
            let points: Vec<Vec2> = (-20..60_i8).map(|i| vec2(f32::from(i), 0.0)).collect();
            add_at(scene, Transform::IDENTITY, Polyline::new(&points).unwrap());
        }),
        ("tiles", |scene| {
            add_at(scene, at(-20.0, -1.0), Tiles::new(80, 1, vec2(1.0, 1.0), |_, _| true));
        }),
    ]
}

/// Adds one node with a segment per pair of points.
pub fn add_segments(scene: &mut Scene, lines: &[[Vec2; 2]]) -> Vec<NodeId> {
    lines.iter().map(|[a, b]| add_at(scene, Transform::IDENTITY, Segment::new(*a, *b))).collect()
}

/// Checks that fractions agree to within a quarter of a skin width on a path of a few units.
pub fn assert_fractions(found: impl IntoIterator<Item = f32>, expected: &[f32]) {
    let found: Vec<f32> = found.into_iter().collect();
    let agree = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 5e-4);
    assert!(agree && found.len() == expected.len(), "{found:?}, not {expected:?}");
}
