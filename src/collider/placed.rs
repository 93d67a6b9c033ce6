use core::ops::ControlFlow;

use glam::{Affine2, Vec2};

use super::many::Many;
use super::{Collider, Convex};
use crate::math::Aabb;
use crate::shape::family::{Family, Hull};
use crate::shape::{Circle, Contact, Polygon, Ray, RayTouch, Separation, Shape, separation};

/// A collider at its place: the one point where the flat way and the dispatch part. Built-in shapes are compared in
/// their world forms; as soon as one side is a user's, the double dispatch decides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) collider: &'a dyn Collider,
    pub(crate) at: &'a Affine2,
    /// The world form, if it is a built-in shape.
    pub(crate) shape: Option<&'a Shape>,
}

impl<'a> Placed<'a> {
    /// A shape in world space that no node carries.
    pub(crate) fn shape(shape: &'a Shape) -> Self {
        Self { collider: shape, at: &Affine2::IDENTITY, shape: Some(shape) }
    }

    pub(crate) fn overlaps(&self, other: &Placed<'_>) -> bool {
        match (self.shape, other.shape) {
            (Some(a), Some(b)) => a.overlaps(b),
            (Some(a), None) => a.presented_to(other.collider, other.at),
            (None, Some(b)) => b.presented_to(self.collider, self.at),
            (None, None) => self.collider.collides(self.at, other.collider, other.at),
        }
    }

    pub(crate) fn contact(&self, other: &Placed<'_>) -> Option<Contact> {
        match (self.shape, other.shape) {
            (Some(a), Some(b)) => a.contact(b),
            (Some(a), None) => a.presented_contact(other.collider, other.at),
            (None, Some(b)) => b.presented_contact(self.collider, self.at).map(Contact::flipped),
            (None, None) => self.collider.contact_with(self.at, other.collider, other.at),
        }
    }

    /// Whether a user's shape touches a circle.
    pub(crate) fn meets_circle(&self, circle: &Circle) -> bool {
        self.collider.collides_with_circle(self.at, circle)
    }

    /// Whether a user's shape touches a polygon.
    pub(crate) fn meets_polygon(&self, polygon: &Polygon) -> bool {
        self.collider.collides_with_polygon(self.at, polygon)
    }

    /// How two pieces lie to each other.
    pub(crate) fn separation(&self, other: &Placed<'_>) -> Separation {
        self.with_hull(|own| other.with_hull(|other| separation(own, other)))
    }

    /// How the nearest pieces lie to each other, or those deepest in each other, with their numbers; `None` if one side
    /// has no pieces.
    pub(crate) fn nearest(&self, other: &Placed<'_>) -> Option<(Separation, [u32; 2])> {
        match (self.many(), other.many()) {
            (None, None) => return Some((self.separation(other), [0, 0])),
            (Some(own), Some(second)) if !own.leads(&second) => {
                let (found, [first, second]) = other.nearest(self)?;
                return Some((found.flipped(), [second, first]));
            }
            _ => {}
        }
        let mut best: Option<(Separation, [u32; 2])> = None;
        let reach = |best: &Option<(Separation, _)>| best.as_ref().map_or(f64::INFINITY, |best| best.0.gap.max(0.0));
        self.each_near(other.bounds(), f64::INFINITY, &mut |own_number, own, _| {
            other.each_near(own.bounds(), reach(&best), &mut |other_number, piece, _| {
                let (found, numbers) = (own.separation(piece), [own_number, other_number]);
                // What touches comes first: a huge piece may do so with a larger gap than a small one has that does
                // not.
                let rank = |of: &Separation| (!of.touches(), of.gap);
                let nearer = |than: &(Separation, _)| (rank(&found), numbers) < (rank(&than.0), than.1);
                if best.as_ref().is_none_or(nearer) {
                    best = Some((found, numbers));
                }
                reach(&best)
            });
            reach(&best)
        });
        best
    }

    /// Where a ray enters a piece.
    pub(crate) fn cast_ray(&self, ray: &Ray) -> Option<RayTouch> {
        self.with_hull(|hull| ray.enter(hull))
    }

