//! A game with the plugin: a knight collects coins and strikes a bat. A and D walk, space jumps.

use bevy::math::primitives;
use bevy::prelude::*;
use bevy_hitgraph::{CollisionPlugin, Collisions, Hitbox, InScene, Touch};
use hitgraph::{Attachment, Circle, CollisionLayers, MoveOptions, Rect};

#[derive(Component, Default)]
struct Knight {
    velocity: Vec2,
    on_floor: bool,
}

#[derive(Component)]
struct Coin;

#[derive(Component)]
struct Bat;

// Memberships and filters: the body collides with the level, the sword touches the bat.
const BODY: CollisionLayers = CollisionLayers::new(1, 2);
const LEVEL: CollisionLayers = CollisionLayers::new(2, 1);
const SWORD: CollisionLayers = CollisionLayers::new(4, 8);
const BAT: CollisionLayers = CollisionLayers::new(8, 4);

fn block(x: f32, y: f32, width: f32, height: f32, color: Srgba) -> (Sprite, Transform) {
    (Sprite::from_color(color, Vec2::new(width, height)), Transform::from_xyz(x, y, 0.0))
}

fn setup(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut colors: ResMut<Assets<ColorMaterial>>) {
    use bevy::color::palettes::css;

    commands.spawn(Camera2d);
    for (x, y, width, height) in [(0.0, -160.0, 640.0, 64.0), (-288.0, 0.0, 64.0, 256.0), (288.0, 0.0, 64.0, 256.0)] {
        let wall = Attachment::new(Rect::new(width, height)).with_layers(LEVEL);
        commands.spawn((block(x, y, width, height, css::LIGHT_GRAY), Hitbox(wall)));
    }
    // Bevy has y up, which is the default of `MoveOptions`.
    let ledge = Attachment::new(Rect::new(160.0, 12.0)).one_way(Vec2::Y).with_layers(LEVEL);
    commands.spawn((block(150.0, -58.0, 160.0, 12.0, css::TAN), Hitbox(ledge)));

    let body = Attachment::new(Rect::new(32.0, 72.0)).with_layers(BODY);
    let blade = Attachment::new(Rect::new(48.0, 14.0)).with_layers(SWORD);
    commands.spawn((
        Knight::default(),
        block(-200.0, -80.0, 32.0, 72.0, css::LIGHT_SKY_BLUE),
        Hitbox(body),
        children![(
            Transform::from_xyz(6.0, 14.0, 1.0).with_scale(Vec3::new(1.6, 0.8, 1.0)),
            Visibility::default(),
            children![(
                Sprite::from_color(css::SILVER, Vec2::new(48.0, 14.0)),
                Transform::from_xyz(28.0, 14.0, 0.0).with_rotation(Quat::from_rotation_z(0.4)),
                Hitbox(blade),
            )],
        )],
    ));

    let color = MeshMaterial2d(colors.add(Color::from(css::PLUM)));
    let place = Transform::from_xyz(100.0, 40.0, 0.0).with_scale(Vec3::new(1.5, 0.7, 1.0));
    let wings = Attachment::new(Circle::new(26.0)).with_layers(BAT);
    commands.spawn((Bat, Mesh2d(meshes.add(primitives::Circle::new(26.0))), color, place, Hitbox(wings)));
    let (disc, gold) = (meshes.add(primitives::Circle::new(12.0)), colors.add(Color::from(css::GOLD)));
    for (x, y) in [(-100.0, -100.0), (0.0, -100.0), (160.0, -36.0)] {
        let coin = Attachment::new(Circle::new(12.0)).sensor().with_layers(LEVEL);
        let (mesh, color) = (Mesh2d(disc.clone()), MeshMaterial2d(gold.clone()));
        commands.spawn((Coin, mesh, color, Transform::from_xyz(x, y, 0.0), Hitbox(coin)));
    }
}

fn walk(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    mut collisions: ResMut<Collisions>,
    mut knights: Query<(&InScene, &mut Transform, &mut Knight)>,
) {
    let options = MoveOptions { snap_to_floor: 4.0, ..default() };
    for (in_scene, mut transform, mut knight) in &mut knights {
        let walk = f32::from(keys.pressed(KeyCode::KeyD)) - f32::from(keys.pressed(KeyCode::KeyA));
        let jump = keys.pressed(KeyCode::Space) && knight.on_floor;
        let fall = knight.velocity.y - 1200.0 * time.delta_secs();
        knight.velocity = Vec2::new(200.0 * walk, if jump { 560.0 } else { fall });
        // The plugin moves the entity after the node.
        let displacement = knight.velocity * time.delta_secs();
        let Ok(moved) = collisions.scene.move_and_slide(in_scene.node(), displacement, &options) else { continue };
        knight.on_floor = moved.floor.is_some();
        knight.velocity = moved.clip_velocity(knight.velocity, &options);
        // She faces the direction of walking: the scale mirrors her with all her children.
        if walk != 0.0 {
            transform.scale.x = walk;
        }
    }
}

fn flutter(time: Res<Time>, mut bats: Query<&mut Transform, With<Bat>>) {
    bats.iter_mut().for_each(|mut bat| bat.rotate_z(1.2 * time.delta_secs()));
}

fn react(
    mut touches: MessageReader<Touch>,
    coins: Query<(), With<Coin>>,
    bats: Query<&MeshMaterial2d<ColorMaterial>, With<Bat>>,
    mut colors: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    use bevy::color::palettes::css;

    for touch in touches.read() {
        for entity in touch.entities {
            if coins.contains(entity) {
                commands.entity(entity).try_despawn();
            }
            if let Ok(color) = bats.get(entity)
                && let Some(mut material) = colors.get_mut(color)
            {
                material.color = if touch.started { css::LIGHT_CORAL } else { css::PLUM }.into();
            }
        }
    }
}

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, CollisionPlugin))
        .insert_resource(ClearColor(Color::WHITE))
        .add_systems(Startup, setup)
        .add_systems(Update, (react, walk, flutter).chain())
        .run();
}
