// Liar's Mirror, seed 1, tick 73: head – sword. Here the outlines are 0.355 apart.

use hitgraph::{Attachment, Node, Scene, Transform, glam::Vec2};

/// A shape below three nodes, outermost first.
type Limb = (Attachment, [Transform; 3]);

fn touching(limbs: [Limb; 2]) -> bool {
    let mut scene = Scene::new();
    let [a, b] = limbs.map(|(shape, chain)| {
        let parent = chain.into_iter().fold(scene.root(), |parent, transform| {
            scene.add_child(parent, Node::new("limb").with_transform(transform)).unwrap()
        });
        scene.attach(parent, shape).unwrap()
    });
    scene.world().contact(a, b).is_some()
}

/// Returns a transform from position, rotation and skew in degrees, and scale.
fn node(position: [f32; 2], rotation: f32, scale: [f32; 2], skew: f32) -> Transform {
    let [position, scale] = [position, scale].map(Vec2::from);
    Transform { position, rotation: rotation.to_radians(), scale, skew: skew.to_radians() }
}

#[test]
fn the_head_misses_the_sword() {
    let the_head = (
        hitgraph::Circle::new(1.0).into(),
        [
            node([-2.243, 0.111], 0.0, [1.288, 0.777], 13.78),
            node([0.15, 3.1], 1.4, [1.0, 1.0], 0.0),
            node([0.0, 0.0], 0.0, [0.78, 0.5], 0.0),
        ],
    );
    let the_sword = (
        hitgraph::Polygon::convex_hull(&[Vec2::new(-0.1, 0.9), Vec2::new(0.1, 0.9), Vec2::new(0.09, 2.55), Vec2::new(0.0, 2.85), Vec2::new(-0.09, 2.55)]).unwrap().into(),
        [
            node([1.679, 0.123], 0.0, [-0.999, 1.001], 10.205),
            node([0.2, 2.1], -72.5, [1.0, 1.0], 0.0),
            Transform::IDENTITY,
        ],
    );
    assert!(!touching([the_head, the_sword]), "the outlines are 0.355 apart");
}

/// The same limbs in an engine that decomposes their transforms into position, rotation and scale.
#[test]
#[should_panic(expected = "the outlines are 0.355 apart")]
fn the_head_misses_the_sword_fails_if_transforms_are_decomposed() {
    let the_head = (
        hitgraph::Circle::new(1.0009164).into(),
        [
            node([-2.623539, 2.4503715], 0.82325447, [1.0, 1.0], 0.0),
            Transform::IDENTITY,
            Transform::IDENTITY,
        ],
    );
    let the_sword = (
        hitgraph::Polygon::convex_hull(&[Vec2::new(-0.1, 0.9), Vec2::new(0.1, 0.9), Vec2::new(0.09, 2.55), Vec2::new(0.0, 2.85), Vec2::new(-0.09, 2.55)]).unwrap().into(),
        [
            node([1.1067696, 2.1918452], -97.95322, [0.9486931, -1.0488008], 0.0),
            Transform::IDENTITY,
            Transform::IDENTITY,
        ],
    );
    assert!(!touching([the_head, the_sword]), "the outlines are 0.355 apart");
}
