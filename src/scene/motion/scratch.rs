use alloc::vec::Vec;

use glam::{Affine2, DVec2, Vec2};
use smallvec::SmallVec;

use super::moved::Moved;
use super::ride::{Companion, JointMove};
use crate::math::SlotSet;
use crate::scene::{NodeId, slot_of};

/// The memory of moves and pushes that is reused from call to call.
#[derive(Debug, Default)]
pub(in crate::scene) struct MotionScratch {
    /// The nodes near a mover.
    pub(super) nearby: Vec<(NodeId, Affine2)>,
    /// The carriers of a mover, in order.
    pub(super) carriers: Vec<NodeId>,
    pub(super) companions: CompanionScratch,
    /// The movers near one that has been brought along.
    pub(super) late: Vec<NodeId>,
    pub(super) riders: RiderScratch,
    /// The slots of the movers that platforms have carried before the one of a call.
    pub(super) already_carried: SlotSet,
    /// The result of the last move of a carrier.
    pub(super) moved_carrier: Moved,
    pub(super) push: PushScratch,
}

/// The memory of the search for the riders of a node.
#[derive(Debug, Default)]
pub(super) struct RiderScratch {
    pub(super) riders: Vec<NodeId>,
    /// Their slots.
    pub(super) listed: SlotSet,
}

/// The memory of the search for companions.
#[derive(Debug, Default)]
pub(super) struct CompanionScratch {
    /// The other movers near the node.
    pub(super) near: Vec<NodeId>,
    /// The node and its companions.
    pub(super) companions: Vec<Companion>,
    /// The slots of the same.
    pub(super) listed: SlotSet,
    pub(super) needs: Vec<Need>,
    /// The slots of the companions without room.
    pub(super) blocked: SlotSet,
    /// The slots of the node and of those that it has to move for.
    pub(super) later: SlotSet,
    pub(super) moves: SmallVec<[JointMove; 1]>,
}

/// Two companions, of which one has to move so that the other can, because it is in the way of that or carries it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    /// The slot of the one that cannot move otherwise.
    pub(super) of: u32,
    /// The slot of the one that has to move.
    pub(super) other: u32,
}

/// The memory of a push.
#[derive(Debug, Default)]
pub(super) struct PushScratch {
    pub(super) riders: RiderScratch,
    /// The movers to list next, each after the numbers that decide their order.
    pub(super) order: Vec<(usize, f64, NodeId)>,
    /// The movers that the pushed node may meet, or that these displace, in the order in which they make way.
    pub(super) movers: Vec<NodeId>,
    /// Their slots.
    pub(super) listed: SlotSet,
    /// Those that have had no room in this step so far, each with the step at the mover.
    pub(super) staying: Vec<(NodeId, DVec2)>,
    pub(super) chain: Chain,
    pub(super) starts: Starts,
    /// The slots of the movers that platforms have carried before one that is taken along.
    pub(super) already_carried: SlotSet,
    /// The result of the last move of a mover.
    pub(super) moved: Moved,
}

/// The movers that a push has moved so far.
#[derive(Debug, Default)]
pub(super) struct Starts {
    /// Each with its position in the world before, in the order in which they began to move.
    pub(super) movers: Vec<(NodeId, Vec2)>,
    slots: SlotSet,
}

impl Starts {
    /// Adds a mover that has moved from a position in the world, unless it has moved before.
    pub(super) fn add(&mut self, mover: NodeId, start: Vec2) {
        if !self.slots.contains(slot_of(mover)) {
            self.slots.insert(slot_of(mover));
            self.movers.push((mover, start));
        }
    }

    /// Forgets the movers of the last push.
    pub(super) fn clear(&mut self) {
        self.movers.clear();
        self.slots.clear();
    }
}

/// The movers that stand in the way of another one, and in each other's.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// Each is before those that it blocks.
    pub(super) movers: Vec<NodeId>,
    /// The next steps of the search, the last one first.
    pub(super) open: Vec<ChainStep>,
    /// The slots of all that were found.
    pub(super) reached: SlotSet,
}

/// A step of the depth-first search for a chain.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum ChainStep {
    /// Finds the blockers of a mover, unless it was reached before.
    Reach(NodeId),
    /// Lists a mover whose blockers are all listed.
    List(NodeId),
}
