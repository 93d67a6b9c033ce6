use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::moved::MoveHit;
use super::solids::Solids;
use crate::collider::{CollisionLayers, Placed};
use crate::math::Aabb;
use crate::math::tolerance::GRAZING;
use crate::scene::bodies::BodyState;
use crate::scene::{NodeId, QueryFilter, Side, World, slot_of};
use crate::shape::family::Hull;
use crate::shape::{Meeting, Sweep, SweepTouch, graze, is_beyond, separation_after};

/// How far a one-way surface may lean from its own direction and still hold: the cosine of 45 degrees.
const HOLDS: f64 = core::f64::consts::FRAC_1_SQRT_2 - 1e-6;

/// How much further than the motion is looked ahead, as a multiple of the skin: so that a surface is met at the skin
/// and not behind it, unless it is approached at an angle with a sine below the inverse of this.
const AHEAD: f64 = 4.0;

/// The rounding of a position, as a multiple of its magnitude, below which no skin is.
const GRAIN: f64 = 8.0 * f32::EPSILON as f64;

/// The colliders of a node on their way, and what they meet there.
pub(super) struct Mover<'a> {
    pub(super) solids: Solids<'a>,
    parts: SmallVec<[Part<'a>; 2]>,
    /// Around all parts where they were at first.
    bounds: Aabb,
    /// How far it has moved.
    pub(super) moved: DVec2,
    /// The distance that it keeps.
    pub(super) skin: f64,
}

struct Part<'a> {
    placed: Placed<'a>,
    layers: CollisionLayers,
}

/// What a motion runs into.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) side: Side,
    pub(super) piece: u32,
    /// The part of the motion until the shapes themselves would touch.
    pub(super) fraction: f64,
    /// Facing the mover.
    pub(super) normal: DVec2,
    point: DVec2,
    /// The length of what the two share.
    width: f64,
}

/// What is near a mover.
pub(super) struct Near<'n> {
    /// The distance, negative inside.
    pub(super) gap: f64,
    /// Facing the mover.
    pub(super) normal: DVec2,
    /// How deep still counts as touching.
    pub(super) graze: f64,
    /// The way through, of what holds in one direction only.
    pub(super) one_way: Option<DVec2>,
    pub(super) own: &'n Hull<'n>,
    pub(super) other: &'n Hull<'n>,
}

impl Near<'_> {
    /// Whether what lets through along `up` stands in the way here.
    pub(super) fn holds(&self, up: DVec2) -> bool {
        self.gap >= -self.graze && self.normal.dot(up) >= HOLDS
    }
}

impl Touch {
    pub(super) fn hit(&self) -> MoveHit {
        let Self { side, piece, normal, point, .. } = *self;
        MoveHit { side, point: point.as_vec2(), normal: normal.as_vec2(), piece }
    }

    /// Of what is touched about at the same time, the one to heed: where faces meet, rather than at a corner, whose
    /// normal may be any.
    pub(super) fn comes_before(&self, other: &Self) -> bool {
        let (own, others) = ((-self.width, self.fraction), (-other.width, other.fraction));
        own < others || (own == others && (self.side.collider, self.piece) < (other.side.collider, other.piece))
    }
}

impl<'a> Mover<'a> {
    /// The solid, enabled colliders of a node. Without any there is nothing to be stopped.
    pub(super) fn new(world: World<'a>, node: NodeId, filter: &'a QueryFilter, skin: f32) -> Self {
        let bodies = &world.scene.bodies;
        let mut bounds = Aabb::EMPTY;
        let mut parts = SmallVec::new();
        for collider in world.scene.hierarchy.colliders(node) {
            let slot = slot_of(*collider);
            let (what, own) = (bodies.slot(slot), bodies.index.bounds(slot));
            if let (BodyState::Active, false, Some(own)) = (what.state, what.sensor, own)
                && let Some(placed) = bodies.placed_at(slot)
            {
                bounds = bounds.union(own);
                parts.push(Part { placed, layers: what.layers });
            }
        }
        let reach = if parts.is_empty() { Vec2::ZERO } else { bounds.min.abs().max(bounds.max.abs()) };
        let skin = if skin.is_finite() { f64::from(skin) } else { 0.0 };
        let skin = skin.max(f64::from(reach.max_element()) * GRAIN);
        Self { solids: Solids::new(world, node, filter), parts, bounds, moved: DVec2::ZERO, skin }
    }

