//! Three buttons for thumbs, which a mouse can press too.

use glam::{Vec2, vec2};
use macroquad::prelude::{Color, Rect, draw_circle, draw_circle_lines, draw_triangle};

use super::Controls;
use crate::input::Input;
use crate::theme;
use crate::view::Drag;

#[derive(Debug, Default)]
pub struct Buttons {
    /// Left, right, jump.
    pressed: [bool; 3],
}

impl Buttons {
    /// Updates the buttons and returns the controls.
    pub fn update(&mut self, area: Rect, input: &Input) -> Controls {
        let last = self.pressed;
        self.pressed = circles(area).map(|(center, radius)| {
            // The touch area is larger than the button.
            let pointer = Some(input.pointer.position).filter(|_| input.pointer.down);
            input.touches.iter().chain(&pointer).any(|touch| touch.distance(center) < radius * 1.2)
        });
        let [left, right, jump] = self.pressed;
        let walk = f32::from(right) - f32::from(left);
        Controls { walk, jump: jump && !last[2], restart: false }
    }

    /// Returns `Drag::Item` while a button is pressed, so that the finger does not move the camera.
    pub fn drag(&self) -> Drag {
        if self.pressed.contains(&true) { Drag::Item } else { Drag::None }
    }

    pub fn draw(&self, area: Rect) {
        let arrows = [-Vec2::X, Vec2::X, -Vec2::Y];
        for ((at, radius), (arrow, pressed)) in circles(area).into_iter().zip(arrows.into_iter().zip(self.pressed)) {
            let fill = if pressed { theme::ACCENT } else { Color { a: 0.7, ..theme::FIELD } };
            draw_circle(at.x, at.y, radius, fill);
            draw_circle_lines(at.x, at.y, radius, 2.0, theme::EDGE);
            let (tip, side) = (arrow * radius * 0.45, arrow.perp() * radius * 0.4);
            draw_triangle(at + tip, at - tip * 0.6 + side, at - tip * 0.6 - side, theme::TEXT);
        }
    }
}

/// Returns the centres and radii of the buttons, in points of the screen.
pub fn circles(area: Rect) -> [(Vec2, f32); 3] {
    let radius = (area.w.min(area.h) * 0.1).clamp(24.0, 44.0);
    let y = area.bottom() - radius * 1.4;
    let x = |radii: f32| if radii > 0.0 { area.x + radii * radius } else { area.right() + radii * radius };
    [(vec2(x(1.4), y), radius), (vec2(x(3.8), y), radius), (vec2(x(-1.4), y), radius)]
}
