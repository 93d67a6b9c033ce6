use alloc::sync::Arc;
#[cfg(feature = "serde")]
use alloc::{format, string::String, string::ToString, vec::Vec};
use core::fmt;

use glam::{Affine2, BVec2, Vec2};

use super::pieces::Composite;
use super::tile::Tile;
use super::tile_map::TileMap;
use super::world_forms::WorldForms;
use crate::index::Index;
use crate::math::{Aabb, Checksum};
use crate::shape::{Kind, Shape, ShapeError, or_panic, valid_size};

/// A map of tiles of equal size, as one collider. The low corner of the first tile is at the origin. Columns are along
/// x and rows along y, so the first row is the lowest with y up and the highest with y down.
///
/// Equal boxes side by side are joined into one, and so are equal rows of them above each other: a floor is one box,
/// however long it is, and a filled map is a single piece. A piece has the [number](Self::number_of) of the tile in its
/// low corner. Clones share their memory until one is [edited](Self::set).
///
#[cfg_attr(doc, doc = include_str!("../../docs/figures/tiles.svg"))]
///
/// ```
/// use hitgraph::{Node, QueryFilter, Scene, Tile, Tiles};
/// use glam::{Vec2, vec2};
///
/// let map = ["....", ".../", "####"];
/// let tile = |column: u32, row: u32| match map[2 - row as usize].as_bytes()[column as usize] {
///     b'#' => Tile::FULL,
///     b'/' => Tile::slope(0.0, 1.0),
///     _ => Tile::EMPTY,
/// };
/// let tiles = Tiles::from_tiles(4, 3, vec2(16.0, 16.0), tile)?;
/// assert_eq!((tiles.columns(), tiles.rows(), tiles.size()), (4, 3, vec2(16.0, 16.0)));
/// assert_eq!((tiles.tile(0, 0), tiles.tile(4, 0)), (Some(Tile::FULL), None));
/// assert_eq!((tiles.place_of(vec2(20.0, 5.0)), tiles.number_of(1, 2)), (Some((1, 0)), Some(9)));
/// assert_eq!(tiles.piece_count(), 2, "the floor is one piece, the slope the other");
///
/// let mut scene = Scene::new();
/// let level = scene.add(Node::new("level"));
/// let level = scene.attach(level, tiles).unwrap();
/// let down = |scene: &mut Scene, x: f32| {
///     scene.world().cast_ray(vec2(x, 99.0), -Vec2::Y, 99.0, &QueryFilter::default()).map(|hit| hit.point.y)
/// };
/// assert_eq!((down(&mut scene, 8.0), down(&mut scene, 56.0)), (Some(16.0), Some(24.0)));
///
/// // A hole in the floor.
/// let tiles = scene.attachment_mut(level).and_then(|attachment| attachment.collider_mut::<Tiles>());
/// tiles.unwrap().set(0, 0, Tile::EMPTY);
/// assert_eq!(down(&mut scene, 8.0), None);
/// # Ok::<(), hitgraph::ShapeError>(())
/// ```
#[derive(Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "SavedTiles", into = "SavedTiles")
)]
#[doc(alias("tilemap", "tile map", "grid"))]
pub struct Tiles(Arc<TileMap>);

/// A saved map: the distinct tiles, and the index of the tile in every cell, row by row.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct SavedTiles {
    columns: u32,
    rows: u32,
    #[serde(with = "crate::math::saved")]
    size: Vec2,
    kinds: Vec<Tile>,
    cells: Vec<u32>,
}

