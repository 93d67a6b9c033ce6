//! Copies of subtrees, within a scene and from one scene to another.

use alloc::vec;
use alloc::vec::Vec;

use super::{ColliderId, Node, NodeId, Scene, SceneError};
use crate::collider::Attachment;
use crate::math::sort_by;

/// The ids of a copied subtree: which old id became which new id.
///
/// [`Scene::copy_subtree`] and [`Scene::graft`] return it. Both lists are in the order of the old ids.
///
/// ```
/// use hitgraph::{Circle, Node, Scene};
///
/// let mut scene = Scene::new();
/// let (troll, body) = scene.add_with(Node::new("troll"), Circle::new(1.0));
/// let club = scene.add_child(troll, Node::new("club"))?;
/// let copied = scene.copy_subtree(troll, scene.root())?;
///
/// // Your own data about the old ids, for the new ones.
/// let mut health = vec![(troll, 7)];
/// for (old, new) in copied.nodes() {
///     let found = health.iter().find(|(node, _)| node == old).map(|(_, points)| *points);
///     health.extend(found.map(|points| (*new, points)));
/// }
/// assert_eq!(health, [(troll, 7), (copied.root(), 7)]);
/// assert_eq!(copied.node(club).map(|club| scene[club].name.clone()).as_deref(), Some("club"));
/// assert_eq!(copied.colliders(), [(body, copied.collider(body).unwrap())]);
/// # Ok::<(), hitgraph::SceneError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedIds {
    root: NodeId,
    nodes: Vec<(NodeId, NodeId)>,
    colliders: Vec<(ColliderId, ColliderId)>,
}

impl CopiedIds {
    /// Returns the copy of the topmost node.
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Returns the old and the new id of every node, in the order of the old ids.
    #[must_use]
    pub fn nodes(&self) -> &[(NodeId, NodeId)] {
        &self.nodes
    }

    /// Returns the old and the new id of every collider, in the order of the old ids.
    #[must_use]
    pub fn colliders(&self) -> &[(ColliderId, ColliderId)] {
        &self.colliders
    }

    /// Returns the copy of a node, or `None` if the node was not copied.
    #[must_use]
    pub fn node(&self, old: NodeId) -> Option<NodeId> {
        new_id(&self.nodes, old)
    }

    /// Returns the copy of a collider, or `None` if the collider was not copied.
    #[must_use]
    pub fn collider(&self, old: ColliderId) -> Option<ColliderId> {
        new_id(&self.colliders, old)
    }
}

fn new_id<K: Copy + Ord>(ids: &[(K, K)], old: K) -> Option<K> {
    ids.binary_search_by_key(&old, |(old, _)| *old).ok().map(|index| ids[index].1)
}

impl Scene {
    /// Copies a node with its whole subtree and all their colliders, as the last child of another node: ten more of
    /// the same troll. The parent may be in the subtree itself; the copy does not contain itself.
    ///
    /// The copies have the data of the originals, local transforms included, and the same order of children and
    /// colliders. They are new: the next [`update`](Self::update) returns a start for each pair that they are in, and a
    /// copied mover has no memory of a move. An [ignored pair](Self::ignore_pair) of two copied nodes is copied too.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Rect, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    /// let (club, blow) = scene.add_child_with(troll, Node::new("club"), Rect::new(1.5, 0.3))?;
    ///
    /// let copied = scene.copy_subtree(troll, scene.root())?;
    /// scene[copied.root()].transform.position = vec2(5.0, 0.0);
    /// assert_eq!(scene.parent(copied.node(club).unwrap()), Some(copied.root()));
    /// assert!(scene.attachment(copied.collider(blow).unwrap()).is_some());
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if one of the two is not in the scene. Nothing changes then.
    #[doc(alias("duplicate", "clone node", "instantiate"))]
    pub fn copy_subtree(&mut self, node: NodeId, parent: NodeId) -> Result<CopiedIds, SceneError> {
        let subtree = Subtree::of(self, node)?;
        self.add_subtree(subtree, parent)
    }

