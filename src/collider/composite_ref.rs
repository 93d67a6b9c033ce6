use glam::{Affine2, DVec2, Vec2};

use super::collider_geometry::ColliderGeometry;
use crate::composite::{Composite, WorldForms};
use crate::geometry::MovingBox;
use crate::math::tolerance::{BOUNDS_PADDING, REGION_GROWTH};
use crate::math::{Aabb, Each, keep_least};
use crate::shape::{Contact, Shape};

/// A collider of several pieces in world space.
///
/// Every traversal visits pieces by their number and world form. An index finds the pieces of a built-in composite;
/// [`Collider::pieces`](crate::Collider::pieces) finds those of a user's collider.
#[derive(Debug, Clone, Copy)]
pub(super) struct CompositeRef<'a> {
    collider: &'a dyn ColliderGeometry,
    at: &'a Affine2,
    /// The same collider, if it is built in.
    indexed: Option<&'a dyn Composite>,
}

/// A function that is called with the number of a piece, its world form and the limit of a search, and returns the new
/// limit.
pub(super) type Visit<'a> = &'a mut dyn FnMut(u32, &Shape, f64) -> f64;

/// The first step of a search in a collider without an index, as a fraction of the collider's size. Each further step
/// doubles it.
const FIRST_STEP: f64 = 1.0 / 65_536.0;

impl<'a> CompositeRef<'a> {
    /// Returns `None` for a collider of one piece.
    pub(super) fn of(collider: &'a dyn ColliderGeometry, at: &'a Affine2) -> Option<Self> {
        let indexed = match collider.as_builtin() {
            Some(builtin) => Some(builtin.composite()?),
            None if collider.local_pieces(&Aabb::EMPTY, &mut |_, _| {}) => None,
            None => return None,
        };
        Some(Self { collider, at, indexed })
    }

    /// Returns `true` if the composite is of a built-in type.
    pub(super) fn is_builtin(&self) -> bool {
        self.indexed.is_some()
    }

    /// Returns `true` if a loop over the pairs of pieces takes this composite as the outer one: the one with fewer
    /// pieces. A user's collider counts as the largest, because it is the visited one.
    pub(super) fn is_outer_to(&self, other: &Self) -> bool {
        let count = |composite: &Self| composite.indexed.map_or(usize::MAX, |indexed| indexed.index().len());
        count(self) <= count(other)
    }

    /// Returns an upper bound of the number of pieces that [`each_unjoined`](Self::each_unjoined) visits. A user's
    /// collider does not report it, and counts as the smallest, because it may have no index.
    pub(super) fn unjoined_count(&self) -> usize {
        self.indexed.map_or(0, Composite::unjoined_count)
    }

    /// Returns `true` if a piece in a region passes a test, and stops at the first that does. It may test pieces outside
    /// of the region too. An empty region and one with a NaN have no points.
    pub(super) fn any_in_region(&self, region: Aabb, test: &mut dyn FnMut(u32, &Shape) -> bool) -> bool {
        let Some(region) = self.local_region(region) else { return false };
        WorldForms::with(|forms| {
            if let Some(composite) = self.indexed {
                return composite.index().any_in_region(region, &mut |slot| {
                    let (number, piece) = composite.piece(slot, self.at, forms);
                    test(number, piece)
                });
            }
            let mut found = false;
            self.collider.local_pieces(&region, &mut |number, local| {
                found = found || test(number, forms.image(local.kind(), local, self.at));
            });
            found
        })
    }

    /// Returns the deepest contact of a piece in a region with another shape, with the piece's number as the first of
    /// [`Contact::pieces`]. `contact` returns the contact of the other shape with a piece. Of equally deep contacts the
    /// one with the smallest numbers counts.
    pub(super) fn deepest_in_region(
        &self,
        region: Aabb,
        contact: &mut dyn FnMut(&Shape) -> Option<Contact>,
    ) -> Option<Contact> {
        let mut deepest: Option<Contact> = None;
        self.each_in_region(region, &mut |number, piece| {
            let Some(mut contact) = contact(piece).map(Contact::flipped) else { return };
            contact.pieces[0] = number;
            keep_least(&mut deepest, contact, |contact| (-contact.depth, contact.pieces));
        });
        deepest
    }

    /// Visits all pieces that have a point in a region, and possibly others.
    pub(super) fn each_in_region(&self, region: Aabb, visit: &mut dyn FnMut(u32, &Shape)) {
        self.any_in_region(region, &mut |number, piece| {
            visit(number, piece);
            false
        });
    }

