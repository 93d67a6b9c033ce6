use glam::Affine2;

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

    pub(crate) fn separation(&self, other: &Placed<'_>) -> Separation {
        self.with_hull(|own| other.with_hull(|other| separation(own, other)))
    }

    pub(crate) fn cast_ray(&self, ray: &Ray) -> Option<RayTouch> {
        self.with_hull(|hull| ray.enter(hull))
    }

    /// Visits the convex pieces of the collider that may lie in a region, each with its number.
    pub(crate) fn each_piece(&self, _region: Aabb, visit: &mut dyn FnMut(u32, &Placed<'_>)) {
        visit(0, self);
    }

    /// Visits the pieces of another collider that may lie in a region, each with its number and against each piece of
    /// this one. Everything that moves, pushes or measures goes through here.
    #[inline]
    pub(crate) fn against(&self, other: &Placed<'_>, region: Aabb, visit: &mut dyn FnMut(&Hull<'_>, u32, &Hull<'_>)) {
        if let (Some(own), Some(other)) = (self.shape, other.shape) {
            visit(&own.hull(), 0, &other.hull());
            return;
        }
        other.each_piece(region, &mut |piece, other| {
            other.with_hull(|other| {
                self.each_piece(Aabb::EVERYTHING, &mut |_, own| own.with_hull(|own| visit(own, piece, other)));
            });
        });
    }

    pub(crate) fn with_hull<R>(&self, work: impl FnOnce(&Hull<'_>) -> R) -> R {
        match self.shape {
            Some(shape) => work(&shape.hull()),
            None => work(&self.convex().hull()),
        }
    }

    pub(crate) fn convex(&self) -> Convex<'_> {
        Convex::new(self.collider, self.at)
    }
}
