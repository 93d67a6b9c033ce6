//! What is asked from the eye to where the pointer is, and the answer.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Capsule, Circle, CollisionLayers, DebugOptions, DebugQuery, DebugShape, QueryFilter, Scene, World};

use super::group::Group;
use super::log::name;
use crate::ui::short;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    None,
    Ray,
    Sweep,
    Nearest,
    Inside,
}

impl Question {
    pub const ALL: [Self; 5] = [Self::None, Self::Ray, Self::Sweep, Self::Nearest, Self::Inside];

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Ray => "ray",
            Self::Sweep => "sweep",
            Self::Nearest => "nearest",
            Self::Inside => "inside",
        }
    }

    /// What of the library answers it.
    pub fn function(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Ray => "World::cast_ray",
            Self::Sweep => "World::cast_shape",
            Self::Nearest => "World::nearest_n",
            Self::Inside => "World::overlaps_shape",
        }
    }
}

/// How many neighbours are asked for, and how far away.
const NEIGHBOURS: usize = 5;
const RADIUS: f32 = 3.0;

/// Where it is asked from, where to, and of whom.
#[derive(Debug, Clone, Copy)]
pub struct Asker {
    pub question: Question,
    pub eye: Vec2,
    pub aim: Vec2,
    pub sensors: bool,
    /// In the order of [`Group::ALL`].
    pub groups: [bool; 4],
}

impl Default for Asker {
    fn default() -> Self {
        let (eye, aim) = (vec2(-6.3, 3.6), vec2(1.5, 0.2));
        Self { question: Question::Ray, eye, aim, sensors: true, groups: [true; 4] }
    }
}

impl Asker {
    fn filter(&self) -> QueryFilter {
        let bits = Group::ALL.into_iter().zip(self.groups).filter(|(_, on)| *on);
        // It looks for those groups, and is on every layer itself.
        let layers = CollisionLayers::new(u32::MAX, bits.map(|(group, _)| group.bit()).sum());
        let filter = QueryFilter::default().with_layers(layers);
        if self.sensors { filter } else { filter.without_sensors() }
    }

    /// Lines about the answer; hands out what is to be drawn.
    pub fn ask(&self, world: World<'_>, mut draw: impl FnMut(&DebugShape<'_>)) -> Vec<String> {
        let (filter, options) = (self.filter(), DebugOptions::default());
        let mut show = |query: DebugQuery<'_>| query.draw(&options, |shape| draw(&shape));
        let (scene, motion): (&Scene, Vec2) = (world.scene(), self.aim - self.eye);
        match self.question {
            Question::None => Vec::new(),
            Question::Ray => {
                let (origin, direction, max_distance) = (self.eye, motion, motion.length());
                let hit = world.cast_ray(origin, direction, max_distance, &filter);
                show(DebugQuery::Ray { origin, direction, max_distance, hit });
                answer(hit.map(|hit| format!("{} after {}", name(scene, hit.side.node), short(hit.distance))))
            }
            Question::Sweep => {
                let shape = Capsule::new(vec2(-0.3, 0.0), vec2(0.3, 0.0), 0.25);
                let at = Affine2::from_angle_translation(motion.to_angle() + 0.6, self.eye);
                let hit = world.cast_shape(&shape, &at, motion, &filter);
                show(DebugQuery::ShapeCast { shape: &shape, at, motion, hit });
                answer(hit.map(|hit| format!("{} after {}", name(scene, hit.side.node), short(hit.distance))))
            }
            Question::Nearest => {
                let near = world.nearest_n(self.aim, NEIGHBOURS, RADIUS, &filter);
                near.iter().for_each(|near| show(DebugQuery::Nearest { point: self.aim, near: Some(*near) }));
                let said =
                    |near: &hitgraph::Nearest| format!("{} at {}", name(scene, near.side.node), short(near.distance));
                if near.is_empty() { answer(None) } else { near.iter().map(said).collect() }
            }
            Question::Inside => {
                let (shape, at) = (Circle::new(1.0), Affine2::from_translation(self.aim));
                show(DebugQuery::Shape { shape: &shape, at });
                let found = world.overlaps_shape(&shape, &at, &filter);
                if found.len() == 0 { answer(None) } else { found.map(|side| name(scene, side.node)).collect() }
            }
        }
    }

    /// Whether the eye takes part.
    pub fn has_eye(&self) -> bool {
        matches!(self.question, Question::Ray | Question::Sweep)
    }
}

fn answer(found: Option<String>) -> Vec<String> {
    vec![found.unwrap_or_else(|| "nothing".to_owned())]
}
