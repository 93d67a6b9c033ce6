//! The query tool: runs a query from its start to the pointer, and formats and draws the result.

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Capsule, Circle, CollisionLayers, DebugOptions, DebugQuery, DebugShape, QueryFilter, Scene, World};

use super::group::Group;
use super::log::name;
use crate::ui::short;

/// The kind of query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    None,
    Ray,
    ShapeCast,
    Nearest,
    Overlap,
}

impl QueryKind {
    pub const ALL: [Self; 5] = [Self::None, Self::Ray, Self::ShapeCast, Self::Nearest, Self::Overlap];

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Ray => "ray",
            Self::ShapeCast => "cast",
            Self::Nearest => "nearest",
            Self::Overlap => "overlap",
        }
    }

    /// Returns the function of the library that runs the query.
    pub fn function(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Ray => "World::cast_ray",
            Self::ShapeCast => "World::cast_shape",
            Self::Nearest => "World::nearest_n",
            Self::Overlap => "World::overlaps_shape",
        }
    }
}

/// The number of colliders that `Nearest` returns.
const NEAREST_COUNT: usize = 5;
/// The largest distance of `Nearest`.
const NEAREST_RADIUS: f32 = 3.0;

/// The parameters of the query.
#[derive(Debug, Clone, Copy)]
pub struct QueryTool {
    pub kind: QueryKind,
    /// The start of a ray or shape cast.
    pub start: Vec2,
    /// The end of a ray or shape cast; the place of the other queries.
    pub end: Vec2,
    /// `true` to include sensors.
    pub sensors: bool,
    /// The groups to find, in the order of [`Group::ALL`].
    pub groups: [bool; 4],
}

impl Default for QueryTool {
    fn default() -> Self {
        let (start, end) = (vec2(-6.3, 3.6), vec2(1.5, 0.2));
        Self { kind: QueryKind::Ray, start, end, sensors: true, groups: [true; 4] }
    }
}

impl QueryTool {
    fn filter(&self) -> QueryFilter {
        let bits = Group::ALL.into_iter().zip(self.groups).filter(|(_, on)| *on);
        // Member of every layer, so that only its own filter decides.
        let layers = CollisionLayers::new(u32::MAX, bits.map(|(group, _)| group.bit()).sum());
        let filter = QueryFilter::default().with_layers(layers);
        if self.sensors { filter } else { filter.without_sensors() }
    }

    /// Runs the query. Returns the lines of the result and passes the shapes to draw to `draw`.
    pub fn run(&self, world: World<'_>, mut draw: impl FnMut(&DebugShape<'_>)) -> Vec<String> {
        let (filter, options) = (self.filter(), DebugOptions::default());
        let mut show = |query: DebugQuery<'_>| query.draw(&options, |shape| draw(&shape));
        let (scene, displacement): (&Scene, Vec2) = (world.scene(), self.end - self.start);
        match self.kind {
            QueryKind::None => Vec::new(),
            QueryKind::Ray => {
                let (origin, direction, max_distance) = (self.start, displacement, displacement.length());
                let hit = world.cast_ray(origin, direction, max_distance, &filter);
                show(DebugQuery::Ray { origin, direction, max_distance, hit });
                single_line(hit.map(|hit| format!("{} after {}", name(scene, hit.side.node), short(hit.distance))))
            }
            QueryKind::ShapeCast => {
                let shape = Capsule::new(vec2(-0.3, 0.0), vec2(0.3, 0.0), 0.25);
                let at = Affine2::from_angle_translation(displacement.to_angle() + 0.6, self.start);
                let hit = world.cast_shape(&shape, &at, displacement, &filter);
                show(DebugQuery::ShapeCast { shape: &shape, at, displacement, hit });
                single_line(hit.map(|hit| format!("{} after {}", name(scene, hit.side.node), short(hit.distance))))
            }
            QueryKind::Nearest => {
                let near = world.nearest_n(self.end, NEAREST_COUNT, NEAREST_RADIUS, &filter);
                near.iter().for_each(|near| show(DebugQuery::Nearest { point: self.end, near: Some(*near) }));
                let line =
                    |near: &hitgraph::Nearest| format!("{} at {}", name(scene, near.side.node), short(near.distance));
                if near.is_empty() { single_line(None) } else { near.iter().map(line).collect() }
            }
            QueryKind::Overlap => {
                let (shape, at) = (Circle::new(1.0), Affine2::from_translation(self.end));
                show(DebugQuery::Shape { shape: &shape, at });
                let found = world.overlaps_shape(&shape, &at, &filter);
                if found.len() == 0 { single_line(None) } else { found.map(|side| name(scene, side.node)).collect() }
            }
        }
    }

    /// Returns `true` if the kind of query uses the start.
    pub fn has_start(&self) -> bool {
        matches!(self.kind, QueryKind::Ray | QueryKind::ShapeCast)
    }
}

/// Returns the line of a single result, or "nothing".
fn single_line(found: Option<String>) -> Vec<String> {
    vec![found.unwrap_or_else(|| "nothing".to_owned())]
}