    /// Does the same, but visits tiles that are joined into one piece one by one.
    pub(super) fn each_unjoined(&self, region: Aabb, visit: &mut dyn FnMut(u32, &Shape)) {
        let Some(composite) = self.indexed else { return self.each_in_region(region, visit) };
        let Some(region) = self.local_region(region) else { return };
        WorldForms::with(|forms| composite.each_unjoined(region, self.at, forms, visit));
    }

    /// Returns a region of the collider's frame that contains a region of the world; `None` if that has no points.
    fn local_region(&self, region: Aabb) -> Option<Aabb> {
        Some(region.finite_part()?.preimage(self.at).unwrap_or(Aabb::EVERYTHING))
    }

    /// Visits pieces roughly in the order of the distances of their boxes from another box, up to the limit.
    pub(super) fn each_near(&self, to: Aabb, limit: f64, visit: Visit<'_>) {
        match self.indexed {
            Some(composite) => self.each_near_by_index(composite, to, limit, visit),
            None => self.each_near_by_regions(to, limit, visit),
        }
    }

    /// Does the same for a built-in composite.
    fn each_near_by_index(&self, composite: &dyn Composite, to: Aabb, limit: f64, visit: Visit<'_>) {
        let distance = |bounds: Aabb| bounds.image(self.at).gap(to);
        WorldForms::with(|forms| {
            composite.index().best_first(limit, distance, |slot, limit| {
                let (number, piece) = composite.piece(slot, self.at, forms);
                visit(number, piece, limit)
            });
        });
    }

    /// Does the same for a user's collider, in growing regions, until the best piece is nearer than everything outside of
    /// the region.
    fn each_near_by_regions(&self, to: Aabb, mut limit: f64, visit: Visit<'_>) {
        let whole = self.collider.world_bounds(self.at);
        let (apart, sizes) = (whole.gap(to), [to, whole].each(|bounds| f64::from(bounds.size().max_element())));
        let mut step = sizes[0] + (apart + sizes[1]) * FIRST_STEP;
        loop {
            let reach = apart + step;
            let region = to.grown((reach.min(limit) * (1.0 + REGION_GROWTH)) as f32);
            self.each_in_region(region, &mut |number, piece| limit = visit(number, piece, limit));
            let done = limit <= reach || region.contains_box(whole);
            // A NaN, and a step that cannot grow, end the search too.
            if done || !(reach < f64::from(f32::MAX) && step > 0.0) {
                return;
            }
            step *= 2.0;
        }
    }

    /// Visits pieces roughly in the order in which a moving box enters their boxes, up to the limit.
    pub(super) fn each_along(&self, moving: &MovingBox, visit: Visit<'_>) {
        match self.indexed {
            Some(composite) => self.each_along_by_index(composite, moving, visit),
            None => self.each_along_by_regions(moving, visit),
        }
    }

    /// Does the same for a built-in composite.
    fn each_along_by_index(&self, composite: &dyn Composite, moving: &MovingBox, visit: Visit<'_>) {
        let index = composite.index();
        let Some([enters, leaves]) = moving.stretch_in(index.total_bounds().image(self.at)) else { return };
        let mut limit = moving.path.length;
        WorldForms::with(|forms| {
            let mut visit = |slot: u32| {
                let (number, piece) = composite.piece(slot, self.at, forms);
                limit = visit(number, piece, limit);
                limit
            };
            match displaced_box(self.local_boxes(moving, [enters, leaves])) {
                Some((from, displacement)) => index.cast_aabb(from, displacement, 1.0, |slot, _| {
                    // `min` turns the NaN of a box that stays where it is into 1.
                    ((visit(slot) - enters) / (leaves - enters)).min(1.0) as f32
                }),
                // A map that flattens the pieces has no inverse.
                None => {
                    let stretch = |bounds: Aabb| moving.stretch_in(bounds.image(self.at));
                    let score = |bounds| stretch(bounds).map_or(f64::INFINITY, |[enters, _]| enters);
                    index.best_first(moving.path.length, score, |slot, _| visit(slot));
                }
            }
        });
    }

