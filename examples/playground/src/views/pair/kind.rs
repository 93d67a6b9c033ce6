//! The kinds of shapes that can be selected.

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, Collider, Compound, Ellipse, Polygon, Polyline, Rect, Rounded, Segment, ShapeError,
    Tile, Tiles,
};

/// The kind of an operand's shape. All shapes are about two units wide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Circle,
    Rect,
    Capsule,
    Segment,
    Polygon,
    Ellipse,
    Rounded,
    Polyline,
    Compound,
    Tiles,
    Custom,
    /// A convex polygon with given corners. It occurs only in links and in the duel.
    Hull(Hull),
}

impl Kind {
    /// The kinds that the panel offers.
    pub const ALL: [Self; 11] = [
        Self::Circle,
        Self::Rect,
        Self::Capsule,
        Self::Segment,
        Self::Polygon,
        Self::Ellipse,
        Self::Rounded,
        Self::Polyline,
        Self::Compound,
        Self::Tiles,
        Self::Custom,
    ];

    /// Half the length of the capsule's axis.
    pub const CAPSULE_HALF: f32 = 0.6;
    /// The radius of the capsule.
    pub const CAPSULE_RADIUS: f32 = 0.4;
    /// The rounding radius of the rounded triangle.
    pub const ROUNDING: f32 = 0.25;

    /// Returns the name in links and on the button.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Rect => "rect",
            Self::Capsule => "capsule",
            Self::Segment => "segment",
            Self::Polygon => "polygon",
            Self::Ellipse => "ellipse",
            Self::Rounded => "rounded",
            Self::Polyline => "polyline",
            Self::Compound => "compound",
            Self::Tiles => "tiles",
            Self::Custom => "own",
            Self::Hull(_) => "hull",
        }
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns an attachment with the shape.
    pub fn attachment(self) -> Result<Attachment, ShapeError> {
        let [along, end] = [vec2(1.0, 0.0), vec2(Self::CAPSULE_HALF, 0.0)];
        Ok(match self {
            Self::Circle => Circle::new(1.0).into(),
            Self::Rect => Rect::new(2.0, 1.2).into(),
            Self::Capsule => Capsule::new(-end, end, Self::CAPSULE_RADIUS).into(),
            Self::Segment => Segment::new(-along, along).into(),
            Self::Polygon => polygon()?.into(),
            Self::Ellipse => Ellipse::new(1.0, 0.55).into(),
            Self::Rounded => Rounded::new(triangle()?, Self::ROUNDING).into(),
            Self::Polyline => Polyline::new(&HILLS)?.into(),
            Self::Compound => Compound::from_outline(&ARROW)?.into(),
            Self::Tiles => tiles()?.into(),
            Self::Custom => Squircle { radius: 1.0 }.into(),
            Self::Hull(hull) => Polygon::convex_hull(hull.points())?.into(),
        })
    }
}

fn polygon() -> Result<Polygon, ShapeError> {
    Polygon::convex(&[vec2(-0.9, -0.7), vec2(0.6, -0.8), vec2(1.0, 0.1), vec2(0.1, 0.9), vec2(-0.8, 0.5)])
}

/// Returns the core of the rounded shape.
pub fn triangle() -> Result<Polygon, ShapeError> {
    Polygon::convex(&[vec2(-0.75, -0.5), vec2(0.75, -0.5), vec2(0.0, 0.6)])
}

const HILLS: [Vec2; 6] =
    [vec2(-1.0, -0.4), vec2(-0.6, 0.3), vec2(-0.2, -0.1), vec2(0.2, 0.6), vec2(0.6, 0.0), vec2(1.0, 0.2)];

/// A concave outline, which is decomposed into several pieces.
const ARROW: [Vec2; 7] = [
    vec2(1.0, 0.0),
    vec2(0.2, 0.8),
    vec2(0.2, 0.3),
    vec2(-1.0, 0.3),
    vec2(-1.0, -0.3),
    vec2(0.2, -0.3),
    vec2(0.2, -0.8),
];

/// Returns tiles of three columns and two rows, one of them a slope.
fn tiles() -> Result<Tiles, ShapeError> {
    let map = |column: u32, row: u32| match (column, row) {
        (_, 0) | (2, 1) => Tile::FULL,
        (1, 1) => Tile::slope(0.0, 1.0),
        _ => Tile::EMPTY,
    };
    Tiles::from_tiles(3, 2, vec2(0.66, 0.66), map)
}

/// The corners of a convex polygon: at most [`Hull::MAX`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hull {
    corners: [Vec2; Self::MAX],
    count: usize,
}

impl Hull {
    pub const MAX: usize = 16;

    /// Returns the hull of some points: of the first 16, if there are more.
    pub const fn new(points: &[Vec2]) -> Self {
        let (mut corners, mut count) = ([Vec2::ZERO; Self::MAX], 0);
        while count < Self::MAX && count < points.len() {
            corners[count] = points[count];
            count += 1;
        }
        Self { corners, count }
    }

    pub fn points(&self) -> &[Vec2] {
        &self.corners[..self.count]
    }
}

/// A user-defined shape: a superellipse, |x|⁴ + |y|⁴ = r⁴.
#[derive(Debug, Clone, Copy)]
pub struct Squircle {
    pub radius: f32,
}

impl Collider for Squircle {
    fn support(&self, direction: Vec2) -> Vec2 {
        let out = vec2(direction.x.cbrt(), direction.y.cbrt());
        out * (self.radius / (out.x.powi(4) + out.y.powi(4)).sqrt().sqrt())
    }
}
