//! Draws the output of `debug_draw` as SVG, for the examples.

pub mod palette;
mod path_data;
pub mod scheme;

use std::path::{Path, PathBuf};

use glam::{Affine2, Vec2};
use hitgraph::{Aabb, DebugGeometry, DebugOptions, DebugQuery, DebugShape, World};
pub use path_data::{PathData, short};
use scheme::SCHEME;
use svg::Document;
use svg::node::element::{Element, Group, Path as Stroke, Rectangle, SVG, Style, Text};

/// A picture of lines and text in world units, y up by default; see [`y_down`](Self::y_down).
pub struct Picture {
    group: Group,
    min: Vec2,
    max: Vec2,
    flip: f32,
    /// Stroke width in world units.
    pub line_width: f32,
    /// The position of the world's origin in later drawings, to draw several scenes side by side.
    pub origin: Vec2,
    /// The matrix from the frame of later drawings to the world.
    pub view: Affine2,
}

#[allow(dead_code)]
impl Picture {
    pub fn new(line_width: f32) -> Self {
        let group = Group::new().set("fill", "none").set("stroke-linecap", "round").set("stroke-linejoin", "round");
        let (min, max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        Self { group, min, max, flip: -1.0, line_width, origin: Vec2::ZERO, view: Affine2::IDENTITY }
    }

    /// Returns the picture for a world whose y axis points down, as in SVG.
    pub fn y_down(self) -> Self {
        Self { flip: 1.0, ..self }
    }

    /// Draws the world in its current state.
    pub fn draw(&mut self, world: World<'_>, options: &DebugOptions) {
        world.debug_draw(options, |shape| self.shape(&shape));
    }

    /// Draws a query with its answer.
    pub fn ask(&mut self, query: DebugQuery<'_>, color: [f32; 4]) {
        let options = DebugOptions { palette: hitgraph::DebugPalette::uniform(color), ..DebugOptions::default() };
        query.draw(&options, |shape| self.shape(&shape));
    }

    /// Draws one shape in its own colour.
    pub fn shape(&mut self, shape: &DebugShape<'_>) {
        let outline = self.outline(shape, shape.color);
        self.add(outline);
    }

    /// Returns the element that [`shape`](Self::shape) adds, so that the caller can extend it first.
    pub fn outline(&mut self, shape: &DebugShape<'_>, color: [f32; 4]) -> Element {
        let (mut lines, mut whole) = (Vec::new(), Vec::new());
        shape.lines(|a, b| lines.push((a, b)));
        shape.outline(|a, b| whole.push((a, b)));
        match whole[..] {
            // A shape without size.
            [(a, b)] if a == b => self.lines(&self.cross(a), color, false).into(),
            _ if lines == whole => {
                let solid = matches!(shape.geometry, DebugGeometry::Shape(_) | DebugGeometry::SupportShape(_));
                let data = PathData::trace(shape, |point| self.visit(point));
                self.styled(&data, color, solid).into()
            }
            // A piece without its seams.
            _ => {
                let inside = self.path_of(&whole);
                let inside = Stroke::new().set("d", inside.text(self.digits())).set("style", fill(color));
                Group::new().add(inside).add(self.lines(&lines, color, false)).into()
            }
        }
    }

    /// Draws lines in one colour; `filled` fills a closed outline with a light tint.
    pub fn stroke(&mut self, lines: &[(Vec2, Vec2)], color: [f32; 4], filled: bool) {
        let lines = self.lines(lines, color, filled);
        self.add(lines);
    }

    /// Returns the element that [`stroke`](Self::stroke) adds.
    pub fn lines(&mut self, lines: &[(Vec2, Vec2)], color: [f32; 4], filled: bool) -> Stroke {
        let data = self.path_of(lines);
        self.styled(&data, color, filled)
    }

    fn path_of(&mut self, lines: &[(Vec2, Vec2)]) -> PathData {
        let (mut data, mut last) = (PathData::default(), None);
        for (a, b) in lines {
            let [from, to] = [*a, *b].map(|point| self.visit(point));
            data.line(last, from, to);
            last = Some(to);
        }
        data
    }

    /// Returns the number of decimals for a resolution of a tenth of the line width.
    fn digits(&self) -> usize {
        (1.0 - self.line_width.log10()).ceil().clamp(0.0, 40.0) as usize
    }

    fn styled(&self, data: &PathData, color: [f32; 4], filled: bool) -> Stroke {
        let (width, alpha) = (self.line_width, color[3]);
        // A `style` attribute takes precedence over style sheets of an embedded drawing.
        let mut style = format!("stroke:{};stroke-width:{width}", hex(color));
        if alpha < 1.0 {
            style += &format!(";stroke-opacity:{alpha}");
        }
        if filled {
            style += &format!(";{}", fill(color));
        }
        Stroke::new().set("d", data.text(self.digits())).set("style", style)
    }

    /// Fills a polygon with an SVG colour.
    pub fn fill(&mut self, points: &[Vec2], color: &str) {
        let lines: Vec<_> = points.windows(2).map(|ends| (ends[0], ends[1])).collect();
        let lines = self.lines(&lines, [0.0; 4], true).set("style", format!("stroke:none;fill:{color}"));
        self.add(lines);
    }

    /// Adds another picture, clipped to a region.
    pub fn add_clipped(&mut self, other: Self, region: Aabb) {
        let [a, b] = [region.min, region.max].map(|corner| self.visit(corner));
        let (corner, size) = (a.min(b), region.size());
        let window = SVG::new().set("x", corner.x).set("y", corner.y).set("width", size.x).set("height", size.y);
        self.add(window.set("viewBox", (corner.x, corner.y, size.x, size.y)).add(other.group));
    }

    /// Extends the picture to contain a region.
    pub fn frame(&mut self, region: Aabb) {
        self.visit(region.min);
        self.visit(region.max);
    }

    /// Draws an arrow.
    pub fn arrow(&mut self, from: Vec2, to: Vec2, color: [f32; 4]) {
        let back = (from - to).normalize_or_zero() * self.line_width * 4.0;
        let barbs = [to + back + back.perp() * 0.5, to + back - back.perp() * 0.5];
        self.stroke(&[(from, to), (to, barbs[0]), (to, barbs[1])], color, false);
    }

    /// Draws a cross.
    pub fn mark(&mut self, at: Vec2, color: [f32; 4]) {
        self.stroke(&self.cross(at), color, false);
    }

    fn cross(&self, at: Vec2) -> [(Vec2, Vec2); 2] {
        [Vec2::ONE, Vec2::new(1.0, -1.0)].map(|arm| arm * self.line_width * 2.0).map(|arm| (at - arm, at + arm))
    }

    /// Draws text centred above a point. Text does not extend the picture.
    pub fn text(&mut self, at: Vec2, size: f32, words: &str) {
        let [x, y] = self.visit(at).to_array().map(|number| short(number.into(), self.digits()));
        let text = Text::new(words).set("x", x).set("y", y).set("font-size", size);
        self.add(text.set("fill", "currentColor").set("font-family", "sans-serif").set("text-anchor", "middle"));
    }

    /// Adds an SVG element in picture coordinates.
    pub fn add(&mut self, element: impl svg::Node) {
        let group = std::mem::replace(&mut self.group, Group::new());
        self.group = group.add(element);
    }

    fn visit(&mut self, point: Vec2) -> Vec2 {
        let place = (self.origin + self.view.transform_point2(point)) * Vec2::new(1.0, self.flip);
        (self.min, self.max) = (self.min.min(place), self.max.max(place));
        place
    }

    /// Writes the picture on paper with a margin.
    pub fn save(self, path: impl AsRef<Path>) -> std::io::Result<PathBuf> {
        let extent = (self.max - self.min).max_element();
        let view = self.view_box(if extent > 0.0 { extent * 0.05 } else { 1.0 });
        let [x, y, width, height] = view.clone();
        let paper = Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height);
        let document = Document::new().set("viewBox", view.join(" ")).set("class", "scheme");
        write(path.as_ref(), &document.add(Style::new(SCHEME)).add(paper.set("class", "paper")).add(self.group))
    }

