//! The trait of everything that a node can carry, with the default bodies of its visitors.
//!
//! # Double dispatch
//!
//! Two colliders behind `dyn` do not have each other's type. `a.collides(at, b, ..)` finds the type of `a`, a circle
//! say, and calls `b.collides_with_circle(..)` with the world form of `a`; in the body of that method both types are
//! known. The default body of every visitor takes the convex fallback, so a new type needs [`Collider::support`] alone,
//! and overrides a visitor only to answer one kind of pair better. The file `dispatch.rs` has the rules.
//!
//! # To add a built-in shape
//!
//! Write its file in `shape/` and add it to the end of `for_each_shape!`. The list generates the visitors, the enum
//! [`Builtin`] and the implementation of [`Collider`]; the compiler names every pair that the pair table lacks.
//! `docs/adding_a_shape.md` has the steps.

use alloc::boxed::Box;
use core::any::Any;
use core::f32::consts::FRAC_PI_8;
use core::fmt::Debug;

use glam::{Affine2, Vec2};

use super::collider_geometry::ColliderGeometry;
use super::composite_ref::CompositeRef;
use super::support_shape::Visitor;
use super::{Builtin, SupportShape};
use crate::math::{Aabb, Checksum, SinCos};
use crate::shape::{Contact, Meets, Shape, for_each_shape};

/// Declares the visitors of the built-in shapes.
macro_rules! visitors {
    ($($kind:ident($held:ty) $overlaps:ident $contact:ident,)*) => {
        $(
            #[doc = concat!("Returns `true` if this collider touches a [`", stringify!($kind), "`](crate::",
                stringify!($kind), ") in world space.")]
            ///
            #[doc = concat!("Defaults to [`", stringify!($contact), "`](Self::", stringify!($contact), ").")]
            fn $overlaps(&self, at: &Affine2, shape: &crate::shape::$kind) -> bool {
                self.$contact(at, shape).is_some()
            }
        )*

        $(
            #[doc = concat!("Returns the contact of this collider with a [`", stringify!($kind), "`](crate::",
                stringify!($kind), ") in world space; `None` if they do not touch.")]
            ///
            /// The normal points from this collider to the shape. Defaults to the convex fallback, or to the deepest
            /// contact of the [`pieces`](Self::pieces).
            fn $contact(&self, at: &Affine2, shape: &crate::shape::$kind) -> Option<Contact> {
                match CompositeRef::of(self.as_geometry(), at) {
                    Some(own) => own.deepest_in_region(shape.bounds(), &mut |piece| piece.contact_of(shape)),
                    None => SupportShape::of(self.as_geometry(), at).contact(shape),
                }
            }
        )*
    };
}

/// A solid shape that a node can carry: one of the built-in types, or a type of yours.
///
/// A convex shape of your own needs one method, `support`, and derives `Debug` and `Clone`:
///
/// ```
/// use hitgraph::{Circle, Collider, Node, Scene};
/// use glam::{Vec2, vec2};
///
/// /// A half disc of radius 1, flat side down.
/// #[derive(Debug, Clone)]
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
/// `at` is always the world transform of the node that carries the collider.
///
/// # Visitors
///
/// The methods `collides_with_*` and `contact_with_*` are visitors: [`collides`](#method.collides) and
/// [`contact_with`](#method.contact_with) call them with the other shape, in world space. All have default bodies. An
/// override must agree with `support`, which alone defines distances, rays, casts and the drawing.
///
/// - An override of `contact_with_*` is enough: the matching `collides_with_*` defaults to it. Override
///   `collides_with_*` too where overlap is cheaper to compute.
/// - When your collider meets a built-in shape, or a piece of a composite, the visitor of yours is called.
/// - Two colliders of your own answer the same in either order. If one overrides the visitor of support shapes, that
///   one answers. If both do, they overlap if either reports it, and the deeper contact counts. If neither does, the
///   convex fallback answers. A collider of [several pieces](Self::pieces) is never passed as a support shape: its
///   pieces are passed one by one.
#[doc(alias("component", "shape", "fixture"))]
pub trait Collider: Any + Debug + Send + Sync + ColliderGeometry + CloneCollider {
    /// Returns the point of the shape that is furthest along `direction`, both in the collider's own frame.
    ///
    /// The shape is the convex hull of all points that this returns. `direction` is a finite unit vector, never zero.
    /// If several points are equally far, return any of them, but always the same for the same direction. Answers are
    /// exact to about 2.5e-7 of the distance from the frame's origin to the furthest point, so touching within that counts
    /// as overlapping: keep the origin inside the shape. All points must be finite: a query may miss a shape with another
    /// point.
    ///
    #[cfg_attr(doc, doc = include_str!("../../docs/figures/collider.svg"))]
    fn support(&self, direction: Vec2) -> Vec2;

