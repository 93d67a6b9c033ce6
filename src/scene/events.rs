use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::narrow::slots;
use super::{ColliderId, NodeId, slot_of};

/// A collider and the node that carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    /// The node.
    pub node: NodeId,
    /// Its collider.
    pub collider: ColliderId,
}

/// Two colliders that touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollisionPair {
    /// The one with the smaller collider id.
    pub a: Side,
    /// The other one.
    pub b: Side,
    /// Whether one of them is a sensor.
    pub sensor: bool,
    /// In an event: whether with this pair the two *nodes* began to touch, or ceased to. Nodes with several colliders
    /// may touch by several pairs, and this is set for the first or the last of them. A child is a node of its own: a
    /// player whose sword is a child may meet a coin twice. Always `false` outside events.
    pub node_boundary: bool,
}

impl CollisionPair {
    /// Both sides as `node` sees them, its own first, if one of them is its own: for nodes with several colliders.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, Node, Rect, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (bat, body) = scene.add_with(Node::new("bat"), Circle::new(0.4));
    /// let sight = scene.attach(bat, Attachment::new(Circle::new(5.0)).sensor())?;
    /// let (knight, _) = scene.add_with(Node::new("knight").with_position(vec2(3.0, 0.0)), Rect::new(0.8, 1.8));
    ///
    /// for event in scene.update() {
    ///     let Some([own, other]) = event.pair().seen_from(bat) else { continue };
    ///     assert!(own.collider == sight && own.collider != body, "it sees her, and does not touch her");
    ///     assert_eq!(other.node, knight);
    /// }
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn seen_from(&self, node: NodeId) -> Option<[Side; 2]> {
        match (self.a.node == node, self.b.node == node) {
            (true, _) => Some([self.a, self.b]),
            (_, true) => Some([self.b, self.a]),
            _ => None,
        }
    }

    /// The side that is not `node`'s, if one of them is.
    #[must_use]
    pub fn other(&self, node: NodeId) -> Option<Side> {
        self.seen_from(node).map(|[_, other]| other)
    }

    /// Whether one side is `node`'s.
    #[must_use]
    pub fn involves(&self, node: NodeId) -> bool {
        self.a.node == node || self.b.node == node
    }

    fn nodes(&self) -> (NodeId, NodeId) {
        (self.a.node.min(self.b.node), self.a.node.max(self.b.node))
    }
}

/// What an [update](crate::Scene::update) tells. Every start has exactly one stop, whatever ended the touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(alias("trigger enter", "trigger exit", "begin contact", "end contact"))]
pub enum CollisionEvent {
    /// Two colliders touch that did not at the last update. Both are there when the event is told; a loop that removes
    /// nodes looks them up with [`Scene::get`](crate::Scene::get).
    Started(CollisionPair),
    /// Two colliders touched at the last update and do not now, or one is gone. Its ids may be stale: look nodes up
    /// with [`Scene::get`](crate::Scene::get), not by index.
    Stopped(CollisionPair),
}

impl CollisionEvent {
    /// The pair, whatever happened to it.
    #[must_use]
    pub fn pair(&self) -> &CollisionPair {
        let (Self::Started(pair) | Self::Stopped(pair)) = self;
        pair
    }

    /// Whether the pair began to touch; else it ceased to. For what lasts as long as the touch:
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (bat, _) = scene.add_with(Node::new("bat"), Circle::new(1.0));
    /// let (_, sword) = scene.add_with(Node::new("sword"), Circle::new(1.0));
    /// let mut hurt = Vec::new();
    /// for _ in 0..2 {
    ///     for event in scene.update() {
    ///         if event.pair().involves(bat) {
    ///             hurt.push(event.started());
    ///         }
    ///     }
    ///     scene.detach(sword);
    /// }
    /// assert_eq!(hurt, [true, false]);
    /// ```
    #[must_use]
    pub fn started(&self) -> bool {
        matches!(self, Self::Started(_))
    }

    fn pair_mut(&mut self) -> &mut CollisionPair {
        let (Self::Started(pair) | Self::Stopped(pair)) = self;
        pair
    }
}

/// Who touches whom as of the last update, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Touches {
    /// One number for each pair, in the order of the pairs: see [`key`](super::narrow::key).
    keys: Vec<u64>,
    pairs: Vec<CollisionPair>,
    next_keys: Vec<u64>,
    next_pairs: Vec<CollisionPair>,
    /// Where among the pairs those are that began with the last update.
    started: Vec<usize>,
    /// Two nodes, and the place of an event between them.
    by_nodes: Vec<(NodeId, NodeId, usize)>,
}

impl Touches {
    pub(super) fn pairs(&self) -> &[CollisionPair] {
        &self.pairs
    }

