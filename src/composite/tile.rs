use glam::Vec2;
use smallvec::SmallVec;

use crate::math::{Checksum, Each, sort_by};

/// One cell of a map of [`Tiles`](crate::Tiles): empty, full, a part of a full tile, or a slope.
///
/// Its form is a trapezoid with vertical sides, in fractions of the tile's size: 0 at the low corner, 1 at the high
/// one. Constructors clamp fractions to that range and turn NaN into 0.
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
/// assert_eq!(plank.one_way_direction(), Some(Vec2::Y));
/// assert_eq!((plank.across(), plank.low(), plank.high()), ([0.0, 1.0], [0.8, 0.8], [1.0, 1.0]));
/// assert!(plank.is_solid() && !Tile::EMPTY.is_solid());
/// assert_ne!(Tile::FULL, Tile::EMPTY);
/// # let _ = (ramp, spikes_on_the_ceiling);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(from = "SavedTile"))]
pub struct Tile {
    solid: bool,
    /// See the getters with these names.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    across: [f32; 2],
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    low: [f32; 2],
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    high: [f32; 2],
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    one_way: Option<Vec2>,
}

/// A saved tile, before its numbers are clamped as those of a new one.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct SavedTile {
    solid: bool,
    #[serde(with = "crate::math::saved")]
    across: [f32; 2],
    #[serde(with = "crate::math::saved")]
    low: [f32; 2],
    #[serde(with = "crate::math::saved")]
    high: [f32; 2],
    #[serde(default, with = "crate::math::saved")]
    one_way: Option<Vec2>,
}

#[cfg(feature = "serde")]
impl From<SavedTile> for Tile {
    fn from(SavedTile { solid, across, low, high, one_way }: SavedTile) -> Self {
        let tile = if solid { Self::trapezoid(across, low, high) } else { Self::EMPTY };
        one_way.map_or(tile, |direction| tile.one_way(direction))
    }
}

impl Tile {
    /// The empty tile.
    pub const EMPTY: Self = Self { solid: false, ..Self::FULL };

    /// The full tile.
    pub const FULL: Self = Self { solid: true, across: [0.0, 1.0], low: [0.0, 0.0], high: [1.0, 1.0], one_way: None };

    /// Returns a ramp or a flat step: the part below the line from the height `left` at the left side to the height
    /// `right` at the right side. "Below" is towards the previous row.
    ///
    /// With y down, the previous row is the one above. A ramp on the ground is then a [flipped](Self::flipped) slope
    /// with the heights as seen on the screen, and a plank that lets jumps through from below has the direction
    /// `-Vec2::Y`:
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
    pub const fn slope(left: f32, right: f32) -> Self {
        Self::trapezoid([0.0, 1.0], [0.0, 0.0], [left, right])
    }

    /// Returns a box between two opposite corners: the lower half, or a post in the middle.
    #[must_use]
    #[doc(alias("half tile", "slab"))]
    pub const fn part(low: Vec2, high: Vec2) -> Self {
        Self::trapezoid([low.x, high.x], [low.y; 2], [high.y; 2])
    }

    /// Returns a trapezoid with vertical sides: their two x coordinates, their two lower ends and their two upper ends,
    /// the left one first. Every tile that is not empty has this form. Coordinates in the wrong order are exchanged.
    ///
    /// ```
    /// # use hitgraph::Tile;
    /// let ramp = Tile::slope(0.25, 0.75).flipped();
    /// assert_eq!(Tile::trapezoid(ramp.across(), ramp.low(), ramp.high()), ramp);
    /// ```
    #[must_use]
    pub const fn trapezoid(across: [f32; 2], low: [f32; 2], high: [f32; 2]) -> Self {
        let left = sorted(low[0], high[0]);
        let right = sorted(low[1], high[1]);
        Self { across: sorted(across[0], across[1]), low: [left[0], right[0]], high: [left[1], right[1]], ..Self::FULL }
    }

    /// Returns the tile upside down: a slope hangs from the next row (with y down, it stands on it). The direction of a
    /// [one-way](Self::one_way) tile stays.
    #[must_use]
    pub fn flipped(self) -> Self {
        let turned = |heights: [f32; 2]| heights.each(|height| 1.0 - height);
        Self { low: turned(self.high), high: turned(self.low), ..self }
    }

