use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use super::solids::Solids;
use crate::collider::{CollisionLayers, WorldCollider};
use crate::geometry::{Hull, Meeting, ShapeCast, ShapeCastTouch, is_beyond, mover_touching_depth, separation_after};
use crate::math::Aabb;
use crate::math::tolerance::{INPUT_ROUNDING, ONE_WAY_COS, POSITION_ROUNDING};
use crate::scene::placed::ColliderState;
use crate::scene::{MoveHit, NodeCollider, NodeId, QueryFilter, World, slot_of};

/// The distance beyond a displacement in which a cast looks for surfaces, as a multiple of the skin. So a mover stops
/// before the skin of a surface and not within it, unless the sine of its angle to the surface is below the inverse of
/// this.
const LOOKAHEAD: f64 = 4.0;

/// The colliders of a node during a move.
pub(super) struct Mover<'a> {
    pub(super) solids: Solids<'a>,
    parts: SmallVec<[Part<'a>; 2]>,
    /// The box around all parts at the start.
    bounds: Aabb,
    /// The displacement of all parts from the start.
    pub(super) travel: DVec2,
    /// The distance that the mover keeps from other colliders.
    pub(super) skin: f64,
}

/// A solid collider of the mover.
struct Part<'a> {
    collider: WorldCollider<'a>,
    layers: CollisionLayers,
}

/// The first touch of a displacement with a piece of a collider.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    /// The slot of the collider.
    slot: u32,
    pub(super) piece: u32,
    /// The part of the displacement until the shapes themselves touch.
    pub(super) fraction: f64,
    /// The normal of the collider, facing the mover.
    pub(super) normal: DVec2,
    point: DVec2,
    /// The length of the segment in which the two touch.
    width: f64,
}

/// A piece of a collider near the mover.
pub(super) struct Near<'n> {
    /// The distance; negative inside.
    pub(super) gap: f64,
    /// The normal of the collider, facing the mover.
    pub(super) normal: DVec2,
    /// The depth up to which an overlap counts as touching.
    pub(super) graze: f64,
    /// The direction in which the mover may pass a one-way collider.
    pub(super) one_way: Option<DVec2>,
    pub(super) own: &'n Hull<'n>,
    pub(super) other: &'n Hull<'n>,
}

impl Near<'_> {
    /// Returns `true` if a one-way collider with this direction blocks the mover here.
    pub(super) fn blocks_one_way(&self, up: DVec2) -> bool {
        self.gap >= -self.graze && self.normal.dot(up) >= ONE_WAY_COS
    }
}

impl Touch {
    pub(super) fn hit(&self, world: World<'_>) -> MoveHit {
        let Self { slot, piece, normal, point, .. } = *self;
        MoveHit { side: world.node_collider(slot), point: point.as_vec2(), normal: normal.as_vec2(), piece }
    }

    /// Returns `true` if this touch decides, of two at about the same fraction: that of two faces rather than that of a
    /// corner, whose normal is arbitrary.
    pub(super) fn comes_before(&self, other: &Self) -> bool {
        let (own, others) = ((-self.width, self.fraction), (-other.width, other.fraction));
        own < others || (own == others && (self.slot, self.piece) < (other.slot, other.piece))
    }
}

impl<'a> Mover<'a> {
    /// Returns the solid, enabled colliders of a node as a mover. Without any, nothing blocks it.
    pub(super) fn new(world: World<'a>, node: NodeId, filter: &'a QueryFilter, skin: f32) -> Self {
        let colliders = &world.scene.colliders;
        let mut bounds = Aabb::EMPTY;
        let mut parts = SmallVec::new();
        for slot in world.colliders(node).iter().map(|id| slot_of(*id)) {
            let record = colliders.record(slot);
            if let (ColliderState::Active, false) = (record.state, record.sensor)
                && let (Some(own), Some(collider)) = (colliders.index.bounds(slot), world.collider_at(slot))
            {
                bounds = bounds.union(own);
                parts.push(Part { collider, layers: colliders.layers(slot) });
            }
        }
        let reach = if parts.is_empty() { Vec2::ZERO } else { bounds.min.abs().max(bounds.max.abs()) };
        let skin = if skin.is_finite() { f64::from(skin) } else { 0.0 };
        let skin = skin.max(f64::from(reach.max_element()) * POSITION_ROUNDING);
        Self { solids: Solids::new(world, node, filter), parts, bounds, travel: DVec2::ZERO, skin }
    }

