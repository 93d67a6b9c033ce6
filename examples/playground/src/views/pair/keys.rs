//! What can be done without a pointer.

use glam::vec2;
use macroquad::prelude::KeyCode;

use super::PairView;
use super::body::NODES;
use crate::input::Input;

impl PairView {
    /// Arrows push and Q and E turn the edited node, a little with shift; Tab goes to the other body, 1 to 3 choose the
    /// node, M mirrors it, C compares.
    pub(super) fn keys(&mut self, input: &Input) {
        let fine = input.held(KeyCode::LeftShift) || input.held(KeyCode::RightShift);
        let step = if fine { 0.002 } else { 0.02 };
        let signed = |more: KeyCode, less: KeyCode| f32::from(input.held(more)) - f32::from(input.held(less));
        let by = vec2(signed(KeyCode::Right, KeyCode::Left), signed(KeyCode::Up, KeyCode::Down));
        if by != glam::Vec2::ZERO {
            self.push(by * step);
        }
        if input.struck(KeyCode::Tab) {
            self.body = 1 - self.body;
        }
        for (node, key) in (0..NODES.len()).zip([KeyCode::Key1, KeyCode::Key2, KeyCode::Key3]) {
            if input.struck(key) {
                self.node = node;
            }
        }
        if input.struck(KeyCode::C) {
            self.state.show.decomposed = !self.state.show.decomposed;
        }
        let pose = &mut self.state.bodies[self.body].chain[self.node];
        let turn = signed(KeyCode::Q, KeyCode::E);
        if turn != 0.0 {
            pose.turn += turn * step * 50.0;
            *pose = pose.tidied();
        }
        if input.struck(KeyCode::M) {
            pose.scale.x = -pose.scale.x;
        }
    }
}
