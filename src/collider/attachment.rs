use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;

use glam::Vec2;

use super::{Collider, CollisionLayers};

/// A boxed collider with who it may touch. Any collider converts into one:
///
/// ```
/// use hitgraph::{Attachment, Circle, CollisionLayers};
///
/// let plain: Attachment = Circle::new(1.0).into();
/// let pickup = Attachment::new(Circle::new(0.5)).sensor().with_layers(CollisionLayers::new(2, 1));
/// assert!(pickup.sensor && !plain.sensor);
/// ```
///
/// A clone shares the collider until [`shape_mut`](Self::shape_mut) changes one of the two. So do the clones of a
/// scene, which copy all else: its nodes, the world forms and the index.
#[derive(Debug, Clone)]
#[doc(alias("hitbox", "fixture", "component"))]
pub struct Attachment {
    shape: Arc<dyn Collider>,
    /// What it is and what it looks for.
    pub layers: CollisionLayers,
    /// Whether it only tells what touches it and never stands in the way of anything. Both kinds give events.
    #[doc(alias = "trigger")]
    pub sensor: bool,
    /// In the collider's own frame, the side from which it stands in the way of a move, if it does so from one alone;
    /// see [`one_way`](Self::one_way).
    pub one_way: Option<Vec2>,
    /// Whether it takes part at all.
    pub enabled: bool,
    /// Yours; the crate never reads it. Good for saying what kind of thing a collider is, where layers say whom it
    /// meets:
    ///
    /// ```
    /// use hitgraph::{Attachment, Circle, Node, Rect, Scene, Side, World};
    ///
    /// #[derive(Debug, Clone, Copy, PartialEq)]
    /// enum Part {
    ///     Body,
    ///     Weapon,
    /// }
    /// const PARTS: [Part; 2] = [Part::Body, Part::Weapon];
    ///
    /// fn part(world: World<'_>, side: Side) -> Option<Part> {
    ///     PARTS.get(world.attachment(side.collider)?.user_data as usize).copied()
    /// }
    ///
    /// let mut scene = Scene::new();
    /// let body = Attachment::new(Circle::new(1.0)).with_user_data(Part::Body as u64);
    /// let (troll, _) = scene.add_with(Node::new("troll"), body);
    /// scene.attach(troll, Attachment::new(Rect::new(3.0, 0.3)).with_user_data(Part::Weapon as u64))?;
    /// let (_, knight) = scene.add_with(Node::new("knight"), Circle::new(0.5));
    /// let world = scene.world();
    /// let parts: Vec<_> = world.overlaps(knight).filter_map(|side| part(world, side)).collect();
    /// assert_eq!(parts, [Part::Body, Part::Weapon]);
    /// # Ok::<(), hitgraph::SceneError>(())
    /// ```
    pub user_data: u64,
}

impl Attachment {
    /// A solid, enabled collider on all layers.
    #[must_use]
    pub fn new(collider: impl Collider) -> Self {
        Self::from_shared(Arc::new(collider))
    }

    fn from_shared(shape: Arc<dyn Collider>) -> Self {
        Self { shape, layers: CollisionLayers::ALL, sensor: false, one_way: None, enabled: true, user_data: 0 }
    }

    /// The same as a sensor.
    #[must_use]
    #[doc(alias = "trigger")]
    pub fn sensor(self) -> Self {
        Self { sensor: true, ..self }
    }

    /// The same, standing in the way of [moves](crate::Scene::move_and_slide) from one side alone: where its surface
    /// faces `up`, to within 45 degrees, and the motion leads against that. A mover that is inside is let through until
    /// it has left.
    ///
    /// `up` is a direction in the collider's own frame, which turns and mirrors with it, and need not be a unit vector;
    /// one of zero or one that is not finite makes no difference. Events and questions are not concerned.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/figures/one_way.svg"))]
    #[must_use]
    #[doc(alias("one-way platform", "jump-through", "semisolid"))]
    pub fn one_way(self, up: Vec2) -> Self {
        Self { one_way: Some(up), ..self }
    }

    /// The same on other layers.
    #[must_use]
    pub fn with_layers(self, layers: CollisionLayers) -> Self {
        Self { layers, ..self }
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

    /// The collider, in the node's frame.
    #[must_use]
    pub fn shape(&self) -> &dyn Collider {
        &*self.shape
    }

    /// The collider as its own type, if it is one.
    #[must_use]
    pub fn shape_as<T: Collider>(&self) -> Option<&T> {
        (self.shape() as &dyn Any).downcast_ref()
    }

    /// The collider as its own type, to be changed in place, if it is one. A collider that clones share is cloned
    /// first.
    pub fn shape_mut<T: Collider + Clone>(&mut self) -> Option<&mut T> {
        if Arc::get_mut(&mut self.shape).is_none() {
            self.shape = Arc::new(self.shape_as::<T>()?.clone());
        }
        let shape: &mut dyn Any = Arc::get_mut(&mut self.shape)?;
        shape.downcast_mut()
    }

    /// Puts another collider in the old one's place. A touch that goes on tells nothing.
    pub fn set_shape(&mut self, collider: impl Collider) {
        self.shape = Arc::new(collider);
    }
}

impl<C: Collider> From<C> for Attachment {
    fn from(collider: C) -> Self {
        Self::new(collider)
    }
}

impl From<Box<dyn Collider>> for Attachment {
    fn from(collider: Box<dyn Collider>) -> Self {
        Self::from_shared(collider.into())
    }
}
