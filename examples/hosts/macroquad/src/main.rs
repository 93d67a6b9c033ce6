//! hitgraph in macroquad: a knight gathers coins and reaches for a bat. A and D walk, space jumps, the mouse aims.
//!
//! The scene knows where everything is, and macroquad draws it there. Both have the same `Vec2`: see `../README.md`.

use hitgraph::{Attachment, Circle, DebugOptions, Node, NodeId, Polygon, Rect, Scene, Tiles};
use level::{BAT, BLADE, BODY, CELL, KNIGHT, LEVEL, Player, SIZE, SWORD, block, cells, color, disc, is_wall};
use macroquad::prelude::*;

/// What the game keeps of a node: how it is drawn.
struct Thing {
    node: NodeId,
    outline: Vec<Vec2>,
    color: [u8; 4],
}

fn window() -> Conf {
    let [width, height] = SIZE.map(|side| side as i32);
    Conf { window_title: "hitgraph".into(), window_width: width, window_height: height, ..Conf::default() }
}

#[macroquad::main(window)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut player = Player::from_command_line()?;

    // Colliders hang on nodes, and so does what is drawn. y is down here, so the ledge's top is at -Y.
    let mut scene = Scene::new();
    let walls = Tiles::new(10, 6, Vec2::splat(CELL), is_wall);
    scene.add_with(Node::new("map"), Attachment::new(walls).with_layers(LEVEL));
    let plank = Attachment::new(Rect::new(160.0, 12.0)).one_way(-Vec2::Y).with_layers(LEVEL);
    let (ledge, _) = scene.add_with(Node::new("ledge").with_position(vec2(470.0, 250.0)), plank);
    let body = Attachment::new(Polygon::convex(&KNIGHT)?).with_layers(BODY);
    let (knight, _) = scene.add_with(Node::new("knight").with_position(vec2(120.0, 280.0)), body);
    let arm = scene.add_child(knight, Node::new("arm").with_position(vec2(6.0, -14.0)).with_scale(vec2(1.6, 0.8)))?;
    let edge = Attachment::new(Polygon::convex(&BLADE)?).with_layers(SWORD);
    let (sword, _) = scene.add_child_with(arm, Node::new("sword").with_rotation(0.4), edge)?;
    let bat = Node::new("bat").with_position(vec2(420.0, 150.0)).with_scale(vec2(1.5, 0.7));
    let (bat, _) = scene.add_with(bat, Attachment::new(Circle::new(26.0)).with_layers(BAT));
    let mut things = vec![
        Thing { node: ledge, outline: block(160.0, 12.0), color: color::LEDGE },
        Thing { node: knight, outline: KNIGHT.to_vec(), color: color::KNIGHT },
        Thing { node: sword, outline: BLADE.to_vec(), color: color::SWORD },
        Thing { node: bat, outline: disc(26.0), color: color::BAT },
    ];
    things.extend(cells('o').map(|corner| {
        let coin = Attachment::new(Circle::new(12.0)).sensor().with_layers(LEVEL);
        let (node, _) = scene.add_with(Node::new("coin").with_position(corner + CELL / 2.0), coin);
        Thing { node, outline: disc(12.0), color: color::COIN }
    }));

    let (mut gathered, mut hurt) = (0, false);
    loop {
        let [left, right, jump] = [KeyCode::A, KeyCode::D, KeyCode::Space].map(is_key_down);
        let wish = player.wish(left, right, jump, mouse_position());
        // She walks, by `move_and_slide`, and looks where she aims: see `level/src/player.rs`.
        player.step(&mut scene, knight, arm, wish)?;
        scene[bat].transform.rotation += 1.2 * wish.seconds;

        // What began and ceased to touch.
        for event in scene.update() {
            let pair = event.pair();
            if pair.involves(bat) {
                hurt = event.started();
            } else if let Some(coin) = pair.other(knight).filter(|_| pair.sensor) {
                // Only coins are sensors. When the touch ends, it is gone, and nothing is left to remove.
                gathered += u32::from(scene.remove(coin.node));
            }
        }
        things.retain(|thing| scene.contains(thing.node));

        // macroquad draws the things, and over them what the scene tests.
        clear_background(WHITE);
        cells('#').for_each(|corner| draw_rectangle(corner.x, corner.y, CELL, CELL, color::WALL.into()));
        (0..gathered).for_each(|coin| draw_circle(24.0 + 28.0 * coin as f32, 24.0, 10.0, color::COIN.into()));
        let world = scene.world();
        for Thing { node, outline, color } in &things {
            let corners: Vec<Vec2> = outline.iter().filter_map(|corner| world.to_world(*node, *corner)).collect();
            let color = if hurt && *node == bat { color::HURT } else { *color };
            corners.windows(2).for_each(|side| draw_triangle(corners[0], side[0], side[1], color.into()));
        }
        let options = DebugOptions { contacts: true, normals: true, ..DebugOptions::default() };
        world.debug_draw(&options, |shape| {
            shape.lines(|a, b| draw_line(a.x, a.y, b.x, b.y, 2.0, Color::from(shape.color)));
        });
        if let Some(file) = player.shot() {
            get_screen_data().export_png(file);
            return Ok(());
        }
        next_frame().await;
    }
}
