//! Queries about two given colliders: their contact, distance and closest points; and about one and a point.

use glam::Vec2;

use crate::collider::WorldCollider;
use crate::geometry::{Measure, Separation, common_point_separation, exact_separation};
use crate::scene::{ColliderId, World};
use crate::shape::{Circle, Contact, Shape};

/// The point of a collider that is nearest to another point.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/point_projection.svg"))]
///
/// ```
/// use hitgraph::{Circle, Node, PointProjection, Scene};
/// use glam::vec2;
///
/// let mut scene = Scene::new();
/// let (_, lake) = scene.add_with(Node::new("lake"), Circle::new(2.0));
/// let world = scene.world();
/// let shore: PointProjection = world.project_point(lake, vec2(5.0, 0.0)).unwrap();
/// assert_eq!((shore.point, shore.distance, shore.inside), (vec2(2.0, 0.0), 3.0, false));
/// let swimmer = world.project_point(lake, vec2(0.5, 0.0)).unwrap();
/// assert_eq!((swimmer.point, swimmer.distance, swimmer.inside), (vec2(0.5, 0.0), 0.0, true));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PointProjection {
    /// The point of the collider; the given point itself if that is inside.
    pub point: Vec2,
    /// The distance from the given point, in world units; 0 inside.
    pub distance: f32,
    /// `true` if the given point is in the collider or on its border.
    pub inside: bool,
    /// The number of the collider's piece that contains the point, and in which the given point is deepest; 0 for a shape
    /// of one piece.
    pub piece: u32,
}

impl<'a> World<'a> {
    /// Returns the contact of two colliders, or `None` if they do not overlap. It ignores layers, owners and `enabled`.
    /// The normal points from `a` to `b`.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Rect, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let (_, wall) = scene.add_with(Node::new("wall"), Rect::new(2.0, 8.0));
    /// let (ball, round) = scene.add_with(Node::new("ball").with_position(vec2(1.5, 0.0)), Circle::new(1.0));
    /// if let Some(contact) = scene.world().contact(wall, round) {
    ///     // The ball is pushed out of the wall.
    ///     scene[ball].transform.position += contact.normal * contact.depth;
    /// }
    /// assert_eq!(scene[ball].transform.position, vec2(2.0, 0.0));
    /// ```
    #[must_use]
    pub fn contact(self, a: ColliderId, b: ColliderId) -> Option<Contact> {
        let [first, second] = self.in_order(a, b)?;
        let contact = first.contact(&second)?;
        Some(if a <= b { contact } else { contact.flipped() })
    }

    /// Returns the distance of two colliders in world units; 0 if they overlap. It ignores layers, owners and
    /// `enabled`. Returns `None` also if one of the two has no pieces; the distance may be NaN if a user shape or a
    /// piece of one is not finite.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let (_, hero) = scene.add_with(Node::new("hero"), Circle::new(0.5));
    /// let (_, fire) = scene.add_with(Node::new("fire").with_position(vec2(4.0, 0.0)), Circle::new(1.0));
    /// assert_eq!(scene.world().distance(hero, fire), Some(2.5));
    /// ```
    #[must_use]
    pub fn distance(self, a: ColliderId, b: ColliderId) -> Option<f32> {
        self.separation(a, b, exact_separation).map(|separation| separation.distance())
    }

    /// Returns the nearest points of two colliders, on `a` and on `b`; if they overlap, twice a point that is in both.
    /// It ignores layers, owners and `enabled`. Returns `None` also if one of the two has no pieces.
    ///
    /// ```
    /// # use hitgraph::{Circle, Node, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let (_, ship) = scene.add_with(Node::new("ship"), Circle::new(1.0));
    /// let (_, pier) = scene.add_with(Node::new("pier").with_position(vec2(5.0, 0.0)), Circle::new(1.0));
    /// // A rope between the two.
    /// assert_eq!(scene.world().closest_points(ship, pier), Some([vec2(1.0, 0.0), vec2(4.0, 0.0)]));
    /// ```
    #[must_use]
    pub fn closest_points(self, a: ColliderId, b: ColliderId) -> Option<[Vec2; 2]> {
        self.separation(a, b, common_point_separation).map(|separation| separation.closest_points())
    }

    fn separation(self, a: ColliderId, b: ColliderId, measure: Measure) -> Option<Separation> {
        let [first, second] = self.in_order(a, b)?;
        let (separation, _) = first.nearest(&second, measure)?;
        Some(if a <= b { separation } else { separation.flipped() })
    }

    /// Returns two colliders, the one with the smaller id first, so that an answer does not depend on the order of the
    /// arguments.
    pub(super) fn in_order(self, a: ColliderId, b: ColliderId) -> Option<[WorldCollider<'a>; 2]> {
        Some([self.collider(a.min(b))?, self.collider(a.max(b))?])
    }

    /// Returns the point of a collider that is nearest to another point. It ignores layers, owners and `enabled`.
    /// Returns `None` also if the collider has no pieces.
    ///
    /// ```
    /// # use hitgraph::{Node, Rect, Scene};
    /// # use glam::vec2;
    /// # let mut scene = Scene::new();
    /// let (_, lawn) = scene.add_with(Node::new("lawn"), Rect::new(8.0, 8.0));
    /// // A sheep that has left the lawn walks back by the shortest way.
    /// let nearest = scene.world().project_point(lawn, vec2(6.0, 1.0)).unwrap();
    /// assert_eq!((nearest.point, nearest.inside), (vec2(4.0, 1.0), false));
    /// ```
    #[must_use]
    pub fn project_point(self, collider: ColliderId, point: Vec2) -> Option<PointProjection> {
        let target = self.collider(collider).filter(|_| point.is_finite())?;
        let probe = Shape::from(Circle::point(point));
        let (separation, [_, piece]) = WorldCollider::of_shape(&probe).nearest(&target, exact_separation)?;
        // Within the rounding of the distance, the overlap test decides.
        let inside = separation.touches() && target.overlaps(&WorldCollider::of_shape(&probe));
        let [_, nearest] = separation.closest_points();
        Some(PointProjection {
            point: if inside { point } else { nearest },
            distance: separation.distance(),
            inside,
            piece,
        })
    }
}
