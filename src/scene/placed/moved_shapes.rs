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
        write_parts(by_kind.each_ref().map(Vec::as_slice), locals, (0, worlds), &mut placed[..count]);
        by_kind.iter_mut().for_each(Vec::clear);
        &placed[..count]
    }
}

/// Writes the world forms of moved shapes, which are listed by kind, and a record of each. `worlds` are the world forms
/// from `first_slot` on. It runs on several threads if the lists are long and in the order of the slots.
fn write_parts(
    moved: [&[MovedShape]; Kind::COUNT],
    locals: &[Option<Shape>],
    (first_slot, worlds): (u32, &mut [Shape]),
    placed: &mut [PlacedShape],
) {
    let longest = moved.iter().max_by_key(|moved| moved.len()).map_or(&[][..], |moved| moved);
    let is_in_order = |moved: &&[MovedShape]| moved.is_sorted_by_key(|moved| moved.slot);
    if longest.len() / 2 >= MIN_PART && moved.iter().all(is_in_order) {
        let middle = longest[longest.len() / 2].slot;
        let parts = moved.map(|moved| moved.split_at(moved.partition_point(|moved| moved.slot < middle)));
        let (low, high) = (parts.map(|(low, _)| low), parts.map(|(_, high)| high));
        let (low_worlds, high_worlds) = worlds.split_at_mut((middle - first_slot) as usize);
        let (low_placed, high_placed) = placed.split_at_mut(low.iter().map(|moved| moved.len()).sum());
        return join(
            || write_parts(low, locals, (first_slot, low_worlds), low_placed),
            || write_parts(high, locals, (middle, high_worlds), high_placed),
        );
    }
    let mut placed = placed.iter_mut();
    for moved in moved {
        for (MovedShape { slot, at }, placed) in moved.iter().zip(&mut placed) {
            let Some(local) = &locals[*slot as usize] else { continue };
            let world = &mut worlds[(slot - first_slot) as usize];
            let bounds = local.write_world_form(at, world);
            *placed = PlacedShape { slot: *slot, kind: world.kind(), bounds };
        }
    }
}
