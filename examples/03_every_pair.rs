//! Every kind of shape against every other, including a user shape: the table of pairs as one picture.
//!
//! On and below the diagonal the two shapes overlap; the picture shows contact points, and normals from the row's shape
//! to the column's. Above the diagonal they are apart; it shows their closest points.

mod support;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, Attachment, Capsule, Circle, Collider, ColliderId, Compound, DebugOptions, Ellipse, Node};
use hitgraph::{Polygon, Polyline, Rect, Rounded, Scene, Segment, Tile, Tiles};
use support::Picture;
use support::palette::PURPLE;

/// Half a disc, flat side down: a user shape.
#[derive(Debug, Clone)]
struct Dome;

impl Collider for Dome {
    fn support(&self, direction: Vec2) -> Vec2 {
        if direction.y > 0.0 { direction * 0.5 } else { vec2(0.5f32.copysign(direction.x), 0.0) }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let triangle = Polygon::convex(&[vec2(-0.3, -0.25), vec2(0.35, -0.2), vec2(-0.1, 0.3)])?;
    let pentagon: Vec<Vec2> = (0..5).map(|i| Vec2::from_angle(1.2566 * i as f32 + 0.3) * 0.5).collect();
    let ell = [(-0.5, -0.4), (0.45, -0.4), (0.4, 0.05), (0.05, 0.1), (-0.05, 0.45), (-0.45, 0.4)].map(Vec2::from);
    let zigzag = [(-0.5, -0.2), (-0.2, 0.3), (0.1, -0.3), (0.5, 0.2)].map(Vec2::from);
    let hill = |column: u32, row: u32| match (column, row) {
        (0, 1) => Tile::slope(0.0, 1.0),
        (_, 1) => Tile::EMPTY,
        _ => Tile::FULL,
    };
    let kinds: [(&str, Attachment); 11] = [
        ("Circle", Circle::new(0.45).into()),
        ("Segment", Segment::new(vec2(-0.45, -0.25), vec2(0.45, 0.25)).into()),
        ("Capsule", Capsule::new(vec2(-0.3, 0.1), vec2(0.3, -0.1), 0.22).into()),
        ("Rect", Rect::new(0.9, 0.6).rotated(0.3).into()),
        ("Polygon", Polygon::convex(&pentagon)?.into()),
        ("Ellipse", Ellipse::new(0.55, 0.3).into()),
        ("Rounded", Rounded::new(triangle, 0.18).into()),
        ("Polyline", Polyline::new(&zigzag)?.into()),
        ("Compound", Compound::from_outline(&ell)?.into()),
        ("Tiles", Tiles::from_tiles(2, 2, vec2(0.45, 0.35), hill)?.into()),
        ("your own", Dome.into()),
    ];

    let mut scene = Scene::new();
    let mut apart: Vec<[ColliderId; 2]> = Vec::new();
    let mut picture = Picture::new(0.03);
    // Room for the names.
    picture.frame(Aabb::new(vec2(-3.0, -20.0), vec2(23.0, 1.4)));
    for (row, (name, first)) in kinds.iter().enumerate() {
        let y = -2.0 * row as f32;
        picture.text(vec2(-1.95, y - 0.15), 0.44, name);
        picture.text(vec2(2.2 * row as f32, 1.1), 0.44, name);
        for (column, (_, second)) in kinds.iter().enumerate() {
            let cell = scene.add(Node::new("cell").with_position(vec2(2.2 * column as f32, y)));
            let offset = if column > row { vec2(0.5, 0.42) } else { vec2(0.15, 0.07) };
            let mut put = |at: Vec2, turn: f32, shape: &Attachment| {
                // The origin of a tile map is its corner, so this moves its centre there.
                let middle = shape.collider_as::<Tiles>().map_or(Vec2::ZERO, |tiles| tiles.size());
                let at = at - Vec2::from_angle(turn).rotate(middle);
                let node = Node::new("shape").with_position(at).with_rotation(turn);
                scene.add_child_with(cell, node, shape.clone()).map(|(_, collider)| collider)
            };
            let pair = [put(-offset, 0.0, first)?, put(offset, -1.4, second)?];
            if column > row {
                apart.push(pair);
            }
        }
    }

    scene.update();
    let world = scene.world();
    let contacts = world.contacts();
    assert_eq!(contacts.len() + apart.len(), 121, "66 cells touch, 55 do not");
    let deepest = contacts.iter().map(|(_, contact)| contact.depth).fold(0.0, f32::max);
    let distances = apart.iter().filter_map(|[a, b]| world.distance(*a, *b));
    let nearest = distances.fold(f32::INFINITY, f32::min);
    picture.draw(world, &DebugOptions { contacts: true, normals: true, ..DebugOptions::default() });
    for [a, b] in apart.iter().copied() {
        let [on_a, on_b] = world.closest_points(a, b).ok_or("both colliders exist")?;
        picture.stroke(&[(on_a, on_b)], PURPLE, false);
        picture.mark(on_a, PURPLE);
        picture.mark(on_b, PURPLE);
    }
    support::report(
        &[
            format!("{} kinds of shapes make {} pairs of colliders", kinds.len(), kinds.len() * kinds.len()),
            format!("{} pairs touch, the deepest by {deepest:.2}", contacts.len()),
            format!("{} pairs are apart, the nearest by {nearest:.2}", apart.len()),
        ],
        picture,
        "03_every_pair.svg",
    )?;
    Ok(())
}
