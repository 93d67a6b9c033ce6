use crate::math::{SlotSet, clone_fields};

/// The changes that a scene has not processed yet, and the only record of them.
///
/// Edits add to [`SinceRefresh`]; a refresh clears it and adds to [`SinceUpdate`], which an update clears. A slot in a
/// set may belong to a node or collider that is gone.
///
/// Until a refresh, world transforms, world forms and the index are stale; until an update, the touching pairs and the
/// list of quarantined nodes are.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) since_refresh: SinceRefresh,
    pub(super) since_update: SinceUpdate,
}

clone_fields!(Changes { since_refresh, since_update });

/// The changes that no query must see before they are processed.
#[derive(Debug, Default)]
pub(super) struct SinceRefresh {
    /// Nodes that appeared, may have been edited, or have another parent.
    pub(super) nodes: SlotSet,
    /// Colliders that a refresh must place one by one: those that an edit changed, and those that a batch cannot place after
    /// a change of their nodes.
    pub(super) colliders: SlotSet,
    /// Those of them that an edit changed: they appeared, may have another shape or other settings, have another node, may
    /// touch others than before, or are gone.
    pub(super) edited: SlotSet,
}

clone_fields!(SinceRefresh { nodes, colliders, edited });

/// The changes that may start or stop touches, or change the list of quarantined nodes.
#[derive(Debug, Default)]
pub(super) struct SinceUpdate {
    /// Colliders that a refresh placed: they appeared, moved, were edited, or are gone.
    pub(super) placed: SlotSet,
    /// Those of them that were edited or have another owner.
    pub(super) edited: SlotSet,
    /// Nodes that a refresh quarantined, and nodes of colliders that it quarantined.
    pub(super) quarantined: SlotSet,
    /// `true` if a node that was enabled has been disabled since the last update or move.
    pub(super) disabled: bool,
}

clone_fields!(SinceUpdate { placed, edited, quarantined, disabled });

impl Changes {
    /// Returns about how many nodes and colliders have changed.
    pub(super) fn len(&self) -> usize {
        self.since_refresh.nodes.len() + self.since_update.placed.len()
    }

    /// Records a node that appeared, may be edited, or has another parent.
    #[inline]
    pub(super) fn node_changed(&mut self, slot: u32) {
        self.since_refresh.nodes.insert(slot);
    }

    /// Records a collider that appeared, may be edited, has another node, may touch others than before, or is gone.
    pub(super) fn collider_edited(&mut self, slot: u32) {
        self.since_refresh.colliders.insert(slot);
        self.since_refresh.edited.insert(slot);
    }

    /// Reserves memory for the addition of nodes and colliders, up to these numbers of slots.
    pub(super) fn reserve(&mut self, node_slots: usize, collider_slots: usize) {
        self.since_refresh.nodes.reserve(node_slots);
        self.since_refresh.colliders.reserve(collider_slots);
        self.since_refresh.edited.reserve(collider_slots);
    }
}

impl SinceRefresh {
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.colliders.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.colliders.clear();
        self.edited.clear();
    }
}
