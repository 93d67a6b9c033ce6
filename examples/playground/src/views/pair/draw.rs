//! Draws the pair.

use glam::Vec2;
use macroquad::prelude::{Color, WHITE, draw_circle, draw_circle_lines, draw_rectangle};

use super::handles::{Handle, Handles};
use super::operand::NODES;
use super::pair_scene::PairResults;
use super::{Held, PairView};
use crate::draw::{Brush, Stroke, lines};
use crate::theme;
use crate::ui::short;

/// The colours of A and B.
pub const COLORS: [Color; 2] = [theme::FIRST, theme::SECOND];

impl PairView {
    pub(super) fn paint(&mut self, brush: &Brush<'_>) {
        let show = self.state.show;
        if show.boxes {
            for (bounds, color) in self.results.bounds.into_iter().zip(COLORS) {
                let stroke = Stroke::new(theme::faint(color, 0.5)).width(1.0);
                bounds.into_iter().for_each(|bounds| brush.outline(bounds, stroke));
            }
        }
        if show.decomposed {
            self.decomposed_scene
                .draw(|_, shape| brush.shape(shape, Stroke::new(theme::GHOST).width(1.5).filled(0.06).dashed()));
        }
        // Touching shapes are filled with orange. Their outlines keep the colours of the operands.
        let touching = self.results.touching();
        self.pair_scene.draw(|index, shape| {
            if touching {
                brush.shape(shape, Stroke::new(theme::TOUCHING).width(0.0).filled(0.4));
            }
            brush.shape(shape, Stroke::new(COLORS[index]).filled(if touching { 0.0 } else { 0.15 }));
        });
        if show.nodes {
            self.draw_chains(brush);
        }
        if show.contacts {
            self.draw_contact(brush);
        }
        if show.closest {
            self.draw_closest(brush);
        }
        if show.nodes {
            self.draw_handles(brush);
        }
        self.draw_results(brush);
    }

    /// Draws the contact points and the normal.
    fn draw_contact(&self, brush: &Brush<'_>) {
        let Some(contact) = self.results.contact else { return };
        let stroke = Stroke::new(theme::CONTACT).width(2.5);
        for point in contact.points() {
            // As long as the depth, but at least 22 points on the screen.
            let length = contact.depth.max(22.0 / brush.camera.scale);
            brush.arrow(*point, *point + contact.normal * length, stroke);
            brush.dot(*point, 4.5, theme::CONTACT);
        }
    }

    /// Draws the closest points if the shapes are separate.
    fn draw_closest(&self, brush: &Brush<'_>) {
        let (Some([a, b]), Some(distance)) = (self.results.closest, self.results.distance) else { return };
        if self.results.touching() {
            return;
        }
        brush.line(a, b, Stroke::new(theme::CLOSEST).dashed());
        brush.dot(a, 4.0, theme::CLOSEST);
        brush.dot(b, 4.0, theme::CLOSEST);
        brush.label((a + b) * 0.5, &short(distance), theme::CLOSEST);
    }

    /// Draws both chains, from the outermost node to the shape.
    fn draw_chains(&self, brush: &Brush<'_>) {
        for (operand, color) in self.state.operands.iter().zip(COLORS) {
            let places = [0, 1, 2].map(|node| operand.world(node).translation);
            let stroke = Stroke::new(theme::faint(color, 0.5)).width(1.0).dashed();
            brush.line(places[0], places[1], stroke);
            brush.line(places[1], places[2], stroke);
            places.into_iter().for_each(|at| brush.dot(at, 2.5, color));
        }
    }

    /// Draws the handles of the edited node.
    fn draw_handles(&self, brush: &Brush<'_>) {
        let handles = self.handles(brush.camera);
        let Handles { origin, tips: [x, y], turn, skew } = handles;
        let color = COLORS[self.operand];
        let faint = Stroke::new(theme::faint(WHITE, 0.45)).width(1.0);
        lines(&[[origin, turn], [origin, skew]], faint);
        let is_held = |handle: Handle| matches!(self.held, Some(Held::Handle(grip)) if grip.handle == handle);
        let knob_color = |handle: Handle| if is_held(handle) { WHITE } else { color };
        for (handle, at) in [(Handle::ScaleX, x), (Handle::ScaleY, y)] {
            draw_rectangle(at.x - 6.0, at.y - 6.0, 12.0, 12.0, theme::BACKGROUND);
            draw_rectangle(at.x - 5.0, at.y - 5.0, 10.0, 10.0, knob_color(handle));
        }
        for (handle, at) in [(Handle::Turn, turn), (Handle::Skew, skew)] {
            draw_circle(at.x, at.y, 7.5, knob_color(handle));
            draw_circle(at.x, at.y, 5.0, theme::BACKGROUND);
        }
        draw_circle_lines(origin.x, origin.y, 6.0, 2.0, knob_color(Handle::Move));
        for (handle, at) in handles.places() {
            let (words, color) = match handle {
                Handle::Move => (NODES[self.node], color),
                Handle::Turn => ("turn", theme::MUTED),
                Handle::Skew => ("skew", theme::MUTED),
                Handle::ScaleX | Handle::ScaleY => continue,
            };
            // The text is beyond the handle, seen from the origin.
            let outward = (at - origin).try_normalize().unwrap_or(Vec2::Y);
            let width = theme::text_width(words, theme::SMALL);
            let place = at + outward * Vec2::new(14.0 + width * 0.5, 18.0);
            // At the edge of a narrow window it is below the handle instead.
            let area = brush.camera.area;
            let fits = place.x + width * 0.5 <= area.right() && place.x - width * 0.5 >= area.x;
            let place =
                if fits { place } else { at + Vec2::new((area.center().x - at.x).signum() * width * 0.5, 20.0) };
            theme::plate(words, place.x - width * 0.5, place.y + 4.0, theme::SMALL, color);
        }
    }

    /// Draws the results as text at the top left.
    fn draw_results(&self, brush: &Brush<'_>) {
        let (x, y) = (brush.camera.area.x + 18.0, brush.camera.area.y + 32.0);
        let (exact, decomposed) = (&self.results, &self.decomposed_results);
        let describe = |results: &PairResults| match (results.contact, results.distance) {
            (Some(contact), _) => format!("touching, {} deep", short(contact.depth)),
            (None, Some(distance)) => format!("apart by {}", short(distance)),
            (None, None) => "quarantined".to_owned(),
        };
        let color = if exact.touching() { theme::TOUCHING } else { theme::CLOSEST };
        theme::plate(&describe(exact), x, y, theme::LARGE, color);
        if self.state.show.decomposed {
            let verdict = if exact.touching() == decomposed.touching() { "" } else { " – wrong" };
            let words = format!("decomposed: {}{verdict}", describe(decomposed));
            theme::plate(&words, x, y + 27.0, theme::FONT_SIZE, theme::GHOST);
        }
    }
}
