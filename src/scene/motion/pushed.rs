use glam::Vec2;
use smallvec::SmallVec;

use crate::scene::NodeId;

/// The result of a [push](crate::Scene::push): what it took along, and what had no room.
///
/// ```
/// use hitgraph::{Circle, MoveOptions, Node, Pushed, Rect, Scene};
/// use glam::vec2;
///
/// let mut scene = Scene::new();
/// let options = MoveOptions::top_down();
/// let (press, _) = scene.add_with(Node::new("press").with_position(vec2(-3.0, 0.0)), Rect::new(2.0, 4.0));
/// let (hero, _) = scene.add_with(Node::new("hero"), Circle::new(0.5));
/// scene.move_and_slide(hero, vec2(0.0, 0.0), &options)?;
///
/// let pushed: Pushed = scene.push(press, vec2(3.0, 0.0), &options)?;
/// assert_eq!(pushed.pushed()[0].node, hero);
/// assert!((pushed.pushed()[0].travel.x - 1.5).abs() < 0.02);
/// assert!(pushed.squeezed().is_empty());
/// # Ok::<(), hitgraph::SceneError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pushed {
    pub(super) pushed: SmallVec<[PushedNode; 4]>,
    squeezed: SmallVec<[NodeId; 4]>,
}

/// A mover that a push took along.
///
/// ```
/// use hitgraph::{Motion, MoveOptions, Node, PushedNode, Rect, Scene};
/// use glam::{Vec2, vec2};
///
/// let mut scene = Scene::new();
/// let (crusher, _) = scene.add_with(Node::new("crusher"), Rect::new(2.0, 2.0));
/// let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(2.0, 0.0)), Rect::new(1.0, 1.0));
/// // A node becomes a mover by its first move.
/// scene.move_and_slide(hero, Vec2::ZERO, &MoveOptions::default())?;
///
/// let pushed = scene.push(crusher, Motion::new(vec2(3.0, 0.0)), &MoveOptions::default())?;
/// let PushedNode { node, travel, .. } = pushed.pushed()[0];
/// assert!(node == hero && travel.x > 2.4, "{travel}");
/// # Ok::<(), hitgraph::SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PushedNode {
    /// The mover.
    pub node: NodeId,
    /// The change of the mover's position during the push, in world space.
    pub travel: Vec2,
}

impl Pushed {
    /// Returns the movers that were pushed or carried, in the order in which they began to move, each once. Among them
    /// are platforms that followed their own platform before a mover that stands on them was pushed.
    #[must_use]
    pub fn pushed(&self) -> &[PushedNode] {
        &self.pushed
    }

    /// Returns the change of a node's position during the push, in world space; zero if the push did not take it along.
    /// It is zero for the node that the push moves, and for a child that only moves along with its parent.
    ///
    /// ```
    /// # use hitgraph::{Circle, MoveOptions, Node, Rect, Scene};
    /// # use glam::{Vec2, vec2};
    /// # let mut scene = Scene::new();
    /// # let options = MoveOptions::default();
    /// let (lift, _) = scene.add_with(Node::new("lift"), Rect::new(4.0, 1.0));
    /// let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, 1.0)), Circle::new(0.5));
    /// scene.move_and_slide(hero, vec2(0.0, -0.1), &options)?;
    /// let pushed = scene.push(lift, vec2(0.0, 2.0), &options)?;
    /// assert!((pushed.travel_of(hero).y - 2.0).abs() < 1e-4);
    /// assert_eq!(pushed.travel_of(scene.root()), Vec2::ZERO);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    pub fn travel_of(&self, node: NodeId) -> Vec2 {
        self.pushed.iter().find(|pushed| pushed.node == node).map_or(Vec2::ZERO, |pushed| pushed.travel)
    }

    /// Returns the movers that had no room at some time during the push, each once. Such a mover is inside what pushed
    /// it or, if that is thin, behind it, unless it found a way out later in the same push.
    #[must_use]
    #[doc(alias("crushed", "squished"))]
    pub fn squeezed(&self) -> &[NodeId] {
        &self.squeezed
    }

    /// Removes the result of an earlier push and keeps the capacity.
    pub(super) fn clear(&mut self) {
        self.pushed.clear();
        self.squeezed.clear();
    }

    /// Adds a mover without room.
    pub(super) fn add_squeezed(&mut self, node: NodeId) {
        if !self.squeezed.contains(&node) {
            self.squeezed.push(node);
        }
    }
}
