//! A small engine and its game: a knight collects coins, bats chase her, and her sword is a child node.
//!
//! `engine.rs` is the engine. The game identifies colliders by their layers. The knight walks by `move_and_slide`, which
//! stops her at the walls and lists the coins on her path; events report bats. Two scripts play the game, one wins and
//! one loses; the picture shows one step of the first with its colliders.

#[path = "10_tutorial_engine/engine.rs"]
mod engine;
mod support;

use engine::{Behaviour, Look};
use glam::{Vec2, vec2};
use hitgraph::{Aabb, Attachment, Circle, CollisionLayers, DebugOptions, Ellipse, MoveOptions, Node, NodeCollider};
use hitgraph::{NodeId, Polygon, QueryFilter, Rect, SceneError};
use support::Picture;

type Engine = engine::Engine<Game>;

#[derive(Default)]
struct Game {
    /// The player's input: the script writes it, behaviours read it.
    walk: Vec2,
    strike: bool,
    hearts: Vec<NodeId>,
    coins: u32,
}

const LEVEL: Vec2 = vec2(26.0, 9.0);
const VIEW: Vec2 = vec2(16.0, 9.0);

// Memberships and filters of each kind.
const KNIGHT: CollisionLayers = CollisionLayers::new(1, 4 | 8 | 16);
const SWORD: CollisionLayers = CollisionLayers::new(2, 4);
const BAT: CollisionLayers = CollisionLayers::new(4, 1 | 2);
const COIN: CollisionLayers = CollisionLayers::new(8, 1);
const WALL: CollisionLayers = CollisionLayers::new(16, 1);
/// The layers of the knight's moves: bats do not stop her.
const WALK: CollisionLayers = CollisionLayers::new(1, 8 | 16);

fn is(other: NodeCollider, layers: CollisionLayers, engine: &Engine) -> bool {
    engine.scene.attachment(other.collider).is_some_and(|attachment| attachment.layers == layers)
}

struct Knight;

impl Behaviour<Game> for Knight {
    fn update(&mut self, me: NodeId, engine: &mut Engine) {
        let walk = engine.game.walk;
        let options = MoveOptions { filter: QueryFilter::default().with_layers(WALK), ..MoveOptions::top_down() };
        // A node that is quarantined cannot move.
        let Ok(moved) = engine.scene.move_and_slide(me, 0.13 * walk, &options) else { return };
        for coin in moved.passed() {
            engine.game.coins += u32::from(engine.scene.remove(coin.side.node));
        }
        let transform = &mut engine.scene[me].transform;
        // Facing left mirrors the knight with her sword.
        transform.scale.x = if walk.x < 0.0 { -1.0 } else { 1.0 };
        // The camera follows the knight within the level.
        let (goal, most) = (transform.position, (LEVEL - VIEW) / 2.0);
        let eye = &mut engine.scene[engine.camera].transform.position;
        *eye = eye.lerp(goal, 0.1).clamp(-most, most);
    }

    fn touched(&mut self, me: NodeId, other: NodeCollider, engine: &mut Engine) {
        if is(other, BAT, engine)
            && let Some(heart) = engine.game.hearts.pop()
        {
            engine.scene.remove(heart);
            // Disabling the knight disables her sword too.
            engine.scene[me].enabled = !engine.game.hearts.is_empty();
        }
    }
}

/// The number of steps that the swing still takes.
struct Sword(u32);

impl Behaviour<Game> for Sword {
    fn update(&mut self, me: NodeId, engine: &mut Engine) {
        self.0 = if engine.game.strike && self.0 == 0 { 12 } else { self.0.saturating_sub(1) };
        engine.scene[me].enabled = self.0 > 0;
        engine.scene[me].transform.rotation = 0.2 * self.0 as f32 - 1.2;
    }
}

/// The position of its nest.
struct Bat(Vec2);

impl Behaviour<Game> for Bat {
    fn update(&mut self, me: NodeId, engine: &mut Engine) {
        // A query, not an event: the nearest collider in sight.
        let position = engine.scene[me].transform.position;
        let prey = QueryFilter::default().with_layers(BAT);
        let goal = engine.scene.world().nearest(position, 3.5, &prey).map_or(self.0, |seen| seen.point);
        engine.scene[me].transform.position += (goal - position).clamp_length_max(0.1);
    }

    fn touched(&mut self, me: NodeId, other: NodeCollider, engine: &mut Engine) {
        if is(other, SWORD, engine) {
            coin(engine, engine.scene[me].transform.position);
            engine.scene.remove(me);
        }
    }
}

