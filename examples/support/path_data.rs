//! Converts outlines to compact SVG path data with Bézier curves.

use std::f32::consts::{PI, TAU};
use std::fmt::Write as _;

use glam::{DVec2, Mat2, Vec2};
use hitgraph::{DebugGeometry, DebugShape, Shape};

/// An outline as SVG path commands and their points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathData {
    pub commands: String,
    pub points: Vec<Vec2>,
    start: Vec2,
}

impl PathData {
    /// Traces a shape. `place` maps each point to the picture. Round shapes become curves, all others lines.
    pub fn trace(shape: &DebugShape<'_>, mut place: impl FnMut(Vec2) -> Vec2) -> Self {
        let mut data = Self::default();
        if let DebugGeometry::Shape(shape) = shape.geometry
            && let Some((core, disc)) = swollen(shape)
        {
            data.round(core, disc, &mut place);
        } else {
            let mut last = None;
            shape.lines(|a, b| {
                data.line(last, place(a), place(b));
                last = Some(place(b));
            });
        }
        data
    }

    /// Adds a line, which continues the path if it starts at `last`.
    pub fn line(&mut self, last: Option<Vec2>, from: Vec2, to: Vec2) {
        if last != Some(from) {
            self.move_to(from);
        }
        self.line_to(to);
    }

    /// Adds the outline of the Minkowski sum of a core polygon and the image of the unit disc under a matrix. Each
    /// corner becomes an arc from the outward normal of the edge before it to that of the edge after it.
    fn round(&mut self, mut core: Vec<Vec2>, mut disc: Mat2, place: &mut impl FnMut(Vec2) -> Vec2) {
        let next = |core: &[Vec2], index: usize| core[(index + 1) % core.len()];
        // Makes both counter-clockwise.
        let area: f32 = (0..core.len()).map(|index| core[index].perp_dot(next(&core, index))).sum();
        if area < 0.0 && core.len() > 2 {
            core.reverse();
        }
        if disc.determinant() < 0.0 {
            disc.x_axis = -disc.x_axis;
        }
        let normal = |index: usize| disc.transpose() * (core[index] - next(&core, index)).perp();
        for index in 0..core.len() {
            let before = normal((index + core.len() - 1) % core.len());
            let (from, turn, arcs) = match core.len() {
                1 => (0.0, TAU, 4),
                // The two edges of a capsule have opposite normals.
                2 => (before.to_angle(), PI, 2),
                _ => {
                    let after = normal(index);
                    (before.to_angle(), before.perp_dot(after).atan2(before.dot(after)).max(0.0), 2)
                }
            };
            let arc = turn / arcs as f32;
            let reach = 4.0 / 3.0 * (arc / 4.0).tan();
            for number in 0..arcs {
                let [a, b] = [number, number + 1].map(|end| Vec2::from_angle(from + arc * end as f32));
                let [start, bend, unbend, end] =
                    [a, a + a.perp() * reach, b - b.perp() * reach, b].map(|way| place(core[index] + disc * way));
                match (index, number) {
                    (0, 0) => self.move_to(start),
                    (_, 0) => self.line_to(start),
                    _ => {}
                }
                // A continued arc mirrors the last control point of the arc before.
                if number == 0 {
                    self.add('c', &[bend, unbend, end]);
                } else {
                    self.add('s', &[unbend, end]);
                }
            }
        }
        self.commands.push('z');
    }

    fn move_to(&mut self, point: Vec2) {
        self.add('M', &[point]);
        self.start = point;
    }

    /// Adds a line. A line back to the start closes the path.
    fn line_to(&mut self, point: Vec2) {
        if point == self.start && !self.commands.ends_with('M') {
            self.commands.push('z');
        } else {
            self.add('l', &[point]);
        }
    }

    fn add(&mut self, command: char, points: &[Vec2]) {
        self.commands.push(command);
        self.points.extend(points);
    }

    /// Formats the data, rounded to `digits` decimals, with each point relative to the previous one.
    pub fn text(&self, digits: usize) -> String {
        let grid = 10_f64.powi(digits as i32);
        let (mut text, mut points) = (String::new(), self.points.iter());
        let (mut start, mut last, mut before) = (DVec2::ZERO, DVec2::ZERO, ' ');
        for command in self.commands.chars() {
            if command != before {
                text.push(command);
            }
            let origin = if command == 'M' { DVec2::ZERO } else { last };
            let count = match command {
                'z' => 0,
                'c' => 3,
                's' => 2,
                _ => 1,
            };
            for point in points.by_ref().take(count) {
                last = (point.as_dvec2() * grid).round() / grid;
                for number in (last - origin).to_array() {
                    let number = short(number, digits);
                    let apart = text.ends_with(|last: char| last.is_ascii_digit()) && !number.starts_with('-');
                    let _ = write!(text, "{}{number}", if apart { " " } else { "" });
                }
            }
            match command {
                'M' => start = last,
                'z' => last = start,
                _ => {}
            }
            before = command;
        }
        text
    }
}

/// Returns the core points and the disc's matrix of a round shape.
fn swollen(shape: &Shape) -> Option<(Vec<Vec2>, Mat2)> {
    let disc = |radius: f32| Mat2::from_diagonal(Vec2::splat(radius));
    match shape {
        Shape::Circle(circle) => Some((vec![circle.center()], disc(circle.radius()))),
        Shape::Ellipse(ellipse) => Some((vec![ellipse.center()], ellipse.matrix())),
        Shape::Capsule(capsule) => Some((capsule.axis().ends().to_vec(), disc(capsule.radius()))),
        Shape::Rounded(rounded) => Some((rounded.core().points().collect(), rounded.matrix())),
        _ => None,
    }
}

/// Formats a number with at most `digits` decimals and without redundant zeros.
pub fn short(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    match text {
        "-0" | "0" => "0".to_owned(),
        _ => text.replacen("0.", ".", usize::from(text.starts_with("0.") || text.starts_with("-0."))),
    }
}