    /// Returns the smallest box around the shape in world space.
    ///
    /// Defaults to four calls of `support`. An override may return a larger box, but never a smaller one. While the box
    /// is not finite, or its `min` exceeds its `max`, the collider is [quarantined](crate::Scene::quarantined).
    ///
    /// ```
    /// # use hitgraph::{Aabb, Circle, Collider};
    /// # use glam::{Affine2, vec2};
    /// let stretched = Affine2::from_scale(vec2(3.0, 1.0));
    /// let bounds: Aabb = Collider::bounds(&Circle::new(1.0), &stretched);
    /// assert!(bounds.contains(vec2(3.0, 0.0)) && !bounds.contains(vec2(3.1, 0.0)));
    /// ```
    fn bounds(&self, at: &Affine2) -> Aabb {
        SupportShape::of(self.as_geometry(), at).bounds()
    }

    for_each_shape!(visitors);

    /// Returns `true` if this collider touches a [`SupportShape`].
    ///
    /// Defaults to [`contact_with_support_shape`](Self::contact_with_support_shape).
    ///
    /// ```
    /// # use hitgraph::{Circle, Collider, SupportShape};
    /// # use glam::{Affine2, vec2};
    /// let (egg, there) = (Circle::new(1.0), Affine2::from_translation(vec2(1.5, 0.0)));
    /// let egg = SupportShape::new(&egg, &there);
    /// assert!(Circle::new(1.0).collides_with_support_shape(&Affine2::IDENTITY, &egg));
    /// ```
    fn collides_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> bool {
        !shape.makes_abstain(self.as_geometry(), Visitor::Overlap)
            && self.contact_with_support_shape(at, shape).is_some()
    }

    /// Returns the contact of this collider with a [`SupportShape`]; `None` if they do not touch.
    ///
    /// The normal points from this collider to the shape. Defaults to the convex fallback, or to the deepest contact of
    /// the [`pieces`](Self::pieces).
    ///
    /// ```
    /// # use hitgraph::{Circle, Collider, SupportShape};
    /// # use glam::{Affine2, vec2};
    /// let (egg, there) = (Circle::new(1.0), Affine2::from_translation(vec2(1.5, 0.0)));
    /// let egg = SupportShape::new(&egg, &there);
    /// let contact = Circle::new(1.0).contact_with_support_shape(&Affine2::IDENTITY, &egg).unwrap();
    /// assert!((contact.normal - vec2(1.0, 0.0)).length() < 1e-3 && (contact.depth - 0.5).abs() < 1e-3);
    /// ```
    fn contact_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> Option<Contact> {
        if shape.makes_abstain(self.as_geometry(), Visitor::Contact) {
            return None;
        }
        match CompositeRef::of(self.as_geometry(), at) {
            Some(own) => own.deepest_in_region(shape.bounds(), &mut |piece| piece.contact_of(shape)),
            None => SupportShape::of(self.as_geometry(), at).contact(shape),
        }
    }

    /// Visits the pieces of a shape that has several, each with its number, and returns `true`; returns `false` for a
    /// shape of one piece.
    ///
    /// A convex shape needs no override. If this returns `true`, every query goes to the pieces, and `support` (of
    /// their convex hull) defines only the box.
    ///
    /// `region` and the pieces are in the collider's own frame. An implementation visits at least the pieces that have
    /// a point in `region`, which may be empty or infinite. The pieces and their numbers must be the same each time.
    /// Pieces may overlap. If several pieces give equal answers, the one with the smallest number counts.
    ///
    /// ```
    /// use hitgraph::{Aabb, Circle, Collider, Node, Scene, Segment, Shape};
    /// use glam::{Vec2, vec2};
    ///
    /// /// A fence of two million posts, one at every whole number.
    /// #[derive(Debug, Clone)]
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

