use glam::DVec2;

/// The first touch of a ray or a cast shape with a target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CastTouch {
    /// The part of the ray's direction or of the displacement up to the touch; 0 for a ray that starts inside. Along a
    /// unit vector it is the distance.
    pub(crate) fraction: f64,
    /// Unit vector out of the target; minus the ray's direction if the ray starts inside.
    pub(crate) normal: DVec2,
}

/// The entry of a path into the sum of a polygon and a disc or an ellipse, as far as a fast test decides it.
pub(super) enum Entry {
    /// It does not enter.
    Never,
    /// It enters there.
    At(CastTouch),
    /// The test does not decide: the path enters at a corner or starts inside, or rounding is too large.
    Unclear,
}
