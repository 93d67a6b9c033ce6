use thiserror::Error;

/// Why a shape cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate or size is NaN or infinite.
    #[error("{what} must be finite, but is {value}")]
    NotFinite {
        /// Which argument.
        what: &'static str,
        /// What was given.
        value: f32,
    },
    /// A size is below zero. (Zero is fine: a point or a segment.)
    #[error("{what} must not be negative, but is {value}")]
    Negative {
        /// Which argument.
        what: &'static str,
        /// What was given.
        value: f32,
    },
    /// An outline without points.
    #[error("an outline needs at least one point")]
    Empty,
    /// The outline bends inwards where a convex one is needed.
    #[error("the outline is concave at point {index}")]
    Concave {
        /// The point, counted from 0, that lies inside the hull of the others.
        index: usize,
    },
    /// The outline crosses itself or goes around more than once.
    #[error("the outline crosses itself near point {index}")]
    Crossing {
        /// The point, counted from 0, from which the outline leaves its order around the hull.
        index: usize,
    },
    /// Two sides of an outline cross, or touch so that it goes around something twice.
    #[error(
        "the outline crosses itself at {at}, where the side after point {first} meets the one after point {second}"
    )]
    CrossesItself {
        /// The point, counted from 0, after which the first of the two sides comes.
        first: usize,
        /// The point after which the second one comes.
        second: usize,
        /// Where they meet.
        at: glam::Vec2,
    },
    /// More than there may be.
    #[error("{what} must be at most {most}, but is {value}")]
    TooMany {
        /// Which argument.
        what: &'static str,
        /// What was given.
        value: u64,
        /// What there may be.
        most: u64,
    },
}

/// Checks a length: finite and not negative.
pub(super) fn size(what: &'static str, value: f32) -> Result<f32, ShapeError> {
    match value {
        value if !value.is_finite() => Err(ShapeError::NotFinite { what, value }),
        value if value < 0.0 => Err(ShapeError::Negative { what, value }),
        value => Ok(value),
    }
}

/// Checks a point: both coordinates finite.
pub(super) fn point(what: &'static str, point: glam::Vec2) -> Result<glam::Vec2, ShapeError> {
    match point.to_array().into_iter().find(|value| !value.is_finite()) {
        Some(value) => Err(ShapeError::NotFinite { what, value }),
        None => Ok(point),
    }
}

/// What `new` gives for what `try_new` gave.
///
/// # Panics
/// With the error's own message.
#[track_caller]
pub(super) fn or_panic<T>(result: Result<T, ShapeError>) -> T {
    match result {
        Ok(shape) => shape,
        Err(error) => panic!("{error}"),
    }
}