    /// Returns the direction, in the collider's own frame, in which a piece lets movers through; `None` for a piece
    /// that is solid from all sides.
    ///
    /// Like those of a one-sided [`Polyline`](crate::Polyline) and one-way [`Tile`](crate::Tile)s, the piece stops only
    /// movers that come against the direction, and only where its surface faces the direction to within 45 degrees. At
    /// a corner of two such pieces that touch, it also stops them in the directions between the two. Only moves call
    /// this method.
    ///
    /// ```
    /// # use hitgraph::{Collider, Polyline};
    /// # use glam::{Vec2, vec2};
    /// let ground = Polyline::new(&[vec2(0.0, 0.0), vec2(9.0, 0.0)])?;
    /// assert_eq!(ground.one_way_of(0), None);
    /// assert_eq!(ground.one_sided().one_way_of(0).map(Vec2::normalize), Some(Vec2::Y));
    /// # Ok::<(), hitgraph::ShapeError>(())
    /// ```
    fn one_way_of(&self, _piece: u32) -> Option<Vec2> {
        None
    }

    /// Returns the part of [`Scene::checksum`](crate::Scene::checksum) for this shape: a number that should differ
    /// between shapes of which a query could give different answers.
    ///
    /// For a shape of yours it defaults to a checksum of `support` in sixteen directions. Override it if such shapes
    /// may differ elsewhere, for example in their [`pieces`](Self::pieces). It must be the same on every platform.
    ///
    /// ```
    /// use hitgraph::{Circle, Collider, Rect};
    ///
    /// let [ball, other] = [1.0, 1.5].map(Circle::new);
    /// assert_eq!(ball.checksum(), Circle::new(1.0).checksum());
    /// assert!(ball.checksum() != other.checksum() && ball.checksum() != Rect::new(2.0, 2.0).checksum());
    /// ```
    fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        match self.builtin(Sealed) {
            Some(shape) => shape.add_to(&mut sum),
            None => checksum_directions().for_each(|direction| sum.add_vec2(self.support(direction))),
        }
        sum.value()
    }

    /// Returns the collider as its own type if the type is built in.
    #[doc(hidden)]
    fn builtin(&self, _: Sealed) -> Option<Builtin<'_>> {
        None
    }
}

/// Iterates over the directions in which [`Collider::checksum`] samples a shape, as unit vectors.
fn checksum_directions() -> impl Iterator<Item = Vec2> {
    (0..16_u8).map(|index| SinCos::new(f32::from(index) * FRAC_PI_8)).map(|angle| Vec2::new(angle.cos, angle.sin))
}

/// The argument of a method that only this crate can call or override, because only this crate can name its type.
#[derive(Debug, Clone, Copy)]
pub struct Sealed;

/// Clones colliders behind `dyn`. Every collider that is `Clone` implements it.
pub trait CloneCollider {
    /// Returns a boxed clone.
    fn clone_box(&self) -> Box<dyn Collider>;

    /// Replaces a boxed collider by a clone, in the same memory if it has the same type.
    fn clone_into_box(&self, target: &mut Box<dyn Collider>);
}

impl<C: Collider + Clone> CloneCollider for C {
    fn clone_box(&self) -> Box<dyn Collider> {
        Box::new(self.clone())
    }

    fn clone_into_box(&self, target: &mut Box<dyn Collider>) {
        match (&mut **target as &mut dyn Any).downcast_mut::<Self>() {
            Some(target) => target.clone_from(self),
            None => *target = self.clone_box(),
        }
    }
}

impl Clone for Box<dyn Collider> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }

    fn clone_from(&mut self, source: &Self) {
        (**source).clone_into_box(self);
    }
}

impl<C: Collider> ColliderGeometry for C {
    fn as_geometry(&self) -> &dyn ColliderGeometry {
        self
    }

    fn support_point(&self, direction: Vec2) -> Vec2 {
        self.support(direction)
    }

    fn world_bounds(&self, at: &Affine2) -> Aabb {
        self.bounds(at)
    }

    fn local_pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        self.pieces(region, visit)
    }

    fn as_builtin(&self) -> Option<Builtin<'_>> {
        self.builtin(Sealed)
    }
}

impl<'a> SupportShape<'a> {
    /// Creates the shape of a collider under a node with this world transform.
    #[must_use]
    pub const fn new(collider: &'a dyn Collider, at: &'a Affine2) -> Self {
        Self::of(collider, at)
    }
}
