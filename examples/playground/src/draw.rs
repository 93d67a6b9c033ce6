//! Drawing in world coordinates: the shapes from `debug_draw`, marks and labels.

use std::cell::Cell;

use hitgraph::{Aabb, DebugGeometry, DebugOptions, DebugQuery, DebugShape};
use macroquad::models::{Mesh, Vertex, draw_mesh};
use macroquad::prelude::*;

use crate::camera::Camera;
use crate::theme;

/// The style of a line or shape. Widths are in points of the screen.
#[derive(Debug, Clone, Copy)]
pub struct Stroke {
    pub color: Color,
    pub width: f32,
    /// The opacity of the fill, relative to the colour's; 0 for no fill.
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

/// The number of lines of shapes in a picture. macroquad stores 440 KB for about 800 lines, and never frees them.
const MOST_LINES: usize = 40_000;
/// Shorter lines of an outline are joined, and smaller shapes are drawn as boxes, in points.
const SMALLEST: f32 = 2.0;

/// Draws with a camera.
pub struct Brush<'a> {
    pub camera: &'a Camera,
    /// The number of lines that shapes may still have.
    lines_left: Cell<usize>,
    boxed: Cell<usize>,
}

impl<'a> Brush<'a> {
    pub fn new(camera: &'a Camera) -> Self {
        Self { camera, lines_left: Cell::new(MOST_LINES), boxed: Cell::new(0) }
    }

    /// Returns the number of shapes that were drawn as boxes, because those before them have too many lines.
    pub fn boxed(&self) -> usize {
        self.boxed.get()
    }

    /// Draws a shape from `debug_draw` with the given stroke.
    pub fn shape(&self, shape: &DebugShape<'_>, stroke: Stroke) {
        match shape.geometry {
            DebugGeometry::Point { at, .. } => self.dot(at, 4.5, stroke.color),
            DebugGeometry::Arrow { from, to } => self.arrow(from, to, stroke),
            _ => {
                let on_screen = |a, b| [a, b].map(|point| self.camera.to_screen(point));
                let mut outline = Vec::new();
                shape.outline(|a, b| outline.push(on_screen(a, b)));
                // A shape without size on the screen is drawn as a cross.
                if outline.iter().all(|[a, b]| a.distance_squared(*b) < 1e-4) {
                    return outline.iter().take(1).for_each(|[at, _]| cross(*at, stroke.color));
                }
                let bounds = bounds(&outline);
                if !bounds.overlaps(&self.camera.area) {
                    return;
                }
                let inside = joined(&outline);
                let is_small = bounds.w.max(bounds.h) < SMALLEST * 2.0;
                let Some(lines_left) = self.lines_left.get().checked_sub(inside.len()).filter(|_| !is_small) else {
                    self.boxed.set(self.boxed.get() + usize::from(!is_small));
                    let [w, h] = [bounds.w, bounds.h].map(|side| side.max(SMALLEST));
                    return draw_rectangle(
                        bounds.x,
                        bounds.y,
                        w,
                        h,
                        theme::faint(stroke.color, if is_small { 1.0 } else { 0.2 }),
                    );
                };
                self.lines_left.set(lines_left);
                let solid = matches!(shape.geometry, DebugGeometry::Shape(_) | DebugGeometry::SupportShape(_));
                if solid && stroke.fill > 0.0 {
                    let color = theme::faint(stroke.color, stroke.color.a * stroke.fill);
                    fill(inside.iter().map(|[start, _]| *start), color);
                }
                // The border of a piece has no seams.
                outline.clear();
                shape.lines(|a, b| outline.push(on_screen(a, b)));
                lines(&joined(&outline), stroke);
            }
        }
    }

    /// Draws a shape with these bounds as a speck if it is small on the screen, and returns `true` if it is.
    pub fn speck(&self, bounds: Aabb, color: Color) -> bool {
        let [low, high] = [bounds.min, bounds.max].map(|corner| self.camera.to_screen(corner));
        let size = (high - low).abs();
        // A shape without size is drawn as a cross instead.
        let is_small = (0.1..SMALLEST * 2.0).contains(&size.max_element());
        if is_small {
            let (at, size) = (low.min(high), size.max(Vec2::splat(SMALLEST)));
            draw_rectangle(at.x, at.y, size.x, size.y, color);
        }
        is_small
    }

    /// Draws a line.
    pub fn line(&self, a: Vec2, b: Vec2, stroke: Stroke) {
        lines(&[[a, b].map(|point| self.camera.to_screen(point))], stroke);
    }

    /// Draws the border of a box.
    pub fn outline(&self, bounds: Aabb, stroke: Stroke) {
        DebugQuery::Region(bounds).draw(&DebugOptions::default(), |shape| shape.lines(|a, b| self.line(a, b, stroke)));
    }

