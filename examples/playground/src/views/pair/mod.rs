//! Two shapes, each below a chain of three nodes, and the library's results for the pair.

pub mod decomposed;
mod draw;
mod handles;
mod keys;
pub mod kind;
pub mod operand;
pub mod pair_scene;
mod panel;
mod preset;
pub mod show;
pub mod state;

use glam::{Vec2, vec2};
use hitgraph::Aabb;

use crate::camera::Camera;
use crate::draw::Brush;
use crate::ui::{Ui, short};
use crate::view::{Drag, Stage, View};
use decomposed::decomposed;
use handles::{Grip, Handle, Handles};
use operand::into_frame;
use pair_scene::{PairResults, PairScene};
use state::State;

/// The region that is shown first.
const HOME: Aabb = Aabb { min: vec2(-3.9, -2.7), max: vec2(3.9, 2.7) };
/// The distance by which shapes may extend beyond it.
const BEYOND_HOME: f32 = 1.3;

pub struct PairView {
    state: State,
    pair_scene: PairScene,
    results: PairResults,
    /// The shapes that a decomposing engine tests, and its results.
    decomposed_scene: PairScene,
    decomposed_results: PairResults,
    /// The index of the edited operand.
    operand: usize,
    /// The index of the edited node in its chain.
    node: usize,
    held: Option<Held>,
    /// The region that is shown until the user moves the camera: [`HOME`], or the shapes of a link.
    home: Aabb,
}

/// The target of the current drag: a handle of the edited node, or a shape.
#[derive(Debug, Clone, Copy)]
enum Held {
    Handle(Grip),
    Shape(Grip),
}

impl Default for PairView {
    fn default() -> Self {
        let mut view = Self {
            state: State::default(),
            pair_scene: PairScene::new(),
            results: PairResults::default(),
            decomposed_scene: PairScene::new(),
            decomposed_results: PairResults::default(),
            operand: 1,
            node: 2,
            held: None,
            home: HOME,
        };
        view.refresh();
        view
    }
}

impl PairView {
    /// Recomputes the results of both engines.
    fn refresh(&mut self) {
        self.pair_scene.set_operands(&self.state.operands);
        self.results = self.pair_scene.query();
        if let [Ok(a), Ok(b)] = self.state.operands.each_ref().map(decomposed) {
            self.decomposed_scene.set_shapes([a, b]);
            self.decomposed_results = self.decomposed_scene.query();
        }
    }

    /// Returns the region of the shapes of both engines, or nothing if a shape is quarantined.
    fn shapes(&self) -> Option<Aabb> {
        let results = [&self.results, &self.decomposed_results];
        let bounds = results.into_iter().flat_map(|results| results.bounds);
        let all = bounds.flatten().fold(Aabb::EMPTY, Aabb::union);
        Some(all).filter(|all| all.is_finite() && all.size().max_element() > 0.0)
    }

    fn handles(&self, camera: &Camera) -> Handles {
        Handles::of(&self.state.operands[self.operand], self.node, camera)
    }

    /// Starts a drag of the handle or shape under the pointer.
    fn start_drag(&mut self, at: Vec2, reach: f32, camera: &Camera) {
        let handle = self.handles(camera).pick(at, reach).filter(|_| self.state.show.nodes);
        self.held = match handle {
            Some(handle) => Some(Held::Handle(self.grip(handle, at))),
            None => self.pair_scene.pick(camera.to_world(at), reach / camera.scale).map(|operand| {
                self.operand = operand;
                Held::Shape(self.grip(Handle::Move, at))
            }),
        };
    }

    fn grip(&self, handle: Handle, at: Vec2) -> Grip {
        Grip::new(handle, at, self.state.operands[self.operand].chain[self.node])
    }

    fn drag(&mut self, to: Vec2, camera: &Camera) {
        let operand = &mut self.state.operands[self.operand];
        if let Some(Held::Handle(grip) | Held::Shape(grip)) = self.held {
            operand.chain[self.node] = grip.pose(operand, self.node, camera, to);
        }
    }

    /// Moves the edited node by a displacement in world space.
    fn move_node(&mut self, by: Vec2) {
        let operand = &mut self.state.operands[self.operand];
        if let Some(by) = into_frame(operand.parent_of(self.node).matrix2, by) {
            operand.chain[self.node].position += by;
            operand.chain[self.node] = operand.chain[self.node].rounded();
        }
    }
}

impl View for PairView {
    fn home(&self) -> Aabb {
        self.home
    }

    fn content(&mut self) -> Option<Aabb> {
        self.shapes()
    }

    fn update(&mut self, stage: &Stage<'_>) -> Drag {
        let pointer = stage.input.pointer;
        if pointer.pressed {
            self.start_drag(pointer.position, pointer.reach(), stage.camera);
        }
        if pointer.down {
            self.drag(pointer.position, stage.camera);
        } else {
            self.held = None;
        }
        self.keys(stage.input);
        self.refresh();
        if self.held.is_some() { Drag::Item } else { Drag::None }
    }

    fn draw(&mut self, brush: &Brush<'_>) {
        self.paint(brush);
    }

    fn panel(&mut self, ui: &mut Ui) {
        self.widgets(ui);
    }

    fn state(&self) -> String {
        self.state.write()
    }

    fn set_state(&mut self, state: &str) -> Result<(), String> {
        self.state = State::read(state)?;
        self.held = None;
        self.refresh();
        // Shapes that are far outside the usual region are shown in full.
        self.home = HOME;
        let near = HOME.grown(BEYOND_HOME);
        let is_far = |bounds: &Aabb| bounds.is_finite() && !(near.contains(bounds.min) && near.contains(bounds.max));
        if self.results.bounds.iter().flatten().any(is_far)
            && let Some(shapes) = self.shapes()
        {
            self.home = shapes.grown(shapes.size().max_element() * 0.2);
        }
        Ok(())
    }

    /// `touching`, `decomposed_touching`, `depth`, `distance`; on the screen `a` and `b`, a draggable point of each
    /// shape, and the handles of the edited node.
    fn status(&self, camera: &Camera) -> Vec<(&'static str, String)> {
        let yes_no = |value: bool| if value { "yes" } else { "no" }.to_owned();
        let number = |number: Option<f32>| number.map_or_else(|| "none".to_owned(), short);
        let place = |at: Vec2| format!("{:.1},{:.1}", at.x, at.y);
        let grab_point = |index: usize| {
            self.results.grab_points[index].map_or_else(|| "none".to_owned(), |at| place(camera.to_screen(at)))
        };
        let handles = self.handles(camera);
        vec![
            ("touching", yes_no(self.results.touching())),
            ("decomposed_touching", yes_no(self.decomposed_results.touching())),
            ("depth", number(self.results.contact.map(|contact| contact.depth))),
            ("distance", number(self.results.distance)),
            ("a", grab_point(0)),
            ("b", grab_point(1)),
            ("move", place(handles.origin)),
            ("turn", place(handles.turn)),
            ("scale_x", place(handles.tips[0])),
            ("scale_y", place(handles.tips[1])),
            ("skew", place(handles.skew)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_shapes_near_the_usual_region_keeps_it_and_far_shapes_are_shown_in_full() {
        let mut view = PairView::default();
        // The rectangle of the start, dragged up until half of it is outside.
        view.set_state("b=rect/at1.7,2.7/scale1.6,0.7/turn40").unwrap();
        assert_eq!(view.home(), HOME);
        view.set_state("b=rect/at9,2.7/scale1.6,0.7/turn40").unwrap();
        assert!(view.home().contains(vec2(9.0, 2.7)));
    }
}
