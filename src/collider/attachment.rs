use alloc::boxed::Box;
use core::any::Any;

use glam::Vec2;

use super::{Builtin, Collider, CollisionLayers};
use crate::math::{Checksum, clone_fields};

/// A boxed collider, with the settings for what it may touch.
///
/// Any collider converts into one:
///
/// ```
/// use hitgraph::{Attachment, Circle, CollisionLayers};
///
/// let plain: Attachment = Circle::new(1.0).into();
/// let pickup = Attachment::new(Circle::new(0.5)).sensor().with_layers(CollisionLayers::new(2, 1));
/// assert!(pickup.sensor && !plain.sensor);
/// ```
///
/// A clone has its own clone of the collider.
#[derive(Debug)]
#[doc(alias("hitbox", "fixture", "component"))]
pub struct Attachment {
    collider: Box<dyn Collider>,
    /// The layers that the collider is on, and those that it may touch.
    pub layers: CollisionLayers,
    /// If `true`, the collider fires events but never blocks a move. If `false`, it also blocks moves.
    #[doc(alias = "trigger")]
    pub sensor: bool,
    /// The only side from which the collider blocks moves, as a direction in the collider's own frame; `None` if it
    /// blocks them from all sides. See [`one_way`](Self::one_way).
    pub one_way: Option<Vec2>,
    /// If `false`, the collider takes no part in events, moves, and queries that search for colliders.
    pub enabled: bool,
    /// A number of your own, on which no answer depends. Use it to classify colliders; [layers](CollisionLayers)
    /// decide which of them touch.
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, ColliderId, Node, Rect, Scene, World};
    ///
    /// #[derive(Debug, Clone, Copy, PartialEq)]
    /// enum Part {
    ///     Body,
    ///     Weapon,
    /// }
    /// const PARTS: [Part; 2] = [Part::Body, Part::Weapon];
    ///
    /// fn part(world: World<'_>, collider: ColliderId) -> Option<Part> {
    ///     PARTS.get(world.attachment(collider)?.user_data as usize).copied()
    /// }
    ///
    /// let mut scene = Scene::new();
    /// let body = Attachment::new(Circle::new(1.0)).with_user_data(Part::Body as u64);
    /// let (troll, _) = scene.add_with(Node::new("troll"), body);
    /// scene.attach(troll, Attachment::new(Rect::new(3.0, 0.3)).with_user_data(Part::Weapon as u64))?;
    /// let (_, knight) = scene.add_with(Node::new("knight"), Circle::new(0.5));
    /// let world = scene.world();
    /// let parts: Vec<_> = world.overlaps(knight).filter_map(|side| part(world, side.collider)).collect();
    /// assert_eq!(parts, [Part::Body, Part::Weapon]);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub user_data: u64,
}

clone_fields!(Attachment { collider, layers, sensor, one_way, enabled, user_data });

impl Attachment {
    /// Creates a solid, enabled collider on all layers.
    #[must_use]
    pub fn new(collider: impl Collider) -> Self {
        Self::from(Box::new(collider) as Box<dyn Collider>)
    }

    /// Returns the attachment as a sensor: it reports touches but never blocks a move.
    #[must_use]
    #[doc(alias = "trigger")]
    pub fn sensor(self) -> Self {
        Self { sensor: true, ..self }
    }

