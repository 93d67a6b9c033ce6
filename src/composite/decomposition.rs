//! Decomposition of outlines into convex polygons: ear clipping cuts an outline into triangles, then neighbours are
//! merged as long as the result is convex.
//!
//! Every corner of a piece is a point of the outline, and the exact sign of [`orient2d`] makes all decisions. Pieces
//! therefore share their edges to the bit: there are no gaps and no overlaps.
//!
//! Sources: G. H. Meisters, *Polygons have ears* (1975); S. Hertel and K. Mehlhorn, *Fast triangulation of the plane
//! with respect to simple polygons* (1985), whose merging leaves at most four times the minimum number of pieces.

use alloc::vec;
use alloc::vec::Vec;

use glam::{DVec2, Vec2};

use super::crossings::{Triangle, edges, first_touch, overlapping};
use crate::index::Index;
use crate::math::{Aabb, Each, orient2d, sort_by};
use crate::shape::{Polygon, ShapeError, finite_points};

/// The corners of a piece, counter-clockwise, as indices into the outline.
type Ring = Vec<usize>;

/// Returns convex polygons that cover exactly the inside of an outline.
///
/// # Errors
/// If there are no points, a coordinate is not finite, or the outline crosses itself or winds around more than once.
pub(super) fn decompose(outline: &[Vec2]) -> Result<Vec<Polygon>, ShapeError> {
    finite_points("a point of the outline", outline)?;
    let mut corners = corners(outline);
    if corners.len() < 3 {
        return lines(outline);
    }
    let touch = first_touch(outline, &corners)?;
    if runs_clockwise(outline, &corners) {
        corners.reverse();
    }
    let no_inside = |place: usize| touch.unwrap_or(ShapeError::Crossing { index: place });
    let triangles = Ears::new(outline, &corners).clip().map_err(no_inside)?;
    // An outline that only touches itself may still wind around a region twice.
    if let Some(error) = touch.filter(|_| overlapping(outline, &triangles)) {
        return Err(error);
    }
    let rings = merged(outline, &triangles);
    let polygon = |ring: &Ring| {
        let corners = (0..ring.len()).filter(|at| bend(outline, ring, *at) > 0.0);
        Polygon::from_corners(corners.map(|at| outline[ring[at]]).collect())
    };
    Ok(rings.iter().map(polygon).collect())
}

/// Returns the pieces of an outline without area: its hull if that is a line or a point, else all its sides.
fn lines(outline: &[Vec2]) -> Result<Vec<Polygon>, ShapeError> {
    let hull = Polygon::convex_hull(outline)?;
    if hull.points().len() < 3 {
        return Ok(vec![hull]);
    }
    let sides = edges(outline).filter(|[from, to]| from != to);
    Ok(sides.map(|side| Polygon::from_corners(side.into_iter().collect())).collect())
}

/// Returns the corners of an outline, without repeated points, points on a straight side, and spikes.
fn corners(outline: &[Vec2]) -> Ring {
    let straight = |a: usize, b: usize, c: usize| orient2d(outline[a], outline[b], outline[c]) == 0.0;
    let mut corners: Ring = Vec::new();
    for next in 0..outline.len() {
        while let [.., a, b] = corners[..]
            && straight(a, b, next)
        {
            corners.pop();
        }
        if corners.last().is_none_or(|last| outline[*last] != outline[next]) {
            corners.push(next);
        }
    }
    // The same at the junction of end and start.
    let mut first = 0;
    loop {
        match corners[first..] {
            [a, .., b] if outline[a] == outline[b] => corners.pop(),
            [a, .., b, c] if straight(b, c, a) => corners.pop(),
            [a, b, .., c] if straight(c, a, b) => {
                first += 1;
                None
            }
            _ => return corners.split_off(first),
        };
    }
}

