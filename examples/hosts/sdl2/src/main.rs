//! hitgraph in SDL2: a knight collects coins and strikes a bat. A and D walk, space jumps, the mouse aims.
//!
//! SDL has no objects. The program walks the scene's tree and draws each node with the outline and colour from a map.

use hitgraph::glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, DebugOptions, Node, Polygon, Rect, Scene, Tiles};
use level::{BAT, BLADE, BODY, CELL, KNIGHT, LEVEL, Player, SIZE, SWORD, block, cells, color, disc, is_wall};
use sdl2::{keyboard::Scancode, pixels::*, rect::*, render::*, surface::Surface};
use std::collections::BTreeMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut player = Player::from_command_line()?;
    let sdl = sdl2::init()?;
    let window = sdl.video()?.window("hitgraph", SIZE[0], SIZE[1]).build()?;
    let mut canvas = window.into_canvas().present_vsync().build()?;
    let mut input = sdl.event_pump()?;

    // Attach colliders and outlines to nodes. y is down, so the ledge's solid side is -Y.
    let (mut scene, mut sprites) = (Scene::new(), BTreeMap::new());
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
    sprites.insert(ledge, (block(160.0, 12.0), color::LEDGE));
    sprites.insert(knight, (KNIGHT.to_vec(), color::KNIGHT));
    sprites.insert(sword, (BLADE.to_vec(), color::SWORD));
    sprites.insert(bat, (disc(26.0), color::BAT));
    for corner in cells('o') {
        let coin = Attachment::new(Circle::new(12.0)).sensor().with_layers(LEVEL);
        let (coin, _) = scene.add_with(Node::new("coin").with_position(corner + CELL / 2.0), coin);
        sprites.insert(coin, (disc(12.0), color::COIN));
    }

    let mut collected = 0;
    while !input.poll_iter().any(|event| matches!(event, sdl2::event::Event::Quit { .. })) {
        let (keys, mouse) = (input.keyboard_state(), input.mouse_state());
        let [left, right, jump] = [Scancode::A, Scancode::D, Scancode::Space].map(|key| keys.is_scancode_pressed(key));
        let controls = player.controls(left, right, jump, [mouse.x() as f32, mouse.y() as f32]);
        // Walks by `move_and_slide` and faces the mouse: see `level/src/player.rs`.
        player.step(&mut scene, knight, arm, controls)?;
        scene[bat].transform.rotation += 1.2 * controls.seconds;

        // React to the pairs that started or stopped touching.
        for event in scene.update() {
            let pair = event.pair();
            if pair.involves(bat) {
                sprites.insert(bat, (disc(26.0), if event.started() { color::HURT } else { color::BAT }));
            } else if let Some(coin) = event.started_with(knight).filter(|other| other.sensor) {
                // Only coins are sensors. Without its collider the coin touches nothing; it moves to the corner.
                scene.detach(coin.collider);
                scene[coin.node].transform.position = vec2(24.0 + 28.0 * collected as f32, 24.0);
                collected += 1;
            }
        }

        // Draw the nodes, then the tested shapes over them.
        canvas.set_draw_color(Color::WHITE);
        canvas.clear();
        canvas.set_draw_color(<(u8, u8, u8, u8)>::from(color::WALL));
        let walls: Vec<_> = cells('#').map(|corner| FRect::new(corner.x, corner.y, CELL, CELL)).collect();
        canvas.fill_frects(&walls)?;
        let world = scene.world();
        for node in world.descendants(world.root()) {
            let Some((outline, [r, g, b, a])) = sprites.get(&node) else { continue };
            let (color, tex_coord) = (Color::RGBA(*r, *g, *b, *a), FPoint::new(0.0, 0.0));
            let places = outline.iter().filter_map(|corner| world.to_world(node, *corner));
            let corners: Vec<_> =
                places.map(|at| Vertex { position: FPoint::new(at.x, at.y), color, tex_coord }).collect();
            let fan: Vec<_> = corners.windows(2).flat_map(|side| [corners[0], side[0], side[1]]).collect();
            canvas.render_geometry(&fan, None, VertexIndices::Sequential)?;
        }
        let options = DebugOptions { contacts: true, normals: true, ..DebugOptions::default() };
        world.debug_draw(&options, |shape| {
            let [r, g, b, a] = shape.rgba8();
            canvas.set_draw_color(Color::RGBA(r, g, b, a));
            shape.lines(|a, b| drop(canvas.draw_fline((a.x, a.y), (b.x, b.y))));
        });
        if let Some(file) = player.shot() {
            let mut pixels = canvas.read_pixels(None, PixelFormatEnum::RGB24)?;
            let picture = Surface::from_data(&mut pixels, SIZE[0], SIZE[1], SIZE[0] * 3, PixelFormatEnum::RGB24)?;
            return Ok(picture.save_bmp(file)?);
        }
        canvas.present();
    }
    Ok(())
}
