//! The application window: the tabs, the panel and the selected view.

use macroquad::prelude::*;

use crate::arguments::Arguments;
use crate::camera::Camera;
use crate::draw::Brush;
use crate::host::{File, Host};
use crate::input::{Input, Pointer};
use crate::theme;
use crate::ui::{Ui, rounded, wrap};
use crate::view::{Drag, Request, Stage, View};
use crate::views::ALL;

const BAR_HEIGHT: f32 = 46.0;
const PANEL_WIDTH: f32 = 324.0;
/// In a narrower window the panel is below the world instead of beside it, in points.
const PANEL_BESIDE_WIDTH: f32 = 720.0;
/// In a narrower window the buttons are below the tabs, in points.
const BUTTONS_BESIDE_WIDTH: f32 = 470.0;
const BUTTONS_HEIGHT: f32 = 36.0;
/// The height of the handle that opens and closes the panel below the world, in points.
const HANDLE_HEIGHT: f32 = 34.0;

/// A view and its camera. A view is created when its tab is first selected.
struct OpenView {
    view: Box<dyn View>,
    camera: Camera,
}

struct App {
    views: Vec<Option<OpenView>>,
    selected: usize,
    host: Host,
    input: Input,
    bar: Ui,
    panel: Ui,
    handle: Ui,
    /// `true` while the panel below the world is open.
    sheet_open: bool,
    /// The middle of the button "Center" and of the handle, for the page's tests.
    center_button: Vec2,
    handle_middle: Vec2,
    paused: bool,
    /// The region under the pointer, or where the current press started.
    pointer_region: Region,
    drag: Drag,
    message: Option<Message>,
}

/// A message that is shown for some seconds.
struct Message {
    text: String,
    is_error: bool,
    seconds_left: f32,
}

/// A region of the window. Only the one under the pointer receives pointer input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Region {
    World,
    Panel,
    Handle,
    Bar,
}

/// Runs until the window closes or, with `--shot`, until the picture is saved.
pub async fn run(arguments: Arguments) {
    let mut font = theme::TextFont::load();
    let mut app = App::new(&arguments);
    let mut frames = 0;
    loop {
        let seconds = if arguments.shot.is_some() { 1.0 / 60.0 } else { get_frame_time().min(0.1) };
        font.prepare();
        app.frame(seconds);
        frames += 1;
        if let Some(path) = arguments.shot.as_deref().filter(|_| frames >= arguments.frames) {
            // The picture shows the finished frame, so it is saved before the next frame starts.
            save_picture(path);
            return;
        }
        next_frame().await;
    }
}

fn save_picture(path: &std::path::Path) {
    // macroquad's `export_png` does not report errors, so the file is created here first.
    match (std::fs::File::create(path), path.to_str()) {
        (Ok(_), Some(name)) if screen_width() >= 1.0 && screen_height() >= 1.0 => get_screen_data().export_png(name),
        (Ok(_), _) => eprintln!("{}: no picture saved: the name is not UTF-8 or the window is empty", path.display()),
        (Err(error), _) => eprintln!("{}: {error}", path.display()),
    }
}

impl App {
    fn new(arguments: &Arguments) -> Self {
        let mut app = Self {
            views: ALL.iter().map(|_| None).collect(),
            selected: 0,
            host: Host::new(arguments.state.clone()),
            input: Input::default(),
            bar: Ui::default(),
            panel: Ui::default(),
            handle: Ui::default(),
            sheet_open: false,
            center_button: Vec2::ZERO,
            handle_middle: Vec2::ZERO,
            paused: arguments.paused,
            pointer_region: Region::World,
            drag: Drag::None,
            message: None,
        };
        if let Some(name) = &arguments.view {
            app.open_link(name);
        }
        if let Some(path) = &arguments.file {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match std::fs::read(path) {
                Ok(bytes) => app.open_file(&File { name, bytes }),
                Err(error) => app.show_error(format!("{}: {error}", path.display())),
            }
        }
        app
    }

    /// Shows an error in the window and prints it.
    fn show_error(&mut self, text: String) {
        eprintln!("{text}");
        self.message = Some(Message { text, is_error: true, seconds_left: 8.0 });
    }

    /// Carries out a request of the selected view.
    fn answer(&mut self, request: Request) {
        let text = match request {
            Request::Share(link) => {
                Host::copy(&format!("#{link}"));
                self.open_link(&link);
                "The address of this moment is on the clipboard.".to_owned()
            }
            Request::Copy(text) => {
                Host::copy(&text);
                "The test is on the clipboard. It needs only hitgraph.".to_owned()
            }
        };
        // An error of the link stays visible.
        if self.message.is_none() {
            self.message = Some(Message { text, is_error: false, seconds_left: 4.0 });
        }
    }

    /// Returns the selected view, created if necessary.
    fn selected_view(&mut self) -> &mut OpenView {
        self.views[self.selected].get_or_insert_with(|| {
            let view = (ALL[self.selected].make)();
            let camera = Camera::new(view.y_down());
            OpenView { view, camera }
        })
    }

