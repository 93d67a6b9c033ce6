//! The default bodies of the visitors: a collider of one piece goes through the convex fallback, one of several is
//! asked piece by piece.

use core::ops::ControlFlow;

use glam::Affine2;

use super::many::Many;
use super::{Collider, Convex};
use crate::math::Aabb;
use crate::shape::for_each_shape;
use crate::shape::{Capsule, Circle, Contact, Ellipse, Meets, Polygon, Rect, Rounded, Segment, Shape};

/// What a visitor is given: it meets pieces and whole colliders alike.
pub(super) trait Visiting {
    fn bounds(&self) -> Aabb;
    fn overlaps_piece(&self, piece: &Shape) -> bool;
    /// The normal points from the piece.
    fn contact_of_piece(&self, piece: &Shape) -> Option<Contact>;
    fn overlaps_convex(&self, convex: &Convex<'_>) -> bool;
    fn contact_of_convex(&self, convex: &Convex<'_>) -> Option<Contact>;
}

/// A collider at its place.
type Side<'a> = (&'a dyn Collider, &'a Affine2);

/// The first dispatch.
pub(super) fn collide(own: Side<'_>, other: Side<'_>) -> bool {
    if leads(own, other) { overlaps(own.0, own.1, &other) } else { overlaps(other.0, other.1, &own) }
}

/// The same for contacts. The normal points from the first to the second.
pub(super) fn contact_between(own: Side<'_>, other: Side<'_>) -> Option<Contact> {
    if leads(own, other) {
        contact(own.0, own.1, &other)
    } else {
        contact(other.0, other.1, &own).map(Contact::flipped)
    }
}

fn leads(own: Side<'_>, other: Side<'_>) -> bool {
    let many = [own, other].map(|(collider, at)| Many::of(collider, at));
    !matches!(many, [Some(own), Some(other)] if !own.leads(&other))
}

/// Whether a collider touches what it is given.
pub(super) fn overlaps(own: &dyn Collider, at: &Affine2, other: &impl Visiting) -> bool {
    let Some(many) = Many::of(own, at) else { return other.overlaps_convex(&Convex::new(own, at)) };
    let mut found = false;
    many.in_region(other.bounds(), &mut |_, piece| {
        found = other.overlaps_piece(piece);
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// How a collider touches what it is given: the contact of the piece that is deepest in it, of equals that with the
/// smallest number. The normal points from the collider.
pub(super) fn contact(own: &dyn Collider, at: &Affine2, other: &impl Visiting) -> Option<Contact> {
    let Some(many) = Many::of(own, at) else { return other.contact_of_convex(&Convex::new(own, at)) };
    let mut deepest: Option<Contact> = None;
    many.in_region(other.bounds(), &mut |number, piece| {
        if let Some(mut contact) = other.contact_of_piece(piece) {
            contact.pieces[0] = number;
            let deeper = |than: &Contact| (contact.depth, than.pieces) > (than.depth, contact.pieces);
            if deepest.as_ref().is_none_or(deeper) {
                deepest = Some(contact);
            }
        }
        ControlFlow::Continue(())
    });
    deepest
}

macro_rules! visiting {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        $(
            impl Visiting for $kind {
                fn bounds(&self) -> Aabb {
                    self.bounds()
                }

                fn overlaps_piece(&self, piece: &Shape) -> bool {
                    piece.overlaps_one(self)
                }

                fn contact_of_piece(&self, piece: &Shape) -> Option<Contact> {
                    piece.contact_of(self).map(Contact::flipped)
                }

                fn overlaps_convex(&self, convex: &Convex<'_>) -> bool {
                    convex.overlaps(self)
                }

                fn contact_of_convex(&self, convex: &Convex<'_>) -> Option<Contact> {
                    convex.contact(self)
                }
            }
        )*
    };
}

for_each_shape!(visiting);

/// A user's collider is always the visited side, also where it meets pieces.
impl Visiting for Side<'_> {
    fn bounds(&self) -> Aabb {
        self.0.bounds(self.1)
    }

    fn overlaps_piece(&self, piece: &Shape) -> bool {
        piece.presented_to(self.0, self.1)
    }

    fn contact_of_piece(&self, piece: &Shape) -> Option<Contact> {
        piece.presented_contact(self.0, self.1)
    }

    fn overlaps_convex(&self, convex: &Convex<'_>) -> bool {
        self.0.collides_with_convex(self.1, convex)
    }

    fn contact_of_convex(&self, convex: &Convex<'_>) -> Option<Contact> {
        self.0.contact_with_convex(self.1, convex).map(Contact::flipped)
    }
}

impl Visiting for Convex<'_> {
    fn bounds(&self) -> Aabb {
        self.collider().bounds(self.at())
    }

    fn overlaps_piece(&self, piece: &Shape) -> bool {
        piece.presented_to(self.collider(), self.at())
    }

    fn contact_of_piece(&self, piece: &Shape) -> Option<Contact> {
        piece.presented_contact(self.collider(), self.at())
    }

    fn overlaps_convex(&self, convex: &Convex<'_>) -> bool {
        convex.overlaps(self)
    }

    fn contact_of_convex(&self, convex: &Convex<'_>) -> Option<Contact> {
        convex.contact(self)
    }
}
