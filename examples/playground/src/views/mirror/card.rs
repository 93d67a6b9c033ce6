//! The card with the last wrong answer: a picture, the true gap and two commands.

use glam::Vec2;
use hitgraph::{Aabb, Attachment, DebugOptions, Node, Scene, Transform};
use macroquad::prelude::{Color, Rect};

use super::MirrorView;
use super::decomposed::decomposed;
use super::lie::{Lie, Verdict};
use super::operand::Operand;
use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::theme;
use crate::ui::{rounded, wrap};

const SIZE: Vec2 = Vec2::new(424.0, 138.0);
/// The width of the picture.
const PICTURE_WIDTH: f32 = 150.0;

/// Returns the card's place at the bottom left of an area.
fn place(area: Rect) -> Rect {
    let width = SIZE.x.min(area.w - 20.0);
    Rect::new(area.x + 10.0, area.bottom() - SIZE.y - 10.0, width, SIZE.y)
}

/// Returns the place of the picture. A narrow card has a narrow one.
fn picture_place(card: Rect) -> Rect {
    let width = PICTURE_WIDTH.min(card.w - 262.0).max(60.0);
    Rect::new(card.x + 8.0, card.y + 8.0, width, card.h - 16.0)
}

/// Returns the buttons of a card: "send this" and "copy as Rust test".
pub fn buttons(card: Rect) -> [Rect; 2] {
    let (x, y, height) = (picture_place(card).right() + 10.0, card.bottom() - 38.0, 30.0);
    let width = card.right() - x - 16.0;
    let first = width * 0.37;
    [Rect::new(x, y, first, height), Rect::new(x + first + 8.0, y, width - first, height)]
}

impl MirrorView {
    pub(super) fn paint_card(&mut self, area: Rect) {
        let Some(lie) = self.shown().cloned() else {
            self.card_area = Rect::default();
            return;
        };
        let card = place(area);
        self.card_area = card;
        rounded(card, theme::PANEL);
        picture(&lie, picture_place(card));
        let (x, y) = (picture_place(card).right() + 10.0, card.y);
        theme::text(&lie.verdict.to_string(), x, y + 24.0, theme::TITLE, theme::stamp(lie.verdict == Verdict::Phantom));
        theme::text(&lie.title(), x, y + 43.0, theme::SMALL, theme::TEXT);
        for (index, line) in wrap(&lie.sentence(), theme::SMALL, card.right() - x - 8.0).iter().take(2).enumerate() {
            theme::text(line, x, y + 63.0 + 17.0 * index as f32, theme::SMALL, theme::MUTED);
        }
        let [send, copy] = buttons(card);
        self.card.overlay(card, self.pointer);
        if self.card.cell(send, "send this", false) {
            self.send();
        }
        if self.card.cell(copy, "copy as Rust test", false) {
            self.copy_test();
        }
    }
}

/// Draws the two limbs: filled as they are, dashed as the decomposing engine tests them.
fn picture(lie: &Lie, area: Rect) {
    rounded(area, theme::BACKGROUND);
    let exact = lie.operands.map(|operand| {
        let shape = operand.kind.attachment();
        shape.map(|shape| (shape, Transform::from_affine(operand.world(2))))
    });
    let split = lie
        .operands
        .map(|operand: Operand| decomposed(&operand).map(|(shape, at)| (shape, Transform::from_affine(at))));
    let [Ok(a), Ok(b)] = exact else { return };
    let [Ok(c), Ok(d)] = split else { return };
    let mut scenes = [[a, b], [c, d]].map(scene);
    let seen = scenes.iter_mut().fold(Aabb::EMPTY, |seen, scene| {
        let world = scene.world();
        let nodes = world.descendants(world.root());
        nodes.flat_map(|node| world.colliders(node)).filter_map(|id| world.bounds(*id)).fold(seen, Aabb::union)
    });
    let mut camera = Camera::new(false);
    camera.place(area, seen.grown(0.15));
    let brush = Brush::new(&camera);
    let [exact, split] = &mut scenes;
    let colors = [theme::SECOND, theme::FIRST];
    let mut index = 0;
    exact.world().debug_draw(&DebugOptions::default(), |shape| {
        brush.shape(&shape, Stroke::new(colors[index % 2]).width(1.5).filled(0.45));
        index += 1;
    });
    split.world().debug_draw(&DebugOptions::default(), |shape| brush.shape(&shape, ghost(1.0)));
    mark(&brush, lie.at, theme::CONTACT);
}

/// Returns the stroke of the decomposing engine's shapes.
pub fn ghost(alpha: f32) -> Stroke {
    Stroke::new(theme::faint(theme::GHOST, alpha)).width(1.5).dashed()
}

/// Draws a ring around a place.
pub fn mark(brush: &Brush<'_>, at: Vec2, color: Color) {
    let at = brush.camera.to_screen(at);
    macroquad::prelude::draw_circle_lines(at.x, at.y, 9.0, 2.5, color);
}

fn scene(shapes: [(Attachment, Transform); 2]) -> Scene {
    let mut scene = Scene::new();
    for (shape, at) in shapes {
        scene.add_with(Node::new("limb").with_transform(at), shape);
    }
    scene
}
