//! An independent reference in `f64`: it finds near ties in the data and counts the pairs that overlap.

use glam::{DVec2, dvec2};
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy};

use crate::data::{Form, Pose};

/// A convex polygon of one, two or more corners, counter-clockwise, rounded by a radius.
#[derive(Debug, Clone)]
pub struct Solid {
    corners: [DVec2; 8],
    count: usize,
    radius: f64,
}

impl Solid {
    pub fn new(form: Form, pose: Pose) -> Self {
        let turn = DVec2::from_angle(f64::from(pose.angle));
        let place = |x: f32, y: f32| pose.position.as_dvec2() + turn.rotate(dvec2(x.into(), y.into()));
        let mut corners = [DVec2::ZERO; 8];
        let (count, radius) = match form {
            Form::Circle { radius } => {
                corners[0] = pose.position.as_dvec2();
                (1, radius)
            }
            Form::Segment { half } | Form::Capsule { half, .. } => {
                corners[0] = place(-half, 0.0);
                corners[1] = place(half, 0.0);
                (2, if let Form::Capsule { radius, .. } = form { radius } else { 0.0 })
            }
            Form::Rect { half } => {
                for (corner, [x, y]) in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].into_iter().enumerate() {
                    corners[corner] = place(half.x * x, half.y * y);
                }
                (4, 0.0)
            }
            Form::Octagon { radius } => {
                for (corner, at) in Form::octagon(radius).into_iter().enumerate() {
                    corners[corner] = place(at.x, at.y);
                }
                (8, 0.0)
            }
        };
        Self { corners, count, radius: radius.into() }
    }

    /// Returns the region that a point, a ray (a segment) or a moving circle (a capsule) sweeps.
    pub fn swept(from: glam::Vec2, to: glam::Vec2, radius: f32) -> Self {
        let mut corners = [DVec2::ZERO; 8];
        (corners[0], corners[1]) = (from.as_dvec2(), to.as_dvec2());
        Self { corners, count: if from == to { 1 } else { 2 }, radius: radius.into() }
    }

    fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    fn edges(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let edges = if self.count == 1 { 0 } else { self.count };
        (0..edges).map(|edge| [self.corners[edge], self.corners[(edge + 1) % self.count]])
    }

    fn aabb(&self, pad: f64) -> Aabb {
        let start = (self.corners[0], self.corners[0]);
        let (min, max) = self.corners().iter().fold(start, |(min, max), at| (min.min(*at), max.max(*at)));
        let (min, max) = ((min - self.radius - pad).as_vec2(), (max + self.radius + pad).as_vec2());
        Aabb::new(Vector::from_array(min.to_array()), Vector::from_array(max.to_array()))
    }
}

/// The separation of two solids.
#[derive(Debug, Clone, Copy)]
pub struct Separation {
    /// The distance, or minus the depth if they overlap.
    apart: f64,
    /// The separation without the radii: of centres, spines and borders.
    cores: f64,
}

impl Separation {
    pub fn overlaps(self) -> bool {
        self.apart < 0.0
    }

    /// Returns `true` if a system may give another answer: systems disagree about touching, and rapier2d creates no
    /// manifold if the core of one solid (a centre or a spine) lies on the border of the other.
    pub fn is_near_tie(self, tolerance: f64) -> bool {
        self.apart.abs() < tolerance || self.cores.abs() < tolerance
    }
}

pub fn separation(a: &Solid, b: &Solid) -> Separation {
    let gap = |a: &Solid, b: &Solid| {
        a.edges().fold(f64::NEG_INFINITY, |most, [from, to]| {
            let normal = -(to - from).perp().normalize();
            let least = b.corners().iter().fold(f64::INFINITY, |least, at| least.min(normal.dot(*at - from)));
            most.max(least)
        })
    };
    let widest = gap(a, b).max(gap(b, a));
    let overlap = widest <= 0.0 && (a.count > 1 || b.count > 1);
    let cores = if overlap { widest } else { corner_distance(a, b).min(corner_distance(b, a)) };
    Separation { apart: cores - a.radius - b.radius, cores }
}

/// Returns the smallest distance from a corner of `a` to the border of `b`.
fn corner_distance(a: &Solid, b: &Solid) -> f64 {
    let mut least = f64::INFINITY;
    for at in a.corners() {
        if b.count == 1 {
            least = least.min(at.distance(b.corners[0]));
        }
        for [from, to] in b.edges() {
            let along = ((*at - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
            least = least.min(at.distance(from + (to - from) * along));
        }
    }
    least
}

/// Returns the pairs of boxes that overlap after each is grown by its pad. The tree of parry2d only saves time here: if
/// it missed a pair, the counts of the other systems would differ.
pub fn candidates(solids: &[Solid], pads: &[f64]) -> Vec<[usize; 2]> {
    let boxes: Vec<_> = solids.iter().zip(pads).map(|(solid, pad)| solid.aabb(*pad)).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let mut pairs = Vec::new();
    for (one, region) in boxes.iter().enumerate() {
        pairs.extend(tree.intersect_aabb(region).map(|other| [one, other as usize]).filter(|[one, other]| one < other));
    }
    pairs
}

/// The reference for queries on still solids.
pub struct Nearby<'a> {
    solids: &'a [Solid],
    tree: Bvh,
}

impl<'a> Nearby<'a> {
    pub fn new(solids: &'a [Solid]) -> Self {
        let boxes: Vec<_> = solids.iter().map(|solid| solid.aabb(0.01)).collect();
        Self { solids, tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes) }
    }

    /// Returns the number of solids that a query region touches; `None` if it is a near tie with one of them.
    pub fn touching(&self, query: &Solid, tolerance: f64) -> Option<usize> {
        let mut touching = 0;
        for other in self.tree.intersect_aabb(&query.aabb(0.01)) {
            let apart = separation(query, &self.solids[other as usize]);
            if apart.is_near_tie(tolerance) {
                return None;
            }
            touching += usize::from(apart.overlaps());
        }
        Some(touching)
    }
}
