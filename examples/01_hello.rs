//! The README's example: a tree of nodes, a sword that hits a troll, and a picture of the tested shapes.

mod support;

use glam::vec2;
use hitgraph::{Circle, CollisionEvent, DebugOptions, Node, Rect, Scene};
use support::Picture;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();

    // A knight who faces left: his scale mirrors him with all his children.
    let (knight, _) = scene.add_with(Node::new("knight").with_scale(vec2(-1.0, 1.0)), Rect::new(0.8, 1.8));
    let sword = Node::new("sword").with_position(vec2(0.6, 0.3)).with_rotation(1.2);
    let (sword, _) = scene.add_child_with(knight, sword, Rect::new(1.6, 0.2).at(vec2(0.8, 0.0)))?;

    // A tall troll: a stretched circle is an ellipse.
    let troll = Node::new("troll").with_position(vec2(-2.8, 0.0)).with_scale(vec2(1.0, 1.5));
    scene.add_with(troll, Circle::new(0.9));

    assert!(scene.update().is_empty(), "nothing touches yet");
    scene[sword].transform.rotation = -0.2;
    for event in scene.update() {
        if let CollisionEvent::Started(pair) = event {
            let contact = scene.world().contact(pair.a.collider, pair.b.collider).ok_or("they touch")?;
            println!("{} hits {}, {:.2} deep", scene[pair.a.node].name, scene[pair.b.node].name, contact.depth);
        }
    }

    let tip = scene.world().to_world(sword, vec2(1.6, 0.0)).ok_or("the sword exists")?;
    println!("the knight faces left, so the tip of the sword is at {tip:.2}");
    println!("{} of {} colliders touch", 2 * scene.touching().len(), scene.collider_count());

    let mut picture = Picture::new(0.025);
    picture.draw(scene.world(), &DebugOptions { contacts: true, normals: true, ..DebugOptions::default() });
    println!("{}", picture.save(support::pictures("01_hello.svg"))?.display());
    Ok(())
}
