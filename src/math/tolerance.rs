//! Every tolerance of the crate, each with its unit, its reason, and what happens when it is changed.
//!
//! None of them is a length: all are relative to the numbers they are applied to, so a scene in
//! millimetres and one in light years behave alike.

/// Rounding of an `f32` screen, as a factor on the sum of the magnitudes that went into a value.
///
/// A screen adds at most a dozen products, each rounded to half a unit in the last place (2⁻²⁴).
/// Smaller and a near tie could be decided wrongly; larger and more cases are decided again in `f64`.
pub(crate) const SCREEN: f32 = 8.0 * f32::EPSILON;

/// Rounding of the `f64` separation, as a factor on the size of the pair (distance of centres plus extents).
///
/// The inputs are `f32`, so differences and products are exact; what remains are a few sums and one
/// square root. Touching shapes may come out this far apart and still touch.
pub(crate) const TOUCHING: f64 = 32.0 * f64::EPSILON;

/// The same for a shape that is known by an `f32` support function alone: its points are only
/// that exact, and touching within it counts as overlapping.
pub(crate) const BLACK_BOX: f64 = 2.0 * f32::EPSILON as f64;

/// An ellipse whose minor axis is below this part of its major axis is the segment that it looks like.
///
/// The missing thickness is a quarter of a unit in the last place of the major axis; the inverse of
/// a matrix flatter than this would no longer be exact to `f32` even in `f64`.
pub(crate) const FLAT: f64 = 1.0 / (1_u64 << 26) as f64;

/// Doubt about a gap in the space in which a squashed disc is round, as a factor on the sizes there. The inverse of a
/// matrix that is not [`FLAT`] is this exact. Larger and more cases are decided twice.
pub(crate) const MAPPED: f64 = f32::EPSILON as f64;

/// A disc whose image has axes this nearly equal is still a disc.
///
/// A chain of rotations in `f32` drifts by about this much; without it a circle deep in the
/// tree would be an ellipse, just as right but slower.
pub(crate) const UNIFORM: f32 = 1e-6;

/// Padding of a bounding box, as a factor on the magnitudes that made it, so that rounding
/// never leaves a touching point outside; no less than [`BLACK_BOX`]. Larger costs candidates, smaller loses touches.
pub(crate) const BOUNDS: f32 = 4.0 * f32::EPSILON;

/// How far inside the hull of its outline, relative to the outline's size, a polygon's point may lie and still count as
/// on it: a straight side whose middle point was rounded is not concave.
pub(crate) const CONVEX: f64 = 4.0 * f32::EPSILON as f64;

/// Two faces meet (and give two contact points) when the sine of the angle between the normal and the face is below
/// this.
pub(crate) const FACE: f64 = 1e-4;

/// Rounds of any iteration over support functions. Each at least halves what is unknown, so this is never the limit
/// for shapes with corners; smooth ones end a little above or below (see `shape::convex`).
pub(crate) const ROUNDS: usize = 64;

/// What only brushes against something: the sine of the angle between a motion and a side that it counts as along, and,
/// as a factor on the sizes of a pair, how deep the two may overlap and still count as touching. Shapes
/// and motions are `f32`, so nobody can aim better. Smaller and what slides along a surface is stopped by it.
pub(crate) const GRAZING: f64 = 4.0 * f32::EPSILON as f64;
