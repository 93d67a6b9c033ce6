use glam::Vec2;

/// How two shapes overlap, in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Manifold {
    /// Unit vector from the first shape to the second.
    pub(crate) normal: Vec2,
    /// How far the shapes overlap along the normal, never negative.
    pub(crate) depth: f32,
    /// The ends of the stretch that two flat sides share, the deepest first, midway between the two surfaces. The two
    /// are equal unless a side meets a side.
    pub(crate) points: [Vec2; 2],
}