    /// Returns the attachment as a one-way platform: it blocks a [move](crate::Scene::move_and_slide) only where its
    /// surface faces `up`, to within 45 degrees, and the displacement points against `up`. A mover that was in front at
    /// the end of its last move is also held if the surface has moved into it. One that came from behind or was placed
    /// inside passes until it has left.
    ///
    /// `up` is a direction in the collider's own frame, which turns and mirrors with it. It need not be a unit vector.
    /// A zero or non-finite `up` has no effect. Events and queries ignore the direction. In a composite it applies to
    /// the pieces that have no direction of their own. A move ignores the direction of the mover's own colliders.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/figures/one_way.svg"))]
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle, MoveOptions, Node, Rect, Scene};
    /// # use glam::{Vec2, vec2};
    /// let mut scene = Scene::new();
    /// scene.add_with(Node::new("ledge"), Attachment::new(Rect::new(4.0, 0.5)).one_way(Vec2::Y));
    /// let (hero, _) = scene.add_with(Node::new("hero").with_position(vec2(0.0, -2.0)), Circle::new(0.5));
    /// let options = MoveOptions::default();
    /// scene.move_and_slide(hero, vec2(0.0, 4.0), &options)?;
    /// let fall = scene.move_and_slide(hero, vec2(0.0, -4.0), &options)?;
    /// assert!(fall.floor.is_some(), "it jumped through the ledge from below and landed on it");
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    #[must_use]
    #[doc(alias("one-way platform", "jump-through", "semisolid"))]
    pub fn one_way(self, up: Vec2) -> Self {
        Self { one_way: Some(up), ..self }
    }

    /// Returns the attachment with other layers.
    #[must_use]
    pub fn with_layers(self, layers: CollisionLayers) -> Self {
        Self { layers, ..self }
    }

    /// Returns the attachment, enabled or disabled.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle};
    /// // A sword that hurts only while it swings.
    /// let mut sword = Attachment::new(Circle::new(0.3)).sensor().with_enabled(false);
    /// assert!(!sword.enabled);
    /// sword.enabled = true;
    /// ```
    #[must_use]
    pub fn with_enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// Returns the attachment with a number of your own.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle};
    /// const HEAD: u64 = 1;
    /// let head = Attachment::new(Circle::new(0.3)).with_user_data(HEAD);
    /// assert_eq!(head.user_data, HEAD);
    /// ```
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// Returns the collider, in the node's frame.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle};
    /// # use glam::{Affine2, vec2};
    /// let coin = Attachment::new(Circle::new(0.5));
    /// let at = Affine2::from_translation(vec2(4.0, 0.0));
    /// assert!(coin.collider().bounds(&at).contains(vec2(4.5, 0.0)));
    /// ```
    #[must_use]
    pub fn collider(&self) -> &dyn Collider {
        &*self.collider
    }

    /// Returns the collider as its own type; `None` if it is of another type.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Circle, Rect};
    /// let coin = Attachment::new(Circle::new(0.5));
    /// assert_eq!(coin.collider_as::<Circle>().map(Circle::radius), Some(0.5));
    /// assert!(coin.collider_as::<Rect>().is_none());
    /// ```
    #[must_use]
    pub fn collider_as<T: Collider>(&self) -> Option<&T> {
        (self.collider() as &dyn Any).downcast_ref()
    }

    /// Returns the collider as its own type, to be changed in place; `None` if it is of another type.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Tile, Tiles};
    /// # use glam::Vec2;
    /// let mut map = Attachment::new(Tiles::new(8, 8, Vec2::ONE, |_, _| true));
    /// if let Some(tiles) = map.collider_mut::<Tiles>() {
    ///     tiles.set(3, 0, Tile::EMPTY);
    /// }
    /// ```
    pub fn collider_mut<T: Collider>(&mut self) -> Option<&mut T> {
        let collider: &mut dyn Any = &mut *self.collider;
        collider.downcast_mut()
    }

    /// Replaces the collider. A touch that continues fires no event.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Capsule, Circle, Node, Scene};
    /// # use glam::Vec2;
    /// # let mut scene = Scene::new();
    /// let (_, body) = scene.add_with(Node::new("hero"), Capsule::new(Vec2::ZERO, Vec2::Y, 0.4));
    /// // The hero crouches. The layers and the other settings stay.
    /// if let Some(attachment) = scene.attachment_mut(body) {
    ///     attachment.set_collider(Circle::new(0.4));
    /// }
    /// ```
    pub fn set_collider(&mut self, collider: impl Collider) {
        self.collider = Box::new(collider);
    }

    /// Returns the collider as a visitor over the built-in types; `None` if its type is a user's.
    ///
    /// Code that saves a scene matches the result, where [`collider_as`](Self::collider_as) would take one attempt for
    /// each type. [`Builtin`] has an example.
    ///
    /// ```
    /// # use hitgraph::{Attachment, Builtin, Circle};
    /// let coin = Attachment::new(Circle::new(0.5));
    /// assert!(matches!(coin.builtin(), Some(Builtin::Circle(circle)) if circle.radius() == 0.5));
    /// ```
    #[must_use]
    pub fn builtin(&self) -> Option<Builtin<'_>> {
        self.collider.as_builtin()
    }

    pub(crate) fn add_to(&self, sum: &mut Checksum) {
        let Self { collider, layers, sensor, one_way, enabled, user_data } = self;
        sum.add(collider.checksum());
        sum.add(layers.memberships);
        sum.add(layers.filters);
        sum.add(*sensor);
        sum.add(*enabled);
        sum.add_direction(*one_way);
        sum.add(*user_data);
    }
}

impl<C: Collider> From<C> for Attachment {
    fn from(collider: C) -> Self {
        Self::new(collider)
    }
}

impl From<Box<dyn Collider>> for Attachment {
    fn from(collider: Box<dyn Collider>) -> Self {
        Self { collider, layers: CollisionLayers::ALL, sensor: false, one_way: None, enabled: true, user_data: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Circle, Rect};

    #[test]
    fn a_clone_does_not_share_its_collider() {
        let original = Attachment::new(Circle::new(1.0)).sensor();
        let mut copy = original.clone();
        *copy.collider_mut::<Circle>().unwrap() = Circle::new(3.0);
        assert_eq!(original.collider_as(), Some(&Circle::new(1.0)));
        assert_eq!(copy.collider_as(), Some(&Circle::new(3.0)));
        assert!(copy.sensor);
    }

    #[test]
    fn a_downcast_to_another_type_returns_none() {
        let mut attachment = Attachment::new(Circle::new(1.0));
        assert!(attachment.collider_as::<Rect>().is_none() && attachment.collider_mut::<Rect>().is_none());
        attachment.set_collider(Rect::new(1.0, 2.0));
        assert!(attachment.collider_as::<Rect>().is_some() && attachment.collider_as::<Circle>().is_none());
    }
}
