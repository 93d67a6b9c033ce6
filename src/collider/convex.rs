use glam::{Affine2, DMat2, DVec2, Vec2};

use super::Collider;
use crate::math::Aabb;
use crate::shape::family::{Core, Disc, Family};
use crate::shape::{Capsule, Circle, Ellipse, Meets, Polygon, Ray, RayTouch, Rect, Rounded, Segment};
use crate::shape::{for_each_shape, mirror};

/// A collider at its place in the world, known by its support function alone. It meets every shape through the convex
/// fallback.
#[derive(Debug, Clone, Copy)]
pub struct Convex<'a> {
    collider: &'a dyn Collider,
    at: &'a Affine2,
}

impl<'a> Convex<'a> {
    /// A collider under a node with this world transform.
    #[must_use]
    pub fn new(collider: &'a dyn Collider, at: &'a Affine2) -> Self {
        Self { collider, at }
    }

    /// The collider, in its own frame.
    #[must_use]
    pub fn collider(&self) -> &'a dyn Collider {
        self.collider
    }

    /// The world transform.
    #[must_use]
    pub fn at(&self) -> &'a Affine2 {
        self.at
    }

    /// The smallest box around it, padded by the support function's rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let reach = |direction: DVec2| self.furthest(direction).dot(direction) as f32;
        let max = Vec2::new(reach(DVec2::X), reach(DVec2::Y));
        let min = -Vec2::new(reach(DVec2::NEG_X), reach(DVec2::NEG_Y));
        Aabb::padded(self.at.translation, min, max)
    }

    pub(crate) fn cast_ray(&self, ray: &Ray) -> Option<RayTouch> {
        ray.enter_convex(self)
    }
}

impl Family for Convex<'_> {
    fn center(&self) -> Vec2 {
        self.at.translation
    }

    fn core(&self) -> impl Core {
        [DVec2::ZERO]
    }

    fn disc(&self) -> Disc {
        Disc::BlackBox
    }

    fn furthest(&self, direction: DVec2) -> DVec2 {
        let matrix = DMat2::from_cols(self.at.matrix2.x_axis.as_dvec2(), self.at.matrix2.y_axis.as_dvec2());
        // Where the transform flattens the direction away every point is equally far, so any will do.
        let local = (matrix.transpose() * direction).try_normalize().unwrap_or(DVec2::X);
        matrix * self.collider.support(local.as_vec2()).as_dvec2()
    }

    fn extent(&self) -> f64 {
        [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y]
            .into_iter()
            .map(|direction| self.furthest(direction).abs().element_sum())
            .fold(0.0, f64::max)
    }
}

macro_rules! fallback {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        $(
            impl Meets<$kind> for Convex<'_> {}
            mirror!(Convex<'_>: $kind);
        )*
    };
}

for_each_shape!(fallback);

impl Meets<Convex<'_>> for Convex<'_> {}
