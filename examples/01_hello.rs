//! The README's example: a tree, an event, a question, and a picture of it.

mod support;

use glam::vec2;
use hitgraph::{Circle, CollisionEvent, DebugOptions, Node, Rect, Scene};
use support::Picture;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let knight = scene.add(Node::new("knight").with_scale(vec2(-1.0, 1.0)));
    scene.attach(knight, Rect::new(0.8, 1.8))?;
    let sword = scene.add_child(knight, Node::new("sword").with_position(vec2(1.0, 0.2)).with_rotation(0.4))?;
    scene.attach(sword, Rect::new(1.6, 0.2))?;
    let troll = scene.add(Node::new("troll").with_position(vec2(-2.4, 0.5)).with_scale(vec2(1.0, 1.5)));
    scene.attach(troll, Circle::new(0.9))?;

    for event in scene.update() {
        if let CollisionEvent::Started(pair) = event {
            let contact = scene.world().contact(pair.a.collider, pair.b.collider).ok_or("they touch")?;
            println!("{} hits {}, depth {:.2}", scene[pair.a.node].name, scene[pair.b.node].name, contact.depth);
        }
    }

    let mut picture = Picture::new(0.03);
    picture.draw(scene.world(), &DebugOptions { contacts: true, normals: true, ..DebugOptions::default() });
    println!("{}", picture.save(support::pictures("01_hello.svg"))?.display());
    Ok(())
}