    /// Where a ray enters the first of the pieces, with its number.
    pub(crate) fn first_hit(&self, ray: &Ray) -> Option<(RayTouch, u32)> {
        let Some(many) = self.many() else { return self.cast_ray(ray).map(|touch| (touch, 0)) };
        let mut first: Option<(RayTouch, u32)> = None;
        many.along(ray, Vec2::ZERO, &mut |number, piece, limit| {
            let Some(touch) = ray.enter(&piece.hull()) else { return limit };
            if first.is_none_or(|first| (touch.distance, number) < (first.0.distance, first.1)) {
                first = Some((touch, number));
            }
            limit.min(touch.distance)
        });
        first
    }

    /// Visits every piece that has a point in a region of the world, and maybe some more, with its number. What is of
    /// one piece is visited wherever it is, as number 0.
    pub(crate) fn each_piece(&self, region: Aabb, visit: &mut dyn FnMut(u32, &Placed<'_>)) {
        match self.many() {
            Some(many) => many.in_region(region, &mut |number, piece| {
                visit(number, &Placed::shape(piece));
                ControlFlow::Continue(())
            }),
            None => visit(0, self),
        }
    }

    /// The same about in the order of their distances from a box, within a limit.
    fn each_near(&self, to: Aabb, limit: f64, visit: &mut dyn FnMut(u32, &Placed<'_>, f64) -> f64) {
        match self.many() {
            Some(many) => many.near(to, limit, &mut |number, piece, limit| visit(number, &Placed::shape(piece), limit)),
            None => {
                visit(0, self, limit);
            }
        }
    }

    pub(crate) fn is_one_piece(&self) -> bool {
        self.many().is_none()
    }

    fn many(&self) -> Option<Many<'a>> {
        if self.shape.is_some() { None } else { Many::of(self.collider, self.at) }
    }

    fn bounds(&self) -> Aabb {
        self.shape.map_or_else(|| self.collider.bounds(self.at), Shape::bounds)
    }

    /// Visits the pieces of another collider that may lie in a region, each with its number and against each piece of
    /// this one: how what pushes or measures sees them.
    #[inline]
    pub(crate) fn against(&self, other: &Placed<'_>, region: Aabb, visit: &mut dyn FnMut(&Hull<'_>, u32, &Hull<'_>)) {
        if let (Some(own), Some(other)) = (self.shape, other.shape) {
            return visit(&own.hull(), 0, &other.hull());
        }
        other.each_piece(region, &mut |piece, other| {
            other.with_hull(|other| self.each_hull(&mut |own| visit(own, piece, other)));
        });
    }

    /// The same for pieces that a box may touch whose middle follows a ray and that reaches so far to all sides, about
    /// in that order and no further than `visit` returned last: how what moves sees them.
    #[inline]
    pub(crate) fn along(
        &self,
        other: &Placed<'_>,
        ray: &Ray,
        reach: Vec2,
        visit: &mut dyn FnMut(&Hull<'_>, u32, &Hull<'_>, f64) -> f64,
    ) {
        if let (Some(own), Some(other)) = (self.shape, other.shape) {
            visit(&own.hull(), 0, &other.hull(), ray.length);
            return;
        }
        let mut each = |piece: u32, other: &Hull<'_>, mut limit: f64| {
            self.each_hull(&mut |own| limit = visit(own, piece, other, limit));
            limit
        };
        match other.many() {
            Some(many) => many.along(ray, reach, &mut |piece, shape, limit| each(piece, &shape.hull(), limit)),
            None => {
                other.with_hull(|other| each(0, other, ray.length));
            }
        }
    }

    fn each_hull(&self, visit: &mut dyn FnMut(&Hull<'_>)) {
        self.each_piece(Aabb::EVERYTHING, &mut |_, piece| piece.with_hull(|hull| visit(hull)));
    }

    fn with_hull<R>(&self, work: impl FnOnce(&Hull<'_>) -> R) -> R {
        match self.shape {
            Some(shape) => work(&shape.hull()),
            None => work(&self.convex().hull()),
        }
    }

    pub(crate) fn convex(&self) -> Convex<'_> {
        Convex::new(self.collider, self.at)
    }
}
