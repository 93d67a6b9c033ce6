//! Crossings and touches of an outline with itself.

use glam::Vec2;

use crate::geometry::lerp;
use crate::index::Index;
use crate::math::{Aabb, Each, keep_least, orient2d};
use crate::shape::ShapeError;

/// Returns the first touch of two sides of an outline that are not neighbours, in the order of its corners, as the error
/// that it is if the outline winds around a region twice.
///
/// # Errors
/// If two sides cross; the error is that of the first crossing.
pub(super) fn first_touch(outline: &[Vec2], corners: &[usize]) -> Result<Option<ShapeError>, ShapeError> {
    let count = corners.len();
    let side = |side: u32| [corners[side as usize], corners[(side as usize + 1) % count]].each(|place| outline[place]);
    let index: Index = (0..count as u32).map(|own| Aabb::from_points(side(own))).collect();
    let mut first: Option<ShapeError> = None;
    for own in 0..count as u32 {
        let (mut crossing, mut touching) = (None, None);
        index.any_in_region(Aabb::from_points(side(own)), &mut |other| {
            let neighbours = other == own + 1 || (own == 0 && other as usize == count - 1);
            if other > own && !neighbours {
                match relation(side(own), side(other)) {
                    SideRelation::Apart => {}
                    SideRelation::Touching => keep_least(&mut touching, other, |other| *other),
                    SideRelation::Crossing => keep_least(&mut crossing, other, |other| *other),
                }
            }
            // Later sides may touch too.
            false
        });
        let error = |other: u32| ShapeError::CrossesItself {
            first: corners[own as usize],
            second: corners[other as usize],
            at: common_point(side(own), side(other)),
        };
        if let Some(other) = crossing {
            return Err(error(other));
        }
        first = first.or_else(|| touching.map(error));
    }
    Ok(first)
}

enum SideRelation {
    Apart,
    Touching,
    Crossing,
}

fn relation([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> SideRelation {
    let [from_c, from_d] = [orient2d(a, b, c), orient2d(a, b, d)];
    let [from_a, from_b] = [orient2d(c, d, a), orient2d(c, d, b)];
    let beside = |one: f64, other: f64| (one > 0.0 && other > 0.0) || (one < 0.0 && other < 0.0);
    if beside(from_c, from_d) || beside(from_a, from_b) {
        SideRelation::Apart
    } else if [from_a, from_b, from_c, from_d].contains(&0.0) {
        // Collinear sides touch if their boxes overlap, which the index has found out.
        SideRelation::Touching
    } else {
        SideRelation::Crossing
    }
}

/// Returns a common point of two segments that meet.
fn common_point([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> Vec2 {
    let (from, to) = (orient2d(c, d, a), orient2d(c, d, b));
    if from != to {
        return lerp(a.as_dvec2(), b.as_dvec2(), from / (from - to)).as_vec2();
    }
    // Collinear segments: an end of one that is on the other.
    let on_other = |point: &Vec2| Aabb::from_points([a, b]).contains(*point);
    [c, d].into_iter().find(on_other).unwrap_or(a)
}

/// Iterates over the edges of a ring, by their ends.
pub(super) fn edges<T: Copy>(ring: &[T]) -> impl Iterator<Item = [T; 2]> {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(from, to)| [*from, *to])
}

/// The corners of a triangle, counter-clockwise, as indices into the outline.
pub(super) type Triangle = [usize; 3];

/// Returns `true` if the interiors of any two triangles overlap.
pub(super) fn overlapping(outline: &[Vec2], triangles: &[Triangle]) -> bool {
    let bounds = |triangle: &Triangle| Aabb::from_points(triangle.each(|place| outline[place]));
    // The separating axis test: a side of one triangle has all of the other in front of it.
    let separates = |own: &Triangle, other: &Triangle| {
        edges(own)
            .any(|[from, to]| other.iter().all(|place| orient2d(outline[from], outline[to], outline[*place]) <= 0.0))
    };
    let index: Index = triangles.iter().map(bounds).collect();
    triangles.iter().enumerate().any(|(number, own)| {
        index.any_in_region(bounds(own), &mut |other| {
            let (is_later, other) = (other as usize > number, &triangles[other as usize]);
            is_later && !separates(own, other) && !separates(other, own)
        })
    })
}
