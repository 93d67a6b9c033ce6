//! Removal of seams: the parts of the outlines of pieces that lie inside their collider.

use alloc::vec::Vec;

use glam::{DVec2, Vec2};

use crate::collider::WorldCollider;
use crate::geometry::Ray;
use crate::math::tolerance::SEAM_WIDTH;
use crate::math::{Aabb, Pool, sort_by};

/// A piece with the collider that it belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct PieceOf<'a> {
    whole: &'a WorldCollider<'a>,
    number: u32,
    /// The distance from a line at which another piece covers it, in world units.
    width: f32,
    /// Memory for the parts of a line that pieces cover, as distances from its start.
    covered: &'a Pool<Vec<[f64; 2]>>,
}

impl<'a> PieceOf<'a> {
    /// Creates the piece with this number of a collider with these bounds, given scratch memory.
    pub(super) fn new(
        whole: &'a WorldCollider<'a>,
        number: u32,
        bounds: Aabb,
        covered: &'a Pool<Vec<[f64; 2]>>,
    ) -> Self {
        let furthest = bounds.min.abs().max(bounds.max.abs()).max_element();
        Self { whole, number, width: SEAM_WIDTH * (bounds.size().max_element() + furthest), covered }
    }

    /// Calls `line` with the parts of a line of the piece's outline that are on the border of the whole collider.
    /// `middle` is a point inside the piece.
    ///
    /// A part is a seam if another piece covers the line right outside of it. So the common side of two pieces is a
    /// seam, and a common border of two pieces that overlap is none.
    pub(super) fn border(self, middle: DVec2, [from, to]: [Vec2; 2], line: &mut dyn FnMut(Vec2, Vec2)) {
        let along = to - from;
        let exact = along.as_dvec2();
        let inward = (middle - from.as_dvec2()).dot(exact.perp()) > 0.0;
        let outward = exact.perp().normalize_or_zero() * if inward { -1.0 } else { 1.0 };
        let offset = (outward * f64::from(self.width)).as_vec2();
        let (start, length) = (from + offset, exact.length() as f32);
        let Some(forth) = Ray::new(start, along, length) else { return line(from, to) };
        let Some(back) = Ray::new(to + offset, -along, length) else { return line(from, to) };
        self.covered.with(|covered| {
            covered.clear();
            self.whole.each_piece(Aabb::from_points([start, to + offset]), &mut |number, other| {
                if number == self.number {
                    return;
                }
                if let (Some((first, _)), Some((last, _))) = (other.first_hit(&forth), other.first_hit(&back)) {
                    covered.push([first.fraction, forth.length - last.fraction]);
                }
            });
            sort_by(covered, |a, b| a[0].total_cmp(&b[0]).is_lt());
            let at = |distance: f64| match distance {
                0.0 => from,
                end if end == forth.length => to,
                between => from + along * (between / forth.length) as f32,
            };
            // Rounding leaves slivers between neighbours, as long as the offset is wide.
            let sliver = 4.0 * f64::from(self.width);
            let mut done = 0.0;
            for [first, last] in covered.iter().copied().chain([[forth.length; 2]]) {
                if first - done > sliver || (first == forth.length && done == 0.0) {
                    line(at(done), at(first));
                }
                done = last.max(done);
            }
        });
    }
}
