use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

use glam::{Affine2, Vec2};

use super::any::Shape;
use super::error::{ShapeError, or_panic, size};
use super::pieces::{Pieces, Spare};
use super::polygon::Polygon;
use super::tile::Tile;
use crate::index::Index;
use crate::math::Aabb;

/// A map of equal tiles, as one collider. The corner of the first tile is at the origin; columns go along x and rows
/// along y, so in a world with y up the first row is the lowest, and in one with y down the highest.
///
/// Equal boxes that lie side by side are joined to one, and equal rows of them above each other too, so a floor is one
/// box however long, and a filled map is a single piece. A piece has the [number](Self::number_of) of the tile in its
/// low corner.
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
/// let mut scene = Scene::new();
/// let level = scene.add(Node::new("level"));
/// let level = scene.attach(level, Tiles::from_tiles(4, 3, vec2(16.0, 16.0), tile)?).unwrap();
/// let down = |scene: &mut Scene, x: f32| {
///     scene.world().cast_ray(vec2(x, 99.0), -Vec2::Y, 99.0, &QueryFilter::default()).map(|hit| hit.point.y)
/// };
/// assert_eq!((down(&mut scene, 8.0), down(&mut scene, 56.0)), (Some(16.0), Some(24.0)));
///
/// // A hole in the floor. Only the row of the tile is joined anew.
/// let tiles = scene.attachment_mut(level).and_then(|attachment| attachment.shape_mut::<Tiles>());
/// tiles.unwrap().set(0, 0, Tile::EMPTY);
/// assert_eq!(down(&mut scene, 8.0), None);
/// # Ok::<(), hitgraph::ShapeError>(())
/// ```
#[derive(Clone)]
#[doc(alias("tilemap", "tile map", "grid"))]
pub struct Tiles {
    columns: u32,
    rows: u32,
    size: Vec2,
    /// The different tiles; nothing comes first.
    kinds: Vec<Tile>,
    /// Which of them is where, row by row.
    cells: Vec<u32>,
    /// Joined tiles, by slot; a free slot may hold anything.
    runs: Vec<Run>,
    free: Vec<u32>,
    index: Index,
}

/// What a map may have: so much that no real one comes near, and so little that there is memory for it.
const MOST_TILES: u64 = 1 << 26;

/// Equal tiles that are one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    kind: u32,
    /// The first and the last.
    columns: [u32; 2],
    rows: [u32; 2],
}

impl Tiles {
    /// A map of full tiles, wherever `full(column, row)` says so, by the size of one tile in units. A size of 0 makes
    /// segments or points of them.
    ///
    /// # Panics
    /// If the size is negative or not finite, or the map too large; [`try_new`](Self::try_new) tells instead.
    #[must_use]
    #[track_caller]
    pub fn new(columns: u32, rows: u32, size: Vec2, full: impl FnMut(u32, u32) -> bool) -> Self {
        or_panic(Self::try_new(columns, rows, size, full))
    }

    /// A map of full tiles, wherever `full(column, row)` says so, by the size of one tile in units.
    ///
    /// # Errors
    /// If the size is negative or not finite, the far corner overflows, or there are more than 67,108,864 tiles (8192
    /// by 8192; they take 256 MiB). This is told before the first tile is asked for, so numbers from a file need no
    /// check.
    pub fn try_new(
        columns: u32,
        rows: u32,
        size: Vec2,
        mut full: impl FnMut(u32, u32) -> bool,
    ) -> Result<Self, ShapeError> {
        Self::from_tiles(columns, rows, size, |column, row| if full(column, row) { Tile::FULL } else { Tile::EMPTY })
    }

    /// A map of any tiles, asked for row by row. Best for up to some dozens of different ones.
    ///
    /// # Errors
    /// As [`try_new`](Self::try_new).
    pub fn from_tiles(
        columns: u32,
        rows: u32,
        size: Vec2,
        mut tile: impl FnMut(u32, u32) -> Tile,
    ) -> Result<Self, ShapeError> {
        let size = Vec2::new(self::size("the width of a tile", size.x)?, self::size("the height of a tile", size.y)?);
        self::size("the width of the map", columns as f32 * size.x)?;
        self::size("the height of the map", rows as f32 * size.y)?;
        let value = u64::from(columns) * u64::from(rows);
        if value > MOST_TILES {
            return Err(ShapeError::TooMany { what: "the number of tiles", value, most: MOST_TILES });
        }
        let (runs, free, index) = (Vec::new(), Vec::new(), Index::default());
        let cells = Vec::with_capacity(value as usize);
        let mut map = Self { columns, rows, size, kinds: vec![Tile::EMPTY], cells, runs, free, index };
        for row in 0..rows {
            for column in 0..columns {
                let kind = map.kind(tile(column, row));
                map.cells.push(kind);
            }
        }
        map.join_all();
        Ok(map)
    }

