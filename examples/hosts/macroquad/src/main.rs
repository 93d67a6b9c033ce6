//! hitgraph in macroquad: a knight collects coins and strikes a bat. A and D walk, space jumps, the mouse aims, and the
//! wheel zooms.
//!
//! Textures follow their nodes, the scene advances in fixed steps, and a camera follows the knight. The scene's `Vec2`
//! is that of macroquad: see `../README.md`.

mod art;
mod sprite;

use hitgraph::{Attachment, Circle, DebugOptions, Node, Polygon, Rect, Scene, Tiles};
use level::{BAT, BLADE, BODY, CELL, KNIGHT, LEVEL, Player, SIZE, SWORD, block, cells, color, disc, is_wall};
use macroquad::prelude::*;
use sprite::Sprite;

/// The length of a step of the scene in seconds, whatever the rate of the screen.
const STEP: f32 = 1.0 / 120.0;

fn window() -> Conf {
    let [width, height] = SIZE.map(|side| side as i32);
    Conf { window_title: "hitgraph".into(), window_width: width, window_height: height, ..Conf::default() }
}

/// Returns a camera that shows the surroundings of a point, but nothing outside the level. y is down.
fn camera(target: Vec2, zoom: f32) -> Camera2D {
    let level = Vec2::from(SIZE.map(|side| side as f32));
    let seen = level / zoom;
    let target = target.clamp(seen * 0.5, level - seen * 0.5);
    Camera2D { target, zoom: 2.0 / seen, ..Camera2D::default() }
}

#[macroquad::main(window)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut player = Player::from_command_line()?;

    // Attach colliders and textures to nodes. y is down, so the ledge's solid side is -Y.
    let mut scene = Scene::new();
    let walls = Tiles::new(10, 6, Vec2::splat(CELL), is_wall);
    let (map, _) = scene.add_with(Node::new("map"), Attachment::new(walls).with_layers(LEVEL));
    let plank = Attachment::new(Rect::new(160.0, 12.0)).one_way(-Vec2::Y).with_layers(LEVEL);
    let (ledge, _) = scene.add_with(Node::new("ledge").with_position(vec2(470.0, 250.0)), plank);
    let body = Attachment::new(Polygon::convex(&KNIGHT)?).with_layers(BODY);
    let (knight, _) = scene.add_with(Node::new("knight").with_position(vec2(120.0, 280.0)), body);
    let arm = scene.add_child(knight, Node::new("arm").with_position(vec2(6.0, -14.0)).with_scale(vec2(1.6, 0.8)))?;
    let edge = Attachment::new(Polygon::convex(&BLADE)?).with_layers(SWORD);
    let (sword, _) = scene.add_child_with(arm, Node::new("sword").with_rotation(0.4), edge)?;
    let bat = Node::new("bat").with_position(vec2(420.0, 150.0)).with_scale(vec2(1.5, 0.7));
    let (bat, _) = scene.add_with(bat, Attachment::new(Circle::new(26.0)).with_layers(BAT));
    let level = SIZE.map(|side| side as f32);
    let whole = block(level[0], level[1]).into_iter().map(|corner| corner + Vec2::from(level) * 0.5);
    let mut sprites = vec![
        Sprite::new(map, &whole.collect::<Vec<_>>(), color::WALL, art::bricks),
        Sprite::new(ledge, &block(160.0, 12.0), color::LEDGE, art::planks),
        Sprite::new(bat, &disc(26.0), color::BAT, art::face),
        Sprite::new(knight, &KNIGHT, color::KNIGHT, art::armour),
        Sprite::new(sword, &BLADE, color::SWORD, art::steel),
    ];
    sprites.extend(cells('o').map(|corner| {
        let coin = Attachment::new(Circle::new(12.0)).sensor().with_layers(LEVEL);
        let (node, _) = scene.add_with(Node::new("coin").with_position(corner + CELL / 2.0), coin);
        Sprite::new(node, &disc(12.0), color::COIN, art::coin)
    }));

    let (mut collected, mut hurt, mut zoom, mut left_over) = (0, false, 1.5_f32, 0.0);
    loop {
        zoom = (zoom * 1.1_f32.powf(mouse_wheel().1.clamp(-1.0, 1.0))).clamp(1.0, 4.0);
        let view = camera(scene[knight].transform.position, zoom);
        let [left, right, jump] = [KeyCode::A, KeyCode::D, KeyCode::Space].map(is_key_down);
        let mut controls = player.controls(left, right, jump, view.screen_to_world(mouse_position().into()));
        left_over += std::mem::replace(&mut controls.seconds, STEP);
        while left_over >= STEP {
            left_over -= STEP;
            // Walks by `move_and_slide` and faces the mouse: see `level/src/player.rs`.
            player.step(&mut scene, knight, arm, controls)?;
            scene[bat].transform.rotation += 1.2 * STEP;
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
        }
        sprites.retain(|sprite| scene.contains(sprite.node));

        // Draw the sprites, then the tested shapes over them.
        clear_background(WHITE);
        set_camera(&camera(scene[knight].transform.position, zoom));
        let world = scene.world();
        for sprite in &mut sprites {
            sprite.tint = if hurt && sprite.node == bat { Color::from(color::HURT) } else { WHITE };
            sprite.draw(world);
        }
        let options = DebugOptions { contacts: true, normals: true, ..DebugOptions::default() };
        world.debug_draw(&options, |shape| {
            shape.lines(|a, b| draw_line(a.x, a.y, b.x, b.y, 2.0 / zoom, Color::from(shape.color)));
        });
        set_default_camera();
        (0..collected).for_each(|coin| draw_circle(24.0 + 28.0 * coin as f32, 24.0, 10.0, color::COIN.into()));
        if let Some(file) = player.shot() {
            get_screen_data().export_png(file);
            return Ok(());
        }
        next_frame().await;
    }
}