#[cfg(feature = "serde")]
impl From<Tiles> for SavedTiles {
    fn from(tiles: Tiles) -> Self {
        let TileMap { columns, rows, size, .. } = *tiles.0;
        let (kinds, cells) = tiles.0.kinds_and_cells();
        Self { columns, rows, size, kinds, cells }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<SavedTiles> for Tiles {
    type Error = String;

    fn try_from(SavedTiles { columns, rows, size, kinds, cells }: SavedTiles) -> Result<Self, String> {
        if cells.len() as u64 != u64::from(columns) * u64::from(rows) {
            return Err(format!("a map of {columns} by {rows} tiles cannot have {} cells", cells.len()));
        }
        if let Some(cell) = cells.iter().find(|cell| **cell as usize >= kinds.len()) {
            return Err(format!("a map of {} distinct tiles has no tile {cell}", kinds.len()));
        }
        let mut tiles = cells.iter().map(|cell| kinds[*cell as usize]);
        Self::from_tiles(columns, rows, size, |_, _| tiles.next().unwrap_or_default())
            .map_err(|error| error.to_string())
    }
}

/// The largest number of tiles: more than any real map has, and few enough to fit into memory.
const MAX_TILES: u64 = 1 << 26;

/// The largest number of columns or rows: `f32` stores all whole numbers up to it.
const MAX_COLUMNS: u64 = 1 << f32::MANTISSA_DIGITS;

impl Tiles {
    /// Returns a map of full tiles, where `full(column, row)` is `true`, with the size of one tile in units. A size of
    /// 0 makes segments or points.
    ///
    /// # Panics
    /// If the size is negative or not finite, or the map too large; [`try_new`](Self::try_new) returns an error
    /// instead.
    #[must_use]
    #[track_caller]
    pub fn new(columns: u32, rows: u32, size: Vec2, full: impl FnMut(u32, u32) -> bool) -> Self {
        or_panic(Self::try_new(columns, rows, size, full))
    }

    /// Returns a map of full tiles, where `full(column, row)` is `true`, with the size of one tile in units.
    ///
    /// ```
    /// # use hitgraph::Tiles;
    /// # use glam::vec2;
    /// // Numbers from the file of a map, which may be wrong.
    /// let (columns, rows, width) = (1_000_000, 1_000_000, 16.0);
    /// let error = Tiles::try_new(columns, rows, vec2(width, width), |_, _| true).unwrap_err();
    /// assert!(error.to_string().contains("the number of tiles must be at most"));
    /// ```
    ///
    /// # Errors
    /// If the size is negative or not finite, the far corner overflows, or there are more than 67,108,864 tiles (8192
    /// by 8192; they take 256 MiB) or more than 16,777,216 columns or rows; a map of 0 tiles may have more. The check
    /// comes before the first call of `full`, so numbers from a file need no check of their own.
    pub fn try_new(
        columns: u32,
        rows: u32,
        size: Vec2,
        mut full: impl FnMut(u32, u32) -> bool,
    ) -> Result<Self, ShapeError> {
        Self::from_tiles(columns, rows, size, |column, row| if full(column, row) { Tile::FULL } else { Tile::EMPTY })
    }

    /// Returns a map of the tiles that `tile(column, row)` returns, row by row. The time grows with the number of
    /// distinct tiles, so some dozens of them are best.
    ///
    /// # Errors
    /// As [`try_new`](Self::try_new).
    pub fn from_tiles(
        columns: u32,
        rows: u32,
        size: Vec2,
        tile: impl FnMut(u32, u32) -> Tile,
    ) -> Result<Self, ShapeError> {
        let size = Vec2::new(valid_size("the width of a tile", size.x)?, valid_size("the height of a tile", size.y)?);
        valid_size("the width of the map", columns as f32 * size.x)?;
        valid_size("the height of the map", rows as f32 * size.y)?;
        // A map without tiles may be as long as it likes.
        let value = if columns.min(rows) > 0 { u64::from(columns.max(rows)) } else { 0 };
        if value > MAX_COLUMNS {
            return Err(ShapeError::TooMany { what: "the number of columns or rows", value, most: MAX_COLUMNS });
        }
        let value = u64::from(columns) * u64::from(rows);
        if value > MAX_TILES {
            return Err(ShapeError::TooMany { what: "the number of tiles", value, most: MAX_TILES });
        }
        Ok(Self(Arc::new(TileMap::new(columns, rows, size, tile))))
    }

    /// Returns the number of tiles along x.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.0.columns
    }

    /// Returns the number of tiles along y.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.0.rows
    }

    /// Returns the size of a tile in units.
    #[must_use]
    pub fn size(&self) -> Vec2 {
        self.0.size
    }

    /// Returns the tile in a cell; `None` outside of the map.
    #[must_use]
    pub fn tile(&self, column: u32, row: u32) -> Option<Tile> {
        self.0.tile(self.0.number_of(column, row)?)
    }

    /// Replaces the tile in a cell. Returns `false` and does nothing outside of the map. The time is that of a few
    /// queries and of comparisons with the equal tiles next to the cell in its row and with the distinct tiles of the
    /// map, however large the map is, plus that of a copy if the map has clones.
    pub fn set(&mut self, column: u32, row: u32, tile: Tile) -> bool {
        // Setting the tile that is already there must not copy a shared map.
        let old = self.tile(column, row);
        if old.is_some_and(|old| old != tile) {
            Arc::make_mut(&mut self.0).set(column, row, tile);
        }
        old.is_some()
    }

    /// Returns the number of a cell, counted row by row; it is also the number of a piece with its low corner there.
    /// Returns `None` outside of the map.
    #[must_use]
    pub fn number_of(&self, column: u32, row: u32) -> Option<u32> {
        self.0.number_of(column, row)
    }

