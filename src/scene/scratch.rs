use alloc::vec::Vec;

use glam::Affine2;

use super::NodeId;
use super::motion::Moved;
use super::placed::{NarrowPhase, OwnerBoundaries};
use crate::math::{Pool, SlotSet};

/// Memory that is reused from call to call. It holds no state of the scene, so a copy of the scene begins without it.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The slots of the nodes that a refresh places.
    pub(super) changed_nodes: Vec<u32>,
    /// The nodes near a mover.
    pub(super) nearby: Vec<(NodeId, Affine2)>,
    /// The carriers of a mover, in order.
    pub(super) carriers: Vec<NodeId>,
    /// The slots of the movers among which they were found.
    pub(super) listed_carriers: SlotSet,
    /// The result of the last move of a carrier.
    pub(super) moved_carrier: Moved,
    pub(super) push: PushScratch,
    pub(super) owner_boundaries: OwnerBoundaries,
    /// For queries for pairs.
    pub(super) narrow_phases: Pool<NarrowPhase>,
    /// For debug drawing.
    pub(super) slot_sets: Pool<SlotSet>,
    /// For debug drawing: the parts of a line that pieces cover, as distances from its start.
    pub(super) covered: Pool<Vec<[f64; 2]>>,
}

/// The memory of a push.
#[derive(Debug, Default)]
pub(super) struct PushScratch {
    /// The movers that the pushed node may meet.
    pub(super) movers: Vec<NodeId>,
    /// Their slots.
    pub(super) listed: SlotSet,
    /// The movers that stand in each other's way, the first one first.
    pub(super) chain: Vec<NodeId>,
    /// The slots of the movers that have moved.
    pub(super) added: SlotSet,
    /// The result of the last move of a mover.
    pub(super) moved: Moved,
}
