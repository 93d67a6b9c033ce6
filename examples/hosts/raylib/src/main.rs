//! hitgraph in raylib: a knight collects coins and strikes a bat. A and D walk, space jumps, the mouse aims.
//!
//! raylib draws outlines at the scene's world positions. Vectors are passed as plain floats.

use hitgraph::glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, DebugOptions, Node, NodeId, Polygon, Rect, Scene, Tiles};
use level::{BAT, BLADE, BODY, CELL, KNIGHT, LEVEL, Player, SIZE, SWORD, block, cells, color, disc, is_wall};
use raylib::{consts::KeyboardKey::*, prelude::*};

/// A node with its outline and colour.
struct Sprite(NodeId, Vec<Vec2>, [u8; 4]);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut player = Player::from_command_line()?;
    let [width, height] = SIZE.map(|side| side as i32);
    let (mut window, thread) = init().size(width, height).title("hitgraph").vsync().build();

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
        Sprite(ledge, block(160.0, 12.0), color::LEDGE),
        Sprite(knight, KNIGHT.to_vec(), color::KNIGHT),
        Sprite(sword, BLADE.to_vec(), color::SWORD),
        Sprite(bat, disc(26.0), color::BAT),
    ];
    sprites.extend(cells('o').map(|corner| {
        let coin = Attachment::new(Circle::new(12.0)).sensor().with_layers(LEVEL);
        let (node, _) = scene.add_with(Node::new("coin").with_position(corner + CELL / 2.0), coin);
        Sprite(node, disc(12.0), color::COIN)
    }));

    let (mut collected, mut hurt) = (0, false);
    while !window.window_should_close() {
        let [left, right, jump] = [KEY_A, KEY_D, KEY_SPACE].map(|key| window.is_key_down(key));
        let mouse = window.get_mouse_position();
        let controls = player.controls(left, right, jump, [mouse.x, mouse.y]);
        // Walks by `move_and_slide` and faces the mouse: see `level/src/player.rs`.
        player.step(&mut scene, knight, arm, controls)?;
        scene[bat].transform.rotation += 1.2 * controls.seconds;

        // React to the pairs that started or stopped touching.
        for event in scene.update() {
            let pair = event.pair();
            if pair.involves(bat) {
                hurt = event.started();
            } else if let Some(coin) = pair.other(knight).filter(|other| other.sensor) {
                // Only coins are sensors. The stop event of a removed coin finds nothing to remove.
                collected += u32::from(scene.remove(coin.node));
            }
        }
        sprites.retain(|sprite| scene.contains(sprite.0));

        // Draw the sprites, then the tested shapes over them.
        let paint = |[r, g, b, a]: [u8; 4]| Color::new(r, g, b, a);
        let mut draw = window.begin_drawing(&thread);
        draw.clear_background(Color::WHITE);
        draw.rl_disable_backface_culling();
        let cell = Vector2::new(CELL, CELL);
        cells('#').for_each(|corner| draw.draw_rectangle_v(corner.to_array(), cell, paint(color::WALL)));
        (0..collected).for_each(|coin| draw.draw_circle(24 + 28 * coin as i32, 24, 10.0, paint(color::COIN)));
        let world = scene.world();
        for Sprite(node, outline, color) in &sprites {
            let places = outline.iter().filter_map(|corner| world.to_world(*node, *corner));
            let fan: Vec<Vector2> = places.map(|place| place.to_array().into()).collect();
            draw.draw_triangle_fan(&fan, paint(if hurt && *node == bat { color::HURT } else { *color }));
        }
        let options = DebugOptions { contacts: true, normals: true, ..DebugOptions::default() };
        world.debug_draw(&options, |shape| {
            let color = paint(shape.rgba8());
            shape.lines(|a, b| draw.draw_line_ex(a.to_array(), b.to_array(), 2.0, color));
        });
        drop(draw);
        if let Some(file) = player.shot() {
            let picture = &mut window.load_image_from_screen(&thread);
            #[cfg(feature = "memory")]
            raylib::test_harness::normalize_readback(picture);
            picture.export_image(file);
            break;
        }
    }
    Ok(())
}
