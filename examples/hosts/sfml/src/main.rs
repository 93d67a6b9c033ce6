//! hitgraph in SFML: a knight collects coins and strikes a bat. A and D walk, space jumps, the mouse aims.
//!
//! A node's world matrix becomes an SFML `Transform`, which also shears and mirrors SFML's own shapes.

use hitgraph::glam::{Vec2, vec2};
use hitgraph::{Attachment, Circle, DebugOptions, Node, Polygon, Rect, Scene, Tiles};
use level::{BAT, BLADE, BODY, CELL, KNIGHT, LEVEL, Player, SIZE, SWORD, block, cells, color, disc, is_wall};
use sfml::graphics::*;
use sfml::window::{ContextSettings, Event, Key, Style};

fn shape(outline: &[Vec2], color: [u8; 4]) -> ConvexShape<'static> {
    let mut shape = ConvexShape::new(outline.len());
    outline.iter().enumerate().for_each(|(index, point)| shape.set_point(index, point.to_array()));
    shape.set_fill_color(u32::from_be_bytes(color).into());
    shape
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut player = Player::from_command_line()?;
    let mut window = RenderWindow::new(SIZE, "hitgraph", Style::CLOSE, &ContextSettings::default())?;
    window.set_vertical_sync_enabled(true);
    let mut picture = RenderTexture::new(SIZE[0], SIZE[1])?;

    // Attach colliders and SFML shapes to nodes. y is down, so the ledge's solid side is -Y.
    let (mut scene, mut shapes) = (Scene::new(), std::collections::BTreeMap::new());
    let walls = Tiles::new(10, 6, Vec2::splat(CELL), is_wall);
    scene.add_with(Node::new("map"), Attachment::new(walls).with_layers(LEVEL));
    for place in cells('#').map(|corner| Node::new("brick").with_position(corner + CELL / 2.0)) {
        shapes.insert(scene.add(place), shape(&block(CELL, CELL), color::WALL));
    }
    let plank = Attachment::new(Rect::new(160.0, 12.0)).one_way(-Vec2::Y).with_layers(LEVEL);
    let (ledge, _) = scene.add_with(Node::new("ledge").with_position(vec2(470.0, 250.0)), plank);
    let body = Attachment::new(Polygon::convex(&KNIGHT)?).with_layers(BODY);
    let (knight, _) = scene.add_with(Node::new("knight").with_position(vec2(120.0, 280.0)), body);
    let arm = scene.add_child(knight, Node::new("arm").with_position(vec2(6.0, -14.0)).with_scale(vec2(1.6, 0.8)))?;
    let edge = Attachment::new(Polygon::convex(&BLADE)?).with_layers(SWORD);
    let (sword, _) = scene.add_child_with(arm, Node::new("sword").with_rotation(0.4), edge)?;
    let bat = Node::new("bat").with_position(vec2(420.0, 150.0)).with_scale(vec2(1.5, 0.7));
    let (bat, _) = scene.add_with(bat, Attachment::new(Circle::new(26.0)).with_layers(BAT));
    shapes.insert(ledge, shape(&block(160.0, 12.0), color::LEDGE));
    shapes.insert(knight, shape(&KNIGHT, color::KNIGHT));
    shapes.insert(sword, shape(&BLADE, color::SWORD));
    shapes.insert(bat, shape(&disc(26.0), color::BAT));
    for place in cells('o').map(|corner| Node::new("coin").with_position(corner + CELL / 2.0)) {
        let coin = Attachment::new(Circle::new(12.0)).sensor().with_layers(LEVEL);
        shapes.insert(scene.add_with(place, coin).0, shape(&disc(12.0), color::COIN));
    }

    let mut collected = 0;
    while !std::iter::from_fn(|| window.poll_event()).any(|event| event == Event::Closed) {
        let [left, right, jump] = [Key::A, Key::D, Key::Space].map(Key::is_pressed);
        let mouse = window.mouse_position();
        let controls = player.controls(left, right, jump, [mouse.x as f32, mouse.y as f32]);
        // Walks by `move_and_slide` and faces the mouse: see `level/src/player.rs`.
        player.step(&mut scene, knight, arm, controls)?;
        scene[bat].transform.rotation += 1.2 * controls.seconds;

        // React to the pairs that started or stopped touching.
        for event in scene.update() {
            let pair = event.pair();
            if pair.involves(bat) {
                shapes.insert(bat, shape(&disc(26.0), if event.started() { color::HURT } else { color::BAT }));
            } else if let Some(coin) = event.started_with(knight).filter(|other| other.sensor) {
                // Only coins are sensors. Without its collider the coin touches nothing; it moves to the corner.
                scene.detach(coin.collider);
                scene[coin.node].transform.position = vec2(24.0 + 28.0 * collected as f32, 24.0);
                collected += 1;
            }
        }

        // Draw the SFML shapes, then the tested shapes over them.
        let target: &mut dyn RenderTarget = if player.shot().is_some() { &mut *picture } else { &mut *window };
        target.clear(Color::WHITE);
        let world = scene.world();
        for (node, shape) in &shapes {
            let Some(place) = world.transform(*node) else { continue };
            let (x, y, at) = (place.matrix2.x_axis, place.matrix2.y_axis, place.translation);
            let transform = Transform::new(x.x, y.x, at.x, x.y, y.y, at.y, 0.0, 0.0, 1.0);
            target.draw_with_renderstates(shape, &RenderStates { transform, ..RenderStates::DEFAULT });
        }
        let (options, mut lines) = (DebugOptions { contacts: true, normals: true, ..Default::default() }, Vec::new());
        world.debug_draw(&options, |shape| {
            let color = Color::from(u32::from_be_bytes(shape.rgba8()));
            shape.lines(|a, b| lines.extend([a, b].map(|at| Vertex::with_pos_color(at.to_array().into(), color))));
        });
        target.draw_primitives(&lines, PrimitiveType::LINES, &RenderStates::DEFAULT);
        if let Some(file) = player.shot() {
            picture.display();
            return Ok(picture.texture().copy_to_image()?.save_to_file(file)?);
        }
        window.display();
    }
    Ok(())
}
