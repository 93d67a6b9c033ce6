//! [`Collider`] for the built-in types. The list of shapes generates every row of the double dispatch.

use glam::{Affine2, DVec2, Vec2};

use super::collider_trait::Sealed;
use super::composite_ref::CompositeRef;
use super::{Builtin, Collider, SupportShape};
use crate::composite::{Compound, Polyline, Tiles, furthest, image_bounds};
use crate::geometry::RoundedConvex;
use crate::math::Aabb;
use crate::shape::{Contact, Shape, for_each_shape};

/// The visitors of a convex shape: each looks the pair up in the pair table.
macro_rules! convex_visitors {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        $(
            fn $overlaps(&self, at: &Affine2, shape: &crate::shape::$kind) -> bool {
                self.transformed(at).overlaps_one(shape)
            }

            fn $contact(&self, at: &Affine2, shape: &crate::shape::$kind) -> Option<Contact> {
                self.transformed(at).contact_of(shape).map(Contact::flipped)
            }
        )*
    };
}

/// Implements [`Collider`] for one convex shape.
macro_rules! convex_collider {
    ($own:ty) => {
        impl Collider for $own {
            fn support(&self, direction: Vec2) -> Vec2 {
                let direction = direction.as_dvec2().try_normalize().unwrap_or(DVec2::X);
                self.hull().support_point(direction).as_vec2()
            }

            fn bounds(&self, at: &Affine2) -> Aabb {
                self.transformed(at).bounds()
            }

            for_each_shape!(convex_visitors);

            fn collides_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> bool {
                self.transformed(at).overlaps_one(shape)
            }

            fn contact_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> Option<Contact> {
                self.transformed(at).contact_of(shape).map(Contact::flipped)
            }

            fn builtin(&self, _: Sealed) -> Option<Builtin<'_>> {
                Some(self.into())
            }
        }
    };
}

macro_rules! convex_colliders {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        $(convex_collider!(crate::shape::$kind);)*
    };
}

for_each_shape!(convex_colliders);

convex_collider!(Shape);

/// The visitors of a composite. Contacts have the default body; overlap stops at the first piece that touches.
macro_rules! composite_visitors {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        $(
            fn $overlaps(&self, at: &Affine2, shape: &crate::shape::$kind) -> bool {
                let composite = CompositeRef::of(self, at);
                composite.is_some_and(|own| own.any_in_region(shape.bounds(), &mut |_, piece| piece.overlaps_one(shape)))
            }
        )*
    };
}

/// Implements [`Collider`] for one composite, given the function that returns the one-way direction of a piece.
macro_rules! composite_collider {
    ($own:ty, $one_way:expr) => {
        impl Collider for $own {
            fn support(&self, direction: Vec2) -> Vec2 {
                furthest(self, direction)
            }

            fn bounds(&self, at: &Affine2) -> Aabb {
                image_bounds(self, at).unwrap_or_else(|| SupportShape::new(self, at).bounds())
            }

            for_each_shape!(composite_visitors);

            fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
                if let Some(own) = CompositeRef::of(self, &Affine2::IDENTITY) {
                    own.each_in_region(*region, visit);
                }
                true
            }

            fn one_way_of(&self, piece: u32) -> Option<Vec2> {
                $one_way(self, piece)
            }

            fn builtin(&self, _: Sealed) -> Option<Builtin<'_>> {
                Some(self.into())
            }
        }
    };
}

composite_collider!(Polyline, Polyline::front);
composite_collider!(Compound, |_, _| None);
composite_collider!(Tiles, Tiles::one_way_direction);
