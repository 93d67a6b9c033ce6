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
    /// Yours; the crate never reads it.
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
