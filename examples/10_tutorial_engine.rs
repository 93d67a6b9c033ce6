//! A small engine and a game on it: a knight gathers coins, bats chase her, and her sword is a child of hers.
//!
//! `engine.rs` is the engine. In the game everyone knows others by their layers, and looks after themselves. Two
//! scripts play it, one well and one badly; the picture shows a moment of each, the second with its colliders.

#[path = "10_tutorial_engine/engine.rs"]
mod engine;
mod support;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, Attachment, Circle, CollisionLayers, DebugOptions, Node, NodeId, Polygon, SceneError, Side};

use engine::{Behaviour, Look};
use support::Picture;

type Engine = engine::Engine<Game>;

#[derive(Default)]
struct Game {
    /// What the player wants: the script writes it, behaviours read it.
    walk: Vec2,
    strike: bool,
    /// Nodes on the screen.
    hearts: Vec<NodeId>,
    coins: u32,
}

const LEVEL: Vec2 = vec2(26.0, 9.0);
const VIEW: Vec2 = vec2(16.0, 9.0);

// What one is, and whom one meets.
const KNIGHT: CollisionLayers = CollisionLayers::new(1, 4 | 8 | 16);
const SWORD: CollisionLayers = CollisionLayers::new(2, 4);
const BAT: CollisionLayers = CollisionLayers::new(4, 1 | 2);
const SIGHT: CollisionLayers = CollisionLayers::new(8, 1);
const COIN: CollisionLayers = CollisionLayers::new(16, 1);

fn is(other: Side, layers: CollisionLayers, engine: &Engine) -> bool {
    engine.scene.attachment(other.collider).is_some_and(|attachment| attachment.layers == layers)
}

struct Knight;

impl Behaviour<Game> for Knight {
    fn update(&mut self, me: NodeId, engine: &mut Engine) {
        let (walk, transform) = (engine.game.walk, &mut engine.scene[me].transform);
        transform.position = (transform.position + 0.13 * walk).clamp(-LEVEL / 2.0, LEVEL / 2.0);
        if walk.x != 0.0 {
            // Looking left is being mirrored, and the sword with her.
            transform.scale.x = walk.x.signum();
        }
        // The camera follows, but does not look beyond the level.
        let (goal, most) = (transform.position, (LEVEL - VIEW) / 2.0);
        let eye = &mut engine.scene[engine.camera].transform.position;
        *eye = eye.lerp(goal, 0.1).clamp(-most, most);
    }

    fn touched(&mut self, me: Side, other: Side, engine: &mut Engine) {
        if is(other, BAT, engine)
            && let Some(heart) = engine.game.hearts.pop()
        {
            engine.scene.remove(heart);
            if engine.game.hearts.is_empty() {
                engine.scene.remove(me.node);
            }
        }
    }
}

/// For how many steps it still swings.
struct Sword(u32);

impl Behaviour<Game> for Sword {
    fn update(&mut self, me: NodeId, engine: &mut Engine) {
        self.0 = if engine.game.strike && self.0 == 0 { 12 } else { self.0.saturating_sub(1) };
        engine.scene[me].enabled = self.0 > 0;
        engine.scene[me].transform.rotation = 0.2 * self.0 as f32 - 1.2;
    }
}

/// Where it lives, and for how many steps it flies there, whatever it sees.
struct Bat(Vec2, u32);

impl Behaviour<Game> for Bat {
    fn update(&mut self, me: NodeId, engine: &mut Engine) {
        self.1 = self.1.saturating_sub(1);
        // A question, not an event: whom does it see now? That is its second collider.
        let sight = engine.scene.colliders(me)[1];
        let world = engine.scene.world();
        let prey = world.overlaps(sight).next().filter(|_| self.1 == 0);
        let goal = prey.and_then(|side| world.position(side.node)).unwrap_or(self.0);
        let position = &mut engine.scene[me].transform.position;
        *position += (goal - *position).clamp_length_max(0.1);
    }

    fn touched(&mut self, me: Side, other: Side, engine: &mut Engine) {
        if is(other, SWORD, engine) {
            let place = engine.scene[me.node].transform.position;
            engine.scene.remove(me.node);
            coin(engine, place).expect("the root is always there");
        } else if is(me, BAT, engine) {
            self.1 = 30;
        }
    }
}

struct Coin;

impl Behaviour<Game> for Coin {
    fn touched(&mut self, me: Side, _: Side, engine: &mut Engine) {
        engine.game.coins += 1;
        engine.scene.remove(me.node);
    }
}

fn coin(engine: &mut Engine, place: Vec2) -> Result<(), SceneError> {
    let node = Node::new("coin").with_position(place);
    let node = engine.add(engine.scene.root(), node, Look(1, disc(0.25), "#e0a92e"), Coin)?;
    engine.scene.attach(node, Attachment::new(Circle::new(0.25)).sensor().with_layers(COIN)).map(|_| ())
}

