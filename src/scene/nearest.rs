//! Asking what is nearest to a point.

use alloc::vec::Vec;

use glam::{Vec2, vec2};

use super::{QueryFilter, Side, World};
use crate::collider::Placed;
use crate::math::Aabb;
use crate::shape::{Circle, Shape, separation};

/// A collider near a point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("nearest neighbour", "closest"))]
pub struct Nearest {
    /// What is near.
    pub side: Side,
    /// How far away it is, in world units; 0 if the point is in it or on its border.
    pub distance: f32,
    /// In the collider, nearest to the point that was asked about; that point itself if it is inside.
    pub point: Vec2,
    /// Which piece of a collider of many; 0 for all others.
    pub piece: u32,
}

impl World<'_> {
    /// The collider nearest to a point, no further away than `radius` (world units, may be infinite); the one with the
    /// smallest id if several are equally near. What contains the point is at distance 0. A negative or NaN radius, and
    /// a point that is not finite, find nothing.
    #[must_use]
    #[doc(alias("nearest neighbour", "closest", "point distance"))]
    pub fn nearest(self, point: Vec2, radius: f32, filter: &QueryFilter) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        self.each_near(point, radius, filter, |near| {
            if best.is_none_or(|best| near.order(&best).is_lt()) {
                best = Some(near);
            }
            best.map_or(radius, |best| best.distance)
        });
        best
    }

    /// The `count` colliders nearest to a point, fewer if there are not so many within `radius`: the nearest first, and
    /// by id where that is equal. For the rest as [`nearest`](Self::nearest).
    #[must_use]
    #[doc(alias("k nearest neighbours", "kNN"))]
    pub fn nearest_n(self, point: Vec2, count: usize, radius: f32, filter: &QueryFilter) -> Vec<Nearest> {
        let mut found = Vec::new();
        self.nearest_n_into(point, count, radius, filter, &mut found);
        found
    }

    /// The same into a buffer, which is emptied first.
    pub fn nearest_n_into(
        self,
        point: Vec2,
        count: usize,
        radius: f32,
        filter: &QueryFilter,
        found: &mut Vec<Nearest>,
    ) {
        found.clear();
        if count == 0 {
            return;
        }
        self.each_near(point, radius, filter, |near| {
            let place = found.partition_point(|other| other.order(&near).is_lt());
            if found.len() == count && place < count {
                found.pop();
            }
            if found.len() < count {
                found.insert(place, near);
            }
            if found.len() < count { radius } else { found.last().map_or(radius, |last| last.distance) }
        });
    }

    /// Visits what is near, about in its order, no further away than `visit` returned last.
    fn each_near(self, point: Vec2, radius: f32, filter: &QueryFilter, mut visit: impl FnMut(Nearest) -> f32) {
        if !point.is_finite() || radius.is_nan() || radius < 0.0 {
            return;
        }
        let probe = Shape::from(Circle::point(point));
        let (bodies, probe) = (&self.scene.bodies, Placed::shape(&probe));
        let mut limit = radius;
        bodies.index.nearest(point, radius, |slot| {
            let what = bodies.slot(slot);
            if !self.accepts(what, filter) {
                return limit;
            }
            let Some(target) = bodies.placed_at(slot) else { return limit };
            let mut best: Option<Nearest> = None;
            let region = Aabb::from_center(point, vec2(limit, limit));
            probe.against(&target, region, &mut |own, piece, other| {
                let apart = separation(own, other);
                let distance = apart.distance();
                if best.is_none_or(|best| (distance, piece) < (best.distance, best.piece)) && distance <= limit {
                    let nearest = if apart.touches() { point } else { apart.closest_points()[1] };
                    best = Some(Nearest { side: what.side(), distance, point: nearest, piece });
                }
            });
            if let Some(near) = best {
                limit = visit(near);
            }
            limit
        });
    }
}

impl Nearest {
    fn order(&self, other: &Self) -> core::cmp::Ordering {
        self.distance.total_cmp(&other.distance).then(self.side.collider.cmp(&other.side.collider))
    }
}
