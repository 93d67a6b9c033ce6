//! Loads a map of the Tiled editor as a scene: tiles, slopes, shapes rotated about their corners, groups.
//!
//! ```text
//! cargo run --example 08_tiled_map                # examples/maps/cave.tmx
//! cargo run --example 08_tiled_map -- yours.tmx
//! ```
//!
//! You can copy `loader.rs` to your project; its documentation lists the supported features. An error in a map is
//! reported with its place in the map.

#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::ExitCode;

use glam::{Vec2, vec2};
use hitgraph::{Attachment, DebugOptions, QueryFilter, Scene, Tiles};
use support::Picture;

const CAVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../maps/cave.tmx");

fn main() -> ExitCode {
    let yours = std::env::args_os().nth(1);
    match run(yours.as_deref().map(Path::new)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(yours: Option<&Path>) -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = loader::load(yours.unwrap_or(CAVE.as_ref()))?;
    if yours.is_none() {
        try_the_cave(&mut scene)?;
    }
    let mut picture = Picture::new(1.5).y_down();
    let world = scene.world();
    picture.draw(world, &DebugOptions::default());
    for node in world.descendants(world.root()) {
        let (name, parts) = (&world.scene()[node].name, world.colliders(node));
        // Draws labels of objects that have a name.
        if let [part] = *parts
            && let Some(bounds) = world.bounds(part)
            && world.children(node).is_empty()
            && !name.starts_with("object ")
        {
            // Above a point, and in the middle of a shape.
            let above = if bounds.size().max_element() < 1.0 { 5.0 } else { 0.0 };
            picture.text(bounds.center() - vec2(0.0, above), 12.0, name);
        }
    }
    let sensors = colliders(&scene).filter(|attachment| attachment.sensor).count();
    let maps = colliders(&scene).filter(|attachment| attachment.collider_as::<Tiles>().is_some()).count();
    support::report(
        &[
            format!("the map has {} nodes with {} colliders", scene.node_count() - 1, scene.collider_count()),
            format!("layers with full tiles: {maps}; points, which block nothing: {sensors}"),
            format!("pairs that touch: {}", scene.world().pairs().len()),
        ],
        picture,
        "08_tiled_map.svg",
    )?;
    Ok(())
}

fn colliders(scene: &Scene) -> impl Iterator<Item = &Attachment> {
    let nodes = scene.descendants(scene.root());
    nodes.flat_map(|node| scene.colliders(node)).filter_map(|collider| scene.attachment(*collider))
}

/// Checks that shapes are where the editor shows them.
fn try_the_cave(scene: &mut Scene) -> Result<(), String> {
    let spawn = scene.find("things/spawn").ok_or("there is a place to start from")?;
    let world = scene.world();

    // Down is +y. Grass is not solid, so the ray passes it and hits the last row of stones.
    let eye = world.position(spawn).ok_or("the node exists")?;
    let solid = QueryFilter::default().without_sensors();
    let floor = world.cast_ray(eye, Vec2::Y, 500.0, &solid).ok_or("the cave has a floor")?;
    assert_eq!((world.path(floor.side.node).as_deref(), floor.point.y), (Some("ground"), 352.0));

    // The plank is rotated clockwise by 30 degrees about its upper left corner, so its far end sinks.
    let along_the_plank = |distance: f32| vec2(240.0, 72.0) + Vec2::from_angle(30_f32.to_radians()) * distance;
    let checks: [(Vec2, Option<&str>); 9] = [
        (along_the_plank(120.0) + vec2(-2.0, 4.0), Some("plank")),
        (along_the_plank(130.0), None),
        // The bucket is concave: one point in its wall, one in its opening.
        (vec2(286.0, 310.0), Some("bucket")),
        (vec2(304.0, 310.0), None),
        // A slope to the left of the stones, and the same tile, flipped, to their right.
        (vec2(126.0, 342.0), Some("object 1")),
        (vec2(194.0, 342.0), Some("object 1")),
        (vec2(222.0, 324.0), None),
        // The ramp is the tile of the slopes, stretched.
        (vec2(400.0, 250.0), Some("object 1")),
        (vec2(340.0, 235.0), None),
    ];
    for (point, name) in checks {
        let found = world.at_point(point, &solid).next().map(|side| &*world.scene()[side.node].name);
        assert_eq!(found, name, "at {point}");
    }
    Ok(())
}
