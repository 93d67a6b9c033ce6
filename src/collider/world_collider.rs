//! A collider in world space, as queries and casts see it: as one hull, or as pieces that an index finds.

use glam::{Affine2, Vec2};

use super::composite_ref::CompositeRef;
use super::{Collider, SupportShape};
use crate::composite::WorldForms;
use crate::geometry::{CastTouch, Hull, Measure, MovingBox, Ray, RoundedConvex, Separation};
use crate::math::{Aabb, keep_least};
use crate::shape::Shape;

/// A collider in world space, with its world form if it is a convex shape of a built-in type.
///
/// Distances, rays and casts need hulls alone, so this file computes them without visitors, piece by piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorldCollider<'a> {
    pub(crate) collider: &'a dyn Collider,
    /// The world transform of the node that carries the collider.
    pub(crate) at: Affine2,
    /// The world form; `None` for a user's collider and for a composite.
    pub(crate) world_form: Option<&'a Shape>,
}

impl<'a> WorldCollider<'a> {
    /// Runs `work` on a collider under a node with this world transform. The world form is in reused memory.
    pub(crate) fn with<R>(collider: &dyn Collider, at: &Affine2, work: impl FnOnce(&WorldCollider<'_>) -> R) -> R {
        WorldForms::with(|forms| {
            let world_form = collider.as_builtin().and_then(|builtin| builtin.world_form(at, forms));
            work(&WorldCollider { collider, at: *at, world_form })
        })
    }

    /// Creates the collider of a shape that is in world space already, outside of any node.
    pub(crate) const fn of_shape(shape: &'a Shape) -> Self {
        Self { collider: shape, at: Affine2::IDENTITY, world_form: Some(shape) }
    }

    /// Returns the pieces; `None` for a collider of one piece.
    pub(super) fn composite(&self) -> Option<CompositeRef<'_>> {
        if self.world_form.is_some() { None } else { CompositeRef::of(self.collider, &self.at) }
    }

    pub(crate) fn is_one_piece(&self) -> bool {
        self.composite().is_none()
    }

    /// Returns the smallest box around the collider in world space.
    pub(crate) fn bounds(&self) -> Aabb {
        self.world_form.map_or_else(|| self.collider.bounds(&self.at), Shape::bounds)
    }

