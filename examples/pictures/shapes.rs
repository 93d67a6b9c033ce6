//! Figures of the convex shapes: each in its own frame, rotated, and rotated under a stretched parent.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Attachment, Capsule, Circle, Collider, Ellipse, Node, Polygon, Rect, Rounded, Scene, Segment};

use crate::figure::{Drawn, Figure, GREY, RED, alone, kind};

const PANEL: Vec2 = vec2(3.9, 2.6);
const TURN: f32 = 0.6;

pub fn circle() -> Drawn {
    row("Circle::new(0.9)", &Circle::new(0.9).into(), |figure| {
        let rim = Vec2::from_angle(0.6) * 0.9;
        figure.picture.arrow(Vec2::ZERO, rim, RED);
        figure.words(rim * 0.5 + vec2(-0.2, 0.12), "0.9");
    })
}

pub fn segment() -> Drawn {
    let [a, b] = [vec2(-1.1, -0.5), vec2(1.1, 0.6)];
    row("Segment::new(a, b)", &Segment::new(a, b).into(), |figure| {
        figure.picture.mark(a, RED);
        figure.picture.mark(b, RED);
        figure.words(a + vec2(0.0, 0.15), "a");
        figure.words(b + vec2(0.0, 0.15), "b");
    })
}

pub fn capsule() -> Drawn {
    let [a, b] = [vec2(-0.7, -0.2), vec2(0.7, 0.2)];
    row("Capsule::new(a, b, 0.5)", &Capsule::new(a, b, 0.5).into(), |figure| {
        figure.guide(&[(a, b)]);
        let side = (b - a).perp().normalize() * 0.5;
        figure.picture.arrow(a, a + side, RED);
        figure.words(a + side * 0.5 + vec2(0.25, -0.05), "0.5");
        figure.words(a + vec2(0.0, -0.3), "a");
        figure.words(b + vec2(0.15, -0.2), "b");
    })
}

pub fn rect() -> Drawn {
    row("Rect::new(1.8, 1.2)", &Rect::new(1.8, 1.2).into(), |figure| {
        figure.guide(&[(vec2(-0.9, 0.75), vec2(0.9, 0.75)), (vec2(1.05, -0.6), vec2(1.05, 0.6))]);
        figure.words(vec2(0.0, 0.82), "1.8");
        figure.words(vec2(1.35, -0.1), "1.2");
    })
}

pub fn polygon() -> Drawn {
    let points = [(-1.0, -0.5), (0.3, -0.9), (1.1, -0.1), (0.5, 0.8), (-0.6, 0.7)].map(Vec2::from);
    let inner = [(-0.4, 0.1), (0.3, -0.3), (0.4, 0.4), (-0.1, -0.5)].map(Vec2::from);
    let hull = Polygon::convex_hull(&[&points[..], &inner].concat())?;
    row("Polygon::convex_hull(points)", &hull.into(), |figure| {
        points.iter().chain(&inner).for_each(|point| figure.picture.mark(*point, RED));
    })
}

pub fn ellipse() -> Drawn {
    row("Ellipse::new(1.2, 0.7)", &Ellipse::new(1.2, 0.7).into(), |figure| {
        figure.picture.arrow(Vec2::ZERO, vec2(1.2, 0.0), RED);
        figure.picture.arrow(Vec2::ZERO, vec2(0.0, 0.7), RED);
        figure.words(vec2(0.6, -0.3), "1.2");
        figure.words(vec2(-0.3, 0.25), "0.7");
    })
}

pub fn rounded() -> Drawn {
    let core = [vec2(-0.8, -0.5), vec2(0.8, -0.4), vec2(-0.2, 0.6)];
    row("Rounded::new(core, 0.35)", &Rounded::new(Polygon::convex(&core)?, 0.35).into(), |figure| {
        figure.guide(&[(core[0], core[1]), (core[1], core[2]), (core[2], core[0])]);
        let out = vec2(0.7, 0.7);
        figure.picture.arrow(core[1], core[1] + out.normalize() * 0.35, RED);
        figure.words(core[1] + vec2(0.45, 0.3), "0.35");
    })
}

/// A user shape: half a disc with the flat side down.
#[derive(Debug, Clone)]
struct Dome;

impl Collider for Dome {
    fn support(&self, direction: Vec2) -> Vec2 {
        if direction.y > 0.0 { direction } else { vec2(1_f32.copysign(direction.x), 0.0) }
    }
}

/// Points that `support` returns.
pub fn support() -> Drawn {
    let mut figure = Figure::new();
    figure.panel(PANEL, "support(direction)");
    let middle = vec2(0.0, -0.4);
    let (mut scene, ..) = alone(Node::new("dome").with_position(middle), Dome);
    figure.world(scene.world());
    for angle in [-0.6_f32, 0.4, 1.3, 2.4, 3.6] {
        let direction = Vec2::from_angle(angle);
        let point = middle + Dome.support(direction);
        figure.picture.mark(point, RED);
        figure.picture.arrow(point, point + direction * 0.45, GREY);
    }
    for (stretched, caption) in [(false, "turned"), (true, "turned, then stretched")] {
        placed(&mut figure, &Dome.into(), stretched, |_| caption.to_owned())?;
    }
    Ok(figure)
}

fn row(code: &str, shape: &Attachment, remarks: impl FnOnce(&mut Figure)) -> Drawn {
    let mut figure = Figure::new();
    figure.panel(PANEL, code);
    let (mut scene, ..) = alone(Node::new("plain"), shape.clone());
    figure.world(scene.world());
    remarks(&mut figure);
    placed(&mut figure, shape, false, |kind| format!("turned: {kind}"))?;
    placed(&mut figure, shape, true, |kind| format!("turned, then stretched: {kind}"))?;
    Ok(figure)
}

/// Draws a panel with the rotated shape and the axes of its frame.
fn placed(
    figure: &mut Figure,
    shape: &Attachment,
    stretched: bool,
    caption: impl FnOnce(&str) -> String,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let scale = if stretched { vec2(1.4, 0.75) } else { Vec2::ONE };
    let parent = scene.add(Node::new("parent").with_scale(scale));
    let node = Node::new("shape").with_rotation(TURN);
    let (node, collider) = scene.add_child_with(parent, node, shape.clone())?;
    let world = scene.world();
    figure.panel(PANEL, &caption(&world.shape(collider).map(kind).unwrap_or_default()));
    figure.world(world);
    figure.axes(&world.transform(node).unwrap_or(Affine2::IDENTITY));
    Ok(())
}
