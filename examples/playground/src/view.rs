//! What a view is.

use hitgraph::Aabb;

use crate::camera::Camera;
use crate::draw::Brush;
use crate::input::Input;
use crate::ui::Ui;

/// One of the things there are to see. Each frame it is updated, drawn, and asked for its panel, in this order. Only
/// `draw` and `panel` may call macroquad, so that everything else can be tested without a window.
pub trait View {
    /// The part of the world that is shown until the user moves the camera.
    fn home(&self) -> Aabb;

    /// Whether the world's y axis points down, as the screen's does.
    fn y_down(&self) -> bool {
        false
    }

    /// Takes in what was done, and the time that has passed.
    fn update(&mut self, stage: &Stage<'_>) -> Hold;

    /// Draws the world. What is said in words on it goes to `brush.camera.area`.
    fn draw(&mut self, brush: &Brush<'_>);

    /// Its widgets and numbers.
    fn panel(&mut self, ui: &mut Ui);

    /// What it shows, as a text that `set_state` takes: short enough for an address, and without `?`, `#` and spaces.
    fn state(&self) -> String {
        String::new()
    }

    /// Shows what `state` has told once. Nothing changes if it is refused.
    fn set_state(&mut self, state: &str) -> Result<(), String> {
        if state.is_empty() { Ok(()) } else { Err("this view has no state".to_owned()) }
    }

    /// Opens a file.
    fn open(&mut self, _name: &str, _bytes: &[u8]) -> Result<(), String> {
        Err("this view opens no files".to_owned())
    }

    /// What it shows in words, for the page's tests: names without `=`, values of one line.
    fn status(&self, _camera: &Camera) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// What a view is given for an update.
pub struct Stage<'a> {
    pub input: &'a Input,
    pub camera: &'a Camera,
    /// Since the last frame; 0 while paused.
    pub seconds: f32,
}

/// Whether the pointer holds something of the view; if not, dragging moves the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    Something,
    Nothing,
}

/// A view that can be chosen.
pub struct Entry {
    /// In the address and on the command line.
    pub name: &'static str,
    /// On its tab.
    pub title: &'static str,
    pub make: fn() -> Box<dyn View>,
    /// Whether files that are opened are for it.
    pub opens_files: bool,
}
