//! The panel: how to play, the counts, and how they are measured.

use super::referee::{Count, TOO_CLOSE};
use super::{DECOMPOSING, HITGRAPH, Hand, MirrorView};
use crate::theme;
use crate::ui::Ui;

/// Engines and the parts of a transform that they keep, according to their manuals, sources and maintainers.
const ENGINES: &str = "Unity scales a circle's radius by the larger scale. Avian and bevy_rapier keep position, rotation \
                       and scale of a transform, so its shear is lost. Godot does not support non-uniform scale of \
                       collision shapes.";

impl MirrorView {
    pub(super) fn widgets(&mut self, ui: &mut Ui) {
        ui.heading("Liar's Mirror");
        ui.text(
            "A duel of one minute. Left and right walk; the mouse, or up and down, aims the sword. With a finger, hold \
             where the sword should point: the knight walks there. Drop an SVG drawing to fight it.",
        );
        ui.space(4.0);
        let seed = self.duel.seed;
        let play = if self.hand == Hand::Nobody { "play" } else { "again" };
        match ui.buttons(&[play, "next seed", "watch"]) {
            Some(0) => self.start(seed, Hand::Player),
            Some(1) => self.start(seed.wrapping_add(1), Hand::Player),
            Some(_) => self.start(seed, Hand::Nobody),
            None => {}
        }
        if self.opponent.is_some() && ui.button("back to the troll") {
            self.opponent = None;
            self.start(seed, Hand::Nobody);
        }
        if self.left_out > 0 && self.opponent.is_some() {
            ui.text(&format!("{} shapes of the drawing were left out.", self.left_out));
        }

        ui.heading("Wrong answers");
        for (name, engine, color) in
            [("hitgraph", HITGRAPH, theme::SENSOR), ("decomposing engine", DECOMPOSING, theme::CONTACT)]
        {
            let Count { phantom, missed } = self.count(engine);
            ui.value(name, &format!("{phantom} phantom, {missed} missed"), color);
        }
        ui.value("tested pairs of limbs", &self.duel.referee.tests.to_string(), theme::TEXT);
        ui.text(&format!(
            "Both engines are measured by the same rule, against the true outlines in f64. Gaps below {TOO_CLOSE} are too \
             close to call and count for neither. An attack counts once.",
        ));

        ui.heading("The last wrong answer");
        let count = self.duel.lies.len();
        match self.shown() {
            Some(lie) => {
                let (title, sentence, time) = (lie.title(), lie.sentence(), lie.tick as f32 / 60.0);
                ui.value(&lie.verdict.to_string(), &format!("{time:.1} s"), theme::TEXT);
                ui.value("limbs", &title, theme::TEXT);
                ui.text(&sentence);
                let shown = self.selected.unwrap_or(count - 1);
                match ui.buttons(&["previous", "next", "send this"]) {
                    Some(0) => self.selected = Some(shown.saturating_sub(1)),
                    Some(1) => self.selected = Some(shown + 1).filter(|index| *index < count),
                    Some(_) => self.send(),
                    None => {}
                }
                if ui.button("copy as Rust test") {
                    self.copy_test();
                }
            }
            None => ui.text("none yet"),
        }

        ui.heading("Which engines decompose");
        ui.text(ENGINES);
        ui.text(
            "The dashed shapes are those of such an engine: position, rotation and scale of each limb, with round shapes \
             scaled by the larger scale.",
        );
    }
}