    /// Copies a node with its whole subtree and all their colliders from another scene, as the last child of a node of
    /// this scene. It is otherwise like [`copy_subtree`](Self::copy_subtree). Both scenes may use the same ids for
    /// different nodes, so use the result to translate your own maps.
    ///
    /// A prefab is a node of a scene that is never updated. A chunk of a level can be built on another thread and
    /// grafted with its whole tree, which is below its root. To be able to undo a removal, graft the subtree into a
    /// spare scene first:
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Scene};
    ///
    /// let (mut level, mut trash) = (Scene::new(), Scene::new());
    /// let (crate_, _) = level.add_with(Node::new("crate"), Circle::new(1.0));
    ///
    /// let removed = trash.graft(&level, crate_, trash.root())?.root();
    /// level.remove(crate_);
    ///
    /// let restored = level.graft(&trash, removed, level.root())?.root();
    /// assert_eq!(level[restored].name, "crate");
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NodeNotFound`] if the node is not in the source, or the parent not in this scene. Nothing changes
    /// then.
    #[doc(alias("prefab", "instantiate", "merge", "chunk", "undo"))]
    pub fn graft(&mut self, source: &Self, node: NodeId, parent: NodeId) -> Result<CopiedIds, SceneError> {
        self.add_subtree(Subtree::of(source, node)?, parent)
    }

    fn add_subtree(&mut self, subtree: Subtree, parent: NodeId) -> Result<CopiedIds, SceneError> {
        self.hierarchy.require(parent)?;
        let mut nodes: Vec<(NodeId, NodeId)> = Vec::with_capacity(subtree.nodes.len());
        for (old, above, node) in subtree.nodes {
            let parent = above.map_or(parent, |above| nodes[above].1);
            nodes.push((old, self.insert_node(parent, node)));
        }
        let mut colliders = Vec::with_capacity(subtree.colliders.len());
        for (old, node, attachment) in subtree.colliders {
            colliders.push((old, self.insert_collider(nodes[node].1, attachment)));
        }
        let (_, root) = nodes[0];
        sort_by(&mut nodes, |a, b| a < b);
        sort_by(&mut colliders, |a, b| a < b);
        for pair in subtree.ignored_pairs {
            if let [Some(a), Some(b)] = pair.map(|old| new_id(&nodes, old)) {
                self.ignore_pair(a, b)?;
            }
        }
        Ok(CopiedIds { root, nodes, colliders })
    }
}

/// The content of a subtree.
struct Subtree {
    /// The id and the data of each node, parents first and siblings in order, with the index of its parent in this
    /// list; `None` for the topmost node.
    nodes: Vec<(NodeId, Option<usize>, Node)>,
    /// The id and the data of each collider, with the index of its node.
    colliders: Vec<(ColliderId, usize, Attachment)>,
    /// The ignored pairs in which the smaller id is that of a node in the list.
    ignored_pairs: Vec<[NodeId; 2]>,
}

impl Subtree {
    fn of(scene: &Scene, node: NodeId) -> Result<Self, SceneError> {
        scene.hierarchy.require(node)?;
        let mut subtree = Self { nodes: Vec::new(), colliders: Vec::new(), ignored_pairs: Vec::new() };
        let mut pending = vec![(node, None)];
        while let Some((node, above)) = pending.pop() {
            let index = subtree.nodes.len();
            subtree.nodes.push((node, above, scene[node].clone()));
            let attachments = scene.attachments(node);
            subtree.colliders.extend(attachments.map(|(id, attachment)| (id, index, attachment.clone())));
            subtree.ignored_pairs.extend(scene.colliders.ignored_pairs.iter_of(node, &scene.hierarchy));
            pending.extend(scene.children(node).iter().rev().map(|child| (*child, Some(index))));
        }
        Ok(subtree)
    }
}
