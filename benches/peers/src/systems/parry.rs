//! parry2d: a `Bvh` over `SharedShape`s.
//!
//! It follows the documentation of parry2d. For moving shapes, each frame updates the leaves in place and then calls
//! `refit` and `optimize_incremental`. For still shapes, the tree is built once from all leaves.

use parry2d::bounding_volume::Aabb;
use parry2d::math::{Pose as Place, Vector};
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry2d::query::{self, Contact, Ray, RayCast};
use parry2d::shape::{Ball, SharedShape};

use crate::data::{Form, Pose};

pub struct Parry {
    shapes: Vec<SharedShape>,
    places: Vec<Place>,
    tree: Bvh,
    workspace: BvhWorkspace,
    candidates: Vec<[u32; 2]>,
    pairs: Vec<[u32; 2]>,
    contacts: Vec<([u32; 2], Contact)>,
}

pub fn vector(v: glam::Vec2) -> Vector {
    Vector::new(v.x, v.y)
}

pub fn place(pose: Pose) -> Place {
    Place::new(vector(pose.position), pose.angle)
}

pub fn shape(form: Form) -> SharedShape {
    match form {
        Form::Circle { radius } => SharedShape::ball(radius),
        Form::Rect { half } => SharedShape::cuboid(half.x, half.y),
        Form::Segment { half } => SharedShape::segment(Vector::new(-half, 0.0), Vector::new(half, 0.0)),
        Form::Capsule { half, radius } => SharedShape::capsule_x(half, radius),
        Form::Octagon { radius } => {
            SharedShape::convex_polyline(Form::octagon(radius).map(vector).to_vec()).expect("an octagon is convex")
        }
    }
}

impl Parry {
    pub fn new(forms: &[Form], poses: &[Pose]) -> Self {
        let shapes: Vec<_> = forms.iter().map(|form| shape(*form)).collect();
        let places: Vec<_> = poses.iter().map(|pose| place(*pose)).collect();
        let boxes: Vec<_> = shapes.iter().zip(&places).map(|(shape, place)| shape.compute_aabb(place)).collect();
        Self {
            shapes,
            places,
            tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
            workspace: BvhWorkspace::default(),
            candidates: Vec::new(),
            pairs: Vec::new(),
            contacts: Vec::new(),
        }
    }

    pub fn place(&mut self, poses: &[Pose]) {
        for (one, pose) in poses.iter().enumerate() {
            self.places[one] = place(*pose);
            self.tree.insert_or_update_partially(self.shapes[one].compute_aabb(&self.places[one]), one as u32, 0.0);
        }
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
    }

    pub fn insert(&mut self, form: Form, pose: Pose) {
        let (shape, place, one) = (shape(form), place(pose), self.shapes.len());
        self.tree.insert(shape.compute_aabb(&place), one as u32);
        self.shapes.push(shape);
        self.places.push(place);
        // As in the example for many insertions in its documentation.
        if one % 100 == 99 {
            self.tree.optimize_incremental(&mut self.workspace);
        }
    }

    /// Replaces a shape by a new one. Removing its leaf and inserting another keeps the tree better than moving the leaf.
    pub fn replace(&mut self, one: usize, form: Form, pose: Pose) {
        (self.shapes[one], self.places[one]) = (shape(form), place(pose));
        self.tree.remove(one as u32);
        self.tree.insert(self.shapes[one].compute_aabb(&self.places[one]), one as u32);
    }

    pub fn remove(&mut self, one: usize) {
        self.tree.remove(one as u32);
    }

    fn join(&mut self) {
        self.candidates.clear();
        let candidates = &mut self.candidates;
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| candidates.push([a, b]));
    }

    fn overlap(&self, [a, b]: [u32; 2]) -> bool {
        let [a, b] = [a as usize, b as usize];
        query::intersection_test(&self.places[a], &*self.shapes[a], &self.places[b], &*self.shapes[b])
            .expect("a supported pair")
            .intersecting
    }

    pub fn pairs(&mut self) -> usize {
        self.join();
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        pairs.extend(self.candidates.iter().filter(|pair| self.overlap(**pair)));
        self.pairs = pairs;
        self.pairs.len()
    }

    pub fn contacts(&mut self) -> usize {
        self.join();
        self.contacts.clear();
        for pair in &self.candidates {
            let [a, b] = pair.map(|one| one as usize);
            let contact = query::contact(&self.places[a], &*self.shapes[a], &self.places[b], &*self.shapes[b], 0.0);
            if let Some(contact) = contact.expect("a supported pair") {
                self.contacts.push((*pair, contact));
            }
        }
        self.contacts.len()
    }

    /// Returns the distance of the first hit.
    pub fn ray(&self, origin: glam::Vec2, direction: glam::Vec2, most: f32) -> Option<f32> {
        let ray = Ray::new(vector(origin), vector(direction));
        let hit = self.tree.cast_ray(&ray, most, |one, best| {
            self.shapes[one as usize].cast_ray(&self.places[one as usize], &ray, best, true)
        });
        hit.map(|(_, distance)| distance)
    }

    pub fn point(&self, point: glam::Vec2, found: &mut Vec<u32>) {
        found.clear();
        let point = vector(point);
        let region = Aabb::new(point, point);
        found.extend(
            self.tree
                .intersect_aabb(&region)
                .filter(|one| self.shapes[*one as usize].contains_point(&self.places[*one as usize], point)),
        );
    }

    /// Finds all shapes that touch a form.
    pub fn region(&self, form: &SharedShape, at: &Place, found: &mut Vec<u32>) {
        found.clear();
        let region = form.compute_aabb(at);
        found.extend(self.tree.intersect_aabb(&region).filter(|one| {
            let one = *one as usize;
            query::intersection_test(at, &**form, &self.places[one], &*self.shapes[one])
                .expect("a supported pair")
                .intersecting
        }));
    }

    /// Returns the distance that a circle moves until it touches a shape.
    #[cfg_attr(not(feature = "cast_shape"), expect(dead_code, reason = "the row requires `cast_shape` of hitgraph"))]
    pub fn sweep(&self, radius: f32, from: glam::Vec2, direction: glam::Vec2, most: f32) -> Option<f32> {
        use parry2d::query::ShapeCastOptions;
        let ball = Ball::new(radius);
        let at = Place::new(vector(from), 0.0);
        // A moving circle is a ray against boxes grown by its radius.
        let (ray, grown) = (Ray::new(vector(from), vector(direction)), Vector::splat(radius));
        let hit = self.tree.find_best(
            most,
            |node, best| {
                let region = Aabb::new(node.mins() - grown, node.maxs() + grown);
                region.cast_local_ray(&ray, best, true).unwrap_or(f32::MAX)
            },
            |one, best| {
                let one = one as usize;
                let options = ShapeCastOptions::with_max_time_of_impact(best);
                query::cast_shapes(
                    &at,
                    vector(direction),
                    &ball,
                    &self.places[one],
                    Vector::ZERO,
                    &*self.shapes[one],
                    options,
                )
                .expect("a supported pair")
                .map(|hit| hit.time_of_impact)
            },
        );
        hit.map(|(_, distance)| distance)
    }
}

