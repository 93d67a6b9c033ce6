use alloc::borrow::Cow;

use glam::Vec2;

use crate::math::Transform;

/// A node's own data, all of it yours to change through `scene[node]`. Its place in the tree and its colliders belong
/// to the [`Scene`](crate::Scene), so nothing written here can break the tree.
///
/// ```
/// use hitgraph::{Node, Scene};
///
/// let mut scene = Scene::new();
/// let door = scene.add(Node::new("door"));
/// scene[door].transform.rotation = 0.3;
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// For [`Scene::find`](crate::Scene::find) and for people. Need not be unique.
    pub name: Cow<'static, str>,
    /// Where it is within its parent.
    pub transform: Transform,
    /// Whether its colliders and those of its whole subtree take part.
    pub enabled: bool,
    /// Yours; the crate never reads it: an index into a list of yours, or bits. What is larger hangs on the node's id,
    /// in a map of yours:
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use hitgraph::{Circle, Node, NodeId, Scene};
    ///
    /// struct Monster {
    ///     health: i32,
    /// }
    ///
    /// let mut scene = Scene::new();
    /// let mut monsters: BTreeMap<NodeId, Monster> = BTreeMap::new();
    /// let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    /// monsters.insert(troll, Monster { health: 7 });
    ///
    /// for (node, monster) in &mut monsters {
    ///     monster.health -= 9;
    ///     if monster.health <= 0 {
    ///         scene.remove(*node);
    ///     }
    /// }
    /// // Once a frame: what is gone from the scene, with its subtree, goes from here.
    /// monsters.retain(|node, _| scene.contains(*node));
    /// assert!(monsters.is_empty());
    /// ```
    ///
    /// A `BTreeMap` goes in the order of the ids, the same in every run. Those who use slotmap 1 may take its
    /// `SecondaryMap<NodeId, Monster>`, which is quicker: [`NodeId`](crate::NodeId) and
    /// [`ColliderId`](crate::ColliderId) are keys of it.
    pub user_data: u64,
}

impl Node {
    /// An enabled node at its parent's origin.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), transform: Transform::IDENTITY, enabled: true, user_data: 0 }
    }

    /// The same with another transform.
    #[must_use]
    pub fn with_transform(self, transform: Transform) -> Self {
        Self { transform, ..self }
    }

    /// The same at another position, in the parent's units.
    #[must_use]
    pub fn with_position(self, position: Vec2) -> Self {
        let transform = self.transform.with_position(position);
        self.with_transform(transform)
    }

    /// The same with another rotation, in radians.
    #[must_use]
    pub fn with_rotation(self, rotation: f32) -> Self {
        let transform = self.transform.with_rotation(rotation);
        self.with_transform(transform)
    }

    /// The same with another scale.
    #[must_use]
    pub fn with_scale(self, scale: Vec2) -> Self {
        let transform = self.transform.with_scale(scale);
        self.with_transform(transform)
    }

    /// The same with another skew, in radians.
    #[must_use]
    pub fn with_skew(self, skew: f32) -> Self {
        let transform = self.transform.with_skew(skew);
        self.with_transform(transform)
    }

    /// The same, enabled or not.
    #[must_use]
    pub fn with_enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// The same with another number of yours.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }
}
