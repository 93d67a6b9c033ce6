//! The panel: switches, the answer, and the events as they come.

use super::SceneView;
use super::group::Group;
use super::question::Question;
use crate::theme;
use crate::ui::Ui;

/// How many events are shown.
const SHOWN: usize = 14;

impl SceneView {
    pub(super) fn widgets(&mut self, ui: &mut Ui) {
        ui.heading("Puppet");
        ui.slider("speed", &mut self.speed, [0.0, 2.0], "");
        ui.slider("wide", &mut self.stretch.x, [0.2, 2.0], "");
        ui.slider("high", &mut self.stretch.y, [0.2, 2.0], "");
        ui.checkboxes(2, [("mirrored", &mut self.mirrored), ("an arm is NaN", &mut self.spoilt)]);

        ui.heading("Question");
        let mut chosen = Question::ALL.iter().position(|question| *question == self.asker.question).unwrap_or(0);
        if ui.choice(&Question::ALL.map(Question::name), 5, &mut chosen) {
            self.asker.question = Question::ALL[chosen];
        }
        if self.asker.question != Question::None {
            ui.checkboxes(2, Group::ALL.map(Group::name).into_iter().zip(&mut self.asker.groups));
            ui.checkbox("sensors too", &mut self.asker.sensors);
            for (index, answer) in self.answers.iter().enumerate() {
                ui.value(if index == 0 { self.asker.question.function() } else { "" }, answer, theme::QUERY);
            }
        }

        ui.heading("Layers");
        let wanted = &mut self.wanted;
        let changed = ui.checkboxes(
            2,
            [
                ("puppet – walls", &mut wanted.puppet_walls),
                ("puppet – pick-ups", &mut wanted.puppet_pick_ups),
                ("sword – walls", &mut wanted.sword_walls),
                ("sword – pick-ups", &mut wanted.sword_pick_ups),
            ],
        );
        if changed {
            self.apply_layers();
        }

        ui.heading("Draw");
        let draw = &mut self.draw;
        ui.checkboxes(
            2,
            [
                ("contacts", &mut draw.contacts),
                ("normals", &mut draw.normals),
                ("boxes", &mut draw.bounds),
                ("index", &mut draw.index),
            ],
        );

        ui.heading("Events");
        let (started, stopped) = (self.log.started, self.log.stopped);
        ui.value(
            "started – stopped = touching",
            &format!("{started} – {stopped} = {}", self.log.touching()),
            theme::TEXT,
        );
        if !self.scene.quarantined().is_empty() {
            ui.value("set aside", "the arm and all below it", theme::GHOST);
        }
        for line in self.log.lines.iter().take(SHOWN) {
            let (sign, color) = if line.started { ("+", theme::TEXT) } else { ("–", theme::MUTED) };
            ui.entry((&format!("{sign}  {}", line.text), color), (&format!("{:.1}", line.time), theme::MUTED));
        }
        if !self.log.lines.is_empty() && ui.button("clear the list") {
            self.log.lines.clear();
        }
    }
}
