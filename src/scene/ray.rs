//! Asking what a ray hits.

use alloc::vec::Vec;

use glam::Vec2;

use super::{QueryFilter, Side, World};
use crate::shape::Ray;

/// Where a ray hits a collider.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/ray_hit.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// What is hit.
    pub side: Side,
    /// From the ray's origin, in world units; 0 if it starts inside.
    pub distance: f32,
    /// Where, in world space.
    pub point: Vec2,
    /// Unit vector in world space, out of what is hit, facing the asker. From inside, it is opposite to the ray.
    pub normal: Vec2,
    /// Which of its pieces is hit, the one with the smallest number if several are; 0 for a shape of one piece.
    pub piece: u32,
}

impl World<'_> {
    /// The first collider that a ray hits within `max_distance` (world units, may be infinite), the one with the
    /// smallest id if several are hit at once. The direction need not be a unit vector; a zero one is no ray and hits
    /// nothing. Colliders are solid: a ray that starts inside one hits it at distance 0. Sensors are hit too, unless
    /// the filter is [`without_sensors`](QueryFilter::without_sensors).
    #[must_use]
    #[doc(alias("raycast", "line of sight"))]
    pub fn cast_ray(self, origin: Vec2, direction: Vec2, max_distance: f32, filter: &QueryFilter) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        self.each_hit(origin, direction, max_distance, filter, |hit| {
            if first.is_none_or(|first| hit.order(&first).is_lt()) {
                first = Some(hit);
            }
            first.map_or(max_distance, |first| first.distance)
        });
        first
    }

    /// Everything that a ray hits, nearest first, and by id where that is equal. For the rest as
    /// [`cast_ray`](Self::cast_ray).
    #[must_use]
    pub fn cast_ray_all(self, origin: Vec2, direction: Vec2, max_distance: f32, filter: &QueryFilter) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.cast_ray_all_into(origin, direction, max_distance, filter, &mut hits);
        hits
    }

    /// The same into a buffer, which is emptied first.
    pub fn cast_ray_all_into(
        self,
        origin: Vec2,
        direction: Vec2,
        max_distance: f32,
        filter: &QueryFilter,
        hits: &mut Vec<RayHit>,
    ) {
        hits.clear();
        self.each_hit(origin, direction, max_distance, filter, |hit| {
            hits.push(hit);
            max_distance
        });
        hits.sort_unstable_by(RayHit::order);
    }

    /// Visits hits, about in their order, no further than `visit` returned last.
    fn each_hit(
        self,
        origin: Vec2,
        direction: Vec2,
        max_distance: f32,
        filter: &QueryFilter,
        mut visit: impl FnMut(RayHit) -> f32,
    ) {
        let Some(ray) = Ray::new(origin, direction, max_distance) else { return };
        let bodies = &self.scene.bodies;
        let cast = |slot: u32| match bodies.shape(slot) {
            Some(shape) => ray.enter(&shape.hull()).map(|touch| (touch, 0)),
            None => bodies.placed(bodies.slot(slot).owner)?.first_hit(&ray),
        };
        bodies.index.along_ray(origin, ray.direction.as_vec2(), max_distance, |slot, limit| {
            let what = bodies.slot(slot);
            if !self.accepts(what, filter) {
                return limit;
            }
            match cast(slot) {
                Some((touch, piece)) => visit(RayHit {
                    side: what.side(),
                    distance: touch.distance as f32,
                    point: ray.at(touch.distance).as_vec2(),
                    normal: touch.normal.as_vec2(),
                    piece,
                }),
                None => limit,
            }
        });
    }
}

impl RayHit {
    fn order(&self, other: &Self) -> core::cmp::Ordering {
        self.distance.total_cmp(&other.distance).then(self.side.collider.cmp(&other.side.collider))
    }
}
