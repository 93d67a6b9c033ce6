use glam::DMat2;

/// Returns the inverse of a matrix; `None` if there is none, or it is not finite.
pub(crate) fn inverse_of(matrix: DMat2) -> Option<DMat2> {
    let is_regular = matrix.determinant() != 0.0;
    is_regular.then(|| matrix.inverse()).filter(DMat2::is_finite)
}
