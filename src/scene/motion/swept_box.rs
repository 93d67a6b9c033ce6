use glam::DVec2;

use crate::math::Aabb;

/// A box that moves along a displacement.
#[derive(Debug, Clone, Copy)]
pub(super) struct SweptBox {
    /// The box at the start.
    bounds: Aabb,
    /// The box at the start, with a margin.
    pub(super) from: Aabb,
    pub(super) displacement: DVec2,
}

impl SweptBox {
    /// Creates the path of a box, whose search regions include a margin.
    pub(super) fn new(bounds: Aabb, margin: f64, displacement: DVec2) -> Self {
        Self { bounds, from: bounds.grown(margin as f32), displacement }
    }

    /// Returns the box around the path up to `limit` times the displacement, with the margin.
    pub(super) fn region(&self, limit: f64) -> Aabb {
        self.from.swept((self.displacement * limit).as_vec2())
    }

    /// Returns `true` if a box overlaps a [`region`](Self::region) and is not beside the path.
    pub(super) fn meets(&self, bounds: Aabb, region: Aabb) -> bool {
        bounds.overlaps(region) && !self.is_beside(bounds)
    }

    /// Returns `true` if a box has no point in the infinite strip around the path, without the margin. It spares most
    /// casts along a floor.
    fn is_beside(&self, bounds: Aabb) -> bool {
        let [(own_middle, own_half), (middle, half)] = [self.bounds, bounds].map(Aabb::middle_and_half);
        let across = self.displacement.perp();
        (middle - own_middle).dot(across).abs() > (own_half + half).dot(across.abs())
    }
}