    /// Gathers the colliders around a displacement, with a margin to all sides.
    pub(super) fn gather(&mut self, displacement: DVec2, margin: f64) {
        // The lookahead of a cast, and as much again for the rounding.
        let (from, to) = (self.present_bounds(margin + 2.0 * LOOKAHEAD * self.skin), displacement.as_vec2());
        self.solids.gather(from.union(Aabb { min: from.min + to, max: from.max + to }));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the length of the diagonal of the box around the mover.
    pub(super) fn size(&self) -> f64 {
        f64::from(self.bounds.size().length())
    }

    /// Returns half of the width of that box along an axis.
    pub(super) fn half_width(&self, axis: DVec2) -> f64 {
        (self.bounds.size().as_dvec2() * axis.abs()).element_sum() * 0.5
    }

    /// Returns the first touch of a displacement, and of the distance of the lookahead beyond it.
    pub(super) fn cast(&self, displacement: DVec2) -> Option<Touch> {
        let length = displacement.length();
        // Touches within half a skin count as simultaneous; the mover keeps its skin from the earliest all the same.
        let window = 0.5 * self.skin / length;
        let mut touches: SmallVec<[Touch; 8]> = SmallVec::new();
        let mut earliest = f64::INFINITY;
        let limit = 1.0 + LOOKAHEAD * self.skin / length;
        self.each_touch(displacement, limit, None, &mut |touch| {
            earliest = earliest.min(touch.fraction);
            touches.retain(|other| other.fraction <= earliest + window);
            touches.push(touch);
            limit.min(earliest + window)
        });
        touches.retain(|touch| touch.fraction <= earliest + window);
        touches.iter().copied().reduce(|best, touch| if touch.comes_before(&best) { touch } else { best })
    }

    /// Moves along a displacement, up to the skin of the collider that is touched. Returns the part of the displacement
    /// that is left.
    pub(super) fn advance(&mut self, displacement: DVec2, touch: Option<&Touch>) -> f64 {
        let part = touch.map_or(1.0, |touch| {
            let approach = -displacement.dot(touch.normal);
            (touch.fraction - self.skin / approach).clamp(0.0, 1.0)
        });
        self.travel += displacement * part;
        1.0 - part
    }

    /// Visits the first touch of a displacement with each piece around, as if the others did not exist, up to `limit`
    /// times the displacement, and then up to the limit that `visit` last returned. With `only`, it visits one collider
    /// alone.
    pub(super) fn each_touch(
        &self,
        displacement: DVec2,
        mut limit: f64,
        only: Option<NodeCollider>,
        visit: &mut dyn FnMut(Touch) -> f64,
    ) {
        let Some(cast) = ShapeCast::new(self.travel, displacement).filter(|_| !self.is_empty()) else { return };
        let cast = cast.of_mover();
        let from = self.present_bounds(self.skin);
        self.solids.along(from, displacement, limit, &mut |slot, target| {
            if only.is_some_and(|only| slot_of(only.collider) != slot) {
                return limit;
            }
            let (ray, reach) = cast.of_box(from, limit);
            for part in self.parts_for(slot) {
                part.collider.along(target, &ray, reach, &mut |own, piece, other, most| {
                    let one_way = self.solids.one_way(slot, target, piece);
                    limit = limit.min(most);
                    if let Some(touch) = blocking(&cast, limit, one_way, own, other) {
                        let Meeting { point, width } = Meeting::new(own, other, cast.at(touch.fraction), touch.normal);
                        let ShapeCastTouch { fraction, normal } = touch;
                        limit = visit(Touch { slot, piece, fraction, normal, point, width });
                    }
                    limit
                });
            }
            limit
        });
    }

    /// Visits every piece of a blocking collider within a distance.
    pub(super) fn each_near(&self, distance: f64, visit: &mut dyn FnMut(&Near<'_>)) {
        if self.is_empty() {
            return;
        }
        let region = self.present_bounds(distance);
        self.solids.in_region(region, &mut |slot, target| {
            for part in self.parts_for(slot) {
                part.collider.against(target, region, &mut |own, piece, other| {
                    if is_beyond(own, other, self.travel, distance) {
                        return;
                    }
                    let found = separation_after(own, other, self.travel);
                    if found.gap < distance {
                        let (gap, normal, graze) = (found.gap, -found.normal, mover_touching_depth(own, other));
                        let one_way = self.solids.one_way(slot, target, piece);
                        visit(&Near { gap, normal, graze, one_way, own, other });
                    }
                });
            }
        });
    }

    /// Iterates over the parts whose layers agree with those of another collider.
    fn parts_for(&self, slot: u32) -> impl Iterator<Item = &Part<'a>> {
        let layers = self.solids.world.scene.colliders.layers(slot);
        self.parts.iter().filter(move |part| part.layers.meets(layers))
    }

    /// Returns the box around all parts after the travel, with a margin.
    fn present_bounds(&self, margin: f64) -> Aabb {
        let (travel, margin) = (self.travel.as_vec2(), margin as f32);
        Aabb { min: self.bounds.min + travel - margin, max: self.bounds.max + travel + margin }
    }
}

/// Returns the touch of one hull with another, unless the first may pass.
fn blocking(
    cast: &ShapeCast,
    limit: f64,
    one_way: Option<DVec2>,
    own: &Hull<'_>,
    other: &Hull<'_>,
) -> Option<ShapeCastTouch> {
    if one_way.is_some_and(|up| cast.displacement.dot(up) >= 0.0) {
        return None;
    }
    // A mover that is inside all the same may leave.
    let leaves = |touch: &ShapeCastTouch| -cast.displacement.dot(touch.normal) <= cast.length * INPUT_ROUNDING;
    let touch = cast.first_touch(own, other, limit).filter(|touch| !leaves(touch))?;
    let passes = |up: DVec2| {
        let is_inside = || separation_after(own, other, cast.start).gap < -mover_touching_depth(own, other);
        touch.normal.dot(up) < ONE_WAY_COS || (touch.fraction == 0.0 && is_inside())
    };
    (!one_way.is_some_and(passes)).then_some(touch)
}
