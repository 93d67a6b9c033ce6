//! Who overlaps whom, in `f64` and by nobody's library: it says which data has no near ties, and how many pairs there must be.

use glam::{DVec2, dvec2};
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy};

use crate::data::{Form, Pose};

/// A convex polygon of one, two or more corners, counter-clockwise, swollen by a radius.
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

    /// What a point, a ray (a segment), or a moving circle (a capsule) sweeps.
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

/// How far apart two solids are.
#[derive(Debug, Clone, Copy)]
pub struct Separation {
    /// The distance; where they overlap, minus the depth.
    apart: f64,
    /// The same without the radii: of centres, spines and borders.
    cores: f64,
}

impl Separation {
    pub fn overlaps(self) -> bool {
        self.apart < 0.0
    }

    /// Whether somebody may answer wrongly: peers disagree about touching, and rapier2d makes no manifold where one's core, a centre or
    /// a spine, lies on the other's border.
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

/// The least distance of a corner of `a` from the border of `b`.
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

/// Which boxes overlap, each grown by its pad. The tree is a peer's; it only saves time here, and the other peers would notice a miss.
pub fn candidates(solids: &[Solid], pads: &[f64]) -> Vec<[usize; 2]> {
    let boxes: Vec<_> = solids.iter().zip(pads).map(|(solid, pad)| solid.aabb(*pad)).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let mut pairs = Vec::new();
    for (one, region) in boxes.iter().enumerate() {
        pairs.extend(tree.intersect_aabb(region).map(|other| [one, other as usize]).filter(|[one, other]| one < other));
    }
    pairs
}

/// The same for questions about still solids.
pub struct Nearby<'a> {
    solids: &'a [Solid],
    tree: Bvh,
}

impl<'a> Nearby<'a> {
    pub fn new(solids: &'a [Solid]) -> Self {
        let boxes: Vec<_> = solids.iter().map(|solid| solid.aabb(0.01)).collect();
        Self { solids, tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes) }
    }

    /// How many a question touches; `None` if it is a near tie with one of them.
    pub fn touching(&self, question: &Solid, tolerance: f64) -> Option<usize> {
        let mut touching = 0;
        for other in self.tree.intersect_aabb(&question.aabb(0.01)) {
            let apart = separation(question, &self.solids[other as usize]);
            if apart.is_near_tie(tolerance) {
                return None;
            }
            touching += usize::from(apart.overlaps());
        }
        Some(touching)
    }
}
