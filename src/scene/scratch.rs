use alloc::vec::Vec;

use super::motion::MotionScratch;
use super::placed::{NarrowPhase, OwnerBoundaries};
use crate::math::Pool;

/// Memory that is reused from call to call. It holds no state of the scene, so a copy of the scene begins without it.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The slots of the nodes that a refresh places.
    pub(super) changed_nodes: Vec<u32>,
    pub(super) motion: MotionScratch,
    pub(super) owner_boundaries: OwnerBoundaries,
    /// For queries for pairs.
    pub(super) narrow_phases: Pool<NarrowPhase>,
    /// For debug drawing: the parts of a line that pieces cover, as distances from its start.
    pub(super) covered: Pool<Vec<[f64; 2]>>,
}
