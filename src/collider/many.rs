//! Colliders of several pieces. A question about one is asked of the pieces that are near enough, and the best of their
//! answers is its own.

use core::ops::ControlFlow;

use glam::{Affine2, Vec2};

use super::{Collider, Sealed};
use crate::math::Aabb;
use crate::shape::pieces::{Pieces, Spare};
use crate::shape::{Ray, Shape};

/// A collider of several pieces at its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Many<'a> {
    collider: &'a dyn Collider,
    at: &'a Affine2,
    /// The shorter way to the pieces of a built-in shape.
    own: Option<&'a dyn Pieces>,
}

/// What is called with the number of a piece, its world form and the limit of a search; gives the new limit.
pub(super) type Visit<'a> = &'a mut dyn FnMut(u32, &Shape, f64) -> f64;

/// Where there is no index to follow, a search begins with this part of the whole shape and goes on twice as far each
/// time.
const FIRST_STEP: f64 = 1.0 / 65_536.0;

impl<'a> Many<'a> {
    /// `None` for a collider of one piece.
    pub(super) fn of(collider: &'a dyn Collider, at: &'a Affine2) -> Option<Self> {
        let own = collider.parts(Sealed).map(|parts| parts.0);
        let several = own.is_some() || collider.pieces(&Aabb::EMPTY, &mut |_, _| {});
        several.then_some(Self { collider, at, own })
    }

    /// Whether this is the one to be taken piece by piece where two meet: the one with fewer pieces, as far as is
    /// known.
    pub(super) fn leads(&self, other: &Self) -> bool {
        let count = |many: &Self| many.own.map_or(usize::MAX, Pieces::count);
        count(self) <= count(other)
    }

    /// Visits all pieces that have a point in a region, and maybe more, until `visit` breaks off. An empty region and
    /// one with a NaN have no points.
    pub(super) fn in_region(&self, region: Aabb, visit: &mut dyn FnMut(u32, &Shape) -> ControlFlow<()>) {
        let Some(region) = region.finite_part() else { return };
        let near = region.preimage(self.at);
        Spare::with(|spare| match (self.own, near) {
            (Some(own), Some(near)) => {
                let _ = own.index().in_region(near, |slot| visit(own.number(slot), own.place(slot, self.at, spare)));
            }
            (Some(own), None) => {
                let score = |bounds: Aabb| if bounds.image(self.at).overlaps(region) { 0.0 } else { f64::INFINITY };
                own.index().best_first(0.0, score, |slot, limit| {
                    let flow = visit(own.number(slot), own.place(slot, self.at, spare));
                    if flow.is_break() { f64::NEG_INFINITY } else { limit }
                });
            }
            (None, near) => {
                let mut flow = ControlFlow::Continue(());
                self.collider.pieces(&near.unwrap_or(Aabb::EVERYTHING), &mut |number, local| {
                    if flow.is_continue() {
                        flow = visit(number, spare.image(local, self.at));
                    }
                });
            }
        });
    }

    /// Visits pieces about in the order of the distances of their boxes from another box, within the limit.
    pub(super) fn near(&self, to: Aabb, mut limit: f64, visit: Visit<'_>) {
        if let Some(own) = self.own {
            return self.search(own, limit, |bounds| bounds.gap(to), visit);
        }
        // Without an index to follow: in ever larger regions, until what was found is nearer than what was not.
        let whole = self.collider.bounds(self.at);
        let (apart, sizes) = (whole.gap(to), [to, whole].map(|bounds| f64::from(bounds.size().max_element())));
        let mut step = sizes[0] + (apart + sizes[1]) * FIRST_STEP;
        loop {
            let reach = apart + step;
            let region = to.grown((reach.min(limit) * (1.0 + 1e-6)) as f32);
            self.in_region(region, &mut |number, piece| {
                limit = visit(number, piece, limit);
                ControlFlow::Continue(())
            });
            let done = limit <= reach || (region.contains(whole.min) && region.contains(whole.max));
            // What is not a number, or cannot grow, ends the search too.
            if done || !(reach < f64::from(f32::MAX) && step > 0.0) {
                return;
            }
            step *= 2.0;
        }
    }

    /// Visits pieces about in the order in which a ray enters their boxes, or a box does whose middle follows the ray
    /// and that reaches so far to all sides; within the limit. What lets through in that direction is left out.
    pub(super) fn along(&self, ray: &Ray, reach: Vec2, visit: Visit<'_>) {
        let wide = |bounds: Aabb| Aabb { min: bounds.min - reach, max: bounds.max + reach };
        if let Some(own) = self.own {
            let direction = ray.direction.as_vec2();
            let score = |bounds| ray.stretch_in(wide(bounds)).map_or(f64::INFINITY, |[enters, _]| enters);
            return self.search(own, ray.length, score, &mut |number, piece, limit| {
                if own.lets_through(number, piece, self.at, direction) { limit } else { visit(number, piece, limit) }
            });
        }
        let Some([enters, leaves]) = ray.stretch_in(wide(self.collider.bounds(self.at))) else { return };
        let (mut from, mut step, mut limit) = (enters, (leaves - enters) * FIRST_STEP, ray.length);
        while from <= leaves.min(limit) {
            let to = leaves.min(from + step);
            // In the shape's own frame the ray may run along an axis, and then this box is thin.
            let [a, b] = [from, to].map(|distance| ray.at(distance).as_vec2());
            let [a, b] = [a, b].map(|end| Aabb::padded(end, -reach, reach).preimage(self.at));
            Spare::with(|spare| {
                let near = a.zip(b).map_or(Aabb::EVERYTHING, |(a, b)| a.union(b));
                self.collider.pieces(&near, &mut |number, local| {
                    limit = visit(number, spare.image(local, self.at), limit);
                });
            });
            if to == leaves {
                break;
            }
            (from, step) = (to, step * 2.0);
        }
    }

    /// Visits the pieces of a built-in shape about in the order of the scores of their boxes in world space.
    fn search(&self, own: &dyn Pieces, limit: f64, score: impl Fn(Aabb) -> f64, visit: Visit<'_>) {
        let world_score = |bounds: Aabb| score(bounds.image(self.at));
        Spare::with(|spare| {
            own.index().best_first(limit, world_score, |slot, limit| {
                visit(own.number(slot), own.place(slot, self.at, spare), limit)
            });
        });
    }
}