/// The two trees of W2: one of still shapes, built once, and one of movers. Each frame queries the first for every
/// mover and joins the second with itself.
pub struct ParryTiers {
    still: Parry,
    movers: Parry,
    pairs: Vec<[u32; 2]>,
}

impl ParryTiers {
    pub fn new(forms: &[Form], poses: &[Pose], still: usize) -> Self {
        Self {
            still: Parry::new(&forms[..still], &poses[..still]),
            movers: Parry::new(&forms[still..], &poses[still..]),
            pairs: Vec::new(),
        }
    }

    pub fn pairs(&mut self, poses: &[Pose]) -> usize {
        let still = self.still.shapes.len();
        self.movers.place(&poses[still..]);
        self.pairs.clear();
        let mut found = Vec::new();
        for one in 0..self.movers.shapes.len() {
            self.still.region(&self.movers.shapes[one], &self.movers.places[one], &mut found);
            self.pairs.extend(found.iter().map(|other| [one as u32, *other]));
        }
        self.pairs.len() + self.movers.pairs()
    }
}

/// The tree of W10, which holds only the targets. Each frame queries it for every bullet.
pub struct ParryTargets {
    targets: Parry,
    bullets: Vec<SharedShape>,
    pairs: Vec<[u32; 2]>,
    found: Vec<u32>,
}

impl ParryTargets {
    pub fn new(forms: &[Form], poses: &[Pose], targets: usize) -> Self {
        let bullets = forms[targets..].iter().map(|form| shape(*form)).collect();
        let targets = Parry::new(&forms[..targets], &poses[..targets]);
        Self { targets, bullets, pairs: Vec::new(), found: Vec::new() }
    }

    pub fn pairs(&mut self, poses: &[Pose]) -> usize {
        let (targets, bullets) = poses.split_at(self.targets.shapes.len());
        self.targets.place(targets);
        self.pairs.clear();
        for (one, (bullet, pose)) in self.bullets.iter().zip(bullets).enumerate() {
            self.targets.region(bullet, &place(*pose), &mut self.found);
            self.pairs.extend(self.found.iter().map(|target| [*target, one as u32]));
        }
        self.pairs.len()
    }
}

/// The tree of W11 in which one shape moves. Each frame queries the pairs of that shape and keeps all others.
pub struct ParryMover {
    all: Parry,
    mover: usize,
    /// The number of pairs without the mover.
    still: usize,
    found: Vec<u32>,
}

impl ParryMover {
    pub fn new(forms: &[Form], poses: &[Pose], mover: usize) -> Self {
        let still = Parry::new(&forms[..mover], &poses[..mover]).pairs();
        Self { all: Parry::new(forms, poses), mover, still, found: Vec::new() }
    }

    /// Updates the tree as for many moving shapes, then queries the mover.
    pub fn pairs(&mut self, pose: Pose) -> usize {
        let region = self.place(pose);
        let Self { all, mover, .. } = self;
        all.tree.insert_or_update_partially(region, *mover as u32, 0.0);
        all.tree.refit(&mut all.workspace);
        all.tree.optimize_incremental(&mut all.workspace);
        self.query()
    }

    /// Updates only the leaf of the mover and its ancestors, then queries the mover.
    pub fn pairs_by_leaf(&mut self, pose: Pose) -> usize {
        let region = self.place(pose);
        self.all.tree.insert(region, self.mover as u32);
        self.query()
    }

    fn place(&mut self, pose: Pose) -> Aabb {
        self.all.places[self.mover] = place(pose);
        self.all.shapes[self.mover].compute_aabb(&self.all.places[self.mover])
    }

    fn query(&mut self) -> usize {
        self.all.region(&self.all.shapes[self.mover], &self.all.places[self.mover], &mut self.found);
        // The query also finds the mover itself.
        self.still + self.found.len() - 1
    }
}
