use glam::Vec2;

use crate::math::Aabb;

/// How many children a node has.
pub(super) const WIDTH: usize = 8;

/// Eight boxes side by side, coordinate by coordinate. A lane without a child is empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node8 {
    min_x: [f32; WIDTH],
    min_y: [f32; WIDTH],
    max_x: [f32; WIDTH],
    max_y: [f32; WIDTH],
}

impl Node8 {
    pub(super) const EMPTY: Self = Self {
        min_x: [f32::INFINITY; WIDTH],
        min_y: [f32::INFINITY; WIDTH],
        max_x: [f32::NEG_INFINITY; WIDTH],
        max_y: [f32::NEG_INFINITY; WIDTH],
    };

    pub(super) fn lane(&self, lane: usize) -> Aabb {
        Aabb { min: Vec2::new(self.min_x[lane], self.min_y[lane]), max: Vec2::new(self.max_x[lane], self.max_y[lane]) }
    }

    pub(super) fn set_lane(&mut self, lane: usize, bounds: Aabb) {
        (self.min_x[lane], self.min_y[lane]) = bounds.min.into();
        (self.max_x[lane], self.max_y[lane]) = bounds.max.into();
    }

    /// The box around all lanes.
    pub(super) fn bounds(&self) -> Aabb {
        let least = |values: &[f32; WIDTH]| values.iter().copied().fold(f32::INFINITY, f32::min);
        let most = |values: &[f32; WIDTH]| values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Aabb {
            min: Vec2::new(least(&self.min_x), least(&self.min_y)),
            max: Vec2::new(most(&self.max_x), most(&self.max_y)),
        }
    }

    /// The lanes that overlap a region, one bit each.
    #[inline]
    pub(super) fn overlapping(&self, region: Aabb) -> u32 {
        let mut mask = 0;
        for lane in 0..WIDTH {
            let hit = (self.min_x[lane] <= region.max.x)
                & (region.min.x <= self.max_x[lane])
                & (self.min_y[lane] <= region.max.y)
                & (region.min.y <= self.max_y[lane]);
            mask |= u32::from(hit) << lane;
        }
        mask
    }
}
