//! The platformer of the example `07_move_and_slide`, playable: slopes, seams, steps, one-way ledges, lifts, a crusher,
//! and coins on the way to a flag.

#[path = "../../../../07_move_and_slide/course.rs"]
mod course;
mod goal;
mod ground;
mod machines;
mod touch;

use std::collections::VecDeque;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, DebugKind, DebugOptions, MoveHit, MoveOptions, Moved, NodeId, Scene};
use macroquad::prelude::KeyCode;

use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::input::Input;
use crate::theme;
use crate::ui::{Ui, short};
use crate::view::{Drag, Stage, View};
use course::{FRAME, Player};
use goal::Goal;
use ground::Platform;
use machines::Machines;
use touch::Buttons;

/// The time for which a jump pressed in the air is buffered, in seconds.
const JUMP_BUFFER: f32 = 0.1;
/// The number of frames in the drawn trail.
const TRAIL_FRAMES: usize = 90;
/// The labels of special features, with the places above which they are drawn.
const LABELS: [(Vec2, &str); 8] = [
    (vec2(1.2, 4.9), "crusher: squeezes"),
    (vec2(3.6, 5.9), "lift: carries the stack"),
    (vec2(9.1, 3.2), "one-way lift"),
    (vec2(14.0, 4.2), "too steep to stand on"),
    (vec2(-3.6, 7.2), "rotating ellipse"),
    (vec2(-7.2, 6.6), "ferry"),
    (vec2(-9.2, 5.2), "one-way ledges"),
    (vec2(-11.6, 7.9), "flag"),
];
/// The height below which the player restarts.
const FALL_LIMIT: f32 = -6.0;

pub struct WalkView {
    scene: Scene,
    platforms: Vec<Platform>,
    machines: Machines,
    goal: Goal,
    player: Player,
    options: MoveOptions,
    last: Option<Moved>,
    trail: VecDeque<Vec2>,
    /// The simulated time in seconds, a whole number of frames.
    time: f32,
    /// The elapsed time that is not yet simulated, in seconds.
    accumulator: f32,
    /// The remaining time of a buffered jump, in seconds.
    jump: f32,
    /// The centre of the picture. It follows the player with a delay.
    center: Vec2,
    buttons: Buttons,
}

impl Default for WalkView {
    fn default() -> Self {
        let mut scene = Scene::new();
        let platforms = ground::build(&mut scene).expect("the ground has valid shapes");
        let machines = Machines::new(&mut scene);
        let goal = Goal::new(&mut scene);
        let player = Player::new(&mut scene);
        let center = scene[player.node].transform.position;
        Self {
            scene,
            platforms,
            machines,
            goal,
            player,
            options: Player::options(),
            last: None,
            trail: VecDeque::new(),
            time: 0.0,
            accumulator: 0.0,
            jump: 0.0,
            center,
            buttons: Buttons::default(),
        }
    }
}

/// The controls of the player.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Controls {
    pub walk: f32,
    pub jump: bool,
    pub restart: bool,
}

impl Controls {
    fn from_keys(input: &Input) -> Self {
        let held = |keys: &[KeyCode]| keys.iter().any(|key| input.held(*key));
        let pressed = |keys: &[KeyCode]| keys.iter().any(|key| input.pressed(*key));
        let right = f32::from(held(&[KeyCode::Right, KeyCode::D]));
        let left = f32::from(held(&[KeyCode::Left, KeyCode::A]));
        let jump = pressed(&[KeyCode::Space, KeyCode::Up, KeyCode::W]);
        Self { walk: right - left, jump, restart: pressed(&[KeyCode::R]) }
    }
}

impl WalkView {
    fn position(&self) -> Vec2 {
        self.scene[self.player.node].transform.position
    }

    /// Puts the player back to the start. The coins stay taken.
    fn restart(&mut self) {
        self.scene.remove(self.player.node);
        self.player = Player::new(&mut self.scene);
        self.last = None;
        self.trail.clear();
    }

    /// Simulates one frame.
    fn frame(&mut self, walk: f32) {
        self.time += FRAME;
        for platform in &self.platforms {
            platform.set_time(&mut self.scene, self.time);
        }
        if self.jump > 0.0 && self.player.on_floor {
            self.player.jump();
            self.jump = 0.0;
        }
        self.jump -= FRAME;
        if self.machines.step(&mut self.scene, self.time, self.player.node) != Ok(false) {
            return self.restart();
        }
        // Restarts if the player is crushed or has fallen out of the world.
        match self.player.frame(&mut self.scene, &self.options, walk) {
            Ok(moved) if !moved.stuck && self.position().y > FALL_LIMIT => {
                self.goal.take(&mut self.scene, &moved);
                self.last = Some(moved);
            }
            _ => return self.restart(),
        }
        self.trail.push_back(self.position());
        if self.trail.len() > TRAIL_FRAMES {
            self.trail.pop_front();
        }
        self.center = self.center.lerp(self.position(), 0.08);
    }

    /// Returns the stroke of a node's colliders: by player, one-way, moving or fixed.
    fn stroke(&self, node: NodeId) -> Stroke {
        let scene = &self.scene;
        let one_way = scene
            .colliders(node)
            .iter()
            .any(|id| scene.attachment(*id).is_some_and(|attachment| attachment.one_way.is_some()));
        let moves = |node: NodeId| self.platforms.iter().any(|platform| platform.node == node);
        let moves = moves(node) || self.machines.has(node) || scene.ancestors(node).any(moves);
        if self.goal.has(node) {
            Stroke::new(theme::SENSOR).filled(0.35)
        } else if node == self.player.node {
            Stroke::new(theme::FIRST).width(2.5).filled(0.35)
        } else if one_way {
            Stroke::new(if moves { theme::SECOND } else { theme::GHOST }).filled(0.2).dashed()
        } else {
            Stroke::new(if moves { theme::SECOND } else { theme::MUTED }).filled(0.16)
        }
    }
}

