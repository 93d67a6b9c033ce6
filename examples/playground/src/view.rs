//! The trait of the views.

use hitgraph::Aabb;

use crate::camera::Camera;
use crate::draw::Brush;
use crate::input::Input;
use crate::ui::Ui;

/// A tab of the playground. Each frame calls `update`, `draw` and `panel`, in this order. Only `draw` and `panel` may
/// call macroquad, so that everything else can be tested without a window.
pub trait View {
    /// Returns the region of the world that is shown until the user moves the camera.
    fn home(&self) -> Aabb;

    /// Returns `true` if the world's y axis points down, as the screen's does.
    fn y_down(&self) -> bool {
        false
    }

    /// Processes input and advances the time. Returns the target of the current drag.
    fn update(&mut self, stage: &Stage<'_>) -> Drag;

    /// Draws the world, and any text over it within `brush.camera.area`.
    fn draw(&mut self, brush: &Brush<'_>);

    /// Draws the widgets and numbers of the panel.
    fn panel(&mut self, ui: &mut Ui);

    /// Returns the state as a text for `set_state`: short enough for an address, without `?`, `#` and spaces.
    fn state(&self) -> String {
        String::new()
    }

    /// Restores a state. An error changes nothing.
    fn set_state(&mut self, state: &str) -> Result<(), String> {
        if state.is_empty() { Ok(()) } else { Err("this view has no state".to_owned()) }
    }

    /// Opens a file.
    fn open(&mut self, _name: &str, _bytes: &[u8]) -> Result<(), String> {
        Err("this view opens no files".to_owned())
    }

    /// Returns `true` if a grid is drawn behind the world.
    fn has_grid(&self) -> bool {
        true
    }

    /// Returns the region that the command "Center" shows, or `None` for the home, which may move.
    fn content(&mut self) -> Option<Aabb> {
        None
    }

    /// Returns the request that the view made since the last frame.
    fn take_request(&mut self) -> Option<Request> {
        None
    }

    /// Returns names and values for the page's tests. Names contain no `=`, values no line break.
    fn status(&self, _camera: &Camera) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// The arguments of an update.
pub struct Stage<'a> {
    pub input: &'a Input,
    pub camera: &'a Camera,
    /// The time since the last frame; 0 while paused.
    pub seconds: f32,
}

/// The target of the current drag: an item of the view, or none, in which case dragging moves the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    Item,
    None,
}

/// A request of a view to the application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Open a link, and copy its address.
    Share(String),
    /// Copy a text to the clipboard.
    Copy(String),
}

/// An entry of the list of views.
pub struct Entry {
    /// The name in links and on the command line.
    pub name: &'static str,
    /// The text on the tab.
    pub title: &'static str,
    pub make: fn() -> Box<dyn View>,
    /// `true` for a view that opens files. Files go to the selected view if it opens files, else to the last one.
    pub opens_files: bool,
}
