//! The movers: rotating circles and boxes with constant velocity that bounce off the sides of a box.

use std::f32::consts::TAU;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, Circle, ColliderId, CollisionEvent, Node, NodeId, Rect, Scene, World};
use macroquad::rand::RandGenerator;

pub struct Mover {
    node: NodeId,
    velocity: Vec2,
    spin: f32,
    pub figure: Figure,
    pub position: Vec2,
    pub rotation: f32,
    pub touching: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum Figure {
    Circle { radius: f32 },
    Rect { half: Vec2 },
}

pub struct Movers {
    scene: Scene,
    movers: Vec<Mover>,
    /// The number of movers that move: the first ones.
    moving: usize,
    bounds: Aabb,
    events: Vec<CollisionEvent>,
}

impl Movers {
    /// Creates movers of the same density for every `count`. `moving` is the fraction that moves.
    pub fn new(count: u32, moving: f32) -> Self {
        let random = RandGenerator::new();
        random.srand(1);
        let half = (count as f32).sqrt() * 1.15;
        let bounds = Aabb::new(vec2(-half * 1.2, -half), vec2(half * 1.2, half));
        let mut scene = Scene::new();
        let movers = (0..count).map(|index| {
            let size = if index % 10 == 0 { 1.2 } else { 0.4 } * random.gen_range(0.7, 1.3);
            let figure = if index % 2 == 0 {
                Figure::Circle { radius: size }
            } else {
                Figure::Rect { half: vec2(size, size * random.gen_range(0.4, 1.0)) }
            };
            let position =
                vec2(random.gen_range(bounds.min.x, bounds.max.x), random.gen_range(bounds.min.y, bounds.max.y));
            let rotation = random.gen_range(0.0, TAU);
            let node = Node::new("mover").with_position(position).with_rotation(rotation);
            let node = node.with_user_data(index.into());
            let (node, _) = match figure {
                Figure::Circle { radius } => scene.add_with(node, Circle::new(radius)),
                Figure::Rect { half } => scene.add_with(node, Rect::new(half.x * 2.0, half.y * 2.0)),
            };
            let velocity = Vec2::from_angle(random.gen_range(0.0, TAU)) * random.gen_range(1.0, 4.0);
            let spin = random.gen_range(-1.5, 1.5);
            Mover { node, velocity, spin, figure, position, rotation, touching: false }
        });
        let movers = movers.collect();
        let mut crowd = Self { scene, movers, moving: (count as f32 * moving) as usize, bounds, events: Vec::new() };
        crowd.update();
        crowd
    }

    /// Moves the movers by an elapsed time in seconds.
    pub fn step(&mut self, seconds: f32) {
        for mover in self.movers.iter_mut().take(self.moving) {
            mover.position += mover.velocity * seconds;
            mover.rotation = (mover.rotation + mover.spin * seconds) % TAU;
            for axis in [0, 1] {
                let at = &mut mover.position[axis];
                if *at < self.bounds.min[axis] || *at > self.bounds.max[axis] {
                    *at = at.clamp(self.bounds.min[axis], self.bounds.max[axis]);
                    mover.velocity[axis] *= -1.0;
                }
            }
            let transform = &mut self.scene[mover.node].transform;
            (transform.position, transform.rotation) = (mover.position, mover.rotation);
        }
    }

    /// Turns the moving movers within a radius away from a point.
    pub fn push_away(&mut self, from: Vec2, radius: f32) {
        for mover in self.movers.iter_mut().take(self.moving) {
            let away = mover.position - from;
            if let Some(direction) = away.try_normalize().filter(|_| away.length_squared() < radius * radius) {
                mover.velocity = direction * mover.velocity.length().max(1.0);
            }
        }
    }

    pub fn colliders(&self) -> impl Iterator<Item = ColliderId> + '_ {
        self.movers.iter().flat_map(|mover| self.scene.colliders(mover.node)).copied()
    }

    pub fn world(&mut self) -> World<'_> {
        self.scene.world()
    }

    /// Updates the scene and keeps its events.
    pub fn update(&mut self) {
        self.events.clear();
        self.scene.update_into(&mut self.events);
    }

    /// Sets `touching` of all movers.
    pub fn mark(&mut self) {
        self.movers.iter_mut().for_each(|mover| mover.touching = false);
        for side in self.scene.touching().iter().flat_map(|pair| [pair.a, pair.b]) {
            self.movers[self.scene[side.node].user_data as usize].touching = true;
        }
    }

    pub fn all(&self) -> &[Mover] {
        &self.movers
    }

    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    pub fn count(&self) -> usize {
        self.movers.len()
    }

    pub fn pairs(&self) -> usize {
        self.scene.touching().len()
    }

    pub fn events(&self) -> usize {
        self.events.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movers_stay_in_bounds_and_only_the_requested_fraction_moves() {
        let mut crowd = Movers::new(1000, 0.5);
        let before: Vec<Vec2> = crowd.all().iter().map(|mover| mover.position).collect();
        for _ in 0..100 {
            crowd.step(0.1);
            crowd.update();
        }
        let moved = crowd.all().iter().zip(&before).filter(|(mover, before)| mover.position != **before).count();
        assert_eq!(moved, 500);
        let bounds = crowd.bounds();
        assert!(crowd.all().iter().all(|mover| bounds.contains(mover.position)));
        crowd.mark();
        let touching = crowd.all().iter().filter(|mover| mover.touching).count();
        assert!(crowd.pairs() > 0 && touching > 0 && touching <= 2 * crowd.pairs());
    }
}
