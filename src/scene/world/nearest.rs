//! Queries for the colliders nearest to a point.

use alloc::vec::Vec;

use glam::Vec2;

use crate::geometry::exact_separation;
use crate::math::{keep_least, sort_by};
use crate::scene::{ColliderId, NodeCollider, QueryFilter, World};
use crate::shape::{Circle, Shape};

/// A collider near a point.
///
/// ```
/// use hitgraph::{Circle, Nearest, Node, QueryFilter, Scene};
/// use glam::{Vec2, vec2};
///
/// let mut scene = Scene::new();
/// let (cat, _) = scene.add_with(Node::new("cat").with_position(vec2(3.0, 0.0)), Circle::new(1.0));
/// scene.add_with(Node::new("dog").with_position(vec2(9.0, 0.0)), Circle::new(1.0));
/// let all = QueryFilter::default();
/// let nearest: Option<Nearest> = scene.world().nearest(Vec2::ZERO, 20.0, &all);
/// let found = nearest.map(|found| (found.side.node, found.distance, found.point));
/// assert_eq!(found, Some((cat, 2.0, vec2(2.0, 0.0))));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias("nearest neighbour", "closest"))]
pub struct Nearest {
    /// The collider.
    pub side: NodeCollider,
    /// The distance from the given point, in world units; 0 if the point is in the collider or on its border.
    pub distance: f32,
    /// The point of the collider that is nearest to the given point; that point itself if it is inside.
    pub point: Vec2,
    /// The number of the collider's piece that contains [`point`](Self::point), the smallest of several; 0 for a shape of
    /// one piece.
    pub piece: u32,
}

impl World<'_> {
    /// Returns the collider nearest to a point within `radius`, which is in world units and may be infinite. Of several
    /// at one distance it returns that with the smallest id. The distance to a collider that contains the point is 0. A
    /// negative or NaN radius, and a point that is not finite, find nothing.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, QueryFilter, Scene};
    /// # use glam::{Vec2, vec2};
    /// # let mut scene = Scene::new();
    /// scene.add_with(Node::new("well").with_position(vec2(3.0, 0.0)), Circle::new(1.0));
    /// let all = QueryFilter::default();
    /// assert!(scene.world().nearest(Vec2::ZERO, 2.0, &all).is_some(), "just within the radius");
    /// assert!(scene.world().nearest(Vec2::ZERO, 1.9, &all).is_none());
    /// ```
    #[must_use]
    #[doc(alias("nearest neighbour", "closest", "point distance"))]
    pub fn nearest(self, point: Vec2, radius: f32, filter: &QueryFilter) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        self.each_near(point, radius, filter, &mut |near| {
            keep_least(&mut best, near, Nearest::rank);
            best.map_or(radius, |best| best.distance)
        });
        best
    }

    /// Returns the `count` colliders nearest to a point, or fewer if `radius` contains fewer, by distance and then by
    /// id. Otherwise it is like [`nearest`](Self::nearest).
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, QueryFilter, Scene};
    /// # use glam::{Vec2, vec2};
    /// # let mut scene = Scene::new();
    /// for x in [7.0, 3.0, 5.0] {
    ///     scene.add_with(Node::new("lamp").with_position(vec2(x, 0.0)), Circle::new(1.0));
    /// }
    /// let lamps = scene.world().nearest_n(Vec2::ZERO, 2, 99.0, &QueryFilter::default());
    /// assert_eq!(lamps.iter().map(|lamp| lamp.distance).collect::<Vec<_>>(), [2.0, 4.0]);
    /// ```
    #[must_use]
    #[doc(alias("k nearest neighbours", "kNN"))]
    pub fn nearest_n(self, point: Vec2, count: usize, radius: f32, filter: &QueryFilter) -> Vec<Nearest> {
        let mut found = Vec::new();
        self.nearest_n_into(point, count, radius, filter, &mut found);
        found
    }

    /// Does the same as [`nearest_n`](Self::nearest_n) into a buffer, which it clears first.
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
        self.each_near(point, radius, filter, &mut |near| {
            if found.len() < count {
                found.push(near);
                if found.len() == count {
                    sort(found);
                }
            } else {
                let position = found.partition_point(|other| other.rank() < near.rank());
                found.insert(position, near);
                found.truncate(count);
            }
            found.get(count - 1).map_or(radius, |last| last.distance)
        });
        if found.len() < count {
            sort(found);
        }
    }

    /// Visits colliders in approximate order of their distances, up to the distance that `visit` last returned.
    fn each_near(self, point: Vec2, radius: f32, filter: &QueryFilter, visit: &mut dyn FnMut(Nearest) -> f32) {
        if !point.is_finite() || radius.is_nan() || radius < 0.0 {
            return;
        }
        let probe = Shape::from(Circle::point(point));
        let (probe, bounds) = (probe.hull(), probe.bounds());
        let (mut limit, target_at) = (radius, self.targets(filter));
        self.scene.colliders.index.extended().nearest(point, radius, |slot| {
            let Some(target) = target_at(slot) else { return limit };
            let mut best: Option<Nearest> = None;
            target.each_near(bounds, f64::from(limit.next_up()), &mut |piece, other| {
                let found = other.with_hull(|other| exact_separation(&probe, other));
                let distance = found.distance();
                if best.is_none_or(|best| (distance, piece) < (best.distance, best.piece)) && distance <= limit {
                    let nearest = if found.touches() { point } else { found.closest_points()[1] };
                    best = Some(Nearest { side: self.node_collider(slot), distance, point: nearest, piece });
                }
                // A later visit may find a smaller number at the same distance.
                f64::from(best.map_or(limit, |best| best.distance).next_up())
            });
            if let Some(near) = best {
                limit = visit(near);
            }
            limit
        });
    }
}

fn sort(found: &mut [Nearest]) {
    sort_by(found, |a, b| a.rank() < b.rank());
}

impl Nearest {
    /// Returns the key by which results are ordered.
    fn rank(&self) -> (f32, ColliderId) {
        (self.distance, self.side.collider)
    }
}
