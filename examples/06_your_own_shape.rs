//! A user shape. With `support` alone it meets every other shape; an overridden visitor decides one pair faster.

mod support;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Circle, Collider, DebugOptions, Meets, Node, Rect, Scene, Shape, SupportShape};
use support::Picture;

/// A superellipse, `|x|⁴ + |y|⁴ = r⁴`: between a square and a circle.
#[derive(Debug, Clone)]
struct Squircle(f32);

impl Collider for Squircle {
    fn support(&self, direction: Vec2) -> Vec2 {
        let out = vec2(direction.x.cbrt(), direction.y.cbrt());
        out * (self.0 / (out.x.powi(4) + out.y.powi(4)).sqrt().sqrt())
    }
}

/// The same shape with a faster circle test. An inner and an outer circle decide most cases, and the search on support
/// functions decides the rest.
#[derive(Debug, Clone)]
struct QuickSquircle(Squircle);

impl Collider for QuickSquircle {
    fn support(&self, direction: Vec2) -> Vec2 {
        self.0.support(direction)
    }

    // `circle` is in world space, and `at` maps this shape's frame to world space.
    fn collides_with_circle(&self, at: &Affine2, circle: &Circle) -> bool {
        let [inner, outer] = [1.0, 1.19].map(|factor| Circle::new(self.0.0 * factor).transformed(at));
        let shape = Shape::from(*circle);
        inner.overlaps(&shape) || (outer.overlaps(&shape) && SupportShape::new(self, at).overlaps(circle))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let table = scene.add(Node::new("table").with_scale(vec2(2.0, 1.0)).with_rotation(0.3));
    let plain = scene.attach(table, Squircle(1.0))?;
    let quick = scene.attach(table, QuickSquircle(Squircle(1.0)))?;

    // Circles all around: both shapes find the same ones.
    for i in 0..24 {
        let angle = 0.2618 * i as f32;
        let coin = Node::new("coin").with_position(Vec2::from_angle(angle) * vec2(2.2, 1.6));
        scene.add_with(coin, Circle::new(0.2));
    }
    let world = scene.world();
    assert!(world.overlaps(plain).eq(world.overlaps(quick)));
    let coins = world.overlaps(plain).len();

    // Contacts, rays, distances and debug drawing need no further code.
    let tray = Node::new("tray").with_position(vec2(0.9, -0.85)).with_rotation(0.3);
    let (_, tray) = scene.add_with(tray, Rect::new(1.4, 0.3));
    scene.detach(quick);
    scene.update();
    let contact = scene.world().contact(plain, tray).ok_or("the tray leans on the table")?;

    let mut picture = Picture::new(0.02);
    picture.draw(scene.world(), &DebugOptions { contacts: true, normals: true, ..DebugOptions::default() });
    support::report(
        &[
            format!("{coins} of 24 coins lie on the table"),
            format!("the tray is {:.3} deep in the table", contact.depth),
            "the version with a quick overlap test finds the same coins".to_owned(),
        ],
        picture,
        "06_your_own_shape.svg",
    )?;
    Ok(())
}
