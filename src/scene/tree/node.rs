use alloc::borrow::Cow;

use glam::Vec2;

use crate::math::{Checksum, Transform, clone_fields};

/// The data of a node, all of which you may change through `scene[node]`.
///
/// The node's relations (parent, children and colliders) belong to the [`Scene`](crate::Scene), so no write to these
/// fields can break the tree. The default node is an enabled one without a name at its parent's origin.
///
/// ```
/// use hitgraph::{Node, Scene};
///
/// let mut scene = Scene::new();
/// let door = scene.add(Node::new("door"));
/// scene[door].transform.rotation = 0.3;
/// ```
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Node {
    /// The name that [`Scene::find`](crate::Scene::find) compares. Names need not be unique.
    pub name: Cow<'static, str>,
    /// The transform from the node's own frame to its parent's.
    pub transform: Transform,
    /// `false` takes the colliders of the node and of its whole subtree out of events, moves, and queries that search for
    /// colliders.
    pub enabled: bool,
    /// `true` if the node owns the colliders of its whole subtree, so that these never touch each other: a knight with
    /// a sword and a shield. The default is `false`.
    ///
    /// The owner of a collider is the nearest node that owns its subtree, from the collider's node up to the root; if
    /// there is none, the node itself. Colliders with one owner never touch and never block each other's moves. A
    /// change counts at once for queries. The next update returns a stop for each touching pair whose colliders now
    /// have one owner, and a start for each pair that now may touch.
    ///
    #[cfg_attr(doc, doc = include_str!("../../../docs/figures/owners.svg"))]
    ///
    /// ```
    /// use hitgraph::{Circle, Node, Rect, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let (knight, _) = scene.add_with(Node::new("knight").with_owns_subtree(true), Circle::new(0.5));
    /// let (_, blade) = scene.add_child_with(knight, Node::new("sword"), Rect::new(2.0, 0.1))?;
    /// let (troll, _) = scene.add_with(Node::new("troll"), Circle::new(1.0));
    ///
    /// let hits: Vec<_> = scene.world().overlaps(blade).collect();
    /// assert_eq!(hits.len(), 1, "the sword hits the troll, and not its own knight");
    /// assert_eq!((hits[0].owner, scene.owner(knight)), (troll, Some(knight)));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[doc(alias("group", "group index", "self-collision"))]
    pub owns_subtree: bool,
    /// A number of yours, on which no answer depends: an index into your own list, or bits. Keep larger game data in
    /// your own map, keyed by the node's id:
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
    /// // Once a frame, drop the data of nodes that are gone.
    /// monsters.retain(|node, _| scene.contains(*node));
    /// assert!(monsters.is_empty());
    /// ```
    ///
    /// A `BTreeMap` iterates in the order of the ids, which is the same in every run. With slotmap 1 in your
    /// dependencies, a `SecondaryMap<NodeId, Monster>` is faster: [`NodeId`](crate::NodeId) and
    /// [`ColliderId`](crate::ColliderId) are slotmap keys.
    pub user_data: u64,
}

clone_fields!(Node { name, transform, enabled, owns_subtree, user_data });

impl Node {
    /// Returns an enabled node at its parent's origin.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), transform: Transform::IDENTITY, enabled: true, owns_subtree: false, user_data: 0 }
    }

    /// Returns the node with another transform.
    ///
    /// ```
    /// # use hitgraph::{Node, Transform};
    /// # use glam::vec2;
    /// let lamp = Node::new("lamp").with_transform(Transform::from_position(vec2(2.0, 3.0)));
    /// assert_eq!(lamp.transform.position, vec2(2.0, 3.0));
    /// ```
    #[must_use]
    pub fn with_transform(self, transform: Transform) -> Self {
        Self { transform, ..self }
    }

    /// Returns the node at another position, in the parent's frame.
    ///
    /// ```
    /// # use hitgraph::Node;
    /// # use glam::{Vec2, vec2};
    /// let arm = Node::new("arm").with_position(vec2(0.5, 1.2)).with_rotation(0.3).with_scale(Vec2::splat(0.5));
    /// assert_eq!((arm.transform.position, arm.transform.rotation), (vec2(0.5, 1.2), 0.3));
    /// ```
    #[must_use]
    pub fn with_position(self, position: Vec2) -> Self {
        Self { transform: self.transform.with_position(position), ..self }
    }

    /// Returns the node with another rotation, in radians.
    ///
    /// ```
    /// # use hitgraph::Node;
    /// let hand = Node::new("hand").with_rotation(std::f32::consts::FRAC_PI_2);
    /// assert!((hand.transform.to_affine().matrix2.x_axis.y - 1.0).abs() < 1e-6, "its x axis points up");
    /// ```
    #[must_use]
    pub fn with_rotation(self, rotation: f32) -> Self {
        Self { transform: self.transform.with_rotation(rotation), ..self }
    }

    /// Returns the node with another scale.
    ///
    /// ```
    /// # use hitgraph::Node;
    /// # use glam::vec2;
    /// let looks_left = Node::new("knight").with_scale(vec2(-1.0, 1.0));
    /// assert_eq!(looks_left.transform.scale.x, -1.0);
    /// ```
    #[must_use]
    pub fn with_scale(self, scale: Vec2) -> Self {
        Self { transform: self.transform.with_scale(scale), ..self }
    }

    /// Returns the node with another skew, in radians.
    ///
    /// ```
    /// # use hitgraph::Node;
    /// let leaning = Node::new("tower").with_skew(-0.1);
    /// assert_eq!(leaning.transform.skew, -0.1);
    /// ```
    #[must_use]
    pub fn with_skew(self, skew: f32) -> Self {
        Self { transform: self.transform.with_skew(skew), ..self }
    }

    /// Returns the node, enabled or disabled.
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let bullet = scene.add(Node::new("a bullet for later").with_enabled(false));
    /// scene[bullet].enabled = true;
    /// ```
    #[must_use]
    pub fn with_enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// Returns the node with another [`owns_subtree`](Self::owns_subtree).
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight").with_owns_subtree(true));
    /// let sword = scene.add_child(knight, Node::new("sword"))?;
    /// assert_eq!(scene.owner(sword), Some(knight));
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn with_owns_subtree(self, owns_subtree: bool) -> Self {
        Self { owns_subtree, ..self }
    }

    /// Returns the node with another [`user_data`](Self::user_data).
    ///
    /// ```
    /// # use hitgraph::{Node, Scene};
    /// # let mut scene = Scene::new();
    /// let names = ["hero", "troll"];
    /// let troll = scene.add(Node::new("").with_user_data(1));
    /// assert_eq!(names[scene[troll].user_data as usize], "troll");
    /// ```
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    pub(in crate::scene) fn add_to(&self, sum: &mut Checksum) {
        let Self { name, transform, enabled, owns_subtree, user_data } = self;
        sum.add_text(name);
        transform.add_to(sum);
        sum.add(*enabled);
        sum.add(*owns_subtree);
        sum.add(*user_data);
    }
}

impl Default for Node {
    fn default() -> Self {
        Self::new("")
    }
}
