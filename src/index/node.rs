use glam::{Vec2, Vec4};

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

    #[inline]
    pub(super) fn lane(&self, lane: usize) -> Aabb {
        Aabb { min: Vec2::new(self.min_x[lane], self.min_y[lane]), max: Vec2::new(self.max_x[lane], self.max_y[lane]) }
    }

    #[inline]
    pub(super) fn set_lane(&mut self, lane: usize, bounds: Aabb) {
        (self.min_x[lane], self.min_y[lane]) = bounds.min.into();
        (self.max_x[lane], self.max_y[lane]) = bounds.max.into();
    }

    /// The box around all lanes.
    #[inline]
    pub(super) fn bounds(&self) -> Aabb {
        let least = |values: &[f32; WIDTH]| {
            let [low, high] = halves(values);
            low.min(high).min_element()
        };
        let most = |values: &[f32; WIDTH]| {
            let [low, high] = halves(values);
            low.max(high).max_element()
        };
        Aabb {
            min: Vec2::new(least(&self.min_x), least(&self.min_y)),
            max: Vec2::new(most(&self.max_x), most(&self.max_y)),
        }
    }

    /// The lanes that overlap a finite region, one bit each.
    #[inline]
    pub(super) fn overlapping(&self, region: Aabb) -> u32 {
        let (min_x, min_y) = (Vec4::splat(region.min.x), Vec4::splat(region.min.y));
        let (max_x, max_y) = (Vec4::splat(region.max.x), Vec4::splat(region.max.y));
        let half = |half: usize| {
            let lanes = |values: &[f32; WIDTH]| halves(values)[half];
            let x = lanes(&self.min_x).cmple(max_x) & lanes(&self.max_x).cmpge(min_x);
            let y = lanes(&self.min_y).cmple(max_y) & lanes(&self.max_y).cmpge(min_y);
            (x & y).bitmask()
        };
        half(0) | (half(1) << 4)
    }

    /// Where a ray enters each lane, in multiples of its direction, and the lanes that it enters at all, one bit
    /// each.
    ///
    /// `inverse` is one over the direction, component by component. Differences, products and the direction itself are each off by
    /// a relative rounding, and so are the distances: by less than `slack`.
    #[inline]
    pub(super) fn entered(&self, origin: Vec2, inverse: Vec2, length: f32, slack: f32) -> ([f32; WIDTH], u32) {
        let mut entries = [0.0; WIDTH];
        let mut mask = 0;
        for half in 0..2 {
            let lanes = |values: &[f32; WIDTH]| halves(values)[half];
            let (ox, oy) = (Vec4::splat(origin.x), Vec4::splat(origin.y));
            let (ix, iy) = (Vec4::splat(inverse.x), Vec4::splat(inverse.y));
            let (ax, bx) = ((lanes(&self.min_x) - ox) * ix, (lanes(&self.max_x) - ox) * ix);
            let (ay, by) = ((lanes(&self.min_y) - oy) * iy, (lanes(&self.max_y) - oy) * iy);
            let entry = ax.min(bx).max(ay.min(by)) * (1.0 - slack);
            let exit = ax.max(bx).min(ay.max(by)) * (1.0 + slack);
            let (entry, exit) = (entry.max(Vec4::ZERO), exit.min(Vec4::splat(length)));
            // An empty lane is inside out.
            let real = lanes(&self.min_x).cmple(lanes(&self.max_x));
            mask |= (entry.cmple(exit) & real).bitmask() << (4 * half);
            entries[4 * half..4 * half + 4].copy_from_slice(&entry.to_array());
        }
        (entries, mask)
    }
}

#[inline]
fn halves(values: &[f32; WIDTH]) -> [Vec4; 2] {
    let [a, b, c, d, e, f, g, h] = *values;
    [Vec4::new(a, b, c, d), Vec4::new(e, f, g, h)]
}

/// The lanes set in a mask, lowest first.
#[inline]
pub(super) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        (mask != 0).then(|| {
            mask &= mask - 1;
            lane as usize
        })
    })
}