/// Returns `true` if the inside is on the right of the outline. The leftmost corner, the lowest of equals, is convex
/// and decides, unless the outline visits it twice; then the sign of the area decides.
fn runs_clockwise(outline: &[Vec2], corners: &[usize]) -> bool {
    let order = |a: &usize, b: &usize| {
        let [a, b] = [a, b].each(|place| outline[corners[*place]]);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    };
    let lowest = (0..corners.len()).min_by(order).unwrap_or(0);
    let point = outline[corners[lowest]];
    if corners.iter().filter(|corner| outline[**corner] == point).count() == 1 {
        return bend(outline, corners, lowest) < 0.0;
    }
    edges(corners).map(|[from, to]| orient2d(point, outline[from], outline[to])).sum::<f64>() < 0.0
}

/// Returns a number that is positive where a ring turns left at a corner, and negative where it turns right.
fn bend(outline: &[Vec2], ring: &[usize], at: usize) -> f64 {
    let [before, after] = [at + ring.len() - 1, at + 1].each(|place| outline[ring[place % ring.len()]]);
    orient2d(before, outline[ring[at]], after)
}

/// The remaining corners of an outline while ears are clipped, as a linked list.
struct Ears<'a> {
    outline: &'a [Vec2],
    corners: &'a [usize],
    previous: Vec<usize>,
    next: Vec<usize>,
    /// The corners that are not convex: only they can be inside an ear.
    blocks: Vec<bool>,
    /// The remaining corners.
    index: Index,
}

impl<'a> Ears<'a> {
    fn new(outline: &'a [Vec2], corners: &'a [usize]) -> Self {
        let count = corners.len();
        let previous = (0..count).map(|at| (at + count - 1) % count).collect();
        let next = (0..count).map(|at| (at + 1) % count).collect();
        let index = corners.iter().map(|corner| Aabb { min: outline[*corner], max: outline[*corner] }).collect();
        let mut ears = Self { outline, corners, previous, next, blocks: Vec::new(), index };
        ears.blocks = (0..count).map(|at| ears.bend(at) <= 0.0).collect();
        ears
    }

    fn point(&self, at: usize) -> Vec2 {
        self.outline[self.corners[at]]
    }

    fn bend(&self, at: usize) -> f64 {
        orient2d(self.point(self.previous[at]), self.point(at), self.point(self.next[at]))
    }

    /// Returns the triangles.
    ///
    /// # Errors
    /// If no ear is left, the index of a corner of the remaining outline, which has no inside.
    fn clip(mut self) -> Result<Vec<Triangle>, usize> {
        let mut triangles = Vec::with_capacity(self.corners.len() - 2);
        let (mut at, mut left, mut misses) = (0, self.corners.len(), 0);
        while left >= 3 {
            let (from, to) = (self.previous[at], self.next[at]);
            if self.is_ear(at) {
                triangles.push([from, at, to].each(|corner| self.corners[corner]));
            } else if !self.is_spike(at) {
                misses += 1;
                at = to;
                if misses > left {
                    return Err(self.corners[at]);
                }
                continue;
            }
            // An ear, or a spike without width, which is left where the outline touched itself.
            (self.next[from], self.previous[to], self.blocks[at]) = (to, from, false);
            self.index.remove(at as u32);
            (left, misses) = (left - 1, 0);
            for corner in [from, to] {
                self.blocks[corner] = self.bend(corner) <= 0.0;
            }
            // Spikes come first, before an ear is cut off along them. Then the corner after the next one, which makes
            // fewer slivers.
            at = [to, from].into_iter().find(|corner| self.is_spike(*corner)).unwrap_or(self.next[to]);
        }
        Ok(triangles)
    }

    /// Returns `true` if the outline reverses at this corner, or visits the same point twice in a row.
    fn is_spike(&self, at: usize) -> bool {
        let point = self.point(at).as_dvec2();
        let [from, to] = [self.previous[at], self.next[at]].each(|corner| self.point(corner).as_dvec2() - point);
        self.bend(at) == 0.0 && (from.dot(to) > 0.0 || from == DVec2::ZERO || to == DVec2::ZERO)
    }

