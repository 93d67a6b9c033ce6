//! Figures of queries and their answers.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Capsule, Circle, Collider, Contact, DebugQuery, Ellipse, Node, Polygon, QueryFilter, Rect, Scene,
};

use crate::figure::{Drawn, Figure, RED, alone};

const PANEL: Vec2 = vec2(4.2, 2.6);

pub fn contact() -> Drawn {
    let mut figure = Figure::new();
    let first = Rect::new(2.2, 1.2).at(vec2(-0.5, -0.6)).rotated(0.15);
    let second = Circle::new(0.8).at(vec2(-0.1, 0.3));
    figure.panel(PANEL, "normal, as long as it is deep");
    let contact = touching(&mut figure, first, second)?;
    figure.words(first.center() - vec2(0.0, 0.35), "first");
    figure.words(second.center() + vec2(0.0, 0.35), "second");

    figure.panel(PANEL, "moved by normal * depth");
    // Slightly less than the depth, so that they touch whatever the rounding.
    let moved = second.at(second.center() + contact.normal * contact.depth * 0.9999);
    touching(&mut figure, first, moved)?;
    figure.guide(&[(second.center(), moved.center())]);

    figure.panel(PANEL, "a face on a face: two points");
    let crate_ = Rect::new(1.3, 1.0).at(vec2(0.35, 0.15));
    touching(&mut figure, Rect::new(3.0, 0.9).at(vec2(0.0, -0.5)), crate_)?;
    Ok(figure)
}

/// Draws two colliders and their contact.
fn touching(figure: &mut Figure, first: impl Collider, second: impl Collider) -> Result<Contact, &'static str> {
    let (mut scene, _, first) = alone(Node::new("first"), first);
    let (_, second) = scene.add_with(Node::new("second"), second);
    scene.update();
    figure.world(scene.world());
    scene.world().contact(first, second).ok_or("they touch")
}

pub fn shape_cast_hit() -> Drawn {
    let mut figure = Figure::new();
    figure.panel(vec2(8.0, 3.0), "world.cast_shape(&capsule, &at, displacement, &filter)");
    let mut scene = Scene::new();
    let rock = Polygon::convex(&[vec2(-0.9, -1.1), vec2(1.2, -1.1), vec2(0.9, -0.1), vec2(0.0, 0.5)])?;
    scene.add_with(Node::new("rock").with_position(vec2(1.3, -0.3)), rock);
    let capsule = Capsule::new(vec2(0.0, -0.25), vec2(0.0, 0.25), 0.3);
    let (at, displacement) = (Affine2::from_angle_translation(0.5, vec2(-3.2, 0.9)), vec2(6.6, -1.5));
    let hit =
        scene.world().cast_shape(&capsule, &at, displacement, &QueryFilter::default()).ok_or("it hits the rock")?;
    figure.world(scene.world());
    figure.guide(&[(at.translation, at.translation + displacement)]);
    figure.ask(DebugQuery::ShapeCast { shape: &capsule, at, displacement, hit: Some(hit) });
    figure.words(at.translation + vec2(0.0, -0.9), "at");
    figure.words(at.translation + displacement * 0.25 + vec2(0.2, 0.2), &format!("distance {:.2}", hit.distance));
    figure.words(
        at.translation + displacement * hit.fraction + vec2(0.3, 0.75),
        &format!("fraction {:.2}", hit.fraction),
    );
    figure.words(hit.point + vec2(0.3, -0.35), "point");
    figure.words(hit.point + hit.normal * 0.8 - vec2(0.3, 0.3), "normal");
    figure.words(at.translation + displacement + vec2(-0.35, 0.4), "displacement");
    Ok(figure)
}

pub fn ray_hit() -> Drawn {
    let mut figure = Figure::new();
    for (caption, origin, direction) in [
        ("from outside", vec2(-1.3, 1.3), vec2(2.0, -1.4)),
        ("from inside: at distance 0", vec2(0.3, 0.2), vec2(1.5, 0.5)),
        ("along an edge: it hits", vec2(-1.8, 0.7), vec2(3.0, 0.0)),
    ] {
        figure.panel(PANEL, caption);
        let (mut scene, ..) = alone(Node::new("box").with_position(vec2(0.2, 0.0)), Rect::new(2.0, 1.4));
        let hit = scene.world().cast_ray(origin, direction, 3.4, &QueryFilter::default()).ok_or("it hits")?;
        figure.world(scene.world());
        figure.guide(&[(origin, origin + direction.normalize() * 3.4)]);
        figure.ask(DebugQuery::Ray { origin, direction, max_distance: 3.4, hit: Some(hit) });
    }
    Ok(figure)
}

pub fn point_projection() -> Drawn {
    let mut figure = Figure::new();
    let node = || Node::new("ball").with_rotation(0.4);
    for (caption, point) in [("from outside", vec2(-1.3, 1.0)), ("inside: the point itself", vec2(0.5, 0.4))] {
        figure.panel(PANEL, caption);
        let (mut scene, _, ball) = alone(node(), Ellipse::new(1.4, 0.8));
        let landing = scene.world().project_point(ball, point).ok_or("the collider exists")?;
        figure.world(scene.world());
        figure.picture.mark(point, RED);
        figure.picture.arrow(point, landing.point, RED);
    }
    Ok(figure)
}

pub fn aabb() -> Drawn {
    let mut figure = Figure::new();
    let mut scene = Scene::new();
    let (_, leaf) =
        scene.add_with(Node::new("leaf").with_position(vec2(-0.7, 0.25)).with_rotation(0.7), Ellipse::new(1.1, 0.35));
    let (_, plank) =
        scene.add_with(Node::new("plank").with_position(vec2(0.7, -0.35)).with_rotation(0.7), Rect::new(1.9, 0.3));
    let world = scene.world();
    let boxes = [leaf, plank].map(|collider| world.bounds(collider).unwrap_or(Aabb::EMPTY));
    for (caption, found) in [
        ("world.bounds(..)", &boxes[..]),
        ("a.union(b)", &[boxes[0].union(boxes[1])][..]),
        ("b.grown(0.2)", &[boxes[1], boxes[1].grown(0.2)][..]),
    ] {
        figure.panel(PANEL, caption);
        figure.world(world);
        found.iter().for_each(|bounds| figure.ask(DebugQuery::Region(*bounds)));
    }
    Ok(figure)
}