fn disc(radius: f32) -> Vec<Vec2> {
    (0..24).map(|i| Vec2::from_angle(i as f32 * std::f32::consts::TAU / 24.0) * radius).collect()
}

/// Render layer 0 is the ground, 1 who walks there, 2 what is above them, 3 the screen.
fn level() -> Result<Engine, SceneError> {
    let mut engine = Engine::new(Game::default());
    let (root, camera, corner) = (engine.scene.root(), engine.camera, LEVEL / 2.0);
    let tree = Node::new("tree").with_position(vec2(-5.0, 1.8));
    engine.add(root, tree, Look(2, disc(1.6), "#4f7f4a;fill-opacity:0.9"), ())?;
    let grass = vec![-corner, vec2(corner.x, -corner.y), corner, vec2(-corner.x, corner.y)];
    engine.add(root, Node::new("grass"), Look(0, grass, "#dcebcf"), ())?;
    for x in [7.4, 6.7, 6.0] {
        let heart = Node::new("heart").with_position(vec2(x, 3.9));
        let heart = engine.add(camera, heart, Look(3, disc(0.25), "#d63a3f"), ())?;
        engine.game.hearts.push(heart);
    }
    let knight = Node::new("knight").with_position(vec2(-11.0, 0.0));
    let knight = engine.add(root, knight, Look(1, disc(0.5), "#4a7ab5"), Knight)?;
    engine.scene.attach(knight, Attachment::new(Circle::new(0.5)).with_layers(KNIGHT))?;
    let blade = vec![vec2(0.4, -0.15), vec2(1.7, 0.0), vec2(0.4, 0.15)];
    let edge = Polygon::convex(&blade).expect("a triangle is convex");
    let sword = engine.add(knight, Node::new("sword"), Look(1, blade, "#777788"), Sword(0))?;
    engine.scene.attach(sword, Attachment::new(edge).with_layers(SWORD))?;
    for home in [vec2(0.0, 2.0), vec2(6.0, 1.5)] {
        let wings = vec![vec2(-0.9, 0.3), vec2(0.0, -0.4), vec2(0.9, 0.3), vec2(0.0, 0.1)];
        let bat = engine.add(root, Node::new("bat").with_position(home), Look(1, wings, "#5b4a6b"), Bat(home, 0))?;
        engine.scene.attach(bat, Attachment::new(Circle::new(0.4)).with_layers(BAT))?;
        engine.scene.attach(bat, Attachment::new(Circle::new(3.5)).sensor().with_layers(SIGHT))?;
    }
    for place in [vec2(-8.0, 0.2), vec2(-5.0, 1.8), vec2(3.0, 1.5), vec2(8.0, -2.0)] {
        coin(&mut engine, place)?;
    }
    Ok(engine)
}

/// Plays a script: which way, whether to strike, for how many steps.
fn play(engine: &mut Engine, script: &[(Vec2, bool, u32)]) {
    for (walk, strike, steps) in script {
        (engine.game.walk, engine.game.strike) = (*walk, *strike);
        (0..*steps).for_each(|_| engine.step());
    }
}

fn draw(engine: &mut Engine, colliders: bool, picture: &mut Picture, middle: Vec2) {
    let mut screen = Picture::new(0.03);
    screen.origin = middle;
    screen.view = engine.draw(|Look(_, outline, color), to_screen| {
        screen.view = to_screen;
        screen.fill(outline, color);
    });
    if colliders {
        screen.draw(engine.scene.world(), &DebugOptions::default());
    }
    picture.add_clipped(screen, Aabb::from_center(middle, VIEW / 2.0));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut picture = Picture::new(0.03);
    let mut well = level()?;
    play(&mut well, &[(Vec2::X, false, 45), (Vec2::Y, false, 13), (Vec2::X, true, 16)]);
    draw(&mut well, false, &mut picture, Vec2::ZERO);
    play(&mut well, &[(Vec2::X, true, 84), (Vec2::NEG_Y, false, 28)]);
    assert_eq!((well.game.coins, well.game.hearts.len()), (6, 2), "won: all coins, those of the bats too");

    let mut badly = level()?;
    play(&mut badly, &[(Vec2::X, false, 60), (Vec2::ZERO, false, 30)]);
    draw(&mut badly, true, &mut picture, vec2(16.5, 0.0));
    play(&mut badly, &[(Vec2::ZERO, false, 150)]);
    assert!(badly.game.hearts.is_empty() && badly.scene.find("knight").is_none(), "lost: she stood still");
    println!("{}", picture.save(support::pictures("10_tutorial_engine.svg"))?.display());
    Ok(())
}
