//! Asking what touches what, and how far apart things are.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::{Affine2, Vec2};
use smallvec::SmallVec;

use super::narrow::{key, slots};
use super::{ColliderId, CollisionPair, NodeId, QueryFilter, Side, World, slot_of};
use crate::collider::{Collider, Placed, Sealed};
use crate::math::Aabb;
use crate::shape::{Circle, Contact, Polygon, Separation, Shape};

/// The nearest point of a collider.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/point_projection.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointProjection {
    /// In the collider, nearest to the point that was asked about; that point itself if it is inside.
    pub point: Vec2,
    /// How far away that is; 0 inside.
    pub distance: f32,
    /// Whether the point asked about is in the collider or on its border.
    pub inside: bool,
    /// Which of the collider's pieces it is on; 0 for a shape of one piece.
    pub piece: u32,
}

/// Answers up to this many need no heap.
type Sides = SmallVec<[Side; 8]>;

impl<'a> World<'a> {
    /// What a collider touches: the rule of the events, as of now. Nothing, if it is disabled.
    pub fn overlaps(self, collider: ColliderId) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        collected(|found| self.each_overlap(collider, found))
    }

    /// The same into a buffer, which is emptied first.
    pub fn overlaps_into(self, collider: ColliderId, found: &mut Vec<Side>) {
        fill(found, |found| self.each_overlap(collider, found));
    }

    /// What the colliders of a node touch, each once.
    pub fn overlaps_node(self, node: NodeId) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        collected(|found| self.each_overlap_of_node(node, found))
    }

    /// The same into a buffer, which is emptied first.
    pub fn overlaps_node_into(self, node: NodeId, found: &mut Vec<Side>) {
        fill(found, |found| self.each_overlap_of_node(node, found));
    }

    /// The colliders that contain a point.
    #[doc(alias("overlap point", "pick"))]
    pub fn at_point(self, point: Vec2, filter: &QueryFilter) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        collected(|found| self.each_at_point(point, filter, found))
    }

    /// The same into a buffer, which is emptied first.
    pub fn at_point_into(self, point: Vec2, filter: &QueryFilter, found: &mut Vec<Side>) {
        fill(found, |found| self.each_at_point(point, filter, found));
    }

    /// The colliders that touch a region. Their shapes are tested, not their boxes. The region may be infinite; an
    /// empty one and one with a NaN touch nothing.
    #[doc(alias("region query", "range query"))]
    pub fn in_aabb(self, region: Aabb, filter: &QueryFilter) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        collected(|found| self.each_in_aabb(region, filter, found))
    }

    /// The same into a buffer, which is emptied first.
    pub fn in_aabb_into(self, region: Aabb, filter: &QueryFilter, found: &mut Vec<Side>) {
        fill(found, |found| self.each_in_aabb(region, filter, found));
    }

    /// The colliders that touch a shape which is not in the scene, with `at` as its world transform (nothing, if that
    /// is not finite or the shape overflows there). Its layers are those of the filter.
    #[doc(alias("shape query", "overlap circle", "overlap box"))]
    pub fn overlaps_shape(
        self,
        shape: &dyn Collider,
        at: &Affine2,
        filter: &QueryFilter,
    ) -> impl ExactSizeIterator<Item = Side> + use<'a> {
        collected(|found| self.each_in(shape, at, filter, found))
    }

    /// The same into a buffer, which is emptied first. A polygon, or a shape that becomes a rounded one under `at`, is
    /// copied to the heap for it.
    pub fn overlaps_shape_into(self, shape: &dyn Collider, at: &Affine2, filter: &QueryFilter, found: &mut Vec<Side>) {
        fill(found, |found| self.each_in(shape, at, filter, found));
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
        self.each_pair(|pair, _| pairs.push(pair));
    }

    /// Every pair that touches now with its contact, whose normal points from `a` to `b`, in the order of the events.
    #[must_use]
    pub fn contacts(self) -> Vec<(CollisionPair, Contact)> {
        let mut contacts = Vec::new();
        self.contacts_into(&mut contacts);
        contacts
    }

    /// The same into a buffer, which is emptied first.
    pub fn contacts_into(self, contacts: &mut Vec<(CollisionPair, Contact)>) {
        contacts.clear();
        self.each_pair(|pair, slots| contacts.extend(self.scene.bodies.contact(slots).map(|contact| (pair, contact))));
    }

    fn each_pair(self, mut visit: impl FnMut(CollisionPair, [u32; 2])) {
        let bodies = &self.scene.bodies;
        self.scene.scratch.with(|(narrow, found)| {
            narrow.all(bodies, found);
            for slots in found.iter().map(|key| slots(*key)) {
                let pair = bodies.pair(slots);
                if self.matches(pair.a) && self.matches(pair.b) {
                    visit(pair, slots);
                }
            }
        });
    }

    /// How two colliders overlap, whatever their layers; `None` if they do not. The normal points from `a` to `b`.
    /// Disabled colliders have a place and a shape too.
    #[must_use]
    pub fn contact(self, a: ColliderId, b: ColliderId) -> Option<Contact> {
        let [first, second] = [self.placed(a)?, self.placed(b)?];
        // Asked either way round, the same answer.
        if a <= b { first.contact(&second) } else { second.contact(&first).map(Contact::flipped) }
    }

    /// How far apart two colliders are, whatever their layers; 0 if they overlap. `None` also if one has no pieces.
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
        let flipped = |(separation, _): (Separation, _)| separation.flipped();
        if a <= b { first.nearest(&second).map(|nearest| nearest.0) } else { second.nearest(&first).map(flipped) }
    }

    /// The point of a collider that is nearest to another point.
    #[must_use]
    pub fn project_point(self, collider: ColliderId, point: Vec2) -> Option<PointProjection> {
        let placed = self.placed(collider).filter(|_| point.is_finite())?;
        let probe = Shape::from(Circle::point(point));
        let (separation, [_, piece]) = Placed::shape(&probe).nearest(&placed)?;
        // What is so thin that its own rounding hides it may be certain that it does not contain the point.
        let inside = separation.touches() && placed.overlaps(&Placed::shape(&probe));
        let [_, nearest] = separation.closest_points();
        Some(PointProjection {
            point: if inside { point } else { nearest },
            distance: separation.distance(),
            inside,
            piece,
        })
    }

    fn each_overlap(self, collider: ColliderId, mut found: impl FnMut(Side)) {
        let bodies = &self.scene.bodies;
        let slot = slot_of(collider);
        let Some(bounds) = bodies.body(collider).and_then(|_| bodies.index.bounds(slot)) else { return };
        let _ = bodies.index.in_region(bounds, |other| {
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

    fn each_overlap_of_node(self, node: NodeId, mut found: impl FnMut(Side)) {
        for collider in self.scene.colliders(node) {
            self.each_overlap(*collider, &mut found);
        }
    }

    fn each_at_point(self, point: Vec2, filter: &QueryFilter, found: impl FnMut(Side)) {
        let (bodies, point) = (&self.scene.bodies, Circle::point(point));
        self.each_where(point.bounds(), filter, found, |slot| match bodies.shape(slot) {
            Some(shape) => shape.overlaps_one(&point),
            None => bodies.placed(bodies.slot(slot).owner).is_some_and(|placed| placed.meets_circle(&point)),
        });
    }

    fn each_in_aabb(self, region: Aabb, filter: &QueryFilter, found: impl FnMut(Side)) {
        // A NaN or an empty region finds nothing; an infinite one is cut to what there is.
        if !region.min.cmple(region.max).all() {
            return;
        }
        let most = Vec2::splat(f32::MAX * 0.25);
        let asked = region;
        let region = Aabb { min: region.min.max(-most), max: region.max.min(most) };
        let (bodies, polygon) = (&self.scene.bodies, Polygon::upright(region));
        // Its bounds are padded, as those of everything else: a user's shape touches what is near by rounding. But
        // where a side was cut, everything is.
        let near = if region == asked { polygon.bounds() } else { region };
        self.each_where(near, filter, found, |slot| {
            // What has its whole box inside needs no test, unless it may have no pieces.
            let whole =
                bodies.index.bounds(slot).is_some_and(|own| region.contains(own.min) && region.contains(own.max));
            match bodies.shape(slot) {
                Some(shape) => whole || shape.overlaps_one(&polygon),
                None => bodies
                    .placed(bodies.slot(slot).owner)
                    .is_some_and(|placed| (whole && placed.is_one_piece()) || placed.meets_polygon(&polygon)),
            }
        });
    }

    fn each_in(self, collider: &dyn Collider, at: &Affine2, filter: &QueryFilter, found: impl FnMut(Side)) {
        let shape = collider.flat(Sealed).map(|local| local.transformed(at));
        let bounds = shape.as_ref().map_or_else(|| collider.bounds(at), Shape::bounds);
        let (bodies, probe) = (&self.scene.bodies, Placed { collider, at, shape: shape.as_ref() });
        self.each_where(bounds, filter, found, |slot| match (probe.shape, bodies.shape(slot)) {
            (Some(a), Some(b)) => a.overlaps(b),
            _ => bodies.placed(bodies.slot(slot).owner).is_some_and(|placed| probe.overlaps(&placed)),
        });
    }

    /// What has a box that overlaps some finite bounds, and passes the filter and the test.
    #[inline]
    fn each_where(
        self,
        bounds: Aabb,
        filter: &QueryFilter,
        mut found: impl FnMut(Side),
        touches: impl Fn(u32) -> bool,
    ) {
        if !bounds.is_finite() {
            return;
        }
        let _ = self.scene.bodies.index.in_region(bounds, |slot| {
            let what = self.scene.bodies.slot(slot);
            if self.accepts(what, filter) && touches(slot) {
                found(what.side());
            }
            ControlFlow::<()>::Continue(())
        });
    }
}

/// What `each` finds, each once, in the order of the ids.
fn collected(each: impl FnOnce(&mut dyn FnMut(Side))) -> smallvec::IntoIter<[Side; 8]> {
    let mut found = Sides::new();
    each(&mut |side| found.push(side));
    found.sort_unstable_by_key(|side| side.collider);
    found.dedup();
    found.into_iter()
}

/// The same into a buffer, which is emptied first.
fn fill(found: &mut Vec<Side>, each: impl FnOnce(&mut dyn FnMut(Side))) {
    found.clear();
    each(&mut |side| found.push(side));
    found.sort_unstable_by_key(|side| side.collider);
    found.dedup();
}
