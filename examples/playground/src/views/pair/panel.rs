//! The panel: the edited node and the results.

use glam::Vec2;
use macroquad::prelude::Color;

use super::PairView;
use super::draw::COLORS;
use super::kind::Kind;
use super::operand::{NODES, Operand, Pose};
use super::pair_scene::PairResults;
use super::preset;
use crate::theme;
use crate::ui::{Ui, short};

impl PairView {
    pub(super) fn widgets(&mut self, ui: &mut Ui) {
        ui.text("Dashed: what an engine tests that splits transforms into position, rotation and scale.");
        ui.space(4.0);
        for (row, names) in preset::NAMES.chunks(2).enumerate() {
            if let Some(column) = ui.buttons(names) {
                self.state.operands = preset::operands(2 * row + column);
            }
        }
        ui.choice(&["A, blue", "B, violet"], 2, &mut self.operand);
        let operand = &mut self.state.operands[self.operand];
        let mut kind = Kind::ALL.iter().position(|kind| *kind == operand.kind).unwrap_or(Kind::ALL.len());
        if ui.choice(&Kind::ALL.map(Kind::name), 4, &mut kind) {
            operand.kind = Kind::ALL[kind];
        }
        ui.space(6.0);
        ui.choice(&NODES, 3, &mut self.node);
        let pose = &mut operand.chain[self.node];
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
        self.draw_results_table(ui);
        if self.state.show.decomposed {
            self.draw_comparison(ui);
        }
        ui.heading("Keys");
        for line in [
            "Arrows move, Q and E rotate; with Shift in small steps.",
            "Tab: the other shape. 1, 2, 3: the node. M: mirror.",
            "C: compare. P: print the link.",
            "The wheel or two fingers zoom; dragging the background pans.",
        ] {
            ui.text(line);
        }
    }

    /// Resets the edited chain but keeps the position of the shape.
    fn clear_chain(&mut self) {
        let operand = &mut self.state.operands[self.operand];
        let position = operand.world(2).translation;
        let position = if position.is_finite() { position } else { Vec2::ZERO };
        let first = Pose { position, ..Pose::IDENTITY }.rounded();
        *operand = Operand { chain: [first, Pose::IDENTITY, Pose::IDENTITY], ..*operand };
    }

    /// Draws the library's results.
    fn draw_results_table(&self, ui: &mut Ui) {
        let PairResults { contact, distance, closest, bounds, .. } = &self.results;
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
            _ => ui.text("A shape is quarantined: its world transform is not finite or overflows."),
        }
        ui.heading("World::bounds");
        for ((name, bounds), color) in ["A", "B"].into_iter().zip(bounds).zip(COLORS) {
            if let Some(bounds) = bounds {
                ui.value(name, &format!("{}   to   {}", pair(bounds.min), pair(bounds.max)), color);
            }
        }
    }

    /// Draws the depth and the distance of both engines.
    fn draw_comparison(&self, ui: &mut Ui) {
        ui.heading("Decomposed");
        ui.text("Its shapes lose their shear, and radii are scaled by the larger scale.");
        let row = |ui: &mut Ui, name: &str, exact: Option<f32>, decomposed: Option<f32>| {
            let number = |number: Option<f32>| number.map_or_else(|| "none".to_owned(), short);
            let same = match (exact, decomposed) {
                (Some(exact), Some(decomposed)) => (exact - decomposed).abs() < 1e-3,
                (exact, decomposed) => exact.is_none() && decomposed.is_none(),
            };
            let color: Color = if same { theme::TEXT } else { theme::GHOST };
            ui.value(name, &format!("{}   not   {}", number(decomposed), number(exact)), color);
        };
        let depth = |results: &PairResults| results.contact.map(|contact| contact.depth);
        row(ui, "depth", depth(&self.results), depth(&self.decomposed_results));
        row(ui, "distance", self.results.distance, self.decomposed_results.distance);
    }
}

/// Formats a vector.
pub fn pair(vector: Vec2) -> String {
    format!("{}, {}", short(vector.x), short(vector.y))
}
