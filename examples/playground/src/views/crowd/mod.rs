//! Thousands of moving colliders, with the time of a scene update.

mod brute;
mod movers;
mod paint;
mod running_mean;

use std::collections::VecDeque;

use glam::Vec2;
use hitgraph::Aabb;
use macroquad::miniquad::date;

use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::theme;
use crate::ui::Ui;
use crate::view::{Drag, Stage, View};
use movers::Movers;
use running_mean::RunningMean;

const MIN_COUNT: u32 = 1_000;
const MAX_COUNT: u32 = 50_000;
/// The number of frames in the graph.
const GRAPH_FRAMES: usize = 120;
/// The radius in which the cursor pushes movers away.
const CURSOR_RADIUS: f32 = 6.0;

pub struct CrowdView {
    movers: Movers,
    /// The requested number of movers, in thousands.
    thousands: f32,
    /// The percentage of movers that move.
    moving: f32,
    times: Times,
    /// The last times of an update, in milliseconds, oldest first.
    graph: VecDeque<f32>,
    /// `true` to test every pair of bounding boxes instead of updating the scene.
    brute: bool,
    /// The pairs found by brute force.
    brute_pairs: usize,
    /// The place of the cursor in the world, if it is over it.
    cursor: Option<Vec2>,
}

/// Times of a frame, in milliseconds.
#[derive(Debug, Default)]
struct Times {
    moving: RunningMean,
    update: RunningMean,
    frame: RunningMean,
}

impl Default for CrowdView {
    fn default() -> Self {
        let (count, moving) = (5_000, 1.0);
        Self {
            movers: Movers::new(count, moving),
            thousands: 5.0,
            moving: 100.0,
            times: Times::default(),
            graph: VecDeque::new(),
            brute: false,
            brute_pairs: 0,
            cursor: None,
        }
    }
}

impl CrowdView {
    /// Replaces the movers by the requested ones.
    fn restart(&mut self) {
        let count = (self.thousands.round() * 1000.0).clamp(MIN_COUNT as f32, MAX_COUNT as f32) as u32;
        self.movers = Movers::new(count, self.moving / 100.0);
        self.times = Times::default();
        self.graph.clear();
    }

    /// Adds the time of an update in milliseconds.
    fn add_time(&mut self, time: f64) {
        self.times.update.add(time);
        if self.graph.len() == GRAPH_FRAMES {
            self.graph.pop_front();
        }
        self.graph.push_back(time.max(0.0) as f32);
    }
}

impl View for CrowdView {
    fn home(&self) -> Aabb {
        self.movers.bounds()
    }

    fn update(&mut self, stage: &Stage<'_>) -> Drag {
        let pointer = stage.input.pointer;
        self.cursor = stage
            .camera
            .area
            .contains(pointer.position)
            .then(|| stage.camera.to_world(pointer.position))
            .filter(|_| pointer.down || !pointer.touch);
        if let Some(cursor) = self.cursor {
            self.movers.push_away(cursor, CURSOR_RADIUS);
        }
        if stage.seconds > 0.0 {
            let start = date::now();
            self.movers.step(stage.seconds);
            let moved = date::now();
            if self.brute {
                self.brute_pairs = brute::touching(&mut self.movers);
            } else {
                self.movers.update();
            }
            let updated = date::now();
            self.times.moving.add((moved - start) * 1e3);
            self.add_time((updated - moved) * 1e3);
            self.times.frame.add(f64::from(stage.seconds) * 1e3);
        }
        Drag::None
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        brush.outline(self.movers.bounds(), Stroke::new(theme::EDGE));
        self.movers.mark();
        paint::draw(&self.movers, brush.camera);
        if let Some(cursor) = self.cursor {
            brush.ring(cursor, CURSOR_RADIUS, Stroke::new(theme::QUERY));
        }
    }

    fn panel(&mut self, ui: &mut Ui) {
        ui.heading("Movers");
        let changed = [
            ui.slider("thousands", &mut self.thousands, [MIN_COUNT as f32 / 1e3, MAX_COUNT as f32 / 1e3], ""),
            ui.slider("moving", &mut self.moving, [0.0, 100.0], " %"),
        ];
        if changed.contains(&true) {
            self.restart();
        }
        ui.heading("Brute force");
        let can = self.movers.count() <= brute::MOST;
        if can {
            if ui.checkbox("test every pair of boxes instead", &mut self.brute) {
                self.times = Times::default();
                self.graph.clear();
            }
        } else {
            self.brute = false;
            ui.text(&format!("for at most {} movers", brute::MOST));
        }
        ui.heading("One frame");
        let pairs = if self.brute { self.brute_pairs } else { self.movers.pairs() };
        ui.value("colliders", &self.movers.count().to_string(), theme::TEXT);
        ui.value("touching pairs", &pairs.to_string(), theme::TOUCHING);
        ui.value("events", &self.movers.events().to_string(), theme::TEXT);
        let name = if self.brute { "brute force" } else { "scene.update()" };
        ui.value(name, &self.times.update.text("ms"), theme::CLOSEST);
        ui.graph(&self.graph, "ms");
        ui.value("moving the nodes", &self.times.moving.text("ms"), theme::TEXT);
        ui.value("from frame to frame", &self.times.frame.text("ms"), theme::TEXT);
        ui.text(
            "Means of about the last second, on this machine. The update refreshes moved colliders, finds the \
             touching pairs and reports which ones started or stopped.",
        );
        ui.text(
            "Circles and boxes; one in ten is three times as large. Still colliders cost nothing: try moving fewer. The \
             cursor pushes the movers away.",
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
                fits.then_some(number).ok_or_else(|| format!("{name} must be from {from} to {to}, not {value}"))
            };
            match name {
                "n" => thousands = within(MIN_COUNT as f32, MAX_COUNT as f32)? / 1e3,
                "moving" => moving = within(0.0, 100.0)?,
                _ => return Err(format!("unknown name {name:?}; the names are n and moving")),
            }
        }
        (self.thousands, self.moving) = (thousands, moving);
        self.restart();
        Ok(())
    }

    fn status(&self, _camera: &Camera) -> Vec<(&'static str, String)> {
        vec![
            ("movers", self.movers.count().to_string()),
            ("pairs", self.movers.pairs().to_string()),
            ("update", self.times.update.text("ms")),
            ("brute", self.brute.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brute_force_finds_the_same_number_of_pairs() {
        let mut movers = Movers::new(1000, 1.0);
        for _ in 0..3 {
            movers.step(0.05);
            let expected = brute::touching(&mut movers);
            movers.update();
            assert_eq!(movers.pairs(), expected);
        }
    }

    #[test]
    fn the_cursor_pushes_movers_away() {
        let mut movers = Movers::new(1000, 1.0);
        let near = |movers: &Movers| movers.all().iter().filter(|mover| mover.position.length() < 5.0).count();
        let before = near(&movers);
        for _ in 0..60 {
            movers.push_away(Vec2::ZERO, 8.0);
            movers.step(0.05);
        }
        assert!(before > 10 && near(&movers) * 4 < before, "{before} {}", near(&movers));
    }

    #[test]
    fn a_state_is_restored_and_an_invalid_one_changes_nothing() {
        let mut view = CrowdView::default();
        view.set_state("n=2000&moving=50").unwrap();
        assert_eq!(view.state(), "n=2000&moving=50");
        for wrong in ["n=1e9", "n=NaN", "n=", "n", "m=1", "moving=-1"] {
            view.set_state(wrong).unwrap_err();
            assert_eq!(view.state(), "n=2000&moving=50", "{wrong}");
        }
    }
}
