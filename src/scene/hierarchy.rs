use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use slotmap::{Key, SlotMap};
use smallvec::SmallVec;

use super::memory::shrink;
use super::siblings::Siblings;
use super::{ColliderId, Node, NodeId, SceneError, slot_of};

/// Who is whose child, and nothing else: the one place that rewires links.
///
/// What is read of every node that moved lies in dense arrays by slot, as in [`Bodies`](super::bodies::Bodies).
#[derive(Debug, Clone)]
pub(super) struct Hierarchy {
    nodes: SlotMap<NodeId, Node>,
    ties: Vec<Tie>,
    links: Vec<Links>,
    /// Steps to the root.
    depths: Vec<u32>,
    /// How many nodes have a smaller slot than their parent.
    reversed: usize,
    root: NodeId,
    /// Nodes whose data or place may have changed, each once, with their depths. Some may be gone.
    touched: Vec<(u32, NodeId)>,
    /// Whether a node is on that list.
    is_touched: Vec<bool>,
    /// Whether the depths on that list may be old.
    moved: bool,
    order: Order,
}

/// The little that is read of every node that moved. Of a slot without a node it means nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tie {
    /// The slot of its parent; the root is its own.
    pub(super) parent: u32,
    pub(super) carried: Carried,
    /// Whether it has children, or had.
    pub(super) branches: bool,
}

/// What a node carries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Carried {
    Nothing,
    /// One collider, by its slot.
    One(u32),
    Several,
}

impl Carried {
    fn of(colliders: &[ColliderId]) -> Self {
        match colliders {
            [] => Self::Nothing,
            [one] => Self::One(slot_of(*one)),
            _ => Self::Several,
        }
    }
}

/// Whom a node is tied to. Of a slot without a node they mean nothing.
#[derive(Debug, Clone, Default)]
struct Links {
    parent: Option<NodeId>,
    /// The place among the parent's children.
    place: u32,
    children: Siblings,
    colliders: SmallVec<[ColliderId; 1]>,
}

/// The memory of a sort of touched nodes.
#[derive(Debug, Clone, Default)]
struct Order {
    /// By depth, where the nodes go.
    places: Vec<usize>,
    sorted: Vec<(u32, NodeId)>,
}

impl Hierarchy {
    pub(super) fn new() -> Self {
        let mut hierarchy = Self {
            nodes: SlotMap::with_key(),
            ties: Vec::new(),
            links: Vec::new(),
            depths: Vec::new(),
            reversed: 0,
            root: NodeId::null(),
            touched: Vec::new(),
            is_touched: Vec::new(),
            moved: false,
            order: Order::default(),
        };
        hierarchy.root = hierarchy.place(Node::new("root"), None, 0);
        hierarchy
    }

    pub(super) fn root(&self) -> NodeId {
        self.root
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains_key(node)
    }

