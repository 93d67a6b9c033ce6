use alloc::vec::Vec;

use super::{Index, PairJoin};
use crate::math::Aabb;

/// Many searches at once: the slots whose boxes overlap each of some regions. It keeps its memory for the next batch.
#[derive(Debug, Default)]
pub(crate) struct BatchSearch {
    keys: Vec<u32>,
    regions: Vec<Aabb>,
    join: PairJoin,
}

impl BatchSearch {
    /// Calls `visit` with the key of each region and each slot whose box overlaps it, in no particular order. The regions
    /// must be finite or empty.
    pub(super) fn run(
        &mut self,
        index: &Index,
        regions: impl Iterator<Item = (u32, Aabb)>,
        mut visit: impl FnMut(u32, u32),
    ) {
        let Self { keys, regions: list, join } = self;
        keys.clear();
        list.clear();
        for (key, region) in regions {
            keys.push(key);
            list.push(region);
        }
        for bvh in [&index.moving, &index.still] {
            join.around(list, bvh).for_each(|[region, slot]| visit(keys[region as usize], slot));
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    #[test]
    fn a_batch_finds_what_single_searches_find() {
        let boxes = |count: u32, size: f32| {
            (0..count).map(move |number| {
                let bits = number.wrapping_mul(0x9e37_79b9);
                let at = Vec2::new((bits >> 26) as f32, (bits >> 10 & 63) as f32);
                Aabb { min: at, max: at + size }
            })
        };
        for count in [0, 1, 9, 700] {
            let mut index: Index = boxes(count, 2.0).collect();
            // All boxes but a few become still.
            index.transfer_to_still(|slot| boxes(count, 2.0).nth(slot as usize).filter(|_| slot >= 5));
            let regions: Vec<Aabb> = boxes(50, 5.0).chain([Aabb::EMPTY]).collect();
            let mut search = BatchSearch::default();
            for _ in 0..2 {
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                search.run(&index, (0..).zip(regions.iter().copied()), |region, slot| found.push((region, slot)));
                for (region, bounds) in (0..).zip(&regions) {
                    index.any_in_region(*bounds, &mut |slot| {
                        expected.push((region, slot));
                        false
                    });
                }
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }
}
