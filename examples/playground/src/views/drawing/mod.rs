//! An SVG drawing or a Tiled map with its touching pairs. Its shapes can be dragged.

mod map;
pub mod opener;
pub mod sheet;
mod svg;

use hitgraph::{Aabb, DebugKind, DebugOptions, DebugState, NodeId};
use macroquad::prelude::Vec2;

use crate::camera::Camera;
use crate::draw::{Brush, Stroke};
use crate::theme;
use crate::ui::{Ui, short};
use crate::view::{Drag, Stage, View};
use opener::{DRAWING, File, Opener, samples};
use sheet::Sheet;
use svg::reader::touching::TouchingPair;

/// The largest number of pairs and of remarks that are listed.
const MAX_LISTED: usize = 16;

pub struct DrawingView {
    opener: Opener,
    /// The open file, if any.
    sheet: Option<Sheet>,
    held: Option<NodeId>,
    /// The node under the pointer.
    hovered: Option<NodeId>,
    pointer: Vec2,
    /// The error of the last sample.
    error: Option<String>,
    draw: DebugOptions,
    normals: bool,
    /// The number of shapes that are drawn as boxes.
    boxed: usize,
}

impl Default for DrawingView {
    fn default() -> Self {
        let mut view = Self {
            opener: Opener::default(),
            sheet: None,
            held: None,
            hovered: None,
            pointer: Vec2::ZERO,
            error: None,
            draw: DebugOptions::default(),
            normals: true,
            boxed: 0,
        };
        view.open_sample(DRAWING);
        view
    }
}

impl DrawingView {
    fn open_sample(&mut self, (name, bytes): File) {
        self.error = self.open(name, bytes).err();
    }

