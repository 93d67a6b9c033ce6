use glam::Vec2;
use smallvec::SmallVec;

use crate::scene::Side;

/// What a move came to.
///
#[cfg_attr(doc, doc = include_str!("../../../docs/figures/moved.svg"))]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Moved {
    /// How far the node has moved in the world, all in all: pushed out, carried, slid, stepped and snapped.
    pub travel: Vec2,
    /// The rest of the motion: what was asked for, less what the mover did of itself.
    pub remainder: Vec2,
    /// What the mover stands on at the end: within twice the skin width, and no steeper than a floor may be. `None` as
    /// well if the motion led upwards and hit no floor.
    pub floor: Option<MoveHit>,
    /// The first wall that was hit.
    pub wall: Option<MoveHit>,
    /// The first ceiling that was hit.
    pub ceiling: Option<MoveHit>,
    /// Everything that was hit, in order.
    pub hits: SmallVec<[MoveHit; 4]>,
    /// Whether it was inside something and there was no way out: then it has not moved.
    pub stuck: bool,
}

/// What stood in the way of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveHit {
    /// What was hit.
    pub side: Side,
    /// Where, in world space, on the surface of what was hit.
    pub point: Vec2,
    /// Unit vector in world space, out of what was hit, facing the mover; of a steep slope too.
    pub normal: Vec2,
    /// Which piece of a collider of many; 0 for all others.
    pub piece: u32,
}
