//! The keyboard controls.

use glam::vec2;
use macroquad::prelude::KeyCode;

use super::PairView;
use super::operand::NODES;
use crate::input::Input;

impl PairView {
    /// Processes the keys: arrows move and Q and E rotate the edited node, in small steps with shift; Tab selects the
    /// other operand, 1 to 3 select the node, M mirrors it, C compares with a decomposing engine.
    pub(super) fn keys(&mut self, input: &Input) {
        let fine = input.held(KeyCode::LeftShift) || input.held(KeyCode::RightShift);
        let step = if fine { 0.002 } else { 0.02 };
        let axis = |more: KeyCode, less: KeyCode| f32::from(input.held(more)) - f32::from(input.held(less));
        let by = vec2(axis(KeyCode::Right, KeyCode::Left), axis(KeyCode::Up, KeyCode::Down));
        if by != glam::Vec2::ZERO {
            self.move_node(by * step);
        }
        if input.pressed(KeyCode::Tab) {
            self.operand = 1 - self.operand;
        }
        for (node, key) in (0..NODES.len()).zip([KeyCode::Key1, KeyCode::Key2, KeyCode::Key3]) {
            if input.pressed(key) {
                self.node = node;
            }
        }
        if input.pressed(KeyCode::C) {
            self.state.show.decomposed = !self.state.show.decomposed;
        }
        let pose = &mut self.state.operands[self.operand].chain[self.node];
        let turn = axis(KeyCode::Q, KeyCode::E);
        if turn != 0.0 {
            pose.turn += turn * step * 50.0;
            *pose = pose.rounded();
        }
        if input.pressed(KeyCode::M) {
            pose.scale.x = -pose.scale.x;
        }
    }
}
