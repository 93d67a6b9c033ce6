//! Asking what touches what, and how far apart things are.

use std::ops::ControlFlow;

use glam::{Affine2, Vec2};
use smallvec::SmallVec;

use super::bodies::slot_of;
use super::narrow::{Narrow, key, slots};
use super::{ColliderId, CollisionPair, NodeId, QueryFilter, Side, World};
use crate::collider::{Collider, Placed, Sealed};
use crate::math::Aabb;
use crate::shape::{Circle, Contact, Polygon, Separation, Shape};

/// The nearest point of a collider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointProjection {
    /// In the collider, nearest to the point that was asked about; that point itself if it is inside.
    pub point: Vec2,
    /// How far away that is; 0 inside.
    pub distance: f32,
    /// Whether the point asked about is in the collider or on its border.
    pub inside: bool,
}

/// Answers up to this many need no heap.
type Sides = SmallVec<[Side; 8]>;

impl<'a> World<'a> {
    /// What a collider touches: the rule of the events, as of now. Nothing, if it is disabled.
    pub fn overlaps(self, collider: ColliderId) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        let mut found = Sides::new();
        self.each_overlap(collider, |side| found.push(side));
        sorted(found)
    }

    /// The same into a buffer, which is emptied first.
    pub fn overlaps_into(self, collider: ColliderId, found: &mut Vec<Side>) {
        found.clear();
        self.each_overlap(collider, |side| found.push(side));
        found.sort_unstable_by_key(|side| side.collider);
    }

    /// What the colliders of a node touch, each once.
    pub fn overlaps_node(self, node: NodeId) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        let mut found = Sides::new();
        for collider in self.scene.colliders(node) {
            self.each_overlap(*collider, |side| found.push(side));
        }
        found.sort_unstable_by_key(|side| side.collider);
        found.dedup();
        found.into_iter()
    }

    /// The colliders that contain a point.
    #[doc(alias("overlap point", "pick"))]
    pub fn at_point(self, point: Vec2, filter: &QueryFilter) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        let mut found = Sides::new();
        self.each_in_shape(&Circle::point(point).into(), filter, |side| found.push(side));
        sorted(found)
    }

    /// The same into a buffer, which is emptied first.
    pub fn at_point_into(self, point: Vec2, filter: &QueryFilter, found: &mut Vec<Side>) {
        found.clear();
        self.each_in_shape(&Circle::point(point).into(), filter, |side| found.push(side));
        found.sort_unstable_by_key(|side| side.collider);
    }

    /// The colliders that touch a region. Their shapes are tested, not their boxes. The region may be infinite; an
    /// empty one and one with a NaN touch nothing.
    #[doc(alias("region query", "range query"))]
    pub fn in_aabb(self, region: Aabb, filter: &QueryFilter) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        let mut found = Sides::new();
        self.each_in_aabb(region, filter, |side| found.push(side));
        sorted(found)
    }

    /// The same into a buffer, which is emptied first.
    pub fn in_aabb_into(self, region: Aabb, filter: &QueryFilter, found: &mut Vec<Side>) {
        found.clear();
        self.each_in_aabb(region, filter, |side| found.push(side));
        found.sort_unstable_by_key(|side| side.collider);
    }

    /// The colliders that touch a shape which is not in the scene, with `at` as its world transform (nothing, if that
    /// is not finite). Its layers are those of the filter.
    #[doc(alias("shape query", "overlap circle", "overlap box"))]
    pub fn overlaps_shape(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        filter: &QueryFilter,
    ) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        let mut found = Sides::new();
        self.each_in(shape, at, filter, |side| found.push(side));
        sorted(found)
    }

    /// The same into a buffer, which is emptied first.
    pub fn overlaps_shape_into(self, shape: &dyn Collider, at: &Affine2, filter: &QueryFilter, found: &mut Vec<Side>) {
        found.clear();
        self.each_in(shape, at, filter, |side| found.push(side));
        found.sort_unstable_by_key(|side| side.collider);
    }

    /// Every pair that touches now, in the order of the events: by the smaller collider id, then by the other.
    #[must_use]
    pub fn pairs(self) -> Vec<CollisionPair> {
        let mut pairs = Vec::new();
        self.pairs_into(&mut pairs);
        pairs
    }

    /// The same into a buffer, which is emptied first.
    pub fn pairs_into(self, pairs: &mut Vec<CollisionPair>) {
        pairs.clear();
        let bodies = &self.scene.bodies;
        let mut keys = Vec::new();
        Narrow::default().all(bodies, &mut keys);
        keys.sort_unstable();
        pairs.extend(keys.into_iter().map(|key| bodies.pair(slots(key))));
        pairs.retain(|pair| self.matches(pair.a) && self.matches(pair.b));
    }

    /// Every pair that touches now with its contact, whose normal points from `a` to `b`.
    #[must_use]
    pub fn contacts(self) -> Vec<(CollisionPair, Contact)> {
        let contact = |pair: CollisionPair| Some((pair, self.contact(pair.a.collider, pair.b.collider)?));
        self.pairs().into_iter().filter_map(contact).collect()
    }

    /// How two colliders overlap, whatever their layers; `None` if they do not. The normal points from `a` to `b`.
    /// Disabled colliders have a place and a shape too.
    #[must_use]
    pub fn contact(self, a: ColliderId, b: ColliderId) -> Option<Contact> {
        let [first, second] = [self.placed(a)?, self.placed(b)?];
        // Asked either way round, the same answer.
        if a <= b { first.contact(&second) } else { second.contact(&first).map(Contact::flipped) }
    }

    /// How far apart two colliders are, whatever their layers; 0 if they overlap.
    #[must_use]
    pub fn distance(self, a: ColliderId, b: ColliderId) -> Option<f32> {
        self.separation(a, b).map(|separation| separation.distance())
    }

    /// The nearest points of two colliders, on `a` and on `b`, whatever their layers. If they overlap both are the same
    /// point, in the middle of the overlap.
    #[must_use]
    pub fn closest_points(self, a: ColliderId, b: ColliderId) -> Option<[Vec2; 2]> {
        self.separation(a, b).map(|separation| separation.closest_points())
    }

    fn separation(self, a: ColliderId, b: ColliderId) -> Option<Separation> {
        let [first, second] = [self.placed(a)?, self.placed(b)?];
        Some(if a <= b { first.separation(&second) } else { second.separation(&first).flipped() })
    }

    /// The point of a collider that is nearest to another point.
    #[must_use]
    pub fn project_point(self, collider: ColliderId, point: Vec2) -> Option<PointProjection> {
        let placed = self.placed(collider).filter(|_| point.is_finite())?;
        let probe = Shape::from(Circle::point(point));
        let separation = Placed::shape(&probe).separation(&placed);
        let inside = separation.touches();
        let [_, nearest] = separation.closest_points();
        Some(PointProjection { point: if inside { point } else { nearest }, distance: separation.distance(), inside })
    }

    fn each_overlap(self, collider: ColliderId, mut found: impl FnMut(Side)) {
        let bodies = &self.scene.bodies;
        let Some(body) = bodies.body(collider).filter(|body| body.is_active()) else { return };
        let slot = slot_of(collider);
        let _ = bodies.index.in_region(body.bounds, |other| {
            // The smaller id comes first, as in the events.
            let [low, high] = slots(key([slot, other])).map(|slot| bodies.slot(slot));
            if other != slot
                && low.may_touch(high)
                && let (Some(a), Some(b)) = (bodies.placed(low.owner), bodies.placed(high.owner))
                && a.overlaps(&b)
            {
                let side = bodies.slot(other).side();
                if self.matches(side) {
                    found(side);
                }
            }
            ControlFlow::<()>::Continue(())
        });
    }

    fn each_in_aabb(self, region: Aabb, filter: &QueryFilter, found: impl FnMut(Side)) {
        // A NaN or an empty region finds nothing; an infinite one is cut to what there is.
        if region.min.cmple(region.max).all() {
            let most = Vec2::splat(f32::MAX * 0.25);
            let region = Aabb { min: region.min.max(-most), max: region.max.min(most) };
            self.each_in_shape(&Polygon::upright(region).into(), filter, found);
        }
    }

    fn each_in_shape(self, shape: &Shape, filter: &QueryFilter, found: impl FnMut(Side)) {
        self.each_touching(shape.bounds(), &Placed::shape(shape), filter, found);
    }

    fn each_in(self, collider: &dyn Collider, at: &Affine2, filter: &QueryFilter, found: impl FnMut(Side)) {
        let mut shape = Shape::from(Circle::point(Vec2::ZERO));
        let flat = collider.place(at, &mut shape, Sealed);
        let bounds = flat.map_or_else(|| collider.bounds(at), |(_, bounds)| bounds);
        self.each_touching(bounds, &Placed { collider, at, shape: flat.map(|_| &shape) }, filter, found);
    }

    fn each_touching(self, bounds: Aabb, probe: &Placed<'_>, filter: &QueryFilter, mut found: impl FnMut(Side)) {
        if !bounds.is_finite() {
            return;
        }
        let bodies = &self.scene.bodies;
        let touches = |slot: u32| match (probe.shape, bodies.shape(slot)) {
            (Some(a), Some(b)) => a.overlaps(b),
            _ => bodies.placed(bodies.slot(slot).owner).is_some_and(|placed| probe.overlaps(&placed)),
        };
        let _ = bodies.index.in_region(bounds, |slot| {
            let what = bodies.slot(slot);
            if self.accepts(what, filter) && touches(slot) {
                found(what.side());
            }
            ControlFlow::<()>::Continue(())
        });
    }
}

fn sorted(mut found: Sides) -> smallvec::IntoIter<[Side; 8]> {
    found.sort_unstable_by_key(|side| side.collider);
    found.into_iter()
}