    #[inline]
    pub(super) fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node)
    }

    /// The node for changing, which counts as changed from now on.
    #[inline]
    pub(super) fn node_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        let found = self.nodes.get_mut(node)?;
        let slot = slot_of(node) as usize;
        if !core::mem::replace(&mut self.is_touched[slot], true) {
            self.touched.push((self.depths[slot], node));
        }
        Some(found)
    }

    /// Gives back memory that is not in use. Nothing may be touched. How many slots are left.
    pub(super) fn shrink_to_fit(&mut self) -> usize {
        let slots = self.nodes.keys().map(|node| slot_of(node) as usize + 1).max().unwrap_or(0);
        self.links.truncate(slots);
        for links in &mut self.links {
            links.children.shrink_to_fit();
            links.colliders.shrink_to_fit();
        }
        self.links.shrink_to_fit();
        shrink(&mut self.ties, slots);
        shrink(&mut self.depths, slots);
        shrink(&mut self.is_touched, slots);
        self.touched.shrink_to_fit();
        self.order = Order::default();
        slots
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        self.links.len()
    }

    #[inline]
    pub(super) fn entry(&self, node: NodeId) -> Option<(&Node, &Tie)> {
        self.nodes.get(node).map(|data| (data, &self.ties[slot_of(node) as usize]))
    }

    fn links(&self, node: NodeId) -> Option<&Links> {
        self.contains(node).then(|| &self.links[slot_of(node) as usize])
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.links(node)?.parent
    }

    pub(super) fn children(&self, node: NodeId) -> &[NodeId] {
        self.links(node).map_or(&[], |links| links.children.as_slice())
    }

    /// The children, the last first.
    pub(super) fn children_reversed(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.links(node).into_iter().flat_map(|links| links.children.iter().rev())
    }

    pub(super) fn colliders(&self, node: NodeId) -> &[ColliderId] {
        self.links(node).map_or(&[], |links| &links.colliders)
    }

    /// Gives a node another collider, its last.
    pub(super) fn attach(&mut self, node: NodeId, collider: ColliderId) {
        self.edit_colliders(node, |colliders| colliders.push(collider));
    }

    /// Takes a collider from a node.
    pub(super) fn detach(&mut self, node: NodeId, collider: ColliderId) {
        self.edit_colliders(node, |colliders| {
            if let Some(place) = colliders.iter().position(|id| *id == collider) {
                colliders.remove(place);
            }
        });
    }

    fn edit_colliders(&mut self, node: NodeId, edit: impl FnOnce(&mut SmallVec<[ColliderId; 1]>)) {
        let slot = slot_of(node) as usize;
        if self.contains(node) {
            let colliders = &mut self.links[slot].colliders;
            edit(colliders);
            self.ties[slot].carried = Carried::of(colliders);
        }
    }

    /// The node and all above it, up to the root.
    pub(super) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.contains(node).then_some(node);
        core::iter::successors(first, |node| self.parent(*node))
    }

    /// Whether a node is another one, or somewhere below it.
    pub(super) fn is_within(&self, node: NodeId, above: NodeId) -> bool {
        let branches = || self.ties.get(slot_of(above) as usize).is_some_and(|tie| tie.branches);
        node == above || (branches() && self.ancestors(node).any(|ancestor| ancestor == above))
    }

    /// The node and all below it, each before its children, children in their order.
    pub(super) fn subtree(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut pending: Vec<NodeId> = self.contains(node).then_some(node).into_iter().collect();
        core::iter::from_fn(move || {
            let next = pending.pop()?;
            pending.extend(self.children_reversed(next));
            Some(next)
        })
    }

    pub(super) fn insert(&mut self, parent: NodeId, node: Node) -> Result<NodeId, SceneError> {
        if !self.contains(parent) {
            return Err(SceneError::NodeNotFound(parent));
        }
        let id = self.place(node, Some(parent), self.depths[slot_of(parent) as usize] + 1);
        self.join(id, parent);
        Ok(id)
    }

    /// Gives a node its slot.
    fn place(&mut self, node: Node, parent: Option<NodeId>, depth: u32) -> NodeId {
        let id = self.nodes.insert(node);
        let slot = slot_of(id) as usize;
        if self.links.len() <= slot {
            self.links.resize_with(slot + 1, Links::default);
            self.ties.resize(slot + 1, Tie { parent: 0, carried: Carried::Nothing, branches: false });
            self.depths.resize(slot + 1, 0);
            self.is_touched.resize(slot + 1, false);
        }
        self.links[slot] = Links { parent, ..Links::default() };
        self.ties[slot] = Tie { parent: slot as u32, carried: Carried::Nothing, branches: false };
        self.depths[slot] = depth;
        self.touch(id);
        id
    }

    /// Makes a node the last child of another.
    fn join(&mut self, node: NodeId, parent: NodeId) {
        let (slot, above) = (slot_of(node), slot_of(parent));
        let place = self.links[above as usize].children.push(node);
        let links = &mut self.links[slot as usize];
        (links.parent, links.place) = (Some(parent), place);
        self.ties[slot as usize].parent = above;
        self.ties[above as usize].branches = true;
        self.reversed += usize::from(slot < above);
    }

    /// Removes a node with its subtree and tells of each with its colliders. `false` for the root and for stale ids.
    pub(super) fn remove(&mut self, node: NodeId, mut removed: impl FnMut(NodeId, &[ColliderId])) -> bool {
        let Some(parent) = self.parent(node) else { return false };
        self.unlink(node, parent);
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let slot = slot_of(node) as usize;
            let links = core::mem::take(&mut self.links[slot]);
            self.nodes.remove(node);
            self.reversed -= usize::from(slot_of(node) < self.ties[slot].parent);
            // The slot may soon be another node's.
            self.is_touched[slot] = false;
            pending.extend(links.children.iter());
            removed(node, &links.colliders);
        }
        true
    }

    /// The present parent of a node that may move under another.
    pub(super) fn check_move(&self, node: NodeId, parent: NodeId) -> Result<NodeId, SceneError> {
        for id in [node, parent] {
            if !self.contains(id) {
                return Err(SceneError::NodeNotFound(id));
            }
        }
        let old = self.parent(node).ok_or(SceneError::Root(node))?;
        if self.is_within(parent, node) {
            return Err(SceneError::Cycle { node, parent });
        }
        Ok(old)
    }

    pub(super) fn set_parent(&mut self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        let old = self.check_move(node, parent)?;
        if old == parent {
            return Ok(());
        }
        self.unlink(node, old);
        self.join(node, parent);
        self.moved = true;
        let moved: Vec<NodeId> = self.subtree(node).collect();
        for node in moved {
            let above = self.parent(node).map_or(0, |parent| self.depths[slot_of(parent) as usize] + 1);
            self.depths[slot_of(node) as usize] = above;
        }
        self.touch(node);
        Ok(())
    }

    fn unlink(&mut self, node: NodeId, parent: NodeId) {
        let (slot, above) = (slot_of(node) as usize, slot_of(parent) as usize);
        let place = self.links[slot].place;
        self.reversed -= usize::from(slot < above);
        self.ties[slot].parent = slot as u32;
        if self.links[above].children.remove(place) {
            let siblings = core::mem::take(&mut self.links[above].children);
            for (place, sibling) in (0..).zip(siblings.iter()) {
                self.links[slot_of(sibling) as usize].place = place;
            }
            self.links[above].children = siblings;
        }
    }

    /// Puts a node on the list of the touched.
    fn touch(&mut self, node: NodeId) {
        let _ = self.node_mut(node);
    }

    /// Whether a node is among those that [`take_touched`](Self::take_touched) gave.
    #[inline]
    pub(super) fn is_touched(&self, node: NodeId) -> bool {
        self.is_touched[slot_of(node) as usize]
    }

    /// Gives the touched nodes, with their depths, parents before children. Some may be gone.
    pub(super) fn take_touched(&mut self, nodes: &mut Vec<(u32, NodeId)>) {
        nodes.clear();
        core::mem::swap(nodes, &mut self.touched);
        if core::mem::take(&mut self.moved) {
            for (depth, node) in nodes.iter_mut() {
                *depth = self.depths[slot_of(*node) as usize];
            }
        }
        // As nodes are added one after another, parents have smaller slots than their children.
        let in_order = nodes.is_sorted_by_key(|(depth, _)| *depth)
            || (self.reversed == 0 && nodes.is_sorted_by_key(|(_, node)| slot_of(*node)));
        if !in_order {
            self.order.sort(nodes);
        }
    }

    /// Takes in that these touched nodes have been dealt with.
    pub(super) fn settle(&mut self, nodes: &[(u32, NodeId)]) {
        for (_, node) in nodes {
            self.is_touched[slot_of(*node) as usize] = false;
        }
    }

    /// Checks that all links agree; what is wrong, if anything.
    pub(super) fn validate(&self) -> Result<(), String> {
        let (mut children, mut reversed) = (0, 0);
        for node in self.nodes.keys() {
            let slot = slot_of(node) as usize;
            let (links, tie) = (&self.links[slot], &self.ties[slot]);
            let parent = links.parent.filter(|parent| self.contains(*parent));
            let above = parent.map(|parent| slot_of(parent) as usize);
            let checks = [
                (
                    parent == links.parent && parent.is_none() == (node == self.root),
                    "has a parent that it cannot have, or none",
                ),
                (
                    above.is_none_or(|above| self.links[above].children.at(links.place) == Some(node)),
                    "is not at its place among its parent's children",
                ),
                (links.children.iter().all(|child| self.parent(child) == Some(node)), "has a child of another"),
                (self.depths[slot] == above.map_or(0, |above| self.depths[above] + 1), "has a wrong depth"),
                (tie.parent as usize == above.unwrap_or(slot), "is tied to another than its parent"),
                (tie.branches || links.children.iter().next().is_none(), "has children, but is not said to branch"),
                (tie.carried == Carried::of(&links.colliders), "carries something else than its tie says"),
            ];
            if let Some((_, what)) = checks.iter().find(|(holds, _)| !holds) {
                return Err(format!("{node:?} {what}"));
            }
            children += links.children.iter().count();
            reversed += usize::from(above.is_some_and(|above| slot < above));
        }
        if children + 1 != self.len() {
            return Err(format!("{} nodes, but {children} children", self.len()));
        }
        if reversed != self.reversed {
            return Err(format!("{reversed} nodes have a smaller slot than their parent, not {}", self.reversed));
        }
        Ok(())
    }
}