    /// Prepares for a motion and for `around` to all sides.
    pub(super) fn gather(&mut self, motion: DVec2, around: f64) {
        // As far as it may look ahead, and a little more for the rounding.
        let (from, to) = (self.bounds_now(around + 8.0 * self.skin), motion.as_vec2());
        self.solids.gather(from.union(Aabb { min: from.min + to, max: from.max + to }));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The length of the diagonal of the box around it.
    pub(super) fn size(&self) -> f64 {
        f64::from(self.bounds.size().length())
    }

    /// Half of how wide it is along an axis.
    pub(super) fn half_width(&self, axis: DVec2) -> f64 {
        (self.bounds.size().as_dvec2() * axis.abs()).element_sum() * 0.5
    }

    /// What a motion runs into first, looking a little further than the motion itself.
    pub(super) fn cast(&self, motion: DVec2) -> Option<Touch> {
        let length = motion.length();
        // So much earlier or later is at the same time. The skin is kept from the earliest all the same.
        let window = 0.5 * self.skin / length;
        let mut touches: SmallVec<[Touch; 8]> = SmallVec::new();
        let mut earliest = f64::INFINITY;
        let most = 1.0 + AHEAD * self.skin / length;
        self.each_touch(motion, most, None, &mut |touch| {
            earliest = earliest.min(touch.fraction);
            touches.retain(|other| other.fraction <= earliest + window);
            touches.push(touch);
            most.min(earliest + window)
        });
        touches.retain(|touch| touch.fraction <= earliest + window);
        touches.iter().copied().reduce(|best, touch| if touch.comes_before(&best) { touch } else { best })
    }

    /// Moves along, up to where the skin is kept from what was touched. The part of the motion that is left.
    pub(super) fn advance(&mut self, motion: DVec2, touch: Option<&Touch>) -> f64 {
        let part = touch.map_or(1.0, |touch| {
            let approach = -motion.dot(touch.normal);
            (touch.fraction - self.skin / approach).clamp(0.0, 1.0)
        });
        self.moved += motion * part;
        1.0 - part
    }

    /// Visits everything that a motion runs into, as if the others were not there, no further than `visit` returned
    /// last; or one collider alone.
    pub(super) fn each_touch(&self, motion: DVec2, most: f64, only: Option<Side>, visit: &mut dyn FnMut(Touch) -> f64) {
        let Some(sweep) = Sweep::new(self.moved, motion).filter(|_| !self.is_empty()) else { return };
        let from = self.bounds_now(self.skin);
        let mut limit = most;
        self.solids.along(from, motion, most, &mut |what, target| {
            if only.is_some_and(|only| only.collider != what.owner) {
                return limit;
            }
            let (ray, reach) = sweep.of_box(from, limit);
            for part in self.parts.iter().filter(|part| part.layers.meets(what.layers)) {
                part.placed.along(target, &ray, reach, &mut |own, piece, other, most| {
                    let one_way = self.solids.one_way(what, target, piece);
                    limit = limit.min(most);
                    if let Some(touch) = blocking(&sweep, limit, one_way, own, other) {
                        let Meeting { point, width } = sweep.meeting(own, other, &touch);
                        let SweepTouch { fraction, normal } = touch;
                        limit = visit(Touch { side: what.side(), piece, fraction, normal, point, width });
                    }
                    limit
                });
            }
            limit
        });
    }

    /// Visits everything solid that is within a distance.
    pub(super) fn each_near(&self, margin: f64, visit: &mut dyn FnMut(&Near<'_>)) {
        if self.is_empty() {
            return;
        }
        let region = self.bounds_now(margin);
        self.solids.in_region(region, &mut |what, target| {
            for part in self.parts.iter().filter(|part| part.layers.meets(what.layers)) {
                part.placed.against(target, region, &mut |own, piece, other| {
                    if is_beyond(own, other, self.moved, margin) {
                        return;
                    }
                    let apart = separation_after(own, other, self.moved);
                    if apart.gap < margin {
                        let (gap, normal, graze) = (apart.gap, -apart.normal, graze(own, other));
                        let one_way = self.solids.one_way(what, target, piece);
                        visit(&Near { gap, normal, graze, one_way, own, other });
                    }
                });
            }
        });
    }

    /// The box around all parts where they are now, and some more.
    fn bounds_now(&self, margin: f64) -> Aabb {
        let (moved, margin) = (self.moved.as_vec2(), margin as f32);
        Aabb { min: self.bounds.min + moved - margin, max: self.bounds.max + moved + margin }
    }
}

/// Where one hull touches another, unless it may pass.
fn blocking(sweep: &Sweep, limit: f64, one_way: Option<DVec2>, own: &Hull<'_>, other: &Hull<'_>) -> Option<SweepTouch> {
    if one_way.is_some_and(|up| sweep.motion.dot(up) >= 0.0) {
        return None;
    }
    // What is inside all the same may leave.
    let leaves = |touch: &SweepTouch| -sweep.motion.dot(touch.normal) <= sweep.length * GRAZING;
    let touch = sweep.touch(own, other, limit).filter(|touch| !leaves(touch))?;
    let passes = |up: DVec2| {
        let is_inside = || separation_after(own, other, sweep.start).gap < -graze(own, other);
        touch.normal.dot(up) < HOLDS || (touch.fraction == 0.0 && is_inside())
    };
    (!one_way.is_some_and(passes)).then_some(touch)
}