    /// How many tiles there are along x.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// How many tiles there are along y.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The size of a tile, in units.
    #[must_use]
    pub fn size(&self) -> Vec2 {
        self.size
    }

    /// What is in a place; `None` outside the map.
    #[must_use]
    pub fn tile(&self, column: u32, row: u32) -> Option<Tile> {
        self.number_of(column, row).map(|cell| self.kinds[self.cells[cell as usize] as usize])
    }

    /// Puts another tile into a place; `false`, and nothing happens, outside the map. Costs about as much as a few
    /// questions, however large the map is.
    pub fn set(&mut self, column: u32, row: u32, tile: Tile) -> bool {
        let Some(cell) = self.number_of(column, row) else { return false };
        let kind = self.kind(tile);
        if kind == self.cells[cell as usize] {
            return true;
        }
        // Its own run and those beside it may be joined anew, and what was above and below them on its own.
        let (mut from, mut to) = (column, column);
        for near in column.saturating_sub(1)..=column.saturating_add(1).min(self.columns - 1) {
            if let Some(run) = self.take_row_out(near, row) {
                (from, to) = (from.min(run.columns[0]), to.max(run.columns[1]));
            }
        }
        self.cells[cell as usize] = kind;
        let mut start = from;
        while start <= to {
            let run = self.run_from(start, row);
            start = run.columns[1] + 1;
            self.join(run);
        }
        self.index.refresh();
        true
    }

    /// The number of a tile, counted row by row, which is that of the piece whose low corner it is. `None` outside the
    /// map.
    #[must_use]
    pub fn number_of(&self, column: u32, row: u32) -> Option<u32> {
        (column < self.columns && row < self.rows).then(|| row * self.columns + column)
    }

    /// The column and the row of the tile at a point in the map's own frame; the later one where it is on their
    /// border. `None` outside the map, and in one whose tiles have no size.
    #[must_use]
    #[doc(alias("world to map", "cell at"))]
    pub fn place_of(&self, point: Vec2) -> Option<(u32, u32)> {
        let place = (point / self.size).floor();
        let inside = place.cmpge(Vec2::ZERO).all() && place.x < self.columns as f32 && place.y < self.rows as f32;
        inside.then_some((place.x as u32, place.y as u32))
    }

    /// How many pieces the tiles have been joined to.
    #[must_use]
    pub fn piece_count(&self) -> usize {
        self.runs.len() - self.free.len()
    }

    /// The direction in which the tile with this number lets movers through.
    pub(crate) fn passage(&self, number: u32) -> Option<Vec2> {
        self.cells.get(number as usize).and_then(|kind| self.kinds[*kind as usize].passage())
    }

    fn kind(&mut self, tile: Tile) -> u32 {
        let known = if tile.is_solid() { self.kinds.iter().position(|kind| *kind == tile) } else { Some(0) };
        known.unwrap_or_else(|| {
            self.kinds.push(tile);
            self.kinds.len() - 1
        }) as u32
    }

    /// Joins the tiles of a new map.
    fn join_all(&mut self) {
        // The runs of the row before that may grow, and of this row, by slot and in order.
        let (mut before, mut here): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for row in 0..self.rows {
            let (mut column, mut candidate) = (0, 0);
            while column < self.columns {
                let run = self.run_from(column, row);
                column = run.columns[1] + 1;
                if run.kind == 0 {
                    continue;
                }
                while before.get(candidate).is_some_and(|slot| self.runs[*slot as usize].columns[0] < run.columns[0]) {
                    candidate += 1;
                }
                let below = before.get(candidate).copied().filter(|slot| self.continues(*slot, &run));
                let slot = below.unwrap_or(self.runs.len() as u32);
                match below {
                    Some(slot) => self.runs[slot as usize].rows[1] = row,
                    None => self.runs.push(run),
                }
                here.push(slot);
            }
            core::mem::swap(&mut before, &mut here);
            here.clear();
        }
        for slot in 0..self.runs.len() as u32 {
            self.index.set(slot, self.bounds(&self.runs[slot as usize]));
        }
        self.index.refresh();
    }

