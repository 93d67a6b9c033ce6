//! The plugin in an app without a window.

use bevy_app::App;
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_hitgraph::{CollisionPlugin, Collisions, Hitbox, InScene, Touch};
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use hitgraph::{Attachment, Circle, MoveOptions, Rect};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, CollisionPlugin));
    app
}

/// Runs a frame and returns its messages.
fn frame(app: &mut App) -> Vec<Touch> {
    app.update();
    app.world_mut().resource_mut::<Messages<Touch>>().drain().collect()
}

fn node(app: &App, entity: Entity) -> hitgraph::NodeId {
    app.world().get::<InScene>(entity).expect("the plugin inserts it").node()
}

fn translation(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).unwrap().translation
}

#[test]
fn touches_are_messages_until_an_entity_is_despawned() {
    let mut app = app();
    let coin = Hitbox(Attachment::new(Circle::new(1.0)).sensor());
    let coin = app.world_mut().spawn((coin, Transform::from_xyz(5.0, 0.0, 0.0))).id();
    let hero = app.world_mut().spawn(Hitbox(Circle::new(1.0).into())).id();
    assert!(frame(&mut app).is_empty());

    app.world_mut().get_mut::<Transform>(hero).unwrap().translation.x = 4.0;
    let touches = frame(&mut app);
    assert_eq!(touches.len(), 1);
    assert!(touches[0].started && touches[0].other(hero) == Some(coin));
    assert!(frame(&mut app).is_empty());

    app.world_mut().despawn(coin);
    let touches = frame(&mut app);
    assert!(touches.len() == 1 && !touches[0].started && touches[0].other(hero) == Some(coin));
    assert_eq!(app.world().resource::<Collisions>().scene.collider_count(), 1);
}

#[test]
fn a_child_of_a_stretched_parent_is_tested_as_it_is_drawn() {
    let mut app = app();
    let parent = app.world_mut().spawn(Transform::from_scale(Vec3::new(4.0, 1.0, 1.0))).id();
    let turned = Transform::from_rotation(Quat::from_rotation_z(0.5));
    app.world_mut().spawn((Hitbox(Rect::new(2.0, 0.2).into()), turned, ChildOf(parent)));
    // On the sheared bar, but not on one that is only rotated and scaled.
    let tip = Vec3::new(4.0 * 0.5_f32.cos(), 0.5_f32.sin(), 0.0) * 0.95;
    app.world_mut().spawn((Hitbox(Circle::new(0.01).into()), Transform::from_translation(tip)));
    assert_eq!(frame(&mut app).len(), 1);
}

#[test]
fn a_move_in_the_scene_moves_the_entity() {
    let mut app = app();
    let wall = Transform::from_xyz(5.0, 0.0, 0.0);
    app.world_mut().spawn((Hitbox(Rect::new(2.0, 8.0).into()), wall));
    let parent = app.world_mut().spawn(Transform::from_scale(Vec3::splat(2.0))).id();
    let hero = app.world_mut().spawn((Hitbox(Circle::new(0.25).into()), Transform::default(), ChildOf(parent))).id();
    frame(&mut app);

    let hero_node = node(&app, hero);
    for _ in 0..3 {
        let mut collisions = app.world_mut().resource_mut::<Collisions>();
        let options = MoveOptions::top_down();
        collisions.scene.move_and_slide(hero_node, Vec2::new(9.0, 0.0), &options).unwrap();
        let before = collisions.scene[hero_node].transform.position;
        assert!(frame(&mut app).is_empty(), "a mover stops before the wall");
        let after = app.world().resource::<Collisions>().scene[hero_node].transform.position;
        assert_eq!(before, after, "the round trip is no teleport");
    }
    // The wall begins at 4, the hero has a radius of 0.5 in the world, and its parent doubles everything.
    assert!((translation(&app, hero).x - 1.75).abs() < 0.02, "{}", translation(&app, hero));
}
