//! A puppet with hitboxes on its limbs, among pick-ups and walls: events, layers, queries, the index.

mod group;
mod log;
mod panel;
mod puppet;
mod query;
mod scenery;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, CollisionEvent, DebugKind, DebugOptions, DebugState, NodeId, QueryFilter, Scene};
use macroquad::prelude::WHITE;

use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::theme;
use crate::ui::{Ui, short};
use crate::view::{Drag, Stage, View};
use group::{Group, LayerSwitches};
use log::Log;
use puppet::Puppet;
use query::{QueryKind, QueryTool};
use scenery::Wheel;

pub struct SceneView {
    scene: Scene,
    puppet: Puppet,
    wheel: Wheel,
    time: f32,
    speed: f32,
    /// The scale of the puppet's root, without the sign.
    scale: Vec2,
    /// `true` if the puppet's root is mirrored in x.
    mirrored: bool,
    /// `true` if the rotation of an arm is NaN.
    nan_arm: bool,
    layer_switches: LayerSwitches,
    query: QueryTool,
    results: Vec<String>,
    draw: DebugOptions,
    events: Vec<CollisionEvent>,
    log: Log,
    held: Option<Held>,
}

/// The target of the current drag: a node, or the start or end of the query.
#[derive(Debug, Clone, Copy)]
enum Held {
    Node(NodeId),
    QueryStart,
    QueryEnd,
}

