//! The one geometric idea: `W = conv(P) + M·D`, a convex polygon `P` of core points swollen by the affine image `M` of
//! the unit disc `D`.
//!
//! The family is closed under affine maps, so every world transform of a shape has an exact image in it.

use glam::{DMat2, DVec2, Vec2};

use crate::math::tolerance::FLAT;

/// The points of a core, relative to the shape's centre, in the order of a convex outline (counter-clockwise where
/// there is an area).
pub trait Core {
    /// How many; at least one.
    fn len(&self) -> usize;
    /// The `index`-th.
    fn point(&self, index: usize) -> DVec2;

    /// The edge that starts at the `index`-th point: start and direction.
    fn edge(&self, index: usize) -> (DVec2, DVec2) {
        let next = if index + 1 == self.len() { 0 } else { index + 1 };
        let start = self.point(index);
        (start, self.point(next) - start)
    }

    /// The point furthest along `direction`.
    fn furthest(&self, direction: DVec2) -> DVec2 {
        let mut best = self.point(0);
        let mut reach = best.dot(direction);
        for index in 1..self.len() {
            let point = self.point(index);
            let along = point.dot(direction);
            if along > reach {
                (best, reach) = (point, along);
            }
        }
        best
    }

    /// The largest distance of a point from the centre, measured along the axes and summed.
    fn extent(&self) -> f64 {
        (0..self.len()).map(|index| self.point(index).abs().element_sum()).fold(0.0, f64::max)
    }
}

impl<const N: usize> Core for [DVec2; N] {
    fn len(&self) -> usize {
        N
    }

    fn point(&self, index: usize) -> DVec2 {
        self[index]
    }
}

impl Core for &[Vec2] {
    fn len(&self) -> usize {
        <[Vec2]>::len(self)
    }

    fn point(&self, index: usize) -> DVec2 {
        self[index].as_dvec2()
    }
}

/// What a core is swollen by.
#[derive(Debug, Clone, Copy)]
pub enum Disc {
    /// A disc of this radius; 0 for none.
    Round(f64),
    /// The image of the unit disc under this matrix.
    Squashed(DMat2),
    /// Unknown: only the support function tells. Its points are exact to `f32` only.
    BlackBox,
}

/// A convex shape in world space.
pub trait Family {
    /// The point that everything else is relative to. Two shapes' centres are subtracted first, so that being far from
    /// the origin costs nothing.
    fn center(&self) -> Vec2;
    /// The core points.
    fn core(&self) -> impl Core;
    /// What swells the core.
    fn disc(&self) -> Disc;

    /// The core points in `f32`, for choosing; empty if only [`core`](Self::core) is good enough.
    fn outline(&self) -> impl AsRef<[Vec2]> {
        []
    }

    /// The point of the shape furthest along `direction` (a unit vector), relative to the centre.
    fn furthest(&self, direction: DVec2) -> DVec2 {
        self.core().furthest(direction)
            + match self.disc() {
                Disc::Round(radius) => direction * radius,
                Disc::Squashed(matrix) => matrix * (matrix.transpose() * direction).normalize_or_zero(),
                Disc::BlackBox => DVec2::ZERO,
            }
    }

    /// How far the shape reaches from its centre, roughly: the scale that tolerances refer to.
    fn extent(&self) -> f64 {
        self.core().extent()
            + match self.disc() {
                Disc::Round(radius) => radius,
                Disc::Squashed(matrix) => matrix.x_axis.length() + matrix.y_axis.length(),
                Disc::BlackBox => 0.0,
            }
    }
}

/// A core under an affine map, still counter-clockwise.
pub(super) struct Mapped<C> {
    pub(super) core: C,
    pub(super) map: DMat2,
    pub(super) offset: DVec2,
}

impl<C: Core> Core for Mapped<C> {
    fn len(&self) -> usize {
        self.core.len()
    }

    fn point(&self, index: usize) -> DVec2 {
        let index = if self.map.determinant() < 0.0 { self.len() - 1 - index } else { index };
        self.map * (self.core.point(index) + self.offset)
    }
}

/// The inverse of a disc's matrix, unless it is [flat](flattened).
pub(crate) fn inverse(matrix: DMat2) -> Option<DMat2> {
    flattened(matrix).is_none().then(|| matrix.inverse())
}

/// The half-axis of the segment that the image of the unit disc has become, if its other axis is too short to tell.
pub(crate) fn flattened(matrix: DMat2) -> Option<DVec2> {
    let DMat2 { x_axis: x, y_axis: y } = matrix;
    // The squares of the two half-axes have this sum, and the determinant is their product.
    let squares = x.length_squared() + y.length_squared();
    if x.perp_dot(y).abs() > FLAT * squares {
        return None;
    }
    let longer = if x.length_squared() >= y.length_squared() { x } else { y };
    Some(longer.normalize_or_zero() * squares.sqrt())
}
