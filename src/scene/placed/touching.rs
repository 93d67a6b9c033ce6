use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::{CollisionEvent, CollisionPair, slots_of};
use crate::scene::{ColliderId, NodeId, slot_of};

/// The pairs that touched at the last update, in order.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct Touching {
    /// The [key](super::pair::key_of) of each pair.
    keys: Vec<u64>,
    pairs: Vec<CollisionPair>,
    next_keys: Vec<u64>,
    next_pairs: Vec<CollisionPair>,
    /// The indices of the pairs that started with the last update.
    started: Vec<usize>,
    /// The nodes of an event and its index.
    by_nodes: Vec<([NodeId; 2], usize)>,
}

impl Touching {
    pub(in crate::scene) fn pairs(&self) -> &[CollisionPair] {
        &self.pairs
    }

    /// Replaces the pairs by those that touch now, and appends an event for each difference to `events`, which is
    /// empty.
    ///
    /// `found` are the sorted keys of all pairs that touch and of which a collider has changed. A pair without changes
    /// stays. If `any_gone`, a pair of which a collider `is_gone` stops, even if another collider touches from the same
    /// slot.
    pub(in crate::scene) fn update(
        &mut self,
        mut found: &[u64],
        has_changed: impl Fn(u32) -> bool,
        any_gone: bool,
        is_gone: impl Fn(&CollisionPair) -> bool,
        pair_of: impl Fn([u32; 2]) -> CollisionPair,
        events: &mut Vec<CollisionEvent>,
    ) {
        self.started.clear();
        self.next_keys.clear();
        self.next_pairs.clear();
        // The old pairs from `begin` to `index` stay and are not copied yet.
        let (mut begin, mut index) = (0, 0);
        loop {
            if !any_gone {
                let same = self.keys[index..].iter().zip(found).take_while(|(old, new)| old == new).count();
                (index, found) = (index + same, &found[same..]);
            }
            let key = self.keys.get(index).copied();
            match found.split_first() {
                Some((new, rest)) if key.is_none_or(|key| *new < key) => {
                    self.keep(begin..index);
                    begin = index;
                    self.start(*new, pair_of(slots_of(*new)));
                    found = rest;
                    continue;
                }
                _ => {}
            }
            let Some(key) = key else { break };
            let gone = any_gone && is_gone(&self.pairs[index]);
            let still_touches = !gone && found.first() == Some(&key);
            found = &found[usize::from(still_touches)..];
            if !still_touches && (gone || slots_of(key).into_iter().any(&has_changed)) {
                self.keep(begin..index);
                begin = index + 1;
                events.push(CollisionEvent::Stopped(self.pairs[index]));
            }
            index += 1;
        }
        if !self.started.is_empty() || !events.is_empty() {
            self.keep(begin..index);
            core::mem::swap(&mut self.pairs, &mut self.next_pairs);
            core::mem::swap(&mut self.keys, &mut self.next_keys);
            events.extend(self.started.iter().map(|index| CollisionEvent::Started(self.pairs[*index])));
        }
    }

    fn keep(&mut self, range: Range<usize>) {
        self.next_keys.extend_from_slice(&self.keys[range.clone()]);
        self.next_pairs.extend_from_slice(&self.pairs[range]);
    }

    fn start(&mut self, key: u64, pair: CollisionPair) {
        self.started.push(self.next_pairs.len());
        self.next_keys.push(key);
        self.next_pairs.push(pair);
    }

    /// Builds all pairs again, after colliders changed their nodes or settings.
    pub(in crate::scene) fn rebuild_pairs(&mut self, pair_of: impl Fn([u32; 2]) -> CollisionPair) {
        for (pair, key) in self.pairs.iter_mut().zip(&self.keys) {
            *pair = pair_of(slots_of(*key));
        }
    }

    /// Sets `node_boundary` in the events of the last update with which two nodes started or stopped touching.
    /// `rearranged` is `true` if since the update before colliders changed their nodes or were removed.
    pub(in crate::scene) fn mark_node_boundaries<'a>(
        &mut self,
        rearranged: bool,
        colliders: impl Fn(NodeId) -> &'a [ColliderId],
        events: &mut [CollisionEvent],
    ) {
        let stops = events.len() - self.started.len();
        self.by_nodes.clear();
        for (index, event) in events.iter_mut().enumerate() {
            let pair = event.pair_mut();
            // Two nodes with one collider each have only this pair between them.
            pair.node_boundary = !rearranged && [pair.a, pair.b].iter().all(|side| colliders(side.node).len() == 1);
            if !pair.node_boundary {
                self.by_nodes.push((pair.nodes(), index));
            }
        }
        self.by_nodes.sort_unstable();
        for group in self.by_nodes.chunk_by(|a, b| a.0 == b.0) {
            let (([low, high], first), (_, last)) = (group[0], group[group.len() - 1]);
            // Nodes that both lost and gained a pair, or kept one, touch before and after.
            if (first < stops) == (last < stops) && !self.kept_touching(colliders(low), colliders(high)) {
                let boundary = if first < stops { last } else { first };
                events[boundary].pair_mut().node_boundary = true;
            }
        }
    }

    /// Returns `true` if a pair of the colliders of two nodes touches that did not start with the last update.
    fn kept_touching(&self, a: &[ColliderId], b: &[ColliderId]) -> bool {
        let mut all = a.iter().flat_map(|x| b.iter().map(|y| (*x.min(y), *x.max(y))));
        all.any(|ids| {
            let index = self.pairs.binary_search_by_key(&ids, |pair| (pair.a.collider, pair.b.collider));
            index.is_ok_and(|index| self.started.binary_search(&index).is_err())
        })
    }

    /// Frees memory that is not in use.
    pub(in crate::scene) fn shrink_to_fit(&mut self) {
        let (keys, pairs) = (core::mem::take(&mut self.keys), core::mem::take(&mut self.pairs));
        *self = Self { keys, pairs, ..Self::default() };
        self.keys.shrink_to_fit();
        self.pairs.shrink_to_fit();
    }

    /// Returns a message if keys and pairs disagree or are not in order.
    pub(in crate::scene) fn validate(&self) -> Result<(), String> {
        if !self.keys.is_sorted_by(|a, b| a < b) || self.keys.len() != self.pairs.len() {
            return Err(format!("{} keys of {} pairs are not in order", self.keys.len(), self.pairs.len()));
        }
        let slots = |pair: &CollisionPair| [pair.a, pair.b].map(|side| slot_of(side.collider));
        let found = self.keys.iter().zip(&self.pairs).find(|(key, pair)| slots_of(**key) != slots(pair));
        found.map_or(Ok(()), |(key, pair)| Err(format!("{pair:?} has the key of {:?}", slots_of(*key))))
    }
}
