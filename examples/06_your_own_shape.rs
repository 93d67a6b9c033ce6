//! A shape of your own. `support` alone lets it meet every other; a visitor may answer one pair better.

mod support;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Circle, Collider, Convex, DebugOptions, Meets, Node, Rect, Scene, Shape};
use support::Picture;

/// A superellipse, `|x|⁴ + |y|⁴ = r⁴`: a square that wants to be a circle.
#[derive(Debug)]
struct Squircle(f32);

impl Collider for Squircle {
    fn support(&self, direction: Vec2) -> Vec2 {
        let out = vec2(direction.x.cbrt(), direction.y.cbrt());
        out * (self.0 / (out.x.powi(4) + out.y.powi(4)).sqrt().sqrt())
    }
}

/// The same, quicker with circles: most of them are decided by two circles of our own, and only what lies between
/// those goes the long way.
#[derive(Debug)]
struct QuickSquircle(Squircle);

impl Collider for QuickSquircle {
    fn support(&self, direction: Vec2) -> Vec2 {
        self.0.support(direction)
    }

    // `circle` is in world space, and `at` takes our own frame there.
    fn collides_with_circle(&self, at: &Affine2, circle: &Circle) -> bool {
        let [inner, outer] = [1.0, 1.19].map(|factor| Circle::new(self.0.0 * factor).transformed(at));
        let shape = Shape::from(*circle);
        inner.overlaps(&shape) || (outer.overlaps(&shape) && Convex::new(self, at).overlaps(circle))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let table = scene.add(Node::new("table").with_scale(vec2(2.0, 1.0)).with_rotation(0.3));
    let plain = scene.attach(table, Squircle(1.0))?;
    let quick = scene.attach(table, QuickSquircle(Squircle(1.0)))?;

    // Circles all around: both answer alike, wherever they are.
    for i in 0..24 {
        let angle = 0.2618 * i as f32;
        let coin = Node::new("coin").with_position(Vec2::from_angle(angle) * vec2(2.2, 1.6));
        scene.add_with(coin, Circle::new(0.2));
    }
    let world = scene.world();
    assert!(world.overlaps(plain).eq(world.overlaps(quick)));
    println!("{} of 24 coins lie on the table", world.overlaps(plain).len());

    // Contacts, rays and distances come with it, and so does the drawing.
    let tray = Node::new("tray").with_position(vec2(0.9, -0.85)).with_rotation(0.3);
    let (_, tray) = scene.add_with(tray, Rect::new(1.4, 0.3));
    scene.detach(quick);
    scene.update();
    let contact = scene.world().contact(plain, tray).ok_or("the tray leans on the table")?;
    println!("the tray is {:.3} deep in the table", contact.depth);

    let mut picture = Picture::new(0.02);
    picture.draw(scene.world(), &DebugOptions { contacts: true, normals: true, ..DebugOptions::default() });
    println!("{}", picture.save(support::pictures("06_your_own_shape.svg"))?.display());
    Ok(())
}
