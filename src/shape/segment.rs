use glam::{Affine2, Vec2};

use super::any::{Local, Shape};
use super::circle::Circle;
use super::error::{ShapeError, or_panic, point};
use super::family::{Core, Disc, Family, Hull};
use super::meets::{Meets, mirror};
use super::zonotope::{self, Generators, magnitude};
use crate::math::Aabb;

/// A straight line between two points, without thickness. With equal ends it is a point.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/segment.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("line", "edge"))]
pub struct Segment {
    pub(super) center: Vec2,
    /// The ends, relative to the centre. They are kept instead of a half-axis so that segments that share an end keep
    /// sharing it.
    pub(super) ends: [Vec2; 2],
}

impl Segment {
    /// The segment between two points.
    ///
    /// # Panics
    /// If a coordinate is not finite; [`try_new`](Self::try_new) tells instead.
    #[must_use]
    #[track_caller]
    pub fn new(a: Vec2, b: Vec2) -> Self {
        or_panic(Self::try_new(a, b))
    }

    /// The segment between two points.
    ///
    /// # Errors
    /// If a coordinate is not finite.
    pub fn try_new(a: Vec2, b: Vec2) -> Result<Self, ShapeError> {
        Ok(Self { center: Vec2::ZERO, ends: [point("the start", a)?, point("the end", b)?] })
    }

    /// The same segment, moved.
    #[must_use]
    pub fn at(self, offset: Vec2) -> Self {
        Self { center: self.center + offset, ..self }
    }

    /// The two ends, in the order they were given.
    #[must_use]
    pub fn ends(&self) -> [Vec2; 2] {
        self.ends.map(|end| self.center + end)
    }

    /// The smallest box around it, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let [a, b] = self.ends;
        let Aabb { min, max } = Aabb::new(a, b);
        Aabb::padded(self.center, min, max)
    }

    /// What an affine map makes of it: a segment.
    #[must_use]
    pub fn transformed(&self, by: &Affine2) -> Shape {
        self.mapped(by).into()
    }

    pub(super) fn mapped(&self, by: &Affine2) -> Self {
        Self { center: by.transform_point2(self.center), ends: self.ends.map(|end| by.matrix2 * end) }
    }

    /// The middle relative to another shape's centre, the magnitude of what it was added up from, and the half-axis:
    /// what [`zonotope::within`] takes.
    pub(super) fn seen_from(&self, other: Vec2) -> (Vec2, f32, Vec2) {
        let [a, b] = self.ends;
        let offset = self.center - other;
        (offset + (a + b) * 0.5, magnitude(offset) + magnitude(a) + magnitude(b), (b - a) * 0.5)
    }

    /// Whether a point is within `reach`, if `f32` can tell.
    pub(super) fn near_point(&self, point: Vec2, reach: f32) -> Option<bool> {
        let (middle, size, half) = self.seen_from(point);
        zonotope::near_segment(middle, size, half, reach)
    }

    /// Whether another segment is within `reach`, if `f32` can tell.
    pub(super) fn near_segment(&self, other: &Segment, reach: f32) -> Option<bool> {
        let (middle, size, half) = self.seen_from(other.center);
        let (other_middle, other_size, other_half) = other.seen_from(other.center);
        let generators = Generators::<2>::new(half, other_half);
        zonotope::within(middle - other_middle, size + other_size, generators, reach)
    }
}

impl Local for Segment {
    #[inline]
    fn place(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        let image = self.mapped(by);
        *world = image.into();
        image.bounds()
    }
}

impl Family for Segment {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::segment(self.ends), disc: Disc::Round(0.0) }
    }
}

impl Meets<Circle> for Segment {
    fn screen(&self, circle: &Circle) -> Option<bool> {
        self.near_point(circle.center, circle.radius)
    }
}

impl Meets<Segment> for Segment {
    fn screen(&self, other: &Segment) -> Option<bool> {
        self.near_segment(other, 0.0)
    }
}

mirror!(Segment: Circle);
