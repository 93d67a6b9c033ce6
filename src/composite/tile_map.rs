use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;

use super::tile::Tile;
use crate::index::Index;
use crate::math::tolerance::BOUNDS_PADDING;
use crate::math::{Aabb, Checksum, keep_least};
use crate::shape::{Circle, Meets, Polygon};

/// A grid of tiles, with equal neighbours joined into runs, and an index over the runs.
#[derive(Clone)]
pub(super) struct TileMap {
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) size: Vec2,
    /// The distinct tiles, [`EMPTY`] first. Another takes the place of one that is in no cell any more.
    kinds: Vec<Tile>,
    /// The number of cells of every kind.
    counts: Vec<u32>,
    /// The index in `kinds` of every cell, row by row.
    cells: Vec<u32>,
    /// The runs by slot; a free slot may contain anything.
    runs: Vec<Run>,
    free: Vec<u32>,
    pub(super) index: Index,
}

/// The index of the empty tile among the kinds of every map.
const EMPTY: u32 = 0;

/// A box of equal tiles that form one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    kind: u32,
    /// The first and the last column.
    columns: [u32; 2],
    /// The first and the last row.
    rows: [u32; 2],
}

impl TileMap {
    /// Returns the map of the tiles that `tile(column, row)` returns, row by row.
    pub(super) fn new(columns: u32, rows: u32, size: Vec2, mut tile: impl FnMut(u32, u32) -> Tile) -> Self {
        let cells = Vec::with_capacity(columns as usize * rows as usize);
        let (runs, free, index) = (Vec::new(), Vec::new(), Index::default());
        let (kinds, counts) = (vec![Tile::EMPTY], vec![0]);
        let mut map = Self { columns, rows, size, kinds, counts, cells, runs, free, index };
        // A map without columns or rows has no tiles, however long its other side is.
        if columns == 0 || rows == 0 {
            return map;
        }
        for row in 0..rows {
            for column in 0..columns {
                let kind = map.kind(tile(column, row));
                map.cells.push(kind);
            }
        }
        map.join_all();
        map
    }

    pub(super) fn number_of(&self, column: u32, row: u32) -> Option<u32> {
        (column < self.columns && row < self.rows).then(|| self.number(column, row))
    }

    /// Returns the number of a cell of the map.
    fn number(&self, column: u32, row: u32) -> u32 {
        row * self.columns + column
    }

    /// Returns the tile with a number.
    pub(super) fn tile(&self, number: u32) -> Option<Tile> {
        self.cells.get(number as usize).map(|kind| self.kinds[*kind as usize])
    }

    /// Returns the distinct tiles in the order in which they first occur, and their indices by cell, row by row.
    #[cfg(feature = "serde")]
    pub(super) fn kinds_and_cells(&self) -> (Vec<Tile>, Vec<u32>) {
        let (mut kinds, mut new_kinds) = (Vec::new(), vec![None; self.kinds.len()]);
        let cells = self.cells.iter().map(|kind| {
            *new_kinds[*kind as usize].get_or_insert_with(|| {
                kinds.push(self.kinds[*kind as usize]);
                kinds.len() as u32 - 1
            })
        });
        let cells = cells.collect();
        (kinds, cells)
    }

    /// Adds the tiles. Their order in `kinds` depends on earlier edits, so each cell adds the checksum of its tile.
    pub(super) fn add_cells_to(&self, sum: &mut Checksum) {
        let kinds: Vec<u64> = self.kinds.iter().map(Tile::checksum).collect();
        self.cells.iter().for_each(|kind| sum.add(kinds[*kind as usize]));
    }

