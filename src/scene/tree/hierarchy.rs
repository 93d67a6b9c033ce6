use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use smallvec::SmallVec;

use super::children::Children;
use super::collider_list::{ColliderList, ColliderLists};
use super::list_pool::{ListNumber, ListPool};
use crate::math::{CountingSort, SlotSet, clone_fields, extend_to, shrink_to, sort_by};
#[cfg(feature = "serde")]
use crate::scene::LoadError;
use crate::scene::slots::Slots;
use crate::scene::{ColliderId, Node, NodeId, SceneError, slot_of};

/// The nodes and their relations: parents, children, and the list of colliders of each node. All links are set here.
///
/// Nodes refer to each other by slots in dense arrays. The default has no nodes, not even a root.
#[derive(Debug, Default)]
pub(in crate::scene) struct Hierarchy {
    nodes: Slots<NodeId, Node>,
    /// By slot; without meaning if it has no node.
    links: Vec<Links>,
    /// The children of each node that has any.
    child_lists: ListPool<Children>,
    /// The colliders of each node that has several.
    collider_lists: ColliderLists,
    /// The number of nodes whose slot is smaller than their parent's. While it is 0, an order by slots is an order by
    /// ancestry, and a refresh need not sort.
    reversed: usize,
    /// The nodes with children that have got another depth since the last refresh. Those below still have the old depths.
    stale_below: SlotSet,
    root: NodeId,
    sorter: CountingSort,
}

clone_fields!(Hierarchy { nodes, links, child_lists, collider_lists, reversed, stale_below, root; scratch: sorter });

/// The links of a node to its parent, children and colliders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Links {
    /// The slot of the parent; the root has its own.
    pub(super) parent: u32,
    /// The number of steps to the root, as of the last refresh.
    pub(super) depth: u32,
    /// The position among the parent's children.
    pub(super) position: u32,
    children: ListNumber,
    colliders: ColliderList,
}

impl Links {
    #[inline]
    pub(super) fn has_children(&self) -> bool {
        self.children != ListNumber::EMPTY
    }

    #[inline]
    pub(super) fn has_colliders(&self) -> bool {
        !self.colliders.is_empty()
    }
}

impl Hierarchy {
    /// Returns a tree with a root and nothing else.
    pub(in crate::scene) fn new() -> Self {
        let mut hierarchy = Self::default();
        hierarchy.root = hierarchy.add(Node::new("root"));
        hierarchy
    }

    pub(in crate::scene) fn root(&self) -> NodeId {
        self.root
    }

    pub(in crate::scene) fn nodes(&self) -> &Slots<NodeId, Node> {
        &self.nodes
    }

    /// Returns the number of slots.
    pub(in crate::scene) fn slots(&self) -> usize {
        self.links.len()
    }

