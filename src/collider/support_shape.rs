use core::any::{Any, TypeId};
use core::sync::atomic::{AtomicBool, Ordering};

use glam::{Affine2, DVec2};

use super::collider_geometry::ColliderGeometry;
use crate::geometry::{Core, Disc, Hull, RoundedConvex, Support};
use crate::math::Aabb;
use crate::shape::{Meets, for_each_shape, mirror};

/// A collider in world space, defined by its support function alone.
///
/// It [meets](Meets) every shape through the convex fallback, whatever visitors the collider overrides. For a collider
/// of [several pieces](crate::Collider::pieces) it is their convex hull.
///
/// Answers are exact to about 2.5e-7 of the distance from the collider's own origin to its furthest point.
///
/// ```
/// use hitgraph::{Circle, Collider, Meets, SupportShape};
/// use glam::{Affine2, Vec2, vec2};
///
/// /// A square that stands on a corner.
/// #[derive(Debug, Clone)]
/// struct Diamond(f32);
///
/// impl Collider for Diamond {
///     fn support(&self, direction: Vec2) -> Vec2 {
///         let Vec2 { x, y } = direction;
///         if x.abs() > y.abs() { vec2(self.0 * x.signum(), 0.0) } else { vec2(0.0, self.0 * y.signum()) }
///     }
/// }
///
/// // A shape of yours without a scene: it meets every other shape.
/// let at = Affine2::from_translation(vec2(5.0, 0.0));
/// let diamond = SupportShape::new(&Diamond(2.0), &at);
/// assert!(diamond.overlaps(&Circle::point(vec2(3.0, 0.0))) && diamond.bounds().contains(vec2(5.0, 2.0)));
/// assert_eq!(diamond.at().translation, vec2(5.0, 0.0));
/// assert_eq!(diamond.collider_as::<Diamond>().map(|diamond| diamond.0), Some(2.0));
/// ```
#[derive(Debug, Clone, Copy)]
#[doc(alias("convex", "GJK"))]
pub struct SupportShape<'a> {
    collider: &'a dyn ColliderGeometry,
    at: &'a Affine2,
    mark: Option<&'a OverrideMark>,
}

impl<'a> SupportShape<'a> {
    /// Creates the shape of a collider under a node with this world transform.
    pub(super) const fn of(collider: &'a dyn ColliderGeometry, at: &'a Affine2) -> Self {
        Self { collider, at, mark: None }
    }

    /// Returns the collider as its own type, in its own frame; `None` if it is of another type.
    #[must_use]
    pub fn collider_as<T: Any>(&self) -> Option<&'a T> {
        (self.collider as &dyn Any).downcast_ref()
    }

    /// Returns the world transform of the node that carries the collider.
    #[must_use]
    pub const fn at(&self) -> &'a Affine2 {
        self.at
    }

    /// Returns the smallest box around the shape, padded for the rounding of the support function.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds_around(self.at.translation)
    }
}

impl RoundedConvex for SupportShape<'_> {
    const IS_COMMON: bool = false;

    fn hull(&self) -> Hull<'_> {
        Hull { center: self.at.translation, core: Core::POINT, disc: Disc::Support(self) }
    }
}

impl Support for SupportShape<'_> {
    fn furthest(&self, direction: DVec2) -> DVec2 {
        let matrix = self.at.matrix2.as_dmat2();
        // If the transform flattens this direction to zero, all points are equally far along it.
        let local = (matrix.transpose() * direction).try_normalize().unwrap_or(DVec2::X);
        matrix * self.collider.support_point(local.as_vec2()).as_dvec2()
    }
}

macro_rules! fallback {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        $(
            impl Meets<crate::shape::$kind> for SupportShape<'_> {}
            mirror!(SupportShape<'_>: crate::shape::$kind);
        )*
    };
}

for_each_shape!(fallback);

impl Meets<SupportShape<'_>> for SupportShape<'_> {}

/// A visitor of support shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visitor {
    Overlap,
    Contact,
}

/// A mark on a support shape that shows whether a type of collider overrides a visitor: the default body of that
/// visitor abstains instead of computing an answer. All other visitors ignore the mark. So an override may call default
/// bodies of other types and of the other visitor, and gets their answers.
#[derive(Debug)]
struct OverrideMark {
    visited: (TypeId, Visitor),
    /// It is atomic only to keep support shapes `Sync`.
    abstained: AtomicBool,
}

impl SupportShape<'_> {
    /// Calls a visitor of `visited` with this shape. Returns `None` if the collider's type does not override it.
    pub(super) fn answer_of<R>(
        &self,
        visited: &dyn ColliderGeometry,
        visitor: Visitor,
        call: impl FnOnce(&SupportShape<'_>) -> R,
    ) -> Option<R> {
        let mark = OverrideMark { visited: (visited.type_id(), visitor), abstained: AtomicBool::new(false) };
        let answer = call(&SupportShape { mark: Some(&mark), ..*self });
        (!mark.abstained.into_inner()).then_some(answer)
    }

    /// Returns `true` if the default body of a visitor of `visited` must abstain, and records that it does.
    pub(super) fn makes_abstain(&self, visited: &dyn ColliderGeometry, visitor: Visitor) -> bool {
        let mark = self.mark.filter(|mark| mark.visited == (visited.type_id(), visitor));
        mark.inspect(|mark| mark.abstained.store(true, Ordering::Relaxed)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::shape::{Circle, Segment};

    #[test]
    fn a_support_shape_has_the_bounds_of_the_image() {
        let at = Affine2::from_scale_angle_translation(Vec2::new(2.0, 0.5), 0.0, Vec2::new(3.0, 4.0));
        let bounds = SupportShape::of(&Circle::point(Vec2::ONE), &at).bounds();
        assert!(bounds.min.abs_diff_eq(Vec2::new(5.0, 4.5), 1e-5), "{bounds:?}");
        assert!(bounds.max.abs_diff_eq(Vec2::new(5.0, 4.5), 1e-5), "{bounds:?}");
    }

    #[test]
    fn a_flattening_transform_gives_a_segment() {
        let at = Affine2::from_scale(Vec2::new(1.0, 0.0));
        let (disc, line) = (Circle::new(1.0), |y: f32| Segment::new(Vec2::new(0.0, y), Vec2::new(9.0, y)));
        let flat = SupportShape::of(&disc, &at);
        assert!(flat.overlaps(&line(0.0)) && !flat.overlaps(&line(0.1)));
    }

    #[test]
    fn only_the_default_body_of_the_visited_type_and_visitor_abstains() {
        let (visited, other, at) = (Circle::new(1.0), Segment::new(Vec2::ZERO, Vec2::X), Affine2::IDENTITY);
        let plain = SupportShape::of(&other, &at);
        assert!(!plain.makes_abstain(&visited, Visitor::Contact), "there is no mark");
        let answer_of = |calls: &dyn Fn(&SupportShape<'_>) -> bool| plain.answer_of(&visited, Visitor::Contact, calls);
        assert_eq!(answer_of(&|shape| shape.makes_abstain(&other, Visitor::Contact)), Some(false));
        assert_eq!(answer_of(&|shape| shape.makes_abstain(&visited, Visitor::Overlap)), Some(false));
        assert_eq!(answer_of(&|shape| shape.makes_abstain(&visited, Visitor::Contact)), None);
    }
}
