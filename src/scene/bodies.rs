use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use glam::{Affine2, Vec2};
use slotmap::{Key, SlotMap};

use super::memory::shrink;
use super::transforms::{Standing, Transforms};
use super::{ColliderId, CollisionPair, NodeId, Side, slot_of};
use crate::collider::{Attachment, CollisionLayers, Placed, Sealed};
use crate::index::Index;
use crate::math::Aabb;
use crate::shape::{Circle, Contact, Image, Kind, Local, Shape};

/// The colliders in the world: their world forms, and the index over them.
///
/// What every frame touches lies in dense arrays by slot, which is the first half of an id; the rest is in the map.
#[derive(Debug, Clone, Default)]
pub(super) struct Bodies {
    map: SlotMap<ColliderId, Body>,
    slots: Vec<Slot>,
    /// What the narrow phase reads of every candidate.
    pub(super) briefs: Vec<Brief>,
    /// Built-in shapes in their nodes' frames, by slot.
    locals: Vec<Shape>,
    /// Their world forms, by slot.
    pub(super) shapes: Vec<Shape>,
    pub(super) index: Index,
    /// To be placed one by one at the next refresh, each once.
    touched: Vec<ColliderId>,
    /// Slots whose nodes moved, with the slots of those, by the kind of what is there: so each list is one loop over
    /// one map.
    moved: [Vec<[u32; 2]>; Kind::COUNT],
    /// What became of them.
    placed: Vec<Image>,
    /// Slots of those placed anew since the last update, each once.
    stirred: Vec<u32>,
    /// Those whose own size overflows where they are.
    overflowing: BTreeSet<ColliderId>,
}

/// What decides whether two colliders are tested at all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) owner: ColliderId,
    pub(super) node: NodeId,
    pub(super) layers: CollisionLayers,
    /// Of the shape in its node's frame; `None` for a user's.
    local: Option<Kind>,
    pub(super) sensor: bool,
    pub(super) state: BodyState,
}

/// What most pairs of colliders need no more than, to be told apart and to be sorted by kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Brief {
    /// The slot of its node.
    pub(super) node: u32,
    /// Its row of the pair table: the kind of its world form, or [`USERS`].
    pub(super) row: u8,
    /// Whether it is in all layers and meets all.
    pub(super) meets_all: bool,
    /// Whether it is on the list of the stirred.
    pub(super) stirred: bool,
}

impl Brief {
    const FRESH: Self = Self { node: 0, row: USERS, meets_all: false, stirred: false };

    #[inline]
    fn stir(&mut self, slot: u32, list: &mut Vec<u32>) {
        if !core::mem::replace(&mut self.stirred, true) {
            list.push(slot);
        }
    }
}

/// The rest of a collider.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) node: NodeId,
    pub(super) attachment: Attachment,
    /// The node's world transform, kept for users' shapes alone.
    at: Affine2,
    /// How many others it touched at the last update.
    pub(super) touching: u32,
    touched: bool,
    /// Whether its shape may be another since the last refresh.
    edited: bool,
}

/// Whether a collider takes part, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyState {
    Active,
    Disabled,
    SetAside,
}

impl Slot {
    /// Whether two colliders may touch at all.
    #[inline]
    pub(super) fn may_touch(&self, other: &Self) -> bool {
        self.node != other.node && self.layers.meets(other.layers)
    }

    pub(super) fn side(&self) -> Side {
        Side { node: self.node, collider: self.owner }
    }
}

/// The row of users' shapes, after all others.
const USERS: u8 = Kind::COUNT as u8;

/// What is in a slot before anything is placed there.
const NOWHERE: Shape = Shape::Circle(Circle::point(Vec2::NAN));

impl Bodies {
    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    #[inline]
    pub(super) fn body(&self, id: ColliderId) -> Option<&Body> {
        self.map.get(id)
    }

    pub(super) fn body_mut(&mut self, id: ColliderId) -> Option<&mut Body> {
        self.map.get_mut(id)
    }

