//! A figure for the API documentation: a row of panels with captions.

use std::error::Error;
use std::path::PathBuf;

use glam::{Affine2, Vec2, vec2};
use hitgraph::{Aabb, Attachment, Collider, ColliderId, DebugOptions, DebugQuery, DebugShape, Node, NodeId, Scene};
use hitgraph::{Shape, World};

pub use crate::support::palette::{GREY, RED};
use crate::support::{Picture, pictures};

/// The font size in world units. A panel is about ten lines high.
const TEXT: f32 = 0.27;
const DASHED: &str = "stroke:currentColor;stroke-width:.015;stroke-opacity:.6;stroke-dasharray:.06 .06";

pub type Drawn = Result<Figure, Box<dyn Error>>;

pub struct Figure {
    pub picture: Picture,
    right: f32,
}

impl Figure {
    pub fn new() -> Self {
        let picture = Picture::new(0.025);
        Self { picture, right: 0.0 }
    }

    /// Starts the next panel. `size` is the drawing area, with the origin in its centre; the caption extends it.
    pub fn panel(&mut self, size: Vec2, caption: &str) {
        let words = 0.6 * TEXT * caption.chars().count() as f32;
        let size = vec2(size.x.max(words + 0.4), size.y);
        self.picture.origin = vec2(self.right + size.x / 2.0, 0.0);
        self.right += size.x;
        self.picture.frame(Aabb::new(size / 2.0, -size / 2.0 - vec2(0.0, 0.4)));
        self.picture.text(vec2(0.0, -size.y / 2.0 - 0.3), TEXT, caption);
    }

    /// Draws all colliders with their contacts.
    pub fn world(&mut self, world: World<'_>) {
        self.picture.draw(world, &DebugOptions { contacts: true, normals: true, ..DebugOptions::default() });
    }

    /// Draws all colliders with the seams between their pieces.
    pub fn pieces(&mut self, world: World<'_>) {
        self.picture.draw(world, &DebugOptions { seams: true, ..DebugOptions::default() });
    }

    /// Draws a node in its earlier state, in grey.
    pub fn before(&mut self, world: World<'_>, node: NodeId) {
        let options = DebugOptions {
            palette: hitgraph::DebugPalette::uniform(GREY),
            subtree: Some(node),
            ..DebugOptions::default()
        };
        self.picture.draw(world, &options);
    }

    /// Draws a query with its answer.
    pub fn ask(&mut self, query: DebugQuery<'_>) {
        self.picture.ask(query, RED);
    }

    pub fn words(&mut self, at: Vec2, words: &str) {
        self.picture.text(at, TEXT, words);
    }

    /// Draws the number of each piece of a composite shape at the centre of the piece.
    pub fn numbers(&mut self, shape: &dyn Collider) {
        shape.pieces(&Aabb::EVERYTHING, &mut |number, piece| {
            let below = if matches!(piece, Shape::Segment(_)) { 0.4 } else { 0.1 };
            self.words(piece.bounds().center() - vec2(0.0, below), &number.to_string());
        });
    }

    /// Draws thin dashed lines in the colour of the text.
    pub fn guide(&mut self, lines: &[(Vec2, Vec2)]) {
        let lines = self.picture.lines(lines, GREY, false);
        self.picture.add(lines.set("style", DASHED));
    }

    /// Draws an outline with the same dashes.
    pub fn guide_of(&mut self, shape: &DebugShape<'_>) {
        let mut outline = self.picture.outline(shape, GREY);
        svg::Node::assign(&mut outline, "style", DASHED);
        self.picture.add(outline);
    }

    /// Draws the axes of a frame.
    pub fn axes(&mut self, frame: &Affine2) {
        for axis in [frame.matrix2.x_axis, frame.matrix2.y_axis] {
            self.picture.arrow(frame.translation, frame.translation + axis * 0.5, GREY);
        }
    }

    pub fn save(self, name: &str) -> std::io::Result<PathBuf> {
        self.picture.save_inline(pictures(&format!("figures/{name}.svg")), 3.3)
    }
}

/// Returns a scene with one collider.
pub fn alone(node: Node, shape: impl Into<Attachment>) -> (Scene, NodeId, ColliderId) {
    let mut scene = Scene::new();
    let (node, collider) = scene.add_with(node, shape);
    (scene, node, collider)
}

/// Returns the name of a shape's kind.
pub fn kind(shape: &Shape) -> String {
    format!("{shape:?}").split('(').next().unwrap_or_default().to_owned()
}
