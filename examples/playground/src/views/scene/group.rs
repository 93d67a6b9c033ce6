//! What kinds of things there are, each on a layer of its own.

use hitgraph::{Attachment, CollisionLayers};
use macroquad::prelude::Color;

use crate::theme;

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

    /// Whose attachment it is.
    pub fn of(attachment: &Attachment) -> Self {
        let bits = attachment.layers.memberships;
        Self::ALL.into_iter().find(|group| group.bit() == bits).unwrap_or(Self::Wall)
    }
}

/// What the puppet and its sword look for. Walls and pick-ups look for both; no puppet meets its own limbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub puppet_walls: bool,
    pub puppet_pick_ups: bool,
    pub sword_walls: bool,
    pub sword_pick_ups: bool,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { puppet_walls: true, puppet_pick_ups: true, sword_walls: true, sword_pick_ups: true }
    }
}

impl Wanted {
    pub fn layers(self, group: Group) -> CollisionLayers {
        let either = |walls: bool, pick_ups: bool| {
            (if walls { Group::Wall.bit() } else { 0 }) | if pick_ups { Group::PickUp.bit() } else { 0 }
        };
        let filters = match group {
            Group::Puppet => either(self.puppet_walls, self.puppet_pick_ups),
            Group::Sword => either(self.sword_walls, self.sword_pick_ups),
            Group::PickUp | Group::Wall => Group::Puppet.bit() | Group::Sword.bit(),
        };
        CollisionLayers::new(group.bit(), filters)
    }
}
