//! The picture of the two.

use glam::Vec2;
use macroquad::prelude::{Color, WHITE, draw_circle, draw_circle_lines, draw_rectangle};

use super::body::NODES;
use super::handles::{Handle, Handles};
use super::{Held, PairView};
use crate::draw::{Brush, Stroke, lines};
use crate::theme;
use crate::ui::short;

/// Of A and B.
pub const COLORS: [Color; 2] = [theme::FIRST, theme::SECOND];

impl PairView {
    pub(super) fn paint(&mut self, brush: &Brush<'_>) {
        let show = self.state.show;
        if show.boxes {
            for (bounds, color) in self.answers.bounds.into_iter().zip(COLORS) {
                let stroke = Stroke::new(theme::faint(color, 0.5)).width(1.0);
                bounds.into_iter().for_each(|bounds| brush.outline(bounds, stroke));
            }
        }
        if show.decomposed {
            self.other.draw(|_, shape| brush.shape(shape, Stroke::new(theme::GHOST).width(1.5).filled(0.06).dashed()));
        }
        let fill = if self.answers.touching() { 0.30 } else { 0.15 };
        self.meeting.draw(|index, shape| brush.shape(shape, Stroke::new(COLORS[index]).filled(fill)));
        if show.nodes {
            self.chains(brush);
        }
        if show.contacts {
            self.contact(brush);
        }
        if show.closest {
            self.closest(brush);
        }
        if show.nodes {
            self.knobs(brush);
        }
        self.verdict(brush);
    }

    fn contact(&self, brush: &Brush<'_>) {
        let Some(contact) = self.answers.contact else { return };
        let stroke = Stroke::new(theme::CONTACT).width(2.5);
        for point in contact.points() {
            // As long as the overlap is deep, or a little longer so that it can be seen.
            let length = contact.depth.max(22.0 / brush.camera.scale);
            brush.arrow(*point, *point + contact.normal * length, stroke);
            brush.dot(*point, 4.5, theme::CONTACT);
        }
    }

    fn closest(&self, brush: &Brush<'_>) {
        let (Some([a, b]), Some(distance)) = (self.answers.closest, self.answers.distance) else { return };
        if self.answers.touching() {
            return;
        }
        brush.line(a, b, Stroke::new(theme::CLOSEST).dashed());
        brush.dot(a, 4.0, theme::CLOSEST);
        brush.dot(b, 4.0, theme::CLOSEST);
        brush.label((a + b) * 0.5, &short(distance), theme::CLOSEST);
    }

    /// From the outermost node to the shape.
    fn chains(&self, brush: &Brush<'_>) {
        for (body, color) in self.state.bodies.iter().zip(COLORS) {
            let places = [0, 1, 2].map(|node| body.world(node).translation);
            let stroke = Stroke::new(theme::faint(color, 0.5)).width(1.0).dashed();
            brush.line(places[0], places[1], stroke);
            brush.line(places[1], places[2], stroke);
            places.into_iter().for_each(|at| brush.dot(at, 2.5, color));
        }
    }

    /// The handles of the edited node.
    fn knobs(&self, brush: &Brush<'_>) {
        let handles = self.handles(brush.camera);
        let Handles { origin, tips: [x, y], turn, skew } = handles;
        let color = COLORS[self.body];
        let faint = Stroke::new(theme::faint(WHITE, 0.45)).width(1.0);
        lines(&[[origin, turn], [origin, skew]], faint);
        let held = |handle: Handle| matches!(self.held, Some(Held::Handle(grip)) if grip.handle == handle);
        let ground = |handle: Handle| if held(handle) { WHITE } else { color };
        for (handle, at) in [(Handle::ScaleX, x), (Handle::ScaleY, y)] {
            draw_rectangle(at.x - 6.0, at.y - 6.0, 12.0, 12.0, theme::BACKGROUND);
            draw_rectangle(at.x - 5.0, at.y - 5.0, 10.0, 10.0, ground(handle));
        }
        for (handle, at) in [(Handle::Turn, turn), (Handle::Skew, skew)] {
            draw_circle(at.x, at.y, 7.5, ground(handle));
            draw_circle(at.x, at.y, 5.0, theme::BACKGROUND);
        }
        draw_circle_lines(origin.x, origin.y, 6.0, 2.0, ground(Handle::Move));
        for (handle, at) in handles.places() {
            let (words, color) = match handle {
                Handle::Move => (NODES[self.node], color),
                Handle::Turn => ("turn", theme::MUTED),
                Handle::Skew => ("skew", theme::MUTED),
                Handle::ScaleX | Handle::ScaleY => continue,
            };
            // Away from the node, where nothing else is.
            let out = (at - origin).try_normalize().unwrap_or(Vec2::Y);
            let width = theme::text_width(words, theme::SMALL);
            let place = at + out * Vec2::new(14.0 + width * 0.5, 18.0);
            theme::text(words, place.x - width * 0.5, place.y + 4.0, theme::SMALL, color);
        }
    }

    /// In words, at the top of the picture.
    fn verdict(&self, brush: &Brush<'_>) {
        let (x, y) = (brush.camera.area.x + 18.0, brush.camera.area.y + 32.0);
        let (here, there) = (&self.answers, &self.other_answers);
        let said = |answers: &super::Answers| match (answers.contact, answers.distance) {
            (Some(contact), _) => format!("touching, {} deep", short(contact.depth)),
            (None, Some(distance)) => format!("apart by {}", short(distance)),
            (None, None) => "set aside".to_owned(),
        };
        let color = if here.touching() { theme::CONTACT } else { theme::CLOSEST };
        theme::text(&said(here), x, y, theme::LARGE, color);
        if self.state.show.decomposed {
            let verdict = if here.touching() == there.touching() { "" } else { " – wrong" };
            let words = format!("decomposed: {}{verdict}", said(there));
            theme::text(&words, x, y + 24.0, theme::FONT_SIZE, theme::GHOST);
        }
    }
}
