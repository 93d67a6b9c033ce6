use super::Node;

/// The state of a node that its subtree inherits, in one byte. It is 0 before the node is first placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scene) struct NodeStatus(u8);

impl NodeStatus {
    /// The world transforms of the node and of all its ancestors are finite.
    const FINITE: u8 = 1;
    /// The node and all its ancestors are enabled.
    const ENABLED: u8 = 2;
    /// The node or an ancestor owns its subtree.
    const OWNED: u8 = 4;
    /// The status of a node whose colliders take part in everything; the root inherits it.
    pub(super) const ACTIVE: Self = Self(Self::FINITE | Self::ENABLED);

    /// The status of a node before the first refresh.
    pub(super) const UNPLACED: Self = Self(0);

    pub(in crate::scene) fn is_finite(self) -> bool {
        self.0 & Self::FINITE != 0
    }

    pub(in crate::scene) fn is_enabled(self) -> bool {
        self.0 & Self::ENABLED != 0
    }

    /// Returns `true` if the node or an ancestor owns its subtree.
    #[inline]
    pub(in crate::scene) fn is_owned(self) -> bool {
        self.0 & Self::OWNED != 0
    }

    /// Returns `true` if the node is finite and enabled, so that its colliders take part.
    #[inline]
    pub(in crate::scene) fn is_active(self) -> bool {
        self.0 & Self::ACTIVE.0 == Self::ACTIVE.0
    }

    /// Returns the status of a node whose parent has this status. `is_finite` is `true` if its own world transform is finite.
    #[inline]
    pub(super) fn inherited_by(self, node: &Node, is_finite: bool) -> Self {
        let lost = (u8::from(!node.enabled) * Self::ENABLED) | (u8::from(!is_finite) * Self::FINITE);
        Self((self.0 & !lost) | (u8::from(node.owns_subtree) * Self::OWNED))
    }
}
