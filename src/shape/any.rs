use alloc::vec::Vec;

use glam::{Affine2, Vec2};

use super::contact::Contact;
use super::family::{Family, Hull};
use super::meets::Meets;
use super::separation::separation;
use super::{Capsule, Circle, Ellipse, Polygon, Rect, Rounded, Segment};
use crate::math::Aabb;

macro_rules! shape {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        /// Any of the built-in shapes, in world space. The order is the rank order of the pair table.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Shape {
            $(
                #[doc = concat!("A [`", stringify!($kind), "`].")]
                $kind($held),
            )*
        }

        /// What a [`Shape`] is, without its data; the order is the rank.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Kind {
            $($kind,)*
        }

        impl Kind {
            pub(crate) const ALL: [Self; Self::COUNT] = [$(Self::$kind,)*];
            pub(crate) const COUNT: usize = [$(stringify!($kind)),*].len();
        }

        $(impl Held for $kind {
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

        impl Local for Shape {
            fn place(&self, by: &Affine2, world: &mut Shape) -> Aabb {
                match self { $(Self::$kind(shape) => <$kind as Local>::place(shape, by, world),)* }
            }
        }

        impl Shape {
            /// The smallest box around it, padded by rounding.
            #[must_use]
            pub fn bounds(&self) -> Aabb {
                match self { $(Self::$kind(shape) => shape.bounds(),)* }
            }

            /// What an affine map makes of it.
            #[must_use]
            pub fn transformed(&self, by: &Affine2) -> Self {
                match self { $(Self::$kind(shape) => shape.transformed(by),)* }
            }

            /// Whether the shapes share a point; touching counts.
            #[must_use]
            pub fn overlaps(&self, other: &Self) -> bool {
                match self { $(Self::$kind(shape) => other.overlaps_one::<$kind>(shape),)* }
            }

            /// How they overlap, `None` if they do not. The normal points from `self` to `other`.
            #[must_use]
            pub fn contact(&self, other: &Self) -> Option<Contact> {
                match self { $(Self::$kind(shape) => other.contact_of::<$kind>(shape),)* }
            }

            /// The distance between the nearest points, in world units; 0 if they overlap.
            #[must_use]
            pub fn distance(&self, other: &Self) -> f32 {
                separation(&self.hull(), &other.hull()).distance()
            }

            /// The nearest points, on `self` and on `other`. If the shapes overlap both are the same point, in the
            /// middle of the overlap.
            #[must_use]
            pub fn closest_points(&self, other: &Self) -> [Vec2; 2] {
                separation(&self.hull(), &other.hull()).closest_points()
            }

            pub(crate) fn kind(&self) -> Kind {
                match self { $(Self::$kind(_) => Kind::$kind,)* }
            }

            /// Adds to `hits` the pairs of a bucket that overlap, in its order: all their first shapes are of one kind,
            /// all their second ones of another.
            pub(crate) fn sweep(kinds: [Kind; 2], pairs: &[[u32; 2]], shapes: &[Self], hits: &mut Vec<[u32; 2]>) {
                match kinds[0] { $(Kind::$kind => Self::sweep_first::<$kind>(kinds[1], pairs, shapes, hits),)* }
            }

            /// Makes the world forms of shapes of one kind, given by their places and those of their nodes' transforms.
            /// Adds each to `placed`.
            pub(crate) fn place_all(
                kind: Kind,
                moved: &[[u32; 2]],
                nodes: &[Affine2],
                locals: &[Self],
                worlds: &mut [Self],
                placed: &mut Vec<Image>,
            ) {
                match kind { $(Kind::$kind => place_each::<$kind>(moved, nodes, locals, worlds, placed),)* }
            }

            fn sweep_first<A>(second: Kind, pairs: &[[u32; 2]], shapes: &[Self], hits: &mut Vec<[u32; 2]>)
            where
                A: Held,
                $(A: Meets<$kind>,)*
            {
                match second { $(Kind::$kind => sweep_pairs::<A, $kind>(pairs, shapes, hits),)* }
            }

            pub(crate) fn hull(&self) -> Hull<'_> {
                match self { $(Self::$kind(shape) => shape.hull(),)* }
            }

            // A pair that is missing from the table does not compile, and the message names it.
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
    };
}

for_each_shape!(shape);

/// A type that a [`Shape`] may hold.
trait Held: Family {
    fn of(shape: &Shape) -> Option<&Self>;
}

/// What became of a shape that was placed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Image {
    pub(crate) bounds: Aabb,
    pub(crate) slot: u32,
    pub(crate) kind: Kind,
}

/// One loop for each kind.
fn place_each<A: Held + Local>(
    moved: &[[u32; 2]],
    nodes: &[Affine2],
    locals: &[Shape],
    worlds: &mut [Shape],
    placed: &mut Vec<Image>,
) {
    placed.reserve(moved.len());
    for &[slot, node] in moved {
        if let Some(local) = A::of(&locals[slot as usize]) {
            let world = &mut worlds[slot as usize];
            let bounds = local.place(&nodes[node as usize], world);
            placed.push(Image { bounds, slot, kind: world.kind() });
        }
    }
}

/// One loop for each pair of kinds, so that nothing has to be decided pair by pair but the question itself. Every pair
/// is written, and kept or written over: whether it overlaps is a branch that cannot be foreseen.
#[inline(never)]
fn sweep_pairs<A: Held + Meets<B>, B: Held>(pairs: &[[u32; 2]], shapes: &[Shape], hits: &mut Vec<[u32; 2]>) {
    let mut count = hits.len();
    hits.resize(count + pairs.len(), [0; 2]);
    for pair in pairs {
        let [a, b] = pair.map(|slot| &shapes[slot as usize]);
        if let (Some(a), Some(b)) = (A::of(a), B::of(b)) {
            hits[count] = *pair;
            count += usize::from(a.overlaps(b));
        }
    }
    hits.truncate(count);
}

/// A shape as it is attached, before its node's transform.
pub(crate) trait Local: Clone + Into<Shape> {
    /// Makes `world` this shape's affine image, in its old memory where that is possible. Its box.
    fn place(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        *world = self.clone().into().transformed(by);
        world.bounds()
    }
}
