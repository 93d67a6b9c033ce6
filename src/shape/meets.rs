use glam::Vec2;

use super::contact::Contact;
use super::family::Family;
use super::manifold;
use super::separation::{Separation, separation, touches};

/// How two shapes in world space meet. Implemented for every pair of shapes, in either order; it cannot be implemented
/// outside.
///
/// Shapes are closed and solid: touching overlaps, and so does lying wholly inside. One that was moved to where is no
/// number overlaps nothing, and its distance to others is NaN.
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
pub trait Meets<Other: Family>: Family + Sized {
    /// Whether the shapes share a point; touching counts.
    fn overlaps(&self, other: &Other) -> bool {
        self.screen(other).unwrap_or_else(|| touches(&self.hull(), &other.hull()))
    }

    /// Where and how deep they overlap, `None` if they do not. The normal points from `self` to `other`.
    #[doc(alias("MTV", "penetration"))]
    fn contact(&self, other: &Other) -> Option<Contact> {
        match manifold::clear(&self.hull(), &other.hull()) {
            Some(clear) => clear,
            None => manifold::contact(&self.hull(), &other.hull()),
        }
    }

    /// The distance between the nearest points, in world units; 0 if they overlap.
    fn distance(&self, other: &Other) -> f32 {
        self.separation(other).distance()
    }

    /// The nearest points, on `self` and on `other`. If the shapes overlap both are the same point, in the middle of
    /// the overlap.
    fn closest_points(&self, other: &Other) -> [Vec2; 2] {
        self.separation(other).closest_points()
    }

    /// Whether they overlap, if `f32` alone can tell: the closed form of the pair. `None` leaves it to the authority.
    #[doc(hidden)]
    fn screen(&self, _other: &Other) -> Option<bool> {
        None
    }

    #[doc(hidden)]
    fn separation(&self, other: &Other) -> Separation {
        separation(&self.hull(), &other.hull())
    }
}

/// The upper triangle of the pair table: `mirror!(A: B, C)` lets `B` and `C` meet `A` as `A` meets them.
macro_rules! mirror {
    ($row:ty: $($column:ty),*) => {
        $(impl $crate::shape::Meets<$row> for $column {
            fn overlaps(&self, other: &$row) -> bool {
                other.overlaps(self)
            }

            fn screen(&self, other: &$row) -> Option<bool> {
                other.screen(self)
            }

            fn contact(&self, other: &$row) -> Option<$crate::shape::Contact> {
                other.contact(self).map($crate::shape::Contact::flipped)
            }

            fn separation(&self, other: &$row) -> $crate::shape::Separation {
                other.separation(self).flipped()
            }
        })*
    };
}
pub(crate) use mirror;