    /// Writes the picture without a background for a page of text, with `ems` of the page's em per unit.
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

    /// Returns left, top, width and height of the drawn region with a margin.
    fn view_box(&self, margin: f32) -> [String; 4] {
        let (corner, size) = (self.min - margin, self.max - self.min + 2.0 * margin);
        [corner.x, corner.y, size.x, size.y].map(|number| short(number.into(), self.digits()))
    }
}

pub fn hex(color: [f32; 4]) -> String {
    let [r, g, b] = [0, 1, 2].map(|channel: usize| (color[channel] * 255.0).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns the style of a light tint.
fn fill(color: [f32; 4]) -> String {
    format!("fill:{};fill-opacity:{}", hex(color), short(f64::from(0.12 * color[3]), 3))
}

/// Writes an SVG document and creates its folder if necessary.
pub fn write(path: &Path, document: &Document) -> std::io::Result<PathBuf> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    svg::save(path, document)?;
    Ok(path.to_owned())
}

/// Prints what happened in an example, writes its picture and prints the path.
#[allow(dead_code)]
pub fn report(lines: &[String; 3], picture: Picture, name: &str) -> std::io::Result<()> {
    lines.iter().for_each(|line| println!("{line}"));
    println!("{}", picture.save(pictures(name))?.display());
    Ok(())
}

/// Returns the path of a picture that an example writes.
#[allow(dead_code)]
pub fn pictures(name: &str) -> PathBuf {
    Path::new("target/pictures").join(name)
}
