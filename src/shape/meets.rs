//! The pair table: how each shape meets each other one. A row is in the file of the shape with the higher rank.

use glam::Vec2;

use super::Contact;
use crate::geometry::sat::four::FourAnswers;
use crate::geometry::{Hull, RoundedConvex};
use crate::geometry::{common_point_separation, contact, exact_overlap, exact_separation};

/// A function that tests the first shape of each of four pairs against the second one.
pub type FourOverlaps<A, B> = fn([&A; 4], [&B; 4]) -> FourAnswers;

/// The overlap, contact and distance of two shapes in world space. Every pair of shapes implements it, in either order;
/// other crates cannot implement it.
///
/// Shapes are closed and solid: touching counts as overlapping, and so does containment. A shape at a non-finite
/// position overlaps nothing, and its distance to others is NaN.
///
/// ```
/// use hitgraph::{Circle, Meets, Rect};
/// use glam::vec2;
///
/// let ball = Circle::new(1.0).at(vec2(1.5, 0.0));
/// let wall = Rect::new(2.0, 2.0);
/// assert!(ball.overlaps(&wall));
/// assert_eq!(wall.contact(&ball).unwrap().depth, 0.5);
/// assert_eq!(ball.at(vec2(3.0, 0.0)).distance(&wall), 1.0);
/// ```
#[doc(alias("collide", "intersect"))]
pub trait Meets<Other: RoundedConvex>: RoundedConvex + Sized {
    /// Returns `true` if the shapes share a point; touching counts.
    #[inline]
    fn overlaps(&self, other: &Other) -> bool {
        self.fast_overlap(other).unwrap_or_else(|| exact_overlap(&self.hull(), &other.hull()))
    }

    /// Returns where and how deep the shapes overlap, `None` if they do not. The normal points from `self` to `other`.
    #[doc(alias("MTV", "penetration"))]
    fn contact(&self, other: &Other) -> Option<Contact> {
        let (a, b) = (self.hull(), other.hull());
        // Inlined here, it sees the form of each hull. Without this, contacts take 27 % longer (W5 of `benches/peers`).
        if Self::IS_COMMON && Other::IS_COMMON { contact(&a, &b) } else { contact_of_hulls(&a, &b) }
    }

    /// Returns the distance between the closest points, in world units; 0 if the shapes overlap.
    fn distance(&self, other: &Other) -> f32 {
        exact_separation(&self.hull(), &other.hull()).distance()
    }

    /// Returns the closest points, on `self` and on `other`. If the shapes overlap, both are the same point, which is in
    /// both shapes.
    ///
    /// ```
    /// # use hitgraph::{Circle, Meets, Rect};
    /// # use glam::vec2;
    /// let (lamp, wall) = (Circle::point(vec2(0.0, 3.0)), Rect::new(2.0, 2.0));
    /// assert_eq!(lamp.closest_points(&wall), [vec2(0.0, 3.0), vec2(0.0, 1.0)]);
    /// ```
    fn closest_points(&self, other: &Other) -> [Vec2; 2] {
        common_point_separation(&self.hull(), &other.hull()).closest_points()
    }

    /// Returns whether the shapes overlap by the closed form of the pair in `f32`, or `None` if rounding could change
    /// the answer: then the `f64` test decides.
    #[doc(hidden)]
    #[inline]
    fn fast_overlap(&self, _other: &Other) -> Option<bool> {
        None
    }

    /// The same as [`fast_overlap`](Self::fast_overlap) for four pairs at a time; `None` if the pair of shapes has no
    /// such form.
    #[doc(hidden)]
    const FOUR_OVERLAPS: Option<FourOverlaps<Self, Other>> = None;
}

/// Does the same as [`contact`], but is compiled once, for the less common pairs.
pub(super) fn contact_of_hulls(a: &Hull<'_>, b: &Hull<'_>) -> Option<Contact> {
    contact(a, b)
}

/// Implements the upper triangle of the pair table: `mirror!(A: B, C)` lets `B` and `C` meet `A` as `A` meets them.
macro_rules! mirror {
    ($row:ty: $($column:ty),*) => {
        $(impl $crate::shape::Meets<$row> for $column {
            fn overlaps(&self, other: &$row) -> bool {
                other.overlaps(self)
            }

            fn fast_overlap(&self, other: &$row) -> Option<bool> {
                other.fast_overlap(self)
            }

            fn contact(&self, other: &$row) -> Option<$crate::shape::Contact> {
                other.contact(self).map($crate::shape::Contact::flipped)
            }

            fn distance(&self, other: &$row) -> f32 {
                other.distance(self)
            }

            fn closest_points(&self, other: &$row) -> [glam::Vec2; 2] {
                let [on_other, on_self] = other.closest_points(self);
                [on_self, on_other]
            }
        })*
    };
}
pub(crate) use mirror;
