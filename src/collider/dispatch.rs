//! The double dispatch: overlap and contact of any two colliders.
//!
//! - Two convex built-in shapes are compared in their world forms, by the pair table.
//! - A user's collider is the visited one: it gets the world form of a built-in shape, or of a piece of a composite.
//! - Two users' colliders of one piece answer by their visitors of support shapes, whichever of them overrides it, or
//!   else by the convex fallback.
//! - Of two composites, the one with fewer pieces is looped over, and each of its pieces visits the other, which finds
//!   its own pieces near it by its index.
//!
//! Two users' colliders answer the same in either order, except for the sign of a normal where both are as good.

use glam::Affine2;

use super::composite_ref::CompositeRef;
use super::support_shape::Visitor;
use super::{Collider, SupportShape, WorldCollider};
use crate::math::Each;
use crate::shape::{Contact, Meets, Shape, for_each_shape};

impl dyn Collider {
    /// Returns `true` if two colliders touch, each under a node with this world transform.
    ///
    /// This is the first dispatch: it finds the type of one collider and calls a visitor of the other.
    ///
    /// ```
    /// use hitgraph::{Circle, Collider, Rect};
    /// use glam::{Affine2, vec2};
    ///
    /// let (ball, wall): (&dyn Collider, &dyn Collider) = (&Circle::new(1.0), &Rect::new(2.0, 2.0));
    /// let at = Affine2::from_translation(vec2(1.5, 0.0));
    /// assert!(ball.collides(&at, wall, &Affine2::IDENTITY));
    /// ```
    #[must_use]
    pub fn collides(&self, at: &Affine2, other: &dyn Collider, other_at: &Affine2) -> bool {
        WorldCollider::with(self, at, |own| WorldCollider::with(other, other_at, |other| own.overlaps(other)))
    }

    /// Returns the contact of two colliders, each under a node with this world transform; `None` if they do not touch.
    ///
    /// The normal points from this collider to the other.
    #[must_use]
    pub fn contact_with(&self, at: &Affine2, other: &dyn Collider, other_at: &Affine2) -> Option<Contact> {
        WorldCollider::with(self, at, |own| WorldCollider::with(other, other_at, |other| own.contact(other)))
    }

    /// Returns the local shape, if the collider is a convex shape of a built-in type.
    pub(crate) fn local_shape(&self) -> Option<Shape> {
        self.as_builtin()?.to_shape()
    }
}

macro_rules! visit_shape {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        impl WorldCollider<'_> {
            /// Calls the overlap visitor for a shape in world space.
            fn visit_overlap(&self, shape: &Shape) -> bool {
                match shape { $(Shape::$kind(shape) => self.collider.$overlaps(&self.at, shape),)* }
            }

            /// Calls the contact visitor for a shape in world space. The normal points from this collider to the shape.
            fn visit_contact(&self, shape: &Shape) -> Option<Contact> {
                match shape { $(Shape::$kind(shape) => self.collider.$contact(&self.at, shape),)* }
            }
        }
    };
}

for_each_shape!(visit_shape);

