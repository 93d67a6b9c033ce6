// Liar's Mirror, seed 1, tick 458: right horn – sword. Here the outlines overlap by 0.453.

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
fn the_right_horn_touches_the_sword() {
    let the_right_horn = (
        hitgraph::Polygon::convex_hull(&[Vec2::new(-0.17, 0.0), Vec2::new(0.17, 0.0), Vec2::new(0.0, 0.7)]).unwrap().into(),
        [
            node([-2.8, 0.215], 0.0, [1.014, 0.986], -13.905),
            node([0.15, 3.1], -2.7, [1.0, 1.0], 0.0),
            node([0.4, 0.4], -30.0, [1.0, 1.0], 0.0),
        ],
    );
    let the_sword = (
        hitgraph::Polygon::convex_hull(&[Vec2::new(-0.1, 0.9), Vec2::new(0.1, 0.9), Vec2::new(0.09, 2.55), Vec2::new(0.0, 2.85), Vec2::new(-0.09, 2.55)]).unwrap().into(),
        [
            node([0.798, 0.208], 0.0, [-1.094, 0.914], 15.88),
            node([0.2, 2.1], -19.0, [1.0, 1.0], 0.0),
            Transform::IDENTITY,
        ],
    );
    assert!(touching([the_right_horn, the_sword]), "the outlines overlap by 0.453");
}

/// The same limbs in an engine that decomposes their transforms into position, rotation and scale.
#[test]
#[should_panic(expected = "the outlines overlap by 0.453")]
fn the_right_horn_touches_the_sword_fails_if_transforms_are_decomposed() {
    let the_right_horn = (
        hitgraph::Polygon::convex_hull(&[Vec2::new(-0.17, 0.0), Vec2::new(0.17, 0.0), Vec2::new(0.0, 0.7)]).unwrap().into(),
        [
            node([-1.3988944, 3.5464106], -35.48575, [0.8907265, 1.0986347], 0.0),
            Transform::IDENTITY,
            Transform::IDENTITY,
        ],
    );
    let the_sword = (
        hitgraph::Polygon::convex_hull(&[Vec2::new(-0.1, 0.9), Vec2::new(0.1, 0.9), Vec2::new(0.09, 2.55), Vec2::new(0.0, 2.85), Vec2::new(-0.09, 2.55)]).unwrap().into(),
        [
            node([0.054007053, 2.0541496], -163.28308, [0.99502754, -1.0208584], 0.0),
            Transform::IDENTITY,
            Transform::IDENTITY,
        ],
    );
    assert!(touching([the_right_horn, the_sword]), "the outlines overlap by 0.453");
}