    pub(in crate::scene) fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains_key(node)
    }

    /// Checks that a node is in the scene.
    pub(in crate::scene) fn require(&self, node: NodeId) -> Result<(), SceneError> {
        if self.contains(node) { Ok(()) } else { Err(SceneError::NodeNotFound(node)) }
    }

    #[inline]
    pub(in crate::scene) fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node)
    }

    #[inline]
    pub(in crate::scene) fn node_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(node)
    }

    /// Returns the id of the node in a slot; null if there is none.
    #[inline]
    pub(in crate::scene) fn id(&self, slot: u32) -> NodeId {
        self.nodes.id_at(slot)
    }

    /// Returns the node in a slot, if there is one.
    #[inline]
    pub(super) fn node_at(&self, slot: u32) -> Option<&Node> {
        self.nodes.at(slot)
    }

    /// Returns the links of the node in a slot.
    #[inline]
    pub(super) fn links_at(&self, slot: u32) -> &Links {
        &self.links[slot as usize]
    }

    pub(super) fn links(&self, node: NodeId) -> Option<&Links> {
        self.contains(node).then(|| self.links_at(slot_of(node)))
    }

    /// Returns the children of the node in a slot.
    #[inline]
    pub(super) fn children_of(&self, slot: u32) -> &Children {
        self.child_lists.list(self.links_at(slot).children)
    }

    /// Returns the colliders of a node with these links.
    #[inline]
    pub(super) fn colliders_of<'a>(&'a self, links: &'a Links) -> &'a [ColliderId] {
        links.colliders.as_slice(&self.collider_lists)
    }

    pub(in crate::scene) fn parent(&self, node: NodeId) -> Option<NodeId> {
        (self.contains(node) && node != self.root).then(|| self.id(self.parent_slot(slot_of(node))))
    }

    /// Returns the slot of the parent of the node in a slot; of the root, its own.
    #[inline]
    pub(super) fn parent_slot(&self, slot: u32) -> u32 {
        self.links_at(slot).parent
    }

    pub(in crate::scene) fn children(&self, node: NodeId) -> &[NodeId] {
        self.links(node).map_or(&[], |links| self.child_lists.list(links.children).as_slice())
    }

    pub(in crate::scene) fn colliders(&self, node: NodeId) -> &[ColliderId] {
        self.links(node).map_or(&[], |links| self.colliders_of(links))
    }

    /// Adds a collider to the list of a node that is in the scene.
    pub(in crate::scene) fn attach(&mut self, node: NodeId, collider: ColliderId) {
        self.links[slot_of(node) as usize].colliders.push(collider, &mut self.collider_lists);
    }

    /// Removes a collider from the list of a node that is in the scene.
    pub(in crate::scene) fn detach(&mut self, node: NodeId, collider: ColliderId) {
        self.links[slot_of(node) as usize].colliders.remove(collider, &mut self.collider_lists);
    }

    /// Reserves memory for `count` more nodes, all of them children of the root, and returns the number of slots after
    /// their addition.
    pub(in crate::scene) fn reserve(&mut self, count: usize) -> usize {
        let slots = self.nodes.reserve(count);
        self.links.reserve(slots - self.links.len());
        let root = &mut self.links[slot_of(self.root) as usize];
        self.child_lists.own(&mut root.children).reserve(count);
        slots
    }

    /// Adds a node as the last child of another, which is in the scene.
    pub(in crate::scene) fn insert(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = self.add(node);
        self.link(id, parent);
        id
    }

    /// Adds a node without a parent.
    fn add(&mut self, node: Node) -> NodeId {
        let id = self.nodes.insert(node);
        self.register(id);
        id
    }

    /// Prepares the slot of a node without links.
    fn register(&mut self, id: NodeId) {
        let slot = slot_of(id);
        let children = ListNumber::EMPTY;
        let links = Links { parent: slot, depth: 0, position: 0, children, colliders: ColliderList::EMPTY };
        extend_to(&mut self.links, slot as usize + 1, links);
        self.links[slot as usize] = links;
    }

    /// Returns the tree of these nodes. `parents` has the parent of each, which precedes it; the first one is the root
    /// and has none. `free` are the last ids of the free slots.
    #[cfg(feature = "serde")]
    pub(in crate::scene) fn restored(
        nodes: Vec<(NodeId, Node)>,
        parents: &[(NodeId, Option<NodeId>)],
        free: &[NodeId],
    ) -> Result<Self, LoadError> {
        let &(root, _) = parents.first().ok_or(LoadError::NoRoot)?;
        let nodes = Slots::restored(nodes, free).map_err(LoadError::Node)?;
        let mut hierarchy = Self { nodes, root, ..Self::default() };
        let mut preceding = SlotSet::default();
        for &(id, parent) in parents {
            hierarchy.register(id);
            match parent {
                None if id == root => {}
                Some(parent) if hierarchy.contains(parent) && preceding.contains(slot_of(parent)) => {
                    hierarchy.link(id, parent);
                }
                _ => return Err(LoadError::Parent { node: id, parent: parent.unwrap_or_default() }),
            }
            preceding.insert(slot_of(id));
        }
        Ok(hierarchy)
    }

    /// Makes a node without a parent the last child of another.
    fn link(&mut self, node: NodeId, parent: NodeId) {
        let (slot, above) = (slot_of(node), slot_of(parent));
        let children = self.child_lists.own(&mut self.links[above as usize].children);
        let position = children.push(node);
        let depth = self.links_at(above).depth + 1;
        let links = &mut self.links[slot as usize];
        (links.parent, links.depth, links.position) = (above, depth, position);
        self.reversed += usize::from(slot < above);
    }

    /// Takes a node from its parent.
    fn unlink(&mut self, node: NodeId) {
        let slot = slot_of(node);
        let links = &mut self.links[slot as usize];
        let (above, position) = (core::mem::replace(&mut links.parent, slot), links.position);
        self.reversed -= usize::from(slot < above);
        let number = &mut self.links[above as usize].children;
        let children = self.child_lists.own(number);
        let is_renumbered = children.remove(position);
        if children.is_empty() {
            self.child_lists.release(number, Children::clear);
        } else if is_renumbered {
            self.renumber_children(above);
        }
    }

    fn renumber_children(&mut self, slot: u32) {
        let children = self.child_lists.list(self.links[slot as usize].children);
        for (position, child) in (0..).zip(children.iter()) {
            self.links[slot_of(child) as usize].position = position;
        }
    }

    /// Removes a node with its subtree, and calls `removed` for each of these nodes with its data and its colliders.
    /// Returns `false` for the root and for stale ids.
    pub(in crate::scene) fn remove(
        &mut self,
        node: NodeId,
        mut removed: impl FnMut(NodeId, Node, &[ColliderId]),
    ) -> bool {
        if !self.contains(node) || node == self.root {
            return false;
        }
        self.unlink(node);
        let mut pending: SmallVec<[NodeId; 4]> = SmallVec::from_slice(&[node]);
        while let Some(node) = pending.pop() {
            let slot = slot_of(node);
            let data = self.nodes.remove(node).unwrap_or_default();
            self.reversed -= usize::from(slot < self.parent_slot(slot));
            removed(node, data, self.colliders_of(self.links_at(slot)));
            let Self { links, child_lists, collider_lists, .. } = self;
            let links = &mut links[slot as usize];
            child_lists.release(&mut links.children, |children| {
                pending.extend(children.iter());
                children.clear();
            });
            links.colliders.clear(collider_lists);
        }
        true
    }

    /// Checks that a node may become the child of another.
    pub(in crate::scene) fn check_move(&self, node: NodeId, parent: NodeId) -> Result<(), SceneError> {
        self.require(node)?;
        self.require(parent)?;
        if node == self.root {
            return Err(SceneError::Root(node));
        }
        if self.is_within(parent, node) { Err(SceneError::Cycle { node, parent }) } else { Ok(()) }
    }

    /// Makes a node the last child of another. [`check_move`](Self::check_move) must have allowed it.
    pub(in crate::scene) fn set_parent(&mut self, node: NodeId, parent: NodeId) {
        let old_depth = self.links_at(slot_of(node)).depth;
        self.unlink(node);
        self.link(node, parent);
        let links = self.links_at(slot_of(node));
        if links.has_children() && links.depth != old_depth {
            self.stale_below.insert(slot_of(node));
        }
    }

    /// Brings the depths of all nodes up to date.
    pub(in crate::scene) fn refresh_depths(&mut self) {
        let mut tops = core::mem::take(&mut self.stale_below);
        for top in tops.iter() {
            let node = self.id(top);
            // The walk below the highest of them meets the others, so that a tree built from its leaves takes one walk.
            if !self.contains(node) || self.ancestors(node).skip(1).any(|above| tops.contains(slot_of(above))) {
                continue;
            }
            let mut next = self.following(top, top).map(slot_of);
            while let Some(slot) = next {
                self.links[slot as usize].depth = self.links_at(self.parent_slot(slot)).depth + 1;
                next = self.following(slot, top).map(slot_of);
            }
        }
        tops.clear();
        self.stale_below = tops;
    }

    /// Moves a node among its siblings, so that `index` of them precede it, or all if there are fewer.
    pub(in crate::scene) fn move_child(&mut self, node: NodeId, index: usize) -> Result<(), SceneError> {
        self.require(node)?;
        if node == self.root {
            return Err(SceneError::Root(node));
        }
        let above = self.parent_slot(slot_of(node));
        self.child_lists.own(&mut self.links[above as usize].children).reorder(node, index);
        self.renumber_children(above);
        Ok(())
    }

    /// Sorts slots of nodes, which are in ascending order, so that parents come before their children.
    pub(in crate::scene) fn sort_parents_first(&mut self, slots: &mut [u32]) {
        let Self { links, sorter, reversed, .. } = self;
        let depth = |slot: u32| links[slot as usize].depth as usize;
        if *reversed == 0 || slots.is_sorted_by_key(|slot| depth(*slot)) {
            return;
        }
        let deepest = slots.iter().copied().map(depth).max().unwrap_or(0);
        // A few nodes in a very deep tree are not worth a bucket for each depth.
        if deepest > 4 * slots.len() + 64 {
            sort_by(slots, |a, b| (depth(*a), a) < (depth(*b), b));
        } else {
            sorter.sort_by_key(slots, deepest + 1, depth);
        }
    }

    /// Frees memory that is not in use, and returns the number of slots that are left.
    pub(in crate::scene) fn shrink_to_fit(&mut self) -> usize {
        let slots = self.nodes.keys().map(|node| slot_of(node) as usize + 1).max().unwrap_or(0);
        shrink_to(&mut self.links, slots);
        self.child_lists.shrink_to_fit(Children::shrink_to_fit);
        self.collider_lists.shrink_to_fit(Vec::shrink_to_fit);
        self.sorter = CountingSort::default();
        // Empty, because the scene has been refreshed.
        self.stale_below = SlotSet::default();
        slots
    }

    /// Returns a message if links, depths or counts disagree.
    pub(in crate::scene) fn validate(&self) -> Result<(), String> {
        let (mut children, mut reversed, mut parents_of_any, mut pooled) = (0, 0, 0, 0);
        for node in self.nodes.keys() {
            let slot = slot_of(node);
            let links = self.links_at(slot);
            let is_root = node == self.root;
            let parent = Some(links.parent).filter(|above| !is_root && self.contains(self.id(*above)));
            let depth = parent.map_or(0, |above| self.links_at(above).depth + 1);
            let is_at_position = |above| self.children_of(above).at_or_after(links.position) == Some(node);
            let checks = [
                (parent.is_none() == is_root && (links.parent == slot) == is_root, "has no valid parent"),
                (parent.is_none_or(is_at_position), "is not at its position among its parent's children"),
                (
                    self.children_of(slot).iter().all(|child| self.parent(child) == Some(node)),
                    "has a child of another node",
                ),
                (links.depth == depth, "has a wrong depth"),
                (is_root || links.has_children() != self.children_of(slot).is_empty(), "has an empty list of children"),
            ];
            if let Some((_, message)) = checks.iter().find(|(holds, _)| !holds) {
                return Err(format!("{node:?} {message}"));
            }
            children += self.children_of(slot).iter().count();
            parents_of_any += usize::from(links.has_children());
            pooled += usize::from(links.colliders.is_pooled());
            reversed += usize::from(parent.is_some_and(|above| slot < above));
        }
        if children + 1 != self.nodes.len() {
            return Err(format!("{} nodes, but {children} children", self.nodes.len()));
        }
        if reversed != self.reversed {
            return Err(format!("{reversed} nodes have a smaller slot than their parent, not {}", self.reversed));
        }
        if (parents_of_any, pooled) != (self.child_lists.owned(), self.collider_lists.owned()) {
            return Err(format!(
                "{parents_of_any} nodes have children and {pooled} several colliders, not as many lists"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn validation_finds_every_link_that_disagrees() {
        type Damage = fn(&mut Hierarchy, [usize; 3]);
        let cases: [(&str, Damage); 8] = [
            ("has a child of another node", |tree, [_, above, _]| tree.links[above].parent = above as u32),
            ("has no valid parent", |tree, [root, ..]| tree.links[root].parent = u32::MAX),
            ("is not at its position", |tree, [_, _, leaf]| tree.links[leaf].position = 1),
            ("has a child of another", |tree, [root, above, _]| {
                let own = tree.children_of(root as u32).clone();
                for child in own.iter() {
                    tree.child_lists.own(&mut tree.links[above].children).push(child);
                }
            }),
            ("has a wrong depth", |tree, [_, above, _]| tree.links[above].depth = 2),
            ("have a smaller slot", |tree, _| tree.reversed = 1),
            ("has an empty list", |tree, [_, _, leaf]| {
                drop(tree.child_lists.own(&mut tree.links[leaf].children).iter());
            }),
            ("2 nodes have children", |tree, _| drop(tree.child_lists.own(&mut ListNumber::default()).iter())),
        ];
        let mut tree = Hierarchy::new();
        let above = tree.insert(tree.root(), Node::new("above"));
        let leaf = tree.insert(above, Node::new("leaf"));
        assert_eq!(tree.validate(), Ok(()));
        for (expected, damage) in cases {
            let mut damaged = tree.clone();
            damage(&mut damaged, [tree.root(), above, leaf].map(|node| slot_of(node) as usize));
            let found = damaged.validate().unwrap_err();
            assert!(found.contains(expected), "{found} instead of {expected}");
        }
    }

    #[test]
    fn validation_finds_a_child_that_is_listed_twice() {
        let mut tree = Hierarchy::new();
        let child = tree.insert(tree.root(), Node::new("child"));
        tree.child_lists.own(&mut tree.links[slot_of(tree.root) as usize].children).push(child);
        assert_eq!(tree.validate(), Err("2 nodes, but 2 children".into()));
    }

    #[test]
    fn parents_are_sorted_before_their_children_however_deep() {
        let mut tree = Hierarchy::new();
        let chain: Vec<NodeId> = (0..300).fold(vec![tree.root()], |mut chain, _| {
            let next = tree.insert(chain[chain.len() - 1], Node::default());
            chain.push(next);
            chain
        });
        // The second node comes under the last sibling, so that its slot is smaller than its parent's.
        let sibling = tree.insert(tree.root(), Node::default());
        tree.set_parent(chain[1], sibling);
        tree.refresh_depths();
        assert_eq!(tree.validate(), Ok(()));
        for count in [3, 300] {
            let mut slots: Vec<u32> = chain[1..count].iter().rev().chain([&sibling]).map(|id| slot_of(*id)).collect();
            tree.sort_parents_first(&mut slots);
            let mut expected: Vec<u32> = chain[1..count].iter().map(|id| slot_of(*id)).collect();
            expected.insert(0, slot_of(sibling));
            assert_eq!(slots, expected);
        }
    }
}
