//! Drawing in the world: the shapes that `debug_draw` hands out, and what is written beside them.

use hitgraph::{Aabb, DebugGeometry, DebugOptions, DebugQuery, DebugShape};
use macroquad::models::{Mesh, Vertex, draw_mesh};
use macroquad::prelude::*;

use crate::camera::Camera;
use crate::theme;

/// How a shape is drawn. Widths are in points of the screen.
#[derive(Debug, Clone, Copy)]
pub struct Stroke {
    pub color: Color,
    pub width: f32,
    /// How much of the colour fills it.
    pub fill: f32,
    pub dashed: bool,
}

impl Stroke {
    pub fn new(color: Color) -> Self {
        Self { color, width: 2.0, fill: 0.0, dashed: false }
    }

    pub fn width(self, width: f32) -> Self {
        Self { width, ..self }
    }

    pub fn filled(self, fill: f32) -> Self {
        Self { fill, ..self }
    }

    pub fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }
}

/// Draws through a camera.
#[derive(Clone, Copy)]
pub struct Brush<'a> {
    pub camera: &'a Camera,
}

impl Brush<'_> {
    /// A thing from `debug_draw`, in a stroke of one's own.
    pub fn shape(&self, shape: &DebugShape<'_>, stroke: Stroke) {
        match shape.geometry {
            DebugGeometry::Point { at, .. } => self.dot(at, 4.5, stroke.color),
            DebugGeometry::Arrow { from, to } => self.arrow(from, to, stroke),
            _ => {
                let mut outline = Vec::new();
                shape.lines(|a, b| outline.push([a, b].map(|point| self.camera.to_screen(point))));
                // What has no size is drawn as a mark.
                if outline.iter().all(|[a, b]| a.distance_squared(*b) < 1e-4) {
                    return outline.iter().take(1).for_each(|[at, _]| mark(*at, stroke.color));
                }
                let solid = matches!(shape.geometry, DebugGeometry::Shape(_) | DebugGeometry::Convex(_));
                if solid && stroke.fill > 0.0 {
                    let color = theme::faint(stroke.color, stroke.color.a * stroke.fill);
                    fill(outline.iter().map(|[start, _]| *start), color);
                }
                lines(&outline, stroke);
            }
        }
    }

    pub fn line(&self, a: Vec2, b: Vec2, stroke: Stroke) {
        lines(&[[a, b].map(|point| self.camera.to_screen(point))], stroke);
    }

    /// The border of a box.
    pub fn outline(&self, bounds: Aabb, stroke: Stroke) {
        DebugQuery::Region(bounds).draw(&DebugOptions::default(), |shape| shape.lines(|a, b| self.line(a, b, stroke)));
    }

    /// An arrow with a head of one size, however long it is.
    pub fn arrow(&self, from: Vec2, to: Vec2, stroke: Stroke) {
        let [from, to] = [from, to].map(|point| self.camera.to_screen(point));
        let length = from.distance(to);
        let back = (from - to).normalize_or_zero() * (6.0 + stroke.width * 2.0).min(length);
        lines(&[[from, to + back * 0.8]], stroke);
        let side = back.perp() * 0.5;
        fill([to, to + back + side, to + back - side].into_iter(), stroke.color);
    }

    /// A disc of so many points across the screen.
    pub fn dot(&self, at: Vec2, radius: f32, color: Color) {
        let at = self.camera.to_screen(at);
        if at.is_finite() {
            draw_circle(at.x, at.y, radius + 1.5, theme::BACKGROUND);
            draw_circle(at.x, at.y, radius, color);
        }
    }

    /// Words above a point, in the middle.
    pub fn label(&self, at: Vec2, words: &str, color: Color) {
        let at = self.camera.to_screen(at);
        let width = theme::text_width(words, theme::SMALL);
        theme::text(words, at.x - width * 0.5, at.y - 8.0, theme::SMALL, color);
    }

    /// Lines at whole units, or at powers of ten of them, whatever suits.
    pub fn grid(&self) {
        let seen = self.camera.seen();
        let step = 10_f32.powf((40.0 / self.camera.scale).log10().ceil());
        for axis in [0, 1] {
            let first = (seen.min[axis] / step).ceil();
            let count = ((seen.max[axis] / step).floor() - first).clamp(-1.0, 400.0) as i32;
            for i in 0..=count {
                let place = first + i as f32;
                let color = if place == 0.0 { theme::AXIS } else { theme::GRID };
                let (mut a, mut b) = (seen.min, seen.max);
                a[axis] = place * step;
                b[axis] = place * step;
                self.line(a, b, Stroke::new(color).width(1.0));
            }
        }
    }
}

/// A convex polygon on the screen.
pub fn fill(points: impl Iterator<Item = Vec2>, color: Color) {
    let vertices: Vec<Vertex> = points.map(|point| Vertex::new(point.x, point.y, 0.0, 0.0, 0.0, color)).collect();
    let indices = (2..vertices.len() as u16).flat_map(|i| [0, i - 1, i]).collect();
    if vertices.len() > 2 {
        draw_mesh(&Mesh { vertices, indices, texture: None });
    }
}

/// Lines on the screen; dashes run on from one to the next.
pub fn lines(lines: &[[Vec2; 2]], stroke: Stroke) {
    const DASH: f32 = 7.0;
    const GAP: f32 = 5.0;
    // What is far outside would be cut into too many dashes.
    const MOST: f32 = 4000.0;
    let mut walked = 0.0;
    for &[a, b] in lines {
        let length = a.distance(b);
        if !stroke.dashed || length > MOST {
            draw_line(a.x, a.y, b.x, b.y, stroke.width, stroke.color);
            continue;
        }
        let way = (b - a).normalize_or_zero();
        let mut at = 0.0;
        while at < length {
            let phase = walked % (DASH + GAP);
            let step = if phase < DASH { DASH - phase } else { DASH + GAP - phase }.max(0.1).min(length - at);
            if phase < DASH {
                let [from, to] = [a + way * at, a + way * (at + step)];
                draw_line(from.x, from.y, to.x, to.y, stroke.width, stroke.color);
            }
            at += step;
            walked += step;
        }
    }
}

fn mark(at: Vec2, color: Color) {
    for side in [vec2(4.0, 4.0), vec2(4.0, -4.0)] {
        let [a, b] = [at - side, at + side];
        draw_line(a.x, a.y, b.x, b.y, 2.0, color);
    }
}
