//! Input: one pointer for mouse and touch, and the keys.

use std::collections::HashSet;

use macroquad::prelude::*;

/// The mouse or the first finger. Lengths are in points of the screen.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pointer {
    pub position: Vec2,
    /// The displacement since the last frame.
    pub moved: Vec2,
    pub down: bool,
    pub pressed: bool,
    pub released: bool,
    /// `true` for a finger, which needs larger targets and does not hover.
    pub touch: bool,
    /// The displacement of the camera: by the right or middle button, or by two fingers.
    pub pan: Vec2,
    /// The zoom factor of the camera: by the wheel, or by two fingers.
    pub zoom: f32,
    /// The rotation of the wheel, in lines.
    pub wheel: f32,
}

impl Pointer {
    /// Returns an idle pointer far outside the screen, of the same kind (mouse or finger).
    pub fn absent(self) -> Self {
        Self { position: Vec2::splat(-1e6), touch: self.touch, zoom: 1.0, ..Self::default() }
    }

    /// Returns the picking distance in points.
    pub fn reach(&self) -> f32 {
        if self.touch { 26.0 } else { 13.0 }
    }
}

/// The input since the last frame.
#[derive(Debug, Clone, Default)]
pub struct Input {
    pub pointer: Pointer,
    /// The positions of all fingers, in points of the screen.
    pub touches: Vec<Vec2>,
    held: HashSet<KeyCode>,
    pressed: HashSet<KeyCode>,
    fingers: Option<[Vec2; 2]>,
    /// `true` from the touch of a second finger until all fingers are up. Meanwhile the pointer is up.
    pinching: bool,
}

impl Input {
    /// Returns `true` if a key is down.
    pub fn held(&self, key: KeyCode) -> bool {
        self.held.contains(&key)
    }

    /// Returns `true` if a key went down since the last frame.
    pub fn pressed(&self, key: KeyCode) -> bool {
        self.pressed.contains(&key)
    }

    /// Reads the input from macroquad. Called once per frame.
    pub fn read(&mut self) {
        self.held = get_keys_down();
        self.pressed = get_keys_pressed();

        let last = self.pointer;
        let touches = touches();
        let scale = screen_dpi_scale().max(0.1);
        let fingers = match &touches[..] {
            [first, second, ..] => {
                // Sorted by id, because macroquad's order changes between frames.
                let (first, second) = if first.id <= second.id { (first, second) } else { (second, first) };
                Some([first.position / scale, second.position / scale])
            }
            _ => None,
        };
        self.pinching = fingers.is_some() || (self.pinching && !touches.is_empty());

        let position = Vec2::from(mouse_position());
        let pressed = is_mouse_button_pressed(MouseButton::Left) && !self.pinching;
        // A press and release within one frame counts as down for that frame.
        let down = pressed || (is_mouse_button_down(MouseButton::Left) && !self.pinching && last.down);
        let mut pointer = Pointer {
            position,
            moved: if pressed { Vec2::ZERO } else { position - last.position },
            down,
            pressed,
            released: last.down && !down,
            touch: !touches.is_empty() || (last.touch && position == last.position),
            pan: Vec2::ZERO,
            zoom: 1.0,
            wheel: mouse_wheel().1.clamp(-1.0, 1.0),
        };
        pointer.zoom = 1.15_f32.powf(pointer.wheel);
        if is_mouse_button_down(MouseButton::Right) || is_mouse_button_down(MouseButton::Middle) {
            pointer.pan = pointer.moved;
        }
        if let (Some([a, b]), Some([last_a, last_b])) = (fingers, self.fingers) {
            pointer.position = (a + b) * 0.5;
            pointer.pan = pointer.position - (last_a + last_b) * 0.5;
            pointer.zoom = a.distance(b).max(1.0) / last_a.distance(last_b).max(1.0);
        }
        self.touches = touches.iter().map(|touch| touch.position / scale).collect();
        self.fingers = fingers;
        self.pointer = pointer;
    }

    /// Returns an input with keys that are down and keys that went down in this frame.
    #[cfg(test)]
    pub fn with_keys(held: &[KeyCode], pressed: &[KeyCode]) -> Self {
        let [held, pressed] = [held, pressed].map(|keys| keys.iter().copied().collect());
        Self { held, pressed, ..Self::default() }
    }

    /// Returns a copy with another pointer.
    pub fn with_pointer(&self, pointer: Pointer) -> Self {
        Self { pointer, ..self.clone() }
    }
}
