//! An SVG picture of what `debug_draw` draws, for the examples.

mod path_data;

use std::path::{Path, PathBuf};

use glam::{Affine2, Vec2};
use hitgraph::{Aabb, DebugGeometry, DebugOptions, DebugQuery, DebugShape, World};
pub use path_data::{PathData, short};
use svg::Document;
use svg::node::element::{Group, Path as Stroke, Rectangle, SVG, Text};

/// Lines and words in world units, y up unless made [`y_down`](Self::y_down).
pub struct Picture {
    group: Group,
    min: Vec2,
    max: Vec2,
    flip: f32,
    /// Stroke width in world units.
    pub line_width: f32,
    /// Where the world's origin goes from now on, for several drawings side by side.
    pub origin: Vec2,
    /// From the frame in which one draws from now on to the world, for whoever has frames.
    pub view: Affine2,
    /// The colour of words, any of SVG's.
    pub ink: &'static str,
}

#[allow(dead_code)]
impl Picture {
    pub fn new(line_width: f32) -> Self {
        let group = Group::new().set("fill", "none").set("stroke-linecap", "round").set("stroke-linejoin", "round");
        let (min, max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        Self { group, min, max, flip: -1.0, line_width, origin: Vec2::ZERO, view: Affine2::IDENTITY, ink: "#444" }
    }

    /// For worlds whose y axis points down, as in SVG itself.
    pub fn y_down(self) -> Self {
        Self { flip: 1.0, ..self }
    }

    /// Draws the world as it is now.
    pub fn draw(&mut self, world: World<'_>, options: &DebugOptions) {
        world.debug_draw(options, |shape| self.shape(&shape));
    }

    /// Draws a question with its answer.
    pub fn ask(&mut self, query: DebugQuery<'_>, color: [f32; 4]) {
        let options = DebugOptions { palette: [color; 10], ..DebugOptions::default() };
        query.draw(&options, |shape| self.shape(&shape));
    }

    pub fn shape(&mut self, shape: &DebugShape<'_>) {
        let outline = self.outline(shape, shape.color);
        self.add(outline);
    }

    /// What [`shape`](Self::shape) adds, for adding something to it first.
    pub fn outline(&mut self, shape: &DebugShape<'_>, color: [f32; 4]) -> Stroke {
        let mut lines = Vec::new();
        shape.lines(|a, b| lines.push((a, b)));
        match lines[..] {
            // What has no size.
            [(a, b)] if a == b => self.lines(&self.cross(a), color, false),
            _ => {
                let solid = matches!(shape.geometry, DebugGeometry::Shape(_) | DebugGeometry::Convex(_));
                let data = PathData::trace(shape, |point| self.visit(point));
                self.styled(&data, color, solid)
            }
        }
    }

    /// Draws lines in one colour; closed ones may be filled faintly.
    pub fn stroke(&mut self, lines: &[(Vec2, Vec2)], color: [f32; 4], filled: bool) {
        let lines = self.lines(lines, color, filled);
        self.add(lines);
    }

    /// What [`stroke`](Self::stroke) adds.
    pub fn lines(&mut self, lines: &[(Vec2, Vec2)], color: [f32; 4], filled: bool) -> Stroke {
        let (mut data, mut last) = (PathData::default(), None);
        for (a, b) in lines {
            let [from, to] = [*a, *b].map(|point| self.visit(point));
            data.line(last, from, to);
            last = Some(to);
        }
        self.styled(&data, color, filled)
    }

    /// To a tenth of the line width, whatever the units.
    fn digits(&self) -> usize {
        (1.0 - self.line_width.log10()).ceil().clamp(0.0, 40.0) as usize
    }

    fn styled(&self, data: &PathData, color: [f32; 4], filled: bool) -> Stroke {
        let [r, g, b] = [0, 1, 2].map(|channel: usize| (color[channel] * 255.0).round() as u8);
        let (stroke, width, alpha) = (format!("#{r:02x}{g:02x}{b:02x}"), self.line_width, color[3]);
        // As a style, so that no style sheet of what is drawn with it changes it.
        let mut style = format!("stroke:{stroke};stroke-width:{width}");
        if alpha < 1.0 {
            style += &format!(";stroke-opacity:{alpha}");
        }
        if filled {
            style += &format!(";fill:{stroke};fill-opacity:{}", short(f64::from(0.12 * alpha), 3));
        }
        Stroke::new().set("d", data.text(self.digits())).set("style", style)
    }

    /// Fills a polygon with a colour of SVG.
    pub fn fill(&mut self, points: &[Vec2], color: &str) {
        let lines: Vec<_> = points.windows(2).map(|ends| (ends[0], ends[1])).collect();
        let lines = self.lines(&lines, [0.0; 4], true).set("style", format!("stroke:none;fill:{color}"));
        self.add(lines);
    }

    /// Adds what another picture has in a region, cut off at its border.
    pub fn add_clipped(&mut self, other: Self, region: Aabb) {
        let [a, b] = [region.min, region.max].map(|corner| self.visit(corner));
        let (corner, size) = (a.min(b), region.size());
        let window = SVG::new().set("x", corner.x).set("y", corner.y).set("width", size.x).set("height", size.y);
        self.add(window.set("viewBox", (corner.x, corner.y, size.x, size.y)).add(other.group));
    }

    /// Makes room for a region, whether anything is drawn there or not.
    pub fn frame(&mut self, region: Aabb) {
        self.visit(region.min);
        self.visit(region.max);
    }

    /// An arrow, or only its line if it is short.
    pub fn arrow(&mut self, from: Vec2, to: Vec2, color: [f32; 4]) {
        let back = (from - to).normalize_or_zero() * self.line_width * 4.0;
        let barbs = [to + back + back.perp() * 0.5, to + back - back.perp() * 0.5];
        self.stroke(&[(from, to), (to, barbs[0]), (to, barbs[1])], color, false);
    }

    /// A cross.
    pub fn mark(&mut self, at: Vec2, color: [f32; 4]) {
        self.stroke(&self.cross(at), color, false);
    }

    fn cross(&self, at: Vec2) -> [(Vec2, Vec2); 2] {
        [Vec2::ONE, Vec2::new(1.0, -1.0)].map(|arm| arm * self.line_width * 2.0).map(|arm| (at - arm, at + arm))
    }

    /// Words centred above a point. They do not count for the picture's size.
    pub fn text(&mut self, at: Vec2, size: f32, words: &str) {
        let [x, y] = self.visit(at).to_array().map(|number| short(number.into(), self.digits()));
        let text = Text::new(words).set("x", x).set("y", y).set("font-size", size);
        self.add(text.set("fill", self.ink).set("font-family", "sans-serif").set("text-anchor", "middle"));
    }

    /// Adds any SVG element, in picture coordinates.
    pub fn add(&mut self, element: impl svg::Node) {
        let group = std::mem::replace(&mut self.group, Group::new());
        self.group = group.add(element);
    }

    fn visit(&mut self, point: Vec2) -> Vec2 {
        let place = (self.origin + self.view.transform_point2(point)) * Vec2::new(1.0, self.flip);
        (self.min, self.max) = (self.min.min(place), self.max.max(place));
        place
    }

    /// Writes the picture on white paper, with a margin around what was drawn.
    pub fn save(self, path: impl AsRef<Path>) -> std::io::Result<PathBuf> {
        let extent = (self.max - self.min).max_element();
        let view = self.view_box(if extent > 0.0 { extent * 0.05 } else { 1.0 });
        let [x, y, width, height] = view.clone();
        let paper = Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height);
        let document = Document::new().set("viewBox", view.join(" "));
        write(path.as_ref(), &document.add(paper.set("fill", "white")).add(self.group))
    }

    /// Writes the picture for a page of text, without paper, with so many of the page's ems to a unit.
    pub fn save_inline(self, path: impl AsRef<Path>, ems: f32) -> std::io::Result<PathBuf> {
        let width = short(f64::from((self.max.x - self.min.x) * ems), 1);
        let document = Document::new().set("viewBox", self.view_box(self.line_width).join(" "));
        write(
            path.as_ref(),
            &document
                .set("style", format!("display:block;width:100%;max-width:{width}em;margin-bottom:1em"))
                .add(self.group),
        )
    }

    /// Left, top, width and height of what was drawn and a margin around it.
    fn view_box(&self, margin: f32) -> [String; 4] {
        let (corner, size) = (self.min - margin, self.max - self.min + 2.0 * margin);
        [corner.x, corner.y, size.x, size.y].map(|number| short(number.into(), self.digits()))
    }
}

/// Writes a document of SVG, and makes the folder for it if need be.
pub fn write(path: &Path, document: &Document) -> std::io::Result<PathBuf> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    svg::save(path, document)?;
    Ok(path.to_owned())
}

/// Where examples put their pictures.
#[allow(dead_code)]
pub fn pictures(name: &str) -> PathBuf {
    Path::new("target/pictures").join(name)
}
