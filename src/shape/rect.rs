use glam::{Affine2, Vec2};

use super::any::{Local, Shape};
use super::capsule::Capsule;
use super::circle::Circle;
use super::error::{ShapeError, or_panic, size};
use super::family::{Core, Disc, Family, Hull, is_sliver};
use super::meets::{Meets, mirror};
use super::segment::Segment;
use super::zonotope::{self, Generators, magnitude};
use crate::math::{Aabb, Transform};

/// A solid rectangle: a centre and two half-axes, so that it is its own affine image. Sheared, it is a parallelogram;
/// with a size of 0, a segment or a point.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/rect.svg"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("box", "cuboid", "AABB", "OBB", "parallelogram"))]
pub struct Rect {
    pub(super) center: Vec2,
    pub(super) half_axes: [Vec2; 2],
}

impl Rect {
    /// An upright rectangle around the origin, by its full width and height in units.
    ///
    /// # Panics
    /// If a size is negative or not finite; [`try_new`](Self::try_new) tells instead.
    #[must_use]
    #[track_caller]
    pub fn new(width: f32, height: f32) -> Self {
        or_panic(Self::try_new(width, height))
    }

    /// An upright rectangle around the origin, by its full width and height in units.
    ///
    /// # Errors
    /// If a size is negative or not finite.
    pub fn try_new(width: f32, height: f32) -> Result<Self, ShapeError> {
        let (width, height) = (size("width", width)?, size("height", height)?);
        Ok(Self { center: Vec2::ZERO, half_axes: [Vec2::new(width * 0.5, 0.0), Vec2::new(0.0, height * 0.5)] })
    }

    /// The same rectangle around another centre.
    #[must_use]
    pub const fn at(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// The same rectangle turned about its centre, in radians.
    #[must_use]
    pub fn rotated(self, angle: f32) -> Self {
        let turn = Transform::from_rotation(angle).to_affine().matrix2;
        Self { half_axes: self.half_axes.map(|axis| turn * axis), ..self }
    }

    /// The middle.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.center
    }

    /// From the middle to the middles of two neighbouring sides.
    #[must_use]
    pub const fn half_axes(&self) -> [Vec2; 2] {
        self.half_axes
    }

    /// The four corners, in order around it; counter-clockwise unless it is mirrored.
    #[must_use]
    pub fn corners(&self) -> [Vec2; 4] {
        let [x, y] = self.half_axes;
        [x + y, y - x, -x - y, x - y].map(|corner| self.center + corner)
    }

    /// The corners relative to the centre, counter-clockwise; `None` for a [sliver](is_sliver).
    pub(super) fn outline(&self) -> Option<[Vec2; 4]> {
        let [x, y] = self.half_axes;
        let y = if x.perp_dot(y) < 0.0 { -y } else { y };
        (!is_sliver([x, y])).then(|| [x + y, y - x, -x - y, x - y])
    }

    /// The smallest box around it, padded by rounding.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let reach = self.half_axes[0].abs() + self.half_axes[1].abs();
        Aabb::padded(self.center, -reach, reach)
    }

    /// What an affine map makes of it: a rectangle again, or a parallelogram.
    #[must_use]
    pub fn transformed(&self, by: &Affine2) -> Shape {
        self.mapped(by).into()
    }

    fn mapped(&self, by: &Affine2) -> Self {
        Self { center: by.transform_point2(self.center), half_axes: self.half_axes.map(|axis| by.matrix2 * axis) }
    }

    /// Whether a segment is within `reach`, if `f32` can tell.
    pub(super) fn near_segment(&self, segment: &Segment, reach: f32) -> Option<bool> {
        let (middle, size, half) = segment.seen_from(self.center);
        let [x, y] = self.half_axes;
        zonotope::within(middle, size, Generators::<3>::new(x, y, half), reach)
    }
}

impl Local for Rect {
    #[inline]
    fn place(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        let image = self.mapped(by);
        *world = image.into();
        image.bounds()
    }
}

impl Family for Rect {
    #[inline]
    fn hull(&self) -> Hull<'_> {
        Hull { center: self.center, core: Core::parallelogram(self.half_axes), disc: Disc::Round(0.0) }
    }
}

impl Meets<Circle> for Rect {
    fn screen(&self, circle: &Circle) -> Option<bool> {
        zonotope::near_rect(circle.center - self.center, self.half_axes, circle.radius)
    }
}

impl Meets<Segment> for Rect {
    fn screen(&self, segment: &Segment) -> Option<bool> {
        self.near_segment(segment, 0.0)
    }
}

impl Meets<Capsule> for Rect {
    fn screen(&self, capsule: &Capsule) -> Option<bool> {
        self.near_segment(&capsule.axis, capsule.radius)
    }
}

impl Meets<Rect> for Rect {
    fn screen(&self, other: &Rect) -> Option<bool> {
        let ([a, b], [c, d]) = (self.half_axes, other.half_axes);
        let offset = other.center - self.center;
        zonotope::within(offset, magnitude(offset), Generators::<4>::new(a, b, c, d), 0.0)
    }
}

mirror!(Rect: Circle, Segment, Capsule);

#[cfg(test)]
mod tests {
    use core::f32::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn a_rectangle_turns_about_its_centre_counter_clockwise() {
        let turned = Rect::new(4.0, 2.0).at(Vec2::ONE).rotated(FRAC_PI_2);
        let expected = [Vec2::new(0.0, 3.0), Vec2::new(0.0, -1.0), Vec2::new(2.0, -1.0), Vec2::new(2.0, 3.0)];
        for (corner, expected) in turned.corners().into_iter().zip(expected) {
            assert!(corner.abs_diff_eq(expected, 1e-6), "{corner}, not {expected}");
        }
    }
}
