//! Separating axis tests: in `f32` for [`parallelograms`], for [`polygons`] and for
//! [one of each](polygon_parallelogram), and the [`exact`] one in `f64`.
//!
//! The `f32` tests compute a *gap* per axis, the signed distance that the shapes have along it. The signs of the gaps
//! decide overlap, and the largest gap chooses the [side](best_side::ReferenceSide) with the least way out.

pub(super) mod best_side;
pub(super) mod exact;
pub(crate) mod four;
pub(crate) mod four_vectors;
pub(crate) mod parallelograms;
pub(crate) mod polygon_parallelogram;
pub(crate) mod polygons;
pub(crate) mod rounding;
