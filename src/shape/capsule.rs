use glam::{Affine2, Vec2};

use super::any::{Local, Shape};
use super::circle::{Circle, uniform_scale};
use super::error::{ShapeError, or_panic, size};
use super::family::{Core, Disc, Family, Hull};
use super::meets::{Meets, mirror};
use super::rounded::{Rounded, core_to_reuse};
use super::segment::Segment;
use crate::math::Aabb;

/// Everything within a radius of a segment. With equal ends it is a circle, with radius 0 a segment.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/capsule.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("stadium", "pill", "sphere-swept line"))]
pub struct Capsule {
    pub(super) axis: Segment,
    pub(super) radius: f32,
}

impl Capsule {
    /// The capsule around the segment from `a` to `b`.
    ///
    /// # Panics
    /// If a coordinate is not finite, or the radius negative or not finite; [`try_new`](Self::try_new) tells instead.
    #[must_use]
    #[track_caller]
    pub fn new(a: Vec2, b: Vec2, radius: f32) -> Self {
        or_panic(Self::try_new(a, b, radius))
    }

    /// The capsule around the segment from `a` to `b`.
    ///
    /// # Errors
    /// If a coordinate is not finite, or the radius negative or not finite.
    pub fn try_new(a: Vec2, b: Vec2, radius: f32) -> Result<Self, ShapeError> {
        Ok(Self { axis: Segment::try_new(a, b)?, radius: size("radius", radius)? })
    }

    /// The same capsule, moved.
    #[must_use]
    pub fn at(self, offset: Vec2) -> Self {
        Self { axis: self.axis.at(offset), ..self }
    }

    /// The segment in the middle.
    #[must_use]
    pub const fn axis(&self) -> Segment {
        self.axis
    }

    /// The radius, in units; never negative.
    #[must_use]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// The smallest box around it, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let [a, b] = self.axis.ends;
        let Aabb { min, max } = Aabb::new(a, b);
        Aabb::padded(self.axis.center, min - self.radius, max + self.radius)
    }

    /// What an affine map makes of it: a capsule, or a [`Rounded`] segment where it is squashed.
    #[must_use]
    pub fn transformed(&self, by: &Affine2) -> Shape {
        let axis = self.axis.mapped(by);
        match uniform_scale(by.matrix2) {
            Some(scale) => Self { axis, radius: self.radius * scale }.into(),
            None => Rounded::image(axis.center, axis.ends.into_iter().collect(), by.matrix2 * self.radius),
        }
    }
}

impl From<Segment> for Capsule {
    fn from(axis: Segment) -> Self {
        Self { axis, radius: 0.0 }
    }
}

impl Local for Capsule {
    fn place(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        let squashed = uniform_scale(by.matrix2).is_none();
        match core_to_reuse(world, by.matrix2 * self.radius).filter(|_| squashed) {
            Some(core) => {
                let axis = self.axis.mapped(by);
                core.center = axis.center;
                core.points.clear();
                core.points.extend(axis.ends);
            }
            None => *world = self.transformed(by),
        }
        world.bounds()
    }
}

impl Family for Capsule {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull {
            center: self.axis.center,
            core: Core::segment(self.axis.ends),
            disc: Disc::Round(f64::from(self.radius)),
        }
    }
}

impl Meets<Circle> for Capsule {
    fn screen(&self, circle: &Circle) -> Option<bool> {
        self.axis.near_point(circle.center, self.radius + circle.radius)
    }
}

impl Meets<Segment> for Capsule {
    fn screen(&self, segment: &Segment) -> Option<bool> {
        self.axis.near_segment(segment, self.radius)
    }
}

impl Meets<Capsule> for Capsule {
    fn screen(&self, other: &Capsule) -> Option<bool> {
        self.axis.near_segment(&other.axis, self.radius + other.radius)
    }
}

mirror!(Capsule: Circle, Segment);
