//! Queries for what a ray hits.

use alloc::vec::Vec;

use glam::Vec2;

use crate::geometry::Ray;
use crate::math::{Aabb, keep_least, sort_by};
use crate::scene::{ColliderId, NodeCollider, QueryFilter, World};

/// A hit of a ray.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/ray_hit.svg"))]
///
/// ```
/// use hitgraph::{Node, QueryFilter, RayHit, Rect, Scene};
/// use glam::vec2;
///
/// let mut scene = Scene::new();
/// let (wall, _) = scene.add_with(Node::new("wall").with_position(vec2(5.0, 0.0)), Rect::new(2.0, 8.0));
/// let hit: RayHit =
///     scene.world().cast_ray(vec2(0.0, 1.0), vec2(1.0, 0.0), 99.0, &QueryFilter::default()).unwrap();
/// assert_eq!((hit.side.node, hit.distance), (wall, 4.0));
/// assert_eq!((hit.point, hit.normal), (vec2(4.0, 1.0), vec2(-1.0, 0.0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RayHit {
    /// The collider that is hit.
    pub side: NodeCollider,
    /// The distance from the ray's origin, in world units; 0 if the ray starts inside.
    pub distance: f32,
    /// The point that is hit, in world space.
    pub point: Vec2,
    /// A unit vector in world space: the outward normal of the collider, facing the ray's origin. If the ray starts
    /// inside, it is opposite to the ray.
    pub normal: Vec2,
    /// The number of the collider's piece that is hit, the smallest if several are hit at once; 0 for a shape of one
    /// piece.
    pub piece: u32,
}

impl World<'_> {
    /// Returns the first hit of a ray within `max_distance`, which is in world units and may be infinite. Of several
    /// hits at one distance it returns that of the smallest collider id. A ray exactly as long as the distance of a hit
    /// may miss by rounding: make it a little longer.
    ///
    /// The direction need not be a unit vector; a ray with a zero direction hits nothing. Colliders are solid: a ray
    /// that starts inside one hits it at distance 0. Rays hit sensors too, unless the filter is
    /// [`without_sensors`](QueryFilter::without_sensors).
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, QueryFilter, Rect, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let (guard, _) = scene.add_with(Node::new("guard"), Circle::new(0.5));
    /// let (thief, _) = scene.add_with(Node::new("thief").with_position(vec2(6.0, 0.0)), Circle::new(0.5));
    /// // The guard is inside its own circle, so the filter excludes it.
    /// let others = QueryFilter::default().exclude_subtree(guard);
    /// let mut sees = |scene: &mut Scene| {
    ///     let hit = scene.world().cast_ray(vec2(0.0, 0.0), vec2(6.0, 0.0), 10.0, &others);
    ///     hit.is_some_and(|hit| hit.side.node == thief)
    /// };
    /// assert!(sees(&mut scene));
    /// scene.add_with(Node::new("wall").with_position(vec2(3.0, 0.0)), Rect::new(0.5, 4.0));
    /// assert!(!sees(&mut scene));
    /// ```
    #[must_use]
    #[doc(alias("raycast", "line of sight"))]
    pub fn cast_ray(self, origin: Vec2, direction: Vec2, max_distance: f32, filter: &QueryFilter) -> Option<RayHit> {
        let ray = Ray::new(origin, direction, max_distance)?;
        let mut first: Option<RayHit> = None;
        self.each_ray_hit(&ray, filter, &mut |hit| {
            keep_least(&mut first, hit, RayHit::rank);
            first.map_or(max_distance, |first| first.distance)
        });
        first
    }

    /// Returns all hits of a ray, one for each collider, by distance and then by collider id. Otherwise it is like
    /// [`cast_ray`](Self::cast_ray).
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, QueryFilter, Scene};
    /// # use glam::{Vec2, vec2};
    /// # let mut scene = Scene::new();
    /// for x in [9.0, 3.0, 6.0] {
    ///     scene.add_with(Node::new("bat").with_position(vec2(x, 0.0)), Circle::new(1.0));
    /// }
    /// // A laser that goes through everything.
    /// let hits = scene.world().cast_ray_all(Vec2::ZERO, Vec2::X, 7.0, &QueryFilter::default());
    /// assert_eq!(hits.iter().map(|hit| hit.distance).collect::<Vec<_>>(), [2.0, 5.0]);
    /// ```
    #[must_use]
    pub fn cast_ray_all(self, origin: Vec2, direction: Vec2, max_distance: f32, filter: &QueryFilter) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.cast_ray_all_into(origin, direction, max_distance, filter, &mut hits);
        hits
    }

    /// Does the same as [`cast_ray_all`](Self::cast_ray_all) into a buffer, which it clears first.
    pub fn cast_ray_all_into(
        self,
        origin: Vec2,
        direction: Vec2,
        max_distance: f32,
        filter: &QueryFilter,
        hits: &mut Vec<RayHit>,
    ) {
        hits.clear();
        let Some(ray) = Ray::new(origin, direction, max_distance) else { return };
        self.each_ray_hit(&ray, filter, &mut |hit| {
            hits.push(hit);
            max_distance
        });
        sort_by(hits, |a, b| a.rank() < b.rank());
    }

    /// Visits the first hit of each collider in approximate order, up to the distance that `visit` last returned.
    fn each_ray_hit(self, ray: &Ray, filter: &QueryFilter, visit: &mut dyn FnMut(RayHit) -> f32) {
        let (origin, direction, length) = (ray.origin.as_vec2(), ray.direction.as_vec2(), ray.length as f32);
        let target_at = self.targets(filter);
        let start = Aabb { min: origin, max: origin };
        self.scene.colliders.index.extended().cast_aabb(start, direction, length, |slot, limit| {
            let Some((touch, piece)) = target_at(slot).and_then(|target| target.first_hit(ray)) else { return limit };
            visit(RayHit {
                side: self.node_collider(slot),
                distance: touch.fraction as f32,
                point: ray.at(touch.fraction).as_vec2(),
                normal: touch.normal.as_vec2(),
                piece,
            })
        });
    }
}

impl RayHit {
    /// Returns the key by which results are ordered.
    fn rank(&self) -> (f32, ColliderId) {
        (self.distance, self.side.collider)
    }
}