    /// Iterates over the tiles of all cells, row by row.
    pub(super) fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.cells.iter().map(|kind| &self.kinds[*kind as usize])
    }

    /// Returns the number of the tile in the low corner of the run in a slot, and the polygon of the run.
    pub(super) fn numbered_run(&self, slot: u32) -> (u32, Polygon) {
        let run = &self.runs[slot as usize];
        (self.number(run.columns[0], run.rows[0]), self.polygon(run))
    }

    /// Visits the tiles that have a point in a region, and possibly others, row by row, with their numbers and forms.
    pub(super) fn each_tile(&self, region: Aabb, visit: &mut dyn FnMut(u32, Polygon)) {
        let columns = cells_between(region.min.x, region.max.x, self.size.x, self.columns);
        let rows = cells_between(region.min.y, region.max.y, self.size.y, self.rows);
        // A map without columns may have any number of rows.
        let rows = if columns.is_empty() { 0..0 } else { rows };
        for row in rows {
            for column in columns.clone() {
                let number = self.number(column, row);
                let kind = self.cells[number as usize];
                if kind != EMPTY {
                    visit(number, self.polygon(&Run { kind, columns: [column; 2], rows: [row; 2] }));
                }
            }
        }
    }

    /// Returns the number of the tile nearest to a finite point, and the smallest of several; `None` if none is within half
    /// the smaller side of a tile.
    pub(super) fn nearest_tile(&self, point: Vec2) -> Option<u32> {
        let (reach, point) = (0.5 * self.size.min_element(), Circle::point(point));
        let mut nearest: Option<(f32, u32)> = None;
        self.each_tile(point.bounds().grown(reach), &mut |number, tile| {
            let distance = tile.distance(&point);
            if distance <= reach {
                keep_least(&mut nearest, (distance, number), |found| *found);
            }
        });
        nearest.map(|(_, number)| number)
    }

    fn polygon(&self, run: &Run) -> Polygon {
        Polygon::from_corners(self.kinds[run.kind as usize].corners(run.columns, run.rows, self.size))
    }

    /// Replaces the tile in a cell of the map.
    pub(super) fn set(&mut self, column: u32, row: u32, tile: Tile) {
        // The runs of this row next to the cell are joined again; the rows above and below them become separate runs.
        let (mut from, mut to) = (column, column);
        for near in column.saturating_sub(1)..=column + 1 {
            if let Some(run) = self.take_row_out(near, row) {
                (from, to) = (from.min(run.columns[0]), to.max(run.columns[1]));
            }
        }
        let cell = self.number(column, row) as usize;
        self.counts[self.cells[cell] as usize] -= 1;
        self.cells[cell] = self.kind(tile);
        let mut start = from;
        while start <= to {
            let run = self.run_from(start, to, row);
            start = run.columns[1] + 1;
            self.join(run);
        }
        self.index.refresh();
    }

    /// Returns the kind of a tile, for one more cell.
    fn kind(&mut self, tile: Tile) -> u32 {
        let known = self.kinds.iter().position(|kind| *kind == tile);
        // A map whose tiles change again and again would otherwise keep every tile that it ever had.
        let unused = || (1..self.counts.len()).find(|kind| self.counts[*kind] == 0);
        let kind = known.or_else(unused).unwrap_or(self.kinds.len());
        if kind == self.kinds.len() {
            self.kinds.push(tile);
            self.counts.push(0);
        } else if known.is_none() {
            self.kinds[kind] = tile;
        }
        self.counts[kind] += 1;
        kind as u32
    }

    /// Joins the tiles of a new map into runs.
    fn join_all(&mut self) {
        // The slot of the last run that starts in each column. Zero may also stand for none, because a run continues only
        // a run of the same columns.
        let mut last = vec![0; self.columns as usize];
        for row in 0..self.rows {
            let mut column = 0;
            while column < self.columns {
                let run = self.run_from(column, self.columns - 1, row);
                let slot = &mut last[column as usize];
                column = run.columns[1] + 1;
                if run.kind == EMPTY {
                    continue;
                }
                let ends_below = self.runs.get(*slot as usize).is_some_and(|last| last.rows[1] + 1 == row);
                if ends_below && self.continues(*slot, &run) {
                    self.runs[*slot as usize].rows[1] = row;
                } else {
                    *slot = self.runs.len() as u32;
                    self.runs.push(run);
                }
            }
        }
        self.index = self.runs.iter().map(|run| self.polygon(run).bounds()).collect();
    }

    /// Returns the run of one row that starts at a cell and ends at another one at the latest.
    fn run_from(&self, column: u32, last: u32, row: u32) -> Run {
        let line = &self.cells[self.number(column, row) as usize..=self.number(last, row) as usize];
        let kind = line[0];
        let joins = self.kinds[kind as usize].joins_sideways();
        let same = line.iter().take_while(|other| joins && **other == kind).count().max(1) as u32;
        Run { kind, columns: [column, column + same - 1], rows: [row; 2] }
    }

    /// Returns `true` if a run of one row extends a run of the rows next to it.
    fn continues(&self, below: u32, run: &Run) -> bool {
        let below = &self.runs[below as usize];
        below.kind == run.kind && below.columns == run.columns && self.kinds[run.kind as usize].joins_upwards()
    }

    /// Adds a run of one row, joined with the runs above and below it.
    fn join(&mut self, mut run: Run) {
        if run.kind == EMPTY {
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

    /// Removes the row of a cell from the run that contains it; the rows below and above become runs of their own.
    /// Returns the run as it was.
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
        if kind == EMPTY {
            return None;
        }
        self.index.refresh();
        let own = self.polygon(&Run { kind, columns: [column; 2], rows: [row; 2] }).bounds();
        let within = |[first, last]: [u32; 2], line: u32| first <= line && line <= last;
        let mut found = None;
        self.index.any_in_region(own, &mut |slot| {
            let run = &self.runs[slot as usize];
            found = (within(run.columns, column) && within(run.rows, row)).then_some(slot);
            found.is_some()
        });
        found
    }

    fn insert(&mut self, run: Run) {
        let slot = self.free.pop().unwrap_or(self.runs.len() as u32);
        if slot as usize == self.runs.len() {
            self.runs.push(run);
        } else {
            self.runs[slot as usize] = run;
        }
        self.index.set(slot, self.polygon(&run).bounds());
    }

    fn remove(&mut self, slot: u32) {
        self.index.remove(slot);
        self.free.push(slot);
    }
}

