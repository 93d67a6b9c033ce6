use core::error::Error;
use core::fmt;

use glam::{Mat2, Vec2};

/// The reason why a shape cannot be made.
///
/// ```
/// use hitgraph::{Circle, ShapeError};
///
/// /// Reads a circle from a file of a player, which may contain anything.
/// fn read(radius: &str) -> Result<Circle, String> {
///     let radius = radius.parse().map_err(|_| format!("not a number: {radius}"))?;
///     Circle::try_new(radius).map_err(|error: ShapeError| error.to_string())
/// }
///
/// assert_eq!(read("0.5"), Ok(Circle::new(0.5)));
/// assert_eq!(read("-1"), Err("radius must not be negative, but is -1".into()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate or size is NaN or infinite.
    NotFinite {
        /// The name of the argument.
        what: &'static str,
        /// Its value.
        value: f32,
    },
    /// A size is negative. (Zero is allowed: it makes a point or a segment.)
    Negative {
        /// The name of the argument.
        what: &'static str,
        /// Its value.
        value: f32,
    },
    /// An outline has no points.
    Empty,
    /// An outline that must be convex is concave.
    Concave {
        /// The index of the point, from 0, that is inside the hull of the others.
        index: usize,
    },
    /// An outline crosses itself or winds around more than once.
    Crossing {
        /// The index of the point, from 0, after which the outline leaves its order around the hull.
        index: usize,
    },
    /// Two sides of an outline cross, or they touch and the outline winds around a region twice.
    CrossesItself {
        /// The index of the point, from 0, at which the first of the two sides starts. A side leads through the points
        /// on it to the next corner.
        first: usize,
        /// The index of the point at which the second one starts.
        second: usize,
        /// The point at which they meet.
        at: Vec2,
    },
    /// A number is too large.
    TooMany {
        /// The name of the argument.
        what: &'static str,
        /// Its value.
        value: u64,
        /// The largest allowed value.
        most: u64,
    },
}

impl Error for ShapeError {}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { what, value } => write!(f, "{what} must be finite, but is {value}"),
            Self::Negative { what, value } => write!(f, "{what} must not be negative, but is {value}"),
            Self::Empty => f.write_str("an outline needs at least one point"),
            Self::Concave { index } => write!(f, "the outline is concave at point {index}"),
            Self::Crossing { index } => write!(f, "the outline crosses itself near point {index}"),
            Self::CrossesItself { first, second, at } => write!(
                f,
                "the outline crosses itself at {at}, where the side after point {first} meets the one after point {second}"
            ),
            Self::TooMany { what, value, most } => write!(f, "{what} must be at most {most}, but is {value}"),
        }
    }
}

/// Returns a length if it is finite and not negative.
///
/// # Errors
/// If it is not.
pub(crate) const fn valid_size(what: &'static str, value: f32) -> Result<f32, ShapeError> {
    if !value.is_finite() {
        Err(ShapeError::NotFinite { what, value })
    } else if value < 0.0 {
        Err(ShapeError::Negative { what, value })
    } else {
        Ok(value)
    }
}

/// Reads a radius of saved data. The image of a shape may have overflowed, so it need not be finite.
///
/// # Errors
/// If it is negative.
#[cfg(feature = "serde")]
pub(super) fn saved_radius<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    let value: f32 = crate::math::saved::deserialize(deserializer)?;
    let error = ShapeError::Negative { what: "radius", value };
    if value < 0.0 { Err(serde::de::Error::custom(error)) } else { Ok(value) }
}

/// Returns a point if both coordinates are finite.
///
/// # Errors
/// If one is not.
pub(crate) const fn finite_point(what: &'static str, point: Vec2) -> Result<Vec2, ShapeError> {
    if !point.x.is_finite() {
        Err(ShapeError::NotFinite { what, value: point.x })
    } else if !point.y.is_finite() {
        Err(ShapeError::NotFinite { what, value: point.y })
    } else {
        Ok(point)
    }
}

/// Checks that all coordinates of some points are finite.
///
/// # Errors
/// If one is not.
pub(crate) fn finite_points(what: &'static str, points: &[Vec2]) -> Result<(), ShapeError> {
    points.iter().try_for_each(|point| finite_point(what, *point).map(drop))
}

/// Returns a matrix if all its elements are finite.
///
/// # Errors
/// If one is not.
pub(super) fn finite_matrix(matrix: Mat2) -> Result<Mat2, ShapeError> {
    finite_points("an element of the matrix", &[matrix.x_axis, matrix.y_axis])?;
    Ok(matrix)
}

/// The `?` operator for `const` functions.
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(super) use attempt;

/// Returns the value of `try_new` for `new`.
///
/// # Panics
/// With the message of the error, if there is one.
#[track_caller]
pub(crate) fn or_panic<T>(result: Result<T, ShapeError>) -> T {
    match result {
        Ok(shape) => shape,
        Err(error) => panic!("{error}"),
    }
}
