//! The exact image of each shape under an affine map, as a shape. This file is above the enum of all shapes, so that
//! the files of the shapes need not name the enum.

use alloc::vec::Vec;

use glam::{Affine2, Mat2, Vec2};
use smallvec::SmallVec;

use super::any::Shape;
use super::{Capsule, Circle, Ellipse, Polygon, Rect, Rounded, Segment};
use crate::math::Aabb;
use crate::math::affine_disc::{degenerate_half_axis, uniform_scale};

/// A shape in the local frame of a node, from which its world form is computed.
pub(crate) trait WorldForm {
    /// Writes the image of this shape under an affine map into `world`, and reuses its heap memory if possible. Returns
    /// the bounds of the image. If the caller reads them from `world` instead, frames of 2,000 moving colliders take 2 %
    /// more instructions.
    fn write_world_form(&self, by: &Affine2, world: &mut Shape) -> Aabb;
}

macro_rules! affine_image {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        impl Shape {
            /// A shape that is not in the world.
            pub(crate) const NOWHERE: Self = Self::Circle(Circle::point(Vec2::NAN));

            /// Returns the image of the shape under an affine map. Its kind depends on the map, also for the identity:
            ///
            /// | shape | image |
            /// |---|---|
            /// | segment, rectangle, polygon | the same; a rectangle may become a parallelogram, which is a [`Rect`] |
            /// | circle, ellipse | a circle if it is round, also one of radius 0, else an ellipse; a segment if it becomes flat |
            /// | capsule | a capsule if the scale is uniform, also 0; else a [`Rounded`] segment, or a polygon if it has no radius or its disc becomes flat |
            /// | rounded polygon | a rounded polygon; a polygon if it has no radius or its disc becomes flat |
            ///
            /// ```
            /// # use hitgraph::{Capsule, Circle, Ellipse, Rect, Shape};
            /// # use glam::{Affine2, vec2};
            /// // A rectangle under a rotated and stretched parent is a parallelogram.
            /// let at = Affine2::from_scale(vec2(2.0, 1.0)) * Affine2::from_angle(0.5);
            /// let world = Shape::from(Rect::new(2.0, 2.0)).transformed(&at);
            /// let corner = at.transform_point2(vec2(0.9, 0.9));
            /// assert!(world.overlaps(&Circle::point(corner).into()));
            ///
            /// let stretch = Affine2::from_scale(vec2(2.0, 1.0));
            /// assert!(matches!(Circle::new(1.0).transformed(&stretch), Shape::Ellipse(_)));
            /// assert!(matches!(Ellipse::new(1.0, 2.0).transformed(&stretch), Shape::Circle(_)));
            /// let pill = Capsule::new(vec2(-1.0, 0.0), vec2(1.0, 0.0), 0.5);
            /// assert!(matches!(pill.transformed(&stretch), Shape::Rounded(_)));
            /// assert!(matches!(pill.transformed(&Affine2::from_angle(0.3)), Shape::Capsule(_)));
            /// ```
            #[must_use]
            pub fn transformed(&self, by: &Affine2) -> Self {
                match self { $(Self::$kind(shape) => shape.transformed(by),)* }
            }
        }

        impl WorldForm for Shape {
            fn write_world_form(&self, by: &Affine2, world: &mut Shape) -> Aabb {
                match self { $(Self::$kind(shape) => shape.write_world_form(by, world),)* }
            }
        }

        $(impl $kind {
            /// Returns the image of the shape under an affine map, as [`Shape::transformed`] does.
            #[must_use]
            pub fn transformed(&self, by: &Affine2) -> Shape {
                let mut world = Shape::NOWHERE;
                self.write_world_form(by, &mut world);
                world
            }
        })*
    };
}

for_each_shape!(affine_image);

impl WorldForm for Circle {
    #[inline]
    fn write_world_form(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        let center = by.transform_point2(self.center);
        let Some(scale) = uniform_scale(by.matrix2) else {
            *world = disc_image(center, by.matrix2 * self.radius);
            return world.bounds();
        };
        let image = Self { center, radius: self.radius * scale };
        *world = image.into();
        image.bounds()
    }
}

/// Implements the images of shapes whose image under every affine map has the same type. The method `image` computes it.
macro_rules! closed_under_affine_maps {
    ($($own:ty),*) => {
        $(impl WorldForm for $own {
            #[inline]
            fn write_world_form(&self, by: &Affine2, world: &mut Shape) -> Aabb {
                let image = self.image(by);
                *world = image.into();
                image.bounds()
            }
        })*
    };
}

closed_under_affine_maps!(Segment, Rect);

impl WorldForm for Capsule {
    #[inline]
    fn write_world_form(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        let axis = self.axis.image(by);
        if let Some(scale) = uniform_scale(by.matrix2) {
            let image = Self { axis, radius: self.radius * scale };
            *world = image.into();
            return image.bounds();
        }
        write_rounded(world, by.matrix2 * self.radius, |core| {
            core.center = axis.center;
            core.points.clear();
            core.points.extend(axis.ends);
            // The image of a short axis may be a point.
            core.points.dedup();
        });
        world.bounds()
    }
}

impl WorldForm for Polygon {
    fn write_world_form(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        match world {
            Shape::Polygon(world) => world.set_image(self, by),
            _ => *world = self.image(by).into(),
        }
        world.bounds()
    }
}

impl WorldForm for Ellipse {
    fn write_world_form(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        *world = disc_image(by.transform_point2(self.center), by.matrix2 * self.matrix());
        world.bounds()
    }
}

impl WorldForm for Rounded {
    fn write_world_form(&self, by: &Affine2, world: &mut Shape) -> Aabb {
        write_rounded(world, by.matrix2 * self.matrix, |core| core.set_image(&self.core, by));
        world.bounds()
    }
}

