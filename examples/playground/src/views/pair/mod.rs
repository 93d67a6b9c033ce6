//! Two shapes, each under a chain of three nodes: push them together and look.

mod body;
mod kind;

use glam::{Vec2, vec2};
use hitgraph::{Aabb, Contact, DebugKind, DebugOptions, QueryFilter, Scene};
use macroquad::prelude::Color;

use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::theme;
use crate::ui::{Ui, short};
use crate::view::{Hold, Stage, View};
use body::{Body, Placed, into_frame};

const COLORS: [Color; 2] = [theme::FIRST, theme::SECOND];

pub struct PairView {
    bodies: [Body; 2],
    scene: Scene,
    placed: [Placed; 2],
    chosen: usize,
    dragging: bool,
}

impl Default for PairView {
    fn default() -> Self {
        let bodies = Body::start();
        let mut scene = Scene::new();
        let placed = bodies.map(|body| Placed::new(&mut scene, &body).expect("the first pair is sound"));
        Self { bodies, scene, placed, chosen: 0, dragging: false }
    }
}

impl PairView {
    fn contact(&mut self) -> Option<Contact> {
        let [a, b] = self.placed.map(|placed| placed.collider);
        self.scene.world().contact(a, b)
    }
}

impl View for PairView {
    fn home(&self) -> Aabb {
        Aabb::new(vec2(-4.0, -3.0), vec2(4.0, 3.0))
    }

    fn update(&mut self, stage: &Stage<'_>) -> Hold {
        let pointer = stage.input.pointer;
        let at = stage.camera.to_world(pointer.position);
        if pointer.pressed {
            let touched = self.scene.world().at_point(at, &QueryFilter::default()).last();
            let index = touched.and_then(|side| self.placed.iter().position(|body| body.collider == side.collider));
            self.dragging = index.is_some();
            self.chosen = index.unwrap_or(self.chosen);
        }
        self.dragging &= pointer.down;
        if self.dragging {
            let body = &mut self.bodies[self.chosen];
            let parent = body.parent_of(0);
            body.chain[0].position += into_frame(&parent, stage.camera.to_world_vector(pointer.moved));
        }
        for (placed, body) in self.placed.iter().zip(&self.bodies) {
            placed.follow(&mut self.scene, body);
        }
        self.scene.update();
        if self.dragging { Hold::Something } else { Hold::Nothing }
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        let contact = self.contact();
        let options = DebugOptions { contacts: true, normals: true, ..DebugOptions::default() };
        let first = self.placed[0].collider;
        self.scene.world().debug_draw(&options, |shape| match shape.kind {
            DebugKind::Collider(_) => {
                let color = COLORS[usize::from(shape.collider != Some(first))];
                brush.shape(&shape, Stroke::new(color).filled(if contact.is_some() { 0.28 } else { 0.14 }));
            }
            _ => brush.shape(&shape, Stroke::new(theme::CONTACT)),
        });
    }

    fn panel(&mut self, ui: &mut Ui) {
        ui.heading("What touches");
        match self.contact() {
            Some(contact) => {
                ui.value("touching", "yes", theme::CONTACT);
                ui.value("depth", &short(contact.depth), theme::TEXT);
                ui.value("normal", &pair(contact.normal), theme::TEXT);
            }
            None => ui.value("touching", "no", theme::MUTED),
        }
    }

    fn status(&self, _camera: &Camera) -> Vec<(&'static str, String)> {
        vec![("touching", (!self.scene.touching().is_empty()).to_string())]
    }
}

fn pair(vector: Vec2) -> String {
    format!("{}, {}", short(vector.x), short(vector.y))
}