    /// Returns the collider as a shape that is defined by its support function.
    pub(crate) fn support_shape(&self) -> SupportShape<'_> {
        SupportShape::new(self.collider, &self.at)
    }

    /// Runs `work` on the hull of a collider of one piece.
    pub(crate) fn with_hull<R>(&self, work: impl FnOnce(&Hull<'_>) -> R) -> R {
        match self.world_form {
            Some(shape) => work(&shape.hull()),
            None => work(&self.support_shape().hull()),
        }
    }

    /// Returns `true` if this is the first of the two colliders in the convex fallback. The fallback may round differently
    /// when the two are exchanged, so the transforms decide; if they are equal, the order of the call does.
    pub(super) fn is_first_in_fallback(&self, other: &WorldCollider<'_>) -> bool {
        self.at.to_cols_array() <= other.at.to_cols_array()
    }

    fn separation(&self, other: &WorldCollider<'_>, measure: Measure) -> Separation {
        let measured = |a: &WorldCollider<'_>, b: &WorldCollider<'_>| a.with_hull(|a| b.with_hull(|b| measure(a, b)));
        // The answer for a user's shape may round differently when the two are exchanged.
        let is_first = self.world_form.is_some() || (other.world_form.is_none() && self.is_first_in_fallback(other));
        if is_first { measured(self, other) } else { measured(other, self).flipped() }
    }

    /// Returns the separation of the two nearest pieces, or of the two that overlap most, with their numbers; `None` if
    /// one of the colliders has no pieces. `measure` computes the separation of two pieces. If a piece that is visited
    /// is not finite, neither is the separation.
    pub(crate) fn nearest(&self, other: &WorldCollider<'_>, measure: Measure) -> Option<(Separation, [u32; 2])> {
        match (self.composite(), other.composite()) {
            (None, None) => return Some((self.separation(other, measure), [0, 0])),
            (Some(own), Some(second)) if !own.is_outer_to(&second) => {
                let (found, [first, second]) = other.nearest(self, measure)?;
                return Some((found.flipped(), [second, first]));
            }
            _ => {}
        }
        let mut best: Option<(Separation, [u32; 2])> = None;
        let reach = |best: &Option<(Separation, _)>| match best {
            None => f64::INFINITY,
            // No other piece changes the answer.
            Some((found, _)) if found.gap.is_nan() => f64::NEG_INFINITY,
            Some((found, _)) => found.gap.max(0.0),
        };
        self.each_near(other.bounds(), f64::INFINITY, &mut |own_number, own| {
            other.each_near(own.bounds(), reach(&best), &mut |other_number, piece| {
                let found = (own.separation(piece, measure), [own_number, other_number]);
                // A touching pair is first: the tolerance grows with the pieces, so a huge one may touch at a larger
                // gap than that of a small one that does not touch.
                let rank = |(of, numbers): &(Separation, [u32; 2])| (!of.touches(), of.gap, *numbers);
                if found.0.gap.is_nan() || best.as_ref().is_none_or(|best| rank(&found) < rank(best)) {
                    best = Some(found);
                }
                reach(&best)
            });
            reach(&best)
        });
        best
    }

    /// Returns the point where a ray first enters a piece, with the piece's number.
    pub(crate) fn first_hit(&self, ray: &Ray) -> Option<(CastTouch, u32)> {
        let Some(composite) = self.composite() else {
            return self.with_hull(|hull| ray.enter(hull)).map(|touch| (touch, 0));
        };
        let (mut first, direction): (Option<(CastTouch, u32)>, _) = (None, ray.direction.as_vec2());
        composite.each_along(&MovingBox { path: *ray, half: Vec2::ZERO }, &mut |number, piece, limit| {
            if composite.lets_through(number, piece, direction) {
                return limit;
            }
            let Some(touch) = ray.enter(&piece.hull()) else { return limit };
            // Rounded like the distance of the hit, so that of pieces hit at once the smallest number counts.
            keep_least(&mut first, (touch, number), |(touch, number)| (touch.fraction as f32, *number));
            limit.min((touch.fraction as f32).next_up().into())
        });
        first
    }

    /// Visits every piece that has a point in a region of the world, and possibly others, with its number. A collider
    /// of one piece is visited as number 0, wherever it is.
    pub(crate) fn each_piece(&self, region: Aabb, visit: &mut dyn FnMut(u32, &WorldCollider<'_>)) {
        match self.composite() {
            Some(composite) => {
                composite.each_in_region(region, &mut |number, piece| visit(number, &WorldCollider::of_shape(piece)));
            }
            None => visit(0, self),
        }
    }

    /// Does the same, but visits tiles that are joined into one piece one by one.
    pub(crate) fn each_unjoined(&self, region: Aabb, visit: &mut dyn FnMut(u32, &WorldCollider<'_>)) {
        match self.composite() {
            Some(composite) => {
                composite.each_unjoined(region, &mut |number, piece| visit(number, &WorldCollider::of_shape(piece)));
            }
            None => visit(0, self),
        }
    }

    /// Returns an upper bound of the number of pieces that [`each_unjoined`](Self::each_unjoined) visits; 0 if it is not
    /// known.
    pub(crate) fn unjoined_count(&self) -> usize {
        self.composite().map_or(1, |composite| composite.unjoined_count())
    }

    /// Visits pieces roughly in the order of their distances from a box, up to the limit that `visit` last returned.
    pub(crate) fn each_near(&self, to: Aabb, limit: f64, visit: &mut dyn FnMut(u32, &WorldCollider<'_>) -> f64) {
        let Some(composite) = self.composite() else {
            visit(0, self);
            return;
        };
        composite.each_near(to, limit, &mut |number, piece, _| visit(number, &WorldCollider::of_shape(piece)));
    }

    /// Visits the hulls of all pairs of an own piece with a piece of another collider, with the numbers of the two.
    /// Leaves out pieces of the other collider that have no point in a region of the world, and own pieces that have none
    /// in the region that `own_region` returns for the box of the other piece.
    pub(crate) fn against(
        &self,
        other: &WorldCollider<'_>,
        region: Aabb,
        own_region: &dyn Fn(Aabb) -> Aabb,
        visit: &mut dyn FnMut(&Hull<'_>, [u32; 2], &Hull<'_>),
    ) {
        other.each_piece(region, &mut |piece, other| {
            let own_region = if self.is_one_piece() { Aabb::EVERYTHING } else { own_region(other.bounds()) };
            other.with_hull(|other| {
                self.each_hull(own_region, &mut |number, own| visit(own, [number, piece], other));
            });
        });
    }

    /// Visits the same pairs, but only pieces of the other collider that a moving box may touch, roughly in the order
    /// of the touches. `moving` returns this box, which most pairs do not need. `start` returns the region where it may
    /// begin if it touches a box later, up to a limit of the search along its path; own pieces elsewhere are left out.
    /// `visit` returns the new limit. Its last argument returns `true` if the other piece lets things through in a
    /// direction.
    #[inline]
    pub(crate) fn along(
        &self,
        other: &WorldCollider<'_>,
        moving: impl FnOnce() -> MovingBox,
        start: &dyn Fn(Aabb, f64) -> Aabb,
        visit: &mut dyn FnMut(&Hull<'_>, [u32; 2], &Hull<'_>, &dyn Fn(Vec2) -> bool) -> f64,
    ) {
        // Without this, queries of which a sixth are casts take 1.5 % more instructions.
        if let (Some(own), Some(other)) = (self.world_form, other.world_form) {
            visit(&own.hull(), [0; 2], &other.hull(), &|_| false);
            return;
        }
        let moving = moving();
        let Some(composite) = other.composite() else {
            return other.with_hull(|hull| {
                self.each_hull(start(other.bounds(), moving.path.length), &mut |number, own| {
                    visit(own, [number, 0], hull, &|_| false);
                });
            });
        };
        composite.each_along(&moving, &mut |piece, shape, mut limit| {
            let lets_through = |direction| composite.lets_through(piece, shape, direction);
            let other = shape.hull();
            self.each_hull(start(shape.bounds(), limit), &mut |number, own| {
                limit = visit(own, [number, piece], &other, &lets_through);
            });
            limit
        });
    }

    /// Visits the hull of every piece that has a point in a region of the world, and possibly others. That of a collider
    /// of one piece is visited wherever it is.
    pub(crate) fn each_hull(&self, region: Aabb, visit: &mut dyn FnMut(u32, &Hull<'_>)) {
        self.each_piece(region, &mut |number, piece| piece.with_hull(|hull| visit(number, hull)));
    }
}
