use alloc::vec::Vec;
use core::mem::take;

use glam::Vec2;

use super::moved::{MoveHit, Moved};
use super::options::MoveOptions;
use super::slopes::{Slopes, Surface};
use crate::math::{Checksum, clone_fields};
use crate::scene::NodeId;
use crate::scene::placed::Colliders;

/// The moves of a mover with its platform since its own last move: a rider of this mover or a mover beside it moved first
/// and brought the mover along, or the platform was pushed. The mover's next move reports them.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::scene) struct EarlyMove {
    #[cfg_attr(feature = "serde", serde(with = "crate::math::saved"))]
    pub(super) travel: Vec2,
    /// The platform that carried the mover all of that way, if it was one.
    pub(super) platform: Option<NodeId>,
    /// The hits with pieces that blocked it, each piece once.
    hits: Vec<MoveHit>,
}

clone_fields!(EarlyMove { travel, platform, hits });

impl EarlyMove {
    /// Adds a travel with a platform.
    pub(super) fn add_travel(&mut self, travel: Vec2, platform: Option<NodeId>) {
        if travel == Vec2::ZERO {
            return;
        }
        let is_first = self.travel == Vec2::ZERO;
        self.platform = platform.filter(|_| is_first || self.platform == platform);
        self.travel += travel;
    }

    /// Adds hits with pieces that have not blocked the mover before, and drops those with colliders that are gone. So the
    /// list stays short, however often the platform moves.
    pub(super) fn add_hits(&mut self, hits: &[MoveHit], colliders: &Colliders) {
        if hits.is_empty() {
            return;
        }
        self.hits.retain(|hit| is_current(hit, colliders));
        let pieces = |hit: &MoveHit| (hit.own, hit.side.collider, hit.piece);
        for hit in hits {
            if !self.hits.iter().any(|other| pieces(other) == pieces(hit)) {
                self.hits.push(*hit);
            }
        }
    }

    /// Reports the early move in the result of the mover's own one, which came later, and ends it. Hits with colliders that
    /// are gone are not reported.
    pub(super) fn report(&mut self, options: &MoveOptions, moved: &mut Moved, colliders: &Colliders) {
        let travel = take(&mut self.travel);
        self.platform = None;
        moved.carried += travel;
        moved.travel += travel;
        // Most moves have none.
        if self.hits.is_empty() {
            return;
        }
        let own = moved.hits.len();
        moved.hits.insert_many(0, self.hits.drain(..).filter(|hit| is_current(hit, colliders)));
        let early = moved.hits.len() - own;
        let slopes = Slopes::new(options);
        for hit in moved.hits[..early].iter().rev() {
            match slopes.surface(hit.normal.as_dvec2()) {
                // The mover has left it, or stands on it still.
                Surface::Floor => {}
                Surface::Wall => moved.wall = Some(*hit),
                Surface::Ceiling => moved.ceiling = Some(*hit),
            }
        }
    }

    /// Empties it and keeps its capacity.
    pub(super) fn clear(&mut self) {
        self.travel = Vec2::ZERO;
        self.platform = None;
        self.hits.clear();
    }

    pub(super) fn add_to(&self, sum: &mut Checksum) {
        let Self { travel, platform, hits } = self;
        sum.add_vec2(*travel);
        if let Some(platform) = platform {
            sum.add(platform.to_bits());
        }
        sum.add(hits.len() as u64);
        for hit in hits {
            let MoveHit { side, own, point, normal, fraction, depth, began_inside, piece } = *hit;
            sum.add(side.collider.to_bits());
            sum.add(own.to_bits());
            sum.add_vec2(point);
            sum.add_vec2(normal);
            sum.add_f32(fraction);
            sum.add_f32(depth);
            sum.add(began_inside);
            sum.add(piece);
        }
    }
}

/// Returns `true` if both colliders of a hit are in the scene.
fn is_current(hit: &MoveHit, colliders: &Colliders) -> bool {
    [hit.own, hit.side.collider].into_iter().all(|id| colliders.attachments.contains_key(id))
}