    fn paint_contacts(&self, brush: &Brush<'_>) {
        let stroke = Stroke::new(theme::CONTACT).width(2.0);
        for TouchingPair { contact, .. } in self.sheet.iter().flat_map(|sheet| &sheet.touching.listed) {
            for point in contact.points() {
                if self.normals {
                    // As long as the depth, but at least 18 points on the screen.
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

    fn content(&mut self) -> Option<Aabb> {
        self.sheet.as_mut().map(Sheet::region)
    }

    fn y_down(&self) -> bool {
        true
    }

    fn update(&mut self, stage: &Stage<'_>) -> Drag {
        let (pointer, camera) = (stage.input.pointer, stage.camera);
        let Some(sheet) = &mut self.sheet else { return Drag::None };
        let at = camera.to_world(pointer.position);
        if !pointer.down {
            self.hovered = sheet.pick(at, pointer.reach() * 0.5 / camera.scale);
        }
        if pointer.pressed {
            self.held = sheet.pick(at, pointer.reach() * 0.5 / camera.scale);
            self.hovered = self.held;
        } else if !pointer.down {
            self.held = None;
            sheet.refresh();
        }
        if let Some(node) = self.held {
            sheet.drag(node, self.pointer, at);
        }
        self.pointer = at;
        if self.held.is_some() { Drag::Item } else { Drag::None }
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        let Some(sheet) = &mut self.sheet else { return };
        let hovered = self.hovered;
        let touching = &sheet.touching.colliders;
        let world = sheet.scene.world();
        world.debug_draw(&self.draw, |shape| {
            let is_hovered = hovered.is_some() && shape.collider.and_then(|id| world.node_of(id)) == hovered;
            let fill = if is_hovered { 0.2 } else { 0.0 };
            let stroke = match shape.kind {
                DebugKind::Collider(_) if shape.collider.is_some_and(|id| touching.contains(&id)) => {
                    Stroke::new(theme::TOUCHING).filled(0.25 + fill)
                }
                DebugKind::Collider(DebugState::Disabled) => Stroke::new(theme::BOUNDS).width(1.0).dashed(),
                DebugKind::Collider(DebugState::Quarantined) => Stroke::new(theme::GHOST).dashed(),
                DebugKind::Collider(DebugState::Sensor) => Stroke::new(theme::SENSOR).filled(0.12 + fill),
                DebugKind::Collider(_) => Stroke::new(theme::FIRST).filled(0.12 + fill),
                DebugKind::Index => Stroke::new(theme::INDEX).width(1.0),
                _ => Stroke::new(theme::BOUNDS).width(1.0),
            };
            // The outlines of thousands of small shapes would take most of the time of a frame.
            let bounds =
                shape.collider.and_then(|id| world.bounds(id)).filter(|_| matches!(shape.kind, DebugKind::Collider(_)));
            if !bounds.is_some_and(|bounds| brush.speck(bounds, stroke.color)) {
                brush.shape(&shape, stroke);
            }
        });
        self.boxed = brush.boxed();
        self.paint_contacts(brush);
        if let (Some(sheet), Some(node)) = (&self.sheet, hovered) {
            brush.label(self.pointer, sheet.name_of(node), theme::TEXT);
        }
    }

    fn panel(&mut self, ui: &mut Ui) {
        ui.heading("File");
        ui.text(&format!("Drop {} onto the window, or open a sample:", map::KINDS));
        ui.space(4.0);
        let samples = samples();
        let names: Vec<&str> = samples.iter().map(|(name, _)| *name).collect();
        if let Some(selected) = ui.buttons(&names) {
            self.open_sample(samples[selected].1);
        }
        if let Some(error) = &self.error {
            ui.text(error);
        }
        let Some(sheet) = &self.sheet else { return };
        ui.value("file", &clipped(&sheet.name, 30), theme::TEXT);
        ui.value("nodes", &(sheet.scene.node_count() - 1).to_string(), theme::TEXT);
        ui.value("colliders", &sheet.scene.collider_count().to_string(), theme::TEXT);

        ui.heading("Draw");
        let draw = &mut self.draw;
        let (normals, bounds, index, disabled) =
            (&mut self.normals, &mut draw.bounds, &mut draw.index, &mut draw.disabled);
        ui.checkboxes(2, [("normals", normals), ("boxes", bounds), ("index", index), ("disabled", disabled)]);
        if self.boxed > 0 {
            ui.text(&format!("Too many lines: {} shapes are drawn as boxes.", self.boxed));
        }
        if let Some(pairs) = sheet.touching.left_out() {
            ui.text(&format!("Contacts are not drawn for {pairs}."));
        }

        if !sheet.remarks.is_empty() {
            ui.heading("Remarks");
            sheet.remarks.iter().take(MAX_LISTED).for_each(|remark| ui.text(&clipped(remark, 160)));
            more(ui, sheet.remarks.len());
        }

        ui.heading("Touching");
        let touching = &sheet.touching;
        ui.value("pairs", &touching.count.to_string(), theme::TEXT);
        for TouchingPair { nodes, contact } in touching.listed.iter().take(MAX_LISTED) {
            let [a, b] = nodes.map(|node| clipped(sheet.name_of(node), 16));
            ui.entry((&format!("{a} – {b}"), theme::TOUCHING), (&short(contact.depth), theme::CONTACT));
        }
        more(ui, touching.count);
    }

    /// Returns the name of the sample, or nothing for the first sample and for files.
    fn state(&self) -> String {
        let open = self.sheet.as_ref().map_or("", |sheet| &sheet.name);
        let sample = samples().into_iter().skip(1).find(|(_, file)| file.0 == open);
        sample.map_or_else(String::new, |(name, _)| name.to_owned())
    }

    fn set_state(&mut self, state: &str) -> Result<(), String> {
        if state.is_empty() {
            return Ok(());
        }
        let samples = samples();
        let Some((_, (name, bytes))) = samples.iter().find(|(name, _)| *name == state) else {
            let names: Vec<String> = samples.iter().map(|(name, _)| format!("{name:?}")).collect();
            return Err(format!("there is no sample {state:?}; the samples are {}", names.join(" and ")));
        };
        self.open(name, bytes)
    }

    fn open(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        if let Some(sheet) = self.opener.open(name, bytes)? {
            (self.sheet, self.held, self.hovered, self.error) = (Some(sheet), None, None, None);
        }
        Ok(())
    }

    /// `touching` and `remarks` are counts.
    fn status(&self, _camera: &Camera) -> Vec<(&'static str, String)> {
        let Some(sheet) = &self.sheet else { return Vec::new() };
        vec![
            ("file", sheet.name.clone()),
            ("colliders", sheet.scene.collider_count().to_string()),
            ("touching", sheet.touching.count.to_string()),
            ("remarks", sheet.remarks.len().to_string()),
        ]
    }
}

/// Draws how many entries of a list are not shown.
fn more(ui: &mut Ui, count: usize) {
    if count > MAX_LISTED {
        ui.text(&format!("and {} more", count - MAX_LISTED));
    }
}

/// Returns the text, shortened to at most `max` characters.
fn clipped(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(2)).chain("..".chars()).collect()
}

#[cfg(test)]
mod tests;
