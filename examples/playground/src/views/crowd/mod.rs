//! Thousands of movers among each other, with what an update of the scene costs.

mod movers;
mod paint;
mod smooth;

use hitgraph::Aabb;
use macroquad::miniquad::date;

use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::theme;
use crate::ui::Ui;
use crate::view::{Hold, Stage, View};
use movers::Movers;
use smooth::Smooth;

const FEWEST: u32 = 1_000;
const MOST: u32 = 50_000;

pub struct CrowdView {
    movers: Movers,
    /// How many are wanted, in thousands, and how many of a hundred move.
    thousands: f32,
    moving: f32,
    times: Times,
}

/// What a frame's work takes, in milliseconds.
#[derive(Debug, Default)]
struct Times {
    moving: Smooth,
    update: Smooth,
    frame: Smooth,
}

impl Default for CrowdView {
    fn default() -> Self {
        let (count, moving) = (5_000, 1.0);
        Self { movers: Movers::new(count, moving), thousands: 5.0, moving: 100.0, times: Times::default() }
    }
}

impl CrowdView {
    fn begin(&mut self) {
        let count = (self.thousands.round() * 1000.0).clamp(FEWEST as f32, MOST as f32) as u32;
        self.movers = Movers::new(count, self.moving / 100.0);
        self.times = Times::default();
    }
}

impl View for CrowdView {
    fn home(&self) -> Aabb {
        self.movers.room()
    }

    fn update(&mut self, stage: &Stage<'_>) -> Hold {
        if stage.seconds > 0.0 {
            let began = date::now();
            self.movers.step(stage.seconds);
            let moved = date::now();
            self.movers.update();
            let updated = date::now();
            self.times.moving.add((moved - began) * 1e3);
            self.times.update.add((updated - moved) * 1e3);
            self.times.frame.add(f64::from(stage.seconds) * 1e3);
        }
        Hold::Nothing
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        brush.outline(self.movers.room(), Stroke::new(theme::EDGE));
        self.movers.mark();
        paint::draw(&self.movers, brush.camera);
    }

    fn panel(&mut self, ui: &mut Ui) {
        ui.heading("Movers");
        let changed = [
            ui.slider("thousands", &mut self.thousands, [FEWEST as f32 / 1e3, MOST as f32 / 1e3], ""),
            ui.slider("moving", &mut self.moving, [0.0, 100.0], " %"),
        ];
        if changed.contains(&true) {
            self.begin();
        }
        ui.heading("One frame");
        ui.value("colliders", &self.movers.count().to_string(), theme::TEXT);
        ui.value("pairs that touch", &self.movers.pairs().to_string(), theme::CONTACT);
        ui.value("events", &self.movers.events().to_string(), theme::TEXT);
        ui.value("scene.update()", &self.times.update.shown("ms"), theme::CLOSEST);
        ui.value("moving the nodes", &self.times.moving.shown("ms"), theme::TEXT);
        ui.value("from frame to frame", &self.times.frame.shown("ms"), theme::TEXT);
        ui.text(
            "Means of the last second or so, on this machine. The update places what has moved, finds all pairs anew and \
             tells what began and ceased to touch.",
        );
        ui.text(
            "Circles and boxes, a tenth of them three times as large. What stands still costs nothing: let fewer move.",
        );
    }

    fn state(&self) -> String {
        format!("n={}&moving={}", self.movers.count(), self.moving)
    }

    fn set_state(&mut self, state: &str) -> Result<(), String> {
        let (mut thousands, mut moving) = (self.thousands, self.moving);
        for part in state.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("{part:?} has no value"))?;
            let number: f32 = value.parse().map_err(|_| format!("{value:?} is not a number"))?;
            let within = |from: f32, to: f32| {
                let fits = (from..=to).contains(&number);
                fits.then_some(number).ok_or_else(|| format!("{name} is from {from} to {to}, not {value}"))
            };
            match name {
                "n" => thousands = within(FEWEST as f32, MOST as f32)? / 1e3,
                "moving" => moving = within(0.0, 100.0)?,
                _ => return Err(format!("there is no {name:?}")),
            }
        }
        (self.thousands, self.moving) = (thousands, moving);
        self.begin();
        Ok(())
    }

    fn status(&self, _camera: &Camera) -> Vec<(&'static str, String)> {
        vec![
            ("movers", self.movers.count().to_string()),
            ("pairs", self.movers.pairs().to_string()),
            ("update", self.times.update.shown("ms")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_leads_back_to_itself_and_a_bad_one_changes_nothing() {
        let mut view = CrowdView::default();
        view.set_state("n=2000&moving=50").unwrap();
        assert_eq!(view.state(), "n=2000&moving=50");
        for wrong in ["n=1e9", "n=NaN", "n=", "n", "m=1", "moving=-1"] {
            view.set_state(wrong).unwrap_err();
            assert_eq!(view.state(), "n=2000&moving=50", "{wrong}");
        }
    }
}
