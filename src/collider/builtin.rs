//! The built-in shapes as colliders: one list makes every row of the double dispatch.

use glam::{Affine2, Vec2};

use super::{Collider, Convex, Sealed, support_of};
use crate::math::Aabb;
use crate::shape::family::Family;
use crate::shape::pieces::{Parts, furthest, in_own_region, upright_bounds};
use crate::shape::{Capsule, Circle, Compound, Contact, Ellipse, Polygon, Polyline, Rect, Rounded, Segment, Shape};
use crate::shape::{Tiles, for_each_shape};

/// Implements [`Collider`] for one type, given the list of all shapes.
macro_rules! collider {
    ($own:ident, $($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        impl Collider for $own {
            fn support(&self, direction: Vec2) -> Vec2 {
                support_of(&self.hull(), direction)
            }

            fn bounds(&self, at: &Affine2) -> Aabb {
                self.transformed(at).bounds()
            }

            fn collides(&self, at: &Affine2, other: &dyn Collider, other_at: &Affine2) -> bool {
                self.transformed(at).presented_to(other, other_at)
            }

            fn contact_with(&self, at: &Affine2, other: &dyn Collider, other_at: &Affine2) -> Option<Contact> {
                self.transformed(at).presented_contact(other, other_at)
            }

            $(
                fn $overlaps(&self, at: &Affine2, shape: &$kind) -> bool {
                    self.transformed(at).overlaps_one(shape)
                }

                fn $contact(&self, at: &Affine2, shape: &$kind) -> Option<Contact> {
                    self.transformed(at).contact_of(shape).map(Contact::flipped)
                }
            )*

            fn collides_with_convex(&self, at: &Affine2, convex: &Convex<'_>) -> bool {
                self.collides(at, convex.collider(), convex.at())
            }

            fn contact_with_convex(&self, at: &Affine2, convex: &Convex<'_>) -> Option<Contact> {
                self.contact_with(at, convex.collider(), convex.at())
            }

            fn flat(&self, _: Sealed) -> Option<Shape> {
                Some(self.clone().into())
            }
        }
    };
}

macro_rules! colliders {
    ($($list:tt)*) => {
        collider!(Circle, $($list)*);
        collider!(Segment, $($list)*);
        collider!(Capsule, $($list)*);
        collider!(Rect, $($list)*);
        collider!(Polygon, $($list)*);
        collider!(Ellipse, $($list)*);
        collider!(Rounded, $($list)*);
        collider!(Shape, $($list)*);
    };
}

for_each_shape!(colliders);

macro_rules! presentation {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        impl Shape {
            /// The second half of the first dispatch: presents this world form to a collider.
            pub(super) fn presented_to(&self, other: &dyn Collider, other_at: &Affine2) -> bool {
                match self { $(Self::$kind(shape) => other.$overlaps(other_at, shape),)* }
            }

            /// The same for contacts. The normal points from this shape to the collider.
            pub(super) fn presented_contact(&self, other: &dyn Collider, other_at: &Affine2) -> Option<Contact> {
                match self { $(Self::$kind(shape) => other.$contact(other_at, shape).map(Contact::flipped),)* }
            }
        }
    };
}

for_each_shape!(presentation);

/// Implements [`Collider`] for a shape of many pieces, given what tells the one-way direction of a piece.
macro_rules! collider_of_pieces {
    ($own:ident, $one_way:expr) => {
        impl Collider for $own {
            fn support(&self, direction: Vec2) -> Vec2 {
                furthest(self, direction)
            }

            fn bounds(&self, at: &Affine2) -> Aabb {
                upright_bounds(self, at).unwrap_or_else(|| Convex::new(self, at).bounds())
            }

            fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
                in_own_region(self, region, visit);
                true
            }

            fn one_way_of(&self, piece: u32) -> Option<Vec2> {
                $one_way(self, piece)
            }

            fn parts(&self, _: Sealed) -> Option<Parts<'_>> {
                Some(Parts(self))
            }
        }
    };
}

collider_of_pieces!(Polyline, Polyline::front);
collider_of_pieces!(Compound, |_, _| None);
collider_of_pieces!(Tiles, Tiles::passage);