    /// Draws an arrow. The size of the head does not depend on the length.
    pub fn arrow(&self, from: Vec2, to: Vec2, stroke: Stroke) {
        let [from, to] = [from, to].map(|point| self.camera.to_screen(point));
        let length = from.distance(to);
        let back = (from - to).normalize_or_zero() * (6.0 + stroke.width * 2.0).min(length);
        lines(&[[from, to + back * 0.8]], stroke);
        let offset = back.perp() * 0.5;
        fill([to, to + back + offset, to + back - offset].into_iter(), stroke.color);
    }

    /// Draws a disc with a radius in points of the screen.
    pub fn dot(&self, at: Vec2, radius: f32, color: Color) {
        let at = self.camera.to_screen(at);
        if at.is_finite() {
            draw_circle(at.x, at.y, radius + 1.5, theme::BACKGROUND);
            draw_circle(at.x, at.y, radius, color);
        }
    }

    /// Draws a circle with a radius in world units.
    pub fn ring(&self, at: Vec2, radius: f32, stroke: Stroke) {
        let at = self.camera.to_screen(at);
        draw_circle_lines(at.x, at.y, radius * self.camera.scale, stroke.width, stroke.color);
    }

    /// Draws a text, centred above a point if there is room. A point that is not seen has no text.
    pub fn label(&self, at: Vec2, words: &str, color: Color) {
        let (at, area) = (self.camera.to_screen(at), self.camera.area);
        if area.contains(at) {
            let width = theme::text_width(words, theme::SMALL);
            let x = (at.x - width * 0.5).min(area.right() - width - 8.0).max(area.x + 8.0);
            theme::plate(words, x, at.y - 8.0, theme::SMALL, color);
        }
    }

    /// Draws a grid with a spacing of a power of ten, at least 40 points on the screen.
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

/// Fills a convex polygon, in points of the screen.
pub fn fill(points: impl Iterator<Item = Vec2>, color: Color) {
    let vertices: Vec<Vertex> = points.map(|point| Vertex::new(point.x, point.y, 0.0, 0.0, 0.0, color)).collect();
    let indices = (2..vertices.len() as u16).flat_map(|i| [0, i - 1, i]).collect();
    if vertices.len() > 2 {
        draw_mesh(&Mesh { vertices, indices, texture: None });
    }
}

/// Draws lines, in points of the screen. Dashes continue from one line to the next.
pub fn lines(lines: &[[Vec2; 2]], stroke: Stroke) {
    const DASH: f32 = 7.0;
    const GAP: f32 = 5.0;
    // Longer lines are drawn solid: they would have too many dashes.
    const MAX_DASHED_LENGTH: f32 = 4000.0;
    let mut drawn = 0.0;
    for &[a, b] in lines {
        let length = a.distance(b);
        if !stroke.dashed || length > MAX_DASHED_LENGTH {
            draw_line(a.x, a.y, b.x, b.y, stroke.width, stroke.color);
            continue;
        }
        let direction = (b - a).normalize_or_zero();
        let mut at = 0.0;
        while at < length {
            let phase = drawn % (DASH + GAP);
            let step = if phase < DASH { DASH - phase } else { DASH + GAP - phase }.max(0.1).min(length - at);
            if phase < DASH {
                let [from, to] = [a + direction * at, a + direction * (at + step)];
                draw_line(from.x, from.y, to.x, to.y, stroke.width, stroke.color);
            }
            at += step;
            drawn += step;
        }
    }
}

/// Returns the smallest rectangle around lines.
fn bounds(lines: &[[Vec2; 2]]) -> Rect {
    let points = || lines.iter().flatten();
    let low = points().fold(Vec2::INFINITY, |low, point| low.min(*point));
    let size = points().fold(Vec2::NEG_INFINITY, |high, point| high.max(*point)) - low;
    Rect::new(low.x, low.y, size.x, size.y)
}

/// Joins lines that continue each other while they are short.
fn joined(lines: &[[Vec2; 2]]) -> Vec<[Vec2; 2]> {
    let mut joined: Vec<[Vec2; 2]> = Vec::with_capacity(lines.len());
    for [from, to] in lines {
        match joined.last_mut() {
            Some([start, end]) if end == from && start.distance(*to) < SMALLEST => *end = *to,
            _ => joined.push([*from, *to]),
        }
    }
    joined
}

/// Draws a cross.
fn cross(at: Vec2, color: Color) {
    for offset in [vec2(4.0, 4.0), vec2(4.0, -4.0)] {
        let [a, b] = [at - offset, at + offset];
        draw_line(a.x, a.y, b.x, b.y, 2.0, color);
    }
}