fn coin(engine: &mut Engine, place: Vec2) {
    let shape = Attachment::new(Circle::new(0.25)).sensor().with_layers(COIN);
    let (coin, _) = engine.scene.add_with(Node::new("coin").with_position(place), shape);
    engine.looks.insert(coin, Look(1, disc(0.25), "#e0a92e"));
}

fn disc(radius: f32) -> Vec<Vec2> {
    (0..24).map(|i| Vec2::from_angle(i as f32 * std::f32::consts::TAU / 24.0) * radius).collect()
}

/// Adds a solid thing of the scenery, with its looks from the ground up.
fn solid(engine: &mut Engine, at: Vec2, shape: impl Into<Attachment>, looks: &[(Vec<Vec2>, &'static str)]) {
    let (node, _) = engine.scene.add_with(Node::new("solid").with_position(at), shape.into().with_layers(WALL));
    for (outline, color) in looks {
        let part = engine.scene.add_child(node, Node::new("part")).expect("the node was just added");
        engine.looks.insert(part, Look(1, outline.clone(), color));
    }
}

/// Adds a path, a pond, trees, rocks and flowers.
fn scenery(engine: &mut Engine) -> Result<(), SceneError> {
    let winding = |x: f32| vec2(x, 0.5 + 0.9 * (0.35 * x + 0.4).sin());
    let border = |offset: f32| (0..=52).map(move |step| winding(-13.0 + 0.5 * step as f32) + vec2(0.0, offset));
    let path = engine.scene.add(Node::new("path"));
    let outline = border(0.7).chain(border(-0.7).rev()).collect();
    engine.looks.insert(path, Look(0, outline, "#e3d3a4"));
    let oval = |size: Vec2| disc(1.0).into_iter().map(|point| point * size).collect::<Vec<_>>();
    let pond = [(oval(vec2(2.3, 1.3)), "#8fb8a0"), (oval(vec2(2.1, 1.1)), "#6fb3d2")];
    solid(engine, vec2(-6.2, -2.8), Ellipse::new(2.1, 1.1), &pond);
    for (x, y, size) in [(-9.6, 3.0, 1.1), (-7.8, 3.4, 0.8), (-0.6, -3.0, 1.2), (1.0, -3.6, 0.8), (4.7, 3.5, 0.9)] {
        let leaves = |shift: f32, size: f32| disc(size).into_iter().map(move |point| point + shift).collect::<Vec<_>>();
        let crown = [(leaves(0.0, size), "#4d8a4f"), (leaves(0.2 * size, 0.65 * size), "#68a862")];
        solid(engine, vec2(x, y), Circle::new(size), &crown);
    }
    let rock = [(-0.7, -0.4), (0.6, -0.5), (0.8, 0.1), (0.1, 0.6), (-0.6, 0.4)].map(Vec2::from);
    let top = rock.map(|corner| 0.6 * corner + vec2(0.05, 0.1));
    for place in [vec2(-3.2, -1.9), vec2(1.5, 3.6), vec2(6.3, -3.0)] {
        let shape = Polygon::convex(&rock).expect("the rock is convex");
        solid(engine, place, shape, &[(rock.to_vec(), "#8b8f96"), (top.to_vec(), "#a9adb3")]);
    }
    for step in 0..40_u8 {
        let at = vec2(f32::from(step) * 5.3 % 25.0 - 12.5, f32::from(step) * 3.7 % 8.6 - 4.3);
        let flower = engine.scene.add(Node::new("flower").with_position(at));
        engine.looks.insert(flower, Look(0, disc(0.09), ["#f6f0d8", "#e58fb0", "#d9b13b"][usize::from(step % 3)]));
    }
    Ok(())
}

/// Builds the level. Render layer 0 is the ground, 1 has the characters and coins, 2 is the user interface.
fn level() -> Result<Engine, SceneError> {
    let mut engine = Engine::new(Game::default());
    let (grass, corner) = (engine.scene.add(Node::new("grass")), LEVEL / 2.0);
    let outline = vec![-corner, vec2(corner.x, -corner.y), corner, vec2(-corner.x, corner.y)];
    engine.looks.insert(grass, Look(0, outline, "#b9d79b"));
    scenery(&mut engine)?;
    for (at, size) in [(vec2(0.0, corner.y + 0.5), vec2(LEVEL.x, 1.0)), (vec2(corner.x + 0.5, 0.0), vec2(1.0, LEVEL.y))]
    {
        for at in [at, -at] {
            let wall = Attachment::new(Rect::new(size.x, size.y)).with_layers(WALL);
            engine.scene.add_with(Node::new("wall").with_position(at), wall);
        }
    }
    for x in [7.4, 6.7] {
        let heart = engine.scene.add_child(engine.camera, Node::new("heart").with_position(vec2(x, 3.9)))?;
        engine.looks.insert(heart, Look(2, disc(0.25), "#d63a3f"));
        engine.game.hearts.push(heart);
    }
    let knight = Node::new("knight").with_position(vec2(-11.0, 0.0));
    let (knight, _) = engine.scene.add_with(knight, Attachment::new(Circle::new(0.5)).with_layers(KNIGHT));
    engine.looks.insert(knight, Look(1, disc(0.5), "#4a7ab5"));
    for (outline, color) in [
        (vec![vec2(-0.9, 0.35), vec2(-0.3, 0.45), vec2(-0.3, -0.45), vec2(-0.8, -0.5)], "#b8434e"),
        (disc(0.34), "#c9d3dc"),
        (vec![vec2(0.0, 0.22), vec2(0.36, 0.1), vec2(0.36, -0.1), vec2(0.0, -0.22)], "#39434d"),
    ] {
        let part = engine.scene.add_child(knight, Node::new("armour"))?;
        engine.looks.insert(part, Look(1, outline, color));
    }
    engine.behaviours.insert(knight, Box::new(Knight));
    let blade = vec![vec2(0.4, -0.15), vec2(1.7, 0.0), vec2(0.4, 0.15)];
    let edge = Attachment::new(Polygon::convex(&blade).expect("a triangle is convex")).with_layers(SWORD);
    let (sword, _) = engine.scene.add_child_with(knight, Node::new("sword"), edge)?;
    engine.looks.insert(sword, Look(1, blade, "#eef2f5"));
    engine.behaviours.insert(sword, Box::new(Sword(0)));
    for home in [vec2(0.0, 2.0), vec2(6.0, 1.5), vec2(3.2, -3.3)] {
        let shape = Attachment::new(Circle::new(0.4)).with_layers(BAT);
        let (bat, _) = engine.scene.add_with(Node::new("bat").with_position(home), shape);
        let wings = vec![vec2(-0.9, 0.3), vec2(0.0, -0.4), vec2(0.9, 0.3), vec2(0.0, 0.1)];
        engine.looks.insert(bat, Look(1, wings, "#5b4a6b"));
        for x in [-0.13, 0.13] {
            let eye = engine.scene.add_child(bat, Node::new("eye").with_position(vec2(x, -0.02)))?;
            engine.looks.insert(eye, Look(1, disc(0.07), "#f4d35e"));
        }
        engine.behaviours.insert(bat, Box::new(Bat(home)));
    }
    for place in [vec2(-8.0, 0.2), vec2(-5.0, 1.8), vec2(2.4, 1.5), vec2(3.4, 1.7), vec2(4.4, 1.6), vec2(8.0, -2.0)] {
        coin(&mut engine, place);
    }
    Ok(engine)
}

/// Plays a script of walking direction, whether to strike, and number of steps.
fn play(engine: &mut Engine, script: &[(Vec2, bool, u32)]) {
    for (walk, strike, steps) in script {
        (engine.game.walk, engine.game.strike) = (*walk, *strike);
        (0..*steps).for_each(|_| engine.step());
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut well = level()?;
    play(&mut well, &[(Vec2::X, false, 45), (Vec2::Y, false, 13), (Vec2::X, true, 16)]);
    let mut screen = Picture::new(0.03);
    screen.view = well.draw(|Look(_, outline, color), to_screen| {
        screen.view = to_screen;
        screen.fill(outline, color);
    });
    screen.draw(well.scene.world(), &DebugOptions::default());
    play(&mut well, &[(Vec2::X, true, 84), (Vec2::NEG_Y, false, 28)]);
    assert_eq!((well.game.coins, well.game.hearts.len()), (8, 2), "wins with all coins, also those of two bats");

    let mut badly = level()?;
    play(&mut badly, &[(Vec2::X, false, 200)]);
    assert!(badly.game.hearts.is_empty(), "loses without striking");

    let mut picture = Picture::new(0.03);
    picture.add_clipped(screen, Aabb::from_center(Vec2::ZERO, VIEW / 2.0));
    support::report(
        &[
            format!("the knight strikes two bats and takes {} coins, the last two from the bats", well.game.coins),
            format!("she keeps {} hearts, because the swings come in time", well.game.hearts.len()),
            format!("without a strike she loses all hearts; her coins: {}", badly.game.coins),
        ],
        picture,
        "10_tutorial_engine.svg",
    )?;
    Ok(())
}
