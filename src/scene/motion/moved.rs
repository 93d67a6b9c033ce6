use glam::Vec2;
use smallvec::SmallVec;

use crate::scene::NodeCollider;

/// The result of a move.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/moved.svg"))]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Moved {
    /// The travel of the node in world space: all that it was pushed out, carried, slid, stepped and snapped.
    pub travel: Vec2,
    /// The rest of the displacement: the requested displacement minus what the mover slid, stepped and snapped. Being
    /// pushed out or carried does not count.
    pub remainder: Vec2,
    /// The floor on which the mover stands at the end: within twice the skin width, and no steeper than
    /// [`max_slope`](crate::MoveOptions::max_slope). It is `None` also if the displacement led upwards and hit no
    /// floor.
    pub floor: Option<MoveHit>,
    /// The first wall that was hit.
    pub wall: Option<MoveHit>,
    /// The first ceiling that was hit.
    pub ceiling: Option<MoveHit>,
    /// `true` if the mover was inside a collider and there was no way out. Then it has not moved.
    pub stuck: bool,
    pub(super) hits: SmallVec<[MoveHit; 4]>,
}

impl Moved {
    /// Returns everything that was hit, in order.
    #[must_use]
    pub fn hits(&self) -> &[MoveHit] {
        &self.hits
    }
}

/// A collider that blocked a move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MoveHit {
    /// The collider that was hit.
    pub side: NodeCollider,
    /// The point of the hit in world space, on the surface of the collider.
    pub point: Vec2,
    /// A unit vector in world space: the outward normal of the collider, facing the mover; also for a slope that is too
    /// steep for a floor.
    pub normal: Vec2,
    /// The number of the collider's piece that was hit; 0 for a shape of one piece.
    pub piece: u32,
}
