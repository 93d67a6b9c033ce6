//! The first picture of the README: a mirrored knight and a stretched troll fight, and a ray sweeps over them.

use std::f32::consts::TAU;
use std::path::PathBuf;

use glam::{Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Capsule, Circle, CollisionEvent, CollisionLayers, DebugOptions, DebugQuery, Node, NodeId,
    Polygon, Polyline, QueryFilter, Rect, Scene, Segment, Transform,
};

use crate::film::Film;

const SECONDS: f32 = 8.0;
const FRAMES: usize = 240;
const LAMP: Vec2 = vec2(7.15, 5.15);
const RAY: [f32; 4] = [0.56, 0.36, 0.86, 1.0];

// The colliders of one character do not touch each other.
const KNIGHT: CollisionLayers = CollisionLayers::new(1, 2 | 4);
const TROLL: CollisionLayers = CollisionLayers::new(2, 1);
const COIN: CollisionLayers = CollisionLayers::new(4, 1);
const SCENERY: CollisionLayers = CollisionLayers::new(8, 16);

/// The animated nodes. All others are their children.
struct Cast {
    knight: NodeId,
    arm: NodeId,
    wrist: NodeId,
    shield: NodeId,
    legs: [NodeId; 2],
    troll: NodeId,
    belly: NodeId,
    head: NodeId,
    club: NodeId,
    coins: Vec<NodeId>,
    lamp: NodeId,
}

/// Interpolates smoothly between keys of time and value. The value is constant before the first and after the last key.
fn eased(time: f32, keys: &[(f32, f32)]) -> f32 {
    let next = keys.iter().position(|(at, _)| *at > time);
    match next {
        None => keys[keys.len() - 1].1,
        Some(0) => keys[0].1,
        Some(next) => {
            let ((t0, a), (t1, b)) = (keys[next - 1], keys[next]);
            let part = (time - t0) / (t1 - t0);
            a + (b - a) * part * part * (3.0 - 2.0 * part)
        }
    }
}