    /// Takes in `found`, the sorted keys of all pairs that touch now and of which a side was stirred. Pairs of two that
    /// were not go on; the rest has stopped, and so have pairs of which a side `is_gone` (if `anyone` is), even if
    /// another collider touches from its slot. What that comes to is added to `events`, which are empty.
    pub(super) fn update(
        &mut self,
        mut found: &[u64],
        is_stirred: impl Fn(u32) -> bool,
        anyone: bool,
        is_gone: impl Fn(&CollisionPair) -> bool,
        pair_of: impl Fn([u32; 2]) -> CollisionPair,
        events: &mut Vec<CollisionEvent>,
    ) {
        self.started.clear();
        self.next_keys.clear();
        self.next_pairs.clear();
        // Where the stretch of old pairs begins that go on and are still to be taken over.
        let (mut begin, mut index) = (0, 0);
        loop {
            if !anyone {
                let same = self.keys[index..].iter().zip(found).take_while(|(old, new)| old == new).count();
                (index, found) = (index + same, &found[same..]);
            }
            let key = self.keys.get(index).copied();
            match found.split_first() {
                Some((new, rest)) if key.is_none_or(|key| *new < key) => {
                    self.go_on(begin..index);
                    begin = index;
                    self.start(*new, pair_of(slots(*new)));
                    found = rest;
                    continue;
                }
                _ => {}
            }
            let Some(key) = key else { break };
            let gone = anyone && is_gone(&self.pairs[index]);
            let again = !gone && found.first() == Some(&key);
            found = &found[usize::from(again)..];
            if !again && (gone || slots(key).into_iter().any(&is_stirred)) {
                self.go_on(begin..index);
                begin = index + 1;
                events.push(CollisionEvent::Stopped(self.pairs[index]));
            }
            index += 1;
        }
        if !self.started.is_empty() || !events.is_empty() {
            self.go_on(begin..index);
            core::mem::swap(&mut self.pairs, &mut self.next_pairs);
            core::mem::swap(&mut self.keys, &mut self.next_keys);
            events.extend(self.started.iter().map(|place| CollisionEvent::Started(self.pairs[*place])));
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        let (keys, pairs) = (core::mem::take(&mut self.keys), core::mem::take(&mut self.pairs));
        *self = Self { keys, pairs, ..Self::default() };
        self.keys.shrink_to_fit();
        self.pairs.shrink_to_fit();
    }

    fn go_on(&mut self, stretch: Range<usize>) {
        self.next_keys.extend_from_slice(&self.keys[stretch.clone()]);
        self.next_pairs.extend_from_slice(&self.pairs[stretch]);
    }

    fn start(&mut self, key: u64, pair: CollisionPair) {
        self.started.push(self.next_pairs.len());
        self.next_keys.push(key);
        self.next_pairs.push(pair);
    }

    /// Describes all pairs anew, after colliders moved to other nodes or became sensors.
    pub(super) fn describe(&mut self, pair_of: impl Fn([u32; 2]) -> CollisionPair) {
        for (pair, key) in self.pairs.iter_mut().zip(&self.keys) {
            *pair = pair_of(slots(*key));
        }
    }

    /// Marks the events with which two nodes began or ceased to touch. `rearranged` tells whether since the last update
    /// colliders came to another node or were removed.
    pub(super) fn mark_boundaries<'a>(
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
                let (low, high) = pair.nodes();
                self.by_nodes.push((low, high, index));
            }
        }
        self.by_nodes.sort_unstable();
        for group in self.by_nodes.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let ((low, high, first), (.., last)) = (group[0], group[group.len() - 1]);
            // Nodes that both lost and gained a pair, or kept one, neither began nor ceased.
            if (first < stops) == (last < stops) && !self.goes_on(colliders(low), colliders(high)) {
                let boundary = if first < stops { last } else { first };
                events[boundary].pair_mut().node_boundary = true;
            }
        }
    }

    /// Checks that keys and pairs agree and are in order; what is wrong, if anything.
    pub(super) fn validate(&self) -> Result<(), String> {
        if !self.keys.is_sorted_by(|a, b| a < b) || self.keys.len() != self.pairs.len() {
            return Err(format!("{} keys of {} pairs are not in order", self.keys.len(), self.pairs.len()));
        }
        let stray =
            |(key, pair): &(&u64, &CollisionPair)| slots(**key) != [pair.a, pair.b].map(|side| slot_of(side.collider));
        let found = self.keys.iter().zip(&self.pairs).find(stray);
        found.map_or(Ok(()), |(key, pair)| Err(format!("{pair:?} has the key of {:?}", slots(*key))))
    }

    /// Whether two nodes touch by a pair that is not new.
    fn goes_on(&self, a: &[ColliderId], b: &[ColliderId]) -> bool {
        let mut all = a.iter().flat_map(|x| b.iter().map(|y| (*x.min(y), *x.max(y))));
        all.any(|sides| {
            let place = self.pairs.binary_search_by_key(&sides, |pair| (pair.a.collider, pair.b.collider));
            place.is_ok_and(|place| self.started.binary_search(&place).is_err())
        })
    }
}
