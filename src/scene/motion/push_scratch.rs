use alloc::vec::Vec;

use super::moved::Moved;
use crate::scene::NodeId;

/// Buffers of pushes, kept so that a push allocates nothing in steady state.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct PushScratch {
    /// The movers that may be in the way of the node.
    pub(super) movers: Vec<NodeId>,
    /// The movers that a mover pushes in turn.
    pub(super) chain: Vec<NodeId>,
    /// The result of the last move of a mover.
    pub(super) moved: Moved,
}
