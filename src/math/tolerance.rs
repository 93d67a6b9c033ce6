//! Every tolerance of the crate, each with its unit, its reason, and the effect of a change.
//!
//! None of them is a length: all are relative to the numbers that they are applied to, so a scene in millimetres and
//! one in light years behave alike.

/// The rounding of an `f32` overlap test, as a factor on the sum of the absolute values that went into a number.
///
/// A test adds at most a dozen products, each rounded to half a unit in the last place (2⁻²⁴). A smaller factor could
/// decide a near tie wrongly; a larger one sends more pairs to the `f64` test.
pub(crate) const FAST_OVERLAP: f32 = 8.0 * f32::EPSILON;

/// The rounding of the `f64` separation, as a factor on the size of the pair (distance of centres plus extents).
///
/// The inputs are `f32`, so differences and products are exact; what remains is the rounding of a few sums and one
/// square root. Shapes that touch may come out this far apart and still touch.
pub(crate) const TOUCHING: f64 = 32.0 * f64::EPSILON;

/// The rounding of the points of a shape that is given by an `f32` support function, as a factor on the size of this
/// shape. Gaps within it count as touching.
pub(crate) const SUPPORT_FUNCTION: f64 = 2.0 * f32::EPSILON as f64;

/// The ratio of minor to major axis below which an ellipse counts as a segment.
///
/// The lost thickness is a quarter of a unit in the last place of the major axis. The inverse of a flatter matrix would
/// not be exact to `f32`, even in `f64`.
pub(crate) const DEGENERATE_ELLIPSE: f64 = 1.0 / (1_u64 << 26) as f64;

/// The relative difference of the squares of the axes of an ellipse up to which it counts as a circle.
///
/// A chain of rotations in `f32` drifts by about this much. Without the tolerance a circle deep in the tree would be an
/// ellipse, which is just as right but slower.
pub(crate) const UNIFORM_SCALE: f32 = 1e-6;

/// The padding of a bounding box, as a factor on the absolute values that it was computed from, so that rounding never
/// excludes a touching point. It is at least [`SUPPORT_FUNCTION`]. A larger factor yields more candidates, a smaller
/// one loses touches.
pub(crate) const BOUNDS_PADDING: f32 = 4.0 * f32::EPSILON;

/// The distance from the hull of an outline up to which a point counts as on it, as a factor on the outline's size: the
/// rounded middle of a straight side is not a concave corner.
pub(crate) const COLLINEAR: f64 = 4.0 * f32::EPSILON as f64;

/// The rounding of one coordinate of an outline, as a factor on its magnitude: a point is no nearer to a straight side
/// than that.
pub(crate) const COORDINATE_ROUNDING: f32 = f32::EPSILON;

/// The rounding of a triangle's area in `f64`, as a factor on the sum of the absolute values of its two products.
/// Larger areas have the right sign; smaller ones are computed exactly, at more cost.
pub(crate) const AREA_ROUNDING: f64 = f64::EPSILON;

/// The skew of a matrix, in radians, below which it is only the rounding of its rotation in `f32`. Without the
/// tolerance a rotation that is converted to a matrix and back would gain a skew.
pub(crate) const SKEW_ROUNDING: f64 = f32::EPSILON as f64;

/// The rounding of the determinant of a world matrix, as a factor on the sum of the absolute values of its two products.
/// Rotations leave such a determinant to a matrix that a scale of 0 has made singular. With a smaller factor, its
/// inverse would place nodes anywhere; a larger one refuses parents whose skew still has an inverse.
pub(crate) const SINGULAR: f64 = 4.0 * f32::EPSILON as f64;

/// The ratio of the determinant of a world matrix to the square of its longer axis below which its ancestors are searched
/// for a scale of 0. A larger ratio searches the ancestors of more nodes; below a smaller one, the rounding of dozens of
/// ancestors could hide a scale of 0.
pub(crate) const NEARLY_FLAT: f64 = 1e-3;

/// The growth of a region that is searched for pieces, as a factor on its reach, so that rounding does not exclude the
/// nearest piece. A larger factor visits more pieces.
pub(crate) const REGION_GROWTH: f64 = 1e-6;

/// The sine of the angle between a contact's normal and a side's own normal up to which the side counts as flat on the
/// contact. Two such sides give two contact points.
pub(crate) const PARALLEL_SIDES: f64 = 1e-4;

/// The relative error of a depth from which on it is refined along the border instead of by a larger polygon. Nearly
/// equal depths in two directions may be confused up to it.
pub(crate) const COARSE_DEPTH: f64 = 1e-6;

