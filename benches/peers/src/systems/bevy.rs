//! bevy_transform: its three systems in a single-threaded schedule, in the order of its plugin.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use bevy_math::{Quat, Vec3};
use bevy_transform::prelude::{GlobalTransform, Transform};
use bevy_transform::systems::{
    StaticTransformOptimizations, mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms,
};
use glam::Vec2;

use crate::data::Pose;

/// The node index of an entity.
#[derive(Component)]
struct Node(usize);

pub struct Bevy {
    world: World,
    schedule: Schedule,
    entities: Vec<Entity>,
    transforms: QueryState<&'static mut Transform>,
    all: QueryState<(&'static Node, &'static mut Transform)>,
}

impl Bevy {
    /// Creates the world. `parents` contains indices of earlier nodes. `tracking` is bevy's option for mostly still
    /// scenes.
    pub fn new(parents: &[Option<usize>], poses: &[Pose], tracking: bool) -> Self {
        let mut world = World::new();
        world.insert_resource(if tracking {
            StaticTransformOptimizations::Enabled
        } else {
            StaticTransformOptimizations::Disabled
        });
        let mut entities: Vec<Entity> = Vec::new();
        for (node, (parent, pose)) in parents.iter().zip(poses).enumerate() {
            let at = Vec3::new(pose.position.x, pose.position.y, 0.0);
            let transform = Transform::from_translation(at).with_rotation(Quat::from_rotation_z(pose.angle));
            let entity = world.spawn((transform, Node(node))).id();
            if let Some(parent) = parent {
                world.entity_mut(entity).insert(ChildOf(entities[*parent]));
            }
            entities.push(entity);
        }
        let mut schedule = Schedule::default();
        schedule.set_executor(SingleThreadedExecutor::new());
        schedule.add_systems((mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms).chain());
        let (transforms, all) = (world.query(), world.query());
        Self { world, schedule, entities, transforms, all }
    }

    /// Moves some nodes by lookup, or all nodes by iteration, which is faster.
    pub fn place(&mut self, moved: &[usize], positions: impl Fn(usize) -> Vec2) {
        if moved.len() == self.entities.len() {
            for (node, mut transform) in self.all.iter_mut(&mut self.world) {
                let position = positions(node.0);
                transform.translation = Vec3::new(position.x, position.y, 0.0);
            }
            return;
        }
        let mut transforms = self.transforms.query_mut(&mut self.world);
        for node in moved {
            let mut transform = transforms.get_mut(self.entities[*node]).expect("every entity has one");
            let position = positions(*node);
            transform.translation = Vec3::new(position.x, position.y, 0.0);
        }
    }

    pub fn propagate(&mut self) {
        self.schedule.run(&mut self.world);
    }

    pub fn position(&self, node: usize) -> Vec2 {
        let at = self.world.get::<GlobalTransform>(self.entities[node]).expect("every entity has one").translation();
        Vec2::new(at.x, at.y)
    }
}
