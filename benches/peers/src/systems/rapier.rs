//! rapier2d: its `CollisionPipeline`, which runs without dynamics, on colliders without bodies.
//!
//! Sensors fire events; solids compute manifolds. The prediction distance is 0, the least work that finds all touching
//! pairs.

use std::sync::Mutex;

use rapier2d::geometry::{CollisionEvent, ContactPair};
use rapier2d::pipeline::EventHandler;
use rapier2d::prelude::*;

use super::parry;
use crate::data::{Form, Pose as At};

pub struct Rapier {
    pipeline: CollisionPipeline,
    islands: IslandManager,
    broad: DefaultBroadPhase,
    narrow: NarrowPhase,
    bodies: RigidBodySet,
    soft_bodies: SoftBodySet,
    colliders: ColliderSet,
    handles: Vec<ColliderHandle>,
    events: Events,
}

/// A list behind an uncontended lock, which is cheaper than the channels that rapier2d provides.
#[derive(Default)]
struct Events(Mutex<Vec<CollisionEvent>>);

impl EventHandler for Events {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        self.0.lock().expect("the lock is uncontended").push(event);
    }

    fn handle_contact_force_event(&self, _: f32, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: f32) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

fn builder(form: Form, pose: At, is_sensor: bool) -> ColliderBuilder {
    let events = if is_sensor { ActiveEvents::COLLISION_EVENTS } else { ActiveEvents::empty() };
    ColliderBuilder::new(parry::shape(form))
        .sensor(is_sensor)
        .active_collision_types(ActiveCollisionTypes::all())
        .active_events(events)
        .position(parry::place(pose))
}

impl Rapier {
    pub fn new(forms: &[Form], poses: &[At], sensors: bool) -> Self {
        let builders = forms.iter().zip(poses).map(|(form, pose)| builder(*form, *pose, sensors));
        Self::with_colliders(builders)
    }

    /// Creates sensors that are in the collision groups of their index.
    pub fn in_groups(forms: &[Form], poses: &[At], groups: impl Fn(usize) -> InteractionGroups) -> Self {
        let sensors = forms.iter().zip(poses).map(|(form, pose)| builder(*form, *pose, true));
        Self::with_colliders(sensors.enumerate().map(|(one, sensor)| sensor.collision_groups(groups(one))))
    }

    fn with_colliders(builders: impl Iterator<Item = ColliderBuilder>) -> Self {
        let mut colliders = ColliderSet::new();
        let handles = builders.map(|builder| colliders.insert(builder)).collect();
        Self {
            pipeline: CollisionPipeline::new(),
            islands: IslandManager::new(),
            broad: DefaultBroadPhase::new(),
            narrow: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            soft_bodies: SoftBodySet::new(),
            colliders,
            handles,
            events: Events::default(),
        }
    }

    /// Replaces a sensor by a new one.
    pub fn replace(&mut self, one: usize, form: Form, pose: At) {
        let (islands, bodies, soft_bodies) = (&mut self.islands, &mut self.bodies, &mut self.soft_bodies);
        self.colliders.remove(self.handles[one], islands, bodies, soft_bodies, false);
        self.handles[one] = self.colliders.insert(builder(form, pose, true));
    }

    /// Creates kinematic bodies, as a host without dynamics would.
    pub fn bodies(poses: &[At]) -> RigidBodySet {
        let mut bodies = RigidBodySet::new();
        for pose in poses {
            bodies.insert(RigidBodyBuilder::kinematic_position_based().pose(parry::place(*pose)));
        }
        bodies
    }

    /// Moves the colliders from `first` on.
    pub fn place(&mut self, first: usize, poses: &[At]) {
        for (handle, pose) in self.handles[first..].iter().zip(&poses[first..]) {
            self.colliders[*handle].set_position(parry::place(*pose));
        }
    }

    /// Returns the number of events.
    pub fn step(&mut self) -> usize {
        self.events.0.lock().expect("the lock is uncontended").clear();
        self.pipeline.step(
            0.0,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &(),
            &self.events,
        );
        self.events.0.lock().expect("the lock is uncontended").len()
    }

    /// Returns the number of touching pairs of sensors.
    pub fn touching(&self) -> usize {
        self.narrow.intersection_pairs().filter(|(.., touching)| *touching).count()
    }

    /// Returns the number of touching pairs of solids.
    pub fn in_contact(&self) -> usize {
        self.narrow.contact_pairs().filter(|pair| pair.has_any_active_contact()).count()
    }

    /// Returns the distance of the first hit.
    pub fn ray(&self, origin: glam::Vec2, direction: glam::Vec2, most: f32) -> Option<f32> {
        let ray = Ray::new(parry::vector(origin), parry::vector(direction));
        self.queries().cast_ray(&ray, most, true).map(|(_, distance)| distance)
    }

    pub fn queries(&self) -> QueryPipeline<'_> {
        self.broad.as_query_pipeline(
            self.narrow.query_dispatcher(),
            &self.bodies,
            &self.colliders,
            QueryFilter::default(),
        )
    }
}
