use glam::Vec2;
use smallvec::SmallVec;

/// What is in one place of a map of [`Tiles`](crate::Tiles): nothing, a full tile, a part of one, or a slope.
///
/// Fractions are of the tile's own size, from 0 at the low corner to 1 at the high one; what is less or more is taken
/// as 0 or 1, and so is NaN as 0.
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/tile.svg"))]
///
/// ```
/// use hitgraph::Tile;
/// use glam::{Vec2, vec2};
///
/// let ramp = [Tile::slope(0.0, 0.5), Tile::slope(0.5, 1.0)];
/// let spikes_on_the_ceiling = Tile::slope(0.3, 0.3).flipped();
/// let plank = Tile::part(vec2(0.0, 0.8), vec2(1.0, 1.0)).one_way(Vec2::Y);
/// assert_eq!(plank.passage(), Some(Vec2::Y));
/// assert_ne!(Tile::FULL, Tile::EMPTY);
/// # let _ = (ramp, spikes_on_the_ceiling);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    solid: bool,
    /// A trapezoid with upright sides: from where to where along x, and at each side from where to where along y.
    across: [f32; 2],
    low: [f32; 2],
    high: [f32; 2],
    one_way: Option<Vec2>,
}

impl Tile {
    /// Nothing.
    pub const EMPTY: Self = Self { solid: false, ..Self::FULL };

    /// All of the tile.
    pub const FULL: Self = Self { solid: true, across: [0.0, 1.0], low: [0.0, 0.0], high: [1.0, 1.0], one_way: None };

    /// What is below a line (towards the row before) from the left side at height `left` to the right side at height
    /// `right`: a ramp, or a flat step.
    ///
    /// With y down the row before is the one above, so a ramp on the ground is this one [flipped](Self::flipped), with
    /// its heights as one sees them; and jumping up through a plank is `-Vec2::Y`:
    ///
    /// ```
    /// use hitgraph::{Node, QueryFilter, Scene, Tile, Tiles};
    /// use glam::{Vec2, vec2};
    ///
    /// // One tile of 16 pixels, y down: its ground rises from the left to half its height.
    /// let ramp = Tile::slope(0.0, 0.5).flipped();
    /// let plank = Tile::part(vec2(0.0, 0.0), vec2(1.0, 0.2)).one_way(-Vec2::Y);
    /// let mut scene = Scene::new();
    /// scene.add_with(Node::new("map"), Tiles::from_tiles(2, 1, vec2(16.0, 16.0), |x, _| [ramp, plank][x as usize])?);
    /// let ground = |scene: &mut Scene, x: f32| {
    ///     scene.world().cast_ray(vec2(x, -9.0), Vec2::Y, 99.0, &QueryFilter::default()).map(|hit| hit.point.y)
    /// };
    /// assert_eq!((ground(&mut scene, 8.0), ground(&mut scene, 24.0)), (Some(12.0), Some(0.0)));
    /// # Ok::<(), hitgraph::ShapeError>(())
    /// ```
    #[must_use]
    pub fn slope(left: f32, right: f32) -> Self {
        Self { high: [fraction(left), fraction(right)], ..Self::FULL }
    }

    /// A box between two corners: the lower half, a post in the middle.
    #[must_use]
    #[doc(alias("half tile", "slab"))]
    pub fn part(low: Vec2, high: Vec2) -> Self {
        let sorted = |a: f32, b: f32| [fraction(a).min(fraction(b)), fraction(a).max(fraction(b))];
        let [across, [low, high]] = [sorted(low.x, high.x), sorted(low.y, high.y)];
        Self { across, low: [low; 2], high: [high; 2], ..Self::FULL }
    }

    /// The same upside down: a slope hangs from the row behind, or stands on it where y points down.
    #[must_use]
    pub fn flipped(self) -> Self {
        let turned = |heights: [f32; 2]| heights.map(|height| 1.0 - height);
        Self { low: turned(self.high), high: turned(self.low), ..self }
    }

    /// The same, letting through what moves along `direction` (in the map's frame) and stopping what comes against it.
    /// For movers only: it touches, and is hit by rays, like any other tile. A direction that is zero or not finite
    /// lets nothing through.
    #[must_use]
    #[doc(alias("platform", "one-way"))]
    pub fn one_way(self, direction: Vec2) -> Self {
        Self { one_way: Some(direction).filter(|direction| direction.is_finite() && *direction != Vec2::ZERO), ..self }
    }

    /// Whether there is anything.
    #[must_use]
    pub const fn is_solid(self) -> bool {
        self.solid
    }

    /// The direction in which it lets things through.
    #[must_use]
    pub const fn passage(self) -> Option<Vec2> {
        self.one_way
    }

    /// Whether two of these side by side are one box.
    pub(super) fn joins_sideways(&self) -> bool {
        self.across == [0.0, 1.0] && self.is_box()
    }

    /// Whether one of these above the other is one box.
    pub(super) fn joins_upwards(&self) -> bool {
        self.low == [0.0, 0.0] && self.high == [1.0, 1.0]
    }

    fn is_box(&self) -> bool {
        self.low[0] == self.low[1] && self.high[0] == self.high[1]
    }

    /// The corners of what joined tiles are, counter-clockwise; the two ends, or the point, if it has no area. Columns
    /// and rows are those of the first tile and the last.
    pub(super) fn corners(&self, [left, right]: [u32; 2], [bottom, top]: [u32; 2], size: Vec2) -> SmallVec<[Vec2; 4]> {
        // Whole numbers are added first, so that what neighbours share is the same to the bit.
        let corner = |column: u32, row: u32, x: f32, y: f32| Vec2::new(column as f32 + x, row as f32 + y) * size;
        let mut corners: SmallVec<[Vec2; 4]> = SmallVec::from([
            corner(left, bottom, self.across[0], self.low[0]),
            corner(right, bottom, self.across[1], self.low[1]),
            corner(right, top, self.across[1], self.high[1]),
            corner(left, top, self.across[0], self.high[0]),
        ]);
        let flat = size.x == 0.0 || size.y == 0.0 || self.across[0] == self.across[1] || self.low == self.high;
        if flat {
            // All on one line, and the first and the third or the second and the fourth are its ends.
            let rises = corners[0].distance_squared(corners[2]) >= corners[1].distance_squared(corners[3]);
            corners = if rises { [corners[0], corners[2]] } else { [corners[1], corners[3]] }.into_iter().collect();
        }
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        corners
    }
}

impl Default for Tile {
    fn default() -> Self {
        Self::EMPTY
    }
}

fn fraction(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}
