//! The panel: switches, the result of the query, and the newest events.

use super::SceneView;
use super::group::Group;
use super::query::QueryKind;
use crate::theme;
use crate::ui::Ui;

/// The number of events that are shown.
const MAX_LISTED: usize = 14;
/// The number of lines for the result of a query. It is fixed, so that the widgets below stay in place.
const RESULT_LINES: usize = 5;

impl SceneView {
    pub(super) fn widgets(&mut self, ui: &mut Ui) {
        ui.heading("Puppet");
        ui.slider("speed", &mut self.speed, [0.0, 2.0], "");
        ui.slider("wide", &mut self.scale.x, [0.2, 2.0], "");
        ui.slider("high", &mut self.scale.y, [0.2, 2.0], "");
        ui.checkboxes(2, [("mirrored", &mut self.mirrored), ("an arm is NaN", &mut self.nan_arm)]);

        ui.heading("Query");
        let mut selected = QueryKind::ALL.iter().position(|kind| *kind == self.query.kind).unwrap_or(0);
        if ui.choice(&QueryKind::ALL.map(QueryKind::name), 5, &mut selected) {
            self.query.kind = QueryKind::ALL[selected];
        }
        if self.query.kind != QueryKind::None {
            ui.checkboxes(2, Group::ALL.map(Group::name).into_iter().zip(&mut self.query.groups));
            ui.checkbox("sensors too", &mut self.query.sensors);
            for index in 0..RESULT_LINES {
                let result = match self.results.get(index) {
                    Some(_) if index == RESULT_LINES - 1 && self.results.len() > RESULT_LINES => "and more",
                    Some(result) => result,
                    None => "",
                };
                ui.value(if index == 0 { self.query.kind.function() } else { "" }, result, theme::QUERY);
            }
        }

        ui.heading("Layers");
        let switches = &mut self.layer_switches;
        let changed = ui.checkboxes(
            2,
            [
                ("puppet – walls", &mut switches.puppet_walls),
                ("puppet – pick-ups", &mut switches.puppet_pick_ups),
                ("sword – walls", &mut switches.sword_walls),
                ("sword – pick-ups", &mut switches.sword_pick_ups),
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
        let is_quarantined = !self.scene.quarantined().is_empty();
        ui.value("quarantined", if is_quarantined { "the arm and its descendants" } else { "nothing" }, theme::GHOST);
        if ui.button("clear the list") {
            self.log.lines.clear();
        }
        for line in self.log.lines.iter().take(MAX_LISTED) {
            let (sign, color) = if line.started { ("+", theme::TEXT) } else { ("–", theme::MUTED) };
            ui.entry((&format!("{sign}  {}", line.text), color), (&format!("{:.1}", line.time), theme::MUTED));
        }
    }
}
