//! The picture of the result: the drawing, the tested shapes and the contacts.

use std::io;
use std::path::Path;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, Circle, DebugGeometry, DebugOptions, Rect, World};
use roxmltree::Node;
use svg::node::element::{Element, Group, Rectangle, Text, Title};

use crate::drawing::{DEEPEST, Drawing, XLINK};
use crate::support::Picture;
use crate::touching::{Touching, TouchingPair};

const FREE: [f32; 4] = [0.16, 0.50, 0.73, 1.0];
const TOUCHING: [f32; 4] = [0.90, 0.36, 0.05, 1.0];
const CONTACT: [f32; 4] = [0.76, 0.04, 0.35, 1.0];

/// The maximum number of contacts that are drawn.
const MOST_CONTACTS: usize = 2_000;

/// Writes the faded drawing with the tested shapes and contacts on top.
pub fn save(root: Node<'_, '_>, drawing: &mut Drawing, touching: &Touching, path: &Path) -> io::Result<()> {
    let page = drawing.units.page().map(|(corner, size)| Aabb::new(corner.as_vec2(), (corner + size).as_vec2()));
    let world = drawing.scene.world();
    let seen = extent(world).union(page.unwrap_or(Aabb::EMPTY));
    let frame = if seen.is_finite() { seen } else { Aabb::new(Vec2::ZERO, Vec2::splat(100.0)) };
    let frame = if frame.size() == Vec2::ZERO { frame.grown(1.0) } else { frame };
    // One thousandth of the picture's size.
    let scale = frame.size().max_element() / 1000.0;

    let mut picture = Picture::new(scale * 1.6).y_down();
    picture.frame(frame);
    picture.add(
        Rectangle::new()
            .set("x", frame.min.x)
            .set("y", frame.min.y)
            .set("width", frame.size().x)
            .set("height", frame.size().y)
            .set("style", format!("fill:#fff;stroke:#ddd;stroke-width:{scale}")),
    );
    let original = Group::new().set("opacity", 0.3).set("fill", "black").set("color", "black");
    let original = original.set("stroke-linecap", "butt").set("stroke-linejoin", "miter");
    picture.add(original.add(copy(root, page)));
    outlines(world, touching, &mut picture);
    names(world, &mut picture, scale);
    contacts(world, touching, &mut picture, scale);
    legend(&mut picture, frame, touching, scale);
    picture.save(path).map(drop)
}

fn extent(world: World<'_>) -> Aabb {
    let scene = world.scene();
    let colliders = scene.descendants(scene.root()).flat_map(|node| scene.colliders(node));
    colliders.filter_map(|collider| world.bounds(*collider)).fold(Aabb::EMPTY, Aabb::union)
}

/// Copies the root with all SVG elements. The explicit page keeps percentages and units as in the original.
fn copy(root: Node<'_, '_>, page: Option<Aabb>) -> Element {
    let mut element = element(root, DEEPEST);
    let attributes = element.get_attributes_mut();
    attributes.insert("overflow".into(), "visible".into());
    attributes.insert("xmlns:xlink".into(), XLINK.into());
    if let Some(page) = page {
        for (name, value) in [("x", page.min.x), ("y", page.min.y), ("width", page.size().x), ("height", page.size().y)]
        {
            attributes.insert(name.into(), value.into());
        }
    }
    element
}

fn element(node: Node<'_, '_>, depth: usize) -> Element {
    let mut element = Element::new(node.tag_name().name());
    for attribute in node.attributes() {
        let name = match attribute.namespace() {
            None => attribute.name().to_owned(),
            Some(XLINK) => format!("xlink:{}", attribute.name()),
            Some(roxmltree::NS_XML_URI) => format!("xml:{}", attribute.name()),
            Some(_) => continue,
        };
        element.get_attributes_mut().insert(name, attribute.value().into());
    }
    for child in node.children() {
        if let Some(text) = child.text().filter(|_| child.is_text()) {
            svg::Node::append(&mut element, svg::node::Text::new(text));
        } else if is_drawn(child) && depth > 0 {
            svg::Node::append(&mut element, self::element(child, depth - 1));
        }
    }
    element
}

fn is_drawn(child: Node<'_, '_>) -> bool {
    let root = child.document().root_element();
    let own = child.is_element() && child.tag_name().namespace() == root.tag_name().namespace();
    own && !["script", "metadata"].contains(&child.tag_name().name())
}

fn outlines(world: World<'_>, touching: &Touching, picture: &mut Picture) {
    world.debug_draw(&DebugOptions::default(), |shape| {
        let touches = shape.collider.is_some_and(|collider| touching.colliders.contains(&collider));
        let mut outline = picture.outline(&shape, if touches { TOUCHING } else { FREE });
        let node = shape.collider.and_then(|collider| world.scene().node_of(collider));
        let name = node.map_or("", |node| &world.scene()[node].name);
        svg::Node::append(&mut outline, Title::new(name));
        picture.add(outline);
    });
}