impl Default for SceneView {
    fn default() -> Self {
        let mut scene = Scene::new();
        let wheel = scenery::build(&mut scene).expect("the scenery has valid shapes");
        let puppet = Puppet::new(&mut scene, vec2(0.0, -0.55));
        let mut view = Self {
            scene,
            puppet,
            wheel,
            time: 0.0,
            speed: 0.6,
            scale: Vec2::ONE,
            mirrored: false,
            nan_arm: false,
            layer_switches: LayerSwitches::default(),
            query: QueryTool::default(),
            results: Vec::new(),
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
    /// Advances the animation, updates the scene and logs its events.
    fn step(&mut self, seconds: f32) {
        self.time += seconds * self.speed;
        self.puppet.pose(&mut self.scene, self.time);
        self.wheel.set_time(&mut self.scene, self.time);
        if let Some(root) = self.scene.get_mut(self.puppet.root) {
            root.transform.scale = self.scale * vec2(if self.mirrored { -1.0 } else { 1.0 }, 1.0);
        }
        if self.nan_arm
            && let Some(arm) = self.scene.get_mut(self.puppet.arm)
        {
            arm.transform.rotation = f32::NAN;
        }
        let mut events = std::mem::take(&mut self.events);
        self.scene.update_into(&mut events);
        self.log.add(&self.scene, &events, self.time);
        self.events = events;
    }

    /// Sets the layers of the puppet's colliders from the switches.
    fn apply_layers(&mut self) {
        for node in self.scene.descendants(self.puppet.root).collect::<Vec<_>>() {
            for collider in self.scene.colliders(node).to_vec() {
                if let Some(attachment) = self.scene.attachment_mut(collider) {
                    attachment.layers = self.layer_switches.layers(Group::of(attachment));
                }
            }
        }
    }

    /// Returns the target of a drag that starts at a point.
    fn pick(&mut self, at: Vec2, reach: f32) -> Option<Held> {
        if self.query.has_start() && at.distance(self.query.start) <= reach {
            return Some(Held::QueryStart);
        }
        let near = self.scene.world().nearest(at, reach * 0.5, &QueryFilter::default())?;
        // Drags the topmost ancestor: the whole puppet or the whole wheel.
        let topmost = self.scene.ancestors(near.side.node).filter(|node| *node != self.scene.root()).last();
        Some(Held::Node(topmost.unwrap_or(near.side.node)))
    }
}

impl View for SceneView {
    fn home(&self) -> Aabb {
        Aabb::new(vec2(-7.2, -3.2), vec2(7.2, 4.4))
    }

    fn update(&mut self, stage: &Stage<'_>) -> Drag {
        let (pointer, camera) = (stage.input.pointer, stage.camera);
        let (at, moved) = (camera.to_world(pointer.position), camera.to_world_vector(pointer.moved));
        if pointer.pressed {
            self.held = self.pick(at, pointer.reach() / camera.scale);
            // A finger on the background drags the end of the query. A mouse moves it without a press.
            if self.held.is_none() && pointer.touch && self.query.kind != QueryKind::None {
                self.held = Some(Held::QueryEnd);
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
            Some(Held::QueryStart) => self.query.start += moved,
            Some(Held::QueryEnd) => self.query.end = at,
            None if camera.area.contains(pointer.position) && !pointer.touch && !pointer.down => self.query.end = at,
            None => {}
        }
        self.step(stage.seconds);
        if self.held.is_some() { Drag::Item } else { Drag::None }
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        let world = self.scene.world();
        world.debug_draw(&self.draw, |shape| {
            let group = shape.collider.and_then(|id| world.attachment(id)).map_or(Group::Wall, Group::of);
            let stroke = match shape.kind {
                DebugKind::Collider(DebugState::Touching) => Stroke::new(theme::TOUCHING).width(2.5).filled(0.35),
                DebugKind::Collider(DebugState::Quarantined) => Stroke::new(theme::GHOST).dashed(),
                DebugKind::Collider(_) => Stroke::new(group.color()).filled(0.16),
                DebugKind::Bounds => Stroke::new(theme::BOUNDS).width(1.0),
                DebugKind::Index => Stroke::new(theme::INDEX).width(1.0),
                _ => Stroke::new(theme::CONTACT),
            };
            brush.shape(&shape, stroke);
        });
        let stroke = Stroke::new(theme::QUERY).filled(0.15);
        self.results = self.query.run(world, |shape| brush.shape(shape, stroke));
        if self.query.has_start() {
            brush.dot(self.query.start, 7.0, theme::QUERY);
            brush.dot(self.query.start, 2.0, WHITE);
        } else if self.query.kind != QueryKind::None {
            brush.dot(self.query.end, 4.0, theme::QUERY);
        }
    }

    fn panel(&mut self, ui: &mut Ui) {
        self.widgets(ui);
    }

    /// `touching`, `started` and `stopped` count pairs; `result` is that of the query; `wide` is a slider; `puppet` is a draggable point of
    /// the torso on the screen.
    fn status(&self, camera: &Camera) -> Vec<(&'static str, String)> {
        let root = self.scene.get(self.puppet.root).map_or(Vec2::ZERO, |node| node.transform.position);
        let torso = camera.to_screen(root + vec2(0.0, 0.9) * self.scale);
        vec![
            ("touching", self.log.touching().to_string()),
            ("started", self.log.started.to_string()),
            ("stopped", self.log.stopped.to_string()),
            ("query", self.query.kind.name().to_owned()),
            ("result", self.results.join("; ")),
            ("wide", short(self.scale.x)),
            ("puppet", format!("{},{}", short(torso.x), short(torso.y))),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_minus_stops_equals_the_touching_pairs_in_every_frame() {
        let mut view = SceneView::default();
        for frame in 0..400 {
            view.mirrored = frame % 50 > 25;
            view.nan_arm = frame % 90 > 70;
            view.scale.x = 1.0 + 0.3 * (frame as f32 * 0.1).sin();
            view.layer_switches.puppet_walls = frame % 30 > 10;
            view.apply_layers();
            view.step(1.0 / 60.0);
            assert_eq!(view.log.touching(), view.scene.touching().len(), "frame {frame}");
        }
        assert!(view.log.started > 20);
        view.layer_switches =
            LayerSwitches { puppet_walls: false, puppet_pick_ups: false, sword_walls: false, sword_pick_ups: false };
        view.apply_layers();
        view.step(0.0);
        assert_eq!(view.log.touching(), 0, "clearing the filters stops every pair");
    }

    #[test]
    fn mirroring_the_root_mirrors_the_hand() {
        let mut view = SceneView::default();
        let hand = view.scene.find("puppet/torso/right side/arm/forearm/hand").unwrap();
        let before = view.scene.world().position(hand).unwrap();
        view.mirrored = true;
        view.step(0.0);
        let after = view.scene.world().position(hand).unwrap();
        assert!((before.x + after.x).abs() < 1e-5 && (before.y - after.y).abs() < 1e-5);
    }

    #[test]
    fn every_query_returns_and_draws_a_result() {
        let mut view = SceneView::default();
        for kind in QueryKind::ALL {
            view.query.kind = kind;
            for sensors in [true, false] {
                view.query.sensors = sensors;
                let mut drawn = 0;
                let results = view.query.run(view.scene.world(), |_| drawn += 1);
                assert_eq!(results.is_empty(), kind == QueryKind::None);
                assert_eq!(drawn == 0, kind == QueryKind::None);
            }
        }
        view.query = QueryTool { kind: QueryKind::Ray, groups: [false; 4], ..view.query };
        assert_eq!(view.query.run(view.scene.world(), |_| {}), ["nothing"]);
    }

    #[test]
    fn a_press_on_a_limb_drags_the_puppet() {
        let mut view = SceneView::default();
        let foot = view.scene.find("puppet/left side/thigh/shin/foot").unwrap();
        let at = view.scene.world().position(foot).unwrap();
        assert!(matches!(view.pick(at, 0.1), Some(Held::Node(node)) if node == view.puppet.root));
        assert!(matches!(view.pick(view.query.start, 0.1), Some(Held::QueryStart)));
        assert!(view.pick(vec2(50.0, 50.0), 0.1).is_none());
    }
}
