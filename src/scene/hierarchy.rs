use slotmap::SlotMap;
use smallvec::SmallVec;

use super::siblings::Siblings;
use super::{ColliderId, Node, NodeId, SceneError, slot_of};

/// Who is whose child, and nothing else: the one place that rewires links.
#[derive(Debug, Clone)]
pub(super) struct Hierarchy {
    entries: SlotMap<NodeId, Entry>,
    root: NodeId,
    /// Nodes whose data or place may have changed, each once, with their depths. Some may be gone.
    touched: Vec<(u32, NodeId)>,
    /// Whether a node is on that list, by slot: apart from the entries, so that asking about many is cheap.
    is_touched: Vec<bool>,
    /// Whether the depths on that list may be old.
    moved: bool,
}

/// A node and its links.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) node: Node,
    pub(super) parent: Option<NodeId>,
    pub(super) children: Siblings,
    /// The place among the parent's children.
    place: u32,
    pub(super) colliders: SmallVec<[ColliderId; 1]>,
    /// Steps to the root.
    depth: u32,
}

impl Hierarchy {
    pub(super) fn new() -> Self {
        let mut entries = SlotMap::with_key();
        let root = entries.insert(Entry::new(Node::new("root"), None, 0));
        let mut hierarchy = Self { entries, root, touched: Vec::new(), is_touched: Vec::new(), moved: false };
        hierarchy.touch(root);
        hierarchy
    }

    pub(super) fn root(&self) -> NodeId {
        self.root
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn node(&self, node: NodeId) -> Option<&Node> {
        self.entries.get(node).map(|entry| &entry.node)
    }

    /// The node for changing, which counts as changed from now on.
    pub(super) fn node_mut(&mut self, node: NodeId) -> Option<&mut Node> {
        self.touch(node);
        self.entries.get_mut(node).map(|entry| &mut entry.node)
    }

    #[inline]
    pub(super) fn entry(&self, node: NodeId) -> Option<&Entry> {
        self.entries.get(node)
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.entries.get(node)?.parent
    }

    pub(super) fn children(&self, node: NodeId) -> &[NodeId] {
        self.entries.get(node).map_or(&[], |entry| entry.children.as_slice())
    }

    pub(super) fn colliders(&self, node: NodeId) -> &[ColliderId] {
        self.entries.get(node).map_or(&[], |entry| &entry.colliders)
    }

    pub(super) fn colliders_mut(&mut self, node: NodeId) -> Option<&mut SmallVec<[ColliderId; 1]>> {
        self.entries.get_mut(node).map(|entry| &mut entry.colliders)
    }

    /// The node and all above it, up to the root.
    pub(super) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.entries.contains_key(node).then_some(node);
        std::iter::successors(first, |node| self.parent(*node))
    }

    /// The node and all below it, each before its children, children in their order.
    pub(super) fn subtree(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut pending: Vec<NodeId> = self.entries.contains_key(node).then_some(node).into_iter().collect();
        std::iter::from_fn(move || {
            let next = pending.pop()?;
            pending.extend(self.entries[next].children.iter().rev());
            Some(next)
        })
    }

    pub(super) fn insert(&mut self, parent: NodeId, node: Node) -> Result<NodeId, SceneError> {
        let depth = self.entries.get(parent).ok_or(SceneError::NodeNotFound(parent))?.depth + 1;
        let id = self.entries.insert(Entry::new(node, Some(parent), depth));
        self.entries[id].place = self.entries[parent].children.push(id);
        self.touch(id);
        Ok(id)
    }

    /// Removes a node with its subtree and tells of each with its colliders. `false` for the root and for stale ids.
    pub(super) fn remove(&mut self, node: NodeId, mut removed: impl FnMut(NodeId, &[ColliderId])) -> bool {
        let Some(parent) = self.parent(node) else { return false };
        self.unlink(node, parent);
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            if let Some(entry) = self.entries.remove(node) {
                // The slot may soon be another node's.
                self.is_touched[slot_of(node) as usize] = false;
                pending.extend(entry.children.iter());
                removed(node, &entry.colliders);
            }
        }
        true
    }

    /// The present parent of a node that may move under another.
    pub(super) fn check_move(&self, node: NodeId, parent: NodeId) -> Result<NodeId, SceneError> {
        for id in [node, parent] {
            if !self.entries.contains_key(id) {
                return Err(SceneError::NodeNotFound(id));
            }
        }
        let old = self.parent(node).ok_or(SceneError::Root(node))?;
        if self.ancestors(parent).any(|ancestor| ancestor == node) {
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
        self.entries[node].place = self.entries[parent].children.push(node);
        self.entries[node].parent = Some(parent);
        self.moved = true;
        let moved: Vec<NodeId> = self.subtree(node).collect();
        for node in moved {
            let parent = self.entries[node].parent;
            self.entries[node].depth = parent.map_or(0, |parent| self.entries[parent].depth + 1);
        }
        self.touch(node);
        Ok(())
    }

    fn unlink(&mut self, node: NodeId, parent: NodeId) {
        let place = self.entries[node].place;
        if self.entries[parent].children.remove(place) {
            let siblings = std::mem::take(&mut self.entries[parent].children);
            for (place, sibling) in (0..).zip(siblings.iter()) {
                self.entries[sibling].place = place;
            }
            self.entries[parent].children = siblings;
        }
    }

    /// Puts a node on the list of the touched.
    fn touch(&mut self, node: NodeId) {
        let Some(entry) = self.entries.get(node) else { return };
        let slot = slot_of(node) as usize;
        if self.is_touched.len() <= slot {
            self.is_touched.resize(slot + 1, false);
        }
        if !std::mem::replace(&mut self.is_touched[slot], true) {
            self.touched.push((entry.depth, node));
        }
    }

    /// Whether a node is among those that [`take_touched`](Self::take_touched) gave.
    #[inline]
    pub(super) fn is_touched(&self, node: NodeId) -> bool {
        self.is_touched[slot_of(node) as usize]
    }

    /// Gives the touched nodes, with their depths, parents before children. Some may be gone.
    pub(super) fn take_touched(&mut self, nodes: &mut Vec<(u32, NodeId)>) {
        nodes.clear();
        std::mem::swap(nodes, &mut self.touched);
        if std::mem::take(&mut self.moved) {
            for (depth, node) in nodes.iter_mut() {
                *depth = self.entries.get(*node).map_or(0, |entry| entry.depth);
            }
        }
        if !nodes.is_sorted_by_key(|(depth, _)| *depth) {
            nodes.sort_unstable();
        }
    }

    /// Takes in that these touched nodes have been dealt with.
    pub(super) fn settle(&mut self, nodes: &[(u32, NodeId)]) {
        for (_, node) in nodes {
            self.is_touched[slot_of(*node) as usize] = false;
        }
    }
}

impl Entry {
    fn new(node: Node, parent: Option<NodeId>, depth: u32) -> Self {
        Self { node, parent, children: Siblings::default(), place: 0, colliders: SmallVec::new(), depth }
    }
}
