//! hitgraph in macroquad: a knight collects coins and strikes a bat. A and D walk, space jumps, the mouse aims.
//!
//! macroquad draws outlines at the scene's world positions. Both use the same `Vec2`: see `../README.md`.

use hitgraph::{Attachment, Circle, DebugOptions, Node, NodeId, Polygon, Rect, Scene, Tiles};
use level::{BAT, BLADE, BODY, CELL, KNIGHT, LEVEL, Player, SIZE, SWORD, block, cells, color, disc, is_wall};
use macroquad::prelude::*;

/// A node with its outline and colour.
struct Sprite {
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

    // Attach colliders and outlines to nodes. y is down, so the ledge's solid side is -Y.
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
    let mut sprites = vec![
        Sprite { node: ledge, outline: block(160.0, 12.0), color: color::LEDGE },
        Sprite { node: knight, outline: KNIGHT.to_vec(), color: color::KNIGHT },
        Sprite { node: sword, outline: BLADE.to_vec(), color: color::SWORD },
        Sprite { node: bat, outline: disc(26.0), color: color::BAT },
    ];
    sprites.extend(cells('o').map(|corner| {
        let coin = Attachment::new(Circle::new(12.0)).sensor().with_layers(LEVEL);
        let (node, _) = scene.add_with(Node::new("coin").with_position(corner + CELL / 2.0), coin);
        Sprite { node, outline: disc(12.0), color: color::COIN }
    }));

    let (mut collected, mut hurt) = (0, false);
    loop {
        let [left, right, jump] = [KeyCode::A, KeyCode::D, KeyCode::Space].map(is_key_down);
        let controls = player.controls(left, right, jump, mouse_position());
        // Walks by `move_and_slide` and faces the mouse: see `level/src/player.rs`.
        player.step(&mut scene, knight, arm, controls)?;
        scene[bat].transform.rotation += 1.2 * controls.seconds;

        // React to the pairs that started or stopped touching.
        for event in scene.update() {
            let pair = event.pair();
            if pair.involves(bat) {
                hurt = event.started();
            } else if let Some(coin) = pair.other(knight).filter(|_| pair.sensor) {
                // Only coins are sensors. The stop event of a removed coin finds nothing to remove.
                collected += u32::from(scene.remove(coin.node));
            }
        }
        sprites.retain(|sprite| scene.contains(sprite.node));

        // Draw the sprites, then the tested shapes over them.
        clear_background(WHITE);
        cells('#').for_each(|corner| draw_rectangle(corner.x, corner.y, CELL, CELL, color::WALL.into()));
        (0..collected).for_each(|coin| draw_circle(24.0 + 28.0 * coin as f32, 24.0, 10.0, color::COIN.into()));
        let world = scene.world();
        for Sprite { node, outline, color } in &sprites {
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