impl View for WalkView {
    fn home(&self) -> Aabb {
        Aabb::new(self.center - vec2(8.5, 4.5), self.center + vec2(8.5, 5.5))
    }

    fn update(&mut self, stage: &Stage<'_>) -> Drag {
        let keys = Controls::from_keys(stage.input);
        let fingers = self.buttons.update(stage.camera.area, stage.input);
        if keys.restart {
            self.goal.restart(&mut self.scene);
            self.restart();
        }
        if keys.jump || fingers.jump {
            self.jump = JUMP_BUFFER;
        }
        // Simulates a whole number of frames, so that the motion does not depend on the frame rate of the screen.
        self.accumulator += stage.seconds;
        let frames = (self.accumulator / FRAME).round();
        self.accumulator -= frames * FRAME;
        for _ in 0..frames as usize {
            self.frame((keys.walk + fingers.walk).clamp(-1.0, 1.0));
        }
        self.buttons.drag()
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        let options = DebugOptions::default();
        let mut strokes = Vec::new();
        for node in self.scene.descendants(self.scene.root()) {
            for collider in self.scene.colliders(node) {
                strokes.push((*collider, self.stroke(node)));
            }
        }
        strokes.sort_by_key(|(collider, _)| *collider);
        self.scene.world().debug_draw(&options, |shape| {
            let found = shape.collider.and_then(|id| strokes.binary_search_by_key(&id, |(id, _)| *id).ok());
            if let (DebugKind::Collider(_), Some(index)) = (shape.kind, found) {
                brush.shape(&shape, strokes[index].1);
            }
        });
        for (index, (from, to)) in self.trail.iter().zip(self.trail.iter().skip(1)).enumerate() {
            let color = theme::faint(theme::FIRST, 0.5 * index as f32 / TRAIL_FRAMES as f32);
            brush.line(*from, *to, Stroke::new(color).width(1.5));
        }
        for hit in self.last.iter().flat_map(|moved| moved.hits()) {
            brush.arrow(hit.point, hit.point + hit.normal * 0.6, Stroke::new(theme::CONTACT));
            brush.dot(hit.point, 3.5, theme::CONTACT);
        }
        for (at, words) in LABELS {
            brush.label(at, words, theme::MUTED);
        }
        let area = brush.camera.area;
        theme::plate(&self.goal.text(), area.x + 18.0, area.y + 32.0, theme::TITLE, theme::SENSOR);
        self.buttons.draw(brush.camera.area);
    }

    fn panel(&mut self, ui: &mut Ui) {
        ui.heading("Walk and jump");
        ui.text(
            "Take all coins, then reach the flag. Arrows or A and D walk, space jumps, R restarts; or use the buttons \
             below the course.",
        );
        ui.heading("The last move");
        let name_of =
            |hit: &MoveHit| self.scene.get(hit.side.node).map_or_else(String::new, |node| node.name.to_string());
        let moved = self.last.as_ref();
        let hits = [
            ("floor", moved.and_then(|moved| moved.floor.as_ref())),
            ("wall", moved.and_then(|moved| moved.wall.as_ref())),
            ("ceiling", moved.and_then(|moved| moved.ceiling.as_ref())),
        ];
        for (name, hit) in hits {
            ui.value(
                name,
                &hit.map_or_else(|| "none".to_owned(), name_of),
                if hit.is_some() { theme::TEXT } else { theme::MUTED },
            );
        }
        let slope = hits[0].1.map(|floor| floor.normal.angle_between(Vec2::Y).abs().to_degrees());
        ui.value(
            "slope of the floor",
            &slope.map_or_else(|| "-".to_owned(), |slope| format!("{}°", short(slope))),
            theme::TEXT,
        );
        ui.value(
            "velocity",
            &format!("{}, {}", short(self.player.velocity.x), short(self.player.velocity.y)),
            theme::TEXT,
        );
        ui.heading("Options");
        let mut slope = self.options.max_slope.to_degrees();
        if ui.slider("max slope", &mut slope, [0.0, 85.0], "°") {
            self.options.max_slope = slope.to_radians();
        }
        ui.slider("step", &mut self.options.step_height, [0.0, 0.6], "");
        ui.slider("snap", &mut self.options.snap_to_floor, [0.0, 0.5], "");
        ui.checkbox("stand on slopes", &mut self.options.stand_on_slopes);
        ui.checkbox("ride platforms", &mut self.options.ride_platforms);
        if ui.button("Restart") {
            self.goal.restart(&mut self.scene);
            self.restart();
        }
    }

    /// `player` is a position on the screen, `position` one in the world; `right` is the button; `coins` counts.
    fn status(&self, camera: &Camera) -> Vec<(&'static str, String)> {
        let screen = camera.to_screen(self.position());
        let (right, _) = touch::circles(camera.area)[1];
        vec![
            ("player", format!("{:.0},{:.0}", screen.x, screen.y)),
            ("position", format!("{:.3},{:.3}", self.position().x, self.position().y)),
            ("on_floor", self.player.on_floor.to_string()),
            ("right", format!("{:.0},{:.0}", right.x, right.y)),
            ("coins", self.goal.coins.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests;
