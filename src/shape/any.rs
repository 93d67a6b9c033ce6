//! The enum of all convex shapes, and the loops that test many pairs of two kinds.

use glam::Vec2;

use super::{Capsule, Circle, Ellipse, Polygon, Rect, Rounded, Segment};
use super::{Contact, Meets};
use crate::geometry::sat::four::FourAnswers;
use crate::geometry::{Hull, RoundedConvex, common_point_separation, exact_separation};
use crate::math::{Aabb, Checksum, Each};

macro_rules! shape {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        /// Any of the built-in shapes. The order of the variants is the rank order of the pair table.
        ///
        /// ```
        /// use hitgraph::{Circle, Rect, Shape};
        /// use glam::vec2;
        ///
        /// // Shapes of different types in one list, without a scene.
        /// let shapes: [Shape; 2] = [Circle::new(1.0).into(), Rect::new(2.0, 2.0).at(vec2(1.5, 0.0)).into()];
        /// let [ball, wall] = &shapes;
        /// assert!(ball.overlaps(wall));
        /// assert_eq!(ball.contact(wall).map(|contact| (contact.normal, contact.depth)), Some((vec2(1.0, 0.0), 0.5)));
        ///
        /// let away = wall.clone().at(vec2(4.0, 0.0)).rotated(0.0);
        /// assert_eq!(ball.distance(&away), 2.0);
        /// assert_eq!(ball.closest_points(&away), [vec2(1.0, 0.0), vec2(3.0, 0.0)]);
        /// assert!(away.bounds().contains(vec2(5.0, 1.0)));
        /// ```
        #[derive(Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        // Half a cache line, and never in two.
        #[repr(align(32))]
        pub enum Shape {
            $(
                #[doc = concat!("A [`", stringify!($kind), "`].")]
                $kind($held),
            )*
        }

        /// `clone_from` reuses the heap memory of a shape of the same kind.
        impl Clone for Shape {
            fn clone(&self) -> Self {
                match self { $(Self::$kind(shape) => Self::$kind(shape.clone()),)* }
            }

            fn clone_from(&mut self, source: &Self) {
                match (self, source) {
                    $((Self::$kind(shape), Self::$kind(source)) => shape.clone_from(source),)*
                    (shape, source) => *shape = source.clone(),
                }
            }
        }

        /// The kind of a [`Shape`], without its data. The order is the rank order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Kind {
            $($kind,)*
        }

        impl Kind {
            pub(crate) const COUNT: usize = [$(stringify!($kind)),*].len();
        }

        $(impl Variant for $kind {
            const KIND: Kind = Kind::$kind;

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

            /// Returns the shape with its own origin at another position: the centre of a circle, rectangle or ellipse,
            /// and zero for a new shape of any other kind, which this moves by `position`.
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
                // In the order of the pair table, as with the types of the shapes.
                if self.kind() >= other.kind() {
                    common_point_separation(&self.hull(), &other.hull()).closest_points()
                } else {
                    common_point_separation(&other.hull(), &self.hull()).flipped().closest_points()
                }
            }

            pub(crate) fn hull(&self) -> Hull<'_> {
                match self { $(Self::$kind(shape) => shape.hull(),)* }
            }

            pub(crate) fn add_to(&self, sum: &mut Checksum) {
                sum.add(self.kind() as u64);
                match self { $(Self::$kind(shape) => shape.add_to(sum),)* }
            }

            pub(crate) fn kind(&self) -> Kind {
                match self { $(Self::$kind(_) => Kind::$kind,)* }
            }

            /// Returns the loop that tests many pairs of two kinds, given by their ranks, the higher first; `None` if a
            /// rank is that of no kind. The loop takes the slots of the shapes of each pair and all shapes by slot, and
            /// writes for each pair `true` if the two overlap.
            pub(crate) fn bucket_test([first, second]: [usize; 2]) -> Option<BucketTest> {
                const TESTS: [[Option<BucketTest>; Kind::COUNT]; Kind::COUNT] = [$(tests_of_row::<$kind>(),)*];
                *TESTS.get(first)?.get(second)?
            }

            /// Returns `true` if a shape of one type and this one share a point.
            // A pair that is missing from the table is a compile error that names it.
            pub(crate) fn overlaps_one<A>(&self, first: &A) -> bool
            where
                $(A: Meets<$kind>,)*
            {
                match self { $(Self::$kind(second) => Meets::<$kind>::overlaps(first, second),)* }
            }

            /// Returns the contact of a shape of one type with this one. The normal points from `first` to this shape.
            pub(crate) fn contact_of<A>(&self, first: &A) -> Option<Contact>
            where
                $(A: Meets<$kind>,)*
            {
                match self { $(Self::$kind(second) => Meets::<$kind>::contact(first, second),)* }
            }
        }

        /// Returns the bucket tests of one shape against every kind that is not ranked above it.
        const fn tests_of_row<A>() -> [Option<BucketTest>; Kind::COUNT]
        where
            A: Variant,
            $(A: Meets<$kind>,)*
        {
            [$(if Kind::$kind as usize <= A::KIND as usize { Some(test_of::<A, $kind>()) } else { None },)*]
        }
    };
}