    /// Returns the tile as a one-way one, which lets movers through along `direction` (in the map's local frame) and
    /// stops them where its surface faces `direction`, to within 45 degrees. Overlap and rays ignore the direction. A
    /// zero or non-finite direction makes an ordinary tile, and the empty tile stays as it is.
    #[must_use]
    #[doc(alias("platform", "one-way"))]
    pub fn one_way(self, direction: Vec2) -> Self {
        // Adding zero turns -0 into 0, so that equal tiles are equal in every bit.
        let direction = direction + Vec2::ZERO;
        let is_one_way = self.solid && direction.is_finite() && direction != Vec2::ZERO;
        Self { one_way: is_one_way.then_some(direction), ..self }
    }

    /// Returns the x coordinates of the left and the right side, as fractions of the tile's width.
    #[must_use]
    pub const fn across(self) -> [f32; 2] {
        self.across
    }

    /// Returns the y coordinates of the lower ends of the left and the right side, as fractions of the tile's height.
    #[must_use]
    pub const fn low(self) -> [f32; 2] {
        self.low
    }

    /// Returns the y coordinates of the upper ends of the left and the right side, as fractions of the tile's height.
    #[must_use]
    pub const fn high(self) -> [f32; 2] {
        self.high
    }

    /// Returns `false` for the empty tile.
    #[must_use]
    pub const fn is_solid(self) -> bool {
        self.solid
    }

    /// Returns the direction in which the tile lets movers through, `None` for an ordinary tile.
    #[must_use]
    pub const fn one_way_direction(self) -> Option<Vec2> {
        self.one_way
    }

    pub(super) fn checksum(&self) -> u64 {
        let Self { solid, across, low, high, one_way } = self;
        let mut sum = Checksum::new();
        sum.add(*solid);
        [across, low, high].into_iter().flatten().for_each(|number| sum.add_f32(*number));
        sum.add_direction(*one_way);
        sum.value()
    }

    /// Returns `true` if two of these tiles side by side form one box; empty tiles do too.
    pub(super) fn joins_sideways(&self) -> bool {
        self.across == [0.0, 1.0] && self.low[0] == self.low[1] && self.high[0] == self.high[1]
    }

    /// Returns `true` if two of these tiles, one above the other, form one box or trapezoid.
    pub(super) fn joins_upwards(&self) -> bool {
        self.low == [0.0, 0.0] && self.high == [1.0, 1.0]
    }

    /// Returns the corners of joined tiles, counter-clockwise; two ends or one point if they have no area. Columns and
    /// rows are those of the first and the last tile.
    pub(super) fn corners(&self, [left, right]: [u32; 2], [bottom, top]: [u32; 2], size: Vec2) -> SmallVec<[Vec2; 8]> {
        // The sum is computed before the product, so that corners shared by neighbours are equal to the bit.
        let corner = |column: u32, row: u32, x: f32, y: f32| Vec2::new(column as f32 + x, row as f32 + y) * size;
        let mut corners: SmallVec<[Vec2; 8]> = SmallVec::from_slice(&[
            corner(left, bottom, self.across[0], self.low[0]),
            corner(right, bottom, self.across[1], self.low[1]),
            corner(right, top, self.across[1], self.high[1]),
            corner(left, top, self.across[0], self.high[0]),
        ]);
        let flat = size.x == 0.0 || size.y == 0.0 || self.across[0] == self.across[1] || self.low == self.high;
        if flat {
            // The corners are collinear.
            sort_by(&mut corners, |a, b| (a.x, a.y) < (b.x, b.y));
            corners = SmallVec::from_slice(&[corners[0], corners[3]]);
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

/// Returns a number clamped to the range from 0 to 1; 0 for NaN.
const fn fraction(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// Returns two fractions, clamped, the smaller one first.
const fn sorted(a: f32, b: f32) -> [f32; 2] {
    let (a, b) = (fraction(a), fraction(b));
    if b < a { [b, a] } else { [a, b] }
}