/// The rounding of the slope of a depth, as a factor on that of a gap.
pub(crate) const SLOPE_ROUNDING: f64 = 1.0 / 32.0;

/// The number of steps of any iteration over support functions. Shapes with few corners never reach the limit; smooth
/// ones, and those with hundreds of corners, end with an error near rounding.
pub(crate) const MAX_ITERATIONS: usize = 64;

/// The number of steps of a turning cast against one shape. A touch takes about five. Only a shape that turns past
/// another dozens of times reaches the limit, and then counts as touching where the steps end: a limit that let it
/// pass could miss the touch.
pub(crate) const MAX_TURNING_STEPS: usize = 1024;

/// The step of a search for the root of a gap, as a factor on the time so far, that ends the search before the root. A
/// turning cast measures the gap again there. A smaller factor takes more steps along an axis that is soon replaced.
pub(crate) const MIN_ROOT_STEP: f64 = 1.0 / 1024.0;

/// The distance by which a turning shape leaves another one for certain, as a factor on the size of the smaller one. A
/// smaller factor takes more steps along the overlap of a shape and a one-sided line that lets it through.
pub(crate) const MIN_EXIT: f64 = 1.0 / 1024.0;

/// The cosine of the angle up to which the normals of two thin shapes before and after a short step count as opposite.
/// Closer to 1 and shapes without thickness would turn through each other; smaller and two sharp corners that pass each
/// other would touch.
pub(crate) const OPPOSITE_NORMALS_COS: f64 = 0.99;

/// The precision of `f32` input. It is the sine of the angle up to which a displacement counts as along a side, and, as
/// a factor on the sizes of a pair, the depth up to which an overlap counts as touching. Positions and displacements
/// are `f32`, so no caller can aim better. With a smaller factor, a shape that slides along a surface would be stopped
/// by it.
pub(crate) const INPUT_ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// The sine of the angle between a path and a surface below which a second cast decides whether the path enters the
/// surface by more than rounding. A path that enters a disc by a part `d` of its radius has a sine of `sqrt(2 * d)`. A
/// larger factor takes more second casts, a smaller one hits what the path only grazes.
pub(crate) const GRAZING_SINE: f64 = 1e-4;

/// The distance between a smooth shape and its drawn outline, as a factor on the shape's extent. It is below a pixel
/// for a shape that fills the screen. A smaller factor draws more lines.
pub(crate) const OUTLINE_FLATNESS: f64 = 1e-3;

/// The distance from a line at which debug drawing checks whether a piece covers it, as a factor on the collider's size
/// and coordinates. It is larger than the rounding of the corners of two pieces and far below a pixel. A larger factor
/// removes border lines in sharp corners.
pub(crate) const SEAM_WIDTH: f32 = 4.0 * f32::EPSILON;

/// The rounding of a position, as a factor on its magnitude. A mover's skin is never thinner: an `f32` position cannot
/// hold a smaller gap, and the mover would end up touching. With a larger factor, movers far from the origin stop
/// visibly early.
pub(crate) const POSITION_ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// The cosine of the angle to its own direction up to which a one-way surface blocks: 45 degrees. The subtrahend is the
/// rounding of a normal, so that a surface at exactly 45 degrees blocks.
pub(crate) const ONE_WAY_COS: f64 = core::f64::consts::FRAC_1_SQRT_2 - 1e-6;

/// The steepest floor, in radians: a little less than a right angle, so that a finite path straight up leads off any
/// floor.
pub(crate) const STEEPEST_FLOOR: f32 = core::f32::consts::FRAC_PI_2 - 1e-3;

/// The rounding of the cosine of a slope, so that a floor of exactly the steepest angle is a floor.
pub(crate) const SLOPE_COS_ROUNDING: f64 = 1e-6;

/// The rounding of a displacement along a plane, as a factor on its length, in `f64`. Smaller and a displacement that
/// was clipped to a plane would lead into it.
pub(crate) const PLANE_ROUNDING: f64 = 1e-9;

/// The least cosine of the angle between two directions out of colliders that count as one. Closer to 1 and the same path
/// is tried twice.
pub(crate) const SAME_DIRECTION_COS: f64 = 1.0 - 1e-9;

/// The part at the end of a path out of a collider in which a touch does not block, because the path ends there.
pub(crate) const PATH_END: f64 = 1e-6;

/// The part of the step height, or of the snap distance, by which a ledge is higher than the mover. With a smaller part,
/// rounding would make a ledge of the floor or of a steep slope.
pub(crate) const MIN_STEP_UP: f64 = 1e-6;

/// The part of its width below which a mover restores its skin. Closer to 1 and a mover at rest moves in every frame.
pub(crate) const THIN_SKIN: f64 = 0.9;
