//! What a node can carry: the trait [`Collider`] and its double dispatch, who may touch whom, and the attachment that
//! holds both.
//!
//! # The double dispatch
//!
//! Two colliders behind `dyn` know nothing of each other. `a.collides(b)` asks `a` first: it knows what it is, a circle
//! say, and presents its world form to the other by `b.collides_with_circle(..)`. Now `b` knows both sides and
//! answers. Each `collides_with_*` has a default body that goes through the [convex
//! fallback](crate::Collider::support), so a shape that the crate has never heard of needs `support` alone and may
//! answer any pair better by overriding its visitor. A user's shape is always the visited side: a built-in shape that
//! is shown one turns around and presents itself. What consists of several pieces presents them one by one, and is
//! visited piece by piece; see [`Collider::pieces`].
//!
//! # To add a shape
//!
//! 1. Write its file in `shape/`: what it is, `bounds`, `transformed`, its [`Family`](crate::shape::family::Family),
//!    and its row of the pair table: `impl Meets<Other>` for every shape ranked before it (an empty body takes the
//!    fallback), then `mirror!`.
//! 2. Add it to the end of `for_each_shape!` in `shape/mod.rs`, beside its `mod` and `pub use`.
//! 3. Add its two visitors to [`Collider`] below, and its outline to `shape/outline.rs`.
//!
//! The compiler names every pair that is still missing.

mod attachment;
mod builtin;
mod convex;
mod layers;
mod many;
mod placed;
mod visitors;

use core::any::Any;
use core::fmt::Debug;

use glam::{Affine2, DVec2, Vec2};

use crate::math::Aabb;
use crate::shape::{Capsule, Circle, Contact, Ellipse, Polygon, Rect, Rounded, Segment, Shape};
use crate::shape::{family::Hull, pieces::Parts};

pub use attachment::Attachment;
pub use convex::Convex;
pub use layers::CollisionLayers;
pub(crate) use placed::Placed;

/// Something solid that a node can carry. The built-in shapes are; so is any convex shape of yours, with one method:
///
/// ```
/// use hitgraph::{Circle, Collider, Node, Scene};
/// use glam::{Vec2, vec2};
///
/// /// A half disc of radius 1, flat side down.
/// #[derive(Debug)]
/// struct Dome;
///
/// impl Collider for Dome {
///     fn support(&self, direction: Vec2) -> Vec2 {
///         if direction.y > 0.0 { direction.normalize() } else { vec2(direction.x.signum(), 0.0) }
///     }
/// }
///
/// let mut scene = Scene::new();
/// let hill = scene.add(Node::new("hill").with_scale(vec2(3.0, 1.0)));
/// let dome = scene.attach(hill, Dome).unwrap();
/// let coin = scene.add(Node::new("coin").with_position(vec2(2.0, 1.2)));
/// let coin = scene.attach(coin, Circle::new(0.3)).unwrap();
/// assert!(scene.world().distance(dome, coin).unwrap() > 0.0);
/// ```
///
/// `at` is always the world transform of the node that carries the collider; shapes that visitors are given are in
/// world space already. An override of a visitor must agree with `support`, for distances, rays and drawing go by that
/// alone.
pub trait Collider: Any + Debug + Send + Sync + AsCollider {
    /// The point of the shape that is furthest along `direction`, both in the collider's own frame.
    ///
    /// The shape is the convex hull of all that this returns. `direction` is a finite unit vector, never zero. Where
    /// several points are equally far, any of them will do. Answers are exact to about 2.5e-7 of the shape's size, so
    /// touching within that counts as overlapping. A point that is not finite makes the shape meet nothing.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/figures/collider.svg"))]
    fn support(&self, direction: Vec2) -> Vec2;

    /// The smallest box around the shape in world space. An override may be larger, but never smaller; while it is not
    /// finite, the node is set aside.
    fn bounds(&self, at: &Affine2) -> Aabb {
        Convex::new(self.as_collider(), at).bounds()
    }

