//! The groups of colliders, each with its own layer.

use hitgraph::{Attachment, CollisionLayers};
use macroquad::prelude::Color;

use crate::theme;

/// A group of colliders. Its layer is the bit with the variant's index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Puppet,
    Sword,
    PickUp,
    Wall,
}

impl Group {
    pub const ALL: [Self; 4] = [Self::Puppet, Self::Sword, Self::PickUp, Self::Wall];

    pub fn name(self) -> &'static str {
        match self {
            Self::Puppet => "puppet",
            Self::Sword => "sword",
            Self::PickUp => "pick-ups",
            Self::Wall => "walls",
        }
    }

    pub fn color(self) -> Color {
        match self {
            Self::Puppet => theme::FIRST,
            Self::Sword => theme::SECOND,
            Self::PickUp => theme::SENSOR,
            Self::Wall => theme::MUTED,
        }
    }

    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Returns the group of an attachment.
    pub fn of(attachment: &Attachment) -> Self {
        let memberships = attachment.layers.memberships;
        Self::ALL.into_iter().find(|group| group.bit() == memberships).unwrap_or(Self::Wall)
    }
}

/// The layer switches: which groups the puppet and its sword touch. The puppet's colliders never touch each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerSwitches {
    pub puppet_walls: bool,
    pub puppet_pick_ups: bool,
    pub sword_walls: bool,
    pub sword_pick_ups: bool,
}

impl Default for LayerSwitches {
    fn default() -> Self {
        Self { puppet_walls: true, puppet_pick_ups: true, sword_walls: true, sword_pick_ups: true }
    }
}

impl LayerSwitches {
    /// Returns the layers of a group. Walls and pick-ups always accept the puppet and the sword.
    pub fn layers(self, group: Group) -> CollisionLayers {
        let bits = |walls: bool, pick_ups: bool| {
            (if walls { Group::Wall.bit() } else { 0 }) | if pick_ups { Group::PickUp.bit() } else { 0 }
        };
        let filters = match group {
            Group::Puppet => bits(self.puppet_walls, self.puppet_pick_ups),
            Group::Sword => bits(self.sword_walls, self.sword_pick_ups),
            Group::PickUp | Group::Wall => Group::Puppet.bit() | Group::Sword.bit(),
        };
        CollisionLayers::new(group.bit(), filters)
    }
}