    /// Opens a link, `view?state`: selects the view and restores its state.
    fn open_link(&mut self, link: &str) {
        let (name, state) = link.split_once('?').unwrap_or((link, ""));
        match ALL.iter().position(|entry| entry.name == name) {
            Some(index) => {
                self.selected = index;
                if let Err(error) = self.selected_view().view.set_state(state) {
                    self.show_error(format!("This link cannot be opened: {error}."));
                }
            }
            None => {
                let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
                self.show_error(format!("There is no view {name:?}; the views are {}.", names.join(", ")));
            }
        }
    }

    /// Opens a file in the view that opens files.
    fn open_file(&mut self, file: &File) {
        let index = if ALL[self.selected].opens_files {
            self.selected
        } else {
            ALL.iter().rposition(|entry| entry.opens_files).unwrap_or(self.selected)
        };
        self.selected = index;
        let current = self.selected_view();
        match current.view.open(&file.name, &file.bytes) {
            Ok(()) => {
                current.camera.go_home();
                // The message may have named this file as missing.
                self.message = None;
            }
            Err(error) => self.show_error(format!("{}: {error}", file.name)),
        }
    }

    fn frame(&mut self, seconds: f32) {
        if let Some(link) = self.host.take_link() {
            self.open_link(&link);
        }
        for file in Host::take_files() {
            self.open_file(&file);
        }
        self.input.read();
        self.message = self.message.take().filter(|message| message.seconds_left > 0.0);
        if let Some(message) = &mut self.message {
            message.seconds_left -= seconds;
        }

        let (width, height) = (screen_width(), screen_height());
        if width < 1.0 || height < 1.0 {
            // An empty or minimised window draws nothing in this frame.
            return;
        }
        let layout = Layout::new(width, height, self.sheet_open);
        self.track_pointer(&layout);
        self.draw_world(&layout, if self.paused { 0.0 } else { seconds });
        self.draw_widgets(&layout);
        if let Some(message) = &self.message {
            show_message(message, layout.world);
        }
        if let Some(request) = self.selected_view().view.take_request() {
            self.answer(request);
        }
        self.publish();
    }

    /// Updates the region that receives pointer input. It is constant while the pointer is down.
    fn track_pointer(&mut self, layout: &Layout) {
        let pointer = self.input.pointer;
        if !pointer.down && !pointer.released || pointer.pressed {
            self.pointer_region = match pointer.position {
                at if layout.bar.contains(at) => Region::Bar,
                at if layout.handle.contains(at) => Region::Handle,
                at if layout.panel.contains(at) => Region::Panel,
                _ => Region::World,
            };
        }
    }

    /// Returns the pointer for a region: absent if another region receives the input.
    fn pointer_for(&self, region: Region) -> Pointer {
        let pointer = self.input.pointer;
        if self.pointer_region == region { pointer } else { pointer.absent() }
    }

    /// Updates and draws the selected view.
    fn draw_world(&mut self, layout: &Layout, seconds: f32) {
        let pointer = self.pointer_for(Region::World);
        let input = self.input.with_pointer(pointer);
        let last_drag = self.drag;
        let OpenView { view, camera } = self.selected_view();
        camera.place(layout.world, view.home());
        if last_drag == Drag::None {
            camera.pan(pointer.pan);
            camera.zoom(pointer.position, pointer.zoom);
        }
        let drag = view.update(&Stage { input: &input, camera, seconds });
        if drag == Drag::None && pointer.down {
            camera.pan(pointer.moved);
        }
        clear_background(theme::BACKGROUND);
        let brush = Brush::new(camera);
        if view.has_grid() {
            brush.grid();
        }
        view.draw(&brush);
        self.drag = drag;
    }

    fn draw_widgets(&mut self, layout: &Layout) {
        let (mut panel, mut bar) = (std::mem::take(&mut self.panel), std::mem::take(&mut self.bar));
        panel.begin(layout.panel, theme::PANEL, self.pointer_for(Region::Panel));
        self.selected_view().view.panel(&mut panel);
        panel.end();
        self.draw_handle(layout.handle);
        bar.begin(layout.bar, theme::BAR, self.pointer_for(Region::Bar));
        self.draw_bar(&mut bar, layout.bar);
        (self.panel, self.bar) = (panel, bar);
    }

    /// Draws the handle of the panel below the world.
    fn draw_handle(&mut self, place: Rect) {
        if place.h == 0.0 {
            return;
        }
        self.handle_middle = place.center();
        let mut handle = std::mem::take(&mut self.handle);
        handle.begin(place, theme::BAR, self.pointer_for(Region::Handle));
        let label = if self.sheet_open { "Hide the panel" } else { "Show the panel" };
        if handle.cell(Rect::new(place.x + 8.0, place.y + 3.0, place.w - 16.0, place.h - 6.0), label, false) {
            self.sheet_open = !self.sheet_open;
        }
        self.handle = handle;
    }

