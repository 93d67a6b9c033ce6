use core::any::{Any, TypeId};
use core::sync::atomic::{AtomicBool, Ordering};

use glam::{Affine2, DMat2, DVec2, Vec2};

use super::collider_geometry::ColliderGeometry;
use crate::geometry::{Core, Hull, RoundedConvex, Rounding, Support};
use crate::math::Aabb;
use crate::shape::{Meets, for_each_shape, mirror};

/// A collider in world space, defined by its support function alone.
///
/// It [meets](Meets) every shape through the convex fallback, whatever visitors the collider overrides. For a collider
/// of [several pieces](crate::Collider::pieces) it is their convex hull.
///
/// Answers are exact to about 2.5e-7 of the shape's size.
#[derive(Debug, Clone, Copy)]
#[doc(alias("convex", "GJK"))]
pub struct SupportShape<'a> {
    collider: &'a dyn ColliderGeometry,
    at: &'a Affine2,
    probe: Option<Probe<'a>>,
}

impl<'a> SupportShape<'a> {
    /// Creates the shape of a collider under a node with this world transform.
    pub(super) const fn of(collider: &'a dyn ColliderGeometry, at: &'a Affine2) -> Self {
        Self { collider, at, probe: None }
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
        let reach = |direction: DVec2| self.furthest(direction).dot(direction) as f32;
        let max = Vec2::new(reach(DVec2::X), reach(DVec2::Y));
        let min = -Vec2::new(reach(DVec2::NEG_X), reach(DVec2::NEG_Y));
        Aabb::padded(self.at.translation, min, max)
    }
}

impl RoundedConvex for SupportShape<'_> {
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.at.translation, core: Core::POINT, rounding: Rounding::Support(self) }
    }
}

impl Support for SupportShape<'_> {
    fn furthest(&self, direction: DVec2) -> DVec2 {
        let matrix = DMat2::from_cols(self.at.matrix2.x_axis.as_dvec2(), self.at.matrix2.y_axis.as_dvec2());
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

/// A mark on a support shape by which the dispatch detects whether a collider overrides the visitor that it calls.
///
/// The default contact visitor declines such a shape instead of computing an answer, so the dispatch can try the visitor
/// of the other collider before it computes the convex fallback.
#[derive(Debug, Clone, Copy)]
struct Probe<'a> {
    /// The visited collider. An override may pass the shape on to the default body of another collider, such as one
    /// that it wraps, and that one has to answer.
    visited: Identity,
    /// Whether the contact visitor declines: only if the dispatch or the default overlap visitor calls it. An override
    /// of the overlap visitor may call it too, and then it has to answer.
    is_armed: bool,
    /// The result. It is atomic only to keep support shapes `Sync`.
    declined: &'a AtomicBool,
}

/// The type and the address of a collider. One alone is not enough: a field may have the address of its struct.
type Identity = (TypeId, usize);

fn identity(collider: &dyn ColliderGeometry) -> Identity {
    ((collider as &dyn Any).type_id(), core::ptr::from_ref(collider).cast::<()>().addr())
}

impl<'a> SupportShape<'a> {
    /// Returns the same shape, with a probe for a call of the overlap visitor of `visited`.
    pub(super) fn probing(self, visited: &dyn ColliderGeometry, declined: &'a AtomicBool) -> Self {
        Self { probe: Some(Probe { visited: identity(visited), is_armed: false, declined }), ..self }
    }

    /// Returns the same shape, for a call of the contact visitor of `visited`: by the dispatch, or by the default
    /// overlap visitor.
    pub(super) fn armed_by(self, visited: &dyn ColliderGeometry) -> Self {
        let probe = self.probe.filter(|probe| probe.visited == identity(visited));
        Self { probe: probe.map(|probe| Probe { is_armed: true, ..probe }), ..self }
    }

    /// Returns `true`, and records it, if the default contact visitor of `visited` must not compute an answer.
    pub(super) fn is_declined_by(&self, visited: &dyn ColliderGeometry) -> bool {
        let probe = self.probe.filter(|probe| probe.is_armed && probe.visited == identity(visited));
        if let Some(probe) = probe {
            probe.declined.store(true, Ordering::Relaxed);
        }
        probe.is_some()
    }
}

#[cfg(test)]
mod tests {
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
    fn only_the_visited_collider_declines_and_only_if_it_is_armed() {
        let (visited, other, at) = (Circle::new(1.0), Circle::new(1.0), Affine2::IDENTITY);
        let plain = SupportShape::of(&other, &at);
        assert!(!plain.is_declined_by(&visited) && !plain.armed_by(&visited).is_declined_by(&visited));

        let declined = AtomicBool::new(false);
        let shape = plain.probing(&visited, &declined);
        assert!(!shape.is_declined_by(&visited), "an override of the overlap visitor called the contact visitor");
        assert!(!shape.armed_by(&other).is_declined_by(&visited), "another collider passed the shape on");
        assert!(!shape.armed_by(&visited).is_declined_by(&other) && !declined.load(Ordering::Relaxed));
        assert!(shape.armed_by(&visited).is_declined_by(&visited) && declined.load(Ordering::Relaxed));
    }
}
