//! An SVG drawing or a Tiled map: what touches in it, and what becomes of that when its shapes are dragged.

#[cfg_attr(target_arch = "wasm32", path = "no_map.rs")]
mod map;
mod opener;
mod sheet;
mod svg;

use hitgraph::{Aabb, DebugKind, DebugOptions, DebugState, NodeId};
use macroquad::prelude::{Vec2, WHITE};

use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::theme;
use crate::ui::{Ui, short};
use crate::view::{Hold, Stage, View};
use opener::{DRAWING, File, Opener, samples};
use sheet::Sheet;

/// How many pairs and remarks are listed.
const SHOWN: usize = 16;

pub struct DrawingView {
    opener: Opener,
    /// `None` if nothing could be opened.
    sheet: Option<Sheet>,
    held: Option<NodeId>,
    /// What the pointer is over.
    over: Option<NodeId>,
    pointer: Vec2,
    /// Why a sample could not be opened.
    error: Option<String>,
    draw: DebugOptions,
    normals: bool,
}

impl Default for DrawingView {
    fn default() -> Self {
        let mut view = Self {
            opener: Opener::default(),
            sheet: None,
            held: None,
            over: None,
            pointer: Vec2::ZERO,
            error: None,
            draw: DebugOptions::default(),
            normals: true,
        };
        view.sample(DRAWING);
        view
    }
}

impl DrawingView {
    fn sample(&mut self, (name, bytes): File) {
        self.error = self.open(name, bytes).err();
    }

    fn paint_contacts(&self, brush: &Brush<'_>) {
        let stroke = Stroke::new(theme::CONTACT).width(2.0);
        for (_, contact) in self.sheet.iter().flat_map(|sheet| &sheet.contacts) {
            for point in contact.points() {
                if self.normals {
                    // As long as the overlap is deep, or a little longer so that it can be seen.
                    let length = contact.depth.max(18.0 / brush.camera.scale);
                    brush.arrow(*point, *point + contact.normal * length, stroke);
                }
                brush.dot(*point, 3.5, theme::CONTACT);
            }
        }
    }
}

impl View for DrawingView {
    fn home(&self) -> Aabb {
        self.sheet.as_ref().map_or(Aabb::new(Vec2::ZERO, Vec2::splat(100.0)), |sheet| sheet.home)
    }

    fn y_down(&self) -> bool {
        true
    }

    fn update(&mut self, stage: &Stage<'_>) -> Hold {
        let (pointer, camera) = (stage.input.pointer, stage.camera);
        let Some(sheet) = &mut self.sheet else { return Hold::Nothing };
        let at = camera.to_world(pointer.position);
        if !pointer.down {
            self.over = sheet.pick(at, pointer.reach() * 0.5 / camera.scale);
        }
        if pointer.pressed {
            self.held = sheet.pick(at, pointer.reach() * 0.5 / camera.scale);
            self.over = self.held;
        } else if !pointer.down {
            self.held = None;
        }
        if let Some(node) = self.held {
            sheet.drag(node, self.pointer, at);
        }
        self.pointer = at;
        if self.held.is_some() { Hold::Something } else { Hold::Nothing }
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        let Some(sheet) = &mut self.sheet else { return };
        let over = self.over;
        let world = sheet.scene.world();
        world.debug_draw(&self.draw, |shape| {
            let lit = over.is_some() && shape.collider.and_then(|id| world.node_of(id)) == over;
            let fill = if lit { 0.2 } else { 0.0 };
            let stroke = match shape.kind {
                DebugKind::Collider(DebugState::Touching) => Stroke::new(theme::SECOND).filled(0.25 + fill),
                DebugKind::Collider(DebugState::Disabled) => Stroke::new(theme::BOUNDS).width(1.0).dashed(),
                DebugKind::Collider(DebugState::SetAside) => Stroke::new(theme::GHOST).dashed(),
                DebugKind::Collider(DebugState::Sensor) => Stroke::new(theme::SENSOR).filled(0.12 + fill),
                DebugKind::Collider(_) => Stroke::new(theme::FIRST).filled(0.12 + fill),
                DebugKind::Index => Stroke::new(theme::INDEX).width(1.0),
                _ => Stroke::new(theme::BOUNDS).width(1.0),
            };
            brush.shape(&shape, stroke);
        });
        self.paint_contacts(brush);
        if let (Some(sheet), Some(node)) = (&self.sheet, over) {
            brush.label(self.pointer, sheet.name_of(node), WHITE);
        }
    }

