use glam::{DMat2, Mat2};

/// Returns the inverse of a matrix; `None` if there is none, or it is not finite.
pub(crate) fn inverse_of(matrix: DMat2) -> Option<DMat2> {
    let is_regular = matrix.determinant() != 0.0;
    is_regular.then(|| matrix.inverse()).filter(DMat2::is_finite)
}

/// Returns `true` if a matrix exchanges clockwise and counter-clockwise. Its determinant may be beyond the range of `f32`.
pub(crate) fn mirrors(matrix: Mat2) -> bool {
    matrix.as_dmat2().determinant() < 0.0
}
