//! The colliders in the world: their records, their world forms, and which of them touch.

mod collider_record;
mod colliders;
mod event;
mod ignored_pairs;
mod moved_shapes;
mod narrow_phase;
mod owner_boundaries;
mod pair;
mod pair_key;
mod pair_set;
mod refresh;
mod touching;

pub(super) use collider_record::{ColliderRecord, ColliderState};
pub(super) use colliders::Colliders;
pub use event::CollisionEvent;
use ignored_pairs::IgnoredPairs;
pub(super) use narrow_phase::NarrowPhase;
pub(super) use owner_boundaries::OwnerBoundaries;
pub use pair::{CollisionPair, NodeCollider};
pub(super) use touching::Touching;
pub use touching::TouchingPairs;