    fn is_ear(&self, at: usize) -> bool {
        if self.bend(at) <= 0.0 {
            return false;
        }
        let ear = [self.previous[at], at, self.next[at]].each(|corner| self.point(corner));
        // A point is inside the angle of the ear at one of its corners.
        let beyond = |corner: usize, point: Vec2| {
            let [tip, right, left] = [0, 1, 2].each(|step| ear[(corner + step) % 3]);
            orient2d(tip, right, point) > 0.0 && orient2d(tip, point, left) > 0.0
        };
        let mut blocks_ear = |slot: u32| {
            let (other, point) = (slot as usize, self.point(slot as usize));
            // If the outline touches itself in a corner of the ear, its sides may still cross the ear.
            let blocks = || match ear.iter().position(|corner| *corner == point) {
                Some(corner) => {
                    [self.previous[other], self.next[other]].iter().any(|near| beyond(corner, self.point(*near)))
                }
                None => (0..3).all(|corner| orient2d(ear[corner], ear[(corner + 1) % 3], point) >= 0.0),
            };
            self.blocks[other] && blocks()
        };
        !self.index.any_in_region(Aabb::from_points(ear), &mut blocks_ear)
    }
}

/// Removes every cut that convexity does not require, the longest first.
fn merged(outline: &[Vec2], triangles: &[Triangle]) -> Vec<Ring> {
    // The sides of all pieces, three for each triangle: the corner where each starts, and its neighbours.
    let starts: Vec<usize> = triangles.as_flattened().to_vec();
    let mut next: Vec<usize> = (0..starts.len()).map(|side| side - side % 3 + (side + 1) % 3).collect();
    let mut previous: Vec<usize> = (0..starts.len()).map(|side| side - side % 3 + (side + 2) % 3).collect();
    // Each piece is a tree of triangles, and its root has its first side: a union-find forest.
    let mut first_sides: Vec<usize> = (0..triangles.len()).map(|triangle| 3 * triangle).collect();
    let mut parents: Vec<usize> = (0..triangles.len()).collect();
    // The ends of each side; sorted, without equals.
    let mut ends: Vec<([usize; 2], usize)> =
        (0..starts.len()).map(|side| ([starts[side], starts[next[side]]], side)).collect();
    sort_by(&mut ends, |a, b| a < b);
    let find = |edge| ends.binary_search_by_key(&edge, |(other, _)| *other).ok().map(|at| ends[at].1);
    let cuts = ends.iter().filter(|([from, to], _)| from < to);
    let mut cuts: Vec<([usize; 2], [usize; 2])> =
        cuts.filter_map(|([from, to], side)| Some(([*from, *to], [*side, find([*to, *from])?]))).collect();
    let length = |[from, to]: &[usize; 2]| outline[*from].as_dvec2().distance_squared(outline[*to].as_dvec2());
    sort_by(&mut cuts, |(a, _), (b, _)| (length(b), a) < (length(a), b));
    for ([from, to], [own, other]) in cuts {
        let [piece, other_piece] = [own, other].each(|side| root_of(&mut parents, side / 3));
        // The sides before and after the cut, at its two ends.
        let [at_from, at_to] = [[previous[own], next[other]], [previous[other], next[own]]];
        let bends = |[before, after]: [usize; 2], at: usize| {
            orient2d(outline[starts[before]], outline[at], outline[starts[next[after]]]) >= 0.0
        };
        if piece != other_piece && bends(at_from, from) && bends(at_to, to) {
            for [before, after] in [at_from, at_to] {
                (next[before], previous[after]) = (after, before);
            }
            (parents[other_piece], first_sides[piece]) = (piece, at_to[1]);
        }
    }
    let ring = |triangle: usize| {
        let first = first_sides[triangle];
        let sides = core::iter::successors(Some(first), |side| Some(next[*side]).filter(|next| *next != first));
        sides.map(|side| starts[side]).collect()
    };
    (0..triangles.len()).filter(|triangle| parents[*triangle] == *triangle).map(ring).collect()
}

/// Returns the root of a triangle's tree, and halves the path to it.
fn root_of(parents: &mut [usize], mut triangle: usize) -> usize {
    while parents[triangle] != triangle {
        parents[triangle] = parents[parents[triangle]];
        triangle = parents[triangle];
    }
    triangle
}
