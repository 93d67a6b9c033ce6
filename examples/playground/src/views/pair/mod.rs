//! Two shapes, each under a chain of three nodes: push them together and look.

mod body;
mod decomposed;
mod draw;
mod handles;
mod keys;
mod kind;
mod meeting;
mod panel;
mod show;
mod state;

use glam::{Vec2, vec2};
use hitgraph::Aabb;

use crate::camera::Camera;
use crate::draw::Brush;
use crate::ui::{Ui, short};
use crate::view::{Hold, Stage, View};
use body::into_frame;
use decomposed::decomposed;
use handles::{Grip, Handle, Handles};
use meeting::{Answers, Meeting};
use state::State;

pub struct PairView {
    state: State,
    meeting: Meeting,
    answers: Answers,
    /// What a decomposing engine would test, and say.
    other: Meeting,
    other_answers: Answers,
    /// Which body, and which node of its chain, is edited.
    body: usize,
    node: usize,
    held: Option<Held>,
}

/// What the pointer holds.
#[derive(Debug, Clone, Copy)]
enum Held {
    Handle(Grip),
    Body(Grip),
}

impl Default for PairView {
    fn default() -> Self {
        let mut view = Self {
            state: State::default(),
            meeting: Meeting::new(),
            answers: Answers::default(),
            other: Meeting::new(),
            other_answers: Answers::default(),
            body: 1,
            node: 2,
            held: None,
        };
        view.ask();
        view
    }
}

impl PairView {
    fn ask(&mut self) {
        self.meeting.place(&self.state.bodies);
        self.answers = self.meeting.ask();
        if let [Ok(a), Ok(b)] = self.state.bodies.each_ref().map(decomposed) {
            self.other.place_each([a, b]);
            self.other_answers = self.other.ask();
        }
    }

    fn handles(&self, camera: &Camera) -> Handles {
        Handles::of(&self.state.bodies[self.body], self.node, camera)
    }

    fn take_hold(&mut self, at: Vec2, reach: f32, camera: &Camera) {
        let handle = self.handles(camera).pick(at, reach).filter(|_| self.state.show.nodes);
        self.held = match handle {
            Some(handle) => Some(Held::Handle(self.grip(handle, at))),
            None => self.meeting.pick(camera.to_world(at), reach / camera.scale).map(|body| {
                self.body = body;
                Held::Body(self.grip(Handle::Move, at))
            }),
        };
    }

    fn grip(&self, handle: Handle, at: Vec2) -> Grip {
        Grip::new(handle, at, self.state.bodies[self.body].chain[self.node])
    }

    fn drag(&mut self, to: Vec2, camera: &Camera) {
        let body = &mut self.state.bodies[self.body];
        if let Some(Held::Handle(grip) | Held::Body(grip)) = self.held {
            body.chain[self.node] = grip.pose(body, self.node, camera, to);
        }
    }

    /// Moves the edited node by so much in the world.
    fn push(&mut self, by: Vec2) {
        let body = &mut self.state.bodies[self.body];
        if let Some(by) = into_frame(body.parent_of(self.node).matrix2, by) {
            body.chain[self.node].position += by;
            body.chain[self.node] = body.chain[self.node].tidied();
        }
    }
}

impl View for PairView {
    fn home(&self) -> Aabb {
        Aabb::new(vec2(-3.6, -2.7), vec2(3.6, 2.7))
    }

    fn update(&mut self, stage: &Stage<'_>) -> Hold {
        let pointer = stage.input.pointer;
        if pointer.pressed {
            self.take_hold(pointer.position, pointer.reach(), stage.camera);
        }
        if pointer.down {
            self.drag(pointer.position, stage.camera);
        } else {
            self.held = None;
        }
        self.keys(stage.input);
        self.ask();
        if self.held.is_some() { Hold::Something } else { Hold::Nothing }
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
        self.ask();
        Ok(())
    }

    /// `touching`, `other_touching` (by decomposition), `depth`, `distance`; on the screen `a` and `b`, a point of each
    /// shape to take hold of, and the handles of the edited node.
    fn status(&self, camera: &Camera) -> Vec<(&'static str, String)> {
        let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let number = |number: Option<f32>| number.map_or_else(|| "none".to_owned(), short);
        let place = |at: Vec2| format!("{:.1},{:.1}", at.x, at.y);
        let grasp = |index: usize| {
            self.answers.grasps[index].map_or_else(|| "none".to_owned(), |at| place(camera.to_screen(at)))
        };
        let handles = self.handles(camera);
        vec![
            ("touching", yes(self.answers.touching())),
            ("other_touching", yes(self.other_answers.touching())),
            ("depth", number(self.answers.contact.map(|contact| contact.depth))),
            ("distance", number(self.answers.distance)),
            ("a", grasp(0)),
            ("b", grasp(1)),
            ("move", place(handles.origin)),
            ("turn", place(handles.turn)),
            ("scale_x", place(handles.tips[0])),
            ("scale_y", place(handles.tips[1])),
            ("skew", place(handles.skew)),
        ]
    }
}
