//! Decodes values from bytes. After the last byte, every value is zero.

use glam::{Vec2, vec2};
use hitgraph::{
    Attachment, Capsule, Circle, Compound, Ellipse, Polygon, Polyline, Rect, Rounded, Segment, Shape, ShapeError,
    Tiles, Transform,
};
use support::{ShapeKind, Squircle};

/// The special and extreme values of `f32`, and some whose squares leave its range.
const EDGES: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    f32::EPSILON,
    1e-40,
    1e19,
];

pub struct Bits<'a>(pub &'a [u8]);

impl Bits<'_> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub fn index(&mut self) -> usize {
        self.byte().into()
    }

    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// Returns any `f32`, most often a multiple of 0.25, so that shapes meet exactly.
    pub fn number(&mut self) -> f32 {
        match self.byte() {
            0..=159 => f32::from(self.byte() as i8) * 0.25,
            160..=191 => f32::from(self.byte() as i8) * 1e-3,
            192..=207 => EDGES[self.index() % EDGES.len()],
            _ => f32::from_bits(u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])),
        }
    }

    pub fn point(&mut self) -> Vec2 {
        vec2(self.number(), self.number())
    }

    pub fn transform(&mut self) -> Transform {
        let plain = Transform::from_position(self.point());
        match self.byte() % 4 {
            0 => plain,
            1 => plain.with_rotation(self.number()),
            2 => plain.with_scale(self.point()),
            _ => Transform { rotation: self.number(), scale: self.point(), skew: self.number(), ..plain },
        }
    }

    pub fn points(&mut self, most: usize) -> Vec<Vec2> {
        let count = self.index() % (most + 1);
        (0..count).map(|_| self.point()).collect()
    }

    pub fn kind(&mut self) -> ShapeKind {
        ShapeKind::ALL[self.index() % ShapeKind::ALL.len()]
    }

    /// Returns a shape, or the error of its constructor.
    pub fn attachment(&mut self) -> Result<Attachment, ShapeError> {
        Ok(match self.kind() {
            ShapeKind::Circle => Circle::try_new(self.number())?.into(),
            ShapeKind::Point => Circle::try_new(self.number())?.at(self.point()).into(),
            ShapeKind::Segment => Segment::try_new(self.point(), self.point())?.into(),
            ShapeKind::Capsule => Capsule::try_new(self.point(), self.point(), self.number())?.into(),
            ShapeKind::Rect => {
                Rect::try_new(self.number(), self.number())?.at(self.point()).rotated(self.number()).into()
            }
            ShapeKind::Polygon => Polygon::convex_hull(&self.points(8))?.into(),
            ShapeKind::Ellipse => Ellipse::try_new(self.number(), self.number())?.into(),
            ShapeKind::Rounded => Rounded::try_new(Polygon::convex_hull(&self.points(6))?, self.number())?.into(),
            ShapeKind::User => Squircle(self.number().abs()).into(),
            ShapeKind::Polyline => Polyline::new(&self.points(6))?.into(),
            ShapeKind::Compound => {
                let ball = Circle::try_new(self.number())?.at(self.point());
                Compound::new([Shape::from(ball), Rect::try_new(self.number(), self.number())?.into()])?.into()
            }
            ShapeKind::Tiles => {
                let (size, bits) = (self.point(), u16::from_le_bytes([self.byte(), self.byte()]));
                Tiles::try_new(4, 4, size, |column, row| bits >> (row * 4 + column) & 1 == 1)?.into()
            }
        })
    }
}
