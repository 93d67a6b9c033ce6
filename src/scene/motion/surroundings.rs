use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::ControlFlow;

use glam::{Affine2, DVec2};
use smallvec::SmallVec;

use super::swept_box::SweptBox;
use super::touch::PieceId;
use crate::collider::{CollisionLayers, WorldCollider};
use crate::math::{Aabb, SlotSet, map_normal, sort_by};
use crate::scene::{NodeId, QueryFilter, World, slot_of};

/// The largest number of colliders that are gathered. If more are near, each cast searches the index.
const MAX_GATHERED: usize = 32;

/// The largest number of boxes in a region in which colliders are gathered. The box around a long diagonal path contains
/// many colliders that are far from the path.
const MAX_BOXES: usize = 8 * MAX_GATHERED;

/// The slots of colliders, with their boxes.
type Gathered = SmallVec<[(u32, Aabb); MAX_GATHERED]>;

/// The colliders that a search visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Blocking,
    Sensors,
    Both,
}

impl Wanted {
    /// Returns `true` if a search visits colliders of a kind: sensors, or all others.
    fn includes(self, sensors: bool) -> bool {
        self == Self::Both || (self == Self::Sensors) == sensors
    }
}

/// The decision about a piece: by the caller's function, or because a mover that follows its platform was inside it before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Blocks,
    Passes,
    /// It does not block, and only a search for a ledge has met it.
    PassesInSearch,
}

