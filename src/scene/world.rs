use alloc::string::String;
use core::fmt;

use glam::{Affine2, Vec2};

use super::bodies::{BodyState, Slot};
use super::filter::Predicate;
use super::{ColliderId, NodeId, QueryFilter, Scene, Side, slot_of};
use crate::collider::{Attachment, Placed};
use crate::math::{Aabb, Transform};
use crate::shape::Shape;

/// The world as it is at this moment, for asking; see [`Scene::world`].
///
/// Everything is in world space and world units. A question about something that is not there (a stale id, a node that
/// is set aside) answers `None` or nothing; so does one with a NaN or an infinity where a number is needed. Lists of
/// colliders are in the order of their ids, unless they say otherwise.
///
/// The tree can be walked from here too:
///
/// ```
/// use hitgraph::{Circle, Node, Scene};
/// use glam::vec2;
///
/// let mut scene = Scene::new();
/// let (knight, _) = scene.add_with(Node::new("knight").with_position(vec2(3.0, 0.0)), Circle::new(1.0));
/// scene.add_child_with(knight, Node::new("sword").with_position(vec2(1.0, 0.5)), Circle::new(0.2)).unwrap();
/// let world = scene.world();
/// for node in world.descendants(world.root()) {
///     println!("{:?} at {:?}: {} colliders", world.path(node), world.position(node), world.colliders(node).len());
/// }
/// ```
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub(super) scene: &'a Scene,
    only: Option<Predicate<'a>>,
}