    /// Draws the tabs and the buttons.
    fn draw_bar(&mut self, bar: &mut Ui, place: Rect) {
        let (y, height, mut x) =
            (place.y + 8.0, BAR_HEIGHT - 16.0, place.x + if place.w > PANEL_BESIDE_WIDTH { 12.0 } else { 6.0 });
        let spacious = place.w > PANEL_BESIDE_WIDTH;
        if spacious {
            theme::text("hitgraph", x, y + height * 0.5 + 6.0, theme::TITLE, theme::TEXT);
            x += theme::text_width("hitgraph", theme::TITLE) + 24.0;
        }
        for (index, entry) in ALL.iter().enumerate() {
            let padding = if spacious { 28.0 } else { 9.0 + (place.w - 320.0).clamp(0.0, 110.0) * 0.1 };
            let width = theme::text_width(entry.title, theme::SMALL) + padding;
            if bar.cell(Rect::new(x, y, width, height), entry.title, index == self.selected) {
                self.selected = index;
            }
            x += width + if spacious { 4.0 } else { 2.0 };
        }
        let (mut right, y) = (place.right() - 8.0, place.bottom() - 8.0 - height);
        let mut button = |bar: &mut Ui, label: &str| {
            let width = theme::text_width(label, theme::SMALL) + 20.0;
            right -= width + 4.0;
            let cell = Rect::new(right, y, width, height);
            (bar.cell(cell, label, false), cell.center())
        };
        if button(bar, "Reset").0 {
            self.views[self.selected] = None;
        }
        if button(bar, if self.paused { "Run" } else { "Pause" }).0 {
            self.paused = !self.paused;
        }
        let (is_center, middle) = button(bar, "Center");
        self.center_button = middle;
        if is_center {
            let OpenView { view, camera } = self.selected_view();
            match view.content() {
                Some(content) => camera.fit(content),
                None => camera.go_home(),
            }
        }
        // In the browser the address is the link.
        if cfg!(not(target_arch = "wasm32")) && spacious && button(bar, "Print link").0 {
            println!("{}", self.host.link());
        }
    }

    /// Publishes the link and the status of the view to the host.
    fn publish(&mut self) {
        let name = ALL[self.selected].name;
        let message = self.message.as_ref().map_or_else(String::new, |message| message.text.clone());
        let place = |at: Vec2| format!("{:.1},{:.1}", at.x, at.y);
        let [center, panel] = [self.center_button, self.handle_middle].map(place);
        let is_open = if self.sheet_open { "open" } else { "closed" }.to_owned();
        let scroll = self.panel.scroll().to_string();
        let mut status = vec![("view", name.to_owned()), ("message", message)];
        status.extend([("center", center), ("handle", panel), ("sheet", is_open), ("scroll", scroll)]);
        let OpenView { view, camera } = self.selected_view();
        status.extend(view.status(camera));
        let state = view.state();
        self.host.publish_status(&status);
        // The link is published when a drag ends, not at each of its steps.
        if !self.input.pointer.down {
            let separator = if state.is_empty() { "" } else { "?" };
            self.host.publish_link(format!("{name}{separator}{state}"));
        }
        if self.input.pressed(KeyCode::P) {
            println!("{}", self.host.link());
        }
    }
}

/// The layout of the window, in points.
struct Layout {
    bar: Rect,
    panel: Rect,
    world: Rect,
    /// The handle of a panel below the world; empty if it is beside the world.
    handle: Rect,
}

impl Layout {
    fn new(width: f32, height: f32, sheet_open: bool) -> Self {
        let bar =
            Rect::new(0.0, 0.0, width, BAR_HEIGHT + if width < BUTTONS_BESIDE_WIDTH { BUTTONS_HEIGHT } else { 0.0 });
        let (below, left) = ((height - bar.h).max(0.0), width - PANEL_WIDTH);
        if width < PANEL_BESIDE_WIDTH {
            let world = if sheet_open { below * 0.5 } else { below - HANDLE_HEIGHT }.max(0.0);
            let top = bar.h + world;
            let handle = Rect::new(0.0, top, width, HANDLE_HEIGHT);
            let panel = Rect::new(0.0, handle.bottom(), width, (height - handle.bottom()).max(0.0));
            Self { bar, panel, world: Rect::new(0.0, bar.h, width, world), handle }
        } else {
            let panel = Rect::new(left, bar.h, PANEL_WIDTH, below);
            Self { bar, panel, world: Rect::new(0.0, bar.h, left, below), handle: Rect::default() }
        }
    }
}

fn show_message(message: &Message, area: Rect) {
    let lines = wrap(&message.text, theme::FONT_SIZE, (area.w - 64.0).max(80.0));
    let width = lines.iter().map(|line| theme::text_width(line, theme::FONT_SIZE)).fold(0.0, f32::max) + 32.0;
    let height = 20.0 * lines.len() as f32 + 20.0;
    let place = Rect::new(area.x + (area.w - width) * 0.5, area.bottom() - height - 20.0, width, height);
    rounded(place, if message.is_error { Color::new(0.42, 0.16, 0.18, 0.96) } else { theme::ACCENT });
    for (index, line) in lines.iter().enumerate() {
        theme::text(line, place.x + 16.0, place.y + 25.0 + 20.0 * index as f32, theme::FONT_SIZE, WHITE);
    }
}