/// The colliders that a node may meet on a move: those that block it, and sensors. Those near it are gathered once,
/// because a move searches several times.
pub(super) struct Surroundings<'a> {
    pub(super) world: World<'a>,
    pub(super) node: NodeId,
    /// The slot of the node's owner.
    owner: u32,
    filter: &'a QueryFilter,
    /// The union of the layers of the node's solid colliders.
    layers: CollisionLayers,
    /// `true` if other movers may ride on the node.
    may_carry: bool,
    /// The [body](super::ride::Carry::body) that carries the mover. While it is set, its subtree and what is
    /// `already_carried` do not block.
    pub(super) carrying_body: Option<NodeId>,
    /// The slots of movers that the platform has carried before.
    pub(super) already_carried: Option<&'a SlotSet>,
    /// A node that pushes the mover. While it is set, no other mover blocks.
    pub(super) pusher: Option<NodeId>,
    /// The pieces about which the move has decided.
    pub(super) decisions: SmallVec<[(PieceId, Decision); 8]>,
    /// The slots and boxes of all blocking colliders whose boxes overlap the region.
    blocking: Gathered,
    /// The slots and boxes of all sensors whose boxes overlap the region. A full list may lack some.
    sensors: Gathered,
    /// The region in which all blocking colliders are gathered; empty if there are too many boxes.
    region: Aabb,
    /// `true` if the mover may have met a sensor.
    pub(super) sensors_near: Cell<bool>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(world: World<'a>, node: NodeId, filter: &'a QueryFilter, layers: CollisionLayers) -> Self {
        Self {
            world,
            node,
            owner: world.scene.transforms.owner(slot_of(node)),
            filter,
            layers,
            may_carry: world.scene.may_carry(node),
            carrying_body: None,
            already_carried: None,
            pusher: None,
            decisions: SmallVec::new(),
            blocking: Gathered::new(),
            sensors: Gathered::new(),
            region: Aabb::EMPTY,
            sensors_near: Cell::new(false),
        }
    }

    /// Gathers the colliders in a region, which the mover is not likely to leave.
    pub(super) fn gather(&mut self, region: Aabb) {
        let colliders = &self.world.scene.colliders;
        self.blocking.clear();
        self.sensors.clear();
        let mut boxes = 0;
        let flow = colliders.index.in_region(region, |slot, bounds| {
            boxes += 1;
            if boxes > MAX_BOXES {
                return ControlFlow::Break(());
            }
            if self.is_relevant(slot) {
                // Each list has its own limit, so that the result does not depend on the order of the index. A crowd of
                // sensors, as around units that look for enemies, does not slow down casts against what blocks.
                let is_sensor = self.is_sensor(slot);
                let list = if is_sensor { &mut self.sensors } else { &mut self.blocking };
                if list.len() < MAX_GATHERED {
                    list.push((slot, bounds));
                } else if !is_sensor {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        self.region = if flow.is_break() { Aabb::EMPTY } else { region };
        if flow.is_break() || !self.sensors.is_empty() {
            self.sensors_near.set(true);
        }
    }

    /// Returns `true` if all blocking colliders in a region are gathered.
    pub(super) fn has_gathered(&self, region: Aabb) -> bool {
        self.region.contains_box(region)
    }

    /// Returns `true` if all wanted colliders in a region are gathered.
    fn has_gathered_all(&self, region: Aabb, wanted: Wanted) -> bool {
        self.has_gathered(region) && (wanted == Wanted::Blocking || self.sensors.len() < MAX_GATHERED)
    }

    /// Returns `true` if everything along the path of a box is gathered, and no blocking collider is there.
    pub(super) fn has_gathered_none(&self, bounds: Aabb, displacement: DVec2) -> bool {
        let swept = SweptBox::new(bounds, 0.0, displacement);
        let region = swept.region(1.0);
        self.has_gathered(region) && !self.blocking.iter().any(|(_, bounds)| swept.meets(*bounds, region))
    }

    /// Adds the nodes of the blocking colliders whose boxes overlap a region, with their world transforms, each once and
    /// in the order of their ids.
    pub(super) fn remember(&self, region: Aabb, nearby: &mut Vec<(NodeId, Affine2)>) {
        let scene = self.world.scene;
        self.slots_in_region(region, Wanted::Blocking, |slot| {
            let node = scene.colliders.node(slot);
            nearby.extend(scene.transforms.world(node).map(|transform| (scene.hierarchy.id(node), transform)));
        });
        sort_by(nearby, |(a, _), (b, _)| a < b);
        nearby.dedup_by_key(|(node, _)| *node);
    }

    /// Adds the decision about a piece for which there is none.
    pub(super) fn decide(&mut self, id: PieceId, decision: Decision) {
        // A beam may pass thousands of pieces, each of which looks for its decision in every cast.
        let place = self.decisions.partition_point(|(other, _)| *other < id);
        self.decisions.insert(place, (id, decision));
    }

    /// Returns the decision about a piece, if there is one.
    pub(super) fn decision(&self, id: PieceId) -> Option<Decision> {
        self.decisions.binary_search_by_key(&id, |(other, _)| *other).ok().map(|place| self.decisions[place].1)
    }

    /// Returns `true` if it is decided that a piece does not block.
    pub(super) fn lets_through(&self, id: PieceId) -> bool {
        self.decision(id).is_some_and(|decision| decision != Decision::Blocks)
    }

    /// Returns the direction in which a mover may pass a piece of a collider, as a unit vector in world space; `None`
    /// if it blocks in all directions.
    pub(super) fn one_way(&self, id: PieceId) -> Option<DVec2> {
        let colliders = &self.world.scene.colliders;
        let attachment = colliders.attachments.at(id.slot)?;
        let up = attachment.collider().one_way_of(id.piece).or(attachment.one_way)?.as_dvec2();
        map_normal(self.world.scene.transforms.world(colliders.node(id.slot))?.matrix2.as_dmat2(), up)
    }

    pub(super) fn is_sensor(&self, slot: u32) -> bool {
        self.world.scene.colliders.record(slot).sensor
    }

    pub(super) fn node_of(&self, slot: u32) -> NodeId {
        self.world.scene.hierarchy.id(self.world.scene.colliders.node(slot))
    }

    /// Visits the wanted colliders whose boxes overlap a swept box, up to `limit` times its displacement, and then up to
    /// the limit that `visit` last returned.
    #[inline]
    pub(super) fn along(
        &self,
        swept: &SweptBox,
        mut limit: f64,
        wanted: Wanted,
        visit: &mut dyn FnMut(u32, &WorldCollider<'a>) -> f64,
    ) {
        let mut region = swept.region(limit);
        if self.has_gathered_all(region, wanted) {
            for (slot, bounds) in self.gathered(wanted) {
                if swept.meets(*bounds, region) {
                    region = self.target(*slot).map_or(region, |target| swept.region(visit(*slot, &target)));
                }
            }
            return;
        }
        let index = &self.world.scene.colliders.index;
        index.extended().cast_aabb(swept.from, swept.displacement.as_vec2(), limit as f32, |slot, _| {
            if self.is_relevant(slot) {
                let is_sensor = self.is_sensor(slot);
                if is_sensor {
                    self.sensors_near.set(true);
                }
                // The boxes of the index are larger than those of the colliders. How much depends on earlier frames, and a
                // piece beyond the end of the path counts if the mover comes within its skin.
                let in_path = |bounds| swept.meets(bounds, swept.region(limit));
                if wanted.includes(is_sensor) && index.bounds(slot).is_some_and(in_path) {
                    limit = self.target(slot).map_or(limit, |target| visit(slot, &target));
                }
            }
            limit as f32
        });
    }

    /// Visits the wanted colliders whose boxes overlap a region.
    pub(super) fn in_region(&self, region: Aabb, wanted: Wanted, visit: &mut dyn FnMut(u32, &WorldCollider<'a>)) {
        self.slots_in_region(region, wanted, |slot| _ = self.target(slot).map(|target| visit(slot, &target)));
    }

    /// Visits the slots of the wanted colliders whose boxes overlap a region.
    #[inline]
    fn slots_in_region(&self, region: Aabb, wanted: Wanted, mut visit: impl FnMut(u32)) {
        if self.has_gathered_all(region, wanted) {
            let gathered = self.gathered(wanted);
            return gathered.filter(|(_, bounds)| bounds.overlaps(region)).for_each(|(slot, _)| visit(*slot));
        }
        self.world.scene.colliders.index.each_in_region(region, |slot, _| {
            if wanted.includes(self.is_sensor(slot)) && self.is_relevant(slot) {
                visit(slot);
            }
        });
    }

    /// Iterates over the wanted colliders among the gathered ones.
    #[inline]
    fn gathered(&self, wanted: Wanted) -> impl Iterator<Item = &(u32, Aabb)> {
        let of = |list, is_wanted| if is_wanted { Gathered::as_slice(list) } else { &[] };
        of(&self.sensors, wanted.includes(true)).iter().chain(of(&self.blocking, wanted.includes(false)))
    }

    /// Returns a collider in world space; `None` if it does not block now: it carries the mover, is carried along with it, or
    /// will make way for it in a push.
    #[inline]
    pub(super) fn target(&self, slot: u32) -> Option<WorldCollider<'a>> {
        let moves_along = self.carrying_body.is_some_and(|body| self.moves_with(slot, body));
        let makes_way = self.pusher.is_some_and(|pusher| self.is_mover(slot) && !self.is_on(slot, pusher));
        if moves_along || makes_way { None } else { self.world.collider_at(slot) }
    }

    /// Returns `true` if a collider blocks a move of the node, or is a sensor that the move reports; also for some whose
    /// layers agree with the union only. The colliders of the node's owner, of its descendants, of ignored pairs, and of
    /// its riders, which follow with their own moves, do neither.
    pub(super) fn is_relevant(&self, slot: u32) -> bool {
        let scene = self.world.scene;
        scene.colliders.record(slot).owner != self.owner
            && self.layers.meets(scene.colliders.layers(slot))
            && self.world.accepts(slot, self.filter)
            && !self.is_on(slot, self.node)
            && !scene.colliders.ignores_node([slot_of(self.node), self.owner], slot)
            && !(self.may_carry && scene.rides_on(self.node_of(slot), self.node))
    }

    /// Returns `true` if a collider is on the body that carries the mover, or on a mover that the platform has carried before.
    pub(super) fn moves_with(&self, slot: u32, body: NodeId) -> bool {
        let mut nodes = self.world.scene.hierarchy.ancestors(self.node_of(slot));
        self.is_on(slot, body)
            || self.already_carried.is_some_and(|carried| nodes.any(|node| carried.contains(slot_of(node))))
    }

    /// Returns `true` if a collider is on a node or on a descendant of it.
    pub(super) fn is_on(&self, slot: u32, node: NodeId) -> bool {
        self.world.scene.hierarchy.is_within(self.node_of(slot), node)
    }

    pub(super) fn is_mover(&self, slot: u32) -> bool {
        self.world.scene.movers.contains_key(self.node_of(slot))
    }
}
