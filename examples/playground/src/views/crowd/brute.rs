//! Brute force: a test of every pair of bounding boxes, and of the shapes of those that overlap.

use hitgraph::{Aabb, ColliderId};

use super::movers::Movers;

/// The largest number of movers: more pairs would freeze the window.
pub const MOST: usize = 5_000;

/// Returns the number of touching pairs.
pub fn touching(movers: &mut Movers) -> usize {
    let colliders: Vec<ColliderId> = movers.colliders().collect();
    let world = movers.world();
    let boxes: Vec<(ColliderId, Aabb)> = colliders.into_iter().filter_map(|id| Some((id, world.bounds(id)?))).collect();
    let mut count = 0;
    for (index, (first, a)) in boxes.iter().enumerate() {
        for (second, b) in &boxes[index + 1..] {
            let overlap = a.min.cmple(b.max).all() && b.min.cmple(a.max).all();
            count += usize::from(overlap && world.contact(*first, *second).is_some());
        }
    }
    count
}