    /// Returns the column and the row of the tile at a point in the map's local frame; on a border, those of the tile
    /// with the larger coordinates. Returns `None` outside of the map and if the tiles have no size.
    #[must_use]
    #[doc(alias("world to map", "cell at"))]
    pub fn place_of(&self, point: Vec2) -> Option<(u32, u32)> {
        let size = self.size();
        let quotient = (point / size).floor();
        // Corners are products, and the division rounds in another way.
        let is_next = ((quotient + 1.0) * size).cmple(point);
        let is_previous = (quotient * size).cmpgt(point);
        let step = |is: BVec2| Vec2::select(is, Vec2::ONE, Vec2::ZERO);
        let cell = quotient + step(is_next) - step(is_previous);
        let inside = cell.cmpge(Vec2::ZERO).all() && cell.x < self.columns() as f32 && cell.y < self.rows() as f32;
        inside.then_some((cell.x as u32, cell.y as u32))
    }

    /// Returns the column and the row of the tile nearest to a point in the map's local frame, for the point of a hit. It
    /// is on a border between two tiles, or a rounding outside of both, so [`place_of`](Self::place_of) may return the
    /// empty one. Empty tiles do not count here; of equally near tiles the first one, row by row, does. Returns `None` if
    /// no tile is within half the smaller side of a tile, or the point is not finite.
    ///
    /// ```
    /// # use hitgraph::{Node, QueryFilter, Scene, Tile, Tiles};
    /// # use glam::{Vec2, vec2};
    /// # let mut scene = Scene::new();
    /// let wall = Tiles::new(3, 1, vec2(16.0, 16.0), |_, _| true);
    /// let (level, wall) = scene.add_with(Node::new("level").with_position(vec2(100.0, 0.0)), wall);
    /// // A shot from the right destroys the last tile.
    /// let world = scene.world();
    /// let hit = world.cast_ray(vec2(200.0, 8.0), -Vec2::X, 200.0, &QueryFilter::default()).unwrap();
    /// let point = world.to_local(level, hit.point).unwrap();
    /// let tiles = scene.attachment_mut(wall).unwrap().collider_mut::<Tiles>().unwrap();
    /// assert_eq!((tiles.place_of(point), tiles.place_of_hit(point)), (None, Some((2, 0))));
    /// tiles.set(2, 0, Tile::EMPTY);
    /// ```
    #[must_use]
    pub fn place_of_hit(&self, point: Vec2) -> Option<(u32, u32)> {
        if !point.is_finite() {
            return None;
        }
        let number = self.0.nearest_tile(point)?;
        Some((number % self.columns(), number / self.columns()))
    }

    /// Returns the number of pieces into which the tiles are joined.
    #[must_use]
    pub fn piece_count(&self) -> usize {
        self.0.index.len()
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let TileMap { columns, rows, size, .. } = &*self.0;
        sum.add(*columns);
        sum.add(*rows);
        sum.add_vec2(*size);
        self.0.add_cells_to(sum);
    }

    /// Returns the direction in which the tile with this number lets movers through.
    pub(crate) fn one_way_direction(&self, number: u32) -> Option<Vec2> {
        self.0.tile(number)?.one_way_direction()
    }
}

impl Composite for Tiles {
    fn index(&self) -> &Index {
        &self.0.index
    }

    fn piece<'a>(&self, slot: u32, by: &Affine2, forms: &'a mut WorldForms) -> (u32, &'a Shape) {
        let (number, polygon) = self.0.numbered_run(slot);
        (number, forms.image(Kind::Polygon, &polygon, by))
    }

    fn unjoined_count(&self) -> usize {
        self.columns() as usize * self.rows() as usize
    }

    fn each_unjoined(&self, region: Aabb, by: &Affine2, forms: &mut WorldForms, visit: &mut dyn FnMut(u32, &Shape)) {
        self.0.each_tile(region, &mut |number, tile| visit(number, forms.image(Kind::Polygon, &tile, by)));
    }
}

/// Two maps are equal if they have the same size and the same tiles, whatever edits led to them.
impl PartialEq for Tiles {
    fn eq(&self, other: &Self) -> bool {
        let layout = |tiles: &Self| (tiles.columns(), tiles.rows(), tiles.size());
        layout(self) == layout(other) && self.0.tiles().eq(other.0.tiles())
    }
}

impl fmt::Debug for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileMap { columns, rows, size, .. } = &*self.0;
        let mut fields = f.debug_struct("Tiles");
        fields.field("columns", columns).field("rows", rows).field("size", size).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editing_a_clone_does_not_change_the_original() {
        let original = Tiles::new(3, 1, Vec2::ONE, |_, _| true);
        let mut clone = original.clone();
        assert!(clone.set(1, 0, Tile::FULL) && Arc::ptr_eq(&clone.0, &original.0), "an equal tile copies nothing");
        assert!(clone.set(1, 0, Tile::EMPTY) && !clone.set(3, 0, Tile::EMPTY));
        assert_eq!((original.piece_count(), clone.piece_count()), (1, 2));
        assert_eq!((original.tile(1, 0), clone.tile(1, 0)), (Some(Tile::FULL), Some(Tile::EMPTY)));
    }
}
