//! Random shapes, transforms and rooms.

use std::f32::consts::{PI, TAU};

use glam::{DVec2, Vec2, vec2};
use hitgraph::{Attachment, MoveOptions, Node, NodeId, Polyline, Rect, Segment, Transform};

use super::Level;
use crate::dice::Dice;
use crate::{KINDS, Numbers};

/// Returns numbers for a shape of about a size, with its origin in its middle.
pub fn numbers(dice: &mut Dice, size: f32) -> Numbers {
    let mut at = |x: Range, y: Range| vec2(dice.within(x), dice.within(y)) * size;
    // Around the origin, so that every hull of them contains it.
    let points = [
        at(-0.5..-0.2, -0.2..0.2),
        at(0.2..0.5, -0.2..0.2),
        at(0.0..0.4, 0.2..0.5),
        at(-0.4..0.0, 0.2..0.5),
        at(-0.2..0.2, -0.5..-0.2),
    ];
    let sizes = [dice.within(0.4..1.0) * size, dice.within(0.4..1.0) * size];
    Numbers { sizes, radius: dice.within(0.15..0.5) * size, points }
}

type Range = std::ops::Range<f32>;

/// Returns a mover of any kind, about one unit wide.
pub fn mover_shape(dice: &mut Dice) -> Attachment {
    let size = dice.within(0.5..1.2);
    let (_, make) = dice.one_of(&KINDS);
    make(&numbers(dice, size))
}

/// Returns a transform for the parent of a mover or of scenery: often the identity, otherwise any rotation, with a
/// scale, a mirror or a shear.
pub fn parent(dice: &mut Dice) -> Transform {
    let position = dice.vector(-3.0..3.0);
    let rotation = dice.within(-PI..PI);
    let stretch = dice.vector(0.6..1.6);
    match dice.below(8) {
        0 => Transform { position, rotation, ..Transform::IDENTITY },
        1 => Transform { position, rotation, scale: Vec2::splat(stretch.x), skew: 0.0 },
        2 => Transform { position, rotation, scale: stretch, skew: 0.0 },
        3 => Transform { position, rotation, scale: stretch * vec2(-1.0, 1.0), skew: 0.0 },
        4 => Transform { position, rotation, scale: stretch, skew: dice.within(-0.6..0.6) },
        _ => Transform::IDENTITY,
    }
}

/// Returns a skin width: the default, or from 0.001 to 0.1.
pub fn skin_width(dice: &mut Dice) -> f32 {
    match dice.below(4) {
        0 => 0.001,
        1 => 0.1,
        2 => 10_f32.powf(dice.within(-3.0..-1.0)),
        _ => 0.01,
    }
}

/// Returns random options. Some have a zero `up`.
pub fn options(dice: &mut Dice) -> MoveOptions {
    let base = if dice.once_in(3) { MoveOptions::top_down() } else { MoveOptions::default() };
    MoveOptions {
        skin_width: skin_width(dice),
        max_slope: dice.one_of(&[base.max_slope, 0.0, 0.3, 1.0, 1.4]),
        snap_to_floor: dice.one_of(&[0.0, 0.0, 0.1, 0.4]),
        step_height: dice.one_of(&[0.0, 0.0, 0.1, 0.4]),
        stand_on_slopes: !dice.once_in(3),
        ..base
    }
}

/// The walls of a room or a ground.
#[derive(Debug, Clone, Copy)]
pub enum Scenery {
    /// One polyline.
    Polyline,
    /// A segment for each edge.
    Segments,
    /// A thin rectangle for each edge, beyond it.
    Rects,
}

impl Scenery {
    pub fn any(dice: &mut Dice) -> Self {
        dice.one_of(&[Self::Polyline, Self::Segments, Self::Rects])
    }

