//! A puppet with hitboxes on its limbs, among pick-ups and walls: events, layers, questions, the index.

mod group;
mod log;
mod panel;
mod puppet;
mod question;
mod scenery;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, CollisionEvent, DebugKind, DebugOptions, DebugState, NodeId, QueryFilter, Scene};
use macroquad::prelude::WHITE;

use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::theme;
use crate::ui::{Ui, short};
use crate::view::{Hold, Stage, View};
use group::{Group, Wanted};
use log::Log;
use puppet::Puppet;
use question::{Asker, Question};
use scenery::Wheel;

pub struct SceneView {
    scene: Scene,
    puppet: Puppet,
    wheel: Wheel,
    time: f32,
    speed: f32,
    /// Of the puppet's root: how wide, how high, whether it is mirrored.
    stretch: Vec2,
    mirrored: bool,
    /// Whether an arm has a transform that is not a number.
    spoilt: bool,
    wanted: Wanted,
    asker: Asker,
    answers: Vec<String>,
    draw: DebugOptions,
    events: Vec<CollisionEvent>,
    log: Log,
    held: Option<Held>,
}

#[derive(Debug, Clone, Copy)]
enum Held {
    Node(NodeId),
    Eye,
    Aim,
}

impl Default for SceneView {
    fn default() -> Self {
        let mut scene = Scene::new();
        let wheel = scenery::build(&mut scene).expect("the scenery is sound");
        let puppet = Puppet::new(&mut scene, vec2(0.0, -0.55));
        let mut view = Self {
            scene,
            puppet,
            wheel,
            time: 0.0,
            speed: 0.6,
            stretch: Vec2::ONE,
            mirrored: false,
            spoilt: false,
            wanted: Wanted::default(),
            asker: Asker::default(),
            answers: Vec::new(),
            draw: DebugOptions { contacts: true, ..DebugOptions::default() },
            events: Vec::new(),
            log: Log::default(),
            held: None,
        };
        view.step(0.0);
        view
    }
}

impl SceneView {
    /// Moves everything on, and listens.
    fn step(&mut self, seconds: f32) {
        self.time += seconds * self.speed;
        self.puppet.pose(&mut self.scene, self.time);
        self.wheel.turn(&mut self.scene, self.time);
        if let Some(root) = self.scene.get_mut(self.puppet.root) {
            root.transform.scale = self.stretch * vec2(if self.mirrored { -1.0 } else { 1.0 }, 1.0);
        }
        if self.spoilt
            && let Some(arm) = self.scene.get_mut(self.puppet.arm)
        {
            arm.transform.rotation = f32::NAN;
        }
        let mut events = std::mem::take(&mut self.events);
        self.scene.update_into(&mut events);
        self.log.add(&self.scene, &events, self.time);
        self.events = events;
    }

    /// Puts what the switches say on the puppet's colliders.
    fn apply_layers(&mut self) {
        for node in self.scene.descendants(self.puppet.root).collect::<Vec<_>>() {
            for collider in self.scene.colliders(node).to_vec() {
                if let Some(attachment) = self.scene.attachment_mut(collider) {
                    attachment.layers = self.wanted.layers(Group::of(attachment));
                }
            }
        }
    }

    fn take_hold(&mut self, at: Vec2, reach: f32) -> Option<Held> {
        if self.asker.has_eye() && at.distance(self.asker.eye) <= reach {
            return Some(Held::Eye);
        }
        let near = self.scene.world().nearest(at, reach * 0.5, &QueryFilter::default())?;
        // A limb is held by the puppet, a gem by the wheel.
        let above = self.scene.ancestors(near.side.node).filter(|node| *node != self.scene.root()).last();
        Some(Held::Node(above.unwrap_or(near.side.node)))
    }
}

impl View for SceneView {
    fn home(&self) -> Aabb {
        Aabb::new(vec2(-7.2, -3.2), vec2(7.2, 4.4))
    }

