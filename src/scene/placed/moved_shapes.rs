use alloc::vec::Vec;

use glam::Affine2;

use crate::math::Aabb;
use crate::math::parallel::{MIN_PART, join};
use crate::shape::{Kind, Shape, WorldForm};

/// During a refresh: the built-in shapes whose nodes have moved. They are listed by kind, so that the branches on the
/// kind are predictable.
#[derive(Debug, Default)]
pub(super) struct MovedShapes {
    /// By the kind of the local shape.
    by_kind: [Vec<MovedShape>; Kind::COUNT],
    /// Memory for the records of the world forms.
    placed: Vec<PlacedShape>,
}

#[derive(Debug, Clone, Copy)]
struct MovedShape {
    slot: u32,
    /// The world transform of the node.
    at: Affine2,
}

/// A record of a world form that was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedShape {
    pub(super) slot: u32,
    pub(super) kind: Kind,
    pub(super) bounds: Aabb,
}

impl MovedShapes {
    /// Adds the shape of this kind in a slot, whose node has this world transform.
    #[inline]
    pub(super) fn push(&mut self, kind: Kind, slot: u32, at: Affine2) {
        self.by_kind[kind as usize].push(MovedShape { slot, at });
    }

    /// Writes the world forms of the local shapes in the lists, and empties the lists. Returns a record of each.
    pub(super) fn write_world_forms(&mut self, locals: &[Option<Shape>], worlds: &mut [Shape]) -> &[PlacedShape] {
        let Self { by_kind, placed } = self;
        let count = by_kind.iter().map(Vec::len).sum();
        if placed.len() < count {
            placed.resize(count, PlacedShape { slot: 0, kind: Kind::Circle, bounds: Aabb::EMPTY });
        }
        let worlds = WorldFormRange { first_slot: 0, shapes: worlds };
        write_parts(by_kind.each_ref().map(Vec::as_slice), locals, worlds, &mut placed[..count]);
        by_kind.iter_mut().for_each(Vec::clear);
        &placed[..count]
    }
}

/// The world forms in a range of slots.
struct WorldFormRange<'w> {
    first_slot: u32,
    shapes: &'w mut [Shape],
}

impl<'w> WorldFormRange<'w> {
    /// Divides the range before a slot.
    fn split_at(self, slot: u32) -> [Self; 2] {
        let (low, high) = self.shapes.split_at_mut((slot - self.first_slot) as usize);
        [Self { first_slot: self.first_slot, shapes: low }, Self { first_slot: slot, shapes: high }]
    }
}

/// Writes the world forms of moved shapes, and a record of each. It runs on several threads if the lists are long and in the
/// order of the slots.
fn write_parts(
    by_kind: [&[MovedShape]; Kind::COUNT],
    locals: &[Option<Shape>],
    worlds: WorldFormRange<'_>,
    placed: &mut [PlacedShape],
) {
    let longest = by_kind.iter().max_by_key(|list| list.len()).map_or(&[][..], |list| list);
    let is_in_order = |list: &&[MovedShape]| list.is_sorted_by_key(|moved| moved.slot);
    if longest.len() / 2 >= MIN_PART && by_kind.iter().all(is_in_order) {
        let middle = longest[longest.len() / 2].slot;
        let halves = by_kind.map(|list| list.split_at(list.partition_point(|moved| moved.slot < middle)));
        let (low, high) = (halves.map(|(low, _)| low), halves.map(|(_, high)| high));
        let [low_worlds, high_worlds] = worlds.split_at(middle);
        let (low_placed, high_placed) = placed.split_at_mut(low.iter().map(|list| list.len()).sum());
        return join(
            || write_parts(low, locals, low_worlds, low_placed),
            || write_parts(high, locals, high_worlds, high_placed),
        );
    }
    let mut placed = placed.iter_mut();
    for list in by_kind {
        for (MovedShape { slot, at }, placed) in list.iter().zip(&mut placed) {
            let Some(local) = &locals[*slot as usize] else { continue };
            let world = &mut worlds.shapes[(slot - worlds.first_slot) as usize];
            let bounds = local.write_world_form(at, world);
            *placed = PlacedShape { slot: *slot, kind: world.kind(), bounds };
        }
    }
}