    /// Adds walls along an outline, with the room on the left of each edge.
    pub fn add(self, level: &mut Level, outline: &[Vec2], is_closed: bool) {
        match self {
            Self::Polyline if is_closed => drop(level.add(Transform::IDENTITY, Polyline::closed(outline).unwrap())),
            Self::Polyline => drop(level.add(Transform::IDENTITY, Polyline::new(outline).unwrap())),
            Self::Segments | Self::Rects => {
                let edges = outline.iter().zip(outline.iter().cycle().skip(1));
                for (a, b) in edges.take(outline.len() - usize::from(!is_closed)) {
                    if matches!(self, Self::Segments) {
                        level.add(Transform::IDENTITY, Segment::new(*a, *b));
                        continue;
                    }
                    let (along, thickness) = (*b - *a, 0.1);
                    let beyond = -along.perp().normalize() * 0.5 * thickness;
                    let wall = Transform::from_position((*a + *b) * 0.5 + beyond).with_rotation(along.to_angle());
                    level.add(wall, Rect::new(along.length() + 2.0 * thickness, thickness));
                }
            }
        }
    }
}

impl Level {
    /// Adds a closed, convex room around the origin with some sides and a radius.
    pub fn add_room(&mut self, sides: u64, radius: f32) {
        let start = self.dice.unit() * TAU;
        let corners: Vec<Vec2> = (0..sides)
            .map(|side| {
                let slack = self.dice.within(-0.3..0.3);
                Vec2::from_angle(start + (side as f32 + slack) * TAU / sides as f32) * radius
            })
            .collect();
        Scenery::any(&mut self.dice).add(self, &corners, true);
        self.room = corners.iter().map(|corner| corner.as_dvec2()).collect();
    }

    /// Adds a ground from side to side of a wide level, which no mover ever crosses.
    pub fn add_ground(&mut self, height: f32, half_width: f32) {
        let ends = [vec2(-half_width, height), vec2(half_width, height)];
        Scenery::any(&mut self.dice).add(self, &ends, false);
        self.fences.push(ends.map(|end| end.as_dvec2()));
    }

    /// Adds still shapes of any kind within a distance of the origin.
    pub fn add_shapes(&mut self, count: u64, within: f32) {
        for _ in 0..count {
            self.add_shape(within, 2.0);
        }
    }

    /// Adds a shape of any kind and up to a size within a distance of the origin.
    pub fn add_shape(&mut self, within: f32, size: f32) -> NodeId {
        let dice = &mut self.dice;
        let (_, make) = dice.one_of(&KINDS);
        let size = dice.within(0.3 * size..size);
        let shape = make(&numbers(dice, size));
        let parent = Transform { position: Vec2::ZERO, ..parent(dice) };
        let at = Vec2::from_angle(dice.unit() * TAU) * dice.unit() * within;
        let parent = self.scene.add(Node::new("stretched").with_transform(parent.with_position(at)));
        let turned = Node::new("shape").with_rotation(self.dice.within(-PI..PI));
        self.scene.add_child_with(parent, turned, shape).unwrap().0
    }

    /// Adds a mover at a free place within a distance of the origin, if ten tries find one. Returns `true` then.
    pub fn add_free_mover(&mut self, shape: &Attachment, within: f32) -> bool {
        for _ in 0..10 {
            let parent = parent(&mut self.dice);
            let at = Vec2::from_angle(self.dice.unit() * TAU) * self.dice.unit().sqrt() * within;
            self.add_mover(parent, at, shape.clone());
            if self.is_free_mover() {
                return true;
            }
            self.remove_last_mover();
        }
        false
    }

    fn is_free_mover(&mut self) -> bool {
        let mover = self.movers.last().unwrap();
        let (node, middle) = (mover.node, mover.middle);
        let at: DVec2 = (self.scene.world().position(node).unwrap() + middle).as_dvec2();
        let is_inside = self.room.is_empty() || super::oracle::is_within(&self.room, at);
        is_inside && self.is_free(node, 0.11)
    }
}