    /// The tiles from a place on that are one piece within their row.
    fn run_from(&self, column: u32, row: u32) -> Run {
        let line = &self.cells[(row * self.columns) as usize..][..self.columns as usize];
        let kind = line[column as usize];
        let joins = kind == 0 || self.kinds[kind as usize].joins_sideways();
        let same = line[column as usize..].iter().take_while(|other| **other == kind).count() as u32;
        Run { kind, columns: [column, column + if joins { same - 1 } else { 0 }], rows: [row; 2] }
    }

    /// Whether a run of one row is one piece with a run that ends in the row before.
    fn continues(&self, below: u32, run: &Run) -> bool {
        let below = &self.runs[below as usize];
        below.kind == run.kind && below.columns == run.columns && self.kinds[run.kind as usize].joins_upwards()
    }

    /// Adds a run of one row, joined with what is above and below it.
    fn join(&mut self, mut run: Run) {
        if run.kind == 0 {
            return;
        }
        let [column, _] = run.columns;
        for row in [run.rows[0].checked_sub(1), Some(run.rows[1] + 1)].into_iter().flatten() {
            if let Some(slot) = self.slot_at(column, row).filter(|slot| self.continues(*slot, &run)) {
                let near = self.runs[slot as usize];
                run.rows = [run.rows[0].min(near.rows[0]), run.rows[1].max(near.rows[1])];
                self.remove(slot);
            }
        }
        self.insert(run);
    }

    /// Takes the row of a place out of its piece: what was below and above are pieces of their own. The piece as it
    /// was.
    fn take_row_out(&mut self, column: u32, row: u32) -> Option<Run> {
        let slot = self.slot_at(column, row)?;
        let run = self.runs[slot as usize];
        self.remove(slot);
        if run.rows[0] < row {
            self.insert(Run { rows: [run.rows[0], row - 1], ..run });
        }
        if row < run.rows[1] {
            self.insert(Run { rows: [row + 1, run.rows[1]], ..run });
        }
        Some(run)
    }

    fn slot_at(&mut self, column: u32, row: u32) -> Option<u32> {
        let cell = self.number_of(column, row)?;
        let kind = self.cells[cell as usize];
        if kind == 0 {
            return None;
        }
        self.index.refresh();
        let own = self.bounds(&Run { kind, columns: [column; 2], rows: [row; 2] });
        let within = |[first, last]: [u32; 2], place: u32| first <= place && place <= last;
        let found = self.index.in_region(own, |slot| {
            let run = &self.runs[slot as usize];
            let holds = within(run.columns, column) && within(run.rows, row);
            if holds { ControlFlow::Break(slot) } else { ControlFlow::Continue(()) }
        });
        found.break_value()
    }

    fn insert(&mut self, run: Run) {
        let slot = self.free.pop().unwrap_or(self.runs.len() as u32);
        if slot as usize == self.runs.len() {
            self.runs.push(run);
        } else {
            self.runs[slot as usize] = run;
        }
        self.index.set(slot, self.bounds(&run));
    }

    fn remove(&mut self, slot: u32) {
        self.index.remove(slot);
        self.free.push(slot);
    }

    fn bounds(&self, run: &Run) -> Aabb {
        let corners = self.kinds[run.kind as usize].corners(run.columns, run.rows, self.size);
        Polygon::from_corners(&corners).bounds()
    }
}

impl Pieces for Tiles {
    fn index(&self) -> &Index {
        &self.index
    }

    fn count(&self) -> usize {
        self.piece_count()
    }

    fn number(&self, slot: u32) -> u32 {
        let run = &self.runs[slot as usize];
        run.rows[0] * self.columns + run.columns[0]
    }

    fn place<'a>(&self, slot: u32, by: &Affine2, spare: &'a mut Spare) -> &'a Shape {
        let run = &self.runs[slot as usize];
        spare.polygon(&self.kinds[run.kind as usize].corners(run.columns, run.rows, self.size), by)
    }
}

impl fmt::Debug for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { columns, rows, size, .. } = self;
        let mut fields = f.debug_struct("Tiles");
        fields.field("columns", columns).field("rows", rows).field("size", size).finish_non_exhaustive()
    }
}