for_each_shape!(shape);

// A larger shape must be in a box.
const _: () = assert!(size_of::<Shape>() == 32);

/// A type that is held by a variant of [`Shape`].
pub(super) trait Variant: RoundedConvex {
    const KIND: Kind;

    fn of(shape: &Shape) -> Option<&Self>;
}

/// See [`Shape::bucket_test`].
type BucketTest = fn(&[[u32; 2]], &[Shape], &mut [bool]);

/// Returns the test of one pair of kinds.
const fn test_of<A: Variant + Meets<B>, B: Variant>() -> BucketTest {
    if <A as Meets<B>>::FOUR_OVERLAPS.is_some() { test_fours::<A, B> } else { test_pairs::<A, B> }
}

/// Tests the pairs of one bucket: a loop around the kernel of one pair of kinds. Every answer is written, because a
/// branch on it would be mispredicted.
#[inline(never)]
fn test_pairs<A: Variant + Meets<B>, B: Variant>(pairs: &[[u32; 2]], shapes: &[Shape], overlapping: &mut [bool]) {
    for (pair, overlapping) in pairs.iter().zip(overlapping) {
        let [a, b] = pair.each(|slot| &shapes[slot as usize]);
        *overlapping = A::of(a).zip(B::of(b)).is_some_and(|(a, b)| a.overlaps(b));
    }
}

/// Does the same four pairs at a time. A pair that stays undecided is tested alone.
#[inline(never)]
fn test_fours<A: Variant + Meets<B>, B: Variant>(pairs: &[[u32; 2]], shapes: &[Shape], overlapping: &mut [bool]) {
    let (fours, rest) = pairs.as_chunks::<4>();
    let (answers, rest_of_answers) = overlapping.as_chunks_mut::<4>();
    for (four, answers) in fours.iter().zip(answers) {
        let [first, second] = [0, 1].each(|side| four.each(|pair| &shapes[pair[side] as usize]));
        let found = match (<A as Meets<B>>::FOUR_OVERLAPS, four_of::<A>(first), four_of::<B>(second)) {
            (Some(test), Some(first), Some(second)) => test(first, second),
            _ => FourAnswers::UNDECIDED,
        };
        *answers = found.overlapping();
        for lane in (0..4).filter(|lane| found.answer(*lane).is_none()) {
            test_pairs::<A, B>(&four[lane..=lane], shapes, &mut answers[lane..=lane]);
        }
    }
    test_pairs::<A, B>(rest, shapes, rest_of_answers);
}

/// Returns four shapes as their type; `None` if one has another type.
#[inline(always)]
fn four_of<A: Variant>([a, b, c, d]: [&Shape; 4]) -> Option<[&A; 4]> {
    Some([A::of(a)?, A::of(b)?, A::of(c)?, A::of(d)?])
}
