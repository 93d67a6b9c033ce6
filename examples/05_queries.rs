//! Queries: rays, points, regions, shapes, projections and distances, each drawn in a panel of the same scene.
//!
//! The found shapes are blue; the query and its answer are red.

mod support;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Aabb, Capsule, Circle, DebugOptions, DebugQuery, Node, Polygon, QueryFilter, Rect, Scene};
use hitgraph::{NodeId, SceneError, World};
use support::Picture;
use support::palette::{GREY, RED};

/// Starts the next panel and draws the scene in grey and the found colliders in their own colours.
fn panel(picture: &mut Picture, world: World<'_>, title: &str, found: impl IntoIterator<Item = NodeId>) {
    let last = picture.origin;
    picture.origin = if last.x < 14.0 { last + vec2(7.0, 0.0) } else { vec2(0.0, last.y - 5.2) };
    picture.text(vec2(0.0, -2.4), 0.36, title);
    picture.draw(world, &DebugOptions { palette: hitgraph::DebugPalette::uniform(GREY), ..DebugOptions::default() });
    for node in found {
        picture.draw(world, &DebugOptions { subtree: Some(node), ..DebugOptions::default() });
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::new();
    let ball = Node::new("ball").with_position(vec2(-1.8, 0.4)).with_scale(vec2(1.0, 0.7));
    let (ball, ball_shape) = scene.add_with(ball, Circle::new(0.8));
    let roof = Node::new("roof").with_position(vec2(0.3, 0.6)).with_rotation(0.2);
    let triangle = Polygon::convex(&[vec2(-0.8, -0.4), vec2(0.8, -0.4), vec2(0.0, 0.7)])?;
    let (roof, _) = scene.add_with(roof, triangle);
    let crate_ = Node::new("crate").with_position(vec2(2.0, -0.2)).with_rotation(0.5);
    let (crate_, crate_shape) = scene.add_with(crate_, Rect::new(1.2, 1.2));
    let plank = Node::new("plank").with_position(vec2(0.0, -1.3));
    let (plank, plank_shape) = scene.add_with(plank, Capsule::new(vec2(-2.2, 0.0), vec2(1.2, 0.0), 0.15));

    let world = scene.world();
    let all = QueryFilter::default();
    let mut picture = Picture::new(0.03);
    picture.origin = vec2(-7.0, 0.0);

    let (eye, towards) = (vec2(-3.2, 0.9), vec2(5.0, -0.6));
    let hit = world.cast_ray(eye, towards, 10.0, &all);
    panel(&mut picture, world, "cast_ray", hit.map(|hit| hit.side.node));
    picture.ask(DebugQuery::Ray { origin: eye, direction: towards, max_distance: 10.0, hit }, RED);
    assert_eq!(hit.map(|hit| hit.side.node), Some(ball));

    let hits = world.cast_ray_all(eye, towards, 10.0, &all.clone().exclude_subtree(ball));
    panel(&mut picture, world, "cast_ray_all, ball filtered out", hits.iter().map(|hit| hit.side.node));
    picture.arrow(eye, eye + towards * 1.3, RED);
    for hit in &hits {
        picture.arrow(hit.point, hit.point + hit.normal * 0.6, RED);
    }
    assert_eq!(hits.iter().map(|hit| hit.side.node).collect::<Vec<_>>(), [roof, crate_], "nearest first");

    let finger = vec2(0.3, 0.5);
    panel(&mut picture, world, "at_point", world.at_point(finger, &all).map(|side| side.node));
    picture.mark(finger, RED);

    let region = Aabb::new(vec2(-1.1, -1.6), vec2(0.2, 0.08));
    assert!(world.bounds(ball_shape).is_some_and(|bounds| bounds.overlaps(region)));
    panel(&mut picture, world, "in_aabb: shapes, not their boxes", world.in_aabb(region, &all).map(|side| side.node));
    picture.ask(DebugQuery::Region(region), RED);

    // The query takes any shape, including a user shape, for example to test whether there is room for it.
    let (brush, at) = (Rect::new(1.6, 0.3), Affine2::from_angle_translation(0.9, vec2(1.2, -0.8)));
    panel(&mut picture, world, "overlaps_shape", world.overlaps_shape(&brush, &at, &all).map(|side| side.node));
    picture.ask(DebugQuery::Shape { shape: &brush, at }, RED);

    let (shape, at, displacement) = (Circle::new(0.3), Affine2::from_translation(vec2(-2.8, -0.8)), vec2(5.0, 0.9));
    let hit = world.cast_shape(&shape, &at, displacement, &all);
    panel(&mut picture, world, "cast_shape", hit.map(|hit| hit.side.node));
    picture.ask(DebugQuery::ShapeCast { shape: &shape, at, displacement, hit }, RED);

    let moth = vec2(-0.6, 1.6);
    let near = world.nearest(moth, 3.0, &all);
    let nearest = near.ok_or("the roof is near")?;
    panel(&mut picture, world, "nearest", near.map(|near| near.side.node));
    picture.ask(DebugQuery::Nearest { point: moth, near }, RED);
    picture.mark(moth, RED);

    panel(&mut picture, world, "project_point", [ball]);
    let landing = world.project_point(ball_shape, moth).ok_or(SceneError::ColliderNotFound(ball_shape))?;
    picture.mark(moth, RED);
    picture.arrow(moth, landing.point, RED);

    panel(&mut picture, world, "closest_points", [plank, crate_]);
    let [on_plank, on_crate]: [Vec2; 2] =
        world.closest_points(plank_shape, crate_shape).ok_or("both colliders exist")?;
    picture.stroke(&[(on_plank, on_crate)], RED, false);
    picture.mark(on_plank, RED);
    picture.mark(on_crate, RED);
    let distance = world.distance(plank_shape, crate_shape).ok_or("both colliders exist")?;
    assert!((distance - on_plank.distance(on_crate)).abs() < 1e-6);

    support::report(
        &[
            format!("a ray hits {} bodies if a filter leaves out the ball", hits.len()),
            format!("the roof is {:.2} from the moth, nearer than anything else", nearest.distance),
            format!("the plank is {distance:.2} from the crate"),
        ],
        picture,
        "05_queries.svg",
    )?;
    Ok(())
}
