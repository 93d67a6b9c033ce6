use alloc::vec::Vec;

use glam::Vec2;

use super::{Capsule, Circle, Ellipse, Polygon, Rect, Rounded, Segment};
use super::{Contact, Meets};
use crate::geometry::{Hull, RoundedConvex, closest_points, exact_overlap, exact_separation};
use crate::math::Aabb;

macro_rules! shape {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        /// Any of the built-in shapes. The order of the variants is the rank order of the pair table.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Shape {
            $(
                #[doc = concat!("A [`", stringify!($kind), "`].")]
                $kind($held),
            )*
        }

        /// The kind of a [`Shape`], without its data. The order is the rank order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Kind {
            $($kind,)*
        }

        impl Kind {
            pub(crate) const ALL: [Self; Self::COUNT] = [$(Self::$kind,)*];
            pub(crate) const COUNT: usize = [$(stringify!($kind)),*].len();
        }

        $(impl Variant for $kind {
            #[inline]
            fn of(shape: &Shape) -> Option<&Self> {
                match shape {
                    Shape::$kind(shape) => Some(shape),
                    _ => None,
                }
            }
        })*

        $(impl From<$kind> for Shape {
            fn from(shape: $kind) -> Self {
                Self::$kind(shape.into())
            }
        })*

        impl Shape {
            /// Returns the smallest box around the shape, padded by rounding.
            #[must_use]
            pub fn bounds(&self) -> Aabb {
                match self { $(Self::$kind(shape) => shape.bounds(),)* }
            }

            /// Returns the shape with its own origin (the centre of a circle, rectangle or ellipse) at another
            /// position.
            #[must_use]
            pub fn at(self, position: Vec2) -> Self {
                match self { $(Self::$kind(shape) => shape.at(position).into(),)* }
            }

            /// Returns the shape rotated by an angle in radians, counter-clockwise with y up, about its own origin: the
            /// point that [`at`](Self::at) sets.
            #[must_use]
            pub fn rotated(self, angle: f32) -> Self {
                match self { $(Self::$kind(shape) => shape.rotated(angle).into(),)* }
            }

            /// Returns `true` if the shapes share a point; touching counts.
            #[must_use]
            pub fn overlaps(&self, other: &Self) -> bool {
                match self { $(Self::$kind(shape) => other.overlaps_one::<$kind>(shape),)* }
            }

            /// Returns how the shapes overlap, `None` if they do not. The normal points from `self` to `other`.
            #[must_use]
            pub fn contact(&self, other: &Self) -> Option<Contact> {
                match self { $(Self::$kind(shape) => other.contact_of::<$kind>(shape),)* }
            }

            /// Returns the distance between the closest points, in world units; 0 if the shapes overlap.
            #[must_use]
            pub fn distance(&self, other: &Self) -> f32 {
                exact_separation(&self.hull(), &other.hull()).distance()
            }

            /// Returns the closest points, on `self` and on `other`. If the shapes overlap, both are the same point,
            /// which is in both shapes.
            #[must_use]
            pub fn closest_points(&self, other: &Self) -> [Vec2; 2] {
                closest_points(&self.hull(), &other.hull()).closest_points()
            }

            pub(crate) fn hull(&self) -> Hull<'_> {
                match self { $(Self::$kind(shape) => shape.hull(),)* }
            }

            pub(crate) fn kind(&self) -> Kind {
                match self { $(Self::$kind(_) => Kind::$kind,)* }
            }

            /// Tests the pairs of one bucket, given by their slots in `shapes`, and appends those that overlap to
            /// `hits`, in the same order. The first shapes of all pairs are of the first kind, the second ones of the
            /// second kind.
            pub(crate) fn test_bucket(
                [first, second]: [Kind; 2],
                pairs: &[[u32; 2]],
                shapes: &[Self],
                hits: &mut Vec<[u32; 2]>,
            ) {
                const TESTS: [[BucketTest; Kind::COUNT]; Kind::COUNT] = [$(tests_of_row::<$kind>(),)*];
                TESTS[first as usize][second as usize](pairs, shapes, hits);
            }

            // A pair that is missing from the table is a compile error that names it.
            pub(crate) fn overlaps_one<A>(&self, first: &A) -> bool
            where
                $(A: Meets<$kind>,)*
            {
                match self { $(Self::$kind(second) => Meets::<$kind>::overlaps(first, second),)* }
            }

            pub(crate) fn contact_of<A>(&self, first: &A) -> Option<Contact>
            where
                $(A: Meets<$kind>,)*
            {
                match self { $(Self::$kind(second) => Meets::<$kind>::contact(first, second),)* }
            }
        }

        /// Returns the bucket tests of one shape against every kind.
        const fn tests_of_row<A>() -> [BucketTest; Kind::COUNT]
        where
            A: Variant,
            $(A: Meets<$kind>,)*
        {
            [$(test_pairs::<A, $kind>,)*]
        }
    };
}

for_each_shape!(shape);

/// A type that is held by a variant of [`Shape`].
pub(super) trait Variant: RoundedConvex {
    fn of(shape: &Shape) -> Option<&Self>;
}

/// See [`Shape::test_bucket`].
type BucketTest = fn(&[[u32; 2]], &[Shape], &mut Vec<[u32; 2]>);

/// Tests the pairs of one bucket: a loop around the kernel of one pair of kinds, which calls it as [`Meets::overlaps`]
/// does. Every pair is written and then kept or overwritten, because a branch on the result would be mispredicted.
#[inline(never)]
fn test_pairs<A: Variant + Meets<B>, B: Variant>(pairs: &[[u32; 2]], shapes: &[Shape], hits: &mut Vec<[u32; 2]>) {
    let mut count = hits.len();
    hits.resize(count + pairs.len(), [0; 2]);
    for pair in pairs {
        let [a, b] = pair.map(|slot| &shapes[slot as usize]);
        if let (Some(a), Some(b)) = (A::of(a), B::of(b)) {
            hits[count] = *pair;
            let overlaps = a.fast_overlap(b).unwrap_or_else(|| exact_overlap(&a.hull(), &b.hull()));
            count += usize::from(overlaps);
        }
    }
    hits.truncate(count);
}