    /// The first dispatch: presents this collider to the other one.
    fn collides(&self, at: &Affine2, other: &dyn Collider, other_at: &Affine2) -> bool {
        visitors::collide((self.as_collider(), at), (other, other_at))
    }

    /// The first dispatch for contacts. The normal points from this collider to the other.
    fn contact_with(&self, at: &Affine2, other: &dyn Collider, other_at: &Affine2) -> Option<Contact> {
        visitors::contact_between((self.as_collider(), at), (other, other_at))
    }

    /// Whether this collider touches a circle.
    fn collides_with_circle(&self, at: &Affine2, circle: &Circle) -> bool {
        visitors::overlaps(self.as_collider(), at, circle)
    }

    /// Whether this collider touches a segment.
    fn collides_with_segment(&self, at: &Affine2, segment: &Segment) -> bool {
        visitors::overlaps(self.as_collider(), at, segment)
    }

    /// Whether this collider touches a capsule.
    fn collides_with_capsule(&self, at: &Affine2, capsule: &Capsule) -> bool {
        visitors::overlaps(self.as_collider(), at, capsule)
    }

    /// Whether this collider touches a rectangle or parallelogram.
    fn collides_with_rect(&self, at: &Affine2, rect: &Rect) -> bool {
        visitors::overlaps(self.as_collider(), at, rect)
    }

    /// Whether this collider touches a convex polygon.
    fn collides_with_polygon(&self, at: &Affine2, polygon: &Polygon) -> bool {
        visitors::overlaps(self.as_collider(), at, polygon)
    }

    /// Whether this collider touches an ellipse.
    fn collides_with_ellipse(&self, at: &Affine2, ellipse: &Ellipse) -> bool {
        visitors::overlaps(self.as_collider(), at, ellipse)
    }

    /// Whether this collider touches a rounded polygon.
    fn collides_with_rounded(&self, at: &Affine2, rounded: &Rounded) -> bool {
        visitors::overlaps(self.as_collider(), at, rounded)
    }

    /// Whether this collider touches a shape that is known by its support function alone.
    fn collides_with_convex(&self, at: &Affine2, convex: &Convex<'_>) -> bool {
        visitors::overlaps(self.as_collider(), at, convex)
    }

    /// How this collider touches a circle. As in all of these, the normal points from this collider to the given shape.
    fn contact_with_circle(&self, at: &Affine2, circle: &Circle) -> Option<Contact> {
        visitors::contact(self.as_collider(), at, circle)
    }

    /// How this collider touches a segment.
    fn contact_with_segment(&self, at: &Affine2, segment: &Segment) -> Option<Contact> {
        visitors::contact(self.as_collider(), at, segment)
    }

    /// How this collider touches a capsule.
    fn contact_with_capsule(&self, at: &Affine2, capsule: &Capsule) -> Option<Contact> {
        visitors::contact(self.as_collider(), at, capsule)
    }

    /// How this collider touches a rectangle or parallelogram.
    fn contact_with_rect(&self, at: &Affine2, rect: &Rect) -> Option<Contact> {
        visitors::contact(self.as_collider(), at, rect)
    }

    /// How this collider touches a convex polygon.
    fn contact_with_polygon(&self, at: &Affine2, polygon: &Polygon) -> Option<Contact> {
        visitors::contact(self.as_collider(), at, polygon)
    }

    /// How this collider touches an ellipse.
    fn contact_with_ellipse(&self, at: &Affine2, ellipse: &Ellipse) -> Option<Contact> {
        visitors::contact(self.as_collider(), at, ellipse)
    }

    /// How this collider touches a rounded polygon.
    fn contact_with_rounded(&self, at: &Affine2, rounded: &Rounded) -> Option<Contact> {
        visitors::contact(self.as_collider(), at, rounded)
    }