    fn update(&mut self, stage: &Stage<'_>) -> Hold {
        let (pointer, camera) = (stage.input.pointer, stage.camera);
        let (at, moved) = (camera.to_world(pointer.position), camera.to_world_vector(pointer.moved));
        if pointer.pressed {
            self.held = self.take_hold(at, pointer.reach() / camera.scale);
            // A finger on the ground aims; a mouse aims anyway.
            if self.held.is_none() && pointer.touch && self.asker.question != Question::None {
                self.held = Some(Held::Aim);
            }
        }
        if !pointer.down {
            self.held = None;
        }
        match self.held {
            Some(Held::Node(node)) => {
                if let Some(node) = self.scene.get_mut(node) {
                    node.transform.position += moved;
                }
            }
            Some(Held::Eye) => self.asker.eye += moved,
            Some(Held::Aim) => self.asker.aim = at,
            None if camera.area.contains(pointer.position) && !pointer.touch && !pointer.down => self.asker.aim = at,
            None => {}
        }
        self.step(stage.seconds);
        if self.held.is_some() { Hold::Something } else { Hold::Nothing }
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        let world = self.scene.world();
        world.debug_draw(&self.draw, |shape| {
            let group = shape.collider.and_then(|id| world.attachment(id)).map_or(Group::Wall, Group::of);
            let stroke = match shape.kind {
                DebugKind::Collider(DebugState::Touching) => Stroke::new(group.color()).width(2.5).filled(0.5),
                DebugKind::Collider(DebugState::SetAside) => Stroke::new(theme::GHOST).dashed(),
                DebugKind::Collider(_) => Stroke::new(group.color()).filled(0.16),
                DebugKind::Bounds => Stroke::new(theme::BOUNDS).width(1.0),
                DebugKind::Index => Stroke::new(theme::INDEX).width(1.0),
                _ => Stroke::new(theme::CONTACT),
            };
            brush.shape(&shape, stroke);
        });
        let stroke = Stroke::new(theme::QUERY).filled(0.15);
        self.answers = self.asker.ask(world, |shape| brush.shape(shape, stroke));
        if self.asker.has_eye() {
            brush.dot(self.asker.eye, 7.0, theme::QUERY);
            brush.dot(self.asker.eye, 2.0, WHITE);
        } else if self.asker.question != Question::None {
            brush.dot(self.asker.aim, 4.0, theme::QUERY);
        }
    }

    fn panel(&mut self, ui: &mut Ui) {
        self.widgets(ui);
    }

    /// `touching`, `started` and `stopped` count pairs; `answer` is that of the question; `puppet`, on the screen, is a
    /// point of the torso to take hold of.
    fn status(&self, camera: &Camera) -> Vec<(&'static str, String)> {
        let root = self.scene.get(self.puppet.root).map_or(Vec2::ZERO, |node| node.transform.position);
        let torso = camera.to_screen(root + vec2(0.0, 0.9) * self.stretch);
        vec![
            ("touching", self.log.touching().to_string()),
            ("started", self.log.started.to_string()),
            ("stopped", self.log.stopped.to_string()),
            ("question", self.asker.question.name().to_owned()),
            ("answer", self.answers.join("; ")),
            ("puppet", format!("{},{}", short(torso.x), short(torso.y))),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_balance_whatever_is_done() {
        let mut view = SceneView::default();
        for frame in 0..400 {
            view.mirrored = frame % 50 > 25;
            view.spoilt = frame % 90 > 70;
            view.stretch.x = 1.0 + 0.3 * (frame as f32 * 0.1).sin();
            view.wanted.puppet_walls = frame % 30 > 10;
            view.apply_layers();
            view.step(1.0 / 60.0);
            assert_eq!(view.log.touching(), view.scene.touching().len(), "in frame {frame}");
        }
        assert!(view.log.started > 20);
        view.wanted = Wanted { puppet_walls: false, puppet_pick_ups: false, sword_walls: false, sword_pick_ups: false };
        view.apply_layers();
        view.step(0.0);
        assert_eq!(view.log.touching(), 0, "layers alone part them");
    }

    #[test]
    fn the_puppet_is_mirrored_as_a_whole() {
        let mut view = SceneView::default();
        let hand = view.scene.find("puppet/torso/right side/arm/forearm/hand").unwrap();
        let before = view.scene.world().position(hand).unwrap();
        view.mirrored = true;
        view.step(0.0);
        let after = view.scene.world().position(hand).unwrap();
        assert!((before.x + after.x).abs() < 1e-5 && (before.y - after.y).abs() < 1e-5);
    }

    #[test]
    fn every_question_is_answered() {
        let mut view = SceneView::default();
        for question in Question::ALL {
            view.asker.question = question;
            for sensors in [true, false] {
                view.asker.sensors = sensors;
                let mut drawn = 0;
                let answers = view.asker.ask(view.scene.world(), |_| drawn += 1);
                assert_eq!(answers.is_empty(), question == Question::None);
                assert_eq!(drawn == 0, question == Question::None);
            }
        }
        view.asker = Asker { question: Question::Ray, groups: [false; 4], ..view.asker };
        assert_eq!(view.asker.ask(view.scene.world(), |_| {}), ["nothing"]);
    }

    #[test]
    fn the_puppet_can_be_taken_by_a_limb() {
        let mut view = SceneView::default();
        let foot = view.scene.find("puppet/left side/thigh/shin/foot").unwrap();
        let at = view.scene.world().position(foot).unwrap();
        assert!(matches!(view.take_hold(at, 0.1), Some(Held::Node(node)) if node == view.puppet.root));
        assert!(matches!(view.take_hold(view.asker.eye, 0.1), Some(Held::Eye)));
        assert!(view.take_hold(vec2(50.0, 50.0), 0.1).is_none());
    }
}
