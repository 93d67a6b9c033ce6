//! Where an outline crosses or touches itself.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use super::error::ShapeError;
use crate::index::Index;
use crate::math::{Aabb, turn};

/// Two sides of an outline that meet although they are not neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    sides: [usize; 2],
    at: Vec2,
}

impl Touch {
    pub(super) fn error(&self) -> ShapeError {
        ShapeError::CrossesItself { first: self.sides[0], second: self.sides[1], at: self.at }
    }
}

/// The first place where sides between the corners of an outline touch, in the order of the corners.
///
/// # Errors
/// The first place where they cross.
pub(super) fn first_touch(outline: &[Vec2], corners: &[usize]) -> Result<Option<Touch>, ShapeError> {
    let count = corners.len();
    let side = |side: u32| [corners[side as usize], corners[(side as usize + 1) % count]].map(|place| outline[place]);
    let mut index = Index::default();
    for own in 0..count as u32 {
        index.set(own, Aabb::from_points(side(own)));
    }
    index.refresh();
    let mut first: Option<Touch> = None;
    for own in 0..count as u32 {
        let (mut crossing, mut touching) = (u32::MAX, u32::MAX);
        let _ = index.in_region(Aabb::from_points(side(own)), |other| {
            let neighbours = other == own + 1 || (own == 0 && other as usize == count - 1);
            if other > own && !neighbours {
                match meeting(side(own), side(other)) {
                    Meeting::Apart => {}
                    Meeting::Touching => touching = touching.min(other),
                    Meeting::Crossing => crossing = crossing.min(other),
                }
            }
            ControlFlow::<()>::Continue(())
        });
        let touch = |other: u32| Touch {
            sides: [own, other].map(|side| corners[side as usize]),
            at: common_point(side(own), side(other)),
        };
        if crossing < u32::MAX {
            return Err(touch(crossing).error());
        }
        if first.is_none() && touching < u32::MAX {
            first = Some(touch(touching));
        }
    }
    Ok(first)
}

enum Meeting {
    Apart,
    Touching,
    Crossing,
}

fn meeting([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> Meeting {
    let [from_c, from_d] = [turn(a, b, c), turn(a, b, d)];
    let [from_a, from_b] = [turn(c, d, a), turn(c, d, b)];
    let beside = |one: f64, other: f64| (one > 0.0 && other > 0.0) || (one < 0.0 && other < 0.0);
    if beside(from_c, from_d) || beside(from_a, from_b) {
        Meeting::Apart
    } else if [from_a, from_b, from_c, from_d].contains(&0.0) {
        // On one line, the boxes tell whether they share a point; and they do overlap, or nobody would ask.
        Meeting::Touching
    } else {
        Meeting::Crossing
    }
}

/// A point of two segments that meet.
fn common_point([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> Vec2 {
    let (from, to) = (turn(c, d, a), turn(c, d, b));
    if from != to {
        return a.as_dvec2().lerp(b.as_dvec2(), from / (from - to)).as_vec2();
    }
    // On one line: an end of one that is on the other.
    let on_other = |point: &Vec2| Aabb::from_points([a, b]).contains(*point);
    [c, d].into_iter().find(on_other).unwrap_or(a)
}

/// Whether the insides of two convex rings have a point in common.
pub(super) fn overlapping(outline: &[Vec2], rings: &[Vec<usize>]) -> bool {
    let bounds = |ring: &[usize]| Aabb::from_points(ring.iter().map(|place| outline[*place]));
    // Of two convex polygons apart, a side of one has all of the other in front of it.
    let parts = |own: &[usize], other: &[usize]| {
        (0..own.len()).any(|at| {
            let (from, to) = (outline[own[at]], outline[own[(at + 1) % own.len()]]);
            other.iter().all(|place| turn(from, to, outline[*place]) <= 0.0)
        })
    };
    let mut index = Index::default();
    for (own, ring) in rings.iter().enumerate() {
        index.set(own as u32, bounds(ring));
    }
    index.refresh();
    rings.iter().enumerate().any(|(own, ring)| {
        let overlaps = |other: u32| {
            let other_ring = &rings[other as usize];
            if other as usize > own && !parts(ring, other_ring) && !parts(other_ring, ring) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        index.in_region(bounds(ring), overlaps).is_break()
    })
}