    fn panel(&mut self, ui: &mut Ui) {
        ui.heading("File");
        ui.text(&format!("Drop {} onto the window, or take a sample:", map::KINDS));
        ui.space(4.0);
        let samples = samples();
        let names: Vec<&str> = samples.iter().map(|(name, _)| *name).collect();
        if let Some(chosen) = ui.buttons(&names) {
            self.sample(samples[chosen].1);
        }
        if let Some(error) = &self.error {
            ui.text(error);
        }
        let Some(sheet) = &self.sheet else { return };
        ui.value("opened", &clipped(&sheet.name, 30), theme::TEXT);
        ui.value("nodes", &(sheet.scene.node_count() - 1).to_string(), theme::TEXT);
        ui.value("colliders", &sheet.scene.collider_count().to_string(), theme::TEXT);

        ui.heading("Draw");
        let draw = &mut self.draw;
        let (normals, bounds, index, disabled) =
            (&mut self.normals, &mut draw.bounds, &mut draw.index, &mut draw.disabled);
        ui.checkboxes(2, [("normals", normals), ("boxes", bounds), ("index", index), ("hidden ones", disabled)]);

        if !sheet.remarks.is_empty() {
            ui.heading("Remarks");
            sheet.remarks.iter().take(SHOWN).for_each(|remark| ui.text(&clipped(remark, 160)));
            more(ui, sheet.remarks.len());
        }

        ui.heading("Touching");
        ui.value("pairs", &sheet.contacts.len().to_string(), theme::TEXT);
        for (pair, contact) in sheet.contacts.iter().take(SHOWN) {
            let [a, b] = [pair.a, pair.b].map(|side| clipped(sheet.name_of(side.node), 16));
            ui.entry((&format!("{a} – {b}"), theme::SECOND), (&short(contact.depth), theme::CONTACT));
        }
        more(ui, sheet.contacts.len());
    }

    /// The sample that is shown, if it is not the first; of a file there is no state.
    fn state(&self) -> String {
        let shown = self.sheet.as_ref().map_or("", |sheet| &sheet.name);
        let sample = samples().into_iter().skip(1).find(|(_, file)| file.0 == shown);
        sample.map_or_else(String::new, |(name, _)| name.to_owned())
    }

    fn set_state(&mut self, state: &str) -> Result<(), String> {
        if state.is_empty() {
            return Ok(());
        }
        let samples = samples();
        let Some((_, (name, bytes))) = samples.iter().find(|(name, _)| *name == state) else {
            let names: Vec<String> = samples.iter().map(|(name, _)| format!("{name:?}")).collect();
            return Err(format!("there is no sample {state:?}, but {}", names.join(" and ")));
        };
        self.open(name, bytes)
    }

    fn open(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        if let Some(sheet) = self.opener.open(name, bytes)? {
            (self.sheet, self.held, self.over, self.error) = (Some(sheet), None, None, None);
        }
        Ok(())
    }

    /// `touching` counts pairs.
    fn status(&self, _camera: &Camera) -> Vec<(&'static str, String)> {
        let Some(sheet) = &self.sheet else { return Vec::new() };
        vec![
            ("file", sheet.name.clone()),
            ("colliders", sheet.scene.collider_count().to_string()),
            ("touching", sheet.contacts.len().to_string()),
            ("remarks", sheet.remarks.len().to_string()),
        ]
    }
}

/// Tells that a list is longer than what is shown of it.
fn more(ui: &mut Ui, count: usize) {
    if count > SHOWN {
        ui.text(&format!("and {} more", count - SHOWN));
    }
}

/// At most so many letters.
fn clipped(words: &str, most: usize) -> String {
    if words.chars().count() <= most {
        return words.to_owned();
    }
    words.chars().take(most.saturating_sub(2)).chain("..".chars()).collect()
}

#[cfg(test)]
mod tests;
