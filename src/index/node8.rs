use glam::{Vec2, Vec4};

use crate::math::tolerance::BOUNDS_PADDING;
use crate::math::{Aabb, Each, bits_of};

/// The number of children of a node.
pub(super) const WIDTH: usize = 8;

/// Eight boxes, stored coordinate by coordinate, so that one operation tests four of them. One box is a lane; a lane
/// without a child is empty. Two cache lines; unaligned, most nodes would lie in three.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
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
        let lane = lane % WIDTH;
        Aabb { min: Vec2::new(self.min_x[lane], self.min_y[lane]), max: Vec2::new(self.max_x[lane], self.max_y[lane]) }
    }

    #[inline]
    pub(super) fn set_lane(&mut self, lane: usize, bounds: Aabb) {
        (self.min_x[lane], self.min_y[lane]) = bounds.min.into();
        (self.max_x[lane], self.max_y[lane]) = bounds.max.into();
    }

    /// Returns the union of all lanes.
    #[inline]
    pub(super) fn bounds(&self) -> Aabb {
        let [min_x, min_y, max_x, max_y] = [&self.min_x, &self.min_y, &self.max_x, &self.max_y].each(halves);
        Aabb { min: Vec2::new(least(min_x), least(min_y)), max: Vec2::new(most(max_x), most(max_y)) }
    }

    /// Returns the mask of the lanes that are not empty.
    #[inline]
    pub(super) fn children(&self) -> u32 {
        let half = |half: usize| halves(&self.min_x)[half].cmple(halves(&self.max_x)[half]).bitmask();
        half(0) | (half(1) << 4)
    }

    /// Returns the mask of the lanes that overlap a finite region. Bit `i` of a mask stands for lane `i`.
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

    /// Casts a box against all lanes. Returns for each lane the time of impact, as a multiple of the direction, and the
    /// mask of the lanes that the box touches up to `limit`. A ray is the cast of a point.
    ///
    /// `inverse` is the component-wise reciprocal of the direction. Rounding makes each time wrong by a relative error
    /// below [`BOUNDS_PADDING`], so entries are lowered and exits raised by it.
    ///
    /// Source: the slab test of T. Kay and J. Kajiya, *Ray tracing complex scenes* (1986), on the Minkowski sum of lane
    /// and box.
    #[inline(always)]
    pub(super) fn times_of_impact(&self, from: Aabb, inverse: Vec2, limit: f32) -> ([f32; WIDTH], u32) {
        self.score(limit, |[min_x, min_y, max_x, max_y]| {
            let x = slab(min_x, max_x, [from.min.x, from.max.x], inverse.x);
            let y = slab(min_y, max_y, [from.min.y, from.max.y], inverse.y);
            let entry = x[0].max(y[0]).max(Vec4::ZERO) * (1.0 - BOUNDS_PADDING);
            let exit = x[1].min(y[1]) * (1.0 + BOUNDS_PADDING);
            [entry, exit]
        })
    }

    /// Returns the squared distance from a point to each lane, and the mask of the lanes within the squared distance
    /// `limit`.
    #[inline(always)]
    pub(super) fn squared_distances(&self, point: Vec2, limit: f32) -> ([f32; WIDTH], u32) {
        let (x, y) = (Vec4::splat(point.x), Vec4::splat(point.y));
        self.score(limit, |[min_x, min_y, max_x, max_y]| {
            let beside = (min_x - x).max(x - max_x).max(Vec4::ZERO);
            let above = (min_y - y).max(y - max_y).max(Vec4::ZERO);
            [beside * beside + above * above, Vec4::INFINITY]
        })
    }

    /// Computes for four lanes at a time, from their coordinates, the scores and a bound of each. Returns the scores,
    /// and the mask of the lanes whose scores are at most their bounds and `limit`.
    #[inline(always)]
    fn score(&self, limit: f32, of_half: impl Fn([Vec4; 4]) -> [Vec4; 2]) -> ([f32; WIDTH], u32) {
        let mut scores = [0.0; WIDTH];
        let mut mask = 0;
        for half in 0..2 {
            let lanes = [&self.min_x, &self.min_y, &self.max_x, &self.max_y].each(|values| halves(values)[half]);
            let [own, bound] = of_half(lanes);
            let has_child = lanes[0].cmple(lanes[2]);
            mask |= (own.cmple(bound.min(Vec4::splat(limit))) & has_child).bitmask() << (4 * half);
            scores[4 * half..4 * half + 4].copy_from_slice(&own.to_array());
        }
        (scores, mask)
    }

    /// Returns the score of each lane, and the mask of the lanes whose score is finite and at most `limit`.
    #[inline]
    pub(super) fn scores(&self, limit: f64, score: impl Fn(Aabb) -> f64) -> ([f64; WIDTH], u32) {
        let mut scores = [f64::INFINITY; WIDTH];
        let mut mask = 0;
        for lane in lanes(self.children()) {
            scores[lane] = score(self.lane(lane));
            mask |= u32::from(scores[lane] < f64::INFINITY && scores[lane] <= limit) << lane;
        }
        (scores, mask)
    }
}

/// Returns the times at which a moving interval enters and leaves intervals along one axis. If the motion is across the
/// axis, these are minus and plus infinity, exchanged if there is no overlap.
#[inline(always)]
fn slab(min: Vec4, max: Vec4, from: [f32; 2], inverse: f32) -> [Vec4; 2] {
    let [low, high] = from.each(Vec4::splat);
    if inverse.is_infinite() {
        let inside = min.cmple(high) & max.cmpge(low);
        return [(Vec4::NEG_INFINITY, Vec4::INFINITY), (Vec4::INFINITY, Vec4::NEG_INFINITY)]
            .each(|(within, beyond)| Vec4::select(inside, within, beyond));
    }
    let (a, b) = ((min - high) * inverse, (max - low) * inverse);
    [a.min(b), a.max(b)]
}

#[inline]
fn least([low, high]: [Vec4; 2]) -> f32 {
    low.min(high).min_element()
}

#[inline]
fn most([low, high]: [Vec4; 2]) -> f32 {
    low.max(high).max_element()
}

#[inline]
fn halves(values: &[f32; WIDTH]) -> [Vec4; 2] {
    let [a, b, c, d, e, f, g, h] = *values;
    [Vec4::new(a, b, c, d), Vec4::new(e, f, g, h)]
}

/// Returns one lane of a row of nodes.
#[inline]
pub(super) fn lane(nodes: &[Node8], index: usize) -> Aabb {
    nodes[index / WIDTH].lane(index % WIDTH)
}

/// Replaces one lane of a row of nodes.
#[inline]
pub(super) fn set_lane(nodes: &mut [Node8], index: usize, bounds: Aabb) {
    nodes[index / WIDTH].set_lane(index % WIDTH, bounds);
}

/// Returns an iterator over the lanes of a mask, lowest first.
#[inline]
pub(super) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    bits_of(mask.into()).map(|lane| lane as usize)
}
