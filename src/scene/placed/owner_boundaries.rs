use alloc::vec::Vec;
use core::iter::once;

use super::pair_key::PairKey;
use super::touching::Differences;
use super::{CollisionEvent, NodeCollider, Touching};
use crate::math::{SlotSet, sort_by};
use crate::scene::tree::Hierarchy;
use crate::scene::{Node, NodeId, slot_of};

/// Finds the events with which two owners start or stop touching. It holds only memory that updates reuse.
///
/// No step takes longer for the pairs of owners without an event, of which a large scene has many.
#[derive(Debug, Default)]
pub(in crate::scene) struct OwnerBoundaries {
    /// The events between owners that may have several pairs.
    by_owners: Vec<OwnersEvent>,
    /// Those of them that may be the first start or the last stop between two owners.
    boundaries: Vec<OwnersEvent>,
    /// The slots of owners with a stop of a collider that is not, or no longer, the only one on the owner's node.
    rearranged: SlotSet,
    /// The slots of owners whose pairs are searched.
    searched: SlotSet,
}

/// The index of an event, and the owners of its pair. Lists are in the order of the owners, then of the events.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct OwnersEvent {
    owners: [NodeId; 2],
    index: usize,
}

impl OwnerBoundaries {
    /// Sets `owner_boundary` in the events of an update with which two owners started or stopped touching. `touching`
    /// has the pairs after the update.
    pub(in crate::scene) fn mark(
        &mut self,
        events: &mut [CollisionEvent],
        differences: &Differences<'_>,
        touching: &Touching,
        hierarchy: &Hierarchy,
    ) {
        let stops = differences.stopped.len();
        self.find_rearranged(&events[..stops], hierarchy);
        self.list_by_owners(events, hierarchy);
        self.mark_first_and_last(events, stops);
        self.unmark_touching(events, differences, touching, hierarchy);
    }

    /// Finds the owners that may have lost a collider with one of these stops. The events of one that is gone are listed
    /// without that, and its slot may be that of a new one.
    fn find_rearranged(&mut self, stops: &[CollisionEvent], hierarchy: &Hierarchy) {
        let sides = stops.iter().map(CollisionEvent::pair).flat_map(|pair| [pair.a, pair.b]);
        for NodeCollider { owner, collider, .. } in sides {
            if hierarchy.contains(owner) && hierarchy.colliders(owner) != [collider] {
                self.rearranged.insert(slot_of(owner));
            }
        }
    }

    /// Lists the events by their owners, except for those between two owners that have one collider each: they are the
    /// only ones between these owners, so it marks them. Without the exception, an update in which 10,000 colliders jump
    /// to other places takes half as many instructions again.
    fn list_by_owners(&mut self, events: &mut [CollisionEvent], hierarchy: &Hierarchy) {
        let Self { by_owners, rearranged, .. } = self;
        let has_one_collider = |owner: NodeId| {
            let has_no_other = |node: &Node| !node.owns_subtree && hierarchy.colliders(owner).len() == 1;
            !rearranged.contains(slot_of(owner)) && hierarchy.node(owner).is_some_and(has_no_other)
        };
        by_owners.clear();
        for (index, event) in events.iter_mut().enumerate() {
            let pair = event.pair_mut();
            pair.owner_boundary = has_one_collider(pair.a.owner) && has_one_collider(pair.b.owner);
            if !pair.owner_boundary {
                by_owners.push(OwnersEvent { owners: pair.owners(), index });
            }
        }
        rearranged.clear();
        sort_by(by_owners, |a, b| a < b);
    }

    /// Marks and lists the first start or the last stop between two listed owners. The first `stops` events are stops.
    fn mark_first_and_last(&mut self, events: &mut [CollisionEvent], stops: usize) {
        self.boundaries.clear();
        for group in self.by_owners.chunk_by(|a, b| a.owners == b.owners) {
            let (first, last) = (group[0], group[group.len() - 1]);
            // Owners that both lost and gained a pair touch before and after.
            if (first.index < stops) == (last.index < stops) {
                let boundary = if first.index < stops { last } else { first };
                events[boundary.index].pair_mut().owner_boundary = true;
                self.boundaries.push(boundary);
            }
        }
    }

    /// Unmarks the listed events of owners of which a pair touches before and after.
    fn unmark_touching(
        &mut self,
        events: &mut [CollisionEvent],
        differences: &Differences<'_>,
        touching: &Touching,
        hierarchy: &Hierarchy,
    ) {
        self.choose_searched(touching, hierarchy);
        let Self { boundaries, searched, .. } = self;
        let keys_of = |owner| keys_of(hierarchy.id(owner), touching, hierarchy);
        for key in searched.iter().flat_map(keys_of).flatten() {
            let owners = touching.pair(key.slots()).owners();
            if let Ok(found) = boundaries.binary_search_by_key(&owners, |event| event.owners)
                && differences.started.binary_search(&key).is_err()
            {
                events[boundaries[found].index].pair_mut().owner_boundary = false;
            }
        }
        searched.clear();
    }

    /// Chooses one of each two listed owners, among whose pairs those with the other are searched. No pair of an owner that
    /// is gone touches.
    fn choose_searched(&mut self, touching: &Touching, hierarchy: &Hierarchy) {
        let Self { boundaries, searched, .. } = self;
        for &OwnersEvent { owners, .. } in &*boundaries {
            if owners.iter().all(|owner| hierarchy.contains(*owner) && !searched.contains(slot_of(*owner))) {
                searched.insert(slot_of(with_fewer_pairs(owners, touching, hierarchy)));
            }
        }
    }
}

/// Returns the one of two owners with fewer pairs. It counts those of both in step, which takes no longer than a search
/// among those of the result.
fn with_fewer_pairs(owners: [NodeId; 2], touching: &Touching, hierarchy: &Hierarchy) -> NodeId {
    let [mut a, mut b] = owners.map(|owner| keys_of(owner, touching, hierarchy));
    loop {
        match (a.next(), b.next()) {
            (None, _) => return owners[0],
            (_, None) => return owners[1],
            _ => {}
        }
    }
}

/// Iterates over the keys of the pairs of an owner, and possibly of owners below it. It yields `None` for each node too, so
/// that the items measure the time that they take.
fn keys_of<'a>(
    owner: NodeId,
    touching: &'a Touching,
    hierarchy: &'a Hierarchy,
) -> impl Iterator<Item = Option<PairKey>> + 'a {
    hierarchy.owned(owner).flat_map(move |node| {
        let slots = hierarchy.colliders(node).iter().copied().map(slot_of);
        once(None).chain(slots.flat_map(|slot| touching.keys_of(slot)).map(Some))
    })
}
