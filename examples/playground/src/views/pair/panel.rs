//! The panel: what is edited, and the numbers.

use glam::Vec2;
use macroquad::prelude::Color;

use super::PairView;
use super::body::{Body, NODES, Pose};
use super::draw::COLORS;
use super::kind::Kind;
use super::meeting::Answers;
use crate::theme;
use crate::ui::{Ui, short};

impl PairView {
    pub(super) fn widgets(&mut self, ui: &mut Ui) {
        ui.choice(&["A, blue", "B, amber"], 2, &mut self.body);
        let body = &mut self.state.bodies[self.body];
        let mut kind = Kind::ALL.iter().position(|kind| *kind == body.kind).unwrap_or(0);
        if ui.choice(&Kind::ALL.map(Kind::name), 4, &mut kind) {
            body.kind = Kind::ALL[kind];
        }
        ui.space(6.0);
        ui.choice(&NODES, 3, &mut self.node);
        let pose = &mut body.chain[self.node];
        ui.slider("x", &mut pose.position.x, [-4.0, 4.0], "");
        ui.slider("y", &mut pose.position.y, [-4.0, 4.0], "");
        ui.slider("turn", &mut pose.turn, [-180.0, 180.0], "°");
        ui.slider("scale x", &mut pose.scale.x, [-3.0, 3.0], "");
        ui.slider("scale y", &mut pose.scale.y, [-3.0, 3.0], "");
        ui.slider("skew", &mut pose.skew, [-80.0, 80.0], "°");
        ui.space(4.0);
        match ui.buttons(&["mirror", "clear", "clear chain"]) {
            Some(0) => pose.scale.x = -pose.scale.x,
            Some(1) => *pose = Pose::IDENTITY,
            Some(_) => self.clear_chain(),
            None => {}
        }

        ui.heading("Show");
        ui.checkboxes(2, self.state.show.switches().map(|(_, label, on)| (label, on)));
        self.numbers(ui);
        if self.state.show.decomposed {
            self.compared(ui);
        }
        ui.heading("Keys");
        for line in [
            "Arrows push, Q and E turn, with Shift a little.",
            "Tab: the other one. 1, 2, 3: the node. M: mirror.",
            "C: compare. P: print the link.",
            "The wheel or two fingers zoom, dragging the ground moves it.",
        ] {
            ui.text(line);
        }
    }

    /// No transforms but where the shape is.
    fn clear_chain(&mut self) {
        let body = &mut self.state.bodies[self.body];
        let position = body.world(2).translation;
        let position = if position.is_finite() { position } else { Vec2::ZERO };
        let first = Pose { position, ..Pose::IDENTITY }.tidied();
        *body = Body { chain: [first, Pose::IDENTITY, Pose::IDENTITY], ..*body };
    }

    fn numbers(&self, ui: &mut Ui) {
        let Answers { contact, distance, closest, bounds, .. } = &self.answers;
        ui.heading("World::contact");
        match contact {
            Some(contact) => {
                ui.value("touching", "yes", theme::CONTACT);
                ui.value("depth", &short(contact.depth), theme::TEXT);
                ui.value("normal, from A to B", &pair(contact.normal), theme::TEXT);
                for (index, point) in contact.points().iter().enumerate() {
                    ui.value(["point", "second point"][index.min(1)], &pair(*point), theme::TEXT);
                }
                if contact.pieces != [0, 0] {
                    let [a, b] = contact.pieces;
                    ui.value("pieces", &format!("{a} of A, {b} of B"), theme::TEXT);
                }
            }
            None => ui.value("touching", "no", theme::MUTED),
        }
        ui.heading("World::distance");
        match (distance, closest) {
            (Some(distance), Some([on_a, on_b])) => {
                ui.value("distance", &short(*distance), theme::CLOSEST);
                ui.value("closest on A", &pair(*on_a), theme::TEXT);
                ui.value("closest on B", &pair(*on_b), theme::TEXT);
            }
            _ => ui.text("One of them is set aside: its transform is more than numbers can hold."),
        }
        ui.heading("World::bounds");
        for ((name, bounds), color) in ["A", "B"].into_iter().zip(bounds).zip(COLORS) {
            if let Some(bounds) = bounds {
                ui.value(name, &format!("{}   to   {}", pair(bounds.min), pair(bounds.max)), color);
            }
        }
    }

    fn compared(&self, ui: &mut Ui) {
        ui.heading("Decomposed");
        ui.text(
            "Position, rotation and scale read off the matrix: shear is lost, and what is round keeps the larger \
             scale.",
        );
        let row = |ui: &mut Ui, name: &str, here: Option<f32>, there: Option<f32>| {
            let number = |number: Option<f32>| number.map_or_else(|| "none".to_owned(), short);
            let same = match (here, there) {
                (Some(here), Some(there)) => (here - there).abs() < 1e-3,
                (here, there) => here.is_none() && there.is_none(),
            };
            let color: Color = if same { theme::TEXT } else { theme::GHOST };
            ui.value(name, &format!("{}   not   {}", number(there), number(here)), color);
        };
        let depth = |answers: &Answers| answers.contact.map(|contact| contact.depth);
        row(ui, "depth", depth(&self.answers), depth(&self.other_answers));
        row(ui, "distance", self.answers.distance, self.other_answers.distance);
    }
}

pub fn pair(vector: Vec2) -> String {
    format!("{}, {}", short(vector.x), short(vector.y))
}
