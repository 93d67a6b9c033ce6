//! Figures of transforms and of collider states.

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Circle, DebugOptions, DebugState, Node, NodeId, Polygon, Rect, Scene, SceneError, Transform,
};

use crate::figure::{Drawn, Figure, RED};

/// Adds a flag, whose outline shows rotation and mirroring.
fn flag(scene: &mut Scene, transform: Transform) -> Result<NodeId, SceneError> {
    let node = scene.add(Node { transform, ..Node::new("flag") });
    scene.attach(node, Rect::new(0.16, 1.4).at(vec2(0.0, 0.7)))?;
    let cloth = [vec2(0.08, 1.4), vec2(0.9, 1.4), vec2(0.9, 0.8), vec2(0.08, 0.8)];
    scene.attach(node, Polygon::convex(&cloth).expect("the cloth is convex"))?;
    Ok(node)
}

/// The steps of a transform, each with the previous step in grey.
pub fn transform() -> Drawn {
    let mut figure = Figure::new();
    let start = Transform::IDENTITY;
    let scaled = start.with_scale(vec2(1.3, 0.8));
    let skewed = scaled.with_skew(0.5);
    let turned = skewed.with_rotation(0.6);
    let placed = turned.with_position(vec2(0.7, 0.4));
    let steps = [
        ("scale (1.3, 0.8)", start, scaled),
        ("skew 0.5", scaled, skewed),
        ("rotation 0.6", skewed, turned),
        ("position (0.7, 0.4)", turned, placed),
        ("scale (-1.3, 0.8)", placed, placed.with_scale(vec2(-1.3, 0.8))),
    ];
    for (caption, before, after) in steps {
        figure.panel(vec2(3.2, 2.3), caption);
        figure.picture.origin -= vec2(0.35, 0.8);
        for (transform, is_now) in [(before, false), (after, true)] {
            let mut scene = Scene::new();
            let node = flag(&mut scene, transform)?;
            if is_now {
                figure.world(scene.world());
            } else {
                figure.before(scene.world(), node);
            }
        }
        figure.picture.mark(Vec2::ZERO, RED);
    }
    Ok(figure)
}

/// The tested shapes and, dashed, the shapes that engines test if they decompose transforms into position, rotation and
/// scale.
pub fn exact() -> Drawn {
    let mut figure = Figure::new();
    for (caption, shape) in [
        ("turned, then stretched", Attachment::new(Rect::new(1.5, 0.8))),
        ("a stretched circle", Attachment::new(Circle::new(0.7))),
    ] {
        figure.panel(vec2(4.4, 2.8), caption);
        let mut scene = Scene::new();
        let parent = scene.add(Node::new("parent").with_scale(vec2(1.8, 0.8)));
        let (_, collider) = scene.add_child_with(parent, Node::new("child").with_rotation(0.7), shape.clone())?;
        let world = scene.world();
        figure.world(world);
        let child = world.node_of(collider).and_then(|node| world.transform(node)).ok_or("the child exists")?;
        let apart = Transform::from_affine(child).with_skew(0.0);
        let apart = match shape.collider_as::<Circle>() {
            Some(_) => Transform { scale: apart.scale.abs().max_element() * Vec2::ONE, ..apart },
            None => apart,
        };
        let mut scene = Scene::new();
        scene.add_with(Node { transform: apart, ..Node::new("apart") }, shape);
        scene.world().debug_draw(&DebugOptions::default(), |shape| figure.guide_of(&shape));
    }
    Ok(figure)
}

/// The colour of each collider state.
pub fn debug_state() -> Drawn {
    let mut figure = Figure::new();
    let states =
        [DebugState::Solid, DebugState::Sensor, DebugState::Touching, DebugState::Disabled, DebugState::Quarantined];
    for state in states {
        figure.panel(vec2(2.3, 1.5), &format!("{state:?}"));
        let mut scene = Scene::new();
        let mut shape = Attachment::new(Circle::new(0.6));
        shape.sensor = state == DebugState::Sensor;
        shape.enabled = state != DebugState::Disabled;
        let (node, _) = scene.add_with(Node::new("ball"), shape);
        let (other, _) = scene.add_with(Node::new("other").with_position(vec2(0.5, 0.2)), Circle::new(0.1));
        scene[other].enabled = state == DebugState::Touching;
        scene.update();
        if state == DebugState::Quarantined {
            scene[node].transform.position.x = f32::NAN;
            scene.update();
        }
        let options = DebugOptions { subtree: Some(node), ..DebugOptions::default() };
        figure.picture.draw(scene.world(), &options);
    }
    Ok(figure)
}
