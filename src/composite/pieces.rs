use core::fmt;

use glam::{Affine2, Vec2};

use super::world_forms::WorldForms;
use crate::index::Index;
use crate::math::Aabb;
use crate::shape::{Shape, ShapeError, finite_points};

/// A built-in shape of many pieces.
pub(crate) trait Composite: fmt::Debug + Send + Sync {
    /// Returns the boxes of the pieces in the local frame, by slot. The composite assigns the slots.
    fn index(&self) -> &Index;

    /// Returns the public number of the piece in a slot, and its image under an affine map. Numbers break ties between
    /// pieces, so they must not depend on the history of edits.
    fn piece<'a>(&self, slot: u32, by: &Affine2, forms: &'a mut WorldForms) -> (u32, &'a Shape);

    /// Visits the pieces that have a point in a region of the local frame, and possibly others, each with its number and
    /// its image. Visits tiles that are joined into one piece one by one.
    fn each_unjoined(&self, region: Aabb, by: &Affine2, forms: &mut WorldForms, visit: &mut dyn FnMut(u32, &Shape)) {
        self.index().any_in_region(region, &mut |slot| {
            let (number, piece) = self.piece(slot, by, forms);
            visit(number, piece);
            false
        });
    }

    /// Returns an upper bound of the number of pieces that [`each_unjoined`](Self::each_unjoined) visits.
    fn unjoined_count(&self) -> usize {
        self.index().len()
    }

    /// Returns `true` if a ray passes through a piece that it hits, given the piece's number and its image under `by`.
    fn lets_through(&self, _number: u32, _image: &Shape, _by: &Affine2, _direction: Vec2) -> bool {
        false
    }
}

/// Returns the bounds of a piece.
///
/// # Errors
/// If they are not finite, so that the index cannot hold them.
pub(super) fn finite_bounds(piece: &Shape) -> Result<Aabb, ShapeError> {
    let bounds = piece.bounds();
    finite_points("the box around a piece", &[bounds.min, bounds.max])?;
    Ok(bounds)
}

/// Returns the image of the composite's box under an affine map if it is a close bound of the composite's image, or if
/// it overflows (then corners of pieces may overflow too); else `None`. Without pieces it is the image of the origin.
pub(crate) fn image_bounds(shape: &dyn Composite, by: &Affine2) -> Option<Aabb> {
    let extent = shape.index().total_bounds();
    if extent.min.x > extent.max.x {
        return Some(Aabb { min: by.translation, max: by.translation });
    }
    let (x_axis, y_axis) = (by.matrix2.x_axis, by.matrix2.y_axis);
    let upright = x_axis * y_axis == Vec2::ZERO && x_axis.x * x_axis.y == 0.0;
    let (across, up) = (x_axis.abs().max_element(), y_axis.abs().max_element());
    let image = extent.image(by);
    // Boxes have equal padding on all sides, which a very non-uniform scale would exaggerate.
    ((upright && across.max(up) <= 2.0 * across.min(up)) || !image.is_finite()).then_some(image)
}

/// Returns the point of a composite furthest along a direction, both in its local frame; the origin if it has no
/// pieces.
pub(crate) fn furthest(shape: &dyn Composite, direction: Vec2) -> Vec2 {
    let direction = direction.as_dvec2();
    let reach = |bounds: Aabb| {
        let [low, high] = [bounds.min.as_dvec2(), bounds.max.as_dvec2()];
        -(low * direction).max(high * direction).element_sum()
    };
    let mut best = Vec2::ZERO;
    WorldForms::with(|forms| {
        shape.index().best_first(f64::INFINITY, reach, |slot, limit| {
            let (_, piece) = shape.piece(slot, &Affine2::IDENTITY, forms);
            let point = piece.hull().support_point(direction);
            if -point.dot(direction) < limit {
                best = point.as_vec2();
            }
            limit.min(-point.dot(direction))
        });
    });
    best
}
