//! Two shapes, each below a chain of three nodes, and the library's results for the pair.

mod decomposed;
mod draw;
mod handles;
mod keys;
mod kind;
mod operand;
mod pair_scene;
mod panel;
mod show;
mod state;

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
        Aabb::new(vec2(-3.6, -2.7), vec2(3.6, 2.7))
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
