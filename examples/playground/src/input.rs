//! One pointer for mouse and touch, and the keys.

use std::collections::HashSet;

use macroquad::prelude::*;

/// Where the mouse or the first finger is, in points of the screen.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pointer {
    pub position: Vec2,
    /// How far it has moved since the last frame.
    pub moved: Vec2,
    pub down: bool,
    pub pressed: bool,
    pub released: bool,
    /// Whether it is a finger, which needs larger targets and is nowhere when it is up.
    pub touch: bool,
    /// How far the view is to be moved: by the right or middle button, or by two fingers.
    pub pan: Vec2,
    /// By what factor the view is to be enlarged: by the wheel, or by two fingers.
    pub zoom: f32,
    /// How far the wheel was turned, in lines.
    pub wheel: f32,
}

impl Pointer {
    /// The same, over something else: it is nowhere near, and nothing is done with it.
    pub fn elsewhere(self) -> Self {
        Self { position: Vec2::splat(-1e6), touch: self.touch, zoom: 1.0, ..Self::default() }
    }

    /// How near one has to be to hit something, in points.
    pub fn reach(&self) -> f32 {
        if self.touch { 26.0 } else { 13.0 }
    }
}

/// What was done since the last frame.
#[derive(Debug, Clone, Default)]
pub struct Input {
    pub pointer: Pointer,
    /// All fingers, in points of the screen.
    pub touches: Vec<Vec2>,
    held: HashSet<KeyCode>,
    struck: HashSet<KeyCode>,
    fingers: Option<[Vec2; 2]>,
    /// From the second finger on until all are up, no finger is a pointer.
    pinching: bool,
}

impl Input {
    /// Whether a key is down.
    pub fn held(&self, key: KeyCode) -> bool {
        self.held.contains(&key)
    }

    /// Whether a key went down since the last frame.
    pub fn struck(&self, key: KeyCode) -> bool {
        self.struck.contains(&key)
    }

    /// Asks the window; once a frame.
    pub fn read(&mut self) {
        self.held = get_keys_down();
        self.struck = get_keys_pressed();

        let last = self.pointer;
        let touches = touches();
        let scale = screen_dpi_scale().max(0.1);
        let fingers = match &touches[..] {
            [first, second, ..] => {
                // In a lasting order, else the two change places from frame to frame.
                let (first, second) = if first.id <= second.id { (first, second) } else { (second, first) };
                Some([first.position / scale, second.position / scale])
            }
            _ => None,
        };
        self.pinching = fingers.is_some() || (self.pinching && !touches.is_empty());

        let position = Vec2::from(mouse_position());
        let pressed = is_mouse_button_pressed(MouseButton::Left) && !self.pinching;
        // Who is quicker than a frame has pressed for one.
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
        if let (Some([a, b]), Some([was_a, was_b])) = (fingers, self.fingers) {
            pointer.position = (a + b) * 0.5;
            pointer.pan = pointer.position - (was_a + was_b) * 0.5;
            pointer.zoom = a.distance(b).max(1.0) / was_a.distance(was_b).max(1.0);
        }
        self.touches = touches.iter().map(|touch| touch.position / scale).collect();
        self.fingers = fingers;
        self.pointer = pointer;
    }

    /// Keys that are down, and keys that have just gone down.
    #[cfg(test)]
    pub fn of_keys(held: &[KeyCode], struck: &[KeyCode]) -> Self {
        let [held, struck] = [held, struck].map(|keys| keys.iter().copied().collect());
        Self { held, struck, ..Self::default() }
    }

    /// The same with another pointer: for a view while the pointer is busy elsewhere.
    pub fn with_pointer(&self, pointer: Pointer) -> Self {
        Self { pointer, ..self.clone() }
    }
}
