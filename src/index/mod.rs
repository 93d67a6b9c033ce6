//! The broad phase: finds the boxes that overlap each other, a region or a ray. It holds boxes and slots only, no
//! shapes and nothing of the scene.
//!
//! An [`Index`] keeps two trees: the moving tier has the boxes that changed lately, the still tier all others. A box
//! changes its tier by itself. Boxes that move are refitted in place, new ones are appended and sorted among
//! themselves. A whole tree is sorted again when its nodes have grown too much since the last sort, or when too many
//! boxes are gone. There is no cell size and there are no world bounds to choose.
//!
//! An [`ExtendedIndex`] is an index whose candidates outlive a frame.

mod bvh;
mod extended;
#[allow(clippy::module_inception, reason = "the file is named after its type, as all others are")]
mod index;
mod leaf_sort;
mod node8;
mod pair_join;
mod search;
mod sort_policy;

pub(crate) use extended::{ExtendedIndex, Extends, LEAVES_PER_SEARCH};
pub(crate) use index::Index;
pub(crate) use pair_join::PairJoin;