fn stage(scene: &mut Scene) -> Result<Cast, Box<dyn std::error::Error>> {
    let hills = [(-1.0, 0.1), (2.5, -0.1), (6.5, 0.0), (10.0, -0.12), (14.0, 0.15)].map(Vec2::from);
    scene.add_with(Node::new("ground"), Attachment::new(Polyline::new(&hills)?).with_layers(SCENERY));

    let of = |shape: Attachment, layers| shape.with_layers(layers);
    // The knight faces left: his scale mirrors him with all his children.
    let knight = scene.add(Node::new("knight").with_position(vec2(8.5, 0.0)).with_scale(vec2(-1.0, 1.0)));
    let chest = Polygon::convex(&[vec2(-0.32, 1.1), vec2(0.32, 1.1), vec2(0.5, 2.35), vec2(-0.5, 2.35)])?;
    scene.attach(knight, of(chest.into(), KNIGHT))?;
    scene.attach(knight, of(Circle::new(0.4).at(vec2(0.05, 2.85)).into(), KNIGHT))?;
    let plume = Polygon::convex(&[vec2(-0.02, 3.27), vec2(-0.3, 3.16), vec2(-0.62, 3.42)])?;
    scene.attach(knight, of(plume.into(), KNIGHT))?;
    let visor = Segment::new(vec2(0.12, 2.9), vec2(0.36, 2.87));
    scene.attach(knight, of(visor.into(), KNIGHT))?;
    let leg = |scene: &mut Scene, x: f32| {
        let shape = of(Capsule::new(vec2(0.0, -0.15), vec2(0.0, -0.85), 0.15).into(), KNIGHT);
        scene.add_child_with(knight, Node::new("leg").with_position(vec2(x, 1.1)), shape).map(|(leg, _)| leg)
    };
    let legs = [leg(scene, -0.2)?, leg(scene, 0.2)?];
    let shape = of(Capsule::new(vec2(0.1, 0.0), vec2(0.75, 0.0), 0.13).into(), KNIGHT);
    let (arm, _) = scene.add_child_with(knight, Node::new("arm").with_position(vec2(0.25, 2.15)), shape)?;
    let blade = [vec2(0.15, -0.1), vec2(1.75, -0.08), vec2(2.1, 0.0), vec2(1.75, 0.08), vec2(0.15, 0.1)];
    let sword = Node::new("sword").with_position(vec2(0.85, 0.0));
    let (wrist, _) = scene.add_child_with(arm, sword, of(Polygon::convex(&blade)?.into(), KNIGHT))?;
    scene.attach(wrist, of(Rect::new(0.1, 0.55).at(vec2(0.12, 0.0)).into(), KNIGHT))?;
    let node = Node::new("shield").with_position(vec2(0.62, 1.5)).with_scale(vec2(0.22, 0.75));
    let (shield, _) = scene.add_child_with(knight, node, of(Circle::new(1.0).into(), KNIGHT))?;

    // The troll consists of stretched circles.
    let troll = scene.add(Node::new("troll").with_position(vec2(3.6, 0.0)));
    for x in [-0.65, 0.65] {
        scene.attach(troll, of(Rect::new(0.55, 0.8).at(vec2(x, 0.4)).into(), TROLL))?;
    }
    let node = Node::new("belly").with_position(vec2(0.0, 0.7)).with_scale(vec2(1.25, 1.45));
    let (belly, _) = scene.add_child_with(troll, node, of(Circle::new(1.0).at(vec2(0.0, 0.9)).into(), TROLL))?;
    let node = Node::new("head").with_position(vec2(0.25, 1.95)).with_scale(vec2(0.62, 0.5));
    let (head, _) = scene.add_child_with(belly, node, of(Circle::new(0.9).into(), TROLL))?;
    for (x, lean) in [(-0.5, 0.4), (0.5, -0.4)] {
        let horn = Polygon::convex(&[vec2(-0.18, 0.0), vec2(0.18, 0.0), vec2(0.0, 0.75)])?;
        let node = Node::new("horn").with_position(vec2(x, 0.75)).with_rotation(lean);
        scene.add_child_with(head, node, of(horn.into(), TROLL))?;
    }
    for [a, b] in
        [[vec2(-0.1, 0.42), vec2(0.2, 0.3)], [vec2(0.45, 0.3), vec2(0.7, 0.42)], [vec2(0.0, -0.3), vec2(0.55, -0.25)]]
    {
        scene.attach(head, of(Segment::new(a, b).into(), TROLL))?;
    }
    let node = Node::new("club").with_position(vec2(0.35, 1.12));
    let arm_shape = of(Capsule::new(Vec2::ZERO, vec2(0.95, 0.0), 0.17).into(), TROLL);
    let (club, _) = scene.add_child_with(belly, node, arm_shape)?;
    let wood = [vec2(0.9, -0.1), vec2(2.1, -0.27), vec2(2.3, 0.0), vec2(2.1, 0.27), vec2(0.9, 0.1)];
    scene.attach(club, of(Polygon::convex(&wood)?.into(), TROLL))?;

    let coin = |scene: &mut Scene, at: Vec2| {
        let shape = Attachment::new(Circle::new(0.2)).with_layers(COIN).sensor();
        scene.add_with(Node::new("coin").with_position(at), shape).0
    };
    let coins = [vec2(6.6, 4.6), vec2(6.1, 4.25), vec2(5.7, 3.8)].map(|at| coin(scene, at)).to_vec();
    let lamp = Attachment::new(Circle::new(0.16)).with_layers(SCENERY);
    let (lamp, _) = scene.add_with(Node::new("lamp").with_position(LAMP), lamp);
    scene.attach(lamp, Attachment::new(Segment::new(vec2(0.0, 0.16), Vec2::Y)).with_layers(SCENERY))?;
    Ok(Cast { knight, arm, wrist, shield, legs, troll, belly, head, club, coins, lamp })
}

