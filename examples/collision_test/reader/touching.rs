//! The touching pairs of a scene, as far as they can be listed.

use std::collections::HashSet;

use hitgraph::{ColliderId, Contact, NodeId, World};

/// The number of pairs after which counting stops.
const MAX_COUNTED: usize = 5_000_000;

/// Two nodes whose colliders touch, the one that comes first in the document first.
pub struct TouchingPair {
    pub nodes: [NodeId; 2],
    pub contact: Contact,
}

/// The touching pairs of a scene. The memory depends on the number of listed pairs and of colliders only.
#[derive(Default)]
pub struct Touching {
    /// The first pairs in document order.
    pub listed: Vec<TouchingPair>,
    /// The number of all pairs.
    pub count: usize,
    /// `false` if there are more pairs than were counted.
    pub counted_all: bool,
    /// The colliders of the counted pairs.
    pub colliders: HashSet<ColliderId>,
}

impl Touching {
    /// Finds the pairs of all colliders and lists at most this many.
    pub fn find(world: World<'_>, most_listed: usize) -> Self {
        let mut found = Self { counted_all: true, ..Self::default() };
        let mut others = Vec::new();
        for collider in world.descendants(world.root()).flat_map(|node| world.colliders(node)).copied() {
            if found.count > MAX_COUNTED {
                found.counted_all = false;
                break;
            }
            world.overlaps_into(collider, &mut others);
            let Some(node) = world.node_of(collider).filter(|_| !others.is_empty()) else { continue };
            found.colliders.insert(collider);
            others.retain(|other| other.collider > collider);
            found.count += others.len();
            if found.count > MAX_COUNTED {
                found.colliders.extend(others.iter().map(|other| other.collider));
            }
            for other in others.iter().take(most_listed - found.listed.len()) {
                if let Some(contact) = world.contact(collider, other.collider) {
                    found.listed.push(TouchingPair { nodes: [node, other.node], contact });
                }
            }
        }
        found
    }

    /// Returns how many pairs are not listed, as in `1990 more pairs`; `None` if all are.
    pub fn left_out(&self) -> Option<String> {
        let more = self.count - self.listed.len();
        let at_least = if self.counted_all { "" } else { "at least " };
        (more > 0).then(|| format!("{at_least}{more} more {}", if more == 1 { "pair" } else { "pairs" }))
    }
}
