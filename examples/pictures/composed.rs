//! Figures of the composite shapes.

use glam::{Vec2, vec2};
use hitgraph::{Capsule, Circle, Compound, DebugQuery, Node, Polyline, QueryFilter, Rect, Shape, Tile, Tiles, World};

use crate::figure::{Drawn, Figure, GREY, RED, alone};

const PANEL: Vec2 = vec2(4.2, 2.6);

pub fn polyline() -> Drawn {
    let points = [(-1.8, -0.7), (-0.9, 0.1), (-0.2, -0.4), (0.8, 0.3), (1.8, -0.6)].map(Vec2::from);
    let mut figure = Figure::new();

    figure.panel(PANEL, "Polyline::new(points)");
    let hills = Polyline::new(&points)?;
    figure.numbers(&hills);
    let (mut scene, ..) = alone(Node::new("hills"), hills);
    figure.world(scene.world());
    down(&mut figure, scene.world(), 0.4);

    figure.panel(PANEL, "closed(points): hollow");
    let ring = [(-1.5, -0.8), (0.2, -1.1), (1.4, -0.4), (1.2, 0.8), (-0.7, 1.1)].map(Vec2::from);
    let (mut scene, ..) = alone(Node::new("cave"), Polyline::closed(&ring)?);
    scene.add_with(Node::new("ball").with_position(vec2(-0.3, 0.1)), Circle::new(0.4));
    scene.add_with(Node::new("ball").with_position(vec2(1.2, 0.2)), Circle::new(0.3));
    scene.update();
    figure.world(scene.world());

    figure.panel(PANEL, "one_sided(): not from behind");
    let (mut scene, ..) = alone(Node::new("hills"), Polyline::new(&points)?.one_sided());
    figure.world(scene.world());
    for ends in points.windows(2) {
        let (middle, front) = (ends[0].midpoint(ends[1]), (ends[1] - ends[0]).perp().normalize());
        figure.picture.arrow(middle, middle + front * 0.3, GREY);
    }
    down(&mut figure, scene.world(), 0.4);
    let (origin, direction) = (vec2(-1.4, -1.2), vec2(0.3, 2.0));
    let hit = scene.world().cast_ray(origin, direction, 2.0, &QueryFilter::default());
    figure.ask(DebugQuery::Ray { origin, direction, max_distance: 2.0, hit });
    Ok(figure)
}

/// Casts a ray from above and draws it with the piece that it hits.
fn down(figure: &mut Figure, world: World<'_>, x: f32) {
    let (origin, direction) = (vec2(x, 1.2), -Vec2::Y);
    let hit = world.cast_ray(origin, direction, 2.0, &QueryFilter::default());
    figure.ask(DebugQuery::Ray { origin, direction, max_distance: 2.0, hit });
    if let Some(hit) = hit {
        figure.words(origin + vec2(0.75, -0.2), &format!("piece {}", hit.piece));
    }
}

pub fn compound() -> Drawn {
    let mut figure = Figure::new();
    figure.panel(PANEL, "Compound::new(shapes)");
    let key = Compound::new([
        Shape::from(Circle::new(0.6).at(vec2(-1.0, 0.0))),
        Shape::from(Rect::new(2.0, 0.24).at(vec2(0.5, 0.0))),
        Shape::from(Capsule::new(vec2(1.2, -0.1), vec2(1.2, -0.5), 0.12)),
    ])?;
    figure.numbers(&key);
    figure.pieces(alone(Node::new("key"), key).0.world());

    figure.panel(PANEL, "Compound::from_outline(points)");
    let star = |index: u8| {
        Vec2::from_angle(0.314 + 0.6283 * f32::from(index)) * if index.is_multiple_of(2) { 1.2 } else { 0.5 }
    };
    let outline: Vec<Vec2> = (0..10).map(star).collect();
    figure.pieces(alone(Node::new("star"), Compound::from_outline(&outline)?).0.world());
    outline.iter().for_each(|point| figure.picture.mark(*point, RED));

    figure.panel(PANEL, "the deepest two touch");
    let (mut scene, ..) = alone(Node::new("star").with_rotation(0.2), Compound::from_outline(&outline)?);
    scene.add_with(Node::new("floor").with_position(vec2(0.0, -1.1)), Rect::new(3.4, 0.4));
    scene.update();
    figure.world(scene.world());
    Ok(figure)
}

/// Draws the grid of a tile map.
fn grid(figure: &mut Figure, columns: u8, rows: u8, size: Vec2) {
    let total = size * vec2(columns.into(), rows.into());
    let upright = (0..=columns).map(|column| f32::from(column) * size.x).map(|x| (vec2(x, 0.0), vec2(x, total.y)));
    let level = (0..=rows).map(|row| f32::from(row) * size.y).map(|y| (vec2(0.0, y), vec2(total.x, y)));
    figure.guide(&upright.chain(level).collect::<Vec<_>>());
}

pub fn tiles() -> Drawn {
    let map = ["#...../", "#.../##", "#######", "#######"];
    let tile = |column: u32, row: u32| match map[3 - row as usize].as_bytes()[column as usize] {
        b'#' => Tile::FULL,
        b'/' => Tile::slope(0.0, 1.0),
        _ => Tile::EMPTY,
    };
    let size = vec2(0.6, 0.6);
    let mut figure = Figure::new();
    let begin = |figure: &mut Figure, caption| {
        figure.panel(vec2(5.6, 2.6), caption);
        figure.picture.origin -= vec2(2.1, 1.2);
        grid(figure, 7, 4, size);
    };

    begin(&mut figure, "the tiles of a map");
    for (column, row) in (0..28).map(|number| (number % 7, number / 7)) {
        let single = Tiles::from_tiles(1, 1, size, |_, _| tile(column, row))?;
        let place = vec2(column as f32, row as f32) * size;
        figure.world(alone(Node::new("tile").with_position(place), single).0.world());
    }

    begin(&mut figure, "the pieces that are tested, with their numbers");
    let tiles = Tiles::from_tiles(7, 4, size, tile)?;
    figure.numbers(&tiles);
    figure.pieces(alone(Node::new("map"), tiles).0.world());
    Ok(figure)
}

pub fn tile() -> Drawn {
    let kinds: [(&str, Tile); 6] = [
        ("FULL", Tile::FULL),
        ("slope(0.0, 1.0)", Tile::slope(0.0, 1.0)),
        ("slope(0.5, 0.2)", Tile::slope(0.5, 0.2)),
        ("and flipped()", Tile::slope(0.5, 0.2).flipped()),
        ("part(low, high)", Tile::part(vec2(0.3, 0.2), vec2(0.8, 0.6))),
        ("one_way(Vec2::Y)", Tile::part(vec2(0.0, 0.75), Vec2::ONE).one_way(Vec2::Y)),
    ];
    let mut figure = Figure::new();
    for (caption, tile) in kinds {
        figure.panel(vec2(2.3, 1.5), caption);
        figure.picture.origin -= vec2(0.65, 0.65);
        let size = Vec2::splat(1.3);
        grid(&mut figure, 1, 1, size);
        let (mut scene, ..) = alone(Node::new("tile"), Tiles::from_tiles(1, 1, size, |_, _| tile)?);
        figure.world(scene.world());
        if let Some(up) = tile.one_way_direction() {
            figure.picture.arrow(vec2(0.65, 0.3), vec2(0.65, 0.3) + up * 0.5, RED);
        }
    }
    Ok(figure)
}
