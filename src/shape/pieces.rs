//! What shapes of many pieces have in common: an index over the pieces, whose world forms are made when somebody is
//! near enough to ask, in memory that is used again.

#[cfg(feature = "std")]
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::cell::RefCell;
use core::fmt;
use core::ops::ControlFlow;

use glam::{Affine2, Vec2};

use super::any::{Kind, Local, Shape};
use super::circle::Circle;
use super::error::ShapeError;
use super::polygon::Polygon;
use crate::index::Index;
use crate::math::Aabb;

/// A shape of many pieces, as the crate sees it.
pub(crate) trait Pieces: fmt::Debug + Send + Sync {
    /// The boxes of the pieces, in the shape's own frame. Slots are the shape's own business.
    fn index(&self) -> &Index;

    /// How many pieces there are.
    fn count(&self) -> usize;

    /// What the piece in a slot is called outside. Numbers tell which of two pieces comes first, so they must not
    /// depend on how the shape has come to be what it is.
    fn number(&self, slot: u32) -> u32;

    /// What an affine map makes of the piece in a slot.
    fn place<'a>(&self, slot: u32, by: &Affine2, spare: &'a mut Spare) -> &'a Shape;

    /// Whether a ray passes through a piece that it runs into, given its number and its image under `by`.
    fn lets_through(&self, _number: u32, _image: &Shape, _by: &Affine2, _direction: Vec2) -> bool {
        false
    }
}

/// The hidden way to the pieces of a built-in shape.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a>(pub(crate) &'a dyn Pieces);

/// Memory for images of pieces, one for each kind of original: what is a box on the heap is written again.
#[derive(Debug, Clone)]
pub(crate) struct Spare([Shape; Kind::ALL.len()]);

#[cfg(feature = "std")]
std::thread_local! {
    static SPARES: RefCell<Vec<Spare>> = const { RefCell::new(Vec::new()) };
}

impl Spare {
    const EMPTY: Self = Self([const { Shape::Circle(Circle::point(Vec2::NAN)) }; Kind::ALL.len()]);

    /// Lends memory for images; what works on several shapes at once is lent several.
    #[cfg(feature = "std")]
    pub(crate) fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        let mut spare = SPARES.with_borrow_mut(Vec::pop).unwrap_or(Self::EMPTY);
        let result = work(&mut spare);
        SPARES.with_borrow_mut(|spares| spares.push(spare));
        result
    }

    /// Without `std` nothing is a thread's own, and everyone takes new memory.
    #[cfg(not(feature = "std"))]
    pub(crate) fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        work(&mut { Self::EMPTY })
    }

    /// What an affine map makes of a shape.
    pub(crate) fn image(&mut self, local: &Shape, by: &Affine2) -> &Shape {
        let world = &mut self.0[local.kind() as usize];
        local.place(by, world);
        world
    }

    /// What an affine map makes of a polygon's corners, which are counter-clockwise.
    pub(super) fn polygon(&mut self, corners: &[Vec2], by: &Affine2) -> &Shape {
        let world = &mut self.0[Kind::Polygon as usize];
        match world {
            Shape::Polygon(polygon) => polygon.set_image_of(Vec2::ZERO, corners, by),
            _ => {
                let mut polygon = Polygon::from_corners(&[]);
                polygon.set_image_of(Vec2::ZERO, corners, by);
                *world = polygon.into();
            }
        }
        world
    }
}

/// The box around a piece, which an index can hold.
pub(super) fn finite_bounds(piece: &Shape) -> Result<Aabb, ShapeError> {
    let bounds = piece.bounds();
    let numbers = [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y];
    match numbers.into_iter().find(|number| !number.is_finite()) {
        Some(value) => Err(ShapeError::NotFinite { what: "the bounds of a piece", value }),
        None => Ok(bounds),
    }
}

/// Visits the pieces whose boxes overlap a region, both in the shape's own frame, in no particular order.
pub(crate) fn in_own_region(shape: &dyn Pieces, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) {
    let Some(region) = region.finite_part() else { return };
    Spare::with(|spare| {
        let _ = shape.index().in_region(region, |slot| {
            visit(shape.number(slot), shape.place(slot, &Affine2::IDENTITY, spare));
            ControlFlow::<()>::Continue(())
        });
    });
}

/// The box around what an affine map makes of a shape, where that is about the image of its own box, or that overflows:
/// so may a corner of a piece on its way to where it belongs. The image of the origin if there are no pieces.
pub(crate) fn upright_bounds(shape: &dyn Pieces, by: &Affine2) -> Option<Aabb> {
    let extent = shape.index().extent();
    if extent.min.x > extent.max.x {
        return Some(Aabb { min: by.translation, max: by.translation });
    }
    let (x_axis, y_axis) = (by.matrix2.x_axis, by.matrix2.y_axis);
    let upright = x_axis * y_axis == Vec2::ZERO && x_axis.x * x_axis.y == 0.0;
    let (across, up) = (x_axis.abs().max_element(), y_axis.abs().max_element());
    let image = extent.image(by);
    // Boxes are padded alike on all sides, so what is stretched must not be stretched much more one way.
    ((upright && across.max(up) <= 2.0 * across.min(up)) || !image.is_finite()).then_some(image)
}

/// The point of the shape that is furthest along a direction, both in its own frame; the origin if it has no pieces.
pub(crate) fn furthest(shape: &dyn Pieces, direction: Vec2) -> Vec2 {
    let direction = direction.as_dvec2();
    let reach = |bounds: Aabb| {
        let [low, high] = [bounds.min.as_dvec2(), bounds.max.as_dvec2()];
        -(low * direction).max(high * direction).element_sum()
    };
    let mut best = Vec2::ZERO;
    Spare::with(|spare| {
        shape.index().best_first(f64::INFINITY, reach, |slot, limit| {
            let hull = shape.place(slot, &Affine2::IDENTITY, spare).hull();
            let point = hull.center.as_dvec2() + hull.furthest(direction);
            if -point.dot(direction) < limit {
                best = point.as_vec2();
            }
            limit.min(-point.dot(direction))
        });
    });
    best
}
