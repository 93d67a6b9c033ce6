//! The platformer of the example `07_move_and_slide`, to be played: slopes, seams, steps, one-way ledges, lifts.

#[path = "../../../../07_move_and_slide/course.rs"]
mod course;
mod ground;
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
use crate::view::{Hold, Stage, View};
use course::{FRAME, Player};
use ground::Platform;
use touch::Buttons;

/// How long a jump that was asked for too early is remembered, in seconds.
const PATIENCE: f32 = 0.1;
/// Of how many frames the way is drawn.
const TRAIL: usize = 90;
/// Who falls below this begins again.
const ABYSS: f32 = -6.0;

pub struct WalkView {
    scene: Scene,
    platforms: Vec<Platform>,
    player: Player,
    options: MoveOptions,
    last: Option<Moved>,
    trail: VecDeque<Vec2>,
    /// Since the beginning, in whole frames.
    time: f32,
    /// What has passed and was not yet played.
    owed: f32,
    jump: f32,
    /// What is in the middle of the picture: the player, a little late.
    middle: Vec2,
    buttons: Buttons,
}

impl Default for WalkView {
    fn default() -> Self {
        let mut scene = Scene::new();
        let platforms = ground::build(&mut scene).expect("the ground is sound");
        let player = Player::new(&mut scene);
        let middle = scene[player.node].transform.position;
        Self {
            scene,
            platforms,
            player,
            options: Player::options(),
            last: None,
            trail: VecDeque::new(),
            time: 0.0,
            owed: 0.0,
            jump: 0.0,
            middle,
            buttons: Buttons::default(),
        }
    }
}

/// What the player is asked to do.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wish {
    pub walk: f32,
    pub jump: bool,
    pub restart: bool,
}

impl Wish {
    fn of_keys(input: &Input) -> Self {
        let held = |keys: &[KeyCode]| keys.iter().any(|key| input.held(*key));
        let struck = |keys: &[KeyCode]| keys.iter().any(|key| input.struck(*key));
        let right = f32::from(held(&[KeyCode::Right, KeyCode::D]));
        let left = f32::from(held(&[KeyCode::Left, KeyCode::A]));
        let jump = struck(&[KeyCode::Space, KeyCode::Up, KeyCode::W]);
        Self { walk: right - left, jump, restart: struck(&[KeyCode::R]) }
    }
}

impl WalkView {
    fn place(&self) -> Vec2 {
        self.scene[self.player.node].transform.position
    }

    fn restart(&mut self) {
        self.scene.remove(self.player.node);
        self.player = Player::new(&mut self.scene);
        self.last = None;
        self.trail.clear();
    }

    fn frame(&mut self, walk: f32) {
        self.time += FRAME;
        for platform in &self.platforms {
            platform.follow(&mut self.scene, self.time);
        }
        if self.jump > 0.0 && self.player.on_floor {
            self.player.jump();
            self.jump = 0.0;
        }
        self.jump -= FRAME;
        // Crushed, or fallen out of the world.
        match self.player.frame(&mut self.scene, &self.options, walk) {
            Ok(moved) if !moved.stuck && self.place().y > ABYSS => self.last = Some(moved),
            _ => return self.restart(),
        }
        self.trail.push_back(self.place());
        if self.trail.len() > TRAIL {
            self.trail.pop_front();
        }
        self.middle = self.middle.lerp(self.place(), 0.08);
    }

    /// The colour of a collider, by what it is for the player.
    fn stroke(&self, node: NodeId) -> Stroke {
        let scene = &self.scene;
        let one_way =
            scene.colliders(node).iter().any(|part| scene.attachment(*part).is_some_and(|it| it.one_way.is_some()));
        let moves = |node: NodeId| self.platforms.iter().any(|platform| platform.node == node);
        let moves = moves(node) || scene.ancestors(node).any(moves);
        if node == self.player.node {
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
        Aabb::new(self.middle - vec2(8.5, 4.5), self.middle + vec2(8.5, 5.5))
    }

    fn update(&mut self, stage: &Stage<'_>) -> Hold {
        let keys = Wish::of_keys(stage.input);
        let fingers = self.buttons.update(stage.camera.area, stage.input);
        if keys.restart {
            self.restart();
        }
        if keys.jump || fingers.jump {
            self.jump = PATIENCE;
        }
        // Whole frames, as many as fit best, so that the way does not depend on how often the screen is drawn.
        self.owed += stage.seconds;
        let frames = (self.owed / FRAME).round();
        self.owed -= frames * FRAME;
        for _ in 0..frames as usize {
            self.frame((keys.walk + fingers.walk).clamp(-1.0, 1.0));
        }
        self.buttons.hold()
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        let options = DebugOptions { sensors: false, ..DebugOptions::default() };
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
            let color = theme::faint(theme::FIRST, 0.5 * index as f32 / TRAIL as f32);
            brush.line(*from, *to, Stroke::new(color).width(1.5));
        }
        for hit in self.last.iter().flat_map(|moved| &moved.hits) {
            brush.arrow(hit.point, hit.point + hit.normal * 0.6, Stroke::new(theme::CONTACT));
            brush.dot(hit.point, 3.5, theme::CONTACT);
        }
        self.buttons.draw(brush.camera.area);
    }

    fn panel(&mut self, ui: &mut Ui) {
        ui.heading("Walk and jump");
        ui.text(
            "Arrows or A and D walk, space jumps, R begins again. On a touch screen: the buttons below the course.",
        );
        ui.heading("The last move");
        let what = |hit: &MoveHit| self.scene.get(hit.side.node).map_or_else(String::new, |node| node.name.to_string());
        let moved = self.last.as_ref();
        let hits = [
            ("floor", moved.and_then(|moved| moved.floor.as_ref())),
            ("wall", moved.and_then(|moved| moved.wall.as_ref())),
            ("ceiling", moved.and_then(|moved| moved.ceiling.as_ref())),
        ];
        for (name, hit) in hits {
            ui.value(
                name,
                &hit.map_or_else(|| "none".to_owned(), what),
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
        if ui.button("Begin again") {
            self.restart();
        }
    }

    fn status(&self, camera: &Camera) -> Vec<(&'static str, String)> {
        let place = camera.to_screen(self.place());
        vec![
            ("player", format!("{:.0},{:.0}", place.x, place.y)),
            ("place", format!("{:.3},{:.3}", self.place().x, self.place().y)),
            ("on_floor", self.player.on_floor.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests;