    /// How this collider touches a shape that is known by its support function alone.
    fn contact_with_convex(&self, at: &Affine2, convex: &Convex<'_>) -> Option<Contact> {
        visitors::contact(self.as_collider(), at, convex)
    }

    /// Visits the pieces of a shape that consists of several, with their numbers: at least those that have a point in
    /// `region`, each wherever it is; all in the collider's own frame. Whether it is such a shape.
    ///
    /// A shape that is convex as a whole has nothing to do here: it is one piece, and this is `false`. Where it is
    /// `true`, every question goes to the pieces, and `support` (of their convex hull) tells the box alone. Pieces may
    /// be asked for in any region, an empty one or an infinite one too, and must be the same each time; they may
    /// overlap. Of pieces that answer alike the one with the smallest number is taken.
    ///
    /// ```
    /// use hitgraph::{Aabb, Circle, Collider, Node, Scene, Segment, Shape};
    /// use glam::{Vec2, vec2};
    ///
    /// /// A fence of endless posts, one at every whole number.
    /// #[derive(Debug)]
    /// struct Fence;
    ///
    /// impl Collider for Fence {
    ///     fn support(&self, direction: Vec2) -> Vec2 {
    ///         vec2(1e6, 1.0) * direction.signum()
    ///     }
    ///
    ///     fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
    ///         let region = Aabb { min: region.min.max(vec2(-1e6, -1.0)), max: region.max.min(vec2(1e6, 1.0)) };
    ///         let mut x = region.min.x.ceil();
    ///         while x <= region.max.x {
    ///             visit((x + 1e6) as u32, &Segment::new(vec2(x, -1.0), vec2(x, 1.0)).into());
    ///             x += 1.0;
    ///         }
    ///         true
    ///     }
    /// }
    ///
    /// let mut scene = Scene::new();
    /// let fence = scene.add(Node::new("fence"));
    /// let fence = scene.attach(fence, Fence).unwrap();
    /// let ball = scene.add(Node::new("ball").with_position(vec2(7.5, 0.0)));
    /// let ball = scene.attach(ball, Circle::new(0.4)).unwrap();
    /// assert!(scene.update().is_empty(), "it fits between two posts");
    /// assert!((scene.world().distance(ball, fence).unwrap() - 0.1).abs() < 1e-6);
    /// ```
    #[doc(alias("compound", "concave"))]
    fn pieces(&self, _region: &Aabb, _visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        false
    }

    /// The direction, in the collider's own frame, in which a piece lets movers through, so that it stops only what
    /// comes against it; `None` for one that is solid from all sides. For the pieces of one-sided
    /// [`Polyline`](crate::Polyline)s and one-way [`Tile`](crate::Tile)s. Touching, distances and rays do not ask.
    fn one_way_of(&self, _piece: u32) -> Option<Vec2> {
        None
    }

    /// The short way to the pieces of a built-in shape.
    #[doc(hidden)]
    fn parts(&self, _: Sealed) -> Option<Parts<'_>> {
        None
    }

    /// The flat way, for built-in shapes only: a copy for the scene, which places and tests it without dispatch.
    #[doc(hidden)]
    fn flat(&self, _: Sealed) -> Option<Shape> {
        None
    }
}

/// Lets the default methods of [`Collider`] pass themselves on. Implemented for every collider.
pub trait AsCollider {
    /// The collider as a trait object.
    fn as_collider(&self) -> &dyn Collider;
}

impl<C: Collider> AsCollider for C {
    fn as_collider(&self) -> &dyn Collider {
        self
    }
}

/// Nobody outside can name it, so nobody outside can take the flat way.
#[derive(Debug, Clone, Copy)]
pub struct Sealed;

/// The support point of a shape with its own frame's origin as centre.
fn support_of(shape: &Hull<'_>, direction: Vec2) -> Vec2 {
    let direction: DVec2 = direction.as_dvec2().try_normalize().unwrap_or(DVec2::X);
    (shape.center.as_dvec2() + shape.furthest(direction)).as_vec2()
}