    /// Every body, in order of their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ColliderId, &Body)> {
        self.map.iter()
    }

    #[inline]
    pub(super) fn slot(&self, slot: u32) -> &Slot {
        &self.slots[slot as usize]
    }

    /// The collider in the world, with its world form where it is a built-in shape.
    #[inline]
    pub(super) fn placed(&self, id: ColliderId) -> Option<Placed<'_>> {
        let body = self.map.get(id)?;
        Some(Placed { collider: body.attachment.shape(), at: &body.at, shape: self.shape(slot_of(id)) })
    }

    /// The collider in a slot at its place; a built-in shape as its world form alone.
    #[inline]
    pub(super) fn placed_at(&self, slot: u32) -> Option<Placed<'_>> {
        self.shape(slot).map(Placed::shape).or_else(|| self.placed(self.slot(slot).owner))
    }

    /// The world form in a slot, if it is a built-in shape.
    #[inline]
    pub(super) fn shape(&self, slot: u32) -> Option<&Shape> {
        (self.briefs[slot as usize].row != USERS).then(|| &self.shapes[slot as usize])
    }

    pub(super) fn insert(&mut self, node: NodeId, attachment: Attachment) -> ColliderId {
        let layers = attachment.layers;
        let body = Body { node, attachment, at: Affine2::NAN, touching: 0, touched: true, edited: true };
        let owner = self.map.insert(body);
        let slot = slot_of(owner) as usize;
        let state = BodyState::SetAside;
        let fresh = Slot { owner, node, layers, local: None, sensor: false, state };
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, fresh);
            self.briefs.resize(slot + 1, Brief::FRESH);
            self.locals.resize(slot + 1, NOWHERE);
            self.shapes.resize(slot + 1, NOWHERE);
        }
        self.slots[slot] = fresh;
        // The slot may be on the list of the stirred by its last owner.
        self.briefs[slot] = Brief { stirred: self.briefs[slot].stirred, ..Brief::FRESH };
        self.touched.push(owner);
        owner
    }

    pub(super) fn remove(&mut self, id: ColliderId) -> Option<Body> {
        let body = self.map.remove(id)?;
        self.overflowing.remove(&id);
        self.index.remove(slot_of(id));
        self.slots[slot_of(id) as usize].owner = ColliderId::null();
        Some(body)
    }

    /// The attachment for changing; the body counts as changed from now on.
    pub(super) fn attachment_mut(&mut self, id: ColliderId) -> Option<&mut Attachment> {
        self.touch(id);
        self.map.get_mut(id).map(|body| {
            body.edited = true;
            &mut body.attachment
        })
    }

    pub(super) fn touch(&mut self, id: ColliderId) {
        if let Some(body) = self.map.get_mut(id).filter(|body| !body.touched) {
            body.touched = true;
            self.touched.push(id);
        }
    }

    /// Takes in that the node of a collider has moved; both by their slots.
    #[inline]
    pub(super) fn follow(&mut self, slot: u32, node: u32, standing: Standing) {
        let own = &self.slots[slot as usize];
        match own.local {
            Some(kind) if standing.takes_part() && own.state == BodyState::Active => {
                self.moved[kind as usize].push([slot, node]);
            }
            _ => self.touch(own.owner),
        }
    }

    /// Places what has moved or was edited, and brings the index up to date.
    pub(super) fn refresh(&mut self, transforms: &Transforms) {
        let Self { moved, placed, locals, shapes, slots, briefs, index, stirred, .. } = self;
        for (moved, kind) in moved.iter_mut().zip(Kind::ALL).filter(|(moved, _)| !moved.is_empty()) {
            Shape::place_all(kind, moved, transforms.worlds(), locals, shapes, placed);
            moved.clear();
        }
        let mut overflowed = Vec::new();
        for Image { bounds, slot, kind } in placed.drain(..) {
            let brief = &mut briefs[slot as usize];
            brief.row = kind as u8;
            brief.stir(slot, stirred);
            if bounds.is_finite() {
                index.set(slot, bounds);
            } else {
                overflowed.push(slots[slot as usize].owner);
            }
        }
        overflowed.into_iter().for_each(|id| self.touch(id));
        let mut touched = core::mem::take(&mut self.touched);
        for id in touched.drain(..) {
            let Some(body) = self.map.get_mut(id) else { continue };
            body.touched = false;
            let slot = slot_of(id) as usize;
            if core::mem::take(&mut body.edited) {
                let local = body.attachment.shape().flat(Sealed);
                self.slots[slot].local = local.as_ref().map(Shape::kind);
                self.locals[slot] = local.unwrap_or(NOWHERE);
            }
            self.place(id, transforms);
        }
        self.touched = touched;
        self.index.refresh();
    }

    /// Takes in everything about a collider, at its node.
    fn place(&mut self, id: ColliderId, transforms: &Transforms) {
        let Some(body) = self.map.get_mut(id) else { return };
        let index = slot_of(id);
        let (slot, brief, attachment) =
            (&mut self.slots[index as usize], &mut self.briefs[index as usize], &body.attachment);
        (slot.layers, slot.sensor, slot.node) = (attachment.layers, attachment.sensor, body.node);
        brief.node = slot_of(body.node);
        brief.meets_all = attachment.layers == CollisionLayers::ALL;
        brief.stir(index, &mut self.stirred);
        if !self.overflowing.is_empty() {
            self.overflowing.remove(&id);
        }
        slot.state = BodyState::SetAside;
        if let Some(at) = transforms.world(body.node) {
            body.at = at;
            let bounds = match slot.local {
                Some(_) => {
                    let world = &mut self.shapes[index as usize];
                    let bounds = self.locals[index as usize].place(&at, world);
                    brief.row = world.kind() as u8;
                    bounds
                }
                None => {
                    brief.row = USERS;
                    attachment.shape().bounds(&at)
                }
            };
            if !bounds.is_finite() {
                self.overflowing.insert(id);
            } else if transforms.standing(body.node).is_enabled() && attachment.enabled {
                slot.state = BodyState::Active;
                self.index.set(index, bounds);
                return;
            } else {
                slot.state = BodyState::Disabled;
            }
        }
        self.index.remove(index);
    }

    /// The box around a collider as it was placed last, finite or not.
    pub(super) fn bounds(&self, id: ColliderId) -> Option<Aabb> {
        let slot = slot_of(id);
        match (self.index.bounds(slot), self.placed(id)?) {
            (Some(bounds), _) => Some(bounds),
            (None, Placed { shape: Some(shape), .. }) => Some(shape.bounds()),
            (None, placed) => Some(placed.collider.bounds(placed.at)),
        }
    }

    /// The slots of the bodies placed anew since the last update, each once.
    pub(super) fn stirred(&self) -> &[u32] {
        &self.stirred
    }

    /// The pair of two slots.
    pub(super) fn pair(&self, [a, b]: [u32; 2]) -> CollisionPair {
        let [a, b] = [self.slot(a), self.slot(b)];
        CollisionPair { a: a.side(), b: b.side(), sensor: a.sensor || b.sensor, node_boundary: false }
    }

    /// How two slots overlap. The normal points from the first to the second.
    pub(super) fn contact(&self, [a, b]: [u32; 2]) -> Option<Contact> {
        match (self.shape(a), self.shape(b)) {
            (Some(a), Some(b)) => a.contact(b),
            _ => self.placed(self.slot(a).owner)?.contact(&self.placed(self.slot(b).owner)?),
        }
    }

    /// Begins the time until the next update.
    pub(super) fn settle(&mut self) {
        for slot in self.stirred.drain(..) {
            self.briefs[slot as usize].stirred = false;
        }
        self.index.settle();
    }

    /// Gives back memory that is not in use. Nothing may be touched.
    pub(super) fn shrink_to_fit(&mut self) {
        let live = self.map.keys().map(slot_of);
        let slots = live.chain(self.stirred.iter().copied()).map(|slot| slot as usize + 1).max().unwrap_or(0);
        shrink(&mut self.slots, slots);
        shrink(&mut self.briefs, slots);
        shrink(&mut self.locals, slots);
        shrink(&mut self.shapes, slots);
        let old = core::mem::take(&mut self.index);
        for slot in 0..slots as u32 {
            if let Some(bounds) = old.bounds(slot) {
                self.index.set(slot, bounds);
            }
        }
        self.index.refresh();
        self.touched.shrink_to_fit();
        self.moved = Default::default();
        self.placed = Vec::new();
        self.stirred.shrink_to_fit();
    }

    /// The nodes whose colliders overflow where they are, though the nodes themselves do not.
    pub(super) fn overflowing(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.overflowing.iter().filter_map(|id| self.map.get(*id)).map(|body| body.node)
    }

    /// Checks that slots, briefs and the index agree with the bodies; what is wrong, if anything. Nothing may wait to
    /// be placed.
    pub(super) fn validate(&self) -> Result<(), String> {
        self.index.validate()?;
        let mut active = 0;
        for (id, body) in &self.map {
            let (place, attachment) = (slot_of(id), &body.attachment);
            let (slot, brief) = (self.slot(place), &self.briefs[place as usize]);
            let is_active = slot.state == BodyState::Active;
            let checks = [
                (slot.owner == id, "is not in its slot"),
                (slot.node == body.node && brief.node == slot_of(body.node), "is placed with another node"),
                (
                    (slot.layers, slot.sensor) == (attachment.layers, attachment.sensor),
                    "has other settings in its slot",
                ),
                (brief.meets_all == (slot.layers == CollisionLayers::ALL), "has other layers in its brief"),
                (is_active == self.index.bounds(place).is_some(), "is active, or in the index, but not both"),
            ];
            if let Some((_, what)) = checks.iter().find(|(holds, _)| !holds) {
                return Err(format!("{id:?} {what}"));
            }
            active += usize::from(is_active);
        }
        let indexed = (0..self.slots.len() as u32).filter(|slot| self.index.bounds(*slot).is_some()).count();
        if indexed == active { Ok(()) } else { Err(format!("{active} are active, but {indexed} in the index")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_small_numbers_in_the_order_of_the_ids() {
        let mut ids: SlotMap<ColliderId, ()> = SlotMap::with_key();
        let mut live: Vec<ColliderId> = (0..100).map(|_| ids.insert(())).collect();
        for id in live.drain(30..60) {
            ids.remove(id);
        }
        live.extend((0..50).map(|_| ids.insert(())));
        live.sort_unstable();
        assert!(live.windows(2).all(|pair| slot_of(pair[0]) < slot_of(pair[1])));
        assert!(live.iter().all(|id| slot_of(*id) <= 120));
    }
}