/// Draws the names that fit into their shapes. The others appear as tooltips of the outlines.
fn names(world: World<'_>, picture: &mut Picture, scale: f32) {
    let size = 11.0 * scale;
    let mut named = None;
    world.debug_draw(&DebugOptions::default(), |shape| {
        let DebugGeometry::Shape(drawn) = shape.geometry else { return };
        // A composite collider shows its name in the first piece with enough room.
        if shape.collider == named {
            return;
        }
        let Some(node) = shape.collider.and_then(|collider| world.scene().node_of(collider)) else { return };
        let (name, middle) = (&world.scene()[node].name, drawn.bounds().center());
        let room = Rect::new(0.6 * size * name.chars().count() as f32, size).at(middle);
        let contains = |corner| drawn.overlaps(&Circle::new(0.0).at(corner).into());
        if room.corners().into_iter().all(contains) {
            picture.add(label(name, middle + vec2(0.0, 0.35 * size), 11.0, "middle", scale));
            named = shape.collider;
        }
    });
}

/// Returns text of a size in thousandths of the picture. A transform scales it, because renderers omit tiny fonts.
fn label(words: &str, at: Vec2, size: f32, anchor: &str, scale: f32) -> Text {
    // Names are on the white page of the drawing, the legend on paper.
    let ink = if anchor == "start" { "currentColor" } else { "#333" };
    let style = format!("fill:{ink};stroke:none;font:{size}px sans-serif;text-anchor:{anchor}");
    let place = format!("translate({} {}) scale({scale})", at.x, at.y);
    Text::new(words).set("style", style).set("transform", place)
}

/// Draws a dot at every contact point, and through it an arrow along the normal, at least as long as the depth.
fn contacts(world: World<'_>, touching: &Touching, picture: &mut Picture, scale: f32) {
    for TouchingPair { nodes, contact } in touching.listed.iter().take(MOST_CONTACTS) {
        let [a, b] = nodes.map(|node| &world.scene()[node].name);
        let title = format!("{a} touches {b}, depth {:.4}", contact.depth);
        let arm = contact.normal * contact.depth.max(18.0 * scale) / 2.0;
        for point in contact.points() {
            let mark = mark(picture, *point, arm, scale);
            picture.add(mark.add(Title::new(title.as_str())));
        }
    }
}

fn mark(picture: &mut Picture, at: Vec2, arm: Vec2, scale: f32) -> Group {
    let (tail, tip) = (at - arm, at + arm);
    let barb = arm.normalize() * -6.0 * scale;
    let ends = [tip + barb + barb.perp() * 0.6, tip + barb - barb.perp() * 0.6];
    let arrow = picture.lines(&[(tail, tip), (ends[0], tip), (tip, ends[1])], CONTACT, false);
    let dot = picture.lines(&[(at, at)], CONTACT, false);
    let [r, g, b, _] = CONTACT.map(|channel| channel * 100.0);
    let style = format!("stroke:rgb({r}%,{g}%,{b}%);stroke-width:{}", 5.0 * scale);
    Group::new().add(arrow).add(dot.set("style", style))
}

fn legend(picture: &mut Picture, frame: Aabb, touching: &Touching, scale: f32) {
    let size = 18.0 * scale;
    let mut pen = vec2(frame.min.x, frame.max.y + 1.6 * size);
    let contacts = match touching.count.saturating_sub(MOST_CONTACTS) {
        0 => "contact, normal and depth".to_owned(),
        _ => format!("contact, normal and depth of the first {MOST_CONTACTS} pairs"),
    };
    for (words, color) in [("touches nothing", FREE), ("touches", TOUCHING), (contacts.as_str(), CONTACT)] {
        let (left, right) = (pen - vec2(0.0, 0.3 * size), pen + vec2(1.4 * size, -0.3 * size));
        if color == CONTACT {
            let arrow = mark(picture, left.midpoint(right), (right - left) / 2.0, scale);
            picture.add(arrow);
        } else {
            let [low, high] = [left - vec2(0.0, 0.4 * size), right + vec2(0.0, 0.4 * size)];
            let corners = [low, vec2(high.x, low.y), high, vec2(low.x, high.y), low];
            let lines: Vec<_> = corners.windows(2).map(|pair| (pair[0], pair[1])).collect();
            picture.stroke(&lines, color, true);
        }
        picture.add(label(words, vec2(right.x + 0.5 * size, pen.y), 18.0, "start", scale));
        pen.x = right.x + (2.0 + 0.52 * words.len() as f32) * size;
    }
    picture.frame(Aabb::new(frame.min, vec2(frame.max.x.max(pen.x), pen.y)));
}