/// Returns the columns, or rows, of this size that have a point between two coordinates, and possibly their neighbours.
fn cells_between(from: f32, to: f32, size: f32, count: u32) -> Range<u32> {
    if size == 0.0 {
        return 0..count;
    }
    let [first, last] = [from, to].map(|coordinate| f64::from(coordinate) / f64::from(size));
    // Corners are rounded to an `f32`, and a touch at a border belongs to the tiles on both sides. The casts saturate.
    let margin = |cell: f64| 1.0 + cell.abs() * f64::from(BOUNDS_PADDING);
    let first = ((first - margin(first)).max(0.0) as u32).min(count);
    first..((last + margin(last) + 1.0).max(0.0) as u32).clamp(first, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_keeps_no_tile_that_is_in_no_cell() {
        let mut map = TileMap::new(3, 2, Vec2::ONE, |_, _| Tile::FULL);
        for step in 1..=1_000_u16 {
            map.set(1, 1, Tile::slope(0.0, f32::from(step) / 1_000.0));
        }
        assert!(map.kinds.len() <= 3 && map.kinds.len() == map.counts.len(), "{:?}", map.kinds);
        let count = |kind| map.cells.iter().filter(|cell| **cell == kind).count() as u32;
        assert!((0..).zip(&map.counts).all(|(kind, counted)| count(kind) == *counted));
        assert_eq!((map.tile(4), map.tile(5)), (Some(Tile::slope(0.0, 1.0)), Some(Tile::FULL)));
        assert_eq!(map.index.len(), 4);
    }
}