/// Returns the image of the unit disc under a matrix as the simplest shape.
fn disc_image(center: Vec2, matrix: Mat2) -> Shape {
    if let Some(radius) = uniform_scale(matrix) {
        return Circle { center, radius }.into();
    }
    match degenerate_half_axis(matrix.as_dmat2()) {
        Some(half) => Segment { center, ends: [-half.as_vec2(), half.as_vec2()] }.into(),
        None => Ellipse::of_matrix(center, matrix).into(),
    }
}

/// Writes the sum of a convex outline and the image of the unit disc under a matrix as the simplest shape. `write_core`
/// writes the outline into a polygon, in its memory.
fn write_rounded(world: &mut Shape, matrix: Mat2, write_core: impl FnOnce(&mut Polygon)) {
    let flat = degenerate_half_axis(matrix.as_dmat2());
    if let (Shape::Rounded(world), None) = (&mut *world, flat) {
        write_core(&mut world.core);
        world.matrix = matrix;
        return;
    }
    let mut core = Polygon { center: Vec2::ZERO, points: SmallVec::new() };
    write_core(&mut core);
    *world = match flat.map(|half_axis| half_axis.as_vec2()) {
        Some(half) => {
            let spread: Vec<Vec2> = core.points.iter().flat_map(|point| [*point - half, *point + half]).collect();
            Polygon::hull_of(core.center, &spread).into()
        }
        None => Rounded { core, matrix }.into(),
    };
}

#[cfg(test)]
mod tests {
    use glam::vec2;

    use super::*;

    /// Returns images of every shape under a map that shears.
    fn images() -> Vec<Shape> {
        let by = Affine2::from_mat2_translation(Mat2::from_cols(vec2(1.1, 0.3), vec2(-0.7, 1.3)), vec2(0.1, 7.3));
        let triangle = Polygon::convex(&[vec2(0.1, 0.2), vec2(1.3, 0.4), vec2(0.6, 1.7)]).unwrap();
        let capsule = Capsule::new(vec2(0.1, 0.2), vec2(1.3, 0.4), 0.3);
        let shapes: [Shape; 7] = [
            Circle::new(0.3).into(),
            Segment::new(vec2(0.1, 0.2), vec2(1.3, 0.4)).into(),
            capsule.into(),
            Rect::new(1.1, 2.3).into(),
            triangle.clone().into(),
            Ellipse::new(1.1, 0.3).into(),
            Rounded::new(triangle, 0.3).into(),
        ];
        let rotation = Affine2::from_angle_translation(0.7, vec2(0.1, 7.3));
        shapes.iter().flat_map(|shape| [shape.transformed(&by), shape.transformed(&rotation)]).collect()
    }

    #[test]
    fn every_shape_is_rebuilt_to_the_bit_from_its_getters() {
        let polygon = |polygon: &Polygon| Polygon::convex(polygon.offsets()).unwrap().at(polygon.origin());
        let segment = |segment: &Segment| {
            let [a, b] = segment.offsets();
            Segment::new(a, b).at(segment.origin())
        };
        for shape in images() {
            let rebuilt: Shape = match &shape {
                Shape::Circle(circle) => Circle::new(circle.radius()).at(circle.center()).into(),
                Shape::Segment(line) => segment(line).into(),
                Shape::Capsule(capsule) => Capsule::from_axis(segment(&capsule.axis()), capsule.radius()).into(),
                Shape::Rect(rect) => Rect::from_axes(rect.half_axes()).at(rect.center()).into(),
                Shape::Polygon(outline) => polygon(outline).into(),
                Shape::Ellipse(ellipse) => Ellipse::from_matrix(ellipse.matrix()).at(ellipse.center()).into(),
                Shape::Rounded(rounded) => Rounded::from_matrix(polygon(rounded.core()), rounded.matrix()).into(),
            };
            // A polygon may start at another corner.
            let same = match (&rebuilt, &shape) {
                (Shape::Polygon(a), Shape::Polygon(b)) => is_rotation(a.offsets(), b.offsets()),
                (Shape::Rounded(a), Shape::Rounded(b)) => is_rotation(a.core().offsets(), b.core().offsets()),
                _ => rebuilt == shape,
            };
            assert!(same, "{rebuilt:?}, not {shape:?}");
        }
    }

    fn is_rotation(a: &[Vec2], b: &[Vec2]) -> bool {
        a.len() == b.len() && (0..a.len()).any(|first| [&a[first..], &a[..first]].concat() == b)
    }

    #[test]
    fn the_image_of_a_corner_that_overflows_is_not_finite() {
        let spike = Polygon::convex(&[vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 2.0)]).unwrap();
        for matrix in [Mat2::IDENTITY, Mat2::from_diagonal(Vec2::X)] {
            let image = Rounded::from_matrix(spike.clone(), matrix).transformed(&Affine2::from_scale(vec2(1.0, 3e38)));
            assert!(!image.bounds().is_finite(), "{image:?}");
        }
    }

    #[test]
    fn rotated_equals_the_image_under_a_rotation_about_the_point_that_at_sets() {
        let (angle, position) = (0.9, vec2(3.0, -2.0));
        for shape in images() {
            let rotated = shape.clone().at(Vec2::ZERO).transformed(&Affine2::from_angle_translation(angle, position));
            let bounds = [shape.at(position).rotated(angle).bounds(), rotated.bounds()];
            assert!(bounds[0].min.abs_diff_eq(bounds[1].min, 1e-5), "{bounds:?}");
            assert!(bounds[0].max.abs_diff_eq(bounds[1].max, 1e-5), "{bounds:?}");
        }
    }
}
