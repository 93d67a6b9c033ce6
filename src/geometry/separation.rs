use glam::{DVec2, Vec2};

use super::hull::Hull;
use crate::math::Each;
use crate::math::tolerance::TOUCHING;

/// The relation of two shapes: their gap, its direction and the nearest points. Points are relative to the first shape's
/// centre.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separation {
    /// The distance, or minus the penetration depth if the shapes overlap.
    pub(crate) gap: f64,
    /// Unit vector from the first shape to the second.
    pub(crate) normal: DVec2,
    /// The point of the first shape's surface that is nearest to the second shape, or deepest in it.
    pub(crate) on_a: DVec2,
    /// The point of the second shape's surface.
    pub(crate) on_b: DVec2,
    /// The first shape's centre in world space.
    pub(crate) origin: Vec2,
    /// The rounding of `gap`: shapes whose gap is no larger touch.
    pub(crate) tolerance: f64,
}

/// A function that computes the separation of two shapes.
pub(crate) type Measure = fn(&Hull<'_>, &Hull<'_>) -> Separation;

impl Separation {
    /// The separation of two shapes, one of which is not finite.
    pub(super) const NAN: Self = Self {
        gap: f64::NAN,
        normal: DVec2::NAN,
        on_a: DVec2::NAN,
        on_b: DVec2::NAN,
        origin: Vec2::NAN,
        tolerance: f64::NAN,
    };

    /// Returns `true` if the shapes share a point.
    pub(crate) fn touches(&self) -> bool {
        self.gap <= self.tolerance
    }

    /// Returns the distance; 0 if the shapes touch, NaN if one of them is not finite.
    pub(crate) fn distance(&self) -> f32 {
        if self.touches() { 0.0 } else { self.gap as f32 }
    }

    /// Returns the penetration depth; 0 if the shapes do not overlap.
    pub(crate) fn depth(&self) -> f32 {
        // `max` may return the negative zero.
        if self.gap < 0.0 { -self.gap as f32 } else { 0.0 }
    }

    /// Returns the two points in world space: twice their middle if the shapes touch, NaN if one of the shapes is not
    /// finite.
    pub(crate) fn closest_points(&self) -> [Vec2; 2] {
        if self.touches() {
            [self.in_world((self.on_a + self.on_b) * 0.5); 2]
        } else {
            [self.on_a, self.on_b].each(|point| self.in_world(point))
        }
    }

    /// Returns the world position of a point relative to the first shape's centre.
    pub(crate) fn in_world(&self, point: DVec2) -> Vec2 {
        (self.origin.as_dvec2() + point).as_vec2()
    }

    /// Exchanges the two shapes. The points stay relative to the first shape's centre.
    pub(crate) fn flipped(self) -> Self {
        Self { normal: -self.normal, on_a: self.on_b, on_b: self.on_a, ..self }
    }

    /// Adds discs with these radii to the two shapes.
    pub(super) fn rounded(self, a: f64, b: f64) -> Self {
        Self { gap: self.gap - (a + b), on_a: self.on_a + self.normal * a, on_b: self.on_b - self.normal * b, ..self }
    }
}

/// One of the two shapes of a [`Frame`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    A,
    B,
}

/// The relative position of two shapes.
pub(super) struct Frame {
    /// The vector from the first centre to the second.
    pub(super) offset: DVec2,
    /// The first centre in world space.
    pub(super) origin: Vec2,
    /// The rounding of a gap: shapes whose gap is no larger touch.
    pub(super) tolerance: f64,
}

impl Frame {
    /// Returns the frame of `a`, displaced by `displacement`, and `b`.
    #[inline(always)]
    pub(super) fn new(a: &Hull<'_>, b: &Hull<'_>, displacement: DVec2) -> Self {
        let offset = b.center.as_dvec2() - a.center.as_dvec2() - displacement;
        let extents = [a.extent(), b.extent()];
        let size = offset.abs().element_sum() + extents[0] + extents[1];
        let tolerance = size * TOUCHING + a.support_error(extents[0]) + b.support_error(extents[1]);
        Self { offset, origin: a.center, tolerance }
    }

    /// Returns the vector from the centre of one of the two shapes to that of the other one.
    #[inline(always)]
    pub(super) fn offset_from(&self, operand: Operand) -> DVec2 {
        match operand {
            Operand::A => self.offset,
            Operand::B => -self.offset,
        }
    }

    /// Returns the separation at a point of the surface of one of the two shapes, relative to its own centre. `normal` is
    /// the unit vector out of that shape to the other one.
    pub(super) fn separation_at(&self, operand: Operand, point: DVec2, normal: DVec2, gap: f64) -> Separation {
        let across = point + normal * gap;
        let (normal, [on_a, on_b]) = match operand {
            Operand::A => (normal, [point, across]),
            Operand::B => (-normal, [across, point].each(|point| self.offset + point)),
        };
        Separation { gap, normal, on_a, on_b, origin: self.origin, tolerance: self.tolerance }
    }

    /// Returns the separation with these points, each relative to the centre of its own shape.
    pub(super) fn separation(&self, gap: f64, normal: DVec2, on_a: DVec2, on_b: DVec2) -> Separation {
        Separation { gap, normal, on_a, on_b: self.offset + on_b, origin: self.origin, tolerance: self.tolerance }
    }
}