impl WorldCollider<'_> {
    /// Returns `true` if the colliders share a point.
    pub(crate) fn overlaps(&self, other: &WorldCollider<'_>) -> bool {
        match (self.world_form, other.world_form) {
            (Some(own), Some(other)) => return own.overlaps(other),
            (Some(own), None) => return other.visit_overlap(own),
            (None, Some(other)) => return self.visit_overlap(other),
            (None, None) => {}
        }
        match (self.composite(), other.composite()) {
            (None, None) => self.visit_overlap_both_ways(other),
            (Some(own), None) => {
                self.visit_support_overlap(other).unwrap_or_else(|| other.visit_overlap_of_pieces(own))
            }
            (Some(first), Some(second)) if !first.is_builtin() && !second.is_builtin() => {
                other.visit_overlap_of_pieces(first) || self.visit_overlap_of_pieces(second)
            }
            (Some(first), Some(second)) if first.is_outer_to(&second) => other.visit_overlap_of_pieces(first),
            (_, Some(_)) => other.overlaps(self),
        }
    }

    /// Returns the contact of the colliders, `None` if they do not touch. The normal points from this collider to the
    /// other.
    pub(crate) fn contact(&self, other: &WorldCollider<'_>) -> Option<Contact> {
        match (self.world_form, other.world_form) {
            (Some(own), Some(other)) => return own.contact(other),
            (Some(own), None) => return other.visit_contact(own).map(Contact::flipped),
            (None, Some(other)) => return self.visit_contact(other),
            (None, None) => {}
        }
        match (self.composite(), other.composite()) {
            (None, None) => self.visit_contact_both_ways(other),
            (Some(own), None) => {
                self.visit_support_contact(other).unwrap_or_else(|| other.visit_contact_of_pieces(own))
            }
            (Some(first), Some(second)) if !first.is_builtin() && !second.is_builtin() => {
                deeper(other.visit_contact_of_pieces(first), self.visit_contact_of_pieces(second).map(Contact::flipped))
            }
            (Some(first), Some(second)) if first.is_outer_to(&second) => other.visit_contact_of_pieces(first),
            (_, Some(_)) => other.contact(self).map(Contact::flipped),
        }
    }

    /// Calls the overlap visitor for the pieces of a composite, until one touches.
    fn visit_overlap_of_pieces(&self, composite: CompositeRef<'_>) -> bool {
        composite.any_in_region(self.bounds(), &mut |_, piece| self.visit_overlap(piece))
    }

    /// Calls the contact visitor for the pieces of a composite. Returns the deepest contact; its normal points from the
    /// composite to this collider.
    fn visit_contact_of_pieces(&self, composite: CompositeRef<'_>) -> Option<Contact> {
        composite.deepest_in_region(self.bounds(), &mut |piece| self.visit_contact(piece))
    }

    /// Calls the overlap visitor for support shapes, or else the contact visitor; `None` if the collider's type
    /// overrides neither.
    fn visit_support_overlap(&self, other: &WorldCollider<'_>) -> Option<bool> {
        let visit = |shape: &SupportShape<'_>| self.collider.collides_with_support_shape(&self.at, shape);
        let answer = other.support_shape().answer_of(self.collider, Visitor::Overlap, visit);
        answer.or_else(|| self.visit_support_contact(other).map(|contact| contact.is_some()))
    }

    /// Calls the contact visitor for support shapes; `None` if the collider's type does not override it.
    fn visit_support_contact(&self, other: &WorldCollider<'_>) -> Option<Option<Contact>> {
        let visit = |shape: &SupportShape<'_>| self.collider.contact_with_support_shape(&self.at, shape);
        other.support_shape().answer_of(self.collider, Visitor::Contact, visit)
    }

    /// Calls the overlap visitors for support shapes of two users' colliders of one piece.
    fn visit_overlap_both_ways(&self, other: &WorldCollider<'_>) -> bool {
        match (self.visit_support_overlap(other), other.visit_support_overlap(self)) {
            (None, None) if self.is_first_in_fallback(other) => self.support_shape().overlaps(&other.support_shape()),
            (None, None) => other.support_shape().overlaps(&self.support_shape()),
            (own, others) => own == Some(true) || others == Some(true),
        }
    }

    /// Calls the contact visitors for support shapes of two users' colliders of one piece.
    fn visit_contact_both_ways(&self, other: &WorldCollider<'_>) -> Option<Contact> {
        match (self.visit_support_contact(other), other.visit_support_contact(self)) {
            (None, None) if self.is_first_in_fallback(other) => self.support_shape().contact(&other.support_shape()),
            (None, None) => other.support_shape().contact(&self.support_shape()).map(Contact::flipped),
            (own, others) => deeper(own.flatten(), others.flatten().map(Contact::flipped)),
        }
    }
}

/// Returns the deeper of two contacts of one pair. Equally deep ones are ordered by their smaller piece number, their
/// larger one, and their first point, because these do not depend on which collider is the first.
fn deeper(first: Option<Contact>, second: Option<Contact>) -> Option<Contact> {
    let pieces = |contact: &Contact| [contact.pieces.into_iter().min(), contact.pieces.into_iter().max()];
    first.into_iter().chain(second).min_by(|a, b| {
        let [p, q] = [a, b].each(|contact| contact.points()[0]);
        let order = b.depth.total_cmp(&a.depth).then(pieces(a).cmp(&pieces(b)));
        order.then(p.x.total_cmp(&q.x)).then(p.y.total_cmp(&q.y))
    })
}