impl<'a> World<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        Self { scene, only: None }
    }

    /// The same world, in which questions find only the colliders for which `predicate` holds: both sides of
    /// [`pairs`](Self::pairs), what is found or drawn otherwise. Questions about colliders that are named, and about
    /// the tree, stay as they are. It replaces an earlier predicate.
    ///
    /// ```
    /// use hitgraph::{Circle, Node, QueryFilter, Scene};
    /// use glam::Vec2;
    ///
    /// let mut scene = Scene::new();
    /// for health in [0, 7] {
    ///     let troll = scene.add(Node::new("troll").with_user_data(health));
    ///     scene.attach(troll, Circle::new(1.0)).unwrap();
    /// }
    /// let world = scene.world();
    /// let alive = |side: hitgraph::Side| world.node(side.node).is_some_and(|node| node.user_data > 0);
    /// assert_eq!(world.only(&alive).at_point(Vec2::ZERO, &QueryFilter::default()).count(), 1);
    /// ```
    #[must_use]
    pub fn only<'b>(self, predicate: &'b (dyn Fn(Side) -> bool + Sync)) -> World<'b>
    where
        'a: 'b,
    {
        World { scene: self.scene, only: Some(predicate) }
    }

    /// The scene itself, for reading; what it says is not narrowed by [`only`](Self::only).
    #[must_use]
    pub fn scene(self) -> &'a Scene {
        self.scene
    }

    /// The node that everything is under.
    #[must_use]
    pub fn root(self) -> NodeId {
        self.scene.root()
    }

    /// The node above; as [`Scene::parent`].
    #[must_use]
    pub fn parent(self, node: NodeId) -> Option<NodeId> {
        self.scene.parent(node)
    }

    /// The nodes right below; as [`Scene::children`].
    #[must_use]
    pub fn children(self, node: NodeId) -> &'a [NodeId] {
        self.scene.children(node)
    }

    /// All nodes below; as [`Scene::descendants`].
    pub fn descendants(self, node: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        self.scene.descendants(node)
    }

    /// The names from below the root to the node; as [`Scene::path`].
    #[must_use]
    pub fn path(self, node: NodeId) -> Option<String> {
        self.scene.path(node)
    }

    /// The colliders of a node; as [`Scene::colliders`].
    #[must_use]
    pub fn colliders(self, node: NodeId) -> &'a [ColliderId] {
        self.scene.colliders(node)
    }

    /// The node that carries a collider; as [`Scene::node_of`].
    #[must_use]
    pub fn node_of(self, collider: ColliderId) -> Option<NodeId> {
        self.scene.node_of(collider)
    }

    /// The collider with its settings; as [`Scene::attachment`].
    #[must_use]
    pub fn attachment(self, collider: ColliderId) -> Option<&'a Attachment> {
        self.scene.attachment(collider)
    }

    /// The node's own data.
    #[must_use]
    pub fn node(self, node: NodeId) -> Option<&'a super::Node> {
        self.scene.get(node)
    }

    /// The matrix that takes a point of the node's frame to the world.
    #[must_use]
    pub fn transform(self, node: NodeId) -> Option<Affine2> {
        self.scene.contains(node).then(|| self.scene.transforms.world(node))?
    }

    /// Where the node is.
    #[must_use]
    pub fn position(self, node: NodeId) -> Option<Vec2> {
        self.transform(node).map(|world| world.translation)
    }

    /// Where in the world a point of the node's frame is.
    ///
    /// ```
    /// use hitgraph::{Node, Scene};
    /// use glam::vec2;
    ///
    /// let mut scene = Scene::new();
    /// let knight = scene.add(Node::new("knight").with_position(vec2(9.0, 0.0)).with_scale(vec2(-1.0, 1.0)));
    /// let world = scene.world();
    /// assert_eq!(world.to_world(knight, vec2(2.0, 1.0)), Some(vec2(7.0, 1.0)));
    /// assert_eq!(world.to_local(knight, vec2(7.0, 1.0)), Some(vec2(2.0, 1.0)));
    /// ```
    #[must_use]
    #[doc(alias = "to_global")]
    pub fn to_world(self, node: NodeId, point: Vec2) -> Option<Vec2> {
        self.transform(node).map(|world| world.transform_point2(point)).filter(|place| place.is_finite())
    }

    /// A point of the world in the node's frame: what [`to_world`](Self::to_world) takes back. `None` as well if the
    /// node is flattened, so that many points are the same to it.
    #[must_use]
    pub fn to_local(self, node: NodeId, point: Vec2) -> Option<Vec2> {
        let world = self.transform(node)?;
        let matrix = Some(world.matrix2.as_dmat2()).filter(|matrix| matrix.determinant() != 0.0)?;
        let offset = point.as_dvec2() - world.translation.as_dvec2();
        Some((matrix.inverse() * offset).as_vec2()).filter(|place| place.is_finite())
    }

    /// Which way the node's x axis points, in radians from -π to π; 0 if it has no length.
    #[must_use]
    pub fn rotation(self, node: NodeId) -> Option<f32> {
        self.parts(node).map(|parts| parts.rotation)
    }

    /// How long the node's axes have become; y is negative if it is mirrored.
    #[must_use]
    pub fn scale(self, node: NodeId) -> Option<Vec2> {
        self.parts(node).map(|parts| parts.scale)
    }

    /// How far the node's y axis leans from a right angle to its x axis, in radians.
    #[must_use]
    pub fn skew(self, node: NodeId) -> Option<f32> {
        self.parts(node).map(|parts| parts.skew)
    }

    fn parts(self, node: NodeId) -> Option<Transform> {
        self.transform(node).map(Transform::from_affine)
    }

    /// Whether the node and everything above it are enabled.
    #[must_use]
    pub fn is_enabled(self, node: NodeId) -> bool {
        self.scene.contains(node) && self.scene.transforms.standing(node).is_enabled()
    }

    /// The collider's shape in the world, if it is a built-in one of one piece; disabled ones too.
    #[must_use]
    pub fn shape(self, collider: ColliderId) -> Option<&'a Shape> {
        self.placed(collider)?.shape
    }

    /// The smallest box around the collider, padded by rounding; disabled ones too.
    #[must_use]
    pub fn bounds(self, collider: ColliderId) -> Option<Aabb> {
        self.placed(collider).and_then(|_| self.scene.bodies.bounds(collider))
    }

    /// A collider that is somewhere, whether it takes part or not, with its world form.
    pub(super) fn placed(self, collider: ColliderId) -> Option<Placed<'a>> {
        let placed = self.scene.bodies.placed(collider)?;
        (self.scene.bodies.slot(slot_of(collider)).state != BodyState::SetAside).then_some(placed)
    }

    /// Whether a question with this filter is about a collider.
    #[inline]
    pub(super) fn accepts(self, slot: &Slot, filter: &QueryFilter) -> bool {
        filter.layers.meets(slot.layers)
            && (filter.sensors || !slot.sensor)
            && (filter.excluded.is_empty()
                || !self.scene.hierarchy.ancestors(slot.node).any(|node| filter.excluded.contains(&node)))
            && self.matches(slot.side())
    }

    /// Whether the predicate holds.
    pub(super) fn matches(self, side: Side) -> bool {
        self.only.is_none_or(|only| only(side))
    }
}

impl fmt::Debug for World<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("scene", self.scene).field("narrowed", &self.only.is_some()).finish()
    }
}
