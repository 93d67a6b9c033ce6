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
use hitgraph::{Aabb, Attachment, Circle, CollisionLayers, DebugOptions, MoveOptions, Node, NodeCollider, NodeId};
use hitgraph::{Polygon, QueryFilter, Rect, SceneError};
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
        let moved = engine.scene.move_and_slide(me, 0.13 * walk, &options);
        for coin in moved.iter().flat_map(|moved| moved.passed()) {
            engine.game.coins += 1;
            engine.scene.remove(coin.side.node);
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

/// Builds the level. Render layer 0 is the ground, 1 has the characters and coins, 2 is the user interface.
fn level() -> Result<Engine, SceneError> {
    let mut engine = Engine::new(Game::default());
    let (grass, corner) = (engine.scene.add(Node::new("grass")), LEVEL / 2.0);
    let outline = vec![-corner, vec2(corner.x, -corner.y), corner, vec2(-corner.x, corner.y)];
    engine.looks.insert(grass, Look(0, outline, "#dcebcf"));
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
    engine.behaviours.insert(knight, Box::new(Knight));
    let blade = vec![vec2(0.4, -0.15), vec2(1.7, 0.0), vec2(0.4, 0.15)];
    let edge = Attachment::new(Polygon::convex(&blade).expect("a triangle is convex")).with_layers(SWORD);
    let (sword, _) = engine.scene.add_child_with(knight, Node::new("sword"), edge)?;
    engine.looks.insert(sword, Look(1, blade, "#777788"));
    engine.behaviours.insert(sword, Box::new(Sword(0)));
    for home in [vec2(0.0, 2.0), vec2(6.0, 1.5)] {
        let shape = Attachment::new(Circle::new(0.4)).with_layers(BAT);
        let (bat, _) = engine.scene.add_with(Node::new("bat").with_position(home), shape);
        let wings = vec![vec2(-0.9, 0.3), vec2(0.0, -0.4), vec2(0.9, 0.3), vec2(0.0, 0.1)];
        engine.looks.insert(bat, Look(1, wings, "#5b4a6b"));
        engine.behaviours.insert(bat, Box::new(Bat(home)));
    }
    for place in [vec2(-8.0, 0.2), vec2(-5.0, 1.8), vec2(3.0, 1.5), vec2(8.0, -2.0)] {
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
    assert_eq!((well.game.coins, well.game.hearts.len()), (6, 2), "wins with all coins, also the bats'");

    let mut badly = level()?;
    play(&mut badly, &[(Vec2::X, false, 200)]);
    assert!(badly.game.hearts.is_empty(), "loses without striking");

    let mut picture = Picture::new(0.03);
    picture.add_clipped(screen, Aabb::from_center(Vec2::ZERO, VIEW / 2.0));
    println!("{}", picture.save(support::pictures("10_tutorial_engine.svg"))?.display());
    Ok(())
}
