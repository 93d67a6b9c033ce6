//! Outlines as the data of SVG paths: short, and with true curves.

use std::f32::consts::{FRAC_PI_2, TAU};
use std::fmt::Write as _;

use glam::{DVec2, Mat2, Vec2, vec2};
use hitgraph::{DebugGeometry, DebugShape, Shape};

/// Path data, each point relative to the last one and rounded to so many digits.
pub struct PathData {
    text: String,
    digits: usize,
    command: char,
    start: DVec2,
    last: DVec2,
}

impl PathData {
    pub fn new(digits: usize) -> Self {
        Self { text: String::new(), digits, command: ' ', start: DVec2::NAN, last: DVec2::ZERO }
    }

    /// What is drawn, as it is placed: circles and other round things by curves, all others by their lines.
    pub fn trace(&mut self, shape: &DebugShape<'_>, mut place: impl FnMut(Vec2) -> Vec2) {
        if let DebugGeometry::Shape(shape) = shape.geometry {
            match shape {
                Shape::Circle(disc) => {
                    return self.swollen(&[disc.center()], Mat2::from_diagonal(Vec2::splat(disc.radius())), &mut place);
                }
                Shape::Ellipse(disc) => return self.swollen(&[disc.center()], disc.matrix(), &mut place),
                Shape::Capsule(capsule) => {
                    let matrix = Mat2::from_diagonal(Vec2::splat(capsule.radius()));
                    return self.swollen(&capsule.axis().ends(), matrix, &mut place);
                }
                Shape::Rounded(rounded) => {
                    let core: Vec<Vec2> = rounded.core().points().collect();
                    return self.swollen(&core, rounded.matrix(), &mut place);
                }
                _ => {}
            }
        }
        let mut last = None;
        shape.lines(|a, b| {
            if last != Some(a) {
                self.move_to(place(a));
            }
            self.line_to(place(b));
            last = Some(b);
        });
    }

    /// The outline of a convex core swollen by the image of a disc under a matrix: at each corner an arc, from the
    /// outward normal of the side before it to that of the side behind it.
    fn swollen(&mut self, core: &[Vec2], matrix: Mat2, place: &mut impl FnMut(Vec2) -> Vec2) {
        let side = |index: usize| core[(index + 1) % core.len()] - core[index % core.len()];
        // Counter-clockwise, the core and the disc.
        let area: f32 = (0..core.len()).map(|i| (core[i] - core[0]).perp_dot(side(i))).sum();
        let matrix = if matrix.determinant() < 0.0 { matrix * Mat2::from_diagonal(vec2(1.0, -1.0)) } else { matrix };
        let normal = |index: usize| matrix.transpose() * -side(index).perp() * if area < 0.0 { -1.0 } else { 1.0 };
        for step in 0..core.len() {
            let index = if area < 0.0 { core.len() - 1 - step } else { step };
            let (before, behind) =
                if area < 0.0 { (index, index + core.len() - 1) } else { (index + core.len() - 1, index) };
            let (from, turn, arcs) = match core.len() {
                1 => (0.0, TAU, 4),
                // The normals of a capsule's sides are opposite.
                2 => (normal(before).to_angle(), FRAC_PI_2 * 2.0, 2),
                _ => (normal(before).to_angle(), normal(before).angle_to(normal(behind)).max(0.0), 2),
            };
            let arc = turn / arcs as f32;
            let reach = 4.0 / 3.0 * (arc / 4.0).tan();
            for number in 0..arcs {
                let [a, b] = [number, number + 1].map(|end| Vec2::from_angle(from + arc * end as f32));
                let [start, bend, unbend, end] =
                    [a, a + a.perp() * reach, b - b.perp() * reach, b].map(|way| place(core[index] + matrix * way));
                match number {
                    0 if step == 0 => self.move_to(start),
                    0 => self.line_to(start),
                    _ => {}
                }
                self.curve_to(bend, unbend, end);
            }
        }
        self.close();
    }

    pub fn move_to(&mut self, point: Vec2) {
        self.last = DVec2::ZERO;
        self.points('M', &[point]);
        self.start = self.last;
    }

    /// A line back to the start closes the path.
    pub fn line_to(&mut self, point: Vec2) {
        if self.rounded(point) == self.start && self.command != 'M' {
            self.close();
        } else {
            self.points('l', &[point]);
        }
    }

    fn curve_to(&mut self, bend: Vec2, unbend: Vec2, end: Vec2) {
        self.points('c', &[bend, unbend, end]);
    }

    fn close(&mut self) {
        self.text.push('z');
        (self.command, self.last, self.start) = ('z', self.start, DVec2::NAN);
    }

    fn points(&mut self, command: char, points: &[Vec2]) {
        if command != self.command {
            self.text.push(command);
            self.command = command;
        }
        let origin = self.last;
        for point in points {
            let place = self.rounded(*point);
            for number in (place - origin).to_array() {
                let number = short(number, self.digits);
                let apart = self.text.ends_with(|last: char| last.is_ascii_digit()) && !number.starts_with('-');
                let _ = write!(self.text, "{}{number}", if apart { " " } else { "" });
            }
            self.last = place;
        }
    }

    fn rounded(&self, point: Vec2) -> DVec2 {
        let grid = 10_f64.powi(self.digits as i32);
        (point.as_dvec2() * grid).round() / grid
    }
}

impl From<PathData> for String {
    fn from(data: PathData) -> Self {
        data.text
    }
}

/// A number with no more than so many digits behind the point, and none that say nothing.
pub fn short(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    match text {
        "-0" | "0" => "0".to_owned(),
        _ => text.replacen("0.", ".", usize::from(text.starts_with("0.") || text.starts_with("-0."))),
    }
}