    /// Does the same for a user's collider, in growing regions.
    fn each_along_by_regions(&self, moving: &MovingBox, visit: Visit<'_>) {
        let Some([enters, leaves]) = moving.stretch_in(self.collider.world_bounds(self.at)) else { return };
        // A box that stays where it is has one region.
        let first_step = if moving.path.direction == DVec2::ZERO { 1.0 } else { FIRST_STEP };
        let (mut from, mut step, mut limit) = (enters, (leaves - enters) * first_step, moving.path.length);
        while from <= leaves.min(limit) {
            let to = leaves.min(from + step);
            let [a, b] = self.local_boxes(moving, [from, to]);
            WorldForms::with(|forms| {
                let region = a.zip(b).map_or(Aabb::EVERYTHING, |(a, b)| a.union(b));
                self.collider.local_pieces(&region, &mut |number, local| {
                    let piece = forms.image(local.kind(), local, self.at);
                    // Nothing keeps a user's piece finite.
                    if piece.bounds().is_finite() {
                        limit = visit(number, piece, limit);
                    }
                });
            });
            if to == leaves {
                break;
            }
            (from, step) = (to, step * 2.0);
        }
    }

    /// Returns boxes in the collider's frame that contain a moving box at two distances along its path. Each is mapped on
    /// its own: in this frame the path may follow an axis, and then the union is thin.
    fn local_boxes(&self, moving: &MovingBox, distances: [f64; 2]) -> [Option<Aabb>; 2] {
        distances.each(|distance| moving.at(distance).preimage(self.at))
    }

    /// Returns `true` if rays and casts along a direction pass through a piece, given by its number and world form.
    pub(super) fn lets_through(&self, number: u32, piece: &Shape, direction: Vec2) -> bool {
        self.indexed.is_some_and(|composite| composite.lets_through(number, piece, self.at, direction))
    }
}

/// Returns a box, and the displacement by which it moves from one of two boxes to the other: it contains each of them there.
/// Returns `None` if one of the two is unknown, or was clamped to the range of `f32`.
fn displaced_box(ends: [Option<Aabb>; 2]) -> Option<(Aabb, Vec2)> {
    let is_clamped = |bounds: Aabb| bounds.min.abs().max(bounds.max.abs()).max_element() == f32::MAX;
    let [Some(from), Some(to)] = ends.each(|end| end.filter(|end| !is_clamped(*end))) else { return None };
    let [(from, from_half), (to, to_half)] = [from, to].each(Aabb::middle_and_half);
    let half = from_half.max(to_half) + (from.abs() + to.abs()) * f64::from(BOUNDS_PADDING);
    Some((Aabb { min: (from - half).as_vec2(), max: (from + half).as_vec2() }, (to - from).as_vec2()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composite::Compound;
    use crate::shape::Circle;

    fn row(count: u8) -> Compound {
        Compound::new((0..count).map(|x| Circle::new(0.4).at(Vec2::new(f32::from(x), 0.0)))).unwrap()
    }

    #[test]
    fn a_convex_shape_is_no_composite() {
        assert!(CompositeRef::of(&Circle::new(1.0), &Affine2::IDENTITY).is_none());
        assert!(CompositeRef::of(&row(0), &Affine2::IDENTITY).is_some());
    }

    #[test]
    fn a_search_for_any_piece_stops_at_the_first_that_passes() {
        let (row, at, mut tested) = (row(100), Affine2::from_scale(Vec2::splat(2.0)), 0);
        let composite = CompositeRef::of(&row, &at).unwrap();
        let mut first = |_, _: &Shape| {
            tested += 1;
            true
        };
        assert!(composite.any_in_region(Aabb::EVERYTHING, &mut first));
        assert!(!composite.any_in_region(Aabb::EMPTY, &mut first));
        assert_eq!(tested, 1);
    }

    #[test]
    fn of_equally_deep_contacts_the_piece_with_the_smallest_number_counts() {
        let (row, at) = (row(9), Affine2::IDENTITY);
        let contact = |piece: &Shape| piece.contact(&Circle::new(0.4).at(Vec2::new(3.5, 0.0)).into());
        let deepest =
            CompositeRef::of(&row, &at).unwrap().deepest_in_region(Aabb::EVERYTHING, &mut { contact }).unwrap();
        assert_eq!(deepest.pieces, [3, 0]);
    }

    #[test]
    fn the_composite_with_fewer_pieces_is_the_outer_one() {
        let (few, many, at) = (row(2), row(3), Affine2::IDENTITY);
        let [few, many] = [&few, &many].map(|row| CompositeRef::of(row, &at).unwrap());
        assert!(few.is_outer_to(&many) && !many.is_outer_to(&few) && few.is_outer_to(&few));
    }
}