/// Poses all nodes at a time.
fn pose(scene: &mut Scene, cast: &Cast, time: f32) {
    let wave = |times: f32, shift: f32| (TAU * (time * times / SECONDS + shift)).sin();
    let step = [
        (0.0, 0.0),
        (0.8, 0.1),
        (1.5, -1.05),
        (2.6, -1.05),
        (3.5, 0.1),
        (5.0, 0.1),
        (5.4, 0.3),
        (6.4, 0.3),
        (7.8, 0.0),
    ];
    let mut set = |node: NodeId, change: &dyn Fn(&mut Transform)| change(&mut scene[node].transform);
    set(cast.knight, &|knight| knight.position.x = 8.5 + eased(time, &step));
    let stride = [(0.8, 0.1), (1.5, 0.45), (2.6, 0.45), (3.5, 0.1), (4.9, 0.1), (5.3, 0.36), (7.2, 0.1)];
    let stride = eased(time, &stride);
    set(cast.legs[0], &|leg| leg.rotation = -stride);
    set(cast.legs[1], &|leg| leg.rotation = stride);
    let keys = [(0.2, 1.3), (1.05, 2.0), (1.25, 2.0), (1.62, -0.1), (2.6, -0.16), (3.4, -0.3), (4.4, 1.3)];
    set(cast.arm, &|arm| arm.rotation = eased(time, &keys) + 0.02 * wave(2.0, 0.0));
    let keys = [(0.2, 0.4), (1.1, 0.5), (1.3, 0.4), (1.6, 0.0), (2.6, 0.0), (3.4, 1.6), (4.4, 0.4)];
    set(cast.wrist, &|wrist| wrist.rotation = eased(time, &keys));
    let raise = eased(time, &[(3.9, 0.0), (4.6, 1.0), (6.4, 1.0), (7.4, 0.0)]);
    set(cast.shield, &|shield| {
        shield.position = vec2(0.62, 1.5).lerp(vec2(0.95, 2.15), raise) + vec2(0.0, 0.03 * wave(2.0, 0.3));
        shield.rotation = 0.45 * raise;
    });

    let hurt = eased(time, &[(1.52, 0.0), (1.75, 1.0), (2.5, 0.7), (3.4, 0.0)]);
    let lunge = eased(time, &[(3.7, 0.0), (4.4, -0.5), (5.0, 0.83), (5.4, 1.0), (5.7, 1.0), (7.2, 0.0)]);
    set(cast.troll, &|troll| {
        troll.rotation = 0.09 * hurt - 0.05 * lunge;
        troll.position.x = 3.6 - 0.15 * hurt + 0.74 * lunge.max(0.0);
    });
    set(cast.belly, &|belly| {
        belly.scale = vec2(1.25, 1.45) + vec2(-0.03, 0.035) * wave(3.0, 0.0) + vec2(-0.12, 0.08) * hurt;
    });
    set(cast.head, &|head| head.rotation = 0.25 * hurt - 0.12 * lunge + 0.03 * wave(3.0, 0.4));
    let keys = [(1.5, 2.8), (1.8, 2.9), (3.4, 2.8), (4.4, 3.0), (4.55, 3.0), (5.0, 0.08), (5.9, 0.05), (7.5, 2.8)];
    set(cast.club, &|club| club.rotation = eased(time, &keys));
    for (number, coin) in cast.coins.iter().enumerate() {
        set(*coin, &|coin| coin.scale.x = (TAU * (time * 3.0 / SECONDS + 0.12 * number as f32)).cos());
    }
}

pub fn film() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let cast = stage(&mut scene)?;
    let mut film = Film::new(Aabb::new(vec2(0.7, -0.95), vec2(10.8, 5.6)), 150.0, SECONDS, FRAMES);
    let options = DebugOptions { contacts: true, normals: true, ..DebugOptions::default() };
    let ray = DebugOptions { palette: hitgraph::DebugPalette::uniform(RAY), ..DebugOptions::default() };
    let mut shown = 0;
    // Records the second of two loops, so that the events at the start match the state at the end.
    for frame in 0..2 * FRAMES {
        let (number, is_taken) = (frame % FRAMES, frame >= FRAMES);
        let time = SECONDS * number as f32 / FRAMES as f32;
        pose(&mut scene, &cast, time);
        let events = scene.update();
        if !is_taken {
            continue;
        }
        let world = scene.world();
        world.debug_draw(&options, |shape| film.take(number, &shape));
        let direction = Vec2::from_angle(-1.75 + 0.8 * (TAU * time / SECONDS).cos());
        let filter = QueryFilter::default().exclude_subtree(cast.lamp).without_sensors();
        let hit = world.cast_ray(LAMP, direction, 20.0, &filter);
        DebugQuery::Ray { origin: LAMP, direction, max_distance: 20.0, hit }.draw(&ray, |mut shape| {
            // The ray stays one track, whatever it hits.
            shape.collider = None;
            film.take(number, &shape);
        });
        for event in events {
            show(&mut film, &mut scene, number, &event, &mut shown);
        }
    }
    Ok(film.save("opening.svg")?)
}

/// Shows an event: a flash where the touch starts, and text for some frames.
fn show(film: &mut Film, scene: &mut Scene, frame: usize, event: &CollisionEvent, shown: &mut usize) {
    let pair = *event.pair();
    if !pair.owner_boundary {
        return;
    }
    let [a, b] = [pair.a, pair.b].map(|side| scene[side.node].name.clone());
    let started = event.started();
    if let Some(contact) = scene.world().contact(pair.a.collider, pair.b.collider).filter(|_| started) {
        film.flash(frame, contact.points()[0], if b == "coin" { "#26ad61" } else { "#e81f29" });
    }
    if b != "coin" {
        let (word, color) = if started { ("Started", "#d9541a") } else { ("Stopped", "currentColor") };
        let column = 2.45 * (*shown % 4) as f32;
        film.words(frame, vec2(0.95 + column, -0.7), &format!("{word}  {a} - {b}"), color);
        *shown += 1;
    }
}