impl Order {
    /// Sorts nodes by depth and keeps the order of equals: by counting, unless there are only a few deep ones.
    fn sort(&mut self, nodes: &mut Vec<(u32, NodeId)>) {
        let deepest = nodes.iter().map(|(depth, _)| *depth as usize).max().unwrap_or(0);
        if deepest > 4 * nodes.len() + 64 {
            nodes.sort_by_key(|(depth, _)| *depth);
            return;
        }
        self.places.clear();
        self.places.resize(deepest + 1, 0);
        for (depth, _) in nodes.iter() {
            self.places[*depth as usize] += 1;
        }
        let mut start = 0;
        for place in &mut self.places {
            start += core::mem::replace(place, start);
        }
        self.sorted.resize(nodes.len(), (0, NodeId::null()));
        for node in nodes.iter() {
            let place = &mut self.places[node.0 as usize];
            self.sorted[*place] = *node;
            *place += 1;
        }
        core::mem::swap(nodes, &mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_does_not_agree_is_told() {
        type Damage = fn(&mut Hierarchy, [usize; 3]);
        let cases: [(&str, Damage); 8] = [
            ("has a parent that it cannot have", |tree, [root, ..]| tree.links[root].parent = Some(NodeId::null())),
            ("is not at its place", |tree, [_, _, leaf]| tree.links[leaf].place = 1),
            ("has a child of another", |tree, [root, above, _]| {
                let own = tree.links[root].children.clone();
                for child in own.iter() {
                    tree.links[above].children.push(child);
                }
            }),
            ("has a wrong depth", |tree, [_, above, _]| tree.depths[above] = 2),
            ("is tied to another", |tree, [root, _, leaf]| tree.ties[leaf].parent = root as u32),
            ("is not said to branch", |tree, [_, above, _]| tree.ties[above].branches = false),
            ("carries something else", |tree, [_, above, _]| tree.ties[above].carried = Carried::One(7)),
            ("have a smaller slot", |tree, _| tree.reversed = 1),
        ];
        let mut tree = Hierarchy::new();
        let above = tree.insert(tree.root(), Node::new("above")).unwrap();
        let leaf = tree.insert(above, Node::new("leaf")).unwrap();
        tree.attach(above, ColliderId::null());
        assert_eq!(tree.validate(), Ok(()));
        for (told, damage) in cases {
            let mut damaged = tree.clone();
            damage(&mut damaged, [tree.root(), above, leaf].map(|node| slot_of(node) as usize));
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(told), "{found} instead of {told}");
        }
    }

    #[test]
    fn a_child_that_is_there_twice_is_told() {
        let mut tree = Hierarchy::new();
        let child = tree.insert(tree.root(), Node::new("child")).unwrap();
        tree.links[slot_of(tree.root) as usize].children.push(child);
        assert_eq!(tree.validate(), Err("2 nodes, but 2 children".into()));
    }
}
