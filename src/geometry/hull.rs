//! Every convex shape of the crate as the Minkowski sum of a convex polygon and the affine image of a disc.
//!
//! This set is closed under affine maps, so the world form of every shape under every transform is exact.

use glam::{DMat2, DVec2, Vec2};

use super::points::{Outline, Parallelogram, Points};
use super::support::Support;
use crate::math::tolerance::SUPPORT_FUNCTION;
use crate::math::{Aabb, Each};

/// A convex shape that has a [`Hull`]: the Minkowski sum of a polygon and an affine disc, or a support function.
pub trait RoundedConvex {
    /// `false` for a shape whose contacts are compiled once instead of once per pair.
    #[doc(hidden)]
    const IS_COMMON: bool = true;

    /// Returns the shape as a hull.
    #[doc(hidden)]
    fn hull(&self) -> Hull<'_>;
}

/// A convex shape in world space. All shapes share this type, so the exact tests are compiled once and not per pair.
#[derive(Debug, Clone, Copy)]
pub struct Hull<'a> {
    /// The point that all other points are relative to. Tests subtract the centres of two shapes first, so the distance
    /// from the world's origin costs no precision.
    pub(crate) center: Vec2,
    /// The polygon.
    pub(crate) core: Core<'a>,
    /// The disc that is added to the polygon.
    pub(crate) disc: Disc<'a>,
}

/// The affine disc of a [`Hull`]: a point, a disc, an ellipse, or, of a shape outside that form, all of it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Disc<'a> {
    /// A disc with this radius; 0 for none.
    Circle(f64),
    /// The image of the unit disc under this matrix.
    Ellipse(DMat2),
    /// The whole shape is given by its support function, whose points are exact to `f32` only. The core is a point.
    Support(&'a dyn Support),
}

impl<'a> Disc<'a> {
    /// No disc at all.
    pub(crate) const NONE: Self = Self::Circle(0.0);

    /// Returns the Minkowski sum of two discs if it is an affine disc too, else `None`.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Circle(a), Self::Circle(b)) => Some(Self::Circle(a + b)),
            (Self::Ellipse(matrix), Self::Circle(0.0)) | (Self::Circle(0.0), Self::Ellipse(matrix)) => {
                Some(Self::Ellipse(*matrix))
            }
            (Self::Ellipse(matrix), Self::Ellipse(other)) if matrix == other => Some(Self::Ellipse(*matrix * 2.0)),
            _ => None,
        }
    }
}

impl Hull<'_> {
    /// Returns the point of the disc furthest along a unit vector, relative to the disc's centre.
    #[inline]
    pub(super) fn furthest_of_disc(&self, direction: DVec2) -> DVec2 {
        match self.disc {
            Disc::Circle(radius) => direction * radius,
            Disc::Ellipse(matrix) => matrix * (matrix.transpose() * direction).normalize_or_zero(),
            Disc::Support(shape) => shape.furthest(direction),
        }
    }

    /// Returns the distance from the centre to the furthest point to within a factor of two: an upper bound of it, except
    /// for a support function. Tolerances are relative to it.
    #[inline(always)]
    pub(crate) fn extent(&self) -> f64 {
        match self.disc {
            Disc::Circle(radius) => self.core.extent() + radius,
            Disc::Ellipse(matrix) => self.core.extent() + matrix.x_axis.length() + matrix.y_axis.length(),
            Disc::Support(shape) => [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y]
                .into_iter()
                .map(|direction| shape.furthest(direction).abs().element_sum())
                // Unlike `max`, this keeps a NaN.
                .fold(0.0, |most, reach| if most > reach || most.is_nan() { most } else { reach }),
        }
    }

    /// Returns the point furthest along a unit vector, in the same frame as the centre.
    pub(crate) fn support_point(&self, direction: DVec2) -> DVec2 {
        self.center.as_dvec2() + self.furthest(direction)
    }

    /// Returns the smallest box around the shape, padded for rounding.
    pub(crate) fn bounds(&self) -> Aabb {
        self.bounds_around(self.center)
    }

    /// Returns the rounding of the points of a shape with this extent that is given by a support function; 0 for another
    /// shape.
    #[inline(always)]
    pub(super) fn support_error(&self, extent: f64) -> f64 {
        if matches!(self.disc, Disc::Support(_)) { extent * SUPPORT_FUNCTION } else { 0.0 }
    }
}

impl Support for Hull<'_> {
    fn furthest(&self, direction: DVec2) -> DVec2 {
        self.core.furthest(direction) + self.furthest_of_disc(direction)
    }
}

/// The polygon of a [`Hull`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum Core<'a> {
    /// A point, a segment or a parallelogram in `f64`: its corners may not be exact in `f32`.
    Parallelogram(Parallelogram),
    /// The corners of a strictly convex polygon, counter-clockwise; the two ends of a segment, or a point.
    Polygon(&'a [Vec2]),
}

/// Evaluates `$body` with `$points` bound to the points of a core, whose type implements [`Points`].
macro_rules! with_points {
    ($core:expr, $points:ident => $body:expr) => {
        match $core {
            $crate::geometry::hull::Core::Parallelogram($points) => $body,
            $crate::geometry::hull::Core::Polygon($points) => {
                let $points = *$points;
                $body
            }
        }
    };
}
pub(crate) use with_points;

impl Core<'_> {
    /// A point at the centre.
    pub(crate) const POINT: Self =
        Self::Parallelogram(Parallelogram { middle: DVec2::ZERO, axes: [DVec2::ZERO; 2], len: 1 });

    /// Returns the segment between two points.
    #[inline]
    pub(crate) fn segment(ends: [Vec2; 2]) -> Self {
        // Halved first: compiled from `(a + b) * 0.5`, contacts take 15 % longer (W5 of `benches/peers`), because sum and
        // difference are stored by coordinates and loaded as vectors.
        let [a, b] = ends.each(|end| end.as_dvec2() * 0.5);
        Self::Parallelogram(Parallelogram { middle: a + b, axes: [a - b, DVec2::ZERO], len: 2 })
    }

    /// Returns the parallelogram around the centre with these half-axes.
    #[inline]
    pub(crate) fn parallelogram(half_axes: [Vec2; 2]) -> Self {
        let [x, y] = half_axes.each(|axis| axis.as_dvec2());
        let y = if x.perp_dot(y) < 0.0 { -y } else { y };
        Self::Parallelogram(Parallelogram { middle: DVec2::ZERO, axes: [x, y], len: 4 })
    }

    /// Returns the corners; of a polygon without area the two ends only, because corners between them would divide its
    /// sides.
    pub(crate) fn points(&self) -> Outline {
        let mut outline = Outline::new();
        with_points!(self, points => (0..points.count()).for_each(|index| outline.push(points.point(index))));
        if outline.len() > 2 {
            let (first, spread) = (outline[0], (&outline).spread());
            if outline.iter().all(|point| (*point - first).perp_dot(spread) == 0.0) {
                outline = Outline::from_slice(&[(&outline).furthest(-spread), (&outline).furthest(spread)]);
            }
        }
        outline
    }

    pub(crate) fn furthest(&self, direction: DVec2) -> DVec2 {
        with_points!(self, points => points.furthest(direction))
    }

    #[inline]
    pub(crate) fn extent(&self) -> f64 {
        with_points!(self, points => points.extent())
    }

    /// Returns `true` if no coordinate is NaN or infinite.
    pub(super) fn is_finite(&self) -> bool {
        // The coordinates are `f32`, so their sum is not finite only if one of them is not.
        with_points!(self, points => (0..points.count()).map(|index| points.point(index)).sum::<DVec2>()).is_finite()
    }
}
