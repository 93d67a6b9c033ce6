use alloc::vec::Vec;

use super::{Index, PairJoin};
use crate::math::Aabb;

/// Many searches at once: the slots whose boxes overlap each of some regions. It keeps its memory for the next batch.
#[derive(Debug, Default)]
pub(crate) struct BatchSearch {
    keys: Vec<u32>,
    regions: Vec<Aabb>,
    moving: PairJoin,
    still: PairJoin,
    found: Vec<u32>,
}

impl BatchSearch {
    /// Calls `visit` with the key of each region and the slots whose boxes overlap it, in no particular order. The
    /// regions must be finite or empty.
    pub(super) fn run(
        &mut self,
        index: &Index,
        regions: impl Iterator<Item = (u32, Aabb)>,
        mut visit: impl FnMut(u32, &[u32]),
    ) {
        let Self { keys, regions: list, moving, still, found } = self;
        keys.clear();
        list.clear();
        for (key, region) in regions {
            keys.push(key);
            list.push(region);
        }
        let mut moving = moving.around(list, &index.moving).peekable();
        let mut still = still.around(list, &index.still).peekable();
        for (region, key) in keys.iter().enumerate() {
            found.clear();
            for tier in [&mut moving, &mut still] {
                while let Some([_, slot]) = tier.next_if(|[of, _]| *of as usize == region) {
                    found.push(slot);
                }
            }
            visit(*key, found);
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
                let mut visited = 0;
                search.run(&index, (0..).zip(regions.iter().copied()), |region, slots| {
                    let mut expected = Vec::new();
                    index.any_in_region(regions[region as usize], &mut |slot| {
                        expected.push(slot);
                        false
                    });
                    let mut found = slots.to_vec();
                    found.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!((region, found), (visited, expected));
                    visited += 1;
                });
                assert_eq!(visited as usize, regions.len());
            }
        }
    }
}
